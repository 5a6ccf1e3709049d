//! The block interpreter. Pure: all it knows of a machine comes through [`World`].
//!
//! A block runs in a flat frame of slots that its closures share. Everything it does is paid from one budget
//! ([`limits`]), so that every block ends, with a value or a [`Failure`] that has a place.

mod call;
mod functions;
mod index;
mod interpreter;
mod limits;
mod methods;
mod operators;
mod run_budget;
mod scope;
mod secret;
mod world;

#[cfg(test)]
mod tests;

pub use limits::Limits;
pub use run_budget::{begin_run, grant_resources, run_exhausted};
pub use scope::{Base, CatalogQuery, Failure, Frame, LogLevel, ProviderQuery, Scope};
pub use world::{FileBelow, NoWorld, UnknownWorld, Walk, Walked, World};

use crate::types::Code;
use crate::value::Value;

/// Runs a block with its arguments; missing ones are `nil`.
///
/// # Errors
/// [`Failure`] when the block fails, uses a value wrongly or spends its limits.
pub fn run(code: &Code, arguments: &[Value], frame: &Frame<'_>) -> Result<Value, Failure> {
    run_within(code, arguments, frame, Limits::DEFAULT)
}

/// [`run`] with limits of one's own.
///
/// # Errors
/// [`Failure`] when the block fails, uses a value wrongly or spends its limits.
pub fn run_within(code: &Code, arguments: &[Value], frame: &Frame<'_>, limits: Limits) -> Result<Value, Failure> {
    interpreter::Interpreter::new(frame, limits, code.inner.action).block(code, arguments)
}
