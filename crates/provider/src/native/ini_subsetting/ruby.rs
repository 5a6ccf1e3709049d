//! `ini_subsetting/ruby`: parts of the values of settings in INI files.
//!
//! Follows `puppet/provider/ini_subsetting/ruby.rb` of puppetlabs-inifile 5.4.0, with three differences. A full stop may part the
//! parts, where Puppet never finds one again. The value of a part that is found by its whole text is empty rather than what another
//! part has that begins so. And `delete_if_empty => false` keeps an empty setting, as the module's text says; its code takes
//! the word `false` for true.

use super::parts::Parts;
use crate::native::common::{Property, pick, text_or_absent};
use crate::native::ini_setting::document::{Inis, marks, path, text_of};
use crate::native::needs;
use crate::text::ini::{self, Ini, Syntax};
use crate::text::{Text, TextFiles, edit, open_text, predicted_error, records};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Resource, Select, System};
use rtype_lang::value::Value;

/// Reads and writes parts of settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct IniSubsetting;

/// Returns the parts of the resource's setting.
fn parts(ini: &Ini, resource: &dyn Resource) -> Parts {
    let wanted = |name: &str| text_of(resource, name).unwrap_or_default();
    let separator = text_of(resource, "subsetting_separator").unwrap_or_else(|| " ".into());
    let value = ini.get(&wanted("section"), &wanted("setting"));
    Parts::new(value, separator, wanted("quote_char"), wanted("subsetting_key_val_separator"), wanted("use_exact_match") == "true")
}

fn read(inis: &mut Inis<'_>, request: &Request<'_>, select: Select<'_>) -> Result<Reading, ProviderError> {
    let parts = parts(inis.of(request.resource)?, request.resource);
    let name = text_of(request.resource, "subsetting").unwrap_or_default();
    let Some(value) = parts.get(&name) else { return Ok(Reading::Absent) };
    let properties: [Property; 2] = [("ensure", Ok(Value::sym("present"))), ("value", Ok(text_or_absent(Some(value))))];
    Ok(Reading::Present(pick(select, properties)))
}

/// Applies one change to the files.
fn write(files: &mut TextFiles<'_, Text>, change: &Change<'_>) -> Result<(), ProviderError> {
    if change.exists.is_none() && change.should.is_empty() {
        return Ok(());
    }
    let wanted = |name: &str| text_of(change.resource, name);
    let needed = |name: &str| {
        wanted(name).filter(|v| !v.is_empty()).ok_or_else(|| ProviderError::new(format!("a part of a setting needs a `{name}`")))
    };
    let (section, setting, name) = (wanted("section").unwrap_or_default(), needed("setting")?, needed("subsetting")?);
    // The resource sets only the separator; section headers always have brackets.
    let syntax = Syntax::new(ini::Marks { separator: marks(change.resource)?.separator, ..ini::Marks::default() })?;
    let path = path(change.resource)?;
    let in_file = |error: ProviderError| error.context(format!("{path}: "));
    let text = files.open(&path)?;
    let mut parts = parts(&Ini::new(text, &syntax), change.resource);
    if change.exists == Some(false) {
        parts.remove(&name);
        if parts.is_empty() && wanted("delete_if_empty").as_deref() == Some("true") {
            return ini::remove(text, &syntax, &section, &setting).map_err(in_file);
        }
    } else {
        let value = match change.should.get("value") {
            Some(value) => value.unwrapped().to_text().to_string(),
            None => wanted("value").unwrap_or_default(),
        };
        parts.set(&name, &value, &wanted("insert_type").unwrap_or_default(), &wanted("insert_value").unwrap_or_default());
    }
    let written = parts.text();
    if !parts.is_read_from(&written) {
        let message = format!("the part `{name}` would not be read from the setting `{setting}`");
        return Err(in_file(ProviderError::new(message).help("use other separators or quotes")));
    }
    ini::set(text, &syntax, &section, Some((&setting, &written))).map_err(in_file)
}

impl Provider for IniSubsetting {
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let file = if needs::is_removed(request.resource) { None } else { path(request.resource).ok() };
        let refused = predicted_error(system, request, properties, &open_text, write);
        refused.into_iter().chain(file.and_then(|file| Need::directory_of(&file))).collect()
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "value"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let mut inis = Inis::new(system);
        requests.iter().map(|request| read(&mut inis, request, select).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("parts of settings cannot be listed without a file").help("declare the resource with `path`"))
    }

    fn writes(&self) -> &'static [&'static str] {
        &["value"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        edit(system, changes, Replace::default(), &open_text, write)
    }

    fn batch(&self, _: &System) -> usize {
        records::BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, apply, get_wanting, line, machine, present};

    const PATH: &str = "/etc/default/app";
    const TEXT: &str = "# app\nARGS=\"-Xms64m -Xmx512m\"\nEMPTY = a\n";

    fn wants(part: &str, more: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
        let own = [("path", Value::str(PATH)), ("setting", Value::str("ARGS")), ("subsetting", Value::str(part))];
        more.iter().chain(&own).cloned().collect()
    }

    fn after(part: &str, more: &[(&'static str, Value)]) -> String {
        let (_folder, system) = machine(&[(PATH, TEXT)]);
        apply(&IniSubsetting, &system, "x", &wants(part, more)).unwrap();
        system.read(PATH).unwrap().unwrap()
    }

    #[test]
    fn a_part_is_found_by_its_beginning() {
        let (_folder, system) = machine(&[(PATH, TEXT)]);
        let read = |part| get_wanting(&IniSubsetting, &system, "x", &Wants(wants(part, &[])));
        assert_eq!(line(&present(read("-Xmx"))), r#"ensure=:present value="512m""#);
        assert_eq!(read("-Xss"), Reading::Absent);
    }

    #[test]
    fn parts_are_changed_added_and_removed_and_the_quotes_stay() {
        let value = |v| [("value", Value::str(v))];
        assert_eq!(after("-Xmx", &value("1g")), TEXT.replace("512m", "1g"));
        assert_eq!(after("-Xss", &value("1m")), TEXT.replace("-Xmx512m", "-Xmx512m -Xss1m"));
        assert_eq!(after("-Xms", &[("ensure", Value::sym("absent"))]), TEXT.replace("-Xms64m ", ""));
    }

    #[test]
    fn empty_setting_stays_by_default() {
        let gone = |delete| [("ensure", Value::sym("absent")), ("setting", Value::str("EMPTY")), ("delete_if_empty", Value::sym(delete))];
        assert_eq!(after("a", &gone("false")), TEXT.replace("EMPTY = a", "EMPTY = "));
        assert_eq!(after("a", &gone("true")), TEXT.replace("EMPTY = a\n", ""));
    }

    #[test]
    fn missing_setting_is_created() {
        let new = [
            ("setting", Value::str("NEW")),
            ("value", Value::str("1")),
            ("quote_char", Value::str("'")),
            ("key_val_separator", Value::str("=")),
        ];
        assert_eq!(after("-a", &new), format!("{TEXT}NEW='-a1'\n"));
    }
}
