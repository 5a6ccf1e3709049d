//! Inspected resources for people and for programs.

use crate::engine::Inspected;
use crate::resource::{Comparison, Status, for_display};
use crate::types::RelationKind;
use crate::value::Value;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// A table for each resource, then a line that counts.
pub fn text(inspected: &[Inspected], colors: bool) -> String {
    let mut out = String::new();
    for one in inspected {
        resource(&mut out, one, colors);
    }
    let count = |verdict: Option<bool>| inspected.iter().filter(|i| i.verdict.in_sync() == verdict).count();
    let (yes, no, open) = (count(Some(true)), count(Some(false)), count(None));
    let mut parts = vec![format!("{yes} in sync"), format!("{no} out of sync")];
    if open > 0 {
        parts.push(format!("{open} cannot be told"));
    }
    let _ = writeln!(out, "{} resource{}: {}", inspected.len(), if inspected.len() == 1 { "" } else { "s" }, parts.join(", "));
    out
}

/// One resource: a heading, a row for each property with a wanted value, its relations.
pub fn resource(out: &mut String, one: &Inspected, colors: bool) {
    let paint = |code: &str, text: &str| if colors { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() };
    let provider = one.instance.provider.as_ref().map_or_else(String::new, |p| format!("  (provider {p})"));
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}{provider}", paint("1", &one.instance.reference().to_string()));
    let told = unreadable(one);
    let rows: Vec<[String; 4]> = one
        .verdict
        .properties
        .iter()
        .map(row)
        .map(|[name, is, should, why]| [name, is, should, if told.as_ref() == Some(&why) { String::new() } else { why }])
        .collect();
    if let Some(why) = &told {
        let _ = writeln!(out, "  cannot be read: {why}");
    }
    if rows.is_empty() {
        let _ = writeln!(out, "  nothing is managed: no property is given");
    }
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|r| r.get(column)).map(|c| c.chars().count());
        cells.max().unwrap_or(0).min(40)
    };
    let widths = [width(0), width(1).max("is".len()), width(2).max("should".len())];
    if !rows.is_empty() {
        let _ = writeln!(out, "    {:w0$}  {:w1$}  should", "", "is", w0 = widths[0], w1 = widths[1]);
    }
    for ([name, is, should, why], comparison) in rows.iter().zip(&one.verdict.properties) {
        let mark = match comparison.status.in_sync() {
            Some(true) => paint("32", "ok"),
            Some(false) => paint("31", "! "),
            None => paint("33", "? "),
        };
        let line = format!("{:w0$}  {:w1$}  {:w2$}  {why}", name, is, should, w0 = widths[0], w1 = widths[1], w2 = widths[2]);
        let _ = writeln!(out, " {mark} {}", line.trim_end());
    }
    for ignored in &one.instance.ignored {
        let name = one.instance.type_def.attribute(ignored.id).map(|a| a.name.to_string()).unwrap_or_default();
        let missing: Vec<_> = ignored.missing.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "    {name}: no effect, the provider lacks {}", missing.join(", "));
    }
    match &one.relations {
        Ok(relations) => {
            for relation in relations.iter().filter(|r| r.declared) {
                let _ = writeln!(out, "    {} {}", automatic(relation.kind), relation.target);
            }
        }
        Err(message) => {
            let _ = writeln!(out, "    its automatic relations cannot be told: {message}");
        }
    }
}

/// Why nothing of the resource can be read, where that is one and the same reason.
fn unreadable(one: &Inspected) -> Option<String> {
    let mut reasons = one.verdict.properties.iter().map(|p| match &p.status {
        Status::Unreadable(why) => Some(why),
        _ => None,
    });
    let first = reasons.next()??;
    reasons.all(|r| r == Some(first)).then(|| first.clone())
}

fn row(comparison: &Comparison) -> [String; 4] {
    let is = match &comparison.is {
        Ok(value) => one_line(value),
        Err(_) => "unreadable".into(),
    };
    let why = match &comparison.status {
        Status::InSync => String::new(),
        Status::OutOfSync(message) => flat(message),
        Status::WithEnsure if matches!(&comparison.is, Ok(is) if is.unwrapped().is_absent()) => "set when it is created".into(),
        Status::WithEnsure => "gone when it is removed".into(),
        Status::Unreadable(why) => why.clone(),
        Status::Unknown => "waits for a value that is not known yet".into(),
        Status::Failed(why) => format!("comparing failed: {why}"),
    };
    let should = match comparison.any_of.as_slice() {
        [] => one_line(&comparison.should),
        any => any.iter().map(one_line).collect::<Vec<_>>().join(" or "),
    };
    [comparison.name.to_string(), is, should, why]
}

/// A value in a cell: short, on one line.
pub fn one_line(value: &Value) -> String {
    let text = match value {
        Value::Sym(s) => s.to_string(),
        other => flat(&for_display(other)),
    };
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Lines and their indentation become one blank.
fn flat(text: &str) -> String {
    text.split('\n').map(str::trim_start).collect::<Vec<_>>().join(" ")
}

fn automatic(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Require => "autorequires",
        RelationKind::Before => "goes before, automatically,",
        RelationKind::Notify => "notifies, automatically,",
        RelationKind::Subscribe => "subscribes automatically to",
    }
}

/// The same for programs. Symbols are strings, secrets are redacted.
pub fn json(inspected: &[Inspected]) -> Json {
    let resources: Vec<Json> = inspected.iter().map(resource_json).collect();
    json!({ "version": 1, "resources": resources })
}

/// One resource for programs.
pub fn resource_json(one: &Inspected) -> Json {
    let mut properties = Map::new();
    for p in &one.verdict.properties {
        let mut row = Map::new();
        if let Ok(is) = &p.is {
            row.insert("is".into(), json!(is));
        }
        row.insert("should".into(), json!(p.should));
        if !p.any_of.is_empty() {
            row.insert("any_of".into(), json!(p.any_of));
        }
        row.insert("in_sync".into(), json!(p.status.in_sync()));
        match &p.status {
            Status::OutOfSync(message) => drop(row.insert("change".into(), json!(message))),
            Status::WithEnsure => drop(row.insert("with_ensure".into(), json!(true))),
            Status::Unreadable(why) | Status::Failed(why) => drop(row.insert("error".into(), json!(why))),
            Status::Unknown => drop(row.insert("unknown".into(), json!(true))),
            Status::InSync => {}
        }
        properties.insert(p.name.to_string(), Json::Object(row));
    }
    let relations = |kind: RelationKind| -> Vec<String> {
        let all = one.relations.as_deref().unwrap_or_default();
        all.iter().filter(|r| r.kind == kind).map(|r| r.target.to_string()).collect()
    };
    json!({
        "type": one.instance.type_def.name.as_str(),
        "title": one.instance.title.as_str(),
        "provider": one.instance.provider.as_ref().map(|p| p.as_str()),
        "in_sync": one.verdict.in_sync(),
        "properties": properties,
        "ignored": one.instance.ignored.iter().filter_map(|i| one.instance.type_def.attribute(i.id)).map(|a| a.name.as_str()).collect::<Vec<_>>(),
        "autorequire": relations(RelationKind::Require),
        "autobefore": relations(RelationKind::Before),
        "autonotify": relations(RelationKind::Notify),
        "autosubscribe": relations(RelationKind::Subscribe),
    })
}
