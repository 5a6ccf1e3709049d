//! The description of a type for code that supports any type: programs and declarative providers.

use super::external::Object;
use crate::{ProviderError, Select, State};
use indexmap::IndexMap;
use rtype_lang::redact::Redactor;
use rtype_lang::value::{DataType, EcoString, Symbol, Value};
use serde_json::Value as Json;

/// A simplified type definition for providers.
#[derive(Clone, Debug)]
pub struct ResourceShape {
    /// Its name.
    pub type_name: EcoString,
    /// The attributes that identify a resource, in order.
    pub namevars: Vec<Symbol>,
    /// Its properties and params.
    pub attributes: IndexMap<Symbol, Attribute>,
}

/// A simplified attribute definition.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Whether it is a property rather than a param.
    pub is_property: bool,
    /// Whether it is redacted in messages.
    pub is_secret: bool,
    /// Whether its value is a list (`array_matching all`).
    pub is_list: bool,
    /// Texts that are converted to symbols.
    pub symbols: IndexMap<EcoString, Symbol>,
    /// The type of its values.
    pub data_type: Option<DataType>,
}

impl ResourceShape {
    /// Returns whether there is a property of this name.
    pub fn is_property(&self, name: &str) -> bool {
        self.attributes.get(name).is_some_and(|a| a.is_property)
    }

    /// Returns whether there is a param of this name.
    pub fn is_param(&self, name: &str) -> bool {
        self.attributes.get(name).is_some_and(|a| !a.is_property)
    }

    /// Returns whether any attribute is secret.
    pub fn has_secrets(&self) -> bool {
        self.attributes.values().any(|a| a.is_secret)
    }

    /// Adds the secrets in a program's answer to a redactor, even if the rest of the answer is invalid.
    pub fn learn(&self, answer: &Object, redactor: &Redactor) {
        if !self.has_secrets() {
            return;
        }
        for (name, value) in answer {
            let attribute = self.attributes.get(name.as_str()).filter(|a| a.is_secret);
            let is_word = |text: &str| attribute.is_some_and(|a| a.symbols.contains_key(text));
            redactor.add_value(&Value::from_json(value), attribute.is_some(), &is_word);
            match value {
                Json::Object(inner) => self.learn(inner, redactor),
                Json::Array(items) => items.iter().filter_map(Json::as_object).for_each(|inner| self.learn(inner, redactor)),
                _ => {}
            }
        }
    }

    /// Returns the values that identify a resource, as texts.
    pub fn key(&self, item: &Object) -> Vec<String> {
        let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
        self.namevars.iter().map(|n| item.get(n.as_str()).map(text).unwrap_or_default()).collect()
    }

    /// Returns the requested properties of a resource, `None` if it is absent.
    pub fn state(&self, item: &Object, select: Select<'_>, program: &str) -> Option<State> {
        let of = |name: &str| item.get(name).map(Value::from_rich_json);
        self.state_of(&of, select, &format!("`{program}` said that"))
    }

    /// Like `state`, for values that are not JSON. `who` is the start of error messages: "`x.py` said that".
    pub fn state_of(&self, of: &dyn Fn(&str) -> Option<Value>, select: Select<'_>, who: &str) -> Option<State> {
        let ensure = of("ensure").and_then(|value| self.attributes.get("ensure").map(|a| a.value("ensure", value, who)));
        if ensure.is_some_and(|v| v.is_ok_and(|v| v.is_absent())) {
            return None;
        }
        let mut state = State::new();
        for (name, attribute) in self.attributes.iter().filter(|(name, a)| a.is_property && select.wants(name.as_str())) {
            match of(name.as_str()) {
                Some(value) => drop(state.insert(name.clone(), attribute.value(name.as_str(), value, who))),
                None if name.as_str() == "ensure" => drop(state.insert(name.clone(), Ok(Value::sym("present")))),
                None => {}
            }
        }
        Some(state)
    }
}

impl Attribute {
    /// Converts a value to the attribute's type.
    fn value(&self, name: &str, value: Value, who: &str) -> Result<Value, ProviderError> {
        let shown = if self.is_secret { rtype_lang::value::REDACTED.to_owned() } else { value.to_json().to_string() };
        let value = self.symbol(value);
        if value.is_nil() {
            return Ok(Value::sym("absent"));
        }
        match &self.data_type {
            Some(data_type) if !value.is_absent() => {
                // As in declarations, the type of a property applies to each element.
                let coerced = match &value {
                    Value::Array(items) if self.is_property && !data_type.accepts(&value) => {
                        items.iter().map(|item| data_type.coerce(item)).collect::<Result<Vec<_>, _>>().map(Value::array)
                    }
                    one => data_type.coerce(one),
                };
                match coerced {
                    Ok(value) => Ok(self.symbol(value.unwrapped().clone())),
                    Err(mismatch) => Err(ProviderError::new(format!("{who} `{name}` is {shown}; expected is {}", mismatch.expected))),
                }
            }
            _ => Ok(value),
        }
    }

    /// Converts a text to its symbol, if there is one; lists are converted element by element.
    fn symbol(&self, value: Value) -> Value {
        match value {
            Value::Array(items) => Value::array(items.iter().cloned().map(|v| self.symbol(v))),
            Value::Map(_) | Value::Nil => value,
            scalar => self.symbols.get(scalar.to_text().as_str()).cloned().map_or(scalar, Value::Sym),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtype_lang::value::Bounds;

    fn value(is_property: bool, json: &Json) -> Result<Value, String> {
        let attribute = Attribute {
            is_property,
            is_secret: false,
            is_list: true,
            symbols: IndexMap::new(),
            data_type: Some(DataType::Integer(Bounds { min: Some(0), max: Some(9) })),
        };
        attribute.value("cells", Value::from_json(json), "it said that").map_err(|e| format!("{:?}", e.message.contains("[1,10]")))
    }

    #[test]
    fn the_type_of_a_property_applies_to_each_element() {
        let numbers = Value::array([Value::Int(1), Value::Int(2)]);
        assert_eq!(value(true, &serde_json::json!(["1", 2])), Ok(numbers));
        assert_eq!(value(true, &serde_json::json!("3")), Ok(Value::Int(3)));
        assert_eq!(value(true, &serde_json::json!([1, 10])), Err("true".to_owned()));
        // The data type of a parameter applies to the whole value.
        assert!(value(false, &serde_json::json!([1, 2])).is_err());
    }
}
