//! Compares the allowed values of an attribute.

use super::attribute::takes;
use super::blocks::{Blocks, both};
use super::patterns::{Counterexample, code, outside, quoted};
use super::{ChangeCollector, ChangeKind};
use rtype_lang::types::{AllowedValue, AttributeDef, Matcher, ValueSet};
use rtype_lang::value::Regex;

pub fn compare(found: &mut ChangeCollector, blocks: &Blocks, old: &AttributeDef, new: &AttributeDef) {
    let (was, is) = (&old.values, &new.values);
    match (was.is_empty(), is.is_empty()) {
        (true, true) => return,
        (true, false) => {
            let all = listed(is);
            return found.add(ChangeKind::ValuesIntroduced, old.span, first(new), |c| c.is(all));
        }
        (false, true) => {
            let all = listed(was);
            return found.add(ChangeKind::ValuesLifted, first(old), new.span, |c| c.was(all));
        }
        (false, false) => {}
    }
    for value in &was.values {
        if let Matcher::Literal(name) = &value.matcher {
            literal(found, blocks, name.as_str(), value, is, new);
        }
    }
    for value in &is.values {
        if let Matcher::Literal(name) = &value.matcher
            && was.literals().all(|l| l != name)
        {
            found.add(ChangeKind::ValueAdded, old.span, value.span, |c| c.is(quoted(name.as_str())));
        }
    }
    aliases(found, old, new);
    regexes(found, blocks, old, new);
}

fn first(attribute: &AttributeDef) -> rtype_lang::source::Span {
    attribute.values.values.first().map_or(attribute.span, |v| v.span)
}

fn listed(values: &ValueSet) -> String {
    let one = |v: &AllowedValue| match &v.matcher {
        Matcher::Literal(name) => quoted(name.as_str()),
        Matcher::Regex(regex) => code(regex),
    };
    values.values.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn literal(found: &mut ChangeCollector, blocks: &Blocks, name: &str, old: &AllowedValue, is: &ValueSet, new: &AttributeDef) {
    let Some(value) = is.find(name) else {
        return found.add(ChangeKind::ValueRemoved, old.span, new.span, |c| c.was(quoted(name)));
    };
    match &value.matcher {
        Matcher::Literal(now) if now.as_str() == name => options(found, blocks, &quoted(name), old, value),
        Matcher::Literal(now) => found.add(ChangeKind::ValueFolded, old.span, value.span, |c| c.was(quoted(name)).is(quoted(now.as_str()))),
        Matcher::Regex(regex) => found.add(ChangeKind::ValueFolded, old.span, value.span, |c| c.was(quoted(name)).is(code(regex))),
    }
}

/// Compares the options of a value in both versions.
fn options(found: &mut ChangeCollector, blocks: &Blocks, name: &str, old: &AllowedValue, new: &AllowedValue) {
    for feature in new.required_features.iter().filter(|f| !old.required_features.contains(f)) {
        found.add(ChangeKind::ValueFeatureAdded, old.span, new.span, |c| c.is(format!("{name} needs `{feature}`")));
    }
    for feature in old.required_features.iter().filter(|f| !new.required_features.contains(f)) {
        found.add(ChangeKind::ValueFeatureLifted, old.span, new.span, |c| c.was(format!("{name} needed `{feature}`")));
    }
    let event = |v: &AllowedValue| v.event.as_ref().map(ToString::to_string);
    if event(old) != event(new) {
        let shown = |v| event(v).unwrap_or_else(|| "the usual one".into());
        found.add(ChangeKind::ValueEventChanged, old.span, new.span, |c| c.was(format!("{name}, {}", shown(old))).is(shown(new)));
    }
    let same = both(old.action.as_ref(), new.action.as_ref(), |a, b| blocks.same(a, b));
    found.block(&format!("what sets {name}"), same && old.invalidate_refreshes == new.invalidate_refreshes, old.span, new.span);
}

fn aliases(found: &mut ChangeCollector, old: &AttributeDef, new: &AttributeDef) {
    let (was, is) = (&old.values, &new.values);
    for alias in &was.aliases {
        let (name, target) = (quoted(alias.name.as_str()), quoted(alias.target.as_str()));
        match is.find(alias.name.as_str()).map(|v| &v.matcher) {
            None => found.add(ChangeKind::AliasRemoved, alias.span, new.span, |c| c.was(format!("{name} for {target}"))),
            Some(Matcher::Literal(now)) if *now == alias.target => {}
            Some(now) => {
                let now = match now {
                    Matcher::Literal(now) => quoted(now.as_str()),
                    Matcher::Regex(regex) => code(regex),
                };
                let span = is.aliases.iter().find(|a| a.name == alias.name).map_or(new.span, |a| a.span);
                found.add(ChangeKind::AliasChanged, alias.span, span, |c| c.was(format!("{name} for {target}")).is(now));
            }
        }
    }
    for alias in &is.aliases {
        if was.aliases.iter().all(|a| a.name != alias.name) && was.literals().all(|l| *l != alias.name) {
            let text = format!("{} for {}", quoted(alias.name.as_str()), quoted(alias.target.as_str()));
            found.add(ChangeKind::AliasAdded, old.span, alias.span, |c| c.is(text));
        }
    }
}

fn regexes(found: &mut ChangeCollector, blocks: &Blocks, old: &AttributeDef, new: &AttributeDef) {
    let known = |set: &ValueSet| Regex::exactly(set.literals().chain(set.aliases.iter().map(|a| &a.name)).map(|s| s.as_str()));
    let (Some(was_known), Some(is_known)) = (known(&old.values), known(&new.values)) else { return };
    let of = |attribute: &AttributeDef| attribute.values.values.iter().filter_map(regex).map(|(_, v)| v.span).next();
    let languages = |set: &ValueSet| set.regexes().cloned().collect::<Vec<_>>();
    let (was, is) = (languages(&old.values), languages(&new.values));
    for (regex, value) in old.values.values.iter().filter_map(regex) {
        // Strings listed in the old version are compared individually.
        let none_of: Vec<&Regex> = is.iter().map(|r| &**r).chain([&was_known, &is_known]).collect();
        let place = of(new).unwrap_or(new.span);
        let add = |found: &mut ChangeCollector, kind, example: Option<String>| {
            found.add(kind, value.span, place, |c| {
                let c = c.was(code(regex)).example(example.map(|e| quoted(&e)));
                if let [only] = is.as_slice() { c.is(code(only)) } else { c }
            });
        };
        match outside(&[regex], &none_of) {
            Counterexample::Nothing => {}
            Counterexample::Text(text) if takes(old, &text) => add(found, ChangeKind::ValuePatternStricter, Some(text)),
            Counterexample::Text(_) | Counterexample::Unknown => add(found, ChangeKind::ValuePatternChanged, None),
        }
        if let Some((_, twin)) = new.values.values.iter().filter_map(self::regex).find(|(r, _)| *r == regex) {
            options(found, blocks, &code(regex), value, twin);
        }
    }
    for (regex, value) in new.values.values.iter().filter_map(regex) {
        let none_of: Vec<&Regex> = was.iter().map(|r| &**r).chain([&was_known, &is_known]).collect();
        if let Counterexample::Text(text) = outside(&[regex], &none_of) {
            let place = of(old).unwrap_or(old.span);
            found.add(ChangeKind::ValuePatternWider, place, value.span, |c| {
                let c = c.is(code(regex)).example(Some(quoted(&text)));
                if let [only] = was.as_slice() { c.was(code(only)) } else { c }
            });
        }
    }
}

fn regex(value: &AllowedValue) -> Option<(&Regex, &AllowedValue)> {
    if let Matcher::Regex(regex) = &value.matcher { Some((regex, value)) } else { None }
}
