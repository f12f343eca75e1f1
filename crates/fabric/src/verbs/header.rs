use super::{classes::CLASSES_MAX, turn::Stamp};

/// What stands before everything short, except a bare message.
///
/// A bare message is a whole message that needs nothing but its bytes. That saves a packet for messages of exactly a packet's
/// length. On a reliable connection without checksums every message that fits a slot is bare, and the [`Credits`] travel as the immediate value; by
/// Thunderbolt's rules those are that [`Turn`](super::turn::Turn) allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub kind: Kind,
    pub body_bytes: u16,
    pub credits: Credits,
    /// Numbers, so that a loss shows where the device does not report one.
    pub stamp: Stamp,
    /// Zero where checksums are off.
    pub checksum: u32,
    /// `Part`: length of the whole message. `Grant`: chunks granted so far.
    pub value: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Note = 1,
    /// A piece of a message that fits a few slots; pieces of a message follow each other.
    Part = 2,
    /// Announces a message that will follow in chunks on the bulk connection, once granted. See [`Announcement`].
    Long = 3,
    /// The receiver has posted buffers for more chunks.
    Grant = 4,
    /// Carries nothing but credits.
    Credit = 5,
    Close = 6,
}

/// How many slots of each pool the sender of this has emptied since the start, modulo 256.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Credits {
    pub notes: u8,
    /// For messages, by class.
    pub messages: [u8; CLASSES_MAX],
}

impl Credits {
    /// Where there is only one class.
    pub fn to_immediate(self) -> u32 {
        u32::from(self.notes) << 8 | u32::from(self.messages[0])
    }

    pub fn from_immediate(immediate: u32) -> Self {
        let mut messages = [0; CLASSES_MAX];
        messages[0] = immediate as u8;
        Self { notes: (immediate >> 8) as u8, messages }
    }
}

/// The body of a [`Kind::Long`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Announcement {
    pub message_bytes: u64,
    /// Zero where checksums are off.
    pub checksum: u32,
}

impl Announcement {
    pub fn encode(&self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.message_bytes.to_le_bytes());
        bytes[8..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (message_bytes, checksum) = bytes.split_first_chunk()?;
        Some(Self {
            message_bytes: u64::from_le_bytes(*message_bytes),
            checksum: u32::from_le_bytes(*checksum.first_chunk()?),
        })
    }
}

impl Header {
    pub const BYTES: usize = 24;

    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = self.kind as u8;
        bytes[1] = self.stamp.messages;
        bytes[2..4].copy_from_slice(&self.body_bytes.to_le_bytes());
        bytes[4] = self.stamp.taken;
        bytes[5] = self.credits.notes;
        bytes[6..13].copy_from_slice(&self.credits.messages);
        bytes[14..16].copy_from_slice(&self.stamp.header.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.value.to_le_bytes());
        bytes
    }

    /// The header at the start of `bytes`, if it is one and its body is all there.
    pub fn decode(bytes: &[u8]) -> Result<Self, &'static str> {
        let (b, body) = bytes.split_first_chunk::<{ Self::BYTES }>().ok_or("shorter than a header")?;
        let kind = match b[0] {
            1 => Kind::Note,
            2 => Kind::Part,
            3 => Kind::Long,
            4 => Kind::Grant,
            5 => Kind::Credit,
            6 => Kind::Close,
            _ => return Err("of an unknown kind"),
        };
        let u16_at = |at: usize| u16::from_le_bytes([b[at], b[at + 1]]);
        let u32_at = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        let header = Self {
            kind,
            body_bytes: u16_at(2),
            credits: Credits { notes: b[5], messages: std::array::from_fn(|at| b[6 + at]) },
            stamp: Stamp { header: u16_at(14), messages: b[1], taken: b[4] },
            checksum: u32_at(16),
            value: u32_at(20),
        };
        if usize::from(header.body_bytes) > body.len() { Err("cut short") } else { Ok(header) }
    }

    /// Of the header, as if its checksum were zero, and the body.
    pub fn checksum_with(&self, body: &[u8]) -> u32 {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&Self { checksum: 0, ..*self }.encode());
        hasher.update(body);
        short(&hasher.finalize())
    }
}

/// A checksum of a long message's bytes.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    short(&blake3::hash(bytes))
}

fn short(hash: &blake3::Hash) -> u32 {
    let b = hash.as_bytes();
    u32::from_le_bytes([b[0], b[1], b[2], b[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_round_trip_and_garbage_is_refused() {
        let header = Header {
            kind: Kind::Long,
            body_bytes: 4,
            credits: Credits { notes: 255, messages: [7, 1, 2, 3, 254, 6, 255] },
            stamp: Stamp { header: 0xdead, messages: 9, taken: 200 },
            checksum: 1,
            value: u32::MAX - 1,
        };
        let mut bytes = header.encode().to_vec();
        assert_eq!(Header::decode(&bytes), Err("cut short"));
        bytes.extend([0; 4]);
        assert_eq!(Header::decode(&bytes), Ok(header));
        assert_eq!(Header::decode(&bytes[..10]), Err("shorter than a header"));
        bytes[0] = 77;
        assert_eq!(Header::decode(&bytes), Err("of an unknown kind"));
        let credits = Credits { notes: 255, messages: [7, 0, 0, 0, 0, 0, 0] };
        assert_eq!(Credits::from_immediate(credits.to_immediate()), credits);
        let announced = Announcement { message_bytes: u64::MAX - 3, checksum: 5 };
        assert_eq!(Announcement::decode(&announced.encode()), Some(announced));
        assert_eq!(Announcement::decode(&announced.encode()[..11]), None);
    }
}
