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
        let mut named = |name: &str| Some(Type::named(name).unwrap_or_else(|| Type::Resource(Some(name.to_lowercase().into()), None)));
        Type::of_expression(&assignment.right, &mut named).and_then(|of| of.ok_or_else(unparsable))
    }

    /// Returns the type that an expression of literals and names is; `None` if its value is not a type. `named` returns the type of a name.
    ///
    /// # Errors
    /// Returns an error for names without a type, for wrong arguments of types, and for other expressions than literals.
    pub fn of_expression(expression: &Expression, named: &mut NamedTypes<'_>) -> Result<Option<Type>, EvaluationFailure> {
        match literal(expression, named)? {
            ManifestValue::Type(of) => Ok(Some((*of).clone())),
            _ => Ok(None),
        }
    }
}

/// Returns the type of a name.
pub type NamedTypes<'n> = dyn FnMut(&str) -> Option<Type> + 'n;

/// Returns the value of a literal without parts; `None` for other expressions.
pub fn simple_literal(expression: &Expression) -> Option<ManifestValue> {
    Some(match &expression.kind {
        ExpressionKind::Undef => ManifestValue::Undef,
        ExpressionKind::Default => ManifestValue::Default,
        ExpressionKind::Boolean(value) => ManifestValue::Boolean(*value),
        ExpressionKind::Integer { value, .. } => ManifestValue::Integer(*value),
        ExpressionKind::Float(value) => ManifestValue::Float(*value),
        ExpressionKind::Text(text) | ExpressionKind::Name(text) => ManifestValue::String(text.clone()),
        _ => return None,
    })
}

/// Evaluates literals and type expressions.
fn literal(expression: &Expression, named: &mut NamedTypes<'_>) -> Result<ManifestValue, EvaluationFailure> {
    let unsupported = || EvaluationFailure::unsupported("an expression inside the text of a type");
    if let Some(value) = simple_literal(expression) {
        return Ok(value);
    }
    Ok(match &expression.kind {
        ExpressionKind::Pattern(source) => ManifestValue::Regexp(ValuePattern::new(source)?),
        ExpressionKind::TypeName(name) => {
            ManifestValue::of_type(named(name).ok_or_else(|| EvaluationFailure::unsupported("a type that is not known"))?)
        }
        ExpressionKind::Paren(inner) => literal(inner, named)?,
        ExpressionKind::Array(elements) => {
            ManifestValue::array(elements.iter().map(|element| literal(element, named)).collect::<Result<_, _>>()?)
        }
        ExpressionKind::Hash(entries) => {
            let entry = |entry: &HashEntry| Ok((literal(&entry.key, named)?, literal(&entry.value, named)?));
            ManifestValue::hash(entries.iter().map(entry).collect::<Result<Vec<_>, EvaluationFailure>>()?)
        }
        ExpressionKind::Unary(UnaryOperator::Minus, inner) => match literal(inner, named)? {
            ManifestValue::Integer(value) => ManifestValue::Integer(value.wrapping_neg()),
            ManifestValue::Float(value) => ManifestValue::Float(-value),
            _ => return Err(unsupported()),
        },
        ExpressionKind::Access(access) => {
            let ManifestValue::Type(of) = literal(&access.target, named)? else { return Err(unsupported()) };
            let keys: Vec<ManifestValue> = access.keys.iter().map(|key| literal(key, named)).collect::<Result<_, _>>()?;
            of.specialize(&keys).map_err(|mistake| EvaluationFailure::new(mistake.text))?
        }
        _ => return Err(unsupported()),
    })
}
