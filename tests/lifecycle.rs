//! `rtype provider test TYPE`: random resources on a simulated machine.

use serde_json::Value as Json;
use std::process::{Command, Output};

fn test(arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_rtype")).args(arguments).env("NO_COLOR", "1").output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

const FIXTURES: &str = "tests/fixtures/lifecycle";

#[test]
fn new_types_pass() {
    for implementation in ["records", "keyed"] {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().to_str().unwrap();
        let (status, text) = test(&["new", "type", "door", "-i", implementation, "-o", directory]);
        assert_eq!(status, 0, "{text}");
        let (status, text) = test(&["--types", directory, "provider", "test", "door", "--cases", "50"]);
        assert!(status == 0 && text.contains(", 0 failed"), "{implementation}: {text}");
    }
}

#[test]
fn values_that_a_file_cannot_hold_are_refused() {
    // Sysctl's values cannot begin with blanks, and names of aliases contain no colons. Puppet's types accept both.
    for name in ["sysctl", "mailalias"] {
        let (status, text) = test(&["provider", "test", name, "--cases", "100"]);
        assert!(status == 0 && text.contains(", 0 failed, ") && text.contains(" refused by the provider"), "{text}");
    }
}

#[test]
fn failures_shrink_to_a_reproducer() {
    let (status, text) = test(&["--types", FIXTURES, "provider", "test", "door", "--format", "json"]);
    assert_eq!(status, 1, "{text}");
    let json: Json = serde_json::from_str(&text).unwrap();
    let failure = &json["failure"];
    let steps = failure["steps"].as_array().unwrap();
    // The smallest reproducer is a resource with a single property of a few characters.
    let last = steps.last().unwrap()["declarations"].as_str().unwrap();
    assert!(last.len() < 100 && last.lines().count() == 1, "{text}");
    // The test in the report also fails in the file of the type, for the same reason.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("door.rtype");
    let types = std::fs::read_to_string(format!("{FIXTURES}/door.rtype")).unwrap();
    std::fs::write(&path, format!("{types}\n{}", failure["test"].as_str().unwrap())).unwrap();
    let (status, tested) = test(&["test", path.to_str().unwrap()]);
    assert!(status == 1 && tested.contains("RT502"), "{tested}");
}

#[test]
fn a_seed_gives_the_same_resources() {
    let run = |seed: &str| test(&["--types", FIXTURES, "provider", "test", "door/lines", "--seed", seed]);
    assert_eq!(run("3"), run("3"));
    assert!(run("3").1.contains("of seed 3"), "{}", run("3").1);
}

/// Programs that replace a provider's commands.
const COMMANDS: &str = "tests/fixtures/lifecycle/commands";

#[test]
fn commands_are_tested_with_programs_that_stand_in_for_them() {
    let hatch = |provider: &str| {
        let name = format!("hatch/{provider}");
        test(&["--types", FIXTURES, "provider", "test", &name, "--commands", COMMANDS, "--cases", "10"])
    };
    let (status, text) = hatch("commands");
    assert!(status == 0 && text.contains("10 of 10 resources created, changed and removed, 0 failed"), "{text}");
    // The state of the programs is removed together with the simulated machine.
    assert_eq!(std::fs::read_dir(COMMANDS).unwrap().count(), 1);
    for (provider, step, message) in [
        ("misspelt", ": change: ", "unknown command piant"),
        ("forgetful", ": remove: ", "it was set to 'absent', but reads 'present' now"),
    ] {
        let (status, text) = hatch(provider);
        assert!(status == 1 && text.contains(step) && text.contains(message), "{text}");
        // A test without the programs would not show the failure.
        assert!(!text.contains("# as a test"), "{text}");
    }
}

#[test]
fn commands_never_run_on_this_machine() {
    let (status, text) = test(&["--types", FIXTURES, "provider", "test", "hatch/commands"]);
    assert!(status == 2 && text.contains("the commands of `hatch/commands` would run on this machine"), "{text}");
    let (status, text) = test(&["--types", FIXTURES, "provider", "test", "hatch/commands", "--commands", "tests/nothing"]);
    assert!(status == 2 && text.contains("cannot read `tests/nothing`"), "{text}");
}

#[test]
fn other_providers_are_refused() {
    for name in ["door/program", "door/nothing", "user"] {
        let (status, text) = test(&["--types", FIXTURES, "provider", "test", name]);
        assert!(status == 2 && text.contains(&format!("`{name}` is not a declared provider")), "{text}");
    }
}
