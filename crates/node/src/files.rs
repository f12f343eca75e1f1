//! Files and folders from another node, over the same links and in the same units as weights: verified, and resumed where they stopped.
//!
//! A node lets the members of its cluster read what lies below `shared` in its home, if its owner made that (a folder, or a link to
//! one), and nothing else: links below it are neither followed nor copied.

mod arrival;
mod offering;

pub use arrival::copy;
pub use offering::serve;

use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// The folder of a node's home that others may read.
pub const SHARED: &str = "shared";

/// What comes before the files.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    /// Why nothing else comes.
    refused: Option<String>,
    /// Whether a folder was asked for. A file has one entry, of its own name.
    folder: bool,
    entries: Vec<Entry>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Below the folder that was asked for.
    path: String,
    bytes: u64,
    modified_unix_ns: u64,
    executable: bool,
}

/// Whether a path leads below where it starts, whatever it is joined to.
fn is_below(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}
