//! From an archive to an answer in a fresh Debian root, entered in namespaces.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::oracles::Oracles;
use crate::packages::{self, DEBOOTSTRAP};
use crate::release::{self, Built};
use crate::shell::{command, in_path, output, run, run_fetching};
use crate::workspace::Workspace;

pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    if !cfg!(target_os = "linux") || !in_path("apt-get") {
        return Err("a Debian root is made and entered only on Debian".into());
    }
    if output(&mut command("id -u")).ok().as_deref().map(str::trim) != Some("0") {
        return Err("a root file system is made and entered only by root".into());
    }
    output(&mut command("unshare --mount --pid --fork --net true"))
        .map_err(|error| format!("namespaces cannot be made here: {error}"))?;
    packages::ensure(&[&DEBOOTSTRAP])?;
    Oracles::set_up(workspace).map_err(|error| format!("no SmolLM2 file: {error:#}"))?;
    debian_root(workspace).map(|_| ()).map_err(|error| format!("no Debian root: {error:#}"))
}

pub fn check(workspace: &Workspace) -> Result<()> {
    // As the tests built it, so that nothing is compiled twice: `release` builds the same for others.
    workspace.build_tandem()?;
    let files = workspace.target().join("install-files");
    fs::create_dir_all(&files)?;
    let program = workspace.target().join("install-tandem");
    run(command("strip -o").arg(&program).arg(workspace.target().join("debug/tandem")))?;
    let target = if cfg!(target_arch = "aarch64") { "aarch64" } else { "x86_64" };
    let target = format!("{target}-unknown-linux-gnu");
    let built = [Built { target: &target, program: program.clone() }];
    release::make(workspace, &files, &built, &program, "")?;
    let mut script = Command::new("timeout");
    script.arg("300").arg(workspace.root.join("packaging/try-install")).arg(debian_root(workspace)?);
    run(script.arg(&files).arg(Oracles::set_up(workspace)?.smollm2()?))
}

/// A small Debian of the release that runs here, made once.
fn debian_root(workspace: &Workspace) -> Result<PathBuf> {
    let release = output(command("sh -c").arg(". /etc/os-release; echo $VERSION_CODENAME"))?;
    let root = workspace.cache.join(format!("debian-{}", release.trim()));
    if root.join("complete").exists() {
        return Ok(root);
    }
    let work = root.with_extension("work");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let mut make = command("debootstrap --variant=minbase --include=ca-certificates,curl");
    run_fetching(make.arg(release.trim()).arg(&work))?;
    fs::write(work.join("complete"), "")?;
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    fs::rename(&work, &root)?;
    Ok(root)
}
