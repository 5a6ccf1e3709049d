//! Translates `Puppet::Type.type(:x).provide(:name) do … end` to a provider: its file, its parent, and its position among the
//! others.

use super::block::{TypeScope, Untranslated};
use super::class::{Classes, Parent, RubyClass, parent_of, top, type_named};
use super::files::RubyFiles;
use super::fold::fold;
use super::platform::{Presence, presence};
use super::provider_body::{BodyTranslator, DEFAULT};
use super::provider_facts::ProviderFacts;
use super::ruby::{self, ByteRange, is_word, name};
use super::type_decl::{Fragment, TypeDeclaration};
use rtype_lang::library::standard;
use rtype_lang::source::Source;
use rtype_lang::types::builtin::PLATFORM_FEATURES;
use ruby_prism::{CallNode, Node};
use std::sync::Arc;

/// Class methods that rank the providers of a type.
const COMPARING: &[&str] = &["default?", "default_match", "some_default_match", "specificity"];

/// Class methods that return whether a provider is suitable, and its features.
const ANSWERING: &[&str] = &[
    "confine_collection",
    "declared_feature?",
    "fact_match",
    "feature?",
    "feature_match",
    "features",
    "satisfies?",
    "suitable?",
    "supports_parameter?",
];

/// Maximum nesting of a `provide` call in modules and branches.
const MAX_DEPTH: usize = 8;

/// An imported provider.
#[derive(Debug)]
pub struct ProviderDraft {
    /// Name of the provider.
    pub name: String,
    /// Name of its type.
    pub of: String,
    /// Its parent, as named in the language.
    pub parent: Option<String>,
    /// The provider that its resources are listed as.
    pub listed_as: Option<String>,
    /// Its directives, as children.
    pub piece: Fragment,
    /// Platform features to declare before the type, each with the index of the directive that uses it.
    pub before: Vec<(String, usize)>,
    /// Reasons that concern the provider as a whole.
    pub left: Vec<Untranslated>,
    /// Comments before it.
    pub notes: Vec<String>,
    /// The text that it was read from.
    pub source: Arc<Source>,
    /// Its Ruby class.
    pub class: RubyClass,
    /// Methods that it or its classes override, unless they became settings.
    pub replaced: Vec<String>,
    /// Why it does not do what its parent does with other settings.
    pub differs: Option<String>,
}

/// A call of `provide`.
pub struct ProvideCall<'p> {
    /// Name of the type.
    pub of: String,
    /// Name of the provider.
    pub name: String,
    /// The superclass.
    pub parent: Option<Parent>,
    /// The option `source: :other`.
    pub source: Option<String>,
    /// The default file of a provider of a table.
    pub default_target: Option<Node<'p>>,
    /// The statements in its block.
    pub body: Vec<Node<'p>>,
    /// Location of its name.
    pub at: ByteRange,
    /// Location of the whole call.
    pub whole: ByteRange,
    /// Whether it is in a branch.
    pub is_conditional: bool,
}

/// What is known about the type of the providers.
pub struct ProvidedType<'a> {
    /// Name of the type.
    pub name: &'a str,
    /// The names available to its blocks.
    pub scope: &'a TypeScope,
    /// Its attributes.
    pub attributes: &'a [String],
    /// Its features with their methods; `None` if they are not known.
    pub features: Option<&'a [(String, Vec<String>)]>,
    /// What its blocks call of the provider.
    pub calls: &'a ProviderCalls,
    /// What the evaluation of its providers has found.
    pub facts: &'a [ProviderFacts],
}

/// Returns the providers of a type that a file declares.
pub fn calls_of<'p>(nodes: &[Node<'p>], of: &str) -> Vec<ProvideCall<'p>> {
    calls(nodes).into_iter().filter(|c| c.of == of).collect()
}

/// Returns the providers that a file declares.
pub fn calls<'p>(nodes: &[Node<'p>]) -> Vec<ProvideCall<'p>> {
    let mut out = Vec::new();
    walk(nodes, None, false, 0, &mut out);
    out
}

/// `of` is the type whose block the nodes are in.
fn walk<'p>(nodes: &[Node<'p>], of: Option<&str>, is_conditional: bool, depth: usize, out: &mut Vec<ProvideCall<'p>>) {
    if depth > MAX_DEPTH {
        return;
    }
    for node in nodes {
        if let Some(module) = node.as_module_node() {
            walk(&ruby::statements(module.body()), of, is_conditional, depth + 1, out);
        } else if let Some(branch) = node.as_if_node() {
            walk(&ruby::statements(branch.statements().map(|s| s.as_node())), of, true, depth + 1, out);
        } else if let Some(branch) = node.as_unless_node() {
            walk(&ruby::statements(branch.statements().map(|s| s.as_node())), of, true, depth + 1, out);
        } else if let Some(begin) = node.as_begin_node() {
            walk(&ruby::statements(begin.statements().map(|s| s.as_node())), of, is_conditional, depth + 1, out);
        } else if let Some(call) = node.as_call_node() {
            if let Some(declared) = declared_type(&call) {
                let body = ruby::block(&call).map(|b| ruby::statements(b.body())).unwrap_or_default();
                walk(&body, Some(&declared), is_conditional, depth + 1, out);
            }
            out.extend(provide(&call, of, is_conditional));
        }
    }
}

/// Returns the type that `Puppet::Type.newtype(:x)` declares.
fn declared_type(call: &CallNode<'_>) -> Option<String> {
    let of_types = call.receiver().as_ref().and_then(ruby::constant).is_some_and(|of| of == "Type" || of.ends_with("::Type"));
    let plain = ruby::arguments(call.arguments()).0;
    plain
        .first()
        .filter(|_| of_types && name(&call.name()) == "newtype")
        .and_then(|named| ruby::symbol(named).or_else(|| ruby::text(named)))
}

fn provide<'p>(call: &CallNode<'p>, of: Option<&str>, is_conditional: bool) -> Option<ProvideCall<'p>> {
    if name(&call.name()) != "provide" {
        return None;
    }
    let of = match call.receiver().filter(|r| r.as_self_node().is_none()) {
        Some(receiver) => type_named(&receiver)?,
        None => of?.to_owned(),
    };
    let (plain, mut named) = ruby::arguments(call.arguments());
    let (first, rest) = plain.split_first()?;
    // Options may be in braces.
    named.extend(rest.iter().filter_map(Node::as_hash_node).filter_map(|h| ruby::pairs(&h.elements())).flatten());
    let mut parent = None;
    let (mut source, mut default_target) = (None, None);
    for (key, value) in named {
        match ruby::symbol(&key).as_deref() {
            Some("parent") => parent = Some(parent_of(&value, Some(&of))),
            Some("source") => source = ruby::symbol(&value).or_else(|| ruby::text(&value)),
            Some("default_target") => default_target = Some(value),
            _ => {}
        }
    }
    let named_by = ruby::symbol(first).or_else(|| ruby::text(first))?;
    let body = ruby::block(call).map(|b| ruby::statements(b.body())).unwrap_or_default();
    let whole = ruby::place(&call.as_node());
    Some(ProvideCall { of, name: named_by, parent, source, default_target, body, at: ruby::place(first), whole, is_conditional })
}

/// Returns the providers of a type in the order in which Puppet loads them, and the errors in their files.
pub fn of_type(owner: &ProvidedType<'_>, files: &mut dyn RubyFiles) -> (Vec<ProviderDraft>, Vec<(Arc<Source>, Untranslated)>) {
    let folder = format!("puppet/provider/{}", owner.name);
    let mut waiting: Vec<String> = files.list(&folder);
    waiting.reverse();
    let mut loader = Loader { owner, folder, open: Vec::new(), providers: Vec::new(), wrong: Vec::new() };
    while let Some(file) = waiting.pop() {
        loader.load(&file, files);
    }
    (loader.providers, loader.wrong)
}

/// Returns the providers of the owner's type in one file.
pub fn in_file(source: &Arc<Source>, owner: &ProvidedType<'_>, files: &mut dyn RubyFiles) -> Vec<ProviderDraft> {
    let parsed = ruby_prism::parse(source.text().as_bytes());
    let nodes = top(&parsed);
    calls_of(&nodes, owner.name).into_iter().map(|call| read(source, &nodes, call, owner, files)).collect()
}

struct Loader<'a> {
    owner: &'a ProvidedType<'a>,
    folder: String,
    open: Vec<String>,
    providers: Vec<ProviderDraft>,
    wrong: Vec<(Arc<Source>, Untranslated)>,
}

impl Loader<'_> {
    /// Loads a file once, after parents of the same type.
    fn load(&mut self, file: &str, files: &mut dyn RubyFiles) {
        if self.open.iter().any(|o| o == file) || self.open.len() > 1000 {
            return;
        }
        self.open.push(file.to_owned());
        let Some(source) = files.read(&format!("{}/{file}", self.folder)) else { return };
        let parsed = ruby_prism::parse(source.text().as_bytes());
        if parsed.errors().next().is_some() {
            self.wrong
                .push((Arc::clone(&source), Untranslated { text: "Ruby syntax error in the file of this provider".into(), at: 0..0 }));
            return;
        }
        let nodes = top(&parsed);
        let found = calls_of(&nodes, self.owner.name);
        if found.is_empty() && source.text().contains(".provide") {
            self.wrong
                .push((Arc::clone(&source), Untranslated { text: "how this provider is declared is not understood".into(), at: 0..0 }));
        }
        for call in found {
            if let Some(Parent::Provider(of, parent)) = &call.parent
                && of == self.owner.name
                && !self.providers.iter().any(|p| p.name == *parent)
            {
                self.load(&format!("{parent}.rb"), files);
            }
            let provider = read(&source, &nodes, call, self.owner, files);
            // The last definition of a provider replaces earlier ones.
            self.providers.retain(|p| p.name != provider.name);
            self.providers.push(provider);
        }
    }
}

fn read(
    source: &Arc<Source>,
    nodes: &[Node<'_>],
    call: ProvideCall<'_>,
    owner: &ProvidedType<'_>,
    files: &mut dyn RubyFiles,
) -> ProviderDraft {
    let parent = call.parent.clone();
    let facts = owner.facts.iter().find(|facts| facts.are_of(owner.name, &call.name, source));
    let mut class = Classes { files, attributes: owner.attributes }.class(&call.body, nodes, parent);
    if let Some(facts) = facts {
        class.extend(&facts.methods, facts.is_complete);
    }
    let mut body = BodyTranslator::new(source.text(), owner, &class, &call.name);
    body.facts = facts;
    body.read(nodes, &call);
    let BodyTranslator { mut pieces, mut before, platforms, mut left, mut replaced, .. } = body;
    for (feature, at) in platforms.into_iter().filter(|(feature, _)| is_word(feature) && !PLATFORM_FEATURES.contains(&feature.as_str())) {
        let text = match presence(&feature, files) {
            Presence::Always => format!("feature {feature}, \"Libraries of Ruby's standard distribution.\" {{ true }}"),
            Presence::Never => format!("feature {feature}, \"Gems, which native providers cannot load.\" {{ false }}"),
            Presence::Unknown => {
                if let Some(piece) = pieces.get_mut(at) {
                    let text = format!("whether a machine has the platform feature `{feature}` is not known");
                    piece.residue = Some(Untranslated { text, at: piece.at.clone() });
                    "confine".clone_into(&mut piece.kept);
                }
                continue;
            }
        };
        before.push((text, at));
    }
    let mut parent = class.provider.as_ref().map(|(of, p)| if of == owner.name { p.clone() } else { format!("{of}/{p}") });
    let mut differs = None;
    let mut notes = Vec::new();
    let is_own_parent = class.provider.as_ref().is_some_and(|(of, _)| standard(of).is_some());
    let is_direct = replaced.is_empty() && is_own_parent;
    let folded = if is_direct { None } else { fold(owner, &call.name, source, call.parent.clone(), files) };
    match folded {
        Some(Ok(folded)) => {
            let is_replaced = |piece: &Fragment| folded.has(piece.text.split(' ').next().unwrap_or_default());
            pieces.retain(|piece| piece.residue.is_some() || !is_replaced(piece));
            let at = call.whole.clone();
            pieces.extend(folded.directives.into_iter().map(|text| Fragment { at: at.clone(), text, ..Fragment::default() }));
            parent = Some(folded.parent);
            replaced.clear();
        }
        Some(Err(reason)) if is_own_parent => differs = Some(reason),
        Some(Err(reason)) => notes.push(format!("It is not bound to native code: {}.", reason.replace('\n', " "))),
        None => {}
    }
    let mut listed_as = call.source;
    if listed_as.as_ref().is_some_and(|s| !is_word(s)) {
        left.push(Untranslated { text: "the name of its `source` cannot be written".into(), at: call.at.clone() });
        listed_as = None;
    }
    ProviderDraft {
        name: call.name,
        of: call.of,
        parent,
        listed_as,
        piece: Fragment { children: pieces, at: call.whole, ..Fragment::default() },
        before,
        left,
        notes,
        source: Arc::clone(source),
        class,
        replaced,
        differs,
    }
}

impl ProviderDraft {
    /// Formats `provider NAME, for: TYPE, …`.
    pub fn head(&self) -> String {
        let mut head = format!("provider {}, for: {}", self.name, self.of);
        match &self.parent {
            Some(parent) if parent.contains('/') => head.push_str(&format!(", parent: \"{parent}\"")),
            Some(parent) => head.push_str(&format!(", parent: {parent}")),
            None => {}
        }
        if let Some(other) = &self.listed_as {
            head.push_str(&format!(", source: {other}"));
        }
        head
    }

    /// Removes the parent of a provider whose class overrides everything that it would inherit.
    pub fn drop_parent(&mut self) {
        let Some(parent) = self.parent.take() else { return };
        let replaced: Vec<String> = self.replaced.iter().take(3).map(|m| format!("`{m}`")).collect();
        let more = if self.replaced.len() > 3 { ", …" } else { "" };
        let why = self.differs.take().map(|why| format!(" It does something else: {}.", why.replace('\n', " "))).unwrap_or_default();
        self.notes.push(format!(
            "Its code is its own: in Ruby it builds upon `{parent}`, of which it replaces {}{more}.{why}",
            replaced.join(", ")
        ));
    }

    /// Returns the type of its parent, if it is a different one.
    pub fn foreign(&self) -> Option<&str> {
        self.parent.as_ref()?.split_once('/').map(|(of, _)| of)
    }
}

/// Leaves providers in Ruby whose class replaces the methods with which Puppet selects a provider.
pub fn leave_replaced(providers: &mut [ProviderDraft]) {
    for provider in providers {
        let methods = COMPARING.iter().map(|method| (method, DEFAULT)).chain(ANSWERING.iter().map(|method| (method, "confine")));
        for (method, kept) in methods.filter(|(method, _)| provider.class.of_class.contains(**method)) {
            let at = provider.piece.at.start..provider.piece.at.start;
            let text = format!("the method `{method}` of the class is replaced");
            let residue = Some(Untranslated { text, at: at.clone() });
            provider.piece.children.push(Fragment { at, kept: kept.into(), residue, blocks: 1, ..Fragment::default() });
        }
    }
}

/// Sorts providers so that the first one takes precedence. In Puppet, a class with more ancestor classes does, whereas the language
/// counts providers. Differences that no order can express are reported.
pub fn in_order(providers: &mut [ProviderDraft]) {
    let depths: Vec<usize> = providers.iter().map(|p| depth(p, providers)).collect();
    let classes: Vec<usize> = providers.iter().map(|p| p.class.depth).collect();
    let pairs = || (0..classes.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    // In Puppet the later one takes precedence, here the earlier one.
    if pairs().any(|(i, j)| classes.get(i) < classes.get(j) && depths.get(i) >= depths.get(j)) {
        providers.sort_by_key(|p| std::cmp::Reverse(p.class.depth));
    }
    let depths: Vec<usize> = providers.iter().map(|p| depth(p, providers)).collect();
    let shadowed = |first: &ProviderDraft| Untranslated {
        text: format!("in Puppet it does not go before `{}`, which builds upon as many classes", first.name),
        at: first.piece.at.clone(),
    };
    let mut wrong = Vec::new();
    for (j, _) in depths.iter().enumerate() {
        let before = (0..j).find(|i| depths.get(*i) < depths.get(j));
        if let Some(first) = before.and_then(|i| providers.get(i))
            && providers.get(j).is_some_and(|p| p.class.depth <= first.class.depth)
        {
            wrong.push((j, shadowed(first)));
        }
    }
    for (j, reason) in wrong {
        if let Some(provider) = providers.get_mut(j).filter(|p| !p.left.iter().any(|l| l.text == reason.text)) {
            let at = provider.piece.at.clone();
            provider.left.push(Untranslated { at, ..reason });
        }
    }
}

/// Returns the number of ancestor providers, as counted by the language.
impl ProvidedType<'_> {
    /// Returns whether Puppet defines a method for every provider: what asks for features.
    pub fn is_of_every_provider(&self, method: &str) -> bool {
        let features = self.features.unwrap_or_default();
        matches!(method, "features" | "satisfies?" | "feature?" | "supports_parameter?" | "declared_feature?")
            || method.strip_suffix('?').is_some_and(|bare| features.iter().any(|(feature, _)| feature == bare))
    }
}

fn depth(provider: &ProviderDraft, all: &[ProviderDraft]) -> usize {
    let next = |p: &&ProviderDraft| all.iter().find(|other| Some(&other.name) == p.parent.as_ref());
    std::iter::successors(Some(provider), next).take(16).map(|p| 1 + usize::from(p.foreign().is_some())).sum()
}

impl TypeDeclaration {
    /// Returns what its blocks call of the provider.
    pub fn provider_calls(&self) -> ProviderCalls {
        let mut calls = ProviderCalls::default();
        self.before.iter().chain(&self.body).for_each(|piece| calls.look(piece, 0));
        calls
    }
}

/// What the blocks of a type call of its provider.
#[derive(Default)]
pub struct ProviderCalls {
    /// Methods that its value blocks call.
    pub asked: Vec<String>,
    /// Methods that its action blocks call.
    pub acted: Vec<String>,
    /// Methods and features of which its blocks ask whether the provider has them.
    pub named: Vec<String>,
}

impl ProviderCalls {
    fn look(&mut self, piece: &Fragment, depth: usize) {
        let word = piece.text.split(' ').next();
        if word == Some("desc") || piece.residue.is_some() || depth > 4 {
            return;
        }
        let acts = matches!(word, Some("sync" | "refresh" | "newvalue"));
        for (at, _) in piece.text.match_indices("provider.") {
            let before = piece.text.get(..at).and_then(|t| t.chars().next_back());
            let behind = piece.text.get(at + "provider.".len()..).unwrap_or_default();
            let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(behind.len());
            let end = if behind.get(end..).is_some_and(|r| r.starts_with('?')) { end + 1 } else { end };
            let method = behind.get(..end).unwrap_or_default();
            let is_whole = !before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
            let (out, found) = match behind.get(end..).and_then(|rest| rest.strip_prefix("(:")).filter(|_| method == "has?") {
                Some(name) => (&mut self.named, name.split(')').next().unwrap_or_default()),
                None if acts => (&mut self.acted, method),
                None => (&mut self.asked, method),
            };
            if is_whole && is_word(found.trim_end_matches('?')) && !out.iter().any(|m| m == found) {
                out.push(found.to_owned());
            }
        }
        piece.children.iter().for_each(|c| self.look(c, depth + 1));
    }
}
