//! Converts Ruby values to rtype's language and back, and calls the language's methods.

use super::value::RuntimeValue;
use super::{Eval, Flow, Interpreter};
use rtype_lang::value::{EcoString, Symbol, Value};
use std::rc::Rc;
use std::sync::Arc;

/// Returns the language value with the same meaning, if there is one.
pub(crate) fn data(of: &RuntimeValue, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    Some(match of {
        RuntimeValue::Nil => Value::Nil,
        RuntimeValue::Bool(value) => Value::Bool(*value),
        RuntimeValue::Int(number) => Value::Int(*number),
        RuntimeValue::Float(number) => Value::Float(*number),
        RuntimeValue::Sym(name) => Value::Sym(Symbol::from(EcoString::from(&**name))),
        RuntimeValue::Str(cell) if cell.lost.borrow().is_none() => Value::Str(cell.content.borrow().as_str().into()),
        RuntimeValue::Array(cell) if cell.lost.borrow().is_none() => {
            Value::Array(cell.content.borrow().iter().map(|item| data(item, depth)).collect::<Option<_>>()?)
        }
        RuntimeValue::Hash(cell) if cell.lost.borrow().is_none() => {
            let content = cell.content.borrow();
            let pairs = content.entries.values().map(|(key, value)| Some((data(key, depth)?, data(value, depth)?)));
            Value::Map(Arc::new(pairs.collect::<Option<_>>()?))
        }
        RuntimeValue::Regex(regex) => {
            let compiled = regex.compiled.as_ref()?;
            let again = rtype_lang::value::Regex::new(compiled.source(), compiled.flags()).ok()?;
            Value::Regex(Arc::new(again))
        }
        _ => return None,
    })
}

/// Methods with intentionally different results than Ruby's for some arguments (tests/methods/differences.json), or missing in Ruby.
const DIFFERENT: &[&str] =
    &["chr", "pow", "to_f", "concat", "=~", "insert", "to_c", "to_r", "rationalize", "unpack", "hash", "inspect", "to_s"];

/// The maximum nesting of values passed to the language.
const MAX_NESTING: usize = 64;

impl Interpreter<'_> {
    /// Converts a language value to Ruby.
    pub(crate) fn value_of(&mut self, of: &Value) -> Eval {
        Ok(match of {
            Value::Nil => RuntimeValue::Nil,
            Value::Bool(value) => RuntimeValue::Bool(*value),
            Value::Int(number) => RuntimeValue::Int(*number),
            Value::Float(number) => RuntimeValue::Float(*number),
            Value::Sym(name) => RuntimeValue::sym(name.as_str()),
            Value::Str(text) => self.new_str(text.as_str())?,
            Value::Array(items) => {
                let items = items.iter().map(|item| self.value_of(item)).collect::<Eval<Vec<RuntimeValue>>>()?;
                self.new_array(items)?
            }
            Value::Map(map) => {
                let pairs = map.iter().map(|(key, value)| Ok((self.value_of(key)?, self.value_of(value)?)));
                let pairs = pairs.collect::<Eval<Vec<_>>>()?;
                self.new_hash(pairs)?
            }
            _ => return self.unknown_because("this value is not supported"),
        })
    }

    /// Calls a language method. Returns `None` if the language does not implement it for these arguments.
    pub(crate) fn lang_method(&mut self, receiver: &RuntimeValue, name: &str, arguments: &[RuntimeValue]) -> Eval<Option<RuntimeValue>> {
        let has_text = matches!(receiver, RuntimeValue::Str(_) | RuntimeValue::Sym(_) | RuntimeValue::Int(_) | RuntimeValue::Float(_));
        if !has_text
            || DIFFERENT.contains(&name)
            || arguments.iter().any(|argument| matches!(argument, RuntimeValue::Nil | RuntimeValue::Bool(_)))
        {
            return Ok(None);
        }
        let first_is_number = matches!(arguments.first(), Some(RuntimeValue::Int(_) | RuntimeValue::Float(_)));
        if matches!(receiver, RuntimeValue::Str(_)) && matches!(name, "split" | "index" | "delete") && first_is_number {
            return Ok(None);
        }
        let given: Option<Vec<Value>> = arguments.iter().map(|argument| data(argument, MAX_NESTING)).collect();
        let (Some(receiver), Some(given)) = (data(receiver, MAX_NESTING), given) else { return Ok(None) };
        let size = receiver.as_text().map_or(0, str::len);
        self.spend_bytes(size)?;
        match rtype_lang::eval::call_method(&receiver, name, &given) {
            Some(Ok(result)) => self.value_of(&result).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns a string's or symbol's characters.
    pub(crate) fn text_of(&mut self, value: &RuntimeValue) -> Eval<String> {
        match value {
            RuntimeValue::Str(cell) => {
                if let Some(why) = &*cell.lost.borrow() {
                    return Err(Flow::Unknown(Rc::clone(why)));
                }
                let text = cell.content.borrow().clone();
                self.spend_bytes(text.len())?;
                Ok(text)
            }
            RuntimeValue::Sym(name) => Ok(name.to_string()),
            RuntimeValue::Unknown(why) => Err(Flow::Unknown(Rc::clone(why))),
            RuntimeValue::Object(_) if self.responds(value, "to_str") => {
                let text = self.send(value, "to_str", super::frame::Arguments::default())?;
                self.text_of(&text)
            }
            other => self.no_conversion(other, "String"),
        }
    }

    /// Raises the error for a value with an unexpected class.
    pub(crate) fn no_conversion<T>(&mut self, value: &RuntimeValue, class: &str) -> Eval<T> {
        let own = match value {
            RuntimeValue::Nil => "nil".to_owned(),
            RuntimeValue::Bool(value) => value.to_string(),
            RuntimeValue::Unknown(why) => return Err(Flow::Unknown(Rc::clone(why))),
            other => self.real_class_name(other),
        };
        let preposition = if class == "Integer" && value.is_nil() { "from nil to integer" } else { "" };
        if !preposition.is_empty() {
            return self.raise("TypeError", format!("no implicit conversion {preposition}"));
        }
        self.raise("TypeError", format!("no implicit conversion of {own} into {class}"))
    }

    /// Converts an argument to an integer, or raises an error.
    pub(crate) fn int_of(&mut self, value: &RuntimeValue) -> Eval<i64> {
        match value {
            RuntimeValue::Int(number) => Ok(*number),
            RuntimeValue::Float(number) if number.is_finite() && number.abs() < 9e18 => Ok(number.trunc() as i64),
            RuntimeValue::Unknown(why) => Err(Flow::Unknown(Rc::clone(why))),
            RuntimeValue::Object(_) if self.responds(value, "to_int") => {
                let number = self.send(value, "to_int", super::frame::Arguments::default())?;
                self.int_of(&number)
            }
            other => self.no_conversion(other, "Integer"),
        }
    }
}
