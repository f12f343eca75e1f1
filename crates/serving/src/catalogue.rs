//! The models that requests may name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use tandem_api::{Failure, ModelCard};
use tandem_hub::Store;
use tandem_runtime::ModelFile;

/// Models of the store, and those named when the service was started. Requests name models, never files.
pub struct Catalogue {
    store: Store,
    /// By name, with where they are.
    named: Vec<Known>,
    /// What files say of themselves, read once.
    cards: Mutex<HashMap<PathBuf, ModelCard>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub name: String,
    pub path: PathBuf,
    digest: String,
}

impl Catalogue {
    pub fn new(store: Store) -> Catalogue {
        Catalogue { store, named: Vec::new(), cards: Mutex::default() }
    }

    /// A model that need not be in the store.
    pub fn name(&mut self, name: String, path: PathBuf) {
        self.named.push(Known { name, path, digest: String::new() });
    }

    pub fn known(&self) -> Vec<Known> {
        let mut known = self.named.clone();
        // A store that cannot be read has no models.
        for local in self.store.list().unwrap_or_default() {
            let path = local.path();
            if !known.iter().any(|model| model.path == path) {
                let digest = local.manifest.files.first().map(|file| file.sha256.clone()).unwrap_or_default();
                known.push(Known { name: local.short_name(), path, digest });
            }
        }
        known
    }

    /// By its name, its full name `org/name:quant`, or with the `:latest` that some clients add.
    pub fn find(&self, name: &str) -> Result<Known, Failure> {
        let known = self.known();
        let plain = name.strip_suffix(":latest").unwrap_or(name);
        let by_name = known.iter().find(|model| model.name.eq_ignore_ascii_case(plain));
        if let Some(model) = by_name {
            return Ok(model.clone());
        }
        let local = self.store.list().unwrap_or_default();
        let by_full_name = local.iter().find(|local| {
            local.manifest.name().eq_ignore_ascii_case(plain)
                || local.manifest.hub.as_str().eq_ignore_ascii_case(plain)
        });
        match by_full_name.and_then(|local| known.iter().find(|model| model.path == local.path())) {
            Some(model) => Ok(model.clone()),
            None => Err(Failure::unknown_model(name, known.iter().map(|model| model.name.as_str()))),
        }
    }

    pub fn cards(&self) -> Vec<ModelCard> {
        let mut cards: Vec<ModelCard> = self.known().iter().map(|known| self.card(known)).collect();
        cards.sort_by(|a, b| a.name.cmp(&b.name));
        cards
    }

    pub fn card(&self, known: &Known) -> ModelCard {
        let mut cards = self.cards.lock().expect("nobody panics holding this");
        let card = cards.entry(known.path.clone()).or_insert_with(|| read_card(&known.path));
        ModelCard { name: known.name.clone(), digest: known.digest.clone(), ..card.clone() }
    }
}

/// A file that cannot be read has a card that says little; loading it says why.
fn read_card(path: &Path) -> ModelCard {
    let modified = path.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let mut card = ModelCard {
        modified_unix_s: modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        ..ModelCard::default()
    };
    let Ok(file) = ModelFile::open(path) else { return card };
    card.format = if file.gguf().is_some() { "gguf" } else { "safetensors" }.into();
    let weights = file.weights();
    let mut types: HashMap<String, u64> = HashMap::new();
    for name in weights.names() {
        let Ok(Some(tensor)) = weights.tensor(name) else { continue };
        let shape = tensor.shape;
        card.parameters += (shape.experts * shape.rows * shape.cols) as u64;
        card.size_bytes += tensor.bytes() as u64;
        *types.entry(format!("{:?}", tensor.dtype)).or_default() += tensor.bytes() as u64;
    }
    let largest = types.into_iter().max_by_key(|(_, bytes)| *bytes);
    card.quantisation =
        tandem_hub::quant_of(&path.to_string_lossy()).or(largest.map(|(name, _)| name)).unwrap_or_default();
    if let Ok(model) = file.description() {
        card.family = model.architecture.to_owned();
        card.context = model.context;
        card.sees = model.tower.is_some();
    }
    card.template = file.template().ok().flatten().unwrap_or_default();
    card.tools = card.template.contains("tools");
    card.thinks = card.template.contains("thinking") || card.template.contains("<think>");
    card
}
