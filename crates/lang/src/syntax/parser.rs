//! The pest parser and its limits.

use pest::Parser as _;
use pest::error::Error;
use pest::iterators::Pair;
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// The parser generated from both grammars.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/rtype.pest"]
#[grammar = "grammar/resource.pest"]
struct Grammar;

/// The minimum number of rule calls allowed for a source.
const CALL_FLOOR: usize = 20_000_000;
/// The number of additional rule calls per byte; real type files need about 60.
const CALLS_PER_BYTE: usize = 2_000;

/// The reason why pest failed.
pub(crate) enum Failure {
    /// The source needs too many rule calls.
    TooLong,
    /// The source is nested too deeply.
    TooDeep,
    /// The source does not match the rule. For whole files this is an internal error, because their rules match any input.
    NoFit(Box<Error<Rule>>),
}

/// Parses a whole source with a rule.
pub(crate) fn parse(rule: Rule, text: &str) -> Result<Option<Pair<'_, Rule>>, Failure> {
    allow(text.len());
    Grammar::parse(rule, text).map(|mut pairs| pairs.next()).map_err(|error| {
        if let pest::error::ErrorVariant::CustomError { message } = &error.variant {
            if message.contains("call limit") {
                return Failure::TooLong;
            }
            if message.contains("stack limit") {
                return Failure::TooDeep;
            }
        }
        Failure::NoFit(Box::new(error))
    })
}

/// Raises pest's limit of rule calls for a source with this length.
///
/// The limit is global to the process: lowering it could interrupt a parser on another thread, so it is only ever raised.
fn allow(length: usize) {
    static LARGEST: Mutex<usize> = Mutex::new(0);
    let wanted = length.saturating_mul(CALLS_PER_BYTE).saturating_add(CALL_FLOOR);
    let mut largest = match LARGEST.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    };
    if wanted > *largest {
        *largest = wanted;
        pest::set_call_limit(NonZeroUsize::new(wanted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_files_take_any_text() {
        for text in ["", "}", "){(", "\u{FEFF}", "\\", "type", "💥", "@", "%w[", "'", "\"", "\"#{"] {
            assert!(parse(Rule::types_file, text).is_ok(), "{text}");
            assert!(parse(Rule::manifest, text).is_ok(), "{text}");
        }
    }
}
