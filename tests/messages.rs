//! Block messages (`notice("…")`, `warning("…")` and the like). Each command shows a message once per resource, with the name of the
//! resource.

use crate::common::site::Site;
use std::io::Write;
use std::process::{Command, Stdio};

const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "deprecated", "err"];

/// The kinds of blocks, and whether the block runs only after the machine has been read.
const BLOCKS: &[(&str, bool)] = &[
    ("value-validate", false),
    ("value-munge", false),
    ("default", false),
    ("type-validate", false),
    ("finalize", false),
    ("generate", false),
    ("pre-run", false),
    ("insync", true),
    ("autorequire", false),
];

/// Returns calls that log a message of each level.
fn calls(block: &str) -> String {
    LEVELS.iter().map(|level| format!("{level}(\"{block} {level}.\"); ")).collect()
}

fn site() -> Site {
    let site = Site::new("parcel { 'first': size => '3' }\nparcel { 'second': size => '3' }\n");
    let text = format!(
        "type parcel {{\n  newparam name {{ isnamevar }}\n  newproperty size {{\n    validate {{ |v| {} }}\n    munge {{ |v| {} v }}\n    \
         insync {{ |is| {} is == should }}\n  }}\n  newparam extra {{ defaultto {{ {} \"x\" }} }}\n  validate {{ {} }}\n  finalize {{ {} }}\n  \
         generate {{ {} [] }}\n  pre_run_check {{ {} }}\n  autorequire file {{ {} [] }}\n}}\n",
        calls("value-validate"),
        calls("value-munge"),
        calls("insync"),
        calls("default"),
        calls("type-validate"),
        calls("finalize"),
        calls("generate"),
        calls("pre-run"),
        calls("autorequire"),
    );
    site.write("types/parcel.rtype", &text);
    site
}

/// Runs rtype; returns standard output, then standard error.
fn run(site: &Site, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
    command.current_dir(site.path()).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Returns the difference from the expected output of a command. The command shows messages from the level `from` on. Blocks that run after
/// the machine has been read only log if `reads` is set.
fn wrong(command: &str, output: &str, from: &str, reads: bool) -> Vec<String> {
    let first = LEVELS.iter().position(|level| *level == from).unwrap();
    let mut wrong = Vec::new();
    for (block, late) in BLOCKS {
        for (at, level) in LEVELS.iter().enumerate() {
            let wanted = usize::from(at >= first && (reads || !late));
            for title in ["first", "second"] {
                let message = format!("{block} {level}.");
                let is_message = |line: &&str| line.to_lowercase().contains(&format!("parcel[{title}]")) && line.contains(&message);
                let shown = output.lines().filter(is_message).count();
                if shown != wanted {
                    wrong.push(format!("{command}: {title}: `{message}` is shown {shown} times, not {wanted}"));
                }
            }
        }
    }
    wrong
}

#[test]
fn every_command_shows_the_messages_of_every_block_once() {
    let site = site();
    let apply = ["apply", "--simulate", "--types", "types", "site.pp"];
    let with = |more: &[&'static str]| [apply.as_slice(), more].concat();
    let table: &[(&str, Vec<&str>, &str, bool)] = &[
        ("check", vec!["check", "--types", "types", "site.pp"], "notice", false),
        ("check in JSON", vec!["check", "--types", "types", "--format", "jsonl", "site.pp"], "notice", false),
        ("inspect", vec!["inspect", "--verbose", "--simulate", "--types", "types", "site.pp"], "notice", true),
        ("apply", with(&[]), "notice", true),
        ("apply --verbose", with(&["--verbose"]), "debug", true),
        ("apply --noop", with(&["--noop"]), "notice", true),
        ("apply in JSON", with(&["--format", "json"]), "debug", true),
    ];
    let mut found = Vec::new();
    for (name, arguments, from, reads) in table {
        let output = run(&site, arguments, "");
        let more = wrong(name, &output, from, *reads);
        if !more.is_empty() {
            found.push(format!("{}\n{output}", more.join("\n")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_prompt_shows_messages_when_a_resource_is_declared() {
    let site = site();
    let output = run(&site, &["repl", "--types", "types"], "parcel { 'first': size => '3' }\nparcel { 'second': size => '3' }\n");
    let table = wrong("repl", &output, "notice", false);
    let early: Vec<_> =
        table.iter().filter(|line| !line.contains("insync") && !line.contains("autorequire") && !line.contains("pre-run")).collect();
    assert!(early.is_empty(), "{early:#?}\n{output}");
}

#[test]
fn a_message_does_not_make_a_run_fail() {
    let site = site();
    let (output, status) = site.apply(&["--simulate", "--types", "types", "site.pp"]);
    assert_eq!(status, 0, "{output}");
}

#[test]
fn inspect_and_the_prompt_show_notices_without_an_option() {
    let site = site();
    let output = run(&site, &["inspect", "--simulate", "--types", "types", "site.pp"], "");
    let found = wrong("inspect", &output, "notice", true);
    assert!(found.is_empty(), "{found:#?}\n{output}");
    let output = run(&site, &["repl", "--types", "types"], "parcel { 'first': size => '3' }\nparcel { 'second': size => '3' }\n");
    assert_eq!(output.lines().filter(|line| line.contains("type-validate notice.")).count(), 2, "{output}");
}

#[test]
fn the_prompt_shows_new_messages_of_resources_declared_earlier() {
    let site = Site::new("");
    site.write(
        "types/parcel.rtype",
        "type parcel {\n  newparam name { isnamevar }\n  newproperty size\n  \
         generate { warning(\"#{catalog.resources(:parcel).length} parcels\"); [] }\n}\n",
    );
    let input = "parcel { 'first': size => '3' }\nparcel { 'second': size => '3' }\n1 + 1\nparcel { 'second': size => '4' }\n";
    let output = run(&site, &["repl", "--types", "types"], input);
    let count = |title: &str, message: &str| {
        let is_message = |line: &&str| line.to_lowercase().contains(&format!("parcel[{title}]")) && line.contains(message);
        output.lines().filter(is_message).count()
    };
    assert_eq!((count("first", "1 parcels"), count("first", "2 parcels")), (1, 1), "{output}");
    // The second declaration of a resource counts as new.
    assert_eq!(count("second", "2 parcels"), 2, "{output}");
}

#[test]
fn every_command_shows_the_messages_of_a_providers_conditions_once() {
    let site = Site::new("parcel { 'first': size => '3' }\nparcel { 'second': size => '3' }\n");
    site.write(
        "types/parcel.rtype",
        "type parcel {\n  newparam name { isnamevar }\n  newproperty size\n}\n\
         provider post, for: parcel { confine { warning(\"the post is slow\"); true } }\n",
    );
    for arguments in [
        ["inspect", "--simulate", "--types", "types", "site.pp"].as_slice(),
        &["apply", "--simulate", "--types", "types", "site.pp"],
        &["apply", "--simulate", "--noop", "--types", "types", "site.pp"],
    ] {
        let output = run(&site, arguments, "");
        assert_eq!(output.matches("provider `post`: the post is slow").count(), 1, "{arguments:?}\n{output}");
    }
}

#[test]
fn a_program_that_embeds_rtype_gets_the_messages_of_every_block_once() {
    let text = std::fs::read_to_string(site().path().join("types/parcel.rtype")).unwrap();
    let types = rtype::Loader::new().text("parcel.rtype", &text).load().unwrap();
    let resources = types.declare("site.pp", "parcel { 'first': size => '3' }\nparcel { 'second': size => '3' }\n").unwrap();
    let state = tempfile::tempdir().unwrap();
    let host = rtype::Host::local().simulated().state_directory(state.path()).unwrap();
    let all = |found: Vec<(String, rtype::provider::LogLevel, String)>, reads: bool, command: &str| {
        let lines: String = found.iter().map(|(reference, _, text)| format!("{reference}: {text}\n")).collect();
        wrong(command, &lines, "debug", reads)
    };
    let compared = host.compare(&resources).unwrap();
    let of_compared = compared.iter().flat_map(|one| one.messages.iter().map(|m| (one.reference.clone(), m.level, m.text.clone())));
    let mut found = all(of_compared.collect(), true, "compare");
    let logged = |step: &rtype::Step| match step.status {
        rtype::StepStatus::Logged(level) => Some((step.reference.clone(), level, step.message.clone())),
        _ => None,
    };
    found.extend(all(host.plan(&resources).unwrap().iter().filter_map(logged).collect(), true, "plan"));
    let mut steps = Vec::new();
    host.apply(&resources, &mut |step| steps.extend(logged(step))).unwrap();
    found.extend(all(steps, true, "apply"));
    assert!(found.is_empty(), "{found:#?}");
}

/// Returns the recorded outputs: snapshots, and the pages with output.
fn recorded() -> Vec<(std::path::PathBuf, String)> {
    let mut found = Vec::new();
    let mut directories = vec![std::path::PathBuf::from("tests"), std::path::PathBuf::from("docs")];
    while let Some(directory) = directories.pop() {
        for path in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            let is_output = path.extension().is_some_and(|e| ["snap", "md", "txt"].iter().any(|known| e == *known));
            if path.is_dir() && !path.ends_with("node_modules") {
                directories.push(path);
            } else if is_output && let Ok(text) = std::fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }
    found
}

#[test]
fn recorded_messages_repeat_no_name_and_have_no_words_of_rust() {
    let name = regex::Regex::new(r"[A-Z][\w:]*\[[^\]]*\]: ").unwrap();
    let rust = r"expected struct |expected [ui](8|16|32|64|size)\b|invalid type: |invalid length \d|Os \{ code|Parse(Int|Float)Error|Utf8Error|missing field `|unknown variant `|called `(Option|Result)::";
    let rust = regex::Regex::new(rust).unwrap();
    let recorded = recorded();
    assert!(recorded.len() > 500, "{}", recorded.len());
    let lines = recorded.iter().flat_map(|(path, text)| text.lines().map(move |line| (path, line)));
    let is_wrong = |line: &str| rust.is_match(line) || name.find_iter(line).any(|m| line[m.end()..].starts_with(m.as_str()));
    let wrong: Vec<String> = lines.filter(|(_, line)| is_wrong(line)).map(|(path, line)| format!("{}: {line}", path.display())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
