//! Blocks ready for evaluation: names are resolved, locals have slot numbers, constants are values.

use super::AttrId;
use super::builtin::{Function as Builtin, Method};
use crate::source::Span;
use crate::value::{EcoString, Regex, Symbol, Value};
use std::sync::Arc;

pub use crate::syntax::ast::BinaryOp;

/// A block, cheap to clone.
#[derive(Clone, Debug)]
pub struct CodeBlock {
    /// The shared block.
    pub inner: Arc<CodeInner>,
}

/// The contents of a block.
#[derive(Debug)]
pub struct CodeInner {
    /// The number of parameters; they occupy the first slots.
    pub params: u16,
    /// The number of slots for parameters, locals and closure parameters.
    pub slots: u16,
    /// The expression that determines the block's value.
    pub body: Node,
    /// The span of the block.
    pub span: Span,
    /// `true` if the block may call actions.
    pub action: bool,
    /// The kind's block that this block replaces; `super` runs it.
    pub replaced: Option<CodeBlock>,
}

impl CodeBlock {
    /// Returns this block with a replaced block for `super`.
    pub fn replacing(mut self, other: Option<CodeBlock>) -> CodeBlock {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.replaced = other;
        }
        self
    }

    /// Returns `true` if the whole block is left in Ruby.
    pub fn is_untranslated(&self) -> bool {
        matches!(self.inner.body.op, Op::Untranslated(_))
    }

    /// Returns `true` if a part of the block is left in Ruby.
    pub fn has_untranslated(&self) -> bool {
        let mut open = vec![&self.inner.body];
        while let Some(node) = open.pop() {
            if matches!(node.op, Op::Untranslated(_)) {
                return true;
            }
            open.extend(node.children());
        }
        false
    }
}

/// An expression with its span.
#[derive(Clone, Debug)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// The span of the expression.
    pub span: Span,
}

/// The operation of an expression. A `u16` is the slot of a local unless stated otherwise.
#[derive(Clone, Debug)]
pub enum Op {
    /// A constant.
    Const(Value),
    /// A local or parameter.
    Local(u16),
    /// `x = e`, `let x = e`
    SetLocal(u16, Box<Node>),
    /// `let a, b = e`
    Destructure(Vec<u16>, Box<Node>),
    /// An interpolated string: all parts as strings, concatenated.
    Concat(Vec<Node>),
    /// `[…]`
    Array(Vec<Node>),
    /// `{…}`
    Map(Vec<(Node, Node)>),
    /// `a..b` or `a...b`; the flag is true if the end is excluded.
    Range(Option<Box<Node>>, Option<Box<Node>>, bool),
    /// `self` as a resource.
    SelfRef,
    /// `self.x`
    SelfAttr(AttrId),
    /// `self.x?`: true only for `true` and `:true`.
    SelfTrue(AttrId),
    /// `self[e]`
    SelfIndex(Box<Node>),
    /// `self.set?(:x)`
    SelfIsSet(Box<Node>),
    /// `self.declared(:x)`
    SelfDeclared(Box<Node>),
    /// `self.raw(:x)`
    SelfRaw(Box<Node>),
    /// `self.values(:x)`
    SelfValues(Box<Node>),
    /// `self.managed?`
    SelfManaged,
    /// `self.x = e`
    SetSelf(AttrId, Box<Node>),
    /// `self[e] = v`
    SetSelfIndex(Box<Node>, Box<Node>),
    /// `attribute`
    Attribute,
    /// `is`, `is(:x)`
    Is(Option<Box<Node>>),
    /// `should`
    Should,
    /// `provider.m(…)`
    Provider(Symbol, Vec<Node>),
    /// `provider.has?(:m)`
    ProviderHas(Box<Node>),
    /// `provider.name`
    ProviderName,
    /// `provider.x = e`
    SetProvider(Symbol, Box<Node>),
    /// `catalog.resources(:t)`, `catalog.find(:t, title)`, `catalog.type(:t)`
    Catalog(CatalogCall, Vec<Node>),
    /// `super`, `super(a)`
    Super(Option<Vec<Node>>),
    /// `$1`
    Capture(u32),
    /// A function of the type or file, by index in [`super::Program::functions`].
    CallFn(u16, Vec<Node>),
    /// A built-in function.
    Call(Builtin, Vec<Node>, Option<Box<Lambda>>),
    /// A built-in method, or an attribute of a resource with the same name.
    Method(Method, Box<Node>, Vec<Node>, Option<Box<Lambda>>),
    /// `r.x` where `x` is not a method: an attribute of the resource `r`.
    ResourceAttr(Box<Node>, Symbol),
    /// `r[e]`, `list[1]`, `text[0..2]`, `text[/re/]`, `map[k]`
    Index(Box<Node>, Vec<Node>),
    /// `!e`
    Not(Box<Node>),
    /// `-e`
    Negate(Box<Node>),
    /// `a + b`; `&&` and `||` evaluate the right side only if necessary.
    Binary(BinaryOp, Box<Node>, Box<Node>),
    /// `if` with its branches (condition and body) and `else`.
    If(Vec<(Node, Node)>, Option<Box<Node>>),
    /// `match`: the value and the arms.
    Match(Box<Node>, Vec<MatchArm>),
    /// `try { } else { |message, class| }`
    Try(Box<Node>, Box<Handler>),
    /// `fail e, at: e, error: "Class"`
    Fail(Box<Node>, Option<Box<Node>>, Option<EcoString>),
    /// Ruby that the importer could not translate: ends with the reason.
    Untranslated(Box<Node>),
    /// `return e`
    Return(Option<Box<Node>>),
    /// `next e`
    Next(Option<Box<Node>>),
    /// A sequence of statements.
    Seq(Vec<Node>),
}

/// Queries of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogCall {
    /// `catalog.resources(:t)`; all resources without an argument.
    Resources,
    /// `catalog.find(:t, title)`, `catalog.find("T[title]")`
    Find,
    /// `catalog.type(:t)`
    Type,
    /// `catalog.instances(:t)`
    Instances,
    /// `catalog.present?`
    Present,
}

/// A closure, which shares the slots of the enclosing block.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The slots of the parameters.
    pub params: Vec<u16>,
    /// The body.
    pub body: Node,
}

/// The handler for failures in a `try`.
#[derive(Clone, Debug)]
pub struct Handler {
    /// The handled failure classes; empty for all classes.
    pub errors: Vec<EcoString>,
    /// The slot of the message.
    pub slot: Option<u16>,
    /// The slot of the class.
    pub class: Option<u16>,
    /// The expression that is evaluated.
    pub body: Node,
}

/// An arm of `match`.
#[derive(Clone, Debug)]
pub struct MatchArm {
    /// The patterns; any of them may match.
    pub patterns: Vec<Pattern>,
    /// The guard, which must hold as well.
    pub guard: Option<Node>,
    /// The expression for a matching arm.
    pub body: Node,
}

/// A pattern of an arm.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Matches an equal value.
    Value(Value),
    /// Matches a string or symbol against the regex; the groups become `$1`, `$2`, ….
    Regex(Arc<Regex>),
    /// Matches a value of the data type.
    Type(Arc<crate::value::DataType>),
    /// Matches any value.
    Any,
}

impl Node {
    /// Returns `true` if a predicate holds for the expression or a subexpression.
    pub fn any(&self, holds: &impl Fn(&Node) -> bool) -> bool {
        holds(self) || self.children().into_iter().any(|child| child.any(holds))
    }

    /// Returns the direct subexpressions, including the bodies of closures and match arms.
    pub fn children(&self) -> Vec<&Node> {
        let mut children = Vec::new();
        self.each_child(&mut |child| children.push(child));
        children
    }

    /// Calls `see` with the expression and all expressions in it, outer expressions first, in evaluation order.
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(&'a Node)) {
        see(self);
        self.each_child(&mut |child| child.walk(see));
    }

    /// Calls `see` with the direct subexpressions, including the bodies of closures and match arms, in evaluation order.
    pub fn each_child<'a>(&'a self, see: &mut dyn FnMut(&'a Node)) {
        let lambda = |l: &'a Option<Box<Lambda>>, see: &mut dyn FnMut(&'a Node)| l.iter().for_each(|l| see(&l.body));
        match &self.op {
            Op::Const(_) | Op::Local(_) | Op::SelfRef | Op::SelfAttr(_) | Op::SelfTrue(_) | Op::SelfManaged | Op::Attribute => {}
            Op::Should | Op::ProviderName | Op::Capture(_) => {}
            Op::SetLocal(_, e)
            | Op::Destructure(_, e)
            | Op::SelfIndex(e)
            | Op::SelfIsSet(e)
            | Op::SelfDeclared(e)
            | Op::SelfRaw(e)
            | Op::SelfValues(e)
            | Op::SetSelf(_, e) => see(e),
            Op::SetSelfIndex(name, value) => {
                see(name);
                see(value);
            }
            Op::ProviderHas(e) | Op::SetProvider(_, e) | Op::ResourceAttr(e, _) | Op::Not(e) | Op::Negate(e) => see(e),
            Op::Is(e) | Op::Return(e) | Op::Next(e) => e.iter().for_each(|e| see(e)),
            Op::Concat(all) | Op::Array(all) | Op::Seq(all) | Op::Provider(_, all) | Op::Catalog(_, all) | Op::CallFn(_, all) => {
                all.iter().for_each(see);
            }
            Op::Super(all) => all.iter().flatten().for_each(see),
            Op::Map(pairs) => pairs.iter().for_each(|(k, v)| {
                see(k);
                see(v);
            }),
            Op::Range(from, to, _) => from.iter().chain(to).for_each(|e| see(e)),
            Op::Call(_, all, closure) => {
                all.iter().for_each(&mut *see);
                lambda(closure, see);
            }
            Op::Method(_, receiver, all, closure) => {
                see(receiver);
                all.iter().for_each(&mut *see);
                lambda(closure, see);
            }
            Op::Index(receiver, all) => {
                see(receiver);
                all.iter().for_each(see);
            }
            Op::Binary(_, left, right) => {
                see(left);
                see(right);
            }
            Op::Try(tried, handler) => {
                see(tried);
                see(&handler.body);
            }
            Op::If(branches, otherwise) => {
                for (test, body) in branches {
                    see(test);
                    see(body);
                }
                otherwise.iter().for_each(|e| see(e));
            }
            Op::Match(subject, arms) => {
                see(subject);
                for arm in arms {
                    arm.guard.iter().for_each(&mut *see);
                    see(&arm.body);
                }
            }
            Op::Untranslated(why) => see(why),
            Op::Fail(message, at, _) => {
                see(message);
                at.iter().for_each(|e| see(e));
            }
        }
    }
}
