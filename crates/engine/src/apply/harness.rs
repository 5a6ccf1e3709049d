//! Evaluates a resource: read, compare, change, and read again.
//!
//! Follows Puppet's `Puppet::Transaction::ResourceHarness`, with two differences: changed resources are read again, and a provider with
//! batch support writes several resources together.

use super::Run;
use super::actor::ProviderActor;
use super::foresee::is_noop;
use super::instances::{LEFT_IN_RUBY, left_in_ruby, not_known, unknown};
use super::outcome::{Event, EventStatus, ResourceOutcome, ResourceStatus, level_of, leveled};
use super::refresh::{Pending, Refreshed};
use super::write::{Written, write};
use crate::SIMULATED;
use crate::decide::{comparing, decide};
use crate::details::{differences, initial_values, reported_sides};
use crate::read::{Current, DesiredResource, read};
use crate::state::SavedState;
use rtype_lang::eval::{Failure, LogLevel};
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::types::ArrayMatching;
use rtype_lang::value::{EcoString, REDACTED, ResourceRef, Symbol, Value};
use rtype_model::resource::{
    Comparison, Context, Instance, OrderNode, Status, Verdict, act, compare_all, compare_one, sides, unchangeable,
};
use rtype_provider::{Change, Provider, Reading, Request};
use rtype_system::process;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Instant;

/// A resource after reading and comparing.
pub(super) struct Evaluation {
    pub thing: usize,
    pub instance: Arc<Instance>,
    pub label: ResourceRef,
    pub name: EcoString,
    current: Current,
    reading: Reading,
    verdict: Verdict,
    noop: bool,
    begun: Instant,
    events: Vec<Event>,
    failure: Option<Foreign>,
    failed_at: Option<Span>,
}

impl Evaluation {
    /// Returns the changes to make, in order.
    fn planned(&self) -> Vec<Comparison> {
        if self.failure.is_some() { Vec::new() } else { self.verdict.plan().into_iter().cloned().collect() }
    }

    fn has_changed(&self) -> bool {
        self.events.iter().any(|e| e.status == EventStatus::Success)
    }

    /// Changes an event's status to failure.
    fn fail(&self, event: &mut Event, why: &Foreign, failed_at: Option<Span>, context: Context<'_>) {
        event.failed_at = failed_at;
        let comparison = self.verdict.properties.iter().find(|c| Some(&c.name) == event.property.as_ref());
        event.status = EventStatus::Failure;
        event.message = comparison.map_or_else(|| why.clone(), |c| failed_message(&self.instance, c, why, context));
    }
}

/// Returns the current and desired value for a message.
fn shown_sides(instance: &Instance, comparison: &Comparison, context: Context<'_>) -> Result<(String, String), Failure> {
    if is_redacted(comparison) { Ok((REDACTED.to_owned(), REDACTED.to_owned())) } else { sides(instance, comparison, context) }
}

/// Formats the message about a failed change, like Puppet.
fn failed_message(instance: &Instance, comparison: &Comparison, why: &Foreign, context: Context<'_>) -> Foreign {
    match shown_sides(instance, comparison, context) {
        Ok((is, should)) => Foreign::from(format!("change from {is} to {should} failed: ")),
        Err(_) => Foreign::from(format!("change of {} failed: ", comparison.name)),
    }
    .then(why.clone())
}

impl Run<'_> {
    /// Evaluates resources with the same provider together.
    pub(super) fn evaluate(&mut self, batch: &[usize]) {
        let mut looked: Vec<Evaluation> = batch.iter().filter_map(|thing| self.look(*thing)).collect();
        for one in &looked {
            self.tell_differences(one);
        }
        self.act_all(&mut looked);
        self.verify(&mut looked);
        for one in looked {
            self.conclude(one);
        }
    }

    /// Reads and compares a resource.
    fn look(&mut self, thing: usize) -> Option<Evaluation> {
        let begun = process::now();
        let instance = self.instances.get(thing).cloned()?;
        let label = instance.label();
        self.listener.borrow_mut().turn(&label, self.counts.total, self.total);
        self.listener.borrow_mut().resource(&instance);
        let (instance, current) = {
            let mut reader = std::mem::take(&mut self.reader);
            let (natives, system) = (self.natives, self.machine.system());
            let late = self.with_context(|context| reader.current(thing, &self.instances, natives, system, context));
            self.reader = reader;
            late?
        };
        let code = self.code(&instance);
        let mut verdict =
            self.with_context(|context| compare_all(&instance, &current.reader(&instance), comparing(context, code.as_deref())));
        self.with_context(|context| decide(&mut verdict, &instance, &current, code.as_deref(), context));
        let noop = is_noop(&self.catalog.inherited(&instance, "noop"), self.options.noop);
        let is_unknown = |p: &Comparison| matches!(p.status, Status::Failed(_) | Status::Unreadable(_));
        let depends = noop && verdict.properties.iter().any(is_unknown) && self.may_be_compared_later(&instance);
        if depends {
            let failed = verdict.properties.iter_mut().filter(|p| is_unknown(p));
            failed.for_each(|p| p.status = Status::OutOfSync(p.name.to_string()));
        }
        let failure = match &current {
            _ if depends => None,
            Current::Unavailable(why) => Some(why.to_string().into()),
            Current::Read(Reading::Error(e) | Reading::Unavailable(e), _) => Some(e.line()),
            // The type's original code also checks the untranslated parts.
            _ if code.is_some_and(|code| code.decider().is_some()) => trouble(&verdict),
            _ => left_in_ruby(&instance).or_else(|| trouble(&verdict)),
        };
        // `late_finalize` may have changed the instance.
        let failure = failure.or_else(|| unknown(&instance, self.natives)).or_else(|| self.refused_bytes(&instance));
        // A program receives all values of a resource, so no property is changed.
        let refused = verdict.plan().into_iter().find_map(|c| Some((c, unchangeable(&instance, c.id)?))).filter(|_| failure.is_none());
        let failed_at = refused.as_ref().map(|(_, why)| why.span).or_else(|| failure.as_ref().and_then(|_| current.failed_at()));
        let failure = failure
            .or_else(|| refused.map(|(c, why)| self.with_context(|context| failed_message(&instance, c, &why.message.into(), context))));
        let reading = match &current {
            Current::Read(reading, _) => reading.clone(),
            _ => Reading::Absent,
        };
        let name = instance.name();
        Some(Evaluation { thing, instance, label, name, current, reading, verdict, noop, begun, events: Vec::new(), failure, failed_at })
    }

    /// Returns an error if a value is binary and the provider would treat it as a string.
    fn refused_bytes(&self, instance: &Instance) -> Option<Foreign> {
        let mut values = instance.slots.iter().filter_map(|slot| Some((slot.id, slot.raw().binary()?.len()))).peekable();
        values.peek()?;
        let code = self.code(instance)?;
        let attribute = |id| instance.type_def.attribute(id).map(|a| a.name.as_str());
        let refused = values.find_map(|(id, size)| attribute(id).filter(|name| !code.takes_bytes(name)).map(|name| (name, size)));
        refused.map(|(name, size)| format!("{name}: the provider takes text, and these {size} bytes are not UTF-8 text").into())
    }

    /// Makes the planned changes, or reports them in noop mode.
    fn act_all(&mut self, looked: &mut [Evaluation]) {
        let Some(first) = looked.first() else { return };
        let code = self.code(&first.instance);
        for one in looked.iter_mut().filter(|one| one.noop) {
            let planned = one.planned();
            // Separately written properties fail separately.
            let is_separate =
                code.as_ref().is_some_and(|code| code.has_independent_properties()) && planned.iter().all(|c| c.name.as_str() != "ensure");
            let together = Some(&planned).filter(|planned| !planned.is_empty() && !is_separate);
            let together = together.and_then(|planned| self.foreseen(one, planned));
            if let Some(why) = together.as_ref().filter(|_| planned.len() > 1) {
                one.failure = Some(why.clone());
                continue;
            }
            let noop = |c: &Comparison| {
                let own = || is_separate.then(|| self.foreseen(one, std::slice::from_ref(c))).flatten();
                if let Some(why) = together.clone().or_else(own).or_else(|| self.foreseen_without_provider(one, c)) {
                    return self.with_context(|context| {
                        let message = failed_message(&one.instance, c, &why, context);
                        event(one, c, EventStatus::Failure, message, self.state, context)
                    });
                }
                self.with_context(|context| {
                    let sides = shown_sides(&one.instance, c, context);
                    let shown = |(is, should)| format!("current_value {is}, should be {should}").into();
                    event(one, c, EventStatus::Noop, sides.map_or_else(|_| message_of(c), shown), self.state, context)
                })
            };
            let events: Vec<Event> = planned.iter().map(noop).collect();
            one.events.extend(events);
        }
        if looked.iter().all(|one| one.noop || one.planned().is_empty()) {
            return;
        }
        let (listener, system, state) = (&self.listener, self.machine.system(), &*self.state);
        let results: Vec<Written> = self.with_context(|context| {
            let wanted: Vec<DesiredResource<'_>> = looked.iter().map(|one| DesiredResource { instance: &one.instance, context }).collect();
            let mut done: Vec<Written> = Vec::new();
            let mut changes: Vec<Change<'_>> = Vec::new();
            let mut unwritten: Vec<usize> = Vec::new();
            for (at, (one, wanted)) in looked.iter().zip(&wanted).enumerate() {
                let change = RefCell::new(Change::new(Request { name: &one.name, resource: wanted }, &one.reading));
                let log = |level, message: &Foreign| listener.borrow_mut().log(Some(&one.label), leveled(level, &one.instance), message);
                let hands = ProviderActor { code: code.as_ref(), system, change: &change, log: &log, unwritten: Cell::new(false) };
                let planned = if one.noop { Vec::new() } else { one.planned() };
                let mut events = Vec::new();
                for comparison in &planned {
                    let done = match (code.as_ref().and_then(|code| code.decider()), &comparison.is) {
                        (Some(_), _) => hands.assign_original(&one.instance, comparison),
                        (None, Ok(is)) => act(&one.instance, comparison.id, is, context, &hands),
                        (None, Err(unreadable)) => Err((**unreadable).clone()),
                    };
                    match done {
                        Ok(effect) => {
                            // The importer has already reported untranslated code. The error may show values hidden by the type's own
                            // message.
                            if comparison.unformatted.as_ref().is_some_and(|why| !why.is_untranslated()) {
                                let help = "`expect change` in a test shows the error";
                                let text = format!("{}: its change message cannot be formatted; {help}", comparison.name);
                                log(LogLevel::Warning, &text.as_str().into());
                            }
                            let message = message_of(comparison);
                            let mut event = event(one, comparison, EventStatus::Success, message, state, context);
                            event.name = effect.name;
                            event.invalidates_refreshes = effect.invalidate_refreshes;
                            events.push(event);
                        }
                        Err(failure) => {
                            let failed_at = Some(failure.span);
                            let message = failed_message(&one.instance, comparison, &failure.message.into(), context);
                            events.push(Event { failed_at, ..event(one, comparison, EventStatus::Failure, message, state, context) });
                        }
                    }
                }
                let succeeded = events.iter().any(|e| e.status == EventStatus::Success);
                if succeeded && hands.unwritten.get() {
                    unwritten.push(at);
                }
                changes.push(change.into_inner());
                done.push((events, Vec::new()));
            }
            write(code.as_ref(), system, &mut changes, &unwritten, &mut done);
            for (change, one) in changes.iter_mut().zip(looked.iter()) {
                for (level, message) in std::mem::take(&mut change.messages) {
                    for line in &system.redactor().lines(&message) {
                        listener.borrow_mut().log(Some(&one.label), leveled(level, &one.instance), line);
                    }
                }
            }
            done
        });
        for (one, (events, failures)) in looked.iter_mut().zip(results) {
            one.events.extend(events);
            for failure in failures {
                // Changes reported as successful have failed after all.
                let mut events = std::mem::take(&mut one.events);
                let made = events.iter_mut().filter(|e| e.status == EventStatus::Success && failure.is_of(e));
                self.with_context(|context| made.for_each(|event| one.fail(event, &failure.why, failure.failed_at, context)));
                one.events = events;
            }
        }
        self.outdate();
    }

    /// Reads changed resources again. A property still different from the desired value counts as failed; an unreadable property is
    /// reported. Puppet does not read again.
    fn verify(&mut self, looked: &mut [Evaluation]) {
        let changed: Vec<usize> = (0..looked.len()).filter(|i| looked.get(*i).is_some_and(Evaluation::has_changed)).collect();
        let Some(first) = changed.first().and_then(|i| looked.get(*i)) else { return };
        let Some(code) = self.code(&first.instance) else { return };
        let instances: Vec<Arc<Instance>> =
            changed.iter().filter_map(|i| looked.get(*i)).filter(|one| converges(one, &*code)).map(|one| one.instance.clone()).collect();
        let (natives, system) = (self.natives, self.machine.system());
        let readings = self.with_context(|context| read(&instances, natives, system, context));
        let mut readings = instances.iter().zip(readings).peekable();
        for at in changed {
            let Some(one) = looked.get_mut(at) else { continue };
            let Some((instance, current)) = readings.next_if(|(instance, _)| Arc::ptr_eq(instance, &one.instance)) else { continue };
            let answer = current.reader(instance);
            let mut events = std::mem::take(&mut one.events);
            for event in events.iter_mut().filter(|e| e.status == EventStatus::Success) {
                let Some(property) = event.property.as_ref().filter(|p| code.converges(p.as_str())) else { continue };
                let Some(id) = instance.type_def.id_of(property.as_str()) else { continue };
                let Some(after) = self.with_context(|context| compare_one(instance, id, &answer, comparing(context, Some(&*code)))) else {
                    continue;
                };
                let after = self.with_context(|context| {
                    let mut verdict = Verdict { properties: vec![after] };
                    decide(&mut verdict, instance, &current, Some(&*code), context);
                    verdict.properties.pop()
                });
                let Some(after) = after else { continue };
                if let Some(why) = self.with_context(|context| unconverged(&after, event, instance, context)) {
                    if code.fails_unconfirmed() {
                        self.with_context(|context| one.fail(event, &why.into(), None, context));
                    } else {
                        let message = format!("{property}: {why}").as_str().into();
                        self.listener.borrow_mut().log(Some(&one.label), LogLevel::Warning, &message);
                    }
                } else if let Status::Unreadable(why) | Status::Failed(why) | Status::Untranslated(why) = &after.status
                    && !after.reads_as_desired()
                {
                    // Reading may require the changed value, such as a password.
                    let message = format!("{property}: it was changed, but cannot be read again: {why}").as_str().into();
                    self.listener.borrow_mut().log(Some(&one.label), LogLevel::Warning, &message);
                }
            }
            one.events = events;
            drop(answer);
            one.current = current;
        }
    }

    /// Reports the outcome, refreshes the resource, and passes events to dependent resources.
    fn conclude(&mut self, mut one: Evaluation) {
        let place = OrderNode::of(one.thing);
        for event in self.audit(&one) {
            one.events.push(event);
        }
        if let Some(code) = self.code(&one.instance) {
            for event in &mut one.events {
                let Some(property) = event.property.clone() else { continue };
                event.is_repeated = !code.converges(property.as_str());
                event.name = code.event(property.as_str()).map_or_else(|| event.name.clone(), Symbol::from);
            }
        }
        let mut events = std::mem::take(&mut one.events);
        for event in &mut events {
            let creates = event.property.as_ref().is_some_and(|p| p.as_str() == "ensure");
            // A run without changes reports the initial attributes even if it predicts a failure.
            if creates && (one.noop || event.status == EventStatus::Success) {
                event.initial = self.with_context(|context| initial_values(&one.instance, &one.verdict, context));
            }
            self.report_event(&one.label, event);
        }
        one.events = events;
        self.remember(&one);
        let made = one.events.iter().filter(|e| e.status == EventStatus::Success).count();
        let noop = one.events.iter().filter(|e| e.status == EventStatus::Noop).count();
        let mut changes = Pending { made, noop };
        if noop > 0 {
            self.expect_change(one.thing, &one.instance);
        }
        let goes_away = one.instance.get("ensure").is_absent();
        if one.instance.type_def.self_refresh && one.instance.type_def.refresh.is_some() && !goes_away {
            self.pend(place, &changes);
        }
        if one.events.iter().any(|e| e.status == EventStatus::Success && e.invalidates_refreshes) {
            self.pending.remove(&place);
        }
        let refreshed = match &one.current {
            Current::Read(reading, _) => self.refresh(one.thing, &one.instance, &reading.clone(), one.noop),
            Current::Unavailable(_) => {
                self.pending.remove(&place);
                Refreshed::default()
            }
            Current::Stated(_) => self.refresh(one.thing, &one.instance, &Reading::Absent, one.noop),
        };
        if let Some(mut event) = refreshed.event {
            self.report_event(&one.label, &mut event);
            match event.status {
                EventStatus::Success => changes.made += 1,
                EventStatus::Noop => {
                    changes.noop += 1;
                    self.expect_change(one.thing, &one.instance);
                }
                _ => {}
            }
            one.events.push(event);
        }
        let mut failed = one.failure.is_some() || one.events.iter().any(|e| e.status == EventStatus::Failure && e.property.is_some());
        if !failed {
            // Generated resources are derived from the resource's state before this step, because they resolve their own sources.
            let original = self.instances.get(one.thing).cloned().unwrap_or_else(|| Arc::clone(&one.instance));
            let late = self.generate_late(&original, &one.current);
            if !late.failures.is_empty() {
                one.failure = late.failures.into_iter().reduce(|all, one| all.then("; ").then(one));
                failed = true;
            }
            changes.made += late.changed;
            changes.noop += late.would_change;
            if late.failed {
                self.blame(place, &[one.thing]);
            }
        }
        if failed || refreshed.failed {
            self.blame(place, &[one.thing]);
        }
        self.refresh_after(place, &changes);
        let status = match () {
            () if failed => ResourceStatus::Failed,
            () if made > 0 => ResourceStatus::Changed,
            () if noop > 0 => ResourceStatus::WouldChange,
            () => ResourceStatus::InSync,
        };
        self.finish(ResourceOutcome {
            reference: one.label,
            span: one.instance.span,
            status,
            events: one.events,
            failure: one.failure,
            failed_at: one.failed_at,
            refreshed: refreshed.done,
            refresh_failed: refreshed.failed,
            time: one.begun.elapsed(),
        });
    }

    /// Passes an event to the listener. If the run is simulated, the message says so.
    pub(super) fn report_event(&self, reference: &ResourceRef, event: &mut Event) {
        if self.natives.simulation().is_some() {
            event.message = std::mem::take(&mut event.message).then(SIMULATED);
        }
        self.listener.borrow_mut().event(reference, event);
    }

    /// Reports content differences as unified diffs.
    fn tell_differences(&self, one: &Evaluation) {
        let Some(code) = self.code(&one.instance).filter(|_| self.options.show_diff && one.failure.is_none()) else { return };
        let plan = one.verdict.plan();
        let found = self.with_context(|context| differences(&one.instance, &plan, &*code, self.machine.system(), context));
        found.iter().for_each(|diff| self.listener.borrow_mut().difference(&one.label, diff));
    }

    /// Returns events for changed audited properties.
    fn audit(&mut self, one: &Evaluation) -> Vec<Event> {
        let watched = crate::state::watched(&one.instance);
        if watched.is_empty() || one.failure.is_some() {
            return Vec::new();
        }
        let mut events = Vec::new();
        for id in watched {
            let Some(attribute) = one.instance.type_def.attribute(id) else { continue };
            // Only properties with a desired value have been read.
            let Ok(is) = one.current.property(&one.instance, id) else { continue };
            let redactor = self.machine.system().redactor();
            let is_known = || !redactor.find(&rtype_model::resource::for_display(&is)).is_empty();
            let secret = attribute.sensitive || is.has_secret() || is_known();
            let shown = |text: &str| if secret { REDACTED.to_owned() } else { text.to_owned() };
            let now = rtype_model::resource::for_display(&is);
            if !self.state.is_audited(&one.label, attribute.name.as_str()) {
                let value = Foreign::from(shown(without_quotes(&now)));
                self.listener.borrow_mut().recorded(&one.label, &attribute.name, &value);
            }
            if let Some(before) = self.state.audited(&one.label, attribute.name.as_str(), &is, secret) {
                events.push(Event {
                    property: Some(attribute.name.clone()),
                    name: rtype_model::resource::event(&one.instance, attribute, &Value::Nil).name,
                    previous: Value::str(shown(without_quotes(&before))),
                    desired: if secret { Value::str(REDACTED) } else { is.clone() },
                    message: format!("audit change: previously recorded value {} has been changed to {}", shown(&before), shown(&now))
                        .into(),
                    status: EventStatus::Audit,
                    level: level_of(&one.instance),
                    time: jiff::Timestamp::now(),
                    corrective: false,
                    is_repeated: false,
                    invalidates_refreshes: false,
                    failed_at: None,
                    initial: Vec::new(),
                });
            }
        }
        events
    }

    /// Records the resource's state for the next run.
    fn remember(&mut self, one: &Evaluation) {
        if one.noop || one.failure.is_some() {
            return;
        }
        // A failed creation may be incomplete: the current values are unknown.
        let is_creation = |e: &&Event| e.property.as_ref().is_some_and(|property| property.as_str() == "ensure");
        if one.events.iter().filter(is_creation).any(|e| e.status == EventStatus::Failure) {
            return;
        }
        for comparison in &one.verdict.properties {
            let property = comparison.name.as_str();
            let ended =
                |status: EventStatus| one.events.iter().any(|e| e.property.as_ref() == Some(&comparison.name) && e.status == status);
            // An unreadable state is assumed to be as desired after the change, like a command that ran.
            let is_desired = || ended(EventStatus::Success) && self.code(&one.instance).is_some_and(|code| !code.converges(property));
            let is = match &comparison.is {
                // Like `new_system_value` in `lib/puppet/transaction/resource_harness.rb`, but array properties keep their array.
                _ if ended(EventStatus::Failure) && self.state.is_known(&one.label, property) => continue,
                Ok(is) if ended(EventStatus::Failure) => match one.instance.type_def.attribute(comparison.id).map(|a| a.array_matching) {
                    Some(ArrayMatching::All) if is.unwrapped().as_array().is_none() => Value::array([is.unwrapped().clone()]),
                    _ => is.clone(),
                },
                _ if is_desired() => comparison.should.clone(),
                _ => match one.current.property(&one.instance, comparison.id) {
                    Ok(is) => is,
                    Err(_) => continue,
                },
            };
            self.state.remember(&one.label, property, &is);
        }
        if !one.instance.get("schedule").is_nil() {
            self.state.checked(&one.label, self.options.now.timestamp());
        }
    }
}

/// Returns true if reading again can confirm any change.
fn converges(one: &Evaluation, code: &dyn Provider) -> bool {
    let mut made = one.events.iter().filter(|e| e.status == EventStatus::Success).filter_map(|e| e.property.as_ref());
    made.any(|property| code.converges(property.as_str()))
}

/// Returns why a changed property is not as desired: the value differs, and the type's `insync` rejects the value.
fn unconverged(after: &Comparison, event: &Event, instance: &Instance, context: Context<'_>) -> Option<String> {
    match &after.status {
        Status::InSync | Status::WithEnsure | Status::Unknown => None,
        // The current value is unrelated to the change.
        Status::Unreadable(_) | Status::Failed(_) | Status::Untranslated(_) => None,
        // A type may request the same change in every run; `insync` does not show if this change succeeded.
        Status::OutOfSync(_) if after.reads_as_desired() => None,
        Status::OutOfSync(_) => {
            let is_secret = event.desired.has_secret();
            let sides = if is_secret { Ok((REDACTED.to_owned(), REDACTED.to_owned())) } else { shown_sides(instance, after, context) };
            Some(match sides {
                Ok((is, should)) => format!("it was set to {should}, but reads {is} now"),
                // The type hides or formats the values with untranslated code.
                Err(_) => "it was set, but reads otherwise now".to_owned(),
            })
        }
    }
}

/// Returns why a resource cannot be managed: a relevant property could not be read or compared.
fn trouble(verdict: &Verdict) -> Option<Foreign> {
    verdict.properties.iter().find_map(|p| match &p.status {
        Status::Unreadable(why) | Status::Failed(why) => Some(format!("{}: {why}", p.name).into()),
        Status::Untranslated(why) => Some(format!("{}: {LEFT_IN_RUBY}: {why}", p.name).into()),
        Status::Unknown => Some(not_known(p.name.as_str())),
        // The property would be set together with `ensure`.
        Status::WithEnsure if p.should.has_unknown() => Some(not_known(p.name.as_str())),
        Status::InSync | Status::OutOfSync(_) | Status::WithEnsure => None,
    })
}

/// Removes the quotes from a displayed string, like new values in Puppet's `audit` messages.
fn without_quotes(shown: &str) -> &str {
    shown.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(shown)
}

/// Returns true if a change is not shown because the message contains another property's secret, like the content of a new file.
fn is_redacted(comparison: &Comparison) -> bool {
    matches!(&comparison.status, Status::OutOfSync(message) if *message == format!("changed {REDACTED} to {REDACTED}"))
}

fn message_of(comparison: &Comparison) -> Foreign {
    match &comparison.status {
        Status::OutOfSync(message) => message.as_str().into(),
        _ => comparison.name.as_str().into(),
    }
}

fn event(
    one: &Evaluation,
    comparison: &Comparison,
    status: EventStatus,
    message: Foreign,
    state: &SavedState,
    context: Context<'_>,
) -> Event {
    let attribute = one.instance.type_def.attribute(comparison.id);
    let sensitive = is_redacted(comparison) || attribute.is_some_and(|a| a.sensitive);
    let hide = |value: &Value| if sensitive { Value::Sensitive(Arc::new(value.unwrapped().clone())) } else { value.clone() };
    let (previous, desired) = reported_sides(&one.instance, comparison, context);
    let is = comparison.is.as_ref().map_or(&Value::Nil, Value::unwrapped);
    let effect = attribute.map(|a| rtype_model::resource::event(&one.instance, a, &comparison.should));
    Event {
        property: Some(comparison.name.clone()),
        name: effect.map_or_else(|| comparison.name.clone(), |e| e.name),
        corrective: state.is_corrective(&one.label, comparison.name.as_str(), is),
        is_repeated: false,
        previous: hide(&previous),
        desired: hide(&desired),
        message,
        status,
        level: level_of(&one.instance),
        time: jiff::Timestamp::now(),
        invalidates_refreshes: false,
        failed_at: None,
        initial: Vec::new(),
    }
}
