//! JSON and YAML in the format that Ruby writes.

use crate::eval::call::{BuiltinCall, Eval};
use crate::eval::interpreter::Interpreter;
use crate::value::Value;

/// Returns the value as JSON; symbols become strings.
pub(in crate::eval) fn to_json(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, value: &Value, indented: bool) -> Eval {
    it.meter.admit(value, call.span)?;
    match crate::value::to_json(value, indented) {
        Some(text) => Ok(Value::str(text)),
        None => Err(call.fail("JSON has no number that is infinite or none")),
    }
}

/// Returns the value as YAML, beginning with `---`.
pub(in crate::eval) fn to_yaml(it: &mut Interpreter<'_>, call: &BuiltinCall<'_>, value: &Value) -> Eval {
    it.meter.admit(value, call.span)?;
    let text = crate::value::to_yaml(&value.to_json());
    it.meter.room(text.len(), call.span)?;
    Ok(Value::str(text))
}

/// Parses JSON; keys are strings.
pub(super) fn parse_json(call: &BuiltinCall<'_>) -> Eval {
    let text = call.text(0)?;
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|e| call.fail(format!("not JSON: {e}")))?;
    Ok(Value::from_json(&json))
}

/// Parses YAML; keys are strings. Scalars follow YAML 1.1, as in Ruby: `010` is 8. The last of several duplicate keys wins.
pub(super) fn parse_yaml(call: &BuiltinCall<'_>) -> Eval {
    // As in resource files: the parser would be a tenth of a module for browsers.
    if cfg!(target_arch = "wasm32") {
        return Err(call.fail("YAML is not supported here".to_owned()));
    }
    let text = call.text(0)?;
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        legacy_octal_numbers: true,
        // Limits the expansion of aliases, which could turn a small text into a huge value.
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 10_000,
        },
        with_snippet: false,
    };
    let parsed: Result<serde_json::Value, _> = serde_saphyr::from_str_with_options(&text, options);
    let json = parsed.map_err(|e| {
        let first = e.to_string();
        call.fail(format!("not YAML: {}", first.lines().next().unwrap_or_default()))
    })?;
    Ok(Value::from_json(&json))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fixture is written by `tests/fixtures/data.rb` and contains Ruby's result for each value.
    #[test]
    fn json_and_yaml_are_as_ruby_writes_them() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/data.json")).unwrap();
        let all: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        assert!(all.len() > 400, "{}", all.len());
        let mut wrong = Vec::new();
        for case in &all {
            let value = Value::from_json(&case["value"]);
            let json = |indented| crate::value::to_json(&value, indented).unwrap();
            for (what, ours) in [("yaml", crate::value::to_yaml(&value.to_json())), ("json", json(false)), ("pretty", json(true))] {
                if case[what] != ours {
                    wrong.push(format!("{what} of {}\n  ruby {}\n  ours {ours:?}", case["value"], case[what]));
                }
            }
        }
        assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
    }
}
