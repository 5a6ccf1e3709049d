//! Evaluates the expression tree of a block.
//!
//! [`Interpreter::eval`] only dispatches. Each construct has a separate function, never inlined, so that a level of nesting uses little
//! stack.

mod choose;
mod surroundings;
mod undecided;

pub(super) use undecided::{Truth, decided};

use super::call::{Args, BuiltinCall, Eval, Stop};
use super::coverage::Coverage;
use super::limits::{Limits, Meter, Nested};
use super::scope::{Failure, FailureKind, Frame};
use super::{error_class, functions, index, methods, operators, run_budget, secret};
use crate::diagnostics::Code as DiagnosticCode;
use crate::source::Span;
use crate::types::{BinaryOp, CodeBlock, Handler, Lambda, Node, Op, Program};
use crate::value::{Captures, EcoString, REDACTED, Regex, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// The last regex match of a block, for `$1`.
#[derive(Clone)]
pub(super) struct LastMatch {
    pub(super) text: EcoString,
    pub(super) groups: Captures,
    pub(super) secret: bool,
}

impl LastMatch {
    /// Returns a group's match, nil if the group did not match.
    pub(super) fn group(&self, number: usize) -> Value {
        let range = self.groups.get(number).cloned().flatten();
        let text = range.and_then(|r| self.text.get(r)).map(Value::from);
        let value = text.unwrap_or_default();
        if self.secret { secret::close(value) } else { value }
    }
}

/// The slots of a block's parameters and locals.
type Locals = SmallVec<[Value; 4]>;

/// The stack that an expression may need without its subexpressions: a method call, and recursion into values with maximum depth.
const STACK_LEFT: usize = 256 << 10;
/// The size of the stack segment to add when less than [`STACK_LEFT`] remains.
const STACK_MORE: usize = 2 << 20;

/// A running block.
pub(super) struct Interpreter<'a> {
    pub(super) frame: &'a Frame<'a>,
    pub(super) meter: Meter,
    pub(super) last_match: Option<LastMatch>,
    pub(super) action: bool,
    coverage: Option<&'a Coverage>,
    slots: Locals,
    params: usize,
    /// The block that `super` runs.
    replaced: Option<CodeBlock>,
    in_function: bool,
    /// `true` once a secret or unknown value has entered the block. Until then, values are not searched for secret or unknown parts.
    secrets: bool,
    unknowns: bool,
    /// The number of undecided conditions around the running expression. If the number is not 0, expressions have no effects.
    speculating: u8,
    /// The number of `try` expressions around the running expression.
    handlers: u16,
}

impl<'a> Interpreter<'a> {
    pub(super) fn new(frame: &'a Frame<'a>, limits: Limits, action: bool) -> Interpreter<'a> {
        Interpreter {
            frame,
            meter: Meter::new(limits),
            last_match: None,
            action,
            coverage: frame.scope.coverage(),
            slots: Locals::new(),
            params: 0,
            replaced: None,
            in_function: false,
            secrets: false,
            unknowns: false,
            speculating: 0,
            handlers: 0,
        }
    }

    /// Runs a whole block.
    pub(super) fn block(&mut self, code: &CodeBlock, arguments: &[Value]) -> Result<Value, Failure> {
        let arguments = arguments.iter().cloned().map(|v| self.incoming(v)).collect();
        self.slots = slots(code, arguments);
        self.params = usize::from(code.inner.params);
        self.replaced.clone_from(&code.inner.replaced);
        let nested = Nested::enter(code.inner.span)?;
        run_budget::admit(code.inner.span)?;
        self.meter.share(&nested);
        self.reach(code.inner.span);
        let result = self.eval(&code.inner.body);
        let spent = self.meter.spent();
        nested.leave(spent);
        run_budget::pay(spent);
        match result {
            Ok(value) | Err(Stop::Return(value) | Stop::Next(value)) => Ok(value),
            Err(Stop::Fail(failure)) => Err(*failure),
        }
    }

    /// Returns the values of the slots.
    pub(super) fn into_locals(self) -> Vec<Value> {
        self.slots.into_iter().collect()
    }

    /// Records secret or unknown values, and values with such parts, that enter the block from outside.
    pub(super) fn incoming(&mut self, value: Value) -> Value {
        match &value {
            Value::Unknown => self.unknowns = true,
            Value::Array(_) | Value::Map(_) | Value::Object(_) | Value::Sensitive(_) => {
                self.secrets |= value.has_secret();
                self.unknowns |= value.has_unknown();
            }
            _ => {}
        }
        value
    }

    /// Returns `true` if a value is secret or contains a secret.
    pub(super) fn is_secret(&self, value: &Value) -> bool {
        self.secrets && value.has_secret()
    }

    /// Records that the block itself has made a value secret.
    pub(super) fn note_secret(&mut self) {
        self.secrets = true;
    }

    /// Fails if a value is or contains an unknown value.
    pub(super) fn known(&self, value: &Value, span: Span) -> Eval<()> {
        if self.unknowns && value.has_unknown() { Err(Failure::unknown(span).into()) } else { Ok(()) }
    }

    /// Returns `true` if either of two known values contains an unknown value.
    pub(super) fn has_unknown_part(&self, a: &Value, b: &Value) -> bool {
        self.unknowns && [a, b].into_iter().all(|v| !matches!(v.unwrapped(), Value::Unknown)) && (a.has_unknown() || b.has_unknown())
    }

    /// Returns the truth value of a value; fails if the value is unknown.
    pub(super) fn truth(&self, value: &Value, span: Span) -> Eval<bool> {
        match value.unwrapped() {
            Value::Unknown => Err(Failure::unknown(span).into()),
            other => Ok(other.is_truthy()),
        }
    }

    /// Records a reached part of the block.
    #[inline]
    fn reach(&self, span: Span) {
        if let Some(coverage) = self.coverage.filter(|_| self.speculating == 0) {
            coverage.reach(span);
        }
    }

    /// Evaluates an expression.
    pub(super) fn eval(&mut self, node: &Node) -> Eval {
        self.meter.enter(node.span)?;
        // Blocks run inside blocks (`super`, `self.x = …`, `sync`), each up to the full depth, and the thread may have a small stack.
        let result = stacker::maybe_grow(STACK_LEFT, STACK_MORE, || self.dispatch(node));
        self.meter.leave();
        result
    }

    fn dispatch(&mut self, node: &Node) -> Eval {
        let span = node.span;
        match &node.op {
            Op::Const(value) => Ok(self.incoming(value.clone())),
            Op::Local(slot) => Ok(self.slots.get(usize::from(*slot)).cloned().unwrap_or_default()),
            Op::SetLocal(slot, value) => self.set_local(*slot, value),
            Op::Destructure(slots, value) => self.destructure(slots, value),
            Op::Concat(parts) => self.concat(parts, span),
            Op::Array(items) => self.array(items, span),
            Op::Map(pairs) => self.map(pairs, span),
            Op::Range(from, to, exclusive) => index::range_list(self, from.as_deref(), to.as_deref(), *exclusive, span),
            Op::SelfRef => Ok(Value::Resource(Arc::new(self.frame.scope.reference()))),
            Op::SelfAttr(id) => Ok(self.self_attribute(*id)),
            Op::SelfTrue(id) => self.self_true(*id, span),
            Op::SelfIndex(name) => self.self_index(name, span),
            Op::SelfIsSet(name) => self.self_is_set(name, span),
            Op::SelfDeclared(name) => self.self_declared(name, span),
            Op::SelfRaw(name) => self.self_raw(name, span),
            Op::SelfValues(name) => self.self_values(name, span),
            Op::SelfManaged => Ok(Value::Bool(self.frame.scope.is_managed())),
            Op::SetSelfIndex(name, value) => self.set_self_index(name, value, span),
            Op::SetSelf(id, value) => self.set_self(*id, value, span),
            Op::Attribute => Ok(self.frame.attribute.map_or(Value::Nil, |name| Value::Sym(name.clone()))),
            Op::Is(None) => self.given(self.frame.is, "is", span),
            Op::Is(Some(name)) => self.current(name, span),
            Op::Should => self.given(self.frame.should, "should", span),
            Op::Provider(method, arguments) => self.provider(method, arguments, span),
            Op::ProviderHas(name) => self.provider_has(name, span),
            Op::ProviderName => {
                let name = self.frame.scope.provider().map_or(Value::Nil, |p| p.name().map_or(Value::Unknown, Value::Sym));
                Ok(self.incoming(name))
            }
            Op::SetProvider(name, value) => self.set_provider(name, value, span),
            Op::Catalog(call, arguments) => self.catalog_call(*call, arguments, span),
            Op::Super(arguments) => self.call_super(arguments.as_deref(), span),
            Op::Capture(n) => Ok(self.last_match.as_ref().map_or(Value::Nil, |m| m.group(*n as usize))),
            Op::CallFn(place, arguments) => self.call_fn(*place, arguments, span),
            Op::Call(function, arguments, lambda) => functions::call(self, *function, arguments, lambda.as_deref(), span),
            Op::Method(method, receiver, arguments, lambda) => methods::call(self, *method, receiver, arguments, lambda.as_deref(), span),
            Op::ResourceAttr(receiver, name) => self.attribute_of(receiver, name, span),
            Op::Index(receiver, arguments) => index::index(self, receiver, arguments, span),
            Op::Not(value) => {
                let truth = self.test(value)?;
                decided(truth).map(|truth| Value::Bool(!truth))
            }
            Op::Negate(value) => operators::negate(self, value, span),
            Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => self.connect(*op, left, right),
            Op::Binary(op, left, right) => operators::binary(self, *op, left, right, span),
            Op::If(branches, otherwise) => self.branch(branches, otherwise.as_deref()),
            Op::Match(subject, arms) => self.choose(subject, arms, span),
            Op::Try(body, handler) => self.attempt(body, handler, span),
            Op::Fail(message, at, class) => self.fail(message, at.as_deref(), class.as_ref(), span),
            Op::Untranslated(why) => self.untranslated(why, span),
            Op::Return(value) => Err(Stop::Return(self.maybe(value.as_deref())?)),
            Op::Next(value) => Err(Stop::Next(self.maybe(value.as_deref())?)),
            Op::Seq(statements) => self.sequence(statements),
        }
    }

    fn maybe(&mut self, node: Option<&Node>) -> Eval {
        node.map_or(Ok(Value::Nil), |n| self.eval(n))
    }

    /// Evaluates arguments in order.
    #[inline(never)]
    pub(super) fn all(&mut self, nodes: &[Node]) -> Eval<Args> {
        if nodes.is_empty() {
            return Ok(Args::new());
        }
        nodes.iter().map(|n| self.eval(n)).collect()
    }

    pub(super) fn store(&mut self, slot: u16, value: Value) {
        if let Some(place) = self.slots.get_mut(usize::from(slot)) {
            *place = value;
        }
    }

    #[inline(never)]
    fn set_local(&mut self, slot: u16, value: &Node) -> Eval {
        let value = self.eval(value)?;
        self.store(slot, value.clone());
        Ok(value)
    }

    #[inline(never)]
    fn destructure(&mut self, slots: &[u16], value: &Node) -> Eval {
        let span = value.span;
        let value = self.eval(value)?;
        if matches!(value.unwrapped(), Value::Unknown) {
            return Err(Failure::unknown(span).into());
        }
        self.spread(slots, &value);
        Ok(value)
    }

    /// Stores the elements of a list in slots, in order. Any other value is stored in the first slot.
    fn spread(&mut self, slots: &[u16], value: &Value) {
        let secret = matches!(value, Value::Sensitive(_));
        let items = match value.unwrapped() {
            Value::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for (i, slot) in slots.iter().enumerate() {
            let item = items.get(i).cloned().unwrap_or_default();
            self.store(*slot, if secret { secret::close(item) } else { item });
        }
    }

    /// Stores the arguments of a closure. With several parameters, a single list is destructured.
    fn bind(&mut self, lambda: &Lambda, values: &[Value]) {
        match (lambda.params.as_slice(), values) {
            ([], _) => {}
            ([slot], [first, ..]) => self.store(*slot, first.clone()),
            (slots, [only]) if slots.len() > 1 => self.spread(slots, only),
            (slots, _) => {
                for (i, slot) in slots.iter().enumerate() {
                    self.store(*slot, values.get(i).cloned().unwrap_or_default());
                }
            }
        }
    }

    /// Calls a closure.
    pub(super) fn closure(&mut self, lambda: &Lambda, values: &[Value]) -> Eval {
        self.bind(lambda, values);
        self.meter.enter_closure(lambda.body.span)?;
        let result = self.eval(&lambda.body);
        self.meter.leave_closure();
        match result {
            Err(Stop::Next(value)) => Ok(value),
            other => other,
        }
    }

    #[inline(never)]
    fn concat(&mut self, parts: &[Node], span: Span) -> Eval {
        let mut text = EcoString::new();
        let mut is_secret = false;
        for part in parts {
            let value = self.eval(part)?;
            self.known(&value, part.span)?;
            let value = if self.is_secret(&value) {
                is_secret = true;
                secret::open(&value)
            } else {
                value
            };
            self.push_text(&mut text, &value, span)?;
        }
        let text = Value::Str(text);
        Ok(if is_secret { secret::close(text) } else { text })
    }

    /// Appends a value as a string; a list or map is paid for before the conversion.
    fn push_text(&mut self, text: &mut EcoString, value: &Value, span: Span) -> Eval<()> {
        match value {
            Value::Array(_) | Value::Map(_) => self.meter.admit(value, span)?,
            Value::Object(object) => {
                object.text.as_ref().map(drop).map_err(|why| Failure::new(DiagnosticCode::BlockFailed, span, why.clone()))?
            }
            _ => {}
        }
        let piece = value.to_text();
        self.meter.room(text.len().saturating_add(piece.len()), span)?;
        text.push_str(&piece);
        Ok(())
    }

    /// Evaluates a message. Secrets are redacted, and unknown values are shown as `unknown`.
    #[inline(never)]
    pub(super) fn message(&mut self, node: &Node) -> Eval<EcoString> {
        let mut text = EcoString::new();
        let parts = if let Op::Concat(parts) = &node.op { parts.as_slice() } else { std::slice::from_ref(node) };
        for part in parts {
            let value = match self.eval(part) {
                Err(Stop::Fail(failure)) if failure.is_unknown() && !failure.is_untranslated() => Value::Unknown,
                value => value?,
            };
            let shown = if self.is_secret(&value) { Value::str(REDACTED) } else { value };
            self.push_text(&mut text, &shown, node.span)?;
        }
        Ok(text)
    }

    #[inline(never)]
    fn array(&mut self, items: &[Node], span: Span) -> Eval {
        let value = Value::array(self.all(items)?);
        self.meter.admit(&value, span)?;
        Ok(value)
    }

    #[inline(never)]
    fn map(&mut self, pairs: &[(Node, Node)], span: Span) -> Eval {
        let mut map = crate::value::Map::with_capacity(pairs.len());
        for (key, value) in pairs {
            let key = self.eval(key)?;
            self.known(&key, span)?;
            map.insert(key, self.eval(value)?);
        }
        let value = Value::Map(Arc::new(map));
        self.meter.admit(&value, span)?;
        Ok(value)
    }

    #[inline(never)]
    pub(super) fn call_fn(&mut self, place: u16, arguments: &[Node], span: Span) -> Eval {
        let arguments = self.all(arguments)?;
        let program: &'a Program = self.frame.scope.program();
        let Some(function) = program.functions.get(usize::from(place)) else {
            return Err(Failure::new(DiagnosticCode::UnknownName, span, "there is no such function").into());
        };
        self.meter.enter_call(span)?;
        let given = arguments.len();
        let code = &function.code;
        // A function cannot access the locals, parameters and last match of its caller.
        let outer = (
            std::mem::replace(&mut self.slots, slots(code, arguments.into_iter().collect())),
            self.last_match.take(),
            std::mem::replace(&mut self.in_function, true),
        );
        self.reach(code.inner.span);
        let result = self.fill_defaults(function, given).and_then(|()| self.eval(&code.inner.body));
        (self.slots, self.last_match, self.in_function) = outer;
        self.meter.leave_call();
        match result {
            Err(Stop::Return(value) | Stop::Next(value)) => Ok(value),
            other => other,
        }
    }

    /// Runs the block that the running one replaces, as `super`.
    pub(super) fn run_replaced(&mut self, code: &CodeBlock, arguments: Locals) -> Eval {
        let outer = (
            std::mem::replace(&mut self.slots, slots(code, arguments)),
            std::mem::replace(&mut self.params, usize::from(code.inner.params)),
            std::mem::replace(&mut self.replaced, code.inner.replaced.clone()),
            self.last_match.take(),
        );
        self.reach(code.inner.span);
        let result = self.eval(&code.inner.body);
        (self.slots, self.params, self.replaced, self.last_match) = outer;
        match result {
            Err(Stop::Return(value) | Stop::Next(value)) => Ok(value),
            other => other,
        }
    }

    fn fill_defaults(&mut self, function: &crate::types::Function, given: usize) -> Eval<()> {
        let params = usize::from(function.code.inner.params);
        let first = params.saturating_sub(function.defaults.len());
        for (i, default) in function.defaults.iter().enumerate() {
            if first + i >= given {
                let value = self.eval(default)?;
                self.store(u16::try_from(first + i).unwrap_or(u16::MAX), value);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn branch(&mut self, branches: &[(Node, Node)], otherwise: Option<&Node>) -> Eval {
        for (i, (condition, body)) in branches.iter().enumerate() {
            match self.test(condition)? {
                Ok(false) => {}
                Ok(true) => {
                    self.reach(body.span);
                    return self.eval(body);
                }
                Err(failure) => {
                    let rest = branches.get(i + 1..).unwrap_or_default();
                    return self.undecided_branch(failure, body, rest, otherwise);
                }
            }
        }
        if let Some(otherwise) = otherwise {
            self.reach(otherwise.span);
        }
        self.maybe(otherwise)
    }

    /// Searches a string or symbol and stores the match for `$1`; without a match the previous one is cleared.
    pub(super) fn find(&mut self, regex: &Regex, value: &Value, secret: bool, span: Span) -> Eval<bool> {
        let text = value.to_text();
        let groups = self.search(regex, &text, 0, span)?;
        self.last_match = groups.map(|groups| LastMatch { text, groups, secret });
        Ok(self.last_match.is_some())
    }

    /// Searches a string from an offset.
    pub(super) fn search(&mut self, regex: &Regex, text: &str, from: usize, span: Span) -> Eval<Option<Captures>> {
        self.meter.spend(1, span)?;
        self.meter.spend_bytes(text.len().saturating_sub(from), span)?;
        if regex.is_backtracking() {
            self.meter.spend(100, span)?;
        }
        regex.try_captures_at(text, from).map_err(|_| too_many_steps(regex, span))
    }

    /// Searches like [`Interpreter::search`], within many searches in the same string. The search pays for the part that it reads
    /// instead of the whole rest.
    pub(super) fn search_from(&mut self, regex: &Regex, text: &str, from: usize, span: Span) -> Eval<Option<Captures>> {
        self.meter.spend(1, span)?;
        let rest = text.len().saturating_sub(from);
        let found = regex.try_captures_at(text, from).map_err(|_| too_many_steps(regex, span))?;
        let end = found.as_ref().and_then(|g| g.first().cloned().flatten()).map_or(text.len(), |whole| whole.end);
        match regex.reach() {
            Some(reach) => self.meter.spend_bytes((end.saturating_sub(from).saturating_add(reach)).min(rest), span)?,
            None => self.meter.spend(end.saturating_sub(from) as u64 / 16 + rest as u64 / 48, span)?,
        }
        if regex.is_backtracking() {
            self.meter.spend(100, span)?;
        }
        Ok(found)
    }

    #[inline(never)]
    fn attempt(&mut self, body: &Node, handler: &Handler, span: Span) -> Eval {
        self.handlers += 1;
        let result = self.eval(body);
        self.handlers -= 1;
        match result {
            // A block that has exhausted its limits cannot go on to handle the error, and an unknown value must stay unknown.
            Err(Stop::Fail(failure)) if !failure.is_unknown() && failure.kind != FailureKind::Budget => {
                if !error_class::handles(&handler.errors, &failure, span)? {
                    return Err(Stop::Fail(failure));
                }
                if let Some(slot) = handler.slot {
                    self.store(slot, Value::str(failure.message.as_str()));
                }
                if let Some(slot) = handler.class {
                    self.store(slot, Value::str(error_class::of_failure(&failure, span)?));
                }
                self.reach(handler.body.span);
                self.eval(&handler.body)
            }
            other => other,
        }
    }

    #[inline(never)]
    fn fail(&mut self, message: &Node, at: Option<&Node>, class: Option<&EcoString>, span: Span) -> Eval {
        self.reach(span);
        let message = self.message(message)?;
        let at = match at {
            Some(node) => {
                let value = self.eval(node)?;
                self.known(&value, span)?;
                Some(value.to_text())
            }
            None => None,
        };
        Err(Failure { at, class: class.cloned(), kind: FailureKind::Fail, ..Failure::new(DiagnosticCode::BlockFailed, span, message) }
            .into())
    }

    #[inline(never)]
    fn untranslated(&mut self, why: &Node, span: Span) -> Eval {
        let reason = self.message(why)?;
        Err(Failure::untranslated(span, reason).into())
    }

    /// Prepares a call: unwraps the arguments if any argument contains a secret, and fails if an argument is unknown.
    pub(super) fn call<'c>(
        &mut self,
        name: &'static str,
        args: Args,
        receiver_is_secret: bool,
        lambda: Option<&'c Lambda>,
        span: Span,
    ) -> Eval<BuiltinCall<'c>> {
        let mut is_secret = receiver_is_secret;
        for arg in &args {
            self.known(arg, span)?;
            is_secret |= self.is_secret(arg);
        }
        let args = if is_secret { args.iter().map(secret::open).collect() } else { args };
        Ok(BuiltinCall { name, span, args, lambda, secret: is_secret })
    }
}

/// Allocates the slots of a block: the arguments first, all others nil.
fn slots(code: &CodeBlock, mut arguments: Locals) -> Locals {
    arguments.truncate(usize::from(code.inner.params));
    arguments.resize(usize::from(code.inner.slots.max(code.inner.params)), Value::Nil);
    arguments
}

fn too_many_steps(regex: &Regex, span: Span) -> Stop {
    Failure::budget(DiagnosticCode::FuelSpent, span, format!("{regex} takes too many steps on this text")).into()
}
