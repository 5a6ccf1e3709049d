//! `rtype agent`

use super::apply::{RunArguments, RunResult, run_all};
use super::arguments::{AgentArguments, Running, TextOrJson};
use super::output::Console;
use super::{Arguments, Exit};
use crate::app::begin_run;
use crate::app::session::{Session, SessionOptions, Show};
use rtype_agent::{
    AgentError, CatalogCache, CertificateEvent, Certificates, Client, FactOptions, Puppet, PuppetFiles, PuppetLock, Report, RubyProviders,
    RunStatus, Settings, Statuses, choose_server, disabled, facts_of, plugin_directory, read_settings, sync_plugins,
};
use rtype_engine::apply::Counts;
use rtype_engine::report::Provenance;
use rtype_lang::diagnostics::{Code, Diagnostic, Redactions, printable_lines};
use rtype_lang::eval::World;
use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::source::{SourceMap, Span};
use rtype_provider::interrupt::{self, Graceful, RunRequests, is_stopping};
use rtype_provider::{Machine, NativeProviders, System};
use rtype_system::process;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of times that the server may answer with another environment than requested.
const MOST_ENVIRONMENTS: usize = 4;
/// The time in seconds after which a run without a time limit stops waiting for another run.
const YEAR: u64 = 31_536_000;
/// The maximum time between two checks for a stop request.
const SLICE: Duration = Duration::from_millis(200);

pub fn run(arguments: &AgentArguments, all: &Arguments, natives: &NativeProviders, output: &mut Console) -> io::Result<Exit> {
    let mut agent = match Agent::new(arguments, all, natives) {
        Ok(agent) => agent,
        Err(error) => {
            let is_json = arguments.given.0.iter().any(|(name, value)| *name == "log_format" && value == "json");
            return refuse(&error, is_json, output).map(|()| Exit::Findings);
        }
    };
    if let Some(done) = agent.switch() {
        return match done {
            Ok(()) => Ok(Exit::Clean),
            Err(error) => agent.refuse(&error, output).map(|()| Exit::Findings),
        };
    }
    if arguments.fingerprint {
        return match Certificates::new(&agent.settings).fingerprint() {
            Ok(digest) => output.print(&format!("{digest}\n")).map(|()| Exit::Clean),
            Err(error) => agent.refuse(&error, output).map(|()| Exit::Findings),
        };
    }
    let stop = interrupt::graceful();
    if arguments.onetime || arguments.test {
        if !arguments.test {
            agent.splay(None)?;
        }
        return agent.once(&stop, output);
    }
    agent.repeat(&stop, output)
}

fn refuse(error: &AgentError, is_json: bool, output: &mut Console) -> io::Result<()> {
    if is_json {
        let code = Code::CannotApply.info().id.into();
        let details = [Some(("code", code)), error.help().map(|help| ("help", Json::from(help)))];
        let line = log_line("err", &printable_lines(&error.to_string()), details.into_iter().flatten());
        return writeln!(io::stderr().lock(), "{line}");
    }
    let found = Diagnostic::new(Code::CannotApply, Span::NONE, error.to_string()).maybe_help(error.help());
    output.diagnostic(&found, &SourceMap::default(), &Redactions::new())
}

/// Returns a JSON log line that belongs to no resource.
fn log_line(level: &str, message: &str, details: impl Iterator<Item = (&'static str, Json)>) -> Json {
    let time = json!(jiff::Timestamp::now());
    let line = [("kind", "log".into()), ("resource", Json::Null), ("level", level.into()), ("message", message.into()), ("time", time)];
    line.into_iter().chain(details).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The agent of this machine.
struct Agent<'a> {
    arguments: &'a AgentArguments,
    all: &'a Arguments,
    natives: &'a NativeProviders,
    settings: Settings,
    state: PathBuf,
}

/// The catalog for a run and where it comes from.
struct Work {
    text: String,
    json: Json,
    environment: String,
    client: Option<Arc<Client>>,
    /// Whether the server compiled the catalog for this run.
    is_new: bool,
}

impl<'a> Agent<'a> {
    fn new(arguments: &'a AgentArguments, all: &'a Arguments, natives: &'a NativeProviders) -> Result<Agent<'a>, AgentError> {
        let settings = settings_of(arguments)?;
        let state = arguments.running.state_dir.as_deref().map(absolute).transpose()?;
        Ok(Agent { arguments, all, natives, settings, state: state.unwrap_or_else(|| System::host().state().to_owned()) })
    }

    /// Reads the settings again. If they are invalid, the settings of the last run stay.
    fn read_again(&mut self, output: &mut Console) -> io::Result<()> {
        match settings_of(self.arguments) {
            Ok(settings) => self.settings = settings,
            Err(error) => {
                self.refuse(&error, output)?;
                self.say("warning", "the settings of the last run are used")?;
            }
        }
        Ok(())
    }

    fn refuse(&self, error: &AgentError, output: &mut Console) -> io::Result<()> {
        refuse(error, self.settings.json_log, output)
    }

    /// Returns Puppet's locks, or the agent's own locks if Puppet is not installed.
    fn puppet(&self) -> Puppet {
        Puppet::new(self.settings.puppet_state.as_deref().unwrap_or(&self.state.join("agent")))
    }

    /// Carries out `--disable` and `--enable`.
    fn switch(&self) -> Option<Result<(), AgentError>> {
        match &self.arguments.disable {
            Some(reason) => Some(self.puppet().disable(reason).map(|first| {
                if let Some(first) = first {
                    drop(self.say("notice", &format!("the agent was disabled before, and the reason stays: {first}")));
                }
            })),
            None if self.arguments.enable => Some(self.puppet().enable()),
            None => None,
        }
    }

    /// Runs until a signal comes. The settings are read before each run, because they may have changed.
    fn repeat(&mut self, stop: &Graceful, output: &mut Console) -> io::Result<Exit> {
        let requests = interrupt::run_requests()?;
        self.splay(Some(&requests))?;
        while !is_stopping() {
            let begun = process::now();
            self.once(stop, output)?;
            output.flush()?;
            wait(self.settings.runinterval.saturating_sub(begun.elapsed()), Some(&requests));
            self.read_again(output)?;
        }
        Ok(Exit::Clean)
    }

    /// Waits before the first run if the settings request a splay.
    fn splay(&self, requests: Option<&RunRequests>) -> io::Result<()> {
        if let Some(limit) = self.settings.splay {
            let time = self.share_of(limit);
            self.say("info", &format!("the first run begins in {} s (splay)", time.as_secs()))?;
            wait(time, requests);
        }
        Ok(())
    }

    /// Returns the part of `limit` that this node waits. The part depends only on the node's name, so restarts of many nodes stay spread.
    fn share_of(&self, limit: Duration) -> Duration {
        let digest = rtype_lang::value::digest::hex("sha256", self.settings.certname.as_bytes()).unwrap_or_default();
        let number = digest.get(..8).and_then(|part| u32::from_str_radix(part, 16).ok()).unwrap_or_default();
        limit.mul_f64(f64::from(number) / f64::from(u32::MAX))
    }

    /// Prints a log line.
    fn say(&self, level: &str, message: &str) -> io::Result<()> {
        if level == "info" && !self.all.verbose && !self.arguments.test {
            return Ok(());
        }
        let message = printable_lines(message);
        let mut out = io::stderr().lock();
        match self.settings.json_log {
            true => writeln!(out, "{}", log_line(level, &message, std::iter::empty())),
            false => writeln!(out, "{level}: {message}"),
        }
    }

    /// Runs once. All failures are reported to the user and, if possible, to the server.
    fn once(&mut self, stop: &Graceful, output: &mut Console) -> io::Result<Exit> {
        begin_run();
        // A refused run does not count as a run: the status of the last run stays, and the server gets no report.
        let _lock = match self.admission() {
            Ok(lock) => lock,
            Err(error) => return self.refuse(&error, output).map(|()| Exit::Findings),
        };
        let begun = process::now();
        let transaction = uuid();
        let noop = self.noop();
        let redactor = Redactor::new();
        let environment = self.settings.environment.clone().unwrap_or_else(|| "production".to_owned());
        let mut report = Report::new(&self.settings.certname, &environment, &transaction, noop, redactor.clone());
        report.verbose = self.all.verbose || self.arguments.test;
        let mut client = None;
        let result = self.attempt(&mut report, &mut client, &transaction, &redactor, stop, output);
        let (mut exit, counts, error) = match result? {
            Ok(RunResult { exit, counts: Some(counts), .. }) => (exit, counts, None),
            Ok(RunResult { exit, errors, .. }) => {
                let first = errors.first().map(|d| d.message.clone()).unwrap_or_default();
                for error in &errors {
                    report.log_line("err", &Foreign::from(format!("Failed to apply catalog: {}", error.message)));
                }
                (exit, Counts::default(), Some(redactor.reveal(&Foreign::from(first))))
            }
            Err(error) => {
                self.refuse(&error, output)?;
                // The report would not arrive either.
                if matches!(error, AgentError::Unreachable { .. } | AgentError::Stopped) {
                    client = None;
                }
                report.log_line("err", &Foreign::from(error.to_string()));
                (Exit::Findings, Counts::default(), Some(error.to_string()))
            }
        };
        if let Err(error) = self.command("postrun_command", self.settings.postrun_command.as_deref(), &redactor) {
            self.refuse(&error, output)?;
            report.log_line("err", &Foreign::from(error.to_string()));
            exit = Exit::Findings;
        }
        let status = report.status(&counts);
        let seconds = begun.elapsed();
        let outcome = RunStatus {
            status: status.name(),
            time: jiff::Timestamp::now().checked_sub(jiff::SignedDuration::try_from(seconds).unwrap_or_default()).unwrap_or_default(),
            seconds: seconds.as_secs_f64(),
            noop,
            environment: report.environment.clone(),
            configuration_version: report.version(),
            cached_catalog: report.cached != "not_used",
            error,
            counts,
        };
        if let Some(client) = client.filter(|_| self.settings.report) {
            let (name, environment) = (self.settings.certname.clone(), report.environment.clone());
            let document = report.finish(&counts, seconds, outcome.error.is_none() && counts.stopped == 0);
            match client.report(&name, &environment, &document) {
                // The server's error has already been reported, and the run was completed with the cached catalog.
                Err(error) if outcome.cached_catalog => self.say("warning", &format!("the report is not sent: {error}"))?,
                Err(error) => self.refuse(&error, output)?,
                Ok(()) => {}
            }
        }
        if let Err(error) = Statuses::new(&self.state, self.settings.metrics.as_deref()).save(&outcome) {
            self.refuse(&error, output)?;
        }
        Ok(exit)
    }

    /// Takes the run lock. Fails if the agent is disabled, or another run does not end within the configured time.
    fn admission(&self) -> Result<Option<PuppetLock>, AgentError> {
        let begun = process::now();
        loop {
            if let Some(reason) = disabled(&self.puppet())? {
                return Err(AgentError::NotNow {
                    why: format!("the agent is disabled: {reason}"),
                    help: "run `rtype agent --enable`, or `puppet agent --enable`".into(),
                });
            }
            let locked = self.puppet().lock();
            let (Err(AgentError::NotNow { why, .. }), Some(interval)) = (&locked, self.settings.waitforlock) else { return locked };
            if is_stopping() || self.settings.maxwaitforlock.is_some_and(|limit| begun.elapsed() >= limit) {
                return locked;
            }
            drop(self.say("info", &format!("{why}; looking again in {} s", interval.as_secs())));
            wait(interval, None);
        }
    }

    /// Runs a command from the settings with a shell, as Puppet does.
    fn command(&self, setting: &'static str, line: Option<&str>, redactor: &Redactor) -> Result<(), AgentError> {
        let Some(line) = line else { return Ok(()) };
        let system = System::host().with_redactor(redactor.clone());
        let ran = system.command("/bin/sh").args(["-c", line]).time_limit(None).succeed();
        ran.map(drop).map_err(|e| AgentError::Command { setting, why: e.describe(redactor) })
    }

    /// Returns the time in seconds to wait for a running `rtype apply`. The limit for another agent run applies.
    fn wait_for_lock(&self) -> u64 {
        let limit = self.settings.waitforlock.map_or(0, |_| self.settings.maxwaitforlock.map_or(YEAR, |limit| limit.as_secs()));
        limit.max(self.arguments.running.wait_for_lock)
    }

    fn noop(&self) -> bool {
        self.settings.noop || self.arguments.running.noop
    }

    /// One run, without the report.
    fn attempt(
        &self,
        report: &mut Report,
        client: &mut Option<Arc<Client>>,
        transaction: &str,
        redactor: &Redactor,
        stop: &Graceful,
        output: &mut Console,
    ) -> io::Result<Result<RunResult, AgentError>> {
        let work = match self.work(report, client, transaction) {
            Ok(work) => work,
            Err(error) => return Ok(Err(error)),
        };
        report.environment.clone_from(&work.environment);
        // The plugins are added as a module, not with `--types`: rtype's own types must take precedence over the server's Ruby types.
        let mut modulepath = self.all.modulepath.clone();
        let modules = plugin_directory(&self.state).parent().map(Path::to_owned);
        modulepath.extend(modules.filter(|modules| rtype_system::named::is_dir(modules)));
        let ruby = self.arguments.running.ruby.ruby_providers.then_some(self.arguments.running.ruby.ruby_time_limit);
        let ruby = ruby.or(match self.settings.ruby_providers {
            RubyProviders::Off => None,
            RubyProviders::On => Some(self.arguments.running.ruby.ruby_time_limit),
            RubyProviders::Limit(seconds) => Some(seconds),
        });
        let ruby = ruby.filter(|_| !self.all.types.is_empty() || !modulepath.is_empty());
        let options = SessionOptions { modulepath: &modulepath, ruby_providers: ruby, ..self.all.session() };
        let mut session = Session::new(&options, self.natives.clone());
        let mut system = session.machine.system().clone().with_redactor(redactor.clone());
        if let Some(client) = &work.client {
            system = system.with_file_server(Arc::new(PuppetFiles::new(Arc::clone(client), &work.environment, &work.json)));
        }
        session.machine = Machine::new(system);
        session.start_afresh();
        // The extension of the stored copy's name selects the format.
        let name = self.state.join("agent/catalog.json");
        let source = match session.types.keep(&name.to_string_lossy(), work.text.clone()) {
            Ok(source) => source,
            Err(error) => return Ok(Ok(RunResult { exit: Exit::Findings, counts: None, errors: vec![error] })),
        };
        let (declarations, found) = session.read_declarations(&source);
        report.describe(&work.json, &Provenance::of(&declarations));
        if let Err(error) = self.command("prerun_command", self.settings.prerun_command.as_deref(), redactor) {
            return Ok(Err(error));
        }
        let running = Running {
            noop: self.noop(),
            tags: if self.arguments.running.tags.is_empty() { self.settings.tags.clone() } else { self.arguments.running.tags.clone() },
            state_dir: Some(self.state.clone()),
            wait_for_lock: self.wait_for_lock(),
            format: if self.settings.json_log { TextOrJson::Json } else { self.arguments.running.format },
            detailed_exitcodes: self.arguments.running.detailed_exitcodes || self.arguments.test,
            ..self.arguments.running.clone()
        };
        let show_diff = (self.settings.show_diff || self.arguments.test) && !running.no_diff;
        let run = RunArguments {
            running: &running,
            stop,
            listener: Some(report),
            skip_tags: &self.settings.skip_tags,
            sets_aside: true,
            show_diff,
            exit_of,
        };
        let result = run_all(declarations, found, run, &mut session, output);
        for log in session.natives.programs.end() {
            if self.all.verbose || matches!(log.level, "notice" | "warning" | "error") {
                self.say(log.level, &redactor.reveal(&log.message))?;
            }
        }
        let result = result?;
        // With `noop`, or if errors prevented the run, the earlier catalog stays in the cache.
        if work.is_new
            && result.counts.is_some()
            && !self.noop()
            && let Err(error) = CatalogCache::new(&self.state).save(&work.text)
        {
            return Ok(Err(error));
        }
        Ok(Ok(result))
    }

    /// Gets certificates, types and the catalog. If the server is unreachable, uses the catalog of an earlier run.
    fn work(&self, report: &mut Report, client: &mut Option<Arc<Client>>, transaction: &str) -> Result<Work, AgentError> {
        let cache = CatalogCache::new(&self.state);
        let fetched = self.fetch(report, client, transaction);
        match fetched {
            Ok(Some(work)) => return Ok(work),
            Ok(None) => report.cached = "explicitly_requested",
            Err(error) => {
                if is_final(&error) || self.arguments.test || !self.settings.usecacheonfailure {
                    return Err(error);
                }
                let Some(work) = self.cached(&cache, report, client)? else { return Err(error) };
                report.cached = "on_failure";
                report.log_line("warning", &Foreign::from(format!("Using cached catalog: {error}")));
                drop(self.say("warning", &format!("{error}; using the catalog of an earlier run")));
                return Ok(work);
            }
        }
        self.cached(&cache, report, client)?.ok_or_else(|| AgentError::NotNow {
            why: "no catalog of an earlier run is young enough".into(),
            help: "run once without `use_cached_catalog`, or raise `catalog_age_limit`".into(),
        })
    }

    fn cached(&self, cache: &CatalogCache, report: &mut Report, client: &Option<Arc<Client>>) -> Result<Option<Work>, AgentError> {
        let mut warn = |warning: &str| {
            report.log_line("warning", &Foreign::from(warning.to_owned()));
            drop(self.say("warning", warning));
        };
        let found = cache.load(&self.settings.certname, self.settings.catalog_age_limit, &mut warn)?;
        let Some((text, json, age)) = found else { return Ok(None) };
        drop(self.say("info", &format!("the catalog is {} s old", age.as_secs())));
        let environment = json.get("environment").and_then(Json::as_str).unwrap_or("production").to_owned();
        Ok(Some(Work { text, json, environment, client: client.clone(), is_new: false }))
    }

    /// Gets the catalog from the server. `None` if the settings request the catalog of an earlier run.
    fn fetch(&self, report: &mut Report, client: &mut Option<Arc<Client>>, transaction: &str) -> Result<Option<Work>, AgentError> {
        let name = &self.settings.certname;
        let mut logged = Vec::new();
        let mut events = |event: CertificateEvent<'_>| {
            let (level, message) = described(name, event);
            drop(self.say(level, &message));
            logged.push((level, message));
        };
        let settings = choose_server(&self.settings, &mut |error| {
            report.log_line("warning", &Foreign::from(error.to_string()));
            drop(self.say("warning", &format!("{error}; trying the next server of `server_list`")));
        })?;
        if !settings.server_list.is_empty() {
            report.server = Some(format!("{}:{}", settings.server.0, settings.server.1));
        }
        let ready = Certificates::new(&settings).ready(&mut events).map(Arc::new);
        logged.into_iter().for_each(|(level, message)| report.log_line(level, &Foreign::from(message)));
        let ready = ready?;
        *client = Some(Arc::clone(&ready));
        let is_asked_for = self.arguments.given.0.iter().any(|(name, _)| *name == "use_cached_catalog");
        if self.settings.use_cached_catalog && (is_asked_for || !self.arguments.test) {
            return Ok(None);
        }
        let mut environment = match &self.settings.environment {
            Some(environment) => environment.clone(),
            None => {
                let begun = process::now();
                let node = ready.node(name, &report.environment, transaction)?;
                report.times.insert("node_retrieval", begun.elapsed().as_secs_f64());
                node.get("environment").and_then(Json::as_str).unwrap_or("production").to_owned()
            }
        };
        for _ in 0..MOST_ENVIRONMENTS {
            let begun = process::now();
            let plugins = plugin_directory(&self.state);
            let synced = sync_plugins(&ready, &environment, &plugins)?;
            report.times.insert("plugin_sync", begun.elapsed().as_secs_f64());
            match synced {
                Some(synced) if synced.written + synced.removed > 0 => {
                    drop(self.say("info", &format!("types and facts: {} files updated, {} removed", synced.written, synced.removed)));
                }
                Some(_) => {}
                None => {
                    let message = format!("the server has no environment `{environment}`; types and facts stay as they are");
                    report.log_line("notice", &Foreign::from(message.clone()));
                    drop(self.say("notice", &message));
                }
            }
            let begun = process::now();
            let machine = Machine::new(System::host().with_state(self.state.clone()));
            let options = FactOptions {
                certname: name,
                environment: self.settings.environment.as_deref(),
                noop: self.noop(),
                plugins: &plugins,
                facter: self.settings.facter,
            };
            let (facts, problems) = facts_of(&machine, options);
            for problem in problems {
                report.log_line("warning", &Foreign::from(problem.clone()));
                drop(self.say("warning", &problem));
            }
            report.times.insert("fact_generation", begun.elapsed().as_secs_f64());
            let begun = process::now();
            let fetched = ready.catalog(name, &environment, transaction, &facts)?;
            report.times.insert("config_retrieval", begun.elapsed().as_secs_f64());
            let chosen = fetched.json.get("environment").and_then(Json::as_str).unwrap_or(&environment).to_owned();
            if chosen == environment {
                return Ok(Some(Work { text: fetched.text, json: fetched.json, environment, client: Some(ready), is_new: true }));
            }
            // The wording is Puppet's.
            let message = format!(
                "Local environment: '{environment}' doesn't match server specified environment '{chosen}', restarting agent run with environment '{chosen}'"
            );
            report.log_line("notice", &Foreign::from(message.clone()));
            drop(self.say("notice", &message));
            environment = chosen;
        }
        let (host, port) = &settings.server;
        Err(AgentError::BadResponse {
            server: format!("{host}:{port}"),
            what: "a catalog".into(),
            why: format!("its environment changed {MOST_ENVIRONMENTS} times"),
        })
    }
}

/// Describes an event about the certificates of a node.
fn described(name: &str, event: CertificateEvent<'_>) -> (&'static str, String) {
    match event {
        CertificateEvent::Waiting(interval) => {
            ("notice", format!("waiting for the certificate of {name} to be signed; asking again in {} s", interval.as_secs()))
        }
        CertificateEvent::KeyModeReset(path) => {
            ("warning", format!("other users could read the private key {}; its permissions are reset", path.display()))
        }
        CertificateEvent::NotRenewed(why) => ("warning", format!("the certificate of {name} is not renewed: {why}")),
    }
}

/// Returns whether an error forbids the use of a cached catalog. A damaged certificate forbids it, an unreachable server does not.
fn is_final(error: &AgentError) -> bool {
    match error {
        AgentError::Stopped
        | AgentError::Setting { .. }
        | AgentError::NotNow { .. }
        | AgentError::Certificate { .. }
        | AgentError::Untrusted { .. } => true,
        AgentError::Unreachable { .. }
        | AgentError::Tls { .. }
        | AgentError::Refused { .. }
        | AgentError::BadResponse { .. }
        | AgentError::File { .. }
        | AgentError::Command { .. } => false,
    }
}

/// Reads the settings. Options take precedence over files.
fn settings_of(arguments: &AgentArguments) -> Result<Settings, AgentError> {
    let mut overrides = arguments.given.0.clone();
    if let Some(server) = &arguments.server {
        let (host, port) = server.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).unwrap_or((server, ""));
        overrides.push(("server", host.to_owned()));
        overrides.extend((!port.is_empty()).then(|| ("serverport", port.to_owned())));
    }
    overrides.extend(arguments.certname.iter().map(|name| ("certname", name.clone())));
    overrides.extend(arguments.environment.iter().map(|name| ("environment", name.clone())));
    // As in Puppet, a single run waits for a certificate only with `--waitforcert`.
    let waitforcert = arguments.waitforcert.clone().or_else(|| (arguments.onetime || arguments.test).then(|| "0".to_owned()));
    overrides.extend(waitforcert.map(|time| ("waitforcert", time)));
    let file = arguments.settings.clone().or_else(|| arguments.confdir.as_ref().map(|directory| directory.join("puppet.conf")));
    let file = file.as_deref().map(absolute).transpose()?;
    let system = System::host();
    let fqdn = Machine::new(system.clone()).fact("networking.fqdn").to_text();
    read_settings(system.tree(), file.as_deref(), &overrides, &fqdn)
}

/// Returns the absolute path for a path in an option, which is relative to the working directory.
fn absolute(path: &Path) -> Result<PathBuf, AgentError> {
    std::path::absolute(path).map_err(|error| AgentError::file(path, &error))
}

/// Returns the exit status that `puppet agent` would return. Without `--detailed-exitcodes`, every completed run succeeds. With the option,
/// changes that were made count, but planned changes do not.
fn exit_of(counts: &Counts, detailed: bool) -> Exit {
    match (counts.has_failed(), counts.changes > 0, detailed) {
        (_, _, false) | (false, false, true) => Exit::Clean,
        (false, true, true) => Exit::Changed,
        (true, false, true) => Exit::Failed,
        (true, true, true) => Exit::ChangedAndFailed,
    }
}

/// Waits for a time, or until a signal arrives.
fn wait(time: Duration, requests: Option<&RunRequests>) {
    let end = process::now() + time;
    while !is_stopping() && !requests.is_some_and(RunRequests::take) {
        let left = end.saturating_duration_since(process::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(SLICE));
    }
}

/// Returns a new random identifier.
fn uuid() -> String {
    let text = rtype_system::named::read(Path::new("/proc/sys/kernel/random/uuid")).unwrap_or_default();
    String::from_utf8_lossy(&text).trim().to_owned()
}
