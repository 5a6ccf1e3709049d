//! The programs that a run starts, and the protection of path arguments from other users. A program that resolves a path follows symbolic
//! links, including links of other users.

use super::house::sources;
use regex::Regex;
use std::collections::BTreeSet;

/// The protection of paths in the arguments and the environment of a program.
#[derive(Clone, Copy)]
enum Paths {
    /// No argument is a path.
    None,
    /// The declaration names the command with the arguments, and the author trusts the paths.
    Declared,
    /// The path of an open file or directory, or the program runs in an open directory.
    Held,
    /// Checked before and after the program runs (`Command::own_path`).
    Own,
    /// A file in a private directory of this process.
    Scratch,
    /// Only root and this user control the path (`trust`, `System::check_file`).
    Trusted,
}

impl Paths {
    /// Returns strings that prove the protection of the path. The source file must contain at least one string.
    fn marks(self) -> &'static [&'static str] {
        match self {
            Paths::None | Paths::Declared => &[],
            Paths::Held => &[".inside(", "Held", "hold()"],
            Paths::Own => &["own_path"],
            Paths::Scratch => &["Scratch", "temporary_file", "OwnCopy", "tempfile"],
            Paths::Trusted => &["trust::check", "check_source", "check_file", "check_trusted"],
        }
    }
}

/// The source file, the program as named in the source, and the paths.
const PROGRAMS: &[(&str, &str, &[Paths])] = &[
    ("crates/agent/src/certificates/request.rs", "\"openssl\"", &[Paths::None]),
    ("crates/agent/src/facts.rs", "\"facter\"", &[Paths::Trusted]),
    ("crates/agent/src/facts.rs", "\"uname\"", &[Paths::None]),
    // An external fact. The directory of the fact is checked.
    ("crates/agent/src/facts.rs", "path", &[Paths::Trusted]),
    // `rtype provider test`: the caller names the program.
    ("crates/engine/src/conform.rs", "&path", &[Paths::Declared]),
    ("crates/provider/src/declared/command_lines.rs", "program", &[Paths::Declared]),
    ("crates/provider/src/external/conversation.rs", "&self.path", &[Paths::Trusted]),
    ("crates/provider/src/native/alternatives/database.rs", "\"update-alternatives\"", &[Paths::Own]),
    ("crates/provider/src/native/archive/curl.rs", "\"curl\"", &[Paths::Scratch]),
    ("crates/provider/src/native/archive/file.rs", "\"aws\"", &[Paths::Scratch]),
    ("crates/provider/src/native/archive/unpack.rs", "\"sh\"", &[Paths::Declared]),
    // The archive is a copy, or `archive/file.rs` has checked it. The archive is unpacked in an open directory.
    ("crates/provider/src/native/archive/unpack.rs", "program", &[Paths::Held]),
    ("crates/provider/src/native/archive/wget.rs", "\"wget\"", &[Paths::Scratch]),
    ("crates/provider/src/native/cron/crontab.rs", "\"crontab\"", &[Paths::None]),
    ("crates/provider/src/native/cron/edit.rs", "\"crontab\"", &[Paths::Scratch]),
    ("crates/provider/src/native/exec/posix.rs", "\"/bin/sh\"", &[Paths::Declared, Paths::Held]),
    ("crates/provider/src/native/exec/posix.rs", "&program", &[Paths::Declared, Paths::Held]),
    // `validate_cmd`: `%` is a draft in a directory that only root controls.
    ("crates/provider/src/native/file/change.rs", "\"/bin/sh\"", &[Paths::Declared]),
    ("crates/provider/src/native/group/groupadd.rs", "program", &[Paths::None]),
    ("crates/provider/src/native/mount/programs.rs", "\"mount\"", &[Paths::Own, Paths::Held]),
    ("crates/provider/src/native/mount/programs.rs", "\"umount\"", &[Paths::Own, Paths::Held]),
    ("crates/provider/src/native/mount/programs.rs", "program", &[Paths::Own, Paths::Held]),
    ("crates/provider/src/native/package/apt.rs", "\"apt-mark\"", &[Paths::None]),
    ("crates/provider/src/native/package/apt.rs", "\"debconf-set-selections\"", &[Paths::None]),
    ("crates/provider/src/native/package/dpkg.rs", "\"dpkg\"", &[Paths::Trusted]),
    ("crates/provider/src/native/package/dpkg.rs", "\"dpkg-deb\"", &[Paths::Trusted]),
    ("crates/provider/src/native/package/jobs.rs", "\"apt-cache\"", &[Paths::None]),
    ("crates/provider/src/native/package/jobs.rs", "\"apt-get\"", &[Paths::Trusted]),
    ("crates/provider/src/native/package/policy.rs", "\"apt-cache\"", &[Paths::None]),
    ("crates/provider/src/native/posix_acl/posixacl.rs", "GETFACL", &[Paths::Held]),
    ("crates/provider/src/native/posix_acl/posixacl.rs", "SETFACL", &[Paths::Held]),
    ("crates/provider/src/native/service/given.rs", "\"sh\"", &[Paths::Declared]),
    ("crates/provider/src/native/service/given.rs", "&words.next", &[Paths::Declared]),
    ("crates/provider/src/native/service/scripts.rs", "\"/usr/sbin/invoke-rc.d\"", &[Paths::None]),
    ("crates/provider/src/native/service/scripts.rs", "\"/usr/sbin/service\"", &[Paths::None]),
    ("crates/provider/src/native/service/scripts.rs", "\"/usr/sbin/update-rc.d\"", &[Paths::None]),
    ("crates/provider/src/native/service/scripts.rs", "&self.script", &[Paths::Declared]),
    ("crates/provider/src/native/service/systemd.rs", "\"systemctl\"", &[Paths::None]),
    ("crates/provider/src/native/service/units.rs", "\"journalctl\"", &[Paths::None]),
    ("crates/provider/src/native/service/units.rs", "\"systemctl\"", &[Paths::None]),
    // The home directory of `luseradd` and `luserdel`.
    ("crates/provider/src/native/user/libuser.rs", "tool", &[Paths::Own, Paths::Scratch]),
    ("crates/provider/src/native/user/tools.rs", "\"chage\"", &[Paths::None]),
    ("crates/provider/src/native/user/tools.rs", "\"chpasswd\"", &[Paths::None]),
    ("crates/provider/src/native/user/tools.rs", "\"useradd\"", &[Paths::Own]),
    ("crates/provider/src/native/user/tools.rs", "\"userdel\"", &[Paths::Own]),
    // The home directory is a field in the account file. The directory is not moved.
    ("crates/provider/src/native/user/tools.rs", "\"usermod\"", &[Paths::None]),
    ("crates/provider/src/native/user/tools.rs", "name", &[Paths::Own]),
    ("crates/provider/src/native/vcsrepo/repository.rs", "\"git\"", &[Paths::Held]),
    // Starts the program passed to `System::command`. The callers have rows.
    ("crates/provider/src/system/command.rs", "words.next", &[Paths::Declared]),
    ("crates/provider/src/system/name_service.rs", "\"getent\"", &[Paths::None]),
    // Starts the program passed to `System::talk`. The callers have rows.
    ("crates/provider/src/system/talk.rs", "program", &[Paths::Declared]),
    // `--since`: the caller names the repository and trusts its configuration.
    ("src/app/input/revision.rs", "\"git\"", &[Paths::Declared]),
    ("src/cli/agent.rs", "\"/bin/sh\"", &[Paths::Declared]),
    ("src/cli/agent.rs", "\"postrun_command\"", &[Paths::Declared]),
    ("src/cli/agent.rs", "\"prerun_command\"", &[Paths::Declared]),
];

/// Returns the programs in a source file.
fn started(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let start =
        r#"\bsystem(?:\(\))?\s*\.\s*(?:command|talk)\(\s*("[^"]+"|&?\w+(?:\.\w+)*)|\bsystem\s*\.\s*run\(\s*("[^"]+"|&?\w+(?:\.\w+)*)"#;
    let own = r#"\bself\.(?:command|tool|run)\(\s*("[^"]+")|\btool\((?:self\.)?system, (\w+)"#;
    let direct = r#"\bprocess::program\(\s*("[^"]+"|&?\w+(?:\.\w+)*)"#;
    let pattern = Regex::new(&format!("{start}|{own}|{direct}")).unwrap();
    pattern.captures_iter(code).filter_map(|found| found.iter().skip(1).flatten().next().map(|name| name.as_str().to_owned())).collect()
}

#[test]
fn each_started_program_has_a_row_about_its_paths() {
    let of_runs = ["crates/provider/", "crates/engine/", "crates/agent/", "src/cli/", "src/app/"];
    let sources: Vec<(String, String)> =
        sources().into_iter().filter(|(path, _)| of_runs.iter().any(|start| path.starts_with(start))).collect();
    let mut found: BTreeSet<(&str, String)> = BTreeSet::new();
    for (path, text) in &sources {
        found.extend(started(text).into_iter().map(|program| (path.as_str(), program)));
    }
    let listed: BTreeSet<(&str, String)> = PROGRAMS.iter().map(|(path, program, _)| (*path, (*program).to_owned())).collect();
    let (missing, gone): (Vec<_>, Vec<_>) = (found.difference(&listed).collect(), listed.difference(&found).collect());
    assert!(missing.is_empty(), "say in `PROGRAMS` which arguments of these programs are paths, and how they are checked: {missing:?}");
    assert!(gone.is_empty(), "remove these rows of `PROGRAMS`: {gone:?}");
    for (path, program, paths) in PROGRAMS {
        let text = &sources.iter().find(|(source, _)| source == path).unwrap().1;
        for marks in paths.iter().map(|paths| paths.marks()).filter(|marks| !marks.is_empty()) {
            assert!(marks.iter().any(|mark| text.contains(mark)), "{path}: {program}: none of {marks:?} is used");
        }
    }
}

#[test]
fn started_programs_are_found_in_sources() {
    let text = "self.system.command(\"a\").arg(x)\nsystem\n    .command(\"b\")\nsystem.run(&self.path()?, &[])\nprocess::program(\"d\")\nself.tool(\"c\", \"--x\")\n\
                tool(system, program)\nself.run(command)\n#[cfg(test)]\nsystem.command(\"none\")";
    assert_eq!(started(text), ["\"a\"", "\"b\"", "&self.path", "\"d\"", "\"c\"", "program"]);
}
