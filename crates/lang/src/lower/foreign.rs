//! Providers whose parent belongs to another type: `parent: "TYPE/NAME"`.

use super::directives::option;
use super::names::Names;
use super::{NameKind, ParentTypes, Sink};
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::source::Span;
use crate::syntax::ast::{Ast, Declaration, ExprKind, Item};
use crate::types::{ProviderDef, TypeDef};
use crate::value::{EcoString, Symbol};
use indexmap::IndexMap;
use std::collections::HashSet;
use std::sync::Arc;

/// Returns the type of a provider's parent if `parent:` names a type.
fn parent_type(provider: &Declaration) -> Option<(Symbol, Span)> {
    let parent = option(&provider.options, "parent")?;
    let ExprKind::Str(text) = &parent.kind else { return None };
    let text = text.plain()?;
    let (type_name, _) = text.split_once('/')?;
    Some((Symbol::from(type_name), parent.span))
}

/// Returns the types outside a file with providers that are parents. These types must be loaded before the file is lowered.
pub fn foreign_parents<'a>(files: impl IntoIterator<Item = &'a Ast>) -> Vec<(String, Span)> {
    let mut found: Vec<(String, Span)> = Vec::new();
    let mut here: HashSet<&str> = HashSet::new();
    for item in files.into_iter().flat_map(|f| &f.items) {
        match item {
            Item::Type(t) => {
                here.insert(t.name.name.as_str());
            }
            Item::Provider(p) => found.extend(parent_type(p).map(|(name, span)| (name.to_string(), span))),
            _ => {}
        }
    }
    found.retain(|(name, _)| !here.contains(name.as_str()));
    found
}

/// Returns the types in a file in an order in which parents precede the types that depend on them.
pub(super) fn in_order<'a>(file: &'a Ast, names: &Names<'a>) -> Vec<&'a Declaration> {
    let types = file.items.iter().filter_map(|i| if let Item::Type(t) = i { Some(t) } else { None });
    let needs = |t: &Declaration| -> Vec<Symbol> {
        let parents = names.providers_of(&t.name.name).filter_map(parent_type).map(|(name, _)| name);
        parents.filter(|name| name.as_str() != t.name.name).collect()
    };
    let mut waiting: Vec<(&Declaration, Vec<Symbol>)> = types.map(|t| (t, needs(t))).collect();
    let mut ordered = Vec::with_capacity(waiting.len());
    // Every pass appends the types without waiting parents, so a file without such parents takes one pass.
    while !waiting.is_empty() {
        let mut names: HashSet<EcoString> = waiting.iter().map(|(t, _)| t.name.name.clone()).collect();
        let before = ordered.len();
        waiting.retain(|(t, needs)| {
            let is_ready = !needs.iter().any(|name| names.contains(name.as_str()));
            if is_ready {
                names.remove(&t.name.name);
                ordered.push(*t);
            }
            !is_ready
        });
        // Types that depend on each other in a cycle are reported where a parent is missing.
        if ordered.len() == before {
            ordered.push(waiting.remove(0).0);
        }
    }
    ordered
}

/// Returns the types of these providers' parents, and reports unavailable types.
pub(super) fn types_of(providers: &[&Declaration], own: &str, foreign: &ParentTypes, sink: &Sink) -> IndexMap<Symbol, Arc<TypeDef>> {
    let mut found = IndexMap::new();
    for (name, span) in providers.iter().filter_map(|p| parent_type(p)) {
        match foreign.get(name.as_str()) {
            _ if name.as_str() == own => sink.report(
                Diagnostic::new(Code::UnknownProvider, span, format!("`{name}` is the type itself"))
                    .help("a provider of the same type is named alone: `parent: NAME`"),
            ),
            Some(Ok(type_def)) => drop(found.insert(name, Arc::clone(type_def))),
            Some(Err(why)) => sink.report(why.clone()),
            None => sink.report(
                Diagnostic::new(Code::UnknownProvider, span, format!("the type `{name}` cannot be built upon here"))
                    .help("it has errors, or it builds upon this type itself"),
            ),
        }
    }
    found
}

/// Checks that the providers' parents exist.
pub(super) fn check_parents(type_def: &TypeDef, declared: &[&Declaration], sink: &Sink) {
    for source in declared.iter().filter_map(|d| option(&d.options, "source")) {
        if let ExprKind::Word(name) = &source.kind
            && let Some(provider) = type_def.providers.get(name.as_str())
        {
            sink.refer(NameKind::Provider, source.span, provider.span);
        }
    }
    for provider in type_def.providers.values() {
        let Some((parent, span)) = &provider.parent else { continue };
        let (of, name) = match parent.split_once('/') {
            // A missing type has been reported.
            Some((type_name, name)) => match type_def.foreign.get(type_name) {
                Some(of) => (&**of, name),
                None => continue,
            },
            None => (type_def, parent.as_str()),
        };
        if let Some(parent) = of.providers.get(name) {
            sink.refer(NameKind::Provider, *span, parent.span);
            continue;
        }
        if name == "base" && std::ptr::eq(of, type_def) {
            continue;
        }
        let d = Diagnostic::new(Code::UnknownProvider, *span, format!("the type `{}` has no provider `{name}`", of.name));
        let is_self = |p: &&ProviderDef| std::ptr::eq(*p, provider);
        let known = of.providers.values().filter(|p| !is_self(p)).map(|p| p.name.as_str()).chain(["base"]);
        sink.report(d.maybe_help(did_you_mean(name, known.collect::<Vec<_>>())));
    }
}
