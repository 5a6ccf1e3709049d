//! Writes a batch's recorded changes.
//!
//! Puppet writes one property at a time, so an invalid property value does not affect the others. Here, a provider may write all changes to
//! a resource together. If that fails and the properties are independent, they are written one by one.

use super::outcome::Event;
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::value::{Symbol, Value};
use rtype_provider::{Change, Operation, Provider, ProviderError, System};
use std::sync::Arc;

/// Why changes to a resource were not written.
pub(super) struct WriteFailure {
    /// The failed property; `None` if all changes to the resource failed.
    property: Option<Symbol>,
    pub why: Foreign,
    /// The span of the failed setting.
    pub failed_at: Option<Span>,
}

impl WriteFailure {
    fn new(property: Option<Symbol>, error: &ProviderError) -> WriteFailure {
        WriteFailure { property, why: error.line(), failed_at: error.span }
    }

    /// Returns true if this event's change failed.
    pub fn is_of(&self, event: &Event) -> bool {
        self.property.is_none() || self.property == event.property
    }
}

/// A resource's events, and the failures when writing them.
pub(super) type Written = (Vec<Event>, Vec<WriteFailure>);

/// Writes the recorded changes to several resources in one call, and records the errors.
pub(super) fn write(
    code: Option<&Arc<dyn Provider>>,
    system: &System,
    changes: &mut Vec<Change<'_>>,
    unwritten: &[usize],
    done: &mut [Written],
) {
    let Some(code) = code else { return };
    if unwritten.is_empty() {
        return;
    }
    let mut chosen = Vec::new();
    let mut rest = Vec::new();
    for (at, change) in std::mem::take(changes).into_iter().enumerate() {
        if unwritten.contains(&at) { chosen.push((at, change)) } else { rest.push((at, change)) }
    }
    let (places, mut chosen): (Vec<usize>, Vec<Change<'_>>) = chosen.into_iter().unzip();
    let guarded = system.guarding(chosen.iter().map(|change| change.resource));
    let recorded: Vec<Vec<(Symbol, Value)>> = chosen.iter().map(|change| separable(&**code, change)).collect();
    let results = code.flush(&guarded, &mut chosen);
    for (((place, result), recorded), change) in places.iter().zip(results).zip(recorded).zip(&mut chosen) {
        let Some((_, failures)) = done.get_mut(*place) else { continue };
        failures.extend(std::mem::take(&mut change.failed).into_iter().map(|(name, e)| WriteFailure::new(Some(name), &e)));
        match result {
            Ok(()) => {}
            Err(e) if recorded.len() < 2 => failures.push(WriteFailure::new(None, &e)),
            Err(_) => *failures = write_separately(&**code, &guarded, change, recorded),
        }
    }
    rest.extend(places.into_iter().zip(chosen));
    rest.sort_by_key(|(at, _)| *at);
    changes.extend(rest.into_iter().map(|(_, change)| change));
}

/// Returns the changes to write separately.
fn separable(code: &dyn Provider, change: &Change<'_>) -> Vec<(Symbol, Value)> {
    let is_separable = code.has_independent_properties() && change.operation() == Operation::Update;
    change.should.iter().filter(|_| is_separable).map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn write_separately(code: &dyn Provider, system: &System, change: &mut Change<'_>, recorded: Vec<(Symbol, Value)>) -> Vec<WriteFailure> {
    let mut failures = Vec::new();
    for (name, value) in recorded {
        let mut one = Change::new(change.request(), change.is);
        one.should.insert(name.clone(), value);
        let result = code.flush(system, std::slice::from_mut(&mut one)).into_iter().find_map(Result::err);
        failures.extend(result.map(|e| WriteFailure::new(Some(name), &e)));
        change.messages.append(&mut one.messages);
    }
    failures
}
