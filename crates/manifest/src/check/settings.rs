//! Resource defaults, overrides and collectors: their attributes are checked as those of a resource whose other attributes are unknown.

use super::Walk;
use super::definition::plain_name;
use crate::syntax::tree::{AttributeOperation, Expression, ExpressionKind};
use ecow::EcoString;
use indexmap::IndexMap;
use rtype_lang::source::Span;
use rtype_lang::value::{Symbol, Value};
use rtype_model::manifest::{Declared, DeclaredValue};

/// The title of resource defaults in messages.
const DEFAULT: &str = "default";

impl Walk<'_> {
    /// Checks the attributes of `User { … }`, `User['a'] { … }` and `User <| … |> { … }`.
    pub(super) fn settings(&mut self, expression: &Expression) {
        let (target, attributes) = match &expression.kind {
            ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => (&settings.target, &settings.attributes),
            ExpressionKind::Collector(collector) => (&collector.kind, &collector.attributes),
            _ => return,
        };
        let (kind, titles) = match &target.kind {
            ExpressionKind::Access(access) => (&access.target.kind, access.keys.as_slice()),
            kind => (kind, [].as_slice()),
        };
        let ExpressionKind::TypeName(name) = kind else {
            self.computed += attributes.len();
            return;
        };
        let name = plain_name(&name.to_lowercase());
        if name == "class" {
            titles.iter().for_each(|title| self.class_settings(title, attributes));
            return;
        }
        self.definitions.search(&name, self.modules);
        if self.definitions.has(&name) {
            self.parameters(false, &name, attributes);
        } else {
            let title = match (&expression.kind, titles) {
                (ExpressionKind::Defaults(_), _) => DEFAULT,
                (ExpressionKind::Collector(collector), _) => collector.query.as_ref().map_or("*", |query| self.source.slice(query.span)),
                (_, [Expression { kind: ExpressionKind::Text(title) | ExpressionKind::Name(title), .. }]) => title,
                (_, titles) => titles.first().map_or("*", |title| self.source.slice(title.span)),
            };
            self.attributes_of(&name, title, expression, target.span, attributes);
        }
    }

    /// Checks the names in `Class['a'] { … }`.
    fn class_settings(&mut self, title: &Expression, attributes: &[AttributeOperation]) {
        if let ExpressionKind::Text(title) | ExpressionKind::Name(title) = &title.kind {
            let title = plain_name(title);
            self.definitions.search(&title, self.modules);
            self.parameters(true, &title, attributes);
        }
    }

    fn parameters(&mut self, is_class: bool, name: &str, attributes: &[AttributeOperation]) {
        let named = attributes.iter().filter_map(|attribute| attribute.name.as_ref());
        let unknown = named.filter_map(|given| self.definitions.unknown_parameter(is_class, name, &given.text, given.span));
        self.diagnostics.extend(unknown);
    }

    fn attributes_of(&mut self, name: &str, title: &str, expression: &Expression, target: Span, attributes: &[AttributeOperation]) {
        let mut all: IndexMap<EcoString, DeclaredValue> = IndexMap::new();
        for attribute in attributes {
            self.attribute(attribute, false, &mut all);
        }
        all.retain(|_, given| !given.value.is_nil());
        self.computed += all.values().filter(|given| given.value.has_unknown()).count();
        if all.is_empty() {
            return;
        }
        let type_def = self.types.load(name);
        for other in type_def.iter().flat_map(|type_def| type_def.attributes.iter()) {
            let unknown = DeclaredValue { is_default: true, ..DeclaredValue::new(Value::Unknown, expression.span, expression.span) };
            all.entry(EcoString::from(other.name.as_str())).or_insert(unknown);
        }
        self.set.push(Declared {
            type_name: Symbol::from(name),
            type_span: target,
            title: title.into(),
            title_span: target,
            is_title_computed: true,
            attributes: all,
            span: expression.span,
        });
    }
}
