//! Which cache blocks are free, used, or kept for a prefix that may come again.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// Hands out cache blocks and remembers the contents of full ones, so that sequences with a common
/// prefix share its blocks. A block is one of:
/// - free: nothing in it;
/// - used: held by one or more sequences;
/// - kept: held by none, contents known, taken back oldest first when free ones run out.
pub struct BlockPool {
    block_len: usize,
    blocks: Vec<Block>,
    /// Tokens of each remembered block, `block_len` per block.
    tokens: Vec<u32>,
    free: Vec<u32>,
    /// Full blocks by the hash of their tokens and all before them.
    known: HashMap<u64, u32>,
    /// Kept blocks as a linked list, oldest first.
    oldest: Option<u32>,
    newest: Option<u32>,
    kept: usize,
    hasher: RandomState,
}

#[derive(Clone, Copy, Default)]
struct Block {
    holders: u32,
    /// Set once the block is full and remembered.
    prefix: Option<Prefix>,
    older: Option<u32>,
    newer: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Prefix {
    /// Of this block's tokens and everything before them.
    hash: u64,
    parent: u64,
}

/// The hash of an empty prefix.
pub const ROOT: u64 = 0;

impl BlockPool {
    pub fn new(blocks: usize, block_len: usize, hasher: RandomState) -> BlockPool {
        BlockPool {
            block_len,
            blocks: vec![Block::default(); blocks],
            tokens: vec![0; blocks * block_len],
            free: (0..blocks as u32).rev().collect(),
            known: HashMap::with_capacity(blocks),
            oldest: None,
            newest: None,
            kept: 0,
            hasher,
        }
    }

    /// Blocks that `take` can still hand out.
    pub fn available(&self) -> usize {
        self.free.len() + self.kept
    }

    /// Blocks held by sequences.
    pub fn used(&self) -> usize {
        self.blocks.len() - self.available()
    }

    pub fn take(&mut self) -> Option<u32> {
        let block = match self.free.pop() {
            Some(block) => block,
            None => {
                let block = self.oldest?;
                self.unlink(block);
                let prefix = self.blocks[block as usize].prefix.take().expect("kept blocks are remembered");
                self.known.remove(&prefix.hash);
                block
            }
        };
        self.blocks[block as usize].holders = 1;
        Some(block)
    }

    pub fn release(&mut self, block: u32) {
        let state = &mut self.blocks[block as usize];
        state.holders -= 1;
        if state.holders > 0 {
            return;
        }
        if state.prefix.is_some() {
            self.link_newest(block);
        } else {
            self.free.push(block);
        }
    }

    /// The known block of these `tokens` behind the prefix `parent`, and the hash of the longer prefix.
    pub fn find(&self, parent: u64, tokens: &[u32]) -> Option<(u64, u32)> {
        let hash = self.hash(parent, tokens);
        let block = *self.known.get(&hash)?;
        self.holds(block, Prefix { hash, parent }, tokens).then_some((hash, block))
    }

    /// Hold a known block, beside whoever does.
    pub fn hold(&mut self, block: u32) {
        if self.blocks[block as usize].holders == 0 {
            self.unlink(block);
        }
        self.blocks[block as usize].holders += 1;
    }

    /// The hash of a known block's tokens and all before them.
    pub fn prefix(&self, block: u32) -> u64 {
        self.blocks[block as usize].prefix.map_or(ROOT, |prefix| prefix.hash)
    }

    /// Remember that `block`, held by the caller, is now full of `tokens` behind the prefix `parent`.
    /// Returns the hash of the longer prefix. If another block with these contents is known already,
    /// this one stays private.
    pub fn remember(&mut self, block: u32, parent: u64, tokens: &[u32]) -> u64 {
        let hash = self.hash(parent, tokens);
        if let std::collections::hash_map::Entry::Vacant(entry) = self.known.entry(hash) {
            entry.insert(block);
            self.blocks[block as usize].prefix = Some(Prefix { hash, parent });
            self.tokens[block as usize * self.block_len..][..self.block_len].copy_from_slice(tokens);
        }
        hash
    }

    fn hash(&self, parent: u64, tokens: &[u32]) -> u64 {
        self.hasher.hash_one((parent, tokens))
    }

    /// Hashes are only a way to find candidates: contents decide.
    fn holds(&self, block: u32, prefix: Prefix, tokens: &[u32]) -> bool {
        self.blocks[block as usize].prefix == Some(prefix)
            && self.tokens[block as usize * self.block_len..][..self.block_len] == *tokens
    }

    fn link_newest(&mut self, block: u32) {
        let older = self.newest.replace(block);
        self.blocks[block as usize].older = older;
        self.blocks[block as usize].newer = None;
        match older {
            Some(older) => self.blocks[older as usize].newer = Some(block),
            None => self.oldest = Some(block),
        }
        self.kept += 1;
    }

    fn unlink(&mut self, block: u32) {
        let Block { older, newer, .. } = self.blocks[block as usize];
        match older {
            Some(older) => self.blocks[older as usize].newer = newer,
            None => self.oldest = newer,
        }
        match newer {
            Some(newer) => self.blocks[newer as usize].older = older,
            None => self.newest = older,
        }
        self.kept -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(pool: &mut BlockPool, tokens: &[u32]) -> Vec<u32> {
        let mut blocks = Vec::new();
        let mut parent = ROOT;
        for chunk in tokens.chunks_exact(pool.block_len) {
            let Some((hash, block)) = pool.find(parent, chunk) else { break };
            pool.hold(block);
            blocks.push(block);
            parent = hash;
        }
        blocks
    }

    #[test]
    fn a_remembered_prefix_is_shared_while_held_and_after() {
        let mut pool = BlockPool::new(4, 2, RandomState::new());
        let a = pool.take().unwrap();
        let hash = pool.remember(a, ROOT, &[1, 2]);
        let b = pool.take().unwrap();
        pool.remember(b, hash, &[3, 4]);
        assert_eq!(held(&mut pool, &[1, 2, 3, 4, 5]), [a, b]);
        assert_eq!(pool.used(), 2);
        for block in [a, a, b, b] {
            pool.release(block);
        }
        assert_eq!((pool.used(), pool.available()), (0, 4));
        assert_eq!(held(&mut pool, &[1, 2, 9, 9]), [a]);
        assert_eq!(held(&mut pool, &[3, 4]), [0; 0], "the same tokens behind another prefix differ");
    }

    #[test]
    fn kept_blocks_are_reclaimed_oldest_first() {
        let mut pool = BlockPool::new(3, 1, RandomState::new());
        let blocks: Vec<u32> = (0..3).map(|_| pool.take().unwrap()).collect();
        assert_eq!(pool.take(), None);
        for (token, block) in blocks.iter().enumerate() {
            pool.remember(*block, ROOT, &[token as u32]);
        }
        for block in &blocks {
            pool.release(*block);
        }
        assert_eq!(held(&mut pool, &[0]), [blocks[0]]);
        assert_eq!(pool.take(), Some(blocks[1]));
        assert_eq!(held(&mut pool, &[1]), [0; 0], "a reclaimed block is forgotten");
        assert_eq!(held(&mut pool, &[2]), [blocks[2]]);
        assert_eq!(pool.take(), None);
    }

    #[test]
    fn a_second_block_with_known_contents_stays_private() {
        let mut pool = BlockPool::new(2, 1, RandomState::new());
        let (a, b) = (pool.take().unwrap(), pool.take().unwrap());
        assert_eq!(pool.remember(a, ROOT, &[7]), pool.remember(b, ROOT, &[7]));
        pool.release(b);
        assert_eq!(pool.take(), Some(b), "it was free, not kept");
    }
}
