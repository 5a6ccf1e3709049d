//! Help: the allowed values, or an alternative.

use crate::redact::Redactor;
use std::fmt;

/// The allowed values, or an alternative. `Display` writes a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Help {
    /// A sentence.
    Text(String),
    /// Another name in place of the name at the primary span.
    Suggestion {
        /// The name.
        name: String,
        /// Another way to fix the error; may be empty.
        more: String,
    },
}

impl Help {
    /// Suggests a name in place of the name at the primary span.
    pub fn suggestion(name: impl Into<String>) -> Help {
        Help::Suggestion { name: name.into(), more: String::new() }
    }

    /// Adds another way to fix the error to a suggestion.
    #[must_use]
    pub fn or_else(self, more: impl Into<String>) -> Help {
        match self {
            Help::Suggestion { name, .. } => Help::Suggestion { name, more: more.into() },
            text @ Help::Text(_) => text,
        }
    }

    /// Returns the suggested name.
    pub fn suggested(&self) -> Option<&str> {
        match self {
            Help::Suggestion { name, .. } => Some(name),
            Help::Text(_) => None,
        }
    }

    /// Redacts secrets.
    #[must_use]
    pub fn redacted(self, redactor: &Redactor) -> Help {
        match self {
            Help::Text(text) => Help::Text(redactor.redact(&text)),
            Help::Suggestion { name, more } => Help::Suggestion { name: redactor.redact(&name), more: redactor.redact(&more) },
        }
    }
}

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Help::Text(text) => f.write_str(text),
            Help::Suggestion { name, more } if more.is_empty() => write!(f, "did you mean `{name}`?"),
            Help::Suggestion { name, more } => write!(f, "did you mean `{name}`? {more}"),
        }
    }
}

impl From<String> for Help {
    fn from(text: String) -> Help {
        Help::Text(text)
    }
}

impl From<Box<Help>> for Help {
    fn from(help: Box<Help>) -> Help {
        *help
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Help {
        Help::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_become_sentences() {
        assert_eq!(Help::suggestion("ensure").to_string(), "did you mean `ensure`?");
        assert_eq!(Help::suggestion("ensure").or_else("Else declare it").to_string(), "did you mean `ensure`? Else declare it");
        assert_eq!((Help::from("read on").suggested(), Help::suggestion("ensure").suggested()), (None, Some("ensure")));
    }
}
