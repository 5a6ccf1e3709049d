//! `package/apt`: packages in dpkg's database, and newer versions known to apt.
//!
//! Follows `puppet/provider/package/apt.rb` of Puppet 7.23. Puppet reports the mark `manual` in one case only: for a
//! package that is not in its list under exactly this name (`libc6:i386`, a virtual name) and that was installed
//! manually.
//!
//! Consecutive packages with the same change are passed to one call of apt-get, where Puppet needs one call for each.
//! Their order is preserved: no removal is moved between two installations.

use super::jobs::{self, Goal, Job};
use super::policy::Candidates;
use super::status::{self, Database, Package};
use super::{dpkg, version};
use crate::{Change, ListedResource, Provider, ProviderError, Reading, Request, Select, System};
use rtype_lang::value::{Symbol, Value};
use std::collections::HashSet;

/// Where apt notes which packages came along with others.
const EXTENDED_STATES: &str = "/var/lib/apt/extended_states";

/// How many packages one run of apt-get installs.
const BATCH: usize = 200;

/// Reads dpkg's database, asks apt for newer versions, and runs apt-get.
#[derive(Debug, Default)]
pub struct Apt {
    candidates: Candidates,
}

/// Returns the packages that came along with others, as `name:architecture`.
fn automatic(system: &System) -> Result<HashSet<String>, ProviderError> {
    let text = system.read(EXTENDED_STATES)?.unwrap_or_default();
    let stanza = |stanza: &str| {
        let field = |name: &str| stanza.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
        let full = format!("{}:{}", field("Package")?, field("Architecture")?);
        (field("Auto-Installed") == Some("1")).then_some(full)
    };
    Ok(text.split("\n\n").filter_map(stanza).collect())
}

/// Returns whether `apt-mark showmanual NAME` would answer with just that name.
fn is_manual(automatic: &HashSet<String>, database: &Database, package: &Package, asked: &str) -> bool {
    let native = package.architecture == database.native || package.architecture == "all";
    let architecture = if native { &database.native } else { &package.architecture };
    let full = format!("{}:{architecture}", package.name);
    // apt writes the architecture of foreign packages only, and Puppet compares the answer letter by letter.
    let answer_is_the_name = if native { !asked.contains(':') } else { asked == full };
    answer_is_the_name && !automatic.contains(&full)
}

impl Provider for Apt {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "mark"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["latest", "insync?"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let newest: Vec<&str> = requests.iter().filter(|r| r.resource.wanted("ensure") == Value::sym("latest")).map(|r| r.name).collect();
        if select.wants("ensure") && newest.len() > 1 {
            self.candidates.prepare(system, &newest);
        }
        // Read once, and only if a name of the rare kind comes.
        let mut notes = None;
        status::get(system, requests, select, |database, package, asked| {
            let notes = notes.get_or_insert_with(|| automatic(system));
            notes.as_ref().map(|notes| is_manual(notes, database, package, asked)).map_err(Clone::clone)
        })
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        status::instances(system, select)
    }

    /// Answers `latest` with the version that apt would install now, and `insync?` with whether a version is in the
    /// range given by `ensure`, like the method of the same name in Puppet's provider.
    fn query(&self, system: &System, request: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        if method == "insync?" {
            return Ok(match (arguments.first(), request.resource.wanted("ensure")) {
                (Some(Value::Str(is)), Value::Str(wanted)) => version::in_range(is, &wanted).into(),
                _ => false.into(),
            });
        }
        if method != "latest" {
            return Err(ProviderError::new(format!("the provider does not answer `{method}`")));
        }
        Ok(Value::str(self.candidates.of(system, request.name)?.as_str()))
    }

    fn writes(&self) -> &'static [&'static str] {
        &["mark"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["install", "update", "uninstall", "purge", "hold", "unhold"]
    }

    fn call(&self, _: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        let (property, value) = match action {
            "install" | "update" => ("ensure", change.resource.wanted("ensure")),
            "uninstall" => ("ensure", Value::sym("absent")),
            "purge" => ("ensure", Value::sym("purged")),
            "hold" => ("mark", Value::sym("hold")),
            "unhold" => ("mark", Value::sym("none")),
            other => return Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        };
        change.should.insert(Symbol::from(property), value);
        Ok(Value::Nil)
    }

    fn batch(&self, _: &System) -> usize {
        BATCH
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        if changes.iter().all(|change| change.should.is_empty()) {
            return changes.iter().map(|_| Ok(())).collect();
        }
        let database = Database::read(system);
        let job = |change: &mut Change<'_>| {
            let job = match &database {
                Ok(database) if !change.should.is_empty() => Job::of(system, database, change).map(Some),
                Ok(_) => Ok(None),
                Err(error) => Err(error.clone()),
            };
            change.should.clear();
            job
        };
        let jobs: Vec<Result<Option<Job>, ProviderError>> = changes.iter_mut().map(job).collect();
        let wanted: Vec<&Job> = jobs.iter().filter_map(|job| job.as_ref().ok()?.as_ref()).collect();
        let mut results: Vec<Result<(), ProviderError>> = Vec::new();
        for alike in wanted.chunk_by(|a, b| a.way == b.way) {
            results.extend(run_alike(system, alike));
        }
        mark_manual(system, &wanted, &mut results);
        let mut results = results.into_iter();
        let answer = |job: Result<Option<Job>, ProviderError>| if job?.is_some() { results.next().unwrap_or(Ok(())) } else { Ok(()) };
        jobs.into_iter().map(answer).collect()
    }
}

/// Does what is to be done with packages that go together, and marks them; answers in their order.
fn run_alike(system: &System, jobs: &[&Job]) -> Vec<Result<(), ProviderError>> {
    let Some(first) = jobs.first() else { return Vec::new() };
    let names = |hold: bool| jobs.iter().filter(move |job| job.hold == Some(hold)).map(|job| job.name.as_str());
    let all_fail = |error: ProviderError| jobs.iter().map(|_| Err(error.clone())).collect();
    if first.goal == Goal::Kept {
        let marked = dpkg::select(system, names(true), true).and(dpkg::select(system, names(false), false));
        return marked.map_or_else(all_fail, |()| jobs.iter().map(|_| Ok(())).collect());
    }
    let stays = !matches!(first.goal, Goal::Removed | Goal::Purged);
    let held = jobs.iter().filter(|job| stays && job.held).map(|job| job.name.as_str());
    if let Err(error) = preseed(system, first.way.answers.as_deref()).and_then(|()| dpkg::select(system, held, false)) {
        return all_fail(error);
    }
    let mut results = jobs::perform(system, jobs);
    // Also where it failed: what is there keeps its version.
    if stays && let Err(error) = dpkg::select(system, names(true), true) {
        for (job, result) in jobs.iter().zip(&mut results) {
            if job.hold == Some(true) && result.is_ok() {
                *result = Err(error.clone());
            }
        }
    }
    results
}

/// Passes the answers in a file to debconf on standard input, because they may be passwords.
fn preseed(system: &System, file: Option<&str>) -> Result<(), ProviderError> {
    let Some(file) = file else { return Ok(()) };
    let answers = system.read_bytes(file)?.unwrap_or_default();
    jobs::quiet(system.command("debconf-set-selections")).stdin(answers).succeed().map(drop)
}

/// Marks managed packages as manually installed, so that apt does not remove them as unused dependencies.
fn mark_manual(system: &System, jobs: &[&Job], results: &mut [Result<(), ProviderError>]) {
    let came_along = || -> Result<Vec<bool>, ProviderError> {
        let notes = automatic(system)?;
        if notes.is_empty() {
            return Ok(Vec::new());
        }
        let database = Database::read(system)?;
        let full = |package: &Package| {
            let foreign = package.architecture != database.native && package.architecture != "all";
            format!("{}:{}", package.name, if foreign { &package.architecture } else { &database.native })
        };
        let came = |job: &&Job| database.find(&job.name).is_some_and(|p| p.is_installed() && notes.contains(&full(p)));
        Ok(jobs.iter().map(came).collect())
    };
    let marked = came_along().and_then(|came| {
        let names = jobs
            .iter()
            .zip(&*results)
            .zip(&came)
            .filter(|((job, result), came)| **came && result.is_ok() && !matches!(job.goal, Goal::Removed | Goal::Purged));
        let names: Vec<&str> = names.map(|((job, _), _)| job.name.as_str()).collect();
        let mark = || jobs::quiet(system.command("apt-mark")).args(["manual", "--"]).args(names.iter().copied()).succeed().map(drop);
        if names.is_empty() { Ok(()) } else { mark() }
    });
    if let Err(error) = marked {
        results.iter_mut().filter(|result| result.is_ok()).for_each(|result| *result = Err(error.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, get, line, present, root};

    fn shown(name: &str) -> String {
        line(&present(get(&Apt::default(), &root("dpkg"), name)))
    }

    #[test]
    fn a_plain_name_is_never_marked_manual() {
        assert_eq!(shown("bash"), r#"ensure="5.2.15-2+b8" mark=:none"#);
    }

    #[test]
    fn a_foreign_package_that_a_person_asked_for_is_marked_manual() {
        assert_eq!(shown("libc6:i386"), r#"ensure="2.36-8" mark=:manual"#);
        assert_eq!(shown("libauto:i386"), r#"ensure="1.0" mark=:none"#);
        assert_eq!(shown("libc6:amd64"), r#"ensure="2.36-9" mark=:none"#);
    }

    #[test]
    fn unreadable_notes_of_apt_spoil_the_mark_only() {
        assert_eq!(line(&present(get(&Apt::default(), &root("apt-unreadable"), "libc6:i386"))), r#"ensure="2.36-8" mark!"#);
        assert_eq!(line(&present(get(&Apt::default(), &root("apt-unreadable"), "dpkg"))), r#"ensure="1.21" mark=:none"#);
    }

    #[test]
    fn a_version_may_be_wanted_by_a_range() {
        let ask = |wanted: &str, is: Value| {
            let resource = Wants(vec![("ensure", Value::str(wanted))]);
            Apt::default().query(&root("dpkg"), Request { name: "bash", resource: &resource }, "insync?", &[is])
        };
        assert_eq!(ask(">=5.0 <6", Value::str("5.2.15-2+b8")), Ok(Value::Bool(true)));
        assert_eq!(ask("<5", Value::str("5.2.15-2+b8")), Ok(Value::Bool(false)));
        assert_eq!(ask("<5", Value::sym("absent")), Ok(Value::Bool(false)));
    }

    #[test]
    fn latest_is_aptcaches_candidate() {
        let ask = |name| Apt::default().query(&root("dpkg"), Request { name, resource: &Wants::default() }, "latest", &[]);
        assert_eq!(ask("bash"), Ok(Value::str("5.2.15-2+b9")));
        assert_eq!(ask("nonexistent").unwrap_err().message, "apt knows no version of the package `nonexistent`");
    }
}
