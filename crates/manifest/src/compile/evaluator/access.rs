//! `target[keys]` and names of types.

use super::{ManifestEvaluator, labels};
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::VariableScope;
use crate::compile::text::label::{article, label, with_article, with_capital_article};
use crate::compile::text::number::numeric;
use crate::compile::types::{Blame, Mistake, Type, infer_generic};
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{Expression, ExpressionKind, IndexAccess};
use ecow::EcoString;
use rtype_lang::source::Span;
use std::sync::Arc;

impl ManifestEvaluator {
    /// Returns the type of a name: a type of Puppet, an alias, or a resource type.
    pub(crate) fn type_name(&mut self, name: &str, at: Span) -> Result<ManifestValue, EvaluationFailure> {
        match self.resolve_type(name)? {
            Some(of) => Ok(ManifestValue::of_type(of)),
            None => Err(EvaluationFailure::at(at, format!("Resource type not found: {name}"))),
        }
    }

    /// Returns the type of a name, if there is one.
    pub(crate) fn resolve_type(&mut self, name: &str) -> Result<Option<Type>, EvaluationFailure> {
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(of) = Type::named(name) {
            return Ok(Some(of));
        }
        if matches!(name, "Error" | "Annotation" | "Pcore" | "Target" | "Plan" | "Task") || name.starts_with("Pcore::") {
            return Err(EvaluationFailure::unsupported(format!("the type {name}")));
        }
        let lower = name.to_lowercase();
        if let Some(alias) = self.find_alias(&lower)? {
            return Ok(Some(alias));
        }
        if self.is_resource_type(&lower)? {
            return Ok(Some(Type::Resource(Some(lower.into()), None)));
        }
        Ok(None)
    }

    pub(crate) fn access(
        &mut self,
        access: &IndexAccess,
        whole: &Expression,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let target = self.eval(&access.target, scope)?;
        let is_class = matches!(&target, ManifestValue::Type(of) if matches!(**of, Type::Class(_)));
        let mut keys = Vec::with_capacity(access.keys.len());
        for key in &access.keys {
            keys.push(match (&key.kind, is_class) {
                (ExpressionKind::TypeName(name), true) => match self.resolve_type(name)? {
                    Some(of) => ManifestValue::of_type(of),
                    None => ManifestValue::of_type(Type::Reference(name.clone())),
                },
                _ => self.eval(key, scope)?,
            });
        }
        if let (ManifestValue::Type(of), [ManifestValue::Type(key)]) = (&target, keys.as_slice())
            && matches!((&**of, &**key), (Type::Resource(None, None), Type::Resource(..)))
        {
            return Ok(ManifestValue::Type(key.clone()));
        }
        keys.iter().try_for_each(|key| self.refuse_unread_key(&target, key))?;
        self.index(&target, &keys, access, whole)
    }

    fn index(
        &mut self,
        target: &ManifestValue,
        keys: &[ManifestValue],
        access: &IndexAccess,
        whole: &Expression,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let target_at = labels::anchor(&access.target);
        let key_at = |index: usize| access.keys.get(index).map_or(target_at, labels::anchor);
        match target {
            ManifestValue::String(text) => {
                let flat = flatten(keys);
                let letters: Vec<char> = text.chars().collect();
                let range = string_range(&letters, &flat, target_at, &key_at)?;
                Ok(ManifestValue::string(letters.get(range).unwrap_or_default().iter().collect::<String>()))
            }
            ManifestValue::Binary(bytes) => {
                let flat = flatten(keys);
                let letters: Vec<char> = bytes.iter().map(|b| char::from(*b)).collect();
                let range = string_range(&letters, &flat, target_at, &key_at)?;
                Ok(ManifestValue::Binary(Arc::new(bytes.get(range).unwrap_or_default().to_vec())))
            }
            ManifestValue::Array(elements) => self.element(target, elements, &flatten(keys), access),
            ManifestValue::Hash(map) => match keys {
                [] => Err(EvaluationFailure::at(target_at, "Hash supports [] with one or more arguments. Got 0")),
                [key] => Ok(map.get(key).cloned().unwrap_or(ManifestValue::Undef)),
                keys => Ok(ManifestValue::array(
                    keys.iter().filter_map(|key| map.get(key)).filter(|v| **v != ManifestValue::Undef).cloned().collect(),
                )),
            },
            ManifestValue::Type(of) => self.parameters(of, keys, access, whole),
            other => Err(EvaluationFailure::at(target_at, format!("Operator '[]' is not applicable to {}.", with_article(&label(other))))),
        }
    }

    fn element(
        &mut self,
        target: &ManifestValue,
        elements: &[ManifestValue],
        keys: &[ManifestValue],
        access: &IndexAccess,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let at = |index: usize| access.keys.get(index).map_or(labels::anchor(&access.target), labels::anchor);
        if !matches!(keys.len(), 1 | 2) {
            let text = format!("Array supports [] with one or two arguments. Got {}", keys.len());
            return Err(EvaluationFailure::at(labels::anchor(&access.target), text));
        }
        let mut numbers = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            let key = match key {
                ManifestValue::Integer(_) | ManifestValue::Float(_) => key.clone(),
                other => self.numeric_key(other, at(index))?,
            };
            let ManifestValue::Integer(number) = key else {
                let text = format!("{}[] cannot use {} where Integer is expected", with_capital_article(&label(target)), key_name(&key));
                return Err(EvaluationFailure::at(at(index), text));
            };
            numbers.push(number);
        }
        let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
        match numbers.as_slice() {
            [index] => {
                let index = if *index < 0 { length.saturating_add(*index) } else { *index };
                Ok(usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or(ManifestValue::Undef))
            }
            [from, count] => {
                let range = slice(length, *from, *count);
                Ok(ManifestValue::array(elements.get(range).unwrap_or_default().to_vec()))
            }
            _ => Ok(ManifestValue::Undef),
        }
    }

    fn numeric_key(&mut self, key: &ManifestValue, at: Span) -> Result<ManifestValue, EvaluationFailure> {
        let number = key.as_str().and_then(numeric);
        match number {
            Some(number) => {
                let (before, after) = (crate::compile::text::display(key), crate::compile::text::display(&number));
                let text = format!("The string '{before}' was automatically coerced to the numerical value {after}");
                self.optionally_fail(at, text)?;
                Ok(number)
            }
            None => Err(EvaluationFailure::at(
                at,
                format!("The value '{}' cannot be converted to Numeric.", crate::compile::text::inspect::ruby_text(key)),
            )),
        }
    }

    /// Evaluates `Type[…]`: a type with parameters, or parameters of a resource or class.
    fn parameters(
        &mut self,
        of: &Type,
        keys: &[ManifestValue],
        access: &IndexAccess,
        whole: &Expression,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let is_list = keys.len() > 1 || matches!(keys.first(), Some(ManifestValue::Array(_)));
        let at = |blame: Blame| match blame {
            Blame::Expression => labels::anchor(whole),
            Blame::Target => labels::anchor(&access.target),
            Blame::Key(index) => access.keys.get(index).map_or(labels::anchor(whole), labels::anchor),
        };
        match of.resolved() {
            Type::Resource(Some(name), Some(title)) => self.attribute_values(name, title, &flatten(keys), is_list, labels::anchor(whole)),
            Type::Class(Some(name)) => self.attribute_values("class", name, &flatten(keys), is_list, labels::anchor(whole)),
            Type::TypeSet => Err(EvaluationFailure::unsupported("type sets")),
            of => {
                of.specialize(keys).map_err(
                    |Mistake { text, blame, is_runtime }| {
                        if is_runtime { EvaluationFailure::new(text) } else { EvaluationFailure::at(at(blame), text) }
                    },
                )
            }
        }
    }

    fn attribute_values(
        &mut self,
        type_name: &str,
        title: &str,
        keys: &[ManifestValue],
        is_list: bool,
        at: Span,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let shown = crate::compile::types::display::capitalized(type_name);
        let known = if type_name == "class" { title.to_lowercase() } else { title.to_owned() };
        let Some(index) = self.catalog.find(type_name, &known) else {
            return Err(EvaluationFailure::at(at, format!("Resource not found: {shown}['{title}']")));
        };
        let mut values = Vec::new();
        for key in keys {
            let name = key.as_str().map(EcoString::from);
            let Some(name) = name.filter(|name| self.has_parameter(index, name)) else {
                let name = crate::compile::text::display(key);
                let text = format!("The resource {}['{title}'] does not have a parameter called '{name}'", capitalize(type_name));
                return Err(EvaluationFailure::at(at, text));
            };
            values.push(self.parameter_value(index, &name));
        }
        Ok(if is_list { ManifestValue::array(values) } else { values.into_iter().next_back().unwrap_or(ManifestValue::Undef) })
    }

    /// Returns a parameter of a resource, or the resource default.
    pub(crate) fn parameter_value(&self, index: usize, name: &str) -> ManifestValue {
        let Some(resource) = self.catalog.get(index) else { return ManifestValue::Undef };
        match resource.query(name) {
            ManifestValue::Undef => {
                let defaults = self.type_defaults(&resource.scope, &resource.type_name);
                defaults.get(name).map_or(ManifestValue::Undef, |parameter| parameter.value.clone())
            }
            value => value,
        }
    }
}

/// Returns a name as Ruby's `capitalize` writes it: only the first letter is upper case.
fn capitalize(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut letters = lower.chars();
    letters.next().map(|c| c.to_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

/// Returns the elements of nested lists.
pub fn flatten(values: &[ManifestValue]) -> Vec<ManifestValue> {
    let mut flat = Vec::new();
    for value in values {
        match value {
            ManifestValue::Array(elements) => flat.extend(flatten(elements)),
            other => flat.push(other.clone()),
        }
    }
    flat
}

fn key_name(key: &ManifestValue) -> String {
    infer_generic(key).to_string()
}

/// Returns the range of a start and a length; a negative length counts from the end.
fn slice(length: i64, from: i64, count: i64) -> std::ops::Range<usize> {
    let mut from = if from < 0 { length.saturating_add(from) } else { from };
    let mut count = if count < 0 { length.saturating_sub(from).saturating_add(count).saturating_add(1) } else { count };
    if from < 0 {
        count = count.saturating_add(from);
        from = 0;
    }
    let start = usize::try_from(from.min(length)).unwrap_or(0);
    let end = usize::try_from(from.saturating_add(count.max(0)).min(length)).unwrap_or(0);
    start..end.max(start)
}

fn string_range(
    letters: &[char],
    keys: &[ManifestValue],
    target_at: Span,
    key_at: &dyn Fn(usize) -> Span,
) -> Result<std::ops::Range<usize>, EvaluationFailure> {
    if !matches!(keys.len(), 1 | 2) {
        return Err(EvaluationFailure::at(target_at, format!("String supports [] with one or two arguments. Got {}", keys.len())));
    }
    let mut numbers = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        let number = match key {
            ManifestValue::String(text) => numeric(text).unwrap_or_else(|| key.clone()),
            other => other.clone(),
        };
        let ManifestValue::Integer(number) = number else {
            let name = key_name(&number);
            let text = format!("A substring operation does not accept {} {name} as a character index. Expected an Integer", article(&name));
            return Err(EvaluationFailure::at(key_at(index), text));
        };
        numbers.push(number);
    }
    let length = i64::try_from(letters.len()).unwrap_or(i64::MAX);
    Ok(match numbers.as_slice() {
        [from] => {
            let from = if *from < 0 { length.saturating_add(*from) } else { *from };
            if from < 0 { 0..0 } else { slice(length, from, 1) }
        }
        [from, count] => slice(length, *from, *count),
        _ => 0..0,
    })
}
