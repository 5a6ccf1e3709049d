//! Builds resource declarations.

use super::{Builder, P};
use crate::diagnostics::Code;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::expected::Expected;
use crate::syntax::hints;
use crate::syntax::parser::Rule;

/// A construct that begins with an upper-case type name.
enum Named {
    Defaults(DefaultsDecl),
    Reference(PuppetExpr),
    Uncompiled(Uncompiled),
}

/// Returns the names in a declaration next to a collector.
fn names_of_resource(operand: Statement) -> Option<Uncompiled> {
    let Statement::Resource(resource) = operand else { return None };
    let (titles, attributes): (Vec<_>, Vec<_>) = resource.bodies.into_iter().map(|body| (body.title, body.attributes)).unzip();
    Some(Uncompiled { type_name: resource.type_name, titles, attributes: attributes.into_iter().flatten().map(|a| a.name).collect() })
}

/// Returns the names in a reference next to a collector.
fn names_of_reference(reference: PuppetExpr) -> Option<Uncompiled> {
    let PuppetValue::Reference(type_name, titles) = reference.kind else { return None };
    Some(Uncompiled { type_name, titles, attributes: Vec::new() })
}

impl Builder<'_> {
    /// Builds the statements of `manifest`.
    pub fn manifest(&mut self, file: P<'_>) -> Vec<Statement> {
        self.statements(file)
    }

    /// Builds the statements in a file or in `also { … }`.
    pub(super) fn statements(&mut self, pair: P<'_>) -> Vec<Statement> {
        let mut statements = Vec::new();
        for part in pair.into_inner() {
            let span = self.span_of(&part);
            match part.as_rule() {
                Rule::m_chain => {
                    let statement = self.chain(part);
                    statements.push(statement);
                }
                Rule::m_block | Rule::m_line => {
                    let start = part.as_span().start();
                    // An unmatched bracket on this line is part of the same error; the copy has whitespace in its place.
                    let line = Span::new(span.start, self.place(part.as_span().end() + 1));
                    self.diagnostics.retain(|d| d.code != Code::Unopened || !line.contains(d.span()));
                    if !self.is_follow_up(start, start) {
                        let diagnostic = hints::manifest_line(self.text(), start, part.as_span().end(), |a, b| self.span(a, b));
                        self.push(diagnostic);
                    }
                    statements.push(Statement::Error(span));
                }
                Rule::stray => self.stray(&part),
                Rule::unclosed => self.unclosed(&part),
                _ => {}
            }
        }
        statements
    }

    pub(super) fn needs_compiler(&mut self, span: Span, what: &str) {
        self.error(Code::NeedsCompiler, span, format!("{what} needs Puppet's compiler"), hints::COMPILE);
    }

    fn chain(&mut self, pair: P<'_>) -> Statement {
        let span = self.span_of(&pair);
        let mut operands: Vec<Statement> = Vec::new();
        let mut references: Vec<PuppetExpr> = Vec::new();
        let mut arrows = Vec::new();
        let mut uncompiled = Vec::new();
        let mut failed = false;
        for part in pair.into_inner() {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::m_resource => {
                    let resource = self.resource(part);
                    failed |= resource.bodies.is_empty() && resource.type_name.name == "class";
                    operands.push(Statement::Resource(resource));
                }
                Rule::m_reference_or_defaults => match self.reference_or_defaults(part) {
                    Some(Named::Defaults(defaults)) => operands.push(Statement::Defaults(defaults)),
                    Some(Named::Reference(reference)) => {
                        operands.push(Statement::Error(place));
                        references.push(reference);
                    }
                    Some(Named::Uncompiled(names)) => uncompiled.push(names),
                    None => failed = true,
                },
                Rule::m_reference_list => {
                    let list = part.into_inner().next().map(|list| self.puppet(list));
                    operands.push(Statement::Error(place));
                    references.extend(list);
                }
                Rule::arrow => arrows.push((
                    match part.as_str() {
                        "->" => Arrow::Before,
                        "~>" => Arrow::Notify,
                        "<-" => Arrow::Require,
                        _ => Arrow::Subscribe,
                    },
                    place,
                )),
                Rule::m_hole => {
                    self.missing(&part, Expected::ResourceAfterArrow);
                    failed = true;
                }
                _ => {
                    let code = part.as_str().trim_start();
                    self.mark(&part);
                    let start = part.as_span().end() - code.len();
                    let place = self.span(start, start + hints::token(code, 0).len());
                    self.needs_compiler(place, "an expression");
                    failed = true;
                }
            }
        }
        if !uncompiled.is_empty() {
            uncompiled.extend(operands.into_iter().filter_map(names_of_resource));
            uncompiled.extend(references.into_iter().filter_map(names_of_reference));
            return Statement::Uncompiled(uncompiled, span);
        }
        if failed {
            return Statement::Error(span);
        }
        if arrows.is_empty() {
            if let Some(reference) = references.first() {
                self.error(
                    Code::Syntax,
                    reference.span,
                    "a reference alone declares nothing",
                    "put it on an arrow, as in `File['/a'] -> Service['b']`, or declare the resource: `file { '/a': }`",
                );
            }
            return operands.into_iter().next().unwrap_or(Statement::Error(span));
        }
        let mut references = references.into_iter();
        let mut ends = Vec::new();
        for operand in operands {
            match operand {
                Statement::Resource(resource) => ends.push(ChainOperand::Resource(resource)),
                Statement::Defaults(defaults) => {
                    self.error(
                        Code::Syntax,
                        defaults.span,
                        "resource defaults are not allowed next to an arrow",
                        "arrows join declarations and references like `File['/a']`",
                    );
                    return Statement::Error(span);
                }
                _ => ends.extend(references.next().map(ChainOperand::References)),
            }
        }
        Statement::Chain(ends, arrows, span)
    }

    /// Builds an `m_resource`.
    pub(super) fn resource(&mut self, pair: P<'_>) -> ResourceDecl {
        let span = self.span_of(&pair);
        let mut decl = ResourceDecl { type_name: Ident { name: "".into(), span }, bodies: Vec::new(), span };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::m_virtual => {
                    let place = self.span_of(&part);
                    let what = if part.as_str() == "@" { "a virtual resource" } else { "an exported resource" };
                    self.needs_compiler(place, what);
                }
                Rule::m_type => {
                    decl.type_name = self.ident(&part);
                    decl.type_name.name = decl.type_name.name.trim_start_matches("::").into();
                    if decl.type_name.name == "class" {
                        let place = decl.type_name.span;
                        self.needs_compiler(place, "a class");
                        return decl;
                    }
                }
                Rule::m_capital => {
                    let mut name = self.ident(&part);
                    let lower = name.name.trim_start_matches("::").to_lowercase();
                    self.error(
                        Code::Syntax,
                        name.span,
                        format!("a resource is declared with the name of its type in lower case, not `{}`", name.name),
                        format!("write `{lower} {{ … }}`; `{} {{ … }}` without a title sets defaults", name.name),
                    );
                    name.name = lower.into();
                    decl.type_name = name;
                }
                Rule::m_body => {
                    if let Some(body) = self.resource_body(part) {
                        decl.bodies.push(body);
                    }
                }
                Rule::unclosed => self.unclosed(&part),
                _ => {
                    let text = self.text();
                    let start = part.as_span().start();
                    if !self.is_follow_up(start, part.as_span().end()) {
                        let diagnostic = hints::resource_junk(text, start, |a, b| self.span(a, b));
                        self.push(diagnostic);
                    }
                }
            }
        }
        decl
    }

    fn resource_body(&mut self, pair: P<'_>) -> Option<ResourceBody> {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let first_start = first.as_span().start();
        let first_text = first.as_str().to_owned();
        let title = self.puppet(first);
        let mut attributes = Vec::new();
        let mut after_title = false;
        let mut untitled = false;
        for part in parts {
            match part.as_rule() {
                Rule::m_no_colon => {
                    after_title = true;
                    let at = part.as_span().start();
                    let next = hints::token(self.text(), at);
                    let before = self.text().get(..first_start).unwrap_or("").trim_end();
                    if next == "=>" && before.ends_with(';') {
                        untitled = true;
                        let place = self.span(before.len() - 1, before.len());
                        self.error(
                            Code::Syntax,
                            place,
                            format!("`;` ends the resource before `{first_text}`"),
                            "separate attributes with commas",
                        );
                        self.bad_until = Some(at);
                        continue;
                    }
                    if next == "=>" {
                        untitled = true;
                        let place = title.span;
                        self.error(
                            Code::Syntax,
                            place,
                            "this resource has no title",
                            format!("a title and a colon come first: `{{ 'title': {first_text} => … }}`"),
                        );
                        self.bad_until = Some(at);
                        continue;
                    }
                    let at = first_start + first_text.len();
                    if self.is_follow_up(at, at) {
                        continue;
                    }
                    let rest = self.text().get(at..).unwrap_or("");
                    let more = rest.find([' ', '\n', ',', ';', '}', '{']).unwrap_or(rest.len());
                    let (glued, colon) = rest.get(..more).map_or(("", ""), |text| text.split_at(text.trim_end_matches(':').len()));
                    if !glued.is_empty() {
                        let written = format!("{first_text}{glued}");
                        let place = self.span(first_start, at + glued.len());
                        self.bad_until = Some(at + more);
                        self.error(Code::Syntax, place, format!("`{written}` needs quotes"), format!("write `'{written}'{colon}`"));
                        continue;
                    }
                    let place = self.span(first_start, at);
                    self.bad_until = Some(at);
                    self.error(Code::Syntax, place, "missing colon after the title", format!("write `{}:`", hints::one_line(&first_text)));
                }
                Rule::m_attribute => attributes.extend(self.attribute(part)),
                Rule::missing_comma => self.missing_comma(&part),
                _ => {
                    if after_title {
                        self.mark(&part);
                    } else {
                        self.junk(&part, Expected::AttributeOrNextBody);
                    }
                }
            }
        }
        (!untitled).then_some(ResourceBody { title, attributes, span })
    }

    fn attribute(&mut self, pair: P<'_>) -> Option<AttributeDecl> {
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let mut name = self.ident(&first);
        name.name = name.name.trim_matches(['\'', '"']).into();
        let mut value: Option<PuppetExpr> = None;
        // `true` if the part is another value for the previous attribute rather than an attribute.
        let mut is_value = false;
        for part in parts {
            let place = self.span_of(&part);
            match part.as_rule() {
                Rule::m_arrow => {}
                Rule::m_bad_arrow => self.error(
                    Code::HashRocketOption,
                    place,
                    format!("an attribute is given with `=>`, not `{}`", part.as_str()),
                    format!("write `{} => …`", name.name),
                ),
                Rule::m_no_arrow if self.text().get(part.as_span().start()..).is_some_and(|rest| rest.starts_with('[')) => {
                    self.mark(&part);
                    self.error(Code::Syntax, name.span, "several values need brackets", format!("write a list: `[…, {}[…]]`", name.name));
                    self.bad_until = Some(self.text().len().min(part.as_span().start() + 1));
                    is_value = true;
                }
                Rule::m_no_arrow => {
                    self.missing(&part, Expected::RocketAfter(&name.name));
                }
                Rule::m_hole => {
                    self.missing(&part, Expected::ValueFor(&name.name));
                    value = Some(PuppetExpr { kind: PuppetValue::Error, span: place });
                }
                Rule::m_tail => value = Some(self.tail(value, &part)),
                Rule::m_attribute_junk if is_value => self.mark(&part),
                Rule::m_attribute_junk => {
                    let text = part.as_str();
                    let bare = value.as_ref().map(|v| self.source.slice(v.span).to_owned());
                    let bare = bare.filter(|bare| bare.starts_with(|c: char| c.is_ascii_lowercase()) && text.starts_with(':'));
                    match (bare, value.as_mut()) {
                        // An unquoted URL, as in `puppet:///modules/x`.
                        (Some(bare), Some(value)) => {
                            let glued = text.split([' ', '\n']).next().unwrap_or("");
                            self.mark(&part);
                            let span = Span::new(value.span.start, place.start + glued.len() as u32);
                            self.error(Code::Syntax, span, format!("`{bare}{glued}` needs quotes"), format!("write `'{bare}{glued}'`"));
                            value.kind = PuppetValue::Error;
                        }
                        _ => self.junk(&part, Expected::AttributeEnd),
                    }
                }
                _ => value = Some(self.puppet(part)),
            }
        }
        if is_value {
            return None;
        }
        let span = name.span;
        Some(AttributeDecl { name, value: value.unwrap_or(PuppetExpr { kind: PuppetValue::Error, span }) })
    }

    fn reference_or_defaults(&mut self, pair: P<'_>) -> Option<Named> {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let mut type_name = self.ident(&first);
        type_name.name = type_name.name.trim_start_matches("::").to_lowercase().into();
        let second = parts.next()?;
        match second.as_rule() {
            Rule::m_defaults => {
                let mut attributes = Vec::new();
                for part in second.into_inner() {
                    match part.as_rule() {
                        Rule::m_attribute => attributes.extend(self.attribute(part)),
                        Rule::missing_comma => self.missing_comma(&part),
                        Rule::unclosed => self.unclosed(&part),
                        _ => self.junk(&part, Expected::Attribute),
                    }
                }
                Some(Named::Defaults(DefaultsDecl { type_name, attributes, span }))
            }
            Rule::m_titles => {
                let span = type_name.span.to(self.span_of(&second));
                let titles = self.puppet_list(second);
                if let Some(rest) = parts.next() {
                    self.mark(&rest);
                    self.needs_compiler(span, "an override of a declared resource");
                    return Some(Named::Uncompiled(Uncompiled { type_name, titles, attributes: self.mentions(rest) }));
                }
                Some(Named::Reference(PuppetExpr { kind: PuppetValue::Reference(type_name, titles), span }))
            }
            _ => {
                self.mark(&second);
                self.needs_compiler(span, "a collector");
                Some(Named::Uncompiled(Uncompiled { type_name, titles: Vec::new(), attributes: self.mentions(second) }))
            }
        }
    }

    /// Returns the attributes that a collector compares, or that a collector or an override sets.
    fn mentions(&self, pair: P<'_>) -> Vec<Ident> {
        pair.into_inner().filter(|part| part.as_rule() == Rule::m_mention).map(|part| self.ident(&part)).collect()
    }
}
