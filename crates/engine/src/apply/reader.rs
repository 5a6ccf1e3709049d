//! Reads resources in batches, and again when a change may have made the result stale.

use super::instances::Instances;
use crate::read::{Current, code_for, read_late};
use foldhash::fast::RandomState;
use rtype_lang::value::Symbol;
use rtype_model::resource::{Context, Instance};
use rtype_provider::{NativeProviders, Reading, System};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of resources read in one batch, to limit memory.
const MOST: usize = 4096;

/// Resources with the same provider, in run order.
#[derive(Debug, Default)]
struct Group {
    members: Vec<usize>,
    /// Number of resources already evaluated.
    done: usize,
    /// Number of resources to read in the next batch.
    ahead: usize,
    /// Value of `Reader::changes` when the group was last read.
    read_at: u64,
}

/// A resource that is due, with the current state.
type Late = (Arc<Instance>, Current);

/// Current states of upcoming resources.
///
/// All resources with the same provider are read in one batch just before the first. Any change may make the results stale. The next
/// resource is then read alone, and the following batches double in size until the next change.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Number of changes so far.
    changes: u64,
    fresh: HashMap<usize, (u64, Late), RandomState>,
    groups: HashMap<(Symbol, Symbol), Group, RandomState>,
    /// Why a provider is unavailable, so that it is not called again.
    unavailable: HashMap<(Symbol, Symbol), Reading, RandomState>,
}

fn key(instance: &Instance) -> (Symbol, Symbol) {
    (instance.type_def.name.clone(), instance.provider().cloned().unwrap_or_else(|| Symbol::from("")))
}

impl Reader {
    /// Announces the upcoming resources, in order.
    pub fn expect<'i>(&mut self, coming: impl IntoIterator<Item = (usize, &'i Instance)>) {
        for (thing, instance) in coming {
            let group = self.groups.entry(key(instance)).or_insert_with(|| Group { ahead: MOST, ..Group::default() });
            group.members.push(thing);
        }
    }

    /// Marks all earlier readings as possibly stale after a change.
    pub fn outdate(&mut self) {
        self.changes += 1;
    }

    /// Drops the reading for a rebuilt resource.
    pub fn forget(&mut self, thing: usize) {
        self.fresh.remove(&thing);
    }

    /// Returns a resource after running `late_finalize` blocks, with the current state.
    pub fn current(
        &mut self,
        thing: usize,
        instances: &Instances,
        natives: &NativeProviders,
        system: &System,
        context: Context<'_>,
    ) -> Option<Late> {
        let known = self.fresh.remove(&thing);
        if let Some((_, late)) = known.as_ref().filter(|(at, _)| *at == self.changes) {
            return Some(late.clone());
        }
        let instance = instances.get(thing)?;
        if let Some(reading) = self.unavailable.get(&key(instance)) {
            return Some((Arc::clone(instance), Current::Read(reading.clone(), system.redactor().clone())));
        }
        let group = self.groups.entry(key(instance)).or_default();
        let rest = group.members.get(group.done..).unwrap_or_default();
        group.done = rest.iter().position(|m| *m == thing).map_or(group.done, |at| group.done + at);
        // A stale reading resets the batch size, which doubles with each batch below.
        group.ahead = if known.is_some() && group.read_at != self.changes { 1 } else { group.ahead.clamp(1, MOST) };
        group.read_at = self.changes;
        let code = code_for(instance, natives);
        if code.is_some_and(|code| !code.reads_ahead()) {
            group.ahead = 1;
        }
        let rest = group.members.get(group.done..).unwrap_or_default();
        let mut batch: Vec<usize> = rest.iter().copied().take(group.ahead).collect();
        if batch.first() != Some(&thing) {
            batch = vec![thing];
        }
        group.ahead = (group.ahead * 2).min(MOST);
        let chosen: Vec<Arc<Instance>> = batch.iter().filter_map(|m| instances.get(*m).cloned()).collect();
        let mut readings = read_late(chosen, natives, system, context).into_iter();
        let own = readings.next();
        if let Some((_, Current::Read(reading @ Reading::Unavailable(_), _))) = &own {
            self.unavailable.insert(key(instance), reading.clone());
        }
        for (member, late) in batch.into_iter().skip(1).zip(readings) {
            self.fresh.insert(member, (self.changes, late));
        }
        own
    }
}
