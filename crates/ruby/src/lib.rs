//! Ruby for the other crates: [`hir`] turns a file into an owned tree with resolved names, and [`run`] evaluates the tree without access to
//! the machine.
//!
//! This crate knows Ruby, but not Puppet's library. An embedder defines further classes and methods.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod hir;
pub mod run;
