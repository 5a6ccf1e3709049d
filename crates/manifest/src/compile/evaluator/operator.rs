//! Operators.

use super::labels::{self, operator_text};
use super::{ManifestEvaluator, compare};
use crate::compile::environment::Strictness;
use crate::compile::failure::EvaluationFailure;
use crate::compile::scope::VariableScope;
use crate::compile::text::inspect::ruby_text;
use crate::compile::text::label::{label, with_article};
use crate::compile::text::number::numeric;
use crate::compile::types::{Type, infer};
use crate::compile::value::{ManifestValue, ValueMap, ValuePattern};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Binary, Expression, UnaryOperator};
use rtype_lang::source::Span;
use std::cmp::Ordering;
use std::sync::Arc;

impl ManifestEvaluator {
    pub(crate) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expression,
        at: Span,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        let value = self.eval(operand, scope)?;
        match operator {
            UnaryOperator::Not => Ok(ManifestValue::Boolean(!value.is_true())),
            UnaryOperator::Minus => match self.coerce(value, at)? {
                ManifestValue::Integer(number) => match number.checked_neg() {
                    Some(number) => Ok(ManifestValue::Integer(number)),
                    None => Err(EvaluationFailure::unsupported("the negative of the smallest integer")),
                },
                ManifestValue::Float(number) => Ok(ManifestValue::Float(-number)),
                ManifestValue::Timespan(nanos) => Ok(ManifestValue::Timespan(-nanos)),
                _ => Err(EvaluationFailure::unsupported("the negative of this value")),
            },
            UnaryOperator::Splat => Ok(match value {
                ManifestValue::Undef => ManifestValue::array(Vec::new()),
                ManifestValue::Hash(map) => ManifestValue::array(pairs(&map)),
                ManifestValue::Iterator(sequence) => ManifestValue::array(sequence.elements.clone()),
                ManifestValue::Array(_) => value,
                other => ManifestValue::array(vec![other]),
            }),
        }
    }

    pub(crate) fn binary(&mut self, binary: &Binary, scope: &Arc<VariableScope>) -> Result<ManifestValue, EvaluationFailure> {
        match binary.operator {
            TokenKind::And => {
                let left = self.eval(&binary.left, scope)?.is_true();
                Ok(ManifestValue::Boolean(left && self.eval(&binary.right, scope)?.is_true()))
            }
            TokenKind::Or => {
                let left = self.eval(&binary.left, scope)?.is_true();
                Ok(ManifestValue::Boolean(left || self.eval(&binary.right, scope)?.is_true()))
            }
            TokenKind::Assign => self.assignment(binary, scope),
            TokenKind::Before | TokenKind::Notify | TokenKind::Require | TokenKind::Subscribe => self.relation(binary, scope),
            _ => {
                let left = self.eval(&binary.left, scope)?;
                let right = self.eval(&binary.right, scope)?;
                self.operation(binary, left, right, scope)
            }
        }
    }

    fn operation(
        &mut self,
        binary: &Binary,
        left: ManifestValue,
        right: ManifestValue,
        scope: &Arc<VariableScope>,
    ) -> Result<ManifestValue, EvaluationFailure> {
        match binary.operator {
            TokenKind::Equal => Ok(ManifestValue::Boolean(compare::equals(&left, &right))),
            TokenKind::NotEqual => Ok(ManifestValue::Boolean(!compare::equals(&left, &right))),
            TokenKind::Less | TokenKind::LessEqual | TokenKind::Greater | TokenKind::GreaterEqual => compared(binary, &left, &right),
            TokenKind::In if self.lacks_facts(&right) && !compare::includes(&right, &left, None) => {
                let name = left.as_str().map(str::to_lowercase).unwrap_or_default();
                self.refuse_unread_fact(&name).map(|()| ManifestValue::Boolean(false))
            }
            TokenKind::In => Ok(ManifestValue::Boolean(compare::includes(&right, &left, Some(scope)))),
            TokenKind::Matches | TokenKind::NotMatches => {
                let matched = matched(binary, &left, &right, scope)?;
                Ok(ManifestValue::Boolean(matched == (binary.operator == TokenKind::Matches)))
            }
            TokenKind::Append | TokenKind::Delete => Err(EvaluationFailure::at(
                binary.operator_span,
                format!(
                    "The operator '{}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
                    operator_text(binary.operator)
                ),
            )),
            _ => self.arithmetic(binary, left, right),
        }
    }

    /// Returns a number; strings with a number are converted with a warning.
    fn coerce(&mut self, value: ManifestValue, at: Span) -> Result<ManifestValue, EvaluationFailure> {
        match &value {
            ManifestValue::Integer(_)
            | ManifestValue::Float(_)
            | ManifestValue::Timespan(_)
            | ManifestValue::Timestamp(_)
            | ManifestValue::SemVer(_) => Ok(value),
            ManifestValue::String(text) => match numeric(text) {
                Some(number) => {
                    let after = crate::compile::text::display(&number);
                    let text = format!("The string '{text}' was automatically coerced to the numerical value {after}");
                    if self.environment.strict != Strictness::Off {
                        self.optionally_fail(at, text)?;
                    }
                    Ok(number)
                }
                None => Err(not_numeric(&value, at)),
            },
            _ => Err(not_numeric(&value, at)),
        }
    }

    fn arithmetic(&mut self, binary: &Binary, left: ManifestValue, right: ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
        let (left_at, right_at) = (labels::anchor(&binary.left), labels::anchor(&binary.right));
        match (&left, binary.operator) {
            (ManifestValue::Uri(_) | ManifestValue::Binary(_), TokenKind::Plus)
            | (ManifestValue::Array(_) | ManifestValue::Hash(_), TokenKind::Plus) => {
                let sum = concatenate(&left, &right)?;
                self.budget.allocate(size_of(&sum))?;
                return Ok(sum);
            }
            (ManifestValue::Array(_) | ManifestValue::Hash(_), TokenKind::Minus) => return Ok(without(&left, &right)),
            (ManifestValue::Array(elements), TokenKind::ShiftLeft) => {
                self.budget.allocate(elements.len() * 16)?;
                return Ok(ManifestValue::array(elements.iter().cloned().chain([right]).collect()));
            }
            (ManifestValue::Hash(_), TokenKind::ShiftLeft) => return Err(not_applicable("<<", &left, left_at)),
            _ => {}
        }
        let left = self.coerce(left, left_at)?;
        let right = self.coerce(right, right_at)?;
        let operator = operator_text(binary.operator);
        match (&left, &right) {
            (ManifestValue::Integer(a), ManifestValue::Integer(b)) => integers(binary, *a, *b, right_at),
            (ManifestValue::Integer(_) | ManifestValue::Float(_), ManifestValue::Integer(_) | ManifestValue::Float(_)) => {
                floats(binary, &left, &right, left_at)
            }
            _ => times(operator, &left, &right, left_at),
        }
    }
}

fn size_of(value: &ManifestValue) -> usize {
    match value {
        ManifestValue::Array(elements) => elements.len() * 16,
        ManifestValue::Hash(map) => map.len() * 32,
        ManifestValue::Binary(bytes) => bytes.len(),
        ManifestValue::Uri(text) => text.len(),
        _ => 0,
    }
}

/// Returns the pairs of a hash as arrays.
pub fn pairs(map: &ValueMap) -> Vec<ManifestValue> {
    map.iter().map(|(key, value)| ManifestValue::array(vec![key.clone(), value.clone()])).collect()
}

fn not_numeric(value: &ManifestValue, at: Span) -> EvaluationFailure {
    let text = match value {
        ManifestValue::Regexp(pattern) => format!("(?-mix:{})", pattern.source),
        other => ruby_text(other),
    };
    EvaluationFailure::at(at, format!("The value '{text}' cannot be converted to Numeric."))
}

fn not_applicable(operator: &str, left: &ManifestValue, at: Span) -> EvaluationFailure {
    EvaluationFailure::at(at, format!("Operator '{operator}' is not applicable to {}.", with_article(&label(left))))
}

fn not_applicable_when(operator: &str, left: &ManifestValue, right: &ManifestValue, at: Span) -> EvaluationFailure {
    let text = format!(
        "Operator '{operator}' is not applicable to {} when right side is {}.",
        with_article(&label(left)),
        with_article(&label(right))
    );
    EvaluationFailure::at(at, text)
}

fn compared(binary: &Binary, left: &ManifestValue, right: &ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
    if let ManifestValue::Type(a) = left {
        let accepts = |outer: &ManifestValue, inner: &ManifestValue| match (outer, inner) {
            (ManifestValue::Type(outer), ManifestValue::Type(inner)) => outer.accepts(inner),
            _ => false,
        };
        let is_equal = matches!(right, ManifestValue::Type(b) if compare::types_equal(a, b));
        return Ok(ManifestValue::Boolean(match binary.operator {
            TokenKind::Less => accepts(right, left) && !is_equal,
            TokenKind::LessEqual => accepts(right, left),
            TokenKind::Greater => accepts(left, right) && !is_equal,
            _ => accepts(left, right),
        }));
    }
    let failed = |detail: &str| {
        let text = format!(
            "Comparison of: {} {} {}, is not possible. Caused by '{detail}'.",
            label(left),
            operator_text(binary.operator),
            label(right)
        );
        EvaluationFailure::at(binary.operator_span, text)
    };
    let ordering = compare::order(left, right).map_err(failed)?;
    let Some(ordering) = ordering else {
        return Err(EvaluationFailure::unsupported("comparisons with a number that is not a number"));
    };
    Ok(ManifestValue::Boolean(match binary.operator {
        TokenKind::Less => ordering == Ordering::Less,
        TokenKind::LessEqual => ordering != Ordering::Greater,
        TokenKind::Greater => ordering == Ordering::Greater,
        _ => ordering != Ordering::Less,
    }))
}

fn matched(binary: &Binary, left: &ManifestValue, right: &ManifestValue, scope: &Arc<VariableScope>) -> Result<bool, EvaluationFailure> {
    let pattern = match right {
        ManifestValue::Type(of) => return Ok(of.is_instance(left)),
        ManifestValue::SemVerRange(range) => return Ok(compare::in_range(range, left)),
        ManifestValue::Regexp(pattern) => pattern.clone(),
        ManifestValue::String(text) => match ValuePattern::new(text) {
            Ok(pattern) => pattern,
            Err(_) => return Err(EvaluationFailure::unsupported("the error of an invalid regex in a string")),
        },
        other => {
            let class = crate::compile::text::label::ruby_class(other);
            let class = match other {
                ManifestValue::Undef => "nil",
                ManifestValue::Boolean(true) => "true",
                ManifestValue::Boolean(false) => "false",
                _ => class,
            };
            let text = format!(
                "Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of {class} into String'."
            );
            return Err(EvaluationFailure::at(labels::anchor(&binary.right), text));
        }
    };
    match left {
        ManifestValue::String(text) => Ok(compare::search(&pattern, text, Some(scope))),
        other => Err(EvaluationFailure::at(
            labels::anchor(&binary.left),
            format!("Left match operand must result in a String value. Got {}.", with_article(&label(other))),
        )),
    }
}

fn integers(binary: &Binary, a: i64, b: i64, right_at: Span) -> Result<ManifestValue, EvaluationFailure> {
    let (x, y) = (i128::from(a), i128::from(b));
    let result = match binary.operator {
        TokenKind::Plus => x + y,
        TokenKind::Minus => x - y,
        TokenKind::Times => x * y,
        TokenKind::Divide | TokenKind::Modulo if y == 0 => return Err(EvaluationFailure::at(right_at, "Division by 0")),
        TokenKind::Divide => floor_division(x, y),
        TokenKind::Modulo => x - floor_division(x, y) * y,
        TokenKind::ShiftLeft => shift(x, b),
        TokenKind::ShiftRight => shift(x, b.saturating_neg()),
        _ => return Err(EvaluationFailure::unsupported("this operator")),
    };
    match i64::try_from(result) {
        Ok(result) => Ok(ManifestValue::Integer(result)),
        Err(_) if result.unsigned_abs() >= 1 << 126 => Err(EvaluationFailure::unsupported("the digits of an integer beyond 128 bits")),
        Err(_) => {
            let (side, sign) = if result > 0 { ("max", "+") } else { ("min", "-") };
            let text = format!(
                "{} resulted in a value outside of Puppet Integer {side} range, got '{sign}{:#x}'",
                crate::compile::text::label::with_capital_article(&format!("'{}' expression", operator_text(binary.operator))),
                result.unsigned_abs()
            );
            Err(EvaluationFailure::at(binary.operator_span, text))
        }
    }
}

fn floor_division(a: i128, b: i128) -> i128 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// Shifts to the left, or to the right by a negative number. Results beyond 126 bits are the largest number.
fn shift(number: i128, by: i64) -> i128 {
    if by < 0 {
        return number >> by.unsigned_abs().min(127);
    }
    if number == 0 {
        return 0;
    }
    let fits = by < 126 && number.unsigned_abs() < (1_u128 << (126 - by));
    if fits { number << by } else { i128::MAX * number.signum() }
}

fn floats(binary: &Binary, left: &ManifestValue, right: &ManifestValue, left_at: Span) -> Result<ManifestValue, EvaluationFailure> {
    let operator = operator_text(binary.operator);
    let number = |value: &ManifestValue| match value {
        ManifestValue::Integer(number) => *number as f64,
        ManifestValue::Float(number) => *number,
        _ => f64::NAN,
    };
    let (a, b) = (number(left), number(right));
    let result = match binary.operator {
        TokenKind::Plus => a + b,
        TokenKind::Minus => a - b,
        TokenKind::Times => a * b,
        TokenKind::Divide => a / b,
        TokenKind::Modulo if matches!(left, ManifestValue::Float(_)) => return Err(not_applicable(operator, left, left_at)),
        TokenKind::Modulo => return Err(not_applicable_when(operator, left, right, left_at)),
        _ if matches!(left, ManifestValue::Float(_)) => return Err(not_applicable(operator, left, left_at)),
        _ => return Err(EvaluationFailure::unsupported("a shift by a float")),
    };
    if result.is_infinite() {
        return Err(EvaluationFailure::at(left_at, format!("The result of the {operator} expression is Infinity")));
    }
    Ok(ManifestValue::Float(result))
}

/// Arithmetic of times and durations.
fn times(operator: &str, left: &ManifestValue, right: &ManifestValue, left_at: Span) -> Result<ManifestValue, EvaluationFailure> {
    let nanos = |value: &ManifestValue| match value {
        ManifestValue::Integer(seconds) => Some(i128::from(*seconds) * 1_000_000_000),
        ManifestValue::Float(seconds) => Some((seconds * 1e9) as i128),
        _ => None,
    };
    let not_possible = || not_applicable_when(operator, left, right, left_at);
    match (left, operator, right) {
        (ManifestValue::Integer(_) | ManifestValue::Float(_), "+" | "*", ManifestValue::Timespan(_))
        | (ManifestValue::Integer(_) | ManifestValue::Float(_), "+", ManifestValue::Timestamp(_)) => times(operator, right, left, left_at),
        (ManifestValue::Integer(_) | ManifestValue::Float(_), "-", ManifestValue::Timespan(span)) => {
            Ok(ManifestValue::Timespan(nanos(left).unwrap_or(0) - span))
        }
        (ManifestValue::Integer(_) | ManifestValue::Float(_), _, ManifestValue::SemVer(_)) => {
            Err(EvaluationFailure::unsupported("arithmetic of a number and a version"))
        }
        (ManifestValue::Integer(_) | ManifestValue::Float(_), _, _) => Err(not_possible()),
        (ManifestValue::Timespan(a), "+", ManifestValue::Timespan(b)) => Ok(ManifestValue::Timespan(a + b)),
        (ManifestValue::Timespan(a), "-", ManifestValue::Timespan(b)) => Ok(ManifestValue::Timespan(a - b)),
        (ManifestValue::Timespan(a), "+", ManifestValue::Timestamp(b)) | (ManifestValue::Timestamp(b), "+", ManifestValue::Timespan(a)) => {
            Ok(ManifestValue::Timestamp(a + b))
        }
        (ManifestValue::Timestamp(a), "-", ManifestValue::Timespan(b)) => Ok(ManifestValue::Timestamp(a - b)),
        (ManifestValue::Timestamp(a), "-", ManifestValue::Timestamp(b)) => Ok(ManifestValue::Timespan(a - b)),
        (ManifestValue::Timespan(a), "/", ManifestValue::Timespan(b)) if *b != 0 => Ok(ManifestValue::Float(*a as f64 / *b as f64)),
        (ManifestValue::Timespan(a), "%", ManifestValue::Timespan(b)) if *b != 0 => Ok(ManifestValue::Timespan(a.rem_euclid(*b))),
        (ManifestValue::Timespan(a), "*", ManifestValue::Integer(b)) => Ok(ManifestValue::Timespan(a * i128::from(*b))),
        (ManifestValue::Timespan(a), "*", ManifestValue::Float(b)) => Ok(ManifestValue::Timespan((*a as f64 * b) as i128)),
        (ManifestValue::Timespan(a), "/", ManifestValue::Integer(b)) if *b != 0 => {
            Ok(ManifestValue::Timespan(a.div_euclid(i128::from(*b))))
        }
        (ManifestValue::Timespan(a), "/", ManifestValue::Float(b)) => Ok(ManifestValue::Timespan((*a as f64 / b) as i128)),
        (ManifestValue::Timespan(a), "+", _) => nanos(right).map(|b| ManifestValue::Timespan(a + b)).ok_or_else(not_possible),
        (ManifestValue::Timespan(a), "-", _) => nanos(right).map(|b| ManifestValue::Timespan(a - b)).ok_or_else(not_possible),
        (ManifestValue::Timestamp(a), "+", _) => nanos(right).map(|b| ManifestValue::Timestamp(a + b)).ok_or_else(not_possible),
        (ManifestValue::Timestamp(a), "-", _) => nanos(right).map(|b| ManifestValue::Timestamp(a - b)).ok_or_else(not_possible),
        (ManifestValue::SemVer(_), ..) => Err(not_applicable(operator, left, left_at)),
        (_, "<<" | ">>", _) | (ManifestValue::Timestamp(_), "*" | "/" | "%", _) => Err(not_applicable(operator, left, left_at)),
        _ => Err(EvaluationFailure::unsupported(format!("`{operator}` of these times"))),
    }
}

fn concatenate(left: &ManifestValue, right: &ManifestValue) -> Result<ManifestValue, EvaluationFailure> {
    match (left, right) {
        (ManifestValue::Array(a), ManifestValue::Array(b)) => Ok(ManifestValue::array(a.iter().chain(b.iter()).cloned().collect())),
        (ManifestValue::Array(a), ManifestValue::Hash(b)) => Ok(ManifestValue::array(a.iter().cloned().chain(pairs(b)).collect())),
        (ManifestValue::Array(a), other) => Ok(ManifestValue::array(a.iter().cloned().chain([other.clone()]).collect())),
        (ManifestValue::Hash(a), ManifestValue::Hash(b)) => {
            Ok(ManifestValue::hash(a.iter().chain(b.iter()).map(|(k, v)| (k.clone(), v.clone()))))
        }
        (ManifestValue::Hash(a), ManifestValue::Array(b)) => {
            let entries = from_list(b)?;
            Ok(ManifestValue::hash(a.iter().map(|(k, v)| (k.clone(), v.clone())).chain(entries)))
        }
        (ManifestValue::Hash(_), _) => Err(EvaluationFailure::new("Can only append Array or Hash to a Hash")),
        (ManifestValue::Binary(a), ManifestValue::Binary(b)) => {
            Ok(ManifestValue::Binary(Arc::new(a.iter().chain(b.iter()).copied().collect())))
        }
        (ManifestValue::Binary(_), _) => Err(EvaluationFailure::new("Can only append Binary to a Binary")),
        (ManifestValue::Uri(_), ManifestValue::Uri(_) | ManifestValue::String(_)) => Err(EvaluationFailure::unsupported("the sum of URIs")),
        (ManifestValue::Uri(_), _) => Err(EvaluationFailure::new("An URI can only be merged with an URI or String")),
        _ => Err(EvaluationFailure::unsupported("this sum")),
    }
}

/// Returns the entries of a list of pairs, or of alternating keys and values.
fn from_list(elements: &[ManifestValue]) -> Result<Vec<(ManifestValue, ManifestValue)>, EvaluationFailure> {
    let is_pairs =
        matches!(infer(&ManifestValue::array(elements.to_vec())), Type::Array(element, _) if matches!(*element, Type::Array(..)));
    if is_pairs {
        let pair = |element: &ManifestValue| match element.as_array() {
            Some([key, value]) => Ok((key.clone(), value.clone())),
            Some([key]) => Ok((key.clone(), ManifestValue::Undef)),
            other => {
                Err(EvaluationFailure::new(format!("invalid number of elements ({} for 1..2)", other.map_or(0, <[ManifestValue]>::len))))
            }
        };
        return elements.iter().map(pair).collect();
    }
    if !elements.len().is_multiple_of(2) {
        return Err(EvaluationFailure::new("odd number of arguments for Hash"));
    }
    let pair = |pair: &[ManifestValue]| Some((pair.first()?.clone(), pair.get(1)?.clone()));
    Ok(elements.chunks(2).filter_map(pair).collect())
}

fn without(left: &ManifestValue, right: &ManifestValue) -> ManifestValue {
    match left {
        ManifestValue::Array(elements) => {
            let removed = match right {
                ManifestValue::Array(removed) => removed.to_vec(),
                ManifestValue::Hash(map) => pairs(map),
                other => vec![other.clone()],
            };
            // Ruby's `delete` compares by `==`: 1 equals 1.0.
            let is_removed = |element: &ManifestValue| removed.iter().any(|r| ruby_equal(r, element));
            ManifestValue::array(elements.iter().filter(|element| !is_removed(element)).cloned().collect())
        }
        ManifestValue::Hash(map) => {
            let removed: Vec<ManifestValue> = match right {
                ManifestValue::Array(keys) => keys.to_vec(),
                ManifestValue::Hash(other) => other.keys().cloned().collect(),
                other => vec![other.clone()],
            };
            ManifestValue::hash(map.iter().filter(|(key, _)| !removed.contains(key)).map(|(k, v)| (k.clone(), v.clone())))
        }
        other => other.clone(),
    }
}

/// Returns `true` for values that Ruby's `==` counts as equal.
pub fn ruby_equal(a: &ManifestValue, b: &ManifestValue) -> bool {
    match (a, b) {
        (ManifestValue::Integer(a), ManifestValue::Float(b)) | (ManifestValue::Float(b), ManifestValue::Integer(a)) => *a as f64 == *b,
        (ManifestValue::Array(a), ManifestValue::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| ruby_equal(a, b)),
        (ManifestValue::Hash(a), ManifestValue::Hash(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| ruby_equal(value, other)))
        }
        _ => a == b,
    }
}
