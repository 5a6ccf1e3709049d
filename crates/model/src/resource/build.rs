//! Builds an [`Instance`] from a declared resource.

mod titled;

pub use titled::{title_for, titled};

use super::canonical::{Canonical, Refusal};
use super::instance::{Ignored, Instance, Notes, Origin, Others, Slot, Slots as Values};
use super::prepare::Preparation;
use super::provider::BoundProvider;
use super::suitability::{lacking, supports_all};
use super::trace::TraceStep;
use super::view::{Slots, View};
use super::{Context, NoCatalog, title};
use crate::manifest::{Declared, DeclaredValue, is_suspect};
use rtype_lang::diagnostics::{Code, Diagnostic, Findings, did_you_mean, nearest};
use rtype_lang::eval::{Failure, Frame, UnknownWorld, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, AttributeDef, Default, ProviderDef, Role, TypeCheck, TypeDef};
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
    /// Locations of secrets, which snippets must not show.
    pub secrets: Vec<Span>,
}

/// Builds one resource of a type. Use [`Preparation`] to build many.
pub fn build(type_def: &Arc<TypeDef>, declared: &Declared, context: Context<'_>) -> Built {
    Preparation::new(Arc::clone(type_def), context).build(declared, context)
}

/// Returns the canonical form of one attribute of a declaration, or `None` if the attribute has no effect. Errors in other
/// attributes and in the resource as a whole are ignored.
///
/// # Errors
/// Returns the diagnostic if the value is invalid.
pub fn take_one(type_def: &Arc<TypeDef>, declared: &Declared, id: AttrId, context: Context<'_>) -> Result<Option<Value>, Box<Diagnostic>> {
    let preparation = Preparation::new(Arc::clone(type_def), context);
    let builder = Builder::new(&preparation, declared, context);
    let from_title = builder.namevars().unwrap_or(title::ParsedTitle { values: Vec::new(), row: None });
    for other in &type_def.order {
        builder.diagnostics.take();
        builder.take(*other, &from_title);
        if *other == id {
            break;
        }
    }
    match builder.diagnostics.into_inner().into_vec().into_iter().find(Diagnostic::is_error) {
        Some(refusal) => Err(Box::new(refusal)),
        None => Ok(builder.slots.into_inner().into_iter().find(|s| s.id == id).map(|s| s.value)),
    }
}

/// Returns the canonical form of a value independent of its resource, or `None` if a block depends on more than the value: on the
/// resource, the machine or other resources.
///
/// # Errors
/// Returns the diagnostic if the value is invalid.
pub fn take_alone(type_def: &Arc<TypeDef>, id: AttrId, value: &Value) -> Option<Result<Value, Box<Diagnostic>>> {
    let attribute = type_def.attribute(id)?;
    let context = Context { world: &UnknownWorld, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: true };
    let title = EcoString::new();
    let slots = RefCell::default();
    let slots = Slots::Building(&slots);
    let view = View { type_def, title: &title, slots, context, provider: None, current: None, assign: None, looked: Cell::default() };
    let canonical = Canonical { view: &view, attribute, trace: None, secret: Cell::new(attribute.sensitive || value.has_secret()) };
    let taken = canonical.value(value);
    if view.looked.get() || taken.as_ref().is_err_and(|refusal| refusal.unknown) {
        return None;
    }
    Some(taken.map_err(|refusal| Box::new(refusal.diagnostic(type_def.name.as_str(), attribute.name.as_str(), Span::NONE))))
}

pub(super) struct Builder<'a> {
    preparation: &'a Preparation,
    type_def: &'a Arc<TypeDef>,
    declared: &'a Declared,
    /// The declared values by attribute.
    given: Vec<(AttrId, &'a DeclaredValue)>,
    context: Context<'a>,
    slots: RefCell<Vec<Slot>>,
    ignored: RefCell<Vec<Ignored>>,
    trace: RefCell<Vec<(AttrId, TraceStep)>>,
    diagnostics: RefCell<Findings>,
    secrets: RefCell<Vec<Span>>,
    provider: Cell<Option<&'a ProviderDef>>,
    /// The matching title pattern.
    row: Cell<Option<Span>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(preparation: &'a Preparation, declared: &'a Declared, context: Context<'a>) -> Builder<'a> {
        let type_def = &preparation.type_def;
        // The namevar may also be given as `name`; if both are set, the later one wins.
        let mut given: Vec<(AttrId, &DeclaredValue)> = Vec::with_capacity(declared.attributes.len());
        for (name, value) in declared.attributes.iter().filter(|(_, given)| !given.value.is_nil()) {
            let Some(id) = type_def.id_declared_as(name) else { continue };
            match given.iter_mut().find(|(of, _)| *of == id) {
                Some(earlier) => earlier.1 = value,
                None => given.push((id, value)),
            }
        }
        Builder {
            preparation,
            type_def,
            declared,
            given,
            context,
            slots: RefCell::new(preparation.room.take()),
            ignored: RefCell::default(),
            trace: RefCell::default(),
            diagnostics: RefCell::default(),
            secrets: RefCell::default(),
            provider: Cell::default(),
            row: Cell::default(),
        }
    }

    pub(super) fn run(self) -> Built {
        self.note_secrets();
        self.unknown_attributes();
        if let Some(from_title) = self.namevars() {
            for id in &self.type_def.order {
                self.take(*id, &from_title);
            }
            for id in &self.preparation.defaults {
                self.default(*id);
            }
            if !self.failed() {
                self.required();
                self.type_checks();
            }
        }
        let label = if self.failed() { None } else { self.label() };
        let usable = !self.failed();
        let (ignored, trace) = (self.ignored.take(), self.trace.take());
        let mut slots = self.slots.take();
        let noted = label.is_some() || !ignored.is_empty() || !trace.is_empty();
        let notes = noted.then(|| Box::new(Notes { label, ignored, trace, generated_by: None }));
        let instance = usable.then(|| Instance {
            type_def: Arc::clone(self.type_def),
            title: self.declared.title.clone(),
            span: self.declared.title_span,
            slots: Values::new(&mut slots, |id| self.given(id).is_some(), &mut self.preparation.shared.borrow_mut()),
            provider: self.provider.get().and_then(|p| self.type_def.providers.get_index_of(&p.name)?.try_into().ok()),
            notes,
        });
        slots.clear();
        self.preparation.room.set(slots);
        Built { instance, diagnostics: self.diagnostics.into_inner().into_vec(), secrets: self.secrets.into_inner() }
    }

    /// Records values given as secrets, even if they are invalid or unused.
    fn note_secrets(&self) {
        // For an unknown attribute, only the name is available.
        let known = |name: &str| self.type_def.id_declared_as(name).and_then(|id| self.type_def.attribute(id));
        let sensitive = |name: &str| known(name).map_or_else(|| is_suspect(name), |a| a.sensitive);
        let secret = self.declared.attributes.iter().filter(|(name, given)| given.sensitive || sensitive(name));
        self.secrets.borrow_mut().extend(secret.map(|(_, given)| given.span));
    }

    fn failed(&self) -> bool {
        self.diagnostics.borrow().has_error()
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().push(diagnostic);
    }

    fn reference(&self) -> String {
        rtype_lang::value::ResourceRef { type_name: self.type_def.name.clone(), title: self.declared.title.clone() }.to_string()
    }

    fn unknown_attributes(&self) {
        for (name, given) in &self.declared.attributes {
            if self.type_def.id_declared_as(name).is_some() {
                continue;
            }
            // An attribute that looks like a misspelled secret is treated as a secret.
            let secrets = self.type_def.attributes.iter().filter(|a| a.sensitive).map(|a| a.name.as_str());
            if nearest(name, secrets).is_some() {
                self.secrets.borrow_mut().push(given.span);
            }
            let known: Vec<&str> = self.type_def.attributes.iter().map(|a| a.name.as_str()).collect();
            let near = did_you_mean(name, known.iter().copied())
                .unwrap_or_else(|| format!("`rtype describe {}` lists its attributes", self.type_def.name));
            self.report(
                Diagnostic::new(
                    Code::UnknownResourceAttribute,
                    given.name_span,
                    format!("{}: the type `{}` has no attribute `{name}`", self.reference(), self.type_def.name),
                )
                .also(self.type_def.span, "the type")
                .help(near),
            );
        }
    }

    /// Returns the namevars from the title; `None` if no title pattern matches.
    fn namevars(&self) -> Option<title::ParsedTitle> {
        // If all namevars are set explicitly, the title need not match.
        let parsed = title::parse(self.type_def, &self.declared.title);
        let all_given = self.type_def.namevars.iter().all(|id| self.given(*id).is_some());
        if parsed.is_none() && !all_given {
            let rows: Vec<String> = self.type_def.title_patterns.iter().map(|p| format!("`{}`", p.regex)).collect();
            self.report(
                Diagnostic::new(
                    Code::InvalidTitle,
                    self.declared.title_span,
                    format!("{}: no title pattern of `{}` fits the title", self.reference(), self.type_def.name),
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
        let parsed = parsed.unwrap_or(title::ParsedTitle { values: Vec::new(), row: None });
        self.row.set(parsed.row);
        Some(parsed)
    }

    fn given(&self, id: AttrId) -> Option<&'a DeclaredValue> {
        self.given.iter().find(|(of, _)| *of == id).map(|(_, given)| *given)
    }

    /// Stores an attribute that is set explicitly or by the title.
    fn take(&self, id: AttrId, from_title: &title::ParsedTitle) {
        if Some(id) == self.preparation.provider_id {
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
                    Diagnostic::new(Code::Deprecated, given.name_span, format!("{}: `{}` is deprecated", self.reference(), attribute.name))
                        .help(use_instead),
                );
            }
            self.store(id, attribute, &given.value, Origin::Explicit, given.span);
        } else if let Some((_, text)) = from_title.values.iter().find(|(i, _)| *i == id) {
            self.store(id, attribute, &Value::Str(text.clone()), Origin::Title, self.declared.title_span);
        }
    }

    /// Returns whether the attribute is ignored, before its value is examined, because the provider lacks a feature.
    ///
    /// Follows Puppet's `Puppet::Type#newattr`, but warns.
    fn lacks_features(&self, id: AttrId, attribute: &AttributeDef, given: &DeclaredValue) -> bool {
        let missing = self.missing_features(attribute);
        if missing.is_empty() {
            return false;
        }
        let names: Vec<_> = missing.iter().map(|f| format!("`{f}`")).collect();
        let provider = self.provider.get().map(|p| p.name.as_str()).unwrap_or_default();
        let mut d = Diagnostic::new(
            Code::FeatureLacking,
            given.name_span,
            format!(
                "{}: `{}` has no effect: the provider `{provider}` lacks the feature {}",
                self.reference(),
                attribute.name,
                names.join(" and ")
            ),
        )
        .help("delete the attribute or, with `provider =>`, choose a provider that has it");
        if self.context.strict {
            d.severity = rtype_lang::diagnostics::Severity::Error;
        }
        self.report(d);
        self.ignored.borrow_mut().push(Ignored { id, missing });
        true
    }

    /// Warns if no provider of the type supports the attribute, for runs without a machine, where no provider is selected. The
    /// value is still checked.
    fn beyond_all_providers(&self, attribute: &AttributeDef, given: &DeclaredValue) {
        let providers = &self.type_def.providers;
        if !self.context.offline || self.provider.get().is_some() || providers.is_empty() || attribute.required_features.is_empty() {
            return;
        }
        let lacks = |p: &ProviderDef| !supports_all(self.type_def, p, &attribute.required_features).is_empty();
        if providers.values().all(lacks) {
            let names: Vec<_> = attribute.required_features.iter().map(|f| format!("`{f}`")).collect();
            let (own, name, features) = (self.reference(), &attribute.name, names.join(" and "));
            let message = format!("{own}: `{name}` has no effect: no provider of `{}` has the feature {features}", self.type_def.name);
            self.report(Diagnostic::new(Code::FeatureLacking, given.name_span, message).help("delete the attribute"));
        }
    }

    fn missing_features(&self, attribute: &AttributeDef) -> Vec<Symbol> {
        match self.provider.get() {
            Some(provider) if !attribute.required_features.is_empty() => {
                lacking(self.type_def, provider, &attribute.required_features, self.context.world)
            }
            _ => Vec::new(),
        }
    }

    fn choose_provider(&self, id: AttrId) {
        let (provider, origin, span, why) = if let Some(given) = self.given(id) {
            // The name of a provider is not secret, even if wrapped in `Sensitive`. The first element of a list is used.
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
                    Diagnostic::new(
                        Code::UnknownResourceProvider,
                        given.span,
                        format!("{}: the type `{}` has no provider {named}", self.reference(), self.type_def.name),
                    )
                    .maybe_help(help),
                );
                return;
            };
            (provider, Origin::Explicit, given.span, "given")
        } else {
            let chosen = self.preparation.provider.as_ref().and_then(|name| self.type_def.providers.get(name));
            let Some(provider) = chosen else { return };
            (provider, Origin::Default, Span::NONE, "the suitable provider that fits this machine best")
        };
        if self.context.trace {
            self.trace.borrow_mut().push((id, TraceStep { what: why.into(), span }));
        }
        self.provider.set(Some(provider));
        self.slots.borrow_mut().push(Slot { id, others: None, value: Value::Sym(provider.name.clone()), origin, span, was_text: false });
    }

    /// Canonicalizes the value and stores it. Reports an invalid value.
    fn store(&self, id: AttrId, attribute: &AttributeDef, value: &Value, origin: Origin, span: Span) -> bool {
        let steps = RefCell::default();
        let secret = attribute.sensitive || value.has_secret();
        let known = if secret || self.context.trace { None } else { self.preparation.known(id, value) };
        let result: Result<_, Refusal> = self.with_view(None, |view| {
            let canonical = Canonical { view, attribute, trace: self.context.trace.then_some(&steps), secret: Cell::new(secret) };
            let stored = match known {
                Some(known) => known,
                None => {
                    let stored = canonical.value(value)?;
                    if !view.looked.get() && !secret {
                        self.preparation.keep(id, value, &stored);
                    }
                    stored
                }
            };
            let unmunged = canonical.unmunged(&stored)?;
            Ok((stored, unmunged))
        });
        if self.context.trace {
            let shown =
                if secret { rtype_lang::value::REDACTED.into() } else { super::canonical::shorten(&rtype_lang::value::inspect(value)) };
            let row = self.row.get().filter(|_| origin == Origin::Title);
            let from = match origin {
                Origin::Title if row.is_some() => format!("{shown} from the title, by its pattern"),
                Origin::Title => format!("{shown}, the title"),
                Origin::Explicit => format!("given as {shown}"),
                Origin::Default => format!("by default {shown}"),
                Origin::Finalize => format!("set to {shown} by `finalize`"),
            };
            let mut trace = self.trace.borrow_mut();
            trace.push((id, TraceStep { what: from, span: row.unwrap_or(span) }));
            trace.extend(steps.into_inner().into_iter().map(|s| (id, s)));
        }
        match result {
            Ok((canonical, unmunged)) => {
                let was_text = matches!((value, &canonical), (Value::Str(given), Value::Sym(symbol)) if symbol.as_str() == given);
                let raw = (self.keeps_raw(id) && !was_text && *value != canonical).then(|| {
                    let hidden = secret && !matches!(value, Value::Sensitive(_));
                    if hidden { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() }
                });
                let mut slots = self.slots.borrow_mut();
                if origin == Origin::Finalize {
                    slots.retain(|s| s.id != id);
                }
                slots.push(Slot { id, value: canonical, others: Others::new(raw, unmunged), origin, span, was_text });
                true
            }
            Err(refusal) if refusal.unknown => {
                let raw = self.keeps_raw(id).then(|| value.clone());
                self.slots.borrow_mut().push(Slot {
                    id,
                    value: Value::Unknown,
                    others: Others::new(raw, None),
                    origin,
                    span,
                    was_text: false,
                });
                true
            }
            Err(refusal) => {
                self.refused(refusal, attribute, origin, span);
                false
            }
        }
    }

    /// Returns whether the value as given must be kept: for tracing, or because a block reads it.
    fn keeps_raw(&self, id: AttrId) -> bool {
        self.context.trace || self.type_def.reads_raw.contains(&id)
    }

    fn refused(&self, refusal: Refusal, attribute: &AttributeDef, origin: Origin, span: Span) {
        let blamed = refusal.at.clone();
        let span = blamed.as_deref().and_then(|a| self.declared.attributes.get(a)).map_or(span, |g| g.span);
        let name = blamed.unwrap_or_else(|| attribute.name.to_string());
        // A default is located in the type; the user's location is the resource that uses it.
        let (span, also) = match origin {
            Origin::Default | Origin::Finalize => (self.declared.title_span, span),
            _ => (span, Span::NONE),
        };
        self.report(refusal.diagnostic(&self.reference(), &name, span).also(also, "the default"));
    }

    fn default(&self, id: AttrId) {
        let Some(attribute) = self.type_def.attribute(id) else { return };
        if self.slots.borrow().iter().any(|s| s.id == id) || self.given(id).is_some() || !self.missing_features(attribute).is_empty() {
            return;
        }
        // A default does not manage a property that is only audited.
        if attribute.role == Role::Property && self.with_view(None, |view| super::kinds::audit::watches(view, &attribute.name)) {
            return;
        }
        let (value, span) = match &attribute.default {
            None => return,
            Some(Default::Value(value, span)) => (value.clone(), *span),
            Some(Default::Code(code)) => {
                let result = self.with_view(None, |view| {
                    let frame = Frame { scope: view, attribute: Some(&attribute.name), is: None, should: None, base: None };
                    run(code, &[], &frame)
                });
                match result {
                    Ok(value) => (value, code.inner.span),
                    Err(failure) if failure.is_unknown() => return,
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

    fn required(&self) {
        for (i, attribute) in self.type_def.attributes.iter().enumerate() {
            let Some(rule) = attribute.required else { continue };
            if self.slots.borrow().iter().all(|s| s.id != AttrId(i as u16)) {
                self.report(
                    Diagnostic::new(
                        Code::RequiredMissing,
                        self.declared.title_span,
                        format!("{}: `{}` is missing", self.reference(), attribute.name),
                    )
                    .also(rule, "it is required")
                    .help(format!("add `{} => …`", attribute.name)),
                );
            }
        }
    }

    fn type_checks(&self) {
        for check in &self.type_def.checks {
            let (code, may_write) = match check {
                TypeCheck::Finalize(code) => (code, true),
                TypeCheck::Validate(code) => (code, false),
            };
            let assign = |id: AttrId, value: Value| -> Result<(), Failure> {
                let Some(attribute) = self.type_def.attribute(id) else { return Ok(()) };
                if value.is_nil() {
                    self.slots.borrow_mut().retain(|s| s.id != id);
                    return Ok(());
                }
                if self.store(id, attribute, &value, Origin::Finalize, code.inner.span) {
                    Ok(())
                } else {
                    Err(Failure::new(Code::InvalidValue, code.inner.span, format!("`{}` was refused", attribute.name)))
                }
            };
            let before = self.diagnostics.borrow().count();
            let result = self.with_view(may_write.then_some(&assign), |view| {
                let frame = Frame { scope: view, attribute: None, is: None, should: None, base: None };
                run(code, &[], &frame)
            });
            let Err(failure) = result else { continue };
            if failure.is_unknown() || self.diagnostics.borrow().count() > before {
                continue;
            }
            let span = failure.at.as_ref().and_then(|a| self.declared.attributes.get(a)).map_or(self.declared.title_span, |g| g.span);
            let at = failure.at.as_ref().map(|a| format!("`{a}`: ")).unwrap_or_default();
            self.report(
                Diagnostic::new(Code::InvalidResource, span, format!("{}: {at}{}", self.reference(), failure.message))
                    .also(failure.span, "the rule")
                    .maybe_help(failure.help),
            );
        }
    }

    /// Returns the result of the type's `title` block.
    fn label(&self) -> Option<EcoString> {
        let code = self.type_def.title.as_ref()?;
        let result = self.with_view(None, |view| {
            let frame = Frame { scope: view, attribute: None, is: None, should: None, base: None };
            run(code, &[], &frame)
        });
        match result {
            Ok(value) if value.is_nil() || value.has_secret() => None,
            Ok(value) => Some(value.to_text()),
            Err(failure) if failure.is_unknown() => None,
            Err(failure) => {
                let message = format!("{}: {}", self.reference(), failure.message);
                self.report(
                    Diagnostic::new(Code::BlockFailed, self.declared.title_span, message)
                        .also(failure.span, "in the type's `title`")
                        .maybe_help(failure.help),
                );
                None
            }
        }
    }

    fn with_view<T>(&self, assign: Option<super::view::Assign<'_>>, f: impl FnOnce(&View<'_>) -> T) -> T {
        let slots = Slots::Building(&self.slots);
        let view = View {
            type_def: self.type_def,
            title: &self.declared.title,
            slots,
            context: self.context,
            provider: self.provider.get().map(|provider| BoundProvider {
                type_def: self.type_def,
                provider,
                context: self.context,
                title: &self.declared.title,
                slots,
                asked: Cell::new(0),
            }),
            current: None,
            assign,
            looked: Cell::default(),
        };
        f(&view)
    }
}
