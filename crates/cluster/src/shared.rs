//! What all nodes agree on in the end.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// State that merges: applied in any order, any number of times, the same changes give the same result everywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    pub members: BTreeMap<NodeId, Member>,
    /// What should be loaded, by model name.
    pub wanted: BTreeMap<String, Wanted>,
    pub invites: BTreeMap<InviteId, Invite>,
}

/// Written by the node itself, except for its removal, which is final: a removed node comes back under a new key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Member {
    pub version: u64,
    pub name: String,
    /// Where its control channel listens.
    pub addresses: Vec<String>,
    pub removed: bool,
}

/// The last writer wins; `spec` is `None` where the model should not be loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    pub version: u64,
    pub by: NodeId,
    pub spec: Option<Spec>,
}

/// How a model should be loaded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    pub instances: u32,
    /// May make room for another model while nobody uses it.
    pub evictable: bool,
    /// For the planner: pins, context, shares.
    pub detail: String,
}

pub type InviteId = String;

/// What stands behind a join token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invite {
    /// Proves knowledge of the token; never shown.
    pub key: [u8; 32],
    pub expires_unix_ms: u64,
    pub uses_max: u32,
    pub revoked: bool,
    /// Who came in with it. Both sides of a partition may let the last one in.
    pub used: BTreeSet<NodeId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum JoinRefused {
    #[error("this cluster does not know the token; make one with `tandem token`")]
    Unknown,
    #[error("the token has expired; make another with `tandem token`")]
    Expired,
    #[error("the token was revoked")]
    Revoked,
    #[error("the token was used {0} times already, as often as it allows; make another with `tandem token`")]
    UsedUp(u32),
    #[error("this node was removed from the cluster; it can come back only under a new identity")]
    Removed,
    #[error("the member that was asked cannot write to its disk: {0}; make room there, or ask another")]
    NotKept(String),
}

impl Spec {
    /// Tells apart what is asked of a placement; how many copies there are, and whether they may go, is no part of it.
    pub fn wish(&self) -> u64 {
        digest(&self.detail)
    }
}

impl Shared {
    /// Takes in what another node knows. True if that changed anything.
    pub fn merge(&mut self, other: &Shared) -> bool {
        let before = self.clone();
        for (id, theirs) in &other.members {
            let ours = self.members.entry(*id).or_default();
            let removed = ours.removed || theirs.removed;
            let newer = (theirs.version, &theirs.name, &theirs.addresses)
                > (ours.version, &ours.name, &ours.addresses);
            if newer {
                *ours = theirs.clone();
            }
            ours.removed = removed;
        }
        for (model, theirs) in &other.wanted {
            match self.wanted.get(model) {
                Some(ours) if (ours.version, ours.by) >= (theirs.version, theirs.by) => {}
                _ => _ = self.wanted.insert(model.clone(), theirs.clone()),
            }
        }
        for (id, theirs) in &other.invites {
            let ours = self.invites.entry(id.clone()).or_insert_with(|| theirs.clone());
            ours.revoked |= theirs.revoked;
            ours.used.extend(&theirs.used);
        }
        before != *self
    }

    pub fn digest(&self) -> u64 {
        digest(self)
    }

    pub fn is_member(&self, node: NodeId) -> bool {
        self.members.get(&node).is_some_and(|member| !member.removed)
    }

    pub fn present(&self) -> impl Iterator<Item = (NodeId, &Member)> {
        self.members.iter().filter(|(_, member)| !member.removed).map(|(id, member)| (*id, member))
    }

    pub fn spec(&self, model: &str) -> Option<&Spec> {
        self.wanted.get(model)?.spec.as_ref()
    }

    /// Sets what is wanted of a model, over whatever was wanted before.
    pub fn want(&mut self, model: &str, by: NodeId, spec: Option<Spec>) {
        let version = self.wanted.get(model).map_or(1, |wanted| wanted.version + 1);
        self.wanted.insert(model.to_owned(), Wanted { version, by, spec });
    }

    /// Whether anybody but the one member knows of this cluster, or holds a token for it.
    pub fn has_company(&self, now_unix_ms: u64) -> bool {
        let invited = |invite: &Invite| !invite.revoked && now_unix_ms < invite.expires_unix_ms;
        self.present().count() > 1 || self.invites.values().any(invited)
    }

    /// Whether `node` may come in with the invitation.
    pub fn check_invite(&self, id: &str, node: NodeId, now_unix_ms: u64) -> Result<(), JoinRefused> {
        let invite = self.invites.get(id).ok_or(JoinRefused::Unknown)?;
        if self.members.get(&node).is_some_and(|member| member.removed) {
            return Err(JoinRefused::Removed);
        }
        if invite.revoked {
            return Err(JoinRefused::Revoked);
        }
        if now_unix_ms >= invite.expires_unix_ms {
            return Err(JoinRefused::Expired);
        }
        // Coming twice, because the answer was lost, is one use.
        if !invite.used.contains(&node) && invite.used.len() >= invite.uses_max as usize {
            return Err(JoinRefused::UsedUp(invite.uses_max));
        }
        Ok(())
    }
}

/// Tells apart two values without sending them.
pub(crate) fn digest(value: &impl Serialize) -> u64 {
    let bytes = postcard::to_allocvec(value).unwrap_or_default();
    let hash = blake3::hash(&bytes);
    u64::from_le_bytes(std::array::from_fn(|i| hash.as_bytes()[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(n: u8) -> NodeId {
        NodeId([n; 32])
    }

    #[test]
    fn changes_merge_in_any_order_to_the_same() {
        let mut a = Shared::default();
        a.members.insert(node(1), Member { version: 1, name: "one".into(), ..Member::default() });
        let mut b = a.clone();
        a.want("m", node(1), Some(Spec { instances: 1, ..Spec::default() }));
        b.want("m", node(2), None);
        b.members.get_mut(&node(1)).unwrap().removed = true;
        a.members.get_mut(&node(1)).unwrap().version = 2;
        let (mut left, mut right) = (a.clone(), b.clone());
        assert!(left.merge(&b));
        assert!(right.merge(&a));
        assert_eq!(left, right);
        assert!(!left.merge(&a) && !left.merge(&b));
        assert!(left.members[&node(1)].removed && left.members[&node(1)].version == 2);
        assert_eq!(left.spec("m"), None, "the later writer by (version, node) wins");
    }

    #[test]
    fn an_invitation_ends() {
        let mut shared = Shared::default();
        let invite = Invite {
            key: [7; 32],
            expires_unix_ms: 1000,
            uses_max: 1,
            revoked: false,
            used: BTreeSet::new(),
        };
        shared.invites.insert("i".into(), invite);
        let check = |shared: &Shared, n, now| shared.check_invite("i", node(n), now);
        assert_eq!(check(&shared, 1, 999), Ok(()));
        assert_eq!(check(&shared, 1, 1000), Err(JoinRefused::Expired));
        assert_eq!(shared.check_invite("x", node(1), 0), Err(JoinRefused::Unknown));
        shared.invites.get_mut("i").unwrap().used.insert(node(1));
        assert_eq!(check(&shared, 1, 0), Ok(()), "the same node may ask again");
        assert_eq!(check(&shared, 2, 0), Err(JoinRefused::UsedUp(1)));
        shared.invites.get_mut("i").unwrap().revoked = true;
        assert_eq!(check(&shared, 1, 0), Err(JoinRefused::Revoked));
    }
}
