//! `tandem remove`: puts a node out of the cluster.

use anyhow::Result;
use std::io::Write;
use tandem_hub::Store;
use tandem_node::control::{Order, order};

/// Remove a node from the cluster, at once and for good
///
/// It can come back only with a new token, as a new node. Tokens that were made before are revoked, since it may know them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem remove laptop
  tandem remove 1f2e3d4c     by the beginning of its id, as `tandem nodes` shows it")]
pub struct Args {
    /// Its name, or the beginning of its id
    node: String,
}

pub fn run(args: Args) -> Result<()> {
    order(Store::from_env()?.home(), &Order::Remove { node: args.node.clone() })?;
    writeln!(std::io::stdout(), "{} is removed; tokens made before are worthless now", args.node)?;
    Ok(())
}
