//! Registers secrets from declarations with the run's redactor.

use crate::manifest::Declared;
use crate::resource::{Instance, Slot};
use rtype_lang::redact::Redactor;
use rtype_lang::types::{AttributeDef, TypeDef};
use rtype_lang::value::Value;

/// Registers a resource's secret values, both as written and as canonicalized.
pub fn learn(redactor: &Redactor, instance: &Instance) {
    for slot in instance.slots.iter() {
        let Some(attribute) = instance.type_def.attribute(slot.id) else { continue };
        let is_secret = attribute.sensitive || slot.has_secret();
        slot.forms().for_each(|value| learn_value(redactor, attribute, &value, is_secret));
    }
}

/// Registers a declaration's secrets as written, because building the instance may fail.
pub(super) fn learn_declared(redactor: &Redactor, type_def: &TypeDef, declared: &Declared) {
    redactor.add_value(&Value::Str(declared.title.clone()), false, &|_| false);
    for (name, given) in &declared.attributes {
        match type_def.id_declared_as(name).and_then(|id| type_def.attribute(id)) {
            Some(attribute) => learn_value(redactor, attribute, &given.value, attribute.sensitive || given.sensitive),
            None => redactor.add_value(&given.value, given.sensitive, &|_| false),
        }
    }
}

/// Registers the sensitive values in a declaration without a usable type, such as a class.
pub(super) fn learn_untyped(redactor: &Redactor, declared: &Declared) {
    redactor.add_value(&Value::Str(declared.title.clone()), false, &|_| false);
    for given in declared.attributes.values() {
        redactor.add_value(&given.value, given.sensitive, &|text| matches!(text, "true" | "false"));
    }
}

/// Returns true if a resource's attribute is secret: the type marks it as sensitive, or the declared value contains a secret.
pub fn is_secret(instance: &Instance, attribute: &AttributeDef) -> bool {
    let slot = || instance.type_def.id_of(attribute.name.as_str()).and_then(|id| instance.slot(id));
    attribute.sensitive || slot().is_some_and(Slot::has_secret)
}

/// Registers an attribute value if it is secret.
pub fn learn_value(redactor: &Redactor, attribute: &AttributeDef, value: &Value, is_secret: bool) {
    let is_word = |text: &str| matches!(text, "true" | "false") || attribute.values.find(text).is_some();
    redactor.add_value(value, is_secret, &is_word);
}
