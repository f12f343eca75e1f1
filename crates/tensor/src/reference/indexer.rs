//! Which of a sequence's tokens are read.

use super::{ReferenceSession, best, dot};
use crate::{Indexer, LayerNorm};

impl ReferenceSession {
    /// Cache the row's key, and choose among those of its sequence, in order. `slot` is where a position's row lies.
    pub(super) fn choose(
        &mut self,
        op: &Indexer,
        row: usize,
        position: usize,
        slot: &dyn Fn(usize) -> usize,
    ) -> Vec<usize> {
        let dim = self.program.caches[op.cache.index()].key_dim;
        let mut key = self.bufs[op.k.index()][row * dim..][..dim].to_vec();
        self.layer_norm(&mut key, op.k_norm);
        self.prepare(&mut key, None, Some(op.rope), position);
        self.caches[op.cache.index()].keys[slot(position) * dim..][..dim].copy_from_slice(&key);
        let mut scores = vec![0.0; position + 1];
        for head in 0..op.heads {
            let mut query = self.bufs[op.q.index()][(row * op.heads + head) * dim..][..dim].to_vec();
            self.prepare(&mut query, None, Some(op.rope), position);
            let weight = self.bufs[op.weights.index()][row * op.heads + head];
            for (position, score) in scores.iter_mut().enumerate() {
                let key = &self.caches[op.cache.index()].keys[slot(position) * dim..][..dim];
                *score += weight * dot(&query, key).max(0.0);
            }
        }
        let mut chosen = best(&scores, op.count);
        chosen.sort_unstable();
        chosen
    }

    pub(super) fn layer_norm(&self, x: &mut [f32], norm: LayerNorm) {
        let len = x.len() as f32;
        let mean = x.iter().sum::<f32>() / len;
        let variance = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / len;
        let scale = 1.0 / (variance + norm.eps).sqrt();
        let (weight, bias) = (&self.weights[norm.weight.index()], &self.weights[norm.bias.index()]);
        for ((x, weight), bias) in x.iter_mut().zip(weight).zip(bias) {
            *x = (*x - mean) * scale * weight + bias;
        }
    }
}
