//! Values in messages, as Puppet words them (`Puppet::Parameter.format_value_for_display`).

use crate::value::{REDACTED, Value, inspect};

/// The value as it stands in `changed 'a' to ['b', 'c']`.
pub fn for_display(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out
}

fn write(out: &mut String, value: &Value, indent: usize) {
    match value {
        // Alone it is nothing, inside of lists and maps it has a name.
        Value::Nil => out.push_str(if indent > 0 { "undef" } else { "" }),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Float(n) => out.push_str(&format!("{n:.6}")),
        Value::Array(values) => {
            out.push('[');
            for (i, v) in values.iter().enumerate() {
                // A list or map inside begins a line of its own, and so does what follows it.
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
        other => {
            let text = other.to_text();
            if text.chars().any(char::is_control) {
                out.push_str(&inspect(&Value::Str(text)));
            } else {
                out.push('\'');
                out.push_str(&text.replace("'", "\\'"));
                out.push('\'');
            }
        }
    }
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(indent));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Map;
    use std::sync::Arc;

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
            (Value::str("back\\slash"), "'back\\slash'"),
            (Value::Sensitive(Arc::new(Value::str("x"))), "[redacted]"),
        ];
        for (value, text) in cases {
            assert_eq!(for_display(&value), text);
        }
    }
}
