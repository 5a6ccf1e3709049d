//! Runs the tests of types, and automatic checks derived from type definitions.
//!
//! Everything is pure: a test runs on a simulated machine ([`Simulated`]).

mod attributes;
mod coverage;
mod junit;
mod machine;
mod outcome;
mod suite;
mod take;
mod titles;
mod together;
mod written;

pub use coverage::{CoverageReport, FileCoverage, Unreached};
pub use machine::{Answers, Simulated};
pub use outcome::reported;
pub use suite::Suite;

use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::types::{TestCheck, TestDef, TypeDef};
use rtype_lang::value::{EcoString, REDACTED, Symbol, Value, inspect};
use rtype_model::manifest::Declared;
use rtype_model::providers::Providers;
use std::sync::Arc;

/// The result of a test or check.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The tested type.
    pub type_name: Symbol,
    /// The test's title, or the check's description.
    pub title: EcoString,
    /// Location: the title for a test, the attribute for a check.
    pub span: Span,
    /// `true` for an automatic check.
    pub automatic: bool,
    /// Failures; empty if the test passed.
    pub found: Vec<Diagnostic>,
}

impl TestResult {
    /// Returns `true` if the test passed.
    pub fn passed(&self) -> bool {
        self.found.is_empty()
    }
}

/// The environment of tests and checks.
#[derive(Clone, Copy)]
struct Lab<'a> {
    /// The machine before modifications by a test.
    machine: &'a Simulated,
    providers: &'a dyn Providers,
}

/// Runs a test.
fn run(test: &TestDef, types: &TypeSet, lab: Lab<'_>) -> TestResult {
    let mut found = written::run(test, types, lab);
    for diagnostic in &mut found {
        diagnostic.message = format!("test \"{}\": {}", test.title, diagnostic.message);
    }
    TestResult { type_name: test.type_def.name.clone(), title: test.title.clone(), span: test.span, automatic: false, found }
}

/// Returns the resource that a test declares, if the test passes and the resource is valid.
pub fn accepted(test: &TestDef, types: &TypeSet, providers: &dyn Providers) -> Option<Declared> {
    if test.checks.iter().any(|check| matches!(check, TestCheck::Rejects { .. })) {
        return None;
    }
    let machine = Simulated::debian();
    let passed = run(test, types, Lab { machine: &machine, providers }).passed();
    if passed { written::declarations(test, &machine.with_given(&test.given)).1 } else { None }
}

/// Runs a type's automatic checks, with the values in its tests.
fn check(type_def: &Arc<TypeDef>, tests: &[TestDef], lab: Lab<'_>) -> Vec<TestResult> {
    let tests: Vec<&TestDef> = tests.iter().filter(|t| Arc::ptr_eq(&t.type_def, type_def)).collect();
    let mut results = attributes::check(type_def, &tests, lab);
    results.extend(titles::check(type_def, &tests, lab));
    results.extend(together::check(type_def, &tests, lab));
    results
}

/// Formats a value for a message; secrets are redacted.
fn shown(value: &Value, secret: bool) -> String {
    if secret { REDACTED.into() } else { shorten(&inspect(value)) }
}

/// Truncates a string to 200 characters.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
