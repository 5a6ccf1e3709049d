//! `rtype compile`, and `apply` and `inspect` of manifests that need a compiler.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};

const CONTROL: &str = "examples/control";

fn rtype(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtype")).args(arguments).current_dir(directory).output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Writes a control repository with the files given.
fn control(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (path, content) in [("environment.conf", "modulepath = modules\n")].iter().chain(files) {
        let path = directory.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    directory
}

/// Puppet 7.23 compiled the same catalogs (`puppet catalog compile`, which knows no trusted facts, with `%{facts.networking.fqdn}` in
/// `hiera.yaml`): resources in this order with these parameters and tags, edges, classes, and tags of the catalog.
#[test]
fn the_nodes_of_a_control_repository_are_compiled() {
    let target = tempfile::tempdir().unwrap();
    let control = std::fs::canonicalize(CONTROL).unwrap();
    let output = rtype(&control, &["compile", "--all-nodes", "facts", "-o", target.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(text(&output), "2 of 2 nodes compiled\n");
    let here = format!("{}/", control.display());
    for node in ["web1", "db1"] {
        let path = target.path().join(format!("{node}.example.com.json"));
        insta::assert_snapshot!(format!("{node}.example.com"), std::fs::read_to_string(&path).unwrap().replace(&here, ""));
        assert_eq!(mode(&path), 0o600);
    }
    let first = std::fs::read(target.path().join("web1.example.com.json")).unwrap();
    let one = target.path().join("one.json");
    // A file that others could read before becomes private.
    std::fs::write(&one, "").unwrap();
    rtype(&control, &["compile", "--facts", "facts/web1.example.com.json", "-o", one.to_str().unwrap()]);
    assert_eq!(std::fs::read(&one).unwrap(), first, "the same node, compiled alone");
    assert_eq!(mode(&one), 0o600);
}

#[test]
fn secrets_are_redacted_on_standard_output_and_redacted_catalogs_are_not_applied() {
    let output = rtype(
        Path::new("."),
        &["compile", "-e", "user { 'bob': password => 'tr0ub4dor' } notify { 'x': message => [Sensitive('tr0ub4dor')] }"],
    );
    assert!(output.status.success() && !text(&output).contains("tr0ub4dor"), "{}", text(&output));
    let directory = control(&[("catalog.json", &String::from_utf8(output.stdout).unwrap())]);
    let applied = rtype(directory.path(), &["apply", "--noop", "--state-dir", "state", "catalog.json"]);
    assert_eq!(applied.status.code(), Some(1));
    assert!(text(&applied).contains("the secret was redacted when the catalog was written"), "{}", text(&applied));
}

#[test]
fn secrets_that_code_takes_out_are_in_no_message() {
    let directory = tempfile::tempdir().unwrap();
    for code in [
        "notice($s.unwrap)",
        "warning(\"the password is ${unwrap($s)}\")",
        "fail(\"${$s.unwrap} is wrong\")",
        "class a(Enum['x'] $p) { } class { 'a': p => $s.unwrap }",
        "notice($s.unwrap |$text| { \"-${text}-\" })",
        "notice(inline_template('<%= @s.unwrap %>'))",
        "notice(inline_template('<%= @s.unwrap.nosuch %>'))",
        "$x = $s.unwrap + 1",
        "Integer($s.unwrap)",
    ] {
        let code = format!("$s = Sensitive('tr0ub4dor')\n{code}");
        for arguments in
            [&["compile", "-v", "-o", "catalog", "-e", &code][..], &["apply", "-v", "--noop", "--state-dir", "state", "-e", &code]]
        {
            let output = text(&rtype(directory.path(), arguments));
            assert!(output.contains("RM07") && !output.contains("tr0ub4dor"), "{code}: {output}");
        }
    }
}

/// Mistakes, each with a part of the message.
const MISTAKES: &[(&str, &str)] = &[
    ("include absent", "error[RM070]: Error while evaluating a Function Call, Could not find class ::absent for"),
    ("nosuch('x')", "if a module defines it, name the directory that contains the module with `--modulepath`"),
    ("notice(inline_template('<%= nil.x %>'))", "Failed to parse inline template: undefined method `x' for nil:NilClass\n"),
    ("all(default)", "It expects one of:; (Hash hash"),
    ("fail('stop')", "error[RM070]: Error while evaluating a Function Call, stop"),
    ("class a(Integer $n) { } class { 'a': n => 'x' }", "parameter 'n' expects an Integer value, got String"),
    ("file { '/x': } -> file { '/y': }\nfile { '/x': }", "Duplicate declaration: File[/x] is already declared"),
    ("if true { notify { 'x': } ", "error[RT202]: unclosed `{`"),
    ("$a = generate('/bin/date')", "error[RM071]"),
    ("function f($x) { f($x) } f(1)", "error[RM072]"),
    ("file { '/x': moode => '1' }", "no parameter named 'moode'"),
];

#[test]
fn mistakes_are_diagnostics_and_nothing_is_applied() {
    let directory = tempfile::tempdir().unwrap();
    for (code, message) in MISTAKES {
        for arguments in [&["compile", "--node", "web1", "-e", code][..], &["apply", "--noop", "--state-dir", "state", "-e", code]] {
            let output = rtype(directory.path(), arguments);
            assert_eq!(output.status.code(), Some(1), "{code}: {}", text(&output));
            assert!(text(&output).contains(message), "{code}: {}", text(&output));
            assert!(!text(&output).contains("panicked"), "{code}");
        }
    }
}

#[test]
fn a_manifest_with_classes_is_applied_like_its_catalog() {
    let directory = tempfile::tempdir().unwrap();
    let module = directory.path().join("modules/hello/manifests");
    std::fs::create_dir_all(&module).unwrap();
    let target = directory.path().join("greeting");
    let class = format!("class hello($to = 'world') {{ file {{ '{}': content => \"hello ${{to}}\\n\" }} }}", target.display());
    std::fs::write(module.join("init.pp"), class).unwrap();
    std::fs::write(directory.path().join("site.pp"), "class { 'hello': to => $facts['kernel'] }\n").unwrap();
    let apply = ["--modulepath", "modules", "apply", "--state-dir", "state", "site.pp"];
    let output = rtype(directory.path(), &apply);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "hello Linux\n");
    let inspected = rtype(directory.path(), &["--modulepath", "modules", "inspect", "--exit-code", "site.pp"]);
    assert!(inspected.status.success(), "{}", text(&inspected));
    // The manifest comes from standard input.
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_rtype"));
    command.current_dir(directory.path()).args(["--modulepath", "modules", "inspect", "-"]).write_stdin("include hello");
    let output = command.output().unwrap();
    assert!(text(&output).contains("hello world"), "{}", text(&output));
}

#[test]
fn facts_are_a_map() {
    let directory = tempfile::tempdir().unwrap();
    for (name, facts, message) in
        [("list.json", "[1]", "facts are a map of names and values"), ("broken.json", "{", "error[RT"), ("absent.json", "", "error[RT401]")]
    {
        if !facts.is_empty() {
            std::fs::write(directory.path().join(name), facts).unwrap();
        }
        let output = rtype(directory.path(), &["compile", "-e", "notice(1)", "--facts", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(text(&output).contains(message), "{name}: {}", text(&output));
    }
    std::fs::write(directory.path().join("facts.yaml"), "name: web9\nvalues: { kernel: Linux, hour: 010 }\n").unwrap();
    let output = rtype(directory.path(), &["compile", "-e", "notify { \"${facts['hour']} ${kernel}\": }", "--facts", "facts.yaml"]);
    let catalog: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&catalog["name"], &catalog["resources"][3]["title"]), (&"web9".into(), &"8 Linux".into()));
}

/// rtype does not run the Ruby of facts. A manifest that reads such a fact must not get `undef` for it.
#[test]
fn facts_of_modules_in_ruby_are_not_known_on_this_machine() {
    let repository = control(&[
        ("modules/m/lib/facter/rack.rb", "Facter.add(:rack) { setcode { 'a1' } }\n"),
        ("modules/m/manifests/init.pp", "class m { }\n"),
        // Its functions are known if the module exists.
        ("modules/stdlib/lib/puppet/functions/fact.rb", ""),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: x\n    data_hash: yaml_data\n    path: \"%{facts.rack}.yaml\"\n"),
        ("facts.json", "{\"kernel\": \"Linux\"}"),
    ]);
    for code in [
        "notice($facts['rack'])",
        "notice($rack)",
        "notice($::rack)",
        "notice(lookup('key', { 'default_value' => 1 }))",
        "notice(fact('rack'))",
    ] {
        let output = rtype(repository.path(), &["compile", "-e", code]);
        assert_eq!(output.status.code(), Some(1), "{code}: {}", text(&output));
        assert!(text(&output).contains("the fact `rack`, which a module defines, is not known"), "{code}: {}", text(&output));
        // A file of facts is complete.
        let output = rtype(repository.path(), &["compile", "-e", code, "--facts", "facts.json"]);
        assert!(output.status.success(), "{code}: {}", text(&output));
    }
}

/// A pull request of a stranger reads no file outside of the repository.
#[test]
fn files_outside_of_the_repository_are_not_read() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.yaml"), "key: outside-secret\n").unwrap();
    std::fs::write(outside.path().join("secret.pp"), "class m::linked { notice('outside-secret') }\n").unwrap();
    let link = |repository: &Path, name: &str, to: &str| {
        let path = repository.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(outside.path().join(to), path).unwrap();
    };
    let secret = outside.path().join("secret.yaml").display().to_string();
    let hiera = format!("version: 5\nhierarchy:\n  - name: x\n    data_hash: yaml_data\n    path: {secret}\n");
    let linked = "version: 5\nhierarchy:\n  - name: x\n    data_hash: yaml_data\n    path: linked.yaml\n";
    for (code, hiera) in [
        (format!("notice(file('{secret}'))"), ""),
        ("include m::linked".to_owned(), ""),
        ("notice(lookup('key'))".to_owned(), hiera.as_str()),
        ("notice(lookup('key'))".to_owned(), linked),
        // A default does not hide that the data was not read.
        ("notice(lookup('key', { 'default_value' => 1 }))".to_owned(), linked),
        ("notice(epp('m/../../../../etc/passwd'))".to_owned(), ""),
        ("notice(find_file('/etc/passwd'))".to_owned(), ""),
    ] {
        let repository = control(&[
            (".git/HEAD", ""),
            ("manifests/site.pp", &code),
            ("modules/m/manifests/init.pp", "class m { }\n"),
            ("hiera.yaml", hiera),
        ]);
        link(repository.path(), "modules/m/manifests/linked.pp", "secret.pp");
        link(repository.path(), "data/linked.yaml", "secret.yaml");
        let output = rtype(repository.path(), &["compile"]);
        assert_eq!(output.status.code(), Some(1), "{code}: {}", text(&output));
        assert!(!text(&output).contains("outside-secret") && !text(&output).contains("root:"), "{code}: {}", text(&output));
    }
}
