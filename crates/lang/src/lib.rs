//! The rtype language: parses type files into type definitions and evaluates their blocks.
//!
//! Everything in this crate is pure: the same arguments give the same result. Blocks read the machine only through [`eval::World`].
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod data;
pub mod debug;
pub mod diagnostics;
pub mod eval;
pub mod library;
pub mod lower;
pub mod redact;
pub mod source;
pub mod syntax;
pub mod types;
pub mod typing;
pub mod value;
