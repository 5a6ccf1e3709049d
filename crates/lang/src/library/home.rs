//! The origins of type files and the names under which files are stored.

use std::path::{Path, PathBuf};

/// The directory of types below a Puppet module's `lib` directory.
pub(super) const RUBY_TYPES: &str = "puppet/type";

/// The origin of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// A directory of type files.
    Directory(PathBuf),
    /// The `lib` directory of a Puppet module.
    Module(PathBuf),
    /// The standard library inside the program.
    Standard,
}

impl Home {
    /// Returns the name under which this origin stores the file `path` (without extension).
    pub(super) fn key(&self, path: &str) -> String {
        match self {
            Home::Directory(directory) => key_of(&directory.join(format!("{path}.rtype"))),
            Home::Module(lib) => key_of(&lib.join(format!("{RUBY_TYPES}/{path}.rb"))),
            Home::Standard => format!("<rtype>/{path}.rtype"),
        }
    }
}

/// Returns the name under which a file is stored, the same with and without a leading `./`.
pub(super) fn key_of(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

/// Returns the directory of types around `directory`. For `DIR/providers/TYPE`, this is `DIR`.
pub fn types_directory(directory: &Path) -> PathBuf {
    match directory.parent() {
        Some(parent) if parent.file_name().is_some_and(|n| n == "providers") => parent.parent().unwrap_or(parent).to_owned(),
        _ => directory.to_owned(),
    }
}

/// Returns the type name in the file name of a type file.
pub(super) fn type_name(path: &Path) -> Option<String> {
    word_before(path, "rtype")
}

/// Returns the file stem if the file has this extension and the stem is a word of ASCII letters, digits and `_`.
pub(super) fn word_before(path: &Path, extension: &str) -> Option<String> {
    if path.extension()? != extension {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| stem.to_owned())
}
