//! Collectors: `File <| owner == root |>`.

use super::{ManifestEvaluator, Override, compare, labels};
use crate::compile::catalog::ParameterValue;
use crate::compile::failure::EvaluationFailure;
use crate::compile::logs::Level;
use crate::compile::scope::VariableScope;
use crate::compile::text::display;
use crate::compile::value::ManifestValue;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{CollectorExpression, Expression, ExpressionKind};
use ecow::EcoString;
use indexmap::IndexSet;
use rtype_lang::source::Span;
use std::sync::Arc;

/// A collector query with evaluated values.
#[derive(Clone, Debug)]
pub enum Query {
    /// Both.
    And(Box<Query>, Box<Query>),
    /// Any.
    Or(Box<Query>, Box<Query>),
    /// One of the tags.
    Tagged(Vec<EcoString>),
    /// An attribute with a value.
    Equal(EcoString, ManifestValue),
    /// An attribute without a value.
    NotEqual(EcoString, ManifestValue),
}

/// A collector.
#[derive(Clone, Debug)]
pub struct Collector {
    /// The resource type.
    pub type_name: EcoString,
    /// The condition.
    pub query: Option<Query>,
    /// Resources that must exist in the end: of `realize`.
    pub realizes: Vec<(EcoString, EcoString)>,
    /// The parameters that are set on collected resources.
    pub overrides: Vec<(EcoString, ParameterValue)>,
    /// The place.
    pub span: Span,
    /// The scope.
    pub scope: Arc<VariableScope>,
    /// The collected resources.
    pub collected: IndexSet<usize>,
    /// Whether nothing is collected, because exported resources are not stored.
    pub is_ignored: bool,
    /// The operands before this collector in a chain of relations.
    pub alternative: Vec<crate::compile::catalog::Operand>,
}

impl ManifestEvaluator {
    pub(crate) fn collector(
        &mut self,
        collector: &CollectorExpression,
        at: Span,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        if collector.is_exported {
            let text = "You cannot collect exported resources without storeconfigs being set; the collection will be ignored";
            self.log(Level::Warning, text.into(), Some(at));
        }
        let ExpressionKind::TypeName(name) = &collector.kind.kind else {
            return Err(EvaluationFailure::unsupported("a collector without a type"));
        };
        let type_name = name.to_lowercase();
        if type_name == "class" {
            return Err(EvaluationFailure::new("Classes cannot be collected"));
        }
        if !self.is_resource_type(&type_name)? {
            return Err(EvaluationFailure::new(format!("Resource type {type_name} doesn't exist")));
        }
        let overrides = self.attributes(&collector.attributes, at, scope)?;
        let shown = type_name.clone();
        let query = match &collector.query {
            Some(query) => Some(self.query(query, scope)?),
            None => None,
        };
        self.collectors.push(Collector {
            type_name,
            query,
            realizes: Vec::new(),
            overrides: overrides.into_iter().collect(),
            span: at,
            scope: scope.clone(),
            collected: IndexSet::new(),
            is_ignored: collector.is_exported,
            alternative: Vec::new(),
        });
        Ok(ManifestValue::Iterator(super::relation::collector_value(self.collectors.len() - 1, &shown)))
    }

    fn query(&mut self, query: &Expression, scope: &Arc<VariableScope>) -> Result<Query, EvaluationFailure> {
        match &query.kind {
            ExpressionKind::Paren(inner) => self.query(inner, scope),
            ExpressionKind::Binary(binary) => {
                let both = |a: Query, b: Query| (Box::new(a), Box::new(b));
                match binary.operator {
                    TokenKind::And => {
                        let (a, b) = both(self.query(&binary.left, scope)?, self.query(&binary.right, scope)?);
                        Ok(Query::And(a, b))
                    }
                    TokenKind::Or => {
                        let (a, b) = both(self.query(&binary.left, scope)?, self.query(&binary.right, scope)?);
                        Ok(Query::Or(a, b))
                    }
                    _ => {
                        let name: EcoString = display(&self.query_value(&binary.left, scope)?).into();
                        let value = self.query_value(&binary.right, scope)?;
                        comparison(name, value, binary.operator == TokenKind::NotEqual)
                    }
                }
            }
            _ => Err(EvaluationFailure::unsupported("this query")),
        }
    }

    fn query_value(&mut self, value: &Expression, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        match &value.kind {
            ExpressionKind::Array(_) => Err(EvaluationFailure::new("Cannot transform object of class Puppet::Pops::Model::LiteralList")),
            ExpressionKind::Hash(_) => Err(EvaluationFailure::new("Cannot transform object of class Puppet::Pops::Model::LiteralHash")),
            ExpressionKind::Paren(inner) => self.query_value(inner, scope),
            ExpressionKind::Undef
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Interpolated(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Integer { .. }
            | ExpressionKind::Float(_)
            | ExpressionKind::Access(_) => self.eval(value, scope),
            _ => Err(EvaluationFailure::unsupported(format!("{} in a query", labels::label_of(value)))),
        }
    }

    /// Collects resources. Returns `true` if there are new ones.
    pub(crate) fn collect(&mut self, number: usize) -> Result<bool, EvaluationFailure> {
        let Some(collector) = self.collectors.get(number).cloned() else { return Ok(false) };
        if collector.is_ignored {
            return Ok(false);
        }
        let found = self.found(&collector);
        let mut is_new = false;
        for index in found {
            if let Some(resource) = self.catalog.get_mut(index) {
                resource.flags.is_virtual = false;
            }
            if collector.collected.contains(&index) {
                continue;
            }
            is_new = true;
            if !collector.overrides.is_empty() {
                let change = Override { parameters: collector.overrides.clone(), span: collector.span, source: collector.scope.source() };
                self.merge(index, change, &collector.scope, true)?;
            }
            if let Some(collector) = self.collectors.get_mut(number) {
                collector.collected.insert(index);
            }
        }
        Ok(is_new)
    }

    fn found(&mut self, collector: &Collector) -> Vec<usize> {
        if !collector.realizes.is_empty() {
            return collector.realizes.iter().filter_map(|(name, title)| self.catalog.find(name, title)).collect();
        }
        let fits = |evaluator: &ManifestEvaluator, index: usize| {
            let Some(resource) = evaluator.catalog.get(index) else { return false };
            resource.type_name == collector.type_name && collector.query.as_ref().is_none_or(|query| evaluator.satisfies(index, query))
        };
        (0..self.catalog.resources.len()).filter(|index| fits(self, *index)).collect()
    }

    fn satisfies(&self, index: usize, query: &Query) -> bool {
        let Some(resource) = self.catalog.get(index) else { return false };
        match query {
            Query::And(a, b) => self.satisfies(index, a) && self.satisfies(index, b),
            Query::Or(a, b) => self.satisfies(index, a) || self.satisfies(index, b),
            Query::Tagged(tags) => {
                let container = self.catalog.get(resource.scope.resource);
                tags.iter().any(|tag| resource.tags.contains(tag) || container.is_some_and(|c| c.tags.contains(tag)))
            }
            Query::Equal(name, value) => match resource.query(name) {
                list @ ManifestValue::Array(_) => compare::includes(&list, value, None),
                actual => compare::equals(&actual, value),
            },
            Query::NotEqual(name, value) => !compare::equals(&resource.query(name), value),
        }
    }
}

fn comparison(name: EcoString, value: ManifestValue, is_negated: bool) -> Result<Query, EvaluationFailure> {
    if is_negated {
        return Ok(Query::NotEqual(name, value));
    }
    if name != "tag" {
        return Ok(Query::Equal(name, value));
    }
    let tags = match &value {
        ManifestValue::Array(tags) => tags.to_vec(),
        other => vec![other.clone()],
    };
    if tags.iter().any(|tag| matches!(tag, ManifestValue::Integer(_) | ManifestValue::Float(_))) {
        return Err(EvaluationFailure::new("Cannot transform a number to a tag"));
    }
    Ok(Query::Tagged(tags.iter().map(|tag| display(tag).to_lowercase().into()).collect()))
}
