//! Idioms of Ruby's core language in blocks: all are translated, and return what Ruby returns.

use assert_cmd::Command;
use rtype_import::{NoRubyFiles, import};
use rtype_lang::source::SourceMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns the tests of each type, from what `tests/idioms/record.rb` has recorded.
fn tests() -> BTreeMap<String, String> {
    let rows: Vec<(String, String, String, Option<String>)> =
        serde_json::from_str(&std::fs::read_to_string("tests/idioms/recorded.json").unwrap()).unwrap();
    assert!(rows.len() > 200);
    let mut tests: BTreeMap<String, String> = BTreeMap::new();
    for (i, (type_name, attribute, value, answer)) in rows.iter().enumerate() {
        let expectation = match answer {
            // `inspect` as a string of the language.
            Some(answer) => format!("expect self.{attribute}.inspect == {}", format!("{answer:?}").replace("#{", "\\#{")),
            None => format!("rejects {attribute}"),
        };
        let out = tests.entry(type_name.clone()).or_default();
        writeln!(out, "test \"{attribute} {i}\" {{ {type_name} {{ 'a': {attribute} => {value} }}; {expectation} }}").unwrap();
    }
    tests
}

#[test]
fn idioms_return_what_ruby_returns() {
    let directory = tempfile::tempdir().unwrap();
    for (type_name, tests) in tests() {
        let file = format!("tests/idioms/{}.rb", type_name.strip_prefix("idioms_").unwrap());
        let source = SourceMap::default().add(&file, std::fs::read_to_string(&file).unwrap()).unwrap();
        let (types, diagnostics) = import(&source, &mut NoRubyFiles, 120);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        for one in types {
            let residues: Vec<_> = one.residues.iter().map(|r| (source.position(r.span.start).line, &r.reason)).collect();
            assert!(residues.is_empty(), "{file}: {residues:?}");
            // A value that is not canonical is intended here.
            let text = one.text.replace(" {\n    fn ", " {\n    conversion \"a test\"\n    fn ");
            let text = text.replace("{\n    munge", "{\n    conversion \"a test\"\n    munge");
            std::fs::write(directory.path().join(format!("{type_name}.rtype")), format!("{text}\n{tests}")).unwrap();
        }
    }
    let output = Command::cargo_bin("rtype").unwrap().arg("test").arg(directory.path()).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}
