//! What the documentation shows is so: every block of `rtype` code in it loads and passes its tests, or fails with the code it
//! announces.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod common;

use rtype::library::Library;
use rtype::provider::NativeProviders;
use rtype::testing::Suite;

/// The code blocks of a page: what stands behind the opening fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix("```").filter(|h| !h.is_empty()) {
            let body: Vec<&str> = lines.by_ref().take_while(|l| !l.starts_with("```")).collect();
            found.push((head.to_owned(), body.join("\n") + "\n"));
        }
    }
    found
}

#[test]
fn examples_of_types_load() {
    let (mut seen, mut run) = (0, 0);
    for path in ["docs/language.md", "README.md"] {
        let page = std::fs::read_to_string(path).unwrap();
        for (head, text) in blocks(&page).into_iter().filter(|(h, _)| h.starts_with("rtype")) {
            let mut library = Library::default();
            let source = library.sources.add(path, text.as_str()).unwrap();
            let types = library.load_text(&source, None);
            let tests = library.tests();
            let codes: Vec<&str> = library.diagnostics.iter().map(|d| d.code.info().id).collect();
            match head.strip_prefix("rtype error ") {
                Some(code) => assert_eq!(codes, [code], "{path}:\n{text}"),
                None => assert!(codes.is_empty(), "{path}:\n{text}\n{}", common::show(&library.diagnostics, &library.sources)),
            }
            if !tests.is_empty() {
                let suite = Suite::run(&types, &tests, None, &mut library, &NativeProviders::standard());
                let found: Vec<_> = suite.failures().cloned().collect();
                assert!(found.is_empty(), "{path}:\n{text}\n{}", common::show(&found, &library.sources));
                run += tests.len();
            }
            seen += 1;
        }
    }
    assert!(run >= 3, "only {run} tests were run");
    assert!(seen >= 8, "only {seen} examples were found");
}
