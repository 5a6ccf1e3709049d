//! `notice`, `fail` and their like.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionRow, Signature};
use crate::compile::logs::Level;
use crate::compile::scope::LambdaClosure;
use crate::compile::text::display;
use crate::compile::value::ManifestValue;
use std::sync::Arc;

macro_rules! level {
    ($name:literal, $function:ident) => {
        FunctionRow { name: $name, api: Api::Typed(&[Signature { parameters: "(Any *$values)", body: $function }]) }
    };
}

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    level!("debug", debug),
    level!("info", info),
    level!("notice", notice),
    level!("warning", warning),
    level!("err", err),
    level!("alert", alert),
    level!("emerg", emerg),
    level!("crit", crit),
    FunctionRow { name: "fail", api: Api::Legacy { arity: -1, is_statement: true, body: fail } },
];

fn log(context: &mut CallContext<'_>, arguments: &[ManifestValue], level: Level) -> Result<ManifestValue, EvaluationFailure> {
    let text = arguments.iter().map(display).collect::<Vec<_>>().join(" ");
    context.log(level, text);
    Ok(ManifestValue::Undef)
}

fn debug(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Debug)
}

fn info(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Info)
}

fn notice(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Notice)
}

fn warning(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Warning)
}

fn err(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Err)
}

fn alert(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Alert)
}

fn emerg(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Emerg)
}

fn crit(
    context: &mut CallContext<'_>,
    arguments: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    log(context, arguments, Level::Crit)
}

fn fail(_: &mut CallContext<'_>, arguments: &[ManifestValue], _: Option<&Arc<LambdaClosure>>) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::new(arguments.iter().map(display).collect::<Vec<_>>().join(" ")))
}
