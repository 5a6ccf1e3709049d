//! Bad input of all kinds ends with a clear message and an exit status, never with a panic, a hang or a stack overflow.

use assert_cmd::Command;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn rtype(arguments: &[&str], directory: &Path) -> Output {
    let mut command = Command::cargo_bin("rtype").unwrap();
    command.args(arguments).current_dir(directory).timeout(Duration::from_secs(60)).output().unwrap()
}

struct Case {
    directory: TempDir,
}

impl Case {
    fn new(name: &str, bytes: &[u8]) -> Case {
        let directory = TempDir::new().unwrap();
        std::fs::write(directory.path().join(name), bytes).unwrap();
        Case { directory }
    }

    /// Returns the exit status and all output of `check` and `inspect`.
    #[track_caller]
    fn check(&self, name: &str) -> (i32, String) {
        let output = rtype(&["check", name], self.directory.path());
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!text.contains("panicked"), "{text}");
        (output.status.code().expect("ended by a signal"), text)
    }
}

#[track_caller]
fn fails(name: &str, bytes: &[u8], expected: &str) {
    let (code, text) = Case::new(name, bytes).check(name);
    assert!(text.contains(expected), "{text}");
    assert_eq!(code, 1, "{text}");
}

#[test]
fn an_empty_file_is_clean() {
    for name in ["x.rtype", "x.pp"] {
        assert_eq!(Case::new(name, b"").check(name).0, 0);
        assert_eq!(Case::new(name, b"\n\n# only a comment\n").check(name).0, 0);
    }
}

#[test]
fn program_descriptions_are_skipped_in_directories() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["lamp.py", "lamp.py.json", "site.json"] {
        std::fs::write(directory.path().join(name), "{}").unwrap();
    }
    let found =
        rtype::app::input::collect(&[directory.path().to_str().unwrap().to_owned()], &["json"], &rtype::app::input::FileAccess::Any);
    assert_eq!(found.files.iter().filter_map(|f| f.file_name()).collect::<Vec<_>>(), ["site.json"]);
}

#[test]
fn binary_files_are_rejected() {
    fails("x.rtype", b"\x7fELF\x02\x01\0\0\0\0", "RT403");
    fails("x.pp", b"user\0{", "RT403");
}

#[test]
fn invalid_utf8_is_reported_with_its_position() {
    fails("x.rtype", b"type t {\n  newparam name\n  desc \"\xff\"\n}\n", "RT402");
}

#[test]
fn ten_megabytes_of_braces_are_one_error() {
    let begun = std::time::Instant::now();
    for name in ["x.rtype", "x.pp"] {
        let (code, text) = Case::new(name, &vec![b'{'; 10_000_000]).check(name);
        assert_eq!(code, 1);
        assert!(text.len() < 2_000, "{}", text.len());
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn deep_nesting_is_rejected() {
    let nested = |open: &str, close: &str| {
        format!("type t {{\n  newparam name {{ munge {{ |v| {}1{} }} }}\n}}\n", open.repeat(100_000), close.repeat(100_000))
    };
    for (open, close) in [("[", "]"), ("(", ")"), ("{", "}"), ("f(", ")")] {
        fails("x.rtype", nested(open, close).as_bytes(), "RT220");
    }
    for chain in ["!", "-", "1 + ", "a ? b : ", "v.x."] {
        let (code, text) = Case::new("x.rtype", nested(chain, "").as_bytes()).check("x.rtype");
        assert_eq!(code, 1, "{chain}: {text}");
    }
    fails("x.json", format!("[{}]", "[".repeat(100_000)).as_bytes(), "RT");
    fails("x.pp", format!("user {{ 'a': x => {}1{} }}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes(), "RT220");
}

#[test]
fn carriage_returns_tabs_and_a_byte_order_mark_are_accepted() {
    let text = "type t {\r\n\tnewparam name\r\n\tnewproperty color {\r\n\t\tnewvalues red\r\n\t}\r\n}\r\n";
    assert_eq!(Case::new("t.rtype", text.as_bytes()).check("t.rtype").0, 0);
    assert_eq!(Case::new("t.rtype", format!("\u{feff}{text}").as_bytes()).check("t.rtype").0, 0);
    assert_eq!(Case::new("x.pp", b"\xef\xbb\xbfhost { 'a':\r\n\tip => '192.0.2.1',\r\n}\r\n").check("x.pp").0, 0);
}

#[test]
fn an_emoji_in_a_name_is_underlined() {
    fails("t.rtype", "type t {\n  newparam na🎉me\n}\n".as_bytes(), "🎉");
}

#[test]
fn paths_that_are_not_files_are_reported() {
    let case = Case::new("x.rtype", b"");
    std::fs::create_dir(case.directory.path().join("directory")).unwrap();
    let (code, text) = case.check("y.rtype");
    assert_eq!(code, 1);
    assert!(text.contains("RT401") && text.contains("x.rtype"), "the nearest name is offered: {text}");
    let (code, text) = case.check("directory");
    assert!(code == 1 && text.contains("RT404"), "a directory without files to check is an error: {text}");
    // A file used as a directory cannot be read, even by root.
    assert_eq!(case.check("x.rtype/y.rtype").0, 1);
    std::os::unix::fs::symlink("loop.rtype", case.directory.path().join("loop.rtype")).unwrap();
    assert_eq!(case.check("loop.rtype").0, 1);
    let inspected = rtype(&["inspect", "directory"], case.directory.path());
    assert_eq!(inspected.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&inspected.stderr).contains("RT401"));
}

#[test]
fn a_pipe_without_a_writer_does_not_hang() {
    let case = Case::new("x.rtype", b"");
    let fifo = case.directory.path().join("fifo.rtype");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    let (code, text) = case.check("fifo.rtype");
    assert_eq!(code, 1, "{text}");
}

#[test]
fn closed_output_pipe_ends_quietly() {
    let directory = TempDir::new().unwrap();
    let mut text = String::from("type t {\n  newparam name\n");
    for i in 0..20_000 {
        text.push_str(&format!("  nonsense{i}\n"));
    }
    std::fs::write(directory.path().join("t.rtype"), text + "}\n").unwrap();
    let program = assert_cmd::cargo::cargo_bin("rtype");
    let mut child = std::process::Command::new(program)
        .args(["check", "t.rtype"])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.code().is_some_and(|c| c < 2), "{:?}", output.status);
}

#[test]
fn wrong_usage_is_exit_code_two() {
    let directory = TempDir::new().unwrap();
    for arguments in [&["check"][..], &["no-such-verb"], &["check", "--no-such-option", "x"], &["resource"]] {
        let output = rtype(arguments, directory.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn only_type_files_can_be_tested() {
    let case = Case::new("x.pp", b"user { 'a': }");
    let output = rtype(&["test", "x.pp"], case.directory.path());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`x.pp` is not a type file"), "{output:?}");
}

#[test]
fn excerpts_show_no_secrets() {
    let cases = [
        ("x.pp", "user { 'a': password => 'hunter2', uid => }"),
        ("x.pp", "user { 'a': password => 'hunter2' uid => 1 }"),
        ("x.pp", "user { 'a': passwordx => Sensitive('hunter2') }"),
        ("x.pp", "user { 'a': pasword => 'hunter2' }"),
        ("x.pp", "user { 'a': password => 'hunter2:hunter2', password => 'hunter2' }"),
        ("x.pp", "user { 'a': password => ['hunter2', 'a:hunter2'], uid => 'x' }"),
        ("x.json", "[{\"type\": \"user\", \"title\": \"a\", \"parameters\": {\"password\": \"hunter2\", \"uid\": }]"),
        ("x.json", "[{\"type\": \"user\", \"title\": \"a\", \"parameters\": {\"password\": \"hunter2:\", \"uidd\": 1}}]"),
        ("x.yaml", "user:\n  a:\n    password: 'hunter2\n"),
        ("x.yaml", "user:\n  a: {password: 'hunter2:', uid: y}\n"),
    ];
    for (name, text) in cases {
        let (_, printed) = Case::new(name, text.as_bytes()).check(name);
        assert!(!printed.contains("hunter2"), "{text}\n{printed}");
    }
}

#[test]
fn types_that_are_checked_together_find_each_other() {
    let case = Case::new("bolt.rtype", b"type bolt { newparam name }\nprovider steel, for: bolt, parent: \"nut/steel\" { }\n");
    std::fs::write(case.directory.path().join("nut.rtype"), "type nut { newparam name }\nprovider steel, for: nut { }\n").unwrap();
    assert_eq!(case.check(".").0, 0, "{}", case.check(".").1);
    // A single file finds the files next to it, from any working directory.
    assert_eq!(case.check("bolt.rtype").0, 0, "{}", case.check("bolt.rtype").1);
}
