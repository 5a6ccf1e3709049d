//! Decides whether one data type includes another, and finds counterexamples.

use super::{Bounds, DataType, Member};
use crate::value::{Flags, Map, Regex, Value};
use std::sync::Arc;

/// The maximum length of generated example lists.
const MAX_EXAMPLE: i64 = 50;

impl DataType {
    /// Returns `true` if every value of `other` has this type without conversion; `None` if this cannot be decided.
    pub fn includes(&self, other: &DataType) -> Option<bool> {
        if self == other || *self == DataType::Any {
            return Some(true);
        }
        match other {
            DataType::Sensitive(inner) => self.includes(inner),
            DataType::Variant(types) => every(types.iter().map(|t| self.includes(t))),
            DataType::Optional(inner) => every([self.includes(&DataType::Undef), self.includes(inner)]),
            DataType::Numeric => every([DataType::Integer(Bounds::NONE), DataType::Float(Bounds::NONE)].map(|t| self.includes(&t))),
            DataType::Scalar => {
                every([DataType::String(Bounds::NONE), DataType::Numeric, DataType::Boolean, DataType::Regexp].map(|t| self.includes(&t)))
            }
            DataType::Any => Some(false),
            DataType::Format(_) if matches!(self, DataType::String(_) | DataType::Pattern(_) | DataType::Enum(_) | DataType::Format(_)) => {
                None
            }
            DataType::Enum(names) if matches!(self, DataType::Format(_)) => {
                Some(names.iter().all(|name| self.accepts(&Value::str(name.as_str()))))
            }
            DataType::String(_) | DataType::Enum(_) | DataType::Pattern(_) | DataType::AbsolutePath => {
                let (ours, theirs) = (self.texts()?, other.texts()?);
                let none_of: Vec<&Regex> = ours.iter().map(|r| &**r).collect();
                every(theirs.iter().map(|r| Regex::is_impossible(&[r], &none_of)))
            }
            _ => self.includes_plain(other),
        }
    }

    /// Implements [`DataType::includes`] for types other than variants and string types.
    fn includes_plain(&self, other: &DataType) -> Option<bool> {
        match (self, other) {
            (DataType::Sensitive(inner), _) => inner.includes(other),
            (DataType::Optional(inner), _) => Some(*other == DataType::Undef).filter(|is| *is).or_else(|| inner.includes(other)),
            (DataType::Variant(types), _) => {
                // Several variants together may include a type that no single variant includes.
                types.iter().any(|t| t.includes(other) == Some(true)).then_some(true)
            }
            (DataType::Scalar, DataType::Format(_)) => Some(true),
            (
                DataType::Scalar,
                DataType::Integer(_) | DataType::Float(_) | DataType::Boolean | DataType::OneBoolean(_) | DataType::Regexp,
            ) => Some(true),
            (DataType::Boolean, DataType::OneBoolean(_)) => Some(true),
            (DataType::Numeric, DataType::Integer(_) | DataType::Float(_)) => Some(true),
            (DataType::Integer(a), DataType::Integer(b)) => Some(within(a, b)),
            (DataType::Float(a), DataType::Float(b)) => Some(within(a, b)),
            (DataType::Array(a, m), DataType::Array(b, n)) => every([Some(within(m, n)), a.includes(b)]),
            (DataType::Array(a, m), DataType::Tuple(types)) => {
                every([Some(super::fits(m, types.len()))].into_iter().chain(types.iter().map(|t| a.includes(t))))
            }
            (DataType::Tuple(a), DataType::Tuple(b)) => {
                every([Some(a.len() == b.len())].into_iter().chain(a.iter().zip(b).map(|(a, b)| a.includes(b))))
            }
            (DataType::Hash(k, v, m), DataType::Hash(l, w, n)) => every([Some(within(m, n)), k.includes(l), v.includes(w)]),
            (DataType::Struct(a), DataType::Struct(b)) => includes_struct(a, b),
            (DataType::Hash(..), DataType::Struct(_)) | (DataType::Struct(_), DataType::Hash(..)) => None,
            _ => Some(false),
        }
    }

    /// Returns the strings of this type as alternative regexes; `None` if they cannot be expressed as regexes.
    fn texts(&self) -> Option<Vec<Arc<Regex>>> {
        let one = |source: &str| Some(vec![Arc::new(Regex::new(source, Flags::default()).ok()?)]);
        match self {
            DataType::Any | DataType::Scalar => one(""),
            DataType::String(Bounds { min: None | Some(0), max: None }) => one(""),
            DataType::String(limits) => {
                let max = limits.max.map(|m| m.to_string()).unwrap_or_default();
                one(&format!(r"^[\s\S]{{{},{max}}}$", limits.min.unwrap_or(0)))
            }
            DataType::Enum(names) => Some(vec![Arc::new(Regex::exactly(names.iter().map(String::as_str))?)]),
            DataType::Pattern(patterns) => Some(patterns.clone()),
            DataType::AbsolutePath => one("^/"),
            // Regexes for formats would be too long.
            DataType::Format(_) => None,
            DataType::Optional(inner) | DataType::Sensitive(inner) => inner.texts(),
            DataType::Variant(types) => types.iter().map(DataType::texts).collect::<Option<Vec<_>>>().map(|all| all.concat()),
            _ => Some(Vec::new()),
        }
    }

    /// Returns a value that `other` accepts and this type does not, even with conversion. The search is incomplete.
    pub fn example_outside(&self, other: &DataType) -> Option<Value> {
        let texts = self.texts().unwrap_or_default();
        other.examples(&texts).into_iter().find(|v| other.coerce(v).is_ok() && self.coerce(v).is_err())
    }

    /// Returns a few values of this type, including values at the limits, and strings that do not match `refused` if possible.
    fn examples(&self, refused: &[Arc<Regex>]) -> Vec<Value> {
        match self {
            DataType::Undef => vec![Value::Nil],
            DataType::Boolean => vec![Value::Bool(true), Value::Bool(false)],
            DataType::OneBoolean(only) => vec![Value::Bool(*only)],
            DataType::Integer(limits) => {
                let all = [Some(0), Some(1), Some(-1), limits.min, limits.max, Some(1_000_000)];
                all.into_iter().flatten().filter(|n| limits.contain(*n)).map(Value::Int).collect()
            }
            DataType::Float(limits) => {
                let all = [Some(0.5), Some(-0.5), limits.min, limits.max, Some(1e6)];
                all.into_iter().flatten().filter(|n| limits.contain(*n)).map(Value::Float).collect()
            }
            DataType::Numeric => vec![Value::Int(1), Value::Float(1.5)],
            DataType::Symbol => vec![Value::sym("x")],
            DataType::Regexp | DataType::Binary | DataType::PuppetOnly(_) => Vec::new(),
            DataType::Any | DataType::Scalar => {
                let texts = DataType::String(Bounds::NONE).examples(refused);
                let others = [Value::Int(1), Value::Float(1.5), Value::Bool(true), Value::array([]), Value::Nil];
                texts.into_iter().chain(others).collect()
            }
            DataType::Enum(names) => names.iter().map(|n| Value::str(n.as_str())).collect(),
            DataType::Format(format) => format.examples().iter().map(|text| Value::str(*text)).collect(),
            DataType::String(_) | DataType::Pattern(_) | DataType::AbsolutePath => {
                let none_of: Vec<&Regex> = refused.iter().map(|r| &**r).collect();
                let found = self.texts().unwrap_or_default();
                let found = found.iter().filter_map(|r| Regex::example(&[r], &none_of)?);
                found.chain(["x".to_owned(), String::new()]).map(|text| Value::str(text.as_str())).collect()
            }
            DataType::Array(element, limits) => {
                let sizes = [limits.min.unwrap_or(0).max(1), limits.min.unwrap_or(0), limits.max.unwrap_or(2)];
                let sizes = sizes.into_iter().filter(|n| (0..=MAX_EXAMPLE).contains(n) && limits.contain(*n));
                let elements = element.examples(refused);
                let lists = |n: i64| elements.iter().map(move |e| Value::array((0..n).map(|_| e.clone())));
                sizes.flat_map(lists).collect()
            }
            DataType::Tuple(types) => {
                vary(&types.iter().map(|t| t.examples(refused)).collect::<Vec<_>>()).into_iter().map(Value::array).collect()
            }
            DataType::Hash(keys, values, _) => {
                let keys = keys.examples(refused);
                let pairs = values.examples(refused).into_iter().flat_map(|v| keys.iter().map(move |k| (k.clone(), v.clone())));
                pairs.map(|pair| Value::Map(Arc::new([pair].into_iter().collect::<Map>()))).chain([Value::Map(Arc::default())]).collect()
            }
            DataType::Struct(members) => struct_examples(members, refused),
            DataType::Optional(inner) => inner.examples(refused).into_iter().chain([Value::Nil]).collect(),
            DataType::Variant(types) => types.iter().flat_map(|t| t.examples(refused)).collect(),
            DataType::Sensitive(inner) => inner.examples(refused),
        }
    }
}

/// Returns `true` if all answers are true, where `None` is unknown.
fn every(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

/// Returns `true` if `narrow` is within `wide`.
fn within<T: PartialOrd + Copy>(wide: &Bounds<T>, narrow: &Bounds<T>) -> bool {
    let low = wide.min.is_none_or(|w| narrow.min.is_some_and(|n| n >= w));
    low && wide.max.is_none_or(|w| narrow.max.is_some_and(|n| n <= w))
}

fn includes_struct(wide: &[Member], narrow: &[Member]) -> Option<bool> {
    let find = |all: &'_ [Member], name: &str| all.iter().position(|m| m.name == name);
    let known =
        narrow.iter().map(|n| find(wide, &n.name).and_then(|i| wide.get(i)).map_or(Some(false), |w| w.data_type.includes(&n.data_type)));
    let may_lack = |m: &Member| m.optional || m.data_type.accepts(&Value::Nil);
    let given = wide.iter().map(|w| {
        let there = find(narrow, &w.name).and_then(|i| narrow.get(i)).is_some_and(|n| !may_lack(n));
        Some(may_lack(w) || there)
    });
    every(known.chain(given))
}

/// Returns the list with the first examples, and variants with another example in place of an element.
fn vary(examples: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let Some(first) = examples.iter().map(|e| e.first().cloned()).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let changed = examples.iter().enumerate().flat_map(|(i, others)| {
        let first = &first;
        others
            .iter()
            .skip(1)
            .map(move |other| first.iter().enumerate().map(|(j, v)| if i == j { other.clone() } else { v.clone() }).collect())
    });
    std::iter::once(first.clone()).chain(changed).collect()
}

fn struct_examples(members: &[Member], refused: &[Arc<Regex>]) -> Vec<Value> {
    let map = |members: &[&Member]| -> Vec<Value> {
        let values = vary(&members.iter().map(|m| m.data_type.examples(refused)).collect::<Vec<_>>());
        let with_names = values.into_iter().map(|v| members.iter().map(|m| Value::str(m.name.as_str())).zip(v).collect::<Map>());
        with_names.map(|m| Value::Map(Arc::new(m))).collect()
    };
    let needed: Vec<&Member> = members.iter().filter(|m| !m.optional).collect();
    let all: Vec<&Member> = members.iter().collect();
    [map(&needed), map(&all)].concat()
}
