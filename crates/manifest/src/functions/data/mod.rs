//! Hiera 5: values by key from the data files of the environment and of modules.

mod functions;
mod hierarchy;
mod interpolation;
mod merge;
mod search;

pub use functions::TABLE;
pub use search::parameter;
