//! `alternative_entry/dpkg`: the alternatives of a generic name, managed with update-alternatives.
//!
//! Follows the provider of the same name in Puppet's module voxpupuli-alternatives 3.0.0, with one difference: a new
//! priority is set on the existing entry, whereas Puppet removes and recreates the entry. That would lose its slave
//! links (manuals) and, if it was selected manually, the selection.

use crate::native::alternatives::database::{self, Entry, Group};
use crate::native::common::{Property, pick};
use crate::native::needs;
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Select, State, System, Thing};
use rtype_lang::value::{EcoString, Value};

/// Reads the files of update-alternatives, and runs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DpkgAlternativeEntry;

fn state(group: &Group, entry: &Entry, select: Select<'_>) -> State {
    let text = |text: &str| Ok(Value::str(text));
    let properties: [Property; 4] = [
        ("ensure", Ok(Value::sym("present"))),
        ("altlink_ro", text(&group.link)),
        ("altname", text(&group.name)),
        ("priority", text(&entry.priority)),
    ];
    pick(select, properties)
}

/// Returns the path of the program. Path and generic link together identify an entry.
fn path(request: Request<'_>) -> EcoString {
    match request.resource.wanted("name") {
        Value::Str(path) => path,
        _ => request.name.into(),
    }
}

/// Finds the entry of a resource: by the desired generic name, or by the generic link if no name is set.
fn find(system: &System, request: Request<'_>) -> Result<Option<(Group, usize)>, ProviderError> {
    let wanted = |attribute: &str| request.resource.wanted(attribute).as_text().map(EcoString::from);
    let groups = match wanted("altname") {
        Some(name) => database::group(system, &name)?.into_iter().collect(),
        None => database::groups(system)?,
    };
    let link = wanted("altlink").filter(|_| wanted("altname").is_none());
    let path = path(request);
    let place = |group: &Group| group.entries.iter().position(|e| e.path == path.as_str());
    let mut fitting = groups.into_iter().filter(|group| link.as_deref().is_none_or(|link| link == group.link));
    Ok(fitting.find_map(|group| place(&group).map(|place| (group, place))))
}

fn install(system: &System, change: &Change<'_>) -> Result<(), ProviderError> {
    let found = find(system, change.request())?;
    let entry = found.as_ref().and_then(|(group, place)| Some((group, group.entries.get(*place)?)));
    let wanted = |attribute: &str, is: Option<&str>| {
        let value = change.resource.wanted(attribute);
        let value = if value.is_nil() { is.map(EcoString::from) } else { Some(value.unwrapped().to_text()) };
        value.ok_or_else(|| {
            ProviderError::new(format!("an alternative needs `{attribute}`"))
                .help("give `altlink`, `altname` and `priority`")
                .of_kind(crate::ErrorKind::MissingAttribute)
        })
    };
    let mut arguments: Vec<String> = vec!["--install".into()];
    let link = wanted("altlink", entry.map(|(g, _)| g.link.as_str()))?.to_string();
    arguments.push(link.clone());
    arguments.push(wanted("altname", entry.map(|(g, _)| g.name.as_str()))?.to_string());
    arguments.push(path(change.request()).to_string());
    arguments.push(wanted("priority", entry.map(|(_, e)| e.priority.as_str()))?.to_string());
    arguments.extend(entry.map(|(group, entry)| group.keeping(entry)).unwrap_or_default());
    let links = entry.map(|(group, _)| group.links().collect::<Vec<_>>()).unwrap_or_default();
    database::update(system, arguments, links.into_iter().chain([link]))
}

impl Provider for DpkgAlternativeEntry {
    fn needs(&self, system: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        let declared = request.resource.wanted("altlink").as_text().map(str::to_owned);
        let links = find(system, request).ok().flatten().map(|(group, _)| group.links().collect::<Vec<_>>());
        let refused = |link: String| database::refused(system, &link);
        let mut needed: Vec<Need> =
            links.into_iter().flatten().chain(declared).filter_map(refused).map(|error| Need::impossible(&error)).collect();
        if !needs::is_removed(request.resource) {
            let program = request.name;
            needed.push(Need::new(Thing::File(program.into()), format!("the program {program} does not exist")));
        }
        needed
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "altlink_ro", "altname", "priority"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let read = |request: &Request<'_>| match find(system, *request) {
            Ok(found) => {
                let state = found.and_then(|(group, place)| Some(state(&group, group.entries.get(place)?, select)));
                state.map_or(Reading::Absent, Reading::Present)
            }
            Err(error) => Reading::Error(error),
        };
        requests.iter().map(read).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let mut found = Vec::new();
        for group in database::groups(system)? {
            for entry in &group.entries {
                let mut state = state(&group, entry, select);
                state.insert("altlink".into(), Ok(Value::str(group.link.as_str())));
                found.push(ListedResource { name: entry.path.as_str().into(), state });
            }
        }
        Ok(found)
    }

    fn writes(&self) -> &'static [&'static str] {
        &["altname", "priority"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let write = |change: &mut Change<'_>| {
            let (exists, changed) = (change.exists.take(), !std::mem::take(&mut change.should).is_empty());
            match exists {
                Some(false) => match find(system, change.request())? {
                    Some((group, _)) => database::update(system, ["--remove", &group.name, path(change.request()).as_str()], group.links()),
                    None => Ok(()),
                },
                Some(true) => install(system, change),
                None if changed => install(system, change),
                None => Ok(()),
            }
        };
        changes.iter_mut().map(write).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::alternatives::database::testing::{log, machine};
    use crate::native::common::testing::{Wants, get_wanting, line, present};

    fn wants(all: &[(&'static str, &str)]) -> Wants {
        Wants(all.iter().map(|(name, value)| (*name, Value::str(*value))).collect())
    }

    fn flush(system: &System, name: &str, wants: &Wants, note: impl Fn(&mut Change<'_>)) -> Result<(), ProviderError> {
        let is = get_wanting(&DpkgAlternativeEntry, system, name, wants);
        let mut changes = [Change::new(Request { name, resource: wants }, &is)];
        note(&mut changes[0]);
        DpkgAlternativeEntry.flush(system, &mut changes).remove(0)
    }

    #[test]
    fn an_entry_is_known_by_its_path_and_the_name_or_the_link() {
        let (_folder, system) = machine();
        let shown = r#"ensure=:present altlink_ro="/usr/bin/editor" altname="editor" priority="15""#;
        for one in [&[("altname", "editor")][..], &[("altlink", "/usr/bin/editor")], &[]] {
            assert_eq!(line(&present(get_wanting(&DpkgAlternativeEntry, &system, "/usr/bin/vim.tiny", &wants(one)))), shown);
        }
        let both = wants(&[("name", "/usr/bin/vim.tiny"), ("altlink", "/usr/bin/editor")]);
        assert_eq!(line(&present(get_wanting(&DpkgAlternativeEntry, &system, "/usr/bin/vim.tiny//usr/bin/editor", &both))), shown);
        for other in [("altname", "pager"), ("altlink", "/usr/bin/pager")] {
            assert_eq!(get_wanting(&DpkgAlternativeEntry, &system, "/usr/bin/vim.tiny", &wants(&[other])), Reading::Absent);
        }
    }

    #[test]
    fn a_new_entry_is_installed_and_an_old_one_removed() {
        let (_folder, system) = machine();
        let emacs = wants(&[("altlink", "/usr/bin/editor"), ("altname", "editor"), ("priority", "50")]);
        flush(&system, "/usr/bin/emacs", &emacs, |change| drop(change.note("create").unwrap())).unwrap();
        flush(&system, "/bin/nano", &wants(&[]), |change| drop(change.note("destroy").unwrap())).unwrap();
        assert_eq!(log(&system), "--install /usr/bin/editor editor /usr/bin/emacs 50\n--remove editor /bin/nano\n");
    }

    #[test]
    fn a_changed_priority_leaves_the_manual_where_it_is() {
        let (_folder, system) = machine();
        let nano = wants(&[("altname", "editor"), ("priority", "5")]);
        flush(&system, "/bin/nano", &nano, |change| drop(change.should.insert("priority".into(), Value::str("5")))).unwrap();
        let expected = "--install /usr/bin/editor editor /bin/nano 5 \
                        --slave /usr/share/man/man1/editor.1.gz editor.1.gz /usr/share/man/man1/nano.1.gz\n";
        assert_eq!(log(&system), expected);
    }

    #[test]
    fn links_below_directories_of_other_users_are_foreseen_and_refused() {
        if !nix::unistd::Uid::effective().is_root() {
            eprintln!("skipped: needs root");
            return;
        }
        let (folder, system) = machine();
        std::fs::create_dir_all(folder.path().join("home/eve")).unwrap();
        std::os::unix::fs::chown(folder.path().join("home/eve"), Some(65534), Some(65534)).unwrap();
        let eve = wants(&[("altlink", "/home/eve/editor"), ("altname", "eve"), ("priority", "50")]);
        let request = Request { name: "/usr/bin/emacs", resource: &eve };
        let foreseen = DpkgAlternativeEntry.needs(&system, request, &["ensure"]).remove(0);
        assert!(foreseen.any_of.is_empty());
        let refused = flush(&system, request.name, &eve, |change| drop(change.note("create").unwrap())).unwrap_err();
        assert!(
            refused.message.starts_with("cannot run `update-alternatives`: another user controls the path /home/eve/editor"),
            "{refused}"
        );
        assert_eq!(foreseen, Need::impossible(&refused));
    }

    #[test]
    fn what_is_missing_is_said() {
        let (_folder, system) = machine();
        let result = flush(&system, "/usr/bin/emacs", &wants(&[("altname", "editor")]), |c| drop(c.note("create").unwrap()));
        assert_eq!(result.unwrap_err().message, "an alternative needs `altlink`");
        assert_eq!(log(&system), "");
    }
}
