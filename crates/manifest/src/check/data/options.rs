//! `lookup_options` in data.

use crate::compile::types::Type;
use crate::compile::value::ManifestValue;
use crate::functions::bridge::from_plain;
use crate::functions::data::{OPTIONS, Strategy};
use crate::functions::patterns;
use ecow::EcoString;
use rtype_lang::data::{DataNode, Kind};
use rtype_lang::diagnostics::{Code, Diagnostic, did_you_mean};
use rtype_lang::value::{Flags, Regex};
use std::sync::Arc;

/// The options that Puppet reads.
const KNOWN: [&str; 2] = ["merge", "convert_to"];

/// The options of the keys of data files, of which any may be in effect for a node.
#[derive(Default)]
pub(super) struct AllOptions {
    entries: Vec<KeyOptions>,
}

/// The options of a key, or of the keys that match a pattern.
struct KeyOptions {
    key: EcoString,
    /// The pattern of a key that begins with `^`; malformed patterns match every key.
    pattern: Option<Option<Arc<Regex>>>,
    merges: bool,
    converts: bool,
    /// Whether values become secret.
    is_sensitive: bool,
}

/// The effects that options can have on the values of a key.
#[derive(Default)]
pub(super) struct Effects {
    /// Whether the value of a file is only a part of the value, or is converted.
    pub changes: bool,
    /// Whether values become secret.
    pub is_sensitive: bool,
}

impl AllOptions {
    /// Adds the options in a data file. Malformed options have all effects.
    pub fn add(&mut self, data: &DataNode) {
        let Some(Kind::Object(entries)) = data.get(OPTIONS).map(|options| &options.kind) else { return };
        for (key, options) in entries {
            let Some(key) = key.text() else { continue };
            let first = |merge: &DataNode| merge.get("strategy").unwrap_or(merge).text().is_some_and(|name| name == "first");
            let convert = options.get("convert_to");
            let target = convert.and_then(|convert| convert.first().unwrap_or(convert).text());
            self.entries.push(KeyOptions {
                key: key.clone(),
                pattern: key.starts_with('^').then(|| patterns::compile(key, Flags::default()).ok()),
                merges: options.get("merge").is_some_and(|merge| !first(merge)),
                converts: convert.is_some(),
                is_sensitive: target.is_some_and(|target| target.contains("Sensitive")),
            });
        }
    }

    /// Returns the effects that the options can have on a key.
    pub fn effects(&self, key: &str) -> Effects {
        let matches = |pattern: &Option<Arc<Regex>>| pattern.as_ref().is_none_or(|pattern| pattern.is_match(key));
        let is_for = |options: &&KeyOptions| options.key == key || options.pattern.as_ref().is_some_and(matches);
        self.entries.iter().filter(is_for).fold(Effects::default(), |all, options| Effects {
            changes: all.changes || options.merges || options.converts,
            is_sensitive: all.is_sensitive || options.is_sensitive,
        })
    }
}

/// Reports options that Puppet refuses, or does not read.
pub(super) fn malformed(data: &DataNode) -> Vec<Diagnostic> {
    let Some(options) = data.get(OPTIONS).filter(|options| !matches!(options.kind, Kind::Null)) else { return Vec::new() };
    let Kind::Object(entries) = &options.kind else {
        let found = Diagnostic::new(Code::InvalidLookupOptions, options.span, format!("`lookup_options` is {}", options.what()));
        return vec![found.help("write a map with keys, and a map of options for each: `merge`, `convert_to`")];
    };
    let mut found = Vec::new();
    for (key, options) in entries {
        if let Some(pattern) = key.text().filter(|key| key.starts_with('^'))
            && let Err(failure) = patterns::compile(pattern, Flags::default())
            && failure.is_error()
        {
            found.push(Diagnostic::new(Code::InvalidLookupOptions, key.span, format!("the pattern is not a regex: {}", failure.text())));
        }
        match &options.kind {
            Kind::Object(options) => found.extend(options.iter().filter_map(|(name, value)| option(name, value))),
            _ => {
                let message = format!("the options of a key are {}", options.what());
                found.push(Diagnostic::new(Code::InvalidLookupOptions, options.span, message).help("write a map: `merge: hash`"));
            }
        }
    }
    found
}

fn option(name: &DataNode, value: &DataNode) -> Option<Diagnostic> {
    let text = name.text()?;
    let refused = |message: String| Diagnostic::new(Code::InvalidLookupOptions, value.span, message);
    match text.as_str() {
        "merge" => {
            let merge = from_plain(&value.to_value()).ok()?;
            let failure = Strategy::of_value(&merge).err().filter(|failure| failure.is_error() && !has_interpolation(&merge))?;
            let names = ["first", "unique", "hash", "deep"];
            let given = value.get("strategy").unwrap_or(value).text();
            Some(refused(failure.text().to_owned()).maybe_help(given.and_then(|given| did_you_mean(given, names))))
        }
        "convert_to" => {
            let target = value.first().unwrap_or(value);
            match target.text() {
                None => Some(refused(format!("`convert_to` is {}", target.what())).help("write the name of a data type: `Sensitive`")),
                Some(text) if text.contains("%{") => None,
                Some(text) => {
                    Type::parse(text).err().filter(|failure| failure.is_error()).map(|failure| refused(failure.text().to_owned()))
                }
            }
        }
        _ => {
            let message = format!("`lookup_options` has no option `{text}`");
            let found = Diagnostic::new(Code::InvalidLookupOptions, name.span, message);
            let help = did_you_mean(text, KNOWN);
            Some(match help {
                Some(help) => found.help(help),
                None => found.help("the options are `merge` and `convert_to`"),
            })
        }
    }
}

fn has_interpolation(value: &ManifestValue) -> bool {
    match value {
        ManifestValue::String(text) => text.contains("%{"),
        ManifestValue::Hash(map) => map.values().any(has_interpolation),
        _ => false,
    }
}
