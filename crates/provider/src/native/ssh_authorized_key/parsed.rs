//! `ssh_authorized_key/parsed`: the lines of users' `authorized_keys`.
//!
//! Follows `puppet/provider/ssh_authorized_key/parsed.rb` of puppetlabs-sshkeys_core 2.3.0, except that a key is only
//! looked up in the resource's own file; Puppet accepts a key of the same name in any file that another resource
//! uses.

use super::access::{KeyOwner, owner_of, write_as};
use crate::native::common::{Property, pick};
use crate::text::records::{self, Continuation, RecordChange, RecordFormat, RecordLines};
use crate::text::{Opener, TextFiles};
use crate::{Change, ListedResource, Need, Provider, ProviderError, Reading, Replace, Request, Select, State, System, Thing};
use rtype_lang::value::{EcoString, Value};
use std::cell::Cell;

/// The key types of Puppet's `ssh_authorized_key`.
const KINDS: [&str; 14] = [
    "ssh-dss",
    "ssh-rsa",
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "sk-ssh-ed25519@openssh.com",
    "ssh-rsa-cert-v01@openssh.com",
    "ssh-ed25519-cert-v01@openssh.com",
    "ssh-dss-cert-v01@openssh.com",
    "ecdsa-sha2-nistp256-cert-v01@openssh.com",
    "ecdsa-sha2-nistp384-cert-v01@openssh.com",
    "ecdsa-sha2-nistp521-cert-v01@openssh.com",
];

/// Reads and writes keys of users.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParsedAuthorizedKeys;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorizedKey {
    options: Vec<String>,
    kind: String,
    key: String,
    /// The comment, or `FILE:unnamed-NUMBER` if there is none.
    name: String,
    is_named: bool,
}

/// The characters that separate words for sshd(8).
const BLANKS: [char; 2] = [' ', '\t'];

/// Splits off the first word of a line, in which double quotes may contain blanks; returns it and the text after the
/// blanks. As in sshd(8), a backslash before a double quote makes it part of the word, even after another backslash.
fn word(line: &str) -> (&str, &str) {
    let mut quoted = false;
    let mut escaped = false;
    let end = line.char_indices().find(|(_, c)| {
        quoted ^= *c == '"' && !escaped;
        escaped = *c == '\\';
        !quoted && BLANKS.contains(c)
    });
    let (word, rest) = line.split_at_checked(end.map_or(line.len(), |(at, _)| at)).unwrap_or((line, ""));
    (word, rest.trim_start_matches(BLANKS))
}

/// Splits the options of a line at commas outside of quotes.
fn options(text: &str) -> Vec<String> {
    let (mut quoted, mut escaped) = (false, false);
    let parts = text.split(|c: char| {
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\';
        !quoted && c == ','
    });
    parts.filter(|part| !part.is_empty()).map(String::from).collect()
}

fn parse_line(line: &str, unnamed: impl FnOnce() -> String) -> Option<AuthorizedKey> {
    let line = line.trim_start_matches(BLANKS);
    if line.starts_with('#') {
        return None;
    }
    let (first, rest) = word(line);
    let (options, kind, rest) = if KINDS.contains(&first) {
        (Vec::new(), first, rest)
    } else {
        let (kind, rest) = word(rest);
        (options(first), kind, rest)
    };
    let (key, name) = rest.split_once(BLANKS).unwrap_or((rest, ""));
    if !KINDS.contains(&kind) || key.is_empty() {
        return None;
    }
    let name = name.trim_start_matches(BLANKS);
    let is_named = !name.is_empty();
    let name = if is_named { name.to_owned() } else { unnamed() };
    Some(AuthorizedKey { options, kind: kind.into(), key: key.into(), name, is_named })
}

/// Reads the keys of a file. Keys without a comment are numbered, as Puppet does for users with `purge_ssh_keys`.
fn open(path: &str, bytes: &[u8]) -> Result<RecordLines<AuthorizedKey>, ProviderError> {
    let count = Cell::new(0);
    let unnamed = || {
        count.set(count.get() + 1);
        format!("{path}:unnamed-{}", count.get())
    };
    Ok(RecordLines::new(bytes, Continuation::Never, |line| parse_line(line, unnamed)))
}

/// Returns the names of the keys in a file, in order, for purging a user's unmanaged keys.
///
/// # Errors
/// If the file cannot be parsed.
pub(in crate::native) fn key_names(path: &str, bytes: &[u8]) -> Result<Vec<String>, ProviderError> {
    Ok(open(path, bytes)?.iter().map(|(_, key)| key.name.clone()).collect())
}

impl AuthorizedKey {
    fn state(&self, target: &str, wanted: impl Fn(&str) -> Value, select: Select<'_>) -> State {
        let options = match self.options.as_slice() {
            [] => vec![Value::sym("absent")],
            some => some.iter().map(|o| Value::str(o.as_str())).collect(),
        };
        let properties: [Property; 6] = [
            ("ensure", Ok(Value::sym("present"))),
            ("type", Ok(Value::sym(self.kind.as_str()))),
            ("key", Ok(Value::str(self.key.as_str()))),
            // It has no place in the line, and never differs.
            ("user", Ok(wanted("user"))),
            ("target", Ok(Value::str(target))),
            ("options", Ok(Value::array(options))),
        ];
        pick(select, properties)
    }
}

impl RecordFormat for ParsedAuthorizedKeys {
    type Record = AuthorizedKey;

    fn file(&self) -> Option<EcoString> {
        None
    }

    /// Returns the resource's `target`; else the file in the home directory of the user, who may have been made in this very run.
    fn files(&self, system: &System, request: Request<'_>) -> Result<Vec<EcoString>, ProviderError> {
        let target = request.resource.wanted("target");
        if let Some(path) = target.as_text().filter(|_| !target.is_absent()) {
            return records::full_path(path).map(|path| vec![path]);
        }
        let user = request.resource.wanted("user");
        let owner = user.as_text().map(|name| owner_of(system, name)).transpose()?.flatten();
        Ok(owner.map(|owner| ecow::eco_format!("{}/.ssh/authorized_keys", owner.home.trim_end_matches('/'))).into_iter().collect())
    }

    fn parse(&self, line: &str) -> Option<AuthorizedKey> {
        parse_line(line, String::new)
    }

    fn is_of(&self, key: &AuthorizedKey, request: Request<'_>) -> bool {
        key.name == request.name
    }

    fn print(&self, was: Option<&AuthorizedKey>, wish: &RecordChange<'_, '_>) -> Result<String, ProviderError> {
        let needs = |what: &str| ProviderError::new(format!("an authorized key needs a `{what}`"));
        let kind = wish.text("type", was.map(|k| k.kind.as_str())).ok_or_else(|| needs("type"))?;
        let key = wish.text("key", was.map(|k| k.key.as_str())).ok_or_else(|| needs("key"))?;
        let options = wish.list("options", was.map(|k| k.options.as_slice())).join(",");
        let name = if was.is_some_and(|k| !k.is_named) { "" } else { wish.name() };
        let words = [options.as_str(), &kind, &key, name];
        Ok(words.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" "))
    }

    fn new_file(&self) -> Replace {
        Replace { mode: Some(0o600), ..Replace::default() }
    }
}

/// Returns the user with whose privileges a change is written.
fn owner(system: &System, change: &Change<'_>) -> Result<KeyOwner, ProviderError> {
    let user = change.resource.wanted("user");
    let user = user.as_text().ok_or_else(|| {
        ProviderError::new("the file of an authorized key belongs to its user")
            .help("set `user`")
            .of_kind(crate::ErrorKind::MissingAttribute)
    })?;
    let owner = owner_of(system, user)?;
    owner.ok_or_else(|| ProviderError::new(no_user(user)))
}

fn no_user(name: &str) -> String {
    format!("the user `{name}` does not exist")
}

impl Provider for ParsedAuthorizedKeys {
    fn needs(&self, system: &System, request: Request<'_>, _: &[&str]) -> Vec<Need> {
        if request.resource.wanted("ensure").is_absent() {
            return Vec::new();
        }
        let user = request.resource.wanted("user");
        let user = user.as_text().and_then(|user| Need::user(user).map(|need| Need { failure: no_user(user).into(), ..need }));
        let drops = request.resource.wanted("drop_privileges").to_text() != "false";
        let file = self.files(system, request).ok().and_then(|files| files.into_iter().next());
        // One directory is made for the file, with the rights of the user.
        let directory = file.as_deref().and_then(|file| match file.rsplit_once('/') {
            Some((directory, _)) if drops && !Thing::Directory(directory.into()).exists(system) => Need::directory_of(directory),
            _ => Need::directory_of(file),
        });
        user.into_iter().chain(directory).collect()
    }

    fn keeps_to_plan(&self) -> bool {
        true
    }

    fn reads(&self) -> &'static [&'static str] {
        &["ensure", "type", "key", "user", "target", "options"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let opener: &Opener<'_, _> = &open;
        let mut files = TextFiles::new(system, opener);
        let read = |request: &Request<'_>| {
            let wanted = |name: &str| request.resource.wanted(name);
            records::read(self, &mut files, *request, |key, target| key.state(target, wanted, select))
        };
        requests.iter().map(read).collect()
    }

    fn instances(&self, _: &System, _: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let error = ProviderError::new("authorized keys cannot be listed: each user has a file of them");
        Err(error.help("set `purge_ssh_keys` of a `user` to remove keys that are not declared"))
    }

    fn writes(&self) -> &'static [&'static str] {
        &["type", "key", "user", "target", "options"]
    }

    fn actions(&self) -> &'static [&'static str] {
        &["create", "destroy", "flush"]
    }

    fn flush(&self, system: &System, changes: &mut [Change<'_>]) -> Vec<Result<(), ProviderError>> {
        // Each file is written separately, so that an error affects only resources of that file.
        let who = |change: &Change<'_>| ["user", "drop_privileges", "target"].map(|attribute| change.resource.wanted(attribute));
        let mut results = Vec::with_capacity(changes.len());
        for group in changes.chunk_by_mut(|a, b| who(a) == who(b)) {
            let Some(first) = group.first() else { continue };
            let drops = first.resource.wanted("drop_privileges").to_text() != "false";
            let paths: Result<Vec<EcoString>, _> =
                group.iter().map(|change| self.files(system, change.request())).collect::<Result<Vec<_>, _>>().map(|p| p.concat());
            let written = owner(system, first)
                .and_then(|owner| write_as(system, &owner, drops, &paths?, |new| records::flush_with(self, system, group, new, &open)));
            match written {
                Ok(written) => results.extend(written),
                Err(error) => results.extend(group.iter().map(|_| Err(error.clone()))),
            }
        }
        results
    }

    fn batch(&self, _: &System) -> usize {
        records::BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, apply, get_wanting, line, list, machine, present};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    const FILE: &str = "/home/bob/.ssh/authorized_keys";
    const KEYS: &str =
        "# keys\nssh-rsa AAA1 bob@home laptop\n\nfrom=\"a b,c\",no-pty ssh-ed25519  AAA2\tbob@work\n2048 35 12 old\nssh-rsa AAA3\n";

    #[test]
    fn a_key_is_called_by_its_comment_or_by_its_number() {
        let text = "# ssh-rsa AAA no\nssh-rsa AAA bob@home laptop \n\nfrom=\"*.x\",no-pty ssh-ed25519 BBB\r\nnonsense here\nssh-rsa CCC\nssh-rsa\n";
        assert_eq!(key_names("/k", text.as_bytes()).unwrap(), ["bob@home laptop ", "/k:unnamed-1", "/k:unnamed-2"]);
    }

    #[test]
    fn quotes_are_escaped_as_in_sshd() {
        let key = parse_line("command=\"a \\\\\" ssh-rsa\" ssh-rsa AAA x", String::new).unwrap();
        assert_eq!((key.options[0].as_str(), key.key.as_str()), ("command=\"a \\\\\" ssh-rsa\"", "AAA"));
        assert_eq!(parse_line("ssh-rsa\u{b}AAA x", String::new), None);
    }

    /// A machine with the user bob, who is not the current user if the tests run as root.
    fn bobs(files: &[(&str, &str)]) -> (tempfile::TempDir, System) {
        let me = nix::unistd::Uid::effective().as_raw();
        let uid = if me == 0 { 4242 } else { me };
        let (folder, system) = machine(files);
        std::fs::write(system.path("/etc/passwd"), format!("bob:x:{uid}:{uid}::/home/bob:/bin/sh\n")).unwrap();
        std::fs::create_dir_all(system.path("/home/bob")).unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        for path in ["/home/bob", "/home/bob/.ssh", FILE] {
            if me == 0 && system.exists(path) {
                std::os::unix::fs::chown(system.path(path), Some(uid), Some(uid)).unwrap();
            }
        }
        (folder, system)
    }

    fn wants(more: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
        [&[("user", Value::str("bob"))], more].concat()
    }

    fn after(name: &str, more: &[(&'static str, Value)]) -> String {
        let (_folder, system) = bobs(&[(FILE, KEYS)]);
        apply(&ParsedAuthorizedKeys, &system, name, &wants(more)).unwrap();
        system.read(FILE).unwrap().unwrap()
    }

    #[test]
    fn keys_are_read_with_their_options() {
        let (_folder, system) = bobs(&[(FILE, KEYS)]);
        let shown = |name| line(&present(get_wanting(&ParsedAuthorizedKeys, &system, name, &Wants(wants(&[])))));
        assert_eq!(
            shown("bob@work"),
            r#"ensure=:present type=:"ssh-ed25519" key="AAA2" user="bob" target="/home/bob/.ssh/authorized_keys" options=["from=\"a b,c\"", "no-pty"]"#
        );
        assert!(shown("bob@home laptop").ends_with("options=[:absent]"));
        assert!(shown("/home/bob/.ssh/authorized_keys:unnamed-1").contains(r#"key="AAA3""#));
    }

    #[test]
    fn missing_user_has_no_keys() {
        let (_folder, system) = bobs(&[]);
        let resource = Wants(vec![("user", Value::str("eve"))]);
        assert_eq!(get_wanting(&ParsedAuthorizedKeys, &system, "x", &resource), Reading::Absent);
        let refused = apply(&ParsedAuthorizedKeys, &system, "x", &resource.0).unwrap_err();
        assert_eq!(refused.message, "the user `eve` does not exist");
    }

    #[test]
    fn a_key_is_made_changed_and_removed_and_all_else_stays() {
        let new = [("type", Value::sym("ssh-rsa")), ("key", Value::str("AAA9")), ("options", list(&["no-pty", "command=\"a b\""]))];
        assert_eq!(after("new key", &new), format!("{KEYS}no-pty,command=\"a b\" ssh-rsa AAA9 new key\n"));
        let was = "from=\"a b,c\",no-pty ssh-ed25519  AAA2\tbob@work\n";
        assert_eq!(
            after("bob@work", &[("key", Value::str("AAA9"))]),
            KEYS.replace(was, "from=\"a b,c\",no-pty ssh-ed25519 AAA9 bob@work\n")
        );
        assert_eq!(
            after("bob@work", &[("options", Value::array([Value::sym("absent")]))]),
            KEYS.replace(was, "ssh-ed25519 AAA2 bob@work\n")
        );
        assert_eq!(after("bob@work", &[("ensure", Value::sym("absent"))]), KEYS.replace(was, ""));
        let unnamed = [("ensure", Value::sym("absent")), ("target", Value::str(FILE))];
        assert_eq!(after("/home/bob/.ssh/authorized_keys:unnamed-1", &unnamed), KEYS.replace("ssh-rsa AAA3\n", ""));
    }

    #[test]
    fn directory_and_file_are_the_users_alone() {
        let (_folder, system) = bobs(&[]);
        let new = [("type", Value::sym("ssh-rsa")), ("key", Value::str("AAA9"))];
        apply(&ParsedAuthorizedKeys, &system, "new", &wants(&new)).unwrap();
        let bob = system.path("/home/bob").metadata().unwrap().uid();
        for (path, mode) in [("/home/bob/.ssh", 0o700), (FILE, 0o600)] {
            let m = system.path(path).metadata().unwrap();
            assert_eq!((m.uid(), m.mode() & 0o7777), (bob, mode), "{path}");
        }
    }

    #[test]
    fn a_file_that_others_may_read_is_the_users_alone_afterwards() {
        let (_folder, system) = bobs(&[(FILE, KEYS)]);
        std::fs::set_permissions(system.path(FILE), std::fs::Permissions::from_mode(0o644)).unwrap();
        apply(&ParsedAuthorizedKeys, &system, "bob@work", &wants(&[("key", Value::str("AAA9"))])).unwrap();
        assert_eq!(system.path(FILE).metadata().unwrap().mode() & 0o7777, 0o600);
    }

    #[test]
    fn symbolic_link_is_rejected() {
        let (_folder, system) = bobs(&[("/home/bob/.ssh/x", ""), ("/etc/secret", "ssh-rsa AAA1 old\n")]);
        symlink(system.path("/etc/secret"), system.path(FILE)).unwrap();
        let new = [("type", Value::sym("ssh-rsa")), ("key", Value::str("AAA9"))];
        let refused = apply(&ParsedAuthorizedKeys, &system, "new", &wants(&new)).unwrap_err();
        assert!(refused.message.contains(&format!("{FILE} is a symbolic link")), "{refused}");
        assert_eq!(system.read("/etc/secret").unwrap().unwrap(), "ssh-rsa AAA1 old\n");
    }

    #[test]
    fn nothing_is_written_where_the_user_may_not_write() {
        if nix::unistd::Uid::effective().as_raw() != 0 {
            return;
        }
        let (_folder, system) = bobs(&[]);
        std::fs::create_dir(system.path("/etc/keys")).unwrap();
        let new = [("type", Value::sym("ssh-rsa")), ("key", Value::str("AAA9")), ("target", Value::str("/etc/keys/bob"))];
        let refused = apply(&ParsedAuthorizedKeys, &system, "new", &wants(&new)).unwrap_err();
        assert_eq!(refused.message, "cannot write /etc/keys/bob: permission denied");
        // With root's privileges, if no other user can write to the path.
        let (drop, trusted) = (("drop_privileges", Value::Bool(false)), [&new[..], &[("drop_privileges", Value::Bool(false))]].concat());
        apply(&ParsedAuthorizedKeys, &system, "new", &wants(&trusted)).unwrap();
        let access = || {
            let stat = system.path("/etc/keys/bob").metadata().unwrap();
            (stat.uid(), stat.gid(), stat.mode() & 0o7777)
        };
        assert_eq!(access(), (4242, 4242, 0o600));
        // A file of root's is given to the user, who alone may read and change it.
        std::fs::write(system.path("/etc/keys/bob"), "").unwrap();
        std::os::unix::fs::chown(system.path("/etc/keys/bob"), Some(0), Some(0)).unwrap();
        std::fs::set_permissions(system.path("/etc/keys/bob"), std::fs::Permissions::from_mode(0o644)).unwrap();
        apply(&ParsedAuthorizedKeys, &system, "new", &wants(&trusted)).unwrap();
        assert_eq!(access(), (4242, 4242, 0o600));
        let at_home = [&new[..2], &[drop]].concat();
        std::fs::create_dir(system.path("/home/bob/.ssh")).unwrap();
        assert!(apply(&ParsedAuthorizedKeys, &system, "new", &wants(&at_home)).unwrap_err().message.contains("/home/bob"));
    }

    #[test]
    fn the_users_file_in_a_directory_of_root_is_written() {
        if nix::unistd::Uid::effective().as_raw() != 0 {
            return;
        }
        let (_folder, system) = bobs(&[(FILE, KEYS)]);
        std::os::unix::fs::chown(system.path("/home/bob/.ssh"), Some(0), Some(0)).unwrap();
        std::fs::set_permissions(system.path("/home/bob/.ssh"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let new = [("type", Value::sym("ssh-rsa")), ("key", Value::str("AAA9"))];
        apply(&ParsedAuthorizedKeys, &system, "new", &wants(&new)).unwrap();
        let stat = system.path(FILE).metadata().unwrap();
        assert_eq!((stat.uid(), stat.mode() & 0o7777), (4242, 0o600));
        assert_eq!(system.read(FILE).unwrap().unwrap(), format!("{KEYS}ssh-rsa AAA9 new\n"));
        // A file that is not there cannot be made by the user, as with Puppet.
        std::fs::remove_file(system.path(FILE)).unwrap();
        assert!(apply(&ParsedAuthorizedKeys, &system, "new", &wants(&new)).unwrap_err().message.contains("permission denied"));
        // A directory of the user's in its place leads nowhere else.
        std::fs::remove_dir(system.path("/home/bob/.ssh")).unwrap();
        symlink("/etc", system.path("/home/bob/.ssh")).unwrap();
        apply(&ParsedAuthorizedKeys, &system, "new", &wants(&new)).unwrap_err();
        assert!(!system.exists("/etc/authorized_keys"));
    }

    #[test]
    fn a_key_of_two_lines_is_refused() {
        let (_folder, system) = bobs(&[(FILE, KEYS)]);
        let new = [("type", Value::sym("ssh-rsa")), ("key", Value::str("AAA9"))];
        apply(&ParsedAuthorizedKeys, &system, "new\nssh-rsa EVIL eve", &wants(&new)).unwrap_err();
        assert_eq!(system.read(FILE).unwrap().unwrap(), KEYS);
    }
}
