//! Evaluates constant expressions: arguments and options of directives, constants.

use super::block::Bindings;
use super::expr::is_constant;
use super::names::Names;
use super::{NameKind, Sink, datatype};
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::source::Span;
use crate::syntax::ast::{Call, Expr, ExprKind, RegexLit, StrLit, UnaryOp};
use crate::value::{EcoString, Map, Regex, ResourceRef, Symbol, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The maximum depth of constants that refer to each other.
const MAX_DEPTH: u32 = 64;

/// Evaluates literals with constants and the parameters of the enclosing kind.
#[derive(Clone, Copy)]
pub(super) struct Literals<'a> {
    pub names: &'a Names<'a>,
    pub bindings: &'a Bindings,
    pub sink: &'a Sink,
}

impl Literals<'_> {
    /// Returns the value of a literal, and reports any other expression.
    pub fn value(&self, expr: &Expr) -> Option<Value> {
        self.at_depth(expr, 0)
    }

    fn at_depth(&self, expr: &Expr, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            self.sink.error(Code::NestingTooDeep, expr.span, "these constants name each other without end");
            return None;
        }
        self.sink.count_values(1, expr.span)?;
        Some(match &expr.kind {
            ExprKind::Nil => Value::Nil,
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Int(n) => Value::Int(*n),
            ExprKind::Float(n) => Value::Float(*n),
            ExprKind::Str(s) => Value::Str(self.text(s)?),
            ExprKind::Symbol(s) => Value::sym(s.clone()),
            ExprKind::Words(words) => Value::array(words.iter().map(|w| Value::str(w.clone()))),
            ExprKind::Regex(r) => Value::Regex(self.regex(r, expr.span)?),
            ExprKind::Array(items) => self.list(items, depth)?,
            ExprKind::Map(pairs) => {
                duplicate_keys(pairs, self.sink);
                let mut map = Map::new();
                for (k, v) in pairs {
                    map.insert(self.at_depth(k, depth + 1)?, self.at_depth(v, depth + 1)?);
                }
                Value::Map(Arc::new(map))
            }
            ExprKind::Paren(inner) => self.at_depth(inner, depth + 1)?,
            ExprKind::Unary(UnaryOp::Minus, inner) => match self.at_depth(inner, depth + 1)? {
                Value::Int(n) => Value::Int(n.checked_neg()?),
                Value::Float(n) => Value::Float(-n),
                _ => return self.not_literal(expr.span),
            },
            // In a directive a bare word is a parameter of the kind, a constant, a string if it is capitalized, or else a symbol.
            ExprKind::Word(w) => match self.bindings.get(w) {
                Some(bound) => {
                    self.sink.refer(NameKind::Local, expr.span, bound.span);
                    bound.value.clone()
                }
                None if w.starts_with(|c: char| c.is_uppercase()) => match self.names.consts.get(w.as_str()) {
                    Some(c) => {
                        self.sink.refer(NameKind::Constant, expr.span, c.name.span);
                        self.at_depth(&c.value, depth + 1)?
                    }
                    None => match self.names.misspelt_constant(w, expr.span) {
                        Some(_) => return self.unknown_constant(w, expr.span),
                        None => Value::str(w.clone()),
                    },
                },
                None => Value::sym(w.clone()),
            },
            ExprKind::Splat(name) => self.named(&name.name, name.span, depth)?,
            ExprKind::Name(n) => self.named(n, expr.span, depth)?,
            ExprKind::Index(head, items) => {
                let ExprKind::Name(type_name) = &head.kind else {
                    return self.not_literal(expr.span);
                };
                if self.is_data_type(type_name) {
                    return self.data_type(expr).map(|t| Value::Type(Arc::new(t)));
                }
                let [title] = items.as_slice() else {
                    return self.not_literal(expr.span);
                };
                let title = self.at_depth(title, depth + 1)?.to_text();
                self.sink.refer_type(&type_name.to_lowercase(), head.span, self.names);
                Value::Resource(Arc::new(ResourceRef { type_name: type_name.to_lowercase().as_str().into(), title }))
            }
            ExprKind::Call(call) => self.range(call, depth)?.or_else(|| self.not_literal(expr.span))?,
            ExprKind::Error => return None,
            _ => return self.not_literal(expr.span),
        })
    }

    fn list(&self, items: &[Expr], depth: u32) -> Option<Value> {
        let mut values = Vec::new();
        for item in items {
            match (&item.kind, self.at_depth(item, depth + 1)?) {
                (ExprKind::Splat(_), Value::Array(inner)) => {
                    self.sink.count_values(inner.len(), item.span)?;
                    values.extend(inner.iter().cloned());
                }
                (_, value) => values.push(value),
            }
        }
        Some(Value::array(values))
    }

    /// Returns the value of `range(1, 9)`, which is a literal in this syntax; `Some(None)` for other calls.
    fn range(&self, call: &Call, depth: u32) -> Option<Option<Value>> {
        let (true, None, [first, last, rest @ ..]) = (call.name.name == "range", &call.closure, call.args.as_slice()) else {
            return Some(None);
        };
        let (first, last) = (self.at_depth(first, depth + 1)?, self.at_depth(last, depth + 1)?);
        let excludes = match rest {
            [] => false,
            [excludes] => self.at_depth(excludes, depth + 1)?.is_truthy(),
            _ => return Some(None),
        };
        Some(crate::eval::range(&first, &last, excludes))
    }

    /// Returns `true` if this is the name of a parameter or constant.
    pub fn is_bound(&self, name: &str) -> bool {
        self.bindings.contains_key(name) || self.names.consts.contains_key(name)
    }

    /// Returns `true` if this is the name of a built-in data type or an alias.
    pub(super) fn is_data_type(&self, name: &str) -> bool {
        datatype::is_data_type(name) || self.names.aliases.contains_key(name)
    }

    fn named(&self, name: &str, span: Span, depth: u32) -> Option<Value> {
        if let Some(bound) = self.bindings.get(name) {
            self.sink.refer(NameKind::Local, span, bound.span);
            return Some(bound.value.clone());
        }
        if let Some(constant) = self.names.consts.get(name) {
            self.sink.refer(NameKind::Constant, span, constant.name.span);
            return self.at_depth(&constant.value, depth + 1);
        }
        if self.is_data_type(name) {
            return self.named_type(name, &[], span, 0).map(|t| Value::Type(Arc::new(t)));
        }
        self.unknown_constant(name, span)
    }

    /// Reports a name that is neither a constant nor a parameter.
    pub(super) fn unknown_constant<T>(&self, name: &str, span: Span) -> Option<T> {
        let d = Diagnostic::new(Code::UnknownName, span, format!("unknown constant `{name}`"));
        self.names.refer_similar(name, span, self.sink);
        let help = match nearest(name, self.names.consts_outside(span)) {
            Some(near) if self.names.misspelt_constant(name, span).is_some() => {
                Help::suggestion(near).or_else(format!("For the text, write `\"{name}\"`"))
            }
            Some(near) => Help::suggestion(near),
            None if is_constant(name) => format!("declare it at the top level of the file: `const {name} = …`").into(),
            None => format!("for the text, write `\"{name}\"`; for the symbol, write `:{name}`").into(),
        };
        self.sink.report(d.help(help));
        None
    }

    fn not_literal(&self, span: Span) -> Option<Value> {
        let d = Diagnostic::new(Code::NotAllowedHere, span, "expected a literal: no code runs while a type is loaded");
        self.sink.report(d.help("write the value itself, or compute it in a block `{ … }`"));
        None
    }

    /// Returns the content of a string, and reports interpolation.
    pub fn text(&self, s: &StrLit) -> Option<EcoString> {
        let plain = s.plain();
        if plain.is_none() {
            let d = Diagnostic::new(Code::NotAllowedHere, s.span, "nothing can be interpolated here: loading a type runs no code");
            self.sink.report(d.help("write the text itself, or compute it in a block `{ … }`"));
        }
        plain
    }

    /// Returns a string argument, such as the argument of `desc`, and reports any other value.
    pub fn string(&self, expr: &Expr, what: &str) -> Option<EcoString> {
        match self.value(expr)? {
            Value::Str(s) => Some(s),
            other => {
                let message = format!("{what} must be a string, not {}", other.kind_name());
                let d = Diagnostic::new(Code::WrongArgument, expr.span, message);
                self.sink.report(d.help("put it in quotes"));
                None
            }
        }
    }

    /// Compiles a regex, and reports a malformed regex at the wrong part.
    pub fn regex(&self, literal: &RegexLit, span: Span) -> Option<Arc<Regex>> {
        compile(literal, span, self.sink)
    }
}

/// Compiles a regex literal, and reports errors at the wrong part of the pattern.
pub(super) fn compile(literal: &RegexLit, span: Span, sink: &Sink) -> Option<Arc<Regex>> {
    match sink.regexes.get(&literal.source, literal.flags) {
        Ok(regex) => Some(regex),
        Err(bad) => {
            let at = bad.range.map_or(span, |r| {
                let start = literal.source_span.start;
                Span::new(start + r.start as u32, (start + r.end as u32).min(literal.source_span.end))
            });
            let at = if at.is_empty() { span } else { at };
            let d = Diagnostic::new(Code::BadRegex, at, format!("this regex cannot be used: {}", bad.message));
            sink.report(d.help("escape special characters with a backslash: `\\(`, `\\[`, `\\*`"));
            None
        }
    }
}

/// Reports duplicate keys in a map.
pub(super) fn duplicate_keys(pairs: &[(Expr, Expr)], sink: &Sink) {
    let mut seen: HashMap<Value, Span> = HashMap::new();
    for (key, _) in pairs {
        let value = match &key.kind {
            ExprKind::Symbol(name) => Some(Value::sym(name.clone())),
            ExprKind::Str(text) => text.plain().map(Value::str),
            ExprKind::Int(number) => Some(Value::Int(*number)),
            _ => None,
        };
        match value.map(|value| seen.entry(value)) {
            Some(Entry::Occupied(first)) => {
                let d = Diagnostic::new(Code::DuplicateItem, key.span, "duplicate key in a map");
                sink.report(d.also(*first.get(), "first used here").help("remove one of the two"));
            }
            Some(Entry::Vacant(new)) => {
                new.insert(key.span);
            }
            None => {}
        }
    }
}

/// Converts an allowed value to a symbol. As in Puppet, strings, numbers and booleans are converted alike.
pub(super) fn as_symbol(value: &Value) -> Symbol {
    Symbol::from(value.to_text())
}
