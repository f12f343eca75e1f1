//! What Linux tells of a machine.

use crate::{Finding, System, gigabytes};

pub fn examine(system: &dyn System) -> Vec<Finding> {
    let mut findings = vec![memory(system), memlock(system), huge_pages(system), clock(system)];
    findings.extend(governor(system));
    findings.extend(limits(system));
    findings.extend(mtu(system));
    findings.extend(rdma(system));
    findings.extend(vulkan(system));
    findings
}

fn memory(system: &dyn System) -> Finding {
    let why = "a model's weights and cache must fit into what is free";
    let told = system.file("/proc/meminfo").unwrap_or_default();
    let bytes = |name: &str| -> Option<u64> {
        let line = told.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    };
    let (Some(all), Some(free)) = (bytes("MemTotal:"), bytes("MemAvailable:")) else {
        return Finding::plain("memory", "the kernel does not tell what is free", why);
    };
    let found = format!("{} of {} free", gigabytes(free), gigabytes(all));
    if free < all / 10 {
        return Finding::bad("memory", found, why)
            .mend("`tandem ps` shows what models take; `ps aux --sort -rss` who else does");
    }
    Finding::good("memory", found, why)
}

/// Less than this and not even a link's buffers can be pinned.
const MEMLOCK_MIN_BYTES: u64 = 1 << 20;
/// What RDMA links of one node pin, with room.
const MEMLOCK_RDMA_BYTES: u64 = 1 << 30;

fn memlock(system: &dyn System) -> Finding {
    let why = "RDMA writes straight into memory that must not move: what may be locked limits its buffers";
    let told = system.file("/proc/self/limits").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("Max locked memory"));
    let Some(soft) = line.and_then(|line| line.split_whitespace().next()) else {
        return Finding::plain("memlock", "the kernel does not tell how much may be locked", why);
    };
    let Ok(bytes) = soft.parse::<u64>() else {
        return Finding::good("memlock", "any amount may be locked", why);
    };
    let found = format!("{} may be locked", gigabytes(bytes));
    let has_rdma = !system.folder("/sys/class/infiniband").is_empty();
    if bytes < MEMLOCK_MIN_BYTES || (has_rdma && bytes < MEMLOCK_RDMA_BYTES) {
        return Finding::bad("memlock", found, why)
            .mend("`ulimit -l unlimited`, LimitMEMLOCK=infinity in a service, `--ulimit memlock=-1` for a container");
    }
    Finding::good("memlock", found, why)
}

fn huge_pages(system: &dyn System) -> Finding {
    let why = "weights are packed into huge pages: without them a core reads memory at about two thirds of its speed";
    match system.file("/sys/kernel/mm/transparent_hugepage/enabled") {
        Some(told) if told.contains("[never]") => {
            Finding::bad("hugepages", "transparent huge pages are off", why)
                .mend("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled")
        }
        Some(told) => {
            let mode = told.split(['[', ']']).nth(1).unwrap_or("on").to_owned();
            Finding::good("hugepages", format!("transparent huge pages: {mode}"), why)
        }
        None => Finding::plain("hugepages", "this kernel does not tell of transparent huge pages", why),
    }
}

fn clock(system: &dyn System) -> Finding {
    let why = "join tokens expire by the clock, and logs of several nodes are read together";
    match system.run("timedatectl", &["show", "-p", "NTPSynchronized", "--value"]).as_deref().map(str::trim) {
        Some("yes") => Finding::good("clock", "the clock is synchronised", why),
        Some("no") => Finding::plain("clock", "the clock is not synchronised", why)
            .mend("sudo timedatectl set-ntp true"),
        _ => Finding::plain("clock", "nothing tells whether the clock is synchronised", why),
    }
}

fn governor(system: &dyn System) -> Option<Finding> {
    let why = "a core that is told to save power computes at a fraction of its speed";
    let folder = "/sys/devices/system/cpu/cpu0/cpufreq";
    let governor = system.file(&format!("{folder}/scaling_governor"))?;
    let driver = system.file(&format!("{folder}/scaling_driver")).unwrap_or_default();
    // Drivers that set frequencies themselves call their ordinary mode `powersave`.
    let own = driver.contains("pstate") || driver.contains("epp");
    if governor == "powersave" && !own {
        let found = format!("the governor of cpu0 is powersave ({driver})");
        return Some(Finding::bad("governor", found, why).mend("sudo cpupower frequency-set -g performance"));
    }
    Some(Finding::good("governor", format!("the governor of cpu0 is {governor}"), why))
}

/// What a container or service may use, where that is less than the machine has.
fn limits(system: &dyn System) -> Vec<Finding> {
    let why = "in a container or service less than the machine can be used";
    let own = system.file("/proc/self/cgroup").unwrap_or_default();
    let path =
        own.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/").trim_end_matches('/').to_owned();
    let read = |name: &str| system.file(&format!("/sys/fs/cgroup{path}/{name}"));
    let mut findings = Vec::new();
    if let Some(bytes) = read("memory.max").and_then(|text| text.parse::<u64>().ok()) {
        findings.push(Finding::plain(
            "limits",
            format!("at most {} of memory may be used here", gigabytes(bytes)),
            why,
        ));
    }
    if let Some(told) = read("cpu.max")
        && let Some((quota, period)) = told.split_once(' ')
        && let (Ok(quota), Ok(period)) = (quota.parse::<f64>(), period.parse::<f64>())
    {
        findings.push(Finding::plain(
            "limits",
            format!("at most {:.1} cores may be used here", quota / period),
            why,
        ));
    }
    findings
}

/// IPv6 cannot go below 1280, and Ethernet has 1500.
const MTU_MIN: u32 = 1400;

fn mtu(system: &dyn System) -> Vec<Finding> {
    let why = "small frames cost a link most of its rate, and one end that sends larger ones than the other takes stalls it";
    let mut findings = Vec::new();
    for name in system.folder("/sys/class/net") {
        let read = |file: &str| system.file(&format!("/sys/class/net/{name}/{file}"));
        // Loopback, tunnels and what is down say nothing about cables.
        let tunnel = ["lo", "tun", "tap", "wg", "tailscale", "docker", "br-", "virbr"]
            .iter()
            .any(|kind| name.starts_with(kind));
        if tunnel || read("operstate").as_deref() == Some("down") {
            continue;
        }
        let Some(mtu) = read("mtu").and_then(|text| text.parse::<u32>().ok()) else { continue };
        let found = format!("{name} sends frames of at most {mtu} bytes");
        findings.push(if mtu < MTU_MIN {
            Finding::bad("mtu", found, why).mend(format!("sudo ip link set dev {name} mtu 1500"))
        } else {
            Finding::good("mtu", found, why)
        });
    }
    findings
}

fn rdma(system: &dyn System) -> Vec<Finding> {
    let why = "RDMA links have a tenth of TCP's round trip";
    let devices = system.folder("/sys/class/infiniband");
    if devices.is_empty() {
        return vec![Finding::plain("rdma", "no RDMA device: links use TCP", why)];
    }
    let mut findings = Vec::new();
    if system.folder("/dev/infiniband").iter().all(|name| !name.starts_with("uverbs")) {
        let found = format!("{} is here, but no /dev/infiniband/uverbs*", devices.join(", "));
        findings.push(
            Finding::bad("rdma", found, why)
                .mend("sudo modprobe ib_uverbs; in a container: --device /dev/infiniband"),
        );
    }
    for device in devices {
        for port in system.folder(&format!("/sys/class/infiniband/{device}/ports")) {
            let state = system
                .file(&format!("/sys/class/infiniband/{device}/ports/{port}/state"))
                .unwrap_or_default();
            let rate =
                system.file(&format!("/sys/class/infiniband/{device}/ports/{port}/rate")).unwrap_or_default();
            findings.push(match state.contains("ACTIVE") {
                true => Finding::good("rdma", format!("{device} port {port} is active, {rate}"), why),
                false => Finding::bad("rdma", format!("{device} port {port} is {state}"), why)
                    .mend("look at the cable and the port's partner; `rdma link` shows the network interface behind it"),
            });
        }
    }
    findings
}

fn vulkan(system: &dyn System) -> Option<Finding> {
    let why = "a graphics device computes only with a driver for it";
    let nodes: Vec<_> =
        system.folder("/dev/dri").into_iter().filter(|name| name.starts_with("renderD")).collect();
    if nodes.is_empty() {
        return None;
    }
    let drivers: Vec<_> = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .iter()
        .flat_map(|folder| system.folder(folder))
        // Draws with the processor: of no use here.
        .filter(|name| !name.starts_with("lvp_"))
        .collect();
    Some(match drivers.is_empty() {
        true => Finding::plain("vulkan", format!("{} is here, but no Vulkan driver", nodes.join(", ")), why)
            .mend("sudo apt-get install mesa-vulkan-drivers, or the vendor's driver"),
        false => Finding::good("vulkan", format!("Vulkan drivers: {}", drivers.join(", ")), why),
    })
}
