//! What a block may do when only some of what it reads is known: whether it must fail.
//!
//! Nothing is run. Whatever is not understood may give any value and may go on, so that "must fail" is true of every resource
//! that is as told.

use crate::check::blocks::{children, each_node};
use indexmap::IndexMap;
use rtype_lang::source::Span;
use rtype_lang::types::builtin::Method;
use rtype_lang::types::{AttrId, BinaryOp, Code, Node, Op, TypeDef};
use rtype_lang::value::{Symbol, Value};

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// It is this.
    Is(Value),
    /// It is something that counts as true.
    True,
    /// Nothing.
    Nothing,
}

/// Whether something holds, where that is known.
type Truth = Option<bool>;

impl Known {
    fn truth(&self) -> Truth {
        match self {
            Known::Is(value) => Some(value.is_truthy()),
            Known::True => Some(true),
            Known::Nothing => None,
        }
    }

    fn of(truth: Truth) -> Known {
        truth.map_or(Known::Nothing, |t| Known::Is(Value::Bool(t)))
    }

    fn or(self, other: &Known) -> Known {
        if self == *other { self } else { Known::Nothing }
    }
}

/// How a piece of a block may end.
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

/// What is told of a resource, and what a block makes of it.
pub struct Possible<'a> {
    type_def: &'a TypeDef,
    /// What is known of attributes; of the others nothing.
    pub attributes: IndexMap<AttrId, Known>,
    locals: IndexMap<u16, Known>,
    /// The last `fail` that was met for certain.
    pub failed_at: Span,
}

impl<'a> Possible<'a> {
    pub fn new(type_def: &'a TypeDef) -> Possible<'a> {
        Possible { type_def, attributes: IndexMap::new(), locals: IndexMap::new(), failed_at: Span::NONE }
    }

    /// Whether a block of the type fails, whatever is not known.
    pub fn must_fail(&mut self, code: &Code) -> bool {
        self.locals.clear();
        self.run(&code.inner.body).1 == FAILS
    }

    /// Forgets the attributes that a block may write.
    pub fn forget_written(&mut self, code: &Code) {
        let attributes = &mut self.attributes;
        each_node(&code.inner.body, &mut |node| {
            if let Op::SetSelf(id, _) = &node.op {
                attributes.insert(*id, Known::Nothing);
            }
        });
    }

    fn attribute(&self, id: AttrId) -> Known {
        self.attributes.get(&id).cloned().unwrap_or(Known::Nothing)
    }

    fn named(&self, node: &Node) -> Known {
        match &node.op {
            Op::Const(name) => name.as_text().and_then(|n| self.type_def.id_of(n)).map_or(Known::Nothing, |id| self.attribute(id)),
            _ => Known::Nothing,
        }
    }

    /// The value of an expression and how it ends.
    fn run(&mut self, node: &Node) -> (Known, Ends) {
        match &node.op {
            Op::Const(value) => (Known::Is(value.clone()), GOES_ON),
            Op::Local(slot) => (self.locals.get(slot).cloned().unwrap_or(Known::Nothing), GOES_ON),
            Op::SetLocal(slot, value) => {
                let (value, ends) = self.run(value);
                self.locals.insert(*slot, value.clone());
                (value, ends)
            }
            Op::SelfAttr(id) => (self.attribute(*id), GOES_ON),
            Op::SelfTrue(id) => {
                let truth = match self.attribute(*id) {
                    Known::Is(value) => Some(value == Value::Bool(true) || value.is_sym("true")),
                    Known::True | Known::Nothing => None,
                };
                (Known::of(truth), GOES_ON)
            }
            Op::SelfIndex(name) => (self.named(name), GOES_ON),
            Op::SelfIsSet(name) => {
                let truth = match self.named(name) {
                    Known::Is(value) => Some(!value.is_nil()),
                    Known::True => Some(true),
                    Known::Nothing => None,
                };
                (Known::of(truth), GOES_ON)
            }
            Op::Not(value) => {
                let (value, ends) = self.run(value);
                (Known::of(value.truth().map(|t| !t)), ends)
            }
            Op::Binary(op, left, right) => self.binary(*op, left, right, node),
            Op::Method(Method::IsNil, receiver, arguments, None) if arguments.is_empty() => {
                let (value, ends) = self.run(receiver);
                let truth = match value {
                    Known::Is(value) => Some(value.is_nil()),
                    Known::True => Some(false),
                    Known::Nothing => None,
                };
                (Known::of(truth), ends)
            }
            Op::Method(Method::ToS, receiver, arguments, None) if arguments.is_empty() => match self.run(receiver) {
                (Known::Is(value @ (Value::Str(_) | Value::Sym(_) | Value::Bool(_))), ends) => {
                    (Known::Is(Value::Str(value.to_text())), ends)
                }
                (_, ends) => (Known::Nothing, ends),
            },
            Op::Method(Method::Include, receiver, arguments, None) => self.include(receiver, arguments, node),
            Op::Array(elements) => self.list(elements, node),
            Op::If(branches, otherwise) => self.branches(branches, otherwise.as_deref()),
            Op::Fail(..) => {
                self.failed_at = node.span;
                (Known::Nothing, FAILS)
            }
            Op::Return(_) => (Known::Nothing, Ends { goes_on: false, returns: true }),
            Op::Seq(statements) => {
                let mut whole = GOES_ON;
                let mut value = Known::Is(Value::Nil);
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

    /// What is not understood: it may do anything that stands in it.
    fn unknown(&mut self, node: &Node) -> (Known, Ends) {
        let mut ends = GOES_ON;
        each_node(node, &mut |inner| match &inner.op {
            Op::Return(_) => ends.returns = true,
            Op::SetLocal(slot, _) => {
                self.locals.insert(*slot, Known::Nothing);
            }
            Op::Destructure(slots, _) => slots.iter().for_each(|slot| {
                self.locals.insert(*slot, Known::Nothing);
            }),
            _ => {}
        });
        (Known::Nothing, ends)
    }

    fn binary(&mut self, op: BinaryOp, left: &Node, right: &Node, node: &Node) -> (Known, Ends) {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let (first, ends) = self.run(left);
                // The operand that decides is the value.
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
                // Of `a && b` with a false `b` it is known that it is false, whatever `a` is.
                let truth = second.truth().filter(|t| *t == (op == BinaryOp::Or));
                let value = match truth {
                    Some(true) => Known::True,
                    Some(false) if then.goes_on => Known::of(Some(false)),
                    _ => Known::Nothing,
                };
                (value, then.or(GOES_ON))
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (a, ends) = self.run(left);
                if !ends.goes_on {
                    return (Known::Nothing, ends);
                }
                let (b, then) = self.run(right);
                let equal = match (&a, &b) {
                    (Known::Is(a), Known::Is(b)) => Some(a == b),
                    (Known::True, Known::Is(v)) | (Known::Is(v), Known::True) if !v.is_truthy() => Some(false),
                    _ => None,
                };
                let equal = equal.map(|e| e == (op == BinaryOp::Equal));
                (Known::of(equal), Ends { returns: ends.returns || then.returns, ..then })
            }
            _ => self.unknown(node),
        }
    }

    fn include(&mut self, receiver: &Node, arguments: &[Node], node: &Node) -> (Known, Ends) {
        let ([argument], (Known::Is(Value::Array(list)), GOES_ON)) = (arguments, self.run(receiver)) else { return self.unknown(node) };
        let (value, ends) = self.run(argument);
        let truth = match value {
            Known::Is(value) => Some(list.contains(&value)),
            Known::True if list.iter().all(|v| !v.is_truthy()) => Some(false),
            _ => None,
        };
        (Known::of(truth), ends)
    }

    fn list(&mut self, elements: &[Node], node: &Node) -> (Known, Ends) {
        let mut values = Vec::new();
        for element in elements {
            match self.run(element) {
                (Known::Is(value), GOES_ON) => values.push(value),
                _ => return self.unknown(node),
            }
        }
        (Known::Is(Value::array(values)), GOES_ON)
    }

    fn branches(&mut self, branches: &[(Node, Node)], otherwise: Option<&Node>) -> (Known, Ends) {
        let Some(((condition, body), rest)) = branches.split_first() else {
            return otherwise.map_or((Known::Is(Value::Nil), GOES_ON), |e| self.run(e));
        };
        let (holds, before) = self.run(condition);
        if !before.goes_on {
            return (Known::Nothing, before);
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

    /// Keeps of the locals what is known on both ways.
    fn join(&mut self, other: &IndexMap<u16, Known>) {
        for (slot, known) in &mut self.locals {
            if other.get(slot) != Some(known) {
                *known = Known::Nothing;
            }
        }
    }
}

/// The first `fail` in a block.
pub fn fails(code: &Code) -> Option<Span> {
    fn first(node: &Node) -> Option<Span> {
        if matches!(node.op, Op::Fail(..)) {
            return Some(node.span);
        }
        let mut found = None;
        children(node, &mut |child| found = found.or_else(|| first(child)));
        found
    }
    first(&code.inner.body)
}

/// A symbol as it is known.
pub fn symbol(symbol: &Symbol) -> Known {
    Known::Is(Value::Sym(symbol.clone()))
}
