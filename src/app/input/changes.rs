//! The lines of the working tree that differ from a git revision.

use super::revision::Git;
use rtype_lang::diagnostics::Diagnostic;
use rtype_system::{named, process};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The changed lines of a working tree, by absolute path.
#[derive(Debug, Default)]
pub struct ChangedLines {
    files: HashMap<PathBuf, Lines>,
    here: PathBuf,
}

#[derive(Debug)]
enum Lines {
    /// The file is new.
    All,
    /// The first and last line of each change, counted from 1. A deletion between the lines 7 and 8 is `(8, 7)`.
    Some(Vec<(u32, u32)>),
}

impl ChangedLines {
    /// Compares the working tree of this directory with a revision. Files that git does not track are new.
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
        let prefixes = ["--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/", commit.as_str(), "--"];
        let diff = git.run(&[options.as_slice(), &prefixes].concat(), Stdio::null())?;
        let mut files: HashMap<PathBuf, Lines> = HashMap::new();
        for (name, lines) in hunks(&String::from_utf8_lossy(&diff)) {
            files.insert(top.join(name), Lines::Some(lines));
        }
        let git = Git { base: &top, revision };
        let new = git.run(&["ls-files", "--others", "--exclude-standard", "-z"], Stdio::null())?;
        let new = String::from_utf8_lossy(&new);
        let new = new.split('\0').filter(|name| !name.is_empty()).map(|name| top.join(name));
        files.extend(new.map(|path| (path, Lines::All)));
        let here = process::working_directory().unwrap_or_default();
        Ok(ChangedLines { files, here })
    }

    /// Returns whether a range of lines in a file contains a change.
    pub fn touch(&self, file: &str, lines: RangeInclusive<u32>) -> bool {
        let path = self.here.join(file);
        let path = named::real_path(&path).unwrap_or(path);
        match self.files.get(&path) {
            None => false,
            Some(Lines::All) => true,
            Some(Lines::Some(changed)) => changed.iter().any(|(start, end)| {
                // A deletion between the lines `end` and `start` changes an item that contains both lines.
                lines.start() <= end && start <= lines.end()
            }),
        }
    }
}

/// Returns the changed lines of each file in a unified diff without context.
fn hunks(diff: &str) -> Vec<(String, Vec<(u32, u32)>)> {
    let mut files: Vec<(String, Vec<(u32, u32)>)> = Vec::new();
    let mut lines = diff.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            files.push((name.trim_end_matches('\t').to_owned(), Vec::new()));
        } else if let Some(name) = line.strip_prefix("+++ \"b/").and_then(|name| name.strip_suffix('"')) {
            files.push((unquoted(name), Vec::new()));
        } else if let Some((old, new)) = hunk(line) {
            // Skip the changed lines: they may look like headers.
            lines.by_ref().take((old.1 + new.1) as usize).for_each(drop);
            if let Some((_, changed)) = files.last_mut() {
                changed.push(if new.1 == 0 { (new.0 + 1, new.0) } else { (new.0, new.0 + new.1 - 1) });
            }
        }
    }
    files
}

/// Parses `@@ -1,2 +3 @@` into the first line and the number of lines of the old and of the new text.
fn hunk(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let numbers = |text: &str| match text.split_once(',') {
        Some((first, count)) => Some((first.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((numbers(old)?, numbers(new)?))
}

/// Resolves the escapes in a file name that git quotes.
fn unquoted(name: &str) -> String {
    let mut out = String::new();
    let mut letters = name.chars();
    while let Some(c) = letters.next() {
        match (c, letters.clone().next()) {
            ('\\', Some(escaped)) => {
                letters.next();
                out.push(match escaped {
                    't' => '\t',
                    'n' => '\n',
                    other => other,
                });
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_not_parsed_as_headers() {
        let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3,2 +3,1 @@ type\n--- a/gone\n-b\n+++ b/not-a-file\n@@ -9,2 +7,0 @@\n-@@ -1 +1 @@\n-d\n\
                    diff --git a/y b/y\n--- /dev/null\n+++ \"b/y\\\"\\t\"\n@@ -0,0 +1,2 @@\n+a\n+b\n";
        assert_eq!(hunks(diff), [("x".to_owned(), vec![(3, 3), (8, 7)]), ("y\"\t".to_owned(), vec![(1, 2)])]);
    }
}
