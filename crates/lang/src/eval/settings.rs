//! Names, kinds and defaults of Puppet's settings, recorded by `tests/settings/record.rb`.

use crate::value::{EcoString, Symbol, Value};

/// Lines with the name, the kind and the default, separated by tabs.
const TABLE: &str = include_str!("settings.tsv");

/// Additional settings of rtype.
const RTYPE_SETTINGS: [&str; 2] = ["purge_limit", "uid_min"];

/// The maximum depth of references from one setting to another.
const MAX_DEPTH: usize = 8;

fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> + Clone {
    TABLE.lines().filter_map(|line| {
        let (name, rest) = line.split_once('\t')?;
        let (kind, default) = rest.split_once('\t')?;
        Some((name, kind, default))
    })
}

/// Returns the names of all settings.
pub fn setting_names() -> impl Iterator<Item = &'static str> + Clone {
    rows().map(|(name, ..)| name).chain(RTYPE_SETTINGS)
}

/// Returns the value of a Puppet setting, or nil for other names. `given` returns the string in the configuration file or for the
/// machine. Without such a string, the default applies.
pub fn setting_value(name: &str, given: &dyn Fn(&str) -> Option<String>) -> Value {
    let Some((_, kind, _)) = rows().find(|(known, ..)| *known == name) else { return Value::Nil };
    let Some(text) = text_of(name, given, 0).filter(|text| !text.is_empty()) else { return Value::Nil };
    match kind {
        "boolean" => Value::Bool(text == "true"),
        "integer" => text.parse().map_or_else(|_| Value::str(text.as_str()), Value::Int),
        "duration" => seconds(&text).map_or_else(|| Value::str(text.as_str()), Value::Int),
        "symbol" => Value::Sym(Symbol::from(text.as_str())),
        "list" => Value::array(text.split(',').map(|item| Value::str(item.trim()))),
        _ => Value::Str(EcoString::from(text)),
    }
}

/// Returns the string of a setting, with references such as `$name` and `${name}` replaced.
fn text_of(name: &str, given: &dyn Fn(&str) -> Option<String>, depth: usize) -> Option<String> {
    let default = || rows().find(|(known, ..)| *known == name).map(|(_, _, default)| default.to_owned());
    let text = given(name).or_else(default)?;
    if depth == MAX_DEPTH {
        return Some(text);
    }
    let mut parts = text.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inner, rest) = match part.strip_prefix('{').and_then(|part| part.split_once('}')) {
            Some(braced) => braced,
            None => part.split_at_checked(part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len()))?,
        };
        out.push_str(&text_of(inner, given, depth + 1).unwrap_or_default());
        out.push_str(rest);
    }
    Some(out)
}

/// Returns the seconds in a duration such as `30m`.
///
///
/// Follows Puppet's `Puppet::Settings::DurationSetting`.
fn seconds(text: &str) -> Option<i64> {
    let factor = match text.chars().last()? {
        'y' => 365 * 24 * 3600,
        'd' => 24 * 3600,
        'h' => 3600,
        'm' => 60,
        's' => 1,
        _ => return text.parse().ok(),
    };
    text.trim_end_matches(char::is_alphabetic).parse::<i64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_have_the_kind_of_their_setting() {
        let given = |name: &str| (name == "confdir").then(|| "/etc/puppet".to_owned());
        let expected = [
            ("noop", Value::Bool(false)),
            ("runinterval", Value::Int(1800)),
            ("maximum_uid", Value::Int(4_294_967_290)),
            ("strict", Value::sym("warning")),
            ("route_file", Value::str("/etc/puppet/routes.yaml")),
            ("disable_warnings", Value::Nil),
            ("no_such_setting", Value::Nil),
        ];
        for (name, value) in expected {
            assert_eq!(setting_value(name, &given), value, "{name}");
        }
        assert_eq!(setting_value("vardir", &|_| Some("$vardir".to_owned())), Value::str("$vardir"));
        assert!(setting_names().count() > 200);
    }
}
