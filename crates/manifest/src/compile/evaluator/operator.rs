//! Operators.

use super::labels::{self, operator_text};
use super::{Evaluator, compare};
use crate::compile::environment::Strictness;
use crate::compile::failure::Failure;
use crate::compile::scope::Scope;
use crate::compile::text::inspect::ruby_text;
use crate::compile::text::label::{label, with_article};
use crate::compile::text::number::numeric;
use crate::compile::types::{Type, infer};
use crate::compile::value::{Map, Pattern, Value};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Binary, Expression, UnaryOperator};
use rtype_lang::source::Span;
use std::cmp::Ordering;
use std::sync::Arc;

impl Evaluator {
    pub(crate) fn unary(&mut self, operator: UnaryOperator, operand: &Expression, at: Span, scope: &Arc<Scope>) -> Result<Value, Failure> {
        let value = self.eval(operand, scope)?;
        match operator {
            UnaryOperator::Not => Ok(Value::Boolean(!value.is_true())),
            UnaryOperator::Minus => match self.coerce(value, at)? {
                Value::Integer(number) => match number.checked_neg() {
                    Some(number) => Ok(Value::Integer(number)),
                    None => Err(Failure::unsupported("the negative of the smallest integer")),
                },
                Value::Float(number) => Ok(Value::Float(-number)),
                Value::Timespan(nanos) => Ok(Value::Timespan(-nanos)),
                _ => Err(Failure::unsupported("the negative of this value")),
            },
            UnaryOperator::Splat => Ok(match value {
                Value::Undef => Value::array(Vec::new()),
                Value::Hash(map) => Value::array(pairs(&map)),
                Value::Iterator(sequence) => Value::array(sequence.elements.clone()),
                Value::Array(_) => value,
                other => Value::array(vec![other]),
            }),
        }
    }

    pub(crate) fn binary(&mut self, binary: &Binary, scope: &Arc<Scope>) -> Result<Value, Failure> {
        match binary.operator {
            TokenKind::And => {
                let left = self.eval(&binary.left, scope)?.is_true();
                Ok(Value::Boolean(left && self.eval(&binary.right, scope)?.is_true()))
            }
            TokenKind::Or => {
                let left = self.eval(&binary.left, scope)?.is_true();
                Ok(Value::Boolean(left || self.eval(&binary.right, scope)?.is_true()))
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

    fn operation(&mut self, binary: &Binary, left: Value, right: Value, scope: &Arc<Scope>) -> Result<Value, Failure> {
        match binary.operator {
            TokenKind::Equal => Ok(Value::Boolean(compare::equals(&left, &right))),
            TokenKind::NotEqual => Ok(Value::Boolean(!compare::equals(&left, &right))),
            TokenKind::Less | TokenKind::LessEqual | TokenKind::Greater | TokenKind::GreaterEqual => compared(binary, &left, &right),
            TokenKind::In => Ok(Value::Boolean(compare::includes(&right, &left, Some(scope)))),
            TokenKind::Matches | TokenKind::NotMatches => {
                let matched = matched(binary, &left, &right, scope)?;
                Ok(Value::Boolean(matched == (binary.operator == TokenKind::Matches)))
            }
            TokenKind::Append | TokenKind::Delete => Err(Failure::at(
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
    fn coerce(&mut self, value: Value, at: Span) -> Result<Value, Failure> {
        match &value {
            Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) => Ok(value),
            Value::String(text) => match numeric(text) {
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

    fn arithmetic(&mut self, binary: &Binary, left: Value, right: Value) -> Result<Value, Failure> {
        let (left_at, right_at) = (labels::anchor(&binary.left), labels::anchor(&binary.right));
        match (&left, binary.operator) {
            (Value::Uri(_) | Value::Binary(_), TokenKind::Plus) | (Value::Array(_) | Value::Hash(_), TokenKind::Plus) => {
                let sum = concatenate(&left, &right)?;
                self.budget.allocate(size_of(&sum))?;
                return Ok(sum);
            }
            (Value::Array(_) | Value::Hash(_), TokenKind::Minus) => return Ok(without(&left, &right)),
            (Value::Array(elements), TokenKind::ShiftLeft) => {
                self.budget.allocate(elements.len() * 16)?;
                return Ok(Value::array(elements.iter().cloned().chain([right]).collect()));
            }
            (Value::Hash(_), TokenKind::ShiftLeft) => return Err(not_applicable("<<", &left, left_at)),
            _ => {}
        }
        let left = self.coerce(left, left_at)?;
        let right = self.coerce(right, right_at)?;
        let operator = operator_text(binary.operator);
        match (&left, &right) {
            (Value::Integer(a), Value::Integer(b)) => integers(binary, *a, *b, right_at),
            (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => floats(binary, &left, &right, left_at),
            _ => times(operator, &left, &right, left_at),
        }
    }
}

fn size_of(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.len() * 16,
        Value::Hash(map) => map.len() * 32,
        Value::Binary(bytes) => bytes.len(),
        Value::Uri(text) => text.len(),
        _ => 0,
    }
}

/// Returns the pairs of a hash as arrays.
pub fn pairs(map: &Map) -> Vec<Value> {
    map.iter().map(|(key, value)| Value::array(vec![key.clone(), value.clone()])).collect()
}

fn not_numeric(value: &Value, at: Span) -> Failure {
    Failure::at(at, format!("The value '{}' cannot be converted to Numeric.", ruby_text(value)))
}

fn not_applicable(operator: &str, left: &Value, at: Span) -> Failure {
    Failure::at(at, format!("Operator '{operator}' is not applicable to {}.", with_article(&label(left))))
}

fn not_applicable_when(operator: &str, left: &Value, right: &Value, at: Span) -> Failure {
    let text = format!(
        "Operator '{operator}' is not applicable to {} when right side is {}.",
        with_article(&label(left)),
        with_article(&label(right))
    );
    Failure::at(at, text)
}

fn compared(binary: &Binary, left: &Value, right: &Value) -> Result<Value, Failure> {
    if let Value::Type(a) = left {
        let accepts = |outer: &Value, inner: &Value| match (outer, inner) {
            (Value::Type(outer), Value::Type(inner)) => outer.accepts(inner),
            _ => false,
        };
        let is_equal = matches!(right, Value::Type(b) if compare::types_equal(a, b));
        return Ok(Value::Boolean(match binary.operator {
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
        Failure::at(binary.operator_span, text)
    };
    let ordering = compare::order(left, right).map_err(failed)?;
    let Some(ordering) = ordering else {
        return Err(Failure::unsupported("comparisons with a number that is not a number"));
    };
    Ok(Value::Boolean(match binary.operator {
        TokenKind::Less => ordering == Ordering::Less,
        TokenKind::LessEqual => ordering != Ordering::Greater,
        TokenKind::Greater => ordering == Ordering::Greater,
        _ => ordering != Ordering::Less,
    }))
}

fn matched(binary: &Binary, left: &Value, right: &Value, scope: &Arc<Scope>) -> Result<bool, Failure> {
    let pattern = match right {
        Value::Type(of) => return Ok(of.is_instance(left)),
        Value::SemVerRange(range) => return Ok(compare::in_range(range, left)),
        Value::Regexp(pattern) => pattern.clone(),
        Value::String(text) => match Pattern::new(text) {
            Ok(pattern) => pattern,
            Err(_) => return Err(Failure::unsupported("the error of an invalid regex in a string")),
        },
        other => {
            let class = crate::compile::text::label::ruby_class(other);
            let class = match other {
                Value::Undef => "nil",
                Value::Boolean(true) => "true",
                Value::Boolean(false) => "false",
                _ => class,
            };
            let text = format!(
                "Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of {class} into String'."
            );
            return Err(Failure::at(labels::anchor(&binary.right), text));
        }
    };
    match left {
        Value::String(text) => Ok(compare::search(&pattern, text, Some(scope))),
        other => Err(Failure::at(
            labels::anchor(&binary.left),
            format!("Left match operand must result in a String value. Got {}.", with_article(&label(other))),
        )),
    }
}

fn integers(binary: &Binary, a: i64, b: i64, right_at: Span) -> Result<Value, Failure> {
    let (x, y) = (i128::from(a), i128::from(b));
    let result = match binary.operator {
        TokenKind::Plus => x + y,
        TokenKind::Minus => x - y,
        TokenKind::Times => x * y,
        TokenKind::Divide | TokenKind::Modulo if y == 0 => return Err(Failure::at(right_at, "Division by 0")),
        TokenKind::Divide => floor_division(x, y),
        TokenKind::Modulo => x - floor_division(x, y) * y,
        TokenKind::ShiftLeft => shift(x, b),
        TokenKind::ShiftRight => shift(x, b.saturating_neg()),
        _ => return Err(Failure::unsupported("this operator")),
    };
    match i64::try_from(result) {
        Ok(result) => Ok(Value::Integer(result)),
        Err(_) if result.unsigned_abs() >= 1 << 126 => Err(Failure::unsupported("the digits of an integer beyond 128 bits")),
        Err(_) => {
            let (side, sign) = if result > 0 { ("max", "+") } else { ("min", "-") };
            let text = format!(
                "{} resulted in a value outside of Puppet Integer {side} range, got '{sign}{:#x}'",
                crate::compile::text::label::with_capital_article(&format!("'{}' expression", operator_text(binary.operator))),
                result.unsigned_abs()
            );
            Err(Failure::at(binary.operator_span, text))
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

fn floats(binary: &Binary, left: &Value, right: &Value, left_at: Span) -> Result<Value, Failure> {
    let operator = operator_text(binary.operator);
    let number = |value: &Value| match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        _ => f64::NAN,
    };
    let (a, b) = (number(left), number(right));
    let result = match binary.operator {
        TokenKind::Plus => a + b,
        TokenKind::Minus => a - b,
        TokenKind::Times => a * b,
        TokenKind::Divide => a / b,
        TokenKind::Modulo if matches!(left, Value::Float(_)) => return Err(not_applicable(operator, left, left_at)),
        TokenKind::Modulo => return Err(not_applicable_when(operator, left, right, left_at)),
        _ if matches!(left, Value::Float(_)) => return Err(not_applicable(operator, left, left_at)),
        _ => return Err(Failure::unsupported("a shift by a float")),
    };
    if result.is_infinite() {
        return Err(Failure::at(left_at, format!("The result of the {operator} expression is Infinity")));
    }
    Ok(Value::Float(result))
}

/// Arithmetic of times and durations.
fn times(operator: &str, left: &Value, right: &Value, left_at: Span) -> Result<Value, Failure> {
    let nanos = |value: &Value| match value {
        Value::Integer(seconds) => Some(i128::from(*seconds) * 1_000_000_000),
        Value::Float(seconds) => Some((seconds * 1e9) as i128),
        _ => None,
    };
    let not_possible = || not_applicable_when(operator, left, right, left_at);
    match (left, operator, right) {
        (Value::Integer(_) | Value::Float(_), "+" | "*", Value::Timespan(_))
        | (Value::Integer(_) | Value::Float(_), "+", Value::Timestamp(_)) => times(operator, right, left, left_at),
        (Value::Integer(_) | Value::Float(_), "-", Value::Timespan(span)) => Ok(Value::Timespan(nanos(left).unwrap_or(0) - span)),
        (Value::Integer(_) | Value::Float(_), _, Value::SemVer(_)) => Err(Failure::unsupported("arithmetic of a number and a version")),
        (Value::Integer(_) | Value::Float(_), _, _) => Err(not_possible()),
        (Value::Timespan(a), "+", Value::Timespan(b)) => Ok(Value::Timespan(a + b)),
        (Value::Timespan(a), "-", Value::Timespan(b)) => Ok(Value::Timespan(a - b)),
        (Value::Timespan(a), "+", Value::Timestamp(b)) | (Value::Timestamp(b), "+", Value::Timespan(a)) => Ok(Value::Timestamp(a + b)),
        (Value::Timestamp(a), "-", Value::Timespan(b)) => Ok(Value::Timestamp(a - b)),
        (Value::Timestamp(a), "-", Value::Timestamp(b)) => Ok(Value::Timespan(a - b)),
        (Value::Timespan(a), "/", Value::Timespan(b)) if *b != 0 => Ok(Value::Float(*a as f64 / *b as f64)),
        (Value::Timespan(a), "%", Value::Timespan(b)) if *b != 0 => Ok(Value::Timespan(a.rem_euclid(*b))),
        (Value::Timespan(a), "*", Value::Integer(b)) => Ok(Value::Timespan(a * i128::from(*b))),
        (Value::Timespan(a), "*", Value::Float(b)) => Ok(Value::Timespan((*a as f64 * b) as i128)),
        (Value::Timespan(a), "/", Value::Integer(b)) if *b != 0 => Ok(Value::Timespan(a.div_euclid(i128::from(*b)))),
        (Value::Timespan(a), "/", Value::Float(b)) => Ok(Value::Timespan((*a as f64 / b) as i128)),
        (Value::Timespan(a), "+", _) => nanos(right).map(|b| Value::Timespan(a + b)).ok_or_else(not_possible),
        (Value::Timespan(a), "-", _) => nanos(right).map(|b| Value::Timespan(a - b)).ok_or_else(not_possible),
        (Value::Timestamp(a), "+", _) => nanos(right).map(|b| Value::Timestamp(a + b)).ok_or_else(not_possible),
        (Value::Timestamp(a), "-", _) => nanos(right).map(|b| Value::Timestamp(a - b)).ok_or_else(not_possible),
        (Value::SemVer(_), ..) => Err(not_applicable(operator, left, left_at)),
        (_, "<<" | ">>", _) | (Value::Timestamp(_), "*" | "/" | "%", _) => Err(not_applicable(operator, left, left_at)),
        _ => Err(Failure::unsupported(format!("`{operator}` of these times"))),
    }
}

fn concatenate(left: &Value, right: &Value) -> Result<Value, Failure> {
    match (left, right) {
        (Value::Array(a), Value::Array(b)) => Ok(Value::array(a.iter().chain(b.iter()).cloned().collect())),
        (Value::Array(a), Value::Hash(b)) => Ok(Value::array(a.iter().cloned().chain(pairs(b)).collect())),
        (Value::Array(a), other) => Ok(Value::array(a.iter().cloned().chain([other.clone()]).collect())),
        (Value::Hash(a), Value::Hash(b)) => Ok(Value::hash(a.iter().chain(b.iter()).map(|(k, v)| (k.clone(), v.clone())))),
        (Value::Hash(a), Value::Array(b)) => {
            let entries = from_list(b)?;
            Ok(Value::hash(a.iter().map(|(k, v)| (k.clone(), v.clone())).chain(entries)))
        }
        (Value::Hash(_), _) => Err(Failure::new("Can only append Array or Hash to a Hash")),
        (Value::Binary(a), Value::Binary(b)) => Ok(Value::Binary(Arc::new(a.iter().chain(b.iter()).copied().collect()))),
        (Value::Binary(_), _) => Err(Failure::new("Can only append Binary to a Binary")),
        (Value::Uri(_), Value::Uri(_) | Value::String(_)) => Err(Failure::unsupported("the sum of URIs")),
        (Value::Uri(_), _) => Err(Failure::new("An URI can only be merged with an URI or String")),
        _ => Err(Failure::unsupported("this sum")),
    }
}

/// Returns the entries of a list of pairs, or of alternating keys and values.
fn from_list(elements: &[Value]) -> Result<Vec<(Value, Value)>, Failure> {
    let is_pairs = matches!(infer(&Value::array(elements.to_vec())), Type::Array(element, _) if matches!(*element, Type::Array(..)));
    if is_pairs {
        let pair = |element: &Value| match element.as_array() {
            Some([key, value]) => Ok((key.clone(), value.clone())),
            Some([key]) => Ok((key.clone(), Value::Undef)),
            other => Err(Failure::new(format!("invalid number of elements ({} for 1..2)", other.map_or(0, <[Value]>::len)))),
        };
        return elements.iter().map(pair).collect();
    }
    if !elements.len().is_multiple_of(2) {
        return Err(Failure::new("odd number of arguments for Hash"));
    }
    let pair = |pair: &[Value]| Some((pair.first()?.clone(), pair.get(1)?.clone()));
    Ok(elements.chunks(2).filter_map(pair).collect())
}

fn without(left: &Value, right: &Value) -> Value {
    match left {
        Value::Array(elements) => {
            let removed = match right {
                Value::Array(removed) => removed.to_vec(),
                Value::Hash(map) => pairs(map),
                other => vec![other.clone()],
            };
            // Ruby's `delete` compares by `==`: 1 equals 1.0.
            let is_removed = |element: &Value| removed.iter().any(|r| ruby_equal(r, element));
            Value::array(elements.iter().filter(|element| !is_removed(element)).cloned().collect())
        }
        Value::Hash(map) => {
            let removed: Vec<Value> = match right {
                Value::Array(keys) => keys.to_vec(),
                Value::Hash(other) => other.keys().cloned().collect(),
                other => vec![other.clone()],
            };
            Value::hash(map.iter().filter(|(key, _)| !removed.contains(key)).map(|(k, v)| (k.clone(), v.clone())))
        }
        other => other.clone(),
    }
}

/// Returns `true` for values that Ruby's `==` counts as equal.
pub fn ruby_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(a), Value::Float(b)) | (Value::Float(b), Value::Integer(a)) => *a as f64 == *b,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| ruby_equal(a, b)),
        (Value::Hash(a), Value::Hash(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| ruby_equal(value, other)))
        }
        _ => a == b,
    }
}
