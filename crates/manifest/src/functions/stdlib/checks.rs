//! Functions that test values: `is_…`.

use super::deprecation::deprecate;
use super::network::{Address, is_email_address, is_host_name, is_mac_address};
use super::paths::is_absolute;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::types::infer_exact;
use crate::compile::value::ManifestValue;
use crate::functions::ruby::{to_f, to_i, to_s};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, signature, type_error, typed};

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("is_domain_name", -1, test),
    legacy("is_email_address", -1, test),
    legacy("is_function_available", -1, is_function_available),
    legacy("is_hash", -1, test),
    legacy("is_integer", -1, test),
    legacy("is_mac_address", -1, test),
    typed("is_a", &[signature("(Any $value, Type $type)", is_a)]),
    typed("is_absolute_path", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_array", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_bool", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_float", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_ip_address", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_ipv4_address", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_ipv6_address", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_numeric", &[signature("(Any *$args)", deprecated_test)]),
    typed("is_string", &[signature("(Any *$args)", deprecated_test)]),
    typed("type_of", &[signature("(Any $value)", type_of)]),
];

/// A test of one value.
type Test = fn(&mut CallContext<'_>, &ManifestValue) -> Result<bool, EvaluationFailure>;

/// How a function words the error about its number of arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// `(0 for 1)`, exactly one.
    Exact,
    /// `(0 for 1)`, at least one.
    AtLeast,
    /// `0 for 1`, exactly one.
    Bare,
}

/// The tests by name.
const TESTS: &[(&str, Count, Test)] = &[
    ("is_absolute_path", Count::Exact, |context, value| is_absolute(context, value)),
    ("is_array", Count::AtLeast, |_, value| Ok(matches!(value, ManifestValue::Array(_)))),
    ("is_bool", Count::Exact, |_, value| Ok(matches!(value, ManifestValue::Boolean(_)))),
    ("is_domain_name", Count::Bare, |_, value| Ok(value.as_str().is_some_and(is_host_name))),
    ("is_email_address", Count::Bare, |_, value| Ok(value.as_str().is_some_and(is_email_address))),
    ("is_float", Count::Bare, is_float),
    ("is_hash", Count::Exact, |_, value| Ok(matches!(value, ManifestValue::Hash(_)))),
    ("is_integer", Count::Bare, |_, value| Ok(is_integer(value))),
    ("is_ip_address", Count::Bare, |_, value| Ok(address(value)?.is_some())),
    ("is_ipv4_address", Count::Bare, |_, value| Ok(address(value)?.is_some_and(|address| address.is_v4()))),
    ("is_ipv6_address", Count::Bare, |_, value| Ok(address(value)?.is_some_and(|address| !address.is_v4()))),
    ("is_mac_address", Count::Bare, mac_address),
    ("is_numeric", Count::Bare, |_, value| Ok(is_numeric(value))),
    ("is_string", Count::AtLeast, |_, value| Ok(is_string(value))),
];

/// The types that replace the deprecated tests.
const REPLACEMENTS: &[(&str, &str)] = &[
    ("is_absolute_path", "Absolute_Path"),
    ("is_array", "Array"),
    ("is_bool", "Bool"),
    ("is_float", "Float"),
    ("is_ip_address", "Ip_address"),
    ("is_ipv4_address", "Ipv4"),
    ("is_ipv6_address", "Ipv6"),
    ("is_numeric", "Numeric"),
    ("is_string", "String"),
];

/// Applies the test of a name.
///
/// # Errors
/// Returns stdlib's error for a wrong number of arguments.
pub fn apply(context: &mut CallContext<'_>, name: &str, arguments: &[ManifestValue]) -> Result<bool, EvaluationFailure> {
    let Some((_, count, test)) = TESTS.iter().find(|(test, ..)| *test == name) else {
        return Err(EvaluationFailure::unsupported(format!("the function `{name}`")));
    };
    let is_right = if *count == Count::AtLeast { !arguments.is_empty() } else { arguments.len() == 1 };
    if !is_right {
        let given = arguments.len();
        let given = if *count == Count::Bare { format!("{given} for 1") } else { format!("({given} for 1)") };
        return Err(EvaluationFailure::new(format!("{name}(): Wrong number of arguments given {given}")));
    }
    test(context, argument(arguments, 0))
}

fn test(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    apply(context, &name, arguments).map(ManifestValue::Boolean)
}

fn deprecated_test(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    let replacement = REPLACEMENTS.iter().find(|(test, _)| *test == name).map_or("", |(_, replacement)| replacement);
    let key = if name == "is_ipv6_address" { "is_ipv4_address" } else { &name };
    let message = format!(
        "This method is deprecated, please use match expressions with Stdlib::Compat::{replacement} instead. They are described at \
         https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions."
    );
    deprecate(context, key, &message)?;
    if name == "is_absolute_path" && arguments.len() != 1 {
        let count = arguments.len();
        return Err(EvaluationFailure::new(format!("is_absolute_path(): Wrong number of arguments given ({count} for 1)")));
    }
    apply(context, &name, arguments).map(ManifestValue::Boolean)
}

fn is_float(_: &mut CallContext<'_>, value: &ManifestValue) -> Result<bool, EvaluationFailure> {
    Ok(match value {
        ManifestValue::Float(_) => true,
        // Ruby compares the number with a string, which is never equal.
        ManifestValue::String(text) => to_s(&ManifestValue::Float(to_f(text))) == text.as_str(),
        _ => false,
    })
}

/// Returns `true` if a line of the text is a decimal integer without zeros at its start.
fn is_integer_line(line: &str) -> bool {
    let digits = line.strip_prefix('-').unwrap_or(line);
    let is_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_digits && (digits == "0" || !digits.starts_with('0'))
}

/// Tests whether a value is an integer or the text of an integer.
pub fn is_integer(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::Integer(_) => true,
        ManifestValue::String(text) => text.lines().any(is_integer_line),
        _ => false,
    }
}

fn is_numeric_line(line: &str) -> bool {
    let (mantissa, exponent) = match line.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (line, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_integer_line(whole)
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix('-').unwrap_or(exponent)))
}

fn is_numeric(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::Integer(_) | ManifestValue::Float(_) => true,
        ManifestValue::String(text) => text.lines().any(is_numeric_line),
        _ => false,
    }
}

fn is_string(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::Undef => true,
        ManifestValue::String(text) => {
            let is_number = to_i(text).to_string() == text.as_str() || to_s(&ManifestValue::Float(to_f(text))) == text.as_str();
            !is_number
        }
        _ => false,
    }
}

/// Parses an IP address; `None` if the value is not a string or not an address.
fn address(value: &ManifestValue) -> Result<Option<Address>, EvaluationFailure> {
    match value {
        ManifestValue::String(text) => Ok(Address::parse(text).ok()),
        ManifestValue::Integer(_) => Ok(None),
        other => Err(no_method(other, "split")),
    }
}

fn mac_address(_: &mut CallContext<'_>, value: &ManifestValue) -> Result<bool, EvaluationFailure> {
    match value {
        ManifestValue::String(text) => Ok(is_mac_address(text)),
        ManifestValue::Undef => Ok(false),
        other => Err(type_error(other, "String")),
    }
}

fn is_a(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    match argument(arguments, 1) {
        ManifestValue::Type(of) => Ok(ManifestValue::Boolean(of.is_instance(argument(arguments, 0)))),
        _ => Ok(ManifestValue::Boolean(false)),
    }
}

fn type_of(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    Ok(ManifestValue::of_type(infer_exact(argument(arguments, 0))))
}

fn is_function_available(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let [name] = arguments else {
        let given = arguments.len();
        return Err(EvaluationFailure::new(format!("is_function_available?(): Wrong number of arguments given {given} for 1")));
    };
    let ManifestValue::String(name) = name else { return Ok(ManifestValue::Boolean(false)) };
    if name.contains("::") || name.is_empty() {
        return Ok(ManifestValue::Boolean(false));
    }
    Ok(ManifestValue::Boolean(context.has_legacy_function(name)))
}
