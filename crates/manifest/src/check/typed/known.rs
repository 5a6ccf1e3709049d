//! The data types that manifests write: of parameters, and of aliases.

use crate::check::definition::{KnownDefinitions, plain_name};
use crate::check::modules::Modules;
use crate::compile::types::{NamedType, Type};
use crate::syntax::tree::{DefinitionKind, Expression, ExpressionKind, Parameter, TypeAlias};
use ecow::EcoString;
use rtype_lang::source::Span;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// The nesting up to which aliases that lead to other aliases are followed.
const MAX_ALIASES: usize = 32;

/// The data types that are known so far.
#[derive(Default)]
pub(in crate::check) struct KnownTypes {
    /// The right sides of aliases, by the name in lower case.
    aliases: HashMap<EcoString, (EcoString, Expression)>,
    /// The types of aliases, by the name in lower case; `None` if a part of an alias is not known.
    named: HashMap<EcoString, Option<Type>>,
    /// The parameters of functions in Puppet's language.
    functions: HashMap<EcoString, Arc<Vec<Parameter>>>,
    /// The types of expressions.
    written: HashMap<Span, Option<Type>>,
    /// The parameters of templates; `None` for templates without a list of parameters.
    pub(super) templates: HashMap<PathBuf, Option<Arc<Vec<Parameter>>>>,
    /// The functions of modules without a namespace, when one was looked for.
    pub(super) plain_functions: Option<HashSet<EcoString>>,
    /// How many aliases are followed at the moment.
    depth: usize,
}

impl KnownTypes {
    /// Adds an alias, or a function in Puppet's language.
    pub fn add(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::TypeAlias(alias) => self.add_alias(alias),
            ExpressionKind::Definition(definition) if definition.kind == DefinitionKind::Function => {
                let parameters = || Arc::new(definition.parameters.clone());
                self.functions.entry(definition.name.text.clone()).or_insert_with(parameters);
            }
            _ => {}
        }
    }

    fn add_alias(&mut self, alias: &TypeAlias) {
        if let ExpressionKind::TypeName(name) = &alias.name.kind
            && !alias.is_definition
        {
            let known = || (name.clone(), alias.target.clone());
            self.aliases.entry(plain_name(&name.to_lowercase())).or_insert_with(known);
        }
    }
}

impl KnownDefinitions {
    /// Returns the parameters of a function in Puppet's language.
    pub(super) fn function(&self, name: &str) -> Option<Arc<Vec<Parameter>>> {
        self.typed.functions.get(name).cloned()
    }

    /// Returns a type as it is written; `None` if a part of it is not known: an alias of a module that was not read, or a resource type.
    pub(in crate::check) fn type_of(&mut self, kind: &Expression, modules: &Modules<'_>) -> Option<Type> {
        if let Some(known) = self.typed.written.get(&kind.span) {
            return known.clone();
        }
        let found = Type::of_expression(kind, &mut |name| self.type_named(name, modules)).ok().flatten();
        self.typed.written.insert(kind.span, found.clone());
        found
    }

    fn type_named(&mut self, name: &str, modules: &Modules<'_>) -> Option<Type> {
        let simple = name.strip_prefix("::").unwrap_or(name);
        Type::named(simple).or_else(|| self.alias(&EcoString::from(simple.to_lowercase()), modules))
    }

    /// Returns the type of an alias. An alias that leads to itself is the type whose target is not set yet.
    fn alias(&mut self, lower: &EcoString, modules: &Modules<'_>) -> Option<Type> {
        if let Some(known) = self.typed.named.get(lower) {
            return known.clone();
        }
        if self.typed.depth >= MAX_ALIASES {
            return None;
        }
        if !self.typed.aliases.contains_key(lower) {
            self.search_in("types", lower, modules);
        }
        let Some((name, target)) = self.typed.aliases.get(lower).cloned() else {
            self.typed.named.insert(lower.clone(), None);
            return None;
        };
        let alias = Arc::new(NamedType { name, target: OnceLock::new() });
        self.typed.named.insert(lower.clone(), Some(Type::Alias(alias.clone())));
        self.typed.depth += 1;
        let found = Type::of_expression(&target, &mut |name| self.type_named(name, modules)).ok().flatten();
        self.typed.depth -= 1;
        let is_known = found.is_some();
        // Other aliases of a cycle may have this one as a part: as any value, it leads to no finding.
        let _ = alias.target.set(found.map_or(Type::Any, |found| found.normalized_alias()));
        let of = Type::Alias(alias);
        let of = (is_known && !of.is_empty_alias()).then_some(of);
        self.typed.named.insert(lower.clone(), of.clone());
        of
    }
}
