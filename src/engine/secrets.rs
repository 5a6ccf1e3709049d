//! What must not be told of a resource, whoever tells it: programs repeat what they were given.

use crate::provider::ProviderError;
use crate::resource::{Asked, Instance};
use crate::value::{REDACTED, Value};

/// How short a secret may be that is looked for in messages: shorter ones would black out half of them.
const SHORTEST: usize = 4;

/// The secrets of one resource as texts.
#[derive(Debug, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Those among the values of an instance.
    pub fn of(instance: &Instance) -> Secrets {
        let mut found = Vec::new();
        for slot in instance.slots.iter() {
            let sensitive = instance.type_def.attribute(slot.id).is_some_and(|a| a.sensitive);
            for value in [&slot.value, slot.seen()] {
                collect(value, sensitive, &mut found);
            }
            if sensitive || slot.value.has_secret() {
                collect(&slot.raw(), sensitive, &mut found);
            }
        }
        Secrets::sorted(found)
    }

    /// Those that a provider is asked about.
    pub fn asked(asked: &Asked<'_>) -> Secrets {
        let mut found = Vec::new();
        for attribute in &asked.type_def.attributes {
            collect(&(asked.wanted)(attribute.name.as_str()), attribute.sensitive, &mut found);
        }
        Secrets::sorted(found)
    }

    /// A secret that holds another one goes first.
    fn sorted(mut found: Vec<String>) -> Secrets {
        found.sort_by_key(|text| std::cmp::Reverse(text.len()));
        found.dedup();
        Secrets(found)
    }

    /// An error without them.
    pub fn scrub_error(&self, error: ProviderError) -> ProviderError {
        ProviderError { message: self.scrub(&error.message), help: error.help.map(|h| self.scrub(&h)) }
    }

    /// A text without them.
    pub fn scrub(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), REDACTED))
    }
}

fn collect(value: &Value, secret: bool, found: &mut Vec<String>) {
    match value {
        Value::Sensitive(inner) => collect(inner, true, found),
        Value::Array(items) => items.iter().for_each(|v| collect(v, secret, found)),
        Value::Map(map) => map.values().for_each(|v| collect(v, secret, found)),
        Value::Str(_) | Value::Int(_) if secret => {
            let text = value.to_text();
            // A text of several lines may be repeated line by line.
            for part in std::iter::once(text.as_str()).chain(text.lines()) {
                if part.len() >= SHORTEST {
                    found.push(part.to_owned());
                }
            }
        }
        _ => {}
    }
}
