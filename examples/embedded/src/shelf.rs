//! A provider of whole resources: get the current state; create, update or delete resources.
//!
//! Each bulb on the shelf is a file that contains its colour.

use crate::lamps;
use rtype::provider::{ChangeContext, DesiredValues, ListedResource, LogLevel, ProviderError, Replace, Simple, System};
use rtype::value::{Symbol, Value};

pub struct Shelf;

impl Shelf {
    fn write(system: &System, name: &str, should: &DesiredValues) -> Result<(), ProviderError> {
        let colour = should.get("colour").ok_or_else(|| ProviderError::new("a bulb has a colour"))?;
        system.replace(&lamps(&format!("shelf/{name}")), format!("{colour}\n").as_bytes(), Replace::default())
    }
}

impl Simple for Shelf {
    fn properties(&self) -> &'static [&'static str] {
        &["ensure", "colour"]
    }

    fn get(&self, system: &System, names: Option<&[&str]>) -> Result<Vec<ListedResource>, ProviderError> {
        let all: Vec<String> = match names {
            Some(names) => names.iter().map(|n| n.to_string()).collect(),
            None => {
                let shelf = lamps("shelf");
                let entries = std::fs::read_dir(system.path(&shelf)).map_err(|e| System::cannot_read(&shelf, &e))?;
                entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect()
            }
        };
        let mut found = Vec::new();
        for name in all {
            if let Some(colour) = system.read(&lamps(&format!("shelf/{name}")))? {
                let state = [("ensure", Value::sym("present")), ("colour", Value::str(colour.trim_end()))];
                found.push(ListedResource { name: name.into(), state: state.map(|(n, v)| (Symbol::from(n), Ok(v))).into_iter().collect() });
            }
        }
        Ok(found)
    }

    fn create(&self, context: &ChangeContext<'_>, name: &str, should: &DesiredValues) -> Result<(), ProviderError> {
        Shelf::write(context, name, should)
    }

    fn update(&self, context: &ChangeContext<'_>, name: &str, should: &DesiredValues) -> Result<(), ProviderError> {
        context.log(LogLevel::Info, "the old bulb is thrown away");
        Shelf::write(context, name, should)
    }

    fn delete(&self, context: &ChangeContext<'_>, name: &str) -> Result<(), ProviderError> {
        let path = lamps(&format!("shelf/{name}"));
        std::fs::remove_file(context.path(&path)).map_err(|e| System::cannot_write(&path, &e))
    }
}
