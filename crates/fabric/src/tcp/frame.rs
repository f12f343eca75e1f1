//! What travels on a message connection: frames of at most [`FRAME_MAX`] bytes, each with a fixed header. A pure parser.

use thiserror::Error;

/// Bytes of all frames of a message but the last. Small enough that a checksum finds them still in the cache, large enough that the header costs
/// nothing. With its header a frame is four packets of a loopback device, less what is no whole cache line: another few bytes would be a packet of
/// their own, which costs as much as a full one, and copies between unequal alignments are slow.
pub(super) const FRAME: usize = 4 * 65_483 / 64 * 64 - HEADER;
/// The last frame takes what would be a short one after it.
pub(super) const FRAME_MAX: usize = FRAME + (4 << 10);
/// A cache line, so that payloads keep their alignment.
pub(super) const HEADER: usize = 64;
/// The part of the header that the seal covers.
pub(super) const SEALED: usize = 48;
pub(super) const TAG: usize = HEADER - SEALED;

const MAGIC: u32 = 0x3354_4e54;

/// A piece of a message: `len` bytes from `offset` of message number `message`, which is `total` long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) message: u64,
    pub(super) total: u64,
    pub(super) offset: u64,
    pub(super) len: u32,
}

#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum FrameError {
    #[error("a frame starts with {0:#010x}, not with the mark of a frame")]
    Magic(u32),
    #[error("a frame of {len} bytes at {offset} does not fit its message of {total}")]
    Bounds { len: u32, offset: u64, total: u64 },
    #[error("a frame of {0} bytes is over the limit")]
    Long(u32),
}

/// How long the next frame of a message is of which `rest` bytes are left.
pub(super) fn next_len(rest: usize) -> usize {
    if rest <= FRAME_MAX { rest } else { FRAME }
}

/// How many frames a message has. An empty one has one.
pub(super) fn count(len: usize) -> usize {
    1 + len.saturating_sub(FRAME_MAX).div_ceil(FRAME)
}

impl Frame {
    pub(super) fn encode(&self) -> [u8; SEALED] {
        let mut bytes = [0; SEALED];
        bytes[..4].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.len.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.message.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.total.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.offset.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8; SEALED]) -> Result<Self, FrameError> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if word(0) != MAGIC {
            return Err(FrameError::Magic(word(0)));
        }
        let frame = Self { len: word(4), message: long(8), total: long(16), offset: long(24) };
        if frame.len as usize > FRAME_MAX {
            return Err(FrameError::Long(frame.len));
        }
        // An empty frame is the whole of an empty message, so that every frame makes progress.
        let fits = frame.offset.checked_add(frame.len.into()).is_some_and(|end| end <= frame.total);
        if !fits || (frame.len == 0 && frame.total != 0) {
            return Err(FrameError::Bounds { len: frame.len, offset: frame.offset, total: frame.total });
        }
        Ok(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_cover_messages() {
        for len in [0, 1, FRAME, FRAME_MAX, FRAME_MAX + 1, 2 * FRAME, FRAME + FRAME_MAX, 64 << 20] {
            let (mut rest, mut frames) = (len, 0);
            while {
                let next = next_len(rest);
                assert!(next <= FRAME_MAX && (next > 0 || len == 0));
                rest -= next;
                frames += 1;
                rest > 0
            } {}
            assert_eq!(frames, count(len), "{len} bytes");
        }
    }

    #[test]
    fn any_header_is_parsed_or_refused() {
        let frame = Frame { message: 5, total: 300, offset: 200, len: 100 };
        assert_eq!(Frame::decode(&frame.encode()), Ok(frame));
        let check = |frame: Frame| Frame::decode(&frame.encode()).unwrap_err();
        assert!(matches!(check(Frame { len: 101, ..frame }), FrameError::Bounds { .. }));
        assert!(matches!(check(Frame { len: 0, ..frame }), FrameError::Bounds { .. }));
        assert!(matches!(check(Frame { offset: u64::MAX, ..frame }), FrameError::Bounds { .. }));
        assert!(matches!(check(Frame { len: u32::MAX, total: u64::MAX, ..frame }), FrameError::Long(_)));
        let mut seed = 1u64;
        for _ in 0..100_000 {
            let mut bytes = frame.encode();
            for _ in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                bytes[(seed >> 33) as usize % SEALED] = (seed >> 50) as u8;
            }
            if let Ok(frame) = Frame::decode(&bytes) {
                assert!(frame.offset + u64::from(frame.len) <= frame.total);
            }
        }
    }
}
