//! The Python package: built into an environment of its own, tested by pytest, its types checked by mypy.

use std::process::Command;

use anyhow::Result;

use crate::oracles::Oracles;
use crate::packages::{self, PYTHON};
use crate::python;
use crate::shell::{command, output, run};
use crate::workspace::Workspace;

const PINS: &str = "maturin==1.16.0\nnumpy>=1.24\npytest>=8\nmypy>=1.11";

pub fn prerequisites(workspace: &Workspace) -> Result<(), String> {
    packages::ensure(&[&PYTHON])?;
    let recent = "import sys; sys.exit(sys.version_info < (3, 11))";
    output(command("python3 -c").arg(recent)).map_err(|_| "Python is older than 3.11".to_owned())?;
    Oracles::set_up(workspace).map_err(|error| format!("no SmolLM2 file: {error:#}"))?;
    let made = python::environment(workspace, "python-package", PINS);
    made.map(|_| ()).map_err(|error| format!("no environment: {error:#}"))
}

pub fn check(workspace: &Workspace) -> Result<()> {
    workspace.build_tandem()?;
    let environment = python::environment(workspace, "python-package", PINS)?;
    let (programs, package) = (environment.join("bin"), workspace.root.join("python"));
    // Not optimised further than the tests are: what they built is used again.
    let mut maturin = Command::new(programs.join("maturin"));
    maturin.args(["develop", "--locked", "--skip-install"]).env("VIRTUAL_ENV", &environment);
    maturin.env_remove("CONDA_PREFIX");
    run(maturin.current_dir(&package))?;
    let python = || {
        let mut python = Command::new(programs.join("python"));
        python.current_dir(&package).env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", &package);
        python
    };
    run(python().args(["-m", "mypy", "--strict", "--cache-dir=/dev/null", "tandem"]))?;
    let mut pytest = python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.env("TANDEM_PROGRAM", workspace.target().join("debug/tandem"));
    run(pytest.env("TANDEM_SMOLLM2", Oracles::set_up(workspace)?.smollm2()?))
}
