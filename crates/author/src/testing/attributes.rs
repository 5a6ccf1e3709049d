//! Automatic checks of attribute values: allowed values are accepted, and canonical values are stable.

use super::take::{Bench, TITLES, Taken};
use super::{Lab, TestResult, shown};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, AttributeDef, Default, Matcher, Role, TestDef, TypeDef, ValueStep};
use rtype_lang::value::{Symbol, Value};
use std::sync::Arc;

/// A value that a declaration sets.
struct Sample<'a> {
    bench: &'a Bench<'a>,
    value: Value,
    span: Span,
}

/// Checks all attributes of a type except metaparameters.
pub(super) fn check(type_def: &Arc<TypeDef>, tests: &[&TestDef], lab: Lab<'_>) -> Vec<TestResult> {
    let benches: Vec<Bench<'_>> = tests.iter().filter_map(|t| Bench::of(t, lab)).collect();
    let title = title(type_def, &benches, lab);
    let mut results = Vec::new();
    for (i, attribute) in type_def.attributes.iter().enumerate() {
        let id = AttrId(i as u16);
        if attribute.role == Role::Metaparam || attribute.name.as_str() == "provider" || attribute.readonly.is_some() {
            continue;
        }
        let mut bare = Bench::bare(type_def, &title, lab);
        if !bare.choose_provider(&attribute.required_features.iter().collect::<Vec<_>>()) {
            continue;
        }
        let checker = Checker { type_def, id, attribute, bare: &bare, lab, title: &title };
        checker.run(&benches, &mut results);
    }
    results
}

/// Returns a title with valid namevars: a title from a test, otherwise a typical title.
fn title(type_def: &Arc<TypeDef>, benches: &[Bench<'_>], lab: Lab<'_>) -> String {
    let known = benches.iter().map(|b| b.declared.title.as_str()).chain(TITLES.iter().copied());
    let fits = |title: &&str| {
        let bench = Bench::bare(type_def, title, lab);
        type_def.namevars.iter().all(|id| matches!(bench.take_titled(title, *id), Taken::Accepted(_)))
    };
    known.clone().find(fits).or_else(|| known.clone().next()).unwrap_or_default().to_owned()
}

struct Checker<'a> {
    type_def: &'a Arc<TypeDef>,
    id: AttrId,
    attribute: &'a AttributeDef,
    bare: &'a Bench<'a>,
    lab: Lab<'a>,
    title: &'a str,
}

impl Checker<'_> {
    fn run(&self, benches: &[Bench<'_>], results: &mut Vec<TestResult>) {
        let name = &self.attribute.name;
        let mut push = |title: String, found: Option<Vec<Diagnostic>>| {
            if let Some(found) = found {
                let type_name = self.type_def.name.clone();
                let title = ecow::EcoString::from(title);
                results.push(TestResult { type_name, title, span: self.attribute.span, automatic: true, found });
            }
        };
        push(format!("the values of `{name}` are accepted and kept"), self.literals());
        push(format!("the aliases of `{name}` mean its values"), self.aliases());
        push(format!("the default of `{name}` is accepted"), self.default());
        push(format!("what is canonical as `{name}` stays as it is"), self.stays(benches));
    }

    /// Returns a resource with only a title, and a provider that supports the features.
    fn bench_for(&self, features: &[Symbol]) -> Option<Bench<'_>> {
        let mut bench = Bench::bare(self.type_def, self.title, self.lab);
        let all: Vec<&Symbol> = self.attribute.required_features.iter().chain(features).collect();
        bench.choose_provider(&all).then_some(bench)
    }

    fn literals(&self) -> Option<Vec<Diagnostic>> {
        let (mut found, mut any) = (Vec::new(), false);
        for allowed in &self.attribute.values.values {
            let Matcher::Literal(symbol) = &allowed.matcher else { continue };
            let Some(bench) = self.bench_for(&allowed.required_features) else { continue };
            let canonical = match bench.take(self.id, &Value::Str(symbol.text())) {
                Taken::Nothing => continue,
                Taken::Refused(refusal) => {
                    any = true;
                    found.push(self.problem(
                        Code::ValueNotKept,
                        allowed.span,
                        format!("the value `{symbol}` is listed and refused"),
                        &refusal,
                    ));
                    continue;
                }
                Taken::Accepted(canonical) => canonical,
            };
            any = true;
            let stored = self.element(&canonical);
            // A munge block may convert the symbol in any way.
            let is_empty = symbol.as_str().is_empty();
            if self.keeps_symbols() && !is_empty && stored != Value::Sym(symbol.clone()) {
                let message =
                    format!("`{}`: the value `{symbol}` is stored as {}", self.attribute.name, shown(&stored, self.attribute.sensitive));
                found.push(
                    Diagnostic::new(Code::ValueNotKept, allowed.span, message).help(format!("it should become the symbol `:{symbol}`")),
                );
            }
            if self.attribute.conversion.is_none()
                && let Taken::Refused(refusal) = bench.take(self.id, &canonical)
            {
                let message = format!("the value `{symbol}` is stored as {} and refused in that form", self.show(&stored));
                found.push(self.problem(Code::ValueNotKept, allowed.span, message, &refusal));
            }
        }
        any.then_some(found)
    }

    fn aliases(&self) -> Option<Vec<Diagnostic>> {
        let (mut found, mut any) = (Vec::new(), false);
        for alias in &self.attribute.values.aliases {
            let features = self.attribute.values.find(&alias.target.text()).map(|v| v.required_features.clone()).unwrap_or_default();
            let Some(bench) = self.bench_for(&features) else { continue };
            let take = |name: &Symbol| bench.take(self.id, &Value::Str(name.text()));
            match (take(&alias.name), take(&alias.target)) {
                (Taken::Accepted(a), Taken::Accepted(b)) if a == b => any = true,
                (Taken::Accepted(a), Taken::Accepted(b)) => {
                    any = true;
                    let (a, b) = (self.show(&self.element(&a)), self.show(&self.element(&b)));
                    let message =
                        format!("`{}`: the alias `{}` gives {a}, and `{}` gives {b}", self.attribute.name, alias.name, alias.target);
                    found.push(Diagnostic::new(Code::AliasNotKept, alias.span, message));
                }
                (Taken::Refused(refusal), Taken::Accepted(_)) => {
                    any = true;
                    found.push(self.problem(Code::AliasNotKept, alias.span, format!("the alias `{}` is refused", alias.name), &refusal));
                }
                // Errors of the value itself have been reported.
                _ => {}
            }
        }
        any.then_some(found)
    }

    fn default(&self) -> Option<Vec<Diagnostic>> {
        let Some(Default::Value(value, span)) = &self.attribute.default else { return None };
        match self.bare.take(self.id, value) {
            Taken::Accepted(_) => Some(Vec::new()),
            Taken::Refused(refusal) => {
                let message = format!("the default {} is refused", self.show(value));
                Some(vec![self.problem(Code::DefaultRefused, *span, message, &refusal)])
            }
            Taken::Nothing => None,
        }
    }

    /// Checks that munging a canonical value does not change it.
    fn stays(&self, benches: &[Bench<'_>]) -> Option<Vec<Diagnostic>> {
        if self.attribute.conversion.is_some() || !self.changes_values() {
            return None;
        }
        let (mut found, mut any) = (Vec::new(), false);
        for sample in self.samples(benches) {
            let Taken::Accepted(once) = sample.bench.take(self.id, &sample.value) else { continue };
            // An object cannot be declared.
            if once.has_object() {
                continue;
            }
            any = true;
            let place = |d: Diagnostic| d.also(if sample.span.is_none() { Span::NONE } else { self.attribute.span }, "the attribute");
            let span = if sample.span.is_none() { self.attribute.span } else { sample.span };
            let first = self.show(&once);
            let name = &self.attribute.name;
            match sample.bench.take(self.id, &once) {
                Taken::Accepted(twice) if twice == once => {}
                Taken::Accepted(twice) => {
                    let message = format!("`{name}`: {} becomes {first}, and that becomes {}", self.show(&sample.value), self.show(&twice));
                    found.push(place(Diagnostic::new(Code::NotStable, span, message)).help(CONVERSION));
                }
                // For allowed values, this has been reported.
                Taken::Refused(_) if sample.span.is_none() => {}
                Taken::Refused(refusal) => {
                    let message = format!("`{name}`: {} becomes {first}, and that is refused", self.show(&sample.value));
                    let d = place(Diagnostic::new(Code::NotStable, span, message));
                    found.push(d.help(format!("{}; {CONVERSION}", refusal.bare_message())));
                }
                Taken::Nothing => {}
            }
        }
        any.then_some(found)
    }

    /// Returns the known values: literals, aliases, the default, and values in the tests.
    fn samples<'s>(&'s self, benches: &'s [Bench<'s>]) -> Vec<Sample<'s>> {
        let mut samples: Vec<Sample<'_>> = Vec::new();
        let set = &self.attribute.values;
        let texts = set.literals().chain(set.aliases.iter().map(|a| &a.name)).map(|s| Value::Str(s.text()));
        samples.extend(texts.map(|value| Sample { bench: self.bare, value, span: Span::NONE }));
        if let Some(Default::Value(value, span)) = &self.attribute.default {
            samples.push(Sample { bench: self.bare, value: value.clone(), span: *span });
        }
        let from_title = self.type_def.title_patterns.is_empty() && self.type_def.namevars.as_slice() == [self.id];
        for bench in benches {
            match bench.declared.attributes.get(self.attribute.name.as_str()) {
                Some(given) => samples.push(Sample { bench, value: given.value.clone(), span: given.span }),
                None if from_title => {
                    let value = Value::Str(bench.declared.title.clone());
                    samples.push(Sample { bench, value, span: bench.declared.title_span });
                }
                None => {}
            }
        }
        samples
    }

    /// Returns `true` if values are converted at all.
    fn changes_values(&self) -> bool {
        let attribute = self.attribute;
        let munges = attribute.munge.steps.iter().any(|s| !matches!(s, ValueStep::Values));
        attribute.data_type.is_some() || munges || !attribute.values.is_empty()
    }

    /// Returns `true` if a literal is stored as its symbol.
    fn keeps_symbols(&self) -> bool {
        matches!(self.attribute.munge.steps.as_slice(), [ValueStep::Values])
    }

    /// Returns the single element of a property's list, or a parameter's value.
    fn element(&self, canonical: &Value) -> Value {
        match (self.attribute.role, canonical.unwrapped()) {
            (Role::Property, Value::Array(all)) => all.first().cloned().unwrap_or_default(),
            (_, other) => other.clone(),
        }
    }

    /// Formats a value for a message; a list with a single element is shown as that element.
    fn show(&self, value: &Value) -> String {
        let one = match value {
            Value::Array(all) if self.attribute.role == Role::Property && all.len() == 1 => all.first().unwrap_or(value),
            other => other,
        };
        shown(one, self.attribute.sensitive || value.has_secret())
    }

    fn problem(&self, code: Code, span: Span, message: String, refusal: &Diagnostic) -> Diagnostic {
        let d = Diagnostic::new(code, span, format!("`{}`: {message}", self.attribute.name));
        let rule = refusal.labels.iter().find(|l| l.text == "the rule").map_or(Span::NONE, |l| l.span);
        let rule = if rule == span { Span::NONE } else { rule };
        d.also(rule, "the rule").help(refusal.bare_message())
    }
}

const CONVERSION: &str = "give back what is canonical already, or say `conversion \"why\"` in the attribute";
