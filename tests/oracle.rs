//! Puppet's recorded results. Every case of the standard library's types must agree, or deviate for a reason in `oracle/deviations.toml`.

mod mutations;

use rtype_lang::library::TypeSet;
use rtype_testkit::oracle::deviations;
use rtype_testkit::oracle::suite::{self, TestOutcome};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Types of the standard library that do not exist in Puppet.
const OWN: &[&str] = &["kmod"];

/// The minimum number of cases per type.
const FEWEST_CASES: usize = 40;

fn directory(name: &str) -> Vec<PathBuf> {
    vec![Path::new("tests/oracle").join(name)]
}

#[test]
fn recorded_cases_agree_with_puppet() {
    let (cases, results) = (suite::read(&directory("cases")).unwrap(), suite::read(&directory("results")).unwrap());
    let deviations = deviations::read(deviations::LIST);
    let run = suite::run(&mut TypeSet::default(), &cases, &results, &deviations, None).unwrap();

    let mut wrong = run.excesses(&deviations);
    for case in &run.cases {
        match &case.outcome {
            TestOutcome::Agree | TestOutcome::Deviate => {}
            TestOutcome::NoType => wrong.push(format!("{}: its type is missing", case.id)),
            TestOutcome::Unchecked => wrong.push(format!("{}: not checked", case.id)),
            TestOutcome::Disagree(found) => {
                let sides = found.iter().map(|d| format!("\n  {}\n    puppet {}\n    rtype  {}", d.what, d.puppet, d.rtype));
                wrong.push(format!("{}{}", case.id, sides.collect::<String>()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_type_has_cases_and_each_case_a_result() {
    let mut wrong = Vec::new();
    let ids = |lines: &[Json]| lines.iter().map(|l| l["id"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>();
    let mut all: Vec<String> = Vec::new();
    for path in std::fs::read_dir("tests/oracle/cases").unwrap().map(|e| e.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let cases = suite::read(std::slice::from_ref(&path)).unwrap();
        let results = suite::read(&[Path::new("tests/oracle/results").join(&name)]).unwrap();
        let stray = cases.iter().filter(|c| format!("{}.jsonl", c["type"].as_str().unwrap_or_default().to_lowercase()) != name);
        wrong.extend(stray.map(|c| format!("{name}: {} is of another type", c["id"])));
        if ids(&cases) != ids(&results) {
            wrong.push(format!("{name}: the results are not those of the cases, in their order"));
        }
        all.extend(ids(&cases));
    }
    all.sort();
    wrong.extend(all.windows(2).filter(|w| w[0] == w[1]).map(|w| format!("{} is the id of two cases", w[0])));

    for entry in std::fs::read_dir("stdlib-types").unwrap().map(|e| e.unwrap().path()) {
        let name = entry.file_stem().unwrap().to_string_lossy().into_owned();
        if entry.is_dir() || name == "prelude" || OWN.contains(&name.as_str()) {
            continue;
        }
        let cases = suite::read(&[Path::new("tests/oracle/cases").join(format!("{name}.jsonl"))]).unwrap_or_default();
        if cases.len() < FEWEST_CASES {
            wrong.push(format!("{name} has {} cases, at least {FEWEST_CASES} are needed", cases.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_case_without_a_result_is_an_error() {
    let case = serde_json::json!({"id": "lonely", "type": "user", "title": "bob"});
    assert!(suite::run(&mut TypeSet::default(), &[case], &[], &[], None).is_err());
}
