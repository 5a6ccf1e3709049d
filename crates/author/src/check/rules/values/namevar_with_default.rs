//! What it does: Reports defaults of namevars that are never used, or that give several resources the same identity.
//!
//! Why: The title sets a single namevar, so its default is never used. If a title does not set a namevar, all resources with
//! such titles have the same identity.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name { defaultto "front" }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//! }
//! ```

use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{Default, TitlePattern};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    for id in &type_def.namevars {
        let Some(attribute) = type_def.attribute(*id) else { continue };
        let place = match &attribute.default {
            Some(Default::Value(_, span)) => *span,
            Some(Default::Code(code)) => code.inner.span,
            None => continue,
        };
        let rows = &type_def.title_patterns;
        let unfilled: Option<&TitlePattern> = rows.iter().find(|row| !row.attributes.contains(id));
        let name = &attribute.name;
        match unfilled {
            None if rows.iter().all(fills_all) => {
                let found = sink.finding(place, format!("the default is never used: each title fills `{name}`"));
                sink.report(found.help("drop the default"));
            }
            Some(row) if type_def.namevars.len() == 1 => {
                let message = format!("all titles that do not fill `{name}` name the same resource");
                let found = sink.finding(place, message).also(row.span, "leaves it to the default");
                sink.report(found.help(format!("fill `{name}` by every title pattern")));
            }
            _ => {}
        }
    }
}

/// Returns `true` if all groups of a pattern take part in every match.
fn fills_all(row: &TitlePattern) -> bool {
    let source = row.regex.source();
    !["|", ")?", ")*", "){0"].iter().any(|optional| source.contains(optional))
}
