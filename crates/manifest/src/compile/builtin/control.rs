//! `break`, `next`, `return`, `with`, `then`, `lest`, `call` and templates.

use super::{argument, required};
use crate::compile::context::CallContext;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind};
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::scope::LambdaClosure;
use crate::compile::value::ManifestValue;
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    FunctionRow { name: "break", api: Api::Typed(&[Signature { parameters: "()", body: break_ }]) },
    FunctionRow { name: "next", api: Api::Typed(&[Signature { parameters: "(Any $value?)", body: next }]) },
    FunctionRow { name: "return", api: Api::Typed(&[Signature { parameters: "(Any $value?)", body: return_ }]) },
    FunctionRow { name: "with", api: Api::Typed(&[Signature { parameters: "(Any *$arg, Callable &block)", body: with }]) },
    FunctionRow { name: "then", api: Api::Typed(&[Signature { parameters: "(Any $arg, Callable[1, 1] &block)", body: then }]) },
    FunctionRow { name: "lest", api: Api::Typed(&[Signature { parameters: "(Any $arg, Callable[0, 0] &block)", body: lest }]) },
    FunctionRow {
        name: "call",
        api: Api::Typed(&[
            Signature { parameters: "(String $function_name, Any *$arguments, Callable &block?)", body: call },
            Signature { parameters: "(Deferred $deferred)", body: call_deferred },
        ]),
    },
    FunctionRow {
        name: "epp",
        api: Api::Typed(&[Signature { parameters: "(String $path, Hash[Pattern[/^\\w+$/], Any] $parameters?)", body: epp }]),
    },
    FunctionRow {
        name: "inline_epp",
        api: Api::Typed(&[Signature { parameters: "(String $template, Hash[Pattern[/^\\w+$/], Any] $parameters?)", body: inline_epp }]),
    },
];

fn break_(context: &mut CallContext<'_>, _: &[ManifestValue], _: Option<&Arc<LambdaClosure>>) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::jump(EvaluationFailureKind::Break, context.span))
}

fn next(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::jump(EvaluationFailureKind::Next(argument(arguments, 0).clone()), context.span))
}

fn return_(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::jump(EvaluationFailureKind::Return(argument(arguments, 0).clone()), context.span))
}

fn with(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    context.call_lambda(required(block)?, arguments.to_vec())
}

fn then(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    match argument(arguments, 0) {
        ManifestValue::Undef => Ok(ManifestValue::Undef),
        value => context.yield_to(required(block)?, vec![value.clone()]),
    }
}

fn lest(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    match argument(arguments, 0) {
        ManifestValue::Undef => context.yield_to(required(block)?, Vec::new()),
        value => Ok(value.clone()),
    }
}

fn call(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    block: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let name = argument(arguments, 0).as_str().unwrap_or_default().to_owned();
    context.call(&name, arguments.get(1..).unwrap_or_default().to_vec(), block.cloned())
}

fn call_deferred(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let ManifestValue::Object(object) = argument(arguments, 0) else { return Ok(ManifestValue::Undef) };
    let name = object.attributes.get("name").and_then(ManifestValue::as_str).unwrap_or_default().to_owned();
    if name.starts_with('$') {
        return Err(EvaluationFailure::unsupported("a deferred variable"));
    }
    let arguments = object.attributes.get("arguments").and_then(ManifestValue::as_array).unwrap_or_default().to_vec();
    context.call(&name, arguments, None)
}

fn epp(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let name = argument(arguments, 0).as_str().unwrap_or_default();
    context.evaluator.template_file(name, arguments.get(1).and_then(ManifestValue::as_map))
}

fn inline_epp(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    let scope = context.scope.clone();
    context.evaluator.inline_template(text, arguments.get(1).and_then(ManifestValue::as_map), &scope)
}
