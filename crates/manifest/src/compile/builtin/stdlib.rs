//! Functions of the module stdlib that declare resources.

use super::argument;
use crate::compile::context::Context;
use crate::compile::evaluator::access::flatten;
use crate::compile::failure::Failure;
use crate::compile::function::{Api, Function};
use crate::compile::scope::Closure;
use crate::compile::types::Type;
use crate::compile::value::Value;
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[Function] = &[
    Function { name: "defined_with_params", api: Api::Legacy { arity: -2, is_statement: false, body: defined_with_params } },
    Function { name: "ensure_resource", api: Api::Legacy { arity: -2, is_statement: true, body: ensure_resource } },
    Function { name: "ensure_resources", api: Api::Legacy { arity: -2, is_statement: true, body: ensure_resources } },
    Function { name: "ensure_packages", api: Api::Legacy { arity: -2, is_statement: true, body: ensure_packages } },
    Function { name: "getparam", api: Api::Legacy { arity: -3, is_statement: false, body: getparam } },
];

/// Returns the type and title of a reference.
fn reference_of(context: &mut Context<'_>, value: &Value) -> Result<Option<(String, Option<String>)>, Failure> {
    let of = match value {
        Value::Type(of) => Some((**of).clone()),
        Value::String(text) => context.evaluator.parse_reference(text)?,
        _ => None,
    };
    Ok(match of {
        Some(Type::Resource(Some(name), title)) => Some((name.to_string(), title.map(|title| title.to_string()))),
        Some(Type::Class(Some(name))) => Some(("class".to_owned(), Some(name.to_string()))),
        _ => None,
    })
}

fn defined_with_params(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let wanted = match argument(arguments, 1) {
        Value::Hash(map) => map.clone(),
        _ => Arc::default(),
    };
    let Some((name, Some(title))) = reference_of(context, argument(arguments, 0))? else {
        return Err(Failure::new("ArgumentError, not a reference"));
    };
    Ok(Value::Boolean(is_declared(context, &name, &title, &wanted)))
}

/// Returns `true` if a resource is declared with these parameters.
fn is_declared(context: &mut Context<'_>, name: &str, title: &str, wanted: &crate::compile::value::Map) -> bool {
    let Some(index) = context.evaluator.catalog.find(name, title) else { return false };
    wanted.iter().all(|(key, value)| {
        let actual = context.evaluator.parameter_value(index, &crate::compile::text::display(key));
        let is_unset = |value: &Value| *value == Value::Undef || value.as_str().is_some_and(str::is_empty);
        actual == *value
            || (is_unset(&actual) && is_unset(value))
            || crate::compile::text::display(&actual) == crate::compile::text::display(value)
                && !matches!(value, Value::Array(_) | Value::Hash(_))
    })
}

fn ensure_resource(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let (kind, titles) = (argument(arguments, 0), argument(arguments, 1));
    let parameters = match argument(arguments, 2) {
        Value::Hash(map) => map.clone(),
        Value::Undef => Arc::default(),
        Value::String(text) if text.is_empty() => Arc::default(),
        _ => return Err(Failure::new("ensure_resource(): Requires a hash as third argument")),
    };
    let Some(name) = kind.as_str() else { return Err(Failure::new("Requires a resource type")) };
    for title in flatten(std::slice::from_ref(titles)) {
        let text = crate::compile::text::display(&title);
        if is_declared(context, &name.to_lowercase(), &text, &parameters) {
            continue;
        }
        let instances = Value::hash([(title, Value::Hash(parameters.clone()))]);
        context.call("create_resources", vec![Value::string(name.to_lowercase()), instances], None)?;
    }
    Ok(Value::Undef)
}

fn ensure_resources(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let defaults = match argument(arguments, 2) {
        Value::Hash(map) => map.clone(),
        _ => Arc::default(),
    };
    let Value::Hash(instances) = argument(arguments, 1) else {
        return Err(Failure::new("ensure_resources(): Requires second argument to be a Hash"));
    };
    for (title, own) in instances.iter() {
        let own = own.as_map().cloned().unwrap_or_default();
        let merged = Value::hash(defaults.iter().chain(own.iter()).map(|(k, v)| (k.clone(), v.clone())));
        ensure_resource(context, &[argument(arguments, 0).clone(), title.clone(), merged], None)?;
    }
    Ok(Value::Undef)
}

fn ensure_packages(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let defaults = match argument(arguments, 1) {
        Value::Hash(map) => map.clone(),
        _ => Arc::default(),
    };
    let with_defaults = |own: Option<&crate::compile::value::Map>| {
        let mut merged: crate::compile::value::Map = [(Value::from("ensure"), Value::from("installed"))].into_iter().collect();
        for (key, value) in defaults.iter().chain(own.into_iter().flatten()) {
            let value =
                if value.as_str() == Some("present") && key.as_str() == Some("ensure") { Value::from("installed") } else { value.clone() };
            merged.insert(key.clone(), value);
        }
        Value::Hash(Arc::new(merged))
    };
    match argument(arguments, 0) {
        Value::Hash(packages) => {
            for (title, own) in packages.iter() {
                ensure_resource(context, &[Value::from("package"), title.clone(), with_defaults(own.as_map())], None)?;
            }
        }
        other => {
            for title in flatten(std::slice::from_ref(other)) {
                ensure_resource(context, &[Value::from("package"), title, with_defaults(None)], None)?;
            }
        }
    }
    Ok(Value::Undef)
}

fn getparam(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let Some((name, Some(title))) = reference_of(context, argument(arguments, 0))? else { return Ok(Value::from("")) };
    let parameter = argument(arguments, 1).as_str().unwrap_or_default().to_owned();
    let Some(index) = context.evaluator.catalog.find(&name, &title) else { return Ok(Value::from("")) };
    let resource = context.evaluator.catalog.get(index);
    Ok(resource.and_then(|r| r.value(&parameter)).cloned().unwrap_or(Value::from("")))
}
