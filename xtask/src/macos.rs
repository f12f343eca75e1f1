//! The whole workspace, type-checked and linted for macOS, on whatever machine.
//!
//! That shows types, signatures, `cfg` branches and constants of the system's libraries, not that anything runs.

use anyhow::Result;

use crate::shell::{command, run};
use crate::workspace::Workspace;
use crate::zig;

const TARGET: &str = "aarch64-apple-darwin";

pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    if cfg!(target_os = "macos") {
        return Err("this machine is a Mac: the ordinary steps did it".into());
    }
    zig::standard_library(TARGET)?;
    zig::prerequisites(workspace)
}

pub fn check(workspace: &Workspace) -> Result<()> {
    let mut cargo = command("cargo clippy --locked --workspace --all-targets --quiet --target");
    zig::surround(workspace, &mut cargo, TARGET)?;
    run(cargo.args([TARGET, "--", "-D", "warnings"]).current_dir(&workspace.root))
}
