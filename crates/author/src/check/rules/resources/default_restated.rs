//! What it does: Reports attributes that are set to their default.
//!
//! Why: A redundant value hides what is special about a resource. `ensure` is not reported, because it is good practice to
//! declare it. Attributes with a default in the file, and compiled catalogs, are not examined.
//!
//! Example:
//!
//! ```puppet
//! exec { '/usr/bin/make':
//!   tries => 1,
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! exec { '/usr/bin/make':
//! }
//! ```

use super::{given, is_compiled, names_it, otherwise, same_beside};
use crate::check::{ResourceSubject, Sink};
use rtype_model::resource::Origin;
use rtype_lang::types::{AttributeDef, Default};

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    if is_compiled(&subject.file) {
        return;
    }
    let mut as_declared = None;
    for (id, attribute, given) in given(subject) {
        let Some(Default::Value(_, default)) = &attribute.default else { continue };
        let skipped = given.is_default || attribute.sensitive || given.sensitive || names_it(attribute);
        if skipped || attribute.name.as_str() == "ensure" || has_default_in_file(subject, attribute) {
            continue;
        }
        let Some(now) = as_declared.get_or_insert_with(|| otherwise(subject, |_| ())) else { return };
        let without = otherwise(subject, |d| {
            d.attributes.shift_remove(attribute.name.as_str());
        });
        let Some(without) = without.filter(|w| same_beside(now, w, id)) else { continue };
        let (Some(said), Some(anyway)) = (now.slot(id), without.slot(id)) else { continue };
        if anyway.origin == Origin::Default && said.origin == Origin::Explicit && said.value == anyway.value {
            let found = sink.finding(given.name_span, format!("`{}` is given its default", attribute.name));
            sink.report(found.also(*default, "the default").help("drop it"));
        }
    }
}

/// Returns `true` if the file sets a default for the attribute, which a resource must be able to revert.
fn has_default_in_file(subject: &ResourceSubject<'_>, attribute: &AttributeDef) -> bool {
    let all = &subject.file.declarations.resources;
    let of_type = all.iter().filter(|d| d.type_name == subject.declared.type_name);
    of_type.filter_map(|d| d.attributes.get(attribute.name.as_str())).any(|g| g.is_default)
}
