//! Metamorphic tests: what the importer makes of a Ruby file does not depend on comments, names of locals, layout and statements without
//! effect.
//!
//! Each transformation (`transformations.rs`) changes a file, and all files that it loads. A change is made only if the fingerprint of the
//! syntax tree remains the same (`tree.rs`). The result of the import (`result.rs`) must remain the same, too.
//!
//! Failures are listed in `failures/*.tsv`: file, transformation, and the first difference. A failure that is not listed fails the test, and
//! so does a listed one that is gone: `RTYPE_METAMORPHIC=all UPDATE_FAILURES=1` removes
//! these lines. It adds none.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, clippy::panic, reason = "tests may panic")]

mod edits;
mod module_path;
mod normal;
mod result;
mod transformations;
mod tree;

use module_path::{ModulePath, Transformed};
use rtype_import::{Imported, Importer};
use rtype_lang::source::Source;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use transformations::ALL;

/// `cargo test` runs every sixth comparison.
const SAMPLE: u64 = 6;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A file to import, with its name in the list of failures and the modules that it may load files from.
struct Subject {
    name: String,
    file: PathBuf,
    modules: Vec<PathBuf>,
}

/// An importer, as a function.
type ImportFunction = fn(&Arc<Source>, &mut ModulePath) -> Vec<Imported>;

/// Imports with the importer that the program has.
fn first(source: &Arc<Source>, files: &mut ModulePath) -> Vec<Imported> {
    Importer::unformatted().import(source, files).0
}

/// Imports with the second importer.
#[cfg(feature = "compile")]
fn second(source: &Arc<Source>, files: &mut ModulePath) -> Vec<Imported> {
    rtype_import::compile::import(source, files).0
}

/// Failures by file and transformation.
type Failures = BTreeMap<(String, String), String>;

/// Returns whether a file is compared under a transformation. `cargo test` compares a sample; `RTYPE_METAMORPHIC=all` compares all.
fn is_selected(name: &str, transformation: &str) -> bool {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (name, transformation).hash(&mut hasher);
    std::env::var_os("RTYPE_METAMORPHIC").is_some() || hasher.finish().is_multiple_of(SAMPLE)
}

/// Returns the failures of a file, and the number of comparisons.
fn failures_of(subject: &Subject, transformed: &Transformed, import: ImportFunction) -> (Failures, usize) {
    let mut failures = Failures::new();
    let mut compared = 0;
    let selected: Vec<_> = ALL.iter().filter(|t| is_selected(&subject.name, t.name)).collect();
    let before = if selected.is_empty() { None } else { result::import(import, subject, None, transformed) };
    let Some(before) = before else { return (failures, compared) };
    for transformation in selected {
        let Some(after) = result::import(import, subject, Some(transformation), transformed) else { continue };
        compared += 1;
        if let Some(difference) = before.difference(&after) {
            failures.insert((subject.name.clone(), transformation.name.to_owned()), difference.replace(['\t', '\n'], " "));
        }
    }
    (failures, compared)
}

/// Returns the failures of all files, and the number of comparisons.
fn failures_of_all(subjects: &[Subject], import: ImportFunction) -> (Failures, usize) {
    let transformed = Transformed::default();
    let (next, all) = (AtomicUsize::new(0), Mutex::new((Failures::new(), 0)));
    let work = || {
        while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (failures, compared) = failures_of(subject, &transformed, import);
            let mut all = all.lock().unwrap();
            all.0.extend(failures);
            all.1 += compared;
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, work).unwrap();
        }
    });
    all.into_inner().unwrap()
}

/// Compares the failures with a list, and prints how many there are of each transformation.
fn compare_with_list(list: &str, subjects: &[Subject]) {
    let path = format!("{}/tests/metamorphic/failures/{list}.tsv", env!("CARGO_MANIFEST_DIR"));
    let (failures, compared) = failures_of_all(subjects, first);
    let updates = std::env::var_os("UPDATE_FAILURES").is_some();
    let text = std::fs::read_to_string(&path);
    assert!(updates || text.is_ok(), "{path} is missing; UPDATE_FAILURES=1 writes it");
    let is_new = text.is_err();
    let text = text.unwrap_or_default();
    let listed: Failures = text
        .lines()
        .filter_map(|line| {
            let [file, transformation, difference] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
            Some(((file.to_owned(), transformation.to_owned()), difference.to_owned()))
        })
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    failures.keys().for_each(|(_, transformation)| *counts.entry(transformation).or_default() += 1);
    for transformation in &ALL {
        println!("{:<30} {:>4} failures", transformation.name, counts.get(transformation.name).copied().unwrap_or_default());
    }
    println!("{list}: {} of {compared} comparisons fail", failures.len());
    let unlisted: Failures = failures.iter().filter(|(key, _)| !listed.contains_key(*key)).map(|(k, d)| (k.clone(), d.clone())).collect();
    assert!(!updates || std::env::var_os("RTYPE_METAMORPHIC").is_some(), "set RTYPE_METAMORPHIC=all, too: the list has all comparisons");
    if updates {
        let kept = failures.iter().filter(|(key, _)| is_new || listed.contains_key(*key));
        let lines: String = kept.map(|((file, transformation), difference)| format!("{file}\t{transformation}\t{difference}\n")).collect();
        std::fs::write(&path, lines).unwrap();
        assert!(is_new || unlisted.is_empty(), "new failures: {unlisted:#?}");
        return;
    }
    assert!(unlisted.is_empty(), "new failures: {unlisted:#?}");
    let gone: Vec<_> = listed.keys().filter(|key| is_selected(&key.0, &key.1) && !failures.contains_key(*key)).collect();
    assert!(gone.is_empty(), "these listed failures are gone; remove them with UPDATE_FAILURES=1: {gone:#?}");
}

/// Checks that no comparison fails with the second importer.
#[cfg(feature = "compile")]
fn assert_none_fails(subjects: &[Subject]) {
    let (failures, compared) = failures_of_all(subjects, second);
    println!("second importer: {} of {compared} comparisons fail", failures.len());
    assert!(failures.is_empty(), "{} of {compared}: {failures:#?}", failures.len());
}

/// Returns the files `*.rb` in a directory and the directories below it.
fn ruby_files(directory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in std::fs::read_dir(directory).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() {
            all.extend(ruby_files(&path));
        } else if path.extension().is_some_and(|e| e == "rb") {
            all.push(path);
        }
    }
    all.sort();
    all
}

fn subject(file: PathBuf, root: &Path, modules: &[PathBuf]) -> Subject {
    let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
    Subject { name, file, modules: modules.to_vec() }
}

/// Returns the types of modules.
fn types_of(root: &Path) -> Vec<Subject> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten().map(|e| e.path());
    let mut modules: Vec<PathBuf> = entries.filter(|path| path.join("lib").is_dir()).collect();
    modules.sort();
    let types = |module: &PathBuf| {
        let directory = module.join("lib/puppet/type");
        let files = std::fs::read_dir(&directory).into_iter().flatten().flatten().map(|e| e.path());
        let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "rb")).collect();
        files.sort();
        files
    };
    // The own module is searched first, as by the program.
    let path = |own: &PathBuf| [vec![own.clone()], modules.iter().filter(|m| *m != own).cloned().collect()].concat();
    modules.iter().flat_map(|module| types(module).into_iter().map(|file| subject(file, root, &path(module))).collect::<Vec<_>>()).collect()
}

/// Each transformation changes some file, and its changes are proven.
#[test]
fn transformations_leave_the_fingerprint_as_it_is() {
    let files = ruby_files(&Path::new(ROOT).join("tests/import"));
    let texts: Vec<String> = files.iter().step_by(5).map(|f| std::fs::read_to_string(f).unwrap()).collect();
    for transformation in &ALL {
        let edited: Vec<_> = texts.iter().filter_map(|text| Some((text, transformation.apply(text, 0)?))).collect();
        assert!(edited.len() >= 8, "{} changes {} files", transformation.name, edited.len());
        for (text, edited) in &edited {
            assert_eq!(tree::fingerprint(text, &HashMap::new()), tree::fingerprint(&edited.text, &edited.names));
        }
        println!("{:<30} {} files, {} changes", transformation.name, edited.len(), edited.iter().map(|(_, e)| e.applied).sum::<usize>());
    }
}

/// Texts that mean different things have different fingerprints.
#[test]
fn changes_of_meaning_change_the_fingerprint() {
    let none = HashMap::new();
    for (one, other) in [
        ("x = 1; x", "x = 2; x"),
        ("x = 1; x", "y = 1; x"),
        ("a.map { |v| v }", "a.map { |v| w }"),
        ("foo a do |v| v end", "foo a { |v| v }"),
        ("'a#{b}'", "\"a#{b}\""),
        ("x if y", "x unless y"),
        ("a && b", "a || b"),
        ("a.b\n-c", "a.b - c"),
        ("[1, 2]", "[1, [2]]"),
        ("return\nx", "return x"),
        ("x = <<~E\n  a\nE\n", "x = <<~E\n  b\nE\n"),
        ("if (m = f) then m end", "m if (m = f)"),
    ] {
        assert_ne!(tree::fingerprint(one, &none), tree::fingerprint(other, &none), "{one:?} and {other:?}");
    }
}

/// Returns the files of the tests.
fn files_of_tests() -> Vec<Subject> {
    let root = Path::new(ROOT).join("tests/import");
    let files = std::fs::read_dir(&root).unwrap().flatten().map(|e| e.path()).filter(|path| path.extension().is_some_and(|e| e == "rb"));
    let mut subjects: Vec<Subject> = files.map(|file| subject(file, &root, &[])).collect();
    subjects.sort_by(|one, other| one.name.cmp(&other.name));
    for directory in ["modules", "providers"] {
        let types = types_of(&root.join(directory));
        subjects.extend(types.into_iter().map(|s| Subject { name: format!("{directory}/{}", s.name), ..s }));
    }
    assert!(subjects.len() > 80);
    subjects
}

#[test]
fn results_do_not_change_in_the_files_of_the_tests() {
    compare_with_list("tests", &files_of_tests());
}

#[test]
#[cfg(feature = "compile")]
#[ignore = "11 of 243 comparisons fail"]
fn results_of_the_second_importer_do_not_change_in_the_files_of_the_tests() {
    assert_none_fails(&files_of_tests());
}

/// The types of Debian's modules, `puppet-module-*`.
#[test]
#[ignore = "takes minutes; a step of .ci/run"]
fn results_do_not_change_in_the_modules_of_debian() {
    compare_with_list("debian", &types_of_debian());
}

#[test]
#[cfg(feature = "compile")]
#[ignore = "takes minutes; a step of .ci/run"]
fn results_of_the_second_importer_do_not_change_in_the_modules_of_debian() {
    assert_none_fails(&types_of_debian());
}

fn types_of_debian() -> Vec<Subject> {
    let subjects = types_of(Path::new("/usr/share/puppet/modules"));
    assert!(subjects.len() >= 238, "only {} types; `tests/proof/run` installs the modules", subjects.len());
    subjects
}

/// The types of the modules in the directory `RTYPE_MODULES`, with the list `failures/given.tsv`.
#[test]
#[ignore = "for modules that are not part of the repository"]
fn results_do_not_change_in_given_modules() {
    let Some(root) = std::env::var_os("RTYPE_MODULES") else { return };
    compare_with_list("given", &types_of(Path::new(&root)));
}
