//! Unparsed output of programs.

use super::Foreign;
use std::fmt;

/// The output of a program. It cannot be printed: messages include it as [`Foreign`].
///
/// ```compile_fail,E0277
/// println!("{}", rtype::redact::RawOutput::from("password: x".to_owned()));
/// ```
///
/// The type has no `Display`, and `Debug` shows only the length.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RawOutput(String);

impl RawOutput {
    /// Returns the output, for code that parses values. Parts for a message must be converted with [`Foreign::output`].
    pub fn for_parsing(&self) -> &str {
        &self.0
    }

    /// Returns `true` if the output is empty or blank.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Returns the output for a message, without surrounding whitespace.
    pub fn shown(&self) -> Foreign {
        Foreign::output(self.0.trim())
    }

    /// Returns the last lines for a message.
    pub fn last_lines(&self, count: usize) -> Foreign {
        Foreign::last_lines(self.0.as_str(), count)
    }

    /// Appends a string.
    pub fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Prepends other output.
    pub fn prepend(&mut self, other: &RawOutput) {
        self.0.insert_str(0, &other.0);
    }
}

impl From<String> for RawOutput {
    fn from(text: String) -> RawOutput {
        RawOutput(text)
    }
}

impl fmt::Debug for RawOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<output of {} bytes>", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_hides_the_output_of_a_program() {
        let output = RawOutput::from("a secret\n".to_owned());
        assert_eq!(format!("{output:?}"), "<output of 9 bytes>");
        assert_eq!(format!("{:?}", output.shown()), "<text that is not redacted yet, in 1 parts>");
    }
}
