//! The file of an archive: checking, downloading, extracting and removing it. Shared by all providers of the type.
//!
//! Follows `puppet/provider/archive/ruby.rb` of Puppet's module puppet-archive 4.1.0, with these
//! differences: a download replaces the file atomically, secrets are not passed to download programs as arguments, and a file that
//! another user controls is not unpacked.

use super::unpack;
use crate::native::accounts;
use crate::native::common::{Property, pick};
use crate::native::http::decoded;
use crate::native::needs;
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Resource, Select, System, Thing};
use rtype_lang::redact::without_password;
use rtype_lang::value::{Value, digest};
use rtype_system::{DirectoryEntry, Limit, Scratch};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a download or unpacking may take. Puppet has no limit, and a server that never ends keeps it for ever.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// Where downloads are kept until they are complete.
const TEMPORARY: &str = "/tmp";

/// The permissions of a downloaded file.
const FILE_MODE: u32 = 0o644;

/// How something is fetched from the web, into a new file of a directory.
pub(super) type Fetch = fn(&System, &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError>;

/// A provider of archives.
#[derive(Clone, Copy, Debug)]
pub struct Archive {
    pub(super) fetch: Fetch,
}

/// An attribute as text; none where it is not set.
pub(super) fn text(resource: &dyn Resource, attribute: &str) -> Option<String> {
    match resource.wanted(attribute).unwrapped() {
        Value::Nil => None,
        value => Some(value.to_text().to_string()),
    }
}

fn says_yes(resource: &dyn Resource, attribute: &str) -> bool {
    resource.wanted(attribute).is_sym("true")
}

/// Returns the checksum of a file, `None` if no checksum is configured.
fn sum(resource: &dyn Resource, file: &DirectoryEntry, shown: &str) -> Result<Option<String>, ProviderError> {
    let kind = match text(resource, "checksum_type") {
        None => return Ok(None),
        Some(kind) if kind == "none" => return Ok(None),
        Some(kind) if kind == "sha2" => "sha256".to_owned(),
        Some(kind) => kind,
    };
    let (opened, _) = file.open().map_err(|e| System::cannot_read(shown, &e))?;
    digest::of_reader(&kind, opened).map_err(|e| System::cannot_read(shown, &e))
}

/// Returns the first word of a text that looks like a checksum.
fn checksum_in(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let fits = |word: &&str| (32..=128).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_hexdigit());
    words.into_iter().find(fits).map(str::to_lowercase)
}

/// Returns whether what the archive holds is there.
fn is_unpacked(system: &System, resource: &dyn Resource) -> Result<bool, ProviderError> {
    // As in Puppet a link that leads nowhere does not count.
    Ok(match text(resource, "creates") {
        Some(path) => system.look(&path, true)?.is_some(),
        None => false,
    })
}

/// Returns the file itself, if it is there.
fn file(system: &System, path: &str) -> Result<Option<DirectoryEntry>, ProviderError> {
    if system.look(path, true)?.is_none() {
        return Ok(None);
    }
    system.tree().follow(Path::new(path)).map(Some).map_err(|e| System::cannot_read(path, &e))
}

impl Archive {
    /// Returns the checksum that the file should have.
    fn wanted_sum(self, system: &System, resource: &dyn Resource) -> Result<Option<String>, ProviderError> {
        match (text(resource, "checksum"), text(resource, "checksum_url")) {
            (Some(sum), _) => Ok(Some(sum)),
            (None, Some(address)) => {
                let folder = temporary(system, resource)?;
                (self.fetch)(system, resource, &address, &folder, "checksum")?;
                let text = folder.entry("checksum").read(Limit::TEXT).map_err(|e| System::cannot_read(&address, &e))?;
                Ok(checksum_in(&String::from_utf8_lossy(&text)))
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns whether the file is there and fits its checksum. A checksum that is not verified cannot be reached by downloading again.
    fn is_right(self, system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
        let Some(file) = file(system, request.name)? else { return Ok(false) };
        if request.resource.wanted("checksum_verify").is_sym("false") {
            return is_usable(system, request);
        }
        match sum(request.resource, &file, request.name)? {
            None => is_usable(system, request),
            sum => Ok(self.wanted_sum(system, request.resource)? == sum),
        }
    }

    fn is_there(self, system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
        // The file itself need not be kept.
        let done = is_unpacked(system, request.resource)? && file(system, request.name)?.is_none();
        Ok(done || self.is_right(system, request)?)
    }

    /// Downloads the file into a private directory, and checks its checksum.
    fn download(self, system: &System, request: Request<'_>) -> Result<OwnCopy, ProviderError> {
        let resource = request.resource;
        let Some(source) = text(resource, "source") else {
            // An archive that is there is downloaded only if it is not trusted.
            return Err(match file(system, request.name)? {
                Some(_) => untrusted(system, request),
                None => ProviderError::new("an archive that is not there needs a `source`"),
            });
        };
        let copy = OwnCopy::new(system, request)?;
        if source.starts_with("http") || source.starts_with("ftp") {
            (self.fetch)(system, resource, &source, &copy.folder, &copy.name)?;
            copy.entry().set_mode(FILE_MODE).map_err(|e| System::cannot_write(request.name, &e))?;
        } else if source.starts_with("s3") {
            let command = system.command("aws").args(["s3", "cp"]).arg(&source).arg(copy.path()).env("HOME", "/root");
            command.args(options(resource)).time_limit(Some(TIME_LIMIT)).succeed()?;
        } else if source.starts_with("puppet") {
            return Err(ProviderError::new(format!("no file server for {source}")).help("use a URL or an absolute path"));
        } else {
            copy.copy_from(system, &local_source(&source).unwrap_or(source.clone()))?;
        }
        if says_yes(resource, "checksum_verify")
            && let Some(actual) = sum(resource, &copy.entry(), &source)?
        {
            let expected = self.wanted_sum(system, resource)?;
            if expected.as_deref() != Some(actual.as_str()) {
                let expected = expected.unwrap_or_default();
                return Err(ProviderError::new(format!("the download does not fit its checksum (expected: {expected} actual: {actual})")));
            }
        }
        Ok(copy)
    }

    /// Copies the file into a private directory. Returns the copy if its checksum is the declared one.
    fn verified_copy(self, system: &System, request: Request<'_>) -> Result<Option<OwnCopy>, ProviderError> {
        let copy = OwnCopy::new(system, request)?;
        copy.copy_from(system, request.name)?;
        let actual = sum(request.resource, &copy.entry(), request.name)?;
        Ok(if actual.is_some() && actual == self.wanted_sum(system, request.resource)? { Some(copy) } else { None })
    }

    /// Unpacks the file. If another user can change the file, unpacks a copy with the declared checksum, or downloads the file again.
    fn extract(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        if system.check_file(request.name).is_ok() || is_of_declared_user(system, request)? {
            return unpack::unpack(system, &system.path(request.name), request.name, request.resource);
        }
        if let Some(copy) = self.verified_copy(system, request)? {
            return copy.unpack(system, request);
        }
        if text(request.resource, "source").is_none() {
            return Err(untrusted(system, request));
        }
        self.replace(system, request)
    }

    /// Downloads the file, unpacks it if `extract` is true, and moves it to the path of the archive.
    fn replace(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        let copy = self.download(system, request)?;
        let unpacked = if says_yes(request.resource, "extract") { copy.unpack(system, request) } else { Ok(()) };
        // The file is kept even if unpacking fails, so that the next run does not download it again.
        copy.publish(system, request)?;
        unpacked
    }

    fn create(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        if !self.is_right(system, request)? {
            self.replace(system, request)?;
        } else if says_yes(request.resource, "extract") {
            self.extract(system, request)?;
        }
        if is_unpacked(system, request.resource)? && says_yes(request.resource, "cleanup") { system.remove(request.name) } else { Ok(()) }
    }
}

/// Returns whether an existing file without a checksum is used. A file that will be unpacked must belong to root, to the user of this
/// process or to the declared user.
fn is_usable(system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
    let resource = request.resource;
    // With `creates`, a missing result is unpacked, and `extract` checks the file.
    if !says_yes(resource, "extract") || text(resource, "creates").is_some() {
        return Ok(true);
    }
    let trusted = [0, nix::unistd::Uid::effective().as_raw()];
    let is_trusted = system.look(request.name, true)?.is_some_and(|stat| trusted.contains(&stat.uid));
    Ok(is_trusted || is_of_declared_user(system, request)?)
}

/// Returns whether the file belongs to the user who unpacks it, and who gains nothing from it.
fn is_of_declared_user(system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
    let Some(user) = text(request.resource, "user") else { return Ok(false) };
    let uid = accounts::ids_of(system, &user)?.0;
    Ok(system.look(request.name, true)?.is_some_and(|stat| stat.uid == uid))
}

/// Returns why a file that another user can change is not unpacked.
fn untrusted(system: &System, request: Request<'_>) -> ProviderError {
    let why = system.check_file(request.name).err();
    let why = why.unwrap_or_else(|| ProviderError::new(format!("another user can change {}", request.name)));
    why.context("the archive is not unpacked: ")
}

/// A copy of the archive with the same file name, in a directory that only this process can change.
struct OwnCopy {
    folder: Scratch,
    name: String,
}

impl OwnCopy {
    fn new(system: &System, request: Request<'_>) -> Result<OwnCopy, ProviderError> {
        let name = Path::new(request.name).file_name().and_then(|name| name.to_str()).unwrap_or("archive");
        Ok(OwnCopy { folder: temporary(system, request.resource)?, name: name.to_owned() })
    }

    fn entry(&self) -> DirectoryEntry {
        self.folder.entry(&self.name)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Copies a file of this machine to the copy.
    fn copy_from(&self, system: &System, path: &str) -> Result<(), ProviderError> {
        let tree = system.tree();
        let copied = tree.follow(Path::new(path)).and_then(|from| tree.copy_source(&from, &self.entry()));
        copied.map_err(|e| match e.kind() {
            ErrorKind::NotFound => ProviderError::new(no_source(path)),
            _ => System::cannot_read(path, &e),
        })
    }

    /// Unpacks the copy. The output of gunzip is moved next to the path of the archive, as if gunzip had unpacked it there.
    fn unpack(&self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        let resource = request.resource;
        let is_in_place = unpack::is_unpacked_in_place(request.name, resource);
        if !resource.wanted("user").is_nil() || !resource.wanted("group").is_nil() {
            if is_in_place {
                system.check_file(request.name).map_err(|e| e.context("gunzip unpacks next to the archive: "))?;
            }
            let opened = self.folder.let_others_through().and_then(|()| self.entry().set_mode(FILE_MODE));
            opened.map_err(|e| System::cannot_write(request.name, &e))?;
        }
        unpack::unpack(system, &self.path(), request.name, resource)?;
        let Some(unpacked) = self.name.strip_suffix(".gz").filter(|_| is_in_place) else { return Ok(()) };
        let target = request.name.strip_suffix(".gz").unwrap_or(request.name);
        let placed = system.tree().place(Path::new(target)).and_then(|target| self.folder.entry(unpacked).move_to(&target));
        placed.map_err(|e| System::cannot_write(target, &e))
    }

    /// Moves the copy to the path of the archive. If gunzip has removed the copy, removes the archive.
    fn publish(&self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        let target = Path::new(request.name);
        let place = || -> std::io::Result<()> {
            if self.entry().stat()?.is_none() {
                return system.tree().place(target)?.remove();
            }
            system.tree().make_parents(target)?;
            self.entry().move_to(&system.tree().place(target)?)
        };
        match place() {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(System::cannot_write(request.name, &e)),
            _ => Ok(()),
        }
    }
}

/// An address without its password, and who logs in there: as the resource says, else as the address does.
pub(super) fn login(resource: &dyn Resource, address: &str) -> (String, Option<String>, Option<String>) {
    let (user, password) = (text(resource, "username"), text(resource, "password"));
    match without_password(address) {
        Some((rest, credentials)) if user.is_none() => (rest, Some(credentials.user), Some(credentials.password)),
        Some((rest, _)) => (rest, user, password),
        None => (address.to_owned(), user, password),
    }
}

/// Returns the user's options for the download program.
pub(super) fn options(resource: &dyn Resource) -> Vec<String> {
    let given = resource.wanted("download_options");
    given.as_array().unwrap_or_default().iter().map(|v| v.to_text().to_string()).collect()
}

/// Returns the path of a source on this machine.
fn local_source(source: &str) -> Option<String> {
    match source.strip_prefix("file:") {
        // `file:///path`, `file://localhost/path` and `file:/path`.
        Some(address) => {
            let path = address.strip_prefix("//").map_or(address, |rest| rest.find('/').map_or("", |at| rest.split_at(at).1));
            Some(decoded(path))
        }
        None => source.starts_with('/').then(|| source.to_owned()),
    }
}

fn no_source(path: &str) -> String {
    format!("the source {path} does not exist")
}

fn no_temporary(path: &str) -> String {
    format!("the temporary directory {path} does not exist")
}

/// A directory of our own for what is not complete; in it files get the permissions that they would get anywhere.
fn temporary(system: &System, resource: &dyn Resource) -> Result<Scratch, ProviderError> {
    let parent = text(resource, "temp_dir").unwrap_or_else(|| TEMPORARY.into());
    if !system.look(&parent, true)?.is_some_and(|stat| stat.is_dir()) {
        return Err(ProviderError::new(no_temporary(&parent)));
    }
    system.tree().scratch(Path::new(&parent)).map_err(|e| System::cannot_write(&parent, &e))
}

/// Removes the file; a directory in its place stays.
fn destroy(system: &System, path: &str) -> Result<(), ProviderError> {
    if system.look(path, false)?.is_some_and(|stat| stat.is_dir()) {
        return Err(ProviderError::new(format!("{path} is a directory, not an archive")));
    }
    system.remove(path)
}

impl Provider for Archive {
    fn needs(&self, _: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        let resource = request.resource;
        if needs::is_removed(resource) {
            return Vec::new();
        }
        let directory = |path: String, failure: String| Need::new(Thing::Directory(path.as_str().into()), failure);
        let temporary = text(resource, "temp_dir").map(|path| directory(path.clone(), no_temporary(&path)));
        let source = text(resource, "source").and_then(|source| local_source(&source)).map(|path| {
            let failure = no_source(&path);
            Need::new(Thing::File(path.into()), failure)
        });
        let target = text(resource, "extract_path").filter(|_| says_yes(resource, "extract"));
        let target = target.map(|path| directory(path.clone(), format!("the directory {path} does not exist")));
        let accounts = needs::accounts(resource, &["user"], &["group"]);
        temporary.into_iter().chain(source).chain(target).chain(accounts).collect()
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "creates"]
    }

    fn queries(&self) -> &'static [&'static str] {
        &["archive_checksum"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let read = |request: &Request<'_>| {
            if !self.is_there(system, *request)? {
                return Ok(Reading::Absent);
            }
            let unpacked = !says_yes(request.resource, "extract") || is_unpacked(system, request.resource)?;
            let creates = if unpacked { request.resource.wanted("creates") } else { Value::str("archive not extracted") };
            let properties: [Property; 2] = [("ensure", Ok(Value::sym("present"))), ("creates", Ok(creates))];
            Ok(Reading::Present(pick(select, properties)))
        };
        requests.iter().map(|request| read(request).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("archives cannot be listed").help("give the absolute path of one"))
    }

    /// Returns the checksum of the existing file; nil if it does not exist or no checksum is configured.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if method != "archive_checksum" {
            return Err(ProviderError::new(format!("the provider does not answer `{method}`")));
        }
        let Some(file) = file(system, request.name)? else { return Ok(Value::Nil) };
        Ok(sum(request.resource, &file, request.name)?.map_or(Value::Nil, |sum| Value::str(sum.as_str())))
    }

    fn writes(&self) -> &'static [&'static str] {
        &["creates"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match action {
            "create" => self.create(system, change.request()),
            "destroy" => destroy(system, change.name),
            other => Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        }
        .map(|()| Value::Nil)
    }

    /// Setting `creates` extracts the archive, which creates that path.
    fn set(&self, system: &System, change: &mut Change<'_>, _: &str, _: &Value) -> Result<(), ProviderError> {
        if says_yes(change.resource, "extract") { self.extract(system, change.request()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
