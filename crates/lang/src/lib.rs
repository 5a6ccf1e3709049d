//! The language of rtype: from the text of a type file to type definitions, and the evaluation of their blocks.
//!
//! Everything here is pure: the same arguments give the same result, and the machine is reached through [`eval::World`] alone.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod diagnostics;
pub mod eval;
pub mod library;
pub mod lower;
pub mod redact;
pub mod source;
pub mod syntax;
pub mod types;
pub mod value;
