//! Values of the `.rtype` language, which has Ruby's methods, YAML and JSON.

use crate::compile::failure::EvaluationFailure;
use crate::compile::value::ManifestValue;
use rtype_lang::value::Value as Plain;

/// Returns a value of the `.rtype` language; `None` for values that it does not have.
pub fn to_plain(value: &ManifestValue) -> Option<Plain> {
    Some(match value {
        ManifestValue::Undef => Plain::Nil,
        ManifestValue::Boolean(value) => Plain::Bool(*value),
        ManifestValue::Integer(number) => Plain::Int(*number),
        ManifestValue::Float(number) => Plain::Float(*number),
        ManifestValue::String(text) => Plain::Str(text.clone()),
        ManifestValue::Array(elements) => Plain::array(elements.iter().map(to_plain).collect::<Option<Vec<_>>>()?),
        ManifestValue::Hash(map) => {
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
pub fn from_plain(plain: &Plain) -> Result<ManifestValue, EvaluationFailure> {
    Ok(match plain {
        Plain::Nil => ManifestValue::Undef,
        Plain::Bool(value) => ManifestValue::Boolean(*value),
        Plain::Int(number) => ManifestValue::Integer(*number),
        Plain::Float(number) => ManifestValue::Float(*number),
        Plain::Str(text) => ManifestValue::String(text.clone()),
        Plain::Array(elements) => ManifestValue::array(elements.iter().map(from_plain).collect::<Result<_, _>>()?),
        Plain::Map(map) => {
            let pairs = map.iter().map(|(key, value)| Ok((from_plain(key)?, from_plain(value)?)));
            ManifestValue::hash(pairs.collect::<Result<Vec<_>, EvaluationFailure>>()?)
        }
        other => return Err(EvaluationFailure::unsupported(format!("a value of the kind {}", other.kind_name()))),
    })
}

/// Calls a Ruby method of a string or another plain value.
///
/// # Errors
/// Returns the failure of the method, and refuses methods that are not known.
pub fn call(receiver: &ManifestValue, method: &str, arguments: &[Plain]) -> Result<ManifestValue, EvaluationFailure> {
    let unsupported = || EvaluationFailure::unsupported(format!("Ruby's method `{method}` of this value"));
    let receiver = to_plain(receiver).ok_or_else(unsupported)?;
    let result = rtype_lang::eval::call_method(&receiver, method, arguments).ok_or_else(unsupported)?;
    from_plain(&result.map_err(|failure| EvaluationFailure::unsupported(failure.message))?)
}
