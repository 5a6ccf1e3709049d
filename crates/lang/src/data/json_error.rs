//! Errors of `serde_json` without the names of Rust's types.

/// Returns the message of an error: the kind of value that was expected and found, or the syntax error, with line and column.
pub fn json_error(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let (text, place) = whole.split_at(whole.rfind(" at line ").unwrap_or(whole.len()));
    let message = match text.rsplit_once(", expected ") {
        Some((found, expected)) if found.starts_with("invalid ") => format!("expected {}, found {}", kind(expected), value(found)),
        _ => text.replace("unknown variant", "unknown value").replace(" field `", " key `"),
    };
    message + place
}

/// Names a kind of value as JSON does.
fn kind(expected: &str) -> &str {
    match expected.split(' ').next().unwrap_or_default() {
        "struct" | "map" => "an object",
        "tuple" | "sequence" => "a list",
        "enum" | "variant" => "a known word",
        "unit" => "`null`",
        "option" => "a value",
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a number from 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "an integer",
        "f32" | "f64" => "a number",
        "bool" => "a boolean",
        "string" => "a string",
        _ if expected == "a map" => "an object",
        _ if expected == "a sequence" || expected.starts_with("a tuple") => "a list",
        _ => expected,
    }
}

/// Describes the value that was found.
fn value(found: &str) -> String {
    let found = found.trim_start_matches("invalid type: ").trim_start_matches("invalid value: ");
    match found {
        "null" | "unit value" => "`null`".to_owned(),
        "map" => "an object".to_owned(),
        // Rust's objects may also be lists of their values.
        "sequence" => "a list".to_owned(),
        _ if found.starts_with("invalid length ") => "a list of another length".to_owned(),
        _ => found.replacen("floating point `", "number `", 1),
    }
}

#[cfg(test)]
mod tests {
    use super::json_error;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only errors are compared")]
    struct Saved {
        version: u32,
        #[serde(default)]
        names: Vec<String>,
        #[serde(default)]
        parts: BTreeMap<String, Saved>,
        #[serde(default)]
        level: Option<Level>,
        #[serde(default)]
        offset: (i64, f64, bool),
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Level {
        Low,
    }

    #[test]
    fn errors_name_kinds_of_json_values() {
        for (text, expected) in [
            ("[]", "expected an object, found a list of another length at line 1 column 2"),
            ("null", "expected an object, found `null` at line 1 column 4"),
            ("7", "expected an object, found integer `7` at line 1 column 1"),
            (r#"{"version":"1"}"#, "expected a number from 0, found string \"1\" at line 1 column 14"),
            (r#"{"version":-1}"#, "expected a number from 0, found integer `-1` at line 1 column 13"),
            (r#"{"version":1.5}"#, "expected a number from 0, found number `1.5` at line 1 column 14"),
            (r#"{"version":"1, expected a map"}"#, "expected a number from 0, found string \"1, expected a map\" at line 1 column 30"),
            ("{}", "missing key `version` at line 1 column 2"),
            (r#"{"version":1,"version":1}"#, "duplicate key `version` at line 1 column 22"),
            (r#"{"version":1,"names":{}}"#, "expected a list, found an object at line 1 column 21"),
            (r#"{"version":1,"names":[true]}"#, "expected a string, found boolean `true` at line 1 column 26"),
            (r#"{"version":1,"parts":[]}"#, "expected an object, found a list at line 1 column 21"),
            (r#"{"version":1,"parts":{"a":7}}"#, "expected an object, found integer `7` at line 1 column 27"),
            (r#"{"version":1,"level":"high"}"#, "unknown value `high`, expected `low` at line 1 column 27"),
            (r#"{"version":1,"offset":[1]}"#, "expected a list, found a list of another length at line 1 column 25"),
            (r#"{"version":1,"offset":["a",1,true]}"#, "expected an integer, found string \"a\" at line 1 column 26"),
            (r#"{"version":1,"offset":[1,"a",true]}"#, "expected a number, found string \"a\" at line 1 column 28"),
            (r#"{"version":1,"offset":[1,1,1]}"#, "expected a boolean, found integer `1` at line 1 column 28"),
            (
                r#"{"version":1,"other":1}"#,
                "unknown key `other`, expected one of `version`, `names`, `parts`, `level`, `offset` at line 1 column 20",
            ),
            ("{", "EOF while parsing an object at line 1 column 1"),
        ] {
            assert_eq!(json_error(&serde_json::from_str::<Saved>(text).unwrap_err()), expected, "{text}");
        }
    }
}
