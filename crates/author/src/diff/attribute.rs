//! Compares two versions of an attribute.

use super::blocks::{Blocks, both};
use super::patterns::{Counterexample, code, outside, quoted};
use super::{ChangeCollector, ChangeKind, values};
use crate::docs::{comparison, literal};
use rtype_lang::source::Span;
use rtype_lang::types::{ArrayMatching, AttributeDef, CodeBlock, Compare, Default, Layers, Matches, Role, ValueStep};
use rtype_lang::value::{DataType, Regex, Symbol, Value};

pub fn compare(found: &mut ChangeCollector, blocks: &Blocks, old: &AttributeDef, new: &AttributeDef) {
    let spans = (old.span, new.span);
    if old.role != new.role {
        let word = |a: &AttributeDef| match a.role {
            Role::Property => "property",
            Role::Param => "param",
            Role::Metaparam => "metaparameter",
        };
        found.add(ChangeKind::RoleChanged, old.span, new.span, |c| c.was(word(old)).is(word(new)));
    }
    found.turned(
        old.required.is_some(),
        new.required.is_some(),
        (ChangeKind::RequiredAdded, ChangeKind::RequiredLifted),
        (old.required.unwrap_or(old.span), new.required.unwrap_or(new.span)),
    );
    found.turned(old.readonly.is_some(), new.readonly.is_some(), (ChangeKind::ReadonlyAdded, ChangeKind::ReadonlyLifted), spans);
    found.turned(old.init_only.is_some(), new.init_only.is_some(), (ChangeKind::InitOnlyAdded, ChangeKind::InitOnlyLifted), spans);
    found.turned(old.sensitive, new.sensitive, (ChangeKind::SensitiveAdded, ChangeKind::SensitiveRemoved), spans);
    found.turned(old.deprecated.is_some(), new.deprecated.is_some(), (ChangeKind::Deprecated, ChangeKind::DeprecationLifted), spans);
    values::compare(found, blocks, old, new);
    data_type(found, old, new);
    default(found, blocks, old, new);
    features(found, old, new);
    matches(found, old, new);
    let checks =
        |l: &Layers| l.steps.iter().filter_map(|s| if let ValueStep::Code(c) = s { Some(c.clone()) } else { None }).collect::<Vec<_>>();
    validations(found, blocks, &checks(&old.validate), &checks(&new.validate), spans);
    if !blocks.same_layers(&old.munge, &new.munge) && values_are_kept(old, new) {
        let place = |a: &AttributeDef| a.munge.steps.iter().find_map(block).map_or(a.span, |c| c.inner.span);
        found.plain(ChangeKind::MungeChanged, place(old), place(new));
    }
    if old.native != new.native || old.ensurable != new.ensurable {
        found.plain(ChangeKind::NativeKindChanged, old.span, new.span);
    }
    if old.role == Role::Property && new.role == Role::Property {
        compared(found, blocks, old, new);
    }
    for (name, was, is) in [
        ("from_title", &old.from_title, &new.from_title),
        ("unmunge", &old.unmunge, &new.unmunge),
        ("should", &old.should, &new.should),
        ("retrieve", &old.retrieve, &new.retrieve),
        ("sync", &old.sync, &new.sync),
    ] {
        found.block(name, blocks.same_maybe(was.as_ref(), is.as_ref()), place(was.as_ref(), old.span), place(is.as_ref(), new.span));
    }
    if old.should.is_some() && new.should.is_some() && old.compares_given != new.compares_given {
        found.block("should", false, old.span, new.span);
    }
    let redact = both(old.redact.as_ref(), new.redact.as_ref(), |a, b| {
        a.is == b.is && a.should == b.should && blocks.same_maybe(a.condition.as_ref(), b.condition.as_ref())
    });
    found.block("redact", redact, old.span, new.span);
    let words = [(&old.is_to_s, &new.is_to_s), (&old.should_to_s, &new.should_to_s), (&old.change_to_s, &new.change_to_s)];
    if words.iter().any(|(a, b)| !blocks.same_maybe(a.as_ref(), b.as_ref())) {
        found.plain(ChangeKind::MessagesChanged, old.span, new.span);
    }
    if old.doc != new.doc {
        found.plain(ChangeKind::DocChanged, old.span, new.span);
    }
}

fn block(step: &ValueStep) -> Option<&CodeBlock> {
    if let ValueStep::Code(code) = step { Some(code) } else { None }
}

/// Returns the location of a block, or `or` without a block.
pub fn place(code: Option<&CodeBlock>, or: Span) -> Span {
    code.map(|c| c.inner.span).filter(|s| !s.is_none()).unwrap_or(or)
}

/// Returns `true` if both versions or neither version lists allowed values. Otherwise the difference is reported separately, and
/// affects which values are canonical.
fn values_are_kept(old: &AttributeDef, new: &AttributeDef) -> bool {
    old.values.is_empty() == new.values.is_empty()
}

fn data_type(found: &mut ChangeCollector, old: &AttributeDef, new: &AttributeDef) {
    let place = |a: &AttributeDef| if a.data_type_span.is_none() { a.span } else { a.data_type_span };
    let (from, to) = (place(old), place(new));
    // An optional type only applies to values that are set.
    let given = |a: &AttributeDef| match &a.data_type {
        Some(DataType::Optional(inner)) => Some((**inner).clone()),
        other => other.clone(),
    };
    match (&given(old), &given(new)) {
        (None, None) => {}
        (Some(was), None) => found.add(ChangeKind::DataTypeWider, from, to, |c| c.was(code(was)).is("`Any`")),
        (was, Some(is)) => {
            let was = was.as_ref().unwrap_or(&DataType::Any);
            if was == is {
                return;
            }
            let example = is.example_outside(was);
            // Another rule may have rejected the example before. Then only the change of the type is certain.
            let example = example.filter(|v| v.as_text().is_none_or(|text| takes(old, text)));
            let kind = match (&example, is.includes(was)) {
                (Some(_), _) => ChangeKind::DataTypeNarrower,
                (None, Some(true)) if was.includes(is) == Some(true) => return,
                (None, Some(true)) => ChangeKind::DataTypeWider,
                (None, _) => ChangeKind::DataTypeChanged,
            };
            let secret = old.sensitive || new.sensitive;
            let example = example.filter(|_| !secret).map(|v| shown(&v));
            found.add(kind, from, to, |c| c.was(code(was)).is(code(is)).example(example));
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Nil => "no value".to_owned(),
        Value::Str(text) => quoted(text),
        other => format!("`{}`", literal(other)),
    }
}

fn default(found: &mut ChangeCollector, blocks: &Blocks, old: &AttributeDef, new: &AttributeDef) {
    let place = |a: &AttributeDef| match &a.default {
        Some(Default::Value(_, span)) if !span.is_none() => *span,
        Some(Default::Code(code)) => code.inner.span,
        _ => a.span,
    };
    let secret = old.sensitive || new.sensitive;
    let text = |d: &Default| match d {
        _ if secret => rtype_lang::value::REDACTED.to_owned(),
        Default::Value(value, _) => shown(value),
        Default::Code(_) => "a block".to_owned(),
    };
    let (from, to) = (place(old), place(new));
    match (&old.default, &new.default) {
        (None, None) => {}
        (None, Some(is)) => found.add(ChangeKind::DefaultAdded, from, to, |c| c.is(text(is))),
        (Some(was), None) => found.add(ChangeKind::DefaultRemoved, from, to, |c| c.was(text(was))),
        (Some(Default::Value(was, _)), Some(Default::Value(is, _))) if was == is => {}
        (Some(Default::Code(was)), Some(Default::Code(is))) if blocks.same(was, is) => {}
        (Some(was @ Default::Value(..)), Some(is @ Default::Value(..))) => {
            found.add(ChangeKind::DefaultChanged, from, to, |c| if secret { c } else { c.was(text(was)).is(text(is)) });
        }
        (Some(Default::Code(_)), Some(Default::Code(_))) => found.plain(ChangeKind::DefaultBlockChanged, from, to),
        (Some(was), Some(is)) => found.add(ChangeKind::DefaultBlockChanged, from, to, |c| c.was(text(was)).is(text(is))),
    }
}

fn features(found: &mut ChangeCollector, old: &AttributeDef, new: &AttributeDef) {
    let missing = |of: &'_ [Symbol], from: &[Symbol]| of.iter().filter(|f| !from.contains(f)).cloned().collect::<Vec<_>>();
    for feature in missing(&new.required_features, &old.required_features) {
        found.add(ChangeKind::FeatureNeeded, old.span, new.span, |c| c.is(quoted(feature.as_str())));
    }
    for feature in missing(&old.required_features, &new.required_features) {
        found.add(ChangeKind::FeatureLifted, old.span, new.span, |c| c.was(quoted(feature.as_str())));
    }
}

/// Returns `true` if all rules without blocks accepted a string, which then is an example of a value no longer allowed.
pub fn takes(attribute: &AttributeDef, text: &str) -> bool {
    attribute.data_type.as_ref().is_none_or(|t| t.coerce(&Value::str(text)).is_ok())
        && (attribute.values.is_empty() || attribute.values.find(text).is_some())
        && patterns(attribute).iter().all(|m| m.regex.is_match(text))
}

fn patterns(attribute: &AttributeDef) -> Vec<&Matches> {
    attribute.validate.steps.iter().filter_map(|s| if let ValueStep::Matches(m) = s { Some(m) } else { None }).collect()
}

/// Compares the `matches` patterns, all of which must match.
fn matches(found: &mut ChangeCollector, old: &AttributeDef, new: &AttributeDef) {
    let (was, is) = (patterns(old), patterns(new));
    let was_all: Vec<&Regex> = was.iter().map(|m| &*m.regex).collect();
    let is_all: Vec<&Regex> = is.iter().map(|m| &*m.regex).collect();
    for m in &is {
        let from = was.first().map_or(old.span, |m| m.span);
        let mut add = |kind, example: Option<String>| {
            found.add(kind, from, m.span, |c| {
                let c = c.is(code(&m.regex)).example(example);
                if let [only] = was.as_slice() { c.was(code(&only.regex)) } else { c }
            });
        };
        match outside(&was_all, &[&m.regex]) {
            Counterexample::Nothing => {}
            Counterexample::Text(text) if takes(old, &text) => add(ChangeKind::PatternStricter, Some(quoted(&text))),
            Counterexample::Text(_) | Counterexample::Unknown => add(ChangeKind::PatternChanged, None),
        }
    }
    for m in &was {
        if let Counterexample::Text(text) = outside(&is_all, &[&m.regex]) {
            let to = is.first().map_or(new.span, |m| m.span);
            found.add(ChangeKind::PatternWider, m.span, to, |c| {
                let c = c.was(code(&m.regex)).example(Some(quoted(&text)));
                if let [only] = is.as_slice() { c.is(code(&only.regex)) } else { c }
            });
        }
    }
}

/// Compares validation blocks regardless of order; blocks in both versions are unchanged.
pub fn validations(found: &mut ChangeCollector, blocks: &Blocks, old: &[CodeBlock], new: &[CodeBlock], spans: (Span, Span)) {
    let gone: Vec<&CodeBlock> = old.iter().filter(|a| !new.iter().any(|b| blocks.same(a, b))).collect();
    let added: Vec<&CodeBlock> = new.iter().filter(|b| !old.iter().any(|a| blocks.same(a, b))).collect();
    for i in 0..gone.len().max(added.len()) {
        let (was, is) = (gone.get(i).copied(), added.get(i).copied());
        let kind = match (was, is) {
            (Some(_), Some(_)) => ChangeKind::ValidationChanged,
            (None, _) => ChangeKind::ValidationAdded,
            (_, None) => ChangeKind::ValidationRemoved,
        };
        found.plain(kind, place(was, spans.0), place(is, spans.1));
    }
}

/// Compares the ways in which the versions compare a property with the machine.
fn compared(found: &mut ChangeCollector, blocks: &Blocks, old: &AttributeDef, new: &AttributeDef) {
    let word = |a: &AttributeDef| if a.array_matching == ArrayMatching::First { "first" } else { "all" };
    if old.array_matching != new.array_matching {
        found.add(ChangeKind::ArrayMatchingChanged, old.span, new.span, |c| c.was(word(old)).is(word(new)));
    }
    let (was, is) = (comparison(old), comparison(new));
    if was != is {
        return found.add(ChangeKind::ComparisonChanged, old.span, new.span, |c| c.was(was).is(is));
    }
    let same = match (&old.compare, &new.compare) {
        (Compare::Named(a), Compare::Named(b)) => a == b,
        (Compare::Code(a), Compare::Code(b)) => blocks.same(a, b),
        _ => false,
    };
    found.block("compare", same, old.span, new.span);
    let place = |a: &AttributeDef| self::place(a.insync.as_ref(), a.span);
    found.block("insync", blocks.same_maybe(old.insync.as_ref(), new.insync.as_ref()), place(old), place(new));
}
