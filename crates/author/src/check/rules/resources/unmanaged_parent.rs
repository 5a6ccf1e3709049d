//! What it does: Reports resources at a path without a declared parent directory, although a directory further up is declared.
//!
//! Why: Neither rtype nor Puppet creates parent directories. If `/srv/app` and `/srv/app/conf/a.ini` are declared, `/srv/app/conf` was
//! probably forgotten, and the run fails on a new machine. It is not reported if the resource requires another resource, or if the
//! directory above is copied or managed recursively, or in manifests with classes or conditions.
//!
//! Example:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure => directory,
//! }
//! file { '/srv/app/conf/a.ini':
//!   ensure => file,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { ['/srv/app', '/srv/app/conf']:
//!   ensure => directory,
//! }
//! file { '/srv/app/conf/a.ini':
//!   ensure => file,
//! }
//! ```

use super::{is_absent, is_own, is_program};
use crate::check::{ResourceSubject, Sink};
use rtype_lang::eval::UnknownWorld;
use rtype_model::resource::{Context, Instance, relations};
use rtype_lang::types::RelationKind;
use rtype_lang::value::Value;

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    let instance = subject.instance;
    let path = instance.name();
    let Some(parent) = parent(&path).filter(|p| !p.is_empty() && !is_absent(instance) && !is_program(&subject.file)) else { return };
    let catalog = subject.file.catalog;
    let has_reason = ["require", "subscribe"].iter().any(|n| instance.type_def.id_of(n).is_some_and(|id| instance.slot(id).is_some()));
    if has_reason || catalog.get(instance.type_def.name.as_str(), parent).is_some() {
        return;
    }
    // The type defines which resources are parent directories: it autorequires the nearest parent.
    let context = Context { world: &UnknownWorld, catalog, backend: None, strict: false, trace: false, offline: true, log: None };
    for relation in relations(instance, None, context).resolved {
        if relation.kind != RelationKind::Require || !relation.declared || relation.target.type_name != instance.type_def.name {
            continue;
        }
        let Some(above) = catalog.named(&relation.target) else { continue };
        let directory = above.name();
        let is_above = path.strip_prefix(directory.as_str()).is_some_and(|rest| rest.starts_with('/'));
        if is_above && directory != "/" && !is_absent(above) && is_plain(above) {
            let found = sink.finding(instance.span, format!("nothing declares the directory `{parent}`"));
            return sink.report(
                found
                    .also(above.span, "but a directory above it is declared")
                    .help("declare it, or say with `require` what makes it"),
            );
        }
    }
}

/// Returns the parent directory of an absolute path.
fn parent(path: &str) -> Option<&str> {
    path.starts_with('/').then(|| path.rsplit_once('/')).flatten().map(|(parent, _)| parent)
}

/// Returns `true` if no parameter extends the resource's effect, for example to the contents of a directory.
fn is_plain(instance: &Instance) -> bool {
    let asks = |value: &Value| match value {
        Value::Bool(on) => *on,
        Value::Sym(_) => true,
        _ => false,
    };
    let given = |s: &&rtype_model::resource::Slot| s.origin == rtype_model::resource::Origin::Explicit;
    instance.slots.iter().filter(given).all(|slot| {
        let param = instance.type_def.attribute(slot.id).filter(|a| is_own(a) && a.role == rtype_lang::types::Role::Param);
        param.is_none() || !asks(&slot.value)
    })
}
