//! What goes over a control channel.

use serde::{Deserialize, Serialize};
use tandem_cluster::{Attempt, JoinRefused, Member, Message, Shared};

use crate::fronts::Word;
use crate::pulls::PullWord;

#[derive(Debug, Serialize, Deserialize)]
pub enum Frame {
    Core(Message),
    /// The first word of a node that came with an invitation.
    Join(Member),
    Welcome(Box<Welcome>),
    Refused(JoinRefused),
    /// Weights and measurements, apart from the state machine.
    Errand(Errand),
    /// Who gets a model from the hub.
    Pull(PullWord),
    /// The `index`th word of the answer to an attempt of the node that this goes to.
    Word {
        attempt: Attempt,
        index: u64,
        word: Word,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Welcome {
    pub key: [u8; 32],
    pub shared: Shared,
}

/// A meeting of two nodes over the fabric: the sender waits at these addresses, under this secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errand {
    pub addresses: Vec<String>,
    pub secret: [u8; 32],
    pub purpose: Purpose,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Purpose {
    /// Measure the link.
    Probe,
    /// Send me pieces of this version of a model's file.
    Weights { model: String, version: u64 },
    /// Keep the link full for so long.
    Strain { seconds: u32 },
    /// Send me this file or folder of those that your owner shares.
    Files { path: String },
}

impl Frame {
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Frame> {
        postcard::from_bytes(bytes).ok()
    }
}
