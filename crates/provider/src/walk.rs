//! Lists the files below a directory, for blocks that generate a resource for each.
//!
//! Follows Puppet 7.23's `file_serving/fileset.rb` and Ruby's `File.fnmatch`.

use super::native::{Located, local_source};
use super::{ProviderError, RemoteFile, System};
use rtype_lang::eval::{FileBelow, Walk, Walked};
use rtype_system::{DirectoryEntry, Stat};
use std::io;
use std::sync::Arc;

/// The maximum number of files of one walk, since each becomes a resource.
const MOST: usize = 100_000;

/// Returns the file at a path or source, and the matching files below it, with their paths.
pub(super) fn walk(system: &System, path: &str, how: &Walk) -> Result<Walked, ProviderError> {
    if let Some(server) = system.file_server(path) {
        let Some(files) = server.walk(path, how)? else { return Ok(Walked::Nothing) };
        return Ok(Walked::Files(files.into_iter().map(FileBelow::from).collect()));
    }
    let Some(top) = local_source(system, path)? else { return Ok(Walked::Nothing) };
    let failed = |e: io::Error| System::cannot_read(path, &e);
    let Some(place) = top.find(false).map_err(failed)? else { return Ok(Walked::Nothing) };
    let mut walker = Walker { path, top: &top, how, found: Vec::new(), above: Vec::new() };
    let Some((place, stat)) = walker.look(place, "").map_err(failed)? else { return Ok(Walked::Nothing) };
    let name = top.name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    walker.enter(&place, &name, "", &stat, 0)?;
    walker.found.sort_by(|a, b| a.relative.cmp(&b.relative));
    Ok(Walked::Files(walker.found))
}

impl From<RemoteFile> for FileBelow {
    fn from(file: RemoteFile) -> FileBelow {
        let RemoteFile { uri, relative, kind, mode, owner, group, .. } = file;
        FileBelow { path: uri, relative, kind, mode, uid: owner, gid: group, size: 0, mtime: 0, atime: 0, ctime: 0 }
    }
}

struct Walker<'a> {
    path: &'a str,
    top: &'a Located,
    how: &'a Walk,
    found: Vec<FileBelow>,
    /// Device and inode of the directories on the current path, because a link may lead back to one of them.
    above: Vec<(u64, u64)>,
}

impl Walker<'_> {
    fn enter(&mut self, at: &DirectoryEntry, name: &str, relative: &str, stat: &Stat, depth: u32) -> Result<(), ProviderError> {
        if self.found.len() >= MOST {
            return Err(ProviderError::new(format!("there are more than {MOST} files below {}", self.path)));
        }
        if self.how.matches.is_empty() || self.how.matches.iter().any(|pattern| fits(pattern, name, true)) {
            self.found.push(FileBelow {
                path: if relative.is_empty() { self.path.to_owned() } else { format!("{}/{relative}", self.path.trim_end_matches('/')) },
                relative: if relative.is_empty() { ".".to_owned() } else { relative.to_owned() },
                kind: stat.kind(),
                mode: stat.mode(),
                uid: stat.uid,
                gid: stat.gid,
                size: stat.size,
                mtime: stat.mtime.0,
                atime: stat.atime.0,
                ctime: stat.ctime.0,
            });
        }
        let here = (stat.dev, stat.ino);
        if !stat.is_dir() || self.how.depth.is_some_and(|limit| depth >= limit) || self.above.contains(&here) {
            return Ok(());
        }
        self.above.push(here);
        let failed = |e: io::Error| System::cannot_read(&at.path().to_string_lossy(), &e);
        let directory = match at.directory().directory(at.name()) {
            // Another process may have removed or replaced it.
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                self.above.pop();
                return Ok(());
            }
            opened => Arc::new(opened.map_err(failed)?),
        };
        for file_name in directory.names().map_err(failed)? {
            let place = DirectoryEntry::of(&directory, &file_name);
            let Some(name) = file_name.to_str() else {
                return Err(ProviderError::new(format!("the name of {} is not UTF-8", place.path().display())));
            };
            if self.how.ignore.iter().any(|pattern| fits(pattern, name, false)) {
                continue;
            }
            let below = if relative.is_empty() { name.to_owned() } else { format!("{relative}/{name}") };
            // `None` if it was removed in the meantime.
            if let Some((place, stat)) = self.look(place, &below).map_err(failed)? {
                self.enter(&place, name, &below, &stat, depth + 1)?;
            }
        }
        self.above.pop();
        Ok(())
    }

    /// Returns the metadata of a file, or of its target if links are followed. A dangling link is returned itself.
    fn look(&self, place: DirectoryEntry, relative: &str) -> io::Result<Option<(DirectoryEntry, Stat)>> {
        let Some(stat) = place.stat()? else { return Ok(None) };
        if !self.how.follow || !stat.is_symlink() {
            return Ok(Some((place, stat)));
        }
        let target = self.top.below(relative).find(true)?;
        let followed = target.and_then(|target| target.stat().transpose().map(|stat| stat.map(|stat| (target, stat))));
        Ok(Some(followed.transpose()?.unwrap_or((place, stat))))
    }
}

/// Returns whether a name matches a pattern with `*`, `?`, `[a-z]` and `\`. Unless `dots` is set, a leading dot is
/// only matched by a dot.
fn fits(pattern: &str, name: &str, dots: bool) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let letters: Vec<char> = name.chars().collect();
    if !dots && name.starts_with('.') && pattern.first() != Some(&'.') {
        return false;
    }
    // Where to resume when a star has to match one more character.
    let (mut p, mut n, mut star): (usize, usize, Option<(usize, usize)>) = (0, 0, None);
    while let Some(letter) = letters.get(n) {
        let step = match pattern.get(p) {
            Some('*') => {
                star = Some((p + 1, n));
                p += 1;
                continue;
            }
            Some('?') => Some(p + 1),
            Some('[') => class(&pattern, p, *letter),
            Some('\\') => pattern.get(p + 1).filter(|c| *c == letter).map(|_| p + 2),
            Some(c) if c == letter => Some(p + 1),
            _ => None,
        };
        (p, n) = match (step, star) {
            (Some(next), _) => (next, n + 1),
            (None, Some((after, from))) => {
                star = Some((after, from + 1));
                (after, from + 1)
            }
            (None, None) => return false,
        };
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == '*')
}

/// Returns the position after a `[…]` that contains the character.
fn class(pattern: &[char], open: usize, letter: char) -> Option<usize> {
    let mut at = open + 1;
    let not = matches!(pattern.get(at), Some('!' | '^'));
    at += usize::from(not);
    let mut held = false;
    let first = at;
    loop {
        let mut low = *pattern.get(at)?;
        if low == ']' && at > first {
            return (held != not).then_some(at + 1);
        }
        if low == '\\' {
            at += 1;
            low = *pattern.get(at)?;
        }
        at += 1;
        let high = match (pattern.get(at), pattern.get(at + 1)) {
            (Some('-'), Some(high)) if *high != ']' => {
                at += 2;
                *high
            }
            _ => low,
        };
        held |= (low..=high).contains(&letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn machine() -> (tempfile::TempDir, System) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("d/e/f")).unwrap();
        for file in ["d/a.conf", "d/.hidden", "d/e/b.conf", "d/e/f/c.bak"] {
            std::fs::write(dir.path().join(file), file).unwrap();
        }
        symlink("..", dir.path().join("d/e/up")).unwrap();
        symlink("nowhere", dir.path().join("d/dangling")).unwrap();
        let system = System::at(dir.path());
        (dir, system)
    }

    fn found(system: &System, path: &str, how: Walk) -> Vec<String> {
        match walk(system, path, &how).unwrap() {
            Walked::Files(files) => files.into_iter().map(|f| format!("{} {}", f.relative, f.kind)).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_below_a_directory_is_found_in_order() {
        let (_dir, system) = machine();
        let all = [
            ". directory",
            ".hidden file",
            "a.conf file",
            "dangling link",
            "e directory",
            "e/b.conf file",
            "e/f directory",
            "e/f/c.bak file",
            "e/up link",
        ];
        assert_eq!(found(&system, "/d", Walk::default()), all);
        assert_eq!(found(&system, "file:///d", Walk::default()), all);
        assert_eq!(found(&system, "/d/a.conf", Walk::default()), [". file"]);
        assert_eq!(walk(&system, "/none", &Walk::default()), Ok(Walked::Nothing));
    }

    #[test]
    fn depth_and_patterns_limit_what_is_found() {
        let (_dir, system) = machine();
        let walk = Walk::default;
        assert_eq!(found(&system, "/d", Walk { depth: Some(0), ..walk() }), [". directory"]);
        assert_eq!(found(&system, "/d", Walk { depth: Some(1), ..walk() }).len(), 5);
        let ignore = vec!["*.bak".into(), "dang*".into(), "*hidden".into(), "up".into()];
        assert_eq!(
            found(&system, "/d", Walk { ignore, ..walk() }),
            [". directory", ".hidden file", "a.conf file", "e directory", "e/b.conf file", "e/f directory"]
        );
        // Directories that do not match are still searched.
        let matches = vec!["*.conf".into()];
        assert_eq!(found(&system, "/d", Walk { matches, ..walk() }), ["a.conf file", "e/b.conf file"]);
    }

    #[test]
    fn followed_links_do_not_lead_in_circles() {
        let (_dir, system) = machine();
        let found = found(&system, "/d", Walk { follow: true, ..Walk::default() });
        assert!(found.contains(&"e/up directory".to_owned()) && found.contains(&"dangling link".to_owned()), "{found:?}");
        assert_eq!(found.len(), 9);
    }

    #[test]
    fn non_utf8_file_name_is_an_error() {
        use std::os::unix::ffi::OsStrExt;
        let (dir, system) = machine();
        std::fs::write(dir.path().join(std::ffi::OsStr::from_bytes(b"d/\xff")), "").unwrap();
        assert!(walk(&system, "/d", &Walk::default()).unwrap_err().to_string().contains("not UTF-8"));
    }

    #[test]
    fn patterns_are_rubys() {
        let yes =
            [("*", "a"), ("a*c", "abbc"), ("?", "ä"), ("[a-c]x", "bx"), ("[!a]", "b"), ("\\*", "*"), (".*", ".a"), ("[]]", "]"), ("", "")];
        let no = [("*", ".a"), ("?", ""), ("[a-c]", "d"), ("a", "ab"), ("[^a]", "a"), ("\\*", "a"), ("[", "["), ("{a,b}", "a")];
        yes.iter().for_each(|(pattern, name)| assert!(fits(pattern, name, false), "{pattern} {name}"));
        no.iter().for_each(|(pattern, name)| assert!(!fits(pattern, name, false), "{pattern} {name}"));
        assert!(fits("*", ".a", true));
    }
}
