//! `tandem worker`: what this binary does when it was started by itself.

use std::process::Command;

use anyhow::{Context, Result};

/// A process of a local crew
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// One rank of a model
    Rank,
    /// One end of a measured link
    Fabric,
    /// One rank of a measured group
    Collective,
}

impl Args {
    /// A rank ends when whoever started it lets go of its standard input.
    pub fn ends_with_parent(&self) -> bool {
        matches!(self.what, What::Rank)
    }
}

pub fn run(args: Args) -> Result<()> {
    match args.what {
        What::Rank => Ok(tandem_ranks::work_with(&super::run::devices(), tandem_runtime::grammars_at)?),
        What::Fabric => Ok(tandem_fabric::bench::worker()?),
        What::Collective => Ok(tandem_collectives::bench::worker()?),
    }
}

/// Starts this binary again as a worker of the given kind.
pub fn command(kind: &'static str) -> Result<impl Fn() -> Command> {
    let program = std::env::current_exe().context("cannot find this program to start it again")?;
    Ok(move || {
        let mut command = Command::new(&program);
        command.args(["worker", kind]);
        command
    })
}
