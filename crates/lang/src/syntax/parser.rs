//! The pest parser and its limits.

use pest::Parser as _;
use pest::error::Error;
use pest::iterators::Pair;
use std::num::NonZeroUsize;
use std::sync::Mutex;

/// Generated from the two grammars.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/rtype.pest"]
#[grammar = "grammar/resource.pest"]
struct Grammar;

/// Rule calls that every text may cost.
const CALL_FLOOR: usize = 20_000_000;
/// Rule calls that each byte may cost on top; real type files need about 60.
const CALLS_PER_BYTE: usize = 2_000;

/// Why pest gave up.
pub(crate) enum Failure {
    /// The text takes too many steps.
    TooLong,
    /// The text nests too deeply.
    TooDeep,
    /// The grammar does not fit; for whole files an internal error, since their rules take any text.
    NoFit(Box<Error<Rule>>),
}

/// Parses all of `text` as `rule`.
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

/// Lets pest take as many steps as a text of this length deserves.
///
/// pest's limit belongs to the process, not to a parse: lowering it could end somebody else's parse on another
/// thread, so it only ever rises.
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
