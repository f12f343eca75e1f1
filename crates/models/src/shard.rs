//! One rank's part of a model.

use std::ops::Range;

use crate::{Axis, Description, Role};

/// What one rank of one stage holds: a run of layers, and a part of each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shard {
    pub layers: Range<usize>,
    pub heads: Range<usize>,
    pub kv_heads: Range<usize>,
    pub ffn: Range<usize>,
    pub vocab: Range<usize>,
    /// This rank among those of its stage that divide the axes.
    pub rank: usize,
    pub ranks: usize,
}

impl Shard {
    /// The whole model on one rank. Axes that layers size differently are bounded by the largest.
    pub fn whole(model: &Description) -> Shard {
        let most = |of: fn(&crate::Layer) -> usize| model.layers.iter().map(of).max().unwrap_or(0);
        Shard {
            layers: 0..model.layers.len(),
            heads: 0..most(|layer| layer.attention.heads),
            kv_heads: 0..most(|layer| layer.attention.kv_heads),
            ffn: 0..most(|layer| match &layer.mlp {
                crate::Mlp::Gated { up, .. } => up.weight.rows,
            }),
            vocab: 0..model.vocab,
            rank: 0,
            ranks: 1,
        }
    }

    /// This rank's rows and columns of a tensor with the given role and whole shape.
    pub(crate) fn cut(&self, role: Role, rows: usize, cols: usize) -> (Range<usize>, Range<usize>) {
        match role {
            Role::Replicated => (0..rows, 0..cols),
            // A bias is a vector along its matrix's output features.
            Role::Column(axis) if rows == 1 => (0..1, self.along(axis)),
            Role::Column(axis) => (self.along(axis), 0..cols),
            Role::Row(axis) => (0..rows, self.along(axis)),
        }
    }

    fn along(&self, axis: Axis) -> Range<usize> {
        let scaled = |range: &Range<usize>, by: usize| range.start * by..range.end * by;
        match axis {
            Axis::Heads { dim } => scaled(&self.heads, dim),
            Axis::KvHeads { dim } => scaled(&self.kv_heads, dim),
            Axis::Ffn => self.ffn.clone(),
            Axis::Vocab => self.vocab.clone(),
        }
    }
}
