//! `archive/curl`: downloads with curl.
//!
//! Follows `puppet/provider/archive/curl.rb` of Puppet's module puppet-archive 4.1.0. Name, password, cookie and proxy go to curl by
//! standard input: arguments can be read by everybody.

use super::file::{Archive, TIME_LIMIT, login, options, text};
use crate::{ProviderError, Resource, System};
use rtype_system::Scratch;

/// The provider.
pub const PROVIDER: Archive = Archive { fetch };

/// Returns the content of curl's configuration file.
fn secrets(resource: &dyn Resource, name: Option<String>, password: Option<String>) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let account = name.map(|name| [Some(name), password].into_iter().flatten().collect::<Vec<_>>().join(":"));
    let all = [("user", account), ("cookie", text(resource, "cookie")), ("proxy", text(resource, "proxy_server"))];
    all.iter().filter_map(|(option, value)| Some(format!("{option} = \"{}\"\n", quoted(value.as_deref()?)))).collect()
}

fn fetch(system: &System, resource: &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError> {
    let (address, user, password) = login(resource, address);
    let command =
        system.command("curl").arg(&address).arg("-o").arg(to.path().join(name)).args(["-fsSLg", "--max-redirs", "5", "--config", "-"]);
    // A redirect must not lead from `https:` to `http:`, where everybody can change what is downloaded.
    let secure = if address.starts_with("https:") { &["--proto-redir", "=https"][..] } else { &[] };
    let command = command.args(secure);
    let insecure = resource.wanted("allow_insecure").is_truthy().then_some("--insecure");
    let command = command.args(insecure).args(options(resource)).stdin(secrets(resource, user, password));
    command.time_limit(Some(TIME_LIMIT)).succeed().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::Wants;
    use rtype_lang::value::Value;

    #[test]
    fn secrets_are_quoted_as_curl_reads_them() {
        let (address, name, password) = login(&Wants(vec![]), "https://u:p%40w@h/x");
        assert_eq!((address.as_str(), secrets(&Wants(vec![]), name, password)), ("https://u@h/x", "user = \"u:p@w\"\n".to_owned()));
        let wants = Wants(vec![("username", Value::str("me")), ("password", Value::str("a\"b\\")), ("cookie", Value::str("c=1"))]);
        let (_, name, password) = login(&wants, "https://other:word@h/");
        assert_eq!(secrets(&wants, name, password), "user = \"me:a\\\"b\\\\\"\ncookie = \"c=1\"\n");
    }
}
