//! Infers the possible values of attributes, and of expressions in blocks.
//!
//! The inference is conservative: a kind or value is excluded only if it is impossible. The linter, completion and the importer read it.

mod kinds;
mod possible;

pub use kinds::Kinds;
pub use possible::PossibleValues;

use crate::types::builtin::{Function, Method, Returns, ValueKind};
use crate::types::{AttrId, AttributeDef, BinaryOp, CodeBlock, Default, Matcher, Node, Op, Role, TypeDef, ValueStep};
use crate::value::{DataType, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The maximum number of locals that [`Typing::definition`] follows.
const MAX_DEFINITIONS: usize = 16;

/// The possible values of a type's attributes, computed on demand.
pub struct Attributes<'a> {
    type_def: &'a TypeDef,
    /// `None` while an attribute is being computed: an attribute that depends on itself may have any value.
    known: RefCell<HashMap<AttrId, Option<PossibleValues>>>,
}

impl<'a> Attributes<'a> {
    /// Creates the inference for a type.
    pub fn new(type_def: &'a TypeDef) -> Attributes<'a> {
        Attributes { type_def, known: RefCell::default() }
    }

    /// Returns the possible values of `self.x`.
    pub fn of(&self, id: AttrId) -> PossibleValues {
        if let Some(known) = self.known.borrow().get(&id) {
            return known.clone().unwrap_or(PossibleValues::any());
        }
        self.known.borrow_mut().insert(id, None);
        let possible = self.type_def.attribute(id).map_or(PossibleValues::any(), |a| self.look(a));
        self.known.borrow_mut().insert(id, Some(possible.clone()));
        possible
    }

    /// Returns the possible values of an attribute.
    pub fn of_attribute(&self, attribute: &AttributeDef) -> PossibleValues {
        self.type_def.id_of(attribute.name.as_str()).map_or(PossibleValues::any(), |id| self.of(id))
    }

    fn look(&self, attribute: &AttributeDef) -> PossibleValues {
        let elsewhere = attribute.unmunge.is_some() || attribute.should.is_some() || attribute.native.is_some();
        if elsewhere || attribute.role == Role::Metaparam {
            return PossibleValues::any();
        }
        let made = match attribute.munge.steps.last() {
            Some(ValueStep::Code(code)) => Typing::new(self, code, &munge_params(attribute, code), None).result(),
            _ if attribute.munge.dropped.is_some() => return PossibleValues::any(),
            _ => before_munge(attribute),
        };
        // An attribute may be unset or have several values.
        made.or(PossibleValues::kinds(Kinds::NIL.or(Kinds::LIST)))
    }
}

/// The possible values of the expressions in one block.
pub struct Typing<'a> {
    attributes: &'a Attributes<'a>,
    code: &'a CodeBlock,
    attribute: Option<&'a AttributeDef>,
    locals: HashMap<u16, PossibleValues>,
    /// The expressions assigned to locals with a single assignment.
    definitions: HashMap<u16, &'a Node>,
}

impl<'a> Typing<'a> {
    /// Creates the inference for a block with these possible parameters; further parameters may have any value. `attribute` is the
    /// block's attribute.
    pub fn new(
        attributes: &'a Attributes<'a>,
        code: &'a CodeBlock,
        params: &[PossibleValues],
        attribute: Option<&'a AttributeDef>,
    ) -> Typing<'a> {
        let mut typing = Typing { attributes, code, attribute, locals: HashMap::new(), definitions: HashMap::new() };
        let mut changed: HashSet<u16> = HashSet::new();
        let mut once: HashSet<u16> = HashSet::new();
        let mut set: Vec<(u16, &'a Node)> = Vec::new();
        code.inner.body.walk(&mut |node| match &node.op {
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
            typing.definitions.insert(slot, value);
        }
        typing
    }

    /// Returns the possible results of the block.
    pub fn result(&self) -> PossibleValues {
        let mut result = self.of(&self.code.inner.body);
        self.code.inner.body.walk(&mut |node| {
            if let Op::Return(value) | Op::Next(value) = &node.op {
                let given = value.as_ref().map_or(PossibleValues::kinds(Kinds::NIL), |v| self.of(v));
                result = std::mem::replace(&mut result, PossibleValues::any()).or(given);
            }
        });
        result
    }

    /// Returns the value of a local that is assigned once; other expressions are returned unchanged.
    pub fn definition<'n>(&self, node: &'n Node) -> &'n Node
    where
        'a: 'n,
    {
        let mut found = node;
        for _ in 0..MAX_DEFINITIONS {
            let Op::Local(slot) = &found.op else { break };
            let Some(value) = self.definitions.get(slot) else { break };
            found = value;
        }
        found
    }

    /// Returns the possible values of an expression in the block.
    pub fn of(&self, node: &Node) -> PossibleValues {
        let kinds = match &node.op {
            Op::Const(value) => return PossibleValues::value(value),
            Op::Local(slot) => return self.locals.get(slot).cloned().unwrap_or(PossibleValues::any()),
            Op::SetLocal(_, value) => return self.of(value),
            Op::SelfAttr(id) => return self.attributes.of(*id),
            Op::SelfIndex(name) => match &name.op {
                Op::Const(Value::Sym(name)) => match self.attributes.type_def.id_of(name.as_str()) {
                    Some(id) => return self.attributes.of(id),
                    None => Kinds::ANY,
                },
                _ => Kinds::ANY,
            },
            Op::Should => return self.attribute.map_or(PossibleValues::any(), |a| self.attributes.of_attribute(a)),
            Op::Concat(_) => Kinds::STR,
            Op::Array(_) => Kinds::LIST,
            Op::Map(_) => Kinds::MAP,
            Op::Is(None) => return self.attribute.map_or(PossibleValues::any(), current),
            Op::Attribute => Kinds::SYM,
            Op::ProviderName => Kinds::SYM.or(Kinds::NIL),
            Op::SelfTrue(_) | Op::SelfIsSet(_) | Op::SelfManaged | Op::ProviderHas(_) | Op::Not(_) => Kinds::BOOL,
            Op::Negate(_) => Kinds::NUMBER,
            Op::Capture(_) => Kinds::STR.or(Kinds::NIL),
            Op::SelfRef => Kinds::RESOURCE,
            Op::Call(function, _, _) => function_kinds(*function),
            Op::Method(method, receiver, arguments, closure) => self.method(*method, receiver, arguments.is_empty() && closure.is_none()),
            Op::Binary(op, left, right) => return self.binary(*op, left, right),
            Op::If(branches, otherwise) => {
                let nothing = PossibleValues::kinds(if otherwise.is_some() { Kinds::NONE } else { Kinds::NIL });
                let bodies = branches.iter().map(|(_, body)| body).chain(otherwise.as_deref());
                return bodies.fold(nothing, |all, body| all.or(self.of(body)));
            }
            Op::Match(_, arms) => return arms.iter().fold(PossibleValues::kinds(Kinds::NONE), |all, arm| all.or(self.of(&arm.body))),
            Op::Try(tried, handler) => return self.of(tried).or(self.of(&handler.body)),
            Op::Seq(all) => return all.last().map_or(PossibleValues::kinds(Kinds::NIL), |last| self.of(last)),
            // Untranslated code may have any value.
            Op::Untranslated(_) => return PossibleValues::any(),
            Op::Fail(..) | Op::Return(_) | Op::Next(_) => Kinds::NONE,
            _ => Kinds::ANY,
        };
        PossibleValues::kinds(kinds)
    }

    fn binary(&self, op: BinaryOp, left: &Node, right: &Node) -> PossibleValues {
        use BinaryOp as B;
        match op {
            B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::NotMatch => {
                PossibleValues::kinds(Kinds::BOOL)
            }
            B::Compare => PossibleValues::kinds(Kinds::NUMBER.or(Kinds::NIL)),
            B::Or => {
                let left = self.of(left);
                let true_ones = left.kinds.without(Kinds::NIL);
                left.limited(true_ones).or(self.of(right))
            }
            B::And => self.of(left).limited(Kinds::NIL.or(Kinds::BOOL)).or(self.of(right)),
            B::Add if self.of(left).kinds == Kinds::STR => PossibleValues::kinds(Kinds::STR),
            _ => PossibleValues::any(),
        }
    }

    /// Returns the kinds of a method's result, by the method's row in the table. A call without arguments and closure may be an
    /// attribute.
    fn method(&self, method: Method, receiver: &Node, is_like_attribute: bool) -> Kinds {
        if let Returns::Kinds(kinds) = method.returns()
            && method.receivers().contains(&ValueKind::Any)
        {
            return Kinds::one_of(kinds);
        }
        let receiver = self.of(receiver).kinds;
        // `resource.port` reads an attribute. Objects such as ranges have methods.
        let is_attribute = is_like_attribute && receiver.overlaps(Kinds::RESOURCE);
        if is_attribute || receiver != Kinds::ANY && receiver.overlaps(Kinds::OBJECT) {
            return Kinds::ANY;
        }
        match method.returns() {
            Returns::Kinds(kinds) => Kinds::one_of(kinds),
            Returns::Same if method.receivers().contains(&ValueKind::Any) => receiver,
            Returns::Same => receiver.and(Kinds::one_of(method.receivers())),
        }
    }
}

/// Returns the kinds of a function's result, by the function's row in the table.
fn function_kinds(function: Function) -> Kinds {
    match function.returns() {
        Returns::Kinds(kinds) => Kinds::one_of(kinds),
        Returns::Same => Kinds::ANY,
    }
}

/// Returns the possible current values of a property. Strings that are allowed values have become symbols.
pub fn current(attribute: &AttributeDef) -> PossibleValues {
    let is_converted = attribute.retrieve.is_none() && attribute.native.is_none();
    PossibleValues::any().except(attribute.values.literals().filter(|_| is_converted).map(|s| Value::str(s.text())).collect())
}

/// Returns the possible parameters of a `munge` block.
pub fn munge_params(attribute: &AttributeDef, code: &CodeBlock) -> Vec<PossibleValues> {
    let first = attribute.munge.steps.iter().find(|s| !matches!(s, ValueStep::Values));
    let is_first = matches!(first, Some(ValueStep::Code(first)) if first.inner.span == code.inner.span);
    if is_first && attribute.munge.dropped.is_none() { vec![before_munge(attribute)] } else { Vec::new() }
}

/// Returns the possible parameters of the first `munge` block.
pub fn before_munge(attribute: &AttributeDef) -> PossibleValues {
    let has_values = |steps: &[ValueStep]| steps.iter().any(|s| matches!(s, ValueStep::Values));
    if attribute.values.is_empty() {
        return match &attribute.data_type {
            Some(data_type) => of_type(data_type),
            // A block may return a resource or an object.
            None if matches!(attribute.default, Some(Default::Code(_))) => PossibleValues::any(),
            None => PossibleValues::kinds(Kinds::DATA),
        };
    }
    if !has_values(&attribute.validate.steps) || !has_values(&attribute.munge.steps) {
        return PossibleValues::any();
    }
    let literals = || attribute.values.literals().map(|s| Value::Sym(s.clone()));
    let texts = attribute.values.literals().chain(attribute.values.aliases.iter().map(|a| &a.name));
    let never: Vec<Value> = texts.map(|s| Value::str(s.text())).collect();
    if attribute.values.values.iter().any(|v| matches!(v.matcher, Matcher::Regex(_))) {
        PossibleValues::kinds(Kinds::SCALAR).except(never)
    } else {
        PossibleValues::one_of(Kinds::SYM, literals().collect()).except(never)
    }
}

fn of_type(data_type: &DataType) -> PossibleValues {
    PossibleValues::kinds(match data_type {
        DataType::Boolean | DataType::OneBoolean(_) => Kinds::BOOL,
        DataType::Integer(_) | DataType::Float(_) | DataType::Numeric => Kinds::NUMBER,
        DataType::String(_) | DataType::Pattern(_) | DataType::AbsolutePath | DataType::Format(_) => Kinds::STR,
        DataType::Enum(names) => {
            let only = names.iter().map(|n| Value::str(n.as_str())).collect();
            return PossibleValues::one_of(Kinds::STR, only);
        }
        DataType::Symbol => Kinds::SYM,
        DataType::PuppetOnly(_) => Kinds::NONE,
        DataType::Array(..) | DataType::Tuple(_) => Kinds::LIST,
        DataType::Hash(..) | DataType::Struct(_) => Kinds::MAP,
        DataType::Optional(inner) => return of_type(inner).or(PossibleValues::kinds(Kinds::NIL)),
        DataType::Sensitive(inner) => return of_type(inner),
        DataType::Variant(types) => return types.iter().fold(PossibleValues::kinds(Kinds::NONE), |all, t| all.or(of_type(t))),
        DataType::Undef => Kinds::NIL,
        DataType::Any | DataType::Regexp | DataType::Scalar | DataType::Binary => return PossibleValues::any(),
    })
}
