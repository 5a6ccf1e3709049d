//! Sessions that check sources, for all front ends.

#[cfg(feature = "cli")]
pub(crate) mod files;
#[cfg(feature = "cli")]
mod since;
#[cfg(feature = "cli")]
pub(crate) mod suite;

use rtype_author::check::{self, Checked, Input, Selection};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::World;
use rtype_lang::library::TypeSet;
use rtype_lang::source::Source;
use rtype_model::providers::Providers;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The context of a check, without the sources and their types.
#[derive(Clone, Copy)]
pub(crate) struct CheckSession<'a> {
    /// The known native providers.
    pub providers: &'a dyn Providers,
    /// The machine, for resource files that use facts.
    pub world: &'a dyn World,
    /// The rules.
    pub selection: &'a Selection,
}

impl CheckSession<'_> {
    /// Adds a type file to a type set without checking the file; `None` for other inputs.
    #[cfg(feature = "cli")]
    pub fn load(input: &Input, types: &mut TypeSet) -> Option<rtype_lang::library::Loaded> {
        check::load(input, types)
    }

    /// Adds sources to a type set and checks them. `before` contains earlier diagnostics, for example about unreadable files.
    pub fn run(self, inputs: &[Input], before: Vec<Diagnostic>, types: &mut TypeSet) -> Checked {
        check::run(inputs, before, types, self.providers, self.world, self.selection)
    }

    /// Checks a single source.
    pub fn run_one(self, input: Input, types: &mut TypeSet) -> Vec<Diagnostic> {
        self.run(&[input], Vec::new(), types).findings.into_iter().map(|finding| finding.diagnostic).collect()
    }
}

/// Returns whether a file name is the name of a type file.
pub(crate) fn is_type_file(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "rtype")
}

/// Returns a source as an input: types, or resources in any format. Types look for the files that they use in `directory`.
pub(crate) fn input_of(source: Arc<Source>, directory: Option<PathBuf>) -> Input {
    if is_type_file(Path::new(source.name())) { Input::Types(source, directory) } else { Input::Resources(source) }
}
