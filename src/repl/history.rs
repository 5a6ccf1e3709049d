//! The history file, and the inputs that must not be stored.

use super::ReplSession;
use crate::app::lexer::{ResourceTokenKind as Kind, lex};
use regex::{Match, Regex};
use rtype_lang::redact::is_credential;
use rtype_lang::source::SourceMap;
use rtype_model::manifest::suspects;
use rtype_system::{Limit, Tree, named};
use std::fs::{OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Returns `$XDG_STATE_HOME/rtype/history`, else `~/.local/state/rtype/history`; `None` without a home directory.
pub fn default_path() -> Option<PathBuf> {
    Some(rtype_provider::own_state()?.join("rtype/history"))
}

/// Creates the history file, readable only by the owner. A damaged file is renamed, and a warning is returned.
pub(super) fn prepare(path: &Path) -> io::Result<Option<String>> {
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        Tree::at("/").make_directories(&std::path::absolute(parent)?)?;
    }
    let path = std::path::absolute(path)?;
    let tree = Tree::at("/");
    let text = |bytes| String::from_utf8(bytes).map(drop).map_err(|_| "it is not UTF-8 text".to_owned());
    let damaged = tree.read_kept(&path, Limit::TEXT, true, text).warning;
    let file = named::open(path, OpenOptions::new().create(true).append(true).mode(0o600))?;
    // An existing file may be readable by other users.
    file.set_permissions(Permissions::from_mode(0o600)).map(|()| damaged)
}

/// Returns whether an input must not be stored: it marks a value as sensitive, or sets a sensitive attribute.
///
/// Only names are considered, so that invalid input is also recognized. In a `failed` input, every name that looks like a secret counts.
pub(super) fn is_secret(input: &str, failed: bool, backend: &mut ReplSession) -> bool {
    if failed && SourceMap::new().add("", input).is_ok_and(|source| !suspects(&source).is_empty()) {
        return true;
    }
    if has_password_in_url(input) || has_credential(input) {
        return true;
    }
    let tokens = lex(input);
    let text = |i: usize| tokens.get(i).and_then(|t| input.get(t.range.clone())).unwrap_or_default();
    let mut types: Vec<String> = Vec::new();
    let mut given: Vec<String> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map(|t| t.kind);
        match (token.kind, next) {
            (Kind::Type, _) if text(i) == "Sensitive" => return true,
            (Kind::Type, Some(Kind::Open(_))) | (Kind::Word, Some(Kind::Open('{'))) => types.push(text(i).to_lowercase()),
            (Kind::Word, _) => given.push(text(i).to_owned()),
            // `'password' => …` in a hash, `"password"` in JSON.
            (Kind::Str(_), Some(Kind::Arrow | Kind::Sign(':'))) => given.push(text(i).trim_matches(['\'', '"']).to_owned()),
            _ => {}
        }
    }
    if given.is_empty() {
        return false;
    }
    // `:is {…}` contains no type name, and the attributes of a misspelt type are unknown. A sensitive attribute of any type counts then.
    let names = backend.types.names();
    let all_known = !types.is_empty() && types.iter().all(|t| names.contains(t));
    let types = if all_known { types } else { names };
    let loaded: Vec<_> = types.iter().filter_map(|t| backend.types.load(t)).collect();
    loaded.iter().any(|t| t.attributes.iter().any(|a| a.sensitive && given.iter().any(|g| g == a.name.as_str())))
}

/// Returns whether an input contains `scheme://user:password@host`.
fn has_password_in_url(text: &str) -> bool {
    Regex::new(r"://[^/\s@:]*:[^/\s@]+@").is_ok_and(|url| url.is_match(text))
}

/// Returns whether an input sets a variable or parameter with a credential's name: `API_TOKEN=…`, `--password=…`.
fn has_credential(text: &str) -> bool {
    let is_secret = |name: Option<Match<'_>>, value: Option<Match<'_>>| {
        name.zip(value).is_some_and(|(name, value)| is_credential(name.as_str(), value.as_str()))
    };
    let given = Regex::new(r#"([A-Za-z_][\w-]*)=["']?([^\s"'=>~][^\s"']*)"#);
    given.is_ok_and(|given| given.captures_iter(text).any(|captures| is_secret(captures.get(1), captures.get(2))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_file_is_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/history");
        prepare(&path).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        prepare(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn damaged_files_are_renamed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history");
        assert_eq!(prepare(&path).unwrap(), None);
        assert_eq!(prepare(&path).unwrap(), None);
        fs::write(&path, b"\xff").unwrap();
        assert!(prepare(&path).unwrap().unwrap().ends_with("history.damaged"));
        fs::remove_file(&path).unwrap();
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(prepare(&path).unwrap().unwrap().contains("a named pipe"));
    }

    #[test]
    fn secrets_are_not_kept() {
        let mut backend = ReplSession::for_tests();
        let secret = [
            "vault { 'a': secret => 'x' }",
            "vault { 'a': secret => 'x'",
            "valt { 'a': secret => 'x' }",
            ":is Vault[a] { secret: x }",
            ":is { secret => 'x' }",
            "motd { 'a': text => Sensitive('x') }",
            "Vault { secret => 'x' }",
            "motd { 'a': text => 'https://bob:geheim@example.com/x' }",
            "let url = \"ftp://:geheim@example.com\"",
            "exec { '/bin/x': environment => ['HOME=/', 'API_TOKEN=geheim1'] }",
            "exec { '/bin/x': environment => \"api-key=geheim1\" }",
            ":is Exec[a] { environment: [\"DB_PASSWORD='geheim1'\"] }",
            "exec { '/bin/x --password=geheim1': }",
            "let e = {\"a\" => \"SECRET=geheim1\"}",
        ];
        for input in secret {
            assert!(is_secret(input, false, &mut backend), "{input}");
        }
        assert!(is_secret("motd { 'a' password => 'x' }", true, &mut backend));
        for input in [
            "motd { 'a': text => 'secret' }",
            ":trace Vault[a]",
            "motd { 'a': text => 'https://example.com:80/a@b' }",
            "vault { 'a': colour => red }",
            "exec { '/bin/x': environment => ['HOME=/home/bob', 'TOKEN='] }",
            "let token=>5",
            "",
        ] {
            assert!(!is_secret(input, false, &mut backend), "{input}");
        }
    }
}
