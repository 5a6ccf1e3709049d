//! Messages of an evaluation.

use ecow::EcoString;
use rtype_lang::source::Span;

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
