//! `tandem man`: the manual, made of the same words as `--help`.

use anyhow::{Context, Result};
use clap::Command;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Write manual pages
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem man | man -l -                            read the first page
  tandem man --to ~/.local/share/man/man1          write all, one for each command")]
pub struct Args {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

pub fn run(args: Args, line: Command) -> Result<()> {
    // `help` is a command too; a page about it tells nobody anything.
    let line = line.disable_help_subcommand(true);
    match args.to {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(line).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
        }
        Some(folder) => {
            fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
            clap_mangen::generate_to(line, &folder)
                .with_context(|| format!("cannot write the pages to {}", folder.display()))?;
        }
    }
    Ok(())
}
