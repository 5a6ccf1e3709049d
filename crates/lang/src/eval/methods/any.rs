//! Methods of all values.

use crate::eval::call::{BuiltinCall, Eval, describe};
use crate::eval::functions;
use crate::eval::interpreter::Interpreter;
use crate::eval::operators::equal;
use crate::types::builtin::Method;
use crate::value::{Value, inspect};

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, receiver: &Value) -> Eval {
    Ok(match method {
        Method::ToS => match receiver {
            Value::Int(n) if call.has(0) => Value::str(super::integer::to_base(call, *n)?),
            _ if call.has(0) => return Err(call.fail("`to_s` takes a base for integers only")),
            _ => {
                it.meter.admit(receiver, call.span)?;
                if let Value::Object(object) = receiver
                    && let Err(why) = &object.text
                {
                    return Err(call.fail(why.clone()));
                }
                Value::Str(receiver.to_text())
            }
        },
        Method::Inspect => {
            it.meter.admit(receiver, call.span)?;
            Value::str(inspect(receiver))
        }
        Method::IsA | Method::KindOf => return Err(call.takes("a data type", call.arg(0))),
        Method::IsNil => Value::Bool(receiver.is_nil()),
        Method::Unwrap | Method::Itself => receiver.clone(),
        Method::Then => call.with(it, std::slice::from_ref(receiver))?,
        Method::Eql => Value::Bool(is_alike(receiver, call.arg(0)) && equal(it, receiver, call.arg(0), call.span)?),
        Method::ToJson => functions::to_json(it, call, receiver, false)?,
        Method::ToYaml => functions::to_yaml(it, call, receiver)?,
        _ => return Err(call.wrong(format!("{} has no method `{}`", describe(receiver), call.name))),
    })
}

/// Returns `true` if all numbers in two values are of the same kind.
fn is_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => false,
        (Value::Array(a), Value::Array(b)) => a.iter().zip(b).all(|(a, b)| is_alike(a.unwrapped(), b.unwrapped())),
        (Value::Map(a), Value::Map(b)) => a.iter().all(|(k, v)| b.get(k).is_none_or(|w| is_alike(v.unwrapped(), w.unwrapped()))),
        _ => true,
    }
}
