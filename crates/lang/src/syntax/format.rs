//! Formats a source: returns it in canonical layout, or the reason why it cannot be formatted.

use super::ast::{Ast, Comment, Manifest};
use super::print::{Unit, lay_out_manifest, lay_out_types};
use super::tree::same_manifest;
use super::{parse_manifest, parse_types, same_tree};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, SourceMap, Span};

/// The language of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Type files.
    Types,
    /// Resource declarations in Puppet's syntax.
    Resources,
}

/// A replacement in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatEdit {
    /// The span to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// The syntax tree of a source without errors.
enum Tree {
    Types(Ast),
    Resources(Manifest),
}

impl Tree {
    fn parse(source: &Source, language: Language) -> Result<Tree, Vec<Diagnostic>> {
        let (tree, found) = match language {
            Language::Types => {
                let (ast, found) = parse_types(source);
                (Tree::Types(ast), found)
            }
            Language::Resources => {
                let (manifest, found) = parse_manifest(source);
                (Tree::Resources(manifest), found)
            }
        };
        if found.is_empty() { Ok(tree) } else { Err(found) }
    }

    fn borrowed(&self) -> TreeRef<'_> {
        match self {
            Tree::Types(ast) => TreeRef::Types(ast),
            Tree::Resources(manifest) => TreeRef::Resources(manifest),
        }
    }
}

/// A borrowed syntax tree.
#[derive(Clone, Copy)]
enum TreeRef<'a> {
    Types(&'a Ast),
    Resources(&'a Manifest),
}

impl<'a> TreeRef<'a> {
    fn language(self) -> Language {
        match self {
            TreeRef::Types(_) => Language::Types,
            TreeRef::Resources(_) => Language::Resources,
        }
    }

    fn lay_out(self, source: &Source, width: usize) -> (String, Vec<Unit>) {
        match self {
            TreeRef::Types(ast) => lay_out_types(ast, source, width),
            TreeRef::Resources(manifest) => lay_out_manifest(manifest, source, width),
        }
    }

    fn says_the_same(self, other: TreeRef<'_>) -> bool {
        match (self, other) {
            (TreeRef::Types(one), TreeRef::Types(other)) => same_tree(one, other),
            (TreeRef::Resources(one), TreeRef::Resources(other)) => same_manifest(one, other),
            _ => false,
        }
    }

    /// Returns the comments without trailing whitespace.
    fn comments(self, source: &'a Source) -> impl Iterator<Item = String> + 'a {
        let comments: &[Comment] = match self {
            TreeRef::Types(ast) => &ast.comments,
            TreeRef::Resources(manifest) => &manifest.comments,
        };
        comments.iter().map(|c| source.slice(c.span).trim_end().replace("\r\n", "\n"))
    }
}

/// Returns the source in canonical layout, with lines of at most `width` columns where possible.
///
///
/// # Errors
///
/// Returns the errors in the source, or [`Code::FormatFailed`] if the result would have a different meaning.
pub fn format(source: &Source, language: Language, width: usize) -> Result<String, Vec<Diagnostic>> {
    formatted(source, Tree::parse(source, language)?.borrowed(), width)
}

/// As [`format`], for a parsed type file without errors.
///
/// # Errors
/// Returns [`Code::FormatFailed`] if the result would have a different meaning.
pub fn format_parsed(source: &Source, ast: &Ast, width: usize) -> Result<String, Vec<Diagnostic>> {
    formatted(source, TreeRef::Types(ast), width)
}

fn formatted(source: &Source, tree: TreeRef<'_>, width: usize) -> Result<String, Vec<Diagnostic>> {
    let (text, _) = tree.lay_out(source, width);
    if text != source.text() {
        check(source, tree, &text)?;
    }
    Ok(text)
}

/// Formats the items and directives that overlap the range; `None` if the range overlaps none.
///
///
/// # Errors
///
/// Returns the same errors as [`format`].
pub fn format_range(source: &Source, language: Language, width: usize, range: Span) -> Result<Option<FormatEdit>, Vec<Diagnostic>> {
    let parsed = Tree::parse(source, language)?;
    let tree = parsed.borrowed();
    let (text, units) = tree.lay_out(source, width);
    let Some((first, last)) = touched(source, &units, range) else { return Ok(None) };
    let before = source.slice(Span::new(source.base(), first.source.start));
    let indented = before.trim_end_matches([' ', '\t']);
    // At the start of a line the indentation is replaced as well.
    let is_first = indented.is_empty() || indented.ends_with('\n');
    let start = if is_first { first.source.start - (before.len() - indented.len()) as u32 } else { first.source.start };
    let piece = text.get(first.start..last.end).unwrap_or_default();
    let piece = if is_first { piece } else { piece.trim_start_matches(' ') };
    let edit = FormatEdit { span: Span::new(start, last.source.end), text: piece.to_owned() };
    check(source, tree, &apply(source, &edit))?;
    Ok(Some(edit))
}

/// Returns the source with the edit applied.
pub fn apply(source: &Source, edit: &FormatEdit) -> String {
    let range = source.range(edit.span);
    let text = source.text();
    let (before, after) = (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
    format!("{before}{}{after}", edit.text)
}

/// Checks that a formatted source has the same syntax tree and comments as the original.
fn check(source: &Source, tree: TreeRef<'_>, text: &str) -> Result<(), Vec<Diagnostic>> {
    let wrong = |what: &str| {
        vec![
            Diagnostic::new(Code::FormatFailed, source.span_of(0..0), format!("formatting `{}` would change {what}", source.name()))
                .help("the file is left as it is; please report this with the file, or with as much of it as shows it"),
        ]
    };
    let map = SourceMap::new();
    let result = map.add(source.name(), text).map_err(|_| wrong("its size"))?;
    let parsed = Tree::parse(&result, tree.language()).map_err(|_| wrong("what it means"))?;
    let again = parsed.borrowed();
    if !tree.says_the_same(again) {
        return Err(wrong("what it means"));
    }
    if tree.comments(source).eq(again.comments(&result)) { Ok(()) } else { Err(wrong("its comments")) }
}

/// Returns the first and the last of the smallest adjacent units that cover everything in a range.
fn touched(source: &Source, units: &[Unit], range: Span) -> Option<(Unit, Unit)> {
    // Whitespace and comments around a unit do not belong to other units.
    let is_empty = |from: u32, to: u32| {
        from >= to || source.slice(Span::new(from, to)).lines().all(|line| line.trim().is_empty() || line.trim().starts_with('#'))
    };
    let meets = |unit: &&Unit| unit.source.start <= range.end && range.start <= unit.source.end;
    let mut around: Option<Unit> = None;
    loop {
        // Units are followed by the units they contain.
        let inside = |unit: &&Unit| around.is_none_or(|a| a.source.contains(unit.source) && a != **unit);
        let mut found: Vec<Unit> = Vec::new();
        for unit in units.iter().filter(inside).filter(meets) {
            if found.last().is_none_or(|last| !last.source.contains(unit.source)) {
                found.push(*unit);
            }
        }
        let (Some(first), Some(last)) = (found.first(), found.last()) else { return around.map(|a| (a, a)) };
        let covers = is_empty(range.start, first.source.start) && is_empty(last.source.end, range.end);
        match (around, found.len()) {
            // The range extends to lines around these units.
            (Some(around), _) if !covers => return Some((around, around)),
            (_, 1) if covers => around = Some(*first),
            _ => return Some((*first, *last)),
        }
    }
}
