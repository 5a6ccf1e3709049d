//! State kept between runs: a state file, and a lock against concurrent runs.

use jiff::Timestamp;
use rtype_lang::data::json_error;
use rtype_lang::redact::Redactor;
use rtype_lang::types::AttrId;
use rtype_lang::value::digest::hexadecimal;
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::resource::{Instance, for_display};
use rtype_provider::ProviderError;
use rtype_provider::interrupt::is_stopping;
use rtype_system::{Access, Limit, Tree, named, process, trust};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{Read, Write as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Version of the file format.
const VERSION: u32 = 1;

/// Resource states from earlier runs: times of checks, and property values.
///
/// Values are stored as hashes with a salt per machine, except audited values without secrets. If the file is lost, the next run cannot
/// recognize corrective changes; there are no other effects.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SavedState {
    version: u32,
    salt: String,
    resources: BTreeMap<String, ResourceState>,
    #[serde(skip)]
    changed: bool,
    /// The warning if the state from earlier runs was unusable.
    #[serde(skip)]
    warning: Option<String>,
    /// Detects titles that contain a secret.
    #[serde(skip)]
    redactor: Redactor,
}

/// How long a resource's state is kept after the last run with the resource: the default of Puppet's setting `statettl`.
const KEPT: i64 = 32 * DAY;
const DAY: i64 = 24 * 60 * 60;

/// State of one resource.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ResourceState {
    /// The day of the last run with the resource, in seconds since the epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<i64>,
    /// The time of the last check, in seconds since the epoch; only recorded for resources with a schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<i64>,
    /// Hashes of the property values at the end of the last run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    properties: BTreeMap<String, String>,
    /// Audited property values; hashes if secret.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    audited: BTreeMap<String, String>,
}

impl SavedState {
    /// Returns the path of the state file.
    fn file(directory: &Path) -> PathBuf {
        directory.join("state.json")
    }

    /// Loads the state from a directory; empty if the file does not exist. As in Puppet, a damaged file does not end the run:
    /// [`SavedState::take_warning`] returns a warning. With `may_change`, which requires the lock, the damaged file is renamed.
    ///
    /// # Errors
    /// Fails if other users can write to the directory.
    pub fn load(directory: &Path, may_change: bool) -> Result<SavedState, ProviderError> {
        check(directory)?;
        let parse = |text: Vec<u8>| match serde_json::from_slice::<SavedState>(&text) {
            Ok(state) if state.version == VERSION => Ok(state),
            Ok(_) => Err("it was written by another version".to_owned()),
            Err(e) => Err(json_error(&e)),
        };
        let kept = Tree::at("/").read_kept(&Self::file(directory), Limit::STATE, may_change, parse);
        let effect = if may_change { "lost" } else { "not used" };
        let warning = kept.warning.map(|why| format!("the state of earlier runs is {effect}: {why}"));
        Ok(SavedState { warning, ..kept.value.unwrap_or_default() })
    }

    /// Removes and returns the warning if the state from earlier runs was unusable.
    pub fn take_warning(&mut self) -> Option<String> {
        self.warning.take()
    }

    /// Writes the state atomically, readable only by the owner.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn save(&mut self, directory: &Path) -> Result<(), ProviderError> {
        if !self.changed {
            return Ok(());
        }
        self.version = VERSION;
        let path = Self::file(directory);
        check(directory)?;
        let write = || -> std::io::Result<()> {
            let tree = Tree::at("/");
            tree.make_directories(directory)?;
            let mut draft = tree.draft(&path, OWN, false, None)?;
            // No buffered writer: dropping it would hide a full disk.
            draft.file().write_all(&serde_json::to_vec(self)?)?;
            draft.publish()
        };
        write()
            .map_err(|e| ProviderError::new(format!("cannot write {}: {e}", path.display())).help("`--state-dir DIR` names another place"))
    }

    /// Returns true if a property differs from the value recorded by the last run: a change is then corrective.
    pub fn is_corrective(&self, resource: &ResourceRef, property: &str, is: &Value) -> bool {
        let known = self.resources.get(&self.key(resource)).and_then(|k| k.properties.get(property));
        known.is_some_and(|known| *known != self.hash(is))
    }

    /// Returns true if a property value is recorded.
    pub fn is_known(&self, resource: &ResourceRef, property: &str) -> bool {
        self.resources.get(&self.key(resource)).is_some_and(|known| known.properties.contains_key(property))
    }

    /// Records a property's value after this run.
    pub fn remember(&mut self, resource: &ResourceRef, property: &str, is: &Value) {
        self.salted();
        let hash = self.hash(is);
        let key = self.key(resource);
        let known = self.resources.entry(key).or_default();
        if known.properties.get(property) != Some(&hash) {
            known.properties.insert(property.to_owned(), hash);
            self.changed = true;
        }
    }

    /// Returns true if an audited property's value is recorded.
    pub fn is_audited(&self, resource: &ResourceRef, property: &str) -> bool {
        self.resources.get(&self.key(resource)).is_some_and(|known| known.audited.contains_key(property))
    }

    /// Records an audited property's value. Returns the previous value if it has changed.
    pub fn audited(&mut self, resource: &ResourceRef, property: &str, is: &Value, secret: bool) -> Option<String> {
        self.salted();
        let now = if secret { self.hash(is) } else { for_display(is.unwrapped()) };
        let key = self.key(resource);
        let known = self.resources.entry(key).or_default();
        if known.audited.get(property) == Some(&now) {
            return None;
        }
        self.changed = true;
        known.audited.insert(property.to_owned(), now)
    }

    /// Returns the time at which a resource with a schedule was last checked.
    pub fn last_checked(&self, resource: &ResourceRef) -> Option<Timestamp> {
        Timestamp::from_second(self.resources.get(&self.key(resource))?.checked?).ok()
    }

    /// Records the current check of a resource with a schedule.
    pub fn checked(&mut self, resource: &ResourceRef, now: Timestamp) {
        self.salted();
        let key = self.key(resource);
        self.resources.entry(key).or_default().checked = Some(now.as_second());
        self.changed = true;
    }

    /// Drops outdated state at the end of a run with these resources. Removes resources without a recent run. After applying the whole
    /// machine's catalog (`whole`), also removes the properties of resources outside the catalog. Manifests applied alone each have their
    /// own resources.
    ///
    /// Follows Puppet's `Puppet::Transaction::Persistence` and `Puppet::Util::Storage`.
    pub fn keep(&mut self, resources: &[ResourceRef], whole: bool, now: Timestamp) {
        let present: HashSet<String> = resources.iter().map(|resource| self.key(resource)).collect();
        let now = now.as_second();
        let mut changed = false;
        self.resources.retain(|name, known| {
            let is_present = present.contains(name);
            if known.seen.is_none_or(|seen| is_present && now - seen >= DAY) {
                known.seen = Some(now);
                changed = true;
            }
            if whole && !is_present && !known.properties.is_empty() {
                known.properties.clear();
                changed = true;
            }
            let is_empty = known.checked.is_none() && known.properties.is_empty() && known.audited.is_empty();
            let is_kept = !is_empty && known.seen.is_some_and(|seen| now - seen <= KEPT);
            changed |= !is_kept;
            is_kept
        });
        self.changed |= changed;
    }

    /// Adopts a run's redactor, and drops entries with a secret in the title.
    pub fn share(&mut self, redactor: &Redactor) {
        self.redactor = redactor.clone();
        let before = self.resources.len();
        self.resources.retain(|name, _| !redactor.is_in(name));
        self.changed |= self.resources.len() < before;
    }

    /// Returns a resource's key. A title with a secret is replaced with a hash.
    fn key(&self, resource: &ResourceRef) -> String {
        let name = resource.to_string();
        if self.redactor.is_in(&name) { format!("{}[{}]", resource.type_name, self.hash(&Value::str(name))) } else { name }
    }

    fn salted(&mut self) {
        if self.salt.is_empty() {
            let mut bytes = [0; 16];
            // Without kernel randomness the salt is weak, but only the owner can read the file.
            let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
            self.salt = hexadecimal(&bytes);
        }
    }

    fn hash(&self, value: &Value) -> String {
        let sum = Sha256::new().chain_update(self.salt.as_bytes()).chain_update(rtype_lang::value::inspect(value.unwrapped()).as_bytes());
        hexadecimal(sum.finalize().get(..16).unwrap_or_default())
    }
}

/// Readable only by the owner.
const OWN: Access = Access { owner: None, group: None, mode: Some(0o600) };

/// Checks that no other user controls the directory.
fn check(directory: &Path) -> Result<(), ProviderError> {
    trust::check(directory).map(drop).map_err(|why| ProviderError::new(format!("cannot keep state: {}", why.message)).help(why.help))
}

/// Returns the properties audited but not managed by a resource.
pub fn watched(instance: &Instance) -> Vec<AttrId> {
    let type_def = &instance.type_def;
    match instance.get("audit").unwrapped() {
        Value::Nil => Vec::new(),
        Value::Array(names) => {
            if names.iter().any(|n| n.as_text() == Some("all")) {
                return type_def.synced().collect();
            }
            names.iter().filter_map(|n| type_def.id_of(n.as_text()?)).collect()
        }
        one if one.as_text() == Some("all") => type_def.synced().collect(),
        one => one.as_text().and_then(|n| type_def.id_of(n)).into_iter().collect(),
    }
}

/// Time between two attempts to take the lock.
const SLICE: Duration = Duration::from_millis(200);

/// Maximum length in bytes of the process ID in a lock file.
const MAX_HOLDER: u64 = 32;

/// A lock to prevent two runs from changing a machine at the same time; released on drop.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes a state directory's lock. If another run holds the lock, waits for at most `limit` and passes a message to `waiting`. A lock
    /// other than a regular file is renamed, and `waiting` gets a warning.
    ///
    /// # Errors
    /// Fails if another run still holds the lock (the error names its process), if the directory cannot be created, or if other users can
    /// write to it.
    pub fn take(directory: &Path, limit: Duration, waiting: &mut dyn FnMut(&str)) -> Result<Lock, ProviderError> {
        let begun = process::now();
        let mut is_announced = false;
        loop {
            match Lock::try_take(directory, waiting)? {
                Ok(lock) => return Ok(lock),
                Err(who) if begun.elapsed() >= limit || is_stopping() => {
                    let waited = if limit.is_zero() { String::new() } else { format!(" after {} s", begun.elapsed().as_secs()) };
                    let help = "wait until it has ended, or let `rtype apply --wait-for-lock SECONDS` wait";
                    return Err(ProviderError::new(format!("another run is changing this machine{who}{waited}")).help(help));
                }
                Err(who) if !is_announced => {
                    waiting(&format!("another run is changing this machine{who}; waiting for it, at most {} s", limit.as_secs()));
                    is_announced = true;
                }
                Err(_) => {}
            }
            std::thread::sleep(SLICE.min(limit));
        }
    }

    /// Tries once to take the lock. The inner error names the process holding the lock.
    fn try_take(directory: &Path, report: &mut dyn FnMut(&str)) -> Result<Result<Lock, String>, ProviderError> {
        let path = directory.join("lock");
        let failed = |e: std::io::Error| {
            ProviderError::new(format!("cannot take the lock {}: {e}", path.display())).help("`--state-dir DIR` names another place")
        };
        check(directory)?;
        Tree::at("/").make_directories(directory).map_err(failed)?;
        if let Some(warning) = Tree::at("/").clear_kept(&path) {
            report(&format!("the lock {warning}"));
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        // A symlink or FIFO created here by another user must not be followed or block.
        options.custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK);
        let mut file = named::open(&path, &options).map_err(failed)?;
        let stat = file.metadata().map_err(failed)?;
        if !stat.is_file() || stat.nlink() != 1 {
            return Err(failed(std::io::Error::other("it is not a regular file of its own; delete it")));
        }
        let mut holder = String::new();
        let _ = Read::by_ref(&mut file).take(MAX_HOLDER).read_to_string(&mut holder);
        match file.try_lock() {
            Ok(()) => {
                let _ = file.set_len(0);
                let _ = std::io::Seek::rewind(&mut file);
                let _ = write!(file, "{}", std::process::id());
                Ok(Ok(Lock { _file: file }))
            }
            Err(std::fs::TryLockError::Error(e)) => Err(failed(e)),
            Err(std::fs::TryLockError::WouldBlock) => {
                let who = if holder.trim().is_empty() { String::new() } else { format!(" (process {})", holder.trim()) };
                Ok(Err(who))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motd() -> ResourceRef {
        ResourceRef { type_name: "file".into(), title: "/etc/motd".into() }
    }

    #[test]
    fn corrective_changes_are_recognized() {
        let directory = tempfile::tempdir().unwrap();
        let mut state = SavedState::default();
        assert!(!state.is_corrective(&motd(), "mode", &"0644".into()));
        state.remember(&motd(), "mode", &"0644".into());
        state.save(directory.path()).unwrap();
        let state = SavedState::load(directory.path(), true).unwrap();
        assert!(!state.is_corrective(&motd(), "mode", &"0644".into()));
        assert!(state.is_corrective(&motd(), "mode", &"0777".into()));
    }

    #[test]
    fn resources_that_left_the_catalog_are_dropped() {
        let other = ResourceRef { title: "/etc/issue".into(), ..motd() };
        let at = |days: i64| Timestamp::from_second(1_000_000_000 + days * DAY).unwrap();
        let mut state = SavedState::default();
        for resource in [motd(), other.clone()] {
            state.remember(&resource, "mode", &"0644".into());
        }
        state.audited(&other, "owner", &"root".into(), false);
        // Each manifest has its own resources.
        state.keep(&[motd()], false, at(0));
        assert!(state.is_corrective(&other, "mode", &"0777".into()));
        state.keep(&[motd()], true, at(1));
        assert!(!state.is_corrective(&other, "mode", &"0777".into()));
        assert!(state.is_corrective(&motd(), "mode", &"0777".into()));
        assert_eq!(state.resources.len(), 2);
        state.keep(&[motd()], true, at(33));
        assert_eq!(state.resources.keys().collect::<Vec<_>>(), ["File[/etc/motd]"]);
    }

    #[test]
    fn values_are_stored_as_hashes_in_a_private_file() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("new");
        let mut state = SavedState::default();
        state.remember(&motd(), "content", &"tops3cret".into());
        state.audited(&motd(), "owner", &"tops3cret".into(), true);
        state.save(&place).unwrap();
        let text = std::fs::read_to_string(place.join("state.json")).unwrap();
        assert!(!text.contains("tops3cret"), "{text}");
        assert_eq!(place.join("state.json").metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn audited_changes_are_reported_once() {
        let mut state = SavedState::default();
        assert_eq!(state.audited(&motd(), "mode", &"0644".into(), false), None);
        assert_eq!(state.audited(&motd(), "mode", &"0600".into(), false), Some("'0644'".into()));
        assert_eq!(state.audited(&motd(), "mode", &"0600".into(), false), None);
    }

    #[test]
    fn damaged_file_is_renamed_and_does_not_end_the_run() {
        let directory = tempfile::tempdir().unwrap();
        let (file, aside) = (directory.path().join("state.json"), directory.path().join("state.json.damaged"));
        for text in ["", "{", "null", "[]", "\u{fffd}", "{\"version\": 99, \"salt\": \"\", \"resources\": {}}"] {
            std::fs::write(&file, text).unwrap();
            let warning = SavedState::load(directory.path(), false).unwrap().take_warning().unwrap();
            assert!(warning.contains("state.json cannot be used") && file.exists(), "{text}: {warning}");
            let mut state = SavedState::load(directory.path(), true).unwrap();
            assert!(state.take_warning().unwrap().contains("state.json.damaged") && state.take_warning().is_none(), "{text}");
            assert_eq!((std::fs::read_to_string(&aside).unwrap().as_str(), file.exists()), (text, false));
        }
    }

    #[test]
    fn two_runs_are_kept_apart() {
        let directory = tempfile::tempdir().unwrap();
        let take = |limit: Duration| Lock::take(directory.path(), limit, &mut |_| {});
        let lock = take(Duration::ZERO).unwrap();
        let error = take(Duration::ZERO).unwrap_err();
        assert_eq!(error.message, format!("another run is changing this machine (process {})", std::process::id()));
        drop(lock);
        assert!(take(Duration::ZERO).is_ok());
    }
}
