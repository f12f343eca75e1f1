//! How a batch's queries are cut into pieces of attention.

use std::ops::Range;

use tandem_tensor::Batch;

use crate::attend::QUERIES;

/// Queries cut into tiles, for one size of group.
pub(crate) struct Tiling {
    pub group: usize,
    pub tiles: Vec<Tile>,
    /// Every sequence is one tile.
    pub whole: bool,
    /// Every tile is one row.
    pub single: bool,
}

#[derive(Clone)]
pub(crate) struct Tile {
    pub row: usize,
    pub rows: usize,
    pub position: usize,
    /// In `Batch::blocks`.
    pub blocks: Range<usize>,
    /// In `Batch::window_blocks`, and which of the sequence's blocks is the first of these.
    pub window_blocks: Range<usize>,
    pub window_first: usize,
    /// See [`QueryTile`](crate::attend::QueryTile).
    pub until: usize,
}

impl Tiling {
    pub(crate) fn new(group: usize, tokens_max: usize) -> Tiling {
        Tiling { group, tiles: Vec::with_capacity(tokens_max), whole: true, single: true }
    }

    pub(crate) const fn rows_max(group: usize) -> usize {
        if group < QUERIES { QUERIES / group } else { 1 }
    }

    pub(crate) fn fill(&mut self, batch: &Batch) {
        self.tiles.clear();
        let (mut row, mut block, mut window_block) = (0, 0, 0);
        let mut given = batch
            .given
            .iter()
            .map(|given| given.first as usize..(given.first + given.rows) as usize)
            .peekable();
        for span in &batch.spans {
            let blocks = block..block + span.blocks as usize;
            let window_blocks = window_block..window_block + span.window_blocks as usize;
            let mut done = 0;
            while done < span.rows as usize {
                let mut rows = (span.rows as usize - done).min(Tiling::rows_max(self.group));
                let (position, first) = (span.start as usize + done, row + done);
                // A tile's rows are all given together, or none is given.
                given.next_if(|given| given.end <= first);
                let mut until = 0;
                match given.peek() {
                    Some(given) if given.start <= first => {
                        rows = rows.min(given.end - first);
                        until = position + given.end - first;
                    }
                    Some(given) => rows = rows.min(given.start - first),
                    None => {}
                }
                self.tiles.push(Tile {
                    row: first,
                    rows,
                    position,
                    blocks: blocks.clone(),
                    window_blocks: window_blocks.clone(),
                    window_first: span.window_first(),
                    until,
                });
                done += rows;
            }
            row += span.rows as usize;
            (block, window_block) = (blocks.end, window_blocks.end);
        }
        self.whole = self.tiles.len() == batch.spans.len();
        self.single = self.tiles.iter().all(|tile| tile.rows == 1);
    }
}
