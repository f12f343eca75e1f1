use tandem_fabric::{ArenaError, LinkError, Lost, Rank};
use thiserror::Error;

/// Why a collective failed. A lost rank poisons the group: every later call returns the same error, on every rank.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GroupError {
    #[error("{rank} is lost: {why}; form a new group without it")]
    RankLost { rank: Rank, why: Lost },
    #[error("{with} is in another collective: {what}; all ranks must make the same calls in the same order")]
    Mismatch { with: Rank, what: String },
    #[error("there is no link to {to}, and this operation does not relay")]
    NoLink { to: Rank },
    #[error("{0}")]
    Usage(String),
    #[error("a link failed: {0}")]
    Link(LinkError),
    #[error(transparent)]
    Arena(#[from] ArenaError),
}
