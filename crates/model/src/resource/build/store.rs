//! Canonicalizes, validates and stores values, and runs blocks that assign values.

use super::Builder;
use crate::manifest::Declared;
use crate::resource::canonical::{Canonical, Refusal, RefusalKind, Skipped, shorten};
use crate::resource::instance::{Origin, Others, Slot};
use crate::resource::provider::finalize;
use crate::resource::trace::TraceStep;
use crate::resource::view::{Assign, Slots, View};
use crate::resource::{Context, UNDECIDED};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::eval::{Failure, Frame, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, AttributeDef, CodeBlock, ProviderDef, Role, TypeCheck, TypeDef, ValueStep};
use rtype_lang::value::{EcoString, REDACTED, Value, inspect};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The scope for a resource's blocks, apart from the values.
#[derive(Clone, Copy)]
struct ValueContext<'a> {
    type_def: &'a TypeDef,
    title: &'a EcoString,
    context: Context<'a>,
    provider: Option<&'a ProviderDef>,
    declared: &'a Declared,
}

impl<'a> ValueContext<'a> {
    fn view<'v>(self, slots: Slots<'v>, assign: Option<Assign<'v>>) -> View<'v>
    where
        'a: 'v,
    {
        let ValueContext { type_def, title, context, provider, declared } = self;
        View { assign, declaration: Some(declared), ..View::new(type_def, title, slots, context).with_provider(provider) }
    }
}

/// A value to be stored.
#[derive(Clone, Copy)]
struct GivenValue<'v> {
    id: AttrId,
    attribute: &'v AttributeDef,
    value: &'v Value,
    origin: Origin,
    span: Span,
}

/// The canonical form of a value.
struct Canonicalized {
    /// The canonical value, and the value for blocks if different.
    result: Result<(Value, Option<Value>), Refusal>,
    /// True if the result depends only on the value and was not cached.
    is_reusable: bool,
    /// True if the result depends on the resource or the machine.
    is_looked_up: bool,
    steps: Vec<TraceStep>,
    /// The checks that were skipped.
    skipped: Vec<Skipped>,
    /// The `munge` block that returned nil.
    dropped: Option<Span>,
}

/// An invalid value, already reported.
struct Refused;

impl<'a> Builder<'a> {
    fn value_context(&self) -> ValueContext<'a> {
        ValueContext {
            type_def: self.type_def,
            title: &self.declared.title,
            context: self.context,
            provider: self.provider,
            declared: self.declared,
        }
    }

    /// Returns the resource as built so far.
    pub(super) fn view(&self) -> View<'_> {
        self.value_context().view(Slots::Building(&self.slots), None)
    }

    /// Evaluates a block about the resource.
    pub(super) fn evaluate(&self, code: &CodeBlock) -> Result<Value, Failure> {
        run(code, &[], &Frame { scope: &self.view(), attribute: None, is: None, should: None, base: None })
    }

    /// Canonicalizes the value and stores it. Reports an invalid value.
    pub(super) fn store(&mut self, id: AttrId, attribute: &AttributeDef, value: &Value, origin: Origin, span: Span) {
        if self.leaves_values && attribute.role != Role::Metaparam {
            // A Ruby provider converts every value itself, including namevars.
            let others = Others::new(Some(value.clone()), None);
            self.slots.push(Slot { id, value: Value::Unknown, others, origin, span, was_text: false });
            return;
        }
        let given = GivenValue { id, attribute, value, origin, span };
        let canonicalized = self.canonicalize(Slots::Building(&self.slots), given);
        let slot = self.accept(canonicalized, given);
        self.slots.extend(slot.ok().flatten());
    }

    /// Reports an attribute with an unmatched optional group in the title pattern, unless Ruby code decides the attribute.
    ///
    /// Follows Puppet's `Puppet::Type#[]=`, which rejects nil.
    pub(super) fn without_value(&mut self, id: AttrId, attribute: &AttributeDef) {
        let left = attribute.munge.steps.iter().find_map(|step| match step {
            ValueStep::Code(code) if code.is_untranslated() => self.evaluate(code).err(),
            _ => None,
        });
        if let Some(left) = left {
            self.not_checked(Some(attribute.name.as_str()), left.into());
            let (origin, span) = (Origin::Title, self.declared.title_span);
            self.slots.push(Slot { id, value: Value::Unknown, others: None, origin, span, was_text: false });
            return;
        }
        let message = format!("the title gives no value for `{}`", attribute.name);
        let mut d = self.about(Code::InvalidResource, self.declared.title_span, message);
        if let Some(row) = self.row {
            d = d.also(row, "its group takes no part in the match");
        }
        self.report(d.help(format!("declare `{}`", attribute.name)));
    }

    /// Converts the title part for an attribute to a value. Returns `None` after reporting a failure.
    ///
    /// Follows Puppet's `Puppet::Resource#parse_title`, which calls the pattern's function before the resource exists.
    pub(super) fn titled_value(&mut self, id: AttrId, attribute: &AttributeDef, text: Value) -> Option<Value> {
        let Some(code) = &attribute.from_title else { return Some(text) };
        let frame = Frame { scope: &self.view(), attribute: Some(&attribute.name), is: None, should: None, base: None };
        let (origin, span) = (Origin::Title, self.declared.title_span);
        match run(code, &[text], &frame) {
            Ok(value) => Some(value),
            Err(failure) if failure.is_unknown() => {
                if failure.is_untranslated() {
                    self.not_checked(Some(attribute.name.as_str()), failure.into());
                }
                self.slots.push(Slot { id, value: Value::Unknown, others: None, origin, span, was_text: false });
                None
            }
            Err(failure) => {
                let message = format!("the title gives no value for `{}`: {}", attribute.name, failure.message);
                let d = self.about(Code::InvalidTitle, span, message).also(failure.span, "in its `from_title`");
                self.report(d.maybe_help(failure.help));
                None
            }
        }
    }

    fn canonicalize(&self, slots: Slots<'_>, given: GivenValue<'_>) -> Canonicalized {
        let GivenValue { id, attribute, value, .. } = given;
        let steps = RefCell::default();
        let secret = is_secret(given);
        let known = if secret || self.context.trace { None } else { self.reused.canonical(id, value) };
        let view = View { given: Some((id, value)), ..self.value_context().view(slots, None) };
        let canonical = Canonical {
            view: &view,
            attribute,
            trace: self.context.trace.then_some(&steps),
            secret: Cell::new(secret),
            skipped: RefCell::default(),
            dropped: Cell::default(),
        };
        let is_new = known.is_none();
        let stored = known.map_or_else(|| canonical.value(value), Ok);
        let is_whole = canonical.skipped.borrow().is_empty() && canonical.dropped.get().is_none();
        let is_reusable = is_new && !secret && !view.looked.get() && is_whole;
        let result = stored.and_then(|stored| {
            let unmunged = canonical.unmunged(&stored)?;
            Ok((stored, unmunged))
        });
        let (skipped, dropped) = (canonical.skipped.into_inner(), canonical.dropped.get());
        Canonicalized { result, is_reusable, is_looked_up: view.looked.get(), steps: steps.into_inner(), skipped, dropped }
    }

    /// Returns the slot for a value, if it has one, or reports the reason for rejecting the value.
    fn accept(&mut self, canonicalized: Canonicalized, given: GivenValue<'_>) -> Result<Option<Slot>, Refused> {
        let Canonicalized { result, is_reusable, is_looked_up, steps, skipped, dropped } = canonicalized;
        let GivenValue { id, attribute, value, origin, span } = given;
        if self.context.trace {
            self.record(given, steps);
        }
        for part in skipped {
            match part {
                Skipped::Untranslated(part) => self.not_checked(Some(attribute.name.as_str()), part),
                Skipped::Undecided(rule) => self.undecided(Some(attribute.name.as_str()), rule),
            }
        }
        match result {
            // The comparison uses the value for blocks.
            Ok((Value::Nil, unmunged)) if let Some(munge) = dropped.filter(|_| unmunged.as_ref().is_none_or(Value::is_nil)) => {
                self.dropped(attribute, origin, span, munge);
                Ok(None)
            }
            Ok((canonical, unmunged)) => {
                if is_reusable {
                    self.reused.keep(id, value, &canonical);
                }
                if is_looked_up && canonical.has_object() {
                    self.late.push((id, value.clone(), origin, span));
                }
                let was_text = matches!((value, &canonical), (Value::Str(given), Value::Sym(symbol)) if symbol.as_str() == given);
                let raw = (self.keeps_raw(id) && !was_text && *value != canonical).then(|| {
                    let hidden = is_secret(given) && !matches!(value, Value::Sensitive(_));
                    if hidden { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() }
                });
                Ok(Some(Slot { id, value: canonical, others: Others::new(raw, unmunged), origin, span, was_text }))
            }
            Err(refusal) if refusal.is_unknown() => {
                let untranslated = refusal.kind == RefusalKind::Untranslated;
                if untranslated {
                    self.not_checked(Some(attribute.name.as_str()), refusal.into());
                }
                // A Ruby provider converts the value itself.
                let raw = (untranslated || self.keeps_raw(id)).then(|| value.clone());
                Ok(Some(Slot { id, value: Value::Unknown, others: Others::new(raw, None), origin, span, was_text: false }))
            }
            Err(refusal) => {
                self.refused(refusal, attribute, origin, span);
                Err(Refused)
            }
        }
    }

    /// Warns about an attribute that is not set because the `munge` block returned nil. This may be an oversight.
    ///
    /// Follows Puppet's `Puppet::Property#should` and `Puppet::Parameter#value`: both return nil, and the attribute is not managed.
    fn dropped(&mut self, attribute: &AttributeDef, origin: Origin, span: Span, munge: Span) {
        let span = if matches!(origin, Origin::Default | Origin::Finalize) { self.declared.title_span } else { span };
        let message = format!("`{}` has no effect: its `munge` gave nil", attribute.name);
        let d = self.about(Code::ValueDropped, span, message).caused_by(attribute.name.as_str()).also(munge, "the rule");
        self.report(d.help("a `munge` block gives the value to store; leave the attribute out if it must not be managed"));
    }

    /// Replaces the string forms of objects that depend on the resource, now that all attributes are set. Ruby creates these strings on
    /// demand.
    pub(super) fn late_texts(&mut self) {
        for (id, value, origin, span) in std::mem::take(&mut self.late) {
            let Some(attribute) = self.type_def.attribute(id) else { continue };
            let given = GivenValue { id, attribute, value: &value, origin, span };
            let Ok((again, _)) = self.canonicalize(Slots::Building(&self.slots), given).result else { continue };
            // Equal objects have the same parts.
            if let Some(slot) = self.slots.iter_mut().find(|slot| slot.id == id && slot.value == again) {
                slot.value = again;
            }
        }
    }

    /// Adds a value's derivation to the trace.
    fn record(&mut self, given: GivenValue<'_>, steps: Vec<TraceStep>) {
        let shown = if is_secret(given) { REDACTED.into() } else { shorten(&inspect(given.value)) };
        let row = self.row.filter(|_| given.origin == Origin::Title);
        let what = match given.origin {
            Origin::Title if row.is_some() => format!("{shown} from the title, by its pattern"),
            Origin::Title => format!("{shown}, the title"),
            Origin::Explicit => format!("given as {shown}"),
            Origin::Default => format!("by default {shown}"),
            Origin::Finalize => format!("set to {shown} by `finalize`"),
        };
        self.trace.push((given.id, TraceStep { what, span: row.unwrap_or(given.span) }));
        self.trace.extend(steps.into_iter().map(|step| (given.id, step)));
    }

    /// Returns true if the value must be kept as given: for tracing, for a block that reads it, or for a Ruby provider, which converts the
    /// value itself.
    fn keeps_raw(&self, id: AttrId) -> bool {
        let is_in_ruby = || self.provider.is_none_or(|provider| self.type_def.worker(provider).is_none());
        self.context.trace || self.type_def.reads_raw.contains(&id) || (self.context.world.runs_ruby() && is_in_ruby())
    }

    pub(super) fn refused(&mut self, refusal: Refusal, attribute: &AttributeDef, origin: Origin, span: Span) {
        let blamed = refusal.at.clone();
        let span = blamed.as_deref().and_then(|a| self.declared.attributes.get(a)).map_or(span, |g| g.span);
        let name = blamed.unwrap_or_else(|| attribute.name.to_string());
        // A default is located in the type; the user's location is the resource that uses the default.
        let (span, also) = match origin {
            Origin::Default | Origin::Finalize => (self.declared.title_span, span),
            _ => (span, Span::NONE),
        };
        if refusal.faults.is_empty() || !also.is_none() {
            self.report(refusal.diagnostic(&self.reference(), &name, span).also(also, "the default"));
            return;
        }
        let parts = self.declared.attributes.get(&attribute.name.text()).and_then(|given| given.parts.clone());
        for (fault, rule) in refusal.faults {
            let span = parts.as_ref().and_then(|parts| parts.locate(&fault.path)).unwrap_or(span);
            let path: String = fault.path.iter().map(|step| step.text.as_str()).collect();
            let message = format!("`{name}{path}`: {}", fault.message);
            let d = Diagnostic::of_resource(refusal.code, span, &self.reference(), None, message).caused_by(&name);
            self.report(d.also(rule, "the rule").maybe_help(fault.help));
        }
    }

    /// Runs the type's own checks in the type's order.
    pub(super) fn type_checks(&mut self) {
        for check in &self.type_def.checks {
            let before = self.diagnostics.count();
            let result = match check {
                TypeCheck::Finalize(code) => self.finalize(code, self.type_def),
                TypeCheck::Validate(code) => self.evaluate(code),
            };
            self.checked(result, before);
        }
    }

    /// Reports a rule that is not checked because it depends on an unknown value.
    pub(super) fn undecided(&mut self, attribute: Option<&str>, rule: Span) {
        let span = attribute.and_then(|a| self.declared.attributes.get(a)).map_or(self.declared.title_span, |given| given.span);
        let d = Diagnostic::of_resource(Code::NotChecked, span, &self.reference(), attribute, UNDECIDED);
        self.report(d.also(rule, "unknown value"));
    }

    /// Runs the provider's `finalize` blocks, parents first.
    pub(super) fn provider_finalizes(&mut self) {
        let Some(provider) = self.provider else { return };
        let type_def = self.type_def;
        let lineage: Vec<_> = type_def.lineage(provider).collect();
        for (of, code) in lineage.into_iter().rev().flat_map(|(of, p)| p.finalizes.iter().map(move |code| (of, code))) {
            let before = self.diagnostics.count();
            let result = self.finalize(code, of);
            self.checked(result, before);
        }
    }

    /// Reports a failed check, unless the check itself has reported a failure.
    fn checked(&mut self, result: Result<Value, Failure>, before: usize) {
        let Err(failure) = result else { return };
        if failure.is_untranslated() {
            self.not_checked(None, failure.into());
            return;
        }
        if failure.is_unknown() {
            self.undecided(None, failure.span);
        }
        if failure.is_unknown() || self.diagnostics.count() > before {
            return;
        }
        let span = failure.at.as_ref().and_then(|a| self.declared.attributes.get(a)).map_or(self.declared.title_span, |g| g.span);
        self.report(
            Diagnostic::of_resource(Code::InvalidResource, span, &self.reference(), failure.at.as_deref(), failure.message)
                .also(failure.span, "the rule")
                .maybe_help(failure.help),
        );
    }

    /// Runs a `finalize` block from the type `of`. The block can read values that it has assigned.
    fn finalize(&mut self, code: &CodeBlock, of: &TypeDef) -> Result<Value, Failure> {
        let surroundings = self.value_context();
        let slots = RefCell::new(std::mem::take(&mut self.slots));
        let builder = RefCell::new(&mut *self);
        let assign = |id: AttrId, value| builder.borrow_mut().assign(&slots, id, value, code.inner.span);
        let view = surroundings.view(Slots::Assigned(&slots), Some(&assign));
        let result = finalize(code, of, &view);
        self.slots = slots.into_inner();
        result
    }

    fn assign(&mut self, slots: &RefCell<Vec<Slot>>, id: AttrId, value: Result<Value, Failure>, span: Span) -> Result<(), Failure> {
        let Some(attribute) = self.type_def.attribute(id) else { return Ok(()) };
        let value = match &value {
            Ok(value) => value,
            Err(failure) => {
                self.not_checked(Some(attribute.name.as_str()), failure.clone().into());
                let mut slots = slots.borrow_mut();
                slots.retain(|s| s.id != id);
                slots.push(Slot { id, value: Value::Unknown, others: None, origin: Origin::Finalize, span, was_text: false });
                return Ok(());
            }
        };
        if value.is_nil() {
            slots.borrow_mut().retain(|s| s.id != id);
            return Ok(());
        }
        let given = GivenValue { id, attribute, value, origin: Origin::Finalize, span };
        let canonicalized = self.canonicalize(Slots::Assigned(slots), given);
        let Ok(slot) = self.accept(canonicalized, given) else {
            return Err(Failure::new(Code::InvalidValue, span, format!("`{}` was refused", attribute.name)));
        };
        let mut slots = slots.borrow_mut();
        slots.retain(|s| s.id != id);
        slots.extend(slot);
        Ok(())
    }
}

fn is_secret(given: GivenValue<'_>) -> bool {
    given.attribute.sensitive || given.value.has_secret()
}
