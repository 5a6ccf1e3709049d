//! Compares the JSON Schemas of types with the recorded cases. A schema accepts all resources that rtype accepts, and rejects many
//! resources that rtype rejects.

use rtype_author::docs::{schema, schema_of_all};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_lang::types::TypeDef;
use rtype_model::declare::{DeclareOptions, declare};
use rtype_model::manifest::{DataFormat, from_data};
use rtype_model::resource::{Context, NoCatalog};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The minimum percentage of machine-independent rejections that the schema also rejects.
const FEWEST_REFUSED: usize = 54;

/// Returns a recorded value as JSON; `None` if JSON cannot represent the value.
fn plain(value: &Json) -> Option<Json> {
    Some(match value {
        Json::Array(all) => Json::Array(all.iter().map(plain).collect::<Option<_>>()?),
        Json::Object(o) => {
            if let (1, Some((key, inner))) = (o.len(), o.iter().next()) {
                match key.as_str() {
                    "sym" | "str" | "ref" => return Some(inner.clone()),
                    "hash" | "regexp" | "float" | "binary" | "obj" => return None,
                    _ => {}
                }
            }
            Json::Object(o.iter().map(|(k, v)| Some((k.clone(), plain(v)?))).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// Returns a case as a file with a single resource.
fn file(case: &Json) -> Option<Json> {
    let parameters = plain(case.get("params").unwrap_or(&json!({})))?;
    let mut resource = json!({"type": case["type"], "title": case["title"], "parameters": parameters});
    if let Some(names) = case.get("sensitive") {
        resource["sensitive_parameters"] = names.clone();
    }
    Some(json!([resource]))
}

/// Returns whether `rtype check` reports no error.
fn accepted(file: &Json, library: &mut TypeSet) -> bool {
    let source = library.sources.add("case.json", file.to_string()).unwrap();
    let (declarations, found) = from_data(&source, DataFormat::Json);
    let offline =
        Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
    let result = declare(&declarations, library, offline, DeclareOptions::default());
    // Missing references are not an error of this resource.
    let wrong = found.iter().chain(&result.diagnostics).any(|d| d.is_error() && d.code != Code::UnknownReference);
    !wrong
}

fn standard_types(library: &mut TypeSet) -> Vec<Arc<TypeDef>> {
    library.names().iter().map(|name| library.load(name).unwrap()).collect()
}

#[test]
fn accepted_cases_are_valid() {
    let mut library = TypeSet::default();
    let types = standard_types(&mut library);
    let whole = jsonschema::validator_for(&schema_of_all(&types)).unwrap();
    let (mut wrong, mut table) = (Vec::new(), BTreeMap::<String, [usize; 4]>::new());
    for type_def in &types {
        let Ok(text) = std::fs::read_to_string(format!("tests/oracle/cases/{}.jsonl", type_def.name)) else { continue };
        let alone = jsonschema::validator_for(&schema(std::slice::from_ref(type_def))).unwrap();
        let counts = table.entry(type_def.name.to_string()).or_default();
        for case in text.lines().map(|l| serde_json::from_str::<Json>(l).unwrap()) {
            let Some(file) = file(&case) else { continue };
            let valid = alone.is_valid(&file);
            assert_eq!(valid, whole.is_valid(&file), "{}: one schema or all, the answer is the same", case["id"]);
            match (accepted(&file, &mut library), valid) {
                (true, true) => counts[0] += 1,
                (true, false) => {
                    let why: Vec<String> = alone.iter_errors(&file).map(|e| format!("{}: {e}", e.instance_path())).collect();
                    wrong.push(format!("{}: {file}\n  {}", case["id"], why.join("\n  ")));
                }
                (false, false) => counts[2] += 1,
                (false, true) => {
                    counts[3] += 1;
                    if std::env::var_os("SHOW_MISSED").is_some() {
                        println!("missed {}: {file}", case["id"]);
                    }
                }
            }
        }
    }
    let sum = |i: usize| table.values().map(|c| c[i]).sum::<usize>();
    for (name, [valid, _, refused, missed]) in &table {
        println!("{name:20} {valid:5} accepted, all valid; {refused:4} of {} refused are not valid", refused + missed);
    }
    println!("{} accepted; {} of {} refused are not valid", sum(0), sum(2), sum(2) + sum(3));
    assert!(wrong.is_empty(), "{} accepted cases are not valid:\n{}", wrong.len(), wrong.join("\n"));
    assert!(sum(0) > 3_000, "only {} accepted cases", sum(0));
    assert!(sum(2) * 100 >= FEWEST_REFUSED * (sum(2) + sum(3)), "the schemas refuse only {} of {}", sum(2), sum(2) + sum(3));
}

#[test]
fn all_shapes_of_a_file_are_valid() {
    let mut library = TypeSet::default();
    let types = standard_types(&mut library);
    let whole = jsonschema::validator_for(&schema_of_all(&types)).unwrap();
    let user = json!({"type": "User", "title": "bob", "parameters": {"uid": "1001", "ensure": "present"}, "tags": ["x"], "file": "a.pp"});
    for good in [
        json!(null),
        json!([user, {"type": "::group", "title": "staff"}]),
        user,
        json!({"user": {"bob": {"uid": 1001}}, "Group": {"staff": null}}),
        json!({"resources": [{"type": "Class", "title": "Main"}], "edges": []}),
        json!([{"type": "user", "title": "bob", "parameters": {"password": {"__ptype": "Sensitive", "__pvalue": "x"}}}]),
    ] {
        assert!(whole.is_valid(&good), "{good}");
        assert!(accepted(&good, &mut library), "{good}");
    }
    for bad in [
        json!("user"),
        json!([{"type": "user"}]),
        json!([{"type": "uesr", "title": "bob"}]),
        json!([{"type": "user", "title": "bob", "parameter": {}}]),
        json!([{"type": "user", "title": "bob", "parameters": {"uidd": 1}}]),
        json!({"user": {"bob": {"ensure": "instaled"}}}),
        json!({"uesr": {"bob": {}}}),
    ] {
        assert!(!whole.is_valid(&bad), "{bad}");
        assert!(!accepted(&bad, &mut library), "{bad}");
    }
}

/// A type with all features of the language.
#[test]
fn the_schema_of_a_type_with_all_features() {
    let library = rtype::app::input::types_in(vec!["tests/describe/types".into()]);
    let gadget = library.load("gadget").unwrap();
    let mut schema = schema(&[gadget]);
    let properties = schema["$defs"]["gadget"]["properties"].as_object_mut().unwrap();
    // Metaparameters belong to the standard library.
    let metaparams = ["noop", "schedule", "audit", "loglevel", "alias", "tag", "require", "subscribe", "before", "notify", "stage"];
    properties.retain(|name, _| !metaparams.contains(&name.as_str()));
    let text = serde_json::to_string_pretty(&schema).unwrap();
    assert!(!text.contains("hunter2"));
    insta::assert_snapshot!(text);
}
