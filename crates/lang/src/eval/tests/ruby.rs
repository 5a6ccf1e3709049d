//! Compares methods and operators with Ruby 3.1, using the recorded results in `tests/methods`.

use super::*;
use crate::lower::{EnteredScope, lower_entered};
use crate::source::SourceMap;
use crate::syntax::parse_statements;
use crate::value::{EcoString, inspect};
use serde::Deserialize;
use std::collections::BTreeSet;

#[derive(Deserialize)]
struct Row {
    kind: String,
    call: String,
    /// The receivers with the results.
    answers: Vec<(String, Answer)>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    /// The result, as shown by `inspect`.
    Result(String),
    /// The class of Ruby's error.
    Error { raises: String },
}

/// An intended difference.
#[derive(Deserialize)]
struct Difference {
    /// The kinds of receivers and the call, as a regex.
    call: String,
    reason: String,
}

/// The reason why an expression has no result.
#[derive(Debug)]
enum Lack {
    /// The language does not have the method or the syntax.
    Method,
    /// The expression fails with this message and error class.
    Failure(#[expect(dead_code, reason = "it is printed")] String, Option<EcoString>),
}

/// Returns the result of an expression, or the reason for the missing result.
fn evaluated(text: &str) -> Result<String, Lack> {
    let source = SourceMap::default().add("<expression>", text).map_err(|_| Lack::Method)?;
    let (block, diagnostics) = parse_statements(&source);
    let entered = lower_entered(&block, EnteredScope::default()).value.filter(|_| diagnostics.is_empty()).ok_or(Lack::Method)?;
    let scope = Small::new();
    let frame = Frame { scope: &scope, attribute: None, is: None, should: None, base: None };
    let lacks = |message: &str| message.contains("has no method") || message.contains("needs a block");
    let failed =
        |failure: Failure| if lacks(&failure.message) { Lack::Method } else { Lack::Failure(failure.message.clone(), failure.class) };
    run(&entered.code, &[], &frame).map(|value| inspect(&value)).map_err(failed)
}

#[test]
fn methods_return_what_ruby_returns() {
    let rows = include_str!("../../../../../tests/methods/recorded.jsonl").lines().map(|line| serde_json::from_str::<Row>(line).unwrap());
    let differences: Vec<Difference> = serde_json::from_str(include_str!("../../../../../tests/methods/differences.json")).unwrap();
    let differences: Vec<(Regex, &Difference)> = differences.iter().map(|d| (Regex::new(&d.call, Flags::default()).unwrap(), d)).collect();
    let (mut same, mut lacking, mut wrong, mut used) = (0, 0, Vec::new(), BTreeSet::new());
    for row in rows {
        for (receiver, ruby) in &row.answers {
            let text = format!("({receiver}){}", row.call);
            let about = format!("{}{}", row.kind, row.call);
            match (evaluated(&text), ruby) {
                (Ok(ours), Answer::Result(ruby)) if ours == *ruby => same += 1,
                (Err(Lack::Failure(_, Some(class))), Answer::Error { raises }) if class == *raises => same += 1,
                (Err(Lack::Method), Answer::Error { .. }) => same += 1,
                // A type with such a call cannot be loaded.
                (Err(Lack::Method), Answer::Result(_)) => lacking += 1,
                (ours, ruby) => match differences.iter().find(|(call, _)| call.is_match(&about)) {
                    Some((_, known)) => drop(used.insert(known.call.clone())),
                    None => wrong.push(format!("{about} on {receiver}\n    ours {ours:?}\n    Ruby {ruby:?}")),
                },
            }
        }
    }
    let unused: Vec<&str> = differences.iter().map(|(_, d)| d.call.as_str()).filter(|call| !used.contains(*call)).collect();
    assert!(differences.iter().all(|(_, d)| !d.reason.is_empty()));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), wrong.len() + same, wrong.join("\n"));
    assert!(unused.is_empty(), "no differences any more: {unused:?}");
    assert!(same >= 6000 && lacking < 1500, "{same} are the same, {lacking} are lacking");
}
