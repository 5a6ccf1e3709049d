//! Formats values for messages, like Puppet (`Puppet::Parameter.format_value_for_display`).

use super::verdict::{Comparison, Status};
use crate::manifest::quoted;
use rtype_lang::value::{REDACTED, Value, describe_bytes};

/// Formats a value as in `changed 'a' to ['b', 'c']`.
pub fn for_display(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out
}

fn write(out: &mut String, value: &Value, indent: usize) {
    match value {
        // Puppet's names for nil and the default. A top-level nil is empty.
        Value::Nil => out.push_str(if indent > 0 { "undef" } else { "" }),
        Value::Sym(s) if s.as_str() == "undef" => write(out, &Value::Nil, indent),
        Value::Sym(s) if s.as_str() == "default" => out.push_str("default"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Float(n) if indent == 0 => out.push_str(&format!("{n:.6}")),
        Value::Float(_) => out.push_str(&value.to_text()),
        Value::Array(values) => {
            out.push('[');
            for (i, v) in values.iter().enumerate() {
                // A nested list or map starts on a new line, and so does the next element.
                let nested = |v: &Value| matches!(v, Value::Array(_) | Value::Map(_));
                let breaks = nested(v) || i.checked_sub(1).and_then(|before| values.get(before)).is_some_and(nested);
                match (i > 0, breaks) {
                    (true, false) => out.push_str(", "),
                    (true, true) => out.push(','),
                    _ => {}
                }
                if breaks {
                    new_line(out, indent + 1);
                }
                write(out, v, indent + 1);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (k, v)) in map.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                new_line(out, indent + 1);
                write(out, k, indent + 1);
                out.push_str(" => ");
                write(out, v, indent + 1);
            }
            if map.is_empty() {
                out.push('\n');
            }
            new_line(out, indent);
            out.push('}');
        }
        Value::Sensitive(_) => out.push_str(REDACTED),
        Value::Binary(bytes) => out.push_str(&describe_bytes(bytes)),
        other => {
            quote(out, &other.to_text());
        }
    }
}

/// Quotes a string like Puppet in messages, where backslashes are not escaped.
fn quote(out: &mut String, text: &str) {
    if text.chars().any(|c| c < ' ') {
        out.push_str(&quoted(text));
        return;
    }
    out.push('\'');
    let mut escaped = false;
    for c in text.chars() {
        if c == '\'' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out.push('\'');
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(indent));
}

/// The maximum number of characters in a cell, without `…`.
const CELL: usize = 40;

/// Formats a value for a cell: shortened and on a single line.
pub fn one_line(value: &Value) -> String {
    shortened(value, &on_one_line(&cell(value)))
}

/// Formats a value for a cell without shortening.
fn cell(value: &Value) -> String {
    match value {
        Value::Sym(s) => s.to_string(),
        other => on_one_line(&for_display(other)),
    }
}

/// Shortens a formatted value for a cell: a hash to the number of keys, a list to the first elements, and other values to their beginning.
/// `text` may have been redacted.
fn shortened(value: &Value, text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(CELL) else { return text.to_owned() };
    let cut = || format!("{}…", text.get(..end).unwrap_or_default());
    match value.unwrapped() {
        Value::Map(map) if text.ends_with('}') => counted("{", map.len(), "key", "}"),
        Value::Array(elements) if text.ends_with(']') => {
            // Keep elements that are on one line and fit, as long as they match `text`.
            let fits = |line: &String| line.chars().count() <= CELL && text.starts_with(line.as_str());
            let mut beginning = String::from("[");
            let mut shown = 0;
            for element in elements.iter() {
                let longer = format!("{beginning}{}, ", inside(element));
                if !fits(&longer) || longer.chars().count() + "… 999 more]".len() > CELL {
                    break;
                }
                (beginning, shown) = (longer, shown + 1);
            }
            match shown {
                0 => counted("[", elements.len(), "element", "]"),
                shown => format!("{beginning}… {} more]", elements.len() - shown),
            }
        }
        _ => cut(),
    }
}

/// Formats a list element.
fn inside(element: &Value) -> String {
    let mut out = String::new();
    write(&mut out, element, 1);
    on_one_line(&out)
}

fn counted(open: &str, count: usize, what: &str, close: &str) -> String {
    format!("{open} … {count} {what}{} {close}", if count == 1 { "" } else { "s" })
}

/// Replaces line breaks and indentation with a single space.
pub fn on_one_line(text: &str) -> String {
    text.split('\n').map(str::trim_start).collect::<Vec<_>>().join(" ")
}

/// Formats a comparison as table cells: the property, the current value, the desired value, and the reason for a difference.
///
/// Each cell is redacted before it is shortened, because a shortened secret would not be found. If `short` is set, values in messages are
/// also shortened.
pub fn row(comparison: &Comparison, redact: &dyn Fn(&str) -> String, short: bool) -> [String; 4] {
    let mut shortening: Vec<(String, String)> = Vec::new();
    let mut formatted = |value: &Value| {
        let full = redact(&cell(value));
        let text = shortened(value, &full);
        shortening.push((full, text.clone()));
        text
    };
    let is = comparison.is.as_ref().map_or_else(|_| "unreadable".into(), &mut formatted);
    let should = match comparison.any_of.as_slice() {
        [] => formatted(&comparison.should),
        any => any.iter().map(formatted).collect::<Vec<_>>().join(" or "),
    };
    let mut why = redact(&why(comparison));
    for (full, text) in shortening.iter().filter(|(full, text)| short && full != text) {
        why = why.replace(full, text);
    }
    [redact(comparison.name.as_str()), is, should, why]
}

fn why(comparison: &Comparison) -> String {
    match &comparison.status {
        Status::InSync => String::new(),
        Status::OutOfSync(message) => on_one_line(message),
        Status::WithEnsure if matches!(&comparison.is, Ok(is) if is.unwrapped().is_absent()) => "set when it is created".into(),
        Status::WithEnsure => "gone when it is removed".into(),
        Status::Unreadable(failure) => failure.message.clone(),
        Status::Unknown => "waits for a value that is not known yet".into(),
        Status::Failed(why) => format!("comparing failed: {why}"),
        Status::Untranslated(why) => format!("not checked: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::value::Map;
    use std::sync::Arc;

    #[test]
    fn inside_of_lists_and_maps_some_values_look_different() {
        let inside = Value::array([Value::Nil, Value::sym("undef"), Value::sym("default"), Value::Float(1.5), Value::Float(1e20)]);
        assert_eq!((for_display(&inside), for_display(&Value::Nil)), ("[undef, undef, default, 1.5, 1.0e+20]".into(), String::new()));
    }

    #[test]
    fn values_are_worded_as_puppet_words_them() {
        let map: Map =
            [(Value::str("a"), Value::Int(1)), (Value::str("b"), Value::array([Value::Int(1), Value::Int(2)]))].into_iter().collect();
        let cases = [
            (Value::sym("x"), "'x'"),
            (Value::str("it's"), "'it\\'s'"),
            (Value::Float(1.5), "1.500000"),
            (Value::array([Value::sym("a"), Value::str("b")]), "['a', 'b']"),
            (Value::array([Value::str("a"), Value::array([Value::str("b"), Value::str("c")])]), "['a',\n  ['b', 'c']]"),
            (Value::array([Value::array([Value::str("a")])]), "[\n  ['a']]"),
            (
                Value::array([Value::array([Value::str("a"), Value::str("b")]), Value::str("c"), Value::str("d")]),
                "[\n  ['a', 'b'],\n  'c', 'd']",
            ),
            (Value::array([Value::str("a"), Value::array([]), Value::str("b")]), "['a',\n  [],\n  'b']"),
            (Value::Nil, ""),
            (Value::array([Value::Nil, Value::str("a")]), "[undef, 'a']"),
            (Value::Map(Arc::new(map)), "{\n  'a' => 1,\n  'b' => [1, 2]\n}"),
            (Value::Map(Arc::default()), "{\n\n}"),
            (Value::str("a\nb"), "\"a\\nb\""),
            (Value::str("a\u{7}$"), r#""a\u{7}\$""#),
            (Value::str("back\\slash\\"), r"'back\slash\'"),
            (Value::Sensitive(Arc::new(Value::str("x"))), "[redacted]"),
        ];
        for (value, text) in cases {
            assert_eq!(for_display(&value), text);
        }
    }

    #[test]
    fn long_values_are_shortened_for_cells() {
        let map = |n: i64| Value::Map(Arc::new((0..n).map(|i| (Value::str(format!("key{i}")), Value::Int(i))).collect()));
        let words = |n: usize, word: &str| Value::array((0..n).map(|_| Value::str(word)));
        let cases = [
            (map(2), "{ 'key0' => 0, 'key1' => 1 }"),
            (map(12), "{ … 12 keys }"),
            (words(3, "abc"), "['abc', 'abc', 'abc']"),
            (words(20, "abc"), "['abc', 'abc', 'abc', … 17 more]"),
            (words(2, "abcdefghijklmnopqrstuvwxyz0123456789"), "[ … 2 elements ]"),
            (Value::str("abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl"), "'abcdefghijklmnopqrstuvwxyz0123456789abc…"),
        ];
        for (value, wanted) in cases {
            assert_eq!(one_line(&value), wanted);
        }
        // Redacted output is no longer a list.
        assert_eq!(shortened(&words(9, "abc"), "[redacted]"), "[redacted]");
    }
}
