//! Helpers shared by the native providers.

use crate::{ProviderError, Select, State};
use rtype_lang::value::{Symbol, Value};

/// A property with its current value.
pub(super) type Property = (&'static str, Result<Value, ProviderError>);

/// Returns the selected properties of a resource.
pub(super) fn pick(select: Select<'_>, properties: impl IntoIterator<Item = Property>) -> State {
    properties.into_iter().filter(|(name, _)| select.wants(name)).map(|(name, value)| (Symbol::from(name), value)).collect()
}

/// Returns the text, or `:absent` if there is none.
pub(super) fn text_or_absent(text: Option<&str>) -> Value {
    text.map_or_else(|| Value::sym("absent"), Value::from)
}

/// Fixtures and resources for the providers' tests.
#[cfg(test)]
pub(super) mod testing {
    use crate::{Change, Provider, ProviderError, Reading, Request, Resource, Select, State, System};
    use rtype_lang::value::Value;
    use std::io::Write as _;
    use std::path::Path;
    use std::process::{Command, Stdio};

    /// A resource that wants these attributes.
    #[derive(Default)]
    pub struct Wants(pub Vec<(&'static str, Value)>);

    impl Resource for Wants {
        fn wanted(&self, attribute: &str) -> Value {
            self.0.iter().find(|(name, _)| *name == attribute).map(|(_, v)| v.clone()).unwrap_or_default()
        }
    }

    /// Returns a system for a directory in `tests/fixtures/roots`.
    pub fn root(name: &str) -> System {
        System::at(format!("{}/../../tests/fixtures/roots/{name}", env!("CARGO_MANIFEST_DIR")))
    }

    /// Creates a writable machine: a directory with these files and `/etc`.
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

    /// A program of the machine: a shell script that finds no other program.
    pub fn program(system: &System, name: &str, script: &str) {
        executable(&system.path(&format!("/usr/bin/{name}")), &format!("#!/bin/sh\n{script}\n"));
    }

    /// Writes a program that a test is about to start, and its directory. Another process does the writing: if this one had the file open,
    /// a child that another test starts at that moment would have it open as well, and the kernel starts no program that is being written.
    pub fn executable(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "/bin/cat > \"$0\" && /bin/chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(shell.wait().unwrap().success(), "{}", path.display());
    }

    /// Changes a resource like a run, for types with a plain `ensure`: reads, creates or destroys the resource or sets differing
    /// properties, and flushes.
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

    /// Returns the texts of a list.
    pub fn list(words: &[&str]) -> Value {
        Value::array(words.iter().map(|w| Value::str(*w)))
    }

    /// Reads all properties of a resource without desired values.
    pub fn get(provider: &dyn Provider, system: &System, name: &str) -> Reading {
        get_wanting(provider, system, name, &Wants::default())
    }

    /// Reads everything about one name.
    pub fn get_wanting(provider: &dyn Provider, system: &System, name: &str, resource: &dyn Resource) -> Reading {
        let mut readings = provider.get(system, &[Request { name, resource }], Select::All);
        assert_eq!(readings.len(), 1);
        readings.remove(0)
    }

    /// Returns the state of a thing that must be there.
    pub fn present(reading: Reading) -> State {
        match reading {
            Reading::Present(state) => state,
            other => panic!("not present: {other:?}"),
        }
    }

    /// Returns the message of a reading that must have failed.
    pub fn error(reading: Reading) -> String {
        match reading {
            Reading::Error(e) => e.to_string(),
            other => panic!("no error: {other:?}"),
        }
    }

    /// A state as one line: `ensure=:present ip="::1"`.
    pub fn line(state: &State) -> String {
        let show = |(name, value): (&rtype_lang::value::Symbol, &Result<Value, _>)| match value {
            Ok(value) => format!("{name}={}", rtype_lang::value::inspect(value)),
            Err(_) => format!("{name}!"),
        };
        state.iter().map(show).collect::<Vec<_>>().join(" ")
    }
}
