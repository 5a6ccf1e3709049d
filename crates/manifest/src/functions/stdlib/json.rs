//! JSON as Ruby's library writes it.

use crate::compile::failure::EvaluationFailure;
use crate::compile::value::ManifestValue;
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
    pub fn write(&self, value: &ManifestValue) -> Result<String, EvaluationFailure> {
        let mut out = String::new();
        self.append(value, 0, &mut out)?;
        Ok(out)
    }

    fn append(&self, value: &ManifestValue, depth: usize, out: &mut String) -> Result<(), EvaluationFailure> {
        match value {
            ManifestValue::Undef => out.push_str("null"),
            ManifestValue::Boolean(_) | ManifestValue::Integer(_) => out.push_str(&to_s(value)),
            ManifestValue::Float(number) if number.is_finite() || self.allows_nan => out.push_str(&to_s(value)),
            ManifestValue::Float(_) => return Err(EvaluationFailure::new(format!("920: {} not allowed in JSON", to_s(value)))),
            ManifestValue::String(text) => quote(text, out),
            ManifestValue::Array(elements) => {
                let texts = elements.iter().map(|element| {
                    let mut text = String::new();
                    self.append(element, depth + 1, &mut text).map(|()| text)
                });
                let texts = texts.collect::<Result<Vec<_>, _>>()?;
                self.list(&texts, ('[', ']'), &self.array_nl, depth, out);
            }
            ManifestValue::Hash(map) => {
                let texts = map.iter().map(|(key, value)| {
                    let mut text = String::new();
                    quote(&to_s(key), &mut text);
                    text.push_str(&format!("{}:{}", self.space_before, self.space));
                    self.append(value, depth + 1, &mut text).map(|()| text)
                });
                let texts = texts.collect::<Result<Vec<_>, _>>()?;
                self.list(&texts, ('{', '}'), &self.object_nl, depth, out);
            }
            ManifestValue::Object(_) | ManifestValue::Iterator(_) | ManifestValue::Lambda(_) => {
                return Err(EvaluationFailure::unsupported("JSON of objects, iterators and lambdas"));
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
        let value = ManifestValue::hash([
            (ManifestValue::from("a"), ManifestValue::array(vec![ManifestValue::Float(1e30), ManifestValue::Undef])),
            (ManifestValue::Integer(1), ManifestValue::array(Vec::new())),
            (ManifestValue::from("c"), ManifestValue::hash([])),
        ]);
        assert_eq!(Layout::default().write(&value).unwrap(), r#"{"a":[1.0e+30,null],"1":[],"c":{}}"#);
        assert_eq!(
            Layout::pretty().write(&value).unwrap(),
            "{\n  \"a\": [\n    1.0e+30,\n    null\n  ],\n  \"1\": [\n\n  ],\n  \"c\": {\n  }\n}"
        );
    }
}
