//! The agent's side of a Puppet server: certificates, facts, types, catalogs, files and reports.
//!
//! Follows the HTTP interface in Puppet Server 7 and 8, and the agent in Puppet 7.23 (`lib/puppet/http`, `lib/puppet/ssl`,
//! `lib/puppet/configurer.rb`). The caller applies the catalog with the engine.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod catalog;
mod certificates;
mod client;
mod error;
mod facts;
mod files;
mod metadata;
mod plugins;
mod puppet;
mod report;
mod servers;
mod settings;
mod status;
mod store;
mod tls;

pub use certificates::{CertificateEvent, CertificateEvents, Certificates};
pub use client::{Client, FetchedCatalog};
pub use error::AgentError;
pub use facts::{FactOptions, facts_of};
pub use files::PuppetFiles;
pub use plugins::{PluginCounts, plugin_directory, sync_plugins};
pub use puppet::{Puppet, PuppetLock, disabled};
pub use report::{Report, ReportStatus};
pub use servers::choose_server;
pub use settings::{RubyProviders, SETTING_FLAGS, SETTING_NAMES, Settings, SettingsOrigin, read_settings};
pub use status::{RunStatus, Statuses};
pub use store::CatalogCache;
