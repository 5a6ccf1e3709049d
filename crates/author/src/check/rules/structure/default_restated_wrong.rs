//! What it does: Reports descriptions that mention another default than the attribute has.
//!
//! Why: Users rely on the description, which is easily forgotten when a default changes.
//!
//! Example:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam wings {
//!     desc "How many wings it has. Defaults to `1`."
//!     defaultto 2
//!   }
//! }
//! ```
//!
//! Better:
//!
//! ```rtype
//! type door {
//!   newparam name
//!   newparam wings {
//!     desc "How many wings it has."
//!     defaultto 2
//!   }
//! }
//! ```
//!
//! `rtype describe` and the reference pages show the default automatically. Conditional descriptions ("Defaults to `x` on Debian") and computed
//! defaults are not reported.
//!
//! Fix: unsafe; writes the default of the attribute into the description.

use crate::check::descriptions::{descriptions, place};
use crate::check::{Sink, TypeSubject};
use rtype_lang::source::Span;
use rtype_lang::types::{AttributeDef, Default};
use rtype_lang::value::Value;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Matches ``Defaults to `x` ``, ``default: `x` ``, `(default: x)`, ``Default is 'x'``.
static RESTATED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let quoted = r#"(?:\bdefaults\s+to|\bdefault(?:\s+value)?(?:\s+is|:))\s+(?:`(?P<a>[^`\n]+)`|'(?P<b>[^'\n]+)'|"(?P<c>[^"\n]+)")"#;
    Regex::new(&format!(r"(?i){quoted}|\(default(?:s to)?:?\s+(?P<d>[^\s()`'\x22]+)\)")).ok()
});

/// Words that make a documented default conditional.
const CONDITIONS: &[&str] = &["on", "for", "when", "if", "in", "unless", "where", "with", "or", "except", "under", "from", "at"];

pub fn check(subject: &TypeSubject<'_>, sink: &mut Sink<'_>) {
    let attributes: HashMap<Span, &AttributeDef> = subject.type_def.attributes.iter().map(|a| (a.span, a)).collect();
    for (span, text) in descriptions(subject) {
        let Some(attribute) = attributes.get(&span) else { continue };
        let Some(Default::Value(value, default_span)) = &attribute.default else { continue };
        if attribute.sensitive || value.is_nil() || matches!(value, Value::Array(_) | Value::Map(_)) {
            continue;
        }
        let Some((doc, restated)) = text.plain().zip(RESTATED.as_ref()) else { continue };
        for captures in restated.captures_iter(&doc) {
            let Some(stated) = ["a", "b", "c", "d"].iter().find_map(|n| captures.name(n)) else { continue };
            let behind = doc.get(captures.get(0).map_or(0, |m| m.end())..).unwrap_or_default();
            let next = behind.trim_start_matches(',').split_whitespace().next().unwrap_or_default().to_lowercase();
            if CONDITIONS.contains(&next.trim_matches(|c: char| !c.is_alphanumeric())) || same(attribute, stated.as_str(), value) {
                continue;
            }
            let declared = value.to_text();
            let found = sink.finding(
                place(subject.file.source, text, stated.as_str()),
                format!("the default of `{}` is `{declared}`, not `{}`", attribute.name, stated.as_str()),
            );
            let found = found.also(*default_span, "the default").help("remove the default from the description: the documentation shows it next to the description");
            let whole = captures.get(0).map_or("", |m| m.as_str());
            let at = place(subject.file.source, text, whole);
            sink.report(if at == text.span {
                found
            } else {
                found.unsafe_fix(format!("write `{declared}`"), at, whole.replacen(stated.as_str(), &declared, 1))
            });
        }
    }
}

/// Returns `true` if the documented default means the declared one.
fn same(attribute: &AttributeDef, stated: &str, value: &Value) -> bool {
    let stated = stated.trim().trim_start_matches(':').trim_end_matches('.');
    let declared = value.to_text();
    let declared = declared.trim();
    let switch = |text: &str| match text.to_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    };
    let literal = |text: &str| attribute.values.find(text).map(|v| v.span);
    declared.eq_ignore_ascii_case(stated)
        || (switch(stated).is_some() && switch(stated) == switch(declared))
        || (literal(stated).is_some() && literal(stated) == literal(declared))
        || stated.parse::<f64>().is_ok_and(|n| declared.parse() == Ok(n))
        // Empty defaults and sentences cannot be compared.
        || declared.is_empty()
        || stated.contains(' ')
}
