//! Lowers `newvalue`, `newvalues` and `aliasvalue`: the allowed values of an attribute.

use super::NameKind;
use super::block::{Bindings, BlockKind, TypeScope};
use super::directives::{Placed, arity, option, words};
use super::literal::{Literals, as_symbol};
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{Directive, DirectiveBlock, Expr, ExprKind};
use crate::types::{Alias, AllowedValue, Matcher, ValueSet};
use crate::value::{EcoString, Symbol, Value};
use std::collections::{HashMap, HashSet};

impl TypeScope<'_> {
    pub(super) fn literals<'s>(&'s self, bindings: &'s Bindings) -> Literals<'s> {
        Literals { names: self.names, bindings, sink: self.sink }
    }

    /// Lowers `newvalue x, event: e { … }` and `newvalues a, b, /re/, *LIST, message: …`.
    pub(super) fn new_values(&self, placed: &Placed<'_>, set: &mut ValueSet) {
        let directive = placed.directive;
        let single = directive.name.name == "newvalue";
        let literals = self.literals(&placed.bindings);
        if single && !arity(directive, 1, 1, "newvalue present { … }", self.sink) {
            return;
        }
        if !single && directive.args.is_empty() {
            arity(directive, 1, usize::MAX, "newvalues present, absent", self.sink);
        }
        let event = option(&directive.options, "event").and_then(|e| literals.value(e)).map(|v| as_symbol(&v));
        let required_features = self.feature_list(option(&directive.options, "required_features"));
        let invalidate_refreshes =
            option(&directive.options, "invalidate_refreshes").and_then(|e| literals.value(e)).is_some_and(|v| v.is_truthy());
        let action = match &directive.block {
            Some(DirectiveBlock::Code(closure)) if single => Some(self.block(closure, BlockKind::NEWVALUE, &placed.bindings)),
            _ => None,
        };
        let key = |matcher: &Matcher| match matcher {
            Matcher::Literal(symbol) => (false, symbol.to_string()),
            Matcher::Regex(regex) => (true, regex.to_string()),
        };
        let mut places: HashMap<(bool, String), usize> = set.values.iter().enumerate().map(|(i, v)| (key(&v.matcher), i)).collect();
        let mut replaced: HashSet<usize> = HashSet::new();
        for argument in &directive.args {
            let Some(value) = literals.value(argument) else {
                continue;
            };
            if value_name(argument).is_some_and(|name| !literals.is_bound(&name)) {
                self.sink.define(NameKind::Value, argument.span);
            }
            let members = match (&argument.kind, value) {
                (ExprKind::Splat(_) | ExprKind::Words(_), Value::Array(values)) => values.iter().cloned().collect(),
                (_, value @ (Value::Array(_) | Value::Map(_))) => {
                    let message = format!("a value is a word, a string, a number or a regex, not {}", value.kind_name());
                    let d = Diagnostic::new(Code::WrongArgument, argument.span, message);
                    self.sink.report(d.help("leave out the brackets, or put `*` before a const's name"));
                    continue;
                }
                (_, value) => vec![value],
            };
            for member in members {
                let matcher = match member {
                    Value::Nil => {
                        self.nil_value(argument);
                        continue;
                    }
                    Value::Regex(r) => Matcher::Regex(r),
                    other => Matcher::Literal(as_symbol(&other)),
                };
                let key = key(&matcher);
                let older = places.insert(key.clone(), set.values.len());
                if let Some((place, first)) = older.and_then(|place| Some((place, set.values.get(place)?))) {
                    if first.span != argument.span {
                        let shown = &key.1;
                        self.sink.report(
                            Diagnostic::new(Code::DuplicateValue, argument.span, format!("the value `{shown}` is listed twice"))
                                .also(first.span, "first here")
                                .help("delete one of them"),
                        );
                    }
                    // As in Puppet the later value wins, so that an attribute can add a block to its kind's value.
                    replaced.insert(place);
                }
                set.values_mut().push(AllowedValue {
                    matcher,
                    span: argument.span,
                    event: event.clone(),
                    required_features: required_features.clone(),
                    invalidate_refreshes,
                    action: action.clone(),
                });
            }
        }
        if !replaced.is_empty() {
            let mut place = 0..;
            set.values_mut().retain(|_| place.next().is_none_or(|place| !replaced.contains(&place)));
        }
    }

    /// Lowers `aliasvalue installed, present`. The target is checked once all values are known.
    pub(super) fn alias_value(&self, placed: &Placed<'_>, set: &mut ValueSet) {
        let directive = placed.directive;
        if !arity(directive, 2, 2, "aliasvalue installed, present", self.sink) {
            return;
        }
        let literals = self.literals(&placed.bindings);
        let [name, target] = directive.args.as_slice() else {
            return;
        };
        if let (Some(alias), Some(value)) = (literals.value(name), literals.value(target)) {
            if let Some((nil, _)) = [(name, &alias), (target, &value)].into_iter().find(|(_, v)| v.is_nil()) {
                self.nil_value(nil);
                return;
            }
            self.sink.define(NameKind::Value, name.span);
            let (name_span, span) = (name.span, directive.span);
            set.aliases_mut().push(Alias { name: as_symbol(&alias), target: as_symbol(&value), name_span, span });
        }
    }

    /// Reports `nil` as an allowed value: nil means an unset attribute, so it is never looked up.
    fn nil_value(&self, expr: &Expr) {
        let d = Diagnostic::new(Code::WrongArgument, expr.span, "`nil` is not a value: it means that the attribute is not given");
        self.sink.report(d.help("remove it: an attribute may always be omitted; for the string write `\"nil\"`"));
    }

    /// Checks that every alias refers to a literal, and is neither an allowed value nor another alias.
    pub(super) fn check_aliases(&self, directives: &[Placed<'_>], set: &ValueSet) {
        let spans: HashMap<_, _> = directives.iter().filter_map(|p| Some((p.directive.span, p.directive.args.get(1)?.span))).collect();
        let target_span = |alias: &Alias| spans.get(&alias.span).copied().unwrap_or(alias.span);
        let mut literals: HashMap<&str, Span> = HashMap::new();
        for value in &set.values {
            if let Matcher::Literal(name) = &value.matcher {
                literals.entry(name.as_str()).or_insert(value.span);
            }
        }
        let mut earlier: HashMap<&str, Span> = HashMap::new();
        for alias in &set.aliases {
            let target = alias.target.as_str();
            let literal = literals.get(target).copied();
            self.sink.refer(NameKind::Value, target_span(alias), literal.unwrap_or_else(|| set.span_of(target)));
            if literal.is_none() {
                if let Some(v) = set.values.iter().find(|v| matches!(&v.matcher, Matcher::Regex(r) if r.is_match(target))) {
                    self.sink.report(
                        Diagnostic::new(
                            Code::AliasToRegexMatch,
                            target_span(alias),
                            format!("`{target}` is matched only by a regex, not listed as a literal value"),
                        )
                        .also(v.span, "this regex")
                        .help(format!("add `{target}` to `newvalues`: aliases can only refer to literals")),
                    );
                } else {
                    let known: Vec<_> = set.literals().map(Symbol::as_str).collect();
                    self.sink.report(
                        Diagnostic::new(
                            Code::AliasUnknownValue,
                            target_span(alias),
                            format!("alias `{}` refers to `{target}`, which is not an allowed value", alias.name),
                        )
                        .maybe_help(
                            did_you_mean(target, known.iter().copied())
                                .or(Some("the attribute has no values; list them with `newvalues`".into()).filter(|_| known.is_empty())),
                        ),
                    );
                }
            }
            if let Some(value) = literals.get(alias.name.as_str()) {
                self.sink.report(
                    Diagnostic::new(
                        Code::AliasConflict,
                        alias.span,
                        format!("`{}` is already an allowed value and cannot also be an alias", alias.name),
                    )
                    .also(*value, "the value"),
                );
            }
            let first = *earlier.entry(alias.name.as_str()).or_insert(alias.span);
            if first != alias.span {
                self.sink.report(
                    Diagnostic::new(Code::AliasConflict, alias.span, format!("the alias `{}` is given twice", alias.name))
                        .also(first, "first here"),
                );
            }
        }
    }

    /// Returns the names in `required_features: x` or `[x, y]`, and reports features that the type does not declare.
    pub(super) fn feature_list(&self, value: Option<&Expr>) -> Vec<Symbol> {
        let Some(value) = value else {
            return Vec::new();
        };
        let named = words(value, "a feature's name", self.sink);
        for (name, span) in &named {
            self.check_feature(name, *span);
        }
        named.into_iter().map(|(n, _)| Symbol::from(n)).collect()
    }

    pub(super) fn check_feature(&self, name: &str, span: crate::source::Span) {
        if let Some(declared) = self.features.get(name) {
            return self.sink.refer(NameKind::Feature, span, *declared);
        }
        if self.open {
            return;
        }
        let d = Diagnostic::new(Code::FeatureUndeclared, span, format!("unknown feature `{name}`"));
        let help = did_you_mean(name, self.features.keys().map(EcoString::as_str));
        self.sink.report(d.help(help.unwrap_or_else(|| format!("declare it: `feature {name}, \"what it means\"`").into())));
    }
}

/// Returns the name of a value if the argument is only a name.
pub(super) fn value_name(argument: &Expr) -> Option<EcoString> {
    match &argument.kind {
        ExprKind::Word(name) | ExprKind::Symbol(name) => Some(name.clone()),
        ExprKind::Bool(truth) => Some(if *truth { "true".into() } else { "false".into() }),
        ExprKind::Str(text) => text.plain(),
        _ => None,
    }
}

/// Returns `true` if a directive adds `false` to an attribute's values.
pub(super) fn lists_false(directive: &Directive, literals: &Literals<'_>) -> bool {
    matches!(directive.name.name.as_str(), "newvalue" | "newvalues")
        && directive.args.iter().any(|a| match &a.kind {
            ExprKind::Bool(false) => true,
            ExprKind::Word(w) | ExprKind::Symbol(w) => w == "false",
            ExprKind::Splat(_) => matches!(literals.value(a), Some(Value::Array(v)) if v.iter().any(|v| v.to_text() == "false")),
            _ => false,
        })
}
