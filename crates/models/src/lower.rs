//! One rank's program from a description.

mod blended;
mod pooled;
mod tower;

use std::collections::HashMap;

use tandem_tensor::{
    Attend, AttendLatent, Buf, BufId, Cache, CacheId, ChooseRuns, Convolve, Curve, DType, DeltaRule,
    LayerNorm, LinearPart, Op, Program, RmsNorm, Rope, RopeId, Routing, Rows, Runs, State, StateId, Weight,
    WeightId,
};

pub use tower::lower_tower;

use crate::description::{
    Both, Delta, Experts, Gated, Grouped, Heads, Indexer, InputBlock, Inputs, Latent, Narrow, RunChooser,
    Scales, Scan,
};
use crate::shard::{HeadPart, ffn_unit, head_unit};
use crate::{Attention, Axis, Description, Linear, Mlp, Norm, Role, Shard, Stored, Tensor, Tensors};

/// Lower `model` to the program of the rank that holds `shard`.
///
/// Every weight is looked up in `tensors`, so a file that lacks one, or has it in another shape, is refused
/// here, before anything is read.
pub fn lower(model: &Description, tensors: &dyn Tensors, shard: &Shard) -> Result<Program, LowerError> {
    let mut lowering = Lowering::new(tensors, shard);
    lowering.model(model)?;
    Ok(lowering.program)
}

#[derive(Debug, thiserror::Error)]
pub enum LowerError {
    #[error("the file has no tensor `{name}`; a {architecture} model needs it with shape {expected}")]
    MissingTensor { name: String, architecture: &'static str, expected: String },
    #[error("tensor `{name}` has shape {found}, expected {expected}")]
    WrongShape { name: String, found: String, expected: String },
    #[error(
        "tensor `{name}` is stored as {found}, but those it is stacked with as {expected}; convert it to one type"
    )]
    MixedTypes { name: String, found: DType, expected: DType },
    #[error(
        "tensor `{name}` is a norm of whole groups of heads, of which {groups} cannot be divided further; use fewer ranks"
    )]
    DividedGroup { name: String, groups: usize },
    #[error(
        "layer {layer} reads the keys of layer {of}, which another stage holds; let no stage begin after layer {of}"
    )]
    OtherStage { layer: usize, of: usize },
    #[error("tensor `{name}` is a bias inside the gated feed-forward block, which is not supported")]
    UnsupportedBias { name: String },
    #[error(
        "tensor `{name}` cannot be cut at columns {start}..{end}: {dtype} stores blocks of {block} values; \
         choose shares that are multiples of {block}"
    )]
    CutInsideBlock { name: String, start: usize, end: usize, dtype: DType, block: usize },
}

struct Lowering<'a> {
    tensors: &'a dyn Tensors,
    shard: &'a Shard,
    program: Program,
    /// A tensor named twice (a tied embedding) is held once.
    weights: HashMap<String, WeightId>,
    /// Buffers are shared by every layer that needs the same purpose and width.
    bufs: HashMap<(&'static str, Rows, usize), BufId>,
    /// Those of layers with keys and values, which others may read.
    caches: HashMap<usize, CacheId>,
    /// What layers have pooled and chosen for others.
    shared: pooled::Shared,
}

impl<'a> Lowering<'a> {
    fn new(tensors: &'a dyn Tensors, shard: &'a Shard) -> Lowering<'a> {
        Lowering {
            tensors,
            shard,
            program: Program::default(),
            weights: HashMap::new(),
            bufs: HashMap::new(),
            caches: HashMap::new(),
            shared: pooled::Shared::default(),
        }
    }

    fn model(&mut self, model: &Description) -> Result<(), LowerError> {
        for source in &model.ropes {
            let factors = source.factors.as_ref().map(|tensor| self.weight(model, tensor)).transpose()?;
            self.program.ropes.push(Rope { factors, ..source.rope.clone() });
        }
        let x = self.buf("residual", Rows::Tokens, model.hidden);
        if self.shard.layers.start == 0 {
            let table = self.weight(model, &model.embedding)?;
            let first_row = self.shard.vocab.start;
            // Blocks' results are added as they are: the stream is kept divided by what they would be multiplied by,
            // and so are the norms' epsilons, by its square. A norm does not see the difference.
            let scale = model.scales.embedding / model.scales.residual;
            self.program.ops.push(Op::Embed { table, first_row, scale, out: x });
            if model.tower.is_some() {
                self.program.ops.push(Op::Place { out: x });
            }
            self.all_reduce(x);
        } else if model.streams.is_none() && model.residuals.is_none() {
            self.program.ops.push(Op::Recv { x });
        }
        if let Some(residuals) = &model.residuals {
            let Some(h) = self.blended(model, residuals, x)? else { return Ok(()) };
            return self.results(model, h, None);
        }
        if let Some(streams) = &model.streams {
            let embedded = (self.shard.layers.start == 0).then_some(x);
            let Some(stream) = self.connected(model, streams, embedded)? else { return Ok(()) };
            return self.results(model, stream, None);
        }
        let inputs = model.inputs.as_ref().map(|inputs| self.inputs(model, inputs, x)).transpose()?;

        // The feed-forward result that the next norm adds to the residual.
        let mut pending = None;
        let last = self.shard.layers.end == model.layers.len();
        let mut stream = x;
        for index in self.shard.layers.clone() {
            let outputs_only = last && index + 1 == self.shard.layers.end;
            (stream, pending) = self.layer(model, index, x, pending, inputs, outputs_only)?;
        }
        if let Some(y) = pending
            && !last
        {
            self.program.ops.push(Op::Add { x: stream, y });
        }
        if !last {
            self.program.ops.push(Op::Send { x: stream });
            self.program.result = stream;
            return Ok(());
        }
        self.results(model, stream, pending)
    }

    /// The logits, from the stream and what is still to be added to it.
    fn results(
        &mut self,
        model: &Description,
        stream: BufId,
        pending: Option<BufId>,
    ) -> Result<(), LowerError> {
        let h = self.buf("final", Rows::Outputs, model.hidden);
        self.norm(model, Some(&model.final_norm), stream, pending, h)?;
        let head = self.weight(model, &model.head)?;
        let logits = self.buf("logits", Rows::Outputs, self.shard.vocab.len());
        let parts = vec![LinearPart { weight: head, bias: None, out: logits, run: None }];
        self.program.ops.push(Op::Linear { x: h, parts });
        let Scales { logits: scale, logits_cap: cap, .. } = model.scales;
        if scale != 1.0 || cap.is_some() {
            self.program.ops.push(Op::Rescale { x: logits, scale, by: None, cap });
        }
        self.program.result = logits;
        self.program.first_token = Some(self.shard.vocab.start as u32);
        self.program.hidden = Some(h);
        Ok(())
    }

    /// What this stage's layers get of every token beside the stream.
    fn inputs(&mut self, model: &Description, own: &Inputs, x: BufId) -> Result<BufId, LowerError> {
        let first_row = self.shard.vocab.start;
        let mut embedded = x;
        if self.shard.layers.start > 0 {
            embedded = self.buf("embedded", Rows::Tokens, model.hidden);
            let (table, scale) = (self.weight(model, &model.embedding)?, model.scales.embedding);
            self.program.ops.push(Op::Embed { table, first_row, scale, out: embedded });
            self.all_reduce(embedded);
        }
        let width = self.shard.layers.len() * own.dim;
        let of_tokens = self.buf("inputs of tokens", Rows::Tokens, width);
        let table = self.weight(model, &own.table)?;
        self.program.ops.push(Op::Embed { table, first_row, scale: own.table_scale, out: of_tokens });
        self.all_reduce(of_tokens);
        let inputs = self.buf("inputs", Rows::Tokens, width);
        self.linear(model, &own.projection, embedded, inputs)?;
        let norm = self.rms_norm(model, &own.norm)?;
        self.program.ops.push(Op::NormRuns { x: inputs, len: own.dim, norm });
        self.program.ops.push(Op::Add { x: inputs, y: of_tokens });
        self.program.ops.push(Op::Rescale { x: inputs, scale: own.scale, by: None, cap: None });
        Ok(inputs)
    }

    /// One layer. Returns the residual stream and what is still to be added to it. In the last layer,
    /// everything after attention is needed only for the rows whose result is asked for.
    fn layer(
        &mut self,
        model: &Description,
        index: usize,
        x: BufId,
        pending: Option<BufId>,
        inputs: Option<BufId>,
        outputs_only: bool,
    ) -> Result<(BufId, Option<BufId>), LowerError> {
        let layer = &model.layers[index];
        let mut h = self.buf("normed", Rows::Tokens, model.hidden);
        let input = self.norm(model, layer.attention_norm.as_ref(), x, pending, h)?;
        let mut attended = self.attention(model, index, input)?;
        let (mut x, mut rows) = (x, Rows::Tokens);
        if outputs_only {
            rows = Rows::Outputs;
            (x, attended) = (self.select(x, "residual out"), self.select(attended, "attended out"));
            h = self.buf("normed out", rows, model.hidden);
        }
        let y = self.sums(if outputs_only { "partial out" } else { "partial" }, rows, model.hidden);
        self.linear(model, layer.attention.output(), attended, y)?;
        let y = self.add_up(y, "joined", model.hidden);
        self.post_norm(model, layer.attention_post_norm.as_ref(), y)?;
        if layer.mlp == Mlp::None {
            return Ok((x, Some(y)));
        }
        let input = self.norm(model, layer.mlp_norm.as_ref(), x, Some(y), h)?;
        let y = self.sums(if outputs_only { "partial out" } else { "partial" }, rows, model.hidden);
        let mut beside = None;
        match &layer.mlp {
            Mlp::None => {}
            Mlp::Gated(gated) => self.gated(model, gated, None, input, y)?,
            Mlp::Experts(experts) => {
                let scores = self.scores(model, experts, input)?;
                self.experts(model, experts, input, scores, y)?;
            }
            Mlp::Both(both) => {
                self.gated(model, &both.dense, None, input, y)?;
                beside = Some((both, self.beside(model, both, x)?));
            }
        }
        let y = self.add_up(y, "joined", model.hidden);
        if let Some((both, experts)) = beside {
            self.post_norm(model, Some(&both.dense_post_norm), y)?;
            self.program.ops.push(Op::Add { x: y, y: experts });
        }
        self.post_norm(model, layer.mlp_post_norm.as_ref(), y)?;
        if let (Some(block), Some(inputs)) = (&layer.input, inputs) {
            self.program.ops.push(Op::Add { x, y });
            self.input_block(model, block, index, (inputs, outputs_only), x, y)?;
        }
        if let Some(scale) = &layer.scale {
            let by = Some(self.weight(model, scale)?);
            self.program.ops.extend([Op::Add { x, y }, Op::Rescale { x, scale: 1.0, by, cap: None }]);
            return Ok((x, None));
        }
        Ok((x, Some(y)))
    }

    fn post_norm(&mut self, model: &Description, norm: Option<&Norm>, y: BufId) -> Result<(), LowerError> {
        if let Some(norm) = norm {
            let norm = self.rms_norm(model, norm)?;
            self.program.ops.push(Op::Norm { x: y, norm, out: y });
        }
        Ok(())
    }

    /// This rank's part of the block's result goes to `out`, weighed by `weight` where there is one.
    fn gated(
        &mut self,
        model: &Description,
        gated: &Gated,
        weight: Option<&Linear>,
        x: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        if let Some(bias) = gated.gate.bias.as_ref().or(gated.up.bias.as_ref()) {
            return Err(LowerError::UnsupportedBias { name: bias.name.clone() });
        }
        let width = self.shard.ffn_part(gated.down.weight.cols).len();
        let inner = self.like(x, "inner", width);
        let gate = self.weight(model, &gated.gate.weight)?;
        let up = self.weight(model, &gated.up.weight)?;
        self.program.ops.push(Op::GatedLinear { x, gate, up, act: gated.act, out: inner });
        let Some(weight) = weight else { return self.linear(model, &gated.down, inner, out) };
        let by = self.like(x, "shared gate", 1);
        self.linear(model, weight, x, by)?;
        let gate = |x| Op::Gate { x, gate: by, curve: Curve::Sigmoid };
        // An exact sum is made of whole multiples, and a part of it times a weight is none: the weight comes before.
        if self.shard.exact_sums {
            self.program.ops.push(gate(inner));
        }
        self.linear(model, &gated.down, inner, out)?;
        if !self.shard.exact_sums {
            self.program.ops.push(gate(out));
        }
        Ok(())
    }

    /// The block of a layer's own input. What it says of the stream `x` goes to `out`.
    fn input_block(
        &mut self,
        model: &Description,
        own: &InputBlock,
        index: usize,
        (inputs, outputs_only): (BufId, bool),
        x: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let dim = own.gate.weight.rows;
        let mut input = self.buf("input", Rows::Tokens, dim);
        let first = (index - self.shard.layers.start) * dim;
        self.program.ops.push(Op::Slice { x: inputs, first, out: input });
        if outputs_only {
            input = self.select(input, "input out");
        }
        let gate = self.like(x, "input gate", dim);
        self.linear(model, &own.gate, x, gate)?;
        self.program.ops.push(Op::Gate { x: input, gate, curve: Curve::Gelu });
        self.linear(model, &own.out, input, out)?;
        self.post_norm(model, Some(&own.norm), out)
    }

    /// The experts beside a dense block, from the stream `x`. Returns where their whole result lies.
    fn beside(&mut self, model: &Description, both: &Both, x: BufId) -> Result<BufId, LowerError> {
        let normed = self.like(x, "normed beside", model.hidden);
        let norm = self.rms_norm(model, &both.router_norm)?;
        self.program.ops.push(Op::Norm { x, norm, out: normed });
        let scores = self.scores(model, &both.experts, normed)?;
        let norm = self.rms_norm(model, &both.experts_norm)?;
        self.program.ops.push(Op::Norm { x, norm, out: normed });
        let sums = self.sums("beside", self.program.buf(x).rows, model.hidden);
        self.experts(model, &both.experts, normed, scores, sums)?;
        let y = self.add_up(sums, "joined beside", model.hidden);
        self.post_norm(model, Some(&both.experts_post_norm), y)?;
        Ok(y)
    }

    /// What the router says of every expert.
    fn scores(&mut self, model: &Description, experts: &Experts, x: BufId) -> Result<BufId, LowerError> {
        let scores = self.like(x, "scores", experts.count);
        self.linear(model, &experts.router, x, scores)?;
        if experts.router_scale != 1.0 {
            let scale = experts.router_scale;
            self.program.ops.push(Op::Rescale { x: scores, scale, by: None, cap: None });
        }
        Ok(scores)
    }

    fn experts(
        &mut self,
        model: &Description,
        experts: &Experts,
        x: BufId,
        scores: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let bias = experts.choice_bias.as_ref().map(|bias| self.weight(model, bias)).transpose()?;
        let scales = experts.scales.as_ref().map(|scales| self.weight(model, scales)).transpose()?;
        let (mut input, mut sums) = (x, out);
        if let Some(narrow) = &experts.narrow {
            let width = narrow.down.weight.rows;
            (input, sums) =
                (self.like(x, "narrow", width), self.sums("narrow sums", self.program.buf(x).rows, width));
            self.linear(model, &narrow.down, x, input)?;
        }
        let [gate, up, down] = [&experts.gate, &experts.up, &experts.down];
        let [gate, up, down] =
            [self.part(model, gate, sums)?, self.part(model, up, sums)?, self.part(model, down, sums)?];
        self.program.ops.push(Op::Experts(tandem_tensor::Experts {
            x: input,
            scores,
            routing: Routing { bias, scales, ..experts.routing },
            gate: gate.weight,
            up: up.weight,
            down: down.weight,
            gate_bias: gate.bias,
            up_bias: up.bias,
            down_bias: down.bias,
            act: experts.act,
            out: sums,
            run: down.run,
        }));
        if let Some(narrow) = &experts.narrow {
            self.widen(model, narrow, sums, out)?;
        }
        if let Some(shared) = &experts.shared {
            let y = self.sums("shared", self.program.buf(x).rows, model.hidden);
            self.gated(model, shared, experts.shared_gate.as_ref(), x, y)?;
            self.program.ops.push(Op::Add { x: out, y });
        }
        Ok(())
    }

    /// What narrow experts say, added up over the ranks; of the matrix after it a rank has some columns.
    fn widen(
        &mut self,
        model: &Description,
        narrow: &Narrow,
        sums: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let width = narrow.up.weight.cols;
        let mut y = self.add_up(sums, "joined narrow", width);
        self.post_norm(model, narrow.norm.as_ref(), y)?;
        let part = self.shard.ffn_part(width);
        if part.len() < width {
            let x = y;
            y = self.like(x, "narrow part", part.len());
            self.program.ops.push(Op::Slice { x, first: part.start, out: y });
        }
        self.linear(model, &narrow.up, y, out)
    }

    fn attention(&mut self, model: &Description, index: usize, h: BufId) -> Result<BufId, LowerError> {
        match &model.layers[index].attention {
            Attention::Grouped(own) => self.grouped(model, own, index, h),
            Attention::Latent(own) => self.latent(model, own, h),
            Attention::Delta(own) => self.delta(model, own, h),
            Attention::Scan(own) => self.scan(model, own, h),
            Attention::Pooled(own) => self.pooled(model, own, index, h),
        }
    }

    fn scan(&mut self, model: &Description, own: &Scan, h: BufId) -> Result<BufId, LowerError> {
        let part = self.shard.head_part(own.heads);
        let (heads, groups) = (part.heads.len(), part.kv_heads.len());
        let (inner, states) = (heads * own.head_dim, groups * own.state_dim);
        let buf = |lowering: &mut Self, purpose, width| lowering.buf(purpose, Rows::Tokens, width);
        let [z, x, out] = ["scan gate", "scan input", "attended"].map(|purpose| buf(self, purpose, inner));
        let [b, c] = ["scan b", "scan c"].map(|purpose| buf(self, purpose, states));
        let step = buf(self, "scan step", heads);
        let parts = [(&own.z, z), (&own.x, x), (&own.b, b), (&own.c, c), (&own.step, step)];
        let parts =
            parts.into_iter().map(|(linear, out)| self.part(model, linear, out)).collect::<Result<_, _>>()?;
        self.program.ops.push(Op::Linear { x: h, parts });
        let mixed = ["mixed scan input", "mixed b", "mixed c"];
        let mut mixed_bufs = [x, b, c];
        for ((x, taps), purpose) in mixed_bufs.iter_mut().zip(&own.taps).zip(mixed) {
            *x = self.convolve(model, taps, *x, purpose)?;
        }
        let [x, b, c] = mixed_bufs;
        let scan = tandem_tensor::Scan {
            x,
            b,
            c,
            step,
            rate: self.weight(model, &own.rate)?,
            bias: self.weight(model, &own.bias)?,
            skip: self.weight(model, &own.skip)?,
            least: own.limits[0],
            most: own.limits[1],
            state: self.state(State { len: inner * own.state_dim }),
            heads,
            groups,
            out,
        };
        self.program.ops.push(Op::Scan(scan));
        self.program.ops.push(Op::Gate { x: out, gate: z, curve: Curve::Silu });
        if own.norm_groups == 1 {
            self.divided_norms(model, vec![(own.norm.clone(), out, true)])?;
            return Ok(out);
        }
        // Ranks hold whole groups, unless there are more of them than groups.
        let len = own.heads.count * own.head_dim / own.norm_groups;
        if !inner.is_multiple_of(len) {
            return Err(LowerError::DividedGroup { name: own.norm.weight.name.clone(), groups });
        }
        let norm = self.rms_norm(model, &own.norm)?;
        self.program.ops.push(Op::NormRuns { x: out, len, norm });
        Ok(out)
    }

    /// Mix every channel's last values, into a buffer of that purpose.
    fn convolve(
        &mut self,
        model: &Description,
        taps: &Linear,
        x: BufId,
        purpose: &'static str,
    ) -> Result<BufId, LowerError> {
        let channels = self.program.buf(x).width;
        let out = self.buf(purpose, Rows::Tokens, channels);
        let weight = self.weight(model, &taps.weight)?;
        let bias = taps.bias.as_ref().map(|bias| self.weight(model, bias)).transpose()?;
        let state = self.state(State { len: (taps.weight.cols - 1) * channels });
        self.program.ops.push(Op::Convolve(Convolve { x, weight, bias, state, out }));
        Ok(out)
    }

    fn delta(&mut self, model: &Description, own: &Delta, h: BufId) -> Result<BufId, LowerError> {
        let part = self.shard.head_part(own.heads);
        let (heads, key_heads) = (part.heads.len(), part.kv_heads.len());
        let (keys, values) = (key_heads * own.key_dim, heads * own.value_dim);
        let decays = own.decay.weight.rows / own.heads.count * heads;
        let buf = |lowering: &mut Self, purpose, width| lowering.buf(purpose, Rows::Tokens, width);
        let [q, k] = ["delta query", "delta key"].map(|purpose| buf(self, purpose, keys));
        let [v, z, out] = ["delta value", "delta gate", "attended"].map(|purpose| buf(self, purpose, values));
        let beta = buf(self, "beta", heads);
        let decay = buf(self, "decay", decays);
        let mut parts = vec![(&own.q, q), (&own.k, k), (&own.v, v), (&own.beta, beta)];
        let mut widened = Vec::new();
        let gates =
            [(&own.z, &own.z_down, z, "narrow gate"), (&own.decay, &own.decay_down, decay, "narrow decay")];
        for (linear, down, out, purpose) in gates {
            let Some(down) = down else {
                parts.push((linear, out));
                continue;
            };
            let narrow = buf(self, purpose, down.weight.rows);
            parts.push((down, narrow));
            widened.push((linear, narrow, out));
        }
        let parts =
            parts.into_iter().map(|(linear, out)| self.part(model, linear, out)).collect::<Result<_, _>>()?;
        self.program.ops.push(Op::Linear { x: h, parts });
        for (linear, narrow, out) in widened {
            self.linear(model, linear, narrow, out)?;
        }
        let mixed = ["mixed query", "mixed key", "mixed value"];
        let mut mixed_bufs = [q, k, v];
        for ((x, taps), purpose) in mixed_bufs.iter_mut().zip(&own.taps).zip(mixed) {
            let taps = Linear { weight: taps.clone(), bias: None };
            *x = self.convolve(model, &taps, *x, purpose)?;
        }
        let [q, k, v] = mixed_bufs;
        let rule = DeltaRule {
            q,
            k,
            v,
            decay,
            beta,
            rate: self.weight(model, &own.rate)?,
            bias: self.weight(model, &own.bias)?,
            floor: own.floor,
            state: self.state(State { len: heads * own.key_dim * own.value_dim }),
            heads,
            key_heads,
            out,
        };
        self.program.ops.push(Op::DeltaRule(rule));
        let norm = self.rms_norm(model, &own.norm)?;
        self.program.ops.push(Op::NormRuns { x: out, len: own.value_dim, norm });
        self.program.ops.push(Op::Gate { x: out, gate: z, curve: own.curve });
        Ok(out)
    }

    fn latent(&mut self, model: &Description, own: &Latent, h: BufId) -> Result<BufId, LowerError> {
        let heads = self.shard.head_part(Heads { count: own.heads, kv_count: own.heads }).heads.len();
        let q = self.buf("query", Rows::Tokens, heads * (own.nope_dim + own.rope_dim));
        let kv = self.buf("latent", Rows::Tokens, own.latent_dim + own.rope_dim);
        let out = self.buf("attended", Rows::Tokens, heads * own.value_dim);
        let gate =
            own.gate.as_ref().map(|gate| (gate, self.like(out, "attention gate", heads * own.value_dim)));
        let mut parts = vec![self.part(model, &own.kv, kv)?];
        if let Some((linear, out)) = gate {
            parts.push(self.part(model, linear, out)?);
        }
        match &own.q_down {
            None => {
                parts.push(self.part(model, &own.q, q)?);
                self.program.ops.push(Op::Linear { x: h, parts });
            }
            Some((down, norm)) => {
                let narrow = self.buf("narrow query", Rows::Tokens, down.weight.rows);
                parts.push(self.part(model, down, narrow)?);
                let mut queries = vec![self.part(model, &own.q, q)?];
                if let Some(own) = &own.indexer {
                    let [q, k, weights] = index_bufs(self, own);
                    parts.extend([self.part(model, &own.k, k)?, self.part(model, &own.weights, weights)?]);
                    queries.push(self.part(model, &own.q, q)?);
                }
                self.program.ops.push(Op::Linear { x: h, parts });
                let normed = self.buf("normed query", Rows::Tokens, down.weight.rows);
                let norm = self.rms_norm(model, norm)?;
                self.program.ops.push(Op::Norm { x: narrow, norm, out: normed });
                self.program.ops.push(Op::Linear { x: normed, parts: queries });
            }
        }
        let key_dim = own.latent_dim + own.rope_dim;
        let cache = self.cache(Cache { kv_heads: 1, key_dim, value_dim: 0, window: None, every: 1 });
        let attend = AttendLatent {
            q,
            kv,
            out,
            heads,
            cache,
            kv_norm: self.rms_norm(model, &own.kv_norm)?,
            key: self.weight(model, &own.key)?,
            value: self.weight(model, &own.value)?,
            rope: RopeId(own.rope as u32),
            scale: own.scale,
            growth: own.growth,
            indexer: own.indexer.as_ref().map(|own| self.indexer(model, own)).transpose()?,
        };
        self.program.ops.push(Op::AttendLatent(attend));
        if let Some((_, gate)) = gate {
            self.program.ops.push(Op::Gate { x: out, gate, curve: Curve::Sigmoid });
        }
        Ok(out)
    }

    fn indexer(&mut self, model: &Description, own: &Indexer) -> Result<tandem_tensor::Indexer, LowerError> {
        let [q, k, weights] = index_bufs(self, own);
        let norm = self.part(model, &own.k_norm, k)?;
        Ok(tandem_tensor::Indexer {
            q,
            k,
            weights,
            heads: own.heads,
            cache: self.cache(Cache {
                kv_heads: 1,
                key_dim: own.key_dim,
                value_dim: 0,
                window: None,
                every: 1,
            }),
            k_norm: LayerNorm {
                weight: norm.weight,
                bias: norm.bias.expect("the description says both"),
                eps: own.eps,
            },
            rope: RopeId(own.rope as u32),
            count: own.count,
        })
    }

    fn grouped(
        &mut self,
        model: &Description,
        attention: &Grouped,
        index: usize,
        h: BufId,
    ) -> Result<BufId, LowerError> {
        let part = self.shard.head_part(attention.heads_of());
        let (heads, kv_heads, dim) = (part.heads.len(), part.kv_heads.len(), attention.head_dim);
        let q = self.buf("query", Rows::Tokens, heads * dim);
        let k = self.buf("key", Rows::Tokens, kv_heads * dim);
        let v = self.buf("value", Rows::Tokens, kv_heads * dim);
        let out = self.buf("attended", Rows::Tokens, heads * dim);
        let gate = attention.gate.as_ref().map(|gate| {
            let width = gate.weight.rows / attention.heads * heads;
            (gate, self.buf("attention gate", Rows::Tokens, width))
        });
        let own = if attention.kv_of.is_none() { 2 } else { 0 };
        let runs = attention.runs.as_ref().map(|runs| {
            let index_q = self.buf("run query", Rows::Tokens, kv_heads * runs.key_dim);
            (runs, index_q, self.buf("run key", Rows::Tokens, runs.key_dim))
        });
        let parts = std::iter::once((&attention.q, q))
            .chain([(&attention.k, k), (&attention.v, v)].into_iter().take(own))
            .chain(gate)
            .chain(runs.iter().flat_map(|(runs, q, k)| [(&runs.q, *q), (&runs.k, *k)]))
            .map(|(linear, out)| self.part(model, linear, out))
            .collect::<Result<_, _>>()?;
        self.program.ops.push(Op::Linear { x: h, parts });
        self.wide_norms(model, attention, &part, [q, k])?;
        if let Some(norm) = attention.v_norm.as_ref().filter(|_| own > 0) {
            let norm = self.rms_norm(model, norm)?;
            self.program.ops.push(Op::NormRuns { x: v, len: dim, norm });
        }
        let window = model.window_of(attention);
        let cache = match attention.kv_of {
            None => self.cache(Cache { kv_heads, key_dim: dim, value_dim: dim, window, every: 1 }),
            Some(of) => *self.caches.get(&of).ok_or(LowerError::OtherStage { layer: index, of })?,
        };
        self.caches.insert(index, cache);
        let head_norm = |norm: &Option<Norm>, lowering: &mut Self| {
            let norm = norm.as_ref().filter(|norm| norm.weight.cols == dim);
            norm.map(|norm| lowering.rms_norm(model, norm)).transpose()
        };
        let q_norm = head_norm(&attention.q_norm, self)?;
        let k_norm = if own > 0 { head_norm(&attention.k_norm, self)? } else { None };
        let sinks = attention.sinks.as_ref().map(|sinks| self.weight(model, sinks)).transpose()?;
        let runs = match runs {
            None => None,
            Some((runs, q, k)) => Some(self.choose_runs(model, runs, attention.rope, kv_heads, [q, k])?),
        };
        self.program.ops.push(Op::Attend(Attend {
            q,
            kv: (own > 0).then_some([k, v]),
            out,
            heads,
            cache,
            q_norm,
            k_norm,
            rope: attention.rope.map(|rope| RopeId(rope as u32)),
            scale: attention.scale,
            growth: attention.growth,
            window: attention.window,
            sinks,
            runs,
        }));
        if let Some((_, gate)) = gate {
            self.program.ops.push(Op::Gate { x: out, gate, curve: Curve::Sigmoid });
        }
        Ok(out)
    }

    fn choose_runs(
        &mut self,
        model: &Description,
        own: &RunChooser,
        rope: Option<usize>,
        heads: usize,
        [q, k]: [BufId; 2],
    ) -> Result<Runs, LowerError> {
        let (len, dim) = (own.len, own.key_dim);
        for (x, norm) in [(q, &own.q_norm), (k, &own.k_norm)] {
            let norm = self.rms_norm(model, norm)?;
            self.program.ops.push(Op::NormRuns { x, len: dim, norm });
        }
        let cache = Cache { kv_heads: 1, key_dim: dim, value_dim: 0, window: None, every: 1 };
        let cache = self.cache(cache);
        let rope = RopeId(rope.unwrap_or(0) as u32);
        let list = self.buf("runs", Rows::Tokens, heads * own.count);
        let choose = ChooseRuns { q, k, heads, cache, rope, len, local: own.local, out: list };
        self.program.ops.push(Op::ChooseRuns(choose));
        Ok(Runs { len, list })
    }

    /// Norms over all heads of a token together, of which this rank may hold some.
    fn wide_norms(
        &mut self,
        model: &Description,
        attention: &Grouped,
        part: &HeadPart,
        [q, k]: [BufId; 2],
    ) -> Result<(), LowerError> {
        let wide = |norm: &Option<Norm>| norm.clone().filter(|norm| norm.weight.cols > attention.head_dim);
        let norms = [(wide(&attention.q_norm), q, true), (wide(&attention.k_norm), k, part.leads())];
        let norms = norms.into_iter().filter_map(|(norm, x, own)| Some((norm?, x, own))).collect();
        self.divided_norms(model, norms)
    }

    /// Norms of rows that ranks hold parts of, and whether this rank's part is counted as its own.
    fn divided_norms(
        &mut self,
        model: &Description,
        norms: Vec<(Norm, BufId, bool)>,
    ) -> Result<(), LowerError> {
        if norms.is_empty() {
            return Ok(());
        }
        if self.shard.ranks == 1 && !self.shard.exact_sums {
            for (norm, x, _) in norms {
                let norm = self.rms_norm(model, &norm)?;
                self.program.ops.push(Op::Norm { x, norm, out: x });
            }
            return Ok(());
        }
        // Keys that several ranks hold are counted by the first of them.
        let of: Vec<_> = norms.iter().map(|(_, x, own)| own.then_some(*x)).collect();
        let count = of.len();
        let sums = self.sums("sums of squares", Rows::Tokens, count);
        self.program.ops.push(Op::SumSquares { of, out: sums });
        let sums = self.add_up(sums, "joined squares", count);
        for (at, (norm, x, _)) in norms.into_iter().enumerate() {
            let len = norm.weight.cols;
            let norm = self.rms_norm(model, &norm)?;
            self.program.ops.push(Op::NormBy { x, sums, at, len, norm });
        }
        Ok(())
    }

    fn linear(
        &mut self,
        model: &Description,
        linear: &Linear,
        x: BufId,
        out: BufId,
    ) -> Result<(), LowerError> {
        let parts = vec![self.part(model, linear, out)?];
        self.program.ops.push(Op::Linear { x, parts });
        Ok(())
    }

    fn part(&mut self, model: &Description, linear: &Linear, out: BufId) -> Result<LinearPart, LowerError> {
        // Partial results are summed over the ranks, so one of them adds the bias.
        let row = match linear.weight.role {
            Role::Row(axis) => Some(axis),
            _ => None,
        };
        let bias = linear.bias.as_ref().filter(|_| row.is_none() || self.shard.rank == 0);
        let weight = self.weight(model, &linear.weight)?;
        let block = self.program.weight(weight).dtype.block_len();
        let run = row.filter(|_| self.shard.exact_sums).map(|axis| match axis {
            Axis::Heads { of, dim } | Axis::KvHeads { of, dim } => head_unit(of, dim, block),
            Axis::Ffn { width } => ffn_unit(width, block),
            Axis::Vocab | Axis::Layers { .. } => block,
        });
        Ok(LinearPart { weight, bias: bias.map(|bias| self.weight(model, bias)).transpose()?, out, run })
    }

    /// Add what is pending to the stream, and norm it to `out` where there is a norm of it. Returns what the next block reads.
    fn norm(
        &mut self,
        model: &Description,
        norm: Option<&Norm>,
        x: BufId,
        pending: Option<BufId>,
        out: BufId,
    ) -> Result<BufId, LowerError> {
        let Some(norm) = norm else {
            self.program.ops.extend(pending.map(|y| Op::Add { x, y }));
            return Ok(x);
        };
        let residual = model.scales.residual;
        let norm = self.rms_norm(model, norm)?;
        let norm = RmsNorm { eps: norm.eps / (residual * residual), ..norm };
        self.program.ops.push(match pending {
            Some(y) => Op::AddNorm { x, y, norm, out },
            None => Op::Norm { x, norm, out },
        });
        Ok(out)
    }

    fn rms_norm(&mut self, model: &Description, norm: &Norm) -> Result<RmsNorm, LowerError> {
        Ok(RmsNorm { weight: self.weight(model, &norm.weight)?, eps: norm.eps })
    }

    fn select(&mut self, x: BufId, purpose: &'static str) -> BufId {
        let out = self.buf(purpose, Rows::Outputs, self.program.buf(x).width);
        self.program.ops.push(Op::Select { x, out });
        out
    }

    /// A buffer for what ranks add up, in two parts where the sum is to be exact.
    fn sums(&mut self, purpose: &'static str, rows: Rows, width: usize) -> BufId {
        self.buf(purpose, rows, if self.shard.exact_sums { 2 * width } else { width })
    }

    /// Add up what ranks have in `y`, a buffer of [`sums`](Self::sums). Returns where the result lies: there, or in one for that purpose.
    fn add_up(&mut self, y: BufId, purpose: &'static str, width: usize) -> BufId {
        self.all_reduce(y);
        if !self.shard.exact_sums {
            return y;
        }
        let out = self.like(y, purpose, width);
        self.program.ops.push(Op::Join { x: y, out });
        out
    }

    fn all_reduce(&mut self, x: BufId) {
        if self.shard.ranks > 1 {
            self.program.ops.push(Op::AllReduce { x });
        }
    }

    fn cache(&mut self, cache: Cache) -> CacheId {
        self.program.caches.push(cache);
        CacheId(self.program.caches.len() as u32 - 1)
    }

    fn state(&mut self, state: State) -> StateId {
        self.program.states.push(state);
        StateId(self.program.states.len() as u32 - 1)
    }

    /// A buffer with as many rows as `x`.
    fn like(&mut self, x: BufId, purpose: &'static str, width: usize) -> BufId {
        self.buf(purpose, self.program.buf(x).rows, width)
    }

    fn buf(&mut self, purpose: &'static str, rows: Rows, width: usize) -> BufId {
        *self.bufs.entry((purpose, rows, width)).or_insert_with(|| {
            self.program.bufs.push(Buf { rows, width });
            BufId(self.program.bufs.len() as u32 - 1)
        })
    }

    fn weight(&mut self, model: &Description, tensor: &Tensor) -> Result<WeightId, LowerError> {
        if let Some(id) = self.weights.get(&tensor.name) {
            return Ok(*id);
        }
        let stored = self.stored(model, tensor)?;
        let slice = self.shard.cut(tensor);
        let block = stored.dtype.block_len();
        if !(slice.cols.start.is_multiple_of(block) && slice.cols.end.is_multiple_of(block)) {
            return Err(LowerError::CutInsideBlock {
                name: tensor.name.clone(),
                start: slice.cols.start,
                end: slice.cols.end,
                dtype: stored.dtype,
                block,
            });
        }
        let id = WeightId(self.program.weights.len() as u32);
        let (name, recipe) = (tensor.name.clone(), tensor.recipe.clone());
        self.program.weights.push(Weight { name, dtype: stored.dtype, slice, recipe });
        self.weights.insert(tensor.name.clone(), id);
        Ok(id)
    }

    /// What the file holds for `tensor`, which must have the shape that the model says.
    fn stored(&self, model: &Description, tensor: &Tensor) -> Result<Stored, LowerError> {
        let expected = |tensor: &Tensor| shape(tensor.experts, tensor.rows, tensor.cols);
        let Some(recipe) = &tensor.recipe else {
            let found = self.tensors.get(&tensor.name).ok_or_else(|| LowerError::MissingTensor {
                name: tensor.name.clone(),
                architecture: model.architecture,
                expected: expected(tensor),
            })?;
            if (found.experts, found.rows, found.cols) != (tensor.experts, tensor.rows, tensor.cols) {
                let found = shape(found.experts, found.rows, found.cols);
                return Err(LowerError::WrongShape {
                    name: tensor.name.clone(),
                    found,
                    expected: expected(tensor),
                });
            }
            return Ok(found);
        };
        let [experts, rows, cols] = recipe.stored_shape([tensor.experts, tensor.rows, tensor.cols]);
        let mut first: Option<DType> = None;
        for name in &recipe.names {
            let expected = || shape(experts, rows, cols);
            let found = self.tensors.get(name).ok_or_else(|| LowerError::MissingTensor {
                name: name.clone(),
                architecture: model.architecture,
                expected: expected(),
            })?;
            if (found.experts, found.rows, found.cols) != (experts, rows, cols) {
                let found = shape(found.experts, found.rows, found.cols);
                return Err(LowerError::WrongShape { name: name.clone(), found, expected: expected() });
            }
            let dtype = *first.get_or_insert(found.dtype);
            if found.dtype != dtype {
                let (name, found) = (name.clone(), found.dtype);
                return Err(LowerError::MixedTypes { name, found, expected: dtype });
            }
        }
        stored(self.tensors, tensor).ok_or_else(|| LowerError::MissingTensor {
            name: tensor.name.clone(),
            architecture: model.architecture,
            expected: expected(tensor),
        })
    }
}

/// An indexer's queries, keys and weights.
fn index_bufs(lowering: &mut Lowering, own: &Indexer) -> [BufId; 3] {
    let sizes =
        [("index query", own.heads * own.key_dim), ("index key", own.key_dim), ("index weights", own.heads)];
    sizes.map(|(purpose, width)| lowering.buf(purpose, Rows::Tokens, width))
}

/// How `tensor` comes out of the file: its own shape, in the type that its parts give it.
pub(crate) fn stored(tensors: &dyn Tensors, tensor: &Tensor) -> Option<Stored> {
    let Some(recipe) = &tensor.recipe else { return tensors.get(&tensor.name) };
    let part = tensors.get(recipe.names.first()?)?;
    let &Tensor { experts, rows, cols, .. } = tensor;
    Some(Stored { dtype: recipe.dtype(part.dtype), experts, rows, cols })
}

fn shape(experts: usize, rows: usize, cols: usize) -> String {
    match (experts, rows) {
        (1, 1) => format!("[{cols}]"),
        (1, _) => format!("[{rows}, {cols}]"),
        _ => format!("[{experts}, {rows}, {cols}]"),
    }
}
