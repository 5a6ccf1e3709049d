//! Reads JSON and YAML.

use super::Value;

/// Parses JSON; keys are strings.
///
/// # Errors
/// Returns why the text is not JSON.
pub fn parse_json(text: &str) -> Result<Value, String> {
    let json: serde_json::Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
    Ok(Value::from_json(&json))
}

/// Parses YAML; keys are strings. Scalars follow YAML 1.1, as in Ruby: `010` is 8. The last of several duplicate keys wins.
///
/// # Errors
/// Returns why the text is not YAML.
pub fn parse_yaml(text: &str) -> Result<Value, String> {
    // As in resource files: the parser would be a tenth of a module for browsers.
    if cfg!(target_arch = "wasm32") {
        return Err("YAML is not supported here".to_owned());
    }
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
        legacy_octal_numbers: true,
        // Limits the expansion of aliases, which could turn a small text into a huge value.
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 10_000,
        },
        with_snippet: false,
    };
    let parsed: Result<serde_json::Value, _> = serde_saphyr::from_str_with_options(text, options);
    let json = parsed.map_err(|e| {
        let first = e.to_string();
        format!("not YAML: {}", first.lines().next().unwrap_or_default())
    })?;
    Ok(Value::from_json(&json))
}
