//! Checks that involve several directives: defaults and allowed values, identity, features.

use super::block::TypeScope;
use crate::diagnostics::{Code, Diagnostic, Help, did_you_mean};
use crate::source::Span;
use crate::types::{ArrayMatching, AttributeDef, Default, Matcher, Role, TitlePattern, ValueStep};
use crate::value::{DataType, Symbol, Value};

impl TypeScope<'_> {
    /// Checks that users could set a constant default.
    pub(super) fn check_default(&self, attribute: &AttributeDef) {
        let Some(Default::Value(value, span)) = &attribute.default else {
            return;
        };
        let span = *span;
        if value.is_nil() {
            return;
        }
        let elements = match value {
            Value::Array(values) if attribute.role == Role::Property => values.as_slice(),
            other => std::slice::from_ref(other),
        };
        if let Some(data_type) = attribute.data_type.as_ref().filter(|t| attribute.role != Role::Property || !t.is_list()) {
            self.check_default_type(attribute, value, elements, data_type, span);
        }
        let checks_values = attribute.validate.steps.iter().any(|s| matches!(s, ValueStep::Values));
        if attribute.values.is_empty() || !checks_values {
            return;
        }
        for element in elements {
            let text = element.to_text();
            if attribute.values.find(&text).is_none() {
                let shown = if attribute.sensitive { "the default".to_owned() } else { format!("the default `{text}`") };
                let d = Diagnostic::new(
                    Code::DefaultNotAllowed,
                    span,
                    format!("{shown} is none of the allowed values of `{}`", attribute.name),
                );
                let first = attribute.values.values.first().map_or(Span::NONE, |v| v.span);
                self.sink.report(d.also(first, "the allowed values").help(allowed(attribute, &text)));
            }
        }
    }

    /// Reports each part of a constant default that does not have the data type.
    fn check_default_type(&self, attribute: &AttributeDef, value: &Value, elements: &[Value], data_type: &DataType, span: Span) {
        let is_list = attribute.role == Role::Property && matches!(value, Value::Array(_));
        for (i, element) in elements.iter().enumerate() {
            let Err(mismatch) = data_type.coerce(element) else { continue };
            let report = |message: String, help: Option<String>| {
                let d = Diagnostic::new(Code::DefaultNotAllowed, span, message).also(attribute.data_type_span, "the data type");
                self.sink.report(d.help(help.unwrap_or_else(|| "change the default or the data type".to_owned())));
            };
            if attribute.sensitive {
                report(format!("the default is not {}", mismatch.expected), None);
            } else if is_list || matches!(element, Value::Array(_) | Value::Map(_)) {
                let place = if is_list { format!("[{i}]") } else { String::new() };
                for fault in data_type.faults(element) {
                    let path: String = fault.path.iter().map(|step| step.text.as_str()).collect();
                    report(format!("the default of `{}{place}{path}`: {}", attribute.name, fault.message), fault.help);
                }
            } else {
                report(format!("the default `{element}` is not {}", mismatch.expected), None);
            }
        }
    }

    /// Reports a list as the type of a property: the type applies to each element of a list, never to the list as a whole.
    pub(super) fn check_list_type(&self, attribute: &AttributeDef) {
        let Some(data_type) = attribute.data_type.as_ref().filter(|t| attribute.role == Role::Property && t.is_list()) else { return };
        let element = match data_type.element() {
            Some(element) => format!("write `type {element}`"),
            None => "write the type of an element".to_owned(),
        };
        let all =
            if attribute.array_matching == ArrayMatching::All { "" } else { ", and `array_matching: all` where the whole list counts" };
        self.sink.report(
            Diagnostic::new(
                Code::BadDataType,
                attribute.data_type_span,
                format!("`type` of a property is that of each element, and `{data_type}` is that of a list"),
            )
            .help(format!("{element}{all}; check the length of the list in the type's `validate`")),
        );
    }

    /// Checks that the type's resources have an identity.
    pub(super) fn check_namevars(
        &self,
        name: &str,
        name_span: Span,
        attributes: &[AttributeDef],
        patterns: &[TitlePattern],
        own_patterns: bool,
    ) {
        let id = |a: &AttributeDef| self.attributes.get(a.name.as_str()).copied();
        let params: Vec<_> = attributes.iter().filter(|a| a.role == Role::Param && is_key(a)).collect();
        for property in attributes.iter().filter(|a| a.role == Role::Property && a.namevar) {
            let filled = patterns.iter().any(|p| id(property).is_some_and(|i| p.attributes.contains(&i)));
            if !filled {
                self.sink.report(
                    Diagnostic::new(
                        Code::NamevarIsProperty,
                        property.span,
                        format!("the property `{}` cannot be the namevar", property.name),
                    )
                    .help("identity does not change: make it a `newparam`, or let a row of `title_patterns` fill it"),
                );
            }
        }
        // A name that cannot be read is empty, and was reported.
        if params.is_empty() && !own_patterns && !name.is_empty() && !attributes.iter().any(|a| a.namevar) {
            self.sink.report(
                Diagnostic::new(Code::NamevarMissing, name_span, format!("the type `{name}` has no namevar"))
                    .label("its resources have no identity")
                    .help("add `newparam name { isnamevar }`, or put `isnamevar` on the param that identifies a resource"),
            );
        }
        if params.len() > 1 && !own_patterns {
            let names: Vec<_> = params.iter().map(|a| format!("`{}`", a.name)).collect();
            let mut d = Diagnostic::new(
                Code::TitlePatternsMissing,
                name_span,
                format!("the type `{name}` has {} namevars but no `title_patterns`", params.len()),
            )
            .help(format!(
                "say how a title gives {}: `title_patterns {{ /\\A(.*):(.*)\\z/s => {} }}`",
                names.join(" and "),
                names.join(", ").replace('`', "")
            ));
            for param in params {
                d = d.also(param.span, "a namevar");
            }
            self.sink.report(d);
        }
    }
}

/// Returns `true` if a parameter is part of the identity: marked, or called `name` (Puppet's `key_attribute_parameters`).
pub(super) fn is_key(attribute: &AttributeDef) -> bool {
    attribute.namevar || attribute.name.as_str() == "name"
}

/// Returns the help for a wrong value: the nearest allowed value, or all allowed values.
fn allowed(attribute: &AttributeDef, text: &str) -> Help {
    let literals: Vec<&str> = attribute.values.literals().map(Symbol::as_str).collect();
    let regexes: Vec<String> = attribute
        .values
        .values
        .iter()
        .filter_map(|v| if let Matcher::Regex(r) = &v.matcher { Some(format!("`{r}`")) } else { None })
        .collect();
    did_you_mean(text, literals.iter().copied()).filter(|_| regexes.is_empty()).unwrap_or_else(|| {
        let all: Vec<_> = literals.iter().map(|l| format!("`{l}`")).chain(regexes).collect();
        format!("allowed are {}", all.join(", ")).into()
    })
}
