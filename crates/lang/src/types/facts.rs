//! Facts of Facter and Puppet: names, members of structures, and usual values.
//!
//! The table serves the linter. Other names may be facts from a module.

/// Structured facts with a fixed set of members, and the members.
const STRUCTURES: &[(&str, &str)] = &[
    ("augeas", "version"),
    ("dmi", "bios board chassis manufacturer product"),
    ("dmi.bios", "release_date vendor version"),
    ("dmi.board", "asset_tag manufacturer product serial_number"),
    ("dmi.chassis", "asset_tag type"),
    ("dmi.product", "name serial_number uuid version"),
    ("identity", "gid group privileged uid user"),
    ("load_averages", "15m 1m 5m"),
    ("memory", "swap system"),
    ("memory.swap", "available available_bytes capacity encrypted total total_bytes used used_bytes"),
    ("memory.system", "available available_bytes capacity total total_bytes used used_bytes"),
    ("networking", "dhcp domain fqdn hostname interfaces ip ip6 mac mtu netmask netmask6 network network6 primary scope6"),
    ("os", "architecture build distro family hardware macosx name release selinux windows"),
    ("os.distro", "codename description id release specification"),
    ("os.distro.release", "full major minor"),
    ("os.macosx", "build product version"),
    ("os.macosx.version", "extra full major minor patch"),
    ("os.release", "branch build full major minor patchlevel"),
    ("os.selinux", "config_mode config_policy current_mode enabled enforced policy_version"),
    ("os.windows", "display_version edition_id installation_type product_name release_id system32"),
    ("processors", "cores count extensions isa models physicalcount speed threads"),
    ("ruby", "platform sitedir version"),
    ("system_uptime", "days hours seconds uptime"),
];

/// Facts without a structure, and structures with members that depend on the machine.
const OTHERS: &str = "aio_agent_build aio_agent_version architecture augeasversion az_metadata bios_release_date bios_vendor bios_version \
    blockdevices boardassettag boardmanufacturer boardproductname boardserialnumber chassisassettag chassistype clientcert clientnoop \
    clientversion cloud dhcp_servers disks domain ec2_metadata ec2_userdata env_windows_installdir environment facterversion filesystems \
    fips_enabled fqdn gce gid hardwareisa hardwaremodel hostname hypervisors id interfaces ipaddress ipaddress6 is_virtual kernel \
    kernelmajversion kernelrelease kernelversion ldom lsbdistcodename lsbdistdescription lsbdistid lsbdistrelease lsbmajdistrelease \
    lsbminordistrelease lsbrelease macaddress macosx_buildversion macosx_productname macosx_productversion macosx_productversion_major \
    macosx_productversion_minor manufacturer memoryfree memoryfree_mb memorysize memorysize_mb mountpoints mtu netmask netmask6 network \
    network6 nim_type operatingsystem operatingsystemmajrelease operatingsystemrelease osfamily package_provider partitions path \
    physicalprocessorcount processorcount productname puppet_environmentpath puppet_server puppet_vardir puppetversion root_home \
    rubyplatform rubysitedir rubyversion scope6 selinux selinux_config_mode selinux_config_policy selinux_current_mode selinux_enforced \
    selinux_policyversion serialnumber serverip servername serverversion service_provider solaris_zones ssh sshdsakey sshecdsakey \
    sshed25519key sshrsakey swapencrypted swapfree swapfree_mb swapsize swapsize_mb system32 system_profiler systemd systemd_version \
    timezone trusted uptime uptime_days uptime_hours uptime_seconds uuid virtual windows_edition_id windows_installation_type \
    windows_product_name xen xendomains zfs_featurenumbers zfs_version zonename zones zpool_featureflags zpool_featurenumbers \
    zpool_version";

/// Facts with few values, and these values.
const VALUES: &[(&[&str], &str)] = &[
    (&["kernel"], "AIX Darwin DragonFly FreeBSD HP-UX Linux NetBSD OpenBSD SunOS windows"),
    (
        &["os.family", "osfamily"],
        "AIX Alpine Archlinux Darwin Debian DragonFly FreeBSD Gentoo HP-UX Linux Mandrake NetBSD OpenBSD RedHat Solaris Suse windows",
    ),
    (
        &["os.name", "operatingsystem"],
        "AIX AlmaLinux Alpine Amazon Archlinux CentOS Darwin Debian Devuan Fedora FreeBSD Gentoo HP-UX LinuxMint Manjaro NetBSD OpenBSD \
         OpenSuSE OracleLinux Raspbian RedHat Rocky SLED SLES Scientific Slackware Solaris SLES_SAP Ubuntu VirtuozzoLinux Void windows",
    ),
];

/// Legacy facts, and the structured facts that replace them.
pub const LEGACY_FACTS: [(&str, &str); 50] = [
    ("architecture", "os.architecture"),
    ("hardwaremodel", "os.hardware"),
    ("osfamily", "os.family"),
    ("operatingsystem", "os.name"),
    ("operatingsystemrelease", "os.release.full"),
    ("operatingsystemmajrelease", "os.release.major"),
    ("lsbdistid", "os.distro.id"),
    ("lsbdistcodename", "os.distro.codename"),
    ("lsbdistdescription", "os.distro.description"),
    ("lsbdistrelease", "os.distro.release.full"),
    ("lsbmajdistrelease", "os.distro.release.major"),
    ("lsbminordistrelease", "os.distro.release.minor"),
    ("selinux", "os.selinux.enabled"),
    ("hostname", "networking.hostname"),
    ("domain", "networking.domain"),
    ("fqdn", "networking.fqdn"),
    ("clientcert", "networking.fqdn"),
    ("id", "identity.user"),
    ("gid", "identity.group"),
    ("processorcount", "processors.count"),
    ("memorysize", "memory.system.total"),
    ("uptime_seconds", "system_uptime.seconds"),
    ("uptime_days", "system_uptime.days"),
    ("uptime_hours", "system_uptime.hours"),
    ("uptime", "system_uptime.uptime"),
    ("ipaddress", "networking.ip"),
    ("ipaddress6", "networking.ip6"),
    ("macaddress", "networking.mac"),
    ("netmask", "networking.netmask"),
    ("netmask6", "networking.netmask6"),
    ("network", "networking.network"),
    ("network6", "networking.network6"),
    ("scope6", "networking.scope6"),
    ("memoryfree", "memory.system.available"),
    ("swapsize", "memory.swap.total"),
    ("swapfree", "memory.swap.available"),
    ("physicalprocessorcount", "processors.physicalcount"),
    ("hardwareisa", "processors.isa"),
    ("manufacturer", "dmi.manufacturer"),
    ("productname", "dmi.product.name"),
    ("serialnumber", "dmi.product.serial_number"),
    ("uuid", "dmi.product.uuid"),
    ("bios_vendor", "dmi.bios.vendor"),
    ("bios_version", "dmi.bios.version"),
    ("boardmanufacturer", "dmi.board.manufacturer"),
    ("boardproductname", "dmi.board.product"),
    ("sshdsakey", "ssh.dsa.key"),
    ("sshecdsakey", "ssh.ecdsa.key"),
    ("sshed25519key", "ssh.ed25519.key"),
    ("sshrsakey", "ssh.rsa.key"),
];

/// Prefixes of legacy interface facts, each with the structured fact of the interface.
pub const LEGACY_FACTS_OF_INTERFACES: [(&str, &str); 9] = [
    ("ipaddress", "ip"),
    ("ipaddress6", "ip6"),
    ("macaddress", "mac"),
    ("mtu", "mtu"),
    ("netmask", "netmask"),
    ("netmask6", "netmask6"),
    ("network", "network"),
    ("network6", "network6"),
    ("scope6", "scope6"),
];

/// Beginnings of further legacy facts, which end with the name or number of a disk, processor or zone.
const LEGACY_PREFIXES: &[&str] = &["blockdevice_", "processor", "sp_", "lsb", "ldom_", "zone_", "sshfp_", "arp_"];

/// Facts that are strings on every machine. `os.release` includes `os.release.full` and all other members.
const STRINGS: &str = "os.name os.family os.architecture os.hardware os.release os.distro kernel kernelrelease kernelversion kernelmajversion \
    networking.hostname networking.fqdn networking.domain networking.ip virtual puppetversion facterversion timezone ruby.version";

/// Facts that are booleans on every machine.
const BOOLEANS: &str = "is_virtual os.selinux.enabled identity.privileged fips_enabled";

/// The type of a fact, if it is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactType {
    /// A string.
    String,
    /// A boolean.
    Boolean,
}

/// Returns the type of the fact with a dotted name; `None` for structures, numbers and facts whose type depends on the machine.
pub fn fact_type(path: &str) -> Option<FactType> {
    let is_below = |known: &str| path.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if BOOLEANS.split_ascii_whitespace().any(|known| known == path) {
        Some(FactType::Boolean)
    } else {
        (fact_members(path).is_none() && STRINGS.split_ascii_whitespace().any(is_below)).then_some(FactType::String)
    }
}

/// Returns `true` for legacy facts with the name of a device: `ipaddress_eth0`, `processor0`.
pub fn is_legacy_of_device(name: &str) -> bool {
    let is_of_interface = |(prefix, _): &(&str, &str)| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
    LEGACY_FACTS_OF_INTERFACES.iter().any(is_of_interface) || LEGACY_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the facts that Facter and Puppet define: all names without a dot.
pub fn fact_names() -> impl Iterator<Item = &'static str> {
    STRUCTURES.iter().map(|(name, _)| *name).filter(|name| !name.contains('.')).chain(OTHERS.split_ascii_whitespace())
}

/// Returns the members of a structured fact with a fixed set of members.
pub fn fact_members(name: &str) -> Option<impl Iterator<Item = &'static str> + Clone + use<>> {
    STRUCTURES.iter().find(|(structure, _)| *structure == name).map(|(_, members)| members.split_ascii_whitespace())
}

/// Returns the usual values of a fact with few values.
pub fn fact_values(name: &str) -> Option<impl Iterator<Item = &'static str> + Clone + use<>> {
    VALUES.iter().find(|(names, _)| names.contains(&name)).map(|(_, values)| values.split_ascii_whitespace())
}
