//! Secrets in URLs: `https://user:password@host/path?token=secret`.

use fluent_uri::UriRef;

/// The credentials in a URL, with percent encoding decoded.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name; may be empty for a token.
    pub user: String,
    /// The password or token.
    pub password: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials")
    }
}

/// The minimum length of a user name without a password to be treated as a token.
const TOKEN: usize = 16;

/// Returns a URL without its password or token, and the credentials; `None` without credentials.
pub fn without_password(address: &str) -> Option<(String, Credentials)> {
    let (start, end) = userinfo(address)?;
    let info = address.get(start..end)?;
    let (user, password) = info.split_once(':').unwrap_or((info, ""));
    let is_token = password.is_empty() && user.len() >= TOKEN;
    if password.is_empty() && !is_token {
        return None;
    }
    let shown = if is_token || user.is_empty() { String::new() } else { format!("{user}@") };
    let rest = format!("{}{shown}{}", address.get(..start)?, address.get(end + 1..)?);
    Some((rest, Credentials { user: decoded(user), password: decoded(password) }))
}

/// Returns the secrets in all URLs in a string.
pub(super) fn secrets_in(text: &str) -> Vec<String> {
    if !text.contains("://") {
        return Vec::new();
    }
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`');
    // A URL that is the whole string may have spaces in its password.
    let is_whole = text.split(char::is_whitespace).next().is_some_and(|word| word.contains("://"));
    let urls = is_whole.then_some(text).into_iter().chain(text.split(is_end));
    let passwords = urls.filter_map(without_password).map(|(_, credentials)| credentials.secret().to_owned());
    passwords.chain(text.split(is_end).flat_map(secret_parameters)).collect()
}

/// The minimum length of a secret parameter: `?key=1` is usually a number, and hiding each `1` would hide everything.
const PARAMETER: usize = 6;

/// Returns the values of a URL's parameters with names like credentials, as written and decoded.
fn secret_parameters(address: &str) -> Vec<String> {
    let Some((_, query)) = address.split_once("://").and_then(|(_, rest)| rest.split_once('?')) else { return Vec::new() };
    let query = query.split('#').next().unwrap_or_default();
    let parameters = query.split(['&', ';']).filter_map(|parameter| parameter.split_once('='));
    let secret = parameters
        .filter(|(name, value)| value.len() >= PARAMETER && is_short_name(name) || is_credential(name, value))
        .map(|(_, value)| value);
    secret.flat_map(|value| [value.to_owned(), decoded(value)]).collect()
}

/// Parts of parameter names for credentials: signed URLs for object stores, tokens for forges, API keys.
const CREDENTIALS: &[&str] = &["token", "secret", "passw", "signature", "credential", "apikey", "accesskey"];

/// Returns `true` if this name is a credential as a URL parameter, although the environment variable with this name, such as `PWD`, is
/// not.
fn is_short_name(name: &str) -> bool {
    ["sig", "auth", "pwd", "key"].iter().any(|short| name.eq_ignore_ascii_case(short))
}

/// Returns `true` if the name of a URL parameter or an environment variable marks a secret.
pub fn is_credential(name: &str, value: &str) -> bool {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    value.len() >= PARAMETER && CREDENTIALS.iter().any(|part| name.contains(part))
}

impl Credentials {
    /// Returns the part that must not be shown: the password, or the user name if the user name is a token.
    pub fn secret(&self) -> &str {
        if self.password.is_empty() { &self.user } else { &self.password }
    }
}

/// Returns the range of the user information. An invalid URL, such as a URL with spaces, is split at its delimiters.
fn userinfo(address: &str) -> Option<(usize, usize)> {
    if let Ok(uri) = UriRef::parse(address)
        && let Some(authority) = uri.authority()
        && let Some(info) = authority.userinfo().map(|info| info.as_str())
    {
        let start = address.find("//")? + 2;
        return Some((start, start + info.len()));
    }
    let start = address.find("://")? + 3;
    // The scheme may be preceded by other characters, such as `url=`.
    let rest = address.get(start..)?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // If no port number follows the colon, the password starts there and contains a delimiter.
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit());
    let is_cut = !authority.contains(['@', '[']) && authority.split_once(':').is_some_and(|(_, port)| !is_port(port));
    let end = if is_cut { rest.rfind('@') } else { authority.rfind('@') };
    Some((start, start + end?))
}

fn decoded(text: &str) -> String {
    fluent_uri::pct_enc::EStr::<fluent_uri::pct_enc::encoder::Userinfo>::new(text)
        .map_or_else(|| text.to_owned(), |text| text.decode().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_texts_tell_their_secrets() {
        assert_eq!(secrets_in("ftp://u:p w@h/x"), ["p w"]);
        assert_eq!(secrets_in("[remote]\n url = https://u:one%21@h/x\n proxy 'http://:two@p'"), ["one!", "two"]);
    }

    #[test]
    fn parameters_named_like_credentials_are_secrets() {
        assert_eq!(secrets_in("https://h/x?a=b&access_token=one%2Btwo#end"), ["one%2Btwo", "one+two"]);
        assert_eq!(secrets_in("get 'https://h/x?X-Amz-Signature=0a1b2c;sig=s' now"), ["0a1b2c", "0a1b2c"]);
        assert_eq!(secrets_in("https://h/x?page=2&tokens&token="), Vec::<String>::new());
        assert_eq!(secrets_in("https://h/x?PWD=directory"), ["directory", "directory"]);
        assert!(is_credential("API_TOKEN", "opensesame") && !is_credential("PWD", "/home/bob") && !is_credential("API_TOKEN", "1"));
    }

    #[test]
    fn addresses_lose_their_passwords() {
        let split = |address: &str| without_password(address).map(|(rest, c)| (rest, c.user, c.password));
        let some = |rest: &str, user: &str, password: &str| Some((rest.to_owned(), user.to_owned(), password.to_owned()));
        assert_eq!(split("https://u:p%40w@h/x"), some("https://u@h/x", "u", "p@w"));
        assert_eq!(split("https://:tok@h:8080/x?y"), some("https://h:8080/x?y", "", "tok"));
        assert_eq!(split("http://u:p w@h/x"), some("http://u@h/x", "u", "p w"));
        assert_eq!(split("https://ghp_0123456789abcdef@h/x"), some("https://h/x", "ghp_0123456789abcdef", ""));
        assert_eq!(split("url=https://u:pw@h/x"), some("url=https://u@h/x", "u", "pw"));
        assert_eq!(split("mysql://u:p/w?x#y@h/db"), some("mysql://u@h/db", "u", "p/w?x#y"));
        for none in [
            "https://h/x",
            "https://u@h/x",
            "git@host:path",
            "/a/b:c@d",
            "puppet:///m/x",
            "",
            "https://h/a:b@c",
            "http://h:80/a@b",
            "http://[::1]/a@b",
        ] {
            assert_eq!(split(none), None, "{none}");
        }
    }
}
