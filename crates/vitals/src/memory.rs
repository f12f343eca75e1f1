//! Memory: all there is, what is taken, and what a GPU may have of it.

use std::path::Path;

/// What tells macOS to let the GPU keep as much of so much memory as leaves the rest of the system enough; until the next start.
pub fn wired_limit_command(all_bytes: u64) -> String {
    format!("sudo sysctl iogpu.wired_limit_mb={}", wired_limit_mb_max(all_bytes))
}

/// How much that is.
pub fn wired_limit_mb_max(all_bytes: u64) -> u64 {
    (all_bytes >> 20) / 100 * 92
}

/// In bytes: all, and what cannot be had at once.
#[cfg(not(target_os = "macos"))]
pub fn read(root: &Path) -> Option<(u64, u64)> {
    let told = std::fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let kib = |name: &str| -> Option<u64> {
        let line = told.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    let (all, free) = (kib("MemTotal:")? * 1024, kib("MemAvailable:")? * 1024);
    Some((all, all.saturating_sub(free)))
}

#[cfg(target_os = "macos")]
pub fn read(_: &Path) -> Option<(u64, u64)> {
    let said = |program: &str, arguments: &[&str]| {
        let output = std::process::Command::new(program).args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()
    };
    let all = said("sysctl", &["-n", "hw.memsize"])?.trim().parse().ok()?;
    Some((all, used_of_vm_stat(&said("vm_stat", &[])?)?))
}

/// What Activity Monitor calls used: active, wired and compressed pages.
#[cfg(any(target_os = "macos", test))]
pub fn used_of_vm_stat(told: &str) -> Option<u64> {
    let page: u64 = told.split("page size of ").nth(1)?.split(' ').next()?.parse().ok()?;
    let pages = |name: &str| -> Option<u64> {
        let line = told.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().trim_end_matches('.').parse().ok()
    };
    let used = pages("Pages active")? + pages("Pages wired down")? + pages("Pages occupied by compressor")?;
    Some(used * page)
}
