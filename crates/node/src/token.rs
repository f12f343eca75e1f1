//! What lets a node into a cluster.

use std::fmt;
use std::str::FromStr;

use crate::hex::{from_hex, random_bytes, to_hex};
use crate::home::ClusterId;

/// A join token: which cluster, which invitation, its key, and where members listen. Whoever has it may join.
#[derive(Clone, PartialEq, Eq)]
pub struct JoinToken {
    pub cluster: ClusterId,
    pub invite: [u8; 8],
    pub key: [u8; 32],
    pub addresses: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no join token: {0}; copy the whole line that `tandem token` prints")]
pub struct BadToken(&'static str);

const PREFIX: &str = "tandem1-";

impl JoinToken {
    pub fn new(cluster: ClusterId, addresses: Vec<String>) -> std::io::Result<JoinToken> {
        Ok(JoinToken { cluster, invite: random_bytes()?, key: random_bytes()?, addresses })
    }

    /// Of a cluster that does not exist yet: [`found`](crate::found) founds it.
    pub fn of_new_cluster(addresses: Vec<String>) -> std::io::Result<JoinToken> {
        JoinToken::new(ClusterId(to_hex(&random_bytes::<16>()?)), addresses)
    }

    /// Names the invitation without giving it away.
    pub fn id(&self) -> String {
        to_hex(&self.invite)
    }
}

impl fmt::Display for JoinToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}{}{}", self.cluster.0, to_hex(&self.invite), to_hex(&self.key))?;
        if !self.addresses.is_empty() {
            write!(f, "@{}", self.addresses.join(","))?;
        }
        Ok(())
    }
}

impl fmt::Debug for JoinToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinToken({}, ..)", self.id())
    }
}

impl FromStr for JoinToken {
    type Err = BadToken;

    fn from_str(text: &str) -> Result<JoinToken, BadToken> {
        let text = text.trim();
        let rest = text.strip_prefix(PREFIX).ok_or(BadToken("it does not begin with `tandem1-`"))?;
        let (digits, addresses) = rest.split_once('@').unwrap_or((rest, ""));
        if digits.len() != 112 || !digits.is_ascii() {
            return Err(BadToken("it should have 112 hexadecimal digits"));
        }
        let wrong = || BadToken("it holds something else than hexadecimal digits");
        let cluster = from_hex::<16>(&digits[..32]).ok_or_else(wrong)?;
        Ok(JoinToken {
            cluster: ClusterId(to_hex(&cluster)),
            invite: from_hex(&digits[32..48]).ok_or_else(wrong)?,
            key: from_hex(&digits[48..]).ok_or_else(wrong)?,
            addresses: addresses.split(',').filter(|it| !it.is_empty()).take(16).map(str::to_owned).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_being_copied() {
        let cluster = ClusterId(to_hex(&[7; 16]));
        let token = JoinToken::new(cluster, vec!["10.0.0.1:4000".into(), "[fe80::1]:4000".into()]).unwrap();
        let read: JoinToken = format!(" {token}\n").parse().unwrap();
        assert_eq!(read, token);
        let cut = &token.to_string()[..60];
        assert_eq!(cut.parse::<JoinToken>(), Err(BadToken("it should have 112 hexadecimal digits")));
        assert!("hello".parse::<JoinToken>().is_err());
        assert!(!format!("{token:?}").contains(&to_hex(&token.key)));
    }
}
