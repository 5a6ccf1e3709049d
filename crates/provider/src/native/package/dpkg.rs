//! `package/dpkg`: packages as dpkg's database has them.
//!
//! Follows `puppet/provider/package/dpkg.rb` of Puppet 7.23: `ensure` is the version of what is installed, `:absent` for
//! configuration files and broken installations, `:purged` for everything else; `mark` is `:hold` or `:none`. Where a
//! name is installed for several architectures, the machine's own counts. Unlike Puppet it waits while another program has
//! dpkg's lock.

use super::jobs::{LOCK_LIMIT, quiet};
use super::status::{self, Database};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Select, System, Thing};
use rtype_lang::value::Value;
use rtype_system::process;
use std::time::Duration;

/// How long to wait before dpkg's lock is tried again.
const LOCK_PAUSE: Duration = Duration::from_secs(1);

/// Reads dpkg's database and runs dpkg.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dpkg;

/// Runs dpkg, again and again while another program has its lock, which it does not wait for by itself.
pub(super) fn run(system: &System, arguments: &[&str], input: Option<&str>) -> Result<(), ProviderError> {
    let begun = process::now();
    loop {
        let command = quiet(system.command("dpkg")).args(arguments.iter().copied());
        let command = match input {
            Some(input) => command.stdin(input),
            None => command,
        };
        let line = command.line();
        let output = command.run()?;
        if output.status == Some(0) {
            return Ok(());
        }
        let locked = output.stderr.for_parsing().contains("locked by another process");
        if !locked || begun.elapsed() > Duration::from_secs(LOCK_LIMIT.into()) {
            return Err(output.failure(&line));
        }
        std::thread::sleep(LOCK_PAUSE);
    }
}

/// Sets or clears the hold of packages.
pub(super) fn select<'a>(system: &System, names: impl IntoIterator<Item = &'a str>, hold: bool) -> Result<(), ProviderError> {
    let selection = if hold { "hold" } else { "install" };
    let mut names = names.into_iter().peekable();
    if names.peek().is_none() {
        return Ok(());
    }
    let database = Database::read(system)?;
    let lines: String = names.map(|name| format!("{} {selection}\n", database.full_name(name))).collect();
    run(system, &["--set-selections"], Some(&lines))
}

/// Checks that no other user can change a package file, because the scripts of the package run as root.
pub(super) fn check_source(system: &System, source: &str) -> Result<(), ProviderError> {
    if !source.starts_with('/') {
        return Ok(());
    }
    system.check_file(source).map(drop).map_err(|e| e.context(format!("the package file {source} is not installed: ")))
}

fn install(system: &System, change: &Change<'_>) -> Result<(), ProviderError> {
    let source = change.resource.wanted("source");
    let source = source.as_text().ok_or_else(|| {
        ProviderError::new("dpkg installs only from files").help("set `source` to a package file, or use the provider `apt`")
    })?;
    check_source(system, source)?;
    let replace = change.resource.wanted("configfiles") == Value::sym("replace");
    if change.was("mark") == Some(&Value::sym("hold")) {
        select(system, [change.name], false)?;
    }
    let done = run(system, &[if replace { "--force-confnew" } else { "--force-confold" }, "-i", "--", source], None);
    if change.resource.wanted("mark") == Value::sym("hold") {
        return done.and(select(system, [change.name], true));
    }
    done
}

impl Provider for Dpkg {
    /// A package is installed from its file.
    fn needs(&self, _: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        let is_installed = !["absent", "purged"].contains(&request.resource.wanted("ensure").to_text().as_str());
        let source = request.resource.wanted("source");
        let source = source.as_text().filter(|_| is_installed);
        let need = |path: &str| Need::new(Thing::File(path.into()), format!("the package file {path} does not exist"));
        source.map(need).into_iter().collect()
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "mark"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["latest"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        status::get(system, requests, select, |_, _, _| Ok(false))
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        status::instances(system, select)
    }

    fn writes(&self) -> &'static [&'static str] {
        &["mark"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["install", "update", "uninstall", "purge", "hold", "unhold"]
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match action {
            "install" | "update" => install(system, change),
            "uninstall" => run(system, &["-r", "--", &Database::read(system)?.full_name(change.name)], None),
            "purge" => run(system, &["--purge", "--", &Database::read(system)?.full_name(change.name)], None),
            "hold" | "unhold" => select(system, [change.name], action == "hold"),
            other => Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        }
        .map(|()| Value::Nil)
    }

    /// `latest` is the version of the package file that `source` names.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if method != "latest" {
            return Err(ProviderError::new(format!("the provider does not answer `{method}`")));
        }
        let source = request.resource.wanted("source");
        let source = source.as_text().ok_or_else(|| {
            ProviderError::new("dpkg does not know where newer packages come from")
                .help("set `source` to a package file, or use the provider `apt`")
        })?;
        check_source(system, source)?;
        let shown = system.run("dpkg-deb", &["--show", "--", source])?;
        let version = shown.stdout.for_parsing().lines().next().and_then(|line| line.split_once('\t'));
        match version {
            Some((_, version)) if shown.status == Some(0) => Ok(Value::str(version.trim())),
            _ => Err(ProviderError::new(shown.stderr.shown()).context(format!("`dpkg-deb --show {source}` gave no version: "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, error, get, get_wanting, line, present, root};

    fn shown(name: &str) -> String {
        line(&present(get(&Dpkg, &root("dpkg"), name)))
    }

    #[test]
    fn ensure_of_what_is_installed_is_its_version() {
        assert_eq!(shown("bash"), r#"ensure="5.2.15-2+b8" mark=:none"#);
    }

    #[test]
    fn a_held_package_keeps_its_version_and_is_marked() {
        assert_eq!(shown("held"), r#"ensure="1.0" mark=:hold"#);
    }

    #[test]
    fn what_waits_for_triggers_is_installed() {
        assert_eq!(shown("waiting"), r#"ensure="2.0" mark=:none"#);
    }

    #[test]
    fn configuration_files_and_broken_installations_are_absent() {
        for name in ["conffiles", "half", "unpacked", "halfconf"] {
            assert_eq!(shown(name), "ensure=:absent mark=:absent", "{name}");
        }
    }

    #[test]
    fn what_is_known_but_not_there_is_purged_and_not_listed() {
        assert_eq!(shown("gone"), "ensure=:purged mark=:none");
        assert_eq!(shown("gone-held"), "ensure=:purged mark=:hold");
        let all = Dpkg.instances(&root("dpkg"), Select::All).unwrap();
        assert!(all.iter().all(|f| !f.name.starts_with("gone")));
    }

    #[test]
    fn what_dpkg_never_heard_of_is_purged_without_a_mark() {
        assert_eq!(shown("nonexistent"), "ensure=:purged mark=:absent");
    }

    #[test]
    fn what_only_others_mention_has_a_mark() {
        assert_eq!(shown("mail-agent"), "ensure=:purged mark=:none");
        assert_eq!(shown("foo"), "ensure=:purged mark=:none");
    }

    #[test]
    fn of_two_architectures_the_native_counts_and_the_other_can_be_named() {
        assert!(shown("libc6").contains("2.36-9"));
        assert!(shown("libc6:i386").contains("2.36-8"));
        assert!(shown("libc6:amd64").contains("2.36-9"));
        assert!(shown("libc6:armhf").contains(":purged"));
        let all = Dpkg.instances(&root("dpkg"), Select::All).unwrap();
        assert_eq!(
            all.iter().filter(|f| f.name.starts_with("libc6")).map(|f| f.name.as_str()).collect::<Vec<_>>(),
            ["libc6", "libc6:i386"]
        );
    }

    #[test]
    fn names_are_listed_in_order() {
        let names: Vec<_> = Dpkg.instances(&root("dpkg"), Select::All).unwrap().into_iter().map(|f| f.name).collect();
        assert!(names.is_sorted(), "{names:?}");
    }

    #[test]
    fn a_journal_entry_overrules_the_status_file() {
        assert_eq!(shown("journalled"), r#"ensure="2.0" mark=:none"#);
    }

    #[test]
    fn a_virtual_name_is_read_where_that_is_allowed() {
        assert!(shown("mail-agent").contains(":purged"));
        let wants = Wants(vec![("allow_virtual", Value::Bool(true))]);
        assert!(line(&present(get_wanting(&Dpkg, &root("dpkg"), "mail-agent", &wants))).contains("4.0"));
    }

    #[test]
    fn a_database_that_cannot_be_understood_is_an_error_for_all() {
        assert!(error(get(&Dpkg, &root("unreadable"), "bash")).starts_with("cannot read /var/lib/dpkg/status"));
        assert_eq!(error(get(&Dpkg, &root("dpkg-malformed"), "bash")), "cannot read /var/lib/dpkg/status: line 4 is not a field");
        assert!(error(get(&Dpkg, &root("empty"), "bash")).contains("no such file"));
    }

    #[test]
    fn latest_needs_a_source() {
        let request = Request { name: "bash", resource: &Wants::default() };
        assert!(Dpkg.query(&root("dpkg"), request, "latest", &[]).unwrap_err().help.is_some());
    }

    #[test]
    fn latest_is_what_the_source_holds() {
        let request = Request { name: "bash", resource: &Wants(vec![("source", Value::str("/tmp/bash.deb"))]) };
        assert_eq!(Dpkg.query(&root("dpkg"), request, "latest", &[]), Ok(Value::str("9.9-1")));
    }

    #[test]
    fn the_package_file_must_exist_unless_the_package_is_removed() {
        let needs = |wants: &[(&'static str, Value)]| {
            let wants = Wants(wants.to_vec());
            Dpkg.needs(&root("dpkg"), Request { name: "bash", resource: &wants }, &["ensure"])
        };
        let (source, ensure) = (("source", Value::str("/tmp/bash.deb")), |value| ("ensure", Value::sym(value)));
        let file = Need::new(Thing::File("/tmp/bash.deb".into()), "the package file /tmp/bash.deb does not exist");
        assert_eq!(needs(&[source.clone(), ensure("installed")]), [file]);
        assert_eq!(needs(&[ensure("installed")]), []);
        for removed in ["absent", "purged"] {
            assert_eq!(needs(&[source.clone(), ensure(removed)]), []);
        }
    }
}
