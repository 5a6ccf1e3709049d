//! `rtype diff`: pairs of versions, and the reported differences.

use assert_cmd::Command;
use rtype_author::diff::{Bump, ChangeClass, ChangeKind, DiffSource, TypeChange, compare, json, markdown, text};
use rtype_lang::library::TypeSet;
use rtype_lang::types::TypeDef;
use std::path::Path;
use std::sync::Arc;

/// Returns the types in a file. All versions share the file name.
fn load(path: &Path, name: &str) -> (TypeSet, Vec<Arc<TypeDef>>) {
    let mut library = TypeSet::default();
    let source = library.sources.add(name, std::fs::read_to_string(path).unwrap()).unwrap();
    let types = library.load_text(&source, None).types;
    assert!(library.diagnostics().is_empty(), "{path:?} {:?}", library.diagnostics());
    (library, types)
}

fn changes(directory: &Path) -> (TypeSet, TypeSet, Vec<TypeChange>) {
    let (old, was) = load(&directory.join("old.rtype"), "old");
    let (new, is) = load(&directory.join("new.rtype"), "new");
    let found = compare(&was, &is);
    (old, new, found)
}

fn side(library: &TypeSet) -> DiffSource<'_> {
    DiffSource { sources: &library.sources, renamed: None }
}

#[test]
fn changes_are_reported() {
    insta::glob!("diff/*/old.rtype", |path| {
        let (old, new, found) = changes(path.parent().unwrap());
        crate::common::assert_fixture(path, &text(&found, side(&old), side(&new), false, false));
    });
}

#[test]
fn every_kind_of_change_is_tested_and_documented() {
    let directories = std::fs::read_dir("tests/diff").unwrap().map(|e| e.unwrap().path());
    let seen: Vec<ChangeKind> = directories.flat_map(|directory| changes(&directory).2).map(|c| c.kind).collect();
    let page = std::fs::read_to_string("docs/diff.md").unwrap();
    for kind in ChangeKind::ALL {
        assert!(seen.contains(kind), "no case in tests/diff has `{}`", kind.id());
        let class = serde_json::to_value(kind.class()).unwrap();
        let row = format!("| `{}` | `{}` | {} |", kind.id(), class.as_str().unwrap(), kind.text());
        assert!(page.contains(&row), "docs/diff.md lacks\n{row}");
    }
    assert_eq!(page.split("## Kinds").last().unwrap().matches("\n| `").count(), ChangeKind::ALL.len(), "a row too many in docs/diff.md");
}

#[test]
fn equal_versions_have_no_changes() {
    let load = |name: &str| TypeSet::default().load(name).unwrap();
    for name in TypeSet::default().names() {
        let found = compare(&[load(&name)], &[load(&name)]);
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

#[test]
fn json_and_markdown_output() {
    let (old, new, found) = changes(Path::new("tests/diff/values"));
    insta::assert_snapshot!("json", serde_json::to_string_pretty(&json(&found, side(&old), side(&new), false)).unwrap());
    insta::assert_snapshot!("markdown", markdown(&found));
}

#[test]
fn secrets_are_redacted() {
    let (old, new, found) = changes(Path::new("tests/diff/attributes"));
    let all =
        [text(&found, side(&old), side(&new), false, false), json(&found, side(&old), side(&new), false).to_string(), markdown(&found)];
    assert!(all.iter().all(|text| !text.contains("hunter")), "{all:?}");
}

#[test]
fn the_largest_change_determines_the_version() {
    let of = |name: &str| changes(&Path::new("tests/diff").join(name)).2;
    assert_eq!(Bump::of(&of("nothing_but_layout"), false), Bump::None);
    assert_eq!(Bump::of(&of("types"), false), Bump::Major);
    let some = |class| of("blocks").into_iter().filter(|c| c.kind.class() == class).collect::<Vec<_>>();
    assert_eq!(Bump::of(&some(ChangeClass::Changed), false), Bump::Patch);
    assert_eq!((Bump::of(&some(ChangeClass::MayBreak), false), Bump::of(&some(ChangeClass::MayBreak), true)), (Bump::Minor, Bump::Major));
}

#[test]
fn a_git_revision_is_compared() {
    let directory = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]).args(arguments).current_dir(&directory);
        command.assert().success();
    };
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let run = |from: &str, arguments: &[&str]| {
        let output =
            Command::cargo_bin("rtype").unwrap().arg("diff").args(arguments).current_dir(directory.path().join(from)).output().unwrap();
        let text = format!("{}{}", String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        format!("$ {from}> rtype diff {}\n{text}--- exit {}\n", arguments.join(" "), output.status.code().unwrap())
    };
    git(&["init", "-q", "-b", "main"]);
    write(
        "sub/types/motd.rtype",
        "use \"kinds/text\"\ntype motd {\n  newparam name { isnamevar }\n  newparam line, kind: text { desc \"x\" }\n}\n",
    );
    write("sub/types/kinds/text.rtype", "kind text { matches /^[a-z]*$/ }\n");
    write("sub/types/broken.rtype", "type broken { newparam name { isnamevar } }\n");
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "one"]);
    write("sub/types/kinds/text.rtype", "kind text { matches /^[a-y]*$/ }\n");
    write("sub/new/fresh.rtype", "type fresh { newparam name { isnamevar } }\n");
    let mut told = String::new();
    told += &run("", &["--since", "HEAD", "sub/types"]);
    told += &run("sub/types", &["--since", "main", "motd.rtype"]);
    told += &run("sub/types", &["--since", "main", "broken.rtype"]);
    told += &run("sub", &["--since", "main", "."]);
    told += &run("sub", &["--since", "main", "new"]);
    told += &run("sub", &["--since", "v9", "types"]);
    told += &run("sub", &["--since", "--help", "types"]);
    write("sub/types/broken.rtype", "type broken { }\n");
    git(&["commit", "-q", "-a", "-m", "two"]);
    write("sub/types/broken.rtype", "type broken { newparam name { isnamevar } }\n");
    told += &run("sub", &["--since", "HEAD", "types/broken.rtype"]);
    insta::assert_snapshot!("since", told);
    // Not in a repository.
    let lonely = tempfile::tempdir().unwrap();
    std::fs::write(lonely.path().join("t.rtype"), "").unwrap();
    let output = Command::cargo_bin("rtype").unwrap().args(["diff", "--since", "HEAD", "t.rtype"]).current_dir(&lonely).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("not a git repository"));
}

/// Returns the output of a comparison of the two small catalogs.
fn catalogs(arguments: &[&str]) -> String {
    let paths = ["tests/catalogs/small/old.json", "tests/catalogs/small/new.json"];
    let output = Command::cargo_bin("rtype").unwrap().arg("diff").args(paths).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn catalogs_are_compared_without_their_secrets() {
    let formats = ["text", "json", "markdown"].map(|format| catalogs(&["--format", format]));
    for text in &formats {
        assert!(text.contains("password") && text.contains("api_key"), "{text}");
        assert!(!text.contains("hunter"), "{text}");
    }
    let [_, json, markdown] = &formats;
    insta::assert_snapshot!("catalogs_json", json);
    insta::assert_snapshot!("catalogs_markdown", markdown);
}

#[test]
fn resources_in_different_formats_are_compared() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    write("old.pp", "file { '/a': mode => '644' }\nservice { 'x': ensure => running }\nFile['/a'] -> Service['x']\n");
    write("new.yaml", "- {type: file, title: /a, parameters: {mode: '0644'}}\n- {type: service, title: x, parameters: {ensure: true}}\n");
    let output = Command::cargo_bin("rtype").unwrap().args(["diff", "old.pp", "new.yaml"]).current_dir(&directory).output().unwrap();
    insta::assert_snapshot!("catalogs_otherwise", String::from_utf8(output.stdout).unwrap());
}
