//! Addresses of nodes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::node::DEFAULT_PORT;

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
