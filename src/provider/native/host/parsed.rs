//! `host/parsed`: the lines of `/etc/hosts`.
//!
//! Follows `puppet/provider/host/parsed.rb` of puppetlabs-host_core, including what that leaves aside: lines that begin
//! with white space, addresses that begin with a capital letter, and names of one letter are no host entries to it.

use crate::provider::native::common::{Property, Tables, is_blank, pick, text_or_absent};
use crate::provider::{Found, Provider, ProviderError, Reading, Request, Select, State, System};
use crate::value::Value;
use std::collections::HashSet;

/// The table that is read where a resource names no other.
const HOSTS: &str = "/etc/hosts";

/// Reads host entries.
///
/// Where a name stands in several lines, the first counts: it is the one that `puppet resource` shows, and the one
/// that the resolver answers with. (In `puppet apply` the last one counts.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Parsed;

/// One entry.
#[derive(Debug, PartialEq)]
struct Entry {
    ip: String,
    name: String,
    aliases: Vec<String>,
    comment: String,
}

/// The entries of a table, in order; lines that are no entries are left out.
fn parse(text: &str) -> Vec<Entry> {
    text.split('\n').filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<Entry> {
    let (ip, rest) = line.split_once(is_blank)?;
    let rest = rest.trim_start_matches(is_blank);
    let (name, rest) = rest.split_once(is_blank).unwrap_or((rest, ""));
    let address = matches!(ip.chars().next()?, '0'..='9' | 'a'..='f' | ':') && ip.chars().nth(1).is_some();
    let named = !matches!(name.chars().next()?, '#' | '+') && name.chars().nth(1).is_some();
    if !address || !named {
        return None;
    }
    let (aliases, comment) = rest.split_once('#').unwrap_or((rest, ""));
    Some(Entry {
        ip: ip.into(),
        name: name.into(),
        aliases: aliases.split(is_blank).filter(|a| !a.is_empty()).map(String::from).collect(),
        // White space after the comment stays, as it does in Puppet: with CRLF lines, the CR.
        comment: comment.trim_start_matches(is_blank).into(),
    })
}

impl Entry {
    fn state(&self, target: &str, select: Select<'_>) -> State {
        let aliases = match self.aliases.as_slice() {
            [] => text_or_absent(None),
            some => Value::array(some.iter().map(|a| Value::str(a.as_str()))),
        };
        let properties: [Property; 5] = [
            ("ensure", Ok(Value::sym("present"))),
            ("ip", Ok(Value::str(self.ip.as_str()))),
            ("host_aliases", Ok(aliases)),
            ("comment", Ok(Value::str(self.comment.as_str()))),
            ("target", Ok(Value::str(target))),
        ];
        pick(select, properties)
    }
}

impl Provider for Parsed {
    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "ip", "host_aliases", "comment", "target"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let mut tables = Tables::new(system, HOSTS, parse);
        let mut read = |request: &Request<'_>| match tables.find(*request, |e| e.name == request.name) {
            Ok(Some((target, entry))) => Reading::Present(entry.state(&target, select)),
            Ok(None) => Reading::Absent,
            Err(error) => Reading::Error(error),
        };
        requests.iter().map(&mut read).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<Found>, ProviderError> {
        let mut tables = Tables::new(system, HOSTS, parse);
        let entries = tables.records(HOSTS)?;
        let mut seen = HashSet::new();
        let first = entries.iter().filter(|e| seen.insert(e.name.as_str()));
        Ok(first.map(|e| Found { name: e.name.as_str().into(), state: e.state(HOSTS, select) }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::native::common::testing::{Wants, error, get, get_wanting, line, present, root};

    fn shown(name: &str) -> String {
        line(&present(get(&Parsed, &root("hosts"), name)))
    }

    #[test]
    fn an_entry_has_address_aliases_and_comment() {
        assert_eq!(
            shown("db.example.org"),
            r#"ensure=:present ip="192.0.2.10" host_aliases=["db", "database"] comment="the database" target="/etc/hosts""#
        );
    }

    #[test]
    fn without_comment_it_is_empty_and_without_aliases_they_are_absent() {
        assert_eq!(shown("plain"), r#"ensure=:present ip="192.0.2.11" host_aliases=:absent comment="" target="/etc/hosts""#);
    }

    #[test]
    fn ipv6_with_a_zone_is_an_address() {
        assert!(shown("linklocal").contains(r#"ip="fe80::1%lo0""#));
    }

    #[test]
    fn of_duplicate_names_the_first_counts() {
        assert!(shown("twice").contains(r#"ip="192.0.2.12""#));
        let all = Parsed.instances(&root("hosts"), Select::All).unwrap();
        assert_eq!(all.iter().filter(|f| f.name == "twice").count(), 1);
    }

    #[test]
    fn a_carriage_return_ends_a_name_and_stays_in_a_comment() {
        assert!(shown("dos").contains("host_aliases=:absent"));
        assert!(shown("doscomment").contains(r#"comment="hi\r""#));
    }

    #[test]
    fn a_hash_that_touches_the_name_belongs_to_it() {
        assert!(shown("odd#name").contains(r#"ip="192.0.2.16""#));
    }

    #[test]
    fn utf8_is_kept() {
        assert!(shown("grün").contains(r#"comment="für später""#));
    }

    #[test]
    fn lines_that_puppet_does_not_read_are_no_entries() {
        for name in ["indented", "x", "upper", "commented"] {
            assert_eq!(get(&Parsed, &root("hosts"), name), Reading::Absent, "{name}");
        }
    }

    #[test]
    fn a_resource_is_looked_for_in_its_own_target_first() {
        let wants = Wants(vec![("target", Value::str("/etc/hosts.other"))]);
        let state = present(get_wanting(&Parsed, &root("hosts"), "plain", &wants));
        assert!(line(&state).ends_with(r#"ip="198.51.100.1" host_aliases=:absent comment="" target="/etc/hosts.other""#));
        assert!(line(&present(get_wanting(&Parsed, &root("hosts"), "linklocal", &wants))).ends_with(r#"target="/etc/hosts""#));
    }

    #[test]
    fn only_what_is_asked_for_is_told() {
        let requests = [Request { name: "plain", resource: &Wants::default() }];
        let read = Parsed.get(&root("hosts"), &requests, Select::Only(&["ip".into()])).remove(0);
        assert_eq!(line(&present(read)), r#"ip="192.0.2.11""#);
    }

    #[test]
    fn without_a_file_there_are_no_hosts() {
        assert_eq!(get(&Parsed, &root("empty"), "localhost"), Reading::Absent);
        assert_eq!(Parsed.instances(&root("empty"), Select::All), Ok(vec![]));
    }

    #[test]
    fn an_unreadable_file_is_an_error() {
        assert!(error(get(&Parsed, &root("unreadable"), "localhost")).starts_with("cannot read /etc/hosts"));
        assert!(Parsed.instances(&root("unreadable"), Select::All).is_err());
    }
}
