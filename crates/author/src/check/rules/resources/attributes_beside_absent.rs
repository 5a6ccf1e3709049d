//! What it does: Reports properties of absent resources that have no effect.
//!
//! Why: A resource that does not exist has no properties, and values without effect become outdated unnoticed. Properties
//! that have a default, or on which another part of the resource depends, may be needed to find the resource and are not
//! reported. Compiled catalogs, in which `ensure` often comes from a variable, are not examined.
//!
//! Example:
//!
//! ```puppet
//! user { 'bob':
//!   ensure => absent,
//!   shell  => '/bin/zsh',
//!   uid    => '1001',
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! user { 'bob':
//!   ensure => absent,
//! }
//! ```

use super::{given, is_absent, is_compiled, names_it, otherwise, same_beside};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::types::Role;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    if is_compiled(&subject.file) || !is_absent(subject.instance) {
        return;
    }
    let candidates: Vec<_> = given(subject)
        .filter(|(_, a, given)| a.role == Role::Property && a.default.is_none() && !names_it(a) && !given.is_default)
        .filter(|(_, a, _)| a.name.as_str() != "ensure")
        .collect();
    if candidates.is_empty() {
        return;
    }
    let Some(as_declared) = otherwise(subject, |_| ()) else { return };
    let idle: Vec<_> = candidates
        .into_iter()
        .filter(|(id, attribute, _)| {
            let without = otherwise(subject, |d| {
                d.attributes.shift_remove(attribute.name.as_str());
            });
            without.is_some_and(|w| same_beside(&as_declared, &w, *id))
        })
        .collect();
    let Some((_, _, first)) = idle.first() else { return };
    let names: Vec<String> = idle.iter().map(|(_, a, _)| format!("`{}`", a.name)).collect();
    let means = if names.len() == 1 { "has" } else { "have" };
    let message = format!("{} {means} no effect with `ensure => absent`", names.join(", "));
    let mut found = sink.finding(first.name_span, message);
    for (_, _, given) in idle.iter().skip(1) {
        found = found.also(given.name_span, "nor does this");
    }
    sink.report(found.help("drop what a resource that is not there cannot have"));
}
