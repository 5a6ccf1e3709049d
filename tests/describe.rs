//! `rtype describe`, as a user sees it.

use assert_cmd::Command;

/// Returns the output and the exit status of a run, with diagnostics after the result.
fn run(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("rtype").unwrap().args(["--types", "tests/describe/types"]).args(arguments).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let err = if err.is_empty() { err } else { format!("--- stderr\n{err}") };
    format!("{out}{err}--- exit {}", output.status.code().unwrap())
}

#[test]
fn a_type_is_described() {
    for (name, arguments) in [
        ("text", &["describe", "gadget", "plain"] as &[&str]),
        ("short", &["describe", "--short", "gadget"]),
        ("providers", &["describe", "--providers", "gadget"]),
        ("short_providers", &["describe", "-s", "-p", "gadget", "plain"]),
        ("meta", &["describe", "--meta", "plain"]),
    ] {
        insta::assert_snapshot!(name, run(arguments));
    }
}

#[test]
fn a_type_is_described_as_json() {
    let text = run(&["describe", "gadget", "--format", "json"]);
    let json = text.strip_suffix("--- exit 0").unwrap();
    let mut doc: serde_json::Value = serde_json::from_str(json).unwrap();
    let gadget = &mut doc["types"][0];
    assert!(!json.contains("hunter2"));
    // The path of `sh` differs between machines, and metaparameters belong to the standard library.
    assert!(gadget["providers"][0]["commands"][0]["path"].as_str().unwrap().ends_with("/sh"));
    gadget["providers"][0]["commands"][0]["path"] = "PATH".into();
    gadget["attributes"].as_array_mut().unwrap().retain(|a| a["role"] != "metaparam");
    insta::assert_snapshot!("json", serde_json::to_string_pretty(&doc).unwrap());
}

#[test]
fn all_types_are_listed() {
    let text = run(&["describe", "--list"]);
    assert_eq!(text, run(&["describe"]));
    // The width of the first column depends on the standard library.
    let columns = text.lines().filter_map(|l| l.split_once(' ')).map(|(name, summary)| (name, summary.trim_start()));
    let own: Vec<_> = columns.filter(|(name, _)| ["gadget", "plain"].contains(name)).collect();
    assert_eq!(own, [("gadget", "A thing with one of everything."), ("plain", "As little as a type may have")]);
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(run(&["describe", "--list", "--format", "json"]).strip_suffix("--- exit 0").unwrap()).unwrap();
    let rows = json["types"].as_array().unwrap();
    assert_eq!(rows.len(), text.lines().count() - 1);
    assert!(rows.iter().any(|r| r["name"] == "plain" && r["summary"] == "As little as a type may have"));
}

#[test]
fn unknown_types_are_explained() {
    insta::assert_snapshot!("unknown", run(&["describe", "gadgte", "plain", "--short"]));
    insta::assert_snapshot!("list_of_one", run(&["describe", "--list", "plain"]));
}

#[test]
fn the_language_is_described() {
    insta::assert_snapshot!("language", run(&["describe", "--language", "newproperty"]));
    insta::assert_snapshot!("language_place", run(&["describe", "--language", "regexes"]));
    insta::assert_snapshot!("language_unknown", run(&["describe", "--language", "newpropperty"]));
    insta::assert_snapshot!("language_json", run(&["describe", "--language", "swap", "--format", "json"]));
    let all = run(&["describe", "--language"]);
    assert!(all.ends_with("--- exit 0") && all.lines().all(|l| l.chars().count() <= 80), "{all}");
    assert!(run(&["describe", "--language", "x", "--list"]).ends_with("--- exit 2"));
}

#[test]
fn describing_one_type_loads_no_other() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("broken.rtype"), "type {").unwrap();
    std::fs::write(dir.path().join("fine.rtype"), "type fine { newparam name { isnamevar } }").unwrap();
    let types = dir.path().to_str().unwrap();
    let run = |argument: &str| Command::cargo_bin("rtype").unwrap().args(["--types", types, "describe", argument]).output().unwrap();
    let fine = run("fine");
    assert_eq!((fine.status.code(), fine.stderr.len()), (Some(0), 0));
    let broken = run("broken");
    assert_eq!(broken.status.code(), Some(1));
    assert!(!String::from_utf8(broken.stderr).unwrap().contains("RM001"));
    let list = run("--list");
    assert_eq!(list.status.code(), Some(1));
    assert!(String::from_utf8(list.stdout).unwrap().contains("\nfine"));
}

#[test]
fn help_ends_with_examples() {
    for verb in ["check", "describe", "doc", "inspect", "repl", "resource", "schema", "completions"] {
        let text = run(&[verb, "--help"]);
        assert!(text.contains("Examples:\n  rtype "), "{verb}: {text}");
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{verb}: {text}");
    }
    // The options of all commands are tested elsewhere.
    let text = run(&["repl", "--help"]);
    insta::assert_snapshot!("help", text.split_once("Declare a resource").unwrap().1);
}
