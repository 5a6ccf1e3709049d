//! Does rtype do what Puppet does? Recorded cases say.
//!
//! `cargo run --example oracle -- --cases F --results F [--types DIR] [--report OUT.json] [--type NAME] [--show N]`
//!
//! The cases are of `tests/oracle/record/oracle.rb`'s format, plain or packed. Exit status 0 only when all agree or
//! deviate for a reason that `tests/oracle/deviations.toml` gives.
#![allow(missing_docs, reason = "a program")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a tool for those who work on rtype")]

mod codec;
mod compare;
mod evaluate;
mod suite;
mod world;

use clap::Parser;
use rtype::library::Library;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use suite::Outcome;

#[derive(Parser)]
struct Arguments {
    /// The cases, JSON lines.
    #[arg(long)]
    cases: PathBuf,
    /// What Puppet did with each.
    #[arg(long)]
    results: PathBuf,
    /// A directory of types that shadow the standard library's.
    #[arg(long)]
    types: Vec<PathBuf>,
    /// Where to write every outcome.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Only cases of this type.
    #[arg(long = "type")]
    type_name: Option<String>,
    /// How many disagreements to print.
    #[arg(long, default_value_t = usize::MAX)]
    show: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cases = suite::read(&arguments.cases).expect("the cases can be read");
    let results = suite::read(&arguments.results).expect("the results can be read");
    let deviations = suite::deviations(include_str!("../../tests/oracle/deviations.toml"));
    let mut library = Library::new(arguments.types);
    let run = suite::run(&mut library, &cases, &results, &deviations, arguments.type_name.as_deref());

    // Agree, deviate, disagree, no type.
    let mut by_type: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut shown = 0;
    for (id, type_name, outcome) in &run.cases {
        let column = match outcome {
            Outcome::Agree => 0,
            Outcome::Deviate => 1,
            Outcome::Disagree(found) => {
                shown += 1;
                if shown <= arguments.show {
                    println!("{id}");
                    for d in found {
                        println!("  {}\n    puppet {}\n    rtype  {}", d.what, d.puppet, d.rtype);
                    }
                }
                2
            }
            Outcome::NoType => 3,
        };
        by_type.entry(type_name).or_default()[column] += 1;
    }
    if let Some(path) = arguments.report {
        let rows: Vec<_> = run
            .cases
            .iter()
            .map(|(id, type_name, outcome)| match outcome {
                Outcome::Agree => json!({"id": id, "type": type_name, "outcome": "agree"}),
                Outcome::Deviate => json!({"id": id, "type": type_name, "outcome": "deviate"}),
                Outcome::NoType => json!({"id": id, "type": type_name, "outcome": "no type"}),
                Outcome::Disagree(found) => {
                    let found: Vec<_> = found.iter().map(|d| json!({"what": d.what, "puppet": d.puppet, "rtype": d.rtype})).collect();
                    json!({"id": id, "type": type_name, "outcome": "disagree", "differences": found})
                }
            })
            .collect();
        std::fs::write(path, serde_json::to_string_pretty(&rows).unwrap()).expect("the report can be written");
    }
    for (deviation, used) in deviations.iter().zip(&run.used) {
        println!("deviation, {used} cases: {}", deviation.reason);
    }
    for (name, [agree, deviate, disagree, no_type]) in &by_type {
        println!(
            "{name:<24} agree {agree:>4}  deviate {deviate:>3}  disagree {disagree:>4}  no type {no_type:>4}  {:>6.2} %",
            percent(*agree, agree + deviate + disagree)
        );
    }
    let total = |i: usize| by_type.values().map(|row| row[i]).sum::<usize>();
    let (agree, deviate, disagree, no_type) = (total(0), total(1), total(2), total(3));
    println!(
        "agree {agree}, deviate {deviate}, disagree {disagree}, no type {no_type} of {} cases: {:.2} %",
        run.cases.len(),
        percent(agree, agree + deviate + disagree)
    );
    if disagree == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}
