//! The whole workspace, type-checked and linted for macOS, and the program linked, on whatever machine.
//!
//! That shows types, signatures, `cfg` branches, constants of the system's libraries and linkage, not that anything runs.

use std::path::Path;

use anyhow::Result;

use crate::shell::{command, run};
use crate::workspace::Workspace;
use crate::zig;

pub const TARGET: &str = "aarch64-apple-darwin";

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
    run(cargo.args([TARGET, "--", "-D", "warnings"]).current_dir(&workspace.root))?;
    link(workspace)
}

/// As quickly as it can be: nobody runs the result.
fn link(workspace: &Workspace) -> Result<()> {
    let mut cargo = command("cargo build --locked -p tandem --target");
    zig::surround(workspace, &mut cargo, TARGET)?;
    cargo.arg(TARGET);
    for part in [
        "",
        "package.'*'.",
        "package.tandem-tensor.",
        "package.tandem-kernels-cpu.",
        "package.tandem-cluster.",
    ] {
        cargo.arg("--config").arg(format!("profile.dev.{part}opt-level=0"));
    }
    cargo.args(["--config", "profile.dev.debug='none'"]);
    run(cargo.current_dir(&workspace.root))?;
    check_program(workspace, &workspace.target().join(TARGET).join("debug/tandem"))
}

/// Whether a Mac would load it.
pub fn check_program(workspace: &Workspace, program: &Path) -> Result<()> {
    run(command("python3").arg(workspace.root.join("packaging/check_mach_o.py")).arg(program))
}
