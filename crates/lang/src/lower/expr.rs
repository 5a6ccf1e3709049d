//! Lowers expressions and statements to [`Node`]s.

use super::NameKind;
use super::block::BlockLowerer;
use super::literal::{self, Literals};
use super::ruby;
use crate::diagnostics::{Code, Diagnostic, Help, nearest};
use crate::eval::error_class;
use crate::source::Span;
use crate::syntax::ast::{Arm, BinaryOp, Block, Closure, Condition, Expr, ExprKind, Ident, StrLit, StrPart, UnaryOp};
use crate::syntax::{OTHERWISE, is_else};
use crate::types::{AttrId, Handler, Lambda, MatchArm, Node, Op, Pattern};
use crate::value::{DataType, EcoString, Value};

impl BlockLowerer<'_> {
    pub fn expr(&self, expr: &Expr) -> Node {
        let span = expr.span;
        let boxed = |e: &Expr| Box::new(self.expr(e));
        let all = |items: &[Expr]| items.iter().map(|e| self.expr(e)).collect::<Vec<_>>();
        let op = match &expr.kind {
            ExprKind::Nil => Op::Const(Value::Nil),
            ExprKind::Bool(b) => Op::Const(Value::Bool(*b)),
            ExprKind::Int(n) => Op::Const(Value::Int(*n)),
            ExprKind::Float(n) => Op::Const(Value::Float(*n)),
            ExprKind::Str(s) => self.string(s),
            ExprKind::Symbol(s) => Op::Const(Value::sym(s.clone())),
            ExprKind::Words(words) => Op::Const(Value::array(words.iter().map(|w| Value::str(w.clone())))),
            ExprKind::Regex(r) => match literal::compile(r, span, self.scope.sink) {
                Some(regex) => Op::Const(Value::Regex(regex)),
                None => Op::Const(Value::Nil),
            },
            ExprKind::Array(items) => Op::Array(all(items)),
            ExprKind::Map(pairs) => {
                literal::duplicate_keys(pairs, self.scope.sink);
                Op::Map(pairs.iter().map(|(k, v)| (self.expr(k), self.expr(v))).collect())
            }
            ExprKind::Word(name) | ExprKind::Name(name) => return self.name(name, span),
            ExprKind::Splat(name) => return self.name(&name.name, name.span),
            ExprKind::SelfRef => {
                self.needs_self("self", span);
                Op::SelfRef
            }
            ExprKind::Super(arguments) => {
                if !self.kind.has_super {
                    let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`super` means nothing in `{}`", self.kind.name));
                    self.scope.sink.report(d.help("it runs what an `override` or a replaced block would have done"));
                }
                Op::Super(arguments.as_ref().map(|a| all(a)))
            }
            ExprKind::Capture(n) => Op::Capture(*n),
            ExprKind::Call(call) => return self.call(call, span),
            ExprKind::Method(receiver, call) => return self.method(receiver, call, span),
            ExprKind::Index(receiver, items) => return self.index(receiver, items, span),
            ExprKind::Range { from, to, exclusive } => Op::Range(from.as_deref().map(boxed), to.as_deref().map(boxed), *exclusive),
            ExprKind::Unary(UnaryOp::Not, inner) => Op::Not(Box::new(self.condition_expr(inner))),
            ExprKind::Unary(UnaryOp::Minus, inner) => match self.expr(inner).op {
                Op::Const(Value::Int(n)) if n != i64::MIN => Op::Const(Value::Int(-n)),
                Op::Const(Value::Float(n)) => Op::Const(Value::Float(-n)),
                op => Op::Negate(Box::new(Node { op, span: inner.span })),
            },
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), left, right, .. } => {
                Op::Binary(*op, Box::new(self.condition_expr(left)), boxed(right))
            }
            ExprKind::Binary { op, left, right, .. } => Op::Binary(*op, boxed(left), boxed(right)),
            ExprKind::Ternary(test, yes, no) => Op::If(vec![(self.condition_expr(test), self.expr(yes))], Some(boxed(no))),
            ExprKind::If { branches, otherwise } => {
                let branches = branches.iter().map(|(c, b)| (self.condition(c), self.block(b))).collect();
                Op::If(branches, otherwise.as_ref().map(|b| Box::new(self.block(b))))
            }
            ExprKind::Match(subject, arms) => {
                let subject = boxed(subject);
                Op::Match(subject, arms.iter().map(|a| self.arm(a)).collect())
            }
            ExprKind::Try { body, errors, params, otherwise } => {
                let body = Box::new(self.block(body));
                self.scoped(|| {
                    let (slot, class) = (params.first().map(|p| self.declare(p)), params.get(1).map(|p| self.declare(p)));
                    let errors = errors.iter().map(|class| self.error_class(class)).collect();
                    Op::Try(body, Box::new(Handler { errors, slot, class, body: self.block(otherwise) }))
                })
            }
            ExprKind::Untranslated(why) => Op::Untranslated(boxed(why)),
            ExprKind::Fail(fail) => {
                let at = fail.at.as_ref().map(|at| Box::new(self.blamed(at)));
                Op::Fail(boxed(&fail.message), at, fail.error.as_ref().map(|class| self.error_class(class)))
            }
            ExprKind::Return(value) => {
                if let Some(value) = value.as_deref().filter(|_| self.kind.gives_truth()) {
                    self.refuse_assignment(value);
                }
                Op::Return(value.as_deref().map(boxed))
            }
            ExprKind::Next(value) => Op::Next(value.as_deref().map(boxed)),
            ExprKind::Let(targets, value) => {
                // The value is lowered before the names are declared: `let x = x.strip` reads the outer `x`.
                let value = boxed(value);
                let slots: Vec<u16> = targets.iter().map(|n| self.declare(n)).collect();
                match slots.as_slice() {
                    [one] => Op::SetLocal(*one, value),
                    _ => Op::Destructure(slots, value),
                }
            }
            ExprKind::Assign { target, add, value } => {
                return self.assign(target, *add, value, span);
            }
            ExprKind::Modified(statement, condition) => {
                let test = self.condition(condition);
                Op::If(vec![(test, self.expr(statement))], None)
            }
            ExprKind::Paren(inner) => return self.expr(inner),
            ExprKind::Error => Op::Const(Value::Nil),
        };
        Node { op, span }
    }

    pub fn string(&self, s: &StrLit) -> Op {
        match s.plain() {
            Some(text) => Op::Const(Value::Str(text)),
            None => Op::Concat(
                s.parts
                    .iter()
                    .map(|part| match part {
                        StrPart::Text(t) => Node { op: Op::Const(Value::Str(t.clone())), span: s.span },
                        StrPart::Expr(e) => self.expr(e),
                    })
                    .collect(),
            ),
        }
    }

    /// Lowers a bare word in an expression.
    fn name(&self, name: &EcoString, span: Span) -> Node {
        let op = if let Some(slot) = self.used_local(name, span) {
            Op::Local(slot)
        } else if let Some(bound) = self.bindings.get(name) {
            self.scope.sink.refer(NameKind::Local, span, bound.span);
            Op::Const(bound.value.clone())
        } else if let Some(constant) = self.scope.names.consts.get(name.as_str()) {
            self.scope.sink.refer(NameKind::Constant, span, constant.name.span);
            let literals = Literals { names: self.scope.names, bindings: self.bindings, sink: self.scope.sink };
            Op::Const(literals.value(&constant.value).unwrap_or_default())
        } else if let Some(outcome) = self.outcome(name) {
            return self.ask(outcome, span);
        } else {
            match name.as_str() {
                "attribute" if !self.kind.sees_outcomes => Op::Attribute,
                "provider" if self.kind.sees_outcomes => Op::ProviderName,
                "is" if self.kind.sees_is => Op::Is(None),
                "should" if self.kind.sees_is => Op::Should,
                "is" | "should" => {
                    let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`{name}` cannot be read in `{}`", self.kind.name));
                    self.scope.sink.report(d.help("it is known in `insync`, `compare`, messages and action blocks"));
                    Op::Const(Value::Nil)
                }
                "metaparams" | "current_user" => return self.call_without_parens(name, span),
                _ if self.is_unknown_constant(name) => return self.unknown_name(name, span),
                _ if name.starts_with(|c: char| c.is_uppercase()) => match self.data_type(name, &[], span) {
                    Some(t) => Op::Const(Value::Type(t.into())),
                    None => Op::Const(Value::Nil),
                },
                _ => return self.unknown_name(name, span),
            }
        };
        Node { op, span }
    }

    /// Returns `true` if a name in capitals is the name of a data type, an alias or a Ruby module.
    pub(super) fn is_known_in_capitals(&self, name: &str) -> bool {
        super::datatype::is_data_type(name) || self.scope.names.aliases.contains_key(name) || ruby::module(name, Span::NONE).is_some()
    }

    /// Returns `true` if a name in capitals is unknown, or if an unknown capitalized name resembles a constant more than a data type.
    fn is_unknown_constant(&self, name: &str) -> bool {
        let names = self.scope.names;
        let known =
            || DataType::TABLE.iter().map(|(name, ..)| *name).chain(names.aliases.keys().copied()).chain(names.consts.keys().copied());
        let resembles = || nearest(name, known()).is_some_and(|near| names.consts.contains_key(near));
        name.starts_with(|c: char| c.is_ascii_uppercase()) && !self.is_known_in_capitals(name) && (is_constant(name) || resembles())
    }

    pub(super) fn unknown_name(&self, name: &str, span: Span) -> Node {
        let locals = self.locals.borrow();
        let known = locals
            .iter()
            .map(|(n, ..)| n.as_str())
            .chain(self.bindings.keys().map(EcoString::as_str))
            .chain(self.scope.names.consts.keys().copied());
        let mut d = Diagnostic::new(Code::UnknownName, span, format!("unknown name `{name}`"));
        let help = if let Some(declared) = self.ended.borrow().get(name) {
            // The local is used, although at the wrong place.
            self.scope.sink.refer(NameKind::Local, span, *declared);
            d = d.also(*declared, "declared in this block only");
            format!("declare `{name}` before the block that sets it: `let {name} = nil`, and in the block `{name} = …`").into()
        } else if self.scope.attributes.contains_key(name) {
            format!("for the attribute write `self.{name}`, for the symbol `:{name}`").into()
        } else if self.scope.functions.contains_key(name) {
            format!("a function is called with parentheses: `{name}(…)`").into()
        } else if self.scope.queries.contains_key(name) {
            format!("for a method or setting of the provider, write `provider.{name}`").into()
        } else if let Some(instead) = ruby::local(name) {
            instead.into()
        } else if let Some(near) = nearest(name, known) {
            self.scope.names.refer_similar(name, span, self.scope.sink);
            Help::suggestion(near)
        } else if name.ends_with('?') {
            format!("for a query of the provider write `provider.{name}`, for a method of a value `value.{name}`").into()
        } else if is_constant(name) {
            format!("declare it at the top level of the file: `const {name} = …`").into()
        } else {
            format!("for the symbol, write `:{name}`; declare a local with `let {name} = …`").into()
        };
        self.scope.sink.report(d.help(help));
        Node { op: Op::Const(Value::Nil), span }
    }

    pub fn condition(&self, condition: &Condition) -> Node {
        let test = self.condition_expr(&condition.test);
        if condition.negated { Node { span: test.span, op: Op::Not(Box::new(test)) } } else { test }
    }

    /// Lowers an expression used as a condition.
    pub(super) fn condition_expr(&self, expr: &Expr) -> Node {
        self.refuse_assignment(expr);
        let node = self.expr(expr);
        if let Op::SelfAttr(id) = node.op {
            self.check_truth(id, node.span);
        }
        node
    }

    /// Reports a bare `self.x` as a condition if the attribute's values include `:false`, which counts as true.
    fn check_truth(&self, id: AttrId, span: Span) {
        if !self.scope.falsy.contains(&id) {
            return;
        }
        let Some((name, _)) = self.scope.attributes.iter().find(|(_, i)| **i == id) else {
            return;
        };
        let d = Diagnostic::new(Code::FalsySymbol, span, format!("`self.{name}` is true here even when it is `:false`"));
        self.scope
            .sink
            .report(d.help(format!("write `self.{name}?` for whether it is true, or `self.set?(:{name})` for whether it is set")));
    }

    pub fn lambda(&self, closure: &Closure) -> Box<Lambda> {
        Box::new(
            self.scoped(|| Lambda { params: closure.params.iter().map(|p| self.declare(p)).collect(), body: self.block(&closure.body) }),
        )
    }

    fn arm(&self, arm: &Arm) -> MatchArm {
        let patterns = arm.patterns.iter().filter_map(|p| self.pattern(p)).collect();
        let guard = arm.guard.as_ref().map(|g| self.condition(g));
        MatchArm { patterns, guard, body: self.block(&arm.body) }
    }

    fn pattern(&self, pattern: &Expr) -> Option<Pattern> {
        let from_value = |value: Value| match value {
            Value::Regex(r) => Pattern::Regex(r),
            Value::Type(t) => Pattern::Type(t),
            other => Pattern::Value(other),
        };
        match &pattern.kind {
            ExprKind::Name(n) if n == "_" => Some(Pattern::Any),
            ExprKind::Name(n) if is_else(n) && self.local(n).is_none() => {
                let d = Diagnostic::new(Code::UnknownName, pattern.span, format!("`{n}` is not a pattern"));
                self.scope.sink.report(d.help(OTHERWISE));
                None
            }
            ExprKind::Name(_) | ExprKind::Index(..) => match self.expr(pattern).op {
                Op::Const(value) => Some(from_value(value)),
                _ => {
                    let d = Diagnostic::new(Code::NotAllowedHere, pattern.span, "a pattern is a literal, a regex, a data type or `_`");
                    self.scope.sink.report(d.help("compare with other values in a guard: `_ if v == other => …`"));
                    None
                }
            },
            ExprKind::Error => None,
            _ => {
                let literals = Literals { names: self.scope.names, bindings: self.bindings, sink: self.scope.sink };
                literals.value(pattern).map(from_value)
            }
        }
    }

    /// Lowers the attribute of `fail …, at:`.
    fn blamed(&self, at: &Expr) -> Node {
        if let ExprKind::Symbol(name) = &at.kind {
            self.check_attribute(name, at.span);
        }
        self.expr(at)
    }

    /// Lowers the class of a failure. A class that the author defines may have any name, except a misspelled name of a Ruby class.
    fn error_class(&self, class: &Ident) -> EcoString {
        if !error_class::known().any(|known| known == class.name)
            && let Some(near) =
                nearest(&class.name, error_class::known()).filter(|near| strsim::damerau_levenshtein(near, &class.name) <= 2)
        {
            let d = Diagnostic::new(Code::UnknownName, class.span, format!("unknown class of failures `{}`", class.name));
            self.scope.sink.report(d.help(format!("did you mean `{near}`?")));
        }
        class.name.clone()
    }

    fn assign(&self, target: &Expr, add: bool, value: &Expr, span: Span) -> Node {
        let sum = |current: Node, value: Node| {
            if add { Node { op: Op::Binary(BinaryOp::Add, Box::new(current), Box::new(value)), span } } else { value }
        };
        let op = match &target.kind {
            ExprKind::Name(name) => match self.used_local(name, target.span) {
                Some(slot) => {
                    let current = Node { op: Op::Local(slot), span: target.span };
                    Op::SetLocal(slot, Box::new(sum(current, self.expr(value))))
                }
                None => {
                    let d = Diagnostic::new(Code::UnknownName, target.span, format!("unknown local `{name}`"));
                    self.scope.sink.report(d.help(format!("declare it with `let {name} = …`")));
                    // Declare the name, so that later uses do not repeat the error.
                    let value = self.expr(value);
                    Op::SetLocal(self.declare_as(name, target.span), Box::new(value))
                }
            },
            ExprKind::Index(receiver, items) if matches!(receiver.kind, ExprKind::SelfRef) && items.len() == 1 => {
                self.may_write(target.span);
                match self.index(receiver, items, target.span) {
                    node @ Node { op: Op::SelfAttr(id), .. } => Op::SetSelf(id, Box::new(sum(node, self.expr(value)))),
                    Node { op: Op::SelfIndex(name), span: at } => {
                        let current = Node { op: Op::SelfIndex(name.clone()), span: at };
                        Op::SetSelfIndex(name, Box::new(sum(current, self.expr(value))))
                    }
                    _ => Op::Const(Value::Nil),
                }
            }
            ExprKind::Method(receiver, call) if matches!(receiver.kind, ExprKind::SelfRef) => {
                self.may_write(target.span);
                match self.check_attribute(&call.name.name, call.name.span) {
                    Some(id) => {
                        let current = Node { op: Op::SelfAttr(id), span: target.span };
                        Op::SetSelf(id, Box::new(sum(current, self.expr(value))))
                    }
                    None => Op::Const(Value::Nil),
                }
            }
            ExprKind::Method(receiver, call) if is_name(receiver, "provider") => {
                if !self.kind.action {
                    let d = Diagnostic::new(Code::NotAllowedHere, target.span, format!("`{}` cannot change the machine", self.kind.name));
                    self.scope.sink.report(d.help("only action blocks may: `newvalue`, `sync`, `refresh`"));
                }
                self.refer_method(&call.name.name, call.name.span);
                Op::SetProvider(call.name.name.clone().into(), Box::new(self.expr(value)))
            }
            _ => {
                let d = Diagnostic::new(Code::NotAllowedHere, target.span, "this cannot be assigned to");
                self.scope.sink.report(d.help("values never change; make a new one and keep it in a local"));
                Op::Const(Value::Nil)
            }
        };
        Node { op, span }
    }

    fn may_write(&self, span: Span) {
        if !self.kind.writes_self {
            let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`{}` cannot change an attribute", self.kind.name));
            self.scope.sink.report(d.help("only `finalize` and `late_finalize` may write `self.x = …`"));
        }
    }

    pub fn needs_self(&self, what: &str, span: Span) {
        if !self.kind.sees_self {
            let d = Diagnostic::new(Code::NotAllowedHere, span, format!("`{what}` cannot be seen in `{}` here", self.kind.name));
            self.scope.sink.report(d.help("hand over what is needed as an argument, or declare the function inside the type"));
        }
    }

    /// Returns an attribute's index in the type, and reports an unknown attribute.
    pub fn check_attribute(&self, name: &str, span: Span) -> Option<AttrId> {
        if let Some(id) = self.scope.attributes.get(name) {
            self.asked.borrow_mut().push(*id);
            self.scope.refer_attribute(*id, span);
            return Some(*id);
        }
        if !self.scope.open {
            let d = Diagnostic::new(Code::UnknownAttribute, span, format!("the type has no attribute `{name}`"));
            let known = self.scope.attributes.keys().map(|k| k.as_str());
            let help = match nearest(name, known) {
                Some(near) => Help::suggestion(near),
                None => format!("declare it with `newproperty {name}` or `newparam {name}`").into(),
            };
            self.scope.sink.report(d.help(help));
        }
        None
    }
}

/// Returns `true` if the expression is this bare word.
pub(super) fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(n) if n == name)
}

/// Returns a block with a single expression.
pub(super) fn single(expr: &Expr) -> Block {
    Block { statements: vec![expr.clone()], span: expr.span }
}

/// Returns `true` if a name is written like a constant: in capitals.
pub(super) fn is_constant(name: &str) -> bool {
    name.len() > 1 && name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains(|c: char| c.is_ascii_lowercase())
}
