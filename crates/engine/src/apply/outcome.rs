//! What a run did, and would have done.

use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use std::time::Duration;

/// How one change, or one attempt, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventStatus {
    /// It was made.
    Success,
    /// It was tried, or was to be tried, and failed.
    Failure,
    /// It would have been made.
    Noop,
    /// Somebody else has changed what is only watched.
    Audit,
}

/// One change of one property, or a refresh.
#[derive(Clone, Debug)]
pub struct Event {
    /// Which property; nothing where it is about the whole resource, as a refresh is.
    pub property: Option<Symbol>,
    /// What the event is called: `mode_changed`.
    pub name: Symbol,
    /// What was there; secrets wrapped.
    pub previous: Value,
    /// What was wanted; secrets wrapped.
    pub desired: Value,
    /// In words, without the resource's name.
    pub message: Foreign,
    /// How it ended.
    pub status: EventStatus,
    /// When.
    pub time: jiff::Timestamp,
    /// Whether somebody else had changed what an earlier run had set.
    pub corrective: bool,
    /// Whether refreshes that still wait for the resource are dropped.
    pub invalidates_refreshes: bool,
}

/// How a resource fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was as it should be.
    InSync,
    /// It was changed.
    Changed,
    /// It would have been changed.
    WouldChange,
    /// Something failed.
    Failed,
    /// It was passed over.
    Skipped(Skip),
}

/// Why a resource was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skip {
    /// These it depends on failed.
    Dependencies(Vec<ResourceRef>),
    /// Its schedule says that it is not its time.
    Schedule,
    /// Its tags are not among those that are asked for.
    Tags,
    /// The run was stopped.
    Stopped,
}

/// One resource at the end.
#[derive(Clone, Debug)]
pub struct ResourceOutcome {
    /// Which one.
    pub reference: ResourceRef,
    /// Where it is declared.
    pub span: Span,
    /// How it fared.
    pub fate: Fate,
    /// What happened, in that order; refreshes among it.
    pub events: Vec<Event>,
    /// Why it failed as a whole, before any property was tried.
    pub failure: Option<Foreign>,
    /// Whether it was refreshed.
    pub refreshed: bool,
    /// Whether a refresh was tried and failed.
    pub refresh_failed: bool,
    /// How long it took.
    pub time: Duration,
}

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Resources, generated ones included.
    pub total: usize,
    /// Were changed.
    pub changed: usize,
    /// Would have been changed.
    pub would_change: usize,
    /// Failed.
    pub failed: usize,
    /// Were passed over.
    pub skipped: usize,
    /// Of these, because the run was stopped.
    pub stopped: usize,
    /// Were refreshed.
    pub refreshed: usize,
    /// Failed to be refreshed.
    pub refresh_failed: usize,
    /// Changes of properties.
    pub changes: usize,
    /// Changes that somebody else's change made necessary.
    pub corrective: usize,
}

impl Counts {
    /// Adds a resource.
    pub fn add(&mut self, one: &ResourceOutcome) {
        self.total += 1;
        match one.fate {
            Fate::InSync => {}
            Fate::Changed => self.changed += 1,
            Fate::WouldChange => self.would_change += 1,
            Fate::Failed => self.failed += 1,
            Fate::Skipped(ref why) => {
                self.skipped += 1;
                self.stopped += usize::from(*why == Skip::Stopped);
            }
        }
        self.refreshed += usize::from(one.refreshed);
        self.refresh_failed += usize::from(one.refresh_failed);
        let changes = one.events.iter().filter(|e| e.property.is_some());
        self.changes += changes.clone().filter(|e| e.status == EventStatus::Success).count();
        self.corrective += changes.filter(|e| e.corrective).count();
    }

    /// Whether nothing was changed and nothing would have been. A resource that failed may have been changed in part.
    pub fn is_quiet(&self) -> bool {
        self.changes == 0 && self.would_change == 0 && self.refreshed == 0
    }

    /// Whether something failed, or was not come to.
    pub fn has_failed(&self) -> bool {
        self.failed > 0 || self.refresh_failed > 0 || self.stopped > 0
    }
}

/// Hears what happens while it happens. The texts are those of programs, files and blocks: only a redactor makes them printable.
pub trait Listener {
    /// A resource's turn has come: so many are done of so many.
    fn turn(&mut self, reference: &ResourceRef, done: usize, of: usize) {
        let _ = (reference, done, of);
    }
    /// Something happened to a resource.
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let _ = (reference, event);
    }
    /// The lines in which a change differs: a unified diff.
    fn difference(&mut self, reference: &ResourceRef, diff: &Foreign) {
        let _ = (reference, diff);
    }
    /// A message of a block or a provider.
    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        let _ = (reference, level, message);
    }
    /// A resource is done.
    fn done(&mut self, outcome: &ResourceOutcome) {
        let _ = outcome;
    }
}

/// Nobody listens.
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
            time: jiff::Timestamp::UNIX_EPOCH,
            corrective: false,
            invalidates_refreshes: false,
        }
    }

    #[test]
    fn a_resource_that_failed_after_a_change_counts_as_both() {
        let mut counts = Counts::default();
        counts.add(&ResourceOutcome {
            reference: ResourceRef { type_name: "file".into(), title: "/x".into() },
            span: Span::NONE,
            fate: Fate::Failed,
            events: vec![event(EventStatus::Success), event(EventStatus::Failure)],
            failure: None,
            refreshed: false,
            refresh_failed: false,
            time: Duration::ZERO,
        });
        assert!(counts.has_failed() && !counts.is_quiet());
    }
}
