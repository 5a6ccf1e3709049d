//! Defaults of types entered at the prompt: `File { mode => '0640' }` applies to later inputs.

use super::answer::Answer;
use super::backend::ReplSession;
use rtype_lang::diagnostics::{Code, Diagnostic};
use rtype_lang::value::{Symbol, Value};
use rtype_model::manifest::{AllDefaults, PrintedResource, TypeDefaults, defaults_to_puppet, is_suspect};
use rtype_model::resource::unknown_attribute;
use std::sync::Arc;

impl ReplSession {
    /// Keeps the defaults of an input for later inputs, and reports them. `undef` removes an earlier default.
    pub(super) fn keep_defaults(&mut self, defaults: AllDefaults, answer: &mut Answer) {
        for (type_name, declared) in defaults {
            let Some(type_def) = self.known_type(type_name.as_str(), declared.type_span, answer) else { continue };
            let unknown = declared.attributes.iter().filter(|(name, _)| type_def.id_declared_as(name).is_none());
            let unknown: Vec<Diagnostic> = unknown
                .map(|(name, given)| {
                    unknown_attribute(&type_def, name, |text| Diagnostic::new(Code::UnknownResourceAttribute, given.name_span, text))
                })
                .collect();
            if !unknown.is_empty() {
                answer.report(unknown);
                continue;
            }
            let entry = self.defaults.entry(type_name.clone());
            let known = entry.or_insert_with(|| TypeDefaults { attributes: Default::default(), ..declared.clone() });
            let (removed, given): (Vec<_>, Vec<_>) = declared.attributes.into_iter().partition(|(_, given)| given.value.is_nil());
            let named = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let gone: Vec<&str> =
                removed.iter().map(|(name, _)| name.as_str()).filter(|name| known.attributes.contains_key(*name)).collect();
            if !gone.is_empty() {
                answer.say(format!("later resources of the type `{type_name}` no longer get these defaults: {}", named(&gone)));
            }
            known.attributes.retain(|name, _| !gone.contains(&name.as_str()));
            if !given.is_empty() {
                let new: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
                answer.say(format!("later resources of the type `{type_name}` get these defaults: {}", named(&new)));
            }
            known.attributes.extend(given);
        }
        self.defaults.retain(|_, defaults| !defaults.attributes.is_empty());
    }

    /// Removes the defaults of a type, or of all types. Returns whether there were any.
    pub(super) fn forget_defaults(&mut self, of_type: Option<&str>, answer: &mut Answer) -> bool {
        let (gone, kept): (AllDefaults, AllDefaults) =
            std::mem::take(&mut self.defaults).into_iter().partition(|(name, _)| of_type.is_none_or(|of_type| name.as_str() == of_type));
        self.defaults = kept;
        for name in gone.keys() {
            answer.say(format!("the defaults of the type `{name}` are forgotten"));
        }
        !gone.is_empty()
    }

    /// Returns the defaults of a type, or of all types, in Puppet's syntax without secrets.
    pub(super) fn defaults_text(&self, of_type: Option<&str>) -> String {
        let wanted = self.defaults.iter().filter(|(name, _)| of_type.is_none_or(|of_type| name.as_str() == of_type));
        wanted.map(|(name, defaults)| defaults_to_puppet(&self.printed(name, defaults))).collect()
    }

    fn printed(&self, type_name: &Symbol, defaults: &TypeDefaults) -> PrintedResource {
        let type_def = self.types.load(type_name.as_str());
        let is_secret = |name: &str| match type_def.as_ref().and_then(|t| t.attribute_named(name)) {
            Some(attribute) => attribute.sensitive,
            None => is_suspect(name),
        };
        let value = |name: &str, value: &Value| if is_secret(name) { Value::Sensitive(Arc::new(value.clone())) } else { value.clone() };
        let attributes = defaults.attributes.iter().map(|(name, given)| (name.clone(), value(name, &given.value))).collect();
        PrintedResource { type_name: type_name.clone(), title: "".into(), attributes }
    }
}
