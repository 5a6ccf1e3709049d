//! Definitions of providers.

use super::CodeBlock;
use crate::source::Span;
use crate::value::{EcoString, Regex, Symbol, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// The declaration of a provider.
#[derive(Clone, Debug)]
pub struct ProviderDef {
    /// The name of the provider.
    pub name: Symbol,
    /// The span of the name.
    pub span: Span,
    /// The name of the provider's type.
    pub type_name: Symbol,
    /// The documentation.
    pub doc: String,
    /// The parent provider: `NAME` or `TYPE/NAME`.
    pub parent: Option<(EcoString, Span)>,
    /// The provider name for listed instances (Puppet's `source`).
    pub source: Option<Symbol>,
    /// Required programs: name → command.
    pub commands: IndexMap<Symbol, CommandDef>,
    /// Optional programs: name → command.
    pub optional_commands: IndexMap<Symbol, CommandDef>,
    /// The conditions for suitability; all must hold.
    pub confines: Vec<Confine>,
    /// Sets of conditions: the provider is a default if all conditions in a set hold.
    pub defaultfor: Vec<Vec<FactTest>>,
    /// Sets of conditions that prevent the provider from being a default.
    pub notdefaultfor: Vec<Vec<FactTest>>,
    /// Whether a `defaultfor` is left in Ruby.
    pub is_default_unknown: bool,
    /// The declared features with their spans.
    pub features: IndexMap<Symbol, Span>,
    /// Declared features that depend on platform features: the provider has such a feature only if all its platform features are
    /// present.
    pub features_with: IndexMap<Symbol, Vec<Symbol>>,
    /// Methods that value blocks may call.
    pub queries: Vec<Symbol>,
    /// Methods that action blocks may call.
    pub actions: Vec<Symbol>,
    /// Named values and blocks of a declarative provider. All of them are queries.
    pub settings: IndexMap<Symbol, Setting>,
    /// Changes to a resource before its comparison, in the order of the file.
    pub finalizes: Vec<CodeBlock>,
    /// The implementation.
    pub body: ProviderBody,
}

/// A program that a provider runs.
#[derive(Clone, Debug)]
pub struct CommandDef {
    /// A name to look up in the search path, or an absolute path.
    pub command: EcoString,
    /// The span of the command.
    pub span: Span,
}

/// The implementation of a provider.
#[derive(Clone, Debug, PartialEq)]
pub enum ProviderBody {
    /// None: the provider is only declared, and selecting it for reading is an error.
    None,
    /// Rust code registered as `TYPE/NAME`, with the span of the keyword.
    Native(Span),
    /// A program that implements the protocol `rtype-provider/1`.
    Program(ProgramDef),
    /// A declarative provider, driven by settings.
    Declared(DeclaredDef),
}

impl ProviderBody {
    /// Returns the span of the directive, if any.
    pub fn span(&self) -> Option<Span> {
        match self {
            ProviderBody::None => None,
            ProviderBody::Native(span) => Some(*span),
            ProviderBody::Program(program) => Some(program.span),
            ProviderBody::Declared(declared) => Some(declared.span),
        }
    }
}

/// A declarative provider.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredDef {
    /// The managed kind of object.
    pub kind: DeclaredKind,
    /// The span of the keyword.
    pub span: Span,
}

/// The kind of object managed by a declarative provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// Text files with one record per line: `records`.
    Records,
    /// Text files with sections and settings: `keyed value`, with the property that holds a setting's value.
    Keyed(Symbol),
    /// Objects that programs list, create, change and remove: `command_lines`.
    CommandLines,
}

/// `program "./x.py", timeout: 300`
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramDef {
    /// A path with a slash, or a name to look up in the search path.
    pub path: EcoString,
    /// The directory of the declaring file, to which a relative path refers; set by the loader.
    pub directory: Option<EcoString>,
    /// The time limit for each answer, in seconds.
    pub timeout: Option<u64>,
    /// The span of the directive.
    pub span: Span,
}

/// A condition for the suitability of a provider.
#[derive(Clone, Debug)]
pub struct Confine {
    /// The condition.
    pub test: ConfineTest,
    /// The message for a failed condition, instead of the default message.
    pub message: Option<String>,
    /// The span of the directive.
    pub span: Span,
}

/// A condition that a `confine` checks.
#[derive(Clone, Debug)]
pub enum ConfineTest {
    /// A fact has any of these values; case is ignored.
    Fact(FactTest),
    /// All these paths exist.
    Exists(Vec<EcoString>),
    /// All these platform features are present.
    Feature(Vec<Symbol>),
    /// A value block returns true.
    Code(CodeBlock),
}

/// The name used in place of a fact where `defaultfor` tests a platform feature.
pub const FEATURE: &str = "feature";

/// `kernel: [Linux, SunOS]`; in `defaultfor` also `feature: posix`.
#[derive(Clone, Debug)]
pub struct FactTest {
    /// The dotted name of the fact.
    pub fact: EcoString,
    /// The accepted values.
    pub values: Vec<FactValue>,
}

impl FactTest {
    /// Returns the accepted values for messages: `` `Linux` or `/BSD/` ``.
    pub fn wanted(&self) -> String {
        let values = self.values.iter().map(|v| match v {
            FactValue::Is(value) => format!("`{value}`"),
            FactValue::Matches(regex) => format!("`{regex}`"),
        });
        values.collect::<Vec<_>>().join(" or ")
    }
}

/// An accepted value of a fact.
#[derive(Clone, Debug)]
pub enum FactValue {
    /// The same string; case is ignored.
    Is(Value),
    /// A string that matches the regex.
    Matches(Arc<Regex>),
}

/// A setting of a declarative provider.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A constant.
    Value(Value),
    /// A value block, evaluated for each resource.
    Code(CodeBlock),
}
