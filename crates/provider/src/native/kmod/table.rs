//! Files that say line by line something of modules: those of modprobe and those of what is loaded at boot.

use crate::{ProviderError, Replace, System};

/// A file that keeps the exact bytes of unchanged lines.
#[derive(Debug)]
pub(super) struct Table {
    path: String,
    old: Option<Vec<u8>>,
    lines: Vec<Line>,
}

/// One line, with those by which a backslash continues it.
#[derive(Clone, Debug)]
struct Line {
    /// With its end.
    raw: String,
    words: Vec<String>,
    /// What follows the first two words.
    rest: String,
}

/// Names of modules are the same with `-` and with `_`.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.replace('-', "_") == b.replace('-', "_")
}

/// Returns the words of a line; double quotes keep blanks, as the kernel reads options. A comment has none.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted) = (String::new(), false);
    if text.trim_start().starts_with(['#', ';']) {
        return words;
    }
    for c in text.chars() {
        quoted ^= c == '"';
        if c.is_ascii_whitespace() && !quoted {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else {
            word.push(c);
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

impl Table {
    /// Reads a file; one that is not there has no lines.
    pub fn read(system: &System, path: &str) -> Result<Table, ProviderError> {
        let old = system.read_bytes(path)?;
        let text = std::str::from_utf8(old.as_deref().unwrap_or_default()).map_err(|e| {
            let before = old.as_deref().unwrap_or_default().get(..e.valid_up_to()).unwrap_or_default();
            let number = before.iter().filter(|b| **b == b'\n').count() + 1;
            ProviderError::new(format!("cannot read {path}: line {number} is not UTF-8"))
        })?;
        let mut lines: Vec<Line> = Vec::new();
        let mut raw = String::new();
        for line in text.split_inclusive('\n') {
            raw.push_str(line);
            if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
                lines.push(Line::of(std::mem::take(&mut raw)));
            }
        }
        if !raw.is_empty() {
            lines.push(Line::of(raw));
        }
        Ok(Table { path: path.to_owned(), old, lines })
    }

    /// Returns the words of each line that has any.
    pub fn words(&self) -> impl Iterator<Item = &[String]> {
        self.lines.iter().map(|line| line.words.as_slice()).filter(|words| !words.is_empty())
    }

    /// Returns the words of each line, and the unparsed text after the first two of them.
    pub fn words_and_rest(&self) -> impl Iterator<Item = (&[String], &str)> {
        self.lines.iter().filter(|line| !line.words.is_empty()).map(|line| (line.words.as_slice(), line.rest.as_str()))
    }

    /// Replaces the matching lines with `new` ones. Matching lines that are among the new ones are kept; if no line
    /// matches, the new ones are appended.
    pub fn set(&mut self, fits: impl Fn(&[String]) -> bool, new: Vec<String>) {
        let mut missing: Vec<Line> = new.into_iter().map(|line| Line::of(format!("{line}\n"))).collect();
        let mut place = None;
        let mut kept: Vec<Line> = Vec::new();
        for line in std::mem::take(&mut self.lines) {
            if line.words.is_empty() || !fits(&line.words) {
                kept.push(line);
                continue;
            }
            if let Some(same) = missing.iter().position(|m| m.words == line.words && m.rest == line.rest) {
                missing.remove(same);
                kept.push(line);
            }
            place = Some(kept.len());
        }
        if !missing.is_empty() {
            let place = place.unwrap_or(kept.len());
            if let Some(before) = place.checked_sub(1).and_then(|i| kept.get_mut(i))
                && !before.raw.ends_with('\n')
            {
                before.raw.push('\n');
            }
            kept.splice(place..place, missing);
        }
        self.lines = kept;
    }

    /// Writes the file if it has changed. A file that is now empty is removed.
    pub fn write(self, system: &System) -> Result<(), ProviderError> {
        let new: String = self.lines.iter().map(|line| line.raw.as_str()).collect();
        match &self.old {
            Some(old) if old == new.as_bytes() => Ok(()),
            None if new.is_empty() => Ok(()),
            Some(_) if new.is_empty() => system.remove(&self.path),
            old => system.replace_unchanged(&self.path, old.as_deref(), new.as_bytes(), Replace::default()),
        }
    }
}

impl Line {
    fn of(raw: String) -> Line {
        let joined = raw.replace("\\\r\n", " ").replace("\\\n", " ");
        let after = |text: &str| text.trim_start().split_once(|c: char| c.is_ascii_whitespace()).map(|(_, rest)| rest.to_owned());
        let rest = after(&joined).and_then(|rest| after(&rest)).unwrap_or_default().trim().to_owned();
        Line { words: words(&joined), rest, raw }
    }
}
