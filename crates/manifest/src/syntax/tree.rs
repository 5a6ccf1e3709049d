//! The syntax tree of a manifest. Every node owns its values and has its span.

use super::token::TokenKind;
use ecow::EcoString;
use rtype_lang::source::Span;

/// A parsed manifest or template.
#[derive(Clone, Debug, Default)]
pub struct ManifestTree {
    /// The statements of the manifest or template.
    pub statements: Vec<Expression>,
    /// The parameters of an EPP template.
    pub template: Option<TemplateHead>,
    /// The whole source.
    pub span: Span,
}

/// The head of an EPP template.
#[derive(Clone, Debug)]
pub struct TemplateHead {
    /// The parameters between the bars; `None` without bars.
    pub parameters: Option<Vec<Parameter>>,
}

/// An expression; statements are expressions, too.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The first to the last byte.
    pub span: Span,
    /// The kind with its parts.
    pub kind: ExpressionKind,
}

/// A name with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedName {
    /// The name as written.
    pub text: EcoString,
    /// The span.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// Tokens that the parser skipped after a syntax error.
    Error,
    /// `undef`
    Undef,
    /// `default`
    Default,
    /// `true`, `false`
    Boolean(bool),
    /// An integer and the base in which it is written: 8, 10 or 16.
    Integer {
        /// The value.
        value: i64,
        /// The base.
        radix: u8,
    },
    /// A number with a fraction or an exponent.
    Float(f64),
    /// A string without interpolation: quoted, or a word such as `a-b`.
    Text(EcoString),
    /// A regex without its slashes.
    Pattern(EcoString),
    /// A string with interpolation.
    Interpolated(Vec<Segment>),
    /// A heredoc.
    Heredoc(Box<Heredoc>),
    /// A name: `a::b`.
    Name(EcoString),
    /// A type: `A::B`.
    TypeName(EcoString),
    /// A variable without its `$`.
    Variable(EcoString),
    /// `private`, `attr`
    Reserved(EcoString),
    /// `[…]`
    Array(Vec<Expression>),
    /// `{…}`, or pairs in an array or among arguments.
    Hash(Vec<HashEntry>),
    /// `(…)`
    Paren(Box<Expression>),
    /// `!a`, `-a`, `*a`
    Unary(UnaryOperator, Box<Expression>),
    /// `a + b`, `a -> b`, `a = b`
    Binary(Box<Binary>),
    /// `a[…]`
    Access(Box<IndexAccess>),
    /// `a(…)`, `include a`
    Call(Box<FunctionCall>),
    /// `a.b(…)`
    Method(Box<ChainedCall>),
    /// `a ? {…}`
    Selector(Box<SelectorExpression>),
    /// `A <| … |>`
    Collector(Box<CollectorExpression>),
    /// `if`, and `unless`
    If(Box<Conditional>),
    /// `case`
    Case(Box<CaseExpression>),
    /// `a { b: … }`
    Resource(Box<ResourceExpression>),
    /// `A { … }`
    Defaults(Box<AttributeSettings>),
    /// `A[b] { … }`
    Override(Box<AttributeSettings>),
    /// `class`, `define`, `function`, and the template itself.
    Definition(Box<Definition>),
    /// `node`
    Node(Box<NodeDefinition>),
    /// `type A = …`
    TypeAlias(Box<TypeAlias>),
    /// Several expressions as one operand.
    Block(Vec<Expression>),
    /// `<%= … %>`
    Render(Box<Expression>),
    /// Text of a template.
    RenderText(EcoString),
}

/// The operators before an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `*`
    Splat,
}

/// Two expressions with an operator.
#[derive(Clone, Debug)]
pub struct Binary {
    /// The left side.
    pub left: Expression,
    /// The operator: arithmetic, comparison, logic, relation or assignment.
    pub operator: TokenKind,
    /// The span of the operator. Puppet's error messages about the expression have this position.
    pub operator_span: Span,
    /// The right side.
    pub right: Expression,
}

/// A part of a string.
#[derive(Clone, Debug)]
pub enum Segment {
    /// Text with its escapes replaced; never empty.
    Text(EcoString),
    /// An interpolated expression.
    Value(Expression),
}

/// A heredoc.
#[derive(Clone, Debug)]
pub struct Heredoc {
    /// The syntax after the colon; may be empty.
    pub syntax: EcoString,
    /// The text: [`ExpressionKind::Text`] or [`ExpressionKind::Interpolated`].
    pub text: Expression,
}

/// A pair of a hash.
#[derive(Clone, Debug)]
pub struct HashEntry {
    /// The key.
    pub key: Expression,
    /// The span of `=>`.
    pub arrow: Span,
    /// The value.
    pub value: Expression,
}

/// `target[keys]`
#[derive(Clone, Debug)]
pub struct IndexAccess {
    /// The expression before the bracket.
    pub target: Expression,
    /// The keys.
    pub keys: Vec<Expression>,
}

/// A function call.
#[derive(Clone, Debug)]
pub struct FunctionCall {
    /// The name or type that is called; the checks report other expressions.
    pub function: Expression,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// The lambda.
    pub lambda: Option<LambdaExpression>,
    /// Whether the value is not used.
    pub is_statement: bool,
}

/// `receiver.name(arguments)`
#[derive(Clone, Debug)]
pub struct ChainedCall {
    /// The first argument.
    pub receiver: Expression,
    /// The function.
    pub name: SpannedName,
    /// The position of Puppet's error messages about the call: `(`, or `.` without parentheses.
    pub anchor: Span,
    /// The other arguments.
    pub arguments: Vec<Expression>,
    /// The lambda.
    pub lambda: Option<LambdaExpression>,
}

/// `|parameters| >> returns { body }`
#[derive(Clone, Debug)]
pub struct LambdaExpression {
    /// From `|` to `}`.
    pub span: Span,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result.
    pub returns: Option<Expression>,
    /// The statements.
    pub body: Vec<Expression>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// From the type to the default.
    pub span: Span,
    /// The type.
    pub kind: Option<Expression>,
    /// Whether the parameter takes the rest of the arguments.
    pub is_splat: bool,
    /// The name without `$`.
    pub name: SpannedName,
    /// The default.
    pub default: Option<Expression>,
}

/// `subject ? { entries }`
#[derive(Clone, Debug)]
pub struct SelectorExpression {
    /// The tested expression.
    pub subject: Expression,
    /// The entries: what is compared, and the value.
    pub entries: Vec<HashEntry>,
}

/// `A <| query |> { … }`
#[derive(Clone, Debug)]
pub struct CollectorExpression {
    /// The type.
    pub kind: Expression,
    /// Whether exported resources are collected: `<<| … |>>`.
    pub is_exported: bool,
    /// The query.
    pub query: Option<Expression>,
    /// The attributes that are set on the collected resources.
    pub attributes: Vec<AttributeOperation>,
}

/// `if … elsif … else`, or `unless … else`.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// Whether this is `unless`.
    pub is_unless: bool,
    /// The conditions with their statements.
    pub branches: Vec<ConditionalBranch>,
    /// The statements after `else`.
    pub otherwise: Option<Vec<Expression>>,
}

/// A condition with its statements.
#[derive(Clone, Debug)]
pub struct ConditionalBranch {
    /// From `if`, `elsif` or `unless` to `}`.
    pub span: Span,
    /// The condition.
    pub condition: Expression,
    /// The statements.
    pub body: Vec<Expression>,
}

/// `case subject { options }`
#[derive(Clone, Debug)]
pub struct CaseExpression {
    /// The tested expression.
    pub subject: Expression,
    /// The options.
    pub options: Vec<CaseOption>,
}

/// `values: { body }`
#[derive(Clone, Debug)]
pub struct CaseOption {
    /// The values.
    pub values: Vec<Expression>,
    /// The span of the colon.
    pub colon: Span,
    /// The statements.
    pub body: Vec<Expression>,
}

/// `kind { bodies }`
#[derive(Clone, Debug)]
pub struct ResourceExpression {
    /// The type: usually a name.
    pub kind: Expression,
    /// Whether the resource is virtual or exported.
    pub form: ResourceForm,
    /// The resources.
    pub bodies: Vec<ResourceInstance>,
}

/// How a resource is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceForm {
    /// `a { … }`
    Regular,
    /// `@a { … }`
    Virtual,
    /// `@@a { … }`
    Exported,
}

/// `title: attributes`
#[derive(Clone, Debug)]
pub struct ResourceInstance {
    /// From the title to the last attribute.
    pub span: Span,
    /// The title.
    pub title: Expression,
    /// The attributes.
    pub attributes: Vec<AttributeOperation>,
}

/// Resource defaults, or overrides of declared resources.
#[derive(Clone, Debug)]
pub struct AttributeSettings {
    /// The type, or the references of the resources.
    pub target: Expression,
    /// The form, which Puppet refuses unless it is regular.
    pub form: ResourceForm,
    /// The attributes.
    pub attributes: Vec<AttributeOperation>,
}

/// An attribute with its value.
#[derive(Clone, Debug)]
pub struct AttributeOperation {
    /// From the name to the value.
    pub span: Span,
    /// The name; `None` for `* =>`.
    pub name: Option<SpannedName>,
    /// Whether the operator is `+>`.
    pub appends: bool,
    /// The value.
    pub value: Expression,
}

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    /// `class`
    Class,
    /// `define`
    Define,
    /// `function`
    Function,
}

/// A class, a defined type or a function.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it defines.
    pub kind: DefinitionKind,
    /// The qualified name: nested classes begin with the names of their outer classes.
    pub name: SpannedName,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The parent class.
    pub parent: Option<SpannedName>,
    /// The result type of a function.
    pub returns: Option<Expression>,
    /// The statements; `None` if the braces are empty.
    pub body: Option<Vec<Expression>>,
}

/// `node hosts { body }`
#[derive(Clone, Debug)]
pub struct NodeDefinition {
    /// The names, regexes and `default`.
    pub hosts: Vec<Expression>,
    /// The parent, which Puppet refuses.
    pub parent: Option<Expression>,
    /// The statements; `None` if the braces are empty.
    pub body: Option<Vec<Expression>>,
}

/// `type name = target`
#[derive(Clone, Debug)]
pub struct TypeAlias {
    /// The type on the left side; a name for an alias, an access for a mapping.
    pub name: Expression,
    /// The type on the right side.
    pub target: Expression,
    /// Whether this is a definition with a body, which Puppet does not support.
    pub is_definition: bool,
}

impl Expression {
    /// Returns the offset in Puppet's error messages about the expression: binary expressions have the offset of their operator.
    pub fn anchor(&self) -> u32 {
        match &self.kind {
            ExpressionKind::Binary(binary) => binary.operator_span.start,
            ExpressionKind::Method(call) => call.anchor.start,
            ExpressionKind::Access(access) => access.target.anchor(),
            ExpressionKind::Call(call) => call.function.anchor(),
            ExpressionKind::Selector(selector) => selector.subject.anchor(),
            ExpressionKind::Collector(collector) => collector.kind.anchor(),
            ExpressionKind::Resource(resource) if resource.form == ResourceForm::Regular => resource.kind.anchor(),
            _ => self.span.start,
        }
    }
}
