//! What it does: Reports resources with properties but without `ensure`, if the type has no default for it.
//!
//! Why: Without `ensure`, an existing resource is changed, but a missing one is not created. If that is not intended, add
//! `ensure => present`.
//!
//! Example:
//!
//! ```puppet
//! file { '/etc/motd':
//!   mode => '0644',
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   mode   => '0644',
//! }
//! ```

use super::names_it;
use crate::check::{ResourceSubject, Sink};
use rtype_lang::types::Role;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    let instance = subject.instance;
    let type_def = &instance.type_def;
    let Some(id) = type_def.id_of("ensure") else { return };
    let Some(ensure) = type_def.attribute(id).filter(|a| a.role == Role::Property && a.default.is_none()) else { return };
    let makes_and_removes = ["present", "absent"].iter().all(|w| ensure.values.find(w).is_some());
    let manages = instance.slots.iter().filter_map(|s| type_def.attribute(s.id)).any(|a| a.role == Role::Property && !names_it(a));
    if makes_and_removes && manages && instance.slot(id).is_none() && !subject.declared.attributes.contains_key("ensure") {
        let words: Vec<String> = ensure.values.literals().map(|l| format!("`{l}`")).collect();
        let found = sink.finding(instance.span, "`ensure` is not given: what is missing is not made");
        sink.report(found.help(format!("say it: {}", words.join(", "))));
    }
}
