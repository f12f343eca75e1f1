//! Addresses of nodes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde::Serialize;

use crate::node::DEFAULT_PORT;

/// A network that this machine is on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Network {
    /// `10.0.0.0/24`.
    pub net: String,
    pub interface: String,
    /// The longest frame that is sent there.
    pub mtu: u32,
}

/// Networks of cables, where the system tells how long frames are.
pub fn networks() -> Vec<Network> {
    let inner = ["lo", "docker", "br-", "veth", "virbr", "tun", "tap", "wg", "tailscale"];
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let outer = interfaces.iter().filter(|it| !inner.iter().any(|kind| it.name.starts_with(kind)));
    let mut networks: Vec<_> = outer
        .filter_map(|interface| {
            let if_addrs::IfAddr::V4(address) = &interface.addr else { return None };
            let mtu = std::fs::read_to_string(format!("/sys/class/net/{}/mtu", interface.name)).ok()?;
            let mask = u32::from(address.netmask);
            let net = Ipv4Addr::from(u32::from(address.ip) & mask);
            Some(Network {
                net: format!("{net}/{}", mask.count_ones()),
                interface: interface.name.clone(),
                mtu: mtu.trim().parse().ok()?,
            })
        })
        .collect();
    networks.sort_by(|a, b| (&a.net, &a.interface).cmp(&(&b.net, &b.interface)));
    networks.dedup();
    networks
}

/// Addresses others may reach, ordinary ones first; the machine's own only where there is no other.
pub fn own_hosts(only: Option<IpAddr>) -> Vec<IpAddr> {
    if let Some(host) = only {
        return vec![host];
    }
    let link_local = |ip: &IpAddr| match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    };
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let mut hosts: Vec<_> = interfaces
        .iter()
        .map(if_addrs::Interface::ip)
        .filter(|ip| !ip.is_loopback() && !link_local(ip))
        .collect();
    hosts.sort_by_key(|ip| ip.is_ipv6());
    hosts.dedup();
    if hosts.is_empty() {
        hosts.push(Ipv4Addr::LOCALHOST.into());
    }
    hosts
}

/// `host`, `host:port`, an IPv6 address with or without brackets.
pub fn with_port(peer: &str) -> String {
    if let Ok(ip) = peer.trim_matches(['[', ']']).parse::<IpAddr>() {
        return SocketAddr::new(ip, DEFAULT_PORT).to_string();
    }
    let has_port = peer.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    if has_port { peer.to_owned() } else { format!("{peer}:{DEFAULT_PORT}") }
}
