//! Definitions and their parameters.

use super::super::tree::{Definition, DefinitionKind, Expression, ExpressionKind, NodeDefinition, Parameter, TypeAlias};
use super::super::visit;
use super::{StatementContext, Validator};
use rtype_lang::diagnostics::{Code, Diagnostic};
use std::collections::HashSet;

/// Names of built-in types, which classes and defined types cannot have.
const RESERVED_NAMES: &[&str] = &[
    "type",
    "any",
    "unit",
    "scalar",
    "boolean",
    "numeric",
    "integer",
    "float",
    "collection",
    "array",
    "hash",
    "tuple",
    "struct",
    "variant",
    "optional",
    "enum",
    "regexp",
    "pattern",
    "runtime",
    "init",
    "object",
    "sensitive",
    "semver",
    "semverrange",
    "string",
    "timestamp",
    "timespan",
    "typeset",
];

/// What has parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Class,
    Define,
    Function,
    Lambda,
    Template,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns `true` if each segment begins with a lower-case letter.
fn is_definition_name(name: &str) -> bool {
    name.split("::").all(|s| s.starts_with(|c: char| c.is_ascii_lowercase()) && s.bytes().all(is_word))
}

fn is_parameter_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_') && name.bytes().all(is_word)
}

impl Validator {
    /// Definitions are allowed in files and classes, functions and types in files alone.
    pub(super) fn place_of_definition(&mut self, statement: &Expression, place: StatementContext) {
        let only_top = match &statement.kind {
            ExpressionKind::Definition(definition) => definition.kind == DefinitionKind::Function,
            ExpressionKind::Node(_) => false,
            ExpressionKind::TypeAlias(_) => true,
            _ => return,
        };
        // After syntax errors, the braces around the definition are uncertain.
        if !self.is_complete {
            return;
        }
        match place {
            StatementContext::Top => {}
            StatementContext::Class if only_top => {
                self.error(statement.span, "functions and types can only be defined at the top level of a file")
            }
            StatementContext::Class => {}
            StatementContext::Inner if only_top => {
                self.error(statement.span, "functions and types can only be defined at the top level of a file")
            }
            StatementContext::Inner => {
                self.error(
                    statement.span,
                    "classes, defined types and nodes can only be defined at the top level of a file or inside a class",
                );
            }
        }
    }

    pub(super) fn definition_body(&mut self, definition: &Definition) {
        let (owner, place, article) = match definition.kind {
            DefinitionKind::Class => (Owner::Class, StatementContext::Class, "a class"),
            DefinitionKind::Define => (Owner::Define, StatementContext::Inner, "a defined type"),
            DefinitionKind::Function => (Owner::Function, StatementContext::Inner, "a function"),
        };
        self.definition_name(definition);
        self.parameters(&definition.parameters, owner);
        let types = definition.parameters.iter().flat_map(|p| p.kind.iter().chain(&p.default));
        types.chain(&definition.returns).for_each(|e| self.expression(e));
        let body = definition.body.as_deref().unwrap_or_default();
        if owner != Owner::Function {
            self.last_value(body, article);
        }
        self.block(body, place);
    }

    fn definition_name(&mut self, definition: &Definition) {
        let name = &definition.name;
        if RESERVED_NAMES.contains(&name.text.as_str()) {
            return self.error(name.span, format!("`{}` is the name of a built-in type", name.text));
        }
        if is_definition_name(&name.text) {
            return;
        }
        let lower = name.text.to_lowercase();
        let found = Diagnostic::new(Code::Syntax, name.span, format!("invalid name `{}`: segments are lower-case words", name.text));
        let is_whole = lower.len() == name.span.len();
        self.report(match is_definition_name(&lower) {
            true if is_whole => found.help(format!("write `{lower}`")).unsafe_fix("write the name in lower case", name.span, lower),
            true => found.help(format!("write `{lower}`")),
            false => found,
        });
    }

    pub(super) fn parameters(&mut self, parameters: &[Parameter], owner: Owner) {
        let mut seen = HashSet::new();
        for (at, parameter) in parameters.iter().enumerate() {
            let name = &parameter.name;
            if owner != Owner::Lambda && !seen.insert(&name.text) {
                self.error(name.span, format!("duplicate parameter `${}`", name.text));
            }
            if matches!(owner, Owner::Class | Owner::Define) && matches!(name.text.as_str(), "name" | "title") {
                self.error(name.span, format!("`${}` is set by Puppet and cannot be a parameter", name.text));
            }
            if !is_parameter_name(&name.text) {
                self.error(name.span, format!("invalid parameter name `${}`", name.text));
            }
            if parameter.is_splat && matches!(owner, Owner::Class | Owner::Define | Owner::Template) {
                self.error(parameter.span, format!("`*${}`: only functions and lambdas can take the rest of the arguments", name.text));
            }
            if parameter.is_splat && owner == Owner::Lambda && at + 1 < parameters.len() {
                self.error(parameter.span, format!("`*${}` must be the last parameter", name.text));
            }
            parameter.default.iter().for_each(|value| self.no_assignment(value));
        }
    }

    /// Reports assignments in the default of a parameter, except in lambdas.
    fn no_assignment(&mut self, value: &Expression) {
        match &value.kind {
            ExpressionKind::Binary(binary) if super::expression::is_assignment(binary.operator) => {
                self.error(binary.operator_span, "the default of a parameter cannot contain an assignment");
            }
            // Lambdas have variables of their own.
            ExpressionKind::Call(call) => call.arguments.iter().for_each(|a| self.no_assignment(a)),
            ExpressionKind::Method(call) => std::iter::once(&call.receiver).chain(&call.arguments).for_each(|a| self.no_assignment(a)),
            _ => visit::children(value, &mut |child| self.no_assignment(child)),
        }
    }

    pub(super) fn node(&mut self, node: &NodeDefinition) {
        for host in &node.hosts {
            match &host.kind {
                ExpressionKind::Text(name) if !name.bytes().all(|b| is_word(b) || b == b'-' || b == b'.') => {
                    self.error(host.span, format!("invalid node name `{name}`: allowed are letters, digits, `-`, `_` and `.`"));
                }
                ExpressionKind::Interpolated(_) => self.error(host.span, "node names cannot contain interpolation"),
                _ => {}
            }
        }
        if let Some(parent) = &node.parent {
            self.error(parent.span, "nodes cannot inherit: put what they share into a class");
        }
    }

    pub(super) fn type_alias(&mut self, alias: &TypeAlias) {
        if alias.is_definition {
            return self.error(alias.name.span, "types with a body are not supported: write `type A = …`");
        }
        if matches!(alias.name.kind, ExpressionKind::TypeName(_)) && matches!(alias.target.kind, ExpressionKind::Array(_)) {
            let found = Diagnostic::new(Code::Syntax, alias.target.span, "expected a type after `=`, found an array");
            self.report(found.help("write a type such as `Variant[…]` or `Pattern[…]`"));
        }
        match &alias.name.kind {
            ExpressionKind::TypeName(name) if name.starts_with("::") => {
                self.error(alias.name.span, format!("invalid name `{name}`: remove the `::` at the start"));
            }
            ExpressionKind::TypeName(_) => {}
            ExpressionKind::Access(access) if matches!(&access.target.kind, ExpressionKind::TypeName(name) if name == "Runtime") => {}
            _ => self.error(alias.name.span, "expected the name of a type without brackets"),
        }
    }
}
