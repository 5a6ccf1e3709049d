//! Functions that compute digests.

use super::{Block, Evaluated, argument, legacy, type_error};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;
use rtype_lang::value::digest;

/// The functions of this file.
pub const TABLE: &[FunctionRow] =
    &[legacy("md5", 1, named), legacy("sha1", 1, named), legacy("sha256", 1, named), legacy("digest", 1, configured)];

fn hex(kind: &str, value: &ManifestValue) -> Evaluated {
    let ManifestValue::String(text) = value else { return Err(type_error(value, "String")) };
    let hex = digest::hex(kind, text.as_bytes()).ok_or_else(|| EvaluationFailure::unsupported(format!("the digest algorithm `{kind}`")))?;
    Ok(ManifestValue::string(hex))
}

/// Computes the digest that has the name of the function.
fn named(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    hex(context.name(), argument(arguments, 0))
}

fn configured(context: &mut CallContext<'_>, arguments: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let kind = context.setting("digest_algorithm");
    hex(kind.as_ref().and_then(ManifestValue::as_str).unwrap_or("sha256"), argument(arguments, 0))
}
