//! The facts about attributes, providers and features, in the order and wording shared by all renderers.

use super::{AttributeDoc, CommandDoc, DefaultDoc, FeatureDoc, ProviderDoc, TypeDoc, ValueDoc};

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    /// Fixed text.
    Words(String),
    /// Words that the type's author wrote.
    Prose(String),
    /// Literal code.
    Code(String),
    /// A feature name of the type.
    Feature(String),
    /// A provider name of the type.
    Provider(String),
    /// An attribute name of the type.
    Attribute(String),
    /// The name of another type.
    Type(String),
}

impl Phrase {
    /// Returns the plain text.
    pub(super) fn text(&self) -> &str {
        match self {
            Phrase::Words(t)
            | Phrase::Prose(t)
            | Phrase::Code(t)
            | Phrase::Feature(t)
            | Phrase::Provider(t)
            | Phrase::Attribute(t)
            | Phrase::Type(t) => t,
        }
    }
}

/// A short heading with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) head: &'static str,
    pub(super) pieces: Vec<Phrase>,
}

impl Fact {
    fn new(head: &'static str, pieces: Vec<Phrase>) -> Fact {
        Fact { head, pieces }
    }

    /// Returns the plain text.
    pub(super) fn text(&self) -> String {
        self.pieces.iter().map(Phrase::text).collect()
    }
}

fn words(text: impl Into<String>) -> Phrase {
    Phrase::Words(text.into())
}

/// Joins pieces with a separator.
fn joined(all: impl IntoIterator<Item = Vec<Phrase>>, between: &str) -> Vec<Phrase> {
    let mut out = Vec::new();
    for (i, pieces) in all.into_iter().enumerate() {
        if i > 0 {
            out.push(words(between));
        }
        out.extend(pieces);
    }
    out
}

fn each(names: &[String], between: &str, piece: fn(String) -> Phrase) -> Vec<Phrase> {
    joined(names.iter().map(|n| vec![piece(n.clone())]), between)
}

/// Returns short labels of an attribute.
pub(super) fn marks(doc: &TypeDoc, a: &AttributeDoc) -> Vec<&'static str> {
    let in_identity = doc.namevars.contains(&a.name);
    let marks = [
        (in_identity, "namevar"),
        (a.namevar && !in_identity, "may be filled by the title"),
        (a.required, "required"),
        (a.sensitive, "sensitive, always redacted"),
        (a.readonly.is_some(), "cannot be set"),
        (a.init_only, "only set at creation"),
        (a.deprecated.is_some(), "deprecated"),
    ];
    marks.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect()
}

/// Returns the facts about an attribute apart from its description.
pub(super) fn attribute(a: &AttributeDoc) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut fact = |head, pieces| facts.push(Fact::new(head, pieces));
    if let Some(why) = &a.readonly {
        fact("Cannot be set", vec![Phrase::Prose(why.clone())]);
    }
    if a.init_only {
        fact("Cannot be changed", vec![words("after the resource was created")]);
    }
    if let Some(instead) = &a.deprecated {
        fact("Deprecated", vec![Phrase::Prose(instead.clone())]);
    }
    if let Some(data_type) = &a.data_type {
        fact("Type", vec![Phrase::Code(data_type.clone())]);
    }
    if let Some(accepts) = a.accepts {
        fact("Accepts", vec![words(accepts)]);
    }
    if !a.values.is_empty() {
        fact("Values", joined(a.values.iter().map(value), ", "));
    }
    if !a.aliases.is_empty() {
        let one = |alias: &super::AliasDoc| vec![Phrase::Code(alias.name.clone()), words(" for "), Phrase::Code(alias.value.clone())];
        fact("Aliases", joined(a.aliases.iter().map(one), ", "));
    }
    if !a.matches.is_empty() {
        fact("Must match", each(&a.matches, " and ", Phrase::Code));
    }
    if !a.failures.is_empty() {
        fact("Fails with", each(&a.failures, "; ", Phrase::Prose));
    }
    match &a.default {
        Some(DefaultDoc::Value { text, .. }) => fact("Default", vec![Phrase::Code(text.clone())]),
        Some(DefaultDoc::Computed { values }) => fact("Default", computed(values)),
        None => {}
    }
    if a.array_matching == Some("all") {
        fact("Array matching", vec![words("all")]);
    }
    if let Some(how) = a.compare.filter(|how| *how != "exact") {
        fact("Compared by", vec![words(if how.ends_with("block") { format!("its own {how}") } else { how.to_owned() })]);
    }
    if !a.required_features.is_empty() {
        let mut pieces = vec![words(if a.required_features.len() == 1 { "the feature " } else { "the features " })];
        pieces.extend(each(&a.required_features, " and ", Phrase::Feature));
        fact("Needs", pieces);
    }
    facts
}

/// Returns the possible values of a computed default.
fn computed(values: &[String]) -> Vec<Phrase> {
    if values.is_empty() {
        return vec![words("computed")];
    }
    let one = |value: &String| vec![if value == "nil" { words("none") } else { Phrase::Code(value.clone()) }];
    let mut pieces = joined(values.iter().map(one), " or ");
    pieces.push(words(", computed"));
    pieces
}

fn value(value: &ValueDoc) -> Vec<Phrase> {
    let what = value.value.as_deref().or(value.pattern.as_deref()).unwrap_or_default();
    let mut pieces = vec![Phrase::Code(what.to_owned())];
    if !value.required_features.is_empty() {
        pieces.push(words(" (needs "));
        pieces.extend(each(&value.required_features, " and ", Phrase::Feature));
        pieces.push(words(")"));
    }
    pieces
}

/// Returns the facts about a resource's identity; empty if the title is simply the namevar.
pub(super) fn identity(doc: &TypeDoc) -> Vec<Fact> {
    let mut facts = Vec::new();
    if doc.namevars.len() > 1 {
        let mut pieces = each(&doc.namevars, ", ", Phrase::Attribute);
        pieces.push(words(" together"));
        facts.push(Fact::new("Identity", pieces));
    }
    for (i, row) in doc.title_patterns.iter().enumerate() {
        let mut pieces = vec![Phrase::Code(row.pattern.clone()), words(" gives ")];
        pieces.extend(each(&row.attributes, ", ", Phrase::Attribute));
        facts.push(Fact::new(if i == 0 { "Titles" } else { "    or" }, pieces));
    }
    if !doc.isomorphic {
        facts.push(Fact::new("Note", vec![words("several resources may have the same identity")]));
    }
    if !doc.lists_instances {
        facts.push(Fact::new("Note", vec![words("its resources cannot be listed, only named")]));
    }
    facts
}

/// Returns the methods and providers of a feature.
pub(super) fn feature(feature: &FeatureDoc) -> Vec<Fact> {
    let mut facts = Vec::new();
    if !feature.methods.is_empty() {
        facts.push(Fact::new("Methods", each(&feature.methods, ", ", Phrase::Code)));
    }
    let who = if feature.providers.is_empty() { vec![words("no provider")] } else { each(&feature.providers, ", ", Phrase::Provider) };
    facts.push(Fact::new("Had by", who));
    facts
}

/// Returns the automatic relations of a type.
pub(super) fn relations(doc: &TypeDoc) -> Vec<Fact> {
    let heads = [
        ("autorequire", "Requires automatically"),
        ("autobefore", "Goes automatically before"),
        ("autonotify", "Notifies automatically"),
        ("autosubscribe", "Subscribes automatically to"),
    ];
    let of = |kind: &str| doc.auto_relations.iter().filter(|r| r.kind == kind).map(|r| vec![Phrase::Type(r.target.clone())]).collect();
    heads
        .iter()
        .map(|(kind, head)| (*head, of(kind)))
        .filter(|(_, targets): &(_, Vec<_>)| !targets.is_empty())
        .map(|(head, targets)| Fact::new(head, joined(targets, ", ")))
        .collect()
}

/// Returns a provider's requirements and abilities, independent of the machine.
pub(super) fn provider(p: &ProviderDoc) -> Vec<Fact> {
    let command = |c: &CommandDoc| {
        let missing = p.here.is_some() && c.path.is_none();
        let note = missing.then(|| words(" (not installed)"));
        std::iter::once(Phrase::Code(c.command.clone())).chain(note).collect::<Vec<_>>()
    };
    let commands = |all: &[CommandDoc]| joined(all.iter().map(command), ", ");
    let sets = |all: &[String]| joined(all.iter().map(|s| vec![Phrase::Prose(s.clone())]), "; or ");
    let parent: Vec<String> = p.parent.iter().cloned().collect();
    let facts = vec![
        Fact::new(
            "Takes the rest from",
            each(&parent, ", ", if parent.iter().any(|p| p.contains('/')) { Phrase::Code } else { Phrase::Provider }),
        ),
        Fact::new("Commands", commands(&p.commands)),
        Fact::new("Optional commands", commands(&p.optional_commands)),
        Fact::new("Only where", joined(p.confines.iter().map(|c| vec![Phrase::Prose(c.condition.clone())]), ", ")),
        Fact::new("Preferred where", sets(&p.defaultfor)),
        Fact::new("Not preferred where", sets(&p.notdefaultfor)),
        Fact::new("Features", each(&p.features, ", ", Phrase::Feature)),
    ];
    facts.into_iter().filter(|f| !f.pieces.is_empty()).collect()
}
