//! Provider programs that follow `rtype-provider/1`, and all ways to violate the protocol.

mod methods;

use rtype_lang::redact::{Foreign, Redactor};
use rtype_lang::types::TypeDef;
use rtype_lang::value::{Symbol, Value};
use rtype_model::providers::disagreements;
use rtype_provider::code_of;
use rtype_provider::{Change, ListedResource, NativeProviders, Provider, ProviderError, Reading, Request, Resource, Select, System};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const LAMP: &str = r#"
type lamp {
  desc "A lamp."
  feature dimmable, "Can be dimmed."
  ensurable
  newparam name { isnamevar; desc "Where it hangs." }
  newparam bus { desc "How it is reached." }
  newproperty state { desc "Whether it is lit."; newvalues on, off }
  newproperty level, required_features: dimmable { desc "How bright."; type Integer[0, 100] }
  newproperty code { desc "Who may switch it."; sensitive true }
}
provider script, for: lamp { has_feature dimmable; program "./lamp.sh", timeout: 2 }
"#;

const HELLO: &str = r#"{"id":1,"protocol":1,"name":"lamp","version":"1","type":"lamp","ops":["get","set"],"batch":2,"features":["dimmable"],"attributes_read":["ensure","state","level","code"],"attributes_write":["ensure","state","level","code"]}"#;

/// A program in a separate directory, and the results of the type.
struct Lab {
    directory: tempfile::TempDir,
    natives: NativeProviders,
}

impl Lab {
    /// Creates a shell script that has already answered `hello`; `$line` is the request.
    fn talking(answers: &str) -> Lab {
        Lab::new(&format!("#!/bin/sh\nread -r line; echo '{HELLO}'\n{answers}\n"))
    }

    fn new(script: &str) -> Lab {
        let directory = tempfile::tempdir().unwrap();
        let lab = Lab { directory, natives: NativeProviders::default() };
        std::fs::write(lab.program(), script).unwrap();
        std::fs::set_permissions(lab.program(), std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(lab.directory.path().join("lamp.rtype"), LAMP).unwrap();
        lab
    }

    fn program(&self) -> std::path::PathBuf {
        self.directory.path().join("lamp.sh")
    }

    fn lamp(&self) -> Arc<TypeDef> {
        let library = rtype::app::input::types_in(vec![self.directory.path().to_owned()]);
        let lamp = library.load("lamp");
        assert!(library.diagnostics().is_empty(), "{:?}", library.diagnostics());
        lamp.unwrap()
    }

    fn provider(&self) -> Arc<dyn Provider> {
        let lamp = self.lamp();
        code_of(&lamp, &lamp.providers[0], &self.natives).ok().unwrap()
    }

    fn get(&self, names: &[&str]) -> Vec<Reading> {
        let requests: Vec<Request<'_>> = names.iter().map(|name| Request { name, resource: &Plain }).collect();
        self.provider().get(&System::host(), &requests, Select::All)
    }

    fn list(&self) -> Result<Vec<ListedResource>, ProviderError> {
        self.provider().instances(&System::host(), Select::All)
    }

    /// Returns the error of a request for a lamp.
    fn error(&self) -> ProviderError {
        match self.get(&["hall"]).remove(0) {
            Reading::Error(e) | Reading::Unavailable(e) => e,
            other => panic!("{other:?}"),
        }
    }

    /// Changes the state of existing lamps.
    fn set(&self, names: &[&str], value: Value) -> Vec<Result<(), ProviderError>> {
        let is = Reading::Present([(Symbol::from("state"), Ok(Value::sym("off")))].into_iter().collect());
        let request = |name| Request { name, resource: &Plain };
        let mut changes: Vec<Change<'_>> = names.iter().map(|name| Change::new(request(name), &is)).collect();
        let provider = self.provider();
        for change in &mut changes {
            provider.set(&System::host(), change, "code", &value).unwrap();
        }
        provider.flush(&System::host(), &mut changes)
    }

    /// Returns the findings of a check that does not start the program.
    fn check(&self) -> Vec<String> {
        disagreements(&self.lamp(), &self.natives, &|_| Ok(()))
            .into_iter()
            .map(|d| d.message.replace(&self.directory.path().display().to_string(), "DIR"))
            .collect()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.directory.path().join(name)).unwrap()
    }
}

/// A resource with a name and no other attributes.
struct Plain;

impl Resource for Plain {
    fn wanted(&self, attribute: &str) -> Value {
        if attribute == "bus" { Value::str("1-2") } else { Value::Nil }
    }
    fn attributes(&self) -> Vec<Symbol> {
        vec!["bus".into()]
    }
}

fn text(foreign: &Foreign) -> String {
    Redactor::new().reveal(foreign)
}

fn property(reading: &Reading, name: &str) -> Result<Value, String> {
    match reading {
        Reading::Present(state) => state[name].clone().map_err(|e| text(&e.message)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_are_converted_by_the_type() {
    let lab = Lab::talking(
        r#"read -r line; echo "$line" > "$(dirname "$0")/asked"
        echo '{"id":2,"resources":[{"name":"hall","state":"on","level":"40","code":null},{"name":"attic","state":"dim","level":400},
          {"name":"roof","error":{"kind":"busy","msg":"no answer","hint":"wait"}},{"name":"shed","state":"off","error":{"kind":"forbidden","msg":"it is locked","attr":"level"}}],"complete":true}' | tr -d '\n'; echo; read -r line"#,
    );
    let readings = lab.get(&["hall", "attic", "roof", "shed", "cellar"]);
    assert_eq!(property(&readings[0], "state"), Ok(Value::sym("on")), "a text that newvalues knows is its symbol");
    assert_eq!(property(&readings[0], "level"), Ok(Value::Int(40)));
    assert_eq!(property(&readings[0], "ensure"), Ok(Value::sym("present")));
    assert_eq!(property(&readings[0], "code"), Ok(Value::sym("absent")));
    assert_eq!(property(&readings[1], "state"), Ok(Value::str("dim")), "what is there need not be allowed");
    assert_eq!(property(&readings[1], "level").unwrap_err(), "`./lamp.sh` said that `level` is 400; expected is an Integer[0, 100]");
    let Reading::Error(error) = &readings[2] else { panic!("{:?}", readings[2]) };
    assert_eq!(error.describe(&Redactor::new()), "no answer (wait)");
    assert_eq!(property(&readings[3], "level").unwrap_err(), "it is locked");
    assert_eq!(readings[4], Reading::Absent);
    let asked: serde_json::Value = serde_json::from_str(&lab.read("asked")).unwrap();
    assert_eq!(asked["names"][0], serde_json::json!({"name": "hall", "bus": "1-2"}));
    assert_eq!((&asked["op"], &asked["attrs"]), (&"get".into(), &serde_json::Value::Null));
}

#[test]
fn invalid_answers_are_reported_with_the_expected_form() {
    let error = |answers: &str| Lab::talking(answers).error().message;
    // The type has a sensitive attribute, so that an unparsable answer may contain a secret.
    let withheld = "`[output withheld: it may contain a secret]`";
    let expected = r#"expected is one line of JSON, {"id":2,"resources":[…],"complete":true}"#;
    let answer = |said: &str| format!("read -r line; echo '{said}'; read -r line");
    assert_eq!(
        text(&error(&answer("Lamps: none"))),
        format!("`./lamp.sh` broke the protocol: to `get` it said {withheld}; {expected}, with integers of up to 64 bits")
    );
    assert_eq!(text(&error(&answer("[]"))), format!("`./lamp.sh` broke the protocol: to `get` it said {withheld}; {expected}: an object"));
    assert!(error(&answer(r#"{"id":7,"resources":[],"complete":true}"#)).ends_with("`id` is that of the question"));
    assert!(error(&answer(r#"{"id":2,"resources":[]}"#)).ends_with("missing field `complete`"));
    let unknown = error(&answer(r#"{"id":2,"resources":[{"name":"hall","colour":1}],"complete":true}"#));
    assert!(unknown.ends_with("the type `lamp` has no attribute `colour`"), "{}", text(&unknown));
    let nameless = error(&answer(r#"{"id":2,"resources":[{"state":"on"}],"complete":true}"#));
    assert!(nameless.ends_with("each resource has a `name`"), "{}", text(&nameless));
    let bytes = error("read -r line; printf '{\"id\":2,\"\\377\":1}\\n'; read -r line");
    assert!(bytes.ends_with("in UTF-8"), "{}", text(&bytes));
    let long = error("read -r line; head -c 17000000 /dev/zero | tr '\\0' x; echo; read -r line");
    assert!(long.contains("it said a line of more than 16 MiB that begins with `[output withheld"), "{}", text(&long));
    let fault = error(&answer(r#"{"id":2,"error":{"kind":"sad","msg":"x"}}"#));
    assert!(fault.contains("unknown value `sad`"), "{}", text(&fault));
    assert_eq!(error(&answer(r#"{"id":2,"error":{"kind":"failed","msg":"the bus is down"}}"#)), "the bus is down");
    assert_eq!(error(&answer(r#"{"id":2,"resources":[],"complete":false}"#)), "`./lamp.sh` could not determine whether it exists");
}

#[test]
fn a_program_for_another_type_or_protocol_is_rejected() {
    let hello = |said: &str| Lab::new(&format!("#!/bin/sh\nread -r line; echo '{said}'; read -r line\n")).error().message;
    assert!(hello(&HELLO.replace("\"type\":\"lamp\"", "\"type\":\"lamps\"")).ends_with("it is for the type `lamps`, not for `lamp`"));
    assert!(hello(&HELLO.replace("\"protocol\":1", "\"protocol\":2")).contains("it speaks version 2 of the protocol"));
    assert!(hello(&HELLO.replace("\"name\":\"lamp\",", "")).ends_with("missing field `name`"));
    let needs = HELLO.replace("\"batch\":2", "\"needs\":{\"commands\":[\"no-such-bus\"]}");
    assert_eq!(hello(&needs), "`./lamp.sh`: it needs the command `no-such-bus`, which is not installed");
}

#[test]
fn a_crash_is_reported_with_the_last_output() {
    let lab = Lab::talking("echo x >> \"$(dirname \"$0\")/starts\"; read -r line; echo 'the bus is on fire' >&2; exit 3");
    let error = lab.error();
    assert_eq!(error.message, "`./lamp.sh` exited with 3 and did not answer `get`; last output: the bus is on fire");
    assert_eq!((lab.error(), lab.read("starts").as_str()), (error, "x\n"), "it is not started again");
    let killed = Lab::talking("read -r line; kill -9 $$");
    assert_eq!(killed.error().message, "`./lamp.sh` was ended by SIGKILL and did not answer `get`");
}

#[test]
fn a_program_that_cannot_start_is_reported_with_help() {
    let lab = Lab::new("#!/no/such/shell\n");
    assert!(lab.error().message.starts_with("cannot run `./lamp.sh`: the interpreter in its first line does not exist"));
    // The C library either passes a script without `#!` to sh, which does not answer here, or refuses the script.
    let lab = Lab::new("echo\n");
    let help = text(&lab.error().help.unwrap());
    assert!(help == "a script begins with `#!` and its interpreter" || help.contains("rtype provider test"), "{help}");
    std::fs::set_permissions(lab.program(), std::fs::Permissions::from_mode(0o644)).unwrap();
    if !nix_is_root() {
        assert!(lab.error().help.unwrap().starts_with("`chmod +x "));
    }
    let lab = Lab::new("");
    std::fs::remove_file(lab.program()).unwrap();
    assert!(lab.error().message.ends_with(" does not exist"));
    assert_eq!(lab.check(), ["cannot find the program DIR/./lamp.sh"]);
}

fn nix_is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
}

#[test]
fn a_hanging_program_is_killed_with_its_children() {
    let lab = Lab::talking("trap '' TERM; sleep 600 & echo $! > \"$(dirname \"$0\")/child\"; while :; do sleep 600; done");
    let begun = Instant::now();
    let error = lab.error();
    assert_eq!(error.message, "`./lamp.sh` did not answer `get` within 2 seconds and was ended");
    assert!(begun.elapsed().as_secs() < 20);
    let child = lab.read("child");
    let stat = || std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    let is_gone = || stat().is_empty() || stat().contains(") Z ");
    // The kernel removes the process asynchronously.
    let deadline = Instant::now() + std::time::Duration::from_secs(10);
    while !is_gone() && Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(is_gone(), "its child goes on: {}", stat());
    // The program is not started again in this run.
    let begun = Instant::now();
    assert_eq!(lab.error(), error);
    assert!(begun.elapsed().as_millis() < 1000);
}

#[test]
fn daemons_of_a_program_end_with_it() {
    let lab = Lab::talking(
        r#"here=$(dirname "$0"); (sleep 600 & echo $! > "$here/child"); setsid sh -c 'echo $$ > '"$here/daemon"'; exec sleep 600' > /dev/null 2>&1 &
        while [ ! -s "$here/daemon" ]; do sleep 0.01; done; read -r line; echo '{"id":2,"resources":[],"complete":true}'"#,
    );
    lab.get(&["hall"]);
    lab.natives.programs.end();
    for name in ["child", "daemon"] {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", lab.read(name).trim())).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "{name} goes on: {stat}");
    }
}

#[test]
fn a_program_is_started_once_with_a_reduced_environment() {
    let lab = Lab::talking(
        r#"echo started >> "$(dirname "$0")/starts"; env > "$(dirname "$0")/environment"; id=2
        while read -r line; do echo "{\"id\":$id,\"resources\":[],\"complete\":true}"; id=$((id+1)); done"#,
    );
    lab.get(&["hall"]);
    lab.get(&["attic"]);
    lab.list().unwrap();
    assert_eq!(lab.read("starts"), "started\n");
    let environment = lab.read("environment");
    // `started::environment_depends_on_kind_of_program` compares all variables.
    let names: Vec<&str> = environment.lines().filter_map(|line| line.split('=').next()).collect();
    assert!(["HOME", "LANG", "PATH", "RTYPE_PROVIDER"].iter().all(|name| names.contains(name)), "{names:?}");
    assert!(names.iter().all(|name| !name.starts_with("CARGO")), "{names:?}");
    assert!(
        environment.contains("LC_ALL=C.UTF-8\n") && environment.contains("RTYPE_PROTOCOL=1\n") && environment.contains("RTYPE_LOG=info\n")
    );
}

#[test]
fn a_script_may_exit_after_one_answer() {
    let lab = Lab::new(&format!(
        r#"#!/bin/sh
        read -r line; echo x >> "$(dirname "$0")/starts"
        id=${{line#*:}}; id=${{id%%,*}}
        case $line in
          *hello*) echo '{HELLO}' ;;
          *) echo "{{\"id\":$id,\"resources\":[{{\"name\":\"hall\",\"state\":\"on\"}}],\"complete\":true}}" ;;
        esac"#
    ));
    for _ in 0..3 {
        assert_eq!(property(&lab.get(&["hall"])[0], "state"), Ok(Value::sym("on")));
    }
    assert_eq!(lab.read("starts").lines().count(), 4);
}

#[test]
fn secrets_are_passed_on_standard_input_and_redacted() {
    let lab = Lab::talking(
        r#"read -r line; echo '{"id":2,"resources":[],"complete":true}'
        read -r line; echo "$line" > "$(dirname "$0")/asked"; tr '\0' ' ' < /proc/$$/cmdline > "$(dirname "$0")/argv"; echo "got s3same" >&2
        echo '{"id":3,"results":[{"title":"hall","error":{"kind":"invalid","msg":"s3same is too short","hint":"not s3same"}},{"title":"attic"}]}'
        read -r line; echo "cannot take s3same" >&2; exit 1"#,
    );
    lab.get(&["hall"]);
    let redactor = Redactor::new();
    redactor.add("s3same", false);
    let redacted = |done: &Result<(), ProviderError>| done.as_ref().unwrap_err().describe(&redactor);
    let done = lab.set(&["hall", "attic", "roof"], Value::Sensitive(Arc::new(Value::str("s3same"))));
    assert!(lab.read("asked").contains("\"should\":{\"code\":\"s3same\"}"), "{}", lab.read("asked"));
    assert!(!lab.read("argv").contains("s3same"));
    assert_eq!(redacted(&done[0]), "[redacted] is too short (not [redacted])");
    assert_eq!(done[1], Ok(()));
    // A batch contains two resources, so the third resource was requested separately.
    assert_eq!(
        redacted(&done[2]),
        "`./lamp.sh` exited with 1 and did not answer `set`; last output: got [redacted]\ncannot take [redacted]"
    );
}

#[test]
fn a_change_request_contains_the_complete_desired_state() {
    let lab = Lab::talking(
        r#"read -r line; echo '{"id":2,"resources":[{"name":"hall","state":"on"}],"complete":true}'
        while read -r line; do echo "$line" >> "$(dirname "$0")/asked"; id=${line#*:}; id=${id%%,*}; echo "{\"id\":$id,\"results\":[{\"title\":\"hall\",\"restart\":\"host\"}]}"; done"#,
    );
    let reading = lab.get(&["hall"]).remove(0);
    let provider = lab.provider();
    let system = System::host();
    let flush = |change: &mut Change<'_>| provider.flush(&system, std::slice::from_mut(change)).remove(0).unwrap();
    let mut change = Change::new(Request { name: "hall", resource: &Plain }, &reading);
    provider.set(&system, &mut change, "state", &Value::sym("off")).unwrap();
    flush(&mut change);
    assert!(change.should.is_empty(), "what was written is forgotten");
    provider.call(&system, &mut change, "destroy", &[]).unwrap();
    flush(&mut change);
    flush(&mut change);
    let absent = Reading::Absent;
    let mut change = Change::new(Request { name: "hall", resource: &Plain }, &absent);
    provider.set(&system, &mut change, "ensure", &Value::sym("present")).unwrap();
    flush(&mut change);
    let asked: Vec<serde_json::Value> = lab.read("asked").lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let names = serde_json::json!({"name": "hall", "bus": "1-2"});
    let is = serde_json::json!({"ensure": "present", "state": "on"});
    let expected = [
        serde_json::json!({"title": "hall", "loc": null, "namevars": names, "is": is, "should": {"state": "off"}, "attrs": ["state"]}),
        serde_json::json!({"title": "hall", "loc": null, "namevars": names, "is": is, "should": null, "attrs": ["ensure"]}),
        serde_json::json!({"title": "hall", "loc": null, "namevars": names, "is": null, "should": {"ensure": "present"}, "attrs": ["ensure"]}),
    ];
    assert_eq!(asked.iter().map(|a| &a["changes"][0]).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    assert!(asked.iter().all(|a| a["noop"] == false && a["op"] == "set"));
    let told: Vec<String> = lab.natives.programs.end().into_iter().map(|l| format!("{}: {}", l.level, text(&l.message))).collect();
    assert_eq!(told, vec!["warning: hall: the machine has to be restarted"; 3]);
}

#[test]
fn transient_errors_are_retried() {
    let lab = Lab::talking(
        r#"read -r line; echo '{"id":2,"resources":[{"name":"hall","error":{"kind":"busy","msg":"busy","retry":true}}],"complete":true}'
        read -r line; echo '{"id":3,"resources":[{"name":"hall","state":"on"}],"complete":true}'; read -r line"#,
    );
    assert_eq!(property(&lab.get(&["hall"])[0], "state"), Ok(Value::sym("on")));
}

#[test]
fn log_lines_on_standard_error_keep_their_level() {
    let lab = Lab::talking(
        r#"echo '{"level":"warn","msg":"the bulb is old"}' >&2; echo plain >&2; echo '{"level":"debug","msg":"x"}' >&2
        read -r line; echo '{"id":2,"resources":[],"complete":true}'; read -r line; exit 4"#,
    );
    lab.get(&["hall"]);
    let told: Vec<(&str, String)> = lab.natives.programs.end().into_iter().map(|l| (l.level, text(&l.message))).collect();
    let expected = [("warning", "the bulb is old"), ("info", "plain"), ("debug", "x"), ("warning", "exited with 4 after its last answer")];
    assert_eq!(told, expected.map(|(level, message)| (level, message.to_owned())));
}

#[test]
fn a_declaration_is_compared_with_the_description_next_to_the_program() {
    let lab = Lab::new("#!/bin/sh\n");
    let beside = |text: &str| {
        std::fs::write(lab.directory.path().join("lamp.sh.json"), text).unwrap();
        lab.check()
    };
    assert_eq!(beside(HELLO), Vec::<String>::new());
    assert_eq!(beside("{"), ["DIR/./lamp.sh.json is not JSON: EOF while parsing an object at line 1 column 1"]);
    assert_eq!(
        beside(&HELLO.replace("\"dimmable\"", "\"dimable\"").replace("\"level\",\"code\"]", "\"level\",\"colour\"]")),
        [
            "`lamp` says that it has the feature `dimable`, which the type does not know",
            "`lamp` does not say that it has the feature `dimmable`",
            "`lamp` lists `colour`, which is not a property of the type",
            "`lamp` lists `colour`, which is not a property of the type",
            "`lamp` does not read the property `code`",
            "`lamp` does not change the property `code`",
        ]
    );
}

/// Runs `rtype` on the examples, with a separate home directory.
fn rtype(home: &Path, arguments: &[&str]) -> (i32, String) {
    let output = assert_cmd::Command::cargo_bin("rtype")
        .unwrap()
        .env("HOME", home)
        .args(["--types", "examples/providers/types"])
        .args(arguments)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), text)
}

#[test]
fn the_examples_follow_the_protocol() {
    let home = tempfile::tempdir().unwrap();
    for (program, resources) in [("mimeapps.py", "mime.pp"), ("flag.sh", "flags.pp"), ("signing_key.py", "signing_keys.pp")] {
        let (program, resources) = (format!("examples/providers/{program}"), format!("examples/providers/{resources}"));
        let (status, text) = rtype(home.path(), &["provider", "test", &program, "--resources", &resources]);
        assert_eq!(status, 0, "{text}");
        assert!(text.ends_with(" 0 failed, 0 skipped\n") || text.contains("noop: none"), "{text}");
        // The example keeps the rest of the file.
        let (status, text) = rtype(home.path(), &["inspect", "--exit-code", &resources]);
        assert_eq!(status, 0, "{text}");
    }
}

/// A program with a class that defines `create`, `update` and `delete`, which log their calls.
#[test]
fn a_program_has_the_methods_of_a_simple_provider() {
    let home = tempfile::tempdir().unwrap();
    let site = home.path().join("site.pp");
    let apply = |attributes: &str| {
        std::fs::write(&site, format!("signing_key {{ '0x9fb3a1c2': {attributes} }}")).unwrap();
        let state = home.path().join("state");
        let arguments = ["apply", site.to_str().unwrap(), "--state-dir", state.to_str().unwrap(), "--verbose"];
        rtype(home.path(), &arguments).1
    };
    let text = apply("ensure => present, created => '2026-01-31', owner => 'Ann'");
    assert!(text.contains("/ensure: created") && text.contains("Creating: 9FB3A1C2 finished"), "{text}");
    let text = apply("ensure => present, created => '2026-01-31', owner => 'Bob'");
    assert!(text.contains("owner changed 'Ann' to 'Bob'") && text.contains("Updating: 9FB3A1C2 finished"), "{text}");
    // No attribute of the resource is changed.
    let text = apply("ensure => present, created => '2026-02-01', owner => 'Eve'");
    assert!(text.contains("`created` can only be set when the resource is created") && !text.contains("Updating"), "{text}");
    let text = apply("ensure => present, owner => 'Bob'");
    assert!(text.contains("1 in sync"), "{text}");
    let text = apply("ensure => absent");
    assert!(text.contains("/ensure: removed") && text.contains("Deleting: 9FB3A1C2 finished"), "{text}");
}

/// A home directory in which the Python example works and its requests are logged.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/providers");
        let text = std::fs::read_to_string(examples.join("types/mime_default.rtype")).unwrap();
        std::fs::write(desk.0.path().join("mime_default.rtype"), text.replace("../mimeapps.py", "./listens.sh")).unwrap();
        let script = format!("#!/bin/sh\ntee -a '{}/asked' | {}/mimeapps.py\n", desk.0.path().display(), examples.display());
        std::fs::write(desk.0.path().join("listens.sh"), script).unwrap();
        std::fs::set_permissions(desk.0.path().join("listens.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
        desk
    }

    /// Applies a manifest. Returns the output and the operations requested from the program, with the names of the resources.
    fn apply(&self, manifest: &str, arguments: &[&str]) -> (String, Vec<serde_json::Value>) {
        let _ = std::fs::remove_file(self.0.path().join("asked"));
        std::fs::write(self.0.path().join("site.pp"), manifest).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.current_dir(self.0.path()).env("HOME", self.0.path());
        let output = command.args(["--types", ".", "apply", "site.pp", "--state-dir", "state"]).args(arguments).output().unwrap();
        let asked = std::fs::read_to_string(self.0.path().join("asked")).unwrap_or_default();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        (text, asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }
}

#[test]
fn consecutive_changes_are_sent_in_one_batch() {
    let desk = Desk::new();
    let one = |name: &str| format!("mime_default {{ 'text/{name}': applications => ['{name}.desktop'] }}\n");
    let (text, asked) = desk.apply(&["a", "b", "c", "d"].map(one).concat(), &[]);
    let operations = |asked: &[serde_json::Value]| asked.iter().map(|a| a["op"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(operations(&asked), ["hello", "get", "set", "get"], "{text}");
    let changes = asked[2]["changes"].as_array().unwrap();
    let told: Vec<_> = changes.iter().map(|c| (c["title"].as_str().unwrap(), c["loc"].clone())).collect();
    let at = |line: u32| serde_json::json!({"file": "site.pp", "line": line});
    assert_eq!(told, [("text/a", at(1)), ("text/b", at(2)), ("text/c", at(3)), ("text/d", at(4))]);
    assert_eq!(asked[2]["noop"], false);
    // A resource waits for a resource that it has a relationship to.
    let after =
        "mime_default { 'text/a': ensure => absent }\nmime_default { 'text/b': ensure => absent, require => Mime_default['text/a'] }";
    let (text, asked) = desk.apply(after, &[]);
    assert_eq!(operations(&asked).iter().filter(|op| *op == "set").count(), 2, "{text}");
    let (_, asked) = desk.apply(&["a", "b"].map(one).concat(), &["--noop"]);
    assert_eq!(operations(&asked), ["hello", "get"], "a run without changes asks for none");
}

#[test]
fn failed_read_happens_once_per_run() {
    let desk = Desk::new();
    let script = r#"#!/bin/sh
        said() { echo "{\"id\":$id,$1}"; }
        while read -r line; do
          echo "$line" >> "$HOME/asked"; id=${line#*:}; id=${id%%,*}
          case $line in
            *hello*) said '"protocol":1,"name":"x","version":"1","type":"mime_default","ops":["get","set"],"attributes_read":["ensure","applications"],"attributes_write":["ensure","applications"]' ;;
            *get*) [ -e "$HOME/repaired" ] && said '"resources":[],"complete":true' || said '"error":{"kind":"failed","msg":"the list is torn"}' ;;
            *) said '"results":[]' ;;
          esac
        done"#;
    std::fs::write(desk.0.path().join("listens.sh"), script).unwrap();
    let repaired = desk.0.path().join("repaired");
    let manifest = format!(
        "mime_default {{ 'text/a': ensure => present }} -> file {{ '{0}-too': ensure => file }}
         file {{ '{0}': ensure => file }} -> mime_default {{ 'text/b': ensure => present }} -> file {{ '{0}-then': ensure => file }}",
        repaired.display()
    );
    let (text, asked) = desk.apply(&manifest, &[]);
    let operations: Vec<&str> = asked.iter().map(|a| a["op"].as_str().unwrap()).collect();
    assert_eq!(operations, ["hello", "get"], "{text}");
    assert!(repaired.exists() && text.contains("2 failed") && text.contains("2 skipped"), "{text}");
    assert!(text.contains("Mime_default[text/a]: the list is torn") && text.contains("Mime_default[text/b]: the list is torn"), "{text}");
    assert!(!desk.0.path().join("repaired-too").exists() && !desk.0.path().join("repaired-then").exists(), "{text}");
}

#[test]
fn protocol_violations_are_detected() {
    let lab = Lab::new(&format!(
        r#"#!/bin/sh
        while read -r line; do
          id=${{line#*:}}; id=${{id%%,*}}
          case $line in
            *hello*) echo '{HELLO}' | sed "s/^{{\"id\":1/{{\"id\":$id/" ;;
            *) echo "{{\"id\":$id,\"resources\":[{{\"name\":\"no-such-thing-0\"}}],\"complete\":true}}" ;;
          esac
        done; sleep 1; exit 7"#
    ));
    let directory = lab.directory.path().to_str().unwrap();
    let program = lab.program();
    let (status, text) = rtype(lab.directory.path(), &["--types", directory, "provider", "test", program.to_str().unwrap()]);
    assert_eq!(status, 1, "{text}");
    for line in [
        "failed   an unknown operation is an error: it answered `{\"id\":1,",
        "failed   it exits at the end of its input: it exited with 7\n",
        "failed   missing resources are not reported: it reports `no-such-thing-0` as present\n",
        "skipped  what is set is read afterwards: `--resources FILE` must name resources that it may create, change and remove\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let (status, text) = rtype(lab.directory.path(), &["provider", "test", "no-such.sh"]);
    assert_eq!((status, text.contains("cannot find the program `no-such.sh`")), (2, true), "{text}");
}
