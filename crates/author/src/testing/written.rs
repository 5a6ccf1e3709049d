//! Runs tests that are written in type files.

use super::machine::{Answers, Simulated};
use super::outcome::{Accepted, reported, warnings};
use super::{Lab, shown};
use rtype_lang::diagnostics::{Code, Diagnostic, Label, Redactions};
use rtype_lang::eval::{Failure, LogLevel, QueryError};
use rtype_lang::library::TypeSet;
use rtype_lang::source::Span;
use rtype_lang::syntax::ast::Statement;
use rtype_lang::types::{AttrId, Expectation, ExpectationParts, TestCheck, TestCode, TestDef, TestMessage, TestOutcome};
use rtype_lang::value::{Map, Value};
use rtype_model::declare::{DeclareOptions, KnownResources, declare, generate};
use rtype_model::manifest::{Declarations, Declared, from_statements};
use rtype_model::resource::{Catalog, Context, Instance, MessageLog, NoCatalog, dangling, evaluate, pre_run_checks};

/// Returns the current value of a property in a test.
fn state(test: &TestDef, id: AttrId) -> Option<Value> {
    let (_, value) = test.given.is.as_ref()?.iter().find(|(i, _)| *i == id)?;
    let name = test.type_def.attribute(id).map(|a| a.name.clone())?;
    Some(reported(&test.type_def, name.as_str(), value))
}

/// Like [`state`], by name; `absent` if the test does not set the property.
pub(super) fn named(test: &TestDef, name: &str) -> Value {
    test.type_def.id_of(name).and_then(|id| state(test, id)).unwrap_or(Value::sym("absent"))
}

/// Returns the declarations of a test: the other resources, the tested one, and diagnostics.
pub(super) fn declarations(test: &TestDef, machine: &Simulated) -> (Declarations, Option<Declared>, Vec<Diagnostic>) {
    let mut statements = test.also.clone();
    statements.push(Statement::Resource(test.resource.clone()));
    let (mut all, found) = from_statements(&statements, machine);
    let (mut main, others): (Vec<_>, Vec<_>) = all.resources.into_iter().partition(|d| test.resource.span.contains(d.span));
    all.resources = others;
    (all, if main.len() == 1 { main.pop() } else { None }, found)
}

/// Runs a test. Returns the failures.
pub(super) fn run(test: &TestDef, types: &TypeSet, lab: Lab<'_>) -> Vec<Diagnostic> {
    let machine = lab.machine.with_given(&test.given);
    let (others, main, found) = declarations(test, &machine);
    types.secrets.extend(&others.secrets);
    if let Some(error) = found.into_iter().find(Diagnostic::is_error) {
        return vec![error];
    }
    let Some(main) = main else {
        return vec![Diagnostic::new(Code::BadTest, test.resource.span, "a test is about one resource").help("give it one title")];
    };

    let nothing = |_: &str| Value::sym("absent");
    let empty = Map::new();
    let unread = Answers::new(&empty, &nothing, lab.providers);
    let log = MessageLog::default();
    let context = Context {
        world: &machine,
        catalog: &NoCatalog,
        backend: Some(&unread),
        strict: false,
        trace: true,
        offline: false,
        log: Some(&log),
    };
    let beside = declare(&others, types, context, DeclareOptions::into_catalog(Catalog::default()));
    if let Some(error) = beside.diagnostics.into_iter().find(Diagnostic::is_error) {
        return vec![error];
    }
    log.take();

    let is = |name: &str| named(test, name);
    let answers = Answers::new(&test.given.answers, &is, lab.providers);
    let context = Context { backend: Some(&answers), ..context };
    let reference = main.reference();
    let alone = Declarations { resources: vec![main], ..Declarations::default() };
    let built = declare(&alone, types, context, DeclareOptions::into_catalog(beside.catalog));
    let (mut catalog, mut found) = (built.catalog, built.diagnostics);
    let instance = catalog.iter().find(|i| i.reference() == reference && found.iter().all(|d| !d.is_error())).cloned();
    if let Some(instance) = &instance {
        found.extend(dangling(instance, &catalog, &|_| false));
        answers.unanswered.set(false);
        let made = generate(&mut catalog, &|_| false, types, context);
        // A test without checks of generated resources need not provide the values that they depend on.
        if asks_for_generated(test) || !answers.unanswered.get() {
            found.extend(made);
        }
        found.extend(pre_run_checks(instance, Context { catalog: &KnownResources::new(&catalog, types, context.backend), ..context }));
    }
    let refused: Vec<&Diagnostic> = found.iter().filter(|d| d.is_error()).collect();
    let Some(instance) = instance.filter(|_| refused.is_empty()) else {
        return test.checks.iter().filter_map(|check| refusal(check, &refused)).take(1).collect();
    };

    let mut said = warnings(&found);
    said.extend(log.take().into_iter().filter(|one| one.level >= LogLevel::Warning).map(|one| one.message));
    let read = |id: AttrId| -> Result<Value, QueryError> { Ok(current(test, &instance, id)) };
    let mut secrets = Redactions::default();
    let found = {
        let context = Context { catalog: &KnownResources::new(&catalog, types, context.backend), ..context };
        let accepted = Accepted { instance: &instance, catalog: &catalog, read: &read, context, warnings: said };
        let wrong = |check: &TestCheck| match check {
            TestCheck::Expect(expectation) => failing(expectation, &accepted, &mut secrets),
            TestCheck::Rejects { attribute, span, .. } => Some(not_rejected(attribute.as_ref().map(|a| a.as_str()), *span, &instance)),
        };
        test.checks.iter().filter_map(wrong).collect()
    };
    types.secrets.extend(&secrets);
    found
}

fn asks_for_generated(test: &TestDef) -> bool {
    let asks = |e: &Expectation| e.whole.uses.iter().any(|(_, outcome, _)| *outcome == TestOutcome::Generate);
    test.checks.iter().any(|check| matches!(check, TestCheck::Expect(e) if asks(e)))
}

/// Returns the current value of a property in a test. If the test sets some state but not `ensure`, the resource exists as desired.
fn current(test: &TestDef, instance: &Instance, id: AttrId) -> Value {
    let is_ensure = test.type_def.id_of("ensure") == Some(id);
    match state(test, id) {
        Some(value) => value,
        None if is_ensure && test.given.is.as_ref().is_some_and(|is| !is.is_empty()) => {
            Some(instance.get("ensure")).filter(|v| !v.is_nil()).unwrap_or(Value::sym("present"))
        }
        None => Value::sym("absent"),
    }
}

/// Returns the failure of a check when the resource was rejected.
fn refusal(check: &TestCheck, refused: &[&Diagnostic]) -> Option<Diagnostic> {
    let first = refused.first()?;
    match check {
        TestCheck::Expect(expectation) => {
            let mut d = Diagnostic::new(Code::TestRefused, first.span(), format!("the resource is refused: {}", first.message));
            d.labels.extend(first.labels.iter().skip(1).cloned());
            let help = first.help.clone().unwrap_or_else(|| "if that is right, write `rejects` instead of `expect`".into());
            Some(d.also(expectation.span, "this cannot be checked").help(help))
        }
        TestCheck::Rejects { attribute, message, span } => {
            let fits_attribute = |d: &Diagnostic| attribute.as_ref().is_none_or(|a| d.attribute() == Some(a.as_str()));
            let fits = |d: &&&Diagnostic| fits_attribute(d) && message.as_ref().is_none_or(|m| says(m, d));
            if refused.iter().any(|d| fits(&d)) {
                return None;
            }
            let blamed = refused.iter().find(|d| fits_attribute(d));
            let what = match (attribute, blamed) {
                (Some(attribute), None) => format!("it is refused, but not because of `{attribute}`"),
                _ => "it is refused with another message".to_owned(),
            };
            let actual = blamed.unwrap_or(first);
            let d = Diagnostic::new(Code::NotRejected, *span, what).also(actual.span(), "what is refused");
            Some(d.help(format!("the message is: {}", actual.message)))
        }
    }
}

/// Returns `true` if the message of a refusal matches; the prefix (`Type[title]: …`) may be omitted.
fn says(wanted: &TestMessage, refusal: &Diagnostic) -> bool {
    let whole = refusal.message.as_str();
    let bare = refusal.bare_message();
    match wanted {
        TestMessage::Contains(text) => whole.contains(text.as_str()),
        TestMessage::Matches(regex) => regex.is_match(bare) || regex.is_match(whole),
    }
}

/// Returns the failure for a resource that should have been rejected.
fn not_rejected(attribute: Option<&str>, span: Span, instance: &Instance) -> Diagnostic {
    let reference = instance.reference();
    let Some(name) = attribute else {
        return Diagnostic::new(Code::NotRejected, span, format!("`{reference}` is accepted")).also(instance.span, "it should be refused");
    };
    let slot = instance.type_def.id_of(name).and_then(|id| instance.slot(id));
    let secret = instance.type_def.attribute_named(name).is_some_and(|a| a.sensitive);
    match slot {
        Some(slot) => {
            let value = instance.get(name);
            let message = format!("`{reference}` is accepted, with `{name}` as {}", shown(&value, secret || value.has_secret()));
            Diagnostic::new(Code::NotRejected, span, message).also(slot.span, "it should be refused")
        }
        None => Diagnostic::new(Code::NotRejected, span, format!("`{reference}` is accepted, without `{name}`"))
            .also(instance.span, "it should be refused"),
    }
}

/// Returns the failure of an expectation.
fn failing(expectation: &Expectation, accepted: &Accepted<'_>, secrets: &mut Redactions) -> Option<Diagnostic> {
    let holds = value_of(&expectation.whole, accepted);
    if holds.as_ref().is_ok_and(Value::has_secret) {
        // A value that is compared with a secret may be the secret.
        secrets.add(expectation.whole.code.inner.span);
    }
    match holds {
        Ok(value) if value.unwrapped().is_truthy() => return None,
        Err(failure) => {
            let message = if failure.is_unknown() && !failure.is_untranslated() { "a value is not known".into() } else { failure.message };
            let span = if failure.span.is_none() { expectation.span } else { failure.span };
            let d = Diagnostic::new(failure.code, span, message);
            return Some(if expectation.span.contains(span) { d } else { d.also(expectation.span, "asked here") });
        }
        Ok(_) => {}
    }
    let d = describe_failure(expectation, accepted, secrets);
    Some(d.maybe_help(explanation(expectation, accepted)))
}

/// Describes a failed expectation, with the values of its parts.
fn describe_failure(expectation: &Expectation, accepted: &Accepted<'_>, secrets: &mut Redactions) -> Diagnostic {
    let span = expectation.whole.code.inner.span;
    let failed = |message: &str| Diagnostic::new(Code::ExpectationFailed, span, message);
    match &expectation.parts {
        ExpectationParts::Compared(left, op, right) => {
            let message = format!("`{}` does not hold", op.symbol());
            match value_labels(&[left, right], accepted, secrets) {
                Some(labels) => with_labels(Diagnostic::new(Code::ExpectationFailed, Span::NONE, message), labels),
                None => failed(&message),
            }
        }
        ExpectationParts::Values(parts) => {
            let d = failed("the expectation does not hold");
            // The label with the whole expression's value replaces the expectation's label.
            let is_whole = parts.iter().any(|part| part.code.inner.span == span);
            let parts: Vec<_> = parts.iter().collect();
            let Some(labels) = value_labels(&parts, accepted, secrets).filter(|labels| !labels.is_empty()) else { return d };
            let d = if is_whole { Diagnostic::new(Code::ExpectationFailed, Span::NONE, d.message) } else { d };
            with_labels(d, labels)
        }
        ExpectationParts::All(operands) => {
            let fails = |operand: &&Expectation| !value_of(&operand.whole, accepted).is_ok_and(|v| v.unwrapped().is_truthy());
            match operands.iter().find(fails) {
                Some(operand) => describe_failure(operand, accepted, secrets),
                None => failed("the expectation does not hold"),
            }
        }
        ExpectationParts::Any(operands) => {
            let found: Vec<_> = operands.iter().map(|operand| describe_failure(operand, accepted, secrets)).collect();
            let d = Diagnostic::new(Code::ExpectationFailed, Span::NONE, "no operand of `||` holds");
            with_labels(d, found.into_iter().flat_map(|d| d.labels).filter(|label| !label.text.is_empty()).collect())
        }
    }
}

fn with_labels(mut d: Diagnostic, labels: Vec<Label>) -> Diagnostic {
    d.labels.extend(labels);
    d
}

/// Returns labels with the values of expressions; `None` if an expression fails.
fn value_labels(parts: &[&TestCode], accepted: &Accepted<'_>, secrets: &mut Redactions) -> Option<Vec<Label>> {
    let values: Vec<Value> = parts.iter().map(|part| value_of(part, accepted).ok()).collect::<Option<_>>()?;
    let is_secret = values.iter().any(Value::has_secret);
    if is_secret {
        parts.iter().for_each(|part| secrets.add(part.code.inner.span));
    }
    // A secret attribute may be unset. The value on the other side of a comparison must still be redacted.
    let reads_secret = parts.iter().any(|part| part.secret);
    let label = |(part, value): (&&TestCode, &Value)| {
        let text = format!("is {}", shown(value, is_secret || (reads_secret && !part.secret)));
        Label { span: part.code.inner.span, text, origin: None }
    };
    Some(parts.iter().zip(&values).map(label).collect())
}

fn value_of(code: &TestCode, accepted: &Accepted<'_>) -> Result<Value, Failure> {
    let mut arguments = vec![Value::Nil; usize::from(code.code.inner.params)];
    for (slot, outcome, span) in &code.uses {
        if let Some(place) = arguments.get_mut(usize::from(*slot)) {
            *place = accepted.value(*outcome, *span)?;
        }
    }
    evaluate(accepted.instance, &code.code, &arguments, accepted.read, accepted.context)
}

/// Describes the properties that the expectation compares.
fn explanation(expectation: &Expectation, accepted: &Accepted<'_>) -> Option<String> {
    let mut lines: Vec<String> = Vec::new();
    for (_, outcome, _) in &expectation.whole.uses {
        let TestOutcome::Insync(id) = outcome else { continue };
        let Some(comparison) = accepted.comparison(*id) else { continue };
        let is = comparison.is.as_ref().map_or_else(ToString::to_string, |v| shown(v, v.has_secret()));
        let should = shown(&comparison.should, comparison.should.has_secret());
        lines.push(format!("`{}` is {is} and should be {should}", comparison.name));
    }
    lines.dedup();
    (!lines.is_empty()).then(|| lines.join("; "))
}
