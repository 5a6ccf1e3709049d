//! Versions, compared by RubyGems' rules.

use super::super::call::{BuiltinCall, Eval};
use crate::value::{GemVersion, Value};

/// Returns an argument's version. As in RubyGems, nil is the smallest version.
pub(super) fn gem(call: &BuiltinCall<'_>, place: usize) -> Eval<GemVersion> {
    let text = match call.arg(place) {
        Value::Str(text) => text.to_string(),
        number @ (Value::Int(_) | Value::Float(_)) => number.to_text().to_string(),
        Value::Nil => String::new(),
        other => return Err(call.takes("a string", other)),
    };
    GemVersion::parse(&text)
        .ok_or_else(|| call.fail(format!("`{text}` is not a version: write numbers and words with dots, such as `1.10.0.rc1`")))
}

/// Evaluates `gem_satisfies(version, requirement)`.
pub(super) fn satisfies(call: &BuiltinCall<'_>) -> Eval<bool> {
    let version = gem(call, 0)?;
    let all = match call.arg(1) {
        Value::Array(all) => all.to_vec(),
        one => vec![one.clone()],
    };
    for requirement in &all {
        let Value::Str(text) = requirement else { return Err(call.takes("a string or a list of strings", call.arg(1))) };
        match version.satisfies(text.as_str()) {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => return Err(call.fail(format!("`{text}` is not a requirement: write one such as `>= 1.2` or `~> 1.2`"))),
        }
    }
    Ok(true)
}
