//! What the providers of this folder share.

use crate::provider::{ProviderError, Request, Select, State, System};
use crate::value::{EcoString, Symbol, Value};
use indexmap::IndexMap;

/// What the property of one thing reads as.
pub(super) type Property = (&'static str, Result<Value, ProviderError>);

/// The wanted ones of a thing's properties.
pub(super) fn pick(select: Select<'_>, properties: impl IntoIterator<Item = Property>) -> State {
    properties.into_iter().filter(|(name, _)| select.wants(name)).map(|(name, value)| (Symbol::from(name), value)).collect()
}

/// The text, or `:absent` where there is none.
pub(super) fn text_or_absent(text: Option<&str>) -> Value {
    text.map_or_else(|| Value::sym("absent"), Value::from)
}

/// White space as Ruby's `\s` has it: only ASCII, with the vertical tab.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}

/// Line-oriented tables such as `/etc/hosts`, each read at most once in a batch.
///
/// As Puppet's `ParsedFile` does, a resource is looked for in the file that its `target` names and in the
/// default one.
pub(super) struct Tables<'a, R> {
    system: &'a System,
    default: &'static str,
    parse: fn(&str) -> Vec<R>,
    read: IndexMap<EcoString, Result<Vec<R>, ProviderError>>,
}

impl<'a, R> Tables<'a, R> {
    /// No table read yet; `parse` makes the records of a table's text.
    pub fn new(system: &'a System, default: &'static str, parse: fn(&str) -> Vec<R>) -> Self {
        Tables { system, default, parse, read: IndexMap::new() }
    }

    /// The records of one file; none when the file is missing.
    pub fn records(&mut self, target: &str) -> Result<&[R], ProviderError> {
        let (system, parse) = (self.system, self.parse);
        let read = || Ok(system.read(target)?.map(|text| parse(&text)).unwrap_or_default());
        match self.read.entry(target.into()).or_insert_with(read) {
            Ok(records) => Ok(records),
            Err(error) => Err(error.clone()),
        }
    }

    /// The first record that fits, with its file: the resource's own `target` goes before the default.
    ///
    /// # Errors
    /// When a file that had to be looked into cannot be read.
    pub fn find(&mut self, request: Request<'_>, fits: impl Fn(&R) -> bool) -> Result<Option<(EcoString, &R)>, ProviderError> {
        let own = request.resource.wanted("target");
        let default = self.default;
        let targets = own.as_text().into_iter().filter(|t| *t != default && t.starts_with('/')).chain([default]);
        let mut found = None;
        for target in targets {
            if let Some(index) = self.records(target)?.iter().position(&fits) {
                found = Some((EcoString::from(target), index));
                break;
            }
        }
        // A second look, because the borrow checker cannot follow a record out of the loop.
        let Some((target, index)) = found else {
            return Ok(None);
        };
        Ok(self.records(&target)?.get(index).map(|record| (target, record)))
    }
}

/// Fixtures and resources for the providers' tests.
#[cfg(test)]
pub(super) mod testing {
    use crate::provider::{Change, Provider, ProviderError, Reading, Request, Resource, Select, State, System};
    use crate::value::Value;

    /// A resource that wants these attributes.
    #[derive(Default)]
    pub struct Wants(pub Vec<(&'static str, Value)>);

    impl Resource for Wants {
        fn wanted(&self, attribute: &str) -> Value {
            self.0.iter().find(|(name, _)| *name == attribute).map(|(_, v)| v.clone()).unwrap_or_default()
        }
    }

    /// A folder of `tests/fixtures/roots`.
    pub fn root(name: &str) -> System {
        System::at(format!("{}/tests/fixtures/roots/{name}", env!("CARGO_MANIFEST_DIR")))
    }

    /// A machine that may be changed: a folder with these files, and with `/etc`.
    pub fn machine(files: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let folder = tempfile::tempdir().unwrap();
        let system = System::at(folder.path());
        std::fs::create_dir(system.path("/etc")).unwrap();
        for (path, text) in files {
            let path = system.path(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        (folder, system)
    }

    /// Changes one resource as a run does, for types with a plain `ensure`: reads it, creates or destroys it or sets what
    /// differs, and flushes.
    pub fn apply(provider: &dyn Provider, system: &System, name: &str, wants: &[(&'static str, Value)]) -> Result<(), ProviderError> {
        let resource = Wants(wants.to_vec());
        let is = get_wanting(provider, system, name, &resource);
        if let Reading::Error(error) = is {
            return Err(error);
        }
        let mut change = Change::new(Request { name, resource: &resource }, &is);
        let absent = resource.wanted("ensure").is_absent();
        match (change.was_there(), absent) {
            (true, true) => drop(provider.call(system, &mut change, "destroy", &[])?),
            (false, false) => drop(provider.call(system, &mut change, "create", &[])?),
            (false, true) => {}
            (true, false) => {
                for property in provider.writes() {
                    let value = resource.wanted(property);
                    if !value.is_nil() && change.was(property) != Some(&value) {
                        provider.set(system, &mut change, property, &value)?;
                    }
                }
            }
        }
        provider.flush(system, &mut [change]).remove(0)
    }

    /// The texts of a list.
    pub fn list(words: &[&str]) -> Value {
        Value::array(words.iter().map(|w| Value::str(*w)))
    }

    /// Reads everything about one name that wants nothing.
    pub fn get(provider: &dyn Provider, system: &System, name: &str) -> Reading {
        get_wanting(provider, system, name, &Wants::default())
    }

    /// Reads everything about one name.
    pub fn get_wanting(provider: &dyn Provider, system: &System, name: &str, resource: &dyn Resource) -> Reading {
        let mut readings = provider.get(system, &[Request { name, resource }], Select::All);
        assert_eq!(readings.len(), 1);
        readings.remove(0)
    }

    /// The state of a thing that must be there.
    pub fn present(reading: Reading) -> State {
        match reading {
            Reading::Present(state) => state,
            other => panic!("not present: {other:?}"),
        }
    }

    /// The message of a reading that must have failed.
    pub fn error(reading: Reading) -> String {
        match reading {
            Reading::Error(e) => e.message,
            other => panic!("no error: {other:?}"),
        }
    }

    /// A state as one line: `ensure=:present ip="::1"`.
    pub fn line(state: &State) -> String {
        let show = |(name, value): (&crate::value::Symbol, &Result<Value, _>)| match value {
            Ok(value) => format!("{name}={}", crate::value::inspect(value)),
            Err(_) => format!("{name}!"),
        };
        state.iter().map(show).collect::<Vec<_>>().join(" ")
    }
}
