//! Registers secrets with a run's redactor before programs are started or messages are formatted.

use rtype_lang::redact::Redactor;
use rtype_lang::types::TypeDef;
use rtype_model::declare::{is_secret, learn_value};
use rtype_model::resource::{Instance, QueryContext};
use rtype_provider::{Reading, State};

/// Registers the values of the resource in a provider query.
pub(super) fn learn_asked(redactor: &Redactor, asked: &QueryContext<'_>) {
    for attribute in &asked.type_def.attributes {
        learn_value(redactor, attribute, &(asked.wanted)(attribute.name.as_str()), attribute.sensitive);
    }
}

/// Registers the values read from a resource.
pub(super) fn learn_reading(redactor: &Redactor, instance: &Instance, reading: &Reading) {
    let Reading::Present(state) = reading else { return };
    for (name, value) in state {
        let Some(attribute) = instance.type_def.attribute_named(name.as_str()) else { continue };
        if let Ok(value) = value {
            learn_value(redactor, attribute, value, is_secret(instance, attribute));
        }
    }
}

/// Registers the values of a listed resource.
pub(super) fn learn_state(redactor: &Redactor, type_def: &TypeDef, state: &State) {
    for (name, value) in state {
        if let (Some(attribute), Ok(value)) = (type_def.attribute_named(name.as_str()), value) {
            learn_value(redactor, attribute, value, attribute.sensitive);
        }
    }
}

/// Removes program output from errors about unreadable secrets, because the redactor cannot know the values.
pub(super) fn without_unread(reading: Reading, instance: &Instance) -> Reading {
    let Reading::Present(mut state) = reading else { return reading };
    for (name, value) in &mut state {
        let attribute = instance.type_def.attribute_named(name.as_str()).filter(|a| is_secret(instance, a));
        if let (Some(_), Err(error)) = (attribute, value) {
            error.message = std::mem::take(&mut error.message).without_output();
            error.help = error.help.take().map(rtype_lang::redact::Foreign::without_output);
        }
    }
    Reading::Present(state)
}
