//! EPP templates.

use super::ManifestEvaluator;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind};
use crate::compile::scope::{Owner, VariableScope};
use crate::compile::text::display;
use crate::compile::types::{NamedParameter, Type, describe_parameters};
use crate::compile::value::{ManifestValue, ValueMap};
use crate::syntax::tree::{Expression, ExpressionKind, Parameter};
use crate::syntax::{Form, Parsed};
use ecow::EcoString;
use std::sync::Arc;

impl ManifestEvaluator {
    /// Adds output to the template that is being rendered.
    pub(crate) fn output(&mut self, value: ManifestValue) {
        if let Some(output) = self.rendered.last_mut() {
            output.push(value);
        }
    }

    pub(crate) fn render(&mut self, inner: &Expression, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let value = self.eval(inner, scope)?;
        let value = match value {
            ManifestValue::Sensitive(_) => value,
            other => ManifestValue::string(display(&other)),
        };
        if let Some(text) = value.as_str() {
            self.budget.allocate(text.len())?;
        }
        self.output(value);
        Ok(ManifestValue::Undef)
    }

    /// Renders a template.
    ///
    /// # Errors
    /// Returns an error if the arguments do not fit the parameters, or the failure of an expression.
    pub(crate) fn template(
        &mut self,
        function: &str,
        parsed: &Parsed,
        arguments: Option<&ValueMap>,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let has_definition = parsed
            .tree
            .statements
            .iter()
            .any(|s| matches!(s.kind, ExpressionKind::Definition(_) | ExpressionKind::Node(_) | ExpressionKind::TypeAlias(_)));
        if has_definition {
            return Err(EvaluationFailure::new(format!("{function}(): The EPP template contains illegal expressions (definitions)")));
        }
        let specified = parsed.tree.template.as_ref().and_then(|head| head.parameters.as_deref());
        let inner = scope.local();
        let enforces = specified.is_some() || arguments.is_none();
        let parameters = specified.unwrap_or_default();
        let given: Vec<(EcoString, ManifestValue)> =
            arguments.into_iter().flatten().map(|(key, value)| (display(key).into(), value.clone())).collect();
        if enforces {
            let values = self.template_values(parameters, given, &inner)?;
            for (name, value) in values {
                inner.set(&name, value);
            }
        } else {
            for (name, value) in given {
                inner.set(&name, value);
            }
        }
        self.rendered.push(Vec::new());
        let result = self.block(&parsed.tree.statements, &inner);
        let output = self.rendered.pop().unwrap_or_default();
        if let Err(failure) = result {
            match failure.kind() {
                EvaluationFailureKind::Next(_) => {}
                // The value takes the place of the text.
                EvaluationFailureKind::Return(value) => return Ok(value.clone()),
                _ => return Err(failure),
            }
        }
        let is_sensitive = output.iter().any(|part| matches!(part, ManifestValue::Sensitive(_)));
        let text: String = output
            .iter()
            .map(|part| match part {
                ManifestValue::Sensitive(inner) => display(inner),
                other => display(other),
            })
            .collect();
        let text = ManifestValue::string(text);
        Ok(if is_sensitive { ManifestValue::Sensitive(Arc::new(text)) } else { text })
    }

    fn template_values(
        &mut self,
        parameters: &[Parameter],
        given: Vec<(EcoString, ManifestValue)>,
        scope: &Arc<VariableScope>,
    ) -> Result<Vec<(EcoString, ManifestValue)>, EvaluationFailure> {
        let names: Vec<EcoString> = parameters.iter().map(|p| p.name.text.clone()).collect();
        let inner = scope.local_with(Owner::Parameters(names.clone()));
        for (name, value) in &given {
            if *value != ManifestValue::Undef {
                inner.set(name, value.clone());
            }
        }
        let mut types = Vec::new();
        for parameter in parameters {
            let name = &parameter.name.text;
            if inner.own(name).is_none() {
                match &parameter.default {
                    Some(default) => {
                        let value = self.default_value("lambda", &names, name, default, &inner)?;
                        inner.set(name, value);
                    }
                    None if given.iter().any(|(known, _)| known == name) => {
                        inner.set(name, ManifestValue::Undef);
                    }
                    None => {}
                }
            }
            types.push(match &parameter.kind {
                Some(kind) => self.type_of(kind, scope)?,
                None => Type::Any,
            });
        }
        let values = inner.variables();
        let named: Vec<NamedParameter<'_>> = parameters
            .iter()
            .zip(&types)
            .map(|(parameter, of)| NamedParameter { name: &parameter.name.text, of, is_required: parameter.default.is_none() })
            .collect();
        let all: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
        let value = |name: &str| values.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        match describe_parameters("lambda", &named, value, &all) {
            Some(text) => Err(EvaluationFailure::new(text)),
            None => Ok(values),
        }
    }

    /// Renders a template given as text.
    ///
    /// # Errors
    /// Returns an error if the text has syntax errors, or the failure of an expression.
    pub(crate) fn inline_template(
        &mut self,
        text: &str,
        arguments: Option<&ValueMap>,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let parsed = self.parse("inlined-epp-text", text.to_owned(), Form::Template)?;
        self.template("inline_epp", &parsed, arguments, scope)
    }

    /// Renders a template file: `module/name.epp`.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or the failure of the template.
    pub(crate) fn template_file(&mut self, name: &str, arguments: Option<&ValueMap>) -> Result<ManifestValue, EvaluationFailure> {
        let name = if name.ends_with(".epp") { name.to_owned() } else { format!("{name}.epp") };
        let Some(path) = self.environment.files.module_file("templates", &name) else {
            return Err(EvaluationFailure::new(format!("Could not find template '{name}'")));
        };
        let bytes = self.environment.files.read(&path)?;
        let text = String::from_utf8(bytes).map_err(|_| EvaluationFailure::unsupported("a template that is not UTF-8"))?;
        let parsed = self.parse(&path.display().to_string(), text, Form::Template)?;
        let global = self.node_scope.clone().unwrap_or_else(|| self.top.clone());
        self.template("epp", &parsed, arguments, &global)
    }
}
