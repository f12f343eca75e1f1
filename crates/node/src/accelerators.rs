//! The accelerators of this machine, by the names people know them by.

/// Looks once; what is plugged in later is seen after a restart.
#[cfg(target_os = "linux")]
pub fn found() -> Vec<String> {
    linux::found_below(std::path::Path::new("/"))
}

#[cfg(target_os = "macos")]
pub fn found() -> Vec<String> {
    let mut command = std::process::Command::new("system_profiler");
    let told = command.args(["SPDisplaysDataType", "-json"]).output();
    let told = told.ok().and_then(|told| serde_json::from_slice::<serde_json::Value>(&told.stdout).ok());
    let told = told.unwrap_or_default();
    let displays = told["SPDisplaysDataType"].as_array().into_iter().flatten();
    displays.filter_map(|display| display["sppci_model"].as_str().map(str::to_owned)).collect()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn found() -> Vec<String> {
    Vec::new()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::{Path, PathBuf};

    const NVIDIA: u32 = 0x10de;

    /// The driver of NVIDIA names its own; of all others the bus knows at least whose they are.
    pub fn found_below(root: &Path) -> Vec<String> {
        let mut found: Vec<_> = entries(&root.join("proc/driver/nvidia/gpus"))
            .iter()
            .filter_map(|gpu| {
                let text = fs::read_to_string(gpu.join("information")).ok()?;
                let model = text.lines().find_map(|line| line.strip_prefix("Model:"))?;
                Some(model.trim().to_owned())
            })
            .collect();
        let driven = !found.is_empty();
        let devices = entries(&root.join("sys/bus/pci/devices"));
        let others = devices.iter().filter_map(|device| on_the_bus(device));
        found.extend(others.filter(|(vendor, _)| !(driven && *vendor == NVIDIA)).map(|(_, name)| name));
        found
    }

    fn on_the_bus(device: &Path) -> Option<(u32, String)> {
        let text = |name: &str| fs::read_to_string(device.join(name)).ok();
        let number = |name: &str| u32::from_str_radix(text(name)?.trim().strip_prefix("0x")?, 16).ok();
        // Displays, and processing accelerators.
        if !matches!(number("class")? >> 8, 0x0300 | 0x0302 | 0x0380 | 0x1200) {
            return None;
        }
        let vendor = number("vendor")?;
        let whose = match vendor {
            NVIDIA => "NVIDIA",
            0x1002 => "AMD",
            0x8086 => "Intel",
            _ => return None,
        };
        let mut name = match text("product_name").map(|text| text.trim().to_owned()) {
            Some(product) if !product.is_empty() => format!("{whose} {product}"),
            _ => format!("{whose} device {:04x}", number("device")?),
        };
        if let Some(bytes) = text("mem_info_vram_total").and_then(|text| text.trim().parse::<u64>().ok()) {
            name += &format!(", {:.0} GB", bytes as f64 / 1e9);
        }
        Some((vendor, name))
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        let mut entries: Vec<_> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn accelerators_are_found_by_driver_and_by_bus() {
            let root = std::env::temp_dir().join(format!("tandem-accelerators-{}", std::process::id()));
            let write = |path: &str, text: &str| {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            };
            let device = |slot: &str, class: &str, vendor: &str, device: &str| {
                let folder = format!("sys/bus/pci/devices/{slot}");
                write(&format!("{folder}/class"), class);
                write(&format!("{folder}/vendor"), vendor);
                write(&format!("{folder}/device"), device);
            };
            device("0000:01:00.0", "0x030200\n", "0x10de\n", "0x2335\n");
            device("0000:02:00.0", "0x030000\n", "0x1002\n", "0x744c\n");
            write("sys/bus/pci/devices/0000:02:00.0/mem_info_vram_total", "25753026560\n");
            device("0000:03:00.0", "0x030000\n", "0x1a03\n", "0x2000\n");
            device("0000:04:00.0", "0x020000\n", "0x15b3\n", "0x1021\n");
            assert_eq!(found_below(&root), ["NVIDIA device 2335", "AMD device 744c, 26 GB"]);
            let information = "Model: \t\t NVIDIA H200\nIRQ:   \t\t 300\n";
            write("proc/driver/nvidia/gpus/0000:01:00.0/information", information);
            assert_eq!(found_below(&root), ["NVIDIA H200", "AMD device 744c, 26 GB"]);
            fs::remove_dir_all(&root).unwrap();
        }
    }
}
