//! What the test says to its nodes, and they to it: lines of JSON.

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub enum Order {
    /// Have the model loaded.
    Load,
    /// Once so many nodes are seen.
    Live(usize),
    /// Once the model is served.
    Holders,
    /// So many prompts whose answers are not decided by a tie.
    Prompts(usize),
    /// Answers [`Reply::Streaming`] once every answer is under way, and [`Reply::Streamed`] once all have ended.
    Stream(Vec<Vec<u32>>),
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The node has started; others may join with this.
    Token(String),
    Done,
    Holders(Vec<String>),
    Prompts {
        prompts: Vec<Vec<u32>>,
        answers: Vec<Vec<u32>>,
    },
    Streaming,
    Streamed {
        answers: Vec<Answer>,
        marks: Vec<Mark>,
    },
    /// What was waited for did not come.
    Missed(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Or why there is no answer.
    pub tokens: Result<Vec<u32>, String>,
    pub longest_pause_ms: u64,
    /// When the longest pause ended.
    pub resumed_unix_ms: u64,
    pub ended_unix_ms: u64,
}

/// What a node saw happen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mark {
    pub unix_ms: u64,
    pub what: Seen,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Seen {
    /// A node is taken for gone.
    Gone,
    /// A generation, by its number, was given out.
    Placed(u64),
    /// All its workers have started.
    Seated(u64),
    Ready(u64),
}
