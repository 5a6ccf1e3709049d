//! Schemas of values, never stricter than the type.

use super::pattern::ecma;
use rtype_lang::types::{AttributeDef, NativeKind, Role, TypeDef, ValueStep};
use rtype_lang::value::{Bounds, DataType, Flags, Regex, TextFormat};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Returns the schema of rich data: secrets and unknown values.
pub(super) fn rich() -> Json {
    json!({
        "description": "A value of Puppet's rich data, such as Sensitive or Deferred.",
        "type": "object",
        "required": ["__ptype"]
    })
}

fn rich_or(schema: Json) -> Json {
    if is_any(&schema) { schema } else { any_of(vec![schema, json!({"$ref": "#/$defs/rich"})]) }
}

fn is_any(schema: &Json) -> bool {
    *schema == json!(true)
}

/// Returns the union of schemas; unrestricted if any schema is.
fn any_of(schemas: Vec<Json>) -> Json {
    if schemas.iter().any(is_any) {
        return json!(true);
    }
    let mut all: Vec<Json> = Vec::new();
    for schema in schemas {
        let inner = match &schema {
            Json::Object(o) if o.len() == 1 => o.get("anyOf").and_then(Json::as_array).cloned(),
            _ => None,
        };
        for one in inner.unwrap_or_else(|| vec![schema]) {
            if one != json!(false) && !all.contains(&one) {
                all.push(one);
            }
        }
    }
    match all.len() {
        0 => json!(false),
        1 => all.pop().unwrap_or_default(),
        _ => json!({ "anyOf": all }),
    }
}

fn all_of(mut schemas: Vec<Json>) -> Json {
    schemas.retain(|s| !is_any(s));
    match schemas.len() {
        0 => json!(true),
        1 => schemas.pop().unwrap_or_default(),
        _ => json!({ "allOf": schemas }),
    }
}

/// Returns the schema of an attribute's value; `null` means not set.
pub(super) fn given(attribute: &AttributeDef, type_def: &TypeDef, nullable: bool) -> Json {
    if attribute.validate.steps.iter().any(|s| matches!(s, ValueStep::Readonly(_))) {
        // Unknown values and empty lists are not checked.
        let mut ways = vec![json!({"type": "null"}), json!({"$ref": "#/$defs/rich"})];
        if attribute.role == Role::Property {
            ways.push(json!({"type": "array", "maxItems": 0}));
        }
        return any_of(ways);
    }
    let element = element(attribute, type_def);
    let value = if attribute.role == Role::Property && !is_any(&element) {
        // Blocks may accept `undef` in a list.
        let item = rich_or(any_of(vec![element.clone(), json!({"type": "null"})]));
        any_of(vec![element, json!({"type": "array", "items": item})])
    } else {
        element
    };
    let value = rich_or(value);
    if nullable && !is_any(&value) { any_of(vec![value, json!({"type": "null"})]) } else { value }
}

/// Returns the schema for a property's single value, a parameter's whole value, or a namevar's title.
pub(super) fn element(attribute: &AttributeDef, type_def: &TypeDef) -> Json {
    let mut rules = Vec::new();
    if let Some(data_type) = &attribute.data_type {
        rules.push(of_type(data_type));
    }
    // A number may be written in several ways before it is converted.
    let rewritten = matches!(attribute.data_type, Some(DataType::Float(_) | DataType::Numeric));
    for step in &attribute.validate.steps {
        match step {
            ValueStep::Values if !attribute.values.is_empty() && !rewritten => {
                let set = &attribute.values;
                let literals = set.literals().map(|l| l.as_str()).chain(set.aliases.iter().map(|a| a.name.as_str()));
                rules.push(texts(&literals.collect::<Vec<_>>(), &set.regexes().map(Arc::as_ref).collect::<Vec<_>>()));
            }
            ValueStep::Matches(matches) if !rewritten => rules.push(texts(&[], &[&matches.regex])),
            ValueStep::Native => rules.push(attribute.native.as_ref().map_or(json!(true), |kind| of_kind(kind, type_def))),
            _ => {}
        }
    }
    all_of(rules)
}

/// Returns the schema of values with a string that is a listed literal or matches a regex.
fn texts(literals: &[&str], regexes: &[&Regex]) -> Json {
    let mut ways = Vec::new();
    let mut values: Vec<Json> = literals.iter().map(|l| json!(l)).collect();
    for literal in literals {
        match (*literal, literal.parse::<i64>(), literal.parse::<f64>()) {
            ("true", ..) => values.push(json!(true)),
            ("false", ..) => values.push(json!(false)),
            ("", ..) => values.push(Json::Null),
            (_, Ok(n), _) => values.push(json!(n)),
            (_, _, Ok(n)) if n.is_finite() => values.push(json!(n)),
            _ => {}
        }
    }
    for (text, value) in [("true", json!(true)), ("false", json!(false)), ("", Json::Null)] {
        if regexes.iter().any(|r| r.is_match(text)) && !values.contains(&value) {
            values.push(value);
        }
    }
    if !values.is_empty() {
        ways.push(json!({ "enum": values }));
    }
    ways.extend(regexes.iter().map(|regex| match ecma(regex) {
        Some(pattern) => json!({"type": "string", "pattern": pattern}),
        None => json!({"type": "string"}),
    }));
    // Numbers, lists and maps are converted to strings as well; check whether a pattern could match them.
    for (kind, written) in [("integer", r"\A-?\d+\z"), ("number", r"\A-?\d+\.\d+(e[-+]?\d+)?\z"), ("array", r"\A\["), ("object", r"\A\{")] {
        let Ok(written) = Regex::new(written, Flags { dot_all: true, ..Flags::default() }) else { continue };
        if regexes.iter().any(|r| r.overlaps(&written) != Some(false)) {
            ways.push(json!({ "type": kind }));
        }
    }
    any_of(ways)
}

/// Returns the schema for a kind implemented in Rust.
fn of_kind(kind: &NativeKind, type_def: &TypeDef) -> Json {
    let one_or_list = |one: Json| any_of(vec![one.clone(), json!({"type": "array", "items": rich_or(one)})]);
    match kind {
        NativeKind::Path { arrays } => {
            let path = of_type(&DataType::AbsolutePath);
            if *arrays { one_or_list(path) } else { path }
        }
        NativeKind::List { .. } => {
            let name = json!({"type": ["string", "number", "boolean", "null"]});
            // Lists may be nested.
            any_of(vec![name, json!({"type": "array"})])
        }
        NativeKind::FileMode => {
            let clause = "[ugoa]*[-+=][-+=rstwxXugo]*";
            json!({"type": "string", "pattern": format!("^(?:[0-7]{{1,4}}|0[0-7]{{4}}|{clause}(?:,{clause})*)$")})
        }
        NativeKind::Relationship => one_or_list(json!({"type": "string", "pattern": r"^[^\[]+\[[\s\S]+\]$"})),
        NativeKind::Audit => {
            let names = type_def.attributes.iter().map(|a| a.name.as_str()).chain(["name", "all"]);
            one_or_list(json!({ "enum": names.collect::<Vec<_>>() }))
        }
        NativeKind::KeyValue { .. }
        | NativeKind::PackageOptions
        | NativeKind::FileOwner
        | NativeKind::FileGroup
        | NativeKind::FileContent
        | NativeKind::FileSource => json!(true),
    }
}

/// Patterns for strings that a data type converts to numbers.
const INTEGER: &str = "^-?(?:0|[1-9][0-9]*)$";
const FLOAT: &str = r"^[0-9\-](?:[0-9eE+.\-]*[0-9])?$";

/// Returns the schema for values of a data type, including strings that can be converted.
fn of_type(data_type: &DataType) -> Json {
    let text = |pattern: &str| json!({"type": "string", "pattern": pattern});
    match data_type {
        DataType::Any | DataType::Regexp => json!(true),
        DataType::Undef => json!({"type": "null"}),
        DataType::PuppetOnly(_) => json!(false),
        DataType::Boolean => json!({"enum": [true, false, "true", "false"]}),
        DataType::OneBoolean(only) => json!({"enum": [only, only.to_string()]}),
        DataType::Integer(bounds) => any_of(vec![limited("integer", "minimum", "maximum", bounds), text(INTEGER)]),
        DataType::Float(bounds) => any_of(vec![limited("number", "minimum", "maximum", bounds), text(FLOAT)]),
        DataType::Numeric => any_of(vec![json!({"type": "number"}), text(FLOAT)]),
        DataType::String(bounds) => {
            any_of(vec![limited("string", "minLength", "maxLength", bounds), json!({"type": ["number", "boolean"]})])
        }
        DataType::Symbol | DataType::Binary => json!({"type": "string"}),
        DataType::Scalar => json!({"type": ["string", "number", "boolean"]}),
        DataType::Enum(names) => texts(&names.iter().map(String::as_str).collect::<Vec<_>>(), &[]),
        DataType::Pattern(patterns) => texts(&[], &patterns.iter().map(Arc::as_ref).collect::<Vec<_>>()),
        DataType::AbsolutePath => text("^/"),
        DataType::Format(TextFormat::Ipv4Address) => json!({"type": "string", "format": "ipv4"}),
        DataType::Format(TextFormat::ByteSize) => json!({"type": ["string", "integer"]}),
        DataType::Format(_) => json!({"type": "string"}),
        DataType::Array(inner, bounds) => {
            let mut schema = limited("array", "minItems", "maxItems", bounds);
            put(&mut schema, "items", rich_or(of_type(inner)));
            schema
        }
        DataType::Hash(keys, values, bounds) => {
            let mut schema = limited("object", "minProperties", "maxProperties", bounds);
            put(&mut schema, "propertyNames", of_type(keys));
            put(&mut schema, "additionalProperties", rich_or(of_type(values)));
            schema
        }
        DataType::Struct(members) => {
            let properties: Map<String, Json> = members.iter().map(|m| (m.name.clone(), rich_or(of_type(&m.data_type)))).collect();
            let optional = |t: &DataType| matches!(t, DataType::Optional(_) | DataType::Any | DataType::Undef | DataType::Variant(_));
            let required: Vec<&str> = members.iter().filter(|m| !m.optional && !optional(&m.data_type)).map(|m| m.name.as_str()).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        }
        DataType::Tuple(types) => json!({
            "type": "array",
            "prefixItems": types.iter().map(|t| rich_or(of_type(t))).collect::<Vec<_>>(),
            "minItems": types.len(),
            "maxItems": types.len()
        }),
        DataType::Optional(inner) => any_of(vec![of_type(inner), json!({"type": "null"})]),
        DataType::Variant(types) => any_of(types.iter().map(of_type).collect()),
        DataType::Sensitive(inner) => of_type(inner),
    }
}

fn put(schema: &mut Json, key: &str, value: Json) {
    if let Json::Object(o) = schema
        && !is_any(&value)
    {
        o.insert(key.to_owned(), value);
    }
}

fn limited<T: Copy + serde::Serialize>(kind: &str, least: &str, most: &str, bounds: &Bounds<T>) -> Json {
    let mut schema = json!({ "type": kind });
    for (key, limit) in [(least, bounds.min), (most, bounds.max)] {
        if let Some(limit) = limit {
            put(&mut schema, key, json!(limit));
        }
    }
    schema
}

/// Returns the schema of the attribute `provider`: a name, or a list starting with a name.
pub(super) fn provider(type_def: &TypeDef) -> Json {
    let names: Vec<&str> = type_def.providers.keys().map(|p| p.as_str()).collect();
    let name = texts(&names, &[]);
    let list = json!({"type": "array", "prefixItems": [rich_or(name.clone())], "minItems": 1});
    any_of(vec![rich_or(any_of(vec![name, list])), json!({"type": "null"})])
}
