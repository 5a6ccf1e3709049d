//! The native providers that come with rtype, one file each: `native/<type>/<name>.rs`.

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
        NativeProviders::default()
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
