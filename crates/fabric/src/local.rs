//! Ranks as processes of this machine: who starts them, and how each finds its place.

use std::{
    io,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{
    Arena, Deadline, Delayed, EstablishError, Established, Kind, Method, Protection, Rank, Rendezvous,
    ShmMethod, Side, TcpMethod, TcpOptions, establish, pin_to_core,
};

/// Which links local ranks use between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkChoice {
    /// Shared memory within a host; between hosts verbs where there is a device, otherwise TCP.
    Best,
    Shm,
    Tcp,
}

/// One rank's place in a crew: everything a process needs to find the others. Travels in an environment variable.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Seat {
    pub rank: u16,
    pub size: usize,
    pub link: LinkChoice,
    /// Added to every message, to imitate a slower link.
    pub delay_us: u64,
    pub checksums: bool,
    pub encrypted: bool,
    /// Message connections per TCP link.
    pub connections: u8,
    /// Core to run on.
    pub core: Option<usize>,
    pub arena_bytes: usize,
    rendezvous: String,
}

const VARIABLE: &str = "TANDEM_SEAT";

impl Seat {
    /// Seats for `size` ranks that will meet each other.
    pub fn row(size: usize, link: LinkChoice) -> Vec<Seat> {
        let rendezvous = Rendezvous::random().to_text();
        let seat = |rank| Seat {
            rank,
            size,
            link,
            delay_us: 0,
            checksums: false,
            encrypted: false,
            connections: 1,
            core: None,
            arena_bytes: 256 << 20,
            rendezvous: rendezvous.clone(),
        };
        (0..size as u16).map(seat).collect()
    }

    /// The seat this process was started for, if it was.
    pub fn from_env() -> Option<Seat> {
        serde_json::from_str(&std::env::var(VARIABLE).ok()?).ok()
    }

    /// Takes the seat: binds to its core, makes the arena, opens a link to every other rank.
    pub fn take(&self, deadline: Deadline) -> Result<(Arena, Vec<Option<Established>>), SeatError> {
        if let Some(core) = self.core {
            pin_to_core(core)?;
        }
        let me = Rank(self.rank);
        let arena = Arena::new(self.arena_bytes)?;
        let rendezvous: Rendezvous = self.rendezvous.parse()?;
        let streams = rendezvous.meet(me, self.size, deadline)?;
        let mut links = Vec::with_capacity(self.size);
        for (rank, stream) in streams.into_iter().enumerate() {
            let peer = Rank(rank as u16);
            links.push(match stream {
                None => None,
                Some(mut stream) => {
                    let side = if me < peer { Side::Lead } else { Side::Follow };
                    let methods = self.methods(&arena, peer, &rendezvous);
                    let mut established = establish(&mut stream, side, methods, deadline)?;
                    if self.delay_us > 0 {
                        let delay = Duration::from_micros(self.delay_us);
                        established.link = Box::new(Delayed::new(established.link, delay));
                    }
                    Some(established)
                }
            });
        }
        Ok((arena, links))
    }

    fn methods(&self, arena: &Arena, peer: Rank, rendezvous: &Rendezvous) -> Vec<Box<dyn Method>> {
        let secret = rendezvous.secret(Rank(self.rank), peer);
        let protection = match (self.encrypted, self.checksums) {
            (true, _) => Protection::Encrypted,
            (false, true) => Protection::Checksum,
            (false, false) => Protection::None,
        };
        let options = TcpOptions { connections: self.connections, protection, ..TcpOptions::default() };
        let tcp = Box::new(TcpMethod::new(arena, peer, &secret, options));
        match self.link {
            LinkChoice::Best | LinkChoice::Shm => vec![Box::new(ShmMethod::new(arena, peer, &secret)), tcp],
            LinkChoice::Tcp => vec![tcp],
        }
    }
}

impl From<LinkChoice> for Kind {
    fn from(choice: LinkChoice) -> Kind {
        match choice {
            LinkChoice::Best | LinkChoice::Shm => Kind::Shm,
            LinkChoice::Tcp => Kind::Tcp,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    #[error("the ranks of this machine did not meet: {0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Establish(#[from] EstablishError),
    #[error(transparent)]
    Arena(#[from] crate::ArenaError),
}

/// Processes in their seats; those still running are killed when this is dropped.
#[derive(Debug)]
pub struct Crew {
    children: Vec<Child>,
}

impl Crew {
    /// Starts one process per seat; `command` makes the command for each. Its output is captured.
    pub fn start(seats: &[Seat], mut command: impl FnMut(&Seat) -> Command) -> io::Result<Crew> {
        let mut crew = Crew { children: Vec::with_capacity(seats.len()) };
        for seat in seats {
            let text = serde_json::to_string(seat).map_err(io::Error::other)?;
            let mut command = command(seat);
            command.env(VARIABLE, text).stdin(Stdio::null()).stdout(Stdio::piped());
            crew.children.push(command.spawn()?);
        }
        Ok(crew)
    }

    /// The processes, for whoever wants to look after them alone; those taken out are not killed on drop.
    pub fn children_mut(&mut self) -> &mut Vec<Child> {
        &mut self.children
    }

    /// Waits for all; the output of each, or the first failure.
    pub fn finish(mut self) -> io::Result<Vec<String>> {
        let mut outputs = Vec::new();
        // Rank 0 last: its output may be long, and the others' is short.
        for (rank, child) in std::mem::take(&mut self.children).into_iter().enumerate() {
            let output = child.wait_with_output()?;
            if !output.status.success() {
                return Err(io::Error::other(format!("rank {rank} ended with {}", output.status)));
            }
            outputs.push(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Ok(outputs)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
