//! Writing a GGUF file tensor by tensor.

use super::GgmlType;
use super::header::DEFAULT_ALIGNMENT;
use super::journal::{Checksum, Journal};
use super::metadata::{Metadata, Value, ValueKind};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
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
        let file = open_partial(&self.path, &partial)?;
        // What a killed run left.
        file.set_len(0).map_err(io)?;
        let _ = fs::remove_file(journal_path(&partial));
        let header = header(&self.metadata, self.keys.len(), &self.tensors);
        // Made before the first write, so that a failure removes the file.
        let mut writer = GgufDataWriter::new(self, partial.clone(), file, None);
        writer.file.write_all(&header).and_then(|()| pad(&mut writer.file, header.len())).map_err(io)?;
        Ok(writer)
    }

    /// As [`GgufWriter::start`], but goes on where an earlier writer of the very same declarations was interrupted, and
    /// leaves what it wrote if it is interrupted itself. `source` tells apart the weights the file is made from. What is
    /// taken over is read and its checksums are compared.
    pub fn start_or_resume(self, source: u64) -> Result<GgufDataWriter, GgufWriteError> {
        let partial = partial_path(&self.path);
        let io = |source| GgufWriteError::Io { path: partial.clone(), source };
        let mut file = open_partial(&self.path, &partial)?;
        let mut header = header(&self.metadata, self.keys.len(), &self.tensors);
        header.resize(header.len().next_multiple_of(DEFAULT_ALIGNMENT as usize), 0);
        let journal_path = journal_path(&partial);
        let mut found = vec![0; header.len()];
        let same_header = file.read_exact(&mut found).is_ok() && found == header;
        let (journal, done) = Journal::open(&journal_path, &header, source, same_header).map_err(io)?;
        let good = if same_header { good_tensors(&mut file, header.len(), &self.tensors, &done) } else { 0 };
        let end =
            |tensor: &Declared| tensor.offset + (tensor.bytes as u64).next_multiple_of(DEFAULT_ALIGNMENT);
        let kept_bytes = header.len() as u64 + good.checked_sub(1).map_or(0, |last| end(&self.tensors[last]));
        let journal = journal.keep(good).map_err(io)?;
        if !same_header {
            file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&header)).map_err(io)?;
        }
        file.set_len(kept_bytes).and_then(|()| file.seek(SeekFrom::End(0))).map_err(io)?;
        let mut writer = GgufDataWriter::new(self, partial.clone(), file, Some(journal));
        writer.next = good;
        Ok(writer)
    }
}

/// How many tensors of the journal the file really holds.
fn good_tensors(file: &mut File, data: usize, tensors: &[Declared], done: &[u64]) -> usize {
    let mut buffer = vec![0; 1 << 20];
    let mut is_good = |tensor: &Declared, expected: u64| -> io::Result<bool> {
        file.seek(SeekFrom::Start(data as u64 + tensor.offset))?;
        let mut sum = Checksum::default();
        let mut left = tensor.bytes.next_multiple_of(DEFAULT_ALIGNMENT as usize);
        let mut of_tensor = tensor.bytes;
        while left > 0 {
            let piece = &mut buffer[..left.min(1 << 20)];
            file.read_exact(piece)?;
            sum.add(&piece[..piece.len().min(of_tensor)]);
            of_tensor -= piece.len().min(of_tensor);
            left -= piece.len();
        }
        Ok(sum.finish() == expected)
    };
    let pairs = tensors.iter().zip(done);
    pairs.take_while(|(tensor, sum)| is_good(tensor, **sum).unwrap_or(false)).count()
}

/// Takes the weights in the order they were declared. Dropped unfinished, it leaves nothing behind, unless it can be
/// resumed.
#[derive(Debug)]
pub struct GgufDataWriter {
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
    tensors: Vec<Declared>,
    next: usize,
    /// Bytes of the next tensor that are written already.
    part: usize,
    sum: Checksum,
    /// Of a writer that can be resumed.
    journal: Option<Journal>,
    finished: bool,
}

impl GgufDataWriter {
    fn new(writer: GgufWriter, partial: PathBuf, file: File, journal: Option<Journal>) -> GgufDataWriter {
        GgufDataWriter {
            path: writer.path,
            partial,
            file: BufWriter::with_capacity(1 << 20, file),
            tensors: writer.tensors,
            next: 0,
            part: 0,
            sum: Checksum::default(),
            journal,
            finished: false,
        }
    }

    /// How many tensors an earlier writer has finished: go on with the one after them.
    pub fn resumed(&self) -> usize {
        self.next
    }

    pub fn write_tensor(&mut self, name: &str, bytes: &[u8]) -> Result<(), GgufWriteError> {
        let declared = self.expect(name)?;
        if bytes.len() != declared.bytes {
            return Err(GgufWriteError::Length {
                path: self.path.clone(),
                tensor: name.to_owned(),
                found: bytes.len(),
                expected: declared.bytes,
            });
        }
        self.write_part(name, bytes)
    }

    /// The next piece of a tensor, which is done when all its bytes have come.
    pub fn write_part(&mut self, name: &str, bytes: &[u8]) -> Result<(), GgufWriteError> {
        let whole = self.expect(name)?.bytes;
        let part = self.part + bytes.len();
        if part > whole {
            return Err(GgufWriteError::Length {
                path: self.path.clone(),
                tensor: name.to_owned(),
                found: part,
                expected: whole,
            });
        }
        let io = |source| GgufWriteError::Io { path: self.partial.clone(), source };
        self.file.write_all(bytes).map_err(io)?;
        if self.journal.is_some() {
            self.sum.add(bytes);
        }
        self.part = part;
        if part == whole {
            pad(&mut self.file, whole).map_err(io)?;
            if let Some(journal) = &mut self.journal {
                // The journal never runs ahead of the file.
                let sum = std::mem::take(&mut self.sum).finish();
                self.file.flush().and_then(|()| journal.add(sum)).map_err(io)?;
            }
            self.next += 1;
            self.part = 0;
        }
        Ok(())
    }

    fn expect(&self, name: &str) -> Result<&Declared, GgufWriteError> {
        let expected = self.tensors.get(self.next);
        let Some(declared) = expected.filter(|declared| declared.name == name) else {
            return Err(GgufWriteError::Order {
                path: self.path.clone(),
                found: name.to_owned(),
                expected: expected.map_or("the end", |declared| &declared.name).to_owned(),
            });
        };
        Ok(declared)
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
        if let Some(journal) = self.journal.take() {
            journal.remove();
        }
        Ok(())
    }
}

impl Drop for GgufDataWriter {
    fn drop(&mut self) {
        if !self.finished && self.journal.is_none() {
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
    #[error("{path} is a device, a pipe or a folder; name an ordinary file to write")]
    NotAFile { path: PathBuf },
    #[error("another process is writing {path}; wait for it to end")]
    Busy { path: PathBuf },
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

/// In the same folder, so that the rename at the end is one. The next writer of the same file finds what a killed one left.
fn partial_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.partial"))
}

fn journal_path(partial: &Path) -> PathBuf {
    partial.with_extension("journal")
}

/// The unfinished file of `path`, made or found, and locked so that no two writers mix.
fn open_partial(path: &Path, partial: &Path) -> Result<File, GgufWriteError> {
    // The rename at the end would put a file in the place of a device or a pipe.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(GgufWriteError::NotAFile { path: path.to_owned() });
    }
    let io = |source| GgufWriteError::Io { path: partial.to_owned(), source };
    loop {
        let open = File::options().read(true).write(true).create(true).truncate(false).open(partial);
        let file = open.map_err(io)?;
        if file.try_lock().is_err() {
            return Err(GgufWriteError::Busy { path: path.to_owned() });
        }
        // Another writer may have finished, or given up, before the lock: then this is its file no longer under that name.
        let opened = file.metadata().map_err(io)?;
        if fs::metadata(partial).is_ok_and(|found| found.dev() == opened.dev() && found.ino() == opened.ino())
        {
            return Ok(file);
        }
    }
}
