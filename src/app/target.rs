//! Sessions that read and change a machine, for all front ends: declare, inspect, apply.

use rtype_engine::apply::{ApplyOptions, Counts, Listener, RunContext, apply};
use rtype_engine::state::{Lock, SavedState};
use rtype_engine::{Inspected, NativeBackend, inspect};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::CatalogQuery;
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_model::declare::{DeclareOptions, Declaring, KnownResources, Purpose, declare};
use rtype_model::manifest::Declarations;
use rtype_model::resource::{BlockMessage, Catalog, Context, MessageLog, NoCatalog};
use rtype_provider::{Machine, NativeProviders, ProviderError};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The machine that is read or changed, with the code of providers.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub machine: &'a Machine,
    pub natives: &'a NativeProviders,
    /// Whether warnings of Puppet's strict mode are errors.
    pub strict: bool,
}

impl<'a> Target<'a> {
    /// Returns access to the machine for blocks.
    pub fn backend(self) -> NativeBackend<'a> {
        NativeBackend { natives: self.natives, system: self.machine.system() }
    }

    /// Returns the context in which blocks are evaluated.
    pub fn context<'c>(self, backend: &'c NativeBackend<'c>, catalog: &'c dyn CatalogQuery) -> Context<'c>
    where
        'a: 'c,
    {
        Context { world: self.machine, catalog, backend: Some(backend), strict: self.strict, trace: false, offline: false, log: None }
    }

    /// Builds all declared resources with the facts and providers of the machine.
    pub fn declare(self, declarations: &Declarations, types: &TypeSet, purpose: Purpose) -> Declaring {
        let backend = self.backend();
        declare(declarations, types, self.context(&backend, &NoCatalog), DeclareOptions::new(purpose))
    }

    /// Reads and compares all resources of a catalog. Also returns block messages that were not reported when the resources were declared.
    /// With `show_diff`, the result contains differences in contents.
    pub fn inspect(self, catalog: &Catalog, types: &TypeSet, show_diff: bool) -> (Vec<Inspected>, Vec<BlockMessage>) {
        let backend = self.backend();
        let known = KnownResources::new(catalog, types, Some(&backend));
        let log = MessageLog::after(catalog.messages());
        let context = Context { log: Some(&log), ..self.context(&backend, &known) };
        let inspected = inspect(catalog, self.natives, self.machine.system(), context, show_diff);
        (inspected, log.take())
    }

    /// Begins a run and takes its lock. If another run holds the lock, waits up to `limit` and passes a message to `waiting`. Simulated
    /// runs and runs with `noop` take no lock and save no state.
    ///
    /// # Errors
    /// Returns a diagnostic if another run is going on, or the state directory cannot be used.
    pub fn begin(self, noop: bool, limit: Duration, waiting: &mut dyn FnMut(&str)) -> Result<ApplySession<'a>, Diagnostic> {
        let directory = self.machine.system().state().to_owned();
        if self.natives.simulation().is_some() {
            return Ok(ApplySession { target: self, directory, lock: None, state: SavedState::default() });
        }
        let lock = if noop { Ok(None) } else { Lock::take(&directory, limit, waiting).map(Some) };
        let state = lock.and_then(|lock| Ok((lock, SavedState::load(&directory, !noop)?)));
        let (lock, state) = state.map_err(|error| self.refused(error))?;
        Ok(ApplySession { target: self, directory, lock, state })
    }

    fn refused(self, error: ProviderError) -> Diagnostic {
        let redactor = self.machine.system().redactor();
        let help = error.help.map(|help| redactor.reveal(&help));
        Diagnostic::new(Code::CannotApply, Span::NONE, redactor.reveal(&error.message)).maybe_help(help)
    }
}

/// A run in progress. Other runs are refused until this value is dropped.
pub(crate) struct ApplySession<'a> {
    target: Target<'a>,
    directory: PathBuf,
    lock: Option<Lock>,
    state: SavedState,
}

impl ApplySession<'_> {
    /// Applies a catalog that was declared for a run. If `stopped` is set, the run ends early, after the current resource.
    ///
    /// # Errors
    /// Returns the diagnostics of dependency cycles, unknown schedules and invalid tags; nothing has been changed then.
    pub fn apply(
        &mut self,
        declarations: &Declarations,
        catalog: Catalog,
        types: &TypeSet,
        options: &ApplyOptions,
        stopped: &AtomicBool,
        listener: &mut dyn Listener,
    ) -> Result<Counts, Vec<Diagnostic>> {
        let Target { machine, natives, .. } = self.target;
        let surroundings = RunContext { natives, machine, state: &mut self.state, stopped };
        apply(declarations, catalog, types, surroundings, options, listener)
    }

    /// Saves the state for the next run.
    ///
    /// # Errors
    /// Returns a diagnostic if the state directory cannot be written.
    pub fn finish(mut self) -> Result<(), Diagnostic> {
        match self.lock {
            Some(_) => self.state.save(&self.directory).map_err(|error| self.target.refused(error)),
            None => Ok(()),
        }
    }
}
