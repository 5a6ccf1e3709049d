//! Compares rtype with recorded results of Puppet.
//!
//! `cargo run --example oracle -- [--cases F]… [--results F]… [--types DIR] [--report OUT.json] [--type NAME] [--show N]`
//!
//! Cases and results have the format documented in `tests/oracle/README.md`, in plain or compressed files or
//! directories of such files; by default those of `tests/oracle`. The exit status is 0 only if all cases agree or
//! deviate for a reason given in `tests/oracle/deviations.toml`.
#![allow(missing_docs, reason = "a program")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a tool for those who work on rtype")]

use clap::Parser;
use rtype_lang::library::TypeSet;
use rtype_testkit::oracle::suite::{self, Run, SuiteError, TestOutcome};
use rtype_testkit::oracle::{deviations, structure};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const OWN: [&str; 2] =
    [concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/cases"), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/results")];

#[derive(Parser)]
struct Arguments {
    /// The cases: JSON lines, or a directory of such files. May be repeated.
    #[arg(long, requires = "results")]
    cases: Vec<PathBuf>,
    /// What Puppet did with each. May be repeated.
    #[arg(long, requires = "cases")]
    results: Vec<PathBuf>,
    /// A directory of types that shadow the standard library's.
    #[arg(long)]
    types: Vec<PathBuf>,
    /// The structure of types as Puppet has loaded them, to be compared, too: JSON lines.
    #[arg(long)]
    structure: Option<PathBuf>,
    /// The report of `rtype import` on what it left out: differences caused by that are counted separately.
    #[arg(long)]
    untranslated: Option<PathBuf>,
    /// More reasons why rtype means to differ.
    #[arg(long)]
    deviations: Option<PathBuf>,
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
    match compared(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Prints the results; returns whether all of them agree.
fn compared(arguments: &Arguments) -> Result<bool, SuiteError> {
    let own = arguments.cases.is_empty();
    let [cases, results] = if own { OWN.map(|d| vec![d.into()]) } else { [arguments.cases.clone(), arguments.results.clone()] };
    let mut deviations = deviations::read(deviations::LIST);
    if let Some(path) = &arguments.deviations {
        let text = std::fs::read_to_string(path).map_err(SuiteError::file(path))?;
        deviations.extend(deviations::read(&text));
    }
    let mut library = rtype::app::input::types_in(arguments.types.clone());
    let (cases, results) = (suite::read(&cases)?, suite::read(&results)?);
    let run = suite::run(&mut library, &cases, &results, &deviations, arguments.type_name.as_deref())?;

    let disagreements =
        run.cases.iter().filter_map(|c| if let TestOutcome::Disagree(found) = &c.outcome { Some((&c.id, found)) } else { None });
    for (id, found) in disagreements.take(arguments.show) {
        println!("{id}");
        for d in found {
            println!("  {}\n    puppet {}\n    rtype  {}", d.what, d.puppet, d.rtype);
        }
    }
    if let Some(path) = &arguments.report {
        std::fs::write(path, report(&run)).map_err(SuiteError::file(path))?;
    }
    for (deviation, used) in deviations.iter().zip(&run.used).filter(|(_, used)| **used > 0) {
        println!("deviation, {used} cases: {}", deviation.reason);
    }
    // Unused entries are an error only if all cases of the list are compared.
    let traced = match &arguments.untranslated {
        Some(path) => untranslated(&run, path)?,
        None => 0,
    };
    let excesses = if own && arguments.type_name.is_none() { run.excesses(&deviations) } else { Vec::new() };
    excesses.iter().for_each(|wrong| println!("{wrong}"));
    for (name, counts) in run.by_type() {
        println!(
            "{name:<24} agree {:>5}  deviate {:>3} ({:>4.2} %)  unchecked {:>4}  disagree {:>4}  no type {:>4}  {:>6.2} %",
            counts.agree,
            counts.deviate,
            counts.percent(counts.deviate),
            counts.unchecked,
            counts.disagree,
            counts.no_type,
            counts.percent(counts.agree)
        );
    }
    if run.skipped > 0 {
        println!("{} more are not compared: there the recorder could not do what Puppet does", run.skipped);
    }
    let all = run.total();
    println!(
        "agree {}, deviate {}, unchecked {}, disagree {}, no type {} of {} cases: {:.2} %",
        all.agree,
        all.deviate,
        all.unchecked,
        all.disagree,
        all.no_type,
        run.cases.len(),
        all.percent(all.agree)
    );
    if arguments.untranslated.is_some() {
        println!("{traced} of those that disagree come to what is untranslated, {} do not", all.disagree - traced);
    }
    let alike = arguments.structure.as_ref().map_or(Ok(true), |path| structures(&mut library, path))?;
    Ok(all.disagree == traced && excesses.is_empty() && alike)
}

/// Returns the number of cases that disagree because they depend on something that the importer could not translate:
/// they fail with its reason.
fn untranslated(run: &Run, list: &Path) -> Result<usize, SuiteError> {
    let list = std::fs::read_to_string(list).map_err(SuiteError::file(list))?;
    // `FILE:LINE: reason`
    let reasons: Vec<&str> = list.lines().filter_map(|l| l.split_once(": ")).map(|(_, reason)| reason.trim()).collect();
    let comes_of_it = |outcome: &TestOutcome| {
        let TestOutcome::Disagree(found) = outcome else { return false };
        found.iter().any(|d| reasons.iter().any(|r| r.len() > 8 && d.rtype.contains(r)))
    };
    Ok(run.cases.iter().filter(|c| comes_of_it(&c.outcome)).count())
}

/// Prints differences between the structure of types and that in Puppet; returns whether there are none.
fn structures(library: &mut TypeSet, path: &Path) -> Result<bool, SuiteError> {
    let (compared, found) = structure::differences(library, &suite::read(&[path.to_owned()])?);
    for (name, differences) in &found {
        for d in differences {
            println!("{name}: {}\n    puppet {}\n    rtype  {}", d.what, d.puppet, d.rtype);
        }
    }
    println!("{} of {compared} types have the structure that they have in Puppet", compared - found.len());
    Ok(found.is_empty())
}

fn report(run: &Run) -> String {
    let row = |case: &suite::Judged| {
        let outcome = match &case.outcome {
            TestOutcome::Agree => "agree",
            TestOutcome::Deviate => "deviate",
            TestOutcome::Unchecked => "unchecked",
            TestOutcome::Disagree(_) => "disagree",
            TestOutcome::NoType => "no type",
        };
        let mut row = json!({"id": case.id, "type": case.type_name, "outcome": outcome});
        if let TestOutcome::Disagree(found) = &case.outcome {
            row["differences"] = found.iter().map(|d| json!({"what": d.what, "puppet": d.puppet, "rtype": d.rtype})).collect();
        }
        row
    };
    serde_json::to_string_pretty(&run.cases.iter().map(row).collect::<Vec<_>>()).unwrap()
}
