//! JSON and YAML, written as Ruby writes them.

use crate::eval::call::{Call, Eval};
use crate::eval::interpreter::Interpreter;
use crate::value::Value;
use serde_json::Value as Json;

/// The value as JSON; symbols become strings.
pub(in crate::eval) fn to_json(it: &mut Interpreter<'_>, call: &Call<'_>, value: &Value, indented: bool) -> Eval {
    it.meter.admit(value, call.span)?;
    let mut out = String::new();
    json(&mut out, &value.to_json(), indented, 0);
    it.meter.room(out.len(), call.span)?;
    Ok(Value::str(out))
}

/// As Ruby's `JSON.generate`, or its `JSON.pretty_generate`.
fn json(out: &mut String, value: &Json, indented: bool, depth: usize) {
    let line = |out: &mut String, depth: usize| {
        if indented {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        }
    };
    match value {
        Json::Number(n) if n.is_f64() => out.push_str(&Value::Float(n.as_f64().unwrap_or_default()).to_text()),
        Json::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                line(out, depth + 1);
                json(out, item, indented, depth + 1);
            }
            if items.is_empty() && indented {
                out.push('\n');
            }
            line(out, depth);
            out.push(']');
        }
        Json::Object(pairs) => {
            out.push('{');
            for (i, (key, item)) in pairs.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                line(out, depth + 1);
                out.push_str(&Json::from(key.as_str()).to_string());
                out.push_str(if indented { ": " } else { ":" });
                json(out, item, indented, depth + 1);
            }
            line(out, depth);
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// The value as YAML, with `---` at the beginning.
pub(in crate::eval) fn to_yaml(it: &mut Interpreter<'_>, call: &Call<'_>, value: &Value) -> Eval {
    it.meter.admit(value, call.span)?;
    let text = crate::value::to_yaml(&value.to_json());
    it.meter.room(text.len(), call.span)?;
    Ok(Value::str(text))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `tests/fixtures/data.rb` wrote what Ruby makes of each value.
    #[test]
    fn json_and_yaml_are_as_ruby_writes_them() {
        let text = std::fs::read_to_string("tests/fixtures/data.json").unwrap();
        let all: Vec<Json> = serde_json::from_str(&text).unwrap();
        assert!(all.len() > 400, "{}", all.len());
        let mut wrong = Vec::new();
        for case in &all {
            let value = Value::from_json(&case["value"]).to_json();
            let (mut plain, mut pretty) = (String::new(), String::new());
            json(&mut plain, &value, false, 0);
            json(&mut pretty, &value, true, 0);
            for (what, ours) in [("yaml", crate::value::to_yaml(&value)), ("json", plain), ("pretty", pretty)] {
                if case[what] != ours {
                    wrong.push(format!("{what} of {}\n  ruby {}\n  ours {ours:?}", case["value"], case[what]));
                }
            }
        }
        assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
    }
}
