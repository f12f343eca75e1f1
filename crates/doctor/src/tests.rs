use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::macos::{Port, rdma_devices, thunderbolt_ports};
use crate::{Finding, Remembered, System, Weight, examine_cluster, examine_machine, examine_strain};

const THUNDERBOLT: &str = include_str!("../recorded/thunderbolt.txt");
const PMSET: &str = include_str!("../recorded/pmset.txt");

/// A machine that says what it is told to say.
#[derive(Default)]
struct Recorded {
    macos: bool,
    files: BTreeMap<String, String>,
    said: BTreeMap<String, String>,
}

impl Recorded {
    fn file(mut self, path: &str, text: &str) -> Recorded {
        self.files.insert(path.into(), text.into());
        self
    }

    fn says(mut self, command: &str, text: &str) -> Recorded {
        self.said.insert(command.into(), text.into());
        self
    }

    /// What is bad, as `check: found`.
    fn bad(&self) -> Vec<String> {
        let findings = examine_machine(self, Path::new("/home"));
        findings.iter().for_each(complete);
        bad(&findings)
    }
}

impl System for Recorded {
    fn is_macos(&self) -> bool {
        self.macos
    }

    fn file(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|text| text.trim().to_owned())
    }

    fn folder(&self, path: &str) -> Vec<String> {
        let inside = self
            .files
            .keys()
            .filter_map(|file| file.strip_prefix(path)?.strip_prefix('/')?.split('/').next());
        let mut names: Vec<_> = inside.map(str::to_owned).collect();
        names.dedup();
        names
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Option<String> {
        self.said.get(&[&[program], arguments].concat().join(" ")).cloned()
    }
}

fn complete(finding: &Finding) {
    assert!(!finding.found.is_empty() && !finding.why.is_empty(), "{finding:?}");
    assert!(finding.weight != Weight::Bad || finding.mend.is_some(), "nothing mends {finding:?}");
}

fn bad(findings: &[Finding]) -> Vec<String> {
    let bad = findings.iter().filter(|finding| finding.weight == Weight::Bad);
    bad.map(|finding| format!("{}: {}", finding.check, finding.found)).collect()
}

fn df(free_kib: u64) -> String {
    format!(
        "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 100000000 1 {free_kib} 50% /\n"
    )
}

fn healthy() -> Recorded {
    Recorded::default()
        .says("df -Pk /home", &df(50_000_000))
        .file("/proc/meminfo", "MemTotal: 65536000 kB\nMemAvailable: 60000000 kB\n")
        .file("/proc/self/limits", "Limit  Soft Limit Hard Limit Units\nMax locked memory         8388608              8388608              bytes\n")
        .file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
        .file("/sys/class/net/lo/mtu", "65536\n")
        .file("/sys/class/net/eth0/mtu", "1500\n")
        .file("/sys/class/net/eth0/operstate", "up\n")
}

#[test]
fn a_healthy_machine_has_nothing_to_mend() {
    assert_eq!(healthy().bad(), Vec::<String>::new());
    // Nor has one that tells nothing.
    assert_eq!(Recorded::default().bad(), Vec::<String>::new());
}

#[test]
fn faults_of_a_linux_machine_are_found() {
    let check = |machine: Recorded, expected: &[&str]| assert_eq!(machine.bad(), expected);
    check(healthy().says("df -Pk /home", &df(1_000_000)), &["disk: 1.0 GB of 102 GB free below /home"]);
    check(
        healthy().file("/proc/meminfo", "MemTotal: 65536000 kB\nMemAvailable: 1000000 kB\n"),
        &["memory: 1.0 GB of 67 GB free"],
    );
    check(
        healthy().file("/proc/self/limits", "Max locked memory  65536  65536  bytes"),
        &["memlock: 0.1 MB may be locked"],
    );
    check(healthy().file("/sys/class/net/eth0/mtu", "900"), &["mtu: eth0 sends frames of at most 900 bytes"]);
    check(
        healthy().file("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]"),
        &["hugepages: transparent huge pages are off"],
    );
    let cpu = "/sys/devices/system/cpu/cpu0/cpufreq";
    let slow = healthy()
        .file(&format!("{cpu}/scaling_governor"), "powersave")
        .file(&format!("{cpu}/scaling_driver"), "acpi-cpufreq");
    check(slow, &["governor: the governor of cpu0 is powersave (acpi-cpufreq)"]);
    let driven = healthy()
        .file(&format!("{cpu}/scaling_governor"), "powersave")
        .file(&format!("{cpu}/scaling_driver"), "intel_pstate");
    check(driven, &[]);
    // With an RDMA device more must be locked, its port must be up, and its file must be there.
    let ib = "/sys/class/infiniband/mlx5_0/ports/1";
    let rdma =
        healthy().file(&format!("{ib}/state"), "1: DOWN").file(&format!("{ib}/rate"), "100 Gb/sec (4X EDR)");
    check(
        rdma,
        &[
            "memlock: 8.4 MB may be locked",
            "rdma: mlx5_0 is here, but no /dev/infiniband/uverbs*",
            "rdma: mlx5_0 port 1 is 1: DOWN",
        ],
    );
}

fn mac() -> Recorded {
    Recorded { macos: true, ..Recorded::default() }
        .says("df -Pk /home", &df(50_000_000))
        .says("sw_vers -productVersion", "26.5.1\n")
        .says("rdma_ctl status", "enabled\n")
        .says("ibv_devices", include_str!("../recorded/ibv_devices.txt"))
        .says("system_profiler SPThunderboltDataType", THUNDERBOLT)
        .says("sysctl iogpu.wired_limit_mb hw.memsize", "iogpu.wired_limit_mb: 0\nhw.memsize: 34359738368\n")
        .says(
            "pmset -g",
            &PMSET.replace(
                " sleep                1 (sleep prevented by sharingd, coreaudiod)",
                " sleep                0",
            ),
        )
        .says(
            "/usr/libexec/ApplicationFirewall/socketfilterfw --getglobalstate",
            "Firewall is enabled. (State = 1)\n",
        )
}

#[test]
fn faults_of_a_mac_are_found() {
    let check = |machine: Recorded, expected: &[&str]| assert_eq!(machine.bad(), expected);
    check(mac(), &[]);
    check(mac().says("rdma_ctl status", "disabled\n"), &["rdma: RDMA is off"]);
    check(
        mac().says("ibv_devices", include_str!("../recorded/rdma_enabled_tb4.txt")),
        &["rdma: enabled, but `ibv_devices` lists none"],
    );
    check(mac().says("pmset -g", PMSET), &["sleep: this Mac sleeps after 1 min without use"]);
    let bridged = include_str!("../recorded/bridge0.txt");
    check(mac().says("ifconfig bridge0", bridged), &["bridge: bridge0 holds en2, en3, en4"]);
    // The same machine with a second port, whose cable fell back.
    let fallen = THUNDERBOLT.replace("80 Gb/s", "40 Gb/s").replace("Receptacle: 3", "Receptacle: 1");
    let both = format!("{THUNDERBOLT}{}", fallen.trim_start_matches("Thunderbolt/USB4:"));
    check(
        mac().says("system_profiler SPThunderboltDataType", &both),
        &["cable: receptacle 1: Mac Studio at 40 Gb/s"],
    );
    // A Mac with Thunderbolt 4 says that RDMA is enabled and has no device: nothing is wrong with it.
    let fourth = mac()
        .says("system_profiler SPThunderboltDataType", &fallen)
        .says("ibv_devices", include_str!("../recorded/rdma_enabled_tb4.txt"));
    check(fourth, &[]);
}

#[test]
fn recorded_outputs_are_understood() {
    let port = Port {
        receptacle: "3".into(),
        connected: true,
        gigabits_per_s: 80,
        partner: Some("Mac Studio".into()),
    };
    assert_eq!(thunderbolt_ports(THUNDERBOLT), [port]);
    assert_eq!(thunderbolt_ports(""), []);
    assert_eq!(rdma_devices(include_str!("../recorded/rdma_enabled_tb4.txt")), Vec::<String>::new());
    assert_eq!(
        rdma_devices(include_str!("../recorded/ibv_devices.txt")),
        ["rdma_en2", "rdma_en3", "rdma_en4"]
    );
    // Asks before others may call: worth knowing.
    let findings = examine_machine(&mac(), Path::new("/home"));
    assert!(findings.iter().any(|it| it.check == "firewall" && it.weight == Weight::Plain), "{findings:?}");
}

fn cluster(software: [&str; 2], live: bool, bytes_per_s: f64) -> Value {
    let link =
        json!({"to": "b", "transport": "tcp, encrypted", "round_trip_us": 60.0, "bytes_per_s": bytes_per_s});
    json!({"nodes": [
        {"name": "a", "live": true, "software": software[0], "links": [link], "addresses": []},
        {"name": "b", "live": live, "software": software[1], "links": [], "addresses": []},
    ]})
}

#[test]
fn faults_of_a_cluster_are_found() {
    let check = |state: Value, remembered: &mut Remembered, expected: &[&str]| {
        let findings = examine_cluster(&state, None, remembered);
        findings.iter().for_each(complete);
        assert_eq!(bad(&findings), expected);
    };
    let fresh = &mut Remembered::default();
    check(cluster(["1.0", "1.0"], true, 1.2e9), fresh, &[]);
    check(
        cluster(["1.0", "0.9"], true, 1.2e9),
        fresh,
        &["versions: nodes run different versions: 0.9 on b; 1.0 on a"],
    );
    check(cluster(["1.0", "1.0"], false, 1.2e9), fresh, &["members: b is not heard"]);
    // Throttled: fast enough for its kind, but not what it was.
    check(
        cluster(["1.0", "1.0"], true, 0.5e9),
        fresh,
        &["link: a – b (tcp, encrypted) gives 4.00 Gb/s, it gave 9.60 Gb/s before"],
    );
    check(
        cluster(["1.0", "1.0"], true, 0.01e9),
        &mut Remembered::default(),
        &["link: a – b (tcp, encrypted) gives 0.08 Gb/s, at least 0.80 Gb/s expected"],
    );
    // Somebody who answers with another version of the protocol.
    let mut strange = cluster(["1.0", "1.0"], true, 1.2e9);
    strange["strangers"] = json!({"10.0.0.7:48485": "the other node speaks version 0.9"});
    let expected = ["peers: 10.0.0.7:48485 cannot be a member: the other node speaks version 0.9"];
    check(strange, &mut Remembered::default(), &expected);
}

/// Two nodes of two machines, as `a` sees them.
fn told(a: Value, b: Value) -> Value {
    let mut state = cluster(["1.0", "1.0"], true, 1.2e9);
    for (index, name) in ["a", "b"].into_iter().enumerate() {
        state["nodes"][index]["id"] = name.into();
        state["nodes"][index]["machine"] = name.into();
    }
    state["self"] = "a".into();
    state["vitals"] = json!({"a": a, "b": b});
    state
}

#[test]
fn clocks_and_frames_that_differ_are_found() {
    let check = |a: Value, b: Value, expected: &[&str]| {
        let findings = examine_cluster(&told(a, b), None, &mut Remembered::default());
        findings.iter().for_each(complete);
        assert_eq!(bad(&findings), expected);
    };
    let at = |unix_ms: u64| json!({"unix_ms": unix_ms});
    // What a node said is a second or two old.
    check(at(1_000_000), at(1_003_000), &[]);
    check(at(1_000_000), at(1_064_000), &["clocks: the clock of b is 64 s ahead of that of a"]);
    check(at(1_000_000), at(400_000), &["clocks: the clock of b is 600 s behind that of a"]);
    let net = |net: &str, mtu: u32| json!({"networks": [{"net": net, "interface": "eth0", "mtu": mtu}]});
    check(net("10.0.0.0/24", 1500), net("10.0.0.0/24", 1500), &[]);
    check(net("10.0.0.0/24", 1500), net("10.1.0.0/24", 9000), &[]);
    check(
        net("10.0.0.0/24", 1500),
        net("10.0.0.0/24", 9000),
        &["mtu: frames on 10.0.0.0/24 differ: a (eth0) sends at most 1500 bytes, b (eth0) 9000"],
    );
}

#[test]
fn a_link_that_falls_under_load_is_told_with_before_and_after() {
    let check = |first: f64, last: f64, expected: &[&str]| {
        let told = json!({"from": "a", "to": "b", "transport": "tcp", "seconds": 600, "first_bytes_per_s": first, "last_bytes_per_s": last});
        let finding = examine_strain(&told);
        complete(&finding);
        assert_eq!(bad(&[finding]), expected);
    };
    check(1.2e9, 1.1e9, &[]);
    check(
        1.2e9,
        0.4e9,
        &["link: a – b (tcp) gives 3.20 Gb/s after 10 min of full load, it gave 9.60 Gb/s before"],
    );
    check(
        0.01e9,
        0.01e9,
        &["link: a – b (tcp) gives 0.08 Gb/s under full load, at least 0.80 Gb/s expected"],
    );
}
