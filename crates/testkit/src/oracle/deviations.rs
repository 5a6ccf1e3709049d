//! Intentional differences from Puppet: `tests/oracle/deviations.toml`.

use super::compare::Difference;
use rtype_lang::value::{Flags, Regex};

/// The content of the file.
pub const LIST: &str = include_str!("../../../../tests/oracle/deviations.toml");

/// An intentional difference. rtype's behaviour is better.
pub struct Deviation {
    /// The reason why the difference is acceptable to users.
    pub reason: String,
    types: Regex,
    what: Regex,
    puppet: Regex,
    rtype: Regex,
    case: Regex,
}

impl Deviation {
    /// Returns true if this entry explains the difference.
    pub fn covers(&self, type_name: &str, case: &str, d: &Difference) -> bool {
        self.types.is_match(type_name)
            && self.case.is_match(case)
            && self.what.is_match(&d.what)
            && self.puppet.is_match(&d.puppet)
            && self.rtype.is_match(&d.rtype)
    }
}

/// Parses the list. Unknown keys are errors, so that a typo cannot disable a pattern.
pub fn read(text: &str) -> Vec<Deviation> {
    let table: toml::Table = text.parse().unwrap();
    let entries = table.get("deviation").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let pattern = |entry: &toml::Table, key: &str| {
        let source = entry.get(key).and_then(toml::Value::as_str).unwrap_or("");
        Regex::new(source, Flags { dot_all: true, ..Flags::default() }).unwrap()
    };
    let deviation = |entry: &toml::Value| {
        let entry = entry.as_table().expect("a deviation is a table");
        for key in entry.keys() {
            assert!(["reason", "type", "what", "puppet", "rtype", "case"].contains(&key.as_str()), "`{key}` says nothing of a deviation");
        }
        Deviation {
            reason: entry.get("reason").and_then(toml::Value::as_str).expect("each deviation has a reason").to_owned(),
            types: pattern(entry, "type"),
            what: pattern(entry, "what"),
            puppet: pattern(entry, "puppet"),
            rtype: pattern(entry, "rtype"),
            case: pattern(entry, "case"),
        }
    };
    entries.iter().map(deviation).collect()
}
