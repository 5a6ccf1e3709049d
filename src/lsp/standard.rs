//! The standard library as files that an editor can open.
//!
//! The library is embedded in the program. A file is written, read-only, to the user's cache before the editor opens it: every editor can
//! open a file, and few editors can open anything else.

use rtype_author::check::explain;
use rtype_lang::diagnostics::Code;
use rtype_lang::library::standard;
use rtype_system::{named, process};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The prefix of file names in the library.
const PREFIX: &str = "<rtype>/";

/// The files of this version below a cache directory. An editor may still show a file of an older version.
pub(super) struct EmbeddedFiles {
    directory: Option<PathBuf>,
}

impl EmbeddedFiles {
    /// Returns the files below a cache directory. Without a cache directory, no file is written.
    pub fn new(cache: Option<&Path>) -> EmbeddedFiles {
        EmbeddedFiles { directory: cache.map(|cache| cache.join("rtype").join(env!("CARGO_PKG_VERSION"))) }
    }

    /// Returns the path of a standard library file; `None` for other names, and without a cache directory.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        let inside = name.strip_prefix(PREFIX)?;
        let text = standard(inside.strip_suffix(".rtype")?)?;
        self.written(&Path::new("types").join(inside), text)
    }

    /// Returns the library's name of a standard library file, given the path in the cache.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(self.directory.as_ref()?.join("types")).ok()?.to_str()?;
        standard(inside.strip_suffix(".rtype")?).map(|_| format!("{PREFIX}{inside}"))
    }

    /// Writes the page about a diagnostic code, and returns its path.
    pub fn page_of(&self, code: Code) -> Option<PathBuf> {
        self.written(&Path::new("codes").join(format!("{}.md", code.info().id)), &explain(code)?)
    }

    fn written(&self, name: &Path, text: &str) -> Option<PathBuf> {
        let path = self.directory.as_ref()?.join(name);
        if !named::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            write(&path, text).ok()?;
        }
        Some(path)
    }
}

/// Returns the user's cache directory.
pub(super) fn cache_directory() -> Option<PathBuf> {
    let cache = process::variable("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    cache.or_else(|| process::variable("HOME").map(|home| PathBuf::from(home).join(".cache")).filter(|p| p.is_absolute()))
}

/// Writes a file atomically, because another server may write the same file.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    named::make_directories(path.parent().unwrap_or(path))?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let mut file = named::open(&beside, File::options().write(true).create(true).truncate(true))?;
    file.write_all(text.as_bytes())?;
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)?;
    named::rename(&beside, path)
}
