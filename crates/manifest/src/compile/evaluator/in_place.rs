//! Values that Ruby code changes in place.
//!
//! Values are objects of Ruby in Puppet, so a template that appends to a list changes it for every variable and parameter with this list.

use super::ManifestEvaluator;
use crate::compile::scope::{VariableScope, is_same_object};
use crate::compile::value::ManifestValue;
use indexmap::IndexMap;
use std::sync::Arc;

impl ManifestEvaluator {
    /// Replaces a list or hash by its changed content in all variables and parameters that hold it. The caller holds it once more.
    ///
    /// Returns `false`, without a change, if something else holds the value, or if elements were changed and not only added or removed: strings
    /// are objects too, and their holders are not known.
    pub(crate) fn change_in_place(&mut self, scope: &Arc<VariableScope>, old: &ManifestValue, new: &ManifestValue) -> bool {
        let holders = match old {
            ManifestValue::Array(elements) => Arc::strong_count(elements),
            ManifestValue::Hash(map) => Arc::strong_count(map),
            _ => return false,
        };
        let Some(new) = restructured(old, new) else { return false };
        let mut scopes: IndexMap<usize, Arc<VariableScope>> = IndexMap::new();
        let named = self.class_scopes.values().chain(&self.node_scope).chain([&self.top]);
        scopes.extend(named.map(|scope| (scope.number, Arc::clone(scope))));
        let mut next = Some(scope);
        while let Some(scope) = next {
            scopes.insert(scope.number, Arc::clone(scope));
            next = scope.parent.as_ref();
        }
        let resources = || self.catalog.resources.iter().flat_map(|resource| resource.parameters.values());
        let in_resources = resources().filter(|parameter| is_same_object(&parameter.value, old)).count();
        let in_scopes: usize = scopes.values().map(|scope| scope.count_object(old)).sum();
        if in_resources + in_scopes + 1 != holders {
            return false;
        }
        scopes.values().for_each(|scope| scope.replace_object(old, &new));
        for parameter in self.catalog.resources.iter_mut().flat_map(|resource| resource.parameters.values_mut()) {
            if is_same_object(&parameter.value, old) {
                parameter.value = new.clone();
            }
        }
        true
    }
}

/// Returns the changed content with the elements of the old one; `None` if elements themselves may have changed.
fn restructured(old: &ManifestValue, new: &ManifestValue) -> Option<ManifestValue> {
    match (old, new) {
        (ManifestValue::Array(old), ManifestValue::Array(new)) => {
            let mut left: Vec<&ManifestValue> = old.iter().collect();
            let mut added = 0;
            let elements = new.iter().map(|element| match left.iter().position(|known| *known == element) {
                Some(at) => left.remove(at).clone(),
                None => {
                    added += 1;
                    element.clone()
                }
            });
            let elements: Vec<ManifestValue> = elements.collect();
            (added == 0 || left.is_empty()).then(|| ManifestValue::array(elements))
        }
        (ManifestValue::Hash(old), ManifestValue::Hash(new)) => {
            let is_kept = |(key, value): (&ManifestValue, &ManifestValue)| old.get(key).is_none_or(|known| known == value);
            let pairs = new.iter().map(|(key, value)| (key.clone(), old.get(key).unwrap_or(value).clone()));
            new.iter().all(is_kept).then(|| ManifestValue::hash(pairs))
        }
        _ => None,
    }
}
