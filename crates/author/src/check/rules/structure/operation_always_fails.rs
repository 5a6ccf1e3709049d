//! What it does: Reports operations that fail for every possible operand: a method that the value does not have, a wrong number of
//! arguments, a string plus a number, or a call with wrong constant arguments.
//!
//! Why: The block fails whenever it reaches the operation, and no test has reached it yet.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty size {
//!     type Integer
//!     munge { |value| value.upcase }
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty size {
//!     type String
//!     munge { |value| value.upcase }
//!   }
//! }
//! ```

use crate::check::blocks::{blocks, typing};
use rtype_lang::typing::{Attributes, Kinds, Typing};
use crate::check::{Sink, TypeSubject};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{Failure, constant};
use rtype_lang::source::{SourceMap, Span};
use rtype_lang::types::builtin::{Function, Method, ValueKind};
use rtype_lang::types::{BinaryOp, Lambda, Node, Op};
use rtype_lang::value::{DataType, Regex, Value, inspect};
use std::sync::Arc;

/// An operation is tried with at most this number of arguments.
const MAX_TRIALS: usize = 512;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes = Attributes::new(subject.type_def);
    for block in blocks(subject.type_def) {
        let inference = Inference { typing: typing(&attributes, &block), sources: &subject.file.around.types.sources };
        look(&inference, &block.code.inner.body, sink);
    }
}

/// What is known about the expressions of a block.
struct Inference<'a> {
    typing: Typing<'a>,
    sources: &'a SourceMap,
}

fn look(inference: &Inference<'_>, node: &Node, sink: &mut Sink<'_>) {
    if let Some(failure) = operation(inference, node).and_then(|operation| operation.failure()) {
        let found = sink.finding(failure.span, format!("this always fails: {}", failure.message));
        sink.report(found.help("change the operation or its operands"));
        return;
    }
    let caught = if let Op::Try(tried, _) = &node.op { Some(&**tried) } else { None };
    node.each_child(&mut |child| {
        // A failure in `try` is expected.
        if !caught.is_some_and(|caught| std::ptr::eq(caught, child)) {
            look(inference, child, sink);
        }
    });
}

/// An operation with the values to try for each operand.
struct Operation<'a> {
    node: &'a Node,
    operands: Vec<Operand>,
}

/// The values to try for an operand.
struct Operand {
    values: Vec<Value>,
    /// `true` if these are all possible values, `false` if they are one value of each kind.
    is_exact: bool,
}

/// Returns an operation that depends only on its operands.
fn operation<'a>(inference: &Inference<'_>, node: &'a Node) -> Option<Operation<'a>> {
    use BinaryOp as B;
    let any = |node: &Node| known(inference, node).unwrap_or_else(unknown);
    let operands = match &node.op {
        Op::Negate(operand) => vec![known(inference, operand)?],
        Op::Binary(B::Modulo, pattern, values) if matches!(pattern.op, Op::Const(Value::Str(_))) => {
            vec![known(inference, pattern)?, arguments_of_format(inference, values)?]
        }
        Op::Binary(B::Equal | B::NotEqual | B::Match | B::NotMatch | B::Compare | B::And | B::Or, ..) => return None,
        Op::Binary(_, left, right) => match (known(inference, left), known(inference, right)) {
            (None, None) => return None,
            (left, right) => vec![left.unwrap_or_else(unknown), right.unwrap_or_else(unknown)],
        },
        Op::Method(method, receiver, arguments, closure) => {
            let receiver = match known(inference, receiver) {
                Some(receiver) if closure.is_some() => without_elements(receiver)?,
                Some(receiver) => receiver,
                // `resource.port` reads an attribute.
                None if arguments.is_empty() => return None,
                None => owners(*method),
            };
            std::iter::once(receiver).chain(arguments.iter().map(any)).collect()
        }
        Op::Call(Function::Format, arguments, None) => {
            let mut operands: Vec<Operand> = arguments.iter().map(|a| known(inference, a).filter(|o| o.is_exact).unwrap_or_else(digits)).collect();
            if let (Some(first), Some(pattern)) = (operands.first_mut(), arguments.first()) {
                *first = known(inference, pattern)?;
            }
            operands
        }
        Op::Call(function, arguments, None) if is_pure(*function) => arguments.iter().map(any).collect(),
        Op::Index(receiver, arguments) => std::iter::once(known(inference, receiver)?).chain(arguments.iter().map(any)).collect(),
        _ => return None,
    };
    let trials = operands.iter().try_fold(1_usize, |all, operand| all.checked_mul(operand.values.len()))?;
    (1..=MAX_TRIALS).contains(&trials).then_some(Operation { node, operands })
}

impl Operation<'_> {
    /// Returns the failure if the operation fails for all values.
    fn failure(&self) -> Option<Failure> {
        let is_exact = self.operands.iter().all(|operand| operand.is_exact);
        let mut shown: Option<(usize, Failure)> = None;
        let count: usize = self.operands.iter().map(|operand| operand.values.len()).product();
        for number in 0..count {
            let trial = self.trial(number);
            let mut failure = constant(&self.with(&trial)).err()?;
            // The same kind may have another value that works, unless the kind or the number of arguments is wrong.
            let is_certain = match failure.code {
                Code::WrongArity | Code::WrongReceiver => true,
                _ => is_exact,
            };
            if !is_certain {
                return None;
            }
            // The message about a usual value is clearer than the message about a list, and that one is clearer than the message about nil.
            let unusual = trial.iter().map(|value| unusualness(value)).max().unwrap_or(0);
            if shown.as_ref().is_none_or(|(least, _)| unusual < *least) {
                for (_, value) in self.operands.iter().zip(&trial).filter(|(operand, _)| !operand.is_exact) {
                    // The description of a Boolean is the value itself.
                    let kind = if matches!(value, Value::Bool(_)) { " a Boolean" } else { "" };
                    failure.message = failure.message.replace(&format!(" `{}`", inspect(value)), kind);
                }
                shown = Some((unusual, failure));
            }
        }
        shown.map(|(_, failure)| Failure { span: self.node.span, ..failure })
    }

    /// Returns the combination of the operands' values with this number. The last operand changes first.
    fn trial(&self, number: usize) -> Vec<&Value> {
        let mut rest = number;
        let mut trial: Vec<&Value> = Vec::new();
        for operand in self.operands.iter().rev() {
            trial.extend(operand.values.get(rest % operand.values.len()));
            rest /= operand.values.len();
        }
        trial.reverse();
        trial
    }

    /// Returns the operation with constants in place of its operands.
    fn with(&self, values: &[&Value]) -> Node {
        let span = self.node.span;
        let mut values = values.iter().map(|value| Node { op: Op::Const((*value).clone()), span });
        let mut next = || Box::new(values.next().unwrap_or(Node { op: Op::Const(Value::Nil), span }));
        let op = match &self.node.op {
            Op::Negate(_) => Op::Negate(next()),
            Op::Binary(op, ..) => Op::Binary(*op, next(), next()),
            Op::Method(method, _, _, closure) => {
                let receiver = next();
                // The receiver has no elements, so the result of the closure is not used.
                let closure = closure.as_ref().map(|c| Box::new(Lambda { params: c.params.clone(), body: Node { op: Op::Const(Value::Nil), span } }));
                Op::Method(*method, receiver, values.collect(), closure)
            }
            Op::Call(function, ..) => Op::Call(*function, values.collect(), None),
            _ => {
                let receiver = next();
                Op::Index(receiver, values.collect())
            }
        };
        Node { op, span }
    }
}

/// Returns how rarely an operand is meant to have a value: nil is the rarest, then come lists.
fn unusualness(value: &Value) -> usize {
    match value {
        Value::Nil => 2,
        Value::Array(_) => 1,
        _ => 0,
    }
}

/// Returns `true` if a function depends on nothing but its arguments.
fn is_pure(function: Function) -> bool {
    use Function as F;
    matches!(
        function,
        F::Integer | F::Float | F::Re | F::Uri | F::Ip | F::Versioncmp | F::GemVersion | F::GemVersioncmp | F::GemSatisfies
    ) || matches!(function, F::Path | F::JoinPaths | F::ParseJson | F::ParseYaml | F::Range | F::ReEscape | F::Base64 | F::Sha256)
}

/// Returns the values to try for an operand; `None` if it may be anything.
fn known(inference: &Inference<'_>, node: &Node) -> Option<Operand> {
    if let Op::Const(value) = &node.op {
        // An expression with a syntax error is nil as well.
        if value.is_nil() && inference.sources.slice(node.span) != "nil" {
            return None;
        }
        return Some(Operand { values: vec![value.clone()], is_exact: true });
    }
    let possible = inference.typing.of(node);
    let values: Vec<Value> = of_kinds().into_iter().filter(|(kind, _)| possible.may_be(*kind)).map(|(_, value)| value).collect();
    let kinds = of_kinds().into_iter().fold(Kinds::NONE, |all, (kind, _)| all.or(kind));
    (possible.kinds.without(kinds) == Kinds::NONE && !values.is_empty()).then_some(Operand { values, is_exact: false })
}

/// Returns the values to try for an operand that may be anything.
fn unknown() -> Operand {
    let mut values: Vec<Value> = of_kinds().into_iter().map(|(_, value)| value).collect();
    values.extend(Regex::new("a", rtype_lang::value::Flags::default()).ok().map(|regex| Value::Regex(Arc::new(regex))));
    values.push(Value::Type(Arc::new(DataType::Any)));
    Operand { values, is_exact: false }
}

/// Returns the receivers to try for a method of a value that may be anything: the values that have the method. All others fail.
fn owners(method: Method) -> Operand {
    let mut values = unknown().values;
    values.retain(|value| ValueKind::of(value).is_none_or(|kind| method.belongs_to(kind)));
    if method.belongs_to(ValueKind::List) {
        // Ranges also have the methods of lists.
        let limits = [1, 2].map(|limit| Node { op: Op::Const(Value::Int(limit)), span: Span::NONE });
        values.extend(constant(&Node { op: Op::Call(Function::Range, limits.into(), None), span: Span::NONE }));
    }
    Operand { values, is_exact: false }
}

/// Returns an operand with empty lists and maps in place of others, for methods with a closure; `None` for ranges.
fn without_elements(operand: Operand) -> Option<Operand> {
    let empty = |value| match value {
        Value::Array(_) => Some(Value::array([])),
        Value::Map(_) => Some(Value::Map(Arc::default())),
        Value::Object(_) => None,
        other => Some(other),
    };
    let values = operand.values.into_iter().map(empty).collect::<Option<_>>()?;
    Some(Operand { values, is_exact: false })
}

/// Returns the value to try for an argument of `format`: a string of digits fits any directive.
fn digits() -> Operand {
    Operand { values: vec![Value::str("1")], is_exact: true }
}

/// Returns the values to try for the right side of `"…" % [a, b]`: the number of elements is known, and digits fit any directive.
fn arguments_of_format(inference: &Inference<'_>, node: &Node) -> Option<Operand> {
    match &node.op {
        Op::Array(elements) => {
            let digits = Value::array(elements.iter().map(|_| Value::str("1")));
            Some(Operand { values: vec![digits], is_exact: true })
        }
        _ => known(inference, node).filter(|operand| operand.is_exact),
    }
}

/// Returns a value of each kind. Lists and maps are empty, because more operations accept empty ones.
fn of_kinds() -> Vec<(Kinds, Value)> {
    vec![
        (Kinds::NIL, Value::Nil),
        (Kinds::BOOL, Value::Bool(true)),
        (Kinds::one_of(&[ValueKind::Int]), Value::Int(1)),
        (Kinds::one_of(&[ValueKind::Float]), Value::Float(1.5)),
        (Kinds::STR, Value::str("1")),
        (Kinds::SYM, Value::sym("a")),
        (Kinds::LIST, Value::array([])),
        (Kinds::MAP, Value::Map(Arc::default())),
    ]
}
