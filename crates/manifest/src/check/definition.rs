//! The classes and defined types of the checked files and of modules.

use super::facts::KnownFacts;
#[cfg(feature = "compile")]
use super::modules::add_module_of_data;
use super::modules::{CheckedModules, Modules, add_checked, is_module_name};
use super::scope::assignments;
use crate::syntax::tree::{Definition, DefinitionKind, Expression, ExpressionKind, Parameter};
use crate::syntax::{Form, Parsed, parse, visit};
use ecow::EcoString;
use indexmap::{IndexMap, IndexSet};
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::library::TypeSet;
use rtype_lang::source::{Source, Span};
use rtype_lang::types::METAPARAMETERS;
use rtype_model::manifest::{Declared, DeclaredValue};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Classes and defined types by name.
#[derive(Default)]
pub struct KnownDefinitions {
    classes: IndexMap<EcoString, Signature>,
    types: IndexMap<EcoString, Signature>,
    /// The variables that are assigned at top scope or in node blocks.
    globals: HashSet<EcoString>,
    /// The modules of the checked files.
    modules: CheckedModules,
    /// The facts of all modules.
    pub(super) facts: KnownFacts,
    /// The files of modules that were looked for.
    searched: HashSet<PathBuf>,
    /// The data types of parameters and aliases.
    #[cfg(feature = "compile")]
    pub(super) typed: super::typed::KnownTypes,
}

/// The parameters of a class or a defined type.
struct Signature {
    span: Span,
    parameters: Vec<KnownParameter>,
    /// The variables that the body assigns.
    variables: IndexSet<EcoString>,
    /// The parent class.
    parent: Option<EcoString>,
}

/// A parameter of a class or a defined type.
pub(super) struct KnownParameter {
    name: EcoString,
    /// Whether the parameter has no default.
    pub is_required: bool,
    /// The data type.
    #[cfg(feature = "compile")]
    pub kind: Option<Expression>,
}

/// The parameters of a class.
#[cfg(feature = "compile")]
pub(super) struct ClassParameters {
    /// The place of the definition.
    pub span: Span,
    /// The names.
    pub names: Vec<EcoString>,
    /// The names of the parameters without a default.
    pub required: Vec<EcoString>,
}

/// The answer to the question whether a class has a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    /// The class assigns or inherits the variable.
    Member,
    /// The class and its parents are known, and have no such variable.
    Missing,
    /// A definition could not be read: the class, or a parent.
    Unknown,
}

impl KnownDefinitions {
    /// Adds the classes and defined types of a checked file, and the module that the file belongs to.
    pub fn add_checked(&mut self, source: &Source, parsed: &Parsed, types: &TypeSet) {
        add_checked(&mut self.modules, source, types);
        self.add(parsed);
    }

    /// Returns the modules of the checked files.
    pub(super) fn modules(&self) -> CheckedModules {
        self.modules.clone()
    }

    /// Adds the classes and defined types of a manifest.
    fn add(&mut self, parsed: &Parsed) {
        self.globals.extend(assignments(&parsed.tree.statements).map(|(name, _)| name));
        let mut open: Vec<&Expression> = parsed.tree.statements.iter().collect();
        while let Some(expression) = open.pop() {
            #[cfg(feature = "compile")]
            self.typed.add(expression);
            if let ExpressionKind::Definition(definition) = &expression.kind {
                let all = match definition.kind {
                    DefinitionKind::Class => &mut self.classes,
                    DefinitionKind::Define => &mut self.types,
                    DefinitionKind::Function => continue,
                };
                all.entry(definition.name.text.clone()).or_insert_with(|| Signature::of(definition));
            }
            if let ExpressionKind::Node(node) = &expression.kind {
                self.globals.extend(assignments(node.body.as_deref().unwrap_or_default()).map(|(name, _)| name));
            }
            visit::children(expression, &mut |child| open.push(child));
        }
    }

    /// Adds the definitions of the files in which Puppet looks for a class or defined type: `manifests/b/c.pp`, `manifests/b.pp` and
    /// `manifests/init.pp` of the module `a` for `a::b::c`.
    pub(super) fn search(&mut self, name: &str, modules: &Modules<'_>) {
        let mut parts = name.split("::");
        let Some(module) = parts.next().filter(|module| is_module_name(module)) else { return };
        let rest: Vec<&str> = parts.collect();
        if !rest.iter().all(|part| is_module_name(part)) {
            return;
        }
        for count in (0..=rest.len()).rev() {
            if self.types.contains_key(name) || self.classes.contains_key(name) {
                return;
            }
            let file = if count == 0 { "init".to_owned() } else { rest.get(..count).unwrap_or_default().join("/") };
            let file = PathBuf::from("manifests").join(file).with_extension("pp");
            for directory in modules.directories(module) {
                self.read(&directory.join(&file), modules);
            }
        }
    }

    /// Adds the definitions of the file in which Puppet looks for a function, or for the alias of a data type: `types/b/c.pp` of the module
    /// `a` for `a::b::c`.
    #[cfg(feature = "compile")]
    pub(super) fn search_in(&mut self, directory: &str, name: &str, modules: &Modules<'_>) {
        let Some((module, rest)) = name.split_once("::") else { return };
        if is_module_name(module) && rest.split("::").all(is_module_name) {
            let file = PathBuf::from(directory).join(rest.replace("::", "/")).with_extension("pp");
            for directory in modules.directories(module) {
                self.read(&directory.join(&file), modules);
            }
        }
    }

    /// Adds the definitions of a file of a module, once.
    fn read(&mut self, path: &Path, modules: &Modules<'_>) {
        let types = modules.types();
        if !self.searched.insert(path.to_owned()) || !types.files().exists(path) {
            return;
        }
        let path = path.to_string_lossy();
        // Syntax errors are reported when the module itself is checked.
        let Ok(source) = types.files().read(&path, false).and_then(|text| types.keep(&path, text)) else { return };
        self.add(&parse(&source, Form::Manifest));
    }

    /// Returns `true` if a class has the name.
    pub(super) fn has_class(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// Returns the names of all classes.
    pub(super) fn class_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.classes.keys().map(EcoString::as_str)
    }

    /// Returns the names of all defined types.
    pub(super) fn type_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.types.keys().map(EcoString::as_str)
    }

    /// Returns `true` if top scope or a node block of a checked file assigns the variable.
    pub(super) fn is_global(&self, variable: &str) -> bool {
        self.globals.contains(variable)
    }

    /// Returns whether a class has a variable, or inherits it.
    pub(super) fn membership(&mut self, class: &str, variable: &str, modules: &Modules<'_>) -> Membership {
        let mut name = EcoString::from(class);
        // Cycles of inheritance end, too.
        for _ in 0..32 {
            self.search(&name, modules);
            let Some(signature) = self.classes.get(&name) else { return Membership::Unknown };
            if signature.variables.contains(variable) || signature.parameters.iter().any(|p| p.name == variable) {
                return Membership::Member;
            }
            match &signature.parent {
                Some(parent) => name = parent.clone(),
                None => return Membership::Missing,
            }
        }
        Membership::Unknown
    }

    /// Returns the parameters and variables of a class, for suggestions.
    pub(super) fn members(&self, class: &str) -> Vec<&str> {
        let Some(signature) = self.classes.get(class) else { return Vec::new() };
        signature.variables.iter().chain(signature.parameters.iter().map(|p| &p.name)).map(EcoString::as_str).collect()
    }

    /// Returns `true` if a defined type has the name.
    pub fn has(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// Returns the names of the parameters of a defined type.
    pub(super) fn parameters(&self, name: &str) -> impl Iterator<Item = &EcoString> {
        self.types.get(name).into_iter().flat_map(|signature| signature.parameters.iter().map(|p| &p.name))
    }

    /// Returns a parameter of a class or defined type.
    #[cfg(feature = "compile")]
    pub(super) fn parameter(&self, is_class: bool, name: &str, parameter: &str) -> Option<&KnownParameter> {
        let known = if is_class { &self.classes } else { &self.types };
        known.get(name)?.parameters.iter().find(|known| known.name == parameter)
    }

    /// Returns the names of the parameters of a class, and their place.
    #[cfg(feature = "compile")]
    pub(super) fn class_parameters(&self, name: &str) -> Option<ClassParameters> {
        let signature = self.classes.get(name)?;
        let names = |is_named: &dyn Fn(&KnownParameter) -> bool| {
            signature.parameters.iter().filter(|p| is_named(p)).map(|p| p.name.clone()).collect()
        };
        Some(ClassParameters { span: signature.span, names: names(&|_| true), required: names(&|p| p.is_required) })
    }

    /// Adds the module in a directory with data, and returns the name of the module; `None` for the data of an environment.
    #[cfg(feature = "compile")]
    pub(super) fn add_module_of_data(&mut self, root: &Path, types: &TypeSet) -> Option<EcoString> {
        add_module_of_data(&mut self.modules, root, types)
    }

    /// Compares a declaration of a class or defined type with its parameters. Nothing is concluded about definitions of other files.
    pub(super) fn check(&self, declared: &Declared) -> Vec<Diagnostic> {
        let is_class = declared.type_name == "class";
        let name = if is_class { declared.title.strip_prefix("::").unwrap_or(&declared.title) } else { declared.type_name.as_str() };
        let known = if is_class { &self.classes } else { &self.types };
        let Some(signature) = known.get(name).filter(|_| !(is_class && declared.is_title_computed)) else { return Vec::new() };
        let unknown = |(given, value): (&EcoString, &DeclaredValue)| self.unknown_parameter(is_class, name, given, value.name_span);
        let mut found: Vec<Diagnostic> = declared.attributes.iter().filter_map(unknown).collect();
        // Data may give the parameters of classes.
        let missing = signature.parameters.iter().filter(|p| p.is_required && !declared.attributes.contains_key(&p.name));
        for KnownParameter { name: parameter, .. } in missing.filter(|_| !is_class) {
            let message = format!("the parameter `{parameter}` of the defined type `{name}` is missing");
            let absent = Diagnostic::new(Code::RequiredMissing, declared.title_span, message);
            found.push(absent.also(signature.span, "its parameters").help(format!("add `{parameter} => …`")));
        }
        found
    }

    /// Reports an attribute that is neither a parameter of a class or defined type nor a metaparameter.
    pub(super) fn unknown_parameter(&self, is_class: bool, name: &str, given: &str, at: Span) -> Option<Diagnostic> {
        let (known, what) = if is_class { (&self.classes, "class") } else { (&self.types, "defined type") };
        let signature = known.get(name)?;
        let names = || signature.parameters.iter().map(|p| p.name.as_str());
        if names().any(|name| name == given) || METAPARAMETERS.contains(&given) || given == "name" {
            return None;
        }
        let unknown = Diagnostic::new(Code::UnknownResourceAttribute, at, format!("the {what} `{name}` has no parameter `{given}`"));
        Some(unknown.also(signature.span, "its parameters").maybe_help(did_you_mean(given, names())))
    }
}

/// Returns a qualified name without leading colons.
pub(super) fn plain_name(name: &str) -> EcoString {
    EcoString::from(name.strip_prefix("::").unwrap_or(name))
}

impl Signature {
    fn of(definition: &Definition) -> Signature {
        let parameter = |parameter: &Parameter| KnownParameter {
            name: parameter.name.text.clone(),
            is_required: parameter.default.is_none(),
            #[cfg(feature = "compile")]
            kind: parameter.kind.clone(),
        };
        let parameters = definition.parameters.iter().map(parameter).collect();
        let variables = assignments(definition.body.as_deref().unwrap_or_default()).map(|(name, _)| name).collect();
        let parent = definition.parent.as_ref().map(|parent| plain_name(&parent.text));
        Signature { span: definition.name.span, parameters, variables, parent }
    }
}
