//! Steps that depend on the run's progress: provider suitability, and resources generated during the run.

use super::Run;
use crate::read::{Current, code_for};
use rtype_lang::redact::Foreign;
use rtype_lang::value::{ResourceRef, Symbol};
use rtype_model::declare::Declarer;
use rtype_model::declare::generate_late;
use rtype_model::resource::{Instance, OrderNode, Phase, Preparation, generated, survey};
use rtype_provider::Provider;
use rtype_system::process;
use std::sync::Arc;

/// A type name and a provider name.
pub(super) type ProviderKey = (Symbol, Symbol);

impl Run<'_> {
    /// Returns the code of a resource's provider.
    pub(super) fn code(&self, instance: &Instance) -> Option<Arc<dyn Provider>> {
        code_for(instance, self.natives)
    }

    fn refusal(&self, instance: &Instance) -> Option<Foreign> {
        self.with_context(|context| self.admission.refusal(instance, context))
    }

    /// Returns true if a resource has a suitable provider. If a provider has just become suitable, the resource is rebuilt with this
    /// provider.
    ///
    /// Follows Puppet's `Puppet::Type#suitable?`.
    pub(super) fn becomes_suitable(&mut self, thing: usize) -> bool {
        let Some(instance) = self.instances.get(thing).cloned() else { return true };
        if instance.type_def.providers.is_empty() || self.natives.simulation().is_some() {
            return true;
        }
        let Some(provider) = instance.provider().cloned() else { return self.choose_now(thing, &instance) };
        let key = (instance.type_def.name.clone(), provider.clone());
        if let Some(known) = self.suitable.get(&key) {
            return *known;
        }
        let survey = survey(&instance.type_def, self.machine);
        let suitable = survey.iter().find(|s| s.provider == provider).is_some_and(|s| s.is_suitable());
        self.suitable.insert(key, suitable);
        suitable
    }

    /// Rebuilds a resource that was built without a provider.
    fn choose_now(&mut self, thing: usize, instance: &Arc<Instance>) -> bool {
        let reference = instance.reference();
        let Some(declared) = self.declarations.resources.iter().find(|d| d.reference() == reference) else { return false };
        let built = self.with_context(|context| Preparation::new(Arc::clone(&instance.type_def), context).build(declared, context));
        let Some(new) = built.instance.filter(|i| i.provider().is_some()) else { return false };
        let new = Arc::new(new);
        self.catalog.insert(Arc::clone(&new));
        let refusal = self.refusal(&new);
        self.instances.replace(thing, (new, refusal))
    }

    /// Reports a resource if no remaining resource can make the provider suitable: as failed, or in a noop run as a possible change if an
    /// earlier change might make the provider suitable.
    pub(super) fn unsuitable(&mut self, thing: usize) {
        let Some(instance) = self.instances.get(thing).cloned() else { return };
        let survey = survey(&instance.type_def, self.machine);
        let reasons = |name: &Symbol| {
            let found = survey.iter().find(|s| s.provider == *name);
            found.map(|s| s.reasons.iter().map(|r| r.reason.as_str()).collect::<Vec<_>>().join("; ")).unwrap_or_default()
        };
        let type_name = &instance.type_def.name;
        let message = match instance.provider() {
            Some(provider) => format!("the provider `{provider}` does not work here: {}", reasons(provider)),
            None if let Some(open) = survey.iter().find(|s| s.is_open()) => {
                let why = reasons(&open.provider);
                format!("the default provider of `{type_name}` is not known: `{}`: {why}; choose one with `provider =>`", open.provider)
            }
            None => format!("no provider of `{type_name}` works here; `rtype describe {type_name} --providers` shows why"),
        };
        if !self.waits_for_provider(thing, &instance, &message) {
            self.fail(thing, &instance, message, process::now());
        }
    }

    /// Runs a resource's `eval_generate` block and evaluates the generated resources immediately. Returns the combined outcome, which
    /// counts as the generator's outcome.
    pub(super) fn generate_late(&mut self, instance: &Arc<Instance>, current: &Current) -> Late {
        let mut late = Late::default();
        if instance.type_def.eval_generate.is_none() {
            return late;
        }
        let answer = current.reader(instance);
        let generated = self.with_context(|context| generated(instance, Phase::Late, Some(&answer), context));
        // Most resources generate no others, and the steps below take time proportional to the catalog size.
        if generated.as_ref().is_ok_and(Vec::is_empty) {
            return late;
        }
        let catalog = std::mem::take(&mut self.catalog);
        let (catalog, made, diagnostics) = {
            let mut declarer = Declarer::new(catalog, self.types);
            let context = super::context(self.machine, &self.backend, &rtype_model::resource::NoCatalog, self.log);
            // The order also contains classes and defined types, which are not in the catalog.
            let declared = |reference: &ResourceRef| self.order.number(reference).is_some();
            let made = generate_late(&mut declarer, instance, generated, &declared, context);
            (declarer.result.catalog, made, declarer.result.diagnostics)
        };
        self.catalog = catalog;
        let own = format!("{}: ", instance.reference());
        for diagnostic in diagnostics.iter().filter(|d| d.is_error()) {
            // The report begins with the resource name.
            let message = diagnostic.message.strip_prefix(&own).unwrap_or(&diagnostic.message);
            late.failures.push(message.into());
        }
        let first = self.instances.len();
        for new in made {
            // A resource generated before the run and completed now keeps the position in the order.
            let number = self.order.number(&new.reference());
            let refusal = self.refusal(&new).or_else(|| super::instances::unordered(number?, &self.order));
            match number {
                Some(thing) if self.instances.replace(thing, (Arc::clone(&new), refusal.clone())) => self.reader.forget(thing),
                _ => {
                    self.total += 1;
                    self.instances.push((new, refusal));
                }
            }
        }
        let places: Vec<OrderNode> = (first..self.instances.len()).map(OrderNode::of).collect();
        let before = self.counts;
        self.sequence(&places);
        late.failed = self.counts.failed > before.failed;
        late.changed = self.counts.changed - before.changed;
        late.would_change = self.counts.would_change - before.would_change;
        late
    }
}

/// The combined outcome for resources generated during the run.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// Errors in generating resources.
    pub failures: Vec<Foreign>,
    pub failed: bool,
    pub changed: usize,
    pub would_change: usize,
}
