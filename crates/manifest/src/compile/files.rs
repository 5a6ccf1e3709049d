//! Reads files of the environment and of modules, and no others.

use super::failure::EvaluationFailure;
use super::value::ManifestValue;
use ecow::EcoString;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

/// Reads files. The caller implements it: the evaluation has no other access to the machine.
pub trait ReadFiles: Send + Sync {
    /// Returns the content of a file, or `None` if there is none.
    fn read(&self, path: &Path) -> Option<Vec<u8>>;
    /// Returns `true` for directories.
    fn is_directory(&self, path: &Path) -> bool;
    /// Returns `true` for files.
    fn is_file(&self, path: &Path) -> bool;
    /// Returns the entries of a directory.
    fn list(&self, path: &Path) -> Vec<PathBuf>;
    /// Returns the path without links, if it exists.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;
}

/// Reads the files below an environment and a module path.
pub struct ModuleFiles {
    reader: Box<dyn ReadFiles>,
    /// The directory of the environment.
    pub environment: Option<PathBuf>,
    /// The directories of modules, in the order of precedence.
    pub module_path: Vec<PathBuf>,
    /// The facts that modules define in Ruby, and whose values are not known.
    pub unread_facts: HashSet<EcoString>,
    modules: Mutex<HashMap<String, Option<PathBuf>>>,
    /// The parsed data files.
    parsed: Mutex<HashMap<PathBuf, ManifestValue>>,
    /// The files and directories that exist, but lead out of the environment and the modules.
    refused: Mutex<Vec<PathBuf>>,
    /// The results of searches in all modules.
    searched: Mutex<HashMap<String, Option<PathBuf>>>,
}

/// Returns `true` for names of modules.
fn is_module_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Returns `true` for relative paths without `..`.
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

impl ModuleFiles {
    /// Returns the files of an environment.
    pub fn new(reader: Box<dyn ReadFiles>, environment: Option<PathBuf>, module_path: Vec<PathBuf>) -> ModuleFiles {
        ModuleFiles {
            reader,
            environment,
            module_path,
            unread_facts: HashSet::new(),
            modules: Mutex::default(),
            parsed: Mutex::default(),
            refused: Mutex::default(),
            searched: Mutex::default(),
        }
    }

    /// Returns a data file that was parsed before.
    pub(crate) fn data(&self, path: &Path) -> Option<ManifestValue> {
        self.parsed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(path).cloned()
    }

    /// Keeps a parsed data file.
    pub(crate) fn keep_data(&self, path: &Path, value: ManifestValue) {
        self.parsed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(path.to_owned(), value);
    }

    /// Returns the entries of a directory inside of the environment or the module path.
    pub(crate) fn list(&self, path: &Path) -> Vec<PathBuf> {
        if self.is_allowed(path) { self.reader.list(path) } else { Vec::new() }
    }

    /// Returns the directory of a module.
    pub fn module_directory(&self, name: &str) -> Option<PathBuf> {
        if !is_module_name(name) {
            return None;
        }
        let mut known = self.modules.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(found) = known.get(name) {
            return found.clone();
        }
        let found = self.module_path.iter().map(|path| path.join(name)).find(|path| self.reader.is_directory(path));
        known.insert(name.to_owned(), found.clone());
        found
    }

    /// Returns the path of `directory/rest` in the module of `module/rest`, if there is such a file.
    pub fn module_file(&self, directory: &str, name: &str) -> Option<PathBuf> {
        let (module, rest) = name.split_once('/')?;
        let rest = Path::new(rest);
        if !is_inside(rest) {
            return None;
        }
        let path = self.module_directory(module)?.join(directory).join(rest);
        self.is_file(&path).then_some(path)
    }

    /// Returns the path of a file in a module directory.
    pub fn module_path_of(&self, module: &str, relative: &str) -> Option<PathBuf> {
        let path = self.module_directory(module)?.join(relative);
        (is_inside(Path::new(relative)) && self.is_file(&path)).then_some(path)
    }

    /// Returns the path of a file of the environment.
    pub fn environment_file(&self, relative: &str) -> Option<PathBuf> {
        let path = self.environment.as_ref()?.join(relative);
        (is_inside(Path::new(relative)) && self.is_file(&path)).then_some(path)
    }

    /// Returns the first of the files that any module has.
    pub fn any_module_file(&self, relatives: &[String]) -> Option<PathBuf> {
        let key = relatives.join(":");
        let mut known = self.searched.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(found) = known.get(&key) {
            return found.clone();
        }
        let directories = self.module_path.iter().flat_map(|path| self.reader.list(path));
        let mut candidates = directories.flat_map(|directory| relatives.iter().map(move |relative| directory.join(relative)));
        let found = candidates.find(|path| self.reader.is_file(path));
        known.insert(key, found.clone());
        found
    }

    /// Returns `true` for files that may be read.
    pub fn is_file(&self, path: &Path) -> bool {
        self.is_allowed(path) && self.reader.is_file(path)
    }

    /// Returns the files and directories that were looked for and exist, but lead out of the environment and the modules. To an
    /// evaluation they do not exist, so that its result may be another than that of Puppet.
    pub fn refused(&self) -> Vec<PathBuf> {
        self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Returns `true` for paths that stay below the environment or the module path, also through links.
    pub fn is_allowed(&self, path: &Path) -> bool {
        let Some(real) = self.reader.resolve(path) else { return false };
        let is_allowed = self.is_inside_of_roots(path, &real);
        if !is_allowed {
            let mut refused = self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if !refused.iter().any(|known| known == path) {
                refused.push(path.to_owned());
            }
        }
        is_allowed
    }

    /// Returns `true` if `real`, to which the links of `path` lead, is in the environment or in a module.
    fn is_inside_of_roots(&self, path: &Path, real: &Path) -> bool {
        let mut roots = self.environment.iter().chain(&self.module_path).filter_map(|root| self.reader.resolve(root));
        if roots.any(|root| real.starts_with(root)) {
            return true;
        }
        // Modules may be links into other directories; their files stay in the module.
        self.module_path.iter().any(|root| {
            let module = path.strip_prefix(root).ok().and_then(|rest| rest.components().next());
            let directory = module.and_then(|module| self.reader.resolve(&root.join(module)));
            directory.is_some_and(|directory| directory.parent().is_some() && real.starts_with(directory))
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if the file is outside the environment and the module path, or cannot be read.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, EvaluationFailure> {
        if !self.is_allowed(path) {
            return Err(EvaluationFailure::unsupported(format!("`{}` is outside of the environment and the module path", path.display())));
        }
        self.reader.read(path).ok_or_else(|| EvaluationFailure::new(format!("Could not read {}", path.display())))
    }
}
