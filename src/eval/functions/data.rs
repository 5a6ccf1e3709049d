//! JSON and YAML.

use crate::eval::call::{Call, Eval};
use crate::eval::interpreter::Interpreter;
use crate::value::Value;

/// The value as JSON; symbols become strings.
pub(in crate::eval) fn to_json(it: &mut Interpreter<'_>, call: &Call<'_>, value: &Value, indented: bool) -> Eval {
    it.meter.admit(value, call.span)?;
    let json = value.to_json();
    let text = if indented { serde_json::to_string_pretty(&json) } else { serde_json::to_string(&json) };
    text.map(Value::str).map_err(|e| call.fail(format!("`{}`: {e}", call.name)))
}

/// The value as YAML, as Ruby writes it: with `---` at the beginning.
pub(in crate::eval) fn to_yaml(it: &mut Interpreter<'_>, call: &Call<'_>, value: &Value) -> Eval {
    it.meter.admit(value, call.span)?;
    match serde_saphyr::to_string(&value.to_json()) {
        Ok(text) => Ok(Value::str(format!("---\n{}", text.strip_prefix("---\n").unwrap_or(&text)))),
        Err(e) => Err(call.fail(format!("`{}`: {e}", call.name))),
    }
}

/// The value of a JSON text; keys are strings.
pub(super) fn parse_json(call: &Call<'_>) -> Eval {
    let text = call.text(0)?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| call.fail(format!("not JSON: {e}")))?;
    Ok(Value::from_json(&json))
}

/// The value of a YAML text; keys are strings.
pub(super) fn parse_yaml(call: &Call<'_>) -> Eval {
    let text = call.text(0)?;
    let parsed: Result<serde_json::Value, _> = serde_saphyr::from_str(&text);
    let json = parsed.map_err(|e| {
        let first = e.to_string();
        call.fail(format!("not YAML: {}", first.lines().next().unwrap_or_default()))
    })?;
    Ok(Value::from_json(&json))
}
