//! Values on their way between ranks.

use std::any::Any;

use half::{bf16, f16};
use serde::{Deserialize, Serialize};

/// What values are while they travel. Whatever it is, they are added in f32, in rank order, and rounded once at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WireType {
    #[default]
    F32,
    F16,
    BF16,
}

impl WireType {
    /// Of one value.
    pub const fn bytes(self) -> usize {
        match self {
            WireType::F32 => 4,
            WireType::F16 | WireType::BF16 => 2,
        }
    }
}

/// A buffer that an exchange reads and writes by itself. Where there are other ranks its memory is registered with their links, so
/// that values which a device puts here are copied no more.
pub struct Parcel {
    memory: Box<dyn ParcelMemory>,
    len: usize,
    wire: WireType,
}

/// Memory of a parcel.
pub trait ParcelMemory: Any + Send {
    fn bytes(&self) -> &[u8];
    fn bytes_mut(&mut self) -> &mut [u8];
}

impl ParcelMemory for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }
}

impl Parcel {
    /// `len` values at the front of `memory`, which must hold as many.
    pub fn new(memory: Box<dyn ParcelMemory>, len: usize, wire: WireType) -> Parcel {
        assert!(memory.bytes().len() >= len * wire.bytes(), "{len} values in {} bytes", memory.bytes().len());
        Parcel { memory, len, wire }
    }

    /// In memory of its own, for ranks that are alone.
    pub fn own(len: usize, wire: WireType) -> Parcel {
        Parcel::new(Box::new(vec![0u8; len * wire.bytes()]), len, wire)
    }

    /// Values.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn wire(&self) -> WireType {
        self.wire
    }

    /// The values as they travel, in this machine's order of bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.memory.bytes()[..self.len * self.wire.bytes()]
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory.bytes_mut()[..self.len * self.wire.bytes()]
    }

    /// Rounds where the wire does.
    pub fn put(&mut self, values: &[f32]) {
        pack(self.wire, values, self.bytes_mut());
    }

    pub fn get(&self, values: &mut [f32]) {
        unpack(self.wire, self.bytes(), values);
    }

    /// For whoever made it.
    pub fn into_memory(self) -> Box<dyn Any> {
        self.memory
    }
}

/// Writes values as they travel; panics where `into` is shorter.
pub fn pack(wire: WireType, values: &[f32], into: &mut [u8]) {
    let into = &mut into[..values.len() * wire.bytes()];
    match wire {
        WireType::F32 => {
            let pairs = into.as_chunks_mut::<4>().0.iter_mut().zip(values);
            pairs.for_each(|(into, value)| *into = value.to_ne_bytes());
        }
        WireType::F16 => {
            let pairs = into.as_chunks_mut::<2>().0.iter_mut().zip(values);
            pairs.for_each(|(into, value)| *into = f16::from_f32(*value).to_ne_bytes());
        }
        WireType::BF16 => {
            let pairs = into.as_chunks_mut::<2>().0.iter_mut().zip(values);
            pairs.for_each(|(into, value)| *into = bf16::from_f32(*value).to_ne_bytes());
        }
    }
}

/// The other way.
pub fn unpack(wire: WireType, from: &[u8], values: &mut [f32]) {
    let from = &from[..values.len() * wire.bytes()];
    match wire {
        WireType::F32 => {
            let pairs = values.iter_mut().zip(from.as_chunks::<4>().0);
            pairs.for_each(|(value, from)| *value = f32::from_ne_bytes(*from));
        }
        WireType::F16 => {
            let pairs = values.iter_mut().zip(from.as_chunks::<2>().0);
            pairs.for_each(|(value, from)| *value = f16::from_ne_bytes(*from).to_f32());
        }
        WireType::BF16 => {
            let pairs = values.iter_mut().zip(from.as_chunks::<2>().0);
            pairs.for_each(|(value, from)| *value = bf16::from_ne_bytes(*from).to_f32());
        }
    }
}

/// A sum that has begun: the parcel, unless whoever adds keeps it until the end.
pub struct BegunSum(pub Option<Parcel>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alone, Peers};

    #[test]
    fn values_travel_as_what_was_chosen() {
        for (wire, expected) in [
            (WireType::F32, [1.0, -2.5, 1.000_976_6, 70_000.0]),
            (WireType::F16, [1.0, -2.5, 1.000_976_6, f32::INFINITY]),
            (WireType::BF16, [1.0, -2.5, 1.0, 70_144.0]),
        ] {
            let mut parcel = Parcel::own(4, wire);
            parcel.put(&[1.0, -2.5, 1.000_976_6, 70_000.0]);
            let begun = Alone.begin_sum(parcel).unwrap();
            let parcel = Alone.finish_sum(begun).unwrap();
            let mut values = [0.0; 4];
            parcel.get(&mut values);
            assert_eq!(values, expected, "{wire:?}");
        }
    }
}
