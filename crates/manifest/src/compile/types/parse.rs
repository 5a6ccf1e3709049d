//! Types from text.

use super::Type;
use crate::compile::failure::Failure;
use crate::compile::value::{Pattern, Value};
use crate::syntax::tree::{Expression, ExpressionKind, HashEntry, UnaryOperator};
use crate::syntax::{Form, parse};
use rtype_lang::source::SourceMap;

impl Type {
    /// Parses a type such as `Optional[Array[String, 1]]`. Names of aliases are not known here.
    ///
    /// # Errors
    /// Returns an error if the text is not a type.
    pub fn parse(text: &str) -> Result<Type, Failure> {
        let unparsable = || Failure::new(format!("The expression <{text}> is not a valid type specification."));
        let source = SourceMap::new().add("type", format!("$t = {text}")).map_err(|_| unparsable())?;
        let parsed = parse(&source, Form::Manifest);
        let Some(ExpressionKind::Binary(assignment)) = parsed.tree.statements.first().map(|e| &e.kind) else { return Err(unparsable()) };
        if parsed.diagnostics.iter().any(rtype_lang::diagnostics::Diagnostic::is_error) {
            return Err(unparsable());
        }
        match literal(&assignment.right)? {
            Value::Type(of) => Ok((*of).clone()),
            _ => Err(unparsable()),
        }
    }
}

/// Returns the value of an expression that consists of literals and types.
fn literal(expression: &Expression) -> Result<Value, Failure> {
    Ok(match &expression.kind {
        ExpressionKind::Undef => Value::Undef,
        ExpressionKind::Default => Value::Default,
        ExpressionKind::Boolean(value) => Value::Boolean(*value),
        ExpressionKind::Integer { value, .. } => Value::Integer(*value),
        ExpressionKind::Float(value) => Value::Float(*value),
        ExpressionKind::Text(text) | ExpressionKind::Name(text) => Value::String(text.clone()),
        ExpressionKind::Pattern(source) => Value::Regexp(Pattern::new(source)?),
        ExpressionKind::TypeName(name) => {
            Value::of_type(Type::named(name).unwrap_or_else(|| Type::Resource(Some(name.to_lowercase()), None)))
        }
        ExpressionKind::Paren(inner) => literal(inner)?,
        ExpressionKind::Array(elements) => Value::array(elements.iter().map(literal).collect::<Result<_, _>>()?),
        ExpressionKind::Hash(entries) => {
            let entry = |entry: &HashEntry| Ok((literal(&entry.key)?, literal(&entry.value)?));
            Value::hash(entries.iter().map(entry).collect::<Result<Vec<_>, Failure>>()?)
        }
        ExpressionKind::Unary(UnaryOperator::Minus, inner) => match literal(inner)? {
            Value::Integer(value) => Value::Integer(value.wrapping_neg()),
            Value::Float(value) => Value::Float(-value),
            _ => return Err(Failure::unsupported("an expression inside the text of a type")),
        },
        ExpressionKind::Access(access) => {
            let Value::Type(of) = literal(&access.target)? else {
                return Err(Failure::unsupported("an expression inside the text of a type"));
            };
            let keys: Vec<Value> = access.keys.iter().map(literal).collect::<Result<_, _>>()?;
            of.specialize(&keys).map_err(|mistake| Failure::new(mistake.text))?
        }
        _ => return Err(Failure::unsupported("an expression inside the text of a type")),
    })
}
