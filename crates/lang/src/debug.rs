//! Rust's own format of values. Messages for users never contain this format: a test finds every other use.

use std::fmt::Debug;

/// Returns the structure of a value as a string, for comparisons and hashes.
pub fn structure(value: &dyn Debug) -> String {
    format!("{value:?}")
}
