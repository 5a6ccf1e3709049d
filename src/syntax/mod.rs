//! Text → Ast, and back. pest stays behind [`parse_types`] and [`parse_manifest`].
//!
//! Three steps: the scanner (`scan`) balances brackets and quotes and collects comments, pest (`parser`) makes
//! pairs of the balanced text, the builder (`build`) makes the Ast of the pairs. All three add to one list of
//! diagnostics; none of them gives up.

pub mod ast;
mod build;
mod hints;
mod parser;
mod print;
mod scan;
mod tree;

use crate::diagnostics::{Code, Diagnostic};
use crate::source::Source;
use ast::{Ast, Comment, Manifest};
use build::Builder;
use parser::{Failure, Rule};
use scan::{Dialect, Scan};

pub use print::print_types;
pub use scan::is_complete;
pub use tree::{manifest_tree, same_tree, tree};

/// Parses a type file. Whatever the text, an Ast comes back; what was not understood is reported and marked in it.
pub fn parse_types(source: &Source) -> (Ast, Vec<Diagnostic>) {
    let (items, comments, diagnostics) = run(source, Dialect::Types, |builder, text| {
        parser::parse(Rule::types_file, text).map(|file| file.map(|file| builder.types(file)).unwrap_or_default())
    });
    (Ast { items, comments, span: source.span() }, diagnostics)
}

/// Parses a file of resource declarations. Puppet code that needs a compiler is reported and skipped.
pub fn parse_manifest(source: &Source) -> (Manifest, Vec<Diagnostic>) {
    let (statements, comments, diagnostics) = run(source, Dialect::Manifest, |builder, text| {
        parser::parse(Rule::manifest, text).map(|file| file.map(|file| builder.manifest(file)).unwrap_or_default())
    });
    (Manifest { statements, comments, span: source.span() }, diagnostics)
}

/// What pest reads of a type file: the benchmark's way to run pest alone.
#[doc(hidden)]
pub fn bare_text(source: &Source) -> String {
    Scan::new(source, Dialect::Types).text().to_owned()
}

/// Runs pest alone over what [`bare_text`] gave and says how many pairs it made at the top.
#[doc(hidden)]
pub fn bare_pass(text: &str) -> usize {
    parser::parse(Rule::types_file, text).ok().flatten().map_or(0, |file| file.into_inner().len())
}

fn run<T: Default + Send>(
    source: &Source,
    dialect: Dialect,
    parse: impl FnOnce(&mut Builder<'_>, &str) -> Result<T, Failure> + Send,
) -> (T, Vec<Comment>, Vec<Diagnostic>) {
    let mut scan = Scan::new(source, dialect);
    let comments = std::mem::take(&mut scan.comments);
    if scan.too_deep {
        return (T::default(), comments, scan.diagnostics);
    }
    let mut builder = Builder::new(source, &scan);
    let text = scan.text();
    let tree = if scan.depth > DEPTH_OF_SMALL_STACKS {
        // Callers may sit on a small stack (tests, the language server's threads); deep texts get a large one.
        std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(LARGE_STACK)
                .spawn_scoped(scope, || parse(&mut builder, text))
                .ok()
                .and_then(|thread| thread.join().ok())
                .unwrap_or(Err(Failure::TooDeep))
        })
    } else {
        parse(&mut builder, text)
    };
    let mut diagnostics = builder.finish();
    let tree = tree.unwrap_or_else(|failure| {
        diagnostics.push(explain(failure, source));
        T::default()
    });
    diagnostics.sort_by_key(|d| (d.span().start, d.span().end));
    (tree, comments, diagnostics)
}

/// Up to this many brackets inside each other parse on any stack.
const DEPTH_OF_SMALL_STACKS: usize = 24;
/// Enough for the deepest text that the scanner lets through, in debug builds, too.
const LARGE_STACK: usize = 64 << 20;

fn explain(failure: Failure, source: &Source) -> Diagnostic {
    match failure {
        Failure::TooLong => {
            let start = source.span_of(0..0);
            Diagnostic::new(Code::ParseTooLong, start, "this text takes too many steps to parse")
                .help("split it into several files, or look for very long lines")
        }
        Failure::TooDeep => Diagnostic::new(Code::NestingTooDeep, source.span_of(0..0), "this text nests too deeply")
            .help("split deeply nested conditions into several statements or functions"),
        Failure::NoFit(error) => {
            let at = match error.location {
                pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
            };
            Diagnostic::new(Code::Syntax, source.span_of(at..at), "this text cannot be understood from here on")
        }
    }
}
