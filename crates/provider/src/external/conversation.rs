//! One program for one type: started once, then sent one request at a time.

use super::message::{Fault, Hello, MINOR, Object, PROTOCOL, Restart, quoted};
use crate::{ErrorKind, ProgramOutput, ProviderError, System, Talk};
use rtype_lang::data::{json_error, json_from_text};
use rtype_lang::redact::Foreign;
use rtype_lang::value::EcoString;
use rtype_system::programs::{self, FileKind};
use rtype_system::trust;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a program may take to say what it is.
const HELLO: Duration = Duration::from_secs(10);

/// How long a program may continue to run after the last request.
const FAREWELL: Duration = Duration::from_secs(2);

/// Maximum number of lines of standard error in an error message. The last lines are shown.
const SHOWN_LINES: usize = 10;

/// Maximum size of the description file next to a program, in bytes.
const MAX_SIDECAR: u64 = 1024 * 1024;

/// Maximum number of log lines kept per program.
const MAX_LOGS: usize = 10_000;

/// A program as a provider's declaration names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExternalProgram {
    /// The path as written in the declaration; without a slash, a name to look up in `PATH`.
    pub path: EcoString,
    /// The base of a relative path: the directory of the type file.
    pub directory: Option<EcoString>,
    /// The arguments.
    pub arguments: Vec<EcoString>,
    /// Timeout for an answer.
    pub time_limit: Duration,
}

impl ExternalProgram {
    /// Returns the path of the program if it is declared by path.
    fn beside(&self) -> Option<PathBuf> {
        let path = Path::new(self.directory.as_deref().unwrap_or_default()).join(self.path.as_str());
        self.path.contains('/').then_some(path)
    }

    /// Returns the path at which the program is missing.
    pub fn missing(&self) -> Option<PathBuf> {
        self.beside().filter(|path| matches!(programs::kind(path), FileKind::Missing | FileKind::Directory))
    }

    /// Returns the path of the program.
    ///
    /// # Errors
    /// If a name is not found in `PATH`. Whether a file exists at a declared path is not checked.
    pub fn find(&self, system: &System) -> Result<PathBuf, ProviderError> {
        let Some(path) = self.beside() else {
            let help = format!("`./{}` is the path of a file next to the type's", self.path);
            return system.find(&self.path).map_err(|e| if e.help.is_none() { e.help(help) } else { e });
        };
        std::path::absolute(&path).map_err(|e| ProviderError::new(format!("cannot run `{}`: {e}", self.path)))
    }

    /// Returns the path of the file that describes the program.
    pub fn sidecar_path(&self) -> Option<PathBuf> {
        let mut path = self.beside()?;
        path.as_mut_os_string().push(".json");
        Some(path)
    }

    /// Returns the description of the program from the file next to it: `x.py.json` for `x.py`. It replaces the
    /// program's own answer to `hello`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid description.
    pub fn sidecar(&self) -> Result<Option<Hello>, SidecarError> {
        let Some(path) = self.sidecar_path() else { return Ok(None) };
        let text = match programs::read(&path, MAX_SIDECAR) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SidecarError::Unreadable { path, error }),
        };
        let json = match serde_json::from_str(&text) {
            Ok(json) => json,
            Err(error) => return Err(SidecarError::NotJson { path, error }),
        };
        Hello::parse(&json).map(Some).map_err(|reason| SidecarError::NotHello { path, reason: reason.to_string() })
    }
}

/// Why the file that describes a program cannot be used.
#[derive(Debug)]
pub enum SidecarError {
    /// It cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// It is not JSON.
    NotJson {
        /// The file.
        path: PathBuf,
        /// The error of the parser, with line and column.
        error: serde_json::Error,
    },
    /// It is not an answer to `hello`.
    NotHello {
        /// The file.
        path: PathBuf,
        /// The violated rule of the protocol.
        reason: String,
    },
}

impl std::fmt::Display for SidecarError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SidecarError::Unreadable { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            SidecarError::NotJson { path, error } => write!(f, "{} is not JSON: {error}", path.display()),
            SidecarError::NotHello { path, reason } => write!(f, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for SidecarError {}

/// A log message that a program sent in addition to its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The program as named in the provider's declaration.
    pub program: EcoString,
    /// `debug`, `info`, `warning` or `error`.
    pub level: &'static str,
    /// The message.
    pub message: Foreign,
}

/// Why a request was not answered.
#[derive(Debug)]
pub enum Refusal {
    /// The program says so.
    Fault(Fault),
    /// The program violated the protocol, crashed or timed out, and must not be used again.
    Broken(ProviderError),
}

impl Refusal {
    /// Returns why the program did not answer, as an error of a provider.
    pub fn error(self) -> ProviderError {
        match self {
            Refusal::Fault(fault) => fault.error(),
            Refusal::Broken(error) => error,
        }
    }
}

/// A program that is started on first use.
#[derive(Debug)]
pub struct Conversation {
    program: ExternalProgram,
    /// The path of the program; empty before the first search.
    path: PathBuf,
    type_name: EcoString,
    talk: Option<Talk>,
    hello: Option<Hello>,
    /// Whether the program exits after each answer and is started for each request.
    ends: bool,
    /// Number of answers since the program was started.
    answers: usize,
    /// The error because of which the program is not used again, and the modification time of its file at that point.
    broken: Option<(ProviderError, Option<(i64, i64)>)>,
    id: u64,
    level: &'static str,
    logs: Vec<Log>,
    /// Whether resources have secrets. Invalid output is then not shown.
    has_secrets: bool,
    /// Set if the program serves all types of a run.
    shared: Option<Shared>,
    /// The catalog that was sent to the running program.
    catalog: Option<Arc<Vec<Json>>>,
}

/// What is different about a program that serves all types of a run.
#[derive(Debug)]
struct Shared {
    /// Further keys of the `hello` request.
    settings: Object,
    /// Timeout for the answer to `hello`.
    patience: Duration,
}

impl Conversation {
    /// Creates a conversation with a program that serves all types of a run, without starting the program. After a crash, the program is
    /// started again.
    pub fn shared(program: ExternalProgram, settings: Object, patience: Duration, level: &'static str) -> Conversation {
        let shared = Some(Shared { settings, patience });
        // The types of later requests are unknown and may have secrets.
        Conversation { shared, has_secrets: true, ..Conversation::new(program, EcoString::new(), level) }
    }

    /// Returns whether the program has not been started, or has ended, so that the next request starts it.
    pub fn is_new(&mut self) -> bool {
        self.talk.as_mut().is_none_or(Talk::has_ended)
    }

    /// Sends a request to a program that serves all types, and waits this long for the answer.
    ///
    /// # Errors
    /// If the program does not answer.
    pub fn ask_within(&mut self, system: &System, op: &str, question: Json, patience: Duration) -> Result<Object, Refusal> {
        if self.talk.as_mut().is_some_and(Talk::has_ended) {
            self.stop();
            self.hello = None;
        }
        self.hello(system).map_err(Refusal::Broken)?;
        self.exchange(system, op, question, patience)
    }

    /// Creates a conversation without starting the program. Without a type name, the program decides which type it is
    /// for.
    pub fn new(program: ExternalProgram, type_name: EcoString, level: &'static str) -> Conversation {
        Conversation {
            program,
            path: PathBuf::new(),
            type_name,
            talk: None,
            hello: None,
            ends: false,
            answers: 0,
            broken: None,
            id: 0,
            level,
            logs: Vec::new(),
            has_secrets: false,
            shared: None,
            catalog: None,
        }
    }

    /// Sends the requested resources of a catalog, unless the running program has received them.
    ///
    /// # Errors
    /// If the program does not answer.
    pub fn send_catalog(&mut self, system: &System, catalog: &Arc<Vec<Json>>, is_asked: &dyn Fn(&&Json) -> bool) -> Result<(), Refusal> {
        if !self.is_new() && self.catalog.as_ref().is_some_and(|known| Arc::ptr_eq(known, catalog)) {
            return Ok(());
        }
        let resources: Vec<&Json> = catalog.iter().filter(is_asked).collect();
        self.ask(system, "catalog", json!({"resources": resources}))?;
        self.catalog = Some(Arc::clone(catalog));
        Ok(())
    }

    /// Returns the program's description, starting it if necessary.
    ///
    /// # Errors
    /// If the program cannot be used.
    pub fn hello(&mut self, system: &System) -> Result<Hello, ProviderError> {
        self.look_for_changes()?;
        if let Some(hello) = &self.hello {
            return Ok(hello.clone());
        }
        let mut question = json!({"protocol": PROTOCOL, "minor": MINOR});
        let mut patience = HELLO;
        if let (Some(question), Some(shared)) = (question.as_object_mut(), &self.shared) {
            question.extend(shared.settings.clone());
            patience = shared.patience;
        }
        if let (Some(question), false) = (question.as_object_mut(), self.type_name.is_empty()) {
            question.insert("type".to_owned(), self.type_name.as_str().into());
        }
        let answer = self.exchange(system, "hello", question, patience);
        let answer = match answer {
            Ok(answer) => answer,
            Err(Refusal::Broken(e)) => return Err(e),
            Err(Refusal::Fault(fault)) => return Err(self.about(&fault.error())),
        };
        let said = Json::Object(answer);
        let hello = match Hello::parse(&said) {
            Ok(hello) if self.type_name.is_empty() || hello.type_name == self.type_name.as_str() => hello,
            Ok(hello) => {
                let why = format!("it is for the type `{}`, not for `{}`", hello.type_name, self.type_name);
                return Err(self.unusable(format!("`{}` cannot be used: {why}", self.program.path), None));
            }
            Err(why) => {
                let said = quoted(said.to_string().as_bytes());
                let message = Foreign::from(format!("`{}` said ", self.program.path)).then(said).then(format!(" to `hello`: {why}"));
                return Err(self.unusable(message, None));
            }
        };
        unmet(&hello, system).map_or(Ok(()), |e| Err(self.about(&e)))?;
        self.hello = Some(hello.clone());
        Ok(hello)
    }

    /// Sends a request, after `hello` if necessary; returns the answer without its `id`.
    ///
    /// # Errors
    /// If the program does not answer.
    pub fn ask(&mut self, system: &System, op: &str, question: Json) -> Result<Object, Refusal> {
        self.hello(system).map_err(Refusal::Broken)?;
        self.exchange(system, op, question, self.program.time_limit)
    }

    /// As its provider calls it.
    pub fn name(&self) -> &str {
        &self.program.path
    }

    /// Returns the program's description, if it has been requested.
    pub fn known(&self) -> Option<&Hello> {
        self.hello.as_ref()
    }

    /// Marks the resources as containing secrets.
    pub fn keep_secrets(&mut self) {
        self.has_secrets = true;
    }

    /// Logs that something has to be restarted.
    pub fn note_restart(&mut self, title: &str, restart: Restart) {
        let what = match restart {
            Restart::None => return,
            Restart::Service => "the service has to be restarted",
            Restart::Host => "the machine has to be restarted",
        };
        self.logs.push(Log { program: self.program.path.clone(), level: "warning", message: format!("{title}: {what}").into() });
    }

    /// Returns the log messages since the last call.
    pub fn take_logs(&mut self) -> Vec<Log> {
        self.collect_logs();
        std::mem::take(&mut self.logs)
    }

    /// Closes the connection so that the program ends.
    pub fn end(&mut self) {
        if let Some(mut talk) = self.talk.take() {
            let how = talk.end(FAREWELL);
            self.keep_logs(talk.logs_to_end());
            if let Some(how) = how {
                let message = format!("{how} after its last answer");
                self.logs.push(Log { program: self.program.path.clone(), level: "warning", message: message.into() });
            }
        }
    }

    fn exchange(&mut self, system: &System, op: &str, question: Json, patience: Duration) -> Result<Object, Refusal> {
        self.look_for_changes().map_err(Refusal::Broken)?;
        // Whether it has ended is seen a moment after its answer.
        if self.shared.is_none() && self.talk.as_mut().is_some_and(|t| self.ends || t.has_ended()) {
            self.end();
            self.ends = true;
        }
        if self.talk.is_none() {
            self.start(system).map_err(Refusal::Broken)?;
        }
        self.id += 1;
        let mut line = json!({"id": self.id, "op": op});
        if let (Some(line), Json::Object(question)) = (line.as_object_mut(), question) {
            line.extend(question);
        }
        let line = line.to_string().into_bytes();
        let said = self.say(line.clone(), patience);
        // The program exited after an earlier answer, so a request without changes is repeated.
        let had_answered = said == Some(ProgramOutput::Nothing) && self.answers > 0 && op != "set" && self.shared.is_none();
        let said = if had_answered && self.talk.as_mut().is_some_and(|t| t.end(FAREWELL).is_none()) {
            self.end();
            self.ends = true;
            self.start(system).map_err(Refusal::Broken)?;
            self.say(line, patience)
        } else {
            said
        };
        let answer = self.answer(op, said, patience)?;
        self.answers += 1;
        match answer.get("error") {
            None | Some(Json::Null) => Ok(answer),
            Some(error) => match serde_json::from_value(error.clone()) {
                Ok(fault) => Err(Refusal::Fault(fault)),
                Err(e) => {
                    Err(self.broken(op, self.quoted(op, error.to_string().as_bytes()), &format!("an error {ERROR} ({})", json_error(&e))))
                }
            },
        }
    }

    fn say(&mut self, line: Vec<u8>, patience: Duration) -> Option<ProgramOutput> {
        let talk = self.talk.as_ref()?;
        talk.ask(line);
        let said = talk.listen(patience);
        self.collect_logs();
        Some(said)
    }

    /// Returns a program's output for a message. If resources have secrets, output that could not be parsed is not
    /// shown, because the redactor does not know the secrets in it yet.
    fn quoted(&self, op: &str, said: &[u8]) -> Foreign {
        let said = quoted(said);
        if self.has_secrets && op == "get" { said.without_output() } else { said }
    }

    /// Parses the output as an answer to the last request.
    fn answer(&mut self, op: &str, said: Option<ProgramOutput>, patience: Duration) -> Result<Object, Refusal> {
        let expected = expected(op, self.id);
        match said {
            Some(ProgramOutput::Line(line)) => match std::str::from_utf8(&line).map(json_from_text) {
                Ok(Ok(Json::Object(mut answer))) => match answer.remove("id") {
                    Some(id) if id.as_u64() == Some(self.id) => Ok(answer),
                    _ => Err(self.broken(op, self.quoted(op, &line), &format!("{expected}: `id` is that of the question"))),
                },
                Ok(Ok(_)) => Err(self.broken(op, self.quoted(op, &line), &format!("{expected}: an object"))),
                Err(_) => Err(self.broken(op, self.quoted(op, &line), &format!("{expected}, in UTF-8"))),
                // The parser's message may contain a secret value.
                Ok(Err(_)) => Err(self.broken(op, self.quoted(op, &line), &format!("{expected}, with integers of up to 64 bits"))),
            },
            Some(ProgramOutput::TooLong(begin)) => {
                let said = Foreign::from("a line of more than 16 MiB that begins with ").then(self.quoted(op, &begin));
                Err(self.broken(op, said, &expected))
            }
            Some(ProgramOutput::TooLate) => {
                let seconds = patience.as_secs_f64();
                let message = format!("`{}` did not answer `{op}` within {seconds} seconds and was ended", self.program.path);
                let help = self.shared.is_none().then_some("`program \"…\", timeout: SECONDS` gives it more time");
                Err(Refusal::Broken(self.violated(message, help)))
            }
            Some(ProgramOutput::Nothing) | None => {
                let how = self.stop().unwrap_or_else(|| "ended".to_owned());
                let message = format!("`{}` {how} and did not answer `{op}`", self.program.path);
                Err(Refusal::Broken(self.violated(message, None)))
            }
        }
    }

    fn start(&mut self, system: &System) -> Result<(), ProviderError> {
        self.path = self.program.find(system)?;
        let checked = trust::check(&self.path).map_err(|why| (why, ""));
        let checked = checked.and_then(|_| system.check_interpreter(&self.path).map_err(|why| (why, "its interpreter: ")));
        if let Err((why, of)) = checked {
            return Err(self.unusable(format!("cannot run `{}`: {of}{}", self.program.path, why.message), Some(&why.help)));
        }
        let environment = [("RTYPE_PROTOCOL", "1"), ("RTYPE_LOG", self.level)];
        match system.talk(&self.path, &self.program.arguments, &environment) {
            Ok(talk) => {
                self.talk = Some(talk);
                self.answers = 0;
                Ok(())
            }
            Err(e) => {
                let shown = self.path.display();
                let (why, help) = match e.kind() {
                    // The kernel reports the same error for a script whose interpreter does not exist.
                    std::io::ErrorKind::NotFound if programs::kind(&self.path) != FileKind::Missing => {
                        (format!("the interpreter in its first line does not exist ({shown})"), None)
                    }
                    std::io::ErrorKind::NotFound => (format!("{shown} does not exist"), None),
                    std::io::ErrorKind::PermissionDenied => (format!("{shown} may not be run"), Some(format!("`chmod +x {shown}`"))),
                    _ if e.raw_os_error() == Some(nix::libc::ENOEXEC) => {
                        (format!("{shown} is not a program"), Some("a script begins with `#!` and its interpreter".to_owned()))
                    }
                    _ => (format!("{e} ({shown})"), None),
                };
                Err(self.unusable(format!("cannot run `{}`: {why}", self.program.path), help.as_deref()))
            }
        }
    }

    /// Allows a program to be used again if its file was edited: a REPL session can be long.
    fn look_for_changes(&mut self) -> Result<(), ProviderError> {
        let Some((error, then)) = &self.broken else { return Ok(()) };
        if *then == programs::changed(&self.path) {
            return Err(error.clone());
        }
        self.broken = None;
        self.hello = None;
        self.ends = false;
        Ok(())
    }

    /// Reports an invalid answer; the program is not used again.
    pub fn misunderstood(&mut self, op: &str, answer: &Object, why: &str) -> ProviderError {
        let said = quoted(Json::Object(answer.clone()).to_string().as_bytes());
        match self.broken(op, said, &format!("{}: {why}", expected(op, self.id))) {
            Refusal::Broken(error) => error,
            Refusal::Fault(fault) => fault.error(),
        }
    }

    fn broken(&mut self, op: &str, said: Foreign, expected: &str) -> Refusal {
        let message = Foreign::from(format!("`{}` broke the protocol: to `{op}` it said ", self.program.path));
        let message = message.then(said).then(format!("; expected is {expected}"));
        Refusal::Broken(self.violated(message, Some("messages for people go to standard error; `rtype provider test` tries a program out")))
    }

    /// Marks the program as unusable for the rest of this run.
    fn unusable(&mut self, message: impl Into<Foreign>, help: Option<&str>) -> ProviderError {
        self.stop();
        let mut message = message.into();
        let first = self.logs.len().saturating_sub(SHOWN_LINES);
        for (i, log) in self.logs.iter().skip(first).enumerate() {
            message = message.then(if i == 0 { "; last output: " } else { "\n" }).then(log.message.clone());
        }
        let error = ProviderError { help: help.map(Foreign::from), ..ProviderError::new(message) };
        self.logs.clear();
        self.broken = Some((error.clone(), programs::changed(&self.path)));
        error
    }

    /// Like [`Self::unusable`], for a program that violated the protocol, crashed or timed out.
    fn violated(&mut self, message: impl Into<Foreign>, help: Option<&str>) -> ProviderError {
        let error = self.unusable(message, help).of_kind(ErrorKind::Protocol);
        self.broken = Some((error.clone(), programs::changed(&self.path)));
        if self.shared.is_some() {
            // The next request starts it again.
            self.broken = None;
            self.hello = None;
        }
        error
    }

    /// Kills the program; returns how it ended if it had ended by itself.
    fn stop(&mut self) -> Option<String> {
        let mut talk = self.talk.take()?;
        // A moment for one that has only begun to end.
        let how = talk.end(Duration::from_millis(100));
        self.keep_logs(talk.logs_to_end());
        how
    }

    fn about(&self, error: &ProviderError) -> ProviderError {
        error.clone().context(format!("`{}`: ", self.program.path))
    }

    fn collect_logs(&mut self) {
        let lines = self.talk.as_ref().map(Talk::logs).unwrap_or_default();
        self.keep_logs(lines);
    }

    fn keep_logs(&mut self, lines: Vec<String>) {
        for line in lines {
            let (level, message) = match serde_json::from_str::<Json>(&line) {
                Ok(Json::Object(log)) if log.contains_key("msg") => {
                    let level = match log.get("level").and_then(Json::as_str).unwrap_or_default() {
                        "debug" | "trace" => "debug",
                        "notice" => "notice",
                        "warning" | "warn" => "warning",
                        "error" | "err" | "critical" => "error",
                        _ => "info",
                    };
                    let msg = log.get("msg").map(|m| m.as_str().map_or_else(|| m.to_string(), str::to_owned));
                    (level, msg.unwrap_or_default())
                }
                _ => ("info", line),
            };
            if self.logs.len() < MAX_LOGS {
                self.logs.push(Log { program: self.program.path.clone(), level, message: Foreign::output(message) });
            }
        }
    }
}

const ERROR: &str =
    r#"{"kind":"failed","msg":"…"} with one of the kinds invalid, not_found, forbidden, unsupported, busy, timeout, failed"#;

/// Describes the expected answer for messages.
fn expected(op: &str, id: u64) -> String {
    let rest = match op {
        "hello" => r#""protocol":1,"name":"…","version":"…","type":"…","ops":["get","set"],…"#,
        "get" => r#""resources":[…],"complete":true"#,
        "set" => r#""results":[…]"#,
        _ => r#""error":{…}"#,
    };
    format!("one line of JSON, {{\"id\":{id},{rest}}}")
}

/// Returns an error if a requirement of the program is not met on this machine.
fn unmet(hello: &Hello, system: &System) -> Option<ProviderError> {
    let os = nix::sys::utsname::uname().map(|u| u.sysname().to_string_lossy().into_owned()).unwrap_or_default();
    if !hello.needs.os.is_empty() && !hello.needs.os.iter().any(|o| o.eq_ignore_ascii_case(&os)) {
        return Some(ProviderError::new(format!("it works on {}, this is {os}", hello.needs.os.join(", "))));
    }
    if let Some(missing) = hello.needs.commands.iter().find(|c| system.which(c).is_none()) {
        return Some(ProviderError::new(format!("it needs the command `{missing}`, which is not installed")));
    }
    (hello.needs.root && !nix::unistd::Uid::effective().is_root()).then(|| ProviderError::new("it needs to be root").help("run as root"))
}
