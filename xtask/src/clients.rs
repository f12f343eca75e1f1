//! The Python environment with the clients that people use, and the scripts that drive them.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::oracles::Oracles;
use crate::packages::{self, PYTHON};
use crate::shell::{command, output, run, run_fetching};
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
    run(command("cargo build --locked -p tandem").current_dir(&workspace.root))?;
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

/// Makes the environment unless it is there; its Python.
fn environment(workspace: &Workspace) -> Result<PathBuf> {
    let pins = workspace.root.join("clients/requirements.txt");
    let version = output(&mut command("python3 --version"))?;
    let made_for = format!("{version}{}", fs::read_to_string(&pins)?);
    let folder = workspace.cache.join("clients");
    let python = folder.join("bin/python");
    let complete = folder.join("made-for");
    fs::create_dir_all(&workspace.cache)?;
    let lock = File::create(folder.with_extension("lock"))?;
    lock.lock()?;
    if fs::read_to_string(&complete).is_ok_and(|before| before == made_for) {
        return Ok(python);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    run(command("python3 -m venv").arg(&folder))?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "-q", "--retries", "10", "--timeout", "60"]);
    run_fetching(pip.args(["install", "-r"]).arg(&pins))?;
    fs::write(&complete, made_for)?;
    Ok(python)
}
