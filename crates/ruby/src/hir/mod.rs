//! An owned tree for a Ruby file.
//!
//! Names are resolved: a local variable is a [`LocalRef`], any other name written like a local variable is a call. Syntactic sugar is
//! removed: `unless`, `until`, modifiers, `||=`, `+=`, `&.`, `...`, numbered parameters and implicit arguments to `super` are written with
//! the core forms in [`HirKind`]. Syntax without a core form is [`HirKind::Unsupported`] at the smallest expression around it.
//!
//! Each body (a file, class, method or block) owns a list of expressions. An analysis can therefore keep its results in a separate
//! `IndexVec<ExprId, _>`.

mod comments;
mod forms;
mod index;
mod lower;
mod print;
mod visit;

pub use comments::{CommentPlacement, SourceComment};
pub use forms::{
    ArrayPattern, Begin, CallArgs, CallBlock, CallStyle, Case, CaseIn, CasePattern, ConstantPath, ConstantScope, Element, HashPattern,
    InArm, KeywordParam, MethodCall, MultiTarget, Pair, Params, RegexFlags, Rescue, SuperCall, Target, WhenArm,
};
pub use index::{ArenaId, BodyId, ExprId, IndexVec, LocalId};
pub use lower::{HirError, ParseSettings};
pub use print::{print, print_expr};
pub use visit::{HirChild, Visitor, walk_body};

use std::sync::Arc;

/// A name or string in the source, shared by all uses in a file.
pub type HirText = Arc<str>;

/// A file's number, chosen by the caller of [`Hir::parse`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// The source of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SourceRange {
    /// The file.
    pub file: FileId,
    /// Byte offset of the first character.
    pub start: u32,
    /// Byte offset after the last character.
    pub end: u32,
}

/// A parsed file.
#[derive(Debug)]
pub struct Hir {
    /// The number of the file.
    pub file: FileId,
    /// The path for `__FILE__`.
    pub path: HirText,
    /// All bodies. The file's body is first.
    pub bodies: IndexVec<BodyId, HirBody>,
    /// All comments in source order.
    pub comments: Vec<SourceComment>,
    /// Byte offsets at which lines begin.
    lines: Vec<u32>,
}

/// The construct that owns a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// A file, or a string for `class_eval`.
    File,
    /// `class`, `module` or `class << self`.
    Class,
    /// `def`.
    Method,
    /// A block of a call.
    Block,
    /// `-> { }`.
    Lambda,
}

/// Code with its own local variables.
#[derive(Debug)]
pub struct HirBody {
    /// The construct that owns the body.
    pub kind: BodyKind,
    /// The body that contains the code. Blocks also see its local variables.
    pub parent: Option<BodyId>,
    /// The parameters, for a method or block.
    pub params: Params,
    /// The local variables, parameters included.
    pub locals: IndexVec<LocalId, HirLocal>,
    /// The expressions, operands first.
    pub exprs: IndexVec<ExprId, HirExpr>,
    /// The expression that computes the result.
    pub root: ExprId,
    /// The source of the whole body.
    pub origin: SourceRange,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct HirLocal {
    /// The name; generated names begin with two underscores.
    pub name: HirText,
    /// True if a block inside the body reads or assigns the variable.
    pub is_captured: bool,
    /// True if the variable holds an intermediate result from a desugared expression.
    pub is_temporary: bool,
}

/// A use of a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalRef {
    /// The number of bodies between the use and the variable's body.
    pub depth: u32,
    /// The variable of that body.
    pub local: LocalId,
}

/// An expression with its source.
#[derive(Clone, Debug)]
pub struct HirExpr {
    /// The form and the operands.
    pub kind: HirKind,
    /// The source. Generated expressions have the source of the replaced sugar.
    pub origin: SourceRange,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum HirKind {
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// `self`.
    SelfValue,
    /// An integer of at most 64 bits.
    Integer(i64),
    /// A larger integer, in decimal.
    BigInteger(HirText),
    /// A floating-point number.
    Float(f64),
    /// A string. Each evaluation returns a new string unless it is frozen.
    Str {
        /// The characters.
        text: HirText,
        /// True if a comment in the file's first lines makes string literals immutable.
        frozen: bool,
    },
    /// A symbol.
    Symbol(HirText),
    /// A string with interpolated parts.
    StrConcat(Vec<ExprId>),
    /// A symbol with interpolated parts.
    SymbolConcat(Vec<ExprId>),
    /// A regex. String parts are regex source; other parts are interpolated.
    Regex {
        /// The parts.
        parts: Vec<ExprId>,
        /// The options after the closing slash.
        flags: RegexFlags,
    },
    /// A list.
    Array(Vec<Element>),
    /// A hash.
    Hash(Vec<Pair>),
    /// `low..high`.
    Range {
        /// The first value.
        low: Option<ExprId>,
        /// The last value.
        high: Option<ExprId>,
        /// Whether the last value is excluded: `low...high`.
        exclusive: bool,
    },
    /// The value of a local variable.
    Local(LocalRef),
    /// An instance, class or global variable's value. The name includes `@`, `@@` or `$`.
    Variable(HirText),
    /// The value of a constant.
    Constant(ConstantPath),
    /// A group of the last match: 0 for `$&`.
    Group(u32),
    /// The string before (`` $` ``) or after (`$'`) the last match, or the last group (`$+`).
    AroundMatch(char),
    /// `__FILE__`.
    FilePath,
    /// `__LINE__`.
    Line,
    /// An assignment; the result is the value.
    Assign {
        /// The assigned variables, attributes or elements.
        target: Target,
        /// The value.
        value: ExprId,
    },
    /// Consecutive expressions.
    Seq(Vec<ExprId>),
    /// `if`.
    If {
        /// The condition.
        condition: ExprId,
        /// Runs if the condition is true.
        then: ExprId,
        /// Runs if the condition is false.
        otherwise: ExprId,
    },
    /// `!x`.
    Not(ExprId),
    /// True if the value is `nil`; no method is called.
    IsNil(ExprId),
    /// `a && b`.
    And(ExprId, ExprId),
    /// `a || b`.
    Or(ExprId, ExprId),
    /// `while`.
    While {
        /// The condition.
        condition: ExprId,
        /// The repeated code.
        body: ExprId,
        /// True if the code runs before the condition is read for the first time.
        at_least_once: bool,
    },
    /// `for`.
    For {
        /// Receives each element.
        target: Target,
        /// The collection; `for` calls `each` on it.
        list: ExprId,
        /// The repeated code, which shares the body's local variables.
        body: ExprId,
    },
    /// `case … when`.
    Case(Box<Case>),
    /// `case … in`.
    CaseIn(Box<CaseIn>),
    /// `value => pattern`, or `value in pattern`.
    MatchPattern {
        /// The value.
        value: ExprId,
        /// The pattern.
        pattern: CasePattern,
        /// True if a mismatch is an error; otherwise the result is true or false.
        required: bool,
    },
    /// `begin … rescue … else … ensure … end`.
    Begin(Box<Begin>),
    /// A method call.
    Call(Box<MethodCall>),
    /// `super` with its arguments.
    Super(Box<SuperCall>),
    /// `yield`.
    Yield(CallArgs),
    /// `return`.
    Return(Option<ExprId>),
    /// `break`.
    Break(Option<ExprId>),
    /// `next`.
    Next(Option<ExprId>),
    /// `retry`.
    Retry,
    /// `redo`.
    Redo,
    /// `-> { }`.
    Lambda(BodyId),
    /// `def`.
    Def {
        /// The object in `def object.name`.
        singleton: Option<ExprId>,
        /// The name.
        name: HirText,
        /// The code.
        body: BodyId,
    },
    /// `class`.
    Class {
        /// The constant.
        path: ConstantPath,
        /// The superclass.
        superclass: Option<ExprId>,
        /// The code.
        body: BodyId,
    },
    /// `module`.
    Module {
        /// The constant.
        path: ConstantPath,
        /// The code.
        body: BodyId,
    },
    /// `class << object`.
    SingletonClass {
        /// The object.
        object: ExprId,
        /// The code.
        body: BodyId,
    },
    /// `alias`.
    Alias {
        /// The new name, a symbol.
        new: ExprId,
        /// The existing name, a symbol.
        old: ExprId,
    },
    /// `undef`.
    Undef(Vec<ExprId>),
    /// `defined?`.
    Defined(ExprId),
    /// Syntax without a core form.
    Unsupported {
        /// The name of the syntax.
        what: &'static str,
    },
}

impl Hir {
    /// Parses a file.
    ///
    /// # Errors
    /// Returns the syntax errors, or an error for an oversized source.
    pub fn parse(text: &str, settings: &ParseSettings) -> Result<Hir, HirError> {
        lower::parse(text, settings)
    }

    /// Returns a body.
    pub fn body(&self, id: BodyId) -> Option<&HirBody> {
        self.bodies.get(id)
    }

    /// Returns the file's body.
    pub fn main(&self) -> BodyId {
        BodyId::from_position(0)
    }

    /// Returns a source range's line, beginning at 1.
    pub fn line(&self, range: SourceRange) -> usize {
        self.lines.partition_point(|start| *start <= range.start)
    }
}

/// Returned for an index without an expression.
static MISSING: HirExpr = HirExpr { kind: HirKind::Nil, origin: SourceRange { file: FileId(0), start: 0, end: 0 } };

impl HirBody {
    /// Returns an expression of the body.
    pub fn expr(&self, id: ExprId) -> &HirExpr {
        self.exprs.get(id).unwrap_or(&MISSING)
    }

    /// Returns an expression's form in the body.
    pub fn kind(&self, id: ExprId) -> &HirKind {
        &self.expr(id).kind
    }
}
