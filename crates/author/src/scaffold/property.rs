//! Properties of new types.

use std::fmt;
use std::str::FromStr;

/// A property of a new type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProperty {
    /// The name of the property.
    pub name: String,
    /// The kind of the values.
    pub kind: PropertyKind,
}

/// The values of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// One line of text.
    Text,
    /// An integer.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// An absolute path.
    Path,
    /// A list of strings.
    List,
    /// One of these words.
    Words(Vec<String>),
}

/// The reason why the description of a property is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyError {
    /// The name is not a valid attribute name.
    Name(String),
    /// The kind of values is unknown.
    Kind(String),
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyError::Name(name) => {
                write!(f, "invalid property name `{name}`: use lower-case letters, digits and `_`, beginning with a letter")
            }
            PropertyError::Kind(kind) => {
                write!(f, "unknown kind `{kind}`: expected text, integer, boolean, path, list, or words separated by commas")
            }
        }
    }
}

impl std::error::Error for PropertyError {}

/// Returns `true` if a string can be the name of a type, provider or attribute.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

impl FromStr for NewProperty {
    type Err = PropertyError;

    /// Parses `NAME` or `NAME:KIND`.
    fn from_str(text: &str) -> Result<NewProperty, PropertyError> {
        let (name, kind) = text.split_once(':').unwrap_or((text, "text"));
        if !is_name(name) || matches!(name, "name" | "ensure" | "title" | "provider") {
            return Err(PropertyError::Name(name.to_owned()));
        }
        let kind = match kind {
            "text" => PropertyKind::Text,
            "integer" => PropertyKind::Integer,
            "boolean" => PropertyKind::Boolean,
            "path" => PropertyKind::Path,
            "list" => PropertyKind::List,
            words if words.contains(',') && words.split(',').all(is_name) => {
                PropertyKind::Words(words.split(',').map(str::to_owned).collect())
            }
            other => return Err(PropertyError::Kind(other.to_owned())),
        };
        Ok(NewProperty { name: name.to_owned(), kind })
    }
}

impl NewProperty {
    /// Returns the directives of the property.
    pub(super) fn directive(&self) -> String {
        let NewProperty { name, kind } = self;
        let line = r#"message: "expected one line without colons""#;
        let trimmed = r#"message: "expected one line without colons and without blanks at its ends""#;
        let (options, body) = match kind {
            PropertyKind::Text => ("", format!("matches /\\A[^:\\s]([^:\\r\\n]*[^:\\s])?\\z/, {trimmed}")),
            PropertyKind::Integer => ("", "type Integer".to_owned()),
            PropertyKind::Boolean => ("", "newvalues true, false".to_owned()),
            PropertyKind::Path => ("", format!("type AbsolutePath\n    matches /\\A[^:\\r\\n]+\\z/, {line}")),
            PropertyKind::List => (
                ", array_matching: all",
                "compare set\n    matches /\\A[^:,\\r\\n]+\\z/, message: \"expected text without colons and commas\"".to_owned(),
            ),
            PropertyKind::Words(words) => ("", format!("newvalues {}", words.join(", "))),
        };
        format!("  newproperty {name}{options} {{\n    desc \"{}.\"\n    {body}\n  }}\n", self.meaning())
    }

    fn meaning(&self) -> String {
        let name = self.name.replace('_', " ");
        match &self.kind {
            PropertyKind::Text => format!("The {name}, on one line"),
            PropertyKind::Integer => format!("The {name}, an integer"),
            PropertyKind::Boolean => format!("Whether it has the setting `{}`", self.name),
            PropertyKind::Path => format!("The {name}, an absolute path"),
            PropertyKind::List => format!("The {name}, in any order"),
            PropertyKind::Words(_) => format!("The {name}, one of the listed values"),
        }
    }

    /// Returns an example value as resources declare it.
    pub(super) fn declared(&self) -> String {
        match &self.kind {
            PropertyKind::Text => "'example'".to_owned(),
            PropertyKind::Integer => "1".to_owned(),
            PropertyKind::Boolean => "true".to_owned(),
            PropertyKind::Path => "'/srv/example'".to_owned(),
            PropertyKind::List => "['one', 'two']".to_owned(),
            PropertyKind::Words(words) => words.first().cloned().unwrap_or_default(),
        }
    }

    /// Returns the example value as blocks see it.
    pub(super) fn canonical(&self) -> String {
        match &self.kind {
            PropertyKind::Boolean | PropertyKind::Words(_) => format!(":{}", self.declared()),
            _ => self.declared().replace('\'', "\""),
        }
    }

    /// Returns the example value as a field of a line, without quotes.
    pub(super) fn field(&self) -> String {
        match &self.kind {
            PropertyKind::List => "one,two".to_owned(),
            _ => self.declared().replace('\'', ""),
        }
    }

    /// Returns the example value as a file contains it: values of `newvalues` are strings.
    pub(super) fn stored(&self) -> String {
        match &self.kind {
            PropertyKind::Boolean | PropertyKind::Words(_) => format!("\"{}\"", self.declared()),
            _ => self.canonical(),
        }
    }

    /// Returns another value as blocks see it.
    pub(super) fn other(&self) -> String {
        match &self.kind {
            PropertyKind::Text => "\"other\"".to_owned(),
            PropertyKind::Integer => "2".to_owned(),
            PropertyKind::Boolean => ":false".to_owned(),
            PropertyKind::Path => "\"/srv/other\"".to_owned(),
            PropertyKind::List => "[\"three\"]".to_owned(),
            PropertyKind::Words(words) => format!(":{}", words.last().cloned().unwrap_or_default()),
        }
    }

    /// Returns a value that is rejected, as resources declare it.
    pub(super) fn rejected(&self) -> &'static str {
        match self.kind {
            PropertyKind::Text | PropertyKind::List => "'two: parts'",
            PropertyKind::Integer => "'many'",
            PropertyKind::Boolean | PropertyKind::Words(_) => "'not a value'",
            PropertyKind::Path => "'relative/path'",
        }
    }
}
