//! `user/useradd`: users of `/etc/passwd`, their passwords and their groups.
//!
//! Follows Puppet 7.23's `provider/user/useradd.rb` and `provider/nameservice.rb`, but reads the files itself: without
//! root Puppet says that a user has no password, here the password cannot be read.

use super::tools;
use crate::native::accounts::{self, Membership, Passwd, Shadow};
use crate::native::needs;
use crate::native::reading::{Reader, absent};
use crate::native::ssh_authorized_key::parsed::key_names;
use crate::system::AccountKey;
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Request, Select, State, System, Thing};
use rtype_lang::value::{EcoString, Value};
use std::collections::{HashMap, HashSet};

const SHADOW: [&str; 5] = ["password", "password_min_age", "password_max_age", "password_warn_days", "expiry"];

/// Reads users from `/etc/passwd`, `/etc/shadow` and `/etc/group`; one user by name from the name service, too. The tools
/// `useradd`, `usermod`, `userdel`, `chage` and `chpasswd` change them.
pub struct Useradd;

/// A user, wherever it was found.
#[derive(Clone, Copy)]
struct User<'a> {
    name: &'a str,
    uid: u32,
    gid: u32,
    comment: &'a str,
    home: &'a str,
    shell: &'a str,
}

impl<'a> From<Passwd<'a>> for User<'a> {
    fn from(line: Passwd<'a>) -> User<'a> {
        User { name: line.name, uid: line.uid, gid: line.gid, comment: line.gecos, home: line.home, shell: line.shell }
    }
}

/// Returns the text of a file that may be missing.
fn text(file: &Option<String>) -> &str {
    file.as_deref().unwrap_or_default()
}

/// The content of `/etc/shadow` and `/etc/group`, read on demand.
struct Texts {
    shadow: Result<Option<String>, ProviderError>,
    group: Result<Option<String>, ProviderError>,
}

impl Texts {
    fn read(system: &System, select: Select<'_>) -> Texts {
        let read = |wanted: bool, path: &str| if wanted { system.read(path) } else { Ok(None) };
        Texts { shadow: read(SHADOW.iter().any(|p| select.wants(p)), "/etc/shadow"), group: read(select.wants("groups"), "/etc/group") }
    }

    /// Parses both for the users that `wanted` selects.
    fn tables(&self, wanted: impl Fn(&str) -> bool) -> Tables<'_> {
        let shadow = self.shadow.as_ref().map_err(Clone::clone).map(|t| {
            let mut table = HashMap::new();
            for line in accounts::shadow(text(t)).filter(|line| wanted(line.name)) {
                // As for the C library, the first of several lines counts.
                table.entry(line.name).or_insert(line);
            }
            table
        });
        let groups = self.group.as_ref().map_err(Clone::clone).map(|t| Membership::of(text(t), &wanted));
        Tables { shadow, groups }
    }
}

/// What the two files say about users.
struct Tables<'a> {
    shadow: Result<HashMap<&'a str, Shadow<'a>>, ProviderError>,
    groups: Result<Membership<'a>, ProviderError>,
}

impl Tables<'_> {
    fn state(&self, user: User<'_>, select: Select<'_>) -> State {
        let days = |n: i32| Value::Int(n.into());
        let mut read = Reader::new(select);
        read.set("ensure", || Value::sym("present"));
        read.set("home", || Value::str(user.home));
        read.set("uid", || Value::Int(user.uid.into()));
        read.set("gid", || Value::Int(user.gid.into()));
        read.set("comment", || Value::str(user.comment));
        read.set("shell", || Value::str(user.shell));
        read.try_set("password", || self.secret(user.name, |s| Value::str(s.password)));
        read.try_set("password_min_age", || self.secret(user.name, |s| days(s.min)));
        read.try_set("password_max_age", || self.secret(user.name, |s| days(s.max)));
        read.try_set("password_warn_days", || self.secret(user.name, |s| days(s.warn)));
        read.try_set("groups", || {
            let groups = self.groups.as_ref().map_err(Clone::clone)?;
            Ok(Value::array(groups.groups_of(user.name, user.gid).into_iter().map(Value::str)))
        });
        read.try_set("expiry", || {
            self.secret(user.name, |s| if s.expire == -1 { absent() } else { Value::str(accounts::date(s.expire.into())) })
        });
        read.finish()
    }

    /// Something of the user's shadow line; `:absent` when it has none.
    fn secret(&self, user: &str, value: impl FnOnce(&Shadow<'_>) -> Value) -> Result<Value, ProviderError> {
        let table = self.shadow.as_ref().map_err(Clone::clone)?;
        Ok(table.get(user).map_or_else(absent, value))
    }
}

impl Provider for Useradd {
    fn needs(&self, _: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let resource = request.resource;
        if needs::is_removed(resource) {
            return Vec::new();
        }
        let is_made = properties.contains(&"ensure");
        let given = |property: &str| {
            let value = if is_made || properties.contains(&property) { resource.given(property) } else { Value::Nil };
            value.as_array().map_or_else(|| vec![value.clone()], <[Value]>::to_vec)
        };
        let mut names = [given("gid"), given("groups")].concat();
        names.retain(|name| matches!(name, Value::Int(_) | Value::Str(_)));
        let group = |name: &Value| {
            let name = name.to_text();
            Need::new(Thing::Group(name.clone()), format!("could not find group {name}"))
        };
        let shells = given("shell");
        let shell = shells.iter().filter_map(Value::as_text).filter(|path| !path.is_empty());
        let shell = shell.map(|path| Need::new(Thing::File(path.into()), format!("the shell {path} does not exist")));
        names.iter().filter(|name| !name.to_text().is_empty()).map(group).chain(shell).collect()
    }

    /// A new user has a group of the same name, unless another one is given.
    fn brings(&self, _: &System, request: Request<'_>) -> Vec<Thing> {
        let wanted = |attribute: &str| request.resource.wanted(attribute);
        let mut things = vec![Thing::User(request.name.into())];
        if !wanted("uid").is_nil() {
            things.push(Thing::User(wanted("uid").to_text()));
        }
        let has_home = wanted("managehome") == Value::Bool(true);
        let home = wanted("home").as_text().map_or_else(|| ecow::eco_format!("/home/{}", request.name), EcoString::from);
        things.extend(has_home.then_some(Thing::Directory(home)));
        if wanted("gid").is_nil() && !needs::is_removed(request.resource) {
            things.push(Thing::Group(request.name.into()));
        }
        things
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn has_independent_properties(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &[
            "ensure",
            "home",
            "uid",
            "gid",
            "comment",
            "shell",
            "password",
            "password_min_age",
            "password_max_age",
            "password_warn_days",
            "groups",
            "expiry",
        ]
    }

    fn writes(&self) -> &'static [&'static str] {
        &[
            "home",
            "uid",
            "gid",
            "comment",
            "shell",
            "password",
            "password_min_age",
            "password_max_age",
            "password_warn_days",
            "groups",
            "expiry",
        ]
    }

    /// `create_role` is for Solaris alone.
    fn actions(&self) -> &'static [&'static str] {
        &["create", "delete", "create_role"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let write = |change: &mut Change<'_>| {
            let result = tools::write(system, change);
            change.should.clear();
            change.exists = None;
            result
        };
        changes.iter_mut().map(write).collect()
    }

    /// `key_names` returns the names of the SSH keys in the file with the given path; empty if the file does not
    /// exist.
    fn queries(&self) -> &'static [&'static str] {
        &["key_names"]
    }

    fn query(&self, system: &System, _: Request<'_>, method: &str, arguments: &[Value]) -> Result<Value, ProviderError> {
        match (method, arguments) {
            ("key_names", [file]) => {
                let file = file.to_text();
                let bytes = system.read_bytes(&file)?.unwrap_or_default();
                Ok(Value::array(key_names(&file, &bytes)?.into_iter().map(Value::str)))
            }
            ("key_names", _) => Err(ProviderError::new("`key_names` takes one argument, the path of a file")),
            _ => Err(ProviderError::new(format!("the provider does not answer `{method}`"))),
        }
    }

    /// Reads users by name. A user who is not in `/etc/passwd` is looked up with the name service (LDAP, SSSD,
    /// systemd), unless the resource sets `forcelocal`; groups and password are read from the files.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let passwd = match system.read("/etc/passwd") {
            Ok(passwd) => passwd,
            Err(e) => return requests.iter().map(|_| Reading::Error(e.clone())).collect(),
        };
        let names: HashSet<&str> = requests.iter().map(|r| r.name).collect();
        let mut local: HashMap<&str, Passwd<'_>> = HashMap::with_capacity(names.len());
        for line in accounts::passwd(text(&passwd)).filter(|line| names.contains(line.name)) {
            local.entry(line.name).or_insert(line);
        }
        let texts = Texts::read(system, select);
        let tables = texts.tables(|name| names.contains(name));
        let mut remote = None;
        let mut one = |request: &Request<'_>| {
            if let Some(line) = local.get(request.name) {
                return Reading::Present(tables.state((*line).into(), select));
            }
            let ask = *remote.get_or_insert_with(|| system.has_other_sources("passwd"));
            if !ask || request.resource.wanted("forcelocal") == Value::Bool(true) {
                return Reading::Absent;
            }
            match system.find_user(AccountKey::Name(request.name)) {
                Ok(None) => Reading::Absent,
                Err(e) => Reading::Error(e),
                Ok(Some(found)) => Reading::Present(tables.state(
                    User {
                        name: request.name,
                        uid: found.uid.as_raw(),
                        gid: found.gid.as_raw(),
                        comment: &found.gecos.to_string_lossy(),
                        home: &found.dir.to_string_lossy(),
                        shell: &found.shell.to_string_lossy(),
                    },
                    select,
                )),
            }
        };
        requests.iter().map(&mut one).collect()
    }

    /// Lists the users of `/etc/passwd`. The first entry with a name wins.
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let passwd = system.read("/etc/passwd")?;
        let texts = Texts::read(system, select);
        let tables = texts.tables(|_| true);
        let mut seen = HashSet::new();
        let users = accounts::passwd(text(&passwd)).filter(|line| seen.insert(line.name));
        Ok(users.map(|line| ListedResource { name: line.name.into(), state: tables.state(line.into(), select) }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::reading::testing::{get, present, puppet, root, shown};
    use rtype_lang::value::Symbol;

    #[test]
    fn all_users_are_read_as_puppet_reads_them() {
        let found = Useradd.instances(&root("recorded"), Select::All).unwrap();
        assert_eq!(shown(&found, &[]), puppet("user"));
    }

    #[test]
    fn one_user_by_name_is_read_as_in_the_list() {
        let system = root("recorded");
        for user in Useradd.instances(&system, Select::All).unwrap() {
            assert_eq!(get(&Useradd, &system, &user.name, vec![]), Reading::Present(user.state));
        }
    }

    #[test]
    fn a_user_without_shadow_line_has_no_password() {
        let state = present(&Useradd, &root("recorded"), "rtshort", vec![]);
        assert_eq!(state["password"], Ok(absent()));
        assert_eq!(state["expiry"], Ok(absent()));
    }

    #[test]
    fn unreadable_shadow_fails_only_its_properties() {
        let state = present(&Useradd, &root("noshadow"), "bob", vec![]);
        assert_eq!(state["uid"], Ok(Value::Int(1001)));
        for property in SHADOW {
            assert!(state[property].as_ref().unwrap_err().message.starts_with("cannot read /etc/shadow"), "{property}");
        }
        assert!(state["groups"].as_ref().unwrap_err().message.starts_with("cannot read /etc/group"));
    }

    #[test]
    fn an_unreadable_passwd_file_is_an_error_and_never_absent() {
        assert!(matches!(get(&Useradd, &root("unreadable"), "bob", vec![]), Reading::Error(_)));
        assert!(Useradd.instances(&root("unreadable"), Select::All).is_err());
    }

    #[test]
    fn without_a_passwd_file_there_are_no_users() {
        assert_eq!(get(&Useradd, &root("empty"), "bob", vec![]), Reading::Absent);
        assert_eq!(Useradd.instances(&root("empty"), Select::All), Ok(vec![]));
    }

    #[test]
    fn undesired_properties_are_skipped() {
        let only = [Symbol::from("uid")];
        let found = Useradd.instances(&root("noshadow"), Select::Only(&only)).unwrap();
        assert_eq!(found[0].state.iter().collect::<Vec<_>>(), [(&only[0], &Ok(Value::Int(1001)))]);
    }
}
