//! Tests of file changes, in directories that represent machines.

mod backup;

use super::posix::Posix;
use crate::{Change, Provider, ProviderError, Reading, Request, Resource, System};
use rtype_lang::eval::LogLevel;
use rtype_lang::value::{Symbol, Value, digest};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// A resource with attributes as its type would have made them.
#[derive(Default)]
struct File {
    wanted: Vec<(&'static str, Value)>,
    content: Option<&'static str>,
    secret: bool,
    bucket: Option<Value>,
}

impl Resource for File {
    fn wanted(&self, attribute: &str) -> Value {
        let sum = |text: &str| Value::str(format!("{{sha256}}{}", digest::hex("sha256", text.as_bytes()).unwrap()));
        match (attribute, self.content) {
            ("content", Some(text)) if text.starts_with('{') => Value::from(text),
            ("content", Some(text)) => sum(text),
            _ => self.wanted.iter().find(|(name, _)| *name == attribute).map(|(_, v)| v.clone()).unwrap_or_default(),
        }
    }
    fn given(&self, attribute: &str) -> Value {
        if attribute == "content" { self.content.map_or(Value::Nil, Value::from) } else { self.wanted(attribute) }
    }
    fn is_secret(&self, attribute: &str) -> bool {
        self.secret && attribute == "content"
    }
    fn attributes(&self) -> Vec<Symbol> {
        Vec::new()
    }
    fn setting(&self, _: &str) -> Result<Value, ProviderError> {
        Ok(self.bucket.clone().unwrap_or_default())
    }
}

fn file(content: &'static str) -> File {
    File { content: Some(content), ..File::default() }
}

impl File {
    fn with(mut self, attribute: &'static str, value: impl Into<Value>) -> File {
        self.wanted.push((attribute, value.into()));
        self
    }
}

fn yes() -> Value {
    Value::Bool(true)
}

struct Machine {
    dir: tempfile::TempDir,
    system: System,
}

impl Machine {
    fn new() -> Machine {
        let dir = tempfile::tempdir().unwrap();
        let system = System::at(dir.path());
        Machine { dir, system }
    }
    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path.trim_start_matches('/'))
    }
    fn has(&self, path: &str, text: &str) {
        fs::write(self.at(path), text).unwrap();
    }
    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }
    fn mode(&self, path: &str) -> u32 {
        self.at(path).symlink_metadata().unwrap().mode() & 0o7777
    }
    /// Everything in the top directory, so that what was left over is seen.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.dir.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
    fn act(&self, path: &str, file: &File, action: &str) -> Result<Vec<(LogLevel, String)>, ProviderError> {
        let is = Reading::Absent;
        let mut change = Change::new(Request { name: path, resource: file }, &is);
        match action {
            "content" | "mode" | "owner" | "group" => {
                let value = file.wanted(action);
                Posix.set(&self.system, &mut change, action, &value)?;
            }
            _ => drop(Posix.call(&self.system, &mut change, action, &[])?),
        }
        Posix.flush(&self.system, std::slice::from_mut(&mut change)).pop().unwrap()?;
        Ok(change.messages.into_iter().map(|(level, message)| (level, rtype_lang::redact::Redactor::default().reveal(&message))).collect())
    }
    fn refusal(&self, path: &str, file: &File, action: &str) -> String {
        let before = self.names();
        let message = self.act(path, file, action).unwrap_err().to_string();
        assert_eq!(self.names(), before, "something was left over");
        message
    }
}

#[test]
fn a_new_file_has_its_content_and_the_usual_mode() {
    let m = Machine::new();
    m.act("/f", &file("hello\n"), "create_file").unwrap();
    assert_eq!((m.text("/f").as_str(), m.mode("/f")), ("hello\n", 0o644));
    m.act("/empty", &File::default(), "create_file").unwrap();
    assert_eq!(m.text("/empty"), "");
    assert_eq!(m.names(), ["empty", "f"]);
}

#[test]
fn new_content_keeps_the_mode_unless_another_is_wanted() {
    let m = Machine::new();
    m.has("/f", "old");
    fs::set_permissions(m.at("/f"), Permissions::from_mode(0o4640)).unwrap();
    m.act("/f", &file("new"), "content").unwrap();
    assert_eq!((m.text("/f").as_str(), m.mode("/f")), ("new", 0o4640));
    m.act("/f", &file("newer").with("mode", "600"), "content").unwrap();
    assert_eq!((m.text("/f").as_str(), m.mode("/f")), ("newer", 0o600));
    m.act("/f", &file("newest").with("mode", "g+r,u+x"), "content").unwrap();
    assert_eq!(m.mode("/f"), 0o740);
}

#[test]
fn a_draft_has_owner_and_mode_before_it_has_content() {
    let m = Machine::new();
    m.has("/f", "old");
    let access = crate::Access { mode: Some(0o600), ..Default::default() };
    let mut draft = m.system.draft("/f", access, false, None).unwrap();
    assert_eq!(fs::metadata(draft.path()).unwrap().mode() & 0o7777, 0o600);
    draft.write(b"secret").unwrap();
    assert_eq!(m.text("/f"), "old");
    drop(draft);
    assert_eq!(m.names(), ["f"]);
}

#[test]
fn modes_are_set_in_digits_and_in_letters() {
    let m = Machine::new();
    m.has("/f", "");
    fs::create_dir(m.at("/d")).unwrap();
    let mode = |path: &str, mode: &'static str| {
        m.act(path, &File::default().with("mode", mode), "mode").unwrap();
        m.mode(path)
    };
    assert_eq!(mode("/f", "0600"), 0o600);
    assert_eq!(mode("/f", "a+X,g=u"), 0o660);
    assert_eq!(mode("/d", "0640"), 0o750);
    assert!(m.refusal("/none", &File::default().with("mode", "0600"), "mode").contains("not there any more"));
}

#[test]
fn accounts_are_looked_up_when_they_are_needed() {
    let m = Machine::new();
    m.has("/f", "");
    let own = nix::unistd::Uid::effective().as_raw();
    assert_eq!(m.refusal("/f", &File::default().with("owner", "anna"), "owner"), "Could not find user anna");
    fs::create_dir(m.at("/etc")).unwrap();
    m.has("/etc/passwd", &format!("anna:x:{own}:{own}::/home/anna:/bin/sh\n"));
    m.act("/f", &File::default().with("owner", "anna"), "owner").unwrap();
    assert_eq!(m.refusal("/f", &File::default().with("group", "staff"), "group"), "Could not find group staff");
}

#[test]
fn owners_are_set_with_the_content_and_of_the_link_itself() {
    if !nix::unistd::Uid::effective().is_root() {
        return;
    }
    let m = Machine::new();
    m.act("/f", &file("x").with("owner", 1234).with("group", "1235").with("mode", "4755"), "create_file").unwrap();
    let stat = m.at("/f").metadata().unwrap();
    assert_eq!((stat.uid(), stat.gid(), stat.mode() & 0o7777), (1234, 1235, 0o4755));
    // Only a declared mode keeps the setuid bit under another owner.
    m.act("/f", &File::default().with("owner", 4321).with("mode", "4755"), "owner").unwrap();
    assert_eq!((m.at("/f").metadata().unwrap().uid(), m.mode("/f")), (4321, 0o4755));
    m.act("/f", &File::default().with("owner", 4322), "owner").unwrap();
    assert_eq!((m.at("/f").metadata().unwrap().uid(), m.mode("/f")), (4322, 0o755));
    // A symbolic mode declares only the bits that it names.
    for (before, mode, after) in [(0o4755, "go-w", 0o755), (0o6777, "a+x", 0o755), (0o4777, "u+rwX,go+rX", 0o755), (0o755, "u+s", 0o4755)] {
        for property in ["owner", "content"] {
            std::os::unix::fs::chown(m.at("/f"), Some(1234), Some(1235)).unwrap();
            fs::set_permissions(m.at("/f"), Permissions::from_mode(before)).unwrap();
            m.act("/f", &file(mode).with("owner", 4322).with("mode", mode), property).unwrap();
            assert_eq!((m.at("/f").metadata().unwrap().uid(), m.mode("/f")), (4322, after), "{before:o} {mode} {property}");
        }
    }
    fs::set_permissions(m.at("/f"), Permissions::from_mode(0o4777)).unwrap();
    m.act("/f", &file("y").with("owner", 4323), "content").unwrap();
    assert_eq!((m.at("/f").metadata().unwrap().uid(), m.mode("/f")), (4323, 0o755));
    symlink("f", m.at("/l")).unwrap();
    m.act("/l", &File::default().with("owner", 77), "owner").unwrap();
    assert_eq!((m.at("/l").symlink_metadata().unwrap().uid(), m.at("/f").metadata().unwrap().uid()), (77, 4323));
    let followed = File::default().with("owner", 78).with("links", Value::sym("follow"));
    assert!(m.refusal("/l", &followed, "owner").contains("/l is a symbolic link that another user controls: it belongs to user 77"));
    fs::remove_file(m.at("/l")).unwrap();
    symlink("f", m.at("/l")).unwrap();
    m.act("/l", &followed, "owner").unwrap();
    assert_eq!(m.at("/f").metadata().unwrap().uid(), 78);
}

#[test]
fn a_link_is_replaced_and_a_followed_link_stays() {
    let m = Machine::new();
    m.has("/f", "old");
    symlink("f", m.at("/l")).unwrap();
    m.act("/l", &file("new").with("links", Value::sym("follow")), "content").unwrap();
    assert_eq!(m.text("/f"), "new");
    assert!(m.at("/l").is_symlink());
    m.act("/l", &file("own"), "create_file").unwrap();
    assert_eq!((m.text("/f").as_str(), m.text("/l").as_str(), m.at("/l").is_symlink()), ("new", "own", false));
}

#[test]
fn a_followed_link_that_leads_nowhere_is_replaced() {
    let m = Machine::new();
    symlink("none", m.at("/l")).unwrap();
    m.act("/l", &file("new").with("links", Value::sym("follow")), "create_file").unwrap();
    assert_eq!((m.text("/l").as_str(), m.at("/l").is_symlink(), m.at("/none").exists()), ("new", false, false));
}

#[test]
fn links_are_made_and_changed_whatever_was_there() {
    let m = Machine::new();
    let link = |target: &'static str| File::default().with("target", target);
    m.act("/l", &link("a"), "create_link").unwrap();
    m.act("/l", &link("b"), "create_link").unwrap();
    assert_eq!(fs::read_link(m.at("/l")).unwrap(), Path::new("b"));
    m.has("/f", "");
    m.act("/f", &link("a"), "create_link").unwrap();
    fs::create_dir_all(m.at("/d/below")).unwrap();
    assert!(m.refusal("/d", &link("a"), "create_link").contains("Not removing directory; use 'force' to override"));
    m.act("/d", &link("a").with("force", yes()), "create_link").unwrap();
    assert!(m.at("/f").is_symlink() && m.at("/d").is_symlink());
    assert_eq!(m.names(), ["d", "f", "l"]);
    assert!(m.refusal("/x", &File::default(), "create_link").contains("without a target"));
}

#[test]
fn directories_are_made_below_directories_and_in_the_place_of_files() {
    let m = Machine::new();
    m.act("/d", &File::default().with("mode", "0750"), "create_directory").unwrap();
    assert_eq!(m.mode("/d"), 0o750);
    assert_eq!(m.refusal("/none/d", &File::default(), "create_directory"), "Cannot create /none/d; parent directory /none does not exist");
    m.has("/f", "");
    m.act("/f", &File::default(), "create_directory").unwrap();
    assert!(m.at("/f").is_dir());
    assert_eq!(m.names(), ["d", "f"]);
}

#[test]
fn a_directory_goes_only_by_force() {
    let m = Machine::new();
    fs::create_dir_all(m.at("/d/below")).unwrap();
    for action in ["destroy", "create_file"] {
        assert!(m.refusal("/d", &File::default(), action).contains("use 'force' to override"));
    }
    assert!(m.at("/d/below").is_dir());
    m.act("/d", &file("x").with("force", yes()), "create_file").unwrap();
    assert_eq!(m.text("/d"), "x");
    m.act("/d", &File::default(), "destroy").unwrap();
    assert_eq!(m.names(), Vec::<String>::new());
    m.act("/d", &File::default(), "destroy").unwrap();
}

#[test]
fn missing_parent_and_full_directory_are_reported() {
    let m = Machine::new();
    let message = m.refusal("/none/f", &file("x"), "create_file");
    assert_eq!(message, "cannot write /none/f: the directory /none does not exist");
    m.has("/f", "");
    assert!(m.refusal("/f/x", &file("x"), "create_file").starts_with("cannot write /f/x: "));
}

#[test]
fn unwritable_directory_is_reported() {
    if nix::unistd::Uid::effective().is_root() {
        return;
    }
    let m = Machine::new();
    fs::create_dir(m.at("/d")).unwrap();
    fs::set_permissions(m.at("/d"), Permissions::from_mode(0o500)).unwrap();
    assert_eq!(m.refusal("/d/f", &file("x"), "create_file"), "cannot write /d/f: permission denied");
}

#[test]
fn a_file_that_has_become_a_directory_in_the_meantime_stays() {
    let m = Machine::new();
    // It was read as a file.
    fs::create_dir(m.at("/f")).unwrap();
    assert!(m.refusal("/f", &file("x"), "content").contains("/f is a directory"));
}

#[test]
fn content_that_is_refused_leaves_the_old_one() {
    let m = Machine::new();
    fs::create_dir_all(m.at("/bin")).unwrap();
    symlink("/bin/sh", m.at("/bin/sh")).unwrap();
    m.has("/f", "old");
    // Programs are searched for below the test directory: only shell builtins are available.
    let checked = |content| file(content).with("validate_cmd", "read word < %; test \"$word\" = good");
    let message = m.refusal("/f", &checked("bad"), "content");
    assert!(message.starts_with("the new content of /f is not valid: `read word < /"), "{message}");
    assert_eq!(m.text("/f"), "old");
    let loud = || file("hunter2").with("validate_cmd", "read word < @; echo $word >&2; false").with("validate_replacement", "@");
    assert!(m.refusal("/f", &loud(), "content").contains("hunter2"));
    let message = m.refusal("/f", &File { secret: true, ..loud() }, "content");
    assert!(message.contains("exited with 1") && !message.contains("hunter2"), "{message}");
    m.act("/f", &checked("good"), "content").unwrap();
    assert_eq!(m.text("/f"), "good");
}

#[test]
fn content_is_staged_elsewhere_and_moved() {
    let m = Machine::new();
    fs::create_dir(m.at("/staging")).unwrap();
    fs::create_dir_all(m.at("/bin")).unwrap();
    symlink("/bin/sh", m.at("/bin/sh")).unwrap();
    let staged = file("x").with("staging_location", "/staging").with("validate_cmd", "case % in */staging/*) ;; *) false;; esac");
    m.act("/f", &staged, "create_file").unwrap();
    assert_eq!(m.text("/f"), "x");
    assert_eq!(fs::read_dir(m.at("/staging")).unwrap().count(), 0);
    let nowhere = file("x").with("staging_location", "/nowhere");
    assert_eq!(m.refusal("/g", &nowhere, "create_file"), "cannot write /g: the directory /nowhere does not exist");
}

#[test]
fn what_is_written_must_have_the_checksum_that_was_said() {
    let m = Machine::new();
    let wrong = file("x").with("checksum", Value::sym("md5")).with("checksum_value", "d41d8cd98f00b204e9800998ecf8427e");
    assert!(m.refusal("/f", &wrong, "create_file").starts_with("File written to disk did not match desired checksum"));
}

#[test]
fn differences_are_shown_of_texts_that_are_not_large() {
    let m = Machine::new();
    m.has("/f", "old\n");
    let texts = |file: &File| Posix.texts(&m.system, Request { name: "/f", resource: file }, "content").unwrap();
    let shown = || file("new\n").with("show_diff", yes());
    assert_eq!(texts(&shown()), Some(("old\n".into(), "new\n".into())));
    assert_eq!(texts(&file("new\n").with("show_diff", Value::Bool(false))), None);
    m.has("/s", "source\n");
    let source = File::default().with("show_diff", yes()).with("source", Value::array(["file:///s".into()]));
    assert_eq!(texts(&source).unwrap().1, "source\n");
    fs::write(m.at("/f"), b"\xff\xfe").unwrap();
    assert_eq!(texts(&shown()), None);
    m.has("/f", "nul\0");
    assert_eq!(texts(&shown()), None);
    m.has("/f", &"x".repeat((1 << 20) + 1));
    assert_eq!(texts(&shown()), None);
}

#[test]
fn content_comes_from_the_first_source_that_exists() {
    let m = Machine::new();
    m.has("/s", "from a source");
    let from = |uris: &[&str]| File::default().with("source", Value::array(uris.iter().map(|u| Value::str(*u))));
    m.act("/f", &from(&["file:///none", "file:///s"]), "create_file").unwrap();
    assert_eq!(m.text("/f"), "from a source");
    assert!(m.refusal("/f", &from(&["file:///none"]), "content").contains("Could not retrieve information from source(s) file:///none"));
    assert!(m.refusal("/f", &from(&["puppet:///modules/a/b"]), "content").contains("where modules are is not known"));
    assert!(m.refusal("/f", &from(&["puppet://server/modules/a/b"]), "content").contains("Puppet server"));
    assert!(m.refusal("/f", &from(&["file:///a/../s"]), "content").contains("no `..`"));
    fs::create_dir(m.at("/d")).unwrap();
    assert!(m.refusal("/f", &from(&["file:///d"]), "content").contains("is no longer a file"));
}

#[test]
fn files_of_modules_are_found_on_the_module_path() {
    let m = Machine::new();
    fs::create_dir_all(m.at("/second/ntp/files/conf")).unwrap();
    fs::create_dir_all(m.at("/first/other")).unwrap();
    m.has("/second/ntp/files/conf/ntp.conf", "server x\n");
    let system = m.system.clone().with_modulepath(vec![m.at("/first"), m.at("/second")]);
    let m = Machine { system, ..m };
    let from = |uri: &str| File::default().with("source", Value::array([Value::str(uri)]));
    m.act("/f", &from("puppet:///modules/ntp/conf/ntp.conf"), "create_file").unwrap();
    assert_eq!(m.text("/f"), "server x\n");
    assert!(m.refusal("/f", &from("puppet:///modules/nothing/x"), "content").contains("Could not retrieve information"));
    assert!(m.refusal("/f", &from("puppet:///other/x"), "content").contains("names no module"));
}

#[test]
fn a_source_says_what_it_is() {
    let m = Machine::new();
    m.has("/s", "x");
    fs::set_permissions(m.at("/s"), Permissions::from_mode(0o640)).unwrap();
    symlink("s", m.at("/l")).unwrap();
    let told = |file: File| match Posix.query(&m.system, Request { name: "/f", resource: &file }, "origin", &[]).unwrap() {
        Value::Map(map) => ["type", "checksum", "target", "mode"].map(|k| map.get(&Value::sym(k)).cloned().unwrap_or_default().to_text()),
        other => panic!("{other:?}"),
    };
    let from = |uri: &str| File::default().with("source", Value::array([Value::str(uri)]));
    let md5 = "{md5}9dd4e461268c8034f5c8564e155c67a6";
    assert_eq!(told(from("file:///s").with("checksum", Value::sym("md5"))), ["file", md5, "", "640"]);
    assert_eq!(told(from("file:///l"))[..3], ["link", "", "s"]);
    assert_eq!(told(from("file:///l").with("links", Value::sym("follow")))[0], "file");
    assert_eq!(told(from("file:///"))[0], "directory");
}

/// A separate file system of 64 KB; `None` if this process may not create one.
struct Small(PathBuf);

impl Small {
    fn mount(at: PathBuf) -> Option<Small> {
        fs::create_dir(&at).unwrap();
        let mount = std::process::Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&at).output().ok()?;
        mount.status.success().then_some(Small(at))
    }
    fn remount(&self, how: &str) {
        let done = std::process::Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn failed_write_keeps_the_old_content() {
    let m = Machine::new();
    let Some(small) = Small::mount(m.at("/small")) else { return };
    m.act("/small/f", &file("old"), "create_file").unwrap();
    let large: &'static str = Box::leak("x".repeat(200 << 10).into_boxed_str());
    let full = m.act("/small/f", &file(large), "content").unwrap_err();
    assert_eq!(full.message, "cannot write /small/f: no space is left on the device");
    m.has("/large", large);
    let copied = File::default().with("source", Value::array(["file:///large".into()]));
    assert_eq!(m.act("/small/f", &copied, "content").unwrap_err().message, full.message);
    assert_eq!((m.text("/small/f").as_str(), fs::read_dir(m.at("/small")).unwrap().count()), ("old", 1));
    small.remount("ro");
    for (file, action) in [(file("new"), "content"), (File::default(), "destroy"), (File::default().with("mode", "0600"), "mode")] {
        let message = m.act("/small/f", &file, action).unwrap_err().message;
        assert_eq!(message, "cannot write /small/f: the file system is read-only", "{action}");
    }
    assert_eq!(m.text("/small/f"), "old");
}

#[test]
fn copied_source_keeps_its_modification_time() {
    let m = Machine::new();
    m.has("/s", "x");
    let future = std::time::SystemTime::now() + std::time::Duration::from_secs(1_000_000);
    fs::File::options().write(true).open(m.at("/s")).unwrap().set_modified(future).unwrap();
    let copied = File::default().with("source", Value::array(["file:///s".into()])).with("checksum", Value::sym("mtime"));
    m.act("/f", &copied, "create_file").unwrap();
    assert_eq!(m.at("/f").metadata().unwrap().modified().unwrap(), future);
}

#[test]
fn batch_computes_only_compared_checksums() {
    let m = Machine::new();
    m.has("/f", "x");
    let select = [Symbol::from("ensure"), Symbol::from("content")];
    let read = |file: &File| match Posix.get(&m.system, &[Request { name: "/f", resource: file }], crate::Select::Only(&select)) {
        all if all.len() == 1 => match &all[0] {
            Reading::Present(state) => state.contains_key("content"),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert!(read(&file("x")) && read(&File::default().with("audit", "all")));
    assert!(!read(&File::default()));
}

#[test]
fn a_file_is_moved_to_its_path_when_it_is_flushed_or_changed_again() {
    let m = Machine::new();
    m.has("/f", "old");
    let (resource, is) = (file("new").with("mode", "0600"), Reading::Absent);
    let mut change = Change::new(Request { name: "/f", resource: &resource }, &is);
    Posix.set(&m.system, &mut change, "content", &resource.wanted("content")).unwrap();
    assert_eq!(m.text("/f"), "old");
    Posix.set(&m.system, &mut change, "mode", &Value::from("0600")).unwrap();
    assert_eq!((m.text("/f").as_str(), m.mode("/f")), ("new", 0o600));
    Posix.set(&m.system, &mut change, "content", &resource.wanted("content")).unwrap();
    assert_eq!(Posix.flush(&m.system, std::slice::from_mut(&mut change)), [Ok(())]);
    assert_eq!(m.names(), ["f"]);
}

#[test]
fn only_files_with_declared_content_are_written_together() {
    let is_independent = |file: File| Posix.is_independent(Request { name: "/f", resource: &file });
    assert!(is_independent(file("x")));
    assert!(is_independent(file("x").with("ensure", Value::sym("file"))));
    assert!(!is_independent(File::default()));
    assert!(!is_independent(file("x").with("ensure", Value::sym("absent"))));
    assert!(!is_independent(File::default().with("source", "/a")));
    for (attribute, value) in
        [("validate_cmd", Value::from("/bin/x %")), ("links", Value::sym("follow")), ("staging_location", "/s".into())]
    {
        assert!(!is_independent(file("x").with(attribute, value)), "{attribute}");
    }
}
