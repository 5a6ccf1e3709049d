//! Compares Puppet's results with rtype's, field by field.

use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// A difference between a recorded result and rtype's result.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The compared field: `values.mode`, `verdict`.
    pub what: String,
    /// Puppet's value.
    pub puppet: String,
    /// rtype's value.
    pub rtype: String,
}

impl Difference {
    fn new(what: impl Into<String>, puppet: &Json, rtype: &Json) -> Difference {
        Difference { what: what.into(), puppet: puppet.to_string(), rtype: rtype.to_string() }
    }
}

/// Returns all differences between a recorded result and rtype's result. `tests/oracle/README.md` documents the skipped fields, with
/// reasons.
pub fn differences(puppet: &Json, rtype: &Json) -> Vec<Difference> {
    match (puppet["ok"].as_bool(), rtype["ok"] == true) {
        (Some(false), false) => rejections(puppet, rtype),
        (Some(true), true) => acceptances(puppet, rtype),
        _ => vec![Difference { what: "verdict".into(), puppet: verdict(puppet), rtype: verdict(rtype) }],
    }
}

/// Returns true if a difference is due to parts of the type that are left in Ruby. In this case Puppet rejects a resource that rtype did
/// not check completely, or Puppet knows a value or a dependent field and rtype does not.
pub fn is_unchecked(difference: &Difference, rtype: &Json) -> bool {
    let unchecked = &rtype["unchecked"];
    let holds = |list: &str, name: &str| unchecked[list].as_array().into_iter().flatten().any(|one| one == name);
    let any = |list: &str| unchecked[list].as_array().is_some_and(|all| !all.is_empty());
    let whole = unchecked["whole"] == true;
    let provider = unchecked["provider"] == true;
    match (difference.what.as_str(), difference.puppet.as_str()) {
        ("provider" | "provider_features" | "suitable" | "values.provider", _) if provider => return true,
        ("defaulted", r#"["provider"]"#) if provider => return true,
        _ => {}
    }
    match difference.what.split_once('.') {
        Some(("namevars" | "values" | "should" | "insync" | "change_messages", name)) => {
            holds("attributes", name) || unchecked["converts"] == true
        }
        Some(("calls", name)) => holds("calls", name),
        Some(("generated", _)) => unchecked["generates"] == true,
        Some(_) => false,
        None => match difference.what.as_str() {
            "verdict" => rtype["ok"] == true && (whole || any("attributes") || any("relations")),
            "ref" | "ignored" => unchecked["converts"] == true,
            "plan" | "defaulted" | "uniqueness_key" => any("attributes") || unchecked["converts"] == true,
            // Such a check may also reject the resource before another one does.
            "stage" => any("checks") && difference.rtype.starts_with("rejected (finish)"),
            "attribute" => difference.puppet.split_once(' ').is_some_and(|(name, _)| holds("checks", name.trim_matches('"'))),
            "generated" => unchecked["generates"] == true,
            "errors" if any("calls") || unchecked["generates"] == true => true,
            "edges" | "errors" => any("attributes") || any("relations"),
            kind => (any("attributes") && kind.starts_with("auto")) || holds("relations", kind),
        },
    }
}

fn verdict(result: &Json) -> String {
    if result["ok"] == true {
        return "accepted".into();
    }
    format!("rejected ({}): {}", result["stage"].as_str().unwrap_or_default(), result["message"].as_str().unwrap_or_default())
}

/// Compares the stage of a rejection, and the rejected attribute if Puppet names an attribute, but not the messages.
fn rejections(puppet: &Json, rtype: &Json) -> Vec<Difference> {
    let mut found = Vec::new();
    if puppet["stage"] != rtype["stage"] {
        found.push(Difference { what: "stage".into(), puppet: verdict(puppet), rtype: verdict(rtype) });
    }
    if !puppet["attribute"].is_null() && puppet["attribute"] != rtype["attribute"] {
        let side = |r: &Json| format!("{} {}", r["attribute"], verdict(r));
        found.push(Difference { what: "attribute".into(), puppet: side(puppet), rtype: side(rtype) });
    }
    found
}

fn acceptances(puppet: &Json, rtype: &Json) -> Vec<Difference> {
    let (puppet, rtype) = (&comparable(puppet, puppet), &comparable(rtype, puppet));
    let mut found = Vec::new();
    for key in ["ref", "uniqueness_key", "provider", "provider_features", "suitable", "plan"] {
        if puppet[key] != rtype[key] {
            found.push(Difference::new(key, &puppet[key], &rtype[key]));
        }
    }
    for key in ["namevars", "values", "should", "change_messages"] {
        fields(key, &puppet[key], &rtype[key], &mut found);
    }
    let compared = |side: &Json| {
        let all = side["insync"].as_object().into_iter().flatten();
        let named = |name: &String| rtype["never_compared"].as_array().into_iter().flatten().any(|n| n == name.as_str());
        Json::Object(all.filter(|(name, _)| !named(name)).map(|(name, known)| (name.clone(), known.clone())).collect())
    };
    fields("insync", &compared(puppet), &compared(rtype), &mut found);
    for key in ["defaulted", "ignored"] {
        let (mut a, mut b) = (names(&puppet[key]), names(&rtype[key]));
        // A default that evaluates to nil is equal to an unset attribute.
        let holds_nil = |side: &Json, name: &String| side["values"].get(name).is_some_and(Json::is_null);
        a.retain(|name| key != "defaulted" || !holds_nil(puppet, name));
        b.retain(|name| key != "defaulted" || !holds_nil(rtype, name));
        if a != b {
            let only = |x: &BTreeSet<String>, y: &BTreeSet<String>| Json::from(x.difference(y).cloned().collect::<Vec<_>>());
            found.push(Difference::new(key, &only(&a, &b), &only(&b, &a)));
        }
    }
    let own = rtype["ref"].as_str().unwrap_or_default();
    for key in ["autorequire", "autobefore", "autonotify", "autosubscribe"] {
        let (a, b) = (targets(&puppet[key], own, rtype), targets(&rtype[key], own, rtype));
        if a != b {
            found.push(Difference::new(key, &a.into(), &b.into()));
        }
    }
    if puppet["edges"].is_null() != rtype["edges"].is_null() {
        found.push(Difference::new("edges", &puppet["edges"], &rtype["edges"]));
    } else {
        let (a, b) = (edges(&puppet["edges"]), edges(&rtype["edges"]));
        if a != b {
            found.push(Difference::new("edges", &a.into(), &b.into()));
        }
    }
    generated(&puppet["generated"], &rtype["generated"], &mut found);
    fields("calls", &puppet["calls"], &rtype["calls"], &mut found);
    let failed = puppet["errors"].as_object().into_iter().flatten().filter(|(step, error)| !only_recorded(step, error));
    // The recorder lists errors by step, not by property.
    let failed: BTreeSet<&str> = failed.map(|(step, _)| step.as_str()).collect();
    let ours: BTreeSet<&str> = rtype["errors"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    if failed != ours {
        found.push(Difference::new("errors", &puppet["errors"], &rtype["errors"]));
    }
    found
}

/// Removes the result fields that the recorder could not compare.
fn comparable(side: &Json, puppet: &Json) -> Json {
    let mut side = side.clone();
    // For some properties, the value contains all desired values. The separate list with the same values is then redundant.
    let values = side["values"].clone();
    // A `should=` in Ruby stores the `should` block's result. The recorder then does not show the given value.
    let combined: Vec<String> = side["combined"].as_array().into_iter().flatten().filter_map(|n| n.as_str().map(str::to_owned)).collect();
    if let Some(all) = side["should"].as_object_mut() {
        all.retain(|of, _| !combined.contains(of) || puppet["should"].get(of).is_some());
        all.retain(|of, all| all.as_array().is_none_or(|all| all.as_slice() != [values[of].clone()]));
    }
    let failed = puppet["errors"].as_object().into_iter().flatten().filter(|(step, error)| only_recorded(step, error));
    for (step, name) in failed.filter_map(|(step, _)| Some((step, step.strip_prefix("insync.")?))) {
        for key in ["insync", "change_messages", "errors"] {
            if let Some(all) = side[key].as_object_mut() {
                all.retain(|of, _| of != name && of != step);
            }
        }
        for key in ["plan", "errors"] {
            if let Some(all) = side[key].as_array_mut() {
                all.retain(|of| of != name && of != step.as_str());
            }
        }
    }
    side
}

/// Returns true if an error only occurs in the recorder. The recorder calls the block of `autorequire(:x)` immediately, but Puppet
/// (`Puppet::Type#autorelation`) calls it after loading the type `x`, and the block may refer to the class of `x`. When Puppet runs, it
/// loads `Puppet::Coercion` with the type `file`.
fn only_recorded(step: &str, error: &Json) -> bool {
    if error["error_class"] == "NameError" && error["message"] == "uninitialized constant Puppet::Coercion" {
        return true;
    }
    let Some((_, of)) = step.split_once('.').filter(|(kind, _)| kind.starts_with("auto")) else { return false };
    let missing = error["message"].as_str().and_then(|m| m.strip_prefix("uninitialized constant Puppet::Type::"));
    error["error_class"] == "NameError" && missing.is_some_and(|class| class.to_lowercase() == of)
}

/// Compares generated resources in order, value by value.
fn generated(puppet: &Json, rtype: &Json, found: &mut Vec<Difference>) {
    let list = |side: &Json| side.as_array().cloned().unwrap_or_default();
    let (theirs, ours) = (list(puppet), list(rtype));
    let names = |all: &[Json]| Json::from(all.iter().map(|r| r["ref"].clone()).collect::<Vec<_>>());
    if names(&theirs) != names(&ours) {
        found.push(Difference::new("generated", &names(&theirs), &names(&ours)));
        return;
    }
    for (a, b) in theirs.iter().zip(&ours) {
        if a.as_object().is_none_or(|a| a.keys().any(|key| key != "ref" && key != "values")) {
            found.push(Difference::new("generated", a, b));
        }
        fields(&format!("generated.{}", a["ref"].as_str().unwrap_or_default()), &a["values"], &b["values"], found);
    }
}

/// Compares two objects key by key.
fn fields(key: &str, puppet: &Json, rtype: &Json, found: &mut Vec<Difference>) {
    let empty = Map::new();
    let (a, b) = (puppet.as_object().unwrap_or(&empty), rtype.as_object().unwrap_or(&empty));
    let unset = |side: Option<&Json>| side.map_or("unset".to_owned(), Json::to_string);
    for name in a.keys().chain(b.keys().filter(|name| !a.contains_key(*name))) {
        let (theirs, ours) = (a.get(name), b.get(name));
        // A nil attribute is equal to an unset attribute.
        let same = if key == "values" { theirs.unwrap_or(&Json::Null) == ours.unwrap_or(&Json::Null) } else { theirs == ours };
        if !same {
            found.push(Difference { what: format!("{key}.{name}"), puppet: unset(theirs), rtype: unset(ours) });
        }
    }
}

/// Returns the names in a list; other values are converted to strings.
fn names(list: &Json) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().map(|name| name.as_str().map_or_else(|| name.to_string(), str::to_owned)).collect()
}

/// Returns relations as references, without duplicates and self-references, which have no effect in a catalog.
fn targets(list: &Json, own: &str, rtype: &Json) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for target in list.as_array().into_iter().flatten().filter(|target| !is_message(target)) {
        let text = match target {
            Json::String(s) => s.clone(),
            Json::Object(o) if o.len() == 1 => o.get("ref").and_then(Json::as_str).map_or_else(|| target.to_string(), str::to_owned),
            // A resource title is never a list or a map.
            Json::Array(pair) if pair.len() == 2 && is_collection(&pair[1]) => continue,
            Json::Array(pair) if pair.len() == 2 && pair[0].is_string() => {
                // Titles are strings, even if a block returns symbols or paths.
                let other = pair[1].as_object().and_then(|o| match o.len() {
                    1 => o.get("sym"),
                    _ => o.get("string").filter(|_| o.len() == 2 && o.contains_key("obj")),
                });
                let title = pair[1].as_str().or(other.and_then(Json::as_str));
                let title = title.map_or_else(|| pair[1].to_string(), str::to_owned);
                format!("{}[{title}]", pair[0].as_str().unwrap_or_default())
            }
            other => other.to_string(),
        };
        let text = rtype["declared_as"][&text].as_str().map_or(text, str::to_owned);
        if text != own && !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

fn is_collection(title: &Json) -> bool {
    let marked = |o: &Map<String, Json>| ["sym", "obj", "ref"].iter().any(|key| o.contains_key(*key));
    title.is_array() || title.as_object().is_some_and(|o| !marked(o))
}

/// Returns true if a target is a log message. If a block ends with a warning, Puppet's logging function returns the message instead of a
/// resource.
pub fn is_message(target: &Json) -> bool {
    target.as_array().is_some_and(|pair| pair.len() == 2 && pair[0].is_string() && pair[1]["obj"] == "Puppet::Util::Log")
}

/// Returns edges as `kind from -> to`, without duplicates and self-references.
fn edges(list: &Json) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for edge in list.as_array().into_iter().flatten() {
        let parts: Vec<&str> = edge.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let text = match parts[..] {
            [_, from, to] if from == to => continue,
            [kind, from, to] if edge.as_array().is_some_and(|e| e.len() == 3) => format!("{kind} {from} -> {to}"),
            _ => edge.to_string(),
        };
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}
