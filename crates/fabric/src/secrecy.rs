use std::fmt;

use crate::Cipher;

/// Who could read what a link carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    /// It never leaves this host.
    WithinHost,
    /// Only its two ends.
    Encrypted(Cipher),
    /// Whoever has hold of the cable or a switch on the way.
    Clear,
}

impl fmt::Display for Secrecy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Secrecy::WithinHost => f.write_str("within the host"),
            Secrecy::Encrypted(cipher) => write!(f, "encrypted ({cipher})"),
            Secrecy::Clear => f.write_str("not encrypted"),
        }
    }
}
