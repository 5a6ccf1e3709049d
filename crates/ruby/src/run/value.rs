//! Values of running Ruby code.

use super::classes::ClassKey;
use super::frame::{Environment, Frame, MethodEntry};
use crate::hir::{BodyId, HirText, RegexFlags, SourceRange};
use indexmap::IndexMap;
use rtype_lang::value::Regex;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The reason why a value is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// A Ruby method without an implementation.
    Method {
        /// The class of the receiver.
        class: String,
        /// The method.
        name: String,
    },
    /// Syntax without a core form.
    Syntax(&'static str),
    /// A file that was not found.
    File(String),
    /// A constant that a missing file may define.
    Constant(String),
    /// The value depends on an unknown condition.
    Branch,
    /// Another reason.
    Other(String),
    /// The embedder does not know the value.
    Embedder(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Method { class, name } => write!(f, "method `{name}` of `{class}` is not supported"),
            UnknownReason::Syntax(what) => write!(f, "{what} is not supported"),
            UnknownReason::File(path) => write!(f, "file `{path}` was not found"),
            UnknownReason::Constant(name) => write!(f, "constant `{name}` is not defined in the files that were read"),
            UnknownReason::Branch => f.write_str("the value depends on a condition that is not known"),
            UnknownReason::Other(text) | UnknownReason::Embedder(text) => f.write_str(text),
        }
    }
}

/// A value that is not known.
#[derive(Debug)]
pub struct UnknownValue {
    /// Why the value is unknown.
    pub reason: UnknownReason,
    /// The expression that has the value.
    pub origin: SourceRange,
    /// The branches' values, which may also be unknown. A change to the unknown value may change them.
    pub options: Vec<RuntimeValue>,
}

impl Drop for UnknownValue {
    fn drop(&mut self) {
        bury(|out| out.append(&mut self.options));
    }
}

/// A value.
#[derive(Clone, Default)]
pub enum RuntimeValue {
    /// `nil`.
    #[default]
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// An integer. Results beyond 64 bits are unknown.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A symbol.
    Sym(HirText),
    /// A string.
    Str(Rc<SharedCell<String>>),
    /// A list.
    Array(Rc<SharedCell<Vec<RuntimeValue>>>),
    /// A hash.
    Hash(Rc<SharedCell<HashContent>>),
    /// A range.
    Range(Rc<RangeCell>),
    /// A regex.
    Regex(Rc<RegexCell>),
    /// The result of a match.
    Match(Rc<MatchCell>),
    /// A block, proc or lambda.
    Proc(Rc<ProcCell>),
    /// A bound or unbound method.
    Method(Rc<MethodCell>),
    /// A class or module.
    Class(ClassKey),
    /// Any other object.
    Object(Rc<ObjectCell>),
    /// A value that is not known.
    Unknown(Rc<UnknownValue>),
}

impl std::fmt::Debug for RuntimeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RuntimeValue::Nil => f.write_str("nil"),
            RuntimeValue::Bool(value) => write!(f, "{value}"),
            RuntimeValue::Int(number) => write!(f, "{number}"),
            RuntimeValue::Float(number) => write!(f, "{number:?}"),
            RuntimeValue::Sym(name) => write!(f, ":{name}"),
            RuntimeValue::Str(text) => f.write_str(&text.content.borrow()),
            RuntimeValue::Array(_) => f.write_str("[…]"),
            RuntimeValue::Hash(_) => f.write_str("{…}"),
            RuntimeValue::Unknown(why) => write!(f, "unknown ({})", why.reason),
            _ => f.write_str("object"),
        }
    }
}

/// Mutable content.
pub trait Contents {
    /// Moves the contained values to a list.
    fn take_values(&mut self, out: &mut Vec<RuntimeValue>);
}

impl Contents for String {
    fn take_values(&mut self, _: &mut Vec<RuntimeValue>) {}
}

impl Contents for Vec<RuntimeValue> {
    fn take_values(&mut self, out: &mut Vec<RuntimeValue>) {
        out.append(self);
    }
}

impl Contents for IndexMap<HirText, RuntimeValue> {
    fn take_values(&mut self, out: &mut Vec<RuntimeValue>) {
        out.extend(std::mem::take(self).into_values());
    }
}

/// A shared mutable object.
pub struct SharedCell<T: Contents> {
    /// The content; meaningless if lost.
    pub(crate) content: RefCell<T>,
    /// Why the content is unknown.
    pub(crate) lost: RefCell<Option<Rc<UnknownValue>>>,
    /// True if changes are errors.
    pub(crate) frozen: Cell<bool>,
    /// The number of previously created containers, see [`created`].
    pub(crate) born: u64,
}

impl<T: Contents> SharedCell<T> {
    pub(crate) fn new(content: T) -> Rc<SharedCell<T>> {
        Rc::new(SharedCell { content: RefCell::new(content), lost: RefCell::default(), frozen: Cell::new(false), born: create() })
    }
}

impl<T: Contents> Drop for SharedCell<T> {
    fn drop(&mut self) {
        bury(|out| self.content.get_mut().take_values(out));
    }
}

thread_local! {
    /// Number of containers and scopes so far. Loops compare this number to find new containers.
    static CREATED: Cell<u64> = const { Cell::new(0) };
    /// Values from dropped containers, while a container is being dropped. Nested containers are dropped one after the other, because deep
    /// nesting would need a large stack.
    static BURIED: RefCell<Option<Vec<RuntimeValue>>> = const { RefCell::new(None) };
}

/// Returns the number of containers and scopes so far.
pub(crate) fn created() -> u64 {
    CREATED.with(Cell::get)
}

/// Counts a new container or scope.
pub(crate) fn create() -> u64 {
    CREATED.with(|count| count.replace(count.get() + 1))
}

/// Drops the values that a function moves to a list.
pub(crate) fn bury(take: impl FnOnce(&mut Vec<RuntimeValue>)) {
    let mut values = Vec::new();
    take(&mut values);
    if values.is_empty() {
        return;
    }
    let is_nested = BURIED.with(|buried| match &mut *buried.borrow_mut() {
        Some(list) => {
            list.append(&mut values);
            true
        }
        none => {
            *none = Some(std::mem::take(&mut values));
            false
        }
    });
    if is_nested {
        return;
    }
    while let Some(value) = BURIED.with(|buried| buried.borrow_mut().as_mut().and_then(Vec::pop)) {
        drop(value);
    }
    BURIED.with(|buried| *buried.borrow_mut() = None);
}

/// A hash key: equal keys are `eql?` in Ruby.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum HashKey {
    Nil,
    Bool(bool),
    Int(i64),
    Float(u64),
    Sym(HirText),
    Str(String),
    Array(Vec<HashKey>),
    Pairs(Vec<(HashKey, HashKey)>),
    Range(Box<(HashKey, HashKey, bool)>),
    Class(ClassKey),
    /// The result from the object's own `hash` method.
    Hashed(i64),
    /// An object equal only to itself.
    Identity(usize),
}

/// The content of a hash.
#[derive(Clone, Default)]
pub struct HashContent {
    pub(crate) entries: IndexMap<HashKey, (RuntimeValue, RuntimeValue)>,
    pub(crate) default: RuntimeValue,
    /// The block of `Hash.new`.
    pub(crate) default_proc: RuntimeValue,
    /// Number of running iterations. Meanwhile no key may be added.
    pub(crate) iterations: u32,
}

impl Contents for HashContent {
    fn take_values(&mut self, out: &mut Vec<RuntimeValue>) {
        out.extend(std::mem::take(&mut self.entries).into_values().flat_map(|(key, value)| [key, value]));
        out.push(std::mem::take(&mut self.default_proc));
    }
}

/// A range.
pub struct RangeCell {
    pub(crate) low: RuntimeValue,
    pub(crate) high: RuntimeValue,
    pub(crate) exclusive: bool,
}

/// A regex.
pub struct RegexCell {
    pub(crate) source: HirText,
    pub(crate) flags: RegexFlags,
    /// The compiled regex, if the language supports the syntax.
    pub(crate) compiled: Option<Regex>,
}

/// The result of a match.
pub struct MatchCell {
    pub(crate) regex: Rc<RegexCell>,
    pub(crate) text: String,
    /// Byte ranges of the groups.
    pub(crate) groups: Vec<Option<std::ops::Range<usize>>>,
}

/// The code of a proc.
#[derive(Clone)]
pub(crate) enum ProcCode {
    /// A block.
    Body(BodyId),
    /// `:name.to_proc`.
    Symbol(HirText),
    /// `method(:name).to_proc`.
    Method(Rc<MethodCell>),
    /// Code of the interpreter: `f >> g`.
    Compose(RuntimeValue, RuntimeValue),
}

/// A block, proc or lambda.
pub struct ProcCell {
    pub(crate) code: ProcCode,
    pub(crate) frame: Frame,
    pub(crate) is_lambda: bool,
}

/// A method of an object.
pub struct MethodCell {
    pub(crate) receiver: Option<RuntimeValue>,
    pub(crate) entry: Rc<MethodEntry>,
}

/// An object with a class and instance variables.
pub struct ObjectCell {
    /// The class, or the singleton class.
    pub(crate) class: Cell<ClassKey>,
    /// The instance variables. Names without `@` are hidden from Ruby code.
    pub(crate) variables: SharedCell<IndexMap<HirText, RuntimeValue>>,
}

impl ObjectCell {
    pub(crate) fn new(class: ClassKey) -> Rc<ObjectCell> {
        let variables = SharedCell { content: RefCell::default(), lost: RefCell::default(), frozen: Cell::new(false), born: create() };
        Rc::new(ObjectCell { class: Cell::new(class), variables })
    }

    pub(crate) fn get(&self, name: &str) -> Option<RuntimeValue> {
        self.variables.content.borrow().get(name).cloned()
    }
}

impl RuntimeValue {
    /// Creates a string.
    pub fn str(text: impl Into<String>) -> RuntimeValue {
        RuntimeValue::Str(SharedCell::new(text.into()))
    }

    /// Creates a symbol.
    pub fn sym(name: &str) -> RuntimeValue {
        RuntimeValue::Sym(name.into())
    }

    /// Creates a list.
    pub fn array(items: Vec<RuntimeValue>) -> RuntimeValue {
        RuntimeValue::Array(SharedCell::new(items))
    }

    /// Converts a number of elements.
    pub(crate) fn count(number: usize) -> RuntimeValue {
        RuntimeValue::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Returns true if conditions accept the value; an error if the value is unknown.
    pub fn truth(&self) -> Result<bool, Rc<UnknownValue>> {
        match self {
            RuntimeValue::Nil | RuntimeValue::Bool(false) => Ok(false),
            RuntimeValue::Unknown(why) => Err(Rc::clone(why)),
            _ => Ok(true),
        }
    }

    pub(crate) fn is_nil(&self) -> bool {
        matches!(self, RuntimeValue::Nil)
    }

    /// Returns the address of an object.
    pub(crate) fn address(&self) -> Option<usize> {
        Some(match self {
            RuntimeValue::Str(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Array(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Hash(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Range(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Regex(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Match(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Proc(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Method(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Object(cell) => Rc::as_ptr(cell) as usize,
            RuntimeValue::Unknown(cell) => Rc::as_ptr(cell) as usize,
            _ => return None,
        })
    }

    /// Returns true if two values are the same object.
    pub(crate) fn is_same(&self, other: &RuntimeValue) -> bool {
        use RuntimeValue as V;
        match (self, other) {
            (V::Nil, V::Nil) => true,
            (V::Bool(a), V::Bool(b)) => a == b,
            (V::Int(a), V::Int(b)) => a == b,
            (V::Float(a), V::Float(b)) => a.to_bits() == b.to_bits(),
            (V::Sym(a), V::Sym(b)) => a == b,
            (V::Class(a), V::Class(b)) => a == b,
            _ => {
                self.address().is_some()
                    && self.address() == other.address()
                    && std::mem::discriminant(self) == std::mem::discriminant(other)
            }
        }
    }
}

/// Clears captured variables.
pub(crate) fn clear(environments: &[std::rc::Weak<Environment>]) {
    for environment in environments.iter().filter_map(std::rc::Weak::upgrade) {
        bury(|out| out.append(&mut environment.slots.borrow_mut()));
    }
}
