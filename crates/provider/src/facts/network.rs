//! The fact `networking`, but for the names of the machine.
//!
//! Follows facter 4.3's `resolvers/linux/networking.rb` and `facts/linux/networking`.

use super::{Facts, list, map};
use nix::ifaddrs::getifaddrs;
use nix::sys::socket::SockaddrStorage;
use rtype_lang::value::{Map, Value};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// An address of an interface.
struct Binding {
    address: IpAddr,
    mask: IpAddr,
}

impl Binding {
    fn network(&self) -> String {
        match (self.address, self.mask) {
            (IpAddr::V4(address), IpAddr::V4(mask)) => Ipv4Addr::from_bits(address.to_bits() & mask.to_bits()).to_string(),
            (IpAddr::V6(address), IpAddr::V6(mask)) => Ipv6Addr::from_bits(address.to_bits() & mask.to_bits()).to_string(),
            (address, _) => address.to_string(),
        }
    }

    /// The scope of an IPv6 address, as `ip address` calls it.
    fn scope(&self) -> Option<&'static str> {
        let IpAddr::V6(address) = self.address else { return None };
        Some(match () {
            () if address.is_loopback() => "host",
            () if address.is_unicast_link_local() => "link",
            () => "global",
        })
    }

    fn value(&self) -> Value {
        let mut all = vec![
            ("address", Value::str(self.address.to_string())),
            ("netmask", Value::str(self.mask.to_string())),
            ("network", Value::str(self.network())),
        ];
        all.extend(self.scope().map(|scope| ("scope6", Value::str(scope))));
        map(all)
    }
}

impl Facts<'_> {
    /// Returns the addresses of all interfaces, with the addresses of the primary interface at the top level.
    pub(super) fn network(self) -> Value {
        if self.system.is_fixture() {
            return Value::Nil;
        }
        let mut found: BTreeMap<String, Vec<Binding>> = BTreeMap::new();
        let Ok(addresses) = getifaddrs() else { return Value::Nil };
        for one in addresses {
            let bindings = found.entry(one.interface_name).or_default();
            let binding = one.address.as_ref().and_then(ip).zip(one.netmask.as_ref().and_then(ip));
            bindings.extend(binding.map(|(address, mask)| Binding { address, mask }));
        }
        let interfaces: Vec<(String, Value)> = found.iter().map(|(name, all)| (name.clone(), self.interface(name, all))).collect();
        let primary = self.primary().or_else(|| {
            let is_outer = |all: &[Binding]| all.iter().any(|b| b.address.is_ipv4() && !b.address.is_loopback());
            found.iter().find(|(_, all)| is_outer(all)).map(|(name, _)| name.clone())
        });
        let mut top: Vec<(&str, Value)> = Vec::new();
        if let Some(Value::Map(of)) = primary.as_ref().and_then(|p| interfaces.iter().find(|(name, _)| name == p)).map(|(_, v)| v) {
            let names = ["ip", "ip6", "mac", "mtu", "netmask", "netmask6", "network", "network6", "scope6"];
            top.extend(names.into_iter().filter_map(|name| Some((name, of.get(&Value::str(name))?.clone()))));
        }
        let all: Map = interfaces.into_iter().map(|(name, value)| (Value::str(name), value)).collect();
        top.push(("interfaces", Value::Map(Arc::new(all))));
        top.extend(primary.map(|name| ("primary", Value::str(name))));
        map(top)
    }

    fn interface(self, name: &str, bindings: &[Binding]) -> Value {
        let mut all: Vec<(&str, Value)> = Vec::new();
        // A link-local address is only taken where there is no other.
        let of = |is_v4: bool| bindings.iter().filter(move |b| b.address.is_ipv4() == is_v4);
        let best = |is_v4: bool| of(is_v4).find(|b| b.scope() != Some("link")).or_else(|| of(is_v4).next());
        for (is_v4, bindings_key, keys) in
            [(true, "bindings", ["ip", "netmask", "network"]), (false, "bindings6", ["ip6", "netmask6", "network6"])]
        {
            if let Some(first) = best(is_v4) {
                all.push((bindings_key, list(of(is_v4).map(Binding::value))));
                let values = [first.address.to_string(), first.mask.to_string(), first.network()];
                all.extend(keys.into_iter().zip(values.map(Value::str)));
                all.extend(first.scope().map(|scope| ("scope6", Value::str(scope))));
            }
        }
        let of_device = |file: &str| self.text(&format!("/sys/class/net/{name}/{file}")).trim().to_owned();
        let mac = of_device("address");
        if !mac.is_empty() && mac != "00:00:00:00:00:00" {
            all.push(("mac", Value::str(mac)));
        }
        all.extend(of_device("mtu").parse().ok().map(|mtu| ("mtu", Value::Int(mtu))));
        all.sort_by_key(|(key, _)| *key);
        map(all)
    }

    /// Returns the interface of the default route.
    fn primary(self) -> Option<String> {
        let routes = self.text("/proc/net/route");
        routes.lines().skip(1).find_map(|line| {
            let mut fields = line.split_whitespace();
            let name = fields.next()?;
            (fields.next()? == "00000000").then(|| name.to_owned())
        })
    }
}

fn ip(address: &SockaddrStorage) -> Option<IpAddr> {
    let v4 = address.as_sockaddr_in().map(|a| IpAddr::V4(a.ip()));
    v4.or_else(|| address.as_sockaddr_in6().map(|a| IpAddr::V6(a.ip())))
}
