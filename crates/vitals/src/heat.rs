//! Temperatures, and the power of devices whose drivers tell it, from the kernel's hardware monitors.

use std::path::Path;

use crate::{entries, number, text};

/// Monitors of what computes; those of disks, batteries and radios are left out.
const COMPUTING: [&str; 9] =
    ["coretemp", "k10temp", "zenpower", "cpu_thermal", "amdgpu", "nouveau", "i915", "xe", "cpu-thermal"];

pub fn celsius(root: &Path) -> Option<f64> {
    let monitors = entries(&root.join("sys/class/hwmon"));
    let computing = monitors
        .iter()
        .filter(|monitor| text(&monitor.join("name")).is_some_and(|name| COMPUTING.contains(&name.as_str())));
    let sensors = computing.flat_map(|monitor| entries(monitor)).filter(|sensor| {
        let name = sensor.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("temp") && name.ends_with("_input")
    });
    let hottest = sensors.filter_map(|sensor| number(&sensor)).reduce(f64::max);
    hottest
        .or_else(|| zone(root))
        .map(|milli| milli / 1000.0)
        .filter(|celsius| (-40.0..200.0).contains(celsius))
}

/// Boards without monitors have thermal zones.
fn zone(root: &Path) -> Option<f64> {
    let zones = entries(&root.join("sys/class/thermal"));
    let cpu = zones.iter().filter(|zone| {
        text(&zone.join("type"))
            .is_some_and(|kind| kind.contains("cpu") || kind == "x86_pkg_temp" || kind.contains("soc"))
    });
    cpu.filter_map(|zone| number(&zone.join("temp"))).reduce(f64::max)
}

/// AMD's and Intel's graphics drivers tell microwatts.
pub fn device_watts(root: &Path) -> Option<f64> {
    let monitors = entries(&root.join("sys/class/hwmon"));
    let watts = monitors.iter().filter_map(|monitor| {
        let name = text(&monitor.join("name"))?;
        if !["amdgpu", "xe", "i915"].contains(&name.as_str()) {
            return None;
        }
        let now =
            number(&monitor.join("power1_average")).or_else(|| number(&monitor.join("power1_input")))?;
        Some(now / 1e6)
    });
    watts.reduce(|a, b| a + b)
}
