//! The machine in a case: a regular Debian 12, as simulated by the recorder, with the case's changes.

use super::codec;
use rtype_author::testing::Simulated;
use rtype_lang::types::TestBinaries;
use rtype_lang::value::{EcoString, Map, Value};
use serde_json::Value as Json;

/// Facts from the machine on which the cases were recorded.
const FACTS: &str = include_str!("../../../../tests/oracle/debian12.json");

/// Paths that exist on any Debian without systemd, like the recorder's, each with the file kind.
const PATHS: &[(&str, &str)] = &[
    ("/", "directory"),
    ("/bin", "directory"),
    ("/dev", "directory"),
    ("/etc", "directory"),
    ("/etc/fstab", "file"),
    ("/etc/hosts", "file"),
    ("/etc/init.d", "directory"),
    ("/etc/sysctl.conf", "file"),
    ("/home", "directory"),
    ("/proc", "directory"),
    ("/root", "directory"),
    ("/tmp", "directory"),
    ("/usr", "directory"),
    ("/var", "directory"),
];

thread_local! {
    static ORDINARY: Simulated = ordinary();
}

/// Returns the machine of a case.
pub fn machine(case: &Json) -> Simulated {
    let mut machine = ORDINARY.with(Simulated::clone);
    machine.merge_facts(&map(&case["facts"]));
    machine.binaries = match &case["binaries"] {
        Json::Array(names) => TestBinaries::Only(names.iter().filter_map(Json::as_str).map(EcoString::from).collect()),
        Json::Bool(true) => TestBinaries::All,
        // The programs on the recording machine are unknown.
        _ => TestBinaries::Only(Vec::new()),
    };
    machine.features.extend(map(&case["features"]));
    machine
}

/// Returns the machine on which the cases were recorded.
fn ordinary() -> Simulated {
    let mut machine = Simulated::debian();
    machine.facts = map(&serde_json::from_str(FACTS).unwrap());
    machine.paths = PATHS.iter().copied().collect();
    machine.missing = Vec::new();
    // Puppet also had a clock. Types only compare its times with each other.
    machine.now = std::time::UNIX_EPOCH.elapsed().ok().and_then(|since| i64::try_from(since.as_secs()).ok());
    let settings = [
        ("show_diff", Value::Bool(false)),
        ("default_file_terminus", Value::sym("rest")),
        ("clientbucketdir", Value::str("/oracle-vardir/clientbucket")),
    ];
    // Puppet has this library.
    machine.features.insert(Value::str("hocon"), Value::Bool(true));
    machine.settings.extend(settings.map(|(name, value)| (Value::str(name), value)));
    machine
}

/// Returns the members of a JSON object that rtype can represent.
pub fn map(json: &Json) -> Map {
    let members = json.as_object().into_iter().flatten();
    members.filter_map(|(name, value)| Some((Value::str(name.as_str()), codec::load(value).ok()?))).collect()
}
