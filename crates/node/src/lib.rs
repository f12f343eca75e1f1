//! A node: the sockets, files, processes and clock around the cluster's state machine.
//!
//! - [`Node`]: one running node. `shell` carries out what `tandem_cluster::Core` decides and tells it what happens, on a thread
//!   of its own (`heart`). Tokens do not pass through it: they go from a worker (`attempts`) to the client's request (`fronts`).
//! - [`Home`]: what a node keeps on disk; [`JoinToken`]: what lets a node in.
//! - [`ClusterService`]: the whole cluster's models as an `api::Service`; [`control`]: orders from the command line;
//!   [`NodeModel`]: a model of the cluster for another program on the same machine.
//! - [`rates`]: what a transfer of weights reaches, beside what its link carries.
//! - `channel`: the encrypted control channel; `discovery`: finding nodes on the local network.
//!
//! This crate decides nothing about membership or placement: that is `tandem_cluster` and `tandem_plan`.

mod accelerators;
mod addresses;
mod attempts;
mod channel;
mod checkup;
mod chronicle;
mod cluster_service;
mod cluster_tokens;
mod commands;
pub mod control;
mod devices;
mod discovery;
mod energy;
mod errands;
mod fetcher;
mod files;
mod founding;
mod frame;
mod fronts;
mod heart;
mod hex;
mod hints;
mod home;
mod joining;
mod keeper;
mod links;
mod listening;
mod machine;
mod model_facts;
mod node;
mod node_tokens;
mod part;
mod placing;
mod post;
mod prober;
mod pulls;
pub mod rates;
mod runs;
mod shelf;
mod shell;
mod slices;
mod snapshot;
mod stocktaker;
mod strangers;
mod token;
mod traffic;
mod weights;

pub use cluster_service::ClusterService;
pub use cluster_tokens::ClusterTokens;
pub use commands::{CommandError, Wish};
pub use fetcher::damaged_partials;
pub use founding::found;
pub use home::{Home, HomeError};
pub use model_facts::model_facts;
pub use node::{DEFAULT_PORT, Ending, Node, NodeError, Options};
pub use node_tokens::{NodeModel, NodeTokens, models_of};
pub use shelf::facts_of;
pub use shelf::file_facts;
pub use snapshot::Snapshot;
pub use token::{BadToken, JoinToken};
