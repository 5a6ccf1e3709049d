//! Messages of an evaluation.

use super::value::ManifestValue;
use crate::functions::data::{KeyTrace, SearchedFile};
use ecow::EcoString;
use rtype_lang::redact::Redactor;
use rtype_lang::source::Span;
use std::collections::HashSet;

/// The weight of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of Puppet's levels")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 8] =
        [Level::Debug, Level::Info, Level::Notice, Level::Warning, Level::Err, Level::Alert, Level::Emerg, Level::Crit];

    /// Returns Puppet's name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Err => "err",
            Level::Alert => "alert",
            Level::Emerg => "emerg",
            Level::Crit => "crit",
        }
    }
}

/// A message.
#[derive(Clone, Debug)]
pub struct LogMessage {
    /// The level.
    pub level: Level,
    /// The text.
    pub text: EcoString,
    /// The place.
    pub span: Option<Span>,
    /// Whether the message is of the parser, which has this program's own words.
    pub is_syntax: bool,
}

/// The messages of an evaluation, and what they must not show.
#[derive(Default)]
pub struct EvaluationLogs {
    /// The messages in order.
    pub messages: Vec<LogMessage>,
    /// The messages, or names for them, that were logged and are not logged again.
    pub warned: HashSet<String>,
    /// The texts of `Sensitive` values that code has taken out: messages and errors may contain them.
    pub secrets: Redactor,
    /// What the lookups of keys searched; `None` unless that is asked for.
    pub lookups: Option<Vec<KeyTrace>>,
}

impl EvaluationLogs {
    /// Begins the trace of a lookup; returns its number.
    pub fn begin_lookup(&mut self, trace: KeyTrace) -> usize {
        let Some(lookups) = &mut self.lookups else { return 0 };
        lookups.push(trace);
        lookups.len() - 1
    }

    /// Adds the search in a file to the trace with a number.
    pub fn add_to_lookup(&mut self, number: usize, step: SearchedFile) {
        if let Some(trace) = self.lookups.as_mut().and_then(|lookups| lookups.get_mut(number)) {
            trace.steps.push(step);
        }
    }

    /// Keeps the texts in a value that was `Sensitive`.
    pub fn keep_secret(&self, value: &ManifestValue) {
        match value {
            ManifestValue::String(text) => self.secrets.add(text, false),
            ManifestValue::Integer(_) | ManifestValue::Float(_) => self.secrets.add(&super::text::display(value), false),
            ManifestValue::Array(elements) => elements.iter().for_each(|element| self.keep_secret(element)),
            ManifestValue::Hash(map) => map.values().for_each(|value| self.keep_secret(value)),
            ManifestValue::Sensitive(inner) => self.keep_secret(inner),
            _ => {}
        }
    }
}
