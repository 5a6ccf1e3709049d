//! The names of values and types in messages.

use crate::compile::types::Type;
use crate::compile::value::ManifestValue;

/// Returns the name of the kind of a value: `Integer`, `Undef Value`, `Integer[1]-Type`.
pub fn label(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Undef => "Undef Value".to_owned(),
        // Puppet represents it as a Symbol.
        ManifestValue::Default
        | ManifestValue::Uri(_)
        | ManifestValue::Object(_)
        | ManifestValue::Iterator(_)
        | ManifestValue::Lambda(_) => "Object".to_owned(),
        ManifestValue::Boolean(_) => "Boolean".to_owned(),
        ManifestValue::Integer(_) => "Integer".to_owned(),
        ManifestValue::Float(_) => "Float".to_owned(),
        ManifestValue::String(_) => "String".to_owned(),
        ManifestValue::Regexp(_) => "Regexp".to_owned(),
        ManifestValue::Array(_) => "Array".to_owned(),
        ManifestValue::Hash(_) => "Hash".to_owned(),
        ManifestValue::Sensitive(_) => "Sensitive".to_owned(),
        ManifestValue::Binary(_) => "Binary".to_owned(),
        ManifestValue::Timestamp(_) => "Timestamp".to_owned(),
        ManifestValue::Timespan(_) => "Timespan".to_owned(),
        ManifestValue::SemVer(_) => "Semver".to_owned(),
        ManifestValue::SemVerRange(_) => "SemverRange".to_owned(),
        ManifestValue::Type(of) => type_label(of),
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
pub fn ruby_class(value: &ManifestValue) -> &'static str {
    match value {
        ManifestValue::Undef => "NilClass",
        ManifestValue::Default => "Symbol",
        ManifestValue::Boolean(true) => "TrueClass",
        ManifestValue::Boolean(false) => "FalseClass",
        ManifestValue::Integer(_) => "Integer",
        ManifestValue::Float(_) => "Float",
        ManifestValue::String(_) => "String",
        ManifestValue::Regexp(_) => "Regexp",
        ManifestValue::Array(_) => "Array",
        ManifestValue::Hash(_) => "Hash",
        ManifestValue::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        ManifestValue::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        ManifestValue::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        ManifestValue::Timespan(_) => "Puppet::Pops::Time::Timespan",
        ManifestValue::SemVer(_) => "SemanticPuppet::Version",
        ManifestValue::SemVerRange(_) => "SemanticPuppet::VersionRange",
        ManifestValue::Uri(text) if text.starts_with("http:") => "URI::HTTP",
        ManifestValue::Uri(text) if text.starts_with("https:") => "URI::HTTPS",
        ManifestValue::Uri(_) => "URI::Generic",
        ManifestValue::Type(of) => type_class(of),
        ManifestValue::Object(_) => "Object",
        ManifestValue::Iterator(_) => "Puppet::Pops::Types::Iterator",
        ManifestValue::Lambda(_) => "Puppet::Pops::Evaluator::PuppetProc",
    }
}

fn type_class(of: &Type) -> &'static str {
    macro_rules! class {
        ($($pattern:pat => $name:literal),* $(,)?) => {
            match of { $($pattern => concat!("Puppet::Pops::Types::P", $name, "Type")),* }
        };
    }
    class! {
        Type::Any => "Any",
        Type::Undef => "Undef",
        Type::Default => "Default",
        Type::Unit => "Unit",
        Type::Scalar => "Scalar",
        Type::ScalarData => "ScalarData",
        Type::Data | Type::RichData | Type::Alias(_) => "TypeAlias",
        Type::Numeric => "Numeric",
        Type::CatalogEntry => "CatalogEntry",
        Type::Binary => "Binary",
        Type::SemVerRange => "SemVerRange",
        Type::Boolean(_) => "Boolean",
        Type::Integer(_) => "Integer",
        Type::Float(_) => "Float",
        Type::Timestamp(_) => "Timestamp",
        Type::Timespan(_) => "Timespan",
        Type::String(_) | Type::Literal(_) => "String",
        Type::Enum(_) => "Enum",
        Type::Pattern(_) => "Pattern",
        Type::Regexp(_) => "Regexp",
        Type::SemVer(_) => "SemVer",
        Type::Uri(_) => "URI",
        Type::Collection(_) => "Collection",
        Type::Array(..) => "Array",
        Type::Hash(..) => "Hash",
        Type::Tuple(_) => "Tuple",
        Type::Struct(_) => "Struct",
        Type::Variant(_) => "Variant",
        Type::Optional(_) => "Optional",
        Type::NotUndef(_) => "NotUndef",
        Type::Iterable(_) => "Iterable",
        Type::Iterator(_) => "Iterator",
        Type::Sensitive(_) => "Sensitive",
        Type::Type(_) => "Type",
        Type::Callable(_) => "Callable",
        Type::Class(_) => "Class",
        Type::Resource(..) => "Resource",
        Type::Runtime(..) => "Runtime",
        Type::Init(..) => "Init",
        Type::Object(_) => "Object",
        Type::TypeSet => "TypeSet",
        Type::TypeAlias => "TypeAlias",
        Type::Reference(_) => "TypeReference",
    }
}
