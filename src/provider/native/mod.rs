//! The native providers that come with rtype, one file each: `native/<type>/<name>.rs`.

pub(super) mod accounts;
mod reading;

mod cron {
    pub(super) mod crontab;
    mod tab;
}
mod file {
    pub(super) mod posix;
}
mod group {
    pub(super) mod groupadd;
}
mod user {
    mod keys;
    pub(super) mod useradd;
}
mod common;
mod host {
    pub mod parsed;
}
mod mount {
    pub mod parsed;
}
mod package {
    pub mod apt;
    pub mod dpkg;
    mod status;
    mod version;
}
mod service {
    pub mod systemd;
}

use super::Provider;
use super::external::Programs;
use crate::value::EcoString;
use indexmap::IndexMap;
use std::sync::Arc;

/// Native code by type and provider name. A value: a caller may add its own.
#[derive(Clone, Default)]
pub struct NativeProviders {
    table: IndexMap<(EcoString, EcoString), Arc<dyn Provider>>,
    /// What runs for providers that are programs.
    pub programs: Programs,
}

impl NativeProviders {
    /// All that come with rtype.
    pub fn standard() -> NativeProviders {
        let mut all = NativeProviders::default();

        all.register("user", "useradd", Arc::new(user::useradd::Useradd));
        all.register("group", "groupadd", Arc::new(group::groupadd::Groupadd));
        all.register("file", "posix", Arc::new(file::posix::Posix));
        all.register("cron", "crontab", Arc::new(cron::crontab::Crontab));
        all.register("host", "parsed", Arc::new(host::parsed::Parsed));
        all.register("mount", "parsed", Arc::new(mount::parsed::Parsed));
        all.register("package", "apt", Arc::new(package::apt::Apt));
        all.register("package", "dpkg", Arc::new(package::dpkg::Dpkg));
        all.register("service", "systemd", Arc::new(service::systemd::Systemd));
        all
    }

    /// Adds or replaces one.
    pub fn register(&mut self, type_name: &str, name: &str, provider: Arc<dyn Provider>) {
        self.table.insert((type_name.into(), name.into()), provider);
    }

    /// The type and provider names for which there is code.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.table.keys().map(|(t, p)| (t.as_str(), p.as_str()))
    }

    /// The code for a provider of a type.
    pub fn get(&self, type_name: &str, name: &str) -> Option<&Arc<dyn Provider>> {
        self.table.get(&(type_name.into(), name.into()))
    }
}
