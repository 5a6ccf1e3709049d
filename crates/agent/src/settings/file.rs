//! The parsers of settings files.

use super::RawSettings;
use crate::error::AgentError;
use rtype_lang::diagnostics::nearest;
use rtype_provider::parse_puppet_conf;
use std::collections::BTreeMap;
use std::path::Path;

/// The names of all settings that the agent reads. The settings after the first comment do not exist in Puppet.
pub const SETTING_NAMES: &[&str] = &[
    "ca_fingerprint",
    "ca_port",
    "ca_refresh_interval",
    "ca_server",
    "certificate_revocation",
    "certname",
    "crl_refresh_interval",
    "csr_attributes",
    "environment",
    "hostcert_renewal_interval",
    "http_connect_timeout",
    "http_proxy_host",
    "http_proxy_port",
    "http_read_timeout",
    "key_type",
    "keylength",
    "maxwaitforcert",
    "maxwaitforlock",
    "noop",
    "postrun_command",
    "prerun_command",
    "report",
    "report_port",
    "report_server",
    "runinterval",
    "server",
    "server_list",
    "serverport",
    "show_diff",
    "skip_tags",
    "splay",
    "splaylimit",
    "ssldir",
    "statedir",
    "tags",
    "use_cached_catalog",
    "usecacheonfailure",
    "vardir",
    "waitforcert",
    "waitforlock",
    // Settings that do not exist in Puppet.
    "catalog_age_limit",
    "facter",
    "log_format",
    "metrics",
    "ruby_providers",
];

/// Settings with the values `true` or `false`.
pub const SETTING_FLAGS: &[&str] = &["facter", "noop", "report", "show_diff", "splay", "use_cached_catalog", "usecacheonfailure"];

/// Parses Puppet's file. The setting `masterport` is an old name for `serverport`.
pub(super) fn puppet_conf(path: &Path, text: &str) -> RawSettings {
    let mut values = parse_puppet_conf(text);
    if let Some(port) = values.remove("masterport") {
        values.entry("serverport".into()).or_insert(port);
    }
    RawSettings { file: path.display().to_string(), values, ..RawSettings::default() }
}

pub(super) fn own_toml(path: &Path, text: &str) -> Result<RawSettings, AgentError> {
    let file = path.display().to_string();
    let line_of = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
    if text.trim().is_empty() {
        let help = "write settings, or remove the file to use the defaults".into();
        return Err(AgentError::Setting { path: file, why: "it is empty".into(), help });
    }
    let wrong = |at: usize, why: String, help: String| AgentError::Setting { path: format!("{file}:{}", line_of(at)), why, help };
    let table = toml::de::DeTable::parse(text)
        .map_err(|e| wrong(e.span().map_or(0, |s| s.start), e.message().to_owned(), "write `name = \"value\"`, one to a line".into()))?;
    let mut values = BTreeMap::new();
    for (name, value) in table.get_ref() {
        let at = name.span().start;
        let name = name.get_ref().to_string();
        if !SETTING_NAMES.contains(&name.as_str()) {
            let help = match nearest(&name, SETTING_NAMES.iter().copied()) {
                Some(near) => format!("`{near}` is a setting"),
                None => format!("settings are {}", SETTING_NAMES.join(", ")),
            };
            return Err(wrong(at, format!("unknown setting `{name}`"), help));
        }
        let text = match value.get_ref() {
            toml::de::DeValue::String(text) => text.to_string(),
            toml::de::DeValue::Integer(number) => number.to_string(),
            toml::de::DeValue::Boolean(yes) => yes.to_string(),
            toml::de::DeValue::Array(items) => {
                let texts: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
                let help = || format!("write `{name} = [\"a\", \"b\"]`");
                texts.ok_or_else(|| wrong(at, format!("`{name}` has an element that is not a string"), help()))?.join(",")
            }
            _ => {
                return Err(wrong(
                    at,
                    format!("`{name}` has a value of no known kind"),
                    "write a string, a number, `true` or `false`".into(),
                ));
            }
        };
        values.insert(name, (text, line_of(at)));
    }
    Ok(RawSettings { file, values, ..RawSettings::default() })
}
