//! A run's outcome: events, resource statuses and counts.

use crate::details::InitialValue;
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use rtype_model::resource::Instance;
use rtype_provider::log_level;
use std::time::Duration;

/// How a change ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventStatus {
    /// The change was made.
    Success,
    /// The change failed, or was predicted to fail.
    Failure,
    /// The change would have been made.
    Noop,
    /// An audited property has changed since the last run.
    Audit,
}

/// A property change, or a refresh.
#[derive(Clone, Debug)]
pub struct Event {
    /// The property; `None` if the event concerns the whole resource, like a refresh.
    pub property: Option<Symbol>,
    /// Event name, such as `mode_changed`.
    pub name: Symbol,
    /// Previous value; secrets are wrapped. For an audited property, the last run's value.
    pub previous: Value,
    /// Desired value; secrets are wrapped. For an audited property, the current value.
    pub desired: Value,
    /// Message without the resource name.
    pub message: Foreign,
    /// Status of the change.
    pub status: EventStatus,
    /// The resource's `loglevel`.
    pub level: LogLevel,
    /// Time of the event.
    pub time: jiff::Timestamp,
    /// True if the property had been changed since an earlier run set it. As in Puppet, this includes commands that run again.
    pub corrective: bool,
    /// True if the result cannot be read, such as the result of an `exec` command.
    pub is_repeated: bool,
    /// True to drop pending refreshes of the resource.
    pub invalidates_refreshes: bool,
    /// The span of the type's failed block or setting.
    pub failed_at: Option<Span>,
    /// The attributes set with `ensure`, if the event creates the resource.
    pub initial: Vec<InitialValue>,
}

impl Event {
    /// Returns true if the change reverts a change made outside rtype.
    pub fn reverts(&self) -> bool {
        self.corrective && !self.is_repeated
    }

    /// Returns the event's log level.
    ///
    /// Follows Puppet's `Puppet::Transaction::Event#send_log`.
    pub fn log_level(&self) -> LogLevel {
        if self.status == EventStatus::Failure { LogLevel::Err } else { self.level }
    }
}

/// Returns a resource's `loglevel`, the level for all events.
pub(super) fn level_of(instance: &Instance) -> LogLevel {
    log_level(&instance.get("loglevel"))
}

/// Returns a message's level: a notice from a block or a provider has the resource's level.
///
/// Follows Puppet's types `notify` and `exec`.
pub(super) fn leveled(level: LogLevel, instance: &Instance) -> LogLevel {
    if level == LogLevel::Notice { level_of(instance) } else { level }
}

/// The status of a resource after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceStatus {
    /// It was in sync.
    InSync,
    /// It was changed.
    Changed,
    /// It would have been changed.
    WouldChange,
    /// A change, refresh or other step failed.
    Failed,
    /// It was skipped.
    Skipped(Skip),
}

/// Why a resource was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skip {
    /// These dependencies failed.
    Dependencies(Vec<ResourceRef>),
    /// The resource's schedule excludes the time of the run.
    Schedule,
    /// The resource lacks the requested tags.
    Tags,
    /// The resource has a tag to skip.
    SkipTags,
    /// The run was stopped.
    Stopped,
}

/// A resource's outcome.
#[derive(Clone, Debug)]
pub struct ResourceOutcome {
    /// The resource.
    pub reference: ResourceRef,
    /// Location of its declaration.
    pub span: Span,
    /// Its status.
    pub status: ResourceStatus,
    /// Events in chronological order, including refreshes.
    pub events: Vec<Event>,
    /// Why the resource failed as a whole, before any property was changed.
    pub failure: Option<Foreign>,
    /// The span of the type's failed block or setting.
    pub failed_at: Option<Span>,
    /// Whether it was refreshed.
    pub refreshed: bool,
    /// Whether a refresh failed.
    pub refresh_failed: bool,
    /// Time taken.
    pub time: Duration,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Resources, including generated ones.
    pub total: usize,
    /// Changed resources.
    pub changed: usize,
    /// Resources that would have been changed.
    pub would_change: usize,
    /// Failed resources.
    pub failed: usize,
    /// Skipped resources.
    pub skipped: usize,
    /// Resources skipped because the run was stopped.
    pub stopped: usize,
    /// Refreshed resources.
    pub refreshed: usize,
    /// Resources whose refresh failed.
    pub refresh_failed: usize,
    /// Changed properties.
    pub changes: usize,
    /// Changes that reverted a change made outside rtype.
    pub corrective: usize,
}

impl Counts {
    /// Adds the outcome of a resource.
    pub fn add(&mut self, one: &ResourceOutcome) {
        self.total += 1;
        match one.status {
            ResourceStatus::InSync => {}
            ResourceStatus::Changed => self.changed += 1,
            ResourceStatus::WouldChange => self.would_change += 1,
            ResourceStatus::Failed => self.failed += 1,
            ResourceStatus::Skipped(ref why) => {
                self.skipped += 1;
                self.stopped += usize::from(*why == Skip::Stopped);
            }
        }
        self.refreshed += usize::from(one.refreshed);
        self.refresh_failed += usize::from(one.refresh_failed);
        let changes = one.events.iter().filter(|e| e.property.is_some());
        self.changes += changes.clone().filter(|e| e.status == EventStatus::Success).count();
        self.corrective += changes.filter(|e| e.reverts()).count();
    }

    /// Returns true if no resource was changed or would have been changed. A failed resource may have been changed partially.
    pub fn is_quiet(&self) -> bool {
        self.changes == 0 && self.would_change == 0 && self.refreshed == 0
    }

    /// Returns true if a resource failed, or was not evaluated because the run was stopped.
    pub fn has_failed(&self) -> bool {
        self.failed > 0 || self.refresh_failed > 0 || self.stopped > 0
    }
}

/// Receives events during a run. Messages come from programs, files and blocks, and can only be printed through a redactor.
pub trait Listener {
    /// Called when a resource is due, with the number of finished resources and the total.
    fn turn(&mut self, reference: &ResourceRef, done: usize, of: usize) {
        let _ = (reference, done, of);
    }
    /// Called before any other report about a resource, if the resource could be built.
    fn resource(&mut self, instance: &Instance) {
        let _ = instance;
    }
    /// Called for each resource in a dependency cycle. In this case no resource is applied.
    fn in_cycle(&mut self, reference: &ResourceRef) {
        let _ = reference;
    }
    /// Called when an audited property's value is seen for the first time.
    fn recorded(&mut self, reference: &ResourceRef, property: &Symbol, value: &Foreign) {
        let message = Foreign::from(format!("{property}: audit change: newly-recorded value ")).then(value.clone());
        self.log(Some(reference), LogLevel::Notice, &message);
    }
    /// Called for each event of a resource.
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let _ = (reference, event);
    }
    /// Called with a change's unified diff.
    fn difference(&mut self, reference: &ResourceRef, diff: &Foreign) {
        let _ = (reference, diff);
    }
    /// Called for each message from a block or a provider.
    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let _ = (reference, level, message);
    }
    /// Called when a resource is finished.
    fn done(&mut self, outcome: &ResourceOutcome) {
        let _ = outcome;
    }
}

/// A listener that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoListener;

impl Listener for NoListener {}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(status: EventStatus) -> Event {
        Event {
            property: Some("mode".into()),
            name: "mode_changed".into(),
            previous: Value::Nil,
            desired: Value::Nil,
            message: Foreign::default(),
            status,
            level: LogLevel::Notice,
            time: jiff::Timestamp::UNIX_EPOCH,
            corrective: false,
            is_repeated: false,
            invalidates_refreshes: false,
            failed_at: None,
            initial: Vec::new(),
        }
    }

    #[test]
    fn a_resource_that_failed_after_a_change_counts_as_both() {
        let mut counts = Counts::default();
        counts.add(&ResourceOutcome {
            reference: ResourceRef { type_name: "file".into(), title: "/x".into() },
            span: Span::NONE,
            status: ResourceStatus::Failed,
            events: vec![event(EventStatus::Success), event(EventStatus::Failure)],
            failure: None,
            failed_at: None,
            refreshed: false,
            refresh_failed: false,
            time: Duration::ZERO,
        });
        assert!(counts.has_failed() && !counts.is_quiet());
    }
}
