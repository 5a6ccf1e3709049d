//! `rtype agent` with a simulated server. `tests/fleet` tests the agent with a real server.

mod drop_in;
mod hostile;
mod report;
pub mod server;
mod trust;

use crate::common::secrets::{assert_hidden, forms};
use serde_json::{Value as Json, json};
use server::{Answer, Authority, Server, Valid};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A node with a server.
struct Node {
    directory: tempfile::TempDir,
    server: Server,
}

/// Output, errors and exit status of a run.
struct Ran {
    text: String,
    status: i32,
}

impl Node {
    fn new() -> Node {
        Node::with(Authority::new(Valid::Now, &[]))
    }

    fn with(authority: Authority) -> Node {
        let node = Node { directory: tempfile::tempdir().unwrap(), server: Server::start(authority) };
        node.set("");
        node.server.catalog(json!([]));
        node
    }

    fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    /// Writes the settings, with additional lines.
    fn set(&self, more: &str) {
        let (ssl, state) = (self.at("ssl"), self.at("puppet-state"));
        fs::create_dir_all(&state).unwrap();
        let text = format!(
            "server = \"localhost\"\nserverport = {}\ncertname = \"web1\"\nssldir = {ssl:?}\nstatedir = {state:?}\nwaitforcert = 0\n{more}",
            self.server.port
        );
        fs::write(self.at("agent.toml"), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.args(["agent", "--settings"]).arg(self.at("agent.toml")).arg("--state-dir").arg(self.at("state")).args(arguments);
        let output = command.current_dir(self.directory.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        Ran { text: text.replace(&*self.directory.path().to_string_lossy(), "@"), status: output.status.code().unwrap() }
    }

    fn file(&self, name: &str, parameters: Json) -> Json {
        json!({"type": "File", "title": self.at(name), "tags": ["file", "node"], "file": "/site.pp", "line": 3, "parameters": parameters})
    }
}

impl Ran {
    /// Asserts that the run fails with this status, and that the output contains these words.
    fn fails(&self, status: i32, words: &[&str]) {
        let text = self.text.replace(['|', '`'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(self.status, status, "{}", self.text);
        for part in words {
            let part = part.replace('`', " ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&part), "{part:?} is missing in:\n{}", self.text);
        }
    }
}

#[test]
fn first_run_gets_a_certificate_and_second_changes_nothing() {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n", "mode": "0640"}))]));
    let first = node.run(&["--test"]);
    assert_eq!(first.status, 2, "{}", first.text);
    assert_eq!(fs::read_to_string(node.at("motd")).unwrap(), "hi\n");
    let report = node.server.report();
    assert_eq!((&report["status"], &report["report_format"]), (&json!("changed"), &json!(12)));
    let name = format!("File[{}]", node.at("motd").display());
    assert_eq!(report["resource_statuses"][&name]["events"][0]["name"], "file_created");
    assert_eq!(report["resource_statuses"][&name]["line"], 3);
    assert_eq!(node.run(&["--test"]).status, 0);
    assert_eq!(node.server.report()["status"], "unchanged");
    let status: Json = serde_json::from_slice(&fs::read(node.at("state/agent/status.json")).unwrap()).unwrap();
    assert_eq!((&status["status"], &status["counts"]["total"]), (&json!("unchanged"), &json!(1)));
}

#[test]
fn keys_and_catalogs_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let node = Node::new();
    node.run(&["--test"]);
    for file in ["ssl/private_keys/web1.pem", "state/agent/catalog.json"] {
        assert_eq!(fs::metadata(node.at(file)).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}

#[test]
fn resource_of_an_unknown_type_fails_and_what_depends_on_it_is_skipped() {
    let node = Node::new();
    let dependent = node.file("dependent", json!({"ensure": "file", "require": "Moon[a]"}));
    let moon = json!({"type": "Moon", "title": "a", "tags": [], "parameters": {"phase": "full"}});
    let bad = node.file("bad", json!({"mode": "rwx!"}));
    node.server.catalog(json!([moon, dependent, bad, node.file("other", json!({"ensure": "file"}))]));
    let ran = node.run(&["--test"]);
    ran.fails(6, &["Moon[a]", "the type `moon` cannot be applied", "File[@/dependent]: skipped"]);
    assert!(node.at("other").exists() && !node.at("dependent").exists());
    let report = node.server.report();
    let of = |name: &str| report["resource_statuses"][name].clone();
    assert_eq!((of("Moon[a]")["failed"].clone(), report["status"].clone()), (json!(true), json!("failed")));
    assert_eq!(of(&format!("File[{}]", node.at("dependent").display()))["skipped"], true);
    assert_eq!(of(&format!("File[{}]", node.at("bad").display()))["failed"], true);
    assert_eq!(report["metrics"]["resources"]["values"][0], json!(["total", "Total", 4.0]));
}

#[test]
fn server_that_is_away_leaves_the_catalog_of_an_earlier_run() {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"}))]));
    assert_eq!(node.run(&["--test"]).status, 2);
    fs::remove_file(node.at("motd")).unwrap();
    let away = ["--onetime", "--server", "localhost:1"];
    let ran = node.run(&away);
    ran.fails(0, &["cannot reach localhost:1", "using the catalog of an earlier run"]);
    assert!(node.at("motd").exists());
    // `--test` requires a new catalog, and a cached catalog that is too old is not used.
    node.run(&["--test", "--server", "localhost:1"]).fails(1, &["error[RM034]: cannot reach localhost:1", "look whether the server runs"]);
    node.set("catalog_age_limit = \"1s\"\n");
    std::thread::sleep(Duration::from_millis(2100));
    node.run(&away).fails(1, &["cannot reach localhost:1"]);
}

#[test]
fn unsigned_certificate_ends_the_run_with_the_command_that_signs_it() {
    let node = Node::new();
    node.server.served.lock().unwrap().signs = None;
    node.run(&["--test"]).fails(1, &["has not signed the certificate of `web1` yet", "puppetserver ca sign --certname web1"]);
    assert!(node.at("ssl/certificate_requests/web1.pem").exists() && !node.at("ssl/certs/web1.pem").exists());
}

#[test]
fn certificates_of_the_server_are_checked() {
    let node = Node::with(Authority::new(Valid::Past, &[]));
    node.run(&["--test"]).fails(1, &["its certificate has expired", "compare the clocks"]);
    let node = Node::with(Authority::new(Valid::Future, &[]));
    node.run(&["--test"]).fails(1, &["its certificate is not valid yet", "compare the clocks: here it is"]);
    let node = Node::with(Authority::new(Valid::Now, &[2]));
    node.run(&["--test"]).fails(1, &["its certificate has been revoked"]);
    let node = Node::new();
    assert_eq!(node.run(&["--test"]).status, 0);
    fs::write(node.at("ssl/certs/ca.pem"), Authority::new(Valid::Now, &[]).issuer.pem()).unwrap();
    node.run(&["--test"]).fails(1, &["another CA has signed its certificate", "remove `certs/ca.pem`"]);
}

#[test]
fn fingerprint_of_the_ca_is_compared_before_anything_is_sent() {
    let node = Node::new();
    node.set(&format!("ca_fingerprint = \"{}\"\n", "0".repeat(64)));
    node.run(&["--test"]).fails(1, &["does not match `ca_fingerprint`"]);
    assert!(!node.at("ssl/certs/ca.pem").exists());
    assert_eq!(node.server.served.lock().unwrap().asked.len(), 1);
}

#[test]
fn own_certificate_is_checked() {
    let node = Node::new();
    node.server.served.lock().unwrap().signs = Some(Valid::Past);
    node.run(&["--test"]);
    node.run(&["--test"]).fails(1, &["the certificate of this node", "it is valid from 2001", "set the clock if it is wrong"]);
    let node = Node::new();
    node.run(&["--test"]);
    fs::remove_file(node.at("ssl/certs/web1.pem")).unwrap();
    fs::remove_file(node.at("ssl/private_keys/web1.pem")).unwrap();
    node.run(&["--test"]).fails(1, &["does not match the key of this node", "puppetserver ca clean --certname web1"]);
    assert!(!node.at("ssl/certs/web1.pem").exists());
}

#[test]
fn certificate_is_renewed_before_it_ends() {
    let node = Node::new();
    node.server.served.lock().unwrap().signs = Some(Valid::Soon);
    assert_eq!(node.run(&["--test"]).status, 0);
    let asked: Vec<String> = node.server.served.lock().unwrap().asked.iter().map(|(key, _)| key.clone()).collect();
    assert!(asked.contains(&"POST /puppet-ca/v1/certificate_renewal".to_owned()), "{asked:?}");
    // The new certificate is for another key, so the old certificate stays.
    assert_eq!(node.run(&["--test"]).status, 0);
    // A server that does not renew certificates causes no failure.
    let node = Node::new();
    node.server.served.lock().unwrap().signs = Some(Valid::Soon);
    node.server.answer("POST /puppet-ca/v1/certificate_renewal", Answer::of(404, "{}"));
    assert_eq!(node.run(&["--test"]).status, 0);
}

#[test]
fn static_catalog_needs_no_questions_about_files() {
    let node = Node::new();
    let source = "puppet:///modules/demo/a";
    let metadata = json!({"path": "/x", "relative_path": null, "type": "file", "owner": 0, "group": 0, "mode": 420, "links": "manage",
        "checksum": {"type": "sha256", "value": sha256("hi\n")}, "source": source, "content_uri": "puppet:///modules/demo/files/a"});
    let catalog = json!({
        "name": "web1", "version": 7, "environment": "production", "code_id": "v1", "tags": [], "classes": [], "edges": [],
        "resources": [node.file("a", json!({"source": source}))],
        "metadata": {node.at("a").to_string_lossy(): metadata},
    });
    node.server.answer("POST /puppet/v3/catalog/web1", Answer::of(200, catalog.to_string()));
    node.server.answer("GET /puppet/v3/static_file_content/modules/demo/files/a", Answer::of(200, "hi\n"));
    let ran = node.run(&["--test"]);
    assert_eq!((ran.status, fs::read_to_string(node.at("a")).unwrap_or_default().as_str()), (2, "hi\n"), "{}", ran.text);
    assert!(node.server.served.lock().unwrap().asked.iter().all(|(key, _)| !key.contains("file_metadata/")));
}

#[test]
fn agent_runs_again_until_a_signal_comes() {
    let node = Node::new();
    node.set("runinterval = 1\nlog_format = \"json\"\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
    command.args(["agent", "--settings"]).arg(node.at("agent.toml")).arg("--state-dir").arg(node.at("state"));
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let reports = || node.server.served.lock().unwrap().asked.iter().filter(|(key, _)| key.starts_with("PUT /puppet/v3/report")).count();
    let end = std::time::Instant::now() + Duration::from_secs(60);
    while reports() < 2 {
        assert!(std::time::Instant::now() < end, "no second run");
        std::thread::sleep(Duration::from_millis(50));
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap()), nix::sys::signal::SIGTERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        assert!(serde_json::from_str::<Json>(line).unwrap()["kind"].is_string());
    }
}

#[test]
fn broken_answers_change_nothing() {
    let node = Node::new();
    let whole = json!({"name": "web1", "version": 1, "resources": [node.file("x", json!({"ensure": "file"}))]}).to_string();
    let mut cut = Answer::of(200, whole.clone());
    cut.cut = 20;
    let mut slow = Answer::of(200, whole);
    slow.delay = Duration::from_secs(5);
    let other = json!({"name": "web2", "version": 1, "resources": []}).to_string();
    let message = json!({"message": "Not Authorized: Forbidden request: /puppet/v3/catalog/web1", "issue_kind": "FORBIDDEN"}).to_string();
    for (answer, words) in [
        (cut, vec!["cannot be used", "the catalog of web1"]),
        (slow, vec!["cannot reach localhost", "timeout"]),
        (Answer::of(200, other), vec!["it is the catalog of web2"]),
        (Answer::of(200, "{"), vec!["cannot be used"]),
        (Answer::of(403, message), vec!["refused the catalog of web1: 403, Not Authorized", "`auth.conf`"]),
        (Answer::of(500, "<html>oops</html>"), vec!["refused the catalog of web1: 500", "the log of the server"]),
    ] {
        node.set("http_read_timeout = 1\n");
        node.server.answer("POST /puppet/v3/catalog/web1", answer);
        node.run(&["--test"]).fails(1, &words);
        assert!(!node.at("x").exists());
        assert_eq!(node.server.report()["status"], "failed");
    }
}

#[test]
fn changed_checksum_of_content_is_an_error() {
    let node = Node::new();
    let source = "puppet:///modules/demo/a";
    node.server.catalog(json!([node.file("a", json!({"source": source})), node.file("b", json!({"ensure": "file", "content": "b"}))]));
    let sum = "{sha256}98ea6e4f216f2fb4b69fff9b3a44842c38686ca685f3f55dc48c5d3fb1107be4";
    let metadata = json!({"path": "/x", "relative_path": null, "type": "file", "owner": 0, "group": 0, "mode": 420,
        "checksum": {"type": "sha256", "value": sum}, "links": "manage", "destination": null});
    node.server.answer("GET /puppet/v3/file_metadata/modules/demo/a", Answer::of(200, metadata.to_string()));
    node.server.answer("GET /puppet/v3/file_content/modules/demo/a", Answer::of(200, "other"));
    node.run(&["--test"]).fails(6, &["arrived with the checksum", "run again"]);
    assert!(!node.at("a").exists() && node.at("b").exists());
    node.server.answer("GET /puppet/v3/file_content/modules/demo/a", Answer::of(200, "hi\n"));
    assert_eq!(node.run(&["--test"]).status, 2);
    assert_eq!(fs::read_to_string(node.at("a")).unwrap(), "hi\n");
}

#[test]
fn types_of_the_server_are_synchronized_and_used() {
    let node = Node::new();
    let ruby = "Puppet::Type.newtype(:moon) do\n  newparam(:name, namevar: true)\n  newproperty(:phase) { newvalues(:full, :new) }\nend\n";
    let sum = sha256(ruby);
    let list = |sum: &str| {
        json!([
            {"relative_path": ".", "type": "directory", "mode": 493},
            {"relative_path": "puppet/type/moon.rb", "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": sum}},
            {"relative_path": "../../outside", "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": sum}},
        ])
        .to_string()
    };
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, list(&sum)));
    node.server.answer("GET /puppet/v3/file_content/plugins/puppet/type/moon.rb", Answer::of(200, ruby));
    node.server.catalog(json!([{"type": "Moon", "title": "a", "tags": [], "parameters": {"phase": "half"}}]));
    node.run(&["--test"]).fails(4, &["Moon[a]", "half"]);
    let copy = node.at("state/agent/modules/plugins/lib/puppet/type/moon.rb");
    assert_eq!(fs::read_to_string(&copy).unwrap(), ruby);
    assert!(!node.at("state/agent/outside").exists() && !node.at("state/outside").exists());
    // rtype's own type takes precedence over the server's type.
    let cron = "Puppet::Type.newtype(:cron) { newparam(:name, namevar: true) }\n";
    node.server.answer("GET /puppet/v3/file_content/plugins/puppet/type/cron.rb", Answer::of(200, cron));
    let both = json!([
        {"relative_path": "puppet/type/moon.rb", "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": sum}},
        {"relative_path": "puppet/type/cron.rb", "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": sha256(cron)}},
    ]);
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, both.to_string()));
    node.server.catalog(json!([{"type": "Cron", "title": "a", "tags": [], "parameters": {"ensure": "absent", "noop": true}}]));
    let ran = node.run(&["--test"]);
    assert!(!ran.text.contains("no attribute"), "{}", ran.text);
    // An incompletely received file does not replace the old file.
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, list("{sha256}00")));
    node.run(&["--test"]).fails(1, &[" cannot be used: checksum "]);
    assert_eq!(fs::read_to_string(&copy).unwrap(), ruby);
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, "[]"));
    node.run(&["--test"]);
    assert!(!copy.exists());
}

fn sha256(text: &str) -> String {
    use sha2::{Digest, Sha256};
    let sum: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{{sha256}}{sum}")
}

#[test]
fn disabled_agent_and_running_puppet_are_respected() {
    let node = Node::new();
    assert_eq!(node.run(&["--disable", "upgrade of the database"]).status, 0);
    node.run(&["--test"]).fails(1, &["the agent is disabled: upgrade of the database", "rtype agent --enable"]);
    assert_eq!(node.run(&["--enable"]).status, 0);
    assert_eq!(node.run(&["--test"]).status, 0);
    // A process that has ended has left its lock.
    fs::write(node.at("puppet-state/agent_catalog_run.lock"), "4194304").unwrap();
    assert_eq!(node.run(&["--test"]).status, 0);
    assert!(!node.at("puppet-state/agent_catalog_run.lock").exists());
}

#[test]
fn puppets_lock_is_held_under_a_name_that_puppet_accepts() {
    let node = Node::new();
    let seen = node.at("seen");
    let command = format!(
        "cat {0}/agent_catalog_run.lock /proc/$(cat {0}/agent_catalog_run.lock)/comm > {1}",
        node.at("puppet-state").display(),
        seen.display()
    );
    let exec = json!({"type": "Exec", "title": "look", "tags": [], "parameters": {"command": command, "provider": "shell", "path": "/bin:/usr/bin"}});
    node.server.catalog(json!([exec]));
    let ran = node.run(&["--test"]);
    // Puppet's `util/pidlock.rb` expects a process name that matches `/puppet(-.*)?$/`.
    assert!(fs::read_to_string(&seen).unwrap_or_default().ends_with("rtype-puppet\n"), "{}", ran.text);
}

#[test]
fn secrets_are_in_no_output_and_no_report() {
    let node = Node::new();
    let secret = "tops3cret-value";
    let mut file = node.file("a", json!({"content": secret, "mode": "0600"}));
    file["sensitive_parameters"] = json!(["content"]);
    let exec = json!({"type": "Exec", "title": "print", "tags": [], "parameters": {
        "command": format!("echo {secret}; exit 3"), "provider": "shell", "path": "/bin:/usr/bin", "logoutput": true,
        "require": format!("File[{}]", node.at("a").display()),
    }});
    node.server.catalog(json!([file, exec]));
    let ran = node.run(&["--test", "--verbose"]);
    assert_hidden("output", &ran.text);
    assert!(forms(secret).iter().all(|form| !ran.text.contains(form.as_str())), "{}", ran.text);
    let report = node.server.report().to_string();
    assert!(forms(secret).iter().all(|form| !report.contains(form.as_str())), "{report}");
    let status = fs::read_to_string(node.at("state/agent/status.json")).unwrap();
    assert!(!status.contains(secret));
}

#[test]
fn servers_of_a_list_are_tried_in_order() {
    let node = Node::new();
    node.server.answer("GET /status/v1/simple/server", Answer::of(200, "running"));
    node.set(&format!("server_list = [\"localhost:1\", \"localhost:{}\"]\n", node.server.port));
    let ran = node.run(&["--test"]);
    ran.fails(0, &["cannot reach localhost:1", "trying the next server of `server_list`"]);
    assert_eq!(node.server.report()["server_used"], format!("localhost:{}", node.server.port));
    // A reachable server that is not ready is skipped as well. The run reports the error of the last server.
    node.server.answer("GET /status/v1/simple/server", Answer::of(503, "starting"));
    node.run(&["--test"]).fails(1, &["localhost:1", "refused its status: 503, starting"]);
    // The option selects the only server.
    let asked = |path: &str| node.server.served.lock().unwrap().asked.iter().filter(|(key, _)| key.contains(path)).count();
    let before = asked("/status/");
    assert_eq!(node.run(&["--test", "--server", &format!("localhost:{}", node.server.port)]).status, 0);
    assert_eq!(asked("/status/"), before);
}

#[test]
fn new_keys_are_of_the_type_that_the_settings_have() {
    for (more, expected) in [("", "prime256v1"), ("key_type = \"rsa\"\nkeylength = 2048\n", "(2048 bit")] {
        let node = Node::new();
        node.set(more);
        let ran = node.run(&["--test"]);
        assert_eq!(ran.status, 0, "{}", ran.text);
        for (file, option) in [("ssl/private_keys/web1.pem", "-text"), ("ssl/public_keys/web1.pem", "-pubin")] {
            let output = Command::new("openssl").args(["pkey", "-noout", "-text", option, "-in"]).arg(node.at(file)).output().unwrap();
            assert!(String::from_utf8_lossy(&output.stdout).contains(expected), "{file}: {output:?}");
        }
    }
    let node = Node::new();
    node.set("key_type = \"rsa\"\nkeylength = 512\n");
    node.run(&["--test"]).fails(1, &["agent.toml:8: `512` is not a value of `keylength`", "from 2048 to 8192"]);
}

#[test]
fn instruction_set_is_what_uname_prints() {
    let node = Node::new();
    node.run(&["--test"]);
    let printed = String::from_utf8(Command::new("uname").arg("-p").output().unwrap().stdout).unwrap();
    let asked = &node.server.served.lock().unwrap().asked;
    let (_, body) = asked.iter().find(|(key, _)| key == "POST /puppet/v3/catalog/web1").unwrap();
    // Facts are encoded twice.
    for name in ["isa", "hardwareisa"] {
        let fact = format!("%2522{name}%2522%253A%2522{}%2522", printed.trim());
        assert!(String::from_utf8_lossy(body).contains(&fact), "{name}");
    }
}

#[test]
fn wrong_settings_are_shown_with_their_line() {
    let node = Node::new();
    node.set("runintervall = 5\n");
    node.run(&["--test"]).fails(1, &["agent.toml:7: unknown setting `runintervall`", "`runinterval` is a setting"]);
}

#[test]
fn unreachable_proxy_and_missing_settings_are_named() {
    let node = Node::new();
    node.set("http_proxy_host = \"127.0.0.1\"\nhttp_proxy_port = 9\n");
    node.run(&["--test"]).fails(1, &["through the proxy 127.0.0.1:9"]);
    fs::remove_file(node.at("agent.toml")).unwrap();
    let missing = node.run(&["--test"]);
    missing.fails(1, &["@/agent.toml", "check the path"]);
    assert!(!missing.text.contains("space"), "{}", missing.text);
}

/// rtype examines neither class parameters nor the arguments of deferred functions. An unsupported attribute value only fails its resource.
#[test]
fn values_that_are_not_understood_fail_their_resource_alone() {
    let node = Node::new();
    let weird = json!({"__ptype": "Pcore::StringType", "size_type_or_value": "tops3cret-arg"});
    let called = json!({"__ptype": "Deferred", "name": "new", "arguments": [{"__ptype": "Pcore::SensitiveType"}, "x"]});
    let class = json!({"type": "Class", "title": "shop", "tags": [], "parameters": {"of": weird}});
    let file = |name: &str, value: &Json| node.file(name, json!({"ensure": "file", "content": value}));
    node.server.catalog(json!([class, file("called", &called), file("weird", &weird), file("ok", &json!("ok"))]));
    let ran = node.run(&["--test"]);
    ran.fails(
        6,
        &[
            "File[@/called]: content: what it should be is not known yet",
            "File[@/weird]: values of the type `Pcore::StringType` are not understood",
        ],
    );
    assert!(node.at("ok").exists() && !node.at("called").exists() && !node.at("weird").exists());
}
