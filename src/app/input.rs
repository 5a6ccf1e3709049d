//! Reads and writes files: the files that the user names, and the files that rtype finds in directories.

mod access;
#[cfg(feature = "cli")]
mod changes;
mod files;
mod module_path;
#[cfg(feature = "cli")]
mod revision;
mod walk;

pub use access::{Boundary, FileAccess, directory, trusted};
#[cfg(feature = "cli")]
pub use changes::ChangedLines;
pub use files::types_in;
pub use module_path::{ModulePath, ModulePaths, ruby_types};
#[cfg(feature = "cli")]
pub use revision::Revision;
use rtype_system::{named, process};
pub use walk::{Collected, collect, collect_as_given, is_provider, nothing_to_check};

use rtype_lang::diagnostics::{Code, Diagnostic, nearest};
use rtype_lang::library::STDIN;
use rtype_lang::source::Span;
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// The maximum size of inputs: 64 MiB.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum size of JSON files: 512 MiB. A catalog of a million resources has about 100 MB.
const MAX_JSON_BYTES: u64 = 8 * MAX_BYTES;

/// Returns the content of a file, or of standard input for `-`. Line ends and a byte order mark stay as they are.
///
/// # Errors
/// A diagnostic that names the path as given: RT401 when it cannot be read, RT402 when it is not UTF-8,
/// RT403 when it is not text at all, RT405 when it is too large.
pub fn read_source(path: &str) -> Result<String, Diagnostic> {
    if path == "-" {
        return text(STDIN, read_upto(process::stdin().lock(), 0, MAX_BYTES), MAX_BYTES);
    }
    read_opened(path, &|_| Ok(()))
}

/// Reads an open file. `refuse` checks the opened file before the read.
fn read_opened(path: &str, refuse: &dyn Fn(&File) -> Result<(), Diagnostic>) -> Result<String, Diagnostic> {
    let is_json = Path::new(path).extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    read_file(path, if is_json { MAX_JSON_BYTES } else { MAX_BYTES }, refuse)
}

fn read_file(path: &str, limit: u64, refuse: &dyn Fn(&File) -> Result<(), Diagnostic>) -> Result<String, Diagnostic> {
    let metadata = named::metadata(path).map_err(|e| unreadable(path, &e))?;
    if metadata.is_dir() {
        return Err(problem(Code::CannotRead, format!("`{path}` is a directory, not a file"))
            .help("name a file in it; `rtype check` takes directories, too"));
    }
    // The shell's `<(command)` is a pipe that is already open, so that reading it does not block.
    let is_open = ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"].iter().any(|p| path.starts_with(p));
    if !metadata.is_file() && !is_open {
        return special(path, &metadata);
    }
    // The file may have been replaced by a FIFO. These options open a FIFO without blocking.
    let mut options = File::options();
    options.read(true);
    if !is_open {
        options.custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    }
    let file = named::open(path, &options).map_err(|e| unreadable(path, &e))?;
    let metadata = file.metadata().map_err(|e| unreadable(path, &e))?;
    if !metadata.is_file() && !is_open {
        return special(path, &metadata);
    }
    refuse(&file)?;
    if metadata.len() > limit {
        return Err(too_large(path, limit));
    }
    text(path, read_upto(file, metadata.len(), limit), limit)
}

/// Returns an error for special files. Opening a FIFO would wait for a writer that may never come.
fn special(path: &str, metadata: &Metadata) -> Result<String, Diagnostic> {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    // On Linux, the null device always has the numbers 1, 3.
    if kind.is_char_device() && metadata.rdev() == nix::sys::stat::makedev(1, 3) {
        return Ok(String::new());
    }
    let what = match () {
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    };
    Err(problem(Code::CannotRead, format!("`{path}` is {what}, not a file"))
        .help(format!("to read it anyway, pass it as standard input: `- < {path}`")))
}

/// Reads at most one byte more than allowed, so that the caller can detect larger inputs. `expected` is the input size, if known: a buffer
/// of the right size never has to grow.
fn read_upto(from: impl Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected.min(limit)).map_or(0, |size| size + 1));
    from.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn text(name: &str, bytes: io::Result<Vec<u8>>, limit: u64) -> Result<String, Diagnostic> {
    let bytes = bytes.map_err(|e| unreadable(name, &e))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(name, limit));
    }
    // Invalid UTF-8 may be UTF-16 or a binary file. Both contain NUL bytes; a file with a wrong character contains no NUL byte.
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        let guess = match bytes.get(..2) {
            Some([0xff, 0xfe] | [0xfe, 0xff]) => "it looks like UTF-16: convert it to UTF-8",
            _ => "rtype reads text in UTF-8",
        };
        return Err(problem(Code::NotText, format!("`{name}` is not a text file: byte {at} is NUL")).help(guess));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let before = e.as_bytes().get(..at).unwrap_or_default();
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let wrong = e.as_bytes().get(at).copied().unwrap_or_default();
        problem(Code::NotUtf8, format!("`{name}` is not UTF-8: line {line} holds the byte {wrong:#04x}, {at} bytes from the start"))
            .help(format!("convert it, for example with `iconv -f latin1 -t utf-8 {name}`"))
    })
}

/// Replaces the content of a file atomically: readers see either the old or the new content.
///
/// The file gets `mode`; without one it keeps its mode, and a missing file is readable by all. The owner is kept if possible. A link is kept, and the target of the link is replaced.
/// A special file such as `/dev/stderr` is written directly.
///
/// # Errors
/// RT411 if the file cannot be written. The file is then unchanged.
fn write_file(path: &str, text: &str, mode: Option<u32>) -> Result<(), Diagnostic> {
    let failed = |error: &io::Error| {
        let why = match error.kind() {
            io::ErrorKind::PermissionDenied => "permission denied in its directory".to_owned(),
            _ => reason(error),
        };
        problem(Code::CannotWrite, format!("cannot write `{path}`: {why}")).help("the file is left as it is")
    };
    let write = || {
        let target = named::real_path(path).unwrap_or_else(|_| PathBuf::from(path));
        let old = named::metadata(&target).ok();
        match &old {
            Some(old) if !old.is_file() => return write_special(path, old, text),
            Some(old) if old.permissions().readonly() => return Err(io::Error::other("it is read-only")),
            _ => {}
        }
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut new = named::temporary_file_in(folder)?;
        new.write_all(text.as_bytes())?;
        if let Some(old) = &old {
            // Only root can change the owner. Other users own the files that they write.
            let _ = named::set_owner_like(new.as_file(), old);
        }
        // A new temporary file is readable only by the owner. Set the mode last, because changing the owner may clear mode bits.
        let mode =
            mode.map(fs::Permissions::from_mode).or(old.map(|old| old.permissions())).unwrap_or_else(|| fs::Permissions::from_mode(0o644));
        new.as_file().set_permissions(mode)?;
        new.as_file().sync_all()?;
        new.persist(&target).map_err(|e| e.error)?;
        Ok(())
    };
    write().map_err(|e| failed(&e))
}

/// Writes to a special file, if the write cannot block or the shell has opened the file.
fn write_special(path: &str, old: &Metadata, text: &str) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let is_open = ["/dev/fd/", "/dev/std", "/proc/self/fd/"].iter().any(|p| path.starts_with(p));
    let kind = old.file_type();
    if kind.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    if !kind.is_char_device() && !is_open {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut options = File::options();
    options.write(true);
    if !is_open {
        options.custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    }
    named::open(path, &options)?.write_all(text.as_bytes())
}

fn problem(code: Code, message: String) -> Diagnostic {
    Diagnostic::new(code, Span::NONE, message)
}

fn too_large(name: &str, limit: u64) -> Diagnostic {
    let size = if limit >= 1024 * 1024 { format!("{} MiB", limit / 1024 / 1024) } else { format!("{limit} bytes") };
    problem(Code::TooLarge, format!("`{name}` is larger than {size}")).help("split it, or hand over only what is needed")
}

/// Returns the error for a path that cannot be opened, with a similar name if it does not exist.
fn unreadable(path: &str, error: &io::Error) -> Diagnostic {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a directory",
        io::ErrorKind::InvalidFilename => "the name is too long",
        _ => return problem(Code::CannotRead, format!("cannot read `{path}`: {}", reason(error))),
    };
    let help = match error.kind() {
        io::ErrorKind::NotFound => near_name(path).unwrap_or_else(|| "check the path; `-` reads standard input".into()),
        io::ErrorKind::PermissionDenied => "run as a user who may read it, or hand it over as standard input with `-`".into(),
        _ => "check the path".into(),
    };
    problem(Code::CannotRead, format!("cannot read `{path}`: {why}")).help(help)
}

/// Returns the message of the operating system, without Rust's ` (os error 5)`.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|c| c.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns a help message: a similar name in the same directory, or the first missing component of the path.
fn near_name(path: &str) -> Option<String> {
    let path = Path::new(path);
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let shown = |dir: &Path| if dir.as_os_str().is_empty() { Path::new(".").to_owned() } else { dir.to_owned() };
    if !named::is_dir(shown(folder)) {
        let missing = folder.ancestors().take_while(|p| !named::is_dir(shown(p))).last()?;
        return Some(format!("the directory `{}` does not exist", missing.display()));
    }
    let wanted = path.file_name()?.to_str()?;
    let names: BTreeSet<String> = named::entries(shown(folder)).ok()?.filter_map(|e| e.file_name().into_string().ok()).collect();
    // A missing extension is not a small edit distance, but the most common mistake.
    let extended = names.iter().find(|n| Path::new(n).file_stem().is_some_and(|s| s == wanted));
    let offer = |name: &str| format!("did you mean `{}`?", folder.join(name).display());
    extended.map(|n| offer(n)).or_else(|| nearest(wanted, names.iter().map(String::as_str)).map(offer))
}

/// Returns a path for messages: relative to the current directory for a path below it, even if the path was given as `./a`, as an absolute
/// path, or through a link that the shell followed. Messages are then the same on every machine.
pub fn relative(path: &str) -> String {
    let given = Path::new(path);
    let here = [process::working_directory().ok(), process::variable("PWD").map(PathBuf::from).filter(|p| is_here(p))];
    let below = here.iter().flatten().find_map(|here| given.strip_prefix(here).ok());
    let shown: PathBuf = below.unwrap_or(given).components().filter(|c| *c != Component::CurDir).collect();
    if shown.as_os_str().is_empty() && !path.is_empty() { ".".into() } else { shown.to_string_lossy().into_owned() }
}

fn is_here(path: &Path) -> bool {
    named::real_path(path).ok().zip(process::working_directory().ok()).is_some_and(|(path, here)| path == here)
}

/// Returns the nearest file with this name in a directory or its ancestors.
pub fn find_above(folder: &Path, name: &str) -> Option<PathBuf> {
    folder.ancestors().map(|f| f.join(name)).find(|f| named::is_file(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a diagnostic as one line, without the name of the temporary directory.
    fn shown(d: &Diagnostic, dir: &tempfile::TempDir) -> String {
        let help = d.help.as_ref().map(|h| format!(" | {h}")).unwrap_or_default();
        format!("{} {}{help}", d.code, d.message).replace(dir.path().to_str().unwrap(), "DIR")
    }

    fn path(dir: &tempfile::TempDir, name: &str) -> String {
        dir.path().join(name).to_str().unwrap().to_owned()
    }

    fn put(dir: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
        let path = path(dir, name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn texts_come_as_they_are() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["", "a\r\nb", "\u{feff}x", "é"] {
            assert_eq!(read_source(&put(&dir, "f", text.as_bytes())).unwrap(), text);
        }
        assert_eq!(read_source("/dev/null").unwrap(), "");
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        let dir = tempfile::tempdir().unwrap();
        put(&dir, "mount.rtype", b"");
        nix::unistd::mkfifo(Path::new(&path(&dir, "pipe")), nix::sys::stat::Mode::S_IRWXU).unwrap();
        put(&dir, "latin.pp", b"a\nb\xe9\n");
        put(&dir, "program", b"\x7fELF\0\0");
        put(&dir, "wide.pp", b"\xff\xfea\0");
        let cases = ["muont.rtype", "mount", "nowhere", "no/such/dir/x", "mount.rtype/x", "", "pipe", "latin.pp", "program", "wide.pp"];
        let all: Vec<_> = cases.iter().map(|c| shown(&read_source(&path(&dir, c)).unwrap_err(), &dir)).collect();
        insta::assert_snapshot!(all.join("\n"), @r"
        RT401 cannot read `DIR/muont.rtype`: there is no such file | did you mean `DIR/mount.rtype`?
        RT401 cannot read `DIR/mount`: there is no such file | did you mean `DIR/mount.rtype`?
        RT401 cannot read `DIR/nowhere`: there is no such file | check the path; `-` reads standard input
        RT401 cannot read `DIR/no/such/dir/x`: there is no such file | the directory `DIR/no` does not exist
        RT401 cannot read `DIR/mount.rtype/x`: a part of the path is a file, not a directory | check the path
        RT401 `DIR/` is a directory, not a file | name a file in it; `rtype check` takes directories, too
        RT401 `DIR/pipe` is a named pipe, not a file | to read it anyway, pass it as standard input: `- < DIR/pipe`
        RT402 `DIR/latin.pp` is not UTF-8: line 2 holds the byte 0xe9, 3 bytes from the start | convert it, for example with `iconv -f latin1 -t utf-8 DIR/latin.pp`
        RT403 `DIR/program` is not a text file: byte 4 is NUL | rtype reads text in UTF-8
        RT403 `DIR/wide.pp` is not a text file: byte 3 is NUL | it looks like UTF-16: convert it to UTF-8
        ");
        let large = read_file(&put(&dir, "large", b"12345"), 4, &|_| Ok(())).unwrap_err();
        assert_eq!(shown(&large, &dir), "RT405 `DIR/large` is larger than 4 bytes | split it, or hand over only what is needed");
        assert!(read_file(&path(&dir, "large"), 5, &|_| Ok(())).is_ok());
        assert_eq!(read_source("/dev/zero").unwrap_err().message, "`/dev/zero` is a device, not a file");
    }

    #[test]
    fn what_lies_below_is_shown_without_where_it_lies() {
        let here = std::env::current_dir().unwrap();
        let full = |name: &str| here.join(name).to_str().unwrap().to_owned();
        let cases =
            [("a/b", "a/b"), ("./a/./b", "a/b"), (".", "."), ("..", ".."), ("../a", "../a"), ("/", "/"), ("/no/a", "/no/a"), ("", "")];
        for (given, shown) in cases {
            assert_eq!(relative(given), shown, "{given}");
        }
        assert_eq!(relative(&full("a/b")), "a/b");
        assert_eq!(relative(&full("")), ".");
    }

    #[test]
    fn folders_are_walked_in_order() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b/z.rtype", "b/a.rtype", "a.rtype", ".git/x.rtype", "target/x.rtype", "b/x.txt", "b/.h.rtype"] {
            put(&dir, name, b"");
        }
        std::os::unix::fs::symlink(dir.path(), dir.path().join("b/loop")).unwrap();
        let root = dir.path().to_str().unwrap().to_owned();
        let Collected { files, diagnostics, .. } =
            collect(&[path(&dir, "b/x.txt"), root.clone(), path(&dir, "a.rtype")], &["rtype"], &FileAccess::Any);
        let names: Vec<_> = files.iter().map(|f| f.strip_prefix(&root).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["b/x.txt", "a.rtype", "b/a.rtype", "b/z.rtype"]);
        assert_eq!(diagnostics, []);
        let Collected { files, diagnostics, .. } =
            collect(&[path(&dir, "target/nope"), path(&dir, ".git")], &["pp", "json"], &FileAccess::Any);
        let all: Vec<_> = diagnostics.iter().map(|d| shown(d, &dir)).collect();
        assert!(files.is_empty());
        insta::assert_snapshot!(all.join("\n"), @r"
        RT401 cannot read `DIR/target/nope`: there is no such file | check the path; `-` reads standard input
        RT404 there is nothing to check in `DIR/.git` | in directories, files that end in `.pp`, `.json` are looked for
        ");
    }
}
