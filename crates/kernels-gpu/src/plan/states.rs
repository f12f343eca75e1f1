//! Layers that keep a state of a sequence beside keys and values.

use tandem_tensor::{BufId, Convolve, DeltaRule, Rows, Scan, StateId};

use super::{Draft, EACH, Extent, ONE, Planner};
use crate::kernels::{Key, Kind};

/// Values of a head's state that one workgroup keeps.
const COLUMNS: u32 = 32;
/// Threads that share them.
const THREADS: u32 = 128;

impl Planner<'_> {
    /// The results first, which read the state; then the state itself.
    pub(super) fn convolve(&mut self, op: &Convolve) {
        let channels = self.width(op.x) as u32;
        let params = vec![
            self.at(op.x),
            self.at(op.out),
            channels,
            self.program.weight(op.weight).cols() as u32,
            self.vector(op.weight),
            self.vector_from_1(op.bias),
            0,
            0,
        ];
        let drafts = [(0, EACH), (1, Extent::Spans)].map(|(keep, each)| Draft {
            key: Key::new(Kind::Convolve, 64).with("KEEP", keep),
            params: params.clone(),
            chunk: None,
            cache: Some(self.state(op.state)),
            x: None,
            from: None,
            grid: [Extent::Fixed(channels.div_ceil(64)), each, ONE],
        });
        self.run(Rows::Tokens, drafts.to_vec());
    }

    pub(super) fn delta_rule(&mut self, op: &DeltaRule) {
        let memory = Memory {
            queries: op.q,
            keys: op.k,
            values: op.v,
            decay: op.decay,
            heads: op.heads,
            key_heads: op.key_heads,
            out: op.out,
            state: op.state,
        };
        let decays = (self.width(op.decay) / op.heads) as u32;
        let own = [self.at(op.beta), self.vector(op.rate), self.vector(op.bias), 0];
        self.memory(&memory, own, [decays, op.floor.unwrap_or(0.0).to_bits(), 0.0f32.to_bits()], true);
    }

    pub(super) fn scan(&mut self, op: &Scan) {
        let memory = Memory {
            queries: op.c,
            keys: op.b,
            values: op.x,
            decay: op.step,
            heads: op.heads,
            key_heads: op.groups,
            out: op.out,
            state: op.state,
        };
        let own = [0, self.vector(op.rate), self.vector(op.bias), self.vector(op.skip)];
        self.memory(&memory, own, [1, op.least.to_bits(), op.most.to_bits()], false);
    }

    /// `own`: a buffer of gates, the rate, its bias, and what passes by the state. `limits`: decays of a head, and the least and
    /// the most of a step, or the floor of decays, which is 0 where there is none.
    fn memory(&mut self, op: &Memory, own: [u32; 4], limits: [u32; 3], delta: bool) {
        let (keys, values) = (self.width(op.keys) / op.key_heads, self.width(op.values) / op.heads);
        let slices = (values as u32).div_ceil(COLUMNS);
        let mut params = vec![self.at(op.queries), self.at(op.keys), self.at(op.values), self.at(op.decay)];
        params.extend(own);
        params.extend([self.at(op.out), op.heads as u32, op.key_heads as u32, values as u32]);
        params.extend([limits[0], slices, limits[1], limits[2]]);
        let key = Key::new(Kind::Memory, THREADS)
            .with("KEYS", keys as u32)
            .with("COLUMNS", COLUMNS)
            .with("DELTA", delta.into());
        let grid = [Extent::Fixed(op.heads as u32 * slices), Extent::Spans, ONE];
        let cache = Some(self.state(op.state));
        self.run(Rows::Tokens, vec![Draft { key, params, chunk: None, cache, x: None, from: None, grid }]);
    }

    /// States follow the caches.
    pub(super) fn state(&self, id: StateId) -> usize {
        self.program.caches.len() + id.index()
    }
}

/// A memory of keys and values of fixed size, whichever way it is changed.
struct Memory {
    queries: BufId,
    keys: BufId,
    values: BufId,
    decay: BufId,
    heads: usize,
    key_heads: usize,
    out: BufId,
    state: StateId,
}
