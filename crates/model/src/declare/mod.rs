//! Builds a catalog from declarations: types are loaded on demand and identities must be unique.

mod generate;
mod known;
mod secrets;
mod unknown;

pub use generate::generate_late;
pub use known::KnownResources;
pub use secrets::{is_secret, learn, learn_value};
pub use unknown::UnknownTypes;

use crate::manifest::{AllDefaults, Declarations, Declared, TypeDefaults, is_suspect};
use crate::resource::{
    BlockMessage, Catalog, Context, Instance, MessageLog, Preparation, dangling, dangling_beside, failed_blocks, is_misspelled_secret,
    pre_run_checks,
};
use foldhash::fast::RandomState;
use foldhash::quality::FixedState;
use generate::{Phase, generate_all};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::grant_resources;
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::types::TypeDef;
use rtype_lang::value::{ResourceRef, Symbol, Value};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

/// The result of declaring resources.
#[derive(Debug, Default)]
pub struct Declaring {
    /// The resources that were built.
    pub catalog: Catalog,
    /// All diagnostics not already sent to [`DeclareOptions::report`].
    pub diagnostics: Vec<Diagnostic>,
    /// Types that are used in a compiled catalog or a program but do not exist. In other inputs, each resource of an unknown type is an error.
    unknown: UnknownTypes,
}

/// Options for [`declare`].
#[derive(Default)]
pub struct DeclareOptions<'o> {
    /// Resources that exist already. A new resource replaces an existing one with the same type and title.
    pub catalog: Catalog,
    /// Why the resources are declared; decides which checks follow.
    pub purpose: Purpose,
    /// Collects missing types from several compiled catalogs, so that each type is reported once.
    pub unknown: Option<&'o mut UnknownTypes>,
    /// Receives each diagnostic when it is found, because a large catalog may have too many diagnostics for memory.
    pub report: Option<&'o mut dyn FnMut(Diagnostic)>,
}

impl DeclareOptions<'_> {
    /// Returns the options for a purpose.
    pub fn new(purpose: Purpose) -> Self {
        DeclareOptions { purpose, ..DeclareOptions::default() }
    }

    /// Returns the options for declaring further resources in `catalog`.
    pub fn into_catalog(catalog: Catalog) -> Self {
        DeclareOptions { catalog, ..DeclareOptions::new(Purpose::Part) }
    }
}

/// Why resources are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Checks a whole catalog. A missing type in a compiled catalog is a warning.
    #[default]
    Check,
    /// Applies a whole catalog: `eval_generate` blocks wait until their resource is due, and a missing type is an error.
    Run,
    /// Reads only the declared resources: `generate` and `pre_run_check` blocks do not run.
    Alone,
    /// Declares part of a catalog: references are not checked either.
    Part,
}

impl Purpose {
    /// Returns the phase for generating resources.
    fn phase(self) -> Option<Phase> {
        match self {
            Purpose::Check => Some(Phase::Both),
            Purpose::Run => Some(Phase::Early),
            Purpose::Alone | Purpose::Part => None,
        }
    }
}

/// Builds all declared resources in `context`, and the resources that they generate. A block sees the resources built before its own;
/// checks on the whole catalog run at the end.
///
/// The order is Puppet's: references between declarations, then `generate`, then `pre_run_check` (`Puppet::Transaction#evaluate`).
pub fn declare(declarations: &Declarations, types: &TypeSet, context: Context<'_>, options: DeclareOptions<'_>) -> Declaring {
    let DeclareOptions { catalog, purpose, unknown, mut report } = options;
    let own = MessageLog::default();
    let context = Context { log: Some(context.log.unwrap_or(&own)), ..context };
    let mut found = Vec::new();
    let mut result = match &mut report {
        Some(report) => declare_for(purpose, catalog, declarations, types, context, report),
        None => declare_for(purpose, catalog, declarations, types, context, &mut |d| found.push(d)),
    };
    match unknown {
        Some(unknown) => unknown.extend(std::mem::take(&mut result.unknown)),
        None if purpose == Purpose::Run => found.extend(result.unknown.unusable(types)),
        None => found.extend(result.unknown.unchecked(types)),
    }
    let messages = own.take();
    // A run reports the messages itself.
    if purpose != Purpose::Run || found.iter().any(Diagnostic::is_error) {
        let declared_at = |reference: &ResourceRef| result.catalog.named(reference).map_or(Span::NONE, |instance| instance.span);
        let span = |message: &BlockMessage| if message.span.is_none() { declared_at(&message.reference) } else { message.span };
        let shown = messages.iter().filter_map(|message| message.diagnostic(span(message)));
        match report {
            Some(report) => shown.for_each(report),
            None => found.extend(shown),
        }
    }
    result.catalog.log(messages);
    Declaring { diagnostics: found, ..result }
}

fn declare_for(
    purpose: Purpose,
    catalog: Catalog,
    declarations: &Declarations,
    types: &TypeSet,
    context: Context<'_>,
    take: &mut dyn FnMut(Diagnostic),
) -> Declaring {
    if purpose == Purpose::Part {
        return build_all(catalog, declarations, types, context, take);
    }
    if declarations.is_program {
        return build_all(catalog, declarations, types, context, &mut once(take));
    }
    let known = names(declarations);
    let declared = |r: &ResourceRef| known.contains(r);
    let mut result = {
        let mut take = once(take);
        let result = build_all(catalog, declarations, types, context, &mut take);
        let catalog = &result.catalog;
        catalog.iter().flat_map(|i| dangling(i, catalog, &declared)).for_each(&mut take);
        dangling_beside(declarations, catalog, &declared).into_iter().for_each(take);
        result
    };
    if let Some(phase) = purpose.phase() {
        generate_in(phase, &mut result.catalog, &declared, types, context).into_iter().for_each(&mut *take);
        let catalog = &result.catalog;
        let context = Context { catalog: &KnownResources::new(catalog, types, context.backend), ..context };
        catalog.iter().flat_map(|i| pre_run_checks(i, context)).for_each(&mut *take);
        // In a run, building the order evaluates the relations.
        if purpose == Purpose::Check {
            catalog.iter().flat_map(|i| failed_blocks(i, context)).for_each(take);
        }
    }
    result
}

/// Drops diagnostics that differ only in the resource: a wrong value in a body with several titles, or in defaults, is reported once.
fn once(take: &mut dyn FnMut(Diagnostic)) -> impl FnMut(Diagnostic) {
    let mut seen = HashSet::new();
    move |found| {
        let hash = FixedState::default().hash_one((found.code, found.span(), found.attribute(), found.bare_message()));
        if found.span().is_none() || seen.insert(hash) {
            take(found);
        }
    }
}

/// Inserts each generated resource after the generator. Returns all diagnostics.
///
/// An existing resource silently takes precedence. `declared` also accepts declared resources that could not be built. Follows Puppet's
/// `Puppet::Transaction::AdditionalResourceGenerator#generate_additional_resources`.
pub fn generate(catalog: &mut Catalog, declared: &dyn Fn(&ResourceRef) -> bool, types: &TypeSet, context: Context<'_>) -> Vec<Diagnostic> {
    generate_in(Phase::Both, catalog, declared, types, context)
}

fn generate_in(
    phase: Phase,
    catalog: &mut Catalog,
    declared: &dyn Fn(&ResourceRef) -> bool,
    types: &TypeSet,
    context: Context<'_>,
) -> Vec<Diagnostic> {
    let mut declarer = Declarer::new(std::mem::take(catalog), types);
    generate_all(&mut declarer, phase, declared, context);
    *catalog = declarer.result.catalog;
    declarer.result.diagnostics
}

fn build_all(
    catalog: Catalog,
    declarations: &Declarations,
    types: &TypeSet,
    context: Context<'_>,
    take: &mut dyn FnMut(Diagnostic),
) -> Declaring {
    types.secrets.extend(&declarations.secrets);
    learn_defaults(&declarations.defaults, types);
    let mut declarer = Declarer::new(catalog, types);
    declarer.is_partial = declarations.is_compiled || declarations.is_program;
    declarer.result.catalog.reserve(declarations.resources.len());
    grant_resources(declarations.resources.len());
    for container in &declarations.containers {
        secrets::learn_untyped(types.secrets.redactor(), &container.declared);
    }
    for declared in &declarations.resources {
        if !declarations.unusable.is_empty() && declarations.unusable.contains_key(&declared.reference()) {
            declarer.learn(declared);
            continue;
        }
        let built = if declarations.is_program { declarer.build_alone(declared, context) } else { declarer.build(declared, context) };
        if let Some(instance) = built {
            declarer.result.catalog.insert(Arc::new(instance));
        }
        declarer.result.diagnostics.drain(..).for_each(&mut *take);
    }
    declarer.result
}

/// Registers the secrets in type defaults, even if the type has no declared resource.
pub fn learn_defaults(defaults: &AllDefaults, types: &TypeSet) {
    let declarer = Declarer::new(Catalog::default(), types);
    for (type_name, TypeDefaults { type_span, attributes }) in defaults {
        let (type_name, attributes) = (type_name.clone(), attributes.clone());
        declarer.learn(&Declared { type_span: *type_span, attributes, ..Declared::new(type_name, "") });
    }
}

/// References to all resources and containers declared in a source.
type Names = HashSet<ResourceRef, RandomState>;

fn names(declarations: &Declarations) -> Names {
    let mut names = Names::with_capacity_and_hasher(declarations.resources.len() + declarations.containers.len(), RandomState::default());
    names.extend(declarations.resources.iter().map(Declared::reference));
    names.extend(declarations.containers.iter().map(|c| c.declared.reference()));
    names
}

/// Builds instances of declared resources, one at a time.
pub struct Declarer<'l> {
    /// The catalog and diagnostics so far.
    pub result: Declaring,
    /// Whether this machine may lack types that the resources have, as for catalogs and programs: missing types are collected in
    /// `result.unknown` instead of being reported for each resource.
    is_partial: bool,
    /// Whether generated resources are built.
    generates: bool,
    /// All types.
    pub types: &'l TypeSet,
    prepared: HashMap<Symbol, Preparation, RandomState>,
}

impl<'l> Declarer<'l> {
    /// Creates a declarer that adds to `catalog`.
    pub fn new(catalog: Catalog, types: &'l TypeSet) -> Declarer<'l> {
        let result = Declaring { catalog, ..Declaring::default() };
        Declarer { result, is_partial: false, generates: false, types, prepared: HashMap::default() }
    }

    /// Returns the declaration's type. A missing type is reported or counted.
    fn type_def(&mut self, declared: &Declared) -> Option<Arc<TypeDef>> {
        if self.result.unknown.count(&declared.type_name) {
            return None;
        }
        // `load` also finds types in modules.
        let found = self.types.load(declared.type_name.as_str());
        match found {
            Some(_) => {}
            None if self.is_partial => self.result.unknown.add(declared.type_name.clone(), declared.type_span),
            None => self.result.diagnostics.extend(unusable(declared, self.types)),
        }
        found
    }

    /// Registers the secrets in a declaration that is not built.
    fn learn(&self, declared: &Declared) {
        match self.types.load(declared.type_name.as_str()) {
            Some(type_def) => {
                secrets::learn_declared(self.types.secrets.redactor(), &type_def, declared);
                let unknown = declared.attributes.iter().filter(|(name, _)| type_def.id_declared_as(name).is_none());
                let hidden = unknown.filter(|(name, _)| is_misspelled_secret(&type_def, name));
                hidden.for_each(|(_, given)| self.types.secrets.add(given.span));
            }
            None => self.learn_untyped(declared),
        }
    }

    /// Registers the secrets in a declaration without a type: names are the only hint. If the type's file has errors, any attribute could
    /// be sensitive, so all its values are redacted.
    fn learn_untyped(&self, declared: &Declared) {
        let types = self.types;
        secrets::learn_untyped(types.secrets.redactor(), declared);
        let is_broken = types.names().iter().any(|name| name == declared.type_name.as_str());
        let hidden = declared.attributes.iter().filter(|(name, _)| is_broken || is_suspect(name));
        hidden.for_each(|(_, given)| types.secrets.add(given.span));
    }

    /// Builds the instance of a declaration as the only one of its catalog.
    fn build_alone(&mut self, declared: &Declared, context: Context<'_>) -> Option<Instance> {
        let others = std::mem::take(&mut self.result.catalog);
        let built = self.build(declared, context);
        self.result.catalog = others;
        built
    }

    /// Builds the instance of a declaration and records its diagnostics. Returns `None` if it is unusable.
    pub fn build(&mut self, declared: &Declared, context: Context<'_>) -> Option<Instance> {
        if !self.prepared.contains_key(&declared.type_name) {
            let Some(type_def) = self.type_def(declared) else {
                self.learn_untyped(declared);
                return None;
            };
            self.prepared.insert(declared.type_name.clone(), Preparation::new(type_def, context));
        }
        let preparation = self.prepared.get_mut(&declared.type_name)?;
        let type_def = Arc::clone(preparation.type_def());
        secrets::learn_declared(self.types.secrets.redactor(), &type_def, declared);
        let catalog = KnownResources::new(&self.result.catalog, self.types, context.backend).lenient(self.is_partial && context.offline);
        let catalog = catalog.builds_generated(self.generates);
        let built = preparation.build(declared, Context { catalog: &catalog, ..context });
        self.result.diagnostics.extend(built.diagnostics);
        built.secrets.into_iter().for_each(|s| self.types.secrets.add(s));
        let instance = built.instance?;
        secrets::learn(self.types.secrets.redactor(), &instance);
        let identity = instance.identity();
        if type_def.isomorphic
            && !identity.iter().any(Value::has_unknown)
            && let Some(first) = self.result.catalog.identified(&type_def.name, &identity).filter(|first| first.title != instance.title)
        {
            let names: Vec<String> = identity.iter().map(|v| format!("`{v}`")).collect();
            let (own, other) = (instance.reference(), first.reference());
            let message = format!("`{own}` and `{other}` are the same thing: both are {}", names.join(", "));
            self.result.diagnostics.push(
                Diagnostic::new(Code::DuplicateResource, declared.title_span, message)
                    .label("the same thing again")
                    .also(first.span, "first declared here")
                    .help("merge both declarations into one"),
            );
            return None;
        }
        self.result.diagnostics.extend(alias_taken(&instance, &self.result.catalog));
        Some(instance)
    }
}
/// Titles and aliases must be unique within a type, otherwise references would be ambiguous.
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

/// Returns the diagnostic for a missing type; `None` if the type's file has errors, which are reported separately.
fn unusable(declared: &Declared, types: &TypeSet) -> Option<Diagnostic> {
    let name = declared.type_name.as_str();
    if types.names().iter().any(|n| n == name) {
        return Some(
            Diagnostic::new(Code::UnknownType, declared.type_span, format!("the type `{name}` has errors and cannot be used"))
                .help(format!("`rtype check` on its file shows them; `{}` is left out", declared.reference())),
        );
    }
    // Only defined types have namespaces, and Puppet's compiler replaces them with the resources they contain.
    if name.contains("::") {
        let message = format!("the defined type `{name}` needs Puppet's compiler");
        return Some(
            Diagnostic::new(Code::NeedsCompiler, declared.type_span, message).help("write the catalog with `rtype compile`, and pass that"),
        );
    }
    Some(types.unknown_type(name, declared.type_span))
}
