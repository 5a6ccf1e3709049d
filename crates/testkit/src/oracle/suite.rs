//! Reads cases and results, evaluates them, and counts the outcomes.

use super::compare::{Difference, differences, is_unchecked};
use super::deviations::Deviation;
use super::evaluate::evaluate;
use flate2::read::GzDecoder;
use rtype_lang::library::TypeSet;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Types that rtype must have. If a type is missing, all its cases disagree.
pub const EXPECTED: &[&str] = &[
    "alternatives",
    "anchor",
    "archive",
    "augeas",
    "concat_file",
    "concat_fragment",
    "cron",
    "exec",
    "file",
    "file_line",
    "filebucket",
    "group",
    "host",
    "ini_setting",
    "ini_subsetting",
    "kmod",
    "mailalias",
    "mount",
    "notify",
    "package",
    "posix_acl",
    "resources",
    "schedule",
    "service",
    "ssh_authorized_key",
    "sshkey",
    "stage",
    "sysctl",
    "tidy",
    "user",
    "vcsrepo",
];

/// The maximum percentage of deviating cases, among all cases and among a type's cases.
const MOST_DEVIATIONS: (f64, f64) = (2.0, 5.0);

/// The outcome of a case.
pub enum TestOutcome {
    /// No differences.
    Agree,
    /// Only intentional differences.
    Deviate,
    /// Only differences due to parts of the type that are left in Ruby.
    Unchecked,
    /// Other differences.
    Disagree(Vec<Difference>),
    /// rtype does not have the type, and is not required to have it.
    NoType,
}

/// An evaluated case.
pub struct Judged {
    /// The ID of the case.
    pub id: String,
    /// The name of the type, in lower case.
    pub type_name: String,
    /// The outcome.
    pub outcome: TestOutcome,
}

/// The outcomes of all cases, in order.
#[derive(Default)]
pub struct Run {
    /// The compared cases.
    pub cases: Vec<Judged>,
    /// The number of skipped cases, which the recorder could not run like Puppet.
    pub skipped: usize,
    /// The number of cases for each deviation.
    pub used: Vec<usize>,
}

/// The number of cases by outcome.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// The number of cases with `TestOutcome::Agree`.
    pub agree: usize,
    /// The number of cases with `TestOutcome::Deviate`.
    pub deviate: usize,
    /// The number of cases with `TestOutcome::Unchecked`.
    pub unchecked: usize,
    /// The number of cases with `TestOutcome::Disagree`.
    pub disagree: usize,
    /// The number of cases with `TestOutcome::NoType`.
    pub no_type: usize,
}

impl Counts {
    /// Returns `part` as a percentage of all cases with an existing type.
    pub fn percent(&self, part: usize) -> f64 {
        let whole = self.agree + self.deviate + self.unchecked + self.disagree;
        if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
    }

    fn count(&mut self, outcome: &TestOutcome) {
        *match outcome {
            TestOutcome::Agree => &mut self.agree,
            TestOutcome::Deviate => &mut self.deviate,
            TestOutcome::Unchecked => &mut self.unchecked,
            TestOutcome::Disagree(_) => &mut self.disagree,
            TestOutcome::NoType => &mut self.no_type,
        } += 1;
    }
}

impl Run {
    /// Returns the counts by type.
    pub fn by_type(&self) -> BTreeMap<&str, Counts> {
        let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
        for case in &self.cases {
            counts.entry(&case.type_name).or_default().count(&case.outcome);
        }
        counts
    }

    /// Returns the total counts.
    pub fn total(&self) -> Counts {
        let mut counts = Counts::default();
        self.cases.iter().for_each(|case| counts.count(&case.outcome));
        counts
    }

    /// Returns the errors of the whole suite: unused deviations, and too many deviations.
    pub fn excesses(&self, deviations: &[Deviation]) -> Vec<String> {
        let unused = deviations.iter().zip(&self.used).filter(|(_, used)| **used == 0);
        let mut wrong: Vec<String> = unused.map(|(d, _)| format!("a deviation covers nothing: {}", d.reason)).collect();
        let of_type = self.by_type().into_iter().map(|(name, counts)| (name, counts, MOST_DEVIATIONS.1));
        for (name, counts, most) in of_type.chain([("all", self.total(), MOST_DEVIATIONS.0)]) {
            let percent = counts.percent(counts.deviate);
            if percent >= most {
                wrong.push(format!("{name}: {percent:.2} % deviate, {most} % are too many"));
            }
        }
        wrong
    }
}

/// The reason why cases cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A file, with the error of reading or writing it.
    #[error("{}: {_1}", _0.display())]
    File(PathBuf, std::io::Error),
    /// A file, the number of an invalid line, and the JSON error.
    #[error("{}:{_1}: {_2}", _0.display())]
    Json(PathBuf, usize, serde_json::Error),
    /// A case without a result of Puppet.
    #[error("no result for the case {_0}")]
    NoResult(String),
}

impl SuiteError {
    /// Returns a function that adds a path to an I/O error.
    pub fn file(path: &Path) -> impl FnOnce(std::io::Error) -> SuiteError {
        move |error| SuiteError::File(path.to_owned(), error)
    }
}

/// Reads the JSON lines in files and in the files of directories, compressed or not.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Json>, SuiteError> {
    let mut lines = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(SuiteError::file(path))?;
            let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| is_lines(p)).collect();
            files.sort();
            lines.extend(read(&files)?);
        } else {
            let text = unpacked(path).map_err(SuiteError::file(path))?;
            for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
                let wrong = |error| SuiteError::Json(path.clone(), number + 1, error);
                lines.push(serde_json::from_str(line).map_err(wrong)?);
            }
        }
    }
    Ok(lines)
}

fn is_lines(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
}

fn unpacked(path: &Path) -> std::io::Result<String> {
    let bytes = std::fs::read(path)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes).map_err(std::io::Error::other)?;
    }
    Ok(text)
}

/// Evaluates all cases and compares them with Puppet's results. A missing result is an error.
pub fn run(
    library: &mut TypeSet,
    cases: &[Json],
    results: &[Json],
    deviations: &[Deviation],
    wanted: Option<&str>,
) -> Result<Run, SuiteError> {
    let by_id: BTreeMap<&str, &Json> = results.iter().filter_map(|r| Some((r["id"].as_str()?, r))).collect();
    let mut run = Run { used: vec![0; deviations.len()], ..Run::default() };
    for case in cases {
        let (id, type_name) = (case["id"].as_str().unwrap_or_default(), case["type"].as_str().unwrap_or_default().to_lowercase());
        if wanted.is_some_and(|w| w != type_name) {
            continue;
        }
        let result = by_id.get(id).ok_or_else(|| SuiteError::NoResult(id.to_owned()))?;
        if result["harness"] == true {
            run.skipped += 1;
            continue;
        }
        let alone = |what: &str, rtype: String| vec![Difference { what: what.into(), puppet: "evaluated".into(), rtype }];
        let outcome = match evaluate(library, case) {
            Ok(None) if EXPECTED.contains(&type_name.as_str()) => TestOutcome::Disagree(alone("type", "no such type".into())),
            Ok(None) => TestOutcome::NoType,
            Ok(Some(ours)) => judge(&type_name, case, differences(result, &ours), &ours, deviations, &mut run.used),
            Err(why) => judge(&type_name, case, alone("case", format!("cannot say {why}")), &Json::Null, deviations, &mut run.used),
        };
        run.cases.push(Judged { id: id.to_owned(), type_name, outcome });
    }
    Ok(run)
}

fn judge(type_name: &str, case: &Json, found: Vec<Difference>, ours: &Json, deviations: &[Deviation], used: &mut [usize]) -> TestOutcome {
    if found.is_empty() {
        return TestOutcome::Agree;
    }
    let case = json!({"title": case["title"], "params": case["params"], "is": case["is"], "sensitive": case["sensitive"]}).to_string();
    let covering = |d: &Difference| deviations.iter().position(|v| v.covers(type_name, &case, d));
    let found_unchecked = found.iter().all(|d| is_unchecked(d, ours) || covering(d).is_some());
    let covering: Option<Vec<usize>> = found.iter().map(covering).collect();
    match covering {
        Some(mut covering) => {
            covering.sort_unstable();
            covering.dedup();
            covering.iter().for_each(|i| used[*i] += 1);
            TestOutcome::Deviate
        }
        None if found_unchecked => TestOutcome::Unchecked,
        None => TestOutcome::Disagree(found),
    }
}
