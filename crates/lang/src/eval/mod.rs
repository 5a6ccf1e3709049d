//! The interpreter of blocks. It is pure: it accesses the machine only through [`World`].
//!
//! A block runs in a flat frame of slots, which its closures share. Every operation is paid for from one budget ([`limits`]), so that
//! each block terminates, with a value or a [`Failure`] with a span.

mod call;
mod coverage;
pub mod error_class;
mod functions;
mod index;
mod interpreter;
mod limits;
mod methods;
mod operators;
mod query_error;
pub mod ruby_methods;
mod run_budget;
mod scope;
mod secret;
mod settings;
mod world;

#[cfg(test)]
mod tests;

pub use coverage::Coverage;
pub use limits::Limits;
pub(crate) use methods::range::value as range;
pub use query_error::QueryError;
pub use run_budget::{begin_run, grant_resources, run_exhausted};
pub use scope::{Base, CatalogQuery, Failure, FailureKind, Frame, LogLevel, ProviderQuery, Scope};
pub use settings::{setting_names, setting_value};
pub use world::{FileBelow, NoWorld, RubyProviderStatus, UnknownWorld, Walk, Walked, World};

use crate::types::{CodeBlock, Node};
use crate::value::Value;

/// Runs a block with arguments; missing arguments are nil.
///
/// # Errors
/// Returns a [`Failure`] if the block fails, applies an operation to a wrong value or exceeds its limits.
pub fn run(code: &CodeBlock, arguments: &[Value], frame: &Frame<'_>) -> Result<Value, Failure> {
    run_within(code, arguments, frame, Limits::DEFAULT)
}

/// Runs a block like [`run`]. Also returns the values in its slots at the end.
pub fn run_keeping_locals(code: &CodeBlock, arguments: &[Value], frame: &Frame<'_>) -> (Result<Value, Failure>, Vec<Value>) {
    let mut interpreter = interpreter::Interpreter::new(frame, Limits::DEFAULT, code.inner.action);
    let result = interpreter.block(code, arguments);
    (result, interpreter.into_locals())
}

/// Evaluates a constant expression, without a resource and without a machine.
///
///
/// # Errors
///
/// Returns a [`Failure`] if an operation cannot be applied to its operands.
pub fn constant(node: &Node) -> Result<Value, Failure> {
    let frame = Frame { scope: &scope::Nowhere::default(), attribute: None, is: None, should: None, base: None };
    match interpreter::Interpreter::new(&frame, Limits::DEFAULT, false).eval(node) {
        Ok(value) | Err(call::Stop::Return(value) | call::Stop::Next(value)) => Ok(value),
        Err(call::Stop::Fail(failure)) => Err(*failure),
    }
}

/// Calls a built-in method of a value, without a closure and without a resource; `None` if no method has this name.
///
/// # Errors
/// Returns a [`Failure`] if the value has no such method, or the method cannot be applied to the arguments.
pub fn call_method(receiver: &Value, method: &str, arguments: &[Value]) -> Option<Result<Value, Failure>> {
    let method = crate::types::builtin::Method::named(method)?;
    let frame = Frame { scope: &scope::Nowhere::default(), attribute: None, is: None, should: None, base: None };
    let mut interpreter = interpreter::Interpreter::new(&frame, Limits::DEFAULT, false);
    let arguments = arguments.iter().cloned().collect();
    Some(match methods::apply(&mut interpreter, method, receiver.clone(), arguments, None, crate::source::Span::NONE) {
        Ok(value) | Err(call::Stop::Return(value) | call::Stop::Next(value)) => Ok(value),
        Err(call::Stop::Fail(failure)) => Err(*failure),
    })
}

/// Formats values as Ruby's `format` does; `None` if the pattern does not fit the values or is not supported.
pub fn format_text(pattern: &str, values: &[Value]) -> Option<crate::value::EcoString> {
    let frame = Frame { scope: &scope::Nowhere::default(), attribute: None, is: None, should: None, base: None };
    let mut interpreter = interpreter::Interpreter::new(&frame, Limits::DEFAULT, false);
    let args = values.iter().cloned().collect();
    let call = call::BuiltinCall { name: "format", span: crate::source::Span::NONE, args, lambda: None, secret: false };
    functions::format_text(&mut interpreter, &call, pattern, values).ok()
}

/// Runs a block like [`run`], with other limits than the default.
///
/// # Errors
/// Returns a [`Failure`] if the block fails, applies an operation to a wrong value or exceeds its limits.
pub fn run_within(code: &CodeBlock, arguments: &[Value], frame: &Frame<'_>, limits: Limits) -> Result<Value, Failure> {
    interpreter::Interpreter::new(frame, limits, code.inner.action).block(code, arguments)
}
