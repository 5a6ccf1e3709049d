//! Errors: creation, classes and messages.

use super::classes::ClassKey;
use super::frame::Arguments;
use super::value::{ObjectCell, RuntimeValue};
use super::{Eval, Flow, Interpreter};

/// The hidden variable for an error's message.
pub(crate) const MESSAGE: &str = "message";

impl Interpreter<'_> {
    /// Raises a standard error.
    pub(crate) fn raise<T>(&mut self, class: &str, message: impl Into<String>) -> Eval<T> {
        self.note_raise();
        let class = self.core_class(class);
        let error = ObjectCell::new(class);
        error.variables.content.borrow_mut().insert(MESSAGE.into(), RuntimeValue::str(message.into()));
        Err(Flow::Raise(RuntimeValue::Object(error)))
    }

    /// Returns one of Ruby's classes.
    pub(crate) fn core_class(&self, path: &str) -> ClassKey {
        let mut class = self.known.object;
        for name in path.split("::") {
            if let Some(RuntimeValue::Class(inner)) = self.classes.get(class).and_then(|state| state.constants.get(name)) {
                class = *inner;
            }
        }
        class
    }

    /// Returns true if a value is a core class's instance.
    pub(crate) fn is_instance(&self, value: &RuntimeValue, class: &str) -> bool {
        self.classes.is_a(self.class_of(value), self.core_class(class))
    }

    /// Returns an error's class and message.
    pub(crate) fn describe_error(&mut self, error: &RuntimeValue) -> (String, String) {
        let class = self.real_class_name(error);
        let message = self.send(error, "message", Arguments::default()).ok();
        let message = message.map(|message| self.text_of(&message).unwrap_or_default());
        (class, message.unwrap_or_default())
    }

    pub(crate) fn real_class_name(&self, value: &RuntimeValue) -> String {
        self.classes.name(self.classes.real(self.class_of(value))).to_string()
    }

    /// Raises the error for a wrong argument count.
    pub(crate) fn wrong_arity<T>(&mut self, given: usize, min: usize, max: usize) -> Eval<T> {
        let expected = match max {
            usize::MAX => format!("{min}+"),
            max if max == min => min.to_string(),
            max => format!("{min}..{max}"),
        };
        self.raise("ArgumentError", format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// Describes a value in an error about a missing method.
    pub(crate) fn describe_receiver(&mut self, value: &RuntimeValue) -> Eval<String> {
        Ok(match value {
            RuntimeValue::Nil => "nil:NilClass".into(),
            RuntimeValue::Bool(true) => "true:TrueClass".into(),
            RuntimeValue::Bool(false) => "false:FalseClass".into(),
            RuntimeValue::Class(class) => {
                let kind = if self.classes.is_module(*class) { "Module" } else { "Class" };
                format!("{}:{kind}", self.class_label(*class))
            }
            RuntimeValue::Object(object) if self.is_main(object) => "main:Object".into(),
            RuntimeValue::Object(object) => {
                let class = self.classes.real(object.class.get());
                let name = self.class_label(class);
                // Ruby uses `inspect` if the result is short, and otherwise the address, which is left out here.
                let text = match self.responds(value, "inspect").then(|| self.send(value, "inspect", Arguments::default())) {
                    Some(Ok(text)) => self.text_of(&text).ok(),
                    _ => None,
                };
                let text = text.unwrap_or_else(|| format!("#<{name}>"));
                if text.starts_with("#<") { text } else { format!("{text}:{name}") }
            }
            other => {
                let text = self.inspect(other)?;
                let name = self.real_class_name(other);
                if text.chars().count() > 65 { format!("#<{name}>") } else { format!("{text}:{name}") }
            }
        })
    }
}
