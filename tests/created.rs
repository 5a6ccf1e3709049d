//! The output for a new resource contains each set attribute: as plain output and JSON, with and without `--noop`, and of `inspect`.

use crate::common::site::Site;
use serde_json::{Map, Value as Json, json};

/// A resource that does not exist.
struct Case {
    name: &'static str,
    declaration: &'static str,
    /// The attributes that rtype sets at the creation.
    attributes: Json,
    /// Whether the case creates the resource on this machine, below the directory of the site. Other resources are simulated.
    is_real: bool,
}

/// A type in Ruby.
const CLASSIC: &str = "Puppet::Type.newtype(:classic) do\n  @doc = 'x'\n  ensurable\n  newparam(:name, namevar: true) { desc 'x' }\n  newparam(:depth) { desc 'x' }\n  newproperty(:size) { desc 'x' }\nend\n";

/// A type with a declared provider.
const RECORD: &str = r##"type record {
  ensurable
  newparam name { isnamevar }
  newproperty size { type Integer }
  newproperty pin { sensitive }
  newproperty listed, array_matching: all { should_to_s { |v| "(#{v.join("+")})" } }
  newproperty masked { should_to_s { |v| "***" } }
}
provider file, for: record {
  records
  file_path "@/records"
  parse { |line| let parts = line.split(":"); {name: parts[0], size: parts[1].to_i, pin: parts[2], listed: parts[3].split(","), masked: parts[4]} }
  print { |r| "#{r[:name]}:#{r[:size]}:#{r[:pin]}:#{r[:listed].join(",")}:#{r[:masked]}" }
}
"##;

/// A provider program. A resource exists after the first request to set it.
const PROGRAM: &str = r#"#!/bin/sh
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case $line in
    *'"op":"hello"'*) printf '{"id":%s,"protocol":1,"name":"badge","version":"1","type":"badge","ops":["get","set"],"noop":"none","batch":9,"list":"no","features":[],"attributes_read":["ensure","text"],"attributes_write":["ensure","text"],"needs":{"commands":[],"root":false,"os":[]}}\n' "$id" ;;
    *'"op":"set"'*) touch '@/made'; printf '{"id":%s,"results":[{"title":"x","changed":{"ensure":{"was":"absent","is":"present"}},"refresh_done":false,"restart":"none","error":null}]}\n' "$id" ;;
    *) if [ -e '@/made' ]; then found='{"name":"x","ensure":"present","text":"one two"}'; else found=''; fi
       printf '{"id":%s,"resources":[%s],"complete":true}\n' "$id" "$found" ;;
  esac
done
"#;

const BADGE: &str = "type badge {\n  ensurable\n  newparam name { isnamevar }\n  newproperty text\n}\nprovider program, for: badge { program \"../badge\" }\n";

fn cases() -> Vec<Case> {
    let simulated = |name, declaration, attributes| Case { name, declaration, attributes, is_real: false };
    let real = |name, declaration, attributes| Case { name, declaration, attributes, is_real: true };
    vec![
        simulated(
            "user",
            "user { 'x': ensure => present, uid => 4711, home => '/home/x', groups => ['adm', 'audio'], managehome => true, password => 'hunter2' }",
            json!({"uid": 4711, "home": "/home/x", "groups": ["adm", "audio"], "managehome": true, "password": "[redacted]"}),
        ),
        simulated("group", "group { 'x': ensure => present, gid => 4711, system => true }", json!({"gid": 4711, "system": true})),
        simulated(
            "cron",
            "cron { 'x': command => '/bin/true', hour => 3, minute => [1, 2], user => 'root' }",
            json!({"command": "/bin/true", "hour": ["3"], "minute": ["1", "2"], "user": "root"}),
        ),
        simulated(
            "host",
            "host { 'x.example.com': ip => '192.0.2.1', host_aliases => ['x', 'y'] }",
            json!({"ip": "192.0.2.1", "host_aliases": ["x", "y"], "target": "/etc/hosts"}),
        ),
        // `options` is `absent` by default.
        simulated(
            "ssh_authorized_key",
            "ssh_authorized_key { 'x': user => 'me', type => 'ssh-ed25519', key => 'AAAA', target => '/home/me/keys' }",
            json!({"user": "me", "type": "ssh-ed25519", "key": "AAAA", "target": "/home/me/keys"}),
        ),
        simulated(
            "mount",
            "mount { '/mnt': ensure => present, device => '/dev/sdz1', fstype => 'ext4', options => 'ro' }",
            json!({"device": "/dev/sdz1", "fstype": "ext4", "options": "ro", "pass": 0, "dump": 0, "target": "/etc/fstab"}),
        ),
        simulated("package", "package { 'x': ensure => installed, source => '/srv/x.deb' }", json!({"source": "/srv/x.deb"})),
        simulated("classic", "classic { 'x': ensure => present, size => 3, depth => [1, 2] }", json!({"size": 3, "depth": [1, 2]})),
        real(
            "record",
            "record { 'x': ensure => present, size => 3, pin => 'hunter2', listed => ['a', 'b'], masked => 'hidden1' }",
            json!({"size": 3, "pin": "[redacted]", "listed": ["a", "b"], "masked": "***"}),
        ),
        real("badge", "badge { 'x': ensure => present, text => 'one two' }", json!({"text": "one two"})),
        real(
            "file",
            "file { '@/new': ensure => file, content => \"new\\n\", mode => '0600', backup => false }",
            json!({"content": "{sha256}7aa7a5359173d05b63cfd682e3c38487f3cb4f7f1d60659fe59fab1505977d4c", "mode": "0600", "backup": false}),
        ),
        // The placeholder `[redacted sensitive information]` contains the value `on`.
        real(
            "ini_setting",
            "ini_setting { 'x': path => '@/x.ini', section => 'a', setting => 'b', value => 'on', show_diff => false }",
            json!({"path": "@/x.ini", "section": "a", "setting": "b", "value": "[redacted sensitive information]", "show_diff": "false"}),
        ),
        real(
            "ini_setting",
            "ini_setting { 'x': path => '@/x.ini', section => 'a', setting => 'b', value => 'hunter2', show_diff => false }",
            json!({"path": "@/x.ini", "section": "a", "setting": "b", "value": "[redacted sensitive information]", "show_diff": "false"}),
        ),
    ]
}

fn site(case: &Case) -> Site {
    let site = Site::new(case.declaration);
    site.write("modules/m/lib/puppet/type/classic.rb", CLASSIC);
    site.write("types/record.rtype", RECORD);
    site.write("types/badge.rtype", BADGE);
    site.write("badge", PROGRAM);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(site.path().join("badge"), executable).unwrap();
    site
}

/// Returns the output of a command, with `@` for the directory of the site.
fn run(site: &Site, case: &Case, arguments: &[&str]) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
    command.current_dir(site.path()).args(["--types", "types", "--modulepath", "modules"]).args(arguments);
    command.args(if case.is_real { &[][..] } else { &["--simulate"] }).arg("site.pp");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{} {arguments:?}: {text}", case.name);
    assert!(!text.contains("hunter2") && !text.contains("hidden1"), "{} {arguments:?}: {text}", case.name);
    text.replace(site.path().to_str().unwrap(), "@")
}

/// Writes a value in Puppet's syntax.
fn literal(value: &Json) -> String {
    match value {
        Json::String(text) if text.starts_with('[') || text == "***" => text.clone(),
        Json::String(text) => format!("'{text}'"),
        Json::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn sorted(attributes: &Json) -> Map<String, Json> {
    let mut pairs: Vec<_> = attributes.as_object().unwrap().clone().into_iter().collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs.into_iter().collect()
}

#[test]
fn creating_a_resource_shows_each_attribute() {
    for case in &cases() {
        let expected = sorted(&case.attributes);
        let site = site(case);
        // The last command creates the resource. A simulated mount cannot be mounted.
        let report: &[&str] = if case.name == "mount" { &["--noop", "--report", "run.jsonl"] } else { &["--report", "run.jsonl"] };
        for options in [&["--noop"][..], &["--noop", "--format", "json"], report] {
            let text = run(&site, case, &[&["apply", "--state-dir", "state"], options].concat());
            let lines = if options.contains(&"json") { text.clone() } else { String::new() };
            if options.contains(&"--format") {
                assert_attributes(case, &lines, &expected);
                continue;
            }
            for (name, value) in &expected {
                let is_shown = |line: &str| {
                    line.strip_prefix("  ").and_then(|l| l.split_once(" => ")).is_some_and(|(n, v)| n.trim() == name && v == literal(value))
                };
                assert!(text.lines().any(is_shown), "{}: {name} is not in {text}", case.name);
            }
        }
        assert_attributes(case, &site.read("run.jsonl").replace(site.path().to_str().unwrap(), "@"), &expected);
    }
}

fn assert_attributes(case: &Case, lines: &str, expected: &Map<String, Json>) {
    let lines: Vec<Json> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&Json> = lines.iter().filter(|line| line["kind"] == "event" && !line["property"].is_null()).collect();
    assert_eq!(events.len(), 1, "{}: {events:?}", case.name);
    assert_eq!((&events[0]["property"], sorted(&events[0]["attributes"])), (&json!("ensure"), expected.clone()), "{}", case.name);
}

#[test]
fn inspect_shows_each_attribute() {
    for case in &cases() {
        let expected = sorted(&case.attributes);
        let site = site(case);
        let report: Json = serde_json::from_str(&run(&site, case, &["inspect", "--format", "json"])).unwrap();
        assert!(report["resources"][0]["attributes"].is_object(), "{}: {report}", case.name);
        assert_eq!(sorted(&report["resources"][0]["attributes"]), expected, "{}", case.name);
        let text = run(&site, case, &["inspect"]);
        for (name, value) in &expected {
            let shown: String = literal(value).trim_matches(['\'', '"']).chars().take(30).collect();
            let row = text.lines().find(|line| line.trim_start_matches([' ', '!']).starts_with(name.as_str()));
            assert!(row.is_some_and(|row| row.contains(&shown)), "{}: {name} is not in {text}", case.name);
        }
    }
}

/// File contents, and whether the diff of a new file is shown.
const CONTENTS: [(&str, bool); 6] = [
    ("content => \"one\\ntwo\\n\"", true),
    ("source => '@/source'", true),
    ("content => \"one\\ntwo\\n\", show_diff => false", false),
    ("content => Sensitive(\"one\\ntwo\\n\")", false),
    ("content => \"one\\ntwo\\n\\u{0}\"", false),
    ("source => '@/large'", false),
];

#[test]
fn new_contents_are_shown_as_diffs() {
    for (content, is_shown) in CONTENTS {
        let site = Site::new(&format!("file {{ '@/new': ensure => file, {content} }}\n"));
        site.write("source", "one\ntwo\n");
        site.write("large", &"one\ntwo\n".repeat(1 << 18));
        let diff = "--- @/new\n+++ @/new (wanted)\n@@ -0,0 +1,2 @@\n+one\n+two\n";
        let commands: [&[&str]; 6] = [
            &["inspect"],
            &["inspect", "--format", "json"],
            &["inspect", "--no-diff"],
            &["apply", "--noop"],
            &["apply", "--noop", "--no-diff"],
            &["apply", "--state-dir", "state", "--format", "json"],
        ];
        for arguments in commands {
            let output =
                std::process::Command::new(env!("CARGO_BIN_EXE_rtype")).current_dir(site.path()).args(arguments).arg("site.pp").output();
            let output = output.unwrap();
            let text = String::from_utf8(output.stdout).unwrap().replace(site.path().to_str().unwrap(), "@");
            assert_eq!(output.status.code(), Some(0), "{content} {arguments:?}: {text}");
            let expected = if arguments.contains(&"json") { diff.replace('\n', "\\n") } else { diff.to_owned() };
            let is_expected = is_shown && !arguments.contains(&"--no-diff");
            assert_eq!(text.contains(&expected), is_expected, "{content} {arguments:?}: {text}");
            assert_eq!(text.contains("+one"), is_expected, "{content} {arguments:?}: {text}");
        }
        assert!(site.path().join("new").exists());
    }
}

#[test]
fn long_contents_are_cut() {
    let site = Site::new("file { '@/new': ensure => file, source => '@/source' }\n");
    site.write("source", &"0123456789abcde\n".repeat(20_000));
    let (text, status) = site.apply(&["--noop", "site.pp"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.len() < 110_000 && text.contains("more lines not shown"), "{}", text.len());
}

/// A file that replaces a link is a new file.
#[test]
fn diffs_do_not_show_the_target_of_a_replaced_link() {
    let site = Site::new("file { '@/new': ensure => file, content => \"one\\n\" }\n");
    site.write("old", "old\n");
    std::os::unix::fs::symlink(site.path().join("old"), site.path().join("new")).unwrap();
    let (text, _) = site.apply(&["--noop", "site.pp"]);
    assert!(text.contains("@@ -0,0 +1 @@\n+one\n") && !text.contains("-old"), "{text}");
}

/// Every line and every message of a simulated run says so.
#[test]
fn simulated_runs_say_so() {
    let manifest = "file { '@/new': ensure => file, content => \"one\\n\" }\n~> service { 'x': ensure => running, provider => systemd }\n\
                    exec { '/bin/true': }\nuser { 'x': ensure => present, uid => 4711 }\n";
    for noop in [&[][..], &["--noop"]] {
        let site = Site::new(manifest);
        let (text, status) = site.apply(&[&["--simulate", "--report", "run.jsonl", "site.pp"], noop].concat());
        assert_eq!(status, 0, "{text}");
        let events: Vec<&str> = text.lines().filter(|line| line.contains("]: ") || line.contains("]/")).collect();
        assert!(events.len() >= 4 && events.iter().all(|line| line.contains(" (simulated)")), "{text}");
        assert!(text.ends_with("\nsimulated: resources are in memory, and this machine was not changed"), "{text}");
        let (json, _) = site.apply(&[&["--simulate", "--format", "json", "site.pp"], noop].concat());
        let lines: Vec<Json> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in lines.iter().chain(&site.report("run.jsonl")) {
            assert_eq!(line["simulated"], true, "{line}");
            let message = line["message"].as_str();
            assert!(message.is_none_or(|message| message.ends_with(" (simulated)")), "{line}");
        }
    }
    let site = Site::new(manifest);
    for format in ["text", "json"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
        let output = command.current_dir(site.path()).args(["inspect", "--simulate", "--format", format, "site.pp"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for message in ["executed successfully", "created"] {
            let all = text.matches(message).count() - text.matches("when it is created").count() * usize::from(message == "created");
            assert!(all > 0 && all == text.matches(&format!("{message} (simulated)")).count(), "{message}: {text}");
        }
        assert!(text.contains(if format == "json" { "\"simulated\": true" } else { "\nsimulated: " }), "{text}");
    }
    let (text, status) = Site::new(manifest).apply(&["--simulate", "--quiet", "site.pp"]);
    assert!(status == 0 && text.ends_with("this machine was not changed"), "{text}");
}

/// A compiled catalog with a class and a defined resource.
const CATALOG: &str = r#"{
  "name": "n", "version": 1795858957, "environment": "production",
  "resources": [
    {"type": "Stage", "title": "main"}, {"type": "Class", "title": "Settings"}, {"type": "Class", "title": "main"},
    {"type": "Class", "title": "A::B"}, {"type": "A::D", "title": "one"},
    {"type": "File", "title": "@/main", "parameters": {"ensure": "directory"}, "file": "/etc/m/site.pp", "line": 7},
    {"type": "File", "title": "@/class", "parameters": {"ensure": "directory"}},
    {"type": "File", "title": "@/define", "parameters": {"ensure": "directory"}}
  ],
  "edges": [
    {"source": "Stage[main]", "target": "Class[main]"}, {"source": "Stage[main]", "target": "Class[A::B]"},
    {"source": "Class[main]", "target": "File[@/main]"}, {"source": "Class[A::B]", "target": "A::D[one]"},
    {"source": "Class[A::B]", "target": "File[@/class]"}, {"source": "A::D[one]", "target": "File[@/define]"}
  ],
  "classes": ["a::b"]
}"#;

/// The paths are the same as in the report of `puppet apply` for a manifest with this class and this defined resource.
#[test]
fn events_have_the_containers_and_the_version_of_the_catalog() {
    let site = Site::new("");
    site.write("catalog.json", CATALOG);
    let run = |file: &str| {
        let output = site.command(&["--noop", "--format", "json", file]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap().replace(site.path().to_str().unwrap(), "@");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Json>>()
    };
    let lines = run("catalog.json");
    assert_eq!(lines[0]["configuration_version"], "1795858957");
    let paths = [
        ("@/main", vec!["Stage[main]", "Main"]),
        ("@/class", vec!["Stage[main]", "A::B"]),
        ("@/define", vec!["Stage[main]", "A::B", "A::D[one]"]),
    ];
    for (title, mut path) in paths {
        let name = format!("File[{title}]");
        path.push(&name);
        let own: Vec<&Json> = lines.iter().filter(|line| line["resource"] == name.as_str()).collect();
        assert_eq!(own.len(), 2, "{own:?}");
        for line in own {
            assert_eq!(line["containment_path"], json!(path));
            assert!(line["kind"] != "event" || line["configuration_version"] == "1795858957", "{line}");
            let place = (&line["file"], &line["line"]);
            assert!(line["kind"] != "resource" || title != "@/main" || place == (&json!("/etc/m/site.pp"), &json!(7)), "{line}");
        }
    }
    // Puppet compiles resources of a manifest into the class `main`, and uses the time as the version.
    site.write(
        "site.pp",
        "file { '@/x': ensure => directory, source => '@/from', recurse => true }\n\
         sshkey { 'n': type => 'ssh-rsa', key => 'AAAA', target => '@/known' }\n",
    );
    site.write("from/y", "y\n");
    let lines = run("site.pp");
    let seconds: u64 = lines[0]["configuration_version"].as_str().unwrap().parse().unwrap();
    assert!(seconds > 1_700_000_000);
    for name in ["File[@/x]", "File[@/x/y]", "Sshkey[n@ssh-rsa]"] {
        let line = lines.iter().find(|line| line["kind"] == "event" && line["resource"] == name).unwrap();
        assert_eq!(line["containment_path"], json!(["Stage[main]", "Main", name]));
    }
}
