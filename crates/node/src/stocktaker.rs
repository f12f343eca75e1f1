//! What this node has, looked at again and again.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tandem_cluster::{Input, Inventory};
use tandem_devices::Device;
use tandem_plan::room_bytes;
use tokio::sync::{mpsc, oneshot};

use crate::accelerators;
use crate::devices::{self, DeviceHere, Lister, listed};
use crate::home::Home;
use crate::machine;
use crate::part::Workers;
use crate::prober::Measures;
use crate::runs::Runs;
use crate::shelf::Shelf;
use crate::shell::Event;

/// What the inventory is gathered from.
pub struct Stocktaker {
    pub home: Arc<Home>,
    pub shelf: Arc<Shelf>,
    pub name: String,
    pub cores: Option<usize>,
    pub memory_bytes: Option<u64>,
    pub devices: Option<Lister>,
    /// Where a person wants models to compute.
    pub device: Device,
    pub unfit: Unfit,
    pub api: Option<String>,
    pub links: Measures,
    pub runs: Arc<Runs>,
    /// Whose memory is this node's to give.
    pub workers: Workers,
}

/// Models that failed to load on devices of this node, by device.
pub type Unfit = Arc<Mutex<BTreeSet<(String, String)>>>;

/// Small changes of free memory are not worth telling everyone.
const MEMORY_STEP: u64 = 64 << 20;
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Looks now and then, and when asked to, and tells the core what has changed.
pub async fn keep_inventory(
    stocktaker: Stocktaker,
    events: mpsc::UnboundedSender<Event>,
    mut looks: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
) {
    let mut asked: Option<oneshot::Sender<()>> = None;
    let first = tokio::task::spawn_blocking(move || (stocktaker.lasting(), stocktaker));
    let Ok((lasting, stocktaker)) = first.await else { return };
    let stocktaker = Arc::new((stocktaker, lasting));
    let mut last = None;
    loop {
        let look = Arc::clone(&stocktaker);
        let inventory = tokio::task::spawn_blocking(move || look.0.inventory(&look.1)).await;
        let Ok(inventory) = inventory else { return };
        if last.as_ref() != Some(&inventory) {
            last = Some(inventory.clone());
            let _ = events.send(Event::Input(Input::Inventory(Box::new(inventory))));
        }
        if let Some(asked) = asked.take() {
            let _ = asked.send(());
        }
        tokio::select! {
            next = looks.recv() => match next {
                Some(next) => asked = Some(next),
                None => return,
            },
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

impl Stocktaker {
    /// What does not change while the node runs.
    fn lasting(&self) -> Inventory {
        let system_cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let cores = self.cores.unwrap_or(system_cores);
        Inventory {
            name: self.name.clone(),
            software: env!("CARGO_PKG_VERSION").to_owned(),
            cores: cores as u32,
            read_bytes_per_s: machine::read_bytes_per_s(&self.home, cores.min(system_cores)),
            accelerators: accelerators::found(),
            devices: serde_json::to_vec(&self.listed()).unwrap_or_default(),
            api: self.api.clone(),
            machine: machine::id(),
            ..Inventory::default()
        }
    }

    fn listed(&self) -> Vec<DeviceHere> {
        let lister = self.devices.as_ref().filter(|_| self.device != Device::cpu());
        lister.map_or_else(Vec::new, |lister| listed(lister, &self.device))
    }

    /// With what they turned out not to run.
    fn tried(&self, lasting: &Inventory) -> Vec<u8> {
        let unfit = self.unfit.lock().unwrap_or_else(PoisonError::into_inner);
        if unfit.is_empty() {
            return lasting.devices.clone();
        }
        let mut devices = devices::told(lasting);
        for device in &mut devices {
            let own = unfit.iter().filter(|(at, _)| *at == device.device);
            device.unfit = own.map(|(_, model)| model.clone()).collect();
        }
        serde_json::to_vec(&devices).unwrap_or_default()
    }

    fn inventory(&self, lasting: &Inventory) -> Inventory {
        let free = tandem_runtime::available_bytes().unwrap_or(8 << 30);
        let room = room_bytes(free + self.workers.resident_bytes());
        let memory = self.memory_bytes.map_or(room, |most| most.min(room));
        Inventory {
            memory_bytes: memory
                .next_multiple_of(MEMORY_STEP)
                .saturating_sub(MEMORY_STEP)
                .max(memory.min(MEMORY_STEP)),
            models: self.shelf.list(),
            devices: self.tried(lasting),
            pulling: self.shelf.pulling(),
            links: self.links.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            runs: serde_json::to_vec(&self.runs.known()).unwrap_or_default(),
            ..lasting.clone()
        }
    }
}
