//! What it does: Reports properties such as `mode`, `version` and `path` that are compared as strings although a comparison for them
//! exists.
//!
//! Why: `0644` and `644`, `1.0-RC1` and `1.0-rc1`, `/srv/` and `/srv` are equal. Compared as strings they are out of sync in every run.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty mode
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty mode { compare mode }
//! }
//! ```

use super::array_compare_unspecified::compares_as_usual;
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{ArrayMatching, AttributeDef, ValueStep};

/// Comparisons with the attribute names that usually need them.
const USUAL: &[(&str, &[&str])] = &[
    ("mode", &["mode", "file_mode", "dir_mode", "directory_mode"]),
    ("version", &["version", "package_version"]),
    ("path", &["path", "directory", "dir", "cwd"]),
    ("nocase", &["mac", "mac_address", "hwaddr", "fqdn"]),
    ("json", &["json"]),
];

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for property in subject.type_def.properties().filter(|p| is_plain_text(p)) {
        let name = property.name.as_str();
        let Some((comparison, _)) = USUAL.iter().find(|(_, names)| names.contains(&name)) else { continue };
        let found = sink.finding(property.span, format!("`{name}` is compared letter by letter"));
        sink.report(found.help(format!("say `compare {comparison}`, or `compare exact` if that is meant")));
    }
}

/// Returns `true` if any string is accepted and never canonicalized.
fn is_plain_text(property: &AttributeDef) -> bool {
    let made = property.munge.steps.iter().any(|s| !matches!(s, ValueStep::Values));
    compares_as_usual(property)
        && property.array_matching == ArrayMatching::First
        && !made
        && property.values.literals().next().is_none()
        && property.data_type.is_none()
}
