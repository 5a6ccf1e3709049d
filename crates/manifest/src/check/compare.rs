//! Comparisons and options whose result does not depend on the machine.

use super::facts::fact_keys;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Binary, CaseExpression, Expression, ExpressionKind};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::types::facts::{FactType, LEGACY_FACTS, fact_type};

/// What a fact or a literal is for the operators of comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    String,
    Number,
    Boolean,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Boolean => "a boolean",
        }
    }
}

/// Reports a comparison of a fact with a literal of another type: an error of `<` and `>`, and never true for `==`.
pub(super) fn comparison(expression: &Expression, binary: &Binary) -> Option<Diagnostic> {
    let (left, right) = (kind_of(&binary.left)?, kind_of(&binary.right)?);
    if left == right || fact_of(&binary.left).is_none() && fact_of(&binary.right).is_none() {
        return None;
    }
    let fact = fact_of(&binary.left).or_else(|| fact_of(&binary.right))?;
    let (of_fact, other) = if fact_of(&binary.left).is_some() { (left, right) } else { (right, left) };
    let message = match binary.operator {
        TokenKind::Less | TokenKind::LessEqual | TokenKind::Greater | TokenKind::GreaterEqual => {
            format!("the fact `{fact}` is {}, which cannot be compared with {}", of_fact.name(), other.name())
        }
        TokenKind::Equal => format!("never true: the fact `{fact}` is {}, and not {}", of_fact.name(), other.name()),
        TokenKind::NotEqual => format!("always true: the fact `{fact}` is {}, and not {}", of_fact.name(), other.name()),
        _ => return None,
    };
    let help = match (of_fact, other) {
        (Kind::String, Kind::Number) if is_order(binary.operator) => "compare versions with `versioncmp`, or convert with `Integer(…)`",
        (Kind::String, Kind::Number) => "write the number as a string",
        (Kind::Boolean, _) => "compare with `true` or `false` without quotes",
        _ => "compare values of the same type",
    };
    Some(Diagnostic::new(Code::ImpossibleComparison, expression.span, message).help(help))
}

fn is_order(operator: TokenKind) -> bool {
    !matches!(operator, TokenKind::Equal | TokenKind::NotEqual)
}

fn kind_of(expression: &Expression) -> Option<Kind> {
    match &expression.kind {
        ExpressionKind::Paren(inner) => kind_of(inner),
        ExpressionKind::Text(_) => Some(Kind::String),
        ExpressionKind::Integer { .. } | ExpressionKind::Float(_) => Some(Kind::Number),
        ExpressionKind::Boolean(_) => Some(Kind::Boolean),
        _ => fact_type(&fact_of(expression)?).map(|of| match of {
            FactType::String => Kind::String,
            FactType::Boolean => Kind::Boolean,
        }),
    }
}

/// Returns the structured name of the fact that an expression reads.
fn fact_of(expression: &Expression) -> Option<String> {
    let path = match &expression.kind {
        ExpressionKind::Paren(inner) => return fact_of(inner),
        ExpressionKind::Variable(name) => name.strip_prefix("::")?.to_owned(),
        _ => fact_keys(expression)?.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join("."),
    };
    Some(LEGACY_FACTS.iter().find(|(old, _)| *old == path).map_or(path, |(_, new)| (*new).to_owned()))
}

/// Reports values of a `case` that an earlier option has.
pub(super) fn repeated_options(case: &CaseExpression) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen: Vec<&Expression> = Vec::new();
    for value in case.options.iter().flat_map(|option| &option.values) {
        if let Some(first) = seen.iter().find(|first| is_same(first, value)) {
            let unreachable = Diagnostic::new(Code::UnreachableOption, value.span, "an earlier option has the same value");
            found.push(unreachable.also(first.span, "this option is chosen").help("remove the value"));
        } else {
            seen.push(value);
        }
    }
    found
}

/// Returns `true` for constants that `case` does not distinguish; it ignores the case of letters.
fn is_same(one: &Expression, other: &Expression) -> bool {
    match (&one.kind, &other.kind) {
        (ExpressionKind::Text(a) | ExpressionKind::Name(a), ExpressionKind::Text(b) | ExpressionKind::Name(b)) => {
            a.to_lowercase() == b.to_lowercase()
        }
        (ExpressionKind::Pattern(a), ExpressionKind::Pattern(b)) => a == b,
        (ExpressionKind::Integer { value: a, .. }, ExpressionKind::Integer { value: b, .. }) => a == b,
        (ExpressionKind::Boolean(a), ExpressionKind::Boolean(b)) => a == b,
        (ExpressionKind::Default, ExpressionKind::Default) => true,
        _ => false,
    }
}
