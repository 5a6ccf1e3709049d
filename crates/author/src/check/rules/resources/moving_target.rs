//! What it does: Reports `latest` and similar values of properties.
//!
//! Why: The newest version changes although the declaration does not. Two machines that are set up on different days differ,
//! and a run installs versions that were not tested.
//!
//! Example:
//!
//! ```puppet
//! package { 'nginx':
//!   ensure => latest,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! package { 'nginx':
//!   ensure => '1.22.1-9',
//! }
//! ```

use super::{given, open_values};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::types::{AttributeDef, Role};

const MOVING: &[&str] = &["latest", "newest"];

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    for (_, attribute, given) in given(subject).filter(|(_, a, _)| a.role == Role::Property) {
        let moving = open_values(given).filter_map(|v| v.as_text()).find(|text| is_moving(attribute, text));
        if let Some(text) = moving {
            let found = sink.finding(given.span, format!("`{text}` is something else tomorrow"));
            sink.report(found.help("name a version, and change it when it has been tried"));
        }
    }
}

/// Returns `true` if a value is a keyword for the newest version, or an alias of such a keyword.
fn is_moving(attribute: &AttributeDef, text: &str) -> bool {
    let target = attribute.values.aliases.iter().find(|a| a.name.as_str() == text).map_or(text, |a| a.target.as_str());
    MOVING.contains(&target) && attribute.values.literals().any(|l| l.as_str() == target)
}
