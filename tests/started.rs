//! The terminal, session, descriptors and rights of the programs that a run starts.

use crate::common::site::Site;
use nix::pty::openpty;
use std::process::{Command, Stdio};

/// A script that records its status, its descriptors, and whether it can open a terminal, in files named after the first argument.
const PROBE: &str = "#!/bin/sh\nto=@/seen/$1\nread -r pid rest < /proc/self/stat\ncat /proc/$pid/stat > $to.stat\nls /proc/$$/fd > $to.fds\n\
                     grep NoNewPrivs /proc/self/status > $to.rights\nif (: < /dev/tty) 2> /dev/null; then touch $to.tty; fi\nexit ${2:-0}\n";

/// Starts a program for each attribute with a command, and for a provider program.
const MANIFEST: &str = "exec { 'checked':\n  command => '/bin/sh @/probe command',\n  unless => '/bin/sh @/probe unless 1',\n  \
                        onlyif => '/bin/sh @/probe onlyif',\n}\n~> exec { 'refreshed':\n  command => '/bin/true',\n  \
                        refresh => '/bin/sh @/probe refresh',\n  refreshonly => true,\n}\nfile { '@/validated':\n  content => 'x',\n  \
                        validate_cmd => '/bin/sh @/probe validate_cmd # %',\n}\ndoor { 'front': level => 1 }\n";

fn site() -> Site {
    let site = Site::new(MANIFEST);
    site.write("probe", PROBE);
    site.write("types/door.rtype", "type door {\n  desc \"d\"\n  newparam name { isnamevar; desc \"n\" }\n  newproperty level { desc \"l\" }\n}\nprovider own, for: door { program \"./own.sh\" }\n");
    site.write("types/own.sh", "#!/bin/sh\nexec /bin/sh @/probe provider 1\n");
    std::fs::create_dir(site.path().join("seen")).unwrap();
    let program: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(site.path().join("types/own.sh"), program).unwrap();
    site
}

/// Runs `rtype apply` at a terminal, with an open descriptor that the shell passes on.
fn apply_at_a_terminal(site: &Site, options: &str) -> String {
    let terminal = openpty(None, None).unwrap();
    let slave = || Stdio::from(terminal.slave.try_clone().unwrap());
    let line = format!(
        "exec 7< /etc/passwd; exec {} apply --types types --state-dir state {options} site.pp > out 2>&1",
        env!("CARGO_BIN_EXE_rtype")
    );
    let mut run = Command::new("setsid");
    run.args(["--ctty", "--wait", "sh", "-c", &line]).current_dir(site.path()).stdin(slave()).stdout(slave()).stderr(slave());
    run.status().unwrap();
    site.read("out")
}

#[test]
fn started_programs_have_a_session_of_their_own_and_no_terminal() {
    for (options, expected) in
        [("", vec!["command", "onlyif", "provider", "refresh", "unless", "validate_cmd"]), ("--noop", vec!["onlyif", "provider", "unless"])]
    {
        let site = site();
        let out = apply_at_a_terminal(&site, options);
        let entries = std::fs::read_dir(site.path().join("seen")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = entries.filter_map(|name| name.strip_suffix(".stat").map(str::to_owned)).collect();
        names.sort();
        assert_eq!(names, expected, "{out}");
        for name in names {
            let stat = site.read(&format!("seen/{name}.stat"));
            // The fields after the name of the program: state, parent, process group, session, terminal.
            let fields: Vec<i64> =
                stat.rsplit_once(") ").unwrap().1.split(' ').skip(1).take(4).map(|field| field.parse().unwrap()).collect();
            assert_eq!((fields[1] == fields[2], fields[3]), (true, 0), "{name}: {stat}");
            assert!(!site.path().join(format!("seen/{name}.tty")).exists(), "{name} has a terminal");
            let descriptors = site.read(&format!("seen/{name}.fds"));
            assert!(descriptors.lines().all(|number| number != "7"), "{name} has a descriptor of the caller: {descriptors}");
        }
    }
}

#[test]
fn only_commands_of_exec_can_gain_rights_as_another_user() {
    if !nix::unistd::Uid::effective().is_root() {
        eprintln!("skipped: needs root");
        return;
    }
    let probe = "grep NoNewPrivs /proc/self/status > seen";
    let site = Site::new(&format!(
        "file {{ '@/open': ensure => directory, mode => '0777' }}\n-> exec {{ '/bin/sh -c \"{probe}\"': user => daemon, cwd => '@/open' }}\n\
         -> archive {{ '@/a.tar':\n  source => '@/a.tar',\n  extract => true,\n  extract_path => '@/open',\n  creates => '@/open/unpacked',\n  \
         extract_command => '{probe}.archive # %s',\n  user => daemon,\n}}\n"
    ));
    site.write("a.tar", "");
    let all: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(site.path(), all).unwrap();
    let (text, _) = site.apply(&["site.pp"]);
    let seen = |name: &str| std::fs::read_to_string(site.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}: {text}"));
    assert_eq!((seen("open/seen").as_str(), seen("open/seen.archive").as_str()), ("NoNewPrivs:\t0\n", "NoNewPrivs:\t1\n"));
}

/// The environment of the caller.
const CALLER: [(&str, &str); 10] = [
    ("DEBIAN_FRONTEND", "readline"),
    ("HOME", "/home/caller"),
    ("LANG", "fr_FR.UTF-8"),
    ("LC_TIME", "C"),
    ("LD_LIBRARY_PATH", "/nowhere"),
    ("OWN", "value"),
    ("SSL_CERT_FILE", "/etc/authorities"),
    ("TZ", "Asia/Tokyo"),
    ("USER", "caller"),
    ("http_proxy", "http://proxy:1/"),
];

/// The variables of all programs, except `PATH`.
const ALL: &str = "APT_LISTBUGS_FRONTEND=none APT_LISTCHANGES_FRONTEND=none DEBIAN_FRONTEND=noninteractive SSL_CERT_FILE=/etc/authorities \
                   TZ=Asia/Tokyo http_proxy=http://proxy:1/";

/// The kinds of programs, and their variables in addition to [`ALL`]. The table in `docs/apply.md` describes the variables. `package::jobs`
/// tests programs of packages.
const ENVIRONMENTS: [(&str, &str); 8] = [
    ("exec", "LANG=fr_FR.UTF-8 LC_TIME=C OWN=value"),
    ("onlyif", "LANG=fr_FR.UTF-8 LC_TIME=C OWN=value"),
    ("user", "LANG=fr_FR.UTF-8 LC_TIME=C"),
    ("given", "A=b LANG=de_DE.UTF-8 LC_TIME=C OWN=value"),
    ("service", "LANG=fr_FR.UTF-8 LC_TIME=C"),
    ("validate_cmd", "LC_ALL=C.UTF-8"),
    ("provider", "HOME=/home/caller LANG=C.UTF-8 LC_ALL=C.UTF-8 RTYPE_LOG=info RTYPE_PROTOCOL=1 RTYPE_PROVIDER=…"),
    ("ruby", "HOME=/home/caller LANG=C.UTF-8 LC_ALL=C.UTF-8 RTYPE_LOG=info RTYPE_PROTOCOL=1 RTYPE_PROVIDER=…"),
];

/// Starts a program of each kind.
const KINDS: &str = "exec { '/bin/sh @/probe exec': onlyif => '/bin/sh @/probe onlyif' }\n\
                     exec { '/bin/sh @/probe given': environment => ['A=b', 'LANG=de_DE.UTF-8'] }\n\
                     exec { '/bin/sh @/probe user': user => daemon }\n\
                     service { 'probe': provider => base, status => '/bin/false', start => '/bin/sh @/probe service', ensure => running }\n\
                     file { '@/validated': content => 'x', validate_cmd => '/bin/sh @/probe validate_cmd # %' }\n\
                     door { 'front': level => 1 }\n";

const RUBY_TYPE: &str = "Puppet::Type.newtype(:window) do\n  newparam(:name, namevar: true)\n  newproperty(:level)\nend\n";
const RUBY_PROVIDER: &str = "Puppet::Type.type(:window).provide(:own) do\n  def level\n    \
                             File.write('@/seen/ruby', ENV.map { |name, value| \"#{name}=#{value}\\n\" }.join)\n    '1'\n  end\nend\n";

#[test]
fn environment_depends_on_kind_of_program() {
    let is_root = nix::unistd::Uid::effective().is_root();
    let has_puppet = Command::new("ruby").args(["-e", "require 'puppet'"]).output().is_ok_and(|output| output.status.success());
    let has = |kind: &str| match kind {
        "user" => is_root,
        "ruby" => has_puppet,
        _ => true,
    };
    let manifest: String = KINDS.lines().filter(|line| is_root || !line.contains("daemon")).map(|line| format!("{line}\n")).collect();
    let site = Site::new(&(manifest + if has_puppet { "window { 'back': level => '1' }\n" } else { "" }));
    site.write("probe", "#!/bin/sh\nexec env > @/seen/$1\n");
    site.write(
        "types/door.rtype",
        "type door {\n  newparam name { isnamevar }\n  newproperty level\n}\nprovider own, for: door { program \"./own.sh\" }\n",
    );
    site.write("types/own.sh", "#!/bin/sh\nexec /bin/sh @/probe provider\n");
    site.write("modules/m/lib/puppet/type/window.rb", RUBY_TYPE);
    site.write("modules/m/lib/puppet/provider/window/own.rb", RUBY_PROVIDER);
    site.write("seen/ruby", "");
    for (path, mode) in [("types/own.sh", 0o755), ("", 0o755), ("seen", 0o777)] {
        let mode: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(site.path().join(path), mode).unwrap();
    }
    let mut run = site.command(&["--types", "types", "site.pp"]);
    if has_puppet {
        run.args(["--ruby-providers", "--modulepath", "modules"]);
    }
    let run = run.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").envs(CALLER).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap();
    for (kind, variables) in ENVIRONMENTS.into_iter().filter(|(kind, _)| has(kind)) {
        let seen = std::fs::read_to_string(site.path().join("seen").join(kind)).unwrap_or_else(|e| panic!("{kind}: {e}: {text}"));
        // Shells set `PWD`, and Ruby sets a default.
        let seen = seen.lines().filter(|line| !line.starts_with("PATH=") && !line.starts_with("PWD="));
        let seen = seen.map(|line| line.split_once("RTYPE_PROVIDER=").map_or(line, |_| "RTYPE_PROVIDER=…"));
        let mut seen: Vec<&str> = seen.collect();
        seen.sort_unstable();
        let mut expected: Vec<&str> = ALL.split(' ').chain(variables.split(' ')).collect();
        expected.sort_unstable();
        assert_eq!(seen, expected, "{kind}");
    }
}

#[test]
fn credentials_of_the_caller_are_redacted() {
    let site = Site::new("exec { '/bin/sh -c \"echo $API_TOKEN $OWN\"': logoutput => true }\n");
    let run = site.command(&["site.pp"]).env("API_TOKEN", "opensesame").env("OWN", "value").output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap();
    assert!(text.contains("[redacted] value") && !text.contains("opensesame"), "{text}");
}
