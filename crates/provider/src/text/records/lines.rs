//! Files of records, with one record per logical line. A logical line may span several lines of the file.

use crate::ProviderError;
use crate::text::{Document, Text, is_blank};

/// How a logical line is continued on the next line of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Continuation {
    /// Lines are never continued.
    #[default]
    Never,
    /// A line that begins with ASCII white space continues the previous line. As in postalias(1), blank lines and comments in between are
    /// skipped.
    Indented,
    /// A line that ends in a backslash continues on the next line.
    Backslash,
}

/// The role of a line of the file in a logical line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineRole {
    /// The line begins a logical line.
    Start,
    /// The line continues a logical line.
    Continued,
    /// A comment or a blank line, between or inside logical lines.
    Skipped,
}

impl Continuation {
    fn roles(self, text: &Text) -> Vec<LineRole> {
        let mut is_open = false;
        let role = |line: std::borrow::Cow<'_, str>| match self {
            Continuation::Never => LineRole::Start,
            Continuation::Indented => {
                let trimmed = line.trim_start_matches(is_blank);
                match trimmed.is_empty() || trimmed.starts_with('#') {
                    true => LineRole::Skipped,
                    false if is_open && trimmed.len() < line.len() => LineRole::Continued,
                    false => {
                        is_open = true;
                        LineRole::Start
                    }
                }
            }
            Continuation::Backslash => {
                let was_open = std::mem::replace(&mut is_open, line.ends_with('\\'));
                if was_open { LineRole::Continued } else { LineRole::Start }
            }
        };
        text.lines().map(role).collect()
    }

    /// Returns the content that a line contributes to its logical line, without the backslash of a continuation.
    fn content(self, line: &str) -> &str {
        match self {
            Continuation::Backslash => line.strip_suffix('\\').unwrap_or(line),
            Continuation::Never | Continuation::Indented => line,
        }
    }
}

/// A file whose logical lines may be records.
#[derive(Clone, Debug)]
pub struct RecordLines<R> {
    text: Text,
    continuation: Continuation,
    lines: Vec<(LineRole, Option<R>)>,
}

impl<R> Document for RecordLines<R> {
    fn to_bytes(&self) -> Vec<u8> {
        self.text.bytes()
    }
}

impl<R> RecordLines<R> {
    /// Parses the content of a file.
    pub fn new(bytes: &[u8], continuation: Continuation, parse: impl Fn(&str) -> Option<R>) -> RecordLines<R> {
        let text = Text::new(bytes);
        let lines = continuation.roles(&text).into_iter().map(|role| (role, None)).collect();
        let mut document = RecordLines { text, continuation, lines };
        for start in 0..document.lines.len() {
            if document.role(start) == Some(LineRole::Start) {
                let record = parse(&document.logical(start));
                if let Some((_, place)) = document.lines.get_mut(start) {
                    *place = record;
                }
            }
        }
        document
    }

    /// Parses a new line that will be written to a file; `None` if the line is not a record, or would continue an adjacent line or be
    /// continued on one.
    pub fn single(line: &str, continuation: Continuation, parse: impl Fn(&str) -> Option<R>) -> Option<R> {
        // Two other lines surround the line. `parse` may refuse them, so only the line is parsed.
        let text = Text::new(format!("x\n{line}\nx").as_bytes());
        let roles = continuation.roles(&text);
        let is_single = roles.len() == 3 && roles.iter().all(|role| *role == LineRole::Start);
        is_single.then(|| parse(line)).flatten()
    }

    fn role(&self, line: usize) -> Option<LineRole> {
        self.lines.get(line).map(|(role, _)| *role)
    }

    /// Returns the lines of the file that form the logical line at `start`.
    fn lines_of(&self, start: usize) -> Vec<usize> {
        let after = (start + 1..self.lines.len()).take_while(|line| self.role(*line) != Some(LineRole::Start));
        std::iter::once(start).chain(after.filter(|line| self.role(*line) == Some(LineRole::Continued))).collect()
    }

    /// Returns the text of the logical line. As programs in C do, it ignores the text after a zero byte.
    fn logical(&self, start: usize) -> String {
        let lines = self.lines_of(start);
        let content = lines.iter().filter_map(|line| self.text.line(*line));
        let content = content.map(|line| self.continuation.content(&line).to_owned());
        content.map(|line| line.split('\0').next().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the records in order, each with the index, from 0, of its first line.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &R)> {
        self.lines.iter().enumerate().filter_map(|(line, (_, record))| Some((line, record.as_ref()?)))
    }

    /// Returns the record that begins in a line.
    pub fn record(&self, line: usize) -> Option<&R> {
        self.lines.get(line)?.1.as_ref()
    }

    /// Checks that the record at a line of `path` can be changed.
    ///
    /// # Errors
    /// If a line of the record is not UTF-8, which would not be kept.
    pub fn check_utf8(&self, path: &str, line: usize) -> Result<(), ProviderError> {
        self.lines_of(line).into_iter().try_for_each(|line| self.text.check_utf8(path, line))
    }

    /// Checks that the record at a line of `path` has no zero byte.
    ///
    /// # Errors
    /// If it has one: programs ignore the text after it, or the whole line.
    pub fn check_zero(&self, path: &str, line: usize) -> Result<(), ProviderError> {
        let has_zero = |line: &usize| self.text.raw(*line).is_some_and(|raw| raw.contains(&0));
        match self.lines_of(line).into_iter().find(has_zero) {
            Some(line) => Err(ProviderError::new(format!("line {} of {path} contains a zero byte", line + 1)).help("correct the line")),
            None => Ok(()),
        }
    }

    /// Replaces the record that begins in a line. The new record has a single line.
    pub fn replace(&mut self, line: usize, text: &str, record: R) {
        for continued in self.lines_of(line).into_iter().skip(1).rev() {
            self.text.remove(continued);
            self.lines.remove(continued);
        }
        self.text.replace(line, text);
        if let Some((_, place)) = self.lines.get_mut(line) {
            *place = Some(record);
        }
    }

    /// Adds a record after the last line.
    ///
    /// # Errors
    /// If the last line of the file `path` ends in a backslash, so that the new line would continue it.
    pub fn push(&mut self, path: &str, text: &str, record: R) -> Result<(), ProviderError> {
        let number = self.text.len();
        let last = number.checked_sub(1).and_then(|last| self.text.line(last));
        if self.continuation == Continuation::Backslash && last.is_some_and(|last| last.ends_with('\\')) {
            let message = format!("cannot append to {path}: line {number} ends in a backslash");
            return Err(ProviderError::new(message).help("remove the backslash at the end of the file"));
        }
        self.text.push(text);
        self.lines.push((LineRole::Start, Some(record)));
        Ok(())
    }

    /// Removes the matching records. Comments between the lines of a record are kept.
    pub fn remove(&mut self, matches: impl Fn(&R) -> bool) {
        let starts: Vec<usize> = self.iter().filter(|(_, record)| matches(record)).map(|(line, _)| line).collect();
        for line in
            starts.into_iter().rev().flat_map(|start| self.lines_of(start).into_iter().rev().collect::<Vec<_>>()).collect::<Vec<_>>()
        {
            self.text.remove(line);
            self.lines.remove(line);
        }
    }
}
