//! The names of attributes in resource defaults, overrides and collectors.

use super::Walk;
use super::definition::plain_name;
use crate::syntax::tree::{Expression, ExpressionKind};
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_model::resource::{is_misspelled_secret, unknown_attribute};

impl Walk<'_> {
    /// Reports attributes that the type does not have: `User { shel => … }`, `User['a'] { shel => … }`, `User <| |> { shel => … }`.
    pub(super) fn settings(&mut self, expression: &Expression) {
        let (target, attributes) = match &expression.kind {
            ExpressionKind::Defaults(settings) | ExpressionKind::Override(settings) => (&settings.target, &settings.attributes),
            ExpressionKind::Collector(collector) => (&collector.kind, &collector.attributes),
            _ => return,
        };
        let target = match &target.kind {
            ExpressionKind::Access(access) => &access.target.kind,
            target => target,
        };
        let ExpressionKind::TypeName(name) = target else { return };
        let name = plain_name(&name.to_lowercase());
        self.definitions.search(&name, self.modules);
        if self.definitions.has(&name) {
            let named = attributes.iter().filter_map(|attribute| attribute.name.as_ref());
            let unknown = named.filter_map(|given| self.definitions.unknown_parameter(false, &name, &given.text, given.span));
            self.diagnostics.extend(unknown);
        } else if let Some(type_def) = self.types.load(&name) {
            let named = attributes.iter().filter_map(|attribute| Some((attribute.name.as_ref()?, attribute.value.span)));
            for (given, value) in named.filter(|(given, _)| type_def.id_declared_as(&given.text).is_none()) {
                if is_misspelled_secret(&type_def, &given.text) {
                    self.secrets.add(value);
                }
                let new = |message| Diagnostic::new(Code::UnknownResourceAttribute, given.span, message);
                self.diagnostics.push(unknown_attribute(&type_def, &given.text, new));
            }
        }
    }
}
