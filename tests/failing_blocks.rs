//! Blocks that fail at run time. Each command reports the error, and the exit status shows the failure.

use crate::common::site::Site;
use rtype_lang::lower::BlockKind;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

/// The time when a block runs.
#[derive(Clone, Copy, PartialEq)]
enum Runs {
    /// Whenever a command evaluates the resource, including `check`.
    Always,
    /// If the machine is read.
    Read,
    /// If a provider is chosen. The error is a reason why a provider is unsuitable. A run may refer to `rtype describe --providers`, which
    /// shows the error.
    Chosen,
    /// In a run, before the resource is read.
    Run,
    /// If the resource is changed.
    Changed,
    /// If a change is described. As in Puppet, the change is made, and a warning replaces the message.
    Described,
}

/// A row has the kind of a block, the time when the block runs, directives of the type `t`, and the attributes of `T[x]`. In the directives, `FAIL` is an
/// expression that fails, and further declarations of the file follow `---`.
type Row = ((&'static str, &'static str), Runs, &'static str, &'static str);

const fn certain(of: &'static str, name: &'static str, types: &'static str, attributes: &'static str) -> Row {
    ((name, of), Runs::Always, types, attributes)
}

const fn read(of: &'static str, name: &'static str, types: &'static str, attributes: &'static str) -> Row {
    ((name, of), Runs::Read, types, attributes)
}

const fn changed(of: &'static str, name: &'static str, types: &'static str, attributes: &'static str) -> Row {
    ((name, of), Runs::Changed, types, attributes)
}

const fn described(name: &'static str, types: &'static str) -> Row {
    ((name, "attributes"), Runs::Described, types, "r => v")
}

/// A provider of a text file. `file_path`, `parse` and `print` follow.
const RECORDS: &str = "records; parse { |text| {name: text} }; print { |record| record[:name] }";

const ROWS: &[Row] = &[
    certain("attributes", "validate", "newparam p { validate { |v| FAIL } }", "p => v"),
    certain("attributes", "munge", "newparam p { munge { |v| FAIL } }", "p => v"),
    certain(
        "attributes",
        "from_title",
        "newparam name { isnamevar; from_title { |t| FAIL } }; title_patterns { /\\A(.*)\\z/ => name }",
        "",
    ),
    certain("attributes", "unmunge", "newparam p { unmunge { |v| FAIL } }", "p => v"),
    certain("attributes", "defaultto", "newparam p { defaultto { FAIL } }", ""),
    read("attributes", "should", "newproperty r { should { |v| FAIL }; retrieve { \"1\" }; sync { 1 } }", "r => v"),
    read("attributes", "insync", "newproperty r { insync { |is| FAIL }; retrieve { \"1\" }; sync { 1 } }", "r => v"),
    read("attributes", "compare", "newproperty r { compare { |is, should| FAIL }; retrieve { \"1\" }; sync { 1 } }", "r => v"),
    described("is_to_s", "newproperty r { is_to_s { |v| FAIL }; retrieve { \"1\" }; sync { 1 } }"),
    described("should_to_s", "newproperty r { should_to_s { |v| FAIL }; retrieve { \"1\" }; sync { 1 } }"),
    described("change_to_s", "newproperty r { change_to_s { |is, should| FAIL }; retrieve { \"1\" }; sync { 1 } }"),
    described("redact", "newproperty r { redact is: \"a\", should: \"b\" if FAIL; retrieve { \"1\" }; sync { 1 } }"),
    certain("attributes", "message", "newparam p { matches /w/, message: \"#{FAIL}\" }", "p => v"),
    read("attributes", "retrieve", "newproperty r { retrieve { FAIL }; sync { 1 } }", "r => v"),
    changed("attributes", "sync", "newproperty r { retrieve { \"1\" }; sync { FAIL } }", "r => v"),
    changed("attributes", "newvalue", "newproperty r { newvalue v { FAIL }; retrieve { \"1\" } }", "r => v"),
    changed("types", "refresh", "refresh { FAIL }", "subscribe => Notify[n]"),
    certain("types", "canonicalize", "canonicalize { |values| FAIL }", ""),
    certain("types", "validate", "validate { FAIL }", ""),
    certain("types", "finalize", "finalize { FAIL }", ""),
    (("late_finalize", "types"), Runs::Run, "late_finalize { FAIL }", ""),
    certain("types", "autorequire", "autorequire file { FAIL }", ""),
    certain("types", "autorequire", "autobefore file { FAIL }", ""),
    certain("types", "autorequire", "autonotify file { FAIL }", ""),
    certain("types", "autorequire", "autosubscribe file { [FAIL] }", ""),
    certain("types", "pre_run_check", "pre_run_check { FAIL }", ""),
    certain("types", "title", "title { FAIL }", ""),
    certain("types", "generate", "generate { FAIL }", ""),
    certain("types", "eval_generate", "eval_generate { FAIL }", ""),
    certain("types", "fn", "fn f(a) { FAIL }; autorequire file { f(1) }", ""),
    read(
        "providers",
        "finalize",
        "ensurable\n---\nprovider p, for: t { RECORDS; file_path \"@/r\"; finalize { FAIL } }",
        "ensure => present",
    ),
    read("providers", "a provider's setting", "ensurable\n---\nprovider p, for: t { RECORDS; file_path { FAIL } }", "ensure => present"),
    read(
        "providers",
        "parse",
        "ensurable\n---\nprovider p, for: t { records; file_path \"@/r\"; parse { |text| FAIL; {name: text} }; print { |r| r[:name] } }",
        "ensure => present",
    ),
    changed(
        "providers",
        "print",
        "ensurable\n---\nprovider p, for: t { records; file_path \"@/r\"; parse { |text| {name: text} }; print { |r| FAIL; r[:name] } }",
        "ensure => present",
    ),
    (
        ("confine", "providers"),
        Runs::Chosen,
        "ensurable\n---\nprovider p, for: t { RECORDS; file_path \"@/r\"; confine { FAIL } }",
        "ensure => present",
    ),
    (
        ("feature", "files"),
        Runs::Chosen,
        "ensurable\n---\nfeature odd, \"Odd.\" { FAIL }\nprovider p, for: t { RECORDS; file_path \"@/r\"; confine feature: odd }",
        "ensure => present",
    ),
    certain("files", "fn", "autorequire file { g(1) }\n---\nfn g(a) { FAIL }", ""),
];

/// `rtype test` reports blocks of tests. Only rules of `check` evaluate `purges`: `a_purges_block_that_fails_is_reported_by_check`.
const OTHERS: [(&str, &str); 2] = [("expect", "tests"), ("purges", "types")];

/// Expressions that fail, with the error.
const FAILURES: [(&str, &str); 2] = [("fail(\"boom\")", "boom"), ("Integer(\"boom\")", "boom")];

#[test]
fn each_kind_of_block_has_a_row() {
    let rows: BTreeSet<_> = ROWS.iter().map(|(kind, ..)| *kind).chain(OTHERS).collect();
    let kinds: BTreeSet<_> = BlockKind::ALL.iter().map(|kind| (kind.name, kind.of)).collect();
    assert_eq!(rows, kinds);
}

/// Returns whether a command runs blocks of this time.
fn finds(command: &str, runs: Runs) -> bool {
    match runs {
        Runs::Always => true,
        Runs::Read | Runs::Chosen => command != "check",
        Runs::Run => ["noop", "apply"].contains(&command),
        Runs::Changed | Runs::Described => command == "apply",
    }
}

#[test]
fn a_block_that_fails_is_never_silent() {
    let mut wrong = Vec::new();
    for ((kind, runs, types, attributes), (failure, error)) in ROWS.iter().flat_map(|row| FAILURES.map(|failure| (row, failure))) {
        let manifest = format!("notify {{ 'n': }}\nt {{ 'x': {attributes} }}\nfile {{ '@/after': ensure => file, require => T['x'] }}\n");
        let site = Site::new(&manifest);
        let (directives, rest) = types.split_once("\n---\n").unwrap_or((types, ""));
        let name = if directives.contains("newparam name") { "" } else { "newparam name { isnamevar }\n" };
        let text = format!("type t {{\n{name}{directives}\n}}\n{rest}\n");
        site.write("types/t.rtype", &text.replace("RECORDS", RECORDS).replace("FAIL", failure));
        site.write("r", "a\nb\n");
        let more: [(&str, &[&str]); 4] =
            [("check", &[]), ("inspect", &["--exit-code"]), ("noop", &["--state-dir", "s"]), ("apply", &["--state-dir", "s"])];
        for (command, options) in more {
            let mut program = Command::new(env!("CARGO_BIN_EXE_rtype"));
            let verb: &[&str] = if command == "noop" { &["apply", "--noop"] } else { &[command] };
            program.current_dir(site.path()).args(["--types", "types"]).args(verb).args(options).arg("site.pp");
            let output = program.stdin(Stdio::null()).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            let is_loud = match runs {
                Runs::Described => text.contains("cannot be formatted"),
                Runs::Chosen => (text.contains(error) || text.contains("shows why")) && !output.status.success(),
                _ => text.contains(error) && !output.status.success(),
            };
            if text.contains("T[x]: T[x]") || finds(command, *runs) && !is_loud {
                wrong.push(format!("{kind:?} {failure} {command}: {:?}\n{text}", output.status.code()));
            }
        }
        if site.path().join("after").exists() != (*runs == Runs::Described) {
            wrong.push(format!("{kind:?}: whether the dependent resource has been applied is wrong"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_purges_block_that_fails_is_reported_by_check() {
    for (failure, error) in FAILURES {
        let site = Site::new("t { 'x': }\n");
        site.write("types/t.rtype", &format!("type t {{ newparam name; purges {{ {failure} }} }}"));
        let output =
            Command::new(env!("CARGO_BIN_EXE_rtype")).current_dir(site.path()).args(["--types", "types", "check", "site.pp"]).output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("purges: ") && text.contains(error) && output.status.code() == Some(1), "{text}");
    }
}
