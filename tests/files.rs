//! Changes of `rtype apply` to files: decisions that depend on the machine, and recursive directories.

use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Command;

/// Applies a manifest. `DIR` in the manifest is replaced by a directory. Returns the exit status and the output.
fn apply(dir: &Path, manifest: &str, more: &[&str]) -> (i32, String) {
    let file = dir.join("resources.pp");
    fs::write(&file, manifest.replace("DIR", dir.to_str().unwrap())).unwrap();
    apply_file(dir, &file, more)
}

fn apply_file(dir: &Path, file: &Path, more: &[&str]) -> (i32, String) {
    let output = assert_cmd::Command::cargo_bin("rtype")
        .unwrap()
        .args(["apply", "--detailed-exitcodes", "--state-dir"])
        .arg(dir.join("state"))
        .args(more)
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), said.replace(dir.to_str().unwrap(), "DIR"))
}

/// Asserts that the first run changes the machine and the second run does not.
fn settles(dir: &Path, manifest: &str) -> String {
    let (first, said) = apply(dir, manifest, &[]);
    assert_eq!(first, 2, "{said}");
    let (second, again) = apply(dir, manifest, &[]);
    assert_eq!(second, 0, "{again}");
    said
}

fn tree() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("from/sub")).unwrap();
    fs::create_dir_all(dir.path().join("to/old")).unwrap();
    for (path, text) in [("from/a", "a"), ("from/sub/b", "b"), ("to/x", "x"), ("to/old/y", "y")] {
        fs::write(dir.path().join(path), text).unwrap();
    }
    symlink("a", dir.path().join("from/l")).unwrap();
    dir
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_directory_is_copied_and_purged_recursively() {
    let dir = tree();
    let at = |path: &str| dir.path().join(path);
    settles(
        dir.path(),
        "file { 'DIR/to': ensure => directory, source => 'DIR/from', recurse => true, purge => true, force => true, mode => '0640' }",
    );
    assert_eq!((names(&at("to")), names(&at("to/sub"))), (vec!["a".into(), "l".into(), "sub".into()], vec!["b".into()]));
    assert_eq!(fs::read_to_string(at("to/sub/b")).unwrap(), "b");
    assert_eq!(fs::read_link(at("to/l")).unwrap(), Path::new("a"));
    assert_eq!((at("to/a").metadata().unwrap().mode() & 0o7777, at("to/sub").metadata().unwrap().mode() & 0o7777), (0o640, 0o750));
}

#[test]
fn purge_keeps_managed_files_and_directories_without_force() {
    let dir = tree();
    let purged = "file { 'DIR/to': ensure => directory, recurse => true, purge => true } ";
    settles(dir.path(), purged);
    assert_eq!((names(&dir.path().join("to")), names(&dir.path().join("to/old"))), (vec!["old".to_owned()], vec![]));
    fs::write(dir.path().join("to/old/y"), "y").unwrap();
    fs::write(dir.path().join("to/z"), "z").unwrap();
    let purged = "file { 'DIR/to': ensure => directory, recurse => true, purge => true, force => true } ";
    settles(dir.path(), &format!("{purged} file {{ 'DIR/to/old/y': ensure => file }}"));
    assert_eq!(names(&dir.path().join("to/old")), ["y"]);
    assert!(!dir.path().join("to/z").exists());
}

#[test]
fn another_resource_may_create_the_source() {
    let dir = tree();
    let manifest = "
        file { 'DIR/copy': source => 'DIR/made', require => File['DIR/made'] }
        file { 'DIR/made': content => 'new', mode => '0600' }";
    settles(dir.path(), manifest);
    assert_eq!(fs::read_to_string(dir.path().join("copy")).unwrap(), "new");
    let (exit, said) = apply(dir.path(), "file { 'DIR/none': source => ['DIR/nothing', 'DIR/neither'] }", &[]);
    assert!(exit == 4 && said.contains("Could not retrieve information from source(s) file://DIR/nothing"), "{said}");
}

#[test]
fn links_and_limits_of_recursion() {
    let dir = tree();
    settles(dir.path(), "file { 'DIR/links': ensure => directory, target => 'DIR/from', recurse => true }");
    assert_eq!(fs::read_link(dir.path().join("links/sub/b")).unwrap(), dir.path().join("from/sub/b"));
    let limited = "file { 'DIR/one': ensure => directory, source => 'DIR/from', recurse => remote, recurselimit => 1, ignore => 'l' }";
    settles(dir.path(), limited);
    assert_eq!((names(&dir.path().join("one")), names(&dir.path().join("one/sub"))), (vec!["a".into(), "sub".into()], vec![]));
    let (exit, said) = apply(dir.path(), "file { 'DIR/from': recurse => true, max_files => 2, mode => '0750' }", &[]);
    assert!(exit >= 4 && said.contains("contains 4 entries, more than `max_files` allows (2)"), "{said}");
}

#[test]
fn noop_reports_recursive_changes_without_making_them() {
    let dir = tree();
    let (exit, said) = apply(dir.path(), "file { 'DIR/to': ensure => directory, recurse => true, purge => true }", &["--noop"]);
    assert!(exit == 2 && said.contains("File[DIR/to/x]"), "{said}");
    assert_eq!(names(&dir.path().join("to")), ["old", "x"]);
}

#[test]
fn tidy_removes_old_files_and_emptied_directories() {
    let dir = tree();
    fs::create_dir(dir.path().join("to/empty")).unwrap();
    fs::write(dir.path().join("to/old/new"), "").unwrap();
    for path in ["to/x", "to/old/y", "to/empty", "to/old"] {
        fs::File::open(dir.path().join(path)).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    settles(dir.path(), "tidy { 'DIR/to': age => '1w', type => mtime, recurse => true, rmdirs => true }");
    assert_eq!((names(&dir.path().join("to")), names(&dir.path().join("to/old"))), (vec!["old".to_owned()], vec!["new".to_owned()]));
}

#[test]
fn replaced_content_is_stored_in_the_filebucket() {
    let dir = tree();
    let manifest = "filebucket { 'mine': path => 'DIR/bucket' } file { 'DIR/to/x': content => 'new', backup => 'mine' }";
    let (exit, said) = apply(dir.path(), manifest, &[]);
    assert_eq!(exit, 2, "{said}");
    assert_eq!(names(&dir.path().join("bucket")), ["2"]);
}

#[test]
fn fragments_may_come_from_a_file_or_a_module() {
    let dir = tree();
    fs::create_dir_all(dir.path().join("modules/web/files")).unwrap();
    fs::write(dir.path().join("modules/web/files/part"), "from a module").unwrap();
    let manifest = "
        concat_file { 'DIR/all': ensure_newline => true, require => File['DIR/made'] }
        concat_fragment { '1': target => 'DIR/all', source => ['DIR/nothing', 'file://DIR/from/a', 'DIR/from/sub/b'] }
        concat_fragment { '2': target => 'DIR/all', source => 'puppet:///modules/web/part' }
        concat_fragment { '3': target => 'DIR/all', source => 'DIR/made' }
        concat_fragment { '4': target => 'DIR/all', content => 'given' }
        file { 'DIR/made': content => 'made' }";
    let modules = format!("--modulepath={}", dir.path().join("modules").display());
    let (exit, said) = apply(dir.path(), manifest, &[&modules]);
    assert_eq!(exit, 2, "{said}");
    assert_eq!(fs::read_to_string(dir.path().join("all")).unwrap(), "a\nfrom a module\nmade\ngiven\n");
    assert_eq!(apply(dir.path(), manifest, &[&modules]).0, 0);
}

#[test]
fn a_missing_fragment_source_fails_and_keeps_the_file() {
    let dir = tree();
    for (source, why) in [
        ("['DIR/nothing', 'DIR/neither']", "none of the sources `DIR/nothing`, `DIR/neither` can be read"),
        ("'DIR/from'", "cannot read DIR/from: it is a directory, not a regular file"),
        ("'puppet:///modules/web/part'", "where modules are is not known"),
    ] {
        let manifest =
            format!("concat_file {{ 'DIR/to/x': }} concat_fragment {{ 'a': target => 'DIR/to/x', source => {source} }} notify {{ 'on': }}");
        let (exit, said) = apply(dir.path(), &manifest, &[]);
        assert!(exit == 6 && said.contains("Concat_file[DIR/to/x]") && said.contains(why), "{said}");
        assert_eq!(fs::read_to_string(dir.path().join("to/x")).unwrap(), "x");
        let (exit, said) = apply(dir.path(), &manifest.replace("to/x", "to/new"), &[]);
        assert!(exit == 6 && said.contains(why), "{said}");
        assert!(!dir.path().join("to/new").exists(), "{said}");
    }
}

#[test]
fn an_unknown_fragment_fails() {
    let dir = tree();
    let part = r#"{"target": "DIR/to/new", "content": {"__ptype": "Deferred", "name": "x", "arguments": []}}"#;
    let catalog = format!(
        r#"{{"name": "n", "version": 1, "edges": [], "classes": [], "resources": [
            {{"type": "Concat_file", "title": "DIR/to/new", "parameters": {{}}}},
            {{"type": "Concat_fragment", "title": "a", "parameters": {part}}}]}}"#
    );
    let file = dir.path().join("catalog.json");
    fs::write(&file, catalog.replace("DIR", dir.path().to_str().unwrap())).unwrap();
    let (exit, said) = apply_file(dir.path(), &file, &[]);
    assert!(exit == 4 && said.contains("a value is not known yet"), "{said}");
    assert!(!dir.path().join("to/new").exists(), "{said}");
}

/// Starts a local server that reports the time of a change, or a checksum. The server runs until the test ends.
fn server(header: &'static str, content: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut room = [0; 4096];
            let count = stream.read(&mut room).unwrap();
            let asked = String::from_utf8_lossy(room.get(..count).unwrap()).into_owned();
            let (status, content) = if asked.contains(" /missing ") { ("404 Not Found", "sorry") } else { ("200 OK", content) };
            let body = if asked.starts_with("HEAD") { "" } else { content };
            let head = format!("HTTP/1.1 {status}\r\n{header}Content-Length: {}\r\nConnection: close\r\n\r\n", content.len());
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    address
}

#[test]
fn files_are_downloaded_from_a_server() {
    for header in ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "Content-MD5: XUFAKrxLKna5cZ2REBfFkg==\r\n", ""] {
        let dir = tree();
        let address = server(header, "hello");
        settles(dir.path(), &format!("file {{ 'DIR/new': source => ['{address}/missing', '{address}/a'], mode => '0600' }}"));
        assert_eq!(fs::read_to_string(dir.path().join("new")).unwrap(), "hello");
        let (exit, said) = apply(dir.path(), &format!("file {{ 'DIR/none': source => '{address}/missing' }}"), &[]);
        assert!(exit == 4 && said.contains(&format!("Could not retrieve information from source(s) {address}/missing")), "{said}");
        let part = format!("concat_file {{ 'DIR/all': }} concat_fragment {{ 'a': target => 'DIR/all', source => '{address}/a' }}");
        settles(dir.path(), &part);
    }
}

#[test]
fn a_downloaded_file_is_replaced_when_the_server_has_another() {
    let dir = tree();
    let at = dir.path().join("to/x");
    let newer = server("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "hello");
    let manifest = format!("file {{ 'DIR/to/x': source => '{newer}/a' }}");
    assert_eq!(apply(dir.path(), &manifest, &[]).0, 0);
    fs::File::open(&at).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(apply(dir.path(), &manifest, &["--noop"]).0, 2);
    settles(dir.path(), &manifest);
    assert_eq!(fs::read_to_string(&at).unwrap(), "hello");
    // Content that does not match its checksum is rejected.
    let wrong = server("Content-MD5: XUFAKrxLKna5cZ2REBfFkg==\r\n", "other");
    let (exit, said) = apply(dir.path(), &format!("file {{ 'DIR/to/a': source => '{wrong}/a' }}"), &[]);
    assert!(exit == 4 && said.contains("did not match desired checksum"), "{said}");
    assert!(!dir.path().join("to/a").exists());
}

#[test]
fn leftovers_of_a_killed_run_are_removed_by_the_next() {
    let dir = tree();
    let at = |path: &str| dir.path().join(path);
    fs::write(at("slow"), format!("#!/bin/sh\ntouch {}; sleep 2\n", at("reached").display())).unwrap();
    fs::set_permissions(at("slow"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let manifest = format!("file {{ '{0}/to/x': content => 'new', validate_cmd => '{0}/slow' }}", dir.path().display());
    fs::write(at("slow.pp"), manifest).unwrap();
    let rtype = assert_cmd::cargo::cargo_bin("rtype");
    let mut run = std::process::Command::new(rtype).args(["apply", "--state-dir"]).arg(at("state")).arg(at("slow.pp")).spawn().unwrap();
    while !at("reached").exists() {
        assert_eq!(run.try_wait().unwrap(), None, "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(names(&at("to")).len() == 3 && fs::read_to_string(at("to/x")).unwrap() == "x", "{:?}", names(&at("to")));
    settles(dir.path(), "file { 'DIR/to/z': content => 'new' }");
    assert_eq!(names(&at("to")), ["old", "x", "z"]);
}

#[test]
fn the_source_may_be_a_file_declared_before() {
    let dir = tempfile::tempdir().unwrap();
    let said = settles(
        dir.path(),
        "file { 'DIR/a': content => 'the text' }\n\
         file { 'DIR/b': source => 'DIR/a' }\n\
         file { 'DIR/c': content => 'x', validate_cmd => '/usr/bin/test -e DIR/a' }\n",
    );
    assert_eq!(fs::read_to_string(dir.path().join("b")).unwrap(), "the text", "{said}");
}

#[test]
fn a_file_that_cannot_be_written_does_not_affect_its_batch() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("b")).unwrap();
    let manifest = ["a", "b", "c", "missing/d", "e", "f"].map(|name| format!("file {{ 'DIR/{name}': content => '{name}' }}\n")).concat();
    let (status, said) = apply(dir.path(), &manifest, &[]);
    assert_eq!(status, 6, "{said}");
    assert!(said.contains("the directory DIR/missing does not exist"), "{said}");
    assert_eq!(names(dir.path()), ["a", "b", "c", "e", "f", "resources.pp", "state"]);
    assert!(dir.path().join("b").is_dir());
}

/// After a power failure, a file must have the old or the new content. The content reaches the disk before the name.
#[test]
fn contents_are_on_disk_before_files_get_their_names() {
    if Command::new("strace").arg("-V").output().is_err() {
        println!("SKIPPED: strace is not installed");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let manifest: String = (0..100).map(|i| format!("file {{ '{}/{i}': content => 'new' }}\n", dir.path().display())).collect();
    fs::write(dir.path().join("site.pp"), manifest).unwrap();
    let trace = dir.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=write,fsync,syncfs,renameat,renameat2,rename", "-o"]).arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_rtype")).args(["apply", "--state-dir"]).arg(dir.path().join("state")).arg(dir.path().join("site.pp"));
    assert!(command.output().unwrap().status.success());
    let mut unsynced: HashSet<String> = HashSet::new();
    let (mut renamed, mut synced) = (0, 0);
    for line in fs::read_to_string(&trace).unwrap().lines() {
        let call = line.split_once(' ').map_or("", |(_, call)| call.trim_start());
        let (call, arguments) = call.split_once('(').unwrap_or_default();
        let descriptor = arguments.split([',', ')']).next().unwrap_or_default().to_owned();
        match call {
            "write" if arguments.contains("\"new\"") => drop(unsynced.insert(descriptor)),
            "fsync" => {
                unsynced.remove(&descriptor);
                synced += 1;
            }
            "syncfs" => {
                unsynced.clear();
                synced += 1;
            }
            "rename" | "renameat" | "renameat2" => {
                assert!(unsynced.is_empty(), "{line}");
                renamed += 1;
            }
            _ => {}
        }
    }
    assert!(renamed >= 100, "{renamed}");
    assert!(synced < 20, "{synced} calls for {renamed} files");
}
