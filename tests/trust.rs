//! The owners of files that rtype uses, the programs that rtype runs, and the access of a repository.
//!
//! Tests with files of other users run only as root. Otherwise, they print that they are skipped.

use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A user that is not root.
const OTHER: u32 = 65534;

/// A type with a provider program that creates a file `ran`.
const TYPE: &str = "type evil {\n  newparam name\n  newproperty text\n}\nprovider script, for: evil { program \"./evil.sh\" }\n";

const PROGRAM: &str = "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n";

/// A directory with `site.pp`, and with a type and its program in `types`. In output, `@` replaces the directory.
struct Machine(TempDir);

impl Machine {
    fn new() -> Machine {
        let machine = Machine(tempfile::tempdir().unwrap());
        machine.write("site.pp", "evil { 'x': text => 'y' }\n");
        machine.write("types/evil.rtype", TYPE);
        machine.write("types/evil.sh", PROGRAM);
        machine.mode("types/evil.sh", 0o755);
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text.replace('@', self.0.path().canonicalize().unwrap().to_str().unwrap())).unwrap();
    }

    fn mode(&self, name: &str, mode: u32) {
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn owner(&self, name: &str, uid: u32) {
        lchown(self.path(name), Some(uid), None).unwrap();
    }

    fn link(&self, name: &str, target: impl AsRef<Path>) {
        symlink(target, self.path(name)).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn has_run(&self) -> bool {
        self.path("types/ran").exists()
    }

    /// Returns standard output and error, in a single line without the frames of diagnostics, and the exit status.
    fn run_in(&self, directory: &str, arguments: &[&str]) -> (String, i32) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.current_dir(self.path(directory)).args(arguments).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.path("state-home")).env_remove("GITHUB_ACTIONS");
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        let text = text.replace("\n  | ", " ").replace(self.0.path().canonicalize().unwrap().to_str().unwrap(), "@");
        (text, status.code().unwrap())
    }

    fn run(&self, arguments: &[&str]) -> (String, i32) {
        self.run_in("", arguments)
    }
}

/// Returns whether the test can give files to other users. Prints a note if not.
fn is_root() -> bool {
    let is_root = nix::unistd::Uid::effective().is_root();
    if !is_root {
        eprintln!("skipped: only root can give files away");
    }
    is_root
}

/// Runs each command that starts programs, and asserts that no program has started.
fn refused(machine: &Machine, options: &[&str], expected: &[&str]) {
    for command in [&["inspect", "site.pp"][..], &["apply", "--noop", "site.pp"], &["apply", "site.pp"], &["resource", "evil"]] {
        let arguments: Vec<&str> = options.iter().chain(command).copied().collect();
        let (text, status) = machine.run(&arguments);
        assert!(!machine.has_run(), "{arguments:?} ran the program: {text}");
        assert_ne!(status, 0, "{arguments:?}: {text}");
        for expected in expected {
            assert!(text.contains(expected), "{arguments:?}: `{expected}` is not in {text}");
        }
    }
}

#[test]
fn a_discovered_configuration_is_ignored_if_programs_run() {
    let machine = Machine::new();
    machine.write("rtype.toml", "types = [\"types\"]\n");
    for command in [&["inspect", "site.pp"][..], &["apply", "--noop", "site.pp"], &["resource", "evil"]] {
        let (text, status) = machine.run(command);
        assert!(!machine.has_run(), "{text}");
        assert_eq!(status, 1, "{text}");
        assert_eq!(text.matches("RT414").count(), 1, "{text}");
        assert!(text.contains("`rtype.toml`") && text.contains("`--config rtype.toml`"), "{text}");
    }
    let (text, _) = machine.run(&["--config", "rtype.toml", "inspect", "site.pp"]);
    assert!(machine.has_run() && !text.contains("RT414"), "{text}");
}

#[test]
fn types_and_programs_of_the_caller_are_used() {
    for options in [&["--types", "types"][..], &["--types", "./types/"]] {
        let machine = Machine::new();
        let arguments: Vec<&str> = options.iter().chain(&["inspect", "site.pp"]).copied().collect();
        let (text, _) = machine.run(&arguments);
        assert!(machine.has_run(), "{text}");
    }
    let machine = Machine::new();
    machine.run(&["provider", "test", "types/evil.sh"]);
    assert!(machine.has_run());
    // A link created by the caller is followed.
    let machine = Machine::new();
    machine.link("linked", "types");
    let (text, _) = machine.run(&["--types", "linked", "inspect", "site.pp"]);
    assert!(machine.has_run(), "{text}");
}

#[test]
fn types_of_other_users_are_rejected() {
    if !is_root() {
        return;
    }
    let types = &["--types", "types"];
    for (name, fix) in [("types", "chown root @/types"), ("types/evil.rtype", "chown root @/types/evil.rtype")] {
        let machine = Machine::new();
        machine.owner(name, OTHER);
        refused(&machine, types, &["RT413", "owned by `nobody`", "mode 0", fix]);
    }
    let machine = Machine::new();
    machine.owner("types/evil.sh", OTHER);
    let (text, _) = machine.run(&["--types", "types", "inspect", "site.pp"]);
    assert!(!machine.has_run() && text.contains("chown root @/types/evil.sh"), "{text}");
    let (text, _) = machine.run(&["provider", "test", "types/evil.sh"]);
    assert!(!machine.has_run() && text.contains("owned by `nobody`"), "{text}");
    // The interpreter of the script must be trusted, too.
    let machine = Machine::new();
    machine.write("shared/sh", "");
    std::fs::copy("/bin/sh", machine.path("shared/sh")).unwrap();
    machine.mode("shared/sh", 0o755);
    machine.write("types/evil.sh", &PROGRAM.replace("/bin/sh", "@/shared/sh"));
    machine.run(&["--types", "types", "inspect", "site.pp"]);
    assert!(machine.has_run());
    std::fs::remove_file(machine.path("types/ran")).unwrap();
    machine.owner("shared", OTHER);
    let (text, _) = machine.run(&["--types", "types", "inspect", "site.pp"]);
    let expected = "`./evil.sh`: its interpreter: cannot trust `@/shared/sh`: `@/shared` is owned by `nobody` (mode 0755), not by root";
    assert!(!machine.has_run() && text.contains(expected), "{text}");
    // The top directory.
    let machine = Machine::new();
    machine.owner("", OTHER);
    refused(&machine, types, &["RT413", "owned by `nobody`"]);
    // A link of another user in a world-writable directory.
    let machine = Machine::new();
    std::fs::create_dir(machine.path("shared")).unwrap();
    machine.mode("shared", 0o1777);
    machine.link("shared/types", machine.path("types"));
    machine.owner("shared/types", OTHER);
    refused(&machine, &["--types", "shared/types"], &["the link `@/shared/types` is owned by `nobody`", "chown -h root"]);
    machine.owner("shared/types", 0);
    machine.run(&["--types", "shared/types", "inspect", "site.pp"]);
    assert!(machine.has_run());
}

#[test]
fn types_that_others_can_write_are_rejected() {
    for (name, mode) in [("types", 0o777), ("types", 0o1777), ("types/evil.rtype", 0o666), ("", 0o777)] {
        let machine = Machine::new();
        machine.mode(name, mode);
        refused(&machine, &["--types", "types"], &["RT413", "is writable by everyone", "chmod go-w", &format!("mode {mode:04o}")]);
        machine.mode(name, 0o755);
    }
    let machine = Machine::new();
    machine.mode("types/evil.sh", 0o777);
    let (text, _) = machine.run(&["--types", "types", "inspect", "site.pp"]);
    assert!(!machine.has_run() && text.contains("chmod go-w @/types/evil.sh"), "{text}");
    if is_root() {
        let machine = Machine::new();
        machine.mode("types", 0o775);
        machine.run(&["--types", "types", "inspect", "site.pp"]);
        assert!(machine.has_run(), "a directory of root's that the group root may write to");
        let machine = Machine::new();
        machine.mode("types", 0o775);
        chown(machine.path("types"), Some(0), Some(100)).unwrap();
        refused(&machine, &["--types", "types"], &["is writable by the group `users`"]);
    }
}

#[test]
fn a_named_configuration_of_other_users_is_rejected() {
    if !is_root() {
        return;
    }
    let machine = Machine::new();
    machine.write("rtype.toml", "types = [\"types\"]\n");
    machine.owner("rtype.toml", OTHER);
    refused(&machine, &["--config", "rtype.toml"], &["RT413", "@/rtype.toml` is owned by `nobody`"]);
    machine.owner("rtype.toml", 0);
    machine.owner("types", OTHER);
    refused(&machine, &["--config", "rtype.toml"], &["RT413", "@/types` is owned by `nobody`"]);
}

#[test]
fn modules_of_other_users_are_rejected() {
    if !is_root() {
        return;
    }
    for name in ["modules", "modules/m/lib/puppet/type", "modules/m/lib/puppet/type/evil.rb"] {
        let machine = Machine::new();
        machine
            .write("modules/m/lib/puppet/type/evil.rb", "Puppet::Type.newtype(:evil) do\n  newparam(:name)\n  newproperty(:text)\nend\n");
        machine.owner(name, OTHER);
        refused(&machine, &["--modulepath", "modules"], &["RT413", "owned by `nobody`"]);
        refused(&machine, &["--types", "modules/m"], &["RT413", "owned by `nobody`"]);
    }
}

#[test]
fn the_repl_loads_no_types_of_other_users() {
    if !is_root() {
        return;
    }
    let machine = Machine::new();
    machine.owner("types/evil.rtype", OTHER);
    let (text, _) = machine.run(&["repl", "--no-history", "types/evil.rtype", "site.pp"]);
    assert!(!machine.has_run() && text.contains("owned by `nobody`"), "{text}");
}

#[test]
fn checking_accepts_a_repository_of_other_users_and_starts_no_program() {
    let machine = Machine::new();
    machine.write("rtype.toml", "types = [\"types\"]\n");
    if is_root() {
        for name in ["", "types", "types/evil.rtype", "types/evil.sh", "rtype.toml"] {
            machine.owner(name, OTHER);
        }
    }
    for command in [
        &["check", "."][..],
        &["fmt", "--check", "."],
        &["doc", "types"],
        &["test", "types"],
        &["diff", "types", "types"],
        &["describe", "evil"],
    ] {
        let (text, status) = machine.run(command);
        assert!(!machine.has_run(), "{command:?} ran the program");
        assert!(status <= 1 && !text.contains("RT413") && !text.contains("RT414"), "{command:?}: {text}");
    }
}

#[test]
fn a_directory_that_does_not_exist_is_an_error() {
    let machine = Machine::new();
    for option in ["--types", "--modulepath"] {
        let (text, status) = machine.run(&[option, "typs", "check", "types"]);
        assert_eq!(status, 2, "{text}");
        assert!(text.contains("there is no such directory") && text.contains("did you mean `types`?"), "{text}");
    }
    machine.write("rtype.toml", "types = [\"typs\"]\n");
    let (text, status) = machine.run(&["check", "types"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("the directory `typs` does not exist"), "{text}");
}

/// A repository with a link or a setting that leads to an outside directory with `secret`. rtype must neither show nor change the
/// directory's contents.
fn repository(files: &[(&str, &str)], links: &[(&str, &str)]) -> Machine {
    let machine = Machine(tempfile::tempdir().unwrap());
    machine.write("outside/secret", "root:$6$tops3cret:1::\n");
    machine.write("outside/other.rtype", "# tops3cret\ntype other { newparam tops3cret }\n");
    std::fs::create_dir_all(machine.path("repo/.git")).unwrap();
    machine.write("repo/types/good.rtype", "type good {\n  newparam name\n}\n");
    for (name, text) in files {
        machine.write(&format!("repo/{name}"), text);
    }
    for (name, target) in links {
        std::fs::create_dir_all(machine.path(&format!("repo/{name}")).parent().unwrap()).unwrap();
        machine.link(&format!("repo/{name}"), target.replace('@', machine.path("").to_str().unwrap().trim_end_matches('/')));
    }
    machine
}

/// Runs a command in the repository, and asserts that the command fails, and neither shows nor changes outside files.
fn confined(machine: &Machine, arguments: &[&str], expected: &str) {
    let before = (machine.read("outside/secret"), machine.read("outside/other.rtype"));
    let (text, status) = machine.run_in("repo", arguments);
    assert!(!text.contains("tops3cret"), "{arguments:?} shows a foreign text: {text}");
    assert!(text.contains(expected), "{arguments:?}: `{expected}` is not in {text}");
    assert!(status == 1 || status == 2, "{arguments:?}: {status} {text}");
    assert_eq!(before, (machine.read("outside/secret"), machine.read("outside/other.rtype")), "{arguments:?} wrote outside");
}

#[test]
fn links_in_a_directory_do_not_leave_the_repository() {
    for target in ["../../outside/secret", "@/outside/secret"] {
        let machine = repository(&[], &[("types/b.rtype", target)]);
        for command in [
            &["check", "."][..],
            &["check", "types"],
            &["check", "types/b.rtype"],
            &["check", "--fix", "."],
            &["fmt", "."],
            &["fmt", "--diff", "types/b.rtype"],
            &["test", "types"],
            &["doc", "types"],
            &["doc", "types/b.rtype"],
            &["diff", "types", "types"],
            &["describe", "types/b.rtype"],
            &["schema", "types"],
        ] {
            confined(&machine, command, "RT415");
        }
        let (text, _) = machine.run_in("repo", &["check", "types"]);
        assert!(text.contains("`types/b.rtype` is a link to `") && text.contains("outside of `"), "{text}");
        assert!(text.contains("--allow-outside"), "{text}");
    }
    let machine = repository(&[], &[("types", "../outside")].map(|(_, target)| ("more", target)));
    for command in [&["check", "more"][..], &["fmt", "more/other.rtype"], &["--types", "more", "describe", "--list"]] {
        confined(&machine, command, "RT415");
    }
}

#[test]
fn use_does_not_leave_the_repository() {
    let uses = "use \"kinds/far\"\ntype good {\n  newparam name\n}\n";
    let machine = repository(&[("types/good.rtype", uses)], &[("types/kinds", "../../outside")]);
    std::fs::copy(machine.path("outside/other.rtype"), machine.path("outside/far.rtype")).unwrap();
    confined(&machine, &["check", "types/good.rtype"], "RT415");
    let provider = "type good {\n  newparam name\n}\nprovider far, for: good { program \"./far.py\" }\n";
    let machine = repository(&[("types/good.rtype", provider), ("types/far.py", "")], &[("types/far.py.json", "../../outside/secret")]);
    confined(&machine, &["check", "types/good.rtype"], "RT415");
}

#[test]
fn settings_do_not_leave_the_repository() {
    for (setting, path) in [
        ("baseline = \"../outside/secret\"", "../outside/secret"),
        ("baseline = \"@/outside/secret\"", "@/outside/secret"),
        ("types = [\"../outside\"]", "../outside"),
    ] {
        let machine = repository(&[("rtype.toml", "")], &[]);
        machine.write("repo/rtype.toml", &format!("{setting}\n"));
        for command in [&["check", "."][..], &["check", "--update-baseline", "."], &["fmt", "."], &["test", "."], &["doc", "good"]] {
            confined(&machine, command, "RT415");
        }
        let (text, _) = machine.run_in("repo", &["check", "."]);
        assert!(text.contains("rtype.toml:1:") && text.contains(&format!("`{path}` is outside of")), "{text}");
    }
    let machine = repository(&[], &[("rtype.toml", "../outside/secret")]);
    confined(&machine, &["check", "."], "RT415");
    let machine = repository(&[], &[("rtype-baseline.json", "../outside/secret")]);
    confined(&machine, &["check", "--update-baseline", "."], "is a link to");
}

#[test]
fn reports_and_pages_are_not_written_through_links() {
    let machine = repository(&[], &[("out.sarif", "../outside/secret"), ("pages", "../outside"), ("docs/good.md", "../../outside/secret")]);
    for command in [
        &["check", "types", "--report", "sarif=out.sarif"][..],
        &["doc", "types", "-o", "pages"],
        &["doc", "types", "-o", "docs"],
        &["schema", "types", "-o", "pages"],
    ] {
        confined(&machine, command, "is a link to");
    }
    // rtype writes to outside paths that the user names.
    let (text, status) = machine.run_in("repo", &["doc", "types", "-o", "../new"]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn named_paths_may_be_anywhere() {
    let machine = repository(&[], &[]);
    machine.write("outside/fine.rtype", "type fine {\n  newparam name\n}\n");
    for command in [
        &["check", "../outside/fine.rtype"][..],
        &["fmt", "--check", "../outside/fine.rtype"],
        &["--types", "../outside", "describe", "fine"],
    ] {
        let (text, status) = machine.run_in("repo", command);
        assert_eq!(status, 0, "{command:?}: {text}");
    }
    // A link within the repository, and a link that the option permits.
    let machine = repository(&[], &[("more/good.rtype", "../types/good.rtype"), ("far/fine.rtype", "../../outside/fine.rtype")]);
    machine.write("outside/fine.rtype", "type fine {\n  newparam name\n}\n");
    assert_eq!(machine.run_in("repo", &["check", "more"]).1, 0);
    assert_eq!(machine.run_in("repo", &["check", "far"]).1, 1);
    assert_eq!(machine.run_in("repo", &["--allow-outside", "check", "far"]).1, 0);
}

#[test]
fn the_importer_does_not_leave_the_repository() {
    let ruby = "Puppet::Type.newtype(:motd) do\n  newparam(:name)\nend\n";
    let machine = repository(&[("lib/puppet/type/motd.rb", ruby)], &[("lib/puppet/type/far.rb", "../../../../outside/secret")]);
    confined(&machine, &["import", "."], "RT415");
    confined(&machine, &["check", "."], "RT415");
}

#[test]
fn exclude_applies_to_named_files() {
    let machine = repository(&[("rtype.toml", "exclude = [\"types/old/**\"]\n"), ("types/old/bad.rtype", "type bad {\n")], &[]);
    let (text, status) = machine.run_in("repo", &["check", "types/old/bad.rtype", "types/good.rtype"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("not checked: 1 type file (excluded by `rtype.toml`)"), "{text}");
}

#[test]
fn data_files_without_resources_are_skipped() {
    let others = [
        ("package.json", "{\"name\": \"x\", \"version\": \"1.0.0\", \"type\": \"module\", \"dependencies\": {\"a\": \"^1\"}}"),
        ("tsconfig.json", "{\"compilerOptions\": {\"strict\": true}}"),
        ("schema.json", "{\"title\": \"X\", \"type\": \"object\", \"properties\": {}}"),
        ("data/common.yaml", "profile::users:\n  bob:\n    uid: 1\nlookup_options: {}\n"),
        ("lists/list.yaml", "- a\n- b\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: x\n    path: common.yaml\n"),
        ("compose.yaml", "services:\n  web:\n    image: nginx\n"),
        ("kustomization.yaml", "resources:\n  - a.yaml\n"),
        ("k8s.yaml", "kind: Pod\n---\nkind: Pod\n"),
        ("broken.json", "{\"a\": "),
        ("empty.yaml", ""),
    ];
    let machine = repository(&others, &[]);
    let (text, status) = machine.run_in("repo", &["check", "."]);
    assert_eq!(status, 0, "{text}");
    let (text, status) = machine.run_in("repo", &["check", "lists"]);
    assert!(status == 1 && text.contains("RT404"), "{text}");
    // Data of a hierarchy is checked against the classes.
    assert_eq!(machine.run_in("repo", &["check", "data"]).1, 0);
    // Named files are always read as resources.
    assert_eq!(machine.run_in("repo", &["check", "package.json"]).1, 1);
    let resources = [
        ("list.json", "[{\"type\": \"file\", \"title\": \"/x\", \"parameters\": {\"ensur\": \"file\"}}]"),
        ("one.json", "{\"type\": \"file\", \"title\": \"/x\", \"parameters\": {\"ensur\": \"file\"}}"),
        ("types.yaml", "file:\n  /x:\n    ensur: file\n"),
        (
            "catalog.json",
            "{\"resources\": [{\"type\": \"File\", \"title\": \"/x\", \"parameters\": {\"ensur\": \"file\"}}], \"edges\": []}",
        ),
        ("broken.yaml", "- type: file\n  title: /x\n  parameters: {ensure: file\n"),
    ];
    for resource in resources {
        let machine = repository(&[resource], &[]);
        let (text, status) = machine.run_in("repo", &["check", "."]);
        assert!(status == 1 && text.contains(resource.0), "{}: {text}", resource.0);
    }
}

#[test]
fn special_files_are_rejected_as_outputs() {
    let machine = repository(&[("types/x.py", "")], &[]);
    nix::unistd::mkfifo(&machine.path("repo/out.sarif"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (text, status) = machine.run_in("repo", &["check", "types", "--report", "sarif=out.sarif"]);
    assert!(status == 2 && text.contains("it is not a regular file"), "{text}");
    // `check` reads a file next to the provider program.
    let provider = "type good {\n  newparam name\n}\nprovider far, for: good { program \"./x.py\" }\n";
    machine.write("repo/types/good.rtype", provider);
    nix::unistd::mkfifo(&machine.path("repo/types/x.py.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (text, status) = machine.run_in("repo", &["check", "types"]);
    assert!(status == 1 && text.contains("it is not a regular file"), "{text}");
}

#[test]
fn state_is_kept_only_where_others_cannot_write() {
    let machine = Machine::new();
    machine.write("motd.pp", "file { '@/motd': content => 'x' }\n");
    std::fs::create_dir(machine.path("state")).unwrap();
    machine.mode("state", 0o777);
    let (text, status) = machine.run(&["apply", "--state-dir", "state", "motd.pp"]);
    assert!(status == 1 && text.contains("chmod go-w @/state") && !machine.path("motd").exists(), "{text}");
    machine.mode("state", 0o700);
    // The files were created before the directory became safe.
    machine.write("victim", "kept");
    machine.link("state/lock", machine.path("victim"));
    let (text, status) = machine.run(&["apply", "--state-dir", "state", "motd.pp"]);
    assert_eq!((status, machine.read("victim").as_str()), (0, "kept"), "{text}");
    std::fs::remove_file(machine.path("state/lock")).unwrap();
    // A lock with a second name may be another run's file, so it is not replaced.
    std::fs::hard_link(machine.path("victim"), machine.path("state/lock")).unwrap();
    let (text, status) = machine.run(&["apply", "--state-dir", "state", "motd.pp"]);
    assert_eq!((status, machine.read("victim").as_str()), (1, "kept"), "{text}");
    assert!(text.contains("cannot take the lock @/state/lock") && text.contains("delete it"), "{text}");
    if is_root() {
        let machine = Machine::new();
        machine.write("motd.pp", "file { '@/motd': content => 'x' }\n");
        std::fs::create_dir(machine.path("state")).unwrap();
        machine.owner("state", OTHER);
        let (text, status) = machine.run(&["apply", "--state-dir", "state", "motd.pp"]);
        assert!(status == 1 && text.contains("owned by `nobody`"), "{text}");
    }
}

#[test]
fn a_run_does_not_write_its_report_to_special_files() {
    let machine = Machine::new();
    machine.write("motd.pp", "file { '@/motd': content => 'x' }\n");
    nix::unistd::mkfifo(&machine.path("report"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (text, status) = machine.run(&["apply", "--noop", "--report", "report", "motd.pp"]);
    assert!(status == 2 && text.contains("`@/report`") | text.contains("`report`"), "{text}");
    machine.run(&["apply", "--noop", "--report", "run.jsonl", "motd.pp"]);
    assert!(machine.read("run.jsonl").contains("\"noop\""));
}

/// A full disk is an error of the run, and the run's state is not saved.
#[test]
fn a_full_disk_for_the_state_is_an_error() {
    if !is_root() {
        return;
    }
    let machine = Machine::new();
    machine.write("motd.pp", "file { '@/motd': content => 'x', audit => all }\n");
    std::fs::create_dir(machine.path("state")).unwrap();
    let state = machine.path("state");
    let mount = |arguments: &[&str]| Command::new("mount").args(arguments).arg(&state).stderr(Stdio::null()).status();
    if !mount(&["-t", "tmpfs", "-o", "size=8k,mode=700", "tmpfs"]).is_ok_and(|s| s.success()) {
        eprintln!("skipped: no file system can be mounted here");
        return;
    }
    let _ = std::fs::write(state.join("filler"), vec![0; 8192]);
    let (text, status) = machine.run(&["apply", "--state-dir", "state", "motd.pp"]);
    let unmounted = Command::new("umount").arg("-l").arg(&state).status().unwrap();
    assert!(unmounted.success());
    assert_eq!(status, 1, "{text}");
}
