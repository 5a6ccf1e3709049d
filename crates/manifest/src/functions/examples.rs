//! Functions of strings.

use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::{Api, Function, Signature};
use crate::compile::scope::Closure;
use crate::compile::value::Value;
use std::sync::Arc;

/// The functions of this file.
pub const TABLE: &[Function] = &[
    Function {
        name: "downcase",
        api: Api::Typed(&[
            Signature { parameters: "(Numeric $arg)", body: same },
            Signature { parameters: "(String $arg)", body: downcase },
        ]),
    },
    Function { name: "then", api: Api::Typed(&[Signature { parameters: "(Any $arg, Callable[1, 1] &block)", body: then }]) },
    Function { name: "str2bool", api: Api::Legacy { arity: -2, is_statement: false, body: str2bool } },
];

fn same(_: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Ok(arguments.first().cloned().unwrap_or(Value::Undef))
}

fn downcase(_: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    let text = arguments.first().and_then(Value::as_str).unwrap_or_default();
    Ok(Value::string(text.to_lowercase()))
}

fn then(context: &mut Context<'_>, arguments: &[Value], block: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    match (arguments.first(), block) {
        (Some(value), Some(block)) if *value != Value::Undef => context.yield_to(block, vec![value.clone()]),
        _ => Ok(Value::Undef),
    }
}

fn str2bool(_: &mut Context<'_>, arguments: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    match arguments.first() {
        Some(Value::Boolean(value)) => Ok(Value::Boolean(*value)),
        Some(Value::String(text)) => match text.as_str() {
            "1" | "t" | "true" | "y" | "yes" => Ok(Value::Boolean(true)),
            "" | "0" | "f" | "false" | "n" | "no" | "undef" | "undefined" => Ok(Value::Boolean(false)),
            _ => Err(Failure::new("str2bool(): Unknown type of boolean given")),
        },
        _ => Err(Failure::new("str2bool(): Requires string to work with")),
    }
}
