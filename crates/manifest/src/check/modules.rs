//! Modules on disk: those on the module path, and the module of the checked file.

use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::library::TypeSet;
use rtype_lang::source::Source;
#[cfg(feature = "compile")]
use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// The number of directories above a module in which an environment is looked for.
#[cfg(feature = "compile")]
const MAX_PARENTS: usize = 5;

/// The modules that a checked file can use.
pub(super) struct Modules<'t> {
    types: &'t TypeSet,
    /// The module of the checked file.
    own: Option<OwnModule>,
    /// The modules of all checked files, which may be outside of the module path.
    checked: &'t CheckedModules,
    /// Whether all dependencies were found.
    #[cfg(feature = "compile")]
    is_complete: OnceCell<bool>,
}

/// The directories of the modules of the checked files, by name.
pub(super) type CheckedModules = IndexMap<EcoString, PathBuf>;

/// The module of a checked file.
struct OwnModule {
    name: EcoString,
    directory: PathBuf,
    /// The `dependencies` in `metadata.json`; `None` without such a list.
    dependencies: Option<HashSet<EcoString>>,
}

impl<'t> Modules<'t> {
    /// Returns the modules for a file. The file belongs to a module if it is below a directory `manifests`.
    pub fn of(source: &Source, types: &'t TypeSet, checked: &'t CheckedModules) -> Modules<'t> {
        Modules {
            types,
            own: OwnModule::of(source, types),
            checked,
            #[cfg(feature = "compile")]
            is_complete: OnceCell::new(),
        }
    }

    /// Returns the modules for data files, which belong to no manifest.
    #[cfg(feature = "compile")]
    pub fn without_file(types: &'t TypeSet, checked: &'t CheckedModules) -> Modules<'t> {
        Modules { types, own: None, checked, is_complete: OnceCell::new() }
    }

    /// Returns `true` unless the metadata of the module of the checked file lists its dependencies without this module.
    pub fn is_dependency(&self, module: &str) -> bool {
        let Some(own) = &self.own else { return true };
        own.name == module || own.dependencies.as_ref().is_none_or(|all| all.contains(module))
    }

    /// Returns the directories of a module.
    pub fn directories(&self, module: &str) -> Vec<PathBuf> {
        let own = self.own.iter().filter(|own| own.name == module).map(|own| own.directory.clone());
        let own = own.chain(self.checked.get(module).cloned());
        let loader = self.types.loader();
        let found = loader.module_directories().iter().map(|path| path.join(module));
        own.chain(found.filter(|directory| self.types.files().is_directory(directory))).collect()
    }

    /// Returns `true` if the modules that the module of the file depends on were found, and also the dependencies of these. A module without
    /// metadata depends on all modules in the `Puppetfile`.
    #[cfg(feature = "compile")]
    pub fn has_all_dependencies(&self) -> bool {
        *self.is_complete.get_or_init(|| self.find_dependencies().unwrap_or(false))
    }

    /// Returns `true` if the file belongs to a module, and not all modules that this module depends on were found.
    pub fn lacks_dependencies(&self) -> bool {
        #[cfg(feature = "compile")]
        return self.own.is_some() && !self.has_all_dependencies();
        #[cfg(not(feature = "compile"))]
        return self.own.is_some();
    }

    #[cfg(feature = "compile")]
    fn find_dependencies(&self) -> Option<bool> {
        let own = self.own.as_ref()?;
        let first = own.dependencies.clone().or_else(|| {
            let file = self.environment()?.join("Puppetfile");
            let text = self.types.files().read(&file.to_string_lossy(), false).ok()?;
            super::typed::puppetfile_modules(&text)
        })?;
        let mut open: Vec<EcoString> = first.into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(name) = open.pop() {
            if seen.insert(name.clone()) {
                let directory = self.directories(&name).into_iter().next()?;
                open.extend(OwnModule::read(directory, self.types)?.dependencies.unwrap_or_default());
            }
        }
        Some(true)
    }

    /// Returns the directory of the environment, which has the module of the file: the nearest one with a `Puppetfile` or an `environment.conf`.
    #[cfg(feature = "compile")]
    pub fn environment(&self) -> Option<PathBuf> {
        let files = self.types.files();
        let is_environment = |root: &&Path| {
            let is_there = |name: &str| files.check(&root.join(name)).is_ok() && files.exists(&root.join(name));
            ["environment.conf", "Puppetfile"].into_iter().any(is_there)
        };
        let found = self.own.as_ref()?.directory.ancestors().take(MAX_PARENTS).find(is_environment)?;
        Some(if found.as_os_str().is_empty() { PathBuf::from(".") } else { found.to_owned() })
    }

    /// Returns all directories of modules.
    pub fn all(&self) -> Vec<PathBuf> {
        let (files, loader) = (self.types.files(), self.types.loader());
        let found = loader.module_directories().iter().flat_map(|path| files.entries(path));
        self.own.iter().map(|own| own.directory.clone()).chain(self.checked.values().cloned()).chain(found).collect()
    }

    /// Returns `true` if the module exists.
    pub fn has(&self, module: &str) -> bool {
        !self.directories(module).is_empty()
    }

    /// Returns `true` if a file or directory of a module exists, or may not be looked at.
    pub fn has_file(&self, module: &str, path: &Path) -> bool {
        let files = self.types.files();
        let found = |directory: &PathBuf| Some(directory.join(path)).is_some_and(|file| files.check(&file).is_err() || files.exists(&file));
        self.directories(module).iter().any(found)
    }

    /// Returns the types, which read the files.
    pub fn types(&self) -> &'t TypeSet {
        self.types
    }
}

/// Adds the module of a file.
pub(super) fn add_checked(checked: &mut CheckedModules, source: &Source, types: &TypeSet) {
    if let Some(directory) = module_directory(source)
        && !checked.values().any(|known| *known == directory)
        && let Some(module) = OwnModule::of(source, types)
    {
        checked.entry(module.name).or_insert(directory);
    }
}

/// Adds the module with a hierarchy in its directory, and returns its name; `None` for the directory of an environment. A module has metadata,
/// or is on the module path.
#[cfg(feature = "compile")]
pub(super) fn add_module_of_data(checked: &mut CheckedModules, root: &Path, types: &TypeSet) -> Option<EcoString> {
    let files = types.files();
    let is_on_path = || root.parent().is_some_and(|parent| types.loader().module_directories().iter().any(|path| path == parent));
    let is_environment = ["environment.conf", "Puppetfile"].iter().any(|name| files.exists(&root.join(name)));
    if is_environment || !(files.exists(&root.join("metadata.json")) || is_on_path()) {
        return None;
    }
    let module = OwnModule::read(root.to_owned(), types)?;
    checked.entry(module.name.clone()).or_insert(module.directory);
    Some(module.name)
}

/// Returns the directory above the last `manifests` in the path of a file.
fn module_directory(source: &Source) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = Path::new(source.name()).components().collect();
    let at = parts.iter().rposition(|part| part.as_os_str() == "manifests")?;
    let directory: PathBuf = parts.get(..at)?.iter().collect();
    Some(if directory.as_os_str().is_empty() { PathBuf::from(".") } else { directory })
}

impl OwnModule {
    fn of(source: &Source, types: &TypeSet) -> Option<OwnModule> {
        OwnModule::read(module_directory(source)?, types)
    }

    /// Reads the metadata of a module. Without a name there, the module is named by its directory: `ntp` for `puppetlabs-ntp`.
    fn read(directory: PathBuf, types: &TypeSet) -> Option<OwnModule> {
        let after_author = |name: &str| EcoString::from(name.rsplit(['-', '/']).next().unwrap_or(name));
        let file = directory.join("metadata.json");
        let text = types.files().exists(&file).then(|| types.files().read(&file.to_string_lossy(), false).ok()).flatten();
        let metadata: serde_json::Value = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let named = metadata.get("name").and_then(|name| name.as_str());
        let of_directory = || directory.file_name().and_then(|name| name.to_str()).filter(|name| *name != "..");
        let name = named.or_else(of_directory).map(after_author)?;
        let dependencies = metadata.get("dependencies").and_then(|all| all.as_array()).map(|all| {
            let names = all.iter().filter_map(|one| one.get("name").and_then(|name| name.as_str()));
            names.map(after_author).collect()
        });
        Some(OwnModule { name, directory, dependencies })
    }
}

/// Returns `true` for a part of a qualified name, so that it can be part of a path.
pub(super) fn is_module_name(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
