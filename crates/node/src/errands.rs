//! Two nodes meeting over the fabric: to measure the link between them.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use tandem_cluster::LinkMeasure;
use tandem_fabric::{
    Arena, Attended, Deadline, Encryption, Established, Health, LinkExt, LinkTerms, Lobby, Meeting, NOTE_MAX,
    Pulse, Rank, Secrecy, Side,
};

/// The rank that opened the errand and waits.
pub const HOST: u16 = 0;
/// The rank that comes.
pub const GUEST: u16 = 1;

const ARENA_BYTES: usize = 32 << 20;
const MEET_MAX: Duration = Duration::from_secs(5);

/// What to listen on to be reached at all of `hosts`, and at no more where they are this machine's own.
pub fn any_address(hosts: &[IpAddr]) -> IpAddr {
    match hosts {
        [only] if only.is_loopback() => *only,
        _ if hosts.iter().any(IpAddr::is_ipv6) => IpAddr::V6(std::net::Ipv6Addr::UNSPECIFIED),
        _ => IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED),
    }
}

/// Meets the other node; `addresses` are the host's.
pub fn attend(
    lobby: Lobby,
    me: u16,
    secret: [u8; 32],
    addresses: Vec<SocketAddr>,
    encryption: Encryption,
) -> Result<Attended, String> {
    let terms = LinkTerms { encryption, ..LinkTerms::default() };
    let meeting = Meeting::under(secret, vec![addresses, Vec::new()], terms);
    meeting.attend(lobby, Rank(me), ARENA_BYTES, Deadline::after(MEET_MAX)).map_err(|error| error.to_string())
}

/// Round trip and rate of the best link there is. Both nodes call this at the same time.
pub fn probe(attended: Attended, me: u16) -> Result<LinkMeasure, String> {
    Meter::of(attended, me)?.measure()
}

/// The same when the link is fresh, and after it was kept full for so long. Both nodes call this at the same time; how long it takes
/// is for the host to say.
pub fn strain(attended: Attended, me: u16, lasting: Duration) -> Result<(LinkMeasure, LinkMeasure), String> {
    let mut meter = Meter::of(attended, me)?;
    let begin = Instant::now();
    let first = meter.measure()?;
    let mut last = first.clone();
    while meter.agree(begin.elapsed() < lasting)? {
        last = meter.measure()?;
    }
    Ok((first, last))
}

/// One end of a link that is measured.
struct Meter {
    me: u16,
    arena: Arena,
    link: Established,
    health: Health,
    _pulse: Pulse,
}

const MEASURE_MAX: Duration = Duration::from_secs(10);

impl Meter {
    fn of(attended: Attended, me: u16) -> Result<Meter, String> {
        let Attended { arena, mut links, pulse } = attended;
        let other = usize::from(1 - me);
        let link = links.get_mut(other).and_then(Option::take).ok_or("no link was made")?;
        let health = Health::new(&*link.link);
        Ok(Meter { me, arena, link, health, _pulse: pulse })
    }

    fn measure(&mut self) -> Result<LinkMeasure, String> {
        let side = if self.me == HOST { Side::Lead } else { Side::Follow };
        let deadline = Deadline::after(MEASURE_MAX);
        let measured = self.health.probe(&mut *self.link.link, &self.arena, side, deadline);
        let measured = measured.map_err(|error| error.to_string())?;
        Ok(LinkMeasure {
            round_trip_us: measured.round_trip.as_secs_f64() * 1e6,
            bytes_per_s: measured.bytes_per_s,
            transport: match self.link.secrecy {
                Secrecy::WithinHost => self.link.kind.to_string(),
                secrecy => format!("{}, {secrecy}", self.link.kind),
            },
        })
    }

    /// Whether both go on, as the host says.
    fn agree(&mut self, goes_on: bool) -> Result<bool, String> {
        let deadline = Deadline::after(MEASURE_MAX);
        let mut note = [0; NOTE_MAX];
        let link = &mut self.link.link;
        let told = match self.me {
            HOST => link.send_note(&[u8::from(goes_on)], deadline).map(|()| goes_on),
            _ => link.recv_note(&mut note, deadline).map(|_| note[0] == 1),
        };
        told.map_err(|error| error.to_string())
    }
}
