//! Without the compiler, which has the data types, no file is data of Hiera.

use super::definition::KnownDefinitions;
use crate::syntax::Parsed;
use rtype_lang::diagnostics::{Diagnostic, Redactions};
use rtype_lang::library::{Files, TypeSet};
use rtype_lang::source::{Source, Span};
use std::path::Path;

/// The hierarchies of directories.
#[derive(Default)]
pub struct Hierarchies;

/// The hierarchy that reaches a data file.
#[derive(Clone, Debug)]
pub struct DataPlace;

/// The result of checking data files.
#[derive(Default)]
pub struct DataAnalysis {
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The places of values that are secret.
    pub secrets: Redactions,
    /// The comments of each file.
    pub comments: Vec<Vec<Span>>,
    /// The number of values whose data type is not known.
    pub untyped: usize,
    /// The number of values that were not compared.
    pub changed: usize,
    /// The number of parameters that may have no value.
    pub required: usize,
}

impl Hierarchies {
    /// Returns `None`.
    pub fn place(&mut self, _: &Path, _: &dyn Files) -> Option<DataPlace> {
        None
    }
}

/// Checks nothing.
pub fn check_data(
    _: &[(&Source, DataPlace)],
    _: &[(&Source, &Parsed)],
    _: &TypeSet,
    _: &mut KnownDefinitions,
    _: &mut Hierarchies,
) -> DataAnalysis {
    DataAnalysis::default()
}
