//! The parameters of `Timestamp` and `Timespan`.

use super::TimeBounds;
use super::specialize::{Mistake, number_of_arguments, runtime};
use crate::compile::text::label::ruby_class;
use crate::compile::value::ManifestValue;

/// Returns the limits of a time or duration.
pub fn times(name: &str, keys: &[ManifestValue], is_span: bool) -> Result<TimeBounds, Mistake> {
    if keys.len() > 2 {
        return Err(number_of_arguments(&format!("A {name}-Type"), 0, Some(2), keys.len()));
    }
    let limit = |key: &ManifestValue| -> Result<Option<i128>, Mistake> {
        Ok(match key {
            ManifestValue::Default | ManifestValue::Undef => None,
            ManifestValue::Timestamp(nanos) if !is_span => Some(*nanos),
            ManifestValue::Timespan(nanos) if is_span => Some(*nanos),
            ManifestValue::Integer(seconds) => Some(i128::from(*seconds) * 1_000_000_000),
            ManifestValue::Float(seconds) => Some((seconds * 1e9) as i128),
            ManifestValue::String(text) if is_span => {
                Some(crate::compile::time::parse_timespan_default(text).map_err(|f| runtime(f.text()))?)
            }
            ManifestValue::String(text) => Some(crate::compile::time::parse_timestamp_default(text).map_err(|f| runtime(f.text()))?),
            ManifestValue::Hash(map) if is_span => Some(crate::compile::time::timespan_from_hash(map)),
            other => {
                return Err(runtime(format!("Unable to create a Puppet::Pops::Time::{name} from a {}", ruby_class(other))));
            }
        })
    };
    let limits: Vec<Option<i128>> = keys.iter().map(limit).collect::<Result<_, _>>()?;
    Ok(TimeBounds { from: limits.first().copied().flatten(), to: limits.get(1).copied().flatten() })
}
