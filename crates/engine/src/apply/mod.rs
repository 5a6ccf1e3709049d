//! A run: applies a catalog's resources to a machine, in order.
//!
//! Follows Puppet's `Puppet::Transaction`, `Puppet::Transaction::ResourceHarness` and `Puppet::Transaction::EventManager`.

mod actor;
mod foresee;
mod harness;
mod instances;
mod late;
mod outcome;
mod reader;
mod refresh;
mod schedule;
mod tags;
mod write;

pub use outcome::{Counts, Event, EventStatus, Listener, NoListener, ResourceOutcome, ResourceStatus, Skip};

use super::backend::NativeBackend;
use crate::read::{DesiredResource, code_for};
use crate::state::SavedState;
use foldhash::fast::RandomState;
pub(crate) use instances::refusal_without_ruby;
use instances::{Admission, Instances};
use reader::Reader;
use refresh::Pending;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::LogLevel;
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Foreign;
use rtype_lang::source::Span;
use rtype_lang::types::ProviderBody;
use rtype_lang::value::{EcoString, ResourceRef};
use rtype_model::declare::KnownResources;
use rtype_model::manifest::Declarations;
use rtype_model::resource::{BlockMessage, Catalog, Context, Instance, MessageLog, Order, OrderNode, cycle_diagnostic};
use rtype_provider::ruby::CatalogEntry;
use rtype_provider::{Machine, NativeProviders, Provider, Request};
use rtype_system::process;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Options of a run.
#[derive(Debug)]
pub struct ApplyOptions {
    /// True to only report changes. A resource may override this.
    pub noop: bool,
    /// Only resources with one of these tags are applied. If empty, all resources are applied.
    pub tags: Vec<EcoString>,
    /// Resources with any of these tags are skipped.
    pub skip_tags: Vec<EcoString>,
    /// The run's start time, for schedules and for the state file.
    pub now: jiff::Zoned,
    /// True to report content differences as diffs.
    pub show_diff: bool,
}

/// The environment of a run.
pub struct RunContext<'a> {
    /// Code of the providers.
    pub natives: &'a NativeProviders,
    /// The machine.
    pub machine: &'a Machine,
    /// State from earlier runs.
    pub state: &'a mut SavedState,
    /// Set to stop the run. The resource being changed is finished first.
    pub stopped: &'a AtomicBool,
}

/// Returns a diagnostic for each dependency cycle. A catalog with cycles cannot be applied.
pub fn cycles(order: &Order) -> Vec<Diagnostic> {
    let found = |steps: Vec<_>| cycle_diagnostic(&steps, |span, message| Diagnostic::new(Code::DependencyCycle, span, message));
    order.cycles().into_iter().map(found).collect()
}

/// Applies a catalog with error-free declarations.
///
/// # Errors
/// Returns the diagnostics for dependency cycles, unknown schedules and invalid tags. In this case no resource has been changed.
pub fn apply(
    declarations: &Declarations,
    catalog: Catalog,
    types: &TypeSet,
    surroundings: RunContext<'_>,
    options: &ApplyOptions,
    listener: &mut dyn Listener,
) -> Result<Counts, Vec<Diagnostic>> {
    let unknown = schedule::unknown(&catalog);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let tags = tags::Tags::new(&options.tags, &options.skip_tags, declarations)?;
    // Programs started from here on may print a secret from any resource.
    let redactor = surroundings.machine.system().redactor();
    redactor.extend(types.secrets.redactor());
    catalog.iter().for_each(|instance| rtype_model::declare::learn(redactor, instance));
    surroundings.state.share(redactor);
    if let Some(warning) = surroundings.state.take_warning() {
        listener.log(None, LogLevel::Warning, &Foreign::from(warning));
    }
    let log = MessageLog::default();
    catalog.messages().iter().for_each(|message| log.add(message.clone()));
    report_messages(&log, listener);
    let machine = surroundings.machine.keeping_ids();
    let backend = NativeBackend { natives: surroundings.natives, system: machine.system() };
    let admission = Admission::new(surroundings.natives, machine.system());
    let (order, instances) = {
        let known = KnownResources::new(&catalog, types, Some(&backend));
        let context = context(&machine, &backend, &known, &log);
        declare_to_ruby(declarations, &catalog, surroundings.natives, context);
        let order = Order::of(declarations, &catalog, context);
        let members = catalog.iter().enumerate().map(|(thing, instance)| {
            let refusal = admission.refusal(instance, context).or_else(|| instances::unordered(thing, &order));
            (Arc::clone(instance), refusal)
        });
        let instances = Instances::new(members, order.len());
        (order, instances)
    };
    let sequence = order.sequence();
    let nodes = (0..order.len()).map(|thing| 1 + usize::from(order.is_container(thing))).sum::<usize>();
    if sequence.len() < nodes {
        let steps = order.cycles().into_iter().flatten();
        steps.filter(|step| catalog.named(step.to).is_some()).for_each(|step| listener.in_cycle(step.to));
        return Err(cycles(&order));
    }
    let mut run = Run {
        declarations,
        natives: surroundings.natives,
        machine: &machine,
        backend,
        state: surroundings.state,
        stopped: surroundings.stopped,
        log: &log,
        tags,
        options,
        types,
        listener: RefCell::new(listener),
        total: catalog.len() + declarations.unusable.len(),
        catalog,
        order,
        instances,
        admission,
        reader: Reader::default(),
        culprits: HashMap::default(),
        pending: HashMap::default(),
        suitable: HashMap::default(),
        counts: Counts::default(),
        prospect: foresee::Prospect::default(),
    };
    run.declare_to_programs();
    run.sequence(&sequence);
    let labels = run.instances.all().map(|instance| instance.label());
    let known: Vec<ResourceRef> = labels.chain(declarations.unusable.keys().cloned()).collect();
    run.report_messages();
    run.state.keep(&known, declarations.is_compiled, options.now.timestamp());
    Ok(run.counts)
}

fn context<'a>(
    machine: &'a Machine,
    backend: &'a NativeBackend<'a>,
    catalog: &'a dyn rtype_lang::eval::CatalogQuery,
    log: &'a MessageLog,
) -> Context<'a> {
    Context { world: machine, catalog, backend: Some(backend), strict: false, trace: false, offline: false, log: Some(log) }
}

/// Passes new messages from blocks to the listener.
fn report_messages(log: &MessageLog, listener: &mut dyn Listener) {
    for BlockMessage { reference, level, message, .. } in log.take() {
        listener.log(Some(&reference), level, &Foreign::from(message));
    }
}

/// Sends all resources to Ruby, if a Ruby provider manages one: a provider may remove undeclared resources.
fn declare_to_ruby(declarations: &Declarations, catalog: &Catalog, natives: &NativeProviders, context: Context<'_>) {
    let Some(ruby) = natives.programs.ruby() else { return };
    if !catalog.iter().any(|instance| code_for(instance, natives).is_some_and(|code| code.decider().is_some())) {
        return;
    }
    let names: Vec<EcoString> = catalog.iter().map(|instance| instance.name()).collect();
    let wanted: Vec<DesiredResource<'_>> = catalog.iter().map(|instance| DesiredResource { instance, context }).collect();
    let built = names.iter().zip(&wanted).map(|(name, resource)| {
        let has_unknown_resources = instances::has_unknown_resources(resource.instance, context);
        let entry = if has_unknown_resources { CatalogEntry::Generator } else { CatalogEntry::Built };
        entry(&resource.instance.type_def, Request { name, resource })
    });
    let unusable = declarations.unusable.iter().map(|(reference, why)| CatalogEntry::Unusable(reference, why));
    ruby.declare(built.chain(unusable));
}

/// The state of a run in progress.
struct Run<'a> {
    declarations: &'a Declarations,
    natives: &'a NativeProviders,
    machine: &'a Machine,
    backend: NativeBackend<'a>,
    state: &'a mut SavedState,
    stopped: &'a AtomicBool,
    /// Messages from blocks, not reported yet.
    log: &'a MessageLog,
    tags: tags::Tags<'a>,
    options: &'a ApplyOptions,
    types: &'a TypeSet,
    listener: RefCell<&'a mut dyn Listener>,
    /// Number of resources known so far.
    total: usize,
    catalog: Catalog,
    order: Order,
    instances: Instances,
    admission: Admission<'a>,
    reader: Reader,
    /// For each node, the failed resources on which it depends.
    culprits: HashMap<OrderNode, Vec<usize>, RandomState>,
    /// For each node, pending refresh events.
    pending: HashMap<OrderNode, Pending, RandomState>,
    /// Cached provider suitability since the last change.
    suitable: HashMap<late::ProviderKey, bool, RandomState>,
    counts: Counts,
    /// The machine's predicted state in a noop run.
    prospect: foresee::Prospect,
}

/// The action for a resource that is due.
enum Turn {
    /// Skip it.
    Skip(Skip),
    /// Postpone the resource and its dependents, because the provider is not suitable yet.
    Wait,
    /// Evaluate it.
    Go,
}

impl<'a> Run<'a> {
    /// Calls a function with the context for blocks, which borrows the catalog.
    fn with_context<T>(&self, action: impl FnOnce(Context<'_>) -> T) -> T {
        let known = KnownResources::new(&self.catalog, self.types, Some(&self.backend));
        let result = action(context(self.machine, &self.backend, &known, self.log));
        self.report_messages();
        result
    }

    /// Passes new messages from blocks to the listener. While the listener is in use, messages are kept for the next call.
    fn report_messages(&self) {
        if let Ok(mut listener) = self.listener.try_borrow_mut() {
            report_messages(self.log, &mut **listener);
        }
    }

    /// Stores the resources for provider programs, if a program manages one.
    fn declare_to_programs(&self) {
        let is_program = |instance: &Arc<Instance>| {
            let type_def = &instance.type_def;
            let provider = instance.provider().and_then(|name| type_def.providers.get(name.as_str()));
            let worker = provider.and_then(|provider| type_def.worker(provider));
            worker.is_some_and(|(_, worker)| matches!(worker.body, ProviderBody::Program(_)))
        };
        if !self.instances.all().any(is_program) {
            return;
        }
        let names: Vec<EcoString> = self.instances.all().map(|instance| instance.name()).collect();
        self.with_context(|context| {
            let wanted: Vec<DesiredResource<'_>> = self.instances.all().map(|instance| DesiredResource { instance, context }).collect();
            let requests = names.iter().zip(&wanted).map(|(name, resource)| (&*resource.instance.type_def, Request { name, resource }));
            self.natives.programs.declare(requests);
        });
    }

    /// Evaluates all resources in order. Resources with unsuitable providers are postponed and retried while other resources make progress.
    fn sequence(&mut self, sequence: &[OrderNode]) {
        let coming: Vec<(usize, Arc<Instance>)> =
            sequence.iter().filter_map(|p| Some((p.thing(), self.instances.get(p.thing())?.clone()))).collect();
        self.reader.expect(coming.iter().map(|(thing, instance)| (*thing, &**instance)));
        drop(coming);
        let mut waiting = self.pass(sequence, false);
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting = self.pass(&waiting, false);
            if waiting.len() == before {
                self.pass(&waiting, true);
                return;
            }
        }
    }

    /// Evaluates a sequence once and returns the postponed nodes. With `last`, no node is postponed.
    fn pass(&mut self, sequence: &[OrderNode], last: bool) -> Vec<OrderNode> {
        let mut waiting: Vec<OrderNode> = Vec::new();
        let mut blocked: std::collections::HashSet<OrderNode, RandomState> = std::collections::HashSet::default();
        let mut at = 0;
        while let Some(place) = sequence.get(at).copied() {
            at += 1;
            let thing = place.thing();
            let is_blocked = blocked.contains(&place);
            let Some(instance) = self.instances.get(thing).cloned() else {
                if is_blocked {
                    self.order.behind(place).for_each(|(next, _)| {
                        blocked.insert(next);
                    });
                    waiting.push(place);
                } else if let Some((instance, why)) = self.instances.unusable(thing) {
                    let (instance, why) = (Arc::clone(instance), why.clone());
                    match self.skipped(thing, &instance) {
                        Some(skip) => self.skip(thing, &instance, skip),
                        None => self.fail(thing, &instance, why, process::now()),
                    }
                } else if let Some((reference, why)) = self.unusable(place) {
                    self.set_aside(place, reference, why);
                } else {
                    // A container's beginning or end only passes events on.
                    self.pass_on(place);
                }
                continue;
            };
            let turn = if is_blocked { Turn::Wait } else { self.turn(thing, &instance) };
            match turn {
                Turn::Wait if !last || is_blocked => {
                    self.order.behind(place).for_each(|(next, _)| {
                        blocked.insert(next);
                    });
                    waiting.push(place);
                }
                Turn::Wait => self.unsuitable(thing),
                Turn::Skip(why) => self.skip(thing, &instance, why),
                Turn::Go => {
                    let mut batch = vec![thing];
                    while let Some(next) = sequence.get(at).copied().filter(|next| self.goes_with(&batch, *next)) {
                        batch.push(next.thing());
                        at += 1;
                    }
                    self.evaluate(&batch);
                }
            }
        }
        waiting
    }

    /// Decides the next action for a resource.
    fn turn(&mut self, thing: usize, instance: &Arc<Instance>) -> Turn {
        match self.skipped(thing, instance) {
            Some(why) => Turn::Skip(why),
            None if self.becomes_suitable(thing) => Turn::Go,
            None => Turn::Wait,
        }
    }

    /// Returns why a resource is skipped.
    fn skipped(&self, thing: usize, instance: &Instance) -> Option<Skip> {
        if self.stopped.load(Ordering::Relaxed) {
            return Some(Skip::Stopped);
        }
        if let Some(culprits) = self.culprits.get(&OrderNode::of(thing)) {
            return Some(Skip::Dependencies(self.named(culprits)));
        }
        self.tags.skip(instance, &self.catalog).or_else(|| (!self.is_scheduled(instance)).then_some(Skip::Schedule))
    }

    /// Returns true if a resource may be written together with a batch: the provider supports batches, and no resource in the batch is
    /// ordered before it.
    fn goes_with(&mut self, batch: &[usize], next: OrderNode) -> bool {
        let first = batch.first().and_then(|first| self.instances.get(*first)).cloned();
        let (Some(first), Some(instance)) = (first, self.instances.get(next.thing()).cloned()) else { return false };
        if instance.type_def.name != first.type_def.name || instance.provider() != first.provider() {
            return false;
        }
        let Some(code) = self.code(&first) else { return false };
        let depends = || batch.iter().any(|b| self.order.behind(OrderNode::of(*b)).any(|(behind, _)| behind == next));
        batch.len() < code.batch(self.machine.system())
            && !depends()
            && (batch.len() > 1 || self.is_independent(&*code, &first))
            && self.is_independent(&*code, &instance)
            && matches!(self.turn(next.thing(), &instance), Turn::Go)
    }

    fn is_independent(&self, code: &dyn Provider, instance: &Instance) -> bool {
        let name = instance.name();
        self.with_context(|context| code.is_independent(Request { name: &name, resource: &DesiredResource { instance, context } }))
    }

    /// Skips a resource and drops the pending refreshes.
    fn skip(&mut self, thing: usize, instance: &Arc<Instance>, why: Skip) {
        self.listener.borrow_mut().resource(instance);
        let place = OrderNode::of(thing);
        self.pending.remove(&place);
        if let Skip::Dependencies(_) = why {
            let culprits = self.culprits.get(&place).cloned().unwrap_or_default();
            self.blame(place, &culprits);
        }
        self.finish(ResourceOutcome {
            reference: instance.label(),
            span: instance.span,
            status: ResourceStatus::Skipped(why),
            events: Vec::new(),
            failure: None,
            failed_at: None,
            refreshed: false,
            refresh_failed: false,
            time: Duration::ZERO,
        });
    }

    /// Marks all direct successors of a node as depending on these failed resources.
    fn blame(&mut self, place: OrderNode, culprits: &[usize]) {
        for (next, _) in self.order.behind(place) {
            let known = self.culprits.entry(next).or_default();
            for culprit in culprits {
                if !known.contains(culprit) {
                    known.push(*culprit);
                }
            }
        }
    }

    /// Returns the names of failed dependencies.
    fn named(&self, culprits: &[usize]) -> Vec<ResourceRef> {
        let one = |culprit: &usize| match self.instances.named(*culprit) {
            Some(instance) => Some(instance.label()),
            None => self.order.thing(*culprit).cloned(),
        };
        culprits.iter().filter_map(one).collect()
    }

    /// Returns the resource at a node, with the reason for setting it aside.
    fn unusable(&self, place: OrderNode) -> Option<(ResourceRef, String)> {
        let reference = self.order.thing(place.thing())?;
        let why = self.declarations.unusable.get(reference)?;
        Some((reference.clone(), why.clone()))
    }

    /// Reports a resource that was set aside: as failed, unless another reason would skip the resource.
    fn set_aside(&mut self, place: OrderNode, reference: ResourceRef, why: String) {
        let thing = place.thing();
        let status = if self.stopped.load(Ordering::Relaxed) {
            ResourceStatus::Skipped(Skip::Stopped)
        } else if let Some(culprits) = self.culprits.remove(&place) {
            self.blame(place, &culprits);
            ResourceStatus::Skipped(Skip::Dependencies(self.named(&culprits)))
        } else if let Some(skip) = self.tags.skip_unbuilt(&reference) {
            ResourceStatus::Skipped(skip)
        } else {
            self.blame(place, &[thing]);
            ResourceStatus::Failed
        };
        let failure = (status == ResourceStatus::Failed).then(|| Foreign::from(why));
        let declared = self.declarations.resources.iter().find(|declared| declared.reference() == reference);
        let span = declared.map_or(Span::NONE, |declared| declared.span);
        let (events, failed_at, time) = (Vec::new(), None, Duration::ZERO);
        let (refreshed, refresh_failed) = (false, false);
        self.finish(ResourceOutcome { reference, span, status, events, failure, failed_at, refreshed, refresh_failed, time });
    }

    /// Passes failures and refreshes through a container's beginning or end.
    fn pass_on(&mut self, place: OrderNode) {
        if let Some(culprits) = self.culprits.remove(&place) {
            self.blame(place, &culprits);
        }
        if let Some(pending) = self.pending.remove(&place) {
            self.refresh_after(place, &pending);
        }
    }

    /// Counts and reports a resource's outcome.
    fn finish(&mut self, outcome: ResourceOutcome) {
        self.counts.add(&outcome);
        self.listener.borrow_mut().done(&outcome);
    }

    /// Reports a failure of the whole resource, before any property was changed.
    fn fail(&mut self, thing: usize, instance: &Arc<Instance>, message: impl Into<Foreign>, begun: Instant) {
        self.listener.borrow_mut().resource(instance);
        self.blame(OrderNode::of(thing), &[thing]);
        self.finish(ResourceOutcome {
            reference: instance.label(),
            span: instance.span,
            status: ResourceStatus::Failed,
            events: Vec::new(),
            failure: Some(message.into()),
            failed_at: None,
            refreshed: false,
            refresh_failed: false,
            time: begun.elapsed(),
        });
    }
}
