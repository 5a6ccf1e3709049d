//! `rtype agent` as a replacement for `puppet agent`: the same settings, options, signals, locks and exit statuses.

use super::server::Answer;
use super::{Node, sha256};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value as Json, json};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

impl Node {
    /// Returns the number of received requests with `part` in the first line.
    pub fn asked(&self, part: &str) -> usize {
        self.server.served.lock().unwrap().lines.iter().filter(|line| line.contains(part)).count()
    }

    fn status(&self) -> Json {
        serde_json::from_slice(&fs::read(self.at("state/agent/status.json")).unwrap()).unwrap()
    }

    /// Serves a file of a module.
    fn module_file(&self, path: &str, content: &str, mode: u32) {
        let metadata = json!({"path": "/x", "relative_path": null, "type": "file", "owner": 0, "group": 0, "mode": mode, "links": "manage",
            "checksum": {"type": "sha256", "value": sha256(content)}});
        self.server.answer(&format!("GET /puppet/v3/file_metadata/modules/{path}"), Answer::of(200, metadata.to_string()));
        self.server.answer(&format!("GET /puppet/v3/file_content/modules/{path}"), Answer::of(200, content));
    }

    pub fn daemon(&self) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rtype"));
        command.args(["agent", "--settings"]).arg(self.at("agent.toml")).arg("--state-dir").arg(self.at("state"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// Waits until a condition is true. `what` is the message after 60 seconds.
pub fn until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn second_agent_waits_for_the_lock_as_long_as_asked() {
    let node = Node::new();
    let (lock, go) = (node.at("puppet-state/agent_catalog_run.lock"), node.at("go"));
    let command = format!("until [ -e {} ]; do sleep 0.05; done", go.display());
    let exec = json!({"type": "Exec", "title": "wait", "tags": [], "parameters": {"command": command, "provider": "shell", "path": "/bin:/usr/bin"}});
    node.server.catalog(json!([exec]));
    let mut first = node.daemon();
    until("the first run has no lock", || lock.exists());
    let refused = node.run(&["--test"]);
    assert!(refused.status == 1 && !refused.text.contains("looking again"), "{}", refused.text);
    let limited = node.run(&["--test", "--waitforlock", "1", "--maxwaitforlock", "1"]);
    assert!(limited.status == 1 && limited.text.contains("looking again in 1 s"), "{}", limited.text);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| node.run(&["--test", "--waitforlock", "1", "--maxwaitforlock", "60"]));
        std::thread::sleep(Duration::from_millis(500));
        assert!(!second.is_finished());
        fs::write(&go, "").unwrap();
        let second = second.join().unwrap();
        assert!([0, 2].contains(&second.status) && second.text.contains("looking again in 1 s"), "{}", second.text);
    });
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn source_permissions_are_asked_for() {
    let node = Node::new();
    node.module_file("demo/a", "hi\n", 0o751);
    let file = |name: &str, value: &str| node.file(name, json!({"source": "puppet:///modules/demo/a", "source_permissions": value}));
    node.server.catalog(json!([file("a", "ignore"), file("b", "use"), file("c", "use_when_creating")]));
    let ran = node.run(&["--test"]);
    for value in ["ignore", "use", "use_when_creating"] {
        let line = format!("source_permissions={value} ");
        assert!(node.asked(&line) + node.asked(&line.replace(' ', "&")) > 0, "{value}: {}", ran.text);
    }
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(node.at("c")).unwrap().permissions().mode() & 0o777, 0o751, "{}", ran.text);
}

#[test]
fn source_may_name_the_server_of_the_agent() {
    let node = Node::new();
    node.module_file("demo/a", "hi\n", 0o644);
    let file = |name: &str, host: &str| node.file(name, json!({"source": format!("puppet://{host}/modules/demo/a")}));
    let own = format!("localhost:{}", node.server.port);
    node.server.catalog(json!([file("a", "localhost"), file("b", &own), file("c", "other")]));
    node.run(&["--test"]).fails(6, &["is on another server than"]);
    assert!(node.at("a").exists() && node.at("b").exists() && !node.at("c").exists());
}

#[test]
fn run_that_may_not_begin_asks_nothing_and_reports_nothing() {
    let node = Node::new();
    assert_eq!(node.run(&["--test"]).status, 0);
    let (before, status) = (node.asked(""), node.status());
    let mut puppet = Command::new("sleep").arg0("puppet").arg("600").spawn().unwrap();
    // Until the program has been loaded, the kernel shows an empty command line.
    let words = format!("/proc/{}/cmdline", puppet.id());
    until("the process has no command line", || fs::read(&words).is_ok_and(|words| words.starts_with(b"puppet")));
    fs::write(node.at("puppet-state/agent_catalog_run.lock"), puppet.id().to_string()).unwrap();
    node.run(&["--test"]).fails(1, &["Puppet's agent is running"]);
    let begun = Instant::now();
    node.run(&["--test", "--waitforlock", "1", "--maxwaitforlock=2"]).fails(1, &["looking again in 1 s", "Puppet's agent is running"]);
    assert!(begun.elapsed() >= Duration::from_secs(2));
    puppet.kill().unwrap();
    puppet.wait().unwrap();
    node.run(&["--disable", "maintenance"]);
    node.run(&["--test"]).fails(1, &["the agent is disabled: maintenance"]);
    assert_eq!((node.asked(""), node.status()), (before, status));
}

#[test]
fn first_reason_to_disable_stays() {
    let node = Node::new();
    node.run(&["--disable", "first"]);
    node.run(&["--disable", "second"]).fails(0, &["the agent was disabled before, and the reason stays: first"]);
    node.run(&["--test"]).fails(1, &["the agent is disabled: first"]);
}

#[test]
fn unknown_environment_does_not_remove_types() {
    let node = Node::new();
    let text = "Facter.add(:a) {}\n";
    let list =
        json!([{"relative_path": "facter/a.rb", "type": "file", "mode": 420, "checksum": {"type": "sha256", "value": sha256(text)}}]);
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(200, list.to_string()));
    node.server.answer("GET /puppet/v3/file_content/plugins/facter/a.rb", Answer::of(200, text));
    assert_eq!(node.run(&["--test"]).status, 0);
    node.server.answer("GET /puppet/v3/file_metadatas/plugins", Answer::of(404, json!({"message": "no environment"}).to_string()));
    node.server.answer("POST /puppet/v3/catalog/web1", Answer::of(404, json!({"message": "no environment"}).to_string()));
    node.run(&["--test", "--environment", "nosuch"]).fails(1, &["the server has no environment `nosuch`"]);
    assert!(node.at("state/agent/modules/plugins/lib/facter/a.rb").exists());
}

#[test]
fn daemon_reads_its_settings_again_and_runs_when_it_is_asked_to() {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"}))]));
    node.set("runinterval = 3600\n");
    let daemon = node.daemon();
    let signal = |signal: Signal| kill(Pid::from_raw(i32::try_from(daemon.id()).unwrap()), signal).unwrap();
    let reports = |count: usize| until("no run", || node.asked("PUT /puppet/v3/report") == count);
    reports(1);
    assert_eq!(node.server.report()["noop"], false);
    node.set("runinterval = 3600\nnoop = true\n");
    signal(Signal::SIGUSR1);
    reports(2);
    assert_eq!(node.server.report()["noop"], true);
    // Wrong settings do not stop a daemon.
    node.set("runintervall = 3600\n");
    signal(Signal::SIGUSR2);
    signal(Signal::SIGHUP);
    reports(3);
    assert_eq!(node.server.report()["noop"], true);
    signal(Signal::SIGTERM);
    let output = daemon.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.contains("unknown setting `runintervall`") && errors.contains("the settings of the last run are used"), "{errors}");
}

#[test]
fn commands_are_run_before_and_after_resources() {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"}))]));
    let marks = node.at("marks");
    let command =
        |more: &str| format!("echo \"$(ls '{}' 2>&1 | grep -c motd$)\" >> '{}'; {more}", node.directory.path().display(), marks.display());
    node.set(&format!("prerun_command = {:?}\npostrun_command = {:?}\n", command("exit 3"), command("true")));
    node.run(&["--test"]).fails(1, &["`prerun_command` failed"]);
    assert!(!node.at("motd").exists());
    assert_eq!((fs::read_to_string(&marks).unwrap().as_str(), &node.server.report()["status"]), ("0\n0\n", &json!("failed")));
    node.set(&format!("prerun_command = {:?}\npostrun_command = {:?}\n", command("true"), command("exit 3")));
    node.run(&["--test"]).fails(1, &["`postrun_command` failed"]);
    assert_eq!((fs::read_to_string(&marks).unwrap().as_str(), &node.server.report()["status"]), ("0\n0\n0\n1\n", &json!("failed")));
    assert_eq!(node.status()["status"], "failed");
}

#[test]
fn resources_with_skipped_tags_are_skipped() {
    let node = Node::new();
    let mut tagged = node.file("a", json!({"ensure": "file"}));
    tagged["tags"] = json!(["file", "slow"]);
    node.server.catalog(json!([tagged, node.file("b", json!({"ensure": "file", "require": format!("File[{}]", node.at("a").display())}))]));
    node.set("skip_tags = [\"Slow\"]\n");
    let ran = node.run(&["--test", "--verbose"]);
    assert!(!node.at("a").exists() && node.at("b").exists(), "{}", ran.text);
    assert!(ran.text.contains("it has one of the tags that are skipped"), "{}", ran.text);
    let report = node.server.report();
    assert_eq!(report["resource_statuses"][format!("File[{}]", node.at("a").display())]["skipped"], true);
    assert_eq!(node.run(&["--test", "--skip_tags", "other"]).status, 2);
    assert!(node.at("a").exists());
}

#[test]
fn exit_statuses_are_those_of_puppet() {
    let node = Node::new();
    let exec = json!({"type": "Exec", "title": "a", "tags": [], "parameters": {"command": "/bin/false"}});
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"})), exec]));
    // Planned changes do not count as changes.
    assert_eq!(node.run(&["--test", "--noop"]).status, 0);
    assert_eq!(node.run(&["--onetime"]).status, 0);
    assert_eq!(node.server.report()["status"], "failed");
    assert_eq!(node.run(&["--test"]).status, 4);
    assert_eq!(node.run(&["--onetime", "--detailed_exitcodes"]).status, 4);
    // The exit status of wrong usage must differ from the status of changes.
    for arguments in [vec!["--nosuch"], vec!["--test", "--splay=maybe"], vec!["--test", "--waitforcert", "soon"]] {
        assert_eq!(node.run(&arguments).status, 1, "{arguments:?}");
    }
}

#[test]
fn options_of_puppet_are_accepted() {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"}))]));
    let cron = ["-o", "--no-daemonize", "-v", "-d", "--no-splay", "--show_diff", "--no-usecacheonfailure", "--logdest", "console"];
    let ran = node.run(&cron);
    assert_eq!(ran.status, 0, "{}", ran.text);
    assert!(node.at("motd").exists());
    for arguments in [
        "--onetime --noop --no-noop --serverport PORT --waitforcert 2m -w 5 --maxwaitforcert=1m --color false",
        "--onetime --masterport PORT --runinterval 5m --server_list localhost:PORT --color ansi --usecacheonfailure",
        "--onetime --ssldir @/ssl --vardir @/var --no-show_diff --no-show-diff --debug --no-report --skip_tags a,b",
        "--onetime --no-server-list-is-unknown",
    ] {
        fs::remove_file(node.at("motd")).ok();
        node.server.answer("GET /status/v1/simple/server", Answer::of(200, "running"));
        let arguments = arguments.replace("PORT", &node.server.port.to_string()).replace('@', &node.directory.path().to_string_lossy());
        let ran = node.run(&arguments.split(' ').collect::<Vec<_>>());
        let is_known = !arguments.contains("unknown");
        assert_eq!((ran.status, node.at("motd").exists()), (i32::from(!is_known), is_known), "{arguments}: {}", ran.text);
    }
    assert!(node.run(&["--version"]).text.contains(env!("CARGO_PKG_VERSION")));
    // An option takes precedence over the file, and the last option takes precedence over earlier options.
    node.set("noop = true\n");
    fs::remove_file(node.at("motd")).ok();
    node.run(&["--test", "--noop", "--no-noop"]);
    assert!(node.at("motd").exists());
    fs::remove_file(node.at("motd")).ok();
    assert_eq!(node.run(&["--test", "--no-noop", "--noop"]).status, 0);
    assert!(!node.at("motd").exists());
    let ran = node.run(&["--test", "--no-noop", "--use_cached_catalog", "--server", "localhost:1"]);
    assert_eq!((ran.status, node.at("motd").exists()), (2, true), "{}", ran.text);
}

#[test]
fn catalog_that_cannot_be_used_does_not_replace_the_one_of_an_earlier_run() {
    let node = Node::new();
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"}))]));
    assert_eq!(node.run(&["--test"]).status, 2);
    let kept = fs::read(node.at("state/agent/catalog.json")).unwrap();
    let file = |name: &str, of: &str| node.file(name, json!({"ensure": "file", "require": format!("File[{}]", node.at(of).display())}));
    node.server.catalog(json!([file("a", "b"), file("b", "a")]));
    node.run(&["--test"]).fails(1, &["cycle"]);
    // As with Puppet, a `--noop` run does not replace the cached catalog either.
    node.server.catalog(json!([node.file("other", json!({"ensure": "file"}))]));
    assert_eq!(node.run(&["--test", "--noop"]).status, 0);
    assert_eq!(fs::read(node.at("state/agent/catalog.json")).unwrap(), kept);
}

#[test]
fn lines_of_a_json_log_have_times_and_places() {
    let node = Node::new();
    node.set("log_format = \"json\"\n");
    let notify = json!({"type": "Notify", "title": "n", "tags": [], "file": "/site.pp", "line": 9, "parameters": {}});
    node.server.catalog(json!([node.file("motd", json!({"content": "hi\n"})), notify]));
    let lines = |text: &str| -> Vec<Json> {
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
    };
    let all = lines(&node.run(&["--test"]).text);
    let resource = all.iter().find(|line| line["kind"] == "resource").unwrap();
    assert_eq!((&resource["file"], &resource["line"]), (&json!("/site.pp"), &json!(3)));
    assert!(all.iter().filter(|line| line["kind"] != "summary").all(|line| line["time"].is_string()), "{all:?}");
    for arguments in [vec!["--test", "--server", "localhost:1"], vec!["--test", "--log_format=json", "--keylength=1", "--key_type=rsa"]] {
        let all = lines(&node.run(&arguments).text);
        let error = all.iter().find(|line| line["level"] == "err").unwrap();
        assert_eq!((&error["code"], &error["kind"]), (&json!("RM034"), &json!("log")));
        assert!(error["help"].is_string() && error["time"].is_string());
    }
}

#[test]
fn damaged_catalog_of_an_earlier_run_is_named() {
    let node = Node::new();
    node.run(&["--test"]);
    let catalog = node.at("state/agent/catalog.json");
    let damage = |how: &str| {
        let _ = fs::remove_file(&catalog);
        match how {
            "a directory" => fs::create_dir_all(catalog.join("sub")).unwrap(),
            "a named pipe" => nix::unistd::mkfifo(&catalog, nix::sys::stat::Mode::S_IRWXU).unwrap(),
            "a symbolic link" => std::os::unix::fs::symlink("/etc/hostname", &catalog).unwrap(),
            text => fs::write(&catalog, text).unwrap(),
        }
    };
    for how in ["", "{", "\u{fffd}", "a directory", "a named pipe", "a symbolic link"] {
        damage(how);
        node.run(&["--onetime", "--server", "localhost:1"])
            .fails(1, &["@/state/agent/catalog.json", "the catalog of an earlier run is damaged", "cannot reach localhost:1"]);
        damage(how);
        node.run(&["--onetime", "--use_cached_catalog"]).fails(1, &["the catalog of an earlier run is damaged"]);
        damage(how);
        assert_eq!(node.run(&["--test"]).status, 0, "{how}");
        assert!(catalog.symlink_metadata().unwrap().is_file(), "{how}");
    }
    // The status file, which the agent writes after a run.
    fs::remove_file(node.at("state/agent/status.json")).unwrap();
    fs::create_dir(node.at("state/agent/status.json")).unwrap();
    assert_eq!(node.run(&["--test"]).status, 0);
}

#[test]
fn single_runs_wait_for_a_certificate_only_with_waitforcert() {
    let node = Node::new();
    node.set("");
    let settings = fs::read_to_string(node.at("agent.toml")).unwrap().replace("waitforcert = 0", "waitforcert = 30");
    fs::write(node.at("agent.toml"), settings).unwrap();
    node.server.served.lock().unwrap().signs = None;
    for command in ["--test", "--onetime"] {
        node.run(&[command]).fails(1, &["has not signed the certificate of `web1` yet"]);
    }
    let ran = node.run(&["--test", "--waitforcert", "1", "--maxwaitforcert", "1"]);
    ran.fails(1, &["waiting for the certificate of web1 to be signed; asking again in 1 s"]);
    assert!(node.run(&["--fingerprint"]).text.starts_with("(SHA256) "));
}

#[test]
fn change_of_the_environment_by_the_server_is_reported() {
    let node = Node::new();
    node.run(&["--test", "--environment", "nosuch"])
        .fails(0, &["Local environment: 'nosuch' doesn't match server specified environment 'production'"]);
}
