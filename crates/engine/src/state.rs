//! What a run remembers for the next one: a file of its own, and the lock that keeps two runs apart.

use jiff::Timestamp;
use nix::fcntl::{Flock, FlockArg};
use rtype_lang::redact::Redactor;
use rtype_lang::types::{AttrId, Role};
use rtype_lang::value::{ResourceRef, Value};
use rtype_model::resource::{Instance, for_display};
use rtype_provider::ProviderError;
use rtype_system::{Access, Limit, Tree, named, trust};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Read, Write as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The version of the file's shape.
const VERSION: u32 = 1;

/// What is known of resources from earlier runs: when they were looked at, what their properties were.
///
/// Values are kept as hashes with a salt of the machine's own, but for what is watched and no secret. Nothing is lost with
/// the file but that the next run cannot tell who changed what.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    version: u32,
    salt: String,
    resources: BTreeMap<String, Known>,
    #[serde(skip)]
    changed: bool,
    /// Knows the secrets that a title may hold.
    #[serde(skip)]
    redactor: Redactor,
}

/// What is known of one resource.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Known {
    /// When it was last looked at, in seconds; only where a schedule asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checked: Option<i64>,
    /// Its properties as the last run left them, as hashes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    properties: BTreeMap<String, String>,
    /// What is watched: texts, or hashes of secrets.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    audited: BTreeMap<String, String>,
}

impl State {
    /// Where the file lies in its directory.
    fn file(directory: &Path) -> PathBuf {
        directory.join("state.json")
    }

    /// What is remembered in a directory; nothing where there is no file, or where nobody may read it.
    ///
    /// # Errors
    /// When the file is damaged, is not a regular file, or others can put it there.
    pub fn load(directory: &Path) -> Result<State, ProviderError> {
        let path = Self::file(directory);
        check(directory)?;
        let text = match Tree::at("/").read(&path, Limit::STATE) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(State::default()),
            Err(e) if e.kind() == ErrorKind::PermissionDenied => return Ok(State::default()),
            Err(e) => return Err(ProviderError::new(format!("cannot read {}: {e}", path.display()))),
        };
        let state: State = serde_json::from_slice(&text).map_err(|e| damaged(&path, &e.to_string()))?;
        if state.version == VERSION { Ok(state) } else { Err(damaged(&path, "it was written by another version")) }
    }

    /// Writes what is remembered, in one step, readable to nobody else.
    ///
    /// # Errors
    /// When it cannot be written.
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
            // Written at once: a buffer that is dropped would keep a full disk to itself.
            draft.file().write_all(&serde_json::to_vec(self)?)?;
            draft.publish()
        };
        write()
            .map_err(|e| ProviderError::new(format!("cannot write {}: {e}", path.display())).help("`--state-dir DIR` names another place"))
    }

    /// Whether a property is not what the last run left it as: somebody else has changed it.
    pub fn is_corrective(&self, resource: &ResourceRef, property: &str, is: &Value) -> bool {
        let known = self.resources.get(&self.key(resource)).and_then(|k| k.properties.get(property));
        known.is_some_and(|known| *known != self.hash(is))
    }

    /// Keeps what a property is after this run.
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

    /// What a watched property was, if it was something else; keeps what it is.
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

    /// When a resource with a schedule was last looked at.
    pub fn last_checked(&self, resource: &ResourceRef) -> Option<Timestamp> {
        Timestamp::from_second(self.resources.get(&self.key(resource))?.checked?).ok()
    }

    /// A resource with a schedule is looked at now.
    pub fn checked(&mut self, resource: &ResourceRef, now: Timestamp) {
        self.salted();
        let key = self.key(resource);
        self.resources.entry(key).or_default().checked = Some(now.as_second());
        self.changed = true;
    }

    /// Takes over what a run knows of secrets, and forgets titles that hold one.
    pub fn share(&mut self, redactor: &Redactor) {
        self.redactor = redactor.clone();
        let before = self.resources.len();
        self.resources.retain(|name, _| !redactor.is_in(name));
        self.changed |= self.resources.len() < before;
    }

    /// Returns the name under which a resource is kept: a hash in place of a title that holds a secret.
    fn key(&self, resource: &ResourceRef) -> String {
        let name = resource.to_string();
        if self.redactor.is_in(&name) { format!("{}[{}]", resource.type_name, self.hash(&Value::str(name))) } else { name }
    }

    fn salted(&mut self) {
        if self.salt.is_empty() {
            let mut bytes = [0; 16];
            // Where the kernel gives no randomness the salt is weak, but the file is still nobody else's to read.
            let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
            self.salt = hex(&bytes);
        }
    }

    fn hash(&self, value: &Value) -> String {
        let sum = Sha256::new().chain_update(self.salt.as_bytes()).chain_update(rtype_lang::value::inspect(value.unwrapped()).as_bytes());
        hex(sum.finalize().get(..16).unwrap_or_default())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn damaged(path: &Path, why: &str) -> ProviderError {
    ProviderError::new(format!("{} cannot be used: {why}", path.display()))
        .help("delete it: only what earlier runs have seen is forgotten, and schedules begin anew")
}

/// Readable to this user alone.
const OWN: Access = Access { owner: None, group: None, mode: Some(0o600) };

/// Checks that no other user controls the directory.
fn check(directory: &Path) -> Result<(), ProviderError> {
    trust::check(directory).map(drop).map_err(|why| ProviderError::new(format!("cannot keep state: {}", why.message)).help(why.help))
}

/// The properties that a resource watches without managing them: those that its `audit` names.
pub fn watched(instance: &Instance) -> Vec<AttrId> {
    let type_def = &instance.type_def;
    let properties = || type_def.order.iter().copied().filter(|id| type_def.attribute(*id).is_some_and(|a| a.role == Role::Property));
    match instance.get("audit").unwrapped() {
        Value::Nil => Vec::new(),
        Value::Array(names) => {
            if names.iter().any(|n| n.as_text() == Some("all")) {
                return properties().collect();
            }
            names.iter().filter_map(|n| type_def.id_of(n.as_text()?)).collect()
        }
        one if one.as_text() == Some("all") => properties().collect(),
        one => one.as_text().and_then(|n| type_def.id_of(n)).into_iter().collect(),
    }
}

/// How long a lock's note of its process may be.
const MAX_HOLDER: u64 = 32;

/// Keeps two runs that change a machine apart, while it lives.
#[derive(Debug)]
pub struct Lock {
    _file: Flock<File>,
}

impl Lock {
    /// Takes the lock of a state directory.
    ///
    /// # Errors
    /// When another run has it, naming that, when the directory cannot be made, or when others can write to it.
    pub fn take(directory: &Path) -> Result<Lock, ProviderError> {
        let path = directory.join("lock");
        let failed = |e: std::io::Error| {
            ProviderError::new(format!("cannot take the lock {}: {e}", path.display())).help("`--state-dir DIR` names another place")
        };
        check(directory)?;
        Tree::at("/").make_directories(directory).map_err(failed)?;
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        // A link or a FIFO that was left here before the directory was ours leads nowhere.
        options.custom_flags(nix::libc::O_NOFOLLOW | nix::libc::O_NONBLOCK);
        let mut file = named::open(&path, &options).map_err(failed)?;
        let stat = file.metadata().map_err(failed)?;
        if !stat.is_file() || stat.nlink() != 1 {
            return Err(failed(std::io::Error::other("it is not a regular file of its own; delete it")));
        }
        let mut holder = String::new();
        let _ = Read::by_ref(&mut file).take(MAX_HOLDER).read_to_string(&mut holder);
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(mut file) => {
                let _ = file.set_len(0);
                let _ = std::io::Seek::rewind(&mut *file);
                let _ = write!(*file, "{}", std::process::id());
                Ok(Lock { _file: file })
            }
            Err(_) => {
                let who = if holder.trim().is_empty() { String::new() } else { format!(" (process {})", holder.trim()) };
                Err(ProviderError::new(format!("another run is changing this machine{who}")).help("wait until it has ended"))
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
    fn what_somebody_else_has_changed_is_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let mut state = State::default();
        assert!(!state.is_corrective(&motd(), "mode", &"0644".into()));
        state.remember(&motd(), "mode", &"0644".into());
        state.save(directory.path()).unwrap();
        let state = State::load(directory.path()).unwrap();
        assert!(!state.is_corrective(&motd(), "mode", &"0644".into()));
        assert!(state.is_corrective(&motd(), "mode", &"0777".into()));
    }

    #[test]
    fn values_are_kept_as_hashes_in_a_file_that_is_nobody_elses() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("new");
        let mut state = State::default();
        state.remember(&motd(), "content", &"tops3cret".into());
        state.audited(&motd(), "owner", &"tops3cret".into(), true);
        state.save(&place).unwrap();
        let text = std::fs::read_to_string(place.join("state.json")).unwrap();
        assert!(!text.contains("tops3cret"), "{text}");
        assert_eq!(place.join("state.json").metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn what_is_watched_is_told_once() {
        let mut state = State::default();
        assert_eq!(state.audited(&motd(), "mode", &"0644".into(), false), None);
        assert_eq!(state.audited(&motd(), "mode", &"0600".into(), false), Some("'0644'".into()));
        assert_eq!(state.audited(&motd(), "mode", &"0600".into(), false), None);
    }

    #[test]
    fn a_damaged_file_is_an_error_that_tells_the_way_out() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("state.json"), "{").unwrap();
        let error = State::load(directory.path()).unwrap_err();
        assert!(error.message.contains("state.json cannot be used"), "{error:?}");
        assert!(error.help.unwrap().starts_with("delete it"));
    }

    #[test]
    fn two_runs_are_kept_apart() {
        let directory = tempfile::tempdir().unwrap();
        let lock = Lock::take(directory.path()).unwrap();
        let error = Lock::take(directory.path()).unwrap_err();
        assert_eq!(error.message, format!("another run is changing this machine (process {})", std::process::id()));
        drop(lock);
        assert!(Lock::take(directory.path()).is_ok());
    }
}
