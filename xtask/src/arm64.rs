//! Runs tests compiled for 64-bit ARM under qemu, so that the NEON kernels are tested on an x86-64 machine.
//!
//! The compiler is Debian's own, unpacked into the cache folder: it has a standard library for arm64, and nothing
//! of it is installed. Speed under qemu means nothing; correctness does.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::packages::{self, ARM64_GCC, ARM64_LIBC, QEMU_USER};
use crate::shell::{command, in_path, output, run, run_fetching};
use crate::workspace::Workspace;

const TARGET: &str = "aarch64-unknown-linux-gnu";

pub fn prerequisites() -> Result<(), String> {
    if cfg!(target_arch = "aarch64") {
        return Err("this machine is arm64: the ordinary tests already ran these kernels".into());
    }
    if !in_path("dpkg-deb") || !in_path("apt-get") {
        return Err("the cross compiler comes from Debian's packages, and there is no apt-get here".into());
    }
    packages::ensure(&[&ARM64_GCC, &ARM64_LIBC, &QEMU_USER])
}

/// Runs the packages' tests, but those whose names begin as in `skip`.
pub fn test(workspace: &Workspace, packages: &[&str], skip: &[&str]) -> Result<()> {
    let rustc = compiler(workspace)?;
    let mut cargo = command("cargo test --locked --lib --tests");
    for package in packages {
        cargo.args(["-p", package]);
    }
    cargo.args(["--target", TARGET, "--"]);
    for name in skip {
        cargo.args(["--skip", name]);
    }
    run(cargo
        .current_dir(&workspace.root)
        .env("RUSTC", rustc)
        .env("CARGO_TARGET_DIR", workspace.target().join("arm64"))
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc")
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
            "qemu-aarch64-static -L /usr/aarch64-linux-gnu",
        ))
}

/// A script that calls the unpacked compiler; downloads it the first time.
fn compiler(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.cache.join("arm64");
    let wrapper = folder.join("rustc");
    if wrapper.exists() && output(Command::new(&wrapper).arg("-vV")).is_ok() {
        return Ok(wrapper);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("lists/partial"))?;

    // Package lists of both architectures in a folder of our own: the system's settings stay as they are.
    let apt = |action: &str| {
        let mut apt = command(
            "apt-get -q -o Acquire::Retries=5 -o APT::Architectures::=amd64 -o APT::Architectures::=arm64",
        );
        apt.args(["-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o"]);
        apt.arg(format!("Dir::State::lists={}", folder.join("lists").display()));
        apt.current_dir(&folder).arg(action);
        apt
    };
    run_fetching(&mut apt("update"))?;
    // The versioned libraries are found through what depends on them.
    let named = |in_package: &str, prefix: &str| {
        let mut show = command("apt-cache -o APT::Architectures::=amd64");
        show.args(["-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o"]);
        show.arg(format!("Dir::State::lists={}", folder.join("lists").display()));
        let description = output(show.args(["show", "--no-all-versions", in_package]))?;
        let versioned = |word: &&str| {
            word.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let found = description.split([' ', ',', '\n']).find(versioned).map(str::to_owned);
        found.with_context(|| format!("{in_package} names no {prefix}VERSION"))
    };
    let library = named("libstd-rust-web-dev", "libstd-rust-web-")?;
    let llvm = named(&library, "libllvm")?;
    run_fetching(apt("download").args([
        "rustc-web",
        "libstd-rust-web-dev",
        "libstd-rust-web-dev:arm64",
        &library,
        &llvm,
    ]))?;

    let root = folder.join("root");
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            run(command("dpkg-deb -x").arg(&path).arg(&root))?;
            fs::remove_file(path)?;
        }
    }
    let usr = root.join("usr");
    let usr = usr.display();
    let script = format!(
        "#!/bin/sh\nLD_LIBRARY_PATH={usr}/lib/x86_64-linux-gnu:{usr}/lib exec {usr}/bin/rustc --sysroot {usr} \"$@\"\n"
    );
    fs::write(&wrapper, script)?;
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755))?;
    Ok(wrapper)
}
