use std::fs;
use std::path::PathBuf;

use crate::memory::used_of_vm_stat;
use crate::programs::{Told, nvidia_smi, powermetrics};
use crate::{Gauges, energy::Rapl};

/// A tree of files as the kernel shows them.
struct Tree(PathBuf);

impl Tree {
    fn new(name: &str) -> Tree {
        let folder = std::env::temp_dir().join(format!("tandem-vitals-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Tree(folder)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_machine_is_read() {
    let tree = Tree::new("whole");
    tree.write("proc/meminfo", "MemTotal:       65536 kB\nMemFree: 100 kB\nMemAvailable:   16384 kB\n");
    tree.write("proc/stat", "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 1 1 1\n");
    tree.write("sys/class/hwmon/hwmon0/name", "nvme\n");
    tree.write("sys/class/hwmon/hwmon0/temp1_input", "90000\n");
    tree.write("sys/class/hwmon/hwmon1/name", "k10temp\n");
    tree.write("sys/class/hwmon/hwmon1/temp1_input", "61250\n");
    tree.write("sys/class/hwmon/hwmon1/temp3_input", "58000\n");
    tree.write("sys/class/hwmon/hwmon2/name", "amdgpu\n");
    tree.write("sys/class/hwmon/hwmon2/power1_average", "41000000\n");
    let mut gauges = Gauges::below(&tree.0);
    let first = gauges.read();
    assert_eq!((first.memory_bytes, first.memory_used_bytes), (65536 << 10, 49152 << 10));
    assert_eq!((first.busy, first.temperature_c, first.watts), (None, Some(61.25), Some(41.0)));
    tree.write("proc/stat", "cpu  200 0 150 750 100 0 0 0 0 0\n");
    let second = gauges.read();
    assert_eq!(second.busy, Some(0.75));
    assert!(second.joules.unwrap() > 0.0, "{second:?}");
}

#[test]
fn what_a_machine_does_not_tell_is_absent() {
    let tree = Tree::new("bare");
    tree.write("sys/class/powercap/x/name", "dram\n");
    let vitals = Gauges::below(&tree.0).read();
    assert_eq!((vitals.busy, vitals.temperature_c, vitals.watts, vitals.joules), (None, None, None, None));
}

#[test]
fn energy_becomes_power_also_when_a_counter_wraps() {
    let tree = Tree::new("rapl");
    let set = |zone: &str, name: &str, energy: u64| {
        tree.write(&format!("sys/class/powercap/{zone}/name"), name);
        tree.write(&format!("sys/class/powercap/{zone}/energy_uj"), &energy.to_string());
        tree.write(&format!("sys/class/powercap/{zone}/max_energy_range_uj"), "262143328850\n");
    };
    set("intel-rapl:0", "package-0\n", 1_000_000);
    set("intel-rapl:0:0", "core\n", 500_000);
    set("intel-rapl:1", "package-1\n", 262_143_328_000);
    let mut rapl = Rapl::default();
    assert_eq!(rapl.read(&tree.0, None), None);
    set("intel-rapl:0", "package-0\n", 61_000_000);
    set("intel-rapl:0:0", "core\n", 40_500_000);
    set("intel-rapl:1", "package-1\n", 19_999_150);
    assert_eq!(rapl.read(&tree.0, Some(2.0)), Some(40.0));
}

#[test]
fn programs_are_understood() {
    // nvidia-smi 570 with an H200 and a device that does not tell its power.
    let told = nvidia_smi("118.42, 33\n[N/A], 41\n");
    assert_eq!(told, Some(Told { watts: Some(118.42), temperature_c: Some(41.0) }));
    assert_eq!(nvidia_smi("NVIDIA-SMI has failed\n"), None);
    // `powermetrics --samplers cpu_power` of macOS 15 on an M-series machine, shortened.
    let told = powermetrics(
        "CPU Power: 2313 mW\nGPU Power: 51 mW\nANE Power: 0 mW\nCombined Power (CPU + GPU + ANE): 2364 mW\n",
    );
    assert_eq!(told, Some(Told { watts: Some(2.364), temperature_c: None }));
    assert_eq!(powermetrics("powermetrics must be invoked as the superuser\n"), None);
    // `vm_stat` of macOS 15, shortened.
    let told = "Mach Virtual Memory Statistics: (page size of 16384 bytes)\nPages free:                               10000.\n\
                Pages active:                            200000.\nPages wired down:                         50000.\n\
                Pages occupied by compressor:             10000.\n";
    assert_eq!(used_of_vm_stat(told), Some(260_000 * 16_384));
}
