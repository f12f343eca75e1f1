//! Python environments of pinned packages, each made once.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::shell::{command, output, run, run_fetching};
use crate::workspace::Workspace;

/// Makes the environment of that name unless it is there with these pins; its folder.
pub fn environment(workspace: &Workspace, name: &str, pins: &str) -> Result<PathBuf> {
    let version = output(&mut command("python3 --version"))?;
    let made_for = format!("{version}{pins}");
    let folder = workspace.cache.join(name);
    let complete = folder.join("made-for");
    fs::create_dir_all(&workspace.cache)?;
    let lock = File::create(folder.with_extension("lock"))?;
    lock.lock()?;
    if fs::read_to_string(&complete).is_ok_and(|before| before == made_for) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    run(command("python3 -m venv").arg(&folder))?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "--disable-pip-version-check", "-q", "--retries", "10", "--timeout", "60"]);
    run_fetching(pip.arg("install").args(pins.lines()))?;
    fs::write(&complete, made_for)?;
    Ok(folder)
}
