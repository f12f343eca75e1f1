//! The kinds of devices that this program can compute on.

use std::fmt;
use std::sync::Arc;

use tandem_tensor::{Backend, Lender, Profile};

use crate::cpu::Cpu;
use crate::{Device, DeviceError};

/// One kind of device: which of them this machine has, and how a backend for one is made.
pub trait Provider: Send + Sync {
    /// What the kind is called on the command line, in lower case.
    fn name(&self) -> &str;

    /// The devices of this kind on this machine, in the order of their numbers; empty where there are none or where the
    /// driver is missing.
    fn found(&self) -> Vec<Found>;

    /// The backend for the device with this number, which is one of those found.
    fn open(&self, index: usize, setup: Setup) -> Result<Box<dyn Backend>, String>;
}

/// A device of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The name people know it by.
    pub name: String,
    /// Free memory of its own; `None` where it computes in the machine's memory.
    pub free_bytes: Option<u64>,
}

/// What a backend is made with. A backend leaves aside what it has no use for.
#[derive(Clone, Default)]
pub struct Setup {
    /// Threads of the processor; one per core when not given.
    pub threads: Option<usize>,
    /// Where sessions add their times.
    pub profile: Option<Arc<Profile>>,
    /// Lends memory for activations that other ranks see, so that what ranks exchange need not be copied.
    pub lender: Option<Lender>,
}

/// A backend and the device it is for.
pub struct Opened {
    pub device: Device,
    pub backend: Box<dyn Backend>,
    /// Free memory of the device's own; `None` where it computes in the machine's memory.
    pub free_bytes: Option<u64>,
}

/// The kinds of devices, best first. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    providers: Arc<[Arc<dyn Provider>]>,
}

impl Default for Registry {
    /// Every kind that this program was built with.
    fn default() -> Registry {
        Registry { providers: Arc::new([Arc::new(Cpu)]) }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.providers.iter().map(|provider| provider.name())).finish()
    }
}

impl Registry {
    /// These kinds and one more, which `auto` takes last.
    pub fn with(&self, provider: Arc<dyn Provider>) -> Registry {
        Registry { providers: self.providers.iter().cloned().chain([provider]).collect() }
    }

    /// Every device of this machine, in the order in which `auto` takes them.
    pub fn found(&self) -> Vec<(Device, Found)> {
        let of = |provider: &Arc<dyn Provider>| {
            let name = provider.name().to_owned();
            let named = move |(index, found)| (Device::named(&name, index), found);
            provider.found().into_iter().enumerate().map(named)
        };
        self.providers.iter().flat_map(of).collect()
    }

    /// The backend of the device that `choice` stands for.
    pub fn open(&self, choice: &Device, setup: Setup) -> Result<Opened, DeviceError> {
        let (provider, index, found) = self.find(choice)?;
        let device = Device::named(provider.name(), index);
        match provider.open(index, setup) {
            Ok(backend) => Ok(Opened { device, backend, free_bytes: found.free_bytes }),
            Err(reason) => Err(DeviceError::Unusable { device, reason }),
        }
    }

    /// Whether `choice` stands for a device of this machine; nothing is opened.
    pub fn check(&self, choice: &Device) -> Result<(), DeviceError> {
        self.find(choice).map(|_| ())
    }

    fn find(&self, choice: &Device) -> Result<(&dyn Provider, usize, Found), DeviceError> {
        let absent = || {
            let found: Vec<_> =
                self.found().iter().map(|(device, found)| format!("{device} ({})", found.name)).collect();
            DeviceError::Absent { device: choice.clone(), found: found.join(", ") }
        };
        let first = |provider: &Arc<dyn Provider>| provider.found().into_iter().next();
        match choice {
            Device::Auto => {
                let any = self.providers.iter().find_map(|one| Some((&**one, 0, first(one)?)));
                any.ok_or_else(absent)
            }
            Device::Named { kind, index } => {
                let provider = self.providers.iter().find(|provider| provider.name() == kind);
                let known = || self.providers.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
                let provider =
                    provider.ok_or_else(|| DeviceError::Unknown { kind: kind.clone(), known: known() })?;
                let found = provider.found().into_iter().nth(*index).ok_or_else(absent)?;
                Ok((&**provider, *index, found))
            }
        }
    }
}
