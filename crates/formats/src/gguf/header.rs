//! Everything before the weights of one GGUF file, parsed and checked.
//!
//! ```text
//! "GGUF" | version u32 | tensors u64 | entries u64
//! entries × (key string | type u32 | value)              string: length u64 | bytes
//! tensors × (name string | n u32 | n × dim u64 | type u32 | offset u64)
//! padding to the alignment, then the weights: offsets count from here
//! ```

use super::cursor::{Cursor, Item};
use super::error::ShapeProblem;
use super::metadata::{Entry, Metadata};
use super::{GgmlType, GgufError, GgufTensor};
use crate::file::ModelFile;
use crate::shown::shown;
use std::path::Path;
use std::sync::Arc;

pub(super) const DEFAULT_ALIGNMENT: u64 = 32;
/// The fewest bytes a metadata entry (key length, type, one byte) and a tensor's description can take.
const ENTRY_BYTES_MIN: u64 = 8 + 4 + 1;
const TENSOR_BYTES_MIN: u64 = 8 + 4 + 4 + 8;
const DIMS_MAX: u32 = 4;

pub(super) struct Header {
    pub version: u32,
    pub metadata: Metadata,
    pub tensors: Vec<GgufTensor>,
    pub header_bytes: usize,
}

impl Header {
    pub fn parse(file: Arc<ModelFile>, part: usize) -> Result<Header, GgufError> {
        let path = file.path();
        let mut cursor = Cursor::new(path, file.bytes());
        let version = magic_and_version(&mut cursor, path)?;
        let tensor_count = cursor.u64(Item::FileHeader)?;
        let entry_count = cursor.count(ENTRY_BYTES_MIN, Item::FileHeader)?;

        let mut entries = Vec::new();
        for i in 0..entry_count {
            let (key, name) = cursor.string(Item::KeyName(i))?;
            let value = cursor.value(name)?;
            entries.push(Entry { key, value });
        }
        let by_key = sorted(entries.len(), |i| &file.bytes()[entries[i].key.clone()]).map_err(|i| {
            let key = shown(&String::from_utf8_lossy(&file.bytes()[entries[i].key.clone()]));
            GgufError::DuplicateKey { path: path.into(), key }
        })?;
        let metadata = Metadata::new(file.clone(), entries, by_key);
        let alignment = alignment(&metadata)?;

        cursor.check_count(tensor_count, TENSOR_BYTES_MIN, Item::FileHeader)?;
        let mut tensors = Vec::new();
        for i in 0..tensor_count {
            let (_, name) = cursor.string(Item::TensorName(i))?;
            tensors.push(tensor(&mut cursor, path, name, part)?);
        }

        let header_bytes = cursor.at();
        place(&mut tensors, header_bytes as u64, alignment, &file)?;
        Ok(Header { version, metadata, tensors, header_bytes })
    }
}

fn magic_and_version(cursor: &mut Cursor, path: &Path) -> Result<u32, GgufError> {
    let magic: [u8; 4] = cursor.array(Item::FileHeader)?;
    match &magic {
        b"GGUF" => {}
        b"FUGG" => return Err(GgufError::BigEndian { path: path.into() }),
        other => {
            return Err(GgufError::NotGguf { path: path.into(), found: other.escape_ascii().to_string() });
        }
    }
    match cursor.u32(Item::FileHeader)? {
        version @ (2 | 3) => Ok(version),
        // A small number written the other way round has nothing in its low half.
        version if version != 0 && version & 0xffff == 0 => Err(GgufError::BigEndian { path: path.into() }),
        found => Err(GgufError::Version { path: path.into(), found }),
    }
}

fn alignment(metadata: &Metadata) -> Result<u64, GgufError> {
    let Some(value) = metadata.value("general.alignment") else { return Ok(DEFAULT_ALIGNMENT) };
    match value.as_integer().and_then(|v| u64::try_from(v).ok()) {
        Some(alignment) if alignment.is_power_of_two() && alignment <= 1 << 31 => Ok(alignment),
        _ => Err(GgufError::Alignment { path: metadata.path().into(), found: value.describe() }),
    }
}

fn tensor(cursor: &mut Cursor, path: &Path, name: &str, part: usize) -> Result<GgufTensor, GgufError> {
    let item = Item::Tensor(name);
    let bad = |dims: &[u64], problem| GgufError::Shape {
        path: path.into(),
        tensor: shown(name),
        dims: dims.to_vec(),
        problem,
    };
    let dim_count = cursor.u32(item)?;
    if dim_count > DIMS_MAX {
        return Err(bad(&[], ShapeProblem::TooManyDims));
    }
    let mut dims = Vec::with_capacity(dim_count as usize);
    for _ in 0..dim_count {
        dims.push(cursor.u64(item)?);
    }
    let kind = GgmlType::from_id(cursor.u32(item)?);
    let offset = cursor.u64(item)?;
    let bytes = stored_bytes(&dims, kind).map_err(|problem| bad(&dims, problem))?;
    Ok(GgufTensor { name: name.to_owned(), kind, dims, bytes, part, start: offset })
}

/// `None` for a type of unknown size. What this accepts can be multiplied out in `usize` without a check.
fn stored_bytes(dims: &[u64], kind: GgmlType) -> Result<Option<u64>, ShapeProblem> {
    if dims.contains(&0) {
        return Err(ShapeProblem::Zero);
    }
    let values = dims.iter().try_fold(1u64, |product, &dim| product.checked_mul(dim));
    // Signed, as in the programs that wrote the file; also leaves room to add offsets.
    let values = values.filter(|&values| values <= i64::MAX as u64).ok_or(ShapeProblem::Overflow)?;
    let Some((block_len, block_bytes)) = kind.block() else { return Ok(None) };
    if !dims.first().unwrap_or(&1).is_multiple_of(block_len as u64) {
        return Err(ShapeProblem::CutsBlock { kind, block_len });
    }
    let bytes = (values / block_len as u64).checked_mul(block_bytes as u64);
    let bytes = bytes.filter(|&bytes| usize::try_from(bytes).is_ok() && bytes <= i64::MAX as u64);
    bytes.map(Some).ok_or(ShapeProblem::Overflow)
}

/// Turns offsets within the weights into offsets within the file, and checks that each tensor has its own bytes there.
fn place(tensors: &mut [GgufTensor], header: u64, alignment: u64, file: &ModelFile) -> Result<(), GgufError> {
    let path = file.path();
    // No overflow: the header is in memory, and an alignment below 2^32.
    let data = header.next_multiple_of(alignment);
    for tensor in tensors.iter_mut() {
        let offset = tensor.start;
        if !offset.is_multiple_of(alignment) {
            return Err(GgufError::Misaligned {
                path: path.into(),
                tensor: shown(&tensor.name),
                offset,
                alignment,
            });
        }
        let start = data.saturating_add(offset);
        let end = start.saturating_add(tensor.bytes.unwrap_or(0));
        if end > file.len() {
            let tensor = shown(&tensor.name);
            return Err(GgufError::OutOfFile { path: path.into(), tensor, start, end, len: file.len() });
        }
        tensor.start = start;
    }

    let mut order: Vec<&GgufTensor> = tensors.iter().collect();
    order.sort_unstable_by_key(|tensor| tensor.start);
    for pair in order.windows(2) {
        let (first, second) = (pair[0], pair[1]);
        if first.start + first.bytes.unwrap_or(0) > second.start {
            return Err(GgufError::Overlap {
                path: path.into(),
                first: shown(&first.name),
                second: shown(&second.name),
                at: second.start,
            });
        }
    }
    Ok(())
}

/// The indices `0..len` in the order of their names, for [`find_sorted`]; the index of one that occurs twice otherwise.
pub(super) fn sorted<'a, K: Ord + ?Sized + 'a>(
    len: usize,
    name: impl Fn(usize) -> &'a K,
) -> Result<Vec<u32>, usize> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    order.sort_unstable_by(|&a, &b| name(a as usize).cmp(name(b as usize)));
    match order.windows(2).find(|pair| name(pair[0] as usize) == name(pair[1] as usize)) {
        Some(pair) => Err(pair[1] as usize),
        None => Ok(order),
    }
}

pub(super) fn find_sorted<'a>(order: &[u32], wanted: &str, name: impl Fn(usize) -> &'a str) -> Option<usize> {
    let at = order.binary_search_by(|&i| name(i as usize).cmp(wanted)).ok()?;
    Some(order[at] as usize)
}
