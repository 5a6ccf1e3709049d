//! Runs each command on each kind of directory. rtype reports left-out files, and a directory without inputs is an error.

use assert_cmd::Command;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const LAMP: &str =
    "type lamp {\n  newparam name { desc \"The name.\" }\n  newproperty level { desc \"The level.\"; newvalues low, high }\n}\n";
const HOUSE: &str = "host { 'a': ip => '192.0.2.1' }\n";
const CLASS: &str = "class house($level = 3) {\n  $x = 1\n  include other\n  notify { 'x': message => $x }\n}\n";
const ALIAS: &str = "type House::Level = Integer[0, 3]\n";
const DEFINED: &str = "house::room { 'a': }\nhost { 'a': ip => '192.0.2.1' }\n";
const RUBY: &str = "Puppet::Type.newtype(:torch) do\n  @doc = 'A torch.'\n  newparam(:name, namevar: true) { desc 'The name.' }\nend\n";
const DATA: &str = "[{\"type\": \"host\", \"title\": \"b\", \"parameters\": {\"ip\": \"192.0.2.2\"}}]\n";

/// A kind of directory: its name, and its files. Names that end in a slash are directories.
type Kind = (&'static str, &'static [(&'static str, &'static str)]);

const KINDS: &[Kind] = &[
    ("nothing", &[]),
    ("types", &[("lamp.rtype", LAMP)]),
    ("types with an empty `manifests`", &[("lamp.rtype", LAMP), ("manifests/", ""), ("house.pp", HOUSE), ("house.json", DATA)]),
    (
        "types with `metadata.json`",
        &[("types/lamp.rtype", LAMP), ("metadata.json", "{}"), ("data/house.json", DATA), ("tests/house.pp", HOUSE)],
    ),
    ("a module", &[("lib/puppet/type/torch.rb", RUBY), ("manifests/init.pp", CLASS), ("spec/unit/puppet/type/torch_spec.rb", "x")]),
    ("a module without types", &[("metadata.json", "{}"), ("manifests/init.pp", CLASS), ("files/a", "")]),
    ("resources", &[("house.pp", HOUSE), ("site.pp", CLASS)]),
    ("Puppet's language", &[("types/level.pp", ALIAS), ("examples/room.pp", DEFINED), ("manifests/init.pp", CLASS)]),
    ("other data", &[("package.json", "{}"), ("README.md", "")]),
    ("hidden", &[(".lamp.rtype", LAMP), (".cache/lamp.rtype", LAMP)]),
    ("dependencies", &[("vendor/lamp.rtype", LAMP), ("target/lamp.rtype", LAMP)]),
    ("binary", &[("lamp.rtype", "\0")]),
    ("excluded", &[("rtype.toml", "exclude = [\"**\"]\n"), ("lamp.rtype", LAMP)]),
    ("partly excluded", &[("rtype.toml", "exclude = [\"old/**\"]\n"), ("lamp.rtype", LAMP), ("old/torch.rtype", LAMP)]),
];

const COMMANDS: &[&str] = &["check .", "fmt --check .", "test .", "doc .", "schema .", "describe .", "import .", "diff . ."];

fn directory(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        if name.ends_with('/') {
            std::fs::create_dir_all(path).unwrap();
        } else {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
    directory
}

/// Returns the exit status, standard output, and standard error.
fn run(arguments: &str, directory: &Path) -> (i32, String, String) {
    let mut command = Command::cargo_bin("rtype").unwrap();
    let command = command.args(arguments.split_whitespace()).current_dir(directory).env_remove("GITHUB_ACTIONS");
    let output = command.timeout(Duration::from_secs(60)).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_command_reports_on_each_kind_of_directory() {
    let mut table = String::new();
    for (kind, files) in KINDS {
        let directory = directory(files);
        let _ = writeln!(table, "{kind}");
        for command in COMMANDS {
            let (exit, out, err) = run(command, directory.path());
            let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
            let code = |text: &str| text.lines().find(|l| l.starts_with("error[")).map(|l| format!(" | {l}")).unwrap_or_default();
            let shown = match command.starts_with("check") {
                true => format!("{}{}", last(&out), code(&out)),
                false if err.is_empty() => String::new(),
                false => format!("{}{}", last(&err).trim_start(), code(&err)),
            };
            let _ = writeln!(table, "  {command:<14} {exit} {shown}");
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn links_are_followed_to_files_and_counted_to_directories() {
    let directory = directory(&[("lamp.rtype", LAMP), ("real/torch.rtype", &LAMP.replace("lamp", "torch"))]);
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, directory.path().join(name)).unwrap();
    link("real", "again");
    link("none.rtype", "gone.rtype");
    link("loop.rtype", "loop.rtype");
    link("/etc/hostname", "outside.rtype");
    nix::unistd::mkfifo(&directory.path().join("pipe.rtype"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (exit, out, _) = run("check .", directory.path());
    let last = out.lines().last().unwrap();
    assert_eq!(
        (exit, last),
        (1, "checked 2 type files; not checked: 1 directory (linked), 1 file (outside of the repository), 3 files (unreadable)")
    );
}

/// `json`, `sarif` and `junit` list the unchecked files. With all formats except `full`, the last line goes to standard error.
#[test]
fn every_format_reports_what_was_not_checked() {
    let directory = directory(&[("lamp.rtype", LAMP), ("package.json", "{}"), ("manifests/init.pp", CLASS)]);
    let expected = "not checked: 1 data file (no resources), 1 value of 1 manifest (computed)";
    for format in ["full", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit", "checkstyle", "rdjson"] {
        let (exit, out, err) = run(&format!("check . --format {format}"), directory.path());
        assert_eq!(exit, 0, "{format}: {out}{err}");
        assert!(if format == "full" { out.contains(expected) } else { err.trim_end() == expected }, "{format}: {out}{err}");
        let parts: &[&str] = match format {
            "json" => &["\"reason\": \"no-resources\"", "\"kind\": \"data file\"", "\"package.json\""],
            "sarif" => &["not checked: 1 data file (no resources)", "\"uri\": \"package.json\""],
            "junit" => &["<testcase name=\"package.json\"", "<skipped message=\"not checked: no resources\"/>"],
            _ => &[],
        };
        assert!(parts.iter().all(|part| out.contains(part)), "{format}: {out}");
    }
}

/// A syntax error does not take a file with resources out of the check of its directory. Other files with such errors are counted as not checked.
#[test]
fn data_files_with_syntax_errors_are_not_taken_for_files_without_resources() {
    let broken = [
        ("a.yaml", "lamp:\n  a:\n   level: medium\n  b:\n      level: [\n"),
        ("a.yaml", "lamp:\n\ta:\n"),
        ("a.yaml", "\"lamp\":\n  a: {level: low\n"),
        ("a.yaml", "lamp:\n  a:\n    level: low\n---\nlamp:\n  b:\n    level: medium\n"),
        ("a.json", "{\"lamp\":{\"a\":{\"level\":\"medium\"}},}"),
    ];
    for (name, text) in broken {
        let directory = directory(&[("lamp.rtype", LAMP), (name, text)]);
        let (exit, out, err) = run("check .", directory.path());
        assert_eq!(exit, 1, "{text}: {out}{err}");
        assert!(out.contains(name), "{text}: {out}");
    }
    let directory =
        directory(&[("lamp.rtype", LAMP), ("other.yaml", "a: [\n"), ("two.yaml", "a: 1\n---\nb: 1\n"), ("good.yaml", "a: 1\n")]);
    let (exit, out, _) = run("check .", directory.path());
    let last = out.lines().last().unwrap();
    let expected =
        "checked 1 type file, nothing found; not checked: 1 data file (no resources), 2 data files (syntax errors or several documents)";
    assert_eq!((exit, last), (0, expected));
}
