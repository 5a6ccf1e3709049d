//! The syntax tree of type files, before names are resolved.
//!
//! All directives have the same structure; `lower` knows the valid ones. Comments are kept in a separate list, and blank lines can be
//! derived from the spans, so that the printer preserves both.

mod expr;
mod resource;

pub use expr::*;
pub use resource::*;

use crate::source::Span;
use crate::value::EcoString;

/// A name with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name, including a trailing `?`.
    pub name: EcoString,
    /// The span of the name.
    pub span: Span,
}

/// A type file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Ast {
    /// The items in order.
    pub items: Vec<Item>,
    /// All comments of the file, in order.
    pub comments: Vec<Comment>,
    /// The span of the whole source.
    pub span: Span,
}

/// A comment, from `#` to the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The span, including the `#` but not the line break.
    pub span: Span,
    /// `true` if only whitespace precedes the comment on its line.
    pub own_line: bool,
}

/// A top-level item of a file.
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
    /// A syntax error, which has been reported.
    Error(Span),
}

impl Item {
    /// Returns the span of the item.
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
    /// The span of the path, including the quotes.
    pub path_span: Span,
    /// The span of the item.
    pub span: Span,
}

/// `type`, `provider`, `kind` or `mixin` with a body of directives.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The name of the declaration.
    pub name: Ident,
    /// The parameters of a kind or mixin.
    pub params: Vec<Param>,
    /// The options `key: value` after the name.
    pub options: Vec<Opt>,
    /// The body.
    pub body: Body,
    /// The span from the keyword to the closing brace.
    pub span: Span,
}

/// A parameter of a `fn`, `kind` or `mixin`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name of the parameter.
    pub name: Ident,
    /// The default value.
    pub default: Option<Expr>,
}

/// Directives in braces.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Body {
    /// The directives in order.
    pub directives: Vec<Directive>,
    /// The span, including the braces.
    pub span: Span,
}

/// A directive: `name argument, argument, key: value { block }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// The first word: `newparam`, `desc`, a setting of a declarative provider, …. For `fn`, `const` and `typealias` the name is that
    /// keyword, with the declaration in `block`.
    pub name: Ident,
    /// `true` after `override`.
    pub is_override: bool,
    /// The positional arguments.
    pub args: Vec<Expr>,
    /// The options `key: value`.
    pub options: Vec<Opt>,
    /// `if c` or `unless c` after the arguments (`redact … if self.secret?`).
    pub condition: Option<Condition>,
    /// The block in braces.
    pub block: Option<DirectiveBlock>,
    /// The span from the first word (or `override`) to the end.
    pub span: Span,
}

/// An option or named argument: `key: value`.
#[derive(Clone, Debug, PartialEq)]
pub struct Opt {
    /// The key.
    pub name: Ident,
    /// The value.
    pub value: Expr,
}

/// A condition: `if c` or `unless c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// `true` for `unless`.
    pub negated: bool,
    /// The condition.
    pub test: Expr,
}

/// The block of a directive.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectiveBlock {
    /// Directives: after `newparam`, `newproperty`, `ensurable` and `provider`.
    Body(Body),
    /// Statements with optional `|params|`: after all other words.
    Code(Closure),
    /// Rows `/re/ => name, type` with the span of the braces: after `title_patterns`.
    TitlePatterns(Vec<TitlePatternRow>, Span),
    /// A `fn` inside a type; the name of the directive is `fn`.
    Fn(Box<FnDecl>),
    /// A `const` inside a type; the name of the directive is `const`.
    Const(Box<ConstDecl>),
    /// A `typealias` inside a type; the name of the directive is `typealias`.
    TypeAlias(Box<TypeAliasDecl>),
}

/// `/re/ => name, type`
#[derive(Clone, Debug, PartialEq)]
pub struct TitlePatternRow {
    /// The pattern: a regex literal or the name of a constant.
    pub pattern: Expr,
    /// The attributes that the groups set, in order; empty in `/re/ => nil`.
    pub attributes: Vec<Ident>,
    /// The span of the row.
    pub span: Span,
}

/// `fn f(a, b = 1) { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct FnDecl {
    /// The name of the function.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<Param>,
    /// The statements.
    pub body: Block,
    /// The span from `fn` to the closing brace.
    pub span: Span,
}

/// A platform feature: `feature NAME, "what it means" { … }` at the top level of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDecl {
    /// The documentation.
    pub doc: Option<StrLit>,
    /// The name, and the block that tests the feature's presence.
    pub test: FnDecl,
}

/// `const NAMES = …`
#[derive(Clone, Debug, PartialEq)]
pub struct ConstDecl {
    /// The name of the constant.
    pub name: Ident,
    /// The value.
    pub value: Expr,
    /// The span of the declaration.
    pub span: Span,
}

/// `typealias Port = Integer[1, 65535]`
#[derive(Clone, Debug, PartialEq)]
pub struct TypeAliasDecl {
    /// The name of the alias.
    pub name: Ident,
    /// The data type: a name, or `Name[…]` as an index expression.
    pub value: Expr,
    /// The span of the declaration.
    pub span: Span,
}

/// `test "…" { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct TestDecl {
    /// The title.
    pub title: StrLit,
    /// The steps in order.
    pub steps: Vec<TestStep>,
    /// The span of the test.
    pub span: Span,
}

/// The keywords of test steps, with syntax and documentation. A step that begins with another word is the resource under test.
pub const TEST_WORDS: &[(&str, &str, &str)] = &[
    ("facts", "facts { kernel: \"Linux\" }", "facts, dotted names as texts; others stay as they are"),
    ("features", "features { root: false }", "whether features of the platform hold"),
    ("settings", "settings { show_diff: true }", "settings of the run"),
    ("binaries", "binaries [\"ip\"] | { ip: false }", "the programs that there are, or that there are not"),
    ("cases", "cases [{ x: 1 }, { x: 2 }]", "the test runs once for each map, with its values in place of `x`, and of `$x` in resources"),
    ("is", "is { ensure: :present }", "the state of the resource, as its provider gives it"),
    ("answers", "answers { m: v }", "what queries of the provider answer"),
    ("also", "also { TYPE { 'title': } }", "other resources of the catalog"),
    ("expect", "expect e", "what must hold of the resource"),
    ("rejects", "rejects attribute, /pattern/", "the resource is refused, this is blamed, and the message says that"),
];

/// A step of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum TestStep {
    /// `facts { kernel: "Linux" }`, `binaries ["ip"]`: the keyword and a literal.
    Setup(Ident, Expr),
    /// `also { resources }`
    Also(Vec<Statement>, Span),
    /// The resource under test.
    Declare(ResourceDecl),
    /// `expect e`
    Expect(Expr, Span),
    /// `rejects month, /not a valid/`: the attribute (none for the whole resource) and a regex or string.
    Rejects(Option<Ident>, Option<Expr>, Span),
}
