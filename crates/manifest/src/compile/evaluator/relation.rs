//! Relations: `A -> B`.

use super::{ManifestEvaluator, access::flatten};
use crate::compile::catalog::{CatalogRelation, Operand};
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::VariableScope;
use crate::compile::text::label::{label, with_article};
use crate::compile::types::Type;
use crate::compile::value::{ManifestValue, Sequence};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::Binary;
use rtype_lang::source::Span;
use std::sync::Arc;

/// Returns the value of a collector expression, which relations recognize.
pub fn collector_value(number: usize, type_name: &str) -> Arc<Sequence> {
    let index = ManifestValue::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    Arc::new(Sequence {
        elements: vec![index],
        element_type: Type::CatalogEntry,
        text: format!("Catalog-Collector[{}]", crate::compile::types::display::capitalized(type_name)).into(),
    })
}

/// Returns the number of a collector.
fn collector_number(value: &ManifestValue) -> Option<usize> {
    match value {
        ManifestValue::Iterator(sequence) if matches!(sequence.element_type, Type::CatalogEntry) => match sequence.elements.as_slice() {
            [ManifestValue::Integer(number)] => usize::try_from(*number).ok(),
            _ => None,
        },
        _ => None,
    }
}

impl ManifestEvaluator {
    pub(crate) fn relation(&mut self, binary: &Binary, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        let left = self.eval(&binary.left, scope)?;
        let right = self.eval(&binary.right, scope)?;
        let left = self.operands(&left, binary.operator_span)?;
        let right = self.operands(&right, binary.operator_span)?;
        let is_reversed = matches!(binary.operator, TokenKind::Require | TokenKind::Subscribe);
        let notifies = matches!(binary.operator, TokenKind::Notify | TokenKind::Subscribe);
        let (sources, targets) = if is_reversed { (&right, &left) } else { (&left, &right) };
        for (_, source) in sources {
            for (_, target) in targets {
                self.spend(1)?;
                self.catalog.relations.push(CatalogRelation { source: source.clone(), target: target.clone(), notifies });
            }
        }
        if let [(_, Operand::Collector(number))] = right.as_slice()
            && let Some(collector) = self.collectors.get_mut(*number)
        {
            collector.alternative = left.iter().map(|(_, operand)| operand.clone()).collect();
        }
        let result = if right.is_empty() { left } else { right };
        Ok(ManifestValue::array(result.into_iter().map(|(value, _)| value).collect()))
    }

    fn operands(&mut self, value: &ManifestValue, at: Span) -> Result<Vec<(ManifestValue, Operand)>, EvaluationFailure> {
        let mut found: Vec<(ManifestValue, Operand)> = Vec::new();
        for value in flatten(std::slice::from_ref(value)) {
            let value = match &value {
                ManifestValue::String(text) => match self.parse_reference(text)? {
                    Some(of) => ManifestValue::of_type(of),
                    None => return Err(EvaluationFailure::unsupported("the error of a string that is not a reference")),
                },
                _ => value,
            };
            let operand = match &value {
                ManifestValue::Type(of) => match &**of {
                    Type::Resource(Some(name), Some(title)) if name == "class" => Operand::Resource(name.clone(), title.to_lowercase()),
                    Type::Resource(Some(name), Some(title)) => Operand::Resource(name.clone(), title.clone()),
                    Type::Class(Some(name)) => Operand::Resource("class".into(), name.clone()),
                    Type::Resource(..) | Type::Class(None) | Type::CatalogEntry => {
                        return Err(EvaluationFailure::unsupported("relations with all resources of a type"));
                    }
                    _ => return Err(EvaluationFailure::unsupported(format!("relations with the type {of}"))),
                },
                other => match collector_number(other) {
                    Some(number) => Operand::Collector(number),
                    None => {
                        let text = format!(
                            "Illegal relationship operand, can not form a relationship with {}. A Catalog type is required.",
                            with_article(&label(other))
                        );
                        return Err(EvaluationFailure::at(at, text));
                    }
                },
            };
            if !found.iter().any(|(known, _)| *known == value) {
                found.push((value, operand));
            }
        }
        Ok(found)
    }

    /// Parses a reference such as `File[/x]` in a string; titles may be without quotes.
    pub(crate) fn parse_reference(&mut self, text: &str) -> Result<Option<Type>, EvaluationFailure> {
        let Some((name, rest)) = text.split_once('[') else { return Ok(None) };
        let Some(title) = rest.strip_suffix(']') else { return Ok(None) };
        let title = title.trim_matches(['\'', '"']);
        let name = name.trim().to_lowercase();
        if name == "class" {
            return Ok(Some(Type::Class(Some(super::load::plain_name(title)))));
        }
        Ok(self.is_resource_type(&name)?.then(|| Type::Resource(Some(name.into()), Some(title.into()))))
    }
}
