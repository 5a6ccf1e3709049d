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
    let text = crate::value::to_yaml(value);
    it.meter.room(text.len(), call.span)?;
    Ok(Value::str(text))
}

/// Parses JSON; keys are strings.
pub(super) fn parse_json(call: &BuiltinCall<'_>) -> Eval {
    crate::value::parse_json(&call.text(0)?).map_err(|why| call.fail(why))
}

/// Parses YAML.
pub(super) fn parse_yaml(call: &BuiltinCall<'_>) -> Eval {
    crate::value::parse_yaml(&call.text(0)?).map_err(|why| call.fail(why))
}

#[cfg(test)]
mod tests {
    /// The fixture is written by `tests/fixtures/data.rb` and contains Ruby's result for each value.
    #[test]
    fn json_and_yaml_are_as_ruby_writes_them() {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/data.json")).unwrap();
        let all: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        assert!(all.len() > 400, "{}", all.len());
        let mut wrong = Vec::new();
        for case in &all {
            let value = crate::value::parse_json(&case["value"].to_string()).unwrap();
            let json = |indented| crate::value::to_json(&value, indented).unwrap();
            for (what, ours) in [("yaml", crate::value::to_yaml(&value)), ("json", json(false)), ("pretty", json(true))] {
                if case[what] != ours {
                    wrong.push(format!("{what} of {}\n  ruby {}\n  ours {ours:?}", case["value"], case[what]));
                }
            }
        }
        assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
    }
}
