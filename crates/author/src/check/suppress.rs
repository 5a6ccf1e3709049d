//! Suppression comments, `# rtype: allow(RT012, reason = "…")`: findings that an author has reviewed and accepts.
//!
//! A comment after code applies to its line. On a separate line, it applies to the whole item, directive or resource that starts on the
//! next line; `allow-file` applies to the file.

use super::Selector;
use indexmap::IndexSet;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Ast, Body, Directive, DirectiveBlock, Item};
use rtype_model::manifest::Declarations;

/// A comment that suppresses findings.
#[derive(Debug)]
pub(super) struct Suppression {
    selectors: Vec<(Selector, Span)>,
    /// The reason.
    pub reason: Option<String>,
    /// The span that the comment applies to.
    scope: Span,
    span: Span,
    /// The codes of suppressed findings.
    pub used: IndexSet<Code>,
}

impl Suppression {
    /// Returns `true` if the comment suppresses findings with this code at this location.
    pub fn silences(&self, code: Code, span: Span) -> bool {
        self.scope.start <= span.start && span.start <= self.scope.end && self.selectors.iter().any(|(s, _)| s.holds(code))
    }

    /// Returns findings about the comment itself; `reported` returns whether the run reports a code.
    pub fn complaints(&self, reported: &dyn Fn(Code) -> bool) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (selector, span) in &self.selectors {
            if selector.codes().any(reported) && !self.used.iter().any(|code| selector.holds(*code)) {
                found.push(
                    Diagnostic::new(Code::UnusedSuppression, *span, "unused suppression").help("remove it: it would hide later findings"),
                );
            }
        }
        if self.reason.is_none() {
            found.push(
                Diagnostic::new(Code::SuppressionWithoutReason, self.span, "suppression has no reason")
                    .help("add one: `# rtype: allow(CODE, reason = \"…\")`"),
            );
        }
        found
    }
}

/// Returns `true` if a code is about suppression comments.
pub(super) fn is_about_suppressions(code: Code) -> bool {
    matches!(code, Code::UnusedSuppression | Code::SuppressionWithoutReason | Code::BadSuppression)
}

/// The parsed form of a source.
#[derive(Clone, Copy)]
pub(super) enum Structure<'a> {
    /// A type file.
    Types(&'a Ast),
    /// A file of resources.
    Resources(&'a Declarations),
}

/// Returns a source's suppression comments, and the errors in them.
pub(super) fn suppressions(source: &Source, structure: Structure<'_>) -> (Vec<Suppression>, Vec<Diagnostic>) {
    let mut wrong = Vec::new();
    let spans: Vec<Span> = match structure {
        Structure::Types(ast) => ast.comments.iter().map(|c| c.span).collect(),
        Structure::Resources(declarations) => declarations.comments.clone(),
    };
    let list = spans.into_iter().filter_map(|span| parse(source, span, structure, &mut wrong)).collect();
    (list, wrong)
}

fn parse(source: &Source, span: Span, structure: Structure<'_>, wrong: &mut Vec<Diagnostic>) -> Option<Suppression> {
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
        complain("invalid suppression comment");
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
        match Selector::parse_ignored(code) {
            Ok(selector) => selectors.push((selector, place)),
            Err(why) => wrong.push(Diagnostic::new(Code::BadSuppression, place, why.to_string()).help(why.help())),
        }
    }
    if selectors.is_empty() {
        return None;
    }
    let scope = if word.trim() == "allow-file" { source.span() } else { scope(source, span, structure) };
    Some(Suppression { selectors, reason: reason.filter(|r| !r.is_empty()), scope, span, used: IndexSet::new() })
}

/// Returns the span that a comment applies to.
fn scope(source: &Source, comment: Span, structure: Structure<'_>) -> Span {
    let text = source.text();
    let at = source.range(comment);
    let line_start = text.get(..at.start).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    if !text.get(line_start..at.start).unwrap_or_default().trim().is_empty() {
        return source.span_of(line_start..at.end);
    }
    // On a separate line: the next line without a comment, and the constructs that start there.
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
    let whole = match structure {
        Structure::Types(ast) => beginning_in(ast, next),
        Structure::Resources(declarations) => declared_in(declarations, next),
    };
    whole.map_or(next, |whole| next.to(whole))
}

/// Returns the span of the resources or attribute declared at the start of a line.
fn declared_in(declarations: &Declarations, line: Span) -> Option<Span> {
    let begins = |span: Span| line.start <= span.start && span.start < line.end;
    let containers = declarations.containers.iter().map(|c| &c.declared);
    let all = || declarations.resources.iter().chain(containers.clone());
    let resources = all().filter(|d| begins(d.type_span) || begins(d.span) || begins(d.title_span)).map(|d| d.span);
    let attributes = all().flat_map(|d| d.attributes.values()).filter(|g| begins(g.name_span)).map(|g| g.name_span.to(g.span));
    resources.reduce(Span::to).or_else(|| attributes.reduce(Span::to))
}

/// Returns the span of the outermost item or directive that starts on a line.
fn beginning_in(ast: &Ast, line: Span) -> Option<Span> {
    let begins = |span: Span| line.start <= span.start && span.start < line.end;
    for item in &ast.items {
        let span = item.span();
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
