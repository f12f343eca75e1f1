use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use super::{Protection, TcpLink};
use crate::{
    Arena, Deadline, Kind, Link, Method, Rank, Secret, Side, gate, handshake::Terms, secret::random_bytes,
};

/// How a TCP link is opened. Both ends must be given the same `connections`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TcpOptions {
    /// Addresses of this host that the peer may reach, best first; the lead listens on the first it can bind.
    pub addresses: Vec<IpAddr>,
    /// Connections for messages, besides the one for notes.
    pub connections: u8,
    /// What this end asks for; the link has no less.
    pub protection: Protection,
}

impl Default for TcpOptions {
    fn default() -> Self {
        Self {
            addresses: vec![Ipv4Addr::LOCALHOST.into()],
            connections: 1,
            protection: Protection::default(),
        }
    }
}

/// Opens a [`TcpLink`]: the lead listens on a port of its own, the follower calls once per connection.
pub struct TcpMethod {
    peer: Rank,
    secret: Secret,
    options: TcpOptions,
    prepared: Option<([u8; 16], TcpListener)>,
}

impl TcpMethod {
    /// The arena is not needed: TCP reads and writes buffers wherever they lie. It is taken so that all methods are made alike.
    pub fn new(_arena: &Arena, peer: Rank, secret: &Secret, options: TcpOptions) -> Self {
        Self { peer, secret: secret.clone(), options, prepared: None }
    }

    fn lanes(&self) -> u8 {
        self.options.connections.clamp(1, 16) + 1
    }
}

const SESSION: usize = 16;

impl Method for TcpMethod {
    fn kind(&self) -> Kind {
        Kind::Tcp
    }

    /// Session name, connections, protection, then the listening address as text.
    fn offer(&mut self, _deadline: Deadline) -> Result<Vec<u8>, String> {
        let mut why = String::from("no address of this host was given");
        for &address in &self.options.addresses {
            match TcpListener::bind((address, 0)).and_then(|l| Ok((l.local_addr()?, l))) {
                Ok((bound, listener)) => {
                    let session = random_bytes();
                    let mut offer = session.to_vec();
                    offer.extend([self.lanes(), self.options.protection.offer()]);
                    offer.extend_from_slice(bound.to_string().as_bytes());
                    self.prepared = Some((session, listener));
                    return Ok(offer);
                }
                Err(e) => why = format!("cannot listen on {address}: {e}"),
            }
        }
        Err(why)
    }

    fn connect(
        &mut self,
        peer_offer: &[u8],
        side: Side,
        deadline: Deadline,
    ) -> Result<Box<dyn Link>, String> {
        let (our_session, listener) = self.prepared.take().ok_or("no offer was made")?;
        let (their_session, rest) =
            peer_offer.split_first_chunk::<SESSION>().ok_or("the offer is too short")?;
        let [lanes, protection, address @ ..] = rest else { return Err("the offer is too short".into()) };
        if *lanes != self.lanes() {
            return Err("the two ends differ in connections; set both alike".into());
        }
        let agreed = self.options.protection.agree(*protection).ok_or_else(|| {
            format!("the other end asks for protection {protection}, which is unknown here; run the same version on both")
        })?;
        let address: SocketAddr = std::str::from_utf8(address)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or("the offer holds no address")?;
        let session = if side == Side::Lead { our_session } else { *their_session };
        let terms = Terms { secret: self.secret.clone(), session };
        let open = || -> io::Result<TcpLink> {
            let streams = match side {
                Side::Lead => gate::admit(&listener, self.lanes().into(), &terms, deadline)?,
                Side::Follow => {
                    drop(listener);
                    (0..self.lanes())
                        .map(|lane| {
                            let left = deadline.remaining().max(Duration::from_millis(1));
                            let mut stream = TcpStream::connect_timeout(&address, left)?;
                            let admitted = gate::call(&mut stream, lane, &terms, deadline)?;
                            Ok((stream, admitted))
                        })
                        .collect::<io::Result<Vec<_>>>()?
                }
            };
            TcpLink::new(self.peer, streams, agreed, side == Side::Follow)
        };
        Ok(Box::new(open().map_err(|e| format!("{address}: {e}"))?))
    }
}
