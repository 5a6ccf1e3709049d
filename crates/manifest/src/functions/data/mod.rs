//! Hiera 5: values by key from the data files of the environment and of modules.

mod functions;
mod hierarchy;
mod interpolation;
mod merge;
mod search;
mod trace;

pub use functions::{TABLE, explained};
pub use search::parameter;
pub use trace::{FileOutcome, KeyTrace, SearchedFile};
