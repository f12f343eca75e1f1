//! What a caller needs who computes while an all-reduce that was started travels.

use crate::{Group, GroupError, Team};

impl Group {
    /// Moves what the links can move now. Without it, some do nothing between the start of an all-reduce and its end.
    pub fn progress(&mut self) -> Result<(), GroupError> {
        self.ports.check()?;
        self.ports.pump()
    }
}

impl Team {
    /// Whether every two members share memory. The ranks then compute a sum themselves, and there is little waiting time to use.
    pub fn shares_memory(&self) -> bool {
        self.inner.shape.memory
    }

    /// Whether every two members are linked.
    pub fn is_mesh(&self) -> bool {
        self.inner.shape.mesh
    }
}
