//! Puppet's own answers: every recorded case of the standard library's types must agree, deviate for a reason that
//! `oracle/deviations.toml` gives, or be a gap that `oracle/gaps.toml` names.
#![allow(missing_docs, reason = "tests")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "the harness is a tool for those who work on rtype")]

#[path = "../examples/oracle/codec.rs"]
mod codec;
#[path = "../examples/oracle/compare.rs"]
mod compare;
#[path = "../examples/oracle/evaluate.rs"]
mod evaluate;
#[path = "../examples/oracle/suite.rs"]
mod suite;
#[path = "../examples/oracle/world.rs"]
mod world;

use rtype::library::Library;
use std::path::Path;
use suite::Outcome;

#[test]
fn recorded_cases_agree_with_puppet() {
    let file = |name: &str| Path::new("tests/oracle").join(name);
    let text = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    // Those that came with the oracle, and those that chance made of them and Puppet answered.
    let both = |given: &str, more: &str| [suite::read(&file(given)).unwrap(), suite::read(&file(more)).unwrap()].concat();
    let (cases, results) = (both("cases.jsonl.gz", "more.cases.jsonl.gz"), both("results.jsonl.gz", "more.results.jsonl.gz"));
    let deviations = suite::deviations(&text("deviations.toml"));
    let gaps: toml::Table = text("gaps.toml").parse().unwrap();
    let run = suite::run(&mut Library::default(), &cases, &results, &deviations, None);

    let mut wrong: Vec<String> = Vec::new();
    for (id, _, outcome) in &run.cases {
        match outcome {
            Outcome::Agree | Outcome::Deviate if gaps.contains_key(id) => wrong.push(format!("{id} agrees now: take it out of gaps.toml")),
            Outcome::Agree | Outcome::Deviate => {}
            Outcome::NoType => wrong.push(format!("{id}: its type is missing")),
            Outcome::Disagree(_) if gaps.contains_key(id) => {}
            Outcome::Disagree(found) => {
                let sides = found.iter().map(|d| format!("\n  {}\n    puppet {}\n    rtype  {}", d.what, d.puppet, d.rtype));
                wrong.push(format!("{id}{}", sides.collect::<String>()));
            }
        }
    }
    for (deviation, used) in deviations.iter().zip(&run.used) {
        if *used == 0 {
            wrong.push(format!("a deviation covers nothing: {}", deviation.reason));
        }
    }
    assert!(run.cases.len() > 900, "only {} cases", run.cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
