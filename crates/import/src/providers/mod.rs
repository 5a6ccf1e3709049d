//! Writes the providers that files declare: whether they are suitable and preferred, what they can do, and their settings.

mod calls;
mod conditions;
mod directives;
mod features;
mod methods;
mod order;

pub(crate) use calls::ProviderCalls;

use crate::lower::{TypeNames, UntranslatedCode, UntranslatedReason, build};
use crate::puppet::{DeclaredDirective, FailedFile, LoadedFile, PuppetProvider};
use crate::report::directive::{new, option};
use crate::report::words;
use rtype_lang::library::{TypeSet, standard};
use rtype_lang::source::{Source, Span};
use rtype_lang::syntax::ast::{Body, Declaration, Directive, Expr, ExprKind, Item, Opt};
use rtype_ruby::hir::SourceRange;
use rtype_ruby::run::CodeSource;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The type that providers belong to.
pub(crate) struct ProvidedType {
    /// The name.
    pub name: String,
    /// The names that blocks may refer to; `name` is one for each type.
    pub names: TypeNames,
    has_attributes: bool,
    /// The features with their methods; `None` if they are not known.
    pub features: Option<Vec<(String, Vec<String>)>>,
    /// The provider methods that the blocks of the type call.
    pub calls: ProviderCalls,
}

impl ProvidedType {
    pub(crate) fn new(
        name: &str,
        mut names: TypeNames,
        features: Option<Vec<(String, Vec<String>)>>,
        calls: ProviderCalls,
    ) -> ProvidedType {
        let has_attributes = !names.attributes.is_empty();
        names.attributes.insert("name".to_owned());
        // Functions of the type cannot be called in providers.
        names.methods.values_mut().for_each(|code| *code = None);
        ProvidedType { name: name.to_owned(), names, has_attributes, features, calls }
    }

    /// Describes a type of the standard library.
    pub(crate) fn of_library(name: &str) -> Option<ProvidedType> {
        let of = TypeSet::default().load(name)?;
        let attributes = of.attributes.iter().map(|attribute| attribute.name.to_string()).collect();
        let methods = |all: &[_]| all.iter().map(ToString::to_string).collect();
        let features = of.features.iter().map(|(name, feature)| (name.to_string(), methods(&feature.methods))).collect();
        let names = TypeNames { attributes, ..TypeNames::default() };
        Some(ProvidedType::new(name, names, Some(features), ProviderCalls::default()))
    }

    /// Describes a type of another Ruby file.
    pub(crate) fn of_file(file: &mut LoadedFile<'_>, name: &str) -> ProvidedType {
        let names = TypeNames { attributes: file.attributes_of(name), ..TypeNames::default() };
        ProvidedType::new(name, names, None, ProviderCalls::default())
    }

    /// Returns whether Puppet defines a method for all providers of the type: the methods that ask for features.
    fn has_for_all(&self, method: &str) -> bool {
        let features = self.features.as_deref().unwrap_or_default();
        matches!(method, "features" | "satisfies?" | "feature?" | "supports_parameter?" | "declared_feature?")
            || method.strip_suffix('?').is_some_and(|bare| features.iter().any(|(feature, _)| feature == bare))
    }

    fn has_attribute(&self, name: &str) -> bool {
        self.names.attributes.contains(name)
    }
}

/// A part of a provider that is left in Ruby.
pub(crate) struct UntranslatedPart {
    /// The directive.
    pub kept: String,
    /// The reason.
    pub reason: String,
    /// The code in its file.
    pub span: Span,
}

/// A provider that is being written.
pub(crate) struct ProviderDraft {
    provider: PuppetProvider,
    source: Option<Arc<Source>>,
    /// The name of the parent in the language: `ruby`, `ini_setting/ruby`.
    parent: Option<String>,
    /// The methods that became settings.
    settings: BTreeSet<String>,
    directives: Vec<Directive>,
    /// The items before the type: platform features.
    before: Vec<Item>,
    left: Vec<UntranslatedPart>,
    blocks: usize,
    translated: usize,
}

/// The written providers of a type.
#[derive(Default)]
pub(crate) struct WrittenProviders {
    /// Platform features.
    pub before: Vec<Item>,
    /// The providers.
    pub items: Vec<Item>,
    /// The parts that are left in Ruby.
    pub left: Vec<UntranslatedPart>,
    /// The types that providers inherit from.
    pub needs: Vec<String>,
    /// The number of code blocks and the number of translated blocks.
    pub blocks: (usize, usize),
}

/// Writes one provider.
pub(crate) struct ProviderWriter<'a, 'f> {
    file: &'a mut LoadedFile<'f>,
    owner: &'a ProvidedType,
    draft: ProviderDraft,
    /// The body of the provider.
    body: Option<CodeSource>,
}

/// Writes the providers of a type that a condition selects.
pub(crate) fn write_all(
    file: &mut LoadedFile<'_>,
    owner: &ProvidedType,
    main: &Arc<Source>,
    is_wanted: impl Fn(&PuppetProvider) -> bool,
) -> WrittenProviders {
    let providers: Vec<PuppetProvider> = file.providers_of(&owner.name).into_iter().filter(is_wanted).collect();
    let mut drafts = Vec::new();
    for provider in providers {
        let body = provider.body().cloned();
        let path = body.as_ref().map(|code| code.hir.path.to_string());
        let source = path.and_then(|path| file.text_of(&path)).unwrap_or_else(|| Arc::clone(main));
        let draft = ProviderDraft::new(provider, Some(source));
        let mut writer = ProviderWriter { file, owner, draft, body };
        writer.write();
        drafts.push(writer.draft);
    }
    order::sort(&mut drafts);
    methods::declare_missing(&mut drafts, owner);
    let mut written = WrittenProviders::default();
    for draft in drafts {
        written.add(draft);
    }
    written
}

impl ProviderDraft {
    fn new(provider: PuppetProvider, source: Option<Arc<Source>>) -> ProviderDraft {
        ProviderDraft {
            provider,
            source,
            parent: None,
            settings: BTreeSet::new(),
            directives: Vec::new(),
            before: Vec::new(),
            left: Vec::new(),
            blocks: 0,
            translated: 0,
        }
    }

    /// Returns the span of code, or of the provider's declaration if another file contains the code.
    fn span_of(&self, origin: SourceRange) -> Span {
        let call = self.provider.call.origin;
        let origin = if origin.file == call.file { origin } else { call };
        let range = origin.start as usize..origin.end as usize;
        self.source.as_ref().map_or(Span::NONE, |source| source.span_of(range))
    }

    /// Records a part that is left in Ruby.
    fn note(&mut self, kept: &str, reason: &str, origin: SourceRange) {
        let span = self.span_of(origin);
        self.left.push(UntranslatedPart { kept: kept.to_owned(), reason: reason.to_owned(), span });
    }
}

impl WrittenProviders {
    /// Adds a provider whose file ended with an error: it is not known whether the provider exists and is suitable.
    pub(crate) fn add_failed(&mut self, of: &str, file: &FailedFile) {
        let is_it = |item: &Item| matches!(item, Item::Provider(declared) if declared.name.name == file.name);
        if self.items.iter().any(is_it) || !crate::ruby::is_word(&file.name) {
            return;
        }
        let reason = format!("this provider cannot be imported: {}", file.why);
        let args = vec![words::word("confine"), build::string(&reason)];
        let directives = vec![Directive { args, ..new("untranslated") }];
        self.items.push(provider_item(&file.name, vec![option("for", words::word(of))], directives));
        let span = file.source.as_ref().map_or(Span::NONE, |source| source.span_of(0..0));
        self.left.push(UntranslatedPart { kept: "confine".to_owned(), reason, span });
    }

    fn add(&mut self, draft: ProviderDraft) {
        for item in draft.before {
            if !self.before.contains(&item) {
                self.before.push(item);
            }
        }
        let mut options = vec![Opt { name: build::ident("for"), value: words::word(&draft.provider.of) }];
        if let Some(parent) = &draft.parent {
            options.push(option("parent", words::word(parent)));
            self.needs.extend(parent.split_once('/').map(|(of, _)| of.to_owned()).filter(|of| standard(of).is_none()));
        }
        if let Some(source) = draft.provider.call.option("source").and_then(|value| value.word()) {
            options.push(option("source", words::word(source)));
        }
        self.items.push(provider_item(&draft.provider.name, options, draft.directives));
        self.left.extend(draft.left);
        self.blocks.0 += draft.blocks;
        self.blocks.1 += draft.translated;
    }
}

impl ProviderWriter<'_, '_> {
    fn write(&mut self) {
        let call = self.draft.provider.call.clone();
        if call.is_conditional {
            self.leave(UntranslatedReason::Conditional(self.draft.provider.name.clone()), &call);
        }
        if let Some(why) = self.draft.provider.unknown.clone().filter(|_| self.has_unknown_features()) {
            self.leave(UntranslatedReason::Computed(format!("what the provider can do ({why})")), &call);
        }
        self.directives();
        self.features();
        self.settings();
        self.draft.parent = self.parent(0);
        self.default_target();
        self.queries();
    }

    /// Leaves a declaration in Ruby, so that it is not known whether the provider is suitable.
    fn leave(&mut self, reason: UntranslatedReason, declaration: &DeclaredDirective) {
        self.leave_code(UntranslatedCode { reason, origin: declaration.origin });
    }

    /// Leaves a declaration in Ruby, so that it is not known whether the provider is preferred.
    fn leave_default(&mut self, reason: UntranslatedReason, declaration: &DeclaredDirective) {
        self.leave_as("defaultfor", UntranslatedCode { reason, origin: declaration.origin });
    }

    fn leave_code(&mut self, left: UntranslatedCode) {
        self.leave_as("confine", left);
    }

    fn leave_as(&mut self, block: &str, left: UntranslatedCode) {
        let call = self.draft.provider.call.origin;
        let origin = if left.origin.file == call.file { left.origin } else { call };
        let range = origin.start as usize..origin.end as usize;
        let ruby = self.draft.source.as_ref().and_then(|source| source.text().get(range)).unwrap_or_default().to_owned();
        let reason = left.reason.to_string();
        let args = vec![words::word(block), build::string(&reason)];
        // The code of the whole provider is not shown.
        let ruby = (!ruby.is_empty() && origin != call).then(|| option("ruby", words::text(&ruby)));
        self.draft.directives.push(Directive { args, options: ruby.into_iter().collect(), ..new("untranslated") });
        self.draft.blocks += 1;
        self.draft.note(block, &reason, origin);
    }

    fn push(&mut self, name: &str, args: Vec<Expr>, options: Vec<Opt>) {
        self.draft.directives.push(Directive { args, options, ..new(name) });
    }
}

fn provider_item(name: &str, options: Vec<Opt>, directives: Vec<Directive>) -> Item {
    let body = Body { directives, span: Span::NONE };
    Item::Provider(Declaration { name: build::ident(name), params: Vec::new(), options, body, span: Span::NONE })
}

/// Returns whether an expression is a text without interpolation.
fn is_text(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Str(text) if text.plain().is_some())
}
