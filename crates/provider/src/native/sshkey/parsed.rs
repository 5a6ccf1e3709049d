//! `sshkey/parsed`: host keys in a `known_hosts` file.
//!
//! Follows `puppet/provider/sshkey/parsed.rb` of puppetlabs-sshkeys_core 2.3.0, with two differences. Hashed names (`|1|…`) are
//! ignored, because the host is unknown. Lines with a marker (`@revoked`, `@cert-authority`) are ignored, because Puppet takes the
//! host's name for the type. Puppet treats both as keys, so that purging removes these lines.

use crate::native::common::{Property, pick};
use crate::text::TextFiles;
use crate::text::records::{self, RecordChange, RecordFormat};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Select, State, System};
use rtype_lang::value::{EcoString, Value};
use std::collections::HashSet;

/// The table where a resource names no other.
const KNOWN_HOSTS: &str = "/etc/ssh/ssh_known_hosts";

/// Reads and writes keys of hosts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParsedKnownHosts;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct HostKey {
    name: String,
    aliases: Vec<String>,
    kind: String,
    /// The key, and the comment after it if there is one.
    key: String,
}

impl HostKey {
    fn state(&self, target: &str, select: Select<'_>) -> State {
        let properties: [Property; 6] = [
            ("ensure", Ok(Value::sym("present"))),
            ("name", Ok(Value::str(self.name.as_str()))),
            ("type", Ok(Value::sym(self.kind.as_str()))),
            ("key", Ok(Value::str(self.key.as_str()))),
            ("host_aliases", Ok(Value::array(self.aliases.iter().map(|a| Value::str(a.as_str()))))),
            ("target", Ok(Value::str(target))),
        ];
        pick(select, properties)
    }
}

/// Returns name and type of a resource's key, by default from the title.
fn identity(request: Request<'_>) -> (String, String) {
    let (name, kind) = request.name.split_once('@').unwrap_or((request.name, ""));
    let given = |attribute: &str, or: &str| match request.resource.wanted(attribute) {
        Value::Nil => or.to_owned(),
        value => value.to_text().to_string(),
    };
    (given("name", name), given("type", kind))
}

impl RecordFormat for ParsedKnownHosts {
    type Record = HostKey;

    fn file(&self) -> Option<EcoString> {
        Some(KNOWN_HOSTS.into())
    }

    fn parse(&self, line: &str) -> Option<HostKey> {
        // As in ssh(1), only blanks and tabs separate words.
        let mut words = line.split([' ', '\t']).filter(|w| !w.is_empty());
        let names = words.next().filter(|names| !names.starts_with(['#', '@', '|']))?;
        let kind = words.next()?.to_owned();
        let key = words.collect::<Vec<_>>().join(" ");
        let mut names = names.split(',').map(String::from);
        let name = names.next()?;
        (!key.is_empty()).then(|| HostKey { name, aliases: names.collect(), kind, key })
    }

    fn is_of(&self, key: &HostKey, request: Request<'_>) -> bool {
        let (name, kind) = identity(request);
        // ssh(1) compares host names in lowercase.
        key.name.eq_ignore_ascii_case(&name) && key.kind == kind
    }

    fn print(&self, was: Option<&HostKey>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError> {
        let (name, kind) = identity(wish.request());
        let key = wish.text("key", was.map(|k| k.key.as_str())).ok_or_else(|| ProviderError::new("a host's key needs a `key`"))?;
        let names = std::iter::once(name).chain(wish.list("host_aliases", was.map(|k| k.aliases.as_slice())));
        Ok(format!("{} {kind} {key}", names.collect::<Vec<_>>().join(",")))
    }

    /// Readable by all regardless of the umask, because all users need it.
    fn new_file(&self) -> Replace {
        Replace { mode: Some(0o644), ..Replace::default() }
    }
}

impl Provider for ParsedKnownHosts {
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        records::needs(self, system, request, properties, &records::opener(self))
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "key", "host_aliases", "target"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let open = records::opener(self);
        let mut files = TextFiles::new(system, &open);
        requests.iter().map(|request| records::read(self, &mut files, *request, |key, target| key.state(target, select))).collect()
    }

    /// Lists the keys of the file for all users, each as `NAME@TYPE`.
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let open = records::opener(self);
        let mut files = TextFiles::new(system, &open);
        let mut seen = HashSet::new();
        let keys = files.open(KNOWN_HOSTS)?.iter().map(|(_, key)| key).filter(|k| seen.insert((k.name.to_ascii_lowercase(), &k.kind)));
        Ok(keys.map(|k| ListedResource { name: ecow::eco_format!("{}@{}", k.name, k.kind), state: k.state(KNOWN_HOSTS, select) }).collect())
    }

    fn writes(&self) -> &'static [&'static str] {
        &["key", "host_aliases", "target"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "flush"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        records::flush(self, system, changes)
    }

    fn batch(&self, _: &System) -> usize {
        records::BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{apply, get, line, list, machine, present};

    const TABLE: &str =
        "# keys\n|1|c2FsdA==|aGFzaA== ssh-rsa AAAH\n@revoked * ssh-rsa AAAR\ndb,10.0.0.1 ssh-rsa  AAA1\ndb ssh-ed25519 AAA2 a comment\n";

    fn after(name: &str, wants: &[(&'static str, Value)]) -> String {
        let (_folder, system) = machine(&[(KNOWN_HOSTS, TABLE)]);
        apply(&ParsedKnownHosts, &system, name, wants).unwrap();
        system.read(KNOWN_HOSTS).unwrap().unwrap()
    }

    #[test]
    fn a_key_is_found_by_name_and_kind() {
        let (_folder, system) = machine(&[(KNOWN_HOSTS, TABLE)]);
        let shown = |name| line(&present(get(&ParsedKnownHosts, &system, name)));
        assert_eq!(
            shown("db@ssh-rsa"),
            r#"ensure=:present name="db" type=:"ssh-rsa" key="AAA1" host_aliases=["10.0.0.1"] target="/etc/ssh/ssh_known_hosts""#
        );
        assert!(shown("db@ssh-ed25519").contains(r#"key="AAA2 a comment" host_aliases=[]"#));
        assert_eq!(get(&ParsedKnownHosts, &system, "db@ssh-dss"), Reading::Absent);
    }

    #[test]
    fn hashed_names_and_markers_are_not_listed() {
        let (_folder, system) = machine(&[(KNOWN_HOSTS, TABLE)]);
        let found = ParsedKnownHosts.instances(&system, Select::All).unwrap();
        assert_eq!(found.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["db@ssh-rsa", "db@ssh-ed25519"]);
    }

    #[test]
    fn a_key_is_made_changed_and_removed_and_all_else_stays() {
        let wants = [("key", Value::str("AAA9")), ("host_aliases", list(&["w", "10.0.0.2"]))];
        assert_eq!(after("web@ssh-rsa", &wants), format!("{TABLE}web,w,10.0.0.2 ssh-rsa AAA9\n"));
        assert_eq!(
            after("db@ssh-rsa", &[("key", Value::str("AAA9"))]),
            TABLE.replace("db,10.0.0.1 ssh-rsa  AAA1", "db,10.0.0.1 ssh-rsa AAA9")
        );
        assert_eq!(after("db@ssh-rsa", &[("host_aliases", list(&[]))]), TABLE.replace("db,10.0.0.1 ssh-rsa  AAA1", "db ssh-rsa AAA1"));
        assert_eq!(after("db@ssh-ed25519", &[("ensure", Value::sym("absent"))]), TABLE.replace("db ssh-ed25519 AAA2 a comment\n", ""));
    }

    #[test]
    fn a_key_of_two_lines_is_refused() {
        let (_folder, system) = machine(&[(KNOWN_HOSTS, TABLE)]);
        apply(&ParsedKnownHosts, &system, "web@ssh-rsa", &[("key", Value::str("A\n* ssh-rsa B"))]).unwrap_err();
        assert_eq!(system.read(KNOWN_HOSTS).unwrap().unwrap(), TABLE);
    }

    #[test]
    fn a_new_file_is_readable_by_all() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, system) = machine(&[("/etc/ssh/sshd_config", "")]);
        apply(&ParsedKnownHosts, &system, "web@ssh-rsa", &[("key", Value::str("AAA9"))]).unwrap();
        assert_eq!(system.path(KNOWN_HOSTS).metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }
}
