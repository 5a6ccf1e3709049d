//! Secrets appear in no output, no matter which program repeats them or how.
//!
//! Markers are planted as desired and as current values. Programs repeat them in every form that is usual; then all outputs, the state
//! directory and the arguments of programs are searched, in clear and decoded.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use rtype::library::Library;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What is desired.
const DESIRED: &[&str] = &[
    "mArker-des'ired\\q \"100%\" žluť+/x?&",
    "-----BEGIN PRIVATE KEY-----\nmArkerMIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAq7BFUpkGp3+LQm\nmArkerYx2eqzDV+xeG8kx/sQFV18S5JhzGeIJNA72wSeukEPojtqUyX2J0CciPBh7eqc\n-----END PRIVATE KEY-----\n",
];

/// What is there.
const CURRENT: &str = "mArker-cur'rent\\n \"é\" line\nmArker-second line";

/// A token that every marker holds; no output may hold it.
const TOKEN: &str = "mArker";

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

    /// Both outputs of a run.
    fn run(&self, arguments: &[&str], input: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.current_dir(self.path()).args(["--types", "types"]).args(arguments).env("HOME", self.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }

    /// All files below a directory.
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

/// What programs make of a text.
fn forms(secret: &str) -> Vec<String> {
    let json = serde_json::to_string(secret).unwrap();
    let ascii = |upper: bool| -> String {
        let unit = |u: u16| if upper { format!("\\u{u:04X}") } else { format!("\\u{u:04x}") };
        json.chars()
            .map(|c| if c.is_ascii() { c.to_string() } else { c.encode_utf16(&mut [0; 2]).iter().map(|u| unit(*u)).collect() })
            .collect()
    };
    let percent = |plus: bool| -> String {
        let one = |b: u8| match b {
            b' ' if plus => "+".to_owned(),
            b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
            b => format!("%{b:02X}"),
        };
        secret.bytes().map(one).collect()
    };
    let wrapped: String = STANDARD.encode(secret).as_bytes().chunks(76).map(|l| format!("{}\n", std::str::from_utf8(l).unwrap())).collect();
    vec![
        secret.to_owned(),
        serde_json::to_string(&json).unwrap(),
        json.clone(),
        ascii(true),
        ascii(false),
        format!("{secret:?}"),
        format!("'{}'", secret.replace('\'', r"'\''")),
        format!("$'{}'", secret.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
        percent(true),
        percent(false),
        secret.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02x}") }).collect(),
        wrapped,
        STANDARD.encode(format!("x{secret}")),
        URL_SAFE.encode(format!("{{\"p\":{json}}}")),
        secret.bytes().map(|b| format!("{b:02x}")).collect(),
    ]
}

/// What a text may hold when it is decoded.
fn readings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    let unescaped = |text: &str| text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\u006d", "m").replace("\\\\", "\\");
    all.push(unescaped(text));
    all.push(unescaped(&unescaped(text)));
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/-_".contains(c);
    let runs: Vec<String> = text.replace("\\n", "\n").split(|c| !is_letter(c)).filter(|run| run.len() >= 8).map(str::to_owned).collect();
    for run in runs {
        for skip in 0..4 {
            let part: String = run
                .chars()
                .skip(skip)
                .map(|c| {
                    if c == '-' {
                        '+'
                    } else if c == '_' {
                        '/'
                    } else {
                        c
                    }
                })
                .collect();
            let whole = &part[..part.len() - part.len() % 4];
            all.extend(STANDARD_NO_PAD.decode(whole).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        }
        let hex: Vec<u8> = (0..run.len() / 2).filter_map(|i| u8::from_str_radix(run.get(2 * i..2 * i + 2)?, 16).ok()).collect();
        all.push(String::from_utf8_lossy(&hex).into_owned());
    }
    all
}

#[track_caller]
fn assert_hidden(what: &str, text: &str) {
    let leak = readings(text).into_iter().find(|reading| reading.contains(TOKEN));
    if let Some(leak) = leak {
        let at = leak.find(TOKEN).unwrap();
        let around: String = leak.chars().skip(leak[..at].chars().count().saturating_sub(60)).take(200).collect();
        panic!("{what} shows a secret: …{around}…");
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A vault with secrets, and resources whose programs repeat those of others.
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
fn secrets_appear_in_no_format_of_findings() {
    let site = Site::new(DESIRED[0]);
    let mut library = Library::default();
    let mut text = String::new();
    let secret = quoted(DESIRED[0]);
    for name in library.names() {
        let Some(type_def) = library.load(&name) else { continue };
        for attribute in &type_def.attributes {
            let value = if attribute.sensitive { secret.clone() } else { format!("Sensitive({secret})") };
            text += &format!("{name} {{ '/x/{}': {} => {value} }}\n", attribute.name, attribute.name);
        }
    }
    site.write("site.pp", &text);
    for format in ["full", "concise", "json", "jsonl", "github", "gitlab", "sarif", "junit", "checkstyle", "rdjson"] {
        let text = site.run(&["check", "--format", format, "site.pp"], "");
        assert!(text.contains("site.pp"), "{format}: {text}");
        assert_hidden(format, &text);
    }
}

#[test]
fn secrets_of_all_standard_types_appear_in_no_run() {
    let site = Site::new(DESIRED[0]);
    let mut library = Library::default();
    let mut count = 0;
    for name in library.names() {
        let Some(type_def) = library.load(&name) else { continue };
        let has_ensure = type_def.attributes.iter().any(|a| a.name.as_str() == "ensure");
        for attribute in type_def.attributes.iter().filter(|a| a.sensitive) {
            count += 1;
            let ensure = if has_ensure { "ensure => present, " } else { "" };
            let secret = quoted(DESIRED[count % 2]);
            // A comment has one line.
            let comment = quoted(DESIRED[count % 2].lines().nth(1).unwrap_or(DESIRED[0]));
            let text = format!("{name} {{ '/x/{0}': {ensure}{0} => {secret} }} # {comment}\n", attribute.name);
            site.write("site.pp", &text);
            for arguments in [&["apply", "--state-dir", "state", "--noop", "-v", "site.pp"][..], &["inspect", "-v", "site.pp"]] {
                assert_hidden(&format!("{name}/{}: {arguments:?}", attribute.name), &site.run(arguments, ""));
            }
        }
    }
    assert!(count > 3, "{count} sensitive attributes");
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
    // A line that is quoted because it is not JSON.
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
fn short_secrets_withhold_the_output_that_holds_them() {
    let site = Site::new(DESIRED[0]);
    site.write("types/forms", "it is zq7 here\n");
    site.write("site.pp", "vault { 'v': ensure => present, key => 'zq7', count => 2 }\n");
    let text = site.run(&["apply", "--state-dir", "state", "-v", "site.pp"], "");
    assert!(!text.contains("zq7") && text.contains("output withheld: it contains a secret"), "{text}");
}

#[test]
fn passwords_of_addresses_are_no_arguments() {
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
