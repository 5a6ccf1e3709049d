//! Facts of a machine, with the names that facter 4 uses.
//!
//! Each fact is computed on demand from the kernel or a few files; no program is started. Facter's facts about programs, such as `augeas`,
//! `ruby` and `zpool_version`, are not supported. Release files are interpreted as in facter 4.3 (`resolvers/os_release.rb`,
//! `facts/{linux,debian,ubuntu,rhel}`).

mod hardware;
mod network;
mod ssh;

use super::System;
use super::native::accounts;
use rtype_lang::types::facts::{LEGACY_FACTS, LEGACY_FACTS_OF_INTERFACES};
use rtype_lang::value::{Map, Value};
use rtype_system::process;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// All scalar facts. A structured fact consists of the facts below its name.
const LEAVES: [&str; 43] = [
    "kernel",
    "kernelrelease",
    "kernelversion",
    "kernelmajversion",
    "os.architecture",
    "os.family",
    "os.hardware",
    "os.name",
    "os.release.full",
    "os.release.major",
    "os.release.minor",
    "os.distro.codename",
    "os.distro.description",
    "os.distro.id",
    "os.distro.release.full",
    "os.distro.release.major",
    "os.distro.release.minor",
    "os.selinux.enabled",
    "networking.hostname",
    "networking.domain",
    "networking.fqdn",
    "identity.uid",
    "identity.gid",
    "identity.user",
    "identity.group",
    "identity.privileged",
    "processors.count",
    "memory.system.total",
    "memory.system.total_bytes",
    "memory.system.available_bytes",
    "system_uptime.seconds",
    "memorysize_mb",
    "memoryfree_mb",
    "interfaces",
    "facterversion",
    "filesystems",
    "is_virtual",
    "virtual",
    "timezone",
    "path",
    "fips_enabled",
    "systemd",
    "service_provider",
];

/// The emulated version of facter.
const FACTER: &str = "4.3.0";

/// Files that have been read and serve several facts.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    os_release: OnceLock<Arc<HashMap<String, String>>>,
    uname: OnceLock<Arc<Uname>>,
}

/// The result of `uname`; empty if unknown.
#[derive(Debug, Default)]
struct Uname {
    kernel: String,
    release: String,
    node: String,
    machine: String,
}

/// The facts of one machine.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) system: &'a System,
    pub(super) cache: &'a Cache,
}

/// Returns a text as a value, `nil` if it is empty.
fn given(text: &str) -> Value {
    if text.is_empty() { Value::Nil } else { Value::str(text) }
}

/// Returns the numbers in a text: `6.1.0-18-amd64` has 6, 1, 0, 18 and 64.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty())
}

impl Facts<'_> {
    /// Returns the fact with this dotted name, `nil` if there is none.
    pub(super) fn get(self, path: &str) -> Value {
        let path = LEGACY_FACTS.iter().find(|(old, _)| *old == path).map_or(path, |(_, new)| new);
        if let Some(structured) = self.of_interface(path) {
            return self.get(&structured);
        }
        if LEAVES.contains(&path) {
            return self.leaf(path);
        }
        let mut whole = Map::new();
        for leaf in LEAVES {
            if let Some(rest) = leaf.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')) {
                let key = rest.split('.').next().unwrap_or(rest);
                let key = Value::str(key);
                if !whole.contains_key(&key) {
                    let value = self.get(&format!("{path}.{}", key.to_text()));
                    if !value.is_nil() {
                        whole.insert(key, value);
                    }
                }
            }
        }
        let mut steps = path.split('.');
        let structure = self.structure(steps.next().unwrap_or_default());
        let below = steps.fold(structure, |value, step| match value {
            Some(Value::Map(members)) => members.get(&Value::str(step)).cloned(),
            _ => None,
        });
        match below {
            Some(Value::Map(more)) => merge(&mut whole, &more),
            Some(value) if whole.is_empty() => return value,
            _ => {}
        }
        if whole.is_empty() { Value::Nil } else { Value::Map(Arc::new(whole)) }
    }

    /// Returns the structured fact for a legacy interface fact such as `ipaddress_eth0`.
    fn of_interface(self, path: &str) -> Option<String> {
        let (start, name) = path.split_once('_')?;
        let (_, fact) = LEGACY_FACTS_OF_INTERFACES.iter().find(|(old, _)| *old == start)?;
        Some(format!("networking.interfaces.{name}.{fact}"))
    }

    /// Returns the parts of a structure that are not among [`LEAVES`].
    fn structure(self, root: &str) -> Option<Value> {
        Some(match root {
            "networking" => self.network(),
            "load_averages" => self.load_averages(),
            "memory" => self.memory_use(),
            "processors" => self.processor_models(),
            "system_uptime" => self.uptime(),
            "disks" => self.disks(),
            "mountpoints" => self.mountpoints(),
            "dmi" => self.dmi(),
            "ssh" => self.ssh(),
            _ => return None,
        })
    }

    /// Returns all facts that are known, by the first part of their names; the others are within them.
    pub(super) fn structures(self) -> Vec<(String, Value)> {
        let roots = LEAVES.iter().map(|leaf| leaf.split('.').next().unwrap_or(leaf));
        let mut roots: Vec<&str> = roots.chain(["load_averages", "disks", "mountpoints", "dmi", "ssh"]).collect();
        roots.dedup();
        let all = roots.into_iter().map(|root| (root.to_owned(), self.get(root)));
        all.filter(|(_, value)| !value.is_nil()).collect()
    }

    /// Returns all legacy facts that are known.
    pub(super) fn legacy(self) -> Vec<(String, Value)> {
        let fixed = LEGACY_FACTS.iter().map(|(old, new)| ((*old).to_owned(), self.get(new)));
        let of = |name: &str| {
            LEGACY_FACTS_OF_INTERFACES
                .map(|(old, fact)| (format!("{old}_{name}"), self.get(&format!("networking.interfaces.{name}.{fact}"))))
        };
        let interfaces = match self.get("networking.interfaces") {
            Value::Map(all) => all.keys().map(Value::to_text).collect(),
            _ => Vec::new(),
        };
        let models = match self.get("processors.models") {
            Value::Array(all) => all.iter().enumerate().map(|(number, model)| (format!("processor{number}"), model.clone())).collect(),
            _ => Vec::new(),
        };
        let of_interfaces = interfaces.iter().flat_map(|name| of(name));
        fixed.chain(of_interfaces).chain(models).filter(|(_, value)| !value.is_nil()).collect()
    }

    /// Returns all facts that are known and not structures, with their dotted names.
    pub(super) fn all(self) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        for (name, value) in self.structures() {
            flatten(name, value, &mut found);
        }
        found
    }

    fn leaf(self, path: &str) -> Value {
        match path {
            "kernel" => given(&self.uname().kernel),
            "kernelrelease" => given(&self.uname().release),
            "kernelversion" => given(&numbers(&self.uname().release).take(3).collect::<Vec<_>>().join(".")),
            "kernelmajversion" => given(&self.uname().release.split('.').take(2).collect::<Vec<_>>().join(".")),
            "os.architecture" => given(self.architecture()),
            "os.hardware" => given(&self.uname().machine),
            "os.family" => given(&self.family()),
            "os.name" => given(&self.name()),
            "os.selinux.enabled" => Value::Bool(self.system.exists("/sys/fs/selinux/enforce")),
            "os.distro.codename" => given(&self.codename()),
            "os.distro.description" => given(self.os("PRETTY_NAME")),
            "os.distro.id" => given(&capitalized(self.os("ID"))),
            "networking.hostname" => given(&self.host_name().0),
            "networking.domain" => given(&self.host_name().1),
            "networking.fqdn" => match self.host_name() {
                (host, domain) if domain.is_empty() => given(&host),
                (host, domain) => Value::str(format!("{host}.{domain}")),
            },
            "identity.uid" => Value::Int(nix::unistd::Uid::effective().as_raw().into()),
            "identity.gid" => Value::Int(nix::unistd::Gid::effective().as_raw().into()),
            "identity.user" => accounts::user_name(self.system, nix::unistd::Uid::effective().as_raw()).map_or(Value::Nil, Value::str),
            "identity.group" => accounts::group_name(self.system, nix::unistd::Gid::effective().as_raw()).map_or(Value::Nil, Value::str),
            "identity.privileged" => Value::Bool(nix::unistd::Uid::effective().is_root()),
            "processors.count" => self.processors(),
            "memory.system.total" => self.memory("MemTotal:").map_or(Value::Nil, |bytes| Value::str(readable(bytes))),
            "memory.system.total_bytes" => self.memory("MemTotal:").map_or(Value::Nil, Value::Int),
            "memory.system.available_bytes" => self.memory("MemAvailable:").map_or(Value::Nil, Value::Int),
            "memorysize_mb" => self.memory("MemTotal:").map_or(Value::Nil, |bytes| Value::Float(bytes as f64 / 1_048_576.0)),
            "system_uptime.seconds" => {
                let uptime = self.text("/proc/uptime");
                uptime.split('.').next().and_then(|s| s.parse().ok()).map_or(Value::Nil, Value::Int)
            }
            "memoryfree_mb" => self.memory("MemAvailable:").map_or(Value::Nil, |bytes| Value::Float(bytes as f64 / 1_048_576.0)),
            "interfaces" => match self.get("networking.interfaces") {
                Value::Map(all) => Value::str(all.keys().map(Value::to_text).collect::<Vec<_>>().join(",")),
                _ => Value::Nil,
            },
            "facterversion" => Value::str(FACTER),
            "filesystems" => self.filesystems(),
            "virtual" => Value::str(self.virtualization()),
            "is_virtual" => Value::Bool(self.virtualization() != "physical"),
            "timezone" if self.system.is_fixture() => Value::Nil,
            "timezone" => Value::str(jiff::Zoned::now().strftime("%Z").to_string()),
            "path" if self.system.is_fixture() => Value::Nil,
            "path" => process::variable("PATH").and_then(|path| path.into_string().ok()).map_or(Value::Nil, Value::str),
            "fips_enabled" => Value::Bool(self.text("/proc/sys/crypto/fips_enabled").trim() == "1"),
            "systemd" => Value::Bool(self.has_systemd()),
            "service_provider" => Value::str(self.service_provider()),
            other => {
                let release = self.release();
                let part = match other.rsplit('.').next() {
                    Some("full") => Some(release.as_str()),
                    Some("major") if self.os("ID") == "ubuntu" => Some(release.as_str()),
                    Some("major") => release.split('.').next(),
                    Some("minor") if self.os("ID") == "ubuntu" => None,
                    Some("minor") => release.split('.').nth(1),
                    _ => None,
                };
                given(part.unwrap_or_default())
            }
        }
    }

    /// Returns the text of a file. Empty if it does not exist or cannot be read: the fact is then unknown.
    fn text(self, path: &str) -> String {
        self.system.read(path).ok().flatten().unwrap_or_default()
    }

    fn uname(&self) -> &Uname {
        self.cache.uname.get_or_init(|| {
            let line = |path: &str| self.text(path).trim().to_owned();
            if !self.system.is_fixture()
                && let Ok(name) = nix::sys::utsname::uname()
            {
                let text = |s: &std::ffi::OsStr| s.to_string_lossy().into_owned();
                return Arc::new(Uname {
                    kernel: text(name.sysname()),
                    release: text(name.release()),
                    node: text(name.nodename()),
                    machine: text(name.machine()),
                });
            }
            Arc::new(Uname {
                kernel: line("/proc/sys/kernel/ostype"),
                release: line("/proc/sys/kernel/osrelease"),
                node: line("/proc/sys/kernel/hostname"),
                machine: line("/proc/sys/kernel/arch"),
            })
        })
    }

    /// Returns a field of `/etc/os-release`, or of `/usr/lib/os-release` if the first file is missing; empty if unset.
    fn os(&self, field: &str) -> &str {
        let all = self.cache.os_release.get_or_init(|| {
            let mut text = self.text("/etc/os-release");
            if text.is_empty() {
                text = self.text("/usr/lib/os-release");
            }
            let pair = |line: &str| {
                let (key, value) = line.trim().split_once('=')?;
                Some((key.to_owned(), value.trim_matches(['"', '\'']).to_owned()))
            };
            Arc::new(text.lines().filter(|l| !l.starts_with('#')).filter_map(pair).collect())
        });
        all.get(field).map(String::as_str).unwrap_or_default()
    }

    /// Returns the short name of the operating system that facter uses: `Debian`, `RedHat`, `Archlinux`.
    fn name(self) -> String {
        let full = self.os("NAME");
        let lower = full.to_lowercase();
        let mut words = full.split_whitespace();
        let first = words.next().unwrap_or_default();
        let joined = || format!("{first}{}", words.clone().next().unwrap_or_default());
        match lower.as_str() {
            l if l.starts_with("red") || l.starts_with("oracle") => joined(),
            l if l.starts_with("arch") || l.starts_with("manjaro") => capitalized(&joined()),
            l if l.starts_with("virtuozzo") => format!("{first}Linux"),
            _ => first.to_owned(),
        }
    }

    fn family(self) -> String {
        const FAMILIES: [(&str, &[&str]); 6] = [
            (
                "RedHat",
                &[
                    "redhat",
                    "rhel",
                    "fedora",
                    "centos",
                    "scientific",
                    "ascendos",
                    "cloudlinux",
                    "psbm",
                    "oraclelinux",
                    "ovs",
                    "oel",
                    "amazon",
                    "xenserver",
                    "xcp-ng",
                    "virtuozzo",
                    "photon",
                    "mariner",
                ],
            ),
            ("Debian", &["debian", "ubuntu", "huaweios", "linuxmint", "devuan", "kde"]),
            ("Suse", &["sles", "sled", "suse"]),
            ("Gentoo", &["gentoo"]),
            ("Archlinux", &["arch", "manjaro"]),
            ("Mandrake", &["mandrake", "mandriva", "mageia"]),
        ];
        let like = if self.os("ID_LIKE").is_empty() { self.os("ID") } else { self.os("ID_LIKE") }.to_lowercase();
        let family = FAMILIES.iter().find(|(_, members)| members.iter().any(|m| like.contains(m)));
        family.map_or_else(|| capitalized(&like), |(name, _)| (*name).to_owned())
    }

    /// Returns the release: from the distribution's own file for Debian and Red Hat, else from os-release.
    fn release(self) -> String {
        let own = match self.os("ID") {
            "debian" => self.text("/etc/debian_version").trim().to_owned(),
            _ if self.system.exists("/etc/redhat-release") => {
                let text = self.text("/etc/redhat-release");
                let version = text.split("release").nth(1).and_then(|v| v.split_whitespace().next());
                version.unwrap_or_default().to_owned()
            }
            _ => String::new(),
        };
        if own.is_empty() { self.os("VERSION_ID").to_owned() } else { own }
    }

    fn codename(self) -> String {
        if !self.os("VERSION_CODENAME").is_empty() {
            return self.os("VERSION_CODENAME").to_owned();
        }
        let bracket = self.os("VERSION").split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        bracket.map(|(name, _)| name.to_owned()).unwrap_or_default()
    }

    /// Returns the distribution's name of the architecture: Debian uses amd64 for `x86_64`.
    fn architecture(&self) -> &str {
        let machine = self.uname().machine.as_str();
        match machine {
            "x86_64" if self.family() == "Debian" => "amd64",
            "i386" | "i486" | "i586" | "i686" => "i386",
            other => other,
        }
    }

    /// Returns host name and domain: from the node name, the full name in the hosts file, or the resolver
    /// configuration.
    fn host_name(self) -> (String, String) {
        let node = self.uname().node.as_str();
        if let Some((host, domain)) = node.split_once('.') {
            return (host.to_owned(), domain.to_owned());
        }
        let start = format!("{node}.");
        let hosts = self.text("/etc/hosts");
        let full = hosts.lines().find_map(|line| {
            let mut names = line.split('#').next()?.split_whitespace().skip(1);
            let canonical = names.next()?;
            let domain = canonical.strip_prefix(&start)?;
            names.any(|alias| alias == node).then(|| domain.to_owned())
        });
        let resolver = |word: &str| {
            let text = self.text("/etc/resolv.conf");
            text.lines().find_map(|l| l.strip_prefix(word)?.strip_prefix([' ', '\t'])?.split_whitespace().next().map(str::to_owned))
        };
        let domain = full.or_else(|| resolver("domain")).or_else(|| resolver("search")).unwrap_or_default();
        (node.to_owned(), domain)
    }

    fn processors(self) -> Value {
        let count = self.text("/proc/cpuinfo").lines().filter(|l| l.starts_with("processor")).count();
        if count == 0 { Value::Nil } else { Value::Int(i64::try_from(count).unwrap_or(i64::MAX)) }
    }

    /// Returns a field of `/proc/meminfo` in bytes.
    fn memory(self, field: &str) -> Option<i64> {
        let text = self.text("/proc/meminfo");
        let kibibytes: i64 = text.lines().find_map(|l| l.strip_prefix(field))?.split_whitespace().next()?.parse().ok()?;
        kibibytes.checked_mul(1024)
    }

    fn has_systemd(self) -> bool {
        self.system.exists("/run/systemd/system")
    }

    /// Returns the default service provider, as the fact of Puppet's stdlib module does.
    fn service_provider(self) -> &'static str {
        match self.family().as_str() {
            _ if self.has_systemd() => "systemd",
            "Debian" => "debian",
            "RedHat" => "redhat",
            "Gentoo" | "Alpine" => "openrc",
            _ => "init",
        }
    }
}

/// Returns a structure with these members.
fn map<'n>(members: impl IntoIterator<Item = (&'n str, Value)>) -> Value {
    let members: Map = members.into_iter().map(|(name, value)| (Value::str(name), value)).collect();
    if members.is_empty() { Value::Nil } else { Value::Map(Arc::new(members)) }
}

/// Returns a list of these values.
fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect())
}

/// Adds the members of another structure; those that are in both are merged if they are structures.
fn merge(into: &mut Map, more: &Map) {
    for (name, value) in more.iter() {
        match (into.get_mut(name), value) {
            (Some(Value::Map(old)), Value::Map(new)) => merge(Arc::make_mut(old), new),
            (Some(_), _) => {}
            (None, _) => {
                into.insert(name.clone(), value.clone());
            }
        }
    }
}

fn flatten(name: String, value: Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Map(members) => {
            for (key, member) in members.iter() {
                flatten(format!("{name}.{}", key.to_text()), member.clone(), found);
            }
        }
        other => found.push((name, other)),
    }
}

/// Formats a number of bytes with the largest fitting unit: `23.54 GiB`.
fn readable(bytes: i64) -> String {
    let mut amount = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        if amount < 1024.0 {
            break;
        }
        amount /= 1024.0;
        unit = larger;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{amount:.2} {unit}") }
}

/// Capitalizes a word as Ruby's `capitalize` does.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + &letters.as_str().to_lowercase()
}
