//! `package/apt`: packages as dpkg's database has them, with apt's knowledge of newer ones.
//!
//! Follows `puppet/provider/package/apt.rb` of Puppet 7.23. Puppet shows the mark `manual` in one case only: for a package
//! that is not in its list by that very name (`libc6:i386`, a virtual name) and that a person asked for.

use super::status::{self, Database, Package};
use super::version;
use crate::provider::{Found, Provider, ProviderError, Reading, Request, Select, System};
use crate::value::Value;
use std::collections::HashSet;

/// Where apt notes which packages came along with others.
const EXTENDED_STATES: &str = "/var/lib/apt/extended_states";

/// Reads dpkg's database and asks apt for newer versions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apt;

/// The packages that came along with others, as `name:architecture`.
fn automatic(system: &System) -> Result<HashSet<String>, ProviderError> {
    let text = system.read(EXTENDED_STATES)?.unwrap_or_default();
    let stanza = |stanza: &str| {
        let field = |name: &str| stanza.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
        let full = format!("{}:{}", field("Package")?, field("Architecture")?);
        (field("Auto-Installed") == Some("1")).then_some(full)
    };
    Ok(text.split("\n\n").filter_map(stanza).collect())
}

/// Whether `apt-mark showmanual NAME` would answer with just that name.
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
        // Read once, and only if a name of the rare kind comes.
        let mut notes = None;
        status::get(system, requests, select, |database, package, asked| {
            let notes = notes.get_or_insert_with(|| automatic(system));
            notes.as_ref().map(|notes| is_manual(notes, database, package, asked)).map_err(Clone::clone)
        })
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        status::instances(system, select)
    }

    /// `latest` is the version that apt would install now; `insync?` tells whether a version lies in the range that `ensure`
    /// wants, as the method of that name in Puppet's provider.
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
        let policy = system.run("apt-cache", &["policy", "--", request.name])?;
        let candidate = policy.stdout.lines().find_map(|line| line.trim_start().strip_prefix("Candidate:")).map(str::trim);
        match candidate {
            Some(version) if version != "(none)" && !version.is_empty() => Ok(Value::str(version)),
            _ => Err(ProviderError::new(format!("apt knows no version of the package `{}`", request.name))
                .help("run `apt-get update`, or check the name")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::native::common::testing::{Wants, get, line, present, root};

    fn shown(name: &str) -> String {
        line(&present(get(&Apt, &root("dpkg"), name)))
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
        assert_eq!(line(&present(get(&Apt, &root("apt-unreadable"), "libc6:i386"))), r#"ensure="2.36-8" mark!"#);
        assert_eq!(line(&present(get(&Apt, &root("apt-unreadable"), "dpkg"))), r#"ensure="1.21" mark=:none"#);
    }

    #[test]
    fn a_version_may_be_wanted_by_a_range() {
        let ask = |wanted: &str, is: Value| {
            let resource = Wants(vec![("ensure", Value::str(wanted))]);
            Apt.query(&root("dpkg"), Request { name: "bash", resource: &resource }, "insync?", &[is])
        };
        assert_eq!(ask(">=5.0 <6", Value::str("5.2.15-2+b8")), Ok(Value::Bool(true)));
        assert_eq!(ask("<5", Value::str("5.2.15-2+b8")), Ok(Value::Bool(false)));
        assert_eq!(ask("<5", Value::sym("absent")), Ok(Value::Bool(false)));
    }

    #[test]
    fn latest_is_aptcaches_candidate() {
        let ask = |name| Apt.query(&root("dpkg"), Request { name, resource: &Wants::default() }, "latest", &[]);
        assert_eq!(ask("bash"), Ok(Value::str("5.2.15-2+b9")));
        assert_eq!(ask("nonexistent").unwrap_err().message, "apt knows no version of the package `nonexistent`");
    }
}
