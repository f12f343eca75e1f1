//! A GGUF model: metadata and tensors, in one file or split over several.

mod cursor;
mod error;
mod ggml_type;
mod header;
mod journal;
mod metadata;
mod projector;
mod split;
mod writer;

pub use error::{GgufError, ShapeProblem};
pub use ggml_type::GgmlType;
pub use metadata::{Array, FromValue, Metadata, MetadataError, Value, ValueKind};
pub use writer::{Element, Encode, GgufDataWriter, GgufWriteError, GgufWriter};

use crate::file::ModelFile;
use crate::shown::shown;
use crate::weights::{self, FileHead, FormatError, Identity, Piece, Shape, TensorInfo, Weights};
use header::Header;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tandem_tensor::Slice;

#[derive(Debug)]
pub struct Gguf {
    version: u32,
    parts: Vec<Part>,
    metadata: Metadata,
    /// Of the last part, where that is what the model sees pictures with.
    projector: Option<Metadata>,
    tensors: Vec<GgufTensor>,
    /// Indices of `tensors` in the order of their names.
    by_name: Vec<u32>,
}

#[derive(Debug)]
struct Part {
    file: Arc<ModelFile>,
    header_bytes: usize,
}

/// A tensor as the file describes it.
#[derive(Clone, Debug)]
pub struct GgufTensor {
    pub name: String,
    pub kind: GgmlType,
    /// Fastest first: `dims[0]` is the number of columns (values of a row lie together), `dims[1]` of rows,
    /// `dims[2]` of matrices in a stack of experts.
    pub dims: Vec<u64>,
    /// Stored size; unknown where the type is.
    pub bytes: Option<u64>,
    part: usize,
    /// Offset in its file.
    start: u64,
}

impl Gguf {
    /// Opens a model by its file, or by any part of a split one.
    pub fn open(path: impl AsRef<Path>) -> Result<Gguf, GgufError> {
        let (file, header) = open_part(path.as_ref(), 0)?;
        let Some(split) = split::Split::of(&header.metadata)? else {
            let part = Part { file, header_bytes: header.header_bytes };
            return Gguf::new(header.version, vec![part], header.metadata, header.tensors);
        };

        let mut parts = Vec::new();
        let mut tensors = Vec::new();
        let mut first = None;
        let mut given = Some((file, header));
        for (number, path) in split.paths()?.enumerate() {
            // The part that was given is parsed already; only its tensors must learn their number.
            let (file, mut header) = match given.take_if(|_| number == split.number) {
                Some(given) => given,
                None => {
                    let (file, header) = open_part(&path, number)?;
                    split.check(number, &header.metadata)?;
                    (file, header)
                }
            };
            for tensor in &mut header.tensors {
                tensor.part = number;
            }
            tensors.append(&mut header.tensors);
            parts.push(Part { file, header_bytes: header.header_bytes });
            first.get_or_insert((header.version, header.metadata));
        }
        let (version, metadata) = first.expect("a split has at least two parts");
        split.check_tensors(tensors.len())?;
        Gguf::new(version, parts, metadata, tensors)
    }

    /// The same, with the file beside it that it sees pictures with, where there is one.
    pub fn open_seeing(path: impl AsRef<Path>) -> Result<Gguf, GgufError> {
        let model = Gguf::open(path)?;
        let number = model.parts.len();
        let found = projector::candidates(model.parts[0].file.path()).into_iter().find_map(|path| {
            // What cannot be read may be anybody's.
            let part = open_part(&path, number).ok();
            part.filter(|(_, header)| projector::is_for(&header.metadata, &model.metadata))
        });
        let Some((file, mut header)) = found else { return Ok(model) };
        let Gguf { version, mut parts, metadata, mut tensors, .. } = model;
        parts.push(Part { file, header_bytes: header.header_bytes });
        tensors.append(&mut header.tensors);
        Ok(Gguf { projector: Some(header.metadata), ..Gguf::new(version, parts, metadata, tensors)? })
    }

    fn new(
        version: u32,
        parts: Vec<Part>,
        metadata: Metadata,
        tensors: Vec<GgufTensor>,
    ) -> Result<Gguf, GgufError> {
        let by_name = header::sorted(tensors.len(), |i| tensors[i].name.as_str()).map_err(|i| {
            let path = parts[tensors[i].part].file.path().to_owned();
            GgufError::DuplicateTensor { path, tensor: shown(&tensors[i].name) }
        })?;
        Ok(Gguf { version, parts, metadata, projector: None, tensors, by_name })
    }

    /// The format's version, 2 or 3.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Of a split model, that of the first part, which carries it all.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// That of the file that the model sees pictures with.
    pub fn projector(&self) -> Option<&Metadata> {
        self.projector.as_ref()
    }

    /// In the order of the file.
    pub fn tensors(&self) -> &[GgufTensor] {
        &self.tensors
    }

    pub fn find(&self, name: &str) -> Option<&GgufTensor> {
        let index = header::find_sorted(&self.by_name, name, |i| &self.tensors[i].name)?;
        Some(&self.tensors[index])
    }

    /// A tensor's bytes where they lie in the mapped file; touching them makes them resident.
    pub fn data(&self, name: &str) -> Result<&[u8], GgufError> {
        let tensor = self.find(name).ok_or_else(|| GgufError::NoTensor {
            path: self.parts[0].file.path().to_owned(),
            tensor: shown(name),
        })?;
        let info = self.info(tensor)?;
        let start = tensor.start as usize;
        Ok(&self.parts[tensor.part].file.bytes()[start..start + info.bytes()])
    }

    /// Total size of the files.
    pub fn file_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.file.len()).sum()
    }

    fn info(&self, tensor: &GgufTensor) -> Result<TensorInfo, GgufError> {
        let path = || self.parts[tensor.part].file.path().to_owned();
        let GgmlType::Known(dtype) = tensor.kind else {
            return Err(GgufError::UnsupportedType {
                path: path(),
                tensor: shown(&tensor.name),
                found: tensor.kind,
            });
        };
        let shape = Shape::from_fastest_first(&tensor.dims).ok_or_else(|| GgufError::Shape {
            path: path(),
            tensor: shown(&tensor.name),
            dims: tensor.dims.clone(),
            problem: ShapeProblem::Beyond3,
        })?;
        Ok(TensorInfo { name: tensor.name.clone(), dtype, shape })
    }
}

impl Weights for Gguf {
    fn tensor(&self, name: &str) -> Result<Option<TensorInfo>, FormatError> {
        Ok(self.find(name).map(|tensor| self.info(tensor)).transpose()?)
    }

    fn names(&self) -> Vec<&str> {
        self.tensors.iter().map(|tensor| tensor.name.as_str()).collect()
    }

    fn read(&self, name: &str, slice: &Slice, out: &mut [u8]) -> Result<(), FormatError> {
        let Some(tensor) = self.find(name) else {
            return Err(FormatError::NoTensor { file: self.path().to_owned(), tensor: shown(name) });
        };
        let info = self.info(tensor)?;
        weights::read_slice(&self.parts[tensor.part].file, tensor.start, &info, slice, out)
    }

    fn pieces(&self, name: &str, slice: &Slice) -> Result<Vec<Piece>, FormatError> {
        let Some(tensor) = self.find(name) else {
            return Err(FormatError::NoTensor { file: self.path().to_owned(), tensor: shown(name) });
        };
        let info = self.info(tensor)?;
        let path = self.parts[tensor.part].file.path();
        weights::pieces_of(path, tensor.part, tensor.start, &info, slice)
    }

    fn files(&self) -> Vec<FileHead> {
        let head = |part: &Part| FileHead {
            path: part.file.path().to_owned(),
            bytes: part.file.len(),
            header_bytes: part.header_bytes as u64,
        };
        self.parts.iter().map(head).collect()
    }

    fn identity(&self) -> Identity {
        let mut identity = Identity::new();
        for part in &self.parts {
            identity.add(part.file.len(), &part.file.bytes()[..part.header_bytes]);
        }
        identity
    }

    fn version_here(&self) -> io::Result<u64> {
        let mut identity = Identity::new();
        for part in &self.parts {
            identity.add_version(&part.file, &part.file.bytes()[..part.header_bytes])?;
        }
        Ok(identity.header_hash)
    }

    fn path(&self) -> &Path {
        self.parts[0].file.path()
    }
}

fn open_part(path: &Path, number: usize) -> Result<(Arc<ModelFile>, Header), GgufError> {
    let file = ModelFile::open(path).map_err(|source| GgufError::Io { path: path.to_owned(), source })?;
    let file = Arc::new(file);
    let header = Header::parse(file.clone(), number)?;
    Ok((file, header))
}
