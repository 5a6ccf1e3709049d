//! Methods of symbols: the methods that symbols have in Ruby.

use super::unfit;
use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::types::builtin::Method;
use crate::value::{Symbol, Value};

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, symbol: &Symbol) -> Eval {
    use Method as M;
    let text = symbol.text();
    match method {
        M::ToSym | M::Intern => Ok(Value::Sym(symbol.clone())),
        // Changing the case of a symbol returns a symbol.
        M::Capitalize | M::Downcase | M::Upcase | M::Swapcase => match super::string::call(it, call, method, &text)? {
            Value::Str(changed) => Ok(Value::sym(changed)),
            other => Ok(other),
        },
        M::Between => {
            let below = |v: &Value| v.as_text().filter(|_| matches!(v, Value::Sym(_))).map(str::to_owned);
            match (below(call.arg(0)), below(call.arg(1))) {
                (Some(low), Some(high)) => Ok(Value::Bool(low.as_str() <= text.as_str() && text.as_str() <= high.as_str())),
                _ => Err(super::no_order(call, &Value::Sym(symbol.clone()), call.arg(0))),
            }
        }
        M::Casecmp | M::IsCasecmp if !matches!(call.arg(0), Value::Sym(_)) => Ok(Value::Nil),
        M::Length | M::Size | M::Empty | M::StartWith | M::EndWith | M::Match | M::IsMatch | M::NamedCaptures => {
            super::string::call(it, call, method, &text)
        }
        M::Casecmp | M::IsCasecmp => super::string::call(it, call, method, &text),
        _ => Err(unfit(call, &Value::Sym(symbol.clone()))),
    }
}
