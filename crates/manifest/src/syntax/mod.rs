//! From text to a syntax tree.
//!
//! The lexer (`lexer`) reads tokens, pest (`parser`, `grammar/puppet.pest`) parses their kinds, and the builder (`build`) builds the tree.

mod build;
mod hints;
mod lexer;
mod outline;
mod parser;
mod pn;
mod recover;
pub mod token;
pub mod tree;
mod validate;
pub mod visit;

use lexer::Lexed;
use parser::Failure;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Source;
use token::Tokens;
use tree::ManifestTree;

pub use pn::pn;
pub use validate::DUPLICATE_KEY;

/// The nesting up to which the stack of any thread is large enough.
const DEPTH_OF_SMALL_STACKS: usize = 40;

/// The stack for deeper sources.
const LARGE_STACK: usize = 256 << 20;

/// The maximum number of diagnostics per source.
const MAX_DIAGNOSTICS: usize = 100;

/// The two forms of Puppet's language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A manifest: `.pp`.
    Manifest,
    /// A template: `.epp`.
    Template,
}

/// A parsed source.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The tree. Statements with mistakes are [`tree::ExpressionKind::Error`].
    pub tree: ManifestTree,
    /// All tokens and comments.
    pub tokens: Tokens,
    /// The problems, ordered by their place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a source. Always returns a tree; mistakes are reported.
pub fn parse(source: &Source, form: Form) -> Parsed {
    let lexed = lexer::lex(source, form == Form::Template);
    if lexed.depth <= DEPTH_OF_SMALL_STACKS {
        return parse_tokens(source, lexed);
    }
    let parsed = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, || parse_tokens(source, lexed)).ok();
        thread.and_then(|thread| thread.join().ok())
    });
    parsed.unwrap_or_else(|| Parsed { diagnostics: vec![limit(source, &Failure::TooDeep)], ..Parsed::default() })
}

fn parse_tokens(source: &Source, lexed: Lexed) -> Parsed {
    let Lexed { tokens, kinds, mut diagnostics, .. } = lexed;
    let (tree, found) = match parser::parse(&kinds) {
        Ok(program) => build::build(source, &tokens.tokens, program),
        Err(Failure::Unexpected(at)) => {
            let (tree, found) = recover::parse(source, &tokens.tokens, &kinds, at);
            (tree, recover::without_consequences(&diagnostics, found))
        }
        Err(failure) => (ManifestTree::default(), vec![limit(source, &failure)]),
    };
    diagnostics.extend(found);
    let is_complete = !diagnostics.iter().any(Diagnostic::is_error);
    diagnostics.extend(validate::validate(&tree, is_complete));
    diagnostics.sort_by_key(|d| (d.span().start, d.span().end));
    limit_number(&mut diagnostics);
    Parsed { tree, tokens, diagnostics }
}

fn limit_number(diagnostics: &mut Vec<Diagnostic>) {
    let Some(next) = diagnostics.get(MAX_DIAGNOSTICS).map(Diagnostic::span) else { return };
    let more = diagnostics.len() - MAX_DIAGNOSTICS;
    let has_error = diagnostics.drain(MAX_DIAGNOSTICS..).any(|d| d.is_error());
    diagnostics.push(Diagnostic::new(Code::MoreMistakes, next, format!("{more} more problems are not shown")).error_if(has_error));
}

/// Reports that a source exceeds a limit of the parser.
fn limit(source: &Source, failure: &Failure) -> Diagnostic {
    let span = source.span_of(0..source.text().len().min(1));
    match failure {
        Failure::TooLong => Diagnostic::new(Code::ParseTooLong, span, "the file is too long to parse"),
        _ => Diagnostic::new(Code::NestingTooDeep, span, "the expressions of the file are nested too deeply"),
    }
}
