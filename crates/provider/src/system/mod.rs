//! The machine as providers touch it: files below a root, programs on a path.

mod command;
mod draft;
mod environment;
mod name_service;
mod paths;
mod programs;
pub(super) mod running;
mod secrets;
mod talk;
mod write;

pub use command::{Command, Output};
pub use draft::Draft;
pub(crate) use name_service::AccountKey;
use name_service::Answers;
pub use rtype_system::Access;
use rtype_system::{Scratch, help_of, process};
use secrets::ArgumentSecrets;
pub use talk::{ProgramOutput, Talk};
pub use write::Replace;

use super::{FileServer, ProviderError};
use rtype_lang::redact::{Redactor, is_credential};
use rtype_lang::value::Value;
use rtype_system::{Limit, Stat, Tree};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Directory for state kept between runs.
const STATE: &str = "/var/lib/rtype";

/// The files and programs that providers access. Tests use a directory of fixtures as the root.
#[derive(Clone, Debug)]
pub struct System {
    tree: Arc<Tree>,
    host: Arc<Tree>,
    path: Vec<PathBuf>,
    state: PathBuf,
    modules: Vec<PathBuf>,
    file_server: Option<Arc<dyn FileServer>>,
    kept: Kept,
    answers: Answers,
    redactor: Redactor,
    secrets: ArgumentSecrets,
}

/// Cache of texts by path, with the file's stamp when read; shared by all copies of a machine.
type Kept = Arc<Mutex<HashMap<String, (Stamp, Arc<str>)>>>;

/// Identifies a version of a file: device, inode, size, modification time and change time.
type Stamp = (u64, u64, u64, (i64, i64), (i64, i64));

/// Returns the default state directory: root's is shared by the machine; other users, who cannot write there, have
/// one in their home directory, next to the history of the REPL.
fn usual_state() -> PathBuf {
    let own = || Some(own_state()?.join("rtype"));
    if nix::unistd::Uid::effective().is_root() { STATE.into() } else { own().unwrap_or_else(|| STATE.into()) }
}

/// Returns `$XDG_STATE_HOME`, else `~/.local/state`; `None` without a home directory.
pub fn own_state() -> Option<PathBuf> {
    let absolute = |name: &str| process::variable(name).map(PathBuf::from).filter(|p| p.is_absolute());
    absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
}

/// Returns a redactor that knows the secrets in the environment: passwords in URLs, and variables that are named like credentials. Commands of
/// `exec` can print them.
fn known_at_start() -> Redactor {
    let redactor = Redactor::new();
    for (name, value) in process::variables() {
        // A proxy needs no `http://`.
        let is_bare = name.to_ascii_lowercase().ends_with("_proxy") && !value.contains("://");
        let is_secret = is_credential(&name, &value);
        let address = if is_bare { format!("http://{value}") } else { value };
        redactor.add_value(&Value::str(address), is_secret, &|_| false);
    }
    redactor
}

impl System {
    /// This machine, with the usual places for programs.
    pub fn host() -> System {
        let path = process::variable("PATH").unwrap_or_default();
        let mut path: Vec<PathBuf> = std::env::split_paths(&path).filter(|p| p.is_absolute()).collect();
        for usual in ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"] {
            if !path.iter().any(|p| p == Path::new(usual)) {
                path.push(usual.into());
            }
        }
        let tree = Arc::new(Tree::at("/"));
        System {
            host: Arc::clone(&tree),
            tree,
            path,
            state: usual_state(),
            modules: Vec::new(),
            file_server: None,
            kept: Kept::default(),
            answers: Answers::default(),
            redactor: known_at_start(),
            secrets: ArgumentSecrets::default(),
        }
    }

    /// Returns a system for a directory that represents a machine; programs are only searched for in its `usr/bin`.
    pub fn at(root: impl Into<PathBuf>) -> System {
        let root = root.into();
        System {
            path: vec![root.join("usr/bin")],
            state: root.join(STATE.trim_start_matches('/')),
            modules: Vec::new(),
            file_server: None,
            kept: Kept::default(),
            answers: Answers::default(),
            redactor: Redactor::new(),
            secrets: ArgumentSecrets::default(),
            tree: Arc::new(Tree::at(root)),
            host: Arc::new(Tree::at("/")),
        }
    }

    /// Returns a system with another directory for the state kept between runs.
    #[must_use]
    pub fn with_state(mut self, directory: impl Into<PathBuf>) -> System {
        self.state = directory.into();
        self
    }

    /// Sets the redactor that knows the secrets of the run.
    #[must_use]
    pub fn with_redactor(mut self, redactor: Redactor) -> System {
        self.redactor = redactor;
        self
    }

    /// Returns the redactor of the run, which all copies of a machine share.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns the directory for state kept between runs, such as the filebucket. It may not exist yet; only root can
    /// read it.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Sets the directories of Puppet modules, for `puppet:///modules/NAME/FILE`.
    #[must_use]
    pub fn with_modulepath(mut self, directories: Vec<PathBuf>) -> System {
        self.modules = directories;
        self
    }

    /// Returns the directories of Puppet modules.
    pub fn module_path(&self) -> &[PathBuf] {
        &self.modules
    }

    /// Sets the server of `puppet:` sources, which goes before the directories of modules.
    #[must_use]
    pub fn with_file_server(mut self, server: Arc<dyn FileServer>) -> System {
        self.file_server = Some(server);
        self
    }

    /// Returns the server that has the files of a `puppet:` source.
    pub fn file_server(&self, uri: &str) -> Option<&dyn FileServer> {
        self.file_server.as_deref().filter(|_| uri.starts_with("puppet:"))
    }

    /// Returns whether the root is a directory of fixtures rather than `/`.
    pub fn is_fixture(&self) -> bool {
        self.tree.root() != Path::new("/")
    }

    /// Returns the location of an absolute path below the root.
    pub fn path(&self, absolute: &str) -> PathBuf {
        self.tree.root().join(absolute.trim_start_matches('/'))
    }

    /// Returns the files below the root.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns the files of the real machine, even if the root is a directory of fixtures. Modules and state kept between runs are there.
    pub fn host_tree(&self) -> &Arc<Tree> {
        &self.host
    }

    /// Returns the content of a file, `None` if it does not exist.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub fn read_bytes(&self, absolute: &str) -> Result<Option<Vec<u8>>, ProviderError> {
        self.tree.read(Path::new(absolute), Limit::TEXT).map_err(|e| Self::cannot_read(absolute, &e))
    }

    /// Returns the metadata of a file, `None` if it does not exist. A symbolic link is followed only if `follow` is
    /// set.
    ///
    /// # Errors
    /// If it cannot be determined.
    pub fn look(&self, absolute: &str, follow: bool) -> Result<Option<Stat>, ProviderError> {
        self.tree.look(Path::new(absolute), follow).map_err(|e| Self::cannot_read(absolute, &e))
    }

    /// Returns the names in a directory, sorted, without those that are not UTF-8; none when it is not there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn names(&self, absolute: &str) -> Result<Vec<String>, ProviderError> {
        let names = self.tree.names(Path::new(absolute)).map_err(|e| Self::cannot_read(absolute, &e))?;
        Ok(names.unwrap_or_default().into_iter().filter_map(|name| name.into_string().ok()).collect())
    }

    /// Returns the text of a file, with invalid UTF-8 replaced; `None` if it does not exist.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub fn read(&self, absolute: &str) -> Result<Option<String>, ProviderError> {
        Ok(self.read_bytes(absolute)?.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
        }))
    }

    /// As [`System::read`], but caches the text, for files that are read often, such as `/etc/passwd`. The file is
    /// read again when it has changed.
    ///
    /// # Errors
    /// As [`System::read`].
    pub fn read_kept(&self, absolute: &str) -> Result<Option<Arc<str>>, ProviderError> {
        let stat = self.tree.look(Path::new(absolute), true).ok().flatten();
        let stamp: Option<Stamp> = stat.map(|s| (s.dev, s.ino, s.size, s.mtime, s.ctime));
        let kept = self.kept.lock().ok().and_then(|kept| kept.get(absolute).cloned());
        if let Some((_, text)) = kept.filter(|(then, _)| Some(*then) == stamp) {
            return Ok(Some(text));
        }
        let Some(text) = self.read(absolute)? else { return Ok(None) };
        let text: Arc<str> = text.into();
        if let (Some(stamp), Ok(mut kept)) = (stamp, self.kept.lock()) {
            kept.insert(absolute.to_owned(), (stamp, Arc::clone(&text)));
        }
        Ok(Some(text))
    }

    /// Returns whether something is at the path.
    pub fn exists(&self, absolute: &str) -> bool {
        match self.tree.look(Path::new(absolute), false) {
            Ok(stat) => stat.is_some(),
            // A link that is not followed leads to something.
            Err(e) => help_of(&e).is_some(),
        }
    }

    /// Creates a file that no other user can access, as input for a program, and returns its path. It is removed when
    /// the returned value is dropped.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn temporary_file(&self, content: &[u8]) -> std::io::Result<(Scratch, PathBuf)> {
        let scratch = self.host.scratch(&process::temporary_directory())?;
        scratch.make_file("content")?.write_all(content)?;
        let path = scratch.path().join("content");
        Ok((scratch, path))
    }

    /// Returns the full paths at which a program is looked for.
    pub fn candidates(&self, program: &str) -> Vec<String> {
        if program.starts_with('/') {
            return vec![program.to_owned()];
        }
        let below = |dir: &PathBuf| dir.strip_prefix(self.path("/")).map_or_else(|_| dir.clone(), |dir| Path::new("/").join(dir));
        self.path.iter().filter_map(|dir| below(dir).join(program).to_str().map(str::to_owned)).collect()
    }

    /// Returns the environment of a program that inherits these variables.
    fn environment(&self, inherited: environment::Inherited) -> Vec<(OsString, OsString)> {
        environment::environment(inherited, self.search_path(), process::all_variables())
    }

    /// A program to be run, by name or by absolute path.
    pub fn command(&self, program: &str) -> Command<'_> {
        Command::new(self, program)
    }

    /// Runs a program without a shell, with a clean environment, empty standard input and a timeout.
    ///
    /// # Errors
    /// If it cannot be started or times out. An exit status other than 0 is not an error.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Result<Output, ProviderError> {
        self.command(program).args(arguments.iter().copied()).run()
    }
}
