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
//! values, and attributes described as a path, a file or a name.
//!
//! Fix: unsafe; adds `sensitive`.

use crate::check::secrets::{can_be_secret, names_secret};
use crate::check::written::{add_directive, attribute_directive};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::Role;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    for attribute in subject.type_def.attributes.iter().filter(|a| a.role != Role::Metaparam) {
        let name = attribute.name.as_str();
        // Namevars are shown even if marked as sensitive.
        let is_key = attribute.namevar || name == "name";
        if attribute.sensitive || is_key || !names_secret(name) || !can_be_secret(attribute) {
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
