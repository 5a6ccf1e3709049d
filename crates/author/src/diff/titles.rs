//! Compares title patterns by parsing example titles with both versions.

use super::patterns::{Counterexample, outside, quoted};
use super::{ChangeCollector, ChangeKind};
use rtype_lang::types::{TitlePattern, TypeDef};
use rtype_lang::value::{Flags, Regex};
use rtype_model::resource::title::parse;

/// Shapes of example titles.
const PROBES: &[&str] = &["", r"^\w+$", r"^\w\W\w\w$", r"^\w\w\W\w$", r"^\w\W\w\w\W\w\w\w$", r"^/\w+/\w\w+"];

pub fn compare(found: &mut ChangeCollector, old: &TypeDef, new: &TypeDef) {
    let rows = |t: &TypeDef| {
        let names =
            |p: &TitlePattern| p.attributes.iter().filter_map(|id| t.attribute(*id)).map(|a| a.name.to_string()).collect::<Vec<_>>();
        t.title_patterns.iter().map(|p| (p.regex.to_string(), names(p))).collect::<Vec<_>>()
    };
    if rows(old) == rows(new) {
        return;
    }
    let place = |t: &TypeDef| t.title_patterns.first().map_or(t.span, |p| p.span);
    let (from, to) = (place(old), place(new));
    let (was, is) = (regexes(old), regexes(new));
    let before = found.changes.len();
    let mut unknown = false;
    // A type without patterns accepts every title.
    let all_new = if is.is_empty() { Counterexample::Nothing } else { refused(&was, &is) };
    match all_new {
        Counterexample::Text(title) => found.add(ChangeKind::TitleRefused, from, to, |c| c.example(Some(quoted(&title)))),
        Counterexample::Unknown => unknown = true,
        Counterexample::Nothing => {}
    }
    let (examples, complete) = examples(&was, &is);
    unknown |= !complete;
    let differing = examples.into_iter().find_map(|title| {
        let (a, b) = (read(old, &title)?, read(new, &title)?);
        (a != b).then_some((title, a, b))
    });
    if let Some((title, a, b)) = differing {
        found.add(ChangeKind::TitleReadDifferently, from, to, |c| c.was(a).is(b).example(Some(quoted(&title))));
    }
    if found.changes.len() > before {
        return;
    }
    if !unknown
        && !was.is_empty()
        && let Counterexample::Text(title) = refused(&is, &was)
    {
        return found.add(ChangeKind::TitlesWider, from, to, |c| c.example(Some(quoted(&title))));
    }
    found.plain(ChangeKind::TitlesChanged, from, to);
}

fn regexes(type_def: &TypeDef) -> Vec<&Regex> {
    type_def.title_patterns.iter().map(|p| &*p.regex).collect()
}

/// Returns a title that matches a regex in `first` and no regex in `second`; if `first` is empty, any title.
fn refused(first: &[&Regex], second: &[&Regex]) -> Counterexample {
    if first.is_empty() {
        return outside(&[], second);
    }
    let mut unknown = false;
    for regex in first {
        match outside(&[regex], second) {
            Counterexample::Nothing => {}
            Counterexample::Unknown => unknown = true,
            found @ Counterexample::Text(_) => return found,
        }
    }
    if unknown { Counterexample::Unknown } else { Counterexample::Nothing }
}

/// Returns a title for each pair of patterns that can be the first match in the two versions, and `true` if all pairs are covered.
fn examples(was: &[&Regex], is: &[&Regex]) -> (Vec<String>, bool) {
    let (mut titles, mut complete) = (Vec::new(), true);
    // The shortest title may yield the same values in both versions where longer ones do not, so the parts of a title should
    // differ.
    let probes: Vec<Regex> = PROBES.iter().filter_map(|p| Regex::new(p, Flags::default()).ok()).collect();
    let choices = |all: &[&Regex]| (0..all.len().max(1)).collect::<Vec<_>>();
    for i in choices(was) {
        for j in choices(is) {
            let all_of: Vec<&Regex> = was.get(i).into_iter().chain(is.get(j)).copied().collect();
            let none_of: Vec<&Regex> = was.iter().take(i).chain(is.iter().take(j)).copied().collect();
            for probe in &probes {
                match outside(&all_of.iter().copied().chain([probe]).collect::<Vec<_>>(), &none_of) {
                    Counterexample::Nothing => {}
                    Counterexample::Text(title) => titles.push(title),
                    Counterexample::Unknown => complete = false,
                }
            }
        }
    }
    (titles, complete)
}

/// Describes the values that a title yields: `name x, user y`.
fn read(type_def: &TypeDef, title: &str) -> Option<String> {
    let parsed = parse(type_def, title)?;
    let mut values: Vec<(String, String)> =
        parsed.values.iter().filter_map(|(id, text)| Some((type_def.attribute(*id)?.name.to_string(), quoted(text)))).collect();
    values.sort();
    Some(values.into_iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", "))
}
