//! The function library: the functions of Puppet 7 and of the module stdlib that need no machine.

mod bridge;
mod collections;
pub mod data;
mod digests;
mod files;
mod numbers;
mod patterns;
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
use crate::compile::failure::Failure;
use crate::compile::function::{Api, Body, Function, FunctionTable, Signature, Table};
use crate::compile::scope::Closure;
use crate::compile::value::Value;
use std::sync::Arc;

/// The tables of the functions of Puppet.
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
type Evaluated = Result<Value, Failure>;

/// The lambda of a call.
type Block<'b> = Option<&'b Arc<Closure>>;

/// Returns all functions.
pub fn table() -> FunctionTable {
    FunctionTable::new(builtin::TABLES.iter().chain(TABLES).chain(stdlib::TABLES))
}

/// Returns a row of the 4.x API.
const fn typed(name: &'static str, signatures: &'static [Signature]) -> Function {
    Function { name, api: Api::Typed(signatures) }
}

/// Returns a way to call a function.
const fn signature(parameters: &'static str, body: Body) -> Signature {
    Signature { parameters, body }
}

/// Returns a row of the 3.x API with a value.
const fn legacy(name: &'static str, arity: i32, body: Body) -> Function {
    Function { name, api: Api::Legacy { arity, is_statement: false, body } }
}

/// Returns a row of the 3.x API without a value.
const fn statement(name: &'static str, arity: i32, body: Body) -> Function {
    Function { name, api: Api::Legacy { arity, is_statement: true, body } }
}

/// Returns an argument; missing arguments are `undef`.
fn argument(arguments: &[Value], at: usize) -> &Value {
    arguments.get(at).unwrap_or(&Value::Undef)
}

/// Returns an argument that is a string by the signature.
fn text(arguments: &[Value], at: usize) -> &str {
    argument(arguments, at).as_str().unwrap_or_default()
}

/// Returns a length as a value.
fn length(length: usize) -> Value {
    Value::Integer(i64::try_from(length).unwrap_or(i64::MAX))
}

/// Returns the error of Ruby code that gets a wrong kind of value.
fn type_error(value: &Value, expected: &str) -> Failure {
    let name = match value {
        Value::Undef => "nil".to_owned(),
        Value::Boolean(value) => value.to_string(),
        other => ruby::class_name(other),
    };
    Failure::new(format!("no implicit conversion of {name} into {expected}"))
}

/// Returns the error of a method that a Ruby object does not have.
fn no_method(value: &Value, method: &str) -> Failure {
    let shown = ruby::inspect(value);
    let receiver = match value {
        Value::Undef | Value::Boolean(_) => format!("{shown}:{}", ruby::class_name(value)),
        _ => format!("{shown}:{}", ruby::class_name(value)),
    };
    Failure::new(format!("undefined method `{method}' for {receiver}"))
}
