//! `archive/wget`: downloads with wget.
//!
//! Follows `puppet/provider/archive/wget.rb` of Puppet's module puppet-archive 4.1.0. Name, password, cookie and proxy go to wget in a file
//! that only this user can read: arguments can be read by everybody. (wget does not read its settings from a pipe.)

use super::file::{Archive, TIME_LIMIT, login, options, text};
use crate::native::http;
use crate::{Output, ProviderError, Resource, System};
use fluent_uri::{Uri, UriRef};
use rtype_system::{Scratch, process};
use std::io::Write;

/// The provider.
pub const PROVIDER: Archive = Archive { fetch };

/// How many addresses may lead to another one, as with curl.
const REDIRECTS: usize = 5;

/// Returns lines of wget's start-up file; a value cannot contain a newline.
fn lines<const N: usize>(settings: [(&str, Option<String>); N]) -> Result<String, ProviderError> {
    let mut lines = String::new();
    for (name, value) in settings {
        let Some(value) = value else { continue };
        if value.contains('\n') {
            return Err(ProviderError::new("wget takes no line break in a name, password, cookie or proxy"));
        }
        lines.push_str(&format!("{name} = {value}\n"));
    }
    Ok(lines)
}

fn fetch(system: &System, resource: &dyn Resource, address: &str, to: &Scratch, name: &str) -> Result<(), ProviderError> {
    let (mut address, user, password) = login(resource, address);
    let cookie = text(resource, "cookie").map(|cookie| format!("Cookie: {cookie}"));
    let mut account = lines([("user", user), ("password", password), ("header", cookie)])?;
    let proxy = text(resource, "proxy_server");
    let kind = format!("{}_proxy", text(resource, "proxy_type").unwrap_or_default());
    let proxy = lines([("use_proxy", proxy.is_some().then(|| "on".to_owned())), (&kind, proxy)])?;
    // wget itself would follow a redirect from `https:` to `http:`, where everybody can change what is downloaded.
    let is_secure = address.starts_with("https:");
    for hop in 0..=REDIRECTS {
        let settings = to.make_file(format!("wgetrc{hop}")).and_then(|mut file| file.write_all(format!("{account}{proxy}").as_bytes()));
        settings.map_err(|e| System::cannot_write("wgetrc", &e))?;
        let command = system
            .command("wget")
            .arg(format!("--config={}", to.path().join(format!("wgetrc{hop}")).display()))
            .args(is_secure.then_some("-S"))
            .args(["-nv", "-O"])
            .arg(to.path().join(name));
        let command = command.arg(format!("--max-redirect={}", if is_secure { 0 } else { REDIRECTS }));
        let insecure = resource.wanted("allow_insecure").is_truthy().then_some("--no-check-certificate");
        let certificates = process::variable("SSL_CERT_FILE").and_then(|file| Some(format!("--ca-certificate={}", file.to_str()?)));
        let command = command.args(insecure).args(certificates).args(options(resource)).args(["--", address.as_str()]);
        let command = command.time_limit(Some(TIME_LIMIT));
        let line = command.line();
        let output = command.run()?;
        let Some(next) = redirect(&address, &output).filter(|_| is_secure && output.status != Some(0)) else {
            return if output.status == Some(0) { Ok(()) } else { Err(output.failure(&line)) };
        };
        if !next.starts_with("https:") {
            let why = http::failed(&address, "it redirects from `https:` to an address without TLS");
            return Err(why.help("use the address of a server that stays with `https:`"));
        }
        if host(&next) != host(&address) {
            account.clear();
        }
        address = next;
    }
    Err(http::failed(&address, "too many redirects"))
}

/// Returns where the last answer that wget has shown leads to.
fn redirect(address: &str, output: &Output) -> Option<String> {
    let shown = output.stderr.for_parsing();
    let header = shown.lines().rev().map(str::trim).find_map(|line| line.strip_prefix("Location:"))?;
    let base = Uri::parse(address).ok()?;
    UriRef::parse(header.trim()).ok()?.resolve_against(&base).ok().map(|uri| uri.to_string())
}

fn host(address: &str) -> Option<&str> {
    address.split('/').nth(2)
}
