//! Compiles manifests to catalogs.
//!
//! [`evaluator::Evaluator`] evaluates a manifest in an [`environment::Environment`] and builds a [`catalog::Catalog`]. Anything that Puppet would
//! answer and this compiler does not know is a [`failure::FailureKind::Unsupported`] failure.

pub mod builtin;
pub mod calendar;
mod caller;
pub mod catalog;
pub mod context;
mod diagnose;
pub mod environment;
pub mod evaluator;
pub mod failure;
pub mod files;
pub mod function;
pub mod logs;
pub mod native;
pub mod scope;
pub mod semver_range;
pub mod text;
pub mod time;
pub mod types;
pub mod uri;
pub mod value;
