use std::time::Duration;

use thiserror::Error;

use crate::{Kind, Rank, Route};

/// Why a link failed. A link that failed once stays failed: every later call returns the same error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinkError {
    #[error("{rank} is lost: {why}")]
    PeerLost { rank: Rank, why: Lost },
    #[error("bytes from {rank} over {kind} are damaged: {what}; the link is closed, check the cable")]
    Corrupt { rank: Rank, kind: Kind, what: String },
    #[error(
        "{rank} sent {message_len} bytes into a receive buffer of {buffer_len}; both sides must agree on sizes"
    )]
    Overrun { rank: Rank, message_len: usize, buffer_len: usize },
    #[error("a message of {len} bytes is over this link's limit of {max}; send it in parts")]
    TooLong { len: usize, max: usize },
    #[error("the buffer is not from the arena this link was opened with; allocate it there")]
    ForeignBuffer,
    #[error("the system refused {call}: {why}")]
    System { call: &'static str, why: String },
}

/// What made the peer count as lost.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Lost {
    /// The peer closed its end, or its process ended.
    #[error("it closed the link or its process ended")]
    Closed,
    /// Nothing was heard within the deadline: stopped, hung or unplugged.
    #[error("nothing was heard from it for {} ms; it is stopped, hung or unplugged", waited.as_millis())]
    Silent { waited: Duration },
    /// It is alive, but nothing comes along a link's route.
    #[error(
        "nothing came from {} to {}, the way of its link, for {} ms, though it is alive; is the cable plugged in?",
        route.there, route.here, waited.as_millis()
    )]
    Cut { route: Route, waited: Duration },
    /// The transport reported a failure.
    #[error("the transport failed: {0}")]
    Transport(String),
    /// Another rank said so.
    #[error("{by} reported it lost")]
    Reported { by: Rank },
}

impl LinkError {
    pub(crate) fn closed(rank: Rank) -> Self {
        Self::PeerLost { rank, why: Lost::Closed }
    }
}
