//! Measures the checking of type files: parsing and lowering the standard library, repeated under new names, and a
//! complete parallel check of its files with all rules.
//!
//! The time must be linear: if ten times the lines take more than ten times as long, something is quadratic.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regex::Regex;
use rtype_author::check::{Input, Selection};
use rtype_lang::diagnostics::{Profile, Severity};
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::path::Path;
use std::time::Duration;

/// Returns the types of the standard library, one text each, without their tests.
fn types() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir("stdlib-types")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "rtype"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .filter(|(name, _)| name != "prelude")
        .collect();
    all.sort();
    all
}

/// Repeats the types up to a number of lines, with unique names for the top-level declarations of each copy.
fn text(lines: usize) -> String {
    let types = types();
    let declared = Regex::new(r"(?m)^(?:const|fn|kind|mixin) (\w+)").unwrap();
    let mut out = String::new();
    let mut count = 0;
    for (number, (name, text)) in types.iter().cycle().enumerate() {
        if count >= lines {
            break;
        }
        // The type's name is also a common word: only rename it in its declaration, providers and tests.
        let uses = Regex::new(&format!(r"(?m)^(type |  |provider \w+, for: ){name}(,| \{{)")).unwrap();
        let mut text = uses.replace_all(text, format!("${{1}}{name}{number}${{2}}")).into_owned();
        let own: Vec<String> = declared.captures_iter(&text).map(|c| c[1].to_owned()).collect();
        for word in own {
            text = Regex::new(&format!(r"\b{word}\b")).unwrap().replace_all(&text, format!("{word}{number}")).into_owned();
        }
        count += text.lines().count();
        out.push_str(&text);
    }
    out
}

fn check(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    for lines in [1_000, 10_000, 100_000] {
        let text = text(lines);
        let checked = load(&text);
        assert!(checked.diagnostics().iter().all(|d| !d.is_error()), "{:?}", checked.diagnostics().iter().find(|d| d.is_error()));
        assert!(checked.registry().iter().count() >= lines / 500);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("types/{lines}"), |b| b.iter(|| load(&text)));
    }
    group.finish();
}

/// Returns a library that has loaded only this text.
fn load(text: &str) -> TypeSet {
    let mut library = TypeSet::default();
    let source = library.sources.add("bench", text.to_owned()).unwrap();
    library.load_text(&source, Some(Path::new(".")));
    library
}

/// Checks all types of the embedded standard library.
fn standard_library(criterion: &mut Criterion) {
    let load_all = || {
        let library = TypeSet::default();
        let names = library.names();
        assert!(names.iter().all(|name| library.load(name).is_some()));
        library
    };
    criterion.bench_function("load/standard library", |b| b.iter(load_all));
}

/// Checks the files of the standard library like those of a repository.
fn rules(criterion: &mut Criterion) {
    let texts = types();
    let selection = Selection { profile: Profile::Strict, ..Selection::default() };
    let natives = NativeProviders::standard();
    let run = || {
        let mut library = TypeSet::default();
        let kept = texts.iter().map(|(name, text)| library.sources.add(format!("stdlib-types/{name}.rtype"), text.as_str()).unwrap());
        let inputs: Vec<Input> = kept.map(|source| Input::Types(source, Some("stdlib-types".into()))).collect();
        rtype_author::check::run(&inputs, Vec::new(), &mut library, &natives, &UnknownWorld, &selection)
    };
    assert_eq!(run().count(Severity::Error), 0);
    let mut group = criterion.benchmark_group("run");
    group.sample_size(20).throughput(Throughput::Bytes(texts.iter().map(|(_, text)| text.len() as u64).sum()));
    group.bench_function("standard library", |b| b.iter(run));
    group.finish();
}

criterion_group!(benches, check, standard_library, rules);
criterion_main!(benches);
