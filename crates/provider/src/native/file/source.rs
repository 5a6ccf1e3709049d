//! Sources of content: local files, files of Puppet modules, and web servers.
//!
//! Follows Puppet 7.23's `type/file/source.rb` and `file_serving/metadata.rb`.

use super::posix::{self, DEFAULT_CHECKSUM, is_missing, time};
use super::web::{self, Page};
use crate::{Draft, FileQuery, ProviderError, RemoteFile, Resource, System};
use rtype_lang::value::{Map, Value, digest};
use rtype_system::{DirectoryEntry, Limit, Stat, Tree, process, trust};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The first existing source of a resource.
#[derive(Debug)]
pub(super) struct Source {
    uri: String,
    place: SourceFile,
}

#[derive(Debug)]
enum SourceFile {
    Here(Located, DirectoryEntry, Stat),
    Web(Page),
    Server(RemoteFile),
}

/// A file of this machine: below the root of the machine that is managed, or in a module.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    tree: Arc<Tree>,
    path: PathBuf,
}

impl Located {
    /// Returns the file at an absolute path.
    pub(crate) fn at(system: &System, path: &str) -> Located {
        Located { tree: Arc::clone(system.tree()), path: path.into() }
    }

    /// Returns its last name.
    pub(crate) fn name(&self) -> Option<&std::ffi::OsStr> {
        self.path.file_name()
    }

    /// Resolves it; `None` if a directory on the way does not exist.
    pub(crate) fn find(&self, follow: bool) -> io::Result<Option<DirectoryEntry>> {
        match self.tree.find(&self.path, follow) {
            Ok(place) => Ok(Some(place)),
            Err(e) if is_missing(&e) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Returns something below it.
    pub(crate) fn below(&self, relative: &str) -> Located {
        Located { tree: Arc::clone(&self.tree), path: self.path.join(relative) }
    }

    /// Returns the content, which is copied to another file.
    pub(super) fn read(&self, limit: Limit) -> io::Result<Option<Vec<u8>>> {
        self.tree.read_source(&self.path, limit)
    }

    /// Opens the file, whose content is copied to another file, by the place where it was found.
    fn open(&self, place: &DirectoryEntry) -> io::Result<File> {
        self.tree.open_source(place).map(|(file, _)| file)
    }
}

/// Returns the first existing source of the resource, `None` if it has no `source`.
///
/// # Errors
/// If none exists, or one cannot be examined.
pub(super) fn find(system: &System, resource: &dyn Resource) -> Result<Option<Source>, ProviderError> {
    let uris = match resource.wanted("source") {
        Value::Nil => return Ok(None),
        Value::Array(all) => all.to_vec(),
        one => vec![one],
    };
    let follow = resource.wanted("links").is_sym("follow");
    let checksum = resource.wanted("checksum");
    let checksum = checksum.as_text().unwrap_or(DEFAULT_CHECKSUM);
    let permissions = resource.wanted("source_permissions");
    let permissions = permissions.as_text().unwrap_or("ignore");
    let query = FileQuery { checksum, follow, permissions };
    for uri in &uris {
        let uri = uri.unwrapped().to_text();
        if let Some(place) = place(system, &uri, query)? {
            return Ok(Some(Source { uri: web::shown(&uri), place }));
        }
    }
    let all: Vec<String> = uris.iter().map(|u| web::shown(&u.unwrapped().to_text())).collect();
    let message = format!("Could not retrieve information from source(s) {}", all.join(", "));
    Err(ProviderError::new(message).help("none of them exists"))
}

/// Returns the location of a source, `None` if it does not exist.
fn place(system: &System, uri: &str, query: FileQuery<'_>) -> Result<Option<SourceFile>, ProviderError> {
    if let Some(server) = system.file_server(uri) {
        return Ok(server.look(uri, query)?.map(SourceFile::Server));
    }
    if web::is_web(uri) {
        return Ok(Page::look(uri)?.map(SourceFile::Web));
    }
    let Some(file) = local(system, uri)? else { return Ok(None) };
    let look = || -> io::Result<Option<SourceFile>> {
        let Some(place) = file.find(query.follow)? else { return Ok(None) };
        Ok(place.stat()?.map(|stat| SourceFile::Here(file.clone(), place, stat)))
    };
    look().map_err(|e| System::cannot_read(uri, &e))
}

/// Returns the text of a source for blocks, nil if it does not exist.
///
/// # Errors
/// If it cannot be read, or is not text.
pub(crate) fn text(system: &System, uri: &str) -> Result<Value, ProviderError> {
    if web::is_web(uri) {
        let Some(page) = Page::look(uri)? else { return Ok(Value::Nil) };
        return posix::text_of(page.read()?, &web::shown(uri));
    }
    if let Some(server) = system.file_server(uri) {
        let Some(file) = server.look(uri, FileQuery { checksum: DEFAULT_CHECKSUM, follow: true, permissions: "ignore" })? else {
            return Ok(Value::Nil);
        };
        return posix::text_of(server.content(&file)?, uri);
    }
    match local(system, uri)? {
        Some(file) => posix::text(&file, uri),
        None => Ok(Value::Nil),
    }
}

/// Returns the local path of a source, `None` if the module does not exist.
///
/// # Errors
/// If it is on another machine.
pub(crate) fn local(system: &System, uri: &str) -> Result<Option<Located>, ProviderError> {
    let Some((scheme, rest)) = uri.split_once(':').filter(|_| !uri.starts_with('/')) else {
        return Ok(Some(Located::at(system, uri)));
    };
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let parts = Path::new(path).components();
    if parts.clone().any(|part| part == Component::ParentDir) {
        return Err(ProviderError::new(format!("`{uri}`: a source has no `..` in it")));
    }
    match scheme {
        "file" => Ok(Some(Located::at(system, path))),
        "puppet" if host.is_empty() => in_module(system, uri, path),
        "puppet" => Err(ProviderError::new(format!("`{uri}` is on a Puppet server, from which nothing is fetched"))
            .help("write `puppet:///modules/NAME/FILE` and give the module path")),
        _ => Err(ProviderError::new(format!("`{}` is not a local path, so no other sources can be found below it", web::shown(uri)))),
    }
}

/// `/modules/NAME/FILE` is `NAME/files/FILE` in the first directory that has the module.
fn in_module(system: &System, uri: &str, path: &str) -> Result<Option<Located>, ProviderError> {
    let mut parts = path.trim_matches('/').splitn(3, '/');
    let (mount, module, file) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
    let Some(module) = module.filter(|_| mount == Some("modules")) else {
        return Err(ProviderError::new(format!("`{uri}` names no module: `puppet:///modules/NAME/FILE` does")));
    };
    if system.module_path().is_empty() {
        return Err(ProviderError::new(format!("`{uri}` cannot be found: where modules are is not known")).help("give `--modulepath`"));
    }
    let tree = system.host_tree();
    for directory in system.module_path() {
        let home = std::path::absolute(directory).map_err(|e| System::cannot_read(uri, &e))?.join(module);
        if tree.look(&home, true).map_err(|e| System::cannot_read(uri, &e))?.is_some_and(|stat| stat.is_dir()) {
            let path = home.join("files").join(file);
            if let Err(why) = trust::check(&path) {
                return Err(ProviderError::new(why.message).help(why.help));
            }
            return Ok(Some(Located { tree: Arc::clone(tree), path }));
        }
    }
    Ok(None)
}

impl Source {
    /// Returns the metadata that a resource can copy: the file type, the checksum in the resource's checksum type, the target of a link,
    /// and owner, group and mode.
    ///
    /// # Errors
    /// If the source cannot be read, or has an unsupported file type.
    pub fn metadata(&self, resource: &dyn Resource) -> Result<Value, ProviderError> {
        let failed = |e: std::io::Error| System::cannot_read(&self.uri, &e);
        let mut map = Map::new();
        let mut add = |name: &str, value: Value| {
            map.insert(Value::sym(name), value);
        };
        add("uri", Value::str(&self.uri));
        let wanted = resource.wanted("checksum");
        let algorithm = wanted.as_text().unwrap_or(DEFAULT_CHECKSUM);
        let (file, place, stat) = match &self.place {
            SourceFile::Here(file, place, stat) => (file, place, stat),
            SourceFile::Web(page) => {
                add("checksum", Value::str(page.checksum(algorithm)?));
                add("type", Value::sym("file"));
                return Ok(Value::Map(Arc::new(map)));
            }
            SourceFile::Server(file) => {
                let checksum = file.checksum.as_ref().filter(|_| file.kind == "file");
                checksum.into_iter().for_each(|sum| add("checksum", Value::str(sum)));
                file.target.iter().for_each(|target| add("target", Value::str(target)));
                add("type", Value::sym(file.kind));
                add("owner", Value::Int(file.owner.into()));
                add("group", Value::Int(file.group.into()));
                add("mode", Value::str(format!("{:o}", file.mode)));
                return Ok(Value::Map(Arc::new(map)));
            }
        };
        let kind = stat.kind();
        match kind {
            "file" => {
                let sum = match algorithm {
                    "mtime" => time(stat.mtime.0),
                    "ctime" => time(stat.ctime.0),
                    _ => file.open(place).and_then(|opened| digest::of_reader(algorithm, opened)).map_err(failed)?.unwrap_or_default(),
                };
                add("checksum", Value::str(format!("{{{algorithm}}}{sum}")));
            }
            "link" => add("target", Value::str(place.target().map_err(failed)?.to_string_lossy())),
            "directory" => {}
            other => return Err(ProviderError::new(format!("Cannot manage files of type {other}: {}", self.uri))),
        }
        add("type", Value::sym(kind));
        add("owner", Value::Int(stat.uid.into()));
        add("group", Value::Int(stat.gid.into()));
        add("mode", Value::str(format!("{:o}", stat.mode())));
        Ok(Value::Map(Arc::new(map)))
    }

    /// Copies its content, piece by piece.
    ///
    /// # Errors
    /// When it cannot be read, or the draft not be written, or a server sends other content than it said.
    pub fn copy(&self, system: &System, draft: &mut Draft) -> Result<(), ProviderError> {
        let (file, place, stat) = match &self.place {
            SourceFile::Here(file, place, stat) => (file, place, stat),
            SourceFile::Web(page) => return page.copy(draft),
            SourceFile::Server(file) => return copy_verified(system, file, draft),
        };
        if !stat.is_file() {
            return Err(ProviderError::new(format!("{} is no longer a file", self.uri)).help("run again"));
        }
        let mut from = file.open(place).map_err(|e| System::cannot_read(&self.uri, &e))?;
        match std::io::copy(&mut from, draft.file()) {
            Ok(_) => Ok(()),
            Err(e) => Err(draft.failed(&e)),
        }
    }

    /// Sets the modification time of the copy to that of the source if the source's time is in the future. Otherwise
    /// the copy would be the older one and be copied again in each run, as in Puppet.
    ///
    /// # Errors
    /// If the draft cannot be written.
    /// When the draft cannot be written.
    pub fn hand_time_on(&self, draft: &mut Draft) -> Result<(), ProviderError> {
        let modified = match &self.place {
            SourceFile::Here(_, _, stat) => Some(stat.modified()),
            SourceFile::Web(page) => page.modified(),
            SourceFile::Server(_) => None,
        };
        match modified {
            Some(time) if time > process::time() => draft.file().set_modified(time).map_err(|e| draft.failed(&e)),
            _ => Ok(()),
        }
    }

    /// Returns its text for a diff; `None` if it is too large or not text.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn shown(&self, system: &System) -> Result<Option<String>, ProviderError> {
        let shown = match &self.place {
            SourceFile::Server(file) => {
                let Some(server) = system.file_server(&file.uri) else { return Ok(None) };
                posix::shown_of(server.content(file)?)
            }
            SourceFile::Here(file, place, stat) if stat.is_file() => file.open(place).and_then(posix::shown_of),
            SourceFile::Here(..) => return Ok(None),
            SourceFile::Web(page) => posix::shown_of(page.read()?),
        };
        shown.map_err(|e| System::cannot_read(&self.uri, &e))
    }
}

/// Copies a file of a server and compares the checksum of what came with the one that the server said before.
fn copy_verified(system: &System, file: &RemoteFile, draft: &mut Draft) -> Result<(), ProviderError> {
    let Some(server) = system.file_server(&file.uri) else {
        return Err(ProviderError::new(format!("`{}` is on a server that is not there any more", file.uri)));
    };
    let mut from = server.content(file)?;
    std::io::copy(&mut from, draft.file()).map_err(|e| match e.raw_os_error() {
        Some(_) => draft.failed(&e),
        None => ProviderError::new(format!("cannot download `{}`: {e}", file.uri)),
    })?;
    let Some((kind, wanted)) = file.checksum.as_deref().and_then(|sum| sum.strip_prefix('{')?.split_once('}')) else { return Ok(()) };
    if !digest::is_known(kind) {
        return Ok(());
    }
    let written = draft.written()?;
    let found = digest::of_reader(kind, written).map_err(|e| draft.failed(&e))?.unwrap_or_default();
    if found == wanted {
        return Ok(());
    }
    let message = format!("`{}` arrived with the checksum {{{kind}}}{found} instead of {{{kind}}}{wanted}", file.uri);
    Err(ProviderError::new(message).help("the file may have changed on the server in between: run again"))
}
