//! Syntax errors: reports unexpected tokens and skips the broken statements.

use super::build;
use super::hints;
use super::outline::Outline;
use super::parser::{self, Failure};
use super::token::{Token, TokenKind};
use super::tree::ManifestTree;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Source;

/// The maximum number of syntax errors that are reported for a source.
const MAX_ERRORS: usize = 20;

/// The maximum number of attempts to parse the rest of a source.
const MAX_ROUNDS: usize = 60;

/// The placeholder of skipped tokens.
const SKIPPED: u8 = TokenKind::Skipped as u8;

/// Reports unexpected tokens, skips the statements that contain them, and parses the rest.
pub(super) fn parse(source: &Source, tokens: &[Token], kinds: &str, first: usize) -> (ManifestTree, Vec<Diagnostic>) {
    let place = tokens.get(first).map_or(source.text().len(), |token| token.start as usize);
    let first_error = source.span_of(place..place).start;
    let mut recovery = Recovery { source, tokens, kinds: kinds.as_bytes().to_vec(), unbalanced: 0, first_error, diagnostics: Vec::new() };
    let mut at = first;
    for _ in 0..MAX_ROUNDS {
        if recovery.diagnostics.len() >= MAX_ERRORS {
            break;
        }
        let before = recovery.kinds.clone();
        recovery.skip(at);
        if recovery.kinds == before {
            recovery.kinds.fill(SKIPPED);
        }
        let text: String = recovery.kinds.iter().map(|kind| *kind as char).collect();
        match parser::parse(&text) {
            Ok(program) => {
                let (tree, found) = build::build(source, tokens, program);
                recovery.diagnostics.extend(found);
                return (tree, recovery.diagnostics);
            }
            Err(Failure::Unexpected(next)) => at = next,
            Err(_) => break,
        }
    }
    (ManifestTree { span: source.span(), ..ManifestTree::default() }, recovery.diagnostics)
}

struct Recovery<'a> {
    source: &'a Source,
    tokens: &'a [Token],
    /// The kinds of the tokens, with placeholders and missing brackets at the end.
    kinds: Vec<u8>,
    /// The number of opening brackets in skipped statements, less the closing ones.
    unbalanced: i32,
    /// The offset of the first unexpected token. Later errors before it are caused by skipped tokens.
    first_error: u32,
    diagnostics: Vec<Diagnostic>,
}

impl Recovery<'_> {
    fn report(&mut self, found: Diagnostic) {
        if self.diagnostics.is_empty() || found.span().start >= self.first_error {
            self.diagnostics.push(found);
        }
    }

    fn skip(&mut self, at: usize) {
        let kinds = self.kinds.clone();
        let outline = Outline::new(self.source, self.tokens, &kinds);
        let kind = self.kinds.get(at).copied();
        if kind.is_none() && !outline.open.is_empty() {
            // What a skipped statement left open was reported with it.
            if self.unbalanced >= 0 {
                let found = hints::unclosed(self.source, self.tokens, &outline);
                self.report(found);
            }
            let missing: Vec<u8> =
                outline.open.iter().rev().filter_map(|open| self.kinds.get(*open).copied()).filter_map(closing).collect();
            self.kinds.extend(missing);
            return;
        }
        if at >= self.tokens.len() && !self.diagnostics.is_empty() {
            // The end is unexpected because of the mistakes before it.
            let range = outline.statement(at);
            return self.kinds.get_mut(range).unwrap_or_default().fill(SKIPPED);
        }
        let is_unmatched = matches!(kind, Some(b'}' | b')' | b']')) && outline.opener(at).is_none();
        if is_unmatched && self.unbalanced > 0 {
            self.unbalanced -= 1;
        } else {
            let found = hints::unexpected(self.source, self.tokens, &outline, at);
            self.report(found);
        }
        let range = if is_unmatched { at..at + 1 } else { outline.statement(at) };
        for kind in self.kinds.get_mut(range).unwrap_or_default() {
            self.unbalanced += match kind {
                b'{' | b'^' | b'(' | b'_' | b'[' | b'`' => 1,
                b'}' | b')' | b']' if !is_unmatched => -1,
                _ => 0,
            };
            *kind = SKIPPED;
        }
    }
}

/// Returns the closing bracket for an opening bracket.
fn closing(open: u8) -> Option<u8> {
    match open {
        b'{' | b'^' => Some(b'}'),
        b'(' | b'_' => Some(b')'),
        b'[' | b'`' => Some(b']'),
        _ => None,
    }
}

/// Removes syntax errors after an unclosed string, which is likely their cause.
pub(super) fn without_consequences(lexical: &[Diagnostic], found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let first = lexical.iter().filter(|d| d.code == Code::Unclosed).map(|d| d.span().start).min();
    match first {
        Some(first) => found.into_iter().filter(|d| d.span().start < first && d.code != Code::Unclosed).collect(),
        None => {
            let spans: Vec<_> = lexical.iter().filter(|d| d.is_error()).map(Diagnostic::span).collect();
            found.into_iter().filter(|d| !spans.iter().any(|s| s.contains(d.span()))).collect()
        }
    }
}
