//! Facts about processors, memory, disks and file systems.
//!
//! Follows facter 4.3's `resolvers/{processors,memory,disks,mountpoints,dmi,load_averages,uptime}.rb` for Linux.

use super::{Facts, list, map, readable};
use rtype_lang::value::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// File systems that hold no files of their own.
const VIRTUAL: [&str; 3] = ["/proc", "/sys", "/dev"];

impl Facts<'_> {
    pub(super) fn load_averages(self) -> Value {
        let text = self.text("/proc/loadavg");
        let mut numbers = text.split_whitespace().map(|n| n.parse().map_or(Value::Nil, Value::Float));
        map(["1m", "5m", "15m"].into_iter().filter_map(|name| Some((name, numbers.next()?))))
    }

    /// Returns use and size of memory and swap.
    pub(super) fn memory_use(self) -> Value {
        let of = |total: &str, free: &str| {
            let (total, available) = (self.memory(total).filter(|n| *n > 0)?, self.memory(free)?);
            let used = total.saturating_sub(available);
            let capacity = format!("{:.2}%", used as f64 * 100.0 / total as f64);
            let size = |name: &'static str, bytes: &'static str, n: i64| [(name, Value::str(readable(n))), (bytes, Value::Int(n))];
            let all = [
                size("available", "available_bytes", available),
                size("total", "total_bytes", total),
                size("used", "used_bytes", used),
                [("capacity", Value::str(capacity)), ("", Value::Nil)],
            ];
            Some(map(all.into_iter().flatten().filter(|(name, _)| !name.is_empty())))
        };
        let both = [("swap", of("SwapTotal:", "SwapFree:")), ("system", of("MemTotal:", "MemAvailable:"))];
        map(both.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }

    pub(super) fn processor_models(self) -> Value {
        let text = self.text("/proc/cpuinfo");
        if text.is_empty() {
            return Value::Nil;
        }
        let all = |key: &str| -> Vec<&str> {
            let fields = text.lines().filter_map(|line| line.split_once(':'));
            fields.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim()).collect()
        };
        let number = |key: &str| all(key).first().and_then(|n| n.parse::<i64>().ok());
        let physical: BTreeSet<&str> = all("physical id").into_iter().collect();
        let (cores, siblings) = (number("cpu cores"), number("siblings"));
        let mut found = vec![("models", list(all("model name").into_iter().map(Value::str)))];
        found.push(("physicalcount", Value::Int(i64::try_from(physical.len().max(1)).unwrap_or(1))));
        found.extend(cores.map(|cores| ("cores", Value::Int(cores))));
        let threads = cores.zip(siblings).and_then(|(cores, siblings)| siblings.checked_div(cores));
        found.extend(threads.map(|threads| ("threads", Value::Int(threads))));
        let speed = all("cpu MHz").first().and_then(|mhz| mhz.parse::<f64>().ok());
        found.extend(speed.map(|mhz| ("speed", Value::str(format!("{:.2} GHz", mhz / 1000.0)))));
        map(found)
    }

    pub(super) fn uptime(self) -> Value {
        let text = self.text("/proc/uptime");
        let Some(seconds) = text.split('.').next().and_then(|s| s.parse::<i64>().ok()) else { return Value::Nil };
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3600, seconds / 60 % 60);
        let words = match days {
            0 => format!("{}:{minutes:02} hours", hours),
            1 => "1 day".to_owned(),
            days => format!("{days} days"),
        };
        map([("days", Value::Int(days)), ("hours", Value::Int(hours)), ("seconds", Value::Int(seconds)), ("uptime", Value::str(words))])
    }

    /// Returns the kinds of file systems of the kernel that need a device.
    pub(super) fn filesystems(self) -> Value {
        let text = self.text("/proc/filesystems");
        let mut names: Vec<&str> =
            text.lines().filter(|l| !l.starts_with("nodev")).map(str::trim).filter(|n| !n.is_empty() && *n != "fuseblk").collect();
        names.sort_unstable();
        if names.is_empty() { Value::Nil } else { Value::str(names.join(",")) }
    }

    pub(super) fn disks(self) -> Value {
        let mut found = Map::new();
        for name in self.system.names("/sys/block").unwrap_or_default() {
            let of = |file: &str| self.text(&format!("/sys/block/{name}/{file}")).trim().to_owned();
            // Memory and files as disks have no device.
            if !self.system.exists(&format!("/sys/block/{name}/device")) {
                continue;
            }
            let bytes = of("size").parse::<i64>().unwrap_or_default().saturating_mul(512);
            let mut disk = vec![("size", Value::str(readable(bytes))), ("size_bytes", Value::Int(bytes))];
            let kind = of("queue/rotational");
            disk.extend((!kind.is_empty()).then(|| ("type", Value::str(if kind == "0" { "ssd" } else { "hdd" }))));
            for (fact, file) in
                [("model", "device/model"), ("serial", "device/serial"), ("vendor", "device/vendor"), ("wwn", "device/wwid")]
            {
                let text = of(file);
                disk.extend((!text.is_empty()).then(|| (fact, Value::str(text))));
            }
            found.insert(Value::str(&name), map(disk));
        }
        if found.is_empty() { Value::Nil } else { Value::Map(Arc::new(found)) }
    }

    pub(super) fn mountpoints(self) -> Value {
        let mut found = Map::new();
        let text = self.text("/proc/self/mounts");
        for line in text.lines() {
            let fields: Vec<String> = line.split(' ').map(unescaped).collect();
            let [device, path, kind, options, ..] = fields.as_slice() else { continue };
            let is_below = |top: &str| path == top || path.starts_with(&format!("{top}/"));
            if VIRTUAL.into_iter().any(is_below) && kind != "tmpfs" || kind == "autofs" {
                continue;
            }
            let mut mount = vec![
                ("device", Value::str(device)),
                ("filesystem", Value::str(kind)),
                ("options", list(options.split(',').map(Value::str))),
            ];
            if !self.system.is_fixture()
                && let Ok(stat) = nix::sys::statvfs::statvfs(path.as_str())
            {
                let bytes = |blocks: u64| i64::try_from(blocks.saturating_mul(stat.fragment_size())).unwrap_or(i64::MAX);
                let (size, available, free) = (bytes(stat.blocks()), bytes(stat.blocks_available()), bytes(stat.blocks_free()));
                let used = size.saturating_sub(free);
                let whole = used.saturating_add(available);
                let capacity = if whole == 0 { "100%".to_owned() } else { format!("{:.2}%", used as f64 * 100.0 / whole as f64) };
                for (name, in_bytes, n) in
                    [("available", "available_bytes", available), ("size", "size_bytes", size), ("used", "used_bytes", used)]
                {
                    mount.push((name, Value::str(readable(n))));
                    mount.push((in_bytes, Value::Int(n)));
                }
                mount.push(("capacity", Value::str(capacity)));
            }
            found.insert(Value::str(path), map(mount));
        }
        if found.is_empty() { Value::Nil } else { Value::Map(Arc::new(found)) }
    }

    pub(super) fn dmi(self) -> Value {
        let of = |file: &str| Some(self.text(&format!("/sys/class/dmi/id/{file}")).trim().to_owned()).filter(|text| !text.is_empty());
        let part = |names: &[(&'static str, &str)]| {
            let found: Vec<(&str, Value)> = names.iter().filter_map(|(fact, file)| Some((*fact, Value::str(of(file)?)))).collect();
            (!found.is_empty()).then(|| map(found))
        };
        let parts = [
            ("bios", part(&[("release_date", "bios_date"), ("vendor", "bios_vendor"), ("version", "bios_version")])),
            (
                "board",
                part(&[
                    ("asset_tag", "board_asset_tag"),
                    ("manufacturer", "board_vendor"),
                    ("product", "board_name"),
                    ("serial_number", "board_serial"),
                ]),
            ),
            ("chassis", part(&[("asset_tag", "chassis_asset_tag")])),
            ("manufacturer", of("sys_vendor").map(Value::str)),
            ("product", part(&[("name", "product_name"), ("serial_number", "product_serial"), ("uuid", "product_uuid")])),
        ];
        map(parts.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }

    /// Returns the container or hypervisor that this machine runs in; `physical` if neither is detected.
    pub(super) fn virtualization(self) -> &'static str {
        const PRODUCTS: [(&str, &str); 8] = [
            ("KVM", "kvm"),
            ("Bochs", "bochs"),
            ("VMware", "vmware"),
            ("VirtualBox", "virtualbox"),
            ("Virtual Machine", "hyperv"),
            ("Google", "gce"),
            ("Amazon EC2", "kvm"),
            ("QEMU", "kvm"),
        ];
        const CONTAINERS: [(&str, &str); 5] =
            [("systemd-nspawn", "systemd_nspawn"), ("lxc", "lxc"), ("docker", "docker"), ("podman", "podman"), ("crio", "crio")];
        let container = self.text("/run/systemd/container");
        if let Some((_, name)) = CONTAINERS.iter().find(|(name, _)| container.trim() == *name) {
            return name;
        }
        for (file, name) in [("/.dockerenv", "docker"), ("/run/.containerenv", "podman"), ("/proc/vz", "openvzve")] {
            if self.system.exists(file) {
                return name;
            }
        }
        let files = ["product_name", "sys_vendor", "bios_vendor"].map(|file| self.text(&format!("/sys/class/dmi/id/{file}")));
        let known = PRODUCTS.iter().find(|(word, _)| files.iter().any(|text| text.contains(word)));
        match known {
            Some((_, name)) => name,
            None if self.text("/proc/cpuinfo").lines().any(|l| l.starts_with("flags") && l.contains(" hypervisor")) => "kvm",
            None => "physical",
        }
    }
}

/// Replaces `\040` and the like by the characters that they mean.
fn unescaped(field: &str) -> String {
    let mut parts = field.split('\\');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code.zip(part.get(3..)) {
            Some((code, rest)) => {
                out.push(char::from(code));
                out.push_str(rest);
            }
            None => {
                out.push('\\');
                out.push_str(part);
            }
        }
    }
    out
}
