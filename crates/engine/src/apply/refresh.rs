//! Refreshes: a changed resource refreshes each subscriber once.
//!
//! Follows Puppet's `Puppet::Transaction::EventManager`.

use super::Run;
use super::actor::ProviderActor;
use super::outcome::{Event, EventStatus, level_of, leveled};
use crate::read::DesiredResource;
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::value::{Symbol, Value};
use rtype_model::resource::{Instance, OrderNode, refresh};
use rtype_provider::{Change, Reading, Request};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Pending refresh events of a resource.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pending {
    /// Events of real changes.
    pub made: usize,
    /// Events of noop changes.
    pub noop: usize,
}

/// The outcome of a refresh.
#[derive(Debug, Default)]
pub(super) struct Refreshed {
    pub event: Option<Event>,
    pub done: bool,
    pub failed: bool,
}

impl Run<'_> {
    /// Passes events to the node's subscribed direct successors.
    pub(super) fn refresh_after(&mut self, place: OrderNode, events: &Pending) {
        let subscribers: Vec<OrderNode> = self.order.behind(place).filter(|(_, refresh)| *refresh).map(|(next, _)| next).collect();
        for next in subscribers {
            let of = self.instances.get(next.thing());
            // A resource without a `refresh` block ignores the event. A container passes the event on.
            if of.is_none_or(|i| i.type_def.refresh.is_some()) {
                self.pend(next, events);
            }
        }
    }

    pub(super) fn pend(&mut self, place: OrderNode, events: &Pending) {
        if events.made + events.noop == 0 {
            return;
        }
        let pending = self.pending.entry(place).or_default();
        pending.made += events.made;
        pending.noop += events.noop;
    }

    /// Refreshes a resource if it has pending events.
    pub(super) fn refresh(&mut self, thing: usize, instance: &Arc<Instance>, current: &Reading, noop: bool) -> Refreshed {
        let Some(pending) = self.pending.remove(&OrderNode::of(thing)) else { return Refreshed::default() };
        let event = |name: &str, status: EventStatus, message: Foreign| Event {
            property: None,
            name: Symbol::from(name),
            previous: Value::Nil,
            desired: Value::Nil,
            message,
            status,
            level: level_of(instance),
            time: jiff::Timestamp::now(),
            corrective: false,
            is_repeated: false,
            invalidates_refreshes: false,
            failed_at: None,
            initial: Vec::new(),
        };
        let count = pending.made + pending.noop;
        let events = if count == 1 { "1 event".to_owned() } else { format!("{count} events") };
        let code = self.code(instance);
        if noop || pending.made == 0 {
            let left = instance.type_def.refresh.as_ref().filter(|block| block.is_untranslated());
            if left.is_some() && code.as_ref().is_none_or(|code| code.decider().is_none()) {
                let message = Foreign::from("would fail to refresh: its `refresh` block is not translated");
                return Refreshed { event: Some(event("refresh", EventStatus::Failure, message)), done: false, failed: true };
            }
            let message = format!("would have triggered 'refresh' from {events}").into();
            return Refreshed { event: Some(event("refresh", EventStatus::Noop, message)), ..Refreshed::default() };
        }
        let name = instance.name();
        let result = self.with_context(|context| {
            let wanted = DesiredResource { instance, context };
            if let Some(decider) = code.as_ref().and_then(|code| code.decider()) {
                let request = Request { name: &name, resource: &wanted };
                return decider.refresh(self.machine.system(), request).map(|()| true).map_err(|e| (e.line(), e.span));
            }
            let change = RefCell::new(Change::new(Request { name: &name, resource: &wanted }, current));
            let reference = instance.label();
            let log = |level, message: &Foreign| self.listener.borrow_mut().log(Some(&reference), leveled(level, instance), message);
            let hands = ProviderActor {
                code: code.as_ref(),
                system: self.machine.system(),
                change: &change,
                log: &log,
                unwritten: Cell::new(false),
            };
            let done = refresh(instance, context, &hands).map_err(|f| (Foreign::from(f.message), Some(f.span)))?;
            if hands.unwritten.get() {
                hands.flush().map_err(|e| (e.line(), e.span))?;
            }
            Ok::<bool, (Foreign, Option<Span>)>(done)
        });
        self.outdate();
        match result {
            Ok(_) => Refreshed {
                event: Some(event("restarted", EventStatus::Success, format!("triggered 'refresh' from {events}").into())),
                done: true,
                failed: false,
            },
            Err((message, failed_at)) => Refreshed {
                event: Some(Event {
                    failed_at,
                    ..event("restarted", EventStatus::Failure, Foreign::from("failed to refresh: ").then(message))
                }),
                done: false,
                failed: true,
            },
        }
    }

    /// Invalidates readings, cached suitability and account IDs after a change.
    pub(super) fn outdate(&mut self) {
        self.machine.forget_ids();
        self.reader.outdate();
        self.suitable.clear();
    }
}
