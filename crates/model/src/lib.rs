//! Resources: declarations in manifests, JSON, YAML and catalogs, instances of types, and verdicts on whether they are in sync.
//!
//! Everything here is pure, as in [`rtype_lang`].
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(test, allow(clippy::string_slice, reason = "tests may panic"))]

pub mod declare;
pub mod manifest;
pub mod providers;
pub mod resource;
pub mod text_diff;
