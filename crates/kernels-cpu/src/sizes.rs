//! What a session must allocate before its first step.

use tandem_tensor::{AttendLatent, Experts, Limits, Program, Rows, Weight};

use crate::attend::{PARTITION, QUERIES, Scratch};
use crate::cache::CacheLayout;
use crate::matrix::{BLOCK, Inputs, PANEL, input_kind};
use crate::memory::Arena;
use crate::plan::{Plan, SlotId, Step};
use crate::routing::{Assignment, Choice, Router};
use crate::tiling::Tiling;

/// With fewer units of attention than this per thread, long sequences are divided as well.
pub(crate) const UNITS_PER_THREAD: usize = 4;
/// Panels of a gate that a thread computes at a time when the batch is full.
const GATE_PANELS: usize = 8;

/// The most that a step can need.
pub(crate) struct Sizes {
    pub cache_bytes: usize,
    pub buffer_bytes: usize,
    /// By [`InputKind`], for all tokens and for one.
    pub input_bytes: [usize; 2],
    pub row_input_bytes: [usize; 2],
    pub row_len: usize,
    pub gate_len: usize,
    /// As `gate_len`, where both sides of a gate are kept.
    pub up_len: usize,
    /// Most experts, and most choices of experts in a step and for one row.
    pub experts: usize,
    pub choices: usize,
    pub used: usize,
    /// Inputs of stacked matrices, by [`InputKind`]: of all rows that go through an expert and what is between its
    /// matrices, or of all heads of latent attention, before and after.
    pub gathered_bytes: [usize; 2],
    pub inner_bytes: [usize; 2],
    /// Distinct numbers of query heads per key head.
    pub groups: Vec<usize>,
    pub group: usize,
    pub queries: usize,
    pub key_dim: usize,
    pub value_stride: usize,
    pub partitions_max: usize,
    pub partials: usize,
    /// Queries of latent attention, and how many heads and partitions are merged.
    pub latent_query_bytes: usize,
    pub latent_heads: usize,
    pub latent_partials: usize,
    /// What indexers score at a time, for each thread, and the most that they choose in a step.
    pub index_scores: usize,
    /// Blocks of a row's chosen runs.
    pub run_blocks: usize,
    pub chosen: usize,
    /// Most channels of a convolution, and most of its weights.
    pub channels: usize,
    pub taps: usize,
    pub scratch_bytes: usize,
}

impl Sizes {
    pub(crate) fn new(program: &Program, plan: &Plan, limits: &Limits, threads: usize) -> Sizes {
        let rows = |slot: SlotId| match plan.slots[slot.0].rows {
            Rows::Tokens => limits.tokens_max,
            Rows::Outputs => limits.outputs_max,
        };
        let mut sizes = Sizes {
            cache_bytes: 0,
            buffer_bytes: 0,
            input_bytes: [0; 2],
            row_input_bytes: [0; 2],
            row_len: 0,
            gate_len: 0,
            up_len: 0,
            experts: 0,
            choices: 0,
            used: 0,
            gathered_bytes: [0; 2],
            inner_bytes: [0; 2],
            groups: Vec::new(),
            group: 0,
            queries: 0,
            key_dim: 0,
            value_stride: 0,
            partitions_max: limits.context_max.div_ceil(PARTITION),
            partials: 0,
            latent_query_bytes: 0,
            latent_heads: 0,
            latent_partials: 0,
            index_scores: 0,
            run_blocks: 0,
            chosen: 0,
            channels: 0,
            taps: 0,
            scratch_bytes: 0,
        };
        for (slot, id) in plan.slots.iter().zip(0..) {
            sizes.buffer_bytes += Arena::bytes_for(rows(SlotId(id)) * slot.width * 4);
        }
        for rope in &program.ropes {
            sizes.buffer_bytes += Arena::bytes_for(limits.tokens_max * rope.inv_freq.len() * 8);
        }
        for cache in &program.caches {
            let layout = CacheLayout::new(cache, limits);
            sizes.cache_bytes += Arena::bytes_for(layout.bytes(limits.blocks_of(cache)));
            // Queries over latent rows are as long as those.
            let query_len = if layout.key_dim == 0 { layout.value_stride } else { layout.key_dim };
            sizes.key_dim = sizes.key_dim.max(query_len);
            sizes.value_stride = sizes.value_stride.max(layout.value_stride);
        }
        for state in &program.states {
            sizes.cache_bytes += Arena::bytes_for(limits.states * state.len * 4);
        }
        for step in &plan.steps {
            let (x, weights) = match step {
                Step::Linear { input, parts } => {
                    (input.source.x(), parts.iter().map(|part| part.weight).collect())
                }
                Step::Gated { input, gate, up, out, .. } => {
                    let panels = GATE_PANELS.min(plan.slots[out.0].width.div_ceil(PANEL));
                    sizes.gate_len = sizes.gate_len.max(rows(*out) * panels * PANEL);
                    (input.source.x(), vec![*gate, *up])
                }
                Step::Experts { op, x, .. } => {
                    sizes.add_experts(program, op, rows(*x));
                    (*x, vec![op.gate, op.up])
                }
                Step::Convolve { op, x, .. } => {
                    let weight = program.weight(op.weight);
                    sizes.channels = sizes.channels.max(plan.slots[x.0].width);
                    sizes.taps = sizes.taps.max(weight.rows() * weight.cols());
                    continue;
                }
                Step::NormRuns { len, .. } => {
                    sizes.row_len = sizes.row_len.max(*len);
                    continue;
                }
                Step::DeltaRule { op, inputs, .. } => {
                    // A query, a key and a key's decays; what was found for a key.
                    let key_dim = plan.slots[inputs[0].0].width / op.key_heads;
                    sizes.row_len = sizes.row_len.max(3 * key_dim);
                    sizes.gate_len = sizes.gate_len.max(plan.slots[inputs[2].0].width / op.heads);
                    continue;
                }
                Step::Prepare(source) => {
                    sizes.row_len = sizes.row_len.max(plan.slots[source.x().0].width);
                    continue;
                }
                Step::Attend { op, list, .. } => {
                    if let (Some(runs), Some(list)) = (op.runs, list) {
                        assert!(runs.len.is_multiple_of(limits.block_len), "runs are whole blocks");
                        let count = plan.slots[list.0].width / program.caches[op.cache.index()].kv_heads;
                        sizes.run_blocks = sizes.run_blocks.max(count * runs.len.div_ceil(limits.block_len));
                    }
                    let group = op.heads / program.caches[op.cache.index()].kv_heads;
                    sizes.add_group(group);
                    sizes.group = sizes.group.max(group);
                    sizes.queries = sizes.queries.max(group * Tiling::rows_max(group));
                    continue;
                }
                Step::Store { x, .. } => {
                    sizes.add_rows(plan.slots[x.0].width, 1);
                    continue;
                }
                Step::Choose { op, inputs, list, out } => {
                    sizes.add_rows(plan.slots[inputs[0].0].width / op.heads, op.heads);
                    let lists = list.iter().chain([out]).map(|list| plan.slots[list.0].width).max();
                    sizes.index_scores = sizes.index_scores.max(limits.context_max);
                    sizes.chosen = sizes.chosen.max(limits.tokens_max * lists.unwrap_or(0));
                    continue;
                }
                Step::ChooseRuns { op, k, out, .. } => {
                    sizes.run_blocks = sizes.run_blocks.max(plan.slots[out.0].width / op.heads);
                    sizes.add_rows(plan.slots[k.0].width, op.heads);
                    let runs = limits.context_max.div_ceil(op.len);
                    sizes.index_scores = sizes.index_scores.max(op.heads * runs);
                    continue;
                }
                Step::AttendChosen { op, .. } => {
                    sizes.add_rows(0, QUERIES.min(op.heads));
                    continue;
                }
                Step::Stacked { weight, .. } => {
                    sizes.add_stacked(program.weight(*weight), limits.tokens_max);
                    continue;
                }
                Step::AttendLatent { op, .. } => {
                    sizes.add_latent(program, op, limits, threads);
                    continue;
                }
                _ => continue,
            };
            let width = plan.slots[x.0].width;
            sizes.row_len = sizes.row_len.max(width);
            for weight in weights {
                let kind = input_kind(program.weight(weight).dtype);
                let at = kind as usize;
                // Fewer tokens can take more room: short tiles are padded to powers of two.
                sizes.input_bytes[at] =
                    sizes.input_bytes[at].max(Inputs::bytes(kind, width, rows(x).next_power_of_two()));
                sizes.row_input_bytes[at] = sizes.row_input_bytes[at].max(Inputs::bytes(kind, width, 1));
            }
        }
        if threads > 1 && sizes.group > 0 {
            sizes.partials = UNITS_PER_THREAD * threads * sizes.partitions_max;
        }
        let partial_bytes = |queries: usize| queries * (sizes.value_stride + 2) * 4;
        let thread_bytes = sizes.row_input_bytes.iter().sum::<usize>()
            + (2 * sizes.row_len + sizes.gate_len + sizes.up_len + sizes.taps) * 4
            + Router::bytes(sizes.experts)
            + Assignment::bytes(sizes.experts, sizes.choices)
            + sizes.used * size_of::<Choice>()
            + Scratch::bytes(sizes.queries, sizes.key_dim, sizes.value_stride)
            + (2 * sizes.index_scores + sizes.run_blocks) * 4;
        sizes.scratch_bytes = sizes.buffer_bytes
            + sizes.channels * 4
            + sizes.choices * size_of::<Choice>()
            + [sizes.input_bytes, sizes.gathered_bytes, sizes.inner_bytes].iter().flatten().sum::<usize>()
            + sizes.latent_query_bytes
            + sizes.chosen * 4
            + sizes.partials * partial_bytes(sizes.group)
            + sizes.latent_partials * partial_bytes(sizes.latent_heads)
            + threads * thread_bytes;
        sizes
    }

    fn add_experts(&mut self, program: &Program, op: &Experts, rows: usize) {
        let [gate, up, down] = [op.gate, op.up, op.down].map(|id| program.weight(id));
        let (experts, pairs) = (gate.experts(), rows * op.routing.used);
        self.experts = self.experts.max(experts);
        self.choices = self.choices.max(pairs);
        self.used = self.used.max(op.routing.used);
        // The rows of an expert are at most all; where they are fewer, more columns fit.
        let panels = GATE_PANELS.min(gate.rows().max(down.rows()).div_ceil(BLOCK) * (BLOCK / PANEL));
        self.up_len = self.up_len.max(rows * panels * PANEL);
        self.gate_len = self.gate_len.max(self.up_len);
        let room = Assignment::room_max(experts, pairs);
        let token_bytes = |weight: &Weight| {
            let kind = input_kind(weight.dtype);
            (kind as usize, Inputs::bytes(kind, weight.cols(), 1))
        };
        for (kind, bytes) in [token_bytes(gate), token_bytes(up)] {
            self.gathered_bytes[kind] = self.gathered_bytes[kind].max(room * bytes);
        }
        let (kind, bytes) = token_bytes(down);
        self.inner_bytes[kind] = self.inner_bytes[kind].max(room * bytes);
    }

    fn add_latent(&mut self, program: &Program, op: &AttendLatent, limits: &Limits, threads: usize) {
        let layout = CacheLayout::new(&program.caches[op.cache.index()], limits);
        self.add_group(op.heads);
        self.queries = self.queries.max(QUERIES);
        let rows = limits.tokens_max * op.heads;
        self.latent_query_bytes = self.latent_query_bytes.max(rows * layout.value_stride * 4);
        self.latent_heads = self.latent_heads.max(op.heads);
        if let Some(indexer) = op.indexer {
            self.index_scores = self.index_scores.max(limits.context_max);
            self.chosen = self.chosen.max(limits.tokens_max * indexer.count);
        }
        if threads > 1 {
            self.latent_partials = self.partitions_max;
        }
        let room = op.heads * Inputs::room(limits.tokens_max);
        for (bytes, weight) in [(&mut self.gathered_bytes, op.key), (&mut self.inner_bytes, op.value)] {
            let weight = program.weight(weight);
            let kind = input_kind(weight.dtype);
            let at = kind as usize;
            bytes[at] = bytes[at].max(room * Inputs::bytes(kind, weight.cols(), 1));
        }
    }

    /// Rows of so many values that are read by so many queries at a time.
    fn add_rows(&mut self, width: usize, queries: usize) {
        self.add_group(1);
        self.row_len = self.row_len.max(width);
        self.queries = self.queries.max(queries);
    }

    fn add_stacked(&mut self, weight: &Weight, tokens: usize) {
        let kind = input_kind(weight.dtype);
        let bytes = weight.experts() * Inputs::room(tokens) * Inputs::bytes(kind, weight.cols(), 1);
        self.inner_bytes[kind as usize] = self.inner_bytes[kind as usize].max(bytes);
    }

    fn add_group(&mut self, group: usize) {
        if !self.groups.contains(&group) {
            self.groups.push(group);
        }
    }
}
