//! The machine that a case imagines: the recorder's Debian 12, changed by what the case says.

use crate::codec;
use rtype::engine::NativeBackend;
use rtype::eval::World;
use rtype::provider::{NativeProviders, System};
use rtype::resource::{Asked, Backend};
use rtype::types::ProviderBody;
use rtype::value::{EcoString, Value};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

thread_local! {
    static NATIVES: NativeProviders = NativeProviders::standard();
}

/// The facts of the machine on which the cases were recorded.
const FACTS: &str = include_str!("../../tests/oracle/debian12.json");

/// Older names of facts and where the same stands today; a case may change either.
const LEGACY: &[(&str, &[&str])] = &[
    ("osfamily", &["os", "family"]),
    ("operatingsystem", &["os", "name"]),
    ("operatingsystemrelease", &["os", "release", "full"]),
    ("operatingsystemmajrelease", &["os", "release", "major"]),
    ("architecture", &["os", "architecture"]),
    ("hostname", &["networking", "hostname"]),
    ("domain", &["networking", "domain"]),
    ("fqdn", &["networking", "fqdn"]),
    ("ipaddress", &["networking", "ip"]),
    ("lsbdistid", &["os", "distro", "id"]),
    ("lsbdistcodename", &["os", "distro", "codename"]),
    ("id", &["identity", "user"]),
];

/// What there is on any Debian without systemd, as where the cases were recorded.
const PATHS: &[&str] = &[
    "/",
    "/bin",
    "/dev",
    "/etc",
    "/etc/fstab",
    "/etc/hosts",
    "/etc/init.d",
    "/etc/sysctl.conf",
    "/home",
    "/proc",
    "/root",
    "/tmp",
    "/usr",
    "/var",
];

/// Debian's own accounts (package base-passwd).
const USERS: &[(&str, i64)] = &[
    ("root", 0),
    ("daemon", 1),
    ("bin", 2),
    ("sys", 3),
    ("sync", 4),
    ("games", 5),
    ("man", 6),
    ("lp", 7),
    ("mail", 8),
    ("news", 9),
    ("uucp", 10),
    ("proxy", 13),
    ("www-data", 33),
    ("backup", 34),
    ("list", 38),
    ("irc", 39),
    ("_apt", 42),
    ("nobody", 65534),
];

const HOMES: &[(&str, &str)] = &[
    ("root", "/root"),
    ("daemon", "/usr/sbin"),
    ("bin", "/bin"),
    ("sys", "/dev"),
    ("sync", "/bin"),
    ("games", "/usr/games"),
    ("man", "/var/cache/man"),
    ("lp", "/var/spool/lpd"),
    ("mail", "/var/mail"),
    ("news", "/var/spool/news"),
    ("uucp", "/var/spool/uucp"),
    ("proxy", "/bin"),
    ("www-data", "/var/www"),
    ("backup", "/var/backups"),
    ("list", "/var/list"),
    ("irc", "/run/ircd"),
    ("_apt", "/nonexistent"),
    ("nobody", "/nonexistent"),
];

const GROUPS: &[(&str, i64)] = &[
    ("root", 0),
    ("daemon", 1),
    ("bin", 2),
    ("sys", 3),
    ("adm", 4),
    ("tty", 5),
    ("disk", 6),
    ("lp", 7),
    ("mail", 8),
    ("news", 9),
    ("uucp", 10),
    ("man", 12),
    ("proxy", 13),
    ("kmem", 15),
    ("dialout", 20),
    ("cdrom", 24),
    ("sudo", 27),
    ("audio", 29),
    ("www-data", 33),
    ("backup", 34),
    ("operator", 37),
    ("shadow", 42),
    ("utmp", 43),
    ("video", 44),
    ("staff", 50),
    ("games", 60),
    ("users", 100),
    ("nogroup", 65534),
];

/// Which commands there are.
enum Binaries {
    All,
    These(Vec<String>),
}

/// A case's machine.
pub struct Machine {
    facts: Map<String, Json>,
    binaries: Binaries,
    features: HashMap<String, bool>,
}

impl Machine {
    /// The machine of a case.
    pub fn of(case: &Json) -> Machine {
        let mut facts: Map<String, Json> = serde_json::from_str(FACTS).unwrap();
        if let Some(over) = case["facts"].as_object() {
            merge(&mut facts, over);
        }
        let binaries = match &case["binaries"] {
            Json::Array(names) => Binaries::These(names.iter().filter_map(Json::as_str).map(str::to_owned).collect()),
            Json::Bool(true) => Binaries::All,
            // Those of the machine that recorded, of which nothing is known.
            _ => Binaries::These(Vec::new()),
        };
        let mut features: HashMap<String, bool> =
            ["posix", "root", "syslog", "libshadow", "manages_symlinks", "augeas"].into_iter().map(|f| (f.to_owned(), true)).collect();
        features.extend(case["features"].as_object().into_iter().flatten().map(|(k, v)| (k.clone(), v == true)));
        Machine { facts, binaries, features }
    }
}

/// As `World.merge_facts` of the recorder: old and new names stay in step.
fn merge(facts: &mut Map<String, Json>, over: &Map<String, Json>) {
    facts.extend(over.iter().map(|(k, v)| (k.clone(), v.clone())));
    for (legacy, path) in LEGACY {
        if let Some(value) = over.get(*legacy) {
            let mut at = Some(&mut *facts);
            for part in &path[..path.len() - 1] {
                at = at.and_then(|m| m.entry(*part).or_insert_with(|| Json::Object(Map::new())).as_object_mut());
            }
            if let Some(leaf) = at {
                leaf.insert(path[path.len() - 1].to_owned(), value.clone());
            }
        } else if over.contains_key(path[0]) {
            let value = facts.get(path[0]).and_then(|v| path[1..].iter().try_fold(v, |v, k| v.get(k))).cloned();
            facts.insert((*legacy).to_owned(), value.unwrap_or_default());
        }
    }
    facts.retain(|_, v| !v.is_null());
}

fn number_of(table: &[(&str, i64)], name: &str) -> Option<i64> {
    match name.parse::<i64>() {
        Ok(wanted) => table.iter().find(|(_, n)| *n == wanted).map(|(_, n)| *n),
        Err(_) => table.iter().find(|(known, _)| *known == name).map(|(_, n)| *n),
    }
}

impl World for Machine {
    fn fact(&self, path: &str) -> Value {
        let name = path.to_lowercase();
        let top = self.facts.get(&name);
        let found = top.or_else(|| {
            let mut parts = name.split('.');
            let first = self.facts.get(parts.next()?)?;
            parts.try_fold(first, |v, k| v.get(k))
        });
        found.and_then(|v| codec::load(v).ok()).unwrap_or_default()
    }

    fn feature(&self, name: &str) -> bool {
        self.features.get(name).copied().unwrap_or(false)
    }

    fn setting(&self, name: &str) -> Value {
        match name {
            "digest_algorithm" => Value::str("sha256"),
            "default_schedules" => Value::Bool(true),
            "show_diff" => Value::Bool(false),
            "default_file_terminus" => Value::sym("rest"),
            "clientbucketdir" => Value::str("/oracle-vardir/clientbucket"),
            "maximum_uid" => Value::Int(4_294_967_290),
            "uid_min" => Value::Int(1000),
            _ => Value::Nil,
        }
    }

    fn which(&self, command: &str) -> Option<String> {
        let base = command.rsplit('/').next().unwrap_or(command);
        let there = match &self.binaries {
            Binaries::All => true,
            Binaries::These(names) => names.iter().any(|n| n == command || n == base),
        };
        there.then(|| if command.starts_with('/') { command.to_owned() } else { format!("/usr/bin/{command}") })
    }

    fn exists(&self, path: &str) -> bool {
        PATHS.contains(&path)
    }

    fn current_user(&self) -> Option<EcoString> {
        Some("root".into())
    }

    fn uid_of(&self, user: &str) -> Option<i64> {
        number_of(USERS, user)
    }

    fn gid_of(&self, group: &str) -> Option<i64> {
        number_of(GROUPS, group)
    }

    fn user_name(&self, number: i64) -> Option<EcoString> {
        USERS.iter().find(|(_, n)| *n == number).map(|(name, _)| (*name).into())
    }

    fn group_name(&self, number: i64) -> Option<EcoString> {
        GROUPS.iter().find(|(_, n)| *n == number).map(|(name, _)| (*name).into())
    }

    fn home_dir(&self, user: &str) -> Option<EcoString> {
        HOMES.iter().find(|(name, _)| *name == user).map(|(_, home)| (*home).into())
    }

    fn service_port(&self, service: &str, _: &str) -> Option<i64> {
        [("ssh", 22), ("smtp", 25), ("domain", 53), ("http", 80), ("https", 443)].into_iter().find(|(n, _)| *n == service).map(|(_, p)| p)
    }
}

/// Answers for all providers: what the case has ready, else from what it says is there.
pub struct Answers<'a> {
    /// Canned answers by method.
    pub stubs: &'a Json,
    /// What is there, by property.
    pub is: &'a dyn Fn(&str) -> Value,
}

impl Backend for Answers<'_> {
    fn query(&self, asked: &Asked<'_>, method: &str, arguments: &[Value]) -> Result<Value, String> {
        let provider = asked.provider;
        if let Some(answer) = self.stubs.get(method) {
            return codec::load(answer);
        }
        match method {
            "exists?" => Ok(Value::Bool(!(self.is)("ensure").is_absent())),
            "insync?" => NATIVES.with(|natives| {
                let system = System::at("/nonexistent");
                let native = NativeBackend { natives, system: &system };
                // Providers without code here take a version for a version, never for a range.
                if matches!(provider.body, ProviderBody::Native(_)) { native.query(asked, method, arguments) } else { Ok(false.into()) }
            }),
            _ if provider.queries.iter().any(|q| q.as_str() == method) => Err(format!("`{method}` would run a command")),
            property => Ok((self.is)(property)),
        }
    }
}
