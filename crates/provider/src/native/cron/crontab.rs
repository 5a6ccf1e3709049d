//! `cron/crontab`: the jobs in users' crontabs.
//!
//! Follows `provider/cron/crontab.rb` of puppetlabs-cron_core 1.1.0, but reads the files below `/var/spool/cron` where
//! Puppet runs `crontab -l`; that is done here only for the own crontab of a user who may not read the file. A crontab that
//! cannot be read or understood is an error for the jobs in it. They are written with crontab(1), see [`super::edit`].

use super::tab::{self, Job, When};
use crate::native::reading::{Reader, absent};
use crate::native::{accounts, needs};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Select, State, System, Thing};
use rtype_lang::value::{EcoString, Value};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The directories of crontabs: on Debian and Solaris, SUSE, other systems.
const DIRECTORIES: [&str; 3] = ["/var/spool/cron/crontabs", "/var/spool/cron/tabs", "/var/spool/cron"];

/// The times in the order of a crontab line.
pub(super) const TIMES: [&str; 5] = ["minute", "hour", "monthday", "month", "weekday"];

/// Reads the crontabs of users.
pub struct Crontab;

pub(super) fn directory(system: &System) -> &'static str {
    DIRECTORIES.into_iter().find(|f| system.exists(f)).unwrap_or("/var/spool/cron/crontabs")
}

/// Returns the text of a user's crontab, empty if there is none.
fn read(system: &System, directory: &str, user: &str) -> Result<String, ProviderError> {
    let bytes = read_bytes(system, directory, user)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the bytes of a user's crontab, `None` if there is none.
pub(super) fn read_bytes(system: &System, directory: &str, user: &str) -> Result<Option<Vec<u8>>, ProviderError> {
    if user.is_empty() || user.starts_with(['.', '-']) || user.contains(['/', '\0']) {
        return Err(ProviderError::new(format!("invalid user name `{user}`")));
    }
    let path = format!("{directory}/{user}");
    let denied = match system.tree().open(Path::new(&path)) {
        Err(e) if e.kind() == std::io::ErrorKind::PermissionDenied => System::cannot_read(&path, &e),
        _ => return system.read_bytes(&path),
    };
    if system.is_fixture() || current_user(system) != user {
        return Err(denied);
    }
    // On Debian only this program can access the directory; users cannot even read their own crontab directly.
    let said = system.run("crontab", &["-l"]).map_err(|_| denied.clone())?;
    match said.status {
        Some(0) => Ok(Some(said.stdout.for_parsing().into())),
        _ if said.stderr.for_parsing().contains("no crontab for") => Ok(None),
        _ => Err(denied),
    }
}

/// Returns the jobs in a crontab's text.
pub(super) fn parse<'t>(text: &'t str, directory: &str, user: &str) -> Result<Vec<Job<'t>>, ProviderError> {
    if !text.is_empty() && !text.ends_with('\n') {
        let message = format!("cron ignores {directory}/{user}: line {} has no newline at the end", text.split('\n').count());
        return Err(ProviderError::new(message).help("add a newline at the end of the crontab"));
    }
    tab::jobs(text).map_err(|bad| {
        ProviderError::new(format!("cannot read {directory}/{user}: line {} is not a valid crontab line", bad.number))
            .help("a line is blank, a comment, NAME=value, or five times (or @special) and a command")
    })
}

/// Parses a time field: a list of the parts between commas, `:absent` for `*`.
fn times(field: &str) -> Value {
    if field == "*" {
        return absent();
    }
    // Ruby's `split` drops empty parts at the end.
    Value::array(field.trim_end_matches(',').split(',').map(Value::str))
}

/// Returns the time field with this index; `:absent` for a special schedule.
fn time(job: &Job<'_>, index: usize) -> Value {
    match &job.when {
        When::Special(_) => absent(),
        When::Fields(fields) => fields.get(index).map_or_else(absent, |f| times(f)),
    }
}

fn special(job: &Job<'_>) -> Value {
    match job.when {
        When::Special(name) => Value::str(name),
        When::Fields(_) => absent(),
    }
}

fn state(job: &Job<'_>, user: &str, select: Select<'_>) -> State {
    let mut read = Reader::new(select);
    read.set("ensure", || Value::sym("present"));
    read.set("command", || Value::str(job.command));
    read.set("special", || special(job));
    for (index, name) in TIMES.into_iter().enumerate() {
        read.set(name, || time(job, index));
    }
    read.set("environment", || match job.environment.is_empty() {
        true => absent(),
        false => Value::array(job.environment.iter().map(|line| Value::str(*line))),
    });
    read.set("user", || Value::str(user));
    read.set("target", || Value::str(user));
    read.finish()
}

/// Returns whether a resource matches an unmanaged job: the command is the same, and so is each time that the resource sets.
///
/// A resource that wants no special schedule (`special => absent`) matches no unnamed job: so it is in Puppet.
pub(super) fn describes(request: &Request<'_>, job: &Job<'_>) -> bool {
    let wanted = |name: &str| request.resource.wanted(name);
    // The type removes white space around commands.
    if wanted("command").as_text().map(str::trim_ascii) != Some(job.command.trim_ascii()) {
        return false;
    }
    let times_match = TIMES.into_iter().enumerate().all(|(index, name)| {
        let wanted = wanted(name);
        wanted.is_nil() || wanted == time(job, index)
    });
    let schedule = wanted("special");
    times_match && (schedule.is_nil() || (!schedule.is_absent() && schedule.as_text() == special(job).as_text()))
}

/// Returns the title of a listed job whose name is also in the crontab of another user.
fn title_of_other(user: &str, name: &str) -> EcoString {
    ecow::eco_format!("unmanaged:{user}:{name}")
}

/// Returns whether a resource is about a job with this name in the crontab of `user`.
pub(super) fn is_named(resource: &str, user: &str, job: &Job<'_>) -> bool {
    job.name.is_some_and(|name| name == resource || resource.strip_prefix("unmanaged:").is_some() && title_of_other(user, name) == resource)
}

/// Returns the user whose crontab a resource is in: its `target`, else its `user`, else the current user.
pub(super) fn owner(system: &System, request: &Request<'_>) -> EcoString {
    let named = |name: &str| request.resource.wanted(name).as_text().map(EcoString::from);
    named("target").or_else(|| named("user")).unwrap_or_else(|| current_user(system))
}

pub(super) fn current_user(system: &System) -> EcoString {
    accounts::user_name(system, nix::unistd::Uid::effective().as_raw()).unwrap_or_else(|| "root".to_owned()).into()
}

/// Returns the error of a job that should be removed from the crontab of a deleted user.
fn orphan(directory: &str, user: &str) -> ProviderError {
    ProviderError::new(format!("the user {user} does not exist, so that crontab cannot remove the job from {directory}/{user}"))
        .help(format!("remove the file, for example with `file {{ '{directory}/{user}': ensure => absent }}`"))
}

/// Returns the users who have a crontab: the current user first, as in Puppet, then sorted by name.
fn owners(system: &System, directory: &str) -> Result<Vec<String>, ProviderError> {
    let mut names = system.names(directory)?;
    // On Gentoo, the directory contains hidden files, which cron ignores. As in Puppet, crontabs of deleted users are skipped: cron does
    // not run their jobs, and crontab(1) cannot change them.
    let is_user = |name: &str| Thing::User(name.into()).exists(system);
    let is_file = |name: &str| system.look(&format!("{directory}/{name}"), true).ok().flatten().is_some_and(|stat| stat.is_file());
    names.retain(|name| !name.starts_with('.') && is_file(name) && is_user(name));
    let first = current_user(system);
    names.sort_by(|a, b| (*a != first.as_str(), a).cmp(&(*b != first.as_str(), b)));
    Ok(names)
}

impl Provider for Crontab {
    fn needs(&self, _: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        if needs::is_removed(request.resource) { Vec::new() } else { needs::accounts(request.resource, &["user"], &[]) }
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "command", "special", "minute", "hour", "weekday", "month", "monthday", "environment", "user", "target"]
    }

    /// Finds jobs in the crontab of their `target` or `user`, by the name in the comment above them (of several the
    /// last); else the first unnamed job that does what the resource wants.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let directory = directory(system);
        let owners: Vec<EcoString> = requests.iter().map(|r| owner(system, r)).collect();
        let mut texts: HashMap<&str, Result<String, ProviderError>> = HashMap::new();
        let mut deleted: HashSet<&str> = HashSet::new();
        for user in &owners {
            texts.entry(user).or_insert_with(|| {
                if !Thing::User(user.clone()).exists(system) {
                    deleted.insert(user);
                }
                read(system, directory, user)
            });
        }
        let tabs: HashMap<&str, Result<Vec<Job<'_>>, ProviderError>> =
            texts.iter().map(|(user, text)| (*user, text.as_ref().map_err(Clone::clone).and_then(|t| parse(t, directory, user)))).collect();
        // An unnamed job answers for one resource only.
        let mut taken = HashSet::new();
        let mut one = |(request, user): (&Request<'_>, &EcoString)| match tabs.get(user.as_str()) {
            None => Reading::Absent,
            Some(Err(e)) => Reading::Error(e.clone()),
            Some(Ok(jobs)) => {
                let named = jobs.iter().find(|job| is_named(request.name, user, job) && !job.is_superseded);
                // Cron does not run the jobs of a deleted user, and crontab(1) cannot remove them. A new user of the same name would have them.
                if deleted.contains(user.as_str()) {
                    return if named.is_some() && needs::is_removed(request.resource) {
                        Reading::Error(orphan(directory, user))
                    } else {
                        Reading::Absent
                    };
                }
                let found = named.or_else(|| {
                    let free = |(index, job): &(usize, &Job<'_>)| {
                        job.is_unmanaged() && describes(request, job) && taken.insert((user.clone(), *index))
                    };
                    jobs.iter().enumerate().find(free).map(|(_, job)| job)
                });
                found.map_or(Reading::Absent, |job| Reading::Present(state(job, user, select)))
            }
        };
        requests.iter().zip(&owners).map(&mut one).collect()
    }

    /// Lists the jobs of all crontabs. As in Puppet, unmanaged jobs are named `unmanaged:COMMAND-NUMBER`, numbered across all crontabs. Jobs
    /// with the name of a job in an earlier crontab are named `unmanaged:USER:NAME`.
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let directory = directory(system);
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut unnamed = 0;
        for user in owners(system, directory)? {
            let text = read(system, directory, &user)?;
            for job in parse(&text, directory, &user)? {
                let name: EcoString = match job.name.filter(|_| !job.is_unmanaged()) {
                    Some(name) if seen.contains(name) => title_of_other(&user, name),
                    Some(name) => name.into(),
                    None => {
                        unnamed += 1;
                        let words: Vec<&str> = job.command.split_ascii_whitespace().collect();
                        let end = if job.command.ends_with(|c: char| c.is_ascii_whitespace()) { "_" } else { "" };
                        ecow::eco_format!("unmanaged:{}{end}-{unnamed}", words.join("_"))
                    }
                };
                if seen.insert(name.clone()) {
                    found.push(ListedResource { name, state: state(&job, &user, select) });
                }
            }
        }
        Ok(found)
    }

    fn writes(&self) -> &'static [&'static str] {
        &["command", "special", "minute", "hour", "weekday", "month", "monthday", "environment", "user", "target"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        super::edit::flush(system, changes)
    }

    fn batch(&self, _: &System) -> usize {
        crate::text::records::BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::reading::testing::{Wants, get, present, puppet, root, shown};

    fn list(words: &[&str]) -> Value {
        Value::array(words.iter().map(|w| Value::str(*w)))
    }

    #[test]
    fn all_jobs_are_read_as_puppet_reads_them() {
        let mut found = Crontab.instances(&root("recorded"), Select::All).unwrap();
        // Puppet lists only the first of the jobs with the same name.
        found.retain(|job| !job.name.starts_with("unmanaged:rtuser1:"));
        assert_eq!(shown(&found, &[]), puppet("cron"));
    }

    #[test]
    fn a_job_is_found_by_its_name_in_the_crontab_of_its_user_only() {
        let system = root("recorded");
        let state = present(&Crontab, &system, "job one", vec![("user", Value::from("root"))]);
        assert_eq!(state["hour"], Ok(list(&["2", "4"])));
        assert_eq!(state["month"], Ok(absent()));
        assert_eq!(get(&Crontab, &system, "job one", vec![("user", Value::from("rtuser1"))]), Reading::Absent);
        assert_eq!(
            get(&Crontab, &system, "other", vec![("target", Value::from("root")), ("user", Value::from("rtuser1"))]),
            Reading::Absent
        );
    }

    #[test]
    fn an_unnamed_job_that_does_the_same_is_taken_for_the_resource() {
        let system = root("recorded");
        let wants = |special: Value| vec![("user", Value::from("root")), ("command", Value::from("/bin/unn\tx")), ("special", special)];
        let state = present(&Crontab, &system, "mine", wants(Value::from("reboot")));
        assert_eq!(state["special"], Ok(Value::from("reboot")));
        assert_eq!(get(&Crontab, &system, "mine", wants(Value::from("daily"))), Reading::Absent);
        assert_eq!(get(&Crontab, &system, "mine", wants(absent())), Reading::Absent);
        let times =
            vec![("user", Value::from("root")), ("command", Value::from("/bin/unn # c")), ("minute", list(&["*/5"])), ("hour", absent())];
        assert_eq!(get(&Crontab, &system, "mine", times), Reading::Absent);
    }

    #[test]
    fn an_unnamed_job_answers_for_one_resource_only() {
        let wants = Wants(vec![("user", Value::from("root")), ("command", Value::from("/bin/unn # c"))]);
        let requests = ["a", "b"].map(|name| Request { name, resource: &wants });
        let readings = Crontab.get(&root("recorded"), &requests, Select::All);
        assert!(matches!(readings[..], [Reading::Present(_), Reading::Absent]));
    }

    #[test]
    fn invalid_line_fails_only_its_crontab() {
        let system = root("badcron");
        let Reading::Error(e) = get(&Crontab, &system, "x", vec![("user", Value::from("bad"))]) else { panic!() };
        assert_eq!(e.message, "cannot read /var/spool/cron/crontabs/bad: line 3 is not a valid crontab line");
        assert_eq!(get(&Crontab, &system, "x", vec![("user", Value::from("good"))]), Reading::Absent);
        assert!(Crontab.instances(&system, Select::All).is_err());
    }

    /// Runs with and without `--noop` read the state first, and both report this error.
    #[test]
    fn jobs_of_a_deleted_user_cannot_be_removed() {
        let system = root("orphancron");
        let wants = |ensure: &str| vec![("user", Value::from("deleted")), ("ensure", Value::sym(ensure))];
        let Reading::Error(e) = get(&Crontab, &system, "job", wants("absent")) else { panic!() };
        assert_eq!(
            e.message,
            "the user deleted does not exist, so that crontab cannot remove the job from /var/spool/cron/crontabs/deleted"
        );
        assert_eq!(get(&Crontab, &system, "other", wants("absent")), Reading::Absent);
        assert_eq!(get(&Crontab, &system, "job", wants("present")), Reading::Absent);
        assert!(Crontab.instances(&system, Select::All).unwrap().is_empty());
    }

    #[test]
    fn an_unreadable_crontab_is_an_error_and_a_missing_one_has_no_jobs() {
        assert!(matches!(get(&Crontab, &root("unreadable"), "x", vec![("user", Value::from("eve"))]), Reading::Error(_)));
        assert_eq!(get(&Crontab, &root("empty"), "x", vec![("user", Value::from("eve"))]), Reading::Absent);
        assert_eq!(Crontab.instances(&root("empty"), Select::All), Ok(vec![]));
    }

    #[test]
    fn a_user_cannot_name_a_file_elsewhere() {
        for user in ["../../../etc/passwd", "a/b", "", ".."] {
            assert!(matches!(get(&Crontab, &root("recorded"), "x", vec![("user", Value::from(user))]), Reading::Error(_)), "{user}");
        }
    }
}
