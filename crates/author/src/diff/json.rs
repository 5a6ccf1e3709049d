//! Formats changes as JSON.

use super::{Bump, ChangeClass, DiffSource, Subject, TypeChange};
use rtype_lang::source::Span;
use serde::Serialize;
use serde_json::{Value, json};

/// Returns an object with `version`, `changes` and `summary`. The names of fields, kinds and classes are stable.
pub fn json(changes: &[TypeChange], old: DiffSource, new: DiffSource, strict: bool) -> Value {
    let count = |class: ChangeClass| changes.iter().filter(|c| c.kind.class() == class).count();
    let one = |change: &TypeChange| {
        let (attribute, provider) = match &change.subject {
            Subject::Type => (None, None),
            Subject::Attribute(name) => (Some(name.as_str()), None),
            Subject::Provider(name) => (None, Some(name.as_str())),
        };
        json!({
            "kind": change.kind.id(),
            "class": change.kind.class(),
            "type": change.type_name.as_str(),
            "attribute": attribute,
            "provider": provider,
            "message": format!("{}{}", change.kind.text(), change.details()),
            "old": change.old,
            "new": change.new,
            "example": change.example,
            "old_place": place(old, change.old_span),
            "new_place": place(new, change.new_span),
        })
    };
    json!({
        "version": 1,
        "changes": changes.iter().map(one).collect::<Vec<_>>(),
        "summary": {
            "breaking": count(ChangeClass::Breaking),
            "may_break": count(ChangeClass::MayBreak),
            "added": count(ChangeClass::Added),
            "changed": count(ChangeClass::Changed),
            "bump": Bump::of(changes, strict).word(),
        },
    })
}

#[derive(Serialize)]
struct ChangeLocation {
    file: String,
    line: u32,
    column: u32,
}

fn place(side: DiffSource, span: Span) -> Option<ChangeLocation> {
    let source = side.sources.find(span)?;
    let at = source.position(span.start);
    Some(ChangeLocation { file: side.name(source.name()), line: at.line, column: at.column })
}
