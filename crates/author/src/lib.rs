//! Tools for authors of types: the linter, tests, reference pages, and comparison of versions.
//!
//! Everything here is pure, as in [`rtype_lang`]: providers are described by their capabilities and never run.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod check;
pub mod diff;
pub mod docs;
pub mod editor;
pub mod pretend;
pub mod scaffold;
pub mod testing;
pub mod trace;
