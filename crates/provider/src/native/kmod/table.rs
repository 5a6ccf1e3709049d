//! Files with lines about kernel modules: the configuration of modprobe, and lists of modules to load at boot.

use crate::{ProviderError, Replace, System};

/// The reader of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileReader {
    /// modprobe(8): `#` begins comments, and a backslash at the end of a line continues it. A carriage return is part of a word.
    Modprobe,
    /// systemd-modules-load(8): a module per line; `#` and `;` begin comments.
    ModulesLoad,
}

/// A file that keeps the exact bytes of unchanged lines.
#[derive(Debug)]
pub(super) struct Table {
    path: String,
    reader: FileReader,
    old: Option<Vec<u8>>,
    lines: Vec<Line>,
}

/// A logical line, including continuation lines.
#[derive(Clone, Debug)]
struct Line {
    /// The bytes, including the line ending.
    raw: Vec<u8>,
    words: Vec<String>,
    /// What follows the first two words.
    rest: String,
}

/// Names of modules are the same with `-` and with `_`.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.replace('-', "_") == b.replace('-', "_")
}

/// The characters that separate words for modprobe(8).
const BLANKS: [char; 2] = [' ', '\t'];

/// Returns the words of a line; double quotes keep blanks, as the kernel reads options. A comment has none.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted) = (String::new(), false);
    if text.trim_start_matches(BLANKS).starts_with('#') {
        return words;
    }
    for c in text.chars() {
        quoted ^= c == '"';
        if BLANKS.contains(&c) && !quoted {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else {
            word.push(c);
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

impl Table {
    /// Reads a file. A missing file has no lines.
    pub fn read(system: &System, path: &str, reader: FileReader) -> Result<Table, ProviderError> {
        let old = system.read_bytes(path)?;
        let mut lines: Vec<Line> = Vec::new();
        let mut raw = Vec::new();
        for line in old.as_deref().unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            raw.extend_from_slice(line);
            if reader == FileReader::ModulesLoad || !line.ends_with(b"\\\n") {
                lines.push(Line::of(std::mem::take(&mut raw), reader));
            }
        }
        if !raw.is_empty() {
            lines.push(Line::of(raw, reader));
        }
        Ok(Table { path: path.to_owned(), reader, old, lines })
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
    ///
    /// # Errors
    /// If a line to be replaced is not UTF-8 or contains a zero byte, or if the last line would be continued by a new one. The table is not
    /// changed then.
    pub fn set(&mut self, fits: impl Fn(&[String]) -> bool, new: Vec<String>) -> Result<(), ProviderError> {
        let mut missing: Vec<Line> = new.into_iter().map(|line| Line::of(format!("{line}\n").into_bytes(), self.reader)).collect();
        let mut place = None;
        let mut kept: Vec<Line> = Vec::new();
        let mut number = 1;
        for line in &self.lines {
            if line.words.is_empty() || !fits(&line.words) {
                kept.push(line.clone());
            } else {
                if let Some(same) = missing.iter().position(|m| m.words == line.words && m.rest == line.rest) {
                    missing.remove(same);
                    kept.push(line.clone());
                } else if std::str::from_utf8(&line.raw).is_err() {
                    return Err(self.unchanged(number, "is not UTF-8"));
                } else if line.raw.contains(&0) {
                    return Err(self.unchanged(number, "contains a zero byte"));
                }
                place = Some(kept.len());
            }
            number += line.raw.iter().filter(|byte| **byte == b'\n').count();
        }
        if !missing.is_empty() {
            let place = place.unwrap_or(kept.len());
            if let Some(before) = place.checked_sub(1).and_then(|index| kept.get_mut(index)) {
                if self.reader == FileReader::Modprobe && before.raw.trim_ascii_end().ends_with(b"\\") {
                    return Err(self.unchanged(number.saturating_sub(1), "ends in a backslash"));
                }
                if !before.raw.ends_with(b"\n") {
                    before.raw.push(b'\n');
                }
            }
            kept.splice(place..place, missing);
        }
        self.lines = kept;
        Ok(())
    }

    fn unchanged(&self, number: usize, fault: &str) -> ProviderError {
        ProviderError::new(format!("line {number} of {} {fault} and is not changed", self.path)).help("correct the line")
    }

    /// Writes the file if it has changed. A file that is now empty is removed.
    pub fn write(self, system: &System) -> Result<(), ProviderError> {
        let new: Vec<u8> = self.lines.iter().flat_map(|line| line.raw.iter().copied()).collect();
        match &self.old {
            Some(old) if *old == new => Ok(()),
            None if new.is_empty() => Ok(()),
            Some(_) if new.is_empty() => system.remove(&self.path),
            old => system.replace_unchanged(&self.path, old.as_deref(), &new, Replace::default()),
        }
    }
}

impl Line {
    fn of(raw: Vec<u8>, reader: FileReader) -> Line {
        let text = String::from_utf8_lossy(&raw);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        // Programs in C ignore the text after a zero byte.
        let cut = |text: &str| text.split('\0').next().unwrap_or_default().to_owned();
        if reader == FileReader::ModulesLoad {
            let module = cut(text).trim_ascii().to_owned();
            let words = if module.is_empty() || module.starts_with(['#', ';']) { Vec::new() } else { vec![module] };
            return Line { words, rest: String::new(), raw };
        }
        let joined = cut(&text.replace("\\\n", ""));
        let after = |text: &str| text.trim_start_matches(BLANKS).split_once(BLANKS).map(|(_, rest)| rest.to_owned());
        let rest = after(&joined).and_then(|rest| after(&rest)).unwrap_or_default().trim_matches(BLANKS).to_owned();
        Line { words: words(&joined), rest, raw }
    }
}
