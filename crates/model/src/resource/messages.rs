//! Messages logged by blocks: `warning("…")`, `notice("…")` and so on.

use foldhash::quality::FixedState;
use rtype_lang::diagnostics::{Code, Diagnostic, Severity};
use rtype_lang::eval::LogLevel;
use rtype_lang::source::Span;
use rtype_lang::value::{ResourceRef, Symbol};
use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::BuildHasher;

/// A block's message, with secrets redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockMessage {
    /// The resource whose block logged the message.
    pub reference: ResourceRef,
    /// The attribute to which the block belongs.
    pub attribute: Option<Symbol>,
    /// The level.
    pub level: LogLevel,
    /// The message.
    pub message: String,
    /// The attribute's declared value, or the title, if the block ran while the resource was built.
    pub span: Span,
}

impl BlockMessage {
    /// Returns the message as a diagnostic at `span`, for commands that do not apply the resource. As in Puppet without `--verbose`,
    /// messages below the level `notice` are not shown.
    pub fn diagnostic(&self, span: Span) -> Option<Diagnostic> {
        let severity = match self.level {
            LogLevel::Debug | LogLevel::Info => return None,
            LogLevel::Notice => Severity::Note,
            LogLevel::Warning | LogLevel::Err => Severity::Warning,
        };
        let attribute = self.attribute.as_ref().map(Symbol::as_str);
        let d = Diagnostic::of_resource(Code::BlockMessage, span, &self.reference, attribute, self.message.clone());
        Some(Diagnostic { severity, ..d })
    }
}

/// Collects messages from blocks. A repeated message about the same resource is kept once: the same block runs when a resource is built,
/// compared, and read again after a change.
#[derive(Debug, Default)]
pub struct MessageLog {
    new: RefCell<Vec<BlockMessage>>,
    logged: RefCell<HashSet<u64>>,
}

impl MessageLog {
    /// Creates a log that ignores messages that have already been reported.
    pub fn after<'m>(reported: impl IntoIterator<Item = &'m BlockMessage>) -> MessageLog {
        let log = MessageLog::default();
        for message in reported {
            log.is_new(message);
        }
        log
    }

    /// Adds a message, unless it is a repetition.
    pub fn add(&self, message: BlockMessage) {
        if self.is_new(&message) {
            self.new.borrow_mut().push(message);
        }
    }

    /// Returns the messages since the last call.
    pub fn take(&self) -> Vec<BlockMessage> {
        self.new.take()
    }

    fn is_new(&self, message: &BlockMessage) -> bool {
        let BlockMessage { reference, level, message, .. } = message;
        self.logged.borrow_mut().insert(FixedState::default().hash_one((reference, level, message)))
    }
}
