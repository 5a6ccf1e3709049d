//! The description of an attribute.

use rtype_lang::types::{
    ArrayMatching, AttributeDef, Compare, Default, Layers, Matcher, Matches, NativeKind, Node, Op, Role, TypeDef, ValueStep,
};
use rtype_lang::value::{ComparisonMode, REDACTED, Value, inspect};
use serde::Serialize;

/// Everything about an attribute. The order of the fields is the order in JSON and is stable.
#[derive(Clone, Debug, Serialize)]
pub struct AttributeDoc {
    /// Name of the attribute.
    pub name: String,
    /// Its role.
    pub role: RoleDoc,
    /// `true` if the attribute is part of the identity, or may be set by a title pattern.
    pub namevar: bool,
    /// Description by the author.
    pub doc: String,
    /// `true` for a required attribute.
    pub required: bool,
    /// `true` if values are always redacted.
    pub sensitive: bool,
    /// The reason why the attribute is read-only.
    pub readonly: Option<String>,
    /// `true` if the attribute can only be set when the resource is created.
    pub init_only: bool,
    /// The replacement, if the attribute is deprecated.
    pub deprecated: Option<String>,
    /// Data type of its values.
    pub data_type: Option<String>,
    /// The values that the kind accepts, if the kind is implemented natively.
    pub accepts: Option<&'static str>,
    /// Allowed values; any if empty.
    pub values: Vec<ValueDoc>,
    /// Aliases of allowed values.
    pub aliases: Vec<AliasDoc>,
    /// The regexes of `matches`; a value's string must match each regex.
    pub matches: Vec<String>,
    /// The messages with which blocks reject values, with `…` for computed parts.
    pub failures: Vec<String>,
    /// Default value.
    pub default: Option<DefaultDoc>,
    /// For properties: `first` if any one of several desired values is sufficient, `all` if the whole list is compared.
    pub array_matching: Option<&'static str>,
    /// For properties: the comparison of current and desired value.
    pub compare: Option<&'static str>,
    /// Features without which the attribute has no effect.
    pub required_features: Vec<String>,
}

/// The role of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleDoc {
    /// Compared with the machine, and changed.
    Property,
    /// Configures how a resource is managed; not compared.
    Param,
    /// Common to all types.
    Metaparam,
}

/// An allowed value: either `value` or `pattern` is set.
#[derive(Clone, Debug, Serialize)]
pub struct ValueDoc {
    /// The literal value.
    pub value: Option<String>,
    /// A regex that values must match.
    pub pattern: Option<String>,
    /// Name of the event for a change to this value.
    pub event: Option<String>,
    /// Features without which the value is rejected.
    pub required_features: Vec<String>,
}

/// An alias of an allowed value.
#[derive(Clone, Debug, Serialize)]
pub struct AliasDoc {
    /// The alias.
    pub name: String,
    /// The aliased value.
    pub value: String,
}

/// A default value.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum DefaultDoc {
    /// A constant.
    Value {
        /// As JSON.
        value: Value,
        /// As written in a type file.
        text: String,
    },
    /// The result of a block, which may depend on the resource and the machine.
    Computed {
        /// All possible values, as written in a type file; empty if they are not known.
        values: Vec<String>,
    },
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
        init_only: attribute.init_only.is_some(),
        deprecated: attribute.deprecated.clone(),
        data_type: attribute.data_type.as_ref().map(ToString::to_string),
        accepts: attribute.native.as_ref().map(accepts),
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
        matches: matches(&attribute.validate).map(|matches| matches.regex.to_string()).collect(),
        failures: failures(attribute),
        default: default_of(attribute),
        array_matching: is_property.then_some(match attribute.array_matching {
            ArrayMatching::First => "first",
            ArrayMatching::All => "all",
        }),
        compare: is_property.then(|| comparison(attribute)),
        required_features: attribute.required_features.iter().map(ToString::to_string).collect(),
    }
}

/// Returns the values that a native kind accepts.
const fn accepts(kind: &NativeKind) -> &'static str {
    match kind {
        NativeKind::List { ordered: false, .. } => "a list of strings in any order, or a single string",
        NativeKind::List { ordered: true, .. } => "a list of strings or a single string",
        NativeKind::KeyValue { .. } => "a map, or strings of keys and values",
        NativeKind::Path { arrays: false } => "an absolute path",
        NativeKind::Path { arrays: true } => "an absolute path or a list of absolute paths",
        NativeKind::PackageOptions => "strings, and maps of strings",
        NativeKind::FileOwner | NativeKind::FileGroup => "a name or a number",
        NativeKind::FileMode => "an octal or symbolic mode",
        NativeKind::FileContent => "text",
        NativeKind::FileSource => "paths or URIs",
        NativeKind::Relationship => "references to resources",
        NativeKind::Audit => "names of properties, or `all`",
    }
}

/// Returns the `matches` directives that are in effect.
pub fn matches(layers: &Layers) -> impl Iterator<Item = &Matches> {
    layers.steps.iter().filter_map(|step| if let ValueStep::Matches(matches) = step { Some(matches) } else { None })
}

/// Returns the default of an attribute.
pub fn default_of(attribute: &AttributeDef) -> Option<DefaultDoc> {
    let constant = |value: &Value| DefaultDoc::Value { value: value.clone(), text: literal(value) };
    Some(match attribute.default.as_ref()? {
        Default::Value(..) if attribute.sensitive => DefaultDoc::Value { value: Value::str(REDACTED), text: REDACTED.to_owned() },
        Default::Value(value, _) => constant(value),
        Default::Code(code) => match &code.inner.body.op {
            // A reader of documentation declares resources, and declared resources are managed.
            Op::If(branches, None) if let [(Node { op: Op::SelfManaged, .. }, Node { op: Op::Const(value), .. })] = branches.as_slice() => {
                constant(value)
            }
            _ => {
                let mut results = Vec::new();
                let are_known = constant_results(&code.inner.body, &mut results) && !attribute.sensitive;
                let mut values: Vec<String> = if are_known { results.into_iter().map(literal).collect() } else { Vec::new() };
                values.dedup();
                DefaultDoc::Computed { values }
            }
        },
    })
}

/// Collects the constant results of an expression. Returns `true` if every result is a constant.
fn constant_results<'a>(node: &'a Node, results: &mut Vec<&'a Value>) -> bool {
    match &node.op {
        Op::Const(value) => {
            results.push(value);
            true
        }
        Op::Seq(all) => {
            all.last().is_some_and(|last| constant_results(last, results)) && !node.any(&|n| matches!(n.op, Op::Return(_) | Op::Next(_)))
        }
        Op::If(branches, otherwise) => {
            let all = branches.iter().map(|(_, body)| body).chain(otherwise.as_deref()).all(|body| constant_results(body, results));
            if otherwise.is_none() {
                results.push(&Value::Nil);
            }
            all
        }
        Op::Match(_, arms) => arms.iter().all(|arm| constant_results(&arm.body, results)),
        Op::Fail(..) => true,
        _ => false,
    }
}

/// Returns the messages with which the blocks of an attribute reject values.
fn failures(attribute: &AttributeDef) -> Vec<String> {
    let steps = attribute.validate.steps.iter().chain(&attribute.munge.steps);
    let codes = steps.filter_map(|step| if let ValueStep::Code(code) = step { Some(code) } else { None });
    let mut found: Vec<String> = Vec::new();
    for code in codes {
        code.inner.body.walk(&mut |node| {
            if let Op::Fail(message, ..) = &node.op {
                let message = message_text(message);
                if message.chars().any(char::is_alphabetic) && !found.contains(&message) {
                    found.push(message);
                }
            }
        });
    }
    found
}

/// Returns the constant parts of a message, with `…` for computed parts.
fn message_text(message: &Node) -> String {
    match &message.op {
        Op::Const(value) => value.to_text().to_string(),
        Op::Concat(parts) => parts.iter().map(message_text).collect(),
        _ => "…".to_owned(),
    }
}

/// Returns the name of a property's comparison.
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
        (_, Compare::Named(named)) => ComparisonMode::NAMED.iter().find(|(_, c, _)| c == named).map_or("exact", |(name, _, _)| name),
    }
}

/// Formats a value as written in a type file.
pub fn literal(value: &Value) -> String {
    match value {
        Value::Sym(s) if s.as_str().chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => s.to_string(),
        Value::Array(values) => format!("[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Sensitive(_) => REDACTED.to_owned(),
        other => inspect(other),
    }
}
