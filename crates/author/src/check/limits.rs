//! Parts of Ruby files and manifests that rtype cannot read. They are limits of rtype, not mistakes of an author, and are counted
//! separately from findings.

use super::{Checked, LeftOut, LeftOutReason};
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
        self.take_manifests(sources, keep, is_named);
    }

    /// Removes findings in manifests that need Puppet's compiler. A manifest without other findings counts as not checked.
    fn take_manifests(&mut self, sources: &SourceMap, keep: bool, is_named: &dyn Fn(&Path) -> bool) {
        let name = |span: Span| sources.find(span).map(|source| source.name().to_owned());
        let places = self.findings.iter().map(|f| (f.diagnostic.code, f.diagnostic.span()));
        let places = places.chain(self.counted.iter().map(|c| (c.code, c.span))).filter(|(code, _)| *code == Code::NeedsCompiler);
        let manifests: HashSet<String> = places.filter_map(|(_, span)| name(span)).filter(|name| !is_named(Path::new(name))).collect();
        if manifests.is_empty() {
            return;
        }
        // References may need declarations that only the compiler finds, and rtype does not parse all of Puppet's syntax.
        let is_limit = |code: Code| matches!(code, Code::NeedsCompiler | Code::UnknownReference) || code.is_syntax();
        let is_in_manifest = |span: Span| name(span).is_some_and(|name| manifests.contains(&name));
        let mut with_findings = HashSet::new();
        self.findings.retain_mut(|finding| {
            let span = finding.diagnostic.span();
            if !is_in_manifest(span) {
                return true;
            }
            let is_limit = is_limit(finding.diagnostic.code);
            if is_limit {
                finding.diagnostic.severity = Severity::Note;
            } else {
                with_findings.extend(name(span));
            }
            keep || !is_limit
        });
        self.counted.retain(|counted| !(is_limit(counted.code) && is_in_manifest(counted.span)));
        let mut not_checked: Vec<String> = manifests.into_iter().filter(|name| !with_findings.contains(name)).collect();
        not_checked.sort();
        self.files.retain(|file| !not_checked.contains(file));
        let reason = LeftOutReason::NeedsCompiler;
        self.left_out.extend(not_checked.into_iter().map(|path| LeftOut { path, reason }));
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
