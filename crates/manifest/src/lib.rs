//! Puppet's language: manifests (`.pp`) and templates (`.epp`).
//!
//! [`syntax::parse`] reads a source to a [`syntax::Parsed`]: the [`syntax::tree::ManifestTree`], the tokens without loss, and diagnostics. It
//! never fails: after a mistake it skips to the next statement. [`syntax::pn`] prints a tree in the notation of Puppet's own parser.
//! [`format::format`] lays a manifest out.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod check;
#[cfg(feature = "compile")]
pub mod compile;
pub mod format;
#[cfg(feature = "compile")]
pub mod functions;
#[cfg(feature = "ruby")]
mod ruby;
pub mod syntax;
