//! `ini_setting/ruby`: settings of INI files.
//!
//! Follows `puppet/provider/ini_setting/ruby.rb` of puppetlabs-inifile 5.4.0; [`crate::text::ini`] documents how
//! files are parsed and edited. Unlike in Puppet, where the attempt to do so has a bug, a section without settings is
//! removed if a resource without `setting` is absent.

use super::document::{Inis, is_repeated, marks, path, setting_of, text_of};
use crate::declared::{listed_file, listed_title};
use crate::native::common::{Property, pick, text_or_absent};
use crate::native::needs;
use crate::text::ini::{self, Syntax, repeated};
use crate::text::{Text, TextFiles, edit, open_text, predicted_error, records};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Resource, Select, State, System};
use rtype_lang::value::Value;

/// Reads and writes settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct IniSetting;

fn state(value: Option<&str>, select: Select<'_>) -> State {
    let properties: [Property; 2] = [("ensure", Ok(Value::sym("present"))), ("value", Ok(text_or_absent(value)))];
    pick(select, properties)
}

/// Returns the state of a setting that may have several lines.
fn state_of_all(values: &[&str], select: Select<'_>) -> State {
    let all = Value::array(values.iter().map(|v| Value::str(*v)));
    let properties: [Property; 2] = [("ensure", Ok(Value::sym("present"))), ("value", Ok(all))];
    pick(select, properties)
}

fn read(inis: &mut Inis<'_>, request: &Request<'_>, select: Select<'_>) -> Result<Reading, ProviderError> {
    let wanted = |name: &str| setting_of(request.resource, name, name);
    let section = wanted("section")?.unwrap_or_default();
    let all = is_repeated(request.resource)?;
    let ini = inis.of(request.resource)?;
    Ok(match wanted("setting")? {
        Some(setting) if all => match ini.all(&section, &setting).as_slice() {
            [] => Reading::Absent,
            values => Reading::Present(state_of_all(values, select)),
        },
        None if ini.sections.contains(&section) => Reading::Present(state(None, select)),
        None => Reading::Absent,
        Some(setting) => match ini.get(&section, &setting) {
            Some(value) => Reading::Present(state(Some(value), select)),
            None => Reading::Absent,
        },
    })
}

/// Applies one change to the files.
fn write(files: &mut TextFiles<'_, Text>, change: &Change<'_>) -> Result<(), ProviderError> {
    if change.exists.is_none() && change.should.is_empty() {
        return Ok(());
    }
    let syntax = Syntax::new(marks(change.resource)?)?;
    let wanted = |name: &str| setting_of(change.resource, name, name);
    let section = wanted("section")?.unwrap_or_default();
    let path = path(change.resource)?;
    let text = files.open(&path)?;
    let value = || match change.should.get("value") {
        Some(value) => value.unwrapped().clone(),
        None => change.resource.wanted("value"),
    };
    let all = is_repeated(change.resource)?;
    let setting = wanted("setting")?;
    let written = match (&setting, change.exists) {
        (Some(setting), Some(false)) if all => repeated::remove(text, &syntax, &section, setting),
        (Some(setting), _) if all => {
            let values: Vec<String> = match value() {
                Value::Nil => return Err(ProviderError::new("`value` is not set").help("set `value`")),
                Value::Array(all) => all.iter().map(|v| v.unwrapped().to_text().into()).collect(),
                one => vec![one.to_text().into()],
            };
            repeated::set(text, &syntax, &section, setting, &values)
        }
        (Some(setting), Some(false)) => ini::remove(text, &syntax, &section, setting),
        (None, Some(false)) => ini::remove_section(text, &syntax, &section),
        (Some(setting), _) => {
            let value = match change.should.get("value") {
                Some(value) => value.unwrapped().to_text().to_string(),
                None => text_of(change.resource, "value").unwrap_or_default(),
            };
            ini::set(text, &syntax, &section, Some((setting, &value)))
        }
        (None, _) if change.resource.wanted("value").is_nil() => ini::set(text, &syntax, &section, None),
        (None, _) => {
            return Err(ProviderError::new("a value needs the name of a setting")
                .help("set `setting`")
                .of_kind(crate::ErrorKind::MissingAttribute));
        }
    };
    written.map_err(|error| error.context(format!("{path}: ")))
}

impl Provider for IniSetting {
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

    fn queries(&self) -> &'static [&'static str] {
        &["section?"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let mut inis = Inis::new(system);
        requests.iter().map(|request| read(&mut inis, request, select).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let error = ProviderError::new("settings cannot be listed without a file");
        Err(error.help("define a type for the file that derives from this one"))
    }

    /// Follows Puppet's `namevar`: a setting is called by its section and its name.
    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        if settings.setting("file_path")?.is_nil() || settings.setting("unlisted")?.is_truthy() {
            return self.instances(system, select);
        }
        listed_file(settings)?;
        let all = is_repeated(settings)?;
        let mut inis = Inis::new(system);
        let ini = inis.of(settings)?;
        let mut found = Vec::new();
        for ((section, setting), value) in &ini.settings {
            let Some(name) = listed_title(settings, section, setting)? else { continue };
            let state = if all { state_of_all(&ini.all(section, setting), select) } else { state(Some(value), select) };
            found.push(ListedResource { name, state });
        }
        Ok(found)
    }

    fn query(&self, system: &System, request: Request<'_>, method: &str, _: &[Value]) -> Result<Value, ProviderError> {
        match method {
            "section?" => {
                let section = setting_of(request.resource, "section", "section")?.unwrap_or_default();
                Ok(Inis::new(system).of(request.resource)?.sections.contains(&section).into())
            }
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
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

    const PATH: &str = "/etc/app.ini";

    /// A resource of a provider with settings that may be repeated.
    struct Repeated(Wants);

    impl Resource for Repeated {
        fn wanted(&self, attribute: &str) -> Value {
            self.0.wanted(attribute)
        }

        fn setting(&self, name: &str) -> Result<Value, ProviderError> {
            Ok(if name == "repeated" { Value::Bool(true) } else { Value::Nil })
        }
    }

    #[test]
    fn all_values_of_a_repeated_setting_are_read() {
        let (_folder, system) = machine(&[(PATH, "[s]\na = 1\nb = 1\na = 2\n")]);
        let read = |setting| {
            let resource = Repeated(Wants(wants("s", setting, &[])));
            let request = Request { name: "x", resource: &resource };
            IniSetting.get(&system, &[request], Select::All).remove(0)
        };
        assert_eq!(line(&present(read("a"))), r#"ensure=:present value=["1", "2"]"#);
        assert_eq!(line(&present(read("b"))), r#"ensure=:present value=["1"]"#);
        assert_eq!(read("c"), Reading::Absent);
    }

    const TEXT: &str = "; app\n[one]\n  a = 1\n#b = 2\n\n[two]\nc=3";

    fn wants(section: &str, setting: &str, more: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
        let own = [("path", Value::str(PATH)), ("section", Value::str(section)), ("setting", Value::str(setting))];
        // The default of the type.
        let separator = [("key_val_separator", Value::str(" = "))];
        let is_given = more.iter().any(|(name, _)| *name == "key_val_separator");
        let more = more.iter().chain(&own).chain(separator.iter().filter(|_| !is_given)).filter(|(_, v)| v.as_text() != Some("-"));
        more.cloned().collect()
    }

    fn after(section: &str, setting: &str, more: &[(&'static str, Value)]) -> String {
        let (_folder, system) = machine(&[(PATH, TEXT)]);
        apply(&IniSetting, &system, "x", &wants(section, setting, more)).unwrap();
        system.read(PATH).unwrap().unwrap()
    }

    #[test]
    fn a_setting_is_read_from_its_section() {
        let (_folder, system) = machine(&[(PATH, TEXT)]);
        let read = |section, setting| get_wanting(&IniSetting, &system, "x", &Wants(wants(section, setting, &[])));
        assert_eq!(line(&present(read("one", "a"))), r#"ensure=:present value="1""#);
        assert_eq!(read("two", "a"), Reading::Absent);
        assert_eq!(line(&present(read("two", "-"))), "ensure=:present value=:absent");
        assert_eq!(read("three", "-"), Reading::Absent);
    }

    #[test]
    fn settings_are_changed_added_and_removed() {
        let value = |v| [("value", Value::str(v))];
        assert_eq!(after("one", "a", &value("9")), TEXT.replace("a = 1", "a = 9"));
        assert_eq!(after("one", "b", &value("9")), TEXT.replace("#b = 2\n", "#b = 2\n  b = 9\n"));
        assert_eq!(after("two", "c", &value("9")), TEXT.replace("c=3", "c=9"));
        assert_eq!(after("three", "d", &value("9")), format!("{TEXT}\n\n[three]\nd = 9\n"));
        assert_eq!(after("two", "c", &[("ensure", Value::sym("absent"))]), TEXT.replace("[two]\nc=3", ""));
        assert_eq!(after("three", "-", &[]), format!("{TEXT}\n\n[three]\n"));
    }

    #[test]
    fn the_marks_are_the_resources() {
        let marks = [
            ("value", Value::str("9")),
            ("key_val_separator", Value::str(": ")),
            ("section_prefix", Value::str("<")),
            ("section_suffix", Value::str(">")),
            ("indent_char", Value::str("\t")),
            ("indent_width", Value::Int(2)),
        ];
        let (_folder, system) = machine(&[(PATH, "<s>\na: 1\n")]);
        apply(&IniSetting, &system, "x", &wants("s", "b", &marks)).unwrap();
        assert_eq!(system.read(PATH).unwrap().unwrap(), "<s>\na: 1\n\t\tb: 9\n");
    }

    #[test]
    fn missing_file_is_created_but_not_its_directory() {
        let (_folder, system) = machine(&[]);
        apply(&IniSetting, &system, "x", &wants("s", "a", &[("value", Value::str("1"))])).unwrap();
        assert_eq!(system.read(PATH).unwrap().unwrap(), "[s]\na = 1\n");
        // Without the type's default, for providers of other types: as Puppet.
        let (_folder, system) = machine(&[]);
        let plain = [("path", Value::str(PATH)), ("section", Value::str("s")), ("setting", Value::str("a")), ("value", Value::str("1"))];
        apply(&IniSetting, &system, "x", &plain).unwrap();
        assert_eq!(system.read(PATH).unwrap().unwrap(), "[s]\na=1\n");
        let elsewhere = [("path", Value::str("/missing/app.ini")), ("setting", Value::str("a")), ("value", Value::str("1"))];
        apply(&IniSetting, &system, "x", &elsewhere).unwrap_err();
    }

    #[test]
    fn a_value_of_two_lines_is_refused() {
        let (_folder, system) = machine(&[(PATH, TEXT)]);
        apply(&IniSetting, &system, "x", &wants("one", "a", &[("value", Value::str("1\n[two]"))])).unwrap_err();
        assert_eq!(system.read(PATH).unwrap().unwrap(), TEXT);
    }

    #[test]
    fn whether_there_is_a_section_can_be_asked() {
        let (_folder, system) = machine(&[(PATH, TEXT)]);
        let ask = |section| {
            let resource = Wants(wants(section, "a", &[]));
            IniSetting.query(&system, Request { name: "x", resource: &resource }, "section?", &[])
        };
        assert_eq!((ask("one"), ask("three")), (Ok(Value::Bool(true)), Ok(Value::Bool(false))));
    }
}
