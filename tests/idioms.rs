//! Idioms of Ruby's core language in blocks. All idioms are translated, and return the same results as in Ruby.

use assert_cmd::Command;
use rtype_import::{NoRubyFiles, import};
use rtype_lang::source::SourceMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns the tests of each type, as recorded by `tests/idioms/record.rb`.
fn tests() -> BTreeMap<String, String> {
    let rows: Vec<(String, String, String, Option<String>)> =
        serde_json::from_str(&std::fs::read_to_string("tests/idioms/recorded.json").unwrap()).unwrap();
    assert!(rows.len() > 200);
    let mut tests: BTreeMap<String, String> = BTreeMap::new();
    for (i, (type_name, attribute, value, answer)) in rows.iter().enumerate() {
        let expectation = match answer {
            // The result of `inspect`, as a string of the language.
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
            // The value is deliberately not canonical.
            let text = one.text.replace(" {\n    fn ", " {\n    conversion \"a test\"\n    fn ");
            let text = text.replace("{\n    munge", "{\n    conversion \"a test\"\n    munge");
            std::fs::write(directory.path().join(format!("{type_name}.rtype")), format!("{text}\n{tests}")).unwrap();
        }
    }
    let output = Command::cargo_bin("rtype").unwrap().arg("test").arg(directory.path()).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}

/// Returns the tests of each provider, as recorded by `tests/idioms/record.rb`.
fn canonicalize_tests() -> BTreeMap<String, String> {
    let rows: Vec<(String, String, BTreeMap<String, String>)> =
        serde_json::from_str(&std::fs::read_to_string("tests/idioms/recorded-canonicalize.json").unwrap()).unwrap();
    let mut tests: BTreeMap<String, String> = BTreeMap::new();
    for (i, (case, values, answer)) in rows.iter().enumerate() {
        let out = tests.entry(case.clone()).or_default();
        write!(out, "test \"{i}\" {{ canonical_{case} {{ 'a': {} }}", &values[1..values.len() - 1]).unwrap();
        for attribute in ["name", "mode", "size", "tags", "map"] {
            let wanted = answer.get(attribute).map_or("nil", String::as_str);
            write!(out, "; expect self.{attribute}.inspect == {wanted:?}").unwrap();
        }
        out.push_str(" }\n");
    }
    tests
}

#[test]
fn canonicalize_of_providers_returns_what_ruby_returns() {
    let directory = tempfile::tempdir().unwrap();
    let module = directory.path().join("canonical");
    let types = directory.path().join("types");
    let template = std::fs::read_to_string("tests/idioms/canonicalize/type.rb.in").unwrap();
    for case in canonicalize_tests().keys() {
        let name = format!("canonical_{case}");
        let class: String = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        let methods = std::fs::read_to_string(format!("tests/idioms/canonicalize/{case}.rb")).unwrap();
        let provider = format!("class Puppet::Provider::{class}::{class}\n{methods}end\n");
        for (file, text) in [
            (format!("lib/puppet/type/{name}.rb"), template.replace("TYPE", &name).replace("NAME", case)),
            (format!("lib/puppet/provider/{name}/{name}.rb"), provider),
        ] {
            let file = module.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
    }
    let output = Command::cargo_bin("rtype").unwrap().arg("import").arg(&module).arg("-o").arg(&types).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (case, tests) in canonicalize_tests() {
        let file = types.join(format!("canonical_{case}.rtype"));
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, format!("{text}\n{tests}")).unwrap();
    }
    let output = Command::cargo_bin("rtype").unwrap().arg("test").arg(&types).output().unwrap();
    assert!(output.status.success(), "{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
}
