//! The names of values and types in messages.

use crate::compile::types::Type;
use crate::compile::value::Value;

/// Returns the name of the kind of a value: `Integer`, `Undef Value`, `Integer[1]-Type`.
pub fn label(value: &Value) -> String {
    match value {
        Value::Undef => "Undef Value".to_owned(),
        // A Symbol in Puppet, which has no name of its own.
        Value::Default | Value::Uri(_) | Value::Object(_) | Value::Iterator(_) | Value::Lambda(_) => "Object".to_owned(),
        Value::Boolean(_) => "Boolean".to_owned(),
        Value::Integer(_) => "Integer".to_owned(),
        Value::Float(_) => "Float".to_owned(),
        Value::String(_) => "String".to_owned(),
        Value::Regexp(_) => "Regexp".to_owned(),
        Value::Array(_) => "Array".to_owned(),
        Value::Hash(_) => "Hash".to_owned(),
        Value::Sensitive(_) => "Sensitive".to_owned(),
        Value::Binary(_) => "Binary".to_owned(),
        Value::Timestamp(_) => "Timestamp".to_owned(),
        Value::Timespan(_) => "Timespan".to_owned(),
        Value::SemVer(_) => "Semver".to_owned(),
        Value::SemVerRange(_) => "SemverRange".to_owned(),
        Value::Type(of) => type_label(of),
    }
}

/// Returns the name of a type in messages: `Integer[1]-Type`, `File['/x'] Resource-Reference`.
pub fn type_label(of: &Type) -> String {
    match of {
        Type::Resource(_, Some(_)) => format!("{of} Resource-Reference"),
        _ => format!("{of}-Type"),
    }
}

/// Returns a text with its article: `an Integer`.
pub fn with_article(text: &str) -> String {
    format!("{} {text}", article(text))
}

/// Returns a text with its article in upper case: `An Integer`.
pub fn with_capital_article(text: &str) -> String {
    let article = if article(text) == "an" { "An" } else { "A" };
    format!("{article} {text}")
}

/// Returns `a` or `an`.
pub fn article(text: &str) -> &'static str {
    let first = text.chars().find(|c| !matches!(c, '\'' | '"' | '[' | '$'));
    if first.is_some_and(|c| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y')) { "an" } else { "a" }
}

/// Returns the name of a value's class in Ruby.
pub fn ruby_class(value: &Value) -> &'static str {
    match value {
        Value::Undef => "NilClass",
        Value::Default => "Symbol",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Regexp(_) => "Regexp",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Value::SemVer(_) => "SemanticPuppet::Version",
        Value::SemVerRange(_) => "SemanticPuppet::VersionRange",
        Value::Uri(text) if text.starts_with("http:") => "URI::HTTP",
        Value::Uri(text) if text.starts_with("https:") => "URI::HTTPS",
        Value::Uri(_) => "URI::Generic",
        Value::Type(of) => type_class(of),
        Value::Object(_) => "Object",
        Value::Iterator(_) => "Puppet::Pops::Types::Iterator",
        Value::Lambda(_) => "Puppet::Pops::Evaluator::PuppetProc",
    }
}

fn type_class(of: &Type) -> &'static str {
    match of {
        Type::Any => "Puppet::Pops::Types::PAnyType",
        Type::Undef => "Puppet::Pops::Types::PUndefType",
        Type::Default => "Puppet::Pops::Types::PDefaultType",
        Type::Integer(_) => "Puppet::Pops::Types::PIntegerType",
        Type::Float(_) => "Puppet::Pops::Types::PFloatType",
        Type::Numeric => "Puppet::Pops::Types::PNumericType",
        Type::String(_) | Type::Literal(_) => "Puppet::Pops::Types::PStringType",
        Type::Boolean(_) => "Puppet::Pops::Types::PBooleanType",
        Type::Resource(..) => "Puppet::Pops::Types::PResourceType",
        Type::Class(_) => "Puppet::Pops::Types::PClassType",
        Type::Array(..) => "Puppet::Pops::Types::PArrayType",
        Type::Hash(..) => "Puppet::Pops::Types::PHashType",
        _ => "Puppet::Pops::Types::PAnyType",
    }
}
