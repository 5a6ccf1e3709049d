//! Applies instances to the machine: reads in batches, compares, changes and reports.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod apply;
mod backend;
mod conform;
mod decide;
mod details;
mod instances;
mod read;
pub mod report;
mod secrets;
pub mod state;

pub use backend::NativeBackend;
pub use conform::{CheckOutcome, Conformance, Trial, Violation, conform};
pub use details::InitialValue;
pub use instances::{Listed, instance, instances, titles};
pub use read::{Current, ReadError, Unavailable, UnsuitableProvider, read, read_late};

use rtype_lang::redact::Foreign;
use rtype_model::resource::{Catalog, Context, Instance, Relations, Status, Verdict, compare_all, relations};
use rtype_provider::{NativeProviders, System};
use std::sync::Arc;

/// The suffix of change messages in a simulated run.
const SIMULATED: &str = " (simulated)";

/// A resource with its current state and verdict.
#[derive(Debug)]
pub struct Inspected {
    /// The resource.
    pub instance: Arc<Instance>,
    /// The current state.
    pub current: Current,
    /// The verdict for each property.
    pub verdict: Verdict,
    /// The automatic relations.
    pub relations: Relations,
    /// The attributes set at the resource's creation.
    pub initial: Vec<InitialValue>,
    /// Content differences, if requested.
    pub differences: Vec<Foreign>,
    /// Why a run would refuse the resource, if a required part of its type is left in Ruby.
    pub left_in_ruby: Option<Foreign>,
}

impl Inspected {
    /// Returns whether the resource is in sync; `None` if it is not known.
    pub fn in_sync(&self) -> Option<bool> {
        self.verdict.in_sync().filter(|in_sync| !in_sync || self.left_in_ruby.is_none())
    }
}

/// Reads all resources in a catalog in batches and compares them. With `show_diff`, the result contains content differences.
pub fn inspect(catalog: &Catalog, natives: &NativeProviders, system: &System, context: Context<'_>, show_diff: bool) -> Vec<Inspected> {
    let mut all = inspect_some(catalog.iter().cloned().collect(), natives, system, context);
    for Inspected { instance, verdict, differences, .. } in &mut all {
        if let Some(code) = read::code_for(instance, natives).filter(|_| show_diff) {
            *differences = details::differences(instance, &verdict.plan(), &*code, system, context);
        }
        for property in &mut verdict.properties {
            let (is, should) = details::reported_sides(instance, property, context);
            if let Ok(current) = &mut property.is {
                *current = is;
            }
            property.should = should;
        }
    }
    all
}

/// Reads and compares some resources; `context` includes the others.
pub fn inspect_some(instances: Vec<Arc<Instance>>, natives: &NativeProviders, system: &System, context: Context<'_>) -> Vec<Inspected> {
    let late = read_late(instances, natives, system, context);
    let judged = |(instance, current): (Arc<Instance>, Current)| {
        let code = read::code_for(&instance, natives);
        let mut inspected = judge(instance, current, decide::comparing(context, code.as_deref()));
        let Inspected { instance, current, verdict, initial, .. } = &mut inspected;
        decide::decide(verdict, instance, current, code.as_deref(), context);
        *initial = details::initial_values(instance, verdict, context);
        let changes = verdict.properties.iter_mut().map(|p| &mut p.status).filter(|_| natives.simulation().is_some());
        changes.for_each(|status| {
            if let Status::OutOfSync(message) = status {
                message.push_str(SIMULATED);
            }
        });
        inspected.left_in_ruby = apply::refusal_without_ruby(&inspected.instance, context);
        inspected
    };
    late.into_iter().map(judged).collect()
}

/// Compares a resource with the current state.
pub fn judge(instance: Arc<Instance>, current: Current, context: Context<'_>) -> Inspected {
    let (verdict, relations) = {
        let answer = current.reader(&instance);
        (compare_all(&instance, &answer, context), relations(&instance, Some(&answer), context))
    };
    let initial = details::initial_values(&instance, &verdict, context);
    Inspected { verdict, relations, initial, differences: Vec::new(), left_in_ruby: None, instance, current }
}
