//! `time` and `format_time`.

use super::super::call::{BuiltinCall, Eval};
use super::super::interpreter::Interpreter;
use crate::value::{Clock, Moment, NoMoment, Value, inspect};

/// Evaluates `time(text)`.
pub(super) fn time(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
    Ok(moment(it, call)?.map_or(Value::Unknown, |moment| moment.seconds()))
}

/// Evaluates `format_time(time, pattern)`, where the time is a string or a number of seconds since 1970.
pub(super) fn format_time(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval {
    let of_seconds = match call.arg(0) {
        Value::Int(seconds) => Some(Moment::of_seconds(*seconds, 0)),
        Value::Float(seconds) => Some(Moment::of_seconds(seconds.floor() as i64, (seconds.rem_euclid(1.0) * 1e9) as i32)),
        _ => None,
    };
    let moment = match of_seconds {
        Some(moment) => Some(moment.ok_or_else(|| call.fail("`format_time` takes seconds of the years -9999 to 9999"))?),
        None => moment(it, call)?,
    };
    let Some(moment) = moment else { return Ok(Value::Unknown) };
    let text = if call.has(1) { moment.format(&call.text(1)?) } else { moment.iso8601() };
    match text {
        Some(text) => {
            it.meter.fits(text.len(), call.span)?;
            Ok(Value::str(text))
        }
        None => Err(call.fail(format!("`{}` is not a pattern of a time", call.text(1)?))),
    }
}

/// Returns the moment that the first argument names; `None` for an unknown moment.
fn moment(it: &Interpreter<'_>, call: &BuiltinCall<'_>) -> Eval<Option<Moment>> {
    let Value::Str(text) = call.arg(0) else { return Err(call.takes("a string", call.arg(0))) };
    let world = it.frame.scope.world();
    let is_utc = world.fact("timezone").as_text().is_some_and(|zone| matches!(zone, "UTC" | "GMT" | "Etc/UTC"));
    match Moment::parse(text, Clock { now: world.now(), is_utc }) {
        Ok(moment) => Ok(Some(moment)),
        Err(NoMoment::NotKnown) => Ok(None),
        Err(NoMoment::NoTime) => Err(call.fail(format!("no time information in {}", inspect(call.arg(0))))),
    }
}
