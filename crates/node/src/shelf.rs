//! The models on this machine.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tandem_cluster::ModelHere;
use tandem_devices::{Device, Registry, Setup};
use tandem_hub::{Store, is_intact};
use tandem_models::{Shard, Tensor};
use tandem_plan::{ModelFacts, RANKS_MAX};
use tandem_ranks::Exchange;
use tandem_runtime::{Kept, LoadError, ModelFile, Options, TowerPlan};

use crate::model_facts::model_facts;
use crate::weights::partial::Partial;

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

    /// Compares a model's files with the hashes they were pulled or converted with, where there are any. See [`Shelf::check_once`].
    pub fn check_later(self: &Arc<Shelf>, name: &str) {
        if let Some(path) = self.named().remove(name) {
            let told =
                format!("{} is not what was written when it was converted; convert it again", path.display());
            return self.check_once(name, move || (is_intact(&path) == Some(false)).then_some(told));
        }
        let stored = self.store.list().unwrap_or_default();
        let Some(stored) = stored.into_iter().find(|local| local.short_name() == name) else { return };
        let model = name.to_owned();
        self.check_once(name, move || {
            let damaged = stored.damaged();
            (!damaged.is_empty()).then(|| {
                let files = damaged.join(", ");
                format!("the files of {model} are not what was pulled ({files}); remove the model and pull it again")
            })
        });
    }

    /// Compares what was fetched of a model from other nodes with its checksums.
    pub fn check_partial_later(self: &Arc<Shelf>, name: &str, folder: &Path) {
        let (model, folder) = (name.to_owned(), folder.to_owned());
        self.check_once(name, move || {
            let damaged = Partial::damaged(&folder).unwrap_or_default();
            (!damaged.is_empty()).then(|| {
                let files = damaged.join(", ");
                format!(
                    "weights of {model} that were fetched from other nodes were damaged on this disk since ({files}); unload \
                     the model and load it again, and what is damaged is fetched anew"
                )
            })
        });
    }

    /// Once in the life of the node and on a thread of its own: reading all of a large model takes minutes. `check` says what is wrong.
    fn check_once(self: &Arc<Shelf>, name: &str, check: impl FnOnce() -> Option<String> + Send + 'static) {
        if lock(&self.checked).insert(name.to_owned(), None).is_some() {
            return;
        }
        let (shelf, name) = (Arc::clone(self), name.to_owned());
        std::thread::spawn(move || {
            if let Some(told) = check() {
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
    let weights = footprint(0).weights;
    // Any rank may come to lead, and then looks at pictures.
    let tower = TowerPlan::of(file, &model)?.map_or(0, |tower| tower.footprint(&*backend).total());
    let scratch = footprint(model.context).scratch + tower;
    // Beyond these lengths short windows grow no more.
    let (short, long) = (footprint(WINDOWS_FULL), footprint(2 * WINDOWS_FULL));
    let cache_bytes_per_token = (long.cache - short.cache) / WINDOWS_FULL as u64;
    let limits = options.limits_for(Kept::by(&model), model.context, 0);
    let exchange =
        Exchange::new(&limits, 1, model.hidden, model.stream_width().max(2 * model.hidden), model.vocab);
    let bytes: HashMap<&str, u64> =
        program.weights.iter().map(|weight| (weight.name.as_str(), weight.bytes())).collect();
    let bytes_of = |tensor: &Tensor| bytes.get(tensor.name.as_str()).copied().unwrap_or(0);
    let divides = |ranks: &usize| file.divide(&model, 0..layers, &vec![1.0; *ranks]).is_ok();
    let counted = model_facts(&model, bytes_of);
    // In memory a weight may take more or less than in the file.
    let packed = |bytes: u64| (bytes as f64 * weights as f64 / counted.weights_bytes.max(1) as f64) as u64;
    Ok(ModelFacts {
        weights_bytes: weights,
        ends_bytes: packed(counted.ends_bytes).min(weights),
        read_bytes: packed(counted.read_bytes).max(1),
        replicated_bytes: packed(counted.replicated_bytes),
        scratch_bytes: scratch,
        exchange_bytes: exchange.bytes(),
        cache_bytes_per_token,
        window_cache_bytes: short.cache - cache_bytes_per_token * WINDOWS_FULL as u64,
        sequences_max,
        ranks_max: (2..=RANKS_MAX).rev().find(divides).unwrap_or(1),
        ..counted
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
