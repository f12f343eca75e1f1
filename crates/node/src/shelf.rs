//! The models on this machine.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tandem_cluster::ModelHere;
use tandem_devices::{Device, Registry, Setup};
use tandem_hub::Store;
use tandem_models::{Shard, Tensor};
use tandem_plan::{ModelFacts, RANKS_MAX};
use tandem_runtime::{Kept, LoadError, ModelFile, Options};

use crate::model_facts::model_facts;

/// Models of the store and those a person named, with what the planner must know of each.
pub struct Shelf {
    store: Store,
    /// Where models compute here, which decides what they take.
    device: Device,
    /// Most sequences decoded together; windows are kept for so many.
    sequences_max: usize,
    named: Mutex<BTreeMap<String, PathBuf>>,
    pulling: Mutex<BTreeSet<String>>,
    /// Models whose files were read and compared with their hashes, with what is wrong with them.
    checked: Mutex<BTreeMap<String, Option<String>>>,
    /// What files say of themselves, read once for each size.
    facts: Mutex<HashMap<(PathBuf, u64), Option<ModelHere>>>,
}

impl Shelf {
    pub fn new(store: Store, device: Device, sequences_max: usize) -> Shelf {
        Shelf {
            store,
            device,
            sequences_max,
            named: Mutex::default(),
            pulling: Mutex::default(),
            checked: Mutex::default(),
            facts: Mutex::default(),
        }
    }

    /// A model that need not be in the store.
    pub fn name(&self, name: &str, path: PathBuf) {
        lock(&self.named).insert(name.to_owned(), path);
    }

    pub fn named(&self) -> BTreeMap<String, PathBuf> {
        lock(&self.named).clone()
    }

    /// Models on their way here from the hub.
    pub fn pulling(&self) -> BTreeSet<String> {
        lock(&self.pulling).clone()
    }

    pub fn set_pulling(&self, name: &str, pulling: bool) {
        match pulling {
            true => _ = lock(&self.pulling).insert(name.to_owned()),
            false => _ = lock(&self.pulling).remove(name),
        }
    }

    /// By name; a person's own names come first.
    pub fn paths(&self) -> BTreeMap<String, PathBuf> {
        let stored = self.store.list().unwrap_or_default();
        let mut paths: BTreeMap<_, _> =
            stored.iter().map(|local| (local.short_name(), local.path())).collect();
        paths.extend(self.named());
        paths
    }

    /// Files that cannot be read are left out; loading one says why.
    pub fn list(&self) -> BTreeMap<String, ModelHere> {
        let read = |(name, path): (String, PathBuf)| Some((name, self.facts(&path)?));
        self.paths().into_iter().filter_map(read).collect()
    }

    /// Compares a pulled model's files with their hashes, once in the life of the node and on a thread of its own: reading all of
    /// a large model takes minutes.
    pub fn check_later(self: &Arc<Shelf>, name: &str) {
        let stored =
            self.store.list().unwrap_or_default().into_iter().find(|local| local.short_name() == name);
        let Some(stored) = stored.filter(|_| !self.named().contains_key(name)) else { return };
        if lock(&self.checked).insert(name.to_owned(), None).is_some() {
            return;
        }
        let (shelf, name) = (Arc::clone(self), name.to_owned());
        std::thread::spawn(move || {
            let damaged = stored.damaged();
            if !damaged.is_empty() {
                let told = format!(
                    "the files of {name} are not what was pulled ({}); remove the model and pull it again",
                    damaged.join(", ")
                );
                tracing::warn!("{told}");
                lock(&shelf.checked).insert(name, Some(told));
            }
        });
    }

    /// What was found wrong with models' files.
    pub fn damages(&self) -> Vec<String> {
        lock(&self.checked).values().flatten().cloned().collect()
    }

    /// The whole file of this version of a model.
    pub fn path(&self, name: &str, version: u64) -> Option<PathBuf> {
        let path = self.paths().remove(name)?;
        (self.facts(&path)?.version == version).then_some(path)
    }

    fn facts(&self, path: &Path) -> Option<ModelHere> {
        let bytes = path.metadata().ok()?.len();
        let key = (path.to_owned(), bytes);
        let known = lock(&self.facts).get(&key).cloned();
        known.unwrap_or_else(|| {
            let read = read_facts(path, &self.device, self.sequences_max).ok();
            lock(&self.facts).insert(key, read.clone());
            read
        })
    }
}

/// Tokens by which windows have all their blocks, if they are worth having.
const WINDOWS_FULL: usize = 16_384;

/// What the planner must know of a model, from the headers of its files alone.
pub fn facts_of(path: &Path) -> Result<ModelHere, LoadError> {
    let options = Options::default();
    read_facts(path, &options.device, options.sequences_max)
}

fn read_facts(path: &Path, device: &Device, sequences_max: usize) -> Result<ModelHere, LoadError> {
    let file = ModelFile::open(path)?;
    let identity = file.weights().identity();
    let facts = serde_json::to_vec(&file_facts(&file, device, sequences_max)?).unwrap_or_default();
    Ok(ModelHere { bytes: identity.bytes, version: identity.header_hash, facts })
}

/// What the planner must know of a model that is here.
pub fn file_facts(file: &ModelFile, device: &Device, sequences_max: usize) -> Result<ModelFacts, LoadError> {
    let model = file.description()?;
    let layers = model.layers.len();
    let program = file.program(&model, &Shard::whole(&model))?;
    let backend = Registry::default().open(device, Setup::default())?.backend;
    let options = Options { sequences_max, ..Options::default() };
    let footprint =
        |context: usize| backend.footprint(&program, &options.limits_for(Kept::by(&model), context, context));
    let least = footprint(2048);
    // Beyond these lengths short windows grow no more.
    let (short, long) = (footprint(WINDOWS_FULL), footprint(2 * WINDOWS_FULL));
    let cache_bytes_per_token = (long.cache - short.cache) / WINDOWS_FULL as u64;
    let bytes: HashMap<&str, u64> =
        program.weights.iter().map(|weight| (weight.name.as_str(), weight.bytes())).collect();
    let bytes_of = |tensor: &Tensor| bytes.get(tensor.name.as_str()).copied().unwrap_or(0);
    let divides = |ranks: &usize| file.divide(&model, 0..layers, &vec![1.0; *ranks]).is_ok();
    let counted = model_facts(&model, bytes_of);
    // In memory a weight may take more or less than in the file.
    let packed =
        |bytes: u64| (bytes as f64 * least.weights as f64 / counted.weights_bytes.max(1) as f64) as u64;
    Ok(ModelFacts {
        weights_bytes: least.weights,
        ends_bytes: packed(counted.ends_bytes).min(least.weights),
        read_bytes: packed(counted.read_bytes).max(1),
        replicated_bytes: packed(counted.replicated_bytes),
        scratch_bytes: least.scratch,
        cache_bytes_per_token,
        window_cache_bytes: short.cache - cache_bytes_per_token * WINDOWS_FULL as u64,
        ranks_max: (2..=RANKS_MAX).rev().find(divides).unwrap_or(1),
        ..counted
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
