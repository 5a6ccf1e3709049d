//! `rtype test`: `testing/*.rtype` contains types with tests; the snapshot contains the diagnostics.

use crate::common;
use rtype_author::testing::Suite;
use rtype_lang::diagnostics::{Diagnostic, Severity};
use rtype_lang::diagnostics::{Renderer, Style};
use rtype_lang::library::Library;
use rtype_provider::NativeProviders;
use std::fmt::Write;
use std::path::PathBuf;

#[test]
fn failures_are_explained() {
    insta::glob!("testing/*.rtype", |path| {
        let mut library = Library::default();
        let source = library.sources.add("t.rtype", std::fs::read_to_string(path).unwrap()).unwrap();
        let types = library.load_text(&source, None).types;
        let tests = library.tests();
        let mut out = String::new();
        let suite = Suite::run(&types, &tests, None, &mut library, &NativeProviders::standard());
        let renderer = Renderer::new(Style::Plain);
        for diagnostic in library.diagnostics.iter().chain(suite.failures()) {
            let _ = writeln!(out, "{}", renderer.render(diagnostic, &library.sources, &library.secrets));
        }
        for result in &suite.results {
            let _ = writeln!(out, "{} {}", if result.passed() { "passed" } else { "FAILED" }, result.title);
        }
        out += &suite.text(&library.sources);
        for secret in ["hunter2", "open sesame", "key-is", "key-should", "key-guess", "key-secret"] {
            assert!(!out.contains(secret), "{secret} is shown:\n{out}");
        }
        insta::assert_snapshot!(out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"));
    });
}

#[test]
fn all_tests_of_the_standard_library_pass() {
    let mut library = rtype::app::input::library(Vec::new());
    let mut types = Vec::new();
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut directories = vec![PathBuf::from("stdlib-types")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { directories.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    for path in &paths {
        let source = library.read(path.to_str().unwrap()).unwrap();
        types.extend(library.load_text(&source, path.parent()).types);
    }
    let tests = library.tests();
    assert!(tests.len() >= 30, "only {} tests", tests.len());
    let suite = Suite::run(&types, &tests, None, &mut library, &NativeProviders::standard());
    // Two types replace a metaparameter by a parameter, as in Puppet, which is reported as a note.
    let counts = |d: &&Diagnostic| d.severity != Severity::Note;
    let found: Vec<_> = library.diagnostics.iter().filter(counts).chain(suite.failures()).cloned().collect();
    assert!(found.is_empty(), "{}", common::show(&found, &library.sources));
}
