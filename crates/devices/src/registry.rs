//! The kinds of devices that this program can compute on.

use std::fmt;
use std::sync::Arc;

use tandem_tensor::{Backend, Lender, Profile};

use crate::cpu::Cpu;
use crate::gpu::Gpu;
use crate::{Device, DeviceError};

/// One kind of device: which of them this machine has, and how a backend for one is made.
pub trait Provider: Send + Sync {
    /// What the kind is called on the command line, in lower case.
    fn name(&self) -> &str;

    /// The devices of this kind on this machine, in the order of their numbers; empty where there are none or where the
    /// driver is missing.
    fn found(&self) -> Vec<Found>;

    /// Why this program finds none of the kind on any machine, where it was built so.
    fn out_of_reach(&self) -> Option<&'static str> {
        None
    }

    /// The backend for the device with this number, which is one of those found.
    fn open(&self, index: usize, setup: Setup) -> Result<Box<dyn Backend>, String>;
}

/// A device of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The name people know it by.
    pub name: String,
    /// How it is spoken to; empty for the processor.
    pub api: String,
    pub driver: String,
    /// Free memory of its own; `None` where it computes in the machine's memory.
    pub free_bytes: Option<u64>,
    pub total_bytes: Option<u64>,
    /// Whether it is a program on the processor: never better than the processor itself.
    pub software: bool,
    /// Why `auto` never takes it.
    pub drawback: Option<String>,
}

impl Found {
    /// Why `auto` does not take it for a model of so many bytes.
    pub fn passed_over(&self, wanted_bytes: u64) -> Option<String> {
        let small = self.free_bytes.filter(|free| *free < wanted_bytes);
        let small = small.map(|free| {
            format!("{:.1} GB of {:.1} GB wanted are free", free as f64 / 1e9, wanted_bytes as f64 / 1e9)
        });
        self.drawback.clone().or(small)
    }
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
    /// The least memory that the model takes: `auto` passes over devices with less.
    pub wanted_bytes: u64,
}

/// A backend and the device it is for.
pub struct Opened {
    pub device: Device,
    pub backend: Box<dyn Backend>,
    /// Free memory of the device's own; `None` where it computes in the machine's memory.
    pub free_bytes: Option<u64>,
    /// The devices that `auto` would rather have taken, and why it did not.
    pub passed_over: Vec<String>,
}

/// Hears in one line what `auto` took, and why not something better.
pub type Teller = Arc<dyn Fn(&str) + Send + Sync>;

/// The kinds of devices, best first. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    providers: Arc<[Arc<dyn Provider>]>,
    teller: Option<Teller>,
}

impl Default for Registry {
    /// Every kind that this program was built with.
    fn default() -> Registry {
        Registry { providers: Arc::new([Arc::new(Gpu), Arc::new(Cpu)]), teller: None }
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
        let providers = self.providers.iter().cloned().chain([provider]).collect();
        Registry { providers, teller: self.teller.clone() }
    }

    /// The same kinds; `teller` hears of every choice of `auto` on a machine that has more than a processor.
    pub fn telling(self, teller: Teller) -> Registry {
        Registry { teller: Some(teller), ..self }
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

    /// The kinds of which this program finds none on any machine, and why.
    pub fn out_of_reach(&self) -> Vec<(&str, &'static str)> {
        let providers = self.providers.iter();
        providers.filter_map(|one| Some((one.name(), one.out_of_reach()?))).collect()
    }

    /// The backend of the device that `choice` stands for.
    pub fn open(&self, choice: &Device, setup: Setup) -> Result<Opened, DeviceError> {
        let (provider, index, found, passed_over) = self.find(choice, setup.wanted_bytes)?;
        let device = Device::named(provider.name(), index);
        if let (Device::Auto, Some(teller)) = (choice, &self.teller)
            && let Some(told) = told(&device, &found, &passed_over)
        {
            teller(&told);
        }
        match provider.open(index, setup) {
            Ok(backend) => Ok(Opened { device, backend, free_bytes: found.free_bytes, passed_over }),
            Err(reason) => Err(DeviceError::Unusable { device, reason }),
        }
    }

    /// Whether `choice` stands for a device of this machine; nothing is opened.
    pub fn check(&self, choice: &Device) -> Result<(), DeviceError> {
        self.resolve(choice, 0).map(|_| ())
    }

    /// The device that `choice` stands for where so many bytes are wanted; nothing is opened.
    pub fn resolve(&self, choice: &Device, wanted_bytes: u64) -> Result<Device, DeviceError> {
        self.find(choice, wanted_bytes).map(|(provider, index, ..)| Device::named(provider.name(), index))
    }

    /// What `choice` stands for, and what was passed over for it.
    fn find(
        &self,
        choice: &Device,
        wanted_bytes: u64,
    ) -> Result<(&dyn Provider, usize, Found, Vec<String>), DeviceError> {
        let absent = || {
            let found: Vec<_> =
                self.found().iter().map(|(device, found)| format!("{device} ({})", found.name)).collect();
            DeviceError::Absent { device: choice.clone(), found: found.join(", ") }
        };
        match choice {
            Device::Auto => {
                let mut passed_over = Vec::new();
                for provider in self.providers.iter() {
                    for (index, found) in provider.found().into_iter().enumerate() {
                        let device = Device::named(provider.name(), index);
                        match found.passed_over(wanted_bytes) {
                            None => return Ok((&**provider, index, found, passed_over)),
                            Some(_) if found.software => {}
                            Some(why) => passed_over.push(format!("{device} ({}): {why}", found.name)),
                        }
                    }
                }
                Err(absent())
            }
            Device::Named { kind, index } => {
                let provider = self.providers.iter().find(|provider| provider.name() == kind);
                let known = || self.providers.iter().map(|one| one.name()).collect::<Vec<_>>().join(", ");
                let provider =
                    provider.ok_or_else(|| DeviceError::Unknown { kind: kind.clone(), known: known() })?;
                if let Some(reason) = provider.out_of_reach() {
                    return Err(DeviceError::Unusable { device: choice.clone(), reason: reason.into() });
                }
                let found = provider.found().into_iter().nth(*index).ok_or_else(absent)?;
                Ok((&**provider, *index, found, Vec::new()))
            }
        }
    }
}

/// What there is to say of `auto`'s choice; nothing where there was none.
fn told(device: &Device, found: &Found, passed_over: &[String]) -> Option<String> {
    match passed_over {
        [] if found.api.is_empty() => None,
        [] => Some(format!("computing on {device} ({}, {})", found.name, found.api)),
        _ => Some(format!("computing on {device} ({}), not on {}", found.name, passed_over.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    struct Fixed(&'static str, Vec<Found>);

    impl Provider for Fixed {
        fn name(&self) -> &str {
            self.0
        }

        fn found(&self) -> Vec<Found> {
            self.1.clone()
        }

        fn open(&self, _index: usize, _setup: Setup) -> Result<Box<dyn Backend>, String> {
            Ok(Box::new(tandem_tensor::Reference))
        }
    }

    struct Beyond;

    impl Provider for Beyond {
        fn name(&self) -> &str {
            "gpu"
        }

        fn found(&self) -> Vec<Found> {
            Vec::new()
        }

        fn out_of_reach(&self) -> Option<&'static str> {
            Some("built without it")
        }

        fn open(&self, _index: usize, _setup: Setup) -> Result<Box<dyn Backend>, String> {
            Err("never found".into())
        }
    }

    #[test]
    fn a_kind_that_was_not_built_in_is_refused_with_the_reason() {
        let cpu = Found { name: "two cores".into(), ..Found::default() };
        let registry = Registry {
            providers: Arc::new([Arc::new(Beyond), Arc::new(Fixed("cpu", vec![cpu]))]),
            teller: None,
        };
        assert_eq!(registry.out_of_reach(), [("gpu", "built without it")]);
        let error = registry.check(&Device::named("gpu", 0)).unwrap_err();
        assert_eq!(error.to_string(), "the device gpu cannot be used: built without it");
        assert_eq!(registry.resolve(&Device::Auto, 0).unwrap(), Device::cpu());
    }

    /// What `auto` takes for a model of `wanted_bytes`, and what it says.
    fn chosen(gpus: Vec<Found>, wanted_bytes: u64) -> (String, Vec<String>) {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let teller = Arc::clone(&heard);
        let cpu = Found { name: "two cores".into(), ..Found::default() };
        let registry = Registry {
            providers: Arc::new([Arc::new(Fixed("gpu", gpus)), Arc::new(Fixed("cpu", vec![cpu]))]),
            teller: Some(Arc::new(move |told| teller.lock().unwrap().push(told.to_owned()))),
        };
        let setup = || Setup { wanted_bytes, ..Setup::default() };
        let opened = registry.open(&Device::Auto, setup()).unwrap();
        // A choice that was made by hand is not commented on.
        registry.open(&Device::cpu(), setup()).unwrap();
        let told = heard.lock().unwrap().clone();
        (opened.device.to_string(), told)
    }

    #[test]
    fn auto_says_what_it_took_and_why_not_something_better() {
        let gpu = |name: &str, free_bytes| Found {
            name: name.into(),
            api: "Vulkan".into(),
            free_bytes: Some(free_bytes),
            ..Found::default()
        };
        let (small, large) = (gpu("small", 1_000_000_000), gpu("large", 9_000_000_000));
        let software = Found {
            software: true,
            drawback: Some("it is a program on the CPU, for tests".into()),
            ..gpu("llvmpipe", 9_000_000_000)
        };
        let broken = Found { drawback: Some("it has no subgroup operations".into()), ..large.clone() };

        assert_eq!(chosen(vec![], 1), ("cpu".into(), vec![]));
        assert_eq!(chosen(vec![software.clone()], 1), ("cpu".into(), vec![]));
        let told = "computing on gpu (small, Vulkan)";
        assert_eq!(chosen(vec![small.clone(), large.clone()], 1), ("gpu".into(), vec![told.into()]));
        let told = "computing on gpu:1 (large), not on gpu (small): 1.0 GB of 2.0 GB wanted are free";
        let found = vec![small.clone(), large];
        assert_eq!(chosen(found, 2_000_000_000), ("gpu:1".into(), vec![told.into()]));
        let told = "computing on cpu (two cores), not on gpu (large): it has no subgroup operations; \
                    gpu:1 (small): 1.0 GB of 2.0 GB wanted are free";
        let found = vec![broken, small, software];
        assert_eq!(chosen(found, 2_000_000_000), ("cpu".into(), vec![told.into()]));
    }
}
