//! The Python environment with the clients that people use, and the scripts that drive them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::oracles::Oracles;
use crate::packages::{self, PYTHON};
use crate::python;
use crate::shell::run;
use crate::workspace::Workspace;

/// What the environment cannot be made without.
pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    packages::ensure(&[&PYTHON])?;
    Oracles::set_up(workspace).map_err(|error| format!("no SmolLM2 file: {error:#}"))?;
    environment(workspace).map(|_| ()).map_err(|error| format!("no clients: {error:#}"))
}

/// The official clients, and then whatever a machine thinks of, against a cluster of two local nodes.
pub fn check(workspace: &Workspace) -> Result<()> {
    let python = environment(workspace)?;
    workspace.build_tandem()?;
    let (scripts, model) = (workspace.root.join("clients"), Oracles::set_up(workspace)?.smollm2()?);
    for script in ["check_sdks.py", "check_schema.py"] {
        let mut check = Command::new(&python);
        check
            .arg("-B")
            .arg(scripts.join(script))
            .arg("--tandem")
            .arg(workspace.target().join("debug/tandem"));
        run(check.arg("--model").arg(&model))?;
    }
    Ok(())
}

/// The Python of the environment that has them.
fn environment(workspace: &Workspace) -> Result<PathBuf> {
    let pins = fs::read_to_string(workspace.root.join("clients/requirements.txt"))?;
    Ok(python::environment(workspace, "clients", &pins)?.join("bin/python"))
}
