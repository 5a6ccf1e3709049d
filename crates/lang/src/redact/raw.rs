//! What a program wrote, before anything is read from it.

use super::Foreign;
use std::fmt;

/// A program's output. It cannot be printed: [`Foreign`] is what a message takes of it.
///
/// ```compile_fail,E0277
/// println!("{}", rtype::redact::RawOutput::from("password: x".to_owned()));
/// ```
///
/// There is no `Display`, and `Debug` shows how long it is.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RawOutput(String);

impl RawOutput {
    /// Returns the text for code that finds values in it. What of it belongs in a message goes through [`Foreign::output`].
    pub fn for_parsing(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Returns what a message shows: the text without white space around it.
    pub fn shown(&self) -> Foreign {
        Foreign::output(self.0.trim())
    }

    /// Returns what a message shows of a long text: the last lines.
    pub fn last_lines(&self, count: usize) -> Foreign {
        Foreign::last_lines(self.0.as_str(), count)
    }

    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Puts another output before this one.
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
