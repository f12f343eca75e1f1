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
    /// Whether what it has is a part of the machine's memory.
    pub unified: bool,
    /// That the system lets it have only a part of the machine's memory, and how it is told to let it have more.
    pub limit: Option<String>,
    /// Whether it is a program on the processor: never better than the processor itself.
    pub software: bool,
    /// Why `auto` never takes it.
    pub drawback: Option<String>,
}

impl Found {
    /// Why `auto` does not take it for a model of so many bytes.
    pub fn passed_over(&self, wanted_bytes: u64) -> Option<String> {
        self.drawback.clone().or(self.too_small(wanted_bytes))
    }

    fn too_small(&self, wanted_bytes: u64) -> Option<String> {
        let free = self.free_bytes.filter(|free| *free < wanted_bytes)?;
        let limit = self.limit.as_ref().map_or_else(String::new, |limit| format!(" ({limit})"));
        let (free, wanted) = (free as f64 / 1e9, wanted_bytes as f64 / 1e9);
        Some(format!("{free:.1} GB of {wanted:.1} GB wanted are free{limit}"))
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
    /// As [`Found::limit`].
    pub limit: Option<String>,
    /// The devices that `auto` would rather have taken, and why it did not.
    pub passed_over: Vec<String>,
}

/// Where one of several ranks computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankDevice {
    pub device: Device,
    /// Its part of what is free of the device's own memory; `None` where that computes in the machine's memory.
    pub free_bytes: Option<u64>,
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
        self.open_for(choice, 1, setup).map(|(opened, _)| opened)
    }

    /// The devices of so many ranks that divide a model, and the backend of the first. Where `choice` is `auto` or names only a kind, ranks
    /// take the devices of this machine in turn.
    pub fn open_for(
        &self,
        choice: &Device,
        ranks: usize,
        setup: Setup,
    ) -> Result<(Opened, Vec<RankDevice>), DeviceError> {
        let Choice { provider, devices, passed_over } = self.find(choice, ranks, setup.wanted_bytes)?;
        let named = |index: usize| Device::named(provider.name(), index);
        if let (Device::Auto, Some(teller)) = (choice, &self.teller)
            && let Some(told) = told(provider, &devices, &passed_over)
        {
            teller(&told);
        }
        let of_rank = |rank: usize| {
            let at = rank % devices.len();
            let (index, found) = &devices[at];
            // As many as come to this one.
            let sharing = (ranks - at).div_ceil(devices.len()) as u64;
            RankDevice { device: named(*index), free_bytes: found.free_bytes.map(|free| free / sharing) }
        };
        let (index, found) = &devices[0];
        let (device, free_bytes, limit) = (named(*index), found.free_bytes, found.limit.clone());
        match provider.open(*index, setup) {
            Ok(backend) => {
                let opened = Opened { device, backend, free_bytes, limit, passed_over };
                Ok((opened, (0..ranks).map(of_rank).collect()))
            }
            Err(reason) => Err(DeviceError::Unusable { device, reason }),
        }
    }

    /// Whether `choice` stands for a device of this machine; nothing is opened.
    pub fn check(&self, choice: &Device) -> Result<(), DeviceError> {
        self.resolve(choice, 0).map(|_| ())
    }

    /// The device that `choice` stands for where so many bytes are wanted; nothing is opened.
    pub fn resolve(&self, choice: &Device, wanted_bytes: u64) -> Result<Device, DeviceError> {
        let named = |choice: Choice| Device::named(choice.provider.name(), choice.devices[0].0);
        self.find(choice, 1, wanted_bytes).map(named)
    }

    /// What `choice` stands for where so many ranks divide what is wanted, and what was passed over for it.
    fn find(&self, choice: &Device, ranks: usize, wanted_bytes: u64) -> Result<Choice<'_>, DeviceError> {
        let absent = || {
            let found: Vec<_> =
                self.found().iter().map(|(device, found)| format!("{device} ({})", found.name)).collect();
            DeviceError::Absent { device: choice.clone(), found: found.join(", ") }
        };
        match choice {
            Device::Auto => {
                let mut passed_over = Vec::new();
                for provider in self.providers.iter().map(|provider| &**provider) {
                    let found = provider.found();
                    let able = |found: &Found, bytes| found.passed_over(bytes).is_none();
                    let devices = able_together(&found, ranks, wanted_bytes, able);
                    let last = devices.last().map_or(found.len(), |(index, _)| *index);
                    for (index, found) in found.into_iter().enumerate().take(last) {
                        let Some(why) = found.passed_over(wanted_bytes) else { continue };
                        if !found.software && devices.iter().all(|(taken, _)| *taken != index) {
                            let device = Device::named(provider.name(), index);
                            passed_over.push(format!("{device} ({}): {why}", found.name));
                        }
                    }
                    if !devices.is_empty() {
                        return Ok(Choice { provider, devices, passed_over });
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
                let found = provider.found();
                // A kind without a number stands for all of it where there are several ranks; programs that act as devices stand
                // beside each other only.
                let software = found.first().is_some_and(|first| first.software);
                let able = |found: &Found, bytes| match software {
                    true => found.software && found.too_small(bytes).is_none(),
                    false => found.passed_over(bytes).is_none(),
                };
                let devices = match index {
                    0 => able_together(&found, ranks, wanted_bytes, able),
                    _ => Vec::new(),
                };
                let one = || Ok(vec![(*index, found.get(*index).ok_or_else(absent)?.clone())]);
                let devices = if devices.len() > 1 { devices } else { one()? };
                Ok(Choice { provider: &**provider, devices, passed_over: Vec::new() })
            }
        }
    }
}

/// What a choice stands for.
struct Choice<'a> {
    provider: &'a dyn Provider,
    /// By number, in the order in which ranks take them; never empty.
    devices: Vec<(usize, Found)>,
    passed_over: Vec<String>,
}

/// As many devices as can hold, together, what ranks divide evenly; none where there are none.
fn able_together(
    found: &[Found],
    ranks: usize,
    wanted_bytes: u64,
    able: impl Fn(&Found, u64) -> bool,
) -> Vec<(usize, Found)> {
    let of = |count: usize| -> Vec<(usize, Found)> {
        let bytes = (wanted_bytes as f64 * ranks.div_ceil(count) as f64 / ranks as f64) as u64;
        let able = found.iter().enumerate().filter(|(_, found)| able(found, bytes)).take(count);
        able.map(|(index, found)| (index, found.clone())).collect()
    };
    let most = ranks.min(found.len());
    (1..=most)
        .rev()
        .map(|count| (count, of(count)))
        .find(|(count, able)| able.len() == *count)
        .unwrap_or_default()
        .1
}

/// What there is to say of `auto`'s choice; nothing where there was none.
fn told(provider: &dyn Provider, devices: &[(usize, Found)], passed_over: &[String]) -> Option<String> {
    let plain = passed_over.is_empty();
    let name = |(index, found): &(usize, Found)| {
        let device = Device::named(provider.name(), *index);
        let api = if plain { format!(", {}", found.api) } else { String::new() };
        format!("{device} ({}{api})", found.name)
    };
    let on = devices.iter().map(name).collect::<Vec<_>>().join(" and ");
    match plain {
        true if devices[0].1.api.is_empty() => None,
        true => Some(format!("computing on {on}")),
        false => Some(format!("computing on {on}, not on {}", passed_over.join("; "))),
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
    fn ranks_take_the_devices_of_a_machine_in_turn() {
        let gpu =
            |free_bytes| Found { api: "Vulkan".into(), free_bytes: Some(free_bytes), ..Found::default() };
        let software = Found { software: true, drawback: Some("a program".into()), ..gpu(9) };
        let check = |gpus: &[Found], choice: &str, ranks, wanted_bytes, expected: &[(&str, u64)]| {
            let registry = Registry {
                providers: Arc::new([
                    Arc::new(Fixed("gpu", gpus.to_vec())),
                    Arc::new(Fixed("cpu", vec![Found::default()])),
                ]),
                teller: None,
            };
            let setup = Setup { wanted_bytes, ..Setup::default() };
            let (opened, devices) = registry.open_for(&choice.parse().unwrap(), ranks, setup).unwrap();
            let found: Vec<_> =
                devices.iter().map(|rank| (rank.device.to_string(), rank.free_bytes.unwrap_or(0))).collect();
            let expected: Vec<_> = expected.iter().map(|(name, free)| ((*name).to_owned(), *free)).collect();
            assert_eq!((opened.device, found), (devices[0].device.clone(), expected), "{choice} {ranks}");
        };
        let two = [gpu(10), gpu(12)];
        check(&two, "auto", 1, 8, &[("gpu", 10)]);
        check(&two, "auto", 2, 18, &[("gpu", 10), ("gpu:1", 12)]);
        check(&two, "gpu", 3, 12, &[("gpu", 5), ("gpu:1", 12), ("gpu", 5)]);
        // No more of them than hold their part, and one that was named by its number.
        check(&[gpu(3), gpu(12)], "auto", 2, 8, &[("gpu:1", 6), ("gpu:1", 6)]);
        check(&two, "gpu:1", 2, 8, &[("gpu:1", 6), ("gpu:1", 6)]);
        check(&two, "auto", 2, 30, &[("cpu", 0), ("cpu", 0)]);
        check(&two, "cpu", 2, 8, &[("cpu", 0), ("cpu", 0)]);
        // A program that acts as one is taken when it is named.
        check(&[software.clone(), software.clone()], "gpu", 2, 8, &[("gpu", 9), ("gpu:1", 9)]);
        for choice in ["auto", "gpu"] {
            check(&[gpu(10), software.clone()], choice, 2, 8, &[("gpu", 5), ("gpu", 5)]);
        }
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
