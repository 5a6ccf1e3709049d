//! Compares rtype with Puppet's recorded results; `tests/oracle/README.md` describes their format.

pub mod codec;
pub mod compare;
pub mod deviations;
pub mod evaluate;
pub mod structure;
pub mod suite;
pub mod world;
