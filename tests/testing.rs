//! `rtype test`: `testing/*.rtype` contains types with tests. The snapshot contains the diagnostics.

use crate::common;
use rtype_author::testing::Suite;
use rtype_lang::diagnostics::{Diagnostic, Severity};
use rtype_lang::diagnostics::{Renderer, Style};
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::fmt::Write;
use std::path::PathBuf;

#[test]
fn failures_are_explained() {
    insta::glob!("testing/*.rtype", |path| {
        let mut library = TypeSet::default();
        let source = library.sources.add("t.rtype", std::fs::read_to_string(path).unwrap()).unwrap();
        let loaded = library.load_text(&source, None);
        let (tests, types) = (library.tests([&loaded]), loaded.types);
        let mut out = String::new();
        let suite = Suite::run(&types, &tests, None, &library, &NativeProviders::standard());
        let renderer = Renderer::new(Style::Plain);
        for diagnostic in library.diagnostics().iter().chain(&tests.diagnostics).chain(suite.failures()) {
            let _ = writeln!(out, "{}", renderer.render(diagnostic, &library.sources, &library.secrets));
        }
        for result in &suite.results {
            let _ = writeln!(out, "{} {}", if result.passed() { "passed" } else { "FAILED" }, result.title);
        }
        out += &suite.text(&library.sources);
        for secret in ["hunter2", "open sesame", "key-is", "key-should", "key-guess", "key-secret"] {
            assert!(!out.contains(secret), "{secret} is shown:\n{out}");
        }
        common::assert_fixture(path, &out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"));
    });
}

#[test]
fn coverage_names_what_no_test_reaches() {
    let mut library = TypeSet::default();
    let source = library.sources.add("t.rtype", std::fs::read_to_string("tests/fixtures/coverage/door.rtype").unwrap()).unwrap();
    let loaded = library.load_text(&source, None);
    let (tests, types) = (library.tests([&loaded]), loaded.types);
    let natives = NativeProviders::standard();
    let suite = Suite::run_with_coverage(&types, &tests, None, &library, &natives);
    let coverage = suite.coverage.as_ref().unwrap();
    insta::assert_snapshot!(coverage.text(&library.sources));
    let found = coverage.total();
    assert_eq!(found.total - found.reached, coverage.unreached.len());
    assert_eq!(suite.json(&library.sources)["coverage"]["unreached"].as_array().unwrap().len(), coverage.unreached.len());
    // Automatic checks do not count.
    let suite = Suite::run_with_coverage(&types, &tests, Some("nothing has this title"), &library, &natives);
    assert_eq!(suite.coverage.unwrap().total().reached, 0);
    assert!(Suite::run(&types, &tests, None, &library, &natives).coverage.is_none());
}

#[test]
fn all_tests_of_the_standard_library_pass() {
    let mut library = rtype::app::input::types_in(Vec::new());
    let mut loaded = Vec::new();
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
        loaded.push(library.load_text(&source, path.parent()));
    }
    let tests = library.tests(&loaded);
    let types: Vec<_> = loaded.into_iter().flat_map(|loaded| loaded.types).collect();
    assert!(tests.value.len() >= 30, "only {} tests", tests.value.len());
    let suite = Suite::run(&types, &tests, None, &library, &NativeProviders::standard());
    // As in Puppet, two types replace a metaparameter with a parameter. rtype reports a note.
    let counts = |d: &&Diagnostic| d.severity != Severity::Note;
    let found: Vec<_> = library.diagnostics().iter().chain(&tests.diagnostics).filter(counts).chain(suite.failures()).cloned().collect();
    assert!(found.is_empty(), "{}", common::show(&found, &library.sources));
}
