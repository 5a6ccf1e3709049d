//! The REPL with piped input, as from a user or a script.

use assert_cmd::Command;
use std::fs;

fn session(directory: &str, arguments: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("rtype")
        .unwrap()
        .args(["repl", "--types", "tests/repl/types"])
        .args(arguments)
        .env("HOME", directory)
        .env_remove("XDG_STATE_HOME")
        .write_stdin(input)
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn sessions_answer_as_recorded() {
    insta::glob!("repl/*.txt", |path| {
        let home = tempfile::tempdir().unwrap();
        let text = fs::read(path).unwrap();
        let (out, err, code) = session(home.path().to_str().unwrap(), &[], &text);
        assert_eq!((err.as_str(), code), ("", Some(0)));
        assert!(!out.contains('\x1b'));
        // No history file is written for piped input.
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
        crate::common::assert_fixture(path, &out);
    });
}

#[test]
fn facts_and_pages_of_codes_are_shown() {
    let (facts, _, _) = session("/nonexistent", &[], b":facts\n");
    for name in ["kernel ", "os.family ", "identity.uid "] {
        assert!(facts.contains(name), "{facts}");
    }
    let (some, _, _) = session("/nonexistent", &[], b":facts os.release\n");
    assert!(some.lines().all(|line| line.starts_with("os.release.")) && some.contains("os.release.major"), "{some}");
    let page = Command::cargo_bin("rtype").unwrap().args(["explain", "RT021"]).output().unwrap();
    let (shown, _, _) = session("/nonexistent", &[], b":explain RT021\n");
    assert_eq!(shown, String::from_utf8(page.stdout).unwrap());
}

/// Each kind of word at the prompt, misspelled.
#[test]
fn unknown_words_of_each_kind_have_a_suggestion() {
    let cases = [
        ("fact(\"os.famly\")", "did you mean `os.family`?"),
        ("fact(\"osfamliy\")", "did you mean `osfamily`?"),
        ("let x = fact('kernle')", "did you mean `kernel`?"),
        ("fact(\"os.family\") == \"Debain\"", "did you mean `Debian`?"),
        ("setting(\"show_dif\")", "did you mean `show_diff`?"),
        ("[1].frist", "did you mean `first`?"),
        ("lst", "did you mean `:list`?"),
        ("lst motd", "did you mean `:list`?"),
        ("show motd", "unknown command or type `show`"),
        ("plese help", "unknown command or type `plese`"),
        ("mtod here", "did you mean `motd`?"),
        ("list motd", "did you mean `:list`?"),
        (":lst motd", "did you mean `:list`?"),
        (":help lst", "did you mean `:list`?"),
        (":facts oss", "did you mean `os`?"),
        (":facts os.famly", "did you mean `os.family`?"),
        (":explain RT9999", "list all codes"),
        (":explain RT2", "use one of `RT2"),
        (":explain 11", "did you mean `RT011`?"),
        (":explain regex-unanchord", "did you mean `regex-unanchored`?"),
        (":describe mtod", "did you mean `motd`?"),
        (":list mtod", "did you mean `motd`?"),
        (":providers mtod", "did you mean `motd`?"),
        (":edit mtod", "did you mean `motd`?"),
        (":resources mtod", "did you mean `motd`?"),
        (":resources Mtod[x]", "did you mean `motd`?"),
        (":forget mtod", "did you mean `motd`?"),
        (":forget Mtod[x]", "did you mean `motd`?"),
        (":trace Mtod[x]", "did you mean `motd`?"),
        (":json Mtod[x]", "did you mean `motd`?"),
        (":is Mtod[x] {}", "did you mean `motd`?"),
        (":trace Motd[her]", "did you mean `Motd[here]`?"),
        ("mtod { 'x': }", "did you mean `motd`?"),
        ("Mtod { text => 'x' }", "did you mean `motd`?"),
        ("Mtod['x']", "did you mean `motd`?"),
        ("Mtod['x'].text", "did you mean `motd`?"),
        ("provider p, for: mtod {\n}", "did you mean `motd`?"),
        ("motd { 'x': txt => 'y' }", "did you mean `text`?"),
    ];
    for (input, expected) in cases {
        let (out, _, _) =
            session("/nonexistent", &[], format!("motd {{ 'here': text => 'x' }}\n:clear\nmotd {{ 'here': }}\n{input}\n").as_bytes());
        assert!(out.contains(expected), "{input}: {out}");
    }
}

/// Entering the items of a type file one after the other defines the same type as the file.
#[test]
fn type_files_of_the_standard_library_can_be_entered() {
    for name in ["sysctl", "mailalias", "host"] {
        let text = fs::read(format!("stdlib-types/{name}.rtype")).unwrap();
        let input = [text.as_slice(), format!(":providers {name}\n").as_bytes()].concat();
        let (out, _, code) = session("/nonexistent", &["--strict"], &input);
        let failed: Vec<&str> = out.lines().filter(|line| line.contains("failed") && !line.ends_with(" 0 failed")).collect();
        assert!(code == Some(0) && failed.is_empty(), "{name}: {out}");
        let (own, _, _) = session("/nonexistent", &["--strict"], format!(":providers {name}\n").as_bytes());
        assert!(own.lines().count() > 1 && out.ends_with(&own), "{name}: {out}\n{own}");
    }
}

#[test]
fn names_of_values_are_not_names_of_variables() {
    for input in
        ["let self = 3", "let a, self = [1, 2]", "let nil = 1", "let true = 1", "[1].map { |self| 1 }", "fn f(self) { 1 }", "let super = 1"]
    {
        let (out, _, code) = session("/nonexistent", &["--strict"], format!("{input}\n").as_bytes());
        assert!(code == Some(1) && out.contains("cannot be the name of a variable"), "{input}: {out}");
    }
}

#[test]
fn no_secret_is_ever_printed() {
    let text = fs::read("tests/repl/secrets.txt").unwrap();
    let (out, _, _) = session("/nonexistent", &["-v"], &text);
    assert!(!out.contains("geheim"), "{out}");
}

#[test]
fn no_part_of_a_secret_is_left_where_a_value_is_shortened() {
    let text = format!("{} geheim123456", "a".repeat(34));
    let input = format!("vault {{ 'v': secret => 'geheim123456' }}\nmotd {{ 'a': text => '{text}' }}\n:is {{ text: 'x' }}\n");
    let (out, _, _) = session("/nonexistent", &[], input.as_bytes());
    assert!(out.contains("text changed") && !out.contains("geh"), "{out}");
}

#[test]
fn files_are_reloaded_after_edits() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let lamp = |values: &str| format!("type lamp {{\n  newparam name {{ isnamevar }}\n  newproperty light {{ newvalues {values} }}\n}}\n");
    fs::write(path("lamp.rtype"), lamp("on, off")).unwrap();
    fs::write(path("site.pp"), "lamp { 'desk': light => on }\nlamp { 'floor': light => off }\n").unwrap();
    // The session is a child process. Tests write line by line, so that files can change between two inputs.
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("rtype"))
        .args(["repl", &path("lamp.rtype"), &path("site.pp")])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut all = String::new();
    let mut say = |line: &str| {
        use std::io::{BufRead, Write};
        // The error about an unknown command marks the end of the output.
        writeln!(to, "{line}\n:end").unwrap();
        all.push_str(&format!("> {line}\n"));
        let mut read = String::new();
        let mut of_mark = 0;
        while from.read_line(&mut read).unwrap() > 0 {
            if read.contains("list the commands with `:help`") {
                break;
            }
            // The error consists of a message, the header of the excerpt, the line, the underline and the footer.
            if read.contains("`:end`") {
                of_mark = 4;
            } else if of_mark > 0 {
                of_mark -= 1;
            } else {
                all.push_str(&read);
            }
            read.clear();
        }
    };
    say(":resources");
    fs::write(path("lamp.rtype"), lamp("on, off, dimmed")).unwrap();
    fs::write(path("site.pp"), "lamp { 'desk': light => dimmed }\n").unwrap();
    say(":reload");
    fs::write(path("lamp.rtype"), "type lamp {\n  newparam nmae { }\n").unwrap();
    say(":reload");
    say(":resources");
    fs::write(path("lamp.rtype"), lamp("on, off, dimmed")).unwrap();
    fs::remove_file(path("site.pp")).unwrap();
    say(":reload");
    say("lamp { 'new': light => on }");
    drop(to);
    assert!(child.wait().unwrap().success());
    let place = regex::Regex::new(r"<repl:\d+>").unwrap();
    let all = all.replace(dir.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!("reload", place.replace_all(&all, "<repl>"));
}

#[test]
fn ruby_types_stay_the_same_when_they_are_read_again() {
    let input = b":load tests/ruby/modules/shop/lib/puppet/type/lantern.rb\n:reload\nlantern { 'a': colour => 'red' }\n";
    let (out, _, _) = session("/nonexistent", &[], input);
    let again = out.split_once("type `lantern` is loaded").unwrap().1;
    assert!(again.contains("1 file read again") && again.contains("Lantern[a]"), "{out}");
    assert!(!again.contains("RT2") && !again.contains("stays as it was"), "{out}");
}

#[test]
fn secrets_in_a_file_with_errors_are_redacted_when_it_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault.rtype");
    let vault = |test: &str| format!("type vault {{\n  newparam name {{ isnamevar }}\n  newparam password\n}}\n{test}");
    fs::write(&path, vault("")).unwrap();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("rtype"))
        .args(["repl", path.to_str().unwrap()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut said = String::new();
    // The file changes after it has been read for the first time.
    std::io::Write::write_all(&mut to, b":types\n").unwrap();
    std::io::BufRead::read_line(&mut from, &mut said).unwrap();
    fs::write(&path, vault("test \"a\" {\n  vault { 'a': password => 'geheim' nonsense }\n}\n")).unwrap();
    std::io::Write::write_all(&mut to, b":reload\n").unwrap();
    drop(to);
    std::io::Read::read_to_string(&mut from, &mut said).unwrap();
    child.wait().unwrap();
    assert!(said.contains("nonsense") && !said.contains("geheim"), "{said}");
}

#[test]
fn standard_types_read_the_machine() {
    let (out, err, code) = session("/nonexistent", &[], b"user { 'root': uid => 0, shell => '/no/shell' }\n:trace\n");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert!(out.starts_with("User[root]  (provider useradd)\n"), "{out}");
    assert!(out.contains(" ok uid     0 "), "{out}");
    assert!(out.contains(" !  shell "), "{out}");
    assert!(out.contains("shell changed '"), "{out}");
}

#[test]
fn unusual_input_is_handled() {
    let inputs: [&[u8]; 7] =
        [b"", b"\n\n\n", b"\xff\xfe\nmotd { 'a': }\n", b"motd { 'a':", b":is\n:is {\n", b":help\r\nmotd { 'a': }\r\n", b"\0\n"];
    for input in inputs {
        let (_, err, code) = session("/nonexistent", &[], input);
        assert_eq!((err.as_str(), code), ("", Some(0)), "{input:?}");
    }
    let (out, _, _) = session("/nonexistent", &[], b"\xff\xfe\nmotd { 'a': }\n");
    assert!(out.contains("RT402") && out.contains("Motd[a]"), "{out}");
    let deep = vec![b'{'; 300_000];
    assert_eq!(session("/nonexistent", &[], &deep).2, Some(0));
}

#[test]
fn errors_of_piped_input_set_the_status_when_asked() {
    let status = |arguments: &[&str], input: &str| session("/nonexistent", arguments, input.as_bytes()).2;
    assert_eq!(status(&[], ":nonsense\n"), Some(0));
    assert_eq!(status(&["--strict"], ":nonsense\n"), Some(1));
    assert_eq!(status(&["--strict"], "motd { 'x': colour => blue }\nmotd { 'x': colour => red }\n"), Some(1));
    assert_eq!(status(&["--strict"], "motd { 'x': colour => red }\n"), Some(0));
    // A file that cannot be loaded also counts as an error.
    assert_eq!(status(&["--strict", "/nonexistent.rtype"], ""), Some(1));
}
