//! Providers without code: they are defined by their settings and executed here. See `docs/providers.md`.
//!
//! Settings are evaluated for each resource, so that their blocks have access to the desired values.

mod command_lines;
mod keyed;
mod records;

pub use command_lines::CommandLines;
pub use keyed::Keyed;
pub use records::DeclaredRecords;

use super::{Change, ProviderError, Replace, Request, Resource, ResourceShape};
use indexmap::IndexMap;
use rtype_lang::value::{EcoString, Symbol, Value};

/// Attributes by name, as `parse` returns them and `print` receives them.
type Record = IndexMap<EcoString, Value>;

/// Returns the absolute path of the file, from the settings.
fn file_path(settings: &dyn Resource) -> Result<EcoString, ProviderError> {
    match settings.setting("file_path")? {
        Value::Nil => Err(ProviderError::new("`file_path` is not set").help("set it in the provider: `file_path { … }`")),
        path => super::text::records::full_path(&path.to_text()),
    }
}

/// Returns the file for listing resources.
///
/// # Errors
/// If `file_path` depends on the resource.
pub(crate) fn listed_file(settings: &dyn Resource) -> Result<EcoString, ProviderError> {
    if settings.varies("file_path") {
        let error = ProviderError::new("the resources cannot be listed: `file_path` depends on the resource")
            .at(settings.setting_span("file_path"));
        return Err(error.help("declare the resources, and remove them with `ensure => absent`"));
    }
    file_path(settings)
}

/// Returns the title of the resource that manages a setting of a file: `setting` if the provider's section is constant, `section` if its
/// setting is constant, otherwise `section/setting`. `None` if the constant differs, so that no resource manages
/// the setting.
///
/// # Errors
/// If the provider's section or setting cannot be evaluated.
pub(crate) fn listed_title(settings: &dyn Resource, section: &str, setting: &str) -> Result<Option<EcoString>, ProviderError> {
    let constant = |name: &str| match settings.varies(name) {
        true => Ok(None),
        false => settings.setting(name).map(|value| Some(if value.is_nil() { EcoString::new() } else { value.to_text() })),
    };
    let all_in_section = settings.setting("all_in_section")?;
    let of_section = if all_in_section.is_nil() { constant("section")? } else { Some(all_in_section.to_text()) };
    let of_setting = constant("setting")?;
    let is_other = |constant: &Option<EcoString>, found: &str| constant.as_deref().is_some_and(|constant| constant != found);
    if is_other(&of_section, section) || is_other(&of_setting, setting) {
        return Ok(None);
    }
    Ok(Some(match (of_section, of_setting) {
        (Some(_), _) => setting.into(),
        (None, Some(_)) => section.into(),
        (None, None) => format!("{section}/{setting}").into(),
    }))
}

/// Returns the attributes of a new file: if settings are secret, only its owner may read it.
fn new_file(changes: &[Change<'_>]) -> Result<Replace, ProviderError> {
    let mode = changes.first().map_or(Ok(Value::Nil), |change| change.resource.setting("file_mode"))?;
    if mode.is_nil() {
        return Ok(Replace::default());
    }
    let text = mode.to_text();
    match u32::from_str_radix(&text, 8) {
        Ok(mode) if mode <= 0o7777 => Ok(Replace { mode: Some(mode), ..Replace::default() }),
        _ => Err(ProviderError::new(format!("`file_mode` is octal digits such as \"0600\", not `{text}`"))),
    }
}

/// Returns the attributes that `parse` returned for one resource, `None` if it returned nil.
fn record(shape: &ResourceShape, value: &Value) -> Result<Option<Record>, ProviderError> {
    let map = match value.unwrapped() {
        Value::Nil => return Ok(None),
        Value::Map(map) => map,
        other => return Err(ProviderError::new(format!("`parse` gives a map or nil, not {}", other.kind_name()))),
    };
    let record: Record = map.iter().map(|(k, v)| (k.unwrapped().to_text(), v.unwrapped().clone())).collect();
    match shape.namevars.iter().find(|n| record.get(n.as_str()).is_none_or(Value::is_nil)) {
        Some(missing) => Err(ProviderError::new(format!("what `parse` gives lacks `{missing}`"))),
        None => Ok(Some(record)),
    }
}

/// Returns the texts that identify a record.
fn key_of(shape: &ResourceShape, record: &Record) -> Vec<EcoString> {
    shape.namevars.iter().map(|n| record.get(n.as_str()).map(Value::to_text).unwrap_or_default()).collect()
}

/// Returns the texts that identify a resource.
fn key(shape: &ResourceShape, request: Request<'_>) -> Vec<EcoString> {
    let text = |namevar: &Symbol| match request.resource.wanted(namevar.as_str()) {
        Value::Nil => request.name.into(),
        given => given.to_text(),
    };
    shape.namevars.iter().map(text).collect()
}
