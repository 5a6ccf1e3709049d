//! Automatic check of `canonicalize`: converting converted values changes nothing.

use super::take::{Bench, TITLES};
use super::{Lab, TestResult, shown};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::types::{TestDef, TypeDef};
use rtype_lang::value::{Map, Value};
use rtype_model::resource::declared_values;
use std::sync::Arc;

/// Checks the declared and the current values of the tests, and typical titles.
pub(super) fn check(type_def: &Arc<TypeDef>, tests: &[&TestDef], lab: Lab<'_>) -> Vec<TestResult> {
    let Some(code) = &type_def.canonicalize else { return Vec::new() };
    let benches = tests.iter().filter_map(|t| Bench::of(t, lab)).chain(TITLES.iter().map(|title| Bench::bare(type_def, title, lab)));
    let (mut found, mut any) = (Vec::new(), false);
    for bench in benches {
        for values in [declared_values(type_def, &bench.declared), bench.current_values()] {
            let Some(Ok(once)) = bench.canonicalized(&values) else { continue };
            any = true;
            let problem = |message: String| {
                let d = Diagnostic::new(Code::NotStable, code.inner.span, message);
                d.also(bench.declared.title_span, "the values").help("`canonicalize` must not change values that it returned")
            };
            match bench.canonicalized(&once) {
                Some(Ok(twice)) => found.extend(difference(type_def, &once, &twice).map(problem)),
                Some(Err(failure)) => found.push(problem(format!("`canonicalize` rejects values that it returned: {}", failure.message))),
                None => {}
            }
        }
    }
    if !any {
        return Vec::new();
    }
    found.truncate(MOST);
    let title = "converted values stay as they are".into();
    vec![TestResult { type_name: type_def.name.clone(), title, span: code.inner.span, automatic: true, found }]
}

/// Maximum number of values to report.
const MOST: usize = 5;

/// Returns the first attribute that differs.
fn difference(type_def: &TypeDef, once: &Map, twice: &Map) -> Option<String> {
    let key = once.keys().chain(twice.keys()).find(|key| once.get(*key) != twice.get(*key))?;
    let name = key.to_text();
    let is_secret = type_def.attribute_named(&name).is_some_and(|a| a.sensitive);
    let show = |map: &Map| {
        let value = map.get(key).cloned().unwrap_or_else(|| Value::Nil);
        shown(value.unwrapped(), is_secret || value.has_secret())
    };
    Some(format!("`{name}`: `canonicalize` returns {}, and changes that to {}", show(once), show(twice)))
}
