//! Values of the `.rtype` language, which has Ruby's methods, YAML and JSON.

use crate::compile::failure::Failure;
use crate::compile::value::Value;
use rtype_lang::value::Value as Plain;

/// Returns a value of the `.rtype` language; `None` for values that it does not have.
pub fn to_plain(value: &Value) -> Option<Plain> {
    Some(match value {
        Value::Undef => Plain::Nil,
        Value::Boolean(value) => Plain::Bool(*value),
        Value::Integer(number) => Plain::Int(*number),
        Value::Float(number) => Plain::Float(*number),
        Value::String(text) => Plain::Str(text.clone()),
        Value::Array(elements) => Plain::array(elements.iter().map(to_plain).collect::<Option<Vec<_>>>()?),
        Value::Hash(map) => {
            let pairs = map.iter().map(|(key, value)| Some((to_plain(key)?, to_plain(value)?)));
            Plain::Map(std::sync::Arc::new(pairs.collect::<Option<_>>()?))
        }
        _ => return None,
    })
}

/// Returns a value of Puppet.
///
/// # Errors
/// Refuses symbols and other values that Puppet does not have.
pub fn from_plain(plain: &Plain) -> Result<Value, Failure> {
    Ok(match plain {
        Plain::Nil => Value::Undef,
        Plain::Bool(value) => Value::Boolean(*value),
        Plain::Int(number) => Value::Integer(*number),
        Plain::Float(number) => Value::Float(*number),
        Plain::Str(text) => Value::String(text.clone()),
        Plain::Array(elements) => Value::array(elements.iter().map(from_plain).collect::<Result<_, _>>()?),
        Plain::Map(map) => {
            let pairs = map.iter().map(|(key, value)| Ok((from_plain(key)?, from_plain(value)?)));
            Value::hash(pairs.collect::<Result<Vec<_>, Failure>>()?)
        }
        other => return Err(Failure::unsupported(format!("a value of the kind {}", other.kind_name()))),
    })
}

/// Calls a Ruby method of a string or another plain value.
///
/// # Errors
/// Returns the failure of the method, and refuses methods that are not known.
pub fn call(receiver: &Value, method: &str, arguments: &[Plain]) -> Result<Value, Failure> {
    let unsupported = || Failure::unsupported(format!("Ruby's method `{method}` of this value"));
    let receiver = to_plain(receiver).ok_or_else(unsupported)?;
    let result = rtype_lang::eval::call_method(&receiver, method, arguments).ok_or_else(unsupported)?;
    from_plain(&result.map_err(|failure| Failure::unsupported(failure.message))?)
}
