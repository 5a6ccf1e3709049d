//! Environment variables of started programs; `docs/apply.md` lists them.
//!
//! Puppet passes the environment of its caller to every program, except `HOME`, `USER` and `LOGNAME`, and sets the locale of provider programs
//! to `C`. Its provider `apt` sets [`FRONTENDS`] for the whole run. Here, only commands of `exec` inherit the caller's environment, and only
//! if they run as the caller: another user must not see root's variables, and a daemon started from a terminal should have the same
//! environment as one started by a timer.

use std::ffi::{OsStr, OsString};

/// Which variables a program inherits from the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Inherited {
    /// [`PROXIES`], [`CERTIFICATES`] and the time zone. The locale is `C.UTF-8`, so that output can be parsed.
    #[default]
    Network,
    /// Also the locale.
    Locale,
    /// All except [`OF_THE_CALLER`]; [`Inherited::Locale`] for a program that runs as another user.
    All,
}

/// The variables that name proxies, in lower or upper case.
const PROXIES: [&str; 5] = ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"];

/// The variables that name the trusted certificates, for rtype and for OpenSSL.
const CERTIFICATES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// A name and a value.
type Variable = (OsString, OsString);

/// Packages that a program installs are configured without questions.
const FRONTENDS: [(&str, &str); 3] =
    [("DEBIAN_FRONTEND", "noninteractive"), ("APT_LISTBUGS_FRONTEND", "none"), ("APT_LISTCHANGES_FRONTEND", "none")];

/// Variables that are never inherited: of the account, as in Puppet, and of the caller's directory and shell.
const OF_THE_CALLER: [&str; 7] = ["HOME", "USER", "LOGNAME", "PWD", "OLDPWD", "SHLVL", "_"];

fn is_locale(name: &str) -> bool {
    matches!(name, "LANG" | "LANGUAGE") || name.starts_with("LC_")
}

fn is_inherited(inherited: Inherited, name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return inherited == Inherited::All };
    match inherited {
        // Libraries of a wrapper around rtype are not those of the machine's programs.
        Inherited::All => !OF_THE_CALLER.contains(&name) && !name.starts_with("LD_"),
        Inherited::Locale if is_locale(name) => true,
        _ => name == "TZ" || CERTIFICATES.contains(&name) || PROXIES.contains(&name.to_ascii_lowercase().as_str()),
    }
}

/// Returns the environment of a program: inherited variables of the caller, the search path, and [`FRONTENDS`].
pub(super) fn environment(inherited: Inherited, path: OsString, caller: impl Iterator<Item = Variable>) -> Vec<Variable> {
    let mut all: Vec<Variable> = caller.filter(|(name, _)| is_inherited(inherited, name)).collect();
    if inherited == Inherited::Network {
        all.push(("LC_ALL".into(), "C.UTF-8".into()));
    }
    all.push(("PATH".into(), path));
    all.extend(FRONTENDS.map(|(name, value)| (name.into(), value.into())));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_inherit_only_what_their_kind_allows() {
        // The columns: `Network`, `Locale`, `All`.
        let table = [
            ("TZ", [true, true, true]),
            ("https_proxy", [true, true, true]),
            ("NO_PROXY", [true, true, true]),
            ("LANG", [false, true, true]),
            ("LC_TIME", [false, true, true]),
            ("LC_ALL", [false, true, true]),
            ("SECRET", [false, false, true]),
            ("HOME", [false; 3]),
            ("USER", [false; 3]),
            ("LOGNAME", [false; 3]),
            ("PWD", [false; 3]),
            ("LD_PRELOAD", [false; 3]),
            ("DEBIAN_FRONTEND", [false; 3]),
            ("PATH", [false; 3]),
        ];
        for (column, inherited) in [Inherited::Network, Inherited::Locale, Inherited::All].into_iter().enumerate() {
            let caller = table.iter().map(|(name, _)| (name.into(), "of the caller".into()));
            let all = environment(inherited, "/bin".into(), caller);
            let value = |name: &str| all.iter().rfind(|(n, _)| n == name).map(|(_, value)| value.to_str().unwrap());
            for (name, is_inherited) in &table {
                assert_eq!(value(name) == Some("of the caller"), is_inherited[column], "{inherited:?}: {name}");
            }
            assert_eq!((value("PATH"), value("DEBIAN_FRONTEND")), (Some("/bin"), Some("noninteractive")));
            assert_eq!(value("LC_ALL") == Some("C.UTF-8"), inherited == Inherited::Network);
        }
    }
}
