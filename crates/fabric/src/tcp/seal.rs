use chacha20poly1305::{AeadInPlace, ChaCha20Poly1305, KeyInit};

use super::frame::TAG;

/// How frames on one connection are protected. Both ends of a link choose the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protection {
    /// TCP's own 16-bit checksum only.
    #[default]
    None,
    /// CRC-32C of every frame: finds any burst up to 32 bits, and runs at memory speed on the CPU's own instruction. Guards against bad
    /// cables and memory, not against people.
    Checksum,
    /// ChaCha20-Poly1305 under a key of the connection: hides and authenticates.
    Encrypted,
}

impl Protection {
    pub(super) fn code(self) -> u8 {
        match self {
            Protection::None => 0,
            Protection::Checksum => 1,
            Protection::Encrypted => 2,
        }
    }
}

/// One direction of one connection.
pub(super) enum Seal {
    None,
    Checksum,
    Encrypted { cipher: Box<ChaCha20Poly1305>, frames: u64 },
}

impl Seal {
    /// `outward` tells the two directions of a connection apart: no nonce is used twice under one key.
    pub(super) fn new(protection: Protection, key: &[u8; 32], outward: bool) -> Self {
        match protection {
            Protection::None => Seal::None,
            Protection::Checksum => Seal::Checksum,
            Protection::Encrypted => {
                let context =
                    if outward { "tandem link caller to host" } else { "tandem link host to caller" };
                let key = blake3::derive_key(context, key);
                Seal::Encrypted { cipher: Box::new(ChaCha20Poly1305::new(&key.into())), frames: 0 }
            }
        }
    }

    /// Whether sealing changes the payload, so that it must be a private copy.
    pub(super) fn rewrites(&self) -> bool {
        matches!(self, Seal::Encrypted { .. })
    }

    /// The tag of a frame sent as it is.
    pub(super) fn tag(&self, header: &[u8], payload: &[u8]) -> [u8; TAG] {
        let mut tag = [0; TAG];
        if let Seal::Checksum = self {
            tag[..4].copy_from_slice(&crc32c::crc32c_append(crc32c::crc32c(header), payload).to_le_bytes());
        }
        tag
    }

    /// Encrypts `payload` in place and gives its tag.
    pub(super) fn close(&mut self, header: &[u8], payload: &mut [u8]) -> [u8; TAG] {
        match self {
            Seal::Encrypted { cipher, frames } => {
                let nonce = nonce(frames);
                match cipher.encrypt_in_place_detached(&nonce.into(), header, payload) {
                    Ok(tag) => tag.into(),
                    // Only for payloads of hundreds of gigabytes; the peer will refuse this tag.
                    Err(_) => [0; TAG],
                }
            }
            _ => self.tag(header, payload),
        }
    }

    /// Checks a received frame and restores its payload in place.
    #[must_use]
    pub(super) fn open(&mut self, header: &[u8], payload: &mut [u8], tag: &[u8; TAG]) -> bool {
        match self {
            Seal::Encrypted { cipher, frames } => {
                let nonce = nonce(frames);
                cipher.decrypt_in_place_detached(&nonce.into(), header, payload, tag.into()).is_ok()
            }
            Seal::None => true,
            Seal::Checksum => self.tag(header, payload) == *tag,
        }
    }
}

fn nonce(frames: &mut u64) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[..8].copy_from_slice(&frames.to_le_bytes());
    *frames += 1;
    nonce
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_found() {
        for protection in [Protection::Checksum, Protection::Encrypted] {
            for bit in 0..(40 + 16 + if protection == Protection::Encrypted { 16 } else { 4 }) * 8 {
                let mut out = Seal::new(protection, &[3; 32], true);
                let mut back = Seal::new(protection, &[3; 32], true);
                let mut frame: Vec<u8> = (0..56).collect();
                let (header, payload) = frame.split_at_mut(16);
                let tag = out.close(header, payload);
                frame.extend_from_slice(&tag);
                frame[bit / 8] ^= 1 << (bit % 8);
                let (header, rest) = frame.split_at_mut(16);
                let (payload, tag) = rest.split_at_mut(40);
                assert!(
                    !back.open(header, payload, (&*tag).try_into().unwrap()),
                    "{protection:?}, bit {bit}"
                );
            }
        }
    }

    #[test]
    fn what_was_closed_opens_once_and_in_order() {
        let mut out = Seal::new(Protection::Encrypted, &[3; 32], true);
        let mut back = Seal::new(Protection::Encrypted, &[3; 32], true);
        let mut first = *b"first";
        let tag = out.close(b"h", &mut first);
        assert_ne!(first, *b"first");
        let mut replay = first;
        assert!(back.open(b"h", &mut first, &tag));
        assert_eq!(first, *b"first");
        assert!(!back.open(b"h", &mut replay, &tag));
    }
}
