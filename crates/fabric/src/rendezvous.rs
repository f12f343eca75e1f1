use std::{
    io,
    os::unix::net::{SocketAddr, UnixListener, UnixStream},
    str::FromStr,
    thread,
    time::Duration,
};

use crate::{Deadline, Rank, Secret, gate, handshake::Terms, secret::random_bytes};

/// How processes of one host find each other: a name and a secret that whoever starts them hands to each, for example in an environment variable.
#[derive(Debug, Clone)]
pub struct Rendezvous {
    name: [u8; 16],
    secret: [u8; 32],
}

impl Rendezvous {
    pub fn random() -> Self {
        Self { name: random_bytes(), secret: random_bytes() }
    }

    /// For passing to the processes; [`FromStr`] is the other direction. Whoever knows it can join.
    pub fn to_text(&self) -> String {
        self.name.iter().chain(&self.secret).map(|byte| format!("{byte:02x}")).collect()
    }

    /// A secret of its own for the link between two ranks.
    pub fn secret(&self, a: Rank, b: Rank) -> Secret {
        let (low, high) = (a.0.min(b.0).to_le_bytes(), a.0.max(b.0).to_le_bytes());
        Secret::new(Secret::new(self.secret).mac("pair", &[&low, &high]))
    }

    /// Connects this rank with every other: one stream per rank, `None` for itself. Every rank calls this at the same time.
    pub fn meet(&self, me: Rank, size: usize, deadline: Deadline) -> io::Result<Vec<Option<UnixStream>>> {
        let mut streams: Vec<Option<UnixStream>> = (0..size).map(|_| None).collect();
        let door = Door::open(&self.name_of(me))?;
        let terms = Terms { secret: Secret::new(self.secret), session: self.name };
        let own = u8::try_from(me.0).map_err(io::Error::other)?;
        for (rank, place) in streams.iter_mut().enumerate().take(me.index()) {
            let address = address(&self.name_of(Rank(rank as u16)))?;
            let mut stream = loop {
                match UnixStream::connect_addr(&address) {
                    Ok(stream) => break stream,
                    // It has not started listening yet.
                    Err(_) if !deadline.expired() => thread::sleep(Duration::from_millis(1)),
                    Err(e) => return Err(io::Error::new(e.kind(), format!("rank {rank} did not come: {e}"))),
                }
            };
            gate::call(&mut stream, own, &terms, deadline)?;
            *place = Some(stream);
        }
        let wanted = size.saturating_sub(me.index() + 1);
        for (stream, admitted) in gate::admit(&door.listener, wanted, &terms, deadline)? {
            match streams.get_mut(usize::from(admitted.lane)) {
                Some(place @ None) => *place = Some(stream),
                _ => return Err(io::Error::other(format!("rank {} came uninvited", admitted.lane))),
            }
        }
        Ok(streams)
    }

    fn name_of(&self, rank: Rank) -> String {
        let name: String = self.name.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{name}-{}", rank.0)
    }
}

impl FromStr for Rendezvous {
    type Err = io::Error;

    fn from_str(text: &str) -> io::Result<Self> {
        let wrong = || io::Error::other("a rendezvous is 96 hexadecimal digits");
        if text.len() != 96 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 48];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        let (mut name, mut secret) = ([0; 16], [0; 32]);
        name.copy_from_slice(&bytes[..16]);
        secret.copy_from_slice(&bytes[16..]);
        Ok(Self { name, secret })
    }
}

/// A unix listener whose name, where it is a path, goes with it.
pub(crate) struct Door {
    pub(crate) listener: UnixListener,
    #[cfg(not(target_os = "linux"))]
    name: String,
}

impl Door {
    pub(crate) fn open(name: &str) -> io::Result<Self> {
        let listener = UnixListener::bind_addr(&address(name)?)?;
        Ok(Self {
            listener,
            #[cfg(not(target_os = "linux"))]
            name: name.to_string(),
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Drop for Door {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(path(&self.name));
    }
}

#[cfg(target_os = "linux")]
pub(crate) fn address(name: &str) -> io::Result<SocketAddr> {
    use std::os::linux::net::SocketAddrExt;
    SocketAddr::from_abstract_name(format!("tandem-{name}"))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_pathname(path(name))
}

#[cfg(not(target_os = "linux"))]
fn path(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("tandem-{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_meet_and_strangers_do_not() {
        let rendezvous: Rendezvous = Rendezvous::random().to_text().parse().unwrap();
        assert!("00".parse::<Rendezvous>().is_err());
        let deadline = Deadline::after(Duration::from_secs(60));
        let stranger = Rendezvous { secret: [1; 32], ..rendezvous.clone() };
        thread::scope(|scope| {
            let ranks: Vec<_> = (0..4u16)
                .map(|rank| {
                    scope.spawn({
                        let rendezvous = &rendezvous;
                        move || rendezvous.meet(Rank(rank), 4, deadline).unwrap()
                    })
                })
                .collect();
            assert!(stranger.meet(Rank(9), 10, Deadline::after(Duration::from_millis(300))).is_err());
            for (rank, streams) in ranks.into_iter().map(|rank| rank.join().unwrap()).enumerate() {
                assert_eq!(
                    streams
                        .iter()
                        .enumerate()
                        .filter(|(_, s)| s.is_none())
                        .map(|(i, _)| i)
                        .collect::<Vec<_>>(),
                    [rank]
                );
            }
        });
    }
}
