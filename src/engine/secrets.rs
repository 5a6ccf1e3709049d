//! What the redactor of a run has to know before a program is started or a message is made.

use crate::manifest::Declared;
use crate::provider::{Reading, State};
use crate::redact::Redactor;
use crate::resource::{Asked, Instance};
use crate::types::{AttributeDef, TypeDef};
use crate::value::Value;

/// Learns the values that a resource is given, as they were written and as they became.
pub(super) fn learn(redactor: &Redactor, instance: &Instance) {
    for slot in instance.slots.iter() {
        let Some(attribute) = instance.type_def.attribute(slot.id) else { continue };
        let is_secret = is_secret(instance, attribute);
        for value in [&slot.value, slot.seen(), &slot.raw()] {
            learn_value(redactor, attribute, value, is_secret);
        }
    }
}

/// Learns the secrets of a declaration as they are written: no instance may come of it.
pub(super) fn learn_declared(redactor: &Redactor, type_def: &TypeDef, declared: &Declared) {
    redactor.add_value(&Value::Str(declared.title.clone()), false, &|_| false);
    for (name, given) in &declared.attributes {
        match type_def.id_declared_as(name).and_then(|id| type_def.attribute(id)) {
            Some(attribute) => learn_value(redactor, attribute, &given.value, attribute.sensitive || given.sensitive),
            None => redactor.add_value(&given.value, given.sensitive, &|_| false),
        }
    }
}

/// Learns what a declaration without a type says is secret: that of a class, or of a type that cannot be used.
pub(super) fn learn_untyped(redactor: &Redactor, declared: &Declared) {
    redactor.add_value(&Value::Str(declared.title.clone()), false, &|_| false);
    for given in declared.attributes.values() {
        redactor.add_value(&given.value, given.sensitive, &|text| matches!(text, "true" | "false"));
    }
}

/// Learns the values that a provider is asked about.
pub(super) fn learn_asked(redactor: &Redactor, asked: &Asked<'_>) {
    for attribute in &asked.type_def.attributes {
        learn_value(redactor, attribute, &(asked.wanted)(attribute.name.as_str()), attribute.sensitive);
    }
}

/// Learns the values that were read of a resource.
pub(super) fn learn_reading(redactor: &Redactor, instance: &Instance, reading: &Reading) {
    let Reading::Present(state) = reading else { return };
    for (name, value) in state {
        let Some(attribute) = instance.type_def.attribute_named(name.as_str()) else { continue };
        if let Ok(value) = value {
            learn_value(redactor, attribute, value, is_secret(instance, attribute));
        }
    }
}

/// Learns the values of a thing that was listed.
pub(super) fn learn_state(redactor: &Redactor, type_def: &TypeDef, state: &State) {
    for (name, value) in state {
        if let (Some(attribute), Ok(value)) = (type_def.attribute_named(name.as_str()), value) {
            learn_value(redactor, attribute, value, attribute.sensitive);
        }
    }
}

/// What was read, with the output of programs taken out of errors about secrets: of a value that could not be read nothing is known.
pub(super) fn without_unread(reading: Reading, instance: &Instance) -> Reading {
    let Reading::Present(mut state) = reading else { return reading };
    for (name, value) in &mut state {
        let attribute = instance.type_def.attribute_named(name.as_str()).filter(|a| is_secret(instance, a));
        if let (Some(_), Err(error)) = (attribute, value) {
            error.message = std::mem::take(&mut error.message).without_output();
            error.help = error.help.take().map(crate::redact::Foreign::without_output);
        }
    }
    Reading::Present(state)
}

/// Whether an attribute of a resource is secret: by its type, or because a secret is declared for it.
fn is_secret(instance: &Instance, attribute: &AttributeDef) -> bool {
    let slot = || instance.type_def.id_of(attribute.name.as_str()).and_then(|id| instance.slot(id));
    attribute.sensitive || slot().is_some_and(|slot| slot.value.has_secret() || slot.raw().has_secret())
}

fn learn_value(redactor: &Redactor, attribute: &AttributeDef, value: &Value, is_secret: bool) {
    let is_word = |text: &str| matches!(text, "true" | "false") || attribute.values.find(text).is_some();
    redactor.add_value(value, is_secret, &is_word);
}
