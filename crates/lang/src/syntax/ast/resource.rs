//! The syntax tree of resource declarations, in manifests and in `test` blocks.

use super::{Comment, Ident};
use crate::source::Span;
use crate::value::EcoString;

/// A manifest: a file of resource declarations.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Manifest {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// All comments of the file, in order.
    pub comments: Vec<Comment>,
    /// The span of the whole source.
    pub span: Span,
}

/// A statement of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `user { 'bob': ensure => present }`
    Resource(ResourceDecl),
    /// `File { mode => '0644' }`
    Defaults(DefaultsDecl),
    /// `A['x'] -> B['y'] ~> …`: the operands, and the arrows between them.
    Chain(Vec<ChainOperand>, Vec<(Arrow, Span)>, Span),
    /// Collectors and overrides, possibly with arrows, which require a compiler; they have been reported.
    Uncompiled(Vec<Uncompiled>, Span),
    /// Puppet code that requires a compiler (`class`, `$x = …`, `if` …), or a syntax error; it has been reported.
    Error(Span),
}

/// The names in `File<| mode == '0644' |> { owner => root }` or `File['/a'] { owner => root }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Uncompiled {
    /// The name of the type, in lower case.
    pub type_name: Ident,
    /// The titles in brackets.
    pub titles: Vec<PuppetExpr>,
    /// The compared or set attributes.
    pub attributes: Vec<Ident>,
}

/// A resource declaration: `type { bodies }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceDecl {
    /// The name of the type, possibly qualified.
    pub type_name: Ident,
    /// The bodies `title: attributes`; the title `default` is [`PuppetValue::Default`].
    pub bodies: Vec<ResourceBody>,
    /// The span of the declaration.
    pub span: Span,
}

/// `title: a => b, …`
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// The title, or an array of titles.
    pub title: PuppetExpr,
    /// The attributes in order; `* => {…}` has the name `*`.
    pub attributes: Vec<AttributeDecl>,
    /// The span of the body.
    pub span: Span,
}

/// `name => value`, `name +> value`
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDecl {
    /// The name of the attribute.
    pub name: Ident,
    /// The value.
    pub value: PuppetExpr,
}

/// Resource defaults: `Type { a => b }`.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultsDecl {
    /// The name of the type in lower case.
    pub type_name: Ident,
    /// The attributes.
    pub attributes: Vec<AttributeDecl>,
    /// The span of the statement.
    pub span: Span,
}

/// An operand of a relationship chain.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainOperand {
    /// A reference such as `File['/a', '/b']`, or a list of references.
    References(PuppetExpr),
    /// A resource declaration.
    Resource(ResourceDecl),
}

/// A chaining arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// `->`
    Before,
    /// `~>`
    Notify,
    /// `<-`
    Require,
    /// `<~`
    Subscribe,
}

/// A value in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct PuppetExpr {
    /// The value.
    pub kind: PuppetValue,
    /// The span of the value.
    pub span: Span,
}

/// The kind of a value in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub enum PuppetValue {
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true`, `false`
    Bool(bool),
    /// `12`, `0644`, `0xff` (octal and hexadecimal as in Puppet)
    Int(i64),
    /// `1.5`
    Float(f64),
    /// A quoted string without interpolation, or a bare word. Escapes are resolved.
    Str(EcoString),
    /// `"… ${facts['x']} …"`
    Interpolated(Vec<PuppetExpr>),
    /// `/…/`
    Regex(EcoString),
    /// `[a, b]`
    Array(Vec<PuppetExpr>),
    /// `{ k => v }`
    Hash(Vec<(PuppetExpr, PuppetExpr)>),
    /// `File['/a', '/b']`: the name of the type in lower case, and the titles.
    Reference(Ident, Vec<PuppetExpr>),
    /// `Binary(e)`: bytes, encoded as base64.
    Binary(Box<PuppetExpr>),
    /// `Sensitive(e)`
    Sensitive(Box<PuppetExpr>),
    /// `Deferred('name', [arguments])`: a value computed during the run.
    Deferred(Vec<PuppetExpr>),
    /// `$x` in a test: a column of `cases`.
    Variable(EcoString),
    /// `$facts['os']['family']`: the path with its keys joined by dots.
    Fact(EcoString),
    /// A value with a syntax error, which has been reported.
    Error,
}
