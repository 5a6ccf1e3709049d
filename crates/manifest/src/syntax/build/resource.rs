//! Resources, defaults and overrides.

use super::super::parser::{P, Rule};
use super::super::token::TokenKind;
use super::super::tree::{
    AttributeOperation, AttributeSettings, Expression, ExpressionKind, HashEntry, ResourceExpression, ResourceForm, ResourceInstance,
};
use super::Builder;

impl Builder<'_> {
    pub(super) fn class_resource(&mut self, pair: P<'_>) -> Expression {
        let (span, start) = (self.span(&pair), pair.as_span().start());
        let kind = Expression { span: self.token_span(start), kind: ExpressionKind::Name(self.value(start)) };
        let bodies = self.bodies(pair.into_inner());
        let resource = ResourceExpression { kind, form: ResourceForm::Regular, bodies };
        Expression { span, kind: ExpressionKind::Resource(Box::new(resource)) }
    }

    /// Builds what an expression before braces is: a resource, defaults, an override, or a call with a hash.
    pub(super) fn resource(&mut self, kind: Expression, body: P<'_>) -> Expression {
        let body_span = self.span(&body);
        let span = kind.span.to(body_span);
        let inner = body.into_inner();
        let is_titled = inner.peek().is_some_and(|p| p.as_rule() == Rule::resource_body);
        if is_titled {
            let resource = ResourceExpression { kind, form: ResourceForm::Regular, bodies: self.bodies(inner) };
            return Expression { span, kind: ExpressionKind::Resource(Box::new(resource)) };
        }
        let attributes = self.attributes(inner);
        let settings = |target| Box::new(AttributeSettings { target, form: ResourceForm::Regular, attributes: attributes.clone() });
        let built = match &kind.kind {
            ExpressionKind::TypeName(_) => ExpressionKind::Defaults(settings(kind)),
            ExpressionKind::Access(_) => ExpressionKind::Override(settings(kind)),
            ExpressionKind::Name(_) => {
                let hash = Expression { span: body_span, kind: ExpressionKind::Hash(self.pairs_of(attributes)) };
                let mut statements = vec![kind];
                self.add_statement(&mut statements, hash, Vec::new(), None);
                match statements.pop() {
                    Some(call) if statements.is_empty() => return Expression { span, kind: call.kind },
                    last => {
                        statements.extend(last);
                        ExpressionKind::Block(statements)
                    }
                }
            }
            ExpressionKind::Error => ExpressionKind::Error,
            _ => {
                self.error(kind.span, "expected a type or references of resources before `{`");
                ExpressionKind::Error
            }
        };
        Expression { span, kind: built }
    }

    /// Attributes without a title are the pairs of a hash.
    fn pairs_of(&mut self, attributes: Vec<AttributeOperation>) -> Vec<HashEntry> {
        let mut entries = Vec::new();
        for attribute in attributes {
            match attribute.name {
                Some(name) if !attribute.appends => {
                    let key = Expression { span: name.span, kind: ExpressionKind::Text(name.text) };
                    entries.push(HashEntry { key, arrow: attribute.span, value: attribute.value });
                }
                _ => self.error(attribute.span, "missing title: `+>` and `* =>` are not allowed without it"),
            }
        }
        entries
    }

    fn bodies<'p>(&mut self, pairs: impl Iterator<Item = P<'p>>) -> Vec<ResourceInstance> {
        let mut bodies = Vec::new();
        for pair in pairs {
            let span = self.span(&pair);
            let mut inner = pair.into_inner();
            let Some(title) = inner.next().map(|p| self.expression(p)) else { continue };
            bodies.push(ResourceInstance { span, title, attributes: self.attributes(inner) });
        }
        bodies
    }

    pub(super) fn attributes<'p>(&mut self, pairs: impl Iterator<Item = P<'p>>) -> Vec<AttributeOperation> {
        let mut attributes = Vec::new();
        for pair in pairs {
            let (span, start) = (self.span(&pair), pair.as_span().start());
            let Some(value) = pair.into_inner().next().map(|p| self.expression(p)) else { continue };
            let is_splat = self.kind(start) == Some(TokenKind::Times);
            let appends = self.kind(start + 1) == Some(TokenKind::PlusArrow);
            let span = self.token_span(start).to(value.span).to(if is_splat { span } else { value.span });
            attributes.push(AttributeOperation { span, name: (!is_splat).then(|| self.name(start)), appends, value });
        }
        attributes
    }

    /// Marks a resource as virtual or exported.
    pub(super) fn virtual_resource(&mut self, mark: usize, mut resource: Expression) -> Expression {
        let (form, sign) = match self.kind(mark) {
            Some(TokenKind::AtAt) => (ResourceForm::Exported, "@@"),
            _ => (ResourceForm::Virtual, "@"),
        };
        let mark = self.token_span(mark);
        match &mut resource.kind {
            ExpressionKind::Resource(resource) => resource.form = form,
            ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => settings.form = form,
            ExpressionKind::Error => {}
            _ => self.error(mark, format!("`{sign}` is only allowed before a resource")),
        }
        resource.span = mark.to(resource.span);
        resource
    }
}
