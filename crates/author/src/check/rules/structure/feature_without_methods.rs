//! What it does: Reports providers that declare a feature without having its methods.
//!
//! Why: Blocks call the methods of a feature if the provider has it. Without the methods the call fails on the machine.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   feature lockable, "Can be locked.", methods: [lock, unlock]
//!   newparam name
//! }
//! provider hinge, for: door {
//!   has_feature lockable
//!   actions [lock]
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   feature lockable, "Can be locked.", methods: [lock, unlock]
//!   newparam name
//! }
//! provider hinge, for: door {
//!   actions [lock, unlock]
//! }
//! ```
//!
//! A provider without code that lists no actions is not reported, nor are Ruby providers, which are read only in part.

use crate::check::methods::{has_method, is_complete};
use crate::check::{Sink, TypeSubject};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    if subject.file.is_ruby() {
        return;
    }
    let type_def = subject.type_def;
    let providers = subject.file.around.providers;
    for provider in type_def.providers.values().filter(|p| is_complete(type_def, p)) {
        for (name, span) in &provider.features {
            let Some(feature) = type_def.features.get(name) else { continue };
            let lacking: Vec<String> = feature
                .methods
                .iter()
                .filter(|m| !has_method(type_def, provider, m.as_str(), providers))
                .map(|m| format!("`{m}`"))
                .collect();
            if !lacking.is_empty() {
                let found = sink.finding(*span, format!("`{}` claims `{name}` and lacks {}", provider.name, lacking.join(" and ")));
                let help = "list what it has in `queries` or `actions`; a provider that has all methods need not claim the feature";
                sink.report(found.also(feature.span, "the feature").help(help));
            }
        }
    }
}
