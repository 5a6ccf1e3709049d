//! Mistakes planted in the standard library. The test counts the mistakes that the linter finds.
//!
//! `mutants/table.toml` contains the changes and the expected codes. The files themselves are not changed.

use rtype_author::check::{self, Input, Selection};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_provider::NativeProviders;
use std::collections::HashMap;

#[derive(serde::Deserialize)]
struct Table {
    mutant: Vec<Mutant>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    what: String,
    file: String,
    from: String,
    to: String,
    /// The expected code.
    code: Option<String>,
    /// The reason why the linter finds no problem.
    miss: Option<String>,
}

/// The minimum number of mistakes to find, out of fifty.
const WANTED: usize = 45;

fn text_of(file: &str) -> String {
    let directory = if file.ends_with(".rtype") { "stdlib-types" } else { "tests/mutants" };
    std::fs::read_to_string(format!("{directory}/{file}")).unwrap()
}

/// Returns the findings of profile `default`: codes and messages.
fn found(file: &str, text: &str) -> Vec<(Code, String)> {
    let mut library = TypeSet::default();
    let source = library.sources.add(file, text).unwrap();
    let input = if file.ends_with(".rtype") { Input::Types(source, None) } else { Input::Resources(source) };
    let selection = Selection::default();
    let checked = check::run(&[input], Vec::new(), &mut library, &NativeProviders::standard(), &UnknownWorld, &selection);
    checked.findings.into_iter().map(|f| (f.diagnostic.code, f.diagnostic.message)).collect()
}

/// Returns the new findings, with duplicates.
fn beyond(mut found: Vec<(Code, String)>, before: Vec<(Code, String)>) -> Vec<(Code, String)> {
    for old in before {
        if let Some(at) = found.iter().position(|f| *f == old) {
            found.remove(at);
        }
    }
    found
}

#[test]
fn planted_mistakes_are_found() {
    let table: Table = toml::from_str(&std::fs::read_to_string("tests/mutants/table.toml").unwrap()).unwrap();
    let mut before: HashMap<String, Vec<(Code, String)>> = HashMap::new();
    let (mut wrong, mut caught) = (Vec::new(), 0);
    for mutant in &table.mutant {
        let Mutant { what, file, from, to, code, miss } = mutant;
        let text = text_of(file);
        let changed = text.replacen(from, to, 1);
        assert!(text != changed, "{file} has no `{from}`: {what}");
        let known = before.entry(file.clone()).or_insert_with(|| found(file, &text)).clone();
        let new = beyond(found(file, &changed), known);
        let shown: Vec<String> = new.iter().map(|(code, message)| format!("{code} {message}")).collect();
        let as_expected = match (code, miss) {
            (Some(code), None) => new.iter().any(|(c, _)| c.info().id == code),
            (None, Some(_)) => new.is_empty(),
            _ => panic!("{what}: either `code` or `miss`"),
        };
        caught += usize::from(!new.is_empty());
        if !as_expected {
            wrong.push(format!("{file}: {what}: {} wanted, found: {shown:?}", code.as_deref().unwrap_or("nothing")));
        }
    }
    let all = table.mutant.len();
    assert!(wrong.is_empty(), "{caught} of {all} are caught, but not as expected:\n{}", wrong.join("\n"));
    assert!(all >= 50 && caught * 50 >= WANTED * all, "{caught} of {all} are caught");
}

#[test]
fn unmodified_sources_have_no_findings() {
    assert_eq!(found("site.pp", &text_of("site.pp")), []);
}
