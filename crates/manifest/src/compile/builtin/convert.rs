//! The constructors of types.

use super::argument;
use super::hash_tree::hash_tree;
use super::iterate::elements;
use crate::compile::context::CallContext;
use crate::compile::evaluator::pairs;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::semver_range::SemVerRange;
use crate::compile::text::base64_text;
use crate::compile::text::number::numeric;
use crate::compile::types::{Callable, NamedSignature, ObjectType, Type, describe_mismatch, describe_signatures, infer, infer_exact};
use crate::compile::value::{ManifestValue, ObjectInstance, ValueMap, ValuePattern};
use ecow::EcoString;
use indexmap::IndexMap;
use std::sync::Arc;

pub(super) type Lambda<'l> = Option<&'l Arc<LambdaClosure>>;
pub(super) type Answer = Result<ManifestValue, EvaluationFailure>;

macro_rules! constructor {
    ($name:literal, $(($parameters:literal, $body:ident)),*) => {
        FunctionRow { name: $name, api: Api::Typed(&[$(Signature { parameters: $parameters, body: $body }),*]) }
    };
}

pub const INTEGER: FunctionRow = constructor!("Integer.new", ("(Any $from, Any $radix?, Any $abs?)", integer));
pub const FLOAT: FunctionRow = constructor!("Float.new", ("(Any $from, Boolean $abs?)", float));
pub const NUMERIC: FunctionRow = constructor!("Numeric.new", ("(Any $from, Boolean $abs?)", number));
pub const BOOLEAN: FunctionRow = constructor!("Boolean.new", ("(Any $from)", boolean));
pub const ARRAY: FunctionRow = constructor!("Array.new", ("(Any $from, Boolean $wrap?)", array));
pub const HASH: FunctionRow = constructor!(
    "Hash.new",
    (
        "(TreeArray $from, NewHashOption $build_option?) where TreeArray = Array[Tuple[Array, Any], 1]; \
      NewHashOption = Enum[tree, hash_tree]",
        hash_tree
    ),
    ("(KeyValueArray $from) where KeyValueArray = Array[Tuple[Any, Any], 1]", hash),
    ("(Any $from)", hash)
);
pub const SEMVER: FunctionRow = constructor!(
    "SemVer.new",
    (
        "(SemVerPattern $str) where SemVerPattern = Pattern[/\\A(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\
         (?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?\\Z/]",
        semver_text
    ),
    (
        "(PositiveInteger $major, PositiveInteger $minor, PositiveInteger $patch, SemVerQualifier $prerelease?, SemVerQualifier $build?) \
         where PositiveInteger = Integer[0]; SemVerQualifier = Pattern[/\\A[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*\\Z/]",
        semver_parts
    ),
    (
        "(SemVerHash $hash_args) where PositiveInteger = Integer[0]; \
         SemVerQualifier = Pattern[/\\A[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*\\Z/]; \
         SemVerHash = Struct[{major => PositiveInteger, minor => PositiveInteger, patch => PositiveInteger, \
         Optional[prerelease] => SemVerQualifier, Optional[build] => SemVerQualifier}]",
        semver_hash
    ),
    ("!(String $str)", semver_mistake)
);
pub const SEMVER_RANGE: FunctionRow = constructor!(
    "SemVerRange.new",
    ("(SemVerRangeString $str) where SemVerRangeString = String[1]", range_text),
    ("(Variant[Default, SemVer] $min, Variant[Default, SemVer] $max, Boolean $exclude_max?)", range_between),
    (
        "(SemVerRangeHash $hash_args) where SemVerRangeHash = Struct[{min => Variant[Default, SemVer], \
         Optional[max] => Variant[Default, SemVer], Optional[exclude_max] => Boolean}]",
        range_hash
    )
);
pub const BINARY: FunctionRow = constructor!(
    "Binary.new",
    ("(String $str, Base64Format $format?) where Base64Format = Enum['%b', '%u', '%B', '%s', '%r']", binary_text),
    ("(Array[ByteInteger] $byte_array) where ByteInteger = Integer[0, 255]", binary_bytes),
    (
        "(BinaryArgsHash $hash_args) where Base64Format = Enum['%b', '%u', '%B', '%s', '%r']; ByteInteger = Integer[0, 255]; \
         StringHash = Struct[{value => String, format => Optional[Base64Format]}]; ArrayHash = Struct[{value => Array[ByteInteger]}]; \
         BinaryArgsHash = Variant[StringHash, ArrayHash]",
        binary_hash
    )
);
pub const URI: FunctionRow = constructor!("URI.new", ("(String[1] $uri)", uri), ("(Hash[String[1], Any] $hash_args)", uri_hash));
pub const SENSITIVE: FunctionRow = constructor!("Sensitive.new", ("(Any $value)", sensitive));
pub const REGEXP: FunctionRow = constructor!("Regexp.new", ("(String $pattern, Boolean $escape?)", regexp));
pub const TYPE: FunctionRow = constructor!("Type.new", ("(String[1] $type_string)", type_text));
pub const UNIT: FunctionRow = constructor!("Unit.new", ("(Any $from)", unit));

fn unit(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    Ok(argument(arguments, 0).clone())
}

fn not_convertible(value: &ManifestValue, name: &str) -> EvaluationFailure {
    // The names of Puppet's functions.
    let function = if name == "Integer" { "new".to_owned() } else { format!("new_{}", name.to_lowercase()) };
    let text = match value {
        ManifestValue::String(text) => format!("The string '{text}' cannot be converted to {name}"),
        other => format!("Value of type {} cannot be converted to {name}", infer(other).generalized()),
    };
    EvaluationFailure::new(if name == "Hash" { text } else { format!("'{function}' {text}") })
}

/// Removes the white space between sign and digits.
fn without_sign_space(text: &str) -> (bool, &str) {
    let (is_negative, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    (is_negative, rest.trim_start())
}

/// Returns the integer of a text in a base; base 0 reads the prefix.
fn parse_integer(text: &str, radix: u32) -> Option<i128> {
    let (is_negative, digits) = without_sign_space(text);
    let lower = digits.to_ascii_lowercase();
    let prefixes = [("0x", 16), ("0b", 2), ("0o", 8)];
    let found = prefixes.iter().find_map(|(prefix, base)| lower.strip_prefix(prefix).map(|rest| (rest, *base)));
    let (digits, radix) = match found {
        Some((rest, base)) if radix == 0 || radix == base => (rest.to_owned(), base),
        // `0b1` is a number of base 16, too.
        Some((_, 2)) if radix == 16 => (lower.clone(), radix),
        Some(_) => return None,
        None if radix == 0 && lower.len() > 1 && lower.starts_with('0') => (lower.trim_start_matches('0').to_owned(), 8),
        None => (lower.clone(), if radix == 0 { 10 } else { radix }),
    };
    let digits = if digits.is_empty() && lower.starts_with('0') && found.is_none() { "0".to_owned() } else { digits };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let number = i128::from_str_radix(&digits, radix).ok()?;
    Some(if is_negative { -number } else { number })
}

/// Returns `true` for texts that the type `Integer` can be created from without a base.
fn is_integer_text(text: &str) -> bool {
    let (_, digits) = without_sign_space(text);
    let lower = digits.to_ascii_lowercase();
    let all = |text: &str, radix: u32| !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    all(&lower, 10)
        || lower.strip_prefix("0x").is_some_and(|rest| all(rest, 16))
        || lower.strip_prefix("0b").is_some_and(|rest| all(rest, 2))
}

fn to_integer(number: i128) -> Answer {
    i64::try_from(number).map(ManifestValue::Integer).map_err(|_| EvaluationFailure::unsupported("integers of more than 64 bits"))
}

fn integer(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    if let ([ManifestValue::Hash(map)], true) = (arguments, arguments.len() == 1) {
        return integer_from_hash(map);
    }
    let from = argument(arguments, 0);
    let radix = match argument(arguments, 1) {
        ManifestValue::Undef if arguments.len() < 2 => 0,
        ManifestValue::Default => 0,
        ManifestValue::Integer(radix @ (2 | 8 | 10 | 16)) => u32::try_from(*radix).unwrap_or(10),
        ManifestValue::Integer(radix) => {
            return Err(EvaluationFailure::new(format!("Illegal radix: {radix}, expected 2, 8, 10, 16, or default")));
        }
        _ => return Err(EvaluationFailure::unsupported("the error of this radix")),
    };
    let value = match from {
        ManifestValue::Integer(number) => ManifestValue::Integer(*number),
        ManifestValue::Float(number) if number.is_finite() => to_integer(number.trunc() as i128)?,
        ManifestValue::Boolean(value) => ManifestValue::Integer(i64::from(*value)),
        ManifestValue::Timestamp(nanos) => to_integer(nanos.div_euclid(1_000_000_000))?,
        ManifestValue::Timespan(nanos) => to_integer(nanos / 1_000_000_000)?,
        ManifestValue::String(text) if is_integer_text(text) => match parse_integer(text, radix) {
            Some(number) => to_integer(number)?,
            None => return Err(EvaluationFailure::new(format!("invalid value for Integer(): \"{}\"", text))),
        },
        other => return Err(not_convertible(other, "Integer")),
    };
    Ok(absolute(value, argument(arguments, 2)))
}

fn integer_from_hash(map: &ValueMap) -> Answer {
    let Some(from) = map.get(&ManifestValue::from("from")) else {
        return Err(EvaluationFailure::unsupported("the error of a hash without `from`"));
    };
    let radix = map.get(&ManifestValue::from("radix")).cloned().unwrap_or(ManifestValue::Default);
    let number = match (from, &radix) {
        (ManifestValue::String(text), ManifestValue::Integer(radix @ (2 | 8 | 10 | 16))) if is_integer_text(text) => {
            let radix = u32::try_from(*radix).unwrap_or(10);
            to_integer(
                parse_integer(text, radix).ok_or_else(|| EvaluationFailure::new(format!("invalid value for Integer(): \"{text}\"")))?,
            )?
        }
        (ManifestValue::String(text), ManifestValue::Default) if is_integer_text(text) => {
            to_integer(parse_integer(text, 0).ok_or_else(|| EvaluationFailure::new(format!("invalid value for Integer(): \"{text}\"")))?)?
        }
        (_, ManifestValue::Integer(radix)) if !matches!(radix, 2 | 8 | 10 | 16) => {
            return Err(EvaluationFailure::new(format!("Illegal radix: {radix}, expected 2, 8, 10, 16, or default")));
        }
        (ManifestValue::Integer(number), _) => ManifestValue::Integer(*number),
        (ManifestValue::Float(number), _) => to_integer(number.trunc() as i128)?,
        (ManifestValue::Boolean(value), _) => ManifestValue::Integer(i64::from(*value)),
        (other, _) => return Err(not_convertible(other, "Integer")),
    };
    if map.keys().any(|key| !matches!(key.as_str(), Some("from" | "radix" | "abs"))) {
        return Err(EvaluationFailure::unsupported("the error of a hash with unknown keys"));
    }
    Ok(absolute(number, map.get(&ManifestValue::from("abs")).unwrap_or(&ManifestValue::Undef)))
}

fn absolute(value: ManifestValue, wanted: &ManifestValue) -> ManifestValue {
    match (value, wanted.is_true() && *wanted != ManifestValue::Undef) {
        (ManifestValue::Integer(number), true) => ManifestValue::Integer(number.saturating_abs()),
        (ManifestValue::Float(number), true) => ManifestValue::Float(number.abs()),
        (value, _) => value,
    }
}

/// Returns `from` and `abs` of a hash, or the arguments themselves.
fn from_and_abs(arguments: &[ManifestValue]) -> (ManifestValue, ManifestValue) {
    match argument(arguments, 0) {
        ManifestValue::Hash(map) if map.contains_key(&ManifestValue::from("from")) => {
            let get = |name: &str| map.get(&ManifestValue::from(name)).cloned().unwrap_or(ManifestValue::Undef);
            (get("from"), get("abs"))
        }
        from => (from.clone(), argument(arguments, 1).clone()),
    }
}

fn float(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let (from, abs) = from_and_abs(arguments);
    let value = match &from {
        ManifestValue::Float(number) => *number,
        ManifestValue::Integer(number) => *number as f64,
        ManifestValue::Boolean(value) => f64::from(u8::from(*value)),
        ManifestValue::Timestamp(nanos) | ManifestValue::Timespan(nanos) => *nanos as f64 / 1e9,
        ManifestValue::String(text) => number_of(text).ok_or_else(|| not_convertible(&from, "Float"))?,
        other => return Err(not_convertible(other, "Float")),
    };
    Ok(absolute(ManifestValue::Float(value), &abs))
}

/// Returns the number of a text: decimal, with prefix, or a float.
fn number_of(text: &str) -> Option<f64> {
    let (is_negative, digits) = without_sign_space(text);
    let magnitude = match parse_integer(digits, 0).filter(|_| is_integer_text(digits)) {
        // A float reads octal digits as decimal.
        Some(_) if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        Some(number) => number as f64,
        None => match numeric(digits)? {
            ManifestValue::Float(number) => number,
            ManifestValue::Integer(number) => number as f64,
            _ => return None,
        },
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

fn number(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let (from, abs) = from_and_abs(arguments);
    let value = match &from {
        ManifestValue::Float(_) | ManifestValue::Integer(_) => from.clone(),
        ManifestValue::Boolean(value) => ManifestValue::Integer(i64::from(*value)),
        ManifestValue::Timestamp(nanos) | ManifestValue::Timespan(nanos) => ManifestValue::Float(*nanos as f64 / 1e9),
        ManifestValue::String(text) => {
            let (is_negative, digits) = without_sign_space(text);
            let found = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
                Some("0b" | "0x") => parse_integer(digits, 0).and_then(|n| i64::try_from(n).ok()).map(ManifestValue::Integer),
                _ => numeric(digits),
            };
            match (found, is_negative) {
                (Some(ManifestValue::Integer(number)), true) => ManifestValue::Integer(-number),
                (Some(ManifestValue::Float(number)), true) => ManifestValue::Float(-number),
                (Some(number), _) => number,
                (None, _) => return Err(not_convertible(&from, "Numeric")),
            }
        }
        other => return Err(not_convertible(other, "Numeric")),
    };
    Ok(absolute(value, &abs))
}

fn boolean(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let from = argument(arguments, 0);
    Ok(ManifestValue::Boolean(match from {
        ManifestValue::Boolean(value) => *value,
        ManifestValue::Integer(number) => *number != 0,
        ManifestValue::Float(number) => *number != 0.0,
        ManifestValue::String(text) => match text.to_lowercase().as_str() {
            "true" | "yes" | "y" => true,
            "false" | "no" | "n" => false,
            _ => return Err(not_convertible(from, "Boolean")),
        },
        other => return Err(not_convertible(other, "Boolean")),
    }))
}

fn array(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let from = argument(arguments, 0);
    if *argument(arguments, 1) == ManifestValue::Boolean(true) {
        return Ok(if from.as_array().is_some() { from.clone() } else { ManifestValue::array(vec![from.clone()]) });
    }
    match from {
        ManifestValue::Array(_) => Ok(from.clone()),
        ManifestValue::Hash(map) => Ok(ManifestValue::array(pairs(map))),
        ManifestValue::Binary(bytes) => {
            Ok(ManifestValue::array(bytes.iter().map(|byte| ManifestValue::Integer(i64::from(*byte))).collect()))
        }
        other if Type::Iterable(Arc::new(Type::Any)).is_instance(other) => Ok(ManifestValue::array(elements(context.evaluator, other)?)),
        other => Err(not_convertible(other, "Array")),
    }
}

pub fn hash(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let from = argument(arguments, 0);
    let list = match from {
        ManifestValue::Hash(_) => return Ok(from.clone()),
        ManifestValue::Array(elements) => elements.to_vec(),
        other if Type::Iterable(Arc::new(Type::Any)).is_instance(other) => elements(context.evaluator, other)?,
        other => return Err(not_convertible(other, "Hash")),
    };
    let is_pairs = !list.is_empty() && list.iter().all(|pair| pair.as_array().is_some_and(|pair| pair.len() == 2));
    if is_pairs && from.as_array().is_some() {
        return Ok(ManifestValue::hash(list.iter().filter_map(|pair| match pair.as_array() {
            Some([key, value]) => Some((key.clone(), value.clone())),
            _ => None,
        })));
    }
    if list.len() % 2 != 0 {
        return Err(EvaluationFailure::new("odd number of arguments for Hash"));
    }
    Ok(ManifestValue::hash(list.chunks(2).filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())))))
}

fn version(text: &str) -> Result<semver::Version, EvaluationFailure> {
    semver::Version::parse(text)
        .map_err(|_| EvaluationFailure::new(format!("'new_Version' The string '{text}' cannot be converted to a SemVer")))
}

fn semver_mistake(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    Err(EvaluationFailure::new(format!("The string '{text}' cannot be converted to a SemVer")))
}

fn semver_text(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    Ok(ManifestValue::SemVer(Arc::new(version(text)?)))
}

fn from_parts(part: &dyn Fn(usize) -> ManifestValue) -> Answer {
    let number = |at: usize| crate::compile::text::display(&part(at));
    let mut text = format!("{}.{}.{}", number(0), number(1), number(2));
    if let ManifestValue::String(label) = part(3) {
        text.push_str(&format!("-{label}"));
    }
    if let ManifestValue::String(build) = part(4) {
        text.push_str(&format!("+{build}"));
    }
    Ok(ManifestValue::SemVer(Arc::new(version(&text)?)))
}

fn semver_parts(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    from_parts(&|at| argument(arguments, at).clone())
}

fn semver_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let names = ["major", "minor", "patch", "prerelease", "build"];
    let hash = argument(arguments, 0);
    from_parts(&|at| names.get(at).and_then(|name| hash.get(name)).cloned().unwrap_or(ManifestValue::Undef))
}

fn range_text(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    match SemVerRange::parse(text) {
        Some(range) => Ok(ManifestValue::SemVerRange(Arc::new(range))),
        None => Err(EvaluationFailure::new(format!("Unparsable version range: {}", crate::compile::text::inspect::quoted(text)))),
    }
}

fn between(min: &ManifestValue, max: &ManifestValue, excludes: &ManifestValue) -> Answer {
    let limit = |value: &ManifestValue| match value {
        ManifestValue::SemVer(version) => Some(version.clone()),
        _ => None,
    };
    let (min, max) = (limit(min), limit(max));
    Ok(ManifestValue::SemVerRange(Arc::new(SemVerRange::between(
        min.as_deref(),
        max.as_deref(),
        *excludes == ManifestValue::Boolean(true),
    ))))
}

fn range_between(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    between(argument(arguments, 0), argument(arguments, 1), argument(arguments, 2))
}

fn range_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let hash = argument(arguments, 0);
    let get = |name: &str| hash.get(name).cloned().unwrap_or(ManifestValue::Undef);
    between(&get("min"), &get("max"), &get("exclude_max"))
}

fn binary(text: &str, format: &str) -> Answer {
    let invalid = || EvaluationFailure::new("The given string in 'value' is not a valid Base64 encoded string");
    let bytes = match format {
        "%b" => {
            let clean: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            let padded = format!("{clean}{}", "=".repeat((4 - clean.len() % 4) % 4));
            base64_text::decode(&padded).ok_or_else(|| EvaluationFailure::unsupported("Base64 with other characters"))?
        }
        "%u" => base64_text::decode_url(text).ok_or_else(|| EvaluationFailure::new("invalid base64"))?,
        "%B" => base64_text::decode(text).ok_or_else(|| EvaluationFailure::new("invalid base64"))?,
        "%s" | "%r" => text.as_bytes().to_vec(),
        _ => return Err(invalid()),
    };
    Ok(ManifestValue::Binary(Arc::new(bytes)))
}

fn binary_text(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let format = arguments.get(1).and_then(ManifestValue::as_str).unwrap_or("%B");
    binary(argument(arguments, 0).as_str().unwrap_or_default(), format)
}

fn bytes_of(values: &[ManifestValue]) -> ManifestValue {
    let byte = |value: &ManifestValue| if let ManifestValue::Integer(number) = value { u8::try_from(*number).ok() } else { None };
    ManifestValue::Binary(Arc::new(values.iter().filter_map(byte).collect()))
}

fn binary_bytes(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    Ok(bytes_of(argument(arguments, 0).as_array().unwrap_or_default()))
}

fn binary_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let hash = argument(arguments, 0);
    match hash.get("value") {
        Some(ManifestValue::Array(values)) => Ok(bytes_of(values)),
        Some(ManifestValue::String(text)) => binary(text, hash.get("format").and_then(ManifestValue::as_str).unwrap_or("%B")),
        _ => Ok(ManifestValue::Undef),
    }
}

fn uri(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    if text.contains(char::is_whitespace) {
        return Err(EvaluationFailure::new(format!("bad URI(is not URI?): {}", crate::compile::text::inspect::quoted(text))));
    }
    Ok(ManifestValue::Uri(text.into()))
}

fn uri_hash(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let hash = argument(arguments, 0);
    let get = |name: &str| hash.get(name).map(crate::compile::text::display);
    let mut text = String::new();
    if let Some(scheme) = get("scheme") {
        text.push_str(&format!("{scheme}:"));
    }
    if let Some(host) = get("host") {
        text.push_str("//");
        if let Some(user) = get("userinfo") {
            text.push_str(&format!("{user}@"));
        }
        text.push_str(&host);
        if let Some(port) = get("port") {
            text.push_str(&format!(":{port}"));
        }
    }
    text.push_str(&get("path").or_else(|| get("opaque")).unwrap_or_default());
    for (name, mark) in [("query", '?'), ("fragment", '#')] {
        if let Some(part) = get(name) {
            text.push_str(&format!("{mark}{part}"));
        }
    }
    Ok(ManifestValue::Uri(text.into()))
}

fn sensitive(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let value = argument(arguments, 0);
    Ok(if matches!(value, ManifestValue::Sensitive(_)) { value.clone() } else { ManifestValue::Sensitive(Arc::new(value.clone())) })
}

fn regexp(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    if *argument(arguments, 1) == ManifestValue::Boolean(true) {
        let escaped: String = text.chars().flat_map(|c| escape(c).chars().collect::<Vec<_>>()).collect();
        return Ok(ManifestValue::Regexp(ValuePattern::new(&escaped)?));
    }
    Ok(ManifestValue::Regexp(ValuePattern::new(text)?))
}

/// Returns a character as Ruby's `Regexp.escape` writes it.
fn escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '.' | '*' | '?' | '+' | '^' | '$' | '|' | '\\' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | ' ' | '#' => format!("\\{c}"),
        c => c.to_string(),
    }
}

fn type_text(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Lambda<'_>) -> Answer {
    let of = Type::parse(argument(arguments, 0).as_str().unwrap_or_default())?;
    match &of {
        Type::Resource(Some(name), None) if !context.evaluator.is_resource_type(name)? => {
            Err(EvaluationFailure::unsupported(format!("the type {of} in a string")))
        }
        _ => Ok(ManifestValue::of_type(of)),
    }
}

/// Creates an instance of an `Object` type from a hash or from the values of its attributes.
///
/// # Errors
/// Returns an error if the arguments do not fit the attributes.
pub fn object(of: &Arc<ObjectType>, arguments: &[ManifestValue]) -> Answer {
    let settable: Vec<&crate::compile::types::ObjectAttribute> = of.attributes.iter().filter(|a| !a.is_constant).collect();
    // Attributes with a default come after those without.
    let mut ordered: Vec<&crate::compile::types::ObjectAttribute> = settable.iter().copied().filter(|a| a.value.is_none()).collect();
    ordered.extend(settable.iter().copied().filter(|a| a.value.is_some()));
    let hash_type = hash_type(&ordered);
    let least = i64::try_from(ordered.iter().filter(|a| a.value.is_none()).count()).unwrap_or(0);
    let most = i64::try_from(ordered.len()).ok();
    let positional = Callable::new(ordered.iter().map(|a| a.of.clone()).collect(), least, most, None);
    let by_name = match arguments {
        [ManifestValue::Hash(map)] if hash_type.is_instance(argument(arguments, 0)) => Some(map.clone()),
        _ => None,
    };
    let fits = positional.arity().contains_size(arguments.len())
        && arguments.iter().zip(&ordered).all(|(value, attribute)| attribute.of.is_instance(value));
    if by_name.is_none() && !fits {
        let hash_signature = Callable::new(vec![hash_type], 1, Some(1), None);
        let names: Vec<String> = ordered.iter().map(|a| a.name.to_string()).collect();
        let signatures = [
            NamedSignature { callable: &hash_signature, names: &["hash".to_owned()], block_name: "" },
            NamedSignature { callable: &positional, names: &names, block_name: "" },
        ];
        let types: Vec<Type> = arguments.iter().map(infer_exact).collect();
        return Err(EvaluationFailure::new(describe_signatures(Some(&format!("new_{}", of.name)), &signatures, &types, None)));
    }
    let mut attributes: IndexMap<EcoString, ManifestValue> = IndexMap::new();
    for (index, attribute) in ordered.iter().enumerate() {
        let given = match &by_name {
            Some(map) => map.get(&ManifestValue::String(attribute.name.clone())).cloned(),
            None => arguments.get(index).cloned(),
        };
        let Some(value) = given.or_else(|| attribute.value.clone()) else { continue };
        if !attribute.of.is_instance(&value) {
            let name = format!("{}.new() {}", of.name, attribute.name);
            return Err(EvaluationFailure::new(describe_mismatch(&name, &attribute.of, &infer_exact(&value))));
        }
        attributes.insert(attribute.name.clone(), value);
    }
    Ok(ManifestValue::Object(Arc::new(ObjectInstance { object_type: of.clone(), attributes })))
}

/// Returns the type of hashes with the attributes.
fn hash_type(attributes: &[&crate::compile::types::ObjectAttribute]) -> Type {
    let member = |attribute: &&crate::compile::types::ObjectAttribute| crate::compile::types::StructMember {
        name: attribute.name.clone(),
        form: if attribute.value.is_some() { crate::compile::types::KeyForm::Optional } else { crate::compile::types::KeyForm::Plain },
        value: attribute.of.clone(),
    };
    Type::Struct(Arc::new(attributes.iter().map(member).collect()))
}
