//! What could not be read of Ruby files. It says nothing about their author, and is counted apart from findings.

use super::Checked;
use rtype_lang::diagnostics::{Code, Severity};
use rtype_lang::library::is_ruby;
use rtype_lang::source::{SourceMap, Span};
use std::collections::HashSet;
use std::path::Path;

/// How much of Ruby files was not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckLimits {
    /// How many parts of types and providers.
    pub parts: usize,
    /// In how many files.
    pub files: usize,
}

/// Diagnostics of Ruby files that are about what was not read: the importer, or modules that are not in the module path.
const LIMITS: &[Code] =
    &[Code::Untranslated, Code::NotImported, Code::NothingToCheck, Code::UnknownType, Code::ImportBudget, Code::ImportRunBudget];

impl Checked {
    /// Counts what could not be read of Ruby files, and takes it out of the findings, or keeps it as notes. A file without types is a
    /// finding if it `is_named` by the user.
    pub fn take_limits(&mut self, sources: &SourceMap, keep: bool, is_named: &dyn Fn(&Path) -> bool) {
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
