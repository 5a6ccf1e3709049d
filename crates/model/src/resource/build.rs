//! Builds an [`Instance`] from a declared resource.

mod store;
mod titled;

pub use titled::{title_for, titled};

use super::canonical::{Canonical, Refusal, Untranslated};
use super::complete::NOT_EVALUATED;
use super::instance::{Ignored, Instance, NotChecked, Notes, Origin, Slot, Slots as Values};
use super::prepare::{Preparation, PreparedType, Reused};
use super::suitability::{lacking, supports_all};
use super::trace::TraceStep;
use super::view::{Slots, View};
use super::{Context, NoCatalog, title, together};
use crate::manifest::{Declared, DeclaredValue, is_suspect};
use rtype_lang::diagnostics::{Code, Diagnostic, Findings, did_you_mean, nearest};
use rtype_lang::eval::{Failure, Frame, UnknownWorld, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, AttributeDef, Default, ProviderDef, Role, TypeDef};
use rtype_lang::value::{EcoString, REDACTED, Symbol, Value};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The result of building a resource.
#[derive(Debug, std::default::Default)]
pub struct Built {
    /// The instance; `None` if it is unusable.
    pub instance: Option<Instance>,
    /// All diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// Locations of secrets to hide in snippets.
    pub secrets: Vec<Span>,
}

/// Builds a single resource. Use [`Preparation`] to build many resources with the same type.
pub fn build(type_def: &Arc<TypeDef>, declared: &Declared, context: Context<'_>) -> Built {
    Preparation::new(Arc::clone(type_def), context).build(declared, context)
}

/// Returns the canonical form of one attribute in a declaration, or `None` if the attribute has no effect. Errors in other attributes and
/// in the resource as a whole are ignored.
///
/// # Errors
/// Returns the diagnostic if the value is invalid.
pub fn take_one(type_def: &Arc<TypeDef>, declared: &Declared, id: AttrId, context: Context<'_>) -> Result<Option<Value>, Box<Diagnostic>> {
    let mut preparation = Preparation::new(Arc::clone(type_def), context);
    let converted = together::declared(type_def, declared, context).ok().flatten();
    let mut builder = Builder::new(&mut preparation, converted.as_ref().unwrap_or(declared), context);
    let from_title = builder.namevars().unwrap_or_default();
    for other in &type_def.order {
        builder.diagnostics = Findings::default();
        builder.take(*other, &from_title);
        if *other == id {
            break;
        }
    }
    match builder.diagnostics.into_vec().into_iter().find(Diagnostic::is_error) {
        Some(refusal) => Err(Box::new(refusal)),
        None => Ok(builder.slots.into_iter().find(|s| s.id == id).map(|s| s.value)),
    }
}

/// Returns a value's canonical form without a resource, or `None` if a block also depends on the resource, the machine or other resources.
///
/// # Errors
/// Returns the diagnostic if the value is invalid.
pub fn take_alone(type_def: &Arc<TypeDef>, id: AttrId, value: &Value) -> Option<Result<Value, Box<Diagnostic>>> {
    let attribute = type_def.attribute(id)?;
    let context =
        Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true, log: None };
    let title = EcoString::new();
    let view = View::new(type_def, &title, Slots::Building(&[]), context);
    let canonical = Canonical {
        view: &view,
        attribute,
        trace: None,
        secret: Cell::new(attribute.sensitive || value.has_secret()),
        skipped: RefCell::default(),
        dropped: Cell::default(),
    };
    let taken = canonical.value(value);
    if view.looked.get() || !canonical.skipped.borrow().is_empty() || taken.as_ref().is_err_and(Refusal::is_unknown) {
        return None;
    }
    Some(taken.map_err(|refusal| Box::new(refusal.diagnostic(type_def.name.as_str(), attribute.name.as_str(), Span::NONE))))
}

pub(super) struct Builder<'a> {
    known: &'a PreparedType,
    reused: &'a mut Reused,
    type_def: &'a TypeDef,
    declared: &'a Declared,
    /// The declared values by attribute.
    given: Vec<(AttrId, &'a DeclaredValue)>,
    context: Context<'a>,
    slots: Vec<Slot>,
    ignored: Vec<Ignored>,
    not_checked: Vec<NotChecked>,
    trace: Vec<(AttrId, TraceStep)>,
    diagnostics: Findings,
    secrets: Vec<Span>,
    provider: Option<&'a ProviderDef>,
    /// The matching title pattern.
    row: Option<Span>,
    /// Attributes with strings that depend on the resource, and their given values.
    late: Vec<(AttrId, Value, Origin, Span)>,
    /// True if Ruby code decides the values.
    leaves_values: bool,
    /// True if the values could not be converted and therefore cannot be checked.
    is_unconverted: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(preparation: &'a mut Preparation, declared: &'a Declared, context: Context<'a>) -> Builder<'a> {
        let Preparation { known, reused, .. } = preparation;
        let type_def = &*known.type_def;
        // The namevar may also be given as `name`. If both are set, the later value is used.
        let mut given: Vec<(AttrId, &DeclaredValue)> = Vec::with_capacity(declared.attributes.len());
        for (name, value) in declared.attributes.iter().filter(|(_, given)| !given.value.is_nil()) {
            let Some(id) = type_def.id_declared_as(name) else { continue };
            match given.iter_mut().find(|(of, _)| *of == id) {
                Some(earlier) => earlier.1 = value,
                None => given.push((id, value)),
            }
        }
        Builder {
            slots: std::mem::take(&mut reused.room),
            known,
            reused,
            type_def,
            declared,
            given,
            context,
            ignored: Vec::new(),
            not_checked: Vec::new(),
            trace: Vec::new(),
            diagnostics: Findings::default(),
            secrets: Vec::new(),
            provider: None,
            row: None,
            late: Vec::new(),
            leaves_values: false,
            is_unconverted: false,
        }
    }

    /// Records that the type's `canonicalize` failed.
    pub(super) fn unconverted(mut self, failure: Failure) -> Self {
        if failure.is_untranslated() {
            self.leaves_values = true;
            self.not_checked(None, failure.into());
        } else if !failure.is_unknown() {
            self.is_unconverted = true;
            self.report(
                self.about(Code::InvalidResource, self.declared.title_span, failure.message)
                    .also(failure.span, "in the type's `canonicalize`")
                    .maybe_help(failure.help),
            );
        }
        self
    }

    pub(super) fn run(mut self) -> Built {
        self.note_secrets();
        let from_title = if self.is_unconverted { None } else { self.namevars() };
        if let Some(from_title) = &from_title {
            for id in &self.type_def.order {
                self.take(*id, from_title);
            }
        }
        // As in Puppet, unknown attributes come last.
        self.unknown_attributes();
        if from_title.is_some() {
            for id in &self.known.defaults {
                self.default(*id);
            }
            self.late_texts();
            if !self.failed() {
                // Other attributes may have values, too.
                if !self.leaves_values {
                    self.required();
                    self.type_checks();
                }
                self.provider_finalizes();
            }
        }
        let label = if self.failed() { None } else { self.label() };
        let instance = if self.failed() { None } else { Some(self.instance(label)) };
        self.slots.clear();
        self.reused.room = self.slots;
        let mut diagnostics = self.diagnostics.into_vec();
        if self.declared.is_title_computed {
            // The expression is not the title, which is unknown.
            diagnostics.retain(|d| d.span() != self.declared.title_span || d.code == Code::RequiredMissing);
        }
        Built { instance, diagnostics, secrets: self.secrets }
    }

    fn instance(&mut self, label: Option<EcoString>) -> Instance {
        let (ignored, trace) = (std::mem::take(&mut self.ignored), std::mem::take(&mut self.trace));
        let not_checked = std::mem::take(&mut self.not_checked);
        let noted = label.is_some() || !ignored.is_empty() || !not_checked.is_empty() || !trace.is_empty();
        let given = &self.given;
        Instance {
            type_def: Arc::clone(&self.known.type_def),
            title: self.declared.title.clone(),
            span: self.declared.title_span,
            slots: Values::new(&mut self.slots, |id| given.iter().any(|(of, _)| *of == id), &mut self.reused.shared),
            provider: self.provider.and_then(|p| self.type_def.providers.get_index_of(&p.name)?.try_into().ok()),
            notes: noted.then(|| Box::new(Notes { label, ignored, not_checked, trace, generated_by: None })),
        }
    }

    /// Records secret values, even if they are invalid or unused.
    fn note_secrets(&mut self) {
        // For an unknown attribute, only the name is available.
        let known = |name: &str| self.type_def.id_declared_as(name).and_then(|id| self.type_def.attribute(id));
        let sensitive = |name: &str| known(name).map_or_else(|| is_suspect(name), |a| a.sensitive);
        let secret = self.declared.attributes.iter().filter(|(name, given)| given.sensitive || sensitive(name));
        self.secrets.extend(secret.map(|(_, given)| given.span));
    }

    fn failed(&self) -> bool {
        self.diagnostics.has_error()
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Records and reports a required part of the type that is left in Ruby.
    pub(super) fn not_checked(&mut self, attribute: Option<&str>, part: Untranslated) {
        let one = NotChecked { attribute: attribute.map(Symbol::from), reason: part.reason };
        if self.not_checked.contains(&one) {
            return;
        }
        let given = attribute.and_then(|a| self.declared.attributes.get(a));
        let span = given.map_or(self.declared.title_span, |given| given.span);
        let d = Diagnostic::of_resource(Code::NotChecked, span, &self.reference(), attribute, format!("not checked: {}", one.reason));
        self.report(d.error_if(self.context.strict).also(part.span, NOT_EVALUATED));
        self.not_checked.push(one);
    }

    fn reference(&self) -> String {
        rtype_lang::value::ResourceRef { type_name: self.type_def.name.clone(), title: self.declared.title.clone() }.to_string()
    }

    /// Creates a diagnostic about the resource.
    fn about(&self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::of_resource(code, span, &self.reference(), None, message)
    }

    fn unknown_attributes(&mut self) {
        for (name, given) in &self.declared.attributes {
            if self.type_def.id_declared_as(name).is_some() {
                continue;
            }
            // An attribute that looks like a misspelled secret is treated as a secret.
            if is_misspelled_secret(self.type_def, name) {
                self.secrets.push(given.span);
            }
            let reference = self.reference();
            self.report(unknown_attribute(self.type_def, name, |message| {
                Diagnostic::of_resource(Code::UnknownResourceAttribute, given.name_span, &reference, None, message)
            }));
        }
    }

    /// Returns the namevars from the title; `None` if no title pattern matches.
    fn namevars(&mut self) -> Option<title::ParsedTitle> {
        if self.declared.is_title_computed {
            return Some(title::ParsedTitle { unmatched: self.type_def.namevars.clone(), ..title::ParsedTitle::default() });
        }
        let parsed = title::parse(self.type_def, &self.declared.title);
        // As in Puppet, a title has to match even if all namevars are declared. Only a type without patterns accepts any title.
        let takes_any = self.type_def.title_patterns.is_empty() && self.type_def.namevars.iter().all(|id| self.given(*id).is_some());
        if parsed.is_none() && !takes_any {
            let rows: Vec<String> = self.type_def.title_patterns.iter().map(|p| format!("`{}`", p.regex)).collect();
            self.report(
                self.about(
                    Code::InvalidTitle,
                    self.declared.title_span,
                    format!("no title pattern of `{}` fits the title", self.type_def.name),
                )
                .also(self.type_def.title_patterns.first().map_or(Span::NONE, |p| p.span), "the first pattern")
                .help(if rows.is_empty() {
                    "give every namevar as an attribute".into()
                } else {
                    format!("patterns are {}", rows.join(", "))
                }),
            );
            return None;
        }
        let parsed = parsed.unwrap_or_default();
        self.row = parsed.row;
        if let Some((coverage, row)) = self.context.world.coverage().zip(self.row) {
            coverage.reach(row);
        }
        Some(parsed)
    }

    fn given(&self, id: AttrId) -> Option<&'a DeclaredValue> {
        self.given.iter().find(|(of, _)| *of == id).map(|(_, given)| *given)
    }

    /// Stores an attribute that is set explicitly or by the title.
    fn take(&mut self, id: AttrId, from_title: &title::ParsedTitle) {
        if Some(id) == self.known.provider_id {
            self.choose_provider(id);
            return;
        }
        let Some(attribute) = self.type_def.attribute(id) else { return };
        if let Some(given) = self.given(id) {
            if self.lacks_features(id, attribute, given) {
                return;
            }
            self.beyond_all_providers(attribute, given);
            if let Some(use_instead) = &attribute.deprecated {
                self.report(
                    self.about(Code::Deprecated, given.name_span, format!("`{}` is deprecated", attribute.name))
                        .caused_by(attribute.name.as_str())
                        .help(use_instead.as_str()),
                );
            }
            self.store(id, attribute, &given.value, Origin::Explicit, given.span);
        } else if let Some((_, text)) = from_title.values.iter().find(|(i, _)| *i == id) {
            let text = Value::Str(text.clone());
            if let Some(value) = self.titled_value(id, attribute, text) {
                self.store(id, attribute, &value, Origin::Title, self.declared.title_span);
            }
        } else if self.declared.is_title_computed && from_title.unmatched.contains(&id) {
            self.store(id, attribute, &Value::Unknown, Origin::Title, self.declared.title_span);
        } else if from_title.unmatched.contains(&id) {
            match self.titled_value(id, attribute, Value::Nil) {
                Some(Value::Nil) => self.without_value(id, attribute),
                Some(value) => self.store(id, attribute, &value, Origin::Title, self.declared.title_span),
                None => {}
            }
        }
    }

    /// Returns true if the attribute is ignored, before the value is examined, because the provider lacks a feature.
    ///
    /// Follows Puppet's `Puppet::Type#newattr`, but warns.
    fn lacks_features(&mut self, id: AttrId, attribute: &AttributeDef, given: &DeclaredValue) -> bool {
        let missing = self.missing_features(attribute);
        if missing.is_empty() {
            return false;
        }
        let names: Vec<_> = missing.iter().map(|f| format!("`{f}`")).collect();
        let provider = self.provider.map(|p| p.name.as_str()).unwrap_or_default();
        let message = format!("`{}` has no effect: the provider `{provider}` lacks the feature {}", attribute.name, names.join(" and "));
        let d = self
            .about(Code::FeatureLacking, given.name_span, message)
            .caused_by(attribute.name.as_str())
            .help("delete the attribute or, with `provider =>`, choose a provider that has it");
        self.report(d.error_if(self.context.strict));
        self.ignored.push(Ignored { id, missing });
        true
    }

    /// Warns if the type's providers all lack support for the attribute. Used without a machine, when no provider is selected. The value is
    /// still checked.
    fn beyond_all_providers(&mut self, attribute: &AttributeDef, given: &DeclaredValue) {
        let providers = &self.type_def.providers;
        // Whether an attribute with an unknown default is set is not known either.
        let may_be_unset = given.is_default && matches!(given.value, Value::Unknown);
        if may_be_unset
            || !self.context.offline
            || self.provider.is_some()
            || providers.is_empty()
            || attribute.required_features.is_empty()
        {
            return;
        }
        let lacks = |p: &ProviderDef| !supports_all(self.type_def, p, &attribute.required_features).is_empty();
        if providers.values().all(lacks) {
            let names: Vec<_> = attribute.required_features.iter().map(|f| format!("`{f}`")).collect();
            let (name, features) = (&attribute.name, names.join(" and "));
            let message = format!("`{name}` has no effect: no provider of `{}` has the feature {features}", self.type_def.name);
            self.report(self.about(Code::FeatureLacking, given.name_span, message).caused_by(name.as_str()).help("delete the attribute"));
        }
    }

    fn missing_features(&self, attribute: &AttributeDef) -> Vec<Symbol> {
        match self.provider {
            Some(provider) if !attribute.required_features.is_empty() => {
                lacking(self.type_def, provider, &attribute.required_features, self.context.world)
            }
            _ => Vec::new(),
        }
    }

    fn choose_provider(&mut self, id: AttrId) {
        if self.given(id).is_some_and(|given| given.value.has_unknown()) {
            return;
        }
        let (provider, origin, span, why) = if let Some(given) = self.given(id) {
            // The provider name is not secret, even if wrapped in `Sensitive`. The first list element is used.
            let name = match given.value.unwrapped() {
                Value::Array(names) => names.first().map(|n| n.unwrapped().to_text()).unwrap_or_default(),
                one => one.to_text(),
            };
            let Some(provider) = self.type_def.providers.get(name.as_str()) else {
                let known: Vec<&str> = self.type_def.providers.keys().map(Symbol::as_str).collect();
                // An invalid name may be the secret itself.
                let (named, help) = if given.value.has_secret() {
                    (REDACTED.into(), None)
                } else {
                    (format!("`{name}`"), did_you_mean(&name, known.iter().copied()))
                };
                self.report(
                    self.about(
                        Code::UnknownResourceProvider,
                        given.span,
                        format!("the type `{}` has no provider {named}", self.type_def.name),
                    )
                    .caused_by("provider")
                    .maybe_help(help),
                );
                return;
            };
            (provider, Origin::Explicit, given.span, "given")
        } else {
            let chosen = self.known.provider.as_ref().and_then(|name| self.type_def.providers.get(name));
            let Some(provider) = chosen else { return };
            (provider, Origin::Default, Span::NONE, "the suitable provider that fits this machine best")
        };
        if self.context.trace {
            self.trace.push((id, TraceStep { what: why.into(), span }));
        }
        self.provider = Some(provider);
        self.slots.push(Slot { id, others: None, value: Value::Sym(provider.name.clone()), origin, span, was_text: false });
    }

    fn default(&mut self, id: AttrId) {
        let Some(attribute) = self.type_def.attribute(id) else { return };
        if self.slots.iter().any(|s| s.id == id) || self.given(id).is_some() || !self.missing_features(attribute).is_empty() {
            return;
        }
        // A default does not manage a property that is only audited.
        if attribute.role == Role::Property && super::kinds::audit::watches(&self.view(), &attribute.name) {
            return;
        }
        let (value, span) = match &attribute.default {
            None => return,
            Some(Default::Value(value, span)) => (value.clone(), *span),
            Some(Default::Code(code)) => {
                let frame = Frame { scope: &self.view(), attribute: Some(&attribute.name), is: None, should: None, base: None };
                match run(code, &[], &frame) {
                    Ok(value) => (value, code.inner.span),
                    Err(failure) if failure.is_unknown() => {
                        if failure.is_untranslated() {
                            self.not_checked(Some(attribute.name.as_str()), failure.into());
                        }
                        let span = code.inner.span;
                        self.slots.push(Slot { id, value: Value::Unknown, others: None, origin: Origin::Default, span, was_text: false });
                        return;
                    }
                    Err(failure) => {
                        self.refused(failure.into(), attribute, Origin::Default, code.inner.span);
                        return;
                    }
                }
            }
        };
        if !value.is_nil() {
            self.store(id, attribute, &value, Origin::Default, span);
        }
    }

    fn required(&mut self) {
        for (i, attribute) in self.type_def.attributes.iter().enumerate() {
            let Some(rule) = attribute.required else { continue };
            let name = attribute.name.as_str();
            match self.slots.iter().find(|s| s.id == AttrId(i as u16)) {
                None => self.report(
                    self.about(Code::RequiredMissing, self.declared.title_span, format!("`{name}` is missing"))
                        .caused_by(name)
                        .also(rule, "it is required")
                        .help(format!("add `{name} => …`")),
                ),
                // The default may turn out to be nil.
                Some(Slot { value: Value::Unknown, origin: Origin::Default, .. })
                    if self.not_checked.iter().all(|one| one.attribute != Some(attribute.name.clone())) =>
                {
                    self.undecided(Some(name), rule);
                }
                Some(_) => {}
            }
        }
    }

    /// Returns the result of the type's `title` block.
    fn label(&mut self) -> Option<EcoString> {
        let code = self.type_def.title.as_ref()?;
        match self.evaluate(code) {
            Ok(value) if value.is_nil() || value.has_secret() || value.has_unknown() => None,
            Ok(value) => Some(value.to_text()),
            Err(failure) if failure.is_unknown() => None,
            Err(failure) => {
                self.report(
                    self.about(Code::BlockFailed, self.declared.title_span, failure.message)
                        .also(failure.span, "in the type's `title`")
                        .maybe_help(failure.help),
                );
                None
            }
        }
    }
}

/// Completes a diagnostic about an unknown attribute. `new` creates the diagnostic from the message.
pub fn unknown_attribute(type_def: &TypeDef, name: &str, new: impl FnOnce(String) -> Diagnostic) -> Diagnostic {
    let known: Vec<&str> = type_def.attributes.iter().map(|a| a.name.as_str()).collect();
    let near = did_you_mean(name, known.iter().copied())
        .unwrap_or_else(|| format!("`rtype describe {}` lists its attributes", type_def.name).into());
    new(format!("the type `{}` has no attribute `{name}`", type_def.name)).also(type_def.span, "the type").help(near)
}

/// Returns true if an unknown attribute's name resembles a sensitive attribute's name.
pub fn is_misspelled_secret(type_def: &TypeDef, name: &str) -> bool {
    nearest(name, type_def.attributes.iter().filter(|a| a.sensitive).map(|a| a.name.as_str())).is_some()
}
