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
    /// Whether that is a part of the machine's memory.
    #[serde(default)]
    pub unified: bool,
    /// That the system lets it have no more of it, and how it is told to.
    #[serde(default)]
    pub limit: Option<String>,
    /// What it reads and computes: as measured here, by its maker's word, or by a guess.
    pub speed: tandem_plan::Device,
    /// Whether it is a program on the processor.
    #[serde(default)]
    pub software: bool,
    /// Whether somebody named it, so that nothing else of its node is used.
    #[serde(default)]
    pub named: bool,
    /// Models that it did not run.
    #[serde(default)]
    pub unfit: BTreeSet<String>,
}

pub const CPU: &str = "cpu";
/// Drivers that do not answer by then are left alone.
const LISTED_WITHIN: Duration = Duration::from_secs(10);
/// Measuring compiles kernels and loads some weights: a few seconds. A driver that hangs must not keep the node from starting for long.
const MEASURED_WITHIN: Duration = Duration::from_secs(30);
/// Of what is free: drivers and other programs take some of it.
const ROOM: f64 = 0.9;
/// Where nobody says how fast a device is.
const OWN_MEMORY: tandem_plan::Device = tandem_plan::Device {
    kind: DeviceKind::MatrixGpu,
    read_bytes_per_s: 300e9,
    flops_per_s: 30e12,
    reached: None,
};
const SHARED_MEMORY: tandem_plan::Device = tandem_plan::Device {
    kind: DeviceKind::ShaderGpu,
    read_bytes_per_s: 80e9,
    flops_per_s: 3e12,
    reached: None,
};

/// Makes the process that lists.
pub type Lister = Box<dyn Fn() -> Command + Send + Sync>;

/// Those of this machine that `chosen` allows; none where the process fails or takes too long. Where nobody knows how fast one of
/// them is, they are measured, and that is kept for the next time.
pub fn listed(lister: &dyn Fn() -> Command, chosen: &Device) -> Vec<DeviceHere> {
    let listed = said(lister(), LISTED_WITHIN).map_or_else(Vec::new, |text| read(&text, chosen));
    if !listed.iter().any(DeviceHere::is_guessed) {
        return listed;
    }
    let mut measuring = lister();
    measuring.arg("--measure");
    let measured = said(measuring, MEASURED_WITHIN).map_or_else(Vec::new, |text| read(&text, chosen));
    if measured.len() == listed.len() { measured } else { listed }
}

/// All that a process says, where it ends in time.
fn said(mut command: Command, within: Duration) -> Option<String> {
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = started.ok()?;
    let (sender, said) = channel();
    if let Some(mut stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stdout.read_to_string(&mut text);
            let _ = sender.send(text);
        });
    }
    let said = said.recv_timeout(within);
    // It has said all, or will not.
    let _ = child.kill();
    let _ = child.wait();
    if said.is_err() {
        tracing::warn!("this machine's GPUs were not listed within {} s", within.as_secs());
    }
    said.ok()
}

impl DeviceHere {
    /// Whether nobody knows how fast it is. Programs on the processor are for tests.
    fn is_guessed(&self) -> bool {
        !self.software && [OWN_MEMORY, SHARED_MEMORY].contains(&self.speed)
    }
}

/// From what `tandem devices --json` prints.
fn read(text: &str, chosen: &Device) -> Vec<DeviceHere> {
    let listed: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    // Beside a program that acts as a device, when that was named, there are only others of that sort.
    let named = listed.iter().find(|told| told["device"] == chosen.to_string());
    let of = |told: &Value| {
        let (device, name) = (told["device"].as_str()?, told["name"].as_str()?);
        let allowed = match named {
            Some(named) if named["software"] == true => told["software"] == true,
            named => named == Some(told) || told["used_for"] == "models",
        };
        if device == CPU || !allowed || !chosen.allows(&device.parse().ok()?) {
            return None;
        }
        let room_bytes = match told["total_bytes"].as_u64() {
            Some(_) => Some((told["free_bytes"].as_u64()? as f64 * ROOM) as u64),
            None => None,
        };
        let chip = Hardware::known().chip_of_driver(name).map(|chip| chip.device());
        let guess = if room_bytes.is_some() { OWN_MEMORY } else { SHARED_MEMORY };
        let mut speed = chip.unwrap_or(guess);
        speed.reached = serde_json::from_value(told["reached"].clone()).ok().or(speed.reached);
        let (device, name, software) = (device.to_owned(), name.to_owned(), told["software"] == true);
        let named = named.is_some();
        let unified = told["unified"] == true;
        let limit = told["limit"].as_str().map(str::to_owned);
        let unfit = BTreeSet::new();
        Some(DeviceHere { device, name, room_bytes, unified, limit, speed, software, named, unfit })
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
        assert_eq!(names("gpu"), ["gpu", "gpu:2"]);
        assert_eq!(names("cpu"), Vec::<String>::new());
        assert_eq!(read("no list", &Device::Auto), []);
        let found = read(LISTED, &Device::Auto);
        assert_eq!((found[0].room_bytes, found[0].speed.read_bytes_per_s), (Some(135_000_000_000), 4800e9));
        assert_eq!((found[1].room_bytes, found[1].speed), (None, SHARED_MEMORY));
    }

    #[test]
    fn a_list_that_does_not_come_is_not_waited_for_long() {
        assert_eq!(listed(&|| Command::new("false"), &Device::Auto), []);
        assert_eq!(listed(&|| Command::new("a program that is not there"), &Device::Auto), []);
    }

    /// Runs a script, to which `$1` is `--measure` where it is asked to measure.
    fn script(text: String) -> impl Fn() -> Command {
        move || {
            let mut command = Command::new("sh");
            command.args(["-c", &text, "sh"]);
            command
        }
    }

    #[test]
    fn a_device_that_nobody_knows_is_measured() {
        let reached =
            r#"{"read_bytes_per_s": 5e11, "cache_bytes_per_s": 4e11, "flops_per_s": 2e13, "layer_s": 3e-5}"#;
        let measured = LISTED.replace(r#""name": "Some"#, &format!(r#""reached": {reached}, "name": "Some"#));
        let measures = script(format!("[ \"$1\" = --measure ] && echo '{measured}' || echo '{LISTED}'"));
        let found = listed(&measures, &Device::Auto);
        assert_eq!(found[1].speed.reached.unwrap().read_bytes_per_s, 5e11);
        // One that is known by its name keeps what is known of it.
        assert_eq!(found[0].speed, Hardware::known().chip_of_driver("NVIDIA H200").unwrap().device());
        // Where measuring fails, the list stands.
        let fails = script(format!("[ \"$1\" = --measure ] && exit 1 || echo '{LISTED}'"));
        assert_eq!(listed(&fails, &Device::Auto)[1].speed, SHARED_MEMORY);
        // What is known, or a program on the processor, is not measured.
        let known = script(format!("[ \"$1\" = --measure ] && echo '[]' || echo '{measured}'"));
        assert_eq!(listed(&known, &Device::Auto).len(), 2);
        let software = script(format!("[ \"$1\" = --measure ] && echo '{measured}' || echo '{LISTED}'"));
        assert_eq!(listed(&software, &"gpu:1".parse().unwrap())[0].speed, OWN_MEMORY);
    }
}
