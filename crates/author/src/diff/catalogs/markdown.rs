//! Formats differences as Markdown, for comments on a change.

use super::text::{lines, summary};
use super::{ResourceDifference, What};
use rtype_lang::diagnostics::printable;
use std::fmt::Write;

/// Formats lists under headings; diffs of multi-line texts are in code blocks.
pub fn markdown(differences: &[ResourceDifference]) -> String {
    let mut out = String::new();
    for (what, heading) in [(What::Added, "Added"), (What::Removed, "Removed"), (What::Changed, "Changed")] {
        let mut all = differences.iter().filter(|d| d.what == what).peekable();
        if all.peek().is_none() {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "### {heading}\n");
        for one in all {
            let place = one.new_place.as_ref().or(one.old_place.as_ref());
            let place = place.map(|p| format!(" ({})", code(&printable(&format!("{}:{}", p.file, p.line))))).unwrap_or_default();
            let _ = writeln!(out, "- {}{place}", code(&printable(&one.resource.to_string())));
            if what == What::Changed {
                details(&mut out, one);
            }
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}", if out.is_empty() { "No changes.".to_owned() } else { summary(differences) });
    out
}

fn details(out: &mut String, one: &ResourceDifference) {
    for attribute in &one.attributes {
        let name = code(&printable(&attribute.name));
        match lines(attribute).as_slice() {
            [line] => {
                let _ = writeln!(out, "  - {name}: {}", code(line));
            }
            lines => {
                let fence = fence(lines);
                let _ = writeln!(out, "  - {name}:\n\n    {fence}diff");
                for line in lines {
                    let _ = writeln!(out, "    {line}");
                }
                let _ = writeln!(out, "    {fence}");
            }
        }
    }
    if let Some((was, is)) = &one.container {
        let name =
            |r: &Option<rtype_lang::value::ResourceRef>| r.as_ref().map_or("nothing".to_owned(), |r| code(&printable(&r.to_string())));
        let _ = writeln!(out, "  - contained in: {} → {}", name(was), name(is));
    }
}

/// Formats inline code, with more backticks than the text contains in a row.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let gap = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{gap}{text}{gap}{ticks}")
}

fn fence(lines: &[String]) -> String {
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`').map(str::len)).max().unwrap_or(0);
    "`".repeat((longest + 1).max(3))
}
