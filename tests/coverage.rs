//! `docs/coverage.md` is correct: each row is complete and unique, the named tests exist, and rtype refuses the constructs listed as
//! refused. The types in `coverage/*.rtype`, which most rows name, pass their tests.

use crate::common;
use rtype_author::testing::Suite;
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::collections::BTreeSet;
use std::path::Path;

/// A row: the feature of Puppet or the corpus, the equivalent in rtype, the tests, and the differences.
#[derive(Debug)]
struct Row {
    section: String,
    line: usize,
    cells: Vec<String>,
}

/// A test: a file, and a title, function or phrase in the file.
#[derive(Debug, PartialEq)]
struct Named {
    path: String,
    title: Option<String>,
}

/// Returns the rows of all tables without their headers.
fn rows(page: &str) -> Vec<Row> {
    let (mut section, mut in_table, mut rows) = (String::new(), false, Vec::new());
    for (i, line) in page.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        }
        let Some(inner) = line.strip_prefix('|') else {
            in_table = false;
            continue;
        };
        if in_table && !inner.starts_with("---") {
            // A `|` within a cell is escaped as `\|`.
            let text = inner.trim_end().strip_suffix('|').unwrap_or(inner).replace("\\|", "\u{0}");
            let cells = text.split('|').map(|c| c.replace('\u{0}', "|").trim().to_owned()).collect();
            rows.push(Row { section: section.clone(), line: i + 1, cells });
        }
        in_table = true;
    }
    rows
}

/// Returns the tests in a cell, a sequence of `` `path` `` or `` `path` "title" ``.
fn named(cell: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut rest = cell;
    while let Some((_, after)) = rest.split_once('`') {
        let Some((path, after)) = after.split_once('`') else { break };
        let title = after.trim_start().strip_prefix('"').and_then(|t| t.split_once('"'));
        found.push(Named { path: path.to_owned(), title: title.map(|(t, _)| t.to_owned()) });
        rest = title.map_or(after, |(_, after)| after);
    }
    found
}

/// Returns the snapshot of a fixture.
fn snapshot(path: &str) -> Option<String> {
    std::fs::read_to_string(format!("{path}.snap")).ok()
}

/// Returns the reason why a test does not exist; `None` for an existing test.
fn missing(test: &Named) -> Option<String> {
    let Named { path, title } = test;
    let Ok(text) = std::fs::read_to_string(path) else { return Some(format!("`{path}` does not exist")) };
    let in_folder = |directories: &[&str]| directories.iter().any(|f| path.starts_with(f));
    let holds = |what: String| (!text.contains(&what)).then(|| format!("`{path}` has no {what}"));
    match (Path::new(path).extension().and_then(|e| e.to_str()), title) {
        (Some("rtype"), Some(title)) if in_folder(&["tests/coverage/", "stdlib-types/"]) => holds(format!("test \"{title}\" {{")),
        (Some("rs"), Some(name)) => {
            holds(format!("#[test]\nfn {name}()")).and_then(|m| holds(format!("#[test]\n    fn {name}()")).and(Some(m)))
        }
        (Some("md"), Some(part)) if in_folder(&["tests/cmd/"]) => holds(part.clone()),
        (Some("jsonl"), None) if in_folder(&["tests/oracle/cases/"]) => None,
        (_, None) if in_folder(&["tests/lower/", "tests/resource/", "tests/act/", "tests/syntax/", "tests/repl/", "tests/testing/"]) => {
            snapshot(path).is_none().then(|| format!("`{path}` has no snapshot"))
        }
        _ => Some(format!("`{path}` is not a test by itself, or its title is missing")),
    }
}

/// Returns the diagnostic codes in a string.
fn codes(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|w| w.len() == 5 && (w.starts_with("RT") || w.starts_with("RM")) && w[2..].bytes().all(|b| b.is_ascii_digit())).collect()
}

/// Returns the errors of a single row.
fn wrong(row: &Row) -> Vec<String> {
    let [construct, ours, tests, note] = &row.cells[..] else { return vec![format!("it has {} cells, not 4", row.cells.len())] };
    let mut found = Vec::new();
    for (cell, what) in [(construct, "construct"), (ours, "way to say it"), (tests, "test"), (note, "note")] {
        if cell.is_empty() {
            found.push(format!("the {what} is empty"));
        }
    }
    let tests = named(tests);
    if tests.is_empty() {
        found.push("it names no test".to_owned());
    }
    found.extend(tests.iter().filter_map(missing));
    let shown: String = tests.iter().filter_map(|t| snapshot(&t.path)).collect();
    found.extend(codes(note).difference(&codes(&shown)).map(|code| format!("no snapshot of its tests has {code}")));
    if note.starts_with("refused") {
        if codes(note).is_empty() {
            found.push("it is refused without a code".to_owned());
        }
        // The message must contain the rejected word.
        let word = construct.split('`').nth(1).unwrap_or_default();
        if word.is_empty() || !shown.contains(word) {
            found.push(format!("no snapshot of its tests has `{word}`"));
        }
    }
    found
}

/// Returns the errors of a page.
fn mistakes(page: &str) -> Vec<String> {
    let rows = rows(page);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for row in &rows {
        let what = row.cells.first().cloned().unwrap_or_default();
        found.extend(wrong(row).into_iter().map(|m| format!("line {}, {what}: {m}", row.line)));
        if !seen.insert((row.section.clone(), what.clone())) {
            found.push(format!("line {}, {what}: it is a duplicate", row.line));
        }
    }
    if rows.is_empty() {
        found.push("the table is empty".to_owned());
    }
    found
}

#[test]
fn every_row_is_complete_and_names_tests_that_exist() {
    let found = mistakes(&std::fs::read_to_string("docs/coverage.md").unwrap());
    assert!(found.is_empty(), "{} mistakes in docs/coverage.md:\n{}", found.len(), found.join("\n"));
}

#[test]
fn tests_named_in_the_rows_pass() {
    let mut library = TypeSet::default();
    let mut paths: Vec<_> = std::fs::read_dir("tests/coverage").unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut texts = Vec::new();
    for path in &paths {
        let source = library.sources.add(path.to_str().unwrap(), std::fs::read_to_string(path).unwrap()).unwrap();
        texts.push(library.load_text(&source, None));
    }
    let tests = library.tests(&texts);
    let types: Vec<_> = texts.into_iter().flat_map(|loaded| loaded.types).collect();
    let suite = Suite::run(&types, &tests, None, &library, &NativeProviders::standard());
    let found: Vec<_> = library.diagnostics().iter().chain(&tests.diagnostics).chain(suite.failures()).cloned().collect();
    assert!(found.is_empty(), "{}", common::show(&found, &library.sources));
}

#[test]
fn the_checks_detect_errors() {
    let found = |row: &str| mistakes(&format!("## s\n\n| a | b | c | d |\n|---|---|---|---|\n{row}\n")).join("; ");
    let lower = "`tests/lower/refused.rtype`";
    assert_eq!(found(&format!("| `newcheck` | - | {lower} | refused, RT117 |")), "");
    assert_eq!(found("| x | `{ \\|v\\| v }` | `tests/lower.rs` \"a_default_of_false_is_kept\" | as Puppet |"), "");
    for (row, message) in [
        (format!("| x | | {lower} | n |"), "the way to say it is empty"),
        (format!("| x | y | {lower} |"), "it has 3 cells, not 4"),
        ("| x | y | see there | n |".to_owned(), "it names no test"),
        ("| x | y | `tests/nowhere.txt` | n |".to_owned(), "`tests/nowhere.txt` does not exist"),
        ("| x | y | `tests/coverage/blocks.rtype` | n |".to_owned(), "its title is missing"),
        ("| x | y | `tests/coverage/blocks.rtype` \"no such\" | n |".to_owned(), "has no test \"no such\" {"),
        ("| x | y | `tests/lower.rs` \"load\" | n |".to_owned(), "`tests/lower.rs` has no #[test]"),
        ("| x | y | `tests/lower/types/features/ceph.rtype` | n |".to_owned(), "has no snapshot"),
        ("| x | y | `docs/language.md` | n |".to_owned(), "is not a test by itself"),
        (format!("| `newcheck` | - | {lower} | refused, RT999 |"), "no snapshot of its tests has RT999"),
        (format!("| `newcheck` | - | {lower} | refused |"), "it is refused without a code"),
        (format!("| `nosuchword` | - | {lower} | refused, RT117 |"), "no snapshot of its tests has `nosuchword`"),
        (format!("| x | y | {lower} | n |\n| x | z | {lower} | m |"), "it is a duplicate"),
        (String::new(), "the table is empty"),
    ] {
        let found = found(&row);
        assert!(found.contains(message), "{row}\n{found}\nnot {message}");
    }
}
