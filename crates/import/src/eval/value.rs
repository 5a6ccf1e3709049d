//! Values of Ruby as they exist while a type is loaded.

use super::classes::{ClassId, Cref, Method};
use crate::ruby::{self, ByteRange};
use ruby_prism::{BlockNode, LambdaNode};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A name of a variable, method or constant.
pub type Name = Rc<str>;

/// A value of Ruby.
#[derive(Clone)]
pub enum RubyValue<'w> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Sym(Name),
    Str(Rc<RefCell<String>>),
    /// A `Pathname`.
    Path(Name),
    Array(Rc<RefCell<RubyList<'w>>>),
    Hash(Rc<HashObject<'w>>),
    /// A `Set`.
    Set(Rc<RefCell<RubyList<'w>>>),
    /// First, last, and whether the last one is excluded.
    Range(Rc<(RubyValue<'w>, RubyValue<'w>, bool)>),
    Regex(Rc<RubyPattern>),
    Proc(Rc<Proc<'w>>),
    /// A class or module.
    Class(ClassId),
    Object(Rc<RubyObject<'w>>),
    /// A value that cannot be known when a type is loaded.
    Unknown(Rc<Unknown>),
}

/// The items of an array or a set.
pub struct RubyList<'w>(pub Vec<RubyValue<'w>>);

impl<'w> std::ops::Deref for RubyList<'w> {
    type Target = Vec<RubyValue<'w>>;

    fn deref(&self) -> &Vec<RubyValue<'w>> {
        &self.0
    }
}

impl<'w> std::ops::DerefMut for RubyList<'w> {
    fn deref_mut(&mut self) -> &mut Vec<RubyValue<'w>> {
        &mut self.0
    }
}

impl Drop for RubyList<'_> {
    fn drop(&mut self) {
        dismantle(std::mem::take(&mut self.0));
    }
}

impl Drop for HashObject<'_> {
    fn drop(&mut self) {
        dismantle(self.pairs.borrow_mut().drain(..).flat_map(|(k, v)| [k, v]).collect());
    }
}

impl Drop for RubyScope<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Drops values one after the other: dropping a value would drop what it contains by recursion, however deep that is.
fn dismantle(mut values: Vec<RubyValue<'_>>) {
    while let Some(value) = values.pop() {
        match value {
            RubyValue::Array(items) | RubyValue::Set(items) => {
                if let Some(cell) = Rc::into_inner(items) {
                    values.append(&mut cell.borrow_mut().0);
                }
            }
            RubyValue::Hash(hash) => {
                if let Some(hash) = Rc::into_inner(hash) {
                    values.extend(hash.pairs.borrow_mut().drain(..).flat_map(|(k, v)| [k, v]));
                }
            }
            RubyValue::Object(object) => {
                if let Some(object) = Rc::into_inner(object) {
                    values.extend(std::mem::take(&mut *object.variables.borrow_mut()).into_values());
                }
            }
            RubyValue::Range(range) => {
                if let Some((first, last, _)) = Rc::into_inner(range) {
                    values.extend([first, last]);
                }
            }
            _ => {}
        }
    }
}

/// Why a value is not known, and where it comes from.
#[derive(Debug)]
pub struct Unknown {
    pub reason: String,
    /// Index of the file.
    pub file: usize,
    pub at: ByteRange,
}

/// A regex: its source and flags, as in Ruby.
#[derive(Debug, PartialEq, Eq)]
pub struct RubyPattern {
    pub source: String,
    /// Of `i`, `m` and `x`.
    pub flags: String,
}

/// A `Hash`; its pairs keep their order.
pub struct HashObject<'w> {
    pub pairs: RefCell<Vec<(RubyValue<'w>, RubyValue<'w>)>>,
    /// The value of missing keys: a value, or a block of hash and key.
    pub default: RefCell<RubyValue<'w>>,
    pub default_block: Option<Rc<Proc<'w>>>,
}

/// An object of a class that Ruby code defines.
pub struct RubyObject<'w> {
    pub class: ClassId,
    pub variables: RefCell<BTreeMap<Name, RubyValue<'w>>>,
}

/// The code of a block, `lambda`, `&:symbol` or `method(:x)`.
#[derive(Clone)]
pub enum ProcCode<'w> {
    Block(Rc<BlockNode<'w>>),
    Lambda(Rc<LambdaNode<'w>>),
    Symbol(Name),
    Method(Rc<Method<'w>>, RubyValue<'w>),
}

/// A closure.
#[derive(Clone)]
pub struct Proc<'w> {
    pub code: ProcCode<'w>,
    pub file: usize,
    pub scope: Rc<RubyScope<'w>>,
    pub self_value: RubyValue<'w>,
    pub cref: Rc<Cref>,
    /// Where `def` defines methods.
    pub definee: ClassId,
    /// Whether `return` ends it, as in a `lambda`.
    pub is_lambda: bool,
    /// The method call that `return` ends otherwise.
    pub home: u64,
    /// The call that `break` ends.
    pub breaks: u64,
    /// What `super` and `yield` in it belong to.
    pub method: Option<Rc<MethodFrame<'w>>>,
}

impl Proc<'_> {
    /// Returns the file and place of its code, if it has code of its own.
    pub fn place(&self) -> Option<(usize, ByteRange)> {
        match &self.code {
            ProcCode::Block(node) => Some((self.file, ruby::at(&node.location()))),
            ProcCode::Lambda(node) => Some((self.file, ruby::at(&node.location()))),
            ProcCode::Method(..) | ProcCode::Symbol(_) => None,
        }
    }
}

/// A method that is running.
pub struct MethodFrame<'w> {
    pub name: Name,
    /// The class or module that defines it.
    pub owner: ClassId,
    pub arguments: CallArguments<'w>,
}

/// The evaluated arguments of a call.
#[derive(Clone, Default)]
pub struct CallArguments<'w> {
    pub plain: Vec<RubyValue<'w>>,
    pub named: Vec<(RubyValue<'w>, RubyValue<'w>)>,
    pub block: Option<Rc<Proc<'w>>>,
}

impl<'w> CallArguments<'w> {
    pub fn of(plain: Vec<RubyValue<'w>>) -> CallArguments<'w> {
        CallArguments { plain, ..CallArguments::default() }
    }

    /// Returns the positional arguments; named ones form a hash at the end.
    pub fn all(&self) -> Vec<RubyValue<'w>> {
        let mut all = self.plain.clone();
        if !self.named.is_empty() {
            all.push(RubyValue::hash(self.named.clone()));
        }
        all
    }

    /// Returns the options: named arguments, or a hash at the end.
    pub fn options(&self) -> Vec<(RubyValue<'w>, RubyValue<'w>)> {
        let mut all = match self.plain.last() {
            Some(RubyValue::Hash(hash)) => hash.pairs.borrow().clone(),
            _ => Vec::new(),
        };
        all.extend(self.named.iter().cloned());
        all
    }
}

/// The local variables of a method or block.
#[derive(Default)]
pub struct RubyScope<'w> {
    pub variables: RefCell<BTreeMap<Name, RubyValue<'w>>>,
    pub outer: Option<Rc<RubyScope<'w>>>,
    /// Groups of the last match.
    pub matched: RefCell<Option<Vec<RubyValue<'w>>>>,
}

impl<'w> RubyScope<'w> {
    pub fn inside(outer: &Rc<RubyScope<'w>>) -> Rc<RubyScope<'w>> {
        Rc::new(RubyScope { outer: Some(Rc::clone(outer)), variables: RefCell::default(), matched: RefCell::default() })
    }

    /// Forgets its variables; closures among them refer to it.
    pub fn clear(&self) {
        let variables = std::mem::take(&mut *self.variables.borrow_mut());
        dismantle(variables.into_values().collect());
    }

    pub fn get(&self, name: &str) -> Option<RubyValue<'w>> {
        let mut scope = Some(self);
        while let Some(at) = scope {
            if let Some(found) = at.variables.borrow().get(name) {
                return Some(found.clone());
            }
            scope = at.outer.as_deref();
        }
        None
    }

    /// Assigns a variable where it exists, or creates it here.
    pub fn set(&self, name: &str, value: RubyValue<'w>) {
        let mut scope = Some(self);
        while let Some(at) = scope {
            if let Some(found) = at.variables.borrow_mut().get_mut(name) {
                *found = value;
                return;
            }
            scope = at.outer.as_deref();
        }
        self.declare(name, value);
    }

    /// Creates a variable here, hiding outer ones.
    pub fn declare(&self, name: &str, value: RubyValue<'w>) {
        self.variables.borrow_mut().insert(Name::from(name), value);
    }

    /// Returns all visible variables.
    pub fn all(&self) -> BTreeMap<Name, RubyValue<'w>> {
        let mut all = self.outer.as_ref().map(|o| o.all()).unwrap_or_default();
        all.extend(self.variables.borrow().iter().map(|(k, v)| (Rc::clone(k), v.clone())));
        all
    }
}

impl<'w> RubyValue<'w> {
    pub fn str(text: impl Into<String>) -> RubyValue<'w> {
        RubyValue::Str(Rc::new(RefCell::new(text.into())))
    }

    pub fn sym(text: &str) -> RubyValue<'w> {
        RubyValue::Sym(Name::from(text))
    }

    pub fn array(items: Vec<RubyValue<'w>>) -> RubyValue<'w> {
        RubyValue::Array(Rc::new(RefCell::new(RubyList(items))))
    }

    /// Returns a set of the different items.
    pub fn set(items: Vec<RubyValue<'w>>) -> RubyValue<'w> {
        let mut all: Vec<RubyValue<'w>> = Vec::new();
        for item in items {
            if !all.iter().any(|known| known.same_key(&item)) {
                all.push(item);
            }
        }
        RubyValue::Set(Rc::new(RefCell::new(RubyList(all))))
    }

    pub fn hash(pairs: Vec<(RubyValue<'w>, RubyValue<'w>)>) -> RubyValue<'w> {
        let hash = HashObject::default();
        for (key, value) in pairs {
            hash.insert(key, value);
        }
        RubyValue::Hash(Rc::new(hash))
    }

    pub fn int(number: usize) -> RubyValue<'w> {
        RubyValue::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Returns whether it counts as true; a value that is not known is neither.
    pub fn is_true(&self) -> Option<bool> {
        match self {
            RubyValue::Nil | RubyValue::Bool(false) => Some(false),
            RubyValue::Unknown(_) => None,
            _ => Some(true),
        }
    }

    pub fn is_nil(&self) -> bool {
        matches!(self, RubyValue::Nil)
    }

    pub fn unknown(&self) -> Option<&Rc<Unknown>> {
        match self {
            RubyValue::Unknown(unknown) => Some(unknown),
            _ => None,
        }
    }

    /// Returns the text of a string, symbol or path.
    pub fn word(&self) -> Option<String> {
        match self {
            RubyValue::Sym(word) | RubyValue::Path(word) => Some(word.to_string()),
            RubyValue::Str(text) => Some(text.borrow().clone()),
            _ => None,
        }
    }

    /// Returns a part of it that is not known, at any depth.
    pub fn first_unknown(&self, depth: usize) -> Option<Rc<Unknown>> {
        if depth == 0 {
            return None;
        }
        match self {
            RubyValue::Unknown(unknown) => Some(Rc::clone(unknown)),
            RubyValue::Array(items) | RubyValue::Set(items) => items.borrow().iter().find_map(|i| i.first_unknown(depth - 1)),
            RubyValue::Hash(hash) => {
                hash.pairs.borrow().iter().find_map(|(k, v)| k.first_unknown(depth - 1).or_else(|| v.first_unknown(depth - 1)))
            }
            _ => None,
        }
    }

    /// Compares with `==`; `None` if that is not known.
    pub fn equal(&self, other: &RubyValue<'w>) -> Option<bool> {
        self.equal_to(other, MAX_NESTING)
    }

    fn equal_to(&self, other: &RubyValue<'w>, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        Some(match (self, other) {
            (RubyValue::Unknown(a), RubyValue::Unknown(b)) if Rc::ptr_eq(a, b) => true,
            (RubyValue::Unknown(_), _) | (_, RubyValue::Unknown(_)) => return None,
            (RubyValue::Nil, RubyValue::Nil) => true,
            (RubyValue::Bool(a), RubyValue::Bool(b)) => a == b,
            (RubyValue::Int(a), RubyValue::Int(b)) => a == b,
            (RubyValue::Float(a), RubyValue::Float(b)) => a == b,
            (RubyValue::Int(a), RubyValue::Float(b)) | (RubyValue::Float(b), RubyValue::Int(a)) => *a as f64 == *b,
            (RubyValue::Sym(a), RubyValue::Sym(b)) => a == b,
            (RubyValue::Path(a), RubyValue::Path(b)) => a == b,
            (RubyValue::Str(a), RubyValue::Str(b)) => *a.borrow() == *b.borrow(),
            (RubyValue::Array(a), RubyValue::Array(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                if a.len() != b.len() {
                    return Some(false);
                }
                for (a, b) in a.iter().zip(b.iter()) {
                    if !a.equal_to(b, depth)? {
                        return Some(false);
                    }
                }
                true
            }
            (RubyValue::Set(a), RubyValue::Set(b)) => {
                let (a, b) = (a.borrow(), b.borrow());
                a.len() == b.len() && a.iter().all(|x| b.iter().any(|y| x.equal_to(y, depth) == Some(true)))
            }
            (RubyValue::Hash(a), RubyValue::Hash(b)) => {
                if a.pairs.borrow().len() != b.pairs.borrow().len() {
                    return Some(false);
                }
                for (key, value) in a.pairs.borrow().iter() {
                    match b.get(key) {
                        Some(other) if value.equal_to(&other, depth)? => {}
                        _ => return Some(false),
                    }
                }
                true
            }
            (RubyValue::Range(a), RubyValue::Range(b)) => a.2 == b.2 && a.0.equal_to(&b.0, depth)? && a.1.equal_to(&b.1, depth)?,
            (RubyValue::Regex(a), RubyValue::Regex(b)) => a == b,
            (RubyValue::Class(a), RubyValue::Class(b)) => a == b,
            (RubyValue::Object(a), RubyValue::Object(b)) => Rc::ptr_eq(a, b),
            (RubyValue::Proc(a), RubyValue::Proc(b)) => Rc::ptr_eq(a, b),
            _ => false,
        })
    }

    /// Compares as keys of a hash are: `1` and `1.0` differ.
    pub fn same_key(&self, other: &RubyValue<'w>) -> bool {
        !matches!((self, other), (RubyValue::Int(_), RubyValue::Float(_)) | (RubyValue::Float(_), RubyValue::Int(_)))
            && self.equal(other) == Some(true)
    }

    /// Returns a copy of a string, array, hash or set; everything else is returned as it is.
    pub fn copied(&self) -> RubyValue<'w> {
        match self {
            RubyValue::Str(text) => RubyValue::str(text.borrow().as_str()),
            RubyValue::Array(items) => RubyValue::array(items.borrow().0.clone()),
            RubyValue::Set(items) => RubyValue::set(items.borrow().0.clone()),
            RubyValue::Hash(hash) => RubyValue::Hash(Rc::new(HashObject {
                pairs: RefCell::new(hash.pairs.borrow().clone()),
                default: RefCell::new(hash.default.borrow().clone()),
                default_block: hash.default_block.clone(),
            })),
            RubyValue::Object(object) => {
                RubyValue::Object(Rc::new(RubyObject { class: object.class, variables: RefCell::new(object.variables.borrow().clone()) }))
            }
            other => other.clone(),
        }
    }

    /// Returns its approximate size in bytes.
    pub fn weight(&self) -> usize {
        match self {
            RubyValue::Path(path) => 16 + path.len(),
            RubyValue::Str(text) => 16 + text.borrow().len(),
            RubyValue::Array(items) | RubyValue::Set(items) => 16 + 16 * items.borrow().len(),
            RubyValue::Hash(hash) => 16 + 32 * hash.pairs.borrow().len(),
            RubyValue::Regex(regex) => 16 + regex.source.len(),
            _ => 16,
        }
    }
}

/// Maximum nesting of values that are compared or written.
pub const MAX_NESTING: usize = 48;

impl<'w> Default for HashObject<'w> {
    fn default() -> HashObject<'w> {
        HashObject { pairs: RefCell::default(), default: RefCell::new(RubyValue::Nil), default_block: None }
    }
}

impl<'w> HashObject<'w> {
    pub fn get(&self, key: &RubyValue<'w>) -> Option<RubyValue<'w>> {
        self.pairs.borrow().iter().find(|(k, _)| k.same_key(key)).map(|(_, v)| v.clone())
    }

    /// Sets a key, in its place if it exists. Keys that are strings are copied, as in Ruby.
    pub fn insert(&self, key: RubyValue<'w>, value: RubyValue<'w>) {
        let mut pairs = self.pairs.borrow_mut();
        match pairs.iter_mut().find(|(k, _)| k.same_key(&key)) {
            Some((_, place)) => *place = value,
            None => pairs.push((if matches!(key, RubyValue::Str(_)) { key.copied() } else { key }, value)),
        }
    }

    pub fn remove(&self, key: &RubyValue<'w>) -> Option<RubyValue<'w>> {
        let mut pairs = self.pairs.borrow_mut();
        let at = pairs.iter().position(|(k, _)| k.same_key(key))?;
        Some(pairs.remove(at).1)
    }
}
