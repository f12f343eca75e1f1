//! The numbers by which GGUF names a tensor's data type.

use std::fmt;
use tandem_tensor::DType;

/// A tensor's type as the file states it: one we read, or the number of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GgmlType {
    Known(DType),
    Other(u32),
}

impl GgmlType {
    pub fn from_id(id: u32) -> GgmlType {
        let known = DType::ALL.into_iter().find(|&dtype| GgmlType::Known(dtype).id() == id);
        known.map_or(GgmlType::Other(id), GgmlType::Known)
    }

    pub fn id(self) -> u32 {
        let dtype = match self {
            GgmlType::Other(id) => return id,
            GgmlType::Known(dtype) => dtype,
        };
        match dtype {
            DType::F32 => 0,
            DType::F16 => 1,
            DType::Q4_0 => 2,
            DType::Q4_1 => 3,
            DType::Q5_0 => 6,
            DType::Q5_1 => 7,
            DType::Q8_0 => 8,
            DType::Q2_K => 10,
            DType::Q3_K => 11,
            DType::Q4_K => 12,
            DType::Q5_K => 13,
            DType::Q6_K => 14,
            DType::IQ4_NL => 20,
            DType::IQ4_XS => 23,
            DType::BF16 => 30,
            DType::MXFP4 => 39,
            DType::IQ1_S => 19,
            DType::IQ1_M => 29,
            DType::IQ2_XXS => 16,
            DType::IQ2_XS => 17,
            DType::IQ2_S => 22,
            DType::IQ3_XXS => 18,
            DType::IQ3_S => 21,
            DType::TQ1_0 => 34,
            DType::TQ2_0 => 35,
        }
    }

    pub fn dtype(self) -> Option<DType> {
        match self {
            GgmlType::Known(dtype) => Some(dtype),
            GgmlType::Other(_) => None,
        }
    }

    /// Values and bytes of a block, where the type is ours or one we have heard of.
    pub fn block(self) -> Option<(usize, usize)> {
        match self {
            GgmlType::Known(dtype) => Some((dtype.block_len(), dtype.block_bytes())),
            GgmlType::Other(id) => other(id).map(|(_, len, bytes)| (len, bytes)),
        }
    }
}

impl fmt::Display for GgmlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GgmlType::Known(dtype) => dtype.fmt(f),
            GgmlType::Other(id) => match other(id) {
                Some((name, _, _)) => f.pad(name),
                None => f.pad(&format!("type {id}")),
            },
        }
    }
}

/// Name, block length and block bytes of types that we can list but not compute with.
fn other(id: u32) -> Option<(&'static str, usize, usize)> {
    Some(match id {
        9 => ("Q8_1", 32, 36),
        15 => ("Q8_K", 256, 292),
        24 => ("I8", 1, 1),
        25 => ("I16", 1, 2),
        26 => ("I32", 1, 4),
        27 => ("I64", 1, 8),
        28 => ("F64", 1, 8),
        40 => ("NVFP4", 64, 36),
        41 => ("Q1_0", 128, 18),
        _ => return None,
    })
}
