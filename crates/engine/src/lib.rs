//! Applies instances to the machine: reads in batches, compares, changes and reports.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod apply;
mod backend;
mod conform;
mod decide;
mod instances;
mod read;
pub mod report;
mod secrets;
pub mod state;

pub use backend::NativeBackend;
pub use conform::{CheckOutcome, Conformance, Trial, Violation, conform};
pub use instances::{Listed, instance, instances, titles};
pub use read::{Current, ReadError, Unavailable, UnsuitableProvider, read, read_late};

use rtype_model::resource::{Catalog, Context, Instance, Relations, Verdict, compare_all, relations};
use rtype_provider::{NativeProviders, System};
use std::sync::Arc;

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
}

/// Reads all resources of a catalog in batches and compares them.
pub fn inspect(catalog: &Catalog, natives: &NativeProviders, system: &System, context: Context<'_>) -> Vec<Inspected> {
    inspect_some(catalog.iter().cloned().collect(), natives, system, context)
}

/// Reads and compares some resources; `context` includes the others.
pub fn inspect_some(instances: Vec<Arc<Instance>>, natives: &NativeProviders, system: &System, context: Context<'_>) -> Vec<Inspected> {
    let late = read_late(instances, natives, system, context);
    let judged = |(instance, current): (Arc<Instance>, Current)| {
        let code = read::code_for(&instance, natives);
        let mut inspected = judge(instance, current, decide::comparing(context, code.as_deref()));
        let Inspected { instance, current, verdict, .. } = &mut inspected;
        decide::decide(verdict, instance, current, code.as_deref(), context);
        inspected
    };
    late.into_iter().map(judged).collect()
}

/// Compares a resource with its current state.
pub fn judge(instance: Arc<Instance>, current: Current, context: Context<'_>) -> Inspected {
    let (verdict, relations) = {
        let answer = current.reader(&instance);
        (compare_all(&instance, &answer, context), relations(&instance, Some(&answer), context))
    };
    Inspected { verdict, relations, instance, current }
}
