//! The native providers that come with rtype, one file each: `native/<type>/<name>.rs`.

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
use crate::value::EcoString;
use indexmap::IndexMap;
use std::sync::Arc;

/// Native code by type and provider name. A value: a caller may add its own.
#[derive(Clone, Default)]
pub struct NativeProviders {
    table: IndexMap<(EcoString, EcoString), Arc<dyn Provider>>,
}

impl NativeProviders {
    /// All that come with rtype.
    pub fn standard() -> NativeProviders {
        let mut table = NativeProviders::default();
        table.register("host", "parsed", Arc::new(host::parsed::Parsed));
        table.register("mount", "parsed", Arc::new(mount::parsed::Parsed));
        table.register("package", "apt", Arc::new(package::apt::Apt));
        table.register("package", "dpkg", Arc::new(package::dpkg::Dpkg));
        table.register("service", "systemd", Arc::new(service::systemd::Systemd));
        table
    }

    /// Adds or replaces one.
    pub fn register(&mut self, type_name: &str, name: &str, provider: Arc<dyn Provider>) {
        self.table.insert((type_name.into(), name.into()), provider);
    }

    /// The code for a provider of a type.
    pub fn get(&self, type_name: &str, name: &str) -> Option<&Arc<dyn Provider>> {
        self.table.get(&(type_name.into(), name.into()))
    }
}
