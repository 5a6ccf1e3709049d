//! The formatter: fixtures with snapshots, and properties of all valid sources.
//!
//! `fmt/` contains a source per case. The first line may be `# width: 60`. The mutations are made from the project's own files.

use proptest::prelude::*;
use rtype_lang::source::{Position, Source, SourceMap};
use rtype_lang::syntax;
use rtype_manifest::format as manifest;
use rtype_testkit::random::layout::{self, Language};
use rtype_testkit::random::manifest as manifest_properties;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn source(text: &str) -> Arc<Source> {
    SourceMap::new().add("test", text).unwrap()
}

fn language(path: &Path) -> Language {
    if path.extension().is_some_and(|e| e == "pp") { Language::Manifest } else { Language::Types }
}

#[test]
fn fixtures_are_formatted_as_reviewed() {
    insta::glob!("fmt/*.{rtype,pp}", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let width = text.strip_prefix("# width: ").and_then(|rest| rest.lines().next()?.parse().ok()).unwrap_or(syntax::LINE_WIDTH);
        let formatted = language(path).format(&source(&text), width).unwrap_or_else(|found| panic!("{found:?}"));
        layout::holds(&text, language(path), width);
        crate::common::assert_fixture(path, &formatted);
    });
}

fn files(directory: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(path.to_str().unwrap(), found);
        } else if path.extension().is_some_and(|e| e == "rtype" || e == "pp") {
            found.push(path);
        }
    }
}

/// Returns all valid sources of the project.
fn corpus() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for directory in ["stdlib-types", "examples", "tests"] {
        files(directory, &mut found);
    }
    found.sort();
    let texts = found.into_iter().filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text)));
    texts.filter(|(path, text)| text.len() < 20_000 && layout::parses(text, language(path))).collect()
}

#[test]
fn files_keep_their_meaning_at_every_width() {
    let corpus = corpus();
    assert!(corpus.len() > 100, "{}", corpus.len());
    for (path, text) in corpus {
        for width in [20, 60, 100, 200] {
            layout::holds(&text, language(&path), width);
        }
    }
}

#[test]
fn mutated_texts_keep_their_meaning() {
    let corpus: Vec<(PathBuf, String)> = corpus().into_iter().filter(|(_, text)| text.len() < 6_000).collect();
    let seconds = std::env::var("FORMAT_SECONDS").ok().and_then(|s| s.parse().ok());
    let until = std::time::Instant::now() + std::time::Duration::from_secs(seconds.unwrap_or(0));
    let mut rounds = 0u32;
    let mut kept = 0u32;
    while rounds == 0 || std::time::Instant::now() < until {
        let config = ProptestConfig { cases: 150, max_shrink_iters: 2_000, failure_persistence: None, ..ProptestConfig::default() };
        let strategy = (0..corpus.len(), prop::collection::vec(any::<(u16, u8, u8)>(), 0..12), 20..200usize);
        let count = std::cell::Cell::new(0u32);
        proptest::test_runner::TestRunner::new(config)
            .run(&strategy, |(file, changes, width)| {
                let (path, text) = &corpus[file];
                let text = layout::tampered(text, &changes);
                count.set(count.get() + u32::from(layout::holds(&text, language(path), width)));
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{error}"));
        rounds += 150;
        kept += count.get();
    }
    println!("{kept} of {rounds} texts were formatted");
    assert!(kept * 10 > rounds, "only {kept} of {rounds} texts parse");
}

#[test]
fn any_text_is_parsed_as_a_manifest_and_as_a_template() {
    let corpus: Vec<String> = corpus()
        .into_iter()
        .filter(|(path, text)| path.extension().is_some_and(|e| e == "pp") && text.len() < 4_000)
        .map(|(_, text)| text)
        .collect();
    assert!(corpus.len() > 20, "{}", corpus.len());
    let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    let strategy = (0..corpus.len(), prop::collection::vec(any::<(u16, u8, u8)>(), 1..12), any::<prop::sample::Index>());
    proptest::test_runner::TestRunner::new(config)
        .run(&strategy, |(file, changes, end)| {
            let text = layout::tampered(&corpus[file], &changes);
            let end = (0..=text.len()).rev().filter(|at| text.is_char_boundary(*at)).nth(end.index(text.len().max(1)) / 4).unwrap_or(0);
            manifest_properties::text(&text[..end]);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn formatting_a_range_changes_only_that_range() {
    let text = "type  a {\nnewparam   x\n  newparam  y   # why\n newparam   z\n}\ntype  b {\nnewparam q}\n";
    let source = source(text);
    let range = |from: (u32, u32), to: (u32, u32)| {
        let at = |(line, column)| source.at(Position { line, column });
        let span = rtype_lang::source::Span::new(at(from), at(to));
        let edit = syntax::format_range(&source, 100, span).unwrap();
        edit.map(|edit| syntax::apply(&source, &edit))
    };
    let after = |from: &str, to: &str| Some(text.replace(from, to));
    assert_eq!(range((2, 5), (2, 6)), after("newparam   x", "  newparam x"));
    assert_eq!(range((3, 1), (3, 9)), after("newparam  y   # why", "newparam y  # why"));
    assert_eq!(range((2, 1), (3, 9)), after("newparam   x\n  newparam  y   # why", "  newparam x\n  newparam y  # why"));
    assert_eq!(range((6, 1), (6, 2)), after("type  b {\nnewparam q}", "type b {\n  newparam q\n}"));
    assert_eq!(range((8, 1), (8, 1)), None);
}

#[test]
fn formatting_a_range_of_a_manifest_changes_only_its_lines() {
    let text = "class a {\n$x=1\n\n\n  $y=2\nfile{'/a':\nmode=>'0600',\n}\n}\n";
    let source = source(text);
    let range = |from: (u32, u32), to: (u32, u32)| {
        let at = |(line, column)| source.at(Position { line, column });
        let span = rtype_lang::source::Span::new(at(from), at(to));
        manifest::format_range(&source, span).unwrap().map(|edit| syntax::apply(&source, &edit))
    };
    let after = |from: &str, to: &str| Some(text.replace(from, to));
    assert_eq!(range((2, 2), (2, 3)), after("$x=1", "  $x = 1"));
    assert_eq!(range((2, 2), (5, 4)), after("$x=1\n\n\n  $y=2", "  $x = 1\n\n  $y = 2"));
    assert_eq!(range((6, 1), (7, 2)), after("file{'/a':\nmode=>'0600',", "  file { '/a':\n    mode => '0600',"));
    assert_eq!(range((4, 1), (4, 1)), None);
}

#[test]
fn the_examples_of_the_page_are_formatted() {
    let page = std::fs::read_to_string("docs/formatting.md").unwrap();
    for (fence, language) in [("```rtype\n", Language::Types), ("```puppet\n", Language::Manifest)] {
        let (_, example) = page.split_once(fence).unwrap();
        let (example, _) = example.split_once("```").unwrap();
        assert_eq!(language.format(&source(example), syntax::LINE_WIDTH).unwrap(), example);
    }
}
