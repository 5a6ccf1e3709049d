//! Declarations → catalog: types are loaded as they are met, identities must differ.

mod generate;
mod known;
mod secrets;
mod unknown;

pub use generate::generate_late;
pub use known::Known;
pub use secrets::{is_secret, learn, learn_value};
pub use unknown::UnknownTypes;

use crate::manifest::{Declarations, Declared, is_suspect};
use crate::resource::{Catalog, Context, Instance, Preparation, dangling, dangling_beside, pre_run_checks};
use foldhash::fast::RandomState;
use foldhash::quality::FixedState;
use generate::{Phase, generate_all};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::grant_resources;
use rtype_lang::library::Library;
use rtype_lang::source::Span;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

/// What declaring gives.
#[derive(Debug, Default)]
pub struct Declaring {
    /// The resources that can be used.
    pub catalog: Catalog,
    /// Everything found.
    pub diagnostics: Vec<Diagnostic>,
    /// Types that a compiled catalog has resources of and that are not there; elsewhere each resource is an error.
    unknown: UnknownTypes,
}

/// Builds all declared resources in `context` and what they generate. Each sees the others as far as they are built before
/// it; what needs all of them is checked at the end.
///
/// The order is Puppet's: references of what is declared, then `generate`, then `pre_run_check` (`Puppet::Transaction#evaluate`).
pub fn declare(declarations: &Declarations, library: &mut Library, context: Context<'_>) -> Declaring {
    let mut unknown = UnknownTypes::default();
    let mut found = Vec::new();
    let mut result = declare_apart(declarations, library, context, &mut unknown, &mut |d| found.push(d));
    result.diagnostics = found;
    result.diagnostics.extend(unknown.unchecked(library));
    result
}

/// The same for one of several catalogs: `unknown` collects the types that are not there, so that they are told once, and
/// `take` what is found.
pub fn declare_apart(
    declarations: &Declarations,
    library: &mut Library,
    context: Context<'_>,
    unknown: &mut UnknownTypes,
    take: &mut dyn FnMut(Diagnostic),
) -> Declaring {
    let mut result = declare_in(Phase::Both, declarations, library, context, take);
    unknown.extend(std::mem::take(&mut result.unknown));
    result
}

/// The same for a run, in which `eval_generate` waits for the resource's turn.
pub fn declare_for_run(declarations: &Declarations, library: &mut Library, context: Context<'_>) -> Declaring {
    let mut found = Vec::new();
    let mut result = declare_in(Phase::Early, declarations, library, context, &mut |d| found.push(d));
    result.diagnostics = found;
    result.diagnostics.extend(result.unknown.unusable(library));
    result
}

fn declare_in(
    phase: Phase,
    declarations: &Declarations,
    library: &mut Library,
    context: Context<'_>,
    take: &mut dyn FnMut(Diagnostic),
) -> Declaring {
    let known = names(declarations);
    let mut result = declare_known(declarations, &known, library, context, take);
    generate_in(phase, &mut result.catalog, &|r| known.contains(r), library, context).into_iter().for_each(&mut *take);
    let library = RefCell::new(library);
    let catalog = &result.catalog;
    let context = Context { catalog: &Known::new(catalog, &library, context.backend), ..context };
    catalog.iter().flat_map(|i| pre_run_checks(i, context)).for_each(take);
    result
}

/// Builds all declared resources and checks their references, without what they generate.
pub fn declare_alone(declarations: &Declarations, library: &mut Library, context: Context<'_>) -> Declaring {
    let mut found = Vec::new();
    let result = declare_known(declarations, &names(declarations), library, context, &mut |d| found.push(d));
    Declaring { diagnostics: found, ..result }
}

fn declare_known(
    declarations: &Declarations,
    known: &Names,
    library: &mut Library,
    context: Context<'_>,
    take: &mut dyn FnMut(Diagnostic),
) -> Declaring {
    let mut take = once(take);
    let result = declare_taking(Catalog::default(), declarations, library, context, &mut take);
    let catalog = &result.catalog;
    let declared = |r: &ResourceRef| known.contains(r);
    catalog.iter().flat_map(|i| dangling(i, catalog, &declared)).for_each(&mut take);
    dangling_beside(declarations, catalog, &declared).into_iter().for_each(take);
    result
}

/// Hands on one of the diagnostics that differ only in the resource: a value of a body with several titles, or of defaults, is one
/// mistake.
fn once(take: &mut dyn FnMut(Diagnostic)) -> impl FnMut(Diagnostic) {
    let mut seen = HashSet::new();
    move |found| {
        let message = found.message.split_once("]: ").map_or(found.message.as_str(), |(_, message)| message);
        let hash = FixedState::default().hash_one((found.code, found.span(), message));
        if found.span().is_none() || seen.insert(hash) {
            take(found);
        }
    }
}

/// Adds what the resources of a catalog generate, each behind the one that made it; gives everything found.
///
/// A resource that is there already wins in silence; `declared` knows those that could not be built. Follows Puppet's
/// `Puppet::Transaction::AdditionalResourceGenerator#generate_additional_resources`.
pub fn generate(
    catalog: &mut Catalog,
    declared: &dyn Fn(&ResourceRef) -> bool,
    library: &mut Library,
    context: Context<'_>,
) -> Vec<Diagnostic> {
    generate_in(Phase::Both, catalog, declared, library, context)
}

fn generate_in(
    phase: Phase,
    catalog: &mut Catalog,
    declared: &dyn Fn(&ResourceRef) -> bool,
    library: &mut Library,
    context: Context<'_>,
) -> Vec<Diagnostic> {
    let mut declarer = Declarer::new(std::mem::take(catalog), library);
    generate_all(&mut declarer, phase, declared, context);
    *catalog = declarer.result.catalog;
    declarer.result.diagnostics
}

/// The same beside the resources of `catalog`, without the checks at the end, since more may follow: one of the same type
/// and title takes the older one's place.
pub fn declare_into(catalog: Catalog, declarations: &Declarations, library: &mut Library, context: Context<'_>) -> Declaring {
    let mut found = Vec::new();
    let result = declare_taking(catalog, declarations, library, context, &mut |d| found.push(d));
    Declaring { diagnostics: found, ..result }
}

fn declare_taking(
    catalog: Catalog,
    declarations: &Declarations,
    library: &mut Library,
    context: Context<'_>,
    take: &mut dyn FnMut(Diagnostic),
) -> Declaring {
    library.secrets.extend(&declarations.secrets);
    let mut declarer = Declarer::new(catalog, library);
    declarer.is_compiled = declarations.is_compiled;
    declarer.reserve(declarations.resources.len());
    grant_resources(declarations.resources.len());
    for container in &declarations.containers {
        secrets::learn_untyped(declarer.library.get_mut().secrets.redactor(), &container.declared);
    }
    for declared in &declarations.resources {
        if let Some(instance) = declarer.build(declared, context) {
            declarer.result.catalog.insert(Arc::new(instance));
        }
        declarer.result.diagnostics.drain(..).for_each(&mut *take);
    }
    declarer.result
}

/// All that a text declares.
type Names = HashSet<ResourceRef, RandomState>;

fn names(declarations: &Declarations) -> Names {
    let mut names = Names::with_capacity_and_hasher(declarations.resources.len() + declarations.containers.len(), RandomState::default());
    names.extend(declarations.resources.iter().map(Declared::reference));
    names.extend(declarations.containers.iter().map(|c| c.declared.reference()));
    names
}

type Identities = HashMap<(Symbol, Vec<Value>), (Span, ResourceRef), RandomState>;

/// Where each resource of a catalog is declared. What is not known yet may well turn out to differ.
fn identities(catalog: &Catalog) -> Identities {
    let told = catalog.iter().filter(|i| i.type_def.isomorphic && !i.identity().iter().any(Value::has_unknown));
    told.map(|i| ((i.type_def.name.clone(), i.identity()), (i.span, i.reference()))).collect()
}

/// Builds resources one after the other.
pub struct Declarer<'l> {
    /// What was found so far.
    pub result: Declaring,
    /// Whether types that are not there are collected.
    is_compiled: bool,
    /// The types.
    pub library: RefCell<&'l mut Library>,
    /// What there is of each type, by its namevars; found when the first one is built.
    identities: Option<Identities>,
    prepared: HashMap<Symbol, Preparation, RandomState>,
}

impl<'l> Declarer<'l> {
    /// Continues with the resources of `catalog`.
    pub fn new(catalog: Catalog, library: &'l mut Library) -> Declarer<'l> {
        Declarer {
            result: Declaring { catalog, ..Declaring::default() },
            is_compiled: false,
            library: RefCell::new(library),
            identities: None,
            prepared: HashMap::default(),
        }
    }

    /// Makes room for many resources at once.
    fn reserve(&mut self, more: usize) {
        self.result.catalog.reserve(more);
        self.identities.get_or_insert_with(|| identities(&self.result.catalog)).reserve(more);
    }

    /// The type of what is declared; what it means that there is none is noted.
    fn type_def(&mut self, declared: &Declared) -> Option<Arc<TypeDef>> {
        if self.result.unknown.count(&declared.type_name) {
            return None;
        }
        // A type that a module brings along would be looked for here, too.
        let found = self.library.get_mut().load(declared.type_name.as_str());
        match found {
            Some(_) => {}
            None if self.is_compiled => self.result.unknown.add(declared.type_name.clone(), declared.type_span),
            None => self.result.diagnostics.extend(unusable(declared, self.library.get_mut())),
        }
        found
    }

    /// The instance of what is declared, unless something makes it unusable; what is found is noted.
    pub fn build(&mut self, declared: &Declared, context: Context<'_>) -> Option<Instance> {
        if !self.prepared.contains_key(&declared.type_name) {
            let Some(type_def) = self.type_def(declared) else {
                // No type says what is secret; one with errors would, so that nothing is shown of its values.
                let library = self.library.get_mut();
                secrets::learn_untyped(library.secrets.redactor(), declared);
                let is_broken = library.names().iter().any(|name| name == declared.type_name.as_str());
                let hidden = declared.attributes.iter().filter(|(name, _)| is_broken || is_suspect(name));
                hidden.for_each(|(_, given)| library.secrets.add(given.span));
                return None;
            };
            self.prepared.insert(declared.type_name.clone(), Preparation::new(type_def, context));
        }
        let preparation = self.prepared.get(&declared.type_name)?;
        let type_def = &preparation.type_def;
        secrets::learn_declared(self.library.get_mut().secrets.redactor(), type_def, declared);
        let catalog = Known::new(&self.result.catalog, &self.library, context.backend).lenient(self.is_compiled && context.offline);
        let built = preparation.build(declared, Context { catalog: &catalog, ..context });
        self.result.diagnostics.extend(built.diagnostics);
        built.secrets.into_iter().for_each(|s| self.library.get_mut().secrets.add(s));
        let instance = built.instance?;
        secrets::learn(self.library.get_mut().secrets.redactor(), &instance);
        let key = (type_def.name.clone(), instance.identity());
        if type_def.isomorphic && !key.1.iter().any(Value::has_unknown) {
            let identities = self.identities.get_or_insert_with(|| identities(&self.result.catalog));
            if let Some((first, reference)) = identities.get(&key)
                && reference.title != instance.title
            {
                let names: Vec<String> = key.1.iter().map(|v| format!("`{v}`")).collect();
                self.result.diagnostics.push(
                    Diagnostic::new(
                        Code::DuplicateResource,
                        declared.title_span,
                        format!("`{}` and `{reference}` are the same thing: both are {}", instance.reference(), names.join(", ")),
                    )
                    .label("the same thing again")
                    .also(*first, "first declared here")
                    .help("give all its attributes in one declaration"),
                );
                return None;
            }
            identities.entry(key).or_insert_with(|| (declared.title_span, instance.reference()));
        }
        self.result.diagnostics.extend(alias_taken(&instance, &self.result.catalog));
        Some(instance)
    }
}
/// A title and the aliases of a type must differ, else a reference would be ambiguous.
fn alias_taken(instance: &Instance, catalog: &Catalog) -> Option<Diagnostic> {
    let type_name = instance.type_def.name.as_str();
    let aliases = instance.aliases();
    let other_than = |other: &&Arc<Instance>| other.title != instance.title;
    let (name, other) =
        aliases.into_iter().find_map(|name| Some((name.clone(), catalog.get(type_name, &name).filter(other_than)?))).or_else(|| {
            let other = catalog.named(&instance.reference()).filter(other_than)?;
            other.aliases().contains(&instance.title).then(|| (instance.title.clone(), other))
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
