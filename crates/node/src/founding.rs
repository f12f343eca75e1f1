//! Founding a cluster that a token was made for before it existed: where nodes are started by a machine, nobody is there to copy one.

use std::path::Path;
use std::time::Duration;

use tandem_cluster::{Invite, Saved, Shared};

use crate::hex::random_bytes;
use crate::home::{Home, Membership};
use crate::node::{NodeError, unix_ms};
use crate::token::JoinToken;

/// How long such a token is good for, and for how many nodes. It can be revoked like any other.
const LASTING: Duration = Duration::from_secs(10 * 365 * 24 * 3600);
const USES_MAX: u32 = 1000;

/// Has the node at `root`, which must not run yet, found the cluster of `token`, unless it belongs to that already.
pub fn found(root: &Path, token: &JoinToken) -> Result<(), NodeError> {
    let home = Home::open(root)?;
    match home.membership()? {
        Some(known) if known.cluster == token.cluster => return Ok(()),
        Some(known) if known.saved.shared.present().count() > 1 => {
            return Err(NodeError::OtherCluster(known.cluster.0));
        }
        // A cluster of this node alone is left behind.
        _ => {}
    }
    let invite = Invite {
        key: token.key,
        expires_unix_ms: unix_ms() + LASTING.as_millis() as u64,
        uses_max: USES_MAX,
        revoked: false,
        used: Default::default(),
    };
    let shared = Shared { invites: [(token.id(), invite)].into(), ..Shared::default() };
    let saved = Saved { shared, counter: 0 };
    home.save(&Membership::new(token.cluster.clone(), random_bytes()?, saved))?;
    Ok(())
}
