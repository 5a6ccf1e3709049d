//! Variables and assignments.

use super::{ManifestEvaluator, labels};
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::{Owner, VariableScope};
use crate::compile::types::Type;
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{Binary, Expression, ExpressionKind};
use ecow::EcoString;
use rtype_lang::source::Span;
use std::sync::Arc;

/// Variables of every class and defined type, which are undef if they have no value.
const BUILT_IN: &[&str] = &["module_name", "caller_module_name"];

impl ManifestEvaluator {
    /// Returns the value of a variable; unknown variables are reported.
    pub(crate) fn variable(&mut self, name: &str, at: Span, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        if let Some(value) = self.find_variable(scope, name) {
            return Ok(value);
        }
        let is_number = name.bytes().all(|b| b.is_ascii_digit());
        if name == "module_name" {
            return Ok(ManifestValue::string(""));
        }
        if is_number || BUILT_IN.contains(&name) {
            return Ok(ManifestValue::Undef);
        }
        if name.strip_prefix("::").unwrap_or(name).starts_with("settings::") {
            return Err(EvaluationFailure::unsupported(format!("the setting `${name}` is not known")));
        }
        if is_unevaluated(scope, name) {
            return Err(EvaluationFailure::unevaluated(name));
        }
        self.refuse_unread_fact(name)?;
        #[cfg(feature = "ruby")]
        if self.ruby.is_hidden(name) {
            return Err(EvaluationFailure::unsupported(format!("the variable `${name}`, whose value is an object of Ruby")));
        }
        let text = format!("Unknown variable: '{name}'.");
        if self.environment.has_strict_variables {
            return Err(EvaluationFailure::at(at, text));
        }
        self.optionally_fail(at, text)?;
        Ok(ManifestValue::Undef)
    }

    /// Returns the value of a variable if it is known.
    pub fn find_variable(&self, scope: &Arc<VariableScope>, name: &str) -> Option<ManifestValue> {
        if let Some((class, leaf)) = name.rsplit_once("::") {
            return self.qualified(class.strip_prefix("::").unwrap_or(class), leaf);
        }
        if name.bytes().all(|b| b.is_ascii_digit()) {
            return groups(scope)?.get(name.parse::<usize>().ok()?).cloned();
        }
        let mut at = scope.clone();
        loop {
            if let Some(value) = at.own(name) {
                return Some(value);
            }
            at = match (&at.owner, &at.parent) {
                (Owner::Parameters(names), _) if names.iter().any(|known| known == name) => return None,
                (Owner::Local | Owner::Parameters(_), Some(parent)) => parent.clone(),
                _ => self.enclosing(&at)?,
            };
        }
    }

    /// Returns the scope after this one: of the parent class, of the node, or the top scope.
    fn enclosing(&self, scope: &Arc<VariableScope>) -> Option<Arc<VariableScope>> {
        if let Owner::Class(name) = &scope.owner {
            let parent = self.definitions.class(name).and_then(|class| class.definition.parent.clone());
            if let Some(parent) = parent {
                let parent = parent.text.strip_prefix("::").unwrap_or(&parent.text).to_lowercase();
                if let Some(inherited) = self.class_scopes.get(parent.as_str()) {
                    return Some(inherited.clone());
                }
            }
        }
        let mut at = scope.parent.clone()?;
        while !matches!(at.owner, Owner::Top | Owner::Node) {
            at = at.parent.clone()?;
        }
        Some(at)
    }

    fn qualified(&self, class: &str, leaf: &str) -> Option<ManifestValue> {
        if class.is_empty() {
            return self.top.own(leaf);
        }
        if class == "settings" {
            return self.environment.settings.get(leaf).cloned();
        }
        let mut at = self.class_scopes.get(class).cloned();
        while let Some(scope) = at {
            if let Some(value) = scope.own(leaf) {
                return Some(value);
            }
            at = match &scope.owner {
                Owner::Class(name) => self
                    .definitions
                    .class(name)
                    .and_then(|class| class.definition.parent.as_ref())
                    .and_then(|parent| self.class_scopes.get(parent.text.strip_prefix("::").unwrap_or(&parent.text)).cloned()),
                _ => None,
            };
        }
        None
    }

    /// Evaluates `$x = value`.
    pub(crate) fn assignment(&mut self, binary: &Binary, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let value = self.eval(&binary.right, scope)?;
        self.assign(&binary.left, value.clone(), binary, scope)?;
        Ok(value)
    }

    fn assign(
        &mut self,
        target: &Expression,
        value: ManifestValue,
        binary: &Binary,
        scope: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        match &target.kind {
            ExpressionKind::Variable(name) => self.assign_name(name, value, binary, scope),
            ExpressionKind::Array(targets) => self.assign_list(targets, value, binary, scope),
            ExpressionKind::Paren(inner) => self.assign(inner, value, binary, scope),
            _ => Err(EvaluationFailure::at(
                labels::anchor(target),
                format!("Illegal attempt to assign to '{}'. Not an assignable reference", labels::label_of(target)),
            )),
        }
    }

    fn assign_name(
        &mut self,
        name: &EcoString,
        value: ManifestValue,
        binary: &Binary,
        scope: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        let at = binary.operator_span;
        if name.contains("::") {
            return Err(EvaluationFailure::at(
                labels::anchor(&binary.left),
                format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces"),
            ));
        }
        if name.bytes().all(|b| b.is_ascii_digit()) {
            return Err(EvaluationFailure::at(
                labels::anchor(&binary.left),
                format!("Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"),
            ));
        }
        let is_bound = scope.own(name).is_some();
        if name == "server_facts" || (is_bound && matches!(name.as_str(), "trusted" | "facts")) {
            return Err(EvaluationFailure::at(at, format!("Attempt to assign to a reserved variable name: '${name}'")));
        }
        if is_bound {
            let is_reserved = matches!(name.as_str(), "name" | "title");
            return Err(EvaluationFailure::at(
                at,
                if is_reserved {
                    format!("Cannot reassign built in (or already assigned) variable '${name}'")
                } else {
                    format!("Cannot reassign variable '${name}'")
                },
            ));
        }
        if matches!(name.as_str(), "trusted" | "facts") {
            return Err(EvaluationFailure::new(format!("Attempt to assign to a reserved variable name: '{name}'")));
        }
        scope.set(name, value);
        Ok(())
    }

    fn assign_list(
        &mut self,
        targets: &[Expression],
        value: ManifestValue,
        binary: &Binary,
        scope: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        let at = binary.operator_span;
        match &value {
            ManifestValue::Hash(map) => {
                for target in targets {
                    let key = match &target.kind {
                        ExpressionKind::Variable(name) => ManifestValue::String(name.clone()),
                        ExpressionKind::Array(_) => return Err(EvaluationFailure::unsupported("nested lists of variables with a hash")),
                        _ => ManifestValue::Undef,
                    };
                    let Some(found) = map.get(&key) else {
                        let key = crate::compile::text::display(&key);
                        return Err(EvaluationFailure::at(
                            at,
                            format!("No value for required key '{key}' in assignment to variables from hash"),
                        ));
                    };
                    self.assign(target, found.clone(), binary, scope)?;
                }
                Ok(())
            }
            ManifestValue::Type(of) => match &**of {
                Type::Class(Some(class)) => self.assign_from_class(targets, class, binary, scope),
                _ => self.assign_values(targets, vec![value.clone()], binary, scope),
            },
            ManifestValue::Array(elements) => self.assign_values(targets, elements.to_vec(), binary, scope),
            other => self.assign_values(targets, vec![other.clone()], binary, scope),
        }
    }

    fn assign_values(
        &mut self,
        targets: &[Expression],
        values: Vec<ManifestValue>,
        binary: &Binary,
        scope: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        if targets.len() != values.len() {
            let text = format!("Mismatched number of assignable entries and values, expected {}, got {}", targets.len(), values.len());
            return Err(EvaluationFailure::at(binary.operator_span, text));
        }
        targets.iter().zip(values).try_for_each(|(target, value)| self.assign(target, value, binary, scope))
    }

    fn assign_from_class(
        &mut self,
        targets: &[Expression],
        class: &str,
        binary: &Binary,
        scope: &Arc<VariableScope>,
    ) -> Result<(), EvaluationFailure> {
        if self.catalog.find("class", class).is_none() {
            return Err(EvaluationFailure::at(labels::anchor(&binary.right), format!("Resource not found: Class['{class}']")));
        }
        for target in targets {
            let ExpressionKind::Variable(name) = &target.kind else {
                return Err(EvaluationFailure::unsupported("nested lists of variables with a class"));
            };
            let Some(value) = self.qualified(class, name) else {
                let text = format!("No value for required variable '${class}::{name}' in assignment to variables from class reference");
                return Err(EvaluationFailure::at(labels::anchor(target), text));
            };
            self.assign(target, value, binary, scope)?;
        }
        Ok(())
    }
}

/// Returns the groups of the last match in a scope or around it.
fn groups(scope: &Arc<VariableScope>) -> Option<Arc<Vec<ManifestValue>>> {
    let mut at = scope.clone();
    loop {
        if let Some(found) = at.matches() {
            return Some(found);
        }
        at = match (&at.owner, &at.parent) {
            (Owner::Local | Owner::Parameters(_), Some(parent)) => parent.clone(),
            _ => return None,
        };
    }
}

/// Returns `true` if a name is that of a parameter without a value while the parameters are evaluated.
fn is_unevaluated(scope: &Arc<VariableScope>, name: &str) -> bool {
    let mut at = scope;
    loop {
        match (&at.owner, &at.parent) {
            (Owner::Parameters(names), _) if names.iter().any(|known| known == name) => return at.own(name).is_none(),
            (Owner::Local | Owner::Parameters(_), Some(parent)) => at = parent,
            _ => return false,
        }
    }
}
