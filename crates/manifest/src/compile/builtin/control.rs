//! `break`, `next`, `return`, `with`, `then`, `lest`, `call` and templates.

use super::{argument, required};
use crate::compile::context::Context;
use crate::compile::failure::{Failure, FailureKind};
use crate::compile::function::{Api, Function, Signature};
use crate::compile::scope::Closure;
use crate::compile::value::Value;
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[Function] = &[
    Function { name: "break", api: Api::Typed(&[Signature { parameters: "()", body: break_ }]) },
    Function { name: "next", api: Api::Typed(&[Signature { parameters: "(Any $value?)", body: next }]) },
    Function { name: "return", api: Api::Typed(&[Signature { parameters: "(Any $value?)", body: return_ }]) },
    Function { name: "with", api: Api::Typed(&[Signature { parameters: "(Any *$arg, Callable &block)", body: with }]) },
    Function { name: "then", api: Api::Typed(&[Signature { parameters: "(Any $arg, Callable[1, 1] &block)", body: then }]) },
    Function { name: "lest", api: Api::Typed(&[Signature { parameters: "(Any $arg, Callable[0, 0] &block)", body: lest }]) },
    Function {
        name: "call",
        api: Api::Typed(&[
            Signature { parameters: "(String $function_name, Any *$arguments, Callable &block?)", body: call },
            Signature { parameters: "(Deferred $deferred)", body: call_deferred },
        ]),
    },
    Function {
        name: "epp",
        api: Api::Typed(&[Signature { parameters: "(String $path, Hash[Pattern[/^\\w+$/], Any] $parameters?)", body: epp }]),
    },
    Function {
        name: "inline_epp",
        api: Api::Typed(&[Signature { parameters: "(String $template, Hash[Pattern[/^\\w+$/], Any] $parameters?)", body: inline_epp }]),
    },
];

fn break_(context: &mut Context<'_>, _: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Err(Failure::jump(FailureKind::Break, context.span))
}

fn next(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Err(Failure::jump(FailureKind::Next(argument(arguments, 0).clone()), context.span))
}

fn return_(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Err(Failure::jump(FailureKind::Return(argument(arguments, 0).clone()), context.span))
}

fn with(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    context.call_lambda(required(block)?, arguments.to_vec())
}

fn then(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    match argument(arguments, 0) {
        Value::Undef => Ok(Value::Undef),
        value => context.yield_to(required(block)?, vec![value.clone()]),
    }
}

fn lest(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    match argument(arguments, 0) {
        Value::Undef => context.yield_to(required(block)?, Vec::new()),
        value => Ok(value.clone()),
    }
}

fn call(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let name = argument(arguments, 0).as_str().unwrap_or_default().to_owned();
    context.call(&name, arguments.get(1..).unwrap_or_default().to_vec(), block.cloned())
}

fn call_deferred(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let Value::Object(object) = argument(arguments, 0) else { return Ok(Value::Undef) };
    let name = object.attributes.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    if name.starts_with('$') {
        return Err(Failure::unsupported("a deferred variable"));
    }
    let arguments = object.attributes.get("arguments").and_then(Value::as_array).unwrap_or_default().to_vec();
    context.call(&name, arguments, None)
}

fn epp(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let name = argument(arguments, 0).as_str().unwrap_or_default();
    context.evaluator.template_file(name, arguments.get(1).and_then(Value::as_map))
}

fn inline_epp(context: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let text = argument(arguments, 0).as_str().unwrap_or_default();
    let scope = context.scope.clone();
    context.evaluator.inline_template(text, arguments.get(1).and_then(Value::as_map), &scope)
}
