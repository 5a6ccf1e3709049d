//! The function library: the functions of Puppet 7 and of the module stdlib that need no machine.

pub(crate) mod bridge;
mod collections;
pub mod data;
mod digests;
mod files;
mod numbers;
pub(crate) mod patterns;
mod random;
mod refused;
mod ruby;
mod sprintf;
mod stdlib;
mod string_formats;
mod string_new;
mod strings;
mod texts;
mod times;

use crate::compile::builtin;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::{Api, FunctionBody, FunctionRow, KnownFunctions, Signature, Table};
use crate::compile::scope::LambdaClosure;
use crate::compile::value::ManifestValue;
use std::sync::Arc;

/// The function tables, each with the module that defines the functions.
static TABLES: &[Table] = &[
    Table { module: "", rows: collections::TABLE },
    Table { module: "", rows: data::TABLE },
    Table { module: "", rows: digests::TABLE },
    Table { module: "", rows: files::TABLE },
    Table { module: "", rows: numbers::TABLE },
    Table { module: "", rows: patterns::TABLE },
    Table { module: "", rows: random::TABLE },
    Table { module: "", rows: refused::TABLE },
    Table { module: "", rows: string_new::TABLE },
    Table { module: "", rows: strings::TABLE },
    Table { module: "", rows: texts::TABLE },
    Table { module: "", rows: times::TABLE },
];

/// The result of a function.
type Evaluated = Result<ManifestValue, EvaluationFailure>;

/// The lambda of a call.
type Block<'b> = Option<&'b Arc<LambdaClosure>>;

/// Returns all functions.
pub fn table() -> KnownFunctions {
    KnownFunctions::new(builtin::TABLES.iter().chain(TABLES).chain(stdlib::TABLES))
}

/// Returns a row of the 4.x API.
const fn typed(name: &'static str, signatures: &'static [Signature]) -> FunctionRow {
    FunctionRow { name, api: Api::Typed(signatures) }
}

/// Returns a way to call a function.
const fn signature(parameters: &'static str, body: FunctionBody) -> Signature {
    Signature { parameters, body }
}

/// Returns a row of the 3.x API with a value.
const fn legacy(name: &'static str, arity: i32, body: FunctionBody) -> FunctionRow {
    FunctionRow { name, api: Api::Legacy { arity, is_statement: false, body } }
}

/// Returns a row of the 3.x API without a value.
const fn statement(name: &'static str, arity: i32, body: FunctionBody) -> FunctionRow {
    FunctionRow { name, api: Api::Legacy { arity, is_statement: true, body } }
}

/// Returns an argument; missing arguments are `undef`.
fn argument(arguments: &[ManifestValue], at: usize) -> &ManifestValue {
    arguments.get(at).unwrap_or(&ManifestValue::Undef)
}

/// Returns an argument that is a string by the signature.
fn text(arguments: &[ManifestValue], at: usize) -> &str {
    argument(arguments, at).as_str().unwrap_or_default()
}

/// Returns a length as a value.
fn length(length: usize) -> ManifestValue {
    ManifestValue::Integer(i64::try_from(length).unwrap_or(i64::MAX))
}

/// Returns the error of Ruby code that gets a wrong kind of value.
fn type_error(value: &ManifestValue, expected: &str) -> EvaluationFailure {
    let name = match value {
        ManifestValue::Undef => "nil".to_owned(),
        ManifestValue::Boolean(value) => value.to_string(),
        other => ruby::class_name(other),
    };
    EvaluationFailure::new(format!("no implicit conversion of {name} into {expected}"))
}

/// Returns the error of a method that a Ruby object does not have.
fn no_method(value: &ManifestValue, method: &str) -> EvaluationFailure {
    let shown = ruby::inspect(value);
    let receiver = match value {
        ManifestValue::Undef | ManifestValue::Boolean(_) => format!("{shown}:{}", ruby::class_name(value)),
        _ => format!("{shown}:{}", ruby::class_name(value)),
    };
    EvaluationFailure::new(format!("undefined method `{method}' for {receiver}"))
}
