//! Formats changes for release notes.

use super::{ChangeClass, TypeChange};
use std::fmt::Write;

/// Formats lists under headings, breaking changes first. Locations are omitted, because readers do not have the files.
pub fn markdown(changes: &[TypeChange]) -> String {
    let mut out = String::new();
    for (class, heading) in [
        (ChangeClass::Breaking, "Breaking"),
        (ChangeClass::MayBreak, "May break"),
        (ChangeClass::Added, "Added"),
        (ChangeClass::Changed, "Changed"),
    ] {
        let mut all = changes.iter().filter(|c| c.kind.class() == class).peekable();
        if all.peek().is_none() {
            continue;
        }
        let gap = if out.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{gap}### {heading}\n");
        for change in all {
            let about = change.about().map(|about| format!(", {about}")).unwrap_or_default();
            let _ = writeln!(out, "- **{}**{about}: {}{}", change.type_name, change.kind.text(), escaped(&change.details()));
        }
    }
    if out.is_empty() { "No changes.\n".to_owned() } else { out }
}

/// Escapes the special characters of Markdown, except between backticks.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        for c in part.chars() {
            if i % 2 == 0 && matches!(c, '*' | '_' | '[' | ']' | '<' | '>' | '\\' | '|') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}
