//! Formats differences for people: one line per resource, followed by its attributes.

use super::{AttributeDifference, DeclarationSite, DisplayedValue, ResourceDifference, What};
use rtype_lang::diagnostics::{Paint, printable};
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::manifest::blacked_out;
use rtype_model::text_diff::changed_lines;
use std::fmt::Write;

/// Number of context lines around a changed line.
const CONTEXT: usize = 1;

/// Formats differences: `+` for added, `-` for removed, `~` for changed resources.
pub fn text(differences: &[ResourceDifference], colors: bool) -> String {
    let mut out = String::new();
    for one in differences {
        let (sign, paint) = match one.what {
            What::Added => ("+", Paint::Good),
            What::Removed => ("-", Paint::Bad),
            What::Changed => ("~", Paint::Name),
        };
        let head = paint.text(&format!("{sign} {}", printable(&one.resource.to_string())), colors);
        let places = places(one).map(|places| Paint::Faint.text(&format!("  ({places})"), colors)).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{head}{places}");
        if one.what != What::Changed {
            continue;
        }
        for attribute in &one.attributes {
            let lines = lines(attribute);
            let name = printable(&attribute.name);
            match lines.as_slice() {
                [line] => {
                    let _ = writeln!(out, "    {name}: {line}");
                }
                lines => {
                    let _ = writeln!(out, "    {name}:");
                    for line in lines {
                        let paint = if line.starts_with('+') { Paint::Good } else { Paint::Bad };
                        let shown = if line.starts_with(['+', '-']) { paint.text(line, colors) } else { line.clone() };
                        let _ = writeln!(out, "      {}", shown.trim_end());
                    }
                }
            }
        }
        if let Some((was, is)) = &one.container {
            let _ = writeln!(out, "    contained in: {} → {}", container(was.as_ref()), container(is.as_ref()));
        }
    }
    if !out.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "{}", summary(differences));
    out
}

/// Formats the summary, such as `1 added, 2 changed`.
pub(super) fn summary(differences: &[ResourceDifference]) -> String {
    let count = |what: What| differences.iter().filter(|d| d.what == what).count();
    let counted = [(What::Added, "added"), (What::Removed, "removed"), (What::Changed, "changed")];
    let parts: Vec<String> =
        counted.iter().map(|(what, word)| (count(*what), word)).filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if parts.is_empty() { "no changes".to_owned() } else { parts.join(", ") }
}

fn container(reference: Option<&ResourceRef>) -> String {
    reference.map_or("nothing".into(), |r| printable(&r.to_string()))
}

fn places(one: &ResourceDifference) -> Option<String> {
    let shown = |place: &DeclarationSite| printable(&format!("{}:{}", place.file, place.line));
    match (&one.old_place, &one.new_place) {
        (Some(old), Some(new)) if old != new => Some(format!("{} → {}", shown(old), shown(new))),
        (old, new) => new.as_ref().or(old.as_ref()).map(shown),
    }
}

/// Formats an attribute's change: one line, or a diff for several lines.
pub(super) fn lines(attribute: &AttributeDifference) -> Vec<String> {
    let (old, new) = (attribute.old.as_ref(), attribute.new.as_ref());
    if attribute.is_relation {
        let parts = [("-", old), ("+", new)];
        let named = parts.iter().flat_map(|(sign, shown)| names(*shown).into_iter().map(move |name| format!("{sign} {name}")));
        return vec![named.collect::<Vec<_>>().join(", ")];
    }
    let line = match (old, new) {
        (Some(DisplayedValue::Secret), Some(DisplayedValue::Secret)) => "another secret".to_owned(),
        (Some(DisplayedValue::Value(Value::Str(old))), Some(DisplayedValue::Value(Value::Str(new))))
            if old.contains('\n') || new.contains('\n') =>
        {
            return text_lines(old, new);
        }
        (Some(old), Some(new)) => format!("{} → {}", shown(old), shown(new)),
        (Some(old), None) => format!("{} → not given", shown(old)),
        (None, Some(new)) => format!("not given → {}", shown(new)),
        (None, None) => String::new(),
    };
    vec![line]
}

fn names(shown: Option<&DisplayedValue>) -> Vec<String> {
    match shown {
        Some(DisplayedValue::Value(Value::Array(all))) => all.iter().map(|name| printable(&name.to_text())).collect(),
        _ => Vec::new(),
    }
}

fn shown(value: &DisplayedValue) -> String {
    match value {
        DisplayedValue::Secret => "(secret)".to_owned(),
        DisplayedValue::Value(Value::Unknown) => "(known on the machine)".to_owned(),
        DisplayedValue::Value(value) => printable(&blacked_out(&value.to_json().to_string())),
    }
}

fn text_lines(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (blacked_out(old), blacked_out(new));
    if old == new {
        return vec!["another text, in what looks like a secret".to_owned()];
    }
    let mut out = Vec::new();
    for (i, group) in changed_lines(&old, &new, CONTEXT).into_iter().enumerate() {
        out.extend((i > 0).then(|| "…".to_owned()));
        for (tag, line) in group {
            out.push(format!("{tag}{}", printable(line.trim_end_matches(['\n', '\r']))));
        }
    }
    // The texts differ only in their final newline.
    if out.len() == 1 { vec!["another end of the text".to_owned()] } else { out }
}
