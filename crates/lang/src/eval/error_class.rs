//! The classes of failures, which `try … else "Class"` selects by: those of the errors that Ruby raises in such a place.

use super::call::{BuiltinCall, Eval};
use super::scope::Failure;
use crate::diagnostics::Code;
use crate::source::Span;
use crate::types::builtin::Function;
use crate::value::{EcoString, Value};

/// The class of a `fail` that names none: that of `fail` in Puppet's types.
pub(super) const OF_FAIL: &str = "Puppet::Error";

/// Classes of errors of Ruby and Puppet with the class that each builds upon.
const PARENTS: &[(&str, &str)] = &[
    ("ArgumentError", "StandardError"),
    ("Date::Error", "ArgumentError"),
    ("EOFError", "IOError"),
    ("EncodingError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("FrozenError", "RuntimeError"),
    ("IOError", "StandardError"),
    ("IPAddr::AddressFamilyError", "IPAddr::Error"),
    ("IPAddr::Error", "ArgumentError"),
    ("IPAddr::InvalidAddressError", "IPAddr::Error"),
    ("IPAddr::InvalidPrefixError", "IPAddr::InvalidAddressError"),
    ("IndexError", "StandardError"),
    ("JSON::JSONError", "StandardError"),
    ("JSON::ParserError", "JSON::JSONError"),
    ("KeyError", "IndexError"),
    ("Math::DomainError", "ArgumentError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("Psych::Exception", "RuntimeError"),
    ("Psych::SyntaxError", "Psych::Exception"),
    ("Puppet::DevError", "Puppet::Error"),
    ("Puppet::Error", "RuntimeError"),
    ("Puppet::ExecutionFailure", "Puppet::Error"),
    ("Puppet::ParseError", "Puppet::Error"),
    ("Puppet::ResourceError", "Puppet::Error"),
    ("RangeError", "StandardError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("SocketError", "StandardError"),
    ("StandardError", "Exception"),
    ("StopIteration", "IndexError"),
    ("SystemCallError", "StandardError"),
    ("Timeout::Error", "RuntimeError"),
    ("TypeError", "StandardError"),
    ("URI::Error", "StandardError"),
    ("URI::InvalidComponentError", "URI::Error"),
    ("URI::InvalidURIError", "URI::Error"),
    ("ZeroDivisionError", "StandardError"),
];

/// Returns the classes of errors that are known, for hints.
pub fn known() -> impl Iterator<Item = &'static str> {
    PARENTS.iter().map(|(class, _)| *class)
}

/// Returns whether an error of a class is one of another class, which it is or builds upon. Other classes build upon `StandardError`.
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

/// Returns whether a `try` with these classes handles a failure. Fails if that is not known.
pub(super) fn handles(errors: &[EcoString], failure: &Failure, span: Span) -> Eval<bool> {
    if errors.is_empty() || errors.iter().any(|wanted| is_a("StandardError", wanted)) {
        return Ok(true);
    }
    match &failure.class {
        Some(class) => Ok(errors.iter().any(|wanted| is_a(class, wanted))),
        None => {
            let classes: Vec<String> = errors.iter().map(|class| format!("`{class}`")).collect();
            let why = format!("whether this is handled as {} is not known: {}", classes.join(" or "), failure.message);
            Err(Failure::untranslated(span, why).into())
        }
    }
}

/// Functions with the class of their failures, for a text and for another value. Ruby has other names for some: `ip` is `IPAddr.new`,
/// `uri` is `URI.parse`, `re` is `Regexp.new`.
const OF_FUNCTIONS: &[(&str, &str, &str)] = &[
    ("Integer", "ArgumentError", "TypeError"),
    ("Float", "ArgumentError", "TypeError"),
    ("ip", "IPAddr::InvalidAddressError", "IPAddr::AddressFamilyError"),
    ("uri", "URI::InvalidURIError", "URI::InvalidURIError"),
    ("parse_json", "JSON::ParserError", "TypeError"),
    ("parse_yaml", "Psych::SyntaxError", "TypeError"),
    ("re", "RegexpError", "TypeError"),
    ("format", "ArgumentError", "TypeError"),
];

/// Returns the class of a failure of a built-in function, method or operator because of its arguments, if known.
/// `tests/methods` has those of methods and operators.
pub(super) fn of_call(call: &BuiltinCall<'_>, code: Code) -> Option<EcoString> {
    let of_function = OF_FUNCTIONS.iter().find(|(name, ..)| *name == call.name);
    let class = match (of_function, call.name) {
        (Some((_, of_text, of_other)), _) => match call.args.first() {
            Some(Value::Str(_)) => of_text,
            _ => of_other,
        },
        (None, "<" | "<=" | ">" | ">=" | "between?" | "clamp" | "upto" | "downto" | "sort" | "min" | "max" | "minmax") => "ArgumentError",
        (None, name) if code == Code::WrongReceiver && Function::named(name).is_none() => "TypeError",
        _ => return None,
    };
    Some(class.into())
}
