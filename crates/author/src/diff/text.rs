//! Formats changes for people, grouped by type.

use super::{Bump, ChangeClass, DiffSource, TypeChange};
use std::fmt::Write;

/// Formats one line per change, grouped by type, with locations at the end of each line.
pub fn text(changes: &[TypeChange], old: DiffSource, new: DiffSource, strict: bool, colors: bool) -> String {
    let paint = |code: &str, text: String| if colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text };
    let mut out = String::new();
    let mut last = None;
    for change in changes {
        if last != Some(&change.type_name) {
            let gap = if last.is_some() { "\n" } else { "" };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{gap}{}", paint("1", change.type_name.to_string()));
            last = Some(&change.type_name);
        }
        let (word, code) = match change.kind.class() {
            ChangeClass::Breaking => ("breaking", "31"),
            ChangeClass::MayBreak => ("may break", "33"),
            ChangeClass::Added => ("added", "32"),
            ChangeClass::Changed => ("changed", "36"),
        };
        let about = change.about().map(|about| format!("{about}: ")).unwrap_or_default();
        let line = format!("{about}{}{}", change.kind.text(), change.details());
        let places: Vec<String> = [old.locate(change.old_span), new.locate(change.new_span)].into_iter().flatten().collect();
        let places = if places.is_empty() { String::new() } else { paint("2", format!("  ({})", places.join(" → "))) };
        let _ = writeln!(out, "  {}  {line}{places}", paint(code, format!("{word:9}")));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", summary(changes, strict));
    out
}

/// Formats the summary, such as `2 breaking, 1 added: a major version`.
pub fn summary(changes: &[TypeChange], strict: bool) -> String {
    let count = |class: ChangeClass| changes.iter().filter(|c| c.kind.class() == class).count();
    let counted = [
        (ChangeClass::Breaking, "breaking"),
        (ChangeClass::MayBreak, "may break"),
        (ChangeClass::Added, "added"),
        (ChangeClass::Changed, "changed"),
    ];
    let parts: Vec<String> =
        counted.iter().map(|(class, word)| (count(*class), word)).filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if parts.is_empty() {
        return "no changes".to_owned();
    }
    format!("{}: a {} version", parts.join(", "), Bump::of(changes, strict).word())
}
