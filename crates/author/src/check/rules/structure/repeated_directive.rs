//! What it does: Reports directives that are repeated in a body although only the last one is used: `defaultto`, `desc`, `type`,
//! `insync` and others.
//!
//! Why: The first one has no effect. It is unclear whether it was meant to be replaced or was forgotten. (`munge` and
//! `validate` may be repeated: all of them run.)
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     defaultto red
//!     defaultto green
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newproperty color {
//!     defaultto green
//!   }
//! }
//! ```

use crate::check::{FileSubject, Sink};
use rtype_lang::syntax::ast::{Body, DirectiveBlock, Item};
use indexmap::IndexMap;

/// Directives where only the last occurrence takes effect.
const ONCE: &[&str] = &[
    "desc",
    "defaultto",
    "type",
    "from_title",
    "unmunge",
    "should",
    "insync",
    "compare",
    "is_to_s",
    "should_to_s",
    "change_to_s",
    "retrieve",
    "sync",
    "refresh",
    "title",
];

pub fn check(subject: &FileSubject<'_>, sink: &mut Sink<'_>) {
    for item in &subject.ast.items {
        if let Item::Type(d) | Item::Provider(d) | Item::Kind(d) | Item::Mixin(d) = item {
            look_into(&d.body, sink);
        }
    }
}

fn look_into(body: &Body, sink: &mut Sink<'_>) {
    let mut last = IndexMap::new();
    for directive in &body.directives {
        let name = directive.name.name.as_str();
        if ONCE.contains(&name)
            && let Some(first) = last.insert(name, directive.name.span)
        {
            let found = sink.finding(first, format!("this `{name}` does nothing: a later one takes its place"));
            sink.report(found.also(directive.name.span, "this one counts").help("keep one of the two"));
        }
        if let Some(DirectiveBlock::Body(inner)) = &directive.block {
            look_into(inner, sink);
        }
    }
}
