//! The agent's settings: `/etc/rtype/agent.toml`, or an existing `puppet.conf`. Both files use Puppet's setting names.
//!
//! Follows Puppet 7.23's `lib/puppet/defaults.rb` and `lib/puppet/settings/ini_file.rb`.

mod file;

use crate::error::AgentError;
use crate::store;
pub use file::{SETTING_FLAGS, SETTING_NAMES};
use file::{own_toml, puppet_conf};
use rtype_provider::PuppetLayout;
use rtype_system::{Limit, Tree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The agent's own settings file.
pub const OWN: &str = "/etc/rtype/agent.toml";

/// The origin of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsOrigin {
    /// No file: all settings have defaults.
    Defaults,
    /// The agent's own file.
    Own(PathBuf),
    /// Puppet's file.
    Puppet(PathBuf),
}

/// The agent's settings. A time that Puppet writes as `0` for "never" is `None`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The origin of the settings.
    pub origin: SettingsOrigin,
    /// The server and the port.
    pub server: (String, u16),
    /// Servers to try in this order instead of `server`; usually empty.
    pub server_list: Vec<(String, u16)>,
    /// The server for certificates.
    pub ca_server: (String, u16),
    /// The server for reports.
    pub report_server: (String, u16),
    /// True for `ca_server` and `report_server` if set explicitly. The default is `server`.
    pub own_servers: (bool, bool),
    /// This node's name.
    pub certname: String,
    /// The environment; `None` to let the server choose.
    pub environment: Option<String>,
    /// The directory with keys and certificates.
    pub ssldir: PathBuf,
    /// Puppet's state directory, which contains Puppet's locks; `None` if Puppet is not installed.
    pub puppet_state: Option<PathBuf>,
    /// The time between the starts of two runs.
    pub runinterval: Duration,
    /// The maximum waiting time before the first run; `None` for no wait.
    pub splay: Option<Duration>,
    /// True to run in noop mode.
    pub noop: bool,
    /// Only resources with any of these tags are applied.
    pub tags: Vec<String>,
    /// Resources with any of these tags are skipped.
    pub skip_tags: Vec<String>,
    /// A shell command line to run before the resources are applied. If the command fails, the run fails.
    pub prerun_command: Option<String>,
    /// A shell command line to run at the end of each run. If the command fails, the run fails.
    pub postrun_command: Option<String>,
    /// True to show content differences.
    pub show_diff: bool,
    /// True to send reports.
    pub report: bool,
    /// True to apply the cached catalog without requesting a new catalog.
    pub use_cached_catalog: bool,
    /// True to apply the cached catalog if the server does not provide a catalog.
    pub usecacheonfailure: bool,
    /// The maximum age of the cached catalog.
    pub catalog_age_limit: Option<Duration>,
    /// The time between two requests for the certificate; `None` to end the run instead of waiting.
    pub waitforcert: Option<Duration>,
    /// The maximum waiting time for the certificate.
    pub maxwaitforcert: Option<Duration>,
    /// The time between two checks for another running agent; `None` to skip the run instead of waiting.
    pub waitforlock: Option<Duration>,
    /// The maximum waiting time for another agent.
    pub maxwaitforlock: Option<Duration>,
    /// The time limit for connecting.
    pub connect_timeout: Duration,
    /// The time limit for a response.
    pub read_timeout: Duration,
    /// The HTTP proxy.
    pub proxy: Option<(String, u16)>,
    /// The certificates to check for revocation.
    pub revocation: Revocation,
    /// The required digest of the CA certificate.
    pub ca_fingerprint: Option<Fingerprint>,
    /// The time after which the CA certificates are requested again.
    pub ca_refresh: Option<Duration>,
    /// The time after which the revocation lists are requested again.
    pub crl_refresh: Option<Duration>,
    /// The time before expiry at which the node's certificate is renewed.
    pub renewal: Option<Duration>,
    /// The number of bits for a new RSA key; `None` for a key on the curve P-256.
    pub rsa_bits: Option<u32>,
    /// The file with attributes for the certificate request.
    pub csr_attributes: PathBuf,
    /// Runs Ruby providers if enabled, with the time limit per resource.
    pub ruby_providers: RubyProviders,
    /// True to run `facter`, if installed.
    pub facter: bool,
    /// True for JSON log lines.
    pub json_log: bool,
    /// The file for metrics in Prometheus' text format.
    pub metrics: Option<PathBuf>,
}

/// Enables or disables providers that exist only in Ruby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RubyProviders {
    /// Providers that exist only in Ruby are not run.
    Off,
    /// Providers that exist only in Ruby are run, with the default time limit.
    On,
    /// Providers that exist only in Ruby are run, with this time limit in seconds per resource.
    Limit(u64),
}

/// The certificates to check for revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// The server's certificate and the issuers' certificates.
    Chain,
    /// The server's certificate.
    Leaf,
    /// No certificates.
    Off,
}

/// A SHA-256 digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Parses 64 hexadecimal digits, with or without colons.
    fn parse(text: &str) -> Option<Fingerprint> {
        let digits = text.replace(':', "").to_ascii_lowercase();
        (digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit())).then_some(Fingerprint(digits))
    }

    /// Returns true if the fingerprint is equal to a digest in lower case without colons.
    pub(crate) fn matches(&self, digest: &str) -> bool {
        self.0 == digest
    }
}

/// Settings that may be empty, as in Puppet. An empty value means no value.
const MAY_BE_EMPTY: [&str; 7] = ["environment", "http_proxy_host", "postrun_command", "prerun_command", "server_list", "skip_tags", "tags"];

/// The explicitly set settings, by name.
#[derive(Debug, Default)]
struct RawSettings {
    file: String,
    values: BTreeMap<String, (String, usize)>,
    /// Default directories that values in `puppet.conf` can refer to, such as `$vardir`.
    bases: BTreeMap<&'static str, String>,
}

/// Reads the settings from `file`, by default from `agent.toml`, or from `puppet.conf`. `overrides` take precedence over the file. `fqdn`
/// is this machine's name.
///
/// # Errors
/// If a file cannot be read or parsed, or a setting has an invalid value.
pub fn read_settings(tree: &Tree, file: Option<&Path>, overrides: &[(&str, String)], fqdn: &str) -> Result<Settings, AgentError> {
    let layout = PuppetLayout::with_settings(|path| match tree.look(Path::new(path), false) {
        Ok(found) => Ok(found.is_some()),
        Err(e) => Err(AgentError::file(Path::new(path), &e)),
    })?;
    let own = file.unwrap_or(Path::new(OWN));
    let is_puppet = |path: &Path| path.extension().is_some_and(|e| e == "conf");
    let (mut given, origin) = match (read(tree, own)?, layout) {
        (Some(text), _) if is_puppet(own) => (puppet_conf(own, &text), SettingsOrigin::Puppet(own.to_owned())),
        (Some(text), _) => (own_toml(own, &text)?, SettingsOrigin::Own(own.to_owned())),
        (None, _) if file.is_some() => {
            let help = "check the path that `--settings` or `--confdir` names".to_owned();
            return Err(AgentError::Setting { path: own.display().to_string(), why: "it does not exist".into(), help });
        }
        (None, Some(layout)) => {
            let path = PathBuf::from(layout.settings_file());
            (puppet_conf(&path, &read(tree, &path)?.unwrap_or_default()), SettingsOrigin::Puppet(path))
        }
        (None, None) => (RawSettings::default(), SettingsOrigin::Defaults),
    };
    if let Some(PuppetLayout { confdir, vardir, .. }) = layout {
        let bases = [("confdir", confdir.to_owned()), ("vardir", vardir.to_owned()), ("statedir", "$vardir/state".to_owned())];
        given.bases.extend(bases);
    }
    if overrides.iter().any(|(name, _)| *name == "server") {
        given.values.remove("server_list");
    }
    for (name, value) in overrides {
        given.values.insert((*name).to_owned(), (value.clone(), 0));
    }
    given.settings(origin, layout, fqdn)
}

fn read(tree: &Tree, path: &Path) -> Result<Option<String>, AgentError> {
    let bytes = store::read(tree, path, Limit::TEXT)?;
    if bytes.is_some() {
        store::check_control(&tree.root().join(path.strip_prefix("/").unwrap_or(path)))?;
    }
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

impl Settings {
    /// Returns the settings with a server from `server_list` as `server`.
    pub(crate) fn with_server(&self, server: &(String, u16)) -> Settings {
        let mut settings = Settings { server: server.clone(), ..self.clone() };
        let (ca, report) = self.own_servers;
        if !ca {
            settings.ca_server = server.clone();
        }
        if !report {
            settings.report_server = server.clone();
        }
        settings
    }
}

impl RawSettings {
    fn wrong(&self, name: &str, expected: &str) -> AgentError {
        let (value, line) = self.values.get(name).cloned().unwrap_or_default();
        let path = if line == 0 { format!("option for `{name}`") } else { format!("{}:{line}", self.file) };
        AgentError::Setting { path, why: format!("`{value}` is not a value of `{name}`"), help: expected.to_owned() }
    }

    /// Returns a setting's value, with references to other settings replaced.
    fn text(&self, name: &str) -> Option<String> {
        let (value, _) = self.values.get(name)?;
        let mut text = value.clone();
        // Directories may refer to other directories. A few rounds are enough.
        for _ in 0..8 {
            let Some(at) = text.find('$') else { break };
            let rest = text.get(at + 1..).unwrap_or_default();
            let (name, length) = match rest.strip_prefix('{') {
                Some(inner) => inner.split_once('}').map(|(name, _)| (name, name.len() + 3)).unwrap_or_default(),
                None => {
                    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                    (rest.get(..end).unwrap_or_default(), end + 1)
                }
            };
            let other = self.values.get(name).map(|(other, _)| other).or_else(|| self.bases.get(name)).filter(|_| length > 1);
            let Some(other) = other else { break };
            text.replace_range(at..at + length, other);
        }
        Some(text).filter(|text| !text.is_empty())
    }

    /// Returns an error for an empty value, unless the setting may be empty. The default is not used, because the value may be missing by
    /// accident.
    fn check_empty(&self) -> Result<(), AgentError> {
        let is_empty = |(name, (value, _)): &(&String, &(String, usize))| {
            value.trim().is_empty() && SETTING_NAMES.contains(&name.as_str()) && !MAY_BE_EMPTY.contains(&name.as_str())
        };
        match self.values.iter().find(is_empty) {
            Some((name, _)) => Err(self.wrong(name, "write a value, or leave the setting out for its default")),
            None => Ok(()),
        }
    }

    fn path(&self, name: &str, default: String) -> Result<PathBuf, AgentError> {
        let path = PathBuf::from(self.text(name).unwrap_or(default));
        if path.is_absolute() { Ok(path) } else { Err(self.wrong(name, "write an absolute path")) }
    }

    fn flag(&self, name: &str, default: bool) -> Result<bool, AgentError> {
        match self.text(name).as_deref() {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(_) => Err(self.wrong(name, "write `true` or `false`")),
        }
    }

    fn port(&self, name: &str, default: u16) -> Result<u16, AgentError> {
        self.text(name).map_or(Ok(default), |text| text.parse().map_err(|_| self.wrong(name, "a port is a number up to 65535")))
    }

    /// Returns the RSA key size in bits. TLS libraries refuse shorter and longer keys.
    fn keylength(&self) -> Result<u32, AgentError> {
        let bits = self.text("keylength").map_or(Some(4096), |text| text.parse().ok());
        bits.filter(|bits| (2048..=8192).contains(bits)).ok_or_else(|| self.wrong("keylength", "write a number from 2048 to 8192"))
    }

    /// Returns a list of server names, each with a port. Names without a port get `default`.
    fn servers(&self, name: &str, default: u16) -> Result<Vec<(String, u16)>, AgentError> {
        let text = self.text(name).unwrap_or_default();
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        let server = |item: &str| match item.split_once(':') {
            None => Some((item.to_owned(), default)),
            Some((host, port)) => Some((host.to_owned(), port.parse().ok()?)),
        };
        let all: Option<Vec<_>> = items.map(server).collect();
        all.ok_or_else(|| self.wrong(name, "write names of servers separated by commas; `:` and a port may follow a name"))
    }

    /// Returns a time; `None` for `0` and `unlimited`, which both mean never.
    fn time(&self, name: &str, default: Option<Duration>) -> Result<Option<Duration>, AgentError> {
        let Some(text) = self.text(name) else { return Ok(default) };
        if text == "unlimited" {
            return Ok(None);
        }
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text.get(digits.len()..).unwrap_or_default() {
            "" | "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86_400,
            "y" => 31_536_000,
            _ => 0,
        };
        let seconds: Option<u64> = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit)).filter(|_| unit > 0);
        let seconds = seconds.ok_or_else(|| self.wrong(name, "write seconds, or a number with `s`, `m`, `h`, `d` or `y`"))?;
        Ok((seconds > 0).then(|| Duration::from_secs(seconds)))
    }

    /// Returns an interval. 0 is a valid interval.
    fn interval(&self, name: &str, default: Duration) -> Result<Duration, AgentError> {
        Ok(match self.text(name).as_deref() {
            Some("unlimited") => return Err(self.wrong(name, "write a time, or 0 for no pause")),
            Some(_) => self.time(name, None)?.unwrap_or(Duration::ZERO),
            None => default,
        })
    }

    fn fingerprint(&self) -> Result<Option<Fingerprint>, AgentError> {
        let Some(text) = self.text("ca_fingerprint") else { return Ok(None) };
        let help = "write the SHA-256 digest of the CA's certificate: 64 hexadecimal digits";
        Fingerprint::parse(&text).map(Some).ok_or_else(|| self.wrong("ca_fingerprint", help))
    }

    fn list(&self, name: &str) -> Vec<String> {
        self.text(name).unwrap_or_default().split(',').map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect()
    }

    /// Returns the setting for Ruby providers.
    fn ruby_providers(&self) -> Result<RubyProviders, AgentError> {
        match self.text("ruby_providers").as_deref() {
            None | Some("false") => Ok(RubyProviders::Off),
            Some("true") => Ok(RubyProviders::On),
            Some(_) => {
                let help = "write `true`, `false`, or how long a resource may take";
                let limit = self.time("ruby_providers", None).map_err(|_| self.wrong("ruby_providers", help))?;
                Ok(limit.map_or(RubyProviders::Off, |time| RubyProviders::Limit(time.as_secs())))
            }
        }
    }

    fn settings(&self, origin: SettingsOrigin, layout: Option<PuppetLayout>, fqdn: &str) -> Result<Settings, AgentError> {
        const DAY: u64 = 86_400;
        self.check_empty()?;
        let server = (self.text("server").unwrap_or_else(|| "puppet".into()), self.port("serverport", 8140)?);
        let other = |host: &str, port: &str| -> Result<(String, u16), AgentError> {
            Ok((self.text(host).unwrap_or_else(|| server.0.clone()), self.port(port, server.1)?))
        };
        let certname = self.text("certname").unwrap_or_else(|| fqdn.to_lowercase());
        // The name becomes part of paths and URLs.
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        if certname.is_empty() || certname.starts_with('.') || !certname.chars().all(is_name) {
            let why = format!("`{certname}` cannot be the name of a certificate");
            let help = "give `--certname` with small letters, digits, `.`, `-` and `_`".to_owned();
            return Err(AgentError::Setting { path: "certname".into(), why, help });
        }
        let (ssl, state) = match layout {
            Some(PuppetLayout { vardir, ssldir, .. }) => {
                let vardir = self.text("vardir").unwrap_or_else(|| vardir.to_owned());
                (ssldir.to_owned(), Some(self.path("statedir", format!("{vardir}/state"))?))
            }
            None => {
                let state = self.text("statedir").or_else(|| self.text("vardir").map(|vardir| format!("{vardir}/state")));
                ("/etc/rtype/ssl".to_owned(), state.map(|state| self.path("statedir", state)).transpose()?)
            }
        };
        let revocation = match self.text("certificate_revocation").as_deref() {
            None | Some("chain" | "true") => Revocation::Chain,
            Some("leaf") => Revocation::Leaf,
            Some("false") => Revocation::Off,
            Some(_) => return Err(self.wrong("certificate_revocation", "write `chain`, `leaf` or `false`")),
        };
        let runinterval = self.interval("runinterval", Duration::from_secs(1800))?;
        let splay = self.flag("splay", false)?.then(|| self.time("splaylimit", Some(runinterval))).transpose()?.flatten();
        let interval = |name: &str, days: u64| self.time(name, Some(Duration::from_secs(days * DAY)));
        let proxy = self.text("http_proxy_host").filter(|host| host != "none");
        let json_log = match self.text("log_format").as_deref() {
            None | Some("text") => false,
            Some("json") => true,
            Some(_) => return Err(self.wrong("log_format", "write `text` or `json`")),
        };
        let rsa_bits = match self.text("key_type").as_deref() {
            None | Some("ec") => None,
            Some("rsa") => Some(self.keylength()?),
            Some(_) => return Err(self.wrong("key_type", "write `ec` or `rsa`")),
        };
        let metrics = self.text("metrics").map(PathBuf::from);
        if metrics.as_ref().is_some_and(|path| !path.is_absolute() || path.file_name().is_none()) {
            return Err(self.wrong("metrics", "write the absolute path of a file"));
        }
        let configuration = layout.map_or("/etc/rtype", |layout| layout.confdir);
        Ok(Settings {
            ca_server: other("ca_server", "ca_port")?,
            report_server: other("report_server", "report_port")?,
            own_servers: (self.text("ca_server").is_some(), self.text("report_server").is_some()),
            server_list: self.servers("server_list", server.1)?,
            server: server.clone(),
            certname,
            environment: self.text("environment"),
            ssldir: self.path("ssldir", ssl)?,
            puppet_state: state,
            runinterval,
            splay,
            noop: self.flag("noop", false)?,
            tags: self.list("tags"),
            skip_tags: self.list("skip_tags"),
            prerun_command: self.text("prerun_command"),
            postrun_command: self.text("postrun_command"),
            show_diff: self.flag("show_diff", false)?,
            report: self.flag("report", true)?,
            use_cached_catalog: self.flag("use_cached_catalog", false)?,
            usecacheonfailure: self.flag("usecacheonfailure", true)?,
            catalog_age_limit: self.time("catalog_age_limit", None)?,
            waitforcert: self.time("waitforcert", Some(Duration::from_secs(120)))?,
            maxwaitforcert: self.time("maxwaitforcert", None)?,
            waitforlock: self.time("waitforlock", None)?,
            maxwaitforlock: self.time("maxwaitforlock", Some(Duration::from_secs(60)))?,
            connect_timeout: self.time("http_connect_timeout", None)?.unwrap_or(Duration::from_secs(120)),
            read_timeout: self.time("http_read_timeout", None)?.unwrap_or(Duration::from_secs(600)),
            proxy: proxy.map(|host| Ok((host, self.port("http_proxy_port", 3128)?))).transpose()?,
            revocation,
            ca_fingerprint: self.fingerprint()?,
            ca_refresh: interval("ca_refresh_interval", 1)?,
            crl_refresh: interval("crl_refresh_interval", 1)?,
            renewal: interval("hostcert_renewal_interval", 30)?,
            rsa_bits,
            csr_attributes: self.path("csr_attributes", format!("{configuration}/csr_attributes.yaml"))?,
            ruby_providers: self.ruby_providers()?,
            facter: self.flag("facter", false)?,
            json_log,
            metrics,
            origin,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(file: &str, text: &str) -> Result<Settings, AgentError> {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        read_settings(&Tree::at(root.path()), None, &[], "Web1.Lab")
    }

    #[test]
    fn puppets_file_is_read_where_the_agent_has_none() {
        let text = "[main]\nserver = a.lab\nvardir=/v\nssldir = $vardir/ssl { owner = puppet }\n[agent]\n# server = c\nserver = b.lab\n\
                    runinterval = 30m\nsplay = true\n[user]\nserver = no\n";
        let read = settings("etc/puppet/puppet.conf", text).unwrap();
        assert_eq!(read.server, ("b.lab".to_owned(), 8140));
        assert_eq!((read.ssldir, read.puppet_state), ("/v/ssl".into(), Some("/v/state".into())));
        assert_eq!((read.runinterval.as_secs(), read.splay.unwrap().as_secs()), (1800, 1800));
        assert_eq!((read.certname.as_str(), read.origin), ("web1.lab", SettingsOrigin::Puppet("/etc/puppet/puppet.conf".into())));
    }

    #[test]
    fn own_file_has_the_same_names_and_takes_no_others() {
        let read = settings("etc/rtype/agent.toml", "server = \"a\"\nwaitforcert = 0\nnoop = true\ntags = [\"x\", \"y\"]\n").unwrap();
        assert_eq!((read.waitforcert, read.noop, read.tags), (None, true, vec!["x".to_owned(), "y".to_owned()]));
        let wrong = settings("etc/rtype/agent.toml", "\nservr = \"a\"\n").unwrap_err();
        assert_eq!(wrong.to_string(), "/etc/rtype/agent.toml:2: unknown setting `servr`");
        assert_eq!(wrong.help().unwrap(), "`server` is a setting");
        let wrong = settings("etc/rtype/agent.toml", "runinterval = \"soon\"").unwrap_err();
        assert_eq!(wrong.to_string(), "/etc/rtype/agent.toml:1: `soon` is not a value of `runinterval`");
    }

    #[test]
    fn servers_of_a_list_have_ports_of_their_own() {
        let read = settings("etc/puppet/puppet.conf", "[main]\nserver_list = a.lab:8141, b.lab\nca_server = ca.lab\n").unwrap();
        let (first, second) = (("a.lab".to_owned(), 8141), ("b.lab".to_owned(), 8140));
        assert_eq!(read.server_list, [first.clone(), second]);
        let chosen = read.with_server(&first);
        assert_eq!((&chosen.server, &chosen.report_server, chosen.ca_server.0.as_str()), (&first, &first, "ca.lab"));
        let wrong = settings("etc/puppet/puppet.conf", "[main]\nserver_list = a:b\n").unwrap_err();
        assert_eq!(wrong.to_string(), "/etc/puppet/puppet.conf:2: `a:b` is not a value of `server_list`");
    }

    #[test]
    fn values_that_would_be_taken_for_others_are_refused() {
        for (text, why) in [
            ("tags = [1, 2]", "`tags` has an element that is not a string"),
            ("metrics = \"\"", "`` is not a value of `metrics`"),
            ("metrics = \"a.prom\"", "`a.prom` is not a value of `metrics`"),
            ("ruby_providers = \"yes\"", "`yes` is not a value of `ruby_providers`"),
        ] {
            let wrong = settings("etc/rtype/agent.toml", text).unwrap_err();
            assert_eq!(wrong.to_string(), format!("/etc/rtype/agent.toml:1: {why}"));
        }
    }

    #[test]
    fn zero_and_words_have_their_meaning() {
        let of = |text: &str| settings("etc/rtype/agent.toml", text).unwrap();
        assert_eq!((of("runinterval = 0").runinterval, of("# none").runinterval.as_secs()), (Duration::ZERO, 1800));
        assert_eq!(of("ruby_providers = true").ruby_providers, RubyProviders::On);
        assert_eq!(of("ruby_providers = false").ruby_providers, RubyProviders::Off);
        assert_eq!(of("ruby_providers = \"2m\"").ruby_providers, RubyProviders::Limit(120));
        assert_eq!(of("catalog_age_limit = 0").catalog_age_limit, None);
    }

    #[test]
    fn commands_of_puppets_file_are_kept_as_they_are() {
        let text = "[agent]\nprerun_command = \"/bin/sh -c 'a {b}'\"\nskip_tags = x, y\npostrun_command = echo 'a'\n";
        let read = settings("etc/puppet/puppet.conf", text).unwrap();
        assert_eq!(read.prerun_command.as_deref(), Some("/bin/sh -c 'a {b}'"));
        assert_eq!((read.postrun_command.as_deref(), read.skip_tags), (Some("echo 'a'"), vec!["x".to_owned(), "y".to_owned()]));
    }

    #[test]
    fn empty_values_are_errors_unless_allowed() {
        for name in SETTING_NAMES {
            for text in [format!("{name} = \"\""), format!("{name} = \"  \"")] {
                let read = settings("etc/rtype/agent.toml", &text);
                assert_eq!(read.is_ok(), MAY_BE_EMPTY.contains(name), "{text}: {read:?}");
            }
        }
        assert_eq!(settings("etc/rtype/agent.toml", "\n").unwrap_err().to_string(), "/etc/rtype/agent.toml: it is empty");
    }

    #[test]
    fn directories_of_puppet_can_be_named_without_being_set() {
        let read = settings("etc/puppet/puppet.conf", "[main]\nssldir = $vardir/ssl\ncsr_attributes = ${confdir}/csr.yaml\n").unwrap();
        assert_eq!((read.ssldir, read.csr_attributes), ("/var/cache/puppet/ssl".into(), "/etc/puppet/csr.yaml".into()));
        let wrong = settings("etc/puppet/puppet.conf", "[main]\nssldir = $nosuch/ssl\n").unwrap_err();
        assert_eq!(wrong.help().unwrap(), "write an absolute path");
    }

    #[test]
    fn dangling_links_to_settings_are_refused() {
        let root = tempfile::tempdir().unwrap();
        for file in ["etc/rtype/agent.toml", "etc/puppet/puppet.conf"] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink("nosuch", &path).unwrap();
            let wrong = read_settings(&Tree::at(root.path()), None, &[], "web1").unwrap_err();
            assert!(wrong.to_string().contains("the target of the symbolic link does not exist"), "{wrong}");
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn name_that_would_leave_the_directory_is_refused() {
        let wrong = settings("etc/rtype/agent.toml", "certname = \"../a\"").unwrap_err();
        assert!(wrong.to_string().contains("cannot be the name"), "{wrong}");
    }
}
