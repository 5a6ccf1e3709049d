//! Canonicalizes a value: coercion, validation, munging.

use super::kinds;
use super::trace::TraceStep;
use super::view::View;
use rtype_lang::diagnostics::{Code, Diagnostic, Help, suggest_nearest};
use rtype_lang::eval::{Failure, FailureKind, Frame, run};
use rtype_lang::source::Span;
use rtype_lang::types::{AllowedValue, ArrayMatching, AttributeDef, Layers, Matcher, NativeKind, Role, ValueStep};
use rtype_lang::value::{PathStep, Symbol, Value, ValueFault, inspect};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The maximum number of faults to report for the elements of a list.
const MOST_FAULTS: usize = 20;

/// Whether a value is rejected, or its canonical form is only not known, which is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalKind {
    Rejected,
    /// The value depends on an unknown value.
    Unknown,
    /// The value depends on a part of the type that is left in Ruby.
    Untranslated,
}

/// Why a value is rejected.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub code: Code,
    pub message: String,
    /// Location of the violated rule.
    pub rule: Span,
    pub help: Option<Box<Help>>,
    /// Another attribute that causes the error (`fail …, at:`).
    pub at: Option<String>,
    pub kind: RefusalKind,
    /// The parts of the value that are wrong, if they are known, each with the location of the violated rule.
    pub faults: Vec<(ValueFault, Span)>,
}

impl Refusal {
    pub fn new(rule: Span, message: impl Into<String>) -> Refusal {
        let (code, kind) = (Code::InvalidValue, RefusalKind::Rejected);
        Refusal { code, message: message.into(), rule, help: None, at: None, kind, faults: Vec::new() }
    }

    /// Returns the refusal of an element as a fault of its list, unless it is about the attribute or about another one.
    fn in_list(mut self, index: usize) -> Refusal {
        let step = PathStep { index, text: format!("[{index}]"), is_key: false };
        if self.faults.is_empty() && self.kind == RefusalKind::Rejected && self.code == Code::InvalidValue && self.at.is_none() {
            let help = self.help.as_ref().map(|help| help.to_string());
            self.faults.push((ValueFault { path: Vec::new(), message: self.message.clone(), help }, self.rule));
        }
        self.faults.iter_mut().for_each(|(fault, _)| fault.path.insert(0, step.clone()));
        self
    }

    /// Returns true if the canonical form is unknown, as opposed to rejected.
    pub fn is_unknown(&self) -> bool {
        self.kind != RefusalKind::Rejected
    }

    pub fn help(mut self, help: impl Into<Help>) -> Refusal {
        self.help = Some(Box::new(help.into()));
        self
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal {
            code: Code::InvalidValue,
            message: failure.message,
            rule: failure.span,
            help: failure.help,
            at: failure.at.map(|a| a.to_string()),
            faults: Vec::new(),
            kind: match failure.kind {
                FailureKind::Unknown => RefusalKind::Unknown,
                FailureKind::Untranslated => RefusalKind::Untranslated,
                _ => RefusalKind::Rejected,
            },
        }
    }
}

/// A part of a type that a resource requires and that is left in Ruby.
#[derive(Clone, Debug)]
pub(super) struct Untranslated {
    pub reason: String,
    /// Its location.
    pub span: Span,
}

/// Why a check of a value was skipped.
#[derive(Clone, Debug)]
pub(super) enum Skipped {
    /// The check is left in Ruby.
    Untranslated(Untranslated),
    /// The check depends on an unknown value, used at this location in the rule.
    Undecided(Span),
}

impl From<Refusal> for Untranslated {
    fn from(refusal: Refusal) -> Untranslated {
        Untranslated { reason: refusal.message, span: refusal.rule }
    }
}

impl From<Failure> for Untranslated {
    fn from(failure: Failure) -> Untranslated {
        Untranslated { reason: failure.message, span: failure.span }
    }
}

/// Canonicalizes an attribute's values.
pub(super) struct Canonical<'a> {
    pub view: &'a View<'a>,
    pub attribute: &'a AttributeDef,
    /// Records the steps, if tracing is enabled.
    pub trace: Option<&'a RefCell<Vec<TraceStep>>>,
    /// True if the value must be redacted: it is sensitive, or a block derived it from another attribute's secret.
    pub secret: Cell<bool>,
    /// The checks that were skipped.
    pub skipped: RefCell<Vec<Skipped>>,
    /// The `munge` block that returned nil.
    pub dropped: Cell<Option<Span>>,
}

impl Canonical<'_> {
    /// Returns a value's canonical form: for properties a list of canonical elements, or a single element.
    pub fn value(&self, given: &Value) -> Result<Value, Refusal> {
        if given.has_unknown() {
            self.note(Span::NONE, || "not known yet; rules that read it wait".into());
            return Ok(given.clone());
        }
        let inner = given.unwrapped();
        let canonical = if self.attribute.role == Role::Property {
            let is_list = matches!(inner, Value::Array(_));
            let elements = match inner {
                Value::Array(values) => values.as_slice(),
                one => std::slice::from_ref(one),
            };
            match elements {
                [only] if self.has_bare_value() => {
                    match self.element(only).map_err(|refusal| if is_list { refusal.in_list(0) } else { refusal })? {
                        list @ Value::Array(_) => Value::array([list]),
                        // All values of such a property are compared, also if they are one nil.
                        Value::Nil if self.attribute.array_matching == ArrayMatching::All => Value::array([Value::Nil]),
                        one => one,
                    }
                }
                _ => {
                    let canonical = self.elements(elements, is_list)?;
                    if let Some(kind) = &self.attribute.native {
                        kinds::validate_members(kind, &canonical).map_err(|e| self.rejected(&e))?;
                    }
                    Value::array(canonical)
                }
            }
        } else {
            self.element(inner)?
        };
        Ok(if self.secret.get() { Value::Sensitive(Arc::new(canonical)) } else { canonical })
    }

    /// Returns true if a single desired value is stored without a list. This saves memory, because most properties have a single desired
    /// value.
    fn has_bare_value(&self) -> bool {
        !matches!(self.attribute.native, Some(NativeKind::List { .. } | NativeKind::KeyValue { .. }))
    }

    /// Returns the canonical forms of the elements of a list, or the faults of all elements.
    fn elements(&self, elements: &[Value], is_list: bool) -> Result<Vec<Value>, Refusal> {
        let mut canonical = Vec::with_capacity(elements.len());
        let mut refused: Option<Refusal> = None;
        for (i, element) in elements.iter().enumerate() {
            match (self.element(element).map_err(|refusal| if is_list { refusal.in_list(i) } else { refusal }), &mut refused) {
                (Ok(value), _) => canonical.push(value),
                (Err(other), Some(first)) => first.faults.extend(other.faults),
                (Err(first), None) if first.faults.is_empty() => return Err(first),
                (Err(first), None) => refused = Some(first),
            }
            if refused.as_ref().is_some_and(|first| first.faults.len() >= MOST_FAULTS) {
                break;
            }
        }
        refused.map_or(Ok(canonical), Err)
    }

    fn element(&self, given: &Value) -> Result<Value, Refusal> {
        let mut value = given.clone();
        if let Some(data_type) = &self.attribute.data_type {
            value = data_type.coerce(&value).map_err(|mismatch| {
                let what = self.show(given).map_or_else(|| "the value".to_owned(), |v| format!("`{v}`"));
                let faults = if self.secret.get() || given.has_secret() { Vec::new() } else { data_type.faults(given) };
                // A value without parts is described as a whole.
                let faults = if matches!(given, Value::Array(_) | Value::Map(_)) { faults } else { Vec::new() };
                let rule = self.attribute.data_type_span;
                let faults = faults.into_iter().map(|fault| (fault, rule)).collect();
                Refusal { faults, ..Refusal::new(rule, format!("{what} is not {}", mismatch.expected)) }
            })?;
            if value != *given {
                self.note(self.attribute.data_type_span, || format!("taken as {} by its data type", self.quote(&value)));
            }
        }
        self.validate(&self.attribute.validate, &value)?;
        let munged = self.munge(&self.attribute.munge, value)?;
        self.reach_value(given);
        Ok(self.opened(&munged))
    }

    /// Records that a test sets an allowed value. The check for allowed values also records this, but a type may override the check.
    fn reach_value(&self, given: &Value) {
        if self.view.context.world.coverage().is_none() {
            return;
        }
        let (set, text) = (&self.attribute.values, given.to_text());
        if let Some(allowed) = set.find(&text) {
            self.reach(allowed.span);
            self.reach(set.span_of(&text));
        }
    }

    /// Unwraps a block's result and records whether it was secret; the stored value is wrapped as a whole.
    fn opened(&self, value: &Value) -> Value {
        self.secret.set(self.secret.get() || value.has_secret());
        value.unwrapped().clone()
    }

    /// Returns the value as seen by blocks and messages; `None` if it equals the canonical value.
    ///
    /// Follows Puppet's `Puppet::Property#should` and `Puppet::Parameter#value`.
    pub fn unmunged(&self, canonical: &Value) -> Result<Option<Value>, Refusal> {
        let Some(code) = self.attribute.unmunge.as_ref().filter(|_| !canonical.has_unknown()) else { return Ok(None) };
        let base = |arguments: &[Value]| Ok(arguments.first().cloned().unwrap_or_default());
        let frame = Frame { scope: self.view, attribute: Some(&self.attribute.name), is: None, should: None, base: Some(&base) };
        let one = |value: &Value| -> Result<Value, Refusal> {
            let argument = if self.secret.get() { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() };
            Ok(self.opened(&run(code, std::slice::from_ref(&argument), &frame)?))
        };
        let seen = match canonical.unwrapped() {
            Value::Array(values) if self.attribute.role == Role::Property => {
                Value::array(values.iter().map(one).collect::<Result<Vec<_>, _>>()?)
            }
            value => one(value)?,
        };
        if seen != *canonical.unwrapped() {
            self.note(code.inner.span, || format!("seen as {} by `unmunge`", self.quote(&seen)));
        }
        Ok(Some(if self.secret.get() { Value::Sensitive(Arc::new(seen)) } else { seen }))
    }

    fn validate(&self, layers: &Layers, value: &Value) -> Result<(), Refusal> {
        for step in &layers.steps {
            match step {
                ValueStep::Values => self.check_values(value)?,
                ValueStep::Native => {
                    if let Some(kind) = &self.attribute.native {
                        kinds::validate(kind, value, self.view).map_err(|e| self.rejected(&e))?;
                    }
                }
                ValueStep::Readonly(span) => {
                    let why = self.attribute.readonly.clone().unwrap_or_default();
                    return Err(Refusal { code: Code::ReadonlyAttribute, ..Refusal::new(*span, format!("cannot be set: {why}")) });
                }
                ValueStep::Matches(matches) => {
                    if matches.regex.is_match(&value.to_text()) {
                        self.note(matches.span, || format!("accepted: it matches `{}`", matches.regex));
                        continue;
                    }
                    self.reach(matches.span);
                    if let Some(code) = &matches.message {
                        let message = self.block(code, value, layers, true)?;
                        return Err(Refusal::new(matches.span, message.to_text().to_string()));
                    }
                    let what = self.show(value).map_or_else(|| "the value".to_owned(), |v| format!("`{v}`"));
                    return Err(Refusal::new(matches.span, format!("{what} does not match `{}`", matches.regex)));
                }
                ValueStep::Code(code) => match self.block(code, value, layers, true) {
                    Ok(_) => self.note(code.inner.span, || "accepted by `validate`".into()),
                    // Undecided checks do not affect the value itself.
                    Err(refusal) if refusal.is_unknown() => {
                        self.note(code.inner.span, || "not checked by `validate`".into());
                        self.skipped.borrow_mut().push(match refusal.kind {
                            RefusalKind::Untranslated => Skipped::Untranslated(refusal.into()),
                            _ => Skipped::Undecided(refusal.rule),
                        });
                    }
                    Err(refusal) => return Err(refusal),
                },
            }
        }
        Ok(())
    }

    fn munge(&self, layers: &Layers, mut value: Value) -> Result<Value, Refusal> {
        for step in &layers.steps {
            let before = value.clone();
            let span = match step {
                ValueStep::Values => {
                    value = self.as_symbol(value);
                    Span::NONE
                }
                ValueStep::Native => {
                    if let Some(kind) = &self.attribute.native {
                        value = kinds::munge(kind, value, self.view).map_err(|e| self.rejected(&e))?;
                    }
                    self.attribute.span
                }
                ValueStep::Code(code) => {
                    value = self.block(code, &value, layers, false)?;
                    self.secret.set(self.secret.get() || value.has_secret());
                    // An `undef` in a list is kept.
                    if value.is_nil() && !before.is_nil() {
                        self.dropped.set(Some(code.inner.span));
                    }
                    code.inner.span
                }
                ValueStep::Matches(_) | ValueStep::Readonly(_) => continue,
            };
            if matches!((&before, &value), (Value::Str(a), Value::Str(b)) if a == b) {
                // Share the string with the title or declaration to save memory.
                value = before;
            } else if before != value && !span.is_none() {
                self.note(span, || format!("munged to {}", self.quote(&value)));
            }
        }
        Ok(value)
    }

    /// Runs a block with the value. `super` runs the rules replaced by an `override`.
    fn block(&self, code: &rtype_lang::types::CodeBlock, value: &Value, layers: &Layers, validates: bool) -> Result<Value, Refusal> {
        let base = |arguments: &[Value]| -> Result<Value, Failure> {
            let given = arguments.first().cloned().unwrap_or_default();
            let result = match &layers.dropped {
                None => Ok(given),
                Some(dropped) if validates => self.validate(dropped, &given).map(|()| given),
                Some(dropped) => self.munge(dropped, given),
            };
            result.map_err(|r| {
                let kind = match r.kind {
                    RefusalKind::Rejected => FailureKind::Error,
                    RefusalKind::Unknown => FailureKind::Unknown,
                    RefusalKind::Untranslated => FailureKind::Untranslated,
                };
                Failure { kind, help: r.help, ..Failure::new(r.code, r.rule, r.message) }
            })
        };
        let frame = Frame { scope: self.view, attribute: Some(&self.attribute.name), is: None, should: None, base: Some(&base) };
        let argument = if self.secret.get() { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() };
        Ok(run(code, std::slice::from_ref(&argument), &frame)?)
    }

    /// Records that the tests reach a part of the type.
    fn reach(&self, span: Span) {
        if let Some(coverage) = self.view.context.world.coverage() {
            coverage.reach(span);
        }
    }

    fn check_values(&self, value: &Value) -> Result<(), Refusal> {
        let set = &self.attribute.values;
        if set.is_empty() {
            return Ok(());
        }
        let text = value.to_text();
        let Some(allowed) = set.find(&text) else {
            let what = self.show(value).map_or_else(|| "the value".to_owned(), |v| format!("`{v}`"));
            let rule = set.values.first().map_or(self.attribute.span, |v| v.span);
            return Err(Refusal::new(rule, format!("{what} is not allowed")).help(self.allowed(&text)));
        };
        self.check_value_features(allowed, &text)?;
        self.reach(allowed.span);
        self.reach(set.span_of(&text));
        self.note(allowed.span, || match &allowed.matcher {
            Matcher::Literal(l) if l.as_str() == text => format!("accepted: the value `{l}`"),
            Matcher::Literal(l) => format!("accepted: `{}` is an alias of `{l}`", self.show(value).unwrap_or_default()),
            Matcher::Regex(r) => format!("accepted: it matches `{r}`"),
        });
        Ok(())
    }

    /// Follows Puppet's `Puppet::Property#validate_features_per_value`.
    fn check_value_features(&self, allowed: &AllowedValue, text: &str) -> Result<(), Refusal> {
        if allowed.required_features.is_empty() {
            return Ok(());
        }
        self.view.looked.set(true);
        let Some(provider) = self.view.provider.as_ref() else { return Ok(()) };
        let missing = super::lacking(self.view.type_def, provider.provider, &allowed.required_features, self.view.context.world);
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = missing.iter().map(|f| format!("`{f}`")).collect();
        let shown = if self.secret.get() { "the value".into() } else { format!("`{text}`") };
        Err(Refusal::new(
            allowed.span,
            format!("{shown} needs the feature {}, which the provider `{}` lacks", names.join(" and "), provider.provider.name),
        )
        .help("choose another value or, with `provider =>`, another provider"))
    }

    /// Converts a literal or alias to its symbol. Other values are unchanged, including an empty string among the allowed values, as in
    /// Puppet.
    fn as_symbol(&self, value: Value) -> Value {
        let text = value.to_text();
        match self.attribute.values.find(&text).map(|v| &v.matcher) {
            Some(Matcher::Literal(symbol)) if symbol.as_str().is_empty() => Value::str(""),
            Some(Matcher::Literal(symbol)) => Value::Sym(symbol.clone()),
            _ => value,
        }
    }

    /// Lists the allowed values, the most similar literal first.
    fn allowed(&self, text: &str) -> String {
        let set = &self.attribute.values;
        let literals: Vec<&str> = set.literals().map(Symbol::as_str).collect();
        let names = literals.iter().copied().chain(set.aliases.iter().map(|a| a.name.as_str()));
        let near = if self.secret.get() { None } else { suggest_nearest(text, names) };
        let all: Vec<String> =
            literals.iter().map(|l| format!("`{l}`")).chain(set.regexes().map(|r| format!("what matches `{r}`"))).collect();
        let allowed = format!("allowed are {}", all.join(", "));
        near.map_or(allowed.clone(), |n| format!("{n} {allowed}"))
    }

    /// Returns the value for use in a message; `None` if it is secret.
    fn show(&self, value: &Value) -> Option<String> {
        if self.secret.get() || value.has_secret() {
            return None;
        }
        let text = match value {
            Value::Array(_) | Value::Map(_) => inspect(value),
            other => other.to_text().to_string(),
        };
        Some(shorten(&text))
    }

    /// Returns the error from a native kind. The error may contain the value, so a secret value's error is not shown.
    fn rejected(&self, error: &kinds::KindError) -> Refusal {
        let message = if self.secret.get() { "the value is not allowed".into() } else { error.to_string() };
        Refusal::new(self.attribute.span, message)
    }

    fn quote(&self, value: &Value) -> String {
        if self.secret.get() || value.has_secret() { rtype_lang::value::REDACTED.into() } else { shorten(&inspect(value)) }
    }

    fn note(&self, span: Span, what: impl FnOnce() -> String) {
        if let Some(trace) = self.trace {
            trace.borrow_mut().push(TraceStep { what: what(), span });
        }
    }
}

/// Truncates a string to 120 characters, followed by `…`.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl Refusal {
    /// Converts the refusal to a diagnostic.
    pub fn diagnostic(self, resource: &str, attribute: &str, span: Span) -> Diagnostic {
        Diagnostic::of_resource(self.code, span, &resource, Some(attribute), self.message)
            .also(self.rule, "the rule")
            .maybe_help(self.help.map(|help| *help))
    }
}
