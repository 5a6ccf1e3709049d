//! Checks whether a file contains a line as desired, and adds, changes or removes it.

use crate::text::{Text, one_line};
use crate::{ProviderError, Resource};
use rtype_lang::value::EcoString;
use rtype_lang::value::{Flags, Regex};

/// The desired line of a file.
pub(super) struct DesiredLine {
    pub(super) path: EcoString,
    pub(super) present: bool,
    line: Option<EcoString>,
    matching: Option<Regex>,
    after: Option<Regex>,
    replace: bool,
    replace_all: bool,
    multiple: bool,
    append: bool,
    match_for_absence: bool,
}

impl DesiredLine {
    /// Reads the attributes of a resource.
    ///
    /// # Errors
    /// If it has no path, or an invalid pattern.
    pub(super) fn of(resource: &dyn Resource) -> Result<DesiredLine, ProviderError> {
        let text = |name: &str| {
            let value = resource.wanted(name);
            (!value.is_nil()).then(|| value.to_text())
        };
        let regex = |name: &str| {
            // `^` and `$` are the ends of lines, as in Ruby.
            let compiled = text(name).map(|source| Regex::new(&format!("(?m:{source})"), Flags::default()));
            compiled.transpose().map_err(|e| ProviderError::new(format!("`{name}` is not a valid regex: {}", e.message)))
        };
        let is = |name: &str, word: &str| text(name).is_some_and(|t| t == word);
        Ok(DesiredLine {
            path: text("path")
                .ok_or_else(|| ProviderError::new("`path` is not set").help("set `path`").of_kind(crate::ErrorKind::MissingAttribute))?,
            present: !is("ensure", "absent"),
            line: text("line"),
            matching: regex("match")?,
            after: regex("after")?,
            replace: !is("replace", "false"),
            replace_all: is("replace_all_matches_not_matching_line", "true"),
            multiple: is("multiple", "true"),
            append: !is("append_on_no_match", "false"),
            match_for_absence: is("match_for_absence", "true"),
        })
    }

    /// Returns the error of a file that is missing.
    pub(super) fn no_file(&self) -> ProviderError {
        ProviderError::new(self.missing()).help("make it with a `file`")
    }

    pub(super) fn missing(&self) -> String {
        format!("the file {} does not exist", self.path)
    }

    fn is_line(&self, text: &Text, index: usize) -> bool {
        self.line.as_ref().is_some_and(|line| text.raw(index) == Some(line.as_bytes()))
    }

    /// Returns the lines that a pattern matches. As in Ruby, they include the newline.
    fn matches(&self, text: &Text, regex: &Regex) -> Result<Vec<usize>, ProviderError> {
        let mut found = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let fits = regex.try_captures_at(&format!("{line}\n"), 0);
            let fits = fits.map_err(|e| ProviderError::new(format!("line {} of {}: {e}", index + 1, self.path)))?;
            if fits.is_some() {
                found.push(index);
            }
        }
        Ok(found)
    }

    /// Returns the lines that `match` fits.
    ///
    /// # Errors
    /// When the pattern takes too long.
    pub(super) fn fitting(&self, text: &Text) -> Result<Vec<String>, ProviderError> {
        let found = self.matching.as_ref().map(|regex| self.matches(text, regex)).transpose()?.unwrap_or_default();
        Ok(found.into_iter().filter_map(|index| Some(text.lines().nth(index)?.to_string())).collect())
    }

    /// Returns the number of matching lines to consider: with `replace_all_matches_not_matching_line`, only lines that differ from `line`.
    fn counted(&self, text: &Text, matches: &[usize]) -> usize {
        matches.iter().filter(|i| !self.replace_all || !self.is_line(text, **i)).count()
    }

    /// Returns whether the line counts as present: for `present` if nothing has to be done, for `absent` if something
    /// has.
    ///
    /// # Errors
    /// If matching a pattern takes too long.
    pub(super) fn exists(&self, text: &Text) -> Result<bool, ProviderError> {
        let is_there = (0..text.len()).any(|i| self.is_line(text, i));
        let Some(regex) = &self.matching else { return Ok(is_there) };
        let count = self.counted(text, &self.matches(text, regex)?);
        Ok(match (self.present, count) {
            (true, 0) => is_there || !self.append,
            (true, _) if self.replace_all => false,
            (true, _) => is_there || !self.replace,
            (false, 0) => is_there,
            (false, _) => is_there || self.match_for_absence,
        })
    }

    /// Returns an error if several lines match where one is expected.
    fn several(&self, count: usize, regex: &Regex) -> Result<(), ProviderError> {
        if count < 2 || self.multiple {
            return Ok(());
        }
        let source = regex.source();
        let shown = source.strip_prefix("(?m:").and_then(|s| s.strip_suffix(')')).unwrap_or(source);
        let message = format!("{count} lines of {} match `{shown}`", self.path);
        Err(ProviderError::new(message).help("set `multiple => true` when all of them are meant"))
    }

    /// Adds the line to the file.
    ///
    /// # Errors
    /// If it is not a single line, or if its position is ambiguous.
    pub(super) fn create(&self, text: &mut Text) -> Result<(), ProviderError> {
        let line = self
            .line
            .as_ref()
            .ok_or_else(|| ProviderError::new("`line` is not set").help("set `line`").of_kind(crate::ErrorKind::MissingAttribute))?;
        let line = one_line(line)?;
        let matches = self.matching.as_ref().map(|regex| self.matches(text, regex)).transpose()?.unwrap_or_default();
        let count = self.counted(text, &matches);
        if let Some(regex) = &self.matching {
            if !self.replace && count > 0 {
                return Ok(());
            }
            self.several(count, regex)?;
            matches.iter().try_for_each(|index| text.check_utf8(&self.path, *index))?;
            for index in &matches {
                text.replace(*index, line);
            }
            if count > 0 {
                return Ok(());
            }
        }
        let behind = self.after.as_ref().map(|regex| self.matches(text, regex)).transpose()?.unwrap_or_default();
        if let Some(regex) = self.after.as_ref().filter(|_| self.matching.is_none()) {
            self.several(self.counted(text, &behind), regex)?;
        }
        // With a pattern for lines to replace, the first place will do.
        let behind = if self.matching.is_some() { behind.get(..1).unwrap_or_default() } else { &behind };
        for index in behind.iter().rev() {
            text.insert(index + 1, line);
        }
        if behind.is_empty() {
            text.push(line);
        }
        Ok(())
    }

    /// Removes the line from the file.
    ///
    /// # Errors
    /// If several lines match and `multiple` is not set.
    pub(super) fn destroy(&self, text: &mut Text) -> Result<(), ProviderError> {
        let gone = match self.matching.as_ref().filter(|_| self.match_for_absence) {
            Some(regex) => {
                let matches = self.matches(text, regex)?;
                self.several(self.counted(text, &matches), regex)?;
                matches
            }
            None => (0..text.len()).filter(|i| self.is_line(text, *i)).collect(),
        };
        for index in gone.iter().rev() {
            text.remove(*index);
        }
        Ok(())
    }
}
