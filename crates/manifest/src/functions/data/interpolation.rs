//! Interpolation in data: `%{facts.os.name}`, `%{lookup('key')}`, `%{alias('key')}`, `%{literal('%')}`, `%{scope('name')}`.

use super::search::{KeySearch, dig, search, split_key};
use crate::compile::context::CallContext;
use crate::compile::failure::EvaluationFailure;
use crate::compile::text::display;
use crate::compile::value::ManifestValue;

/// What an interpolation may use.
pub struct Interpolation<'a> {
    /// A variable of `mapped_paths`.
    local: Option<(&'a str, ManifestValue)>,
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
    pub fn with(name: &'a str, value: ManifestValue) -> Interpolation<'a> {
        Interpolation { local: Some((name, value)), has_functions: false, pending: Vec::new() }
    }

    /// Returns the interpolation of data for some keys.
    pub fn data(pending: &[String]) -> Interpolation<'a> {
        Interpolation { local: None, has_functions: true, pending: pending.to_vec() }
    }

    /// Interpolates a text into a text.
    pub fn text(&self, context: &mut CallContext<'_>, text: &str) -> Result<String, EvaluationFailure> {
        Ok(display(&self.string(context, text)?))
    }

    /// Interpolates all strings of a value, also the keys of hashes.
    pub fn value(&self, context: &mut CallContext<'_>, value: &ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
        context.spend(1)?;
        Ok(match value {
            ManifestValue::String(text) if text.contains("%{") => self.string(context, text)?,
            ManifestValue::Array(elements) => {
                ManifestValue::array(elements.iter().map(|element| self.value(context, element)).collect::<Result<_, _>>()?)
            }
            ManifestValue::Hash(map) => {
                let mut pairs = Vec::new();
                for (key, value) in map.iter() {
                    pairs.push((self.value(context, key)?, self.value(context, value)?));
                }
                ManifestValue::hash(pairs)
            }
            other => other.clone(),
        })
    }

    fn string(&self, context: &mut CallContext<'_>, text: &str) -> Result<ManifestValue, EvaluationFailure> {
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
        Ok(ManifestValue::string(out))
    }

    fn expression(&self, context: &mut CallContext<'_>, expression: &str, is_whole: bool) -> Result<Evaluated, EvaluationFailure> {
        if expression.is_empty() || expression == "::" {
            return Ok(Evaluated::Part(ManifestValue::from("")));
        }
        let Some((method, argument)) = call(expression) else {
            return self.variable_or_local(context, expression).map(Evaluated::Part);
        };
        if !self.has_functions {
            return Err(EvaluationFailure::unsupported("functions in the paths of hiera.yaml"));
        }
        match method {
            "lookup" | "hiera" => Ok(Evaluated::Part(self.nested(context, argument)?)),
            "alias" if is_whole => self.nested(context, argument).map(Evaluated::Value),
            "alias" => Err(EvaluationFailure::plain(
                None,
                "'alias' interpolation is only permitted if the expression is equal to the entire string",
            )),
            "literal" => Ok(Evaluated::Part(ManifestValue::from(argument))),
            "scope" => self.variable_or_local(context, argument).map(Evaluated::Part),
            other => Err(EvaluationFailure::plain(None, format!("Unknown interpolation method '{other}'"))),
        }
    }

    /// Looks a key up that another key refers to.
    fn nested(&self, context: &mut CallContext<'_>, key: &str) -> Result<ManifestValue, EvaluationFailure> {
        if self.pending.iter().any(|pending| pending == key) || self.pending.len() > 50 {
            return Err(EvaluationFailure::unsupported("keys in data that refer to themselves"));
        }
        let request = KeySearch { pending: self.pending.clone(), ..KeySearch::new(key) };
        Ok(search(context, &request)?.unwrap_or(ManifestValue::Undef))
    }

    fn variable_or_local(&self, context: &mut CallContext<'_>, name: &str) -> Result<ManifestValue, EvaluationFailure> {
        match &self.local {
            Some((local, value)) if *local == name => Ok(value.clone()),
            _ => Interpolation::variable(context, name),
        }
    }

    /// Returns a variable, or a part of it such as `facts.os.name`. Unknown variables are reported.
    pub fn variable(context: &mut CallContext<'_>, name: &str) -> Result<ManifestValue, EvaluationFailure> {
        let parts = split_key(name)?;
        let Some((root, path)) = parts.split_first() else { return Ok(ManifestValue::Undef) };
        let root = root.strip_prefix("::").unwrap_or(root);
        if root == "facts"
            && let Some(fact) = path.first()
            && context.variable("facts").is_none_or(|facts| facts.get(fact).is_none())
        {
            context.evaluator.refuse_unread_fact(fact)?;
        }
        match context.variable(root) {
            Some(value) => Ok(dig(&value, path, name)?.unwrap_or(ManifestValue::Undef)),
            None => {
                context.evaluator.refuse_unread_fact(root)?;
                context.warn_once(&format!("Variable: {root}"), &format!("Undefined variable '{root}'; "), None);
                Ok(ManifestValue::Undef)
            }
        }
    }
}

/// The result of an expression.
enum Evaluated {
    /// A part of the text.
    Part(ManifestValue),
    /// The value in place of the text.
    Value(ManifestValue),
}

/// Parses `method('argument')`.
fn call(expression: &str) -> Option<(&str, &str)> {
    let (method, rest) = expression.split_once('(')?;
    let argument = rest.trim_end().strip_suffix(')')?.trim();
    let quoted = |quote: char| argument.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    Some((method.trim(), quoted('\'').or_else(|| quoted('"'))?))
}
