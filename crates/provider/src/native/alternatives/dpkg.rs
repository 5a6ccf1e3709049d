//! `alternatives/dpkg`: which alternative of a generic name is selected, using update-alternatives.
//!
//! Follows the provider of that name in Puppet's module voxpupuli-alternatives 3.0.0.

use super::database;
use crate::native::common::{Property, pick, text_or_absent};
use crate::{Change, ListedResource, Provider, ProviderError, Reading, Request, Select, State, System};
use rtype_lang::value::Value;

/// Reads the files of update-alternatives, and runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DpkgAlternatives;

/// Returns the selected properties. The mode is a string, as in Puppet.
fn state(system: &System, group: &database::Group, select: Select<'_>) -> State {
    let path = database::chosen(system, &group.name).map(|path| text_or_absent(path.as_deref()));
    let properties: [Property; 2] = [("path", path), ("mode", Ok(Value::str(if group.is_auto { "auto" } else { "manual" })))];
    pick(select, properties)
}

impl Provider for DpkgAlternatives {
    fn reads(&self) -> &'static [&'static str] {
        &["path", "mode"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let read = |request: &Request<'_>| match database::group(system, request.name) {
            Ok(Some(group)) => Reading::Present(state(system, &group, select)),
            Ok(None) => Reading::Absent,
            Err(error) => Reading::Error(error),
        };
        requests.iter().map(read).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let found = |group: &database::Group| ListedResource { name: group.name.as_str().into(), state: state(system, group, select) };
        Ok(database::groups(system)?.iter().map(found).collect())
    }

    fn writes(&self) -> &'static [&'static str] {
        &["path", "mode"]
    }

    fn set(&self, system: &System, change: &mut Change<'_>, property: &str, value: &Value) -> Result<(), ProviderError> {
        let value = value.unwrapped().to_text();
        let links = database::group(system, change.name)?.map(|group| group.links().collect::<Vec<_>>()).unwrap_or_default();
        match (property, value.as_str()) {
            ("mode", "auto") => database::update(system, ["--auto", change.name], links),
            ("mode", _) => {
                // The current selection: `path` may have been set just before.
                let chosen = database::chosen(system, change.name)?
                    .ok_or_else(|| ProviderError::new(format!("nothing is chosen for `{}`", change.name)).help("give `path`"))?;
                database::update(system, ["--set", change.name, &chosen], links)
            }
            (_, path) => database::update(system, ["--set", change.name, path], links),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::alternatives::database::testing::{log, machine};
    use crate::native::common::testing::{Wants, get, line, present};

    fn set(system: &System, property: &str, value: Value) -> Result<(), ProviderError> {
        let wants = Wants::default();
        let is = get(&DpkgAlternatives, system, "editor");
        let mut change = Change::new(Request { name: "editor", resource: &wants }, &is);
        DpkgAlternatives.set(system, &mut change, property, &value)
    }

    #[test]
    fn what_is_chosen_and_by_whom() {
        let (_folder, system) = machine();
        assert_eq!(line(&present(get(&DpkgAlternatives, &system, "editor"))), r#"path="/usr/bin/vim.tiny" mode="manual""#);
        assert_eq!(get(&DpkgAlternatives, &system, "browser"), Reading::Absent);
        let names: Vec<_> = DpkgAlternatives.instances(&system, Select::All).unwrap().into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["editor", "pager"]);
    }

    #[test]
    fn choosing_by_hand_by_priority_and_what_is_chosen_anyway() {
        let (_folder, system) = machine();
        set(&system, "path", Value::str("/bin/nano")).unwrap();
        set(&system, "mode", Value::sym("auto")).unwrap();
        set(&system, "mode", Value::sym("manual")).unwrap();
        assert_eq!(log(&system), "--set editor /bin/nano\n--auto editor\n--set editor /usr/bin/vim.tiny\n");
    }
}
