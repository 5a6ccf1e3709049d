//! Values that are known when a type is loaded, and how they are written.

use super::core_calls::class_value;
use super::eval::{RubyPattern, RubyValue};
use super::ruby::{self, ByteRange};
use rtype_lang::syntax::{quote, written_symbol};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value that is known when the type is loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum StaticValue {
    Nil,
    Bool(bool),
    Integer(i64),
    Symbol(String),
    Text(String),
    /// Source and flags, as in Ruby.
    Regex(String, String),
    List(Vec<StaticValue>),
    Map(Vec<(StaticValue, StaticValue)>),
    /// A Ruby class used as a value; becomes a symbol of that name.
    Class(String),
    /// A class of Ruby, which has no value in the language.
    Native(String),
    /// A range of numbers, and whether its end is not part of it.
    Range(Option<i64>, Option<i64>, bool),
    /// A function that returns its argument.
    Identity,
    /// Another function: the file and place of its code.
    Function(usize, ByteRange),
    /// An object, by its number: what its methods return may be known. Only of a local, never within another value.
    Object(usize),
}

/// Locals by name.
pub type Locals = BTreeMap<String, StaticValue>;

impl StaticValue {
    /// Returns whether it can be used as a value when the code of a type file is evaluated.
    pub fn is_data(&self) -> bool {
        !matches!(
            self,
            StaticValue::Class(_) | StaticValue::Native(_) | StaticValue::Identity | StaticValue::Function(..) | StaticValue::Object(_)
        )
    }

    /// Returns the text of a symbol or string.
    pub fn word(&self) -> Option<String> {
        match self {
            StaticValue::Symbol(word) | StaticValue::Text(word) => Some(word.clone()),
            _ => None,
        }
    }

    /// Returns it as a value of Ruby.
    pub fn value<'w>(&self) -> RubyValue<'w> {
        match self {
            StaticValue::Nil
            | StaticValue::Class(_)
            | StaticValue::Native(_)
            | StaticValue::Identity
            | StaticValue::Function(..)
            | StaticValue::Object(_) => RubyValue::Nil,
            StaticValue::Range(from, to, excludes) => {
                let limit = |n: &Option<i64>| n.map_or(RubyValue::Nil, RubyValue::Int);
                RubyValue::Range(Rc::new((limit(from), limit(to), *excludes)))
            }
            StaticValue::Bool(b) => RubyValue::Bool(*b),
            StaticValue::Integer(n) => RubyValue::Int(*n),
            StaticValue::Symbol(word) => RubyValue::sym(word),
            StaticValue::Text(text) => RubyValue::str(text.as_str()),
            StaticValue::Regex(source, flags) => RubyValue::Regex(Rc::new(RubyPattern { source: source.clone(), flags: flags.clone() })),
            StaticValue::List(items) => RubyValue::array(items.iter().map(StaticValue::value).collect()),
            StaticValue::Map(pairs) => RubyValue::hash(pairs.iter().map(|(k, v)| (k.value(), v.value())).collect()),
        }
    }

    /// Returns the value as written in blocks.
    pub fn written(&self) -> Option<String> {
        Some(match self {
            StaticValue::Nil => "nil".to_owned(),
            StaticValue::Bool(b) => b.to_string(),
            StaticValue::Integer(n) => n.to_string(),
            StaticValue::Symbol(word) | StaticValue::Class(word) => written_symbol(word),
            StaticValue::Text(text) => quote(text),
            StaticValue::Regex(source, flags) => ruby::regex(source, flags.contains('i'), flags.contains('m'), flags.contains('x')),
            StaticValue::List(items) => format!("[{}]", items.iter().map(StaticValue::written).collect::<Option<Vec<_>>>()?.join(", ")),
            StaticValue::Map(pairs) => {
                let pairs: Option<Vec<String>> = pairs.iter().map(|(k, v)| Some(format!("{} => {}", k.written()?, v.written()?))).collect();
                format!("{{{}}}", pairs?.join(", "))
            }
            StaticValue::Native(class) => class_value(class)?.to_owned(),
            StaticValue::Range(..) | StaticValue::Identity | StaticValue::Function(..) | StaticValue::Object(_) => return None,
        })
    }

    /// Returns whether it is a list of texts, symbols and numbers.
    pub fn is_plain_list(&self) -> bool {
        let plain = |v: &StaticValue| {
            matches!(v, StaticValue::Nil | StaticValue::Bool(_) | StaticValue::Integer(_) | StaticValue::Symbol(_) | StaticValue::Text(_))
        };
        matches!(self, StaticValue::List(items) if items.iter().all(plain))
    }

    /// Returns the result of `to_s`.
    pub fn text(&self) -> Option<String> {
        Some(match self {
            StaticValue::Nil => String::new(),
            StaticValue::Bool(b) => b.to_string(),
            StaticValue::Integer(n) => n.to_string(),
            StaticValue::Symbol(word) | StaticValue::Text(word) | StaticValue::Class(word) | StaticValue::Native(word) => word.clone(),
            // Without flags, the difference to Ruby's `(?-mix:…)` does not matter.
            StaticValue::Regex(source, flags) if flags.is_empty() => format!("(?:{source})"),
            _ => return None,
        })
    }
}
