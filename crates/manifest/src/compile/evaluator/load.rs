//! Loads definitions: of the main manifest, and of files that the names of classes, functions and types lead to.

use super::definitions::{ClassDefinition, FunctionDefinition, KnownNode};
use super::{ManifestEvaluator, labels};
use crate::compile::catalog::is_metaparameter;
use crate::compile::environment::Strictness;
use crate::compile::failure::{EvaluationFailure, ReportedPosition};
use crate::compile::types::{NamedType, Type};
use crate::compile::value::ManifestValue;
use crate::syntax::DUPLICATE_KEY;
use crate::syntax::tree::{Definition, DefinitionKind, Expression, ExpressionKind, NodeDefinition, TypeAlias};
use crate::syntax::{Form, Parsed, parse};
use ecow::EcoString;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::Span;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Returns the name without leading colons, in lower case.
pub fn plain_name(name: &str) -> EcoString {
    name.strip_prefix("::").unwrap_or(name).to_lowercase().into()
}

impl ManifestEvaluator {
    /// Parses a source that was added to the sources of the evaluation.
    ///
    /// # Errors
    /// Returns the first syntax error.
    pub(crate) fn parse(&mut self, name: &str, text: String, form: Form) -> Result<Parsed, EvaluationFailure> {
        let source = self.sources.add(name, text).map_err(|_| EvaluationFailure::limit("the source is too long"))?;
        let parsed = parse(&source, form);
        let strict = self.environment.strict;
        let is_lenient = |d: &Diagnostic| d.message == DUPLICATE_KEY && strict == Strictness::Off;
        let is_error = |d: &Diagnostic| d.is_error() || (d.message == DUPLICATE_KEY && strict == Strictness::Error);
        match parsed.diagnostics.iter().find(|d| is_error(d)) {
            Some(error) => {
                Err(EvaluationFailure::plain(Some(error.span()), error.message.clone()).position(ReportedPosition::Column).syntax())
            }
            None => {
                for warning in parsed.diagnostics.iter().filter(|d| !is_lenient(d)) {
                    let text = warning.message.clone().into();
                    let level = crate::compile::logs::Level::Warning;
                    self.logs.messages.push(crate::compile::logs::LogMessage { level, text, span: Some(warning.span()), is_syntax: true });
                }
                Ok(parsed)
            }
        }
    }

    /// Registers the definitions of a parsed source.
    ///
    /// # Errors
    /// Returns an error for definitions that exist already, and for unknown types of parameters.
    pub(crate) fn define(&mut self, parsed: &Parsed, module: &EcoString) -> Result<(), EvaluationFailure> {
        let mut found = Vec::new();
        collect(&parsed.tree.statements, &mut found);
        for expression in &found {
            match &expression.kind {
                ExpressionKind::Definition(definition) if definition.kind == DefinitionKind::Function => {
                    self.define_function(definition, module)?;
                }
                ExpressionKind::TypeAlias(alias) => self.define_alias(alias)?,
                _ => {}
            }
        }
        for expression in &found {
            match &expression.kind {
                ExpressionKind::TypeAlias(alias) => self.resolve_alias(alias)?,
                ExpressionKind::Definition(definition) if definition.kind != DefinitionKind::Function => {
                    self.define_class(definition, expression.span, module)?;
                }
                ExpressionKind::Node(node) => self.define_node(node, expression.span, module)?,
                _ => {}
            }
        }
        self.find_empty_aliases(&found);
        Ok(())
    }

    /// Finds the aliases that refer to nothing but each other.
    fn find_empty_aliases(&mut self, found: &[&Expression]) {
        for expression in found {
            let ExpressionKind::TypeAlias(alias) = &expression.kind else { continue };
            let ExpressionKind::TypeName(name) = &alias.name.kind else { continue };
            let lower = name.to_lowercase();
            if self.definitions.aliases.get(&lower).is_some_and(Type::is_empty_alias) {
                self.definitions.alias_errors.insert(lower, format!("Type alias '{name}' cannot be resolved to a real type"));
            }
        }
    }

    fn define_function(&mut self, definition: &Definition, module: &EcoString) -> Result<(), EvaluationFailure> {
        let name = plain_name(&definition.name.text);
        let known = FunctionDefinition { definition: Arc::new(definition.clone()), module: module.clone() };
        if self.definitions.functions.insert(name.clone(), Arc::new(known)).is_some() {
            return Err(EvaluationFailure::plain(
                None,
                format!("Attempt to redefine entity 'http://puppet.com/2016.1/runtime/function/{name}'."),
            ));
        }
        Ok(())
    }

    fn define_alias(&mut self, alias: &TypeAlias) -> Result<(), EvaluationFailure> {
        let ExpressionKind::TypeName(name) = &alias.name.kind else {
            return Err(EvaluationFailure::unsupported("a mapping of types"));
        };
        let known = NamedType { name: name.clone(), target: OnceLock::new() };
        self.definitions.aliases.insert(name.to_lowercase(), Type::Alias(Arc::new(known)));
        Ok(())
    }

    fn resolve_alias(&mut self, alias: &TypeAlias) -> Result<(), EvaluationFailure> {
        let ExpressionKind::TypeName(name) = &alias.name.kind else { return Ok(()) };
        let Some(Type::Alias(known)) = self.definitions.aliases.get(name.to_lowercase().as_str()).cloned() else { return Ok(()) };
        let top = self.top.clone();
        let target = match (&alias.target.kind, self.alias_target(&alias.target, &top)?) {
            (_, ManifestValue::Type(of)) => (*of).clone(),
            (_, init @ ManifestValue::Hash(_)) => {
                Type::Object(Some(Arc::new(crate::compile::types::object(name, &init).map_err(EvaluationFailure::from)?)))
            }
            _ => return Err(EvaluationFailure::unsupported("a type alias of a value that is not a type")),
        };
        let target = match target {
            Type::Object(Some(object)) if object.name.is_empty() => {
                let named = crate::compile::types::ObjectType { name: name.clone(), ..(*object).clone() };
                let of = Type::Object(Some(Arc::new(named)));
                self.definitions.aliases.insert(name.to_lowercase(), of.clone());
                of
            }
            other => other.normalized_alias(),
        };
        let _ = known.target.set(target);
        Ok(())
    }

    /// Evaluates the right side of an alias; unknown types are references, which accept nothing.
    fn alias_target(
        &mut self,
        target: &Expression,
        top: &Arc<crate::compile::scope::VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        match &target.kind {
            ExpressionKind::TypeName(name) => {
                Ok(ManifestValue::of_type(self.resolve_type(name)?.unwrap_or_else(|| Type::Reference(name.clone()))))
            }
            ExpressionKind::Access(access) => {
                let ManifestValue::Type(of) = self.alias_target(&access.target, top)? else { return self.eval(target, top) };
                if matches!(*of, Type::Reference(_)) {
                    return Ok(ManifestValue::Type(of));
                }
                let keys: Vec<ManifestValue> = access.keys.iter().map(|key| self.alias_target(key, top)).collect::<Result<_, _>>()?;
                of.specialize(&keys).map_err(|mistake| EvaluationFailure::at(labels::anchor(target), mistake.text))
            }
            ExpressionKind::Hash(entries) => {
                let mut pairs = Vec::new();
                for entry in entries {
                    pairs.push((self.alias_target(&entry.key, top)?, self.alias_target(&entry.value, top)?));
                }
                Ok(ManifestValue::hash(pairs))
            }
            _ => self.eval(target, top),
        }
    }

    fn define_class(&mut self, definition: &Definition, span: Span, module: &EcoString) -> Result<(), EvaluationFailure> {
        let name = plain_name(&definition.name.text);
        let top = self.top.clone();
        let is_class = definition.kind == DefinitionKind::Class;
        let what = if is_class { "class" } else { "definition" };
        let other = if is_class { self.definitions.defines.get(&name) } else { self.definitions.classes.get(&name) };
        if let Some(other) = other {
            let at = self.location(Some(other.definition.name.span));
            let kind = if is_class { "definition" } else { "class" };
            let text = format!("'{name}' is already defined {at} as a {kind}; cannot redefine as a {what}");
            return Err(EvaluationFailure::plain(Some(span), text));
        }
        let mut types = Vec::new();
        for parameter in &definition.parameters {
            if is_metaparameter(&parameter.name.text) {
                self.warn_metaparameter(definition, parameter, &name, span)?;
            }
            types.push(match &parameter.kind {
                Some(kind) => match self.eval(kind, &top)? {
                    ManifestValue::Type(of) => Some((*of).clone()),
                    _ => return Err(EvaluationFailure::unsupported("a parameter without a type in front")),
                },
                None => None,
            });
        }
        if is_class {
            if let Some(known) = self.definitions.classes.get(&name) {
                let at = self.location(Some(known.definition.name.span));
                let text = format!("Class '{name}' is already defined {at}; cannot redefine");
                return Err(EvaluationFailure::plain(Some(span), text));
            }
        } else if let Some(known) = self.definitions.defines.get(&name) {
            let at = self.location(Some(known.definition.name.span));
            return Err(EvaluationFailure::plain(Some(span), format!("Definition '{name}' is already defined {at}; cannot redefine")));
        }
        let known = Arc::new(ClassDefinition { definition: Arc::new(definition.clone()), module: module.clone(), types });
        if is_class {
            self.definitions.classes.insert(name, known)
        } else {
            self.definitions.defines.insert(name, known)
        };
        Ok(())
    }

    fn warn_metaparameter(
        &mut self,
        _: &Definition,
        parameter: &crate::syntax::tree::Parameter,
        name: &str,
        span: Span,
    ) -> Result<(), EvaluationFailure> {
        let parameter_name = &parameter.name.text;
        if parameter.default.is_none() {
            let text = format!("{parameter_name} is a metaparameter; please choose another parameter name in the {name} definition");
            return Err(EvaluationFailure::plain(Some(span), text));
        }
        let text = format!("{parameter_name} is a metaparam; this value will inherit to all contained resources in the {name} definition");
        self.log_once(crate::compile::logs::Level::Warning, text);
        Ok(())
    }

    fn define_node(&mut self, node: &NodeDefinition, span: Span, module: &EcoString) -> Result<(), EvaluationFailure> {
        for host in &node.hosts {
            let Some(name) = super::class::node_name(host) else { continue };
            let known = self
                .definitions
                .nodes
                .iter()
                .flat_map(|n| n.definition.hosts.iter())
                .find(|h| super::class::node_name(h) == Some(name.clone()));
            if let Some(known) = known {
                let at = self.location(Some(known.span));
                return Err(EvaluationFailure::plain(Some(span), format!("Node '{name}' is already defined {at}; cannot redefine")));
            }
        }
        self.definitions.nodes.push(Arc::new(KnownNode { definition: Arc::new(node.clone()), module: module.clone() }));
        Ok(())
    }

    /// Loads a file of a module or of the environment, once.
    fn load_file(&mut self, path: &Path, module: &str) -> Result<(), EvaluationFailure> {
        if !self.definitions.files.insert(path.to_path_buf()) {
            return Ok(());
        }
        let bytes = self.environment.files.read(path)?;
        let text = String::from_utf8(bytes).map_err(|_| EvaluationFailure::unsupported(format!("`{}` is not UTF-8", path.display())))?;
        let parsed = self.parse(&path.display().to_string(), text, Form::Manifest)?;
        self.define(&parsed, &module.into())
    }

    /// Loads the files in which Puppet looks for a class or defined type.
    fn autoload(&mut self, name: &str, is_known: impl Fn(&ManifestEvaluator) -> bool) -> Result<(), EvaluationFailure> {
        let mut parts: Vec<&str> = name.split("::").collect();
        while let Some((module, rest)) = parts.split_first() {
            let relative = if rest.is_empty() { "manifests/init.pp".to_owned() } else { format!("manifests/{}.pp", rest.join("/")) };
            if let Some(path) = self.environment.files.module_path_of(module, &relative) {
                let module = (*module).to_owned();
                self.load_file(&path, &module)?;
                if is_known(self) {
                    return Ok(());
                }
            }
            parts.pop();
        }
        Ok(())
    }

    /// Returns a class, which is loaded from its module if needed.
    pub(crate) fn find_class(&mut self, name: &str) -> Result<Option<Arc<ClassDefinition>>, EvaluationFailure> {
        let name = plain_name(name);
        if !self.definitions.classes.contains_key(&name) && !name.is_empty() {
            self.autoload(&name, |evaluator| evaluator.definitions.classes.contains_key(&name))?;
        }
        Ok(self.definitions.classes.get(&name).cloned())
    }

    /// Returns a defined type, which is loaded from its module if needed.
    pub(crate) fn find_define(&mut self, name: &str) -> Result<Option<Arc<ClassDefinition>>, EvaluationFailure> {
        let name = plain_name(name);
        if !self.definitions.defines.contains_key(&name) && !name.is_empty() {
            self.autoload(&name, |evaluator| evaluator.definitions.defines.contains_key(&name))?;
        }
        Ok(self.definitions.defines.get(&name).cloned())
    }

    /// Returns `true` for resource types: native, or defined in Puppet's language.
    pub(crate) fn is_resource_type(&mut self, name: &str) -> Result<bool, EvaluationFailure> {
        if matches!(name, "class" | "node") {
            return Ok(true);
        }
        let is_native = !name.contains(':') && self.environment.types.find(name, &self.environment.files).is_some();
        Ok(is_native || self.find_define(name)?.is_some())
    }

    /// Returns the file of a function or type by its qualified name.
    fn named_file(&self, name: &str, directory: &str) -> Option<(std::path::PathBuf, String)> {
        let (module, rest) = name.split_once("::")?;
        let relative = format!("{directory}/{}.pp", rest.replace("::", "/"));
        if module == "environment" {
            return Some((self.environment.files.environment_file(&relative)?, String::new()));
        }
        Some((self.environment.files.module_path_of(module, &relative)?, module.to_owned()))
    }

    /// Returns a function in Puppet's language.
    pub(crate) fn find_function(&mut self, name: &str) -> Result<Option<Arc<FunctionDefinition>>, EvaluationFailure> {
        let name = EcoString::from(name.strip_prefix("::").unwrap_or(name));
        if !self.definitions.functions.contains_key(&name)
            && let Some((path, module)) = self.named_file(&name, "functions")
        {
            self.load_file(&path, &module)?;
        }
        Ok(self.definitions.functions.get(&name).cloned())
    }

    /// Returns an alias or named type.
    pub(crate) fn find_alias(&mut self, lower: &str) -> Result<Option<Type>, EvaluationFailure> {
        if !self.definitions.aliases.contains_key(lower)
            && let Some((path, module)) = self.named_file(lower, "types")
        {
            self.load_file(&path, &module)?;
            if !self.definitions.aliases.contains_key(lower) {
                return Err(EvaluationFailure::unsupported(format!("the file {} does not define the type", path.display())));
            }
        }
        if let Some(text) = self.definitions.alias_errors.get(lower) {
            return Err(EvaluationFailure::new(text.clone()));
        }
        Ok(self.definitions.aliases.get(lower).cloned())
    }
}

/// Collects definitions; a class comes before the classes inside it.
fn collect<'t>(statements: &'t [Expression], found: &mut Vec<&'t Expression>) {
    for statement in statements {
        match &statement.kind {
            ExpressionKind::Definition(definition) => {
                found.push(statement);
                if definition.kind == DefinitionKind::Class {
                    collect(definition.body.as_deref().unwrap_or_default(), found);
                }
            }
            ExpressionKind::Node(_) | ExpressionKind::TypeAlias(_) => found.push(statement),
            ExpressionKind::Block(statements) => collect(statements, found),
            _ => {}
        }
    }
}
