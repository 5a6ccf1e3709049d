//! The function library.

mod examples;

use crate::compile::builtin;
use crate::compile::function::{Function, FunctionTable};

/// The tables of functions.
const TABLES: &[&[Function]] = &[examples::TABLE];

/// Returns all functions.
pub fn table() -> FunctionTable {
    FunctionTable::new(builtin::TABLES.iter().chain(TABLES).flat_map(|table| table.iter()))
}
