//! Expressions: assignments, values, queries and attributes.

use super::super::token::TokenKind;
use super::super::tree::{
    AttributeOperation, Binary, CollectorExpression, Expression, ExpressionKind, HashEntry, ResourceForm, UnaryOperator,
};
use super::Validator;
use super::effect::describe;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::value::{Flags, Regex};
use std::collections::HashSet;

pub(super) fn is_assignment(operator: TokenKind) -> bool {
    matches!(operator, TokenKind::Assign | TokenKind::Append | TokenKind::Delete)
}

fn is_relationship(operator: TokenKind) -> bool {
    matches!(operator, TokenKind::Before | TokenKind::Notify | TokenKind::Require | TokenKind::Subscribe)
}

/// Returns `true` for `0`, numbers without a zero at the start, and names whose segments begin with a lower-case letter (the last also with `_`).
fn is_variable_name(name: &str) -> bool {
    if name.bytes().all(|b| b.is_ascii_digit()) {
        return name == "0" || !name.is_empty() && !name.starts_with('0');
    }
    let (first, last) =
        name.strip_prefix("::").unwrap_or(name).rsplit_once("::").map_or((None, name.trim_start_matches("::")), |(f, l)| (Some(f), l));
    let is_segment = |s: &str| s.starts_with(|c: char| c.is_ascii_lowercase()) && s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    first.is_none_or(|f| f.split("::").all(is_segment))
        && (is_segment(last) || last.strip_prefix('_').is_some_and(|l| l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')))
}

impl Validator {
    /// Checks one expression. Its operands are checked separately.
    pub(super) fn check(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Binary(binary) => self.binary(binary),
            ExpressionKind::Unary(_, inner) | ExpressionKind::Paren(inner) => self.value(inner),
            ExpressionKind::Array(elements) => elements.iter().for_each(|e| self.value(e)),
            ExpressionKind::Hash(entries) => self.hash(entries),
            ExpressionKind::Variable(name) => self.variable(expression.span, name),
            ExpressionKind::Reserved(word) => {
                let found = Diagnostic::new(Code::Syntax, expression.span, format!("`{word}` is a reserved word"));
                self.report(found.help("quote the word").fix("quote the word", expression.span, format!("'{word}'")));
            }
            ExpressionKind::Pattern(pattern) => {
                if let Err(problem) = Regex::new(pattern, Flags { is_ruby: true, ..Flags::default() }) {
                    self.error(expression.span, format!("invalid regex: {problem}"));
                }
            }
            ExpressionKind::Call(call) => self.called(&call.function),
            ExpressionKind::Selector(selector) => {
                self.value(&selector.subject);
                selector.entries.iter().for_each(|e| self.value(&e.key));
                self.defaults(selector.entries.iter().map(|e| &e.key));
            }
            ExpressionKind::Case(case) => {
                self.value(&case.subject);
                let values = || case.options.iter().flat_map(|o| &o.values);
                values().for_each(|v| self.value(v));
                self.defaults(values());
            }
            ExpressionKind::If(conditional) => conditional.branches.iter().for_each(|b| self.value(&b.condition)),
            ExpressionKind::Collector(collector) => self.collector(collector),
            ExpressionKind::Node(node) => self.node(node),
            ExpressionKind::TypeAlias(alias) => self.type_alias(alias),
            kind => self.resources(expression, kind),
        }
    }

    fn resources(&mut self, expression: &Expression, kind: &ExpressionKind) {
        match kind {
            ExpressionKind::Resource(resource) => {
                let is_class = matches!(&resource.kind.kind, ExpressionKind::Name(name) if name == "class");
                if is_class && resource.form != ResourceForm::Regular {
                    self.error(expression.span, "classes cannot be virtual or exported");
                }
                for body in &resource.bodies {
                    self.attributes(&body.attributes, Some("a resource"));
                    let mut splats = body.attributes.iter().filter(|a| a.name.is_none());
                    if let Some(second) = splats.nth(1) {
                        self.error(second.span, "`* =>` is only allowed once per resource");
                    }
                }
            }
            ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => {
                let is_defaults = matches!(kind, ExpressionKind::Defaults(_));
                self.attributes(&settings.attributes, is_defaults.then_some("defaults"));
                if settings.form != ResourceForm::Regular {
                    let what = if is_defaults { "defaults" } else { "overrides" };
                    self.error(expression.span, format!("{what} cannot be virtual or exported"));
                }
            }
            _ => {}
        }
    }

    fn attributes(&mut self, attributes: &[AttributeOperation], refuses_appending: Option<&str>) {
        for attribute in attributes {
            if let (true, Some(owner), Some(name)) = (attribute.appends, refuses_appending, &attribute.name) {
                self.error(attribute.span, format!("`{} +>` is only allowed in overrides and collectors, not in {owner}", name.text));
            }
            self.value(&attribute.value);
        }
    }

    fn binary(&mut self, binary: &Binary) {
        match binary.operator {
            TokenKind::Assign => {
                self.assigned(&binary.left);
                self.value(&binary.right);
            }
            TokenKind::Append | TokenKind::Delete => {
                let operator = if binary.operator == TokenKind::Append { "+=" } else { "-=" };
                let found = Diagnostic::new(Code::Syntax, binary.operator_span, format!("`{operator}` was removed in Puppet 4"));
                self.report(found.help("assign the result of `+` or `-` to another variable"));
            }
            operator if is_relationship(operator) => {
                for side in [&binary.left, &binary.right] {
                    let is_allowed = matches!(side.kind, ExpressionKind::Collector(_));
                    if !is_allowed {
                        self.value(side);
                    }
                }
            }
            _ => {
                self.value(&binary.left);
                self.value(&binary.right);
            }
        }
    }

    fn assigned(&mut self, target: &Expression) {
        match &target.kind {
            ExpressionKind::Variable(name) if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) => {
                self.error(target.span, format!("`${name}` is set by matches and cannot be assigned"));
            }
            ExpressionKind::Variable(name) if name.contains("::") => {
                self.error(target.span, format!("`${name}` belongs to another namespace and cannot be assigned"));
            }
            ExpressionKind::Variable(_) | ExpressionKind::Error => {}
            ExpressionKind::Array(elements) => elements.iter().for_each(|e| self.assigned(e)),
            ExpressionKind::Access(_) => self.error(target.span, "elements of arrays and hashes cannot be assigned"),
            ExpressionKind::Name(name) => {
                let found = Diagnostic::new(Code::Syntax, target.span, format!("`{name}` is not a variable"));
                self.report(found.help(format!("write `${name}`")).unsafe_fix(
                    "add `$`",
                    Span::new(target.span.start, target.span.start),
                    "$",
                ));
            }
            _ => self.error(target.span, format!("this {} cannot be assigned", describe(target))),
        }
    }

    /// Reports expressions that have no value.
    fn value(&mut self, expression: &Expression) {
        if !self.is_complete {
            return;
        }
        match &expression.kind {
            ExpressionKind::Collector(_) | ExpressionKind::Definition(_) | ExpressionKind::Node(_) | ExpressionKind::TypeAlias(_) => {
                self.error(expression.span, format!("this {} has no value", describe(expression)));
            }
            ExpressionKind::Unary(UnaryOperator::Minus | UnaryOperator::Not | UnaryOperator::Splat, inner)
            | ExpressionKind::Paren(inner) => {
                if !matches!(inner.kind, ExpressionKind::Unary(..) | ExpressionKind::Paren(_)) {
                    return;
                }
                self.value(inner);
            }
            _ => {}
        }
    }

    fn variable(&mut self, span: Span, name: &str) {
        // The lexer reported a `$` without a name.
        if name.is_empty() || is_variable_name(name) {
            return;
        }
        let lower = name.to_lowercase();
        let found =
            Diagnostic::new(Code::Syntax, span, format!("invalid variable name `${name}`: segments begin with a lower-case letter"));
        self.report(match is_variable_name(&lower) {
            true => found.help(format!("write `${lower}`")),
            false => found,
        });
    }

    fn called(&mut self, function: &Expression) {
        match &function.kind {
            ExpressionKind::Name(_) | ExpressionKind::TypeName(_) | ExpressionKind::Error | ExpressionKind::Reserved(_) => {}
            ExpressionKind::Access(access) if matches!(access.target.kind, ExpressionKind::TypeName(_)) => {}
            ExpressionKind::RenderText(_) => {
                let found = Diagnostic::new(Code::Syntax, function.span, "the parameters of a template must come before any text");
                self.report(found.help("begin the file with `<%- | … | -%>`"));
            }
            ExpressionKind::Variable(name) => {
                let found = Diagnostic::new(Code::Syntax, function.span, format!("`${name}` is not a function"));
                self.report(found.help(format!("write `call(${name}, …)` to call the function that it names")));
            }
            _ => self.error(function.span, format!("this {} is not a function", describe(function))),
        }
    }

    fn defaults<'t>(&mut self, values: impl Iterator<Item = &'t Expression>) {
        let mut defaults = values.filter(|v| matches!(v.kind, ExpressionKind::Default));
        let first = defaults.next();
        for second in defaults {
            let found = Diagnostic::new(Code::Syntax, second.span, "duplicate `default`");
            self.report(found.also(first.map_or_else(Default::default, |f| f.span), "the first `default`"));
        }
    }

    fn hash(&mut self, entries: &[HashEntry]) {
        let mut keys = HashSet::new();
        for entry in entries {
            self.value(&entry.key);
            self.value(&entry.value);
            let key = match &entry.key.kind {
                ExpressionKind::Text(text) | ExpressionKind::Name(text) => text.to_string(),
                ExpressionKind::Integer { value, .. } => format!("integer {value}"),
                _ => continue,
            };
            if !keys.insert(key) {
                self.warning(entry.key.span, super::DUPLICATE_KEY);
            }
        }
    }

    fn collector(&mut self, collector: &CollectorExpression) {
        if !matches!(collector.kind.kind, ExpressionKind::TypeName(_) | ExpressionKind::Error) {
            let found = Diagnostic::new(
                Code::Syntax,
                collector.kind.span,
                format!("expected a type before the query, found this {}", describe(&collector.kind)),
            );
            self.report(found.help("write a type such as `File <| … |>`"));
        }
        self.attributes(&collector.attributes, None);
        collector.query.iter().for_each(|query| self.query(query));
    }

    /// Queries compare attributes with `==` and `!=`, joined by `and` and `or`.
    fn query(&mut self, query: &Expression) {
        match &query.kind {
            ExpressionKind::Binary(binary) => match binary.operator {
                TokenKind::Equal | TokenKind::NotEqual => {}
                TokenKind::And | TokenKind::Or => {
                    self.query(&binary.left);
                    self.query(&binary.right);
                }
                _ => self.error(binary.operator_span, "queries only allow `==`, `!=`, `and`, `or` and parentheses"),
            },
            ExpressionKind::Paren(inner) => self.query(inner),
            ExpressionKind::Variable(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Integer { .. }
            | ExpressionKind::Float(_)
            | ExpressionKind::Error => {}
            _ => self.error(query.span, "queries only allow `==`, `!=`, `and`, `or` and parentheses"),
        }
    }
}
