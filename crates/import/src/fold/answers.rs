//! What objects answer in an interpreted method: the provider, its class, the resource, documents and values.

use super::interpreter::{Effect, EvalResult, HOOKS, Interpreter, Mode, stop};
use super::value::Val;

impl Interpreter<'_, '_> {
    /// Evaluates a method call; `None` if it is not one of the known ones.
    pub(super) fn answer(&mut self, receiver: &Val, method: &str, arguments: Vec<Val>, in_class: bool) -> EvalResult<Option<Val>> {
        Ok(Some(match (receiver, method, arguments.as_slice()) {
            (Val::Own, "resource", []) if self.method(method, false, 0)?.is_none() => Val::Resource,
            (Val::Own, "name", []) if self.method(method, false, 0)?.is_none() => Val::Attr("name".into()),
            (Val::Own, "class", []) => Val::OwnClass,
            (Val::Own | Val::OwnClass, "respond_to?", [Val::Sym(asked) | Val::Text(asked)]) => {
                let of_class = *receiver == Val::OwnClass;
                let defined = self.method(asked, of_class, 0)?.is_some();
                Val::Bool(defined || !of_class && self.has_base && HOOKS.contains(&asked.as_str()))
            }
            (Val::Own | Val::OwnClass, "debug", _) => Val::Done,
            (Val::Own, _, _) if !in_class => self.call_method(method, false, 0, arguments)?,
            (Val::OwnClass, _, _) => self.call_method(method, true, 0, arguments)?,
            (Val::Resource, "[]" | "value" | "should", [Val::Sym(key) | Val::Text(key)]) => match self.knows(key) {
                true => Val::Attr(key.clone()),
                false => return stop(format!("it reads `{key}`, which the type does not have")),
            },
            (Val::Resource, "name", []) => Val::Attr("name".into()),
            (Val::Resource, "class", []) => Val::Type,
            (Val::Resource, "to_hash" | "parameters" | "original_parameters", []) => Val::Attributes,
            (Val::Type, "validattr?" | "valid_parameter?", [Val::Sym(key) | Val::Text(key)]) => Val::Bool(self.knows(key)),
            (Val::Attributes, "has_key?" | "key?" | "include?" | "member?", [Val::Sym(key) | Val::Text(key)]) if !self.knows(key) => {
                Val::Bool(false)
            }
            (Val::Document(_), _, _) => self.document(receiver, method, &arguments)?,
            (Val::Current, "nil?", []) => Val::IsAbsent,
            (Val::IsAbsent, "!", []) => Val::Exists,
            (Val::Exists, "!", []) => Val::IsAbsent,
            (Val::Nil, "nil?", []) => Val::Bool(true),
            (Val::List(_), "nil?", []) => Val::Bool(false),
            (known, "nil?", []) if known.is_constant() => Val::Bool(false),
            (Val::List(items), "empty?", []) => Val::Bool(items.is_empty()),
            (Val::Text(text), "empty?", []) => Val::Bool(text.is_empty()),
            (Val::List(items), "[]", [Val::Int(at)]) => usize::try_from(*at).ok().and_then(|at| items.get(at)).cloned().unwrap_or(Val::Nil),
            (Val::List(items), "first", []) => items.first().cloned().unwrap_or(Val::Nil),
            (known, "!", []) if known.is_constant() => Val::Bool(matches!(known, Val::Nil | Val::Bool(false))),
            (attribute, "!", []) if self.is_falsy(attribute) => Val::Code(format!("{}.nil?", attribute.operand().unwrap_or_default())),
            (Val::Attr(_) | Val::Code(_), "!", []) => Val::Code(format!("!{}", receiver.operand().unwrap_or_default())),
            (Val::Attr(_) | Val::Code(_), "nil?" | "empty?", []) => {
                Val::Code(format!("{}.{method}", receiver.operand().unwrap_or_default()))
            }
            (one, "==" | "!=", [other]) => match equal(one, other) {
                Some(equal) => Val::Bool(equal == (method == "==")),
                None => match (one.operand(), other.operand()) {
                    (Some(one), Some(other)) => Val::Code(format!("{one} {method} {other}")),
                    _ => return Ok(None),
                },
            },
            _ => return Ok(None),
        }))
    }

    fn knows(&self, attribute: &str) -> bool {
        attribute == "name" || self.owner.attributes.iter().any(|a| a == attribute)
    }

    fn document(&mut self, document: &Val, method: &str, arguments: &[Val]) -> EvalResult {
        let document = document.clone();
        let effect = match (method, arguments) {
            ("get_value", [section, setting]) => {
                self.read.push((section.clone(), setting.clone(), document));
                return Ok(self.sample.clone().unwrap_or(Val::Current));
            }
            ("set_value", [section, setting, value]) => {
                let (section, setting, value) = (section.clone(), setting.clone(), value.clone());
                Effect::Set { section, setting, separator: None, value, document }
            }
            ("set_value", [section, setting, separator, value]) => {
                let (section, setting, value) = (section.clone(), setting.clone(), value.clone());
                Effect::Set { section, setting, separator: Some(separator.clone()), value, document }
            }
            ("remove_setting", [section, setting]) => Effect::Remove { section: section.clone(), setting: setting.clone(), document },
            ("save", []) => Effect::Save,
            _ => return stop(format!("`{method}` of the file is not understood")),
        };
        if self.mode != Mode::Change {
            return stop(format!("`{method}` changes the file while it is read"));
        }
        self.effects.push(effect);
        Ok(Val::Done)
    }
}

/// Compares values; `None` if the result depends on the resource.
fn equal(one: &Val, other: &Val) -> Option<bool> {
    if one == other && one.written().is_some() {
        return Some(true);
    }
    (one.is_constant() && other.is_constant()).then_some(false)
}
