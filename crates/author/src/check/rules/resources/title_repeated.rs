//! What it does: Reports namevars that are set to the title.
//!
//! Why: The title already sets the namevar. A repeated value must be changed twice.
//!
//! Example:
//!
//! ```puppet
//! host { 'db':
//!   name => 'db',
//!   ip   => '10.0.0.1',
//! }
//! ```
//!
//! Better:
//!
//! ```puppet
//! host { 'db':
//!   ip => '10.0.0.1',
//! }
//! ```

use crate::check::{ResourceSubject, Sink};

pub fn check(subject: &ResourceSubject<'_>, sink: &mut Sink<'_>) {
    let [namevar] = subject.instance.type_def.namevars.as_slice() else { return };
    let Some(attribute) = subject.instance.type_def.attribute(*namevar) else { return };
    let Some((name, given)) = subject.declared.attributes.iter().find(|(name, _)| **name == *attribute.name.as_str() || *name == "name")
    else {
        return;
    };
    if given.value.to_text() == subject.declared.title {
        let found = sink.finding(given.name_span, format!("`{name}` says again what the title says"));
        sink.report(found.help("drop it: the title is its value"));
    }
}
