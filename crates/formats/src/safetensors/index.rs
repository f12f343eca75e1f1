//! The index of a model in several files: `{"weight_map": {tensor: file name}}`.

use super::SafetensorsError;
use crate::file::ModelFile;
use crate::shown::shown;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

pub(super) struct Index {
    path: PathBuf,
    file_of: BTreeMap<String, String>,
}

impl Index {
    pub fn open(path: &Path) -> Result<Index, SafetensorsError> {
        #[derive(serde::Deserialize)]
        struct Json {
            weight_map: BTreeMap<String, String>,
        }
        let file =
            ModelFile::open(path).map_err(|source| SafetensorsError::Io { path: path.to_owned(), source })?;
        let json: Json = serde_json::from_slice(file.bytes())
            .map_err(|source| SafetensorsError::Json { path: path.to_owned(), source })?;
        for name in json.weight_map.values() {
            // A name that leads elsewhere would let a model read any file.
            let mut components = Path::new(name).components();
            if !matches!((components.next(), components.next()), (Some(Component::Normal(_)), None)) {
                return Err(SafetensorsError::ShardName { path: path.to_owned(), file: shown(name) });
            }
        }
        Ok(Index { path: path.to_owned(), file_of: json.weight_map })
    }

    /// Every shard once, in the order of their names.
    pub fn files(&self) -> Vec<PathBuf> {
        let names: BTreeSet<&String> = self.file_of.values().collect();
        names.into_iter().map(|name| self.path.with_file_name(name)).collect()
    }

    /// Checks that each tensor listed was found where the index says.
    pub fn check<'a>(&self, found_in: impl Fn(&str) -> Option<&'a Path>) -> Result<(), SafetensorsError> {
        for (tensor, file) in &self.file_of {
            if found_in(tensor).and_then(|path| path.file_name()) != Some(file.as_ref()) {
                return Err(SafetensorsError::NotInShard {
                    path: self.path.clone(),
                    tensor: shown(tensor),
                    file: shown(file),
                });
            }
        }
        Ok(())
    }
}
