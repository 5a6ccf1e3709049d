//! Types of Puppet modules written in the language. Every recorded case must agree with Puppet, or deviate for a reason in
//! `oracle/deviations.toml`.

use rtype_author::testing::Suite;
use rtype_lang::diagnostics::{Renderer, Style};
use rtype_provider::NativeProviders;
use rtype_testkit::oracle::deviations;
use rtype_testkit::oracle::suite::{self, TestOutcome};
use std::path::{Path, PathBuf};

const TYPES: &str = "tests/corpus/types";

fn names(directory: &str, suffix: &str) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new("tests/corpus").join(directory)).unwrap().map(|e| e.unwrap().file_name());
    let mut names: Vec<String> = entries.filter_map(|n| n.to_str()?.strip_suffix(suffix).map(str::to_owned)).collect();
    names.sort();
    names
}

#[test]
fn module_types_agree_with_puppet() {
    let read = |directory: &str| suite::read(&[Path::new("tests/corpus").join(directory)]).unwrap();
    let deviations = deviations::read(deviations::LIST);
    let mut library = rtype::app::input::types_in(vec![PathBuf::from(TYPES)]);
    let run = suite::run(&mut library, &read("cases"), &read("results"), &deviations, None).unwrap();

    assert!(!run.cases.is_empty());
    let wrong: Vec<String> = run
        .cases
        .iter()
        .filter_map(|case| match &case.outcome {
            TestOutcome::Agree | TestOutcome::Deviate => None,
            TestOutcome::NoType => Some(format!("{}: its type is missing", case.id)),
            TestOutcome::Unchecked => Some(format!("{}: not checked", case.id)),
            TestOutcome::Disagree(found) => {
                let sides = found.iter().map(|d| format!("\n  {}\n    puppet {}\n    rtype  {}", d.what, d.puppet, d.rtype));
                Some(format!("{}{}", case.id, sides.collect::<String>()))
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only some types of each family have cases. The other types must satisfy the general properties as well.
#[test]
fn all_types_load_and_their_tests_pass() {
    let mut library = rtype::app::input::types_in(vec![PathBuf::from(TYPES)]);
    let mut texts = Vec::new();
    for name in names("types", ".rtype") {
        let source = library.read(&format!("{TYPES}/{name}.rtype")).unwrap();
        let loaded = library.load_text(&source, Some(Path::new(TYPES)));
        assert_eq!(loaded.types.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), [name]);
        texts.push(loaded);
    }
    let tests = library.tests(&texts);
    let types: Vec<_> = texts.into_iter().flat_map(|loaded| loaded.types).collect();
    assert!(!tests.value.is_empty());
    let suite = Suite::run(&types, &tests, None, &library, &NativeProviders::standard());
    let renderer = Renderer::new(Style::Plain);
    let diagnostics = library.diagnostics();
    let told = diagnostics.iter().chain(&tests.diagnostics).chain(suite.failures());
    let told: Vec<String> = told.map(|d| renderer.render(d, &library.sources, &library.secrets)).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn each_case_has_a_type_and_a_result() {
    let (types, cases) = (names("types", ".rtype"), names("cases", ".jsonl"));
    assert_eq!(cases, names("results", ".jsonl"));
    assert_eq!(cases.iter().find(|name| !types.contains(name)), None);
}
