//! The documentation is correct: every block of `rtype` code loads and passes its tests, or fails with the announced code, and every
//! keyword of the language is documented.

use crate::common;
use rtype_author::docs::language;
use rtype_author::testing::Suite;
use rtype_lang::library::TypeSet;
use rtype_lang::lower::BlockKind;
use rtype_provider::NativeProviders;

/// Returns the code blocks of a page: the info string of the fence, and the code.
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
fn type_examples_load_and_pass_their_tests() {
    let (mut seen, mut run, mut wrong) = (0, 0, Vec::new());
    for path in ["docs/language.md", "docs/formatting.md", "docs/providers.md", "README.md"] {
        let page = std::fs::read_to_string(path).unwrap();
        for (head, text) in blocks(&page).into_iter().filter(|(h, _)| h.starts_with("rtype")) {
            let mut library = TypeSet::default();
            let source = library.sources.add(path, text.as_str()).unwrap();
            let loaded = library.load_text(&source, None);
            let (tests, types) = (library.tests([&loaded]), loaded.types);
            let diagnostics: Vec<_> = library.diagnostics().into_iter().chain(tests.diagnostics.clone()).collect();
            let codes: Vec<&str> = diagnostics.iter().map(|d| d.code.info().id).collect();
            let expected: Vec<&str> = head.strip_prefix("rtype error ").into_iter().collect();
            if codes != expected {
                wrong.push(format!("{path}: expected {expected:?}\n{text}\n{}", common::show(&diagnostics, &library.sources)));
            }
            // The general properties of every type are checked, too.
            let suite = Suite::run(&types, &tests, None, &library, &NativeProviders::standard());
            let found: Vec<_> = suite.failures().cloned().collect();
            if !found.is_empty() {
                wrong.push(format!("{path}:\n{text}\n{}", common::show(&found, &library.sources)));
            }
            run += tests.value.len();
            seen += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(run >= 35, "only {run} tests were run");
    assert!(seen >= 40, "only {seen} examples were found");
}

/// A row of the table of blocks in the reference.
fn block_row(kind: &BlockKind) -> String {
    let mark = |holds: bool| if holds { " yes |" } else { " |" };
    let params = if kind.params.is_empty() { String::new() } else { format!(" `{}`", kind.params.join(", ")) };
    let marks: String = [kind.sees_self, kind.sees_is, kind.has_super, kind.writes_self, kind.action].map(mark).concat();
    format!("| `{}` | {} |{params} | {} |{marks}", kind.name, kind.of, kind.gives)
}

#[test]
fn the_reference_lists_the_abilities_of_blocks() {
    let page = std::fs::read_to_string("docs/language.md").unwrap();
    let rows: Vec<String> = BlockKind::ALL.iter().map(block_row).collect();
    assert!(page.contains(&format!("\n{}\n\n", rows.join("\n"))), "the table of blocks should be\n{}", rows.join("\n"));
}

#[test]
fn the_reference_contains_every_keyword() {
    let page = std::fs::read_to_string("docs/language.md").unwrap();
    let examples = blocks(&page).into_iter().map(|(_, text)| text);
    let rows = page.lines().filter(|l| l.starts_with("| ")).map(str::to_owned);
    let shown: Vec<String> = examples.chain(rows).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let shows = |text: &String, word: &str| {
        text.match_indices(word).any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
    };
    let groups = ["directive", "option", "kind", "data type", "comparison", "block", "test", "outcome"];
    let missing: Vec<String> = language(None)
        .into_iter()
        .filter(|w| groups.contains(&w.group) && !shown.iter().any(|text| shows(text, &w.name)))
        .map(|w| format!("{} `{}`", w.group, w.name))
        .collect();
    assert!(missing.is_empty(), "docs/language.md shows in no example and no table: {}", missing.join(", "));
}

/// Returns the anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

#[test]
fn links_have_targets() {
    let directory = std::fs::read_dir("docs").unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "md"));
    let mut dead = Vec::new();
    for path in directory.chain(["README.md".into(), "CONTRIBUTING.md".into()]) {
        let page = std::fs::read_to_string(&path).unwrap();
        for link in page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.starts_with("http") || link.contains([' ', '`', '\n']) {
                continue;
            }
            let (file, part) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let fine = target.exists()
                && (part.is_empty() || {
                    let text = std::fs::read_to_string(&target).unwrap();
                    text.lines().any(|l| l.starts_with('#') && anchor(l.trim_start_matches('#')) == part)
                });
            if !fine {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn the_index_lists_every_page() {
    let index = std::fs::read_to_string("docs/README.md").unwrap();
    let names = std::fs::read_dir("docs").unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let missing: Vec<String> = names.filter(|n| n.ends_with(".md") && n != "README.md" && !index.contains(&format!("]({n})"))).collect();
    assert!(missing.is_empty(), "docs/README.md does not name {missing:?}");
}

#[test]
fn the_providers_page_lists_all_implemented_providers() {
    let page = std::fs::read_to_string("docs/providers.md").unwrap();
    let mut names: Vec<String> = NativeProviders::standard().names().map(|(of, name)| format!("`{of}/{name}`")).collect();
    names.sort();
    let list = names.join(" ");
    assert!(page.contains(&format!("\n{list}\n")), "docs/providers.md should have the line\n{list}");
}

/// `UPDATE_PAGES=1 cargo test --test it docs::` rewrites the page.
#[test]
fn the_command_line_page_matches_the_program() {
    let output = assert_cmd::Command::cargo_bin("rtype").unwrap().args(["doc", "--cli"]).output().unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write("docs/cli.md", &made).unwrap();
    }
    let page = std::fs::read_to_string("docs/cli.md").unwrap_or_default();
    assert!(page == made, "docs/cli.md is not that of the program: run `UPDATE_PAGES=1 cargo test --test it docs::`");
}
