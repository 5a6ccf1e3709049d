//! What a program's answers about resources of a type must look like, and what they mean.

use super::message::{Fault, Hello, Object};
use crate::provider::{ProviderError, Select, State};
use crate::value::{DataType, EcoString, Symbol, Value};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value as Json;

/// A type, as far as programs are concerned.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its name.
    pub type_name: EcoString,
    /// What identifies its resources, in order.
    pub namevars: Vec<Symbol>,
    /// Its properties and params.
    pub attributes: IndexMap<Symbol, Attribute>,
}

/// An attribute of a type, as far as programs are concerned.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Whether it is a property; else a param.
    pub is_property: bool,
    /// Whether no message shows it.
    pub is_secret: bool,
    /// Texts that stand for symbols.
    pub symbols: IndexMap<EcoString, Symbol>,
    /// What its values must be.
    pub data_type: Option<DataType>,
}

impl Shape {
    /// Whether it has a property of this name.
    pub fn is_property(&self, name: &str) -> bool {
        self.attributes.get(name).is_some_and(|a| a.is_property)
    }

    /// Whether it has a param of this name.
    pub fn is_param(&self, name: &str) -> bool {
        self.attributes.get(name).is_some_and(|a| !a.is_property)
    }

    /// What names a thing, as texts.
    pub fn key(&self, item: &Object) -> Vec<String> {
        let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
        self.namevars.iter().map(|n| item.get(n.as_str()).map(text).unwrap_or_default()).collect()
    }

    /// Why this cannot be said of a thing.
    pub fn refuse(&self, item: &Object, hello: &Hello) -> Option<String> {
        if let Some(missing) = self.namevars.iter().find(|n| item.get(n.as_str()).is_none_or(Json::is_null)) {
            return Some(format!("each resource has a `{missing}`"));
        }
        if let Some(error) = item.get("error").filter(|e| !e.is_null() && !self.attributes.contains_key("error")) {
            return Fault::deserialize(error).err().map(|e| format!("`error` of a resource is an error ({e})"));
        }
        for name in item.keys().filter(|k| *k != "error") {
            if !self.attributes.contains_key(name.as_str()) {
                return Some(format!("the type `{}` has no attribute `{name}`", self.type_name));
            }
            if self.is_property(name) && !hello.attributes_read.iter().any(|a| a == name) {
                return Some(format!("`hello` does not say that `{name}` is read"));
            }
        }
        None
    }

    /// The properties of a thing that were asked for; nothing when it is not there.
    pub fn state(&self, item: &Object, select: Select<'_>, program: &str) -> Option<State> {
        let value = |name: &str, json: &Json| self.attributes.get(name).map(|a| a.value(name, json, program));
        if item.get("ensure").and_then(|json| value("ensure", json)).is_some_and(|v| v.is_ok_and(|v| v.is_absent())) {
            return None;
        }
        let mut state = State::new();
        for (name, attribute) in self.attributes.iter().filter(|(name, a)| a.is_property && select.wants(name.as_str())) {
            match item.get(name.as_str()) {
                Some(json) => drop(state.insert(name.clone(), attribute.value(name.as_str(), json, program))),
                None if name.as_str() == "ensure" => drop(state.insert(name.clone(), Ok(Value::sym("present")))),
                None => {}
            }
        }
        Some(state)
    }
}

impl Attribute {
    /// What a program's value means.
    fn value(&self, name: &str, json: &Json, program: &str) -> Result<Value, ProviderError> {
        let value = self.symbol(Value::from_json(json));
        if value.is_nil() {
            return Ok(Value::sym("absent"));
        }
        match &self.data_type {
            Some(data_type) if !value.is_absent() => match data_type.coerce(&value) {
                Ok(value) => Ok(self.symbol(value.unwrapped().clone())),
                Err(mismatch) => {
                    let shown = if self.is_secret { crate::value::REDACTED.to_owned() } else { json.to_string() };
                    Err(ProviderError::new(format!("`{program}` said that `{name}` is {shown}; expected is {}", mismatch.expected)))
                }
            },
            _ => Ok(value),
        }
    }

    /// The symbol that a text spells, where there is one; lists element by element.
    fn symbol(&self, value: Value) -> Value {
        match value {
            Value::Array(items) => Value::array(items.iter().cloned().map(|v| self.symbol(v))),
            Value::Map(_) | Value::Nil => value,
            scalar => self.symbols.get(scalar.to_text().as_str()).cloned().map_or(scalar, Value::Sym),
        }
    }
}
