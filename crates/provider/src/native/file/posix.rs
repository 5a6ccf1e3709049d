//! `file/posix`: files, directories, links and all other file types.
//!
//! Follows Puppet 7.23's `provider/file/posix.rb` and the `retrieve` methods of `type/file/*.rb`. Intentional
//! differences: a path that cannot be examined is an error (Puppet warns and treats it as absent), the content of
//! devices is not read (it may be endless), and times are in UTC.

use super::change::{Changing, is_secret, may_be_replaced};
use super::source::{self, Located};
use crate::native::reading::{Reader, absent};
use crate::native::{accounts, needs};
use crate::{Change, Draft, ListedResource, Need, Provider, ProviderError, Reading, Request, Resource, Select, System, Thing};
use rayon::prelude::*;
use rtype_lang::redact::Redactor;
use rtype_lang::value::{Value, digest};
use rtype_system::{Directory, DirectoryEntry, Limit, Stat, Tree, is_too_large};
use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// Larger IDs represent negative ones; Puppet's setting `maximum_uid`.
const MAXIMUM_ID: u32 = 4_294_967_290;

/// The size limit of files whose differences are shown, in bytes.
const DIFF_LIMIT: u64 = 1 << 20;

/// The size limit of secret files whose lines are registered for redaction, in bytes: each line is searched for in
/// all output.
const LEARNED_LIMIT: u64 = 1 << 20;

/// How much text the query `read` gives, in bytes.
const READ_LIMIT: u64 = 8 * 1024 * 1024;

/// The default of the attribute `checksum`; Puppet's setting `digest_algorithm`.
pub(super) const DEFAULT_CHECKSUM: &str = "sha256";

/// Reads the files of a batch on all cores.
pub struct Posix;

/// An instant as Ruby's `Time#to_s` writes it, in UTC.
pub(super) fn time(seconds: i64) -> String {
    let (hours, minutes, rest) = (seconds.rem_euclid(86_400) / 3_600, seconds.rem_euclid(3_600) / 60, seconds.rem_euclid(60));
    format!("{} {hours:02}:{minutes:02}:{rest:02} +0000", accounts::date(seconds.div_euclid(86_400)))
}

/// Returns whether an attribute is true.
pub(super) fn is_true(resource: &dyn Resource, attribute: &str) -> bool {
    let wanted = resource.wanted(attribute);
    wanted == Value::Bool(true) || wanted.is_sym("true")
}

fn id(number: u32) -> Value {
    if number > MAXIMUM_ID { Value::sym("silly") } else { Value::Int(number.into()) }
}

/// How many directories are kept open while a batch is read.
const MOST_OPEN: usize = 128;

/// The directories in which several files of a batch are: each is resolved once.
#[derive(Default)]
struct Parents<'r>(HashMap<&'r Path, Arc<Directory>>);

impl<'r> Parents<'r> {
    fn of(tree: &Tree, tasks: &[Task<'r>]) -> Parents<'r> {
        let mut counts: HashMap<&Path, usize> = HashMap::new();
        for parent in tasks.iter().filter_map(|task| Path::new(task.name).parent()) {
            *counts.entry(parent).or_default() += 1;
        }
        let shared = counts.into_iter().filter(|(_, count)| *count > 1).take(MOST_OPEN);
        // What cannot be opened is said of each file.
        Parents(shared.filter_map(|(parent, _)| Some((parent, tree.directory(parent).ok()?))).collect())
    }

    /// Examines each file only once, because a run has very many of them.
    fn find(&self, tree: &Tree, path: &str, follow: bool) -> io::Result<Option<(DirectoryEntry, Stat)>> {
        let path = Path::new(path);
        let open = path.parent().zip(path.file_name()).and_then(|(parent, name)| Some(DirectoryEntry::of(self.0.get(parent)?, name)));
        let Some(place) = open else { return tree.find_existing(path, follow) };
        match place.stat()? {
            Some(stat) if follow && stat.is_symlink() => tree.find_existing(path, follow),
            stat => Ok(stat.map(|stat| (place, stat))),
        }
    }
}

/// What is to be looked at, and how, so that any thread can do it.
struct Task<'r> {
    name: &'r str,
    follow: bool,
    /// The `checksum` of the resource.
    checksum: Value,
    has_source: bool,
    /// Whether its content is requested.
    has_content: bool,
    /// Registers the content of a secret file. Its value is only the checksum, which is not what a program would
    /// print.
    redactor: Option<&'r Redactor>,
}

impl<'r> Task<'r> {
    fn new(system: &'r System, request: &Request<'r>, select: Select<'_>) -> Task<'r> {
        let resource = request.resource;
        Task {
            name: request.name,
            follow: resource.wanted("links").is_sym("follow"),
            checksum: resource.wanted("checksum"),
            has_source: !resource.wanted("source").is_nil(),
            // In a batch, properties are requested if any of the resources needs them. Do not compute a checksum that
            // is not compared.
            has_content: matches!(select, Select::All) || ["content", "audit"].iter().any(|a| !resource.wanted(a).is_nil()),
            redactor: is_secret(resource).then(|| system.redactor()),
        }
    }

    fn look(&self, tree: &Tree, parents: &Parents<'r>, select: Select<'_>) -> Reading {
        match parents.find(tree, self.name, self.follow) {
            Ok(Some((place, stat))) => FileReading { place, stat, task: self }.read(select),
            Ok(None) => Reading::Absent,
            Err(e) => Reading::Error(System::cannot_read(self.name, &e)),
        }
    }
}

/// Returns whether an error means that the file does not exist.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// One file, looked at.
struct FileReading<'t, 'r> {
    task: &'t Task<'r>,
    place: DirectoryEntry,
    stat: Stat,
}

impl FileReading<'_, '_> {
    /// `{kind}digits` of the file, by the resource's `checksum`; `:absent` for what has no content.
    fn content(&self) -> Result<Value, ProviderError> {
        if !self.stat.is_file() {
            return Ok(absent());
        }
        if let Some(redactor) = self.task.redactor
            && let Ok(bytes) = self.place.read(Limit::bytes(LEARNED_LIMIT))
        {
            redactor.add_value(&text_in(bytes), true, &|_| false);
        }
        let kind = self.task.checksum.as_text().unwrap_or(DEFAULT_CHECKSUM);
        let failed = |e: io::Error| System::cannot_read(self.task.name, &e);
        let sum = match kind {
            "mtime" => time(self.stat.mtime.0),
            "ctime" => time(self.stat.ctime.0),
            _ if digest::is_known(kind) => {
                let (file, _) = self.place.open_seen(&self.stat).map_err(failed)?;
                digest::of_reader(kind, file).map_err(failed)?.unwrap_or_default()
            }
            // `none`: the file is not read.
            _ => String::new(),
        };
        Ok(Value::str(format!("{{{kind}}}{sum}")))
    }

    /// Returns the checksum without its type. As in Puppet, it is only computed for a resource with a `source`.
    fn checksum_value(&self) -> Result<Value, ProviderError> {
        if !self.task.has_source {
            return Ok(absent());
        }
        let content = self.content()?;
        let bare = content.as_text().and_then(|t| t.split_once('}')).map(|(_, sum)| Value::str(sum));
        Ok(bare.unwrap_or(content))
    }

    /// Returns the target of a link; `:absent` for other files (Puppet returns `:notlink` and hides it).
    fn target(&self) -> Result<Value, ProviderError> {
        if !self.stat.is_symlink() {
            return Ok(absent());
        }
        let target = self.place.target().map_err(|e| System::cannot_read(self.task.name, &e))?;
        Ok(Value::str(target.to_string_lossy()))
    }

    fn read(&self, select: Select<'_>) -> Reading {
        let mut read = Reader::new(select);
        if self.task.has_content {
            read.try_set("content", || self.content());
        }
        read.try_set("checksum_value", || self.checksum_value());
        read.try_set("target", || self.target());
        read.set("ensure", || Value::sym(self.stat.kind()));
        read.set("owner", || id(self.stat.uid));
        read.set("group", || id(self.stat.gid));
        read.set("mode", || Value::str(format!("{:04o}", self.stat.mode())));
        read.set("type", || Value::str(self.stat.kind()));
        for label in ["seluser", "selrole", "seltype", "selrange"] {
            read.set(label, absent);
        }
        read.set("ctime", || Value::str(time(self.stat.ctime.0)));
        read.set("mtime", || Value::str(time(self.stat.mtime.0)));
        Reading::Present(read.finish())
    }
}

/// Number of files written to disk together. All files of a batch stay open until then.
const BATCH: usize = 64;

/// Moves the file that an earlier change of the resource has written to its path.
fn publish(change: &mut Change<'_>) -> Result<(), ProviderError> {
    change.draft.take().map_or(Ok(()), Draft::publish)
}

/// Returns the text of a file for blocks that compare it, nil if it does not exist. `name` is for messages.
pub(super) fn text(file: &Located, name: &str) -> Result<Value, ProviderError> {
    match file.read(Limit::bytes(READ_LIMIT)).map_err(|e| System::cannot_read(name, &e))? {
        Some(bytes) => Ok(text_in(bytes)),
        None => Ok(Value::Nil),
    }
}

/// Reads a limited amount of data: a string if the data is UTF-8, otherwise binary.
pub(super) fn text_of(from: impl Read, name: &str) -> Result<Value, ProviderError> {
    let mut bytes = Vec::new();
    from.take(READ_LIMIT + 1).read_to_end(&mut bytes).map_err(|e| System::cannot_read(name, &e))?;
    if bytes.len() as u64 > READ_LIMIT {
        return Err(ProviderError::new(format!("cannot read {name}: it is larger than {} MiB", READ_LIMIT >> 20)));
    }
    Ok(text_in(bytes))
}

fn text_in(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes).map_or_else(|e| Value::from_bytes(e.into_bytes()), Value::str)
}

/// Returns the texts of a file before and after a change, where they may be shown. A change of `ensure` creates the file: the text before it is
/// empty, also if something else is replaced.
fn texts(system: &System, request: Request<'_>, property: &str) -> Result<Option<(String, String)>, ProviderError> {
    let resource = request.resource;
    let creates = property == "ensure";
    let ensure = resource.wanted("ensure");
    let is_file = !creates || ensure.is_sym("file") || ensure.is_sym("present");
    if !is_file || !is_true(resource, "show_diff") || is_secret(resource) {
        return Ok(None);
    }
    let old = match creates {
        true => Some(String::new()),
        false => shown(&Located::at(system, request.name)).map_err(|e| System::cannot_read(request.name, &e))?,
    };
    let new = match source::find(system, resource)? {
        Some(source) => source.shown(system)?,
        None => {
            resource.given("content").as_text().map(str::to_owned).filter(|text| text.len() as u64 <= DIFF_LIMIT && !text.contains('\0'))
        }
    };
    Ok(old.zip(new))
}

/// Returns the text of a file for a diff; `None` if it is too large or not text, empty if it does not exist.
pub(super) fn shown(file: &Located) -> io::Result<Option<String>> {
    match file.find(true)? {
        Some(place) => shown_at(&place),
        None => Ok(Some(String::new())),
    }
}

/// Like `shown`, for a path that is already resolved.
pub(super) fn shown_at(place: &DirectoryEntry) -> io::Result<Option<String>> {
    match place.stat()? {
        None => return Ok(Some(String::new())),
        Some(stat) if !stat.is_file() => return Ok(None),
        Some(_) => {}
    }
    match place.read(Limit::bytes(DIFF_LIMIT)) {
        Ok(bytes) => shown_of(bytes.as_slice()),
        Err(e) if is_too_large(&e) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Reads a text for a diff.
pub(super) fn shown_of(from: impl Read) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    from.take(DIFF_LIMIT + 1).read_to_end(&mut bytes)?;
    let text = String::from_utf8(bytes).ok();
    Ok(text.filter(|text| text.len() as u64 <= DIFF_LIMIT && !text.contains('\0')))
}

/// Returns the requirement that what is at the path of a file may be replaced; `None` if it may. An earlier resource may remove a directory.
fn replaced(system: &System, request: Request<'_>) -> Option<Need> {
    let resource = request.resource;
    let ensure = resource.wanted("ensure");
    let wanted = match ensure.to_text().as_str() {
        "directory" => "directory",
        "absent" => "absent",
        _ if resource.wanted("target").is_nil() => "file",
        _ => "link",
    };
    let there = system.look(request.name, resource.wanted("links").is_sym("follow")).ok()??;
    let refused = may_be_replaced(request.name, there.kind(), wanted, resource).err()?;
    let any_of = if there.is_dir() { vec![Thing::File(request.name.trim_end_matches('/').into())] } else { Vec::new() };
    Some(Need { any_of, failure: refused.line() })
}

impl Provider for Posix {
    fn takes_bytes(&self, attribute: &str) -> bool {
        attribute == "content"
    }

    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let resource = request.resource;
        let replaced = properties.contains(&"ensure").then(|| replaced(system, request)).flatten();
        if needs::is_removed(resource) {
            return replaced.into_iter().collect();
        }
        let is_made = ["ensure", "content", "checksum_value"].iter().any(|p| properties.contains(p));
        let directory = if is_made { Need::directory_of(request.name) } else { None };
        directory.into_iter().chain(replaced).chain(needs::accounts(resource, &["owner"], &["group"])).collect()
    }

    /// A link may lead to any path.
    fn brings(&self, _: &System, request: Request<'_>) -> Vec<Thing> {
        let path = request.name.trim_end_matches('/');
        let (directory, file, program) = (Thing::Directory(path.into()), Thing::File(path.into()), Thing::Program(path.into()));
        match request.resource.wanted("ensure").to_text().as_str() {
            "directory" => vec![directory],
            "absent" | "link" => vec![directory, file, program],
            _ if request.resource.wanted("target").is_nil() => vec![file, program],
            _ => vec![directory, file, program],
        }
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }
    fn reads(&self) -> &'static [&'static str] {
        &[
            "content",
            "checksum_value",
            "target",
            "ensure",
            "owner",
            "group",
            "mode",
            "type",
            "seluser",
            "selrole",
            "seltype",
            "selrange",
            "ctime",
            "mtime",
        ]
    }

    /// `read` returns the text of the file, `nil` if the file does not exist. `origin` returns the metadata of the `source`, `nil` if
    /// unset.
    fn queries(&self) -> &'static [&'static str] {
        &["read", "origin"]
    }

    fn writes(&self) -> &'static [&'static str] {
        &["content", "checksum_value", "target", "owner", "group", "mode", "seluser", "selrole", "seltype", "selrange"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["destroy", "create_file", "create_directory", "create_link"]
    }

    fn set(&self, system: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        publish(change)?;
        let mut changing = Changing { system, change };
        match property {
            "content" | "checksum_value" => changing.write(),
            "owner" | "group" => changing.set_account(property, value.unwrapped()),
            "mode" => changing.set_mode(value.unwrapped()),
            // `notlink` is only a current value, never a desired one.
            "target" => Ok(()),
            _ => Err(ProviderError::new(format!("`{property}` cannot be set: labels of SELinux are not written"))),
        }
    }

    fn call(&self, system: &System, change: &mut Change<'_>, action: &str, _: &[Value]) -> Result<Value, ProviderError> {
        publish(change)?;
        let mut changing = Changing { system, change };
        match action {
            "destroy" => changing.destroy()?,
            "create_file" => changing.write()?,
            "create_directory" => changing.create_directory()?,
            "create_link" => changing.create_link()?,
            other => return Err(ProviderError::new(format!("the provider cannot `{other}`"))),
        }
        Ok(Value::Nil)
    }

    /// Moves the files that have been written to their paths.
    fn flush(&self, _: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let (written, drafts): (Vec<usize>, Vec<Draft>) =
            changes.iter_mut().enumerate().filter_map(|(at, change)| Some((at, change.draft.take()?))).unzip();
        let mut results: Vec<_> = changes.iter().map(|_| Ok(())).collect();
        for (at, result) in written.into_iter().zip(Draft::publish_all(drafts)) {
            if let Some(own) = results.get_mut(at) {
                *own = result;
            }
        }
        results
    }

    fn batch(&self, _: &System) -> usize {
        BATCH
    }

    /// A file whose content is declared depends on no other file, and no other file on it, apart from the declared and automatic
    /// relations. All others may: a source may be a file of the same batch, a link may lead to one.
    fn is_independent(&self, request: Request<'_>) -> bool {
        let resource = request.resource;
        let state = resource.wanted("ensure");
        (state.is_nil() || state.is_sym("file") || state.is_sym("present"))
            && resource.given("content").as_bytes().is_some()
            && ["source", "validate_cmd", "staging_location"].iter().all(|name| resource.wanted(name).is_nil())
            && !resource.wanted("links").is_sym("follow")
    }

    fn texts(&self, system: &System, request: Request<'_>, property: &str) -> Result<Option<(String, String)>, ProviderError> {
        if matches!(property, "content" | "checksum_value" | "ensure") { texts(system, request, property) } else { Ok(None) }
    }

    /// Reads files by path; a link itself, unless the resource says `links => follow`.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let tasks: Vec<Task<'_>> = requests.iter().map(|request| Task::new(system, request, select)).collect();
        let tree = system.tree().as_ref();
        match tasks.as_slice() {
            // Threads for one file would cost more than it does.
            [one] => vec![one.look(tree, &Parents::default(), select)],
            all => {
                let parents = Parents::of(tree, all);
                all.par_iter().map(|task| task.look(tree, &parents, select)).collect()
            }
        }
    }

    /// Always fails: listing all files of a machine is not useful.
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("not all files of a machine are listed").help("name one: its absolute path"))
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match method {
            "read" => text(&Located::at(system, request.name), request.name),
            "origin" => match source::find(system, request.resource)? {
                Some(source) => source.metadata(request.resource),
                None => Ok(Value::Nil),
            },
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::reading::testing::{Wants, get, present};
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn machine() -> (tempfile::TempDir, System) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("f"), "hello\n").unwrap();
        std::fs::set_permissions(dir.path().join("f"), PermissionsExt::from_mode(0o4640)).unwrap();
        std::fs::create_dir(dir.path().join("d")).unwrap();
        symlink("f", dir.path().join("l")).unwrap();
        symlink("nowhere", dir.path().join("dangling")).unwrap();
        nix::unistd::mkfifo(&dir.path().join("p"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let system = System::at(dir.path());
        (dir, system)
    }

    #[test]
    fn a_file_is_read_with_numbers_as_owner_and_a_checksum_as_content() {
        let (_dir, system) = machine();
        let state = present(&Posix, &system, "/f", vec![]);
        assert_eq!(state["ensure"], Ok(Value::sym("file")));
        assert_eq!(state["type"], Ok(Value::from("file")));
        assert_eq!(state["mode"], Ok(Value::from("4640")));
        assert!(matches!(state["owner"], Ok(Value::Int(_))));
        assert_eq!(state["content"], Ok(Value::from("{sha256}5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03")));
        assert_eq!((&state["target"], &state["seluser"]), (&Ok(absent()), &Ok(absent())));
    }

    #[test]
    fn the_checksum_is_of_the_kind_that_the_resource_names() {
        let (_dir, system) = machine();
        let of = |kind: &str| present(&Posix, &system, "/f", vec![("checksum", Value::sym(kind))])["content"].clone().unwrap().to_text();
        assert_eq!(of("md5"), "{md5}b1946ac92492d2347c6235b4d2611184");
        assert_eq!(of("none"), "{none}");
        assert!(of("mtime").ends_with(" +0000"));
        let bare = present(&Posix, &system, "/f", vec![("checksum", Value::sym("md5")), ("source", Value::from("/x"))]);
        assert_eq!(bare["checksum_value"], Ok(Value::from("b1946ac92492d2347c6235b4d2611184")));
    }

    #[test]
    fn a_link_is_read_itself_unless_it_shall_be_followed() {
        let (_dir, system) = machine();
        let state = present(&Posix, &system, "/l", vec![]);
        assert_eq!((&state["ensure"], &state["target"]), (&Ok(Value::sym("link")), &Ok(Value::from("f"))));
        assert_eq!(state["content"], Ok(absent()));
        let follow = vec![("links", Value::sym("follow"))];
        assert_eq!(present(&Posix, &system, "/l", follow.clone())["ensure"], Ok(Value::sym("file")));
        assert_eq!(get(&Posix, &system, "/dangling", follow), Reading::Absent);
        assert_eq!(present(&Posix, &system, "/dangling", vec![])["target"], Ok(Value::from("nowhere")));
    }

    #[test]
    fn folders_and_pipes_have_no_content_and_are_not_opened() {
        let (_dir, system) = machine();
        for (path, kind) in [("/d", "directory"), ("/p", "fifo")] {
            let state = present(&Posix, &system, path, vec![]);
            assert_eq!((&state["ensure"], &state["content"]), (&Ok(Value::sym(kind)), &Ok(absent())));
        }
    }

    #[test]
    fn what_lies_below_a_file_is_absent_and_an_impossible_path_is_an_error() {
        let (_dir, system) = machine();
        assert_eq!(get(&Posix, &system, "/f/x", vec![]), Reading::Absent);
        assert_eq!(get(&Posix, &system, "/none", vec![]), Reading::Absent);
        assert!(matches!(get(&Posix, &system, "/a\0b", vec![]), Reading::Error(_)));
        let long = format!("/{}", "x".repeat(5000));
        assert!(matches!(get(&Posix, &system, &long, vec![]), Reading::Error(_)));
    }

    #[test]
    fn content_is_read_only_from_regular_files() {
        let (dir, system) = machine();
        std::fs::write(dir.path().join("binary"), [0xff, 0xfe]).unwrap();
        let read = |name: &str| Posix.query(&system, Request { name, resource: &Wants(vec![]) }, "read", &[]);
        assert_eq!(read("/f"), Ok(Value::from("hello\n")));
        assert_eq!(read("/none"), Ok(Value::Nil));
        assert_eq!(read("/binary"), Ok(Value::from_bytes(vec![0xff, 0xfe])));
        assert!(read("/p").unwrap_err().message.contains("a named pipe, not a regular file"));
    }

    #[test]
    fn not_all_files_are_listed() {
        let (_dir, system) = machine();
        assert!(Posix.instances(&system, Select::All).unwrap_err().help.unwrap().contains("name one"));
    }

    #[test]
    fn times_are_written_as_ruby_does() {
        assert_eq!(time(0), "1970-01-01 00:00:00 +0000");
        assert_eq!(time(1_795_180_194), "2026-11-20 13:09:54 +0000");
    }

    #[test]
    fn what_would_be_at_the_path_depends_on_ensure() {
        let (_dir, system) = machine();
        let brings = |wants: Vec<(&'static str, Value)>| {
            let things = Posix.brings(&system, Request { name: "/x/", resource: &Wants(wants) });
            assert!(things.iter().all(|thing| thing.path() == Some("/x")), "{things:?}");
            let has = |fits: fn(&Thing) -> bool| things.iter().any(fits);
            let kinds =
                [has(|t| matches!(t, Thing::Directory(_))), has(|t| matches!(t, Thing::File(_))), has(|t| matches!(t, Thing::Program(_)))];
            (kinds, things.len())
        };
        let (directory, file, any) = (([true, false, false], 1), ([false, true, true], 2), ([true, true, true], 3));
        assert_eq!(brings(vec![("ensure", Value::sym("directory"))]), directory);
        assert_eq!(brings(vec![("ensure", Value::sym("file"))]), file);
        assert_eq!(brings(vec![]), file);
        // A link may lead to anything, and so may what is removed.
        for ensure in ["link", "absent"] {
            assert_eq!(brings(vec![("ensure", Value::sym(ensure))]), any);
        }
        assert_eq!(brings(vec![("ensure", Value::sym("present")), ("target", Value::str("/y"))]), any);
    }
}
