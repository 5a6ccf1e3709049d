//! Builds the syntax tree from pest's pairs.
//!
//! The grammar's rules do not fail once they have begun: missing and superfluous text gets separate pairs. Each such pair becomes one
//! diagnostic here, unless it follows directly from another error.

mod brackets;
mod branch;
mod code;
mod directive;
mod expr;
mod item;
mod puppet;
mod resource;
mod string;

use super::ast::{Expr, ExprKind, Ident};
use super::expected::Expected;
use super::hints;
use super::parser::Rule;
use super::scan::Scan;
use crate::diagnostics::{Code, Diagnostic, Help};
use crate::source::{Source, Span};
use pest::iterators::Pair;
use std::ops::Range;

pub(super) use string::dedent;

/// A pair of the grammar.
pub(crate) type P<'t> = Pair<'t, Rule>;

/// The maximum number of diagnostics per source.
const MOST_DIAGNOSTICS: usize = 1_000;

/// The maximum depth of the tree, because dropping, comparing, printing and evaluating trees is recursive.
const DEEPEST: usize = 256;

/// Builds the tree and collects diagnostics.
pub(crate) struct Builder<'s> {
    source: &'s Source,
    scan: &'s Scan,
    /// The parsed part of the scanned copy, and the part's offset.
    text: &'s str,
    start: usize,
    diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics beyond the maximum.
    unsaid: usize,
    /// The current depth of the tree.
    depth: usize,
    /// `true` if a bare word is a symbol (in arguments of directives), `false` if it is a name (in expressions).
    words: bool,
    /// `true` inside a test, where variables in resources are columns of `cases`.
    in_test: bool,
    /// `true` if symbols among the arguments have been reported, so that `newparam(:x)` is one error instead of two.
    symbols_reported: bool,
    /// The end of the last reported error; errors directly after this offset are not reported.
    bad_until: Option<usize>,
}

impl<'s> Builder<'s> {
    /// Creates a builder for part of the scanned copy.
    pub fn new(source: &'s Source, scan: &'s Scan, part: Range<usize>) -> Builder<'s> {
        let diagnostics: Vec<Diagnostic> = scan.diagnostics.iter().take(MOST_DIAGNOSTICS).cloned().collect();
        let unsaid = scan.diagnostics.len() - diagnostics.len();
        let start = part.start;
        let text = scan.text().get(part).unwrap_or_default();
        Builder {
            source,
            scan,
            text,
            start,
            diagnostics,
            unsaid,
            depth: 0,
            words: false,
            in_test: false,
            symbols_reported: false,
            bad_until: None,
        }
    }

    pub fn finish(mut self) -> Vec<Diagnostic> {
        if self.unsaid > 0 {
            let end = self.source.span().end;
            let message = format!("{} more mistakes in this file are not shown", self.unsaid);
            self.diagnostics
                .push(Diagnostic::new(Code::MoreMistakes, Span::new(end, end), message).help("correct the first ones and check again"));
        }
        self.diagnostics
    }

    /// Returns the part that is parsed.
    fn text(&self) -> &'s str {
        self.text
    }

    /// Returns the span in the source map of a byte range in the parsed part.
    fn span(&self, start: usize, end: usize) -> Span {
        self.scan.span(self.start + start, self.start + end)
    }

    /// Returns the position in the source map of a byte in the parsed part.
    fn place(&self, at: usize) -> u32 {
        self.scan.place(self.start + at)
    }

    fn span_of(&self, pair: &P<'_>) -> Span {
        let span = pair.as_span();
        self.span(span.start(), span.end())
    }

    fn ident(&self, pair: &P<'_>) -> Ident {
        Ident { name: pair.as_str().trim_end().into(), span: self.span_of(pair) }
    }

    /// Returns the name of a variable or parameter, and reports the names of values.
    fn local(&mut self, pair: &P<'_>) -> Ident {
        let ident = self.ident(pair);
        if matches!(ident.name.as_str(), "self" | "super" | "nil" | "true" | "false") {
            self.error(Code::Syntax, ident.span, format!("`{}` cannot be the name of a variable", ident.name), "choose another name");
        }
        ident
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MOST_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        } else {
            self.unsaid += 1;
        }
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<Help>) {
        self.push(Diagnostic::new(code, span, message).help(help));
    }

    /// Returns `true` if `start` directly follows a reported error; marks everything up to `end` as reported.
    fn is_follow_up(&mut self, start: usize, end: usize) -> bool {
        let before = self.bad_until.replace(end.max(self.bad_until.unwrap_or(0)));
        let gap_start = self.text().get(..start).map_or(start, |t| t.trim_end().len());
        let place = self.place(gap_start);
        let after_open_string = self
            .scan
            .diagnostics
            .iter()
            .any(|d| d.code == Code::Unclosed && d.span().len() > 1 && d.span().start < place && place <= d.span().end);
        after_open_string
            || before.is_some_and(|until| until >= start || self.text().get(until..start).is_some_and(|gap| gap.bytes().all(|b| b == b' ')))
    }

    /// Reports a missing construct at the position of an empty pair.
    fn missing(&mut self, pair: &P<'_>, expected: Expected<'_>) {
        let at = pair.as_span().start();
        if self.is_follow_up(at, at) {
            return;
        }
        let diagnostic = hints::missing(self.text(), at, expected, |a, b| self.span(a, b));
        self.push(diagnostic);
    }

    /// Reports an unexpected construct.
    fn junk(&mut self, pair: &P<'_>, expected: Expected<'_>) {
        let span = pair.as_span();
        let (start, end) = (span.start(), span.end());
        if pair.as_str().trim().is_empty() || self.is_follow_up(start, end) {
            return;
        }
        let diagnostic = hints::junk(self.text(), start, end, expected, |a, b| self.span(a, b));
        self.push(diagnostic);
    }

    /// Marks the source of a pair as reported.
    fn mark(&mut self, pair: &P<'_>) {
        let end = pair.as_span().end();
        self.bad_until = Some(end.max(self.bad_until.unwrap_or(0)));
    }

    /// Reports an unclosed bracket, unless the scanner has already reported bracket errors.
    fn unclosed(&mut self, pair: &P<'_>) {
        if !self.diagnostics.iter().any(|d| matches!(d.code, Code::Unclosed | Code::Unopened)) {
            self.missing(pair, Expected::ClosingBracket);
        }
    }

    fn error_expr(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Error, span }
    }
}
