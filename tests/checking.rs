//! `rtype check` in a repository: configuration, suppressions, baselines, fixes, watching.

use assert_cmd::Command;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;

/// A directory of files in which the program runs.
struct Repository {
    directory: TempDir,
}

impl Repository {
    fn new(files: &[(&str, &str)]) -> Repository {
        let repository = Repository { directory: TempDir::new().unwrap() };
        files.iter().for_each(|(name, text)| repository.write(name, text));
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn git(&self, directory: &str, arguments: &[&str]) {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]);
        let output = command.args(arguments).current_dir(self.path(directory)).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns exit code, standard output and standard error.
    fn run_in(&self, directory: &str, arguments: &str, stdin: &str) -> (i32, String, String) {
        let mut command = Command::cargo_bin("rtype").unwrap();
        let command = command.args(arguments.split_whitespace()).current_dir(self.path(directory)).write_stdin(stdin);
        let output = command.timeout(Duration::from_secs(60)).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn run(&self, arguments: &str) -> (i32, String, String) {
        self.run_in(".", arguments, "")
    }

    /// Returns the exit code and the reported codes, in order.
    #[track_caller]
    fn codes(&self, arguments: &str) -> (i32, Vec<String>) {
        let (exit, out, err) = self.run(arguments);
        assert_eq!(err, "");
        let code = |line: &str| Some(line.split_once('[')?.1.split_once("]: ")?.0.to_owned());
        (exit, out.lines().filter(|l| l.starts_with(|c: char| "ewn".contains(c))).filter_map(code).collect())
    }
}

/// A type with a finding in every profile: a duplicate alias (default), and a required attribute with a default (strict).
const DOOR: &str = "\
type door {
  newparam name
  newproperty color {
    newvalues red, red
  }
  newparam size {
    required
    defaultto 3
  }
}
";

#[test]
fn profiles_select_rules() {
    let repository = Repository::new(&[("door.rtype", DOOR)]);
    assert_eq!(repository.codes("check . --profile min"), (0, vec![]));
    assert_eq!(repository.codes("check ."), (1, vec!["RT017".into()]));
    let (exit, codes) = repository.codes("check . --profile strict");
    assert_eq!(exit, 1);
    assert!(codes.contains(&"RT017".into()) && codes.contains(&"RT023".into()), "{codes:?}");
    assert_eq!(repository.codes("check . --profile min --select RT023"), (0, vec!["RT023".into()]), "notes do not fail");
    assert_eq!(repository.codes("check . --ignore duplicate-value"), (0, vec![]));
    assert_eq!(repository.codes("check . --select RT01,RT02 --ignore RT017"), (0, vec!["RT023".into()]), "ignoring wins");
}

#[test]
fn options_change_the_exit_code() {
    let repository = Repository::new(&[("door.rtype", DOOR), ("broken.rtype", "type broken {")]);
    assert_eq!(repository.codes("check door.rtype --max-warnings 1").0, 0);
    assert_eq!(repository.codes("check door.rtype --max-warnings 0").0, 1);
    assert_eq!(repository.codes("check . --max-warnings 9").0, 1, "errors do not count as warnings");
    assert_eq!(repository.codes("check . --exit-zero").0, 0);
}

/// Findings with a location, for each kind of file: a baseline may contain any finding, and all findings except syntax errors can be
/// ignored.
#[test]
fn findings_can_be_ignored_suppressed_and_in_a_baseline() {
    let kinds = [
        ("t.rtype", "type t {\n  newparam name\n  newproperty p { newvlues a } # C\n}\n", "RT101"),
        ("t.rtype", "type t {\n  newparam name\n  newproperty p { newvalues a, a } # C\n}\n", "RT017"),
        ("x.pp", "host { 'a': ip => 'no' } # C\n", "RM005"),
        ("x.pp", "host { 'a': ipp => '192.0.2.1' } # C\n", "RM002"),
        ("x.pp", "host { 'a': ip => '192.0.2.1' }\nhost { 'a': ip => '192.0.2.1' } # C\n", "RM003"),
        ("x.yaml", "- type: host\n  title: a\n  parameters:\n    ip: 'no' # C\n", "RM005"),
        ("x.json", "[{\"type\": \"host\", \"title\": \"a\", \"parameters\": {\"ip\": \"no\"}}]\n", "RM005"),
        ("x.pp", "host { 'a': ip => }\n", "RT201"),
        ("x.json", "[{\"type\": \"host\", \"title\": }]\n", "RT406"),
    ];
    for (name, text, code) in kinds {
        let repository = Repository::new(&[(name, text)]);
        let check = format!("check {name}");
        assert_eq!(repository.codes(&check), (1, vec![code.to_owned()]), "{text}");
        let (exit, out, err) = repository.run(&format!("{check} --update-baseline"));
        assert_eq!(exit, 0, "{text}{out}{err}");
        let (exit, out, _) = repository.run(&format!("{check} --baseline rtype-baseline.json"));
        assert!(exit == 0 && out.contains("1 finding of the baseline left out"), "{out}");
        let (exit, _, err) = repository.run(&format!("{check} --ignore {code}"));
        if matches!(code, "RT201" | "RT406") {
            assert!(exit == 2 && err.contains(&format!("`{code}` is always reported")), "{exit} {err}");
            assert_eq!(repository.codes(&format!("{check} --ignore ALL")).1, [code]);
            continue;
        }
        assert_eq!((exit, err.as_str()), (0, ""), "{text}");
        repository.write("rtype.toml", &format!("[per-file]\n\"*\" = [\"{code}\"]\n"));
        assert_eq!(repository.codes(&check), (0, vec![]), "{text}");
        repository.write("rtype.toml", &format!("[severity]\n{code} = \"note\"\n"));
        assert_eq!(repository.codes(&check), (0, vec![code.to_owned()]), "{text}");
        repository.write("rtype.toml", "");
        repository.write(name, &text.replace("# C", &format!("# rtype: allow({code}, reason = \"old\")")));
        let expected = if name.ends_with(".json") { (1, vec![code.to_owned()]) } else { (0, vec![]) };
        assert_eq!(repository.codes(&check), expected, "{text}");
    }
    // A comment or configuration that names only unconditionally reported codes is an error.
    let repository = Repository::new(&[("t.rtype", "# rtype: allow(RT201, reason = \"old\")\ntype t {\n  newparam name\n}\n")]);
    assert_eq!(repository.codes("check ."), (1, vec!["RT409".into()]));
    repository.write("rtype.toml", "ignore = [\"RT401\"]\n");
    let (exit, _, err) = repository.run("check .");
    assert!(exit == 2 && err.contains("`RT401` is always reported"), "{err}");
}

#[test]
fn fix_suppress_suppresses_all_findings_of_a_repository() {
    let long = "type gate {\n  desc \"\"\"\n    A gate.\n  \"\"\"\n  newparam name\n  newproperty color { # the color\n    newvalues red,\n      red # both\n    defaultto gren\n  }\n}\n";
    let yaml = "- type: host\n  title: a\n  parameters:\n    ip: |\n      no\n";
    let files =
        [("types/door.rtype", DOOR), ("types/gate.rtype", long), ("x.pp", "host { 'a': ip => 'no', ipp => '1' }\n"), ("x.yaml", yaml)];
    let repository = Repository::new(&files);
    assert_eq!(repository.run("check .").0, 1);
    let (exit, out, err) = repository.run("check . --fix-suppress --diff");
    assert!(exit == 1 && out.contains("+    newvalues red, red # rtype: allow(RT017, reason = \"not reviewed\")"), "{out}{err}");
    assert_eq!(repository.read("types/door.rtype"), DOOR);
    let (exit, out, err) = repository.run("check . --fix-suppress");
    assert!(exit == 0 && out.contains("suppressed"), "{out}{err}");
    assert_eq!(repository.codes("check ."), (0, vec![]));
    assert!(repository.read("x.pp").contains("# rtype: allow(RM005, RM002, "), "{}", repository.read("x.pp"));
    // New codes are added to an existing comment, and a second run changes nothing.
    let before = repository.read("x.pp");
    assert_eq!(repository.run("check . --fix-suppress").0, 0);
    assert_eq!(repository.read("x.pp"), before);
    repository.write("x.pp", &before.replace("ipp => '1'", "ipp => '1', uidd => 3").replace("RM005, RM002, ", "RM005, "));
    assert_eq!(repository.run("check . --fix-suppress").0, 0);
    assert_eq!(repository.codes("check ."), (0, vec![]));
    // JSON has no comments.
    repository.write("x.json", "[{\"type\": \"host\", \"title\": \"a\", \"parameters\": {\"ip\": \"no\"}}]\n");
    let (exit, out, _) = repository.run("check . --fix-suppress");
    assert!(exit == 1 && out.contains("1 finding cannot be suppressed by a comment"), "{out}");
}

/// Files of all formats. Findings get a comment, or an entry in the baseline if the format has no comments.
#[test]
fn one_command_adopts_a_repository_with_all_formats() {
    let json = "[{\"type\": \"host\", \"title\": \"a\", \"parameters\": {\"ip\": \"no\"}}]\n";
    let yaml = "- type: host\n  title: y\n  parameters:\n    ip: no\n";
    let resource = r#"{"type": "Host", "title": "c", "parameters": {"ip": "no"}, "tags": [], "exported": false}"#;
    let catalog = format!("{{\"catalog_uuid\": \"1\", \"resources\": [{resource}], \"edges\": [], \"classes\": []}}\n");
    let files = [
        ("types/door.rtype", DOOR),
        ("x.pp", "host { 'p': ip => 'no' }\n"),
        ("x.yaml", yaml),
        ("x.json", json),
        ("catalog.json", &catalog),
    ];
    for settings in ["", "baseline = \"known.json\"\n"] {
        let repository = Repository::new(&files);
        repository.write("rtype.toml", settings);
        let file = if settings.is_empty() { "rtype-baseline.json" } else { "known.json" };
        let check = format!("check . --baseline {file}");
        let (exit, out, err) = repository.run("check . --fix-suppress --update-baseline");
        assert!(exit == 0 && out.contains(&format!("2 findings written to {file}")), "{out}{err}");
        assert_eq!(repository.codes(&check), (0, vec![]));
        assert!(["x.pp", "x.yaml", "types/door.rtype"].iter().all(|name| repository.read(name).contains("rtype: allow(")));
        assert_eq!(repository.read("x.json"), json);
        // A second run changes nothing; a later finding is added to the baseline.
        let before = repository.read(file);
        assert_eq!(repository.run("check . --fix-suppress --update-baseline").0, 0);
        assert_eq!(repository.read(file), before);
        repository.write("y.json", &json.replace("\"a\"", "\"b\""));
        assert_eq!(repository.run("check . --fix-suppress --update-baseline").0, 0);
        assert_eq!(repository.read(file).matches("fingerprint").count(), 3);
        assert_eq!(repository.codes(&check), (0, vec![]));
    }
}

/// Files that cannot be written are reported, and the others are written. A file with several names is written once.
#[test]
fn fixes_are_written_to_all_files_that_can_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let misspelled = "type door {\n  newparam name\n  newproperty color { newvalues red; defaultto red; newvalues red }\n}\n";
    let named = |name: &str| misspelled.replace("door", name);
    let repository = Repository::new(&[("door.rtype", misspelled), ("a.rtype", &named("a")), ("b.rtype", &named("b")), ("sub/x.txt", "")]);
    std::os::unix::fs::symlink("../door.rtype", repository.path("sub/door.rtype")).unwrap();
    std::os::unix::fs::symlink("door.rtype", repository.path("aa.rtype")).unwrap();
    let readonly = std::fs::Permissions::from_mode(0o444);
    ["a.rtype", "b.rtype"].iter().for_each(|name| std::fs::set_permissions(repository.path(name), readonly.clone()).unwrap());
    let (exit, out, err) = repository.run("check . sub/door.rtype door.rtype ./door.rtype --fix-suppress");
    let text = format!("{out}{err}");
    for part in ["cannot write `a.rtype`: it is read-only", "cannot write `b.rtype`: it is read-only", "1 finding suppressed"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(exit, 2, "{text}");
    assert_eq!(repository.read("door.rtype").matches("allow(").count(), 1);
    assert_eq!((repository.read("a.rtype"), repository.read("b.rtype")), (named("a"), named("b")));
    assert_eq!(
        repository.run("check door.rtype sub/door.rtype aa.rtype"),
        (0, "checked 1 type file, nothing found\n".to_owned(), String::new())
    );
}

#[test]
fn statistics_count_the_findings_of_each_code() {
    let repository = Repository::new(&[("door.rtype", DOOR), ("x.pp", "host { 'a': ip => 'no' }\nhost { 'b': ip => 'no' }\n")]);
    let (exit, out, err) = repository.run("check . --statistics");
    let expected =
        "2  RM005  invalid-value\n1  RT017  duplicate-value\n2 errors, 1 warning in 2 files\nchecked 1 type file, 1 resource file\n";
    assert_eq!((exit, out.as_str(), err.as_str()), (1, expected, ""));
    let (exit, out, _) = repository.run("check . --statistics --format json");
    let counts: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((exit, counts[0]["code"].as_str(), counts[0]["count"].as_u64()), (1, Some("RM005"), Some(2)));
    assert_eq!(repository.run("check . --statistics --format sarif").0, 2);
}

#[test]
fn only_changes_since_a_revision_are_reported() {
    let two = format!("{DOOR}{}", DOOR.replace("door", "gate"));
    let repository =
        Repository::new(&[("types/kinds/all.rtype", &two), ("old.pp", "host { 'a': ip => 'no' }\nhost { 'b': ip => 'no' }\n")]);
    let git = |arguments: &[&str]| repository.git(".", arguments);
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "a"]);
    let codes = |arguments: &str| repository.codes(arguments).1;
    assert_eq!(codes("check . --select RT114").len(), 4);
    assert_eq!(codes("check . --since HEAD"), Vec::<String>::new());
    // All findings in the changed type are reported, none in the unchanged type.
    repository.write("types/kinds/all.rtype", &two.replacen("defaultto 3", "defaultto 4", 1));
    assert_eq!(codes("check . --since HEAD"), ["RT017"]);
    // In a changed resource file, only the changed resource is reported. In a new file, all resources are reported.
    repository.write("old.pp", "host { 'a': ip => 'no' }\nhost { 'b': ip => 'never' }\n");
    assert_eq!(codes("check old.pp --since HEAD"), ["RM005"]);
    repository.write("ne w.pp", "host { 'a': ip => 'no' }\nhost { 'b': ip => 'no' }\n");
    assert_eq!(codes("check . --since HEAD").len(), 4);
    assert_eq!(repository.run_in("types", "check ../old.pp --since HEAD", "").0, 1);
    let (exit, out, _) = repository.run("check old.pp --since HEAD");
    assert!(exit == 1 && out.contains("1 finding outside of the changes left out"), "{out}");
    let (exit, _, err) = repository.run("check . --since none");
    assert!(exit == 2 && err.contains("cannot read the revision `none`"), "{err}");
}

/// Files that git does not compare line by line count as new, and resources of a removed type are reported.
#[test]
fn changes_that_git_does_not_show_are_reported() {
    let door = |name: &str| format!("type {name} {{\n  newparam name {{\n    newvalues red, red\n  }}\n}}\n");
    let odd = "types/\u{1b}é\".rtype";
    let repository = Repository::new(&[
        (".gitignore", "made\n"),
        (".gitattributes", "binary.rtype -diff\n"),
        ("types/gone.rtype", &door("gone")),
        ("types/binary.rtype", &door("binary")),
        (odd, &door("odd")),
        ("kept.pp", "gone { 'a': }\n"),
        ("other/types/sub.rtype", &door("sub")),
    ]);
    for at in ["other", "."] {
        repository.git(at, &["init", "-q"]);
        repository.git(at, &["add", "."]);
        repository.git(at, &["commit", "-qm", "a"]);
    }
    let found = |arguments: &str| repository.codes(&format!("check --select RT017 --since HEAD {arguments}")).1;
    assert_eq!(found("types kept.pp"), Vec::<String>::new());
    // Files of a nested repository, ignored files, and files outside of the repository.
    assert_eq!(found("other"), ["RT017"]);
    repository.write("made/made.rtype", &door("made"));
    assert_eq!(found("made"), ["RT017"]);
    let outside = Repository::new(&[("far.rtype", &door("far"))]);
    assert_eq!(found(outside.path("far.rtype").to_str().unwrap()), ["RT017"]);
    // Binary files, and names that git quotes.
    repository.write("types/binary.rtype", &door("binary").replace("name {", "name { # here"));
    repository.write(odd, &door("odd").replace("name {", "name { # here"));
    assert_eq!(found("types"), ["RT017", "RT017"]);
    std::fs::remove_file(repository.path("types/gone.rtype")).unwrap();
    assert!(repository.codes("check --since HEAD --types types kept.pp").1.contains(&"RM001".to_owned()));
}

#[test]
fn suppressions_cover_a_line_an_item_or_a_file() {
    let allow = |line: &str, item: &str, file: &str| {
        format!(
            "{file}\ntype t {{\n  newparam name\n  {item}\n  newproperty p {{\n    newvalues a, a {line}\n  }}\n  newproperty q {{\n    newvalues b, b\n  }}\n}}\n"
        )
    };
    let by = "# rtype: allow(RT017, reason = \"old\")";
    let check = |text: String| Repository::new(&[("t.rtype", &text)]).codes("check .").1;
    assert_eq!(check(allow("", "", "")), ["RT017", "RT017"]);
    assert_eq!(check(allow(by, "", "")), ["RT017"]);
    assert_eq!(check(allow("", by, "")), ["RT017"]);
    assert_eq!(check(allow("", &format!("{by}\n\n  # more"), "")), ["RT017"]);
    assert_eq!(check(allow("", "", "# rtype: allow-file(duplicate-value, reason = \"old\")")), Vec::<String>::new());
    assert_eq!(check(allow("", "", by)), Vec::<String>::new(), "the type is what begins next");
}

#[test]
fn unused_suppressions_are_reported() {
    let text = |codes: &str| format!("type t {{\n  # rtype: allow({codes})\n  newparam name\n}}\n");
    let check = |codes: &str, arguments: &str| Repository::new(&[("t.rtype", &text(codes))]).codes(arguments).1;
    assert_eq!(check("RT017", "check ."), ["RT048"]);
    assert_eq!(check("RT017", "check . --ignore RT017"), Vec::<String>::new(), "the rule is not enabled");
    assert_eq!(check("RT023", "check . --profile default"), Vec::<String>::new(), "the rule is not enabled");
    assert_eq!(check("RT9", "check ."), ["RT409"]);
    assert_eq!(check("RT017, reason = \"\"", "check . --select RT054"), ["RT054", "RT048"]);
}

#[test]
fn rtype_toml_applies_to_subdirectories() {
    let config = "profile = \"strict\"\ntypes = [\"types\"]\nselect = []\nignore = [\"RT04\", \"RT05\"]\n[severity]\nRT023 = \"error\"\n[per-file]\n\"types/old/**\" = [\"ALL\"]\n";
    let repository =
        Repository::new(&[("rtype.toml", config), ("types/door.rtype", DOOR), ("types/old/gate.rtype", &DOOR.replace("door", "gate"))]);
    assert_eq!(repository.codes("check types/door.rtype").1, ["RT017", "RT023"]);
    let (_, out, _) = repository.run("check types/door.rtype");
    assert!(out.contains("error[RT023]"), "{out}");
    assert_eq!(repository.codes("check types/old").1, Vec::<String>::new());
    // The result is the same from a subdirectory and for an absolute path.
    assert_eq!(repository.run_in("types/old", "check gate.rtype", "").0, 0);
    let absolute = repository.path("types/old/gate.rtype").canonicalize().unwrap();
    assert_eq!(repository.run_in("types", &format!("check {}", absolute.display()), "").0, 0);
    // All commands find the types, from all directories.
    let (exit, out, err) = repository.run_in("types/old", "describe door", "");
    assert!(exit == 0 && out.contains("color"), "{out}{err}");
    // Excluded files are skipped, even if the user names them.
    repository.write("rtype.toml", "exclude = [\"types/old/**\", \"*.json\"]\n");
    repository.write("other.json", "{}");
    assert_eq!(repository.codes("check .").1, ["RT017"]);
    assert_eq!(repository.codes("check types/old/gate.rtype").1, Vec::<String>::new());
    repository.write("rtype.toml", config);
    // The command line takes precedence.
    assert_eq!(repository.codes("check types/door.rtype --profile min --ignore RT023").1, Vec::<String>::new());
}

#[test]
fn configuration_errors_are_explained() {
    insta::glob!("config/*.toml", |path| {
        let repository = Repository::new(&[("rtype.toml", &std::fs::read_to_string(path).unwrap()), ("door.rtype", DOOR)]);
        let (exit, out, err) = repository.run("check .");
        let directory = repository.directory.path().canonicalize().unwrap();
        assert_eq!((exit, out.as_str()), (2, ""), "{err}");
        crate::common::assert_fixture(path, &err.replace(directory.to_str().unwrap(), "@"));
    });
}

#[test]
fn a_baseline_hides_known_findings() {
    let repository = Repository::new(&[("door.rtype", DOOR)]);
    assert_eq!(repository.codes("check . --update-baseline"), (0, vec![]));
    let (exit, out, _) = repository.run("check ./door.rtype --baseline rtype-baseline.json");
    assert!(exit == 0 && out.contains("1 finding of the baseline left out"), "{out}");
    // Lines may move. New findings and stale entries are reported.
    repository.write("door.rtype", &DOOR.replace("type door {", "# a gate\n\ntype door {").replace("size {", "size {\n    newvalues 3, 3"));
    assert_eq!(repository.codes("check . --baseline rtype-baseline.json"), (1, vec!["RT017".into()]));
    repository.write("door.rtype", &DOOR.replace("red, red", "red"));
    assert_eq!(repository.codes("check . --baseline rtype-baseline.json"), (1, vec!["RT053".into()]));
    let (exit, out, err) = repository.run("check . --baseline none.json");
    assert!(exit == 2 && err.contains("none.json") && out.is_empty(), "{out}{err}");
    repository.write("none.json", "{}");
    let (exit, _, err) = repository.run("check . --baseline none.json");
    assert!(exit == 2 && err.contains("invalid baseline"), "{err}");
}

#[test]
fn updating_a_baseline_keeps_entries_of_unchecked_files() {
    let repository = Repository::new(&[("door.rtype", DOOR), ("gate.rtype", &DOOR.replace("door", "gate"))]);
    assert_eq!(repository.codes("check . --update-baseline"), (0, vec![]));
    // A rule that is not reported causes no stale entries.
    assert_eq!(repository.codes("check . --baseline rtype-baseline.json --ignore RT017"), (0, vec![]));
    repository.run("check door.rtype --update-baseline");
    repository.run("check . --ignore RT017 --update-baseline");
    assert_eq!(repository.codes("check . --baseline rtype-baseline.json"), (0, vec![]));
    // Entries of deleted files are removed.
    std::fs::remove_file(repository.path("gate.rtype")).unwrap();
    repository.run("check door.rtype --update-baseline");
    assert!(!repository.read("rtype-baseline.json").contains("gate"));
}

#[test]
fn standard_input_is_checked_under_the_given_name() {
    let repository = Repository::new(&[("types/nut.rtype", "type nut { newparam name }\nprovider steel, for: nut { }\n")]);
    let text = "type bolt { newparam name }\nprovider steel, for: bolt, parent: \"nut/steel\" { }\n";
    let (exit, out, _) = repository.run_in(".", "check - --stdin-filename types/bolt.rtype", text);
    assert_eq!((exit, out.as_str()), (0, "checked 1 type file, nothing found\n"));
    let (exit, out, _) = repository.run_in(".", "check - --stdin-filename types/bolt.rtype", &text.replace("nut/", "nud/"));
    assert!(exit == 1 && out.contains("types/bolt.rtype:2:"), "{out}");
}

#[test]
fn watching_checks_again_after_each_change() {
    let repository = Repository::new(&[("door.rtype", "type door { newparam name }\n")]);
    let program = assert_cmd::cargo::cargo_bin("rtype");
    let mut child = std::process::Command::new(program)
        .args(["check", ".", "--watch"])
        .current_dir(repository.directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let until = |text: &str| {
        let next = || lines.recv_timeout(Duration::from_secs(30)).ok();
        std::iter::from_fn(next).any(|line| line.contains(text))
    };
    assert!(until("checked 1 type file, nothing found") && until("watching"));
    repository.write("door.rtype", DOOR);
    assert!(until("warning[RT017]") && until("watching"));
    // Editors may replace a file instead of writing to it.
    repository.write("door.new", "type door { newparam name }\n");
    std::fs::rename(repository.path("door.new"), repository.path("door.rtype")).unwrap();
    assert!(until("checked 1 type file, nothing found"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn watching_a_missing_path_is_an_error() {
    let (exit, _, err) = Repository::new(&[]).run("check none --watch");
    assert!(exit == 2 && err.contains("cannot watch `none`"), "{err}");
}

#[test]
fn fixes_are_written_and_remaining_findings_reported() {
    let repository = Repository::new(&[("door.rtype", DOOR)]);
    let (exit, out, err) = repository.run("check . --diff --profile strict --select RT023");
    assert_eq!(repository.read("door.rtype"), DOOR);
    assert!(exit == 1 && out.contains("\n-    required\n"), "{out}{err}");
    let (exit, out, _) = repository.run("check . --fix --select RT023");
    assert!(exit == 1 && out.contains("1 finding fixed") && out.contains("RT017"), "{out}");
    assert!(!repository.read("door.rtype").contains("required"));
    let (exit, out, err) = repository.run_in(".", "check - --fix --select RT023 --stdin-filename door.rtype", DOOR);
    assert!(exit == 1 && out.starts_with("type door {") && !out.contains("required") && !out.contains("RT017"), "{out}");
    assert!(err.contains("RT017"), "{err}");
}

/// A secret in every possible place, and values that must be shown.
const LEAKY: &[(&str, &str)] = &[
    (
        "types/safe.rtype",
        "type safe {\n  newparam name\n  newparam pin { sensitive;  defaultto \"hunter1\" }\n  newparam color { newvalues red, red }\n}\n",
    ),
    ("a.pp", "nosuch { 'x':   password => 'hunter2' }\nuser { 'y':   my_token => 'hunter3', managehome => 'true' }\n"),
    ("b.pp", "safe { 'x':   pin => 'hunter4' }\nfile { '/a':   mode => 644, content => Sensitive('hunter5') }\n"),
    ("c.yaml", "nosuch:\n  x:\n    secret: hunter6\nsafe:\n  x: {pin: hunter7, mode: 644}\n"),
    ("d.json", "[{\"type\":\"nosuch\",\"title\":\"x\",\"parameters\":{\"api_key\":\"hunter8\"}}]"),
    ("e.pp", "safe { 'x':   pin => 'hunter9', }, nonsense\n"),
];

#[test]
fn no_command_shows_a_secret() {
    let repository = Repository::new(LEAKY);
    let formats = ["full", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit", "checkstyle", "rdjson"];
    let checks = formats.map(|format| format!("--verbose check --profile strict --format {format}"));
    let others = ["check --diff --unsafe-fixes", "fmt --diff", "inspect", "test", "doc", "schema", "diff types"].map(str::to_owned);
    for verb in checks.iter().chain(&others) {
        for (file, _) in LEAKY {
            let (_, out, err) = repository.run(&format!("--types types {verb} {file}"));
            assert!(!out.contains("hunter") && !err.contains("hunter"), "{verb} {file}\n{out}\n{err}");
        }
    }
}

#[test]
fn unreadable_files_fail_a_fix_as_well() {
    let repository = Repository::new(&[("door.rtype", DOOR)]);
    for verb in ["check", "check --fix", "check --diff"] {
        let (exit, out, err) = repository.run(&format!("{verb} nothing.rtype"));
        assert_eq!(exit, 1, "{verb}");
        assert!(out.contains("RT401") || err.contains("RT401"), "{verb}\n{out}\n{err}");
    }
}

#[test]
fn paths_without_types_are_reported() {
    let repository = Repository::new(&[("empty.rtype", ""), ("a.json", "[]")]);
    for (command, says) in [("doc empty.rtype", "no type in"), ("schema empty.rtype", "no type in"), ("fmt a.json", "neither")] {
        let (exit, _, err) = repository.run(command);
        assert_eq!(exit, 1, "{command}");
        assert!(err.contains(says), "{command}\n{err}");
    }
}

#[test]
fn rules_ignore_unreadable_declarations() {
    let broken = "type door {\n  newparam name\n  newproperty a\n  validate { fail \"none\" unless self.a and self.name }\n}\n";
    let files = [
        ("door.rtype", broken),
        ("unused.rtype", "fn helper(x) {\n  return x +\n}\ntype unused {\n  newparam name\n}\n"),
        ("file-line.rtype", "type file-line {\n  newparam name\n}\n"),
        ("value.pp", "file { '/x': ensure => ${foo} }\n"),
        ("text.yaml", "file:\n  /x: file\n"),
        ("key.yaml", "- type: file\n  title: /x\n  params: {ensure: file}\n"),
        ("semicolon.pp", "file { '/x': ensure => file; mode => '0644' }\n"),
    ];
    let repository = Repository::new(&files);
    for ((name, _), code) in files.iter().zip(["RT210", "RT201", "RT201", "RT201", "RT406", "RT406", "RT201"]) {
        assert_eq!(repository.codes(&format!("check {name}")), (1, vec![code.to_owned()]), "{name}");
    }
}

#[test]
fn a_mistake_in_a_body_with_several_titles_is_reported_once() {
    let site = "file { ['/a', '/b']: ensure => file, requires => Package['x'], before => File['/c'], mode => 'x' }\n";
    let repository = Repository::new(&[("site.pp", site)]);
    let (exit, mut codes) = repository.codes("check site.pp");
    codes.sort();
    assert_eq!((exit, codes.join(" ").as_str()), (1, "RM002 RM005 RM015"));
}

/// The provider of a resource depends on the machine that applies the resource.
#[test]
fn no_machine_means_no_known_provider() {
    let bolt = r#"
type bolt {
  newparam name
  newproperty length
  validate {
    fail "only steel" if provider.name != :steel
    fail "no thread" unless provider.has?(:thread)
    fail "thread" if provider.has?(:thread)
  }
}
provider steel, for: bolt {}
"#;
    let repository = Repository::new(&[("types/bolt.rtype", bolt), ("site.pp", "bolt { 'm8': length => 20 }\n")]);
    assert_eq!(repository.run("check --types types site.pp").0, 0);
}

#[test]
fn faults_in_parts_of_values_are_located_in_json_and_yaml() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    write("lamp.rtype", "type lamp {\n  newparam name\n  newproperty levels { type Hash[String, Array[Integer]] }\n}\n");
    write("a.json", "[{\"type\": \"lamp\", \"title\": \"a\", \"parameters\": {\n  \"levels\": {\"x\": [1, \"two\"],\n  \"y\": 3}}}]\n");
    write("b.yaml", "lamp:\n  b:\n    levels:\n      x: [1, 2]\n      y:\n        - three\n");
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
    let output =
        check.args(["check", "--types", ".", "--format", "concise", "a.json", "b.yaml"]).current_dir(directory.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for fault in ["a.json:2:23: RM005", "`levels['x'][1]`", "a.json:3:8: RM005", "b.yaml:6:11: RM005", "`levels['y'][0]`"] {
        assert!(text.contains(fault), "{fault}: {text}");
    }
    assert_eq!(text.matches("RM005").count(), 3, "{text}");
}
