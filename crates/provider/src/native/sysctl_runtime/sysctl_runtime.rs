//! `sysctl_runtime/sysctl_runtime`: parameters of the running kernel, below `/proc/sys`.
//!
//! Follows the provider of that name in Puppet's module duritong-sysctl 0.0.11, without the program that it runs: the files are the
//! kernel's own interface. As there, a parameter that the kernel does not have is an error.

use crate::native::common::{Property, pick};
use crate::{Change, ListedResource, Provider, ProviderError, Reading, Request, Select, System};
use rtype_lang::value::Value;
use std::path::Path;

const DIRECTORY: &str = "/proc/sys";

/// Reads and writes `/proc/sys`.
#[derive(Clone, Copy, Debug, Default)]
pub struct SysctlRuntime;

/// Swaps `.` and `/`: `net.ipv4.conf.eth0/1.forwarding` is about the device `eth0.1`.
fn swapped(text: &str) -> String {
    let swap = |c| match c {
        '.' => '/',
        '/' => '.',
        other => other,
    };
    text.chars().map(swap).collect()
}

/// Returns the file of a parameter. As in sysctl(8), the first separator in a name determines the notation.
fn file(name: &str) -> Result<String, ProviderError> {
    let slashes = name.chars().find(|c| matches!(c, '.' | '/')) == Some('/');
    let path = if slashes { name.to_owned() } else { swapped(name) };
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(ProviderError::new(format!("invalid kernel parameter name `{name}`")));
    }
    Ok(format!("{DIRECTORY}/{path}"))
}

fn read(system: &System, name: &str) -> Result<Value, ProviderError> {
    let text = system.read(&file(name)?)?.ok_or_else(|| {
        ProviderError::new(format!("the kernel has no parameter `{name}`")).help("check the name, or load the module that has it")
    })?;
    Ok(Value::str(text.strip_suffix('\n').unwrap_or(&text)))
}

/// Lists all readable parameters below a directory, in the order of sysctl(8). Those that disappear meanwhile are
/// skipped.
fn list(system: &System, directory: &str, names: &mut Vec<String>) {
    for name in system.names(directory).unwrap_or_default() {
        let path = format!("{directory}/{name}");
        match system.look(&path, false) {
            Ok(Some(stat)) if stat.is_dir() => list(system, &path, names),
            // Some can only be written, even by root: they set something off.
            Ok(Some(stat)) if stat.mode() & 0o444 != 0 => {
                names.extend(path.strip_prefix(DIRECTORY).map(|path| swapped(path.trim_start_matches('/'))));
            }
            _ => {}
        }
    }
}

impl Provider for SysctlRuntime {
    fn reads(&self) -> &'static [&'static str] {
        &["val"]
    }

    fn get(&self, system: &System, requests: &[Request<'_>], select: Select<'_>) -> Vec<Reading> {
        let one = |request: &Request<'_>| match read(system, request.name) {
            Ok(value) => {
                let properties: [Property; 1] = [("val", Ok(value))];
                Reading::Present(pick(select, properties))
            }
            Err(error) => Reading::Error(error),
        };
        requests.iter().map(one).collect()
    }

    fn instances(&self, system: &System, select: Select<'_>) -> Result<Vec<ListedResource>, ProviderError> {
        let mut names = Vec::new();
        list(system, DIRECTORY, &mut names);
        let found = |name: String| {
            // Some have no value before one is given to them; as in the list of the program sysctl they are left out.
            let properties: [Property; 1] = [("val", Ok(read(system, &name).ok()?))];
            Some(ListedResource { name: name.as_str().into(), state: pick(select, properties) })
        };
        Ok(names.into_iter().filter_map(found).collect())
    }

    fn writes(&self) -> &'static [&'static str] {
        &["val"]
    }

    /// Overwrites the file in a single write, because files in `/proc/sys` cannot be replaced.
    fn set(&self, system: &System, change: &mut Change<'_>, _: &str, value: &Value) -> Result<(), ProviderError> {
        let path = file(change.name)?;
        let line = format!("{}\n", value.unwrapped().to_text());
        let write = || system.tree().place(Path::new(&path))?.overwrite(line.as_bytes());
        write().map_err(|e| match e.raw_os_error() {
            Some(nix::libc::EINVAL | nix::libc::ERANGE) => {
                let value = if change.resource.is_secret("val") { "the value".into() } else { format!("`{}`", line.trim_end()) };
                ProviderError::new(format!("the kernel does not take {value} for `{}`", change.name))
            }
            _ => System::cannot_write(&path, &e),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::common::testing::{Wants, error, get, line, present};
    use std::os::unix::fs::PermissionsExt;

    fn machine() -> (tempfile::TempDir, System) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for (file, value) in
            [("net/ipv4/ip_forward", "0\n"), ("net/ipv4/tcp_rmem", "4096\t131072\t6291456\n"), ("net/ipv4/conf/eth0.1/log", "1\n")]
        {
            let path = root.join("proc/sys").join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, value).unwrap();
        }
        let flush = root.join("proc/sys/net/ipv4/flush");
        std::fs::write(&flush, "").unwrap();
        std::fs::set_permissions(flush, std::fs::Permissions::from_mode(0o200)).unwrap();
        let system = System::at(root);
        (directory, system)
    }

    #[test]
    fn values_are_read_as_the_kernel_writes_them() {
        let (_folder, system) = machine();
        for name in ["net.ipv4.tcp_rmem", "net/ipv4/tcp_rmem"] {
            assert_eq!(line(&present(get(&SysctlRuntime, &system, name))), r#"val="4096\t131072\t6291456""#);
        }
        for name in ["net.ipv4.conf.eth0/1.log", "net/ipv4/conf/eth0.1/log"] {
            assert_eq!(line(&present(get(&SysctlRuntime, &system, name))), r#"val="1""#);
        }
    }

    #[test]
    fn what_the_kernel_does_not_have_is_an_error() {
        let (_folder, system) = machine();
        assert_eq!(error(get(&SysctlRuntime, &system, "net.ipv4.nothing")), "the kernel has no parameter `net.ipv4.nothing`");
        assert_eq!(error(get(&SysctlRuntime, &system, "net/../../etc/passwd")), "invalid kernel parameter name `net/../../etc/passwd`");
    }

    #[test]
    fn all_that_can_be_read_is_listed() {
        let (_folder, system) = machine();
        let names: Vec<_> = SysctlRuntime.instances(&system, Select::All).unwrap().into_iter().map(|f| f.name).collect();
        assert_eq!(names, ["net.ipv4.conf.eth0/1.log", "net.ipv4.ip_forward", "net.ipv4.tcp_rmem"]);
    }

    #[test]
    fn kernel_setting_changes_immediately() {
        let (_folder, system) = machine();
        let wants = Wants::default();
        let is = get(&SysctlRuntime, &system, "net.ipv4.ip_forward");
        let mut change = Change::new(Request { name: "net.ipv4.ip_forward", resource: &wants }, &is);
        SysctlRuntime.set(&system, &mut change, "val", &Value::Int(1)).unwrap();
        assert_eq!(system.read("/proc/sys/net/ipv4/ip_forward").unwrap().unwrap(), "1\n");
    }
}
