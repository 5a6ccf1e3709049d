//! Data files of Hiera and their findings.

#[cfg(feature = "compile")]
use crate::functions::data::{ReachableFiles, Reader};
use rtype_lang::diagnostics::{Diagnostic, Redactions};
use rtype_lang::source::Span;
#[cfg(feature = "compile")]
use std::collections::HashMap;
#[cfg(feature = "compile")]
use std::path::PathBuf;
#[cfg(feature = "compile")]
use std::sync::Arc;

/// The hierarchies of directories, each read once.
#[derive(Default)]
pub struct Hierarchies {
    #[cfg(feature = "compile")]
    pub(super) known: HashMap<PathBuf, Option<Arc<ReachableFiles>>>,
}

/// The hierarchy that reaches a data file.
#[derive(Clone, Debug)]
pub struct DataPlace {
    /// The directory of the hierarchy.
    #[cfg(feature = "compile")]
    pub(super) root: PathBuf,
    #[cfg(feature = "compile")]
    pub(super) reader: Reader,
}

/// The result of checking data files.
#[derive(Default)]
pub struct DataAnalysis {
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The locations of secret values in the data files; the output shows `[redacted]` there.
    pub secrets: Redactions,
    /// The comments of each file, in the order of the files.
    pub comments: Vec<Vec<Span>>,
    /// The number of values whose data type is not known.
    pub untyped: usize,
    /// The number of values that were not compared, because other data can convert or merge them.
    pub changed: usize,
    /// The number of parameters that may have no value: the data of the control repository or of the module are not known as a whole.
    pub required: usize,
}
