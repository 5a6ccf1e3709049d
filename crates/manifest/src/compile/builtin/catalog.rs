//! Functions that change the catalog.

use super::argument;
use crate::compile::catalog::ParameterValue;
use crate::compile::context::CallContext;
use crate::compile::evaluator::{Collector, ResourceDeclaration, access::flatten};
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::text::display;
use crate::compile::text::label::ruby_class;
use crate::compile::types::{Type, display::capitalized};
use crate::compile::value::ManifestValue;
use ecow::EcoString;
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    FunctionRow { name: "include", api: Api::Typed(&[Signature { parameters: "(Any +$names)", body: include }]) },
    FunctionRow { name: "contain", api: Api::Typed(&[Signature { parameters: "(Any +$names)", body: contain }]) },
    FunctionRow { name: "require", api: Api::Typed(&[Signature { parameters: "(Any +$names)", body: require }]) },
    FunctionRow { name: "realize", api: Api::Legacy { arity: -2, is_statement: true, body: realize } },
    FunctionRow { name: "create_resources", api: Api::Legacy { arity: -3, is_statement: true, body: create_resources } },
    FunctionRow { name: "tag", api: Api::Legacy { arity: -2, is_statement: true, body: tag } },
    FunctionRow { name: "tagged", api: Api::Legacy { arity: -2, is_statement: false, body: tagged } },
];

/// Returns the names of classes.
fn class_names(arguments: &[ManifestValue]) -> Result<Vec<String>, EvaluationFailure> {
    let mut names = Vec::new();
    for value in flatten(arguments) {
        let name = match &value {
            ManifestValue::Undef => return Err(EvaluationFailure::new("Cannot use undef as a class name")),
            ManifestValue::String(text) if text.is_empty() => {
                return Err(EvaluationFailure::new("Cannot use empty string as a class name"));
            }
            ManifestValue::String(text) => text.to_string(),
            ManifestValue::Type(of) => class_of(of)?,
            other => return Err(EvaluationFailure::new(format!("undefined method `downcase' for a value of class {}", ruby_class(other)))),
        };
        let name = name.to_lowercase();
        names.push(if name.starts_with("::") { name } else { format!("::{name}") });
    }
    Ok(names)
}

fn class_of(of: &Type) -> Result<String, EvaluationFailure> {
    match of {
        Type::Class(Some(name)) => Ok(name.to_string()),
        Type::Class(None) => Err(EvaluationFailure::new("Cannot use an unspecific Class[] Type")),
        Type::Resource(None, _) => {
            Err(EvaluationFailure::new("Cannot use an unspecific Resource[] where a Resource['class', name] is expected"))
        }
        Type::Resource(Some(name), title) if name == "class" => match title {
            Some(title) => Ok(title.to_string()),
            None => Err(EvaluationFailure::new("Cannot use an unspecific Resource['class'] where a Resource['class', name] is expected")),
        },
        Type::Resource(Some(name), _) => {
            let name = capitalized(name);
            Err(EvaluationFailure::new(format!("Cannot use a Resource[{name}] where a Resource['class', name] is expected")))
        }
        _ => Err(EvaluationFailure::new("undefined method `downcase' for nil:NilClass")),
    }
}

fn class_types(names: &[String]) -> ManifestValue {
    ManifestValue::array(names.iter().map(|name| ManifestValue::of_type(Type::Class(Some(name.trim_start_matches(':').into())))).collect())
}

/// Includes classes and returns their indexes.
fn include_all(context: &mut CallContext<'_>, names: &[String]) -> Result<Vec<usize>, EvaluationFailure> {
    let scope = context.scope.clone();
    names.iter().map(|name| context.evaluator.include_class(name, &scope)).collect()
}

fn include(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let names = class_names(arguments)?;
    include_all(context, &names)?;
    Ok(class_types(&names))
}

fn contain(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let names = class_names(arguments)?;
    let container = context.scope.resource;
    for index in include_all(context, &names)? {
        context.evaluator.catalog.edges.insert((container, index));
    }
    Ok(class_types(&names))
}

fn require(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let names = class_names(arguments)?;
    include_all(context, &names)?;
    let resource = context.scope.resource;
    for name in &names {
        let Some(resource) = context.evaluator.catalog.get_mut(resource) else { continue };
        let reference = ManifestValue::of_type(Type::Class(Some(name.trim_start_matches(':').into())));
        let mut list = match resource.value("require") {
            Some(present) => flatten(std::slice::from_ref(present)),
            None => Vec::new(),
        };
        list.push(reference);
        let parameter = ParameterValue { value: ManifestValue::array(list), span: None, appends: false, source: EcoString::new() };
        resource.parameters.insert("require".into(), parameter);
    }
    Ok(class_types(&names))
}

fn realize(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let mut realizes = Vec::new();
    for value in flatten(arguments) {
        match &value {
            ManifestValue::Type(of) => match &**of {
                Type::Resource(Some(name), Some(title)) => realizes.push((name.clone(), title.clone())),
                Type::Class(Some(name)) => realizes.push(("class".into(), name.clone())),
                _ => return Err(EvaluationFailure::unsupported("realize() of a value other than a resource")),
            },
            ManifestValue::String(text) => match crate::compile::catalog::finish::split_reference(text) {
                Some((name, title)) => realizes.push((name, title)),
                None => return Err(EvaluationFailure::unsupported("realize() of a string other than a reference")),
            },
            _ => return Err(EvaluationFailure::unsupported("realize() of a value other than a resource")),
        }
    }
    let collector = Collector {
        type_name: EcoString::new(),
        query: None,
        realizes,
        overrides: Vec::new(),
        span: context.span,
        scope: context.scope.clone(),
        collected: IndexSet::new(),
        is_ignored: false,
        alternative: Vec::new(),
    };
    context.evaluator.collectors.push(collector);
    Ok(ManifestValue::Undef)
}

fn create_resources(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    if arguments.len() > 3 {
        let text = format!("create_resources(): wrong number of arguments ({}; must be 2 or 3)", arguments.len());
        return Err(EvaluationFailure::new(text));
    }
    let ManifestValue::Hash(instances) = argument(arguments, 1) else {
        return Err(EvaluationFailure::new("create_resources(): second argument must be a hash"));
    };
    let defaults = match arguments.get(2) {
        None => None,
        Some(ManifestValue::Hash(defaults)) => Some(defaults.clone()),
        Some(_) => return Err(EvaluationFailure::new("create_resources(): third argument, if provided, must be a hash")),
    };
    let name = match argument(arguments, 0) {
        ManifestValue::String(name) => name.clone(),
        other => return Err(EvaluationFailure::new(format!("undefined method `sub' for a value of class {}", ruby_class(other)))),
    };
    let declaration = ResourceDeclaration {
        is_virtual: name.starts_with('@'),
        is_exported: name.starts_with("@@"),
        is_from_function: true,
        span: context.span,
    };
    let type_name = name.trim_start_matches('@').to_lowercase();
    if type_name == "class" && declaration.is_virtual {
        let text = "Classes are not virtualizable";
        return Err(EvaluationFailure::at(context.span, text).position(crate::compile::failure::ReportedPosition::Line));
    }
    let scope = context.scope.clone();
    let source = scope.source();
    for (title, values) in instances.iter() {
        let titles = flatten(std::slice::from_ref(title));
        let ManifestValue::Hash(values) = values else {
            let class = if *values == ManifestValue::Undef { "nil" } else { ruby_class(values) };
            return Err(EvaluationFailure::new(format!("no implicit conversion of {class} into Hash")));
        };
        let mut parameters = IndexMap::new();
        for (key, value) in defaults.iter().flat_map(|map| map.iter()).chain(values.iter()) {
            let parameter = ParameterValue { value: value.clone(), span: None, appends: false, source: source.clone() };
            parameters.insert(EcoString::from(display(key)), parameter);
        }
        for given in titles {
            let title = EcoString::from(display(&given));
            context.evaluator.create_resources(&type_name, std::slice::from_ref(&title), &parameters, declaration, &scope)?;
            if given.as_str().is_none() {
                let index = context.evaluator.catalog.find_exact(&type_name, &title);
                if let Some(resource) = index.and_then(|index| context.evaluator.catalog.get_mut(index)) {
                    resource.tags.shift_remove(&title);
                    resource.given_title = Some(given);
                }
            }
        }
    }
    Ok(ManifestValue::Undef)
}

fn tag(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let index = context.scope.resource;
    if let Some(resource) = context.evaluator.catalog.get_mut(index) {
        for value in arguments {
            resource.tag_value(value)?;
        }
    }
    Ok(ManifestValue::Undef)
}

fn tagged(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let catalog = &context.evaluator.catalog;
    let resource = catalog.get(context.scope.resource);
    let has = |tag: &ManifestValue| {
        let tag = EcoString::from(display(tag).to_lowercase());
        let is_class = catalog.classes.iter().any(|name| *name == tag || name.split("::").any(|part| part == tag));
        is_class || resource.is_some_and(|r| r.tags.contains(&tag))
    };
    Ok(ManifestValue::Boolean(flatten(arguments).iter().all(has)))
}
