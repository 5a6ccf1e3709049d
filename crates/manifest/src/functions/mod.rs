//! The function library.

mod examples;

use crate::compile::builtin;
use crate::compile::function::{FunctionTable, Table};

/// The tables of functions.
static TABLES: &[Table] = &[Table { module: "", rows: examples::TABLE }];

/// Returns all functions.
pub fn table() -> FunctionTable {
    FunctionTable::new(builtin::TABLES.iter().chain(TABLES))
}
