//! The classes and defined types of the checked files.

use crate::syntax::tree::{Definition, DefinitionKind, ExpressionKind};
use crate::syntax::{Form, Parsed, parse, visit};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::types::METAPARAMETERS;
use rtype_model::manifest::Declared;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Classes and defined types by name.
#[derive(Default)]
pub struct KnownDefinitions {
    classes: HashMap<EcoString, Signature>,
    types: HashMap<EcoString, Signature>,
    /// The files of modules that were looked for.
    searched: HashSet<PathBuf>,
}

/// The parameters of a class or a defined type.
struct Signature {
    span: Span,
    /// The names, and whether a value must be given.
    parameters: Vec<(EcoString, bool)>,
}

impl KnownDefinitions {
    /// Adds the classes and defined types of a manifest.
    pub fn add(&mut self, parsed: &Parsed) {
        let mut open: Vec<_> = parsed.tree.statements.iter().collect();
        while let Some(expression) = open.pop() {
            if let ExpressionKind::Definition(definition) = &expression.kind {
                let all = match definition.kind {
                    DefinitionKind::Class => &mut self.classes,
                    DefinitionKind::Define => &mut self.types,
                    DefinitionKind::Function => continue,
                };
                all.entry(definition.name.text.clone()).or_insert_with(|| Signature::of(definition));
            }
            visit::children(expression, &mut |child| open.push(child));
        }
    }

    /// Adds the definitions of the file in which Puppet looks for a class or defined type: `manifests/b/c.pp` of the module `a` for `a::b::c`,
    /// `manifests/init.pp` for `a`.
    pub(super) fn search(&mut self, name: &str, types: &TypeSet) {
        if self.types.contains_key(name) || self.classes.contains_key(name) {
            return;
        }
        let (module, rest) = name.split_once("::").unwrap_or((name, "init"));
        let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name(module) || !rest.split("::").all(is_name) {
            return;
        }
        let file = PathBuf::from(module).join("manifests").join(rest.replace("::", "/")).with_extension("pp");
        for directory in types.loader().module_directories() {
            let path = directory.join(&file);
            if !self.searched.insert(path.clone()) || !types.files().exists(&path) {
                continue;
            }
            let path = path.to_string_lossy();
            // Problems of the module are those of its own check.
            let Ok(source) = types.files().read(&path, false).and_then(|text| types.keep(&path, text)) else { continue };
            self.add(&parse(&source, Form::Manifest));
            return;
        }
    }

    /// Returns `true` if a defined type has the name.
    pub fn has(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// Returns the names of the parameters of a defined type.
    pub(super) fn parameters(&self, name: &str) -> impl Iterator<Item = &EcoString> {
        self.types.get(name).into_iter().flat_map(|signature| signature.parameters.iter().map(|(name, _)| name))
    }

    /// Compares a declaration of a class or defined type with its parameters. Nothing is concluded about definitions of other files.
    pub(super) fn check(&self, declared: &Declared) -> Vec<Diagnostic> {
        let is_class = declared.type_name == "class";
        let name = if is_class { declared.title.strip_prefix("::").unwrap_or(&declared.title) } else { declared.type_name.as_str() };
        let known = if is_class { &self.classes } else { &self.types };
        let Some(signature) = known.get(name).filter(|_| !(is_class && declared.is_title_computed)) else { return Vec::new() };
        let what = if is_class { "class" } else { "defined type" };
        let mut found = Vec::new();
        let names = || signature.parameters.iter().map(|(name, _)| name.as_str());
        for (given, value) in &declared.attributes {
            if !names().any(|name| name == given) && !METAPARAMETERS.contains(&given.as_str()) && given != "name" {
                let message = format!("the {what} `{name}` has no parameter `{given}`");
                let unknown = Diagnostic::new(Code::UnknownResourceAttribute, value.name_span, message);
                found.push(unknown.also(signature.span, "its parameters").maybe_help(did_you_mean(given, names())));
            }
        }
        // Data may give the parameters of classes.
        let missing = signature.parameters.iter().filter(|(name, is_required)| *is_required && !declared.attributes.contains_key(name));
        for (parameter, _) in missing.filter(|_| !is_class) {
            let message = format!("the parameter `{parameter}` of the defined type `{name}` is missing");
            let absent = Diagnostic::new(Code::RequiredMissing, declared.title_span, message);
            found.push(absent.also(signature.span, "its parameters").help(format!("add `{parameter} => …`")));
        }
        found
    }
}

impl Signature {
    fn of(definition: &Definition) -> Signature {
        let parameters = definition.parameters.iter().map(|p| (p.name.text.clone(), p.default.is_none())).collect();
        Signature { span: definition.name.span, parameters }
    }
}
