//! The type files of a git revision, extracted to a temporary directory for a comparison.

use super::problem;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_system::{Terminal, named, process, start};
use std::io::{self, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Stdio};
use tempfile::TempDir;

/// All type files of a repository at a revision. Dropping the value removes the directory.
#[derive(Debug)]
pub struct Revision {
    folder: TempDir,
    /// The requested path in the temporary directory.
    path: PathBuf,
}

impl Revision {
    /// Extracts the type files at `revision` from the repository that contains `path`.
    ///
    /// # Errors
    /// If git, the repository or the revision does not exist, or a file cannot be written.
    pub fn new(revision: &str, path: &str) -> Result<Revision, Diagnostic> {
        let failed = |e: io::Error| cannot(revision, &super::reason(&e));
        let given = Path::new(path);
        // The path itself may no longer exist.
        let base = given.ancestors().find(|p| named::is_dir(p)).filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let git = Git { base, revision };
        let inside = git.run(&["rev-parse", "--show-prefix"], Stdio::null())?;
        let inside = String::from_utf8_lossy(&inside).trim_end_matches('\n').to_owned();
        let commit = git.commit()?;
        let tree = git.run(&["ls-tree", "-r", "-z", "--full-tree", &commit], Stdio::null())?;
        let files: Vec<(&str, PathBuf)> = tree.split(|b| *b == 0).filter_map(entry).collect();
        let folder = named::temporary_directory().map_err(failed)?;
        // git reads the names from a file. With two pipes, git could stall while rtype writes.
        let mut names = named::temporary_file().map_err(failed)?;
        let list: String = files.iter().map(|(hash, _)| format!("{hash}\n")).collect();
        names.write_all(list.as_bytes()).and_then(|()| names.as_file_mut().rewind()).map_err(failed)?;
        let texts = git.run(&["cat-file", "--batch"], Stdio::from(names.into_file()))?;
        let mut rest = texts.as_slice();
        for (_, name) in &files {
            let Some(text) = object(&mut rest) else { return Err(cannot(revision, "git left out a file")) };
            write(&folder.path().join(name), text).map_err(failed)?;
        }
        let below = given.strip_prefix(base).unwrap_or(if base == given { Path::new("") } else { given });
        let path = folder.path().join(inside).join(below);
        Ok(Revision { folder, path })
    }

    /// Returns the extracted path; `None` if the revision does not contain the path.
    pub fn path(&self) -> Option<String> {
        named::exists(&self.path).then(|| self.path.to_string_lossy().trim_end_matches('/').to_owned())
    }

    /// Returns the common prefix of all extracted file names.
    pub fn prefix(&self) -> String {
        format!("{}/", self.folder.path().display())
    }
}

/// The repository of a directory, and the revision that the user named.
pub(super) struct Git<'a> {
    pub base: &'a Path,
    pub revision: &'a str,
}

impl Git<'_> {
    /// Returns the hash of the revision's commit.
    pub fn commit(&self) -> Result<String, Diagnostic> {
        let revision = format!("{}^{{commit}}", self.revision);
        let commit = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &revision], Stdio::null())?;
        Ok(String::from_utf8_lossy(&commit).trim().to_owned())
    }

    /// Runs git in the directory and returns its output.
    pub fn run(&self, arguments: &[&str], stdin: Stdio) -> Result<Vec<u8>, Diagnostic> {
        let mut git = process::program("git");
        git.arg("-C").arg(self.base).args(arguments).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = start(&mut git, Terminal::Detached).and_then(Child::wait_with_output);
        let output = output.map_err(|e| cannot(self.revision, &format!("git does not run: {}", super::reason(&e))))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default().trim_start_matches("fatal: ");
        Err(cannot(self.revision, if said.is_empty() { "there is no such revision" } else { said }))
    }
}

fn cannot(revision: &str, why: &str) -> Diagnostic {
    problem(Code::CannotRead, format!("cannot read the revision `{revision}`: {why}"))
        .help("name a commit, branch or tag of the repository in which the types are: `--since origin/main`; CI may have to fetch it first")
}

/// Parses a line of `ls-tree` into the hash and path of a type file; `None` for links and other files.
fn entry(line: &[u8]) -> Option<(&str, PathBuf)> {
    let (head, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    let mut words = head.split(' ');
    let (mode, kind, hash) = (words.next()?, words.next()?, words.next()?);
    let path = PathBuf::from(path);
    let inside = path.components().all(|c| matches!(c, Component::Normal(_)));
    (mode.starts_with("100") && kind == "blob" && inside && path.extension()? == "rtype").then_some((hash, path))
}

/// Returns the next object in the output of `cat-file --batch`.
fn object<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|b| *b == b'\n')?;
    let size: usize = std::str::from_utf8(rest.get(..end)?).ok()?.rsplit(' ').next()?.parse().ok()?;
    let text = rest.get(end + 1..end + 1 + size)?;
    *rest = rest.get(end + 2 + size..)?;
    Some(text)
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        named::make_directories(folder)?;
    }
    named::write(path, text)
}
