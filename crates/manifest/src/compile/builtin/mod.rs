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

use super::failure::EvaluationFailure;
use super::function::Table;
use super::scope::LambdaClosure;
use super::value::ManifestValue;
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
fn argument(arguments: &[ManifestValue], at: usize) -> &ManifestValue {
    arguments.get(at).unwrap_or(&ManifestValue::Undef)
}

/// Returns the lambda that the signature requires.
fn required(block: Option<&Arc<LambdaClosure>>) -> Result<&Arc<LambdaClosure>, EvaluationFailure> {
    block.ok_or_else(|| EvaluationFailure::new("expects a block"))
}
