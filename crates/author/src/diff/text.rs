//! Formats changes for people, grouped by type.

use super::{Bump, ChangeClass, DiffSource, TypeChange};
use rtype_lang::diagnostics::Paint;
use std::fmt::Write;

/// Formats one line per change, grouped by type, with locations at the end of each line.
pub fn text(changes: &[TypeChange], old: DiffSource, new: DiffSource, strict: bool, colors: bool) -> String {
    let mut out = String::new();
    let mut last = None;
    for change in changes {
        if last != Some(&change.type_name) {
            let gap = if last.is_some() { "\n" } else { "" };
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{gap}{}", Paint::Heading.text(change.type_name.as_str(), colors));
            last = Some(&change.type_name);
        }
        let (word, paint) = match change.kind.class() {
            ChangeClass::Breaking => ("breaking", Paint::Bad),
            ChangeClass::MayBreak => ("may break", Paint::Unsure),
            ChangeClass::Added => ("added", Paint::Good),
            ChangeClass::Changed => ("changed", Paint::Name),
        };
        let about = change.about().map(|about| format!("{about}: ")).unwrap_or_default();
        let line = format!("{about}{}{}", change.kind.text(), change.details());
        let places: Vec<String> = [old.locate(change.old_span), new.locate(change.new_span)].into_iter().flatten().collect();
        let places = if places.is_empty() { String::new() } else { Paint::Faint.text(&format!("  ({})", places.join(" → ")), colors) };
        let _ = writeln!(out, "  {}  {line}{places}", paint.text(&format!("{word:9}"), colors));
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
