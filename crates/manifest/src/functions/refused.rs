//! Functions that need the machine, the network, the time or programs: they are refused, because a compilation depends on its inputs
//! alone.

use super::{Block, Evaluated, legacy};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::function::FunctionRow;
use crate::compile::value::ManifestValue;

/// The functions of this file.
pub const TABLE: &[FunctionRow] = &[legacy("scanf", -1, refuse)];

/// What a function needs.
const NEEDS: [(&str, &str); 6] = [
    ("scanf", "Ruby's library scanf"),
    ("pry", "a terminal"),
    ("validate_cmd", "programs of the machine"),
    ("validate_augeas", "the library augeas"),
    ("validate_x509_rsa_key_pair", "the library OpenSSL"),
    ("glob", "the file system outside of the module path"),
];

/// Refuses the call of a function.
pub fn refuse(context: &mut CallContext<'_>, _: &[ManifestValue], _: Block<'_>) -> Evaluated {
    let name = context.name();
    let needs = NEEDS.iter().find(|(function, _)| *function == name).map_or("the machine", |(_, needs)| needs);
    Err(EvaluationFailure::unsupported(format!("the function `{name}`, which needs {needs}")))
}

/// Returns the refusal of a function that reads the clock.
pub fn needs_clock(name: &str) -> EvaluationFailure {
    EvaluationFailure::unsupported(format!("the function `{name}` without a time, which needs the clock"))
}

/// Returns the refusal of a function that draws random numbers.
pub fn needs_chance(name: &str) -> EvaluationFailure {
    EvaluationFailure::unsupported(format!("the function `{name}`, which gives another value each time"))
}
