//! Prints resource declarations.

use super::layout::Token;
use super::{Brackets, Printer};
use crate::source::Span;
use crate::syntax::ast::*;
use crate::value::quote_puppet;

impl Printer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Resource(resource) => self.resource(resource),
            Statement::Defaults(defaults) => {
                self.push(&capitalised(&defaults.type_name.name));
                self.push(" ");
                let span = Span::new(defaults.type_name.span.end, defaults.span.end);
                let span = if defaults.span.is_none() { Span::NONE } else { span };
                let mut arrows = Vec::new();
                let brackets = Brackets { blank: " ", ..Brackets::new("{", "}", span) };
                self.list(brackets, &defaults.attributes, attribute_span, |p, a| p.attribute(a, &mut arrows));
                self.align(&arrows, usize::MAX);
            }
            Statement::Chain(operands, arrows, _) => {
                let ends: Vec<Span> = operands.iter().map(operand_span).collect();
                let places = ends.iter().zip(ends.iter().skip(1));
                let forced = places.clone().next().is_some_and(|(one, next)| self.broken(one.end, next.start));
                self.begin(forced);
                let mut arrows = arrows.iter();
                for (i, (operand, place)) in operands.iter().zip(&ends).enumerate() {
                    if i > 0 {
                        let arrow = arrows.next().map_or(Arrow::Before, |(arrow, _)| *arrow);
                        self.comments_before_place(*place);
                        self.line(" ");
                        self.push(match arrow {
                            Arrow::Before => "-> ",
                            Arrow::Notify => "~> ",
                            Arrow::Require => "<- ",
                            Arrow::Subscribe => "<~ ",
                        });
                    }
                    match operand {
                        ChainOperand::References(reference) => self.puppet(reference),
                        ChainOperand::Resource(resource) => self.resource(resource),
                    }
                }
                self.end();
            }
            Statement::Uncompiled(_, span) | Statement::Error(span) => self.verbatim(*span),
        }
    }

    pub(super) fn resource(&mut self, resource: &ResourceDecl) {
        self.push(&resource.type_name.name);
        let gap = |body: &ResourceBody| match body.attributes.first() {
            Some(first) => self.broken(body.title.span.end, first.name.span.start),
            None => false,
        };
        let several = resource.bodies.len() > 1;
        let start = resource.bodies.first().map_or(0, |b| b.span.start);
        let forced = resource.bodies.iter().any(gap) || (several && self.broken(resource.type_name.span.end, start));
        let group = self.begin(forced);
        let levels = 1 + usize::from(several);
        self.push(" {");
        self.indent += usize::from(several);
        self.may_be_blank = false;
        for (i, body) in resource.bodies.iter().enumerate() {
            self.comments_before_place(body.span);
            if several {
                self.line_before(" ", body.span.start)
            } else {
                self.push(" ")
            }
            self.puppet(&body.title);
            self.push(":");
            self.indent += 1;
            self.may_be_blank = false;
            let mut arrows = Vec::new();
            for (n, attribute) in body.attributes.iter().enumerate() {
                let start = attribute.name.span.start;
                if n > 0 {
                    self.push(",");
                }
                self.comments_before_place(attribute.name.span);
                self.line_before(" ", start);
                self.indent -= levels;
                self.nested(group, levels, |p| p.attribute(attribute, &mut arrows));
                self.indent += levels;
                self.may_be_blank = true;
            }
            self.align(&arrows, usize::MAX);
            if !body.attributes.is_empty() {
                self.tokens.push(Token::IfBroken(","));
            }
            if i + 1 < resource.bodies.len() {
                let sign = self.semicolon(body.span.end);
                self.comments_before(sign);
                self.line("");
                self.push(";");
            }
            self.indent -= 1;
            self.may_be_blank = true;
        }
        if !resource.span.is_none() {
            self.indent += usize::from(!several);
            self.comments_before(resource.span.end.saturating_sub(1));
            self.indent -= usize::from(!several);
        }
        self.indent -= usize::from(several);
        match resource.bodies.as_slice() {
            [] => {}
            [only] if only.attributes.is_empty() => self.push(" "),
            _ => self.line(" "),
        }
        self.push("}");
        self.may_be_blank = true;
        self.end();
    }

    /// Returns the position of the `;` after a body, which the tree does not have.
    fn semicolon(&self, end: u32) -> u32 {
        let mut from = end;
        for comment in self.comments.iter().skip_while(|c| c.span.start < end) {
            if self.written(Span::new(from, comment.span.start)).contains(';') {
                break;
            }
            from = comment.span.end;
        }
        from
    }

    fn attribute(&mut self, attribute: &AttributeDecl, arrows: &mut Vec<(usize, usize)>) {
        let from = self.tokens.len();
        let name = attribute.name.span;
        if name.is_none() {
            self.push(&attribute.name.name)
        } else {
            self.verbatim(name)
        }
        arrows.push(self.pad(from));
        let arrow = self.written(Span::new(name.end, attribute.value.span.start.max(name.end)));
        self.push(if !name.is_none() && arrow.trim_start().starts_with("+>") { " +> " } else { " => " });
        self.puppet(&attribute.value);
    }

    fn puppet(&mut self, value: &PuppetExpr) {
        self.comments_before_place(value.span);
        match &value.kind {
            PuppetValue::Undef => self.push("undef"),
            PuppetValue::Default => self.push("default"),
            PuppetValue::Bool(value) => self.push(if *value { "true" } else { "false" }),
            PuppetValue::Array(items) => {
                let fill = items.len() > 3 && items.iter().all(|item| !item.span.is_none() && item.span.len() <= 24 && is_plain(item));
                self.list(Brackets { fill, ..Brackets::new("[", "]", value.span) }, items, |e| e.span, |p, e| p.puppet(e));
            }
            PuppetValue::Hash(entries) => {
                let mut arrows = Vec::new();
                self.list(
                    Brackets { blank: " ", ..Brackets::new("{", "}", value.span) },
                    entries,
                    |(k, v)| k.span.to(v.span),
                    |p, (k, v)| {
                        let from = p.tokens.len();
                        p.puppet(k);
                        arrows.push(p.pad(from));
                        p.push(" => ");
                        p.puppet(v);
                    },
                );
                self.align(&arrows, usize::MAX);
            }
            PuppetValue::Reference(name, titles) => {
                self.push(&capitalised(&name.name));
                let span = if value.span.is_none() { Span::NONE } else { Span::new(name.span.end, value.span.end) };
                self.list(Brackets::new("[", "]", span), titles, |e| e.span, |p, e| p.puppet(e));
            }
            PuppetValue::Binary(inner) => {
                self.push("Binary(");
                self.puppet(inner);
                self.push(")");
            }
            PuppetValue::Sensitive(inner) => {
                self.push("Sensitive(");
                self.puppet(inner);
                self.push(")");
            }
            _ if !value.span.is_none() => self.verbatim(Span::new(value.span.start, value.span.end)),
            PuppetValue::Int(n) => self.push(&n.to_string()),
            PuppetValue::Float(n) => self.push(&super::expr::float(*n)),
            PuppetValue::Str(text) => self.push(&quote_puppet(text)),
            PuppetValue::Regex(source) => self.push(&format!("/{}/", source.replace("/", "\\/"))),
            PuppetValue::Variable(name) => self.push(&format!("${name}")),
            PuppetValue::Fact(path) => {
                let keys: Vec<String> = path.split('.').map(|k| format!("['{k}']")).collect();
                self.push(&format!("$facts{}", keys.concat()));
            }
            PuppetValue::Deferred(args) => {
                self.push("Deferred");
                self.list(Brackets::new("(", ")", Span::NONE), args, |e| e.span, |p, e| p.puppet(e));
            }
            PuppetValue::Interpolated(_) | PuppetValue::Error => {}
        }
    }
}

fn is_plain(value: &PuppetExpr) -> bool {
    use PuppetValue::{Bool, Float, Int, Str, Undef};
    matches!(value.kind, Bool(_) | Float(_) | Int(_) | Str(_) | Undef)
}

fn attribute_span(attribute: &AttributeDecl) -> Span {
    attribute.name.span.to(attribute.value.span)
}

fn operand_span(operand: &ChainOperand) -> Span {
    match operand {
        ChainOperand::References(reference) => reference.span,
        ChainOperand::Resource(resource) => resource.span,
    }
}

/// Capitalizes a type name: `apt::key` becomes `Apt::Key`.
fn capitalised(name: &str) -> String {
    let parts: Vec<String> = name
        .split("::")
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
        })
        .collect();
    parts.join("::")
}
