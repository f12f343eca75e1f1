use std::{
    io,
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    os::fd::OwnedFd,
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{
    Arena, Deadline, Delayed, EstablishError, Established, Method, Protection, Pulse, Rank, Secret,
    ShmMethod, Side, TcpMethod, TcpOptions, establish, gate, handshake::Terms, local::LinkChoice, route,
    secret::random_bytes, tcp::pacing::same_host, verbs::VerbsMethod,
};

/// Where the processes of a group find each other, on one machine or on several, and the secret that lets them in. Whoever
/// starts the processes asks each for the address of its [`Lobby`], makes the meeting and gives it to all, over channels that
/// nobody else reads.
///
/// ```
/// use std::{net::{IpAddr, Ipv4Addr}, thread, time::Duration};
/// use tandem_fabric::{Deadline, LinkTerms, Lobby, Meeting, Rank};
///
/// let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// let lobbies = [Lobby::open(here)?, Lobby::open(here)?];
/// let addresses = lobbies.iter().map(|lobby| vec![lobby.address()]).collect();
/// let meeting = Meeting::new(addresses, LinkTerms::default());
/// let deadline = Deadline::after(Duration::from_secs(5));
/// let ranks: Vec<_> = lobbies
///     .into_iter()
///     .enumerate()
///     .map(|(rank, lobby)| {
///         let meeting = meeting.clone();
///         thread::spawn(move || meeting.attend(lobby, Rank(rank as u16), 1 << 20, deadline).unwrap())
///     })
///     .collect();
/// for attended in ranks.into_iter().map(|rank| rank.join().unwrap()) {
///     assert_eq!(attended.links.iter().flatten().count(), 1);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Meeting {
    session: [u8; 16],
    secret: Secret,
    /// By rank: where its lobby may be reached, best first.
    pub addresses: Vec<Vec<SocketAddr>>,
    pub terms: LinkTerms,
}

/// What links a group wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkTerms {
    pub link: LinkChoice,
    /// Added to every message, to imitate a slower link.
    pub delay_us: u64,
    pub checksums: bool,
    /// Of TCP links. Where two ranks want different things, the stricter decides.
    pub encryption: Encryption,
    /// Message connections per TCP link.
    pub connections: u8,
}

impl Default for LinkTerms {
    fn default() -> Self {
        Self {
            link: LinkChoice::Best,
            delay_us: 0,
            checksums: false,
            encryption: Encryption::default(),
            connections: 1,
        }
    }
}

/// Which TCP links are encrypted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encryption {
    /// Those that leave this host.
    #[default]
    BetweenHosts,
    /// Also those within a host, to measure what it costs.
    Always,
    /// None: for cables that one trusts.
    Never,
}

/// Where one process waits for its peers before it knows who they are.
#[derive(Debug)]
pub struct Lobby {
    listener: TcpListener,
    address: SocketAddr,
}

impl Lobby {
    /// On any free port.
    pub fn open(address: IpAddr) -> io::Result<Self> {
        Self::at((address, 0).into())
    }

    pub fn at(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// One that another process opened and handed down.
    pub fn inherited(descriptor: OwnedFd) -> io::Result<Self> {
        let listener = TcpListener::from(descriptor);
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// To hand it down.
    pub fn into_descriptor(self) -> OwnedFd {
        self.listener.into()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

/// What a process has after a meeting.
pub struct Attended {
    pub arena: Arena,
    /// One per other rank; `None` in this rank's own place.
    pub links: Vec<Option<Established>>,
    /// Says who is alive, from now on.
    pub pulse: Pulse,
}

#[derive(Debug, thiserror::Error)]
pub enum MeetingError {
    #[error("{rank} did not come to the meeting: {why}")]
    Absent { rank: Rank, why: io::Error },
    #[error("the ranks above {me} did not all come to the meeting: {why}")]
    Incomplete { me: Rank, why: io::Error },
    #[error("no link to {rank}: {why}")]
    Establish { rank: Rank, why: EstablishError },
    #[error(transparent)]
    Arena(#[from] crate::ArenaError),
    #[error("{me} is not among the {ranks} ranks of the meeting")]
    Uninvited { me: Rank, ranks: usize },
    #[error("cannot keep watch over the other ranks: {0}")]
    Pulse(io::Error),
}

impl Meeting {
    /// A meeting under a fresh secret.
    pub fn new(addresses: Vec<Vec<SocketAddr>>, terms: LinkTerms) -> Self {
        Self { session: random_bytes(), secret: Secret::random(), addresses, terms }
    }

    pub fn new_secret() -> [u8; 32] {
        random_bytes()
    }

    /// A meeting under a secret that was agreed on elsewhere, and that must never be used for another.
    pub fn under(secret: [u8; 32], addresses: Vec<Vec<SocketAddr>>, terms: LinkTerms) -> Self {
        let secret = Secret::new(secret);
        let name = secret.mac("meeting", &[]);
        Self { session: std::array::from_fn(|i| name[i]), secret, addresses, terms }
    }

    /// Opens a link to every other rank, and begins to watch over them. Every rank calls this at the same time.
    pub fn attend(
        &self,
        lobby: Lobby,
        me: Rank,
        arena_bytes: usize,
        deadline: Deadline,
    ) -> Result<Attended, MeetingError> {
        if me.index() >= self.addresses.len() {
            return Err(MeetingError::Uninvited { me, ranks: self.addresses.len() });
        }
        let arena = Arena::new(arena_bytes)?;
        let mut streams = self.meet(lobby, me, deadline)?;
        let mut links = Vec::with_capacity(streams.len());
        let mut routes = Vec::new();
        for (rank, stream) in streams.iter_mut().enumerate() {
            let peer = Rank(rank as u16);
            links.push(match stream {
                None => None,
                Some(stream) => {
                    let side = if me < peer { Side::Lead } else { Side::Follow };
                    let methods = self.methods(stream, &arena, me, peer);
                    let failed = |why| MeetingError::Establish { rank: peer, why };
                    let mut established = establish(stream, side, methods, deadline).map_err(failed)?;
                    let terms = Terms { secret: self.pair_secret("route", me, peer), session: self.session };
                    let beside = route::connect(stream, side, established.link.routes(), &terms, deadline);
                    for stream in beside.map_err(|why| failed(why.into()))? {
                        match stream {
                            Ok(stream) => routes.push((peer, stream)),
                            Err(why) => {
                                let why = format!("its route cannot be watched beside it: {why}");
                                established.reasons.push((established.kind, why));
                            }
                        }
                    }
                    if self.terms.delay_us > 0 {
                        let delay = Duration::from_micros(self.terms.delay_us);
                        established.link = Box::new(Delayed::new(established.link, delay));
                    }
                    Some(established)
                }
            });
        }
        let pulse = Pulse::start(streams, routes).map_err(MeetingError::Pulse)?;
        Ok(Attended { arena, links, pulse })
    }

    fn meet(
        &self,
        lobby: Lobby,
        me: Rank,
        deadline: Deadline,
    ) -> Result<Vec<Option<TcpStream>>, MeetingError> {
        let size = self.addresses.len();
        let terms = Terms { secret: self.secret.clone(), session: self.session };
        let mut streams: Vec<Option<TcpStream>> = (0..size).map(|_| None).collect();
        for rank in 0..me.index() {
            let absent = |why| MeetingError::Absent { rank: Rank(rank as u16), why };
            let mut stream = reach(&self.addresses[rank], deadline).map_err(absent)?;
            gate::call(&mut stream, me.0 as u8, &terms, deadline).map_err(absent)?;
            stream.set_nodelay(true).map_err(absent)?;
            streams[rank] = Some(stream);
        }
        let wanted = size - me.index() - 1;
        let incomplete = |why| MeetingError::Incomplete { me, why };
        for (stream, admitted) in
            gate::admit(&lobby.listener, wanted, &terms, deadline).map_err(incomplete)?
        {
            stream.set_nodelay(true).map_err(incomplete)?;
            match streams.get_mut(usize::from(admitted.lane)) {
                Some(place @ None) if usize::from(admitted.lane) > me.index() => *place = Some(stream),
                _ => {
                    return Err(incomplete(io::Error::other(format!(
                        "rank {} came uninvited",
                        admitted.lane
                    ))));
                }
            }
        }
        Ok(streams)
    }

    fn methods(&self, stream: &TcpStream, arena: &Arena, me: Rank, peer: Rank) -> Vec<Box<dyn Method>> {
        let terms = &self.terms;
        let secret = self.pair_secret("pair", me, peer);
        // Both ends see the same two addresses. What goes to an address of one's own does not leave the host; that two hosts
        // have an address in common, such as a container bridge's, says nothing.
        let one_host = same_host(stream);
        let protection = match terms.encryption {
            Encryption::Always => Protection::Encrypted,
            Encryption::BetweenHosts if !one_host => Protection::Encrypted,
            _ if terms.checksums => Protection::Checksum,
            _ => Protection::None,
        };
        // The address by which the peer has just found us, or we it, is one that works between us.
        let addresses = stream.local_addr().map(|address| vec![address.ip()]).unwrap_or_default();
        let options = TcpOptions { addresses, connections: terms.connections, protection };
        let tcp: Box<dyn Method> = Box::new(TcpMethod::new(arena, peer, &secret, options));
        let shm: Box<dyn Method> = Box::new(ShmMethod::new(arena, peer, &secret));
        match terms.link {
            LinkChoice::Tcp => vec![tcp],
            LinkChoice::Shm => vec![shm, tcp],
            // Shared memory is faster than any cable.
            LinkChoice::Best if one_host => vec![shm, tcp],
            LinkChoice::Best => vec![Box::new(VerbsMethod::new(arena, peer)), shm, tcp],
        }
    }

    fn pair_secret(&self, purpose: &str, me: Rank, peer: Rank) -> Secret {
        let (low, high) = (me.0.min(peer.0).to_le_bytes(), me.0.max(peer.0).to_le_bytes());
        Secret::new(self.secret.mac(purpose, &[&low, &high]))
    }
}

fn reach(addresses: &[SocketAddr], deadline: Deadline) -> io::Result<TcpStream> {
    loop {
        let mut failure = io::Error::other("it has no address");
        for address in addresses {
            let patience = deadline.remaining().min(Duration::from_secs(1)).max(Duration::from_millis(1));
            match TcpStream::connect_timeout(address, patience) {
                Ok(stream) => return Ok(stream),
                Err(e) => failure = io::Error::new(e.kind(), format!("{address}: {e}")),
            }
        }
        if deadline.expired() {
            return Err(failure);
        }
        thread::sleep(Duration::from_millis(5));
    }
}
