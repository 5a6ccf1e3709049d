//! Element locations in lists and maps.

use rtype_lang::data::{DataNode, Kind};
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::{PuppetExpr, PuppetValue};
use rtype_lang::value::{EcoString, PathStep};
use std::collections::HashMap;

/// Locations of list elements, or of map keys and values, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSpans(Vec<PartSpan>);

#[derive(Clone, Debug, PartialEq)]
struct PartSpan {
    key: Span,
    value: Span,
    inner: Option<PartSpans>,
}

impl PartSpans {
    /// Creates the locations of the elements of a list, or of the keys and values of a map. The key of a list's element is the element.
    pub fn new(parts: impl IntoIterator<Item = (Span, Span, Option<PartSpans>)>) -> PartSpans {
        PartSpans(parts.into_iter().map(|(key, value, inner)| PartSpan { key, value, inner }).collect())
    }

    /// Returns the element locations for a value in Puppet's syntax; `None` if the value has no elements.
    pub(super) fn of_expr(expr: &PuppetExpr) -> Option<PartSpans> {
        let part = |key: Span, value: &PuppetExpr| PartSpan { key, value: value.span, inner: PartSpans::of_expr(value) };
        match &expr.kind {
            PuppetValue::Array(items) => Some(PartSpans(items.iter().map(|item| part(item.span, item)).collect())),
            PuppetValue::Hash(pairs) => {
                let text = |key: &PuppetExpr| if let PuppetValue::Str(text) = &key.kind { Some(text.clone()) } else { None };
                Some(PartSpans::of_pairs(pairs.iter().map(|(key, value)| (text(key), part(key.span, value)))))
            }
            _ => None,
        }
    }

    /// Returns the element locations for a JSON or YAML value; `None` if the value has no elements.
    pub(super) fn of_node(node: &DataNode) -> Option<PartSpans> {
        let part = |key: Span, value: &DataNode| PartSpan { key, value: value.span, inner: PartSpans::of_node(value) };
        match &node.kind {
            Kind::Array(items) => Some(PartSpans(items.iter().map(|item| part(item.span, item)).collect())),
            Kind::Object(pairs) if node.get("__ptype").is_none() => {
                Some(PartSpans::of_pairs(pairs.iter().map(|(key, value)| (key.text().cloned(), part(key.span, value)))))
            }
            _ => None,
        }
    }

    /// Returns the locations in a map, given the text of each key. A repeated key has the last value, at the position of the first.
    fn of_pairs(pairs: impl Iterator<Item = (Option<EcoString>, PartSpan)>) -> PartSpans {
        let mut all: Vec<PartSpan> = Vec::new();
        let mut positions: HashMap<EcoString, usize> = HashMap::new();
        for (key, part) in pairs {
            match key.map(|key| *positions.entry(key).or_insert(all.len())).and_then(|at| all.get_mut(at)) {
                Some(earlier) => *earlier = part,
                None => all.push(part),
            }
        }
        PartSpans(all)
    }

    /// Returns the location of an element, or of the innermost enclosing element with a known location.
    pub fn locate(&self, path: &[PathStep]) -> Option<Span> {
        let (first, rest) = path.split_first()?;
        let part = self.0.get(first.index)?;
        if first.is_key {
            return Some(part.key);
        }
        Some(part.inner.as_ref().and_then(|inner| inner.locate(rest)).unwrap_or(part.value))
    }
}
