//! The order in which every kernel walks a multiplication: chunks of tokens, panels, tiles of tokens.
//!
//! With few tokens the panels are read once, forwards. With many, a chunk of tokens whose inputs fit the second-level
//! cache goes through all panels before the next chunk does, so that both operands come from near caches.

// The output is shared between threads, hence raw pointers.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use super::format::{BLOCK, PANEL};
use super::inputs::{InputBlock, TILE};
use super::{Runs, Task};
use crate::memory::{prefetch, prefetch_far};

/// Inputs of a chunk of tokens: half of the second-level cache of the processors we know.
const CHUNK_BYTES: usize = 512 << 10;

/// Some panels, and some tokens whose inputs lie side by side.
pub(super) struct Tile<X> {
    pub panel: *const u8,
    /// From one panel to the next.
    pub panel_bytes: usize,
    /// Rows to compute, from the first panel on.
    pub rows: usize,
    pub cols: usize,
    /// Block (or column) 0 of the first token; the other tokens' follow it.
    pub x: *const X,
    /// From a block (or column) to the next.
    pub stride: usize,
    /// How many tokens are wanted; a kernel may do fewer.
    pub tokens: usize,
    pub out: *mut f32,
    pub out_stride: usize,
}

/// Ask for what will be needed some time after the `bytes` of a block at `at`, for a kernel of `tokens` tokens.
///
/// A single token's loop does nothing but wait for memory: the second-level cache keeps most requests in flight. With a
/// few tokens there is time, and what counts is that the codes lie in the nearest cache. With a whole tile the
/// processor's own prefetching keeps up.
#[inline(always)]
pub(super) fn ask_ahead(at: *const u8, bytes: usize, tokens: usize) {
    for line in (0..bytes).step_by(64) {
        match tokens {
            1 => prefetch_far(at.wrapping_add(2048 + line)),
            2..TILE => prefetch(at.wrapping_add(6144 + line)),
            _ => {}
        }
    }
}

/// As [`ask_ahead`] for a line of float weights.
#[inline(always)]
pub(super) fn ask_ahead_floats(at: *const u8, tokens: usize) {
    if tokens < TILE {
        prefetch(at.wrapping_add(4096));
    }
}

/// Calls `kernel` with tiles of one panel; it returns how many tokens it did.
pub(super) fn for_each_block_tile(task: &Task, kernel: impl Fn(&Tile<InputBlock>) -> usize) {
    let token_bytes = task.inputs.cols() / BLOCK * size_of::<InputBlock>();
    let inputs = |token| {
        let (x, stride) = task.inputs.blocks(token);
        (x.cast_const(), stride)
    };
    for_each_tile(task, 1, BLOCK, token_bytes, inputs, kernel);
}

/// Calls `kernel` with tiles of up to `panels` panels; it returns how many tokens it did.
pub(super) fn for_each_float_tile(task: &Task, panels: usize, kernel: impl Fn(&Tile<f32>) -> usize) {
    let inputs = |token| {
        let (x, stride) = task.inputs.floats(token);
        (x.cast_const(), stride)
    };
    for_each_tile(task, panels, 1, 4 * task.inputs.cols(), inputs, kernel);
}

fn for_each_tile<X>(
    task: &Task,
    panels: usize,
    // Columns of an input.
    columns: usize,
    token_bytes: usize,
    inputs: impl Fn(usize) -> (*const X, usize),
    kernel: impl Fn(&Tile<X>) -> usize,
) {
    let tokens = task.inputs.tokens();
    let chunk = (CHUNK_BYTES / token_bytes.max(1) / TILE).max(1) * TILE;
    for first in (0..tokens).step_by(chunk) {
        let end = tokens.min(first + chunk);
        for row in (0..task.rows).step_by(panels * PANEL) {
            let mut token = first;
            while token < end {
                let (x, stride) = inputs(token);
                let tile = Tile {
                    // SAFETY: the task has this panel.
                    panel: unsafe { task.panels.add(row / PANEL * task.panel_bytes) },
                    panel_bytes: task.panel_bytes,
                    rows: (panels * PANEL).min(task.rows - row),
                    cols: task.inputs.cols(),
                    x,
                    stride,
                    // Chunks are whole tiles, so the rest of this tile lies side by side.
                    tokens: (end - token).min(TILE - token % TILE),
                    // SAFETY: the task's output has this token and row.
                    out: unsafe { task.out.add(token * task.stride + row) },
                    out_stride: task.stride,
                };
                token += match &task.runs {
                    None => kernel(&tile),
                    // SAFETY: as the tile's own, of both parts.
                    Some(runs) => unsafe { in_runs(tile, token, columns, runs, &kernel) },
                };
            }
        }
    }
}

/// The columns of a tile that begins with `token`, run by run, each run's sums cut in two and added up. The parts lie together until
/// all are added: in the output, lines of different tokens are often a power of two apart, and would push each other out of the cache.
///
/// # Safety
/// The tile's output has both parts of its rows, and they are ours.
unsafe fn in_runs<X>(
    tile: Tile<X>,
    token: usize,
    columns: usize,
    runs: &Runs<'_>,
    kernel: &impl Fn(&Tile<X>) -> usize,
) -> usize {
    const VALUES_MAX: usize = TILE * 2 * PANEL;
    let rows = tile.rows;
    assert!(rows <= 2 * PANEL && tile.tokens <= TILE);
    let mut sums = MaybeUninit::<[f32; VALUES_MAX]>::uninit();
    let mut parts = MaybeUninit::<[[f32; VALUES_MAX]; 2]>::uninit();
    let (sums, coarse) = (sums.as_mut_ptr().cast::<f32>(), parts.as_mut_ptr().cast::<f32>());
    // SAFETY: the second half of the parts.
    let fine = unsafe { coarse.add(VALUES_MAX) };
    let mut done = 0;
    for (first, cols, byte) in runs.of(tile.cols) {
        // SAFETY: the panel and the inputs have these columns; the kernel writes the sums of so many tokens, as many in every run, and
        // of all rows.
        unsafe {
            done = kernel(&Tile {
                panel: tile.panel.add(byte),
                cols,
                x: tile.x.add(first / columns * tile.stride),
                out: sums,
                out_stride: rows,
                ..tile
            });
            let add = |at, factor, len| {
                (runs.add)(sums.add(at), factor, first == 0, coarse.add(at), fine.add(at), len);
            };
            match runs.factor {
                None => add(0, 1.0, done * rows),
                Some(factor) => (0..done).for_each(|n| add(n * rows, factor(token + n), rows)),
            }
        }
    }
    for n in 0..done {
        // SAFETY: the parts of this token were written; by contract the output has both.
        unsafe {
            let out = tile.out.add(n * tile.out_stride);
            std::ptr::copy_nonoverlapping(coarse.add(n * rows), out, rows);
            std::ptr::copy_nonoverlapping(fine.add(n * rows), out.add(runs.second), rows);
        }
    }
    done
}
