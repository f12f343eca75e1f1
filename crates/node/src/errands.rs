//! Two nodes meeting over the fabric: to measure the link between them.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tandem_cluster::LinkMeasure;
use tandem_fabric::{Attended, Deadline, Encryption, Health, LinkTerms, Lobby, Meeting, Rank, Secrecy, Side};

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
    let Attended { arena, mut links, pulse: _pulse } = attended;
    let other = usize::from(1 - me);
    let mut link = links.get_mut(other).and_then(Option::take).ok_or("no link was made")?;
    let side = if me == HOST { Side::Lead } else { Side::Follow };
    let mut health = Health::new(&*link.link);
    let deadline = Deadline::after(Duration::from_secs(10));
    let measured =
        health.probe(&mut *link.link, &arena, side, deadline).map_err(|error| error.to_string())?;
    Ok(LinkMeasure {
        round_trip_us: measured.round_trip.as_secs_f64() * 1e6,
        bytes_per_s: measured.bytes_per_s,
        transport: match link.secrecy {
            Secrecy::WithinHost => link.kind.to_string(),
            secrecy => format!("{}, {secrecy}", link.kind),
        },
    })
}
