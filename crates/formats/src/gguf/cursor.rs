//! Reading a GGUF header front to back, never beyond its bytes.

use super::GgufError;
use super::metadata::{Stored, ValueKind};
use crate::shown::shown;
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Arrays of arrays deeper than this are refused; no known file nests at all.
const NESTING_MAX: usize = 4;

pub(super) struct Cursor<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    at: usize,
}

/// What is being read, for messages.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    FileHeader,
    KeyName(u64),
    Key(&'a str),
    TensorName(u64),
    Tensor(&'a str),
}

impl fmt::Display for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::FileHeader => write!(f, "the file header"),
            Item::KeyName(i) => write!(f, "the name of metadata entry {i}"),
            Item::Key(key) => write!(f, "metadata `{}`", shown(key)),
            Item::TensorName(i) => write!(f, "the name of tensor {i}"),
            Item::Tensor(name) => write!(f, "the description of tensor `{}`", shown(name)),
        }
    }
}

impl<'a> Cursor<'a> {
    pub fn new(path: &'a Path, bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { path, bytes, at: 0 }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    pub fn array<const N: usize>(&mut self, item: Item) -> Result<[u8; N], GgufError> {
        let range = self.take(N as u64, item)?;
        Ok(self.bytes[range].try_into().expect("took N bytes"))
    }

    pub fn u32(&mut self, item: Item) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.array(item)?))
    }

    pub fn u64(&mut self, item: Item) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.array(item)?))
    }

    /// A number of entries, refused where even the smallest would not fit in the rest of the file.
    pub fn count(&mut self, smallest_bytes: u64, item: Item) -> Result<u64, GgufError> {
        let count = self.u64(item)?;
        self.check_count(count, smallest_bytes, item)?;
        Ok(count)
    }

    pub fn check_count(&self, count: u64, smallest_bytes: u64, item: Item) -> Result<(), GgufError> {
        // Indices are kept in 32 bits.
        let most = (self.left() / smallest_bytes).min(u32::MAX as u64);
        if count > most {
            return Err(GgufError::AbsurdCount {
                path: self.path.into(),
                item: item.to_string(),
                count,
                most,
            });
        }
        Ok(())
    }

    /// A string, checked to be UTF-8.
    pub fn string(&mut self, item: Item) -> Result<(Range<usize>, &'a str), GgufError> {
        let len = self.u64(item)?;
        let range = self.take(len, item)?;
        match std::str::from_utf8(&self.bytes[range.clone()]) {
            Ok(text) => Ok((range, text)),
            Err(error) => Err(GgufError::NotUtf8 {
                path: self.path.into(),
                item: item.to_string(),
                offset: (range.start + error.valid_up_to()) as u64,
            }),
        }
    }

    pub fn value(&mut self, key: &str) -> Result<Stored, GgufError> {
        let item = Item::Key(key);
        let kind = self.kind(item)?;
        self.value_of(kind, item, 0)
    }

    fn value_of(&mut self, kind: ValueKind, item: Item, depth: usize) -> Result<Stored, GgufError> {
        let start = self.at;
        match kind {
            ValueKind::String => {
                self.string(item)?;
            }
            ValueKind::Array => return self.array_value(item, depth),
            ValueKind::Bool => {
                self.take(1, item)?;
                self.check_bools(start..start + 1, item)?;
            }
            _ => {
                self.take(kind.bytes_min(), item)?;
            }
        }
        Ok(Stored::Single { kind, start })
    }

    fn array_value(&mut self, item: Item, depth: usize) -> Result<Stored, GgufError> {
        if depth == NESTING_MAX {
            return Err(GgufError::TooDeep {
                path: self.path.into(),
                item: item.to_string(),
                most: NESTING_MAX,
            });
        }
        let head = self.at;
        let element = self.kind(item)?;
        let len = self.count(element.bytes_min(), item)?;
        match element {
            ValueKind::String => {
                // Backed by the file: the count was checked against eight bytes for each.
                let mut starts = Vec::with_capacity(len as usize);
                for _ in 0..len {
                    starts.push(self.at as u64);
                    self.string(item)?;
                }
                Ok(Stored::Strings { head, starts })
            }
            ValueKind::Array => {
                let mut arrays = Vec::new();
                for _ in 0..len {
                    arrays.push(self.array_value(item, depth + 1)?);
                }
                Ok(Stored::Arrays { head, end: self.at, arrays })
            }
            _ => {
                // Cannot overflow: the count was checked against the bytes left.
                let range = self.take(len * element.bytes_min(), item)?;
                if element == ValueKind::Bool {
                    self.check_bools(range, item)?;
                }
                Ok(Stored::Scalars { head, element, len: len as usize })
            }
        }
    }

    fn kind(&mut self, item: Item) -> Result<ValueKind, GgufError> {
        let id = self.u32(item)?;
        ValueKind::from_id(id).ok_or_else(|| GgufError::UnknownValueType {
            path: self.path.into(),
            item: item.to_string(),
            id,
        })
    }

    fn check_bools(&self, range: Range<usize>, item: Item) -> Result<(), GgufError> {
        match self.bytes[range].iter().find(|&&byte| byte > 1) {
            None => Ok(()),
            Some(&found) => Err(GgufError::BadBool { path: self.path.into(), item: item.to_string(), found }),
        }
    }

    fn take(&mut self, len: u64, item: Item) -> Result<Range<usize>, GgufError> {
        if len > self.left() {
            return Err(GgufError::Truncated {
                path: self.path.into(),
                item: item.to_string(),
                needs: len,
                has: self.left(),
            });
        }
        let start = self.at;
        self.at += len as usize;
        Ok(start..self.at)
    }
}
