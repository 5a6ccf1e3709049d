//! Puppet's settings file `puppet.conf`, and the default directories of Puppet's packages.
//!
//! Follows Puppet 7.23's `lib/puppet/settings/ini_file.rb`.

use std::collections::BTreeMap;

/// The default directories of a Puppet package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuppetLayout {
    /// The directory of `puppet.conf`.
    pub confdir: &'static str,
    /// The directory of environments and modules.
    pub codedir: &'static str,
    /// The directory of cached data.
    pub vardir: &'static str,
    /// The directory of log files.
    pub logdir: &'static str,
    /// The directory of PID files.
    pub rundir: &'static str,
    /// The directory of keys and certificates.
    pub ssldir: &'static str,
    /// The directory of the certificate authority.
    pub cadir: &'static str,
}

/// The package of Puppet's makers.
const PUPPETLABS: PuppetLayout = PuppetLayout {
    confdir: "/etc/puppetlabs/puppet",
    codedir: "/etc/puppetlabs/code",
    vardir: "/opt/puppetlabs/puppet/cache",
    logdir: "/var/log/puppetlabs/puppet",
    rundir: "/var/run/puppetlabs",
    ssldir: "/etc/puppetlabs/puppet/ssl",
    cadir: "/etc/puppetlabs/puppetserver/ca",
};

/// Debian's package.
const DEBIAN: PuppetLayout = PuppetLayout {
    confdir: "/etc/puppet",
    codedir: "/etc/puppet/code",
    vardir: "/var/cache/puppet",
    logdir: "/var/log/puppet",
    rundir: "/run/puppet",
    ssldir: "/var/lib/puppet/ssl",
    cadir: "/etc/puppet/puppetserver/ca",
};

impl PuppetLayout {
    /// Returns the layout whose `puppet.conf` exists, if there is one.
    ///
    /// # Errors
    /// If `exists` fails.
    pub fn with_settings<E>(mut exists: impl FnMut(&str) -> Result<bool, E>) -> Result<Option<Self>, E> {
        for layout in [PUPPETLABS, DEBIAN] {
            if exists(&layout.settings_file())? {
                return Ok(Some(layout));
            }
        }
        Ok(None)
    }

    /// Returns the layout whose `puppet.conf` exists, else the layout whose `confdir` exists, else Debian's.
    pub(crate) fn of_machine(exists: impl Fn(&str) -> bool) -> Self {
        let Ok(found) = Self::with_settings(|path| Ok::<_, std::convert::Infallible>(exists(path)));
        found.unwrap_or_else(|| if exists(PUPPETLABS.confdir) { PUPPETLABS } else { DEBIAN })
    }

    /// Returns the path of `puppet.conf`.
    #[must_use]
    pub fn settings_file(&self) -> String {
        format!("{}/puppet.conf", self.confdir)
    }
}

/// Settings by name, each with its value and the number of its line.
pub type PuppetSettings = BTreeMap<String, (String, usize)>;

/// Parses the sections `[main]` and `[agent]` of `puppet.conf`, and returns each value with its line; the second section wins.
#[must_use]
pub fn parse_puppet_conf(text: &str) -> PuppetSettings {
    let (mut main, mut agent) = (BTreeMap::new(), BTreeMap::new());
    let mut section = String::from("main");
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            name.trim().clone_into(&mut section);
        } else if let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let name = name.trim();
            let value = match name.ends_with("_command") {
                true => unquoted(value.trim()),
                // The owner and mode of a directory may follow in braces.
                false => value.split(" {").next().unwrap_or_default().trim().trim_matches(['"', '\'']),
            };
            let values = match section.as_str() {
                "main" => &mut main,
                "agent" => &mut agent,
                _ => continue,
            };
            values.insert(name.to_owned(), (value.to_owned(), number + 1));
        }
    }
    main.extend(agent);
    main
}

/// Returns a text without the quotes around it.
fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_chosen_by_its_settings_file_then_its_directory() {
        for (existing, expected) in [
            (&["/etc/puppetlabs/puppet", "/etc/puppet", "/etc/puppet/puppet.conf"][..], DEBIAN),
            (&["/etc/puppetlabs/puppet/puppet.conf", "/etc/puppet/puppet.conf"], PUPPETLABS),
            (&["/etc/puppetlabs/puppet"], PUPPETLABS),
            (&["/etc/puppetlabs/puppet", "/etc/puppet"], PUPPETLABS),
            (&["/etc/puppet"], DEBIAN),
            (&[], DEBIAN),
        ] {
            assert_eq!(PuppetLayout::of_machine(|path| existing.contains(&path)), expected, "{existing:?}");
        }
    }
}
