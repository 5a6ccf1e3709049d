//! Package changes as jobs for apt-get: groups jobs into calls and attributes failures to packages.

use super::status::{Database, Package};
use super::version;
use crate::{Change, Output, ProviderError, System};
use rtype_lang::value::{EcoString, Value};
use std::time::Duration;

/// The timeout for one call of a package manager. Downloads are slow and some packages compile for half an hour, but
/// a prompt that no one answers, or a service that never starts, must not block the run forever. Puppet has no
/// timeout.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// How many seconds apt waits for the lock of another package manager. Puppet fails immediately.
pub(super) const LOCK_LIMIT: u32 = 300;

/// Output of apt-get for failures that no package causes.
const NOT_A_PACKAGES_FAULT: [&str; 5] =
    ["Could not get lock", "Unable to acquire", "Unable to lock", "dpkg was interrupted", "List directory"];

/// The desired state of a package.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Goal {
    /// Installed, in any version.
    Installed,
    /// Installed, in the newest version.
    Newest,
    /// Installed, in this version.
    Version(String),
    /// Removed, configuration files may remain.
    Removed,
    /// Removed with configuration files.
    Purged,
    /// Unchanged, except for its mark.
    Kept,
}

/// How to call apt-get. Jobs with equal values can share a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    /// The arguments before the package names: options and subcommand.
    pub arguments: Vec<String>,
    /// The file with answers for debconf to load first.
    pub answers: Option<String>,
}

/// The pending change of a package.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// The name under which apt and dpkg know it.
    pub name: String,
    pub goal: Goal,
    pub way: Way,
    /// The argument for apt-get: a name, a name with a version, or a file.
    argument: String,
    /// The installed version.
    was: Option<EcoString>,
    pub held: bool,
    /// Whether to hold the package at its version afterwards; `None` if not specified.
    pub hold: Option<bool>,
}

impl Job {
    /// Returns the job for the changes recorded for a package.
    pub fn of(system: &System, database: &Database, change: &Change<'_>) -> Result<Job, ProviderError> {
        let is_package = |c: char| c.is_ascii_alphanumeric() || "+.-:".contains(c);
        // A virtual name is replaced by a package on the machine that provides the name. Without such a package, apt chooses.
        let stands_for_it = || database.meant(change.request()).map(|p| p.name.as_str());
        let name = if database.find(change.name).is_some() { change.name } else { stands_for_it().unwrap_or(change.name) };
        // `name-` and `name+` and patterns mean other things to apt-get than that package.
        if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || !name.chars().all(is_package) || name.ends_with('-') {
            return Err(ProviderError::new(format!("invalid package name `{name}`"))
                .help("use letters, digits and `+-.`; put a version into `ensure` and a file into `source`"));
        }
        let ensure = change.should.get("ensure").map(|v| v.unwrapped().clone());
        let goal = match ensure.as_ref() {
            None => Goal::Kept,
            Some(Value::Sym(s)) => match s.as_str() {
                "absent" => Goal::Removed,
                "purged" => Goal::Purged,
                "latest" => Goal::Newest,
                _ => Goal::Installed,
            },
            Some(other) => Goal::Version(wanted_version(system, name, &other.to_text())?),
        };
        // Do not use the property `mark`: it is read only if declared, and is `manual` for manually installed
        // packages.
        let held = database.find(name).is_some_and(Package::is_held);
        let source = change.resource.wanted("source").as_text().map(str::to_owned);
        let argument = match (&goal, source) {
            (Goal::Installed | Goal::Newest | Goal::Version(_), Some(source)) => {
                super::dpkg::check_source(system, &source)?;
                source
            }
            (Goal::Version(version), None) => format!("{name}={version}"),
            _ => name.to_owned(),
        };
        let hold = match change.should.get("mark").map(Value::unwrapped) {
            Some(mark) => Some(mark == &Value::sym("hold")),
            // As in Puppet, installing a package removes its hold, which is only restored if declared.
            None => (change.resource.wanted("mark") == Value::sym("hold")).then_some(true),
        };
        let way = Way::of(system, change, &goal, held)?;
        let was = change.was("ensure").and_then(version_of);
        Ok(Job { name: name.to_owned(), goal, way, argument, was, held, hold })
    }

    /// Returns whether the package now has the desired state.
    fn is_done(&self, database: &Database) -> bool {
        let package = database.find(&self.name);
        let version = package.and_then(|p| version_of(&p.ensure()));
        match &self.goal {
            Goal::Installed => version.is_some(),
            Goal::Newest => version.is_some() && version != self.was,
            Goal::Version(wanted) => version.is_some_and(|v| v == wanted.as_str()),
            Goal::Removed => package.is_none_or(|p| p.is_removed()),
            Goal::Purged => package.is_none_or(|p| p.is_purged()),
            Goal::Kept => true,
        }
    }
}

impl Way {
    fn of(system: &System, change: &Change<'_>, goal: &Goal, held: bool) -> Result<Way, ProviderError> {
        let resource = change.resource;
        let mut arguments: Vec<String> = vec!["-q".into(), "-y".into(), "-o".into(), format!("DPkg::Lock::Timeout={LOCK_LIMIT}")];
        match goal {
            Goal::Kept => {}
            Goal::Removed | Goal::Purged => {
                if held {
                    arguments.push("--allow-change-held-packages".into());
                }
                arguments.push(if *goal == Goal::Purged { "purge" } else { "remove" }.into());
            }
            Goal::Installed | Goal::Newest | Goal::Version(_) => {
                check_cdrom(system, resource.wanted("allowcdrom") == Value::sym("true"))?;
                let kept = resource.wanted("configfiles") != Value::sym("replace");
                arguments.extend(["-o".into(), format!("DPkg::Options::=--force-conf{}", if kept { "old" } else { "new" })]);
                if matches!(goal, Goal::Version(_)) {
                    // Puppet uses `--force-yes`, with which apt also installs unsigned packages, removes essential
                    // ones and changes held ones. A desired version only requires permission to downgrade.
                    arguments.push("--allow-downgrades".into());
                }
                options(&resource.wanted("install_options"), &mut arguments);
                arguments.push("install".into());
            }
        }
        // As in Puppet a file that is not there means no answers.
        let answers =
            resource.wanted("responsefile").as_text().filter(|path| *goal != Goal::Kept && system.exists(path)).map(str::to_owned);
        Ok(Way { arguments, answers })
    }
}

/// Returns the version in what `ensure` reads as; other states are symbols.
fn version_of(ensure: &Value) -> Option<EcoString> {
    match ensure {
        Value::Str(version) => Some(version.clone()),
        _ => None,
    }
}

/// Adds the options of a resource: strings, and maps for `key=value`.
fn options(value: &Value, into: &mut Vec<String>) {
    match value.unwrapped() {
        Value::Nil => {}
        Value::Array(all) => all.iter().for_each(|one| options(one, into)),
        Value::Map(map) => {
            let mut pairs: Vec<String> = map.iter().map(|(k, v)| format!("{}={}", k.to_text(), v.unwrapped().to_text())).collect();
            pairs.sort();
            into.extend(pairs);
        }
        other => into.push(other.to_text().to_string()),
    }
}

/// Returns the desired version; for a range, the newest version in the range.
fn wanted_version(system: &System, name: &str, wanted: &str) -> Result<String, ProviderError> {
    if !version::is_range(wanted) {
        return Ok(wanted.to_owned());
    }
    let known = system.command("apt-cache").args(["madison", "--", name]).succeed()?;
    let versions = known.stdout.for_parsing().lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
    version::best(versions, wanted).map(str::to_owned).ok_or_else(|| {
        ProviderError::new(format!("apt knows no version of the package `{name}` that fits `{wanted}`")).help("run `apt-get update`")
    })
}

/// Returns an error if apt would prompt for a disk.
fn check_cdrom(system: &System, allowed: bool) -> Result<(), ProviderError> {
    const LIST: &str = "/etc/apt/sources.list";
    let is_cdrom = |line: &str| line.split('#').next().is_some_and(|l| l.contains("cdrom:"));
    if !allowed && system.read(LIST)?.is_some_and(|text| text.lines().any(is_cdrom)) {
        return Err(ProviderError::new(format!("{LIST} contains a cdrom source; not installing"))
            .help("remove the source, or give `allowcdrom => true`"));
    }
    Ok(())
}

/// Runs apt-get for jobs with the same options; returns one result per job, in order.
///
/// If a call with several jobs fails, it is repeated with halves of them until the failing job is known. apt-get also
/// fails if it has done its job but could not configure another package; that does not count as a failure of this
/// job.
pub(super) fn perform(system: &System, jobs: &[&Job]) -> Vec<Result<(), ProviderError>> {
    let Some(first) = jobs.first() else { return Vec::new() };
    let error = match apt_get(system, &first.way, jobs) {
        Ok(None) => return jobs.iter().map(|_| Ok(())).collect(),
        Ok(Some(error)) => error,
        Err(error) => return jobs.iter().map(|_| Err(error.clone())).collect(),
    };
    let database = Database::read(system).ok();
    let done: Vec<bool> = jobs.iter().map(|job| database.as_ref().is_some_and(|d| job.is_done(d))).collect();
    let left: Vec<&Job> = jobs.iter().zip(&done).filter(|(_, done)| !**done).map(|(job, _)| *job).collect();
    let again = if jobs.len() == 1 {
        left.iter().map(|_| Err(error.clone())).collect()
    } else if left.len() < jobs.len() {
        perform(system, &left)
    } else {
        let (one, other) = left.split_at(left.len() / 2);
        let mut again = perform(system, one);
        again.extend(perform(system, other));
        again
    };
    let mut again = again.into_iter();
    done.iter().map(|done| if *done { Ok(()) } else { again.next().unwrap_or(Ok(())) }).collect()
}

/// Calls apt-get once; returns `None` on success, else its output.
///
/// # Errors
/// If no package caused the failure, so that repeating it with fewer packages is useless.
fn apt_get(system: &System, way: &Way, jobs: &[&Job]) -> Result<Option<ProviderError>, ProviderError> {
    let command = quiet(system.command("apt-get")).args(&way.arguments).arg("--").args(jobs.iter().map(|job| &job.argument));
    let line = command.line();
    let mut output: Output = command.run()?;
    if output.status == Some(0) {
        return Ok(None);
    }
    if output.stderr.for_parsing().contains("Sub-process") {
        // apt gives dpkg a terminal, so that error messages of dpkg and package scripts are on standard output.
        output.stderr.prepend(&output.stdout);
    }
    let failure = output.failure(&line);
    if NOT_A_PACKAGES_FAULT.iter().any(|said| output.stderr.for_parsing().contains(said)) { Err(failure) } else { Ok(Some(failure)) }
}

/// Sets the environment of scripts of packages, and the timeout.
pub(super) fn quiet(command: crate::Command<'_>) -> crate::Command<'_> {
    // Scripts of packages rely on `HOME`, and derive the locale of databases from the locale, which is `C` in Puppet.
    command.env("HOME", "/root").env("LANG", "C").env("LC_ALL", "C").time_limit(Some(TIME_LIMIT))
}

#[cfg(test)]
mod tests {
    use crate::native::common::testing::{Wants, executable, get_wanting};
    use crate::native::package::apt::Apt;
    use crate::{Change, Provider, ProviderError, Reading, Request, System};
    use rtype_lang::value::{Symbol, Value};
    use std::path::Path;

    /// Installs its arguments in version 1.0 (`x=2.0` in version 2.0), except for `unknown`, which it ignores.
    /// `broken` is unpacked but cannot be configured, so that all later calls fail.
    const APT_GET: &str = r#"
log apt-get "$@"
while [ "$1" != -- ]; do verb=$1; shift; done; shift
for name; do [ "$name" = unknown ] && { echo "E: Unable to locate package unknown" >&2; exit 100; }; done
for name; do
    version=1.0
    case $name in *=*) version=${name#*=}; name=${name%=*} ;; esac
    state="ok installed"
    case $verb in remove) state="ok config-files" ;; purge) state="ok not-installed" ;; esac
    [ "$name" = broken ] && { state="ok half-configured"; echo "broken has no heart"; }
    printf 'Package: %s\nStatus: install %s\nVersion: %s\nArchitecture: amd64\n\n' "$name" "$state" "$version" >> "$root/var/lib/dpkg/status"
done
case $(/bin/cat "$root/var/lib/dpkg/status") in *half-configured*) echo "E: Sub-process /usr/bin/dpkg returned an error code (1)" >&2; exit 100 ;; esac
"#;

    fn machine(status: &str) -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for sub in ["var/lib/dpkg", "var/lib/apt", "usr/bin", "etc/apt"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        let dpkg = "Package: dpkg\nStatus: install ok installed\nVersion: 1.21\nArchitecture: amd64\n\n";
        std::fs::write(root.join("var/lib/dpkg/status"), format!("{dpkg}{status}")).unwrap();
        program(root, "apt-get", APT_GET);
        for name in ["dpkg", "debconf-set-selections"] {
            program(root, name, &format!("log {name} \"$@\" \"<$(/bin/cat)>\""));
        }
        program(root, "apt-mark", "log apt-mark \"$@\"");
        let system = System::at(root);
        (folder, system)
    }

    fn program(root: &Path, name: &str, text: &str) {
        let path = root.join("usr/bin").join(name);
        let head = "#!/bin/sh\nroot=${0%/usr/bin/*}\nlog() { echo \"$@\" >> \"$root/log\"; }\n";
        executable(&path, &format!("{head}{text}\n"));
    }

    /// Returns the recorded calls since the last time.
    fn log(system: &System) -> Vec<String> {
        let text = system.read("/log").unwrap().unwrap_or_default();
        std::fs::write(system.path("/log"), "").unwrap();
        text.lines()
            .map(|l| l.replace("apt-get -q -y -o DPkg::Lock::Timeout=300", "apt-get …").replace(" -o DPkg::Options::=--force-confold", ""))
            .collect()
    }

    /// Puppet runs them with the locale `C` and without `HOME`.
    #[test]
    fn programs_of_packages_ask_no_questions() {
        let (_folder, system) = machine("");
        program(
            system.tree().root(),
            "apt-get",
            "log \"$HOME $LANG $LC_ALL $DEBIAN_FRONTEND $APT_LISTBUGS_FRONTEND $APT_LISTCHANGES_FRONTEND\"",
        );
        flush(&system, vec![install("nginx")]);
        assert_eq!(log(&system).first().map(String::as_str), Some("/root C C noninteractive none none"));
    }

    /// Package name, desired values, and the action to call.
    type JobRequest<'a> = (&'a str, Vec<(&'static str, Value)>, &'static str);

    fn flush(system: &System, asked: Vec<JobRequest<'_>>) -> Vec<Result<(), ProviderError>> {
        let resources: Vec<Wants> = asked.iter().map(|(_, wants, _)| Wants(wants.clone())).collect();
        let readings: Vec<Reading> =
            asked.iter().zip(&resources).map(|((name, ..), r)| get_wanting(&Apt::default(), system, name, r)).collect();
        let mut changes = Vec::new();
        for (((name, _, action), resource), is) in asked.iter().zip(&resources).zip(&readings) {
            let mut change = Change::new(Request { name, resource }, is);
            Apt::default().call(system, &mut change, action, &[]).unwrap();
            changes.push(change);
        }
        Apt::default().flush(system, &mut changes)
    }

    fn install(name: &str) -> JobRequest<'_> {
        (name, vec![("ensure", Value::sym("present"))], "install")
    }

    #[test]
    fn packages_that_follow_one_another_go_through_one_run() {
        let (_folder, system) = machine("");
        let version = ("c", vec![("ensure", Value::str("2.0"))], "install");
        let results = flush(&system, vec![install("a"), install("b"), version]);
        assert!(results.iter().all(Result::is_ok), "{results:?}");
        assert_eq!(log(&system), ["apt-get … install -- a b", "apt-get … --allow-downgrades install -- c=2.0"]);
    }

    #[test]
    fn the_order_of_what_is_installed_and_removed_is_kept() {
        let (_folder, system) = machine("Package: b\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n");
        let remove = ("b", vec![("ensure", Value::sym("purged"))], "purge");
        flush(&system, vec![install("a"), remove, install("c")]);
        assert_eq!(log(&system), ["apt-get … install -- a", "apt-get … purge -- b", "apt-get … install -- c"]);
    }

    #[test]
    fn only_the_unknown_package_fails() {
        let (_folder, system) = machine("");
        let results = flush(&system, vec![install("a"), install("unknown"), install("b"), install("c")]);
        let failed: Vec<bool> = results.iter().map(Result::is_err).collect();
        assert_eq!(failed, [false, true, false, false]);
        let message = results[1].as_ref().unwrap_err().to_string();
        assert!(message.ends_with("install -- unknown` exited with 100: E: Unable to locate package unknown"), "{message}");
    }

    #[test]
    fn only_the_package_that_cannot_be_configured_fails() {
        let (_folder, system) = machine("");
        let results = flush(&system, vec![install("a"), install("broken"), install("b")]);
        assert_eq!(results.iter().map(Result::is_err).collect::<Vec<_>>(), [false, true, false]);
        let message = results[1].as_ref().unwrap_err().to_string();
        assert!(message.contains("broken has no heart\nE: Sub-process"), "the message of the package is missing: {message}");
    }

    #[test]
    fn held_lock_is_awaited_once() {
        let (_folder, system) = machine("");
        program(&system.path("/"), "apt-get", "log apt-get; echo 'E: Could not get lock /var/lib/dpkg/lock-frontend' >&2; exit 100");
        let results = flush(&system, vec![install("a"), install("b")]);
        assert!(results.iter().all(Result::is_err));
        assert_eq!(log(&system).len(), 1);
    }

    #[test]
    fn a_held_package_is_let_go_and_held_again_where_that_is_wanted() {
        let held = |name: &str| format!("Package: {name}\nStatus: hold ok installed\nVersion: 0\nArchitecture: amd64\n\n");
        let (_folder, system) = machine(&format!("{}{}", held("a"), held("b")));
        let newest = ("ensure", Value::sym("latest"));
        flush(&system, vec![("a", vec![newest.clone(), ("mark", Value::sym("hold"))], "update"), ("b", vec![newest], "update")]);
        let expected = [
            "dpkg --set-selections <a:amd64 install",
            "b:amd64 install>",
            "apt-get … install -- a b",
            "dpkg --set-selections <a:amd64 hold>",
        ];
        assert_eq!(log(&system), expected);
    }

    #[test]
    fn a_package_held_by_hand_becomes_what_is_declared() {
        let (_folder, system) = machine("Package: a\nStatus: hold ok installed\nVersion: 0\nArchitecture: amd64\n");
        let resource = Wants(vec![("ensure", Value::str("2.0"))]);
        let is = Reading::Present(std::iter::once((Symbol::from("ensure"), Ok(Value::str("0")))).collect());
        let mut change = Change::new(Request { name: "a", resource: &resource }, &is);
        Apt::default().call(&system, &mut change, "install", &[]).unwrap();
        Apt::default().flush(&system, &mut [change]);
        assert_eq!(log(&system), ["dpkg --set-selections <a:amd64 install>", "apt-get … --allow-downgrades install -- a=2.0"]);
    }

    #[test]
    fn holding_alone_runs_no_apt_get() {
        let (_folder, system) = machine("Package: a\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n");
        let results = flush(&system, vec![("a", vec![("mark", Value::sym("hold"))], "hold")]);
        assert_eq!(results, [Ok(())]);
        assert_eq!(log(&system), ["dpkg --set-selections <a:amd64 hold>"]);
    }

    #[test]
    fn names_with_an_architecture_are_those_of_the_installed_package() {
        let package = |name: &str, architecture: &str| {
            format!("Package: {name}\nStatus: install ok installed\nVersion: 1-{architecture}\nArchitecture: {architecture}\n\n")
        };
        let status = [("curl", "amd64"), ("doc", "all"), ("lib", "amd64"), ("lib", "i386"), ("wine", "i386")];
        let status: String = status.map(|(name, architecture)| package(name, architecture)).concat();
        let policy = r#"shift; shift; for name; do printf '%s:\n  Candidate: 2\n' "$(echo "$name" | /usr/bin/sed 's/:\(amd64\|all\|native\|any\)$//')"; done"#;
        // The name in a resource, and the name for dpkg of the package that it is about.
        let names = [
            ("curl", "curl:amd64"),
            ("curl:amd64", "curl:amd64"),
            ("curl:all", "curl:amd64"),
            ("curl:native", "curl:amd64"),
            ("curl:any", "curl:amd64"),
            ("doc", "doc:all"),
            ("doc:amd64", "doc:all"),
            ("doc:all", "doc:all"),
            ("doc:native", "doc:all"),
            ("lib", "lib:amd64"),
            ("lib:all", "lib:amd64"),
            ("lib:i386", "lib:i386"),
            ("wine", "wine:i386"),
            ("wine:i386", "wine:i386"),
        ];
        for (name, full) in names {
            let (_folder, system) = machine(&status);
            program(&system.path("/"), "apt-cache", policy);
            let wants = Wants(vec![("ensure", Value::sym("latest"))]);
            let version = full.split_once(':').unwrap().1;
            let Reading::Present(state) = get_wanting(&Apt::default(), &system, name, &wants) else { panic!("{name}") };
            assert_eq!(state["ensure"], Ok(Value::str(format!("1-{version}"))), "{name}");
            let latest = Apt::default().query(&system, Request { name, resource: &wants }, "latest", &[]);
            assert_eq!(latest, Ok(Value::str("2")), "{name}");
            flush(&system, vec![(name, vec![("mark", Value::sym("hold"))], "hold")]);
            flush(&system, vec![(name, vec![("ensure", Value::str("3"))], "install")]);
            let results = flush(&system, vec![(name, vec![("ensure", Value::sym("purged"))], "purge")]);
            assert!(results.iter().all(Result::is_ok), "{results:?}");
            let expected = [
                format!("dpkg --set-selections <{full} hold>"),
                format!("apt-get … --allow-downgrades install -- {name}=3"),
                format!("apt-get … purge -- {name}"),
            ];
            assert_eq!(log(&system), expected, "{name}");
        }
        let (_folder, system) = machine(&status);
        let absent = ["lib:armhf", "curl:i386", "wine:amd64", "wine:native", "doc:i386"];
        for name in absent {
            let Reading::Present(state) = get_wanting(&Apt::default(), &system, name, &Wants::default()) else { panic!("{name}") };
            assert_eq!(state["ensure"], Ok(Value::sym("purged")), "{name}");
        }
        let listed = Apt::default().instances(&system, crate::Select::All).unwrap();
        assert_eq!(
            listed.iter().map(|package| package.name.as_str()).collect::<Vec<_>>(),
            ["curl", "doc", "dpkg", "lib", "lib:i386", "wine"]
        );
    }

    #[test]
    fn what_came_along_with_others_is_marked_as_asked_for() {
        let (_folder, system) = machine("Package: a\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n");
        let note = "Package: a\nArchitecture: amd64\nAuto-Installed: 1\n\n";
        std::fs::write(system.path("/var/lib/apt/extended_states"), note).unwrap();
        flush(&system, vec![("a", vec![("mark", Value::sym("hold"))], "hold")]);
        assert_eq!(log(&system), ["dpkg --set-selections <a:amd64 hold>", "apt-mark manual -- a"]);
    }

    #[test]
    fn answers_go_to_debconf_by_standard_input() {
        let (_folder, system) = machine("");
        std::fs::write(system.path("/answers"), "a a/password password secret").unwrap();
        flush(&system, vec![("a", vec![("ensure", Value::sym("present")), ("responsefile", Value::str("/answers"))], "install")]);
        assert_eq!(log(&system), ["debconf-set-selections <a a/password password secret>", "apt-get … install -- a"]);
    }

    #[test]
    fn cdrom_source_requires_permission() {
        let (_folder, system) = machine("");
        std::fs::write(system.path("/etc/apt/sources.list"), "# cdrom:\ndeb cdrom:[Debian]/ bookworm main\n").unwrap();
        let allowed = ("b", vec![("ensure", Value::sym("present")), ("allowcdrom", Value::sym("true"))], "install");
        let results = flush(&system, vec![install("a"), allowed]);
        assert!(results[0].as_ref().unwrap_err().message.contains("cdrom"));
        assert_eq!(log(&system), ["apt-get … install -- b"]);
    }

    #[test]
    fn names_that_mean_something_else_to_apt_are_refused() {
        let (_folder, system) = machine("");
        for name in ["a-", "-a", "a*", "a/stable", "a=1", "a b"] {
            assert!(flush(&system, vec![install(name)])[0].is_err(), "{name}");
        }
        assert!(log(&system).is_empty());
    }

    #[test]
    fn options_and_files_are_handed_on() {
        let (_folder, system) = machine("");
        let options = Value::array([Value::str("--no-install-recommends"), Value::str("-t"), Value::str("stable")]);
        let wants = vec![("ensure", Value::sym("present")), ("install_options", options), ("source", Value::str("/tmp/a.deb"))];
        flush(&system, vec![("a", wants, "install")]);
        assert_eq!(log(&system), ["apt-get … --no-install-recommends -t stable install -- /tmp/a.deb"]);
    }
}
