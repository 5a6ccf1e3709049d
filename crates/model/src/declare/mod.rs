//! Builds a catalog from declarations: types are loaded on demand and identities must be unique.

mod generate;
mod known;
mod secrets;
mod unknown;

pub use generate::generate_late;
pub use known::KnownResources;
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

/// The result of declaring resources.
#[derive(Debug, Default)]
pub struct Declaring {
    /// The resources that were built.
    pub catalog: Catalog,
    /// All diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// Types that are used in a compiled catalog but do not exist. In other inputs, each resource of an unknown type is an error.
    unknown: UnknownTypes,
}

/// Builds all declared resources in `context`, and the resources that they generate. Blocks see the resources that were built
/// before theirs; checks that need the whole catalog run at the end.
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

/// Like [`declare`], for one of several catalogs: `unknown` collects the missing types of all of them so that each is reported
/// once, and `take` receives the diagnostics.
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

/// Like [`declare`], for a run, where `eval_generate` blocks are deferred until the turn of their resource.
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
    let context = Context { catalog: &KnownResources::new(catalog, &library, context.backend), ..context };
    catalog.iter().flat_map(|i| pre_run_checks(i, context)).for_each(take);
    result
}

/// Builds all declared resources and checks their references, without running `generate` blocks.
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

/// Filters diagnostics that differ only in the resource: a wrong value in a body with several titles, or in defaults, is reported
/// once.
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

/// Inserts the resources that the resources of a catalog generate, each after its parent. Returns all diagnostics.
///
/// A resource that already exists silently takes precedence; `declared` also covers declared resources that could not be built.
/// Follows Puppet's
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

/// Declares resources in addition to those in `catalog`, without the checks at the end, because more may follow. A new resource
/// replaces an existing one with the same type and title.
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

/// References of all resources and containers that a text declares.
type Names = HashSet<ResourceRef, RandomState>;

fn names(declarations: &Declarations) -> Names {
    let mut names = Names::with_capacity_and_hasher(declarations.resources.len() + declarations.containers.len(), RandomState::default());
    names.extend(declarations.resources.iter().map(Declared::reference));
    names.extend(declarations.containers.iter().map(|c| c.declared.reference()));
    names
}

type Identities = HashMap<(Symbol, Vec<Value>), (Span, ResourceRef), RandomState>;

/// Returns where each resource of a catalog is declared, by identity. Resources with unknown identity values are excluded: they may
/// turn out to differ.
fn identities(catalog: &Catalog) -> Identities {
    let told = catalog.iter().filter(|i| i.type_def.isomorphic && !i.identity().iter().any(Value::has_unknown));
    told.map(|i| ((i.type_def.name.clone(), i.identity()), (i.span, i.reference()))).collect()
}

/// Builds instances of declared resources, one at a time.
pub struct Declarer<'l> {
    /// The catalog and diagnostics so far.
    pub result: Declaring,
    /// Whether missing types are collected in `result.unknown` instead of being reported for each resource.
    is_compiled: bool,
    /// The type library.
    pub library: RefCell<&'l mut Library>,
    /// Existing resources by type and namevar values; computed when the first resource is built.
    identities: Option<Identities>,
    prepared: HashMap<Symbol, Preparation, RandomState>,
}

impl<'l> Declarer<'l> {
    /// Creates a declarer that adds to `catalog`.
    pub fn new(catalog: Catalog, library: &'l mut Library) -> Declarer<'l> {
        Declarer {
            result: Declaring { catalog, ..Declaring::default() },
            is_compiled: false,
            library: RefCell::new(library),
            identities: None,
            prepared: HashMap::default(),
        }
    }

    /// Reserves capacity for `more` resources.
    fn reserve(&mut self, more: usize) {
        self.result.catalog.reserve(more);
        self.identities.get_or_insert_with(|| identities(&self.result.catalog)).reserve(more);
    }

    /// Returns the type of a declaration. A missing type is reported or counted.
    fn type_def(&mut self, declared: &Declared) -> Option<Arc<TypeDef>> {
        if self.result.unknown.count(&declared.type_name) {
            return None;
        }
        // `load` also finds types in modules.
        let found = self.library.get_mut().load(declared.type_name.as_str());
        match found {
            Some(_) => {}
            None if self.is_compiled => self.result.unknown.add(declared.type_name.clone(), declared.type_span),
            None => self.result.diagnostics.extend(unusable(declared, self.library.get_mut())),
        }
        found
    }

    /// Builds the instance of a declaration and records its diagnostics. Returns `None` if it is unusable.
    pub fn build(&mut self, declared: &Declared, context: Context<'_>) -> Option<Instance> {
        if !self.prepared.contains_key(&declared.type_name) {
            let Some(type_def) = self.type_def(declared) else {
                // Without a type, names are the only hint to secrets. A broken type could mark any attribute as sensitive, so all
                // of its values are redacted.
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
        let catalog =
            KnownResources::new(&self.result.catalog, &self.library, context.backend).lenient(self.is_compiled && context.offline);
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
/// Titles and aliases of a type must be unique, otherwise references would be ambiguous.
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

/// Returns the diagnostic for a type that cannot be loaded: it does not exist, or its file has errors, which are reported
/// separately.
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
