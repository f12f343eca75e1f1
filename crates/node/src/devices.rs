//! What this machine computes on beside its cores, as a process of its own lists it: a driver that fails there ends that process, and
//! not the node.

use std::collections::BTreeSet;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tandem_devices::Device;
use tandem_plan::{DeviceKind, Hardware};

/// A device that models may be placed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceHere {
    /// What `--device` calls it.
    pub device: String,
    /// What people call it.
    pub name: String,
    /// Of memory of its own, what models may take; `None` where it computes in the machine's.
    pub room_bytes: Option<u64>,
    /// What it reads and computes by its maker's word, or by a guess where that is not known.
    pub speed: tandem_plan::Device,
    /// Models that it did not run.
    #[serde(default)]
    pub unfit: BTreeSet<String>,
}

pub const CPU: &str = "cpu";
/// Drivers that do not answer by then are left alone.
const LISTED_WITHIN: Duration = Duration::from_secs(10);
/// Of what is free: drivers and other programs take some of it.
const ROOM: f64 = 0.9;
/// Where nobody says how fast a device is.
const OWN_MEMORY: tandem_plan::Device =
    tandem_plan::Device { kind: DeviceKind::MatrixGpu, read_bytes_per_s: 300e9, flops_per_s: 30e12 };
const SHARED_MEMORY: tandem_plan::Device =
    tandem_plan::Device { kind: DeviceKind::ShaderGpu, read_bytes_per_s: 80e9, flops_per_s: 3e12 };

/// Those of this machine that `chosen` allows; none where the process fails or takes too long.
pub fn listed(mut command: Command, chosen: &Device) -> Vec<DeviceHere> {
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else { return Vec::new() };
    let (sender, said) = channel();
    if let Some(mut stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stdout.read_to_string(&mut text);
            let _ = sender.send(text);
        });
    }
    let said = said.recv_timeout(LISTED_WITHIN);
    // It has said all, or will not.
    let _ = child.kill();
    let _ = child.wait();
    match said {
        Ok(text) => read(&text, chosen),
        Err(_) => {
            tracing::warn!(
                "the list of GPUs did not come within {} s: only cores are used",
                LISTED_WITHIN.as_secs()
            );
            Vec::new()
        }
    }
}

/// From what `tandem devices --json` prints.
fn read(text: &str, chosen: &Device) -> Vec<DeviceHere> {
    let listed: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    let of = |told: &Value| {
        let (device, name) = (told["device"].as_str()?, told["name"].as_str()?);
        let named = *chosen != Device::Auto;
        let allowed = if named { chosen.to_string() == device } else { told["used_for"] == "models" };
        if device == CPU || !allowed {
            return None;
        }
        let room_bytes = match told["total_bytes"].as_u64() {
            Some(_) => Some((told["free_bytes"].as_u64()? as f64 * ROOM) as u64),
            None => None,
        };
        let chip = Hardware::known().chip_of_driver(name).map(|chip| chip.device());
        let guess = if room_bytes.is_some() { OWN_MEMORY } else { SHARED_MEMORY };
        let speed = chip.unwrap_or(guess);
        let unfit = BTreeSet::new();
        Some(DeviceHere { device: device.to_owned(), name: name.to_owned(), room_bytes, speed, unfit })
    };
    listed.iter().filter_map(of).collect()
}

/// What a node told of its devices.
pub fn told(inventory: &tandem_cluster::Inventory) -> Vec<DeviceHere> {
    serde_json::from_slice(&inventory.devices).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = r#"[
        {"device": "gpu", "name": "NVIDIA H200", "free_bytes": 150000000000, "total_bytes": 150754820096, "software": false, "used_for": "models"},
        {"device": "gpu:1", "name": "llvmpipe (LLVM 15.0.6, 256 bits)", "free_bytes": 9, "total_bytes": 9, "software": true, "used_for": "only when named: it is a program"},
        {"device": "gpu:2", "name": "Some Graphics 9000", "free_bytes": 9000000000, "total_bytes": null, "software": false, "used_for": "models"},
        {"device": "cpu", "name": "two cores", "free_bytes": 9, "total_bytes": null, "software": false, "used_for": "models"}
    ]"#;

    #[test]
    fn what_models_may_use_is_taken_from_the_list() {
        let names = |chosen: &str| -> Vec<String> {
            read(LISTED, &chosen.parse().unwrap()).into_iter().map(|it| it.device).collect()
        };
        assert_eq!(names("auto"), ["gpu", "gpu:2"]);
        assert_eq!(names("gpu:1"), ["gpu:1"]);
        assert_eq!(names("cpu"), Vec::<String>::new());
        assert_eq!(read("no list", &Device::Auto), []);
        let found = read(LISTED, &Device::Auto);
        assert_eq!((found[0].room_bytes, found[0].speed.read_bytes_per_s), (Some(135_000_000_000), 4800e9));
        assert_eq!((found[1].room_bytes, found[1].speed), (None, SHARED_MEMORY));
    }

    #[test]
    fn a_list_that_does_not_come_is_not_waited_for_long() {
        assert_eq!(listed(Command::new("false"), &Device::Auto), []);
        assert_eq!(listed(Command::new("a program that is not there"), &Device::Auto), []);
        let mut echo = Command::new("echo");
        echo.arg(LISTED);
        assert_eq!(listed(echo, &Device::Auto).len(), 2);
    }
}
