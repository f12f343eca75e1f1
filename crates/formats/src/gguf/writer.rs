//! Writing a GGUF file tensor by tensor.

use super::GgmlType;
use super::header::DEFAULT_ALIGNMENT;
use super::metadata::{Metadata, Value, ValueKind};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tandem_tensor::DType;

/// The declarations of a file to be written: all metadata and every tensor's name, type and shape, which lie before
/// the weights. [`GgufWriter::start`] writes them and takes the weights.
#[derive(Debug)]
pub struct GgufWriter {
    path: PathBuf,
    keys: HashSet<String>,
    /// Entries in their final form.
    metadata: Vec<u8>,
    tensors: Vec<Declared>,
    names: HashSet<String>,
    /// Of the weights declared so far, padded.
    data_bytes: u64,
}

#[derive(Debug)]
struct Declared {
    name: String,
    dtype: DType,
    dims: Vec<u64>,
    offset: u64,
    bytes: usize,
}

impl GgufWriter {
    /// Nothing is written under `path` before the file is complete.
    pub fn new(path: impl Into<PathBuf>) -> GgufWriter {
        GgufWriter {
            path: path.into(),
            keys: HashSet::new(),
            metadata: Vec::new(),
            tensors: Vec::new(),
            names: HashSet::new(),
            data_bytes: 0,
        }
    }

    pub fn set(&mut self, key: &str, value: impl Encode) -> Result<(), GgufWriteError> {
        if key == "general.alignment" {
            return Err(GgufWriteError::Alignment);
        }
        if !self.keys.insert(key.to_owned()) {
            return Err(GgufWriteError::DuplicateKey { path: self.path.clone(), key: key.to_owned() });
        }
        put_string(key, &mut self.metadata);
        self.metadata.extend(value.kind().id().to_le_bytes());
        value.encode(&mut self.metadata);
        Ok(())
    }

    /// Copies what `keep` says, but what describes the old file's layout (alignment, parts) never.
    pub fn copy_metadata(
        &mut self,
        from: &Metadata,
        keep: impl Fn(&str) -> bool,
    ) -> Result<(), GgufWriteError> {
        for (key, value) in from.iter() {
            if key != "general.alignment" && !key.starts_with("split.") && keep(key) {
                self.set(key, value)?;
            }
        }
        Ok(())
    }

    /// `dims` fastest first: columns, rows, experts.
    pub fn add_tensor(&mut self, name: &str, dtype: DType, dims: &[usize]) -> Result<(), GgufWriteError> {
        let bad = || GgufWriteError::Shape {
            path: self.path.clone(),
            tensor: name.to_owned(),
            dtype,
            dims: dims.to_vec(),
        };
        if dims.is_empty()
            || dims.len() > 4
            || dims.contains(&0)
            || !dims[0].is_multiple_of(dtype.block_len())
        {
            return Err(bad());
        }
        let values =
            dims.iter().try_fold(1usize, |product, &dim| product.checked_mul(dim)).ok_or_else(bad)?;
        let bytes = dtype.bytes_of(values).ok_or_else(bad)?;
        let end = self
            .data_bytes
            .checked_add(bytes as u64)
            .filter(|&end| end <= i64::MAX as u64)
            .ok_or_else(bad)?;
        if !self.names.insert(name.to_owned()) {
            return Err(GgufWriteError::DuplicateTensor { path: self.path.clone(), tensor: name.to_owned() });
        }
        self.tensors.push(Declared {
            name: name.to_owned(),
            dtype,
            dims: dims.iter().map(|&dim| dim as u64).collect(),
            offset: self.data_bytes,
            bytes,
        });
        self.data_bytes = end.next_multiple_of(DEFAULT_ALIGNMENT);
        Ok(())
    }

    /// Writes all declarations to a temporary file beside `path`.
    pub fn start(self) -> Result<GgufDataWriter, GgufWriteError> {
        let partial = partial_path(&self.path);
        let io = |source| GgufWriteError::Io { path: partial.clone(), source };
        let file = File::create(&partial).map_err(io)?;
        // Made before the first write, so that a failure removes the file.
        let mut writer = GgufDataWriter {
            path: self.path,
            partial: partial.clone(),
            file: BufWriter::with_capacity(1 << 20, file),
            tensors: self.tensors,
            next: 0,
            finished: false,
        };
        let header = header(&self.metadata, self.keys.len(), &writer.tensors);
        writer.file.write_all(&header).and_then(|()| pad(&mut writer.file, header.len())).map_err(io)?;
        Ok(writer)
    }
}

/// Takes the weights in the order they were declared. Dropped unfinished, it leaves nothing behind.
#[derive(Debug)]
pub struct GgufDataWriter {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
    tensors: Vec<Declared>,
    next: usize,
    finished: bool,
}

impl GgufDataWriter {
    pub fn write_tensor(&mut self, name: &str, bytes: &[u8]) -> Result<(), GgufWriteError> {
        let expected = self.tensors.get(self.next);
        let Some(declared) = expected.filter(|declared| declared.name == name) else {
            return Err(GgufWriteError::Order {
                path: self.path.clone(),
                found: name.to_owned(),
                expected: expected.map_or("the end", |declared| &declared.name).to_owned(),
            });
        };
        if bytes.len() != declared.bytes {
            return Err(GgufWriteError::Length {
                path: self.path.clone(),
                tensor: name.to_owned(),
                found: bytes.len(),
                expected: declared.bytes,
            });
        }
        let written = self.file.write_all(bytes).and_then(|()| pad(&mut self.file, bytes.len()));
        written.map_err(|source| GgufWriteError::Io { path: self.partial.clone(), source })?;
        self.next += 1;
        Ok(())
    }

    /// Puts the complete file in its place.
    pub fn finish(mut self) -> Result<(), GgufWriteError> {
        if let Some(missing) = self.tensors.get(self.next) {
            return Err(GgufWriteError::Order {
                path: self.path.clone(),
                found: "the end".to_owned(),
                expected: missing.name.clone(),
            });
        }
        let stored = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        stored
            .and_then(|()| fs::rename(&self.partial, &self.path))
            .map_err(|source| GgufWriteError::Io { path: self.path.clone(), source })?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for GgufDataWriter {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to tell if it fails; the name says what the file is.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// A value metadata can hold.
pub trait Encode {
    fn kind(&self) -> ValueKind;
    fn encode(&self, out: &mut Vec<u8>);
}

macro_rules! scalars {
    ($($type:ty: $kind:ident),*) => {$(
        impl Encode for $type {
            fn kind(&self) -> ValueKind {
                ValueKind::$kind
            }
            fn encode(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        }
        impl Element for $type {
            const KIND: ValueKind = ValueKind::$kind;
        }
    )*};
}
scalars!(u8: U8, i8: I8, u16: U16, i16: I16, u32: U32, i32: I32, f32: F32, u64: U64, i64: I64, f64: F64);

impl Encode for bool {
    fn kind(&self) -> ValueKind {
        ValueKind::Bool
    }
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self as u8);
    }
}

impl Encode for &str {
    fn kind(&self) -> ValueKind {
        ValueKind::String
    }
    fn encode(&self, out: &mut Vec<u8>) {
        put_string(self, out);
    }
}

impl Encode for String {
    fn kind(&self) -> ValueKind {
        ValueKind::String
    }
    fn encode(&self, out: &mut Vec<u8>) {
        put_string(self, out);
    }
}

/// A type arrays can be made of; it is known without looking at an element, for the empty ones.
pub trait Element: Encode {
    const KIND: ValueKind;
}

impl Element for bool {
    const KIND: ValueKind = ValueKind::Bool;
}

impl Element for &str {
    const KIND: ValueKind = ValueKind::String;
}

impl Element for String {
    const KIND: ValueKind = ValueKind::String;
}

impl<T: Element> Element for &[T] {
    const KIND: ValueKind = ValueKind::Array;
}

impl<T: Element> Encode for &[T] {
    fn kind(&self) -> ValueKind {
        ValueKind::Array
    }
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(T::KIND.id().to_le_bytes());
        out.extend((self.len() as u64).to_le_bytes());
        for element in *self {
            element.encode(out);
        }
    }
}

impl Encode for Value<'_> {
    fn kind(&self) -> ValueKind {
        Value::kind(*self)
    }
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Value::U8(v) => v.encode(out),
            Value::I8(v) => v.encode(out),
            Value::U16(v) => v.encode(out),
            Value::I16(v) => v.encode(out),
            Value::U32(v) => v.encode(out),
            Value::I32(v) => v.encode(out),
            Value::F32(v) => v.encode(out),
            Value::Bool(v) => v.encode(out),
            Value::Str(v) => v.encode(out),
            Value::Array(v) => out.extend(v.raw()),
            Value::U64(v) => v.encode(out),
            Value::I64(v) => v.encode(out),
            Value::F64(v) => v.encode(out),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum GgufWriteError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("general.alignment is not to be set: files are written with the default of 32")]
    Alignment,
    #[error("{path}: metadata `{key}` is set twice")]
    DuplicateKey { path: PathBuf, key: String },
    #[error("{path}: tensor `{tensor}` is declared twice")]
    DuplicateTensor { path: PathBuf, tensor: String },
    #[error(
        "{path}: tensor `{tensor}` of type {dtype} cannot have shape {dims:?}; expected one to four dimensions, none \
         0, the first a multiple of {}", dtype.block_len()
    )]
    Shape { path: PathBuf, tensor: String, dtype: DType, dims: Vec<usize> },
    #[error("{path}: got {found}, but the next tensor declared is {expected}")]
    Order { path: PathBuf, found: String, expected: String },
    #[error("{path}: tensor `{tensor}` got {found} bytes; expected {expected}")]
    Length { path: PathBuf, tensor: String, found: usize, expected: usize },
}

fn header(metadata: &[u8], entries: usize, tensors: &[Declared]) -> Vec<u8> {
    let mut out = b"GGUF".to_vec();
    out.extend(3u32.to_le_bytes());
    out.extend((tensors.len() as u64).to_le_bytes());
    out.extend((entries as u64).to_le_bytes());
    out.extend(metadata);
    for tensor in tensors {
        put_string(&tensor.name, &mut out);
        out.extend((tensor.dims.len() as u32).to_le_bytes());
        for dim in &tensor.dims {
            out.extend(dim.to_le_bytes());
        }
        out.extend(GgmlType::Known(tensor.dtype).id().to_le_bytes());
        out.extend(tensor.offset.to_le_bytes());
    }
    out
}

fn put_string(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn pad(out: &mut impl Write, written: usize) -> io::Result<()> {
    let padding = (written as u64).next_multiple_of(DEFAULT_ALIGNMENT) - written as u64;
    out.write_all(&[0; DEFAULT_ALIGNMENT as usize][..padding as usize])
}

/// In the same folder, so that the rename at the end is one; with the process in its name, so that two writers of the
/// same model do not mix.
fn partial_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.partial", std::process::id()))
}
