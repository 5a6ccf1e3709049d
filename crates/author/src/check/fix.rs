//! `--fix`: applies fixes to source texts. A change that causes new errors is dropped.

use super::finding::Finding;
use super::{Checked, Input};
use indexmap::IndexMap;
use rtype_lang::diagnostics::{Edit, Fix, Severity};
use rtype_lang::source::{SourceMap, Span};

/// Maximum number of passes: a fix may enable another one.
pub const MAX_ROUNDS: usize = 10;

/// A text that fixes have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// Name of the file.
    pub name: String,
    /// Text before the fixes.
    pub before: String,
    /// Text after the fixes.
    pub after: String,
    /// Number of fixed findings.
    pub fixes: usize,
}

/// Checks the given sources (name, content) in place of their files.
pub type Recheck<'a> = dyn FnMut(&[(String, String)]) -> (Checked, SourceMap) + 'a;

/// Applies all fixes.
///
///
/// Returns the changed texts, and the names of files with dropped changes, which caused new errors.
pub fn fix(
    inputs: &[Input],
    checked: &Checked,
    sources: &SourceMap,
    also_unsafe: bool,
    check: &mut Recheck<'_>,
) -> (Vec<Fixed>, Vec<String>) {
    let mut texts: Vec<(String, String)> = inputs.iter().map(|i| (i.source().name().to_owned(), i.source().text().to_owned())).collect();
    let before = texts.clone();
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    let mut dropped: Vec<String> = Vec::new();
    let mut errors = errors_by_file(checked, sources);
    let mut round = apply(&checked.findings, sources, also_unsafe, &dropped);
    for _ in 0..MAX_ROUNDS {
        if round.is_empty() {
            break;
        }
        let mut tried = texts.clone();
        for (name, text) in &mut tried {
            if let Some((new, _)) = round.get(name) {
                text.clone_from(new);
            }
        }
        let (again, map) = check(&tried);
        let now = errors_by_file(&again, &map);
        let worse: Vec<String> =
            now.iter().filter(|(file, n)| *n > errors.get(*file).unwrap_or(&0)).map(|(file, _)| file.clone()).collect();
        if worse.is_empty() {
            texts = tried;
            round.iter().for_each(|(name, (_, n))| *counts.entry(name.clone()).or_insert(0) += n);
            errors = now;
            round = apply(&again.findings, &map, also_unsafe, &dropped);
        } else {
            // A change in one file may cause an error in another file.
            let suspects = worse.iter().filter(|w| round.contains_key(*w)).cloned().collect::<Vec<_>>();
            dropped.extend(if suspects.is_empty() { round.keys().cloned().collect() } else { suspects });
            round.retain(|name, _| !dropped.contains(name));
        }
    }
    let fixed = before.into_iter().zip(texts).filter(|(old, new)| old.1 != new.1).map(|((name, before), (_, after))| {
        let fixes = counts.get(&name).copied().unwrap_or(0);
        Fixed { name, before, after, fixes }
    });
    (fixed.collect(), dropped)
}

fn errors_by_file(checked: &Checked, sources: &SourceMap) -> IndexMap<String, usize> {
    let mut counts = IndexMap::new();
    for finding in
        checked.findings.iter().filter(|f| f.diagnostic.code.info().severity == Severity::Error && super::rule(f.diagnostic.code).is_none())
    {
        if let Some(source) = sources.find(finding.diagnostic.span()) {
            *counts.entry(source.name().to_owned()).or_insert(0) += 1;
        }
    }
    counts
}

/// Applies all fixes that do not conflict. Returns the changed texts by name, with the number of fixes in each.
fn apply(findings: &[Finding], sources: &SourceMap, also_unsafe: bool, dropped: &[String]) -> IndexMap<String, (String, usize)> {
    let mut edits: IndexMap<u32, (Vec<&Edit>, usize)> = IndexMap::new();
    let usable = |fix: &&Fix| (fix.safe || also_unsafe) && !fix.edits.is_empty();
    for fix in findings.iter().filter_map(|f| f.diagnostic.fix.as_deref()).filter(usable) {
        // A fix must be limited to one file, because other files may not be part of this run.
        let Some(source) = fix.edits.first().and_then(|e| sources.find(e.span)) else { continue };
        let fits = |edit: &Edit| source.span().contains(edit.span);
        let (taken, count) = edits.entry(source.base()).or_default();
        let free = |edit: &Edit| !taken.iter().any(|other| touch(other.span, edit.span));
        if fix.edits.iter().all(|e| fits(e) && free(e)) && !dropped.iter().any(|d| d == source.name()) {
            taken.extend(&fix.edits);
            *count += 1;
        }
    }
    let mut texts = IndexMap::new();
    for (base, (mut edits, count)) in edits {
        let Some(source) = sources.iter().find(|s| s.base() == base).filter(|_| count > 0) else { continue };
        edits.sort_by_key(|e| e.span);
        let (mut text, mut at) = (String::with_capacity(source.text().len()), 0);
        for edit in edits {
            let range = source.range(edit.span);
            text.push_str(source.text().get(at..range.start).unwrap_or_default());
            text.push_str(&edit.text);
            at = range.end;
        }
        text.push_str(source.text().get(at..).unwrap_or_default());
        texts.insert(source.name().to_owned(), (text, count));
    }
    texts
}

/// Returns `true` if two edits conflict: they overlap, or insert at the same location.
pub fn touch(a: Span, b: Span) -> bool {
    (a.start < b.end && b.start < a.end)
        || a == b
        || (a.is_empty() && b.start <= a.start && a.start <= b.end)
        || (b.is_empty() && a.start <= b.start && b.start <= a.end)
}
