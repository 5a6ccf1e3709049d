//! `exec/posix` and `exec/shell`: command execution.
//!
//! Follows `provider/exec.rb`, `provider/exec/posix.rb` and `provider/exec/shell.rb` of Puppet 7.23 and the checks of
//! its `type/exec.rb`, with these differences:
//!
//! - Commands that run as another user inherit only the locale, proxies and time zone (`system/environment.rs`). Puppet passes its whole
//!   environment: secrets in it reach that user.
//! - A check that times out is an error. Puppet treats it as a check that prevents the command.
//! - A failed `refresh` command is a failure, like a failed `command`.
//! - `creates` and `cwd` follow a link that another user controls only with the privileges of `user`.
//! - If the script of a shell is a secret, it is passed on standard input, so that it does not appear in the process
//!   list.

use super::line::Line;
use super::paths;
use crate::native::{accounts, needs};
use crate::{
    Change, Command, ListedResource, Need, Output, Provider, ProviderError, Reading, Request, Resource, Select, State, System, Thing,
    log_level,
};
use nix::unistd::{Gid, Uid};
use rtype_lang::eval::LogLevel;
use rtype_lang::redact::Foreign;
use rtype_lang::value::{Symbol, Value};
use rtype_system::process;
use rtype_system::programs::{self, FileKind};
use std::time::Duration;

/// The exit status with which a shell reports that a program was not found.
const NOT_FOUND: i32 = 127;

/// Runs commands.
#[derive(Clone, Copy, Debug)]
pub struct Exec {
    /// Whether a shell is handed every command, and looks for its program.
    pub shell: bool,
}

/// A resource whose command or checks are executed.
struct Job<'a> {
    system: &'a System,
    resource: &'a dyn Resource,
    shell: bool,
    /// Whether commands and their output must not be shown.
    secret: bool,
}

impl<'a> Job<'a> {
    fn new(provider: Exec, system: &'a System, resource: &'a dyn Resource) -> Job<'a> {
        // As in Puppet, a single secret attribute makes all these attributes secret.
        let secret = ["command", "onlyif", "unless", "refresh", "environment"].iter().any(|a| resource.is_secret(a));
        Job { system, resource, shell: provider.shell, secret }
    }

    /// Returns whether the checks allow the command to run.
    fn due(&self) -> Result<bool, ProviderError> {
        for path in listed(&self.resource.wanted("creates")) {
            if paths::is_there(self.system, self.resource, &path.to_text())? {
                return Ok(false);
            }
        }
        for (tests, succeeds) in [("unless", false), ("onlyif", true)] {
            for test in listed(&self.resource.wanted(tests)) {
                let output = self.start(&Line::of(&test)).map_err(|e| self.about_test(tests, &test, e))?;
                if (output.status == Some(0)) != succeeds {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn about_test(&self, tests: &str, test: &Value, error: ProviderError) -> ProviderError {
        let test = if self.secret { "[redacted]".to_owned() } else { shown(test) };
        error.context(format!("the test `{tests}` '{test}' cannot be run: "))
    }

    /// Runs the command until it succeeds, at most `tries` times; logs its output if requested.
    fn run(&self, command: &Value, log: &mut dyn FnMut(LogLevel, Foreign)) -> Result<(), ProviderError> {
        let line = Line::of(command);
        let tries = number(&self.resource.wanted("tries")).unwrap_or(1.0).max(1.0);
        let pause = number(&self.resource.wanted("try_sleep")).map_or(Duration::ZERO, seconds);
        let expected: Vec<String> = listed(&self.resource.wanted("returns")).iter().map(|s| s.to_text().into()).collect();
        let mut tried = 1.0;
        let (output, well) = loop {
            let output = self.start(&line)?;
            let well = output.status.is_some_and(|s| expected.contains(&s.to_string()));
            if well || tried >= tries {
                break (output, well);
            }
            tried += 1.0;
            std::thread::sleep(pause);
        };
        self.log_output(&output, well, log);
        if well { Ok(()) } else { Err(self.failure(command, &output, &expected)) }
    }

    fn log_output(&self, output: &Output, well: bool, log: &mut dyn FnMut(LogLevel, Foreign)) {
        let wanted = self.resource.wanted("logoutput").to_text();
        if wanted == "false" || (wanted == "on_failure" && well) || output.stdout.for_parsing().is_empty() {
            return;
        }
        let level = log_level(&self.resource.wanted("loglevel"));
        if self.secret {
            return log(level, "[output redacted]".into());
        }
        log(level, Foreign::output(output.stdout.for_parsing().trim_end_matches('\n')));
    }

    fn failure(&self, command: &Value, output: &Output, expected: &[String]) -> ProviderError {
        let command = if self.secret { "[command redacted]".to_owned() } else { format!("'{}'", shown(command)) };
        let how = match output.status {
            Some(status) => Foreign::from(format!("returned {status}")),
            // The signal is the last line.
            None if output.stderr.is_blank() => "was ended by a signal".into(),
            None => output.stderr.last_lines(1),
        };
        let message = Foreign::from(command).then(" ").then(how);
        ProviderError::new(message.then(format!(" instead of one of [{}]", expected.join(","))))
    }

    /// Starts a command or a test and waits for it.
    fn start(&self, line: &Line) -> Result<Output, ProviderError> {
        let command = self.command(line)?;
        let limit = number(&self.resource.wanted("timeout")).filter(|s| *s > 0.0).map(seconds);
        let begun = process::now();
        let output = command.time_limit(limit).run().map_err(|e| match limit {
            Some(limit) if begun.elapsed() >= limit => {
                let took = format!("the command took longer than {} seconds and was ended", limit.as_secs_f64());
                ProviderError::new(took).help("`timeout` says how long it may take")
            }
            _ if self.secret => ProviderError::new("[command redacted] cannot be run"),
            _ => e,
        })?;
        if output.status == Some(NOT_FOUND) {
            let is_shown = !self.secret && !output.stdout.is_blank();
            let message = if is_shown { output.stdout.shown() } else { "a program of the command was not found".into() };
            return Err(ProviderError::new(message));
        }
        Ok(output)
    }

    fn command(&self, line: &Line) -> Result<Command<'a>, ProviderError> {
        let mut command = match line.words().filter(|_| !self.shell) {
            Some(words) => {
                let program = self.find(line.program())?;
                self.system.command(&program).args(words.into_iter().skip(1))
            }
            None => {
                if !self.shell {
                    self.find(line.program())?;
                }
                self.script(line)
            }
        };
        let directory = self.resource.wanted("cwd");
        if let Some(directory) = directory.as_text() {
            command = command.inside(paths::directory(self.system, self.resource, directory)?);
        }
        command = command.environment_of_caller().envs(self.environment());
        if let Value::Int(mask) = self.resource.wanted("umask") {
            command = command.umask(u32::try_from(mask).unwrap_or_default());
        }
        self.privileges(command.combined().may_show_secrets())
    }

    /// Returns the shell that runs the text.
    fn script(&self, line: &Line) -> Command<'a> {
        let shell = self.system.command("/bin/sh").arg("-c");
        match line {
            // The first element is the script, the others are what it sees as `$0`, `$1` and so on, as in Puppet.
            Line::List(words) if self.shell && !self.secret => shell.args(words.iter().cloned()),
            line if self.secret => shell.arg("eval \"$(/bin/cat)\" </dev/null").stdin(line.text()),
            line => shell.arg(line.text()),
        }
    }

    /// Returns the full path of a command's program.
    fn find(&self, name: &str) -> Result<String, ProviderError> {
        let shown = if self.secret { "[redacted]" } else { name };
        if name.starts_with('/') {
            return match programs::kind(self.system.path(name)) {
                FileKind::Missing => Err(ProviderError::new(format!("could not find command '{shown}'"))),
                FileKind::Directory => Err(ProviderError::new(format!("'{shown}' is a directory, not a file"))),
                FileKind::NotExecutable => Err(ProviderError::new(format!("'{shown}' is not executable"))),
                FileKind::Program => Ok(name.to_owned()),
            };
        }
        let mut found = self.candidates(name).filter(|path| self.system.which(path).is_some());
        found.next().ok_or_else(|| {
            ProviderError::new(format!("could not find command '{shown}'"))
                .help("give its full path, or the directory that it is in by `path`")
                .of_kind(crate::ErrorKind::MissingAttribute)
        })
    }

    /// Returns the full paths that a program without one may have.
    fn candidates(&self, name: &str) -> impl Iterator<Item = String> {
        let folders = if name.is_empty() { Vec::new() } else { listed(&self.resource.wanted("path")) };
        let paths = folders.into_iter().map(move |folder| format!("{}/{name}", folder.to_text().trim_end_matches('/')));
        paths.filter(|path| path.starts_with('/'))
    }

    /// Returns the program that the command needs, if a shell does not look for it.
    fn program(&self) -> Option<Need> {
        let line = Line::of(&self.resource.wanted("command"));
        let name = line.program();
        if self.shell {
            return None;
        }
        let paths = if name.starts_with('/') { vec![name.to_owned()] } else { self.candidates(name).collect() };
        let failure = format!("could not find command '{}'", if self.secret { "[redacted]" } else { name });
        Some(Need { any_of: paths.iter().map(|path| Thing::Program(path.as_str().into())).collect(), failure: failure.into() })
    }

    /// Returns the variables that the resource sets.
    fn environment(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        let path = listed(&self.resource.wanted("path"));
        if !path.is_empty() {
            let path: Vec<String> = path.iter().map(|p| p.to_text().into()).collect();
            all.push(("PATH".into(), path.join(":")));
        }
        let settings = listed(&self.resource.wanted("environment"));
        let texts: Vec<String> = settings.iter().map(|s| s.unwrapped().to_text().into()).collect();
        all.extend(texts.iter().filter_map(|s| s.split_once('=')).map(|(name, value)| (name.to_owned(), value.to_owned())));
        all
    }

    /// As whom the command runs: as in Puppet with the user's own group unless another is given.
    fn privileges(&self, command: Command<'a>) -> Result<Command<'a>, ProviderError> {
        let (user, group) = (self.resource.wanted("user"), self.resource.wanted("group"));
        let group = match &group {
            Value::Nil => None,
            group => Some(accounts::gid_of(self.system, &group.to_text())?),
        };
        match (&user, group) {
            (Value::Nil, None) => Ok(command),
            (Value::Nil, Some(group)) => Ok(command.group(Gid::from_raw(group))),
            (user, group) => {
                let (uid, own) = accounts::ids_of(self.system, &user.to_text())?;
                let group = group.or(own).ok_or_else(|| {
                    ProviderError::new(format!("the user {} has no group to run as", user.to_text())).help("give one by `group`")
                })?;
                Ok(command.user(Uid::from_raw(uid), Gid::from_raw(group)).may_gain_rights())
            }
        }
    }
}

impl Provider for Exec {
    fn needs(&self, system: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        let job = Job::new(*self, system, request.resource);
        let directory = request.resource.wanted("cwd");
        let directory = directory.as_text().map(|path| Need::new(Thing::Directory(path.into()), no_directory(path)));
        let accounts = needs::accounts(request.resource, &["user"], &["group"]);
        job.program().into_iter().chain(directory).chain(accounts).collect()
    }

    fn reads(&self) -> &'static [&'static str] {
        &["returns"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["due?"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["run", "rerun"]
    }

    /// Returns `:notrun` for `returns` if the command has to run, else the desired value. Runs the checks to find
    /// out.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let read = |request: &Request<'_>| {
            let mut state = State::new();
            if select.wants("returns") {
                let job = Job::new(*self, system, request.resource);
                let waits = request.resource.wanted("refreshonly").to_text() == "true";
                let due = if waits { Ok(false) } else { job.due() };
                let returns = due.map(|due| if due { Value::sym("notrun") } else { request.resource.wanted("returns") });
                state.insert(Symbol::from("returns"), returns);
            }
            Reading::Present(state)
        };
        requests.iter().map(read).collect()
    }

    /// Returns false: the checks are arbitrary commands. They are not run before the resource's turn, because they may depend on
    /// earlier resources.
    fn reads_ahead(&self) -> bool {
        false
    }

    /// An executed command leaves no state that could be verified.
    fn converges(&self, _: &str) -> bool {
        false
    }

    /// As `event_name` in Puppet's `lib/puppet/type/exec.rb`.
    fn event(&self, _: &str) -> Option<&'static str> {
        Some("executed_command")
    }

    /// Commands cannot be listed.
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Ok(Vec::new())
    }

    /// Answers `due?`: whether the checks allow the command to run, regardless of `refreshonly`.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match method {
            "due?" => Job::new(*self, system, request.resource).due().map(Value::Bool),
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
    }

    /// `run` runs the command; `rerun` runs the one for refreshes, if there is one. They take no arguments, because the
    /// error of an action with a secret argument is not shown, and that of a command never contains a secret.
    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let job = Job::new(*self, system, change.resource);
        let of_refresh = change.resource.wanted("refresh");
        let command = match action {
            "rerun" if !of_refresh.is_nil() => of_refresh,
            "run" | "rerun" => change.resource.wanted("command"),
            _ => return Err(ProviderError::new(format!("the provider cannot `{action}`"))),
        };
        job.run(&command, &mut |level, message| change.log(level, message)).map(|()| Value::Nil)
    }
}

pub(super) fn no_directory(path: &str) -> String {
    format!("the working directory {path} does not exist")
}

/// Returns the elements of a list, a single value as one element, or no elements for nil.
fn listed(value: &Value) -> Vec<Value> {
    match value.unwrapped() {
        Value::Nil => Vec::new(),
        Value::Array(all) => all.to_vec(),
        one => vec![one.clone()],
    }
}

/// Returns a command as written by the user.
fn shown(command: &Value) -> String {
    match command {
        Value::Array(_) => rtype_lang::value::inspect(command),
        text => text.to_text().into(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds and tries are small")]
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(n) => Some(*n as f64),
        Value::Float(n) => Some(*n),
        _ => None,
    }
}

/// Converts seconds to a duration, limited to the maximum.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests;
