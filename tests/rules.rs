//! The rules. Each rule has a page with correct examples, a rejected file and an accepted file.
//!
//! `rules/CODE/rejected*` contains code with findings, and a snapshot of the messages and of the fixed code. `rules/CODE/accepted*`
//! contains similar code without findings.

use crate::common;
use rtype_author::check::{self, Checked, Input, Selection, rules};
use rtype_lang::diagnostics::{CODES, Code, Profile};
use rtype_lang::eval::UnknownWorld;
use rtype_lang::library::TypeSet;
use rtype_lang::types::builtin::{ClosureArgument, Method};
use rtype_lang::value::{Flags, Regex, Value};
use rtype_provider::NativeProviders;
use std::path::{Path, PathBuf};

/// The directory of the sources, for references between sources.
const DIRECTORY: &str = "tests/rules/types";

/// Returns the findings with the strictest profile.
fn check(name: &str, text: &str) -> (TypeSet, Checked) {
    let mut library = rtype::app::input::types_in(vec![DIRECTORY.into()]);
    let source = library.sources.add(format!("{DIRECTORY}/{name}"), text).unwrap();
    let input = if name.ends_with(".rtype") { Input::Types(source, Some(DIRECTORY.into())) } else { Input::Resources(source) };
    let selection = Selection { profile: Profile::Strict, ..Selection::default() };
    let mut checked = check::run(&[input], Vec::new(), &mut library, &NativeProviders::standard(), &UnknownWorld, &selection);
    // Fixtures are named after their purpose, not after the type in the file.
    if !text.contains(Code::FileNameMismatch.info().id) {
        checked.findings.retain(|f| f.diagnostic.code != Code::FileNameMismatch);
    }
    (library, checked)
}

fn of(code: Code, checked: &Checked) -> Vec<rtype_lang::diagnostics::Diagnostic> {
    checked.findings.iter().map(|f| f.diagnostic.clone()).filter(|d| d.code == code).collect()
}

/// Returns the fenced blocks after a heading of a page, each with a file name.
fn blocks(page: &str, heading: &str) -> Vec<(&'static str, String)> {
    let Some((_, rest)) = page.split_once(&format!("{heading}:\n")) else { return Vec::new() };
    let mut blocks = Vec::new();
    let mut lines = rest.lines();
    while let Some(line) = lines.next() {
        let fence: String = line.chars().take_while(|c| *c == '`').collect();
        if fence.len() >= 3 {
            let name = match &line[fence.len()..] {
                "rtype" => "page.rtype",
                "puppet" => "page.pp",
                "json" => "page.json",
                "yaml" => "page.yaml",
                "text" => "",
                other => panic!("unknown language {other}"),
            };
            let text: String = lines.by_ref().take_while(|l| !l.starts_with(&fence)).map(|l| format!("{l}\n")).collect();
            if !name.is_empty() {
                blocks.push((name, text));
            }
        } else if !line.is_empty() {
            break;
        }
    }
    blocks
}

/// Returns whether the page of a code has no example, because the code concerns files, the command line, a run, or several sources.
fn needs_more_than_a_text(code: Code) -> bool {
    let id = code.info().id;
    id.starts_with("RT4") || id.starts_with("RT5") || id.starts_with("RT3") || MORE.contains(&id)
}
const MORE: &[&str] = &[
    "RT053", "RT114", "RT121", "RT123", "RT206", "RT221", "RT222", "RM004", "RM007", "RM009", "RM012", "RM013", "RM014", "RM017", "RM018",
    "RM034", "RM035", "RM036", "RM037", "RM038", "RM039", "RM040", "RM046", "RM047", "RM050", "RM053", "RM054", "RM055", "RM056", "RM057",
    "RM070", "RM071", "RM072", "RM073",
];

#[test]
fn every_code_has_a_page_with_correct_examples() {
    let mut wrong = Vec::new();
    for code in CODES {
        let info = code.info();
        let Some(page) = check::page(*code) else {
            wrong.push(format!("{}: no page", info.id));
            continue;
        };
        if !page.starts_with("What it does: ") || !page.contains("\nWhy: ") {
            wrong.push(format!("{}: the page does not say what and why", info.id));
        }
        let (examples, better) = (blocks(&page, "Example"), blocks(&page, "Better"));
        if needs_more_than_a_text(*code) {
            continue;
        }
        if examples.is_empty() || better.is_empty() {
            wrong.push(format!("{}: the page lacks an example, or what is better", info.id));
        }
        for (name, text) in &examples {
            let (library, checked) = check(name, text);
            if of(*code, &checked).is_empty() {
                let all: Vec<_> = checked.findings.into_iter().map(|f| f.diagnostic).collect();
                wrong.push(format!("{}: its example is not found:\n{text}\n{}", info.id, common::show(&all, &library.sources)));
            }
        }
        for (name, text) in &better {
            let (library, checked) = check(name, text);
            let all: Vec<_> = checked.findings.into_iter().map(|f| f.diagnostic).collect();
            if all.iter().any(|d| d.code == *code || d.is_error()) {
                wrong.push(format!("{}: what is better is not:\n{text}\n{}", info.id, common::show(&all, &library.sources)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} pages\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the fixtures of a rule with this prefix in their names.
fn fixtures(code: Code, prefix: &str) -> Vec<PathBuf> {
    let directory = Path::new("tests/rules").join(code.info().id);
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory).map(|e| e.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    files.retain(|f| f.file_name().unwrap().to_str().unwrap().starts_with(prefix) && f.extension().unwrap() != "snap");
    files.sort();
    files
}

#[test]
fn rules_accept_and_reject_their_fixtures() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let info = rule.code.info();
        let (rejected, accepted) = (fixtures(rule.code, "rejected"), fixtures(rule.code, "accepted"));
        if rejected.is_empty() || accepted.is_empty() {
            wrong.push(format!("{} {}: no rejected or no accepted fixture in tests/rules/{}", info.id, info.name, info.id));
        }
        for path in accepted {
            let (library, checked) = check(path.file_name().unwrap().to_str().unwrap(), &std::fs::read_to_string(&path).unwrap());
            let found: Vec<_> =
                checked.findings.into_iter().map(|f| f.diagnostic).filter(|d| d.code == rule.code || d.is_error()).collect();
            if !found.is_empty() {
                wrong.push(format!("{}:\n{}", path.display(), common::show(&found, &library.sources)));
            }
        }
        for path in rejected {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let (library, checked) = check(&name, &text);
            let found = of(rule.code, &checked);
            if found.is_empty() {
                wrong.push(format!("{}: nothing found", path.display()));
            }
            common::assert_fixture(&path, &common::show(&found, &library.sources).replace(&format!("{DIRECTORY}/"), ""));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A value as written, and the function that makes it.
type Literal = (&'static str, fn() -> Value);

/// A literal of each kind.
const LITERALS: &[Literal] = &[
    ("nil", || Value::Nil),
    ("true", || Value::Bool(true)),
    ("1", || Value::Int(1)),
    ("1.5", || Value::Float(1.5)),
    ("\"1\"", || Value::str("1")),
    (":a", || Value::sym("a")),
    ("[]", || Value::array([])),
    ("{}", || Value::Map(std::sync::Arc::default())),
    ("/a/", || Value::Regex(std::sync::Arc::new(Regex::new("a", Flags::default()).unwrap()))),
    ("Integer", || Value::Type(std::sync::Arc::new(rtype_lang::value::DataType::Numeric))),
];

/// Returns calls of a method, and whether each fails for values of all kinds: calls with a wrong number of arguments, and calls with an
/// argument of each kind.
fn calls(method: Method) -> [Vec<(String, bool)>; 2] {
    let values: Vec<Value> = LITERALS.iter().map(|(_, value)| value()).collect();
    let (min, max) = (usize::from(method.arity().min), method.arity().max.map(usize::from));
    let closure = if method.block() == ClosureArgument::Must { " { |x| x }" } else { "" };
    let call = |arguments: &[&str]| format!("v.{}({}){closure}", method.name(), arguments.join(", "));
    let mut counts = Vec::new();
    if min > 1 {
        counts.push((call(&vec!["v"; min - 1]), true));
    }
    counts.extend(max.map(|max| (call(&vec!["v"; max + 1]), true)));
    let mut kinds = Vec::new();
    if !closure.is_empty() {
        return [counts, kinds];
    }
    let fails = |arguments: &[Value]| {
        values.iter().all(|receiver| {
            let failure = rtype_lang::eval::call_method(receiver, method.name(), arguments).unwrap().err();
            failure.is_some_and(|failure| matches!(failure.code, Code::WrongArity | Code::WrongReceiver))
        })
    };
    for count in min.max(1)..=max.unwrap_or(2).min(2) {
        for place in 0..count {
            for ((literal, _), value) in LITERALS.iter().zip(&values) {
                let mut texts = vec!["v"; count];
                texts[place] = literal;
                let always = values.iter().all(|other| {
                    let mut arguments = vec![other.clone(); count];
                    arguments[place] = value.clone();
                    fails(&arguments)
                });
                kinds.push((call(&texts), always));
            }
        }
    }
    [counts, kinds]
}

#[test]
fn calls_with_a_wrong_number_or_kind_of_arguments_are_found() {
    let mut wrong = Vec::new();
    for method in Method::ALL {
        for calls in calls(*method) {
            let property = |(n, (call, _)): (usize, &(String, bool))| format!("  newproperty p{n} {{ munge {{ |v| {call} }} }}\n");
            let text = format!("type t {{\n  newparam name\n{}}}\n", calls.iter().enumerate().map(property).collect::<String>());
            let (_, checked) = check("t.rtype", &text);
            let of_calls = |code: Code| matches!(code, Code::WrongArity | Code::OperationAlwaysFails);
            let found = checked.findings.iter().filter(|f| of_calls(f.diagnostic.code)).map(|f| f.diagnostic.span().start as usize);
            let lines: Vec<usize> = found.filter_map(|start| text.get(..start)).map(|before| before.matches('\n').count()).collect();
            for (n, (call, always)) in calls.iter().enumerate() {
                if lines.contains(&(n + 2)) != *always {
                    wrong.push(format!("{call}: {}", if *always { "not found" } else { "found" }));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rule_files_are_named_after_their_code() {
    for rule in rules() {
        let file = format!("{}.rs", rule.code.info().name.replace('-', "_"));
        let directories = ["values", "structure", "resources"];
        assert!(directories.iter().any(|f| Path::new("crates/author/src/check/rules").join(f).join(&file).exists()), "{file}");
    }
}

/// Returns the content of `docs/codes.md`: a table of all codes, followed by the page of each code.
fn codes_page() -> String {
    let mut text = String::from(
        "# Diagnostic codes\n\nThe output of `rtype explain CODE` for every code. `UPDATE_PAGES=1 cargo test --test it rules::` generates this page.\n[linter.md](linter.md) describes how to select and suppress findings.\n\n| code | name | severity | in profile |\n|---|---|---|---|\n",
    );
    for code in CODES {
        let info = code.info();
        let (severity, profile) = (format!("{:?}", info.severity).to_lowercase(), format!("{:?}", info.profile).to_lowercase());
        text += &format!(
            "| [{}](#{}) | {} | {severity} | {profile} |\n",
            info.id,
            format!("{}-{}", info.id, info.name).to_lowercase(),
            info.name
        );
    }
    for code in CODES {
        text += &format!("\n#{}", check::explain(*code).unwrap_or_default());
    }
    text
}

#[test]
fn the_docs_contain_the_pages_of_all_codes() {
    let page = codes_page();
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write("docs/codes.md", &page).unwrap();
    }
    let written = std::fs::read_to_string("docs/codes.md").unwrap_or_default();
    assert!(written == page, "docs/codes.md is not what `rtype explain` prints: UPDATE_PAGES=1 cargo test --test it rules::");
}
