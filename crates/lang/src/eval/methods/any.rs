//! Methods of all values.

use crate::eval::call::{BuiltinCall, Eval, describe};
use crate::eval::functions;
use crate::eval::interpreter::Interpreter;
use crate::types::builtin::Method;
use crate::value::{Value, inspect};

pub(super) fn call(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, method: Method, receiver: &Value) -> Eval {
    Ok(match method {
        Method::ToS => match receiver {
            Value::Int(n) if call.has(0) => Value::str(super::integer::to_base(call, *n)?),
            _ if call.has(0) => return Err(call.fail("`to_s` takes a base for integers only")),
            _ => {
                it.meter.admit(receiver, call.span)?;
                Value::Str(receiver.to_text())
            }
        },
        Method::Inspect => {
            it.meter.admit(receiver, call.span)?;
            Value::str(inspect(receiver))
        }
        Method::IsA | Method::KindOf => match call.arg(0) {
            Value::Type(data_type) => Value::Bool(data_type.accepts(receiver)),
            other => return Err(call.takes("a data type", other)),
        },
        Method::IsNil => Value::Bool(receiver.is_nil()),
        Method::Unwrap => receiver.clone(),
        Method::ToJson => functions::to_json(it, call, receiver, false)?,
        Method::ToYaml => functions::to_yaml(it, call, receiver)?,
        _ => return Err(call.wrong(format!("{} has no method `{}`", describe(receiver), call.name))),
    })
}
