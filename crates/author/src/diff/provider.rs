//! Compares the providers of two versions of a type.

use super::blocks::{Blocks, all, same_fact, same_facts};
use super::patterns::quoted;
use super::{ChangeCollector, ChangeKind, Subject};
use indexmap::IndexMap;
use rtype_lang::types::{CommandDef, Confine, ConfineTest, FactTest, ProviderBody, ProviderDef, Setting, TypeDef};
use rtype_lang::value::{EcoString, Symbol};

pub fn compare(found: &mut ChangeCollector, blocks: &Blocks, old: &TypeDef, new: &TypeDef) {
    let mut added: Vec<&ProviderDef> = new.providers.values().filter(|p| !old.providers.contains_key(&p.name)).collect();
    for was in old.providers.values() {
        found.subject = Subject::Provider(was.name.clone());
        if let Some(is) = new.providers.get(&was.name) {
            one(found, blocks, was, is);
            continue;
        }
        match added.iter().position(|is| is_renamed(was, is)) {
            Some(i) => {
                let is = added.remove(i);
                found
                    .add(ChangeKind::ProviderRenamed, was.span, is.span, |c| c.was(quoted(was.name.as_str())).is(quoted(is.name.as_str())));
            }
            None => found.plain(ChangeKind::ProviderRemoved, was.span, new.span),
        }
    }
    for is in added {
        found.subject = Subject::Provider(is.name.clone());
        found.plain(ChangeKind::ProviderAdded, old.span, is.span);
    }
    found.subject = Subject::Type;
}

/// Returns `true` if a provider was only renamed: commands or description are the same.
fn is_renamed(was: &ProviderDef, is: &ProviderDef) -> bool {
    let commands = |p: &ProviderDef| p.commands.values().map(|c| c.command.clone()).collect::<Vec<_>>();
    let features = |p: &ProviderDef| p.features.keys().cloned().collect::<Vec<_>>();
    let alike = features(was) == features(is) && same_body(&was.body, &is.body) && commands(was) == commands(is);
    alike && (!commands(was).is_empty() || (!was.doc.is_empty() && was.doc == is.doc))
}

/// Compares bodies, ignoring spans.
fn same_body(old: &ProviderBody, new: &ProviderBody) -> bool {
    match (old, new) {
        (ProviderBody::Program(a), ProviderBody::Program(b)) => a.path == b.path,
        (ProviderBody::Declared(a), ProviderBody::Declared(b)) => a.kind == b.kind,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

fn one(found: &mut ChangeCollector, blocks: &Blocks, old: &ProviderDef, new: &ProviderDef) {
    // A feature that is restricted to some machines counts as removed on the others.
    let has = |p: &ProviderDef, f: &Symbol, all: &ProviderDef| {
        p.features.contains_key(f) && (all.features_with.contains_key(f) || !p.features_with.contains_key(f))
    };
    for (name, span) in old.features.iter().filter(|(f, _)| !has(new, f, old)) {
        found.add(ChangeKind::ProviderFeatureRemoved, *span, new.span, |c| c.was(quoted(name.as_str())));
    }
    for (name, span) in new.features.iter().filter(|(f, _)| !has(old, f, new)) {
        found.add(ChangeKind::ProviderFeatureAdded, old.span, *span, |c| c.is(quoted(name.as_str())));
    }
    confines(found, blocks, old, new);
    programs(found, old, new);
    let sets = |a: &[Vec<FactTest>], b: &[Vec<FactTest>]| all(a, b, |a, b| same_facts(a, b));
    if !sets(&old.defaultfor, &new.defaultfor) || !sets(&old.notdefaultfor, &new.notdefaultfor) {
        found.plain(ChangeKind::PreferenceChanged, old.span, new.span);
    }
    let parent = |p: &ProviderDef| p.parent.as_ref().map(|(name, _)| name.clone());
    let setting = |(m, a): (&Symbol, &Setting), (n, b): (&Symbol, &Setting)| {
        m == n
            && match (a, b) {
                (Setting::Value(a), Setting::Value(b)) => a == b,
                (Setting::Code(a), Setting::Code(b)) => blocks.same(a, b),
                _ => false,
            }
    };
    let settings = old.settings.len() == new.settings.len() && old.settings.iter().zip(&new.settings).all(|(a, b)| setting(a, b));
    let optional = commands(&old.optional_commands) == commands(&new.optional_commands);
    if !same_body(&old.body, &new.body) || parent(old) != parent(new) || old.source != new.source || !settings || !optional {
        found.plain(ChangeKind::ProviderWorkChanged, old.span, new.span);
    }
    if old.doc != new.doc {
        found.plain(ChangeKind::DocChanged, old.span, new.span);
    }
}

fn commands(all: &IndexMap<Symbol, CommandDef>) -> Vec<(&Symbol, &EcoString)> {
    all.iter().map(|(name, c)| (name, &c.command)).collect()
}

fn programs(found: &mut ChangeCollector, old: &ProviderDef, new: &ProviderDef) {
    for (name, was) in &old.commands {
        match new.commands.get(name) {
            None => found.add(ChangeKind::ProgramLifted, was.span, new.span, |c| c.was(quoted(&was.command))),
            Some(is) if was.command != is.command => {
                found.add(ChangeKind::ProgramChanged, was.span, is.span, |c| c.was(quoted(&was.command)).is(quoted(&is.command)));
            }
            Some(_) => {}
        }
    }
    for (_, is) in new.commands.iter().filter(|(name, _)| !old.commands.contains_key(*name)) {
        found.add(ChangeKind::ProgramNeeded, old.span, is.span, |c| c.is(quoted(&is.command)));
    }
}

/// Compares confines. All confines must hold: an additional confine is stricter, a removed confine is looser. For confines about the
/// same fact, the values are compared.
fn confines(found: &mut ChangeCollector, blocks: &Blocks, old: &ProviderDef, new: &ProviderDef) {
    let same = |a: &&Confine, b: &&Confine| match (&a.test, &b.test) {
        (ConfineTest::Fact(a), ConfineTest::Fact(b)) => same_facts(std::slice::from_ref(a), std::slice::from_ref(b)),
        (ConfineTest::Exists(a), ConfineTest::Exists(b)) => a == b,
        (ConfineTest::Feature(a), ConfineTest::Feature(b)) => a == b,
        (ConfineTest::Code(a), ConfineTest::Code(b)) => blocks.same(a, b),
        _ => false,
    };
    let mut gone: Vec<&Confine> = old.confines.iter().filter(|a| !new.confines.iter().any(|b| same(a, &b))).collect();
    for is in new.confines.iter().filter(|b| !old.confines.iter().any(|a| same(&a, b))) {
        let Some(i) = gone.iter().position(|was| are_related(was, is)) else {
            let kind = if matches!(is.test, ConfineTest::Code(_)) { ChangeKind::ConfineChanged } else { ChangeKind::ConfineStricter };
            found.add(kind, old.span, is.span, |c| c.is(text(is)));
            continue;
        };
        let was = gone.remove(i);
        let kind = match (has_all(was, is), has_all(is, was)) {
            (true, _) => ChangeKind::ConfineStricter,
            (false, true) => ChangeKind::ConfineLooser,
            (false, false) if matches!(is.test, ConfineTest::Code(_)) => ChangeKind::ConfineChanged,
            // Some machines that were suitable are no longer included.
            (false, false) => ChangeKind::ConfineStricter,
        };
        found.add(kind, was.span, is.span, |c| c.was(text(was)).is(text(is)));
    }
    for was in gone {
        found.add(ChangeKind::ConfineLooser, was.span, new.span, |c| c.was(text(was)));
    }
}

/// Returns `true` if one condition is the new version of the other.
fn are_related(old: &Confine, new: &Confine) -> bool {
    match (&old.test, &new.test) {
        (ConfineTest::Fact(a), ConfineTest::Fact(b)) => a.fact == b.fact,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Returns `true` if every machine that satisfies `narrow` satisfies `wide`.
fn has_all(wide: &Confine, narrow: &Confine) -> bool {
    match (&wide.test, &narrow.test) {
        (ConfineTest::Fact(a), ConfineTest::Fact(b)) => b.values.iter().all(|v| a.values.iter().any(|w| same_fact(v, w))),
        (ConfineTest::Exists(a), ConfineTest::Exists(b)) => a.iter().all(|path| b.contains(path)),
        (ConfineTest::Feature(a), ConfineTest::Feature(b)) => a.iter().all(|feature| b.contains(feature)),
        _ => false,
    }
}

fn text(confine: &Confine) -> String {
    match &confine.test {
        ConfineTest::Fact(test) => format!("{} is {}", test.fact, test.wanted()),
        ConfineTest::Exists(paths) => format!("{} exists", paths.iter().map(|p| quoted(p)).collect::<Vec<_>>().join(", ")),
        ConfineTest::Feature(names) => format!("feature {}", names.iter().map(|n| quoted(n.as_str())).collect::<Vec<_>>().join(", ")),
        ConfineTest::Code(_) => "a block".to_owned(),
    }
}
