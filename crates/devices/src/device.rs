//! The choice of a device.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where a model computes. Written `auto`, or a kind of device and a number that may be left out: `cpu`, `gpu`, `gpu:1`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Device {
    /// The first kind in the registry's order that this machine has.
    #[default]
    Auto,
    /// The device of this kind with this number, counted from 0.
    Named { kind: String, index: usize },
}

impl Device {
    pub fn named(kind: &str, index: usize) -> Device {
        Device::Named { kind: kind.to_owned(), index }
    }

    pub fn cpu() -> Device {
        Device::named("cpu", 0)
    }

    /// Whether `device` is one that this stands for: any for `auto`, and all of a kind for one without a number.
    pub fn allows(&self, device: &Device) -> bool {
        match (self, device) {
            (Device::Auto, _) => true,
            (Device::Named { kind, index: 0 }, Device::Named { kind: other, .. }) => kind == other,
            (one, other) => one == other,
        }
    }
}

/// Why a choice stands for nothing on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    #[error("{0:?} is not a device; expected auto, or a kind and a number, such as cpu, gpu or gpu:1")]
    Malformed(String),
    #[error("this program knows no device of the kind {kind:?}; expected auto or one of: {known}")]
    Unknown { kind: String, known: String },
    #[error("there is no device {device} on this machine, which has: {found}")]
    Absent { device: Device, found: String },
    #[error("the device {device} cannot be used: {reason}")]
    Unusable { device: Device, reason: String },
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Auto => f.write_str("auto"),
            Device::Named { kind, index: 0 } => f.write_str(kind),
            Device::Named { kind, index } => write!(f, "{kind}:{index}"),
        }
    }
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Device, DeviceError> {
        let malformed = || DeviceError::Malformed(text.to_owned());
        let (kind, index) = match text.split_once(':') {
            Some((kind, index)) => (kind, index.parse().map_err(|_| malformed())?),
            None => (text, 0),
        };
        let kind = kind.to_ascii_lowercase();
        match kind.as_str() {
            "auto" if !text.contains(':') => Ok(Device::Auto),
            "auto" | "" => Err(malformed()),
            _ => Ok(Device::Named { kind, index }),
        }
    }
}

impl TryFrom<String> for Device {
    type Error = DeviceError;

    fn try_from(text: String) -> Result<Device, DeviceError> {
        text.parse()
    }
}

impl From<Device> for String {
    fn from(device: Device) -> String {
        device.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_stands_for_all_of_it() {
        let allows =
            |choice: &str, device: &str| choice.parse::<Device>().unwrap().allows(&device.parse().unwrap());
        assert!(
            allows("auto", "gpu:1")
                && allows("gpu", "gpu")
                && allows("gpu", "gpu:1")
                && allows("gpu:1", "gpu:1")
        );
        assert!(!allows("gpu:1", "gpu") && !allows("gpu", "cpu") && !allows("cpu", "gpu"));
    }

    #[test]
    fn devices_are_read_as_they_are_written() {
        for text in ["auto", "cpu", "gpu", "gpu:1", "gpu:15"] {
            assert_eq!(text.parse::<Device>().unwrap().to_string(), text);
        }
        assert_eq!("GPU:0".parse(), Ok(Device::named("gpu", 0)));
        for wrong in ["", ":", ":1", "gpu:", "gpu:-1", "gpu:one", "gpu:1:2", "auto:1"] {
            assert_eq!(wrong.parse::<Device>(), Err(DeviceError::Malformed(wrong.into())), "{wrong:?}");
        }
    }
}
