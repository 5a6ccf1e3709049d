//! The Ruby of Puppet's modules: files below the `lib` folders of modules that lie side by side.
#![allow(clippy::disallowed_methods, reason = "reading what the user names is its task")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The `lib` folders of a module and of those beside it.
#[derive(Clone, Debug, Default)]
pub struct ModulePath {
    libs: Vec<PathBuf>,
}

impl ModulePath {
    /// That of a file: its own module goes first, the others follow by name. Empty for a file that lies in no module.
    pub fn of(file: &Path) -> ModulePath {
        let full = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let Some(lib) = full.ancestors().find(|a| a.file_name().is_some_and(|n| n == "lib")) else { return ModulePath::default() };
        let mut libs = vec![lib.to_owned()];
        // The path as it was written: a module may be a link into another folder.
        let written = file.ancestors().find(|a| a.file_name().is_some_and(|n| n == "lib")).unwrap_or(lib);
        let modules = written.parent().and_then(Path::parent).map(|m| if m.as_os_str().is_empty() { Path::new(".") } else { m });
        let beside: BTreeSet<PathBuf> =
            modules.and_then(|m| fs::read_dir(m).ok()).into_iter().flatten().flatten().map(|e| e.path().join("lib")).collect();
        libs.extend(beside.into_iter().filter(|l| l != written && l.is_dir()));
        ModulePath { libs }
    }

    /// Where `puppet_x/motd/units.rb` is.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        self.libs.iter().map(|l| l.join(path)).find(|p| p.is_file())
    }

    /// The names of the files in a folder such as `puppet/provider/motd`, of all modules.
    pub fn list(&self, folder: &str) -> BTreeSet<String> {
        let all = self.libs.iter().filter_map(|l| fs::read_dir(l.join(folder)).ok()).flatten().flatten();
        all.filter_map(|e| e.file_name().into_string().ok()).collect()
    }
}
