//! Providers that exist only in Ruby: a process runs them with the installed `puppet` library (docs/providers.md).

mod provider;

pub use provider::RubyProvider;
pub(crate) use provider::declared;

use crate::external::{Conversation, ExternalProgram, Fault, Log, Object, Refusal};
use crate::{Machine, ProviderError, Request, System};
use indexmap::{IndexMap, IndexSet};
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::RubyProviderStatus;
use rtype_lang::library::standard;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::types::TypeDef;
use rtype_lang::value::{EcoString, ResourceRef, Symbol, Value};
use rtype_system::programs::{self, FileKind};
use rtype_system::{Scratch, Tree, process, trust};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The program that the process runs.
const HOST: &str = include_str!("host.rb");

/// Where packages of Puppet's makers have their own Ruby.
const PACKAGED_RUBY: &str = "/opt/puppetlabs/puppet/bin/ruby";

/// How long the process may take to load the library.
const LOADING: Duration = Duration::from_secs(120);

/// How much longer than its resources the process may take for an answer: it ends those that take too long itself.
const MARGIN: Duration = Duration::from_secs(30);

/// Which Ruby code may run, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RubyOptions {
    /// Directories of modules.
    pub modulepath: Vec<PathBuf>,
    /// Directories that contain `puppet/type` or `puppet/provider`.
    pub libraries: Vec<PathBuf>,
    /// How long one resource may take to be read or changed, in seconds.
    pub time_limit: u64,
    /// Whether the process logs all that it does.
    pub is_verbose: bool,
}

/// The process that runs providers in Ruby: started with the first request, and again after a crash.
#[derive(Debug)]
pub struct RubyHost {
    options: RubyOptions,
    started: Mutex<Option<Started>>,
    /// The resources of the run, for providers that look at others.
    catalog: Mutex<Arc<Json>>,
    verdicts: Mutex<IndexMap<VerdictKey, IndexMap<Symbol, bool>>>,
    /// What the Ruby types give otherwise than the type files. Each difference is reported once.
    differences: Mutex<IndexSet<Difference>>,
}

/// A difference between a type file and the Ruby type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
struct Difference {
    /// The reference of the resource.
    resource: EcoString,
    /// `None` for the resource as a whole.
    attribute: Option<EcoString>,
    /// The message with which the Ruby type refuses what the file accepts.
    #[serde(default)]
    refusal: Option<EcoString>,
    /// The value of the Ruby type as JSON.
    #[serde(default)]
    ruby: EcoString,
    /// The value of the type file as JSON.
    #[serde(default)]
    file: EcoString,
}

impl Difference {
    fn message(&self) -> String {
        let Difference { resource, refusal, ruby, file, .. } = self;
        let attribute = self.attribute.as_ref().map(|name| format!(": `{name}`")).unwrap_or_default();
        let code = Code::RubyDiffers.info().id;
        match refusal {
            Some(why) => {
                format!("{resource}{attribute}: the Ruby type refuses what the type file accepts: {why}; the file decides ({code})")
            }
            None => format!("{resource}{attribute}: the type file gives {file} and the Ruby type {ruby}; the file decides ({code})"),
        }
    }
}

/// A resource of the run, for providers that look at others.
pub enum CatalogEntry<'r> {
    /// A resource.
    Built(&'r TypeDef, Request<'r>),
    /// A resource that generates others, which are not known.
    Generator(&'r TypeDef, Request<'r>),
    /// A resource that rtype could not build, and the error.
    Unusable(&'r ResourceRef, &'r str),
}

/// A type, a provider, and the title of a resource.
type VerdictKey = (EcoString, Option<EcoString>, EcoString);

/// What the functions of a deferred value return.
#[derive(Deserialize)]
struct Resolved {
    #[serde(default)]
    value: Json,
    #[serde(default)]
    error: Option<Fault>,
}

#[derive(Debug)]
struct Started {
    conversation: Conversation,
    /// The resources that it knows of.
    known: Arc<Json>,
    /// Contains the program, and the settings and state of Puppet.
    _directory: Scratch,
}

/// Makes the secrets in a value known.
fn learn(value: &Value, redactor: &Redactor) {
    match value {
        Value::Sensitive(inner) => redactor.add_value(inner, true, &|_| false),
        Value::Array(items) => items.iter().for_each(|item| learn(item, redactor)),
        Value::Map(map) => map.values().for_each(|value| learn(value, redactor)),
        _ => {}
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RubyHost {
    /// Creates the process without starting it.
    pub fn new(options: RubyOptions) -> RubyHost {
        RubyHost {
            options,
            started: Mutex::default(),
            catalog: Mutex::new(Arc::new(json!([]))),
            verdicts: Mutex::default(),
            differences: Mutex::default(),
        }
    }

    /// Returns whether a module defines a type that rtype does not.
    pub fn has_type(&self, name: &str) -> bool {
        let file = format!("puppet/type/{name}.rb");
        standard(name).is_none() && self.options.libraries.iter().any(|library| programs::kind(library.join(&file)) != FileKind::Missing)
    }

    /// Returns whether a provider is suitable here and the default; `None` if Ruby does not know the provider.
    pub fn status(&self, system: &System, type_name: &str, provider: &str) -> Option<RubyProviderStatus> {
        let answer = self.ask(system, "providers", json!({"type": type_name}), 1).ok()?;
        let providers = answer.get("providers")?.as_array()?;
        let found = providers.iter().find(|one| one.get("name").and_then(Json::as_str) == Some(provider))?;
        let reasons = found.get("reasons")?.as_array()?.iter().filter_map(|reason| Some(reason.as_str()?.to_owned())).collect();
        let name_of = |one: &Json| Some(one.get("name")?.as_str()?.to_owned());
        let default = providers.iter().find(|one| one.get("default") == Some(&Json::Bool(true))).and_then(name_of);
        Some(RubyProviderStatus { reasons, default })
    }

    /// Sends a request about a number of resources.
    ///
    /// # Errors
    /// If the process cannot be started, or does not answer.
    fn ask(&self, system: &System, op: &str, mut question: Json, resources: usize) -> Result<Object, Refusal> {
        let mut started = lock(&self.started);
        if started.is_none() {
            *started = Some(self.prepare(system).map_err(Refusal::Broken)?);
        }
        let Some(Started { conversation, known, .. }) = started.as_mut() else {
            return Err(Refusal::Broken(ProviderError::new("Ruby is not running")));
        };
        if let Some(question) = question.as_object_mut() {
            question.insert("each_s".to_owned(), self.options.time_limit.into());
        }
        let each = Duration::from_secs(self.options.time_limit);
        let patience = each.saturating_mul(u32::try_from(resources).unwrap_or(u32::MAX)).saturating_add(MARGIN);
        let catalog = Arc::clone(&lock(&self.catalog));
        if conversation.is_new() || !Arc::ptr_eq(known, &catalog) {
            let answer = conversation.ask_within(system, "catalog", json!({"resources": *catalog}), LOADING)?;
            *known = catalog;
            self.note_differences(&answer);
        }
        let answer = conversation.ask_within(system, op, question, patience)?;
        self.note_differences(&answer);
        Ok(answer)
    }

    /// Keeps the differences between type files and Ruby types that an answer names, for the end of the run.
    fn note_differences(&self, answer: &Object) {
        let found = answer.get("differences").and_then(|found| Vec::<Difference>::deserialize(found).ok());
        lock(&self.differences).extend(found.into_iter().flatten());
    }

    /// Calls the functions of deferred values, each with Puppet's rich data; returns what they return, or why one failed.
    pub fn resolve(&self, machine: &Machine, values: &[Json]) -> Vec<Result<Value, ProviderError>> {
        let facts: Object = machine.all_facts().into_iter().map(|(name, value)| (name, value.to_json())).collect();
        let redactor = machine.system().redactor();
        // The message of a function that fails may show what it got.
        values.iter().for_each(|value| learn(&Value::from_rich_json(value), redactor));
        let question = json!({"values": values, "facts": facts});
        let answer = self.ask(machine.system(), "resolve", question, values.len()).map_err(Refusal::error);
        let results: Vec<Resolved> = match answer.map(|mut answer| answer.remove("results").map(serde_json::from_value)) {
            Ok(Some(Ok(results))) => results,
            Ok(_) => Vec::new(),
            Err(e) => return values.iter().map(|_| Err(e.clone())).collect(),
        };
        let mut results = results.into_iter();
        let next = |_| match results.next() {
            Some(Resolved { error: Some(fault), .. }) => Err(fault.error()),
            Some(Resolved { value, .. }) => {
                let value = Value::from_rich_json(&value);
                learn(&value, redactor);
                Ok(value)
            }
            None => Err(ProviderError::new("Ruby returned no result for a deferred value")),
        };
        values.iter().map(next).collect()
    }

    /// Makes the resources of a run known to providers that look at others.
    pub fn declare<'r>(&self, resources: impl Iterator<Item = CatalogEntry<'r>>) {
        let entry = |entry| match entry {
            CatalogEntry::Built(type_def, request) => provider::declared(type_def, request),
            CatalogEntry::Generator(type_def, request) => provider::generator(type_def, request),
            CatalogEntry::Unusable(reference, why) => provider::unusable(reference, why),
        };
        *lock(&self.catalog) = Arc::new(Json::Array(resources.map(entry).collect()));
    }

    /// Checks the code to be run, and creates the directory of the process.
    fn prepare(&self, system: &System) -> Result<Started, ProviderError> {
        for path in self.options.modulepath.iter().chain(&self.options.libraries) {
            let checked = if self.options.libraries.contains(path) { trust::check_all(path) } else { trust::check(path).map(drop) };
            checked.map_err(|why| ProviderError::new(format!("cannot run providers in Ruby: {}", why.message)).help(why.help))?;
        }
        let failed = |e: io::Error| ProviderError::new(format!("cannot run providers in Ruby: no temporary directory: {e}"));
        let directory = Tree::at("/").scratch(&process::temporary_directory()).map_err(failed)?;
        directory.make_file("host.rb").and_then(|mut file| file.write_all(HOST.as_bytes())).map_err(failed)?;
        let ruby = if system.which(PACKAGED_RUBY).is_some() { PACKAGED_RUBY } else { "ruby" };
        let text = |path: &Path| EcoString::from(path.to_string_lossy().as_ref());
        let program = ExternalProgram {
            path: ruby.into(),
            directory: None,
            arguments: vec!["--disable-gems".into(), text(&directory.path().join("host.rb"))],
            time_limit: LOADING,
        };
        let paths = |paths: &[PathBuf]| paths.iter().map(|path| text(path).to_string()).collect::<Vec<_>>();
        let settings = json!({"ruby": {
            "directory": text(directory.path()).as_str(),
            "modulepath": paths(&self.options.modulepath),
            "libraries": paths(&self.options.libraries),
        }});
        let settings = settings.as_object().cloned().unwrap_or_default();
        let level = if self.options.is_verbose { "debug" } else { "info" };
        Ok(Started { conversation: Conversation::shared(program, settings, LOADING, level), known: Arc::default(), _directory: directory })
    }

    /// Reports an answer that violates the protocol; the process is started again for the next request.
    fn misunderstood(&self, op: &str, answer: &Object, why: &str) -> ProviderError {
        match lock(&self.started).as_mut() {
            Some(started) => started.conversation.misunderstood(op, answer, why),
            None => ProviderError::new(Foreign::from(why)),
        }
    }

    /// Ends the process and all that it has started; returns its remaining log messages.
    pub fn end(&self, system: &System) -> Vec<Log> {
        let Some(mut started) = lock(&self.started).take() else { return Vec::new() };
        if started.conversation.known().is_some() {
            // A provider that fails to tidy up is reported in the log.
            let _ = started.conversation.ask_within(system, "end", json!({}), MARGIN);
        }
        started.conversation.end();
        let differences = std::mem::take(&mut *lock(&self.differences));
        let warning = |found: &Difference| Log { program: "ruby".into(), level: "warning", message: found.message().into() };
        differences.iter().map(warning).chain(started.conversation.take_logs()).collect()
    }
}
