//! The text formats of `docs/providers.md`. Changes and removals keep the bytes of all other lines. Values are read as written, or refused.

use super::declared::Lab;
use crate::common::machine::{outputs, write, write_program};
use rtype_lang::library::TypeSet;

/// An example of a text format.
#[derive(Clone, Copy)]
pub struct Example {
    pub format: &'static str,
    pub type_name: &'static str,
    pub path: &'static str,
    /// The content before the entries, such as a section header.
    pub head: &'static str,
    /// The entries `na`, `nb` and `nc`.
    pub entries: [&'static str; 3],
    pub comment: &'static str,
    /// The title of the second entry.
    pub title: &'static str,
    /// The attributes that declare the second entry, without `change`.
    pub fixed: &'static str,
    /// An attribute that changes the second entry.
    pub change: &'static str,
    /// The attributes that accept any string.
    attributes: &'static [&'static str],
}

pub const EXAMPLES: &[Example] = &[
    Example {
        format: "hosts",
        type_name: "host",
        path: "/etc/hosts",
        head: "",
        entries: ["10.0.0.1 na a1\n", "10.0.0.2 nb\n", "10.0.0.3\tnc # last\n"],
        comment: "# caf\u{e9}\n",
        title: "nb",
        fixed: "",
        change: "ip => '10.0.0.9'",
        attributes: &["host_aliases", "comment", "ip"],
    },
    Example {
        format: "fstab",
        type_name: "mount",
        path: "/etc/fstab",
        head: "",
        entries: ["/dev/a /na ext4 ro 0 0\n", "/dev/b /nb ext4 ro 0 0\n", "/dev/c  /nc  ext4 ro\n"],
        comment: "  # c\n",
        title: "/nb",
        fixed: "fstype => 'ext4'",
        change: "device => '/dev/z'",
        attributes: &["device", "fstype", "options", "pass", "dump"],
    },
    Example {
        format: "aliases",
        type_name: "mailalias",
        path: "/etc/aliases",
        head: "",
        entries: ["na: one,\n  two\n", "nb: one@x,\n\ttwo@x\n", "nc: \"|/bin/x y\"\n  , z\n"],
        comment: "# c\n",
        title: "nb",
        fixed: "",
        change: "recipient => ['three']",
        attributes: &["recipient", "file"],
    },
    Example {
        format: "crontab",
        type_name: "cron",
        path: "/var/spool/cron/crontabs/bob",
        head: "MAILTO=x\n",
        entries: ["# Puppet Name: na\n@daily a\n", "# Puppet Name: nb\nA=1\n@daily b\n", "# Puppet Name: nc\n0 1 * * * c  d\n"],
        comment: "# c\n",
        title: "nb",
        fixed: "user => 'bob'",
        change: "command => 'z'",
        attributes: &["command", "environment"],
    },
    Example {
        format: "known_hosts",
        type_name: "sshkey",
        path: "/etc/ssh/ssh_known_hosts",
        head: "",
        entries: ["na ssh-rsa AAAA\n", "nb ssh-ed25519 AAAB\n", "nc,nd ssh-rsa AAAC c\n"],
        comment: "|1|abc= ssh-rsa AAAA\n",
        title: "nb",
        fixed: "type => 'ssh-ed25519'",
        change: "key => 'AAAZ'",
        attributes: &["key", "host_aliases"],
    },
    Example {
        format: "sysctl.conf",
        type_name: "sysctl",
        path: "/etc/sysctl.conf",
        head: "",
        entries: ["na.a = 1\n", "nb.b=2\n", "-nc/c = 3\n"],
        comment: "; c\n",
        title: "nb.b",
        fixed: "",
        change: "val => '9'",
        attributes: &["val"],
    },
    Example {
        format: "INI",
        type_name: "ini_setting",
        path: "/etc/app.ini",
        head: "[s]\n",
        entries: ["na = 1\n", "nb = 2\n", "  nc=3\n"],
        comment: "; c\n",
        title: "nb",
        fixed: "path => '/etc/app.ini', section => 's', setting => 'nb'",
        change: "value => '9'",
        attributes: &["value"],
    },
    Example {
        format: "INI",
        type_name: "ini_subsetting",
        path: "/etc/app.ini",
        head: "[s]\n",
        entries: ["na = x\n", "nb = p1\n", "nc = y\n"],
        comment: "# c\n",
        title: "nb",
        fixed: "path => '/etc/app.ini', section => 's', setting => 'nb', subsetting => 'p', delete_if_empty => true",
        change: "value => '9'",
        attributes: &["value"],
    },
    Example {
        format: "lines",
        type_name: "file_line",
        path: "/etc/motd",
        head: "",
        entries: ["na\n", "nb\n", "nc\n"],
        comment: "# c\n",
        title: "nb",
        fixed: "path => '/etc/motd', match => '^nb', match_for_absence => true",
        change: "line => 'nb new'",
        attributes: &["line"],
    },
    Example {
        format: "authorized_keys",
        type_name: "ssh_authorized_key",
        path: "/etc/keys",
        head: "",
        entries: ["ssh-rsa AAAA na\n", "no-pty ssh-rsa AAAB nb\n", "from=\"x y\"  ssh-rsa AAAC nc\n"],
        comment: " # c\n",
        title: "nb",
        fixed: "user => 'me', target => '/etc/keys', type => 'ssh-rsa'",
        change: "key => 'AAAZ'",
        attributes: &["options", "key"],
    },
    Example {
        format: "modules-load.d",
        type_name: "kmod",
        path: "/etc/modules-load.d/x.conf",
        head: "",
        entries: ["na\n", "nb\n", "nc\n"],
        comment: " ; c\n",
        title: "nb",
        fixed: "",
        change: "load => false",
        attributes: &[],
    },
    Example {
        format: "modprobe.d",
        type_name: "kmod",
        path: "/etc/modprobe.d/nb.conf",
        head: "",
        entries: ["options na a=1 \\\n  b=2\n", "options nb a=1 \\\n  b=2\n", "blacklist nc\n"],
        comment: "# c\n",
        title: "nb",
        fixed: "",
        change: "options => { 'a' => '9' }",
        attributes: &["options", "install", "aliases"],
    },
];

/// Returns the users of the machine; `me` has the rights of the tests.
fn accounts() -> String {
    let (uid, gid) = (nix::unistd::Uid::effective(), nix::unistd::Gid::effective());
    format!(
        "root:x:0:0::/root:/bin/sh\nbob:x:1000:1000::/home/bob:/bin/sh\neve:x:1001:1001::/home/eve:/bin/sh\nme:x:{uid}:{gid}::/home/me:/bin/sh\n"
    )
}

/// A line of a shell script that refuses the crontab `$3` if cron would refuse it. Each line is empty, a comment, a setting or a job.
const CRONTAB_CHECK: &str = concat!(
    "grep -vE '^[[:space:]]*($|#|[A-Za-z_]+[A-Za-z0-9_]*[[:space:]]*=|@[a-z]+[[:space:]]+[^[:space:]]",
    "|([0-9*][^[:space:]]*[[:space:]]+){3}([0-9*a-zA-Z][^[:space:]]*[[:space:]]+){2}[^[:space:]])' \"$3\" >&2 && exit 1"
);

impl Example {
    pub fn lab(&self, text: &str) -> Lab {
        let copy = format!(
            "[ \"$1\" = -u ] && grep -q \"^$2:\" ROOT/etc/passwd || exit 3\n{CRONTAB_CHECK}\ncat \"$3\" > ROOT/var/spool/cron/crontabs/$2"
        );
        Lab::new(&[])
            .with("/etc/passwd", &accounts())
            .with("/proc/self/mountinfo", "")
            .with("/proc/sys/kernel/ostype", "Linux\n")
            .program("crontab", &copy)
            .program("mount", ":")
            .program("umount", ":")
            .program("modprobe", ":")
            .with(self.path, text)
    }

    pub fn declared(&self, more: &str) -> String {
        let given: Vec<&str> = [self.fixed, more].into_iter().filter(|text| !text.is_empty()).collect();
        format!("{} {{ '{}': {} }}", self.type_name, self.title, given.join(", "))
    }
}

/// Returns the contents before and after the second entry, with and without empty lines and comments between them.
fn contexts(example: &Example) -> Vec<(String, String)> {
    let Example { head, entries: [first, _, last], comment, .. } = example;
    let between = ["".to_owned(), "\n".to_owned(), (*comment).to_owned(), format!("\n{comment}\n")];
    let mut all: Vec<(String, String)> =
        between.iter().map(|between| (format!("{head}{first}{between}"), format!("{between}{last}"))).collect();
    // A file without a final newline.
    all.push((format!("{head}{first}"), last.trim_end().to_owned()));
    all
}

#[test]
fn other_lines_keep_their_bytes() {
    for example in EXAMPLES {
        for (before, after) in contexts(example) {
            for line_end in ["\n", "\r\n"] {
                // A carriage return is part of these lines; see `text_bytes`. cron ignores a crontab without a final newline.
                let is_end = line_end == "\n" || !["crontab", "modprobe.d"].contains(&example.format);
                if !is_end || example.format == "crontab" && !after.ends_with('\n') {
                    continue;
                }
                let with = |text: &str| text.replace('\n', line_end);
                let (before, after) = (with(&before), with(&after));
                let text = format!("{before}{}{after}", with(example.entries[1]));
                let mut lab = example.lab(&text);
                let events = lab.apply(&example.declared(example.change));
                let changed = lab.read(example.path);
                let whole = format!("{}: {events:?}\n{text:?}\n{changed:?}", example.type_name);
                assert!(changed != text && changed.starts_with(&before) && changed.ends_with(&after), "{whole}");

                let mut lab = example.lab(&text);
                let gone = if example.type_name == "file_line" { "ensure => absent, line => 'nb'" } else { "ensure => absent" };
                let events = lab.apply(&example.declared(gone));
                let removed = lab.read(example.path);
                let expected = format!("{before}{after}");
                assert_eq!(removed, expected, "{}: {events:?}\n{text:?}", example.format);
            }
        }
    }
}

/// Strings with a special meaning in at least one format.
const SPECIAL: &[&str] = &[
    "",
    " ",
    " a",
    "a ",
    "a b",
    "a\tb",
    "#a",
    "a#b",
    "a # b",
    ";a",
    "a;b",
    "a=b",
    "=",
    "a:b",
    ":",
    "a,b",
    ",",
    "a\"b",
    "\"a\"",
    "\"",
    "'a'",
    "a\\b",
    "a\\",
    "\\a",
    "a\\040b",
    "[a]",
    "a]",
    "%",
    "a%b",
    "|a",
    "@a",
    "a@b",
    "-a",
    "/a",
    ":include:/x",
    "é",
    "a\nb",
    "a\n[evil]",
    "a\r",
    "absent",
    "*",
    "!a",
    "$a",
    "(a)",
    "<a>",
];

#[test]
fn values_are_read_as_they_are_written_or_refused() {
    for example in EXAMPLES {
        let (before, after) = contexts(example).remove(0);
        let text = format!("{before}{}{after}", example.entries[1]);
        for attribute in example.attributes {
            for special in SPECIAL {
                let quoted = format!(
                    "\"{}\"",
                    special.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r").replace('$', "\\$")
                );
                let value = match *attribute {
                    "host_aliases" | "recipient" | "environment" | "aliases" => format!("[{quoted}]"),
                    "options" if example.type_name == "kmod" => format!("{{ 'a' => {quoted} }}"),
                    _ => quoted,
                };
                let manifest = match *attribute {
                    "fstype" => format!("mount {{ '/nb': fstype => {value} }}"),
                    _ => example.declared(&format!("{attribute} => {value}")),
                };
                let manifest =
                    if *attribute == "line" { manifest.replace(", match => '^nb', match_for_absence => true", "") } else { manifest };
                let mut lab = example.lab(&text);
                let Ok((events, counts)) = lab.try_run(&manifest) else {
                    assert_eq!(lab.read(example.path), text, "{manifest}");
                    continue;
                };
                let written = lab.read(example.path);
                if counts.has_failed() {
                    assert_eq!(written, text, "{manifest}: {events:?}");
                    continue;
                }
                assert!(written.starts_with(&before) && written.contains(&after), "{manifest}: {written:?}");
                let (again, counts) = lab.try_run(&manifest).unwrap();
                assert!(counts.is_quiet(), "{manifest}: {again:?}\n{written:?}");
            }
        }
    }
}

#[test]
fn effective_duplicate_is_changed_and_all_duplicates_are_removed() {
    let file = |path: &str, text: &str, manifest: &str| {
        let mut lab =
            Example { path: "/etc/other", ..EXAMPLES[0] }.lab("").with("/etc/hosts", "").with("/etc/sysctl.conf", "").with(path, text);
        lab.apply(manifest);
        lab.read(path)
    };
    let sysctl = "/etc/sysctl.conf";
    assert_eq!(file(sysctl, "a.b=1\na/b = 2\n", "sysctl { 'a.b': val => '1' }"), "a.b=1\na/b = 1\n");
    assert_eq!(file(sysctl, "a.b=1\n# c\n-a.b=2\n", "sysctl { 'a/b': ensure => absent }"), "# c\n");
    let aliases = "/etc/aliases";
    assert_eq!(file(aliases, "A: x\na: y\n", "mailalias { 'a': recipient => 'z' }"), "A: z\na: y\n");
    let hosts = "/etc/hosts";
    assert_eq!(file(hosts, "10.0.0.1 A\n10.0.0.2 a\n", "host { 'a': ip => '10.0.0.3' }"), "10.0.0.3\ta\n10.0.0.2 a\n");
    let tab = "/var/spool/cron/crontabs/bob";
    let twice = "# Puppet Name: a\n@daily x\n# Puppet Name: a\n@daily y\n";
    assert_eq!(file(tab, twice, "cron { 'a': user => 'bob', command => 'z' }"), "# Puppet Name: a\n@daily x\n# Puppet Name: a\n@daily z\n");
    assert_eq!(file(tab, twice, "cron { 'a': user => 'bob', ensure => absent }"), "\n");
    assert_eq!(file(tab, twice, "resources { 'cron': purge => true }"), "\n");
    let purged = "cron { 'a': user => 'bob', command => 'y', special => 'daily' }\nresources { 'cron': purge => true }";
    assert_eq!(file(tab, twice, purged), "# Puppet Name: a\n@daily y\n");
}

#[test]
fn of_several_entries_with_a_name_the_documented_one_is_changed() {
    let keys = "ssh_authorized_key { 'a': user => 'me', target => '/etc/keys', type => 'ssh-rsa'";
    // The file, the content, a resource without the closing brace, a change, and the numbers of the changed lines.
    let rows: [(&str, &str, &str, &str, &[usize]); 5] = [
        ("/etc/fstab", "/dev/a /m ext4 ro 0 0\n/dev/b /m ext4 ro 0 0\n", "mount { '/m': fstype => 'ext4'", "device => '/dev/z'", &[0]),
        ("/etc/ssh/ssh_known_hosts", "a ssh-rsa AAAA\na ssh-rsa AAAB\n", "sshkey { 'a': type => 'ssh-rsa'", "key => 'AAAZ'", &[0]),
        ("/etc/keys", "ssh-rsa AAAA a\nssh-rsa AAAB a\n", keys, "key => 'AAAZ'", &[0]),
        (
            "/etc/app.ini",
            "[s]\na = 1\nb = 1\na = 2\n",
            "ini_setting { 'a': path => '/etc/app.ini', section => 's', setting => 'a'",
            "value => '9'",
            &[1, 3],
        ),
        (
            "/etc/app.ini",
            "[s]\na = 1\n[s]\na = 2\n",
            "ini_setting { 'a': path => '/etc/app.ini', section => 's', setting => 'a'",
            "value => '9'",
            &[1, 3],
        ),
    ];
    for (path, text, resource, change, expected) in rows {
        let lab = || Example { path: "/etc/other", ..EXAMPLES[0] }.lab("").with(path, text);
        let mut changed = lab();
        let events = changed.apply(&format!("{resource}, {change} }}"));
        let after = changed.read(path);
        let differs = |(_, (old, new)): &(usize, (&str, &str))| old != new;
        let lines: Vec<usize> = text.lines().zip(after.lines()).enumerate().filter(differs).map(|(line, _)| line).collect();
        assert_eq!(lines, expected, "{path}: {after}{events:?}");
        let mut gone = lab();
        let events = gone.apply(&format!("{resource}, ensure => absent }}"));
        let left = gone.read(path);
        assert!(!left.lines().any(|line| line.split([' ', '\t']).any(|word| word == "a" || word == "/m")), "{path}: {left}{events:?}");
    }
}

#[test]
fn crontabs_of_users_who_no_longer_exist_have_no_jobs() {
    let orphan = "/var/spool/cron/crontabs/ghost";
    let text = "@daily x\n# Puppet Name: named\n@daily x\n";
    let mut lab = EXAMPLES[3].lab("").with(orphan, text);
    assert_eq!(lab.apply("resources { 'cron': purge => true }"), Vec::<String>::new());
    let rows = [
        ("'z': user => 'ghost', ensure => absent", None),
        ("'other': user => 'never', ensure => absent", None),
        ("'z': user => 'ghost', command => 'x', special => 'daily'", Some("] failed")),
        ("'z': user => 'never', command => 'x', special => 'daily'", Some("] failed")),
        ("'named': user => 'ghost', command => 'x', special => 'daily'", Some("] failed")),
        ("'named': user => 'ghost', ensure => absent", Some("the user ghost does not exist")),
    ];
    for (given, expected) in rows {
        let (events, counts) = lab.try_run(&format!("cron {{ {given} }}")).unwrap();
        assert!(counts.has_failed() == expected.is_some(), "{given}: {events:?}");
        assert!(expected.is_none_or(|expected| events.concat().contains(expected)), "{given}: {events:?}");
    }
    assert_eq!(lab.read(orphan), text);
}

/// A job of a user who does not exist fails, and `--noop` predicts the failure.
#[test]
fn noop_predicts_that_jobs_of_missing_users_fail() {
    let rows = [
        ("'z': user => 'ghost', ensure => absent", false),
        ("'z': user => 'ghost', command => 'x', special => 'daily'", true),
        ("'z': user => 'never', command => 'x', special => 'daily'", true),
        ("'named': user => 'ghost', command => 'y', special => 'daily'", true),
        ("'named': user => 'ghost', ensure => absent", true),
        ("'named': user => 'bob', command => 'x', special => 'daily'", false),
    ];
    for (given, fails) in rows {
        for noop in [true, false] {
            let root = tempfile::tempdir().unwrap();
            write(&root.path().join("etc/passwd"), &accounts());
            write(&root.path().join("proc/sys/kernel/ostype"), "Linux\n");
            write(&root.path().join("var/spool/cron/crontabs/ghost"), "@daily x\n# Puppet Name: named\n@daily x\n");
            let copy = format!("cat \"$3\" > {}/var/spool/cron/crontabs/$2", root.path().display());
            write_program(
                &root.path().join("usr/bin/crontab"),
                &format!("#!/bin/sh\nPATH=/usr/bin:/bin\ngrep -q \"^$2:\" {}/etc/passwd || exit 3\n{copy}\n", root.path().display()),
            );
            let run = outputs(root.path(), &TypeSet::default(), &format!("cron {{ {given} }}"), noop);
            assert!(run.errors.is_empty(), "{given}: {:?}", run.errors);
            assert_eq!(run.counts.has_failed(), fails, "{given}, noop: {noop}: {:?}", run.texts);
        }
    }
}

#[test]
fn one_refused_job_does_not_keep_the_others_from_being_written() {
    let deny = "[ \"$1\" = -u ] || exit 3\n! grep -q refused \"$3\" && cat \"$3\" > ROOT/var/spool/cron/crontabs/$2";
    let mut lab = EXAMPLES[3].lab("").program("crontab", deny);
    let job = |name: &str| format!("cron {{ '{name}': user => 'bob', command => '{name}', special => 'daily' }}\n");
    let (events, _) = lab.try_run(&["one", "refused", "two"].map(job).concat()).unwrap();
    assert_eq!(lab.read(EXAMPLES[3].path).matches("Puppet Name").count(), 2, "{events:?}");
    assert!(events.iter().any(|event| event.starts_with("Cron[refused] failed")), "{events:?}");
}
