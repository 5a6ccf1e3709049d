//! `rtype lookup`.

use std::path::Path;
use std::process::Command;

/// Runs `rtype lookup` in a directory. Returns standard output and standard error together, and the exit status.
fn lookup(directory: &Path, arguments: &str) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_rtype")).arg("lookup").args(arguments.split_whitespace()).current_dir(directory).output();
    let output = output.unwrap();
    (format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)), output.status.code())
}

/// A repository with all that an explanation can show. Values and merges were compared with `puppet lookup` 7.23.
#[test]
fn values_are_those_of_puppet_and_their_sources_are_explained() {
    let repository = Path::new("tests/lookup");
    let mut shown = String::new();
    for arguments in [
        "port",
        "list --explain",
        "tree --explain",
        "tree.ssl.cipher",
        "text --explain",
        "converted",
        "ntp::servers --explain",
        "missing --explain",
        "missing",
        "missing port",
        "missing --default 7",
        "port --type String",
        "tree --merge nosuch",
        "list --merge deep --knock-out-prefix=--",
        "database::password --explain",
        "database::url --explain",
        "role",
        "role --compile",
    ] {
        let (output, status) = lookup(repository, &format!("{arguments} --facts facts.json --node web1"));
        shown += &format!("$ rtype lookup {arguments}\n{output}exit status {}\n\n", status.unwrap());
    }
    assert!(!shown.contains("tr0ub4dor"), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn values_with_secrets_are_written_to_a_private_file() {
    use std::os::unix::fs::PermissionsExt;
    let target = tempfile::tempdir().unwrap();
    let file = target.path().join("password.json");
    let (output, status) = lookup(Path::new("tests/lookup"), &format!("database::password --facts facts.json -o {}", file.display()));
    assert!(!output.contains("tr0ub4dor") && status == Some(0), "{output}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("tr0ub4dor"));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn directories_without_data_are_named() {
    let (output, status) = lookup(tempfile::tempdir().unwrap().path(), "a");
    assert!(output.contains("help: no data was searched; run this in a control repository") && status == Some(1), "{output}");
}

#[test]
fn encrypted_values_are_refused_and_their_neighbours_are_read() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("data")).unwrap();
    std::fs::write(directory.path().join("data/common.yaml"), "a: 1\nb: [{c: 'ENC[PKCS7,MIIB]'}]\n").unwrap();
    std::fs::write(directory.path().join("environment.conf"), "").unwrap();
    let levels =
        "defaults: {datadir: data, data_hash: json_data}\nhierarchy:\n  - {name: all, path: common.yaml, lookup_key: eyaml_lookup_key}\n";
    std::fs::write(directory.path().join("hiera.yaml"), format!("version: 5\n{levels}")).unwrap();
    assert_eq!(lookup(directory.path(), "a"), ("1\n".to_owned(), Some(0)));
    let (output, status) = lookup(directory.path(), "b");
    assert!(output.contains("the encrypted value of `b`") && status == Some(1), "{output}");
}

#[test]
fn levels_without_a_function_are_refused_as_by_puppet() {
    for (defaults, is_error) in [("", false), ("defaults: {datadir: data}\n", true), ("defaults: {data_hash: yaml_data}\n", false)] {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("data")).unwrap();
        std::fs::write(directory.path().join("data/common.yaml"), "a: 1\n").unwrap();
        std::fs::write(directory.path().join("environment.conf"), "").unwrap();
        let hierarchy = "hierarchy:\n  - {name: all, path: common.yaml}\n";
        std::fs::write(directory.path().join("hiera.yaml"), format!("version: 5\n{defaults}{hierarchy}")).unwrap();
        let (output, status) = lookup(directory.path(), "a");
        let is_as_expected = if is_error { output.contains("must be defined in hierarchy 'all'") } else { output == "1\n" };
        assert!(is_as_expected && status == Some(i32::from(is_error)), "{defaults:?}: {output}");
    }
}
