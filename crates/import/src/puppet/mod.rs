//! Puppet's types as plain data: what loading a Ruby file declares.

mod load;
mod lookup;
mod provider;
mod setup;

pub use load::{LoadedFile, load};
pub use provider::{ProviderMethod, PuppetProvider};

use rtype_ruby::hir::{HirText, SourceRange};
use rtype_ruby::run::{ClassKey, CodeSource, PlainValue};

/// A type that a file declares.
pub struct PuppetType {
    /// The name.
    pub name: String,
    /// The option `self_refresh`.
    pub self_refresh: bool,
    /// The class.
    pub class: ClassKey,
    /// What the body declares, in order.
    pub directives: Vec<DeclaredDirective>,
    /// The methods of the class, then of the included modules.
    pub methods: Vec<DeclaredMethod>,
    /// The call.
    pub origin: SourceRange,
}

/// A method that a class of the file defines or includes.
pub struct DeclaredMethod {
    /// The name.
    pub name: HirText,
    /// Whether it is a method of the class itself.
    pub of_class: bool,
    /// The code, unless an unknown condition selects it.
    pub code: Option<CodeSource>,
    /// Whether `super` calls a method of Puppet.
    pub is_lowest: bool,
}

/// A call that declares something.
#[derive(Clone)]
pub struct DeclaredDirective {
    /// The method: `newparam`, `desc`, `validate`.
    pub word: String,
    /// The positional arguments.
    pub arguments: Vec<PlainValue>,
    /// The options.
    pub options: Vec<(PlainValue, PlainValue)>,
    /// The block.
    pub block: DeclaredBlock,
    /// The class of an attribute or provider.
    pub class: Option<ClassKey>,
    /// Whether a condition that is not known decides whether the call runs.
    pub is_conditional: bool,
    /// The call.
    pub origin: SourceRange,
}

/// The block of a declaration.
#[derive(Clone)]
pub enum DeclaredBlock {
    /// No block.
    None,
    /// Code.
    Code(CodeSource),
    /// `&:name`.
    Symbol(HirText),
    /// A block without code in the file.
    Other,
}

impl DeclaredDirective {
    /// Returns the word of the first argument.
    pub fn first_word(&self) -> Option<&str> {
        self.arguments.first().and_then(PlainValue::word)
    }

    /// Returns the names of the programs that the call declares for a provider.
    pub fn commands(&self) -> Vec<String> {
        match self.word.as_str() {
            "commands" | "optional_commands" => self.options.iter().filter_map(|(key, _)| key.word().map(str::to_owned)).collect(),
            "has_command" => self.first_word().map(str::to_owned).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns an option.
    pub fn option(&self, name: &str) -> Option<&PlainValue> {
        self.options.iter().rev().find(|(key, _)| key.word() == Some(name)).map(|(_, value)| value)
    }
}
