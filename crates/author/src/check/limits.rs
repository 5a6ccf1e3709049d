//! Parts of Ruby files and manifests that rtype cannot read. They are limits of rtype, not mistakes of an author, and are counted
//! separately from findings.

use super::Checked;
use rtype_lang::diagnostics::{Code, Severity};
use rtype_lang::library::is_ruby;
use rtype_lang::source::{SourceMap, Span};
use std::collections::HashSet;
use std::path::Path;

/// The unchecked Ruby in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckLimits {
    /// The number of unchecked parts in types and providers.
    pub parts: usize,
    /// The number of files with unchecked parts.
    pub files: usize,
}

/// Titles and attribute values in manifests that depend on variables, functions or facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComputedValues {
    /// The number of titles and values.
    pub values: usize,
    /// The number of rules of types that depend on the values.
    pub rules: usize,
    /// The number of resources whose type is not known, because its module is not on the module path.
    pub resources: usize,
    /// The number of values that were not compared with the data type of their parameter, because an alias in it was not found.
    pub untyped: usize,
    /// The number of values in data files that were not compared with the data type of their parameter, because other data can merge or
    /// convert them.
    pub changed: usize,
    /// The number of class parameters without a default and without a value in the manifests, when not all data files can be read.
    pub required: usize,
    /// Counts calls of functions that no module on the module path defines.
    pub calls: usize,
    /// The number of manifests that contain the values.
    pub manifests: usize,
}

/// Diagnostics about Ruby that was not read: the importer's limits, and modules outside the module path.
const LIMITS: &[Code] =
    &[Code::Untranslated, Code::NotImported, Code::NothingToCheck, Code::UnknownType, Code::ImportBudget, Code::ImportRunBudget];

impl Checked {
    /// Counts the unreadable parts in Ruby files and manifests, and removes their findings. With `keep`, the findings become notes.
    /// Findings in Ruby files do not change if `untranslated_is_selected`, findings in manifests if the user named the manifest.
    pub fn take_limits(&mut self, sources: &SourceMap, keep: bool, untranslated_is_selected: bool, is_named: &dyn Fn(&Path) -> bool) {
        if !untranslated_is_selected {
            self.take_untranslated(sources, keep, is_named);
        }
    }

    /// Counts the unreadable parts of Ruby files, and removes their findings or keeps them as notes. A file without types remains a
    /// finding if the user named the file.
    fn take_untranslated(&mut self, sources: &SourceMap, keep: bool, is_named: &dyn Fn(&Path) -> bool) {
        let mut files = HashSet::new();
        let mut parts = 0;
        let mut is_limit = |code: Code, span: Span| {
            let Some(source) = sources.find(span).filter(|source| LIMITS.contains(&code) && is_ruby(Path::new(source.name()))) else {
                return false;
            };
            if code == Code::NothingToCheck && is_named(Path::new(source.name())) {
                return false;
            }
            parts += 1;
            files.insert(source.name().to_owned());
            true
        };
        self.findings.retain_mut(|finding| {
            let is_limit = is_limit(finding.diagnostic.code, finding.diagnostic.span());
            if is_limit {
                finding.diagnostic.severity = Severity::Note;
            }
            keep || !is_limit
        });
        self.counted.retain_mut(|counted| {
            let is_limit = is_limit(counted.code, counted.span);
            if is_limit {
                counted.severity = Severity::Note;
            }
            keep || !is_limit
        });
        self.limits = CheckLimits { parts, files: files.len() };
    }
}
