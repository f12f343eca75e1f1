//! Chips and cables that people name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::{Device, DeviceKind, Link, Reached};

/// What `data/hardware.json` says, with its sources.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardware {
    #[allow(dead_code, reason = "for those who read the file")]
    about: String,
    pub chips: Vec<Chip>,
    /// Best first, by how soon a message is there.
    pub cables: Vec<Cable>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chip {
    pub id: String,
    pub name: String,
    pub kind: DeviceKind,
    pub read_gb_per_s: f64,
    pub tflops: f64,
    /// What Tandem reached on it: bench/gpu/RESULTS.md.
    pub reached: Option<Reached>,
    pub memory_gb: Vec<u64>,
    /// The part of memory that a GPU may take.
    pub room: f64,
    /// What people join it by; best first.
    pub cables: Vec<String>,
    /// Most machines of which every two can be joined by Thunderbolt with RDMA; 0 where it has none.
    #[serde(default)]
    pub mesh_max: usize,
    pub idle_w: Option<f64>,
    pub load_w: Option<f64>,
    /// By memory in GB.
    #[serde(default)]
    pub price_usd: BTreeMap<u64, f64>,
    /// Whether the measurements that the constants are fitted to have speeds of it.
    #[serde(default)]
    pub measured: bool,
    pub sources: Vec<String>,
    #[serde(default)]
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cable {
    pub id: String,
    /// Other names.
    #[serde(default)]
    pub also: Vec<String>,
    pub about: String,
    pub round_trip_us: f64,
    pub gb_per_s: f64,
    /// Thunderbolt with RDMA: only between chips that have it.
    #[serde(default)]
    pub rdma: bool,
    pub sources: Vec<String>,
    #[serde(default)]
    pub notes: Vec<String>,
}

impl Hardware {
    pub fn known() -> &'static Hardware {
        static KNOWN: OnceLock<Hardware> = OnceLock::new();
        KNOWN.get_or_init(|| {
            serde_json::from_str(include_str!("../data/hardware.json")).expect("a test parses it")
        })
    }

    pub fn chip(&self, id: &str) -> Option<&Chip> {
        self.chips.iter().find(|chip| chip.id.eq_ignore_ascii_case(id))
    }

    /// The chip that a driver calls so. Drivers add words of their own, and leave out how a chip is packaged.
    pub fn chip_of_driver(&self, name: &str) -> Option<&Chip> {
        let words = |text: &str| -> Vec<String> {
            let apart = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            apart.map(str::to_lowercase).filter(|word| word != "sxm").collect()
        };
        let told = words(name);
        let names = |chip: &Chip| -> Vec<Vec<String>> {
            let own = chip.name.split('(').next().unwrap_or_default().to_owned();
            own.split(" / ").map(words).collect()
        };
        let called = |chip: &&Chip| {
            let fitting = names(chip).into_iter().filter(|own| own.iter().all(|word| told.contains(word)));
            fitting.map(|own| own.len()).max()
        };
        self.chips.iter().filter(|chip| called(chip).is_some()).max_by_key(|chip| called(chip))
    }

    pub fn cable(&self, id: &str) -> Option<&Cable> {
        let is = |name: &String| name.eq_ignore_ascii_case(id);
        self.cables.iter().find(|cable| is(&cable.id) || cable.also.iter().any(is))
    }
}

impl Chip {
    pub fn device(&self) -> Device {
        Device {
            kind: self.kind,
            read_bytes_per_s: self.read_gb_per_s * 1e9,
            flops_per_s: self.tflops * 1e12,
            reached: self.reached,
        }
    }

    /// What models may take where it has so much memory.
    pub fn room_bytes(&self, memory_gb: u64) -> u64 {
        (memory_gb as f64 * self.room * 1e9) as u64
    }
}

impl Cable {
    pub fn link(&self) -> Link {
        Link { round_trip_us: self.round_trip_us, bytes_per_s: self.gb_per_s * 1e9 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_are_known_by_what_drivers_call_them() {
        let called = |name: &str| Hardware::known().chip_of_driver(name).map(|chip| chip.id.as_str());
        assert_eq!(called("NVIDIA H200"), Some("h200-sxm"));
        assert_eq!(called("NVIDIA H100 80GB HBM3"), Some("h100-sxm"));
        assert_eq!(called("NVIDIA GeForce RTX 5090"), Some("rtx-5090"));
        assert_eq!(called("NVIDIA GB10"), Some("dgx-spark"));
        assert_eq!(called("Apple M3 Ultra"), Some("m3-ultra"));
        assert_eq!(called("Apple M5 Max"), Some("m5-max"));
        // Of the same family, and another chip.
        assert_eq!((called("Apple M3"), called("AMD Radeon RX 7900 XTX")), (None, None));
    }

    #[test]
    fn what_is_known_is_sound_and_has_sources() {
        let hardware = Hardware::known();
        for chip in &hardware.chips {
            assert_eq!(hardware.chip(&chip.id), Some(chip), "{} stands twice", chip.id);
            assert!(chip.read_gb_per_s > 0.0 && chip.tflops > 0.0 && !chip.sources.is_empty(), "{}", chip.id);
            assert!((0.5..1.0).contains(&chip.room) && !chip.memory_gb.is_empty(), "{}", chip.id);
            let speeds = include_str!("../data/measurements.txt").contains(&format!("x {} ", chip.id));
            assert_eq!(chip.measured, speeds, "{}", chip.id);
            assert!(chip.cables.iter().all(|cable| hardware.cable(cable).is_some()), "{}", chip.id);
            assert!(chip.price_usd.keys().all(|gb| chip.memory_gb.contains(gb)), "{}", chip.id);
        }
        for cable in &hardware.cables {
            assert_eq!(hardware.cable(&cable.id), Some(cable), "{} stands twice", cable.id);
            assert!(cable.round_trip_us > 0.0 && cable.gb_per_s > 0.0 && !cable.sources.is_empty());
        }
        assert_eq!(hardware.cable("TB5-mesh").unwrap().id, "tb5-rdma");
    }
}
