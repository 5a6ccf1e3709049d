//! Tools for people who write types: the linter, tests, reference pages, and what changed between versions.
//!
//! Everything here is pure, as in [`rtype_lang`]: providers are known by what they can do, not run.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod check;
pub mod diff;
pub mod docs;
pub mod testing;
