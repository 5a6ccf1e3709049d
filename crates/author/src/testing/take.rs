//! Values of single attributes, made canonical on a told machine: what the checks of a type build upon.

use super::Lab;
use super::machine::{Answers, Simulated};
use super::written::{declarations, named};
use indexmap::IndexMap;
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::source::Span;
use rtype_lang::types::{AttrId, TestDef, TestGiven, TypeDef};
use rtype_lang::value::{EcoString, Symbol, Value};
use rtype_model::manifest::{Declared, Given};
use rtype_model::resource::{Context, NoCatalog, choose, supports_all, survey, take_one};
use std::sync::Arc;

/// Titles that people might write.
pub(super) const TITLES: &[&str] =
    &["example", "/example", "example.com", "a b", "a:b", "a:1", "a/b", "/a/b/", "a@b", "user@example.com:/a", "80/tcp", "a-b_c.d", "1"];

/// What became of a value.
pub(super) enum Taken {
    /// Its canonical form.
    Accepted(Value),
    /// Why it cannot be given.
    Refused(Box<Diagnostic>),
    /// It has no effect, or what it depends on is not told.
    Nothing,
}

/// A declaration whose attributes are tried with other values.
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
    /// A resource of nothing but a title, on an ordinary machine.
    pub fn bare(type_def: &'a Arc<TypeDef>, title: &str, lab: Lab<'a>) -> Bench<'a> {
        let declared = Declared {
            type_name: type_def.name.clone(),
            type_span: Span::NONE,
            title: title.into(),
            title_span: Span::NONE,
            attributes: IndexMap::new(),
            span: Span::NONE,
        };
        Bench { type_def, lab, machine: lab.machine.clone(), given: TestGiven::default(), test: None, declared }
    }

    /// The resource of a test, on its machine; `None` where it is not one resource.
    pub fn of(test: &'a TestDef, lab: Lab<'a>) -> Option<Bench<'a>> {
        let machine = lab.machine.told(&test.given);
        let (_, declared, _) = declarations(test, &machine);
        Some(Bench { type_def: &test.type_def, lab, given: test.given.clone(), test: Some(test), machine, declared: declared? })
    }

    /// The canonical form of a value of an attribute, other attributes being as declared.
    pub fn take(&self, id: AttrId, value: &Value) -> Taken {
        let Some(attribute) = self.type_def.attribute(id) else { return Taken::Nothing };
        self.take_from(&self.with(attribute.name.text(), value.clone()), id)
    }

    /// The canonical form of what the declaration says, with another title.
    pub fn take_titled(&self, title: &str, id: AttrId) -> Taken {
        self.take_from(&Declared { title: title.into(), ..self.declared.clone() }, id)
    }

    /// The declaration with another value for an attribute.
    fn with(&self, name: EcoString, value: Value) -> Declared {
        let mut declared = self.declared.clone();
        let span = declared.attributes.get(&name).map_or(Span::NONE, |g| g.span);
        declared.attributes.insert(name, Given::new(value, span, Span::NONE));
        declared
    }

    fn take_from(&self, declared: &Declared, id: AttrId) -> Taken {
        let is = |name: &str| self.test.map_or(Value::sym("absent"), |test| named(test, name));
        let answers = Answers::new(&self.given.answers, &is, self.lab.providers);
        let context =
            Context { world: &self.machine, catalog: &NoCatalog, backend: Some(&answers), strict: false, trace: false, offline: false };
        let taken = take_one(self.type_def, declared, id, context);
        match taken {
            _ if answers.unanswered.get() => Taken::Nothing,
            Ok(Some(value)) if !value.has_unknown() => Taken::Accepted(value),
            Ok(_) => Taken::Nothing,
            Err(refusal) => Taken::Refused(refusal),
        }
    }

    /// Chooses a provider that has all features; tells whether there is one, or none is needed.
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
