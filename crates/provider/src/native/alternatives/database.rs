//! What update-alternatives keeps on disk, read without starting it: one file for each generic name.
//!
//! A file begins with `auto` or `manual`, the generic link, and the name and path of each follower link (such as the manual page of a
//! program). The entries come after an empty line: path, priority, and the target of each follower link.

use crate::{ProviderError, System};
use std::path::Path;

const DIRECTORY: &str = "/var/lib/dpkg/alternatives";
const LINKS: &str = "/etc/alternatives";

/// A generic name and its alternatives.
#[derive(Debug, PartialEq)]
pub(in crate::native) struct Group {
    pub name: String,
    /// Whether the choice is made by priority.
    pub is_auto: bool,
    pub link: String,
    /// Names and paths of the follower links.
    followers: Vec<(String, String)>,
    pub entries: Vec<Entry>,
}

/// One alternative of a generic name.
#[derive(Debug, PartialEq)]
pub(in crate::native) struct Entry {
    pub path: String,
    pub priority: String,
    /// Targets of the follower links, in the group's order; an empty string if the entry lacks the link.
    followers: Vec<String>,
}

impl Group {
    /// Returns the links of the group and its followers.
    pub fn links(&self) -> impl Iterator<Item = String> {
        std::iter::once(&self.link).chain(self.followers.iter().map(|(_, link)| link)).filter(|link| !link.is_empty()).cloned()
    }

    /// Returns the options of update-alternatives that preserve an entry's follower links.
    pub fn keeping(&self, entry: &Entry) -> Vec<String> {
        let follower = |((name, link), path): (&(String, String), &String)| {
            let option = vec!["--slave".to_owned(), link.clone(), name.clone(), path.clone()];
            if path.is_empty() { Vec::new() } else { option }
        };
        self.followers.iter().zip(&entry.followers).flat_map(follower).collect()
    }
}

/// Returns the group with this name, `None` if it does not exist.
pub(in crate::native) fn group(system: &System, name: &str) -> Result<Option<Group>, ProviderError> {
    if name.is_empty() || name.starts_with('.') || name.contains('/') {
        return Ok(None);
    }
    let file = format!("{DIRECTORY}/{name}");
    let Some(bytes) = system.read_bytes(&file)? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| ProviderError::new(format!("cannot read {file}: it is not UTF-8")))?;
    parse(name, &text)
        .map(Some)
        .ok_or_else(|| ProviderError::new(format!("cannot read {file}: it is not in the format of update-alternatives")))
}

/// All groups, by name.
pub(in crate::native) fn groups(system: &System) -> Result<Vec<Group>, ProviderError> {
    // What update-alternatives is just writing is left out.
    let names: Vec<String> = system.names(DIRECTORY)?.into_iter().filter(|name| !name.ends_with(".dpkg-tmp")).collect();
    let read = names.iter().map(|name| group(system, name).transpose());
    read.flatten().collect()
}

/// Returns the alternative that is currently selected.
pub(in crate::native) fn chosen(system: &System, name: &str) -> Result<Option<String>, ProviderError> {
    let link = Path::new(LINKS).join(name);
    match system.tree().place(&link).and_then(|place| place.target()) {
        Ok(target) => Ok(Some(target.to_string_lossy().into_owned())),
        // Something other than a link was created by the administrator: no alternative is selected.
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::InvalidInput) => Ok(None),
        Err(e) => Err(System::cannot_read(&link.to_string_lossy(), &e)),
    }
}

/// Runs update-alternatives. Fails if another user controls one of these links, which the program replaces.
pub(in crate::native) fn update<T: Into<std::ffi::OsString>>(
    system: &System,
    arguments: impl IntoIterator<Item = T>,
    links: impl IntoIterator<Item = String>,
) -> Result<(), ProviderError> {
    let command = system.command("update-alternatives").args(arguments);
    links.into_iter().fold(command, crate::Command::own_path).succeed().map(drop)
}

/// Returns the error of [`update`] if another user controls the path of a link.
pub(in crate::native) fn refused(system: &System, link: &str) -> Option<ProviderError> {
    system.check_path(link).err().map(|e| e.context("cannot run `update-alternatives`: ".to_owned()))
}

fn parse(name: &str, text: &str) -> Option<Group> {
    // As for update-alternatives, each line ends in a newline, and a carriage return is part of the line.
    let mut lines = text.strip_suffix('\n')?.split('\n').map(str::to_owned);
    let is_auto = match lines.next()?.as_str() {
        "auto" => true,
        "manual" => false,
        _ => return None,
    };
    let link = lines.next()?;
    let mut followers = Vec::new();
    loop {
        let follower = lines.next()?;
        if follower.is_empty() {
            break;
        }
        followers.push((follower, lines.next()?));
    }
    let mut entries: Vec<Entry> = Vec::new();
    while let Some(path) = lines.next().filter(|path| !path.is_empty()) {
        let priority = lines.next()?;
        let own: Vec<String> = lines.by_ref().take(followers.len()).collect();
        if own.len() < followers.len() || entries.iter().any(|entry| entry.path == path) {
            return None;
        }
        entries.push(Entry { path, priority, followers: own });
    }
    Some(Group { name: name.to_owned(), is_auto, link, followers, entries })
}

/// A machine with a generic name, and an update-alternatives that only notes how it is called.
#[cfg(test)]
pub(in crate::native) mod testing {
    use crate::System;
    use crate::native::common::testing::executable;
    use std::os::unix::fs::symlink;

    pub(in crate::native) const EDITOR: &str = "manual\n/usr/bin/editor\neditor.1.gz\n/usr/share/man/man1/editor.1.gz\n\n\
        /bin/nano\n40\n/usr/share/man/man1/nano.1.gz\n/usr/bin/vim.tiny\n15\n\n\n";

    pub(in crate::native) fn machine() -> (tempfile::TempDir, System) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for sub in ["var/lib/dpkg/alternatives", "etc/alternatives", "usr/bin"] {
            std::fs::create_dir_all(root.join(sub)).unwrap();
        }
        std::fs::write(root.join("var/lib/dpkg/alternatives/editor"), EDITOR).unwrap();
        std::fs::write(root.join("var/lib/dpkg/alternatives/pager"), "auto\n/usr/bin/pager\n\n/bin/more\n50\n\n").unwrap();
        symlink("/usr/bin/vim.tiny", root.join("etc/alternatives/editor")).unwrap();
        symlink("/bin/more", root.join("etc/alternatives/pager")).unwrap();
        let program = root.join("usr/bin/update-alternatives");
        executable(&program, "#!/bin/sh\necho \"$@\" >> \"${0%/usr/bin/*}/log\"\n");
        let system = System::at(root);
        (directory, system)
    }

    /// Returns the recorded arguments of update-alternatives.
    pub(in crate::native) fn log(system: &System) -> String {
        system.read("/log").unwrap().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_with_what_comes_along() {
        let group = parse("editor", testing::EDITOR).unwrap();
        let [nano, vim] = group.entries.as_slice() else { panic!("{group:?}") };
        assert_eq!((nano.path.as_str(), nano.priority.as_str()), ("/bin/nano", "40"));
        let expected = ["--slave", "/usr/share/man/man1/editor.1.gz", "editor.1.gz", "/usr/share/man/man1/nano.1.gz"];
        assert_eq!(group.keeping(nano), expected);
        assert!(group.keeping(vim).is_empty());
    }

    #[test]
    fn a_file_that_is_cut_off_is_an_error() {
        for text in [
            "",
            "auto\n",
            "auto\n/l\nslave\n",
            "maybe\n/l\n\n",
            "auto\n/l\nname\n/link\n\n/a\n10\n",
            "auto\n/l\n\n/a\n10",
            "auto\r\n/l\r\n\r\n/a\r\n10\r\n\r\n",
            "auto\n/l\n\n/a\n1\n/a\n2\n\n",
        ] {
            assert_eq!(parse("x", text), None, "{text:?}");
        }
    }

    #[test]
    fn names_with_slashes_are_rejected() {
        let (_folder, system) = testing::machine();
        assert_eq!(group(&system, "../alternatives/editor"), Ok(None));
    }
}
