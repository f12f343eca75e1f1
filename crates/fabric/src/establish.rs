use std::time::Duration;

use thiserror::Error;

use crate::{Control, Deadline, Kind, Link, Method, OFFER_MAX, Secrecy, Side};

/// A link, and why it is not of a better kind.
pub struct Established {
    pub link: Box<dyn Link>,
    pub kind: Kind,
    pub secrecy: Secrecy,
    /// The kinds tried before, with the reason each was not to be had, and what this one lacks, in words for the user.
    pub reasons: Vec<(Kind, String)>,
}

impl std::fmt::Debug for Established {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Established").field("kind", &self.kind).field("reasons", &self.reasons).finish()
    }
}

#[derive(Debug, Error)]
pub enum EstablishError {
    #[error("no link could be opened:{}", list(reasons))]
    Nothing { reasons: Vec<(Kind, String)> },
    #[error("the control channel failed: {0}")]
    Control(#[from] std::io::Error),
    #[error(
        "the two ends try different kinds of link ({ours} here, code {theirs} there); run the same version on both"
    )]
    Differ { ours: Kind, theirs: u8 },
}

fn list(reasons: &[(Kind, String)]) -> String {
    reasons.iter().map(|(kind, why)| format!(" {kind}: {why};")).collect()
}

/// The longest reason sent to the other side.
const WHY_MAX: usize = 512;
/// A method that hangs must leave time for the next.
const PER_METHOD: Duration = Duration::from_secs(5);

/// Opens the first link in `methods` that both sides can: pass the same kinds in the same order on both.
///
/// ```
/// use std::{os::unix::net::UnixStream, thread, time::Duration};
/// use tandem_fabric::{Arena, Deadline, Kind, Method, Rank, Secret, ShmMethod, Side, TcpMethod, TcpOptions, establish};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // In a cluster these are the two ends of an encrypted, authenticated connection between two nodes.
/// let (mut here, mut there) = UnixStream::pair()?;
/// let secret = Secret::random();
/// let deadline = Deadline::after(Duration::from_secs(5));
///
/// let methods = |peer, arena: &Arena, secret: &Secret| -> Vec<Box<dyn Method>> {
///     vec![
///         Box::new(ShmMethod::new(arena, peer, secret)),
///         Box::new(TcpMethod::new(arena, peer, secret, TcpOptions::default())),
///     ]
/// };
/// let other = thread::spawn({
///     let secret = secret.clone();
///     move || {
///         let arena = Arena::new(1 << 20).unwrap();
///         establish(&mut there, Side::Follow, methods(Rank(0), &arena, &secret), deadline).unwrap().kind
///     }
/// });
/// let arena = Arena::new(1 << 20)?;
/// let established = establish(&mut here, Side::Lead, methods(Rank(1), &arena, &secret), deadline)?;
/// assert_eq!(established.kind, Kind::Shm);
/// assert_eq!(other.join().unwrap(), Kind::Shm);
/// # Ok(())
/// # }
/// ```
pub fn establish(
    control: &mut dyn Control,
    side: Side,
    methods: Vec<Box<dyn Method>>,
    deadline: Deadline,
) -> Result<Established, EstablishError> {
    let mut reasons = Vec::new();
    for mut method in methods {
        let kind = method.kind();
        let ours = method.offer(Deadline::after(PER_METHOD.min(deadline.remaining())));
        let theirs = exchange(control, kind, &ours, deadline)?;
        // The other side may have been busy with someone else until now.
        let attempt = Deadline::after(PER_METHOD.min(deadline.remaining()));
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(why), _) => {
                reasons.push((kind, why));
                continue;
            }
            (_, Err(why)) => {
                reasons.push((kind, format!("at the other end: {why}")));
                continue;
            }
        };
        drop(ours);
        let link = method.connect(&theirs, side, attempt);
        let (outcome, link) = match link {
            Ok(link) => (Ok(Vec::new()), Some(link)),
            Err(why) => (Err(why), None),
        };
        let theirs = exchange(control, kind, &outcome, deadline)?;
        match (outcome, theirs, link) {
            (Ok(_), Ok(_), Some(link)) => {
                let secrecy = link.secrecy();
                return Ok(Established { link, kind, secrecy, reasons });
            }
            (Err(why), ..) => reasons.push((kind, why)),
            (_, Err(why), _) => reasons.push((kind, format!("at the other end: {why}"))),
            (Ok(_), Ok(_), None) => {}
        }
    }
    Err(EstablishError::Nothing { reasons })
}

/// Tells the other side our offer or why there is none, and hears its.
fn exchange(
    control: &mut dyn Control,
    kind: Kind,
    ours: &Result<Vec<u8>, String>,
    deadline: Deadline,
) -> Result<Result<Vec<u8>, String>, EstablishError> {
    let mut message = vec![code(kind)];
    match ours {
        Ok(offer) => {
            message.push(1);
            message.extend_from_slice(offer);
        }
        Err(why) => {
            message.push(0);
            message.extend(why.bytes().take(WHY_MAX));
        }
    }
    control.send(&message, deadline)?;
    let theirs = control.recv(OFFER_MAX + 2, deadline)?;
    let [theirs_kind, is_offer, rest @ ..] = &theirs[..] else {
        return Err(std::io::Error::other("a control message of less than two bytes").into());
    };
    if *theirs_kind != code(kind) {
        return Err(EstablishError::Differ { ours: kind, theirs: *theirs_kind });
    }
    Ok(if *is_offer == 1 {
        Ok(rest.to_vec())
    } else {
        Err(String::from_utf8_lossy(&rest[..rest.len().min(WHY_MAX)]).into_owned())
    })
}

fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Verbs => 1,
        Kind::Shm => 2,
        Kind::Tcp => 3,
        Kind::Mem => 4,
    }
}
