//! Parts of expressions: arguments, parameters, targets, branches and patterns.

use super::{BodyId, ExprId, HirText, LocalId, LocalRef};

/// The options of a regex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegexFlags {
    /// `i`.
    pub ignore_case: bool,
    /// `m`: the dot matches line breaks.
    pub multi_line: bool,
    /// `x`.
    pub extended: bool,
    /// `o`: interpolated once.
    pub once: bool,
}

/// A list element or a positional argument.
#[derive(Clone, Copy, Debug)]
pub enum Element {
    /// One value.
    Plain(ExprId),
    /// `*list`.
    Splat(ExprId),
}

/// A hash entry or a keyword argument.
#[derive(Clone, Copy, Debug)]
pub enum Pair {
    /// `key => value`.
    Entry(ExprId, ExprId),
    /// `**hash`.
    Splat(ExprId),
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub struct CallArgs {
    /// Positional arguments.
    pub positional: Vec<Element>,
    /// Keyword arguments.
    pub keywords: Vec<Pair>,
    /// The block.
    pub block: Option<CallBlock>,
}

/// The block of a call.
#[derive(Clone, Copy, Debug)]
pub enum CallBlock {
    /// `{ … }`.
    Literal(BodyId),
    /// `&value`.
    Pass(ExprId),
}

/// How a call's receiver is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStyle {
    /// `name`: an unknown name is a `NameError`.
    Bare,
    /// `name(…)`: private methods may be called.
    Implicit,
    /// `receiver.name`.
    Explicit,
}

/// A method call.
#[derive(Clone, Debug)]
pub struct MethodCall {
    /// The receiver; `self` if the source has no receiver.
    pub receiver: ExprId,
    /// The name of the method.
    pub name: HirText,
    /// The arguments.
    pub args: CallArgs,
    /// How the receiver is written.
    pub style: CallStyle,
}

/// A call of the overridden method.
#[derive(Clone, Debug)]
pub struct SuperCall {
    /// The arguments. `super` without arguments passes the method's parameters. Without a block, the method's block is passed.
    pub args: CallArgs,
    /// True if the source has no argument list.
    pub is_implicit: bool,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct ConstantPath {
    /// Where the name is looked up.
    pub scope: ConstantScope,
    /// The name.
    pub name: HirText,
}

/// Where a constant name is looked up.
#[derive(Clone, Copy, Debug)]
pub enum ConstantScope {
    /// The enclosing classes, then their ancestors.
    Lexical,
    /// `::NAME`.
    Top,
    /// `expression::NAME`.
    Of(ExprId),
}

/// An assignment target.
#[derive(Clone, Debug)]
pub enum Target {
    /// A local variable.
    Local(LocalRef),
    /// An instance, class or global variable.
    Variable(HirText),
    /// A constant.
    Constant(ConstantPath),
    /// `receiver[arguments] = value`.
    Index {
        /// The receiver.
        receiver: ExprId,
        /// The arguments.
        args: CallArgs,
    },
    /// `receiver.name = value`.
    Attribute {
        /// The receiver.
        receiver: ExprId,
        /// The name without `=`.
        name: HirText,
    },
    /// `a, (b, *c) = value`.
    Multiple(Box<MultiTarget>),
    /// `*` without a name.
    Discard,
}

/// The targets of a multiple assignment.
#[derive(Clone, Debug, Default)]
pub struct MultiTarget {
    /// The targets before the splat.
    pub before: Vec<Target>,
    /// The target of `*rest`.
    pub rest: Option<Target>,
    /// The targets after the splat.
    pub after: Vec<Target>,
}

/// The parameters in a method or block definition.
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// Required parameters at the beginning.
    pub required: Vec<Target>,
    /// Parameters with a default.
    pub optional: Vec<(LocalId, ExprId)>,
    /// `*rest`.
    pub rest: Option<LocalId>,
    /// Required parameters at the end.
    pub post: Vec<Target>,
    /// Keyword parameters.
    pub keywords: Vec<KeywordParam>,
    /// `**rest`.
    pub keyword_rest: Option<LocalId>,
    /// `**nil`.
    pub no_keywords: bool,
    /// `&block`.
    pub block: Option<LocalId>,
    /// True if a block with one parameter takes a list's first element: `|a,|`.
    pub excess_comma: bool,
    /// Block-local variables: `|a; b|`.
    pub block_locals: Vec<LocalId>,
}

/// A keyword parameter.
#[derive(Clone, Debug)]
pub struct KeywordParam {
    /// The name.
    pub name: HirText,
    /// The parameter's variable.
    pub local: LocalId,
    /// The default; none if the parameter is required.
    pub default: Option<ExprId>,
}

/// `case … when`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The value to compare. Without a subject, the first true condition is selected.
    pub subject: Option<ExprId>,
    /// The branches.
    pub arms: Vec<WhenArm>,
    /// Runs if no branch is selected.
    pub otherwise: ExprId,
}

/// `when conditions then body`.
#[derive(Clone, Debug)]
pub struct WhenArm {
    /// The conditions.
    pub conditions: Vec<Element>,
    /// The code.
    pub body: ExprId,
}

/// `case … in`.
#[derive(Clone, Debug)]
pub struct CaseIn {
    /// The value.
    pub subject: ExprId,
    /// The branches.
    pub arms: Vec<InArm>,
    /// Runs if no pattern matches. Without `else`, a missing match is an error.
    pub otherwise: Option<ExprId>,
}

/// `in pattern if guard then body`.
#[derive(Clone, Debug)]
pub struct InArm {
    /// The pattern.
    pub pattern: CasePattern,
    /// The condition after the pattern.
    pub guard: Option<ExprId>,
    /// The code.
    pub body: ExprId,
}

/// A pattern of `case … in`.
#[derive(Clone, Debug)]
pub enum CasePattern {
    /// A value to compare with `===`.
    Value(ExprId),
    /// Matches everything and assigns the value.
    Bind(LocalRef),
    /// `pattern => name`.
    Capture(Box<CasePattern>, LocalRef),
    /// `a | b`.
    Alternatives(Vec<CasePattern>),
    /// `[a, *rest, b]`.
    Array(Box<ArrayPattern>),
    /// `[*, a, *]`.
    Find(Box<ArrayPattern>),
    /// `{a: pattern, **rest}`.
    Hash(Box<HashPattern>),
    /// A pattern without a core form.
    Unsupported,
}

/// A list pattern.
#[derive(Clone, Debug, Default)]
pub struct ArrayPattern {
    /// `Constant[…]`.
    pub constant: Option<ExprId>,
    /// The patterns before the splat; in `[*, a, *]`, the patterns between the splats.
    pub before: Vec<CasePattern>,
    /// `*` or `*name`.
    pub rest: Option<Option<LocalRef>>,
    /// The patterns after the splat.
    pub after: Vec<CasePattern>,
    /// The second splat in `[*, a, *name]`.
    pub last_rest: Option<LocalRef>,
}

/// A hash pattern.
#[derive(Clone, Debug, Default)]
pub struct HashPattern {
    /// `Constant(…)`.
    pub constant: Option<ExprId>,
    /// The keys with their patterns.
    pub entries: Vec<(HirText, CasePattern)>,
    /// `**name`.
    pub rest: Option<LocalRef>,
    /// `**nil`.
    pub is_exact: bool,
}

/// `begin … rescue … else … ensure … end`.
#[derive(Clone, Debug)]
pub struct Begin {
    /// The protected code.
    pub body: ExprId,
    /// The handlers.
    pub rescues: Vec<Rescue>,
    /// Runs if the code raises no error.
    pub otherwise: Option<ExprId>,
    /// Runs in any case.
    pub ensure: Option<ExprId>,
}

/// `rescue classes => target`.
#[derive(Clone, Debug)]
pub struct Rescue {
    /// The classes; `StandardError` if empty.
    pub classes: Vec<Element>,
    /// Receives the error.
    pub target: Option<Target>,
    /// The code.
    pub body: ExprId,
}
