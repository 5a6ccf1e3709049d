//! Code shared by several test programs.
//!
//! - [`oracle`] compares rtype with Puppet's recorded results, for `tests/` and the program `examples/oracle`.
//! - [`random`] makes programs from arbitrary bytes and checks properties of all programs, for `tests/` and the fuzz targets.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a panic is how a test reports a property that does not hold"
)]

pub mod oracle;
pub mod random;
