//! Unpacks archives: selects the program, the options and the user.

use super::file::TIME_LIMIT;
use crate::native::accounts;
use crate::{Command, ProviderError, Resource, System};
use nix::unistd::{Gid, Uid};
use rtype_lang::value::Value;
use std::io::ErrorKind;
use std::path::Path;

/// Returns the program for a file, by the end of its name, and its usual options.
fn program(file: &str) -> Option<(&'static str, &'static str)> {
    let ends = |ends: &[&str]| ends.iter().any(|end| file.ends_with(end));
    Some(match () {
        () if ends(&[".tar"]) => ("tar", "xf"),
        () if ends(&[".tgz", ".tar.gz"]) => ("tar", "xzf"),
        () if ends(&[".tbz", ".tar.bz2"]) => ("tar", "xjf"),
        () if ends(&[".txz", ".tar.xz"]) => ("tar", "xJf"),
        () if ends(&[".gz"]) => ("gunzip", "-d"),
        () if ends(&[".zip", ".war", ".jar"]) => ("unzip", "-o"),
        () => return None,
    })
}

/// Returns whether the result is written next to the archive, regardless of the target directory.
pub(super) fn is_unpacked_in_place(file: &str, resource: &dyn Resource) -> bool {
    resource.wanted("extract_command").is_nil() && program(file).is_some_and(|(program, _)| program == "gunzip")
}

/// Returns the key of a program in `extract_flags`. As in Puppet, the key of `unzip` is `zip`.
fn flags_key(program: &str) -> &str {
    if program == "unzip" { "zip" } else { program }
}

/// Returns the words of the command, split like Puppet's shell. `flags` is a string, or a map with flags per program.
fn words(file: &str, flags: &Value) -> Result<Vec<String>, ProviderError> {
    let (program, usual) =
        program(file).ok_or_else(|| ProviderError::new(format!("it is not known how to unpack {file}")).help("give `extract_command`"))?;
    let key = flags_key(program);
    let flags = match flags.unwrapped() {
        Value::Str(flags) => flags.to_string(),
        Value::Map(each) => each.get(&Value::str(key)).map_or(usual.to_owned(), |flags| flags.to_text().to_string()),
        _ => usual.to_owned(),
    };
    let flags = shlex::split(&flags).ok_or_else(|| ProviderError::new("`extract_flags` has a quote without its other end"))?;
    Ok(std::iter::once(program.to_owned()).chain(flags).chain([file.to_owned()]).collect())
}

/// Returns the command for a file. What `extract_command` says is a command of the shell.
fn command<'a>(system: &'a System, file: &str, resource: &dyn Resource) -> Result<Command<'a>, ProviderError> {
    let own = resource.wanted("extract_command");
    let Some(own) = own.as_text() else {
        let words = words(file, &resource.wanted("extract_flags"))?;
        let (program, arguments) = words.split_first().map(|(p, a)| (p.as_str(), a)).unwrap_or_default();
        return Ok(system.command(program).args(arguments));
    };
    let quoted = shlex::try_quote(file).map_err(|_| ProviderError::new("the path has a null byte"))?;
    let line = if own.contains("%s") {
        own.replace("%s", &quoted)
    } else {
        let flags = resource.wanted("extract_flags");
        let flags = if let Value::Str(flags) = &flags { flags.as_str() } else { "" };
        format!("{own} {flags} {quoted}")
    };
    Ok(system.command("sh").args(["-c", &line]))
}

/// Default options of GNU tar; declared options override them. Archived owners and permissions are ignored, and the metadata of existing
/// directories is kept.
const TAR_OPTIONS: &str = "--no-same-owner --no-same-permissions --no-overwrite-dir";

/// Unpacks a file into `extract_path`. The file is unpacked into a private directory and the result is moved, so that other users cannot
/// insert links and archived entries for the directory itself have no effect. With `user`, or with `extract_command` in a
/// directory that no other user controls, the program runs in `extract_path`; with `extract_flags`, it then runs there again.
pub(super) fn unpack(system: &System, file: &Path, path: &str, resource: &dyn Resource) -> Result<(), ProviderError> {
    let directory = resource.wanted("extract_path");
    let directory =
        directory.as_text().ok_or_else(|| ProviderError::new("an archive is to be extracted, and `extract_path` is missing"))?;
    let cannot_write = |e: std::io::Error| match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            ProviderError::new(format!("the directory {directory} does not exist")).help("declare it: the archive is applied after it")
        }
        _ => System::cannot_write(directory, &e),
    };
    let file = file.to_str().ok_or_else(|| ProviderError::new(format!("the path {path} is not UTF-8")))?;
    let (tree, has_command) = (system.tree(), !resource.wanted("extract_command").is_nil());
    let target = tree.directory(Path::new(directory)).map_err(cannot_write)?;
    let is_shared = || tree.check_own(&Path::new(directory).join("entry")).is_err();
    if !resource.wanted("user").is_nil() || is_unpacked_in_place(path, resource) || (has_command && !is_shared()) {
        return run(system, file, path, resource, |command| command.inside(target));
    }
    let scratch = tree.scratch(Path::new(directory)).map_err(cannot_write)?;
    run(system, file, path, resource, |command| command.directory(scratch.path()))?;
    if !has_command {
        let refused = |e: std::io::Error| {
            let error = ProviderError::new(format!("the archive {path} is not unpacked: {e}"));
            error.help("give `extract_command` to unpack devices")
        };
        scratch.check_no_devices().map_err(refused)?;
        if has_flags(path, resource) {
            // Options such as `--keep-newer-files` depend on the files that are in the directory already.
            if !is_shared() {
                drop(scratch);
                return run(system, file, path, resource, |command| command.inside(target));
            }
        } else {
            let group = resource.wanted("group");
            let group = if group.is_nil() { None } else { Some(accounts::gid_of(system, &group.to_text())?) };
            scratch.disarm(group).map_err(cannot_write)?;
        }
    }
    scratch.merge_into(&target).map_err(cannot_write)
}

/// Returns whether the resource declares options for the program that unpacks the file.
fn has_flags(file: &str, resource: &dyn Resource) -> bool {
    match resource.wanted("extract_flags").unwrapped() {
        Value::Str(_) => true,
        Value::Map(each) => program(file).is_some_and(|(program, _)| each.get(&Value::str(flags_key(program))).is_some()),
        _ => false,
    }
}

fn run<'a>(
    system: &'a System,
    file: &str,
    path: &str,
    resource: &dyn Resource,
    enter: impl FnOnce(Command<'a>) -> Command<'a>,
) -> Result<(), ProviderError> {
    let mut command = enter(command(system, file, resource)?.env("TAR_OPTIONS", TAR_OPTIONS).time_limit(Some(TIME_LIMIT)));
    let name = |attribute: &str| Some(resource.wanted(attribute)).filter(|v| !v.is_nil()).map(|v| v.to_text());
    let (user, group) = (name("user"), name("group"));
    if (user.is_some() || group.is_some()) && Path::new(file) == system.path(path) {
        system.set_mode(path, 0o644, true)?;
    }
    let gid = group.map(|group| accounts::gid_of(system, &group)).transpose()?;
    if let Some(user) = user {
        let (uid, own) = accounts::ids_of(system, &user)?;
        command = command.user(Uid::from_raw(uid), Gid::from_raw(gid.or(own).unwrap_or(uid)));
    } else if let Some(gid) = gid {
        command = command.group(Gid::from_raw(gid));
    }
    command.succeed().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::value::Map;
    use std::sync::Arc;

    #[test]
    fn the_end_of_the_name_tells_the_program() {
        for (file, expected) in [
            ("/a.tar", "tar xf /a.tar"),
            ("/a.tgz", "tar xzf /a.tgz"),
            ("/a.tar.bz2", "tar xjf /a.tar.bz2"),
            ("/a.txz", "tar xJf /a.txz"),
            ("/a.gz", "gunzip -d /a.gz"),
            ("/a.war", "unzip -o /a.war"),
        ] {
            assert_eq!(words(file, &Value::sym("undef")).unwrap().join(" "), expected);
        }
        assert!(words("/a.rar", &Value::Nil).is_err());
    }

    #[test]
    fn flags_take_the_place_of_the_usual_ones() {
        assert_eq!(words("/a.tar", &Value::str("-x --strip '1' -f")).unwrap(), ["tar", "-x", "--strip", "1", "-f", "/a.tar"]);
        let each = Value::Map(Arc::new(Map::from_iter([(Value::str("zip"), Value::str("-q"))])));
        assert_eq!(words("/a.zip", &each).unwrap(), ["unzip", "-q", "/a.zip"]);
        assert_eq!(words("/a.tar", &each).unwrap(), ["tar", "xf", "/a.tar"]);
    }
}
