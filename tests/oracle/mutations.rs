//! Tests of the comparison: any change to a recorded result must cause a difference. The exceptions are listed here.

use super::directory;
use rtype_lang::library::TypeSet;
use rtype_testkit::oracle::{compare, evaluate, suite};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// Fields that may change without a difference, with the reason.
const UNSEEN: &[(&str, &str)] = &[
    ("id", "names the case"),
    ("error_class", "of Puppet's program, not of its behaviour"),
    ("cause_class", "of Puppet's program, not of its behaviour"),
    ("message", "rtype's errors are its own"),
    ("logs", "rtype's warnings are its own"),
    ("ruby_error", "tells that a message is Ruby's own"),
];

/// Collects all results with a single change: each leaf changed, each entry left out, each list and map extended by an entry.
fn mutations(json: &Json, path: &str, out: &mut Vec<(String, Json)>) {
    match json {
        Json::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let mut inner = Vec::new();
                mutations(value, &path, &mut inner);
                let with = |value: Option<Json>| {
                    let mut map: Map<String, Json> = map.clone();
                    match value {
                        Some(value) => map.insert(key.clone(), value),
                        None => map.shift_remove(key),
                    };
                    Json::Object(map)
                };
                out.extend(inner.into_iter().map(|(path, value)| (path, with(Some(value)))));
                // A missing nil reads as nil.
                if !value.is_null() && *value != json!([]) && *value != json!({}) {
                    out.push((format!("{path} (left out)"), with(None)));
                }
            }
            if !path.is_empty() {
                let mut more = map.clone();
                more.insert("more".into(), json!("x"));
                out.push((format!("{path} (one more)"), Json::Object(more)));
            }
        }
        Json::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let mut inner = Vec::new();
                mutations(item, &format!("{path}[{i}]"), &mut inner);
                let with = |value: Option<Json>| {
                    let mut items = items.clone();
                    match value {
                        Some(value) => items[i] = value,
                        None => drop(items.remove(i)),
                    }
                    Json::Array(items)
                };
                out.extend(inner.into_iter().map(|(path, value)| (path, with(Some(value)))));
                out.push((format!("{path}[{i}] (left out)"), with(None)));
            }
            let more = match items.first() {
                Some(Json::Array(first)) if first.len() == 3 => json!(["autorequire", "More[x]", "More[y]"]),
                Some(Json::Array(_)) => json!(["More", "x"]),
                _ => json!("more"),
            };
            out.push((format!("{path} (one more)"), items.iter().cloned().chain([more]).collect()));
            if items.len() > 1 && items[0] != items[items.len() - 1] {
                out.push((format!("{path} (turned round)"), items.iter().rev().cloned().collect()));
            }
        }
        Json::Bool(b) => out.push((path.to_owned(), json!(!b))),
        Json::String(s) => {
            out.push((path.to_owned(), json!(format!("{s}x"))));
            out.push((format!("{path} (a symbol)"), json!({ "sym": s })));
        }
        Json::Number(n) => {
            out.push((path.to_owned(), json!(n.as_f64().unwrap_or(0.0) + 1.0)));
            out.push((format!("{path} (a text)"), json!(n.to_string())));
        }
        Json::Null => out.push((path.to_owned(), json!("x"))),
    }
}

/// Returns whether the comparison ignores a change. Ignored are: the fields in the table above; the order of sets; the kind of a title
/// (string, symbol or number); an attribute that Puppet no longer names but rtype may still name; a nil default; the message of a failed
/// step; a duplicate relation.
fn unseen(path: &str, recorded: &Json) -> bool {
    let top = path.split(['.', '[', ' ']).next().unwrap_or_default();
    let nil = |name: &Json| recorded["values"].get(name.as_str().unwrap_or_default()).is_some_and(Json::is_null);
    let is_nil = |i: usize| nil(&recorded[top][i]);
    let index: Option<usize> = path.split(['[', ']']).nth(1).and_then(|i| i.parse().ok());
    let is_twice = |i: usize| recorded[top].as_array().is_some_and(|list| list.iter().filter(|one| **one == list[i]).count() > 1);
    let are_messages = || {
        let list = recorded[top].as_array().into_iter().flatten();
        list.enumerate().filter(|(i, _)| index.is_none_or(|index| index == *i)).all(|(_, target)| compare::is_message(target))
    };
    match top {
        "defaulted" | "ignored" if path.ends_with("(turned round)") => true,
        "defaulted" => path.ends_with("(left out)") && index.is_some_and(is_nil),
        "attribute" => path.ends_with("(left out)"),
        // The failed steps are compared, but not their messages.
        "errors" if path.starts_with("errors.") => {
            path.contains(".error_class") || path.contains(".message") || path.ends_with("(one more)")
        }
        // Duplicate relations are equal to a single relation.
        _ if (top.starts_with("auto") || top == "edges") && path.ends_with("] (left out)") && index.is_some_and(is_twice) => true,
        _ if top.starts_with("auto") => {
            let kind_of_title = ["(a symbol)", "(a text)", ".obj"].iter().any(|end| path.ends_with(end));
            kind_of_title || (are_messages() && (index.is_some() || path.ends_with("(left out)")))
        }
        _ => UNSEEN.iter().any(|(key, _)| *key == top),
    }
}

#[test]
fn every_change_of_a_result_is_told() {
    let (cases, results) = (suite::read(&directory("cases")).unwrap(), suite::read(&directory("results")).unwrap());
    let mut library = TypeSet::default();
    let (mut fields, mut silent): (BTreeSet<String>, Vec<String>) = Default::default();
    // Two hundred cases contain each field many times.
    let step = cases.len() / 200 + 1;
    for (case, recorded) in cases.iter().zip(&results).step_by(step) {
        let Ok(Some(ours)) = evaluate::evaluate(&mut library, case) else { continue };
        if !compare::differences(recorded, &ours).is_empty() {
            continue;
        }
        let mut changed = Vec::new();
        mutations(recorded, "", &mut changed);
        for (path, result) in changed {
            fields.insert(path.split(['.', '[', ' ']).next().unwrap_or_default().to_owned());
            if !unseen(&path, recorded) && compare::differences(&result, &ours).is_empty() {
                silent.push(format!("{}: {path}", recorded["id"]));
            }
        }
    }
    assert!(silent.is_empty(), "{}\n{} changes are not told", silent.join("\n"), silent.len());
    let needed = "attribute autobefore autorequire change_messages defaulted edges ignored insync namevars ok plan provider \
                  provider_features ref should stage suitable uniqueness_key values";
    let missing: Vec<&str> = needed.split_whitespace().filter(|f| !fields.contains(*f)).collect();
    assert!(missing.is_empty(), "no case has {missing:?}");
}
