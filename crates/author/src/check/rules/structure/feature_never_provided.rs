//! What it does: Reports features that attributes or values require and no provider of the type has.
//!
//! Why: Such an attribute has no effect and such a value is rejected with every provider. A provider should probably declare
//! the feature or have its methods.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   feature lockable, "Can be locked."
//!   newparam name
//!   newproperty lock, required_features: lockable
//! }
//! provider hinge, for: door { desc "A door that swings." }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   feature lockable, "Can be locked."
//!   newparam name
//!   newproperty lock, required_features: lockable
//! }
//! provider hinge, for: door {
//!   desc "A door that swings."
//!   has_feature lockable
//! }
//! ```
//!
//! A type without providers is not reported, because its providers may be in other directories. For the same reason types in Ruby are
//! not reported: other modules may contain their providers.

use crate::check::{Sink, TypeSubject};
use rtype_model::resource::supports;
use rtype_lang::source::Span;
use rtype_lang::value::Symbol;
use indexmap::IndexMap;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    let type_def = subject.type_def;
    if type_def.providers.is_empty() {
        return;
    }
    let mut required: IndexMap<&Symbol, (Span, String)> = IndexMap::new();
    for attribute in &type_def.attributes {
        for feature in &attribute.required_features {
            required.entry(feature).or_insert_with(|| (attribute.span, format!("`{}`", attribute.name)));
        }
        for value in &attribute.values.values {
            for feature in &value.required_features {
                required.entry(feature).or_insert_with(|| (value.span, format!("a value of `{}`", attribute.name)));
            }
        }
    }
    for (feature, (span, what)) in required {
        let Some(declared) = type_def.features.get(feature) else { continue };
        if type_def.providers.values().any(|p| supports(type_def, p, feature)) {
            continue;
        }
        let found = sink.finding(declared.span, format!("no provider has the feature `{feature}`, which {what} requires"));
        let help = match declared.methods.as_slice() {
            [] => format!("let a provider claim it: `has_feature {feature}`"),
            methods => {
                let names: Vec<String> = methods.iter().map(|m| format!("`{m}`")).collect();
                format!("let a provider claim it, `has_feature {feature}`, or answer {}", names.join(" and "))
            }
        };
        sink.report(found.also(span, "requires it").help(help));
    }
}
