//! What Puppet did beside what rtype does, field by field.

use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;

/// One thing on which the two do not agree.
#[derive(Clone, Debug)]
pub struct Difference {
    /// What it is about: `values.mode`, `verdict`.
    pub what: String,
    /// Puppet's side.
    pub puppet: String,
    /// Ours.
    pub rtype: String,
}

impl Difference {
    fn new(what: impl Into<String>, puppet: &Json, rtype: &Json) -> Difference {
        Difference { what: what.into(), puppet: puppet.to_string(), rtype: rtype.to_string() }
    }
}

/// All differences between a recorded result and ours.
pub fn differences(puppet: &Json, rtype: &Json) -> Vec<Difference> {
    match (puppet["ok"] == true, rtype["ok"] == true) {
        (false, false) => rejections(puppet, rtype),
        (true, true) => acceptances(puppet, rtype),
        _ => vec![Difference { what: "verdict".into(), puppet: verdict(puppet), rtype: verdict(rtype) }],
    }
}

fn verdict(result: &Json) -> String {
    if result["ok"] == true {
        return "accepted".into();
    }
    format!("rejected ({}): {}", result["stage"].as_str().unwrap_or_default(), result["message"].as_str().unwrap_or_default())
}

/// Where it was refused, and for which attribute if Puppet names one. Never the text.
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
    let mut found = Vec::new();
    for key in ["ref", "uniqueness_key", "provider", "provider_features", "suitable"] {
        if puppet[key] != rtype[key] {
            found.push(Difference::new(key, &puppet[key], &rtype[key]));
        }
    }
    for key in ["namevars", "values", "should", "insync", "change_messages"] {
        fields(key, &puppet[key], &rtype[key], &mut found);
    }
    for key in ["defaulted", "ignored"] {
        let (mut a, b) = (names(&puppet[key]), names(&rtype[key]));
        // Puppet has parameters without a value; whoever asks for them gets nil, as for those that are unset.
        a.retain(|name| key != "defaulted" || !puppet["values"][name].is_null());
        if a != b {
            let only = |x: &BTreeSet<String>, y: &BTreeSet<String>| Json::from(x.difference(y).cloned().collect::<Vec<_>>());
            found.push(Difference::new(key, &only(&a, &b), &only(&b, &a)));
        }
    }
    if puppet["plan"] != rtype["plan"] {
        found.push(Difference::new("plan", &puppet["plan"], &rtype["plan"]));
    }
    let own = rtype["ref"].as_str().unwrap_or_default();
    for key in ["autorequire", "autobefore", "autonotify", "autosubscribe"] {
        let (a, b) = (targets(&puppet[key], own, rtype), targets(&rtype[key], own, rtype));
        if a != b {
            found.push(Difference::new(key, &a.into(), &b.into()));
        }
    }
    let (a, b) = (edges(&puppet["edges"]), edges(&rtype["edges"]));
    if a != b && !puppet["edges"].is_null() {
        found.push(Difference::new("edges", &a.into(), &b.into()));
    }
    generated(&puppet["generated"], &rtype["generated"], &mut found);
    fields("calls", &puppet["calls"], &rtype["calls"], &mut found);
    let failed: Vec<String> = puppet["errors"].as_object().into_iter().flatten().map(|(step, _)| step.clone()).collect();
    let ours: Vec<String> = rtype["errors"].as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect();
    if failed != ours {
        found.push(Difference::new("errors", &puppet["errors"], &ours.into()));
    }
    found
}

/// Generated resources in their order, value by value.
fn generated(puppet: &Json, rtype: &Json, found: &mut Vec<Difference>) {
    let list = |side: &Json| side.as_array().cloned().unwrap_or_default();
    let (theirs, ours) = (list(puppet), list(rtype));
    let names = |all: &[Json]| Json::from(all.iter().map(|r| r["ref"].clone()).collect::<Vec<_>>());
    if names(&theirs) != names(&ours) {
        found.push(Difference::new("generated", &names(&theirs), &names(&ours)));
        return;
    }
    for (a, b) in theirs.iter().zip(&ours) {
        fields(&format!("generated.{}", a["ref"].as_str().unwrap_or_default()), &a["values"], &b["values"], found);
    }
}

/// Compares two objects key by key.
fn fields(key: &str, puppet: &Json, rtype: &Json, found: &mut Vec<Difference>) {
    let empty = Map::new();
    let (a, b) = (puppet.as_object().unwrap_or(&empty), rtype.as_object().unwrap_or(&empty));
    for (name, theirs) in a {
        // nil in Puppet and unset are the same to whoever reads.
        let ours = b.get(name).unwrap_or(&Json::Null);
        if theirs != ours {
            found.push(Difference::new(format!("{key}.{name}"), theirs, ours));
        }
    }
    for (name, ours) in b.iter().filter(|(name, ours)| !a.contains_key(*name) && !ours.is_null()) {
        found.push(Difference { what: format!("{key}.{name}"), puppet: "unset".into(), rtype: ours.to_string() });
    }
}

fn names(list: &Json) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Relations as references, each once, without one to itself: rtype drops these.
fn targets(list: &Json, own: &str, rtype: &Json) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for target in list.as_array().into_iter().flatten() {
        let text = match target {
            Json::String(s) => s.clone(),
            Json::Object(o) => o.get("ref").and_then(Json::as_str).unwrap_or_default().to_owned(),
            pair => {
                let plain = [&pair[1], &pair[1]["sym"], &pair[1]["string"]].into_iter().find_map(Json::as_str);
                let title = plain.map_or_else(|| pair[1].to_string(), str::to_owned);
                format!("{}[{title}]", pair[0].as_str().unwrap_or_default())
            }
        };
        let text = rtype["declared_as"][&text].as_str().map_or(text, str::to_owned);
        if text != own && !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

fn edges(list: &Json) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for edge in list.as_array().into_iter().flatten() {
        let text = format!(
            "{} {} -> {}",
            edge[0].as_str().unwrap_or_default(),
            edge[1].as_str().unwrap_or_default(),
            edge[2].as_str().unwrap_or_default()
        );
        if edge[1] != edge[2] && !out.contains(&text) {
            out.push(text);
        }
    }
    out
}
