//! What every model file offers: tensors by name, read by slice.

use crate::file::ModelFile;
use crate::shown::shown;
use crate::{Gguf, GgufError, Safetensors, SafetensorsError};
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tandem_tensor::{DType, Slice};

/// A model's weights, whatever file they lie in.
pub trait Weights: Sync + Send {
    /// The tensor of this name; an error where the file has it in a form we do not read.
    fn tensor(&self, name: &str) -> Result<Option<TensorInfo>, FormatError>;

    /// Every name in the file, in its order.
    fn names(&self) -> Vec<&str>;

    /// Reads one slice, row after row and expert after expert, into `out`, which must have its exact size.
    fn read(&self, name: &str, slice: &Slice, out: &mut [u8]) -> Result<(), FormatError>;

    /// The bytes of the model's files that reading `slice` touches.
    fn pieces(&self, name: &str, slice: &Slice) -> Result<Vec<Piece>, FormatError>;

    /// The files that the weights lie in, in the order [`Piece::file`] counts.
    fn files(&self) -> Vec<FileHead>;

    /// What must be in the files, beside their headers, before tensors can be told of.
    fn needed_first(&self) -> Vec<Piece> {
        Vec::new()
    }

    /// Tells apart versions of a model without reading its weights.
    fn identity(&self) -> Identity;

    /// As [`Weights::identity`], but different once one of these very files was written to, also where only its weights changed. A
    /// copy of the files has another.
    fn version_here(&self) -> io::Result<u64>;

    /// The file to name in messages; the first of several.
    fn path(&self) -> &Path;

    /// As [`Weights::tensor`], for a tensor the model cannot do without.
    fn require(&self, name: &str) -> Result<TensorInfo, FormatError> {
        self.tensor(name)?
            .ok_or_else(|| FormatError::NoTensor { file: self.path().to_owned(), tensor: shown(name) })
    }

    /// A whole tensor in a buffer of its own.
    fn read_all(&self, name: &str) -> Result<Vec<u8>, FormatError> {
        let info = self.require(name)?;
        let mut out = vec![0; info.bytes()];
        self.read(name, &info.shape.whole(), &mut out)?;
        Ok(out)
    }
}

/// Opens a GGUF file (any part of a split one), a safetensors file, its index, or a directory that holds one.
pub fn open(path: &Path) -> Result<Box<dyn Weights>, FormatError> {
    let safetensors = path.is_dir()
        || path.extension().is_some_and(|extension| extension == "safetensors" || extension == "json");
    if safetensors { Ok(Box::new(Safetensors::open(path)?)) } else { Ok(Box::new(Gguf::open_seeing(path)?)) }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    pub name: String,
    pub dtype: DType,
    pub shape: Shape,
}

impl TensorInfo {
    /// Stored size; the formats have checked on opening that it does not overflow.
    pub fn bytes(&self) -> usize {
        self.shape.experts * self.shape.rows * self.row_bytes()
    }

    pub fn row_bytes(&self) -> usize {
        self.shape.cols / self.dtype.block_len() * self.dtype.block_bytes()
    }

    /// The size of the buffer [`Weights::read`] wants for `slice`, after checking that the tensor has it.
    pub fn slice_bytes(&self, slice: &Slice) -> Result<usize, SliceError> {
        let axes = [
            ("experts", &slice.experts, self.shape.experts),
            ("rows", &slice.rows, self.shape.rows),
            ("cols", &slice.cols, self.shape.cols),
        ];
        for (axis, range, len) in axes {
            if range.start > range.end || range.end > len {
                return Err(SliceError::OutOfRange { axis, range: range.clone(), len });
            }
        }
        let block_len = self.dtype.block_len();
        if !slice.cols.start.is_multiple_of(block_len) || !slice.cols.end.is_multiple_of(block_len) {
            return Err(SliceError::CutsBlock { cols: slice.cols.clone(), dtype: self.dtype, block_len });
        }
        let row_bytes = slice.cols.len() / block_len * self.dtype.block_bytes();
        Ok(slice.experts.len() * slice.rows.len() * row_bytes)
    }
}

/// A stack of `experts` matrices of `rows` × `cols`; values of a row are adjacent. A vector is one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub experts: usize,
    pub rows: usize,
    pub cols: usize,
}

impl Shape {
    pub fn vector(cols: usize) -> Shape {
        Shape { experts: 1, rows: 1, cols }
    }

    pub fn matrix(rows: usize, cols: usize) -> Shape {
        Shape { experts: 1, rows, cols }
    }

    pub fn whole(self) -> Slice {
        Slice { experts: 0..self.experts, rows: 0..self.rows, cols: 0..self.cols }
    }

    /// From dimensions listed fastest first, as GGUF does; `None` beyond three, or where they overflow. The square kernels of a
    /// convolution over pictures are a matrix with a row for every output, whose columns are input channels, lines and places.
    pub(crate) fn from_fastest_first(dims: &[u64]) -> Option<Shape> {
        let dim = |i: usize| usize::try_from(dims.get(i).copied().unwrap_or(1)).ok();
        if let [width, height, channels, outputs] = *dims
            && width == height
            && outputs > 1
        {
            let cols = width.checked_mul(height)?.checked_mul(channels)?;
            return Some(Shape::matrix(usize::try_from(outputs).ok()?, usize::try_from(cols).ok()?));
        }
        if dims.iter().skip(3).any(|&dim| dim != 1) {
            return None;
        }
        let shape = Shape { cols: dim(0)?, rows: dim(1)?, experts: dim(2)? };
        // A stack of vectors is a matrix, such as the taps of a convolution of every channel by itself.
        Some(match shape {
            Shape { experts: 2.., rows: 1, cols } | Shape { experts: 2.., rows: cols, cols: 1 } => {
                Shape::matrix(shape.experts, cols)
            }
            shape => shape,
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.experts > 1 {
            write!(f, "{} × ", self.experts)?;
        }
        write!(f, "{} × {}", self.rows, self.cols)
    }
}

/// Compares equal for copies of the same file: the total size and a hash of the headers (names, shapes, metadata).
/// It is no checksum: weights changed in place go unnoticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    pub bytes: u64,
    pub header_hash: u64,
}

impl Identity {
    pub(crate) fn new() -> Identity {
        Identity { bytes: 0, header_hash: 0xcbf2_9ce4_8422_2325 }
    }

    /// As [`Identity::add`], of a file on this machine.
    pub(crate) fn add_version(&mut self, file: &ModelFile, header: &[u8]) -> io::Result<()> {
        self.add(file.len(), header);
        self.add(0, &file.version()?.map(i64::to_le_bytes).concat());
        Ok(())
    }

    /// Takes in one more file. FNV-1a over eight bytes at a time: the same on every machine, and fast enough to be
    /// computed on demand.
    pub(crate) fn add(&mut self, file_bytes: u64, header: &[u8]) {
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        self.bytes += file_bytes;
        let (words, rest) = header.as_chunks();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        let rest = rest.iter().map(|&byte| byte as u64);
        for word in words.chain(rest).chain([header.len() as u64]) {
            // The rotation brings the high bits down, which a plain FNV step never does.
            self.header_hash = (self.header_hash ^ word).wrapping_mul(PRIME).rotate_left(29);
        }
    }
}

/// Stretches of one file: `count` of `len` bytes, the first at `start`, each `stride` after the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub file: usize,
    pub start: u64,
    pub stride: u64,
    pub len: u64,
    pub count: u64,
}

/// A file of a model: what of it is header, and names all the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHead {
    pub path: PathBuf,
    pub bytes: u64,
    pub header_bytes: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    #[error(transparent)]
    Gguf(#[from] GgufError),
    #[error(transparent)]
    Safetensors(#[from] SafetensorsError),
    #[error(
        "{file}: no tensor `{tensor}`, which this architecture needs; the file is incomplete or of another kind"
    )]
    NoTensor { file: PathBuf, tensor: String },
    #[error("{file}: tensor `{tensor}`: {source}")]
    Slice { file: PathBuf, tensor: String, source: SliceError },
    #[error("{file}: reading tensor `{tensor}` failed: {source}")]
    Read { file: PathBuf, tensor: String, source: io::Error },
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SliceError {
    #[error("{axis} {}..{} asked for, but it has {len}", range.start, range.end)]
    OutOfRange { axis: &'static str, range: Range<usize>, len: usize },
    #[error("columns {}..{} cut a {dtype} block; both ends must be multiples of {block_len}", cols.start, cols.end)]
    CutsBlock { cols: Range<usize>, dtype: DType, block_len: usize },
    #[error("the slice has {expected} bytes, but the buffer for it {found}")]
    WrongBuffer { found: usize, expected: usize },
}

/// Where the rows of a tensor lie in its file, expert after expert.
#[derive(Clone, Copy)]
pub(crate) struct RowLayout {
    pub start: u64,
    /// Of one expert.
    pub rows: usize,
    pub row_bytes: usize,
}

impl RowLayout {
    /// Where the same `bytes` of each of these rows lie, of every one of `experts`.
    pub fn pieces(
        self,
        file: usize,
        experts: Range<usize>,
        rows: &Range<usize>,
        bytes: &Range<usize>,
    ) -> impl Iterator<Item = Piece> + use<> {
        let RowLayout { start, rows: all, row_bytes } = self;
        let (first, count, len) = (rows.start, rows.len() as u64, bytes.len() as u64);
        let from = start + bytes.start as u64;
        experts.filter(move |_| count > 0 && len > 0).map(move |expert| {
            let start = from + (expert * all + first) as u64 * row_bytes as u64;
            match len == row_bytes as u64 {
                true => Piece { file, start, stride: 0, len: len * count, count: 1 },
                false => Piece { file, start, stride: row_bytes as u64, len, count },
            }
        })
    }
}

/// Where `slice` of the tensor lies that begins at `start` of a file.
pub(crate) fn pieces_of(
    path: &Path,
    file: usize,
    start: u64,
    info: &TensorInfo,
    slice: &Slice,
) -> Result<Vec<Piece>, FormatError> {
    slice_bytes(path, info, slice)?;
    let byte_of = |col: usize| col / info.dtype.block_len() * info.dtype.block_bytes();
    let layout = RowLayout { start, rows: info.shape.rows, row_bytes: info.row_bytes() };
    let bytes = byte_of(slice.cols.start)..byte_of(slice.cols.end);
    Ok(layout.pieces(file, slice.experts.clone(), &slice.rows, &bytes).collect())
}

/// The size of `slice`, which the tensor must have.
pub(crate) fn slice_bytes(path: &Path, info: &TensorInfo, slice: &Slice) -> Result<usize, FormatError> {
    let named = |source| FormatError::Slice { file: path.to_owned(), tensor: shown(&info.name), source };
    info.slice_bytes(slice).map_err(named)
}

/// Checks that the tensor has `slice` and that `out` is as large.
pub(crate) fn check_slice(
    path: &Path,
    info: &TensorInfo,
    slice: &Slice,
    out: &[u8],
) -> Result<(), FormatError> {
    let named = |source| FormatError::Slice { file: path.to_owned(), tensor: shown(&info.name), source };
    let expected = slice_bytes(path, info, slice)?;
    if out.len() != expected {
        return Err(named(SliceError::WrongBuffer { found: out.len(), expected }));
    }
    Ok(())
}

/// Reads `slice` of the tensor that lies in `file` from `start` on.
pub(crate) fn read_slice(
    file: &ModelFile,
    start: u64,
    info: &TensorInfo,
    slice: &Slice,
    out: &mut [u8],
) -> Result<(), FormatError> {
    check_slice(file.path(), info, slice, out)?;
    if out.is_empty() {
        return Ok(());
    }
    let layout = RowLayout { start, rows: info.shape.rows, row_bytes: info.row_bytes() };
    read_pieces(file, layout, info, slice, out).map_err(|source| FormatError::Read {
        file: file.path().to_owned(),
        tensor: shown(&info.name),
        source,
    })
}

/// As few reads as the slice allows: whole rows lie together, and whole experts do too.
fn read_pieces(
    file: &ModelFile,
    layout: RowLayout,
    info: &TensorInfo,
    slice: &Slice,
    out: &mut [u8],
) -> io::Result<()> {
    let byte_of = |col: usize| col / info.dtype.block_len() * info.dtype.block_bytes();
    let bytes = byte_of(slice.cols.start)..byte_of(slice.cols.end);
    if bytes.len() == layout.row_bytes && slice.rows.len() == layout.rows {
        let first = slice.experts.start * layout.rows * layout.row_bytes;
        return file.read_at(layout.start + first as u64, out);
    }
    let out_expert_bytes = out.len() / slice.experts.len();
    for (expert, out) in slice.experts.clone().zip(out.chunks_exact_mut(out_expert_bytes)) {
        read_rows(file, layout, expert, slice.rows.clone(), bytes.clone(), out)?;
    }
    Ok(())
}

/// The same `bytes` of each of these rows of one expert.
pub(crate) fn read_rows(
    file: &ModelFile,
    layout: RowLayout,
    expert: usize,
    rows: Range<usize>,
    bytes: Range<usize>,
    out: &mut [u8],
) -> io::Result<()> {
    let first = (expert * layout.rows + rows.start) * layout.row_bytes + bytes.start;
    let start = layout.start + first as u64;
    if bytes.len() == layout.row_bytes {
        file.read_at(start, out)
    } else {
        read_columns(file, start, layout.row_bytes, rows.len(), out)
    }
}

/// Part of each of `rows` rows, the first beginning at `start`.
fn read_columns(file: &ModelFile, start: u64, stride: usize, rows: usize, out: &mut [u8]) -> io::Result<()> {
    /// Below this stride a read per row costs more than reading the gaps between the pieces too.
    const SHORT_ROW: usize = 16 << 10;
    const GATHER_BYTES: usize = 256 << 10;
    let piece = out.len() / rows;
    if stride > SHORT_ROW {
        for (row, out) in out.chunks_exact_mut(piece).enumerate() {
            file.read_at(start + (row * stride) as u64, out)?;
        }
        return Ok(());
    }
    let rows_at_once = (GATHER_BYTES / stride).clamp(1, rows);
    let mut gathered = vec![0; rows_at_once * stride];
    for (batch, out) in out.chunks_mut(rows_at_once * piece).enumerate() {
        // The last row ends with its piece: what follows may lie beyond the end of the file.
        let batch_rows = out.len() / piece;
        let bytes = (batch_rows - 1) * stride + piece;
        file.read_at(start + (batch * rows_at_once * stride) as u64, &mut gathered[..bytes])?;
        for (row, out) in out.chunks_exact_mut(piece).enumerate() {
            out.copy_from_slice(&gathered[row * stride..][..piece]);
        }
    }
    Ok(())
}
