use super::*;
use crate::native::common::testing::{Wants, get_wanting};
use std::os::unix::fs::{PermissionsExt, symlink};

/// Writes the address to the file.
fn echo(_: &System, _: &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError> {
    std::fs::write(to.path().join(name), address).map_err(|e| System::cannot_write("the file", &e))
}

const ECHO: Archive = Archive { fetch: echo };

fn sum_of(text: &str) -> Value {
    Value::str(digest::hex("md5", text.as_bytes()).unwrap())
}

fn machine() -> (tempfile::TempDir, System) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for sub in ["tmp", "opt", "srv/in", "usr/bin"] {
        std::fs::create_dir_all(root.join(sub)).unwrap();
    }
    for program in ["tar", "sh", "gzip"] {
        symlink(System::host().which(program).unwrap(), root.join("usr/bin").join(program)).unwrap();
    }
    std::fs::write(root.join("srv/in/readme"), "read").unwrap();
    let host = System::host();
    let tar = host.command("tar").arg("cf").arg(root.join("srv/a b.tar").as_os_str());
    tar.arg("-C").arg(root.join("srv").as_os_str()).arg("in").succeed().unwrap();
    let system = System::at(root);
    (folder, system)
}

fn create(system: &System, name: &str, wants: Vec<(&'static str, Value)>) -> Result<Value, ProviderError> {
    let wants = Wants(wants);
    let is = get_wanting(&ECHO, system, name, &wants);
    ECHO.call(system, &mut Change::new(Request { name, resource: &wants }, &is), "create", &[])
}

fn exists(system: &System, name: &str, wants: Vec<(&'static str, Value)>) -> bool {
    matches!(get_wanting(&ECHO, system, name, &Wants(wants)), Reading::Present(_))
}

#[test]
fn a_file_is_fetched_copied_and_removed() {
    let (_folder, system) = machine();
    create(&system, "/new/a", vec![("source", Value::str("http://x/a"))]).unwrap();
    assert_eq!(system.read("/new/a").unwrap().unwrap(), "http://x/a");
    create(&system, "/new/b", vec![("source", Value::str("/srv/in/readme"))]).unwrap();
    create(&system, "/new/c", vec![("source", Value::str("file:///srv/a%20b.tar"))]).unwrap();
    assert_eq!(system.read_bytes("/new/c").unwrap(), system.read_bytes("/srv/a b.tar").unwrap());
    let wants = Wants(vec![]);
    let is = get_wanting(&ECHO, &system, "/new/b", &wants);
    ECHO.call(&system, &mut Change::new(Request { name: "/new/b", resource: &wants }, &is), "destroy", &[]).unwrap();
    assert!(!exists(&system, "/new/b", vec![]));
    assert_eq!(system.path("/tmp").read_dir().unwrap().count(), 0);
}

#[test]
fn wrong_checksum_discards_the_download() {
    let (_folder, system) = machine();
    let wants = |sum: Value| {
        let address = ("source", Value::str("http://x/a"));
        vec![address, ("checksum_type", Value::sym("md5")), ("checksum", sum), ("checksum_verify", Value::sym("true"))]
    };
    let error = create(&system, "/new/a", wants(sum_of("else"))).unwrap_err();
    assert!(error.message.starts_with("the download does not fit its checksum (expected: 2954e9"), "{error}");
    assert!(!system.exists("/new/a"));
    create(&system, "/new/a", wants(sum_of("http://x/a"))).unwrap();
    assert!(exists(&system, "/new/a", wants(sum_of("http://x/a"))));
    assert!(!exists(&system, "/new/a", wants(sum_of("else"))));
}

#[test]
fn an_archive_is_unpacked_and_cleaned_up() {
    let (_folder, system) = machine();
    let mut wants = vec![("source", Value::str("/srv/a b.tar")), ("extract", Value::sym("true")), ("cleanup", Value::sym("true"))];
    wants.extend([("extract_path", Value::str("/opt")), ("creates", Value::str("/opt/in/readme"))]);
    assert!(!exists(&system, "/tmp/a b.tar", wants.clone()));
    create(&system, "/tmp/a b.tar", wants.clone()).unwrap();
    assert_eq!(system.read("/opt/in/readme").unwrap().unwrap(), "read");
    assert!(!system.exists("/tmp/a b.tar"));
    assert!(exists(&system, "/tmp/a b.tar", wants));
}

#[test]
fn extract_command_runs_in_a_shell() {
    let (_folder, system) = machine();
    let mut wants = vec![("source", Value::str("/srv/a b.tar")), ("extract", Value::sym("true"))];
    wants.extend([("extract_path", Value::str("/opt")), ("extract_command", Value::str("tar --strip-components=1 -xf %s && : > done"))]);
    create(&system, "/tmp/it's.tar", wants).unwrap();
    assert!(system.exists("/opt/readme") && system.exists("/opt/done") && system.exists("/tmp/it's.tar"));
}

/// Packs files with these permissions. The archive also has an entry for `.`.
fn pack(system: &System, name: &str, files: &[(&str, u32)]) {
    let source = tempfile::tempdir().unwrap();
    for (file, mode) in files {
        std::fs::write(source.path().join(file), "").unwrap();
        std::fs::set_permissions(source.path().join(file), PermissionsExt::from_mode(*mode)).unwrap();
    }
    std::fs::set_permissions(source.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let host = System::host();
    let command = host.command("tar").args(["--owner=7", "--group=7", "-cf"]).arg(system.path(name).as_os_str());
    command.arg("-C").arg(source.path().as_os_str()).arg(".").succeed().unwrap();
}

/// Returns the umask of this process.
fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("Umask:")).unwrap();
    u32::from_str_radix(mask.trim(), 8).unwrap()
}

#[test]
fn archived_owners_and_permissions_are_ignored_unless_declared() {
    let (_folder, system) = machine();
    pack(&system, "/srv/x.tar", &[("shell", 0o6777), ("open", 0o666)]);
    let before = system.look("/opt", false).unwrap().unwrap();
    let wants = |more: Vec<(&'static str, Value)>| {
        let path = ("extract_path", Value::str("/opt"));
        [vec![("source", Value::str("/srv/x.tar")), ("extract", Value::sym("true")), path], more].concat()
    };
    let found = |name: &str| system.look(name, false).unwrap().unwrap();
    let me = nix::unistd::Uid::effective().as_raw();
    for more in [vec![], vec![("extract_command", Value::str("tar xf %s"))]] {
        create(&system, "/tmp/x.tar", wants(more)).unwrap();
        assert_eq!((found("/opt/shell").mode(), found("/opt/open").mode()), (0o777 & !umask(), 0o666 & !umask()));
        assert_eq!((found("/opt/shell").uid, found("/opt").mode()), (me, before.mode()));
    }
    create(&system, "/tmp/x.tar", wants(vec![("extract_flags", Value::str("-xpf"))])).unwrap();
    assert_eq!((found("/opt/shell").mode(), found("/opt/open").mode(), found("/opt").mode()), (0o6777, 0o666, before.mode()));
}

#[test]
fn devices_are_not_unpacked() {
    let (folder, system) = machine();
    let device = folder.path().join("srv/in/disk");
    if nix::sys::stat::mknod(&device, nix::sys::stat::SFlag::S_IFCHR, nix::sys::stat::Mode::S_IRUSR, 259).is_err() {
        eprintln!("skipped: needs root");
        return;
    }
    let host = System::host();
    let tar = host.command("tar").arg("cf").arg(folder.path().join("srv/x.tar").as_os_str());
    tar.arg("-C").arg(folder.path().join("srv").as_os_str()).arg("in").succeed().unwrap();
    let path = ("extract_path", Value::str("/opt"));
    let wants = vec![("source", Value::str("/srv/x.tar")), ("extract", Value::sym("true")), path];
    let error = create(&system, "/tmp/x.tar", wants).unwrap_err();
    assert_eq!(error.message, "the archive /tmp/x.tar is not unpacked: `in/disk` is a device");
    assert_eq!(system.names("/opt").unwrap(), Vec::<String>::new());
}

#[test]
fn planted_archive_is_downloaded_again() {
    if !nix::unistd::Uid::effective().is_root() {
        eprintln!("skipped: needs root");
        return;
    }
    let (folder, system) = machine();
    pack(&system, "/srv/x.tar", &[("declared", 0o644)]);
    for (mode, has_creates) in [(0o1777, true), (0o1777, false), (0o777, true)] {
        std::fs::set_permissions(folder.path().join("tmp"), PermissionsExt::from_mode(mode)).unwrap();
        pack(&system, "/tmp/x.tar", &[("planted", 0o644)]);
        std::os::unix::fs::lchown(folder.path().join("tmp/x.tar"), Some(65534), Some(65534)).unwrap();
        let mut wants = vec![("source", Value::str("/srv/x.tar")), ("extract", Value::sym("true")), ("extract_path", Value::str("/opt"))];
        wants.extend(has_creates.then(|| ("creates", Value::str("/opt/declared"))));
        create(&system, "/tmp/x.tar", wants.clone()).unwrap();
        assert_eq!(system.names("/opt").unwrap(), ["declared"], "{mode:o}");
        assert_eq!(system.look("/tmp/x.tar", false).unwrap().unwrap().uid, 0);
        assert!(exists(&system, "/tmp/x.tar", wants));
        system.remove("/opt/declared").unwrap();
    }
    // Without `source`, the archive cannot be downloaded again.
    pack(&system, "/tmp/y.tar", &[("planted", 0o644)]);
    std::os::unix::fs::lchown(folder.path().join("tmp/y.tar"), Some(65534), Some(65534)).unwrap();
    let mut wants = vec![("extract", Value::sym("true")), ("extract_path", Value::str("/opt")), ("creates", Value::str("/opt/y"))];
    let error = create(&system, "/tmp/y.tar", wants.clone()).unwrap_err();
    assert!(error.to_string().starts_with("the archive is not unpacked: "), "{error}");
    // With a matching checksum, a copy is unpacked.
    let sum = digest::hex("md5", &system.read_bytes("/tmp/y.tar").unwrap().unwrap()).unwrap();
    wants.extend([("checksum_type", Value::sym("md5")), ("checksum", Value::str(sum))]);
    create(&system, "/tmp/y.tar", wants).unwrap();
    assert_eq!(system.names("/opt").unwrap(), ["planted"]);
}

#[test]
fn a_user_unpacks_a_copy_of_a_planted_archive() {
    if !nix::unistd::Uid::effective().is_root() {
        eprintln!("skipped: needs root");
        return;
    }
    let (folder, system) = machine();
    symlink(System::host().which("setpriv").unwrap(), folder.path().join("usr/bin/setpriv")).unwrap();
    std::fs::create_dir_all(folder.path().join("etc")).unwrap();
    std::fs::write(folder.path().join("etc/passwd"), "app:x:4711:4711::/:/bin/sh\n").unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(folder.path().join("tmp"), PermissionsExt::from_mode(0o1777)).unwrap();
    std::os::unix::fs::lchown(folder.path().join("opt"), Some(4711), Some(4711)).unwrap();
    pack(&system, "/srv/x.tar", &[("declared", 0o600)]);
    pack(&system, "/tmp/x.tar", &[("planted", 0o600)]);
    std::os::unix::fs::lchown(folder.path().join("tmp/x.tar"), Some(65534), Some(65534)).unwrap();
    let mut wants = vec![("source", Value::str("/srv/x.tar")), ("extract", Value::sym("true")), ("extract_path", Value::str("/opt"))];
    wants.push(("user", Value::str("app")));
    create(&system, "/tmp/x.tar", wants).unwrap();
    assert_eq!(system.names("/opt").unwrap(), ["declared"]);
    assert_eq!(system.look("/opt/declared", false).unwrap().unwrap().uid, 4711);
    assert_eq!(system.names("/tmp").unwrap(), ["x.tar"]);
}

#[test]
fn options_see_the_files_that_are_there_already() {
    let (_folder, system) = machine();
    pack(&system, "/srv/x.tar", &[("kept", 0o644), ("new", 0o644)]);
    std::fs::write(system.path("/opt/kept"), "local").unwrap();
    let wants = |flags: &str| {
        let mut wants = vec![("source", Value::str("/srv/x.tar")), ("extract", Value::sym("true"))];
        wants.extend([("extract_path", Value::str("/opt")), ("extract_flags", Value::str(flags))]);
        wants
    };
    create(&system, "/tmp/x.tar", wants("--skip-old-files -xf")).unwrap();
    assert_eq!((system.read("/opt/kept").unwrap().as_deref(), system.exists("/opt/new")), (Some("local"), true));
    create(&system, "/tmp/x.tar", wants("-xf")).unwrap();
    assert_eq!(system.read("/opt/kept").unwrap().as_deref(), Some(""));
}

#[test]
fn files_of_other_users_without_a_source_are_refused_by_name() {
    if !nix::unistd::Uid::effective().is_root() {
        eprintln!("skipped: needs root");
        return;
    }
    let (folder, system) = machine();
    pack(&system, "/tmp/x.tar", &[("planted", 0o600)]);
    std::os::unix::fs::lchown(folder.path().join("tmp/x.tar"), Some(65534), Some(65534)).unwrap();
    let mut wants = vec![("extract", Value::sym("true")), ("extract_path", Value::str("/opt"))];
    for creates in [None, Some("/opt/planted")] {
        wants.extend(creates.map(|path| ("creates", Value::str(path))));
        let message = create(&system, "/tmp/x.tar", wants.clone()).unwrap_err().to_string();
        assert!(message.starts_with("the archive is not unpacked: ") && message.contains("x.tar"), "{message}");
    }
    assert_eq!(system.names("/opt").unwrap(), Vec::<String>::new());
}

#[test]
fn a_checksum_is_the_first_word_that_looks_like_one() {
    let sum = "D41D8CD98F00B204E9800998ECF8427E";
    assert_eq!(checksum_in(&format!("MD5 (a) = {sum}\n")), Some(sum.to_lowercase()));
    assert_eq!(checksum_in("no 1234 here"), None);
}

#[test]
fn archive_checksum_query_reads_the_file_on_disk() {
    let (_folder, system) = machine();
    let wants = Wants(vec![("checksum_type", Value::sym("md5")), ("checksum", sum_of("other"))]);
    let query = |name: &str, method: &str, wants: &Wants| ECHO.query(&system, Request { name, resource: wants }, method, &[]);
    assert_eq!(query("/srv/in/readme", "archive_checksum", &wants), Ok(sum_of("read")));
    assert_eq!(query("/srv/in/none", "archive_checksum", &wants), Ok(Value::Nil));
    let without = Wants(vec![("checksum_type", Value::sym("none"))]);
    assert_eq!(query("/srv/in/readme", "archive_checksum", &without), Ok(Value::Nil));
    assert!(query("/srv/in/readme", "size", &wants).is_err());
}
