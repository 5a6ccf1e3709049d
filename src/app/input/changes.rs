//! The lines of the working tree that differ from a git revision.

use super::revision::Git;
use rtype_lang::diagnostics::Diagnostic;
use rtype_system::{named, process};
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The lines of a working tree that differ from a revision. Untracked files and files of submodules count as new.
#[derive(Debug, Default)]
pub struct ChangedLines {
    /// The first and last line of each change, counted from 1, by absolute path. A deletion between lines 7 and 8 is `(8, 7)`.
    files: HashMap<PathBuf, Vec<(u32, u32)>>,
    tracked: HashSet<PathBuf>,
    /// The type names in removed lines, in lower case.
    removed: HashSet<String>,
    here: PathBuf,
}

impl ChangedLines {
    /// Compares the working tree of this directory with a revision.
    ///
    /// # Errors
    /// If git, the repository or the revision does not exist.
    pub fn since(revision: &str) -> Result<ChangedLines, Diagnostic> {
        let git = Git { base: Path::new("."), revision };
        let commit = git.commit()?;
        let top = git.run(&["rev-parse", "--show-toplevel"], Stdio::null())?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches('\n').to_owned());
        let top = named::real_path(&top).unwrap_or(top);
        let options =
            ["-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--unified=0"];
        // `--text`: files that `.gitattributes` marks as binary have changed lines, too.
        let prefixes = ["--text", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/", commit.as_str(), "--"];
        let diff = git.run(&[options.as_slice(), &prefixes].concat(), Stdio::null())?;
        let Hunks { files, removed } = hunks(&String::from_utf8_lossy(&diff));
        let files = files.into_iter().map(|(name, lines)| (top.join(name), lines)).collect();
        let git = Git { base: &top, revision };
        let names = git.run(&["ls-files", "-z"], Stdio::null())?;
        let tracked = String::from_utf8_lossy(&names).split('\0').map(|name| top.join(name)).collect();
        Ok(ChangedLines { files, tracked, removed, here: process::working_directory().unwrap_or_default() })
    }

    /// Returns whether a range of lines in a file contains a change.
    pub fn touch(&self, file: &str, lines: RangeInclusive<u32>) -> bool {
        let path = self.here.join(file);
        let path = named::real_path(&path).unwrap_or(path);
        match self.files.get(&path) {
            None => !self.tracked.contains(&path),
            // A deletion between the lines `end` and `start` changes an item with both lines.
            Some(changed) => changed.iter().any(|(start, end)| lines.start() <= end && start <= lines.end()),
        }
    }

    /// Returns the type names in removed lines, in lower case.
    pub fn removed_types(&self) -> &HashSet<String> {
        &self.removed
    }
}

/// The content of a unified diff without context.
#[derive(Debug, Default, PartialEq)]
struct Hunks {
    files: Vec<(String, Vec<(u32, u32)>)>,
    removed: HashSet<String>,
}

/// Returns the changed lines of each file in a unified diff without context, and the types in removed lines.
fn hunks(diff: &str) -> Hunks {
    let mut found = Hunks::default();
    let mut lines = diff.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            found.files.push((name.trim_end_matches('\t').to_owned(), Vec::new()));
        } else if let Some(name) = line.strip_prefix("+++ \"b/").and_then(|name| name.strip_suffix('"')) {
            found.files.push((unquoted(name), Vec::new()));
        } else if let Some((old, new)) = hunk(line) {
            // Changed lines may look like headers.
            let changed = lines.by_ref().take((old.1 + new.1) as usize);
            found.removed.extend(changed.filter_map(|line| declared_type(line.strip_prefix('-')?)));
            if let Some((_, changed)) = found.files.last_mut() {
                changed.push(if new.1 == 0 { (new.0 + 1, new.0) } else { (new.0, new.0 + new.1 - 1) });
            }
        }
    }
    found
}

/// Returns the name of the type, in lower case, in a line such as `type lamp {`. An indented `type` line is the data type of an attribute.
fn declared_type(line: &str) -> Option<String> {
    let name = line.strip_prefix("type ")?.split([' ', '{']).find(|word| !word.is_empty())?;
    Some(name.to_lowercase())
}

/// Parses `@@ -1,2 +3 @@` into the first line and the number of lines, for the old and the new file.
fn hunk(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let numbers = |text: &str| match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((numbers(old)?, numbers(new)?))
}

/// Resolves the escapes in a file name that git quotes: `\"`, `\t`, `\033`.
fn unquoted(name: &str) -> String {
    let mut out = Vec::new();
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let (byte, taken) = match (first, after) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..]) => ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), 3),
            (b'\\', [b'a', ..]) => (7, 1),
            (b'\\', [b'b', ..]) => (8, 1),
            (b'\\', [b't', ..]) => (b'\t', 1),
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b'v', ..]) => (11, 1),
            (b'\\', [b'f', ..]) => (12, 1),
            (b'\\', [b'r', ..]) => (b'\r', 1),
            (b'\\', [other, ..]) => (*other, 1),
            (plain, _) => (*plain, 0),
        };
        out.push(byte);
        rest = rest.get(taken..).unwrap_or_default();
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_not_parsed_as_headers() {
        let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,2 +3,1 @@ type\n--- a/gone\n-b\n+++ b/not-a-file\n@@ -9,2 +7,0 @@\n-@@ -1 +1 @@\n-type lamp {\n\
                    diff --git a/y b/y\n--- /dev/null\n+++ \"b/y\\\"\\t\\033\\303\\251\"\n@@ -0,0 +1,2 @@\n+a\n+b\n";
        let found = hunks(diff);
        assert_eq!(found.files, [("x".to_owned(), vec![(3, 3), (8, 7)]), ("y\"\t\u{1b}é".to_owned(), vec![(1, 2)])]);
        assert_eq!(found.removed, HashSet::from(["lamp".to_owned()]));
    }
}
