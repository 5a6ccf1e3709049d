//! JSON Schema (2020-12) for resources, used by editors and by programs that write resource files.
//!
//! The schema accepts everything that rtype accepts. Rules that only a block can check (`validate`, `munge`, checks of the whole
//! resource) are omitted, so the schema accepts more.

mod pattern;
mod value;

use super::prose::plain;
use pattern::{ecma, either_case};
use rtype_lang::types::{AttrId, AttributeDef, Default, ProviderDef, Role, TypeCheck, TypeDef};
use rtype_lang::value::Symbol;
use rtype_model::manifest::RESOURCE_KEYS;
use rtype_model::resource::supports_all;
use serde_json::{Map, Value as Json, json};
use std::fmt::Display;
use std::sync::Arc;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema for files with resources of these types; other resources are not checked.
pub fn schema(types: &[Arc<TypeDef>]) -> Json {
    let names: Vec<&str> = types.iter().map(|t| t.name.as_str()).collect();
    document(&format!("Resources: {}", names.join(", ")), types, true)
}

/// Returns the schema for files with resources of these types and no others.
pub fn schema_of_all(types: &[Arc<TypeDef>]) -> Json {
    document("Resources", types, false)
}

fn document(title: &str, types: &[Arc<TypeDef>], others: bool) -> Json {
    let mut definitions = Map::new();
    for type_def in types {
        definitions.insert(type_def.name.to_string(), parameters(type_def));
        definitions.insert(format!("{}.resource", type_def.name), resource(type_def));
        definitions.insert(format!("{}.titles", type_def.name), titles(type_def));
    }
    definitions.insert("resource".into(), any_resource(types, others));
    definitions.insert("rich".into(), value::rich());
    let by_title = |t: &TypeDef| json!({"$ref": definition(format_args!("{}.titles", t.name))});
    // Editors complete names from `properties`; files may write them in other ways.
    let names: Map<String, Json> = types.iter().map(|t| (t.name.to_string(), by_title(t))).collect();
    let by_pattern: Map<String, Json> = types.iter().map(|t| (named(&t.name), by_title(t))).collect();
    let mut titles = json!({"type": "object", "properties": names, "patternProperties": by_pattern});
    if !others && let Json::Object(o) = &mut titles {
        o.insert("additionalProperties".into(), json!(false));
    }
    json!({
        "$schema": DIALECT,
        "title": title,
        "description": "A list of resources, one resource, types with titles, or a compiled catalog.",
        "type": ["array", "object", "null"],
        "items": {"$ref": "#/$defs/resource"},
        "if": {"type": "object"},
        "then": {
            "if": {"properties": {"resources": {"type": "array"}}, "required": ["resources"]},
            "else": {
                "if": {"properties": {"type": {"type": "string"}, "title": {"type": "string"}}, "required": ["type", "title"]},
                "then": {"$ref": "#/$defs/resource"},
                "else": titles
            }
        },
        "$defs": definitions
    })
}

fn definition(name: impl Display) -> String {
    format!("#/$defs/{name}")
}

/// Returns a pattern for the name of a type as written in files.
fn named(name: &Symbol) -> String {
    format!("^(?:::)?{}$", either_case(name.as_str()))
}

/// Returns the schema of `{type, title, parameters}` for any type.
fn any_resource(types: &[Arc<TypeDef>], others: bool) -> Json {
    let keys: Map<String, Json> = RESOURCE_KEYS.iter().map(|key| ((*key).to_owned(), json!(true))).collect();
    let mut schema = json!({
        "type": "object",
        "required": ["type", "title"],
        "properties": keys,
        "additionalProperties": false,
        "allOf": types.iter().map(|t| json!({
            "if": {"properties": {"type": {"pattern": named(&t.name)}}},
            "then": {"$ref": definition(format_args!("{}.resource", t.name))}
        })).collect::<Vec<_>>()
    });
    if let Some(Json::Object(properties)) = schema.get_mut("properties") {
        // Editors complete the names in `enum`; files may write them in other ways.
        let mut names = vec![json!({"enum": types.iter().map(|t| t.name.as_str()).collect::<Vec<_>>()})];
        match others {
            true => names.push(json!(true)),
            false => names.extend(types.iter().map(|t| json!({"pattern": named(&t.name)}))),
        }
        properties.insert("type".into(), json!({"type": "string", "anyOf": names}));
        properties.insert("title".into(), json!({"type": "string", "minLength": 1}));
        properties.insert("parameters".into(), json!({"type": ["object", "null"]}));
    }
    schema
}

/// Returns the schema of `{title: parameters}`.
fn titles(type_def: &TypeDef) -> Json {
    json!({
        "description": plain(&type_def.doc),
        "type": "object",
        "additionalProperties": {"anyOf": [{"$ref": definition(&type_def.name)}, {"type": "null"}]}
    })
}

/// Returns the type-specific part of the schema.
fn resource(type_def: &TypeDef) -> Json {
    let parameters = json!({"$ref": definition(&type_def.name)});
    let mut schema = Map::new();
    if required(type_def).is_empty() {
        schema.insert("properties".into(), json!({"parameters": {"anyOf": [parameters, {"type": "null"}]}}));
    } else {
        schema.insert("properties".into(), json!({ "parameters": parameters }));
        schema.insert("required".into(), json!(["parameters"]));
    }
    if let Some(ways) = identity(type_def) {
        schema.insert("anyOf".into(), Json::Array(ways));
    }
    Json::Object(schema)
}

/// Returns the alternatives by which a resource can be identified: a valid title, or attributes. `None` if every title is valid.
fn identity(type_def: &TypeDef) -> Option<Vec<Json>> {
    let gives = |name: &str| {
        let given = json!({"required": [name], "properties": {name: {"not": {"type": "null"}}}});
        json!({"required": ["parameters"], "properties": {"parameters": given}})
    };
    let titled = |rule: Json| json!({"properties": {"title": rule}});
    let namevars: Vec<&AttributeDef> = type_def.namevars.iter().filter_map(|id| type_def.attribute(*id)).collect();
    let mut ways: Vec<Json> = match (namevars.as_slice(), type_def.title_patterns.as_slice()) {
        ([only], []) => {
            let rule = value::element(only, type_def);
            if rule == json!(true) {
                return None;
            }
            vec![titled(rule)]
        }
        (_, rows) => {
            let patterns: Option<Vec<String>> = rows.iter().map(|row| ecma(&row.regex)).collect();
            patterns?.into_iter().map(|p| titled(json!({ "pattern": p }))).collect()
        }
    };
    ways.push(json!({"allOf": namevars.iter().map(|a| gives(a.name.as_str())).collect::<Vec<_>>()}));
    if namevars.len() == 1 && type_def.id_of("name").is_none() {
        ways.push(gives("name"));
    }
    Some(ways)
}

/// Returns the attributes that only a declaration can set.
fn required(type_def: &TypeDef) -> Vec<&AttributeDef> {
    let completes = type_def.checks.iter().any(|c| matches!(c, TypeCheck::Finalize(_)));
    let by_title = |id: AttrId| type_def.namevars.contains(&id) || type_def.title_patterns.iter().any(|row| row.attributes.contains(&id));
    let all = type_def.attributes.iter().enumerate();
    all.filter(|(i, a)| a.required.is_some() && a.default.is_none() && !completes && !by_title(AttrId(*i as u16))).map(|(_, a)| a).collect()
}

/// Returns the schema for a resource's attributes.
fn parameters(type_def: &TypeDef) -> Json {
    let required: Vec<&str> = required(type_def).iter().map(|a| a.name.as_str()).collect();
    let (mut properties, mut conditions) = (Map::new(), Vec::new());
    let mut add = |name: &str, attribute: &AttributeDef| {
        let rule = match attribute.name.as_str() {
            "provider" if attribute.role == Role::Param && !type_def.providers.is_empty() => value::provider(type_def),
            _ => value::given(attribute, type_def, !required.contains(&name)),
        };
        let mut schema = said(attribute);
        match (managing(attribute, type_def), rule) {
            (None, Json::Object(rule)) => schema.extend(rule),
            // A provider that lacks the feature ignores the value.
            (Some(providers), rule @ Json::Object(_)) => conditions.push(json!({
                "if": {"properties": {"provider": {"enum": providers}}},
                "then": {"properties": {name: rule}}
            })),
            _ => {}
        }
        properties.insert(name.to_owned(), Json::Object(schema));
    };
    for attribute in &type_def.attributes {
        add(attribute.name.as_str(), attribute);
    }
    if let ([id], None) = (type_def.namevars.as_slice(), type_def.id_of("name"))
        && let Some(namevar) = type_def.attribute(*id)
    {
        add("name", namevar);
    }
    let mut schema = json!({
        "title": type_def.name.as_str(),
        "description": plain(&type_def.doc),
        "type": "object",
        "properties": properties,
        "additionalProperties": false
    });
    if let Json::Object(o) = &mut schema {
        if !required.is_empty() {
            o.insert("required".into(), json!(required));
        }
        if !conditions.is_empty() {
            o.insert("allOf".into(), Json::Array(conditions));
        }
    }
    schema
}

/// Returns the providers that use an attribute; `None` if all providers do.
fn managing(attribute: &AttributeDef, type_def: &TypeDef) -> Option<Vec<String>> {
    let looks = |p: &&ProviderDef| supports_all(type_def, p, &attribute.required_features).is_empty();
    let names: Vec<String> = type_def.providers.values().filter(looks).map(|p| p.name.to_string()).collect();
    (names.len() < type_def.providers.len()).then_some(names)
}

/// Returns the annotations of an attribute, as opposed to constraints.
fn said(attribute: &AttributeDef) -> Map<String, Json> {
    let mut schema = Map::new();
    if !attribute.doc.is_empty() {
        schema.insert("description".into(), json!(plain(&attribute.doc)));
    }
    let flags =
        [("readOnly", attribute.readonly.is_some()), ("writeOnly", attribute.sensitive), ("deprecated", attribute.deprecated.is_some())];
    schema.extend(flags.into_iter().filter(|(_, on)| *on).map(|(name, _)| (name.to_owned(), json!(true))));
    if let Some(Default::Value(value, _)) = attribute.default.as_ref().filter(|_| !attribute.sensitive) {
        schema.insert("default".into(), value.to_json());
    }
    schema
}
