//! Faults in values with parts: the key, member or element that does not have its type.

use super::{DataType, Member, accepts_key, fits, key_of};
use crate::diagnostics::did_you_mean;
use crate::value::{Value, inspect};

/// The maximum number of faults to report per value.
const MOST: usize = 20;

/// A step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The position of an element in a list, or a pair in a map.
    pub index: usize,
    /// The step as written after the value: `[2]`, `['name']`.
    pub text: String,
    /// `true` if the step leads to the key of the pair instead of the value.
    pub is_key: bool,
}

/// A part of a value with the wrong type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFault {
    /// The path from the value to the part; empty for the value itself.
    pub path: Vec<PathStep>,
    /// A description of the problem.
    pub message: String,
    /// The replacement, if known.
    pub help: Option<String>,
}

impl DataType {
    /// Returns the reasons why a value cannot be converted to this type: one fault for each part. Sensitive values are not described.
    pub fn faults(&self, value: &Value) -> Vec<ValueFault> {
        let mut finder = Finder { path: Vec::new(), found: Vec::new() };
        finder.look(self, value);
        finder.found
    }
}

struct Finder {
    path: Vec<PathStep>,
    found: Vec<ValueFault>,
}

impl Finder {
    fn report(&mut self, message: String, help: Option<String>) {
        if !self.is_full() {
            self.found.push(ValueFault { path: self.path.clone(), message, help });
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= MOST
    }

    fn inside(&mut self, index: usize, key: Option<&Value>, is_key: bool, look: impl FnOnce(&mut Self)) {
        let text = match key {
            None => format!("[{index}]"),
            Some(Value::Nil) => "[undef]".to_owned(),
            Some(key) => format!("['{}']", shortened(&key.to_text())),
        };
        self.path.push(PathStep { index, text, is_key });
        look(self);
        self.path.pop();
    }

    fn look(&mut self, data_type: &DataType, value: &Value) {
        if self.is_full() || data_type.coerce(value).is_ok() {
            return;
        }
        match (data_type, value) {
            (DataType::Optional(inner), _) => self.look(inner, value),
            (DataType::Variant(types), _) => {
                let of_kind: Vec<_> = types.iter().filter(|t| has_kind(t, value)).collect();
                match of_kind.as_slice() {
                    [only] => self.look(only, value),
                    _ => self.mismatch(data_type, value),
                }
            }
            (DataType::Array(element, bounds), Value::Array(items)) => {
                if !fits(bounds, items.len()) {
                    self.mismatch_of_size(data_type, items.len(), "element");
                }
                for (i, item) in items.iter().enumerate() {
                    self.inside(i, None, false, |finder| finder.look(element, item));
                }
            }
            (DataType::Tuple(types), Value::Array(items)) if items.len() == types.len() => {
                for (i, (item, data_type)) in items.iter().zip(types).enumerate() {
                    self.inside(i, None, false, |finder| finder.look(data_type, item));
                }
            }
            (DataType::Tuple(_), Value::Array(items)) => self.mismatch_of_size(data_type, items.len(), "element"),
            (DataType::Hash(keys, values, bounds), Value::Map(map)) => {
                if !fits(bounds, map.len()) {
                    self.mismatch_of_size(data_type, map.len(), "key");
                }
                for (i, (key, value)) in map.iter().enumerate() {
                    if !accepts_key(keys, key) {
                        self.inside(i, Some(key), true, |finder| {
                            finder.report(format!("the key is not {}", keys.mismatch().expected), None);
                        });
                    }
                    self.inside(i, Some(key), false, |finder| finder.look(values, value));
                }
            }
            (DataType::Struct(members), Value::Map(_)) => self.look_into_struct(members, value),
            _ => self.mismatch(data_type, value),
        }
    }

    fn look_into_struct(&mut self, members: &[Member], value: &Value) {
        let Value::Map(map) = value else { return };
        for (i, (key, value)) in map.iter().enumerate() {
            // An unknown key is compared with all members.
            if self.is_full() {
                return;
            }
            let member = members.iter().find(|m| key.as_text() == Some(m.name.as_str()));
            match member {
                Some(member) => self.inside(i, Some(key), false, |finder| finder.look(&member.data_type, value)),
                None => {
                    let name = key.to_text();
                    let names = members.iter().map(|m| m.name.as_str());
                    let help = did_you_mean(&name, names);
                    self.inside(i, Some(key), true, |finder| {
                        finder.report(format!("unknown key {}", quoted(key)), help.map(|h| h.to_string()))
                    });
                }
            }
        }
        for member in members.iter().filter(|m| !m.optional && !m.data_type.accepts(&Value::Nil) && key_of(map, &m.name).is_none()) {
            self.report(format!("missing key `{}`", member.name), Some(format!("add `'{}' => …`", member.name)));
        }
    }

    fn mismatch(&mut self, data_type: &DataType, value: &Value) {
        let shown = match value {
            Value::Sensitive(_) => "the value".to_owned(),
            _ if value.has_secret() => "the value".to_owned(),
            Value::Array(_) | Value::Map(_) => format!("`{}`", shortened(&inspect(value))),
            other => quoted(other),
        };
        self.report(format!("{shown} is not {}", data_type.mismatch().expected), None);
    }

    fn mismatch_of_size(&mut self, data_type: &DataType, size: usize, of: &str) {
        let plural = if size == 1 { "" } else { "s" };
        self.report(format!("{size} {of}{plural}, expected {}", data_type.mismatch().expected), None);
    }
}

/// Returns a value in backticks: nil as `undef`, an empty string with its quotes.
fn quoted(value: &Value) -> String {
    match value {
        Value::Nil => "`undef`".to_owned(),
        Value::Str(text) if text.is_empty() => "`''`".to_owned(),
        other => format!("`{}`", shortened(&other.to_text())),
    }
}

/// Truncates a string to 120 characters, followed by `…`.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Returns `true` if a value is a list or map, and the type is a type of lists or maps.
fn has_kind(data_type: &DataType, value: &Value) -> bool {
    match (data_type, value) {
        (DataType::Array(..) | DataType::Tuple(_), Value::Array(_)) | (DataType::Hash(..) | DataType::Struct(_), Value::Map(_)) => true,
        (DataType::Optional(inner), _) => has_kind(inner, value),
        _ => false,
    }
}
