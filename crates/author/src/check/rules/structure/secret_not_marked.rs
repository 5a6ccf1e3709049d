//! What it does: Reports attributes with the name of a secret, such as `password`, `token` or `api_key`, that are not
//! `sensitive`.
//!
//! Why: Values that are not marked are shown in change messages, reports, JSON, source excerpts and the history of the REPL.
//!
//! Example:
//!
//! ```rtype
//! type account {
//!   newparam name
//!   newproperty password { desc "What the owner knows." }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type account {
//!   newparam name
//!   newproperty password {
//!     desc "What the owner knows."
//!     sensitive
//!   }
//! }
//! ```
//!
//! Names of properties of a secret are not reported (`password_max_age`, `manage_password`), nor are booleans, numbers, attributes with listed
//! values, and attributes described as a path, a file or a name. In Ruby, only properties whose values Puppet prints are reported: not
//! parameters, and no property with its own `is_to_s`, `should_to_s` or `change_to_s`.
//!
//! Fix: unsafe; adds `sensitive`.

use crate::check::secrets::{can_be_secret, names_secret};
use crate::check::written::{add_directive, attribute_directive};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{AttributeDef, Role};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        let name = attribute.name.as_str();
        // Namevars are shown even if marked as sensitive.
        let is_key = attribute.namevar || name == "name";
        if subject.file.is_ruby() && !is_printed(subject, attribute) || attribute.sensitive || is_key || !names_secret(name) || !can_be_secret(attribute) {
            continue;
        }
        let found = sink.finding(attribute.span, format!("`{name}` sounds like a secret, and is shown")).help("mark it as `sensitive`");
        let edit = attribute_directive(subject, attribute).and_then(|d| add_directive(subject.file.source, d, "sensitive"));
        sink.report(match edit {
            Some(edit) => found.fixes("mark it as `sensitive`", false, vec![edit]),
            None => found,
        });
    }
}

/// Returns `true` if Puppet prints an attribute's values in Ruby: a property's values, in change messages.
fn is_printed(subject: &TypeSubject<'_>, attribute: &AttributeDef) -> bool {
    let sources = &subject.file.around.types.sources;
    // Parameters derived from property classes are translated as properties.
    let is_param = attribute.role != Role::Property || sources.slice(sources.origin(attribute.span)).trim_start().starts_with("newparam");
    // A data type of the Resource API.
    let is_marked = attribute.doc.contains("Sensitive[");
    !is_param && !is_marked && !has_own_text(attribute)
}

/// Returns `true` if an attribute defines how its values are shown.
fn has_own_text(attribute: &AttributeDef) -> bool {
    attribute.is_to_s.is_some() || attribute.should_to_s.is_some() || attribute.change_to_s.is_some() || attribute.redact.is_some()
}
