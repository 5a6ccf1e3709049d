//! `resources { …: purge => true }` removes entries that the machine needs. `rtype check` and runs warn of them.

use crate::common::site::Site;
use std::process::{Command, Output};

/// Types whose entries a machine does not need: a service of other programs stops, or nothing.
const HARMLESS: &[&str] = &["cron", "kmod", "sshkey", "sysctl"];

/// Returns what a command prints about a file, with the messages in one line each.
fn printed(site: &Site, arguments: &[&str]) -> String {
    let Output { stdout, stderr, .. } =
        Command::new(env!("CARGO_BIN_EXE_rtype")).args(arguments).current_dir(site.path()).output().unwrap();
    String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap()
}

/// Walks all types of the standard library. A new type either has entries in `MACHINE_ENTRIES` of `resources.rtype` or is harmless.
#[test]
fn purging_a_type_warns_of_the_entries_that_machines_need() {
    let names = std::fs::read_dir("stdlib-types").unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = names.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    let (mut warned, mut silent) = (Vec::new(), Vec::new());
    for name in &names {
        let limit = if name == "user" { ", unless_system_user => false" } else { "" };
        let site = Site::new(&format!("resources {{ '{name}': purge => true{limit} }}\n"));
        let text = printed(&site, &["check", "site.pp"]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.contains("`purge` also removes entries that most machines need, such as `") {
            assert!(text.contains("declare each entry to keep, or set `noop => true`"), "{text}");
            warned.push(name.as_str());
        } else if text.contains("nothing found") {
            silent.push(name.as_str());
        } else {
            assert!(text.contains("error[RM"), "{name}: {text}");
        }
    }
    assert_eq!(warned, ["alternative_entry", "group", "host", "mailalias", "mount", "package", "user"]);
    silent.retain(|name| !HARMLESS.contains(name));
    for name in silent {
        let site = Site::new(&format!("resources {{ '{name}': purge => true }}\n"));
        let (text, status) = site.apply(&["site.pp", "--noop"]);
        assert!(
            status == 1 && text.contains("nothing was changed because of these errors"),
            "{name} can be listed, and has no entries: {text}"
        );
    }
}

#[test]
fn declared_entries_are_not_warned_of() {
    let site = Site::new("host { 'localhost': ip => '127.0.0.1' }\nresources { 'host': purge => true }\n");
    assert!(printed(&site, &["check", "site.pp"]).contains("nothing found"));
}

#[test]
fn runs_warn_before_anything_is_removed() {
    let site = Site::new("resources { 'group': purge => true, unless_system_user => true }\n");
    let (text, _) = site.apply(&["site.pp", "--noop"]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("warning: Resources[group]: `purge` also removes entries that most machines need, such as `root`"), "{text}");
    assert!(text.contains("`unless_system_user` has no effect"), "{text}");
}
