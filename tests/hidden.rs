//! Secrets from another program: `--redact` and `--sensitive` of `rtype apply` and `rtype inspect`.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs rtype with standard input, and returns all output.
fn run(arguments: &[&str], input: &str) -> (String, Option<i32>) {
    let mut rtype = Command::new(env!("CARGO_BIN_EXE_rtype"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    rtype.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = rtype.wait_with_output().unwrap();
    (format!("{}{}", String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap()), done.status.code())
}

/// A secret, the base64 of the secret, and a longer string with the secret, as values of several resources.
const RESOURCES: &str = r#"
notify { 'a': message => 'hunter22' }
notify { 'b': message => 'p=hunter22;' }
notify { 'c': message => ['x', 'aHVudGVyMjI='] }
notify { 'hunter22': message => 'plain text' }
"#;

#[test]
fn texts_of_the_first_line_are_redacted() {
    for command in ["inspect", "apply"] {
        let noop: &[&str] = if command == "apply" { &["--noop"] } else { &[] };
        let (output, _) = run(&[&[command, "--redact", "-", "-"], noop].concat(), &format!("[\"hunter22\"]\n{RESOURCES}"));
        assert!(!output.contains("hunter22") && !output.contains("aHVudGVyMjI"), "{output}");
        assert!(output.contains("Notify[[redacted]]"), "{output}");
        assert!(!output.contains("p="), "a value that contains a secret is hidden as a whole: {output}");
    }
}

#[test]
fn texts_are_read_from_a_file() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(br#"["hunter22"]"#).unwrap();
    let (output, status) = run(&["inspect", "--redact", file.path().to_str().unwrap(), "-"], RESOURCES);
    assert_eq!(status, Some(0), "{output}");
    assert!(!output.contains("hunter22"), "{output}");
}

#[test]
fn an_error_shows_no_text_to_redact() {
    let (output, status) = run(&["inspect", "--redact", "-", "-"], "[\"hunter22\"]\nnotify { 'a': message => hunter22 hunter22");
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("error[") && !output.contains("hunter22"), "{output}");
}

#[test]
fn a_list_that_cannot_be_read_stops_the_run() {
    for list in ["", "[\"hunter22\", 1]", "hunter22", "{\"a\": \"hunter22\"}"] {
        let (output, status) = run(&["apply", "--noop", "--redact", "-", "-"], &format!("{list}\nnotify {{ 'hunter22': }}"));
        assert_eq!(status, Some(1), "{output}");
        assert!(output.contains("error[RT401]: cannot read the texts of `--redact`") && !output.contains("hunter22"), "{output}");
    }
    let (output, status) = run(&["apply", "--noop", "--redact", "/nonexistent/list", "-"], "notify { 'hunter22': }");
    assert_eq!(status, Some(1), "{output}");
    assert!(!output.contains("Notify"), "{output}");
}

#[test]
fn all_values_are_secret() {
    let resources =
        "notify { 'a': message => 'hunter22' }\nuser { 'root': ensure => present, uid => 0, home => '/hunter22', comment => hunter }";
    let (output, _) = run(&["inspect", "--sensitive", "-"], resources);
    assert!(!output.contains("hunter"), "{output}");
    assert!(output.contains("ensure   present     present") && output.contains("uid      0           0"), "{output}");
}

#[test]
fn an_error_in_secret_resources_shows_only_its_code() {
    let texts = ["include hunter22", "notify { 'a': message => 'hunter22", "[{\"type\": \"hunter22\" \"x\"}]", "a: [hunter22"];
    for text in texts {
        let (output, status) = run(&["inspect", "--sensitive", "-"], text);
        assert_eq!(status, Some(1), "{output}");
        assert!(output.contains("error[R") && !output.contains("hunter22"), "{output}");
    }
}
