//! Which client's prompt is computed next.

/// How much of the prompts of each client has been computed, so that clients take turns: the one that had least goes
/// first. A client that comes back starts with as many turns as the client that had fewest.
#[derive(Default)]
pub(crate) struct Turns {
    rows: Vec<(u64, u64)>,
}

/// One turn. Long enough that prompts of ordinary length are computed one after the other, which is best for most.
const TURN_ROWS: u64 = 512;

impl Turns {
    /// Turns a client has had; fewer go first.
    pub fn had(&self, client: u64) -> u64 {
        self.rows.iter().find(|(other, _)| *other == client).map_or(0, |(_, rows)| rows / TURN_ROWS)
    }

    pub fn enter(&mut self, client: u64) {
        if !self.rows.iter().any(|(other, _)| *other == client) {
            let least = self.rows.iter().map(|(_, rows)| *rows).min().unwrap_or(0);
            self.rows.push((client, least));
        }
    }

    pub fn leave(&mut self, client: u64) {
        self.rows.retain(|(other, _)| *other != client);
    }

    pub fn count(&mut self, client: u64, rows: usize) {
        if let Some((_, counted)) = self.rows.iter_mut().find(|(other, _)| *other == client) {
            *counted += rows as u64;
        }
    }
}
