//! The providers that files declare.

use super::{DeclaredBlock, DeclaredDirective, LoadedFile};
use rtype_lang::source::Source;
use rtype_ruby::hir::{HirText, SourceRange};
use rtype_ruby::run::{ClassKey, CodeSource, Interpreter, PlainValue, RunError, RuntimeValue, Unwind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A provider that a file declares.
pub struct PuppetProvider {
    /// The type.
    pub of: String,
    /// The name.
    pub name: String,
    /// The class.
    pub class: ClassKey,
    /// The call of `provide`.
    pub call: DeclaredDirective,
    /// The body.
    pub code: Option<CodeSource>,
    /// The nearest superclass that is a provider.
    pub parent: Option<ParentProvider>,
    /// Why further methods of the class are not known.
    pub unknown: Option<String>,
    /// The methods of the class, its superclasses and its modules, nearest first.
    pub methods: Vec<ProviderMethod>,
    /// The number of superclasses below the class that all providers have.
    pub depth: usize,
}

/// The nearest superclass of a provider that is a provider, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParentProvider {
    /// The type.
    pub of: String,
    /// The name.
    pub name: String,
    /// The class.
    pub class: ClassKey,
}

/// A method that a provider defines or inherits.
pub struct ProviderMethod {
    /// The name.
    pub name: HirText,
    /// Whether it is a method of the class itself.
    pub of_class: bool,
    /// Whether other objects may call it.
    pub is_public: bool,
    /// Whether the class itself defines it.
    pub is_own: bool,
    /// Whether the class defines it, or one between the class and the parent provider.
    pub is_below_parent: bool,
    /// The code, unless an unknown condition selects it.
    pub code: Option<CodeSource>,
}

/// A file of a provider that ended with an error.
#[derive(Clone)]
pub struct FailedFile {
    /// The file name without extension. Providers usually have this name.
    pub name: String,
    /// The file.
    pub source: Option<Arc<Source>>,
    /// The error.
    pub why: String,
}

impl LoadedFile<'_> {
    /// Loads the files of the providers of a type, as Puppet does after a type. Returns the files that ended with an error.
    ///
    /// # Errors
    /// Returns that the budget is exhausted.
    pub fn load_providers(&mut self, of: &str) -> Result<Vec<FailedFile>, RunError> {
        let directory = format!("puppet/provider/{of}");
        let names = self.provider_files(of);
        let mut failed = Vec::new();
        for name in names {
            let path = format!("{directory}/{name}");
            let result = self.run.call_method(&RuntimeValue::Nil, "require", vec![RuntimeValue::str(path.as_str())]);
            let why = match result {
                Ok(_) => None,
                Err(Unwind::Stop(stop @ RunError::Exhausted(_))) => return Err(stop),
                Err(Unwind::Stop(stop)) => Some(stop.to_string()),
                Err(Unwind::Raise(error)) => Some(self.message_of(&error)),
                Err(_) => Some("its code ends early".to_owned()),
            };
            if let Some(why) = why {
                let name = name.trim_end_matches(".rb").to_owned();
                failed.push(FailedFile { name, source: self.host.files.all.borrow_mut().read(&path), why });
            }
        }
        let declared = self.host.declared.take();
        self.directives.extend(declared);
        Ok(failed)
    }

    /// Returns the names of the files in the directory of the providers of a type.
    pub fn provider_files(&self, of: &str) -> Vec<String> {
        self.host.files.all.borrow_mut().list(&format!("puppet/provider/{of}"))
    }

    fn message_of(&mut self, error: &RuntimeValue) -> String {
        let message = self.run.call_method(error, "message", Vec::new());
        let message = message.map(|message| self.run.plain(&message));
        message.ok().as_ref().and_then(PlainValue::word).unwrap_or("an error").to_owned()
    }

    /// Returns the providers of a type, in the order of their declarations. The last declaration of a name counts.
    pub fn providers_of(&mut self, of: &str) -> Vec<PuppetProvider> {
        let declared = std::mem::take(&mut self.directives);
        let mut all: Vec<PuppetProvider> = Vec::new();
        for (class_of_type, call) in declared.iter().filter(|(_, call)| call.word == "provide") {
            let (Some(class), Some(name)) = (call.class, call.first_word()) else { continue };
            if word_of(&mut self.run, *class_of_type, "@name").as_deref() != Some(of) {
                continue;
            }
            all.retain(|known| known.name != name);
            all.push(provider(&mut self.run, of, name, class, call));
        }
        self.directives = declared;
        all
    }

    /// Returns the types for which files declare providers.
    pub fn types_with_providers(&mut self) -> Vec<String> {
        let classes: Vec<ClassKey> = self.directives.iter().filter(|(_, call)| call.word == "provide").map(|(of, _)| *of).collect();
        let mut known = BTreeSet::new();
        classes.into_iter().filter_map(|class| word_of(&mut self.run, class, "@name")).filter(|name| known.insert(name.clone())).collect()
    }

    /// Returns the code of an option of a declaration that is a block.
    pub fn option_block(&self, call: SourceRange, option: &str) -> Option<CodeSource> {
        let blocks = self.host.option_blocks.borrow();
        blocks.iter().rev().find(|(of, name, _)| *of == call && name == option).map(|(.., code)| code.clone())
    }

    /// Returns whether the module path has a file.
    pub fn has_file(&self, feature: &str) -> bool {
        self.host.files.has(feature)
    }

    /// Returns whether the imported file declares a type.
    pub fn is_imported(&self, name: &str) -> bool {
        self.directives.iter().any(|(_, call)| call.word == "newtype" && call.first_word() == Some(name))
    }

    /// Returns the declared platform features.
    pub fn platform_features(&mut self) -> Vec<DeclaredDirective> {
        self.directives.extend(self.host.declared.take());
        let class = self.run.define_class("Puppet::FeatureSet", None, true);
        self.directives_of(class).into_iter().filter(|declared| declared.word == "add").collect()
    }

    /// Returns the attributes of a type that some file declares.
    pub fn attributes_of(&mut self, name: &str) -> BTreeSet<String> {
        let is_it =
            |call: &DeclaredDirective| matches!(call.word.as_str(), "newtype" | "type of another file") && call.first_word() == Some(name);
        let Some(class) = self.directives.iter().rev().find(|(_, call)| is_it(call)).and_then(|(_, call)| call.class) else {
            return BTreeSet::new();
        };
        let declared = self.directives_of(class);
        let attributes = declared.iter().filter(|call| matches!(call.word.as_str(), "newparam" | "newproperty" | "ensurable"));
        attributes.filter_map(|call| call.first_word().map(str::to_owned)).collect()
    }

    /// Returns the text of a file by the path that its code has.
    pub fn text_of(&self, path: &str) -> Option<Arc<Source>> {
        self.host.files.read.borrow().iter().find(|source| source.name() == path).cloned()
    }
}

/// Returns the word in an instance variable of a class.
fn word_of(run: &mut Interpreter<'_>, class: ClassKey, variable: &str) -> Option<String> {
    run.class_instance_variable(class, variable)?.word().map(str::to_owned)
}

fn provider(run: &mut Interpreter<'_>, of: &str, name: &str, class: ClassKey, call: &DeclaredDirective) -> PuppetProvider {
    let mut parent = None;
    let mut next = run.superclass_of(class);
    let mut depth = 0;
    while let Some(superclass) = next.filter(|superclass| &*run.name_of_class(*superclass) != "Puppet::Provider" && depth < MAX_DEPTH) {
        depth += 1;
        if parent.is_none()
            && let Some(PlainValue::Class(of)) = run.class_instance_variable(superclass, "@resource_type")
            && let (Some(of), Some(name)) = (word_of(run, of, "@name"), word_of(run, superclass, "@name"))
        {
            parent = Some(ParentProvider { of, name, class: superclass });
        }
        next = run.superclass_of(superclass);
    }
    let lost = run.unknown_methods(class).map(|why| why.to_string());
    let is_unknown = matches!(call.option("parent"), Some(PlainValue::Unknown(_) | PlainValue::Other(_)));
    let unknown = lost.or_else(|| match call.option("parent") {
        Some(PlainValue::Unknown(why)) if is_unknown => Some(why.to_string()),
        _ => is_unknown.then(|| "a class that is computed".to_owned()),
    });
    let methods = methods(run, class, parent.as_ref().map(|parent| parent.class));
    let code = match &call.block {
        DeclaredBlock::Code(code) => Some(code.clone()),
        _ => None,
    };
    PuppetProvider { of: of.to_owned(), name: name.to_owned(), class, call: call.clone(), code, parent, unknown, methods, depth }
}

/// The maximum number of superclasses.
const MAX_DEPTH: usize = 64;

/// Returns the methods of a provider's class, its superclasses and its modules.
fn methods(run: &mut Interpreter<'_>, class: ClassKey, parent: Option<ClassKey>) -> Vec<ProviderMethod> {
    let mut all = Vec::new();
    let mut is_below_parent = true;
    for ancestor in run.ancestors_of(class) {
        if &*run.name_of_class(ancestor) == "Puppet::Provider" {
            break;
        }
        is_below_parent &= parent != Some(ancestor);
        let singleton = run.class_of_class(ancestor);
        // Modules that extend the class come after its own methods.
        let of_class: Vec<ClassKey> = singleton.into_iter().collect();
        let sets = std::iter::once((ancestor, false)).chain(of_class.into_iter().map(|class| (class, true)));
        for (set, of_class) in sets {
            for method in run.own_methods(set) {
                let is_own = ancestor == class;
                let (name, is_public, code) = (method.name, method.is_public, method.code);
                all.push(ProviderMethod { name, of_class, is_public, is_own, is_below_parent, code });
            }
        }
    }
    all
}

impl PuppetProvider {
    /// Returns the nearest method of this name.
    pub fn method(&self, name: &str, of_class: bool) -> Option<&ProviderMethod> {
        self.methods.iter().find(|method| &*method.name == name && method.of_class == of_class)
    }
}
