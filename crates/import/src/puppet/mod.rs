//! Puppet's types as plain data: what loading a Ruby file declares.

mod load;
mod lookup;
mod provider;
mod setup;

pub use load::{LoadedFile, load};
pub use provider::{FailedFile, ProviderMethod, PuppetProvider};
pub(crate) use setup::LIBRARY_PATH;

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

    /// Returns whether an option is neither nil nor false.
    pub fn is_set(&self, name: &str) -> bool {
        self.option(name).is_some_and(|value| !matches!(value, PlainValue::Nil | PlainValue::Bool(false) | PlainValue::Unknown(_)))
    }

    /// Returns an option.
    pub fn option(&self, name: &str) -> Option<&PlainValue> {
        self.options.iter().rev().find(|(key, _)| key.word() == Some(name)).map(|(_, value)| value)
    }
}

/// Class methods that define a method from their block. A later block replaces an earlier one.
const METHOD_BLOCKS: &[&str] = &["munge", "unmunge", "validate", "defaultto"];

/// The automatic relations to other resources: a later block for the same type replaces the earlier one, and keeps its place.
const RELATIONS: &[&str] = &["autorequire", "autobefore", "autonotify", "autosubscribe"];

/// Returns the declarations that are not replaced by later ones.
pub(crate) fn without_replaced(all: Vec<DeclaredDirective>) -> Vec<DeclaredDirective> {
    let is_attribute = |word: &str| matches!(word, "newparam" | "newproperty" | "ensurable");
    let key = |directive: &DeclaredDirective| -> Option<(String, String)> {
        let (word, name) = (directive.word.as_str(), directive.first_word().map(str::to_owned));
        match word {
            _ if is_attribute(word) => Some(("attribute".to_owned(), name?)),
            _ if RELATIONS.contains(&word) => Some((word.to_owned(), name?)),
            _ if METHOD_BLOCKS.contains(&word) => Some((word.to_owned(), String::new())),
            _ => None,
        }
    };
    let mut kept: Vec<DeclaredDirective> = Vec::new();
    for mut directive in all {
        if directive.word == "newproperty" {
            // Puppet ignores the option of a property.
            directive.options.retain(|(key, _)| key.word() != Some("namevar"));
        }
        let same = key(&directive)
            .filter(|_| !directive.is_conditional)
            .and_then(|wanted| kept.iter().position(|known| key(known).as_ref() == Some(&wanted)));
        match same {
            Some(at) if RELATIONS.contains(&directive.word.as_str()) => {
                if let Some(known) = kept.get_mut(at) {
                    *known = directive;
                }
            }
            Some(at) => {
                let replaced = kept.remove(at);
                kept.push(of_namevar(replaced, directive));
            }
            None => kept.push(directive),
        }
    }
    kept
}

/// Returns the later declaration of an attribute. A property with the name of the namevar is the namevar.
fn of_namevar(replaced: DeclaredDirective, mut by: DeclaredDirective) -> DeclaredDirective {
    let is_true = replaced.is_set("namevar");
    let is_namevar = replaced.word == "newparam" && (is_true || replaced.first_word() == Some("name"));
    if by.word == "newproperty" && is_namevar {
        by.options.push((PlainValue::Sym("namevar".to_owned()), PlainValue::Bool(true)));
    }
    by
}
