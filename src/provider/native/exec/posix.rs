//! `exec/posix` and `exec/shell`: commands that are run.
//!
//! Follows `provider/exec.rb`, `provider/exec/posix.rb` and `provider/exec/shell.rb` of Puppet 7.23 and the checks of its
//! `type/exec.rb`, but for these:
//!
//! - The environment is the clean one that every program gets here, the settings of proxies and the time zone of this
//!   program's own beside it. Puppet hands on its whole environment: what a command does then differs between a terminal and
//!   a timer, and secrets in it reach commands that run as other users.
//! - A test that takes too long is an error. Puppet takes it for one that says that there is nothing to do.
//! - A `refresh` command that goes wrong is a failure, as `command` is one.
//! - The script of a shell that is a secret goes in by standard input, so that it is in nobody's list of processes.

use super::line::Line;
use crate::eval::LogLevel;
use crate::provider::native::{accounts, obstacles};
use crate::provider::{
    Change, Command, Found, Obstacle, Output, Provider, ProviderError, Reading, Request, Resource, Select, State, System,
};
use crate::redact::Foreign;
use crate::system::{named, process};
use crate::value::{Symbol, Value};
use nix::unistd::{Gid, Uid};
use std::time::Duration;

/// The variables of this program's environment that commands see, too, in small and in capital letters.
const HANDED_ON: [&str; 6] = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "tz"];

/// The exit status by which a shell says that it has not found a program.
const NOT_FOUND: i32 = 127;

/// Runs commands.
#[derive(Clone, Copy, Debug)]
pub struct Exec {
    /// Whether a shell is handed every command, and looks for its program.
    pub shell: bool,
}

/// A resource whose command or tests are run.
struct Job<'a> {
    system: &'a System,
    resource: &'a dyn Resource,
    shell: bool,
    /// Whether nothing of commands and their output may be told.
    secret: bool,
}

impl<'a> Job<'a> {
    fn new(provider: Exec, system: &'a System, resource: &'a dyn Resource) -> Job<'a> {
        // As in Puppet, one secret among these makes secrets of all.
        let secret = ["command", "onlyif", "unless", "refresh", "environment"].iter().any(|a| resource.is_secret(a));
        Job { system, resource, shell: provider.shell, secret }
    }

    /// Whether the tests ask for a run.
    fn due(&self) -> Result<bool, ProviderError> {
        for path in listed(&self.resource.wanted("creates")) {
            if self.is_there(&path.to_text())? {
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

    fn is_there(&self, path: &str) -> Result<bool, ProviderError> {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        // A link without target is not there, as in Puppet.
        match named::metadata(self.system.path(path)) {
            Ok(_) => Ok(true),
            Err(e) if matches!(e.kind(), NotFound | NotADirectory) => Ok(false),
            Err(e) => Err(System::cannot_read(path, &e)),
        }
    }

    /// Runs the command until it says that it went well, as often as it may be tried; tells what it said where that is wanted.
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
        self.tell(&output, well, log);
        if well { Ok(()) } else { Err(self.failure(command, &output, &expected)) }
    }

    fn tell(&self, output: &Output, well: bool, log: &mut dyn FnMut(LogLevel, Foreign)) {
        let wanted = self.resource.wanted("logoutput").to_text();
        if wanted == "false" || (wanted == "on_failure" && well) || output.stdout.is_empty() {
            return;
        }
        let level = match self.resource.wanted("loglevel").to_text().as_str() {
            "debug" => LogLevel::Debug,
            "info" => LogLevel::Info,
            "warning" => LogLevel::Warning,
            "err" | "crit" | "alert" | "emerg" => LogLevel::Err,
            _ => LogLevel::Notice,
        };
        if self.secret {
            return log(level, "[output redacted]".into());
        }
        log(level, Foreign::output(output.stdout.trim_end_matches('\n')));
    }

    fn failure(&self, command: &Value, output: &Output, expected: &[String]) -> ProviderError {
        let command = if self.secret { "[command redacted]".to_owned() } else { format!("'{}'", shown(command)) };
        let how = match output.status {
            Some(status) => format!("returned {status}"),
            // The signal is the last that is told.
            None => output.stderr.trim().lines().last().unwrap_or("was ended by a signal").to_owned(),
        };
        ProviderError::new(format!("{command} {how} instead of one of [{}]", expected.join(",")))
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
            let said = if self.secret { "" } else { output.stdout.trim() };
            return Err(ProviderError::new(if said.is_empty() { "a program of the command was not found" } else { said }));
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
            let path = self.system.path(directory);
            if !named::is_dir(&path) {
                return Err(ProviderError::new(format!("the working directory {directory} does not exist")));
            }
            command = command.directory(path);
        }
        for (name, value) in self.environment() {
            command = command.env(name, value);
        }
        if let Value::Int(mask) = self.resource.wanted("umask") {
            command = command.umask(u32::try_from(mask).unwrap_or_default());
        }
        self.privileges(command.combined())
    }

    /// The shell that runs the text.
    fn script(&self, line: &Line) -> Command<'a> {
        let shell = self.system.command("/bin/sh").arg("-c");
        match line {
            // The first element is the script, the others are what it sees as `$0`, `$1` and so on, as in Puppet.
            Line::List(words) if self.shell && !self.secret => shell.args(words.iter().cloned()),
            line if self.secret => shell.arg("eval \"$(/bin/cat)\" </dev/null").stdin(line.text()),
            line => shell.arg(line.text()),
        }
    }

    /// The full path of a command's program.
    fn find(&self, name: &str) -> Result<String, ProviderError> {
        let shown = if self.secret { "[redacted]" } else { name };
        if name.starts_with('/') {
            return match named::metadata(self.system.path(name)) {
                Err(_) => Err(ProviderError::new(format!("could not find command '{shown}'"))),
                Ok(m) if m.is_dir() => Err(ProviderError::new(format!("'{shown}' is a directory, not a file"))),
                Ok(_) if self.system.which(name).is_none() => Err(ProviderError::new(format!("'{shown}' is not executable"))),
                Ok(_) => Ok(name.to_owned()),
            };
        }
        let path = self.resource.wanted("path");
        let candidates = listed(&path).into_iter().map(|folder| format!("{}/{name}", folder.to_text().trim_end_matches('/')));
        let mut found = candidates.filter(|path| path.starts_with('/') && self.system.which(path).is_some());
        found.next().filter(|_| !name.is_empty()).ok_or_else(|| {
            ProviderError::new(format!("could not find command '{shown}'"))
                .help("give its full path, or the directory that it is in by `path`")
        })
    }

    /// The variables that the command sees beside the usual ones.
    fn environment(&self) -> Vec<(String, String)> {
        let handed_on = process::variables().filter(|(name, _)| HANDED_ON.contains(&name.to_ascii_lowercase().as_str()));
        let mut all: Vec<(String, String)> = handed_on.collect();
        let path = listed(&self.resource.wanted("path"));
        if !path.is_empty() {
            let path: Vec<String> = path.iter().map(|p| p.to_text().into()).collect();
            all.push(("PATH".into(), path.join(":")));
        }
        let settings = listed(&self.resource.wanted("environment"));
        let texts: Vec<String> = settings.iter().map(|s| s.unwrapped().to_text().into()).collect();
        let given = || texts.iter().filter_map(|s| s.split_once('='));
        // Else it would go before the language that is given.
        if given().any(|(name, _)| name == "LANG" || name.starts_with("LC_")) {
            all.push(("LC_ALL".into(), String::new()));
        }
        all.extend(given().map(|(name, value)| (name.to_owned(), value.to_owned())));
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
                Ok(command.user(Uid::from_raw(uid), Gid::from_raw(group)))
            }
        }
    }
}

impl Provider for Exec {
    fn obstacles(&self, system: &System, request: Request<'_>, _: &[&str]) -> Vec<Obstacle> {
        obstacles::accounts(system, request.resource, &["user"], &["group"])
    }

    fn reads(&self) -> &'static [&'static str] {
        &["returns"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["due?"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["run"]
    }

    /// `returns` is `:notrun` where the command is to run, else what is wanted. The tests are run to find out.
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

    /// The tests are what a user wrote: they are not run for a resource before its turn, for what it waits for may still be missing.
    fn reads_ahead(&self) -> bool {
        false
    }

    /// That a command ran leaves nothing to be read.
    fn converges(&self, _: &str) -> bool {
        false
    }

    /// Nobody knows what could be run.
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        Ok(Vec::new())
    }

    /// `due?`: whether the tests ask for a run; `refreshonly` is none of them.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match method {
            "due?" => Job::new(*self, system, request.resource).due().map(Value::Bool),
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
    }

    /// `run`: runs the command that is given.
    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        let [command] = arguments else {
            return Err(ProviderError::new(format!("`{action}` takes one argument, a command")));
        };
        let mut job = Job::new(*self, system, change.resource);
        job.secret |= command.has_secret();
        match action {
            "run" => job.run(command, &mut |level, message| change.log(level, message)).map(|()| Value::Nil),
            _ => Err(ProviderError::new(format!("the provider cannot `{action}`"))),
        }
    }
}

/// The elements of a list, one value alone, or none.
fn listed(value: &Value) -> Vec<Value> {
    match value.unwrapped() {
        Value::Nil => Vec::new(),
        Value::Array(all) => all.to_vec(),
        one => vec![one.clone()],
    }
}

/// A command as its user wrote it.
fn shown(command: &Value) -> String {
    match command {
        Value::Array(_) => crate::value::inspect(command),
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

/// A time; what is longer than can be told is as long as can be told.
fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::time::Instant;
    use tempfile::TempDir;

    /// A resource that wants these attributes, all of them secrets if one is.
    struct Wants(Vec<(&'static str, Value)>);

    impl Resource for Wants {
        fn wanted(&self, attribute: &str) -> Value {
            let found = self.0.iter().find(|(name, _)| *name == attribute).map(|(_, v)| v.unwrapped().clone());
            found.unwrap_or_else(|| if attribute == "returns" { Value::array([Value::str("0")]) } else { Value::Nil })
        }
        fn is_secret(&self, attribute: &str) -> bool {
            self.0.iter().any(|(name, v)| *name == attribute && v.has_secret())
        }
    }

    /// A machine with the programs of this one.
    fn machine() -> (TempDir, System) {
        let root = TempDir::new().unwrap();
        std::fs::create_dir_all(root.path().join("usr")).unwrap();
        std::fs::create_dir(root.path().join("etc")).unwrap();
        std::fs::write(root.path().join("etc/passwd"), "nobody:x:65534:65534:::\n").unwrap();
        for folder in ["bin", "usr/bin"] {
            symlink("/bin", root.path().join(folder)).unwrap();
        }
        let system = System::at(root.path());
        (root, system)
    }

    fn run(shell: bool, wants: Vec<(&'static str, Value)>) -> Result<Value, ProviderError> {
        let (_root, system) = machine();
        run_on(&system, shell, wants).0
    }

    /// What comes of a command, and what is told of it.
    fn run_on(system: &System, shell: bool, wants: Vec<(&'static str, Value)>) -> (Result<Value, ProviderError>, Vec<String>) {
        let wants = Wants(wants);
        let read = Reading::Present(State::new());
        let mut change = Change::new(Request { name: "x", resource: &wants }, &read);
        let command = wants.0.iter().find(|(name, _)| *name == "command").map(|(_, v)| v.clone()).unwrap();
        let result = Exec { shell }.call(system, &mut change, "run", &[command]);
        let told = |(level, message): (LogLevel, Foreign)| -> Vec<String> {
            message.to_string().split('\n').map(|line| format!("{}: {line}", level.name())).collect()
        };
        (result, change.messages.into_iter().flat_map(told).collect())
    }

    fn failure(shell: bool, wants: Vec<(&'static str, Value)>) -> String {
        run(shell, wants).unwrap_err().to_string()
    }

    /// What a command says.
    fn said(shell: bool, mut wants: Vec<(&'static str, Value)>) -> String {
        wants.push(("logoutput", Value::sym("true")));
        let (_root, system) = machine();
        let (result, told) = run_on(&system, shell, wants);
        result.unwrap();
        told.iter().map(|line| line.strip_prefix("notice: ").unwrap()).collect::<Vec<_>>().join("\n")
    }

    fn due(wants: Vec<(&'static str, Value)>) -> Result<String, String> {
        let (_root, system) = machine();
        let wants = Wants(wants);
        let request = Request { name: "x", resource: &wants };
        let reading = Exec { shell: false }.get(&system, &[request], Select::All).remove(0);
        let Reading::Present(state) = reading else { panic!("{reading:?}") };
        state["returns"].clone().map(|v| crate::value::inspect(&v)).map_err(|e| e.to_string())
    }

    fn list(words: &[&str]) -> Value {
        Value::array(words.iter().map(|w| Value::str(*w)))
    }

    fn secret(text: &str) -> Value {
        Value::Sensitive(std::sync::Arc::new(Value::str(text)))
    }

    #[test]
    fn a_command_goes_well_with_a_status_that_is_wanted() {
        assert_eq!(run(false, vec![("command", "/bin/true".into())]), Ok(Value::Nil));
        assert_eq!(run(true, vec![("command", "exit 7".into()), ("returns", list(&["0", "7"]))]), Ok(Value::Nil));
        assert_eq!(failure(false, vec![("command", "/bin/false".into())]), "'/bin/false' returned 1 instead of one of [0]");
    }

    #[test]
    fn the_output_is_told_in_its_order_where_that_is_wanted() {
        let told = |logoutput: &'static str, status: i64| {
            let command = Value::str(format!("echo a; echo b >&2; echo; echo c; exit {status}"));
            let wants = vec![("command", command), ("logoutput", Value::sym(logoutput)), ("loglevel", Value::sym("warning"))];
            let (_root, system) = machine();
            run_on(&system, true, wants).1
        };
        let all = ["warning: a", "warning: b", "warning: ", "warning: c"];
        assert_eq!(told("on_failure", 1), all);
        assert_eq!(told("true", 0), all);
        assert!(told("on_failure", 0).is_empty() && told("false", 1).is_empty());
    }

    #[test]
    fn a_list_reaches_its_program_as_it_is() {
        assert_eq!(said(false, vec![("command", list(&["/bin/echo", "a  b; $HOME"]))]), "a  b; $HOME");
        assert_eq!(said(false, vec![("command", "/bin/echo a  b; /bin/echo c".into())]), "a b\nc");
    }

    #[test]
    fn the_program_is_looked_for_in_the_path_alone() {
        let path = ("path", list(&["/nowhere", "/usr/bin"]));
        assert_eq!(run(false, vec![("command", "true".into()), path.clone()]), Ok(Value::Nil));
        assert_eq!(said(true, vec![("command", "echo $PATH".into()), path]), "/nowhere:/usr/bin");
        assert_eq!(failure(false, vec![("command", "true".into()), ("path", list(&["/nowhere"]))]), "could not find command 'true'");
        assert_eq!(failure(false, vec![("command", "/bin/nope -x".into())]), "could not find command '/bin/nope'");
        assert_eq!(failure(false, vec![("command", "/usr -x".into())]), "'/usr' is a directory, not a file");
    }

    #[test]
    fn a_shell_that_finds_no_program_is_told() {
        let message = failure(true, vec![("command", "nope-at-all".into()), ("returns", list(&["127"]))]);
        assert!(message.contains("nope-at-all: not found"), "{message}");
    }

    #[test]
    fn the_environment_is_clean_but_for_what_is_given() {
        let wants = vec![
            ("command", Value::str("env | grep -v '^http\\|^no_proxy\\|^TZ\\|PROXY\\|^ftp\\|^all\\|^PATH\\|^_\\|^PWD' | sort")),
            ("environment", list(&["A=b c", "E=", "LANG=de_DE.UTF-8"])),
        ];
        assert_eq!(said(true, wants), "A=b c\nE=\nLANG=de_DE.UTF-8\nLC_ALL=");
    }

    #[test]
    fn directory_and_umask_are_as_told() {
        assert_eq!(failure(true, vec![("command", "pwd".into()), ("cwd", "/nope".into())]), "the working directory /nope does not exist");
        let (root, system) = machine();
        std::fs::create_dir(root.path().join("srv")).unwrap();
        let wants = vec![
            ("command", "pwd; umask; exit 1".into()),
            ("logoutput", Value::sym("on_failure")),
            ("cwd", "/srv".into()),
            ("umask", Value::Int(0o027)),
        ];
        let message = run_on(&system, true, wants).1.join("\n");
        assert_eq!(message, format!("notice: {}/srv\nnotice: 0027", root.path().display()));
    }

    #[test]
    fn root_runs_commands_as_others() {
        if !Uid::effective().is_root() {
            return;
        }
        let who = |wants: &[(&'static str, Value)]| said(true, [&[("command", "id -u; id -g; id -G".into())], wants].concat());
        assert_eq!(who(&[("user", "nobody".into())]), "65534\n65534\n65534");
        assert_eq!(who(&[("user", Value::Int(65534)), ("group", Value::str("5"))]), "65534\n5\n5 65534");
        assert_eq!(who(&[("group", Value::Int(5))]).lines().nth(1), Some("5"));
        assert_eq!(failure(true, vec![("command", "id".into()), ("user", "h0rse".into())]), "there is no user h0rse");
    }

    #[test]
    fn it_is_tried_again_until_it_goes_well() {
        let (root, system) = machine();
        let count = root.path().join("count");
        let script = format!("echo x >> {0}; test $(wc -l < {0}) -ge 3", count.display());
        let wants = |tries| vec![("command", Value::str(script.as_str())), ("tries", Value::Int(tries)), ("try_sleep", Value::Float(0.01))];
        assert!(run_on(&system, true, wants(2)).0.is_err());
        assert_eq!(run_on(&system, true, wants(5)).0, Ok(Value::Nil));
        assert_eq!(std::fs::read_to_string(count).unwrap().lines().count(), 3);
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_has_started() {
        let (root, system) = machine();
        let late = root.path().join("late");
        let script = format!("(sleep 1; touch {}) & sleep 30", late.display());
        let begun = Instant::now();
        let wants = vec![("command", Value::str(script.as_str())), ("timeout", Value::Float(0.3)), ("tries", Value::Int(3))];
        let error = run_on(&system, true, wants).0.unwrap_err();
        assert_eq!(error.message, "the command took longer than 0.3 seconds and was ended");
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(1200));
        assert!(!late.exists());
    }

    #[test]
    fn tests_say_whether_it_is_due() {
        let runs = Ok(":notrun".to_owned());
        let rests = Ok("[\"0\"]".to_owned());
        assert_eq!(due(vec![]), runs);
        assert_eq!(due(vec![("creates", "/bin".into())]), rests);
        assert_eq!(due(vec![("creates", list(&["/nope", "/bin"]))]), rests);
        assert_eq!(due(vec![("creates", "/nope".into())]), runs);
        assert_eq!(due(vec![("unless", "/bin/true".into())]), rests);
        assert_eq!(due(vec![("unless", list(&["/bin/false", "/bin/true"]))]), rests);
        assert_eq!(due(vec![("onlyif", list(&["/bin/true", "/bin/false"]))]), rests);
        assert_eq!(due(vec![("onlyif", Value::array([list(&["/bin/test", "-d", "/"]), "/bin/true".into()]))]), runs);
        assert_eq!(due(vec![("refreshonly", Value::sym("true"))]), rests);
        assert!(due(vec![("onlyif", "/bin/nope".into())]).unwrap_err().contains("could not find command '/bin/nope'"));
        assert!(due(vec![("onlyif", "/bin/sleep 9".into()), ("timeout", Value::Float(0.1))]).unwrap_err().contains("longer than 0.1"));
    }

    #[test]
    fn on_a_refresh_only_the_tests_count() {
        let (_root, system) = machine();
        let ask = |unless: &'static str| {
            let wants = Wants(vec![("refreshonly", Value::sym("true")), ("unless", unless.into())]);
            Exec { shell: false }.query(&system, Request { name: "x", resource: &wants }, "due?", &[])
        };
        assert_eq!(ask("/bin/false"), Ok(Value::Bool(true)));
        assert_eq!(ask("/bin/true"), Ok(Value::Bool(false)));
    }

    #[test]
    fn of_secrets_nothing_is_told() {
        for (shell, command) in [(true, "echo h0rse; exit 1"), (false, "/bin/ls /h0rse"), (false, "/bin/h0rse")] {
            let message = failure(shell, vec![("command", secret(command))]);
            assert!(!message.contains("h0rse"), "{message}");
        }
        let (_root, system) = machine();
        let (result, told) = run_on(&system, true, vec![("command", "echo $A; exit 1".into()), ("environment", secret("A=h0rse"))]);
        assert_eq!(result.unwrap_err().message, "[command redacted] returned 1 instead of one of [0]");
        assert_eq!(told, ["notice: [output redacted]"]);
        assert!(!due(vec![("onlyif", secret("/bin/h0rse"))]).unwrap_err().contains("h0rse"));
    }

    #[test]
    fn a_secret_script_is_in_no_list_of_processes_and_runs_like_any_other() {
        let (root, system) = machine();
        let file = root.path().join("args");
        // It reads what was handed to its own shell, and standard input, where nothing is.
        let script = format!("cd /; tr '\\0' ' ' < /proc/$$/cmdline > {0}; cat >> {0}; A='h0rse'; exit 5", file.display());
        let wants = vec![("command", secret(&script)), ("returns", list(&["5"]))];
        assert_eq!(run_on(&system, true, wants).0, Ok(Value::Nil));
        let told = std::fs::read_to_string(file).unwrap();
        assert!(told.contains("eval") && !told.contains("h0rse"), "{told}");
    }
}
