//! `canonicalize`: converts all values in a resource together, both declared and current values.
//!
//! Follows the feature `canonicalize` in Puppet's Resource API: it converts declared values before they are checked, and requires providers
//! to return converted values.

use super::verdict::PropertyReader;
use super::view::{Slots, View};
use super::{Context, Instance, title};
use crate::manifest::{Declared, DeclaredValue};
use indexmap::IndexMap;
use rtype_lang::diagnostics::Code;
use rtype_lang::eval::{Failure, Frame, QueryError, run};
use rtype_lang::types::{AttrId, AttributeDef, CodeBlock, Role, TypeDef};
use rtype_lang::value::{EcoString, Map, Value};
use std::sync::Arc;

/// Runs the type's `canonicalize` with a map from attributes to values; `None` if the type has no `canonicalize`.
///
/// # Errors
/// Returns the block's failure.
pub fn canonicalized(type_def: &TypeDef, values: &Map, context: Context<'_>) -> Option<Result<Map, Failure>> {
    type_def.canonicalize.as_ref().map(|code| converted(type_def, code, values, context))
}

fn converted(type_def: &TypeDef, code: &CodeBlock, values: &Map, context: Context<'_>) -> Result<Map, Failure> {
    let title = EcoString::new();
    let view = View::new(type_def, &title, Slots::Building(&[]), context);
    let frame = Frame { scope: &view, attribute: None, is: None, should: None, base: None };
    let result = run(code, &[Value::Map(Arc::new(values.clone()))], &frame)?;
    let is_secret = matches!(result, Value::Sensitive(_));
    match result.unwrapped() {
        Value::Map(map) => {
            // With a secret among the arguments, every returned value may be secret, except unchanged values.
            let known = |key: &Value, value: &Value| values.get(key).filter(|old| !old.has_secret() && **old == *value).cloned();
            let value = |key, value| if is_secret { known(key, value).unwrap_or_else(|| hidden(value)) } else { value.clone() };
            Ok(map.iter().map(|(k, v)| (k.clone(), value(k, v))).collect())
        }
        Value::Unknown => Err(Failure::unknown(code.inner.span)),
        other => {
            let message = format!("`canonicalize` must return the map of values, not {}", other.kind_name());
            Err(Failure::new(Code::BlockFailed, code.inner.span, message))
        }
    }
}

fn hidden(value: &Value) -> Value {
    if matches!(value, Value::Sensitive(_)) { value.clone() } else { Value::Sensitive(Arc::new(value.clone())) }
}

fn key(attribute: &AttributeDef) -> Value {
    Value::Sym(attribute.name.clone())
}

/// Returns true if an attribute's values are converted.
fn is_converted(attribute: &AttributeDef) -> bool {
    attribute.role != Role::Metaparam && attribute.name.as_str() != "provider"
}

/// Returns the arguments for `canonicalize` by attribute: the declared values and the values from the title.
pub fn declared_values(type_def: &TypeDef, declared: &Declared) -> Map {
    let attribute = |name: &str| type_def.id_declared_as(name).and_then(|id| type_def.attribute(id)).filter(|a| is_converted(a));
    let mut values = Map::new();
    for (id, text) in title::parse(type_def, &declared.title).map(|parsed| parsed.values).unwrap_or_default() {
        values.extend(type_def.attribute(id).filter(|a| is_converted(a)).map(|a| (key(a), Value::Str(text))));
    }
    for (name, given) in declared.attributes.iter().filter(|(_, given)| !given.value.is_nil()) {
        let Some(attribute) = attribute(name) else { continue };
        let value = if attribute.sensitive || given.sensitive { hidden(&given.value) } else { given.value.clone() };
        values.insert(key(attribute), value);
    }
    values
}

/// Returns the declaration with converted values; `None` if `canonicalize` changes nothing.
///
/// # Errors
/// Returns the block's failure.
pub(super) fn declared(type_def: &TypeDef, declared: &Declared, context: Context<'_>) -> Result<Option<Declared>, Failure> {
    // An invalid title is rejected unconverted.
    if type_def.canonicalize.is_none() || title::parse(type_def, &declared.title).is_none() {
        return Ok(None);
    }
    let attribute = |name: &str| type_def.id_declared_as(name).and_then(|id| type_def.attribute(id)).filter(|a| is_converted(a));
    let before = declared_values(type_def, declared);
    let Some(after) = canonicalized(type_def, &before, context).transpose()? else { return Ok(None) };
    let stays =
        |key: &Value| before.get(key).zip(after.get(key)).is_some_and(|(old, new)| old == new && old.has_secret() == new.has_secret());
    if after.len() == before.len() && after.keys().all(stays) {
        return Ok(None);
    }
    let mut attributes: IndexMap<EcoString, DeclaredValue> = IndexMap::new();
    for (name, given) in &declared.attributes {
        let value = match attribute(name) {
            None => given.value.clone(),
            Some(attribute) if stays(&key(attribute)) => given.value.clone(),
            Some(attribute) => after.get(&key(attribute)).cloned().unwrap_or_default(),
        };
        if !value.is_nil() {
            let sensitive = given.sensitive || value.has_secret();
            attributes.insert(name.clone(), DeclaredValue { value, sensitive, ..given.clone() });
        }
    }
    for (key, value) in after.iter().filter(|(key, value)| !value.is_nil() && !stays(key)) {
        let name = key.to_text();
        let is_given =
            |declared: &EcoString| type_def.id_declared_as(declared).is_some_and(|id| type_def.id_declared_as(&name) == Some(id));
        if !attributes.keys().any(is_given) {
            attributes.insert(name, DeclaredValue::new(value.clone(), declared.title_span, declared.title_span));
        }
    }
    Ok(Some(Declared { attributes, ..declared.clone() }))
}

/// A resource's current values, converted.
pub(super) struct CurrentValues<'a> {
    current: PropertyReader<'a>,
    /// The converted values; `None` if the type does not convert them.
    values: Option<Result<Map, Failure>>,
    instance: &'a Instance,
}

impl<'a> CurrentValues<'a> {
    /// Reads the properties with a desired value, if the type converts values. An absent resource's properties are not converted.
    pub fn read(instance: &'a Instance, current: PropertyReader<'a>, context: Context<'_>) -> CurrentValues<'a> {
        let type_def = &*instance.type_def;
        let plain = CurrentValues { current, values: None, instance };
        let is_absent = |id: AttrId| current(id).is_ok_and(|v| v.is_absent());
        if type_def.canonicalize.is_none() || type_def.id_of("ensure").is_some_and(is_absent) {
            return plain;
        }
        let mut values = Map::new();
        for slot in instance.slots.iter() {
            let Some(attribute) = type_def.attribute(slot.id) else { continue };
            let value = match attribute.role {
                Role::Property => current(slot.id).ok().filter(|value| !value.is_absent()),
                Role::Param if type_def.namevars.contains(&slot.id) => Some(slot.value.clone()),
                _ => None,
            };
            let is_secret = attribute.sensitive || slot.value.has_secret();
            values.extend(value.map(|value| (key(attribute), if is_secret { hidden(&value) } else { value })));
        }
        CurrentValues { values: canonicalized(type_def, &values, context), ..plain }
    }

    /// Returns the converted value of a property.
    pub fn get(&self, id: AttrId) -> Result<Value, QueryError> {
        let read = (self.current)(id)?;
        let Some(attribute) = self.instance.type_def.attribute(id) else { return Ok(read) };
        match &self.values {
            None => Ok(read),
            // Properties without a desired value are not converted.
            Some(Ok(values)) if self.instance.slot(id).is_none() && !values.contains_key(&key(attribute)) => Ok(read),
            Some(Ok(values)) => Ok(values.get(&key(attribute)).filter(|v| !v.is_nil()).cloned().unwrap_or_else(|| Value::sym("absent"))),
            Some(Err(failure)) => Err(QueryError::Block(Box::new(failure.clone()))),
        }
    }
}
