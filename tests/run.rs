//! `rtype apply` from the command line, in temporary directories: output, exit statuses, reports, termination.
//!
//! Changes to whole machines are tested on disposable machines (`tests/lab`); tests here touch nothing outside a temporary directory.

mod untranslated;

use crate::common::site;
use serde_json::Value as Json;
use site::Site;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Returns a diagnostic without line breaks.
fn in_one_line(text: &str) -> String {
    text.replace('|', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_run_reports_changes_and_the_next_one_changes_nothing() {
    let site = Site::new("file { '@/motd': content => \"Welcome.\\n\", mode => '0640' }\n");
    let (text, status) = site.apply(&["site.pp", "--detailed-exitcodes"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("\nFile[@/motd]/ensure: defined content as '{sha256}"), "{text}");
    assert!(text.ends_with("1 resource: 1 changed, 0 in sync"), "{text}");
    assert_eq!(site.read("motd"), "Welcome.\n");
    assert_eq!(site.apply(&["site.pp", "--detailed-exitcodes"]), ("1 resource: 1 in sync".to_owned(), 0));
}

#[test]
fn noop_writes_nothing_and_reports_drift_by_exit_status() {
    let site = Site::new("file { '@/motd': ensure => file }\n");
    let (text, status) = site.apply(&["site.pp", "--noop", "--detailed-exitcodes"]);
    assert_eq!(
        (text.as_str(), status),
        ("File[@/motd]/ensure: current_value 'absent', should be 'file' (noop)\n1 resource: 1 would change, 0 in sync", 2)
    );
    let left: Vec<String> = std::fs::read_dir(site.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(left, ["site.pp"]);
    assert_eq!(site.apply(&["site.pp", "--noop"]).1, 0);
}

#[test]
fn failures_are_reported_and_other_resources_applied() {
    let site = Site::new(
        "file { '@/no/such/dir': ensure => file }\nfile { '@/dependent': ensure => file, require => File['@/no/such/dir'] }\nfile { '@/other': ensure => file }\n",
    );
    let (text, status) = site.apply(&["site.pp"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("error: File[@/no/such/dir]/ensure: change from 'absent' to 'file' failed: "), "{text}");
    assert!(text.contains("warning: File[@/dependent]: skipped, it depends on `File[@/no/such/dir]`, which failed"), "{text}");
    assert!(site.path().join("other").exists() && !site.path().join("dependent").exists());
    assert_eq!(site.apply(&["site.pp", "--detailed-exitcodes"]).1, 4);
    site.write("site.pp", "file { '@/no/such/dir': ensure => file }\nfile { '@/more': ensure => file }\n");
    assert_eq!(site.apply(&["site.pp", "--detailed-exitcodes"]).1, 6);
}

#[test]
fn json_on_standard_output_has_no_other_lines() {
    let site = Site::new("file { '@/motd': enuser => file }\n");
    let output = site.command(&["site.pp", "--format", "json"]).output().unwrap();
    assert_eq!((output.stdout, output.status.code()), (Vec::new(), Some(1)));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error[RM002]"));
}

/// A separate file system, unmounted on drop; `None` if this process may not mount file systems.
struct Mounted(std::path::PathBuf);

impl Mounted {
    fn new(at: std::path::PathBuf, options: &str) -> Option<Mounted> {
        std::fs::create_dir(&at).unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&at).output().ok()?;
        mount.status.success().then_some(Mounted(at))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn full_disk_missing_permission_and_timeout_fail_one_resource_each() {
    let site = Site::new("");
    let mounts = [("full", "size=64k"), ("fixed", "ro")].map(|(name, options)| Mounted::new(site.path().join(name), options));
    let mut manifest = "exec { '/bin/sleep 100': timeout => 1 }\nfile { '@/other': ensure => file }\n".to_owned();
    let mut failures = vec!["error: Exec[/bin/sleep 100]/returns: change from 'notrun' to ['0'] failed: "];
    if mounts.iter().all(Option::is_some) {
        manifest += &format!("file {{ '@/full/f': content => '{}' }}\nfile {{ '@/fixed/f': ensure => file }}\n", "x".repeat(200_000));
        failures.push("failed: cannot write @/full/f: no space is left on the device");
        failures.push("failed: cannot write @/fixed/f: the file system is read-only");
    }
    site.write("site.pp", &manifest);
    let (text, status) = site.apply(&["site.pp", "--no-diff"]);
    assert_eq!(status, 1, "{text}");
    failures.iter().for_each(|line| assert!(text.contains(line), "{line}: {text}"));
    assert!(text.contains(&format!("{} failed", failures.len())) && site.path().join("other").exists(), "{text}");
}

#[test]
fn errors_in_declarations_prevent_all_changes() {
    let site = Site::new("file { '@/motd': ensure => file }\nfile { '@/other': ensure => file, require => File['@/gone'] }\n");
    let (text, status) = site.apply(&["site.pp"]);
    assert_eq!(status, 1);
    assert!(in_one_line(&text).contains("`File[@/gone]` is not declared"), "{text}");
    assert!(text.contains("nothing was changed because of these errors"), "{text}");
    assert!(!site.path().join("motd").exists());
}

#[test]
fn dependency_cycles_are_reported_in_full_before_any_change() {
    let site =
        Site::new("file { '@/a': ensure => file, require => File['@/b'] }\nfile { '@/b': ensure => file, require => File['@/a'] }\n");
    let (text, status) = site.apply(&["site.pp"]);
    assert_eq!(status, 1);
    // A long path may be wrapped anywhere.
    let text = in_one_line(&text).replace(' ', "").replace(site.path().to_str().unwrap(), "@");
    assert!(text.contains("dependencycycle:File[@/a]→File[@/b]→File[@/a]"), "{text}");
    assert!(!site.path().join("a").exists());
}

#[test]
fn report_lines_match_their_schema() {
    let site = Site::new(
        "file { '@/a': content => 'x', audit => mode }\nfile { '@/no/b': ensure => file }\nfile { '@/c': ensure => file, require => File['@/no/b'] }\nnotify { 'hello': subscribe => File['@/a'] }\n",
    );
    site.apply(&["site.pp", "--report", "one.jsonl"]);
    site.apply(&["site.pp", "--noop", "--report", "two.jsonl"]);
    let (stdout, _) = site.apply(&["site.pp", "--format", "json"]);
    site.write("three.jsonl", &stdout);
    let schema: Json = serde_json::from_str(rtype_engine::report::SCHEMA).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for name in ["one.jsonl", "two.jsonl", "three.jsonl"] {
        let lines = site.report(name);
        for line in &lines {
            let wrong: Vec<String> = schema.iter_errors(line).map(|e| e.to_string()).collect();
            assert!(wrong.is_empty(), "{line}: {wrong:?}");
        }
        let kinds: Vec<&str> = lines.iter().map(|l| l["kind"].as_str().unwrap()).collect();
        assert_eq!((kinds[0], *kinds.last().unwrap()), ("run", "summary"));
        assert_eq!(kinds.iter().filter(|k| **k == "resource").count(), 4, "{name}");
    }
    let created =
        site.report("one.jsonl").into_iter().find(|l| l["kind"] == "event" && l["title"].as_str().unwrap().ends_with("/a")).unwrap();
    assert_eq!(
        (&created["property"], &created["status"], &created["previous"], &created["desired"]),
        (&"ensure".into(), &"success".into(), &"absent".into(), &"file".into())
    );
    assert!(!schema.is_valid(&serde_json::json!({ "kind": "event" })));
}

#[test]
fn secrets_appear_in_no_output_report_or_state() {
    let site = Site::new("file { '@/key': content => Sensitive('tops3cret-key'), mode => '0600' }\n");
    std::fs::write(site.path().join("key"), "an-older-s3cret").unwrap();
    let (text, status) = site.apply(&["site.pp", "--report", "run.jsonl", "-v"]);
    assert_eq!(status, 0, "{text}");
    assert_eq!(site.read("key"), "tops3cret-key");
    for text in [text, site.read("run.jsonl"), site.read("state/state.json")] {
        assert!(!text.contains("tops3cret") && !text.contains("s3cret"), "{text}");
    }
    assert!(!site.path().join("state/bucket").exists(), "a secret was backed up");
}

#[test]
fn containers_of_a_catalog_order_their_contents() {
    let site = Site::new("");
    let resource =
        |kind: &str, title: &str, parameters: Json| serde_json::json!({ "type": kind, "title": title, "parameters": parameters });
    let directory = site.path().to_str().unwrap();
    let file = |name: &str| format!("{directory}/{name}");
    let catalog = serde_json::json!({
        "name": "here", "version": 1, "environment": "production",
        "resources": [
            resource("Stage", "main", serde_json::json!({})),
            resource("Class", "Late", serde_json::json!({ "require": "Class[Early]" })),
            resource("File", &file("late"), serde_json::json!({ "ensure": "file" })),
            resource("Class", "Early", serde_json::json!({})),
            resource("File", &file("no/early"), serde_json::json!({ "ensure": "file" })),
            resource("File", &file("other"), serde_json::json!({ "ensure": "file" })),
        ],
        "edges": [
            { "source": "Stage[main]", "target": "Class[Late]" }, { "source": "Stage[main]", "target": "Class[Early]" },
            { "source": "Class[Late]", "target": format!("File[{}]", file("late")) },
            { "source": "Class[Early]", "target": format!("File[{}]", file("no/early")) },
            { "source": "Stage[main]", "target": format!("File[{}]", file("other")) },
        ],
        "classes": ["early", "late"],
    });
    site.write("catalog.json", &catalog.to_string());
    let (text, status) = site.apply(&["catalog.json"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("File[@/late]: skipped, it depends on `File[@/no/early]`, which failed"), "{text}");
    assert!(site.path().join("other").exists());
}

#[test]
fn concurrent_runs_are_prevented() {
    let site = Site::new("exec { '/bin/sleep 5': }\n");
    let mut first = site.command(&["site.pp"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let lock = site.path().join("state/lock");
    while std::fs::read_to_string(&lock).unwrap_or_default().is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let (text, status) = site.apply(&["site.pp"]);
    assert_eq!(status, 1);
    assert!(text.contains(&format!("another run is changing this machine (process {})", first.id())), "{text}");
    assert_eq!(site.apply(&["site.pp", "--noop"]).1, 0, "a noop run needs no lock");
    first.kill().unwrap();
    first.wait().unwrap();
}

/// A run may be killed at any moment. Every file has the old or the new content then, and the next run completes the changes.
#[test]
fn a_killed_run_leaves_no_partial_file() {
    let manifest = |word: &str| {
        let mut text = String::new();
        for i in 0..40 {
            text.push_str(&format!("file {{ '@/{i}': content => \"{}\\n\", backup => false }}\n", word.repeat(2000)));
            text.push_str(&format!(
                "host {{ 'h{i}.example': ip => '192.0.2.{}', target => '@/hosts' }}\n",
                if word == "a" { i } else { i + 100 }
            ));
        }
        text
    };
    let site = Site::new(&manifest("a"));
    site.write("other.pp", &manifest("b"));
    assert_eq!(site.apply(&["site.pp"]).1, 0);
    // The moments are relative to the duration of a run on this machine.
    let begun = std::time::Instant::now();
    assert_eq!(site.apply(&["other.pp", "--no-diff"]).1, 0);
    let whole = begun.elapsed();
    assert_eq!(site.apply(&["site.pp", "--no-diff"]).1, 0);
    let (a, b) = ("a".repeat(2000) + "\n", "b".repeat(2000) + "\n");
    let mut seen: BTreeMap<bool, u32> = BTreeMap::new();
    for round in 0..24 {
        let name = if round % 2 == 0 { "other.pp" } else { "site.pp" };
        let mut child = site.command(&[name, "--no-diff"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * (round * 7 % 24) / 24);
        child.kill().unwrap();
        child.wait().unwrap();
        for i in 0..40 {
            let text = site.read(&i.to_string());
            assert!(text == a || text == b, "round {round}: file {i} is torn: {} bytes", text.len());
            *seen.entry(text == a).or_default() += 1;
        }
        let hosts = site.read("hosts");
        assert_eq!(hosts.lines().filter(|l| l.ends_with(".example")).count(), 40, "round {round}: {hosts}");
    }
    assert_eq!(seen.len(), 2, "no run was killed in the middle: {seen:?}");
    assert_eq!(site.apply(&["other.pp", "--no-diff"]).1, 0);
    assert!((0..40).all(|i| site.read(&i.to_string()) == b));
    assert_eq!(site.apply(&["other.pp", "--detailed-exitcodes"]).1, 0);
}

#[test]
fn state_is_kept_in_a_directory_of_the_user() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    let site = Site::new("notify { 'once': }\nfile { '@/made': ensure => file }");
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0);
    let run = |variable: &str, state: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.current_dir(site.path()).args(["apply", "site.pp"]).stdin(Stdio::null());
        command.env_remove("XDG_STATE_HOME").env("HOME", site.path()).env(variable, site.path().join("home"));
        if is_root {
            // As root, the run would use the state directory of the machine that runs the tests.
            chown(site.path(), Some(65534), Some(65534)).unwrap();
            command.uid(65534).gid(65534);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let file = std::fs::metadata(site.path().join(state).join("state.json")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    };
    run("XDG_STATE_HOME", "home/rtype");
    run("HOME", "home/.local/state/rtype");
}

#[test]
fn a_directory_that_another_tidy_empties_is_removed_in_either_order() {
    for files_first in [true, false] {
        let files = "tidy { '@/spool': recurse => true, matches => '*.log' }\n";
        let directories = "tidy { '@/': recurse => true, rmdirs => true, age => '1d', type => mtime }\n";
        let site = Site::new(&if files_first { format!("{files}{directories}") } else { format!("{directories}{files}") });
        std::fs::create_dir_all(site.path().join("spool/old")).unwrap();
        std::fs::create_dir_all(site.path().join("spool/kept")).unwrap();
        site.write("spool/old/a.log", "a");
        site.write("spool/kept/a.log", "a");
        site.write("spool/kept/young", "young");
        let long_ago = ["-d", "2020-01-01"];
        for name in ["spool/old/a.log", "spool/old", "spool/kept/a.log", "spool/kept"] {
            Command::new("touch").args(long_ago).arg(site.path().join(name)).status().unwrap();
        }
        let (text, status) = site.apply(&["site.pp"]);
        assert_eq!(status, 0, "{text}");
        assert!(!site.path().join("spool/old").exists(), "{text}");
        assert!(site.path().join("spool/kept/young").exists() && !site.path().join("spool/kept/a.log").exists(), "{text}");
    }
}

#[test]
fn tidy_sees_what_earlier_resources_of_the_run_made_and_removed() {
    let site = Site::new(concat!(
        "file { '@/spool/old/note': ensure => absent }\n",
        "file { '@/spool/made': ensure => file }\n",
        "tidy { '@/spool': recurse => true, rmdirs => true, require => File['@/spool/old/note', '@/spool/made'] }\n",
    ));
    std::fs::create_dir_all(site.path().join("spool/old")).unwrap();
    site.write("spool/old/note", "x");
    let (text, status) = site.apply(&["site.pp"]);
    assert_eq!(status, 0, "{text}");
    assert!(!site.path().join("spool/old").exists(), "{text}");
    assert!(site.path().join("spool/made").exists(), "{text}");
}

#[test]
fn binary_values_are_written_as_bytes() {
    let bytes = [0xff, 0x00, 0xfe];
    let site = Site::new("file { '@/pp': content => Binary('/wD+') }\nfile { '@/text': content => Binary(\"bGFi\") }\n");
    site.write(
        "catalog.json",
        r#"{"resources": [
            {"type": "File", "title": "@/json", "parameters": {"ensure": "file", "content": {"__ptype": "Binary", "__pvalue": "/wD+"}}},
            {"type": "File", "title": "@/secret", "parameters": {"content": {"__ptype": "Sensitive", "__pvalue": {"__ptype": "Binary", "__pvalue": "/wD+"}}}},
            {"type": "Concat_file", "title": "@/concat", "parameters": {"path": "@/concat"}},
            {"type": "Concat_fragment", "title": "a", "parameters": {"target": "@/concat", "content": "a", "order": "1"}},
            {"type": "Concat_fragment", "title": "b", "parameters": {"target": "@/concat", "content": {"__ptype": "Binary", "__pvalue": "/wD+"}, "order": "2"}}
        ]}"#,
    );
    site.write("site.yaml", "file:\n  '@/yaml':\n    content: !binary |\n      /wD+\n  '@/yaml_text':\n    content: !binary bGFi\n");
    let (text, status) = site.apply(&["site.pp", "catalog.json", "site.yaml"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("File[@/text]/ensure: defined content as '{sha256}"), "{text}");
    // The same bytes are also a secret of another resource, so their digest is redacted everywhere.
    assert!(text.contains("File[@/json]/ensure: defined content as '[redacted]'"), "{text}");
    for name in ["pp", "json", "yaml", "secret"] {
        assert_eq!(std::fs::read(site.path().join(name)).unwrap(), bytes, "{name}");
    }
    assert_eq!((site.read("text").as_str(), site.read("yaml_text").as_str()), ("lab", "lab"));
    assert_eq!(std::fs::read(site.path().join("concat")).unwrap(), [b"a".as_slice(), &bytes].concat());
    let again = site.apply(&["site.pp", "catalog.json", "site.yaml", "--detailed-exitcodes"]);
    assert_eq!(again.1, 0, "{}", again.0);
}

#[test]
fn text_providers_get_only_valid_text() {
    let site = Site::new("host { 'box': ip => Binary('/wD+') }\nfile_line { 'l': path => '@/lines', line => Binary('/wD+') }\n");
    site.write("lines", "");
    let (text, status) = site.apply(&["site.pp", "--noop"]);
    assert_eq!(status, 1, "{text}");
    assert!(!text.contains("would change"), "{text}");
    assert_eq!(site.read("lines"), "");
    site.write("site.pp", "file { '@/x': content => Binary('no base64!') }\n");
    let (text, status) = site.apply(&["site.pp"]);
    assert!(status == 1 && text.contains("valid base64"), "{text}");
}

#[test]
fn noop_predicts_certain_failures() {
    let site = Site::new(concat!(
        "lamp { 'hall': ensure => present }\n",
        "file { '@/no/such/dir/file': ensure => file }\n",
        "file { '@/owned': ensure => file, owner => 'h0rse' }\n",
        "file { '@/made': ensure => directory }\n",
        "file { '@/made/file': ensure => file }\n",
        "user { 'bob0': ensure => present }\n",
        "file { '@/bob': ensure => file, owner => 'bob0' }\n",
    ));
    site.write("types/lamp.rtype", "type lamp {\n  newparam name { isnamevar }\n  ensurable\n}\n");
    let (text, status) = site.apply(&["site.pp", "--noop", "--detailed-exitcodes", "--types", "types"]);
    assert_eq!(status, 6, "{text}");
    for failed in [
        "error: Lamp[hall]: `lamp` has no provider; `--ruby-providers` runs those of modules",
        "error: File[@/no/such/dir/file]/ensure: change from 'absent' to 'file' failed: cannot write @/no/such/dir/file: the directory @/no/such/dir does not exist",
        "error: File[@/owned]/ensure: change from 'absent' to 'file' failed: could not find user h0rse",
    ] {
        assert!(text.contains(failed), "{failed}\n{text}");
    }
    for fine in ["File[@/made/file]/ensure: current", "File[@/bob]/ensure: current"] {
        assert!(text.contains(fine), "{fine}\n{text}");
    }
    // The unknown effects of a command may satisfy the requirement.
    site.write("site.pp", "exec { '/bin/mkdir @/later': }\n-> file { '@/later/file': ensure => file }\n");
    let (text, status) = site.apply(&["site.pp", "--noop"]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn noop_accepts_owners_that_will_be_created() {
    let site = Site::new("user { 'bob0': ensure => present }\n-> file { '@/there': owner => 'bob0' }\n");
    site.write("there", "");
    let (text, status) = site.apply(&["site.pp", "--noop"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("File[@/there]/owner: current_value"), "{text}");
    site.write("site.pp", "file { '@/there': owner => 'h0rse' }\n");
    assert_eq!(site.apply(&["site.pp", "--noop"]).1, 1);
}

/// Titles, messages, file names and output of programs may contain any characters. No line in them can look like a line of rtype, or
/// control the terminal.
#[test]
fn foreign_text_cannot_forge_lines() {
    const FORGED: &str = "File[/etc/shadow]/ensure: created";
    let site = Site::new("");
    for separator in ["\n", "\r\n", "\r", "\u{2028}", "\u{85}", "\u{1b}[2K\u{1b}[1G", "\u{202e}", "\u{200b}", "\u{e0041}"] {
        let title = format!("a{separator}{FORGED}");
        let program = format!("/bin/printf '%s' '{title}' >&2; exit 3");
        let resources = serde_json::json!([
            { "type": "notify", "title": title, "parameters": { "message": title } },
            { "type": "exec", "title": format!("{title} "), "parameters": { "command": program, "provider": "shell", "logoutput": true } },
            { "type": "file", "title": format!("/nowhere/{title}"), "parameters": { "content": title, "tag": title, "require": format!("Exec[{title} ]") } },
        ]);
        site.write("site.json", &resources.to_string());
        let types = format!("type door {{\n  newparam name {{ isnamevar }}\n  desc 'x{separator}{FORGED}'\n}}\n");
        site.write("door.rtype", &types);
        let all = |verb: &str, arguments: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_rtype")).current_dir(site.path()).arg(verb).args(arguments).output().unwrap();
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
        };
        for (what, text) in [
            ("apply", site.apply(&["site.json"]).0),
            ("apply --noop", site.apply(&["site.json", "--noop"]).0),
            ("inspect", all("inspect", &["site.json"])),
            ("check", all("check", &["site.json", "door.rtype"])),
            ("check --format concise", all("check", &["site.json", "--format", "concise"])),
            ("describe", all("describe", &["door.rtype"])),
        ] {
            let bad = |c: char| (c.is_control() && c != '\n') || "\u{2028}\u{202e}\u{200b}\u{e0041}".contains(c);
            assert_eq!(text.chars().find(|c| bad(*c)), None, "{what}: {text:?}");
            let forged = text.lines().find(|line| line.starts_with(FORGED));
            assert_eq!(forged, None, "{what}: {text}");
        }
    }
}

/// A deferred value whose function is not called: rtype reads and changes no attribute of the resource, regardless of the attribute with
/// the value.
#[test]
fn resources_with_values_that_are_not_known_fail_untouched() {
    let unknown = "Deferred('sprintf', ['%s', 'x'])";
    let files = format!(
        "file {{ '@/content': content => {unknown} }}
        file {{ '@/secret': content => Sensitive({unknown}) }}
        file {{ '@/source': source => {unknown} }}
        file {{ '@/dependent': ensure => file, require => File['@/content'] }}
        file {{ '@/ok': ensure => file }}
        exec {{ 'command': command => {unknown} }}
        exec {{ 'unless': command => '/bin/touch @/unless', unless => {unknown} }}
        exec {{ 'nested': command => '/bin/touch @/nested', environment => ['A=b', {unknown}] }}
        exec {{ 'refresh': command => '/bin/touch @/refresh', path => {unknown}, refreshonly => true, subscribe => File['@/ok'] }}\n"
    );
    let others = format!(
        "cron {{ 'cron': command => {unknown}, user => 'rtype-absent' }}
        user {{ 'rtype-nosuch': ensure => present, password => Sensitive({unknown}) }}\n"
    );
    let site = Site::new(&files);
    site.write("others.pp", &others);
    let of_files = "File[@/content]: content, File[@/secret]: content, File[@/source]: source, Exec[command]: command, \
        Exec[unless]: unless, Exec[nested]: environment, Exec[refresh]: path";
    let of_others = "Cron[cron]: command, User[rtype-nosuch]: password";
    for (options, failed) in [(&["others.pp", "--noop"][..], of_others), (&["site.pp", "--noop"], of_files), (&["site.pp"], of_files)] {
        let (text, status) = site.apply(options);
        assert_eq!(status, 1, "{text}");
        let not_known = "what it should be is not known yet; `--ruby-providers` calls the functions of deferred values";
        for of in failed.split(", ") {
            assert!(text.contains(&format!("error: {of}: {not_known}")), "{of} in {text}");
        }
        assert!(text.contains(&format!("{} failed", failed.split(", ").count())), "{text}");
        let skipped = "File[@/dependent]: skipped, it depends on `File[@/content]`, which failed";
        assert!(options == ["others.pp", "--noop"] || text.contains(skipped), "{text}");
    }
    let made = ["content", "secret", "source", "dependent", "unless", "nested", "refresh"];
    assert!(made.iter().all(|name| !site.path().join(name).exists()) && site.path().join("ok").exists());
}

/// Returns a catalog of files, each with tags.
fn tagged(site: &Site, files: &[(&str, &[&str])]) -> String {
    let file = |(name, tags): &(&str, &[&str])| serde_json::json!({"type": "File", "title": site.path().join(name), "tags": tags, "parameters": {"ensure": "file"}});
    let resources: Vec<Json> = files.iter().map(file).collect();
    serde_json::json!({"name": "here", "version": 1, "resources": resources, "edges": []}).to_string()
}

#[test]
fn tags_that_the_compiler_gave_select_resources() {
    let site = Site::new("");
    let catalog = tagged(&site, &[("a", &["file", "a::b", "c", "special"]), ("b", &["file", "d"])]);
    site.write("catalog.json", &catalog);
    let made = |tags: &str| {
        let (text, status) = site.apply(&["catalog.json", "--tags", tags]);
        assert_eq!(status, 0, "{text}");
        ["a", "b"].map(|name| std::fs::remove_file(site.path().join(name)).is_ok())
    };
    assert_eq!(made("special"), [true, false]);
    assert_eq!(made("x, A::B"), [true, false]);
    assert_eq!(made("c,D"), [true, true]);
    assert_eq!(made("b"), [true, false]);
    assert_eq!(made("other"), [false, false]);
    let (text, status) = site.apply(&["catalog.json", "--tags", "class[a::b]"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("invalid tag `class[a::b]`"), "{text}");
}

#[test]
fn resource_that_returns_to_the_catalog_is_new() {
    let site = Site::new("file { '@/other': ensure => file }");
    site.write("both.json", &tagged(&site, &[("a", &[]), ("b", &[])]));
    site.write("one.json", &tagged(&site, &[("a", &[])]));
    let apply = |file: &str| site.apply(&[file]).0;
    apply("both.json");
    apply("site.pp");
    std::fs::remove_file(site.path().join("b")).unwrap();
    assert!(apply("both.json").contains("File[@/b]/ensure: created (corrective)"), "manifests have resources of their own");
    apply("one.json");
    assert!(!site.read("state/state.json").contains("/b]"));
    std::fs::remove_file(site.path().join("b")).unwrap();
    let text = apply("both.json");
    assert!(text.contains("File[@/b]/ensure: created") && !text.contains("corrective"), "{text}");
}

#[test]
fn messages_have_the_loglevel_of_their_resource() {
    let site = Site::new(
        "notify { 'one': loglevel => warning }\nnotify { 'two': loglevel => debug }\nnotify { 'three': }
        exec { '/bin/echo four': loglevel => err, logoutput => true }\n",
    );
    let (text, status) = site.apply(&["site.pp", "--report", "run.jsonl"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("warning: Notify[one]: one\n") && text.contains("error: Exec[/bin/echo four]: four\n"), "{text}");
    assert!(text.contains("\nNotify[three]: three\n") && !text.contains("Notify[two]: two"), "{text}");
    let logged: Vec<Json> = site.report("run.jsonl").into_iter().filter(|line| line["kind"] == "log").map(|l| l["level"].clone()).collect();
    assert_eq!(logged, ["warning", "debug", "notice", "err"]);
}

#[test]
fn failed_command_that_is_secret_shows_its_status() {
    let site = Site::new(
        "exec { 'a': command => Sensitive('/bin/sh -c \"echo tops3cret; exit 3\"') }
        exec { 'b': command => Sensitive('/bin/true tops3cret'), refresh => Sensitive('/bin/ls /tops3cret'), refreshonly => true }
        file { '@/made': ensure => file, notify => Exec['b'] }\n",
    );
    let (text, status) = site.apply(&["site.pp"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("[command redacted] returned 3 instead of one of [0]"), "{text}");
    assert!(text.contains("failed to refresh: [command redacted] returned 2 instead of one of [0]"), "{text}");
    assert!(!text.contains("tops3cret"), "{text}");
}

#[test]
fn modes_that_are_not_declared_do_not_depend_on_the_umask() {
    use std::os::unix::fs::PermissionsExt;
    for umask in ["000", "077", "777"] {
        let site = Site::new("file { '@/d': ensure => directory }\nfile { '@/f': content => 'x' }\n");
        let mut sh = std::process::Command::new("sh");
        let script = format!("mkdir state && umask {umask} && exec {} apply --state-dir state site.pp", env!("CARGO_BIN_EXE_rtype"));
        let output = sh.args(["-c", &script]).current_dir(site.path()).output().unwrap();
        assert!(output.status.success(), "{umask}: {output:?}");
        let mode = |name: &str| std::fs::metadata(site.path().join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode("d"), mode("f")), (0o755, 0o644), "{umask}");
    }
}

/// Files that programs create belong to root. Other users must not be able to write to these files.
#[test]
fn programs_of_root_create_no_files_that_others_can_write() {
    use std::os::unix::fs::PermissionsExt;
    if !nix::unistd::Uid::effective().is_root() {
        return;
    }
    let site = Site::new(
        "exec { '/bin/touch made': cwd => '@', creates => '@/made' }\n\
         exec { '/bin/touch open': cwd => '@', creates => '@/open', umask => '000' }\n\
         vcsrepo { '@/repository': ensure => present, provider => git }\n",
    );
    let script = format!("mkdir state && umask 000 && exec {} apply --state-dir state site.pp", env!("CARGO_BIN_EXE_rtype"));
    let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(site.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mode = |name: &str| std::fs::metadata(site.path().join(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("made"), mode("open")), (0o644, 0o666));
    for name in ["repository/.git", "repository/.git/config", "repository/.git/hooks"] {
        assert_eq!(mode(name) & 0o022, 0, "{name}");
    }
}

#[test]
fn setuid_bits_of_a_source_are_not_copied() {
    use std::os::unix::fs::PermissionsExt;
    for (source, copied) in [(0o4755, 0o755), (0o6711, 0o711), (0o7777, 0o1777), (0o1640, 0o1640), (0o640, 0o640)] {
        for how in ["use", "use_when_creating"] {
            let site = Site::new(&format!("file {{ '@/f': ensure => file, source => '@/s', source_permissions => {how} }}\n"));
            site.write("s", "x");
            std::fs::set_permissions(site.path().join("s"), std::fs::Permissions::from_mode(source)).unwrap();
            let (text, status) = site.apply(&["site.pp"]);
            let mode = std::fs::metadata(site.path().join("f")).unwrap().permissions().mode() & 0o7777;
            assert_eq!((status, mode), (0, copied), "{source:o} {how}: {text}");
        }
    }
}
