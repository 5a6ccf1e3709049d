//! `keyed`: text files of sections and settings.

use super::{file_path, listed_file, listed_title, new_file};
use crate::text::ini::{self, Ini, Marks, Syntax};
use crate::text::{Text, TextFiles, edit, open_text, predicted_error};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Resource, ResourceShape, Select, State, System};
use rtype_lang::value::{EcoString, Symbol, Value};

/// How many resources one flush takes.
const BATCH: usize = usize::MAX;

/// Reads and writes settings where `file_path`, `section` and `setting` say.
pub struct Keyed {
    shape: ResourceShape,
    /// The property that is the setting's value.
    property: Symbol,
}

/// The location of a setting.
struct SettingLocation {
    path: EcoString,
    section: EcoString,
    setting: EcoString,
    syntax: Syntax,
}

/// Returns the syntax of the files.
fn syntax(settings: &dyn Resource) -> Result<Syntax, ProviderError> {
    let usual = Marks::default();
    let text = |name: &str, usual: String| -> Result<String, ProviderError> {
        Ok(match settings.setting(name)? {
            Value::Nil => usual,
            value => value.to_text().into(),
        })
    };
    Syntax::new(Marks {
        separator: text("separator", usual.separator)?,
        prefix: text("section_prefix", usual.prefix)?,
        suffix: text("section_suffix", usual.suffix)?,
        ..Marks::default()
    })
}

impl Keyed {
    /// Creates a provider for resources of this shape; `property` holds the value of a setting.
    pub fn new(shape: ResourceShape, property: Symbol) -> Keyed {
        Keyed { shape, property }
    }

    fn is_list(&self) -> bool {
        self.shape.attributes.get(&self.property).is_some_and(|a| a.is_list)
    }

    fn place(settings: &dyn Resource) -> Result<SettingLocation, ProviderError> {
        let setting = settings.setting("setting")?;
        if setting.is_nil() {
            return Err(ProviderError::new("`setting` is not set").help("set it in the provider: `setting { … }`"));
        }
        let section = settings.setting("section")?;
        let section = if section.is_nil() { EcoString::new() } else { section.to_text() };
        Ok(SettingLocation { path: file_path(settings)?, section, setting: setting.to_text(), syntax: syntax(settings)? })
    }

    /// Returns the state for the values of a setting: all of them if the property is a list, else the last one.
    fn state(&self, values: &[String], path: &str, select: Select<'_>) -> State {
        let value = match (self.is_list(), values.last()) {
            (true, _) => Value::array(values.iter().map(|v| Value::str(v.as_str()))),
            (false, last) => last.map_or_else(|| Value::sym("absent"), |v| Value::str(v.as_str())),
        };
        let of = |name: &str| match name {
            "ensure" => Some(Value::sym("present")),
            name if name == self.property.as_str() => Some(value.clone()),
            _ => None,
        };
        self.shape.state_of(&of, select, &format!("{path} says that")).unwrap_or_default()
    }

    fn read(&self, files: &mut TextFiles<'_, Text>, request: Request<'_>, select: Select<'_>) -> Result<Reading, ProviderError> {
        let place = Self::place(request.resource)?;
        let values = ini::values(files.open(&place.path)?, &place.syntax, &place.section, &place.setting);
        Ok(if values.is_empty() { Reading::Absent } else { Reading::Present(self.state(&values, &place.path, select)) })
    }

    fn write(&self, files: &mut TextFiles<'_, Text>, change: &Change<'_>) -> Result<(), ProviderError> {
        if change.exists.is_none() && change.should.is_empty() {
            return Ok(());
        }
        let place = Self::place(change.resource)?;
        let text = files.open(&place.path)?;
        if change.exists == Some(false) {
            return ini::remove(text, &place.syntax, &place.section, &place.setting).map_err(|e| e.context(format!("{}: ", place.path)));
        }
        let wanted = match change.should.get(&self.property) {
            Some(value) => value.unwrapped().clone(),
            None => change.resource.wanted(self.property.as_str()),
        };
        let values: Vec<String> = match &wanted {
            Value::Nil => Vec::new(),
            Value::Array(all) => all.iter().map(|v| v.unwrapped().to_text().into()).collect(),
            one => vec![one.to_text().into()],
        };
        if values.is_empty() {
            return Err(ProviderError::new(format!("a setting needs a `{}`", self.property)));
        }
        let values = if self.is_list() { values.as_slice() } else { values.get(..1).unwrap_or_default() };
        ini::set_all(text, &place.syntax, &place.section, &place.setting, values).map_err(|e| e.context(format!("{}: ", place.path)))
    }
}

impl Provider for Keyed {
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let refused = predicted_error(system, request, properties, &open_text, |files, change| self.write(files, change));
        let file = if request.resource.wanted("ensure").is_absent() { None } else { file_path(request.resource).ok() };
        refused.into_iter().chain(file.and_then(|file| Need::directory_of(&file))).collect()
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &[]
    }

    fn can_read(&self, property: &str) -> bool {
        property == "ensure" || property == self.property.as_str()
    }

    fn can_write(&self, property: &str) -> bool {
        property == self.property.as_str()
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let mut files = TextFiles::new(system, &open_text);
        requests.iter().map(|request| self.read(&mut files, *request, select).unwrap_or_else(Reading::Error)).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        Err(ProviderError::new("a provider of settings lists nothing without its own settings"))
    }

    /// Derives titles as Puppet does: `section/setting`, or only the part that differs between resources.
    fn instances_of(&self, system: &System, settings: &dyn Resource, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let path = listed_file(settings)?;
        let mut files = TextFiles::new(system, &open_text);
        let text = files.open(&path)?;
        let syntax = syntax(settings)?;
        let mut found = Vec::new();
        for (section, setting) in Ini::new(text, &syntax).settings.keys() {
            let Some(name) = listed_title(settings, section, setting)? else { continue };
            let values = ini::values(text, &syntax, section, setting);
            found.push(ListedResource { name, state: self.state(&values, &path, select) });
        }
        Ok(found)
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        match new_file(changes) {
            Ok(new) => edit(system, changes, new, &open_text, |files, change| self.write(files, change)),
            Err(e) => changes.iter().map(|_| Err(e.clone())).collect(),
        }
    }

    fn batch(&self, _: &System) -> usize {
        BATCH
    }
}
