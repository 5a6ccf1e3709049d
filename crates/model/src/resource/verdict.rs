//! In sync or not: the one place where that is decided, and where a change is put into words.

use super::display::for_display;
use super::instance::Instance;
use super::provider::BoundProvider;
use super::view::{Slots, View};
use super::{Context, kinds};
use rtype_lang::eval::{Failure, Frame, run};
use rtype_lang::types::{ArrayMatching, AttrId, AttributeDef, Code, Compare, Role};
use rtype_lang::value::{REDACTED, Symbol, Value, in_sync};
use std::cell::Cell;
use std::sync::Arc;

/// What `base` does in a block: the built-in comparison that the block takes the place of.
type Base<'a> = &'a dyn Fn(&[Value]) -> Result<Value, Failure>;

/// How one property stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// As wanted.
    InSync,
    /// Not as wanted; what a change would be called.
    OutOfSync(String),
    /// Follows `ensure`, which changes alone: set when the resource is created, gone when it is removed.
    WithEnsure,
    /// Could not be read.
    Unreadable(String),
    /// Cannot be told before a value is known.
    Unknown,
    /// Comparing failed in the type's own block.
    Failed(String),
}

impl Status {
    /// Whether it is in sync; `None` if unknown.
    pub fn in_sync(&self) -> Option<bool> {
        match self {
            Status::InSync => Some(true),
            Status::OutOfSync(_) | Status::WithEnsure => Some(false),
            Status::Unreadable(_) | Status::Unknown | Status::Failed(_) => None,
        }
    }
}

/// One property's wanted and current value.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Which property.
    pub id: AttrId,
    /// Its name.
    pub name: Symbol,
    /// What it is; sensitive values wrapped.
    pub is: Result<Value, String>,
    /// What it should be; sensitive values wrapped.
    pub should: Value,
    /// All wanted values where any of several will do; else empty.
    pub any_of: Vec<Value>,
    /// The verdict.
    pub status: Status,
}

impl Comparison {
    /// Whether the current value equals the desired one, or one of several desired ones, without asking the type's `insync`.
    pub fn reads_as_desired(&self) -> bool {
        let Ok(is) = self.is.as_ref().map(Value::unwrapped) else { return false };
        // Values that print the same differ in nothing that a provider could be blamed for.
        let same = |should: &Value| is == should.unwrapped() || for_display(is) == for_display(should.unwrapped());
        same(&self.should) || self.any_of.iter().any(same)
    }
}

/// How a resource stands.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// One for each property with a wanted value, in the type's order.
    pub properties: Vec<Comparison>,
}

impl Verdict {
    /// Whether nothing is out of sync and everything could be told.
    pub fn in_sync(&self) -> Option<bool> {
        if self.properties.iter().any(|p| p.status.in_sync() == Some(false)) {
            Some(false)
        } else if self.properties.iter().all(|p| p.status.in_sync() == Some(true)) {
            Some(true)
        } else {
            None
        }
    }

    /// The properties that a run would change, in order: `ensure` alone when it is one of them.
    pub fn plan(&self) -> Vec<&Comparison> {
        let out: Vec<_> = self.properties.iter().filter(|p| matches!(p.status, Status::OutOfSync(_))).collect();
        match out.first() {
            Some(first) if first.name.as_str() == "ensure" => out.into_iter().take(1).collect(),
            _ => out,
        }
    }
}

/// What is on the machine: a property's value, or why it could not be read.
pub type Current<'a> = &'a dyn Fn(AttrId) -> Result<Value, String>;

pub(super) fn view_of<'a>(instance: &'a Instance, context: Context<'a>, current: Option<Current<'a>>) -> View<'a> {
    let slots = Slots::Done(&instance.slots);
    let provider = instance.provider().and_then(|p| instance.type_def.providers.get(p.as_str()));
    View {
        type_def: &instance.type_def,
        title: &instance.title,
        slots,
        context,
        provider: provider.map(|provider| BoundProvider {
            type_def: &instance.type_def,
            provider,
            context,
            title: &instance.title,
            slots,
            asked: Cell::new(0),
        }),
        current,
        assign: None,
        looked: Cell::default(),
    }
}

/// Compares every property that has a wanted value with what is there.
///
/// `current` answers for each property; what was not reported is `:absent`.
pub fn compare_all(instance: &Instance, current: Current<'_>, context: Context<'_>) -> Verdict {
    let view = view_of(instance, context, Some(current));
    let comparer = Comparer { instance, view: &view };
    let mut properties = Vec::new();
    let ensure_id = instance.type_def.id_of("ensure");
    let is_absent = ensure_id.is_some_and(|id| current(id).is_ok_and(|v| v.is_absent()));
    let mut ensure_changes = false;
    let mut goes_away = false;
    for id in &instance.type_def.order {
        let Some(attribute) = instance.type_def.attribute(*id).filter(|a| a.role == Role::Property) else { continue };
        if instance.slot(*id).is_none() {
            continue;
        }
        let mut comparison = comparer.compare(*id, attribute, current);
        // `[undef]` wants nothing, and a `should` block may find that there is nothing to want.
        if comparison.should.unwrapped().is_nil() {
            continue;
        }
        if Some(*id) == ensure_id {
            ensure_changes = comparison.status.in_sync() == Some(false);
            goes_away = ensure_changes && comparison.should.unwrapped().is_absent();
        } else if is_absent {
            // Nothing else can be said of what does not exist: it changes with `ensure` or not at all.
            comparison.status = if ensure_changes { Status::WithEnsure } else { Status::InSync };
        } else if goes_away {
            comparison.status = Status::WithEnsure;
        }
        properties.push(comparison);
    }
    Verdict { properties }
}

/// Compares one property for itself, whatever happens to `ensure`; `None` when it has no wanted value.
pub fn compare_one(instance: &Instance, id: AttrId, current: Current<'_>, context: Context<'_>) -> Option<Comparison> {
    let attribute = instance.type_def.attribute(id).filter(|a| a.role == Role::Property)?;
    instance.slot(id)?;
    let view = view_of(instance, context, Some(current));
    Some(Comparer { instance, view: &view }.compare(id, attribute, current))
}

/// What a property is and what it should be, in the words of its type; secrets redacted.
///
/// # Errors
/// The failure of a block of the type.
pub fn sides(instance: &Instance, comparison: &Comparison, context: Context<'_>) -> Result<(String, String), Failure> {
    let current = |id: AttrId| if id == comparison.id { comparison.is.clone() } else { Err("it is not read here".into()) };
    let Some(attribute) = instance.type_def.attribute(comparison.id) else { return Ok(Default::default()) };
    let view = view_of(instance, context, Some(&current));
    let comparer = Comparer { instance, view: &view };
    let is = comparison.is.clone().unwrap_or_default();
    let secret = attribute.sensitive || is.has_secret() || comparison.should.has_secret();
    let (is, should) = (is.unwrapped(), comparison.should.unwrapped());
    let side = |value: &Value, is_side: bool| comparer.worded(attribute, value, is_side, is, should, secret);
    Ok((side(is, true)?, side(should, false)?))
}

/// Runs code that sees an instance as its type's own blocks do.
///
/// # Errors
/// Why it gave no value.
pub fn evaluate(
    instance: &Instance,
    code: &Code,
    arguments: &[Value],
    current: Current<'_>,
    context: Context<'_>,
) -> Result<Value, Failure> {
    let view = view_of(instance, context, Some(current));
    let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
    run(code, arguments, &frame)
}

struct Comparer<'a> {
    instance: &'a Instance,
    view: &'a View<'a>,
}

impl Comparer<'_> {
    fn compare(&self, id: AttrId, attribute: &AttributeDef, current: Current<'_>) -> Comparison {
        let stored = self.instance.slot(id).map(|s| s.value.clone()).unwrap_or_default();
        let read = self.read(id, attribute, current);
        let wanted = self.view.wanted(id);
        // A `retrieve` or `should` block may give what another attribute keeps secret.
        let told = [&stored, &wanted].into_iter().chain(read.as_ref()).any(Value::has_secret);
        let secret = attribute.sensitive || told || self.instance.slot(id).is_some_and(|s| s.seen().has_secret());
        let read = read.map(|is| is.unwrapped().clone());
        let read = match &attribute.native {
            Some(kind) => read.map(|is| kinds::retrieved(kind, is)),
            None => read,
        };
        let should = match &attribute.native {
            Some(kind) => kinds::should(kind, stored.unwrapped(), read.as_ref().ok(), self.view),
            None => wanted.unwrapped().clone(),
        };
        let status = if stored.has_unknown() {
            Status::Unknown
        } else {
            match &read {
                Err(message) => Status::Unreadable(message.clone()),
                Ok(is) => self.status(attribute, is, stored.unwrapped(), &should, secret),
            }
        };
        let hide = |v: Value| if secret { Value::Sensitive(Arc::new(v)) } else { v };
        let seen = self.instance.slot(id).map(|s| s.seen().unwrapped().clone()).unwrap_or_default();
        let any_of = match (attribute.array_matching, &attribute.should, &seen) {
            (ArrayMatching::First, None, Value::Array(all)) if all.len() > 1 => all.iter().cloned().map(hide).collect(),
            _ => Vec::new(),
        };
        Comparison { id, name: attribute.name.clone(), is: read.map(hide), should: hide(should), any_of, status }
    }

    fn read(&self, id: AttrId, attribute: &AttributeDef, current: Current<'_>) -> Result<Value, String> {
        match &attribute.retrieve {
            Some(code) => {
                let base =
                    |_: &[Value]| current(id).map_err(|m| Failure::new(rtype_lang::diagnostics::Code::ReadFailed, code.inner.span, m));
                let frame = Frame { scope: self.view, attribute: Some(&attribute.name), is: None, should: None, base: Some(&base) };
                run(code, &[], &frame).map_err(|f| f.message)
            }
            None => current(id),
        }
    }

    fn status(&self, attribute: &AttributeDef, is: &Value, stored: &Value, should: &Value, secret: bool) -> Status {
        match self.in_sync(attribute, is, stored, should, secret) {
            Ok(true) => Status::InSync,
            Ok(false) => match self.message(attribute, is, should, secret) {
                Ok(message) => Status::OutOfSync(message),
                Err(failure) => Status::Failed(failure.message),
            },
            Err(failure) if failure.unknown => Status::Unknown,
            Err(failure) => Status::Failed(failure.message),
        }
    }

    fn in_sync(&self, attribute: &AttributeDef, is: &Value, stored: &Value, should: &Value, secret: bool) -> Result<bool, Failure> {
        let all: &[Value] = match stored {
            Value::Array(values) => values,
            one => std::slice::from_ref(one),
        };
        let default = |is: &Value| -> Result<bool, Failure> {
            if let Some(kind) = &attribute.native
                && let Some(verdict) = kinds::in_sync(kind, is, should, all, self.view)
            {
                return verdict.map_err(|message| {
                    let message = if secret { "the value cannot be compared".into() } else { message };
                    Failure::new(rtype_lang::diagnostics::Code::BlockFailed, attribute.span, message)
                });
            }
            if all.is_empty() {
                return Ok(true);
            }
            // A `should` block gives one value in place of all wanted ones.
            let whole = attribute.array_matching == ArrayMatching::All || attribute.should.is_some();
            let candidates: Vec<&Value> = match whole {
                // What is canonical is compared, not what is seen of it.
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
        code: &Code,
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
            // Neither a block nor the other words get to see it.
            let (old, new) =
                (self.worded(attribute, is, true, is, should, secret)?, self.worded(attribute, should, false, is, should, secret)?);
            return Ok(format!("changed {old} to {new}"));
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
                // The news is made of a secret of another attribute: a file's content.
                let told = if text.has_secret() { format!("changed {REDACTED} to {REDACTED}") } else { text.to_text().to_string() };
                Ok(told)
            }
            None => default(is, should),
        }
    }

    /// One side of a change in words.
    fn worded(
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
            // What the type says of it otherwise would tell it.
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
