//! What is there, read in batches, and again where a change may have made it stale.

use crate::read::{Current, read_late};
use foldhash::fast::RandomState;
use rtype_lang::value::Symbol;
use rtype_model::resource::{Context, Instance};
use rtype_provider::code_of;
use rtype_provider::{NativeProviders, Reading, System};
use std::collections::HashMap;
use std::sync::Arc;

/// How many resources are read at a time at most, so that a million of them need no memory at once.
const MOST: usize = 4096;

/// The resources of one provider, in the order of the run.
#[derive(Debug, Default)]
struct Group {
    members: Vec<usize>,
    /// How many have had their turn.
    done: usize,
    /// How many are read at once.
    ahead: usize,
    /// How often something had been changed when they were read last.
    read_at: u64,
}

/// A resource as it is when its turn has come, and what is there of it.
type Late = (Arc<Instance>, Current);

/// Readings of resources that are still to come.
///
/// All of a provider are read together just before its first one. Whatever is changed may make that stale: then the next one
/// is read alone, the ones behind it by two, by four and so on while nothing else is changed.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// How often something was changed.
    changes: u64,
    fresh: HashMap<usize, (u64, Late), RandomState>,
    groups: HashMap<(Symbol, Symbol), Group, RandomState>,
    /// Why providers are not asked again.
    unavailable: HashMap<(Symbol, Symbol), Reading, RandomState>,
}

fn key(instance: &Instance) -> (Symbol, Symbol) {
    (instance.type_def.name.clone(), instance.provider().cloned().unwrap_or_else(|| Symbol::from("")))
}

impl Reader {
    /// Says which resources come, in that order.
    pub fn expect<'i>(&mut self, coming: impl IntoIterator<Item = (usize, &'i Instance)>) {
        for (thing, instance) in coming {
            let group = self.groups.entry(key(instance)).or_insert_with(|| Group { ahead: MOST, ..Group::default() });
            group.members.push(thing);
        }
    }

    /// Something was changed: what was read before may be so no longer.
    pub fn outdate(&mut self) {
        self.changes += 1;
    }

    /// What was read of a resource says nothing any longer: it has become another one.
    pub fn forget(&mut self, thing: usize) {
        self.fresh.remove(&thing);
    }

    /// One resource as its type's `late_finalize` makes it, and what is there of it.
    pub fn current(
        &mut self,
        thing: usize,
        instances: &[Option<Arc<Instance>>],
        natives: &NativeProviders,
        system: &System,
        context: Context<'_>,
    ) -> Option<Late> {
        let known = self.fresh.remove(&thing);
        if let Some((_, late)) = known.as_ref().filter(|(at, _)| *at == self.changes) {
            return Some(late.clone());
        }
        let Some(Some(instance)) = instances.get(thing) else { return None };
        if let Some(reading) = self.unavailable.get(&key(instance)) {
            return Some((Arc::clone(instance), Current::Read(reading.clone(), system.redactor().clone())));
        }
        let group = self.groups.entry(key(instance)).or_default();
        let rest = group.members.get(group.done..).unwrap_or_default();
        group.done = rest.iter().position(|m| *m == thing).map_or(group.done, |at| group.done + at);
        // What was read in vain makes careful, what held makes bold.
        group.ahead = if known.is_some() && group.read_at != self.changes { 1 } else { group.ahead.clamp(1, MOST) };
        group.read_at = self.changes;
        let provider = instance.provider().and_then(|p| instance.type_def.providers.get(p.as_str()));
        let code = provider.and_then(|p| code_of(&instance.type_def, p, natives).ok());
        if code.is_some_and(|code| !code.reads_ahead()) {
            group.ahead = 1;
        }
        let rest = group.members.get(group.done..).unwrap_or_default();
        let mut batch: Vec<usize> = rest.iter().copied().take(group.ahead).collect();
        if batch.first() != Some(&thing) {
            batch = vec![thing];
        }
        group.ahead = (group.ahead * 2).min(MOST);
        let chosen: Vec<Arc<Instance>> = batch.iter().filter_map(|m| instances.get(*m)?.clone()).collect();
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
