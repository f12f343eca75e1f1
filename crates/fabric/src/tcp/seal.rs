use ring::aead::{AES_256_GCM, Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, Tag, UnboundKey};

use super::frame::TAG;

/// How frames on one connection are protected. Where the two ends of a link want different things, both use the stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Protection {
    /// TCP's own 16-bit checksum only.
    #[default]
    None,
    /// CRC-32C of every frame: finds any burst up to 32 bits, and runs at memory speed on the CPU's own instruction. Guards against bad
    /// cables and memory, not against people.
    Checksum,
    /// Hidden and authenticated under a key of the connection, by the [`Cipher`] that both ends compute fast.
    Encrypted,
}

/// What encrypts a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cipher {
    /// Several times the faster one where both processors have instructions for it.
    Aes256Gcm,
    /// For all others.
    ChaCha20Poly1305,
}

impl Cipher {
    /// The faster one on this machine.
    pub fn fastest() -> Cipher {
        #[cfg(target_arch = "x86_64")]
        let hardware =
            std::arch::is_x86_feature_detected!("aes") && std::arch::is_x86_feature_detected!("pclmulqdq");
        #[cfg(target_arch = "aarch64")]
        let hardware = std::arch::is_aarch64_feature_detected!("aes")
            && std::arch::is_aarch64_feature_detected!("pmull");
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let hardware = false;
        if hardware { Cipher::Aes256Gcm } else { Cipher::ChaCha20Poly1305 }
    }
}

impl std::fmt::Display for Cipher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Cipher::Aes256Gcm => "AES-256-GCM",
            Cipher::ChaCha20Poly1305 => "ChaCha20-Poly1305",
        })
    }
}

/// What the two ends of a link have agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreed {
    None,
    Checksum,
    Encrypted(Cipher),
}

/// Set in an offer by a processor that has instructions for AES.
const AES_HERE: u8 = 0x10;

impl Protection {
    /// What is told to the other end.
    pub(super) fn offer(self) -> u8 {
        let aes = if Cipher::fastest() == Cipher::Aes256Gcm { AES_HERE } else { 0 };
        self as u8 | aes
    }

    /// With what the other end told. It cannot make us use less than we want ourselves; `None` where it makes no sense.
    pub(super) fn agree(self, theirs: u8) -> Option<Agreed> {
        let (theirs, their_aes) = (theirs & !AES_HERE, theirs & AES_HERE != 0);
        let theirs = match theirs {
            0 => Protection::None,
            1 => Protection::Checksum,
            2 => Protection::Encrypted,
            _ => return None,
        };
        Some(match self.max(theirs) {
            Protection::None => Agreed::None,
            Protection::Checksum => Agreed::Checksum,
            Protection::Encrypted if their_aes => Agreed::Encrypted(Cipher::fastest()),
            Protection::Encrypted => Agreed::Encrypted(Cipher::ChaCha20Poly1305),
        })
    }
}

/// One direction of one connection.
pub(super) enum Seal {
    None,
    Checksum,
    Encrypted(Box<Keyed>),
}

impl Seal {
    /// `outward` tells the two directions of a connection apart: no nonce is used twice under one key.
    pub(super) fn new(agreed: Agreed, key: &[u8; 32], outward: bool) -> Self {
        match agreed {
            Agreed::None => Seal::None,
            Agreed::Checksum => Seal::Checksum,
            Agreed::Encrypted(cipher) => {
                let context =
                    if outward { "tandem link caller to host" } else { "tandem link host to caller" };
                Seal::Encrypted(Box::new(Keyed::new(cipher, blake3::derive_key(context, key))))
            }
        }
    }

    /// Whether sealing changes the payload, so that it must be a private copy.
    pub(super) fn rewrites(&self) -> bool {
        matches!(self, Seal::Encrypted(_))
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
        let Seal::Encrypted(keyed) = self else { return self.tag(header, payload) };
        let nonce = keyed.nonce();
        match keyed.key.seal_in_place_separate_tag(nonce, Aad::from(header), payload) {
            Ok(tag) => tag.as_ref().try_into().unwrap_or([0; TAG]),
            // Only for payloads of many gigabytes; the peer will refuse this tag.
            Err(_) => [0; TAG],
        }
    }

    /// Checks a received frame and restores its payload in place.
    #[must_use]
    pub(super) fn open(&mut self, header: &[u8], payload: &mut [u8], tag: &[u8; TAG]) -> bool {
        match self {
            Seal::Encrypted(keyed) => {
                let nonce = keyed.nonce();
                let opened = keyed.key.open_in_place_separate_tag(
                    nonce,
                    Aad::from(header),
                    Tag::from(*tag),
                    payload,
                    0..,
                );
                opened.is_ok()
            }
            Seal::None => true,
            Seal::Checksum => self.tag(header, payload) == *tag,
        }
    }
}

/// A key and how often it was used. Both ends count, so neither the count nor a new key need be sent.
pub(super) struct Keyed {
    cipher: Cipher,
    secret: [u8; 32],
    key: LessSafeKey,
    frames: u64,
}

/// Frames under one key. So many of the longest are 2^34 blocks, well below what AES-GCM may hide under one key.
const KEY_FRAMES: u64 = 1 << 20;

impl Keyed {
    fn new(cipher: Cipher, secret: [u8; 32]) -> Keyed {
        let algorithm = match cipher {
            Cipher::Aes256Gcm => &AES_256_GCM,
            Cipher::ChaCha20Poly1305 => &CHACHA20_POLY1305,
        };
        let key = UnboundKey::new(algorithm, &secret).expect("both ciphers have keys of 32 bytes");
        Keyed { cipher, secret, key: LessSafeKey::new(key), frames: 0 }
    }

    /// The next nonce, under the next key where it is time for one. What the old key hid, the new one does not reveal.
    fn nonce(&mut self) -> Nonce {
        if self.frames == KEY_FRAMES {
            *self = Keyed::new(self.cipher, blake3::derive_key("tandem link next key", &self.secret));
        }
        let mut nonce = [0; 12];
        nonce[..8].copy_from_slice(&self.frames.to_le_bytes());
        self.frames += 1;
        Nonce::assume_unique_for_key(nonce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Agreed; 3] =
        [Agreed::Checksum, Agreed::Encrypted(Cipher::Aes256Gcm), Agreed::Encrypted(Cipher::ChaCha20Poly1305)];

    #[test]
    fn every_flipped_bit_is_found() {
        for agreed in ALL {
            for bit in 0..(40 + 16 + if agreed == Agreed::Checksum { 4 } else { 16 }) * 8 {
                let mut out = Seal::new(agreed, &[3; 32], true);
                let mut back = Seal::new(agreed, &[3; 32], true);
                let mut frame: Vec<u8> = (0..56).collect();
                let (header, payload) = frame.split_at_mut(16);
                let tag = out.close(header, payload);
                frame.extend_from_slice(&tag);
                frame[bit / 8] ^= 1 << (bit % 8);
                let (header, rest) = frame.split_at_mut(16);
                let (payload, tag) = rest.split_at_mut(40);
                assert!(!back.open(header, payload, (&*tag).try_into().unwrap()), "{agreed:?}, bit {bit}");
            }
        }
    }

    #[test]
    fn what_was_closed_opens_once_and_in_order() {
        for agreed in &ALL[1..] {
            let mut out = Seal::new(*agreed, &[3; 32], true);
            let mut back = Seal::new(*agreed, &[3; 32], true);
            let mut first = *b"first";
            let tag = out.close(b"h", &mut first);
            assert_ne!(first, *b"first");
            let mut replay = first;
            assert!(back.open(b"h", &mut first, &tag));
            assert_eq!(first, *b"first");
            assert!(!back.open(b"h", &mut replay, &tag));
        }
    }

    #[test]
    fn keys_change_at_both_ends_at_once() {
        let ends = || Seal::new(Agreed::Encrypted(Cipher::fastest()), &[3; 32], true);
        let (mut out, mut back) = (ends(), ends());
        for end in [&mut out, &mut back] {
            if let Seal::Encrypted(keyed) = end {
                keyed.frames = KEY_FRAMES - 2;
            }
        }
        for number in 0..4u8 {
            let mut bytes = [number; 9];
            let tag = out.close(b"h", &mut bytes);
            assert!(back.open(b"h", &mut bytes, &tag));
            assert_eq!(bytes, [number; 9]);
        }
        let Seal::Encrypted(keyed) = out else { panic!() };
        assert_eq!(keyed.frames, 2);
    }

    #[test]
    fn the_stricter_end_decides() {
        use Protection::*;
        let encrypted = Agreed::Encrypted(Cipher::fastest());
        assert_eq!(None.agree(None.offer()), Some(Agreed::None));
        assert_eq!(Checksum.agree(None.offer()), Some(Agreed::Checksum));
        assert_eq!(None.agree(Encrypted.offer()), Some(encrypted));
        assert_eq!(Encrypted.agree(None.offer()), Some(encrypted));
        // Without instructions for AES at the other end.
        assert_eq!(Encrypted.agree(2), Some(Agreed::Encrypted(Cipher::ChaCha20Poly1305)));
        assert_eq!(Encrypted.agree(3), Option::None);
    }
}
