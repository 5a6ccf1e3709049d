//! Decides whether properties are in sync, and formats change messages.

use super::display::for_display;
use super::instance::Instance;
use super::together::CurrentValues;
use super::view::{Slots, View};
use super::{Context, kinds};
use rtype_lang::diagnostics::Code as DiagnosticCode;
use rtype_lang::eval::{Failure, Frame, QueryError, run};
use rtype_lang::types::{ArrayMatching, AttrId, AttributeDef, CodeBlock, Compare, Role};
use rtype_lang::value::{REDACTED, Symbol, Value, in_sync};
use std::sync::Arc;

/// The implementation of `base` in a block: the built-in comparison that the block replaces.
type Base<'a> = &'a dyn Fn(&[Value]) -> Result<Value, Failure>;

/// The state of one property.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The current value is the desired one.
    InSync,
    /// The current value differs; contains the change message.
    OutOfSync(String),
    /// The property changes together with `ensure`: set when the resource is created, gone when the resource is removed.
    WithEnsure,
    /// The current value cannot be read; contains the error.
    Unreadable(Box<Failure>),
    /// The state depends on an unknown value.
    Unknown,
    /// The type's comparison block failed; contains the error.
    Failed(Box<Failure>),
    /// The state depends on a part of the type that is left in Ruby; contains the reason.
    Untranslated(Box<Failure>),
}

impl Status {
    /// Returns true if the property is in sync; `None` if unknown.
    pub fn in_sync(&self) -> Option<bool> {
        match self {
            Status::InSync => Some(true),
            Status::OutOfSync(_) | Status::WithEnsure => Some(false),
            Status::Unreadable(_) | Status::Unknown | Status::Failed(_) | Status::Untranslated(_) => None,
        }
    }
}

/// A property's desired and current value.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The property.
    pub id: AttrId,
    /// Name of the property.
    pub name: Symbol,
    /// The current value; sensitive values are wrapped.
    pub is: Result<Value, Box<Failure>>,
    /// The desired value; sensitive values are wrapped.
    pub should: Value,
    /// All desired values if any single value is sufficient; otherwise empty.
    pub any_of: Vec<Value>,
    /// The state.
    pub status: Status,
    /// Why the type's own blocks could not format the change message. The message then contains no values.
    pub unformatted: Option<Box<Failure>>,
}

impl Comparison {
    /// Returns true if the current value equals a desired value, without running the type's `insync` block.
    pub fn reads_as_desired(&self) -> bool {
        let Ok(is) = self.is.as_ref().map(Value::unwrapped) else { return false };
        // If values print the same, no useful message could blame the provider for the difference.
        let same = |should: &Value| is == should.unwrapped() || for_display(is) == for_display(should.unwrapped());
        same(&self.should) || self.any_of.iter().any(same)
    }
}

/// The state of a resource.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// One comparison per property with a desired value, in the type's order.
    pub properties: Vec<Comparison>,
}

impl Verdict {
    /// Returns `Some(false)` if any property is out of sync, otherwise `None` if any property is unknown, otherwise `Some(true)`.
    pub fn in_sync(&self) -> Option<bool> {
        if self.properties.iter().any(|p| p.status.in_sync() == Some(false)) {
            Some(false)
        } else if self.properties.iter().all(|p| p.status.in_sync() == Some(true)) {
            Some(true)
        } else {
            None
        }
    }

    /// Returns the properties that a run would change, in order. If `ensure` would change, it is the only property.
    pub fn plan(&self) -> Vec<&Comparison> {
        let out: Vec<_> = self.properties.iter().filter(|p| matches!(p.status, Status::OutOfSync(_))).collect();
        match out.first() {
            Some(first) if first.name.as_str() == "ensure" => out.into_iter().take(1).collect(),
            _ => out,
        }
    }
}

/// Reads a property's current value, or returns the reason for a failed read.
pub type PropertyReader<'a> = &'a dyn Fn(AttrId) -> Result<Value, QueryError>;

pub(super) fn view_of<'a>(instance: &'a Instance, context: Context<'a>, current: Option<PropertyReader<'a>>) -> View<'a> {
    let provider = instance.provider().and_then(|p| instance.type_def.providers.get(p.as_str()));
    let view = View::new(&instance.type_def, &instance.title, Slots::Done(&instance.slots), context);
    View { current, ..view.with_provider(provider) }
}

/// Compares the current and desired values of every property with a desired value.
///
/// `current` is called for each property and returns `:absent` for a property that was not reported.
pub fn compare_all(instance: &Instance, current: PropertyReader<'_>, context: Context<'_>) -> Verdict {
    let read = CurrentValues::read(instance, current, context);
    let current: PropertyReader<'_> = &|id| read.get(id);
    let view = view_of(instance, context, Some(current));
    let comparer = Comparer { instance, view: &view };
    let mut properties = Vec::new();
    let ensure_id = instance.type_def.id_of("ensure");
    let is_absent = ensure_id.is_some_and(|id| current(id).is_ok_and(|v| v.is_absent()));
    // The resource as a whole is unknown: code left in Ruby may make it present, and then its properties change.
    let is_left = instance.not_checked().iter().any(|part| part.attribute.is_none());
    let mut ensure_changes = false;
    let mut goes_away = false;
    for id in instance.type_def.synced() {
        let Some(attribute) = instance.type_def.attribute(id).filter(|_| instance.slot(id).is_some()) else { continue };
        let mut comparison = comparer.compare(id, attribute, current);
        // `[undef]` has no desired value, and a `should` block may return nil.
        if comparison.should.unwrapped().is_nil() {
            continue;
        }
        if Some(id) == ensure_id {
            ensure_changes = comparison.status.in_sync() == Some(false);
            goes_away = ensure_changes && comparison.should.unwrapped().is_absent();
        } else if is_absent && !is_left {
            // An absent resource's properties change together with `ensure` or not at all.
            comparison.status = if ensure_changes { Status::WithEnsure } else { Status::InSync };
            // A provider may also read the values that an absent resource would have.
            if ensure_changes {
                comparison.is = Ok(Value::sym("absent"));
            }
        } else if is_absent && !ensure_changes && comparison.status.in_sync() == Some(false) {
            comparison.status = Status::Unknown;
        } else if goes_away {
            comparison.status = Status::WithEnsure;
        }
        properties.push(comparison);
    }
    Verdict { properties }
}

/// Compares a single property, regardless of `ensure`; `None` if the property has no desired value.
pub fn compare_one(instance: &Instance, id: AttrId, current: PropertyReader<'_>, context: Context<'_>) -> Option<Comparison> {
    let attribute = instance.type_def.attribute(id).filter(|a| a.role == Role::Property)?;
    instance.slot(id)?;
    let read = CurrentValues::read(instance, current, context);
    let current: PropertyReader<'_> = &|id| read.get(id);
    let view = view_of(instance, context, Some(current));
    Some(Comparer { instance, view: &view }.compare(id, attribute, current))
}

/// Returns a property's current and desired value, formatted by the type; secrets are redacted.
///
/// # Errors
/// Returns the failure of the type's block.
pub fn sides(instance: &Instance, comparison: &Comparison, context: Context<'_>) -> Result<(String, String), Failure> {
    formatted(instance, comparison, context, &|comparer, attribute, is, should, secret| {
        Ok((comparer.worded(attribute, is, true, is, should, secret)?, comparer.worded(attribute, should, false, is, should, secret)?))
    })
}

/// Returns the change message for a property, from the current to the desired value, formatted by the type; secrets are redacted.
///
/// # Errors
/// Returns the failure of the type's `change_to_s`, `is_to_s` or `should_to_s`.
pub fn change_message(instance: &Instance, comparison: &Comparison, context: Context<'_>) -> Result<String, Failure> {
    formatted(instance, comparison, context, &|comparer, attribute, is, should, secret| comparer.message(attribute, is, should, secret))
}

/// Formats the values of a comparison.
type Format<'f, T> = &'f dyn Fn(&Comparer<'_>, &AttributeDef, &Value, &Value, bool) -> Result<T, Failure>;

fn formatted<T: Default>(instance: &Instance, comparison: &Comparison, context: Context<'_>, format: Format<'_, T>) -> Result<T, Failure> {
    let current =
        |id: AttrId| if id == comparison.id { comparison.is.clone().map_err(QueryError::Block) } else { Err(QueryError::PropertyNotRead) };
    let Some(attribute) = instance.type_def.attribute(comparison.id) else { return Ok(T::default()) };
    let view = view_of(instance, context, Some(&current));
    let is = comparison.is.clone().unwrap_or_default();
    let secret = attribute.sensitive || is.has_secret() || comparison.should.has_secret();
    format(&Comparer { instance, view: &view }, attribute, is.unwrapped(), comparison.should.unwrapped(), secret)
}

/// Evaluates code in the scope of an instance, like the type's blocks.
///
/// # Errors
/// Returns the failure of the code.
pub fn evaluate(
    instance: &Instance,
    code: &CodeBlock,
    arguments: &[Value],
    current: PropertyReader<'_>,
    context: Context<'_>,
) -> Result<Value, Failure> {
    let view = view_of(instance, context, Some(current));
    let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
    run(code, arguments, &frame)
}

/// Returns true if a value is a list with no elements except `absent`.
fn is_empty_array(value: &Value) -> bool {
    matches!(value, Value::Array(all) if all.iter().all(Value::is_absent))
}

struct Comparer<'a> {
    instance: &'a Instance,
    view: &'a View<'a>,
}

impl Comparer<'_> {
    fn compare(&self, id: AttrId, attribute: &AttributeDef, current: PropertyReader<'_>) -> Comparison {
        let stored = self.instance.slot(id).map(|s| s.value.clone()).unwrap_or_default();
        let read = self.read(id, attribute, current);
        let wanted = self.view.known_wanted(id);
        let (untranslated, failed) = match wanted.as_ref().err().cloned() {
            Some(failure) if !failure.is_untranslated() => (None, Some(failure)),
            failure => (failure, None),
        };
        let wanted = wanted.unwrap_or(Value::Unknown);
        // A `retrieve` or `should` block may return another attribute's secret.
        let has_secret = [&stored, &wanted].into_iter().chain(read.as_ref()).any(Value::has_secret);
        let secret = attribute.sensitive || has_secret || self.instance.slot(id).is_some_and(|s| s.seen().has_secret());
        let read = read.map(|is| is.unwrapped().clone());
        let read = match &attribute.native {
            Some(kind) => read.map(|is| kinds::retrieved(kind, is)),
            None => read,
        };
        let should = match &attribute.native {
            Some(kind) => kinds::should(kind, stored.unwrapped(), read.as_ref().ok(), self.view),
            None => wanted.unwrapped().clone(),
        };
        // Untranslated code takes precedence as the reason, even if it makes the value unknown.
        let left = read.as_ref().err().filter(|failure| failure.is_untranslated()).cloned();
        let left = left.or_else(|| Some(Box::new(self.instance.left_of(attribute).filter(|_| stored.has_unknown())?)));
        let mut unformatted = None;
        let status = if let Some(failure) = untranslated.map(Box::new).or(left) {
            Status::Untranslated(failure)
        } else if let Some(failure) = failed {
            Status::Failed(Box::new(failure))
        } else if stored.has_unknown() {
            Status::Unknown
        } else {
            match &read {
                Err(failure) => Status::Unreadable(failure.clone()),
                Ok(is) => self.status(attribute, is, stored.unwrapped(), &should, secret, &mut unformatted),
            }
        };
        let hide = |v: Value| if secret { Value::Sensitive(Arc::new(v)) } else { v };
        let seen = self.instance.slot(id).map(|s| s.seen().unwrapped().clone()).unwrap_or_default();
        let any_of = match (attribute.array_matching, &attribute.should, &seen) {
            (ArrayMatching::First, None, Value::Array(all)) if all.len() > 1 => all.iter().cloned().map(hide).collect(),
            _ => Vec::new(),
        };
        Comparison { id, name: attribute.name.clone(), is: read.map(hide), should: hide(should), any_of, status, unformatted }
    }

    fn read(&self, id: AttrId, attribute: &AttributeDef, current: PropertyReader<'_>) -> Result<Value, Box<Failure>> {
        match &attribute.retrieve {
            Some(code) => {
                let base = |_: &[Value]| current(id).map_err(|e| Failure::query(DiagnosticCode::ReadFailed, code.inner.span, e));
                let frame = Frame { scope: self.view, attribute: Some(&attribute.name), is: None, should: None, base: Some(&base) };
                run(code, &[], &frame).map_err(Box::new)
            }
            None => current(id).map_err(|e| Box::new(Failure::query(DiagnosticCode::ReadFailed, attribute.span, e))),
        }
    }

    fn status(
        &self,
        attribute: &AttributeDef,
        is: &Value,
        stored: &Value,
        should: &Value,
        secret: bool,
        unformatted: &mut Option<Box<Failure>>,
    ) -> Status {
        match self.in_sync(attribute, is, stored, should, secret) {
            Ok(true) => Status::InSync,
            // As in Puppet, a formatting failure does not keep the property from being brought in sync. The message then shows no values,
            // because the type's own format may exist to hide them.
            Ok(false) => Status::OutOfSync(self.message(attribute, is, should, secret).unwrap_or_else(|failure| {
                *unformatted = Some(Box::new(failure));
                format!("{} changed", attribute.name)
            })),
            Err(failure) if failure.is_untranslated() => Status::Untranslated(Box::new(failure)),
            Err(failure) if failure.is_unknown() => Status::Unknown,
            Err(failure) => Status::Failed(Box::new(failure)),
        }
    }

    fn in_sync(&self, attribute: &AttributeDef, is: &Value, stored: &Value, should: &Value, secret: bool) -> Result<bool, Failure> {
        // Most formats cannot distinguish an empty list from an unset property. `insync` also replaces this rule.
        let is_empty = is_empty_array(stored) && (is.is_absent() || is_empty_array(is)) || is_empty_array(is) && stored.is_absent();
        if is_empty && attribute.insync.is_none() {
            return Ok(true);
        }
        let all: &[Value] = match stored {
            Value::Array(values) => values,
            one => std::slice::from_ref(one),
        };
        let default = |is: &Value| -> Result<bool, Failure> {
            if let Some(kind) = &attribute.native
                && let Some(verdict) = kinds::in_sync(kind, is, should, all, self.view)
            {
                return verdict.map_err(|error| {
                    let message = if secret { "the value cannot be compared".into() } else { error.to_string() };
                    Failure::new(DiagnosticCode::BlockFailed, attribute.span, message)
                });
            }
            if all.is_empty() {
                return Ok(true);
            }
            // A `should` block returns a single value instead of all desired values, unless the block is only for other code.
            let combines = attribute.should.is_some() && !attribute.compares_given;
            let whole = attribute.array_matching == ArrayMatching::All || combines;
            let given = Value::array(all.iter().cloned());
            let candidates: Vec<&Value> = match whole {
                true if attribute.compares_given => vec![&given],
                // The comparison uses the canonical value, not the unmunged form.
                true if attribute.unmunge.is_some() && attribute.should.is_none() => vec![stored],
                true => vec![should],
                false => all.iter().collect(),
            };
            for candidate in candidates {
                let fits = match &attribute.compare {
                    Compare::Code(code) => {
                        self.block(attribute, code, &[is.clone(), candidate.clone()], is, candidate, None, secret)?.is_truthy()
                    }
                    Compare::Named(how) => in_sync(*how, is, candidate, whole),
                };
                if fits {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        match &attribute.insync {
            Some(code) => {
                let base = |arguments: &[Value]| default(arguments.first().map_or(is, Value::unwrapped)).map(Value::Bool);
                Ok(self.block(attribute, code, std::slice::from_ref(is), is, should, Some(&base), secret)?.is_truthy())
            }
            None => default(is),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of one frame")]
    fn block(
        &self,
        attribute: &AttributeDef,
        code: &CodeBlock,
        arguments: &[Value],
        is: &Value,
        should: &Value,
        base: Option<Base<'_>>,
        secret: bool,
    ) -> Result<Value, Failure> {
        let hide = |v: &Value| if secret { Value::Sensitive(Arc::new(v.clone())) } else { v.clone() };
        let (is, should) = (hide(is), hide(should));
        let arguments: Vec<Value> = arguments.iter().map(hide).collect();
        let frame = Frame { scope: self.view, attribute: Some(&attribute.name), is: Some(&is), should: Some(&should), base };
        run(code, &arguments, &frame)
    }

    /// Follows Puppet's `Puppet::Property#change_to_s` and, for `ensurable`, `Puppet::Property::Ensure#change_to_s`.
    fn message(&self, attribute: &AttributeDef, is: &Value, should: &Value, secret: bool) -> Result<String, Failure> {
        let name = attribute.name.as_str();
        let default = |is: &Value, should: &Value| -> Result<String, Failure> {
            if attribute.ensurable {
                if is.is_absent() || is.is_nil() {
                    return Ok("created".into());
                } else if should.is_absent() {
                    return Ok("removed".into());
                }
            } else if is.is_absent() {
                return Ok(format!("defined '{name}' as {}", self.worded(attribute, should, false, is, should, secret)?));
            } else if should.is_absent() || matches!(should, Value::Array(v) if v.len() == 1 && v.first().is_some_and(Value::is_absent)) {
                return Ok(format!("undefined '{name}' from {}", self.worded(attribute, is, true, is, should, secret)?));
            }
            let (old, new) =
                (self.worded(attribute, is, true, is, should, secret)?, self.worded(attribute, should, false, is, should, secret)?);
            Ok(format!("{name} changed {old} to {new}"))
        };
        if secret {
            // Neither a block nor a kind's own format receives secrets. Puppet's message does not contain the kind's format either.
            return Ok(format!("changed {REDACTED} to {REDACTED}"));
        }
        if let Some((before, after)) = attribute.native.as_ref().and_then(|kind| kinds::applied(kind, is, should, self.view)) {
            return Ok(format!("{} ({})", default(&before, &after)?, should.to_text()));
        }
        match &attribute.change_to_s {
            Some(code) => {
                let base = |arguments: &[Value]| {
                    let [a, b] = [arguments.first().unwrap_or(is), arguments.get(1).unwrap_or(should)];
                    default(a.unwrapped(), b.unwrapped()).map(Value::str)
                };
                let text = self.block(attribute, code, &[is.clone(), should.clone()], is, should, Some(&base), secret)?;
                // The message is derived from another attribute's secret, such as a file's content.
                let message = if text.has_secret() { format!("changed {REDACTED} to {REDACTED}") } else { text.to_text().to_string() };
                Ok(message)
            }
            None => default(is, should),
        }
    }

    /// Formats one side of a change. A message names both sides, so an empty text is shown as `''`.
    fn worded(
        &self,
        attribute: &AttributeDef,
        value: &Value,
        is_side: bool,
        is: &Value,
        should: &Value,
        secret: bool,
    ) -> Result<String, Failure> {
        let text = self.text_of_side(attribute, value, is_side, is, should, secret)?;
        Ok(if text.is_empty() { "''".to_owned() } else { text })
    }

    /// Formats one side of a change, with the type's blocks.
    fn text_of_side(
        &self,
        attribute: &AttributeDef,
        value: &Value,
        is_side: bool,
        is: &Value,
        should: &Value,
        secret: bool,
    ) -> Result<String, Failure> {
        if let Some(redact) = &attribute.redact {
            let applies = match &redact.condition {
                Some(code) => self.block(attribute, code, &[], is, should, None, secret)?.is_truthy(),
                None => true,
            };
            if applies {
                return Ok(if is_side { redact.is.to_string() } else { redact.should.to_string() });
            }
        }
        if secret {
            // Any other type format could reveal the secret.
            return Ok(REDACTED.into());
        }
        let plain = |value: &Value| {
            let text = attribute.native.as_ref().and_then(|kind| kinds::worded(kind, value, is_side, is, should, self.view));
            text.unwrap_or_else(|| for_display(value))
        };
        let code = if is_side { &attribute.is_to_s } else { &attribute.should_to_s };
        if let Some(code) = code {
            let base = |arguments: &[Value]| Ok(Value::str(plain(arguments.first().map_or(value, Value::unwrapped))));
            let text = self.block(attribute, code, std::slice::from_ref(value), is, should, Some(&base), secret)?;
            return Ok(text.to_text().to_string());
        }
        Ok(plain(value))
    }
}
