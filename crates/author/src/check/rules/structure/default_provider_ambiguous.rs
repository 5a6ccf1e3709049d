//! What it does: Reports two providers of a type that are equally specific defaults on one platform.
//!
//! Why: The one declared first is used. If the order of the files changes, so does the provider.
//!
//! Example:
//!
//! ```rtype
//! type door { newparam name }
//! provider hinge, for: door { defaultfor kernel: Linux }
//! provider rail, for: door { defaultfor kernel: [Linux, FreeBSD] }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door { newparam name }
//! provider hinge, for: door { defaultfor kernel: Linux }
//! provider rail, for: door { defaultfor kernel: FreeBSD }
//! ```
//!
//! Rows of `defaultfor` with the same facts are compared. The longer row takes precedence, then the provider that inherits more.
//! Providers that cannot both be suitable, providers with a `notdefaultfor` for the same facts, and providers with an untranslated
//! `confine` are not reported.

use crate::check::confines::{compatible, facts};
use crate::check::{Sink, TypeSubject};
use rtype_lang::types::{ConfineTest, FactTest, Op, ProviderDef};
use std::collections::{HashMap, HashSet};

/// Rows with their providers, grouped by the provider's number of ancestors and by the facts in the row.
type Rows<'a> = HashMap<(usize, Vec<&'a str>), Vec<(&'a ProviderDef, &'a [FactTest])>>;

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let type_def = subject.type_def;
    let mut rows = Rows::new();
    let mut reported = HashSet::new();
    for provider in type_def.providers.values().filter(|p| !p.defaultfor.is_empty() && is_known(p)) {
        let depth = type_def.lineage(provider).count();
        for row in &provider.defaultfor {
            let mut names: Vec<&str> = row.iter().map(|t| t.fact.as_str()).collect();
            names.sort_unstable();
            let others = rows.entry((depth, names)).or_default();
            for (other, other_row) in others.iter() {
                if other.name != provider.name && ambiguous(provider, row, other, other_row) && reported.insert((&other.name, &provider.name)) {
                    let message = format!("`{}` and `{}` are both the default, and nothing decides", other.name, provider.name);
                    let found = sink.finding(provider.span, message).also(other.span, "is taken, since it is declared first");
                    sink.report(found.help("name a further fact in one `defaultfor`, or give one a `notdefaultfor`"));
                }
            }
            others.push((provider, row));
        }
    }
}

/// Returns `true` if all conditions of a provider are known.
fn is_known(provider: &ProviderDef) -> bool {
    let mut is_known = true;
    for confine in &provider.confines {
        if let ConfineTest::Code(code) = &confine.test {
            code.inner.body.walk(&mut |node| is_known &= !matches!(node.op, Op::Untranslated(_)));
        }
    }
    is_known
}

fn ambiguous(a: &ProviderDef, row: &[FactTest], b: &ProviderDef, other_row: &[FactTest]) -> bool {
    let all = |tests: &[FactTest], more: &[FactTest]| tests.iter().all(|t| more.iter().all(|m| compatible(t, m)));
    let speaks = |p: &ProviderDef| p.notdefaultfor.iter().flatten().any(|t| row.iter().any(|r| r.fact == t.fact));
    let works = |p: &ProviderDef, tests: &[FactTest]| facts(&p.confines).all(|(c, _)| tests.iter().all(|t| compatible(c, t)));
    let together = || facts(&a.confines).all(|(x, _)| facts(&b.confines).all(|(y, _)| compatible(x, y)));
    all(row, other_row)
        && !speaks(a)
        && !speaks(b)
        && works(a, row)
        && works(a, other_row)
        && works(b, row)
        && works(b, other_row)
        && together()
}
