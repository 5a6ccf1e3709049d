//! What it does: Reports resources that manage nothing.
//!
//! Why: No property has a value, so nothing is compared or changed, and the resource is always in sync. Types that act in
//! other ways, such as on a refresh or by generating resources, are not reported, nor are resources with `audit`.
//!
//! Example:
//!
//! ```puppet
//! file { '/etc/motd': }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//! }
//! ```

use super::{given, is_own, names_it};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::types::{AttributeDef, Role, TypeDef};

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = &subject.instance.type_def;
    let is_managed = |a: &AttributeDef| a.role == Role::Property && !names_it(a);
    let managed = subject.instance.slots.iter().filter_map(|s| type_def.attribute(s.id)).any(is_managed);
    // A parameter may be sufficient, such as the source of a copy or a command to run.
    let says_more = given(subject).any(|(_, a, _)| is_own(a) && !names_it(a));
    let watches = subject.declared.attributes.contains_key("audit");
    if !managed && !says_more && !watches && type_def.properties().any(is_managed) && !acts(type_def) {
        let found = sink.finding(subject.instance.span, "nothing of this is managed: no property has a value");
        sink.report(found.help(format!("give one: `rtype describe {}` lists them", type_def.name)));
    }
}

/// Returns `true` if resources of a type do anything other than keeping their properties in sync.
fn acts(type_def: &TypeDef) -> bool {
    // Resources generated during a run are derived from parameters, which are already covered.
    type_def.generate.is_some() || type_def.refresh.is_some() || type_def.properties().any(|p| p.retrieve.is_some())
}
