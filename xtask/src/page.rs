//! The dashboard: type-checked, then used in a real browser.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::oracles::Oracles;
use crate::packages::{self, CHROMIUM, NODE, NPM};
use crate::shell::{command, run, run_fetching};
use crate::workspace::Workspace;

pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    packages::ensure(&[&CHROMIUM, &NODE, &NPM])?;
    Oracles::set_up(workspace).map_err(|error| format!("no SmolLM2 file: {error:#}"))?;
    modules(workspace).map(|_| ()).map_err(|error| format!("no modules: {error:#}"))
}

pub fn check(workspace: &Workspace) -> Result<()> {
    let (modules, page) = (modules(workspace)?, workspace.root.join("crates/dashboard"));
    run(Command::new(modules.join("node_modules/.bin/tsc")).arg("-p").arg(page.join("page")))?;
    workspace.build_tandem()?;
    let mut script = command("node");
    script.arg(page.join("browser/run.mjs")).arg("--modules").arg(&modules);
    script.arg("--tandem").arg(workspace.target().join("debug/tandem"));
    script.arg("--shots").arg(workspace.target().join("page-shots"));
    run(script.arg("--model").arg(Oracles::set_up(workspace)?.smollm2()?))
}

/// The type checker and what drives the browser, as pinned; where they lie.
fn modules(workspace: &Workspace) -> Result<PathBuf> {
    let pins = workspace.root.join("crates/dashboard/browser");
    let folder = workspace.cache.join("page");
    fs::create_dir_all(&folder)?;
    let lock = File::create(folder.with_extension("lock"))?;
    lock.lock()?;
    let pinned = fs::read_to_string(pins.join("package-lock.json"))?;
    let complete = folder.join("made-for");
    if fs::read_to_string(&complete).is_ok_and(|before| before == pinned) {
        return Ok(folder);
    }
    for name in ["package.json", "package-lock.json"] {
        fs::copy(pins.join(name), folder.join(name))?;
    }
    run_fetching(command("npm ci --ignore-scripts --no-audit --no-fund").current_dir(&folder))?;
    fs::write(&complete, pinned)?;
    Ok(folder)
}
