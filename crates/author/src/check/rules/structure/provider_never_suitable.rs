//! What it does: Reports providers with conditions that contradict each other, and `defaultfor` rows that contradict the conditions.
//!
//! Why: Every `confine` must hold. A provider with two conditions that require different values of the same fact is never suitable; to
//! allow both values, put them in a list.
//!
//! Example:
//!
//! ```rtype
//! type door { newparam name }
//! provider hinge, for: door {
//!   confine kernel: Linux
//!   confine kernel: FreeBSD
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door { newparam name }
//! provider hinge, for: door {
//!   confine kernel: [Linux, FreeBSD]
//! }
//! ```
//!
//! Conditions of a parent are not inherited and therefore not considered. `confine { false }`, in Ruby `confine true: false`, marks a provider that
//! only others build upon; it is not reported.

use crate::check::confines::{compatible, facts};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{Confine, FactTest, ProviderDef};

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    subject.type_def.providers.values().for_each(|p| look(p, sink));
}

fn look(provider: &ProviderDef, sink: &mut Sink<'_>) {
    let name = &provider.name;
    let mut before: Vec<(&FactTest, &Confine)> = Vec::new();
    for (test, confine) in facts(&provider.confines) {
        let message = || format!("the provider `{name}` never works: `{}` cannot be both", test.fact);
        if test.values.is_empty() {
            let found = sink.finding(confine.span, format!("the provider `{name}` never works: no value of `{}` is allowed", test.fact));
            sink.report(found.help("name the values, or drop the condition"));
        } else if let Some((_, earlier)) = before.iter().find(|(earlier, _)| !compatible(earlier, test)) {
            let found = sink.finding(confine.span, message()).also(earlier.span, "contradicts it");
            sink.report(found.help("where either will do, give one condition a list: `confine kernel: [Linux, FreeBSD]`"));
        }
        before.push((test, confine));
    }
    for row in &provider.defaultfor {
        let contradicted = row.iter().find_map(|test| Some((test, before.iter().find(|(confine, _)| !compatible(confine, test))?)));
        if let Some((test, (_, confine))) = contradicted {
            let wanted = test.wanted();
            let message = format!("the provider `{name}` is never the default where `{}` is {wanted}: it does not work there", test.fact);
            sink.report(sink.finding(provider.span, message).also(confine.span, "does not hold there").help("let the two agree"));
        }
    }
}
