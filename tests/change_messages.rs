//! Change messages name the current and the desired value, also if one of them is empty.

use rtype_author::testing::Suite;
use rtype_lang::diagnostics::Code;
use rtype_lang::library::TypeSet;
use rtype_lang::types::{Role, TypeDef};
use rtype_provider::NativeProviders;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Desired values; each property accepts at least one.
const DESIRED: &[&str] = &[
    "'x'",
    "'1'",
    "'/x'",
    "'0644'",
    "'10.0.0.1'",
    "'https://example.com/'",
    "'a=b'",
    "['a=b']",
    "{'a' => 'b'}",
    "'2030-01-01'",
    "''",
    "[]",
    "'*'",
    "'user:bob:rwx'",
    "'weekly'",
];

/// Current values of a property that is empty or not reported.
const CURRENT: &[&str] = &["nil", ":absent", "\"\"", "[]", "[\"\"]"];

/// Returns a test for each settable property with each desired and current value. The test fails if the change message lacks a value.
fn tests_of(type_def: &TypeDef) -> String {
    let name = type_def.name.as_str();
    let mut tests = String::new();
    for attribute in type_def.attributes.iter().filter(|a| a.role == Role::Property && a.readonly.is_none()) {
        let property = attribute.name.as_str();
        let exists = if property != "ensure" && type_def.attribute_named("ensure").is_some() { "ensure: :present, " } else { "" };
        let literals = attribute.values.literals().map(|value| format!("'{}'", value.as_str()));
        for desired in literals.chain(DESIRED.iter().map(|value| (*value).to_owned())) {
            for current in CURRENT {
                writeln!(
                    tests,
                    "test \"{property} {} {}\" {{\n  is {{ {exists}{property}: {current} }}\n  {name} {{ '/x': {property} => {desired} }}\n  \
                     expect (change(:{property}) || \"-\") !~ /changed  |\\b(?:from|to|as)\\z/\n}}",
                    desired.replace('"', ""),
                    current.replace('"', "'"),
                )
                .unwrap();
            }
        }
    }
    tests
}

#[test]
fn change_messages_of_standard_types_name_both_values() {
    let (mut shown, mut empty) = (BTreeSet::new(), Vec::new());
    for entry in std::fs::read_dir("stdlib-types").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let Some(type_def) = TypeSet::default().load(name) else { continue };
        let text = std::fs::read_to_string(&path).unwrap() + &tests_of(&type_def);
        let mut library = TypeSet::default();
        let source = library.sources.add(path.display().to_string(), text).unwrap();
        let loaded = library.load_text(&source, None);
        let (tests, types) = (library.tests([&loaded]), loaded.types);
        let suite = Suite::run(&types, &tests, None, &library, &NativeProviders::standard());
        for result in suite.results.iter().filter(|result| !result.automatic) {
            let failed = result.found.iter().find(|d| d.code == Code::ExpectationFailed);
            empty.extend(failed.map(|d| format!("{name} {}: {:?}", result.title, d.labels)));
            if result.passed() {
                shown.insert(format!("{name} {}", result.title.split(' ').next().unwrap_or_default()));
            }
        }
    }
    assert!(empty.is_empty(), "{} messages: {:#?}", empty.len(), empty.get(..20).unwrap_or(&empty));
    assert!(shown.len() > 100, "only {} properties: {shown:?}", shown.len());
}
