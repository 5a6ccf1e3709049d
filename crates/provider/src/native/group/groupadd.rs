//! `group/groupadd`: groups of `/etc/group`.
//!
//! Follows Puppet 7.23's `provider/group/groupadd.rb` and `provider/nameservice.rb`, with these differences:
//! duplicate IDs are only allowed if a GID is set, because `groupadd` rejects the option alone. Members are always
//! set with libuser's tools, GIDs only with `forcelocal`: Puppet passes an unknown option to `lgroupmod` if both are
//! set.

use crate::native::accounts::{self, Group};
use crate::native::needs;
use crate::native::reading::Reader;
use crate::native::user::{libuser, tools::tool};
use crate::system::AccountKey;
use crate::{Change, ListedResource, Machine, Need, Operation, Provider, ProviderError, Reading, Request, Select, State, System, Thing};
use rtype_lang::eval::World;
use rtype_lang::value::{EcoString, Value};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Reads groups from `/etc/group`, and single groups also from the name service. The tools `groupadd`, `groupmod` and
/// `groupdel` change them.
pub struct Groupadd;

/// Writes the recorded changes of a group.
fn write(system: &System, change: &Change<'_>) -> Result<(), ProviderError> {
    let is_set = |param: &str| change.resource.wanted(param) == Value::Bool(true);
    let (local, operation) = (libuser::is_local(change), change.operation());
    let gid = change.value("gid");
    let gid = Some(gid).filter(|gid| operation != Operation::Delete && !gid.is_nil() && !gid.is_absent());
    if let Some(gid) = gid.as_ref().filter(|_| local && !is_set("allowdupe")) {
        let text = system.read("/etc/group")?.unwrap_or_default();
        if accounts::groups(&text).any(|g| g.name != change.name && Value::Int(g.gid.into()) == *gid) {
            return Err(libuser::taken("GID", gid));
        }
    }
    let program = match operation {
        Operation::Create => "groupadd",
        Operation::Update => "groupmod",
        Operation::Delete => "groupdel",
        Operation::Nothing => return Ok(()),
    };
    let mut command = Vec::new();
    if let Some(gid) = &gid {
        command.extend(["-g".to_owned(), gid.to_text().into()]);
        command.extend((is_set("allowdupe") && !local).then(|| "-o".to_owned()));
    }
    command.extend((operation == Operation::Create && is_set("system")).then(|| "-r".to_owned()));
    if gid.is_some() || operation != Operation::Update {
        if local {
            libuser::run(system, &format!("l{program}"), command, change.name, None)?;
        } else {
            tool(system, program, "--prefix").args(command).args(["--", change.name]).succeed()?;
        }
    }
    let members = change.value("members");
    if members.is_nil() || operation == Operation::Delete { Ok(()) } else { write_members(system, change, &members) }
}

/// Returns the names in the value of `members`.
fn members(wanted: &Value) -> BTreeSet<String> {
    let wanted = wanted.as_array().map_or_else(|| vec![wanted.clone()], <[Value]>::to_vec);
    let texts: Vec<EcoString> = wanted.iter().filter(|v| !v.is_nil() && !v.is_absent()).map(|v| v.unwrapped().to_text()).collect();
    texts.iter().flat_map(|v| v.split(',')).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Sets the members of a group, except for users that do not exist, which are an error. Existing members are not added again, and are removed only if the list is exhaustive.
fn write_members(system: &System, change: &Change<'_>, wanted: &Value) -> Result<(), ProviderError> {
    let wanted = members(wanted);
    let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let machine = Machine::new(system.clone());
    let (wanted, unknown): (BTreeSet<&str>, BTreeSet<&str>) = wanted.into_iter().partition(|name| machine.uid_of(name).is_some());
    let text = system.read("/etc/group")?.unwrap_or_default();
    let there: BTreeSet<&str> = accounts::groups(&text).find(|g| g.name == change.name).iter().flat_map(Group::members).collect();
    let mut command = Vec::new();
    let mut tell = |flag: &str, names: Vec<&str>| {
        if !names.is_empty() {
            command.extend([flag.to_owned(), names.join(",")]);
        }
    };
    tell("-M", wanted.difference(&there).copied().collect());
    if change.resource.wanted("auth_membership") == Value::Bool(true) {
        // A declared user whose lookup fails stays a member.
        tell("-m", there.difference(&wanted).filter(|name| !unknown.contains(*name)).copied().collect());
    }
    if !command.is_empty() {
        libuser::run(system, "lgroupmod", command, change.name, None)?;
    }
    match unknown.first() {
        None => Ok(()),
        Some(unknown) => Err(ProviderError::new(format!("the user {unknown} does not exist")).help("declare it as a resource")),
    }
}

fn state<'m>(gid: u32, members: impl Iterator<Item = &'m str>, select: Select<'_>) -> State {
    let mut read = Reader::new(select);
    read.set("ensure", || Value::sym("present"));
    read.set("gid", || Value::Int(gid.into()));
    read.set("members", || Value::array(members.map(Value::str)));
    read.finish()
}

impl Provider for Groupadd {
    fn needs(&self, _: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        let is_written = properties.contains(&"members") || properties.contains(&"ensure");
        if needs::is_removed(request.resource) || !is_written {
            return Vec::new();
        }
        let unknown = |name: &str| Need::new(Thing::User(name.into()), format!("the user {name} does not exist"));
        members(&request.resource.wanted("members")).iter().map(|name| unknown(name)).collect()
    }

    fn brings(&self, _: &System, request: Request<'_>) -> Vec<Thing> {
        let gid = request.resource.wanted("gid");
        let number = (!gid.is_nil()).then(|| Thing::Group(gid.to_text()));
        std::iter::once(Thing::Group(request.name.into())).chain(number).collect()
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn has_independent_properties(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "gid", "members"]
    }

    fn writes(&self) -> &'static [&'static str] {
        &["gid", "members"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "delete"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        let write = |change: &mut Change<'_>| {
            let result = write(system, change);
            change.should.clear();
            change.exists = None;
            result
        };
        changes.iter_mut().map(write).collect()
    }

    /// Reads groups by name. A group that is not in `/etc/group` is looked up with the name service, unless the
    /// resource sets `forcelocal`.
    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let text = match system.read("/etc/group") {
            Ok(text) => text.unwrap_or_default(),
            Err(e) => return requests.iter().map(|_| Reading::Error(e.clone())).collect(),
        };
        let names: HashSet<&str> = requests.iter().map(|r| r.name).collect();
        let mut local: HashMap<&str, Group<'_>> = HashMap::with_capacity(names.len());
        for line in accounts::groups(&text).filter(|line| names.contains(line.name)) {
            local.entry(line.name).or_insert(line);
        }
        let mut remote = None;
        let mut one = |request: &Request<'_>| {
            if let Some(line) = local.get(request.name) {
                return Reading::Present(state(line.gid, line.members(), select));
            }
            let ask = *remote.get_or_insert_with(|| system.has_other_sources("group"));
            if !ask || request.resource.wanted("forcelocal") == Value::Bool(true) {
                return Reading::Absent;
            }
            match system.find_group(AccountKey::Name(request.name)) {
                Ok(None) => Reading::Absent,
                Err(e) => Reading::Error(e),
                Ok(Some(found)) => Reading::Present(state(found.gid.as_raw(), found.mem.iter().map(String::as_str), select)),
            }
        };
        requests.iter().map(&mut one).collect()
    }

    /// Lists the groups of `/etc/group`. The first entry with a name wins.
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let text = system.read("/etc/group")?.unwrap_or_default();
        let mut seen = HashSet::new();
        let groups = accounts::groups(&text).filter(|line| seen.insert(line.name));
        Ok(groups.map(|g| ListedResource { name: g.name.into(), state: state(g.gid, g.members(), select) }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::executable;
    use crate::native::reading::testing::{Wants, get, present, puppet, root, shown};

    #[test]
    fn all_groups_are_read_as_puppet_reads_them() {
        let found = Groupadd.instances(&root("recorded"), Select::All).unwrap();
        // Puppet shows members only on platforms with manageable members.
        assert_eq!(shown(&found, &["members"]), puppet("group"));
    }

    #[test]
    fn members_are_a_list_in_the_order_of_the_file() {
        let state = present(&Groupadd, &root("recorded"), "rtg3", vec![]);
        assert_eq!(state["members"], Ok(Value::array(["rtuser1", "größe", "rtuser2"].map(Value::from))));
    }

    /// Returns the arguments of the tools for `create`, `delete`, a GID or members.
    fn commands(what: &str, wants: Vec<(&'static str, Value)>) -> String {
        tried(what, wants).unwrap()
    }

    fn tried(what: &str, wants: Vec<(&'static str, Value)>) -> Result<String, ProviderError> {
        let root = tempfile::TempDir::new().unwrap();
        let bin = root.path().join("usr/bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir(root.path().join("etc")).unwrap();
        std::fs::write(root.path().join("etc/group"), "staff:x:50:ann,bob\nother:x:51:\n").unwrap();
        std::fs::write(root.path().join("etc/passwd"), "ann:x:1:1::/:\nbob:x:2:1::/:\ncarl:x:3:1::/:\n").unwrap();
        for name in ["groupadd", "groupmod", "groupdel", "lgroupadd", "lgroupmod", "lgroupdel"] {
            let skip = if name.starts_with('l') { "test -s $LIBUSER_CONF || exit 9" } else { "shift 2" };
            let script = format!("#!/bin/sh\n{skip}; echo {name} $* >> {}\n", root.path().join("log").display());
            executable(&bin.join(name), &script);
        }
        let system = System::at(root.path());
        let wants = Wants(wants);
        let there = Reading::Present(State::from_iter([("ensure".into(), Ok(Value::sym("present")))]));
        let is = if what == "create" { &Reading::Absent } else { &there };
        let mut change = Change::new(Request { name: "staff", resource: &wants }, is);
        match what.parse() {
            Ok(gid) => Groupadd.set(&system, &mut change, "gid", &Value::Int(gid)).unwrap(),
            Err(_) if what.contains(',') => {
                Groupadd.set(&system, &mut change, "members", &Value::array(what.split(' ').map(Value::from))).unwrap();
            }
            Err(_) => drop(Groupadd.call(&system, &mut change, what, &[]).unwrap()),
        }
        for _ in 0..2 {
            Groupadd.flush(&system, std::slice::from_mut(&mut change)).remove(0)?;
        }
        Ok(std::fs::read_to_string(root.path().join("log")).unwrap_or_default())
    }

    #[test]
    fn groups_are_made_changed_and_removed() {
        let dupe = || ("allowdupe", Value::Bool(true));
        assert_eq!(commands("create", vec![]), "groupadd -- staff\n");
        assert_eq!(commands("create", vec![dupe()]), "groupadd -- staff\n");
        assert_eq!(
            commands("create", vec![("gid", Value::Int(50)), dupe(), ("system", Value::Bool(true))]),
            "groupadd -g 50 -o -r -- staff\n"
        );
        assert_eq!(commands("51", vec![("gid", Value::Int(51)), ("system", Value::Bool(true))]), "groupmod -g 51 -- staff\n");
        assert_eq!(commands("51", vec![dupe()]), "groupmod -g 51 -o -- staff\n");
        assert_eq!(commands("delete", vec![("gid", Value::Int(50))]), "groupdel -- staff\n");
    }

    #[test]
    fn local_groups_are_managed_by_libuser() {
        let local = || ("forcelocal", Value::Bool(true));
        assert_eq!(
            commands("create", vec![local(), ("gid", Value::Int(50)), ("system", Value::Bool(true))]),
            "lgroupadd -g 50 -r -- staff\n"
        );
        assert_eq!(commands("52", vec![local()]), "lgroupmod -g 52 -- staff\n");
        assert_eq!(commands("delete", vec![local()]), "lgroupdel -- staff\n");
        assert_eq!(tried("51", vec![local()]).unwrap_err().message, "GID 51 already exists");
        assert_eq!(commands("51", vec![local(), ("allowdupe", Value::Bool(true))]), "lgroupmod -g 51 -- staff\n");
    }

    #[test]
    fn members_come_and_go_where_the_list_is_all() {
        assert_eq!(commands("ann,carl", vec![]), "lgroupmod -M carl -- staff\n");
        assert_eq!(commands("ann,carl", vec![("auth_membership", Value::Bool(true))]), "lgroupmod -M carl -m bob -- staff\n");
        assert_eq!(commands("ann, bob", vec![]), "");
        assert_eq!(tried("ann,dora", vec![]).unwrap_err().message, "the user dora does not exist");
        let members = ("members", Value::array([Value::from("carl")]));
        assert_eq!(commands("create", vec![members]), "groupadd -- staff\nlgroupmod -M carl -- staff\n");
    }

    #[test]
    fn an_unreadable_group_file_is_an_error_and_a_missing_one_has_no_groups() {
        assert!(matches!(get(&Groupadd, &root("unreadable"), "adm", vec![]), Reading::Error(_)));
        assert!(Groupadd.instances(&root("unreadable"), Select::All).is_err());
        assert_eq!(get(&Groupadd, &root("empty"), "adm", vec![]), Reading::Absent);
    }
}
