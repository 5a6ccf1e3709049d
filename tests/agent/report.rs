//! Reports have the same content as the reports of Puppet 7.23 for the same run. The expected content comes from a real Puppet Server and
//! PuppetDB.

use super::Node;
use super::server::Answer;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fs;

/// A report with accessors.
struct Report(Json);

impl Report {
    fn of(node: &Node, arguments: &[&str]) -> Report {
        node.run(&[&["--test"], arguments].concat());
        Report(node.server.report())
    }

    fn status(&self, name: &str) -> &Json {
        self.0["resource_statuses"].get(name).unwrap_or_else(|| panic!("no {name} in {:#}", self.0["resource_statuses"]))
    }

    /// Returns a field of each event of a resource.
    fn events(&self, name: &str, field: &str) -> Vec<Json> {
        self.status(name)["events"].as_array().unwrap().iter().map(|event| event[field].clone()).collect()
    }

    /// Returns the lines of the log as `level source: message [tags]`.
    fn logs(&self) -> Vec<String> {
        let line = |log: &Json| {
            let text = |name: &str| log[name].as_str().unwrap().to_owned();
            let tags: Vec<&str> = log["tags"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
            format!("{} {}: {} [{}]", text("level"), text("source"), text("message"), tags.join(" "))
        };
        self.0["logs"].as_array().unwrap().iter().map(line).collect()
    }

    fn has_log(&self, line: &str) {
        assert!(self.logs().iter().any(|log| log == line), "{line:?} is missing in {:#?}", self.logs());
    }

    fn metric(&self, metric: &str, name: &str) -> Option<f64> {
        let values = self.0["metrics"][metric]["values"].as_array().unwrap();
        values.iter().find(|value| value[0] == name).and_then(|value| value[2].as_f64())
    }
}

fn exec(title: &str, more: Json) -> Json {
    let mut parameters = json!({"path": "/bin:/usr/bin", "provider": "shell"});
    parameters.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"type": "Exec", "title": title, "tags": ["exec", "class"], "file": "/site.pp", "line": 3, "parameters": parameters})
}

fn name(node: &Node, file: &str) -> String {
    format!("File[{}]", node.at(file).display())
}

/// Serves a catalog with edges to the node.
fn contains(node: &Node, resources: Json, edges: &[(&str, &str)]) {
    let containers: BTreeSet<&str> = edges.iter().map(|(source, _)| *source).collect();
    let container = |name: &str| {
        let (kind, title) = name.trim_end_matches(']').split_once('[').unwrap();
        json!({"type": kind, "title": title, "tags": [], "parameters": {}})
    };
    let resources: Vec<Json> = resources.as_array().unwrap().iter().cloned().chain(containers.into_iter().map(container)).collect();
    let edges: Vec<Json> = edges.iter().map(|(source, target)| json!({"source": source, "target": target})).collect();
    let catalog = json!({"name": "web1", "version": 7, "environment": "production", "tags": [], "classes": [], "edges": edges, "resources": resources});
    node.server.answer("POST /puppet/v3/catalog/web1", Answer::of(200, catalog.to_string()));
}

#[test]
fn resource_that_fails_as_a_whole_has_an_event() {
    let node = Node::new();
    let missing = node.file("a", json!({"source": "puppet:///modules/demo/none"}));
    let dependent = node.file("b", json!({"ensure": "file", "require": name(&node, "a")}));
    node.server.catalog(json!([missing, dependent]));
    node.server.answer("GET /puppet/v3/file_metadata/modules/demo/none", Answer::of(404, "{}"));
    let report = Report::of(&node, &[]);
    let missing = name(&node, "a");
    assert_eq!(report.events(&missing, "name"), ["resource_error"]);
    assert_eq!(report.events(&missing, "status"), ["failure"]);
    assert_eq!((report.metric("events", "failure"), report.metric("resources", "failed")), (Some(1.0), Some(1.0)));
    assert_eq!((report.metric("events", "total"), report.metric("resources", "out_of_sync")), (Some(1.0), Some(1.0)));
    let message = report.events(&missing, "message").remove(0);
    report.has_log(&format!("err /{missing}: Could not evaluate: {} [file node err]", message.as_str().unwrap()));
    let skipped = name(&node, "b");
    report.has_log(&format!("notice /{skipped}: Dependency {missing} has failures: true [file node notice]"));
    report.has_log(&format!("warning /{skipped}: Skipping because of failed dependencies [file node warning]"));
}

#[test]
fn resources_of_a_cycle_have_failed() {
    let node = Node::new();
    let of = |one: &str, other: &str| node.file(one, json!({"ensure": "file", "require": name(&node, other)}));
    node.server.catalog(json!([of("a", "b"), of("b", "a"), node.file("c", json!({"ensure": "file"}))]));
    let report = Report::of(&node, &[]);
    for file in ["a", "b"] {
        assert_eq!(report.events(&name(&node, file), "message"), ["resource is part of a dependency cycle"]);
    }
    assert_eq!((report.metric("resources", "failed"), report.metric("events", "failure")), (Some(2.0), Some(2.0)));
    assert_eq!((&report.0["status"], &report.0["transaction_completed"]), (&json!("failed"), &json!(false)));
    assert!(report.logs().iter().all(|line| !line.contains("Applied catalog")));
}

#[test]
fn refreshes_are_changes_and_failed_ones_are_failures() {
    let node = Node::new();
    let cause = exec("cause", json!({"command": "true"}));
    let good = exec("good", json!({"command": "true", "refreshonly": true, "subscribe": "Exec[cause]"}));
    let bad = exec("bad", json!({"command": "false", "refreshonly": true, "subscribe": "Exec[cause]"}));
    node.server.catalog(json!([cause, good, bad]));
    let report = Report::of(&node, &[]);
    assert_eq!(report.events("Exec[cause]", "name"), ["executed_command"]);
    assert_eq!(report.events("Exec[good]", "name"), ["refresh"]);
    assert_eq!(report.events("Exec[good]", "message"), ["Triggered 'refresh' from 1 event"]);
    assert_eq!(report.events("Exec[bad]", "name"), ["resource_error"]);
    let good = report.status("Exec[good]");
    assert_eq!((&good["changed"], &good["change_count"], &good["out_of_sync_count"]), (&json!(true), &json!(1), &json!(1)));
    let bad = report.status("Exec[bad]");
    assert_eq!((&bad["failed"], &bad["failed_to_restart"], &bad["changed"]), (&json!(true), &json!(true), &json!(false)));
    for (metric, name, value) in [
        ("resources", "failed", 1.0),
        ("resources", "failed_to_restart", 1.0),
        ("resources", "restarted", 1.0),
        ("resources", "changed", 2.0),
        ("resources", "out_of_sync", 3.0),
        ("changes", "total", 2.0),
        ("events", "total", 3.0),
    ] {
        assert_eq!(report.metric(metric, name), Some(value), "{metric} {name}");
    }
    assert!(report.logs().iter().any(|line| line.starts_with("err /Exec[bad]: Failed to call refresh: ")), "{:#?}", report.logs());
    // None of these changes happen in noop mode, and Puppet has no event for a planned refresh.
    let report = Report::of(&node, &["--noop"]);
    assert_eq!(report.events("Exec[good]", "name"), [Json::Null; 0]);
    report.has_log("notice /Exec[good]: Would have triggered 'refresh' from 1 event [exec class notice]");
    assert_eq!((report.metric("events", "noop"), report.metric("events", "total")), (Some(1.0), Some(1.0)));
}

#[test]
fn repeated_commands_are_corrective_for_puppet_only() {
    let node = Node::new();
    node.server.catalog(json!([exec("good", json!({"command": "true"})), exec("bad", json!({"command": "false"}))]));
    assert_eq!(Report::of(&node, &[]).0["corrective_change"], false);
    let report = Report::of(&node, &[]);
    assert_eq!(report.events("Exec[good]", "message"), ["executed successfully (corrective)"]);
    assert_eq!(report.events("Exec[bad]", "corrective_change"), [true]);
    assert_eq!(report.metric("resources", "corrective_change"), Some(2.0));
    report.has_log("notice /Exec[good]/returns: executed successfully (corrective) [exec class notice]");
    let text = node.run(&["--test"]).text;
    assert!(!text.contains("outside of rtype") && !text.contains("(corrective)"), "{text}");
}

#[test]
fn paths_name_classes_as_puppet_does_and_generated_files_are_in_the_same_place() {
    let node = Node::new();
    fs::create_dir_all(node.at("d")).unwrap();
    fs::write(node.at("d/old"), "x").unwrap();
    let directory = node.file("d", json!({"ensure": "directory", "recurse": true, "purge": true}));
    contains(
        &node,
        json!([directory]),
        &[
            ("Stage[main]", "Class[Foo::Bar]"),
            ("Stage[main]", "Class[Foo::Baz]"),
            ("Class[Foo::Bar]", "Class[Foo::Baz]"),
            ("Class[Foo::Baz]", &name(&node, "d")),
        ],
    );
    let report = Report::of(&node, &[]);
    for file in ["d", "d/old"] {
        let status = report.status(&name(&node, file));
        assert_eq!(status["containment_path"], json!(["Stage[main]", "Foo::Baz", name(&node, file)]));
        assert_eq!((&status["tags"], &status["provider_used"]), (&json!(["file", "node"]), &json!("posix")));
    }
    report.has_log(&format!("notice /Stage[main]/Foo::Baz/{}/ensure: removed [file node notice]", name(&node, "d/old")));
}

#[test]
fn messages_and_metrics_are_those_of_puppet() {
    let node = Node::new();
    let notify = |title: &str, message: Json| json!({"type": "Notify", "title": title, "tags": ["notify"], "parameters": {"message": message, "loglevel": "warning"}});
    let binary = json!({"__ptype": "Binary", "__pvalue": "/wD+"});
    let secret = json!({"type": "File", "title": node.at("s"), "tags": [], "sensitive_parameters": ["content"],
        "parameters": {"ensure": "file", "content": "tops3cret"}});
    let pending = node.file("p", json!({"ensure": "file", "noop": true}));
    let mut hidden = secret.clone();
    hidden["title"] = node.at("h").to_string_lossy().into();
    hidden["parameters"]["noop"] = true.into();
    node.server.catalog(json!([
        notify("text", json!("hi")),
        notify("hash", json!({"a": [1, "b"]})),
        notify("bytes", binary),
        secret,
        pending,
        hidden,
    ]));
    let report = Report::of(&node, &[]);
    report.has_log("info Puppet: Applying configuration version '7' [info]");
    assert!(
        report.logs().iter().any(|line| line.ends_with(" Puppet: hi [warning]") || line == "notice Puppet: hi [notice]"),
        "{:#?}",
        report.logs()
    );
    report.has_log("warning /Notify[text]/message: defined 'message' as 'hi' [notify warning]");
    assert_eq!(report.events("Notify[hash]", "desired_value"), [json!({"a": [1, "b"]})]);
    assert_eq!(report.events("Notify[bytes]", "desired_value"), ["/wD+"]);
    assert_eq!(report.status("Notify[text]")["provider_used"], Json::Null);
    let secret = name(&node, "s");
    assert_eq!(
        (report.events(&secret, "previous_value"), report.events(&secret, "desired_value")),
        (vec![json!("[redacted]")], vec![json!("[redacted]")])
    );
    assert_eq!(report.events(&secret, "redacted"), [true]);
    report.has_log(&format!("notice /{}/ensure: current_value 'absent', should be 'file' (noop) [file node notice]", name(&node, "p")));
    assert_eq!(report.events(&name(&node, "h"), "message"), ["current_value [redacted], should be [redacted] (noop)"]);
    for step in ["catalog_application", "convert_catalog", "transaction_evaluation"] {
        assert!(report.metric("time", step).is_some(), "{step}");
    }
    assert!(report.logs().last().unwrap().starts_with("notice Puppet: Applied catalog in "), "{:#?}", report.logs());
    // A report contains `info` lines only if the run shows them.
    node.run(&["--onetime"]);
    assert!(Report(node.server.report()).logs().iter().all(|line| !line.starts_with("info ")));
}

#[test]
fn audited_values_are_reported_when_they_are_first_seen_and_when_they_change() {
    let node = Node::new();
    fs::write(node.at("a"), "x").unwrap();
    fs::set_permissions(node.at("a"), std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    node.server.catalog(json!([node.file("a", json!({"audit": ["ensure", "mode"]}))]));
    let file = name(&node, "a");
    let report = Report::of(&node, &[]);
    report.has_log(&format!("notice /{file}/mode: audit change: newly-recorded value 0644 [file node notice mode]"));
    assert_eq!(report.metric("events", "total"), Some(0.0));
    fs::remove_file(node.at("a")).unwrap();
    let report = Report::of(&node, &[]);
    assert_eq!(report.events(&file, "name"), ["file_changed", "mode_changed"]);
    assert_eq!(report.events(&file, "historical_value"), ["file", "0644"]);
    assert_eq!(report.events(&file, "previous_value"), ["absent", "absent"]);
    assert_eq!(report.events(&file, "desired_value"), [Json::Null, Json::Null]);
    report.has_log(&format!(
        "notice /{file}/ensure: audit change: previously recorded value 'file' has been changed to 'absent' [file node notice]"
    ));
    assert_eq!((report.metric("events", "audit"), report.metric("events", "total")), (Some(2.0), Some(2.0)));
    assert_eq!((report.metric("resources", "changed"), report.metric("resources", "out_of_sync")), (Some(0.0), Some(0.0)));
    assert_eq!(report.0["status"], "unchanged");
}
