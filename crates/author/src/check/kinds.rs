//! Infers the possible kinds of values of expressions.
//!
//! The inference is conservative: a kind is excluded only if it is impossible.

use super::blocks::each_node;
use rtype_lang::types::builtin::{Function, Method};
use rtype_lang::types::{AttrId, AttributeDef, BinaryOp, CodeBlock, Matcher, Node, Op, Role, TypeDef, ValueStep};
use rtype_lang::value::{DataType, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A set of kinds of values. Numbers are one kind, because `1 == 1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u16);

impl Kinds {
    pub const NONE: Kinds = Kinds(0);
    pub const NIL: Kinds = Kinds(1);
    pub const BOOL: Kinds = Kinds(2);
    pub const NUMBER: Kinds = Kinds(4);
    pub const STR: Kinds = Kinds(8);
    pub const SYM: Kinds = Kinds(16);
    pub const LIST: Kinds = Kinds(32);
    pub const MAP: Kinds = Kinds(64);
    pub const OTHER: Kinds = Kinds(128);
    pub const ANY: Kinds = Kinds(255);
    /// Kinds of a value that matches a regex of `newvalues`.
    const SCALAR: Kinds = Kinds(2 | 4 | 8 | 16);

    const NAMES: &[(Kinds, &str)] = &[
        (Kinds::NIL, "nil"),
        (Kinds::BOOL, "a boolean"),
        (Kinds::NUMBER, "a number"),
        (Kinds::STR, "a string"),
        (Kinds::SYM, "a symbol"),
        (Kinds::LIST, "a list"),
        (Kinds::MAP, "a map"),
        (Kinds::OTHER, "something else"),
    ];

    fn of(value: &Value) -> Kinds {
        match value.unwrapped() {
            Value::Nil => Kinds::NIL,
            Value::Bool(_) => Kinds::BOOL,
            Value::Int(_) | Value::Float(_) => Kinds::NUMBER,
            Value::Str(_) => Kinds::STR,
            Value::Sym(_) => Kinds::SYM,
            Value::Array(_) => Kinds::LIST,
            Value::Map(_) => Kinds::MAP,
            Value::Unknown => Kinds::ANY,
            _ => Kinds::OTHER,
        }
    }

    pub const fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    const fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    /// Describes the kinds, omitting nil and lists if there are others: any attribute may be unset or have several values.
    pub fn words(self) -> String {
        let rest = self.without(Kinds::NIL.or(Kinds::LIST));
        let shown = if rest == Kinds::NONE { self } else { rest };
        let names: Vec<&str> = Kinds::NAMES.iter().filter(|(kind, _)| shown.and(*kind) != Kinds::NONE).map(|(_, name)| *name).collect();
        names.join(" or ")
    }
}

/// The possible values of an expression.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    pub kinds: Kinds,
    /// The only possible strings and symbols; `None` if any is possible.
    pub only: Option<Vec<Value>>,
    /// Strings that are impossible.
    never: Vec<Value>,
}

impl Possible {
    pub const fn any() -> Possible {
        Possible::kinds(Kinds::ANY)
    }

    pub const fn kinds(kinds: Kinds) -> Possible {
        Possible { kinds, only: None, never: Vec::new() }
    }

    pub fn may_be(&self, kinds: Kinds) -> bool {
        self.kinds.and(kinds) != Kinds::NONE
    }

    /// Returns exactly this value.
    pub fn value(value: &Value) -> Possible {
        let value = value.unwrapped();
        let letters = matches!(value, Value::Str(_) | Value::Sym(_));
        Possible { kinds: Kinds::of(value), only: letters.then(|| vec![value.clone()]), never: Vec::new() }
    }

    fn or(self, other: Possible) -> Possible {
        if other.kinds == Kinds::NONE {
            return self;
        }
        if self.kinds == Kinds::NONE {
            return other;
        }
        let letters = Kinds::STR.or(Kinds::SYM);
        let kinds = self.kinds.or(other.kinds);
        let (mine, theirs) = (self.may_be(letters), other.may_be(letters));
        let never = match (self.may_be(Kinds::STR), other.may_be(Kinds::STR)) {
            (true, true) => self.never.into_iter().filter(|v| other.never.contains(v)).collect(),
            (false, true) => other.never,
            (_, false) => self.never,
        };
        let only = match (self.only, other.only) {
            (Some(mut a), Some(b)) => {
                a.extend(b);
                Some(a)
            }
            (Some(a), None) if !theirs => Some(a),
            (None, Some(b)) if !mine => Some(b),
            _ => None,
        };
        Possible { kinds, only, never }
    }

    fn limited(mut self, kinds: Kinds) -> Possible {
        self.kinds = self.kinds.and(kinds);
        self
    }

    fn admits(&self, value: &Value) -> bool {
        self.may_be(Kinds::of(value)) && !self.never.contains(value) && self.only.as_ref().is_none_or(|only| only.contains(value))
    }

    /// Returns whether no value is possible on both sides.
    pub fn excludes(&self, other: &Possible) -> bool {
        let common = self.kinds.and(other.kinds);
        if self.kinds == Kinds::NONE || other.kinds == Kinds::NONE {
            return false;
        }
        if common.without(Kinds::STR.or(Kinds::SYM)) != Kinds::NONE {
            return false;
        }
        match (&self.only, &other.only) {
            _ if common == Kinds::NONE => true,
            (Some(only), _) => !only.iter().any(|v| self.admits(v) && other.admits(v)),
            (None, Some(only)) => !only.iter().any(|v| self.admits(v) && other.admits(v)),
            (None, None) => false,
        }
    }
}

/// The possible values of the attributes of a type, computed on demand.
pub(super) struct Attributes<'a> {
    type_def: &'a TypeDef,
    /// `None` while an attribute is being computed: one that depends on itself may have any value.
    known: RefCell<HashMap<AttrId, Option<Possible>>>,
}

impl<'a> Attributes<'a> {
    pub fn new(type_def: &'a TypeDef) -> Attributes<'a> {
        Attributes { type_def, known: RefCell::default() }
    }

    /// Returns the possible values of `self.x`.
    pub fn of(&self, id: AttrId) -> Possible {
        if let Some(known) = self.known.borrow().get(&id) {
            return known.clone().unwrap_or(Possible::any());
        }
        self.known.borrow_mut().insert(id, None);
        let possible = self.type_def.attribute(id).map_or(Possible::any(), |a| self.look(a));
        self.known.borrow_mut().insert(id, Some(possible.clone()));
        possible
    }

    /// Returns the possible values of an attribute.
    pub fn of_attribute(&self, attribute: &AttributeDef) -> Possible {
        self.type_def.id_of(attribute.name.as_str()).map_or(Possible::any(), |id| self.of(id))
    }

    fn look(&self, attribute: &AttributeDef) -> Possible {
        let elsewhere = attribute.unmunge.is_some() || attribute.should.is_some() || attribute.native.is_some();
        if elsewhere || attribute.role == Role::Metaparam {
            return Possible::any();
        }
        let made = match attribute.munge.steps.last() {
            Some(ValueStep::Code(code)) => Typing::new(self, code, &munge_params(attribute, code), None).result(),
            _ if attribute.munge.dropped.is_some() => return Possible::any(),
            _ => before_munge(attribute),
        };
        // An attribute may be unset or have several values.
        made.or(Possible::kinds(Kinds::NIL.or(Kinds::LIST)))
    }
}

/// The possible values of the expressions in one block.
pub(super) struct Typing<'a> {
    attributes: &'a Attributes<'a>,
    code: &'a CodeBlock,
    attribute: Option<&'a AttributeDef>,
    locals: HashMap<u16, Possible>,
}

impl<'a> Typing<'a> {
    /// Creates the inference for a block with these possible parameters; further parameters may have any value. `attribute` is the
    /// attribute that the block belongs to.
    pub fn new(
        attributes: &'a Attributes<'a>,
        code: &'a CodeBlock,
        params: &[Possible],
        attribute: Option<&'a AttributeDef>,
    ) -> Typing<'a> {
        let mut typing = Typing { attributes, code, attribute, locals: HashMap::new() };
        let mut changed: HashSet<u16> = HashSet::new();
        let mut once: HashSet<u16> = HashSet::new();
        let mut set: Vec<(u16, &Node)> = Vec::new();
        each_node(&code.inner.body, &mut |node| match &node.op {
            Op::SetLocal(slot, value) => {
                if *slot < code.inner.params || !once.insert(*slot) {
                    changed.insert(*slot);
                } else {
                    set.push((*slot, value));
                }
            }
            Op::Destructure(slots, _) => changed.extend(slots),
            Op::Try(_, handler) => changed.extend(handler.slot.iter().chain(&handler.class)),
            Op::Call(_, _, Some(closure)) | Op::Method(_, _, _, Some(closure)) => changed.extend(&closure.params),
            _ => {}
        });
        for (slot, possible) in (0..).zip(params).filter(|(slot, _)| !changed.contains(slot)) {
            typing.locals.insert(slot, possible.clone());
        }
        // A local is assigned before it is read.
        for (slot, value) in set.into_iter().filter(|(slot, _)| !changed.contains(slot)) {
            let possible = typing.of(value);
            typing.locals.insert(slot, possible);
        }
        typing
    }

    /// Returns the possible results of the block.
    pub fn result(&self) -> Possible {
        let mut result = self.of(&self.code.inner.body);
        each_node(&self.code.inner.body, &mut |node| {
            if let Op::Return(value) | Op::Next(value) = &node.op {
                let given = value.as_ref().map_or(Possible::kinds(Kinds::NIL), |v| self.of(v));
                result = std::mem::replace(&mut result, Possible::any()).or(given);
            }
        });
        result
    }

    /// Returns the possible values of an expression in the block.
    pub fn of(&self, node: &Node) -> Possible {
        let kinds = match &node.op {
            Op::Const(value) => return Possible::value(value),
            Op::Local(slot) => return self.locals.get(slot).cloned().unwrap_or(Possible::any()),
            Op::SetLocal(_, value) => return self.of(value),
            Op::SelfAttr(id) => return self.attributes.of(*id),
            Op::SelfIndex(name) => match &name.op {
                Op::Const(Value::Sym(name)) => match self.attributes.type_def.id_of(name.as_str()) {
                    Some(id) => return self.attributes.of(id),
                    None => Kinds::ANY,
                },
                _ => Kinds::ANY,
            },
            Op::Should => return self.attribute.map_or(Possible::any(), |a| self.attributes.of_attribute(a)),
            Op::Concat(_) => Kinds::STR,
            Op::Array(_) => Kinds::LIST,
            Op::Map(_) => Kinds::MAP,
            Op::Attribute => Kinds::SYM,
            Op::ProviderName => Kinds::SYM.or(Kinds::NIL),
            Op::SelfTrue(_) | Op::SelfIsSet(_) | Op::SelfManaged | Op::ProviderHas(_) | Op::Not(_) => Kinds::BOOL,
            Op::Negate(_) => Kinds::NUMBER,
            Op::Capture(_) => Kinds::STR.or(Kinds::NIL),
            Op::SelfRef => Kinds::OTHER,
            Op::Call(function, _, _) => function_kinds(*function),
            Op::Method(method, receiver, _, _) => self.method(*method, receiver),
            Op::Binary(op, left, right) => return self.binary(*op, left, right),
            Op::If(branches, otherwise) => {
                let nothing = Possible::kinds(if otherwise.is_some() { Kinds::NONE } else { Kinds::NIL });
                let bodies = branches.iter().map(|(_, body)| body).chain(otherwise.as_deref());
                return bodies.fold(nothing, |all, body| all.or(self.of(body)));
            }
            Op::Match(_, arms) => return arms.iter().fold(Possible::kinds(Kinds::NONE), |all, arm| all.or(self.of(&arm.body))),
            Op::Try(tried, handler) => return self.of(tried).or(self.of(&handler.body)),
            Op::Seq(all) => return all.last().map_or(Possible::kinds(Kinds::NIL), |last| self.of(last)),
            // What was not translated may have any value.
            Op::Untranslated(_) => return Possible::any(),
            Op::Fail(..) | Op::Return(_) | Op::Next(_) => Kinds::NONE,
            _ => Kinds::ANY,
        };
        Possible::kinds(kinds)
    }

    fn binary(&self, op: BinaryOp, left: &Node, right: &Node) -> Possible {
        use BinaryOp as B;
        match op {
            B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::NotMatch => Possible::kinds(Kinds::BOOL),
            B::Compare => Possible::kinds(Kinds::NUMBER.or(Kinds::NIL)),
            B::Or => {
                let left = self.of(left);
                let true_ones = left.kinds.without(Kinds::NIL);
                left.limited(true_ones).or(self.of(right))
            }
            B::And => self.of(left).limited(Kinds::NIL.or(Kinds::BOOL)).or(self.of(right)),
            B::Add if self.of(left).kinds == Kinds::STR => Possible::kinds(Kinds::STR),
            _ => Possible::any(),
        }
    }

    fn method(&self, method: Method, receiver: &Node) -> Kinds {
        use Method as M;
        match method {
            M::ToS | M::Inspect | M::ToJson | M::ToYaml => Kinds::STR,
            M::IsNil | M::IsA | M::KindOf | M::Empty | M::StartWith | M::EndWith | M::IsMatch | M::Between => Kinds::BOOL,
            M::Strip | M::Lstrip | M::Rstrip | M::Chomp | M::Chop | M::DeletePrefix | M::DeleteSuffix | M::Squeeze | M::Tr => Kinds::STR,
            M::Sub | M::Gsub | M::Rjust | M::Ljust | M::Shellescape | M::Dirname | M::Basename | M::Extname => Kinds::STR,
            M::Downcase | M::Upcase | M::Capitalize | M::Swapcase => {
                let of = self.of(receiver).kinds.and(Kinds::STR.or(Kinds::SYM));
                if of == Kinds::NONE { Kinds::ANY } else { of }
            }
            M::ToI | M::ToF | M::Hex | M::Oct | M::Ord | M::Bytesize => Kinds::NUMBER,
            // A resource may have an attribute of this name.
            M::Length | M::Size if !self.of(receiver).may_be(Kinds::OTHER) => Kinds::NUMBER,
            M::ToSym | M::Intern => Kinds::SYM,
            M::Split | M::Chars | M::Lines | M::ToA | M::Collect | M::FlatMap | M::Flatten | M::Uniq | M::Ancestors => Kinds::LIST,
            _ => Kinds::ANY,
        }
    }
}

fn function_kinds(function: Function) -> Kinds {
    use Function as F;
    match function {
        F::Which | F::HomeDir => Kinds::STR.or(Kinds::NIL),
        F::Exists | F::Feature | F::GemSatisfies => Kinds::BOOL,
        F::UidOf | F::GidOf => Kinds::NUMBER.or(Kinds::NIL),
        F::CurrentUser
        | F::Format
        | F::FormatTime
        | F::GemVersion
        | F::String
        | F::TypeOf
        | F::Ref
        | F::Base64
        | F::Md5
        | F::Sha1
        | F::Sha256
        | F::ToJson
        | F::ToYaml => Kinds::STR,
        F::Versioncmp | F::GemVersioncmp | F::Integer | F::Float | F::Time => Kinds::NUMBER,
        F::Object => Kinds::OTHER,
        F::Array => Kinds::LIST,
        F::TypeName => Kinds::SYM,
        _ => Kinds::ANY,
    }
}

/// Returns the possible parameters of a `munge` block.
pub(super) fn munge_params(attribute: &AttributeDef, code: &CodeBlock) -> Vec<Possible> {
    let first = attribute.munge.steps.iter().find(|s| !matches!(s, ValueStep::Values));
    let is_first = matches!(first, Some(ValueStep::Code(first)) if first.inner.span == code.inner.span);
    if is_first && attribute.munge.dropped.is_none() { vec![before_munge(attribute)] } else { Vec::new() }
}

/// Returns the possible parameters of the first `munge` block.
fn before_munge(attribute: &AttributeDef) -> Possible {
    let has_values = |steps: &[ValueStep]| steps.iter().any(|s| matches!(s, ValueStep::Values));
    if attribute.values.is_empty() {
        return attribute.data_type.as_ref().map_or(Possible::any(), of_type);
    }
    if !has_values(&attribute.validate.steps) || !has_values(&attribute.munge.steps) {
        return Possible::any();
    }
    let literals = || attribute.values.literals().map(|s| Value::Sym(s.clone()));
    let texts = attribute.values.literals().chain(attribute.values.aliases.iter().map(|a| &a.name));
    let never: Vec<Value> = texts.map(|s| Value::str(s.text())).collect();
    if attribute.values.values.iter().any(|v| matches!(v.matcher, Matcher::Regex(_))) {
        Possible { kinds: Kinds::SCALAR, only: None, never }
    } else {
        Possible { kinds: Kinds::SYM, only: Some(literals().collect()), never }
    }
}

fn of_type(data_type: &DataType) -> Possible {
    Possible::kinds(match data_type {
        DataType::Boolean | DataType::OneBoolean(_) => Kinds::BOOL,
        DataType::Integer(_) | DataType::Float(_) | DataType::Numeric => Kinds::NUMBER,
        DataType::String(_) | DataType::Pattern(_) | DataType::AbsolutePath | DataType::Format(_) => Kinds::STR,
        DataType::Enum(names) => {
            let only = names.iter().map(|n| Value::str(n.as_str())).collect();
            return Possible { kinds: Kinds::STR, only: Some(only), never: Vec::new() };
        }
        DataType::Symbol => Kinds::SYM,
        DataType::PuppetOnly(_) => Kinds::NONE,
        DataType::Array(..) | DataType::Tuple(_) => Kinds::LIST,
        DataType::Hash(..) | DataType::Struct(_) => Kinds::MAP,
        DataType::Optional(inner) => return of_type(inner).or(Possible::kinds(Kinds::NIL)),
        DataType::Sensitive(inner) => return of_type(inner),
        DataType::Variant(types) => return types.iter().fold(Possible::kinds(Kinds::NONE), |all, t| all.or(of_type(t))),
        DataType::Any | DataType::Undef | DataType::Regexp | DataType::Scalar | DataType::Binary => return Possible::any(),
    })
}
