//! Methods of regexes.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::{Interpreter, LastMatch};
use crate::types::builtin::Method;
use crate::value::{EcoString, Map, Regex, Value};
use std::sync::Arc;

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, regex: &Arc<Regex>) -> Eval {
    match method {
        Method::Source => Ok(Value::str(regex.source())),
        Method::Match | Method::IsMatch | Method::NamedCaptures => match call.arg(0) {
            Value::Nil => Ok(if method == Method::IsMatch { Value::Bool(false) } else { Value::Nil }),
            other => {
                let Some(text) = other.as_text() else {
                    return Err(call.takes("a string or a symbol", other));
                };
                search(it, call, method, regex, &text.into())
            }
        },
        _ => Err(unfit(call, &Value::Regex(regex.clone()))),
    }
}

/// Evaluates `match`, `match?` and `named_captures` for a regex and a string.
pub(super) fn search(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, regex: &Regex, text: &EcoString) -> Eval {
    let groups = it.search(regex, text, 0, call.span)?;
    if method == Method::IsMatch {
        return Ok(Value::Bool(groups.is_some()));
    }
    it.last_match = groups.map(|groups| LastMatch { text: text.clone(), groups, secret: call.secret });
    let Some(found) = &it.last_match else { return Ok(Value::Nil) };
    if method == Method::Match {
        return Ok(Value::array((0..found.groups.len()).map(|i| found.group(i))));
    }
    let names = regex.group_names();
    let pairs = names.into_iter().map(|(name, number)| (Value::str(name), found.group(number)));
    Ok(Value::Map(Arc::new(pairs.collect::<Map>())))
}
