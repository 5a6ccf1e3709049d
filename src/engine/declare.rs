//! Declarations → catalog: types are loaded as they are met, identities must differ.

use crate::diagnostics::{Code, Diagnostic};
use crate::library::Library;
use crate::manifest::{Declarations, Declared};
use crate::resource::{Catalog, Context, Instance, build, complete};
use crate::source::Span;
use crate::value::{ResourceRef, Value};
use indexmap::IndexMap;
use std::collections::HashSet;
use std::sync::Arc;

/// What declaring gives.
#[derive(Debug, Default)]
pub struct Declaring {
    /// The resources that can be used.
    pub catalog: Catalog,
    /// Everything found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Builds all declared resources in `context`. Each sees the others as far as they are built before it; what needs all of
/// them is checked at the end.
pub fn declare(declarations: &Declarations, library: &mut Library, context: Context<'_>) -> Declaring {
    let mut result = declare_into(Catalog::default(), declarations, library, context);
    let known: HashSet<ResourceRef> = declarations
        .resources
        .iter()
        .map(Declared::reference)
        .chain(declarations.containers.iter().map(|c| c.declared.reference()))
        .collect();
    let catalog = &result.catalog;
    let context = Context { catalog, ..context };
    let found: Vec<Diagnostic> = catalog.iter().flat_map(|i| complete(i, catalog, &|r| known.contains(r), context)).collect();
    result.diagnostics.extend(found);
    result
}

/// The same beside the resources of `catalog`, without the checks at the end, since more may follow: one of the same type
/// and title takes the older one's place.
pub fn declare_into(catalog: Catalog, declarations: &Declarations, library: &mut Library, context: Context<'_>) -> Declaring {
    let mut identities: IndexMap<(String, Vec<Value>), (Span, ResourceRef)> = IndexMap::new();
    for known in catalog.iter().filter(|i| i.type_def.isomorphic) {
        identities.insert((known.type_def.name.to_string(), known.identity()), (known.span, known.reference()));
    }
    let mut result = Declaring { catalog, ..Declaring::default() };
    library.secrets.extend(&declarations.secrets);
    for declared in &declarations.resources {
        let Some(type_def) = library.load(declared.type_name.as_str()) else {
            if let Some(d) = unusable(declared, library) {
                result.diagnostics.push(d);
            }
            continue;
        };
        let built = build(&type_def, declared, Context { catalog: &result.catalog, ..context });
        result.diagnostics.extend(built.diagnostics);
        built.secrets.into_iter().for_each(|s| library.secrets.add(s));
        let Some(instance) = built.instance else { continue };
        if type_def.isomorphic {
            let key = (type_def.name.to_string(), instance.identity());
            if let Some((first, reference)) = identities.get(&key)
                && reference.title != instance.title
            {
                let names: Vec<String> = key.1.iter().map(|v| format!("`{v}`")).collect();
                result.diagnostics.push(
                    Diagnostic::new(
                        Code::DuplicateResource,
                        declared.title_span,
                        format!("`{}` and `{reference}` are the same thing: both are {}", instance.reference(), names.join(", ")),
                    )
                    .label("the same thing again")
                    .also(*first, "first declared here")
                    .help("give all its attributes in one declaration"),
                );
                continue;
            }
            identities.entry(key).or_insert_with(|| (declared.title_span, instance.reference()));
        }
        result.diagnostics.extend(alias_taken(&instance, &result.catalog));
        result.catalog.insert(Arc::new(instance));
    }
    result
}

/// A title and the aliases of a type must differ, else a reference would be ambiguous.
fn alias_taken(instance: &Instance, catalog: &Catalog) -> Option<Diagnostic> {
    let type_name = instance.type_def.name.as_str();
    let (name, other) = instance.aliases().into_iter().chain([instance.title.clone()]).find_map(|name| {
        let other = catalog.get(type_name, &name).filter(|other| other.title != instance.title)?;
        (name != instance.title || other.aliases().contains(&name)).then(|| (name, Arc::clone(other)))
    })?;
    let span = instance.type_def.id_of("alias").and_then(|id| instance.slot(id)).map_or(instance.span, |s| s.span);
    Some(
        Diagnostic::new(Code::DuplicateAlias, span, format!("`{name}` already names `{}`", other.reference()))
            .also(other.span, "declared here")
            .help("choose another alias, or leave it out"),
    )
}

/// What to say when a type cannot be had: it does not exist, or its file has errors that are told already.
fn unusable(declared: &Declared, library: &mut Library) -> Option<Diagnostic> {
    let name = declared.type_name.as_str();
    if library.names().iter().any(|n| n == name) {
        return Some(
            Diagnostic::new(Code::UnknownType, declared.type_span, format!("the type `{name}` has errors and cannot be used"))
                .help(format!("`rtype check` on its file shows them; `{}` is left out", declared.reference())),
        );
    }
    Some(library.unknown_type(name, declared.type_span))
}
