//! What it does: Reports resources that depend on each other in a cycle.
//!
//! Why: No order satisfies a cycle, so a run fails before it changes anything. Cycles consist of `require`, `before`,
//! `notify` and `subscribe`, arrows, containment in the classes of a catalog, and automatic relations. As in Puppet, an
//! automatic relation that is the exact opposite of another relation is ignored.
//!
//! Example:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure  => directory,
//!   require => Service['app'],
//! }
//! service { 'app':
//!   ensure  => running,
//!   require => File['/srv/app/a.ini'],
//! }
//! file { '/srv/app/a.ini':
//!   ensure => file,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/srv/app':
//!   ensure => directory,
//! }
//! service { 'app':
//!   ensure  => running,
//!   require => File['/srv/app/a.ini'],
//! }
//! file { '/srv/app/a.ini':
//!   ensure => file,
//! }
//! ```

use super::is_program;
use crate::check::{ResourcesSubject, Sink};
use rtype_lang::eval::UnknownWorld;
use rtype_model::resource::{Context, Order, cycle_diagnostic};

pub fn check(subject: &ResourcesSubject<'_>, sink: &mut Sink<'_>) {
    if is_program(subject) {
        return;
    }
    let (world, catalog) = (&UnknownWorld, subject.catalog);
    let context = Context { world, catalog, backend: None, strict: false, trace: false, offline: true, log: None };
    for steps in Order::of(subject.declarations, catalog, context).cycles() {
        let found = cycle_diagnostic(&steps, |span, message| sink.finding(span, message));
        sink.report(found);
    }
}
