//! Numbers in strings.

use crate::compile::value::ManifestValue;

/// Returns the number of a string by the rules of arithmetic: decimal, octal with `0`, hexadecimal with `0x`, and floats.
pub fn numeric(text: &str) -> Option<ManifestValue> {
    let (is_negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest.trim_start()),
        None => (false, text),
    };
    let radix_digits = |digits: &str, radix: u32| {
        let is_valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        let number = is_valid.then(|| i128::from_str_radix(digits, radix).ok())??;
        i64::try_from(if is_negative { -number } else { number }).ok().map(ManifestValue::Integer)
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return radix_digits(hex, 16);
    }
    if digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit()) {
        return radix_digits(digits, 8);
    }
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return radix_digits(digits, 10);
    }
    float(digits).map(|number| ManifestValue::Float(if is_negative { -number } else { number }))
}

/// Parses `1.5`, `1e3`, `1.5e-3`.
fn float(digits: &str) -> Option<f64> {
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let whole_fits = is_number(whole) && (whole.len() == 1 || !whole.starts_with('0'));
    let exponent_fits = exponent.is_none_or(|text| is_number(text.strip_prefix('-').unwrap_or(text)));
    if !whole_fits || !exponent_fits || fraction.is_some_and(|text| !is_number(text)) {
        return None;
    }
    digits.parse().ok()
}
