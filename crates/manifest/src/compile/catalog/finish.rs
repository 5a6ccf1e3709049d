//! The last steps: relations, overrides, tags and checks.

use super::{CatalogKind, CatalogRelation, METAPARAMETERS, Operand, ParameterValue, RELATIONS, is_metaparameter, reference};
use crate::compile::evaluator::{ManifestEvaluator, access::flatten};
use crate::compile::failure::EvaluationFailure;
use crate::compile::text::display;
use crate::compile::types::Type;
use crate::compile::value::ManifestValue;
use ecow::EcoString;
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

impl ManifestEvaluator {
    /// Completes the catalog.
    ///
    /// # Errors
    /// Returns an error for overrides and relations of resources that do not exist, and for parameters that do not fit.
    pub(crate) fn finish(&mut self) -> Result<(), EvaluationFailure> {
        let relations = std::mem::take(&mut self.catalog.relations);
        for relation in &relations {
            self.relate(relation)?;
        }
        for index in 0..self.catalog.resources.len() {
            self.apply_overrides(index)?;
            self.add_scope_tags(index);
            self.reveal(index);
            self.measure(index)?;
            self.validate(index)?;
        }
        self.inherit_metaparameters();
        self.fail_on_unused()?;
        self.validate_relations()
    }

    fn related(&self, operand: &Operand, is_left: bool, depth: usize) -> Vec<(EcoString, EcoString)> {
        match operand {
            Operand::Resource(name, title) => vec![(name.clone(), title.clone())],
            Operand::Collector(number) => {
                let Some(collector) = self.collectors.get(*number) else { return Vec::new() };
                if collector.collected.is_empty() && is_left && depth < 50 {
                    return collector.alternative.iter().flat_map(|o| self.related(o, true, depth + 1)).collect();
                }
                let resource = |index: &usize| self.catalog.get(*index).map(|r| (r.type_name.clone(), r.title.clone()));
                collector.collected.iter().filter_map(resource).collect()
            }
        }
    }

    fn relate(&mut self, relation: &CatalogRelation) -> Result<(), EvaluationFailure> {
        let sources = self.related(&relation.source, true, 0);
        let targets = self.related(&relation.target, false, 0);
        let parameter = if relation.notifies { "notify" } else { "before" };
        for (source_type, source_title) in &sources {
            for (target_type, target_title) in &targets {
                let (source, target) = (shown(source_type, source_title), shown(target_type, target_title));
                let Some(index) = self.catalog.find(source_type, source_title) else {
                    return Err(EvaluationFailure::plain(
                        None,
                        format!("Could not find resource '{source}' for relationship on '{target}'"),
                    ));
                };
                if self.catalog.find(target_type, target_title).is_none() {
                    return Err(EvaluationFailure::plain(
                        None,
                        format!("Could not find resource '{target}' for relationship from '{source}'"),
                    ));
                }
                let Some(resource) = self.catalog.get_mut(index) else { continue };
                let entry = resource.parameters.entry(parameter.into()).or_insert_with(|| ParameterValue {
                    value: ManifestValue::array(Vec::new()),
                    span: None,
                    appends: false,
                    source: EcoString::new(),
                });
                let mut list = match &entry.value {
                    ManifestValue::Array(elements) => elements.to_vec(),
                    ManifestValue::Undef => Vec::new(),
                    other => vec![other.clone()],
                };
                list.push(ManifestValue::string(reference_text(target_type, target_title)));
                entry.value = ManifestValue::array(list);
            }
        }
        Ok(())
    }

    fn apply_overrides(&mut self, index: usize) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        let key = (resource.type_name.clone(), resource.title.clone());
        let scope = resource.scope.clone();
        for change in self.overrides.shift_remove(&key).unwrap_or_default() {
            self.merge(index, change, &scope, false)?;
        }
        Ok(())
    }

    /// Replaces sensitive parameters by their values.
    fn reveal(&mut self, index: usize) {
        let Some(resource) = self.catalog.get_mut(index) else { return };
        for (name, parameter) in &mut resource.parameters {
            if let ManifestValue::Sensitive(inner) = &parameter.value {
                self.logs.keep_secret(inner);
                let value = (**inner).clone();
                parameter.value = value;
                resource.sensitive.push(name.clone());
            }
        }
    }

    /// Counts the parameters of a resource.
    fn measure(&mut self, index: usize) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.resources.get(index) else { return Ok(()) };
        let span = resource.span;
        let mut values = resource.parameters.values();
        values.try_for_each(|parameter| self.budget.catalog(&parameter.value)).map_err(|failure| match span {
            Some(span) => failure.or_at(span),
            None => failure,
        })
    }

    /// Checks the names of the parameters of a resource.
    fn validate(&mut self, index: usize) -> Result<(), EvaluationFailure> {
        let Some(resource) = self.catalog.get(index) else { return Ok(()) };
        match &resource.kind {
            CatalogKind::Native(known) => {
                let Some(attributes) = &known.attributes else { return Ok(()) };
                for (name, parameter) in &resource.parameters {
                    let is_known = is_metaparameter(name) || name == "name" || attributes.contains(name);
                    if !is_known {
                        let at = self.declared_at(resource);
                        let at = if at.is_empty() { String::new() } else { format!(" {at}") };
                        let text = format!("no parameter named '{name}'{at} on {}", resource.reference());
                        let _ = parameter;
                        return Err(EvaluationFailure::plain(resource.span, text));
                    }
                }
                Ok(())
            }
            CatalogKind::Defined if !resource.flags.is_virtual => {
                let Some(define) = self.definitions.defines.get(&resource.type_name) else { return Ok(()) };
                let hidden = |name: &EcoString, value: &ManifestValue| {
                    if resource.sensitive.contains(name) { ManifestValue::Sensitive(Arc::new(value.clone())) } else { value.clone() }
                };
                let values: IndexMap<EcoString, ManifestValue> =
                    resource.parameters.iter().map(|(name, p)| (name.clone(), hidden(name, &p.value))).collect();
                self.check_parameters(define, &resource.reference(), &values).map_err(|f| EvaluationFailure::plain(resource.span, f.text()))
            }
            _ => Ok(()),
        }
    }

    /// Passes metaparameters and tags from containers to their resources.
    fn inherit_metaparameters(&mut self) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.catalog.resources.len()];
        for (from, to) in &self.catalog.edges {
            if let Some(list) = children.get_mut(*from) {
                list.push(*to);
            }
        }
        let mut open = vec![0];
        let mut seen: IndexSet<usize> = IndexSet::new();
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            let Some(container) = self.catalog.get(at) else { continue };
            let tags = container.tags.clone();
            let inherited: Vec<(EcoString, ManifestValue)> =
                METAPARAMETERS.iter().filter_map(|name| Some((EcoString::from(*name), container.value(name)?.clone()))).collect();
            for child in children.get(at).cloned().unwrap_or_default() {
                let Some(resource) = self.catalog.get_mut(child) else { continue };
                for (name, value) in &inherited {
                    if resource.value(name).is_none() {
                        if name == "tag" {
                            let _ = resource.tag_value(value);
                        }
                        let parameter = ParameterValue { value: value.clone(), span: None, appends: false, source: EcoString::new() };
                        resource.parameters.insert(name.clone(), parameter);
                    }
                }
                resource.tags.extend(tags.iter().cloned());
                open.push(child);
            }
        }
    }

    fn fail_on_unused(&self) -> Result<(), EvaluationFailure> {
        if !self.overrides.is_empty() {
            let all: Vec<String> = self.overrides.keys().map(|(name, title)| reference(name, title)).collect();
            return Err(EvaluationFailure::plain(None, format!("Could not find resource(s) {} for overriding", all.join(", "))));
        }
        let missing: Vec<String> = self
            .collectors
            .iter()
            .flat_map(|c| &c.realizes)
            .filter(|(name, title)| self.catalog.find(name, title).is_none())
            .map(|(name, title)| reference(name, title))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(EvaluationFailure::plain(None, format!("Failed to realize virtual resources {}", missing.join(", "))))
    }

    /// Checks that the resources of metaparameters such as `require` exist.
    fn validate_relations(&mut self) -> Result<(), EvaluationFailure> {
        for index in 0..self.catalog.resources.len() {
            let Some(resource) = self.catalog.get(index) else { continue };
            if resource.flags.is_virtual {
                continue;
            }
            for relation in RELATIONS {
                let Some(parameter) = resource.parameters.get(*relation) else { continue };
                for value in flatten(std::slice::from_ref(&parameter.value)) {
                    if value == ManifestValue::Undef {
                        continue;
                    }
                    let span = parameter.span;
                    let text = relation_text(&value);
                    let Some((name, title)) = split_reference(&text) else {
                        let text = format!(
                            "No title provided and {} is not a valid resource reference",
                            crate::compile::text::inspect::quoted(&text)
                        );
                        return Err(EvaluationFailure::plain(span, text));
                    };
                    if self.catalog.find(&name, &title).is_none() {
                        return Err(EvaluationFailure::plain(span, format!("Could not find resource '{text}' in parameter '{relation}'")));
                    }
                }
            }
        }
        Ok(())
    }
}

fn shown(type_name: &str, title: &str) -> String {
    reference(type_name, title)
}

/// Returns a reference as relations write it into parameters.
fn reference_text(type_name: &str, title: &str) -> String {
    reference(type_name, title)
}

/// Returns the text of the value of a relation parameter.
pub fn relation_text(value: &ManifestValue) -> String {
    match value {
        ManifestValue::Type(of) => match &**of {
            Type::Resource(Some(name), Some(title)) => reference(name, title),
            Type::Class(Some(name)) => reference("class", name),
            other => other.to_string(),
        },
        other => display(other),
    }
}

/// Splits `File[/x]` into the lower-case type and the title.
pub fn split_reference(text: &str) -> Option<(EcoString, EcoString)> {
    let (name, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    if name.is_empty() || title.is_empty() || name.contains(']') {
        return None;
    }
    let name = EcoString::from(name.to_lowercase());
    let title = if name == "class" { title.strip_prefix("::").unwrap_or(title).to_lowercase().into() } else { EcoString::from(title) };
    Some((name, title))
}
