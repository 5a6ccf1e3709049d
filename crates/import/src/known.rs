//! Values that are known when a type is loaded, and how they are written.

use super::core_calls::{class_pattern, class_value};
use super::eval::{Evaluator, MAX_NESTING, MODULE, Proc, ProcCode, RubyPattern, RubyValue};
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
    Float(f64),
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
            StaticValue::Float(n) => RubyValue::Float(*n),
            StaticValue::Symbol(word) => RubyValue::sym(word),
            StaticValue::Text(text) => RubyValue::str(text.as_str()),
            StaticValue::Regex(source, flags) => RubyValue::Regex(Rc::new(RubyPattern { source: source.clone(), flags: flags.clone() })),
            StaticValue::List(items) => RubyValue::array(items.iter().map(StaticValue::value).collect()),
            StaticValue::Map(pairs) => RubyValue::hash(pairs.iter().map(|(k, v)| (k.value(), v.value())).collect()),
        }
    }

    /// Returns the value as written in the arguments of a kind, where words are symbols, except in parentheses.
    pub fn written_in_arguments(&self) -> Option<String> {
        let written = self.written()?;
        let has_symbols = match self {
            StaticValue::Symbol(_) | StaticValue::Class(_) | StaticValue::List(_) | StaticValue::Map(_) => written.contains(':'),
            _ => false,
        };
        Some(if has_symbols { format!("({written})") } else { written })
    }

    /// Returns the value as written in blocks.
    pub fn written(&self) -> Option<String> {
        Some(match self {
            StaticValue::Nil => "nil".to_owned(),
            StaticValue::Bool(b) => b.to_string(),
            StaticValue::Integer(n) => n.to_string(),
            // No number is written so; a text that spells a larger one than there are becomes it.
            StaticValue::Float(n) if n.is_infinite() => format!("\"{}1e400\".to_f", if *n < 0.0 { "-" } else { "" }),
            StaticValue::Float(n) => plain_float(*n)?,
            StaticValue::Symbol(word) | StaticValue::Class(word) => written_symbol(word),
            StaticValue::Text(text) => quote(text),
            StaticValue::Regex(source, flags) => ruby::regex(source, flags.contains('i'), flags.contains('m'), flags.contains('x')),
            StaticValue::List(items) => format!("[{}]", items.iter().map(StaticValue::written).collect::<Option<Vec<_>>>()?.join(", ")),
            StaticValue::Map(pairs) => {
                let pairs: Option<Vec<String>> = pairs.iter().map(|(k, v)| Some(format!("{} => {}", k.written()?, v.written()?))).collect();
                format!("{{{}}}", pairs?.join(", "))
            }
            StaticValue::Native(class) => class_value(class)?.to_owned(),
            StaticValue::Range(from, to, excludes) => {
                let limit = |n: &Option<i64>| n.map_or_else(|| "nil".to_owned(), |n| n.to_string());
                format!("range({}, {}{})", limit(from), limit(to), if *excludes { ", true" } else { "" })
            }
            StaticValue::Identity | StaticValue::Function(..) | StaticValue::Object(_) => return None,
        })
    }

    /// Returns the value as written where code uses it. A class or module would be its name there, which has none of its methods, and what
    /// is asked of a range that is known needs no range.
    pub fn in_code(&self) -> Option<String> {
        if matches!(self, StaticValue::Class(_) | StaticValue::Range(..)) { None } else { self.written() }
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
            StaticValue::Float(n) => plain_float(*n)?,
            StaticValue::Symbol(word) | StaticValue::Text(word) | StaticValue::Class(word) | StaticValue::Native(word) => word.clone(),
            StaticValue::Range(from, to, excludes) => {
                let limit = |n: &Option<i64>| n.map(|n| n.to_string()).unwrap_or_default();
                format!("{}{}{}", limit(from), if *excludes { "..." } else { ".." }, limit(to))
            }
            StaticValue::Regex(source, flags) => {
                let (on, off): (String, String) = "mix".chars().partition(|flag| flags.contains(*flag));
                format!("(?{on}{}{off}:{source})", if off.is_empty() { "" } else { "-" })
            }
            _ => return None,
        })
    }
}

/// Steps for a part of a value that is written.
const WRITTEN: u64 = 8;

/// Returns a value as one that can be written; `None` if it cannot be, or if it exhausts the budget.
pub fn fixed(ruby: &Evaluator<'_, '_>, value: &RubyValue<'_>) -> Option<StaticValue> {
    fixed_within(ruby, value, MAX_NESTING)
}

fn fixed_within(ruby: &Evaluator<'_, '_>, value: &RubyValue<'_>, depth: usize) -> Option<StaticValue> {
    let depth = depth.checked_sub(1)?;
    // Ruby shares the parts of a value, a written value repeats them.
    ruby.budget.spend(WRITTEN)?;
    Some(match value {
        RubyValue::Nil => StaticValue::Nil,
        RubyValue::Bool(b) => StaticValue::Bool(*b),
        RubyValue::Int(n) => StaticValue::Integer(*n),
        RubyValue::Float(n) => StaticValue::Float(*n),
        RubyValue::Sym(word) => StaticValue::Symbol(word.to_string()),
        // Where the module is depends on the machine.
        RubyValue::Str(text) if text.borrow().contains(MODULE) => return None,
        RubyValue::Str(text) => {
            ruby.budget.spend_bytes(text.borrow().len())?;
            StaticValue::Text(text.borrow().clone())
        }
        RubyValue::Regex(regex) => StaticValue::Regex(regex.source.clone(), regex.flags.clone()),
        RubyValue::Array(items) | RubyValue::Set(items) => {
            StaticValue::List(items.borrow().iter().map(|i| fixed_within(ruby, i, depth)).collect::<Option<_>>()?)
        }
        // What a map with a default gives for other keys cannot be written.
        RubyValue::Hash(hash) if hash.default_block.is_none() && hash.default.borrow().is_nil() => {
            let pairs = hash.pairs.borrow();
            let pairs = pairs.iter().map(|(k, v)| Some((fixed_within(ruby, k, depth)?, fixed_within(ruby, v, depth)?)));
            StaticValue::Map(pairs.collect::<Option<_>>()?)
        }
        RubyValue::Class(id) if ruby.classes.get(*id).is_native => {
            let name = &ruby.classes.get(*id).name;
            // Others may be anything that has a name like a class.
            StaticValue::Native(class_pattern(name).is_some().then(|| name.clone())?)
        }
        RubyValue::Class(id) => StaticValue::Class(Some(ruby.classes.get(*id).name.clone()).filter(|n| !n.is_empty())?),
        RubyValue::Range(range) => {
            let limit = |of: &RubyValue<'_>| match of {
                RubyValue::Nil => Some(None),
                RubyValue::Int(n) => Some(Some(*n)),
                _ => None,
            };
            StaticValue::Range(limit(&range.0)?, limit(&range.1)?, range.2)
        }
        RubyValue::Proc(proc) if returns_argument(proc) => StaticValue::Identity,
        RubyValue::Proc(proc) => StaticValue::Function(proc.file, place_of(proc)),
        _ => return None,
    })
}

/// Returns the place of a function; an empty one if it has no code of its own.
fn place_of(proc: &Proc<'_>) -> ByteRange {
    match &proc.code {
        ProcCode::Block(node) => ruby::place(&node.as_node()),
        ProcCode::Lambda(node) => ruby::place(&node.as_node()),
        ProcCode::Method(..) | ProcCode::Symbol(_) => 0..0,
    }
}

/// Recognizes `lambda { |x| x }`.
fn returns_argument(proc: &Proc<'_>) -> bool {
    let (params, body) = match &proc.code {
        ProcCode::Block(node) => (ruby::block_params(node), ruby::statements(node.body())),
        ProcCode::Lambda(node) => (ruby::lambda_params(node), ruby::statements(node.body())),
        _ => return false,
    };
    match (params.as_deref(), body.as_slice()) {
        (Some([param]), [read]) => read.as_local_variable_read_node().is_some_and(|r| ruby::local(&r.name()) == *param),
        _ => false,
    }
}

/// Returns a number as Ruby writes it; `None` if that takes an exponent.
fn plain_float(number: f64) -> Option<String> {
    let text = rtype_lang::value::inspect(&rtype_lang::value::Value::Float(number)).to_string();
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.')).then_some(text)
}
