//! The Ast of resource declarations, in files of their own and in `test` blocks.

use super::{Comment, Ident};
use crate::source::Span;
use crate::value::EcoString;

/// A file of resource declarations.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Manifest {
    /// What stands in it, in order.
    pub statements: Vec<Statement>,
    /// All comments of the file, in order.
    pub comments: Vec<Comment>,
    /// The whole text.
    pub span: Span,
}

/// A statement of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `user { 'bob': ensure => present }`
    Resource(ResourceDecl),
    /// `File { mode => '0644' }`
    Defaults(DefaultsDecl),
    /// `A['x'] -> B['y'] ~> …`: operands and the arrows between them.
    Chain(Vec<ChainOperand>, Vec<(Arrow, Span)>, Span),
    /// Puppet code that only a compiler understands (`class`, `$x = …`, `if` …); already reported.
    Error(Span),
}

/// `type { bodies }`
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceDecl {
    /// The type's name, perhaps qualified.
    pub type_name: Ident,
    /// `title: attributes`, each; a body titled `default` has [`PuppetValue::Default`] as title.
    pub bodies: Vec<ResourceBody>,
    /// The whole.
    pub span: Span,
}

/// `title: a => b, …`
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// The title, or an array of titles.
    pub title: PuppetExpr,
    /// The attributes in order; `* => {…}` has the name `*`.
    pub attributes: Vec<AttributeDecl>,
    /// The whole.
    pub span: Span,
}

/// `name => value`, `name +> value`
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDecl {
    /// Its name.
    pub name: Ident,
    /// Its value.
    pub value: PuppetExpr,
}

/// `Type { a => b }`
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultsDecl {
    /// The type's name in lower case.
    pub type_name: Ident,
    /// The attributes.
    pub attributes: Vec<AttributeDecl>,
    /// The whole.
    pub span: Span,
}

/// One end of an arrow.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainOperand {
    /// `File['/a', '/b']`, or a list of references.
    References(PuppetExpr),
    /// A declaration.
    Resource(ResourceDecl),
}

/// An arrow between resources.
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

/// A value as written in a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct PuppetExpr {
    /// What it is.
    pub kind: PuppetValue,
    /// Where.
    pub span: Span,
}

/// What a value in a manifest is.
#[derive(Clone, Debug, PartialEq)]
pub enum PuppetValue {
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true`, `false`
    Bool(bool),
    /// `12`, `0644`, `0xff` (octal and hexadecimal as Puppet reads them)
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
    /// `File['/a', '/b']`: the type's name in lower case and titles.
    Reference(Ident, Vec<PuppetExpr>),
    /// `Binary(e)`, whose value is bytes as base64.
    Binary(Box<PuppetExpr>),
    /// `Sensitive(e)`
    Sensitive(Box<PuppetExpr>),
    /// `Deferred(…)`: a value that will be known later.
    Deferred,
    /// `$facts['os']['family']`: the path, keys joined by dots.
    Fact(EcoString),
    /// Not understood; already reported.
    Error,
}
