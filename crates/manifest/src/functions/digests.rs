//! Functions that compute digests.

use super::{Block, Evaluated, argument, legacy, type_error};
use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::function::Function;
use crate::compile::value::Value;
use rtype_lang::value::digest;

/// The functions of this file.
pub const TABLE: &[Function] =
    &[legacy("md5", 1, named), legacy("sha1", 1, named), legacy("sha256", 1, named), legacy("digest", 1, configured)];

fn hex(kind: &str, value: &Value) -> Evaluated {
    let Value::String(text) = value else { return Err(type_error(value, "String")) };
    let hex = digest::hex(kind, text.as_bytes()).ok_or_else(|| Failure::unsupported(format!("the digest algorithm `{kind}`")))?;
    Ok(Value::string(hex))
}

/// Computes the digest that has the name of the function.
fn named(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    hex(context.name(), argument(arguments, 0))
}

fn configured(context: &mut Context<'_>, arguments: &[Value], _: Block<'_>) -> Evaluated {
    let kind = context.setting("digest_algorithm");
    hex(kind.as_ref().and_then(Value::as_str).unwrap_or("sha256"), argument(arguments, 0))
}
