//! The examples for Kubernetes and Slurm, run as far as that goes without either, in a network of their own.

use anyhow::Result;

use crate::oracles::Oracles;
use crate::packages::{self, PYTHON};
use crate::python;
use crate::shell::{command, output, run};
use crate::workspace::Workspace;

const PINS: &str = "kubernetes-validate==1.37.0\npyyaml";

pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    output(&mut command("unshare --net true"))
        .map_err(|error| format!("a network namespace cannot be made here: {error}"))?;
    packages::ensure(&[&PYTHON])?;
    Oracles::set_up(workspace).map_err(|error| format!("no SmolLM2 file: {error:#}"))?;
    let made = python::environment(workspace, "schedulers", PINS);
    made.map(|_| ()).map_err(|error| format!("no schema to compare with: {error:#}"))
}

pub fn check(workspace: &Workspace) -> Result<()> {
    workspace.build_tandem()?;
    let python = python::environment(workspace, "schedulers", PINS)?.join("bin/python");
    // Loopback is down in a new namespace.
    let mut script = command("unshare --net sh -c");
    script.arg("ip link set lo up && exec \"$0\" -B \"$@\"").arg(python);
    script.arg(workspace.root.join("packaging/check_schedulers.py"));
    script.arg("--tandem").arg(workspace.target().join("debug/tandem"));
    run(script.arg("--model").arg(Oracles::set_up(workspace)?.smollm2()?))
}
