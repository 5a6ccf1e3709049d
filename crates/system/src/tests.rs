//! Tests with several users on a machine. Most tests need root, because they create files of other users.

use super::{Access, Expected, Limit, Tree, publish_all, trust};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, lchown, symlink};
use std::path::{Path, PathBuf};

const ANNA: u32 = 4711;
const STAFF: u32 = 4712;

/// A machine with a user who has a home directory, a sticky `/tmp`, and links as in common distributions.
struct Machine {
    dir: tempfile::TempDir,
    tree: Tree,
}

impl Machine {
    fn new() -> Machine {
        let dir = tempfile::tempdir().unwrap();
        let tree = Tree::at(dir.path());
        let m = Machine { dir, tree };
        for path in ["/etc", "/usr/bin", "/run", "/var", "/srv/home/anna", "/tmp"] {
            fs::create_dir_all(m.at(path)).unwrap();
        }
        m.mode("/tmp", 0o1777);
        symlink("usr/bin", m.at("/bin")).unwrap();
        symlink("/run", m.at("/var/run")).unwrap();
        symlink("/srv/home", m.at("/home")).unwrap();
        m.write("/etc/passwd", &format!("root:x:0:0::/root:/bin/sh\nanna:x:{ANNA}:{ANNA}::/home/anna:/bin/sh\n"));
        m.write("/etc/group", &format!("root:x:0:\nanna:x:{ANNA}:\nstaff:x:{STAFF}:\nshared:x:4713:anna\n"));
        m.write("/etc/shadow", "secret");
        m
    }

    /// Creates the machine for tests that give files to the user; `None` without root.
    fn with_anna() -> Option<Machine> {
        if !nix::unistd::Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return None;
        }
        let m = Machine::new();
        m.give("/srv/home/anna", ANNA);
        Some(m)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path.trim_start_matches('/'))
    }
    fn write(&self, path: &str, text: &str) {
        fs::write(self.at(path), text).unwrap();
    }
    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }
    fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), Permissions::from_mode(mode)).unwrap();
    }
    fn give(&self, path: &str, uid: u32) {
        lchown(self.at(path), Some(uid), Some(uid)).unwrap();
    }
    fn link(&self, target: &str, path: &str, uid: u32) {
        symlink(target, self.at(path)).unwrap();
        self.give(path, uid);
    }
    fn read(&self, path: &str) -> Result<String, String> {
        match self.tree.read(Path::new(path), Limit::TEXT) {
            Ok(Some(bytes)) => Ok(String::from_utf8(bytes).unwrap()),
            Ok(None) => Err("nothing".into()),
            Err(e) => Err(e.to_string()),
        }
    }
    fn owner_of(&self, path: &str) -> u32 {
        self.at(path).symlink_metadata().unwrap().uid()
    }
    fn mode_of(&self, path: &str) -> u32 {
        self.at(path).symlink_metadata().unwrap().mode() & 0o7777
    }
}

fn owner(uid: u32) -> Access {
    Access { owner: Some(uid), ..Access::default() }
}

#[test]
fn links_that_only_root_controls_are_followed() {
    let m = Machine::new();
    m.write("/usr/bin/tool", "tool");
    m.write("/run/pid", "1");
    m.write("/srv/home/anna/f", "f");
    symlink("../usr/bin/../bin/tool", m.at("/etc/link")).unwrap();
    for (path, text) in
        [("/bin/tool", "tool"), ("/var/run/pid", "1"), ("/home/anna/f", "f"), ("/etc/link", "tool"), ("//var//run/pid/", "1")]
    {
        assert_eq!(m.read(path).as_deref(), Ok(text), "{path}");
    }
    m.tree.replace(Path::new("/etc/link"), b"new", Access::default(), Expected::default()).unwrap();
    assert!(m.at("/etc/link").is_symlink());
    assert_eq!(m.text("/usr/bin/tool"), "new");
    // A link target that contains the fixture root is resolved below it.
    symlink(m.at("/run"), m.at("/var/full")).unwrap();
    assert_eq!(m.read("/var/full/pid").as_deref(), Ok("1"));
}

#[test]
fn links_of_another_user_are_refused_with_their_owner() {
    let Some(m) = Machine::with_anna() else { return };
    m.link("/etc", "/srv/home/anna/etc", ANNA);
    m.link("/etc/shadow", "/srv/home/anna/file", ANNA);
    m.link("/etc", "/srv/home/anna/roots", 0);
    m.link("/etc", "/tmp/etc", ANNA);
    fs::create_dir(m.at("/srv/home/anna/own")).unwrap();
    m.link("/etc", "/srv/home/anna/own/etc", 0);
    let refusal = |path: &str| {
        let message = m.read(path).unwrap_err();
        let changed = m.tree.set_owner(Path::new(path), owner(ANNA), true).unwrap_err().to_string();
        assert_eq!(message, changed);
        assert!(m.tree.draft(Path::new(path), Access::default(), true, None).is_err());
        assert_eq!(m.owner_of("/etc/shadow"), 0);
        message.split_once(" is a symbolic link that another user controls: ").unwrap().1.to_owned()
    };
    assert_eq!(refusal("/home/anna/etc/shadow"), "/srv/home/anna belongs to user `anna`");
    assert_eq!(refusal("/home/anna/file"), "/srv/home/anna belongs to user `anna`");
    assert_eq!(refusal("/home/anna/roots/shadow"), "/srv/home/anna belongs to user `anna`");
    assert_eq!(refusal("/home/anna/own/etc/shadow"), "/srv/home/anna belongs to user `anna`");
    assert_eq!(refusal("/tmp/etc/shadow"), "it belongs to user `anna`");
    // If links are not followed, the last component is the link.
    m.tree.set_owner(Path::new("/home/anna/file"), owner(0), false).unwrap();
    assert_eq!(m.owner_of("/srv/home/anna/file"), 0);
}

#[test]
fn a_sticky_directory_protects_the_links_of_root() {
    let Some(m) = Machine::with_anna() else { return };
    m.link("/etc", "/tmp/roots", 0);
    assert_eq!(m.read("/tmp/roots/shadow").as_deref(), Ok("secret"));
    // A hard link adds a name that the owner of the file did not choose.
    fs::hard_link(m.at("/tmp/roots"), m.at("/tmp/planted")).unwrap();
    assert!(m.read("/tmp/planted/shadow").unwrap_err().contains("everyone can write to /tmp"));
    fs::remove_file(m.at("/tmp/planted")).unwrap();
    m.mode("/tmp", 0o777);
    assert!(m.read("/tmp/roots/shadow").unwrap_err().contains("everyone can write to /tmp"));
}

#[test]
fn a_shared_directory_is_controlled_by_the_members_of_its_group() {
    let Some(m) = Machine::with_anna() else { return };
    fs::create_dir(m.at("/srv/shared")).unwrap();
    m.mode("/srv/shared", 0o775);
    m.link("/etc", "/srv/shared/etc", 0);
    let of_group = |gid: u32| {
        chown(m.at("/srv/shared"), None, Some(gid)).unwrap();
        m.read("/srv/shared/etc/shadow")
    };
    assert_eq!(of_group(0).as_deref(), Ok("secret"));
    assert_eq!(of_group(STAFF).as_deref(), Ok("secret"), "the group has no members");
    assert!(of_group(4713).unwrap_err().contains("group `shared` can write to /srv/shared"));
    assert!(of_group(ANNA).unwrap_err().contains("group `anna` can write to /srv/shared"));
    assert!(of_group(9999).unwrap_err().contains("group 9999 can write to /srv/shared"));
}

#[test]
fn what_is_held_is_what_is_changed_when_a_directory_is_swapped() {
    let Some(m) = Machine::with_anna() else { return };
    fs::create_dir(m.at("/srv/home/anna/d")).unwrap();
    m.write("/srv/home/anna/d/shadow", "own");
    let place = m.tree.place(Path::new("/home/anna/d/shadow")).unwrap();
    let mut draft = m.tree.draft(Path::new("/home/anna/d/shadow"), Access::default(), true, None).unwrap();
    fs::rename(m.at("/srv/home/anna/d"), m.at("/srv/home/anna/old")).unwrap();
    m.link("/etc", "/srv/home/anna/d", ANNA);
    std::io::Write::write_all(draft.file(), b"new").unwrap();
    draft.publish().unwrap();
    assert_eq!(m.text("/srv/home/anna/old/shadow"), "new");
    place.remove().unwrap();
    assert_eq!((m.text("/etc/shadow").as_str(), fs::read_dir(m.at("/srv/home/anna/old")).unwrap().count()), ("secret", 0));
    // Operations after this point are refused.
    for refused in [
        m.tree.set_mode(Path::new("/home/anna/d/shadow"), 0o666, false),
        m.tree.make_directory(Path::new("/home/anna/d/new"), Access::default()),
        m.tree.make_link(Path::new("/home/anna/d/new"), Path::new("x"), Access::default()),
        m.tree.replace(Path::new("/home/anna/d/new"), b"", Access::default(), Expected::default()).map(drop),
        m.tree.place(Path::new("/home/anna/d/shadow")).map(drop),
        m.tree.names(Path::new("/home/anna/d")).map(drop),
    ] {
        assert!(refused.unwrap_err().to_string().contains("symbolic link that another user controls"));
    }
}

#[test]
fn replaced_draft_fails_to_publish() {
    let m = Machine::new();
    let mut draft = m.tree.draft(Path::new("/tmp/f"), Access::default(), false, None).unwrap();
    std::io::Write::write_all(draft.file(), b"new").unwrap();
    let path = draft.path(&m.tree);
    assert!(path.starts_with(m.at("/tmp")), "{path:?}");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "planted").unwrap();
    assert!(draft.path(&m.tree).starts_with("/proc"), "a program reads what was written");
    assert!(draft.publish().unwrap_err().to_string().contains("was replaced by another process"));
    assert!(!m.at("/tmp/f").exists());
}

#[test]
fn programs_read_a_draft_in_a_directory_of_another_user_through_this_process() {
    let Some(m) = Machine::with_anna() else { return };
    let mut draft = m.tree.draft(Path::new("/home/anna/f"), owner(ANNA), false, None).unwrap();
    std::io::Write::write_all(draft.file(), b"new").unwrap();
    let path = draft.path(&m.tree);
    assert!(path.starts_with("/proc"), "{path:?}");
    assert_eq!(fs::read_to_string(path).unwrap(), "new");
}

#[test]
fn setuid_does_not_survive_another_owner() {
    let Some(m) = Machine::with_anna() else { return };
    let changed = |mode: u32, access: Access| {
        m.write("/tmp/f", "x");
        m.give("/tmp/f", ANNA);
        m.mode("/tmp/f", mode);
        m.tree.set_owner(Path::new("/tmp/f"), access, false).unwrap();
        m.mode_of("/tmp/f")
    };
    assert_eq!(changed(0o4755, owner(0)), 0o755);
    assert_eq!(changed(0o6777, owner(0)), 0o755);
    assert_eq!(changed(0o666, owner(0)), 0o644);
    assert_eq!(changed(0o2664, Access { group: Some(STAFF), ..Access::default() }), 0o664);
    assert_eq!(changed(0o644, Access { mode: Some(0o4755), ..owner(0) }), 0o4755);
    assert_eq!(changed(0o4755, owner(ANNA)), 0o4755, "nothing changes");
    // On a directory setgid grants no rights, so it is kept, as in the kernel.
    m.mode("/srv/home/anna", 0o2777);
    m.tree.set_owner(Path::new("/srv/home/anna"), owner(0), false).unwrap();
    assert_eq!(m.mode_of("/srv/home/anna"), 0o2755);
}

#[test]
fn a_file_that_replaces_one_of_another_owner_does_not_inherit_its_rights() {
    let Some(m) = Machine::with_anna() else { return };
    let replaced = |mode: u32, access: Access| {
        m.write("/tmp/f", "x");
        m.give("/tmp/f", ANNA);
        m.mode("/tmp/f", mode);
        m.tree.draft(Path::new("/tmp/f"), access, false, None).unwrap().publish().unwrap();
        m.mode_of("/tmp/f")
    };
    assert_eq!(replaced(0o4777, owner(0)), 0o755);
    assert_eq!(replaced(0o4777, Access { mode: Some(0o4711), ..owner(0) }), 0o4711);
    assert_eq!(replaced(0o4711, Access::default()), 0o4711, "it stays its owner's");
}

#[test]
fn hard_links_that_another_user_may_have_made_are_refused() {
    let Some(m) = Machine::with_anna() else { return };
    fs::hard_link(m.at("/etc/shadow"), m.at("/srv/home/anna/planted")).unwrap();
    fs::hard_link(m.at("/etc/shadow"), m.at("/tmp/planted")).unwrap();
    for path in ["/home/anna/planted", "/tmp/planted"] {
        let path = Path::new(path);
        let message = m.tree.set_owner(path, owner(ANNA), false).unwrap_err().to_string();
        assert!(message.contains("is among 3 hard links to a file of user `root`"), "{message}");
        assert!(m.tree.set_mode(path, 0o666, false).is_err());
    }
    // New content is a new file: the other hard links keep the old content.
    m.tree.replace(Path::new("/home/anna/planted"), b"new", Access::default(), Expected::default()).unwrap();
    assert_eq!((m.text("/etc/shadow").as_str(), m.owner_of("/etc/shadow")), ("secret", 0));
    m.write("/srv/home/anna/own", "");
    m.give("/srv/home/anna/own", ANNA);
    fs::hard_link(m.at("/srv/home/anna/own"), m.at("/srv/home/anna/twice")).unwrap();
    m.tree.set_mode(Path::new("/home/anna/twice"), 0o600, false).unwrap();
    m.tree.set_mode(Path::new("/etc/shadow"), 0o640, false).unwrap();
    assert_eq!((m.mode_of("/srv/home/anna/own"), m.mode_of("/etc/shadow")), (0o600, 0o640));
}

#[test]
fn link_that_changes_owner_is_rejected() {
    let Some(m) = Machine::with_anna() else { return };
    m.link("/etc", "/srv/home/anna/etc", ANNA);
    for path in ["/srv/home/anna", "/srv/home/anna/etc"] {
        m.tree.set_owner(Path::new(path), owner(0), false).unwrap();
    }
    assert!(m.read("/home/anna/etc/shadow").unwrap_err().contains("symbolic link that another user controls"));
}

#[test]
fn only_regular_files_are_read() {
    let m = Machine::new();
    nix::unistd::mkfifo(&m.at("/pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(m.at("/socket")).unwrap();
    let host = Tree::at("/");
    let device = host.read(Path::new("/dev/zero"), Limit::TEXT).unwrap_err().to_string();
    assert_eq!(device, "it is a device, not a regular file");
    assert_eq!(m.read("/pipe").unwrap_err(), "it is a named pipe, not a regular file");
    assert_eq!(m.read("/socket").unwrap_err(), "it is a socket, not a regular file");
    assert_eq!(m.read("/etc").unwrap_err(), "it is a directory, not a regular file");
    assert!(m.tree.replace(Path::new("/pipe"), b"x", Access::default(), Expected::default()).is_err());
    // Kernel files report no size.
    assert!(!host.read(Path::new("/proc/self/status"), Limit::TEXT).unwrap().unwrap().is_empty());
}

#[test]
fn too_large_file_is_rejected() {
    let m = Machine::new();
    fs::File::create(m.at("/large")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(m.read("/large").unwrap_err(), "it is larger than 64 MiB");
    let error = Tree::at("/").read(Path::new("/proc/self/status"), Limit::bytes(10)).unwrap_err();
    assert_eq!(error.to_string(), "it is larger than 10 bytes");
}

#[test]
fn odd_paths_are_resolved_or_refused() {
    let m = Machine::new();
    assert_eq!(m.read("/usr/bin/../../etc/shadow").as_deref(), Ok("secret"));
    assert_eq!(m.read("/../../etc/shadow").as_deref(), Ok("secret"), "nothing is above the root");
    assert_eq!(m.read("/var/run/../etc/shadow").as_deref(), Ok("secret"), "the parent of the link's target");
    assert_eq!(m.read("/none/x").unwrap_err(), "nothing");
    assert_eq!(m.read("/etc/shadow/x").unwrap_err(), "nothing");
    symlink("loop", m.at("/loop")).unwrap();
    assert!(m.read("/loop").unwrap_err().contains("symbolic links"));
    assert!(m.read("/a\0b").unwrap_err().contains("NUL"));
    assert!(m.read(&format!("/{}", "x/".repeat(3000))).unwrap_err().contains("too long"));
    assert!(m.tree.look(Path::new("/"), false).unwrap().unwrap().is_dir());
    assert!(m.tree.look(Path::new("/usr/.."), false).unwrap().unwrap().is_dir());
}

#[test]
fn a_tree_is_removed_without_following_links() {
    let m = Machine::new();
    fs::create_dir_all(m.at("/d/e/f")).unwrap();
    m.write("/d/e/g", "");
    symlink("/etc", m.at("/d/e/link")).unwrap();
    let mut deep = String::from("/d");
    (0..300).for_each(|_| deep.push_str("/x"));
    fs::create_dir_all(m.at(&deep)).unwrap();
    m.tree.place(Path::new("/d")).unwrap().remove().unwrap();
    assert!(!m.at("/d").exists() && m.at("/etc/shadow").exists());
    m.tree.place(Path::new("/d")).unwrap().remove().unwrap();
}

#[test]
fn what_is_merged_into_a_directory_does_not_follow_its_links() {
    let Some(m) = Machine::with_anna() else { return };
    m.link("/etc", "/srv/home/anna/conf", ANNA);
    fs::create_dir(m.at("/srv/home/anna/data")).unwrap();
    m.give("/srv/home/anna/data", ANNA);
    let scratch = m.tree.scratch(Path::new("/home/anna")).unwrap();
    assert!(scratch.path().starts_with("/proc"), "another user could exchange it");
    for directory in ["conf", "data"] {
        fs::create_dir(scratch.path().join(directory)).unwrap();
        fs::write(scratch.path().join(directory).join("shadow"), "new").unwrap();
    }
    scratch.merge_into(&m.tree.directory(Path::new("/home/anna")).unwrap()).unwrap();
    drop(scratch);
    assert_eq!((m.text("/etc/shadow").as_str(), m.text("/srv/home/anna/data/shadow").as_str()), ("secret", "new"));
    assert_eq!((m.text("/srv/home/anna/conf/shadow").as_str(), m.owner_of("/srv/home/anna/data")), ("new", ANNA));
    assert_eq!(fs::read_dir(m.at("/srv/home/anna")).unwrap().count(), 2);
}

#[test]
fn all_below_a_directory_gets_its_owner_without_its_links_being_followed() {
    let Some(m) = Machine::with_anna() else { return };
    fs::create_dir(m.at("/srv/home/anna/d")).unwrap();
    m.link("/etc/shadow", "/srv/home/anna/d/link", ANNA);
    m.write("/srv/home/anna/d/tool", "");
    m.give("/srv/home/anna/d/tool", ANNA);
    m.mode("/srv/home/anna/d/tool", 0o4775);
    m.tree.set_owner_of_all(Path::new("/home/anna/d"), owner(0)).unwrap();
    assert_eq!((m.owner_of("/srv/home/anna/d/tool"), m.mode_of("/srv/home/anna/d/tool")), (0, 0o755));
    assert_eq!(m.owner_of("/srv/home/anna/d/link"), 0);
    fs::hard_link(m.at("/etc/shadow"), m.at("/srv/home/anna/d/planted")).unwrap();
    assert!(m.tree.set_owner_of_all(Path::new("/home/anna/d"), owner(ANNA)).unwrap_err().to_string().contains("hard links"));
    assert_eq!(m.owner_of("/etc/shadow"), 0);
}

#[test]
fn only_a_missing_path_is_trusted_without_being_examined() {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    assert_eq!(trust::check(&at("none/below")), Ok(None));
    symlink("loop", at("loop")).unwrap();
    let message = trust::check(&at("loop/x")).unwrap_err().message;
    assert!(message.starts_with("cannot find out who controls") && message.contains("symbolic links"), "{message}");
    assert!(trust::check(&at(&"x/".repeat(3000))).unwrap_err().message.contains("too long"));
    // A user who controls a directory also controls missing entries.
    fs::create_dir(at("d")).unwrap();
    fs::set_permissions(at("d"), Permissions::from_mode(0o777)).unwrap();
    assert!(trust::check(&at("d/none")).unwrap_err().message.contains("is writable by everyone"));
    fs::set_permissions(at("d"), Permissions::from_mode(0o1777)).unwrap();
    assert_eq!(trust::check(&at("d/none")), Ok(None));
    fs::write(at("d/file"), "").unwrap();
    assert!(trust::check(&at("d/file")).unwrap().is_some());
    // The sticky bit protects neither files with other hard links nor the directory as a whole.
    fs::hard_link(at("d/file"), at("d/planted")).unwrap();
    let untrusted = trust::check(&at("d/planted")).unwrap_err();
    assert!(untrusted.message.contains("is writable by everyone") && untrusted.help.contains("use a copy"), "{untrusted:?}");
    assert!(trust::check(&at("d")).unwrap_err().help.contains("chmod go-w"));
}

#[test]
fn code_in_a_directory_of_an_empty_group_is_untrusted() {
    let Some(m) = Machine::with_anna() else { return };
    let mut code = Tree::at(m.dir.path());
    code.requires_private_groups = true;
    fs::create_dir(m.at("/srv/shared")).unwrap();
    m.mode("/srv/shared", 0o775);
    chown(m.at("/srv/shared"), None, Some(STAFF)).unwrap();
    assert!(m.tree.check_own(Path::new("/srv/shared/x")).is_ok());
    assert!(code.check_own(Path::new("/srv/shared/x")).unwrap_err().to_string().contains("group `staff` can write to /srv/shared"));
}

#[test]
fn whoever_can_make_a_missing_file_controls_it() {
    let Some(m) = Machine::with_anna() else { return };
    for (path, why) in [("/home/anna/none", "/srv/home/anna belongs to user `anna`"), ("/tmp/none", "everyone can write to /tmp")] {
        assert_eq!(m.tree.check_own(Path::new(path)).unwrap_err().to_string(), why);
    }
    m.tree.check_own(Path::new("/etc/none")).unwrap();
}

/// Creates nested directories, deeper than the maximum path length.
fn nest(path: &Path, depth: usize) {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    fs::create_dir(path).unwrap();
    let mut here = openat(CWD, path, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&here, "x", Mode::RWXU).unwrap();
        here = openat(&here, "x", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn directories_that_are_nested_too_deep_are_an_error_and_can_be_removed() {
    let m = Machine::new();
    nest(&m.at("/deep"), 3000);
    let place = m.tree.place(Path::new("/deep")).unwrap();
    let is_refused = |result: std::io::Result<()>| {
        let message = result.unwrap_err().to_string();
        assert_eq!(message, "there are more than 256 directories inside each other");
    };
    let me = nix::unistd::Uid::effective().as_raw();
    is_refused(place.copy_to(&m.tree.place(Path::new("/copy")).unwrap()));
    is_refused(m.tree.set_owner_of_all(Path::new("/deep"), owner(me)));
    is_refused(m.tree.walk(Path::new(&format!("/deep{}", "/x".repeat(1000))), true).map(drop));
    let scratch = m.tree.scratch(Path::new("/srv")).unwrap();
    for path in [scratch.path().join("d"), m.at("/var/d")] {
        nest(&path, 1000);
    }
    is_refused(scratch.merge_into(&m.tree.directory(Path::new("/var")).unwrap()));
    drop(scratch);
    assert_eq!(fs::read_dir(m.at("/srv")).unwrap().count(), 1);
    for path in ["/deep", "/copy", "/var/d"] {
        m.tree.place(Path::new(path)).unwrap().remove().unwrap();
        assert!(!m.at(path).exists());
    }
}

#[test]
fn drafts_are_published_together_and_fail_alone() {
    let m = Machine::new();
    let draft = |path: &str| {
        let mut draft = m.tree.draft(Path::new(path), Access { mode: Some(0o640), ..Access::default() }, false, None).unwrap();
        std::io::Write::write_all(draft.file(), path.as_bytes()).unwrap();
        draft
    };
    let drafts = ["/tmp/a", "/tmp/b", "/etc/c", "/tmp/d", "/tmp/e"].map(draft);
    fs::remove_file(drafts[1].path(&m.tree)).unwrap();
    let results = publish_all(drafts);
    assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, true, true]);
    for path in ["/tmp/a", "/etc/c", "/tmp/d", "/tmp/e"] {
        assert_eq!(m.text(path), path);
        assert_eq!(fs::metadata(m.at(path)).unwrap().permissions().mode() & 0o7777, 0o640);
    }
    assert!(!m.at("/tmp/b").exists());
}

#[test]
fn temporary_directories_are_private() {
    let directory = super::named::temporary_directory().unwrap();
    assert_eq!(directory.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
}

/// An access control list in which only the user `uid` has further rights, and the owning group has none.
fn list_for(uid: u32) -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] =
        [(0x01, 6, u32::MAX), (0x02, 7, uid), (0x04, 0, u32::MAX), (0x10, 7, u32::MAX), (0x20, 0, u32::MAX)];
    let bytes = |(tag, bits, id): (u16, u16, u32)| [&tag.to_le_bytes()[..], &bits.to_le_bytes(), &id.to_le_bytes()].concat();
    [vec![2, 0, 0, 0], entries.into_iter().flat_map(bytes).collect()].concat()
}

#[test]
fn access_control_lists_of_another_user_do_not_survive() {
    let Some(m) = Machine::with_anna() else { return };
    let set = |path: &str, list: &str| xattr::set(m.at(path), list, &list_for(ANNA));
    let get = |path: &str, list: &str| xattr::get(m.at(path), list).unwrap();
    m.write("/srv/home/anna/kept", "");
    m.give("/srv/home/anna/kept", ANNA);
    if set("/srv/home/anna/kept", "system.posix_acl_access").is_err() {
        eprintln!("skipped: the file system has no access control lists");
        return;
    }
    // Change the owner of a file and a directory, and replace a file.
    m.tree.set_owner(Path::new("/home/anna/kept"), owner(0), true).unwrap();
    assert_eq!((get("/srv/home/anna/kept", "system.posix_acl_access"), m.mode_of("/srv/home/anna/kept")), (None, 0o600));
    fs::create_dir(m.at("/srv/home/anna/d")).unwrap();
    m.give("/srv/home/anna/d", ANNA);
    set("/srv/home/anna/d", "system.posix_acl_default").unwrap();
    m.tree.set_owner(Path::new("/home/anna/d"), owner(0), true).unwrap();
    assert_eq!(get("/srv/home/anna/d", "system.posix_acl_default"), None);
    m.write("/srv/home/anna/new", "");
    m.give("/srv/home/anna/new", ANNA);
    set("/srv/home/anna/new", "system.posix_acl_access").unwrap();
    m.tree.draft(Path::new("/home/anna/new"), owner(0), true, None).unwrap().publish().unwrap();
    assert_eq!(get("/srv/home/anna/new", "system.posix_acl_access"), None);
    // Create a file in a directory with a default list, set up by the directory's owner.
    set("/srv/home/anna", "system.posix_acl_default").unwrap();
    m.tree.replace(Path::new("/home/anna/fresh"), b"secret", Access { mode: Some(0o640), ..owner(0) }, Expected::default()).unwrap();
    assert_eq!((get("/srv/home/anna/fresh", "system.posix_acl_access"), m.mode_of("/srv/home/anna/fresh")), (None, 0o640));
    // Create directories in that directory. What is made in them later inherits no list either.
    m.tree.make_directory(Path::new("/home/anna/made"), Access { mode: Some(0o750), ..owner(0) }).unwrap();
    m.tree.make_directories(Path::new("/home/anna/made/and/below")).unwrap();
    m.tree.make_directories(Path::new("/home/anna/parents/below")).unwrap();
    for path in ["made", "made/and", "made/and/below", "parents", "parents/below"] {
        for list in ["system.posix_acl_access", "system.posix_acl_default"] {
            assert_eq!(get(&format!("/srv/home/anna/{path}"), list), None, "{path} {list}");
        }
    }
    assert_eq!(m.mode_of("/srv/home/anna/made"), 0o750);
    // Lists of root's own files and directories stay.
    m.write("/etc/listed", "");
    set("/etc/listed", "system.posix_acl_access").unwrap();
    m.tree.set_owner(Path::new("/etc/listed"), owner(ANNA), true).unwrap();
    assert!(get("/etc/listed", "system.posix_acl_access").is_some());
}
