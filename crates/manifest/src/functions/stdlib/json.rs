//! JSON as Ruby's library writes it.

use crate::compile::failure::Failure;
use crate::compile::value::Value;
use crate::functions::ruby::to_s;
use std::borrow::Cow;

/// The texts between the parts of arrays and objects.
#[derive(Clone, Debug, Default)]
pub struct Layout<'a> {
    /// One level of indentation.
    pub indent: Cow<'a, str>,
    /// The text after a colon.
    pub space: Cow<'a, str>,
    /// The text before a colon.
    pub space_before: Cow<'a, str>,
    /// The text after each line of an object.
    pub object_nl: Cow<'a, str>,
    /// The text after each line of an array.
    pub array_nl: Cow<'a, str>,
    /// Whether numbers may be infinite.
    pub allows_nan: bool,
}

impl Layout<'_> {
    /// The layout of `JSON.pretty_generate`.
    pub fn pretty() -> Layout<'static> {
        Layout { indent: "  ".into(), space: " ".into(), object_nl: "\n".into(), array_nl: "\n".into(), ..Layout::default() }
    }

    /// Writes a value.
    ///
    /// # Errors
    /// Returns Ruby's error for infinite numbers; refuses values with a representation that is not known.
    pub fn write(&self, value: &Value) -> Result<String, Failure> {
        let mut out = String::new();
        self.append(value, 0, &mut out)?;
        Ok(out)
    }

    fn append(&self, value: &Value, depth: usize, out: &mut String) -> Result<(), Failure> {
        match value {
            Value::Undef => out.push_str("null"),
            Value::Boolean(_) | Value::Integer(_) => out.push_str(&to_s(value)),
            Value::Float(number) if number.is_finite() || self.allows_nan => out.push_str(&to_s(value)),
            Value::Float(_) => return Err(Failure::new(format!("920: {} not allowed in JSON", to_s(value)))),
            Value::String(text) => quote(text, out),
            Value::Array(elements) => {
                let texts = elements.iter().map(|element| {
                    let mut text = String::new();
                    self.append(element, depth + 1, &mut text).map(|()| text)
                });
                let texts = texts.collect::<Result<Vec<_>, _>>()?;
                self.list(&texts, ('[', ']'), &self.array_nl, depth, out);
            }
            Value::Hash(map) => {
                let texts = map.iter().map(|(key, value)| {
                    let mut text = String::new();
                    quote(&to_s(key), &mut text);
                    text.push_str(&format!("{}:{}", self.space_before, self.space));
                    self.append(value, depth + 1, &mut text).map(|()| text)
                });
                let texts = texts.collect::<Result<Vec<_>, _>>()?;
                self.list(&texts, ('{', '}'), &self.object_nl, depth, out);
            }
            Value::Object(_) | Value::Iterator(_) | Value::Lambda(_) => {
                return Err(Failure::unsupported("JSON of objects, iterators and lambdas"));
            }
            // Ruby's library writes the text of all other values.
            other => quote(&to_s(other), out),
        }
        Ok(())
    }

    fn list(&self, texts: &[String], (open, close): (char, char), line: &str, depth: usize, out: &mut String) {
        out.push(open);
        out.push_str(line);
        let indent = |depth: usize| if line.is_empty() { String::new() } else { self.indent.repeat(depth) };
        for (at, text) in texts.iter().enumerate() {
            if at > 0 {
                out.push(',');
                out.push_str(line);
            }
            out.push_str(&indent(depth + 1));
            out.push_str(text);
        }
        // Ruby's library writes an empty line into an empty array.
        if !texts.is_empty() || open == '[' {
            out.push_str(line);
        }
        out.push_str(&indent(depth));
        out.push(close);
    }
}

fn quote(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_written_as_ruby_does() {
        let value = Value::hash([
            (Value::from("a"), Value::array(vec![Value::Float(1e30), Value::Undef])),
            (Value::Integer(1), Value::array(Vec::new())),
            (Value::from("c"), Value::hash([])),
        ]);
        assert_eq!(Layout::default().write(&value).unwrap(), r#"{"a":[1.0e+30,null],"1":[],"c":{}}"#);
        assert_eq!(
            Layout::pretty().write(&value).unwrap(),
            "{\n  \"a\": [\n    1.0e+30,\n    null\n  ],\n  \"1\": [\n\n  ],\n  \"c\": {\n  }\n}"
        );
    }
}
