//! Programs made from arbitrary bytes, and properties of all programs.

pub mod exercise;
pub mod layout;
pub mod lint;
pub mod manifest;
pub mod program;
pub mod round;
pub mod ruby;
