//! What it does: Reports types, attributes, features and providers without a description.
//!
//! Why: `rtype describe`, the reference pages and editors show `desc`. Without it users have to guess.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   desc "A door of the house."
//!   newparam name { desc "Which one." }
//!   newproperty color
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   desc "A door of the house."
//!   newparam name { desc "Which one." }
//!   newproperty color { desc "What it is painted with." }
//! }
//! ```
//!
//! `ensurable` needs no description.

use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::Role;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let mut missing = |what: String, doc: &str, span: Span, help: &str| {
        if doc.trim().is_empty() {
            let found = sink.finding(span, format!("{what} is not described"));
            sink.report(found.help(help));
        }
    };
    let desc = "say what it is: `desc \"…\"`";
    missing(format!("the type `{}`", type_def.name), &type_def.doc, type_def.span, desc);
    for attribute in type_def.attributes.iter().filter(|a| a.role != Role::Metaparam && !a.ensurable && a.name.as_str() != "provider") {
        missing(format!("`{}`", attribute.name), &attribute.doc, attribute.span, desc);
    }
    for (name, feature) in &type_def.features {
        missing(format!("the feature `{name}`"), &feature.doc, feature.span, &format!("say what it means: `feature {name}, \"…\"`"));
    }
    for provider in type_def.providers.values() {
        missing(format!("the provider `{}`", provider.name), &provider.doc, provider.span, "say what it works with: `desc \"…\"`");
    }
}
