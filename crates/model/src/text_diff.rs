//! Line-by-line differences between two strings.
//!
//! `similar::TextDiff` does the same with an algorithm chosen at run time, for all string types. It adds 700 KB of code, and program pages
//! account for most of an agent run's memory.

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::udiff::UnifiedHunkHeader;
use similar::{ChangeTag, DiffOp, group_diff_ops};
use std::fmt::Write;

/// Number of unchanged lines around changes, as in `diff -u`.
const CONTEXT: usize = 3;

/// Returns the changed lines with `context` unchanged lines around them, in groups separated by omitted lines. Lines include their line
/// breaks; the last line may have none. The tag is printed as `-`, `+` or a space.
pub fn changed_lines<'a>(old: &'a str, new: &'a str, context: usize) -> Vec<Vec<(ChangeTag, &'a str)>> {
    let (old, new) = (Lines::of(old), Lines::of(new));
    let groups = old.groups(&new, context);
    groups.iter().map(|group| old.changes(&new, group)).collect()
}

/// Returns the differences as `diff -u` prints them; empty if the inputs are equal.
pub fn unified(old: (&str, &str), new: (&str, &str)) -> String {
    let ((old_name, old), (new_name, new)) = (old, new);
    let (old, new) = (Lines::of(old), Lines::of(new));
    let mut out = String::new();
    for group in old.groups(&new, CONTEXT) {
        // Writing to a String cannot fail.
        if out.is_empty() {
            let _ = writeln!(out, "--- {old_name}\n+++ {new_name}");
        }
        let _ = writeln!(out, "{}", UnifiedHunkHeader::new(&group));
        for (tag, line) in old.changes(&new, &group) {
            let _ = write!(out, "{tag}{line}");
            if !line.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    out
}

struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self(text.split_inclusive('\n').collect())
    }

    fn groups(&self, new: &Self, context: usize) -> Vec<Vec<DiffOp>> {
        let mut found = Compact::new(Replace::new(Capture::new()), &self.0, &new.0);
        let Ok(()) = myers::diff(&mut found, &self.0, 0..self.0.len(), &new.0, 0..new.0.len());
        let mut groups = group_diff_ops(found.into_inner().into_inner().into_ops(), context);
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn changes(&self, new: &Self, group: &[DiffOp]) -> Vec<(ChangeTag, &'a str)> {
        group.iter().flat_map(|op| op.iter_changes(&self.0, &new.0)).map(|change| (change.tag(), change.value())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the output of `TextDiff`.
    fn expected(old: &str, new: &str) -> String {
        similar::TextDiff::from_lines(old, new).unified_diff().header("old", "new").to_string()
    }

    proptest::proptest! {
        #[test]
        fn unified_diffs_are_those_of_similar(old in "([a-e]\n){0,12}[a-e]?", new in "([a-e]\n){0,12}[a-e]?") {
            proptest::prop_assert_eq!(unified(("old", &old), ("new", &new)), expected(&old, &new));
        }
    }

    #[test]
    fn equal_texts_have_no_differences() {
        assert_eq!(unified(("old", "a\nb"), ("new", "a\nb")), "");
        assert!(changed_lines("", "", 1).is_empty());
    }

    #[test]
    fn groups_have_as_many_unchanged_lines_as_asked() {
        let groups = changed_lines("1\n2\n3\n4\n5\n6\n7\n", "1\nx\n3\n4\n5\ny\n7", 1);
        let texts: Vec<String> = groups
            .iter()
            .map(|group| group.iter().map(|(tag, line)| format!("{tag}{}", line.trim_end())).collect::<Vec<_>>().join("|"))
            .collect();
        assert_eq!(texts, [" 1|-2|+x| 3", " 5|-6|-7|+y|+7"]);
    }
}
