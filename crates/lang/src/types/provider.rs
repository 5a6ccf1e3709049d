//! Provider declarations.

use super::Code;
use crate::source::Span;
use crate::value::{EcoString, Regex, Symbol, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// What a file says of a provider.
#[derive(Clone, Debug)]
pub struct ProviderDef {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The type it is for.
    pub type_name: Symbol,
    /// What its author says of it.
    pub doc: String,
    /// The provider it takes the rest from: a name, or `TYPE/NAME`.
    pub parent: Option<(EcoString, Span)>,
    /// The provider as whose resources its own are listed (Puppet's `source`).
    pub source: Option<Symbol>,
    /// Programs it cannot do without: name → command.
    pub commands: IndexMap<Symbol, CommandDef>,
    /// Programs it uses where they exist.
    pub optional_commands: IndexMap<Symbol, CommandDef>,
    /// Conditions that must all hold.
    pub confines: Vec<Confine>,
    /// Sets of conditions: where all of one hold it is preferred.
    pub defaultfor: Vec<Vec<FactTest>>,
    /// Sets of conditions that take the preference away.
    pub notdefaultfor: Vec<Vec<FactTest>>,
    /// Features that it claims, with the place of each.
    pub features: IndexMap<Symbol, Span>,
    /// Features of the platform without which it has a feature that it claims not.
    pub features_with: IndexMap<Symbol, Vec<Symbol>>,
    /// Methods that value blocks may ask.
    pub queries: Vec<Symbol>,
    /// Methods that action blocks may call.
    pub actions: Vec<Symbol>,
    /// Named values and blocks of a declarative provider; all are queries.
    pub settings: IndexMap<Symbol, Setting>,
    /// What does the work.
    pub body: ProviderBody,
}

/// A program.
#[derive(Clone, Debug)]
pub struct CommandDef {
    /// A name to look for on the path, or an absolute path.
    pub command: EcoString,
    /// Where it stands.
    pub span: Span,
}

/// What does a provider's work.
#[derive(Clone, Debug, PartialEq)]
pub enum ProviderBody {
    /// Nothing yet: it is declared, and selecting it for reading is an error that says so.
    None,
    /// Rust code registered under `TYPE/NAME`; where the word stands.
    Native(Span),
    /// A program that speaks `rtype-provider/1`.
    Program(ProgramDef),
    /// Its settings say how: it needs no code.
    Declared(DeclaredDef),
}

impl ProviderBody {
    /// Where its word stands, unless there is none.
    pub fn span(&self) -> Option<Span> {
        match self {
            ProviderBody::None => None,
            ProviderBody::Native(span) => Some(*span),
            ProviderBody::Program(program) => Some(program.span),
            ProviderBody::Declared(declared) => Some(declared.span),
        }
    }
}

/// A provider that needs no code.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredDef {
    /// What it works with.
    pub kind: DeclaredKind,
    /// Where its word stands.
    pub span: Span,
}

/// What a provider works with that needs no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// Text files with a record in each line: `records`.
    Records,
    /// Text files of sections and settings: `keyed value`, the property that is the setting's value.
    Keyed(Symbol),
    /// Programs that list, make, change and remove things: `command_lines`.
    CommandLines,
}

/// `program "./x.py", timeout: 300`
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramDef {
    /// A path with a slash, or a name to look for on the path.
    pub path: EcoString,
    /// The directory of the file in which it stands, where a relative path begins; set by whoever reads files.
    pub directory: Option<EcoString>,
    /// How many seconds it may take for an answer.
    pub timeout: Option<u64>,
    /// Where it stands.
    pub span: Span,
}

/// A condition of suitability.
#[derive(Clone, Debug)]
pub struct Confine {
    /// What must hold.
    pub test: ConfineTest,
    /// What to say when it does not, instead of the usual words.
    pub message: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// What must hold.
#[derive(Clone, Debug)]
pub enum ConfineTest {
    /// A fact is one of several, without regard to case.
    Fact(FactTest),
    /// All these paths exist.
    Exists(Vec<EcoString>),
    /// All these features of the platform hold.
    Feature(Vec<Symbol>),
    /// A value block is true.
    Code(Code),
}

/// What stands in the place of a fact where `defaultfor` asks for a feature of the platform.
pub const FEATURE: &str = "feature";

/// `kernel: [Linux, SunOS]`; in `defaultfor` also `feature: posix`.
#[derive(Clone, Debug)]
pub struct FactTest {
    /// The fact's dotted name.
    pub fact: EcoString,
    /// Any of these.
    pub values: Vec<FactValue>,
}

impl FactTest {
    /// The allowed values in words: `` `Linux` or `/BSD/` ``.
    pub fn wanted(&self) -> String {
        let values = self.values.iter().map(|v| match v {
            FactValue::Is(value) => format!("`{value}`"),
            FactValue::Matches(regex) => format!("`{regex}`"),
        });
        values.collect::<Vec<_>>().join(" or ")
    }
}

/// A value that a fact may have.
#[derive(Clone, Debug)]
pub enum FactValue {
    /// The same text, without regard to case.
    Is(Value),
    /// A text that matches.
    Matches(Arc<Regex>),
}

/// A setting of a declarative provider.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A value.
    Value(Value),
    /// What a value block gives for a resource.
    Code(Code),
}
