//! Evaluates expressions.

pub mod access;
mod budget;
pub mod call;
mod class;
mod collect;
pub mod compare;
mod control;
mod definitions;
mod facts;
#[cfg(feature = "ruby")]
mod in_place;
mod labels;
mod literal;
mod load;
mod main_manifest;
mod operator;
mod relation;
mod resource;
mod template;
mod variable;
mod weight;

pub use super::text::inspect::ruby_inspect;
pub use budget::EvaluationBudget;
pub use collect::Collector;
pub use definitions::{ClassDefinition, LoadedDefinitions};
pub use operator::{pairs, ruby_equal};
pub use resource::ResourceDeclaration;

use super::catalog::{CatalogBuilder, CatalogResource, ParameterValue};
use super::environment::{Environment, Strictness};
use super::failure::{EvaluationFailure, EvaluationFailureKind};
use super::files::ModuleFiles;
use super::logs::{EvaluationLogs, Level, LogMessage};
use super::scope::{Owner, VariableScope};
use super::value::ManifestValue;
use crate::syntax::tree::{Expression, ExpressionKind};
use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::redact::Redactor;
use rtype_lang::source::{SourceMap, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// Overrides of resources that are not declared yet, each with the overriding class.
pub struct Override {
    /// The parameters.
    pub parameters: Vec<(EcoString, ParameterValue)>,
    /// The place of the override.
    pub span: Span,
    /// The class.
    pub source: EcoString,
}

/// An evaluation of a manifest.
pub struct ManifestEvaluator {
    pub(crate) environment: Arc<Environment>,
    pub(crate) sources: SourceMap,
    pub(crate) definitions: LoadedDefinitions,
    pub(crate) catalog: CatalogBuilder,
    pub(crate) top: Arc<VariableScope>,
    pub(crate) node_scope: Option<Arc<VariableScope>>,
    pub(crate) class_scopes: HashMap<EcoString, Arc<VariableScope>>,
    /// The defaults of resource types by the number of the scope.
    pub(crate) defaults: HashMap<usize, IndexMap<EcoString, IndexMap<EcoString, ParameterValue>>>,
    pub(crate) overrides: IndexMap<(EcoString, EcoString), Vec<Override>>,
    pub(crate) collectors: Vec<Collector>,
    pub(crate) logs: EvaluationLogs,
    pub(crate) budget: EvaluationBudget,
    /// The output of the templates that are being rendered.
    pub(crate) rendered: Vec<Vec<ManifestValue>>,
    #[cfg(feature = "ruby")]
    pub(crate) ruby: crate::ruby::RubyState,
}

impl ManifestEvaluator {
    /// Returns an evaluation without anything evaluated.
    pub fn new(environment: Arc<Environment>, sources: SourceMap) -> ManifestEvaluator {
        let top = VariableScope::new(Owner::Top, None, 0, EcoString::new());
        ManifestEvaluator {
            budget: EvaluationBudget::new(environment.limits),
            environment,
            sources,
            definitions: LoadedDefinitions::default(),
            catalog: CatalogBuilder::default(),
            top,
            node_scope: None,
            class_scopes: HashMap::new(),
            defaults: HashMap::new(),
            overrides: IndexMap::new(),
            collectors: Vec::new(),
            logs: EvaluationLogs::default(),
            rendered: Vec::new(),
            #[cfg(feature = "ruby")]
            ruby: crate::ruby::RubyState::default(),
        }
    }

    /// Returns the messages.
    pub fn logs(&self) -> &[LogMessage] {
        &self.logs.messages
    }

    /// Returns the texts of `Sensitive` values that code has taken out, which no output may show.
    pub fn secrets(&self) -> &Redactor {
        &self.logs.secrets
    }

    /// Returns the catalog.
    pub fn catalog(&self) -> &CatalogBuilder {
        &self.catalog
    }

    /// Returns the reader of files.
    pub fn files(&self) -> &ModuleFiles {
        &self.environment.files
    }

    /// Returns the name of the environment.
    pub fn environment_name(&self) -> EcoString {
        self.environment.name.clone()
    }

    /// Returns a setting of Puppet.
    pub fn setting(&self, name: &str) -> Option<ManifestValue> {
        self.environment.settings.get(name).cloned()
    }

    /// Logs a message.
    pub fn log(&mut self, level: Level, text: EcoString, span: Option<Span>) {
        self.logs.messages.push(LogMessage { level, text, span, is_syntax: false });
    }

    /// Logs a message that is the same in each place, once.
    pub fn log_once(&mut self, level: Level, text: impl Into<EcoString>) {
        let text = text.into();
        if self.logs.warned.insert(text.to_string()) {
            self.log(level, text, None);
        }
    }

    /// Reports a mistake as a warning or an error, as `strict` says.
    ///
    /// # Errors
    /// Returns the error if `strict` is `error`.
    pub fn optionally_fail(&mut self, span: Span, text: impl AsRef<str>) -> Result<(), EvaluationFailure> {
        match self.environment.strict {
            Strictness::Off => Ok(()),
            Strictness::Warning => {
                self.log(Level::Warning, text.as_ref().into(), Some(span));
                Ok(())
            }
            Strictness::Error => Err(EvaluationFailure::at(span, text)),
        }
    }

    /// Returns the file and the line of a place. Code that is not in a file has no name, or a name such as `<stdin>`.
    pub fn place(&self, span: Span) -> (Option<String>, u32) {
        let Some(source) = self.sources.find(span) else { return (None, 0) };
        let name = source.name();
        ((!name.is_empty() && !name.starts_with('<')).then(|| name.to_owned()), source.line(span.start))
    }

    /// Returns a place as in `(file: /x.pp, line: 3)`, without the brackets if there is nothing to say.
    pub fn location(&self, span: Option<Span>) -> String {
        let Some(span) = span else { return String::new() };
        match self.place(span) {
            (Some(file), line) => format!("(file: {file}, line: {line})"),
            (None, 0) => String::new(),
            (None, line) => format!("(line: {line})"),
        }
    }

    /// Returns the place of the declaration of a resource.
    pub(crate) fn declared_at(&self, resource: &CatalogResource) -> String {
        let Some((file, line)) = resource.span.map(|span| self.place(span)).filter(|(_, line)| *line > 0) else { return String::new() };
        match self.declared_in(resource, file) {
            Some(file) => format!("(file: {file}, line: {line})"),
            None => format!("(line: {line})"),
        }
    }

    /// Returns the file of a declaration as Puppet names it.
    pub(crate) fn declared_in(&self, resource: &CatalogResource, file: Option<String>) -> Option<String> {
        file.or_else(|| resource.flags.is_from_function.then(|| "unknown".to_owned()))
    }

    /// Counts steps.
    ///
    /// # Errors
    /// Returns an error if the budget is exceeded.
    pub fn spend(&mut self, steps: usize) -> Result<(), EvaluationFailure> {
        self.budget.spend(steps)
    }

    /// Evaluates statements and returns the value of the last.
    ///
    /// # Errors
    /// Returns the first failure.
    pub fn block(&mut self, statements: &[Expression], scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let mut value = ManifestValue::Undef;
        for statement in statements {
            // Drop the value of the previous statement first: `change_in_place` refuses a list that `value` still holds.
            drop(std::mem::replace(&mut value, ManifestValue::Undef));
            value = self.eval(statement, scope)?;
        }
        Ok(value)
    }

    /// Evaluates an expression.
    ///
    /// # Errors
    /// Returns the failure with the place of the expression that failed.
    pub fn eval(&mut self, expression: &Expression, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        self.budget.enter()?;
        let result = stacker::maybe_grow(256 << 10, 8 << 20, || self.eval_kind(expression, scope));
        self.budget.leave();
        let is_new = !matches!(expression.kind, ExpressionKind::Variable(_) | ExpressionKind::Paren(_));
        let weighed = match &result {
            Ok(value) if is_new && value.is_composed() => self.budget.weigh(value).map(drop),
            _ => Ok(()),
        };
        weighed.and(result).map_err(|failure| placed(failure, expression))
    }

    fn eval_kind(&mut self, expression: &Expression, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let at = labels::anchor(expression);
        match &expression.kind {
            ExpressionKind::Undef | ExpressionKind::Definition(_) | ExpressionKind::Node(_) | ExpressionKind::TypeAlias(_) => {
                Ok(ManifestValue::Undef)
            }
            ExpressionKind::Default => Ok(ManifestValue::Default),
            ExpressionKind::Boolean(value) => Ok(ManifestValue::Boolean(*value)),
            ExpressionKind::Integer { value, .. } => Ok(ManifestValue::Integer(*value)),
            ExpressionKind::Float(value) => Ok(ManifestValue::Float(*value)),
            ExpressionKind::Text(text) | ExpressionKind::Name(text) => Ok(ManifestValue::String(text.clone())),
            ExpressionKind::Reserved(word) => {
                Err(EvaluationFailure::at(at, format!("Use of reserved word: {word}, must be quoted if intended to be a String value")))
            }
            ExpressionKind::Paren(inner) => self.eval(inner, scope),
            ExpressionKind::Block(statements) => self.block(statements, scope),
            ExpressionKind::Variable(name) => self.variable(name, at, scope),
            ExpressionKind::TypeName(name) => self.type_name(name, at),
            ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand, at, scope),
            ExpressionKind::Binary(binary) => self.binary(binary, scope),
            ExpressionKind::Access(access) => self.access(access, expression, scope),
            ExpressionKind::Call(call) => self.call(call, expression, scope),
            ExpressionKind::Method(call) => self.method(call, scope),
            ExpressionKind::If(conditional) => self.conditional(conditional, scope),
            ExpressionKind::Case(case) => self.case(case, scope),
            ExpressionKind::Selector(selector) => self.selector(selector, scope),
            ExpressionKind::Resource(resource) => self.resource(resource, expression, scope),
            ExpressionKind::Defaults(settings) => self.defaults_of(settings, scope),
            ExpressionKind::Override(settings) => self.overrides_of(settings, expression, scope),
            ExpressionKind::Collector(collector) => self.collector(collector, at, scope),
            ExpressionKind::Render(inner) => self.render(inner, scope),
            ExpressionKind::RenderText(text) => {
                self.output(ManifestValue::String(text.clone()));
                Ok(ManifestValue::Undef)
            }
            _ => self.literal(expression, scope),
        }
    }
}

/// Adds the expression to an error that has no place, as Puppet words it.
pub(crate) fn placed(failure: EvaluationFailure, expression: &Expression) -> EvaluationFailure {
    let at = labels::anchor(expression);
    match failure.kind() {
        EvaluationFailureKind::Error if failure.span().is_none() => {
            let text = format!("Error while evaluating {}, {}", labels::label_of(expression), failure.text());
            EvaluationFailure::at(at, text)
        }
        EvaluationFailureKind::Unsupported | EvaluationFailureKind::Limit => failure.or_at(at),
        _ => failure,
    }
}
