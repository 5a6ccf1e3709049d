//! Formats of `String.new`: `%#(5.2a`, and maps of types to formats.

use crate::compile::failure::EvaluationFailure;
use crate::compile::types::Type;
use crate::compile::value::ManifestValue;
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

/// A format, and for containers the texts between the elements and the formats of the elements.
#[derive(Clone, Debug, Default)]
pub struct StringFormat {
    /// The format as written.
    pub source: String,
    /// The letter.
    pub letter: char,
    /// The flags.
    pub flags: String,
    /// The width.
    pub width: Option<usize>,
    /// The precision.
    pub precision: Option<usize>,
    /// The text between elements.
    pub separator: Option<String>,
    /// The text between a key and its value.
    pub separator2: Option<String>,
    /// The formats of elements.
    pub elements: Option<Arc<Formats>>,
}

/// Formats by type; the first type that fits counts.
#[derive(Clone, Debug, Default)]
pub struct Formats(Vec<(Type, StringFormat)>);

const DELIMITERS: [char; 5] = ['[', '{', '(', '<', '|'];
/// The maximum width and precision.
const WIDEST: usize = 10_000;

impl StringFormat {
    /// Parses a format.
    ///
    /// # Errors
    /// Returns Puppet's error for a malformed format.
    pub fn parse(text: &str) -> Result<StringFormat, EvaluationFailure> {
        let invalid =
            || EvaluationFailure::new(format!("The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"));
        let rest = text.strip_prefix('%').ok_or_else(invalid)?;
        let end = rest.find(|c: char| !(c.is_ascii_whitespace() || "[+#0{<(|-".contains(c))).ok_or_else(invalid)?;
        let (flags, rest) = rest.split_at_checked(end).ok_or_else(invalid)?;
        let (width, rest) = number(rest);
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => {
                let (precision, rest) = number(rest);
                (Some(precision.ok_or_else(invalid)?), rest)
            }
            None => (None, rest),
        };
        let mut letters = rest.chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic).ok_or_else(invalid)?;
        if !letters.as_str().is_empty() {
            return Err(invalid());
        }
        if width.is_some_and(|width| width > WIDEST) || precision.is_some_and(|precision| precision > WIDEST) {
            return Err(EvaluationFailure::limit("a width or precision of a format is too large"));
        }
        let is_repeated = flags.chars().enumerate().any(|(at, flag)| flags.chars().take(at).any(|other| other == flag));
        if is_repeated {
            return Err(EvaluationFailure::new(format!("The same flag can only be used once, got '{text}'")));
        }
        if flags.chars().filter(|flag| DELIMITERS.contains(flag)).count() > 1 {
            return Err(EvaluationFailure::new(format!(
                "Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"
            )));
        }
        Ok(StringFormat { source: text.to_owned(), letter, flags: flags.to_owned(), width, precision, ..StringFormat::default() })
    }

    /// Returns the default format with a letter.
    fn plain(letter: char) -> StringFormat {
        StringFormat { source: format!("%{letter}"), letter, ..StringFormat::default() }
    }

    fn container(letter: char, separator2: &str) -> StringFormat {
        let elements = Formats(vec![(Type::Any, StringFormat::plain('p'))]);
        StringFormat {
            separator: Some(", ".to_owned()),
            separator2: Some(separator2.to_owned()),
            elements: Some(Arc::new(elements)),
            ..StringFormat::plain(letter)
        }
    }

    /// Returns `true` for the flag `#`.
    pub fn is_alternative(&self) -> bool {
        self.flags.contains('#')
    }

    /// Returns the delimiters of a container.
    pub fn delimiters<'a>(&self, default: (&'a str, &'a str)) -> (&'a str, &'a str) {
        match self.flags.chars().find(|flag| DELIMITERS.contains(flag)) {
            Some('[') => ("[", "]"),
            Some('{') => ("{", "}"),
            Some('(') => ("(", ")"),
            Some('<') => ("<", ">"),
            Some(_) => ("|", "|"),
            None if self.flags.contains(' ') => ("", ""),
            None => default,
        }
    }

    fn merged(&self, higher: &StringFormat) -> StringFormat {
        StringFormat {
            separator: higher.separator.clone().or_else(|| self.separator.clone()),
            separator2: higher.separator2.clone().or_else(|| self.separator2.clone()),
            elements: match (&self.elements, &higher.elements) {
                (Some(lower), Some(higher)) => Some(Arc::new(lower.merged(higher))),
                (lower, higher) => higher.clone().or_else(|| lower.clone()),
            },
            ..higher.clone()
        }
    }

    fn of_value(value: &ManifestValue) -> Result<StringFormat, EvaluationFailure> {
        if let ManifestValue::String(text) = value {
            return StringFormat::parse(text);
        }
        let text = |key: &str| value.get(key).and_then(ManifestValue::as_str).map(str::to_owned);
        let mut format = StringFormat::parse(&text("format").unwrap_or_default())?;
        format.separator = text("separator");
        format.separator2 = text("separator2");
        format.elements = value.get("string_formats").map(Formats::of_value).transpose()?.map(Arc::new);
        Ok(format)
    }
}

fn number(text: &str) -> (Option<usize>, &str) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.split_at_checked(length) {
        Some((digits, rest)) if length > 0 => (Some(digits.parse().unwrap_or(usize::MAX)), rest),
        _ => (None, text),
    }
}

/// The formats without other formats.
pub static DEFAULTS: LazyLock<Formats> = LazyLock::new(|| {
    Formats(vec![
        (Type::Object(None), StringFormat::plain('p')),
        (Type::FLOAT, StringFormat::plain('f')),
        (Type::Numeric, StringFormat::plain('d')),
        (Type::array(Type::Any), StringFormat::container('a', ", ")),
        (Type::hash(Type::Any, Type::Any), StringFormat::container('h', " => ")),
        (Type::Binary, StringFormat::plain('B')),
        (Type::Any, StringFormat::plain('s')),
    ])
});

impl Formats {
    /// Returns a single format.
    pub fn single(of: Type, format: StringFormat) -> Formats {
        Formats(vec![(of, format)])
    }

    /// Reads a hash of types to formats.
    ///
    /// # Errors
    /// Returns Puppet's error for a malformed format.
    pub fn of_value(value: &ManifestValue) -> Result<Formats, EvaluationFailure> {
        let entries = value.as_map().into_iter().flatten().map(|(key, value)| match key {
            ManifestValue::Type(of) => Ok(((**of).clone(), StringFormat::of_value(value)?)),
            _ => Err(EvaluationFailure::unsupported("a format for a key that is not a type")),
        });
        Ok(Formats(entries.collect::<Result<_, EvaluationFailure>>()?))
    }

    /// Returns these formats with other formats of higher precedence, in the order in which they are tried.
    pub fn merged(&self, higher: &Formats) -> Formats {
        let is_hidden = |of: &Type| higher.0.iter().any(|(other, _)| other != of && other.accepts(of));
        let lower: Vec<&(Type, StringFormat)> = self.0.iter().filter(|(of, _)| !is_hidden(of)).collect();
        let mut merged: Vec<(Type, StringFormat)> = Vec::new();
        for (of, format) in &lower {
            let over = higher.0.iter().find(|(other, _)| other == of);
            merged.push((of.clone(), over.map_or_else(|| format.clone(), |(_, over)| format.merged(over))));
        }
        for (of, format) in &higher.0 {
            if !lower.iter().any(|(other, _)| other == of) {
                merged.push((of.clone(), format.clone()));
            }
        }
        // Types that accept others come later. A sort that compares all pairs does not need a total order.
        let mut sorted: Vec<(Type, StringFormat)> = Vec::new();
        for entry in merged {
            let at = sorted.iter().position(|(other, _)| precedence(&entry.0, other) == Ordering::Less).unwrap_or(sorted.len());
            sorted.insert(at, entry);
        }
        Formats(sorted)
    }

    /// Returns the format of a type.
    pub fn of(&self, of: &Type) -> StringFormat {
        self.0.iter().find(|(other, _)| other.accepts(of)).map_or_else(|| StringFormat::plain('s'), |(_, format)| format.clone())
    }
}

fn rank(of: &Type) -> u8 {
    match of {
        Type::Struct(_) => 1,
        Type::Hash(..) => 2,
        Type::Tuple(_) => 3,
        Type::Array(..) => 4,
        Type::Pattern(_) => 10,
        Type::Enum(_) => 11,
        Type::String(_) | Type::Literal(_) => 12,
        _ => 0,
    }
}

fn precedence(a: &Type, b: &Type) -> Ordering {
    match (b.accepts(a), a.accepts(b)) {
        _ if a == b => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ if rank(a) == 0 || rank(b) == 0 => a.to_string().cmp(&b.to_string()),
        _ => rank(a).cmp(&rank(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_formats_are_errors() {
        assert!(StringFormat::parse("%#(5.2a").is_ok());
        let message = |text: &str| StringFormat::parse(text).unwrap_err().text().to_owned();
        assert_eq!(message("x"), "The format 'x' is not a valid format on the form '%<flags><width>.<prec><format>'");
        assert_eq!(message("%##d"), "The same flag can only be used once, got '%##d'");
        assert_eq!(message("%({a"), "Only one of the delimiters [ { ( < | can be given in the format flags, got '%({a'");
    }
}
