//! `tandem completions`: what a shell needs to complete our commands.

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;
use std::io::Write;

/// Write completions for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem completions bash > ~/.local/share/bash-completion/completions/tandem
  tandem completions zsh > \"${fpath[1]}/_tandem\"
  tandem completions fish > ~/.config/fish/completions/tandem.fish")]
pub struct Args {
    shell: Shell,
}

pub fn run(args: Args, mut line: Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut line, "tandem", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
