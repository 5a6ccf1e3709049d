//! `group/groupadd`: groups of `/etc/group`.
//!
//! Follows Puppet 7.23's `provider/group/groupadd.rb` and `provider/nameservice.rb`.

use crate::provider::native::accounts::{self, Group};
use crate::provider::native::reading::Reader;
use crate::provider::{Found, Provider, ProviderError, Reading, Request, Select, State, System};
use crate::value::Value;
use std::collections::{HashMap, HashSet};

/// Reads groups from `/etc/group`; one group by name from the name service, too.
pub struct Groupadd;

fn state<'m>(gid: u32, members: impl Iterator<Item = &'m str>, select: Select<'_>) -> State {
    let mut read = Reader::new(select);
    read.set("ensure", || Value::sym("present"));
    read.set("gid", || Value::Int(gid.into()));
    read.set("members", || Value::array(members.map(Value::str)));
    read.finish()
}

impl Provider for Groupadd {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "gid", "members"]
    }

    /// Reads groups by name. One that is not in `/etc/group` is asked of the name service, if the machine has one and
    /// the resource does not say `forcelocal`.
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
            let ask = *remote.get_or_insert_with(|| accounts::has_other_sources(system, "group"));
            if !ask || request.resource.wanted("forcelocal") == Value::Bool(true) {
                return Reading::Absent;
            }
            match accounts::ask_for_group(request.name) {
                Ok(None) => Reading::Absent,
                Err(e) => Reading::Error(e),
                Ok(Some(found)) => Reading::Present(state(found.gid.as_raw(), found.mem.iter().map(String::as_str), select)),
            }
        };
        requests.iter().map(&mut one).collect()
    }

    /// Lists the groups of `/etc/group`; of several with one name the first.
    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        let text = system.read("/etc/group")?.unwrap_or_default();
        let mut seen = HashSet::new();
        let groups = accounts::groups(&text).filter(|line| seen.insert(line.name));
        Ok(groups.map(|g| Found { name: g.name.into(), state: state(g.gid, g.members(), select) }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::native::reading::testing::{get, present, puppet, root, shown};

    #[test]
    fn all_groups_are_read_as_puppet_reads_them() {
        let found = Groupadd.instances(&root("recorded"), Select::All).unwrap();
        // Puppet shows members only where it can manage them.
        assert_eq!(shown(&found, &["members"]), puppet("group"));
    }

    #[test]
    fn members_are_a_list_in_the_order_of_the_file() {
        let state = present(&Groupadd, &root("recorded"), "rtg3", vec![]);
        assert_eq!(state["members"], Ok(Value::array(["rtuser1", "größe", "rtuser2"].map(Value::from))));
    }

    #[test]
    fn an_unreadable_group_file_is_an_error_and_a_missing_one_has_no_groups() {
        assert!(matches!(get(&Groupadd, &root("unreadable"), "adm", vec![]), Reading::Error(_)));
        assert!(Groupadd.instances(&root("unreadable"), Select::All).is_err());
        assert_eq!(get(&Groupadd, &root("empty"), "adm", vec![]), Reading::Absent);
    }
}
