//! pest over tokens.

use pest::Parser as _;
use pest::error::ErrorVariant;
use pest::iterators::Pair;
use std::sync::{Mutex, PoisonError};

/// The parser generated from the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/puppet.pest"]
struct Grammar;

/// A pair of the grammar; its offsets are numbers of tokens.
pub(super) type P<'a> = Pair<'a, Rule>;

/// The reason why pest failed.
pub(super) enum Failure {
    /// The token with this number cannot follow the tokens before it. The end of the text has the number after the last token.
    Unexpected(usize),
    /// The tokens are nested too deeply.
    TooDeep,
    /// The tokens need too many calls of rules.
    TooLong,
}

/// Parses all tokens.
pub(super) fn parse(kinds: &str) -> Result<P<'_>, Failure> {
    match Grammar::parse(Rule::program, kinds) {
        Ok(mut pairs) => pairs.next().ok_or(Failure::Unexpected(0)),
        Err(error) => match &error.variant {
            ErrorVariant::CustomError { message } if message.contains("stack limit") => Err(Failure::TooDeep),
            ErrorVariant::CustomError { .. } => Err(Failure::TooLong),
            ErrorVariant::ParsingError { .. } => Err(Failure::Unexpected(furthest(kinds))),
        },
    }
}

/// Returns the number of the first token that cannot follow the tokens before it.
fn furthest(kinds: &str) -> usize {
    // pest records tokens only on request, and the switch is global to the process: other parsers meanwhile are only slower.
    static SWITCH: Mutex<()> = Mutex::new(());
    let _guard = SWITCH.lock().unwrap_or_else(PoisonError::into_inner);
    pest::set_error_detail(true);
    let result = Grammar::parse(Rule::program, kinds);
    pest::set_error_detail(false);
    result.err().and_then(|error| error.parse_attempts()).map_or(0, |attempts| attempts.max_position)
}
