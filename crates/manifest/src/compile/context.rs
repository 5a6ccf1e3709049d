//! The context of a function call: scope, files, settings and budget.

use super::evaluator::ManifestEvaluator;
use super::failure::EvaluationFailure;
use super::logs::Level;
use super::scope::{LambdaClosure, VariableScope};
use super::value::ManifestValue;
use ecow::EcoString;
use rtype_lang::source::Span;
use std::path::PathBuf;
use std::sync::Arc;

/// The evaluation that calls a function.
pub struct CallContext<'c> {
    /// The evaluator.
    pub(crate) evaluator: &'c mut ManifestEvaluator,
    /// The scope of the call.
    pub(crate) scope: Arc<VariableScope>,
    /// The place of the call.
    pub(crate) span: Span,
    /// The name of the called function.
    pub(crate) name: EcoString,
}

impl CallContext<'_> {
    /// Returns the name of the called function.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls a lambda with arguments that its parameters must accept. `next` gives a value; `break` and `return` are failures, which the
    /// caller passes on.
    ///
    /// # Errors
    /// Returns the failure of the lambda.
    pub fn call_lambda(&mut self, lambda: &Arc<LambdaClosure>, arguments: Vec<ManifestValue>) -> Result<ManifestValue, EvaluationFailure> {
        self.evaluator.call_closure(lambda, arguments)
    }

    /// Calls a lambda with arguments of an iteration: surplus arguments are dropped.
    ///
    /// # Errors
    /// Returns the failure of the lambda.
    pub fn yield_to(&mut self, lambda: &Arc<LambdaClosure>, arguments: Vec<ManifestValue>) -> Result<ManifestValue, EvaluationFailure> {
        self.evaluator.yield_to(lambda, arguments)
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// Returns the failure of the function, or an error if it is unknown.
    pub fn call(
        &mut self,
        name: &str,
        arguments: Vec<ManifestValue>,
        lambda: Option<Arc<LambdaClosure>>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let (scope, span) = (self.scope.clone(), self.span);
        self.evaluator.call_function(name, arguments, lambda, &scope, span)
    }

    /// Logs a message without a place.
    pub fn log(&mut self, level: Level, text: impl Into<EcoString>) {
        self.evaluator.log(level, text.into(), None);
    }

    /// Logs a warning at the place of the call.
    pub fn warn_here(&mut self, text: impl Into<EcoString>) {
        self.evaluator.log(Level::Warning, text.into(), Some(self.span));
    }

    /// Logs a warning without a place.
    pub fn warn(&mut self, text: impl Into<EcoString>) {
        self.evaluator.log(Level::Warning, text.into(), None);
    }

    /// Returns the line of the call and the file, unless the call is in code without a file.
    pub fn place(&self) -> (Option<String>, u32) {
        self.evaluator.place(self.span)
    }

    /// Returns a variable as the calling code sees it, for example `facts` or `apache::port`. Unknown variables are `None`.
    pub fn variable(&mut self, name: &str) -> Option<ManifestValue> {
        self.evaluator.find_variable(&self.scope.clone(), name)
    }

    /// Returns a setting of Puppet, for example `strict`.
    pub fn setting(&self, name: &str) -> Option<ManifestValue> {
        self.evaluator.setting(name)
    }

    /// Returns the name of the environment.
    pub fn environment(&self) -> EcoString {
        self.evaluator.environment_name()
    }

    /// Returns the path of a file of a module: `module_file("files", "apache/a.conf")` is `<apache>/files/a.conf`. `None` if there is no such file.
    pub fn module_file(&self, directory: &str, name: &str) -> Option<PathBuf> {
        self.evaluator.files().module_file(directory, name)
    }

    /// Returns the directory of a module.
    pub fn module_directory(&self, name: &str) -> Option<PathBuf> {
        self.evaluator.files().module_directory(name)
    }

    /// Reads a file inside the environment or the module path.
    ///
    /// # Errors
    /// Refuses all other files; returns an error if the file cannot be read.
    pub fn read_file(&mut self, path: &std::path::Path) -> Result<Vec<u8>, EvaluationFailure> {
        self.evaluator.files().read(path)
    }

    /// Counts steps of work, for example the elements that a function creates.
    ///
    /// # Errors
    /// Returns an error if the evaluation exceeds its budget.
    pub fn spend(&mut self, steps: usize) -> Result<(), EvaluationFailure> {
        self.evaluator.spend(steps)
    }
}
