//! Several listeners for one run.

use crate::apply::{Event, Listener, ResourceOutcome};
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::value::{ResourceRef, Symbol};
use rtype_model::resource::Instance;

/// Passes everything to each listener.
pub struct Tee<'a>(pub Vec<&'a mut dyn Listener>);

impl Listener for Tee<'_> {
    fn turn(&mut self, reference: &ResourceRef, done: usize, of: usize) {
        self.0.iter_mut().for_each(|l| l.turn(reference, done, of));
    }
    fn resource(&mut self, instance: &Instance) {
        self.0.iter_mut().for_each(|l| l.resource(instance));
    }
    fn in_cycle(&mut self, reference: &ResourceRef) {
        self.0.iter_mut().for_each(|l| l.in_cycle(reference));
    }
    fn recorded(&mut self, reference: &ResourceRef, property: &Symbol, value: &Foreign) {
        self.0.iter_mut().for_each(|l| l.recorded(reference, property, value));
    }
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        self.0.iter_mut().for_each(|l| l.event(reference, event));
    }
    fn difference(&mut self, reference: &ResourceRef, diff: &Foreign) {
        self.0.iter_mut().for_each(|l| l.difference(reference, diff));
    }
    fn log(&mut self, reference: Option<&ResourceRef>, level: LogLevel, message: &Foreign) {
        self.0.iter_mut().for_each(|l| l.log(reference, level, message));
    }
    fn done(&mut self, outcome: &ResourceOutcome) {
        self.0.iter_mut().for_each(|l| l.done(outcome));
    }
}
