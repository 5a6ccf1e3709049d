//! The values of expressions without variables and calls of functions.

use crate::syntax::tree::{Expression, ExpressionKind, FunctionCall, HashEntry, IndexAccess, Segment, UnaryOperator};
use ecow::EcoString;
use rtype_lang::diagnostics::Redactions;
use rtype_lang::value::{Map, ResourceRef, Symbol, Value};
use rtype_model::manifest::PartSpans;
use std::sync::Arc;

/// Returns the value of an expression: [`Value::Unknown`] if only a compiler can compute it, a list or map with unknown elements if it can
/// compute only some. Adds the locations of `Sensitive(…)` to `secrets`.
pub fn value(expression: &Expression, secrets: &Redactions) -> Value {
    match &expression.kind {
        ExpressionKind::Undef => Value::Nil,
        ExpressionKind::Boolean(is_true) => Value::Bool(*is_true),
        ExpressionKind::Integer { value, .. } => Value::Int(*value),
        ExpressionKind::Float(number) => Value::Float(*number),
        ExpressionKind::Text(text) | ExpressionKind::Name(text) => Value::Str(text.clone()),
        ExpressionKind::Interpolated(segments) => text_of(segments).map_or(Value::Unknown, Value::Str),
        ExpressionKind::Heredoc(heredoc) => value(&heredoc.text, secrets),
        ExpressionKind::Paren(inner) => value(inner, secrets),
        ExpressionKind::Array(items) => list(items, secrets),
        ExpressionKind::Hash(entries) => map(entries, secrets),
        ExpressionKind::Unary(UnaryOperator::Minus, inner) => negated(&value(inner, secrets)),
        ExpressionKind::Call(call) => sensitive(call, secrets),
        _ => Value::Unknown,
    }
}

/// Returns the resources of `require`, `before`, `notify` or `subscribe`: references with titles that are known.
pub fn references(expression: &Expression, secrets: &Redactions) -> Value {
    let expressions = match &expression.kind {
        ExpressionKind::Array(items) => items.as_slice(),
        _ => std::slice::from_ref(expression),
    };
    let found: Option<Vec<_>> = expressions.iter().map(|one| referred(one, secrets)).collect();
    found.map_or(Value::Unknown, |found| Value::array(found.concat()))
}

/// Returns the locations of the elements of an array or a hash.
pub fn parts(expression: &Expression) -> Option<PartSpans> {
    match &expression.kind {
        ExpressionKind::Array(items) => Some(PartSpans::new(items.iter().map(|item| (item.span, item.span, parts(item))))),
        ExpressionKind::Hash(entries) => Some(PartSpans::new(entries.iter().map(|e| (e.key.span, e.value.span, parts(&e.value))))),
        _ => None,
    }
}

fn text_of(segments: &[Segment]) -> Option<EcoString> {
    let text = |segment: &Segment| match segment {
        Segment::Text(text) => Some(text.clone()),
        Segment::Value(_) => None,
    };
    segments.iter().map(text).collect::<Option<Vec<_>>>().map(|all| all.concat().into())
}

/// Unfolded lists have an unknown number of elements.
fn list(items: &[Expression], secrets: &Redactions) -> Value {
    let is_unfolded = |item: &Expression| matches!(item.kind, ExpressionKind::Unary(UnaryOperator::Splat, _));
    let values: Vec<_> = items.iter().map(|item| value(item, secrets)).collect();
    if items.iter().any(is_unfolded) { Value::Unknown } else { Value::array(values) }
}

fn map(entries: &[HashEntry], secrets: &Redactions) -> Value {
    let pairs: Map = entries.iter().map(|entry| (value(&entry.key, secrets), value(&entry.value, secrets))).collect();
    if pairs.keys().any(Value::has_unknown) { Value::Unknown } else { Value::Map(Arc::new(pairs)) }
}

fn negated(number: &Value) -> Value {
    match number {
        Value::Int(number) => number.checked_neg().map_or(Value::Unknown, Value::Int),
        Value::Float(number) => Value::Float(-number),
        _ => Value::Unknown,
    }
}

fn sensitive(call: &FunctionCall, secrets: &Redactions) -> Value {
    match (&call.function.kind, call.arguments.as_slice()) {
        (ExpressionKind::TypeName(name), [secret]) if name == "Sensitive" => {
            secrets.add(secret.span);
            Value::Sensitive(Arc::new(value(secret, secrets).unwrapped().clone()))
        }
        _ => Value::Unknown,
    }
}

fn referred(expression: &Expression, secrets: &Redactions) -> Option<Vec<Value>> {
    let ExpressionKind::Access(access) = &expression.kind else { return None };
    let IndexAccess { target, keys } = &**access;
    let ExpressionKind::TypeName(type_name) = &target.kind else { return None };
    let type_name = Symbol::from(type_name.to_lowercase());
    let titles = keys.iter().map(|key| match value(key, secrets) {
        Value::Str(title) => Some(vec![title]),
        Value::Array(titles) => titles.iter().map(|title| title.as_text().map(EcoString::from)).collect(),
        _ => None,
    });
    let titles: Vec<EcoString> = titles.collect::<Option<Vec<_>>>()?.concat();
    Some(titles.into_iter().map(|title| Value::Resource(Arc::new(ResourceRef { type_name: type_name.clone(), title }))).collect())
}
