//! What it does: Reports resources that remove all undeclared things without a limit.
//!
//! Why: A wrong path, or a class that is no longer included, removes everything. With a limit, it is an error instead. The
//! type defines what a limit is (`purges`); for files it is `recurselimit` or `max_files`.
//!
//! It is common, and often right, that a directory contains only declared files. This rule is therefore in the strict profile
//! only.
//!
//! Example:
//!
//! ```puppet
//! file { '/etc/sudoers.d':
//!   ensure  => directory,
//!   recurse => true,
//!   purge   => true,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/etc/sudoers.d':
//!   ensure       => directory,
//!   recurse      => true,
//!   recurselimit => 1,
//!   purge        => true,
//! }
//! ```

use crate::check::{ResourceSubject, Sink};
use rtype_lang::eval::UnknownWorld;
use rtype_model::resource::{Context, purges};

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    let catalog = subject.file.catalog;
    let context = Context { world: &UnknownWorld, catalog, backend: None, strict: false, trace: false, offline: true, log: None };
    if purges(subject.instance, context) {
        let rule = subject.instance.type_def.purges.as_ref().map(|code| code.inner.span);
        let found = sink.finding(subject.instance.span, "this removes all undeclared resources, without a limit");
        let found = rule.into_iter().fold(found, |found, span| found.also(span, "what the type says of limits"));
        sink.report(found.help("limit it, so that a slip is an error and not a loss"));
    }
}
