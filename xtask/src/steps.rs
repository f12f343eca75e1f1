//! The test steps, in the order they run.
//!
//! A step that lacks something first tries to get it ([`Step::prepare`]); where that is impossible it is skipped, and
//! the reason is printed at once and again at the end. A failed step does not stop the rest.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::oracles::Oracles;
use crate::packages::{self, FISH, MESA_VULKAN, QEMU_SYSTEM, VERBS, VULKAN, VULKAN_VALIDATION, ZSH};
use crate::shell::{command, output, run as execute, run_fetching, take_skipped};
use crate::workspace::Workspace;
use crate::{arm64, clients, install, macos, page, python_package, schedulers, unsafe_modules};

struct Step {
    name: &'static str,
    about: &'static str,
    /// Installs what the step needs; the error is the reason to skip it.
    prepare: fn(&Workspace) -> Result<(), String>,
    run: fn(&Workspace) -> Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "lock", about: "Cargo.lock is current", prepare: ready, run: lock },
    Step { name: "format", about: "rustfmt", prepare: rustfmt, run: format },
    Step {
        name: "unsafe",
        about: "unsafe only in the listed modules",
        prepare: ready,
        run: unsafe_modules::check,
    },
    Step { name: "clippy", about: "no warnings in any target", prepare: clippy, run: lint },
    Step {
        name: "macos",
        about: "type-checked, linted and linked for Apple silicon",
        prepare: macos::prerequisites,
        run: macos::check,
    },
    Step {
        name: "oracles",
        about: "llama.cpp and mlx-lm, built once",
        prepare: |_| Oracles::prerequisites(),
        run: oracles,
    },
    Step { name: "tests", about: "unit and integration tests", prepare: compared_with, run: tests },
    Step {
        name: "gpu",
        about: "every kernel against the reference, on Mesa's software Vulkan",
        prepare: vulkan,
        run: gpu,
    },
    Step { name: "doctests", about: "examples in the documentation", prepare: ready, run: doctests },
    Step {
        name: "goldens",
        about: "committed expectations but perplexity's, made anew",
        prepare: oracles_built,
        run: goldens,
    },
    Step {
        name: "perplexity",
        about: "every quantisation within 0.3% of llama.cpp",
        prepare: oracles_built,
        run: perplexity,
    },
    Step {
        name: "converted",
        about: "llama.cpp runs converted checkpoints, to the same logits",
        prepare: oracles_built,
        run: converted,
    },
    Step {
        name: "clients",
        about: "official SDKs and schemathesis against two local nodes",
        prepare: clients::prerequisites,
        run: clients::check,
    },
    Step {
        name: "page",
        about: "the dashboard, type-checked and used in Chromium",
        prepare: page::prerequisites,
        run: page::check,
    },
    Step {
        name: "python",
        about: "the Python package, by pytest and mypy",
        prepare: python_package::prerequisites,
        run: python_package::check,
    },
    Step {
        name: "install",
        about: "from an archive to an answer in a fresh Debian root",
        prepare: install::prerequisites,
        run: install::check,
    },
    Step {
        name: "schedulers",
        about: "the examples for Kubernetes and Slurm",
        prepare: schedulers::prerequisites,
        run: schedulers::check,
    },
    Step { name: "arm64", about: "NEON kernels under qemu", prepare: |_| arm64::prerequisites(), run: neon },
    Step { name: "rdma", about: "verbs links between virtual machines", prepare: rdma_guests, run: rdma },
    Step {
        name: "cluster",
        about: "the whole product between virtual machines: divided over verbs, a cable pulled, guests lost",
        prepare: cluster_guests,
        run: cluster,
    },
];

pub fn list() {
    for step in STEPS {
        println!("{:12} {}", step.name, step.about);
    }
}

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// Runs the steps named in `only`, or all.
pub fn run(workspace: &Workspace, only: &[&str]) -> Result<()> {
    for name in only {
        if !STEPS.iter().any(|step| step.name == *name) {
            let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            bail!("no step is called `{name}`; there are: {}", known.join(", "));
        }
    }
    let mut report = Vec::new();
    for step in STEPS.iter().filter(|step| only.is_empty() || only.contains(&step.name)) {
        println!("\n== {}: {}", step.name, step.about);
        let start = Instant::now();
        let outcome = match (step.prepare)(workspace) {
            Err(reason) => Outcome::Skipped(reason),
            Ok(()) => match (step.run)(workspace) {
                Ok(()) => Outcome::Passed,
                Err(error) => Outcome::Failed(format!("{error:#}")),
            },
        };
        let took = start.elapsed();
        match &outcome {
            Outcome::Passed => println!("== {} passed in {}", step.name, seconds(took)),
            Outcome::Failed(error) => {
                println!("== {} FAILED after {}: {}", step.name, seconds(took), first_line(error))
            }
            Outcome::Skipped(reason) => println!("== {} SKIPPED: {reason}", step.name),
        }
        report.push((step.name, outcome, took));
    }
    summarise(&report)
}

fn summarise(report: &[(&str, Outcome, Duration)]) -> Result<()> {
    println!("\n== summary");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, outcome, took) in report {
        match outcome {
            Outcome::Passed => {
                passed += 1;
                println!("passed   {name:12} {}", seconds(*took));
            }
            Outcome::Failed(error) => {
                failed += 1;
                println!("FAILED   {name:12} {} {}", seconds(*took), first_line(error));
            }
            Outcome::Skipped(reason) => {
                skipped += 1;
                println!("SKIPPED  {name:12} {}", first_line(reason));
            }
        }
    }
    // Where only the end of a long log is kept, the reasons are in it.
    for (name, outcome, _) in report {
        if let Outcome::Failed(error) = outcome {
            println!("\n== why {name} failed\n{}", error.trim_end());
        }
    }
    // Tests within a step that could not be run here.
    let tests = take_skipped();
    tests.iter().for_each(|test| println!("{test}"));
    println!(
        "\n{passed} passed, {failed} failed, {skipped} skipped; {} tests skipped within steps",
        tests.len()
    );
    if failed > 0 {
        // Everything has been said above; only the exit code is missing.
        std::process::exit(1);
    }
    Ok(())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

fn ready(_: &Workspace) -> Result<(), String> {
    Ok(())
}

fn cargo(workspace: &Workspace, line: &str) -> Command {
    let mut cargo = command(&format!("cargo {line}"));
    cargo.current_dir(&workspace.root);
    cargo
}

fn lock(workspace: &Workspace) -> Result<()> {
    output(&mut cargo(workspace, "metadata --locked --format-version 1")).map(|_| ())
}

fn component(name: &str) -> Result<(), String> {
    if output(&mut command(&format!("cargo {name} --version"))).is_ok() {
        return Ok(());
    }
    let package = if name == "fmt" { "rustfmt" } else { name };
    run_fetching(&mut command(&format!("rustup component add {package}")))
        .map_err(|error| format!("{package} is not installed and cannot be added: {error}"))
}

fn rustfmt(_: &Workspace) -> Result<(), String> {
    component("fmt")
}

fn format(workspace: &Workspace) -> Result<()> {
    execute(&mut cargo(workspace, "fmt --all --check"))
}

fn clippy(_: &Workspace) -> Result<(), String> {
    component("clippy")
}

fn lint(workspace: &Workspace) -> Result<()> {
    execute(&mut cargo(workspace, "clippy --locked --workspace --all-targets --quiet -- -D warnings"))
}

fn oracles(workspace: &Workspace) -> Result<()> {
    let oracles = Oracles::set_up(workspace)?;
    println!("{}", oracles.smollm2()?.display());
    Ok(())
}

/// Shells that completions are tried in, and a header. Without them, the tests name what they skipped.
fn compared_with(_: &Workspace) -> Result<(), String> {
    let system: &[&packages::Package] = if cfg!(target_os = "macos") { &[] } else { &[&VERBS] };
    packages::ensure(&[&[&ZSH, &FISH], system].concat()).unwrap_or_else(|reason| println!("{reason}"));
    Ok(())
}

fn tests(workspace: &Workspace) -> Result<()> {
    // Test binaries one after the other: many start processes or spin on every core. Some are programs of their own, since
    // they start themselves again as their workers. Without `--show-output`, nobody would see what a test skipped.
    let mut cargo =
        cargo(workspace, "test --locked --workspace --no-fail-fast --lib --bins --tests -- --show-output");
    match Oracles::existing(workspace) {
        Some(oracles) => drop(cargo.env("TANDEM_SMOLLM2", oracles.smollm2()?)),
        None => println!("the oracles are not built, so there is no SmolLM2 file: tests that need it fail"),
    }
    execute(&mut cargo)
}

/// A Mac has Metal; elsewhere Mesa's software driver stands in where there is no GPU.
fn vulkan(_: &Workspace) -> Result<(), String> {
    if cfg!(target_os = "macos") {
        Ok(())
    } else {
        packages::ensure(&[&VULKAN, &MESA_VULKAN, &VULKAN_VALIDATION])
    }
}

/// Those tests are marked as ignored, so that the step `tests` leaves them out. All are built with what that step built.
fn gpu(workspace: &Workspace) -> Result<()> {
    let line = "test --locked --workspace --no-fail-fast --test programs --test halves --test tiny_models \
                --test sharding --test pictures --test smollm2 --test gpu --test lasting -- --ignored --show-output";
    let mut cargo = cargo(workspace, line);
    cargo.env("TANDEM_SMOLLM2", Oracles::set_up(workspace)?.smollm2()?);
    execute(&mut cargo)?;
    let line = "test --locked --workspace --lib -- --ignored choices_are_decided";
    execute(&mut self::cargo(workspace, line))?;
    if cfg!(target_os = "macos") { Ok(()) } else { validated(workspace) }
}

/// Tests of how steps are submitted, again, with layers between Tandem and the driver that say what is done wrongly.
fn validated(workspace: &Workspace) -> Result<()> {
    let folder = workspace.target().join("validation");
    fs::create_dir_all(&folder)?;
    let said = folder.join("said.txt");
    let _ = fs::remove_file(&said);
    let settings = format!(
        "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n\
         khronos_validation.report_flags = error,warn\n\
         khronos_validation.log_filename = {}\n",
        said.display()
    );
    fs::write(folder.join("vk_layer_settings.txt"), settings)?;
    let line = "test --locked --workspace --test programs --test halves -- --ignored handing fed lost many_keys options two_halves";
    let mut cargo = cargo(workspace, line);
    cargo.env("VK_LAYER_SETTINGS_PATH", &folder).env("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
    execute(&mut cargo)?;
    let said = fs::read_to_string(&said).context("the validation layers wrote no file: were they loaded?")?;
    let said = without_message(&said, MISTAKEN);
    ensure!(said.trim().is_empty(), "Vulkan's validation layers say:\n{said}");
    Ok(())
}

/// Now and then the layers take what the host has signalled for still to come, and so the host's next signal for one too early. The
/// semaphore they mean is signalled by the host alone, and `Replay::let_through` asserts that its values grow.
const MISTAKEN: &str = "VUID-VkSemaphoreSignalInfo-value-03259";

/// What layers said, without one kind of message. Each begins at the beginning of a line, and goes on in lines that do not.
fn without_message(said: &str, kind: &str) -> String {
    let mut kept = String::new();
    let mut skips = false;
    for line in said.lines() {
        skips = if line.starts_with(char::is_whitespace) { skips } else { line.starts_with(kind) };
        if !skips {
            kept += line;
            kept.push('\n');
        }
    }
    kept
}

fn doctests(workspace: &Workspace) -> Result<()> {
    execute(&mut cargo(workspace, "test --locked --workspace --doc --quiet"))
}

fn oracles_built(workspace: &Workspace) -> Result<(), String> {
    Oracles::set_up(workspace).map(|_| ()).map_err(|error| format!("no oracles: {error:#}"))
}

fn goldens(workspace: &Workspace) -> Result<()> {
    // Perplexity's take llama.cpp ten minutes: `cargo xtask oracles --check` makes those anew too.
    Oracles::set_up(workspace)?.goldens("check", &["tiny", "quantised", "tokens", "greedy"])
}

fn perplexity(workspace: &Workspace) -> Result<()> {
    let oracles = Oracles::set_up(workspace)?;
    let mut script = oracles.script(workspace.root.join("oracles/compare_perplexity.py"));
    script.arg("--whole");
    script.arg("--tandem").arg(built_tandem(workspace)?);
    execute(script.arg("--smollm2").arg(oracles.smollm2()?).arg("--cache").arg(oracles.models()))
}

fn converted(workspace: &Workspace) -> Result<()> {
    let mut script = Oracles::set_up(workspace)?.script(workspace.root.join("oracles/compare_converted.py"));
    execute(script.arg("--tandem").arg(built_tandem(workspace)?))
}

/// As the tests built it: the kernels are optimised there too, and nothing is compiled twice.
fn built_tandem(workspace: &Workspace) -> Result<PathBuf> {
    workspace.build_tandem()?;
    Ok(workspace.target().join("debug/tandem"))
}

fn neon(workspace: &Workspace) -> Result<()> {
    // An emulated minute is long. These run the same kernels over more shapes, and ran on this machine's own processor.
    let long = ["any_number_of_threads", "a_prompt_in_chunks", "more_shapes"];
    println!("left out under emulation: {}", long.join(", "));
    arm64::test(workspace, &["tandem-tensor", "tandem-kernels-cpu"], &long)
}

/// `lab/build` ends with 77 where the guests cannot be made, and says why on its last line.
fn rdma_guests(workspace: &Workspace) -> Result<(), String> {
    packages::ensure(&[&QEMU_SYSTEM])?;
    let built = Command::new(workspace.root.join("lab/build")).output().map_err(|error| error.to_string())?;
    if built.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&built.stdout);
    Err(said.lines().last().unwrap_or("lab/build failed and said nothing").to_owned())
}

fn rdma(workspace: &Workspace) -> Result<()> {
    execute(Command::new(workspace.root.join("lab/run")).current_dir(&workspace.root))
}

fn cluster_guests(workspace: &Workspace) -> Result<(), String> {
    oracles_built(workspace)?;
    rdma_guests(workspace)
}

/// With reliable connections and a cable for each pair of guests; `lab/cluster` has more.
fn cluster(workspace: &Workspace) -> Result<()> {
    let mut lab = Command::new(workspace.root.join("lab/cluster"));
    lab.arg("rc").env("TANDEM", built_tandem(workspace)?);
    execute(lab.env("TANDEM_SMOLLM2", Oracles::set_up(workspace)?.smollm2()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kind_of_message_is_left_out() {
        let said = "VUID-a(ERROR): what\n    Objects: 1\nVUID-b(ERROR): other\n    Objects: 1\nVUID-a(ERROR): again\n    Objects: 1\n";
        assert_eq!(without_message(said, "VUID-a"), "VUID-b(ERROR): other\n    Objects: 1\n");
        assert_eq!(without_message(said, "VUID-c"), said);
    }
}
