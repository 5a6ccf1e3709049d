//! The only traversal of the tree.

use super::{
    ArrayPattern, BodyId, CallArgs, CallBlock, CasePattern, ConstantPath, ConstantScope, Element, ExprId, Hir, HirKind, MultiTarget, Pair,
    Params, Target,
};

/// An operand of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HirChild {
    /// An expression of the same body.
    Expr(ExprId),
    /// A body inside the expression.
    Body(BodyId),
}

/// Receives an expression's operands in evaluation order.
type Receive<'f> = &'f mut dyn FnMut(HirChild);

/// Parts of expressions that contain expressions.
trait Operands {
    fn each(&self, receive: Receive<'_>);
}

impl Operands for ExprId {
    fn each(&self, receive: Receive<'_>) {
        receive(HirChild::Expr(*self));
    }
}

impl Operands for BodyId {
    fn each(&self, receive: Receive<'_>) {
        receive(HirChild::Body(*self));
    }
}

impl<T: Operands> Operands for Option<T> {
    fn each(&self, receive: Receive<'_>) {
        self.iter().for_each(|part| part.each(receive));
    }
}

impl<T: Operands> Operands for Vec<T> {
    fn each(&self, receive: Receive<'_>) {
        self.iter().for_each(|part| part.each(receive));
    }
}

impl<T: Operands> Operands for Box<T> {
    fn each(&self, receive: Receive<'_>) {
        (**self).each(receive);
    }
}

/// Lists the struct fields with expressions.
macro_rules! operands {
    ($($type:ty { $($field:ident),* })*) => {$(
        impl Operands for $type {
            fn each(&self, receive: Receive<'_>) {
                $(self.$field.each(receive);)*
            }
        }
    )*};
}

operands! {
    CallArgs { positional, keywords, block }
    super::MethodCall { receiver, args }
    super::SuperCall { args }
    ConstantPath { scope }
    MultiTarget { before, rest, after }
    super::Case { subject, arms, otherwise }
    super::WhenArm { conditions, body }
    super::CaseIn { subject, arms, otherwise }
    super::InArm { pattern, guard, body }
    super::Begin { body, rescues, otherwise, ensure }
    super::Rescue { classes, target, body }
    ArrayPattern { constant, before, after }
    super::KeywordParam { default }
}

impl Operands for Element {
    fn each(&self, receive: Receive<'_>) {
        let (Element::Plain(value) | Element::Splat(value)) = self;
        value.each(receive);
    }
}

impl Operands for Pair {
    fn each(&self, receive: Receive<'_>) {
        match self {
            Pair::Entry(key, value) => {
                key.each(receive);
                value.each(receive);
            }
            Pair::Splat(value) => value.each(receive),
        }
    }
}

impl Operands for CallBlock {
    fn each(&self, receive: Receive<'_>) {
        match self {
            CallBlock::Literal(body) => body.each(receive),
            CallBlock::Pass(value) => value.each(receive),
        }
    }
}

impl Operands for ConstantScope {
    fn each(&self, receive: Receive<'_>) {
        if let ConstantScope::Of(scope) = self {
            scope.each(receive);
        }
    }
}

impl Operands for Target {
    fn each(&self, receive: Receive<'_>) {
        match self {
            Target::Constant(path) => path.each(receive),
            Target::Index { receiver, args } => {
                receiver.each(receive);
                args.each(receive);
            }
            Target::Attribute { receiver, .. } => receiver.each(receive),
            Target::Multiple(multi) => multi.each(receive),
            Target::Local(_) | Target::Variable(_) | Target::Discard => {}
        }
    }
}

impl Operands for CasePattern {
    fn each(&self, receive: Receive<'_>) {
        match self {
            CasePattern::Value(value) => value.each(receive),
            CasePattern::Capture(inner, _) => inner.each(receive),
            CasePattern::Alternatives(all) => all.each(receive),
            CasePattern::Array(pattern) | CasePattern::Find(pattern) => pattern.each(receive),
            CasePattern::Hash(pattern) => {
                pattern.constant.each(receive);
                pattern.entries.iter().for_each(|(_, inner)| inner.each(receive));
            }
            CasePattern::Bind(_) | CasePattern::Unsupported => {}
        }
    }
}

impl Operands for Params {
    fn each(&self, receive: Receive<'_>) {
        self.required.each(receive);
        self.optional.iter().for_each(|(_, default)| default.each(receive));
        self.post.each(receive);
        self.keywords.each(receive);
    }
}

impl HirKind {
    /// Calls a function with each operand in evaluation order.
    pub fn each_child(&self, receive: &mut dyn FnMut(HirChild)) {
        match self {
            HirKind::StrConcat(parts) | HirKind::SymbolConcat(parts) | HirKind::Seq(parts) | HirKind::Undef(parts) => parts.each(receive),
            HirKind::Regex { parts, .. } => parts.each(receive),
            HirKind::Array(elements) => elements.each(receive),
            HirKind::Hash(pairs) => pairs.each(receive),
            HirKind::Range { low, high, .. } => [low, high].into_iter().for_each(|end| end.each(receive)),
            HirKind::Constant(path) => path.each(receive),
            HirKind::Assign { target, value } => {
                target.each(receive);
                value.each(receive);
            }
            HirKind::If { condition, then, otherwise } => [condition, then, otherwise].into_iter().for_each(|part| part.each(receive)),
            HirKind::Not(value) | HirKind::IsNil(value) | HirKind::Defined(value) => value.each(receive),
            HirKind::And(left, right) | HirKind::Or(left, right) => [left, right].into_iter().for_each(|part| part.each(receive)),
            HirKind::While { condition, body, .. } => [condition, body].into_iter().for_each(|part| part.each(receive)),
            HirKind::For { target, list, body } => {
                list.each(receive);
                target.each(receive);
                body.each(receive);
            }
            HirKind::Case(case) => case.each(receive),
            HirKind::CaseIn(case) => case.each(receive),
            HirKind::MatchPattern { value, pattern, .. } => {
                value.each(receive);
                pattern.each(receive);
            }
            HirKind::Begin(begin) => begin.each(receive),
            HirKind::Call(call) => call.each(receive),
            HirKind::Super(call) => call.each(receive),
            HirKind::Yield(args) => args.each(receive),
            HirKind::Return(value) | HirKind::Break(value) | HirKind::Next(value) => value.each(receive),
            HirKind::Lambda(body) => body.each(receive),
            HirKind::Def { singleton, body, .. } => {
                singleton.each(receive);
                body.each(receive);
            }
            HirKind::Class { path, superclass, body } => {
                path.each(receive);
                superclass.each(receive);
                body.each(receive);
            }
            HirKind::Module { path, body } => {
                path.each(receive);
                body.each(receive);
            }
            HirKind::SingletonClass { object, body } => {
                object.each(receive);
                body.each(receive);
            }
            HirKind::Alias { new, old } => [new, old].into_iter().for_each(|part| part.each(receive)),
            HirKind::Nil | HirKind::Bool(_) | HirKind::SelfValue | HirKind::Integer(_) | HirKind::BigInteger(_) | HirKind::Float(_) => {}
            HirKind::Str { .. } | HirKind::Symbol(_) | HirKind::Local(_) | HirKind::Variable(_) | HirKind::Group(_) => {}
            HirKind::AroundMatch(_) | HirKind::FilePath | HirKind::Line | HirKind::Retry | HirKind::Redo => {}
            HirKind::Unsupported { .. } => {}
        }
    }
}

/// Receives the expressions of a tree.
pub trait Visitor {
    /// Called for each expression before its operands. Returns true to visit the operands.
    fn enter(&mut self, hir: &Hir, body: BodyId, expr: ExprId) -> bool;
}

/// Visits the expressions in a body and in the bodies inside it, in evaluation order.
pub fn walk_body(hir: &Hir, body: BodyId, visitor: &mut dyn Visitor) {
    let mut pending: Vec<(BodyId, HirChild)> = vec![(body, HirChild::Body(body))];
    let mut children = Vec::new();
    while let Some((outer, child)) = pending.pop() {
        match child {
            HirChild::Body(id) => {
                let Some(inner) = hir.body(id) else { continue };
                inner.params.each(&mut |child| children.push((id, child)));
                children.push((id, HirChild::Expr(inner.root)));
            }
            HirChild::Expr(expr) => {
                let Some(body) = hir.body(outer) else { continue };
                if visitor.enter(hir, outer, expr) {
                    body.kind(expr).each_child(&mut |child| children.push((outer, child)));
                }
            }
        }
        pending.extend(children.drain(..).rev());
    }
}
