//! What it does: Reports declared relations that the type creates automatically.
//!
//! Why: A file is managed after its directory, and a user after the group, without a declared relation. Redundant relations
//! hide the important ones. Lists are examined as a whole, and compiled catalogs are not examined.
//!
//! Example:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure => directory,
//! }
//! file { '/srv/app/a.ini':
//!   ensure  => file,
//!   require => File['/srv/app'],
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure => directory,
//! }
//! file { '/srv/app/a.ini':
//!   ensure => file,
//! }
//! ```

use super::{RELATIONS, is_compiled, is_program, references};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::eval::UnknownWorld;
use rtype_model::resource::{Context, relations};
use rtype_lang::value::ResourceRef;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    let given = RELATIONS.iter().filter_map(|kind| Some((kind, subject.declared.attributes.get(kind.metaparameter())?)));
    let given: Vec<_> = given.filter(|(_, g)| !g.is_default).collect();
    if given.is_empty() || is_compiled(&subject.file) || is_program(&subject.file) {
        return;
    }
    let catalog = subject.file.catalog;
    let context = Context { world: &UnknownWorld, catalog, backend: None, strict: false, trace: false, offline: true, log: None };
    let automatic = relations(subject.instance, None, context).resolved;
    for (kind, given) in given {
        let mut named = Vec::new();
        references(&given.value, &mut named);
        let known = |r: &&ResourceRef| {
            let target = catalog.get(r.type_name.as_str(), &r.title).map(|i| i.reference());
            target.is_some_and(|t| automatic.iter().any(|a| a.kind == *kind && a.declared && a.target == t))
        };
        if !named.is_empty() && named.iter().all(known) {
            let all: Vec<String> = named.iter().map(|r| format!("`{r}`")).collect();
            let message = format!("the type relates the resource to {} by itself", all.join(", "));
            sink.report(sink.finding(given.name_span, message).help(format!("drop `{}`", kind.metaparameter())));
        }
    }
}
