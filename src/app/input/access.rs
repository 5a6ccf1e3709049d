//! Access control for files that the user did not name explicitly.

use super::{problem, unreadable};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_system::{Stat, named, trust};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// The entries that mark the root of a repository.
const MARKERS: &[&str] = &["rtype.toml", ".git"];

/// The files that rtype may open.
#[derive(Clone, Debug, Default)]
pub enum FileAccess {
    /// All files.
    #[default]
    Any,
    /// Only files controlled by root or the caller, because rtype executes programs that these files name.
    Trusted,
    /// Files below certain directories after following links: the repository may be untrusted.
    Within(Boundary),
}

impl FileAccess {
    /// Checks a file or directory that the user did not name.
    ///
    /// # Errors
    /// RT413 if others control it, RT415 if a link leads out of the repository.
    pub fn check(&self, path: &Path) -> Result<(), Diagnostic> {
        match self {
            FileAccess::Any => Ok(()),
            FileAccess::Trusted => trusted(path).map(drop),
            FileAccess::Within(boundary) => boundary.check(path),
        }
    }

    /// Checks a file that the user named. Only the path to the file matters, not the owner.
    ///
    /// # Errors
    /// RT415 if a link in the repository leads out of it.
    pub fn check_named(&self, path: &Path) -> Result<(), Diagnostic> {
        match self {
            FileAccess::Within(boundary) => boundary.check(path),
            FileAccess::Any | FileAccess::Trusted => Ok(()),
        }
    }

    /// Reads a file that rtype found, or that the user named (`is_named`); `-` is standard input.
    ///
    /// # Errors
    /// As [`FileAccess::check`] and [`super::read_source`].
    pub fn read(&self, path: &str, is_named: bool) -> Result<String, Diagnostic> {
        if path == "-" {
            return super::read_source(path);
        }
        let mut checked = None;
        match self {
            FileAccess::Trusted if !is_named => checked = Some(trusted(Path::new(path))?),
            _ => self.check_named(Path::new(path))?,
        }
        // The file may have been replaced after the check, so check the opened file.
        super::read_opened(path, &|file| match self {
            FileAccess::Within(boundary) => match named::target(format!("/proc/self/fd/{}", file.as_raw_fd())) {
                Ok(real) if real.is_absolute() && !boundary.holds(&real) => {
                    boundary.check(Path::new(path)).and(Err(problem(Code::OutsideRoot, format!("`{path}` changed while it was read"))))
                }
                _ => Ok(()),
            },
            FileAccess::Trusted if checked.is_some_and(|checked| !is_same(checked, file)) => {
                Err(problem(Code::UntrustedPath, format!("`{path}` changed while it was read")).help("run again"))
            }
            FileAccess::Any | FileAccess::Trusted => Ok(()),
        })
    }

    /// Writes a file like [`super::write_file`].
    ///
    /// # Errors
    /// RT411 if the file cannot be written, RT415 if the file is outside the repository.
    pub fn write(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        self.check_named(Path::new(path))?;
        super::write_file(path, text, None)
    }

    /// Writes a file that the user named, or a file below a directory that the user named, and sets its mode to 0600.
    ///
    /// # Errors
    /// The same as for [`FileAccess::write`].
    pub fn write_private(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        let mut access = self.clone();
        access.admit(Path::new(path));
        access.check_named(Path::new(path))?;
        super::write_file(path, text, Some(0o600))
    }

    /// Writes a file that the user named.
    ///
    /// # Errors
    /// The same as for [`FileAccess::write`].
    pub fn write_named(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        let mut access = self.clone();
        access.admit(Path::new(path));
        access.write(path, text)
    }

    /// Returns whether a path is inside the allowed directories, without following links.
    pub fn sees(&self, path: &Path) -> bool {
        match self {
            FileAccess::Within(boundary) => {
                let path = boundary.absolute(path);
                boundary.roots.iter().any(|root| path.starts_with(&root.named) || path.starts_with(&root.real))
            }
            FileAccess::Any | FileAccess::Trusted => true,
        }
    }

    /// Allows access to a path that the user named, and to the files next to it.
    pub fn admit(&mut self, path: &Path) {
        if let FileAccess::Within(boundary) = self {
            boundary.admit(path);
        }
    }
}

/// Checks that only root and the caller control a path.
///
/// # Errors
/// RT413 with the component that others control.
pub fn trusted(path: &Path) -> Result<Option<Stat>, Diagnostic> {
    trust::check(path).map_err(|why| problem(Code::UntrustedPath, why.message).help(why.help))
}

fn is_same(checked: Option<Stat>, opened: &File) -> bool {
    let opened = opened.metadata().ok();
    checked.zip(opened).is_some_and(|(checked, opened)| (checked.dev, checked.ino) == (opened.dev(), opened.ino()))
}

/// Checks that a directory named by an option exists.
///
/// # Errors
/// RT401 if the directory does not exist, with a similar name.
pub fn directory(option: &str, path: &Path) -> Result<(), Diagnostic> {
    let shown = path.display().to_string();
    match named::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            Err(problem(Code::CannotRead, format!("`{option} {shown}` is a file, not a directory"))
                .help("name the directory that it is in"))
        }
        Err(error) => {
            if error.kind() == std::io::ErrorKind::NotFound {
                let help = super::near_name(&shown).unwrap_or_else(|| "check the path".into());
                return Err(problem(Code::CannotRead, format!("`{option} {shown}`: there is no such directory")).help(help));
            }
            Err(unreadable(&shown, &error))
        }
    }
}

/// The directories that may contain files, after following links.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The paths for messages and the resolved paths. The repository of the run comes first.
    roots: Vec<Root>,
    /// The base of relative paths.
    here: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Root {
    named: PathBuf,
    real: PathBuf,
}

impl Boundary {
    /// Finds the repository of a directory: the directory of the configuration, else the nearest directory with a repository marker, else
    /// the directory itself.
    pub fn around(here: &Path, configuration: Option<&Path>) -> Boundary {
        let root = configuration.map(Path::to_owned).or_else(|| repository(here));
        let mut boundary = Boundary { roots: Vec::new(), here: here.to_owned() };
        boundary.add(root.as_deref().unwrap_or(here));
        boundary
    }

    /// Returns the directory that paths must not leave.
    pub fn root(&self) -> &Path {
        self.roots.first().map_or(&self.here, |root| &root.named)
    }

    /// Allows access to a path outside the repository that the user named. Admits the whole repository around the path, else only the path.
    pub fn admit(&mut self, path: &Path) {
        let path = self.absolute(path);
        let parent = path.parent().and_then(|p| named::real_path(p).ok());
        let located = parent.zip(path.file_name()).map(|(parent, name)| parent.join(name));
        // Inside the repository, links are checked. Elsewhere the path is allowed as named, even through a link next to an earlier path,
        // such as Debian's modules.
        let is_located_in = |root: &Root| path.starts_with(&root.named) || located.as_ref().is_some_and(|l| l.starts_with(&root.real));
        let is_in_repository = self.roots.first().is_some_and(is_located_in)
            || (self.roots.iter().any(is_located_in) && path.parent().is_some_and(|parent| repository(parent).is_some()));
        if is_in_repository || real(&path).is_some_and(|real| self.holds(&real)) {
            return;
        }
        let is_directory = named::metadata(&path).is_ok_and(|m| m.is_dir());
        if !is_directory {
            // The file itself may be a link to anywhere, because the user named it.
            self.add(&path);
        }
        let directory = if is_directory { path.as_path() } else { path.parent().unwrap_or(&path) };
        match repository(directory) {
            Some(root) => self.add(&root),
            None => {
                self.add(directory);
                // Modules in the same directory share Ruby files.
                let modules = directory.ancestors().find(|d| named::is_dir(d.join("lib/puppet"))).and_then(Path::parent);
                modules.into_iter().for_each(|modules| self.add_modules(modules));
            }
        }
    }

    /// Allows access to a directory of modules. If a module is a link, as in Debian, its `lib` is allowed.
    fn add_modules(&mut self, modules: &Path) {
        self.add(modules);
        let is_link = |path: &PathBuf| named::link_metadata(path).is_ok_and(|m| m.is_symlink());
        let entries = named::entries(modules).into_iter().flatten().map(|entry| entry.path());
        let links: Vec<PathBuf> = entries.filter(is_link).map(|module| module.join("lib")).collect();
        let is_module = |lib: &&PathBuf| ["puppet", "puppet_x"].iter().any(|folder| named::is_dir(lib.join(folder)));
        links.iter().filter(is_module).for_each(|lib| self.add(lib));
    }

    fn add(&mut self, root: &Path) {
        let real = real(root).unwrap_or_else(|| root.to_owned());
        let root = Root { named: root.to_owned(), real };
        if !self.roots.contains(&root) {
            self.roots.push(root);
        }
    }

    /// Checks the target of a path. A path that does not exist yet is checked by its directory.
    ///
    /// # Errors
    /// RT415 with the link that leads out of the repository.
    pub fn check(&self, path: &Path) -> Result<(), Diagnostic> {
        let Some(real) = real(&self.here.join(path)) else { return Ok(()) };
        if self.holds(&real) {
            return Ok(());
        }
        let absolute = self.absolute(path);
        let shown = super::relative(&path.to_string_lossy());
        let root = self.root().display();
        let message = match self.link(&absolute) {
            Some((link, target)) if link == absolute => format!("`{shown}` is a link to `{}`, outside of `{root}`", target.display()),
            Some((link, target)) => {
                let link = super::relative(&link.to_string_lossy());
                format!("cannot use `{shown}`: `{link}` is a link to `{}`, outside of `{root}`", target.display())
            }
            None => format!("`{shown}` is outside of `{root}`"),
        };
        Err(problem(Code::OutsideRoot, message).help("copy it into the repository, or allow it with `--allow-outside`"))
    }

    /// Returns whether a resolved path is inside the allowed directories.
    pub fn holds(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| real.starts_with(&root.real))
    }

    /// Returns the link on a path that leads outside, and the target of the link.
    fn link(&self, path: &Path) -> Option<(PathBuf, PathBuf)> {
        let is_out = |p: &Path| real(p).is_some_and(|real| !self.holds(&real));
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        // The first component that resolves to an outside path is the link.
        let inside = above.iter().position(|p| self.roots.iter().any(|root| *p == root.named))?;
        let link = above.into_iter().skip(inside).find(|p| is_out(p))?;
        Some((link.to_owned(), named::target(link).ok()?))
    }

    /// Returns the absolute path without `.` and `..`; links are not resolved.
    fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = PathBuf::new();
        for part in self.here.join(path).components() {
            match part {
                Component::ParentDir => drop(absolute.pop()),
                Component::CurDir => {}
                part => absolute.push(part),
            }
        }
        absolute
    }
}

/// Resolves all links in a path; a dangling link resolves to its missing target.
fn real(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    let mut missing: Vec<std::ffi::OsString> = Vec::new();
    // The kernel has the same limit.
    for _ in 0..40 {
        if let Ok(mut real) = named::real_path(&path) {
            real.extend(missing.iter().rev());
            return Some(real);
        }
        match named::target(&path) {
            Ok(target) => path = path.parent()?.join(target),
            Err(_) => {
                missing.push(path.file_name()?.to_owned());
                path.pop();
            }
        }
    }
    None
}

/// Returns the nearest directory with an `rtype.toml` or `.git`, starting at a directory.
fn repository(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|d| MARKERS.iter().any(|marker| named::link_metadata(d.join(marker)).is_ok())).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn named_files_of_linked_modules_are_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("repository/.git")).unwrap();
        fs::create_dir_all(at("modules")).unwrap();
        for name in ["a", "b"] {
            let directory = at(&format!("available/{name}/lib/puppet/type"));
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join("x.rb"), "").unwrap();
            std::os::unix::fs::symlink(at(&format!("available/{name}")), at(&format!("modules/{name}"))).unwrap();
        }
        std::os::unix::fs::symlink(at("available/a"), at("repository/link")).unwrap();
        let mut boundary = Boundary::around(&at("repository"), None);
        let named = ["modules/a/lib/puppet/type/x.rb", "modules/b/lib/puppet/type/x.rb"].map(at);
        assert!(named.iter().all(|path| boundary.check(path).is_err()));
        named.iter().for_each(|path| boundary.admit(path));
        assert!(named.iter().all(|path| boundary.check(path).is_ok()));
        // The other files in a linked module and in neighbouring modules are accessible, too.
        fs::create_dir_all(at("available/b/lib/puppet_x")).unwrap();
        fs::write(at("available/b/lib/puppet_x/y.rb"), "").unwrap();
        let mut boundary = Boundary::around(&at("repository"), None);
        boundary.admit(&named[0]);
        assert!(boundary.check(&at("modules/b/lib/puppet_x/y.rb")).is_ok());
        assert!(boundary.check(&at("available/a")).is_err(), "only its Ruby");
        let mut boundary = Boundary::around(&at("repository"), None);
        ["modules/a", "modules/b"].iter().for_each(|module| boundary.admit(&at(module)));
        assert!(boundary.check(&at("modules/a")).is_ok() && boundary.check(&at("modules/b")).is_ok());
        fs::create_dir(at("modules/.git")).unwrap();
        let mut boundary = Boundary::around(&at("repository"), None);
        boundary.admit(&at("modules"));
        boundary.admit(&at("modules/b"));
        assert!(boundary.check(&at("modules/b")).is_err(), "a link in another repository");
        fs::remove_dir(at("modules/.git")).unwrap();
        let mut boundary = Boundary::around(&at("repository"), None);
        boundary.admit(&at("repository/link/lib/puppet/type/x.rb"));
        assert!(boundary.check(&at("repository/link/lib/puppet/type/x.rb")).is_err());
    }
}
