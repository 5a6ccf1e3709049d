//! External strings: from programs, files and providers.

use std::fmt;

/// An external string that may contain secrets. It cannot be printed: [`super::Redactor::reveal`] converts it to a string without
/// secrets.
///
/// ```compile_fail,E0277
/// println!("{}", rtype::redact::Foreign::output("password: x"));
/// ```
///
/// The type has no `Display` and gives no access to the string. `Debug` shows only the length.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Foreign(Vec<Part>);

/// A part of an external string.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    text: String,
    /// `true` for the output of a program, `false` for a message from rtype or from a provider's code.
    is_output: bool,
    /// The part to show. The string is cut after redaction, because a cut secret would not be recognized.
    cut: Option<Cut>,
}

/// The way to shorten a long string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Cut {
    /// Show only the last lines.
    Lines(usize),
    /// Show only the first characters.
    Characters(usize),
}

impl Foreign {
    /// Creates an external string from the output of a program. The whole output is withheld if it contains a secret that is too short
    /// to redact.
    pub fn output(text: impl Into<String>) -> Foreign {
        Foreign(vec![Part { text: text.into(), is_output: true, cut: None }])
    }

    /// Creates an external string from the output of a program; only the last lines are shown.
    pub fn last_lines(text: impl Into<String>, lines: usize) -> Foreign {
        Foreign(vec![Part { text: text.into(), is_output: true, cut: Some(Cut::Lines(lines)) }])
    }

    /// Creates an external string from the output of a program; only the first characters are shown.
    pub fn first_characters(text: impl Into<String>, count: usize) -> Foreign {
        Foreign(vec![Part { text: text.into(), is_output: true, cut: Some(Cut::Characters(count)) }])
    }

    /// Appends another string.
    #[must_use]
    pub fn then(mut self, other: impl Into<Foreign>) -> Foreign {
        self.0.extend(other.into().0);
        self
    }

    /// Replaces the output of programs by a notice, for cases in which the output may contain a secret that has not been read.
    #[must_use]
    pub fn without_output(mut self) -> Foreign {
        for part in self.0.iter_mut().filter(|part| part.is_output) {
            *part = Part { text: "[output withheld: it may contain a secret]".into(), is_output: false, cut: None };
        }
        self
    }

    /// Returns `true` if the string is empty or blank.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|part| part.text.trim().is_empty())
    }

    /// Returns `true` if the string contains `text`. For code that distinguishes errors, not for printing.
    pub fn contains(&self, text: &str) -> bool {
        self.whole().contains(text)
    }

    /// Returns `true` if the string starts with `text`.
    pub fn starts_with(&self, text: &str) -> bool {
        self.whole().starts_with(text)
    }

    /// Returns `true` if the string ends with `text`.
    pub fn ends_with(&self, text: &str) -> bool {
        self.whole().ends_with(text)
    }

    fn whole(&self) -> String {
        self.render(|text, _| text.to_owned())
    }

    pub(super) fn render(&self, clean: impl Fn(&str, bool) -> String) -> String {
        let shown = |part: &Part| {
            let text = clean(&part.text, part.is_output);
            match part.cut {
                None => text,
                Some(Cut::Lines(most)) => {
                    let lines: Vec<&str> = text.trim_end().lines().collect();
                    lines.get(lines.len().saturating_sub(most)..).unwrap_or_default().join("\n")
                }
                Some(Cut::Characters(most)) => {
                    let end = text.char_indices().nth(most).map(|(at, _)| at);
                    end.and_then(|end| Some(format!("{}…", text.get(..end)?))).unwrap_or(text)
                }
            }
        };
        self.0.iter().map(shown).collect()
    }
}

/// An external string in which a [`super::Redactor`] has redacted secrets, so that the string can be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted(pub(super) String);

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Foreign {
    fn from(text: String) -> Foreign {
        Foreign(vec![Part { text, is_output: false, cut: None }])
    }
}

impl From<&str> for Foreign {
    fn from(text: &str) -> Foreign {
        text.to_owned().into()
    }
}

/// A string in a program's response counts as output.
impl<'de> serde::Deserialize<'de> for Foreign {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Foreign, D::Error> {
        String::deserialize(deserializer).map(Foreign::output)
    }
}

impl PartialEq<str> for Foreign {
    fn eq(&self, other: &str) -> bool {
        self.whole() == other
    }
}

impl PartialEq<&str> for Foreign {
    fn eq(&self, other: &&str) -> bool {
        self.whole() == *other
    }
}

impl PartialEq<String> for Foreign {
    fn eq(&self, other: &String) -> bool {
        self.whole() == *other
    }
}

/// Available in tests only, for assertion messages.
#[cfg(test)]
impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.whole())
    }
}

impl fmt::Debug for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<text that is not redacted yet, in {} parts>", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_compared_as_one_text() {
        let text = Foreign::from("not ").then("found");
        assert!(text.contains("t f") && text.starts_with("not f") && text.ends_with("t found"));
        assert!(!text.contains("x") && !text.starts_with("found") && !text.ends_with("not"));
    }

    #[test]
    fn blank_text_is_empty() {
        assert!(Foreign::default().is_empty() && Foreign::from(" \n").is_empty());
        assert!(!Foreign::from(" ").then("a").is_empty());
    }
}
