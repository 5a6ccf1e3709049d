//! Messages about values that are not of the expected type.

mod describe;
mod message;

use super::{Callable, IntegerBounds, Type, infer_exact};
use crate::compile::value::ManifestValue;
use describe::{block, describe, merge, signature_arguments};
use message::{MismatchReason, MismatchStep, TypeMismatch};

/// A signature with parameter names.
pub struct NamedSignature<'s> {
    /// The types.
    pub callable: &'s Callable,
    /// The names of the parameters.
    pub names: &'s [String],
    /// The name of the lambda.
    pub block_name: &'s str,
}

/// A parameter of a class, defined type or template.
pub struct NamedParameter<'p> {
    /// The name.
    pub name: &'p str,
    /// The type.
    pub of: &'p Type,
    /// Whether the parameter has no default.
    pub is_required: bool,
}

/// Returns the message that `actual` is not assignable to `expected`; the name is that of the value.
pub fn describe_mismatch(name: &str, expected: &Type, actual: &Type) -> String {
    let found = describe(expected, actual, &[MismatchStep::Subject(name.to_owned())]);
    match found.as_slice() {
        [one] => one.text().trim().to_owned(),
        many => many.iter().map(TypeMismatch::text).collect::<Vec<_>>().join("\n "),
    }
}

/// Returns the message about wrong parameters of a class, defined type or template, if there are any.
pub fn describe_parameters<'v>(
    subject: &str,
    parameters: &[NamedParameter<'_>],
    given: impl Fn(&str) -> Option<&'v ManifestValue>,
    names: &[&str],
) -> Option<String> {
    let mut found: Vec<TypeMismatch> = Vec::new();
    for name in names {
        if !parameters.iter().any(|p| p.name == *name) {
            found.push(TypeMismatch::new(&[], MismatchReason::NoParameter((*name).to_owned())));
        }
    }
    for parameter in parameters {
        match given(parameter.name) {
            Some(value) if !parameter.of.is_instance(value) => {
                found.extend(describe(parameter.of, &infer_exact(value), &[MismatchStep::Parameter(parameter.name.to_owned())]));
            }
            None if parameter.is_required => {
                found.push(TypeMismatch::new(&[], MismatchReason::MissingParameter(parameter.name.to_owned())))
            }
            _ => {}
        }
    }
    match found.as_slice() {
        [] => None,
        [one] => Some(format!("{subject}:{}", one.text())),
        many => Some(format!("{subject}:\n {}", many.iter().map(TypeMismatch::text).collect::<Vec<_>>().join("\n "))),
    }
}

/// Returns the message that a parameter's default or value has a wrong type.
pub fn describe_argument(subject: &str, parameter: &str, expected: &Type, value: &ManifestValue) -> String {
    let found = describe(expected, &infer_exact(value).generalized(), &[MismatchStep::Parameter(parameter.to_owned())]);
    match found.as_slice() {
        [one] => format!("{subject}:{}", one.text()),
        many => format!("{subject}:\n {}", many.iter().map(TypeMismatch::text).collect::<Vec<_>>().join("\n ")),
    }
}

/// Returns the messages that a value of the type `actual` is not one of a parameter's type.
pub fn describe_parameter(parameter: &str, expected: &Type, actual: &Type) -> Vec<String> {
    let found = describe(expected, actual, &[MismatchStep::Parameter(parameter.to_owned())]);
    found.iter().map(|mismatch| mismatch.text().trim().to_owned()).collect()
}

/// Returns the message that arguments fit no signature. Functions have a name; lambdas have none.
pub fn describe_signatures(name: Option<&str>, signatures: &[NamedSignature<'_>], arguments: &[Type], lambda: Option<&Type>) -> String {
    let at = |index: usize| [MismatchStep::Signature(index)];
    let mut errors: Vec<Vec<TypeMismatch>> =
        signatures.iter().enumerate().map(|(index, s)| signature_arguments(s, arguments, &at(index))).collect();
    if errors.iter().any(Vec::is_empty) {
        let blocks: Vec<Vec<TypeMismatch>> = signatures.iter().enumerate().map(|(index, s)| block(s, lambda, &at(index))).collect();
        let count = blocks.iter().filter(|b| !b.is_empty()).count();
        if count == blocks.len() {
            errors = blocks;
        } else if count > 0 {
            for (error, block) in errors.iter_mut().zip(blocks) {
                if error.is_empty() {
                    *error = block;
                }
            }
        }
    }
    let label = name.map_or("block".to_owned(), |name| format!("'{name}'"));
    let merged = merge(0, true, &errors);
    if let [one] = merged.as_slice() {
        return format!("{label}{}", one.text());
    }
    let rejected = |indent: &str, found: &[TypeMismatch]| {
        found.iter().map(|m| format!("\n{indent}rejected:{}", m.without_step(0).text())).collect::<String>()
    };
    if let ([signature], [found]) = (signatures, errors.as_slice()) {
        return format!("{label} expects ({}){}", signature_text(signature), rejected("  ", found));
    }
    let mut text = format!("The function {label} was called with arguments it does not accept. It expects one of:");
    for (signature, found) in signatures.iter().zip(&errors) {
        text.push_str(&format!("\n  ({})", signature_text(signature)));
        text.push_str(&rejected("    ", found));
    }
    text
}

/// Returns the text of a parameter's type: an alias is followed by its type.
fn parameter_text(of: &Type) -> String {
    if matches!(of, Type::Alias(_)) { of.expanded_text() } else { of.to_string() }
}

/// Returns a signature as `String a, Integer b?, Any c*`.
fn signature_text(signature: &NamedSignature<'_>) -> String {
    let IntegerBounds { from, to } = signature.callable.arity();
    if from == Some(0) && to == Some(0) {
        return String::new();
    }
    let types = signature.callable.parameters.as_ref().map(|tuple| tuple.types.as_slice()).unwrap_or_default();
    let count = signature.names.len();
    let required = usize::try_from(from.unwrap_or(0)).unwrap_or(0);
    let mut parts: Vec<String> = Vec::new();
    for (index, name) in signature.names.iter().enumerate() {
        let Some(mut of) = types.get(index).or(types.last()) else { continue };
        let mut mark = "";
        if to.is_none() && index + 1 == count {
            mark = if required == count { "+" } else { "*" };
        } else if index + 1 > required {
            mark = "?";
            if let Type::Optional(inner) = of {
                of = inner;
            }
        }
        parts.push(format!("{} {name}{mark}", parameter_text(of)));
    }
    match &signature.callable.block {
        Some(Type::Optional(inner)) => parts.push(format!("{} {}?", parameter_text(inner), signature.block_name)),
        Some(of @ Type::Callable(_)) => parts.push(format!("{of} {}", signature.block_name)),
        _ => {}
    }
    parts.join(", ")
}
