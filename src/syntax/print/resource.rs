//! Resource declarations inside tests.

use super::Printer;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::value::quote_puppet;

impl Printer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Resource(resource) => self.resource(resource),
            Statement::Defaults(defaults) => {
                self.push(&capitalised(&defaults.type_name.name));
                self.push(" {");
                self.attributes(&defaults.attributes, defaults.type_name.span.end, defaults.span.end);
                self.push("}");
            }
            Statement::Chain(operands, arrows, _) => {
                let mut arrows = arrows.iter();
                for (i, operand) in operands.iter().enumerate() {
                    if i > 0 {
                        let arrow = arrows.next().map_or(Arrow::Before, |(arrow, _)| *arrow);
                        self.push(match arrow {
                            Arrow::Before => " -> ",
                            Arrow::Notify => " ~> ",
                            Arrow::Require => " <- ",
                            Arrow::Subscribe => " <~ ",
                        });
                    }
                    match operand {
                        ChainOperand::References(reference) => self.puppet(reference),
                        ChainOperand::Resource(resource) => self.resource(resource),
                    }
                }
            }
            Statement::Error(span) => self.verbatim(*span),
        }
    }

    pub(super) fn resource(&mut self, resource: &ResourceDecl) {
        self.push(&resource.type_name.name);
        self.push(" {");
        let mut before = resource.type_name.span.end;
        self.indent += 1;
        for (i, body) in resource.bodies.iter().enumerate() {
            if i > 0 {
                self.push(";");
            }
            self.gap(before, body.span.start, " ");
            self.puppet(&body.title);
            self.push(":");
            self.attributes(&body.attributes, body.title.span.end, body.span.end);
            before = body.span.end;
        }
        self.indent -= 1;
        if self.broken(before, resource.span.end) {
            self.indent += 1;
            self.comments_before(resource.span.end);
            self.indent -= 1;
            self.newline();
        } else if !self.out.ends_with(' ') {
            self.push(" ");
        }
        self.push("}");
    }

    fn attributes(&mut self, attributes: &[AttributeDecl], from: u32, to: u32) {
        self.indent += 1;
        let mut before = from;
        for (i, attribute) in attributes.iter().enumerate() {
            if i > 0 {
                self.push(",");
            }
            self.gap(before, attribute.name.span.start, " ");
            self.push(&attribute.name.name);
            self.push(" => ");
            self.puppet(&attribute.value);
            before = attribute.value.span.end;
        }
        if self.broken(before, to) {
            self.comments_before(to);
        }
        self.indent -= 1;
        if !self.line_start && !attributes.is_empty() {
            self.push(" ");
        }
    }

    fn puppet(&mut self, value: &PuppetExpr) {
        match &value.kind {
            PuppetValue::Undef => self.push("undef"),
            PuppetValue::Default => self.push("default"),
            PuppetValue::Bool(value) => self.push(if *value { "true" } else { "false" }),
            PuppetValue::Array(items) => {
                self.push("[");
                self.list(value.span.start, value.span.end, items, |e| e.span, |p, e| p.puppet(e));
                self.push("]");
            }
            PuppetValue::Hash(entries) => {
                self.push("{");
                self.list(
                    value.span.start,
                    value.span.end,
                    entries,
                    |(k, v)| k.span.to(v.span),
                    |p, (k, v)| {
                        p.puppet(k);
                        p.push(" => ");
                        p.puppet(v);
                    },
                );
                self.push("}");
            }
            PuppetValue::Reference(name, titles) => {
                self.push(&capitalised(&name.name));
                self.push("[");
                self.list(name.span.end, value.span.end, titles, |e| e.span, |p, e| p.puppet(e));
                self.push("]");
            }
            PuppetValue::Sensitive(inner) => {
                self.push("Sensitive(");
                self.puppet(inner);
                self.push(")");
            }
            _ if !value.span.is_none() => self.verbatim(Span::new(value.span.start, value.span.end)),
            PuppetValue::Int(n) => self.push(&n.to_string()),
            PuppetValue::Float(n) => self.push(&format!("{n:?}")),
            PuppetValue::Str(text) => self.push(&quote_puppet(text)),
            PuppetValue::Regex(source) => self.push(&format!("/{}/", source.replace("/", "\\/"))),
            PuppetValue::Fact(path) => {
                let keys: Vec<String> = path.split('.').map(|k| format!("['{k}']")).collect();
                self.push(&format!("$facts{}", keys.concat()));
            }
            PuppetValue::Interpolated(_) | PuppetValue::Deferred | PuppetValue::Error => {}
        }
    }
}

/// `apt::key` → `Apt::Key`
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
