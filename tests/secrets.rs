//! Secrets appear in no output, regardless of the program that repeats them and the encoding.
//!
//! Markers are planted as desired and as current values. Programs repeat the markers in all common encodings. Then the test searches all
//! outputs, the state directory and the arguments of programs, in clear and decoded.

use crate::common::secrets::{assert_hidden, forms, quoted};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The desired value.
const DESIRED: &[&str] = &[
    "mArker-des'ired\\q \"100%\" žluť+/x?&",
    "-----BEGIN PRIVATE KEY-----\nmArkerMIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAq7BFUpkGp3+LQm\nmArkerYx2eqzDV+xeG8kx/sQFV18S5JhzGeIJNA72wSeukEPojtqUyX2J0CciPBh7eqc\n-----END PRIVATE KEY-----\n",
];

/// The current value.
const CURRENT: &str = "mArker-cur'rent\\n \"é\" line\nmArker-second line";

const VAULT: &str = r#"
type vault {
  desc "A vault."
  ensurable
  newparam name { isnamevar; desc "Its name." }
  newparam key { desc "What opens it."; sensitive true }
  newproperty secret { desc "What is in it."; sensitive true }
  newproperty note { desc "What is said of it." }
  newproperty count { desc "How much."; type Integer }
}
provider script, for: vault { program "./vault.sh", timeout: 5 }
"#;

const SCRIPT: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  cat forms >&2
  case $line in
    *hello*) echo '{"id":'$id',"protocol":1,"name":"vault","version":"1","type":"vault","ops":["get","set"],"attributes_read":["ensure","secret","note","count"],"attributes_write":["ensure","secret","note","count"]}' ;;
    *'"op":"get"'*) printf '{"id":%s,%s\n' "$id" "$(cat get)" ;;
    *) printf '{"id":%s,%s\n' "$id" "$(cat set)" ;;
  esac
done
"#;

struct Site(TempDir);

impl Site {
    fn new(desired: &str) -> Site {
        let site = Site(tempfile::tempdir().unwrap());
        let types = site.path().join("types");
        std::fs::create_dir(&types).unwrap();
        std::fs::write(types.join("vault.rtype"), VAULT).unwrap();
        std::fs::write(types.join("vault.sh"), SCRIPT).unwrap();
        std::fs::set_permissions(types.join("vault.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let all: Vec<String> = [desired, CURRENT].into_iter().flat_map(forms).collect();
        site.write("types/forms", &(all.join("\n---\n") + "\n"));
        let error = serde_json::json!({"kind": "failed", "msg": all.join(" | "), "hint": all.join(" | ")});
        let present =
            serde_json::json!({"name": "v", "ensure": "present", "secret": CURRENT, "note": format!("note {CURRENT}"), "count": 1});
        site.write("types/get", &serde_json::json!({"resources": [present], "complete": true}).to_string()[1..]);
        site.write("types/set", &serde_json::json!({"results": [{"title": "v", "error": error}]}).to_string()[1..]);
        site
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// Returns both outputs of a run.
    fn run(&self, arguments: &[&str], input: &str) -> String {
        self.run_with(&[], arguments, input)
    }

    /// Like [`Site::run`], with additional environment variables.
    fn run_with(&self, environment: &[(&str, &str)], arguments: &[&str], input: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.current_dir(self.path()).args(["--types", "types"]).args(arguments).env("HOME", self.path());
        command.envs(environment.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }

    /// Returns all files in a directory.
    fn files(&self, name: &str) -> String {
        let mut all = String::new();
        let mut open = vec![self.path().join(name)];
        while let Some(at) = open.pop() {
            match at.read_dir() {
                Ok(entries) => open.extend(entries.map(|e| e.unwrap().path())),
                Err(_) => all += &String::from_utf8_lossy(&std::fs::read(&at).unwrap_or_default()),
            }
        }
        all
    }
}

/// Returns a vault with secrets, and resources with programs that repeat the secrets of other resources.
fn manifest(site: &Site, desired: &str) -> String {
    let (secret, dir) = (quoted(desired), site.path().display());
    format!(
        "vault {{ 'v': ensure => present, secret => {secret}, key => {secret}, note => Sensitive({secret}), count => 2 }}\n\
         exec {{ '/bin/cat {dir}/types/forms': logoutput => true }}\n\
         exec {{ '/bin/cat {dir}/types/forms >&2; exit 3': provider => shell, logoutput => on_failure }}\n\
         exec {{ 'secret': command => Sensitive({secret}), path => '/bin' }}\n\
         file {{ '{dir}/copy': content => {secret} }}\n\
         file {{ '{dir}/key': content => Sensitive({secret}) }}\n\
         file {{ '{dir}/valid': content => 'x', validate_cmd => '/bin/cat {dir}/types/forms >&2; exit 1' }}\n"
    )
}

#[test]
fn secrets_that_programs_repeat_appear_in_no_output_of_a_run() {
    for desired in DESIRED {
        let site = Site::new(desired);
        site.write("site.pp", &manifest(&site, desired));
        site.write("copy", &format!("old\n{CURRENT}\n"));
        site.write("key", CURRENT);
        for arguments in [
            &["apply", "--state-dir", "state", "--noop", "-v", "site.pp"][..],
            &["apply", "--state-dir", "state", "-v", "--report", "report", "site.pp"],
            &["apply", "--state-dir", "state", "-v", "--format", "json", "site.pp"],
            &["inspect", "-v", "site.pp"],
            &["inspect", "--format", "json", "site.pp"],
            &["resource", "vault", "v"],
        ] {
            let text = site.run(arguments, "");
            assert!(text.contains("[redacted]"), "{arguments:?}: {text}");
            assert_hidden(&format!("{arguments:?}"), &text);
        }
        assert_hidden("the report", &site.files("report"));
        assert_hidden("the state", &site.files("state").replace(CURRENT, ""));
        let input = format!("{}\n:trace Vault[v]\n:plan\n:noop\n:diff\n", manifest(&site, desired));
        let text = site.run(&["repl", "-v"], &input);
        assert!(text.contains("[redacted]"), "{text}");
        assert_hidden("the REPL", &text);
    }
}

#[test]
fn current_secrets_of_declarative_providers_appear_in_no_run() {
    let site = Site::new(DESIRED[0]);
    let table = format!(
        "type entry {{\n  desc \"An entry.\"\n  ensurable\n  newparam name {{ isnamevar; desc \"Its name.\" }}\n  \
         newproperty secret {{ desc \"Its secret.\"; sensitive true }}\n  newproperty note {{ desc \"A note.\" }}\n}}\n\
         provider table, for: entry {{\n  records\n  file_path \"{}/entries\"\n  \
         parse {{ |line| {{name: $1, secret: $2, note: $3}} if line =~ /\\A(\\S+) (\\S+) (.*)\\z/ }}\n  \
         print {{ |entry| \"#{{entry[:name]}} #{{entry[:secret]}} #{{entry[:note]}}\" }}\n}}\n",
        site.path().display()
    );
    site.write("types/entry.rtype", &table);
    let secret = quoted(DESIRED[0]);
    site.write("site.pp", &format!("entry {{ 'e': ensure => present, secret => {secret}, note => 'new' }}\n"));
    for arguments in [
        &["inspect", "-v", "site.pp"][..],
        &["inspect", "--format", "json", "site.pp"],
        &["resource", "entry"],
        &["apply", "--state-dir", "state", "--noop", "-v", "site.pp"],
        &["apply", "--state-dir", "state", "-v", "--report", "report", "site.pp"],
    ] {
        site.write("entries", "e mArker-current old mArker-current\nother mArker-other note mArker-other\n");
        let text = site.run(arguments, "");
        assert!(text.contains("[redacted]") || text.contains("note"), "{arguments:?}: {text}");
        assert_hidden(&format!("{arguments:?}"), &text);
    }
    assert_hidden("the report", &site.files("report"));
    assert_hidden("the state", &site.files("state"));
}

#[test]
fn secrets_appear_in_no_provider_test() {
    let site = Site::new(DESIRED[0]);
    // rtype quotes the line, because the line is not JSON.
    site.write("types/get", &format!("broken {}", forms(DESIRED[0]).join(" | ").replace('\n', " ")));
    site.write("types/forms", "");
    let set = serde_json::json!({"results": [{"title": "v", "error": {"kind": "failed", "msg": forms(DESIRED[0]).join(" | ")}}]});
    site.write("types/set", &set.to_string()[1..]);
    let secret = quoted(DESIRED[0]);
    site.write("site.pp", &format!("vault {{ 'v': ensure => present, key => {secret}, secret => {secret} }}\n"));
    for format in ["text", "json"] {
        let text = site.run(&["provider", "test", "--format", format, "types/vault.sh", "--resources", "site.pp"], "");
        assert!(text.contains("failed"), "{text}");
        assert_hidden(format, &text);
    }
}

#[test]
fn output_with_short_secrets_is_withheld() {
    let site = Site::new(DESIRED[0]);
    site.write("types/forms", "it is zq7 here\n");
    site.write("site.pp", "vault { 'v': ensure => present, key => 'zq7', count => 2 }\n");
    let text = site.run(&["apply", "--state-dir", "state", "-v", "site.pp"], "");
    assert!(!text.contains("zq7") && text.contains("output withheld: it contains a secret"), "{text}");
}

#[test]
fn passwords_in_urls_are_not_passed_as_arguments() {
    if Command::new("strace").arg("-V").output().is_err() {
        println!("SKIPPED: strace is not installed");
        return;
    }
    let site = Site::new(DESIRED[0]);
    let dir = site.path().display();
    site.write(
        "site.pp",
        &format!(
            "vcsrepo {{ '{dir}/clone': ensure => present, provider => git, source => 'http://me:mArker-pass@127.0.0.1:9/x.git' }}\n\
             archive {{ '{dir}/a': source => 'http://me:mArker%2Dpass@127.0.0.1:9/a.tar', provider => curl }}\n\
             archive {{ '{dir}/b': source => 'http://me:mArker-pass@127.0.0.1:9/b.tar', provider => wget }}\n\
             file {{ '{dir}/c': source => 'http://me:mArker-pass@127.0.0.1:9/c' }}\n"
        ),
    );
    let trace = site.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=execve", "-s", "100000", "-o"]).arg(&trace).arg(env!("CARGO_BIN_EXE_rtype"));
    command.current_dir(site.path()).args(["apply", "--state-dir", "state", "-v", "--report", "report", "site.pp"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("failed"), "{text}");
    assert_hidden("the output", &text);
    assert_hidden("the arguments of programs", &std::fs::read_to_string(&trace).unwrap());
    for name in ["report", "state", "clone"] {
        assert_hidden(name, &site.files(name));
    }
}

#[test]
fn passwords_of_proxies_in_the_environment_appear_in_no_output() {
    let site = Site::new(DESIRED[0]);
    site.write("site.pp", "exec { '/bin/sh -c \"env; env | base64; exit 3\"': logoutput => true }\n");
    let environment = [
        ("http_proxy", "http://me:mArker%40one@127.0.0.1:9"),
        ("HTTPS_PROXY", "me:mArker%C3%A9two@127.0.0.1:9"),
        ("all_proxy", "socks5://:mArker-three@127.0.0.1:9/"),
    ];
    let text = site.run_with(&environment, &["apply", "--state-dir", "state", "-v", "--report", "report", "site.pp"], "");
    assert!(text.contains("http_proxy=http://me:[redacted]@127.0.0.1:9"), "{text}");
    assert_hidden("the output", &text);
    assert_hidden("the report", &site.files("report"));
}

#[test]
fn keys_and_references_in_sensitive_values_are_secrets() {
    let site = Site::new(DESIRED[0]);
    let said = "/bin/echo mArker-key mArker-value mArker-nested mArker-title password";
    site.write(
        "site.pp",
        &format!(
            "notify {{ 'n': message => Sensitive({{'mArker-key' => 'mArker-value', 'password' => [{{'mArker-nested' => 1}}]}}) }}\n\
             file {{ '/nonexistent/x': require => Sensitive(File['mArker-title']) }}\n\
             exec {{ '{said}': logoutput => true }}\n"
        ),
    );
    for arguments in [&["check", "site.pp"][..], &["apply", "--state-dir", "state", "--noop", "site.pp"], &["inspect", "site.pp"]] {
        assert_hidden(&format!("{arguments:?}"), &site.run(arguments, ""));
    }
    let without_reference: String = std::fs::read_to_string(site.path().join("site.pp"))
        .unwrap()
        .lines()
        .filter(|l| !l.starts_with("file"))
        .map(|l| format!("{l}\n"))
        .collect();
    site.write("site.pp", &without_reference.replace("mArker-title", ""));
    let text = site.run(&["apply", "--state-dir", "state", "-v", "site.pp"], "");
    assert!(text.contains("password"), "the name of a field is not a secret: {text}");
    assert_hidden("the output", &text);
}

#[test]
fn the_state_contains_no_title_with_a_secret() {
    let site = Site::new(DESIRED[0]);
    site.write(
        "site.pp",
        "notify { 'n': message => Sensitive('mArker-said') }\n\
         exec { '/bin/echo mArker-said': }\n\
         exec { '/bin/echo https://me:mArker%2Dpass@127.0.0.1/': }\n",
    );
    let arguments = &["apply", "--state-dir", "state", "--report", "report", "site.pp"];
    assert_hidden("the output", &site.run(arguments, ""));
    assert_hidden("the state", &site.files("state"));
    assert_hidden("the report", &site.files("report"));
    let old = site.files("state/state.json").replace("Notify[n]", "Exec[/bin/echo mArker-said]");
    site.write("state/state.json", &old);
    site.run(arguments, "");
    assert_hidden("a state that an older version wrote", &site.files("state"));
}

const CATALOG: &str = r#"{"name":"n","version":1,"environment":"p","catalog_format":1,"edges":[],"classes":[],"resources":[
{"type":"Class","title":"Profile","parameters":{"pw":"mArkerA0"},"sensitive_parameters":["pw"]},
{"type":"Vault","title":"v","parameters":{"secret":"mArkerA1","key":{"__ptype":"Sensitive","__pvalue":"mArkerA2"}}},
{"type":"File","title":"/x","parameters":{"content":"mArkerA3"},"sensitive_parameters":["content"]},
{"type":"File","title":"/y","parameters":{"content":"a mArkerA0 b mArkerA1 c mArkerA2\nd mArkerA3 e mArkerA4"}},
{"type":"Vcsrepo","title":"/z","parameters":{"source":"https://u:mArkerA5%40x@h/p"}},
{"type":"Nosuch","title":"u","parameters":{"token":"mArkerA4","url":"https://u:mArkerA6@h"},"sensitive_parameters":["token"]},
{"type":"Nosuch","title":"https://u:mArkerA7@h","parameters":{}},
{"type":"Exec","title":"/bin/curl https://u:mArkerA8@h","parameters":{}}]}"#;

#[test]
fn secrets_appear_in_no_catalog_diff() {
    let site = Site::new(DESIRED[0]);
    site.write("broken.json", &CATALOG.replace("\"/y\"", "\"/y"));
    assert_hidden("an excerpt of a broken catalog", &site.run(&["check", "broken.json"], ""));
    site.write("old.json", CATALOG);
    site.write("new.json", &CATALOG.replace("mArkerA", "mArkerB"));
    for format in ["text", "json", "markdown"] {
        let text = site.run(&["diff", "--format", format, "old.json", "new.json"], "");
        assert!(text.contains("[redacted]"), "{text}");
        assert_hidden(format, &text);
    }
}

#[test]
fn excerpts_show_no_values_of_invalid_types() {
    let site = Site::new(DESIRED[0]);
    site.write("types/vault.rtype", &VAULT.replace("ensurable", "ensurable nonsense"));
    site.write("site.pp", "vault { 'v': ensure => present, key => 'mArker-key', note => 'mArker-note' }\n");
    for format in ["full", "json", "sarif"] {
        let text = site.run(&["check", "--format", format, "site.pp"], "");
        assert!(text.contains("has errors and cannot be used"), "{text}");
        assert_hidden(format, &text);
    }
}

#[test]
fn errors_about_missing_programs_show_no_short_secret() {
    let site = Site::new(DESIRED[0]);
    site.write("types/forms", "it is zq7 here\n");
    let command = format!("cat {}/types/forms; exit 127", site.path().display());
    site.write(
        "site.pp",
        &format!("notify {{ 'n': message => Sensitive('zq7') }}\nexec {{ '{command}': provider => shell, path => '/bin' }}\n"),
    );
    let text = site.run(&["apply", "--state-dir", "state", "-v", "site.pp"], "");
    assert!(text.contains("failed: [output withheld: it contains a secret]"), "{text}");
}

#[test]
fn passwords_in_urls_appear_in_no_finding() {
    let site = Site::new(DESIRED[0]);
    site.write(
        "types/remote.rtype",
        "type remote {\n  desc \"A remote.\"\n  newparam name { isnamevar; desc \"Its name.\" }\n  \
         newproperty url { desc \"Where it is.\"; munge { |v| fail \"cannot reach #{v}\" } }\n}\n",
    );
    site.write(
        "site.pp",
        "remote { 'a': url => 'https://u:mArker-one@host' }\n\
         remote { 'https://u:mArker-title@host': url => ['https://u:mArker%40two@host/x?y', 1] }\n\
         remote { 'b': url => 'ftp://u:mArker three@host' }\n\
         remote { 'c': url => 'mysql://u:mArker/four?x@host/db' }\n\
         remote { 'd': nonsense => 'https://:mArker-five@host' }\n\
         remote { 'https://u:mArker-six@host': }\n",
    );
    for format in ["full", "json", "sarif"] {
        let text = site.run(&["check", "--format", format, "site.pp"], "");
        assert!(text.contains("cannot reach"), "{text}");
        assert_hidden(format, &text);
    }
    site.run(&["check", "--update-baseline", "site.pp"], "");
    let baseline = site.files("rtype-baseline.json");
    assert!(baseline.contains("Remote[https://u:[redacted]@host]"), "{baseline}");
    assert_hidden("the baseline", &baseline);
    assert_hidden("inspect", &site.run(&["inspect", "site.pp"], ""));
    assert_hidden("the REPL", &site.run(&["repl"], &std::fs::read_to_string(site.path().join("site.pp")).unwrap()));
}

#[test]
fn the_length_of_a_secret_appears_in_no_table() {
    let inspected = |secret: &str| {
        let site = Site::new(DESIRED[0]);
        let manifest = format!("vault {{ 'v': key => '{secret}', note => 'x {secret} y', count => 2 }}\n");
        site.write("site.pp", &manifest);
        let text = site.run(&["inspect", "site.pp"], "");
        assert!(text.contains("'x [redacted] y'"), "{text}");
        assert_hidden("inspect", &text);
        text
    };
    assert_eq!(inspected("mArker"), inspected("mArker-that-is-longer"));
}

#[test]
fn an_unused_default_is_a_secret() {
    let site = Site::new(DESIRED[0]);
    site.write(
        "site.pp",
        "Vault { key => Sensitive('mArker-default') }\nvault { 'v': key => 'another', count => 1, note => 'x mArker-default', ensure => Sensitive(present) }\n",
    );
    for arguments in [&["inspect", "site.pp"][..], &["apply", "--noop", "--state-dir", "state", "site.pp"]] {
        let text = site.run(arguments, "");
        assert!(text.contains("x [redacted]"), "{text}");
        assert_hidden(&format!("{arguments:?}"), &text);
    }
}

/// Values that are too short for a search in longer strings. They appear in no output by chance.
const SHORT: [&str; 3] = ["\u{462}\u{46e}", "\u{470}", "\u{472}\u{474}\u{460}"];

const LOCKER: &str = r#"
type locker {
  desc "A locker."
  ensurable
  newparam name { isnamevar; desc "Its name." }
  newparam keys { desc "What opens it."; sensitive true }
  newproperty parts, array_matching: all { desc "What is in it."; sensitive true }
  newproperty labels { desc "What is on it."; type Hash; sensitive true }
  newproperty notes, array_matching: all { desc "What is said of it." }
}
provider script, for: locker { program "./locker.sh", timeout: 5 }
"#;

const LOCKER_SCRIPT: &str = r#"#!/bin/sh
cd "$(dirname "$0")"
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *hello*) echo '{"id":'$id',"protocol":1,"name":"locker","version":"1","type":"locker","ops":["get","set"],"attributes_read":["ensure","parts","labels","notes"],"attributes_write":["ensure","parts","labels","notes"]}' ;;
    *'"op":"get"'*) printf '{"id":%s,%s\n' "$id" "$(cat get)" ;;
    *) printf '{"id":%s,"results":[{"title":"l","error":null}]}\n' "$id" ;;
  esac
done
"#;

/// A part of a sensitive collection is hidden because of the collection, not because a search finds the part.
#[test]
fn short_parts_of_sensitive_collections_are_not_printed() {
    let [a, b, c] = SHORT;
    let site = Site::new(DESIRED[0]);
    site.write("types/locker.rtype", LOCKER);
    site.write("types/locker.sh", LOCKER_SCRIPT);
    std::fs::set_permissions(site.path().join("types/locker.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let shapes = [
        format!("keys => ['{a}', '{b}']"),
        format!("keys => {{'{a}' => [{{'x' => '{b}'}}]}}"),
        format!("parts => ['{a}', '{b}']"),
        format!("parts => ['open', ['{a}'], {{'{b}' => '{c}'}}]"),
        format!("labels => {{'k' => '{a}', 'l' => ['{b}', '{c}']}}"),
        format!("labels => {{'{a}' => 1}}"),
        format!("notes => Sensitive(['{a}', '{b}'])"),
        format!("notes => Sensitive({{'k' => '{a}'}})"),
        format!("notes => ['open', Sensitive('{a}'), Sensitive('{b}')]"),
        // Findings about the values themselves.
        format!("labels => ['{a}', '{b}']"),
        format!("parts => ['{a}', '{b}'], nosuch => 1"),
        format!("ensure => ['open'], keys => ['{b}']"),
    ];
    let currents = [
        serde_json::json!({"name": "l", "ensure": "absent"}),
        serde_json::json!({"name": "l", "ensure": "present", "parts": [c, "x"], "labels": {"k": c, b: 1}, "notes": ["x"]}),
    ];
    let commands: &[&[&str]] = &[
        &["check", "-v", "site.pp"],
        &["check", "--format", "json", "site.pp"],
        &["check", "--format", "sarif", "site.pp"],
        &["inspect", "-v", "site.pp"],
        &["inspect", "--format", "json", "site.pp"],
        &["apply", "-v", "--noop", "--state-dir", "state", "--report", "report", "site.pp"],
        &["apply", "-v", "--simulate", "--state-dir", "state", "site.pp"],
        &["apply", "-v", "--state-dir", "state", "--format", "json", "site.pp"],
        &["apply", "-v", "--state-dir", "state", "--report", "report", "site.pp"],
        &["repl", "site.pp"],
    ];
    let mut leaks = Vec::new();
    for current in currents {
        site.write("types/get", &serde_json::json!({"resources": [current], "complete": true}).to_string()[1..]);
        for shape in &shapes {
            site.write(
                "site.pp",
                &format!("locker {{ 'l': ensure => present, {shape} }}\n").replace("ensure => present, ensure", "ensure"),
            );
            for arguments in commands {
                let input = if arguments[0] == "repl" { "Locker['l']\n:plan\n:list\n:trace\n" } else { "" };
                let text = site.run(arguments, input) + &site.files("state") + &site.files("report");
                leaks.extend(
                    SHORT.iter().filter(|short| text.contains(**short)).map(|short| format!("{short} in {arguments:?} of {shape}: {text}")),
                );
            }
        }
    }
    assert!(leaks.is_empty(), "{} outputs show a part:\n{}", leaks.len(), leaks.join("\n"));
}
