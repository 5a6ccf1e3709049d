//! Values with parts: each wrong part causes a separate finding with the part's path and location, in every format.

use rtype_author::check::{self, Input, Selection};
use rtype_lang::eval::UnknownWorld;
use rtype_provider::NativeProviders;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const TYPE: &str = r#"
type box {
  newparam name { isnamevar }
  newparam ports { type Array[Integer[1, 9], 1, 5] }
  newparam labels { type Hash[Pattern[/\A[a-z]+\z/], String[1]] }
  newparam options { type Struct[{user => String[1], Optional[retry] => Boolean, Optional[inner] => Struct[{a => Integer, Optional[list] => Array[Integer]}]}] }
  newparam pair { type Tuple[Integer, String] }
  newparam either { type Variant[Integer, Array[Integer]] }
  newparam deep { type Hash[String, Array[Hash[String, Integer]]] }
  newparam maybe { type Optional[Array[Enum['a', 'b']]] }
  newproperty each, array_matching: all { type Integer[1, 9] }
  newproperty some, array_matching: all { newvalues a, b, /\A\d+\z/ }
  newproperty first { newvalues a, b }
  newproperty own, array_matching: all { validate { |v| fail("too long") if v.length > 1; fail("no capitals") if v == "X" } }
  newproperty maps, array_matching: all { type Struct[{a => Integer}] }
}
"#;

/// The path of a fault and the marked code as JSON.
type Fault = (&'static str, &'static str);

/// Attributes with a value, and the faults in the value.
fn table() -> Vec<(&'static str, Json, Vec<Fault>)> {
    vec![
        ("ports", json!([1, "x", 3, 44]), vec![("ports[1]", "x"), ("ports[3]", "44")]),
        ("ports", json!([]), vec![("ports", "[]")]),
        ("labels", json!({"ok": "v", "-bad": "v", "empty": ""}), vec![("labels['-bad']", "-bad"), ("labels['empty']", "")]),
        (
            "options",
            json!({"user": "", "retrie": true, "inner": {"a": "x", "list": [1, "y"]}}),
            vec![
                ("options['user']", ""),
                ("options['retrie']", "retrie"),
                ("options['inner']['a']", "x"),
                ("options['inner']['list'][1]", "y"),
            ],
        ),
        ("options", json!({"user": "u", "inner": {"list": [], "b": 1}}), vec![("options['inner']", "{"), ("options['inner']['b']", "b")]),
        ("pair", json!([1]), vec![("pair", "[1]")]),
        ("pair", json!(["x", "y"]), vec![("pair[0]", "x")]),
        ("either", json!([1, "x"]), vec![("either[1]", "x")]),
        ("deep", json!({"a": [{"b": "x"}, {"c": 1}, 5]}), vec![("deep['a'][0]['b']", "x"), ("deep['a'][2]", "5")]),
        ("maybe", json!(["a", "c"]), vec![("maybe[1]", "c")]),
        ("each", json!([1, "q", 12]), vec![("each[1]", "q"), ("each[2]", "12")]),
        ("each", json!([12]), vec![("each[0]", "12")]),
        ("some", json!(["a", "c", "1", "d"]), vec![("some[1]", "c"), ("some[3]", "d")]),
        ("some", json!("c"), vec![("some", "c")]),
        ("first", json!(["c", "a", "d"]), vec![("first[0]", "c"), ("first[2]", "d")]),
        ("own", json!(["xx", "y", "X", "zz"]), vec![("own[0]", "xx"), ("own[2]", "X"), ("own[3]", "zz")]),
        ("maps", json!([{"a": 1}, {"a": "x"}]), vec![("maps[1]['a']", "x")]),
    ]
}

/// Writes a value in Puppet's syntax.
fn puppet(value: &Json) -> String {
    match value {
        Json::Array(values) => format!("[{}]", values.iter().map(puppet).collect::<Vec<_>>().join(", ")),
        Json::Object(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("'{key}' => {}", puppet(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        Json::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

/// Returns a file per format with a single resource.
fn files(attribute: &str, value: &Json) -> Vec<(&'static str, String)> {
    let resource = json!({"type": "box", "title": "a", "parameters": {attribute: value}});
    let catalog = json!({"name": "n", "version": 1, "environment": "production", "resources": [{"type": "Box", "title": "a",
        "tags": [], "exported": false, "parameters": {attribute: value}}], "edges": [], "classes": []});
    vec![
        ("a.pp", format!("box {{ 'a': {attribute} => {} }}\n", puppet(value))),
        ("a.json", json!([resource]).to_string()),
        ("a.yaml", format!("box:\n  a:\n    {attribute}: {value}\n")),
        ("b.yaml", format!("- {resource}\n")),
        ("catalog.json", catalog.to_string()),
    ]
}

#[test]
fn each_wrong_part_is_a_finding_at_its_place_in_every_format() {
    let mut wrong = String::new();
    for (attribute, value, mut faults) in table() {
        faults.sort_unstable();
        for (name, text) in files(attribute, &value) {
            let mut library = rtype::app::input::types_in(Vec::new());
            let types = library.sources.add("box.rtype", TYPE).unwrap();
            let source = library.sources.add(name, text.clone()).unwrap();
            let inputs = [Input::Types(types, None), Input::Resources(source.clone())];
            let providers = NativeProviders::standard();
            let checked = check::run(&inputs, Vec::new(), &mut library, &providers, &UnknownWorld, &Selection::default());
            let found = checked.findings.iter().map(|finding| &finding.diagnostic).filter(|d| d.code.info().id == "RM005");
            let mut found: Vec<(String, String)> = found
                .map(|d| {
                    let path = d.message.split('`').nth(1).unwrap_or_default().to_owned();
                    let marked = library.sources.slice(d.span()).trim_matches(['"', '\'']).to_owned();
                    (path, marked)
                })
                .collect();
            found.sort();
            let is_right = found.len() == faults.len()
                && found.iter().zip(&faults).all(|((path, marked), (wanted, text))| {
                    path == wanted && if *text == "{" { marked.starts_with('{') } else { marked.replace(' ', "") == text.replace(' ', "") }
                });
            if !is_right {
                writeln!(wrong, "{text}\n{found:?}\n{faults:?}").unwrap();
            }
        }
        let types = rtype::Loader::new().text("box.rtype", TYPE).load().unwrap();
        let (name, text) = &files(attribute, &value)[0];
        let problems = types.declare(name, text).unwrap_err();
        let mut paths: Vec<String> = problems.iter().map(|p| p.message.split('`').nth(1).unwrap_or_default().to_owned()).collect();
        let columns: Vec<u32> = problems.iter().filter_map(|p| Some(p.location.as_ref()?.column)).collect();
        paths.sort();
        let wanted: Vec<&str> = faults.iter().map(|(path, _)| *path).collect();
        if paths != wanted || columns.len() != faults.len() {
            writeln!(wrong, "embedded: {text}\n{paths:?} {columns:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the code and message of each finding in a file of resources.
fn findings(name: &str, text: &str) -> Vec<String> {
    let mut library = rtype::app::input::types_in(Vec::new());
    let types = library.sources.add("box.rtype", TYPE).unwrap();
    let source = library.sources.add(name, text).unwrap();
    let inputs = [Input::Types(types, None), Input::Resources(source)];
    let checked = check::run(&inputs, Vec::new(), &mut library, &NativeProviders::standard(), &UnknownWorld, &Selection::default());
    checked.findings.iter().map(|f| format!("{}: {}", f.diagnostic.code, f.diagnostic.message)).collect()
}

#[test]
fn duplicate_keys_are_reported_in_every_format_and_hide_no_finding() {
    // Each file has a duplicate key and a wrong port.
    let texts = [
        ("k", "a.pp", "box { 'a': labels => { k => 'x', k => 'y' }, ports => [10] }\n"),
        ("k", "a.json", "[{\"type\":\"box\",\"title\":\"a\",\"parameters\":{\"labels\":{\"k\":\"x\",\"k\":\"y\"},\"ports\":[10]}}]"),
        ("k", "a.yaml", "box:\n  a:\n    labels: { k: x, k: y }\n    ports: [10]\n"),
        ("k", "b.yaml", "box:\n  a:\n    labels:\n      k: x\n      k: y\n    ports: [10]\n"),
        ("box", "c.yaml", "box:\n  a: { each: [1] }\nbox:\n  b: { ports: [10] }\n"),
        ("box", "c.json", "{\"box\":{\"a\":{\"each\":[1]}},\"box\":{\"b\":{\"ports\":[10]}}}"),
        ("type", "d.yaml", "- type: box\n  title: a\n  type: box\n  parameters: { ports: [10] }\n"),
        ("title", "d.json", "[{\"type\":\"box\",\"title\":\"b\",\"title\":\"a\",\"parameters\":{\"ports\":[10]}}]"),
    ];
    for (key, name, text) in texts {
        let found = findings(name, text);
        let duplicates = found.iter().filter(|f| f.starts_with(&format!("RM011: duplicate key `{key}`"))).count();
        let others = found.iter().filter(|f| f.contains("`ports[0]`")).count();
        assert!((duplicates, others, found.len()) == (1, 1, 2), "{name}: {found:?}");
    }
}

#[test]
fn repeated_attributes_and_titles_hide_no_finding() {
    for (code, text) in
        [("RM011", "box:\n  a:\n    ports: [1]\n    ports: [2]\n    each: [10]\n"), ("RM003", "box:\n  a: {}\n  a: { each: [10] }\n")]
    {
        let found = findings("a.yaml", text);
        let is_found = |part: &str| found.iter().any(|f| f.contains(part));
        assert!(is_found(code) && is_found("`each[0]`"), "{text}: {found:?}");
    }
}
