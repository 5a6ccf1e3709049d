//! `service/base`, `service/init` and `service/debian`: services without systemd, managed with declared commands, the
//! process table and init scripts.
//!
//! Follows `base.rb`, `init.rb` and `debian.rb` of Puppet 7.23's `provider/service`, except that it waits for a
//! terminated process to end, and disables Debian's services with `update-rc.d disable` only. If the package
//! `sysv-rc` is missing, as it is since Debian 9, Puppet uses the method from before 2011, with which update-rc.d now
//! enables the service.

use super::given::{self, PATIENCE};
use super::processes;
use crate::native::common::pick;
use crate::{Change, ListedResource, Need, Output, Provider, ProviderError, Reading, Request, Resource, Select, System, Thing};
use rtype_lang::value::Value;

/// How services are steered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// By the commands of the resource, else by its program and the table of processes.
    Base,
    /// By scripts in the directories of `path`.
    Init,
    /// The same with Debian's tools, which enable and disable them, too.
    Debian,
}

/// Scripts that are not services, or that do harm if called with `status`. They are not listed.
const NO_SERVICES: [&str; 13] = [
    "boot",
    "functions",
    "functions.sh",
    "halt",
    "killall",
    "linuxconf",
    "module-init-tools",
    "rcS",
    "reboot",
    "reboot.sh",
    "shutdown.sh",
    "single",
    "skeleton",
];

/// A service and how it is steered.
struct Service<'a> {
    system: &'a System,
    how: Scripts,
    name: &'a str,
    resource: &'a dyn Resource,
}

impl Service<'_> {
    fn runs(&self) -> Result<bool, ProviderError> {
        if let Some(answer) = given::status(self.system, self.resource) {
            return answer;
        }
        let asks = self.resource.wanted("hasstatus").to_text() != "false";
        match self.how {
            Scripts::Debian if asks => Ok(self.system.run("/usr/sbin/service", &[self.name, "status"])?.status == Some(0)),
            Scripts::Init if asks => Ok(self.system.run(&self.script()?, &["status"])?.status == Some(0)),
            _ => Ok(processes::find(self.system, &self.resource.wanted("pattern"))?.is_some()),
        }
    }

    fn start(&self) -> Result<(), ProviderError> {
        if let Some(done) = given::perform(self.system, self.resource, "start") {
            return done;
        }
        if self.how != Scripts::Base {
            return self.run_script("start");
        }
        let missing = || ProviderError::new("no command to start the service").help("set `start` or `binary`");
        given::perform(self.system, self.resource, "binary").ok_or_else(missing)?
    }

    fn stop(&self) -> Result<(), ProviderError> {
        if let Some(done) = given::perform(self.system, self.resource, "stop") {
            return done;
        }
        match self.how {
            Scripts::Base => processes::end(self.system, &self.resource.wanted("pattern")),
            _ => self.run_script("stop"),
        }
    }

    fn restart(&self) -> Result<(), ProviderError> {
        if let Some(done) = given::perform(self.system, self.resource, "restart") {
            return done;
        }
        if self.how != Scripts::Base && self.resource.wanted("hasrestart").to_text() == "true" {
            return self.run_script("restart");
        }
        self.stop()?;
        self.start()
    }

    fn run_script(&self, what: &str) -> Result<(), ProviderError> {
        self.system.command(&self.script()?).arg(what).locale_of_caller().time_limit(Some(PATIENCE)).succeed().map(drop)
    }

    /// Returns the path of the script: by name, else with the suffix `.sh`.
    fn script(&self) -> Result<String, ProviderError> {
        let directories = directories(self.resource)?;
        let mut candidates = self.candidates(&directories);
        let script = candidates.find(|path| self.system.look(path, true).ok().flatten().is_some_and(|stat| stat.is_file()));
        script.ok_or_else(|| ProviderError::new(self.no_script(&directories)))
    }

    fn candidates(&self, directories: &[String]) -> impl Iterator<Item = String> {
        ["", ".sh"].into_iter().flat_map(move |end| directories.iter().map(move |f| format!("{f}/{}{end}", self.name)))
    }

    fn no_script(&self, directories: &[String]) -> String {
        format!("no start script `{}` in {}", self.name, directories.join(", "))
    }

    /// Returns the requirement for the script, unless the resource declares its own commands.
    fn need(&self) -> Option<Need> {
        let has_own = ["start", "stop"].iter().all(|command| !self.resource.wanted(command).is_nil());
        if self.how == Scripts::Base || has_own {
            return None;
        }
        let directories = directories(self.resource).ok()?;
        let any_of = self.candidates(&directories).map(|path| Thing::File(path.into())).collect();
        Some(Need { any_of, failure: self.no_script(&directories).into() })
    }

    /// Returns whether Debian's start script is run at boot.
    fn is_enabled(&self) -> Result<bool, ProviderError> {
        let answer = self.system.run("/usr/sbin/invoke-rc.d", &["--quiet", "--query", self.name, "start"])?;
        Ok(match answer.status {
            Some(104 | 106) => true,
            // The status is unknown; check whether there are enough links.
            Some(101 | 105) => self.links() >= 4,
            _ => false,
        })
    }

    /// How many run levels start it.
    fn links(&self) -> usize {
        let starts = |level: &char| {
            let names = self.system.names(&format!("/etc/rc{level}.d")).unwrap_or_default();
            names.into_iter().any(|name| name.strip_prefix('S').and_then(|n| n.get(2..)) == Some(self.name))
        };
        "0123456S".chars().filter(starts).count()
    }

    fn update(&self, arguments: &[&str]) -> Result<Output, ProviderError> {
        self.system.command("/usr/sbin/update-rc.d").args(arguments.iter().copied()).succeed()
    }

    fn read(&self, select: Select<'_>) -> Reading {
        let mut properties = Vec::new();
        if select.wants("ensure") {
            properties.push(("ensure", self.runs().map(|runs| Value::sym(if runs { "running" } else { "stopped" }))));
        }
        if self.how == Scripts::Debian && select.wants("enable") {
            properties.push(("enable", self.is_enabled().map(enabled)));
        }
        Reading::Present(pick(select, properties))
    }
}

fn enabled(is: bool) -> Value {
    Value::sym(if is { "true" } else { "false" })
}

/// Returns the directories of start scripts.
fn directories(resource: &dyn Resource) -> Result<Vec<String>, ProviderError> {
    let directories = match resource.wanted("path") {
        Value::Nil => resource.setting("defpath")?,
        given => given,
    };
    let text = |v: &Value| v.to_text().trim_end_matches('/').to_owned();
    Ok(match &directories {
        Value::Nil => Vec::new(),
        Value::Array(all) => all.iter().map(text).collect(),
        one => vec![text(one)],
    })
}

impl Provider for Scripts {
    fn needs(&self, system: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        Service { system, how: *self, name: request.name, resource: request.resource }.need().into_iter().collect()
    }

    fn reads(&self) -> &'static [&'static str] {
        match self {
            Scripts::Debian => &["ensure", "enable"],
            _ => &["ensure"],
        }
    }

    fn queries(&self) -> &'static [&'static str] {
        match self {
            Scripts::Debian => &["enabled?"],
            _ => &[],
        }
    }

    fn actions(&self) -> &'static [&'static str] {
        match self {
            Scripts::Debian => &["start", "stop", "restart", "enable", "disable"],
            _ => &["start", "stop", "restart"],
        }
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        requests.iter().map(|r| Service { system, how: *self, name: r.name, resource: r.resource }.read(select)).collect()
    }

    /// Without a resource no services are known.
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Ok(Vec::new())
    }

    /// Returns the start scripts in the usual directories; no scripts for the base provider, which needs none.
    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        if *self == Scripts::Base {
            return Ok(Vec::new());
        }
        let mut names = Vec::new();
        for directory in directories(settings)? {
            let here = system.names(&directory).unwrap_or_default().into_iter();
            let is_script = |name: &String| system.which(&format!("{directory}/{name}")).is_some();
            names.extend(here.filter(|n| !n.starts_with('.') && !NO_SERVICES.contains(&n.as_str())).filter(is_script));
        }
        names.sort();
        names.dedup();
        let found = |name: String| match (Service { system, how: *self, name: &name, resource: settings }).read(select) {
            Reading::Present(state) => Some(ListedResource { name: name.as_str().into(), state }),
            _ => None,
        };
        Ok(names.into_iter().filter_map(found).collect())
    }

    /// `enabled?`: what `enable` reads as.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let service = Service { system, how: *self, name: request.name, resource: request.resource };
        match method {
            "enabled?" if *self == Scripts::Debian => service.is_enabled().map(enabled),
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let service = Service { system, how: *self, name: change.name, resource: change.resource };
        match (action, self) {
            ("start", _) => service.start(),
            ("stop", _) => service.stop(),
            ("restart", _) => service.restart(),
            // Links that are there stay as they are unless they are removed first.
            ("enable", Scripts::Debian) => {
                service.update(&["-f", service.name, "remove"])?;
                service.update(&[service.name, "defaults"]).map(drop)
            }
            ("disable", Scripts::Debian) => service.update(&[service.name, "disable"]).map(drop),
            _ => Err(ProviderError::new(format!("the provider cannot `{action}`"))),
        }?;
        Ok(Value::Nil)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use crate::native::common::testing::{Wants, executable, get_wanting, line, present};
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};
    use tempfile::TempDir;

    fn script(root: &TempDir, path: &str, text: &str) {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = text.replace("LOG", root.path().join("log").to_str().unwrap());
        executable(&path, &format!("#!/bin/sh\n{text}\n"));
    }

    /// A machine with the init scripts `up`, which is running, and `down.sh`, which is not; each records its
    /// arguments.
    fn machine() -> TempDir {
        let root = TempDir::new().unwrap();
        script(&root, "etc/init.d/up", "echo up $1 >> LOG");
        script(&root, "etc/init.d/down.sh", "echo down $1 >> LOG; [ $1 != status ] || exit 3");
        script(&root, "usr/sbin/service", "echo service $* >> LOG; [ $1 = up ]");
        script(&root, "usr/sbin/update-rc.d", "echo $* >> LOG");
        script(&root, "usr/sbin/invoke-rc.d", "case $3 in up) exit 104 ;; linked) exit 105 ;; *) exit 1 ;; esac");
        std::fs::create_dir_all(root.path().join("usr/bin")).unwrap();
        symlink("/bin/sh", root.path().join("usr/bin/sh")).unwrap();
        root
    }

    fn wants(more: &[(&'static str, Value)]) -> Wants {
        Wants(
            [&[("path", Value::array([Value::str("/nowhere"), Value::str("/etc/init.d/")])), ("hasstatus", Value::sym("true"))], more]
                .concat(),
        )
    }

    fn read(how: Scripts, root: &TempDir, name: &str, more: &[(&'static str, Value)]) -> String {
        line(&present(get_wanting(&how, &System::at(root.path()), name, &wants(more))))
    }

    /// Returns the arguments of the programs for an action.
    fn commands(how: Scripts, name: &str, action: &str, more: &[(&'static str, Value)]) -> Result<Vec<String>, ProviderError> {
        let root = machine();
        perform(how, &root, name, action, &wants(more))?;
        let log = std::fs::read_to_string(root.path().join("log")).unwrap_or_default();
        Ok(log.lines().map(str::to_owned).collect())
    }

    fn perform(how: Scripts, root: &TempDir, name: &str, action: &str, wants: &Wants) -> Result<Value, ProviderError> {
        let read = Reading::Present(State::new());
        how.call(&System::at(root.path()), &mut Change::new(Request { name, resource: wants }, &read), action, &[])
    }

    #[test]
    fn a_script_tells_whether_its_service_runs() {
        let root = machine();
        assert_eq!(read(Scripts::Init, &root, "up", &[]), "ensure=:running");
        assert_eq!(read(Scripts::Init, &root, "down", &[]), "ensure=:stopped");
        assert_eq!(read(Scripts::Init, &root, "up", &[("status", "exit 1".into())]), "ensure=:stopped");
        let nope = present(get_wanting(&Scripts::Init, &System::at(root.path()), "nope", &wants(&[])));
        assert_eq!(nope["ensure"].clone().unwrap_err().message, "no start script `nope` in /nowhere, /etc/init.d");
    }

    #[test]
    fn scripts_start_stop_and_restart() {
        for action in ["start", "stop"] {
            assert_eq!(commands(Scripts::Init, "up", action, &[]).unwrap(), [format!("up {action}")]);
        }
        assert_eq!(commands(Scripts::Debian, "down", "start", &[]).unwrap(), ["down start"]);
        assert_eq!(commands(Scripts::Init, "up", "restart", &[]).unwrap(), ["up stop", "up start"]);
        assert_eq!(commands(Scripts::Init, "up", "restart", &[("hasrestart", Value::sym("true"))]).unwrap(), ["up restart"]);
        assert_eq!(commands(Scripts::Init, "up", "restart", &[("restart", "exit 0".into())]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn debians_tools_enable_and_disable() {
        let root = machine();
        for level in 2..6 {
            let directory = root.path().join(format!("etc/rc{level}.d"));
            std::fs::create_dir(&directory).unwrap();
            std::fs::write(directory.join("S03linked"), "").unwrap();
        }
        assert_eq!(read(Scripts::Debian, &root, "up", &[]), "ensure=:running enable=:true");
        assert_eq!(read(Scripts::Debian, &root, "linked", &[]), "ensure=:stopped enable=:true");
        assert_eq!(read(Scripts::Debian, &root, "down", &[]), "ensure=:stopped enable=:false");
        assert_eq!(commands(Scripts::Debian, "up", "enable", &[]).unwrap(), ["-f up remove", "up defaults"]);
        assert_eq!(commands(Scripts::Debian, "up", "disable", &[]).unwrap(), ["up disable"]);
    }

    #[test]
    fn start_scripts_are_listed() {
        let root = machine();
        script(&root, "etc/init.d/reboot", "echo NO >> LOG");
        std::fs::write(root.path().join("etc/init.d/README"), "").unwrap();
        let all = Scripts::Init.instances_of(&System::at(root.path()), &wants(&[]), Select::All).unwrap();
        let lines: Vec<_> = all.iter().map(|f| format!("{} {}", f.name, line(&f.state))).collect();
        assert_eq!(lines, ["down.sh ensure=:stopped", "up ensure=:running"]);
        assert!(!std::fs::read_to_string(root.path().join("log")).unwrap().contains("NO"));
    }

    #[test]
    fn a_process_is_found_by_its_pattern_and_ended() {
        let root = machine();
        // Search for a number that no other process sleeps for.
        let number = format!("9{}", std::process::id());
        let mut child = Command::new("sleep").arg(&number).stdout(Stdio::null()).spawn().unwrap();
        let (own, shown) = (format!("/proc/{}", child.id()), root.path().join(format!("proc/{}", child.id())));
        std::fs::create_dir_all(&shown).unwrap();
        std::fs::write(shown.join("stat"), std::fs::read(format!("{own}/stat")).unwrap()).unwrap();
        std::fs::write(shown.join("cmdline"), format!("sleep\0{number}\0")).unwrap();
        let pattern = [("pattern", Value::str(format!("sleep {number}$")))];
        assert_eq!(read(Scripts::Base, &root, "x", &pattern), "ensure=:running");
        let ended = std::thread::spawn(move || {
            let status = child.wait().unwrap();
            std::fs::remove_dir_all(shown).unwrap();
            status
        });
        perform(Scripts::Base, &root, "x", "stop", &wants(&pattern)).unwrap();
        assert!(ended.join().unwrap().code().is_none());
        assert_eq!(read(Scripts::Base, &root, "x", &pattern), "ensure=:stopped");
        perform(Scripts::Base, &root, "x", "stop", &wants(&pattern)).unwrap();
        let bad = present(get_wanting(&Scripts::Base, &System::at(root.path()), "x", &wants(&[("pattern", "(".into())])));
        assert!(bad["ensure"].is_err());
    }

    #[test]
    fn a_program_is_started_where_no_command_is_given() {
        assert!(commands(Scripts::Base, "x", "start", &[("binary", "exit 0".into())]).is_ok());
        assert!(commands(Scripts::Base, "x", "start", &[("binary", "exit 5".into())]).unwrap_err().message.contains("exited with 5"));
        let error = commands(Scripts::Base, "x", "start", &[]).unwrap_err();
        assert_eq!(error.help.unwrap(), "set `start` or `binary`");
        assert!(commands(Scripts::Base, "x", "enable", &[]).is_err());
    }
}
