//! What changes of many types need.

use crate::{Need, Resource};
use rtype_lang::value::Value;

/// Returns the users and groups that attributes of a resource name.
pub(super) fn accounts(resource: &dyn Resource, users: &[&str], groups: &[&str]) -> Vec<Need> {
    let name = |attribute: &&str| match resource.wanted(attribute) {
        Value::Str(name) => Some(name),
        _ => None,
    };
    let users = users.iter().filter_map(name).filter_map(|name| Need::user(&name));
    let groups = groups.iter().filter_map(name).filter_map(|name| Need::group(&name));
    users.chain(groups).collect()
}

/// Returns whether the resource is to be removed.
pub(super) fn is_removed(resource: &dyn Resource) -> bool {
    resource.wanted("ensure").is_absent()
}
