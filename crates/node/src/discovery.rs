//! Finding the nodes of one's cluster on the local network, with no configuration and no change to it.
//!
//! Every node sends a small datagram to a multicast group of each family on each interface: which cluster (a hash), and where
//! its control channel listens. It holds no secret, and it is only a hint: whoever is found must still prove itself.

use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::UdpSocket;
use tokio::sync::mpsc;

use crate::channel::PROTOCOL;

const GROUP_V4: Ipv4Addr = Ipv4Addr::new(239, 255, 84, 78);
/// Link-local.
const GROUP_V6: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0x7461, 0x6e64);
const PORT: u16 = 48_484;
const MAGIC: &[u8; 4] = b"TNDB";
const LEN: usize = 16;
/// Often at first, so that a cluster forms in a moment, then now and then.
const EAGER: Duration = Duration::from_millis(300);
const CALM: Duration = Duration::from_secs(2);
const EAGER_ROUNDS: u32 = 20;

/// Sends beacons for as long as it is polled, and passes on addresses where nodes of the same cluster listen.
pub async fn discover(cluster: [u8; 8], control_port: u16, found: mpsc::Sender<SocketAddr>) {
    let mut beacon = [0; LEN];
    beacon[..4].copy_from_slice(MAGIC);
    beacon[4..6].copy_from_slice(&PROTOCOL.to_le_bytes());
    beacon[6..14].copy_from_slice(&cluster);
    beacon[14..].copy_from_slice(&control_port.to_le_bytes());
    let (v4, v6) = (receiver(Domain::IPV4).ok(), receiver(Domain::IPV6).ok());
    let hear_v4 = hear(v4.as_ref(), cluster, &found);
    let hear_v6 = hear(v6.as_ref(), cluster, &found);
    let send = async {
        let mut joined = BTreeSet::new();
        for round in 0_u32.. {
            for interface in if_addrs::get_if_addrs().unwrap_or_default() {
                let index = interface.index.unwrap_or(0);
                let key = (interface.ip(), index);
                let (socket, domain) = match interface.ip() {
                    IpAddr::V4(_) => (&v4, Domain::IPV4),
                    IpAddr::V6(_) => (&v6, Domain::IPV6),
                };
                if let Some(socket) = socket.as_ref().filter(|_| !joined.contains(&key)) {
                    // An interface that cannot multicast is passed over.
                    let done = match interface.ip() {
                        IpAddr::V4(ip) => socket.join_multicast_v4(GROUP_V4, ip),
                        IpAddr::V6(_) => socket.join_multicast_v6(&GROUP_V6, index),
                    };
                    if done.is_ok() {
                        joined.insert(key);
                    }
                }
                let _ = send_on(domain, interface.ip(), index, &beacon);
            }
            tokio::time::sleep(if round < EAGER_ROUNDS { EAGER } else { CALM }).await;
        }
    };
    tokio::join!(hear_v4, hear_v6, send);
}

async fn hear(socket: Option<&UdpSocket>, cluster: [u8; 8], found: &mpsc::Sender<SocketAddr>) {
    let Some(socket) = socket else { return };
    let mut bytes = [0; 64];
    loop {
        let Ok((len, from)) = socket.recv_from(&mut bytes).await else {
            tokio::time::sleep(CALM).await;
            continue;
        };
        let ours = len == LEN && &bytes[..4] == MAGIC && bytes[6..14] == cluster;
        if ours {
            let port = u16::from_le_bytes([bytes[14], bytes[15]]);
            let _ = found.try_send(SocketAddr::new(from.ip(), port).with_scope_of(from));
        }
    }
}

trait WithScope {
    fn with_scope_of(self, from: SocketAddr) -> SocketAddr;
}

impl WithScope for SocketAddr {
    /// A link-local address means nothing without its interface.
    fn with_scope_of(self, from: SocketAddr) -> SocketAddr {
        match (self, from) {
            (SocketAddr::V6(address), SocketAddr::V6(from)) => {
                SocketAddrV6::new(*address.ip(), address.port(), 0, from.scope_id()).into()
            }
            (other, _) => other,
        }
    }
}

fn receiver(domain: Domain) -> io::Result<UdpSocket> {
    let socket = Socket::new(domain, Type::DGRAM, Some(Protocol::UDP))?;
    // Several nodes of one host hear the same beacons.
    socket.set_reuse_address(true)?;
    #[cfg(unix)]
    socket.set_reuse_port(true)?;
    socket.set_nonblocking(true)?;
    let any: SocketAddr = match domain {
        Domain::IPV6 => {
            socket.set_only_v6(true)?;
            (Ipv6Addr::UNSPECIFIED, PORT).into()
        }
        _ => (Ipv4Addr::UNSPECIFIED, PORT).into(),
    };
    socket.bind(&any.into())?;
    UdpSocket::from_std(socket.into())
}

fn send_on(domain: Domain, ip: IpAddr, index: u32, beacon: &[u8]) -> io::Result<usize> {
    let socket = Socket::new(domain, Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_nonblocking(true)?;
    let group: SocketAddr = match ip {
        IpAddr::V4(ip) => {
            socket.set_multicast_if_v4(&ip)?;
            socket.set_multicast_ttl_v4(1)?;
            socket.set_multicast_loop_v4(true)?;
            socket.bind(&SocketAddr::from((ip, 0)).into())?;
            (GROUP_V4, PORT).into()
        }
        IpAddr::V6(_) => {
            socket.set_multicast_if_v6(index)?;
            socket.set_multicast_hops_v6(1)?;
            socket.set_multicast_loop_v6(true)?;
            (GROUP_V6, PORT).into()
        }
    };
    socket.send_to(beacon, &group.into())
}
