//! The real machine as a [`World`]: facts, features, users, programs.

use super::System;
use super::facts::{Cache, Facts};
use super::native::accounts;
use super::ruby::RubyHost;
use crate::puppet_conf::{PuppetLayout, PuppetSettings, parse_puppet_conf};
use crate::system::AccountKey;
use rtype_lang::eval::{QueryError, RubyProviderStatus, Walk, Walked, World, setting_names, setting_value};
use rtype_lang::value::{EcoString, Value};
use rtype_model::manifest::is_suspect;
use rtype_system::process;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A [`World`] backed by a [`System`]. Everything is read on demand.
#[derive(Debug, Clone)]
pub struct Machine {
    system: System,
    cache: Cache,
    purge_limit: i64,
    expected: Expected,
    /// Cached IDs of accounts, if caching is enabled.
    ids: Option<Arc<KnownIds>>,
    ruby: Option<Arc<RubyHost>>,
    /// The settings in `puppet.conf`; empty without the file, `None` if the file cannot be read.
    settings: Arc<OnceLock<Option<PuppetSettings>>>,
}

/// The IDs of accounts by name. Names that were not found are looked up again.
#[derive(Debug, Default)]
struct KnownIds {
    users: Mutex<HashMap<EcoString, i64>>,
    groups: Mutex<HashMap<EcoString, i64>>,
}

impl KnownIds {
    /// Returns the known ID of an account, or looks it up.
    fn get(known: &Mutex<HashMap<EcoString, i64>>, name: &str, look_up: impl FnOnce() -> Option<i64>) -> Option<i64> {
        if let Some(id) = known.lock().ok().and_then(|known| known.get(name).copied()) {
            return Some(id);
        }
        let found = look_up();
        if let (Some(id), Ok(mut known)) = (found, known.lock()) {
            known.insert(name.into(), id);
        }
        found
    }
}

/// Paths that do not exist yet, but will when a provider needs them.
#[derive(Debug, Clone, Default)]
struct Expected {
    paths: Arc<HashSet<EcoString>>,
    /// The expected paths that were used.
    used: Arc<Mutex<Vec<EcoString>>>,
}

impl Expected {
    fn has(&self, path: &str) -> bool {
        let is_expected = self.paths.contains(path);
        if let (true, Ok(mut used)) = (is_expected, self.used.lock()) {
            used.push(path.into());
        }
        is_expected
    }
}

/// Default limit on the resources that a `purge` may remove.
pub const PURGE_LIMIT: i64 = 100;

impl Machine {
    /// Creates the machine that `system` reads.
    pub fn new(system: System) -> Machine {
        Machine {
            system,
            cache: Cache::default(),
            purge_limit: PURGE_LIMIT,
            expected: Expected::default(),
            ids: None,
            ruby: None,
            settings: Arc::default(),
        }
    }

    /// Sets the process that runs providers in Ruby and decides their suitability.
    #[must_use]
    pub fn with_ruby(self, ruby: Option<Arc<RubyHost>>) -> Machine {
        Machine { ruby, ..self }
    }

    /// Limits how many resources a `purge` may remove.
    #[must_use]
    pub fn with_purge_limit(self, purge_limit: i64) -> Machine {
        Machine { purge_limit, ..self }
    }

    /// Returns a copy that looks up each account once, until [`Machine::forget_ids`]: a run compares the owners of many
    /// files, and each lookup examines `/etc/passwd` or asks the name service.
    #[must_use]
    pub fn keeping_ids(&self) -> Machine {
        Machine { ids: Some(Arc::default()), ..self.clone() }
    }

    /// Forgets the IDs of accounts, which may have changed.
    pub fn forget_ids(&self) {
        for known in self.ids.iter().flat_map(|ids| [&ids.users, &ids.groups]) {
            known.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// Returns a copy that treats these paths as existing programs and files, because earlier resources of the run
    /// create them.
    #[must_use]
    pub fn expecting(&self, paths: Arc<HashSet<EcoString>>) -> Machine {
        Machine { expected: Expected { paths, ..Expected::default() }, ..self.clone() }
    }

    /// Returns the expected paths that were used.
    pub fn used_expectations(&self) -> Vec<EcoString> {
        self.expected.used.lock().map(|used| used.clone()).unwrap_or_default()
    }

    /// Returns the facts of the machine that have a value, by their dotted names in facter 4.
    pub fn facts(&self) -> Vec<(String, Value)> {
        Facts { system: &self.system, cache: &self.cache }.all()
    }

    /// Returns the facts of the machine as structures, and with the names that facter 4 calls legacy.
    pub fn all_facts(&self) -> Vec<(String, Value)> {
        let facts = Facts { system: &self.system, cache: &self.cache };
        let mut all = facts.structures();
        all.extend(facts.legacy());
        all
    }

    /// Returns the system that providers read.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Looks up a user in `/etc/passwd`, else with the name service, and extracts a value with `local` or `remote`.
    fn user<T>(
        &self,
        matches: impl Fn(&accounts::Passwd<'_>) -> bool,
        local: impl Fn(&accounts::Passwd<'_>) -> T,
        remote: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let text = self.system.read_kept("/etc/passwd").ok().flatten().unwrap_or_default();
        if let Some(line) = accounts::passwd(&text).find(|line| matches(line)) {
            return Some(local(&line));
        }
        remote()
    }

    fn find_uid(&self, user: &str) -> Option<i64> {
        let wanted = number(user);
        self.user(
            |line| wanted.map_or(line.name == user, |n| line.uid == n),
            |line| line.uid.into(),
            || {
                let found = self.system.find_user(wanted.map_or(AccountKey::Name(user), AccountKey::Number));
                found.ok().flatten().map(|u| u.uid.as_raw().into())
            },
        )
    }

    fn find_gid(&self, group: &str) -> Option<i64> {
        let wanted = number(group);
        let text = self.system.read_kept("/etc/group").ok().flatten().unwrap_or_default();
        let line = accounts::groups(&text).find(|line| wanted.map_or(line.name == group, |n| line.gid == n));
        if let Some(line) = line {
            return Some(line.gid.into());
        }
        let found = self.system.find_group(wanted.map_or(AccountKey::Name(group), AccountKey::Number));
        found.ok().flatten().map(|g| g.gid.as_raw().into())
    }

    /// Returns the default directories of the Puppet package on this machine.
    fn layout(&self) -> PuppetLayout {
        PuppetLayout::of_machine(|path| self.system.exists(path))
    }

    /// Reads the settings in `puppet.conf`; `None` if the file cannot be read.
    fn read_settings(&self) -> Option<PuppetSettings> {
        Some(parse_puppet_conf(&self.system.read(&self.layout().settings_file()).ok()?.unwrap_or_default()))
    }

    /// Returns the default of a setting that depends on the machine, or that rtype changes.
    fn default_setting(&self, name: &str) -> Option<String> {
        let layout = self.layout();
        Some(match name {
            "confdir" => layout.confdir.to_owned(),
            "codedir" => layout.codedir.to_owned(),
            "vardir" => layout.vardir.to_owned(),
            "logdir" => layout.logdir.to_owned(),
            "rundir" => layout.rundir.to_owned(),
            "hiera_config" => "$confdir/hiera.yaml".to_owned(),
            "ssldir" => layout.ssldir.to_owned(),
            "cadir" => layout.cadir.to_owned(),
            "certname" => self.fact("fqdn").to_text().to_lowercase().into(),
            "digest_algorithm" => "sha256".to_owned(),
            "show_diff" => "true".to_owned(),
            _ => return None,
        })
    }

    /// Returns the path of the default filebucket, without the root.
    fn bucket(&self) -> String {
        let bucket = self.system.state().join("bucket");
        let below = bucket.strip_prefix(self.system.path("/")).unwrap_or(&bucket);
        format!("/{}", below.display())
    }

    /// Returns `UID_MIN` of `/etc/login.defs`.
    fn uid_min(&self) -> Option<i64> {
        let text = self.system.read("/etc/login.defs").ok().flatten()?;
        text.lines().find_map(|line| {
            let mut words = line.split('#').next()?.split_whitespace();
            (words.next()? == "UID_MIN").then(|| words.next()?.parse().ok()).flatten()
        })
    }
}

/// Parses a name that is a number.
fn number(name: &str) -> Option<u32> {
    name.starts_with(|c: char| c.is_ascii_digit()).then(|| name.parse().ok()).flatten()
}

impl World for Machine {
    /// Returns a fact by its name in facter 4, including legacy facts; `nil` if it is unknown.
    fn fact(&self, path: &str) -> Value {
        Facts { system: &self.system, cache: &self.cache }.get(path)
    }

    /// Returns whether a Puppet feature is available. Reading passwords requires no library here.
    fn feature(&self, name: &str) -> bool {
        match name {
            "posix" | "syslog" | "libshadow" | "manages_symlinks" => true,
            "root" => nix::unistd::Uid::effective().is_root(),
            "libuser" => ["/usr/sbin/lgroupadd", "/usr/sbin/luseradd"].iter().all(|p| self.system.which(p).is_some()),
            "selinux" => self.system.exists("/sys/fs/selinux/enforce"),
            _ => false,
        }
    }

    fn env(&self, name: &str) -> Value {
        let Some(value) = process::variable(name).and_then(|value| value.into_string().ok()) else { return Value::Nil };
        let value = Value::str(value);
        if is_suspect(name) { Value::Sensitive(Arc::new(value)) } else { value }
    }

    /// Returns a setting from `puppet.conf`, or Puppet's default, except that `show_diff` is on by default. `uid_min` is the first user ID
    /// of regular users. The value is unknown if the file cannot be read.
    fn setting(&self, name: &str) -> Value {
        match name {
            "clientbucketdir" => return Value::str(self.bucket()),
            "purge_limit" => return Value::Int(self.purge_limit),
            "uid_min" => return self.uid_min().map_or(Value::Nil, Value::Int),
            _ => {}
        }
        match self.settings.get_or_init(|| self.read_settings()) {
            Some(given) => {
                setting_value(name, &|name| given.get(name).map(|(value, _)| value.clone()).or_else(|| self.default_setting(name)))
            }
            None if setting_names().any(|known| known == name) => Value::Unknown,
            None => Value::Nil,
        }
    }

    fn which(&self, command: &str) -> Option<String> {
        let installed = self.system.which(command).map(|p| p.to_string_lossy().into_owned());
        let expected = || self.system.candidates(command).into_iter().find(|path| self.expected.has(path));
        if self.expected.paths.is_empty() { installed } else { installed.or_else(expected) }
    }

    fn runs_ruby(&self) -> bool {
        self.ruby.is_some()
    }

    fn provider_in_ruby(&self, type_name: &str, provider: &str) -> Option<RubyProviderStatus> {
        self.ruby.as_ref()?.status(&self.system, type_name, provider)
    }

    fn exists(&self, path: &str) -> bool {
        self.system.exists(path) || self.expected.has(path)
    }

    fn files_below(&self, path: &str, how: &Walk) -> Result<Walked, QueryError> {
        super::walk::walk(&self.system, path, how).map_err(|e| QueryError::Reported(self.system.redactor().redacted(&e.message)))
    }

    fn file_text(&self, path: &str) -> Result<Value, QueryError> {
        super::native::source_text(&self.system, path).map_err(|e| QueryError::Reported(self.system.redactor().redacted(&e.message)))
    }

    fn now(&self) -> Option<i64> {
        let since = process::time().duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_secs()).ok()
    }

    fn current_user(&self) -> Option<EcoString> {
        accounts::user_name(&self.system, nix::unistd::Uid::effective().as_raw()).map(EcoString::from)
    }

    /// Finds a user as `Puppet::Util.uid` does: by name, or by a number that is the ID of a user.
    fn uid_of(&self, user: &str) -> Option<i64> {
        let look_up = || self.find_uid(user);
        self.ids.as_ref().map_or_else(look_up, |ids| KnownIds::get(&ids.users, user, look_up))
    }

    /// Finds a group as `Puppet::Util.gid` does: by name, or by a number that is the ID of a group.
    fn gid_of(&self, group: &str) -> Option<i64> {
        let look_up = || self.find_gid(group);
        self.ids.as_ref().map_or_else(look_up, |ids| KnownIds::get(&ids.groups, group, look_up))
    }

    fn user_name(&self, number: i64) -> Option<EcoString> {
        accounts::user_name(&self.system, u32::try_from(number).ok()?).map(EcoString::from)
    }

    fn group_name(&self, number: i64) -> Option<EcoString> {
        accounts::group_name(&self.system, u32::try_from(number).ok()?).map(EcoString::from)
    }

    fn home_dir(&self, user: &str) -> Option<EcoString> {
        self.user(
            |line| line.name == user,
            |line| line.home.into(),
            || self.system.find_user(AccountKey::Name(user)).ok().flatten().map(|u| u.dir.to_string_lossy().as_ref().into()),
        )
    }

    /// Returns the port of a service in `/etc/services`, by name or alias.
    fn service_port(&self, service: &str, protocol: &str) -> Option<i64> {
        let text = self.system.read("/etc/services").ok().flatten()?;
        text.lines().find_map(|line| {
            let mut words = line.split('#').next()?.split_whitespace();
            let name = words.next()?;
            let (port, of) = words.next()?.split_once('/')?;
            (of == protocol && (name == service || words.any(|alias| alias == service))).then(|| port.parse().ok()).flatten()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str) -> Machine {
        Machine::new(System::at(format!("{}/../../tests/fixtures/roots/{name}", env!("CARGO_MANIFEST_DIR"))))
    }

    fn facts<const N: usize>(machine: &Machine, names: [&str; N]) -> [String; N] {
        names.map(|name| machine.fact(name).to_string())
    }

    const NAMES: [&str; 8] =
        ["os.name", "os.family", "os.release.full", "os.release.major", "os.release.minor", "architecture", "kernelmajversion", "fqdn"];

    #[test]
    fn distributions_report_their_release() {
        assert_eq!(facts(&machine("debian"), NAMES), ["Debian", "Debian", "12.11", "12", "11", "amd64", "6.1", "web1.example.com"]);
        assert_eq!(facts(&machine("ubuntu"), NAMES), ["Ubuntu", "Debian", "22.04", "22.04", "", "amd64", "5.15", "u.lan.example"]);
        assert_eq!(facts(&machine("rhel"), NAMES), ["RedHat", "RedHat", "9.3", "9", "3", "x86_64", "5.14", "r.corp.example"]);
    }

    #[test]
    fn settings_come_from_puppet_conf_or_defaults() {
        let root = tempfile::tempdir().unwrap();
        let machine = || Machine::new(System::at(root.path()));
        assert_eq!(machine().setting("show_diff"), Value::Bool(true));
        assert_eq!(machine().setting("ssldir"), Value::str("/var/lib/puppet/ssl"));
        assert_eq!(machine().setting("no_such_setting"), Value::Nil);
        std::fs::create_dir_all(root.path().join("etc/puppetlabs/puppet")).unwrap();
        let text = "# comment = 1\n[main]\nshow_diff = false\nvardir = /v { owner = root }\nruninterval = 2h\n[agent]\nruninterval = 1d\n[server]\nnoop = true\n";
        std::fs::write(root.path().join("etc/puppetlabs/puppet/puppet.conf"), text).unwrap();
        let machine = machine();
        let expected = [
            ("show_diff", Value::Bool(false)),
            ("statedir", Value::str("/v/state")),
            ("runinterval", Value::Int(86_400)),
            ("noop", Value::Bool(false)),
            ("confdir", Value::str("/etc/puppetlabs/puppet")),
        ];
        for (name, value) in expected {
            assert_eq!(machine.setting(name), value, "{name}");
        }
    }

    #[test]
    fn keys_of_the_ssh_server_have_fingerprints() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("etc/ssh")).unwrap();
        std::fs::write(root.path().join("etc/ssh/ssh_host_ed25519_key.pub"), "ssh-ed25519 aGVsbG8= root@web1\n").unwrap();
        let machine = Machine::new(System::at(root.path()));
        assert_eq!(
            facts(&machine, ["ssh.ed25519.type", "ssh.ed25519.fingerprints.sha1", "sshed25519key", "ssh.rsa"]),
            ["ssh-ed25519", "SSHFP 4 1 aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", "aGVsbG8=", ""]
        );
    }

    #[test]
    fn older_names_and_structures_give_the_same_facts() {
        let debian = machine("debian");
        assert_eq!(
            facts(&debian, ["osfamily", "operatingsystem", "operatingsystemrelease", "operatingsystemmajrelease", "hardwaremodel"]),
            ["Debian", "Debian", "12.11", "12", "x86_64"]
        );
        assert_eq!(debian.fact("os.release").to_string(), r#"{"full"=>"12.11", "major"=>"12", "minor"=>"11"}"#);
        assert_eq!(facts(&debian, ["hostname", "domain", "lsbdistcodename"]), ["web1", "example.com", "bookworm"]);
        assert!(matches!(debian.fact("os"), Value::Map(m) if m.len() == 7));
    }

    #[test]
    fn memory_processors_and_init_come_from_files() {
        let debian = machine("debian");
        assert_eq!(debian.fact("memory.system.total_bytes"), Value::Int(4_294_967_296));
        assert_eq!(debian.fact("memorysize"), "4.00 GiB".into());
        assert_eq!(debian.fact("memorysize_mb"), Value::Float(4096.0));
        assert_eq!(debian.fact("processorcount"), Value::Int(2));
        assert_eq!((debian.fact("systemd"), debian.fact("service_provider")), (true.into(), "systemd".into()));
        assert_eq!((machine("ubuntu").fact("systemd"), machine("ubuntu").fact("service_provider")), (false.into(), "debian".into()));
    }

    #[test]
    fn unknown_facts_are_nil() {
        for name in ["kernel", "os.name", "os.release", "fqdn", "nonsense", "os.nonsense", "o", "", ".", "processors", "path"] {
            assert_eq!(machine("empty").fact(name), Value::Nil, "{name}");
        }
    }

    #[test]
    fn users_groups_and_services_are_found_by_name_and_by_number() {
        let debian = machine("debian");
        assert_eq!(
            (debian.uid_of("größe"), debian.uid_of("1001"), debian.uid_of("1002"), debian.uid_of("x")),
            (Some(1001), Some(1001), None, None)
        );
        assert_eq!((debian.gid_of("staff"), debian.gid_of("50"), debian.gid_of("x")), (Some(50), Some(50), None));
        assert_eq!((debian.user_name(1001).as_deref(), debian.user_name(1002)), (Some("größe"), None));
        assert_eq!((debian.group_name(50).as_deref(), debian.group_name(51), debian.group_name(-1)), (Some("staff"), None, None));
        assert_eq!(debian.home_dir("größe").as_deref(), Some("/home/größe"));
        assert_eq!((debian.service_port("www", "tcp"), debian.service_port("domain", "udp")), (Some(80), Some(53)));
        assert_eq!(debian.service_port("ssh", "udp"), None);
        assert_eq!((debian.setting("uid_min"), machine("empty").setting("uid_min")), (Value::Int(1000), Value::Nil));
    }

    #[test]
    fn a_user_that_is_added_later_is_found() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("etc")).unwrap();
        let passwd = folder.path().join("etc/passwd");
        std::fs::write(&passwd, "root:x:0:0:::\n").unwrap();
        let machine = Machine::new(System::at(folder.path()));
        assert_eq!((machine.uid_of("root"), machine.uid_of("anna")), (Some(0), None));
        // As useradd does it: a new file replaces the old one.
        std::fs::write(folder.path().join("etc/passwd+"), "root:x:0:0:::\nanna:x:7:7:::\n").unwrap();
        std::fs::rename(folder.path().join("etc/passwd+"), &passwd).unwrap();
        assert_eq!((machine.uid_of("root"), machine.uid_of("anna")), (Some(0), Some(7)));
        std::fs::remove_file(&passwd).unwrap();
        assert_eq!(machine.uid_of("root"), None);
    }

    #[test]
    fn ids_are_kept_until_they_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("etc")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join("etc").join(name), text).unwrap();
        write("passwd", "root:x:0:0:::\n");
        write("group", "root:x:0:\n");
        let machine = Machine::new(System::at(folder.path())).keeping_ids();
        let ids = || (machine.uid_of("anna"), machine.gid_of("anna"));
        assert_eq!(ids(), (None, None));
        write("passwd", "anna:x:7:8:::\n");
        write("group", "anna:x:8:\n");
        assert_eq!(ids(), (Some(7), Some(8)), "accounts that were not found are looked up again");
        write("passwd", "anna:x:17:18:::\n");
        write("group", "anna:x:18:\n");
        assert_eq!(ids(), (Some(7), Some(8)));
        machine.forget_ids();
        assert_eq!(ids(), (Some(17), Some(18)));
    }
}
