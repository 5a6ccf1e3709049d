//! Compares the structure of Puppet's types with rtype's: attributes in order, values, features, title patterns, relations.

use super::compare::Difference;
use rtype_author::docs::{TypeDoc, describe, json};
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Returns the number of compared types, and the differences by type. Types unknown to rtype are skipped.
pub fn differences(library: &mut TypeSet, recorded: &[Json]) -> (usize, Vec<(String, Vec<Difference>)>) {
    let natives = NativeProviders::standard();
    let mut all = Vec::new();
    let mut compared = 0;
    for theirs in recorded {
        let name = theirs["name"].as_str().unwrap_or_default();
        let Some(type_def) = library.load(name) else { continue };
        compared += 1;
        let doc: TypeDoc = describe(&type_def, None, &natives, &library.sources);
        let ours = json(std::slice::from_ref(&doc))["types"][0].take();
        let found = of_type(theirs, &ours);
        if !found.is_empty() {
            all.push((name.to_owned(), found));
        }
    }
    (compared, all)
}

fn of_type(theirs: &Json, ours: &Json) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut side = |what: String, puppet: String, rtype: String| {
        if puppet != rtype {
            found.push(Difference { what, puppet, rtype });
        }
    };
    side("namevars".into(), words(&theirs["namevars"]), words(&ours["namevars"]));
    side("isomorphic".into(), theirs["isomorphic"].to_string(), ours["isomorphic"].to_string());
    let features = |list: &Json| {
        let one = |f: &Json| format!("{}({})", f["name"].as_str().unwrap_or_default(), words(&f["methods"]));
        list.as_array().into_iter().flatten().map(one).collect::<Vec<_>>().join("; ")
    };
    side("features".into(), features(&theirs["features"]), features(&ours["features"]));
    side("title patterns".into(), their_titles(theirs), our_titles(ours));
    for kind in ["autorequire", "autobefore", "autonotify", "autosubscribe"] {
        let ours = ours["auto_relations"].as_array().into_iter().flatten().filter(|r| r["kind"] == kind);
        let ours: BTreeSet<&str> = ours.filter_map(|r| r["target"].as_str()).collect();
        let theirs: BTreeSet<&str> = theirs["autorelations"][kind].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        side(kind.into(), format!("{theirs:?}"), format!("{ours:?}"));
    }
    for property in [true, false] {
        let names = |list: Vec<&Json>| list.iter().filter_map(|a| a["name"].as_str()).collect::<Vec<_>>().join(", ");
        let what = if property { "properties" } else { "params" };
        side(what.into(), names(their_attributes(theirs, property)), names(our_attributes(ours, property)));
    }
    for property in [true, false] {
        let ours = our_attributes(ours, property);
        for a in their_attributes(theirs, property) {
            let Some(b) = ours.iter().find(|b| b["name"] == a["name"]) else { continue };
            let name = a["name"].as_str().unwrap_or_default();
            let mut side = |what: &str, puppet: String, rtype: String| side(format!("{name}: {what}"), puppet, rtype);
            // Puppet's boolean attributes list no values.
            if a["parent"] != "Puppet::Property::Boolean" && a["parent"] != "Puppet::Parameter::Boolean" {
                side("values", sorted(&a["values"]), our_values(b));
            }
            side("regexes", their_regexes(a), our_regexes(b));
            let aliases = |pairs: BTreeSet<String>| pairs.into_iter().collect::<Vec<_>>().join(", ");
            side("aliases", aliases(their_aliases(a)), aliases(our_aliases(b)));
            side("required features", sorted(&a["required_features"]), sorted(&b["required_features"]));
            // In Puppet, lists and maps of pairs have a single value each.
            let is_list = a["parent"].as_str().is_some_and(|p| p.contains("List") || p.contains("KeyValue"));
            if property && !is_list {
                side("array matching", a["array_matching"].to_string(), b["array_matching"].to_string());
            }
        }
    }
    found
}

fn words(list: &Json) -> String {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).collect::<Vec<_>>().join(", ")
}

fn sorted(list: &Json) -> String {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// Puppet lists namevars and the provider first. rtype does the same, but lists them as params.
fn their_attributes(theirs: &Json, property: bool) -> Vec<&Json> {
    let all = theirs["attributes"].as_array().into_iter().flatten();
    all.filter(|a| a["property"] == property && a["name"] != "provider").collect()
}

fn our_attributes(ours: &Json, property: bool) -> Vec<&Json> {
    let all: Vec<&Json> = ours["attributes"].as_array().into_iter().flatten().filter(|a| a["name"] != "provider").collect();
    let wanted = |a: &&&Json| if property { a["role"] == "property" } else { a["role"] == "param" };
    let (first, rest): (Vec<&Json>, Vec<&Json>) = all.iter().filter(wanted).copied().partition(|a| !property && a["namevar"] == true);
    first.into_iter().chain(rest).collect()
}

fn our_values(ours: &Json) -> String {
    let all = ours["values"].as_array().into_iter().flatten().filter_map(|v| v["value"].as_str());
    all.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// Converts a Ruby regex to rtype's notation. Composed regexes contain groups, in Ruby with flags.
fn pattern(source: &str, flags: &str) -> String {
    let source = source.replace("\\/", "/").replace("((?-mix:", "(").replace("+))", "+)");
    let flags: String = ['i', 's', 'x'].into_iter().filter(|f| flags.contains(if *f == 's' { 'm' } else { *f })).collect();
    format!("{source} {flags}")
}

fn our_pattern(written: &str) -> String {
    let (source, flags) = written.strip_prefix('/').and_then(|w| w.rsplit_once('/')).unwrap_or((written, ""));
    let source = source.strip_prefix("(?m:").and_then(|s| s.strip_suffix(')')).unwrap_or(source);
    format!("{} {flags}", source.replace("\\/", "/"))
}

fn their_regexes(theirs: &Json) -> String {
    let all = theirs["regexes"].as_array().into_iter().flatten();
    let all = all.map(|r| pattern(r["regexp"].as_str().unwrap_or_default(), r["flags"].as_str().unwrap_or_default()));
    all.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

fn our_regexes(ours: &Json) -> String {
    let all = ours["values"].as_array().into_iter().flatten().filter_map(|v| v["pattern"].as_str()).map(our_pattern);
    all.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

fn their_aliases(theirs: &Json) -> BTreeSet<String> {
    let all = theirs["aliases"].as_object().into_iter().flatten();
    all.flat_map(|(value, names)| names.as_array().into_iter().flatten().filter_map(Json::as_str).map(move |n| format!("{n} → {value}")))
        .collect()
}

fn our_aliases(ours: &Json) -> BTreeSet<String> {
    let all = ours["aliases"].as_array().into_iter().flatten();
    all.map(|a| format!("{} → {}", a["name"].as_str().unwrap_or_default(), a["value"].as_str().unwrap_or_default())).collect()
}

/// Returns the title patterns, without the default pattern that every type has.
fn their_titles(theirs: &Json) -> String {
    let rows: Vec<&Json> = theirs["title_patterns"].as_array().into_iter().flatten().collect();
    if let [only] = rows.as_slice()
        && only["regexp"] == "(.*)"
    {
        return String::new();
    }
    let row = |r: &&Json| {
        let names = r["attributes"].as_array().into_iter().flatten().filter_map(|a| a["name"].as_str()).collect::<Vec<_>>().join(", ");
        format!("{} => {names}", pattern(r["regexp"].as_str().unwrap_or_default(), r["flags"].as_str().unwrap_or_default()))
    };
    rows.iter().map(row).collect::<Vec<_>>().join("; ")
}

fn our_titles(ours: &Json) -> String {
    let rows = ours["title_patterns"].as_array().into_iter().flatten();
    rows.map(|r| format!("{} => {}", our_pattern(r["pattern"].as_str().unwrap_or_default()), words(&r["attributes"])))
        .collect::<Vec<_>>()
        .join("; ")
}
