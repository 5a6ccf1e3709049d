//! Which files may be read and written in addition to those that the user names.

use super::{problem, unreadable};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_system::{Stat, named, trust};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// What the directory of a repository holds.
const MARKERS: &[&str] = &["rtype.toml", ".git"];

/// Which files rtype may open.
#[derive(Clone, Debug, Default)]
pub enum Access {
    /// All of them.
    #[default]
    Any,
    /// Those that belong to root or the caller: programs are run for what is in them.
    Trusted,
    /// Those below some directories, wherever links lead: the repository may come from anybody.
    Within(Boundary),
}

impl Access {
    /// Checks a file or directory that rtype has found by itself.
    ///
    /// # Errors
    /// RT413 when others control it, RT415 when a link leads out of the repository.
    pub fn check(&self, path: &Path) -> Result<(), Diagnostic> {
        match self {
            Access::Any => Ok(()),
            Access::Trusted => trusted(path).map(drop),
            Access::Within(boundary) => boundary.check(path),
        }
    }

    /// Checks a file that the user names: only the way to it matters, not whose it is.
    ///
    /// # Errors
    /// RT415 when a link in the repository leads out of it.
    pub fn check_named(&self, path: &Path) -> Result<(), Diagnostic> {
        match self {
            Access::Within(boundary) => boundary.check(path),
            Access::Any | Access::Trusted => Ok(()),
        }
    }

    /// Reads a text that rtype has found, or `is_named` by the user; `-` is standard input.
    ///
    /// # Errors
    /// As [`Access::check`] and [`super::read_source`].
    pub fn read(&self, path: &str, is_named: bool) -> Result<String, Diagnostic> {
        if path == "-" {
            return super::read_source(path);
        }
        let mut checked = None;
        match self {
            Access::Trusted if !is_named => checked = Some(trusted(Path::new(path))?),
            _ => self.check_named(Path::new(path))?,
        }
        // Something else may have been put there after the check: what was opened counts.
        super::read_opened(path, &|file| match self {
            Access::Within(boundary) => match named::target(format!("/proc/self/fd/{}", file.as_raw_fd())) {
                Ok(real) if real.is_absolute() && !boundary.holds(&real) => {
                    boundary.check(Path::new(path)).and(Err(problem(Code::OutsideRoot, format!("`{path}` changed while it was read"))))
                }
                _ => Ok(()),
            },
            Access::Trusted if checked.is_some_and(|checked| !is_same(checked, file)) => {
                Err(problem(Code::UntrustedPath, format!("`{path}` changed while it was read")).help("run again"))
            }
            Access::Any | Access::Trusted => Ok(()),
        })
    }

    /// Writes a text as [`super::write_file`] does.
    ///
    /// # Errors
    /// RT411 when it cannot be written, RT415 when it would be written outside the repository.
    pub fn write(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        self.check_named(Path::new(path))?;
        super::write_file(path, text)
    }

    /// Writes a text to a file that the user names.
    ///
    /// # Errors
    /// As [`Access::write`].
    pub fn write_named(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        let mut access = self.clone();
        access.admit(Path::new(path));
        access.write(path, text)
    }

    /// Whether a path, links not followed, is where rtype may look.
    pub fn sees(&self, path: &Path) -> bool {
        match self {
            Access::Within(boundary) => {
                let path = boundary.absolute(path);
                boundary.roots.iter().any(|root| path.starts_with(&root.named) || path.starts_with(&root.real))
            }
            Access::Any | Access::Trusted => true,
        }
    }

    /// Accepts a path that the user names, and what is next to it.
    pub fn admit(&mut self, path: &Path) {
        if let Access::Within(boundary) = self {
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

/// A directory that an option names.
///
/// # Errors
/// RT401 when there is none, with a similar name.
pub fn directory(option: &str, path: &Path) -> Result<(), Diagnostic> {
    let shown = path.display().to_string();
    match named::metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            Err(problem(Code::CannotRead, format!("`{option} {shown}` is a file, not a directory"))
                .help("name the directory that it is in"))
        }
        Err(error) => {
            let mut found = unreadable(&shown, &error);
            if error.kind() == std::io::ErrorKind::NotFound {
                found.message = format!("`{option} {shown}`: there is no such directory");
                found.help = found.help.filter(|help| !help.contains("standard input")).or_else(|| Some("check the path".into()));
            }
            Err(found)
        }
    }
}

/// The directories that files may be in, once all links are followed.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// As it is shown, and as links see it: the repository of the run first.
    roots: Vec<Root>,
    /// Where relative paths begin.
    here: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Root {
    named: PathBuf,
    real: PathBuf,
}

impl Boundary {
    /// The repository around a directory: that of a configuration, else the nearest one with a `.git`. Without either it is the
    /// directory itself.
    pub fn around(here: &Path, configuration: Option<&Path>) -> Boundary {
        let root = configuration.map(Path::to_owned).or_else(|| repository(here));
        let mut boundary = Boundary { roots: Vec::new(), here: here.to_owned() };
        boundary.add(root.as_deref().unwrap_or(here));
        boundary
    }

    /// The directory that paths may not leave.
    pub fn root(&self) -> &Path {
        self.roots.first().map_or(&self.here, |root| &root.named)
    }

    /// Accepts a path that the user names outside the repository: there the repository around it counts, else the path itself.
    pub fn admit(&mut self, path: &Path) {
        let path = self.absolute(path);
        let parent = path.parent().and_then(|p| named::real_path(p).ok());
        let located = parent.zip(path.file_name()).map(|(parent, name)| parent.join(name));
        // In the repository its links decide. Elsewhere a name that was typed counts, also through a link next to one that was typed before,
        // such as Debian's modules.
        let is_in_repository = self.roots.first().is_some_and(|root| path.starts_with(&root.named));
        if is_in_repository || self.roots.iter().any(|root| located.as_ref().is_some_and(|l| l.starts_with(&root.real))) {
            return;
        }
        let is_directory = named::metadata(&path).is_ok_and(|m| m.is_dir());
        if !is_directory {
            // The file itself may be a link to anywhere: its name was typed.
            self.add(&path);
        }
        let directory = if is_directory { path.as_path() } else { path.parent().unwrap_or(&path) };
        match repository(directory) {
            Some(root) => self.add(&root),
            None => {
                self.add(directory);
                // Modules that are next to each other share their Ruby.
                let modules = directory.ancestors().find(|d| named::is_dir(d.join("lib/puppet"))).and_then(Path::parent);
                modules.into_iter().for_each(|modules| self.add_modules(modules));
            }
        }
    }

    /// Accepts a directory of modules. Those that are links, as Debian's are, are accepted as far as they are modules: their `lib`.
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

    /// Checks where a path leads. One that does not exist yet is where its directory is.
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

    /// Whether a path without links is inside.
    pub fn holds(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| real.starts_with(&root.real))
    }

    /// The last link on the way to a path, and where it leads.
    fn link(&self, path: &Path) -> Option<(PathBuf, PathBuf)> {
        let is_out = |p: &Path| real(p).is_some_and(|real| !self.holds(&real));
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        // The first component that is out is the link that leads there.
        let inside = above.iter().position(|p| self.roots.iter().any(|root| *p == root.named))?;
        let link = above.into_iter().skip(inside).find(|p| is_out(p))?;
        Some((link.to_owned(), named::target(link).ok()?))
    }

    /// The path from the root, without dots: links are not looked at.
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

/// Where a path leads when all links are followed; a link to something that is not there yet leads there, too.
fn real(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    let mut missing: Vec<std::ffi::OsString> = Vec::new();
    // As many links as the kernel follows.
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

/// The directory of the nearest `rtype.toml` or `.git` at or above a directory.
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
        // What else is in a linked module, and in those next to it, is read with it.
        fs::create_dir_all(at("available/b/lib/puppet_x")).unwrap();
        fs::write(at("available/b/lib/puppet_x/y.rb"), "").unwrap();
        let mut boundary = Boundary::around(&at("repository"), None);
        boundary.admit(&named[0]);
        assert!(boundary.check(&at("modules/b/lib/puppet_x/y.rb")).is_ok());
        assert!(boundary.check(&at("available/a")).is_err(), "only its Ruby");
        let mut boundary = Boundary::around(&at("repository"), None);
        boundary.admit(&at("repository/link/lib/puppet/type/x.rb"));
        assert!(boundary.check(&at("repository/link/lib/puppet/type/x.rb")).is_err());
    }
}
