//! The header of one safetensors file: `length u64 | JSON`, the JSON an object of tensors by name. Offsets count from
//! the end of the header.

use super::{SafetensorsError, SafetensorsTensor, element_bytes};
use crate::file::ModelFile;
use crate::shown::shown;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// The header's size, and the tensors in the order of their bytes.
pub(super) fn parse(
    file: &ModelFile,
    number: usize,
) -> Result<(usize, Vec<SafetensorsTensor>), SafetensorsError> {
    let path = file.path();
    let bad_length = |claimed| SafetensorsError::Header { path: path.into(), claimed, len: file.len() };
    let Some((claimed, rest)) = file.bytes().split_first_chunk::<8>() else { return Err(bad_length(8)) };
    let claimed = u64::from_le_bytes(*claimed);
    let json =
        usize::try_from(claimed).ok().and_then(|len| rest.get(..len)).ok_or_else(|| bad_length(claimed))?;
    let header: Header = serde_json::from_slice(json)
        .map_err(|source| SafetensorsError::Json { path: path.into(), source })?;

    let data = 8 + claimed;
    let mut tensors = Vec::with_capacity(header.0.len());
    for (name, entry) in header.0 {
        tensors.push(tensor(file, number, data, name, entry)?);
    }
    tensors.sort_by_key(|tensor| tensor.range.start);
    for pair in tensors.windows(2) {
        if pair[0].range.end > pair[1].range.start {
            return Err(SafetensorsError::Overlap {
                path: path.into(),
                first: shown(&pair[0].name),
                second: shown(&pair[1].name),
                at: pair[1].range.start,
            });
        }
    }
    Ok((data as usize, tensors))
}

fn tensor(
    file: &ModelFile,
    number: usize,
    data: u64,
    name: String,
    entry: Entry,
) -> Result<SafetensorsTensor, SafetensorsError> {
    let path = file.path();
    let [start, end] = entry.data_offsets.map(|offset| data.saturating_add(offset));
    if start > end || end > file.len() {
        return Err(SafetensorsError::OutOfFile {
            path: path.into(),
            tensor: shown(&name),
            start,
            end,
            len: file.len(),
        });
    }
    // Of a type we do not know, the size is unknown too, and the bytes are never looked at.
    if let Some(element) = element_bytes(&entry.dtype) {
        let bytes = entry.shape.iter().try_fold(element, |product, &dim| product.checked_mul(dim));
        if entry.shape.contains(&0) || bytes != Some(end - start) {
            return Err(SafetensorsError::Shape {
                path: path.into(),
                tensor: shown(&name),
                dims: entry.shape.into_iter().take(8).collect(),
                expected: format!("one that fills its {} bytes of {}", end - start, entry.dtype),
            });
        }
    }
    Ok(SafetensorsTensor { name, kind: entry.dtype, dims: entry.shape, file: number, range: start..end })
}

#[derive(serde::Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// Tensors as listed; the same name twice is found later, when they are put in order by name.
struct Header(Vec<(String, Entry)>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        struct Tensors;
        impl<'de> Visitor<'de> for Tensors {
            type Value = Header;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of tensors")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
                let mut tensors = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "__metadata__" {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    let entry = map
                        .next_value()
                        .map_err(|error| A::Error::custom(format!("tensor `{}`: {error}", shown(&name))))?;
                    tensors.push((name, entry));
                }
                Ok(Header(tensors))
            }
        }
        deserializer.deserialize_map(Tensors)
    }
}
