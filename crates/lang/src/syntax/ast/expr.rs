//! Expressions and statements of blocks.

use super::Ident;
use crate::source::Span;
use crate::value::{EcoString, Flags};

/// An expression or statement and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// `12`
    Int(i64),
    /// `1.5`
    Float(f64),
    /// `"…#{e}…"`, `'…'`, `"""…"""`
    Str(StrLit),
    /// `:x`, `:"a-b"`
    Symbol(EcoString),
    /// `/…/isx`
    Regex(RegexLit),
    /// `%w[a b]`
    Words(Vec<EcoString>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `{k: v}` (its keys come as `Symbol`), `{e => v}`
    Map(Vec<(Expr, Expr)>),
    /// A bare word in the arguments or options of a directive: a symbol there, capitalised ones text.
    Word(EcoString),
    /// A bare word in an expression: a local, a parameter, a const, a data type.
    Name(EcoString),
    /// `*NAMES` among the arguments of a directive.
    Splat(Ident),
    /// `self`
    SelfRef,
    /// `super`, `super(a)`: the arguments, `None` for the same as given.
    Super(Option<Vec<Expr>>),
    /// `$1`
    Capture(u32),
    /// `f(a)`, `fact("x")`, `f(a) { |x| … }`; in directives `cron_field(0, 7)`, `list(membership: m)`.
    Call(Call),
    /// `receiver.name(a) { |x| … }`
    Method(Box<Expr>, Call),
    /// `receiver[a]`, `receiver[a, b]`, `Integer[1, 2]`, `User['bob']`
    Index(Box<Expr>, Vec<Expr>),
    /// `a..b`, `a...b`, `a..`, in an index.
    Range {
        /// First, `None` for the start.
        from: Option<Box<Expr>>,
        /// Last, `None` for the end.
        to: Option<Box<Expr>>,
        /// Whether the last is left out (`...`).
        exclusive: bool,
    },
    /// `!a`, `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Where it stands.
        op_span: Span,
        /// Left of it.
        left: Box<Expr>,
        /// Right of it.
        right: Box<Expr>,
    },
    /// `c ? a : b`
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `if`, `elsif`, `else`; `unless` with one branch.
    If {
        /// Conditions and what they guard.
        branches: Vec<(Condition, Block)>,
        /// `else`.
        otherwise: Option<Block>,
    },
    /// `match e { arms }`
    Match(Box<Expr>, Vec<Arm>),
    /// `try { } else { |message| }`
    Try {
        /// What is tried.
        body: Block,
        /// The parameter of the `else` block, which holds the message.
        param: Option<Ident>,
        /// What stands for it when it fails.
        otherwise: Block,
    },
    /// `fail e, at: :x`
    Fail(Box<Expr>, Option<Box<Expr>>),
    /// `return e`
    Return(Option<Box<Expr>>),
    /// `next e`
    Next(Option<Box<Expr>>),
    /// `let a, b = e`
    Let(Vec<Ident>, Box<Expr>),
    /// `x = e`, `self.x = e`, `x += e`
    Assign {
        /// What changes: a name, or a method call without arguments on `self` or `provider`.
        target: Box<Expr>,
        /// `+=`
        add: bool,
        /// The new value.
        value: Box<Expr>,
    },
    /// `statement if c`, `statement unless c`
    Modified(Box<Expr>, Box<Condition>),
    /// `(e)`
    Paren(Box<Expr>),
    /// Text that could not be understood; its errors have been reported.
    Error,
}

pub use super::Condition;

/// A call's name and arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub name: Ident,
    /// Arguments without name; a trailing `k: v` list comes as `named`.
    pub args: Vec<Expr>,
    /// Arguments with name.
    pub named: Vec<super::Opt>,
    /// The closure behind the arguments.
    pub closure: Option<Closure>,
    /// Whether parentheses were written.
    pub parens: bool,
}

/// `{ |a, b| … }`; the block of a directive may have no parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// The names between the bars.
    pub params: Vec<Ident>,
    /// The statements.
    pub body: Block,
    /// With the braces.
    pub span: Span,
}

/// Statements; the last one's value is the block's.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<Expr>,
    /// With the braces.
    pub span: Span,
}

/// `a | b if c => e`
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Literals, regexes, data types, `_` (as the name `_`).
    pub patterns: Vec<Expr>,
    /// `if c`
    pub guard: Option<Condition>,
    /// An expression, or statements in braces (`braces` says which was written).
    pub body: Block,
    /// Whether the body stands in braces.
    pub braces: bool,
    /// The arm.
    pub span: Span,
}

/// How a string was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `"""…"""`
    Text,
}

/// A string literal.
#[derive(Clone, Debug, PartialEq)]
pub struct StrLit {
    /// Text and interpolated expressions in turn; escapes are resolved, a text block is dedented.
    pub parts: Vec<StrPart>,
    /// How it was written.
    pub quote: Quote,
    /// With the quotes.
    pub span: Span,
}

impl StrLit {
    /// The text, where nothing is interpolated.
    pub fn plain(&self) -> Option<EcoString> {
        match self.parts.as_slice() {
            [] => Some(EcoString::new()),
            [StrPart::Text(text)] => Some(text.clone()),
            _ => None,
        }
    }
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum StrPart {
    /// Text as it will be.
    Text(EcoString),
    /// `#{e}`
    Expr(Expr),
}

/// A regex literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexLit {
    /// Between the slashes, `\/` already turned into `/`, nothing else changed.
    pub source: EcoString,
    /// Behind them.
    pub flags: Flags,
    /// Between the slashes.
    pub source_span: Span,
}

/// `!`, `-`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the operator it is named after")]
pub enum BinaryOp {
    Power,
    Multiply,
    Modulo,
    Add,
    Subtract,
    Intersect,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Compare,
    Match,
    NotMatch,
    And,
    Or,
}

impl BinaryOp {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Power => "**",
            BinaryOp::Multiply => "*",
            BinaryOp::Modulo => "%",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Intersect => "&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Compare => "<=>",
            BinaryOp::Match => "=~",
            BinaryOp::NotMatch => "!~",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}
