//! `examples/embedded`, a separate program with custom providers, is built and run.

use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The target directory of this test, so that shared dependencies are built once.
fn target() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    own.ancestors().nth(3).unwrap().to_owned()
}

fn lamps(home: &Path, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(target().join("debug/lamps"));
    command.env("HOME", home).current_dir(home).args(["--types", &format!("{ROOT}/examples/embedded/types")]).args(arguments);
    let output = command.output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
}

fn apply(home: &Path, manifest: &str) -> (i32, String) {
    std::fs::write(home.join("site.pp"), manifest).unwrap();
    let (status, text) = lamps(home, &["apply", "site.pp", "--detailed-exitcodes", "--state-dir", "state"]);
    // A second run after a successful one changes nothing.
    if status == 2 {
        let (again, text) = lamps(home, &["apply", "site.pp", "--detailed-exitcodes", "--state-dir", "state"]);
        assert_eq!(again, 0, "{text}");
    }
    (status, text)
}

#[test]
#[ignore = "builds a program; the step `embed` of .ci/run"]
fn an_embedding_program_reads_and_writes_with_its_providers() {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--offline", "--locked", "--quiet", "--package", "lamps"])
        .current_dir(ROOT)
        .env("CARGO_TARGET_DIR", target())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    std::fs::create_dir_all(home.join(".lamps/shelf")).unwrap();
    let read = |path: &str| std::fs::read_to_string(home.join(".lamps").join(path)).unwrap();

    // Two properties are written separately, a `Simple` provider writes once, and an action of the resource runs.
    let (status, text) = apply(
        home,
        "lamp { 'hall': ensure => present, state => on, level => 40 }
         lamp { 'attic': ensure => present, state => off }
         bulb { 'warm': ensure => present, colour => 'red' ~> Lamp['hall'] }"
            .replace(" ~> Lamp['hall'] }", ", notify => Lamp['hall'] }")
            .as_str(),
    );
    assert_eq!(status, 2, "{text}");
    // The bulb notifies the hall, so the hall is applied after the bulb.
    assert_eq!((read("bridge").as_str(), read("shelf/warm").as_str()), ("attic off 100\nhall on 40\n", "red\n"));
    assert_eq!(read("blinks"), "hall 3\n");
    let (status, text) =
        apply(home, "lamp { 'hall': level => 50, state => on }\nbulb { 'warm': colour => 'green' }\nlamp { 'attic': ensure => absent }");
    assert_eq!(status, 2, "{text}");
    assert_eq!((read("bridge").as_str(), read("shelf/warm").as_str()), ("hall on 50\n", "green\n"));
    let (status, text) = apply(home, "lamp { 'hall': level => 60, state => off }");
    // The lamp was switched off before the level was rejected, so the resource is both changed and failed.
    assert_eq!((status, text.contains("a lamp that is off has no level")), (6, true), "{text}");
    let (status, text) = apply(home, "bulb { 'warm': ensure => absent }");
    assert_eq!((status, home.join(".lamps/shelf/warm").exists()), (2, false), "{text}");

    let (status, text) = lamps(home, &["resource", "lamp"]);
    assert_eq!((status, text.as_str()), (0, "lamp { 'hall':\n  ensure => 'present',\n  level  => 50,\n  state  => 'off',\n}\n"));
    std::fs::write(home.join(".lamps/bridge"), "hall on much\n").unwrap();
    let (_, text) = lamps(home, &["resource", "lamp"]);
    assert!(text.contains("line 1 of the lamps: `much` is not a number"), "{text}");
    let (status, text) = lamps(home, &["check", &format!("{ROOT}/examples/embedded/types")]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn the_page_shows_the_code_that_is_built() {
    let page = std::fs::read_to_string(format!("{ROOT}/docs/embed.md")).unwrap();
    for file in ["src/main.rs", "src/bridge.rs", "src/shelf.rs"] {
        let text = std::fs::read_to_string(format!("{ROOT}/examples/embedded/{file}")).unwrap();
        assert!(page.contains(&format!("```rust\n{text}```\n")), "docs/embed.md does not show examples/embedded/{file} as it is");
    }
}
