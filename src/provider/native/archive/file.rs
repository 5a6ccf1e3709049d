//! The file of an archive: whether it is there and right, fetched, unpacked, removed. What all providers of the type share.
//!
//! Follows `puppet/provider/archive/ruby.rb` of Puppet's module puppet-archive 4.1.0. Other than there a download gets into its place in
//! one step, and secrets are no arguments of the programs that download.

use super::unpack;
use crate::provider::native::common::{Property, pick};
use crate::provider::native::http::decoded;
use crate::provider::{Change, Found, Provider, ProviderError, Reading, Request, Resource, Select, System};
use crate::value::{Value, digest};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// How long a download or unpacking may take. Puppet has no limit, and a server that never ends keeps it for ever.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// Where downloads are kept until they are complete.
const TEMPORARY: &str = "/tmp";

/// How something is fetched from the web.
pub(super) type Fetch = fn(&System, &dyn Resource, address: &str, to: &Path) -> Result<(), ProviderError>;

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

/// The checksum of a file; none where none is asked for.
fn sum(resource: &dyn Resource, file: &Path, shown: &str) -> Result<Option<String>, ProviderError> {
    let kind = match text(resource, "checksum_type") {
        None => return Ok(None),
        Some(kind) if kind == "none" => return Ok(None),
        Some(kind) if kind == "sha2" => "sha256".to_owned(),
        Some(kind) => kind,
    };
    let opened = File::open(file).map_err(|e| System::cannot_read(shown, &e))?;
    digest::of_reader(&kind, opened).map_err(|e| System::cannot_read(shown, &e))
}

/// The first word of a text that looks like a checksum.
fn checksum_in(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let fits = |word: &&str| (32..=128).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_hexdigit());
    words.into_iter().find(fits).map(str::to_lowercase)
}

/// Whether what the archive holds is there.
fn is_unpacked(system: &System, resource: &dyn Resource) -> bool {
    // As in Puppet a link that leads nowhere does not count.
    text(resource, "creates").is_some_and(|path| system.path(&path).exists())
}

impl Archive {
    /// The checksum that the file should have.
    fn wanted_sum(self, system: &System, resource: &dyn Resource) -> Result<Option<String>, ProviderError> {
        match (text(resource, "checksum"), text(resource, "checksum_url")) {
            (Some(sum), _) => Ok(Some(sum)),
            (None, Some(address)) => {
                let folder = temporary(system, resource)?;
                let file = folder.path().join("checksum");
                (self.fetch)(system, resource, &address, &file)?;
                let text = std::fs::read(&file).map_err(|e| System::cannot_read(&address, &e))?;
                Ok(checksum_in(&String::from_utf8_lossy(&text)))
            }
            (None, None) => Ok(None),
        }
    }

    /// Whether the file is there and fits its checksum.
    fn is_right(self, system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
        if !system.path(request.name).exists() {
            return Ok(false);
        }
        match sum(request.resource, &system.path(request.name), request.name)? {
            None => Ok(true),
            sum => Ok(self.wanted_sum(system, request.resource)? == sum),
        }
    }

    fn is_there(self, system: &System, request: Request<'_>) -> Result<bool, ProviderError> {
        // The file itself need not be kept.
        let done = is_unpacked(system, request.resource) && !system.path(request.name).exists();
        Ok(done || self.is_right(system, request)?)
    }

    /// Fetches the file, and puts it in its place if it fits.
    fn download(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        let resource = request.resource;
        let source = text(resource, "source").ok_or_else(|| ProviderError::new("an archive that is not there needs a `source`"))?;
        let folder = temporary(system, resource)?;
        let file = folder.path().join("archive");
        let copy = |path: &str| {
            std::fs::copy(system.path(path), &file).map(drop).map_err(|e| match e.kind() {
                ErrorKind::NotFound => ProviderError::new(format!("the source {path} does not exist")),
                _ => System::cannot_read(path, &e),
            })
        };
        if source.starts_with("http") || source.starts_with("ftp") {
            (self.fetch)(system, resource, &source, &file)?;
        } else if source.starts_with("s3") {
            let command = system.command("aws").args(["s3", "cp"]).arg(&source).arg(file.as_os_str()).env("HOME", "/root");
            command.args(options(resource)).time_limit(Some(TIME_LIMIT)).succeed()?;
        } else if source.starts_with("puppet") {
            return Err(ProviderError::new(format!("there is no file server for {source}")).help("give an address or a full path"));
        } else if let Some(address) = source.strip_prefix("file:") {
            // `file:///path`, `file://localhost/path` and `file:/path`.
            let path = address.strip_prefix("//").map_or(address, |rest| rest.find('/').map_or("", |at| rest.split_at(at).1));
            copy(&decoded(path))?;
        } else {
            copy(&source)?;
        }
        if says_yes(resource, "checksum_verify")
            && let Some(actual) = sum(resource, &file, &source)?
        {
            let expected = self.wanted_sum(system, resource)?;
            if expected.as_deref() != Some(actual.as_str()) {
                let expected = expected.unwrap_or_default();
                return Err(ProviderError::new(format!("the download does not fit its checksum (expected: {expected} actual: {actual})")));
            }
        }
        place(&file, &system.path(request.name)).map_err(|e| System::cannot_write(request.name, &e))
    }

    fn create(self, system: &System, request: Request<'_>) -> Result<(), ProviderError> {
        if !self.is_right(system, request)? {
            self.download(system, request)?;
        }
        if says_yes(request.resource, "extract") {
            unpack::unpack(system, request.name, request.resource)?;
        }
        if is_unpacked(system, request.resource) && says_yes(request.resource, "cleanup") { remove(system, request.name) } else { Ok(()) }
    }
}

/// Further options of the program that downloads.
pub(super) fn options(resource: &dyn Resource) -> Vec<String> {
    let given = resource.wanted("download_options");
    given.as_array().unwrap_or_default().iter().map(|v| v.to_text().to_string()).collect()
}

/// A directory of our own for what is not complete; in it files get the permissions that they would get anywhere.
fn temporary(system: &System, resource: &dyn Resource) -> Result<tempfile::TempDir, ProviderError> {
    let parent = text(resource, "temp_dir").unwrap_or_else(|| TEMPORARY.into());
    if !system.path(&parent).is_dir() {
        return Err(ProviderError::new(format!("the temporary directory {parent} does not exist")));
    }
    tempfile::Builder::new().prefix(".rtype-").tempdir_in(system.path(&parent)).map_err(|e| System::cannot_write(&parent, &e))
}

/// Moves a file to its place in one step, also from another file system.
fn place(file: &Path, target: &Path) -> std::io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)?;
    match std::fs::rename(file, target) {
        Err(e) if e.kind() == ErrorKind::CrossesDevices => {
            let near = tempfile::Builder::new().prefix(".rtype-").tempfile_in(folder)?;
            // Takes the permissions along.
            std::fs::copy(file, near.path())?;
            near.as_file().sync_all()?;
            near.persist(target).map_err(|e| e.error).map(drop)
        }
        done => done,
    }
}

fn remove(system: &System, path: &str) -> Result<(), ProviderError> {
    match std::fs::remove_file(system.path(path)) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(System::cannot_write(path, &e)),
        _ => Ok(()),
    }
}

impl Provider for Archive {
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
            let unpacked = !says_yes(request.resource, "extract") || is_unpacked(system, request.resource);
            let creates = if unpacked { request.resource.wanted("creates") } else { Value::str("archive not extracted") };
            let properties: [Property; 2] = [("ensure", Ok(Value::sym("present"))), ("creates", Ok(creates))];
            Ok(Reading::Present(pick(select, properties)))
        };
        requests.iter().map(|request| read(request).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        Err(ProviderError::new("which files are archives cannot be told").help("name one: its absolute path"))
    }

    /// The checksum of the file that is there; nil where there is none, or none is asked for.
    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        if method != "archive_checksum" {
            return Err(ProviderError::new(format!("the provider does not answer `{method}`")));
        }
        if !system.path(request.name).exists() {
            return Ok(Value::Nil);
        }
        Ok(sum(request.resource, &system.path(request.name), request.name)?.map_or(Value::Nil, |sum| Value::str(sum.as_str())))
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
            "destroy" => remove(system, change.name),
            other => Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        }
        .map(|()| Value::Nil)
    }

    /// `creates` is set by unpacking, which alone makes it true.
    fn set(&self, system: &System, change: &mut Change<'_>, _: &str, _: &Value) -> Result<(), ProviderError> {
        if says_yes(change.resource, "extract") { unpack::unpack(system, change.name, change.resource) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::native::common::testing::{Wants, get_wanting};
    use std::os::unix::fs::symlink;

    /// Writes the address to the file.
    fn echo(_: &System, _: &dyn Resource, address: &str, to: &Path) -> Result<(), ProviderError> {
        std::fs::write(to, address).map_err(|e| System::cannot_write("the file", &e))
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
    fn what_does_not_fit_its_checksum_is_not_there_and_not_taken() {
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
}
