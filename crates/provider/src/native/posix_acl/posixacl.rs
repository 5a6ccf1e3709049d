//! `posix_acl/posixacl`: access control lists, read with getfacl and written with setfacl.
//!
//! Follows the provider of Puppet's module voxpupuli-posix-acl 1.0.1, except that a single run of setfacl sets all entries. The module sets
//! entries separately, which fails if the list is incomplete in between, such as before the mask.

use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Resource, Select, State, System, Thing};
use rtype_lang::value::{Symbol, Value};
use rtype_system::{DirectoryEntry, Held};
use std::path::Path;
use std::sync::Arc;

/// The programs, as the type declares them.
const GETFACL: &str = "/usr/bin/getfacl";
const SETFACL: &str = "/usr/bin/setfacl";

/// Maximum number of files per getfacl call.
const BATCH: usize = 100;

/// Reads lists in batches and writes them one at a time.
pub struct Posixacl;

/// Opens the file at a path, so that the programs change the file that was examined; `None` if it does not exist.
fn hold(system: &System, path: &str) -> Result<Option<Held>, ProviderError> {
    if system.look(path, true)?.is_none() {
        return Ok(None);
    }
    let held = system.tree().follow(Path::new(path)).and_then(|place| place.hold());
    held.map(Some).map_err(|e| System::cannot_read(path, &e))
}

/// Calls `each` with groups of all that is below a directory and no link, and the directory itself.
fn each_below(top: &DirectoryEntry, each: &mut dyn FnMut(&[Held]) -> Result<(), ProviderError>) -> Result<(), ProviderError> {
    let failed = |e: std::io::Error| System::cannot_read(&top.path().to_string_lossy(), &e);
    let held = top.hold().map_err(failed)?;
    let is_directory = held.stat().map_err(failed)?.is_dir();
    each(&[held])?;
    if !is_directory {
        return Ok(());
    }
    let directory = Arc::new(top.directory().directory(top.name()).map_err(failed)?);
    // Only the files of one directory are open at a time, however many are above it.
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    for name in directory.names().map_err(failed)? {
        let entry = DirectoryEntry::of(&directory, &name);
        match entry.stat().map_err(failed)? {
            Some(stat) if stat.is_dir() => directories.push(entry),
            Some(stat) if !stat.is_symlink() => files.push(entry.hold().map_err(failed)?),
            _ => {}
        }
        if files.len() == BATCH {
            each(&files)?;
            files.clear();
        }
    }
    if !files.is_empty() {
        each(&files)?;
    }
    drop(files);
    directories.iter().try_for_each(|below| each_below(below, each))
}

/// Returns the entries of several files' lists, in order; empty for a file that does not exist.
fn read(system: &System, paths: &[&str]) -> Vec<Result<Vec<String>, ProviderError>> {
    let held: Vec<Result<Option<Held>, ProviderError>> = paths.iter().map(|path| hold(system, path)).collect();
    let mut command = system.command(GETFACL).args(["--absolute-names", "--no-effective", "--"]);
    let mut count = 0;
    for file in held.iter().flatten().flatten() {
        command = command.arg(file.path());
        count += 1;
    }
    if count == 0 {
        return held.into_iter().map(|file| file.map(|_| Vec::new())).collect();
    }
    let lists = command.succeed().map(|output| lists(output.stdout.for_parsing()));
    match lists {
        Ok(lists) if lists.len() == count => {
            let mut lists = lists.into_iter();
            held.into_iter().map(|file| Ok(if file?.is_some() { lists.next().unwrap_or_default() } else { Vec::new() })).collect()
        }
        Ok(_) | Err(_) if paths.len() > 1 => paths.iter().flat_map(|path| read(system, &[path])).collect(),
        Ok(_) => vec![Err(ProviderError::new("getfacl said something that cannot be understood"))],
        Err(error) => vec![Err(error)],
    }
}

/// Parses the output of getfacl, in which each list ends with an empty line.
fn lists(text: &str) -> Vec<Vec<String>> {
    let blocks = text.split("\n\n").filter(|block| !block.trim().is_empty());
    let list = |block: &str| {
        let entries = block.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let mut entries: Vec<String> = entries.map(|line| line.replace("\\040", " ")).collect();
        entries.sort();
        entries
    };
    blocks.map(list).collect()
}

/// Returns whether an entry only reflects the file's mode, so that it cannot be removed.
fn is_of_mode(entry: &str) -> bool {
    let (kind, rest) = entry.split_once(':').unwrap_or((entry, ""));
    matches!(kind, "u" | "user" | "g" | "group" | "m" | "mask" | "o" | "other") && rest.starts_with(':')
}

/// Returns whether an entry is a default entry, for new files in a directory.
fn is_default(entry: &str) -> bool {
    entry.starts_with("d:") || entry.starts_with("default:")
}

/// Returns the entry without its permissions.
fn whom(entry: &str) -> &str {
    entry.rsplit_once(':').map_or(entry, |(whom, _)| whom)
}

/// Returns the entries that setfacl has to remove and to set for the desired entries, depending on the action.
fn plan<'a>(action: &str, is: &'a [String], should: &'a [String]) -> (Vec<&'a str>, Vec<&'a str>) {
    let removable = |entries: &'a [String]| entries.iter().map(String::as_str).filter(|e| !is_of_mode(e));
    let lacks = |all: &[String], entry: &str| !all.iter().any(|e| e == entry);
    match action {
        "unset" => (removable(should).map(whom).filter(|w| is.iter().any(|e| whom(e) == *w)).collect(), Vec::new()),
        _ => {
            // Stored entries never contain `X`: setfacl replaces `X` by `x` or drops the letter.
            let lower: Vec<String> = should.iter().map(|e| e.to_lowercase()).collect();
            let set = should.iter().map(String::as_str).filter(|e| lacks(is, e)).collect();
            let wanted = |w: &str| should.iter().any(|e| whom(e) == w);
            let gone = removable(is).filter(|e| action == "exact" && lacks(&lower, &e.to_lowercase()) && !wanted(whom(e)));
            (gone.map(whom).collect(), set)
        }
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value.unwrapped() {
        Value::Array(all) => all.iter().map(|v| v.to_text().to_string()).collect(),
        Value::Nil => Vec::new(),
        one => vec![one.to_text().to_string()],
    }
}

fn is_lazy(resource: &dyn Resource) -> bool {
    let recursive = resource.wanted("recursive");
    (recursive.is_sym("true") || recursive == Value::Bool(true)) && resource.wanted("recursemode").is_sym("lazy")
}

impl Provider for Posixacl {
    fn needs(&self, _: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        let path = request.name;
        let file = Need {
            any_of: vec![Thing::File(path.into()), Thing::Directory(path.into())],
            failure: format!("cannot write {path}: no such file or directory").into(),
        };
        let entries =
            if request.resource.wanted("action").to_text() == "purge" { Vec::new() } else { texts(&request.resource.wanted("permission")) };
        let accounts = entries.iter().filter_map(|entry| {
            let entry = entry.strip_prefix("d:").or(entry.strip_prefix("default:")).unwrap_or(entry);
            let (kind, rest) = entry.split_once(':')?;
            let name = rest.split(':').next()?;
            match kind {
                "u" | "user" => Need::user(name),
                "g" | "group" => Need::group(name),
                _ => None,
            }
        });
        std::iter::once(file).chain(accounts).collect()
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["permission"]
    }

    fn writes(&self) -> &'static [&'static str] {
        &["permission"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], _: Select<'_>) -> Vec<Reading> {
        let mut readings = Vec::with_capacity(requests.len());
        for batch in requests.chunks(BATCH) {
            let names: Vec<&str> = batch.iter().map(|request| request.name).collect();
            readings.extend(read(system, &names).into_iter().map(|entries| {
                let value = entries.map(|entries| Value::array(entries.into_iter().map(Value::str)));
                Reading::Present(State::from_iter([(Symbol::from("permission"), value)]))
            }));
        }
        readings
    }

    /// Always fails: listing the access control lists of all files is not useful.
    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("not all files of a machine are listed").help("name one: its absolute path"))
    }

    fn set(&self, system: &System, change: &mut Change<'_>, _: &str, value: &Value) -> Result<(), ProviderError> {
        let action = change.resource.wanted("action").to_text();
        let top = || system.tree().follow(Path::new(change.name)).map_err(|e| System::cannot_write(change.name, &e));
        let run = |arguments: &dyn Fn(bool) -> Vec<String>, files: &[Held]| {
            let is_directory = files.iter().any(|file| file.stat().is_ok_and(|stat| stat.is_dir()));
            let arguments = arguments(is_directory);
            if arguments.is_empty() {
                return Ok(());
            }
            let command = system.command(SETFACL).args(arguments).arg("--");
            files.iter().fold(command, |command, file| command.arg(file.path())).succeed().map(drop)
        };
        let run_all = |arguments: &dyn Fn(bool) -> Vec<String>| -> Result<(), ProviderError> {
            let top = top()?;
            if is_lazy(change.resource) {
                return each_below(&top, &mut |files| run(arguments, files));
            }
            let held = top.hold().map_err(|e| System::cannot_write(change.name, &e))?;
            run(arguments, &[held])
        };
        if action == "purge" {
            return run_all(&|_| vec!["-b".to_owned()]);
        }
        let is = read(system, &[change.name]).into_iter().next().unwrap_or_else(|| Ok(Vec::new()))?;
        let should = texts(value);
        let (mut gone, mut set) = plan(&action, &is, &should);
        if is_lazy(change.resource) {
            // Files below the directory may lack entries of the directory.
            set = if action == "unset" { Vec::new() } else { should.iter().map(String::as_str).collect() };
            gone = if action == "unset" { should.iter().filter(|e| !is_of_mode(e)).map(|e| whom(e)).collect() } else { gone };
        }
        if gone.is_empty() && set.is_empty() {
            return Ok(());
        }
        let apply = |gone: &[&str], set: &[&str]| {
            run_all(&|is_directory| {
                // Only directories can have default entries: for a lazy resource, skip them for other files.
                let fits = |entry: &&&str| is_directory || !is_lazy(change.resource) || !is_default(entry);
                let joined = |entries: &[&str]| entries.iter().filter(fits).copied().collect::<Vec<_>>().join(",");
                let given = [("-x", joined(gone)), ("-m", joined(set))].into_iter().filter(|(_, entries)| !entries.is_empty());
                let given: Vec<String> = given.flat_map(|(option, entries)| [option.to_owned(), entries]).collect();
                // Use the mask as given; do not let setfacl recompute it.
                if given.is_empty() { given } else { [vec!["-n".to_owned()], given].concat() }
            })
        };
        match apply(&gone, &set) {
            // If setfacl refuses an entry, all entries stay unchanged.
            Err(_) if gone.len() + set.len() > 1 => {
                let of_mode: Vec<&str> = set.iter().copied().filter(|entry| is_of_mode(entry)).collect();
                let removed: Vec<_> = gone.iter().map(|entry| apply(&[entry], &[])).collect();
                let added: Vec<_> = set.iter().map(|entry| apply(&[], &[&of_mode[..], &[*entry]].concat())).collect();
                removed.into_iter().chain(added).collect()
            }
            result => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::reading::testing::{Wants, present};
    use std::os::unix::fs::symlink;

    /// A directory with the programs; `None` if its file system does not support access control lists.
    fn machine() -> Option<(tempfile::TempDir, System)> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("usr/bin")).unwrap();
        for program in [GETFACL, SETFACL] {
            symlink(program, dir.path().join(program.trim_start_matches('/'))).unwrap();
        }
        std::fs::create_dir(dir.path().join("d")).unwrap();
        std::fs::write(dir.path().join("d/f g"), "").unwrap();
        // The umask may be strict.
        for (path, mode) in [("d", 0o755), ("d/f g", 0o644)] {
            std::fs::set_permissions(dir.path().join(path), std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        }
        let system = System::at(dir.path());
        let works = system.command(SETFACL).args(["-m", "u:1:r"]).arg(dir.path().join("d/f g")).succeed();
        system.command(SETFACL).arg("-b").arg(dir.path().join("d/f g")).succeed().ok()?;
        works.ok().map(|_| (dir, system))
    }

    fn entries(system: &System, path: &str) -> Vec<String> {
        texts(present(&Posixacl, system, path, vec![])["permission"].as_ref().unwrap())
    }

    fn set(system: &System, path: &str, action: &str, wanted: &[&str], more: &[(&'static str, &str)]) -> Result<(), ProviderError> {
        let wanted = Value::array(wanted.iter().map(|e| Value::str(*e)));
        let mut wants = vec![("action", Value::sym(action)), ("permission", wanted.clone())];
        wants.extend(more.iter().map(|(name, value)| (*name, Value::sym(*value))));
        let resource = Wants(wants);
        let is = Reading::Absent;
        let mut change = Change::new(Request { name: path, resource: &resource }, &is);
        Posixacl.set(system, &mut change, "permission", &wanted)
    }

    #[test]
    fn failures_of_getfacl_are_errors_of_each_file() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join(GETFACL.trim_start_matches('/'));
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, "#!/bin/sh\necho 'no lists here' >&2\nexit 1\n").unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        for path in ["a", "b"] {
            std::fs::write(dir.path().join(path), "").unwrap();
        }
        let found = read(&System::at(dir.path()), &["/a", "/b"]);
        let errors: Vec<String> = found.into_iter().map(|one| one.unwrap_err().to_string()).collect();
        assert_eq!(errors.len(), 2);
        assert!(errors.iter().all(|error| error.ends_with("exited with 1: no lists here")), "{errors:?}");
    }

    const MODE: [&str; 3] = ["group::r--", "other::r--", "user::rw-"];

    #[test]
    fn entries_are_set_removed_and_purged() {
        let Some((_dir, system)) = machine() else { return };
        assert_eq!(entries(&system, "/d/f g"), MODE);
        // As long as a mask is missing setfacl refuses the list: all goes in one step.
        set(&system, "/d/f g", "set", &["user:12345:rw-", "user:12346:r--", "mask::rw-"], &[]).unwrap();
        assert_eq!(entries(&system, "/d/f g"), ["group::r--", "mask::rw-", "other::r--", "user:12345:rw-", "user:12346:r--", "user::rw-"]);
        set(&system, "/d/f g", "unset", &["user:12345:---", "user:9:r--"], &[]).unwrap();
        assert_eq!(entries(&system, "/d/f g"), ["group::r--", "mask::rw-", "other::r--", "user:12346:r--", "user::rw-"]);
        set(&system, "/d/f g", "exact", &["user::rw-", "group::r--", "other::---", "mask::r--", "group:12345:r-X"], &[]).unwrap();
        assert_eq!(entries(&system, "/d/f g"), ["group:12345:r--", "group::r--", "mask::r--", "other::---", "user::rw-"]);
        set(&system, "/d/f g", "purge", &["user::rw-"], &[]).unwrap();
        assert_eq!(entries(&system, "/d/f g"), ["group::r--", "other::---", "user::rw-"]);
    }

    #[test]
    fn what_is_below_a_directory_gets_the_list_at_once() {
        let Some((_dir, system)) = machine() else { return };
        let wanted = ["user:12345:r-X", "mask::rwx"];
        set(&system, "/d", "set", &wanted, &[("recursive", "true"), ("recursemode", "lazy")]).unwrap();
        assert!(entries(&system, "/d").contains(&"user:12345:r-x".to_owned()));
        assert!(entries(&system, "/d/f g").contains(&"user:12345:r--".to_owned()));
    }

    #[test]
    fn defaults_of_a_directory_come_and_go() {
        let Some((_dir, system)) = machine() else { return };
        let defaults = ["default:user::rwx", "default:group::r-x", "default:other::---"];
        set(&system, "/d", "set", &defaults, &[]).unwrap();
        assert_eq!(entries(&system, "/d").len(), 6);
        set(&system, "/d", "exact", &["user::rwx", "group::r-x", "other::r-x"], &[]).unwrap();
        assert_eq!(entries(&system, "/d").len(), 3);
    }

    #[test]
    fn missing_file_in_a_batch_has_an_empty_list() {
        let Some((_dir, system)) = machine() else { return };
        let wants = Wants(vec![]);
        let requests = ["/d", "/none", "/d/f g"].map(|name| Request { name, resource: &wants });
        let counts: Vec<usize> = Posixacl
            .get(&system, &requests, Select::All)
            .iter()
            .map(|r| match r {
                Reading::Present(state) => texts(state["permission"].as_ref().unwrap()).len(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(counts, [3, 0, 3]);
        assert!(set(&system, "/none", "set", &["user:1:r--"], &[]).unwrap_err().message.contains("No such file"));
    }
}
