//! Functions about types, variables and definitions.

use super::{argument, required};
use crate::compile::context::CallContext;
use crate::compile::evaluator::compare;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::text::label::ruby_class;
use crate::compile::types::{Type, describe_mismatch, infer, infer_exact};
use crate::compile::value::{ManifestValue, ValuePattern};
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    FunctionRow {
        name: "type",
        api: Api::Typed(&[
            Signature { parameters: "(Any $value, Enum[detailed] $inference_method?)", body: type_exact },
            Signature { parameters: "(Any $value, Enum[reduced] $inference_method)", body: type_reduced },
            Signature { parameters: "(Any $value, Enum[generalized] $inference_method)", body: type_generalized },
        ]),
    },
    FunctionRow {
        name: "assert_type",
        api: Api::Typed(&[
            Signature { parameters: "(Type $type, Any $value, Callable[Type, Type] &block?)", body: assert_type },
            Signature { parameters: "(String $type_string, Any $value, Callable[Type, Type] &block?)", body: assert_type },
        ]),
    },
    FunctionRow {
        name: "getvar",
        api: Api::Typed(&[
            Signature {
                parameters: "(Pattern[/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*(?:\\.|\\Z)/] $get_string, Any $default_value?, Callable[1, 1] &block?)",
                body: getvar,
            },
            Signature { parameters: "!(String $get_string, Any $default_value?, Callable &block?)", body: bad_variable },
        ]),
    },
    FunctionRow {
        name: "get",
        api: Api::Typed(&[Signature {
            parameters: "(Any $value, String $dotted_string, Any $default_value?, Callable[1, 1] &block?)",
            body: get,
        }]),
    },
    FunctionRow {
        name: "defined",
        api: Api::Typed(&[Signature {
            parameters: "(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals)",
            body: defined,
        }]),
    },
    FunctionRow {
        name: "match",
        api: Api::Typed(&[
            Signature { parameters: "(String $string, Variant[Any, Type] $pattern)", body: match_ },
            Signature { parameters: "(Array[String] $string, Variant[Any, Type] $pattern)", body: match_all },
        ]),
    },
    FunctionRow { name: "import", api: Api::Typed(&[Signature { parameters: "(Any *$arguments)", body: import }]) },
];

fn type_exact(
    _: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    Ok(ManifestValue::of_type(infer_exact(argument(arguments, 0))))
}

fn type_reduced(
    _: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    Ok(ManifestValue::of_type(infer(argument(arguments, 0))))
}

fn type_generalized(
    _: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    Ok(ManifestValue::of_type(infer(argument(arguments, 0)).generalized()))
}

fn assert_type(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let of = match argument(arguments, 0) {
        ManifestValue::Type(of) => (**of).clone(),
        ManifestValue::String(text) => Type::parse(text)?,
        _ => Type::Any,
    };
    let value = argument(arguments, 1);
    if of.is_instance(value) {
        return Ok(value.clone());
    }
    let actual = infer_exact(value);
    match block {
        Some(block) => context.yield_to(block, vec![ManifestValue::of_type(of), ManifestValue::of_type(actual)]),
        None => Err(EvaluationFailure::new(describe_mismatch("assert_type():", &of, &actual))),
    }
}

fn bad_variable(_: &mut CallContext<'_>, _: &[ManifestValue], _: Option<&Arc<LambdaClosure>>) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::new("The given string does not start with a valid variable name"))
}

fn getvar(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let navigation = match rest.strip_prefix('.') {
        Some(navigation) => navigation,
        None if rest.is_empty() => "",
        None => {
            let got: String = rest.chars().take(1).collect();
            return Err(EvaluationFailure::new(format!("First character after var name in get string must be a '.' - got {got}")));
        }
    };
    let default = argument(arguments, 1);
    match context.variable(name) {
        Some(value) => navigate(context, &value, navigation, default, block),
        None => Ok(default.clone()),
    }
}

fn get(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let navigation = argument(arguments, 1).as_str().unwrap_or_default();
    navigate(context, argument(arguments, 0), navigation, argument(arguments, 2), block)
}

/// Follows a path such as `a.0.'b.c'`.
fn navigate(
    context: &mut CallContext<'_>,
    value: &ManifestValue,
    navigation: &str,
    default: &ManifestValue,
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    if *value == ManifestValue::Undef {
        return Ok(default.clone());
    }
    if navigation.is_empty() {
        return Ok(value.clone());
    }
    let segments = segments(navigation).ok_or_else(|| EvaluationFailure::new("Syntax error in dotted-navigation string"))?;
    let mut at = value.clone();
    for (index, segment) in segments.iter().enumerate() {
        context.evaluator.refuse_unread_key(&at, segment)?;
        at = match (&at, segment) {
            (ManifestValue::Undef, _) => return Ok(default.clone()),
            (ManifestValue::Hash(map), key) => map.get(key).cloned().unwrap_or(ManifestValue::Undef),
            (ManifestValue::Array(elements), ManifestValue::Integer(number)) => {
                let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
                let number = if *number < 0 { length + number } else { *number };
                usize::try_from(number).ok().and_then(|number| elements.get(number)).cloned().unwrap_or(ManifestValue::Undef)
            }
            (ManifestValue::Array(_), key) => {
                let path: Vec<String> = segments.iter().take(index + 1).map(crate::compile::evaluator::ruby_inspect).collect();
                let text = format!("The given data requires an Integer index at [{}], got '{}'", path.join(", "), infer(key));
                return Err(EvaluationFailure::new(text)).or_else(|failure| blocked(context, block, &failure));
            }
            (other, _) => {
                let path: Vec<String> = segments.iter().take(index).map(crate::compile::evaluator::ruby_inspect).collect();
                let text = format!("The given data does not contain a Collection at [{}], got '{}'", path.join(", "), infer(other));
                return Err(EvaluationFailure::new(text)).or_else(|failure| blocked(context, block, &failure));
            }
        };
    }
    Ok(if at == ManifestValue::Undef { default.clone() } else { at })
}

/// Calls the lambda for an error, or returns the error.
fn blocked(
    _: &mut CallContext<'_>,
    block: Option<&Arc<LambdaClosure>>,
    failure: &EvaluationFailure,
) -> Result<ManifestValue, EvaluationFailure> {
    match block {
        Some(_) => Err(EvaluationFailure::unsupported("the lambda of get() for errors")),
        None => Err(failure.clone()),
    }
}

/// Splits a path at its dots; quotes keep dots.
fn segments(text: &str) -> Option<Vec<ManifestValue>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let first = rest.chars().next()?;
        let (segment, after) = if first == '\'' || first == '"' {
            let inner = rest.get(1..)?;
            let end = inner.find(first)?;
            (ManifestValue::string(inner.get(..end)?), inner.get(end + 1..)?)
        } else {
            let end = rest.find('.').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if word.is_empty() || word.contains(['\'', '"']) {
                return None;
            }
            let number = word.strip_prefix('-').unwrap_or(word);
            let is_number = number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty();
            let segment = if is_number {
                word.parse().map(ManifestValue::Integer).unwrap_or(ManifestValue::string(word))
            } else {
                ManifestValue::string(word)
            };
            (segment, after)
        };
        found.push(segment);
        if after.is_empty() {
            return Some(found);
        }
        rest = after.strip_prefix('.')?;
    }
}

fn defined(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    for value in arguments {
        if is_defined(context, value)? {
            return Ok(ManifestValue::Boolean(true));
        }
    }
    Ok(ManifestValue::Boolean(false))
}

fn is_defined(context: &mut CallContext<'_>, value: &ManifestValue) -> Result<bool, EvaluationFailure> {
    match value {
        ManifestValue::String(text) => match text.strip_prefix('$') {
            Some(name) if !name.is_empty() => {
                let built_in = ["module_name", "caller_module_name"].contains(&name);
                Ok(built_in || context.variable(name).is_some())
            }
            _ if text.is_empty() => Ok(false),
            _ if text == "main" => Ok(true),
            _ => {
                let lower = text.to_lowercase();
                let lower = lower.strip_prefix("::").unwrap_or(&lower);
                Ok(context.evaluator.is_resource_type(lower)? && lower != "node" || context.evaluator.find_class(lower)?.is_some())
            }
        },
        ManifestValue::Type(of) => match &**of {
            Type::Type(inner) => match &**inner {
                Type::Class(Some(name)) => Ok(context.evaluator.find_class(name)?.is_some()),
                Type::Class(None) => Err(EvaluationFailure::new("The given class type is a reference to all classes")),
                _ => is_defined(context, &ManifestValue::Type(inner.clone())),
            },
            Type::Resource(None, _) => Err(EvaluationFailure::new("The given resource type is a reference to all kind of types")),
            Type::Resource(Some(name), None) => context.evaluator.is_resource_type(name),
            Type::Resource(Some(name), Some(title)) => Ok(context.evaluator.catalog.find(name, title).is_some()),
            Type::Class(Some(name)) => Ok(context.evaluator.catalog.find("class", name).is_some()),
            Type::Class(None) => Err(EvaluationFailure::new("The given class type is a reference to all classes")),
            _ => Err(EvaluationFailure::new("Invalid argument of type 'Puppet::Pops::Types::PCatalogEntryType' to 'defined'")),
        },
        _ => Ok(false),
    }
}

fn match_(
    _: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    matched(argument(arguments, 1), argument(arguments, 0).as_str().unwrap_or_default())
}

fn match_all(
    _: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let texts = argument(arguments, 0).as_array().unwrap_or_default();
    let pattern = argument(arguments, 1);
    let all: Vec<ManifestValue> = texts.iter().map(|text| matched(pattern, text.as_str().unwrap_or_default())).collect::<Result<_, _>>()?;
    Ok(ManifestValue::array(all))
}

/// Returns the groups of a match, or undef.
fn matched(pattern: &ManifestValue, text: &str) -> Result<ManifestValue, EvaluationFailure> {
    let groups = |pattern: &ValuePattern| {
        let scope = crate::compile::scope::VariableScope::new(crate::compile::scope::Owner::Local, None, 0, ecow::EcoString::new());
        let found = compare::search(pattern, text, Some(&scope));
        Ok(if found {
            scope.matches().map_or(ManifestValue::Undef, |groups| ManifestValue::array(groups.to_vec()))
        } else {
            ManifestValue::Undef
        })
    };
    let first = |all: Vec<ManifestValue>| -> Result<ManifestValue, EvaluationFailure> {
        for pattern in all {
            let found = matched(&pattern, text)?;
            if found != ManifestValue::Undef {
                return Ok(found);
            }
        }
        Ok(ManifestValue::Undef)
    };
    match pattern {
        ManifestValue::String(source) => groups(&*ValuePattern::new(source)?),
        ManifestValue::Regexp(pattern) => groups(pattern),
        ManifestValue::Array(all) => first(all.to_vec()),
        ManifestValue::Type(of) => match of.resolved() {
            Type::Regexp(Some(pattern)) => groups(pattern),
            Type::Regexp(None) => Err(EvaluationFailure::new("Given Regexp Type has no regular expression")),
            Type::Pattern(patterns) => first(patterns.iter().cloned().map(ManifestValue::Regexp).collect()),
            Type::Variant(types) => first(types.iter().cloned().map(ManifestValue::of_type).collect()),
            _ => Err(bad_pattern(pattern)),
        },
        other => Err(bad_pattern(other)),
    }
}

fn bad_pattern(pattern: &ManifestValue) -> EvaluationFailure {
    EvaluationFailure::new(format!(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {}",
        ruby_class(pattern)
    ))
}

fn import(
    context: &mut CallContext<'_>,
    _: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let _ = block.map(|block| required(Some(block)));
    let text =
        "Use of 'import' has been discontinued in favor of a manifest directory. See http://links.puppet.com/puppet-import-deprecation";
    Err(EvaluationFailure::at(context.span, text))
}
