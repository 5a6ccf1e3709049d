//! Programs: run without a shell, with a clean environment, limits of time and output.

use super::System;
use super::environment::Inherited;
use super::name_service::AccountKey;
use super::running::Running;
use crate::ProviderError;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Gid, Uid};
use rtype_lang::redact::{Foreign, RawOutput};
use rtype_system::{Directory, Terminal, process, start};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a program may take unless something else is said.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// How much a program may say on one of its outputs, in bytes; what follows is read and dropped.
const OUTPUT_LIMIT: usize = 16 << 20;

/// How long a program may continue to run after SIGTERM, and how long to wait for its output after it has ended.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// How many lines of a program's complaints a message shows: the last ones.
const SHOWN_LINES: usize = 10;

/// What a program said.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its exit status; `None` when a signal ended it.
    pub status: Option<i32>,
    /// Standard output; invalid UTF-8 is replaced.
    pub stdout: RawOutput,
    /// Standard error; invalid UTF-8 is replaced.
    pub stderr: RawOutput,
}

/// A program to run.
///
/// The environment is clean (`docs/apply.md`), except with [`Command::environment_of_caller`]. The program inherits no descriptors, and runs in a new session
/// without a terminal. A program that runs as another user cannot gain rights through setuid programs. Secrets must be passed with
/// [`Command::stdin`]: all users of the machine can read arguments.
pub struct Command<'a> {
    system: &'a System,
    program: String,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    inherited: Inherited,
    stdin: Option<Vec<u8>>,
    combined: bool,
    directory: Option<PathBuf>,
    held: Option<Arc<Directory>>,
    own_paths: Vec<String>,
    user: Option<(Uid, Gid)>,
    group: Option<Gid>,
    umask: Option<u32>,
    may_gain_rights: bool,
    may_show_secrets: bool,
    time_limit: Option<Duration>,
}

/// Arguments, environment and input may hold secrets.
impl std::fmt::Debug for Command<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Command({})", self.program)
    }
}

impl<'a> Command<'a> {
    pub(super) fn new(system: &'a System, program: &str) -> Command<'a> {
        Command {
            system,
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            inherited: Inherited::default(),
            stdin: None,
            combined: false,
            directory: None,
            held: None,
            own_paths: Vec::new(),
            user: None,
            group: None,
            umask: None,
            may_gain_rights: false,
            may_show_secrets: false,
            time_limit: Some(TIME_LIMIT),
        }
    }

    /// One more argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Requires that no other user controls a path that the program resolves. The path is checked before the program starts and after it
    /// ends.
    #[must_use]
    pub fn own_path(mut self, path: impl Into<String>) -> Self {
        self.own_paths.push(path.into());
        self
    }

    /// Sets an environment variable; the last value for a name wins.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Sets several environment variables.
    #[must_use]
    pub fn envs(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.environment.extend(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// The program inherits the caller's locale instead of `C.UTF-8`.
    #[must_use]
    pub(crate) fn locale_of_caller(mut self) -> Self {
        self.inherited = Inherited::Locale;
        self
    }

    /// The program inherits the caller's environment except for variables of the caller's account. A program that runs as another user inherits
    /// only the locale.
    #[must_use]
    pub(crate) fn environment_of_caller(mut self) -> Self {
        self.inherited = Inherited::All;
        self
    }

    /// Sets the standard input, which is empty by default.
    #[must_use]
    pub fn stdin(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(input.into());
        self
    }

    /// Captures standard error together with standard output, in order.
    #[must_use]
    pub fn combined(mut self) -> Self {
        self.combined = true;
        self
    }

    /// Sets the working directory, which is `/` by default.
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.directory = Some(path.into());
        self
    }

    /// Sets the working directory to one that is already open.
    #[must_use]
    pub fn inside(mut self, directory: Arc<Directory>) -> Self {
        self.directory = Some(directory.held_path());
        self.held = Some(directory);
        self
    }

    /// Runs the program as a user, with the user's supplementary groups. Requires root for other users.
    #[must_use]
    pub fn user(mut self, user: Uid, group: Gid) -> Self {
        self.user = Some((user, group));
        self
    }

    /// Runs the program with this group.
    #[must_use]
    pub fn group(mut self, group: Gid) -> Self {
        self.group = Some(group);
        self
    }

    /// Allows a program that runs as another user to start setuid programs such as `sudo`.
    #[must_use]
    pub fn may_gain_rights(mut self) -> Self {
        self.may_gain_rights = true;
        self
    }

    /// Allows secrets in the arguments, which all users of the machine can read. For commands that the user declares.
    #[must_use]
    pub fn may_show_secrets(mut self) -> Self {
        self.may_show_secrets = true;
        self
    }

    /// Sets the umask.
    #[must_use]
    pub fn umask(mut self, mask: u32) -> Self {
        self.umask = Some(mask);
        self
    }

    /// Sets the timeout, by default 60 seconds; `None` means no timeout. The program and its child processes then
    /// receive SIGTERM, and two seconds later SIGKILL.
    #[must_use]
    pub fn time_limit(mut self, limit: Option<Duration>) -> Self {
        self.time_limit = limit;
        self
    }

    /// Returns the program and its arguments as people would type them.
    pub fn line(&self) -> String {
        let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
        let quoted = |text: &str| {
            if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
        };
        let words = std::iter::once(quoted(&self.program)).chain(self.arguments.iter().map(|a| quoted(&a.to_string_lossy())));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Runs the program; an exit status other than 0 is not an error.
    ///
    /// # Errors
    /// If it cannot be started or times out, if another user controls one of its paths, or if an argument contains a secret.
    pub fn run(self) -> Result<Output, ProviderError> {
        let check = |path: &String| self.system.check_path(path).map_err(|e| e.context(format!("cannot run `{}`: ", self.program)));
        self.own_paths.iter().try_for_each(check)?;
        let arguments = self.arguments.iter().filter(|_| !self.may_show_secrets);
        arguments.map(|a| a.to_string_lossy()).try_for_each(|a| self.system.check_argument(&self.program, &a))?;
        let output = self.run_unchecked()?;
        let parent = |path: &String| Some(Path::new(path).parent()?.to_str()?.to_owned());
        // The program may have changed the owner of the last component.
        self.own_paths.iter().filter_map(parent).try_for_each(|parent| check(&parent))?;
        Ok(output)
    }

    fn run_unchecked(&self) -> Result<Output, ProviderError> {
        let failed = |e: std::io::Error| ProviderError::new(format!("cannot run `{}`: {e}", self.program));
        let mut words = self.words()?.into_iter();
        let mut command = process::program(words.next().unwrap_or_default());
        command
            .args(words)
            .env_clear()
            .envs(self.system.environment(self.inherited()))
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.directory.as_deref().unwrap_or(Path::new("/")))
            .stdin(if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        if let Some(group) = self.group {
            command.gid(group.as_raw());
        }
        let (stdout, sink) = std::io::pipe().map_err(failed)?;
        let mut pipes = vec![stdout];
        if self.combined {
            command.stderr(sink.try_clone().map_err(failed)?);
        } else {
            let (stderr, sink) = std::io::pipe().map_err(failed)?;
            command.stderr(sink);
            pipes.push(stderr);
        }
        command.stdout(sink);
        let mut child = start(&mut command, Terminal::Detached).map_err(failed)?;
        // It holds the write ends of the pipes, which must be closed to detect the end of the output.
        drop(command);
        if let (Some(input), Some(mut pipe)) = (self.stdin.clone(), child.stdin.take()) {
            // A program need not read all input: write errors are ignored.
            std::thread::spawn(move || drop(pipe.write_all(&input)));
        }
        let mut pipes = pipes.into_iter().map(reader);
        let (stdout, stderr) = (pipes.next(), pipes.next());
        let begun = process::now();
        let mut pause = Duration::from_micros(200);
        let running = Running::new(&child, None);
        let group = running.group();
        let mut asked: Option<Instant> = None;
        let status: ExitStatus = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            match asked {
                None if self.time_limit.is_some_and(|limit| begun.elapsed() > limit) => {
                    // That it may be gone already does not matter.
                    let _ = killpg(group, Signal::SIGTERM);
                    asked = Some(process::now());
                }
                Some(since) if since.elapsed() > GRACE => {
                    let _ = killpg(group, Signal::SIGKILL);
                }
                _ => {}
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        if asked.is_some() {
            let _ = killpg(group, Signal::SIGKILL);
            let limit = self.time_limit.unwrap_or_default();
            let limit = if limit.subsec_millis() == 0 { format!("{}", limit.as_secs()) } else { format!("{:.1}", limit.as_secs_f64()) };
            return Err(ProviderError::new(format!("`{}` took longer than {limit} seconds and was ended", self.program)));
        }
        let patience = process::now() + GRACE;
        let text = |pipe: Option<Reading>| pipe.map(|p| p.text(patience)).unwrap_or_default();
        Ok(Output { status: status.code(), stdout: text(stdout).into(), stderr: text(stderr).into() }.signalled(status))
    }

    /// Returns the user and the group as which the program runs, if they are not those of this process.
    fn other_user(&self) -> Option<(Uid, Gid)> {
        self.user.filter(|(user, _)| *user != Uid::effective())
    }

    fn inherited(&self) -> Inherited {
        if self.inherited == Inherited::All && self.other_user().is_some() { Inherited::Locale } else { self.inherited }
    }

    /// Returns the command line: the program and its arguments, after wrappers for what has to be set up first. Doing
    /// this between fork and exec would require unsafe code.
    fn words(&self) -> Result<Vec<OsString>, ProviderError> {
        let find = |program: &str| self.system.find(program).map(PathBuf::into_os_string);
        let mut words = vec![find(&self.program)?];
        words.extend(self.arguments.iter().cloned());
        let mut before = |prefix: Vec<OsString>| drop(words.splice(0..0, prefix));
        if let Some((user, group)) = self.other_user() {
            // The ID may not belong to a user.
            let known = self.system.user_here(AccountKey::Number(user.as_raw())).ok().flatten().is_some();
            let groups = if known { "--init-groups" } else { "--clear-groups" };
            let mut prefix = vec![find("setpriv")?, format!("--reuid={user}").into(), format!("--regid={group}").into(), groups.into()];
            prefix.push("--inh-caps=-all".into());
            prefix.extend((!self.may_gain_rights).then(|| "--no-new-privs".into()));
            prefix.push("--".into());
            before(prefix);
        }
        if let Some(mask) = self.umask {
            // The program and its arguments are not part of the script.
            before(vec![find("sh")?, "-c".into(), format!("umask {mask:04o}; exec \"$0\" \"$@\"").into()]);
        }
        Ok(words)
    }

    /// Runs the program and treats an exit status other than 0 as an error, whose message contains the command line,
    /// the status and the end of standard error.
    ///
    /// # Errors
    /// As [`Command::run`], and if the program fails.
    pub fn succeed(self) -> Result<Output, ProviderError> {
        let line = self.line();
        let output = self.run()?;
        if output.status == Some(0) { Ok(output) } else { Err(output.failure(&line)) }
    }
}

impl Output {
    fn signalled(mut self, status: ExitStatus) -> Output {
        if let Some(signal) = status.signal() {
            let name = Signal::try_from(signal).map_or_else(|_| signal.to_string(), |s| s.to_string());
            self.stderr.push(&format!("ended by {name}\n"));
        }
        self
    }

    /// Returns the error for a failed program: command line, exit status, and last output.
    pub fn failure(&self, line: &str) -> ProviderError {
        let status = self.status.map_or_else(|| "was ended by a signal".to_owned(), |s| format!("exited with {s}"));
        let said = if self.stderr.is_blank() { &self.stdout } else { &self.stderr };
        let message = Foreign::from(format!("`{line}` {status}"));
        ProviderError::new(if said.is_blank() { message } else { message.then(": ").then(said.last_lines(SHOWN_LINES)) })
    }
}

/// A pipe that is read by a separate thread.
struct Reading(std::sync::mpsc::Receiver<Vec<u8>>);

fn reader(mut pipe: impl Read + Send + 'static) -> Reading {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut room = vec![0; 1 << 16];
        // What was read before an error is all there is to show.
        while let Ok(count @ 1..) = pipe.read(&mut room) {
            if sender.send(room.get(..count).unwrap_or_default().to_vec()).is_err() {
                break;
            }
        }
    });
    Reading(receiver)
}

impl Reading {
    /// Returns the output. A daemon that the program started may keep the pipe open and continue to write; it is not
    /// waited for.
    fn text(&self, end: Instant) -> String {
        let mut bytes = Vec::new();
        while process::now() < end + GRACE
            && let Ok(more) = self.0.recv_timeout(end.saturating_duration_since(process::now()))
        {
            let room = OUTPUT_LIMIT.saturating_sub(bytes.len());
            bytes.extend(more.into_iter().take(room));
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
