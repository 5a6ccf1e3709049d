//! Secrets are never printed. A marker is planted in every attribute of every standard type, and the test searches all output of the
//! program for the marker.

use assert_cmd::Command;
use rtype_lang::library::TypeSet;
use rtype_lang::types::{Role, TypeDef};
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

/// The marker, which appears nowhere else. Output may not contain eight consecutive letters of the marker.
const MARKER: &str = "qzxwvkjyUnseenMarker";

fn types() -> &'static [Arc<TypeDef>] {
    static TYPES: LazyLock<Vec<Arc<TypeDef>>> = LazyLock::new(|| {
        let library = TypeSet::default();
        library.names().iter().filter_map(|name| library.load(name)).collect()
    });
    &TYPES
}

/// Returns the attributes of a type that may hold a secret, and whether they are declared sensitive.
fn attributes(type_def: &TypeDef) -> impl Iterator<Item = (&str, bool)> {
    let own = type_def.attributes.iter().filter(|a| !matches!(a.name.as_str(), "provider" | "noop" | "loglevel"));
    own.map(|a| (a.name.as_str(), a.sensitive))
}

/// Runs the program in a directory. Fails if the output contains a part of the marker.
fn run(directory: &Path, arguments: &[&str], input: &str) -> String {
    let output = Command::cargo_bin("rtype").unwrap().args(arguments).current_dir(directory).write_stdin(input).output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains("panicked"), "{text}");
    assert!(output.status.code().is_some_and(|c| c < 3), "{:?}", output.status);
    let printed: Vec<&str> = text.lines().filter(|line| PARTS.is_match(line)).take(10).collect();
    assert!(printed.is_empty(), "rtype {}\n{}", arguments.join(" "), printed.join("\n"));
    text
}

/// Finds all parts of the marker with eight consecutive letters.
static PARTS: LazyLock<regex::Regex> = LazyLock::new(|| {
    let parts: Vec<&str> = (0..=MARKER.len() - 8).map(|at| &MARKER[at..at + 8]).collect();
    regex::Regex::new(&format!("(?i){}", parts.join("|"))).unwrap()
});

/// Ways to write a value with the marker.
const SHAPES: &[&str] = &["'MARKER'", "'/MARKER'", "['a', 'MARKER']", "{'k' => 'MARKER'}", "'k=MARKER'", "\"MARKER\\n \""];

/// Returns a resource for each attribute of each type, with the secret between reported lines.
fn manifest(shape: &str, wrapped: bool, around: &str) -> String {
    let mut out = String::new();
    for type_def in types() {
        for (i, (attribute, sensitive)) in attributes(type_def).enumerate() {
            if !wrapped && !sensitive {
                continue;
            }
            let value = shape.replace("MARKER", MARKER);
            let value = if wrapped { format!("Sensitive({value})") } else { value };
            for title in [format!("r{i}"), format!("/r{i}")] {
                let _ = writeln!(out, "{} {{ '{title}{}':", type_def.name, around.len());
                let _ = writeln!(out, "  {around}\n  {attribute} => {value},\n}}");
            }
        }
    }
    out
}

/// Runs a command with each shape of the secret. Returns all output.
fn run_with_each_shape(arguments: &[&str]) -> String {
    let directory = TempDir::new().unwrap();
    let mut shown = String::new();
    for (i, shape) in SHAPES.iter().enumerate() {
        let mut text = manifest(shape, true, "") + &manifest(shape, false, "");
        if i < 2 {
            text += &manifest(shape, true, "nonsense => 1,");
            text += &manifest(shape, false, "nonsense => 1,");
        }
        std::fs::write(directory.path().join("site.pp"), &text).unwrap();
        shown += &run(directory.path(), arguments, &text);
    }
    shown
}

#[test]
fn check_prints_no_secret_of_resources() {
    assert!(run_with_each_shape(&["check", "-v", "site.pp"]).contains("site.pp"));
}

#[test]
fn inspect_prints_no_secret_of_resources() {
    assert!(run_with_each_shape(&["inspect", "-v", "site.pp"]).contains("[redacted]"));
}

#[test]
fn inspect_prints_no_secret_of_resources_as_json() {
    assert!(run_with_each_shape(&["inspect", "--format", "json", "-"]).contains("[redacted]"));
}

#[test]
fn inspect_prints_no_secret_of_resources_in_color() {
    assert!(run_with_each_shape(&["--color", "always", "inspect", "--strict", "site.pp"]).contains("[redacted]"));
}

#[test]
fn sessions_print_no_secret_of_resources() {
    let directory = TempDir::new().unwrap();
    let mut input = String::new();
    for resource in (manifest(SHAPES[0], true, "") + &manifest(SHAPES[1], false, "")).split_inclusive("}\n") {
        let _ = writeln!(input, "{resource}:trace\n:json\n:is {{ ensure: \"present\" }}\n:resources\n:clear");
    }
    let shown = run(directory.path(), &["-v", "repl"], &input);
    assert!(shown.contains("[redacted]"));
}

#[test]
fn secrets_of_data_are_not_printed() {
    let directory = TempDir::new().unwrap();
    let (mut list, mut catalog, mut yaml) = (Vec::new(), Vec::new(), String::new());
    for type_def in types() {
        for (i, (attribute, sensitive)) in attributes(type_def).enumerate() {
            let title = format!("/r{i}");
            let resource = |more: serde_json::Value| {
                let mut all = serde_json::json!({"type": type_def.name.as_str(), "title": title, "parameters": {(attribute): MARKER}});
                all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                all
            };
            if sensitive {
                list.push(resource(serde_json::json!({})));
                let _ = writeln!(yaml, "{}:\n  {title}:\n    nonsense: 1\n    {attribute}: {MARKER}\n    more: 1", type_def.name);
            }
            catalog.push(resource(serde_json::json!({"sensitive_parameters": [attribute]})));
        }
    }
    let catalog = serde_json::json!({"name": "node", "resources": catalog, "edges": []});
    std::fs::write(directory.path().join("list.json"), serde_json::to_string_pretty(&list).unwrap()).unwrap();
    std::fs::write(directory.path().join("catalog.json"), serde_json::to_string_pretty(&catalog).unwrap()).unwrap();
    std::fs::write(directory.path().join("line.json"), catalog.to_string()).unwrap();
    std::fs::write(directory.path().join("site.yaml"), yaml).unwrap();
    for file in ["list.json", "catalog.json", "line.json", "site.yaml"] {
        run(directory.path(), &["check", "-v", file], "");
        run(directory.path(), &["inspect", file], "");
        run(directory.path(), &["inspect", "--format", "json", file], "");
    }
}

/// Returns tests of types with the marker on both sides, between reported lines.
fn tests_of(type_def: &TypeDef, wrapped: bool) -> String {
    let mut out = String::new();
    let property = |name: &str| type_def.attribute_named(name).is_some_and(|a| a.role == Role::Property);
    for (attribute, sensitive) in attributes(type_def).filter(|(_, sensitive)| wrapped || *sensitive) {
        let given = if wrapped { format!("Sensitive('{MARKER}')") } else { format!("'{MARKER}'") };
        let is = if property(attribute) && sensitive { format!("  is {{ {attribute}: \"{MARKER}is\" }}\n") } else { String::new() };
        for (i, wrong) in ["", "  expect self.nonsense\n", "  expect plan == [:nonsense]\n"].iter().enumerate() {
            let _ = write!(
                out,
                "test \"{i} {attribute}\" {{\n{is}  {} {{ '/t':\n    {attribute} => {given},\n  }}\n{wrong}  expect self.{attribute} == \"{MARKER}\"\n{wrong}  expect self.{attribute} == \"no{MARKER}\"\n  expect [self.{attribute}, \"{MARKER}\"].first == 1\n}}\n",
                type_def.name
            );
            if property(attribute) {
                let _ = write!(
                    out,
                    "test \"{i} change of {attribute}\" {{\n{is}  {} {{ '/t': {attribute} => {given} }}\n{wrong}  expect change(:{attribute}) == \"changed {MARKER}\"\n  expect insync(:{attribute})\n}}\n",
                    type_def.name
                );
            }
        }
        let _ = write!(
            out,
            "test \"refused {attribute}\" {{\n  {} {{ '/t': {attribute} => {given}, nonsense => 1 }}\n  rejects {attribute}, \"other\"\n}}\n",
            type_def.name
        );
    }
    out
}

#[test]
fn tests_print_no_secret() {
    for wrapped in [true, false] {
        let directory = TempDir::new().unwrap();
        for type_def in types() {
            let text = tests_of(type_def, wrapped);
            // Tests without errors are run. The other tests are reported.
            let (wrong, right): (Vec<&str>, Vec<&str>) = text.split_inclusive("\n}\n").partition(|t| t.contains("self.nonsense"));
            std::fs::write(directory.path().join(format!("{}_right.rtype", type_def.name)), right.concat()).unwrap();
            std::fs::write(directory.path().join(format!("{}_wrong.rtype", type_def.name)), wrong.concat()).unwrap();
        }
        run(directory.path(), &["check", "-v", "."], "");
        let shown = run(directory.path(), &["test", "."], "");
        assert!(shown.contains("RT502"), "{shown}");
        run(directory.path(), &["test", "--format", "json", "."], "");
        run(directory.path(), &["test", "--filter", "change of", "."], "");
    }
}

/// Listing the resources of a machine shows no secret.
#[test]
fn resources_of_a_machine_are_listed_without_secrets() {
    use rtype_engine::instances;
    use rtype_model::manifest::{to_json, to_puppet, to_yaml};
    use rtype_provider::{Machine, NativeProviders, System};
    let root = TempDir::new().unwrap();
    let copied = std::process::Command::new("cp").args(["-r", "tests/fixtures/roots/debian/."]).arg(root.path()).status().unwrap();
    assert!(copied.success());
    let programs = root.path().join("usr/bin");
    std::fs::create_dir_all(&programs).unwrap();
    for name in ["useradd", "userdel", "usermod", "chage", "chpasswd"] {
        std::os::unix::fs::symlink("/bin/true", programs.join(name)).unwrap();
    }
    let etc = root.path().join("etc");
    std::fs::write(etc.join("passwd"), "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n").unwrap();
    std::fs::write(etc.join("shadow"), format!("root:*:1::::::\nann:$6${MARKER}:1::::::\n")).unwrap();
    let library = TypeSet::default();
    let type_def = library.load("user").unwrap();
    let machine = Machine::new(System::at(root.path().to_str().unwrap()));
    let listed = instances(&type_def, &NativeProviders::standard(), &machine);
    let text = to_puppet(&listed.resources) + &to_json(&listed.resources).to_string() + &to_yaml(&listed.resources);
    assert!(text.contains("ann"), "{text} {:?}", listed.diagnostics.iter().map(|d| &d.message).collect::<Vec<_>>());
    assert!(!PARTS.is_match(&text), "{text}");
}
