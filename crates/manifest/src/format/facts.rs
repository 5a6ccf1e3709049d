//! What the layout needs from the tree: the attributes whose arrows are aligned, the titles of resources, and missing commas.

use crate::syntax::token::{TokenKind, Tokens};
use crate::syntax::tree::{AttributeOperation, Expression, ExpressionKind, HashEntry, ManifestTree, ResourceInstance};
use crate::syntax::visit;
use rtype_lang::source::{Source, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A resource with its own title in braces; offsets in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub title: usize,
    pub title_end: usize,
    pub end: usize,
}

/// Facts about a tree.
#[derive(Default)]
pub(super) struct Facts {
    /// For each arrow that may be aligned: the number of its group.
    pub groups: BTreeMap<usize, usize>,
    /// The resources, ordered by their titles.
    pub bodies: Vec<Body>,
    /// The ends of last attributes without a comma.
    pub without_comma: BTreeSet<usize>,
    group: usize,
}

struct Reader<'a> {
    source: &'a Source,
    /// The tokens in the order of the source.
    tokens: Vec<(usize, usize, TokenKind)>,
    facts: Facts,
}

impl Facts {
    pub fn of(source: &Source, tree: &ManifestTree, tokens: &Tokens) -> Facts {
        let mut order: Vec<_> = tokens.tokens.iter().map(|t| (t.start as usize, t.end as usize, t.kind)).collect();
        order.sort_unstable_by_key(|t| (t.0, t.1));
        let mut reader = Reader { source, tokens: order, facts: Facts::default() };
        tree.statements.iter().for_each(|statement| reader.read(statement));
        reader.facts.bodies.sort_by_key(|body| body.title);
        reader.facts
    }
}

impl Reader<'_> {
    fn read(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Resource(resource) => {
                for body in &resource.bodies {
                    self.body(body);
                }
            }
            ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => self.attributes(&settings.attributes),
            ExpressionKind::Collector(collector) => self.attributes(&collector.attributes),
            ExpressionKind::Hash(entries) => self.entries(entries),
            ExpressionKind::Selector(selector) => self.entries(&selector.entries),
            _ => {}
        }
        visit::children(expression, &mut |child| self.read(child));
    }

    fn offset(&self, at: u32) -> usize {
        (at - self.source.base()) as usize
    }

    fn body(&mut self, body: &ResourceInstance) {
        let Span { start, end } = body.title.span;
        let body_end = body.attributes.last().map_or(end, |last| last.span.end);
        let body_of = Body { title: self.offset(start), title_end: self.offset(end), end: self.offset(body_end) };
        self.facts.bodies.push(body_of);
        self.attributes(&body.attributes);
    }

    fn attributes(&mut self, attributes: &[AttributeOperation]) {
        self.facts.group += 1;
        for attribute in attributes {
            let start = attribute.name.as_ref().map_or(attribute.span.start, |name| name.span.start);
            let at = self.offset(start);
            let number = self.tokens.partition_point(|t| t.0 <= at);
            if let Some((arrow, _, TokenKind::Arrow | TokenKind::PlusArrow)) = self.tokens.get(number) {
                self.facts.groups.insert(*arrow, self.facts.group);
            }
        }
        let Some(last) = attributes.last() else { return };
        let end = self.offset(last.value.span.end);
        let next = self.tokens.get(self.tokens.partition_point(|t| t.0 < end));
        // The value may be in brackets of its own, or end in a heredoc, whose text follows later.
        if let Some((_, _, TokenKind::BraceClose)) = next {
            self.facts.without_comma.insert(end);
        }
    }

    fn entries(&mut self, entries: &[HashEntry]) {
        self.facts.group += 1;
        for entry in entries {
            let at = self.offset(entry.arrow.start);
            self.facts.groups.insert(at, self.facts.group);
        }
    }
}
