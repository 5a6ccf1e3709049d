//! Predicts failures in a noop run: changes with a missing requirement that earlier resources would not provide.

use super::Run;
use super::actor::ProviderActor;
use super::harness::Evaluation;
use super::outcome::{Event, EventStatus, ResourceOutcome, ResourceStatus, level_of};
use super::refresh::Pending;
use crate::read::DesiredResource;
use rtype_lang::redact::Foreign;
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use rtype_model::resource::{Comparison, Instance, OrderNode, Suitability, act, survey};
use rtype_provider::{Change, Need, Request, Thing};
use rtype_system::process;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Maximum number of resources named in a note.
const MOST_NAMED: usize = 3;

/// The machine's predicted state after the changes so far, which a noop run has only reported.
#[derive(Debug, Default)]
pub(super) struct Prospect {
    /// The resource that would create each object; `None` if the object would be removed.
    things: HashMap<Thing, Option<usize>>,
    /// The paths that would exist.
    paths: Arc<HashSet<EcoString>>,
    /// Resources with unpredictable effects, such as running a program or installing a package.
    surprises: Vec<usize>,
}

impl Prospect {
    /// Returns true if an object would exist; `None` if no resource changes the object.
    fn knows(&self, thing: &Thing) -> Option<bool> {
        if let Thing::WrittenFile(path) = thing {
            return Some(self.things.get(&Thing::File(path.clone())).is_some_and(Option::is_some));
        }
        if let Some(known) = self.things.get(thing) {
            return Some(known.is_some());
        }
        // Removing a directory removes the contents.
        let gone = |above: &Path| {
            let above = above.to_str().map(|path| Thing::Directory(path.into()));
            above.is_some_and(|above| self.things.get(&above) == Some(&None))
        };
        thing.path().is_some_and(|path| Path::new(path).ancestors().skip(1).any(gone)).then_some(false)
    }

    /// Records that a resource would create an object, or with `None` the object's removal.
    fn expect(&mut self, thing: Thing, by: Option<usize>) {
        if let Some(path) = thing.path() {
            let paths = Arc::make_mut(&mut self.paths);
            if by.is_some() {
                paths.insert(path.into())
            } else {
                paths.remove(path)
            };
        }
        self.things.insert(thing, by);
    }

    /// Returns the resource that would create a path.
    fn source_of(&self, path: &EcoString) -> Option<usize> {
        let kinds = [Thing::Program, Thing::File, Thing::Directory];
        kinds.iter().find_map(|kind| self.things.get(&kind(path.clone())).copied().flatten())
    }
}

impl Run<'_> {
    /// Returns why a resource's planned changes would fail; `None` if no failure is predicted.
    pub(super) fn foreseen(&self, one: &Evaluation, planned: &[Comparison]) -> Option<Foreign> {
        if !self.prospect.surprises.is_empty() {
            return None;
        }
        let names: Vec<&str> = planned.iter().map(|c| c.name.as_str()).collect();
        let needs = self.needs(&one.instance, &one.name, &names);
        let missing = |need: &&Need| !need.any_of.iter().any(|thing| self.will_have(thing));
        needs.iter().find(missing).map(|need| need.failure.clone())
    }

    /// Returns true if properties that cannot be read or compared now may be comparable later: earlier resources would create the
    /// requirements.
    pub(super) fn may_be_compared_later(&self, instance: &Instance) -> bool {
        let system = self.machine.system();
        let mut needs = self.needs(instance, &instance.name(), &[]);
        needs.retain(|need| !need.any_of.iter().any(|thing| thing.exists(system)));
        let is_brought = |need: &Need| need.any_of.iter().any(|thing| self.prospect.knows(thing) == Some(true));
        !needs.is_empty() && (!self.prospect.surprises.is_empty() || needs.iter().all(is_brought))
    }

    fn needs(&self, instance: &Instance, name: &str, properties: &[&str]) -> Vec<Need> {
        let Some(code) = self.code(instance) else { return Vec::new() };
        self.with_context(|context| {
            let wanted = DesiredResource { instance, context };
            code.needs(self.machine.system(), Request { name, resource: &wanted }, properties)
        })
    }

    fn will_have(&self, thing: &Thing) -> bool {
        self.prospect.knows(thing).unwrap_or_else(|| thing.exists(self.machine.system()))
    }

    /// Returns why changing a resource without a provider must fail: the type's blocks call the provider.
    pub(super) fn foreseen_without_provider(&self, one: &Evaluation, comparison: &Comparison) -> Option<Foreign> {
        let has_code = || self.code(&one.instance).is_some();
        let is = comparison.is.as_ref().ok().filter(|_| one.instance.type_def.providers.is_empty() && !has_code())?;
        let failed = self.with_context(|context| {
            let wanted = DesiredResource { instance: &one.instance, context };
            let request = Request { name: &one.name, resource: &wanted };
            let change = RefCell::new(Change::new(request, &rtype_provider::Reading::Absent));
            let system = self.machine.system();
            let hands = ProviderActor { code: None, system, change: &change, log: &|_, _| {}, unwritten: Cell::new(false) };
            act(&one.instance, comparison.id, is, context, &hands)
                .err()
                .filter(|failure| !failure.is_unknown() || failure.is_untranslated())
        });
        failed.map(|failure| failure.message.into())
    }

    /// Records a planned change to a resource, and the objects that the change would create or remove.
    pub(super) fn expect_change(&mut self, thing: usize, instance: &Instance) {
        let Some(code) = self.code(instance) else { return };
        let name = instance.name();
        let things = self.with_context(|context| {
            let wanted = DesiredResource { instance, context };
            code.brings(self.machine.system(), Request { name: &name, resource: &wanted })
        });
        let by = (!instance.get("ensure").is_absent()).then_some(thing);
        things.into_iter().for_each(|brought| self.prospect.expect(brought, by));
        if !code.keeps_to_plan() {
            self.prospect.surprises.push(thing);
        }
    }

    /// Returns the earlier resources that may make one of the resource's providers suitable; `None` if no earlier change can.
    fn may_become_suitable(&self, thing: usize, instance: &Instance) -> Option<Vec<ResourceRef>> {
        let machine = self.machine.expecting(Arc::clone(&self.prospect.paths));
        let mut survey = survey(&instance.type_def, &machine);
        survey.retain(|s| instance.provider().is_none_or(|own| *own == s.provider));
        let reference = |thing: &usize| Some(self.instances.get(*thing)?.label());
        if survey.iter().any(Suitability::is_suitable) {
            let mut by: Vec<usize> = machine.used_expectations().iter().filter_map(|path| self.prospect.source_of(path)).collect();
            by.sort_unstable();
            by.dedup();
            return Some(by.iter().filter_map(reference).collect());
        }
        let can_work = |s: &Suitability| s.reasons.iter().all(|reason| reason.can_change);
        if self.prospect.surprises.is_empty() || !survey.iter().any(can_work) {
            return None;
        }
        // Explicit dependencies are the most informative.
        let is_before = |before: &&usize| self.order.behind(OrderNode::of(**before)).any(|(next, _)| next == OrderNode::of(thing));
        let mut named: Vec<&usize> = self.prospect.surprises.iter().filter(is_before).collect();
        if named.is_empty() {
            named = self.prospect.surprises.iter().collect();
        }
        Some(named.into_iter().filter_map(reference).collect())
    }

    /// Reports a resource if the provider may become suitable after changes to earlier resources. The resource counts as changed. Returns
    /// `false` if the provider cannot become suitable.
    pub(super) fn waits_for_provider(&mut self, thing: usize, instance: &Arc<Instance>, why: &str) -> bool {
        if !is_noop(&self.catalog.inherited(instance, "noop"), self.options.noop) {
            return false;
        }
        let Some(by) = self.may_become_suitable(thing, instance) else { return false };
        let begun = process::now();
        let names: Vec<String> = by.iter().take(MOST_NAMED).map(|r| format!("`{r}`")).collect();
        let more = by.len().saturating_sub(MOST_NAMED);
        let others = if more == 0 { String::new() } else { format!(" and {more} more") };
        let mut event = Event {
            property: None,
            name: Symbol::from("provider_pending"),
            previous: Value::Nil,
            desired: Value::Nil,
            message: format!("depends on {}{others}: {why}", names.join(", ")).into(),
            status: EventStatus::Noop,
            level: level_of(instance),
            time: jiff::Timestamp::now(),
            corrective: false,
            is_repeated: false,
            invalidates_refreshes: false,
            failed_at: None,
            initial: Vec::new(),
        };
        let (label, place) = (instance.label(), OrderNode::of(thing));
        self.report_event(&label, &mut event);
        self.pending.remove(&place);
        self.expect_change(thing, instance);
        if self.code(instance).is_none() {
            self.prospect.surprises.push(thing);
        }
        self.refresh_after(place, &Pending { made: 0, noop: 1 });
        self.finish(ResourceOutcome {
            reference: label,
            span: instance.span,
            status: ResourceStatus::WouldChange,
            events: vec![event],
            failure: None,
            failed_at: None,
            refreshed: false,
            refresh_failed: false,
            time: begun.elapsed(),
        });
        true
    }
}

/// Returns true if a resource is in noop mode: by the resource's metaparameter, otherwise by the run's option.
pub(super) fn is_noop(value: &Value, otherwise: bool) -> bool {
    match value.unwrapped() {
        Value::Nil => otherwise,
        said => matches!(said, Value::Bool(true)) || said.as_text() == Some("true"),
    }
}
