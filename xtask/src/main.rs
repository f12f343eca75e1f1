//! Development tasks. `cargo xtask test` is the one command that sets up and runs every test.
//!
//! - [`steps`]: the list of test steps, each with what it needs and why it may be skipped
//! - [`Oracles`](oracles::Oracles): the pinned Python environment with the independent implementations
//! - [`arm64`]: the cross compiler that lets the NEON kernels run under qemu
//! - [`macos`]: the workspace, checked and linked for macOS with [`zig`]'s headers and [`apple_stubs`]
//! - [`release`]: archives and packages; [`install`]: from one of them to an answer, in a fresh system
//! - [`packages`]: system packages, installed where that is possible
//!
//! It knows nothing of what the crates do.

mod apple_stubs;
mod arm64;
mod bench;
mod clients;
mod install;
mod macos;
mod oracles;
mod packages;
mod page;
mod python;
mod python_package;
mod release;
mod schedulers;
mod shell;
mod steps;
mod unsafe_modules;
mod workspace;
mod zig;

use anyhow::{Result, bail};
use oracles::Oracles;
use workspace::Workspace;

const HELP: &str = "\
Development tasks

  cargo xtask test                 set up what is missing, then run every test
  cargo xtask test --list          name the steps
  cargo xtask test --only NAME     run one step (may be repeated)
  cargo xtask oracles              build the Python environment with llama.cpp and mlx-lm
  cargo xtask oracles --check      make the committed expectations anew and compare
  cargo xtask oracles --make NAME  write them anew: tiny or tiny/ONE, quantised, tokens, greedy, perplexity
  cargo xtask release [--target T] [--url U]   make archives, packages and checksums (several targets: long)
  cargo xtask bench-llama [...]    compare speed with llama.cpp in one interleaved run (--help for options)

Set TANDEM_CACHE to choose where downloads and builds are kept (default: the user's cache folder).";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let workspace = Workspace::locate()?;
    match arguments.as_slice() {
        ["test"] => steps::run(&workspace, &[]),
        ["test", "--list"] => {
            steps::list();
            Ok(())
        }
        ["test", rest @ ..] => steps::run(&workspace, &only(rest)?),
        ["oracles"] => {
            let oracles = Oracles::set_up(&workspace)?;
            println!("{}", oracles.python().display());
            Ok(())
        }
        ["oracles", "--check", names @ ..] => Oracles::set_up(&workspace)?.goldens("check", names),
        ["oracles", "--make", names @ ..] => Oracles::set_up(&workspace)?.goldens("make", names),
        ["release", rest @ ..] => release::release(&workspace, rest),
        ["bench-llama", rest @ ..] => bench::compare_with_llama(&workspace, rest),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        other => bail!("unknown task `{}`\n\n{HELP}", other.join(" ")),
    }
}

fn only<'a>(arguments: &[&'a str]) -> Result<Vec<&'a str>> {
    arguments
        .chunks(2)
        .map(|pair| match pair {
            ["--only", name] => Ok(*name),
            _ => bail!("found `{}`, expected `--only NAME`\n\n{HELP}", pair.join(" ")),
        })
        .collect()
}
