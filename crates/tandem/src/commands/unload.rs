//! `tandem unload`: has the cluster let go of a model.

use anyhow::Result;
use std::io::Write;
use tandem_hub::Store;
use tandem_node::control::{Order, order};

/// Unload a model from the cluster
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem unload smollm2")]
pub struct Args {
    /// As `tandem ps` names it
    model: String,
}

pub fn run(args: Args) -> Result<()> {
    order(Store::from_env()?.home(), &Order::Unload { model: args.model.clone() })?;
    writeln!(std::io::stdout(), "{} is unloaded", args.model)?;
    Ok(())
}
