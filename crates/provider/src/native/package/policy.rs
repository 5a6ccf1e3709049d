//! Which version apt would install now, queried for many packages at once.

use super::status::Database;
use crate::{ProviderError, System};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Files that determine apt's answer. While these files are unchanged, a cached answer is valid.
const SOURCES: [&str; 8] = [
    "/var/lib/apt/lists",
    "/var/lib/dpkg/status",
    "/etc/apt/sources.list",
    "/etc/apt/sources.list.d",
    "/etc/apt/preferences",
    "/etc/apt/preferences.d",
    "/etc/apt/apt.conf",
    "/etc/apt/apt.conf.d",
];

/// Inode and time of the last change of each source; `None` for missing files.
type Touched = Vec<Option<(u64, i64, i64)>>;

/// The candidate versions that have been queried and are still valid.
#[derive(Debug, Default)]
pub(super) struct Candidates(Mutex<Option<CandidateCache>>);

#[derive(Debug)]
struct CandidateCache {
    of: PathBuf,
    touched: Touched,
    /// Candidate versions by package name; `None` if apt has no candidate.
    versions: HashMap<String, Option<String>>,
}

fn touched(system: &System) -> Touched {
    let one = |path: &&str| system.look(path, true).ok().flatten().map(|stat| (stat.ino, stat.ctime.0, stat.ctime.1));
    SOURCES.iter().map(one).collect()
}

impl Candidates {
    /// Queries many packages at once, so that [`Candidates::of`] has the results. Errors are ignored here and
    /// reported there.
    pub fn prepare(&self, system: &System, names: &[&str]) {
        let before = touched(system);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let root = system.path("/");
        let fresh = known.as_ref().filter(|k| k.of == root && k.touched == before);
        let missing: Vec<&str> = match fresh {
            Some(known) => names.iter().copied().filter(|n| !known.versions.contains_key(*n)).collect(),
            None => names.to_vec(),
        };
        if missing.is_empty() {
            return;
        }
        let Ok(answer) = ask(system, &missing) else { return };
        let mut versions = match known.take() {
            Some(old) if old.of == root && old.touched == before => old.versions,
            _ => HashMap::new(),
        };
        versions.extend(missing.iter().map(|name| ((*name).to_owned(), answer.get(*name).cloned())));
        *known = Some(CandidateCache { of: root, touched: before, versions });
    }

    /// Returns the candidate version of a package.
    ///
    /// # Errors
    /// If apt cannot be queried, or has no candidate.
    pub fn of(&self, system: &System, name: &str) -> Result<String, ProviderError> {
        let now = touched(system);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().filter(|k| k.of == system.path("/") && k.touched == now);
        let version = match known.and_then(|k| k.versions.get(name)) {
            Some(version) => version.clone(),
            None => ask(system, &[name])?.remove(name),
        };
        version.ok_or_else(|| {
            ProviderError::new(format!("apt knows no version of the package `{name}`")).help("run `apt-get update`, or check the name")
        })
    }
}

/// Returns the candidates of the given packages by name. apt prints names without suffixes such as `:native` and `:ARCHITECTURE` of this
/// machine, so candidates are added under the names with these suffixes, too.
fn ask(system: &System, names: &[&str]) -> Result<HashMap<String, String>, ProviderError> {
    let policy = system.command("apt-cache").args(["policy", "--"]).args(names.iter().copied()).run()?;
    let mut candidates = HashMap::new();
    let mut name = "";
    for line in policy.stdout.for_parsing().lines() {
        if !line.starts_with(' ') {
            name = line.trim_end().strip_suffix(':').unwrap_or_default();
        } else if let Some(version) = line.trim_start().strip_prefix("Candidate:").map(str::trim)
            && version != "(none)"
            && !version.is_empty()
        {
            candidates.insert(name.to_owned(), version.to_owned());
        }
    }
    let with_architecture: Vec<(&str, &str)> = names.iter().filter_map(|name| name.split_once(':')).collect();
    if !with_architecture.is_empty() {
        let database = Database::read(system)?;
        let is_short = |architecture: &str| database.is_native_name(architecture) || architecture == "any";
        for (name, architecture) in with_architecture.into_iter().filter(|(_, architecture)| is_short(architecture)) {
            if let Some(version) = candidates.get(name).cloned() {
                candidates.insert(format!("{name}:{architecture}"), version);
            }
        }
    }
    Ok(candidates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::executable;

    /// A machine whose apt-cache records its arguments and returns the version of `a` in the file `newest`.
    fn machine() -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("usr/bin")).unwrap();
        std::fs::create_dir_all(root.join("var/lib/apt/lists")).unwrap();
        let script = "#!/bin/sh\nroot=${0%/usr/bin/*}\necho \"$@\" >> \"$root/log\"\nread -r newest < \"$root/newest\"\n\
                      printf 'a:\\n  Candidate: %s\\nb:\\n  Candidate: (none)\\n' \"$newest\"\n";
        let program = root.join("usr/bin/apt-cache");
        executable(&program, script);
        std::fs::write(root.join("newest"), "1.0\n").unwrap();
        let system = System::at(root);
        (folder, system)
    }

    #[test]
    fn many_packages_are_asked_for_once() {
        let (_folder, system) = machine();
        let candidates = Candidates::default();
        candidates.prepare(&system, &["a", "b"]);
        assert_eq!(candidates.of(&system, "a"), Ok("1.0".into()));
        assert!(candidates.of(&system, "b").unwrap_err().message.contains("no version of the package `b`"));
        candidates.prepare(&system, &["b"]);
        assert_eq!(system.read("/log").unwrap().unwrap(), "policy -- a b\n");
    }

    #[test]
    fn when_apt_has_new_lists_it_is_asked_again() {
        let (_folder, system) = machine();
        let candidates = Candidates::default();
        candidates.prepare(&system, &["a"]);
        std::fs::write(system.path("/newest"), "2.0\n").unwrap();
        assert_eq!(candidates.of(&system, "a"), Ok("1.0".into()));
        std::fs::write(system.path("/var/lib/apt/lists/new"), "").unwrap();
        assert_eq!(candidates.of(&system, "a"), Ok("2.0".into()));
    }
}
