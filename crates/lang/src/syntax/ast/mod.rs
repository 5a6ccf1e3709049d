//! The Ast of type files: what was written and where, nothing looked up yet.
//!
//! Directives have one shape whatever their name; `lower` knows which there are. Comments stand in a list
//! of their own beside the tree, blank lines can be told from the spans, so that a printer loses neither.

mod expr;
mod resource;

pub use expr::*;
pub use resource::*;

use crate::source::Span;
use crate::value::EcoString;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The letters; a trailing `?` belongs to it.
    pub name: EcoString,
    /// Where.
    pub span: Span,
}

/// A type file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Ast {
    /// What stands in it, in order.
    pub items: Vec<Item>,
    /// All comments of the file, in order.
    pub comments: Vec<Comment>,
    /// The whole text.
    pub span: Span,
}

/// From `#` to before the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where, the `#` included.
    pub span: Span,
    /// Whether nothing but blanks stands before it on its line.
    pub own_line: bool,
}

/// What stands at the top of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `use "kinds/cron"`
    Use(Use),
    /// `type NAME, options { … }`
    Type(Declaration),
    /// `provider NAME, for: TYPE, … { … }`
    Provider(Declaration),
    /// `kind NAME(params) { … }`
    Kind(Declaration),
    /// `mixin NAME(params) { … }`
    Mixin(Declaration),
    /// `fn f(a, b = 1) { … }`
    Fn(FnDecl),
    /// `const NAMES = …`
    Const(ConstDecl),
    /// `feature NAME, "doc" { … }`
    Feature(FeatureDecl),
    /// `typealias Port = Integer[1, 65535]`
    TypeAlias(TypeAliasDecl),
    /// `test "…" { … }`
    Test(TestDecl),
    /// Text that could not be understood; its errors have been reported.
    Error(Span),
}

impl Item {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Item::Use(u) => u.span,
            Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) => d.span,
            Item::Fn(f) => f.span,
            Item::Const(c) => c.span,
            Item::Feature(f) => f.test.span,
            Item::TypeAlias(t) => t.span,
            Item::Test(t) => t.span,
            Item::Error(span) => *span,
        }
    }
}

/// `use "path"`
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The path without `.rtype`.
    pub path: EcoString,
    /// The path's place, quotes included.
    pub path_span: Span,
    /// The whole line.
    pub span: Span,
}

/// `type`, `provider`, `kind` or `mixin` with a body of directives.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its name.
    pub name: Ident,
    /// Parameters of a kind or mixin.
    pub params: Vec<Param>,
    /// `key: value` behind the name.
    pub options: Vec<Opt>,
    /// What stands in the braces.
    pub body: Body,
    /// From the keyword to the closing brace.
    pub span: Span,
}

/// A parameter of a `fn`, `kind` or `mixin`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Ident,
    /// What it is when not given.
    pub default: Option<Expr>,
}

/// `{ … }` around directives.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Body {
    /// The directives in order.
    pub directives: Vec<Directive>,
    /// With the braces.
    pub span: Span,
}

/// `name argument, argument, key: value { block }` in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// The word it begins with: `newparam`, `desc`, a setting of a declarative provider …
    /// For a row of `title_patterns` and for `fn`, `const`, `typealias`, `test` see `special`.
    pub name: Ident,
    /// Whether `override` stands before it.
    pub is_override: bool,
    /// Arguments without key.
    pub args: Vec<Expr>,
    /// Arguments with key.
    pub options: Vec<Opt>,
    /// `if c` or `unless c` behind the arguments (`redact … if self.secret?`).
    pub condition: Option<Condition>,
    /// What stands in braces behind it.
    pub block: Option<DirectiveBlock>,
    /// From the first word (or `override`) to the end.
    pub span: Span,
}

/// `key: value`
#[derive(Clone, Debug, PartialEq)]
pub struct Opt {
    /// The key.
    pub name: Ident,
    /// The value.
    pub value: Expr,
}

/// `if c`, `unless c`
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Whether it is `unless`.
    pub negated: bool,
    /// The condition.
    pub test: Expr,
}

/// The braces behind a directive.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectiveBlock {
    /// Directives: behind `newparam newproperty ensurable provider` (and `type …` inside nothing else).
    Body(Body),
    /// Statements, perhaps with `|params|`: behind all other names.
    Code(Closure),
    /// `/re/ => name, type` rows: behind `title_patterns`.
    TitlePatterns(Vec<TitlePatternRow>, Span),
    /// `fn` inside a type: the name of the directive is `fn`.
    Fn(Box<FnDecl>),
    /// `const` inside a type: the name of the directive is `const`.
    Const(Box<ConstDecl>),
    /// `typealias` inside a type: the name of the directive is `typealias`.
    TypeAlias(Box<TypeAliasDecl>),
}

/// `/re/ => name, type`
#[derive(Clone, Debug, PartialEq)]
pub struct TitlePatternRow {
    /// The pattern (a regex literal, or a const's name).
    pub pattern: Expr,
    /// The attributes that its groups fill, in order.
    pub attributes: Vec<Ident>,
    /// The row.
    pub span: Span,
}

/// `fn f(a, b = 1) { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct FnDecl {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its statements.
    pub body: Block,
    /// From `fn` to the closing brace.
    pub span: Span,
}

/// `feature NAME, "what it means" { … }` at the top of a file: a feature of the platform.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDecl {
    /// What it means.
    pub doc: Option<StrLit>,
    /// Its name, and the block that tells whether it is there.
    pub test: FnDecl,
}

/// `const NAMES = …`
#[derive(Clone, Debug, PartialEq)]
pub struct ConstDecl {
    /// Its name.
    pub name: Ident,
    /// Its value.
    pub value: Expr,
    /// The whole.
    pub span: Span,
}

/// `typealias Port = Integer[1, 65535]`
#[derive(Clone, Debug, PartialEq)]
pub struct TypeAliasDecl {
    /// Its name.
    pub name: Ident,
    /// What it stands for: a name, or `Name[…]` as an index expression.
    pub value: Expr,
    /// The whole.
    pub span: Span,
}

/// `test "…" { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct TestDecl {
    /// What it shows.
    pub title: StrLit,
    /// Its steps in order.
    pub steps: Vec<TestStep>,
    /// The whole.
    pub span: Span,
}

/// The words that steps of a test begin with, how each is written, what it says; what begins with another is the
/// resource under test.
pub const TEST_WORDS: &[(&str, &str, &str)] = &[
    ("facts", "facts { kernel: \"Linux\" }", "facts, dotted names as texts; others stay as they are"),
    ("features", "features { root: false }", "whether features of the platform hold"),
    ("settings", "settings { show_diff: true }", "settings of the run"),
    ("binaries", "binaries [\"ip\"] | { ip: false }", "the programs that there are, or that there are not"),
    ("is", "is { ensure: :present }", "the state of the resource, as its provider gives it"),
    ("answers", "answers { m: v }", "what queries of the provider answer"),
    ("also", "also { TYPE { 'title': } }", "other resources of the catalog"),
    ("expect", "expect e", "what must hold of the resource"),
    ("rejects", "rejects attribute, /pattern/", "the resource is refused, this is blamed, and the message says that"),
];

/// A step of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum TestStep {
    /// `facts { kernel: "Linux" }`, `binaries ["ip"]`: the word and a literal.
    Given(Ident, Expr),
    /// `also { resources }`
    Also(Vec<Statement>, Span),
    /// The resource under test.
    Declare(ResourceDecl),
    /// `expect e`
    Expect(Expr, Span),
    /// `rejects month, /not a valid/`: the attribute (none for the whole resource) and a pattern or text.
    Rejects(Option<Ident>, Option<Expr>, Span),
}
