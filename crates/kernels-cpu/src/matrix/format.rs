//! How weights lie in memory once packed; the same for every instruction set.
//!
//! A matrix is cut into panels of [`PANEL`] rows, so that one vector lane can follow one row. Float weights lie
//! column by column: `[panel][col][row]`. Quantised weights are cut into blocks of [`BLOCK`] columns, and up to
//! [`GROUP`] blocks make a group: `[panel][group]`, each group a header and then its blocks, each block its scales and
//! then its codes. A multiplication so reads memory strictly forwards, line by line, which is what the processor's own
//! prefetching wants: with the scales of a group put first, some types ran at half the speed.
//!
//! With `[16]` meaning one value per row of the panel:
//!
//! | [`Scales`] | header | scales of a block | weight |
//! |---|---|---|---|
//! | `Half` | | `s: f16 [16]` | `s * (code - offset)` |
//! | `HalfMin` | | `s: f16 [16]`, `m: f16 [16]` | `s * code + m` |
//! | `Exponent` | | `e: u8 [16]` | `2^(e - 128) * (code - offset)` |
//! | `Super` | `d: f16 [16]` | `s: i8 [16]` | `d * unit * s * (code - offset)` |
//! | `SuperMin` | `d: f16 [16]`, `dmin: f16 [16]` | `s: u8 [16]`, `m: u8 [16]` | `d * s * code - dmin * m` |
//! | `Super16` | `d: f16 [16]` | `2 × s: i8 [16]` | as `Super`, with a scale for each half block |
//! | `SuperMin16` | `d: f16 [16]`, `dmin: f16 [16]` | `2 × u8 [16]` | as `SuperMin`, `s` and `m` nibbles of a byte |
//!
//! A block's codes are eight vectors of 64 bytes: byte `4 * row + i` of vector `v` is the code of column `4 * v + i`.
//! They are stored as planes:
//! - four bits: 64-byte line `j` holds vector `j` in its low nibbles and vector `j + 4` in its high ones;
//! - two bits: line `j` holds vectors `4 * j ..` in its bit pairs, lowest first;
//! - one bit: one line, vector `v` in bit `v`;
//! - eight bits: line `v` is vector `v`.

use tandem_tensor::{DType, quant};

/// Rows of a panel.
pub const PANEL: usize = 16;
/// Columns of a block: what one activation scale covers.
pub const BLOCK: usize = 32;
/// Most blocks in a group.
pub const GROUP: usize = 8;

/// The packed form of a quantised type.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub codes: Codes,
    pub scales: Scales,
    /// Subtracted from a code: codes are unsigned because that is what x86 multiplies by signed bytes.
    pub offset: i32,
    /// What the four-bit codes stand for, `offset` added.
    pub table: Option<[u8; 16]>,
    /// What `d` is multiplied by, where it scales all scales.
    pub unit: f32,
}

/// The planes of a code, from its low bits up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    Two,
    TwoOne,
    Four,
    FourOne,
    FourTwo,
    Eight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scales {
    Half,
    HalfMin,
    Exponent,
    Super,
    SuperMin,
    Super16,
    SuperMin16,
}

impl Format {
    /// `None` for the float types.
    pub const fn of(dtype: DType) -> Option<Format> {
        let (codes, scales, offset, table) = match dtype {
            DType::F32 | DType::F16 | DType::BF16 => return None,
            DType::Q4_0 => (Codes::Four, Scales::Half, 8, None),
            DType::Q4_1 => (Codes::Four, Scales::HalfMin, 0, None),
            DType::Q5_0 => (Codes::FourOne, Scales::Half, 16, None),
            DType::Q5_1 => (Codes::FourOne, Scales::HalfMin, 0, None),
            DType::Q8_0 => (Codes::Eight, Scales::Half, 128, None),
            DType::Q2_K => (Codes::Two, Scales::SuperMin16, 0, None),
            DType::Q3_K => (Codes::TwoOne, Scales::Super16, 4, None),
            DType::Q4_K => (Codes::Four, Scales::SuperMin, 0, None),
            DType::Q5_K => (Codes::FourOne, Scales::SuperMin, 0, None),
            DType::Q6_K => (Codes::FourTwo, Scales::Super16, 32, None),
            DType::IQ4_NL => (Codes::Four, Scales::Half, 128, Some(raised(&quant::IQ4_VALUES, 128))),
            DType::IQ4_XS => (Codes::Four, Scales::Super, 128, Some(raised(&quant::IQ4_VALUES, 128))),
            DType::MXFP4 => {
                (Codes::Four, Scales::Exponent, 16, Some(raised(&quant::MXFP4_DOUBLED_VALUES, 16)))
            }
            // Two bits of magnitude and one of sign, or three and one: the tables of groups would not fit into registers.
            DType::IQ1_S => (Codes::TwoOne, Scales::Super, 16, Some(raised(&quant::IQ1_VALUES, 16))),
            DType::IQ1_M => (Codes::TwoOne, Scales::Super16, 16, Some(raised(&quant::IQ1_VALUES, 16))),
            DType::IQ2_XXS => (Codes::TwoOne, Scales::Super, 128, Some(raised(&quant::IQ2_VALUES, 128))),
            DType::IQ2_XS | DType::IQ2_S => {
                (Codes::TwoOne, Scales::Super16, 128, Some(raised(&quant::IQ2_VALUES, 128)))
            }
            DType::IQ3_XXS => (Codes::Four, Scales::Super, 128, Some(raised(&quant::IQ3_XXS_VALUES, 128))),
            DType::IQ3_S => (Codes::Four, Scales::Super, 16, Some(raised(&quant::IQ3_S_VALUES, 16))),
            DType::TQ1_0 | DType::TQ2_0 => {
                (Codes::Two, Scales::Super, 16, Some(raised(&quant::TERNARY_VALUES, 16)))
            }
        };
        Some(Format { codes, scales, offset, table, unit: quant::unit(dtype) })
    }

    /// The format of `DType::ALL[index]`, for kernels that are generic over the type.
    ///
    /// # Panics
    /// Where that is a float type.
    pub const fn at(index: usize) -> Format {
        match Format::of(DType::ALL[index]) {
            Some(format) => format,
            None => panic!("a float type has no quantised format"),
        }
    }

    /// Bytes of a block's codes.
    pub const fn code_bytes(&self) -> usize {
        match self.codes {
            Codes::Two => 128,
            Codes::TwoOne => 128 + 64,
            Codes::Four => 256,
            Codes::FourOne => 256 + 64,
            Codes::FourTwo => 256 + 128,
            Codes::Eight => 512,
        }
    }

    /// Bytes of a block's scales, which its codes follow.
    pub const fn scale_bytes(&self) -> usize {
        match self.scales {
            Scales::Exponent | Scales::Super => 16,
            Scales::Half | Scales::SuperMin | Scales::Super16 | Scales::SuperMin16 => 32,
            Scales::HalfMin => 64,
        }
    }

    pub const fn block_bytes(&self) -> usize {
        self.scale_bytes() + self.code_bytes()
    }

    /// Bytes of a group's header, which its blocks follow.
    pub const fn header_bytes(&self) -> usize {
        match self.scales {
            Scales::Half | Scales::HalfMin | Scales::Exponent => 0,
            Scales::Super | Scales::Super16 => 32,
            Scales::SuperMin | Scales::SuperMin16 => 64,
        }
    }

    pub const fn group_bytes(&self, blocks: usize) -> usize {
        self.header_bytes() + blocks * self.block_bytes()
    }

    /// Bytes of a panel of `cols` columns.
    pub const fn panel_bytes(&self, cols: usize) -> usize {
        let blocks = cols / BLOCK;
        blocks / GROUP * self.group_bytes(GROUP)
            + if blocks.is_multiple_of(GROUP) { 0 } else { self.group_bytes(blocks % GROUP) }
    }

    /// Whether weights have an added term besides the scaled code.
    pub const fn has_min(&self) -> bool {
        matches!(self.scales, Scales::HalfMin | Scales::SuperMin | Scales::SuperMin16)
    }

    /// Whether the two halves of a block have scales of their own.
    pub const fn has_halves(&self) -> bool {
        matches!(self.scales, Scales::Super16 | Scales::SuperMin16)
    }
}

/// The index of `dtype` in `DType::ALL`.
pub const fn index_of(dtype: DType) -> usize {
    let mut index = 0;
    while DType::ALL[index] as usize != dtype as usize {
        index += 1;
    }
    index
}

const fn raised(values: &[i8; 16], offset: i16) -> [u8; 16] {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 {
        table[i] = (values[i] as i16 + offset) as u8;
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decoding speed is bytes over bandwidth: packing must not add more than a few per cent to the file's size. Values that
    /// are chosen together are packed one by one, which takes up to twice as much and a little more.
    #[test]
    fn packed_size_is_close_to_the_stored_size() {
        for dtype in DType::ALL {
            let Some(format) = Format::of(dtype) else { continue };
            let packed = format.panel_bytes(2048);
            let stored = dtype.bytes_of(2048).unwrap() * PANEL;
            let most = if dtype.is_grid() { 2.15 } else { 1.04 };
            assert!(packed as f64 <= stored as f64 * most, "{dtype}: {packed} bytes for {stored}");
        }
    }
}
