//! The comparison with llama.cpp: builds both sides, then hands over to `bench/compare_llama.py`.

use std::fs;

use anyhow::Result;

use crate::oracles::Oracles;
use crate::shell::{command, run};
use crate::workspace::Workspace;

pub fn compare_with_llama(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    let oracles = Oracles::set_up(workspace)?;
    let packages = oracles.packages()?;
    let libraries = packages.join("llama_cpp/lib");
    let out = workspace.root.join("bench/out");
    fs::create_dir_all(&out)?;
    let probe = out.join("llama_probe");
    run(command("cc -O2 -Wall -Wextra -o")
        .arg(&probe)
        .arg(workspace.root.join("bench/llama_probe.c"))
        .arg("-I")
        .arg(packages.join("include"))
        .arg("-L")
        .arg(&libraries)
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .args(["-lllama", "-lggml", "-lggml-base", "-lggml-cpu"]))?;
    run(command("cargo build --locked --release -p tandem").current_dir(&workspace.root))?;
    let mut script = oracles.script(workspace.root.join("bench/compare_llama.py"));
    script.arg("--tandem").arg(workspace.target().join("release/tandem")).arg("--llama").arg(&probe);
    script.arg("--smollm2").arg(oracles.smollm2()?).arg("--models").arg(oracles.models());
    run(script.arg("--out").arg(&out).args(arguments))
}
