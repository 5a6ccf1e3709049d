//! Reads cases and results, evaluates, and keeps count.

use crate::compare::{Difference, differences};
use crate::evaluate::evaluate;
use flate2::read::GzDecoder;
use rtype::library::Library;
use rtype::value::{Flags, Regex};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// How one case came out.
pub enum Outcome {
    /// Nothing differs.
    Agree,
    /// All that differs is meant to.
    Deviate,
    /// Something else differs.
    Disagree(Vec<Difference>),
    /// rtype has no such type.
    NoType,
}

/// The outcomes of all cases, in order, with the name of the type.
pub struct Run {
    /// Id of the case, its type, its outcome.
    pub cases: Vec<(String, String, Outcome)>,
    /// How many cases each deviation covers.
    pub used: Vec<usize>,
}

/// A difference that is meant: rtype is better there.
pub struct Deviation {
    /// Why users accept it.
    pub reason: String,
    types: Regex,
    what: Regex,
    puppet: Regex,
    rtype: Regex,
    case: Regex,
}

impl Deviation {
    fn covers(&self, type_name: &str, case: &str, d: &Difference) -> bool {
        self.types.is_match(type_name)
            && self.case.is_match(case)
            && self.what.is_match(&d.what)
            && self.puppet.is_match(&d.puppet)
            && self.rtype.is_match(&d.rtype)
    }
}

/// Reads `deviations.toml`.
pub fn deviations(text: &str) -> Vec<Deviation> {
    let table: toml::Table = text.parse().unwrap();
    let entries = table.get("deviation").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let pattern = |entry: &toml::Value, key: &str| {
        let source = entry.get(key).and_then(toml::Value::as_str).unwrap_or("");
        Regex::new(source, Flags { dot_all: true, ..Flags::default() }).unwrap()
    };
    entries
        .iter()
        .map(|e| Deviation {
            reason: e.get("reason").and_then(toml::Value::as_str).expect("each deviation has a reason").to_owned(),
            types: pattern(e, "type"),
            what: pattern(e, "what"),
            puppet: pattern(e, "puppet"),
            rtype: pattern(e, "rtype"),
            case: pattern(e, "case"),
        })
        .collect()
}

/// The lines of a file of JSON values, packed or not.
pub fn read(path: &Path) -> std::io::Result<Vec<Json>> {
    let bytes = std::fs::read(path)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    Ok(text.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).unwrap_or_default()).collect())
}

/// Evaluates every case for which there is a result of Puppet's own.
pub fn run(library: &mut Library, cases: &[Json], results: &[Json], deviations: &[Deviation], wanted: Option<&str>) -> Run {
    let by_id: BTreeMap<&str, &Json> = results.iter().filter_map(|r| Some((r["id"].as_str()?, r))).collect();
    let mut run = Run { cases: Vec::new(), used: vec![0; deviations.len()] };
    for case in cases {
        let (id, type_name) = (case["id"].as_str().unwrap_or_default(), case["type"].as_str().unwrap_or_default().to_lowercase());
        let Some(result) = by_id.get(id).filter(|r| r["harness"] != true) else { continue };
        if wanted.is_some_and(|w| w != type_name) {
            continue;
        }
        let outcome = match evaluate(library, case) {
            Ok(None) => Outcome::NoType,
            Ok(Some(ours)) => {
                let shown = json!({"params": case["params"], "is": case["is"]}).to_string();
                judge(&type_name, &shown, differences(result, &ours), deviations, &mut run.used)
            }
            Err(why) => {
                Outcome::Disagree(vec![Difference { what: "case".into(), puppet: "evaluated".into(), rtype: format!("cannot say {why}") }])
            }
        };
        run.cases.push((id.to_owned(), type_name, outcome));
    }
    run
}

fn judge(type_name: &str, case: &str, found: Vec<Difference>, deviations: &[Deviation], used: &mut [usize]) -> Outcome {
    if found.is_empty() {
        return Outcome::Agree;
    }
    let covering: Option<Vec<usize>> = found.iter().map(|d| deviations.iter().position(|v| v.covers(type_name, case, d))).collect();
    match covering {
        Some(mut covering) => {
            covering.dedup();
            covering.iter().for_each(|i| used[*i] += 1);
            Outcome::Deviate
        }
        None => Outcome::Disagree(found),
    }
}
