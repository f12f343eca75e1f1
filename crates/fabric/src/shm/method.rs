use std::{io, os::unix::net::UnixStream};

use super::door::{Door, address};
use crate::{
    Arena, Deadline, Kind, Link, Method, Rank, Secret, ShmLink, Side, gate, handshake::Terms,
    secret::random_bytes,
};

/// Opens a [`ShmLink`] between processes of one host, over a unix socket guarded by the secret.
pub struct ShmMethod {
    arena: Arena,
    peer: Rank,
    secret: Secret,
    prepared: Option<Prepared>,
}

struct Prepared {
    host: String,
    name: [u8; 16],
    listener: Door,
}

impl ShmMethod {
    pub fn new(arena: &Arena, peer: Rank, secret: &Secret) -> Self {
        Self { arena: arena.clone(), peer, secret: secret.clone(), prepared: None }
    }
}

impl Method for ShmMethod {
    fn kind(&self) -> Kind {
        Kind::Shm
    }

    fn offer(&mut self, _deadline: Deadline) -> Result<Vec<u8>, String> {
        let host = host_identity().map_err(|e| format!("this host has no boot identity: {e}"))?;
        let name = random_bytes();
        let listener = Door::open(&hex(name)).map_err(|e| format!("no unix socket: {e}"))?;
        let mut offer = name.to_vec();
        offer.extend_from_slice(host.as_bytes());
        self.prepared = Some(Prepared { host, name, listener });
        Ok(offer)
    }

    fn connect(
        &mut self,
        peer_offer: &[u8],
        side: Side,
        deadline: Deadline,
    ) -> Result<Box<dyn Link>, String> {
        let ours = self.prepared.take().ok_or("no offer was made")?;
        let (name, host) = peer_offer.split_first_chunk::<16>().ok_or("the offer is too short")?;
        if host != ours.host.as_bytes() {
            return Err("the peer is on another host".into());
        }
        let session = if side == Side::Lead { ours.name } else { *name };
        let terms = Terms { secret: self.secret.clone(), session };
        let open = || -> io::Result<ShmLink> {
            let socket = match side {
                Side::Lead => {
                    gate::admit(&ours.listener.listener, 1, &terms, deadline)?
                        .pop()
                        .ok_or_else(|| io::Error::other("nobody came"))?
                        .0
                }
                Side::Follow => {
                    let mut socket = UnixStream::connect_addr(&address(&hex(*name))?)?;
                    gate::call(&mut socket, 0, &terms, deadline)?;
                    socket
                }
            };
            ShmLink::over(socket, side, &self.arena, self.peer, deadline)
        };
        Ok(Box::new(open().map_err(|e| format!("on one host, but the socket failed: {e}"))?))
    }
}

fn hex(name: [u8; 16]) -> String {
    name.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Differs between hosts, between boots of one host, and where socket names are not seen by each other.
#[cfg(target_os = "linux")]
fn host_identity() -> io::Result<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?;
    let network = std::fs::read_link("/proc/self/ns/net")?;
    Ok(format!("{} {}", boot.trim(), network.display()))
}

/// Differs between hosts and between boots of one host.
#[cfg(not(target_os = "linux"))]
fn host_identity() -> io::Result<String> {
    let output =
        std::process::Command::new("/usr/sbin/sysctl").args(["-n", "kern.bootsessionuuid"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    if text.is_empty() { Err(io::Error::other("sysctl gave no kern.bootsessionuuid")) } else { Ok(text) }
}
