//! `# rtype: allow(RT012, reason = "…")`: findings that an author has looked at and keeps.
//!
//! Behind code the comment is about its line; on a line of its own about what begins next, an item, a directive or a resource, as
//! a whole; `allow-file` about the file.

use super::Selector;
use super::finding::item_span;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, Span};
use crate::syntax::ast::{Ast, Body, Directive, DirectiveBlock, Item};
use indexmap::IndexSet;

/// A comment that silences findings.
#[derive(Debug)]
pub(super) struct Suppression {
    selectors: Vec<(Selector, Span)>,
    /// Why.
    pub reason: Option<String>,
    /// Where it holds.
    scope: Span,
    span: Span,
    /// The codes that it has silenced.
    pub used: IndexSet<Code>,
}

impl Suppression {
    /// Whether it silences findings of this code at this place.
    pub fn silences(&self, code: Code, span: Span) -> bool {
        self.scope.start <= span.start && span.start <= self.scope.end && self.selectors.iter().any(|(s, _)| s.holds(code))
    }

    /// What is to be said of the comment itself, where `told` are the codes that the run looks for.
    pub fn complaints(&self, told: &dyn Fn(Code) -> bool) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (selector, span) in &self.selectors {
            if selector.codes().any(told) && !self.used.iter().any(|code| selector.holds(*code)) {
                found.push(
                    Diagnostic::new(Code::UnusedSuppression, *span, "nothing is found here that this would silence")
                        .help("drop it: it would silence what somebody writes here later"),
                );
            }
        }
        if self.reason.is_none() {
            found.push(
                Diagnostic::new(Code::SuppressionWithoutReason, self.span, "nobody can tell why this is allowed")
                    .help("say it: `# rtype: allow(CODE, reason = \"…\")`"),
            );
        }
        found
    }
}

/// The comments of a text that silence findings, and what is wrong with them. `ast` is there for type files.
pub(super) fn suppressions(source: &Source, ast: Option<&Ast>) -> (Vec<Suppression>, Vec<Diagnostic>) {
    let mut wrong = Vec::new();
    let spans: Vec<Span> = match ast {
        Some(ast) => ast.comments.iter().map(|c| c.span).collect(),
        None => line_comments(source),
    };
    let list = spans.into_iter().filter_map(|span| parse(source, span, ast, &mut wrong)).collect();
    (list, wrong)
}

/// Where `# rtype:` begins in a text whose comments nobody has collected.
fn line_comments(source: &Source) -> Vec<Span> {
    let text = source.text();
    let begin = text.match_indices('#').filter(|(at, _)| text.get(at + 1..).is_some_and(|t| t.trim_start().starts_with("rtype:")));
    begin
        .map(|(at, _)| {
            let end = text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |n| at + n);
            source.span_of(at..end)
        })
        .collect()
}

fn parse(source: &Source, span: Span, ast: Option<&Ast>, wrong: &mut Vec<Diagnostic>) -> Option<Suppression> {
    let text = source.slice(span);
    let said = text.trim_start_matches('#').trim().strip_prefix("rtype:")?.trim();
    let mut complain = |message: &str| {
        wrong.push(
            Diagnostic::new(Code::BadSuppression, span, message)
                .help("write `# rtype: allow(RT012, reason = \"why\")`, or `allow-file(…)` for the whole file"),
        );
    };
    let (word, rest) = said.split_once('(').unwrap_or((said, ""));
    let Some(inside) = rest.trim_end().strip_suffix(')').filter(|_| matches!(word.trim(), "allow" | "allow-file")) else {
        complain("this comment for rtype is not understood");
        return None;
    };
    let (codes, reason) = match inside.split_once("reason") {
        Some((codes, reason)) => (codes, reason.trim_start().strip_prefix('=').map(|r| r.trim().trim_matches('"').trim().to_owned())),
        None => (inside, None),
    };
    let mut selectors = Vec::new();
    for code in codes.split(',').map(str::trim).filter(|c| !c.is_empty()) {
        let at = text.find(code).unwrap_or(0);
        let place = Span::new(span.start + at as u32, span.start + (at + code.len()) as u32);
        match Selector::parse(code) {
            Ok(selector) => selectors.push((selector, place)),
            Err(help) => wrong.push(Diagnostic::new(Code::BadSuppression, place, format!("there is no rule `{code}`")).help(help)),
        }
    }
    if selectors.is_empty() {
        return None;
    }
    let scope = if word.trim() == "allow-file" { source.span() } else { scope(source, span, ast) };
    Some(Suppression { selectors, reason: reason.filter(|r| !r.is_empty()), scope, span, used: IndexSet::new() })
}

/// What a comment is about.
fn scope(source: &Source, comment: Span, ast: Option<&Ast>) -> Span {
    let text = source.text();
    let at = source.range(comment);
    let line_start = text.get(..at.start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    if !text.get(line_start..at.start).unwrap_or_default().trim().is_empty() {
        return source.span_of(line_start..at.end);
    }
    // On a line of its own: the next line that is no comment, and what begins on it.
    let mut start = at.end;
    let mut line = "";
    for candidate in text.get(at.end..).unwrap_or_default().split_inclusive('\n') {
        line = candidate;
        if !candidate.trim().is_empty() && !candidate.trim_start().starts_with('#') {
            break;
        }
        start += candidate.len();
    }
    let end = start + line.trim_end().len();
    let next = source.span_of(start..end);
    ast.and_then(|ast| beginning_in(ast, next)).map_or(next, |whole| next.to(whole))
}

/// The outermost item or directive that begins in a line.
fn beginning_in(ast: &Ast, line: Span) -> Option<Span> {
    let begins = |span: Span| line.start <= span.start && span.start < line.end;
    for item in &ast.items {
        let span = item_span(item);
        if begins(span) {
            return Some(span);
        }
        if span.contains(line)
            && let Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) = item
        {
            return inside(&d.body, line, &begins);
        }
    }
    None
}

fn inside(body: &Body, line: Span, begins: &dyn Fn(Span) -> bool) -> Option<Span> {
    let around = |d: &&Directive| begins(d.span) || d.span.contains(line);
    let directive = body.directives.iter().find(around)?;
    match &directive.block {
        _ if begins(directive.span) => Some(directive.span),
        Some(DirectiveBlock::Body(inner)) => inside(inner, line, begins),
        _ => None,
    }
}
