//! Safetensors: a JSON header of names, types, shapes and offsets, then the weights.
//!
//! A large model is a folder of such files with an index that says which tensor lies in which.

mod header;
mod index;

use crate::file::ModelFile;
use crate::shown::shown;
use crate::weights::{self, FormatError, Identity, Shape, TensorInfo, Weights};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tandem_tensor::{DType, Slice};

pub const INDEX_NAME: &str = "model.safetensors.index.json";
pub const SINGLE_NAME: &str = "model.safetensors";

#[derive(Debug)]
pub struct Safetensors {
    /// What was opened.
    path: PathBuf,
    files: Vec<Opened>,
    tensors: Vec<SafetensorsTensor>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct Opened {
    file: ModelFile,
    header_bytes: usize,
}

/// A tensor as the file describes it.
#[derive(Clone, Debug)]
pub struct SafetensorsTensor {
    pub name: String,
    /// As the file spells it: `F32`, `BF16`, `I64`, …
    pub kind: String,
    /// Slowest first: the last is the number of columns.
    pub dims: Vec<u64>,
    file: usize,
    /// Bytes of the file.
    range: Range<u64>,
}

impl Safetensors {
    /// Opens one file, an index of several, or a folder that holds `model.safetensors.index.json` or
    /// `model.safetensors`.
    pub fn open(path: impl AsRef<Path>) -> Result<Safetensors, SafetensorsError> {
        let path = path.as_ref();
        let path = if path.is_dir() { model_in(path)? } else { path.to_owned() };
        let mut model = Safetensors {
            path: path.clone(),
            files: Vec::new(),
            tensors: Vec::new(),
            by_name: HashMap::new(),
        };
        if path.extension().is_some_and(|extension| extension == "json") {
            let index = index::Index::open(&path)?;
            for file in index.files() {
                model.add_file(&file)?;
            }
            index.check(|name| {
                let tensor = &model.tensors[*model.by_name.get(name)?];
                Some(model.files[tensor.file].file.path())
            })?;
        } else {
            model.add_file(&path)?;
        }
        Ok(model)
    }

    /// In the order of the files, and within each of their bytes.
    pub fn tensors(&self) -> &[SafetensorsTensor] {
        &self.tensors
    }

    pub fn find(&self, name: &str) -> Option<&SafetensorsTensor> {
        self.by_name.get(name).map(|&index| &self.tensors[index])
    }

    fn add_file(&mut self, path: &Path) -> Result<(), SafetensorsError> {
        let io = |source| SafetensorsError::Io { path: path.to_owned(), source };
        let file = ModelFile::open(path).map_err(io)?;
        let (header_bytes, tensors) = header::parse(&file, self.files.len())?;
        for tensor in tensors {
            let index = self.tensors.len();
            if self.by_name.insert(tensor.name.clone(), index).is_some() {
                return Err(SafetensorsError::DuplicateTensor {
                    path: path.to_owned(),
                    tensor: shown(&tensor.name),
                });
            }
            self.tensors.push(tensor);
        }
        self.files.push(Opened { file, header_bytes });
        Ok(())
    }

    fn info(&self, tensor: &SafetensorsTensor) -> Result<TensorInfo, SafetensorsError> {
        let path = || self.files[tensor.file].file.path().to_owned();
        let dtype = dtype_of(&tensor.kind).ok_or_else(|| SafetensorsError::UnsupportedType {
            path: path(),
            tensor: shown(&tensor.name),
            found: shown(&tensor.kind),
        })?;
        let mut dims = tensor.dims.clone();
        dims.reverse();
        let shape = Shape::from_fastest_first(&dims).ok_or_else(|| SafetensorsError::Shape {
            path: path(),
            tensor: shown(&tensor.name),
            dims: tensor.dims.iter().copied().take(8).collect(),
            expected: "at most 3 dimensions".to_owned(),
        })?;
        Ok(TensorInfo { name: tensor.name.clone(), dtype, shape })
    }
}

impl Weights for Safetensors {
    fn tensor(&self, name: &str) -> Result<Option<TensorInfo>, FormatError> {
        Ok(self.find(name).map(|tensor| self.info(tensor)).transpose()?)
    }

    fn names(&self) -> Vec<&str> {
        self.tensors.iter().map(|tensor| tensor.name.as_str()).collect()
    }

    fn read(&self, name: &str, slice: &Slice, out: &mut [u8]) -> Result<(), FormatError> {
        let Some(tensor) = self.find(name) else {
            return Err(FormatError::NoTensor { file: self.path.clone(), tensor: shown(name) });
        };
        let info = self.info(tensor)?;
        weights::read_slice(&self.files[tensor.file].file, tensor.range.start, &info, slice, out)
    }

    fn identity(&self) -> Identity {
        let mut identity = Identity::new();
        for Opened { file, header_bytes } in &self.files {
            identity.add(file.len(), &file.bytes()[..*header_bytes]);
        }
        identity
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SafetensorsError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} holds neither {INDEX_NAME} nor {SINGLE_NAME}; name the model's file")]
    NoModel { path: PathBuf },
    #[error(
        "{path} is not a whole safetensors file: its header claims {claimed} bytes, the file has {len}. It is cut \
         short, damaged or of another kind; download it again"
    )]
    Header { path: PathBuf, claimed: u64, len: u64 },
    #[error("{path}: the header is not what safetensors expects: {source}")]
    Json { path: PathBuf, source: serde_json::Error },
    #[error("{path}: tensor `{tensor}` occurs twice")]
    DuplicateTensor { path: PathBuf, tensor: String },
    #[error("{path}: tensor `{tensor}` has shape {dims:?}; expected {expected}")]
    Shape { path: PathBuf, tensor: String, dims: Vec<u64>, expected: String },
    #[error(
        "{path}: tensor `{tensor}` needs bytes {start} to {end}, but the file has {len}. It is cut short or damaged; \
         download it again"
    )]
    OutOfFile { path: PathBuf, tensor: String, start: u64, end: u64, len: u64 },
    #[error("{path}: tensors `{first}` and `{second}` overlap at byte {at}")]
    Overlap { path: PathBuf, first: String, second: String, at: u64 },
    #[error(
        "{path}: tensor `{tensor}` is of type {found}, which is not supported; supported: {}",
        KINDS.map(|(name, _)| name).join(" ")
    )]
    UnsupportedType { path: PathBuf, tensor: String, found: String },
    #[error("{path}: `{file}` is no plain file name; shards lie beside their index")]
    ShardName { path: PathBuf, file: String },
    #[error("{path} says that tensor `{tensor}` lies in {file}, but it does not")]
    NotInShard { path: PathBuf, tensor: String, file: String },
}

/// The types we read, by the file's name for them: the one place to add another.
const KINDS: [(&str, DType); 3] = [("F32", DType::F32), ("F16", DType::F16), ("BF16", DType::BF16)];

fn dtype_of(kind: &str) -> Option<DType> {
    KINDS.into_iter().find(|(name, _)| *name == kind).map(|(_, dtype)| dtype)
}

fn model_in(folder: &Path) -> Result<PathBuf, SafetensorsError> {
    let candidates = [INDEX_NAME, SINGLE_NAME].map(|name| folder.join(name));
    let found = candidates.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| SafetensorsError::NoModel { path: folder.to_owned() })
}
