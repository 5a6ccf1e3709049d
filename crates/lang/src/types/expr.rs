//! Blocks ready to run: names are looked up, locals have places, constants are values.

use super::AttrId;
use super::builtin::{Function as Builtin, Method};
use crate::source::Span;
use crate::value::{Regex, Symbol, Value};
use std::sync::Arc;

pub use crate::syntax::ast::BinaryOp;

/// A block.
#[derive(Clone, Debug)]
pub struct Code {
    /// The shared, immutable whole.
    pub inner: Arc<CodeInner>,
}

/// What a block consists of.
#[derive(Debug)]
pub struct CodeInner {
    /// How many of the first slots are filled with arguments.
    pub params: u16,
    /// How many slots it needs for parameters, locals and the parameters of its closures.
    pub slots: u16,
    /// What it does; its value is the block's.
    pub body: Node,
    /// Where it stands.
    pub span: Span,
    /// Whether it may call actions.
    pub action: bool,
}

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// Where.
    pub span: Span,
}

/// What an expression does.
#[derive(Clone, Debug)]
pub enum Op {
    /// A value.
    Const(Value),
    /// A local.
    Local(u16),
    /// `x = e`, `let x = e`
    SetLocal(u16, Box<Node>),
    /// `let a, b = e`
    Destructure(Vec<u16>, Box<Node>),
    /// Text with values in it.
    Concat(Vec<Node>),
    /// `[…]`
    Array(Vec<Node>),
    /// `{…}`
    Map(Vec<(Node, Node)>),
    /// `re("…#{x}…")` and interpolated regexes are calls; this is `a..b`.
    Range(Option<Box<Node>>, Option<Box<Node>>, bool),
    /// `self` as a resource.
    SelfRef,
    /// `self.x`
    SelfAttr(AttrId),
    /// `self.x?`: true for `true` and `:true` only.
    SelfTrue(AttrId),
    /// `self[e]`
    SelfIndex(Box<Node>),
    /// `self.set?(:x)`
    SelfIsSet(Box<Node>),
    /// `self.raw(:x)`
    SelfRaw(Box<Node>),
    /// `self.managed?`
    SelfManaged,
    /// `self.x = e`
    SetSelf(AttrId, Box<Node>),
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
    /// A function of the type or file, by place in [`super::Program::functions`].
    CallFn(u16, Vec<Node>),
    /// A function of the language.
    Call(Builtin, Vec<Node>, Option<Box<Lambda>>),
    /// A method of the language, or an attribute of a resource.
    Method(Method, Box<Node>, Vec<Node>, Option<Box<Lambda>>),
    /// `r.x` where `x` is no method: the attribute of a resource.
    ResourceAttr(Box<Node>, Symbol),
    /// `r[e]`, `list[1]`, `text[0..2]`, `text[/re/]`, `map[k]`
    Index(Box<Node>, Vec<Node>),
    /// `!e`
    Not(Box<Node>),
    /// `-e`
    Negate(Box<Node>),
    /// `a + b`; `&&` and `||` evaluate the right side only when needed.
    Binary(BinaryOp, Box<Node>, Box<Node>),
    /// `if` with its branches and `else`
    If(Vec<(Node, Node)>, Option<Box<Node>>),
    /// `match`
    Match(Box<Node>, Vec<MatchArm>),
    /// `try { } else { |message| }`; the slot of the message.
    Try(Box<Node>, Option<u16>, Box<Node>),
    /// `fail e, at: e`
    Fail(Box<Node>, Option<Box<Node>>),
    /// `return e`
    Return(Option<Box<Node>>),
    /// `next e`
    Next(Option<Box<Node>>),
    /// Statements.
    Seq(Vec<Node>),
}

/// What can be asked of the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogCall {
    /// `catalog.resources(:t)`, all with no argument.
    Resources,
    /// `catalog.find(:t, title)`
    Find,
    /// `catalog.type(:t)`
    Type,
    /// `catalog.instances(:t)`
    Instances,
}

/// A closure; it sees the slots of the block it stands in.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// Where its parameters go.
    pub params: Vec<u16>,
    /// What it does.
    pub body: Node,
}

/// An arm of `match`.
#[derive(Clone, Debug)]
pub struct MatchArm {
    /// Any of these.
    pub patterns: Vec<Pattern>,
    /// And this.
    pub guard: Option<Node>,
    /// Then this.
    pub body: Node,
}

/// A pattern of an arm.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// An equal value.
    Value(Value),
    /// A string or symbol that matches; its groups become `$1` ….
    Regex(Arc<Regex>),
    /// A value of the type.
    Type(Arc<crate::value::DataType>),
    /// Anything.
    Any,
}

impl Node {
    /// The expressions that it is made of, closures and arms among them.
    pub fn children(&self) -> Vec<&Node> {
        match &self.op {
            Op::Const(_)
            | Op::Local(_)
            | Op::SelfRef
            | Op::SelfAttr(_)
            | Op::SelfTrue(_)
            | Op::SelfManaged
            | Op::Attribute
            | Op::Should
            | Op::ProviderName
            | Op::Capture(_) => Vec::new(),
            Op::SetLocal(_, e)
            | Op::Destructure(_, e)
            | Op::SelfIndex(e)
            | Op::SelfIsSet(e)
            | Op::SelfRaw(e)
            | Op::SetSelf(_, e)
            | Op::ProviderHas(e)
            | Op::SetProvider(_, e)
            | Op::ResourceAttr(e, _)
            | Op::Not(e)
            | Op::Negate(e) => vec![e],
            Op::Is(e) | Op::Return(e) | Op::Next(e) => e.iter().map(|e| &**e).collect(),
            Op::Range(a, b, _) => a.iter().chain(b).map(|e| &**e).collect(),
            Op::Concat(all) | Op::Array(all) | Op::Provider(_, all) | Op::Catalog(_, all) | Op::CallFn(_, all) | Op::Seq(all) => {
                all.iter().collect()
            }
            Op::Super(all) => all.iter().flatten().collect(),
            Op::Map(pairs) => pairs.iter().flat_map(|(k, v)| [k, v]).collect(),
            Op::Call(_, all, closure) => all.iter().chain(closure.iter().map(|c| &c.body)).collect(),
            Op::Method(_, on, all, closure) => std::iter::once(&**on).chain(all).chain(closure.iter().map(|c| &c.body)).collect(),
            Op::Index(on, all) => std::iter::once(&**on).chain(all).collect(),
            Op::Binary(_, a, b) | Op::Try(a, _, b) => vec![a, b],
            Op::If(branches, otherwise) => branches.iter().flat_map(|(c, b)| [c, b]).chain(otherwise.iter().map(|e| &**e)).collect(),
            Op::Match(on, arms) => std::iter::once(&**on).chain(arms.iter().flat_map(|arm| arm.guard.iter().chain([&arm.body]))).collect(),
            Op::Fail(e, at) => std::iter::once(&**e).chain(at.iter().map(|e| &**e)).collect(),
        }
    }
}
