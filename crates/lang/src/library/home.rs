//! Where files of types come from, and what they are called.

use std::path::{Path, PathBuf};

/// Where types stand below the `lib` folder of a Puppet module.
pub(super) const RUBY_TYPES: &str = "puppet/type";

/// Where a file comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// A directory of types.
    Directory(PathBuf),
    /// The `lib` folder of a Puppet module.
    Module(PathBuf),
    /// The program itself.
    Standard,
}

impl Home {
    /// What a file of this place is called.
    pub(super) fn key(&self, path: &str) -> String {
        match self {
            Home::Directory(directory) => key_of(&directory.join(format!("{path}.rtype"))),
            Home::Module(lib) => key_of(&lib.join(format!("{RUBY_TYPES}/{path}.rb"))),
            Home::Standard => format!("<rtype>/{path}.rtype"),
        }
    }
}

/// What a file is called, however people have come to it.
pub(super) fn key_of(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

/// The directory of types to which a folder belongs: providers stand in `providers/TYPE` below it.
pub fn types_directory(folder: &Path) -> PathBuf {
    match folder.parent() {
        Some(parent) if parent.file_name().is_some_and(|n| n == "providers") => parent.parent().unwrap_or(parent).to_owned(),
        _ => folder.to_owned(),
    }
}

/// The name of the type that a file is about.
pub(super) fn type_name(path: &Path) -> Option<String> {
    word_before(path, "rtype")
}

/// The word that a file with this extension is called.
pub(super) fn word_before(path: &Path, extension: &str) -> Option<String> {
    if path.extension()? != extension {
        return None;
    }
    let stem = path.file_stem()?.to_str()?;
    stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| stem.to_owned())
}
