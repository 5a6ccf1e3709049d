//! `--noop` predicts the result of a run: each file of `noop/` is applied in two equal directories, once with `--noop` and once without,
//! and the same resources must fail. Lines `#dir` and `#file` create directories and files before the run. `#root` means that the run
//! requires root privileges.
//!
//! No test here touches anything outside of a temporary directory.

use crate::common::site;
use site::Site;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

/// Returns the resources with this status.
fn with_status(site: &Site, status: &str) -> BTreeSet<String> {
    let here = site.path().to_str().unwrap();
    let lines = site.report("run.jsonl").into_iter().filter(|line| line["kind"] == "resource" && line["status"] == status);
    lines.map(|line| line["resource"].as_str().unwrap().replace(here, "@")).collect()
}

/// Returns the site after a run, and the output.
fn applied(text: &str, arguments: &[&str]) -> (Site, String) {
    let site = Site::new(text);
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("#dir ") {
            std::fs::create_dir_all(site.path().join(path)).unwrap();
        } else if let Some(path) = line.strip_prefix("#file ") {
            // The rest of the line after the path is the content, with `
            // ` for line breaks.
            let (path, content) = path.split_once(' ').unwrap_or((path, "[a]\\nb = c\\n"));
            site.write(path, &content.replace("\\n", "\n"));
        } else if let Some(path) = line.strip_prefix("#program ") {
            site.write(path, "#!/bin/sh\nexit 1\n");
            std::fs::set_permissions(site.path().join(path), PermissionsExt::from_mode(0o755)).unwrap();
        }
    }
    let (text, _) = site.apply(&[&["site.pp", "--report", "run.jsonl", "--no-diff"], arguments].concat());
    (site, text)
}

/// Runs with and without `--noop` print the same message. `--noop` also shows the attributes.
#[test]
fn a_predicted_failure_shows_the_attributes_of_the_new_resource() {
    let text = "file { '@/new': ensure => file, owner => 'h0rse', mode => '0640' }\n";
    let (site, text_of_noop) = applied(text, &["--noop"]);
    let (_, text_of_run) = applied(text, &[]);
    for text in [&text_of_run, &text_of_noop] {
        assert!(
            text.contains("/new]/ensure: change from 'absent' to 'file' failed: ") && text.contains("ould not find user h0rse\n"),
            "{text}"
        );
    }
    assert!(text_of_noop.contains("  owner => 'h0rse'\n") && text_of_noop.contains("  mode  => '0640'\n"), "{text_of_noop}");
    assert!(!site.path().join("new").exists());
}

#[test]
fn predicted_failures_are_those_of_the_real_run() {
    let mut files: Vec<_> = std::fs::read_dir("tests/noop").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    let is_root = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0;
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("\n#root\n") && !is_root {
            continue;
        }
        let (rehearsal, predicted) = applied(&text, &["--noop"]);
        let (real, done) = applied(&text, &[]);
        let (expected, actual) = (with_status(&real, "failed"), with_status(&rehearsal, "failed"));
        let declared: BTreeSet<String> = text.lines().filter_map(|line| line.strip_prefix("#fails ")).map(str::to_owned).collect();
        if expected != actual || expected != declared || with_status(&real, "skipped") != with_status(&rehearsal, "skipped") {
            wrong.push(format!("{}: expected {declared:?}\n--noop:\n{predicted}\nin earnest:\n{done}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A type with a provider that requires a program that is not installed.
const PUMP: &str = "type pump {
  newparam name { isnamevar }
  ensurable
}
provider real, for: pump {
  commands pump: \"@/bin/pump\"
  confine exists: \"@/bin/ready\"
  actions [create, destroy]
  native
}
";

/// Returns the `--noop` output for resources of this type, and the exit status.
fn with_pump(manifest: &str) -> (String, i32) {
    let site = Site::new(manifest);
    site.write("types/pump.rtype", PUMP);
    site.write("bin/ready", "");
    site.apply(&["site.pp", "--noop", "--types", "types", "--detailed-exitcodes"])
}

#[test]
fn a_provider_that_an_earlier_resource_may_install_does_not_fail() {
    let pump = "pump { 'p': ensure => present }\n";
    for (brings, source) in [
        ("file { '@/bin/pump': content => 'x', mode => '0755' }\n", "File[@/bin/pump]"),
        ("exec { '/bin/cp x y': }\n", "Exec[/bin/cp x y]"),
        ("archive { '@/pump.tar': source => '@/site.pp' }\n", "Archive[@/pump.tar]"),
    ] {
        for manifest in [format!("{brings}{pump}"), format!("{pump}{brings}")] {
            let (text, status) = with_pump(&manifest);
            assert!(text.contains(&format!("Pump[p]: depends on `{source}`: no provider of `pump` works here")), "{text}");
            assert!(text.ends_with("2 resources: 2 would change, 0 in sync"), "{text}");
            assert_eq!(status, 2, "{text}");
        }
    }
    let (text, _) = with_pump("exec { '/bin/cp x y': }\npump { 'p': ensure => present, provider => real }\n");
    let why = "depends on `Exec[/bin/cp x y]`: the provider `real` does not work here: command `@/bin/pump` is not installed (noop)";
    assert!(text.contains(why), "{text}");
    // A resource without changes, or with a change elsewhere, does not provide the program.
    for manifest in [
        pump.to_owned(),
        format!("file {{ '@/bin': ensure => directory }}\n{pump}"),
        format!("host {{ 'a': ip => '::1', target => '@/hosts' }}\n{pump}"),
    ] {
        let (text, status) = with_pump(&manifest);
        assert!(text.contains("error: Pump[p]: ") && status >= 4, "{text}");
    }
}

#[test]
fn facts_are_not_changed_by_a_run() {
    let site = Site::new("exec { '/bin/cp x y': }\n-> pump { 'p': ensure => present }\n");
    site.write("types/pump.rtype", "type pump {\n  newparam name { isnamevar }\n  ensurable\n}\nprovider real, for: pump {\n  confine kernel: \"Plan9\"\n  native\n}\n");
    let (text, status) = site.apply(&["site.pp", "--noop", "--types", "types"]);
    assert!(text.contains("error: Pump[p]: ") && status == 1, "{text}");
}

#[test]
fn dependents_of_a_future_provider_are_not_skipped() {
    let (text, status) = with_pump(
        "exec { '/bin/cp x y': }\n-> pump { 'p': ensure => present }\n~> exec { '/bin/true': refreshonly => true }\n-> file { '@/none/file': ensure => file }\n",
    );
    assert!(text.contains("Exec[/bin/true]: would have triggered 'refresh' from 1 event"), "{text}");
    assert!(text.ends_with("4 resources: 3 would change, 1 in sync"), "{text}");
    assert_eq!(status, 2, "{text}");
}
