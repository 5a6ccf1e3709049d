//! Functions that belong to the evaluation itself.

mod catalog;
mod control;
mod convert;
mod hash_tree;
mod iterate;
mod log;
mod new;
mod reflect;
mod refused;

use super::failure::Failure;
use super::function::Table;
use super::scope::Closure;
use super::value::Value;
use std::sync::Arc;

/// The functions of this directory.
pub static TABLES: &[Table] = &[
    Table { module: "", rows: catalog::TABLE },
    Table { module: "", rows: control::TABLE },
    Table { module: "", rows: iterate::TABLE },
    Table { module: "", rows: log::TABLE },
    Table { module: "", rows: new::TABLE },
    Table { module: "", rows: reflect::TABLE },
    Table { module: "", rows: refused::TABLE },
];

/// Returns an argument; missing arguments are undef.
fn argument(arguments: &[Value], at: usize) -> &Value {
    arguments.get(at).unwrap_or(&Value::Undef)
}

/// Returns the lambda that the signature requires.
fn required(block: Option<&Arc<Closure>>) -> Result<&Arc<Closure>, Failure> {
    block.ok_or_else(|| Failure::new("expects a block"))
}
