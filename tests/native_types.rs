//! Each type with a native provider: a second run changes nothing, and an item that cannot be changed does not prevent other changes.

use super::declared::Lab;
use nix::unistd::{Gid, Uid};
use rtype_provider::NativeProviders;
use std::collections::BTreeSet;
use std::path::Path;

/// A type with resources on a simulated machine.
struct Row {
    type_name: &'static str,
    /// Paths and contents. The user ID and group ID of the test process replace `UID` and `GID`.
    files: &'static [(&'static str, &'static str)],
    programs: &'static [(&'static str, &'static str)],
    /// Paths of required programs on the host.
    requires: &'static [&'static str],
    /// Resources that can be applied.
    good: &'static str,
    /// Resources with one attribute or resource that cannot be applied.
    bad: &'static str,
    /// The references in the failure messages.
    failed: &'static [&'static str],
    /// Files, each with a string that shows a successful change.
    done: &'static [(&'static str, &'static str)],
}

const PASSWD: (&str, &str) = ("/etc/passwd", "root:x:0:0::/root:/bin/sh\nbob:x:1000:1000:Old:/home/bob:/usr/bin/sh\n");
const GROUP: (&str, &str) = ("/etc/group", "root:x:0:\nadm:x:4:\nbob:x:1000:\n");
const SHADOW: (&str, &str) = ("/etc/shadow", "root:*:19000:0:99999:7:::\nbob:!:19000:0:99999:7:::\n");
const EDITORS: &str = "auto\n/usr/bin/editor\n\n/bin/nano\n40\n/bin/vim\n15\n\n";

/// Files from which facts are read.
const SYSTEM: [(&str, &str); 4] = [
    ("/etc/debian_version", "12.1\n"),
    ("/etc/os-release", "ID=debian\nVERSION_ID=\"12\"\n"),
    ("/proc/sys/kernel/ostype", "Linux\n"),
    ("/run/systemd/system/x", ""),
];

/// Selects an alternative and changes the database to manual.
const ALTERNATIVES: &str = "[ \"$2\" = editor ] || { echo no alternatives >&2; exit 2; }\n\
    sed -i 1s/auto/manual/ ROOT/var/lib/dpkg/alternatives/editor; ln -sfn \"$3\" ROOT/etc/alternatives/editor";

/// Adds an entry, except for an entry of another link.
const INSTALL: &str = "[ \"$1\" = --install ] && [ \"$3\" = editor ] || { echo no link >&2; exit 2; }\n\
    printf 'auto\\n/usr/bin/editor\\n\\n/bin/nano\\n40\\n%s\\n%s\\n\\n' \"$4\" \"$5\" > ROOT/var/lib/dpkg/alternatives/editor";

/// Installs its arguments, except for `unknown`.
const APT_GET: &str = "while [ \"$1\" != -- ]; do shift; done; shift\n\
    for name; do [ \"$name\" = unknown ] && { echo 'E: Unable to locate package unknown' >&2; exit 100; }; done\n\
    for name; do printf 'Package: %s\\nStatus: install ok installed\\nVersion: 1.0\\nArchitecture: amd64\\n\\n' \"$name\" >> ROOT/var/lib/dpkg/status; done";

/// Keeps the state of units in files; `stuck` cannot be started.
const SYSTEMCTL: &str = "verb=$1; while [ \"$1\" != -- ]; do shift; done; shift\n\
    has() { [ -e \"ROOT/run/$1.$2\" ]; }\ncase $verb in\n\
    show) for n; do echo Id=$n; has $n active && echo ActiveState=active || echo ActiveState=inactive; has $n enabled && echo UnitFileState=enabled || echo UnitFileState=disabled; echo; done ;;\n\
    is-enabled) for n; do has $n enabled && echo enabled || echo disabled; done ;;\n\
    start) [ $1 != stuck ] || { echo 'Job failed' >&2; exit 1; }; echo > ROOT/run/$1.active ;;\n\
    enable) echo > ROOT/run/$1.enabled ;;\nesac";

const ROWS: &[Row] = &[
    Row {
        type_name: "user",
        files: &[PASSWD, GROUP, SHADOW],
        programs: &[
            ("sh", ":"),
            ("useradd", "exec /usr/sbin/useradd \"$@\""),
            ("usermod", "exec /usr/sbin/usermod \"$@\""),
            ("chage", "exec /usr/bin/chage \"$@\""),
            ("userdel", ":"),
            ("chpasswd", ":"),
        ],
        requires: &["/usr/sbin/useradd", "/usr/sbin/usermod", "/usr/bin/chage"],
        good: "user { 'eve': uid => 1001, gid => 'bob', comment => 'Eve', shell => '/usr/bin/sh', groups => ['adm'] }",
        bad: "user { 'bob': comment => 'New', shell => '/none', groups => ['adm', 'none'] }",
        failed: &["the shell /none does not exist", "could not find group none"],
        done: &[("/etc/passwd", ":New:/home/bob:/usr/bin/sh\n"), ("/etc/group", "adm:x:4:bob\n")],
    },
    Row {
        type_name: "group",
        files: &[PASSWD, GROUP],
        programs: &[("groupadd", "exec /usr/sbin/groupadd \"$@\""), ("groupmod", "exec /usr/sbin/groupmod \"$@\""), ("groupdel", ":")],
        requires: &["/usr/sbin/groupadd", "/usr/sbin/groupmod"],
        good: "group { 'eve': gid => 1001 }",
        bad: "group { 'bob': gid => 4 }\ngroup { 'eve': gid => 1001 }",
        failed: &["Group[bob]"],
        done: &[("/etc/group", "bob:x:1000:\neve:x:1001:\n")],
    },
    Row {
        type_name: "exec",
        files: &[],
        programs: &[("make", "echo made >> ROOT/$1; [ $1 = a ]")],
        requires: &[],
        good: "exec { '/usr/bin/make a': creates => '/a' }",
        bad: "exec { '/usr/bin/make b': }\nexec { '/usr/bin/make a': }",
        failed: &["Exec[/usr/bin/make b]"],
        done: &[("/a", "made\n")],
    },
    Row {
        type_name: "file",
        files: &[PASSWD, ("/srv/old", "old")],
        programs: &[],
        requires: &[],
        good: "file { '/srv/new': content => 'new', mode => '0640' }",
        bad: "file { '/none/new': content => 'new' }\nfile { '/srv/old': content => 'new' }",
        failed: &["File[/none/new]"],
        done: &[("/srv/old", "new")],
    },
    Row {
        type_name: "alternatives",
        files: &[("/var/lib/dpkg/alternatives/editor", EDITORS), ("/etc/alternatives/x", "")],
        programs: &[("update-alternatives", ALTERNATIVES)],
        requires: &[],
        good: "alternatives { 'editor': path => '/bin/vim' }",
        bad: "alternatives { 'pager': path => '/bin/more' }\nalternatives { 'editor': path => '/bin/vim' }",
        failed: &["Alternatives[pager]"],
        done: &[("/var/lib/dpkg/alternatives/editor", "manual\n")],
    },
    Row {
        type_name: "alternative_entry",
        files: &[("/var/lib/dpkg/alternatives/editor", "auto\n/usr/bin/editor\n\n/bin/nano\n40\n\n")],
        programs: &[("update-alternatives", INSTALL)],
        requires: &[],
        good: "alternative_entry { '/bin/vim': altname => 'editor', altlink => '/usr/bin/editor', priority => 7 }",
        bad: "alternative_entry { '/bin/more': altname => 'pager', altlink => '/usr/bin/pager', priority => 1 }\n\
              alternative_entry { '/bin/vim': altname => 'editor', altlink => '/usr/bin/editor', priority => 7 }",
        failed: &["Alternative_entry[/bin/more]"],
        done: &[("/var/lib/dpkg/alternatives/editor", "/bin/vim\n7\n")],
    },
    Row {
        type_name: "archive",
        files: &[("/srv/a", "text"), ("/tmp/x", "")],
        programs: &[],
        requires: &[],
        good: "archive { '/srv/b': provider => ruby, source => '/srv/a', checksum => 'd41d8cd98f00b204e9800998ecf8427e', checksum_type => md5, checksum_verify => false }",
        bad: "archive { '/srv/none': provider => ruby, source => '/srv/missing' }\narchive { '/srv/b': provider => ruby, source => '/srv/a' }",
        failed: &["Archive[/srv/none]"],
        done: &[("/srv/b", "text")],
    },
    Row {
        type_name: "cron",
        files: &[PASSWD, ("/var/spool/cron/crontabs/bob", "@daily own\n")],
        programs: &[("crontab", "! grep -q refused \"$3\" && cat \"$3\" > ROOT/var/spool/cron/crontabs/$2")],
        requires: &[],
        good: "cron { 'a': user => 'bob', command => 'a', special => 'daily', environment => [] }",
        bad: "cron { 'r': user => 'bob', command => 'refused', special => 'daily' }\ncron { 'a': user => 'bob', command => 'a', special => 'daily' }",
        failed: &["Cron[r]"],
        done: &[("/var/spool/cron/crontabs/bob", "# Puppet Name: a\n@daily a\n")],
    },
    Row {
        type_name: "host",
        files: &[("/etc/hosts", "10.0.0.1 a\n")],
        programs: &[],
        requires: &[],
        good: "host { 'b': ip => '10.0.0.2', host_aliases => ['c'] }",
        bad: "host { 'n': ensure => present }\nhost { 'b': ip => '10.0.0.2' }",
        failed: &["Host[n]"],
        done: &[("/etc/hosts", "10.0.0.1 a\n10.0.0.2\tb\n")],
    },
    Row {
        type_name: "file_line",
        files: &[("/srv/a", "x\n")],
        programs: &[],
        requires: &[],
        good: "file_line { 'y': path => '/srv/a', line => 'y' }",
        bad: "file_line { 'n': path => '/none/a', line => 'y' }\nfile_line { 'y': path => '/srv/a', line => 'y' }",
        failed: &["File_line[n]"],
        done: &[("/srv/a", "x\ny\n")],
    },
    Row {
        type_name: "ini_setting",
        files: &[("/srv/a", "[s]\na = 1\n")],
        programs: &[],
        requires: &[],
        good: "ini_setting { 'b': path => '/srv/a', section => 's', setting => 'b', value => '2' }",
        bad: "ini_setting { 'n': path => '/none/a', section => 's', setting => 'b', value => '2' }\n\
              ini_setting { 'b': path => '/srv/a', section => 's', setting => 'b', value => '2' }",
        failed: &["Ini_setting[n]"],
        done: &[("/srv/a", "b = 2\n")],
    },
    Row {
        type_name: "ini_subsetting",
        files: &[("/srv/a", "[s]\na = -Xms1\n")],
        programs: &[],
        requires: &[],
        good: "ini_subsetting { 'b': path => '/srv/a', section => 's', setting => 'a', subsetting => '-Xmx', value => '2' }",
        bad: "ini_subsetting { 'n': path => '/none/a', section => 's', setting => 'a', subsetting => '-Xmx', value => '2' }\n\
              ini_subsetting { 'b': path => '/srv/a', section => 's', setting => 'a', subsetting => '-Xmx', value => '2' }",
        failed: &["Ini_subsetting[n]"],
        done: &[("/srv/a", "a = -Xms1 -Xmx2\n")],
    },
    Row {
        type_name: "mount",
        files: &[("/etc/fstab", ""), ("/proc/self/mountinfo", ""), ("/na/x", ""), ("/nb/x", "")],
        programs: &[("mount", "echo refused >&2; exit 32"), ("umount", ":")],
        requires: &[],
        good: "mount { '/nb': ensure => present, device => '/dev/b', fstype => 'ext4' }",
        bad: "mount { '/na': ensure => mounted, device => '/dev/a', fstype => 'ext4' }\n\
              mount { '/nb': ensure => present, device => '/dev/b', fstype => 'ext4' }",
        failed: &["Mount[/na]"],
        done: &[("/etc/fstab", "/dev/b\t/nb\text4")],
    },
    Row {
        type_name: "kmod",
        files: &[("/etc/modules-load.d/x", ""), ("/etc/modprobe.d/na.conf/x", "")],
        programs: &[("modprobe", ":")],
        requires: &[],
        good: "kmod { 'nb': options => { 'a' => '9' } }",
        bad: "kmod { 'na': options => { 'a' => '1' } }\nkmod { 'nb': options => { 'a' => '9' } }",
        failed: &["Kmod[na]"],
        done: &[("/etc/modprobe.d/nb.conf", "options nb a=9\n")],
    },
    Row {
        type_name: "package",
        files: &[
            ("/var/lib/dpkg/status", "Package: dpkg\nStatus: install ok installed\nVersion: 1.21\nArchitecture: amd64\n\n"),
            ("/etc/apt/x", ""),
            ("/var/lib/apt/x", ""),
        ],
        programs: &[
            ("apt-get", APT_GET),
            ("apt-cache", ":"),
            ("apt-mark", ":"),
            ("debconf-set-selections", ":"),
            ("dpkg", ":"),
            ("dpkg-deb", ":"),
            ("dpkg-query", ":"),
        ],
        requires: &[],
        good: "package { 'nginx': ensure => present, provider => apt }",
        bad: "package { ['nginx', 'unknown', 'vim']: ensure => present, provider => apt }",
        failed: &["Package[unknown]"],
        done: &[("/var/lib/dpkg/status", "Package: nginx\n"), ("/var/lib/dpkg/status", "Package: vim\n")],
    },
    Row {
        type_name: "ssh_authorized_key",
        files: &[("/etc/passwd", "me:x:UID:GID::/home/me:/bin/sh\n"), ("/home/me/x", "")],
        programs: &[],
        requires: &[],
        good: "ssh_authorized_key { 'k': user => 'me', type => 'ssh-rsa', key => 'AAAA', target => '/home/me/keys' }",
        bad: "ssh_authorized_key { 'n': user => 'none', type => 'ssh-rsa', key => 'AAAA' }\n\
              ssh_authorized_key { 'k': user => 'me', type => 'ssh-rsa', key => 'AAAA', target => '/home/me/keys' }",
        failed: &["Ssh_authorized_key[n]"],
        done: &[("/home/me/keys", "ssh-rsa AAAA k\n")],
    },
    Row {
        type_name: "sshkey",
        files: &[("/etc/ssh/ssh_known_hosts", "a ssh-rsa AAAA\n")],
        programs: &[],
        requires: &[],
        good: "sshkey { 'b': type => 'ssh-rsa', key => 'AAAB', host_aliases => ['c'] }",
        bad: "sshkey { 'n': ensure => present, type => 'ssh-rsa' }\nsshkey { 'b': type => 'ssh-rsa', key => 'AAAB' }",
        failed: &["Sshkey[n@ssh-rsa]"],
        done: &[("/etc/ssh/ssh_known_hosts", "a ssh-rsa AAAA\nb ssh-rsa AAAB\n")],
    },
    Row {
        type_name: "posix_acl",
        files: &[("/srv/a", "")],
        programs: &[("getfacl", "exec /usr/bin/getfacl \"$@\""), ("setfacl", "exec /usr/bin/setfacl \"$@\"")],
        requires: &["/usr/bin/getfacl", "/usr/bin/setfacl"],
        good: "posix_acl { '/srv/a': provider => posixacl, action => set, permission => ['user:54321:r--', 'mask::r--'] }",
        bad: "posix_acl { '/srv/a': provider => posixacl, action => set, permission => ['user:missing:r--', 'user:54321:r--', 'mask::r--'] }",
        failed: &["Posix_acl[/srv/a]"],
        done: &[("getfacl /srv/a", "user:54321:r--")],
    },
    Row {
        type_name: "sysctl_runtime",
        files: &[("/proc/sys/net/forward", "0\n")],
        programs: &[],
        requires: &[],
        good: "sysctl_runtime { 'net.forward': val => '1' }",
        bad: "sysctl_runtime { 'net.none': val => '1' }\nsysctl_runtime { 'net.forward': val => '1' }",
        failed: &["Sysctl_runtime[net.none]"],
        done: &[("/proc/sys/net/forward", "1")],
    },
    Row {
        type_name: "service",
        files: &[("/run/x", "")],
        programs: &[("systemctl", SYSTEMCTL), ("journalctl", ":")],
        requires: &[],
        good: "service { 'fine': ensure => running, enable => true, provider => systemd }",
        bad: "service { ['stuck', 'fine']: ensure => running, enable => true, provider => systemd }",
        failed: &["Service[stuck]"],
        done: &[("/run/stuck.enabled", ""), ("/run/fine.active", "")],
    },
    Row {
        type_name: "vcsrepo",
        files: &[("/srv/x", ""), ("/dir/kept", "own")],
        programs: &[("git", "exec /usr/bin/git \"$@\"")],
        requires: &["/usr/bin/git"],
        good: "vcsrepo { '/srv/a': ensure => present, provider => git }\nvcsrepo { ['/srv/none', '/dir']: ensure => absent, provider => git }",
        bad: "vcsrepo { '/none/b': ensure => present, provider => git }\nvcsrepo { '/srv/a': ensure => present, provider => git }",
        failed: &["Vcsrepo[/none/b]"],
        done: &[("/srv/a/.git/HEAD", "ref: ")],
    },
];

impl Row {
    /// Creates the machine; `None` if the host lacks a requirement.
    fn lab(&self) -> Option<Lab> {
        let is_root = Uid::effective().is_root();
        if !(self.requires.is_empty() || is_root && self.requires.iter().all(|path| Path::new(path).exists())) {
            eprintln!("skipped: {} needs root and {:?}", self.type_name, self.requires);
            return None;
        }
        let me = |text: &str| text.replace("UID", &Uid::effective().to_string()).replace("GID", &Gid::effective().to_string());
        let lab = SYSTEM.iter().chain(self.files).fold(Lab::new(&[]), |lab, (path, text)| lab.with(path, &me(text)));
        Some(self.programs.iter().fold(lab, |lab, (name, script)| lab.program(name, script)))
    }
}

#[test]
fn each_native_type_has_a_row() {
    let natives = NativeProviders::standard();
    let types: BTreeSet<&str> = natives.names().map(|(type_name, _)| type_name).collect();
    assert_eq!(ROWS.iter().map(|row| row.type_name).collect::<BTreeSet<_>>(), types);
}

#[test]
fn a_second_run_changes_nothing() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let Some(mut lab) = row.lab() else { continue };
        for run in ["first", "second"] {
            let (events, counts) = lab.try_run(row.good).unwrap_or_else(|e| panic!("{}: {e:?}", row.type_name));
            let is_right = if run == "first" { !counts.is_quiet() } else { counts.is_quiet() && counts.corrective == 0 };
            if counts.has_failed() || !is_right {
                wrong.push(format!("{}, {run} run: {events:?}", row.type_name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lists of text formats are in `text_walk.rs`.
#[test]
fn an_empty_list_of_groups_is_the_same_as_none() {
    let rows = ROWS.iter().filter(|row| row.type_name == "user");
    for (row, attributes) in rows.flat_map(|row| ["", ", membership => inclusive"].map(|attributes| (row, attributes))) {
        let Some(mut lab) = row.lab() else { continue };
        let declared = |name: &str| format!("user {{ '{name}': ensure => present, groups => []{attributes} }}\n");
        let manifest = declared("bob") + &declared("eve");
        for run in ["first", "second"] {
            let (events, counts) = lab.try_run(&manifest).unwrap();
            assert!(!counts.has_failed() && (run == "first" || counts.is_quiet()), "{manifest}{run} run: {events:?}");
        }
    }
}

#[test]
fn commands_that_run_again_revert_nothing() {
    let mut lab = Lab::new(&[]).program("true", ":");
    let manifest = "exec { '/usr/bin/true': }\nnotify { 'n': }";
    for _ in 0..2 {
        let (events, counts) = lab.try_run(manifest).unwrap();
        assert_eq!((counts.changes, counts.corrective), (2, 0), "{events:?}");
    }
}

#[test]
fn what_cannot_be_changed_does_not_prevent_the_rest() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let Some(mut lab) = row.lab() else { continue };
        let (events, _) = lab.try_run(row.bad).unwrap_or_else(|e| panic!("{}: {e:?}", row.type_name));
        let has_failed = |failed: &&&str| events.iter().any(|event| event.contains("failed: ") && event.contains(**failed));
        wrong.extend(
            row.failed.iter().filter(|f| !has_failed(f)).map(|failed| format!("{}: not reported: {failed}: {events:?}", row.type_name)),
        );
        for (path, text) in row.done {
            let found = match path.strip_prefix("getfacl ") {
                Some(path) => String::from_utf8(lab.output("/usr/bin/getfacl", path)).unwrap(),
                None => lab.find(path).unwrap_or_default(),
            };
            if !found.contains(text) {
                wrong.push(format!("{}: {path} lacks {text:?}: {found:?}: {events:?}", row.type_name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
