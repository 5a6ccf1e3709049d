//! Functions that need Ruby, programs or data that is not supported.

use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionRow};
use crate::compile::scope::LambdaClosure;
use crate::compile::value::ManifestValue;
use std::sync::Arc;

#[cfg(feature = "ruby")]
use crate::ruby::{inline_template, template};
#[cfg(not(feature = "ruby"))]
use template as inline_template;

macro_rules! refused {
    ($name:literal, $function:ident) => {
        FunctionRow { name: $name, api: Api::Legacy { arity: -1, is_statement: false, body: $function } }
    };
}

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[
    FunctionRow { name: "template", api: Api::Legacy { arity: -2, is_statement: false, body: template } },
    FunctionRow { name: "inline_template", api: Api::Legacy { arity: -2, is_statement: false, body: inline_template } },
    refused!("generate", program),
];

#[cfg(not(feature = "ruby"))]
fn template(
    context: &mut CallContext<'_>,
    _: &[ManifestValue],
    _: Option<&Arc<LambdaClosure>>,
) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::unsupported(format!("{}(): ERB templates are not supported", context.name())))
}

fn program(_: &mut CallContext<'_>, _: &[ManifestValue], _: Option<&Arc<LambdaClosure>>) -> Result<ManifestValue, EvaluationFailure> {
    Err(EvaluationFailure::unsupported("generate(): no program is started"))
}
