//! Shared by the fuzz targets and `tests/properties.rs`: programs generated from arbitrary bytes, and properties of all of them.
#![allow(clippy::panic, reason = "a property that does not hold ends the run")]

pub mod exercise;
pub mod layout;
pub mod lint;
pub mod program;
pub mod round;
pub mod ruby;
