//! Small helpers that the native providers share.

use crate::provider::{ReadError, Select, State};
use crate::value::{Symbol, Value};

/// A [`State`] in the making: only what was selected is computed.
pub(super) struct Reader<'a> {
    select: Select<'a>,
    state: State,
}

impl<'a> Reader<'a> {
    /// Nothing read so far.
    pub(super) fn new(select: Select<'a>) -> Reader<'a> {
        Reader { select, state: State::new() }
    }

    /// Adds a property, when it is wanted.
    pub(super) fn set(&mut self, property: &'static str, value: impl FnOnce() -> Value) {
        self.try_set(property, || Ok(value()));
    }

    /// Adds a property whose reading may fail, when it is wanted.
    pub(super) fn try_set(&mut self, property: &'static str, value: impl FnOnce() -> Result<Value, ReadError>) {
        if self.select.wants(property) {
            self.state.insert(Symbol::from(property), value());
        }
    }

    /// What was read.
    pub(super) fn finish(self) -> State {
        self.state
    }
}

/// `:absent`, what a property that a thing has not reads as.
pub(super) fn absent() -> Value {
    Value::sym("absent")
}
