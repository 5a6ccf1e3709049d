//! Compares the type-level definitions of two versions.

use super::attribute::{place, validations};
use super::blocks::Blocks;
use super::patterns::quoted;
use super::{ChangeCollector, ChangeKind, Subject, TypeChange, attribute, provider, titles};
use rtype_lang::source::Span;
use rtype_lang::types::{AttributeDef, AutoRelation, CodeBlock, Role, TypeCheck, TypeDef};

pub fn compare(old: &TypeDef, new: &TypeDef) -> Vec<TypeChange> {
    let blocks = Blocks::new(old, new);
    let mut found = ChangeCollector { type_name: &old.name, subject: Subject::Type, changes: Vec::new() };
    identity(&mut found, old, new);
    titles::compare(&mut found, old, new);
    features(&mut found, old, new);
    relations(&mut found, &blocks, old, new);
    whole(&mut found, &blocks, old, new);
    attributes(&mut found, &blocks, old, new);
    provider::compare(&mut found, &blocks, old, new);
    found.changes
}

fn identity(found: &mut ChangeCollector, old: &TypeDef, new: &TypeDef) {
    let names = |t: &TypeDef| {
        let mut names: Vec<String> = t.namevars.iter().filter_map(|id| t.attribute(*id)).map(|a| a.name.to_string()).collect();
        names.sort();
        names
    };
    let (was, is) = (names(old), names(new));
    if was != is {
        found.add(ChangeKind::NamevarsChanged, old.span, new.span, |c| c.was(was.join(", ")).is(is.join(", ")));
    }
    found.turned(old.isomorphic, new.isomorphic, (ChangeKind::IdentityUnique, ChangeKind::IdentityShared), (old.span, new.span));
    found.turned(old.lists_instances, new.lists_instances, (ChangeKind::ListingAdded, ChangeKind::ListingRemoved), (old.span, new.span));
    if old.self_refresh != new.self_refresh {
        found.plain(ChangeKind::SelfRefreshChanged, old.span, new.span);
    }
}

fn features(found: &mut ChangeCollector, old: &TypeDef, new: &TypeDef) {
    for (name, was) in &old.features {
        match new.features.get(name) {
            None => found.add(ChangeKind::FeatureRemoved, was.span, new.span, |c| c.was(quoted(name.as_str()))),
            Some(is) => {
                if was.methods != is.methods {
                    let all =
                        |methods: &[rtype_lang::value::Symbol]| methods.iter().map(|m| quoted(m.as_str())).collect::<Vec<_>>().join(", ");
                    let text = format!("{} {}", quoted(name.as_str()), all(&was.methods));
                    found.add(ChangeKind::FeatureMethodsChanged, was.span, is.span, |c| c.was(text.trim_end()).is(all(&is.methods)));
                }
            }
        }
    }
    for (name, is) in new.features.iter().filter(|(name, _)| !old.features.contains_key(*name)) {
        found.add(ChangeKind::FeatureAdded, old.span, is.span, |c| c.is(quoted(name.as_str())));
    }
}

fn relations(found: &mut ChangeCollector, blocks: &Blocks, old: &TypeDef, new: &TypeDef) {
    let text = |r: &AutoRelation| format!("auto{} {}", r.kind.metaparameter(), r.target);
    let same = |a: &AutoRelation, b: &AutoRelation| a.kind == b.kind && a.target == b.target && blocks.same(&a.names, &b.names);
    let mut gone: Vec<&AutoRelation> = old.autorelations.iter().filter(|a| !new.autorelations.iter().any(|b| same(a, b))).collect();
    for is in new.autorelations.iter().filter(|b| !old.autorelations.iter().any(|a| same(a, b))) {
        match gone.iter().position(|was| was.kind == is.kind && was.target == is.target) {
            Some(i) => {
                let was = gone.remove(i);
                found.add(ChangeKind::RelationChanged, was.target_span, is.target_span, |c| c.is(text(is)));
            }
            None => found.add(ChangeKind::RelationAdded, old.span, is.target_span, |c| c.is(text(is))),
        }
    }
    for was in gone {
        found.add(ChangeKind::RelationRemoved, was.target_span, new.span, |c| c.was(text(was)));
    }
}

/// Compares the blocks and the description of the type.
fn whole(found: &mut ChangeCollector, blocks: &Blocks, old: &TypeDef, new: &TypeDef) {
    let spans = (old.span, new.span);
    let validates = |t: &TypeDef| {
        t.checks.iter().filter_map(|c| if let TypeCheck::Validate(c) = c { Some(c.clone()) } else { None }).collect::<Vec<_>>()
    };
    validations(found, blocks, &validates(old), &validates(new), spans);
    let finalizes = |t: &TypeDef| {
        t.checks.iter().filter_map(|c| if let TypeCheck::Finalize(c) = c { Some(c.clone()) } else { None }).collect::<Vec<_>>()
    };
    for (name, was, is) in [
        ("finalize", finalizes(old), finalizes(new)),
        ("canonicalize", one(&old.canonicalize), one(&new.canonicalize)),
        ("late_finalize", old.late_finalizes.clone(), new.late_finalizes.clone()),
        ("pre_run_check", old.pre_run_checks.clone(), new.pre_run_checks.clone()),
        ("refresh", one(&old.refresh), one(&new.refresh)),
        ("title", one(&old.title), one(&new.title)),
        ("generate", one(&old.generate), one(&new.generate)),
        ("eval_generate", one(&old.eval_generate), one(&new.eval_generate)),
    ] {
        let differs = |i: &usize| !blocks.same_maybe(was.get(*i), is.get(*i));
        if let Some(i) = (0..was.len().max(is.len())).find(differs) {
            found.block(name, false, place(was.get(i), old.span), place(is.get(i), new.span));
        }
    }
    if old.doc != new.doc {
        found.plain(ChangeKind::DocChanged, old.span, new.span);
    }
}

fn one(code: &Option<CodeBlock>) -> Vec<CodeBlock> {
    code.iter().cloned().collect()
}

/// Compares attributes; metaparameters do not belong to a type.
fn attributes(found: &mut ChangeCollector, blocks: &Blocks, old: &TypeDef, new: &TypeDef) {
    let own = |t: &'_ TypeDef| t.attributes.iter().filter(|a| a.role != Role::Metaparam).cloned().collect::<Vec<AttributeDef>>();
    for was in own(old) {
        found.subject = Subject::Attribute(was.name.clone());
        match new.attribute_named(was.name.as_str()) {
            None => found.plain(ChangeKind::AttributeRemoved, was.span, new.span),
            Some(is) => attribute::compare(found, blocks, &was, is),
        }
    }
    for is in own(new) {
        if old.attribute_named(is.name.as_str()).is_none() {
            found.subject = Subject::Attribute(is.name.clone());
            let kind = if is.required.is_some() { ChangeKind::AttributeAddedRequired } else { ChangeKind::AttributeAdded };
            found.plain(kind, Span::NONE, is.span);
        }
    }
    found.subject = Subject::Type;
}
