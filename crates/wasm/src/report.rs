//! Diagnostics as JSON. Offsets are UTF-16 code units, as JavaScript counts them.

use crate::service::pane_of;
use rtype_author::editor::suggestion::suggested;
use rtype_lang::diagnostics::{Diagnostic, Edit, Label, Renderer, Style};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use serde_json::{Value as Json, json};

/// Returns diagnostics with their messages, spans and fixes. Secrets are redacted.
pub(crate) fn diagnostics(found: &[Diagnostic], types: &TypeSet) -> Json {
    let renderer = Renderer::new(Style::Graphical { color: true }).width(COLUMNS);
    let mut all: Json = found.iter().map(|diagnostic| one(diagnostic, types, &renderer)).collect();
    types.secrets.redactor().redact_json(&mut all);
    all
}

/// The excerpts' width, equal to a pane's width.
const COLUMNS: usize = 80;

fn one(diagnostic: &Diagnostic, types: &TypeSet, renderer: &Renderer) -> Json {
    let info = diagnostic.code.info();
    let labels: Vec<Json> = diagnostic.labels.iter().filter_map(|label| self::label(label, types)).collect();
    let fix = diagnostic.fix.as_deref().and_then(|fix| {
        let edits: Option<Vec<Json>> = fix.edits.iter().map(|edit| self::edit(edit, types)).collect();
        Some(json!({ "title": fix.title, "safe": fix.safe, "edits": edits? }))
    });
    let fix = fix.or_else(|| suggestion(diagnostic, types));
    json!({
        "code": info.id,
        "name": info.name,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help.as_ref().map(ToString::to_string),
        "labels": labels,
        "fix": fix,
        "rendered": renderer.render(diagnostic, &types.sources, &types.secrets),
    })
}

/// Returns the suggested word as a fix.
fn suggestion(diagnostic: &Diagnostic, types: &TypeSet) -> Option<Json> {
    let source = types.sources.find(diagnostic.span())?;
    let (span, word) = suggested(diagnostic, source)?;
    let edit = edit(&Edit { span, text: word.to_owned() }, types)?;
    Some(json!({ "title": format!("change to `{word}`"), "safe": false, "edits": [edit] }))
}

fn label(label: &Label, types: &TypeSet) -> Option<Json> {
    let (mut place, line, column) = place(label.span, types)?;
    let object = place.as_object_mut()?;
    object.insert("line".into(), line.into());
    object.insert("column".into(), column.into());
    object.insert("text".into(), label.text.to_string().into());
    Some(place)
}

fn edit(edit: &Edit, types: &TypeSet) -> Option<Json> {
    let (mut place, ..) = place(edit.span, types)?;
    place.as_object_mut()?.insert("text".into(), edit.text.as_str().into());
    Some(place)
}

/// Returns a span's file, pane, range, line and column.
fn place(span: Span, types: &TypeSet) -> Option<(Json, u32, u32)> {
    let source = types.sources.find(span)?;
    let range = source.range(span);
    let from = utf16(source.text(), range.start);
    let to = from + utf16(source.text().get(range.start..).unwrap_or_default(), range.len());
    let position = source.position(source.span_of(range).start);
    let place = json!({ "file": source.name(), "pane": pane_of(source.name()), "from": from, "to": to });
    Some((place, position.line, position.column))
}

/// Returns the number of UTF-16 code units before a byte.
pub(crate) fn utf16(text: &str, byte: usize) -> usize {
    text.get(..byte).unwrap_or(text).chars().map(char::len_utf16).sum()
}

/// Returns the byte at an offset in UTF-16 code units.
pub(crate) fn byte_at(text: &str, offset: usize) -> usize {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        if units >= offset {
            return at;
        }
        units += c.len_utf16();
    }
    text.len()
}
