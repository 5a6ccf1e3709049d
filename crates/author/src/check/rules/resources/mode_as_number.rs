//! What it does: Reports file modes that are numbers.
//!
//! Why: The digits of a mode are octal. A number loses its leading zero, or has already been read as octal, so the result is
//! another mode. Write modes as strings.
//!
//! Example:
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   mode   => 0644,
//! }
//! ```
//!
//! ```yaml
//! file:
//!   /etc/motd:
//!     ensure: file
//!     mode: 644
//! ```
//!
//! Better:
//!
//! ```puppet
//! file { '/etc/motd':
//!   ensure => file,
//!   mode   => '0644',
//! }
//! ```
//!
//! ```yaml
//! file:
//!   /etc/motd:
//!     ensure: file
//!     mode: "0644"
//! ```
//!
//! Fix: safe; adds quotes. In JSON, nothing is fixed: `420` may be a program's conversion of `0644`.

use crate::check::{ResourcesSubject, Sink};
use rtype_model::manifest::{DataFormat, DeclaredValue};
use rtype_lang::types::{NativeKind, ValueStep};
use rtype_lang::value::Value;

pub fn check(subject: &ResourcesSubject<'_>, sink: &mut Sink<'_>) {
    for declared in &subject.declarations.resources {
        let Some(type_def) = subject.around.loaded.get(declared.type_name.as_str()) else { continue };
        for (name, given) in &declared.attributes {
            let attribute = type_def.id_declared_as(name).and_then(|id| type_def.attribute(id));
            let Some(attribute) = attribute.filter(|a| a.native == Some(NativeKind::FileMode)) else { continue };
            // A type that overrides the check may support numbers.
            let refuses = attribute.validate.steps.iter().any(|s| matches!(s, ValueStep::Native));
            if refuses && matches!(given.value, Value::Int(_)) {
                report(subject, name, given, sink);
            }
        }
    }
}

fn report(subject: &ResourcesSubject<'_>, name: &str, given: &DeclaredValue, sink: &mut Sink<'_>) {
    let written = subject.source.slice(given.span);
    let format = DataFormat::of_source(subject.source);
    let quote = if format.is_some() { '"' } else { '\'' };
    let found = sink.finding(given.span, format!("`{name}` is a number: a mode is octal digits in quotes"));
    let is_octal = !written.is_empty() && written.len() <= 4 && written.bytes().all(|b| (b'0'..=b'7').contains(&b));
    if !is_octal || format == Some(DataFormat::Json) {
        return sink.report(found.help(format!("write four octal digits in quotes, such as {quote}0644{quote}")));
    }
    let text = format!("{quote}{written:0>4}{quote}");
    sink.report(found.help(format!("write {text}")).fix("make the mode a text", given.span, text));
}
