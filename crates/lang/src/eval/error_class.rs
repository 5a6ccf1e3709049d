//! The classes of failures, as selected by `try … else "Class"`. A failure has the class of the error that Ruby raises for the same
//! operation.

use super::call::{BuiltinCall, Eval};
use super::scope::Failure;
use crate::diagnostics::Code;
use crate::source::Span;
use crate::types::builtin::Function;
use crate::value::{EcoString, Value};

/// Error classes in Ruby and Puppet, each with its parent class. A parent comes before its children.
const PARENTS: &[(&str, &str)] = &[
    ("StandardError", "Exception"),
    ("ScriptError", "Exception"),
    ("LoadError", "ScriptError"),
    ("NotImplementedError", "ScriptError"),
    ("NoMemoryError", "Exception"),
    ("SecurityError", "Exception"),
    ("SignalException", "Exception"),
    ("Interrupt", "SignalException"),
    ("SystemExit", "Exception"),
    ("SystemStackError", "Exception"),
    ("ArgumentError", "StandardError"),
    ("Date::Error", "ArgumentError"),
    ("IPAddr::Error", "ArgumentError"),
    ("IPAddr::AddressFamilyError", "IPAddr::Error"),
    ("IPAddr::InvalidAddressError", "IPAddr::Error"),
    ("IPAddr::InvalidPrefixError", "IPAddr::InvalidAddressError"),
    ("Math::DomainError", "ArgumentError"),
    ("EncodingError", "StandardError"),
    ("IOError", "StandardError"),
    ("EOFError", "IOError"),
    ("IndexError", "StandardError"),
    ("KeyError", "IndexError"),
    ("StopIteration", "IndexError"),
    ("JSON::JSONError", "StandardError"),
    ("JSON::ParserError", "JSON::JSONError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("RangeError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("FrozenError", "RuntimeError"),
    ("Psych::Exception", "RuntimeError"),
    ("Psych::SyntaxError", "Psych::Exception"),
    ("Timeout::Error", "RuntimeError"),
    ("Puppet::Error", "RuntimeError"),
    ("Puppet::DevError", "Puppet::Error"),
    ("Puppet::ExecutionFailure", "Puppet::Error"),
    ("Puppet::MissingCommand", "Puppet::Error"),
    ("Puppet::ParseError", "Puppet::Error"),
    ("Puppet::ResourceError", "Puppet::Error"),
    ("SocketError", "StandardError"),
    ("SystemCallError", "StandardError"),
    ("TypeError", "StandardError"),
    ("URI::Error", "StandardError"),
    ("URI::InvalidComponentError", "URI::Error"),
    ("URI::InvalidURIError", "URI::Error"),
    ("ZeroDivisionError", "StandardError"),
];

/// Returns the error classes in Ruby and Puppet, each with its parent class. A parent comes before its children.
pub fn with_parents() -> impl Iterator<Item = (&'static str, &'static str)> {
    PARENTS.iter().copied()
}

/// Returns the known error classes, for hints.
pub fn known() -> impl Iterator<Item = &'static str> {
    PARENTS.iter().map(|(class, _)| *class)
}

/// Returns `true` if an error class is `wanted` or a descendant of `wanted`. Unknown classes descend from `StandardError`.
pub fn is_a(class: &str, wanted: &str) -> bool {
    let mut class = class;
    // The table has no cycles.
    while class != wanted {
        let parent = PARENTS.iter().find(|(of, _)| *of == class).map(|(_, parent)| *parent);
        class = match parent {
            Some(parent) => parent,
            None if class.starts_with("Errno::") => "SystemCallError",
            None if class != "Exception" => "StandardError",
            None => return false,
        };
    }
    true
}

/// Returns `true` if a `try` with these classes handles a failure. Without classes, the `try` handles `StandardError` and its
/// descendants. Fails if the failure's class is not known.
pub(super) fn handles(errors: &[EcoString], failure: &Failure, span: Span) -> Eval<bool> {
    let of_all = ["StandardError".into()];
    let wanted = if errors.is_empty() { &of_all } else { errors };
    match &failure.class {
        Some(class) => Ok(wanted.iter().any(|of| is_a(class, of))),
        // An error outside `StandardError` always has a known class.
        None if wanted.iter().any(|of| is_a("StandardError", of)) => Ok(true),
        None => {
            let classes: Vec<String> = errors.iter().map(|class| format!("`{class}`")).collect();
            let why = format!("whether this is handled as {} is not known: {}", classes.join(" or "), failure.message);
            Err(Failure::untranslated(span, why).into())
        }
    }
}

/// Returns the failure's class for a handler. Fails if the class is not known.
pub(super) fn of_failure(failure: &Failure, span: Span) -> Eval<&str> {
    let why = || Failure::untranslated(span, format!("the class of this failure is not known: {}", failure.message));
    failure.class.as_deref().ok_or_else(|| why().into())
}

/// Functions with the error class of their failures, for a string and for another value, if known. Ruby has other names for some
/// functions: `ip` is `IPAddr.new`, `uri` is `URI.parse` or `URI()`, `re` is `Regexp.new`.
const OF_FUNCTIONS: &[(&str, &str, Option<&str>)] = &[
    ("Integer", "ArgumentError", Some("TypeError")),
    ("Float", "ArgumentError", Some("TypeError")),
    ("ip", "IPAddr::InvalidAddressError", Some("IPAddr::AddressFamilyError")),
    ("uri", "URI::InvalidURIError", None),
    ("parse_json", "JSON::ParserError", Some("TypeError")),
    ("parse_yaml", "Psych::SyntaxError", Some("TypeError")),
    ("re", "RegexpError", Some("TypeError")),
    ("format", "ArgumentError", Some("TypeError")),
];

/// Returns the error class for a built-in function, method or operator that fails because of its arguments, if known. `tests/methods`
/// contains the classes for methods and operators.
pub(super) fn of_call(call: &BuiltinCall<'_>, code: Code) -> Option<EcoString> {
    let first = call.args.first();
    if let Some((_, of_text, of_other)) = OF_FUNCTIONS.iter().find(|(name, ..)| *name == call.name) {
        let is_text = matches!(first, Some(Value::Str(_)));
        return if is_text { Some((*of_text).into()) } else { of_other.map(EcoString::from) };
    }
    if let Some(class) = of_operator(call) {
        return class.map(EcoString::from);
    }
    let compares = ["between?", "clamp", "upto", "downto", "sort", "sort_by", "min", "min_by", "max", "max_by", "minmax"];
    let class = match call.name {
        name if compares.contains(&name) => "ArgumentError",
        name if code == Code::WrongReceiver && Function::named(name).is_none() => "TypeError",
        _ => return None,
    };
    Some(class.into())
}

/// Returns the error class for a failed operator, if known; `None` for other calls.
fn of_operator(call: &BuiltinCall<'_>) -> Option<Option<&'static str>> {
    let (left, right) = (call.args.first()?, call.args.get(1));
    let orders = matches!(call.name, "<" | "<=" | ">" | ">=");
    let matches = matches!(call.name, "=~" | "!~");
    if !orders && !matches && !matches!(call.name, "+" | "-" | "*" | "**" | "%" | "&") {
        return None;
    }
    let is_number = matches!(left, Value::Int(_) | Value::Float(_));
    // Values of other kinds have several classes in Ruby.
    let is_plain = matches!(left, Value::Nil | Value::Bool(_) | Value::Str(_) | Value::Sym(_) | Value::Array(_) | Value::Map(_));
    if !is_number && !is_plain {
        return Some(None);
    }
    let has_it = match call.name {
        "+" => is_number || matches!(left, Value::Str(_) | Value::Array(_)),
        "-" if right.is_none() => is_number || matches!(left, Value::Str(_)),
        "-" => is_number || matches!(left, Value::Array(_)),
        "*" => is_number || matches!(left, Value::Str(_) | Value::Array(_)),
        "**" => is_number,
        "%" => is_number || matches!(left, Value::Str(_)),
        "&" => matches!(left, Value::Int(_) | Value::Array(_) | Value::Nil | Value::Bool(_)),
        _ if orders => is_number || matches!(left, Value::Str(_) | Value::Sym(_) | Value::Map(_)),
        _ => true,
    };
    Some(match left {
        _ if !has_it => Some("NoMethodError"),
        // Maps have an order in Ruby.
        Value::Map(_) if orders => (!matches!(right, Some(Value::Map(_)))).then_some("TypeError"),
        _ if orders => Some("ArgumentError"),
        Value::Str(_) | Value::Sym(_) if matches => matches!(right, Some(Value::Str(_) | Value::Sym(_))).then_some("TypeError"),
        _ if matches => None,
        Value::Nil | Value::Bool(_) => None,
        _ => Some("TypeError"),
    })
}
