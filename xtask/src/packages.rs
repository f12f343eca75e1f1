//! System packages: found, else installed with the system's own package manager, else named as missing.

use std::path::Path;

use crate::shell::{command, in_path, output, run, run_fetching};

/// A package counts as present when `proof` is a program in PATH, an existing absolute path, or a command that succeeds.
pub struct Package {
    pub proof: &'static str,
    pub debian: &'static str,
    pub brew: Option<&'static str>,
}

pub const CMAKE: Package = Package { proof: "cmake", debian: "cmake", brew: Some("cmake") };
pub const CXX: Package = Package { proof: "c++", debian: "g++", brew: None };
pub const PYTHON: Package = Package {
    // Debian's Python comes without what makes environments.
    proof: "python3 -m ensurepip --version",
    debian: "python3-venv",
    brew: Some("python@3.11"),
};
pub const ARM64_GCC: Package =
    Package { proof: "aarch64-linux-gnu-gcc", debian: "gcc-aarch64-linux-gnu", brew: None };
pub const ARM64_LIBC: Package =
    Package { proof: "/usr/aarch64-linux-gnu/lib/libc.so.6", debian: "libc6-dev-arm64-cross", brew: None };
pub const QEMU_USER: Package =
    Package { proof: "qemu-aarch64-static", debian: "qemu-user-static", brew: None };
pub const QEMU_SYSTEM: Package =
    Package { proof: "qemu-system-x86_64", debian: "qemu-system-x86", brew: Some("qemu") };
/// The loader that programs reach Vulkan through.
pub const VULKAN: Package =
    Package { proof: "dpkg --listfiles libvulkan1", debian: "libvulkan1", brew: None };
/// Among Mesa's drivers is one that computes on the processor.
pub const MESA_VULKAN: Package =
    Package { proof: "dpkg --listfiles mesa-vulkan-drivers", debian: "mesa-vulkan-drivers", brew: None };
pub const VULKAN_VALIDATION: Package = Package {
    proof: "dpkg --listfiles vulkan-validationlayers",
    debian: "vulkan-validationlayers",
    brew: None,
};
/// The system's own description of RDMA verbs, which ours is compared with.
pub const VERBS: Package =
    Package { proof: "dpkg --listfiles libibverbs-dev", debian: "libibverbs-dev", brew: None };
pub const DEBOOTSTRAP: Package =
    Package { proof: "/usr/sbin/debootstrap", debian: "debootstrap", brew: None };
pub const CHROMIUM: Package = Package { proof: "/usr/bin/chromium", debian: "chromium", brew: None };
pub const NODE: Package = Package { proof: "node", debian: "nodejs", brew: Some("node") };
pub const NPM: Package = Package { proof: "npm", debian: "npm", brew: Some("node") };
pub const ZSH: Package = Package { proof: "zsh", debian: "zsh", brew: Some("zsh") };
pub const FISH: Package = Package { proof: "fish", debian: "fish", brew: Some("fish") };

/// Makes sure that all of `packages` are here; the error says which are not and what to type.
pub fn ensure(packages: &[&Package]) -> Result<(), String> {
    let missing: Vec<&Package> = packages.iter().copied().filter(|package| !present(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = |of: fn(&Package) -> Option<&'static str>| {
        missing.iter().filter_map(|package| of(package)).collect::<Vec<_>>().join(" ")
    };
    let debian = names(|package| Some(package.debian));
    let attempt = if in_path("apt-get") {
        apt_install(&debian)
    } else if in_path("brew") {
        run(&mut command(&format!("brew install {}", names(|package| package.brew))))
            .map_err(|e| e.to_string())
    } else {
        Err("no apt-get and no brew here".into())
    };
    let still: Vec<&str> = missing.iter().filter(|p| !present(p)).map(|p| p.debian).collect();
    if still.is_empty() {
        return Ok(());
    }
    let reason = attempt.err().unwrap_or_else(|| "the installation did not bring them".into());
    Err(format!("missing: {} ({reason}); install them by hand and try again", still.join(" ")))
}

fn apt_install(names: &str) -> Result<(), String> {
    let sudo = match output(&mut command("id -u")).as_deref().map(str::trim) {
        Ok("0") => "",
        _ if in_path("sudo") && output(&mut command("sudo -n true")).is_ok() => "sudo -n ",
        _ => return Err(format!("no right to install; as root: apt-get install {names}")),
    };
    // A fresh machine may be at its own installations, which hold the lock.
    let apt = format!("{sudo}apt-get -q -o Acquire::Retries=5 -o DPkg::Lock::Timeout=300");
    let install = format!("{apt} install -y --no-install-recommends {names}");
    // Package lists may be absent or stale on a fresh machine: update and try once more.
    run(command(&install).env("DEBIAN_FRONTEND", "noninteractive"))
        .or_else(|_| {
            run_fetching(&mut command(&format!("{apt} update")))?;
            run_fetching(command(&install).env("DEBIAN_FRONTEND", "noninteractive"))
        })
        .map_err(|error| error.to_string())
}

fn present(package: &Package) -> bool {
    match package.proof {
        path if path.starts_with('/') => Path::new(path).exists(),
        line if line.contains(' ') => output(&mut command(line)).is_ok(),
        program => in_path(program),
    }
}
