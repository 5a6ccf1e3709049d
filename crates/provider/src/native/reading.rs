//! Small helpers that the native providers share.

use crate::{ProviderError, Select, State};
use rtype_lang::value::{Symbol, Value};

/// A [`State`] in the making: only what was selected is computed.
pub(super) struct Reader<'a> {
    select: Select<'a>,
    state: State,
}

impl<'a> Reader<'a> {
    /// Creates an empty reader.
    pub(super) fn new(select: Select<'a>) -> Reader<'a> {
        Reader { select, state: State::new() }
    }

    /// Adds a property if it is selected.
    pub(super) fn set(&mut self, property: &'static str, value: impl FnOnce() -> Value) {
        self.try_set(property, || Ok(value()));
    }

    /// Adds a property that may fail to be read, if it is selected.
    pub(super) fn try_set(&mut self, property: &'static str, value: impl FnOnce() -> Result<Value, ProviderError>) {
        if self.select.wants(property) {
            self.state.insert(Symbol::from(property), value());
        }
    }

    /// Returns the properties that were read.
    pub(super) fn finish(self) -> State {
        self.state
    }
}

/// Returns `:absent`, the value of a property that is not set on the machine.
pub(super) fn absent() -> Value {
    Value::sym("absent")
}

#[cfg(test)]
pub(super) mod testing {
    //! What the providers' tests share.

    use crate::{ListedResource, Provider, Reading, Request, Resource, Select, State, System};
    use rtype_lang::value::Value;
    use serde_json::Value as Json;
    use std::collections::BTreeMap;

    /// A resource that wants these attributes.
    pub(in crate::native) struct Wants(pub(in crate::native) Vec<(&'static str, Value)>);

    impl Resource for Wants {
        fn wanted(&self, attribute: &str) -> Value {
            self.0.iter().find(|(name, _)| *name == attribute).map(|(_, v)| v.clone()).unwrap_or_default()
        }
    }

    /// Returns the machine in `tests/fixtures/roots`.
    pub(in crate::native) fn root(name: &str) -> System {
        System::at(format!("{}/../../tests/fixtures/roots/{name}", env!("CARGO_MANIFEST_DIR")))
    }

    /// Reads all properties of a resource.
    pub(in crate::native) fn get(provider: &dyn Provider, system: &System, name: &str, wants: Vec<(&'static str, Value)>) -> Reading {
        let resource = Wants(wants);
        provider.get(system, &[Request { name, resource: &resource }], Select::All).remove(0)
    }

    /// Returns the state of a resource; panics if the resource is absent.
    pub(in crate::native) fn present(provider: &dyn Provider, system: &System, name: &str, wants: Vec<(&'static str, Value)>) -> State {
        match get(provider, system, name, wants) {
            Reading::Present(state) => state,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// What `puppet resource TYPE --to_yaml` printed for the machine `recorded`, by title.
    pub(in crate::native) fn puppet(type_name: &str) -> BTreeMap<String, Json> {
        let text =
            std::fs::read_to_string(format!("{}/../../tests/fixtures/roots/recorded/puppet/{type_name}.yaml", env!("CARGO_MANIFEST_DIR")))
                .unwrap();
        let all = rtype_lang::value::parse_yaml(&text).unwrap().to_json();
        let mut all: BTreeMap<String, BTreeMap<String, Json>> = serde_json::from_value(all).unwrap();
        let mut resources = all.remove(type_name).unwrap();
        for resource in resources.values_mut() {
            resource.as_object_mut().unwrap().remove("provider");
        }
        resources
    }

    /// Listed resources as `puppet resource` prints them: without what is absent or empty and without `hidden`.
    pub(in crate::native) fn shown(found: &[ListedResource], hidden: &[&str]) -> BTreeMap<String, Json> {
        let one = |f: &ListedResource| {
            let shown = f.state.iter().filter_map(|(name, value)| {
                let json = serde_json::to_value(value.as_ref().unwrap()).unwrap();
                let empty = json == "absent" || json == "" || json.as_array().is_some_and(Vec::is_empty);
                (!empty && !hidden.contains(&name.as_str())).then(|| (name.to_string(), json))
            });
            (f.name.to_string(), Json::Object(shown.collect()))
        };
        found.iter().map(one).collect()
    }
}
