//! What macOS tells of a machine. The outputs its parsers were made for are in `recorded/`, each with its source.

use crate::{Finding, System};

pub fn examine(system: &dyn System) -> Vec<Finding> {
    let run = |program: &str, arguments: &[&str]| system.run(program, arguments).unwrap_or_default();
    let ports = thunderbolt_ports(&run("system_profiler", &["SPThunderboltDataType"]));
    let devices = rdma_devices(&run("ibv_devices", &[]));
    let mut findings = vec![version(&run("sw_vers", &["-productVersion"]))];
    findings.push(rdma(run("rdma_ctl", &["status"]).trim(), &ports, &devices));
    findings.extend(cables(&ports));
    findings.extend(bridge(&run("ifconfig", &["bridge0"])));
    findings.push(wired(&run("sysctl", &["iogpu.wired_limit_mb", "hw.memsize"])));
    findings.push(sleep(&run("pmset", &["-g"])));
    findings.extend(firewall(&run("/usr/libexec/ApplicationFirewall/socketfilterfw", &["--getglobalstate"])));
    findings.push(app_nap(run("defaults", &["read", "NSGlobalDomain", "NSAppSleepDisabled"]).trim()));
    findings
}

const RDMA_SINCE: (u32, u32) = (26, 2);

fn version(told: &str) -> Finding {
    let why = "RDMA over Thunderbolt came with macOS 26.2, and all nodes should run the same version";
    let mut numbers = told.trim().split('.').filter_map(|part| part.parse::<u32>().ok());
    let Some(major) = numbers.next() else {
        return Finding::plain("macos", "`sw_vers` does not tell the version", why);
    };
    let found = format!("macOS {}", told.trim());
    if (major, numbers.next().unwrap_or(0)) < RDMA_SINCE {
        return Finding::plain("macos", found, why).mend("System Settings, General, Software Update");
    }
    Finding::good("macos", found, why)
}

/// One Thunderbolt receptacle.
#[derive(Debug, PartialEq)]
pub struct Port {
    pub receptacle: String,
    pub connected: bool,
    /// Of the cable where one is plugged in, of the port at most where not.
    pub gigabits_per_s: u32,
    pub partner: Option<String>,
}

/// From `system_profiler SPThunderboltDataType`.
pub fn thunderbolt_ports(told: &str) -> Vec<Port> {
    let mut ports = Vec::new();
    for bus in told.split("Thunderbolt/USB4 Bus").skip(1) {
        let value = |name: &str| {
            bus.lines().find_map(|line| line.trim().strip_prefix(name)).map(|text| text.trim().to_owned())
        };
        let (Some(receptacle), Some(speed)) = (value("Receptacle:"), value("Speed:")) else { continue };
        let connected = value("Status:").is_some_and(|status| status == "Device connected");
        let gigabits_per_s = speed.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(0);
        // What is plugged in stands indented behind the port, as a heading of its own.
        let after = bus.split("Micro Firmware Version:").nth(1).unwrap_or_default();
        let heading = |line: &&str| line.trim().ends_with(':') && line.trim().len() > 1;
        let partner =
            after.lines().skip(1).find(heading).map(|line| line.trim().trim_end_matches(':').to_owned());
        ports.push(Port { receptacle, connected, gigabits_per_s, partner: partner.filter(|_| connected) });
    }
    ports
}

/// From `ibv_devices`: a table below two lines of heading.
pub fn rdma_devices(told: &str) -> Vec<String> {
    told.lines().skip(2).filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn rdma(status: &str, ports: &[Port], devices: &[String]) -> Finding {
    let why = "RDMA over Thunderbolt 5 has a tenth of TCP's round trip, which is what makes several Macs faster than one";
    let fifth = ports.iter().any(|port| port.gigabits_per_s >= 80);
    match (status, fifth, devices.is_empty()) {
        ("enabled", _, false) => Finding::good("rdma", format!("enabled: {}", devices.join(", ")), why),
        ("enabled", false, true) | ("disabled", false, _) => {
            Finding::plain("rdma", "this Mac has no Thunderbolt 5: links use TCP over Thunderbolt", why)
        }
        ("enabled", true, true) => Finding::bad("rdma", "enabled, but `ibv_devices` lists none", why)
            .mend("restart this Mac; it must run the same version of macOS as the others"),
        ("disabled", true, _) => Finding::bad("rdma", "RDMA is off", why)
            .mend("start this Mac in Recovery, open Terminal there, and type: rdma_ctl enable"),
        _ => Finding::plain("rdma", "`rdma_ctl` is not here: links use TCP", why),
    }
}

/// A cable that carries less than the port can.
fn cables(ports: &[Port]) -> Vec<Finding> {
    let why =
        "a cable that falls back carries half of what Thunderbolt 5 does, and RDMA may be refused on it";
    let most = ports.iter().map(|port| port.gigabits_per_s).max().unwrap_or(0);
    let plugged = ports.iter().filter(|port| port.connected);
    plugged
        .map(|port| {
            let partner = port.partner.as_deref().unwrap_or("something");
            let found = format!("receptacle {}: {partner} at {} Gb/s", port.receptacle, port.gigabits_per_s);
            if most >= 80 && port.gigabits_per_s < 80 {
                return Finding::bad("cable", found, why)
                    .mend("use a cable marked Thunderbolt 5, at most 1 m if passive, and plug it in again");
            }
            Finding::good("cable", found, why)
        })
        .collect()
}

/// From `ifconfig bridge0`, which fails where there is none.
fn bridge(told: &str) -> Option<Finding> {
    let why = "the Thunderbolt bridge takes the interfaces that RDMA needs, and cables that form a ring make it loop";
    let members: Vec<_> =
        told.lines().filter_map(|line| line.trim().strip_prefix("member: ")?.split(' ').next()).collect();
    if members.is_empty() {
        return None;
    }
    let found = format!("bridge0 holds {}", members.join(", "));
    Some(Finding::bad("bridge", found, why).mend(
        "System Settings, Network, … , Manage Virtual Interfaces: take the Thunderbolt ports out of the bridge",
    ))
}

/// From `sysctl iogpu.wired_limit_mb hw.memsize`.
fn wired(told: &str) -> Finding {
    let why = "the GPU may keep that much of memory; by default macOS allows about three quarters";
    let value = |name: &str| -> Option<u64> {
        told.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    };
    match (value("iogpu.wired_limit_mb:"), value("hw.memsize:")) {
        (Some(0), Some(all)) => Finding::plain("wired", "the GPU's share of memory is the default", why)
            .mend(tandem_vitals::wired_limit_command(all)),
        (Some(limit), _) => Finding::good("wired", format!("the GPU may keep {limit} MB"), why),
        _ => Finding::plain("wired", "`sysctl` does not tell the GPU's share of memory", why),
    }
}

/// From `pmset -g`.
fn sleep(told: &str) -> Finding {
    let why = "a node that sleeps is lost to the others";
    let minutes = told.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("sleep")).then(|| words.next()?.parse::<u32>().ok())?
    });
    match minutes {
        Some(0) => Finding::good("sleep", "this Mac does not sleep by itself", why),
        Some(minutes) => {
            Finding::bad("sleep", format!("this Mac sleeps after {minutes} min without use"), why)
                .mend("sudo pmset -a sleep 0 disksleep 0")
        }
        None => Finding::plain("sleep", "`pmset` does not tell when this Mac sleeps", why),
    }
}

/// From `socketfilterfw --getglobalstate`.
fn firewall(told: &str) -> Option<Finding> {
    let why =
        "the firewall asks before a program may be called: until somebody answers, other nodes are refused";
    if told.contains("enabled") {
        let mend = "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --add $(which tandem) --unblockapp $(which tandem)";
        return Some(Finding::plain("firewall", "the application firewall is on", why).mend(mend));
    }
    told.contains("disabled").then(|| Finding::good("firewall", "the application firewall is off", why))
}

fn app_nap(told: &str) -> Finding {
    let why =
        "App Nap slows programs whose window nobody sees; a node started from a Terminal may be held back";
    if told == "1" {
        return Finding::good("appnap", "App Nap is off", why);
    }
    Finding::plain("appnap", "App Nap is on", why)
        .mend("defaults write NSGlobalDomain NSAppSleepDisabled -bool YES")
}
