//! Where models live on disk and how they get there.
//!
//! - [`ModelRef`]: what a person types, parsed: a catalogue name, a hub id, a file or a folder.
//! - [`Store`]: the models on this machine, each a folder with its files and a [`Manifest`].
//! - [`Hub`]: a server that speaks the Hugging Face HTTP API.
//! - [`pull`]: brings a model from the hub into the store; can be killed at any moment and started again. [`heads`]: only the beginnings of
//!   a model's files, from which its sizes can be read.
//!
//! This crate knows HTTP and files. It opens no model file and knows no tensors, and it draws nothing: whoever
//! calls it passes a [`Watch`] that hears of the progress and may stop it.

mod catalogue;
mod download;
mod error;
mod hash_file;
mod heads;
mod http;
mod hub;
mod local_path;
mod manifest;
mod package;
mod pull;
mod reference;
mod selection;
mod store;
mod watch;

pub use catalogue::{Catalogue, Entry, Package, Pin};
pub use error::HubError;
pub use hash_file::{forget_hash, is_intact, keep_hash};
pub use heads::heads;
pub use http::Patience;
pub use hub::{DEFAULT_ENDPOINT, Hub, RepoFile, Repository};
pub use local_path::model_at;
pub use manifest::{Manifest, Source, StoredFile};
pub use pull::pull;
pub use reference::{HubId, ModelRef};
pub use selection::{Selection, quant_of};
pub use store::{LocalModel, Store};
pub use watch::{Event, Silent, Watch};
