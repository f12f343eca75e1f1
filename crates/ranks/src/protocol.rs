//! What a worker process and whoever started it say to each other: frames of postcard, as between nodes, after their length in four bytes.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tandem_devices::Device;
use tandem_engine::{Event, Load, Refused, Request};
use tandem_fabric::Meeting;

use crate::Blueprint;

/// Everything a worker needs to know to become one rank of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub blueprint: Blueprint,
    pub rank: usize,
    /// Where the model's file lies on this machine.
    pub model: PathBuf,
    /// Where it computes.
    pub device: Device,
    pub threads: usize,
    /// The cores to run on; any where there are none.
    pub cores: Vec<usize>,
    pub meeting: Meeting,
    /// Most requests waiting beyond those that are decoded.
    pub waiting_max: usize,
}

/// What a rank has become.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ready {
    /// The kind of link to every other rank, and why it is not a better one.
    pub links: Vec<LinkReport>,
    /// How its steps pass to other ranks and back, where its device has several ways.
    #[serde(default)]
    pub exchanges_by: Option<String>,
    /// Bytes this rank was planned to take.
    pub weights_bytes: u64,
    pub cache_bytes: u64,
    pub scratch_bytes: u64,
    /// Bytes this process really holds.
    pub resident_bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkReport {
    pub to: usize,
    pub kind: String,
    /// Who could read what it carries.
    pub secrecy: String,
    pub reasons: Vec<String>,
}

/// Where a rank's time went since it was last asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    pub steps: u64,
    pub computing_us: f64,
    /// The same by kind of operator.
    pub kinds_us: Vec<(String, f64)>,
    /// Exchanging values with other ranks, and waiting for them.
    pub exchanging_us: f64,
    /// Waiting for threads of its own.
    pub waiting_us: f64,
    /// Bytes the process holds now.
    pub resident_bytes: Option<u64>,
}

/// Why a rank ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// The rank whose loss it was, where it was one's.
    pub lost: Option<usize>,
    pub reason: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    Listen {
        address: IpAddr,
    },
    Join(Box<Task>),
    Submit {
        id: u64,
        request: Box<Request>,
    },
    Cancel {
        id: u64,
    },
    Ping,
    /// Say where time went.
    Measure,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    Listening {
        address: SocketAddr,
    },
    Progress {
        loaded: u64,
        total: u64,
    },
    Ready(Ready),
    Taken {
        id: u64,
    },
    Refused {
        id: u64,
        refused: Refused,
    },
    Event {
        id: u64,
        event: Event,
    },
    /// The answer to a ping; rank 0 says how busy it is. Bytes that came from each rank so far, by its number.
    Pong {
        load: Option<Load>,
        traffic_bytes: Vec<u64>,
    },
    Spent(Spent),
    Failed(Failure),
}

/// A prompt of a million tokens fits, and one with a score of pictures.
const FRAME_MAX: usize = 64 << 20;

pub(crate) fn write_frame(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = postcard::to_extend(message, vec![0; 4]).map_err(io::Error::other)?;
    let len = frame.len() - 4;
    if len > FRAME_MAX {
        return Err(io::Error::other(format!("a message of {len} bytes, at most {FRAME_MAX}")));
    }
    frame[..4].copy_from_slice(&(len as u32).to_le_bytes());
    to.write_all(&frame)
}

/// Frames out of a stream that may deliver them in pieces, or nothing for a while.
pub(crate) struct Frames<R> {
    from: R,
    bytes: Vec<u8>,
}

pub(crate) enum Heard<T> {
    Message(T),
    /// The stream's read timeout passed.
    Nothing,
    End,
}

impl<R: Read> Frames<R> {
    pub fn new(from: R) -> Frames<R> {
        Frames { from, bytes: Vec::new() }
    }

    pub fn next<T: DeserializeOwned>(&mut self) -> io::Result<Heard<T>> {
        let mut piece = [0; 16 << 10];
        loop {
            if let Some((head, rest)) = self.bytes.split_first_chunk::<4>() {
                let len = u32::from_le_bytes(*head) as usize;
                if len > FRAME_MAX {
                    return Err(io::Error::other(format!("a message of {len} bytes, at most {FRAME_MAX}")));
                }
                if let Some(frame) = rest.get(..len) {
                    let message = postcard::from_bytes(frame).map_err(io::Error::other)?;
                    self.bytes.drain(..4 + len);
                    return Ok(Heard::Message(message));
                }
            }
            match self.from.read(&mut piece) {
                Ok(0) => return Ok(Heard::End),
                Ok(n) => self.bytes.extend_from_slice(&piece[..n]),
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    return Ok(Heard::Nothing);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::ConnectionReset => return Ok(Heard::End),
                Err(e) => return Err(e),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            (into[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    #[test]
    fn frames_survive_being_cut() {
        let mut bytes = Vec::new();
        write_frame(&mut bytes, &ToWorker::Cancel { id: 7 }).unwrap();
        write_frame(&mut bytes, &ToWorker::Ping).unwrap();
        let mut frames = Frames::new(Drip(&bytes));
        assert!(matches!(frames.next().unwrap(), Heard::Message(ToWorker::Cancel { id: 7 })));
        assert!(matches!(frames.next().unwrap(), Heard::Message(ToWorker::Ping)));
        assert!(matches!(frames.next::<ToWorker>().unwrap(), Heard::End));
    }

    #[test]
    fn a_frame_that_is_too_long_or_nonsense_is_refused() {
        let mut frames = Frames::new(&[0xff, 0xff, 0xff, 0xff, 1][..]);
        assert!(frames.next::<ToWorker>().is_err());
        let mut frames = Frames::new(&[2, 0, 0, 0, b'{', b'}'][..]);
        assert!(frames.next::<ToWorker>().is_err());
    }
}
