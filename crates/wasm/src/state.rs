//! The current state of resources, written next to the resources.

use crate::service::STATE;
use indexmap::IndexMap;
use rtype_author::pretend::{Stated, state_of};
use rtype_author::testing::{Answers, Simulated};
use rtype_lang::diagnostics::Diagnostic;
use rtype_lang::eval::QueryError;
use rtype_lang::library::TypeSet;
use rtype_lang::types::{AttrId, TypeDef};
use rtype_lang::value::{EcoString, Map, ResourceRef, Symbol, Value};
use rtype_model::manifest::{Declared, from_source};
use rtype_model::providers::UnknownProviders;
use rtype_model::resource::{Backend, Instance, QueryContext};

/// The properties of existing resources. All other resources are absent.
#[derive(Default)]
pub(crate) struct State {
    resources: IndexMap<ResourceRef, IndexMap<Symbol, Value>>,
}

impl State {
    /// Reads the state of resources from declarations: the declared properties are the current properties.
    pub(crate) fn read(text: &str, types: &TypeSet, machine: &Simulated, found: &mut Vec<Diagnostic>) -> State {
        let source = match types.keep(STATE, text.to_owned()) {
            Ok(source) => source,
            Err(diagnostic) => {
                found.push(diagnostic);
                return State::default();
            }
        };
        let (declarations, diagnostics) = from_source(&source, machine);
        types.secrets.extend(&declarations.secrets);
        found.extend(diagnostics);
        let mut state = State::default();
        for declared in &declarations.resources {
            let Some(type_def) = types.load(declared.type_name.as_str()) else {
                found.push(types.unknown_type(declared.type_name.as_str(), declared.type_span));
                continue;
            };
            let reference = declared.reference();
            let properties = state_of(&type_def, &reference, stated(declared), &types.secrets);
            found.extend(properties.diagnostics);
            state.resources.insert(reference, properties.value);
        }
        state
    }

    /// Returns a property's current value.
    pub(crate) fn property(&self, instance: &Instance, id: AttrId) -> Value {
        let Some(attribute) = instance.type_def.attribute(id) else { return absent() };
        self.named(&instance.type_def, &[instance.title.as_str(), &instance.name()], attribute.name.as_str())
    }

    /// Returns a property's current value for the resource with any of these titles.
    fn named(&self, type_def: &TypeDef, titles: &[&str], property: &str) -> Value {
        let is_it = |r: &ResourceRef| r.type_name == type_def.name && titles.contains(&r.title.as_str());
        let found = self.resources.iter().find(|(reference, _)| is_it(reference));
        found.and_then(|(_, properties)| properties.get(property)).cloned().unwrap_or_else(absent)
    }
}

fn absent() -> Value {
    Value::sym("absent")
}

fn stated(declared: &Declared) -> impl Iterator<Item = Stated> {
    declared.attributes.iter().map(|(name, given)| Stated {
        name: EcoString::from(name.as_str()),
        name_span: given.name_span,
        value: given.value.clone(),
        value_span: given.span,
    })
}

impl Backend for State {
    fn query(&self, asked: &QueryContext<'_>, method: &str, arguments: &[Value]) -> Result<Value, QueryError> {
        let is = |property: &str| self.named(asked.type_def, &[asked.name], property);
        Answers::new(&Map::new(), &is, &UnknownProviders).query(asked, method, arguments)
    }

    fn instances(&self, _: &TypeDef) -> Result<Value, QueryError> {
        Ok(Value::array([]))
    }
}
