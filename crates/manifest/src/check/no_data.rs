//! Without the compiler, which has the data types, no file is data of Hiera.

use super::data_files::{DataAnalysis, DataPlace, Hierarchies};
use super::definition::KnownDefinitions;
use crate::syntax::Parsed;
use rtype_lang::library::{Files, TypeSet};
use rtype_lang::source::Source;
use std::path::Path;

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
