//! rtype: resource types as data.
//!
//! This crate is the program: its command line, its prompt and its language server. Types, resources, the linter, providers and the
//! engine are crates of their own; `docs/architecture.md` lists them. A program with native providers of its own calls
//! [`cli::main_with`] with a table of [`provider`]s.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

#[cfg(feature = "native")]
pub mod app;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "lsp")]
pub mod lsp;
#[cfg(feature = "repl")]
pub mod repl;

pub use rtype_lang::value;
#[cfg(feature = "native")]
pub use rtype_provider as provider;
