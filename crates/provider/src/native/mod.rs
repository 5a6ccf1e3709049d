//! The native providers that come with rtype, one file each: `native/<type>/<name>.rs`.

pub(super) mod accounts;
pub mod formats;
mod reading;
mod rights;

mod alternatives {
    pub(super) mod database;
    pub(super) mod dpkg;
}
mod alternative_entry {
    pub(super) mod dpkg;
}
mod archive {
    pub(super) mod curl;
    mod file;
    pub(super) mod ruby;
    mod unpack;
    pub(super) mod wget;
}
mod cron {
    pub(super) mod crontab;
    mod edit;
    mod tab;
}
mod exec {
    mod line;
    mod paths;
    pub mod posix;
}
mod file {
    mod backup;
    mod change;
    pub(super) mod posix;
    pub(super) mod source;
    #[cfg(test)]
    mod tests;
    mod web;
}
mod file_line {
    mod lines;
    pub mod ruby;
}
mod group {
    pub(super) mod groupadd;
}
mod user {
    pub(super) mod libuser;
    pub(super) mod tools;
    pub(super) mod useradd;
}
mod common;
mod http;
mod needs;
mod host {
    pub mod parsed;
}
mod ini_setting {
    pub(super) mod document;
    pub mod ruby;
}
mod ini_subsetting {
    mod parts;
    pub mod ruby;
}
mod mount {
    pub mod parsed;
    mod programs;
}
mod kmod {
    pub(super) mod modprobe;
    mod table;
}
mod ssh_authorized_key {
    mod access;
    pub mod parsed;
}
mod sshkey {
    pub mod parsed;
}
mod package {
    pub mod apt;
    pub mod dpkg;
    mod jobs;
    mod policy;
    mod status;
    mod version;
}
mod posix_acl {
    pub mod posixacl;
}
mod sysctl_runtime {
    #[expect(clippy::module_inception, reason = "the type's only provider has its name")]
    pub(super) mod sysctl_runtime;
}
mod vcsrepo {
    pub(super) mod git;
    mod repository;
}
mod service {
    mod given;
    mod processes;
    pub mod scripts;
    pub mod systemd;
    mod units;
}

pub(super) use file::source::text as source_text;
pub(super) use file::source::{Located, local as local_source};

use super::Provider;
use super::external::Programs;
use super::simulated::Simulation;
use indexmap::IndexMap;
use rtype_lang::value::EcoString;
use std::sync::Arc;

/// Native code by type and provider name. A value: a caller may add its own.
#[derive(Clone, Default)]
pub struct NativeProviders {
    table: IndexMap<(EcoString, EcoString), Arc<dyn Provider>>,
    /// The running programs of providers.
    pub programs: Programs,
    /// The resources of a simulated run, in memory.
    simulation: Option<Simulation>,
}

impl NativeProviders {
    /// Returns all native providers of rtype.
    pub fn standard() -> NativeProviders {
        let mut all = NativeProviders::default();

        all.register("user", "useradd", Arc::new(user::useradd::Useradd));
        all.register("group", "groupadd", Arc::new(group::groupadd::Groupadd));
        all.register("exec", "posix", Arc::new(exec::posix::Exec { shell: false }));
        all.register("exec", "shell", Arc::new(exec::posix::Exec { shell: true }));
        all.register("file", "posix", Arc::new(file::posix::Posix));
        all.register("alternatives", "dpkg", Arc::new(alternatives::dpkg::DpkgAlternatives));
        all.register("alternative_entry", "dpkg", Arc::new(alternative_entry::dpkg::DpkgAlternativeEntry));
        all.register("archive", "curl", Arc::new(archive::curl::PROVIDER));
        all.register("archive", "ruby", Arc::new(archive::ruby::PROVIDER));
        all.register("archive", "wget", Arc::new(archive::wget::PROVIDER));
        all.register("cron", "crontab", Arc::new(cron::crontab::Crontab));
        all.register("host", "parsed", Arc::new(host::parsed::ParsedHosts));
        all.register("file_line", "ruby", Arc::new(file_line::ruby::FileLine));
        all.register("ini_setting", "ruby", Arc::new(ini_setting::ruby::IniSetting));
        all.register("ini_subsetting", "ruby", Arc::new(ini_subsetting::ruby::IniSubsetting));
        all.register("mount", "parsed", Arc::new(mount::parsed::ParsedMounts));
        all.register("kmod", "modprobe", Arc::new(kmod::modprobe::Modprobe));
        all.register("package", "apt", Arc::new(package::apt::Apt::default()));
        all.register("ssh_authorized_key", "parsed", Arc::new(ssh_authorized_key::parsed::ParsedAuthorizedKeys));
        all.register("sshkey", "parsed", Arc::new(sshkey::parsed::ParsedKnownHosts));
        all.register("package", "dpkg", Arc::new(package::dpkg::Dpkg));
        all.register("posix_acl", "posixacl", Arc::new(posix_acl::posixacl::Posixacl));
        all.register("sysctl_runtime", "sysctl_runtime", Arc::new(sysctl_runtime::sysctl_runtime::SysctlRuntime));
        all.register("service", "base", Arc::new(service::scripts::Scripts::Base));
        all.register("service", "debian", Arc::new(service::scripts::Scripts::Debian));
        all.register("service", "init", Arc::new(service::scripts::Scripts::Init));
        all.register("service", "systemd", Arc::new(service::systemd::Systemd));
        all.register("vcsrepo", "git", Arc::new(vcsrepo::git::Git));
        all
    }

    /// Simulates all providers from now on: resources are kept in memory.
    pub fn simulate(&mut self) {
        self.simulation = Some(Simulation::default());
    }

    /// Returns the simulated resources, if the run is simulated.
    pub fn simulation(&self) -> Option<&Simulation> {
        self.simulation.as_ref()
    }

    /// Adds or replaces one.
    pub fn register(&mut self, type_name: &str, name: &str, provider: Arc<dyn Provider>) {
        self.table.insert((type_name.into(), name.into()), provider);
    }

    /// Returns the type and provider names for which there is code.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.table.keys().map(|(t, p)| (t.as_str(), p.as_str()))
    }

    /// Returns the code for a provider of a type.
    pub fn get(&self, type_name: &str, name: &str) -> Option<&Arc<dyn Provider>> {
        self.table.get(&(type_name.into(), name.into()))
    }
}
