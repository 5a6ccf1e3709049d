//! `rtype import`: Ruby files with what becomes of them.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]

use assert_cmd::Command;
use rtype::diagnostics::{Renderer, Style};
use rtype::import::{NoFiles, import};
use rtype::library::Library;
use rtype::source::SourceMap;
use rtype::syntax::{Language, format};
use std::fmt::Write as _;

/// What is imported of a text, and told of it.
fn show(name: &str, text: &str) -> String {
    let mut sources = SourceMap::default();
    let source = sources.add(name, text).unwrap();
    let (types, diagnostics) = import(&source, &mut NoFiles, 100);
    let mut out = String::new();
    for one in types {
        let mut library = Library::default();
        let result = library.sources.add(format!("{}.rtype", one.name), &one.text).unwrap();
        assert_eq!(library.load_text(&result, None).types.len(), 1, "{:?}", library.diagnostics);
        assert_eq!(format(&result, Language::Types, 100).unwrap(), one.text);
        writeln!(out, "{}---", one.text).unwrap();
        for residue in &one.residues {
            writeln!(out, "{}: {}", source.position(residue.span.start).line, residue.reason).unwrap();
        }
        writeln!(out, "{} of {} blocks", one.translated, one.blocks).unwrap();
    }
    let renderer = Renderer::new(Style::Plain);
    diagnostics.iter().for_each(|d| writeln!(out, "{}", renderer.render(d, &sources, &Default::default())).unwrap());
    out
}

#[test]
fn types_are_translated() {
    insta::glob!("import/*.rb", |path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        insta::assert_snapshot!(show(name, &std::fs::read_to_string(path).unwrap()));
    });
}

/// Texts that end anywhere, or lack a piece: no panic, and what comes out can be loaded.
#[test]
fn no_text_makes_it_panic() {
    for name in ["code", "residue"] {
        let text = std::fs::read_to_string(format!("tests/import/{name}.rb")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for i in 0..lines.len() {
            show("x.rb", &lines[..i].join("\n"));
            show("x.rb", &[&lines[..i], &lines[i + 1..]].concat().join("\n"));
        }
    }
}

/// What is long or deep without end is left untranslated, or refused: the stack bears all of it.
#[test]
fn no_depth_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let many = |text: &str| text.repeat(9_000);
    for (name, code) in [
        ("parentheses", format!("{}v{}", many("("), many(")"))),
        ("branches", format!("if v == 1 then 2\n{}end", many("elsif v == 2 then 3\n"))),
        ("modifiers", format!("v{}", many(" if v"))),
        ("sum", format!("v{}", many(" + 1"))),
        ("text", format!("raise ArgumentError, 'a'{}", many(" + 'b'"))),
        ("copies", format!("v{}", many(".dup"))),
        ("path", format!("Pathname.new(v){}", many(".parent"))),
        ("constant", format!("A{}", many("::A"))),
        ("closures", format!("{}1{}", many("v.map { |a| "), many("}"))),
        ("nots", format!("{}v", many("!"))),
    ] {
        let file = folder.path().join(format!("{name}.rb"));
        let ruby =
            format!("Puppet::Type.newtype(:x) do\n  newparam(:n) do\n    isnamevar\n    munge do |v|\n{code}\n    end\n  end\nend\n");
        std::fs::write(&file, ruby).unwrap();
        let output = Command::cargo_bin("rtype").unwrap().arg("import").arg(&file).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => assert!(told.ends_with("1 type imported, 0 whole, 1 with residue; 0 of 1 blocks translated\n"), "{name}: {told}"),
            code => assert!(code == Some(1) && told.contains("RT412"), "{name}: {told}"),
        }
    }
}

#[test]
fn what_a_file_requires_is_read() {
    let output = Command::cargo_bin("rtype").unwrap().args(["import", "tests/import/lib/puppet/type/mixed.rb"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap() + "---\n" + &told);
}

#[test]
fn files_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = |file: &str| {
        let output = Command::cargo_bin("rtype").unwrap().args(["import", file, "-o"]).arg(folder.path()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, told) = run("tests/import/residue.rb");
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("tests/import/residue.rb:7: `Units.parse` has no counterpart"), "{told}");
    assert!(told.ends_with("1 type imported, 0 whole, 1 with residue; 0 of 5 blocks translated\n"), "{told}");
    let (code, told) = run("tests/import/residue.rb");
    assert!(code == Some(1) && told.contains("is there already"), "{told}");
    let (code, told) = run("tests/import/no_type.rb");
    assert!(code == Some(1) && told.contains("no type of Puppet"), "{told}");
}
