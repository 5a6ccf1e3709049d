//! What the standard library says about Ruby classes that read and write files as its native code does.

use rtype_lang::library::{TypeLoader, standard, standard_paths};
use rtype_lang::syntax::quote;
use rtype_lang::types::Setting;
use rtype_lang::value::Value;

/// The setting of a native provider that names the classes.
const SETTING: &str = "ruby_documents";

/// A class, and the settings with which the native provider reads and writes as it does.
pub(super) struct DocumentClass {
    pub class: String,
    /// `TYPE/NAME` of the native provider.
    pub provider: (String, String),
    /// Settings, written.
    pub settings: Vec<(String, String)>,
}

impl DocumentClass {
    /// Returns whether a setting may have several lines.
    pub fn is_repeated(&self) -> bool {
        self.settings.iter().any(|(name, value)| name == "repeated" && value == "true")
    }

    /// Returns a setting, written.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// All such classes.
pub(super) struct Documents(Vec<DocumentClass>);

impl Documents {
    /// Reads the declarations of the standard library.
    pub fn read() -> Documents {
        let mut all = Vec::new();
        let paths: Vec<String> = standard_paths().filter(|path| standard(path).is_some_and(|text| text.contains(SETTING))).collect();
        if paths.is_empty() {
            return Documents(all);
        }
        let types = TypeLoader::default().load();
        for of in paths.iter().filter_map(|path| types.load(path)) {
            for provider in of.providers.values() {
                let Some(Setting::Value(Value::Array(classes))) = provider.settings.get(SETTING) else { continue };
                let named = (of.name.to_string(), provider.name.to_string());
                all.extend(classes.iter().filter_map(|class| class_of(class, named.clone())));
            }
        }
        Documents(all)
    }

    /// Returns whether a provider is native and works with such a class.
    pub fn is_native(&self, of: &str, provider: &str) -> bool {
        self.0.iter().any(|d| d.provider.0 == of && d.provider.1 == provider)
    }

    /// Returns what is known about a class.
    pub fn class(&self, class: &str) -> Option<&DocumentClass> {
        self.0.iter().find(|d| d.class == class.trim_start_matches("::"))
    }

    /// Returns the class that the provider itself works with.
    pub fn of_provider(&self, of: &str, provider: &str) -> Option<&DocumentClass> {
        self.0.iter().find(|d| d.provider.0 == of && d.provider.1 == provider)
    }

    /// Returns whether a text names one of the classes.
    pub fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|d| text.contains(&d.class))
    }
}

fn class_of(value: &Value, provider: (String, String)) -> Option<DocumentClass> {
    let Value::Map(map) = value else { return None };
    let mut found = DocumentClass { class: String::new(), provider, settings: Vec::new() };
    for (key, value) in map.iter() {
        match (key.to_text().as_str(), value) {
            ("class", value) => found.class = value.to_text().to_string(),
            (name, Value::Bool(value)) => found.settings.push((name.to_owned(), value.to_string())),
            (name, value) => found.settings.push((name.to_owned(), quote(&value.to_text()))),
        }
    }
    (!found.class.is_empty()).then_some(found)
}
