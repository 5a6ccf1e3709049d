//! `archive/wget`: downloads with wget.
//!
//! Follows `puppet/provider/archive/wget.rb` of Puppet's module puppet-archive 4.1.0. Name, password, cookie and proxy go to wget by
//! standard input: arguments can be read by everybody.

use super::file::{Archive, TIME_LIMIT, login, options, text};
use crate::{ProviderError, Resource, System};
use rtype_system::Scratch;

/// The provider.
pub const PROVIDER: Archive = Archive { fetch };

/// Returns the content of wget's start-up file; a value cannot contain a newline.
fn secrets(resource: &dyn Resource, name: Option<String>, password: Option<String>) -> Result<String, ProviderError> {
    let kind = text(resource, "proxy_type").unwrap_or_default();
    let proxy = text(resource, "proxy_server");
    let all = [
        ("user".to_owned(), name),
        ("password".to_owned(), password),
        ("header".to_owned(), text(resource, "cookie").map(|cookie| format!("Cookie: {cookie}"))),
        ("use_proxy".to_owned(), proxy.is_some().then(|| "on".to_owned())),
        (format!("{kind}_proxy"), proxy),
    ];
    let mut lines = String::new();
    for (name, value) in all {
        let Some(value) = value else { continue };
        if value.contains('\n') {
            return Err(ProviderError::new("wget takes no line break in a name, password, cookie or proxy"));
        }
        lines.push_str(&format!("{name} = {value}\n"));
    }
    Ok(lines)
}

fn fetch(system: &System, resource: &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError> {
    let (address, user, password) = login(resource, address);
    let command = system.command("wget").args(["--config=/dev/stdin", "-nv", "--max-redirect=5", "-O"]).arg(to.path().join(name));
    let insecure = resource.wanted("allow_insecure").is_truthy().then_some("--no-check-certificate");
    let command = command.args(insecure).args(options(resource)).args(["--", address.as_str()]).stdin(secrets(resource, user, password)?);
    command.time_limit(Some(TIME_LIMIT)).succeed().map(drop)
}
