//! The exit status of each command for wrong usage and for output that cannot be written.

use crate::common::site::Site;
use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Returns the names of the commands that `rtype --help` lists.
fn commands() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_rtype")).arg("--help").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<String> = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect();
    assert!(names.len() > 15, "{text}");
    names
}

#[test]
fn wrong_usage_is_never_taken_for_changes() {
    let status = |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_rtype")).args(arguments).output().unwrap().status.code().unwrap();
    for name in commands() {
        assert_eq!(status(&[&name, "--no-such-option"]), if name == "agent" { 1 } else { 2 }, "{name}");
    }
    for arguments in [
        vec!["apply", "--detailed-exitcodes", "--no-such-option"],
        vec!["--color", "never", "apply", "x.pp", "--no-such-option", "--detailed_exitcodes"],
        vec!["apply", "--detailed-exitcodes"],
        vec!["inspect", "--exit-code", "--no-such-option"],
        vec!["--config", "/no/such/file", "apply", "--detailed-exitcodes", "x.pp"],
        vec!["--config", "/no/such/file", "inspect", "--exit-code", "x.pp"],
    ] {
        assert_eq!(status(&arguments), 1, "{arguments:?}");
    }
}

#[test]
fn help_shows_the_help_of_each_command() {
    let output = |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_rtype")).args(arguments).output().unwrap();
    for name in commands().iter().filter(|name| *name != "help") {
        let (help, option) = (output(&["help", name]), output(&[name, "--help"]));
        assert!(help.status.success(), "{name}");
        assert_eq!(String::from_utf8_lossy(&help.stdout), String::from_utf8_lossy(&option.stdout), "{name}");
    }
}

#[test]
fn output_that_cannot_be_written_is_never_taken_for_changes() {
    let site = Site::new("file { '@/a': content => 'a' }\n");
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    for format in ["text", "json"] {
        let _ = std::fs::remove_file(site.path().join("a"));
        let status = site.command(&["site.pp", "--detailed-exitcodes", "--format", format]).stdout(full()).status().unwrap();
        assert_eq!((status.code(), site.read("a").as_str()), (Some(1), "a"), "{format}");
        assert!(site.path().join("state/state.json").exists(), "the state is stored");
    }
    let _ = std::fs::remove_file(site.path().join("a"));
    let output = site.command(&["site.pp", "--detailed-exitcodes", "--report", "/no/such/directory/report"]).output().unwrap();
    assert_eq!((output.status.code(), site.path().join("a").exists()), (Some(1), false));
    let inspect = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.args(["inspect", "--exit-code", "site.pp"]).args(more).current_dir(site.path()).stdout(full()).status().unwrap().code()
    };
    assert_eq!((inspect(&[]), inspect(&["--format", "json"])), (Some(1), Some(1)));
}

#[test]
fn run_whose_reader_has_ended_keeps_its_status() {
    let site = Site::new("exec { '/bin/false': }\nfile { '@/a': content => 'a' }\n");
    let mut child = site.command(&["site.pp", "--detailed-exitcodes"]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(6));
}

#[test]
fn second_run_waits_for_the_lock_as_long_as_asked() {
    let site = Site::new("exec { '/bin/sleep 2': }\n");
    let mut first = site.command(&["site.pp"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let lock = site.path().join("state/lock");
    while std::fs::read_to_string(&lock).unwrap_or_default().is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    site.write("other.pp", "file { '@/b': ensure => file }\n");
    let output = site.command(&["other.pp", "--wait-for-lock", "60"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && site.path().join("b").exists(), "{text}");
    assert!(
        text.contains(&format!("another run is changing this machine (process {}); waiting for it, at most 60 s", first.id())),
        "{text}"
    );
    first.wait().unwrap();
}

#[test]
fn damaged_state_is_renamed_and_the_run_goes_on() {
    for text in ["", "{", "null"] {
        let site = Site::new("file { '@/a': ensure => file }\n");
        std::fs::create_dir(site.path().join("state")).unwrap();
        site.write("state/state.json", text);
        let (output, status) = site.apply(&["site.pp"]);
        assert_eq!(status, 0, "{output}");
        assert!(output.contains("warning: the state of earlier runs is lost") && output.contains("state.json.damaged"), "{output}");
        assert_eq!((site.read("state/state.json.damaged").as_str(), site.path().join("a").exists()), (text, true));
    }
}

#[test]
fn quiet_run_without_changes_prints_nothing() {
    let site = Site::new("file { '@/a': ensure => file }\n");
    assert_eq!(site.apply(&["site.pp", "--quiet"]).0.lines().count(), 2);
    assert_eq!(site.apply(&["site.pp", "--quiet"]), (String::new(), 0));
    assert_eq!(site.apply(&["site.pp", "--quiet", "--noop"]), (String::new(), 0));
}
