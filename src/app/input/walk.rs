//! Finds the files of a run in directories, and records the reasons for left-out files.

use super::{FileAccess, problem, relative, unreadable};
use rtype_author::check::{LeftOut, LeftOutReason, left_out_text};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::library::is_ruby;
use rtype_system::named;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Directories with copies and build output, which never contain sources.
const VENDORED: &[&str] = &["target", "node_modules", "vendor"];

/// Directories with Ruby files for tests, or with copies of other modules.
const TESTS: &[&str] = &["spec", "test", "tests", "pkg"];

/// The maximum depth of directories. Deeper trees come from wrong links or mounts.
const MAX_DEPTH: usize = 64;

/// The files of a run.
#[derive(Debug, Default)]
pub struct Collected {
    /// The named files, and the files in named directories, without duplicates. Paths are formatted for messages.
    pub files: Vec<PathBuf>,
    /// Files and directories in named directories that were left out.
    pub left_out: Vec<LeftOut>,
    /// Files and directories that cannot be read, and directories without files.
    pub diagnostics: Vec<Diagnostic>,
}

/// Returns the files in `paths`, with directories searched recursively and sorted.
///
/// In directories, only files with one of `extensions` are included. Hidden files, directories such as `target`, links to directories, and
/// Ruby files without types and providers are left out. An explicitly named file is always included.
pub fn collect(paths: &[String], extensions: &[&str], access: &FileAccess) -> Collected {
    let paths: Vec<String> = paths.iter().map(|p| relative(p)).collect();
    collect_as_given(&paths, extensions, access)
}

/// Like [`collect`], but absolute paths stay absolute, so that they can be compared with the paths of open documents.
pub fn collect_as_given(paths: &[String], extensions: &[&str], access: &FileAccess) -> Collected {
    let (mut files, mut found, mut walk) = (Vec::new(), BTreeSet::new(), Walk { extensions, access, out: Collected::default() });
    for path in paths.iter().map(String::as_str) {
        if path == "-" {
            files.push(PathBuf::from("-"));
            continue;
        }
        match named::metadata(path) {
            Err(e) => walk.out.diagnostics.push(unreadable(path, &e)),
            Ok(m) if m.is_dir() => files.extend(walk.named_directory(path)),
            Ok(_) => files.push(PathBuf::from(path)),
        }
    }
    // A file is read only once, preferably not through a link.
    let real = |file: &PathBuf| named::real_path(file).unwrap_or_else(|_| file.clone());
    let is_link = |file: &PathBuf| named::target(file).is_ok();
    let targets: BTreeSet<PathBuf> = files.iter().filter(|file| !is_link(file)).map(real).collect();
    files.retain(|file| !(is_link(file) && targets.contains(&real(file))) && found.insert(real(file)));
    Collected { files, ..walk.out }
}

/// Returns the error for a directory without files to check. The help counts the files that were left out.
pub fn nothing_to_check(path: &str, extensions: &[&str], left_out: &[LeftOut]) -> Diagnostic {
    let wanted: Vec<_> = extensions.iter().map(|e| format!("`.{e}`")).collect();
    let others = Some(left_out_text(left_out)).filter(|text| !text.is_empty()).map(|text| format!("; left out: {text}"));
    problem(Code::NothingToCheck, format!("there is nothing to check in `{path}`")).help(format!(
        "in directories, files that end in {} are looked for{}",
        wanted.join(", "),
        others.unwrap_or_default()
    ))
}

/// Returns whether Puppet looks for the providers of a type at this path.
pub fn is_provider(path: &Path) -> bool {
    is_ruby(path) && path.parent().and_then(Path::parent).is_some_and(|p| p.ends_with("lib/puppet/provider"))
}

/// Returns whether Puppet looks for types and providers at this path, unless a test directory below `base` contains the path.
fn is_type_or_provider(path: &Path, base: &Path) -> bool {
    let below = path.strip_prefix(base).unwrap_or(path);
    let is_of_tests = below.components().any(|part| TESTS.iter().any(|name| part.as_os_str() == *name));
    !is_of_tests && (is_provider(path) || path.parent().is_some_and(|p| p.ends_with("puppet/type")))
}

/// A search through directories.
struct Walk<'a> {
    extensions: &'a [&'a str],
    access: &'a FileAccess,
    out: Collected,
}

impl Walk<'_> {
    /// Returns the files in a directory that the user named; a directory without files is an error.
    fn named_directory(&mut self, path: &str) -> BTreeSet<PathBuf> {
        let (mut inside, left_out, before) = (BTreeSet::new(), self.out.left_out.len(), self.out.diagnostics.len());
        match self.access.check_named(Path::new(path)) {
            Ok(()) => self.directory(Path::new(path), Path::new(path), &mut inside, 0),
            Err(why) => self.out.diagnostics.push(why),
        }
        if inside.is_empty() && self.out.diagnostics.len() == before {
            let left_out = self.out.left_out.get(left_out..).unwrap_or_default();
            self.out.diagnostics.push(nothing_to_check(path, self.extensions, left_out));
        }
        inside
    }

    fn directory(&mut self, directory: &Path, base: &Path, files: &mut BTreeSet<PathBuf>, depth: usize) {
        let mut entries: Vec<_> = match named::entries(directory) {
            Ok(entries) => entries.collect(),
            Err(e) => return self.out.diagnostics.push(unreadable(&directory.display().to_string(), &e)),
        };
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            // In `.`, messages show `types`, not `./types`.
            let path = if directory == Path::new(".") { PathBuf::from(entry.file_name()) } else { directory.join(entry.file_name()) };
            match entry.file_type() {
                // The data of git does not belong to the repository.
                Ok(kind) if kind.is_dir() && path.ends_with(".git") => {}
                Ok(kind) if kind.is_dir() => match directory_reason(&path, depth) {
                    Some(reason) => self.leave_out(&path, reason),
                    None => self.directory(&path, base, files, depth + 1),
                },
                // A link is treated like its target.
                Ok(kind) => self.file(&path, base, kind.is_symlink(), files),
                Err(e) => self.out.diagnostics.push(unreadable(&path.display().to_string(), &e)),
            }
        }
    }

    fn file(&mut self, path: &Path, base: &Path, is_link: bool, files: &mut BTreeSet<PathBuf>) {
        let is_wanted = path.extension().and_then(|e| e.to_str()).is_some_and(|e| self.extensions.contains(&e));
        if is_link && named::is_dir(path) {
            return self.leave_out(path, LeftOutReason::LinkedDirectory);
        }
        if !is_wanted {
            return;
        }
        if let Some(reason) = file_reason(path, base) {
            return self.leave_out(path, reason);
        }
        match if is_link { self.access.check(path) } else { Ok(()) } {
            Ok(()) => drop(files.insert(path.to_owned())),
            Err(why) => self.out.diagnostics.push(why),
        }
    }

    fn leave_out(&mut self, path: &Path, reason: LeftOutReason) {
        self.out.left_out.push(LeftOut { path: path.to_string_lossy().into_owned(), reason });
    }
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns the reason for leaving out a directory.
fn directory_reason(path: &Path, depth: usize) -> Option<LeftOutReason> {
    let is_named = |names: &[&str]| names.iter().any(|name| path.ends_with(name));
    match () {
        () if is_hidden(path) => Some(LeftOutReason::HiddenDirectory),
        () if is_named(VENDORED) => Some(LeftOutReason::Vendored),
        () if depth >= MAX_DEPTH => Some(LeftOutReason::TooDeep),
        () => None,
    }
}

/// Returns the reason for leaving out a file with a requested extension.
fn file_reason(path: &Path, base: &Path) -> Option<LeftOutReason> {
    match () {
        () if is_hidden(path) => Some(LeftOutReason::Hidden),
        () if path.to_str().is_none() => Some(LeftOutReason::BadName),
        () if is_ruby(path) && !is_type_or_provider(path, base) => Some(LeftOutReason::NoTypeOrProvider),
        // `x.py.json` next to `x.py` describes a program and contains no resources.
        () if path.extension().is_some_and(|e| e == "json") && named::is_file(path.with_extension("")) => Some(LeftOutReason::NoResources),
        () => None,
    }
}
