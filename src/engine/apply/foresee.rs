//! Predicts in a run without changes which changes would fail: what they need is not there, and nothing before them in
//! the run would bring it about.

use super::Run;
use super::actor::Hands;
use super::harness::Looked;
use crate::engine::read::Wanted;
use crate::provider::{Change, Request};
use crate::resource::{Comparison, Instance, act};
use crate::value::{ResourceRef, Value};
use std::cell::{Cell, RefCell};

impl Run<'_, '_> {
    /// Why the planned changes of a resource would fail.
    pub(super) fn foreseen(&self, one: &Looked, planned: &[Comparison]) -> Option<String> {
        if self.surprises {
            return None;
        }
        let code = self.code(&one.instance)?;
        let names: Vec<&str> = planned.iter().map(|c| c.name.as_str()).collect();
        let obstacles = self.with_context(|context| {
            let wanted = Wanted { instance: &one.instance, context };
            code.obstacles(self.machine.system(), Request { name: &one.name, resource: &wanted }, &names)
        });
        let stays = |one: &&crate::provider::Obstacle| !one.removed_by.iter().any(|by| self.brings_about(by));
        obstacles.iter().find(stays).map(|obstacle| obstacle.message.clone())
    }

    /// Whether what cannot be compared now could be when its turn has come: what that needs would be brought about before.
    pub(super) fn may_be_compared_later(&self, instance: &Instance) -> bool {
        let (Some(code), name) = (self.code(instance), instance.name()) else { return false };
        let obstacles = self.with_context(|context| {
            let wanted = Wanted { instance, context };
            code.obstacles(self.machine.system(), Request { name: &name, resource: &wanted }, &[])
        });
        !obstacles.is_empty() && (self.surprises || obstacles.iter().all(|o| o.removed_by.iter().any(|by| self.brings_about(by))))
    }

    /// Why a change of a resource whose type has no providers would fail: its blocks ask for one. Nothing else can happen.
    pub(super) fn foreseen_without_provider(&self, one: &Looked, comparison: &Comparison) -> Option<String> {
        let is = comparison.is.as_ref().ok().filter(|_| one.instance.type_def.providers.is_empty())?;
        let failed = self.with_context(|context| {
            let wanted = Wanted { instance: &one.instance, context };
            let request = Request { name: &one.name, resource: &wanted };
            let change = RefCell::new(Change::new(request, &crate::provider::Reading::Absent));
            let system = self.machine.system();
            let hands = Hands { code: None, system, change: &change, log: &|_, _| {}, unwritten: Cell::new(false) };
            act(&one.instance, comparison.id, is, context, &hands).err().filter(|failure| !failure.unknown)
        });
        failed.map(|failure| failure.message)
    }

    /// Whether a resource of the catalog would be there after its turn.
    fn brings_about(&self, reference: &ResourceRef) -> bool {
        let found = self.catalog.get(reference.type_name.as_str(), &reference.title);
        found.is_some_and(|instance| !instance.get("ensure").is_absent())
    }

    /// Notes that a change would be made that may do more than is known of it: run a program, install a package.
    pub(super) fn note_surprise(&mut self, instance: &Instance) {
        self.surprises |= self.code(instance).is_some_and(|code| !code.keeps_to_plan());
    }
}

/// Whether a resource is only to be reported on.
pub(super) fn is_noop(value: &Value, otherwise: bool) -> bool {
    match value.unwrapped() {
        Value::Nil => otherwise,
        said => matches!(said, Value::Bool(true)) || said.as_text() == Some("true"),
    }
}
