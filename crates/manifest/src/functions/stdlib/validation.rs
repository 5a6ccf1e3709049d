//! Functions that fail for values of the wrong kind: `validate_…`.

use super::checks;
use super::deprecation::deprecate;
use super::network::{Address, is_email_address, is_host_name};
use super::paths::is_absolute;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{FunctionRow, Signature};
use crate::compile::logs::Level;
use crate::compile::types::{Type, describe_mismatch, infer_exact};
use crate::compile::value::ManifestValue;
use crate::functions::patterns::compile;
use crate::functions::refused::refuse;
use crate::functions::ruby::{class_name, flatten, inspect, integer, to_s};
use crate::functions::sprintf;
use crate::functions::{Block, Evaluated, argument, signature, statement, text, type_error, typed};
use rtype_lang::value::Flags;

const DEPRECATED: [Signature; 1] = [signature("(Any *$args)", deprecated)];

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    statement("validate_augeas", -1, refuse),
    statement("validate_cmd", -1, refuse),
    statement("validate_domain_name", -1, plain),
    statement("validate_email_address", -1, plain),
    statement("validate_x509_rsa_key_pair", -1, refuse),
    typed("validate_absolute_path", &DEPRECATED),
    typed("validate_array", &DEPRECATED),
    typed("validate_bool", &DEPRECATED),
    typed("validate_hash", &DEPRECATED),
    typed("validate_integer", &DEPRECATED),
    typed("validate_ip_address", &DEPRECATED),
    typed("validate_ipv4_address", &DEPRECATED),
    typed("validate_ipv6_address", &DEPRECATED),
    typed("validate_numeric", &DEPRECATED),
    typed("validate_re", &DEPRECATED),
    typed("validate_slength", &DEPRECATED),
    typed("validate_string", &DEPRECATED),
    // The functions of the 4.x API get the scope as their first argument, which Puppet counts in messages.
    typed(
        "validate_legacy",
        &[
            signature("(Type $target_type, String $function_name, Any $value, Any *$args)", validate_legacy),
            signature("(String $type_string, String $function_name, Any $value, Any *$args)", validate_legacy),
            signature("(Any *$args)", too_few_arguments),
        ],
    ),
];

/// A validation of all arguments.
type Validation = fn(&mut CallContext<'_>, &[ManifestValue]) -> Result<(), EvaluationFailure>;

/// The validations, with the type that replaces a deprecated function.
const VALIDATIONS: &[(&str, &str, Validation)] = &[
    ("validate_absolute_path", "Stdlib::Compat::Absolute_Path", absolute_path),
    ("validate_array", "Stdlib::Compat::Array", array),
    ("validate_bool", "Stdlib::Compat::Bool", boolean),
    ("validate_domain_name", "", domain_name),
    ("validate_email_address", "", email_address),
    ("validate_hash", "Stdlib::Compat::Hash", hash),
    ("validate_integer", "Stdlib::Compat::Integer", integer_range),
    ("validate_ip_address", "Stdlib::Compat::Ip_Address", ip_address),
    ("validate_ipv4_address", "Stdlib::Compat::Ipv4_Address", ipv4_address),
    ("validate_ipv6_address", "Stdlib::Compat::Ipv6_address", ipv6_address),
    ("validate_numeric", "Stdlib::Compat::Numeric", numeric_range),
    ("validate_re", "Pattern[]", regex),
    ("validate_slength", "String[]", string_length),
    ("validate_string", "Stdlib::Compat::String", string),
];

/// Applies a validation.
fn validate(context: &mut CallContext<'_>, name: &str, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    match VALIDATIONS.iter().find(|(validation, ..)| *validation == name) {
        Some((_, _, validation)) => validation(context, arguments),
        None => Err(EvaluationFailure::unsupported(format!("the function `{name}`"))),
    }
}

fn plain(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    validate(context, &name, arguments).map(|()| ManifestValue::Undef)
}

fn deprecated(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name().to_owned();
    let replacement = VALIDATIONS.iter().find(|(validation, ..)| *validation == name).map_or("", |(_, replacement, _)| replacement);
    let message = format!(
        "This method is deprecated, please use the stdlib validate_legacy function,\n                    with {replacement}. There is \
         further documentation for validate_legacy function in the README."
    );
    deprecate(context, &name, &message)?;
    validate(context, &name, arguments).map(|()| ManifestValue::Undef)
}

fn needs_arguments(context: &CallContext<'_>, name: &str, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    let _ = context;
    if arguments.is_empty() {
        return Err(EvaluationFailure::new(format!("{name}(): wrong number of arguments (0; must be > 0)")));
    }
    Ok(())
}

/// Returns the error about the kind of a value.
fn wrong_kind(value: &ManifestValue, kind: &str) -> EvaluationFailure {
    EvaluationFailure::new(format!("{} is not {kind}.  It looks to be a {}", inspect(value), class_name(value)))
}

fn absolute_path(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_absolute_path", arguments)?;
    for argument in arguments {
        let candidates = argument.as_array().unwrap_or(std::slice::from_ref(argument));
        for path in candidates {
            if !is_absolute(context, path)? {
                return Err(EvaluationFailure::new(format!("{} is not an absolute path.", inspect(path))));
            }
        }
    }
    Ok(())
}

fn each_is(arguments: &[ManifestValue], kind: &str, is_right: fn(&ManifestValue) -> bool) -> Result<(), EvaluationFailure> {
    arguments.iter().find(|value| !is_right(value)).map_or(Ok(()), |value| Err(wrong_kind(value, kind)))
}

fn array(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_array", arguments)?;
    each_is(arguments, "an Array", |value| matches!(value, ManifestValue::Array(_)))
}

fn boolean(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_bool", arguments)?;
    each_is(arguments, "a boolean", |value| matches!(value, ManifestValue::Boolean(_)))
}

fn hash(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_hash", arguments)?;
    each_is(arguments, "a Hash", |value| matches!(value, ManifestValue::Hash(_)))
}

fn string(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_string", arguments)?;
    each_is(arguments, "a string", |value| matches!(value, ManifestValue::String(_) | ManifestValue::Undef))
}

/// Tests each argument, which must be a string.
fn each_string(arguments: &[ManifestValue], complaint: &str, is_right: fn(&str) -> bool) -> Result<(), EvaluationFailure> {
    for value in arguments {
        let ManifestValue::String(text) = value else { return Err(EvaluationFailure::new(format!("{} is not a string.", inspect(value)))) };
        if !is_right(text) {
            return Err(EvaluationFailure::new(format!("{} is not {complaint}", inspect(value))));
        }
    }
    Ok(())
}

fn domain_name(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_domain_name", arguments)?;
    each_string(arguments, "a syntactically correct domain name", is_host_name)
}

fn email_address(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_email_address", arguments)?;
    each_string(arguments, "a valid email address", is_email_address)
}

fn ip_address(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_ip_address", arguments)?;
    each_string(arguments, "a valid IP address.", |text| Address::parse(text).is_ok())
}

fn ipv4_address(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_ipv4_address", arguments)?;
    each_string(arguments, "a valid IPv4 address.", |text| Address::parse(text).is_ok_and(|address| address.is_v4()))
}

fn ipv6_address(context: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    needs_arguments(context, "validate_ipv6_address", arguments)?;
    each_string(arguments, "a valid IPv6 address.", |text| Address::parse(text).is_ok_and(|address| !address.is_v4()))
}

/// A kind of number, with its names in messages.
struct NumberKind {
    function: &'static str,
    name: &'static str,
    article: &'static str,
    /// Reads a number; the result keeps the text that Ruby prints.
    read: fn(&str) -> Result<f64, EvaluationFailure>,
    show: fn(f64) -> String,
}

const INTEGERS: NumberKind = NumberKind {
    function: "validate_integer",
    name: "Integer",
    article: "an",
    read: |text| integer(text).map(|number| number as f64),
    show: |number| format!("{number:.0}"),
};

const NUMBERS: NumberKind = NumberKind {
    function: "validate_numeric",
    name: "Numeric",
    article: "a",
    read: |text| crate::functions::ruby::float(text),
    show: |number| to_s(&ManifestValue::Float(number)),
};

fn integer_range(_: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    number_range(&INTEGERS, arguments)
}

fn numeric_range(_: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    number_range(&NUMBERS, arguments)
}

fn number_range(kind: &NumberKind, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    let (function, name, article) = (kind.function, kind.name, kind.article);
    if arguments.is_empty() || arguments.len() > 3 {
        let given = arguments.len();
        return Err(EvaluationFailure::new(format!("{function}(): Wrong number of arguments; must be 1, 2 or 3, got {given}")));
    }
    let bound = |at: usize, place: &str| -> Result<Option<f64>, EvaluationFailure> {
        let Some(value) = arguments.get(at) else { return Ok(None) };
        let shown = to_s(value);
        if at == 1 && arguments.len() > 2 && shown.is_empty() {
            return Ok(None);
        }
        let class = if at == 1 { "String".to_owned() } else { class_name(value) };
        let wrong = |_| {
            EvaluationFailure::new(format!("{function}(): Expected {place} argument to be unset or {article} {name}, got {shown}:{class}"))
        };
        (kind.read)(&shown).map(Some).map_err(wrong)
    };
    let (max, min) = (bound(1, "second")?, bound(2, "third")?);
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        let (max, min) = ((kind.show)(max), (kind.show)(min));
        let expected = "Expected second argument to be larger than third argument";
        return Err(EvaluationFailure::new(format!("{function}(): {expected}, got {max} < {min}")));
    }
    let input = argument(arguments, 0);
    let within = |number: f64, shown: &str| -> Result<(), EvaluationFailure> {
        let outside = |word: &str, bound: f64| {
            let bound = (kind.show)(bound);
            EvaluationFailure::new(format!("{function}(): Expected {shown} to be {word} or equal to {bound}, got {shown}."))
        };
        match (max, min) {
            (Some(max), _) if number > max => Err(outside("smaller", max)),
            (_, Some(min)) if number < min => Err(outside("greater", min)),
            _ => Ok(()),
        }
    };
    match input {
        ManifestValue::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                let number = match element {
                    ManifestValue::Hash(_) => None,
                    other => (kind.read)(&to_s(other)).ok(),
                };
                let wrong = || {
                    let class = class_name(element);
                    EvaluationFailure::new(format!(
                        "{function}(): Expected element at array position {at} to be {article} {name}, got {class}"
                    ))
                };
                within(number.ok_or_else(wrong)?, &inspect(input))?;
            }
            Ok(())
        }
        ManifestValue::Hash(_) => {
            Err(EvaluationFailure::new(format!("validate_integer(): Expected first argument to be {article} {name} or Array, got Hash")))
        }
        other => {
            let wrong = |_| {
                let class = class_name(other);
                EvaluationFailure::new(format!("{function}(): Expected first argument to be {article} {name} or Array, got {class}"))
            };
            let number = (kind.read)(&to_s(other)).map_err(wrong)?;
            within(number, &(kind.show)(number))
        }
    }
}

fn regex(_: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    if !matches!(arguments.len(), 2 | 3) {
        let given = arguments.len();
        return Err(EvaluationFailure::new(format!("validate_re(): wrong number of arguments ({given}; must be 2 or 3)")));
    }
    let (input, patterns) = (argument(arguments, 0), argument(arguments, 1));
    let ManifestValue::String(text) = input else {
        return Err(EvaluationFailure::new(format!("validate_re(): input needs to be a String, not a {}", class_name(input))));
    };
    for pattern in flatten(std::slice::from_ref(patterns)) {
        let regex = match &pattern {
            ManifestValue::String(source) => compile(source, Flags::default())?,
            ManifestValue::Regexp(pattern) => compile(&pattern.source, Flags::default())?,
            other => return Err(type_error(other, "String")),
        };
        if regex.is_match(text) {
            return Ok(());
        }
    }
    let message = match arguments.get(2).filter(|message| message.is_true()) {
        Some(message) => to_s(message),
        None => format!("validate_re(): {} does not match {}", inspect(input), inspect(patterns)),
    };
    Err(EvaluationFailure::new(message))
}

fn string_length(_: &mut CallContext<'_>, arguments: &[ManifestValue]) -> Result<(), EvaluationFailure> {
    let failed = |text: String| Err(EvaluationFailure::new(format!("validate_slength(): {text}")));
    if !matches!(arguments.len(), 2 | 3) {
        return failed(format!("Wrong number of arguments ({}; must be 2 or 3)", arguments.len()));
    }
    let shown = |value: &ManifestValue| format!("{}:{}", to_s(value), class_name(value));
    let (input, most, least) = (argument(arguments, 0), argument(arguments, 1), argument(arguments, 2));
    let max = match sprintf::integer(most) {
        Ok(max) if max > 0 => max,
        Ok(max) => return failed(format!("Expected second argument to be a positive Numeric, got {max}:Integer")),
        Err(_) => return failed(format!("Expected second argument to be a positive Numeric, got {}", shown(most))),
    };
    let expected = "Expected third argument to be unset or a positive Numeric";
    let min = match least.is_true().then(|| sprintf::integer(least)) {
        None => 0,
        Some(Ok(min)) if min >= 0 => min,
        Some(Ok(min)) => return failed(format!("{expected}, got {min}:Integer")),
        Some(Err(_)) => return failed(format!("{expected}, got {}", shown(least))),
    };
    if max < min {
        return failed("Expected second argument to be equal to or larger than third argument".to_owned());
    }
    let length = |text: &str| i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let within = |text: &str| (min..=max).contains(&length(text));
    let outside = |was: i64| failed(format!("Expected length of {} to be between {min} and {max}, was {was}", inspect(input)));
    match input {
        ManifestValue::String(text) if within(text) => Ok(()),
        ManifestValue::String(text) => outside(length(text)),
        ManifestValue::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                match element {
                    ManifestValue::String(text) if within(text) => {}
                    ManifestValue::String(_) => return outside(i64::try_from(elements.len()).unwrap_or(i64::MAX)),
                    other => {
                        let class = class_name(other);
                        return failed(format!("Expected element at array position {at} to be a String, got {class}"));
                    }
                }
            }
            Ok(())
        }
        other => failed(format!("Expected first argument to be a String or Array, got {}", class_name(other))),
    }
}

/// Applies the validation or the test of the 3.x API with a name; returns whether it accepts the arguments.
fn accepts(context: &mut CallContext<'_>, name: &str, arguments: &[ManifestValue]) -> Result<bool, EvaluationFailure> {
    let outcome = match VALIDATIONS.iter().any(|(validation, ..)| *validation == name) {
        true => validate(context, name, arguments),
        false => checks::apply(context, name, arguments).map(|_| ()),
    };
    match outcome {
        Ok(()) => Ok(true),
        Err(failure) if failure.is_error() => Ok(false),
        Err(failure) => Err(failure),
    }
}

/// Reports too few arguments; Puppet counts the scope as an argument.
fn too_few_arguments(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    if arguments.len() < 3 {
        return Err(EvaluationFailure::new(format!("'validate_legacy' expects at least 4 arguments, got {}", arguments.len() + 1)));
    }
    Err(EvaluationFailure::unsupported("arguments of `validate_legacy` that are neither types nor names"))
}

fn validate_legacy(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let of = match argument(arguments, 0) {
        ManifestValue::Type(of) => (**of).clone(),
        other => match Type::parse(other.as_str().unwrap_or_default())? {
            Type::Resource(..) | Type::Reference(_) | Type::Alias(_) => {
                return Err(EvaluationFailure::unsupported("names of types in strings as arguments of `validate_legacy`"));
            }
            of => of,
        },
    };
    let (name, value) = (text(arguments, 1), argument(arguments, 2));
    let is_accepted = accepts(context, name, arguments.get(2..).unwrap_or_default())?;
    match (of.is_instance(value), is_accepted) {
        (true, true) => {}
        (true, false) => {
            context.log(Level::Notice, format!("Accepting previously invalid value for target type '{of}'"));
        }
        (false, is_accepted) => {
            let message = describe_mismatch(&format!("validate_legacy({name})"), &of, &infer_exact(value));
            if !is_accepted {
                return Err(EvaluationFailure::new(message));
            }
            deprecate(context, "validate_legacy", &message)?;
        }
    }
    Ok(ManifestValue::Undef)
}
