//! Determines whether a block must fail when only some of the values it reads are known.
//!
//! Nothing is run. An expression that is not understood may have any value and may succeed, so "must fail" holds for every resource
//! with the known values.

use indexmap::IndexMap;
use rtype_lang::source::Span;
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{AttrId, BinaryOp, CodeBlock, Node, Op, TypeDef};
use rtype_lang::value::{Symbol, Value};

/// What is known about a value.
#[derive(Clone, Debug, PartialEq)]
pub enum PartialValue {
    /// Exactly this value.
    Is(Value),
    /// An unknown truthy value.
    True,
    /// Nothing is known.
    Nothing,
}

/// A condition, if its truth is known.
type Truth = Option<bool>;

impl PartialValue {
    fn truth(&self) -> Truth {
        match self {
            PartialValue::Is(value) => Some(value.is_truthy()),
            PartialValue::True => Some(true),
            PartialValue::Nothing => None,
        }
    }

    fn of(truth: Truth) -> PartialValue {
        truth.map_or(PartialValue::Nothing, |t| PartialValue::Is(Value::Bool(t)))
    }

    fn or(self, other: &PartialValue) -> PartialValue {
        if self == *other { self } else { PartialValue::Nothing }
    }
}

/// The ways in which part of a block may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    goes_on: bool,
    returns: bool,
}

const FAILS: Ends = Ends { goes_on: false, returns: false };
const GOES_ON: Ends = Ends { goes_on: true, returns: false };

impl Ends {
    fn or(self, other: Ends) -> Ends {
        Ends { goes_on: self.goes_on || other.goes_on, returns: self.returns || other.returns }
    }
}

/// Abstract interpretation of blocks with partially known attribute values.
pub struct Possible<'a> {
    type_def: &'a TypeDef,
    /// The known facts about attributes; an attribute without an entry may have any value.
    pub attributes: IndexMap<AttrId, PartialValue>,
    locals: IndexMap<u16, PartialValue>,
    /// The last `fail` that is certainly reached.
    pub failed_at: Span,
}

impl<'a> Possible<'a> {
    pub fn new(type_def: &'a TypeDef) -> Possible<'a> {
        Possible { type_def, attributes: IndexMap::new(), locals: IndexMap::new(), failed_at: Span::NONE }
    }

    /// Returns `true` if a block of the type fails for all unknown values.
    pub fn must_fail(&mut self, code: &CodeBlock) -> bool {
        self.locals.clear();
        self.run(&code.inner.body).1 == FAILS
    }

    /// Forgets the attributes that a block may assign.
    pub fn forget_written(&mut self, code: &CodeBlock) {
        let attributes = &mut self.attributes;
        code.inner.body.walk(&mut |node| {
            if let Op::SetSelf(id, _) = &node.op {
                attributes.insert(*id, PartialValue::Nothing);
            } else if let Op::SetSelfIndex(..) = &node.op {
                attributes.clear();
            }
        });
    }

    fn attribute(&self, id: AttrId) -> PartialValue {
        self.attributes.get(&id).cloned().unwrap_or(PartialValue::Nothing)
    }

    fn named(&self, node: &Node) -> PartialValue {
        match &node.op {
            Op::Const(name) => name.as_text().and_then(|n| self.type_def.id_of(n)).map_or(PartialValue::Nothing, |id| self.attribute(id)),
            _ => PartialValue::Nothing,
        }
    }

    /// Returns the value of an expression and the ways in which it ends.
    fn run(&mut self, node: &Node) -> (PartialValue, Ends) {
        match &node.op {
            Op::Const(value) => (PartialValue::Is(value.clone()), GOES_ON),
            Op::Local(slot) => (self.locals.get(slot).cloned().unwrap_or(PartialValue::Nothing), GOES_ON),
            Op::SetLocal(slot, value) => {
                let (value, ends) = self.run(value);
                self.locals.insert(*slot, value.clone());
                (value, ends)
            }
            Op::SelfAttr(id) => (self.attribute(*id), GOES_ON),
            Op::SelfTrue(id) => {
                let truth = match self.attribute(*id) {
                    PartialValue::Is(value) => Some(value == Value::Bool(true) || value.is_sym("true")),
                    PartialValue::True | PartialValue::Nothing => None,
                };
                (PartialValue::of(truth), GOES_ON)
            }
            Op::SelfIndex(name) => (self.named(name), GOES_ON),
            Op::SelfIsSet(name) => {
                let truth = match self.named(name) {
                    PartialValue::Is(value) => Some(!value.is_nil()),
                    PartialValue::True => Some(true),
                    PartialValue::Nothing => None,
                };
                (PartialValue::of(truth), GOES_ON)
            }
            Op::Not(value) => {
                let (value, ends) = self.run(value);
                (PartialValue::of(value.truth().map(|t| !t)), ends)
            }
            Op::Binary(op, left, right) => self.binary(*op, left, right, node),
            Op::Method(Method::IsNil, receiver, arguments, None) if arguments.is_empty() => {
                let (value, ends) = self.run(receiver);
                let truth = match value {
                    PartialValue::Is(value) => Some(value.is_nil()),
                    PartialValue::True => Some(false),
                    PartialValue::Nothing => None,
                };
                (PartialValue::of(truth), ends)
            }
            Op::Method(Method::ToS, receiver, arguments, None) if arguments.is_empty() => match self.run(receiver) {
                (PartialValue::Is(value @ (Value::Str(_) | Value::Sym(_) | Value::Bool(_))), ends) => {
                    (PartialValue::Is(Value::Str(value.to_text())), ends)
                }
                (_, ends) => (PartialValue::Nothing, ends),
            },
            Op::Method(Method::Include, receiver, arguments, None) => self.include(receiver, arguments, node),
            Op::Array(elements) => self.list(elements, node),
            Op::If(branches, otherwise) => self.branches(branches, otherwise.as_deref()),
            Op::Fail(..) => {
                self.failed_at = node.span;
                (PartialValue::Nothing, FAILS)
            }
            Op::Return(_) => (PartialValue::Nothing, Ends { goes_on: false, returns: true }),
            Op::Seq(statements) => {
                let mut whole = GOES_ON;
                let mut value = PartialValue::Is(Value::Nil);
                for statement in statements {
                    let (last, ends) = self.run(statement);
                    whole = Ends { goes_on: ends.goes_on, returns: whole.returns || ends.returns };
                    value = last;
                    if !ends.goes_on {
                        break;
                    }
                }
                (value, whole)
            }
            _ => self.unknown(node),
        }
    }

    /// Handles an unsupported expression, which may have any effect that its subexpressions have.
    fn unknown(&mut self, node: &Node) -> (PartialValue, Ends) {
        let mut ends = GOES_ON;
        node.walk(&mut |inner| match &inner.op {
            Op::Return(_) => ends.returns = true,
            Op::SetLocal(slot, _) => {
                self.locals.insert(*slot, PartialValue::Nothing);
            }
            Op::Destructure(slots, _) => slots.iter().for_each(|slot| {
                self.locals.insert(*slot, PartialValue::Nothing);
            }),
            _ => {}
        });
        (PartialValue::Nothing, ends)
    }

    fn binary(&mut self, op: BinaryOp, left: &Node, right: &Node, node: &Node) -> (PartialValue, Ends) {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let (first, ends) = self.run(left);
                // The deciding operand is the value.
                let decides = first.truth().map(|t| t == (op == BinaryOp::Or));
                if decides == Some(true) || !ends.goes_on {
                    return (first, ends);
                }
                let before = self.locals.clone();
                let (second, then) = self.run(right);
                let then = Ends { returns: then.returns || ends.returns, ..then };
                if decides == Some(false) {
                    return (second, then);
                }
                self.join(&before);
                // `a && b` with a falsy `b` is falsy for every `a`.
                let truth = second.truth().filter(|t| *t == (op == BinaryOp::Or));
                let value = match truth {
                    Some(true) => PartialValue::True,
                    Some(false) if then.goes_on => PartialValue::of(Some(false)),
                    _ => PartialValue::Nothing,
                };
                (value, then.or(GOES_ON))
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (a, ends) = self.run(left);
                if !ends.goes_on {
                    return (PartialValue::Nothing, ends);
                }
                let (b, then) = self.run(right);
                let equal = match (&a, &b) {
                    (PartialValue::Is(a), PartialValue::Is(b)) => Some(a == b),
                    (PartialValue::True, PartialValue::Is(v)) | (PartialValue::Is(v), PartialValue::True) if !v.is_truthy() => Some(false),
                    _ => None,
                };
                let equal = equal.map(|e| e == (op == BinaryOp::Equal));
                (PartialValue::of(equal), Ends { returns: ends.returns || then.returns, ..then })
            }
            _ => self.unknown(node),
        }
    }

    fn include(&mut self, receiver: &Node, arguments: &[Node], node: &Node) -> (PartialValue, Ends) {
        let ([argument], (PartialValue::Is(Value::Array(list)), GOES_ON)) = (arguments, self.run(receiver)) else {
            return self.unknown(node);
        };
        let (value, ends) = self.run(argument);
        let truth = match value {
            PartialValue::Is(value) => Some(list.contains(&value)),
            PartialValue::True if list.iter().all(|v| !v.is_truthy()) => Some(false),
            _ => None,
        };
        (PartialValue::of(truth), ends)
    }

    fn list(&mut self, elements: &[Node], node: &Node) -> (PartialValue, Ends) {
        let mut values = Vec::new();
        for element in elements {
            match self.run(element) {
                (PartialValue::Is(value), GOES_ON) => values.push(value),
                _ => return self.unknown(node),
            }
        }
        (PartialValue::Is(Value::array(values)), GOES_ON)
    }

    fn branches(&mut self, branches: &[(Node, Node)], otherwise: Option<&Node>) -> (PartialValue, Ends) {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return otherwise.map_or((PartialValue::Is(Value::Nil), GOES_ON), |e| self.run(e));
        };
        let (holds, before) = self.run(condition);
        if !before.goes_on {
            return (PartialValue::Nothing, before);
        }
        let (value, ends) = match holds.truth() {
            Some(true) => self.run(body),
            Some(false) => self.branches(rest, otherwise),
            None => {
                let locals = self.locals.clone();
                let (value, ends) = self.run(body);
                let after = std::mem::replace(&mut self.locals, locals);
                let (other, others) = self.branches(rest, otherwise);
                if ends.goes_on {
                    self.join(&after);
                }
                (value.or(&other), ends.or(others))
            }
        };
        (value, Ends { returns: ends.returns || before.returns, ..ends })
    }

    /// Keeps only knowledge about locals that holds on both paths.
    fn join(&mut self, other: &IndexMap<u16, PartialValue>) {
        for (slot, known) in &mut self.locals {
            if other.get(slot) != Some(known) {
                *known = PartialValue::Nothing;
            }
        }
    }
}

/// Returns the location of the first `fail` in a block.
pub fn fails(code: &CodeBlock) -> Option<Span> {
    fn first(node: &Node) -> Option<Span> {
        if matches!(node.op, Op::Fail(..)) {
            return Some(node.span);
        }
        let mut found = None;
        node.each_child(&mut |child| found = found.or_else(|| first(child)));
        found
    }
    first(&code.inner.body)
}

/// Returns a known symbol.
pub fn symbol(symbol: &Symbol) -> PartialValue {
    PartialValue::Is(Value::Sym(symbol.clone()))
}
