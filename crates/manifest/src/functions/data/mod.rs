//! Hiera 5: values by key from the data files of the environment and of modules.

mod functions;
mod hierarchy;
mod interpolation;
mod merge;
mod reachable;
mod search;
mod trace;

pub use functions::{TABLE, explained};
pub use hierarchy::{CONFIGURATION, Reader};
pub use merge::Strategy;
pub use reachable::ReachableFiles;
pub use search::{OPTIONS, parameter};
pub use trace::{FileOutcome, KeyTrace, SearchedFile};
