//! What the bodies of providers declare, as the evaluator has found it: also in helpers, hooks of mixins and branches whose condition is
//! known.

use super::block::Untranslated;
use super::eval::{ClassId, ClassTable, Method, MethodBody};
use super::items::LoadedRuby;
use super::known::StaticValue;
use super::known::fixed;
use super::literals::key_word;
use super::provider_body::{BodyTranslator, DECIDING, DEFAULT};
use super::provider_conditions::features_in;
use super::ruby::{self, ByteRange};
use super::type_decl::Fragment;
use rtype_lang::source::Source;
use rtype_lang::syntax::quote;
use ruby_prism::Node;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The evaluated body of a provider.
#[derive(Debug)]
pub struct ProviderFacts {
    /// Name of its type.
    pub of: String,
    pub name: String,
    /// The file that declares it.
    source: Arc<Source>,
    declared: Vec<ProviderFact>,
    /// Calls in the body that may do anything, because a class was not read.
    unanswered: Vec<ByteRange>,
    /// Methods of its class and of what that inherits from, and whether each is public.
    pub methods: BTreeMap<String, bool>,
    /// Class methods without parameters that its body may call, by the text of the call, with their places: those that it inherits, a
    /// nearer one after others, and those of modules.
    pub class_methods: Vec<(String, Arc<Source>, ByteRange)>,
    /// Whether all that its class inherits from was read.
    pub is_complete: bool,
}

/// Plain and named arguments.
type KnownArguments = (Vec<StaticValue>, Vec<(String, StaticValue)>);

/// A call that decides whether a provider is suitable, or what it can do.
#[derive(Debug)]
struct ProviderFact {
    word: String,
    /// The call in the body that led to it.
    site: ByteRange,
    /// Its arguments; `None` if they are not all known.
    arguments: Option<KnownArguments>,
    /// Whether it runs.
    is_certain: bool,
}

impl LoadedRuby<'_, '_> {
    /// Returns the providers that the evaluated files declare.
    pub fn provider_facts(&self, texts: &[Arc<Source>]) -> Vec<ProviderFacts> {
        let mut all = Vec::new();
        let ruby = self.ruby.borrow();
        for provider in &ruby.providers {
            let Some(source) = texts.get(provider.file) else { continue };
            let mut declared = Vec::new();
            for one in ruby.classes.get(provider.class).declarations.iter().filter(|d| DECIDING.contains(&&*d.word)) {
                let Some((_, site)) = one.site.clone().filter(|(file, _)| *file == provider.file) else { continue };
                let named = one.named.iter().map(|(key, value)| Some((key.word()?, fixed(&ruby, value)?))).collect::<Option<Vec<_>>>();
                let plain = one.plain.iter().map(|value| fixed(&ruby, value)).collect::<Option<Vec<_>>>();
                let arguments = plain.zip(named).filter(|_| one.block.is_none());
                declared.push(ProviderFact { word: one.word.to_string(), site, arguments, is_certain: one.condition.is_none() });
            }
            let unanswered = ruby.unanswered.iter().filter(|(file, _)| *file == provider.file).map(|(_, at)| at.clone()).collect();
            let (of, name) = (provider.of.clone(), provider.name.clone());
            let mut methods: BTreeMap<String, bool> = BTreeMap::new();
            for class in ruby.classes.ancestors(provider.class) {
                for method in ruby.classes.get(class).methods.values() {
                    methods.entry(method.name.to_string()).or_insert(method.is_public && !matches!(method.body, MethodBody::Undefined));
                }
            }
            let is_complete = ruby.classes.unknown(provider.class).is_none();
            let class_methods = class_methods(&ruby.classes, provider.class, source, texts);
            all.push(ProviderFacts { of, name, source: Arc::clone(source), declared, unanswered, methods, class_methods, is_complete });
        }
        all
    }
}

/// Returns the class methods without parameters that the body of a provider may call.
fn class_methods(
    classes: &ClassTable<'_>,
    provider: ClassId,
    source: &Source,
    texts: &[Arc<Source>],
) -> Vec<(String, Arc<Source>, ByteRange)> {
    let mut all = Vec::new();
    let mut add = |call: String, method: &Method<'_>| {
        let MethodBody::Def { node, file, .. } = &method.body else { return };
        if let Some(text) = texts.get(*file).filter(|_| node.parameters().is_none() && source.text().contains(&call)) {
            all.push((call, Arc::clone(text), ruby::at(&node.location())));
        }
    };
    for class in classes.ids().map(|id| classes.get(id)).filter(|class| !class.is_native && !class.name.is_empty()) {
        class.class_methods.values().for_each(|method| add(format!("{}.{}", class.name, method.name), method));
    }
    for id in classes.ancestors(provider).into_iter().rev() {
        let class = classes.get(id);
        let extended = class.extended.iter().flat_map(|module| classes.get(*module).methods.values());
        extended.chain(class.class_methods.values()).for_each(|method| add(method.name.to_string(), method));
    }
    all
}

impl ProviderFacts {
    /// Returns why a provider is left out that is declared in a form that is not read.
    pub fn not_read(&self) -> (Arc<Source>, Untranslated) {
        let text = format!("how the provider `{}` is declared is not understood", self.name);
        (Arc::clone(&self.source), Untranslated { text, at: 0..0 })
    }

    /// Returns whether these are the facts of a provider.
    pub fn are_of(&self, of: &str, name: &str, source: &Source) -> bool {
        self.of == of && self.name == name && self.source.name() == source.name()
    }

    /// Returns the directives that a statement of the body amounts to; `None` if that is not known.
    fn directives(&self, at: &ByteRange) -> Option<Vec<String>> {
        let within = |inner: &ByteRange| at.start <= inner.start && inner.end <= at.end;
        if self.unanswered.iter().any(within) {
            return None;
        }
        let mut all = Vec::new();
        for fact in self.declared.iter().filter(|fact| within(&fact.site)) {
            let (plain, named) = fact.arguments.as_ref().filter(|_| fact.is_certain)?;
            all.push(fact.directive(plain, named)?);
        }
        Some(all)
    }
}

impl ProviderFact {
    fn directive(&self, plain: &[StaticValue], named: &[(String, StaticValue)]) -> Option<String> {
        let mut named = named.to_vec();
        let pairs = plain.iter().filter_map(|value| if let StaticValue::Map(pairs) = value { Some(pairs) } else { None });
        for (key, value) in pairs.flatten() {
            named.push((key.word()?, value.clone()));
        }
        let options = |value: &dyn Fn(&str, &StaticValue) -> Option<String>| -> Option<String> {
            let options: Option<Vec<String>> = named.iter().map(|(k, v)| Some(format!("{}: {}", key_word(k), value(k, v)?))).collect();
            options.filter(|o| !o.is_empty()).map(|o| format!("{} {}", self.word, o.join(", ")))
        };
        let text = |value: &StaticValue| value.text().map(|t| quote(&t)).filter(|_| value.word().is_some());
        match self.word.as_str() {
            "commands" | "optional_commands" => options(&|_, program| text(program)),
            "has_command" => match plain {
                [name, program] => Some(format!("commands {}: {}", key_word(&name.word()?), text(program)?)),
                _ => None,
            },
            "has_feature" | "has_features" => {
                let names = plain.iter().map(StaticValue::word).collect::<Option<Vec<_>>>()?;
                Some(format!("{} {}", if names.len() == 1 { "has_feature" } else { "has_features" }, names.join(", ")))
            }
            "confine" => match named.as_slice() {
                [(key, StaticValue::Bool(value))] if key == "true" || key == "false" => {
                    Some(format!("confine {{ {} }}", (key == "true") == *value))
                }
                _ => options(&|key, value| match (key, value) {
                    ("true" | "false" | "any" | "for_binary", _) => None,
                    (_, StaticValue::List(items)) => {
                        let items: Option<Vec<String>> = items.iter().map(confined).collect();
                        Some(format!("[{}]", items?.join(", ")))
                    }
                    (_, value) => confined(value),
                }),
            },
            "defaultfor" | "notdefaultfor" => options(&|_, value| match value {
                StaticValue::List(items) => {
                    let items: Option<Vec<String>> = items.iter().map(confined).collect();
                    Some(format!("[{}]", items?.join(", ")))
                }
                value => confined(value),
            }),
            _ => None,
        }
    }
}

/// Returns a value that a fact, a feature or a path may have; a regex in `confine` never fits in Puppet, and is left to the caller.
fn confined(value: &StaticValue) -> Option<String> {
    match value {
        StaticValue::Text(text) => Some(quote(text)),
        StaticValue::Symbol(word) if ruby::is_word(word) => Some(word.clone()),
        StaticValue::Symbol(word) => Some(quote(word)),
        StaticValue::Bool(_) | StaticValue::Integer(_) => value.written(),
        _ => None,
    }
}

impl BodyTranslator<'_> {
    /// Replaces what was not understood in a statement of the body, the pieces from `from`, by what its evaluation has declared.
    pub(super) fn settle_by_facts(&mut self, node: &Node<'_>, from: usize) {
        let is_left = |p: &Fragment| p.residue.is_some() && matches!(p.kept.as_str(), "confine" | DEFAULT) || self.calls_function(&p.text);
        if !self.pieces.iter().skip(from).any(is_left) {
            return;
        }
        let at = ruby::place(node);
        if self.inexpressible.iter().any(|place| at.contains(place)) {
            return;
        }
        let Some(directives) = self.facts.and_then(|facts| facts.directives(&at)) else { return };
        self.pieces.truncate(from);
        self.platforms.retain(|(_, place)| *place < from);
        for text in directives {
            if let Some(features) = text.strip_prefix("confine feature: ") {
                self.platforms.extend(features_in(features).into_iter().map(|f| (f, self.pieces.len())));
            }
            self.ready(node, text);
        }
    }
}
