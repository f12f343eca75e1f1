//! The naive backend: every operator in its plainest form, in `f32`, one thread.
//!
//! It exists to be obviously right. Fast backends are tested against it.

mod chosen;
mod indexer;
mod streams;

use std::sync::Arc;

use crate::sums;
use crate::{
    Activation, Attend, AttendLatent, Backend, Batch, BufId, Convolve, Curve, DeltaRule, Experts, Footprint,
    Given, Limits, Op, OpenError, PeerLost, Peers, Program, RmsNorm, Rope, RopeStyle, Routing, Rows, Scan,
    Score, Session, Weight, WeightId, WeightSource, quant,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Backend for Reference {
    fn name(&self) -> String {
        "reference".into()
    }

    fn sums_exactly(&self) -> bool {
        true
    }

    fn footprint(&self, program: &Program, limits: &Limits) -> Footprint {
        let values = |weight: &Weight| (weight.experts() * weight.rows() * weight.cols()) as u64;
        let cached =
            |cache: &crate::Cache| cache.kv_heads * (cache.key_dim + cache.value_dim) * limits.rows_of(cache);
        Footprint {
            weights: program.weights.iter().map(values).sum::<u64>() * 4,
            cache: (program.caches.iter().map(cached).sum::<usize>() * 4) as u64
                + (program.states.iter().map(|state| state.len).sum::<usize>() * limits.states * 4) as u64,
            scratch: program.bufs.iter().map(|buf| buf.width * limits.tokens_max * 4).sum::<usize>() as u64,
        }
    }

    fn open(
        &self,
        program: Arc<Program>,
        limits: Limits,
        source: &dyn WeightSource,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Box<dyn Session>, OpenError> {
        let mut weights = Vec::with_capacity(program.weights.len());
        for weight in &program.weights {
            let mut values = vec![0.0; weight.experts() * weight.rows() * weight.cols()];
            let matrices = values.chunks_exact_mut((weight.rows() * weight.cols()).max(1));
            let mut bytes = vec![0; weight.rows() * weight.row_bytes()];
            for (expert, matrix) in matrices.enumerate() {
                source
                    .read(weight, expert, 0..weight.rows(), &mut bytes)
                    .map_err(|source| OpenError::Read { weight: weight.name.clone(), source })?;
                quant::dequantize(weight.dtype, &bytes, matrix);
            }
            weights.push(values);
            progress(weight.bytes());
        }
        let caches = program.caches.iter().map(|cache| {
            let heads = limits.rows_of(cache) * cache.kv_heads;
            Slots { keys: vec![0.0; heads * cache.key_dim], values: vec![0.0; heads * cache.value_dim] }
        });
        Ok(Box::new(ReferenceSession {
            caches: caches.collect(),
            states: program.states.iter().map(|state| vec![0.0; limits.states * state.len]).collect(),
            bufs: vec![Vec::new(); program.bufs.len()],
            weights,
            limits,
            program,
        }))
    }
}

struct ReferenceSession {
    program: Arc<Program>,
    limits: Limits,
    /// Dequantised, one per program weight.
    weights: Vec<Vec<f32>>,
    caches: Vec<Slots>,
    /// `[place, len]` of every state.
    states: Vec<Vec<f32>>,
    bufs: Vec<Vec<f32>>,
}

/// A layer's cache: `[slot, kv_head, dim]`, where slot = block * block_len + offset.
struct Slots {
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl Session for ReferenceSession {
    fn run(&mut self, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        let program = Arc::clone(&self.program);
        for (buf, data) in program.bufs.iter().zip(&mut self.bufs) {
            let rows = match buf.rows {
                Rows::Tokens => batch.tokens.len(),
                Rows::Outputs => batch.outputs.len(),
            };
            data.resize(rows * buf.width, 0.0);
        }
        for op in &program.ops {
            self.step(op, batch, peers)?;
        }
        Ok(())
    }

    fn result(&self) -> &[f32] {
        &self.bufs[self.program.result.index()]
    }

    fn hidden(&self) -> Option<&[f32]> {
        self.program.hidden.map(|hidden| self.bufs[hidden.index()].as_slice())
    }
}

impl ReferenceSession {
    fn step(&mut self, op: &Op, batch: &Batch, peers: &mut dyn Peers) -> Result<(), PeerLost> {
        match op {
            Op::Embed { table, first_row, scale, out } => {
                let width = self.width(*out);
                let rows = self.program.weight(*table).rows();
                let mut y = self.take(*out);
                for (y, token) in y.chunks_exact_mut(width).zip(&batch.tokens) {
                    match (*token as usize).checked_sub(*first_row).filter(|row| *row < rows) {
                        Some(row) => {
                            let from = &self.weights[table.index()][row * width..][..width];
                            y.iter_mut().zip(from).for_each(|(y, x)| *y = x * scale);
                        }
                        None => y.fill(0.0),
                    }
                }
                self.put(*out, y);
            }
            Op::Place { out } => {
                let width = self.width(*out);
                let y = &mut self.bufs[out.index()];
                for given in &batch.given {
                    let Some(values) = &given.values else { continue };
                    y[given.first as usize * width..][..given.rows as usize * width].copy_from_slice(values);
                }
            }
            Op::Norm { x, norm, out } => self.norm(*x, *norm, *out),
            Op::AddNorm { x, y, norm, out } => {
                self.add(*x, *y);
                self.norm(*x, *norm, *out);
            }
            Op::Add { x, y } => self.add(*x, *y),
            Op::Gate { x, gate, curve } => {
                let mut y = self.take(*x);
                let covered = self.width(*x) / self.width(*gate);
                for (y, gate) in y.chunks_exact_mut(covered).zip(&self.bufs[gate.index()]) {
                    let factor = curved(*curve, *gate);
                    y.iter_mut().for_each(|y| *y *= factor);
                }
                self.put(*x, y);
            }
            Op::Curve { x, curve } => self.bufs[x.index()].iter_mut().for_each(|x| *x = curved(*curve, *x)),
            Op::LayerNorm { x, norm, out } => {
                let mut y = self.take(*out);
                if x != out {
                    y.copy_from_slice(&self.bufs[x.index()]);
                }
                let width = self.width(*out);
                y.chunks_exact_mut(width).for_each(|row| self.layer_norm(row, *norm));
                self.put(*out, y);
            }
            Op::NormRuns { x, len, norm } => {
                let mut y = self.take(*x);
                let weight = &self.weights[norm.weight.index()];
                let weights = weight.chunks_exact(*len).cycle();
                y.chunks_exact_mut(*len)
                    .zip(weights)
                    .for_each(|(run, weight)| rms_norm(run, weight, norm.eps));
                self.put(*x, y);
            }
            Op::Convolve(op) => self.convolve(op, batch),
            Op::DeltaRule(op) => self.delta_rule(op, batch),
            Op::Scan(op) => self.scan(op, batch),
            Op::Spread { x, out } => self.spread(*x, *out),
            Op::Connect(op) => self.connect(op),
            Op::Collapse { x, mixes, out } => self.collapse(*x, *mixes, *out),
            Op::Expand { x, y, mixes } => self.expand(*x, *y, *mixes),
            Op::Blend(op) => self.blend(op),
            Op::Pool(op) => self.pool(op, batch),
            Op::Store(op) => self.store(op, batch),
            Op::Choose(op) => self.choose_rows(op, batch),
            Op::AttendChosen(op) => self.attend_chosen(op, batch),
            Op::Stacked { x, weight, out } => {
                let (from, width) = (self.width(*x), self.width(*out));
                let count = self.program.weight(*weight).experts();
                let mut y = self.take(*out);
                for (y, x) in y.chunks_exact_mut(width).zip(self.bufs[x.index()].chunks_exact(from)) {
                    let parts = x.chunks_exact(from / count).zip(y.chunks_exact_mut(width / count));
                    for (i, (x, y)) in parts.enumerate() {
                        y.copy_from_slice(&self.expert(*weight, None, i, x));
                    }
                }
                self.put(*out, y);
            }
            Op::Rescale { x, scale, by, cap } => {
                let scale = scale * by.map_or(1.0, |by| self.weights[by.index()][0]);
                for x in &mut self.bufs[x.index()] {
                    *x = match cap {
                        None => *x * scale,
                        Some(cap) => cap * (*x * scale / cap).tanh(),
                    };
                }
            }
            Op::SumSquares { of, out } => {
                let (mut sums, of_len) = (self.take(*out), of.len());
                let width = self.width(*out);
                for (t, sums) in sums.chunks_exact_mut(width).enumerate() {
                    for (i, of) in of.iter().enumerate() {
                        let x = of.map_or(&[][..], |of| {
                            let width = self.width(of);
                            &self.bufs[of.index()][t * width..][..width]
                        });
                        if width == 2 * of_len {
                            [sums[i], sums[of_len + i]] = sums::of_squares(x);
                        } else {
                            sums[i] = x.iter().map(|x| x * x).sum();
                        }
                    }
                }
                self.put(*out, sums);
            }
            Op::NormBy { x, sums, at, len, norm } => {
                let mut y = self.take(*x);
                let (width, columns) = (self.width(*x), self.width(*sums));
                let weight = &self.weights[norm.weight.index()];
                for (t, y) in y.chunks_exact_mut(width).enumerate() {
                    let sum = self.bufs[sums.index()][t * columns + at];
                    let scale = 1.0 / (sum / *len as f32 + norm.eps).sqrt();
                    y.iter_mut().zip(weight).for_each(|(y, w)| *y *= scale * w);
                }
                self.put(*x, y);
            }
            Op::Linear { x, parts } => {
                for part in parts {
                    let mut out = self.take(part.out);
                    let rows = self.program.weight(part.weight).rows();
                    let mut y = vec![0.0; out.len() / self.width(part.out) * rows];
                    self.matmul(&self.bufs[x.index()], part.weight, &mut y);
                    if let Some(bias) = part.bias {
                        let bias = &self.weights[bias.index()];
                        for row in y.chunks_exact_mut(bias.len()) {
                            row.iter_mut().zip(bias).for_each(|(y, b)| *y += b);
                        }
                    }
                    match part.run {
                        None => out.copy_from_slice(&y),
                        Some(_) => split_rows(&y, rows, &mut out),
                    }
                    self.put(part.out, out);
                }
            }
            Op::GatedLinear { x, gate, up, act, out } => {
                let mut y = self.take(*out);
                let mut gates = vec![0.0; y.len()];
                self.matmul(&self.bufs[x.index()], *gate, &mut gates);
                self.matmul(&self.bufs[x.index()], *up, &mut y);
                y.iter_mut().zip(gates).for_each(|(y, gate)| *y = activate(*act, gate, *y));
                self.put(*out, y);
            }
            Op::Experts(experts) => self.experts(experts),
            Op::Attend(attend) => self.attend(attend, batch),
            Op::ChooseRuns(choose) => self.choose_runs(choose, batch),
            Op::AttendLatent(attend) => self.attend_latent(attend, batch),
            Op::Select { x, out } => {
                let width = self.width(*out);
                let mut y = self.take(*out);
                for (y, row) in y.chunks_exact_mut(width).zip(&batch.outputs) {
                    y.copy_from_slice(&self.bufs[x.index()][*row as usize * width..][..width]);
                }
                self.put(*out, y);
            }
            Op::Mean { x, len, out } => {
                let width = self.width(*out);
                let mut y = self.take(*out);
                for (y, row) in y.chunks_exact_mut(width).zip(&batch.outputs) {
                    y.fill(0.0);
                    for x in self.bufs[x.index()][*row as usize * width..].chunks_exact(width).take(*len) {
                        y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
                    }
                    y.iter_mut().for_each(|y| *y /= *len as f32);
                }
                self.put(*out, y);
            }
            Op::Slice { x, first, out } => {
                let (from, width) = (self.width(*x), self.width(*out));
                let mut y = self.take(*out);
                for (y, x) in y.chunks_exact_mut(width).zip(self.bufs[x.index()].chunks_exact(from)) {
                    y.copy_from_slice(&x[*first..][..width]);
                }
                self.put(*out, y);
            }
            Op::Join { x, out } => {
                let mut y = self.take(*out);
                let width = self.width(*out);
                let rows = self.bufs[x.index()].chunks_exact(2 * width).zip(y.chunks_exact_mut(width));
                rows.for_each(|(x, y)| (0..width).for_each(|i| y[i] = x[i] + x[width + i]));
                self.put(*out, y);
            }
            Op::AllReduce { x } => peers.all_reduce(&mut self.bufs[x.index()])?,
            Op::Send { x } => peers.send_next(&self.bufs[x.index()])?,
            Op::Recv { x } => peers.recv_previous(&mut self.bufs[x.index()])?,
        }
        Ok(())
    }

    fn width(&self, id: BufId) -> usize {
        self.program.buf(id).width
    }

    fn take(&mut self, id: BufId) -> Vec<f32> {
        std::mem::take(&mut self.bufs[id.index()])
    }

    fn put(&mut self, id: BufId, values: Vec<f32>) {
        self.bufs[id.index()] = values;
    }

    fn norm(&mut self, x: BufId, norm: RmsNorm, out: BufId) {
        let mut y = self.take(out);
        if x != out {
            y.copy_from_slice(&self.bufs[x.index()]);
        }
        let weight = &self.weights[norm.weight.index()];
        y.chunks_exact_mut(weight.len()).for_each(|row| rms_norm(row, weight, norm.eps));
        self.put(out, y);
    }

    fn add(&mut self, x: BufId, y: BufId) {
        let mut sum = self.take(x);
        sum.iter_mut().zip(&self.bufs[y.index()]).for_each(|(x, y)| *x += y);
        self.put(x, sum);
    }

    /// `y[t, r] = Σ_c x[t, c] * w[r, c]`
    fn matmul(&self, x: &[f32], weight: WeightId, y: &mut [f32]) {
        let (rows, cols) = (self.program.weight(weight).rows(), self.program.weight(weight).cols());
        let w = &self.weights[weight.index()];
        for (x, y) in x.chunks_exact(cols).zip(y.chunks_exact_mut(rows)) {
            for (row, y) in w.chunks_exact(cols).zip(y) {
                *y = row.iter().zip(x).map(|(w, x)| w * x).sum();
            }
        }
    }

    fn experts(&mut self, op: &Experts) {
        let hidden = self.width(op.x);
        let mut out = self.take(op.out);
        let mut sums = vec![0.0; out.len() / self.width(op.out) * hidden];
        let inner = self.program.weight(op.up).rows();
        let experts = self.width(op.scores);
        let (x, scores) = (&self.bufs[op.x.index()], &self.bufs[op.scores.index()]);
        let rows = x.chunks_exact(hidden).zip(scores.chunks_exact(experts));
        for ((x, scores), y) in rows.zip(sums.chunks_exact_mut(hidden)) {
            y.fill(0.0);
            for (expert, weight) in self.route(&op.routing, scores) {
                let (before, after) = if op.routing.weighs_input { (weight, 1.0) } else { (1.0, weight) };
                let x: Vec<f32> = x.iter().map(|x| x * before).collect();
                let gate = self.expert(op.gate, op.gate_bias, expert, &x);
                let up = self.expert(op.up, op.up_bias, expert, &x);
                let inner: Vec<f32> = (0..inner).map(|i| activate(op.act, gate[i], up[i])).collect();
                let down = self.expert(op.down, op.down_bias, expert, &inner);
                y.iter_mut().zip(down).for_each(|(y, down)| *y += after * down);
            }
        }
        match op.run {
            None => out.copy_from_slice(&sums),
            Some(_) => split_rows(&sums, hidden, &mut out),
        }
        self.put(op.out, out);
    }

    /// `matrix[expert] · x (+ bias[expert])`
    fn expert(&self, matrix: WeightId, bias: Option<WeightId>, expert: usize, x: &[f32]) -> Vec<f32> {
        let rows = self.program.weight(matrix).rows();
        let w = &self.weights[matrix.index()][expert * rows * x.len()..][..rows * x.len()];
        let mut y: Vec<f32> = w.chunks_exact(x.len()).map(|row| dot(row, x)).collect();
        if let Some(bias) = bias {
            let bias = &self.weights[bias.index()][expert * rows..][..rows];
            y.iter_mut().zip(bias).for_each(|(y, b)| *y += b);
        }
        y
    }

    /// The chosen experts and their weights.
    fn route(&self, routing: &Routing, logits: &[f32]) -> Vec<(usize, f32)> {
        let mut probabilities = logits.to_vec();
        match routing.score {
            Score::Softmax => softmax(&mut probabilities, None),
            Score::Sigmoid => probabilities.iter_mut().for_each(|x| *x = sigmoid(*x)),
            Score::SqrtSoftplus => probabilities.iter_mut().for_each(|x| *x = softplus(*x).sqrt()),
            Score::SoftmaxOfChosen => {}
        }
        let mut choice = probabilities.clone();
        if let Some(bias) = routing.bias {
            choice.iter_mut().zip(&self.weights[bias.index()]).for_each(|(x, b)| *x += b);
        }
        if let Some(groups) = routing.groups {
            let len = choice.len() / groups.count;
            let scores = choice
                .chunks_exact(len)
                .map(|group| best(group, groups.best).into_iter().map(|expert| group[expert]).sum());
            let scores: Vec<f32> = scores.collect();
            let kept = best(&scores, groups.used);
            for (group, choice) in choice.chunks_exact_mut(len).enumerate() {
                if !kept.contains(&group) {
                    choice.fill(f32::NEG_INFINITY);
                }
            }
        }
        let chosen = best(&choice, routing.used);
        let mut weights: Vec<f32> = chosen.iter().map(|expert| probabilities[*expert]).collect();
        if routing.score == Score::SoftmaxOfChosen {
            softmax(&mut weights, None);
        }
        let sum = if routing.normalise { weights.iter().sum() } else { 1.0 };
        let scale = |expert: usize| routing.scales.map_or(1.0, |scales| self.weights[scales.index()][expert]);
        let weigh = |(expert, weight)| (expert, weight / sum * routing.scale * scale(expert));
        chosen.into_iter().zip(weights).map(weigh).collect()
    }

    fn attend_latent(&mut self, op: &AttendLatent, batch: &Batch) {
        let program = Arc::clone(&self.program);
        let (key, value) = (program.weight(op.key), program.weight(op.value));
        let (latent_dim, nope_dim, value_dim) = (key.rows(), key.cols(), value.rows());
        let cached_dim = program.caches[op.cache.index()].key_dim;
        let q_dim = nope_dim + cached_dim - latent_dim;
        let block_len = self.limits.block_len;
        let mut out = self.take(op.out);
        let mut blocks = batch.blocks.as_slice();
        let mut row = 0;
        for span in &batch.spans {
            let table;
            (table, blocks) = blocks.split_at(span.blocks as usize);
            let slot =
                |position: usize| table[position / block_len] as usize * block_len + position % block_len;
            for position in span.start as usize..(span.start + span.rows) as usize {
                let seen = match &op.indexer {
                    Some(indexer) => self.choose(indexer, row, position, &slot),
                    None => (0..=position).collect(),
                };
                let mut new = self.bufs[op.kv.index()][row * cached_dim..][..cached_dim].to_vec();
                let (latent, rope) = new.split_at_mut(latent_dim);
                self.prepare(latent, Some(op.kv_norm), None, position);
                self.prepare(rope, None, Some(op.rope), position);
                self.caches[op.cache.index()].keys[slot(position) * cached_dim..][..cached_dim]
                    .copy_from_slice(&new);
                for head in 0..op.heads {
                    let q = &self.bufs[op.q.index()][(row * op.heads + head) * q_dim..][..q_dim];
                    let mut query = self.expert(op.key, None, head, &q[..nope_dim]);
                    let mut rope = q[nope_dim..].to_vec();
                    self.prepare(&mut rope, None, Some(op.rope), position);
                    query.extend(rope);
                    let cached = |position: usize| {
                        &self.caches[op.cache.index()].keys[slot(position) * cached_dim..][..cached_dim]
                    };
                    let scale = op.scale * op.growth.map_or(1.0, |growth| growth.at(position));
                    let mut scores: Vec<f32> =
                        seen.iter().map(|position| dot(&query, cached(*position)) * scale).collect();
                    softmax(&mut scores, None);
                    let mut latent = vec![0.0; latent_dim];
                    for (position, score) in seen.iter().zip(scores) {
                        latent.iter_mut().zip(cached(*position)).for_each(|(y, v)| *y += score * v);
                    }
                    out[(row * op.heads + head) * value_dim..][..value_dim]
                        .copy_from_slice(&self.expert(op.value, None, head, &latent));
                }
                row += 1;
            }
        }
        self.put(op.out, out);
    }

    fn attend(&mut self, op: &Attend, batch: &Batch) {
        let program = Arc::clone(&self.program);
        let cache = program.caches[op.cache.index()];
        let (key_dim, value_dim) = (cache.key_dim, cache.value_dim);
        let group = op.heads / cache.kv_heads;
        let mut out = self.take(op.out);
        let windowed = self.limits.windowed(&cache);
        let mut blocks = if windowed { batch.window_blocks.as_slice() } else { batch.blocks.as_slice() };
        let mut row = 0;
        for span in &batch.spans {
            let (count, first) =
                if windowed { (span.window_blocks, span.window_first()) } else { (span.blocks, 0) };
            let table;
            (table, blocks) = blocks.split_at(count as usize);
            let slot = |position: usize| {
                table[position / self.limits.block_len - first] as usize * self.limits.block_len
                    + position % self.limits.block_len
            };
            let positions = span.start as usize..(span.start + span.rows) as usize;
            for (row, position) in (row..).zip(positions.clone()) {
                let new = if op.kv.is_some() { cache.kv_heads } else { 0 };
                let [k, v] = op.kv.unwrap_or_default().map(|buf| self.bufs[buf.index()].as_slice());
                let (k, v) = (&k[row * new * key_dim..], &v[row * new * value_dim..]);
                for head in 0..new {
                    let mut key = k[head * key_dim..][..key_dim].to_vec();
                    self.prepare(&mut key, op.k_norm, op.rope, position);
                    let at = slot(position) * cache.kv_heads + head;
                    let slots = &mut self.caches[op.cache.index()];
                    slots.keys[at * key_dim..][..key_dim].copy_from_slice(&key);
                    slots.values[at * value_dim..][..value_dim]
                        .copy_from_slice(&v[head * value_dim..][..value_dim]);
                }
            }
            for position in positions {
                let mut seen = op.window.map_or(0, |window| window.first(position))..position + 1;
                let together =
                    |given: &&Given| (given.first..given.first + given.rows).contains(&(row as u32));
                if let Some(given) = batch.given.iter().find(together) {
                    seen.end = position + (given.first + given.rows) as usize - row;
                }
                for head in 0..op.heads {
                    let seen: Vec<usize> = match &op.runs {
                        None => seen.clone().collect(),
                        Some(runs) => {
                            let count = self.width(runs.list) / cache.kv_heads;
                            let list = &self.bufs[runs.list.index()];
                            let list = &list[(row * cache.kv_heads + head / group) * count..][..count];
                            let read = |position: &usize| list.contains(&((position / runs.len) as f32));
                            seen.clone().filter(read).collect()
                        }
                    };
                    let mut query =
                        self.bufs[op.q.index()][(row * op.heads + head) * key_dim..][..key_dim].to_vec();
                    self.prepare(&mut query, op.q_norm, op.rope, position);
                    let scale = op.scale * op.growth.map_or(1.0, |growth| growth.at(position));
                    let slots = &self.caches[op.cache.index()];
                    let at = |position| slot(position) * cache.kv_heads + head / group;
                    let mut scores: Vec<f32> = seen
                        .iter()
                        .map(|position| {
                            let key = &slots.keys[at(*position) * key_dim..][..key_dim];
                            query.iter().zip(key).map(|(q, k)| q * k).sum::<f32>() * scale
                        })
                        .collect();
                    softmax(&mut scores, op.sinks.map(|sinks| self.weights[sinks.index()][head]));
                    let y = &mut out[(row * op.heads + head) * value_dim..][..value_dim];
                    y.fill(0.0);
                    for (position, score) in seen.into_iter().zip(scores) {
                        let value = &slots.values[at(position) * value_dim..][..value_dim];
                        y.iter_mut().zip(value).for_each(|(y, v)| *y += score * v);
                    }
                }
                row += 1;
            }
        }
        self.put(op.out, out);
    }

    /// A sequence's state as a step finds it.
    fn state_before(&self, state: crate::StateId, span: &crate::Span) -> Vec<f32> {
        let len = self.program.states[state.index()].len;
        match span.start {
            0 => vec![0.0; len],
            _ => self.states[state.index()][span.state_from as usize * len..][..len].to_vec(),
        }
    }

    fn keep_state(&mut self, state: crate::StateId, span: &crate::Span, values: &[f32]) {
        self.states[state.index()][span.state as usize * values.len()..][..values.len()]
            .copy_from_slice(values);
    }

    fn convolve(&mut self, op: &Convolve, batch: &Batch) {
        let channels = self.width(op.x);
        let kernel = self.program.weight(op.weight).cols();
        let mut out = self.take(op.out);
        let mut row = 0;
        for span in &batch.spans {
            let mut rows = self.state_before(op.state, span);
            let new = &self.bufs[op.x.index()][row * channels..][..span.rows as usize * channels];
            rows.extend_from_slice(new);
            let weight = &self.weights[op.weight.index()];
            for t in 0..span.rows as usize {
                for c in 0..channels {
                    let taps = weight[c * kernel..][..kernel].iter().enumerate();
                    let bias = op.bias.map_or(0.0, |bias| self.weights[bias.index()][c]);
                    let y = bias + taps.map(|(j, w)| w * rows[(t + j) * channels + c]).sum::<f32>();
                    out[(row + t) * channels + c] = y * sigmoid(y);
                }
            }
            self.keep_state(op.state, span, &rows[span.rows as usize * channels..]);
            row += span.rows as usize;
        }
        self.put(op.out, out);
    }

    fn scan(&mut self, op: &Scan, batch: &Batch) {
        let (head_dim, state_dim) = (self.width(op.x) / op.heads, self.width(op.b) / op.groups);
        let group = op.heads / op.groups;
        let mut out = self.take(op.out);
        let mut row = 0;
        for span in &batch.spans {
            let mut state = self.state_before(op.state, span);
            for row in row..row + span.rows as usize {
                for head in 0..op.heads {
                    let of = |buf: BufId, head: usize, dim: usize| {
                        &self.bufs[buf.index()][row * self.width(buf) + head * dim..][..dim]
                    };
                    let weight = |id: WeightId| self.weights[id.index()][head];
                    let step = softplus(of(op.step, head, 1)[0] + weight(op.bias)).clamp(op.least, op.most);
                    let decay = (weight(op.rate) * step).exp();
                    let (b, c) = (of(op.b, head / group, state_dim), of(op.c, head / group, state_dim));
                    let x = of(op.x, head, head_dim);
                    let state = &mut state[head * state_dim * head_dim..][..state_dim * head_dim];
                    let y = &mut out[(row * op.heads + head) * head_dim..][..head_dim];
                    for (j, y) in y.iter_mut().enumerate() {
                        *y = weight(op.skip) * x[j];
                        for i in 0..state_dim {
                            let s = &mut state[i * head_dim + j];
                            *s = decay * *s + b[i] * step * x[j];
                            *y += c[i] * *s;
                        }
                    }
                }
            }
            self.keep_state(op.state, span, &state);
            row += span.rows as usize;
        }
        self.put(op.out, out);
    }

    fn delta_rule(&mut self, op: &DeltaRule, batch: &Batch) {
        let (key_dim, value_dim) = (self.width(op.q) / op.key_heads, self.width(op.v) / op.heads);
        let (group, decays) = (op.heads / op.key_heads, self.width(op.decay) / op.heads);
        let mut out = self.take(op.out);
        let mut row = 0;
        for span in &batch.spans {
            let mut state = self.state_before(op.state, span);
            for row in row..row + span.rows as usize {
                for head in 0..op.heads {
                    let state = &mut state[head * key_dim * value_dim..][..key_dim * value_dim];
                    let of = |buf: BufId, head: usize, dim: usize| {
                        &self.bufs[buf.index()][row * self.width(buf) + head * dim..][..dim]
                    };
                    let unit = |x: &[f32], scale: f32| -> Vec<f32> {
                        let length = (dot(x, x) + DeltaRule::EPS).sqrt();
                        x.iter().map(|x| x * scale / length).collect()
                    };
                    let q = unit(of(op.q, head / group, key_dim), 1.0 / (key_dim as f32).sqrt());
                    let k = unit(of(op.k, head / group, key_dim), 1.0);
                    let v = of(op.v, head, value_dim);
                    let beta = sigmoid(of(op.beta, head, 1)[0]);
                    let rate = self.weights[op.rate.index()][head];
                    let bias = &self.weights[op.bias.index()][head * decays..][..decays];
                    let decay: Vec<f32> = of(op.decay, head, decays)
                        .iter()
                        .zip(bias)
                        .map(|(decay, bias)| match op.floor {
                            None => (rate * softplus(decay + bias)).exp(),
                            Some(floor) => (floor * sigmoid(-rate * (decay + bias))).exp(),
                        })
                        .collect();
                    let y = &mut out[(row * op.heads + head) * value_dim..][..value_dim];
                    for (i, state) in state.chunks_exact_mut(value_dim).enumerate() {
                        state.iter_mut().for_each(|s| *s *= decay[i % decays]);
                    }
                    for (j, y) in y.iter_mut().enumerate() {
                        let column = |i: usize| i * value_dim + j;
                        let found: f32 = (0..key_dim).map(|i| state[column(i)] * k[i]).sum();
                        let change = beta * (v[j] - found);
                        (0..key_dim).for_each(|i| state[column(i)] += k[i] * change);
                        *y = (0..key_dim).map(|i| state[column(i)] * q[i]).sum();
                    }
                }
            }
            self.keep_state(op.state, span, &state);
            row += span.rows as usize;
        }
        self.put(op.out, out);
    }

    fn prepare(&self, head: &mut [f32], norm: Option<RmsNorm>, rope: Option<crate::RopeId>, position: usize) {
        if let Some(norm) = norm {
            rms_norm(head, &self.weights[norm.weight.index()], norm.eps);
        }
        if let Some(rope) = rope {
            let rope = &self.program.ropes[rope.index()];
            rotate(head, rope, rope.factors.map(|id| self.weights[id.index()].as_slice()), position);
        }
    }
}

/// Rows of `width` sums become rows of their first parts and then their second.
fn split_rows(sums: &[f32], width: usize, out: &mut [f32]) {
    for (sums, out) in sums.chunks_exact(width).zip(out.chunks_exact_mut(2 * width)) {
        for (i, sum) in sums.iter().enumerate() {
            [out[i], out[width + i]] = sums::split(*sum);
        }
    }
}

fn rms_norm(row: &mut [f32], weight: &[f32], eps: f32) {
    let mean_square = row.iter().map(|x| x * x).sum::<f32>() / row.len() as f32;
    let scale = 1.0 / (mean_square + eps).sqrt();
    row.iter_mut().zip(weight).for_each(|(x, w)| *x *= scale * w);
}

fn rotate(head: &mut [f32], rope: &Rope, factors: Option<&[f32]>, position: usize) {
    let pairs = rope.inv_freq.len();
    for i in 0..pairs {
        let angle = rope.angle(i, factors.map_or(1.0, |factors| factors[i]), position);
        let (sin, cos) = (angle.sin() * rope.magnitude, angle.cos() * rope.magnitude);
        let (a, b) = match rope.style {
            RopeStyle::Interleaved => (2 * i, 2 * i + 1),
            RopeStyle::Halves => (i, i + pairs),
        };
        (head[a], head[b]) = (head[a] * cos - head[b] * sin, head[a] * sin + head[b] * cos);
    }
}

fn softmax(scores: &mut [f32], sink: Option<f32>) {
    let max = scores.iter().copied().chain(sink).fold(f32::NEG_INFINITY, f32::max);
    scores.iter_mut().for_each(|score| *score = (*score - max).exp());
    let sum = scores.iter().sum::<f32>() + sink.map_or(0.0, |sink| (sink - max).exp());
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// The indices of the `count` largest, best first; of equal ones the lower index.
fn best(values: &[f32], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]).then(a.cmp(b)));
    order.truncate(count);
    order
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn curved(curve: Curve, x: f32) -> f32 {
    match curve {
        Curve::Sigmoid => sigmoid(x),
        Curve::Silu => x * sigmoid(x),
        Curve::Gelu => activate(Activation::Gelu, x, 1.0),
    }
}

/// `ln(1 + e^x)`
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn activate(act: Activation, gate: f32, up: f32) -> f32 {
    match act {
        Activation::Silu => gate / (1.0 + (-gate).exp()) * up,
        Activation::Gelu => {
            0.5 * gate * (1.0 + (0.797_884_6 * (gate + 0.044_715 * gate * gate * gate)).tanh()) * up
        }
        Activation::ClampedSwiglu => {
            let gate = gate.min(Activation::SWIGLU_LIMIT);
            let up = up.clamp(-Activation::SWIGLU_LIMIT, Activation::SWIGLU_LIMIT);
            gate / (1.0 + (-Activation::SWIGLU_ALPHA * gate).exp()) * (up + 1.0)
        }
        Activation::ReluGate => gate.max(0.0) * up,
        Activation::LimitedSilu(limit) => (gate * sigmoid(gate)).min(limit) * up.clamp(-limit, limit),
        Activation::ClampedSilu(limit) => {
            let gate = gate.min(limit);
            gate * sigmoid(gate) * up.clamp(-limit, limit)
        }
        Activation::Situ { beta, linear } => {
            let bend = |x: f32, by: f32| by * (x / by).tanh();
            bend(gate, beta) * sigmoid(gate) * linear.map_or(up, |linear| bend(up, linear))
        }
    }
}
