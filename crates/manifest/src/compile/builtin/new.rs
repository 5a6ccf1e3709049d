//! `new` and `convert_to`.

use super::argument;
use super::convert;
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::types::{Type, describe_mismatch, infer_exact};
use crate::compile::value::ManifestValue;
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    FunctionRow { name: "new", api: Api::Typed(&[Signature { parameters: "(Type $type, Any *$args, Callable &block?)", body: new }]) },
    FunctionRow {
        name: "convert_to",
        api: Api::Typed(&[Signature { parameters: "(Any $value, Type $type, Any *$args, Callable[1, 1] &block?)", body: convert_to }]),
    },
    convert::INTEGER,
    convert::FLOAT,
    convert::NUMERIC,
    convert::BOOLEAN,
    convert::ARRAY,
    convert::HASH,
    convert::SEMVER,
    convert::SEMVER_RANGE,
    convert::BINARY,
    convert::URI,
    convert::SENSITIVE,
    convert::REGEXP,
    convert::TYPE,
    convert::UNIT,
];

fn new(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let ManifestValue::Type(of) = argument(arguments, 0) else { return Ok(ManifestValue::Undef) };
    let rest = arguments.get(1..).unwrap_or_default();
    let value = create(context, of, rest)?;
    match (rest, block) {
        ([single], _) if !matches!(**of, Type::Init(..)) && of.is_instance(single) => Ok(single.clone()),
        (_, Some(block)) => context.yield_to(block, vec![value]),
        _ => Ok(value),
    }
}

fn convert_to(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let all: Vec<ManifestValue> =
        [argument(arguments, 1).clone(), argument(arguments, 0).clone()].into_iter().chain(arguments.iter().skip(2).cloned()).collect();
    let value = context.call("new", all, None)?;
    match block {
        Some(block) => context.yield_to(block, vec![value]),
        None => Ok(value),
    }
}

/// Creates a value of a type.
///
/// # Errors
/// Returns an error if the arguments do not fit, or the value is not of the type.
pub fn create(context: &mut CallContext<'_>, of: &Type, arguments: &[ManifestValue]) -> Result<ManifestValue, EvaluationFailure> {
    if let [single] = arguments
        && !matches!(of, Type::Init(..))
        && of.is_instance(single)
    {
        return Ok(single.clone());
    }
    let value = construct(context, of, arguments)?;
    if of.is_instance(&value) {
        return Ok(value);
    }
    let name = format!("Converted value from {}.new() has wrong type,", of.expanded_text());
    Err(EvaluationFailure::new(describe_mismatch(&name, of, &infer_exact(&value))))
}

/// Returns the name of the constructor of a type.
fn constructor(of: &Type) -> Option<&'static str> {
    Some(match of {
        Type::Integer(_) => "Integer.new",
        Type::Float(_) => "Float.new",
        Type::Numeric => "Numeric.new",
        Type::Boolean(_) => "Boolean.new",
        Type::String(_) | Type::Literal(_) => "String.new",
        Type::Array(..) | Type::Tuple(_) => "Array.new",
        Type::Hash(..) | Type::Struct(_) => "Hash.new",
        Type::SemVer(_) => "SemVer.new",
        Type::SemVerRange => "SemVerRange.new",
        Type::Binary => "Binary.new",
        Type::Uri(_) => "URI.new",
        Type::Sensitive(_) => "Sensitive.new",
        Type::Regexp(_) => "Regexp.new",
        Type::Timestamp(_) => "Timestamp.new",
        Type::Timespan(_) => "Timespan.new",
        Type::Type(_) => "Type.new",
        Type::Unit => "Unit.new",
        _ => return None,
    })
}

/// Returns the type whose constructor is called for a type.
fn constructed(of: &Type) -> &Type {
    let mut of = of.resolved();
    // A cycle of aliases has no constructor.
    for _ in 0..64 {
        of = match of {
            Type::Optional(inner) => inner.resolved(),
            Type::NotUndef(inner) if **inner == Type::Any => &Type::Unit,
            Type::NotUndef(inner) => inner.resolved(),
            _ => break,
        };
    }
    of
}

fn construct(context: &mut CallContext<'_>, of: &Type, arguments: &[ManifestValue]) -> Result<ManifestValue, EvaluationFailure> {
    match constructed(of) {
        Type::Init(Some(inner), more) => {
            let all: Vec<ManifestValue> = match arguments {
                [ManifestValue::Array(list)] if more.is_empty() && !inner.is_instance(argument(arguments, 0)) => list.to_vec(),
                _ => arguments.iter().chain(more.iter()).cloned().collect(),
            };
            create(context, &inner.clone(), &all)
        }
        Type::Object(Some(object)) => convert::object(object, arguments),
        of => match constructor(of) {
            Some(name) => context.call(name, arguments.to_vec(), None),
            None => Err(EvaluationFailure::new(format!("Creation of new instance of type '{of}' is not supported"))),
        },
    }
}
