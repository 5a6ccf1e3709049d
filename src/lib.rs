//! rtype: resource types as data.
//!
//! Types live in `.rtype` files; they are loaded at run time and bound to native providers that read a real
//! machine. Data flows one way: text, Ast, type definition, instance, reading, verdict. `docs/architecture.md`
//! tells which module may use which.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod check;
pub mod cli;
pub mod diagnostics;
pub mod diff;
pub mod docs;
pub mod engine;
pub mod eval;
pub mod import;
pub mod input;
pub mod library;
pub mod lower;
pub mod lsp;
pub mod manifest;
pub mod provider;
pub mod redact;
pub mod repl;
pub mod report;
pub mod resource;
pub mod source;
pub mod state;
pub mod syntax;
pub mod system;
pub mod testing;
pub mod types;
pub mod value;
