//! Functions that need Ruby, programs or data that is not supported.

use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::{Api, Function};
use crate::compile::scope::Closure;
use crate::compile::value::Value;
use std::sync::Arc;

macro_rules! refused {
    ($name:literal, $function:ident) => {
        Function { name: $name, api: Api::Legacy { arity: -1, is_statement: false, body: $function } }
    };
}

/// The functions of this file.
pub const TABLE: &[Function] = &[refused!("template", template), refused!("inline_template", template), refused!("generate", program)];

fn template(context: &mut Context<'_>, _: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Err(Failure::unsupported(format!("{}(): ERB templates are not supported", context.name())))
}

fn program(_: &mut Context<'_>, _: &[Value], _: Option<&Arc<Closure>>) -> Result<Value, Failure> {
    Err(Failure::unsupported("generate(): no program is started"))
}
