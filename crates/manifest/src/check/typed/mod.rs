//! Values against Puppet's data types.
//!
//! Literals decide. Nothing is said about variables, facts and calls of functions, whose values are unknown. Strings with
//! interpolated expressions are strings of any text.

mod actual;
mod functions;
mod known;
mod loose;
mod ruby_names;
mod templates;

pub(super) use known::KnownTypes;
pub(super) use ruby_names::puppetfile_modules;

use super::definition::{KnownDefinitions, plain_name};
use super::modules::Modules;
use crate::compile::types::{Type, describe_parameter};
use crate::compile::value::ManifestValue;
use crate::syntax::tree::{
    AttributeOperation, AttributeSettings, Definition, DefinitionKind, Expression, ExpressionKind, ResourceExpression,
};
pub(in crate::check) use actual::Actual;
use ecow::EcoString;
use functions::FunctionUse;
use rtype_lang::diagnostics::{Code, Diagnostic, Redactions};
use rtype_lang::source::Span;

/// A value with several mismatches is reported with this many of them.
const MAX_TEXTS: usize = 4;

/// Compares the values of arguments and defaults in a manifest with the types of their parameters.
pub(super) fn check(
    expressions: &[&Expression],
    definitions: &mut KnownDefinitions,
    modules: &Modules<'_>,
    secrets: &Redactions,
) -> TypedValues {
    let mut values = Values::new(definitions, modules, secrets);
    for expression in expressions {
        match &expression.kind {
            ExpressionKind::Resource(resource) => values.resource(resource),
            ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => values.settings(settings),
            ExpressionKind::Call(call) => {
                if let ExpressionKind::Name(name) = &call.function.kind {
                    let (span, arguments) = (call.function.span, call.arguments.iter().collect());
                    values.call(&FunctionUse { name, span, arguments, lambda: call.lambda.as_ref() });
                }
            }
            ExpressionKind::Method(call) => {
                let arguments = std::iter::once(&call.receiver).chain(&call.arguments).collect();
                values.call(&FunctionUse { name: &call.name.text, span: call.name.span, arguments, lambda: call.lambda.as_ref() });
            }
            ExpressionKind::Definition(definition) => values.defaults(definition),
            _ => {}
        }
    }
    TypedValues { found: values.found, untyped: values.untyped, unknown_calls: values.unknown_calls }
}

/// The result of comparing values with data types.
pub(super) struct TypedValues {
    /// The values that their types do not allow.
    pub found: Vec<Diagnostic>,
    /// The number of values whose data type contains an alias that no file on the module path defines.
    pub untyped: usize,
    /// Counts calls of functions that no module on the module path defines.
    pub unknown_calls: usize,
}

/// Compares values with types.
pub(super) struct Values<'w> {
    pub definitions: &'w mut KnownDefinitions,
    pub modules: &'w Modules<'w>,
    /// The places that look like secrets.
    pub secrets: &'w Redactions,
    /// The values that their types do not allow.
    pub found: Vec<Diagnostic>,
    /// The number of values whose type has an unknown part.
    pub untyped: usize,
    /// Counts calls of functions that no module on the module path defines.
    pub unknown_calls: usize,
}

impl<'w> Values<'w> {
    /// Creates the comparison of the values in a file.
    pub fn new(definitions: &'w mut KnownDefinitions, modules: &'w Modules<'w>, secrets: &'w Redactions) -> Values<'w> {
        Values { definitions, modules, secrets, found: Vec::new(), untyped: 0, unknown_calls: 0 }
    }
}

impl Values<'_> {
    fn resource(&mut self, resource: &ResourceExpression) {
        let ExpressionKind::Name(name) = &resource.kind.kind else { return };
        let is_class = name == "class";
        for body in &resource.bodies {
            let names = if is_class { titles(&body.title) } else { vec![plain_name(name)] };
            for name in names {
                self.attributes(is_class, &name, &body.attributes);
            }
        }
    }

    /// Compares the attributes of resource defaults and overrides: `Site::Page { … }`, `Site::Page['a'] { … }`.
    fn settings(&mut self, settings: &AttributeSettings) {
        let target = match &settings.target.kind {
            ExpressionKind::Access(access) => &access.target.kind,
            target => target,
        };
        if let ExpressionKind::TypeName(name) = target {
            let name = plain_name(&name.to_lowercase());
            self.definitions.search(&name, self.modules);
            self.attributes(false, &name, &settings.attributes);
        }
    }

    fn attributes(&mut self, is_class: bool, name: &str, attributes: &[AttributeOperation]) {
        for AttributeOperation { name: attribute, value, .. } in attributes {
            match (attribute, &value.kind) {
                (Some(attribute), _) => self.argument(is_class, name, &attribute.text, value),
                (None, ExpressionKind::Hash(entries)) => {
                    for entry in entries {
                        if let ExpressionKind::Text(attribute) | ExpressionKind::Name(attribute) = &entry.key.kind {
                            self.argument(is_class, name, attribute, &entry.value);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Compares an argument of a class or defined type with the type of the parameter. With `undef`, the parameter
    /// has its default, or the value that data give to a class.
    fn argument(&mut self, is_class: bool, name: &str, parameter: &str, value: &Expression) {
        let Some(known) = self.definitions.parameter(is_class, name, parameter) else { return };
        if matches!(value.kind, ExpressionKind::Undef) && (is_class || !known.is_required) {
            return;
        }
        if let Some(kind) = known.kind.clone() {
            let what = if is_class { "class" } else { "defined type" };
            self.compare(&format!("{what} `{name}`"), parameter, &kind, value);
        }
    }

    fn defaults(&mut self, definition: &Definition) {
        let what = match definition.kind {
            DefinitionKind::Class => "class",
            DefinitionKind::Define => "defined type",
            DefinitionKind::Function => "function",
        };
        for parameter in &definition.parameters {
            if let (Some(kind), Some(default)) = (&parameter.kind, &parameter.default) {
                self.compare(&format!("{what} `{}`", definition.name.text), &parameter.name.text, kind, default);
            }
        }
    }

    /// Reports a value that its type does not allow.
    fn compare(&mut self, subject: &str, parameter: &str, kind: &Expression, value: &Expression) {
        let is_secret = self.secrets.touches(value.span);
        self.compare_given(subject, parameter, kind, &GivenValue { span: value.span, of: &|text| Actual::of(value, text), is_secret });
    }

    /// Reports a value that its type does not allow.
    pub fn compare_given(&mut self, subject: &str, parameter: &str, kind: &Expression, value: &GivenValue<'_>) {
        // Nothing is known about most values.
        if matches!((value.of)(&Type::STRING), Actual::Partly(Type::Unit)) {
            return;
        }
        let Some(expected) = self.definitions.type_of(kind, self.modules) else {
            self.untyped += 1;
            return;
        };
        let Some((expected, actual)) = mismatch(expected, value) else { return };
        let help = advice(&expected, &actual);
        let actual = actual.into_type();
        let actual = if value.is_secret { actual.generalized() } else { actual };
        let texts = describe_parameter(parameter, &expected, &actual);
        let more = texts.len().saturating_sub(MAX_TEXTS);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let message = format!("the {subject}: {}{more}", texts.iter().take(MAX_TEXTS).cloned().collect::<Vec<_>>().join("; "));
        let found = Diagnostic::new(Code::ParameterType, value.span, message).also(kind.span, "the type of the parameter");
        self.found.push(found.maybe_help(help.filter(|_| !value.is_secret)));
    }
}

/// A value of a parameter.
pub(super) struct GivenValue<'v> {
    /// The place of the value.
    pub span: Span,
    /// Returns what is known of the value, with a type for strings of unknown text.
    pub of: &'v dyn Fn(&Type) -> Actual,
    /// Whether messages must not contain the value.
    pub is_secret: bool,
}

/// Returns the types to describe if a value is not one of the expected type.
fn mismatch(expected: Type, value: &GivenValue<'_>) -> Option<(Type, Actual)> {
    let actual = (value.of)(&Type::Unit);
    if !actual.fits(&expected) {
        return Some((expected, actual));
    }
    if matches!(actual, Actual::Value(_)) {
        return None;
    }
    // The text of an interpolated string is not known, so that every type of strings fits.
    let actual = (value.of)(&Type::STRING);
    let loose = loose::loosened(&expected);
    let is_whole = matches!(actual, Actual::Partly(Type::String(_)));
    (!actual.fits(&loose)).then_some((if is_whole { expected } else { loose }, actual))
}

/// Returns the names of the classes that a title names.
fn titles(title: &Expression) -> Vec<EcoString> {
    match &title.kind {
        ExpressionKind::Text(name) | ExpressionKind::Name(name) => vec![plain_name(name)],
        ExpressionKind::Array(names) => names.iter().flat_map(titles).collect(),
        _ => Vec::new(),
    }
}

/// Returns how a value is written so that it fits, if that is easy to say.
fn advice(expected: &Type, actual: &Actual) -> Option<String> {
    let Actual::Value(value) = actual else { return None };
    let fits = |value: &ManifestValue| expected.is_instance(value);
    match value {
        ManifestValue::String(text) => {
            let number = text.parse().ok().map(ManifestValue::Integer);
            let boolean = text.parse().ok().map(ManifestValue::Boolean);
            if number.into_iter().chain(boolean).any(|value| fits(&value)) {
                return Some(format!("write `{text}` without quotes"));
            }
        }
        ManifestValue::Integer(number) if fits(&ManifestValue::string(number.to_string())) => return Some(format!("write `'{number}'`")),
        ManifestValue::Boolean(value) if fits(&ManifestValue::string(value.to_string())) => return Some(format!("write `'{value}'`")),
        ManifestValue::Undef => {
            return Some("write `Optional[…]` around the type, or leave the default out if a value must be given".to_owned());
        }
        _ => {}
    }
    fits(&ManifestValue::array(vec![value.clone()])).then(|| "write a list: `[…]`".to_owned())
}
