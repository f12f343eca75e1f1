use tandem_fabric::{Arena, ArenaError, Buf};

/// Buffers kept between collectives, so that a steady state allocates nothing.
pub(crate) struct Scratch {
    arena: Arena,
    kept: Vec<Buf>,
}

const KEPT_MAX: usize = 64;

impl Scratch {
    pub(crate) fn new(arena: &Arena) -> Self {
        Self { arena: arena.clone(), kept: Vec::with_capacity(KEPT_MAX) }
    }

    /// A buffer of exactly `len` bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<Buf, ArenaError> {
        if let Some(found) = self.kept.iter().rposition(|buf| buf.len() == len) {
            return Ok(self.kept.remove(found));
        }
        match self.arena.alloc(len) {
            Err(ArenaError::Full { .. }) if !self.kept.is_empty() => {
                self.kept.clear();
                self.arena.alloc(len)
            }
            result => result,
        }
    }

    pub(crate) fn keep(&mut self, buf: Buf) {
        if self.kept.len() == KEPT_MAX {
            self.kept.remove(0);
        }
        self.kept.push(buf);
    }
}
