//! The compilation of a main manifest.

use super::ManifestEvaluator;
use crate::compile::catalog::CatalogKind;
use crate::compile::failure::{EvaluationFailure, EvaluationFailureKind};
use crate::compile::value::ManifestValue;
use crate::syntax::Form;
use ecow::EcoString;
use std::sync::Arc;

/// The number of rounds in which collectors and defined types may create new resources.
const MAX_ROUNDS: usize = 1000;

impl ManifestEvaluator {
    /// Compiles main manifests, each with its name. Returns the value of the last expression.
    ///
    /// # Errors
    /// Returns the failure that ends the compilation.
    pub fn compile(&mut self, manifests: Vec<(String, String)>) -> Result<ManifestValue, EvaluationFailure> {
        let value = self.evaluate(manifests)?;
        self.complete()?;
        Ok(value)
    }

    /// Evaluates main manifests, as if they were one, without collectors and defined types. Returns the value of the last expression.
    ///
    /// # Errors
    /// Returns the failure of the first expression that fails.
    pub fn evaluate(&mut self, manifests: Vec<(String, String)>) -> Result<ManifestValue, EvaluationFailure> {
        self.begin()?;
        let mut parsed = Vec::with_capacity(manifests.len());
        for (name, code) in manifests {
            parsed.push(self.parse(&name, code, Form::Manifest)?);
        }
        for manifest in &parsed {
            self.define(manifest, &EcoString::new())?;
        }
        let top = Arc::clone(&self.top);
        let mut value = ManifestValue::Undef;
        for manifest in &parsed {
            value = self.block(&manifest.tree.statements, &top).map_err(|failure| self.outside(failure))?;
        }
        Ok(value)
    }

    /// Sets the variables of the top scope, and adds what each catalog has.
    fn begin(&mut self) -> Result<(), EvaluationFailure> {
        let environment = self.environment.clone();
        for (name, value) in &environment.variables {
            self.top.replace(name, value.clone());
        }
        self.top.replace("environment", ManifestValue::String(environment.name.clone()));
        self.top.replace("trusted", environment.trusted.clone());
        self.top.replace("server_facts", environment.server_facts.clone());
        self.top.replace("facts", environment.facts.clone());
        let top = self.top.clone();
        let stage = self.environment.types.find("stage", &self.environment.files).map_or(CatalogKind::Defined, CatalogKind::Native);
        // The main class is the first resource, because the scope of the manifest refers to it.
        let mut main = self.new_resource(CatalogKind::Class, "class", "main", None, &top);
        main.flags.is_evaluated = true;
        let main = self.add_resource(main)?;
        let stage = self.new_resource(stage, "stage", "main", None, &top);
        let stage = self.add_resource(stage)?;
        if let Some(stage) = self.catalog.get_mut(stage) {
            // `Stage[main]` has no container.
            stage.tags = std::iter::once("stage".into()).collect();
            stage.flags.has_scope_tags = true;
        }
        let mut settings = self.new_resource(CatalogKind::Class, "class", "settings", None, &top);
        settings.flags.is_evaluated = true;
        let settings = self.add_resource(settings)?;
        self.catalog.edges.insert((stage, settings));
        self.catalog.edges.insert((stage, main));
        self.catalog.classes.push("settings".into());
        for name in ["title", "name"] {
            self.top.replace(name, ManifestValue::from("main"));
        }
        Ok(())
    }

    /// Evaluates node, defined types and collectors, and completes the catalog.
    ///
    /// # Errors
    /// Returns the failure that ends the compilation.
    pub fn complete(&mut self) -> Result<(), EvaluationFailure> {
        self.evaluate_node().map_err(|failure| self.outside(failure))?;
        self.generate().map_err(|failure| self.outside(failure))?;
        self.finish()
    }

    /// Returns the error for `next`, `break` or `return` outside a lambda or function.
    fn outside(&mut self, failure: EvaluationFailure) -> EvaluationFailure {
        let name = match failure.kind() {
            EvaluationFailureKind::Next(_) => "next",
            EvaluationFailureKind::Break => "break",
            EvaluationFailureKind::Return(_) => "return",
            _ => return failure,
        };
        EvaluationFailure::plain(failure.span(), format!("{name}() from context where this is illegal"))
    }

    fn generate(&mut self) -> Result<(), EvaluationFailure> {
        for _ in 0..MAX_ROUNDS {
            let mut is_done = true;
            for number in 0..self.collectors.len() {
                is_done &= !self.collect(number)?;
            }
            let open: Vec<usize> = self
                .catalog
                .resources
                .iter()
                .enumerate()
                .filter(|(_, r)| matches!(r.kind, CatalogKind::Defined) && !r.flags.is_evaluated && !r.flags.is_virtual)
                .map(|(index, _)| index)
                .collect();
            is_done &= open.is_empty();
            for index in open {
                self.evaluate_define(index)?;
            }
            if is_done {
                return Ok(());
            }
        }
        Err(EvaluationFailure::plain(None, "Somehow looped more than 1000 times while evaluating host catalog"))
    }
}
