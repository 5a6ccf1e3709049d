//! Automatic checks of titles: a title rebuilt from its namevars must identify the same resource.

use super::take::{Bench, TITLES, Taken};
use super::{Lab, TestResult, shown};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, TestDef, TitlePattern, TypeDef};
use rtype_lang::value::{EcoString, Value};
use std::sync::Arc;

/// A parsed title.
struct Read<'a> {
    pattern: &'a TitlePattern,
    /// For each group in order, the attribute set by the group and the group's byte range.
    groups: Vec<(AttrId, std::ops::Range<usize>)>,
    /// The canonical values.
    values: Vec<(AttrId, Value)>,
}

/// Checks titles from the tests and some typical titles against the type's patterns.
pub(super) fn check(type_def: &Arc<TypeDef>, tests: &[&TestDef], lab: Lab<'_>) -> Vec<TestResult> {
    let Some(first) = type_def.title_patterns.first() else { return Vec::new() };
    let bench = Bench::bare(type_def, "", lab);
    let of_tests = tests.iter().filter_map(|t| Bench::of(t, lab)).map(|b| (b.declared.title.clone(), b.declared.title_span));
    let usual = TITLES.iter().map(|t| (EcoString::from(*t), Span::NONE));
    let (mut found, mut any) = (Vec::new(), false);
    for (title, span) in of_tests.chain(usual) {
        let Some(read) = read(type_def, &bench, &title) else { continue };
        let Some(rebuilt) = rebuild(&title, &read) else { continue };
        any = true;
        // A canonical title proves nothing.
        if rebuilt == title {
            continue;
        }
        let again = self::read(type_def, &bench, &rebuilt);
        let same = again.is_some_and(|again| same(&read.values, &again.values));
        if !same {
            let names = read.values.iter().filter_map(|(id, value)| {
                let attribute = type_def.attribute(*id)?;
                Some(format!("`{}` {}", attribute.name, shown(value, attribute.sensitive || value.has_secret())))
            });
            let names: Vec<String> = names.collect();
            let message = format!("the title `{title}` gives {}, but `{rebuilt}` means something else", names.join(" and "));
            let (place, also) = if span.is_none() { (read.pattern.span, Span::NONE) } else { (span, read.pattern.span) };
            found.push(
                Diagnostic::new(Code::TitleNotKept, place, message).also(also, "the pattern").help(
                    "who writes the canonical values into the title names another resource: let the pattern take them, or munge less",
                ),
            );
        }
    }
    if !any {
        return Vec::new();
    }
    let title = "a title of canonical values names the same resource".into();
    vec![TestResult { type_name: type_def.name.clone(), title, span: first.span, automatic: true, found }]
}

/// Parses a title; `None` if no pattern matches or a value is invalid.
fn read<'a>(type_def: &'a TypeDef, bench: &Bench<'_>, title: &str) -> Option<Read<'a>> {
    let (pattern, captures) = type_def.title_patterns.iter().find_map(|p| Some((p, p.regex.captures_at(title, 0)?)))?;
    let mut groups = Vec::new();
    for (i, id) in pattern.attributes.iter().enumerate() {
        // A group that did not take part in the match leaves its attribute unset.
        if let Some(range) = captures.get(i + 1).cloned().flatten() {
            groups.push((*id, range));
        }
    }
    let mut values = Vec::new();
    for (id, _) in &groups {
        match bench.take_titled(title, *id) {
            Taken::Accepted(value) => values.push((*id, value)),
            Taken::Refused(_) | Taken::Nothing => return None,
        }
    }
    Some(Read { pattern, groups, values })
}

/// Rebuilds a title with canonical values in place of groups; `None` if a value cannot be written in a title.
fn rebuild(title: &str, read: &Read<'_>) -> Option<EcoString> {
    let mut out = EcoString::new();
    let mut end = 0;
    for ((_, range), (_, value)) in read.groups.iter().zip(&read.values) {
        // Nested groups have no separate position.
        out.push_str(title.get(end..range.start)?);
        let text = match value.unwrapped() {
            Value::Array(all) => match all.as_slice() {
                [one] => text(one)?,
                _ => return None,
            },
            one => text(one)?,
        };
        out.push_str(&text);
        end = range.end;
    }
    out.push_str(title.get(end..)?);
    Some(out)
}

/// Returns the string of a value in a title. `absent` and similar values have no string.
fn text(value: &Value) -> Option<EcoString> {
    match value {
        Value::Str(s) if !s.is_empty() => Some(s.clone()),
        Value::Int(n) => Some(n.to_string().into()),
        Value::Sym(s) if !value.is_absent() => Some(s.text()),
        _ => None,
    }
}

fn same(a: &[(AttrId, Value)], b: &[(AttrId, Value)]) -> bool {
    a.len() == b.len() && a.iter().all(|pair| b.contains(pair))
}
