//! Creates, changes and removes random resources with a declared provider on a simulated machine. Checks the properties of every provider:
//! written values are read back, a second run changes nothing, and other resources stay unchanged.

mod sample;

pub(crate) use sample::Sample;

use rtype_engine::NativeBackend;
use rtype_engine::apply::{ApplyOptions, Counts, Event, EventStatus, Listener, ResourceOutcome, RunContext, apply};
use rtype_engine::state::SavedState;
use rtype_lang::eval::grant_resources;
use rtype_lang::library::TypeSet;
use rtype_lang::redact::Redactor;
use rtype_lang::types::{ConfineTest, DeclaredDef, DeclaredKind, ProviderBody, ProviderDef, TypeDef};
use rtype_lang::value::ResourceRef;
use rtype_model::declare::{DeclareOptions, Purpose, declare};
use rtype_model::manifest::{Declared, from_source};
use rtype_model::resource::{Context, NoCatalog};
use rtype_provider::{Machine, NativeProviders, System};
use rtype_system::named;
use sample::{Random, Samples, without};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The number of attempts to draw a valid candidate.
const ATTEMPTS: usize = 60;
/// The maximum number of runs spent on a smaller reproducer.
const SHRINKING: usize = 300;

/// The tested provider and its context.
pub(crate) struct Lifecycle<'a> {
    pub type_def: Arc<TypeDef>,
    pub provider: &'a ProviderDef,
    pub types: &'a TypeSet,
    pub natives: &'a NativeProviders,
    /// Resources in the type's tests, as a source of values.
    pub accepted: Vec<Declared>,
    /// Programs that replace the provider's commands.
    pub commands: Vec<StandIn>,
}

/// A program of the simulated machine.
pub(crate) struct StandIn {
    pub name: OsString,
    pub content: Vec<u8>,
}

/// The resources of a case. `created` is created, turned into `changed` and removed; `other` must stay unchanged.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub created: Sample,
    pub changed: Sample,
    pub other: Option<Sample>,
}

/// The failure of a case.
#[derive(Clone, Debug)]
pub(crate) struct LifecycleFailure {
    /// The steps up to the failure, each with its declarations.
    pub steps: Vec<(&'static str, String)>,
    /// A description of the failure.
    pub message: String,
    /// The titles of the affected resources.
    pub titles: Vec<String>,
}

/// The result of a test.
#[derive(Debug, Default)]
pub(crate) struct LifecycleResult {
    /// The number of resources that went through the whole cycle.
    pub passed: u64,
    /// The number of cases without a valid resource.
    pub skipped: u64,
    /// The number of cases with a resource that the type accepts and the provider refuses to write.
    pub refused: u64,
    /// The number, the smallest reproducer and the failure of the first failed case.
    pub failed: Option<(u64, Case, LifecycleFailure)>,
}

/// The result of a case.
enum CaseOutcome {
    Passed,
    Refused,
    Failed(LifecycleFailure),
}

/// Collects the events of a run.
struct Events {
    lines: Vec<String>,
    titles: Vec<String>,
    redactor: Redactor,
    /// The number of failures in blocks of the provider. Such a block refuses the resource.
    refusals: usize,
}

/// The result of a run.
struct Applied {
    counts: Counts,
    events: Vec<String>,
    titles: Vec<String>,
    is_refused: bool,
}

impl Listener for Events {
    fn event(&mut self, reference: &ResourceRef, event: &Event) {
        let failed = if event.status == EventStatus::Failure { "failed: " } else { "" };
        self.titles.push(reference.title.to_string());
        self.refusals += usize::from(event.failed_at.is_some());
        self.lines.push(format!("{reference}: {failed}{}", self.redactor.reveal(&event.message)));
    }

    fn done(&mut self, outcome: &ResourceOutcome) {
        self.lines.extend(outcome.failure.iter().map(|why| format!("{} failed: {}", outcome.reference, self.redactor.reveal(why))));
    }
}

impl Lifecycle<'_> {
    /// Tests `cases` random resources.
    ///
    /// # Errors
    /// If the directory of the simulated machine cannot be created.
    pub fn run(&self, seed: u64, cases: u64) -> io::Result<LifecycleResult> {
        let samples = Samples::new(&self.type_def, &self.accepted);
        let mut result = LifecycleResult::default();
        for number in 0..cases {
            let Some(case) = self.draw(&samples, &mut Random::new(seed, number))? else {
                result.skipped += 1;
                continue;
            };
            match self.check(&case)? {
                CaseOutcome::Passed => result.passed += 1,
                CaseOutcome::Refused => result.refused += 1,
                CaseOutcome::Failed(failure) => {
                    let (case, failure) = self.shrink(case, failure)?;
                    result.failed = Some((number, case, failure));
                    break;
                }
            }
        }
        Ok(result)
    }

    /// Returns the declaration of a sample.
    pub fn declaration(&self, sample: &Sample, ensure: &str) -> String {
        let ensure = self.type_def.id_of("ensure").map(|_| ensure);
        sample.manifest(self.type_def.name.as_str(), ensure, Some(self.provider.name.as_str()))
    }

    /// Draws valid resources; `None` if the type rejects all candidates.
    fn draw(&self, samples: &Samples<'_>, random: &mut Random) -> io::Result<Option<Case>> {
        let machine = SimulatedMachine::new(self)?;
        let mut valid = |title: Option<&str>| {
            (0..ATTEMPTS).find_map(|_| {
                let title = title.map_or_else(|| samples.title(random), str::to_owned);
                let sample = Sample { title, attributes: samples.attributes(self.provider, random) };
                self.is_valid(&sample, &machine).then_some(sample)
            })
        };
        let Some(created) = valid(None) else { return Ok(None) };
        let Some(changed) = valid(Some(&created.title)).map(|changed| self.kept(&created, changed)) else { return Ok(None) };
        if !self.is_valid(&changed, &machine) {
            return Ok(None);
        }
        let other = valid(None).filter(|other| other.title != created.title);
        // Two titles may name the same resource.
        let case = Case { created, changed, other };
        let both = case
            .other
            .iter()
            .map(|other| format!("{}\n{}", self.declaration(&case.created, "present"), self.declaration(other, "present")));
        let is_pair = both.into_iter().all(|text| self.is_accepted(&text, &machine));
        Ok(Some(Case { other: case.other.filter(|_| is_pair), ..case }))
    }

    /// Returns the changed form of a resource, with the created form's values of create-only attributes.
    fn kept(&self, created: &Sample, changed: Sample) -> Sample {
        let is_kept = |name: &str| self.type_def.attribute_named(name).is_some_and(|a| a.init_only.is_some());
        let mut attributes = changed.attributes;
        attributes.retain(|(name, _)| !is_kept(name));
        attributes.extend(created.attributes.iter().filter(|(name, _)| is_kept(name)).cloned());
        Sample { attributes, ..changed }
    }

    fn is_valid(&self, sample: &Sample, machine: &SimulatedMachine) -> bool {
        // A setting without its value property cannot be written.
        let is_complete = match &self.provider.body {
            ProviderBody::Declared(DeclaredDef { kind: DeclaredKind::Keyed(value), .. }) => {
                sample.attributes.iter().any(|(name, _)| name == value.as_str())
            }
            _ => true,
        };
        is_complete && self.is_accepted(&self.declaration(sample, "present"), machine)
    }

    fn is_accepted(&self, text: &str, machine: &SimulatedMachine) -> bool {
        grant_resources(10);
        machine.declare(text, self).is_ok()
    }

    /// Runs the steps of a case on a new machine until one fails.
    fn check(&self, case: &Case) -> io::Result<CaseOutcome> {
        let machine = SimulatedMachine::new(self)?;
        let others: String = case.other.iter().map(|other| format!("\n{}", self.declaration(other, "present"))).collect();
        let mut steps = Vec::new();
        let present = |sample: &Sample| self.declaration(sample, "present") + &others;
        let mut all = vec![("create", present(&case.created)), ("change", present(&case.changed))];
        if self.type_def.id_of("ensure").is_some() {
            let gone = Sample { attributes: Vec::new(), ..case.created.clone() };
            if self.is_accepted(&self.declaration(&gone, "absent"), &machine) {
                all.push(("remove", self.declaration(&gone, "absent") + &others));
                all.push(("create again", present(&case.created)));
            }
        }
        for (step, text) in all {
            steps.push((step, text.clone()));
            grant_resources(10);
            let failed =
                |message: String, titles: Vec<String>| CaseOutcome::Failed(LifecycleFailure { steps: steps.clone(), message, titles });
            match machine.apply(&text, self) {
                Err(message) => return Ok(failed(message, Vec::new())),
                // A block of the provider refused the resource. The user would see an error, so this is not a failure of the provider.
                Ok(run) if run.counts.has_failed() && run.is_refused => return Ok(CaseOutcome::Refused),
                Ok(run) if run.counts.has_failed() => return Ok(failed(run.events.join("; "), run.titles)),
                Ok(_) => {}
            }
            match machine.apply(&text, self) {
                Err(message) => return Ok(failed(message, Vec::new())),
                Ok(run) if run.counts.is_quiet() && !run.counts.has_failed() => {}
                Ok(run) => return Ok(failed(format!("a second run is not quiet: {}", run.events.join("; ")), run.titles)),
            }
        }
        Ok(CaseOutcome::Passed)
    }

    /// Returns a smaller case that also fails.
    fn shrink(&self, mut case: Case, mut failure: LifecycleFailure) -> io::Result<(Case, LifecycleFailure)> {
        let machine = SimulatedMachine::new(self)?;
        let mut left = SHRINKING;
        'smaller: loop {
            for candidate in smaller(&case) {
                let changed = self.kept(&candidate.created, candidate.changed.clone());
                let candidate = Case { changed, ..candidate };
                let all = [Some(&candidate.created), Some(&candidate.changed), candidate.other.as_ref()];
                if !all.into_iter().flatten().all(|sample| self.is_valid(sample, &machine)) {
                    continue;
                }
                if left == 0 {
                    return Ok((case, failure));
                }
                left -= 1;
                if let CaseOutcome::Failed(found) = self.check(&candidate)? {
                    (case, failure) = (candidate, found);
                    continue 'smaller;
                }
            }
            return Ok((case, failure));
        }
    }
}

/// Returns slightly smaller cases.
fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    if case.other.is_some() {
        all.push(Case { other: None, ..case.clone() });
    }
    if case.changed != case.created {
        all.push(Case { changed: case.created.clone(), ..case.clone() });
        all.push(Case { created: case.changed.clone(), ..case.clone() });
    }
    // While both forms are equal, they shrink together.
    let is_same = case.changed == case.created;
    for created in smaller_samples(&case.created) {
        let changed = if is_same { created.clone() } else { Sample { title: created.title.clone(), ..case.changed.clone() } };
        all.push(Case { created, changed, other: case.other.clone() });
    }
    if !is_same {
        let same_title = smaller_samples(&case.changed).into_iter().filter(|s| s.title == case.changed.title);
        all.extend(same_title.map(|changed| Case { changed, ..case.clone() }));
    }
    all.extend(case.other.iter().flat_map(smaller_samples).map(|other| Case { other: Some(other), ..case.clone() }));
    all
}

fn smaller_samples(sample: &Sample) -> Vec<Sample> {
    let fewer = (0..sample.attributes.len()).map(|i| Sample { attributes: without(&sample.attributes, i), ..sample.clone() });
    let mut all: Vec<Sample> = fewer.collect();
    for (i, (_, value)) in sample.attributes.iter().enumerate() {
        for value in value.simpler() {
            let mut next = sample.clone();
            next.attributes.iter_mut().skip(i).take(1).for_each(|(_, old)| *old = value.clone());
            all.push(next);
        }
    }
    let titles = sample::SampleValue::Text(sample.title.clone()).simpler();
    all.extend(titles.into_iter().filter_map(|title| match title {
        sample::SampleValue::Text(title) => Some(Sample { title, ..sample.clone() }),
        _ => None,
    }));
    all
}

/// An empty directory that stands in for the file system of a machine.
struct SimulatedMachine {
    // Dropping the machine removes the directory.
    _directory: tempfile::TempDir,
    machine: Machine,
}

impl SimulatedMachine {
    /// Creates a machine for which the provider is suitable: confining files exist and are empty. Replaced commands may keep state in their
    /// own directory.
    fn new(of: &Lifecycle<'_>) -> io::Result<SimulatedMachine> {
        let provider = of.provider;
        let directory = named::temporary_directory()?;
        for program in &of.commands {
            let programs = directory.path().join("usr/bin");
            named::make_directories(&programs)?;
            named::create(programs.join(&program.name), &program.content, true)?;
        }
        for confine in &provider.confines {
            let ConfineTest::Exists(paths) = &confine.test else { continue };
            for path in paths {
                let path = directory.path().join(path.trim_start_matches('/'));
                named::make_directories(path.parent().unwrap_or(Path::new("/")))?;
                named::create(&path, b"", false)?;
            }
        }
        if !provider.confines.iter().any(|c| matches!(&c.test, ConfineTest::Exists(_))) {
            named::make_directories(directory.path().join("etc"))?;
        }
        let machine = Machine::new(System::at(directory.path()));
        Ok(SimulatedMachine { _directory: directory, machine })
    }

    /// Declares resources. Returns the first error.
    fn declare(&self, text: &str, of: &Lifecycle<'_>) -> Result<Declarable, String> {
        let types = of.types.fork();
        let source = types.sources.add("site.pp", text).map_err(|_| "the resources are too large".to_owned())?;
        let (declarations, mut found) = from_source(&source, &self.machine);
        let backend = NativeBackend { natives: of.natives, system: self.machine.system() };
        let context = Context {
            world: &self.machine,
            catalog: &NoCatalog,
            backend: Some(&backend),
            strict: true,
            trace: false,
            offline: false,
            log: None,
        };
        let declared = declare(&declarations, &types, context, DeclareOptions::new(Purpose::Run));
        found.extend(declared.diagnostics);
        match found.into_iter().find(rtype_lang::diagnostics::Diagnostic::is_error) {
            Some(error) => Err(error.message),
            None => Ok(Declarable { types, declarations, catalog: declared.catalog }),
        }
    }

    /// Applies resources. Returns counts and events, or the first error.
    fn apply(&self, text: &str, of: &Lifecycle<'_>) -> Result<Applied, String> {
        let Declarable { types, declarations, catalog } = self.declare(text, of)?;
        let redactor = self.machine.system().redactor().clone();
        let mut events = Events { lines: Vec::new(), titles: Vec::new(), redactor, refusals: 0 };
        let options = ApplyOptions { noop: false, tags: Vec::new(), skip_tags: Vec::new(), now: jiff::Zoned::now(), show_diff: false };
        let (mut state, stopped) = (SavedState::default(), AtomicBool::new(false));
        let context = RunContext { natives: of.natives, machine: &self.machine, state: &mut state, stopped: &stopped };
        match apply(&declarations, catalog, &types, context, &options, &mut events) {
            Ok(counts) => {
                // A failing command also has a position. With replaced commands, a refusal therefore cannot be recognized.
                let is_refused = counts.failed > 0 && counts.failed == events.refusals && of.commands.is_empty();
                Ok(Applied { is_refused, counts, events: events.lines, titles: events.titles })
            }
            Err(found) => Err(found.first().map(|d| d.message.clone()).unwrap_or_default()),
        }
    }
}

/// Resources that can be applied.
struct Declarable {
    types: TypeSet,
    declarations: rtype_model::manifest::Declarations,
    catalog: rtype_model::resource::Catalog,
}
