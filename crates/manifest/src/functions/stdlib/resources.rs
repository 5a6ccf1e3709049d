//! Functions that declare resources unless they exist, and look at declared resources.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::types::Type;
use crate::compile::value::{ManifestValue, ValueMap};
use crate::functions::ruby::{class_name, equal, flatten, inspect_string, to_s_legacy};
use crate::functions::{Block, Evaluated, argument, legacy, no_method, signature, statement, text, type_error, typed};
use std::sync::Arc;

/// The parameters of `ensure_packages`.
const PACKAGES: &str = "(Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages, Hash $default_attributes?)";

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    legacy("defined_with_params", -1, defined_with_params),
    legacy("getparam", -1, getparam),
    statement("ensure_resource", -1, ensure_resource),
    statement("ensure_resources", -1, ensure_resources),
    typed("ensure_packages", &[signature(PACKAGES, ensure_packages)]),
    typed("stdlib::ensure_packages", &[signature(PACKAGES, ensure_packages)]),
    typed("stdlib::str2resource", &[signature("(String $res_string)", str2resource)]),
];

/// The lower-case type and the title of a resource; the title is empty for all resources of the type.
struct Reference {
    type_name: String,
    title: String,
}

impl Reference {
    /// Parses `Type[title]`.
    fn parse(text: &str) -> Result<Reference, EvaluationFailure> {
        let invalid =
            || EvaluationFailure::new(format!("No title provided and {} is not a valid resource reference", inspect_string(text)));
        let (name, rest) = text.split_once('[').ok_or_else(invalid)?;
        let title = rest.strip_suffix(']').filter(|title| !title.is_empty()).ok_or_else(invalid)?;
        if name.is_empty() || name.contains(']') {
            return Err(invalid());
        }
        Ok(Reference::new(name, title))
    }

    fn new(name: &str, title: &str) -> Reference {
        let type_name = name.trim_start_matches("::").to_lowercase();
        let title = if type_name == "class" { title.trim_start_matches("::").to_lowercase() } else { title.to_owned() };
        Reference { type_name, title }
    }

    /// Returns the reference of a string or of a type such as `File['/x']`.
    fn of(value: &ManifestValue) -> Result<Option<Reference>, EvaluationFailure> {
        match value {
            ManifestValue::String(text) => Reference::parse(text).map(Some),
            ManifestValue::Type(of) => Ok(match &**of {
                Type::Resource(Some(name), title) => Some(Reference::new(name, title.as_deref().unwrap_or_default())),
                Type::Class(Some(name)) => Some(Reference::new("class", name)),
                _ => None,
            }),
            _ => Ok(None),
        }
    }

    fn find(&self, context: &CallContext<'_>) -> Option<usize> {
        context.evaluator.catalog.find(&self.type_name, &self.title)
    }
}

/// Returns `true` if a resource other than that of the calling code is declared with these parameters.
fn is_declared(context: &mut CallContext<'_>, reference: &Reference, wanted: &ValueMap) -> bool {
    let Some(index) = reference.find(context).filter(|index| *index != context.scope.resource) else { return false };
    wanted.iter().all(|(key, value)| equal(&context.evaluator.parameter_value(index, &to_s_legacy(key)), value))
}

/// Returns the parameters of an argument that may be missing.
fn parameters(value: &ManifestValue) -> Result<Arc<ValueMap>, EvaluationFailure> {
    match value {
        ManifestValue::Hash(map) => Ok(map.clone()),
        ManifestValue::Undef | ManifestValue::Boolean(false) => Ok(Arc::default()),
        ManifestValue::String(text) if text.is_empty() => Ok(Arc::default()),
        other => Err(type_error(other, "Hash")),
    }
}

fn defined_with_params(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some(value) = arguments.first().filter(|value| value.is_true()) else {
        return Err(EvaluationFailure::new("Must specify a reference"));
    };
    let Some(reference) = Reference::of(value)? else {
        return Err(EvaluationFailure::new(format!("Reference is not understood: '{}'", class_name(value))));
    };
    if reference.title.is_empty() {
        return Err(EvaluationFailure::unsupported("`defined_with_params` of all resources of a type"));
    }
    if reference.find(context).is_none() {
        return Ok(ManifestValue::Boolean(false));
    }
    let wanted = parameters(argument(arguments, 1))?;
    Ok(ManifestValue::Boolean(is_declared(context, &reference, &wanted)))
}

/// Declares a resource for each title, unless it exists with the parameters.
fn declare(
    context: &mut CallContext<'_>,
    kind: &ManifestValue,
    titles: &ManifestValue,
    parameters: &Arc<ValueMap>,
) -> Result<(), EvaluationFailure> {
    for title in flatten(std::slice::from_ref(titles)) {
        let reference = Reference::parse(&format!("{}[{}]", to_s_legacy(kind), to_s_legacy(&title)))?;
        if is_declared(context, &reference, parameters) {
            continue;
        }
        let ManifestValue::String(kind) = kind else { return Err(no_method(kind, "capitalize")) };
        let instances = ManifestValue::hash([(title, ManifestValue::Hash(parameters.clone()))]);
        context.call("create_resources", vec![ManifestValue::string(kind.to_lowercase()), instances], None)?;
    }
    Ok(())
}

/// Returns the arguments that the functions require.
fn kind_and_title(arguments: &[ManifestValue]) -> Result<(&ManifestValue, &ManifestValue), EvaluationFailure> {
    let required = |at: usize, name: &str| {
        arguments.get(at).filter(|value| value.is_true()).ok_or_else(|| EvaluationFailure::new(format!("Must specify a {name}")))
    };
    Ok((required(0, "type")?, required(1, "title")?))
}

fn ensure_resource(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (kind, titles) = kind_and_title(arguments)?;
    let parameters = parameters(argument(arguments, 2))?;
    declare(context, kind, titles, &parameters).map(|()| ManifestValue::Undef)
}

/// Declares the resources of a hash of titles to parameters.
fn declare_all(
    context: &mut CallContext<'_>,
    kind: &ManifestValue,
    instances: &ValueMap,
    defaults: &ValueMap,
) -> Result<(), EvaluationFailure> {
    for (title, own) in instances {
        let own = parameters(own)?;
        let pairs = defaults.iter().chain(own.iter()).map(|(key, value)| (key.clone(), value.clone()));
        declare(context, kind, title, &Arc::new(pairs.collect()))?;
    }
    Ok(())
}

fn ensure_resources(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let (kind, instances) = kind_and_title(arguments)?;
    let ManifestValue::Hash(instances) = instances else {
        return Err(EvaluationFailure::new("ensure_resources(): Requires second argument to be a Hash"));
    };
    let defaults = parameters(argument(arguments, 2))?;
    declare_all(context, kind, instances, &defaults).map(|()| ManifestValue::Undef)
}

fn ensure_packages(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let ensure = ManifestValue::from("ensure");
    let mut defaults: ValueMap = [(ensure.clone(), ManifestValue::from("installed"))].into_iter().collect();
    for (key, value) in argument(arguments, 1).as_map().into_iter().flatten() {
        defaults.insert(key.clone(), value.clone());
    }
    if defaults.get(&ensure).and_then(ManifestValue::as_str) == Some("present") {
        defaults.insert(ensure, ManifestValue::from("installed"));
    }
    let kind = ManifestValue::from("package");
    match argument(arguments, 0) {
        ManifestValue::Hash(packages) => declare_all(context, &kind, packages, &defaults)?,
        packages => declare(context, &kind, packages, &Arc::new(defaults))?,
    }
    Ok(ManifestValue::Undef)
}

fn getparam(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let Some(value) = arguments.first().filter(|value| value.is_true()) else {
        return Err(EvaluationFailure::new("Must specify a reference"));
    };
    let Some(ManifestValue::String(parameter)) = arguments.get(1) else {
        return Err(EvaluationFailure::new("Must specify name of a parameter"));
    };
    if parameter.is_empty() {
        return Ok(ManifestValue::from(""));
    }
    let reference = match Reference::of(value)? {
        Some(reference) => reference,
        None => Reference::parse(&to_s_legacy(value))?,
    };
    let Some(index) = reference.find(context) else { return Ok(ManifestValue::from("")) };
    Ok(match context.evaluator.parameter_value(index, parameter) {
        ManifestValue::Undef => ManifestValue::from(""),
        value => value,
    })
}

fn str2resource(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let written = text(arguments, 0);
    let reference = Reference::parse(written)?;
    if reference.find(context).is_none() {
        let name = crate::compile::types::display::capitalized(&reference.type_name);
        let title = &reference.title;
        return Err(EvaluationFailure::new(format!(
            "stdlib::str2resource(): could not find {name}[{title}], this is parse order dependent and values should not be quoted"
        )));
    }
    let Reference { type_name, title } = reference;
    Ok(ManifestValue::of_type(match type_name.as_str() {
        "class" => Type::Class(Some(title.into())),
        _ => Type::Resource(Some(type_name.into()), Some(title.into())),
    }))
}
