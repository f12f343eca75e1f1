//! Ranks as processes of this machine: who starts them, and how each finds its place.

use std::{
    io,
    net::{IpAddr, Ipv4Addr},
    os::fd::AsFd,
    process::{Child, Command, Stdio},
};

use serde::{Deserialize, Serialize};

use crate::{
    Arena, Attended, Deadline, Established, Kind, LinkTerms, Lobby, Meeting, MeetingError, Rank, pin_to_core,
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

/// One rank's place in a crew: everything a process needs to find the others. Travels in an environment variable; the process
/// waits for the others at its standard input, which is its [`Lobby`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Seat {
    pub rank: u16,
    pub size: usize,
    pub terms: LinkTerms,
    /// Core to run on.
    pub core: Option<usize>,
    pub arena_bytes: usize,
    /// Made when the crew starts.
    meeting: Option<Meeting>,
}

const VARIABLE: &str = "TANDEM_SEAT";

impl Seat {
    /// Seats for `size` ranks that will meet each other. Their links stay within this host and are plain.
    pub fn row(size: usize, link: LinkChoice) -> Vec<Seat> {
        let terms = LinkTerms { link, ..LinkTerms::default() };
        let seat = |rank| Seat {
            rank,
            size,
            terms: terms.clone(),
            core: None,
            arena_bytes: 256 << 20,
            meeting: None,
        };
        (0..size as u16).map(seat).collect()
    }

    /// The seat this process was started for, if it was.
    pub fn from_env() -> Option<Seat> {
        serde_json::from_str(&std::env::var(VARIABLE).ok()?).ok()
    }

    /// Takes the seat: binds to its core, makes the arena, opens a link to every other rank.
    pub fn take(&self, deadline: Deadline) -> Result<(Arena, Vec<Option<Established>>), SeatError> {
        let Attended { arena, links, .. } = self.attend(deadline)?;
        Ok((arena, links))
    }

    /// As [`Seat::take`], with what says who is alive from then on.
    pub fn attend(&self, deadline: Deadline) -> Result<Attended, SeatError> {
        if let Some(core) = self.core {
            pin_to_core(core)?;
        }
        let lobby = Lobby::inherited(io::stdin().as_fd().try_clone_to_owned()?)?;
        let meeting = self.meeting.as_ref().ok_or_else(|| io::Error::other("the seat is of no crew"))?;
        Ok(meeting.attend(lobby, Rank(self.rank), self.arena_bytes, deadline)?)
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
    Meeting(#[from] MeetingError),
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
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let lobbies = seats.iter().map(|_| Lobby::open(here)).collect::<io::Result<Vec<_>>>()?;
        let addresses: Vec<_> = lobbies.iter().map(|lobby| vec![lobby.address()]).collect();
        let terms = seats.first().map(|seat| seat.terms.clone()).unwrap_or_default();
        let meeting = Some(Meeting::new(addresses, terms));
        for (seat, lobby) in seats.iter().zip(lobbies) {
            let seat = Seat { meeting: meeting.clone(), ..seat.clone() };
            let text = serde_json::to_string(&seat).map_err(io::Error::other)?;
            let mut command = command(&seat);
            command.env(VARIABLE, text).stdin(lobby.into_descriptor()).stdout(Stdio::piped());
            crew.children.push(command.spawn()?);
        }
        Ok(crew)
    }

    /// The processes. Those taken out are not killed on drop.
    pub fn children_mut(&mut self) -> &mut Vec<Child> {
        &mut self.children
    }

    /// Waits for all; the output of each, or the first failure.
    pub fn finish(mut self) -> io::Result<Vec<String>> {
        let mut outputs = Vec::new();
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
