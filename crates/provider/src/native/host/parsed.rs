//! `host/parsed`: the lines of `/etc/hosts`.
//!
//! Follows `puppet/provider/host/parsed.rb` of puppetlabs-host_core, but reads more entries, as the resolver does: lines that begin with
//! white space, addresses that begin with a capital letter, and names of one letter. A `#` always begins a comment.

use crate::native::common::{Property, pick, text_or_absent};
use crate::text::TextFiles;
use crate::text::is_blank;
use crate::text::records::{self, RecordChange, RecordFormat};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Select, State, System};
use rtype_lang::value::{EcoString, Value};
use std::collections::HashSet;

/// The table where a resource names no other.
const HOSTS: &str = "/etc/hosts";

/// Reads and writes host entries.
///
/// If a name is in several lines, the first one is used, as in `puppet resource` and the resolver. (`puppet apply`
/// uses the last one.) As in the resolver, names are not case-sensitive.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParsedHosts;

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    ip: String,
    name: String,
    aliases: Vec<String>,
    comment: String,
}

/// Parses a line as the resolver does: an address, names, and a comment from the first `#`.
fn parse_line(line: &str) -> Option<Entry> {
    let (entry, comment) = line.split_once('#').unwrap_or((line, ""));
    let mut words = entry.split(is_blank).filter(|word| !word.is_empty());
    let (ip, name) = (words.next()?, words.next()?);
    let is_address = ip.starts_with(|c: char| c.is_ascii_hexdigit() || c == ':') && ip.contains(['.', ':']);
    is_address.then(|| Entry {
        ip: ip.into(),
        name: name.into(),
        aliases: words.map(String::from).collect(),
        // White space after the comment stays, as it does in Puppet.
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

impl Provider for ParsedHosts {
    fn needs(&self, system: &System, request: Request<'_>, properties: &[&str]) -> Vec<Need> {
        records::needs(self, system, request, properties, &records::opener(self))
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "ip", "host_aliases", "comment", "target"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let open = records::opener(self);
        let mut files = TextFiles::new(system, &open);
        requests.iter().map(|request| records::read(self, &mut files, *request, |entry, target| entry.state(target, select))).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let open = records::opener(self);
        let mut files = TextFiles::new(system, &open);
        let entries = files.open(HOSTS)?;
        let mut seen = HashSet::new();
        let first = entries.iter().map(|(_, e)| e).filter(|e| seen.insert(e.name.to_ascii_lowercase()));
        Ok(first.map(|e| ListedResource { name: e.name.as_str().into(), state: e.state(HOSTS, select) }).collect())
    }

    fn writes(&self) -> &'static [&'static str] {
        &["ip", "host_aliases", "comment", "target"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "flush"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        records::flush(self, system, changes)
    }

    fn batch(&self, _: &System) -> usize {
        records::BATCH
    }
}

impl RecordFormat for ParsedHosts {
    type Record = Entry;

    fn file(&self) -> Option<EcoString> {
        Some(HOSTS.into())
    }

    fn parse(&self, line: &str) -> Option<Entry> {
        parse_line(line)
    }

    fn is_of(&self, entry: &Entry, request: Request<'_>) -> bool {
        entry.name.eq_ignore_ascii_case(request.name)
    }

    fn print(&self, was: Option<&Entry>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError> {
        let ip = wish.text("ip", was.map(|e| e.ip.as_str())).ok_or_else(|| ProviderError::new("a host needs an `ip`"))?;
        let mut line = format!("{ip}\t{}", wish.name());
        let aliases = wish.list("host_aliases", was.map(|e| e.aliases.as_slice())).join(" ");
        if !aliases.is_empty() {
            line.push_str(&format!("\t{aliases}"));
        }
        if let Some(comment) = wish.text("comment", was.map(|e| e.comment.as_str())) {
            line.push_str(&format!("\t# {comment}"));
        }
        Ok(line)
    }

    /// Programs that do not run as root look up hosts, too, so the umask of the run does not count.
    fn new_file(&self) -> Replace {
        Replace { mode: Some(0o644), ..Replace::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, apply, error, get, get_wanting, line, list, machine, present, root};
    use proptest::prelude::*;

    fn shown(name: &str) -> String {
        line(&present(get(&ParsedHosts, &root("hosts"), name)))
    }

    #[test]
    fn a_new_file_is_readable_by_all() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, system) = machine(&[("/srv/other", "")]);
        apply(&ParsedHosts, &system, "db.example.org", &[("ip", Value::str("192.0.2.1")), ("target", Value::str("/srv/hosts"))]).unwrap();
        assert_eq!(system.path("/srv/hosts").metadata().unwrap().permissions().mode() & 0o777, 0o644);
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
    fn a_single_alias_needs_no_list() {
        let (_folder, system) = machine(&[("/etc/hosts", "192.0.2.1 db\n")]);
        apply(&ParsedHosts, &system, "db", &[("host_aliases", Value::str("database"))]).unwrap();
        assert_eq!(system.read("/etc/hosts").unwrap().unwrap(), "192.0.2.1\tdb\tdatabase\n");
    }

    #[test]
    fn ipv6_with_a_zone_is_an_address() {
        assert!(shown("linklocal").contains(r#"ip="fe80::1%lo0""#));
    }

    #[test]
    fn of_duplicate_names_the_first_counts() {
        assert!(shown("twice").contains(r#"ip="192.0.2.12""#));
        let all = ParsedHosts.instances(&root("hosts"), Select::All).unwrap();
        assert_eq!(all.iter().filter(|f| f.name == "twice").count(), 1);
    }

    #[test]
    fn a_carriage_return_ends_the_line() {
        assert!(shown("dos").contains("host_aliases=:absent"));
        assert!(shown("doscomment").contains(r#"comment="hi""#));
    }

    #[test]
    fn a_hash_that_touches_the_name_begins_a_comment() {
        assert!(shown("odd").contains(r#"ip="192.0.2.16" host_aliases=:absent comment="name"#), "{}", shown("odd"));
    }

    #[test]
    fn utf8_is_kept() {
        assert!(shown("grün").contains(r#"comment="für später""#));
    }

    #[test]
    fn lines_are_parsed_as_by_the_resolver() {
        for name in ["indented", "x", "upper", "UPPER"] {
            assert!(matches!(get(&ParsedHosts, &root("hosts"), name), Reading::Present(_)), "{name}");
        }
        assert_eq!(get(&ParsedHosts, &root("hosts"), "commented"), Reading::Absent);
    }

    #[test]
    fn a_resource_is_looked_for_in_its_own_target_first() {
        let wants = Wants(vec![("target", Value::str("/etc/hosts.other"))]);
        let state = present(get_wanting(&ParsedHosts, &root("hosts"), "plain", &wants));
        assert!(line(&state).ends_with(r#"ip="198.51.100.1" host_aliases=:absent comment="" target="/etc/hosts.other""#));
        assert!(line(&present(get_wanting(&ParsedHosts, &root("hosts"), "linklocal", &wants))).ends_with(r#"target="/etc/hosts""#));
    }

    #[test]
    fn only_requested_hosts_are_reported() {
        let requests = [Request { name: "plain", resource: &Wants::default() }];
        let read = ParsedHosts.get(&root("hosts"), &requests, Select::Only(&["ip".into()])).remove(0);
        assert_eq!(line(&present(read)), r#"ip="192.0.2.11""#);
    }

    #[test]
    fn without_a_file_there_are_no_hosts() {
        assert_eq!(get(&ParsedHosts, &root("empty"), "localhost"), Reading::Absent);
        assert_eq!(ParsedHosts.instances(&root("empty"), Select::All), Ok(vec![]));
    }

    #[test]
    fn an_unreadable_file_is_an_error() {
        assert!(error(get(&ParsedHosts, &root("unreadable"), "localhost")).starts_with("cannot read /etc/hosts"));
        assert!(ParsedHosts.instances(&root("unreadable"), Select::All).is_err());
    }

    const TABLE: &str = "# HEADER: by puppet\n127.0.0.1   localhost\n\n 10.0.0.9 indented\n10.0.0.1\tdb  data # the\tdatabase\n";

    /// Returns the table after one resource was applied to `TABLE`.
    fn after(name: &str, wants: &[(&'static str, Value)]) -> String {
        let (_folder, system) = machine(&[(HOSTS, TABLE)]);
        apply(&ParsedHosts, &system, name, wants).unwrap();
        system.read(HOSTS).unwrap().unwrap()
    }

    #[test]
    fn a_new_entry_is_written_as_puppet_writes_it_and_all_else_stays() {
        let wants = [("ip", Value::str("10.0.0.2")), ("host_aliases", list(&["a", "b"])), ("comment", Value::str("new"))];
        assert_eq!(after("web", &wants), format!("{TABLE}10.0.0.2\tweb\ta b\t# new\n"));
        assert_eq!(after("web", &[("ip", Value::str("::1"))]), format!("{TABLE}::1\tweb\n"));
    }

    #[test]
    fn one_property_changes_the_others_of_the_entry_stay() {
        let line = "10.0.0.1\tdb  data # the\tdatabase\n";
        assert_eq!(after("db", &[("ip", Value::str("10.0.0.3"))]), TABLE.replace(line, "10.0.0.3\tdb\tdata\t# the\tdatabase\n"));
        assert_eq!(after("db", &[("comment", Value::str(""))]), TABLE.replace(line, "10.0.0.1\tdb\tdata\n"));
        assert_eq!(after("db", &[("host_aliases", list(&["x"]))]), TABLE.replace(line, "10.0.0.1\tdb\tx\t# the\tdatabase\n"));
    }

    #[test]
    fn all_entries_of_a_name_go() {
        let (_folder, system) = machine(&[(HOSTS, "10.0.0.1 db\n# c\n10.0.0.2 db x\n10.0.0.3 web db\n")]);
        apply(&ParsedHosts, &system, "db", &[("ensure", Value::sym("absent"))]).unwrap();
        assert_eq!(system.read(HOSTS).unwrap().unwrap(), "# c\n10.0.0.3 web db\n");
    }

    #[test]
    fn an_entry_moves_to_another_table() {
        let (_folder, system) = machine(&[(HOSTS, "10.0.0.1 db # x\n10.0.0.2 web\n"), ("/etc/other", "# o")]);
        apply(&ParsedHosts, &system, "db", &[("target", Value::str("/etc/other"))]).unwrap();
        assert_eq!(system.read(HOSTS).unwrap().unwrap(), "10.0.0.2 web\n");
        assert_eq!(system.read("/etc/other").unwrap().unwrap(), "# o\n10.0.0.1\tdb\t# x\n");
    }

    #[test]
    fn when_the_new_table_cannot_be_written_the_entry_stays_in_the_old_one() {
        let (_folder, system) = machine(&[(HOSTS, "10.0.0.1 db\n")]);
        apply(&ParsedHosts, &system, "db", &[("target", Value::str("/missing/hosts"))]).unwrap_err();
        assert_eq!(system.read(HOSTS).unwrap().unwrap(), "10.0.0.1 db\n");
    }

    #[test]
    fn without_an_address_nothing_is_written() {
        let (_folder, system) = machine(&[(HOSTS, TABLE)]);
        assert_eq!(apply(&ParsedHosts, &system, "web", &[]).unwrap_err().message, "a host needs an `ip`");
        assert_eq!(system.read(HOSTS).unwrap().unwrap(), TABLE);
    }

    #[test]
    fn what_would_not_be_read_again_or_be_two_lines_is_refused() {
        let (_folder, system) = machine(&[(HOSTS, TABLE)]);
        apply(&ParsedHosts, &system, "#x", &[("ip", Value::str("10.0.0.2"))]).unwrap_err();
        apply(&ParsedHosts, &system, "web", &[("ip", Value::str("10.0.0.2")), ("comment", Value::str("a\n10.0.0.3 evil"))]).unwrap_err();
        assert_eq!(system.read(HOSTS).unwrap().unwrap(), TABLE);
    }

    #[test]
    fn non_utf8_line_is_kept() {
        let (_folder, system) = machine(&[]);
        let bytes = b"10.0.0.1 db # caf\xe9\n10.0.0.2 web\n";
        std::fs::write(system.path(HOSTS), bytes).unwrap();
        let refused = apply(&ParsedHosts, &system, "db", &[("ip", Value::str("10.0.0.3"))]).unwrap_err();
        assert_eq!(refused.message, "line 1 of /etc/hosts is not UTF-8 and is not changed");
        apply(&ParsedHosts, &system, "web", &[("ip", Value::str("10.0.0.4"))]).unwrap();
        assert_eq!(system.read_bytes(HOSTS).unwrap().unwrap(), b"10.0.0.1 db # caf\xe9\n10.0.0.4\tweb\n");
    }

    #[test]
    fn many_changes_are_one_write_and_a_failure_is_its_own() {
        let (_folder, system) = machine(&[(HOSTS, "10.0.0.1 db\n")]);
        let (good, bad) = (Wants(vec![("ip", Value::str("10.0.0.5"))]), Wants(vec![]));
        let absent = Reading::Absent;
        let change = |name, resource| {
            let mut change = Change::new(Request { name, resource }, &absent);
            change.exists = Some(true);
            change
        };
        let mut changes = [change("one", &good), change("two", &bad), change("three", &good)];
        let results = ParsedHosts.flush(&system, &mut changes);
        assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(changes.map(|c| c.exists), [None, Some(true), None]);
        assert_eq!(system.read(HOSTS).unwrap().unwrap(), "10.0.0.1 db\n10.0.0.5\tone\n10.0.0.5\tthree\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn all_bytes_but_those_of_the_entry_stay(
            lines in prop::collection::vec(prop_oneof![
                "[0-9a-f:.]{0,6}[ \t]{0,2}(db|web|x|#)?[ \t]?[a-z#]{0,3}\r?\n".prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>().prop_filter("one line", |b| !b"\r\n".contains(b)), 0..8).prop_map(|mut l| { l.push(b'\n'); l }),
            ], 0..10),
            cut in any::<bool>(),
        ) {
            let mut before = lines.concat();
            if cut && before.pop().is_some() && before.ends_with(b"\r") {
                before.pop();
            }
            let (_folder, system) = machine(&[]);
            std::fs::write(system.path(HOSTS), &before).unwrap();
            apply(&ParsedHosts, &system, "db", &[("ip", Value::str("192.0.2.77"))]).unwrap();
            let after = system.read_bytes(HOSTS).unwrap().unwrap();
            let others = |bytes: &[u8]| -> Vec<Vec<u8>> {
                let lines = bytes.split(|b| *b == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l).to_vec());
                lines.filter(|l| parse_line(&String::from_utf8_lossy(l)).is_none_or(|e| e.name != "db")).collect()
            };
            let (mut was, mut is) = (others(&before), others(&after));
            // The end of the last line.
            was.retain(|l| !l.is_empty());
            is.retain(|l| !l.is_empty());
            prop_assert_eq!(was, is);
        }
    }
}
