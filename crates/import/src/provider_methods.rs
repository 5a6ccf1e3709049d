//! Translates the methods of a provider's class: features, settings, queries.

use super::block::BlockTranslator;
use super::literals::Literals;
use super::provider_body::{BodyTranslator, CODE, TAKEN, words};
use super::ruby::{self, is_word, name};
use super::type_decl::Fragment;
use rtype_lang::syntax::quote;
use ruby_prism::{DefNode, Node};
use std::collections::{BTreeMap, BTreeSet};

/// Writes the methods of a feature. A provider that reads a property also writes it here; whether a provider in Ruby has the feature is
/// known from its own methods.
pub(super) fn methods_of_feature(methods: &[String]) -> String {
    let mut known = BTreeSet::new();
    let readers = methods.iter().map(|m| m.strip_suffix('=').unwrap_or(m)).filter(|m| known.insert(*m));
    let written = readers.map(|m| if is_word(m.strip_suffix('?').unwrap_or(m)) { m.to_owned() } else { quote(m) });
    written.collect::<Vec<_>>().join(", ")
}

impl BodyTranslator<'_> {
    /// Merges consecutive feature declarations.
    pub(super) fn merge_features(&mut self) {
        if self.owner.features.is_none() || !self.before.is_empty() {
            return;
        }
        let mut merged: Vec<Fragment> = Vec::new();
        for piece in std::mem::take(&mut self.pieces) {
            match (merged.last_mut(), piece.text.strip_prefix("has_feature ")) {
                (Some(last), Some(feature)) if last.text.starts_with("has_feature") => {
                    let all = last.text.split_once(' ').map(|(_, all)| all.to_owned()).unwrap_or_default();
                    last.text = format!("has_features {all}, {feature}");
                }
                _ => merged.push(piece),
            }
        }
        self.pieces = merged;
    }

    /// Declares features that the class has because of its methods.
    pub(super) fn features(&mut self) {
        let claimed: BTreeSet<String> = self
            .pieces
            .iter()
            .filter(|p| p.text.starts_with("has_feature"))
            .flat_map(|p| p.text.split([' ', ',']).map(str::to_owned))
            .collect();
        let had = |(feature, methods): &&(String, Vec<String>)| {
            !claimed.contains(feature) && !methods.is_empty() && methods.iter().all(|m| self.class.answers(m))
        };
        let had: Vec<String> = self.owner.features.unwrap_or_default().iter().filter(had).map(|(f, _)| f.clone()).collect();
        if !had.is_empty() {
            let word = if had.len() == 1 { "has_feature" } else { "has_features" };
            self.pieces.push(Fragment { text: format!("{word} {}", had.join(", ")), ..Fragment::default() });
        }
    }

    /// Translates methods that return a constant or a value of the resource to settings.
    pub(super) fn settings(&mut self, body: &[Node<'_>]) {
        let mut settings: BTreeMap<String, String> = BTreeMap::new();
        // Declare all settings, not only those that the type's blocks read, for child providers, and for providers of a type without
        // attributes, which exist to be inherited from.
        let all = self.class.provider.is_some() || self.owner.attributes.is_empty() && self.owner.features.is_some();
        let defs: Vec<DefNode<'_>> = body.iter().filter_map(Node::as_def_node).collect();
        let of_class = |wanted: &str| defs.iter().find(|d| d.receiver().is_some() && name(&d.name()) == wanted);
        for def in &defs {
            let method = name(&def.name());
            let is_code = CODE.contains(&method.as_str()) || self.owner.attributes.contains(&method);
            let is_setting = is_word(&method) && !TAKEN.contains(&method.as_str()) && def.parameters().is_none() && !is_code;
            // Instance methods that only call the class method of the same name.
            let code = if def.receiver().is_none() && asks_class(def, &method) { of_class(&method).unwrap_or(def) } else { def };
            let answered = self.class.answers(&method) || def.receiver().is_some();
            let by_feature = def.receiver().is_some() && self.owner.features.unwrap_or_default().iter().any(|(_, m)| m.contains(&method));
            if is_setting
                && (all || self.owner.calls.asked.contains(&method))
                && answered
                && !by_feature
                && let Some(value) = self.setting(code)
            {
                settings.entry(method).or_insert(value);
            }
        }
        self.replaced = self.replaced(&settings);
        for def in &defs {
            if let Some(value) = settings.remove(&name(&def.name())) {
                let text = format!("{} {value}", name(&def.name()));
                self.pieces.push(Fragment { at: ruby::place(&def.as_node()), text, ..Fragment::default() });
            }
        }
    }

    /// Translates `default_target: "/etc/hosts"`: a string, or the value of locals.
    pub(super) fn default_target(&mut self, value: &Node<'_>) {
        let text = match self.literals(value) {
            Some(Literals { text, patterns: false }) if text.starts_with('"') => Ok(text),
            _ => self.single(value).and_then(|code| self.with_locals(code)),
        };
        if let Ok(text) = text {
            self.pieces.push(Fragment { text: format!("default_target {text}"), ..Fragment::default() });
        }
    }

    /// Translates `def self.default_target`, which computes the file.
    pub(super) fn default_target_method(&mut self, body: &[Node<'_>]) {
        let mut defs = body.iter().filter_map(Node::as_def_node);
        let def = defs.find(|d| name(&d.name()) == "default_target" && d.receiver().is_some() && d.parameters().is_none());
        let is_set = self.pieces.iter().any(|p| p.text.starts_with("default_target "));
        if let Some(def) = def.filter(|_| !is_set) {
            let code = BlockTranslator::new(self.owner.scope, self.source, None).whole(&[], ruby::statements(def.body()));
            if let Ok(code) = code {
                self.pieces.push(Fragment {
                    at: ruby::place(&def.as_node()),
                    text: format!("default_target {code}"),
                    ..Fragment::default()
                });
            }
        }
    }

    /// Returns the methods that override those of the parent provider.
    fn replaced(&self, settings: &BTreeMap<String, String>) -> Vec<String> {
        let of_parent = |m: &&String| {
            let attribute = m.strip_suffix('=').unwrap_or(m);
            let of_all = CODE.contains(&m.as_str()) || self.owner.attributes.iter().any(|a| a == attribute);
            of_all || self.class.beyond.is_empty() || self.class.beyond.contains(*m)
        };
        self.class.own.iter().filter(|m| !settings.contains_key(*m)).filter(of_parent).cloned().collect()
    }

    fn setting(&self, def: &DefNode<'_>) -> Option<String> {
        let body = ruby::statements(def.body());
        let [only] = body.as_slice() else { return None };
        if let Some(text) = ruby::text(only) {
            return Some(quote(&text));
        }
        let code = self.single(only).ok()?;
        let mut attributes = code.split("self.").skip(1).filter_map(|rest| words(rest).next());
        let is_known = |a: &str| a == "name" || self.owner.attributes.iter().any(|known| known == a);
        let reads = code.contains("self.") && attributes.all(is_known);
        (reads && !code.contains("provider")).then(|| format!("{{ {code} }}"))
    }

    /// Declares the methods that blocks of the type call and the class has.
    pub(super) fn queries(&mut self) {
        // Queries may also be called in action blocks.
        let others = self.owner.calls.acted.iter().chain(&self.owner.calls.named);
        let (questions, deeds): (Vec<&String>, Vec<&String>) = others.partition(|m| m.ends_with('?'));
        let questions: Vec<&String> = questions.into_iter().filter(|m| !self.owner.calls.asked.contains(*m)).collect();
        let methods = |m: &&String| {
            let features = self.owner.features.unwrap_or_default();
            let has = |methods: &[String]| methods.iter().all(|m| self.class.answers(m));
            let by_feature = features.iter().any(|(_, methods)| methods.contains(*m) && has(methods));
            let is_claimed = self.class.own.contains(*m) || !self.owner.is_of_every_provider(m);
            let is_setting = self.pieces.iter().any(|p| p.text.split(' ').next() == Some(m.as_str()));
            // Methods of a parent of the same type are inherited, whether settings or queries.
            let inherits = self.class.provider.as_ref().is_some_and(|(of, _)| of == self.owner.name) && !self.class.own.contains(*m);
            (self.class.answers(m) || self.class.of_class.contains(*m))
                && !inherits
                && (m.as_str() == "exists?" || !CODE.contains(&m.as_str()))
                && !by_feature
                && is_claimed
                && !is_setting
                && (!self.owner.attributes.contains(*m) || self.owner.calls.named.contains(*m))
        };
        let asked: Vec<String> = self.owner.calls.asked.iter().chain(questions).filter(methods).cloned().collect();
        let mut done: Vec<String> = deeds.into_iter().filter(methods).filter(|m| !asked.contains(m)).cloned().collect();
        let mut known = BTreeSet::new();
        done.retain(|m| known.insert(m.clone()));
        if !done.is_empty() {
            self.pieces.push(Fragment { text: format!("actions [{}]", done.join(", ")), ..Fragment::default() });
        }
        if !asked.is_empty() {
            self.pieces.push(Fragment { text: format!("queries [{}]", asked.join(", ")), ..Fragment::default() });
        }
    }
}

/// Recognizes `def x; self.class.x; end`.
fn asks_class(def: &DefNode<'_>, method: &str) -> bool {
    let body = ruby::statements(def.body());
    let [only] = body.as_slice() else { return false };
    let Some(call) = only.as_call_node().filter(|c| name(&c.name()) == method && c.arguments().is_none()) else { return false };
    let class = call.receiver().and_then(|r| r.as_call_node()).filter(|c| name(&c.name()) == "class");
    class.is_some_and(|c| c.receiver().is_some_and(|r| r.as_self_node().is_some()))
}
