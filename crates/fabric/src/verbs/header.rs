/// What stands before everything on the eager connection, except a bare message.
///
/// A bare message is a whole message that fits a slot, on a reliable connection without checksums: it needs nothing but its bytes and
/// the [`Credits`], which travel as the immediate value. That saves a packet for messages of exactly a packet's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub kind: Kind,
    pub body_bytes: u16,
    pub credits: Credits,
    /// Counts everything sent on the connection, so that a loss shows where the device does not report one.
    pub sequence: u32,
    /// Zero where checksums are off.
    pub checksum: u32,
    /// `Part`, `Long`: length of the whole message. `Grant`: chunks granted so far.
    pub value: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Note = 1,
    /// A piece of a message that fits a few slots; pieces of a message follow each other.
    Part = 2,
    /// Announces a message that will follow in chunks on the bulk connection, once granted.
    Long = 3,
    /// The receiver has posted buffers for more chunks.
    Grant = 4,
    /// Carries nothing but credits.
    Credit = 5,
    Close = 6,
}

/// How many slots of each pool the sender of this has emptied since the start, modulo 2^16.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Credits {
    pub notes: u16,
    pub messages: u16,
}

impl Credits {
    pub fn to_immediate(self) -> u32 {
        u32::from(self.notes) << 16 | u32::from(self.messages)
    }

    pub fn from_immediate(immediate: u32) -> Self {
        Self { notes: (immediate >> 16) as u16, messages: immediate as u16 }
    }
}

impl Header {
    pub const BYTES: usize = 24;

    pub fn encode(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = self.kind as u8;
        bytes[2..4].copy_from_slice(&self.body_bytes.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.credits.notes.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.credits.messages.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.value.to_le_bytes());
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
            credits: Credits { notes: u16_at(4), messages: u16_at(6) },
            sequence: u32_at(8),
            checksum: u32_at(12),
            value: u64::from(u32_at(16)) | u64::from(u32_at(20)) << 32,
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
            credits: Credits { notes: 65_535, messages: 7 },
            sequence: 0xdead_beef,
            checksum: 1,
            value: u64::MAX - 1,
        };
        let mut bytes = header.encode().to_vec();
        assert_eq!(Header::decode(&bytes), Err("cut short"));
        bytes.extend([0; 4]);
        assert_eq!(Header::decode(&bytes), Ok(header));
        assert_eq!(Header::decode(&bytes[..10]), Err("shorter than a header"));
        bytes[0] = 77;
        assert_eq!(Header::decode(&bytes), Err("of an unknown kind"));
        let credits = header.credits;
        assert_eq!(Credits::from_immediate(credits.to_immediate()), credits);
    }
}
