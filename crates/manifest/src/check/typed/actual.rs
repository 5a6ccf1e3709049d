//! The types of values that are written as literals, in manifests and in data files.

use crate::compile::types::{KeyForm, StructMember, Type, infer_exact, simple_literal};
use crate::compile::value::{ManifestValue, ValuePattern};
use crate::functions::bridge::from_plain;
use crate::functions::data::Reader;
use crate::syntax::tree::{Expression, ExpressionKind, FunctionCall, HashEntry, Segment, UnaryOperator};
use ecow::EcoString;
use rtype_lang::data::{DataNode, Kind};
use std::sync::Arc;

/// The number of elements up to which a list or hash is compared with a type.
const MAX_ELEMENTS: usize = 1000;

/// What is known of a value.
pub(in crate::check) enum Actual {
    /// The value.
    Value(ManifestValue),
    /// The type; parts that are not known have the type [`Type::Unit`], which fits everything.
    Partly(Type),
}

impl Actual {
    /// Evaluates an expression as far as it has literals. `text` is the type of strings with interpolated expressions.
    pub fn of(expression: &Expression, text: &Type) -> Actual {
        if let Some(value) = simple_literal(expression) {
            return Actual::Value(value);
        }
        match &expression.kind {
            ExpressionKind::Pattern(source) => {
                ValuePattern::new(source).map_or_else(|_| Actual::unknown(), |pattern| Actual::Value(ManifestValue::Regexp(pattern)))
            }
            ExpressionKind::Interpolated(segments) => interpolated(segments, text),
            ExpressionKind::Heredoc(heredoc) => Actual::of(&heredoc.text, text),
            ExpressionKind::Paren(inner) => Actual::of(inner, text),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => negated(&Actual::of(inner, text)),
            ExpressionKind::Array(elements) => list(elements, text),
            ExpressionKind::Hash(entries) => hash(entries, text),
            ExpressionKind::Call(call) => sensitive(call, text),
            _ => Actual::unknown(),
        }
    }

    /// Returns the value in a data file. `text` is the type of strings with interpolated expressions.
    pub fn of_data(node: &DataNode, reader: Reader, text: &Type) -> Actual {
        match &node.kind {
            Kind::Str(written) => data_text(written, reader, text),
            Kind::Bytes(_) => Actual::unknown(),
            Kind::Array(items) if items.len() > MAX_ELEMENTS => Actual::unknown(),
            Kind::Array(items) => list_of(items.iter().map(|item| Actual::of_data(item, reader, text)).collect()),
            Kind::Object(pairs) if pairs.len() > MAX_ELEMENTS => Actual::unknown(),
            Kind::Object(pairs) => {
                let mut known = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    let Actual::Value(key) = Actual::of_data(key, reader, text) else { return Actual::unknown() };
                    known.push((key, Actual::of_data(value, reader, text)));
                }
                hash_of(known)
            }
            _ => from_plain(&node.to_value()).map_or_else(|_| Actual::unknown(), Actual::Value),
        }
    }

    fn unknown() -> Actual {
        Actual::Partly(Type::Unit)
    }

    /// Returns the type.
    pub fn into_type(self) -> Type {
        match self {
            Actual::Value(value) => infer_exact(&value),
            Actual::Partly(of) => of,
        }
    }

    /// Returns `true` if the value may be one of a type.
    pub fn fits(&self, expected: &Type) -> bool {
        match self {
            Actual::Value(value) => expected.is_instance(value),
            Actual::Partly(of) => expected.accepts(of),
        }
    }
}

/// A string whose parts are all text has a value, but all others only have a type.
fn interpolated(segments: &[Segment], text: &Type) -> Actual {
    let part = |segment: &Segment| match segment {
        Segment::Text(text) => Some(text.clone()),
        Segment::Value(_) => None,
    };
    let whole: Option<Vec<_>> = segments.iter().map(part).collect();
    whole.map_or_else(|| Actual::Partly(text.clone()), |parts| Actual::Value(ManifestValue::String(parts.concat().into())))
}

/// An interpolated expression can be the whole value, which then has any type: `%{alias('key')}`. Encrypted values are texts.
fn data_text(written: &EcoString, reader: Reader, text: &Type) -> Actual {
    match written.trim() {
        whole if whole.starts_with("%{") && whole.ends_with('}') && whole.contains("alias") => Actual::unknown(),
        parts if parts.contains("%{") || reader == Reader::Eyaml && parts.contains("ENC[") => Actual::Partly(text.clone()),
        _ => Actual::Value(ManifestValue::String(written.clone())),
    }
}

fn negated(inner: &Actual) -> Actual {
    match inner {
        Actual::Value(ManifestValue::Integer(number)) => {
            number.checked_neg().map_or_else(Actual::unknown, |number| Actual::Value(ManifestValue::Integer(number)))
        }
        Actual::Value(ManifestValue::Float(number)) => Actual::Value(ManifestValue::Float(-number)),
        _ => Actual::unknown(),
    }
}

/// Unfolded lists have an unknown number of elements.
fn list(elements: &[Expression], text: &Type) -> Actual {
    let is_unfolded = |element: &Expression| matches!(element.kind, ExpressionKind::Unary(UnaryOperator::Splat, _));
    if elements.len() > MAX_ELEMENTS || elements.iter().any(is_unfolded) {
        return Actual::unknown();
    }
    list_of(elements.iter().map(|element| Actual::of(element, text)).collect())
}

fn list_of(all: Vec<Actual>) -> Actual {
    let value = |actual: &Actual| if let Actual::Value(value) = actual { Some(value.clone()) } else { None };
    match all.iter().map(value).collect::<Option<Vec<_>>>() {
        Some(values) => Actual::Value(ManifestValue::array(values)),
        None => Actual::Partly(Type::tuple(all.into_iter().map(Actual::into_type).collect())),
    }
}

/// Hashes whose keys are not all known strings have an unknown type, unless they are known as a whole.
fn hash(entries: &[HashEntry], text: &Type) -> Actual {
    if entries.len() > MAX_ELEMENTS {
        return Actual::unknown();
    }
    let mut pairs = Vec::new();
    for entry in entries {
        let Actual::Value(key) = Actual::of(&entry.key, text) else { return Actual::unknown() };
        pairs.push((key, Actual::of(&entry.value, text)));
    }
    hash_of(pairs)
}

fn hash_of(pairs: Vec<(ManifestValue, Actual)>) -> Actual {
    let value = |(key, actual): &(ManifestValue, Actual)| match actual {
        Actual::Value(value) => Some((key.clone(), value.clone())),
        Actual::Partly(_) => None,
    };
    if let Some(pairs) = pairs.iter().map(value).collect::<Option<Vec<_>>>() {
        return Actual::Value(ManifestValue::hash(pairs));
    }
    let mut members: Vec<StructMember> = Vec::new();
    for (key, actual) in pairs {
        let Some(name) = key.as_str().filter(|name| !name.is_empty()) else { return Actual::unknown() };
        let member = StructMember { name: name.into(), form: KeyForm::Plain, value: actual.into_type() };
        if members.iter().any(|known| known.name == member.name) {
            return Actual::unknown();
        }
        members.push(member);
    }
    Actual::Partly(Type::Struct(Arc::new(members)))
}

fn sensitive(call: &FunctionCall, text: &Type) -> Actual {
    match (&call.function.kind, call.arguments.as_slice()) {
        (ExpressionKind::TypeName(name), [secret]) if name == "Sensitive" => match Actual::of(secret, text) {
            Actual::Value(value) => Actual::Value(ManifestValue::Sensitive(Arc::new(value))),
            Actual::Partly(of) => Actual::Partly(Type::Sensitive(Arc::new(of))),
        },
        _ => Actual::unknown(),
    }
}
