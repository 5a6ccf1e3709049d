//! `rtype new`: all created files pass `check --profile strict`, `fmt --check` and `test`.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const IMPLEMENTATIONS: &[&str] = &["records", "keyed", "commands", "program", "none"];
const PROPERTIES: &[&[&str]] = &[
    &[],
    &["--property", "count:integer"],
    &["--property", "lit:boolean"],
    &["--property", "home:path"],
    &["--property", "members:list"],
    &["--property", "state:open,closed"],
    &["--property", "label", "--property", "count:integer", "--property", "members:list", "--property", "state:open,closed,ajar"],
];

fn rtype(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_rtype"))
        .current_dir(directory)
        .args(arguments)
        .env("NO_COLOR", "1")
        .env_remove("GITHUB_ACTIONS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

#[track_caller]
fn succeeds(directory: &Path, arguments: &[&str]) -> String {
    let (status, text) = rtype(directory, arguments);
    assert_eq!(status, 0, "rtype {}\n{text}", arguments.join(" "));
    text
}

#[track_caller]
fn is_complete(directory: &Path, what: &str) {
    succeeds(directory, &["check", ".", "--profile", "strict"]);
    succeeds(directory, &["fmt", "--check", "."]);
    let tested = succeeds(directory, &["test", "."]);
    assert!(!tested.contains("has no test of its own"), "{what}: {tested}");
    // The author adds the values after the first.
    if what.contains(" type ") {
        succeeds(directory, &["test", ".", "--coverage-min", "60"]);
    }
}

#[test]
fn types_are_complete_with_all_options() {
    for implementation in IMPLEMENTATIONS {
        for properties in PROPERTIES {
            let directory = tempfile::tempdir().unwrap();
            let arguments = [&["new", "type", "door", "-i", implementation], *properties].concat();
            if *implementation == "keyed" && properties.len() > 2 {
                let (status, text) = rtype(directory.path(), &arguments);
                assert!(status == 2 && text.contains("requires exactly one property"), "{text}");
                continue;
            }
            succeeds(directory.path(), &arguments);
            is_complete(directory.path(), &arguments.join(" "));
        }
    }
}

#[test]
fn modules_are_complete_with_all_options() {
    for implementation in IMPLEMENTATIONS {
        for ci in [&["--ci", "none"][..], &["--ci", "github,pre-commit"], &[]] {
            let directory = tempfile::tempdir().unwrap();
            succeeds(directory.path(), &[&["new", "module", "doors", "-i", implementation], ci].concat());
            let module = directory.path().join("doors");
            is_complete(&module, implementation);
            assert_eq!(module.join(".github/workflows/rtype.yml").exists(), !ci.contains(&"none"));
            assert_eq!(module.join(".gitlab-ci.yml").exists(), ci.is_empty());
            assert_eq!(module.join(".pre-commit-config.yaml").exists(), !ci.contains(&"none"));
            // In a module, further types and providers go to `types`.
            succeeds(&module, &["new", "type", "hinge"]);
            succeeds(&module, &["new", "provider", "other", "--for", "hinge", "-i", "commands"]);
            assert!(module.join("types/hinge.rtype").exists() && module.join("types/providers/hinge/other.rtype").exists());
            is_complete(&module, implementation);
        }
    }
}

#[test]
fn providers_of_existing_types_are_complete() {
    for implementation in ["records", "commands", "program"] {
        for type_name in ["sysctl", "mailalias", "host", "kmod", "user"] {
            let directory = tempfile::tempdir().unwrap();
            succeeds(directory.path(), &["new", "provider", "other", "--for", type_name, "-i", implementation]);
            succeeds(directory.path(), &["check", ".", "--profile", "strict"]);
            succeeds(directory.path(), &["fmt", "--check", "."]);
            let described = succeeds(directory.path(), &["--types", ".", "describe", type_name, "--providers"]);
            assert!(described.contains("\n  other\n"), "{described}");
        }
    }
}

#[test]
fn the_program_implements_the_protocol() {
    let directory = tempfile::tempdir().unwrap();
    let types = directory.path().join("doors/types");
    succeeds(directory.path(), &["new", "module", "doors", "-i", "program", "--property", "label", "--property", "members:list"]);
    let program = types.join("providers/doors/stored.py");
    assert_ne!(program.metadata().unwrap().permissions().mode() & 0o111, 0);
    let output = Command::new(env!("CARGO_BIN_EXE_rtype"))
        .current_dir(&types)
        .args(["--types", ".", "provider", "test", "providers/doors/stored.py", "--resources", "../examples/doors.pp"])
        .env("HOME", directory.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && text.contains(" 0 failed"), "{text}");
}

#[test]
fn existing_files_are_never_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("door.rtype");
    std::fs::write(&path, "mine").unwrap();
    let (status, text) = rtype(directory.path(), &["new", "type", "door"]);
    assert!(status == 1 && text.contains("`door.rtype` already exists"), "{text}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    // A dangling link is not followed, either.
    std::fs::remove_file(&path).unwrap();
    symlink("elsewhere", &path).unwrap();
    let (status, text) = rtype(directory.path(), &["new", "type", "door"]);
    assert!(status == 1 && text.contains("`door.rtype` already exists"), "{text}");
    assert!(!directory.path().join("elsewhere").exists());
    // If a file exists, no other file is created.
    std::fs::create_dir(directory.path().join("hinge")).unwrap();
    std::fs::write(directory.path().join("hinge/README.md"), "mine").unwrap();
    assert_eq!(rtype(directory.path(), &["new", "module", "hinge"]).0, 1);
    assert_eq!(std::fs::read_dir(directory.path().join("hinge")).unwrap().count(), 1);
}

#[test]
fn links_out_of_the_repository_are_refused() {
    let (repository, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(repository.path().join(".git")).unwrap();
    symlink(outside.path(), repository.path().join("types")).unwrap();
    let (status, text) = rtype(repository.path(), &["new", "type", "door"]);
    assert!(status == 1 && text.contains("RT415"), "{text}");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn wrong_arguments_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, status, message) in [
        (&["new", "type"][..], 2, "missing NAME"),
        (&["new", "provider", "x"], 2, "missing --for TYPE"),
        (&["new", "type", "Door"], 2, "use lower-case letters"),
        (&["new", "type", "user"], 1, "type `user` already exists"),
        (&["new", "type", "door", "--property", "noop"], 1, "noop"),
        (&["new", "type", "door", "--property", "x:y"], 2, "unknown kind `y`"),
        (&["new", "type", "door", "--property", "ensure"], 2, "invalid property name `ensure`"),
        (&["new", "provider", "x", "--for", "nothing"], 1, "unknown type `nothing`"),
        (&["new", "provider", "posix", "--for", "file"], 2, "already has a provider `posix`"),
        (&["new", "provider", "x", "--for", "sysctl", "-i", "none"], 2, "a provider needs an implementation"),
    ] {
        let (found, text) = rtype(directory.path(), arguments);
        assert!(found == status && text.contains(message), "{arguments:?}: {found}\n{text}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is created");
}
