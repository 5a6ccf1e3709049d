//! The programs that a run starts: which terminal, session, descriptors and rights they have.

use crate::common::site::Site;
use nix::pty::openpty;
use std::process::{Command, Stdio};

/// A script that records its status, its descriptors and whether it can open a terminal, in files called like its first argument.
const PROBE: &str = "#!/bin/sh\nto=@/seen/$1\nread -r pid rest < /proc/self/stat\ncat /proc/$pid/stat > $to.stat\nls /proc/$$/fd > $to.fds\n\
                     grep NoNewPrivs /proc/self/status > $to.rights\nif (: < /dev/tty) 2> /dev/null; then touch $to.tty; fi\nexit ${2:-0}\n";

/// Starts a program for each attribute that contains a command, and for a provider program.
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

/// Runs `rtype apply` at a terminal, with an open descriptor inherited from the shell.
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
            // After the name of the program: state, parent, process group, session, terminal.
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
