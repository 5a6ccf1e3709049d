//! The file of an archive: checking, downloading, extracting and removing it. Shared by all providers of the type.
//!
//! Follows `puppet/provider/archive/ruby.rb` of Puppet's module puppet-archive 4.1.0, except that a download replaces
//! the file atomically and secrets are not passed to download programs as arguments.

use super::unpack;
use crate::native::common::{Property, pick};
use crate::native::http::decoded;
use crate::native::needs;
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Resource, Select, System, Thing};
use rtype_lang::redact::without_password;
use rtype_lang::value::{Value, digest};
use rtype_system::{DirectoryEntry, Limit, Scratch};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// How long a download or unpacking may take. Puppet has no limit, and a server that never ends keeps it for ever.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// Where downloads are kept until they are complete.
const TEMPORARY: &str = "/tmp";

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

    /// Returns whether the file is there and fits its checksum.
    fn is_right(self, system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
        let Some(file) = file(system, request.name)? else { return Ok(false) };
        match sum(request.resource, &file, request.name)? {
            None => Ok(true),
            sum => Ok(self.wanted_sum(system, request.resource)? == sum),
        }
    }

    fn is_there(self, system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
        // The file itself need not be kept.
        let done = is_unpacked(system, request.resource)? && file(system, request.name)?.is_none();
        Ok(done || self.is_right(system, request)?)
    }

    /// Fetches the file, and puts it in its place if it fits.
    fn download(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        let resource = request.resource;
        let source = text(resource, "source").ok_or_else(|| ProviderError::new("an archive that is not there needs a `source`"))?;
        let folder = temporary(system, resource)?;
        let copy = |path: &str| {
            let from = system.tree().follow(Path::new(path)).and_then(|from| from.copy_content_to(&folder.entry("archive")));
            from.map_err(|e| match e.kind() {
                ErrorKind::NotFound => ProviderError::new(no_source(path)),
                _ => System::cannot_read(path, &e),
            })
        };
        if source.starts_with("http") || source.starts_with("ftp") {
            (self.fetch)(system, resource, &source, &folder, "archive")?;
        } else if source.starts_with("s3") {
            let command = system.command("aws").args(["s3", "cp"]).arg(&source).arg(folder.path().join("archive")).env("HOME", "/root");
            command.args(options(resource)).time_limit(Some(TIME_LIMIT)).succeed()?;
        } else if source.starts_with("puppet") {
            return Err(ProviderError::new(format!("no file server for {source}")).help("use a URL or an absolute path"));
        } else {
            copy(&local_source(&source).unwrap_or(source.clone()))?;
        }
        if says_yes(resource, "checksum_verify")
            && let Some(actual) = sum(resource, &folder.entry("archive"), &source)?
        {
            let expected = self.wanted_sum(system, resource)?;
            if expected.as_deref() != Some(actual.as_str()) {
                let expected = expected.unwrap_or_default();
                return Err(ProviderError::new(format!("the download does not fit its checksum (expected: {expected} actual: {actual})")));
            }
        }
        let target = Path::new(request.name);
        let place = || -> std::io::Result<()> {
            system.tree().make_parents(target)?;
            folder.entry("archive").move_to(&system.tree().place(target)?)
        };
        place().map_err(|e| System::cannot_write(request.name, &e))
    }

    /// Unpacks the file. One that another user could replace after the check is copied, and the copy checked.
    fn extract(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        let (path, resource) = (Path::new(request.name), request.resource);
        let runs_as_user = !resource.wanted("user").is_nil();
        let me = nix::unistd::Uid::effective().as_raw();
        let is_own = system.look(request.name, true)?.is_some_and(|stat| [0, me].contains(&stat.uid));
        let checked = system.tree().check_own(path);
        if runs_as_user || (is_own && checked.is_ok()) {
            return unpack::unpack(system, &system.path(request.name), request.name, resource);
        }
        // gunzip writes its output next to the archive.
        if let (Err(e), true) = (checked, unpack::is_unpacked_in_place(request.name, resource)) {
            return Err(System::cannot_write(request.name, &e).help("set `user`"));
        }
        let (folder, name) = (temporary(system, resource)?, path.file_name().unwrap_or_default());
        let copy = folder.entry(name);
        let copied = system.tree().follow(path).and_then(|file| file.copy_content_to(&copy));
        copied.map_err(|e| System::cannot_read(request.name, &e))?;
        if let Some(actual) = sum(resource, &copy, request.name)?
            && self.wanted_sum(system, resource)?.is_some_and(|expected| expected != actual)
        {
            return Err(ProviderError::new(format!("{} was replaced by another process", request.name)).help("run again"));
        }
        unpack::unpack(system, &folder.path().join(name), request.name, resource)
    }

    fn create(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        if !self.is_right(system, request)? {
            self.download(system, request)?;
        }
        if says_yes(request.resource, "extract") {
            self.extract(system, request)?;
        }
        if is_unpacked(system, request.resource)? && says_yes(request.resource, "cleanup") { system.remove(request.name) } else { Ok(()) }
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

/// Further options of the program that downloads.
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
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, get_wanting};
    use std::os::unix::fs::symlink;

    /// Writes the address to the file.
    fn echo(_: &System, _: &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError> {
        std::fs::write(to.path().join(name), address).map_err(|e| System::cannot_write("the file", &e))
    }

    const ECHO: Archive = Archive { fetch: echo };

    fn sum_of(text: &str) -> Value {
        Value::str(digest::hex("md5", text.as_bytes()).unwrap())
    }

    fn machine() -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for sub in ["tmp", "opt", "srv/in", "usr/bin"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        for program in ["tar", "sh", "gzip"] {
            symlink(System::host().which(program).unwrap(), root.join("usr/bin").join(program)).unwrap();
        }
        std::fs::write(root.join("srv/in/readme"), "read").unwrap();
        let host = System::host();
        let tar = host.command("tar").arg("cf").arg(root.join("srv/a b.tar").as_os_str());
        tar.arg("-C").arg(root.join("srv").as_os_str()).arg("in").succeed().unwrap();
        let system = System::at(root);
        (folder, system)
    }

    fn create(system: &System, name: &str, wants: Vec<(&'static str, Value)>) -> Result<Value, ProviderError> {
        let wants = Wants(wants);
        let is = get_wanting(&ECHO, system, name, &wants);
        ECHO.call(system, &mut Change::new(Request { name, resource: &wants }, &is), "create", &[])
    }

    fn exists(system: &System, name: &str, wants: Vec<(&'static str, Value)>) -> bool {
        matches!(get_wanting(&ECHO, system, name, &Wants(wants)), Reading::Present(_))
    }

    #[test]
    fn a_file_is_fetched_copied_and_removed() {
        let (_folder, system) = machine();
        create(&system, "/new/a", vec![("source", Value::str("http://x/a"))]).unwrap();
        assert_eq!(system.read("/new/a").unwrap().unwrap(), "http://x/a");
        create(&system, "/new/b", vec![("source", Value::str("/srv/in/readme"))]).unwrap();
        create(&system, "/new/c", vec![("source", Value::str("file:///srv/a%20b.tar"))]).unwrap();
        assert_eq!(system.read_bytes("/new/c").unwrap(), system.read_bytes("/srv/a b.tar").unwrap());
        let wants = Wants(vec![]);
        let is = get_wanting(&ECHO, &system, "/new/b", &wants);
        ECHO.call(&system, &mut Change::new(Request { name: "/new/b", resource: &wants }, &is), "destroy", &[]).unwrap();
        assert!(!exists(&system, "/new/b", vec![]));
        assert_eq!(system.path("/tmp").read_dir().unwrap().count(), 0);
    }

    #[test]
    fn wrong_checksum_discards_the_download() {
        let (_folder, system) = machine();
        let wants = |sum: Value| {
            let address = ("source", Value::str("http://x/a"));
            vec![address, ("checksum_type", Value::sym("md5")), ("checksum", sum), ("checksum_verify", Value::sym("true"))]
        };
        let error = create(&system, "/new/a", wants(sum_of("else"))).unwrap_err();
        assert!(error.message.starts_with("the download does not fit its checksum (expected: 2954e9"), "{error}");
        assert!(!system.exists("/new/a"));
        create(&system, "/new/a", wants(sum_of("http://x/a"))).unwrap();
        assert!(exists(&system, "/new/a", wants(sum_of("http://x/a"))));
        assert!(!exists(&system, "/new/a", wants(sum_of("else"))));
    }

    #[test]
    fn an_archive_is_unpacked_and_cleaned_up() {
        let (_folder, system) = machine();
        let mut wants = vec![("source", Value::str("/srv/a b.tar")), ("extract", Value::sym("true")), ("cleanup", Value::sym("true"))];
        wants.extend([("extract_path", Value::str("/opt")), ("creates", Value::str("/opt/in/readme"))]);
        assert!(!exists(&system, "/tmp/a b.tar", wants.clone()));
        create(&system, "/tmp/a b.tar", wants.clone()).unwrap();
        assert_eq!(system.read("/opt/in/readme").unwrap().unwrap(), "read");
        assert!(!system.exists("/tmp/a b.tar"));
        assert!(exists(&system, "/tmp/a b.tar", wants));
    }

    #[test]
    fn a_command_of_ones_own_goes_through_the_shell() {
        let (_folder, system) = machine();
        let mut wants = vec![("source", Value::str("/srv/a b.tar")), ("extract", Value::sym("true"))];
        wants
            .extend([("extract_path", Value::str("/opt")), ("extract_command", Value::str("tar --strip-components=1 -xf %s && : > done"))]);
        create(&system, "/tmp/it's.tar", wants).unwrap();
        assert!(system.exists("/opt/readme") && system.exists("/opt/done") && system.exists("/tmp/it's.tar"));
    }

    #[test]
    fn a_checksum_is_the_first_word_that_looks_like_one() {
        let sum = "D41D8CD98F00B204E9800998ECF8427E";
        assert_eq!(checksum_in(&format!("MD5 (a) = {sum}\n")), Some(sum.to_lowercase()));
        assert_eq!(checksum_in("no 1234 here"), None);
    }

    #[test]
    fn the_query_archive_checksum_is_of_the_file_on_disk() {
        let (_folder, system) = machine();
        let wants = Wants(vec![("checksum_type", Value::sym("md5")), ("checksum", sum_of("other"))]);
        let query = |name: &str, method: &str, wants: &Wants| ECHO.query(&system, Request { name, resource: wants }, method, &[]);
        assert_eq!(query("/srv/in/readme", "archive_checksum", &wants), Ok(sum_of("read")));
        assert_eq!(query("/srv/in/none", "archive_checksum", &wants), Ok(Value::Nil));
        let without = Wants(vec![("checksum_type", Value::sym("none"))]);
        assert_eq!(query("/srv/in/readme", "archive_checksum", &without), Ok(Value::Nil));
        assert!(query("/srv/in/readme", "size", &wants).is_err());
    }
}
