//! Which cache blocks each sequence holds.

use std::collections::VecDeque;
use std::hash::RandomState;

use tandem_tensor::Limits;

use crate::blocks::{BlockPool, ROOT};

/// The cache's blocks: a pool for layers that see a whole sequence and, where some see only a window, another for those.
/// Blocks of the two are taken together; a window's are released once no later token sees them, and stay known until their
/// room is needed. A prefix can be taken over as far as the first pool knows all of it and the second the window before its
/// end.
///
/// Where layers keep states, a third pool has places for them. A sequence holds one, which every step changes. At the ends
/// of some of its blocks the place is left as it is, known by the tokens before it, and the sequence goes on in another:
/// there, and only there, another sequence can take over a prefix.
pub(crate) struct Paging {
    whole: BlockPool,
    windows: Option<Windows>,
    states: Option<BlockPool>,
    block_len: usize,
}

struct Windows {
    pool: BlockPool,
    len: usize,
}

/// One sequence's blocks.
pub(crate) struct Pages {
    pub whole: Vec<u32>,
    /// Those of the window; the last one is the same part of the sequence as the last of `whole`.
    pub window: VecDeque<u32>,
    /// Where its state is written; only a sequence with blocks has one.
    pub state: Option<u32>,
    /// Where the next step finds it, if elsewhere.
    pub state_from: Option<u32>,
    /// Blocks whose contents the pools know, and the hash of their prefix.
    remembered: usize,
    prefix: u64,
}

impl Pages {
    /// With room for a sequence of `limits.context_max` tokens.
    pub(crate) fn new(limits: &Limits) -> Pages {
        let blocks = limits.context_max.div_ceil(limits.block_len);
        Pages {
            whole: Vec::with_capacity(blocks),
            window: VecDeque::with_capacity(Pages::window_max(limits)),
            state: None,
            state_from: None,
            remembered: 0,
            prefix: ROOT,
        }
    }

    /// Most blocks of a window, beside those of a whole batch.
    pub(crate) fn window_max(limits: &Limits) -> usize {
        match limits.window {
            0 => 0,
            window => (window + limits.tokens_max).min(limits.context_max).div_ceil(limits.block_len) + 1,
        }
    }
}

impl Paging {
    pub(crate) fn new(limits: &Limits) -> Paging {
        // The same prefix has the same hash in both.
        let hasher = RandomState::new();
        let pool = |blocks: usize| BlockPool::new(blocks, limits.block_len, hasher.clone());
        let windows =
            (limits.window > 0).then(|| Windows { pool: pool(limits.window_blocks), len: limits.window });
        let states = (limits.states > 0).then(|| pool(limits.states));
        Paging { whole: pool(limits.blocks), windows, states, block_len: limits.block_len }
    }

    /// The longest sequence that these limits always have room for, if it is alone.
    pub(crate) fn context_max(limits: &Limits) -> usize {
        let whole = limits.context_max.min(limits.blocks * limits.block_len);
        let window_blocks = limits.window.saturating_sub(1).div_ceil(limits.block_len) + 1;
        if limits.window == 0 || limits.window_blocks >= window_blocks {
            return whole;
        }
        whole.min(limits.window_blocks * limits.block_len)
    }

    /// Blocks that sequences can still be given.
    pub(crate) fn available(&self) -> usize {
        let whole = self.whole.available();
        self.windows.as_ref().map_or(whole, |windows| whole.min(windows.pool.available()))
    }

    /// Blocks held by sequences, of whole sequences and of windows.
    pub(crate) fn used(&self) -> (usize, usize) {
        (self.whole.used(), self.windows.as_ref().map_or(0, |windows| windows.pool.used()))
    }

    /// Where a piece of a prompt should end that could end at `end`, so that its state can be kept there for others that begin
    /// alike. The last token is always computed anew.
    pub(crate) fn piece_end(&self, computed: usize, end: usize, tokens: usize) -> usize {
        let boundary = end.min(tokens.saturating_sub(1)) / self.block_len * self.block_len;
        if self.states.is_some() && boundary > computed { boundary } else { end }
    }

    /// Give `pages` enough blocks for `tokens`, and a place for its state; false where there were too few.
    pub(crate) fn grow(&mut self, pages: &mut Pages, tokens: usize) -> bool {
        if let Some(states) = &mut self.states
            && pages.state.is_none()
        {
            pages.state = states.take();
            if pages.state.is_none() {
                return false;
            }
        }
        while pages.whole.len() * self.block_len < tokens {
            if self.available() == 0 {
                return false;
            }
            pages.whole.extend(self.whole.take());
            pages.window.extend(self.windows.as_mut().and_then(|windows| windows.pool.take()));
        }
        true
    }

    /// Give `pages`, which has none, the known blocks that `tokens` begins with, up to a place that `cuts` allows. Returns the tokens
    /// these hold.
    pub(crate) fn hold_prefix(
        &mut self,
        pages: &mut Pages,
        tokens: &[u32],
        cuts: impl Fn(usize) -> bool,
    ) -> usize {
        let mut parent = ROOT;
        // Blocks that can be taken over, and how many before the last found one the windows know without a gap.
        let (mut best, mut run) = (0, 0);
        for chunk in tokens.chunks_exact(self.block_len) {
            let Some((hash, block)) = self.whole.find(parent, chunk) else { break };
            pages.whole.push(block);
            let known =
                self.windows.as_ref().is_some_and(|windows| windows.pool.find(parent, chunk).is_some());
            run = if known { run + 1 } else { 0 };
            let kept = self.states.as_ref().map(|states| states.find(parent, chunk));
            parent = hash;
            let blocks = pages.whole.len();
            let has_window = blocks - self.window_first(blocks * self.block_len).unwrap_or(blocks) <= run;
            if has_window && kept != Some(None) && cuts(blocks * self.block_len) {
                best = blocks;
                pages.prefix = hash;
                pages.state_from = kept.flatten().map(|(_, place)| place);
            }
        }
        pages.whole.truncate(best);
        for block in &pages.whole {
            self.whole.hold(*block);
        }
        if let Some((states, place)) = self.states.as_mut().zip(pages.state_from) {
            states.hold(place);
        }
        for index in self.window_first(best * self.block_len).unwrap_or(best)..best {
            let parent = index.checked_sub(1).map_or(ROOT, |before| self.whole.prefix(pages.whole[before]));
            let Some(windows) = &mut self.windows else { break };
            let chunk = &tokens[index * self.block_len..][..self.block_len];
            let (_, block) = windows.pool.find(parent, chunk).expect("found above");
            windows.pool.hold(block);
            pages.window.push_back(block);
        }
        pages.remembered = best;
        best * self.block_len
    }

    /// Tell the pools of blocks that are full now that `computed` of a sequence's tokens are in the cache, `rows` of them since the
    /// last time, and release those that its window has left.
    pub(crate) fn advance(&mut self, pages: &mut Pages, tokens: &[u32], computed: usize, rows: usize) {
        if let Some((states, place)) = self.states.as_mut().zip(pages.state_from.take()) {
            states.release(place);
        }
        for chunk in tokens[pages.remembered * self.block_len..computed].chunks_exact(self.block_len) {
            if let Some(windows) = &mut self.windows {
                let block = pages.window[pages.remembered - (pages.whole.len() - pages.window.len())];
                windows.pool.remember(block, pages.prefix, chunk);
            }
            let parent = pages.prefix;
            pages.prefix = self.whole.remember(pages.whole[pages.remembered], parent, chunk);
            pages.remembered += 1;
            let ends_here = pages.remembered * self.block_len == computed;
            if ends_here && (rows > 1 || computed.is_multiple_of(STATE_KEPT_EVERY)) {
                self.keep_state(pages, parent, chunk);
            }
        }
        let first = self.window_first(computed);
        let Some((windows, first)) = self.windows.as_mut().zip(first) else { return };
        while pages.whole.len() - pages.window.len() < first {
            let Some(block) = pages.window.pop_front() else { return };
            windows.pool.release(block);
        }
    }

    /// Leave the state after `chunk`, behind the prefix `parent`, where it is, and go on in another place if there is one.
    fn keep_state(&mut self, pages: &mut Pages, parent: u64, chunk: &[u32]) {
        let Some((states, own)) = self.states.as_mut().zip(pages.state) else { return };
        if states.find(parent, chunk).is_some() {
            return;
        }
        if let Some(next) = states.take() {
            states.remember(own, parent, chunk);
            (pages.state, pages.state_from) = (Some(next), Some(own));
        }
    }

    /// The first block that a token at `position` sees in windowed layers, where there are any.
    fn window_first(&self, position: usize) -> Option<usize> {
        let windows = self.windows.as_ref()?;
        Some((position + 1).saturating_sub(windows.len) / self.block_len)
    }

    pub(crate) fn give_back(&mut self, pages: &mut Pages) {
        // Newest first: when room is needed, the ends of prefixes go before their beginnings.
        for block in pages.whole.drain(..).rev() {
            self.whole.release(block);
        }
        for block in pages.window.drain(..).rev() {
            self.windows.iter_mut().for_each(|windows| windows.pool.release(block));
        }
        for place in [pages.state_from.take(), pages.state.take()].into_iter().flatten() {
            self.states.iter_mut().for_each(|states| states.release(place));
        }
        pages.remembered = 0;
        pages.prefix = ROOT;
    }
}

/// While it decodes, a sequence's state is kept every so many tokens: a multiple of a block's.
const STATE_KEPT_EVERY: usize = 256;
