//! Expressions and statements of blocks.

use super::Ident;
use crate::source::Span;
use crate::value::{EcoString, Flags};

/// An expression or statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The expression's kind and parts.
    pub kind: ExprKind,
    /// The span of the expression.
    pub span: Span,
}

/// The kind of an expression.
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
    /// `{k: v}` (with `Symbol` keys), `{e => v}`
    Map(Vec<(Expr, Expr)>),
    /// A bare word in the arguments or options of a directive: a symbol, or a string if it is capitalized.
    Word(EcoString),
    /// A bare word in an expression: a local, parameter, constant or data type.
    Name(EcoString),
    /// `*NAMES` among the arguments of a directive.
    Splat(Ident),
    /// `self`
    SelfRef,
    /// `super`, `super(a)`: the arguments, `None` to pass on the block's arguments.
    Super(Option<Vec<Expr>>),
    /// `$1`
    Capture(u32),
    /// `f(a)`, `fact("x")`, `f(a) { |x| … }`; in directives `cron_field(0, 7)`, `list(membership: m)`.
    Call(Call),
    /// `receiver.name(a) { |x| … }`
    Method(Box<Expr>, Call),
    /// `receiver[a]`, `receiver[a, b]`, `Integer[1, 2]`, `User['bob']`
    Index(Box<Expr>, Vec<Expr>),
    /// `a..b`, `a...b` or `a..`.
    Range {
        /// The first element, `None` for the start.
        from: Option<Box<Expr>>,
        /// The last element, `None` for the end.
        to: Option<Box<Expr>>,
        /// `true` if the last element is excluded (`...`).
        exclusive: bool,
    },
    /// `!a`, `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The span of the operator.
        op_span: Span,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `c ? a : b`
    Ternary(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `if`, `elsif`, `else`; `unless` has one branch with a negated condition.
    If {
        /// The conditions with their blocks.
        branches: Vec<(Condition, Block)>,
        /// The `else` block.
        otherwise: Option<Block>,
    },
    /// `match e { arms }`
    Match(Box<Expr>, Vec<Arm>),
    /// `try { } else "Class" { |message, class| }`
    Try {
        /// The block that may fail.
        body: Block,
        /// The handled failure classes; empty for all classes.
        errors: Vec<Ident>,
        /// The parameters of the `else` block, at most two: the message and the class of the failure.
        params: Vec<Ident>,
        /// The `else` block for failures.
        otherwise: Block,
    },
    /// `fail e, at: :x, error: "Class"`
    Fail(Box<Failing>),
    /// The body of `untranslated BLOCK, "why"`, which ends with the reason, a string. Not written in blocks.
    Untranslated(Box<Expr>),
    /// `return e`
    Return(Option<Box<Expr>>),
    /// `next e`
    Next(Option<Box<Expr>>),
    /// `let a, b = e`
    Let(Vec<Ident>, Box<Expr>),
    /// `x = e`, `self.x = e`, `x += e`
    Assign {
        /// The target: a name, or a method call without arguments on `self` or `provider`.
        target: Box<Expr>,
        /// `true` for the operator `+=`.
        add: bool,
        /// The value on the right.
        value: Box<Expr>,
    },
    /// `statement if c`, `statement unless c`
    Modified(Box<Expr>, Box<Condition>),
    /// `(e)`
    Paren(Box<Expr>),
    /// A syntax error, which has been reported.
    Error,
}

pub use super::Condition;

/// The arguments of `fail`.
#[derive(Clone, Debug, PartialEq)]
pub struct Failing {
    /// The message.
    pub message: Expr,
    /// The attribute that the failure is about.
    pub at: Option<Expr>,
    /// The class of the failure.
    pub error: Option<Ident>,
}

/// A call of a function or method.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of the function or method.
    pub name: Ident,
    /// The positional arguments.
    pub args: Vec<Expr>,
    /// The named arguments: the trailing `k: v` pairs.
    pub named: Vec<super::Opt>,
    /// The closure after the arguments.
    pub closure: Option<Closure>,
    /// `true` if the arguments are in parentheses.
    pub parens: bool,
}

/// `{ |a, b| … }`, a closure or the block of a directive, with optional parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// The parameters between the bars.
    pub params: Vec<Ident>,
    /// The statements.
    pub body: Block,
    /// The span, including the braces.
    pub span: Span,
}

/// A sequence of statements; the value is the value of the last statement.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Expr>,
    /// The span, including the braces.
    pub span: Span,
}

/// `a | b if c => e`
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The patterns: literals, regexes, data types, and the name `_` for `_`.
    pub patterns: Vec<Expr>,
    /// The guard `if c`.
    pub guard: Option<Condition>,
    /// The body: one expression, or statements if `braces` is set.
    pub body: Block,
    /// `true` if the body is in braces.
    pub braces: bool,
    /// The span of the arm.
    pub span: Span,
}

/// The quotes of a string literal.
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
    /// The parts. Escapes are resolved and text blocks dedented.
    pub parts: Vec<StrPart>,
    /// The quotes.
    pub quote: Quote,
    /// The span, including the quotes.
    pub span: Span,
}

impl StrLit {
    /// Returns the content of a string without interpolation.
    pub fn plain(&self) -> Option<EcoString> {
        match self.parts.as_slice() {
            [] => Some(EcoString::new()),
            [StrPart::Text(text)] => Some(text.clone()),
            _ => None,
        }
    }
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum StrPart {
    /// Literal characters with resolved escapes.
    Text(EcoString),
    /// `#{e}`
    Expr(Expr),
}

/// A regex literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexLit {
    /// The pattern between the slashes, unchanged except that `\/` is replaced by `/`.
    pub source: EcoString,
    /// The flags after the closing slash.
    pub flags: Flags,
    /// The span of the pattern without the slashes.
    pub source_span: Span,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// A binary operator.
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
    /// All operators, in the order of the declaration.
    const ALL: &[BinaryOp] = {
        use BinaryOp as B;
        &[
            B::Power,
            B::Multiply,
            B::Modulo,
            B::Add,
            B::Subtract,
            B::Intersect,
            B::Equal,
            B::NotEqual,
            B::Less,
            B::LessEqual,
            B::Greater,
            B::GreaterEqual,
            B::Compare,
            B::Match,
            B::NotMatch,
            B::And,
            B::Or,
        ]
    };

    /// Returns the operator with this symbol.
    pub fn named(symbol: &str) -> Option<BinaryOp> {
        BinaryOp::ALL.iter().copied().find(|op| op.symbol() == symbol)
    }

    /// Returns the operator's symbol.
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
