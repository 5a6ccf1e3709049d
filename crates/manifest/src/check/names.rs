//! Classes, types and files that a manifest names.

use super::definition::{KnownDefinitions, plain_name};
use super::modules::{Modules, is_module_name};
use crate::syntax::tree::{AttributeOperation, Definition, DefinitionKind, Expression, ExpressionKind, ResourceExpression};
use ecow::EcoString;
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::source::Span;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Finds names of classes and files that do not exist in modules that do.
pub(super) struct Names<'w> {
    pub definitions: &'w mut KnownDefinitions,
    pub modules: &'w Modules<'w>,
    pub found: Vec<Diagnostic>,
    /// The modules that were reported as undeclared dependencies.
    pub undeclared: HashSet<EcoString>,
}

impl Names<'_> {
    /// Checks a call, resource, class or reference; expressions inside it are checked by themselves.
    pub fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call(call) => {
                let ExpressionKind::Name(function) = &call.function.kind else { return };
                match function.as_str() {
                    "include" | "contain" | "require" => self.classes(&call.arguments),
                    "template" | "epp" | "file" => self.file_of(function, call.arguments.first()),
                    _ => {}
                }
            }
            ExpressionKind::Resource(resource) => self.resource(resource),
            ExpressionKind::Definition(definition) => self.parent(definition),
            ExpressionKind::TypeName(name) if name.contains("::") => self.dependency(&name.to_lowercase(), expression.span),
            ExpressionKind::Access(access) => {
                if matches!(&access.target.kind, ExpressionKind::TypeName(name) if name.trim_start_matches("::") == "Class") {
                    self.classes(&access.keys);
                }
            }
            _ => {}
        }
    }

    fn resource(&mut self, resource: &ResourceExpression) {
        let ExpressionKind::Name(name) = &resource.kind.kind else { return };
        self.defined_type(&plain_name(name), resource.kind.span);
        if name == "class" {
            resource.bodies.iter().for_each(|body| self.classes(std::slice::from_ref(&body.title)));
        }
        for body in &resource.bodies {
            body.attributes.iter().for_each(|attribute| self.source(attribute));
        }
    }

    fn parent(&mut self, definition: &Definition) {
        if definition.kind == DefinitionKind::Class
            && let Some(parent) = &definition.parent
        {
            self.class(&parent.text, parent.span);
        }
    }

    fn classes(&mut self, names: &[Expression]) {
        for name in names {
            match &name.kind {
                ExpressionKind::Text(text) | ExpressionKind::Name(text) => self.class(text, name.span),
                ExpressionKind::Array(names) => self.classes(names),
                _ => {}
            }
        }
    }

    /// Reports a defined type that its module does not have.
    fn defined_type(&mut self, name: &EcoString, span: Span) {
        let Some((module, rest)) = name.split_once("::") else { return };
        self.dependency(name, span);
        self.definitions.search(name, self.modules);
        if self.definitions.has(name) || !self.has_manifests(module) {
            return;
        }
        let file = rest.replace("::", "/");
        let found = Diagnostic::new(Code::UnknownClass, span, format!("the module `{module}` has no defined type `{name}`"));
        self.found.push(match did_you_mean(name, self.definitions.type_names()) {
            Some(help) => found.help(help),
            None => found.help(format!("Puppet looks for it in `manifests/{file}.pp` of the module")),
        });
    }

    /// Reports the first use of a module that the metadata of the checked module does not name.
    fn dependency(&mut self, name: &str, span: Span) {
        let module = name.trim_start_matches("::").split("::").next().unwrap_or_default();
        if is_module_name(module) && !self.modules.is_dependency(module) && self.undeclared.insert(EcoString::from(module)) {
            let message = format!("the module `{module}` is used, and `metadata.json` does not name it as a dependency");
            let found = Diagnostic::new(Code::UndeclaredDependency, span, message);
            self.found.push(found.help("add it to the `dependencies` in `metadata.json`"));
        }
    }

    /// Reports a class that its module does not have. Nothing is concluded about modules that are not on the module path.
    fn class(&mut self, name: &str, span: Span) {
        let name = plain_name(&name.to_lowercase());
        let module = name.split("::").next().unwrap_or_default();
        self.dependency(module, span);
        self.definitions.search(&name, self.modules);
        if self.definitions.has_class(&name) || self.definitions.has(&name) || !self.has_manifests(module) || name == "main" {
            return;
        }
        let help = did_you_mean(&name, self.definitions.class_names());
        let file = name.split("::").skip(1).collect::<Vec<_>>().join("/");
        let file = if file.is_empty() { "init".to_owned() } else { file };
        let found = Diagnostic::new(Code::UnknownClass, span, format!("the module `{module}` has no class `{name}`"));
        self.found.push(match help {
            Some(help) => found.help(help),
            None => found.help(format!("Puppet looks for it in `manifests/{file}.pp` of the module")),
        });
    }

    fn has_manifests(&self, module: &str) -> bool {
        is_module_name(module) && self.modules.has_file(module, Path::new("manifests"))
    }

    /// Checks the file that a function reads: `template('MODULE/PATH')`.
    fn file_of(&mut self, function: &str, argument: Option<&Expression>) {
        let Some(Expression { kind: ExpressionKind::Text(text), span }) = argument else { return };
        let directory = if function == "file" { "files" } else { "templates" };
        if let Some((module, path)) = text.split_once('/').filter(|_| !text.starts_with('/')) {
            self.module_file(module, directory, path, *span);
        }
    }

    /// Checks the source of a file: `puppet:///modules/MODULE/PATH`.
    fn source(&mut self, attribute: &AttributeOperation) {
        if attribute.name.as_ref().is_none_or(|name| name.text != "source") {
            return;
        }
        // With several sources, Puppet takes the first that exists.
        let ExpressionKind::Text(text) = &attribute.value.kind else { return };
        if let Some((module, path)) = text.strip_prefix("puppet:///modules/").and_then(|rest| rest.split_once('/')) {
            self.module_file(module, "files", path, attribute.value.span);
        }
    }

    fn module_file(&mut self, module: &str, directory: &str, path: &str, span: Span) {
        let relative = Path::new(path);
        let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_module_name(module) || !is_inside || !self.modules.has(module) {
            return;
        }
        let file = PathBuf::from(directory).join(relative);
        if !self.modules.has_file(module, &file) {
            let found = Diagnostic::new(Code::MissingModuleFile, span, format!("the module `{module}` has no file `{}`", file.display()));
            self.found.push(found.maybe_help(self.nearest(module, &file)));
        }
    }

    fn nearest(&self, module: &str, file: &Path) -> Option<rtype_lang::diagnostics::Help> {
        let parent = file.parent()?;
        let wanted = file.file_name()?.to_str()?;
        let files = self.modules.types().files();
        let entries: Vec<PathBuf> =
            self.modules.directories(module).iter().flat_map(|directory| files.entries(&directory.join(parent))).collect();
        let names: Vec<&str> = entries.iter().filter_map(|path| path.file_name().and_then(|name| name.to_str())).collect();
        did_you_mean(wanted, names)
    }
}

/// Reports classes that statements which run together include before they declare them with parameters.
pub(super) fn declared_after_include(body: &[Expression]) -> Vec<Diagnostic> {
    let mut included: HashMap<EcoString, Span> = HashMap::new();
    let mut found = Vec::new();
    for statement in body {
        match &statement.kind {
            ExpressionKind::Call(call) => {
                if matches!(&call.function.kind, ExpressionKind::Name(name) if matches!(name.as_str(), "include" | "contain" | "require")) {
                    for argument in &call.arguments {
                        if let ExpressionKind::Text(name) | ExpressionKind::Name(name) = &argument.kind {
                            included.entry(plain_name(name)).or_insert(argument.span);
                        }
                    }
                }
            }
            ExpressionKind::Resource(resource) if matches!(&resource.kind.kind, ExpressionKind::Name(name) if name == "class") => {
                for title in resource.bodies.iter().map(|body| &body.title) {
                    if let ExpressionKind::Text(name) | ExpressionKind::Name(name) = &title.kind
                        && let Some(first) = included.get(&plain_name(name))
                    {
                        let message = format!("the class `{name}` is declared after it was included");
                        let twice = Diagnostic::new(Code::DuplicateResource, title.span, message);
                        found.push(twice.also(*first, "included here").help("declare the class before the first `include`"));
                    }
                }
            }
            _ => {}
        }
    }
    found
}
