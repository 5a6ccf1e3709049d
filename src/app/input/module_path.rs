//! The Ruby files of Puppet modules: files below the `lib` directories of modules in the same directory.

use rtype_lang::library::is_ruby;
use rtype_system::named;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Directories below `lib` that modules share, each with the number of leading path components that most modules have in common.
const SHARED: &[(&str, usize)] = &[("puppet", 2), ("puppet_x", 1)];

/// The `lib` directories of a module and of the neighbouring modules.
#[derive(Clone, Debug, Default)]
pub struct ModulePath {
    own: Option<PathBuf>,
    modules: Option<PathBuf>,
    beside: Arc<Neighbours>,
}

/// The modules in a directory. A directory is read when a file is first looked up there, and only once.
#[derive(Debug, Default)]
struct Neighbours {
    libs: OnceLock<Vec<PathBuf>>,
    /// By directory below `lib`, such as `puppet/provider`: the names in the directory, each with the `lib` directories that contain the
    /// name, in order.
    entries: Mutex<HashMap<String, Arc<Entries>>>,
}

type Entries = BTreeMap<String, Vec<PathBuf>>;

impl Neighbours {
    /// Returns the `lib` directories that may contain a path, in order: all directories with the first components of the path.
    fn with(&self, modules: Option<&Path>, path: &str) -> Vec<PathBuf> {
        let parts: Vec<&str> = path.split('/').collect();
        let Some((_, common)) = SHARED.iter().find(|(directory, _)| parts.first() == Some(directory)) else { return Vec::new() };
        let depth = (*common).min(parts.len() - 1);
        let Some((directory, name)) = parts.get(..depth).map(|d| d.join("/")).zip(parts.get(depth)) else { return Vec::new() };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = Arc::clone(entries.entry(directory).or_insert_with_key(|directory| Arc::new(self.read(modules, directory))));
        entries.get(*name).cloned().unwrap_or_default()
    }

    fn read(&self, modules: Option<&Path>, directory: &str) -> Entries {
        let libs = self.libs.get_or_init(|| {
            let entries = modules.and_then(|m| named::entries(m).ok()).into_iter().flatten();
            let libs: BTreeSet<PathBuf> = entries.map(|e| e.path().join("lib")).collect();
            libs.into_iter().collect()
        });
        let mut found = Entries::new();
        for lib in libs {
            for name in names(&lib.join(directory)) {
                found.entry(name).or_default().push(lib.clone());
            }
        }
        found
    }
}

/// Returns the names in a directory; empty if the directory cannot be read.
fn names(directory: &Path) -> impl Iterator<Item = String> {
    named::entries(directory).into_iter().flatten().filter_map(|e| e.file_name().into_string().ok())
}

/// Module paths of many files. Each directory of modules is searched once.
#[derive(Debug, Default)]
pub struct ModulePaths {
    known: HashMap<PathBuf, Arc<Neighbours>>,
}

impl ModulePaths {
    /// Returns the module path of a file, like [`ModulePath::of`].
    pub fn of(&mut self, file: &Path) -> ModulePath {
        let path = ModulePath::of(file);
        let Some(modules) = &path.modules else { return path };
        let beside = Arc::clone(self.known.entry(modules.clone()).or_insert_with(|| Arc::clone(&path.beside)));
        ModulePath { beside, ..path }
    }
}

impl ModulePath {
    /// Returns the module path of a file: the file's own module first, then the others sorted by name. Empty for a file outside of modules.
    pub fn of(file: &Path) -> ModulePath {
        let lib = |file: &Path| file.ancestors().find(|a| a.file_name().is_some_and(|n| n == "lib")).map(Path::to_owned);
        // Use the path as written, because the module may be a link to another directory.
        let written = lib(file).or_else(|| lib(&named::real_path(file).ok()?));
        let Some(written) = written else { return ModulePath::default() };
        let modules = written.parent().and_then(Path::parent);
        let modules = modules.map(|m| if m.as_os_str().is_empty() { PathBuf::from(".") } else { m.to_owned() });
        ModulePath { own: Some(written), modules, beside: Arc::default() }
    }

    /// Returns the location of a file such as `puppet_x/motd/units.rb`.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        let own = self.own.as_ref()?.join(path);
        if named::is_file(&own) {
            return Some(own);
        }
        self.beside.with(self.modules.as_deref(), path).iter().map(|lib| lib.join(path)).find(|file| named::is_file(file))
    }

    /// Returns the file of a type alias such as `Motd::Port`: `types/port.pp` of the module `motd`. The module's directory is named `motd`
    /// or, as a repository, `owner-motd`.
    pub fn find_type_alias(&self, name: &str) -> Option<PathBuf> {
        let parts: Vec<String> = name.split("::").map(str::to_lowercase).collect();
        let is_word = |part: &String| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let (module, rest) = parts.split_first().filter(|(_, rest)| !rest.is_empty() && parts.iter().all(is_word))?;
        let file = Path::new("types").join(rest.join("/")).with_extension("pp");
        let own = self.own.as_ref().and_then(|own| own.parent());
        let is_it = |directory: &Path| {
            let called = directory.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
            called == *module || called.ends_with(&format!("-{module}"))
        };
        let entries = self.modules.as_ref().and_then(|m| named::entries(m).ok()).into_iter().flatten();
        let others: BTreeSet<PathBuf> = entries.map(|e| e.path()).filter(|path| is_it(path)).collect();
        // The directory of the file's own module may have any name.
        own.into_iter().map(Path::to_owned).chain(others).map(|module| module.join(&file)).find(|file| named::is_file(file))
    }

    /// Lists the Ruby files of all modules in a directory such as `puppet/provider/motd`.
    pub fn list(&self, directory: &str) -> BTreeSet<String> {
        let of_modules = self.beside.with(self.modules.as_deref(), directory);
        let libs = of_modules.iter().chain(&self.own);
        let files = libs.flat_map(|lib| named::entries(lib.join(directory)).into_iter().flatten());
        let files = files.filter(|entry| entry.file_type().is_ok_and(|t| !t.is_dir()));
        files.filter_map(|e| e.file_name().into_string().ok()).filter(|name| is_ruby(Path::new(name))).collect()
    }
}

/// Selects the Ruby files that define types. Leaves out providers, which are read with their types, and helper files next to providers.
/// Keeps all other files.
pub fn ruby_types(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = Vec::new();
    for file in files {
        let mut file = file.clone();
        if super::is_provider(&file) {
            let directory = file.parent();
            let of = directory.and_then(|f| Some(f.parent()?.with_file_name("type").join(f.file_name()?).with_extension("rb")));
            match of.filter(|of| named::is_file(of)) {
                Some(of) => file = of,
                None if super::read_source(&file.to_string_lossy()).is_ok_and(|text| !text.contains(".provide")) => continue,
                None => {}
            }
        }
        if !all.contains(&file) {
            all.push(file);
        }
    }
    all
}
