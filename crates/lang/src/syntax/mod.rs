//! Parses type files and manifests to syntax trees, and prints trees. pest is not part of the interface.
//!
//! Parsing has three steps: the scanner (`scan`) balances brackets and quotes and collects comments, pest (`parser`) parses the
//! balanced copy to pairs, and the builder (`build`) builds the tree from the pairs. All three steps add to the same list of
//! diagnostics, and continue after an error.

pub mod ast;
mod build;
mod expected;
mod format;
mod hints;
mod parser;
mod print;
mod same;
mod scan;
mod tree;
mod unclosed;
pub mod visit;

use crate::diagnostics::{Code, Diagnostic, Fix};
use crate::source::{Source, Span};
use ast::{Ast, Block, Comment, Manifest};
use build::{Builder, P};
use parser::{Failure, Rule};
use rayon::prelude::*;
use scan::{Dialect, Scan};
use std::ops::Range;

pub(crate) use hints::{OTHERWISE, is_else};

pub use format::{FormatEdit, apply, format, format_failed, format_parsed, format_range};
pub use print::{LINE_WIDTH, print_types};
pub use print::{escape, quote, symbol as written_symbol};
pub use scan::{is_complete, is_complete_manifest};
pub use tree::{manifest_tree, same_tree, tree};

/// Parses a type file. Always returns a tree; errors are reported and marked in the tree.
pub fn parse_types(source: &Source) -> (Ast, Vec<Diagnostic>) {
    if let Some(diagnostic) = hints::other_language(source.text(), |start, end| source.span_of(start..end)) {
        return (Ast { items: Vec::new(), comments: Vec::new(), span: source.span() }, vec![diagnostic]);
    }
    let (items, comments, diagnostics) = run(source, Dialect::Types, Rule::types_file, |builder, file| builder.types(file));
    (Ast { items, comments, span: source.span() }, diagnostics)
}

/// Parses statements outside files.
pub fn parse_statements(source: &Source) -> (Block, Vec<Diagnostic>) {
    let (statements, _, diagnostics) = run(source, Dialect::Types, Rule::entered, |builder, text| builder.entered(text));
    (Block { statements, span: source.span() }, diagnostics)
}

/// Parses a manifest. Puppet code that requires a compiler is reported and skipped.
pub fn parse_manifest(source: &Source) -> (Manifest, Vec<Diagnostic>) {
    if let Some(diagnostic) = hints::other_language(source.text(), |start, end| source.span_of(start..end)) {
        return (Manifest { statements: Vec::new(), comments: Vec::new(), span: source.span() }, vec![diagnostic]);
    }
    let (statements, comments, diagnostics) = run(source, Dialect::Manifest, Rule::manifest, |builder, file| builder.manifest(file));
    (Manifest { statements, comments, span: source.span() }, diagnostics)
}

/// Returns the copy for pest, so that the benchmark can measure pest alone.
#[doc(hidden)]
pub fn bare_text(source: &Source) -> String {
    Scan::new(source, Dialect::Types).text().to_owned()
}

/// Runs only pest on a [`bare_text`] result, and returns the number of top-level pairs.
#[doc(hidden)]
pub fn bare_pass(text: &str) -> usize {
    parser::parse(Rule::types_file, text).ok().flatten().map_or(0, |file| file.into_inner().len())
}

fn run<T: Send>(
    source: &Source,
    dialect: Dialect,
    rule: Rule,
    build: impl Fn(&mut Builder<'_>, P<'_>) -> Vec<T> + Sync,
) -> (Vec<T>, Vec<Comment>, Vec<Diagnostic>) {
    let mut scan = Scan::new(source, dialect);
    let comments = std::mem::take(&mut scan.comments);
    if scan.diagnostics.is_empty()
        && scan.depth <= DEPTH_OF_SMALL_STACKS
        && let Some(tree) = in_parts(source, dialect, rule, &build, &scan, LENGTH_OF_PARTS)
    {
        return (tree, comments, Vec::new());
    }
    let attempt = |scan: &Scan| {
        let mut builder = Builder::new(source, scan, 0..scan.text().len());
        let file = parser::parse(rule, scan.text())?;
        let tree = file.map(|file| build(&mut builder, file)).unwrap_or_default();
        Ok((tree, builder.finish()))
    };
    let mut result = if scan.depth > DEPTH_OF_SMALL_STACKS { Err(Failure::TooDeep) } else { attempt(&scan) };
    if matches!(result, Err(Failure::TooDeep)) {
        result = on_large_stack(|| attempt(&scan));
    }
    let mut lost = Vec::new();
    if matches!(result, Err(Failure::TooDeep | Failure::TooLong)) {
        // Some item exceeds the parser's limits; parse the others without it.
        result = on_large_stack(|| {
            lost = leave_out_items(source, dialect, rule, &mut scan);
            attempt(&scan)
        });
    }
    let (tree, mut diagnostics) = result.unwrap_or_else(|failure| {
        let mut diagnostics = scan.diagnostics.clone();
        if lost.is_empty() {
            let start = if matches!(failure, Failure::TooDeep) { scan.deepest } else { 0 };
            diagnostics.push(explain(&failure, source, start));
        }
        (Vec::new(), diagnostics)
    });
    diagnostics.extend(lost);
    diagnostics.sort_by_key(|d| (d.span().start, d.span().end));
    // An invisible character within a name splits the name, which is not a second mistake.
    let ends: Vec<u32> =
        diagnostics.iter().filter(|d| d.fix.as_ref().is_some_and(|fix| deletes(fix, d.span()))).map(|d| d.span().end).collect();
    diagnostics.retain(|d| !ends.contains(&d.span().start));
    unclosed::drop_consequences(source, &mut diagnostics);
    (tree, comments, diagnostics)
}

/// Returns `true` if a fix deletes exactly this span.
fn deletes(fix: &Fix, span: Span) -> bool {
    matches!(fix.edits.as_slice(), [edit] if edit.text.is_empty() && edit.span == span)
}

/// Parses a long source without errors in parts on all cores. A source with errors is parsed as a whole, for better diagnostics.
fn in_parts<T: Send>(
    source: &Source,
    dialect: Dialect,
    rule: Rule,
    build: &(impl Fn(&mut Builder<'_>, P<'_>) -> Vec<T> + Sync),
    scan: &Scan,
    size: usize,
) -> Option<Vec<T>> {
    let parts = scan.parts(dialect, size);
    if parts.len() < 2 {
        return None;
    }
    let part = |range: Range<usize>| {
        let mut builder = Builder::new(source, scan, range.clone());
        let file = parser::parse(rule, scan.text().get(range)?).ok()??;
        let tree = build(&mut builder, file);
        builder.finish().is_empty().then_some(tree)
    };
    let trees: Option<Vec<Vec<T>>> = parts.into_par_iter().map(part).collect();
    trees.map(|trees| trees.into_iter().flatten().collect())
}

/// Runs a parser on a thread with a large stack, because the caller's stack may be small (tests, the language server's threads).
fn on_large_stack<T: Send>(run: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, run).ok();
        thread.and_then(|thread| thread.join().ok()).unwrap_or(Err(Failure::TooDeep))
    })
}

/// Parses each item separately, and removes items that exceed the parser's limits from the scanned copy.
fn leave_out_items(source: &Source, dialect: Dialect, rule: Rule, scan: &mut Scan) -> Vec<Diagnostic> {
    let mut lost = Vec::new();
    let mut end = scan.text().len();
    let mut starts = scan.item_starts(source, dialect);
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    for start in starts.into_iter().rev() {
        let part = scan.text().get(start..end).unwrap_or("");
        if let Err(failure @ (Failure::TooDeep | Failure::TooLong)) = parser::parse(rule, part) {
            lost.push(explain(&failure, source, (scan.place(start) - source.base()) as usize));
            scan.leave_out(start, end);
        }
        end = start;
    }
    lost
}

/// The minimum length of a part in bytes, so that parsing takes much longer than splitting.
const LENGTH_OF_PARTS: usize = 128 << 10;
/// The depth of nested brackets and conditions that can be parsed with any stack. WebAssembly has no threads and therefore only this
/// stack.
const DEPTH_OF_SMALL_STACKS: usize = 24;
/// Enough stack for the deepest source that the scanner accepts, in debug builds as well.
const LARGE_STACK: usize = 64 << 20;

fn explain(failure: &Failure, source: &Source, start: usize) -> Diagnostic {
    let word = hints::token(source.text(), start).len();
    let place = source.span_of(start..start + word);
    match failure {
        Failure::TooLong => Diagnostic::new(Code::ParseTooLong, place, "what begins here takes too many steps to parse")
            .help("split it into several files, or look for very long lines"),
        Failure::TooDeep => Diagnostic::new(Code::NestingTooDeep, place, "what begins here nests too deeply")
            .help("split deeply nested conditions into several statements or functions"),
        Failure::NoFit(error) => {
            let at = match error.location {
                pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
            };
            Diagnostic::new(Code::Syntax, source.span_of(at..at), "this text cannot be understood from here on")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use std::fmt::Debug;
    use std::path::Path;

    /// Returns the number of parts in a source, and checks that the parts give the same tree as the whole, with spans; 0 for a source
    /// with errors.
    fn parts<T: Send + Debug>(text: &str, dialect: Dialect, rule: Rule, build: fn(&mut Builder<'_>, P<'_>) -> Vec<T>) -> usize {
        let source = SourceMap::new().add("x", text).unwrap();
        let (whole, _, diagnostics) = run(&source, dialect, rule, build);
        let scan = Scan::new(&source, dialect);
        let Some(tree) = in_parts(&source, dialect, rule, &build, &scan, 1).filter(|_| diagnostics.is_empty()) else { return 0 };
        assert_eq!(format!("{tree:#?}"), format!("{whole:#?}"), "{text}");
        scan.parts(dialect, 1).len()
    }

    fn files(folder: &str, ending: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
        files.filter(|p| p.extension() == Some(Path::new(ending).as_os_str())).map(|p| std::fs::read_to_string(p).unwrap()).collect()
    }

    #[test]
    fn parts_say_what_the_whole_says() {
        let type_files =
            files("stdlib-types", "rtype").iter().map(|t| parts(t, Dialect::Types, Rule::types_file, |b, f| b.types(f))).sum::<usize>();
        assert!(type_files > 20, "{type_files}");
        let all: Vec<String> =
            ["examples", "tests/lab/scenarios/file", "tests/lab/scenarios/graph"].iter().flat_map(|f| files(f, "pp")).collect();
        let manifest = |text: &str| parts(text, Dialect::Manifest, Rule::manifest, |b, f| b.manifest(f));
        assert!(all.iter().map(|t| manifest(t)).sum::<usize>() > 50);
        // The source after a brace on the same line is not split off.
        let text =
            "file { '/a':\n}\n-> file { '/b': }\nFile { mode => '1' }\nfile { '/c':\n  content => \"}\nfile {\" }\nnotify { 'x': }\n";
        assert_eq!(manifest(text), 4);
    }
}
