//! `notice`, `fail` and their like.

use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::{Api, Function, Signature};
use crate::compile::logs::Level;
use crate::compile::scope::Closure;
use crate::compile::text::display;
use crate::compile::value::Value;
use std::sync::Arc;

macro_rules! level {
    ($name:literal, $function:ident) => {
        Function { name: $name, api: Api::Typed(&[Signature { parameters: "(Any *$values)", body: $function }]) }
    };
}

/// The functions of this file.
pub const TABLE: &[Function] = &[
    level!("debug", debug),
    level!("info", info),
    level!("notice", notice),
    level!("warning", warning),
    level!("err", err),
    level!("alert", alert),
    level!("emerg", emerg),
    level!("crit", crit),
    Function { name: "fail", api: Api::Legacy { arity: -1, is_statement: true, body: fail } },
];

fn log(context: &mut Context<'_>, arguments: &[Value], level: Level) -> Result<Value, Failure> {
    let text = arguments.iter().map(display).collect::<Vec<_>>().join(" ");
    context.log(level, text);
    Ok(Value::Undef)
}

fn debug(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Debug)
}

fn info(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Info)
}

fn notice(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Notice)
}

fn warning(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Warning)
}

fn err(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Err)
}

fn alert(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Alert)
}

fn emerg(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Emerg)
}

fn crit(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    log(context, arguments, Level::Crit)
}

fn fail(_: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Err(Failure::new(arguments.iter().map(display).collect::<Vec<_>>().join(" ")))
}
