//! Text that programs, files and providers wrote.

use std::fmt;

/// Text that may hold a secret. It cannot be printed: [`super::Redactor::reveal`] turns it into a string without secrets.
///
/// ```compile_fail,E0277
/// println!("{}", rtype::redact::Foreign::output("password: x"));
/// ```
///
/// There is neither `Display` nor access to the text. `Debug` shows how long it is made of, nothing of it.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Foreign(Vec<Part>);

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    text: String,
    /// Whether a program said it, rather than rtype or a provider's code about what it found.
    is_output: bool,
    /// What of it is shown. Cutting comes after redacting: a part of a secret is not found.
    cut: Option<Cut>,
}

/// A text that is too long is cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Cut {
    /// The last lines are shown.
    Lines(usize),
    /// The first characters are shown.
    Characters(usize),
}

impl Foreign {
    /// What a program said. All of it is withheld where it holds a secret that is too short to be blacked out.
    pub fn output(text: impl Into<String>) -> Foreign {
        Foreign(vec![Part { text: text.into(), is_output: true, cut: None }])
    }

    /// What a program said, of which the last lines are shown.
    pub fn last_lines(text: impl Into<String>, lines: usize) -> Foreign {
        Foreign(vec![Part { text: text.into(), is_output: true, cut: Some(Cut::Lines(lines)) }])
    }

    /// What a program said, of which the first characters are shown.
    pub fn first_characters(text: impl Into<String>, count: usize) -> Foreign {
        Foreign(vec![Part { text: text.into(), is_output: true, cut: Some(Cut::Characters(count)) }])
    }

    /// This text and another one after it.
    #[must_use]
    pub fn then(mut self, other: impl Into<Foreign>) -> Foreign {
        self.0.extend(other.into().0);
        self
    }

    /// The same with a program's words replaced: of what it says of a secret that was not read nothing is known.
    #[must_use]
    pub fn without_output(mut self) -> Foreign {
        for part in self.0.iter_mut().filter(|part| part.is_output) {
            *part = Part { text: "[output withheld: it may contain a secret]".into(), is_output: false, cut: None };
        }
        self
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|part| part.text.trim().is_empty())
    }

    /// Whether it contains a text. For code that distinguishes errors, not for printing.
    pub fn contains(&self, text: &str) -> bool {
        self.whole().contains(text)
    }

    /// Whether it starts with a text.
    pub fn starts_with(&self, text: &str) -> bool {
        self.whole().starts_with(text)
    }

    /// Whether it ends with a text.
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

/// What a program's answer holds is its output.
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

/// Tests say what they found.
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
