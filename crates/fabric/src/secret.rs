use std::fmt;

use serde::{Deserialize, Serialize};

/// 32 bytes known only to the two ends of a link, handed over on the control channel.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret([u8; 32]);

impl Secret {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A fresh secret from the system's random source.
    pub fn random() -> Self {
        Self(random_bytes())
    }

    /// The authenticator of `parts`; each part's length is bound in, so that no two lists agree by concatenation.
    pub(crate) fn mac(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in [purpose.as_bytes()].iter().chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        *hasher.finalize().as_bytes()
    }

    /// Compares authenticators without telling by time where they differ.
    pub(crate) fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
        blake3::Hash::from_bytes(*a) == blake3::Hash::from_bytes(*b)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // The source fails only before the kernel is up, or on a system without one: nothing secret can be done there.
    getrandom::fill(&mut bytes).unwrap_or_else(|e| panic!("the system has no random source: {e}"));
    bytes
}
