//! Translates the directives of a provider, and methods that become settings.

use super::block::{AttributeContext, BlockTranslator, Text, Untranslated};
use super::class::RubyClass;
use super::context::Caller;
use super::literals::{has_capital, key_word};
use super::provider::{ProvideCall, ProvidedType};
use super::provider_branches::known_test;
use super::provider_facts::ProviderFacts;
use super::provider_locals::ClassFunction;
use super::ruby::{self, ByteRange, description, name};
use super::type_decl::Fragment;
use rtype_lang::syntax::quote;
use ruby_prism::{CallNode, Node};

/// Words that affect suitability or preference of a provider: code that contains one is never silently dropped.
pub(super) const DECIDING: &[&str] =
    &["commands", "has_command", "optional_commands", "confine", "defaultfor", "notdefaultfor", "has_feature", "has_features"];

/// The directive for code that may make a provider the default.
pub(super) const DEFAULT: &str = "defaultfor";

/// Calls in the body of a provider that do not affect suitability.
const HARMLESS: &[&str] = &[
    "alias_method",
    "attr_accessor",
    "attr_reader",
    "attr_writer",
    "debug",
    "define_method",
    "dochook",
    "extend",
    "include",
    "initvars",
    "mk_resource_methods",
    "option",
    "options",
    "prepend",
    "private",
    "private_class_method",
    "private_constant",
    "protected",
    "public",
    "raise",
    "record_line",
    "require",
    "require_relative",
    "text_line",
    "verify",
    "warning",
];

/// Methods that Puppet calls on every provider: these are code, not settings.
pub(super) const CODE: &[&str] = &[
    "create",
    "destroy",
    "exists?",
    "flush",
    "initialize",
    "instances",
    "prefetch",
    "post_resource_eval",
    "clear",
    "command",
    "get",
    "set",
    "name",
    "to_s",
    "inspect",
    "query",
    "properties",
    "filetype",
    "header",
    "to_line",
    "parse",
    "print",
    "resource",
    "mode",
];

/// Words that have a meaning in a provider of the language.
pub(super) const TAKEN: &[&str] = &[
    "desc",
    "commands",
    "optional_commands",
    "confine",
    "defaultfor",
    "notdefaultfor",
    "has_feature",
    "has_features",
    "queries",
    "actions",
    "finalize",
    "native",
    "program",
    "records",
    "keyed",
    "command_lines",
    "untranslated",
];

pub struct BodyTranslator<'a> {
    pub(super) source: &'a str,
    pub(super) owner: &'a ProvidedType<'a>,
    /// Name of the provider.
    pub(super) name: &'a str,
    pub(super) class: &'a RubyClass,
    /// Locals around the directives, with their values.
    pub(super) locals: Vec<(String, Result<String, Untranslated>)>,
    /// Constants of the body and class methods without arguments, with what they return.
    pub(super) known: Vec<(String, String)>,
    /// Functions that class methods become.
    pub(super) functions: Vec<ClassFunction>,
    pub pieces: Vec<Fragment>,
    pub before: Vec<(String, usize)>,
    /// Platform features that it needs, each with the index of the directive.
    pub platforms: Vec<(String, usize)>,
    pub left: Vec<Untranslated>,
    pub replaced: Vec<String>,
    /// Starts of parts that the language cannot express.
    pub(super) inexpressible: Vec<usize>,
    /// What the evaluation of the body has found.
    pub facts: Option<&'a ProviderFacts>,
}

impl<'a> BodyTranslator<'a> {
    pub fn new(source: &'a str, owner: &'a ProvidedType<'a>, class: &'a RubyClass, name: &'a str) -> BodyTranslator<'a> {
        BodyTranslator {
            source,
            owner,
            name,
            class,
            locals: Vec::new(),
            known: Vec::new(),
            functions: Vec::new(),
            pieces: Vec::new(),
            before: Vec::new(),
            platforms: Vec::new(),
            left: Vec::new(),
            replaced: Vec::new(),
            inexpressible: Vec::new(),
            facts: None,
        }
    }

    /// Reads the body of a call; locals may be assigned before it.
    pub fn read(&mut self, nodes: &[Node<'_>], call: &ProvideCall<'_>) {
        nodes.iter().for_each(|n| self.local(n));
        if call.is_conditional {
            self.left_for_good(call.at.clone(), "whether it is declared depends on a condition");
        }
        if let Some(unknown) = &self.class.unknown
            && call.parent.is_some()
            && self.is_in_doubt()
        {
            self.left.push(Untranslated { text: format!("what it can do is not known: it builds upon {unknown}"), at: call.at.clone() });
        }
        let has_hook = call.body.iter().filter_map(Node::as_def_node).any(|d| ruby::name(&d.name()) == "inherited");
        if self.class.deciding.contains("inherited") && !has_hook {
            self.left_at(call.at.clone(), DEFAULT, "the method `inherited` of the parent class decides whether the provider is suitable");
        }
        self.note_known(&call.body);
        for node in &call.body {
            let from = self.pieces.len();
            self.directive(node);
            self.settle_by_facts(node, from);
        }
        self.called_functions();
        self.merge_features();
        self.features();
        self.settings(&call.body);
        if self.owner.calls.asked.iter().any(|m| m == "default_target") {
            if let Some(target) = &call.default_target {
                self.default_target(target);
            }
            self.default_target_method(&call.body);
        }
        self.queries();
    }

    /// Returns whether a feature of the type depends on methods that may be defined in unreadable files.
    fn is_in_doubt(&self) -> bool {
        let features = self.owner.features.unwrap_or_default();
        features.iter().any(|(_, methods)| !methods.is_empty() && !methods.iter().all(|m| self.class.answers(m)))
    }

    fn slice(&self, place: &ByteRange) -> &'a str {
        self.source.get(place.clone()).unwrap_or_default()
    }

    pub(super) fn ready(&mut self, node: &Node<'_>, text: String) {
        self.pieces.push(Fragment { at: ruby::place(node), text, ..Fragment::default() });
    }

    /// Records an untranslated part; `confine` and `defaultfor` make the provider unsuitable.
    pub(super) fn left_at(&mut self, at: ByteRange, kept: &str, reason: impl Into<String>) {
        let residue = Some(Untranslated { text: reason.into(), at: at.clone() });
        self.pieces.push(Fragment { at, kept: kept.to_owned(), residue, blocks: usize::from(!kept.is_empty()), ..Fragment::default() });
    }

    /// Records a part that the language cannot express, even if its values are known.
    fn left_for_good(&mut self, at: ByteRange, reason: &str) {
        self.inexpressible.push(at.start);
        self.left_at(at, DEFAULT, reason);
    }

    pub(super) fn refused(&mut self, node: &Node<'_>, reason: Untranslated) {
        let at = ruby::place(node);
        let residue = Some(reason);
        self.pieces.push(Fragment { at, kept: "confine".into(), residue, blocks: 1, ..Fragment::default() });
    }

    pub(super) fn single(&self, node: &Node<'_>) -> Result<String, Untranslated> {
        match self.known_code(node) {
            Some(code) => Ok(code),
            None => self.in_body(|block| block.single(node)),
        }
    }

    /// Translates code of the body, which may call the class methods that have become functions.
    pub(super) fn in_body(&self, translate: impl FnOnce(&mut BlockTranslator<'_>) -> Text) -> Text {
        let context = AttributeContext { is_module: !self.functions.is_empty(), ..AttributeContext::default() };
        let function_of = |of: &Caller<'_>, method: &str| match of {
            Caller::Own | Caller::OwnClass => self.function_named(method),
            Caller::Module(place) => self.function_named(&format!("{}.{method}", self.slice(place))),
        };
        let block = BlockTranslator::new(self.owner.scope, self.source, Some(&context));
        translate(&mut block.folding(&|_, _| None, &function_of))
    }

    fn directive(&mut self, node: &Node<'_>) {
        if node.as_local_variable_write_node().is_some() && !decides(self.slice(&ruby::place(node))) {
            self.local(node);
            return;
        }
        if let Some(write) = node.as_instance_variable_write_node() {
            if name(&write.name()) == "@doc" {
                self.desc(node, Some(write.value()));
            }
            return;
        }
        if node.as_def_node().is_some() {
            return;
        }
        let own = node.as_call_node().filter(|c| c.receiver().is_none_or(|r| r.as_self_node().is_some()));
        let Some(call) = own else {
            if let Some(branch) = node.as_if_node()
                && let Some(holds) = known_test(&branch.predicate())
            {
                let other = branch.subsequent().and_then(|n| n.as_else_node()).and_then(|e| e.statements());
                let chosen = if holds { branch.statements() } else { other };
                if holds || branch.subsequent().is_none_or(|n| n.as_else_node().is_some()) {
                    ruby::statements(chosen.map(|s| s.as_node())).iter().for_each(|node| self.directive(node));
                    return;
                }
            }
            if self.conditional(node) {
                return;
            }
            self.local(node);
            if decides(self.slice(&ruby::place(node))) {
                let kept = kept_of(self.slice(&ruby::place(node)));
                self.left_at(ruby::place(node), kept, "a condition around directives of a provider is not supported");
            }
            return;
        };
        let method = name(&call.name());
        let (plain, mut named) = ruby::arguments(call.arguments());
        named.extend(plain.iter().filter_map(Node::as_hash_node).filter_map(|h| ruby::pairs(&h.elements())).flatten());
        match method.as_str() {
            "desc" | "doc=" => self.desc(node, plain.into_iter().next()),
            "commands" | "optional_commands" => self.commands(node, &method, &named),
            "has_command" => self.has_command(node, &call, &plain),
            "confine" => self.confine(node, &named),
            "defaultfor" | "notdefaultfor" => self.defaultfor(node, &method, &named),
            "has_feature" | "has_features" => self.has_feature(node, &plain),
            _ if HARMLESS.contains(&method.as_str()) => {}
            _ => {
                let slice = self.slice(&ruby::place(node));
                if decides(slice) || self.class.deciding.contains(&method) {
                    let kept = if self.class.deciding.contains(&method) { DEFAULT } else { kept_of(slice) };
                    self.left_at(ruby::place(node), kept, format!("`{method}` decides whether it works here"));
                } else if !self.class.of_class.contains(&method) {
                    self.left_at(ruby::place(node), DEFAULT, format!("`{}` is not understood", ruby::first_line(slice)));
                }
            }
        }
    }

    fn desc(&mut self, node: &Node<'_>, text: Option<Node<'_>>) {
        match text.as_ref().and_then(ruby::text) {
            Some(text) => self.ready(node, format!("desc {}", description(&text))),
            None => self.left_at(ruby::place(node), "", "the description is computed"),
        }
    }

    fn commands(&mut self, node: &Node<'_>, word: &str, named: &[(Node<'_>, Node<'_>)]) {
        if named.is_empty() {
            return self.left_at(ruby::place(node), "confine", "these commands are computed");
        }
        let mut options = Vec::new();
        for (key, value) in named {
            let program = ruby::text(value)
                .map(|program| quote(&program))
                .or_else(|| self.known_code(value).filter(|code| code.starts_with('"') && code.ends_with('"') && !code.contains("#{")));
            match (ruby::symbol(key).or_else(|| ruby::text(key)), program) {
                (Some(key), Some(program)) => options.push(format!("{}: {program}", key_word(&key))),
                // The program of an optional command does not affect suitability.
                _ if word == "optional_commands" => {}
                _ => match self.coded(value, |program| which(&program)) {
                    Ok(code) => self.block(node, code),
                    Err(reason) => self.refused(node, reason),
                },
            }
        }
        if !options.is_empty() {
            self.ready(node, format!("{word} {}", options.join(", ")));
        }
    }

    /// Translates `has_command(:name, 'path') do is_optional; environment … end`.
    fn has_command(&mut self, node: &Node<'_>, call: &CallNode<'_>, plain: &[Node<'_>]) {
        let inside = ruby::block(call).map(|b| ruby::statements(b.body())).unwrap_or_default();
        let is_optional = inside.iter().filter_map(Node::as_call_node).any(|c| name(&c.name()) == "is_optional");
        let word = |n: &Node<'_>| ruby::symbol(n).or_else(|| ruby::text(n));
        match plain {
            [key, program, ..] if word(key).is_some() && ruby::text(program).is_some() => {
                let directive = if is_optional { "optional_commands" } else { "commands" };
                let (key, program) = (word(key).unwrap_or_default(), ruby::text(program).unwrap_or_default());
                self.ready(node, format!("{directive} {}: {}", key_word(&key), quote(&program)));
            }
            [_, _, ..] if is_optional => {}
            [_, program, ..] => match self.coded(program, |program| which(&program)) {
                Ok(code) => self.block(node, code),
                Err(reason) => self.refused(node, reason),
            },
            _ => self.left_at(ruby::place(node), "confine", "this command is computed"),
        }
    }

    fn defaultfor(&mut self, node: &Node<'_>, word: &str, named: &[(Node<'_>, Node<'_>)]) {
        let mut options = Vec::new();
        for (key, value) in named {
            let key = ruby::symbol(key).or_else(|| ruby::text(key));
            let pattern = |v: &Node<'_>| v.as_regular_expression_node().is_some_and(|r| has_capital(&r));
            let capital = pattern(value) || value.as_array_node().is_some_and(|a| a.elements().iter().any(|e| pattern(&e)));
            match (key, self.literals(value)) {
                _ if capital => {
                    return self.left_for_good(ruby::place(node), "Puppet compares with small letters, which this regex never fits");
                }
                (Some(key), Some(values)) if key != "feature" || !values.text.starts_with('[') => {
                    options.push(format!("{}: {}", key_word(&key), values.text));
                }
                _ => return self.left_at(ruby::place(node), DEFAULT, format!("this `{word}` is computed")),
            }
        }
        if options.is_empty() {
            return self.left_at(ruby::place(node), DEFAULT, format!("this `{word}` is computed"));
        }
        // If several rows match, Puppet uses the first one, and the language the longest one.
        let shorter = |p: &Fragment| p.text.starts_with("defaultfor ") && p.text.matches(": ").count() < options.len();
        if word == "defaultfor" && self.pieces.iter().any(shorter) {
            return self.left_for_good(ruby::place(node), "in Puppet the first of several rows counts, not the one with most facts");
        }
        self.ready(node, format!("{word} {}", options.join(", ")));
    }

    fn has_feature(&mut self, node: &Node<'_>, plain: &[Node<'_>]) {
        let Some(features) = feature_names(plain) else {
            return self.left_at(ruby::place(node), "confine", "which features it has is computed");
        };
        for feature in features {
            if self.owner.features.is_some_and(|known| !known.iter().any(|(f, _)| *f == feature)) {
                self.ready(node, format!("# The type has no feature `{}`.", feature.replace('\n', " ")));
            } else {
                self.ready(node, format!("has_feature {feature}"));
            }
        }
    }
}

/// Returns the call that finds a program, which may be that already.
pub(super) fn which(program: &str) -> String {
    let is_found = program.starts_with("which(") && program.ends_with(')') && program.matches('(').count() == 1;
    if is_found { program.to_owned() } else { format!("which({program})") }
}

/// Returns the directive for code that is left in Ruby.
fn kept_of(code: &str) -> &'static str {
    if words(code).any(|word| word.ends_with(DEFAULT)) { DEFAULT } else { "confine" }
}

/// Returns whether code contains a word that affects suitability.
pub fn decides(code: &str) -> bool {
    words(code).any(|w| DECIDING.contains(&w))
}

pub(super) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

pub(super) fn feature_names(plain: &[Node<'_>]) -> Option<Vec<String>> {
    let names: Option<Vec<String>> = plain.iter().map(|n| ruby::symbol(n).or_else(|| ruby::text(n))).collect();
    names.filter(|n| !n.is_empty())
}
