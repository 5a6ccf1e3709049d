//! `--fix-suppress`: adds suppression comments for the findings of a run.

use super::suppress::is_about_suppressions;
use super::{Checked, Finding, Fixed, Recheck, is_ignorable};
use crate::editor::tokens::{TypeToken, TypeTokenKind, tokens};
use indexmap::{IndexMap, IndexSet};
use rtype_lang::diagnostics::{Code, Diagnostic, Edit};
use rtype_lang::source::{Source, SourceMap};
use std::path::Path;
use std::sync::Arc;

/// The reason in added comments.
const REASON: &str = "not reviewed";

/// Adds a suppression comment to each line with findings. If the comments do not suppress all findings in a file, a single comment at
/// the start of the file replaces them. Returns the changed texts.
pub fn adopt(checked: &Checked, sources: &SourceMap, check: &mut Recheck<'_>) -> Vec<Fixed> {
    let mut texts: IndexMap<String, (String, String, usize)> = IndexMap::new();
    let findings = by_file(checked, sources);
    for (source, found) in findings.values() {
        let after = with_edits(source, line_comments(source, &tokens(source.text()), found));
        texts.insert(source.name().to_owned(), (source.text().to_owned(), after, found.len()));
    }
    let (again, map) = recheck(checked, sources, &texts, check);
    for name in by_file(&again, &map).keys() {
        if let (Some((source, found)), Some((_, after, _))) = (findings.get(name), texts.get_mut(name)) {
            *after = with_edits(source, vec![file_comment(source, found)]);
        }
    }
    texts.into_iter().map(|(name, (before, after, fixes))| Fixed { name, before, after, fixes }).collect()
}

/// Returns the diagnostics that comments can suppress, each with the edit that adds the comment.
pub fn suppressions<'d>(found: impl Iterator<Item = &'d Diagnostic>, source: &Source) -> Vec<(&'d Diagnostic, Edit)> {
    let tokens = tokens(source.text());
    let found = found.filter(|diagnostic| is_suppressible(diagnostic, source));
    found.filter_map(|diagnostic| Some((diagnostic, line_comments(source, &tokens, &[diagnostic]).pop()?))).collect()
}

fn is_suppressible(diagnostic: &Diagnostic, source: &Source) -> bool {
    let has_comments = Path::new(source.name()).extension().is_some_and(|e| e == "rtype" || e == "pp" || e == "yaml" || e == "yml");
    has_comments && is_ignorable(diagnostic.code) && !is_about_suppressions(diagnostic.code) && source.span().contains(diagnostic.span())
}

/// Groups the findings that comments can suppress by file.
fn by_file<'c>(checked: &'c Checked, sources: &SourceMap) -> IndexMap<String, (Arc<Source>, Vec<&'c Diagnostic>)> {
    let mut files: IndexMap<String, (Arc<Source>, Vec<&Diagnostic>)> = IndexMap::new();
    for Finding { diagnostic, .. } in &checked.findings {
        let Some(source) = sources.find(diagnostic.span()).filter(|source| is_suppressible(diagnostic, source)) else { continue };
        if checked.files.iter().any(|file| file == source.name()) {
            let (_, found) = files.entry(source.name().to_owned()).or_insert_with(|| (Arc::clone(source), Vec::new()));
            found.push(diagnostic);
        }
    }
    files
}

fn recheck(
    checked: &Checked,
    sources: &SourceMap,
    changed: &IndexMap<String, (String, String, usize)>,
    check: &mut Recheck<'_>,
) -> (Checked, SourceMap) {
    let text = |name: &String| {
        let unchanged = || sources.iter().filter(|s| s.name() == name).last().map(|s| s.text().to_owned());
        Some((name.clone(), changed.get(name).map(|(_, after, _)| after.clone()).or_else(unchanged)?))
    };
    let texts: Vec<(String, String)> = checked.files.iter().filter_map(text).collect();
    check(&texts)
}

/// Returns one comment for each line with findings.
fn line_comments(source: &Source, tokens: &[TypeToken], found: &[&Diagnostic]) -> Vec<Edit> {
    let text = source.text();
    let mut lines: IndexMap<usize, IndexSet<Code>> = IndexMap::new();
    for diagnostic in found {
        let at = source.range(diagnostic.span()).start;
        let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        lines.entry(start).or_default().insert(diagnostic.code);
    }
    let mut edits: IndexMap<usize, (IndexSet<Code>, Form)> = IndexMap::new();
    for (start, codes) in lines {
        let (at, form) = suppression_position(text, tokens, start);
        edits.entry(at).or_insert_with(|| (IndexSet::new(), form)).0.extend(codes);
    }
    edits.into_iter().map(|(at, (codes, form))| Edit { span: source.span_of(at..at), text: form.text(&codes) }).collect()
}

/// The form of an added suppression.
enum Form {
    /// Codes to insert into an existing comment's list.
    Codes,
    /// A comment at the end of a line.
    AtEnd,
    /// A comment on a separate line, with this indentation.
    Above(String),
}

impl Form {
    fn text(&self, codes: &IndexSet<Code>) -> String {
        let list: Vec<&str> = codes.iter().map(|code| code.info().id).collect();
        let list = list.join(", ");
        match self {
            Form::Codes => format!("{list}, "),
            Form::AtEnd => format!(" # rtype: allow({list}, reason = \"{REASON}\")"),
            Form::Above(indentation) => format!("{indentation}# rtype: allow({list}, reason = \"{REASON}\")\n"),
        }
    }
}

/// Returns the offset and form of a suppression for the line that begins at `start`. The suppression is added at the end of the line, or
/// above the line if the line ends in a string or comment.
fn suppression_position(text: &str, tokens: &[TypeToken], start: usize) -> (usize, Form) {
    let line_at = |start: usize| text.get(start..).and_then(|rest| rest.split('\n').next()).unwrap_or_default();
    let line = line_at(start).trim_end();
    let end = start + line.len();
    let first = tokens.partition_point(|token| token.range.end < end.max(start + 1));
    let last = tokens.get(first).filter(|token| token.range.start < end);
    let is_string = |token: &TypeToken| matches!(token.kind, TypeTokenKind::Str(_) | TypeTokenKind::Regex(_));
    match last {
        Some(comment) if comment.kind == TypeTokenKind::Comment => {
            let inside = comment.text(text).find("allow(").filter(|_| comment.text(text).contains("rtype:"));
            match inside {
                Some(at) => (comment.range.start + at + "allow(".len(), Form::Codes),
                None => (start, above(line)),
            }
        }
        Some(string) if is_string(string) && string.range.end > end => {
            // The line on which the string begins.
            let start = text.get(..string.range.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
            (start, above(line_at(start)))
        }
        _ => (end, Form::AtEnd),
    }
}

fn above(line: &str) -> Form {
    Form::Above(line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect())
}

/// Returns a comment for the whole file.
fn file_comment(source: &Source, found: &[&Diagnostic]) -> Edit {
    let codes: IndexSet<&str> = found.iter().map(|diagnostic| diagnostic.code.info().id).collect();
    let list = codes.into_iter().collect::<Vec<_>>().join(", ");
    let at = if source.text().starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    Edit { span: source.span_of(at..at), text: format!("# rtype: allow-file({list}, reason = \"{REASON}\")\n") }
}

fn with_edits(source: &Source, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = source.text().to_owned();
    for edit in edits {
        text.insert_str(source.range(edit.span).start, &edit.text);
    }
    text
}
