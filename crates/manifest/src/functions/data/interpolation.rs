//! Interpolation in data: `%{facts.os.name}`, `%{lookup('key')}`, `%{alias('key')}`, `%{literal('%')}`, `%{scope('name')}`.

use super::search::{KeySearch, dig, search, split_key};
use crate::compile::context::Context;
use crate::compile::failure::Failure;
use crate::compile::text::display;
use crate::compile::value::Value;

/// What an interpolation may use.
pub struct Interpolation<'a> {
    /// A variable of `mapped_paths`.
    local: Option<(&'a str, Value)>,
    /// Whether functions such as `lookup` may be called.
    has_functions: bool,
    /// The keys that are being looked up.
    pending: Vec<String>,
}

impl<'a> Interpolation<'a> {
    /// Returns the interpolation of paths.
    pub fn path() -> Interpolation<'a> {
        Interpolation { local: None, has_functions: false, pending: Vec::new() }
    }

    /// Returns the interpolation of paths with a variable.
    pub fn with(name: &'a str, value: Value) -> Interpolation<'a> {
        Interpolation { local: Some((name, value)), has_functions: false, pending: Vec::new() }
    }

    /// Returns the interpolation of data for some keys.
    pub fn data(pending: &[String]) -> Interpolation<'a> {
        Interpolation { local: None, has_functions: true, pending: pending.to_vec() }
    }

    /// Interpolates a text into a text.
    pub fn text(&self, context: &mut Context<'_>, text: &str) -> Result<String, Failure> {
        Ok(display(&self.string(context, text)?))
    }

    /// Interpolates all strings of a value, also the keys of hashes.
    pub fn value(&self, context: &mut Context<'_>, value: &Value) -> Result<Value, Failure> {
        context.spend(1)?;
        Ok(match value {
            Value::String(text) if text.contains("%{") => self.string(context, text)?,
            Value::Array(elements) => Value::array(elements.iter().map(|element| self.value(context, element)).collect::<Result<_, _>>()?),
            Value::Hash(map) => {
                let mut pairs = Vec::new();
                for (key, value) in map.iter() {
                    pairs.push((self.value(context, key)?, self.value(context, value)?));
                }
                Value::hash(pairs)
            }
            other => other.clone(),
        })
    }

    fn string(&self, context: &mut Context<'_>, text: &str) -> Result<Value, Failure> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((plain, after)) = rest.split_once("%{") {
            let Some((expression, after)) = after.split_once('}') else { break };
            out.push_str(plain);
            let value = self.expression(context, expression.trim(), plain.is_empty() && rest.len() == text.len() && after.is_empty())?;
            if let Evaluated::Value(value) = value {
                return Ok(value);
            }
            if let Evaluated::Part(value) = value {
                out.push_str(&display(&value));
            }
            rest = after;
        }
        out.push_str(rest);
        Ok(Value::string(out))
    }

    fn expression(&self, context: &mut Context<'_>, expression: &str, is_whole: bool) -> Result<Evaluated, Failure> {
        if expression.is_empty() || expression == "::" {
            return Ok(Evaluated::Part(Value::from("")));
        }
        let Some((method, argument)) = call(expression) else {
            return self.variable_or_local(context, expression).map(Evaluated::Part);
        };
        if !self.has_functions {
            return Err(Failure::unsupported("functions in the paths of hiera.yaml"));
        }
        match method {
            "lookup" | "hiera" => Ok(Evaluated::Part(self.nested(context, argument)?)),
            "alias" if is_whole => self.nested(context, argument).map(Evaluated::Value),
            "alias" => Err(Failure::plain(None, "'alias' interpolation is only permitted if the expression is equal to the entire string")),
            "literal" => Ok(Evaluated::Part(Value::from(argument))),
            "scope" => self.variable_or_local(context, argument).map(Evaluated::Part),
            other => Err(Failure::plain(None, format!("Unknown interpolation method '{other}'"))),
        }
    }

    /// Looks a key up that another key refers to.
    fn nested(&self, context: &mut Context<'_>, key: &str) -> Result<Value, Failure> {
        if self.pending.iter().any(|pending| pending == key) || self.pending.len() > 50 {
            return Err(Failure::unsupported("keys in data that refer to themselves"));
        }
        let request = KeySearch { pending: self.pending.clone(), ..KeySearch::new(key) };
        Ok(search(context, &request)?.unwrap_or(Value::Undef))
    }

    fn variable_or_local(&self, context: &mut Context<'_>, name: &str) -> Result<Value, Failure> {
        match &self.local {
            Some((local, value)) if *local == name => Ok(value.clone()),
            _ => Interpolation::variable(context, name),
        }
    }

    /// Returns a variable, or a part of it such as `facts.os.name`. Unknown variables are reported.
    pub fn variable(context: &mut Context<'_>, name: &str) -> Result<Value, Failure> {
        let parts = split_key(name)?;
        let Some((root, path)) = parts.split_first() else { return Ok(Value::Undef) };
        let root = root.strip_prefix("::").unwrap_or(root);
        match context.variable(root) {
            Some(value) => Ok(dig(&value, path, name)?.unwrap_or(Value::Undef)),
            None => {
                context.warn_once(&format!("Variable: {root}"), &format!("Undefined variable '{root}'; "), None);
                Ok(Value::Undef)
            }
        }
    }
}

/// The result of an expression.
enum Evaluated {
    /// A part of the text.
    Part(Value),
    /// The value in place of the text.
    Value(Value),
}

/// Parses `method('argument')`.
fn call(expression: &str) -> Option<(&str, &str)> {
    let (method, rest) = expression.split_once('(')?;
    let argument = rest.trim_end().strip_suffix(')')?.trim();
    let quoted = |quote: char| argument.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    Some((method.trim(), quoted('\'').or_else(|| quoted('"'))?))
}
