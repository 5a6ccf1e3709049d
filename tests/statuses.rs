//! The exit status of each command for wrong usage and for output that cannot be written.

use crate::common::site::Site;
use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Returns the names of the commands in `rtype --help`.
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
fn unknown_commands_and_codes_are_corrected() {
    let output = |words: &str| Command::new(env!("CARGO_BIN_EXE_rtype")).args(words.split(' ')).output().unwrap();
    let cases = [
        ("help tst", "`rtype test`"),
        ("help check foo", "`rtype check` has no commands"),
        ("help provider tst", "`rtype provider test`"),
        ("tst", "`rtype test`"),
        ("provider tst", "`rtype provider test`"),
        ("explain 11", "`RT011`"),
        ("explain rt011x", "`RT011`"),
        ("explain RT2", "use one of `RT2"),
        ("explain RM12", "`RM012`"),
        ("explain RM40", "`RM040`"),
        ("explain RM", "use one of `RM0"),
        ("explain RT9999", "list all codes"),
        ("explain nonsense", "list all codes"),
        ("explain regex-unanchord", "`regex-unanchored`"),
        ("describe --language frst", "`first`"),
        ("describe usr", "`user`"),
    ];
    for (words, expected) in cases {
        let output = output(words);
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!output.status.success() && text.contains(expected), "{words}: {text}");
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

/// The arguments for printing output, and standard input, by command.
const PRINTING: &[(&str, &[&str], &str)] = &[
    ("check", &["t.rtype"], ""),
    ("compile", &["site.pp"], ""),
    ("lookup", &["a", "--default", "1"], ""),
    ("new", &["type", "lamp"], ""),
    ("test", &["t.rtype"], ""),
    ("fmt", &["--diff", "t.rtype"], ""),
    ("import", &["t.rb"], ""),
    ("explain", &["RT001"], ""),
    ("diff", &["t.rtype", "other.rtype"], ""),
    ("describe", &["file"], ""),
    ("doc", &["t.rtype"], ""),
    ("schema", &["t.rtype"], ""),
    ("facts", &[], ""),
    ("inspect", &["site.pp"], ""),
    ("apply", &["site.pp", "--noop", "--state-dir", "state"], ""),
    ("agent", &["--help"], ""),
    ("resource", &["file", "/"], ""),
    ("provider", &["--help"], ""),
    ("repl", &[], "1 + 1\n"),
    ("lsp", &["--help"], ""),
    ("completions", &["bash"], ""),
    ("help", &[], ""),
];

#[test]
fn each_command_reports_output_that_cannot_be_written() {
    let site = Site::new("notify { 'n': }\n");
    site.write("t.rtype", "type t {\nnewparam name\nnewproperty p\n}\n");
    site.write("other.rtype", "type t {\n  newparam name\n}\n");
    site.write("t.rb", "Puppet::Type.newtype(:u) do\n  newparam(:name, namevar: true)\nend\n");
    let mut listed: Vec<&str> = PRINTING.iter().map(|(command, ..)| *command).collect();
    let mut known = commands();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
    let global: [(&str, &[&str], &str); 2] = [("--help", &[], ""), ("--version", &[], "")];
    for (name, more, input) in PRINTING.iter().chain(&global) {
        site.write("input", input);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.arg(name).args(*more).current_dir(site.path()).stdin(File::open(site.path().join("input")).unwrap());
        let output = command.stdout(File::options().write(true).open("/dev/full").unwrap()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{name}: {} {text}", output.status);
        assert!(text.contains("cannot write"), "{name}: {text}");
    }
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

/// Damages a stored file: writes other content, or replaces the file with another kind of file.
fn damage(path: &std::path::Path, how: &str) {
    match how {
        "a directory" => std::fs::create_dir_all(path.join("sub")).unwrap(),
        "a named pipe" => nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap(),
        "a symbolic link" => std::os::unix::fs::symlink("/etc/hostname", path).unwrap(),
        text => std::fs::write(path, text).unwrap(),
    }
}

const OTHER_KINDS: [&str; 3] = ["a directory", "a named pipe", "a symbolic link"];

#[test]
fn damaged_kept_files_are_renamed_and_the_run_goes_on() {
    let texts = ["", "{", "null", "[]", "7", "{\"version\":\"1\"}", "{\"version\":1,\"resources\":{\"x\":7}}"];
    let cases = texts.into_iter().chain(OTHER_KINDS).map(|how| ("state.json", how));
    for (file, how) in cases.chain(OTHER_KINDS.map(|how| ("lock", how))) {
        let site = Site::new("file { '@/a': ensure => file }\n");
        let kept = site.path().join("state").join(file);
        std::fs::create_dir(site.path().join("state")).unwrap();
        damage(&kept, how);
        let (output, status) = site.apply(&["site.pp"]);
        let warning = if file == "lock" { "the lock @/state/lock cannot be used" } else { "warning: the state of earlier runs is lost" };
        let output = output.replace("\n  | ", " ");
        assert_eq!(status, 0, "{file} {how}: {output}");
        assert!(output.contains(warning) && output.contains(&format!("{file}.damaged")), "{file} {how}: {output}");
        assert!(!OTHER_KINDS.contains(&how) || output.contains(how), "{file} {how}: {output}");
        assert!(!output.contains("struct") && !output.contains("u32"), "{how}: {output}");
        let aside = site.path().join("state").join(format!("{file}.damaged"));
        assert!(aside.symlink_metadata().is_ok() && kept.is_file() && site.path().join("a").exists(), "{file} {how}: {output}");
        let (output, status) = site.apply(&["site.pp"]);
        assert!(status == 0 && !output.contains("cannot be used"), "{file} {how}: {output}");
    }
}

#[test]
fn damaged_backups_do_not_keep_files_from_being_changed() {
    for how in OTHER_KINDS {
        for name in ["contents", "paths"] {
            let site = Site::new("file { '@/a': content => 'new', backup => 'puppet' }\n");
            site.write("a", "old");
            let sum = "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4";
            let levels = sum.chars().take(8).fold(site.path().join("state/bucket"), |path, digit| path.join(digit.to_string()));
            let place = levels.join(sum);
            std::fs::create_dir_all(&place).unwrap();
            damage(&place.join(name), how);
            let (output, status) = site.apply(&["site.pp"]);
            let kept = std::fs::read_to_string(place.join("contents")).unwrap_or_default();
            assert_eq!((status, site.read("a").as_str(), kept.as_str()), (0, "new", "old"), "{name} {how}: {output}");
        }
    }
}

#[test]
fn quiet_run_without_changes_prints_nothing() {
    let site = Site::new("file { '@/a': ensure => file }\n");
    assert_eq!(site.apply(&["site.pp", "--quiet"]).0.lines().count(), 2);
    assert_eq!(site.apply(&["site.pp", "--quiet"]), (String::new(), 0));
    assert_eq!(site.apply(&["site.pp", "--quiet", "--noop"]), (String::new(), 0));
}
