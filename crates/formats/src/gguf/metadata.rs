//! The typed key-value pairs at the front of a GGUF file.

use super::header::find_sorted;
use crate::file::ModelFile;
use crate::shown::shown;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keys and values as they lie in the file: values are decoded when asked for, so that a vocabulary of hundreds of
/// thousands of tokens costs eight bytes each and no allocation of its own.
#[derive(Debug)]
pub struct Metadata {
    file: Arc<ModelFile>,
    entries: Vec<Entry>,
    /// Indices of `entries` in the order of their keys.
    by_key: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub key: Range<usize>,
    pub value: Stored,
}

/// Where a value lies; starts are offsets into the file.
#[derive(Clone, Debug)]
pub(super) enum Stored {
    Single { kind: ValueKind, start: usize },
    Scalars { head: usize, element: ValueKind, len: usize },
    Strings { head: usize, starts: Vec<u64> },
    Arrays { head: usize, end: usize, arrays: Vec<Stored> },
}

/// An array begins with the type of its elements (4 bytes) and their number (8).
const ARRAY_HEAD_BYTES: usize = 12;

impl Metadata {
    pub(super) fn new(file: Arc<ModelFile>, entries: Vec<Entry>, by_key: Vec<u32>) -> Metadata {
        Metadata { file, entries, by_key }
    }

    /// The file the metadata was read from, for messages.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// In the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Value<'_>)> {
        self.entries.iter().map(|entry| (self.key(entry), self.view(&entry.value)))
    }

    pub fn value(&self, key: &str) -> Option<Value<'_>> {
        let index = find_sorted(&self.by_key, key, |i| self.key(&self.entries[i]))?;
        Some(self.view(&self.entries[index].value))
    }

    /// The value of a key that may be absent; an error where it is there with another type.
    pub fn find<'a, T: FromValue<'a>>(&'a self, key: &str) -> Result<Option<T>, MetadataError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match T::from_value(value) {
            Some(found) => Ok(Some(found)),
            None => Err(MetadataError::WrongType {
                file: self.path().to_owned(),
                key: key.to_owned(),
                found: value.describe(),
                expected: T::EXPECTED,
            }),
        }
    }

    /// The value of a key that must be there.
    pub fn get<'a, T: FromValue<'a>>(&'a self, key: &str) -> Result<T, MetadataError> {
        self.find(key)?.ok_or_else(|| MetadataError::Missing {
            file: self.path().to_owned(),
            key: key.to_owned(),
            expected: T::EXPECTED,
        })
    }

    pub fn get_u32(&self, key: &str) -> Result<u32, MetadataError> {
        self.get(key)
    }

    pub fn get_f32(&self, key: &str) -> Result<f32, MetadataError> {
        self.get(key)
    }

    pub fn get_bool(&self, key: &str) -> Result<bool, MetadataError> {
        self.get(key)
    }

    pub fn get_str(&self, key: &str) -> Result<&str, MetadataError> {
        self.get(key)
    }

    pub fn get_array(&self, key: &str) -> Result<Array<'_>, MetadataError> {
        self.get(key)
    }

    fn key(&self, entry: &Entry) -> &str {
        text(&self.file.bytes()[entry.key.clone()])
    }

    fn view<'a>(&'a self, stored: &'a Stored) -> Value<'a> {
        view(self.file.bytes(), stored)
    }
}

/// A value, borrowed from the file.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    F32(f32),
    Bool(bool),
    Str(&'a str),
    Array(Array<'a>),
    U64(u64),
    I64(i64),
    F64(f64),
}

impl<'a> Value<'a> {
    pub fn kind(self) -> ValueKind {
        match self {
            Value::U8(_) => ValueKind::U8,
            Value::I8(_) => ValueKind::I8,
            Value::U16(_) => ValueKind::U16,
            Value::I16(_) => ValueKind::I16,
            Value::U32(_) => ValueKind::U32,
            Value::I32(_) => ValueKind::I32,
            Value::F32(_) => ValueKind::F32,
            Value::Bool(_) => ValueKind::Bool,
            Value::Str(_) => ValueKind::String,
            Value::Array(_) => ValueKind::Array,
            Value::U64(_) => ValueKind::U64,
            Value::I64(_) => ValueKind::I64,
            Value::F64(_) => ValueKind::F64,
        }
    }

    /// Any of the whole-number types, where it fits.
    pub fn as_integer(self) -> Option<i128> {
        Some(match self {
            Value::U8(v) => v.into(),
            Value::I8(v) => v.into(),
            Value::U16(v) => v.into(),
            Value::I16(v) => v.into(),
            Value::U32(v) => v.into(),
            Value::I32(v) => v.into(),
            Value::U64(v) => v.into(),
            Value::I64(v) => v.into(),
            _ => return None,
        })
    }

    /// Type and value, short: for messages.
    pub(super) fn describe(self) -> String {
        match self {
            Value::Array(array) => format!("array of {} {}", array.len(), array.kind()),
            Value::Str(text) => format!("string \"{}\"", shown(text)),
            scalar => format!("{} {scalar}", scalar.kind()),
        }
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::U8(v) => v.fmt(f),
            Value::I8(v) => v.fmt(f),
            Value::U16(v) => v.fmt(f),
            Value::I16(v) => v.fmt(f),
            Value::U32(v) => v.fmt(f),
            Value::I32(v) => v.fmt(f),
            Value::F32(v) => v.fmt(f),
            Value::Bool(v) => v.fmt(f),
            Value::Str(v) => v.fmt(f),
            Value::Array(v) => write!(f, "[{} × {}]", v.len(), v.kind()),
            Value::U64(v) => v.fmt(f),
            Value::I64(v) => v.fmt(f),
            Value::F64(v) => v.fmt(f),
        }
    }
}

/// An array of values of one type, borrowed from the file.
#[derive(Clone, Copy)]
pub struct Array<'a> {
    file: &'a [u8],
    stored: &'a Stored,
}

impl<'a> Array<'a> {
    /// The type of the elements.
    pub fn kind(self) -> ValueKind {
        match self.stored {
            Stored::Single { .. } => unreachable!("an array is made from no single value"),
            Stored::Scalars { element, .. } => *element,
            Stored::Strings { .. } => ValueKind::String,
            Stored::Arrays { .. } => ValueKind::Array,
        }
    }

    pub fn len(self) -> usize {
        match self.stored {
            Stored::Single { .. } => unreachable!("an array is made from no single value"),
            Stored::Scalars { len, .. } => *len,
            Stored::Strings { starts, .. } => starts.len(),
            Stored::Arrays { arrays, .. } => arrays.len(),
        }
    }

    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    pub fn get(self, index: usize) -> Option<Value<'a>> {
        match self.stored {
            Stored::Single { .. } => None,
            Stored::Scalars { head, element, len } => (index < *len).then(|| {
                let start = head + ARRAY_HEAD_BYTES + index * element.bytes_min() as usize;
                single(self.file, *element, start)
            }),
            Stored::Strings { starts, .. } => {
                starts.get(index).map(|&start| single(self.file, ValueKind::String, start as usize))
            }
            Stored::Arrays { arrays, .. } => arrays.get(index).map(|stored| view(self.file, stored)),
        }
    }

    pub fn iter(self) -> impl ExactSizeIterator<Item = Value<'a>> {
        (0..self.len()).map(move |index| self.get(index).expect("below the length"))
    }

    /// Every element as a `T`, or `None` where one is not.
    pub fn to_vec<T: FromValue<'a>>(self) -> Option<Vec<T>> {
        self.iter().map(T::from_value).collect()
    }

    /// The strings of an array of strings, without looking at the type of each.
    pub fn strs(self) -> Option<impl ExactSizeIterator<Item = &'a str>> {
        let Stored::Strings { starts, .. } = self.stored else { return None };
        Some(starts.iter().map(move |&start| string(self.file, start as usize)))
    }

    /// As stored: element type, count, elements.
    pub(super) fn raw(self) -> &'a [u8] {
        match self.stored {
            Stored::Single { .. } => unreachable!("an array is made from no single value"),
            Stored::Scalars { head, element, len } => {
                &self.file[*head..head + ARRAY_HEAD_BYTES + len * element.bytes_min() as usize]
            }
            Stored::Strings { head, starts } => {
                let end = starts.last().map_or(head + ARRAY_HEAD_BYTES, |&last| {
                    let last = last as usize;
                    last + 8 + string(self.file, last).len()
                });
                &self.file[*head..end]
            }
            Stored::Arrays { head, end, .. } => &self.file[*head..*end],
        }
    }
}

impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64,
}

impl ValueKind {
    /// The order is that of the numbers in the file.
    const ALL: [ValueKind; 13] = [
        ValueKind::U8,
        ValueKind::I8,
        ValueKind::U16,
        ValueKind::I16,
        ValueKind::U32,
        ValueKind::I32,
        ValueKind::F32,
        ValueKind::Bool,
        ValueKind::String,
        ValueKind::Array,
        ValueKind::U64,
        ValueKind::I64,
        ValueKind::F64,
    ];

    pub(super) fn from_id(id: u32) -> Option<ValueKind> {
        ValueKind::ALL.get(id as usize).copied()
    }

    pub(super) fn id(self) -> u32 {
        self as u32
    }

    /// The bytes of a scalar; of a string or array, those of its head.
    pub(super) const fn bytes_min(self) -> u64 {
        match self {
            ValueKind::U8 | ValueKind::I8 | ValueKind::Bool => 1,
            ValueKind::U16 | ValueKind::I16 => 2,
            ValueKind::U32 | ValueKind::I32 | ValueKind::F32 => 4,
            ValueKind::U64 | ValueKind::I64 | ValueKind::F64 | ValueKind::String => 8,
            ValueKind::Array => ARRAY_HEAD_BYTES as u64,
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ValueKind::U8 => "u8",
            ValueKind::I8 => "i8",
            ValueKind::U16 => "u16",
            ValueKind::I16 => "i16",
            ValueKind::U32 => "u32",
            ValueKind::I32 => "i32",
            ValueKind::F32 => "f32",
            ValueKind::Bool => "bool",
            ValueKind::String => "string",
            ValueKind::Array => "array",
            ValueKind::U64 => "u64",
            ValueKind::I64 => "i64",
            ValueKind::F64 => "f64",
        })
    }
}

/// A Rust type some values can be taken as. Converters disagree on the width of integers, so any that fits will do.
pub trait FromValue<'a>: Sized {
    const EXPECTED: &'static str;
    fn from_value(value: Value<'a>) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty: $expected:literal),*) => {$(
        impl FromValue<'_> for $type {
            const EXPECTED: &'static str = $expected;
            fn from_value(value: Value<'_>) -> Option<$type> {
                value.as_integer()?.try_into().ok()
            }
        }
    )*};
}
integers!(
    u8: "a whole number from 0 to 255",
    u16: "a whole number from 0 to 65535",
    u32: "a whole number from 0 to 2^32 - 1",
    u64: "a whole number from 0 to 2^64 - 1",
    usize: "a whole number, not negative",
    i32: "a whole number from -2^31 to 2^31 - 1",
    i64: "a whole number"
);

impl FromValue<'_> for f32 {
    const EXPECTED: &'static str = "a number (f32)";
    fn from_value(value: Value<'_>) -> Option<f32> {
        match value {
            Value::F32(v) => Some(v),
            Value::F64(v) => Some(v as f32),
            other => other.as_integer().map(|v| v as f32),
        }
    }
}

impl FromValue<'_> for bool {
    const EXPECTED: &'static str = "a bool";
    fn from_value(value: Value<'_>) -> Option<bool> {
        if let Value::Bool(v) = value { Some(v) } else { None }
    }
}

impl<'a> FromValue<'a> for &'a str {
    const EXPECTED: &'static str = "a string";
    fn from_value(value: Value<'a>) -> Option<&'a str> {
        if let Value::Str(v) = value { Some(v) } else { None }
    }
}

impl<'a> FromValue<'a> for Array<'a> {
    const EXPECTED: &'static str = "an array";
    fn from_value(value: Value<'a>) -> Option<Array<'a>> {
        if let Value::Array(v) = value { Some(v) } else { None }
    }
}

macro_rules! vectors {
    ($($type:ty: $expected:literal),*) => {$(
        impl<'a> FromValue<'a> for Vec<$type> {
            const EXPECTED: &'static str = $expected;
            fn from_value(value: Value<'a>) -> Option<Vec<$type>> {
                Array::from_value(value)?.to_vec()
            }
        }
    )*};
}
vectors!(
    u32: "an array of whole numbers from 0 to 2^32 - 1",
    i32: "an array of whole numbers from -2^31 to 2^31 - 1",
    f32: "an array of numbers (f32)",
    bool: "an array of bools",
    &'a str: "an array of strings"
);

#[derive(Debug, thiserror::Error)]
pub enum MetadataError {
    #[error("{file}: metadata `{key}` is missing; expected {expected}")]
    Missing { file: PathBuf, key: String, expected: &'static str },
    #[error("{file}: metadata `{key}` is {found}; expected {expected}")]
    WrongType { file: PathBuf, key: String, found: String, expected: &'static str },
}

fn view<'a>(file: &'a [u8], stored: &'a Stored) -> Value<'a> {
    match *stored {
        Stored::Single { kind, start } => single(file, kind, start),
        _ => Value::Array(Array { file, stored }),
    }
}

fn single(file: &[u8], kind: ValueKind, start: usize) -> Value<'_> {
    fn bytes<const N: usize>(file: &[u8], start: usize) -> [u8; N] {
        file[start..start + N].try_into().expect("N bytes")
    }
    match kind {
        ValueKind::U8 => Value::U8(file[start]),
        ValueKind::I8 => Value::I8(file[start] as i8),
        ValueKind::U16 => Value::U16(u16::from_le_bytes(bytes(file, start))),
        ValueKind::I16 => Value::I16(i16::from_le_bytes(bytes(file, start))),
        ValueKind::U32 => Value::U32(u32::from_le_bytes(bytes(file, start))),
        ValueKind::I32 => Value::I32(i32::from_le_bytes(bytes(file, start))),
        ValueKind::F32 => Value::F32(f32::from_le_bytes(bytes(file, start))),
        ValueKind::Bool => Value::Bool(file[start] != 0),
        ValueKind::String => Value::Str(string(file, start)),
        ValueKind::Array => unreachable!("arrays are stored as such"),
        ValueKind::U64 => Value::U64(u64::from_le_bytes(bytes(file, start))),
        ValueKind::I64 => Value::I64(i64::from_le_bytes(bytes(file, start))),
        ValueKind::F64 => Value::F64(f64::from_le_bytes(bytes(file, start))),
    }
}

/// The string whose length lies at `start`.
fn string(file: &[u8], start: usize) -> &str {
    let (len, rest) = file[start..]
        .split_first_chunk()
        .map_or((0, &[][..]), |(len, rest)| (u64::from_le_bytes(*len) as usize, rest));
    text(rest.get(..len).unwrap_or_default())
}

/// Checked when the file was opened; empty where the file has been changed under us since.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}
