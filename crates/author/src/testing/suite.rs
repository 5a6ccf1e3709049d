//! Runs test suites and formats their results.

use super::{CoverageReport, Lab, Simulated, TestResult, check, run};
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Diagnostic, Outcome, columns, padded, printable, to_json};
use rtype_lang::eval::{Coverage, grant_resources};
use rtype_lang::library::TypeSet;
use rtype_lang::source::SourceMap;
use rtype_lang::types::{TestDef, TypeDef};
use rtype_model::providers::Providers;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

/// The results of a run, in file order.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// All results.
    pub results: Vec<TestResult>,
    /// Types without tests.
    untested: Vec<String>,
    /// The parts of types that the tests reach, if coverage was recorded.
    pub coverage: Option<CoverageReport>,
}

impl Suite {
    /// Runs tests, and automatic checks of the types in `tested`. With a filter, only tests and checks with this string in the title or
    /// with this type name count.
    pub fn run(
        tested: &[Arc<TypeDef>],
        tests: &Outcome<Vec<TestDef>>,
        filter: Option<&str>,
        types: &TypeSet,
        providers: &dyn Providers,
    ) -> Suite {
        Suite::run_on(&Simulated::debian(), tested, tests, filter, types, providers)
    }

    /// Like [`Suite::run`], and records the parts of types that the tests reach. Automatic checks do not count.
    pub fn run_with_coverage(
        tested: &[Arc<TypeDef>],
        tests: &Outcome<Vec<TestDef>>,
        filter: Option<&str>,
        types: &TypeSet,
        providers: &dyn Providers,
    ) -> Suite {
        let coverage = Rc::new(Coverage::default());
        let machine = Simulated::debian().recording(&coverage);
        let mut suite = Suite::run_on(&machine, tested, tests, filter, types, providers);
        suite.coverage = Some(CoverageReport::new(tested, &coverage, &types.sources));
        suite
    }

    /// Runs the tests on a machine, and the automatic checks on a standard machine.
    fn run_on(
        machine: &Simulated,
        tested: &[Arc<TypeDef>],
        tests: &Outcome<Vec<TestDef>>,
        filter: Option<&str>,
        types: &TypeSet,
        providers: &dyn Providers,
    ) -> Suite {
        let wanted = |type_name: &str, title: &str| filter.is_none_or(|f| title.contains(f) || type_name == f);
        let mut suite = Suite::default();
        // Tests with errors are not included.
        let understood = !types.has_errors() && !tests.diagnostics.iter().any(Diagnostic::is_error);
        let tests = tests.value.as_slice();
        let standard = Simulated::debian();
        let lab = Lab { machine: &standard, providers };
        let recorded = Lab { machine, providers };
        grant_resources(tests.len() + tested.len());
        let chosen = tests.iter().filter(|t| wanted(t.type_def.name.as_str(), &t.title));
        suite.results.extend(chosen.map(|test| run(test, types, recorded)));
        for type_def in tested {
            suite.results.extend(check(type_def, tests, lab).into_iter().filter(|r| wanted(r.type_name.as_str(), &r.title)));
            if filter.is_none() && understood && !tests.iter().any(|t| t.type_def.name == type_def.name) {
                suite.untested.push(type_def.name.to_string());
            }
        }
        suite.results.sort_by_key(|r| (r.span.is_none(), r.span));
        suite
    }

    /// Returns `true` if nothing was run.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Returns the number of passed tests and checks.
    pub fn passed(&self) -> usize {
        self.results.iter().filter(|r| r.passed()).count()
    }

    /// Returns the number of failed tests and checks.
    pub fn failed(&self) -> usize {
        self.results.len() - self.passed()
    }

    /// Iterates over the failures, in order.
    pub fn failures(&self) -> impl Iterator<Item = &Diagnostic> {
        self.results.iter().flat_map(|r| &r.found)
    }

    /// Formats one line per file and a summary.
    pub fn text(&self, sources: &SourceMap) -> String {
        let mut files: IndexMap<String, (usize, usize)> = IndexMap::new();
        for result in &self.results {
            let name = sources.find(result.span).map(|s| s.name().to_owned()).unwrap_or_default();
            let (passed, failed) = files.entry(name).or_default();
            *(if result.passed() { passed } else { failed }) += 1;
        }
        let width = files.keys().map(|n| columns(&printable(n))).max().unwrap_or(0);
        let mut out = String::new();
        for (name, (passed, failed)) in &files {
            let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
            let _ = writeln!(out, "{}  {passed} passed{failed}", padded(&printable(name), width));
        }
        for name in &self.untested {
            let _ = writeln!(out, "the type `{name}` has no test of its own");
        }
        let _ = writeln!(out, "{} passed, {} failed", self.passed(), self.failed());
        out += &self.coverage.as_ref().map(|coverage| coverage.text(sources)).unwrap_or_default();
        out
    }

    /// Formats the results as JSON.
    pub fn json(&self, sources: &SourceMap) -> Json {
        let results = self.results.iter().map(|r| {
            json!({
                "type": r.type_name.as_str(),
                "title": r.title.as_str(),
                "place": sources.locate(r.span),
                "automatic": r.automatic,
                "passed": r.passed(),
                "diagnostics": r.found.iter().map(|d| to_json(d, sources)).collect::<Vec<_>>(),
            })
        });
        let results = results.collect::<Vec<_>>();
        let mut json = json!({"passed": self.passed(), "failed": self.failed(), "results": results, "untested": self.untested});
        if let (Some(coverage), Json::Object(members)) = (&self.coverage, &mut json) {
            members.insert("coverage".to_owned(), coverage.json(sources));
        }
        json
    }
}
