//! Canonicalizes values of single attributes on a simulated machine, for the automatic checks.

use super::Lab;
use super::machine::{Answers, Simulated};
use super::written::{declarations, named};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::Failure;
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, TestDef, TestGiven, TypeDef};
use rtype_lang::value::{EcoString, Map, Symbol, Value};
use rtype_model::manifest::{Declared, DeclaredValue};
use rtype_model::resource::{Context, NoCatalog, canonicalized, choose, supports_all, survey, take_one};
use std::sync::Arc;

/// Typical titles.
pub(super) const TITLES: &[&str] =
    &["example", "/example", "example.com", "a b", "a:b", "a:1", "a/b", "/a/b/", "a@b", "user@example.com:/a", "80/tcp", "a-b_c.d", "1"];

/// The result of canonicalizing a value.
pub(super) enum Taken {
    /// The canonical form.
    Accepted(Value),
    /// The value was rejected.
    Refused(Box<Diagnostic>),
    /// The value has no effect, or depends on unknown data.
    Nothing,
}

/// A declaration that gets other attribute values.
pub(super) struct Bench<'a> {
    type_def: &'a Arc<TypeDef>,
    lab: Lab<'a>,
    machine: Simulated,
    given: TestGiven,
    test: Option<&'a TestDef>,
    /// The declaration.
    pub declared: Declared,
}

impl<'a> Bench<'a> {
    /// Creates a resource with only a title, on a standard machine.
    pub fn bare(type_def: &'a Arc<TypeDef>, title: &str, lab: Lab<'a>) -> Bench<'a> {
        let declared = Declared::new(type_def.name.clone(), title);
        Bench { type_def, lab, machine: lab.machine.clone(), given: TestGiven::default(), test: None, declared }
    }

    /// Creates a test's resource, on its machine; `None` if the test does not declare exactly one resource.
    pub fn of(test: &'a TestDef, lab: Lab<'a>) -> Option<Bench<'a>> {
        let machine = lab.machine.with_given(&test.given);
        let (_, declared, _) = declarations(test, &machine);
        Some(Bench { type_def: &test.type_def, lab, given: test.given.clone(), test: Some(test), machine, declared: declared? })
    }

    /// Canonicalizes a value of an attribute; other attributes are as declared.
    pub fn take(&self, id: AttrId, value: &Value) -> Taken {
        let Some(attribute) = self.type_def.attribute(id) else { return Taken::Nothing };
        self.take_from(&self.with(attribute.name.text(), value.clone()), id)
    }

    /// Runs the type's `canonicalize`; `None` if the type has none, or if the result depends on unknown values.
    pub fn canonicalized(&self, values: &Map) -> Option<Result<Map, Failure>> {
        let context =
            Context { world: &self.machine, catalog: &NoCatalog, backend: None, strict: false, trace: false, offline: false, log: None };
        canonicalized(self.type_def, values, context).filter(|result| !result.as_ref().is_err_and(Failure::is_unknown))
    }

    /// Returns the current values of the test, by attribute.
    pub fn current_values(&self) -> Map {
        let current = self.given.is.iter().flatten();
        current.filter_map(|(id, value)| Some((Value::Sym(self.type_def.attribute(*id)?.name.clone()), value.clone()))).collect()
    }

    /// Canonicalizes the declared value of an attribute with another title.
    pub fn take_titled(&self, title: &str, id: AttrId) -> Taken {
        self.take_from(&Declared { title: title.into(), ..self.declared.clone() }, id)
    }

    /// Returns the declaration with another value for an attribute.
    fn with(&self, name: EcoString, value: Value) -> Declared {
        let mut declared = self.declared.clone();
        let span = declared.attributes.get(&name).map_or(Span::NONE, |g| g.span);
        declared.attributes.insert(name, DeclaredValue::new(value, span, Span::NONE));
        declared
    }

    fn take_from(&self, declared: &Declared, id: AttrId) -> Taken {
        let is = |name: &str| self.test.map_or(Value::sym("absent"), |test| named(test, name));
        let answers = Answers::new(&self.given.answers, &is, self.lab.providers);
        let context = Context {
            world: &self.machine,
            catalog: &NoCatalog,
            backend: Some(&answers),
            strict: false,
            trace: false,
            offline: false,
            log: None,
        };
        let taken = take_one(self.type_def, declared, id, context);
        match taken {
            _ if answers.unanswered.get() => Taken::Nothing,
            Ok(Some(value)) if !value.has_unknown() => Taken::Accepted(value),
            Ok(_) => Taken::Nothing,
            Err(refusal) => Taken::Refused(refusal),
        }
    }

    /// Selects a provider with all the features. Returns `false` if no provider has them.
    pub fn choose_provider(&mut self, features: &[&Symbol]) -> bool {
        if self.type_def.providers.is_empty() || features.is_empty() {
            return true;
        }
        let usual = choose(&survey(self.type_def, &self.machine)).map(|c| c.provider);
        let all = usual.iter().chain(self.type_def.providers.keys());
        let provider = all
            .filter_map(|name| self.type_def.providers.get(name))
            .find(|p| supports_all(self.type_def, p, features.iter().copied()).is_empty());
        match provider {
            Some(provider) => {
                self.declared = self.with("provider".into(), Value::Sym(provider.name.clone()));
                true
            }
            None => false,
        }
    }
}
