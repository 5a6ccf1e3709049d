//! A run: brings a machine into its declared state, resource by resource, in order.
//!
//! Follows Puppet's `Puppet::Transaction`, `Puppet::Transaction::ResourceHarness` and `Puppet::Transaction::EventManager`.

mod actor;
mod foresee;
mod harness;
mod late;
mod outcome;
mod reader;
mod refresh;
mod schedule;
mod tags;

pub use outcome::{Counts, Event, EventStatus, Fate, Listener, NoListener, ResourceOutcome, Skip};

use super::backend::NativeBackend;
use crate::state::State;
use foldhash::fast::RandomState;
use reader::Reader;
use refresh::Pending;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::Library;
use rtype_lang::redact::Foreign;
use rtype_lang::value::EcoString;
use rtype_model::declare::Known;
use rtype_model::manifest::Declarations;
use rtype_model::resource::{Catalog, Context, Instance, Order, Place, Why, cycle_in_words};
use rtype_provider::{Machine, NativeProviders};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a run is to go.
#[derive(Debug)]
pub struct Options {
    /// Whether nothing is changed, but told what would be. A resource may say otherwise of itself.
    pub noop: bool,
    /// Only resources with one of these tags; all where there are none.
    pub tags: Vec<EcoString>,
    /// When the run takes place, for schedules and for what is remembered.
    pub now: jiff::Zoned,
    /// Whether differences of contents are told line by line.
    pub show_diff: bool,
}

/// What a run works with.
pub struct Surroundings<'a> {
    /// The code of the providers.
    pub natives: &'a NativeProviders,
    /// The machine.
    pub machine: &'a Machine,
    /// What earlier runs have left to remember.
    pub state: &'a mut State,
    /// Turns true when somebody wants the run to stop: the resource that is being changed is finished.
    pub stopped: &'a AtomicBool,
}

/// Where the resources of a catalog wait for each other: nothing can be applied then.
pub fn cycles(order: &Order) -> Vec<Diagnostic> {
    let in_words = |steps: Vec<rtype_model::resource::Step<'_>>| {
        let first = steps.iter().find(|s| s.reason.why == Why::Said).or(steps.first());
        let (span, label) = first.map(|s| (s.reason.span, s.words())).unwrap_or_default();
        let mut found = Diagnostic::new(Code::DependencyCycle, span, cycle_in_words(&steps)).label(label);
        for step in steps.iter().filter(|s| s.reason.span != span && s.from != s.to) {
            found = found.also(step.reason.span, step.words());
        }
        found.help("take one of the relations away")
    };
    order.cycles().into_iter().map(in_words).collect()
}

/// Applies a catalog whose declarations have no errors.
///
/// # Errors
/// When resources wait for each other; nothing has been done then.
pub fn apply(
    declarations: &Declarations,
    catalog: Catalog,
    library: &mut Library,
    surroundings: Surroundings<'_>,
    options: &Options,
    listener: &mut dyn Listener,
) -> Result<Counts, Vec<Diagnostic>> {
    let unknown = schedule::unknown(&catalog);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    // Every program started from here on may repeat a secret of any resource.
    let redactor = surroundings.machine.system().redactor();
    redactor.extend(library.secrets.redactor());
    catalog.iter().for_each(|instance| rtype_model::declare::learn(redactor, instance));
    surroundings.state.share(redactor);
    let library = RefCell::new(library);
    let backend = NativeBackend { natives: surroundings.natives, system: surroundings.machine.system() };
    let order = {
        let known = Known::new(&catalog, &library, Some(&backend));
        Order::of(declarations, &catalog, context(surroundings.machine, &backend, &known))
    };
    let sequence = order.sequence();
    let nodes = (0..order.len()).map(|thing| 1 + usize::from(order.is_container(thing))).sum::<usize>();
    if sequence.len() < nodes {
        return Err(cycles(&order));
    }
    let mut instances: Vec<Option<Arc<Instance>>> = catalog.iter().cloned().map(Some).collect();
    instances.resize(order.len(), None);
    let mut run = Run {
        declarations,
        natives: surroundings.natives,
        machine: surroundings.machine,
        backend,
        state: surroundings.state,
        stopped: surroundings.stopped,
        tags: tags::Tags::new(&options.tags, declarations),
        options,
        library: &library,
        listener: RefCell::new(listener),
        total: catalog.len(),
        catalog,
        order,
        instances,
        reader: Reader::default(),
        culprits: HashMap::default(),
        pending: HashMap::default(),
        suitable: HashMap::default(),
        counts: Counts::default(),
        prospect: foresee::Prospect::default(),
    };
    run.sequence(&sequence);
    let Run { counts, catalog, order, instances, reader, .. } = run;
    // Of a large catalog this takes a while, for which nobody has to wait.
    rayon::spawn(move || drop((catalog, order, instances, reader)));
    Ok(counts)
}

fn context<'a>(machine: &'a Machine, backend: &'a NativeBackend<'a>, catalog: &'a dyn rtype_lang::eval::CatalogQuery) -> Context<'a> {
    Context { world: machine, catalog, backend: Some(backend), strict: false, trace: false, offline: false }
}

/// A run under way.
struct Run<'a, 'l> {
    declarations: &'a Declarations,
    natives: &'a NativeProviders,
    machine: &'a Machine,
    backend: NativeBackend<'a>,
    state: &'a mut State,
    stopped: &'a AtomicBool,
    tags: tags::Tags,
    options: &'a Options,
    library: &'a RefCell<&'l mut Library>,
    listener: RefCell<&'a mut dyn Listener>,
    /// How many resources there are, as far as that is known.
    total: usize,
    catalog: Catalog,
    order: Order,
    /// The resources by their numbers in the order; what was generated on the way is behind all others.
    instances: Vec<Option<Arc<Instance>>>,
    reader: Reader,
    /// The failed resources on which what stands at a place depends.
    culprits: HashMap<Place, Vec<usize>, RandomState>,
    /// Refreshes that wait for what stands at a place.
    pending: HashMap<Place, Pending, RandomState>,
    /// Whether providers can work, as far as that was asked since something was changed.
    suitable: HashMap<late::ProviderKey, bool, RandomState>,
    counts: Counts,
    /// What would be on the machine if the changes that were only reported had been made.
    prospect: foresee::Prospect,
}

/// What is to happen when a resource's turn has come.
enum Turn {
    /// It is passed over.
    Skip(Skip),
    /// Its provider cannot work yet: it, and what depends on it, waits for others.
    Wait,
    /// It is looked at.
    Go,
}

impl<'a> Run<'a, '_> {
    /// Hands out what blocks see. The catalog is borrowed with it.
    fn with_context<T>(&self, action: impl FnOnce(Context<'_>) -> T) -> T {
        let known = Known::new(&self.catalog, self.library, Some(&self.backend));
        action(context(self.machine, &self.backend, &known))
    }

    /// Gives each its turn; what cannot work yet waits until all others are through, as often as that helps.
    fn sequence(&mut self, sequence: &[Place]) {
        let coming: Vec<(usize, Arc<Instance>)> =
            sequence.iter().filter_map(|p| Some((p.thing(), self.instances.get(p.thing())?.clone()?))).collect();
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

    /// Goes through a sequence once; gives back what has to wait. `last` says that waiting is over.
    fn pass(&mut self, sequence: &[Place], last: bool) -> Vec<Place> {
        let mut waiting: Vec<Place> = Vec::new();
        let mut blocked: std::collections::HashSet<Place, RandomState> = std::collections::HashSet::default();
        let mut at = 0;
        while let Some(place) = sequence.get(at).copied() {
            at += 1;
            let thing = place.thing();
            let is_blocked = blocked.contains(&place);
            let Some(instance) = self.instances.get(thing).cloned().flatten() else {
                // Where a container begins or ends nothing happens.
                if is_blocked {
                    self.order.behind(place).for_each(|(next, _)| {
                        blocked.insert(next);
                    });
                    waiting.push(place);
                } else {
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

    /// What is to happen with a resource now.
    fn turn(&mut self, thing: usize, instance: &Arc<Instance>) -> Turn {
        if self.stopped.load(Ordering::Relaxed) {
            return Turn::Skip(Skip::Stopped);
        }
        if let Some(culprits) = self.culprits.get(&Place::of(thing)) {
            let named = culprits.iter().filter_map(|c| Some(self.instances.get(*c)?.as_ref()?.label()));
            return Turn::Skip(Skip::Dependencies(named.collect()));
        }
        if !self.tags.let_through(instance, &self.catalog) {
            return Turn::Skip(Skip::Tags);
        }
        if !self.is_scheduled(instance) {
            return Turn::Skip(Skip::Schedule);
        }
        if self.becomes_suitable(thing) { Turn::Go } else { Turn::Wait }
    }

    /// Whether a resource may be written together with those of a batch: their provider takes several at once, and none of
    /// them goes before it.
    fn goes_with(&mut self, batch: &[usize], next: Place) -> bool {
        let first = batch.first().and_then(|first| self.instances.get(*first)?.clone());
        let (Some(first), Some(instance)) = (first, self.instances.get(next.thing()).cloned().flatten()) else { return false };
        if instance.type_def.name != first.type_def.name || instance.provider() != first.provider() {
            return false;
        }
        let most = self.code(&first).map_or(1, |code| code.batch(self.machine.system()));
        let depends = || batch.iter().any(|b| self.order.behind(Place::of(*b)).any(|(behind, _)| behind == next));
        batch.len() < most && !depends() && matches!(self.turn(next.thing(), &instance), Turn::Go)
    }

    /// A resource is passed over: what waits for a refresh of it waits in vain.
    fn skip(&mut self, thing: usize, instance: &Arc<Instance>, why: Skip) {
        let place = Place::of(thing);
        self.pending.remove(&place);
        if let Skip::Dependencies(_) = why {
            let culprits = self.culprits.get(&place).cloned().unwrap_or_default();
            self.blame(place, &culprits);
        }
        self.finish(ResourceOutcome {
            reference: instance.label(),
            span: instance.span,
            fate: Fate::Skipped(why),
            events: Vec::new(),
            failure: None,
            refreshed: false,
            refresh_failed: false,
            time: Duration::ZERO,
        });
    }

    /// What comes behind a place cannot be managed because these failed.
    fn blame(&mut self, place: Place, culprits: &[usize]) {
        for (next, _) in self.order.behind(place) {
            let known = self.culprits.entry(next).or_default();
            for culprit in culprits {
                if !known.contains(culprit) {
                    known.push(*culprit);
                }
            }
        }
    }

    /// Where a container begins or ends: what it was told goes on to all that is behind.
    fn pass_on(&mut self, place: Place) {
        if let Some(culprits) = self.culprits.remove(&place) {
            self.blame(place, &culprits);
        }
        if let Some(pending) = self.pending.remove(&place) {
            self.refresh_behind(place, &pending);
        }
    }

    /// A resource is done.
    fn finish(&mut self, outcome: ResourceOutcome) {
        self.counts.add(&outcome);
        self.listener.borrow_mut().done(&outcome);
    }

    /// A resource that failed before anything was tried.
    fn fail(&mut self, thing: usize, instance: &Arc<Instance>, message: impl Into<Foreign>, begun: Instant) {
        self.blame(Place::of(thing), &[thing]);
        self.finish(ResourceOutcome {
            reference: instance.label(),
            span: instance.span,
            fate: Fate::Failed,
            events: Vec::new(),
            failure: Some(message.into()),
            refreshed: false,
            refresh_failed: false,
            time: begun.elapsed(),
        });
    }
}
