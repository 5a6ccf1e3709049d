//! Types from text.

use super::Type;
use crate::compile::failure::EvaluationFailure;
use crate::compile::value::{ManifestValue, ValuePattern};
use crate::syntax::tree::{Expression, ExpressionKind, HashEntry, UnaryOperator};
use crate::syntax::{Form, parse};
use rtype_lang::source::SourceMap;

impl Type {
    /// Parses a type such as `Optional[Array[String, 1]]`. Names of aliases are not known here.
    ///
    /// # Errors
    /// Returns an error if the text is not a type.
    pub fn parse(text: &str) -> Result<Type, EvaluationFailure> {
        let unparsable = || EvaluationFailure::new(format!("The expression <{text}> is not a valid type specification."));
        let source = SourceMap::new().add("type", format!("$t = {text}")).map_err(|_| unparsable())?;
        let parsed = parse(&source, Form::Manifest);
        let Some(ExpressionKind::Binary(assignment)) = parsed.tree.statements.first().map(|e| &e.kind) else { return Err(unparsable()) };
        if parsed.diagnostics.iter().any(rtype_lang::diagnostics::Diagnostic::is_error) {
            return Err(unparsable());
        }
        match literal(&assignment.right)? {
            ManifestValue::Type(of) => Ok((*of).clone()),
            _ => Err(unparsable()),
        }
    }
}

/// Evaluates literals and type expressions.
fn literal(expression: &Expression) -> Result<ManifestValue, EvaluationFailure> {
    Ok(match &expression.kind {
        ExpressionKind::Undef => ManifestValue::Undef,
        ExpressionKind::Default => ManifestValue::Default,
        ExpressionKind::Boolean(value) => ManifestValue::Boolean(*value),
        ExpressionKind::Integer { value, .. } => ManifestValue::Integer(*value),
        ExpressionKind::Float(value) => ManifestValue::Float(*value),
        ExpressionKind::Text(text) | ExpressionKind::Name(text) => ManifestValue::String(text.clone()),
        ExpressionKind::Pattern(source) => ManifestValue::Regexp(ValuePattern::new(source)?),
        ExpressionKind::TypeName(name) => {
            ManifestValue::of_type(Type::named(name).unwrap_or_else(|| Type::Resource(Some(name.to_lowercase()), None)))
        }
        ExpressionKind::Paren(inner) => literal(inner)?,
        ExpressionKind::Array(elements) => ManifestValue::array(elements.iter().map(literal).collect::<Result<_, _>>()?),
        ExpressionKind::Hash(entries) => {
            let entry = |entry: &HashEntry| Ok((literal(&entry.key)?, literal(&entry.value)?));
            ManifestValue::hash(entries.iter().map(entry).collect::<Result<Vec<_>, EvaluationFailure>>()?)
        }
        ExpressionKind::Unary(UnaryOperator::Minus, inner) => match literal(inner)? {
            ManifestValue::Integer(value) => ManifestValue::Integer(value.wrapping_neg()),
            ManifestValue::Float(value) => ManifestValue::Float(-value),
            _ => return Err(EvaluationFailure::unsupported("an expression inside the text of a type")),
        },
        ExpressionKind::Access(access) => {
            let ManifestValue::Type(of) = literal(&access.target)? else {
                return Err(EvaluationFailure::unsupported("an expression inside the text of a type"));
            };
            let keys: Vec<ManifestValue> = access.keys.iter().map(literal).collect::<Result<_, _>>()?;
            of.specialize(&keys).map_err(|mistake| EvaluationFailure::new(mistake.text))?
        }
        _ => return Err(EvaluationFailure::unsupported("an expression inside the text of a type")),
    })
}
