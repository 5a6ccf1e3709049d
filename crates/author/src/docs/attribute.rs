//! What an attribute says of itself.

use rtype_lang::types::{ArrayMatching, AttributeDef, Compare, Default, Matcher, NativeKind, Role, TypeDef};
use rtype_lang::value::{Comparison, REDACTED, Value, inspect};
use serde::Serialize;

/// Everything an attribute says of itself. The order of the fields is the order in JSON, and stays.
#[derive(Clone, Debug, Serialize)]
pub struct AttributeDoc {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: RoleDoc,
    /// Whether it is part of the identity, or may be filled by a title pattern.
    pub namevar: bool,
    /// What its author says of it.
    pub doc: String,
    /// Whether it must be given.
    pub required: bool,
    /// Whether its value is always redacted.
    pub sensitive: bool,
    /// Why it cannot be set.
    pub readonly: Option<String>,
    /// What to use instead.
    pub deprecated: Option<String>,
    /// What its values must be.
    pub data_type: Option<String>,
    /// The values that it may have; any when empty.
    pub values: Vec<ValueDoc>,
    /// Other names of them.
    pub aliases: Vec<AliasDoc>,
    /// What it is unless given.
    pub default: Option<DefaultDoc>,
    /// For properties: `first`, one of several wanted values is enough, or `all`, the list is wanted.
    pub array_matching: Option<&'static str>,
    /// For properties: how is and should are compared.
    pub compare: Option<&'static str>,
    /// The features without which it has no effect.
    pub required_features: Vec<String>,
}

/// What an attribute is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleDoc {
    /// Compared with the machine, and changed.
    Property,
    /// Tells how.
    Param,
    /// Every type has it.
    Metaparam,
}

/// An allowed value: one of `value` and `pattern` is set.
#[derive(Clone, Debug, Serialize)]
pub struct ValueDoc {
    /// This one.
    pub value: Option<String>,
    /// What matches this regex.
    pub pattern: Option<String>,
    /// The event of setting it.
    pub event: Option<String>,
    /// The features without which it is refused.
    pub required_features: Vec<String>,
}

/// Another name of an allowed value.
#[derive(Clone, Debug, Serialize)]
pub struct AliasDoc {
    /// The other name.
    pub name: String,
    /// What it stands for.
    pub value: String,
}

/// A default.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DefaultDoc {
    /// A value.
    Value {
        /// For programs.
        value: Value,
        /// As it would be written in a type file.
        text: String,
    },
    /// What a block gives, which may depend on the resource and the machine.
    Computed,
}

pub(super) fn all(type_def: &TypeDef) -> Vec<AttributeDoc> {
    let of = |role: Role| type_def.attributes.iter().filter(move |a| a.role == role);
    of(Role::Property).chain(of(Role::Param)).chain(of(Role::Metaparam)).map(one).collect()
}

fn one(attribute: &AttributeDef) -> AttributeDoc {
    let is_property = attribute.role == Role::Property;
    AttributeDoc {
        name: attribute.name.to_string(),
        role: match attribute.role {
            Role::Property => RoleDoc::Property,
            Role::Param => RoleDoc::Param,
            Role::Metaparam => RoleDoc::Metaparam,
        },
        namevar: attribute.namevar,
        doc: attribute.doc.clone(),
        required: attribute.required.is_some(),
        sensitive: attribute.sensitive,
        readonly: attribute.readonly.clone(),
        deprecated: attribute.deprecated.clone(),
        data_type: attribute.data_type.as_ref().map(ToString::to_string),
        values: attribute
            .values
            .values
            .iter()
            .map(|v| ValueDoc {
                value: if let Matcher::Literal(s) = &v.matcher { Some(s.to_string()) } else { None },
                pattern: if let Matcher::Regex(r) = &v.matcher { Some(r.to_string()) } else { None },
                event: v.event.as_ref().map(ToString::to_string),
                required_features: v.required_features.iter().map(ToString::to_string).collect(),
            })
            .collect(),
        aliases: attribute.values.aliases.iter().map(|a| AliasDoc { name: a.name.to_string(), value: a.target.to_string() }).collect(),
        default: attribute.default.as_ref().map(|default| match default {
            Default::Value(_, _) if attribute.sensitive => DefaultDoc::Value { value: Value::str(REDACTED), text: REDACTED.to_owned() },
            Default::Value(value, _) => DefaultDoc::Value { value: value.clone(), text: literal(value) },
            Default::Code(_) => DefaultDoc::Computed,
        }),
        array_matching: is_property.then_some(match attribute.array_matching {
            ArrayMatching::First => "first",
            ArrayMatching::All => "all",
        }),
        compare: is_property.then(|| comparison(attribute)),
        required_features: attribute.required_features.iter().map(ToString::to_string).collect(),
    }
}

/// How a property is compared, in one word.
pub fn comparison(attribute: &AttributeDef) -> &'static str {
    if attribute.insync.is_some() {
        return "insync block";
    }
    match (&attribute.native, &attribute.compare) {
        (Some(NativeKind::List { ordered: false, .. }), _) => "list",
        (Some(NativeKind::List { ordered: true, .. }), _) => "ordered list",
        (Some(NativeKind::KeyValue { .. }), _) => "keys and values",
        (Some(NativeKind::PackageOptions), _) => "options",
        (Some(NativeKind::FileOwner | NativeKind::FileGroup), _) => "number of the account",
        (Some(NativeKind::FileMode), _) => "mode",
        (Some(NativeKind::FileContent | NativeKind::FileSource), _) => "checksum",
        (_, Compare::Code(_)) => "compare block",
        (_, Compare::Named(named)) => Comparison::NAMED.iter().find(|(_, c, _)| c == named).map_or("exact", |(name, _, _)| name),
    }
}

/// A value as it would stand in a type file.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Sym(s) if s.as_str().chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => s.to_string(),
        Value::Array(values) => format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Sensitive(_) => REDACTED.to_owned(),
        other => inspect(other),
    }
}
