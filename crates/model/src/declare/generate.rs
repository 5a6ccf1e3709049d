//! Runs `generate` and `eval_generate` blocks and adds the generated resources to the catalog.

use super::Declarer;
use super::known::KnownResources;
use crate::manifest::Declared;
use crate::resource::{Context, Instance, dangling, generated, left_in_ruby};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::Failure;
use rtype_lang::source::Span;
use rtype_lang::value::ResourceRef;
use std::sync::Arc;

pub use crate::resource::Phase;

/// Maximum nesting: generated resources may themselves generate resources this many levels deep.
const MAX_DEPTH: usize = 16;

/// Maximum number of generated resources per run.
const MAX_GENERATED: usize = 100_000;

/// Runs the `generate` blocks of all resources in the catalog.
pub(super) fn generate_all(declarer: &mut Declarer<'_>, phase: Phase, declared: &dyn Fn(&ResourceRef) -> bool, context: Context<'_>) {
    let parents: Vec<Arc<Instance>> = declarer.result.catalog.generators().filter(|i| i.generated_by().is_none()).cloned().collect();
    let mut maker = Maker { declarer, phase, first: None, declared, context, made: Vec::new() };
    for parent in parents {
        let mut last = parent.reference();
        maker.generate_of(&parent, &mut last, 0);
    }
}

/// Generates resources when `parent` is due, including resources that those generate in turn. Returns the new resources in catalog order.
/// `declared` returns true for a declared reference; references to classes and defined types count.
pub fn generate_late(
    declarer: &mut Declarer<'_>,
    parent: &Arc<Instance>,
    generated: Result<Vec<Declared>, Failure>,
    declared: &dyn Fn(&ResourceRef) -> bool,
    context: Context<'_>,
) -> Vec<Arc<Instance>> {
    let first = Some(generated);
    let mut maker = Maker { declarer, phase: Phase::Late, first, declared, context, made: Vec::new() };
    maker.generate_of(parent, &mut parent.reference(), 0);
    maker.made
}

/// State shared while resources are generated.
struct Maker<'m, 'd> {
    declarer: &'m mut Declarer<'d>,
    phase: Phase,
    /// The result of the first resource's block, if the block has already been evaluated.
    first: Option<Result<Vec<Declared>, Failure>>,
    declared: &'m dyn Fn(&ResourceRef) -> bool,
    context: Context<'m>,
    made: Vec<Arc<Instance>>,
}

impl Maker<'_, '_> {
    /// Runs the block of one resource. New resources are inserted after `last`, the most recently added resource.
    fn generate_of(&mut self, parent: &Arc<Instance>, last: &mut ResourceRef, depth: usize) {
        let (phase, context, declared) = (self.phase, self.context, self.declared);
        let early = parent.type_def.generate.as_ref().filter(|_| phase != Phase::Late);
        let late = parent.type_def.eval_generate.as_ref().filter(|_| phase != Phase::Early);
        let Some(code) = early.or(late) else { return };
        let place = opening(code.inner.span);
        let made = self.first.take().unwrap_or_else(|| {
            let catalog = KnownResources::new(&self.declarer.result.catalog, self.declarer.types, self.context.backend);
            generated(parent, phase, None, Context { catalog: &catalog, ..context })
        });
        let made = match made {
            Ok(made) => made,
            Err(failure) if failure.is_untranslated() && phase != Phase::Late => {
                let strict = self.context.strict;
                self.declarer.result.diagnostics.push(left_in_ruby(&parent.reference(), parent.span, &failure, strict));
                return;
            }
            Err(failure) => {
                // In the late phase, unknown values stay unknown, so an unknown value is an error.
                if !failure.is_unknown() || phase == Phase::Late {
                    let attribute = failure.at.as_deref();
                    let late = parent
                        .type_def
                        .eval_generate
                        .as_ref()
                        .is_some_and(|c| c.inner.span.start <= failure.span.start && failure.span.end <= c.inner.span.end);
                    let why = if late { "in the type's `eval_generate`" } else { "in the type's `generate`" };
                    let d = Diagnostic::of_resource(Code::GenerateFailed, parent.span, &parent.reference(), attribute, failure.message);
                    self.declarer.result.diagnostics.push(d.also(failure.span, why).maybe_help(failure.help));
                }
                return;
            }
        };
        for mut new in made {
            let reference = new.reference();
            if let Some(there) = self.declarer.result.catalog.get(reference.type_name.as_str(), &reference.title) {
                // A value that became known during the run, such as file content, completes a resource generated earlier.
                if phase != Phase::Late || there.generated_by() != Some(&parent.reference()) {
                    continue;
                }
                let catalog = KnownResources::new(&self.declarer.result.catalog, self.declarer.types, self.context.backend);
                let whole = generated(parent, Phase::Both, None, Context { catalog: &catalog, ..context }).unwrap_or_default();
                let Some(whole) = whole.into_iter().find(|w| w.reference() == reference) else { continue };
                new = whole;
                self.declarer.result.catalog.remove(&reference);
            } else if declared(&reference) {
                continue;
            }
            if depth >= MAX_DEPTH || self.made.len() >= MAX_GENERATED {
                let message = "what it generates goes on without end";
                let d = Diagnostic::of_resource(Code::GenerateFailed, parent.span, &parent.reference(), None, message);
                self.declarer.result.diagnostics.push(d.also(place, "its `generate`"));
                return;
            }
            let before = self.declarer.result.diagnostics.len();
            self.declarer.generates = true;
            let built = self.declarer.build(&new, context);
            self.declarer.generates = false;
            let instance = built.map(|i| {
                let mut instance = i;
                instance.made_by(parent.reference());
                Arc::new(instance)
            });
            if let Some(instance) = &instance {
                self.declarer.result.catalog.insert_after(last, Arc::clone(instance));
                let dangling = dangling(instance, &self.declarer.result.catalog, declared);
                self.declarer.result.diagnostics.extend(dangling);
                *last = reference;
                self.made.push(Arc::clone(instance));
            }
            for found in self.declarer.result.diagnostics.iter_mut().skip(before) {
                *found = found.clone().also(place, "generated here");
            }
            let Some(instance) = instance else { continue };
            self.generate_of(&instance, last, depth + 1);
        }
    }
}

/// Returns the span of a block's opening brace; a snippet with the whole block would be too long.
fn opening(block: Span) -> Span {
    Span::new(block.start, block.start + 1)
}

#[cfg(test)]
mod tests {
    use crate::declare::{DeclareOptions, declare};
    use crate::manifest::from_manifest;
    use crate::resource::{Context, NoCatalog};
    use rtype_lang::eval::NoWorld;
    use rtype_lang::library::TypeSet;
    use rtype_lang::syntax::parse_manifest;

    #[test]
    fn what_generates_without_end_is_stopped() {
        let mut types = TypeSet::default();
        let text = "type t { newparam name; generate { [1, 2].map { |i| resource(:t, \"#{self.name}#{i}\") } } }";
        let source = types.sources.add("types", text).unwrap();
        types.load_text(&source, None);
        let source = types.sources.add("resources", "t { 'x': }").unwrap();
        let (declarations, _) = from_manifest(&parse_manifest(&source).0, &NoWorld);
        let context =
            Context { world: &NoWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
        // Two resources per parent would make 131072 on the last level.
        let found = declare(&declarations, &types, context, DeclareOptions::default());
        assert!(found.catalog.len() <= super::MAX_GENERATED + 1);
        let message = found.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
        assert!(message.ends_with(": what it generates goes on without end"), "{message}");
    }

    #[test]
    fn generated_resources_get_their_values_without_a_catalog() {
        let mut types = TypeSet::default();
        let text = "type t { newparam name; newparam has { defaultto { catalog.present? ? \"yes\" : \"no\" } }; generate { self.name == \"made\" ? [] : [resource(:t, \"made\")] } }";
        let source = types.sources.add("types", text).unwrap();
        types.load_text(&source, None);
        let source = types.sources.add("resources", "t { 'x': }").unwrap();
        let (declarations, _) = from_manifest(&parse_manifest(&source).0, &NoWorld);
        let context =
            Context { world: &NoWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
        let found = declare(&declarations, &types, context, DeclareOptions::default());
        let values: Vec<String> = found.catalog.iter().map(|i| i.get("has").to_text().to_string()).collect();
        assert_eq!(values, ["yes", "no"], "{:?}", found.diagnostics);
    }
}
